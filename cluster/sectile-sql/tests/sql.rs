//! The functions in a program that depends on `sectile-datafusion` alone.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

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

#[test]
fn statements_are_answered_one_after_the_other() {
    let output = answer(
        "SELECT sectile_tokens('hello world', 'cl100k_base') AS tokens\n\
         SELECT c['headings'] AS headings, c['text'] AS text FROM \
         (SELECT unnest(sectile_chunk('# A' || chr(10) || 'One.' || chr(10) || '# B' || chr(10) || 'Two.', \
         '{\"size\": 10, \"overlap\": 0, \"unit\": \"chars\"}')) AS c)\n\
         SELECT name, sectile_extract(bytes, name)['format'] AS format FROM files WHERE name = 'three-levels.pdf'\n",
    );
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    let rows: Vec<String> = printed
        .lines()
        .filter(|line| line.starts_with("| "))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    for row in ["| 2 |", "| three-levels.pdf | pdf |"] {
        assert!(rows.iter().any(|found| found == row), "{printed}");
    }
    for headings in ["| [A] |", "| [B] |"] {
        assert!(
            rows.iter().any(|found| found.starts_with(headings)),
            "{printed}"
        );
    }
}

#[test]
fn what_is_wrong_with_a_statement_is_said() {
    let output = answer("SELECT sectile_tokens('a', 'words')\n");
    assert!(!output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("there is no encoding words"), "{said}");
}
