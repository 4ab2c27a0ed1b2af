//! How long a reader waits for a document of 5 MB. Nothing is asserted of time; with `--nocapture` the
//! times are printed.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::browser::{Tab, browse};
use crate::place::{Place, document, root};

const SIZE: usize = 5_000_000;

/// What a browser knows of how a page came.
const LOADED: &str = r"
    const [load] = performance.getEntriesByType('navigation');
    return {
        firstByte: load.responseStart - load.requestStart,
        bytes: load.encodedBodySize,
        domContentLoaded: load.domContentLoadedEventEnd,
        painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null,
        elements: document.querySelectorAll('*').length,
    };";

/// Types into a field, and waits until what that changes is drawn.
const CHANGE: &str = r"
    const [name, value, done] = arguments;
    const pane = document.getElementById('pane');
    const field = document.getElementById('cutting').elements[name];
    const begin = performance.now();
    new MutationObserver((_, observer) => {
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => {
            const asked = performance.getEntriesByType('resource').filter((it) => it.name.includes('/document/pane')).at(-1);
            done({ drawn: performance.now() - begin, answered: asked.duration, bytes: asked.encodedBodySize, chunks: document.querySelector('output.chunks').textContent });
        }));
    }).observe(pane, { childList: true });
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));";

/// Returns Markdown of 5 MB: of the test collection, where there is one, and else of our own.
fn text() -> String {
    let corpus = std::env::var_os("SECTILE_CORPUS").map(PathBuf::from);
    let folder = corpus.map_or_else(
        || root().join("docs"),
        |corpus| corpus.join("markdown/files"),
    );
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|name| name == "md"));
    files.sort();
    let mut text = String::new();
    let mut files = files.iter().cycle();
    while text.len() < SIZE {
        let file = files.next().unwrap();
        let content = std::fs::read(file).unwrap();
        let content = String::from_utf8_lossy(&content);
        writeln!(text, "\n\n# {}\n\n{content}", file.display()).unwrap();
    }
    text
}

#[expect(clippy::print_stdout, reason = "the times are what is asked for")]
fn line(what: &str, measured: &Value) {
    println!("{what}: {measured}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_of_five_megabytes_comes_in_parts() {
    let place = Place::empty().await;
    let uri = "file:///home/ada/all.md";
    let text = text();
    place.write("handbook", uri, &text).await;
    let record = place.library.document(None, uri).await.unwrap();
    let sections = place.library.toc(record.id).await.unwrap();
    let middle = sections[sections.len() / 2].id;
    line(
        "document",
        &json!({"bytes": text.len(), "sections": record.sections, "chunks": record.chunks}),
    );
    browse(place.whole().await, true, async |tab: Tab| {
        for (what, address) in [
            ("first", document(uri, "")),
            ("again", document(uri, "")),
            (
                "section in the middle",
                document(uri, &format!("&section={middle}")),
            ),
            (
                "other strategy",
                document(uri, "&strategy=sentence&size=200"),
            ),
        ] {
            tab.open(&address).await;
            let loaded = tab.run(LOADED).await;
            line(what, &loaded);
            assert!(loaded["bytes"].as_u64().unwrap() < 400_000, "{loaded}");
        }
        for (name, value) in [
            ("size", "150"),
            ("size", "300"),
            ("size", "150"),
            ("strategy", "recursive"),
            ("size", "1000"),
            ("strategy", "markdown"),
            ("strategy", "token"),
            ("strategy", "sections"),
            ("strategy", "stored"),
        ] {
            let arguments = vec![name.into(), value.into()];
            let changed = tab.driver.execute_async(CHANGE, arguments).await.unwrap();
            line(&format!("change {name} to {value}"), changed.json());
            assert!(changed.json()["bytes"].as_u64().unwrap() < 400_000);
        }
        assert_eq!(tab.errors().await, Vec::<String>::new());
    })
    .await;
}
