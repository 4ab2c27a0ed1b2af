//! A browser without a window, and the server of the pages that it is shown.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::Stdio;

use futures_util::FutureExt as _;
use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::prelude::*;
use thirtyfour::{BrowserLogEntry, LoggingPrefsLogLevel};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tokio::sync::{Mutex, MutexGuard};

/// One browser at a time: it takes all processors that there are.
static TURN: Mutex<()> = Mutex::const_new(());

/// A page in a browser of its own.
pub(crate) struct Tab {
    pub(crate) driver: WebDriver,
    /// The address of the site.
    site: String,
}

/// What runs beside a test, and ends with it.
struct Browser {
    process: Child,
    port: u16,
    profile: TempDir,
    _turn: MutexGuard<'static, ()>,
}

/// Shows a site to a browser and has `test` use it. Whatever comes of that, the browser ends.
pub(crate) async fn browse<F: Future<Output = ()>>(
    site: axum::Router,
    scripts: bool,
    test: impl FnOnce(Tab) -> F,
) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let server = tokio::spawn(async move { axum::serve(listener, site).await });
    let mut browser = Browser::start().await;
    let driver = browser.open(scripts).await;
    let tab = Tab {
        driver: driver.clone(),
        site: address,
    };
    let outcome = AssertUnwindSafe(test(tab)).catch_unwind().await;
    let quit = driver.quit().await;
    browser.process.kill().await.unwrap();
    server.abort();
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
    quit.unwrap();
}

impl Browser {
    async fn start() -> Self {
        let turn = TURN.lock().await;
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|error| panic!("{MISSING}: {error}"));
        let port = port(&mut process).await.expect(MISSING);
        Self {
            process,
            port,
            profile: tempfile::tempdir().unwrap(),
            _turn: turn,
        }
    }

    async fn open(&self, scripts: bool) -> WebDriver {
        let mut wanted = DesiredCapabilities::chrome();
        let profile = format!("--user-data-dir={}", self.profile.path().display());
        for argument in ARGUMENTS.into_iter().chain([profile.as_str()]) {
            wanted.add_arg(argument).unwrap();
        }
        if !scripts {
            let blocked = json!({"profile.managed_default_content_settings.javascript": 2});
            wanted.add_experimental_option("prefs", blocked).unwrap();
        }
        wanted
            .set_browser_log_level(LoggingPrefsLogLevel::All)
            .unwrap();
        let address = format!("http://127.0.0.1:{}", self.port);
        // The client wants one, though it speaks no TLS here. Another test may have set it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        WebDriver::new(&address, wanted).await.expect(MISSING)
    }
}

/// Reads on which port the driver listens.
async fn port(process: &mut Child) -> Option<u16> {
    let mut lines = BufReader::new(process.stdout.take()?).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some((_, port)) = line.split_once("started successfully on port ") {
            return port.trim_end_matches('.').parse().ok();
        }
    }
    None
}

const MISSING: &str =
    "Chromium, its driver or axe are not there; `scripts/prepare-browser` installs them";

const ARGUMENTS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
];

impl Tab {
    /// Opens an address of the site.
    pub(crate) async fn open(&self, address: &str) {
        self.driver
            .goto(format!("{}{address}", self.site))
            .await
            .unwrap();
    }

    /// Returns the address that is shown, without the site's own.
    pub(crate) async fn address(&self) -> String {
        let url = self.driver.current_url().await.unwrap();
        url.as_str().replace(&self.site, "")
    }

    /// Waits for an element.
    pub(crate) async fn find(&self, selector: &str) -> WebElement {
        self.driver.query(By::Css(selector)).first().await.unwrap()
    }

    /// Waits for an element with this text. A page that is left takes its elements along while they are
    /// looked at; then the next page is asked.
    pub(crate) async fn find_text(&self, selector: &str, text: &str) -> WebElement {
        let query = || {
            let query = self.driver.query(By::Css(selector));
            query.with_text(text.to_owned())
        };
        if let Ok(found) = query().first().await {
            return found;
        }
        match query().first().await {
            Ok(found) => found,
            Err(error) => panic!("{error}: `{text}` in {}", self.text("main").await),
        }
    }

    /// Clicks an element when it is there.
    pub(crate) async fn click(&self, selector: &str) {
        self.find(selector).await.click().await.unwrap();
    }

    pub(crate) async fn click_text(&self, selector: &str, text: &str) {
        let found = self.find_text(selector, text).await;
        found.click().await.unwrap();
    }

    /// Returns how many elements there are.
    pub(crate) async fn count(&self, selector: &str) -> usize {
        self.driver.find_all(By::Css(selector)).await.unwrap().len()
    }

    pub(crate) async fn text(&self, selector: &str) -> String {
        self.find(selector).await.text().await.unwrap()
    }

    /// Presses keys where the focus is.
    pub(crate) async fn press(&self, keys: impl Into<thirtyfour::TypingData>) {
        let focused = self.driver.active_element().await.unwrap();
        focused.send_keys(keys).await.unwrap();
    }

    /// Runs a script in the page.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.driver
            .execute(script, Vec::new())
            .await
            .unwrap()
            .json()
            .clone()
    }

    /// Returns what axe finds wrong in the page: the rules, and the elements that break them.
    pub(crate) async fn violations(&self) -> Value {
        let axe = concat!(
            env!("CARGO_TARGET_TMPDIR"),
            "/../axe/node_modules/axe-core/axe.min.js"
        );
        let axe = std::fs::read_to_string(axe).expect(MISSING);
        self.run(&axe).await;
        let check = "const done = arguments[arguments.length - 1];
            const told = (rule) => `${rule.id}: ${rule.nodes.map((node) => node.target).join(', ')}`;
            axe.run({ resultTypes: ['violations'] })
                .then((found) => done(found.violations.map(told)), (error) => done([String(error)]));";
        let found = self.driver.execute_async(check, Vec::new()).await.unwrap();
        found.json().clone()
    }

    /// Has the page shown as those see it who asked their system for something.
    pub(crate) async fn prefer(&self, feature: &str, value: &str) {
        let features = json!({"features": [{"name": feature, "value": value}]});
        self.command("Emulation.setEmulatedMedia", features).await;
    }

    pub(crate) async fn command(&self, name: &str, parameters: Value) {
        let tools = self.driver.cdp();
        tools.send_raw(name, parameters).await.unwrap();
    }

    /// Returns what went wrong in the page since it was asked last.
    pub(crate) async fn errors(&self) -> Vec<String> {
        let log = self.driver.browser_log().await.unwrap().into_iter();
        let is_error =
            |entry: &BrowserLogEntry| !matches!(&*entry.level, "INFO" | "DEBUG" | "FINE");
        log.filter(is_error).map(|entry| entry.message).collect()
    }

    /// Keeps a picture of the page, light and dark.
    pub(crate) async fn picture(&self, name: &str) {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        for scheme in ["dark", "light"] {
            self.prefer("prefers-color-scheme", scheme).await;
            let path = folder.join(format!("{name}-{scheme}.png"));
            self.driver.screenshot(&path).await.unwrap();
        }
    }
}
