//! The messages of every command in one snapshot, to be read as a stranger reads them.

#![cfg(target_os = "linux")]

use std::fmt::Write as _;

use regex::Regex;

use super::workplace::{Workplace, stderr};

/// What is typed before there is a store.
const WITHOUT_STORE: &[&[&str]] = &[
    &["mcp", "--read-only"],
    &["search", "cargo"],
    &["list"],
    &["list", "--sections"],
    &["toc", "docs/guide.md"],
    &["get", "docs/none.md"],
    &["rm", "docs"],
    &["rm", "--collection", "nope"],
    &["note"],
    &["checkpoint", "threads"],
    &["list", "--store", "docs.db"],
    &["checkpoint", "list", "run", "--store", "sqlite:none.db"],
];

/// What is typed when two documents are in the store.
const WITH_DOCUMENTS: &[&[&str]] = &[
    // Questions.
    &["search", "--in", "docs"],
    &["search", "???"],
    &["search", "xylophone"],
    &["search", "cargo", "--collection", "nope"],
    &["search", "cargo", "--filter", "nosuch=1"],
    &["search", "cargo", "--filter", "title=Else"],
    &["search", "cargo", "--filter", "level=x"],
    &["search", "cargo", "--filter", "since=soon"],
    &["search", "cargo", "--filter", "title"],
    &["search", "cargo", "--in", "none"],
    &["search", "cargo", "--in", "empty"],
    &["search", "cargo", "--in", "https://example.org"],
    &["search", "cargo", "--mode", "hybrid"],
    &["search", "cargo", "--mode", "tree"],
    &["search", "cargo", "--rerank"],
    &["search", "cargo", "--rerank-depth", "5"],
    &["search", "cargo", "--limit", "0"],
    &["search", "cargo", "--limt", "3"],
    &["eval", "empty"],
    &["eval", "none.jsonl"],
    &["eval", "draft"],
    // What goes into the store.
    &["ingest", "none"],
    &["ingest", "empty"],
    &["ingest", "docs", "--crawl"],
    &["ingest", "docs", "--int8"],
    &["ingest", "docs", "--language", "xx"],
    &["ingest", "docs", "--collection", ""],
    &["ingest", "docs/picture.png"],
    &["ingest", "docs/damaged.pdf"],
    &["watch", "none"],
    &["remember", " "],
    &["remember", "x", "--metadata", "size"],
    &["forget", "01a1ffef-5bed-761e-baf7-2492a1746e15"],
    // What is read from it.
    &["list", "--collection", "nope"],
    &["list", "--filter", "nosuch=1"],
    &["toc", "giude.md"],
    &["toc", "docs"],
    &["toc", "docs/notes.txt"],
    &["get", "docs/guide.md", "--heading", "Instal"],
    &["get", "docs/guide.md", "--heading", "Install"],
    &["get", "docs/guide.md", "--heading", "Remove"],
    &["get", "docs/guide.md", "--lines", "9000-"],
    &["get", "docs/guide.md", "--lines", "5-2"],
    &["get", "docs/guide.md", "--lines", "0"],
    &["get", "docs/guide.md", "--pages", "1"],
    &["get", "docs/guide.md", "--cursor", "9999"],
    &["get", "--section", "01a1ffef-5bed-761e-baf7-2492a1746e15"],
    &["rm", "giude.md"],
    &["rm", "guide.md"],
    &["rm", "docs"],
    &["note", "x"],
    &["note", " ", "--in", "docs"],
    &["note", "x", "--in", "none"],
    &["note", "--remove", "--in", "docs"],
    // Files.
    &["extract", "none.md"],
    &["extract", "docs/picture.png"],
    &["extract", "docs/guide.md", "--max-file-size", "huge"],
    &["extract", "docs/page.html", "--max-file-size", "9"],
    &["chunk", "none.md"],
    &["chunk", "docs/guide.md", "--size", "0"],
    &[
        "chunk",
        "docs/guide.md",
        "--separator",
        "x",
        "--strategy",
        "markdown",
    ],
    &["chunk", "docs/guide.md", "--long-sentences", "keep"],
    &["tree", "none.md"],
    &["tree", "docs/guide.md", "--summaries"],
    // Checkpoints.
    &["checkpoint", "list", "run"],
    &["checkpoint", "migrate"],
    &["checkpoint", "threads"],
    &["checkpoint", "threads", "--filter", "user=ada"],
    &["checkpoint", "show", "run"],
    &["checkpoint", "fork", "run", "other"],
    &["checkpoint", "delete", "run"],
    &["checkpoint", "delete-runs", "run"],
    &[
        "checkpoint",
        "prune",
        "--thread",
        "run",
        "--keep-latest",
        "1",
    ],
    // Models, settings and servers.
    &["model", "add", "nonsense"],
    &["model", "rm", "nonsense"],
    &["config", "get", "limit"],
    &["config", "get", "colour"],
    &["config", "unset", "limit"],
    &["config", "set", "limit", "0"],
    &["config", "set", "mode", "best"],
    &["config", "set", "embedder", ""],
    &["config", "set", "chat-model", "m"],
    &["config", "set", "store", "docs.db"],
    &["mcp", "--folder", "none"],
    &["mcp", "--watch", "none"],
    &["serve", "--listen", "nowhere"],
    &["serve", "--listen", "0.0.0.0:0"],
    &["serve", "--token-file", "none"],
    &["serve", "--allow-host", "http://docs.example.org"],
];

/// Writes a word as it is typed.
fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains([' ', '?']) {
        return format!("'{word}'");
    }
    word.to_owned()
}

/// Appends what a command says beside its results, and its exit status.
fn append(place: &Workplace, arguments: &[&str], all: &mut String) {
    let output = place
        .command(arguments)
        .env_remove("SECTILE_TOKEN")
        .output()
        .unwrap();
    let typed: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
    let status = output.status.code().unwrap();
    let said = stderr(&output);
    let _ = writeln!(all, "$ sectile {}\n{said}[{status}]\n", typed.join(" "));
}

/// Leaves out what is another in each run: the folder and ids.
fn without_chance(place: &Workplace, said: &str) -> String {
    let id = Regex::new("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").unwrap();
    let folder = place.folder.path().canonicalize().unwrap();
    let said = said.replace(folder.to_str().unwrap(), "/FOLDER");
    id.replace_all(&said, "ID").into_owned()
}

/// After a change on purpose, read all of it: each message says what happened, to what, and what to do now.
#[test]
fn all_say_what_happened_and_what_to_do() {
    let place = Workplace::new();
    let mut all = String::new();
    for arguments in WITHOUT_STORE {
        append(&place, arguments, &mut all);
    }
    std::fs::create_dir(place.path("empty")).unwrap();
    place.stdout(&["ingest", "docs"]);
    place.write("docs/picture.png", b"\x89PNG\r\n\x1a\n");
    place.write("docs/damaged.pdf", b"%PDF-1.7\nnothing");
    place.write("docs/page.html", "<h1>Page</h1><p>Some words.");
    for arguments in WITH_DOCUMENTS {
        append(&place, arguments, &mut all);
    }
    insta::assert_snapshot!("messages", without_chance(&place, &all));
}
