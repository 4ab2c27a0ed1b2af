//! Commands in a pseudo-terminal, as people see them. `script` of util-linux makes one.

#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::process::{Command, Output, Stdio};

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
    let command = format!("stty cols {width} rows 24; exec {program} {arguments}");
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
            ("remember 'Deploys are on Tuesdays.'", 0, ""),
            ("config", 0, "store"),
            ("model list", 0, "all-MiniLM-L6-v2"),
            ("get docs/giude.md", 2, "did you mean"),
            ("rm docs/notes.txt --yes", 0, "notes.txt"),
        ] {
            let Screen {
                status: ended,
                said,
            } = in_terminal(&place, width, arguments, &[]);
            let plain = plain(&said);
            assert_eq!(ended, status, "{arguments}, {width}: {plain}");
            assert!(plain.contains(part), "{arguments}, {width}: {plain}");
            for foreign in ["tracing", "panicked", "RUST_BACKTRACE"] {
                assert!(!plain.contains(foreign), "{arguments}, {width}: {plain}");
            }
        }
    }
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let search = "search checklist";
    let shown = in_terminal(&place, 80, search, &[]).said;
    assert!(shown.contains("\x1b["), "{shown:?}");
    let bare = in_terminal(&place, 80, search, &[("NO_COLOR", "1")]).said;
    assert!(
        !bare.contains("\x1b[1m") && !bare.contains("\x1b[3"),
        "{bare:?}"
    );
    assert_eq!(plain(&shown), plain(&bare));
    let piped = place.stdout(&["search", "checklist", "--in", "docs"]);
    assert!(!piped.contains('\x1b'), "{piped:?}");
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
    let mut script = terminal(&place, width, &ingest)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut keys, mut shown) = (script.stdin.take().unwrap(), script.stdout.take().unwrap());
    let (mut said, mut is_ended) = (Vec::new(), false);
    let mut part = [0; 4096];
    loop {
        let length = shown.read(&mut part).unwrap();
        if length == 0 {
            break;
        }
        said.extend_from_slice(&part[..length]);
        if !is_ended && vectors_made(&String::from_utf8_lossy(&said)) > 0 {
            keys.write_all(b"\x03").unwrap();
            is_ended = true;
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
