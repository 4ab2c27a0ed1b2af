//! Text, chunks and trees of files, without a store.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use super::workplace::{GUIDE, Workplace, fixture, stderr};

#[test]
fn standard_input_is_read_by_all_that_read_files() {
    let place = Workplace::new();
    for (arguments, expected) in [
        (&["tree", "-"][..], "Guide"),
        (&["extract", "-"], "Welcome"),
        (&["chunk", "-"], "Welcome"),
    ] {
        let mut child = place
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let text = "# Guide\n\nWelcome.\n";
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.contains(expected), "{arguments:?}: {printed}");
    }
}

#[test]
fn a_pipe_is_read_if_it_is_open_already_and_refused_by_its_name() {
    let place = Workplace::new();
    let made = std::process::Command::new("mkfifo")
        .arg(place.path("pipe.md"))
        .status();
    assert!(made.unwrap().success());
    for command in ["tree", "extract", "chunk"] {
        let output = place.run(&[command, "pipe.md"]);
        let said = stderr(&output);
        assert!(!output.status.success(), "{command}: {said}");
        let why = "it is a pipe, a socket or a device, and no file";
        assert!(said.contains(why), "{command}: {said}");
        let mut child = place
            .command(&[command, "/dev/stdin"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let text = "# Guide\n\nWelcome. [Guide](a)\n\n## Guide\n";
        let mut input = child.stdin.take().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.contains("Guide"), "{command}: {printed}");
    }
}

#[test]
fn standard_input_is_called_so() {
    let place = Workplace::new();
    let damaged = b"%PDF-1.7\nnothing";
    let said_of_pdf = "cannot parse the PDF standard input; ";
    for (command, bytes, said) in [
        ("extract", &damaged[..], said_of_pdf),
        ("chunk", damaged, said_of_pdf),
        ("tree", damaged, said_of_pdf),
        (
            "chunk",
            b"PK\x03\x04nothing",
            "cannot load standard input: ",
        ),
    ] {
        place.write("damaged", bytes);
        let output = place
            .command(&[command, "-"])
            .stdin(std::fs::File::open(place.path("damaged")).unwrap())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(said), "{command}: {errors}");
    }
}

#[test]
fn extract_prints_text_or_everything_that_is_known() {
    let place = Workplace::new();
    assert_eq!(place.stdout(&["extract", "docs/guide.md"]), GUIDE);
    let known = place.json(&["extract", "docs/guide.md", "--format", "json"]);
    assert_eq!(known["outline"][1]["title"], "Install");
    assert_eq!(known["metadata"]["title"], "The guide");
    let output = place.run(&["extract", "docs/none.md", "docs/notes.txt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("docs/none.md"));
    assert!(output.stdout.starts_with(b"The release"));
}

#[test]
fn extract_loads_many_files_in_their_order() {
    let place = Workplace::new();
    let files = ["three-levels.pdf", "pandoc.docx", "book.pdf"].map(fixture);
    let [first, second, third] = files.each_ref().map(String::as_str);
    let printed = place.stdout(&["extract", first, second, third, "--json", "--jobs", "2"]);
    let rows: Vec<Value> = printed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let named: Vec<&str> = rows
        .iter()
        .map(|row| row["file"].as_str().unwrap())
        .collect();
    assert_eq!(named, [first, second, third]);
    assert_eq!(rows[0]["outline"][2]["title"], "Section Deep");
    assert_eq!(rows[2]["pages"][0]["label"], "i");
    let hash = rows[1]["metadata"]["content_hash"].as_str().unwrap();
    assert_eq!(hash.len(), 64);
}

#[test]
fn extract_marks_the_headings_of_a_pdf() {
    let place = Workplace::new();
    let file = fixture("three-levels.pdf");
    let text = place.stdout(&["extract", &file, "--pages", "2"]);
    assert!(text.starts_with("Section Deep\n\nDeep text."), "{text}");
    let markdown = place.stdout(&["extract", &file, "--pages", "2", "--format", "markdown"]);
    let expected = "### Section Deep\n\nDeep text.\n\n## Chapter Two\n\nIt goes on.\n";
    assert_eq!(markdown, expected);
}

#[test]
fn chunks_of_a_pdf_name_their_pages() {
    let place = Workplace::new();
    let file = fixture("three-levels.pdf");
    for strategy in ["recursive", "markdown", "sentence", "token", "sections"] {
        let cut = [
            "chunk",
            &file,
            "--strategy",
            strategy,
            "--size",
            "40",
            "--format",
            "jsonl",
        ];
        let rows = place.stdout(&cut);
        let rows: Vec<Value> = rows
            .lines()
            .map(|row| serde_json::from_str(row).unwrap())
            .collect();
        let pages = rows.iter().map(|row| {
            let number = |name: &str| row[name].as_u64().unwrap();
            (number("page_start"), number("page_end"))
        });
        let pages: Vec<_> = pages.collect();
        assert_eq!(pages.first().unwrap().0, 1, "{strategy}");
        assert_eq!(pages.last().unwrap().1, 3, "{strategy}");
        assert!(pages.is_sorted(), "{strategy}: {pages:?}");
    }
    let shown = place.stdout(&["chunk", &file, "--size", "40"]);
    assert!(shown.contains(", page 3"), "{shown}");
}

#[test]
fn what_a_pdf_shows_and_its_text_has_not_is_said() {
    let place = Workplace::new();
    let file = fixture("book.pdf");
    let expected =
        "book.pdf: page 5 holds pictures and no text, as scanned pages do; `--ocr` recognizes it";
    for command in [["extract", &file], ["chunk", &file], ["ingest", &file]] {
        let said = place.stderr(&command, 0);
        assert!(said.contains(expected), "{command:?}: {said}");
    }
}

#[test]
fn extract_takes_pages_and_a_password() {
    let place = Workplace::new();
    let (open, locked) = (fixture("three-levels.pdf"), fixture("encrypted.pdf"));
    let said = place.stderr(&["extract", &locked], 2);
    assert!(said.contains("is encrypted; give its password"), "{said}");
    let said = place.stderr(&["extract", &locked, "--password", "guess"], 2);
    assert!(said.contains("the password does not open it"), "{said}");
    let pages = [
        "extract",
        &locked,
        "--password",
        "secret",
        "--pages",
        "1,3-",
    ];
    let expected = place.stdout(&["extract", &open, "--pages", "1", "--pages", "3"]);
    assert_eq!(place.stdout(&pages), expected);
    assert!(expected.contains("It begins.") && expected.contains("It ends."));
    assert!(!expected.contains("Deep text."));
    let said = place.stderr(&["extract", &open, "--pages", "4"], 2);
    assert!(said.contains("has none of these pages; it has 3"), "{said}");
    let said = place.stderr(&["extract", &open, "--pages", "3-1"], 2);
    assert!(said.contains("page 1 is before page 3"), "{said}");
    let chunks = place.stdout(&["chunk", &open, "--pages", "2", "--format", "jsonl"]);
    assert!(chunks.contains("Deep text.") && !chunks.contains("It ends."));
}

#[test]
fn a_tree_has_the_pages_of_its_bookmarks() {
    let place = Workplace::new();
    let drawn = place.stdout(&["tree", &fixture("three-levels.pdf")]);
    let expected = "three-levels.pdf\n\
        ├── Part One  p. 1-2\n\
        │   ├── Chapter One  p. 1-2\n\
        │   │   └── Section Deep  p. 2\n\
        │   └── Chapter Two  p. 2\n\
        └── Part Two  p. 3\n";
    assert_eq!(drawn, expected);
}

/// Makes a file whose only page has some eight gigabytes of content, each of the filters making it 64 times as
/// long: two bytes of 129 stand for 128 of them.
fn bomb() -> Vec<u8> {
    let filters = "/RunLengthDecode".repeat(5);
    let mut end = vec![128];
    for _ in 1..5 {
        end.insert(0, end.len() as u8 - 1);
        end.push(128);
    }
    let mut content = vec![129; 8];
    content.extend(end);
    let mut file = format!(
        "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n\
         2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
         3 0 obj\n<</Type/Page/Parent 2 0 R/Contents 4 0 R>>\nendobj\n\
         4 0 obj\n<</Length {}/Filter[{filters}]>>stream\n",
        content.len()
    )
    .into_bytes();
    file.extend(content);
    file.extend(b"\nendstream\nendobj\ntrailer<</Root 1 0 R>>\n");
    file
}

/// The parser takes all memory for this file, which takes the process with it.
#[test]
fn a_file_that_kills_its_parser_costs_only_itself() {
    let place = Workplace::new();
    place.write("docs/bomb.pdf", bomb());
    let output = place.run(&["extract", "docs/bomb.pdf", "docs/notes.txt"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("docs/bomb.pdf cannot be loaded"), "{said}");
    let reason =
        "ran out of the memory that it may use; if you trust the file, raise `--max-memory`";
    assert!(said.contains(reason), "{said}");
    assert!(output.stdout.starts_with(b"The release"));
    let said = place.stderr(&["ingest", "docs"], 2);
    assert!(said.contains("bomb.pdf"), "{said}");
    let found = place.stdout(&["search", "release checklist"]);
    assert!(found.starts_with("docs/notes.txt:1  "), "{found}");
}

#[test]
fn chunks_say_where_they_stand() {
    let place = Workplace::new();
    for strategy in ["recursive", "markdown", "sentence", "token", "sections"] {
        let arguments = [
            "chunk",
            "docs/guide.md",
            "--strategy",
            strategy,
            "--size",
            "16",
            "--format",
            "jsonl",
        ];
        let printed = place.stdout(&arguments);
        let chunks: Vec<Value> = printed
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert!(chunks.len() > 1, "{strategy}");
        for chunk in &chunks {
            let number = |field: &str| chunk[field].as_u64().unwrap() as usize;
            let text = chunk["text"].as_str().unwrap();
            assert_eq!(&GUIDE[number("start")..number("end")], text, "{strategy}");
            assert_eq!(
                number("char_end") - number("char_start"),
                text.chars().count()
            );
            let first_line = GUIDE.lines().nth(number("line_start") - 1).unwrap();
            assert!(first_line.contains(text.lines().next().unwrap()), "{chunk}");
            if strategy != "markdown" {
                assert_eq!(chunk["metadata"]["chunk_index"], chunk["index"]);
            }
        }
    }
}

#[test]
fn chunks_of_every_strategy_name_the_headings_above_them() {
    let place = Workplace::new();
    let text = "# Guide\n\n## Install [now]\n\nRun it.\n\n[now]: there\n\n# Other\n\nThe end.\n";
    place.write("a.md", text);
    for strategy in ["recursive", "markdown", "sentence", "token", "sections"] {
        let arguments = [
            "chunk",
            "a.md",
            "--strategy",
            strategy,
            "--size",
            "12",
            "--overlap",
            "0",
        ];
        let arguments = &arguments[..if strategy == "sections" { 6 } else { 8 }];
        let printed =
            place.stdout(&[arguments, &["--unit", "chars", "--format", "jsonl"]].concat());
        let mut chunks = printed
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let run = chunks.find(|chunk| chunk["text"].as_str().unwrap().contains("Run it."));
        let expected = serde_json::json!(["Guide", "Install now"]);
        assert_eq!(run.unwrap()["heading_path"], expected, "{strategy}");
    }
}

/// Checks that a file is cut at the headings that an ingest finds in it, and that some of these are as expected.
fn check_headings_of_chunks(file: &str, text: &str, expected: &[[&str; 2]]) {
    let place = Workplace::new();
    place.write(file, text);
    place.stdout(&["ingest", file]);
    let sections = place.json(&["toc", file, "--json"]);
    let sections = sections.as_array().unwrap();
    let known: Vec<&Value> = sections.iter().map(|one| &one["heading_path"]).collect();
    let printed = place.stdout(&["chunk", file, "--strategy", "markdown", "--json"]);
    let chunks = printed.lines().map(serde_json::from_str::<Value>);
    let paths: Vec<Value> = chunks
        .map(|chunk| chunk.unwrap()["heading_path"].clone())
        .filter(|path| path.as_array().is_some_and(|path| !path.is_empty()))
        .collect();
    assert!(paths.iter().all(|path| known.contains(&path)), "{paths:?}");
    for path in expected {
        assert!(paths.contains(&json!(path)), "{paths:?}");
    }
}

#[test]
fn texts_are_cut_at_the_headings_that_an_ingest_finds() {
    check_headings_of_chunks(
        "docs/book.txt",
        "PART ONE\n\nChapter 1 – The shore\n\nMany rites\nare gone.\n\n# no heading\n\n\
         Chapter 2 – The sea\n\nWaves\nroll in.\n",
        &[
            ["PART ONE", "Chapter 1 – The shore"],
            ["PART ONE", "Chapter 2 – The sea"],
        ],
    );
    check_headings_of_chunks(
        "docs/llms-full.txt",
        "Intro.\n\n---\nurl: /a\n---\n\n# A\n\n## Use\n\nText.\n\n---\nurl: /b\n---\n\nText.\n\n\
         # One\n\nWords.\n\n# Two\n\nWords.\n",
        &[["A", "Use"], ["/b", "One"], ["/b", "Two"]],
    );
}

#[test]
fn characters_are_no_tokens() {
    let place = Workplace::new();
    for strategy in ["recursive", "markdown", "sentence", "token", "sections"] {
        let arguments = ["chunk", "docs/guide.md", "--strategy", strategy];
        let printed = |more: &[&str]| place.stdout(&[&arguments[..], more].concat());
        let json = printed(&["--unit", "chars", "--format", "jsonl"]);
        assert!(json.lines().all(|line| line.contains("\"tokens\":null")));
        assert!(
            !printed(&["--unit", "chars"]).contains(" token"),
            "{strategy}"
        );
        let json = printed(&["--unit", "o200k_base", "--format", "jsonl"]);
        assert!(!json.contains("\"tokens\":null"), "{strategy}");
    }
}

#[test]
fn markdown_chunks_say_what_their_section_is() {
    let place = Workplace::new();
    place.write(
        "docs/part.md",
        "# Part\n\n## One\n\nAlpha.\n\n## Two\n\nBeta. Gamma.\n",
    );
    let arguments = [
        "chunk",
        "docs/part.md",
        "--strategy",
        "markdown",
        "--unit",
        "chars",
    ];
    let sized = [
        &arguments[..],
        &["--size", "25", "--overlap", "0", "--format", "jsonl"],
    ]
    .concat();
    let printed = place.stdout(&sized);
    let last: Value = serde_json::from_str(printed.lines().next_back().unwrap()).unwrap();
    let metadata = json!({
        "source": "docs/part.md", "file_name": "part.md", "file_type": "markdown",
        "section_header": "## Two", "header_level": 2,
        "header_hierarchy": {"h1": "Part", "h2": "Two"},
        "is_header_split": true, "chunk_index": 0, "total_section_chunks": 1,
    });
    assert_eq!(last["metadata"], metadata);
}

#[test]
fn chunks_of_plain_text_are_of_its_sections() {
    let place = Workplace::new();
    place.write(
        "docs/sea.txt",
        "CHAPTER I.\n\nWaves come,\nday by day.\n\nCHAPTER II.\n\nWinds come,\nand go.\n",
    );
    let arguments = ["chunk", "docs/sea.txt", "--strategy", "markdown"];
    let printed = place.stdout(&[&arguments[..], &["--format", "jsonl"]].concat());
    let last: Value = serde_json::from_str(printed.lines().next_back().unwrap()).unwrap();
    let above = &last["metadata"]["header_hierarchy"];
    assert_eq!(*above, json!({"h1": "CHAPTER II."}));
}

#[test]
fn chunks_of_standard_input_are_printed_below_a_line_each() {
    let place = Workplace::new();
    let mut command = place.command(&["chunk", "-", "--size", "12", "--overlap", "0"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"one two\n\nthree four")
        .unwrap();
    let printed = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(
        printed,
        "--- - #0, lines 1\none two\n--- - #1, lines 3\nthree four\n"
    );
}

#[test]
fn links_of_headings_that_a_pipe_defines_further_down_are_said_to_be_unknown() {
    let place = Workplace::new();
    let text = "# Log\n\n## [1.2] - May\n\nFaster.\n\n[1.2]: https://a.example\n";
    place.write("docs/a.md", text);
    let run = |arguments: &[&str], text: &str| {
        let mut child = place
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (String::from_utf8(output.stdout).unwrap(), said)
    };
    let warning = "warning: links in headings of standard input may be defined further down, and it cannot be read \
                   twice; headings keep the brackets of these links. Give a file, or use --strategy markdown\n";
    let (printed, said) = run(&["chunk", "-", "--size", "20", "--overlap", "0"], text);
    assert!(printed.contains("Faster."), "{printed}");
    assert_eq!(said, warning);
    for (arguments, text) in [
        (&["chunk", "-", "--strategy", "markdown"][..], text),
        (&["chunk", "docs/a.md"], ""),
        (&["chunk", "-"], "# Log\n\n## May [x](y)\n\nFaster.\n"),
    ] {
        let (printed, said) = run(arguments, text);
        assert!(printed.contains("May"), "{printed}");
        assert_eq!(said, "", "{arguments:?}");
    }
}

#[test]
fn source_code_is_split_at_the_separators_of_its_language() {
    let place = Workplace::new();
    let code = "x = 1\ndef f():\n    return 2\ndef g():\n    pass\n";
    place.write("docs/a.py", code);
    let sized = ["chunk", "docs/a.py", "--size", "24", "--overlap", "0"];
    let printed = place.stdout(&[&sized[..], &["--language", "python"]].concat());
    let texts: Vec<_> = printed.split("--- ").skip(1).collect();
    let texts: Vec<_> = texts
        .iter()
        .filter_map(|shown| shown.split_once('\n'))
        .collect();
    let texts: Vec<_> = texts.iter().map(|(_, text)| *text).collect();
    assert_eq!(
        texts,
        [
            "x = 1\n",
            "def f():\n    return 2\n",
            "def g():\n    pass\n"
        ]
    );
    for language in sectile::chunk::Language::ALL {
        place.stdout(&[&sized[..], &["--language", language.name()]].concat());
    }
}

#[test]
fn chunk_options_that_would_be_ignored_are_refused() {
    let place = Workplace::new();
    let refused =
        |arguments: &[&str]| place.stderr(&[&["chunk", "docs/guide.md"], arguments].concat(), 2);
    assert!(refused(&["--strategy", "sections", "--overlap", "3"]).contains("do not overlap"));
    let of_recursive = |option: &[&str]| refused(&[&["--strategy", "sentence"], option].concat());
    for option in [
        &["--no-trim"][..],
        &["--separator", "|"],
        &["--language", "rust"],
        &["--keep-separator", "end"],
    ] {
        let reason = "is an option of the strategy recursive, not of sentence; leave it out, or choose that strategy";
        let typed = option[0];
        assert_eq!(of_recursive(option), format!("error: `{typed}` {reason}\n"));
    }
    let long = "error: `--long-sentences` is an option of the strategy sentence, not of recursive; leave it out, or choose that strategy\n";
    assert_eq!(refused(&["--long-sentences", "keep"]), long);
    let strategies = ["recursive", "markdown", "sentence", "token", "sections"];
    for strategy in strategies {
        let said = refused(&["--strategy", strategy, "--size", "0"]);
        assert_eq!(said, "error: `--size` must be at least 1, not 0\n");
    }
    for strategy in ["markdown", "sentence", "token"] {
        let said = refused(&["--strategy", strategy, "--size", "9", "--overlap", "9"]);
        assert!(
            said.starts_with("error: `--overlap` must be smaller than"),
            "{said}"
        );
    }
    assert!(refused(&["--language", "c", "--separator", "|"]).contains("cannot be used with"));
    assert!(refused(&["--language", "cobra"]).contains("possible values: cpp, go,"));
    let clamped = place.stderr(
        &["chunk", "docs/notes.txt", "--size", "10", "--overlap", "20"],
        0,
    );
    assert_eq!(
        clamped,
        "warning: an overlap of 20 does not fit into chunks of 10; using 9\n"
    );
}

#[test]
fn chunks_and_trees_are_drawn_as_pages_that_need_nothing_else() {
    let place = Workplace::new();
    place.write(
        "docs/bad.md",
        "# <b>\n\n<script>alert(1)</script> & more words, to be cut in two.\n",
    );
    let arguments = [
        "chunk",
        "docs/bad.md",
        "docs/guide.md",
        "--html",
        "--size",
        "30",
        "--overlap",
        "9",
    ];
    let chunks = place.stdout(&arguments);
    assert!(
        chunks.contains("Strategy recursive, size 30, overlap 9, counted in chars."),
        "{chunks}"
    );
    assert!(chunks.contains("&lt;script&gt;") && chunks.contains("id=\"f1-c2\""));
    let tree = place.stdout(&["tree", "docs/guide.md", "--html"]);
    assert!(tree.contains("Plugins") || tree.contains("Install"));
    for page in [chunks, tree] {
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("style-src 'sha256-"));
        assert!(!page.contains("<script") && !page.contains("<link") && !page.contains("src="));
    }
    assert!(
        place
            .stderr(&["chunk", "docs/guide.md", "--html", "--json"], 2)
            .contains("--html")
    );
    assert!(
        place
            .stderr(&["tree", "docs/guide.md", "--html", "--json"], 2)
            .contains("--html")
    );
    assert!(
        place
            .stderr(&["chunk", "docs/guide.md", "--html", "--size", "0"], 2)
            .contains("`--size`")
    );
}

#[test]
fn a_tree_is_drawn_or_printed_in_the_three_forms() {
    let place = Workplace::new();
    insta::assert_snapshot!(place.stdout(&["tree", "docs/guide.md"]), @r"
    guide.md
    ├── guide.md  line 1
    └── Guide  line 4
        ├── Install  line 8
        └── Use  line 12
            └── Install  line 14
    ");
    let full = place.json(&["tree", "docs/guide.md", "--json"]);
    assert_eq!(
        full["structure"][1]["nodes"][0]["text"],
        "## Install\n\nRun `cargo install`.\n\n"
    );
    let bare = place.json(&["tree", "docs/guide.md", "--json", "--no-text"]);
    assert_eq!(bare["structure"][1]["nodes"][0]["text"], Value::Null);
    let map = place.json(&["tree", "docs/guide.md", "--json", "--node-map"]);
    assert_eq!(map["0004"]["title"], "Install");
}
