//! How the fixtures are cut, to be looked at when it changes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use sectile_chunk::{
    Characters, MarkdownChunker, MarkdownChunkerConfig, RecursiveCharacterTextSplitter,
    SectionOptions, SentenceChunker, TokenChunker, markdown_outline, sections,
};
use sectile_core::Chunk;

/// The size and the overlap of the chunks in characters.
const SIZE: usize = 120;
const OVERLAP: usize = 30;

fn draw(chunks: &[Chunk<'_>]) -> String {
    let mut drawn = String::new();
    for chunk in chunks {
        let path = chunk
            .heading_path
            .as_deref()
            .unwrap_or_default()
            .join(" > ");
        let (chars, lines) = (chunk.chars, chunk.lines);
        let header = format!(
            "── {} chars {}..{} lines {}-{} {path}",
            chunk.index, chars.start, chars.end, lines.first, lines.last
        );
        writeln!(drawn, "{}\n{:?}", header.trim_end(), chunk.text).expect("a string takes all");
    }
    drawn
}

fn draw_sections(text: &str) -> String {
    let options = SectionOptions::default().with_max_tokens(SIZE);
    let tree = sections(
        "fixture",
        text,
        &markdown_outline(text),
        &options,
        &Characters,
    );
    let tree = tree.expect("the options are valid");
    let mut drawn = String::new();
    for (at, section) in tree.sections.iter().enumerate() {
        let path = tree.heading_path(at).join(" > ");
        let header = format!(
            "── {at} level {} lines {}-{} {path}",
            section.level, section.lines.first, section.lines.last
        );
        writeln!(drawn, "{}\n{:?}", header.trim_end(), section.span.of(text))
            .expect("a string takes all");
    }
    drawn
}

fn draw_markdown(text: &str) -> String {
    let config = MarkdownChunkerConfig {
        max_chunk_size: SIZE,
        chunk_overlap: OVERLAP,
        ..MarkdownChunkerConfig::default()
    };
    let chunker = MarkdownChunker::new(config).expect("the configuration is valid");
    let chunks = chunker.iter(text, &Characters).map(|chunk| chunk.chunk);
    draw(&chunks.collect::<Vec<_>>())
}

fn draw_all(text: &str) -> String {
    let recursive =
        RecursiveCharacterTextSplitter::new(SIZE, OVERLAP).expect("the sizes are valid");
    let sentence = SentenceChunker::new(SIZE).and_then(|chunker| chunker.with_overlap(0.25));
    let token = TokenChunker::new(SIZE, OVERLAP).expect("the sizes are valid");
    let ways = [
        ("recursive", draw(&recursive.chunks(text))),
        ("markdown", draw_markdown(text)),
        (
            "sentence",
            draw(
                &sentence
                    .expect("the sizes are valid")
                    .chunks(text, &Characters),
            ),
        ),
        ("token", draw(&token.chunks(text, &Characters))),
        ("sections", draw_sections(text)),
    ];
    ways.map(|(name, drawn)| format!("══ {name}\n{drawn}"))
        .join("\n")
}

#[test]
fn fixtures_are_cut_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|found| found == "md" || found == "txt")
        })
        .collect();
    paths.sort();
    assert!(paths.len() >= 12);
    for path in paths {
        let name = path
            .file_name()
            .expect("a file has a name")
            .to_string_lossy()
            .replace('.', "_");
        let text = fs::read_to_string(&path).expect("a fixture is UTF-8");
        insta::assert_snapshot!(name, draw_all(&text));
    }
}
