//! No command shows a password or a key, whatever goes wrong.

use std::collections::BTreeSet;
use std::fs::File;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::workplace::Workplace;

const PASSWORD: &str = "hunter2";
const IN_QUERY: &str = "hunter3";
const KEY: &str = "sk-hunter4";

/// Every command, with arguments that make it open the store or ask a model.
const COMMANDS: [&[&str]; 24] = [
    &["search", "x", "--mode", "hybrid", "--embedder", "openai:m"],
    &[
        "ingest",
        "docs",
        "--embedder",
        "http://u:hunter2@127.0.0.1:9/v1#m",
    ],
    &["load", "docs/guide.md"],
    &["watch", "docs"],
    &["list", "--json"],
    &["status"],
    &["rm", "docs/guide.md", "--yes"],
    &["note", "x", "--in", "docs"],
    &["toc", "docs/guide.md"],
    &["get", "docs/guide.md"],
    &["extract", "docs/guide.md"],
    &["chunk", "docs/guide.md"],
    &[
        "tree",
        "docs/guide.md",
        "--summaries",
        "--chat-model",
        "openai:m",
    ],
    &["eval", "draft", "--chat-model", "openai:m"],
    &["remember", "x"],
    &["learn", "x"],
    &["forget", "x"],
    &["checkpoint", "threads"],
    &["model", "list"],
    &["mcp"],
    &["serve", "--listen", "127.0.0.1:0"],
    &["doctor", "--embedder", "openai:m"],
    &["config"],
    &["completions", "bash"],
];

/// Runs a command until it ends, or for so long that it has said what it says at the beginning.
fn said(place: &Workplace, store: &str, arguments: &[&str]) -> String {
    // A pipe that nobody reads would fill up.
    let path = place.path("said");
    let file = File::create(&path).unwrap();
    let mut command = place.command(&[&["-vv"], arguments].concat());
    let child = command
        .env("SECTILE_STORE", store)
        .env("OPENAI_API_KEY", KEY)
        .env("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
        .env("RUST_LOG", "trace")
        .stdin(Stdio::null())
        .stdout(file.try_clone().unwrap())
        .stderr(file);
    let mut child = child.spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    child.wait().unwrap();
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

#[test]
fn no_command_shows_a_secret() {
    let place = Workplace::new();
    let check = |store: &str, arguments: &[&str]| {
        let said = said(&place, store, arguments);
        for secret in [PASSWORD, IN_QUERY, KEY] {
            assert!(!said.contains(secret), "{arguments:?}: {said}");
        }
    };
    let store = format!("postgres://u:{PASSWORD}@127.0.0.1:9/x?password={IN_QUERY}");
    for arguments in COMMANDS {
        check(&store, arguments);
    }
    // What cannot be read as an address is shown in the refusal. Doctor asks the model anyway, which takes its time.
    let others = COMMANDS.iter().filter(|arguments| arguments[0] != "doctor");
    let unreadable = [
        format!("postgres://u:#{PASSWORD}@127.0.0.1:9/x"),
        format!("postgress://u:{PASSWORD}@127.0.0.1:9/x"),
        format!("postgres:u:{PASSWORD}@127.0.0.1:9/x"),
        format!("host=127.0.0.1 user=u password={PASSWORD}"),
    ];
    for arguments in others {
        for store in &unreadable {
            check(store, arguments);
        }
    }
}

#[test]
fn no_command_is_forgotten_here() {
    let help = Workplace::new().stdout(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let commands = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let there: BTreeSet<&str> = commands.filter(|name| !name.is_empty()).collect();
    let mut tried: BTreeSet<&str> = COMMANDS.iter().map(|arguments| arguments[0]).collect();
    // They open nothing.
    tried.extend(["help", "man"]);
    assert_eq!(there, tried);
}
