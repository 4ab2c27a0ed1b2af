//! YAML: the source stays, its keys are the outline.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::load_bytes;

use crate::memory::bounded;
use crate::mutations;

const OPENAPI: &str = "\
openapi: 3.0.0
# What it is.
info:
  title: 'Pets'
paths:
  /pets:
    get:
      summary: Lists all pets that there are in the shop, in the order in which they have arrived.
      description: |
        responses:
          not: a key
      responses: {\"200\": {description: fine}, \"404\": {description: none of them was there}}
  \"/pets/{id}\":
    get: &get
      summary: One pet
last: &x [1, 2]
";

const RESOURCES: &str = "\
# All of it.
apiVersion: v1
kind: Service
metadata:
  name: web
---
kind: Deployment
metadata: {labels: {}}
spec:
  containers:
  - name: app   # the program
    image: registry.example/app:1.0
    command: [run, --with, a-long-list-of-arguments, --that, goes, --on, and-on-and-on]
    env: [{name: A, value: b}]
  - image: sidecar
...
---
";

fn load(yaml: &str) -> Document {
    load_bytes(yaml.as_bytes(), Path::new("a.yaml")).unwrap()
}

fn titles(document: &Document) -> Vec<(u8, &str)> {
    let headings = document.outline.iter();
    headings
        .map(|heading| (heading.level, heading.title.as_str()))
        .collect()
}

#[test]
fn keys_are_headings_and_texts_are_not() {
    let document = load(OPENAPI);
    assert_eq!(document.format, Format::Yaml);
    assert_eq!(document.text, OPENAPI);
    assert_eq!(document.metadata.title.as_deref(), Some("Pets"));
    let expected = [
        (1, "info"),
        (1, "paths"),
        (2, "/pets"),
        (3, "get"),
        (2, "/pets/{id}"),
        (1, "last"),
    ];
    assert_eq!(titles(&document), expected);
    let info = document.outline[0].span.of(OPENAPI);
    assert_eq!(info, "# What it is.\ninfo:\n");
    assert_eq!(document.outline[4].span.of(OPENAPI), "  \"/pets/{id}\":\n");
}

#[test]
fn documents_of_a_stream_are_headings_of_their_own() {
    let document = load(RESOURCES);
    let expected = [
        (1, "Service/web"),
        (2, "metadata"),
        (1, "Deployment"),
        (2, "spec"),
        (3, "containers"),
        (4, "app"),
        (4, "[1]"),
    ];
    assert_eq!(titles(&document), expected);
    assert_eq!(document.outline[2].span.of(RESOURCES), "---\n");
}

const SCHEMA: &str = "\
definitions:
  RotateRequest:
    properties:
      account: {type: string, description: the account whose credentials are rotated by the server}
      reason: {type: string, description: why that is done and who has asked for it}
    type: object
    # Without a reason none are rotated.
    required: [account]
    description: |
      Rotates the credentials of an account. The old ones are taken back after an hour, so that programs
      that have them have the time to read the new ones from the place where these are kept for them.
    example: {account: a}
    readOnly: true
  Other: {type: string}
host: a.example
port: 80
";

#[test]
fn short_keys_in_a_row_have_one_heading() {
    let document = load(SCHEMA);
    let expected = [
        (1, "definitions"),
        (2, "RotateRequest"),
        (3, "properties"),
        (3, "type, required"),
        (3, "description"),
        (3, "example, readOnly"),
        (2, "Other"),
        (1, "host, port"),
    ];
    assert_eq!(titles(&document), expected);
    let row = document.outline[3].span.of(SCHEMA);
    assert_eq!(row, "    type: object\n");
    let many = (0..100).map(|key| format!("key{key}: {}\n", "x".repeat(40)));
    let long = "a:\n  b: c\n".to_owned() + &many.collect::<String>();
    let document = load(&long);
    assert_eq!(document.outline.len(), 5);
    assert!(document.outline[1].title.starts_with("key0, key1, key2"));
    assert_eq!(document.text, long);
}

#[test]
fn every_key_of_a_title_has_a_name() {
    let yaml = "script:\n  a: 1\n  b: 2\nquoted: 1\n? complex\n: value\n\"\": nothing\n";
    let document = load(yaml);
    let titles: Vec<&str> = titles(&document).iter().map(|(_, title)| *title).collect();
    let joined = titles.join(", ");
    assert!(joined.contains("quoted, complex, \"\""), "{joined}");
    assert!(joined.split(", ").all(|name| !name.is_empty()), "{joined}");
}

#[test]
fn lines_may_end_with_carriage_returns_alone() {
    let document = load("name: a\rservices:\r  web:\r    image: nginx\rports:\r  - 80\r");
    assert_eq!(titles(&document), [(1, "services"), (1, "ports")]);
    assert!(document.text.contains('\r'));
}

#[test]
fn templates_and_bombs_are_only_text() {
    let template =
        "spec:\n  {{- if .Values.x }}\n  replicas: {{ .Values.n }}\n  {{- end }}\nnext:\n  a: b\n";
    assert_eq!(titles(&load(template)), [(1, "spec"), (1, "next")]);
    let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
    assert_eq!(load(bomb).text, bomb);
}

#[test]
fn cost_is_linear_in_deep_and_wide_files() {
    let levels: Vec<String> = (0..2_000).map(|level| " ".repeat(level) + "a:\n").collect();
    let deep = levels.concat();
    assert_eq!(load(&deep).outline.len(), 3);
    let dashes = "- ".repeat(200_000);
    assert_eq!(load(&dashes).text, dashes);
    let wide = "a:\n  b: c\n".repeat(20_000);
    assert_eq!(load(&wide).outline.len(), 20_000);
}

#[test]
fn damaged_copies_end_with_text_or_an_error() {
    bounded("yaml::damaged_copies_end_with_text_or_an_error", || {
        mutations::check(OPENAPI.as_bytes(), "a.yaml");
        mutations::check(RESOURCES.as_bytes(), "a.yml");
    });
}
