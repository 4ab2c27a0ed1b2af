//! Cuts files with one splitter and prints what it took, as a line of JSON.
//!
//! `peers SPLITTER one|many REPEAT FILE…`: the files joined, `REPEAT` times over, as one document,
//! or each by itself. `peers list` prints the splitters.

use std::hint::black_box;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use cpu_time::ThreadTime;
use sectile_chunk::{
    Bpe, Characters, MarkdownChunker, MarkdownChunkerConfig, RecursiveCharacterTextSplitter,
    SectionOptions, SentenceChunker, TokenCounter as _, markdown_outline, sections,
};
use serde_json::json;
use text_splitter::{ChunkConfig, MarkdownSplitter, TextSplitter};

mod quality;

/// Sizes and overlaps: in characters, in tokens.
const CHARS: (usize, usize) = (1000, 200);
const TOKENS: (usize, usize) = (512, 64);

/// Cuts a text into the spans of its chunks.
type Cut = Box<dyn Fn(&str) -> Vec<(usize, usize)>>;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, documents, repeat, files @ ..] = arguments.as_slice() else {
        println!("{}", NAMES.join("\n"));
        return Ok(());
    };
    let cut = splitter(name)?;
    let texts = files
        .iter()
        .map(|file| std::fs::read_to_string(file).context(file.clone()));
    let mut texts = texts.collect::<Result<Vec<_>, _>>()?;
    if documents == "one" {
        texts = vec![texts.concat().repeat(repeat.parse()?)];
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    let seconds = [0; 3].map(|_| seconds(&cut, &texts));
    let spans = texts.iter().map(|text| cut(text));
    let quality = quality::of(texts.iter().zip(spans), CHARS.0);
    println!(
        "{}",
        json!({ "bytes": bytes, "seconds": seconds, "quality": quality })
    );
    Ok(())
}

/// Returns the CPU time of this thread for all texts.
fn seconds(cut: &Cut, texts: &[String]) -> f64 {
    let start = ThreadTime::now();
    for text in texts {
        black_box(cut(black_box(text)));
    }
    start.elapsed().as_secs_f64()
}

const NAMES: [&str; 12] = [
    "chars sectile",
    "chars text-splitter",
    "cl100k sectile",
    "cl100k text-splitter",
    "cl100k chunkedrs",
    "markdown-chars sectile",
    "markdown-chars text-splitter",
    "markdown-cl100k sectile",
    "markdown-cl100k chunkedrs",
    "sections-chars sectile",
    "sentence-chars sectile",
    "sentence-cl100k sectile",
];

fn splitter(name: &str) -> anyhow::Result<Cut> {
    let (size, overlap) = if name.contains("cl100k") {
        TOKENS
    } else {
        CHARS
    };
    Ok(match name {
        "chars sectile" => recursive(RecursiveCharacterTextSplitter::new(size, overlap)?),
        "cl100k sectile" => {
            let counter = warm_counter();
            let splitter = RecursiveCharacterTextSplitter::new(size, overlap)?;
            recursive(splitter.with_length(Arc::new(counter)))
        }
        "chars text-splitter" => {
            let splitter = TextSplitter::new(ChunkConfig::new(size).with_overlap(overlap)?);
            Box::new(move |text| spans(splitter.chunk_indices(text)))
        }
        "cl100k text-splitter" => {
            let sizer = tiktoken_rs::cl100k_base()?;
            let config = ChunkConfig::new(size)
                .with_sizer(sizer)
                .with_overlap(overlap)?;
            let splitter = TextSplitter::new(config);
            Box::new(move |text| spans(splitter.chunk_indices(text)))
        }
        "markdown-chars text-splitter" => {
            let splitter = MarkdownSplitter::new(ChunkConfig::new(size).with_overlap(overlap)?);
            Box::new(move |text| spans(splitter.chunk_indices(text)))
        }
        "cl100k chunkedrs" => {
            warm_counter();
            Box::new(move |text| chunkedrs_spans(chunkedrs::chunk(text), (size, overlap)))
        }
        "markdown-cl100k chunkedrs" => {
            warm_counter();
            Box::new(move |text| {
                chunkedrs_spans(chunkedrs::chunk(text).markdown(), (size, overlap))
            })
        }
        "markdown-chars sectile" => {
            let chunker = markdown(size, overlap)?;
            Box::new(move |text| {
                let chunks = chunker.iter(text, &Characters);
                chunks
                    .map(|chunk| chunk.chunk.span)
                    .map(|span| (span.start, span.end))
                    .collect()
            })
        }
        "markdown-cl100k sectile" => {
            let (chunker, counter) = (markdown(size, overlap)?, warm_counter());
            Box::new(move |text| {
                let chunks = chunker.iter(text, &counter);
                chunks
                    .map(|chunk| chunk.chunk.span)
                    .map(|span| (span.start, span.end))
                    .collect()
            })
        }
        "sections-chars sectile" => {
            let options = SectionOptions::default();
            Box::new(move |text| {
                let outline = markdown_outline(text);
                let tree = sections("text", text, &outline, &options, &Characters);
                let tree = tree.unwrap_or_default();
                tree.sections
                    .iter()
                    .map(|section| (section.span.start, section.span.end))
                    .collect()
            })
        }
        "sentence-chars sectile" => {
            let chunker = SentenceChunker::new(size)?;
            Box::new(move |text| {
                let chunks = chunker.iter(text, &Characters);
                chunks
                    .map(|chunk| (chunk.span.start, chunk.span.end))
                    .collect()
            })
        }
        "sentence-cl100k sectile" => {
            let (chunker, counter) = (SentenceChunker::new(size)?, warm_counter());
            Box::new(move |text| {
                let chunks = chunker.iter(text, &counter);
                chunks
                    .map(|chunk| (chunk.span.start, chunk.span.end))
                    .collect()
            })
        }
        _ => bail!("there is no splitter `{name}`"),
    })
}

/// Unpacks the vocabulary, which is no part of cutting.
fn warm_counter() -> Bpe {
    let counter = Bpe::cl100k_base();
    counter.count("a");
    counter
}

fn recursive(splitter: RecursiveCharacterTextSplitter) -> Cut {
    Box::new(move |text| {
        let chunks = splitter.iter(text);
        chunks
            .map(|chunk| (chunk.span.start, chunk.span.end))
            .collect()
    })
}

fn markdown(size: usize, overlap: usize) -> anyhow::Result<MarkdownChunker> {
    Ok(MarkdownChunker::new(MarkdownChunkerConfig {
        max_chunk_size: size,
        chunk_overlap: overlap,
        ..MarkdownChunkerConfig::default()
    })?)
}

fn spans<'a>(chunks: impl Iterator<Item = (usize, &'a str)>) -> Vec<(usize, usize)> {
    chunks
        .map(|(start, text)| (start, start + text.len()))
        .collect()
}

fn chunkedrs_spans(
    chunks: chunkedrs::ChunkBuilder<'_>,
    (size, overlap): (usize, usize),
) -> Vec<(usize, usize)> {
    let chunks = chunks
        .encoding("cl100k_base")
        .max_tokens(size)
        .overlap(overlap)
        .split();
    chunks
        .iter()
        .map(|chunk| (chunk.start_byte, chunk.end_byte))
        .collect()
}
