//! How fast one large document is cut, against as much text in small documents.
//!
//! ```text
//! SECTILE_CORPUS=PATH cargo run --release -p sectile-benches --example one_document
//! ```

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use sectile::chunk::{
    Bpe, Characters, RecursiveCharacterTextSplitter, SentenceChunker, TokenChunker,
};
use sectile_benches::corpus::Corpus;

/// The size of the large document, and that of a small one, which is no less than its paragraph.
const LARGE_BYTES: usize = 23_000_000;
const SMALL_BYTES: usize = 12_000;

const ROUNDS: usize = 9;

fn main() -> anyhow::Result<()> {
    let large = Corpus::from_env()?.text(LARGE_BYTES);
    let small = documents(&large);
    println!(
        "one document of {} bytes, {} small ones\n",
        large.len(),
        small.len()
    );
    println!(
        "{:24} {:>10} {:>10} {:>10}",
        "", "one, MB/s", "small", "ratio"
    );
    let splitter = RecursiveCharacterTextSplitter::new(1_000, 200)?;
    report("recursive 1000/200", &large, &small, |text| {
        splitter.iter(text).count()
    });
    let sentences = SentenceChunker::new(1_000)?;
    report("sentence 1000", &large, &small, |text| {
        sentences.iter(text, &Characters).count()
    });
    let cl100k = Bpe::cl100k_base();
    let splitter = RecursiveCharacterTextSplitter::new(512, 64)?.with_length(Arc::new(cl100k));
    report("recursive cl100k 512/64", &large, &small, |text| {
        splitter.iter(text).count()
    });
    let windows = TokenChunker::new(512, 64)?;
    report("token cl100k 512/64", &large, &small, |text| {
        windows.iter(text, &cl100k).count()
    });
    Ok(())
}

/// Cuts a text after paragraphs.
fn documents(text: &str) -> Vec<&str> {
    let (mut documents, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let least = rest.ceil_char_boundary(SMALL_BYTES);
        let end = rest[least..]
            .find("\n\n")
            .map_or(rest.len(), |at| least + at + 2);
        let (document, after) = rest.split_at(end);
        documents.push(document);
        rest = after;
    }
    documents
}

/// Prints the median speeds, and the median of the rounds' ratios, in which the machine's changing
/// load matters least.
fn report(name: &str, large: &str, small: &[&str], cut: impl Fn(&str) -> usize) {
    let time = |texts: &[&str]| {
        let start = Instant::now();
        for text in texts {
            black_box(cut(black_box(text)));
        }
        large.len() as f64 / 1e6 / start.elapsed().as_secs_f64()
    };
    let rounds: Vec<_> = (0..ROUNDS).map(|_| (time(&[large]), time(small))).collect();
    let one = median(rounds.iter().map(|round| round.0));
    let many = median(rounds.iter().map(|round| round.1));
    let ratio = median(rounds.iter().map(|round| round.0 / round.1));
    println!("{name:24} {one:>10.1} {many:>10.1} {ratio:>10.2}");
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
