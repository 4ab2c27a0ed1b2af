//! Which texts have which messages.

use super::*;

fn has(text: &str, question: &str) -> bool {
    let message = Message::of(question, true);
    message.is_some_and(|message| message.is_in(text))
}

#[test]
fn a_message_is_in_a_text_with_placeholders_for_its_values() {
    for (text, question) in [
        (
            "return Err(format!(\"error: cannot open {path}: {reason}\"));",
            "error: cannot open /etc/x: Permission denied",
        ),
        ("Cannot find module '%s'", "Cannot find module 'express'"),
        (
            "throw new Error(`Cannot find module '${name}'`)",
            "Error: Cannot find module './lib/a b.js'",
        ),
        (
            "fprintf(stderr, \"%s:%d: unknown option %s\\n\", file, line, option);",
            "main.c:12: unknown option --fast",
        ),
        (
            "raise ValueError(\"invalid literal for port: %(port)r\")",
            "ValueError: invalid literal for port: 'http'",
        ),
        (
            "log(\"Could not connect to \" + host + \" after \" + n + \" attempts\");",
            "Could not connect to db.example.org after 5 attempts",
        ),
        (
            "std::cerr << \"failed to load \" << name << std::endl;",
            "failed to load libfoo.so.2",
        ),
        (
            "- `table <name> has no column <column>`: the column was not made",
            "table users has no column named_id2",
        ),
        (
            "port $PORT is already in use",
            "port 8080 is already in use",
        ),
        (
            "die \"#{program}: no such command #{name}\"",
            "sectile: no such command 'serach'",
        ),
        (
            "Could not resolve host: ...",
            "curl: (6) Could not resolve host: example.invalid",
        ),
        ("unknown option: {}", "unknown option: --foo"),
    ] {
        assert!(has(text, question), "{text}: {question}");
    }
}

#[test]
fn other_texts_have_no_message() {
    for (text, question) in [
        // No placeholder, another message, or too little of it.
        (
            "error: cannot open the file: denied",
            "error: cannot open /etc/x: denied now",
        ),
        ("Cannot find module '%s'", "Cannot find package 'express'"),
        ("open {path}", "error: cannot open /etc/x"),
        ("it is not {name} that is", "foo_1 is not working"),
        (
            "set the {name} to {value}",
            "how do I set the path to /usr/local/bin in a shell",
        ),
        ("{\"open\": 1, \"cannot\": 2}", "error: cannot open /etc/x"),
        ("50% of the files cannot open", "files cannot open /etc/x"),
        (
            "Undo the last commit ........ 45",
            "git: undo the last commit",
        ),
        ("<p>Undo the last commit", "git: undo the last commit"),
        (
            "How to undo the last commit...",
            "git: how to undo the last commit?",
        ),
        // These ask no program.
        ("install {name} on windows", "install python on windows"),
        ("what is {name}", "what is a closure"),
    ] {
        assert!(!has(text, question), "{text}: {question}");
    }
}

#[test]
fn words_of_values_are_not_looked_for() {
    let rows = |question: &str| Message::of(question, true).map(|of| of.searched_rows());
    assert_eq!(
        rows("error: cannot open /etc/x: Permission denied").unwrap(),
        ["error cannot", "cannot open", "permission denied"]
    );
    assert_eq!(
        rows("Cannot find module 'a b' (code 0x1f)").unwrap(),
        ["cannot find", "find module"]
    );
    assert_eq!(
        rows("Datei „a b“ nicht gefunden").unwrap(),
        ["nicht gefunden"]
    );
    assert_eq!(
        rows("le fichier « a b » est introuvable").unwrap(),
        ["le fichier", "est introuvable"]
    );
    for question in ["install python on windows", "open /etc/x", "8080", ""] {
        assert_eq!(rows(question), None, "{question}");
    }
    // A number is a value in a sentence.
    for (question, is_message) in [
        ("port 8080 is already in use", true),
        ("python 3.12 release notes", false),
        ("unknown option --fast", true),
        ("Cannot find module 'express'", true),
    ] {
        let has_left_out = question.contains(" is ");
        let message = Message::of(question, has_left_out);
        assert_eq!(message.is_some(), is_message, "{question}");
    }
}

#[test]
fn values_are_told_by_how_they_are_written() {
    for value in [
        "/etc/x", "C:\\x", "a.txt", "0x1f", "8080", "--fast", "me@host", "~/x", "(os=1)",
    ] {
        assert!(is_value(value), "{value}");
    }
    for word in [
        "error:",
        "open.",
        "TypeError",
        "don't",
        "-",
        "...",
        "read_file",
        "(denied)",
    ] {
        assert!(!is_value(word), "{word}");
    }
}

#[test]
fn placeholders_part_the_words_of_a_line() {
    let shown = |line: &str| {
        let parts = parts_of(line).into_iter().map(|part| match part {
            Part::Word(word) => word,
            Part::Placeholder => "*".to_owned(),
        });
        parts.collect::<Vec<_>>().join(" ")
    };
    for (line, parts) in [
        ("a {b} c {0:?} d {}", "a * c * d *"),
        ("a %s %-5.2f %% %d%% %(b)s %NAME% 5% c", "a * * * * * 5 c"),
        ("a $b ${c} #{d} \\(e) $", "a * * * *"),
        ("<file name> a < b > c <1>", "* a b c 1"),
        ("a… b ... c.", "a * b * c"),
        ("\"a \" + b + \" c \" + d", "a * c *"),
        ("'it' is \"a\".format(b)", "it is a format b"),
        ("\"a\\nb\\t%s\"", "a b *"),
        ("{", ""),
        ("%", ""),
        ("\\", ""),
        ("ä{ö}ü%", "ä * ü"),
        // Tags are none, nor are amounts and what leads to the number of a page.
        (
            "<p>how to <b>read</b> <a href=\"x\">a</a><br /> <file></p>",
            "how to read a *",
        ),
        ("exit code <code>", "exit code *"),
        ("it costs $100, not $1", "it costs 100 not *"),
        ("read a file ....... 12 …… 3", "read a file 12 3"),
    ] {
        assert_eq!(shown(line), parts, "{line}");
    }
}
