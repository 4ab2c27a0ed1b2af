//! The functions in a program that depends on `sectile-datafusion` alone.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Asks the program over the files that loaders are tested with.
fn answer(statements: &str) -> Output {
    let fixtures =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sectile-load/tests/fixtures");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sectile-sql"));
    command.arg(fixtures).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = command.spawn().expect("the program starts");
    let mut input = program.stdin.take().expect("it has one");
    input.write_all(statements.as_bytes()).expect("it reads");
    drop(input);
    program.wait_with_output().expect("it ends")
}

/// Returns the rows that are printed, those of the headers too, with one space between words.
fn rows(statements: &str) -> Vec<String> {
    let output = answer(statements);
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = printed.lines().filter(|line| line.starts_with('|'));
    rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn statements_are_answered_one_after_the_other() {
    let found = rows(
        "SELECT sectile_tokens('hello world', 'cl100k_base') AS tokens\n\
         SELECT name, sectile_extract(bytes, name)['format'] AS format FROM files WHERE name = 'three-levels.pdf'\n\
         SELECT count(*) AS files FROM files WHERE name LIKE 'three-levels.%' AND error IS NULL\n",
    );
    let expected = [
        "| tokens |",
        "| 2 |",
        "| name | format |",
        "| three-levels.pdf | pdf |",
        "| files |",
        "| 1 |",
    ];
    assert_eq!(found, expected);
}

#[test]
fn files_of_a_folder_are_cut() {
    let settings = r#"{"strategy": "markdown", "size": 200, "overlap": 0, "unit": "chars"}"#;
    let found = rows(&format!(
        "SELECT c['index'] AS number, c['headings'] AS headings, c['start'] AS first, c['end'] AS behind, \
         c['first_page'] AS page, c['last_page'] AS last_page FROM \
         (SELECT unnest(sectile_chunk(sectile_extract(bytes, name), '{settings}')) AS c FROM files \
         WHERE name = 'three-levels.pdf') ORDER BY 1\n"
    ));
    let expected = [
        "| number | headings | first | behind | page | last_page |",
        "| 0 | [Part One] | 0 | 23 | 1 | 1 |",
        "| 1 | [Part One, Chapter One] | 23 | 47 | 1 | 1 |",
        "| 2 | [Part One, Chapter One, Section Deep] | 47 | 73 | 2 | 2 |",
        "| 3 | [Part One, Chapter Two] | 73 | 98 | 2 | 2 |",
        "| 4 | [Part Two] | 98 | 117 | 3 | 3 |",
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_is_wrong_with_a_statement_is_said() {
    let output = answer("SELECT sectile_tokens('a', 'words')\n");
    assert!(!output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("there is no encoding words"), "{said}");
}
