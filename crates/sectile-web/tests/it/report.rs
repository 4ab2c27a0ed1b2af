//! The pictures that are written as files.

use std::path::Path;

use sectile::chunk::section_tree;
use sectile::core::{Document, DocumentTree};
use sectile::load::FileLoader;
use sectile::{ChunkSettings, Strategy};
use sectile_web::picture::{ChunkReport, Cut, chunk_report, tree_report};

use crate::place::{HOSTILE, root};

fn load(text: &str) -> Document {
    FileLoader::default()
        .load_bytes(text.as_bytes(), Path::new("a.md"))
        .unwrap()
}

fn drawn(document: &Document, settings: ChunkSettings) -> String {
    let cutter = settings.cutter().unwrap();
    let chunks = cutter
        .chunks("a.md", &document.text, &document.outline)
        .unwrap();
    chunk_report(&[ChunkReport {
        name: "a.md".to_owned(),
        text: document.text.clone(),
        sections: section_tree("a.md", &document.text, &document.outline),
        cut: Cut::of(chunks.iter().map(|chunk| &chunk.chunk)),
        how: "Small.".to_owned(),
    }])
}

#[test]
fn a_file_holds_all_that_it_needs_and_runs_nothing() {
    let text = std::fs::read_to_string(root().join("docs/search.md")).unwrap();
    let settings = ChunkSettings {
        size: Some(300),
        overlap: Some(60),
        ..ChunkSettings::new(Strategy::Recursive)
    };
    let html = drawn(&load(&text), settings);
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("style-src 'sha256-"));
    assert!(html.contains("class=\"both") && html.contains("id=\"f0-c3\""));
    for outside in ["<script", "src=", "<link", "url(", "@import"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn a_hostile_file_is_text() {
    let document = load(HOSTILE);
    let html = drawn(&document, ChunkSettings::new(Strategy::Sentence));
    assert!(html.contains("&lt;script&gt;"));
    let sections = section_tree("a.md", &document.text, &document.outline);
    let tree = tree_report(&DocumentTree::new("<i>a.md", &document, &sections));
    assert!(tree.contains("&lt;i&gt;a.md") && tree.contains("&quot; autofocus"));
    for html in [html, tree] {
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("<i>"));
    }
}
