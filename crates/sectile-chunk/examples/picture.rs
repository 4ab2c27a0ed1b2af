//! Draws how five chunkers cut one text: `cargo run -p sectile-chunk --example picture`.
//!
//! The drawing is part of the crate's documentation; a test says when it is out of date.

use sectile_chunk::{
    Characters, Error, MarkdownChunker, MarkdownChunkerConfig, RecursiveCharacterTextSplitter,
    SectionOptions, SentenceChunker, TokenChunker, markdown_outline, sections,
};
use sectile_core::{Chunk, Lines};

const TEXT: &str = include_str!("../tests/fixtures/tides.md");

/// The size and the overlap of the chunks in characters.
const SIZE: usize = 300;
const OVERLAP: usize = 60;

#[expect(clippy::print_stdout, reason = "it is what the example is for")]
fn main() -> Result<(), Error> {
    print!("{}", draw()?);
    Ok(())
}

/// Draws a line for each line of the text, with a pair of columns for each chunker: chunks take
/// turns in them, so that a line in both is in two chunks.
pub(crate) fn draw() -> Result<String, Error> {
    let ways = five_ways()?;
    let names = ways.iter().map(|(name, _)| format!("{name:<11}"));
    let names: Vec<_> = names.collect();
    let mut picture = format!("{}\n", names.concat().trim_end());
    for (number, line) in (1..).zip(TEXT.lines()) {
        let columns = ways.iter().map(|(_, chunks)| {
            let pair = [mark(chunks, 0, number), ' ', mark(chunks, 1, number)];
            format!("{:<11}", String::from_iter(pair))
        });
        let columns: Vec<_> = columns.collect();
        let drawn = format!("{}{line}", columns.concat());
        picture.push_str(drawn.trim_end());
        picture.push('\n');
    }
    Ok(picture)
}

/// Cuts the text with each chunker and returns the lines of the chunks.
fn five_ways() -> Result<Vec<(&'static str, Vec<Lines>)>, Error> {
    let overlap = OVERLAP as f64 / SIZE as f64;
    let config = MarkdownChunkerConfig {
        max_chunk_size: SIZE,
        chunk_overlap: OVERLAP,
        ..MarkdownChunkerConfig::default()
    };
    let markdown = MarkdownChunker::new(config)?;
    let markdown = markdown
        .iter(TEXT, &Characters)
        .map(|chunk| chunk.chunk.lines);
    let options = SectionOptions::default().with_max_tokens(SIZE);
    let tree = sections(
        "tides.md",
        TEXT,
        &markdown_outline(TEXT),
        &options,
        &Characters,
    )?;
    Ok(vec![
        (
            "recursive",
            lines(&RecursiveCharacterTextSplitter::new(SIZE, OVERLAP)?.chunks(TEXT)),
        ),
        ("markdown", markdown.collect()),
        (
            "sentence",
            lines(
                &SentenceChunker::new(SIZE)?
                    .with_overlap(overlap)?
                    .chunks(TEXT, &Characters),
            ),
        ),
        (
            "token",
            lines(&TokenChunker::new(SIZE, OVERLAP)?.chunks(TEXT, &Characters)),
        ),
        (
            "sections",
            tree.sections.iter().map(|section| section.lines).collect(),
        ),
    ])
}

fn lines(chunks: &[Chunk<'_>]) -> Vec<Lines> {
    chunks.iter().map(|chunk| chunk.lines).collect()
}

/// Returns the mark of a line in the column of the even (0) or odd (1) chunks.
fn mark(chunks: &[Lines], column: usize, line: usize) -> char {
    let here = chunks.iter().skip(column).step_by(2).rev();
    let mut here = here.filter(|chunk| (chunk.first..=chunk.last).contains(&line));
    here.next().map_or(' ', |chunk| {
        match (chunk.first == line, chunk.last == line) {
            (true, true) => '─',
            (true, false) => '┌',
            (false, true) => '└',
            (false, false) => '│',
        }
    })
}
