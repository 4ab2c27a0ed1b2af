//! Cuts texts that make careless splitters slow, at two sizes: where time is linear, four times the
//! text takes about four times as long.
//!
//! `cargo run --release -p sectile-benches --example adversarial`

use std::hint::black_box;
use std::time::{Duration, Instant};

use sectile::chunk::{
    Bpe, Characters, MarkdownChunker, MarkdownChunkerConfig, RecursiveCharacterTextSplitter,
    SectionOptions, SentenceChunker, TokenChunker, markdown_outline, sections,
};

/// The sizes in bytes.
const SMALL: usize = 250_000;
const LARGE: usize = 1_000_000;

/// A function that cuts a text.
type Cut = Box<dyn Fn(&str) -> usize>;

#[expect(clippy::print_stdout, reason = "it is what the example is for")]
fn main() -> anyhow::Result<()> {
    let ways = ways()?;
    print!("{:<24}", "MB/s at 1 MB, x of time");
    for (name, _) in &ways {
        print!("{name:>18}");
    }
    println!();
    for (name, text) in texts() {
        print!("{name:<24}");
        for (_, cut) in &ways {
            let small = median(cut, &text(SMALL));
            let large = median(cut, &text(LARGE));
            let speed = text(LARGE).len() as f64 / 1e6 / large.as_secs_f64();
            let factor = large.as_secs_f64() / small.as_secs_f64();
            print!("{:>18}", format!("{speed:.0} x{factor:.1}"));
        }
        println!();
    }
    Ok(())
}

fn median(cut: &Cut, text: &str) -> Duration {
    let mut times: Vec<_> = (0..5)
        .map(|_| {
            let start = Instant::now();
            black_box(cut(black_box(text)));
            start.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

fn ways() -> anyhow::Result<Vec<(&'static str, Cut)>> {
    let recursive = RecursiveCharacterTextSplitter::new(1000, 200)?;
    let tokens = RecursiveCharacterTextSplitter::new(512, 64)?
        .with_length(std::sync::Arc::new(Bpe::cl100k_base()));
    let config = MarkdownChunkerConfig {
        max_chunk_size: 1000,
        ..MarkdownChunkerConfig::default()
    };
    let markdown = MarkdownChunker::new(config)?;
    let sentence = SentenceChunker::new(1000)?;
    let token = TokenChunker::default();
    let options = SectionOptions::default().with_max_tokens(1000);
    Ok(vec![
        (
            "recursive chars",
            Box::new(move |text| recursive.chunks(text).len()),
        ),
        (
            "recursive cl100k",
            Box::new(move |text| tokens.chunks(text).len()),
        ),
        (
            "markdown chars",
            Box::new(move |text| markdown.chunks(text, &Characters).len()),
        ),
        (
            "sentence chars",
            Box::new(move |text| sentence.chunks(text, &Characters).len()),
        ),
        (
            "token cl100k",
            Box::new(move |text| token.chunks(text, &Bpe::cl100k_base()).len()),
        ),
        (
            "sections chars",
            Box::new(move |text| {
                let outline = markdown_outline(text);
                let tree = sections("text", text, &outline, &options, &Characters);
                tree.map_or(0, |tree| tree.sections.len())
            }),
        ),
    ])
}

/// Makes a text of about a number of bytes.
type Make = Box<dyn Fn(usize) -> String>;

fn texts() -> Vec<(&'static str, Make)> {
    let repeated =
        |part: &'static str| -> Make { Box::new(move |size| part.repeat(size / part.len())) };
    let after = |start: &'static str, part: &'static str| -> Make {
        Box::new(move |size| format!("{start}{}", part.repeat(size / part.len())))
    };
    vec![
        ("no white space", repeated("abcdefghij")),
        ("one letter", repeated("a")),
        ("one separator", repeated("\n\n")),
        ("spaces", repeated(" ")),
        ("headings", repeated("# Heading\n")),
        ("nested lists", Box::new(nested_list)),
        ("list markers", repeated("- ")),
        ("quote markers", repeated("> ")),
        ("an unclosed fence", after("# A\n\n```\n", "line of code\n")),
        (
            "an unclosed comment",
            after("# A\n\n<!--\n", "# b\n\nline\n"),
        ),
        ("a table", after("| a | b |\n|---|---|\n", "| 1 | 2 |\n")),
        ("a long title", after("# A", " very long title")),
        ("brackets", repeated("[")),
        ("CJK", repeated("潮汐每天涨落两次。")),
        ("CJK without stops", repeated("潮汐每天涨落两次")),
        ("ZWJ emoji", repeated("👨‍👩‍👧‍👦")),
        ("NULs", repeated("\0")),
        ("CRLF", repeated("A line.\r\nAnother\r\n\r\n")),
        ("carriage returns", repeated("A line.\r")),
        ("stops", repeated("a.) ")),
    ]
}

/// Makes list items, each in the one before, as deep as fits lines of bounded length.
fn nested_list(size: usize) -> String {
    let mut text = String::with_capacity(size);
    for depth in (0..200).cycle() {
        if text.len() >= size {
            break;
        }
        text.push_str(&"  ".repeat(depth));
        text.push_str("- item\n");
    }
    text
}
