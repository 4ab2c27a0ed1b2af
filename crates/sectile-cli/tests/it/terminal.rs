//! Commands in a pseudo-terminal, as people see them. `script` of util-linux makes one.

#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::process::{Command, Output, Stdio};

use super::hub::Hub;
use super::server::Server;
use super::workplace::Workplace;

const WIDTHS: [usize; 2] = [80, 40];

/// What a command said on its terminal.
struct Screen {
    status: i32,
    said: String,
}

/// Returns what runs a command of the program in a terminal of a width.
fn terminal(place: &Workplace, width: usize, arguments: &str) -> Command {
    let program = env!("CARGO_BIN_EXE_sectile");
    // Where the tests run in the background, Ctrl-C is ignored, and would be by the program.
    let heeding = "exec env --default-signal=INT,QUIT";
    let command = format!("stty cols {width} rows 24; {heeding} {program} {arguments}");
    let like = place.command(&[]);
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &command, "/dev/null"]);
    script.current_dir(like.get_current_dir().unwrap());
    for (name, value) in like.get_envs() {
        if let Some(value) = value {
            script.env(name, value);
        }
    }
    script.env_remove("NO_COLOR").env("TERM", "xterm-256color");
    script
}

/// Runs a command of the program in a terminal of a width.
fn in_terminal(
    place: &Workplace,
    width: usize,
    arguments: &str,
    environment: &[(&str, &str)],
) -> Screen {
    let Output { status, stdout, .. } = terminal(place, width, arguments)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("util-linux has `script`");
    Screen {
        status: status.code().unwrap(),
        said: String::from_utf8(stdout).unwrap(),
    }
}

/// Returns what is left of a screen without its escape sequences.
fn plain(said: &str) -> String {
    let escape = regex::Regex::new(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07").unwrap();
    escape.replace_all(said, "").replace('\r', "")
}

#[test]
fn commands_are_themselves_in_a_terminal() {
    for width in WIDTHS {
        let place = Workplace::new();
        for (arguments, status, part) in [
            ("ingest docs", 0, "2 added, 0 updated"),
            ("search 'release checklist'", 0, "tag, build, publish"),
            ("search checklist --in docs --explain", 0, "checklist"),
            ("search xylophone", 1, "nothing found"),
            ("list", 0, "notes.txt"),
            ("toc docs/guide.md", 0, "Install"),
            ("get docs/notes.txt", 0, "The release checklist"),
            ("status", 0, "2"),
            (
                "doctor --deep",
                0,
                "texts, metadata, sections, chunks, index and vectors agree",
            ),
            ("chunk docs/guide.md", 0, "Guide"),
            ("extract docs/guide.md", 0, "Run `cargo install`."),
            ("tree docs/guide.md", 0, "Install"),
            ("remember 'Deploys are on Tuesdays.'", 0, ""),
            ("learn 'Staging is read-only.'", 0, ""),
            ("note 'All of it' --in docs", 0, "noted on docs"),
            ("note", 0, "docs: All of it"),
            ("config", 0, "store"),
            ("config set limit 5", 0, "limit"),
            ("model list", 0, "all-MiniLM-L6-v2"),
            ("checkpoint migrate", 0, "up to date"),
            ("completions bash", 0, "_sectile"),
            ("man", 0, "sectile"),
            ("--help", 0, "Usage: sectile"),
            ("rm docs/notes.txt --yes", 0, "notes.txt"),
        ] {
            check(&place, width, arguments, status, part);
        }
    }
}

/// Checks what a command says in a terminal, and that no library says anything besides.
fn check(place: &Workplace, width: usize, arguments: &str, status: i32, part: &str) {
    let screen = in_terminal(place, width, arguments, &[]);
    let plain = plain(&screen.said);
    assert_eq!(screen.status, status, "{arguments}, {width}: {plain}");
    assert!(plain.contains(part), "{arguments}, {width}: {plain}");
    for foreign in ["tracing", "panicked", "RUST_BACKTRACE"] {
        assert!(!plain.contains(foreign), "{arguments}, {width}: {plain}");
    }
}

#[test]
fn commands_that_fail_say_why_in_a_terminal() {
    for width in WIDTHS {
        let place = Workplace::new();
        place.stdout(&["ingest", "docs"]);
        for (arguments, status, part) in [
            ("get docs/giude.md", 2, "did you mean"),
            ("search cargo --limt 3", 2, "'--limt'"),
            ("search cargo --mode hybrid", 2, "needs an embedding model"),
            ("list --collection nope", 1, "there is no collection `nope`"),
            (
                "forget 01a1ffef-5bed-761e-baf7-2492a1746e15",
                1,
                "there is no memory",
            ),
            ("checkpoint threads", 1, "there are no checkpoints"),
            ("eval none.jsonl", 2, "cannot read `none.jsonl`"),
            ("load none.parquet", 2, "error: "),
            ("watch none", 2, "cannot read `none`"),
            (
                "collection partition guides",
                2,
                "this store has no partitions",
            ),
            ("model rm nonsense", 1, "no model `nonsense`"),
            ("mcp --folder none", 2, "`none` is not a readable folder"),
            ("serve --token-file none", 2, "the token in `none`"),
        ] {
            check(&place, width, arguments, status, part);
        }
    }
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let style = regex::Regex::new(r"\x1b\[[0-9;]*m").unwrap();
    for arguments in [
        "search checklist",
        "list",
        "toc docs/guide.md",
        "tree docs/guide.md",
        "doctor",
        "model list",
        "get docs/giude.md",
    ] {
        let shown = in_terminal(&place, 80, arguments, &[]).said;
        assert!(style.is_match(&shown), "{arguments}: {shown:?}");
        let bare = in_terminal(&place, 80, arguments, &[("NO_COLOR", "1")]).said;
        assert!(!style.is_match(&bare), "{arguments}: {bare:?}");
        assert_eq!(plain(&shown), plain(&bare), "{arguments}");
    }
    let piped = place.stdout(&["search", "checklist", "--in", "docs"]);
    assert!(!piped.contains('\x1b'), "{piped:?}");
}

#[test]
fn what_is_answered_is_done() {
    for (keys, status, left) in [("y\n", 0, 0), ("n\n", 2, 2), ("\x03", 130, 2)] {
        let place = Workplace::new();
        place.stdout(&["ingest", "docs"]);
        let is_asked = |said: &str| said.contains("Remove 2 documents? [y/N]");
        let screen = typed_when(&place, 40, "rm docs", keys, is_asked);
        assert_eq!(screen.status, status, "{}", screen.said);
        let listed = place.run(&["list", "--json"]).stdout;
        let listed: serde_json::Value = serde_json::from_slice(&listed).unwrap();
        assert_eq!(listed.as_array().unwrap().len(), left, "{keys:?}");
    }
}

#[test]
fn the_collections_that_lose_documents_are_named() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    place.stdout(&["ingest", "docs", "--collection", "second"]);
    let asked = "Remove 4 documents (2 in `default`, 2 in `second`)? [y/N]";
    let screen = typed_when(&place, 80, "rm docs", "n\n", |said| said.contains(asked));
    assert_eq!(screen.status, 2, "{}", screen.said);
    assert_eq!(place.json(&["list", "--json"]).as_array().unwrap().len(), 4);
}

#[test]
fn what_goes_on_ends_with_an_interruption() {
    for width in WIDTHS {
        let place = Workplace::new();
        for (arguments, part) in [
            ("watch docs", "press Ctrl-C to stop"),
            ("serve --listen 127.0.0.1:0", "listening on http://"),
        ] {
            let screen = typed_when(&place, width, arguments, "\x03", |said| said.contains(part));
            assert_eq!(screen.status, 130, "{arguments}: {}", screen.said);
            assert!(!screen.said.contains("panicked"), "{}", screen.said);
        }
    }
}

#[test]
fn what_would_be_removed_is_asked_for() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    // Nobody answers, so nothing is removed.
    let asked = in_terminal(&place, 80, "rm docs", &[]);
    assert!(plain(&asked.said).contains("guide.md"), "{}", asked.said);
    let left = place.json(&["list", "--json"]);
    assert_eq!(left.as_array().unwrap().len(), 2);
}

#[test]
fn no_document_commands_a_terminal() {
    let place = Workplace::new();
    let evil = "\x1b]0;TITLE\x07\x1b[31m\u{9b}2J";
    place.write(
        "docs/evil.md",
        format!("# Plum{evil}\n\nQuince{evil} here.\n"),
    );
    place.write(
        &format!("docs/na{evil}me\nremoved x.md"),
        "# Third\n\nMedlar.\n",
    );
    let mut all = String::new();
    for arguments in [
        "ingest docs",
        "search quince",
        "search medlar --full",
        "search medlar --files",
        "search quince --json",
        "list",
        "list --sections",
        "toc docs/evil.md",
        "get docs/evil.md",
        "get docs/evil.md --json",
        "extract docs/evil.md",
        "chunk docs/evil.md",
        "tree docs/evil.md",
        "toc nothing.md",
        "rm docs",
    ] {
        let said = in_terminal(&place, 80, arguments, &[]).said;
        for sequence in ["\x1b]0;TITLE", "\x07", "\x1b[31m\u{9b}", "\u{9b}"] {
            assert!(!said.contains(sequence), "{arguments}: {said:?}");
        }
        for line in said.lines() {
            assert!(
                !line.trim_start().starts_with("removed x"),
                "{arguments}: {said:?}"
            );
        }
        all.push_str(&said);
    }
    assert!(all.contains("Plum\\u001b]0;TITLE\\u0007"), "{all:?}");
    let piped = place.stdout(&["get", "docs/evil.md"]);
    assert!(piped.contains(&format!("Quince{evil} here.")), "{piped:?}");
    let piped = place.stdout(&["search", "quince", "--full"]);
    assert!(piped.contains(&format!("Quince{evil} here.")), "{piped:?}");
}

/// Returns the count of vectors that the bar showed last.
fn vectors_made(said: &str) -> usize {
    let bar = regex::Regex::new(r"(\d+)/\d+ vectors").unwrap();
    let last = bar.captures_iter(said).last();
    last.map_or(0, |bar| bar[1].parse().unwrap())
}

/// Ingests with a slow model, and types Ctrl-C when some vectors are made.
fn interrupted(width: usize) -> Screen {
    let place = Workplace::new();
    let section = |at: usize| format!("# Part {at}\n\nThis is about the number {at}.\n\n");
    place.write("docs/many.md", (0..150).map(section).collect::<String>());
    let server = Server::start(|_| (500, "unused".into()));
    let ingest = format!("ingest docs --embedder '{}'", server.model("slow"));
    typed_when(&place, width, &ingest, "\x03", |said| {
        vectors_made(said) > 0
    })
}

/// Runs a command in a terminal, and types these keys once what it has said is ready for them.
fn typed_when(
    place: &Workplace,
    width: usize,
    arguments: &str,
    keys: &str,
    is_ready: impl Fn(&str) -> bool,
) -> Screen {
    let mut script = terminal(place, width, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut typing, mut shown) = (script.stdin.take().unwrap(), script.stdout.take().unwrap());
    let (mut said, mut is_typed) = (Vec::new(), false);
    let mut part = [0; 4096];
    loop {
        let length = shown.read(&mut part).unwrap();
        if length == 0 {
            break;
        }
        said.extend_from_slice(&part[..length]);
        if !is_typed && is_ready(&String::from_utf8_lossy(&said)) {
            typing.write_all(keys.as_bytes()).unwrap();
            is_typed = true;
        }
    }
    Screen {
        status: script.wait().unwrap().code().unwrap(),
        said: String::from_utf8(said).unwrap(),
    }
}

#[test]
fn the_bar_of_vectors_moves_and_is_gone_after_an_interruption() {
    let regex = |pattern| regex::Regex::new(pattern).unwrap();
    let bar = regex(r"(\d+)/(\d+) vectors([^\x1b\r\n]*)");
    let form = regex(r"^, \d+/(s|min), \d+[smh] left$");
    let escape = regex(r"\x1b\[[0-9;?]*[A-Za-z]");
    for width in WIDTHS {
        let Screen { status, said } = interrupted(width);
        assert_eq!(status, 130, "{said:?}");
        // The terminal itself shows the key behind the bar.
        let said = said.replace("^C", "");
        let bars: Vec<_> = bar
            .captures_iter(&said)
            .map(|found| (found[1].to_owned(), found[3].trim_end().to_owned()))
            .collect();
        assert_eq!(bars[0], ("0".into(), String::new()), "{said:?}");
        let (_, pace) = bars.iter().find(|(done, _)| done != "0").unwrap();
        assert!(form.is_match(pace), "{pace:?}");
        let shown = escape.replace_all(&said, "\r");
        for line in shown
            .split(['\r', '\n'])
            .filter(|line| line.contains("vectors"))
        {
            assert!(line.chars().count() <= width, "{width}: {line:?}");
        }
        let (_, end) = said.rsplit_once("\x1b[2K").unwrap();
        assert!(end.contains("interrupted; finished work"), "{end:?}");
        assert!(!end.contains("vectors"), "{end:?}");
    }
}

#[test]
fn a_model_that_is_received_has_a_bar() {
    let (place, hub) = (Workplace::new(), Hub::start());
    let arguments = format!("model add some-org/tiny --endpoint {}", hub.endpoint);
    let screen = in_terminal(&place, 80, &arguments, &[]);
    assert_eq!(screen.status, 0, "{}", screen.said);
    let bar = regex::Regex::new(r"[\d.]+ (?:[KM]i)?B/[\d.]+ (?:[KM]i)?B, ").unwrap();
    let said = plain(&screen.said);
    assert!(bar.is_match(&said) && said.contains("tiny"), "{said}");
}
