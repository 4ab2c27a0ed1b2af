//! JSON: nothing is dropped, and each line stands below the keys it belongs to.

use std::error::Error as _;
use std::path::Path;

use sectile_core::Format;
use sectile_load::{Error, JsonLoader, Limits, LoadOptions, Loader, load_bytes};

use crate::memory::bounded;
use crate::mutations;
use crate::support::{check_read_as_text, load_error, outline};

const FILE: &str = r##"{
  // An API.
  "openapi": "3.0", "version": "1.0", "id": 9007199254740993, "rate": 1.50, "big": 1e400,
  "info": {"title": "Pets", "description": "Line one\nline \"two\"\n\nthree caf\u00e9", "x": null},
  "servers": [{"url": "https://a.example", "port": 80}, {"url": "https://b.example", "port": 81}],
  "empty": {}, "same": 1, "same": 2, "# not a heading": true,
  "paths": {
    "/pets": {"get": {"summary": "List all pets that there are in the shop", "tags": ["a", "b"],
      "parameters": [{"name": "limit", "schema": {"type": "integer", "about": "how many pets are listed at once, at most, on a page"}}]}}
  },
}"##;

fn text(json: &str) -> String {
    load_bytes(json.as_bytes(), Path::new("a.json"))
        .unwrap()
        .text
}

#[test]
fn large_values_are_sections_and_others_lines() {
    let document = load_bytes(FILE.as_bytes(), Path::new("api.json")).unwrap();
    let expected = r##"// An API.
openapi: "3.0"
version: "1.0"
id: 9007199254740993
rate: 1.50
big: 1e400
empty: {}
same: 1
same: 2
"# not a heading": true

# info

title: Pets
description: |
    Line one
    line "two"
    
    three café
x: null

# servers

| url | port |
| --- | --- |
| https://a.example | 80 |
| https://b.example | 81 |

# paths

## /pets

### get

summary: List all pets that there are in the shop
tags: ["a", "b"]
parameters:
  - name: limit
    schema: {type: "integer", about: "how many pets are listed at once, at most, on a page"}
"##;
    assert_eq!(document.text, expected);
    assert_eq!(document.format, Format::Json);
    assert_eq!(document.metadata.title.as_deref(), Some("Pets"));
    let titles = outline(&document);
    assert_eq!(
        titles,
        [
            (1, "info", "# info\n"),
            (1, "servers", "# servers\n"),
            (1, "paths", "# paths\n"),
            (2, "/pets", "## /pets\n"),
            (3, "get", "### get\n"),
        ]
    );
}

#[test]
fn elements_are_named_by_what_they_call_themselves() {
    let long = "x".repeat(200);
    let json = format!(r#"[{{"name": "one", "a": ["{long}"]}}, {{"b": [1, {{}}]}}, 7]"#);
    let document = load_bytes(json.as_bytes(), Path::new("a.json")).unwrap();
    let titles: Vec<&str> = document
        .outline
        .iter()
        .map(|heading| heading.title.as_str())
        .collect();
    assert_eq!(titles, ["one", "a", "[1]", "[2]"]);
    assert!(document.text.ends_with("# [2]\n\n7\n"));
}

#[test]
fn a_value_a_line_is_a_table_or_sections_and_damaged_lines_stay() {
    let load = |json: &str| load_bytes(json.as_bytes(), Path::new("a.jsonl")).unwrap();
    let table = load("{\"a\": 1, \"b\": \"x|y\"}\n\n{\"a\": 2, \"b\": \"\"}\n");
    assert_eq!(
        table.text,
        "| a | b |\n| --- | --- |\n| 1 | x\\|y |\n| 2 | \"\" |\n"
    );
    let mixed = load("{\"id\": 5, \"a\": [{}]}\n{\"a\": \n[1, 2]\n");
    assert_eq!(
        mixed.text,
        "# 5\n\nid: 5\na: [{}]\n\n# line 2\n\n\"{\\\"a\\\": \"\n\n# line 3\n\n- 1\n- 2\n"
    );
    assert_eq!(
        mixed.metadata.extra["damaged_lines"],
        serde_json::json!([2])
    );
    assert_eq!(
        sectile_load::omissions(&mixed.metadata),
        ["line 2 is not JSON"]
    );
}

#[test]
fn what_cannot_be_read_is_counted() {
    let document = load_bytes(br#"{"a": "\ud800 \u0000"}"#, Path::new("a.json")).unwrap();
    assert_eq!(document.text, "a: \u{FFFD} \u{FFFD}\n");
    assert_eq!(document.metadata.extra["replaced_characters"], 2);
}

#[test]
fn control_characters_on_one_line_are_spaces() {
    let json = r#"{"a": {"m": "one\nquark"}, "b": "p\tquark", "c": ["x\r\ny"], "t": [{"x": "p\tq", "y": 1}, {"x": "r", "y": 2}]}"#;
    assert_eq!(
        text(json),
        "a: {m: \"one quark\"}\nb: \"p quark\"\nc: [\"x y\"]\nt: [{x: \"p q\", y: 1}, {x: \"r\", y: 2}]\n"
    );
}

#[test]
fn liberties_of_json5_are_taken() {
    assert_eq!(
        text("\u{feff}{a: 'b', c: [+1, .5, 0xFF, NaN,],}"),
        "a: b\nc: [+1, .5, 0xFF, NaN]\n"
    );
    assert_eq!(text("1 2"), "# value 1\n\n1\n\n# value 2\n\n2\n");
    assert_eq!(text(""), "");
}

#[test]
fn damage_is_named_with_its_place() {
    let json = b"{\"a\": 1,\n \"b\" 2}";
    let error = JsonLoader::default().load(json, Path::new("a.json"));
    let source = error.unwrap_err().source().unwrap().to_string();
    assert_eq!(source, "a colon is missing at line 2, column 6");
    check_read_as_text(
        json,
        "a.json",
        "JSON file: a colon is missing at line 2, column 6",
    );
    let template = b"{\"name\": {{ name }}, \"port\": {{ port }}}\n";
    check_read_as_text(template, "a.json", "JSON");
    let deep = "[".repeat(1_000_000);
    assert!(matches!(
        load_error(deep.as_bytes(), "a.json"),
        Error::LimitExceeded { limit: 128, .. }
    ));
}

#[test]
fn deep_values_do_not_grow_into_white_space() {
    let deep = format!(
        "{}{}{}",
        "[".repeat(127),
        "1,[],".repeat(20_000),
        "]".repeat(127)
    );
    let document = load_bytes(deep.as_bytes(), Path::new("a.json")).unwrap();
    assert!(document.text.len() < deep.len() * 4);
    let limits = Limits {
        inflated_bytes: 1_000,
        ..Limits::default()
    };
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    let error = JsonLoader::new(options)
        .load(deep.as_bytes(), Path::new("a.json"))
        .unwrap_err();
    assert!(matches!(error, Error::LimitExceeded { .. }));
}

#[test]
fn damaged_copies_end_with_text_or_an_error() {
    bounded("json::damaged_copies_end_with_text_or_an_error", || {
        mutations::check(FILE.as_bytes(), "a.json");
        mutations::check(
            FILE.replace('\n', " ")
                .repeat(3)
                .replace("} {", "}\n{")
                .as_bytes(),
            "a.jsonl",
        );
    });
}
