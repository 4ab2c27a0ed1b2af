//! `sectile serve`, and who is answered.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};

use super::server::Server;
use super::workplace::Workplace;

const TOKEN: &str = "a-token-of-this-test";

/// A running `sectile serve`.
pub(crate) struct Served {
    child: Child,
    address: String,
    /// Reads what it logs.
    log: Option<JoinHandle<String>>,
}

impl Served {
    /// Starts a server on a free port, which it names.
    fn start(place: &Workplace, arguments: &[&str], token: &str) -> Self {
        let arguments = [&["serve", "--listen", "127.0.0.1:0"], arguments].concat();
        let mut command = place.command(&arguments);
        command.env("SECTILE_TOKEN", token).env("RUST_LOG", "off");
        Self::of(&mut command)
    }

    /// Starts a server by a command, and waits for its address.
    pub(crate) fn of(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut says = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        let address = loop {
            let mut line = String::new();
            assert!(says.read_line(&mut line).unwrap() > 0, "{said}");
            said.push_str(&line);
            if let Some(address) = line.strip_prefix("listening on http://") {
                break address.split(';').next().unwrap().to_owned();
            }
        };
        assert!(!address.ends_with(":0"), "{said}");
        // A pipe that nobody reads would fill up.
        let log = thread::spawn(move || {
            let _ = says.read_to_string(&mut said);
            said
        });
        Self {
            child,
            address,
            log: Some(log),
        }
    }

    /// Kills the server, and returns all that it logged.
    pub(crate) fn log(mut self) -> String {
        self.child.kill().unwrap();
        let log = self.log.take().unwrap();
        log.join().unwrap()
    }

    /// Sends a request as it is, and returns the status and all of the answer.
    pub(crate) fn raw(&self, request: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        // A server that has seen enough may close before it has read all.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer
            .split(' ')
            .nth(1)
            .map_or(0, |status| status.parse().unwrap());
        (status, answer)
    }

    /// Posts a message to `/mcp` with these headers, the host among them.
    pub(crate) fn post(&self, headers: &str, message: &Value) -> (u16, String) {
        let body = message.to_string();
        let request = format!(
            "POST /mcp HTTP/1.1\r\n{headers}Connection: close\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.raw(request.as_bytes())
    }

    /// Asks for the first page with these headers, the host among them.
    fn page(&self, headers: &str) -> (u16, String) {
        let request = format!("GET / HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        self.raw(request.as_bytes())
    }

    pub(crate) fn host(&self) -> String {
        format!("Host: {}\r\n", self.address)
    }

    /// Ends the server as a system does, and returns its status.
    fn end(self) -> Option<i32> {
        self.tell_to_end();
        self.status()
    }

    fn tell_to_end(&self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").arg(&id).status().unwrap().success());
    }

    /// Returns the status of the server once it has ended.
    fn status(mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }

    /// Begins a session of an agent, and returns its id.
    fn session(&self) -> String {
        let (_, answer) = self.post(&self.host(), &initialize());
        let id = answer
            .lines()
            .find_map(|line| line.strip_prefix("mcp-session-id: "));
        id.unwrap().to_owned()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn initialize() -> Value {
    let client = json!({"name": "test", "version": "1"});
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
        {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}})
}

#[test]
fn an_agent_is_answered_and_the_server_ends_when_it_is_told() {
    let place = Workplace::new();
    let served = Served::start(&place, &[], "");
    let (status, answer) = served.post(&served.host(), &initialize());
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains("\"name\":\"sectile\""), "{answer}");
    assert_eq!(served.end(), Some(0));
}

#[test]
fn a_session_that_listens_does_not_keep_the_server_from_ending() {
    let place = Workplace::new();
    let served = Served::start(&place, &[], "");
    let id = served.session();
    let mut stream = TcpStream::connect(&served.address).unwrap();
    let host = served.host();
    let listen = format!(
        "GET /mcp HTTP/1.1\r\n{host}Accept: text/event-stream\r\nMcp-Session-Id: {id}\r\n\r\n"
    );
    stream.write_all(listen.as_bytes()).unwrap();
    let mut head = String::new();
    BufReader::new(&stream).read_line(&mut head).unwrap();
    assert!(head.contains("200"), "{head}");
    assert_eq!(served.end(), Some(0));
}

#[test]
fn a_call_that_runs_when_the_server_is_told_to_end_is_answered() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let (ask, asked) = mpsc::channel();
    let (go, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let model = Server::start(move |_| {
        let _ = ask.send(());
        // Until the other end is dropped.
        let _ = wait.lock().unwrap().recv();
        (200, r#"{"thinking": "", "node_list": []}"#.to_owned())
    });
    let served = Served::start(&place, &["--chat-model", &model.model("chat")], "");
    let headers = format!("{}Mcp-Session-Id: {}\r\n", served.host(), served.session());
    let slow = json!({"query": "install", "mode": "tree"});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params":
        {"name": "search", "arguments": slow}});
    let (status, answer) = thread::scope(|scope| {
        let called = scope.spawn(|| served.post(&headers, &call));
        asked.recv().unwrap();
        served.tell_to_end();
        while TcpStream::connect(&served.address).is_ok() {
            thread::yield_now();
        }
        drop(go);
        called.join().unwrap()
    });
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains("\"outcome\":\"no_results\""), "{answer}");
    assert_eq!(served.status(), Some(0));
}

#[test]
fn watched_files_are_found_as_they_change() {
    let place = Workplace::new();
    let served = Served::start(&place, &["--watch", "docs"], "");
    for fruit in ["quince", "medlar"] {
        place.write("docs/new.md", format!("# New\n\nOne {fruit}.\n"));
        let host = served.host();
        let request = format!("GET /search?q={fruit} HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
        let is_found = (0..2_000).any(|_| {
            std::thread::sleep(Duration::from_millis(50));
            let (status, page) = served.raw(request.as_bytes());
            status == 200 && page.contains("new.md")
        });
        assert!(is_found, "{fruit}");
    }
    assert_eq!(served.end(), Some(0));
}

#[test]
fn other_names_and_other_pages_are_refused() {
    let place = Workplace::new();
    let served = Served::start(&place, &["--allow-host", "docs.example.org"], "");
    let host = served.host();
    let status = |headers: &str| served.post(headers, &initialize()).0;
    assert_eq!(status("Host: docs.example.org\r\n"), 200);
    assert_eq!(
        status(&format!("{host}Origin: http://{}\r\n", served.address)),
        200
    );
    assert_eq!(
        status(&format!("{host}Origin: https://docs.example.org\r\n")),
        200
    );
    assert_eq!(status("Host: evil.example\r\n"), 403);
    assert_eq!(
        status(&format!("{host}Origin: http://evil.example\r\n")),
        403
    );
    assert_eq!(status(&format!("{host}Origin: null\r\n")), 403);
    assert_eq!(served.raw(b"GET /mcp HTTP/1.0\r\n\r\n").0, 403);
    let (status, page) = served.page(&host);
    assert!(
        status == 200 && page.contains("· Sectile</title>"),
        "{page}"
    );
    let (status, answer) = served.page("Host: evil.example\r\n");
    assert!(status == 403 && !answer.contains("<html"), "{answer}");
    let picture = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n";
    assert_eq!(served.page(&format!("{host}{picture}")).0, 403);
}

#[test]
fn a_token_file_that_is_a_pipe_is_not_waited_for() {
    let place = Workplace::new();
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("token"))
        .status();
    assert!(made.unwrap().success());
    let refused = place.stderr(&["serve", "--token-file", "token"], 2);
    let why = "it is a pipe, a socket or a device, and no file";
    assert!(refused.contains(why), "{refused}");
}

#[test]
fn without_the_token_nothing_is_answered() {
    let place = Workplace::new();
    place.write("token", format!("{TOKEN}\n"));
    let from_environment = Served::start(&place, &[], TOKEN);
    let from_file = Served::start(&place, &["--token-file", "token"], "");
    for served in [from_environment, from_file] {
        let host = served.host();
        let (status, answer) = served.post(&host, &initialize());
        assert_eq!(status, 401);
        assert!(
            answer.to_lowercase().contains("www-authenticate: bearer"),
            "{answer}"
        );
        let (status, answer) = served.page(&host);
        assert!(status == 401 && !answer.contains("<html"), "{answer}");
        let with = |token: &str| format!("{host}Authorization: Bearer {token}\r\n");
        assert_eq!(
            served.post(&with("another-token-of-this"), &initialize()).0,
            401
        );
        assert_eq!(served.post(&with(TOKEN), &initialize()).0, 200);

        let open = format!("GET /?token={TOKEN} HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
        let (status, answer) = served.raw(open.as_bytes());
        assert_eq!(status, 303);
        let cookie = answer
            .lines()
            .find_map(|line| line.strip_prefix("set-cookie: "))
            .unwrap();
        let cookie = cookie.split(';').next().unwrap();
        let with_cookie = format!("{host}Cookie: {cookie}\r\n");
        assert_eq!(served.post(&with_cookie, &initialize()).0, 200);
        assert_eq!(served.page(&with_cookie).0, 200);
    }
}

#[test]
fn what_is_too_much_is_refused() {
    let place = Workplace::new();
    let served = Served::start(&place, &[], "");
    for size in [5 << 20, 9 << 20] {
        let (status, answer) = served.post(&served.host(), &json!({"x": "y".repeat(size)}));
        assert_eq!(status, 413);
        assert!(answer.contains("4 MiB at the most"), "{answer}");
    }
    let many = "X: y\r\n".repeat(10_000);
    assert_eq!(
        served
            .post(&format!("{}{many}", served.host()), &json!({}))
            .0,
        431
    );
    // It is none the worse for it.
    assert_eq!(served.post(&served.host(), &initialize()).0, 200);
}

#[test]
fn a_server_that_would_be_open_to_all_does_not_start() {
    let place = Workplace::new();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let output = place
            .command(&["serve", "--listen", address])
            .env_remove("SECTILE_TOKEN")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("give a token with `--token-file`"), "{said}");
    }
    place.write("token", "short");
    let said = place.stderr(&["serve", "--token-file", "token"], 2);
    assert!(said.contains("16 or more"), "{said}");
    let said = place.stderr(&["serve", "--token-file", "missing"], 2);
    assert!(said.contains("`missing`"), "{said}");
}

#[test]
fn a_server_says_how_it_is() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let served = Served::start(&place, &[], TOKEN);
    let get = |path: &str, headers: &str| {
        let request = format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        served.raw(request.as_bytes())
    };
    // A cluster asks without a token, by whatever name.
    for path in ["/healthz", "/readyz"] {
        let (status, answer) = get(path, "Host: 10.1.2.3:7727\r\n");
        assert!(status == 200 && answer.ends_with("ok\n"), "{answer}");
    }
    let ours = format!("Host: {}\r\n", served.address);
    assert_eq!(get("/metrics", &ours).0, 401);
    let with_token = format!("{ours}Authorization: Bearer {TOKEN}\r\n");
    assert_eq!(get("/?q=cargo", &with_token).0, 200);
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "status", "arguments": {}}
    });
    served.post(&with_token, &call);
    let (status, metrics) = get("/metrics", &with_token);
    assert_eq!(status, 200);
    assert!(
        metrics.contains("application/openmetrics-text"),
        "{metrics}"
    );
    for line in [
        "sectile_http_requests_total{route=\"/\",method=\"GET\",status=\"200\"} 1",
        "sectile_http_requests_total{route=\"/metrics\",method=\"GET\",status=\"401\"} 1",
        "sectile_http_request_seconds_count{route=\"/\"} 1",
        "sectile_held{what=\"documents\"} 2",
        "sectile_store_up 1",
        "process_start_time_seconds",
        "# EOF",
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    std::fs::remove_file(place.path("store.db")).unwrap();
    let (status, answer) = get("/readyz", &ours);
    assert!(
        status == 503 && answer.contains("the store does not answer"),
        "{answer}"
    );
    assert_eq!(get("/healthz", &ours).0, 200);
    // What the store held before is not said of it.
    let (status, metrics) = get("/metrics", &with_token);
    assert_eq!(status, 200);
    assert!(metrics.contains("sectile_store_up 0"), "{metrics}");
    assert!(!metrics.contains("sectile_held{"), "{metrics}");
    assert!(
        metrics.contains("sectile_problems_total{level=\"warn\"}"),
        "{metrics}"
    );
}

#[test]
#[cfg(unix)]
fn a_server_that_is_told_to_end_ends_in_order() {
    let place = Workplace::new();
    for (signal, code) in [("-TERM", 0), ("-INT", 130)] {
        let mut served = Served::start(&place, &[], TOKEN);
        let process = served.child.id().to_string();
        let kill = Command::new("kill").args([signal, &process]).status();
        assert!(kill.unwrap().success());
        assert_eq!(served.child.wait().unwrap().code(), Some(code), "{signal}");
    }
}
