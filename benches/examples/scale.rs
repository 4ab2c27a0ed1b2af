//! How long a search takes among many chunks, how fast they are written, and how much room they
//! take, on either engine.
//!
//! ```text
//! SECTILE_CORPUS=PATH cargo run --release -p sectile-benches --example scale -- \
//!     URL CHUNKS [--vectors | --int8] [--repeat ROUNDS]
//! ```
//!
//! `URL` is `sqlite:PATH` or `postgres://…`, of a store that is empty, or, to ask only, of one that an
//! earlier run has filled with so many chunks. The chunks are paragraphs of the Markdown pages in the
//! collections, put together at random, so that words are as frequent as in real text; the questions are
//! those about React, and words of paragraphs: 100 questions each of 1, 3 and 12. Each is asked ROUNDS times
//! (3 if not told); the first round shows what a process pays once. With `--vectors` each chunk has one of
//! 384 dimensions, of noise, which takes as long to compare as any; `--int8` keeps them in bytes.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use sectile::chunk::markdown_outline;
use sectile::core::{Document, Format};
use sectile::store::VectorEncoding;
use sectile::{Library, SearchMode, SearchRequest};
use sectile_benches::noise::Noise;
use sectile_eval::GainForm;

/// How many bytes a section has at least, which makes it one chunk as a rule.
const SECTION: usize = 1_200;

/// How many sections a document has.
const SECTIONS: usize = 20;

/// How many documents are written at once.
const TOGETHER: usize = 50;

/// How often each question is asked, if not told.
const ROUNDS: usize = 3;

/// How many questions there are of so many words.
const QUESTIONS: usize = 100;
const WORDS: [usize; 3] = [1, 3, 12];

/// How many numbers a vector has, as all-MiniLM-L6-v2 makes them.
const DIMENSIONS: usize = 384;

const COLLECTION: &str = "scale";

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let usage = "scale URL CHUNKS [--vectors | --int8] [--repeat ROUNDS], with SECTILE_CORPUS";
    let url = arguments.next().context(usage)?;
    let chunks: usize = arguments.next().context(usage)?.parse()?;
    let (mut encoding, mut rounds) = (None, ROUNDS);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--vectors" => encoding = Some(VectorEncoding::Float32),
            "--int8" => encoding = Some(VectorEncoding::Int8),
            "--repeat" => rounds = arguments.next().context(usage)?.parse()?,
            _ => anyhow::bail!(usage),
        }
    }
    anyhow::ensure!(rounds > 0, usage);
    let corpus = PathBuf::from(std::env::var_os("SECTILE_CORPUS").context(usage)?);
    let mut source = Source::read(&corpus)?;
    tokio::runtime::Runtime::new()?.block_on(async {
        let library = Library::open(&url).await?;
        if library.totals().await?.chunks < chunks {
            write(&library, &mut source, chunks).await?;
        }
        ask(&library, &corpus, SearchMode::Text, rounds).await?;
        for words in WORDS {
            ask_words(&library, &mut source, words, rounds).await?;
        }
        if let Some(encoding) = encoding {
            let noise = Arc::new(Noise::new(DIMENSIONS));
            let library = library.with_vector_encoding(encoding).with_embedder(noise);
            embed(&library, encoding).await?;
            ask(&library, &corpus, SearchMode::Vector, rounds).await?;
            ask(&library, &corpus, SearchMode::Hybrid, rounds).await?;
        }
        Ok(())
    })
}

/// Paragraphs, and chance, which is the same each time.
struct Source {
    paragraphs: Vec<String>,
    chance: u64,
}

impl Source {
    fn read(corpus: &Path) -> anyhow::Result<Self> {
        let mut paragraphs = Vec::new();
        let mut folders = vec![
            corpus.join("markdown/files"),
            corpus.join("react-docs/pages"),
        ];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(text) = fs::read_to_string(&path) {
                    let plain = text.split("\n\n").filter(|part| !part.starts_with('#'));
                    paragraphs.extend(plain.map(|part| part.replace('\0', " ")));
                }
            }
        }
        paragraphs.sort_unstable();
        let chance = 0x9e37_79b9_7f4a_7c15;
        Ok(Self { paragraphs, chance })
    }

    /// A number below `limit`, by the generator xorshift64.
    fn below(&mut self, limit: usize) -> usize {
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        (self.chance % limit as u64) as usize
    }

    /// Words of a paragraph.
    fn question(&mut self, words: usize) -> String {
        let mut question: Vec<String> = Vec::new();
        while question.len() < words {
            let at = self.below(self.paragraphs.len());
            let paragraph = self.paragraphs[at].split(|c: char| !c.is_ascii_alphabetic());
            let of: Vec<String> = paragraph
                .filter(|word| word.len() > 3)
                .map(str::to_owned)
                .collect();
            if !of.is_empty() {
                let start = self.below(of.len());
                question.extend(of.into_iter().skip(start).take(words - question.len()));
            }
        }
        question.join(" ")
    }

    fn section(&mut self, number: usize) -> String {
        let mut text = format!("# Section {number}\n\n");
        let end = text.len() + SECTION;
        while text.len() < end {
            let at = self.below(self.paragraphs.len());
            let paragraph = &self.paragraphs[at];
            let length = paragraph.floor_char_boundary(end + 200 - text.len().min(end));
            text.push_str(&paragraph[..length]);
            text.push_str("\n\n");
        }
        text
    }

    fn document(&mut self, number: usize) -> (String, Document) {
        let text: String = (0..SECTIONS).map(|section| self.section(section)).collect();
        let document = Document {
            outline: markdown_outline(&text),
            format: Format::Markdown,
            text,
            ..Document::default()
        };
        (format!("doc/{number:06}"), document)
    }
}

async fn write(library: &Library, source: &mut Source, chunks: usize) -> anyhow::Result<()> {
    let (start, mut bytes, mut number) = (Instant::now(), 0, 0);
    while library.totals().await?.chunks < chunks {
        let documents: Vec<_> = (number..number + TOGETHER)
            .map(|number| source.document(number))
            .collect();
        number += TOGETHER;
        bytes += documents
            .iter()
            .map(|(_, document)| document.text.len())
            .sum::<usize>();
        library.add(COLLECTION, &documents).await?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    library.store().optimize().await?;
    let totals = library.totals().await?;
    println!(
        "{} chunks of {number} documents in {seconds:.1} s: {:.0} a second; optimized in {:.1} s; \
         {:.2} bytes a byte of text",
        totals.chunks,
        totals.chunks as f64 / seconds,
        start.elapsed().as_secs_f64(),
        totals.bytes as f64 / bytes as f64
    );
    Ok(())
}

/// Makes the vectors that are missing.
async fn embed(library: &Library, encoding: VectorEncoding) -> anyhow::Result<()> {
    let start = Instant::now();
    let count = library.embed(COLLECTION, &|_| ()).await?.embedded;
    let seconds = start.elapsed().as_secs_f64();
    let totals = library.totals().await?;
    println!(
        "{count} vectors in {seconds:.1} s: {:.0} a second; {} of {} bytes each, {:.1} MB in all",
        count as f64 / seconds,
        totals.vectors,
        encoding.bytes(DIMENSIONS),
        totals.bytes as f64 / 1e6
    );
    Ok(())
}

async fn ask(
    library: &Library,
    corpus: &Path,
    mode: SearchMode,
    rounds: usize,
) -> anyhow::Result<()> {
    let questions = corpus.join("react-docs/queries.jsonl");
    let questions = sectile_eval::read_questions(&questions, GainForm::default())?;
    let mut times = Vec::new();
    // The first question of a process reads the vectors.
    let first = SearchRequest::new(&questions[0].text).with_mode(mode);
    let start = Instant::now();
    library.search(&first).await?;
    let first = start.elapsed().as_secs_f64() * 1e3;
    for _ in 0..rounds {
        for question in &questions {
            let start = Instant::now();
            let request = SearchRequest::new(&question.text).with_mode(mode);
            library.search(&request).await?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    times.sort_by(f64::total_cmp);
    let part = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!(
        "{mode}, {} questions: median {:.1} ms, 90 % within {:.1} ms, longest {:.1} ms; the first {first:.1} ms",
        questions.len(),
        part(50),
        part(90),
        part(100)
    );
    Ok(())
}

/// Asks for words, and prints how long each round took.
async fn ask_words(
    library: &Library,
    source: &mut Source,
    words: usize,
    rounds: usize,
) -> anyhow::Result<()> {
    let questions: Vec<String> = (0..QUESTIONS).map(|_| source.question(words)).collect();
    for round in 1..=rounds {
        let mut times = Vec::new();
        for question in &questions {
            let start = Instant::now();
            library.search(&SearchRequest::new(question)).await?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let part = |percent: usize| times[(times.len() - 1) * percent / 100];
        println!(
            "{words} words, round {round}: p50 {:.3} ms, p95 {:.3} ms, longest {:.2} ms",
            part(50),
            part(95),
            part(100)
        );
    }
    Ok(())
}
