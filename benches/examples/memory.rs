//! How much memory a text of 100 MB takes while it is cut, as a whole and in parts (Linux only).
//!
//! ```text
//! cargo run --release -p sectile-benches --example memory
//! ```

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::fs;
use std::sync::Arc;

use anyhow::Context as _;
use sectile::chunk::{
    Bpe, Characters, Chunks, Heuristic, RecursiveCharacterTextSplitter, SentenceChunker, Stream,
    TokenChunker, TokenCounter as _,
};
use sectile_benches::synthetic;

const TEXT_BYTES: usize = 100_000_000;
const PART_BYTES: usize = 1 << 16;

fn main() -> anyhow::Result<()> {
    let text = synthetic::document(0, TEXT_BYTES);
    println!(
        "kB at the peak beyond the text of {} kB\n",
        text.len() / 1024
    );
    println!("{:24} {:>10} {:>10}", "", "iter", "stream");
    report_by_characters(&text)?;
    // What a vocabulary takes once is not what a text takes.
    Bpe::cl100k_base().count("text");
    report_by_tokens(&text)
}

fn report_by_characters(text: &str) -> anyhow::Result<()> {
    let splitter = RecursiveCharacterTextSplitter::new(1_000, 200)?;
    report(
        "recursive 1000/200",
        text,
        splitter.iter(text),
        splitter.stream(),
    )?;
    let sentences = SentenceChunker::new(1_000)?;
    let (iter, stream) = (
        sentences.iter(text, &Characters),
        sentences.stream(&Characters),
    );
    report("sentence 1000", text, iter, stream)?;
    let windows = TokenChunker::new(512, 64)?;
    let (iter, stream) = (windows.iter(text, &Heuristic), windows.stream(&Heuristic));
    report("token heuristic 512/64", text, iter, stream)
}

fn report_by_tokens(text: &str) -> anyhow::Result<()> {
    let cl100k = Bpe::cl100k_base();
    let splitter = RecursiveCharacterTextSplitter::new(512, 64)?.with_length(Arc::new(cl100k));
    report(
        "recursive cl100k 512/64",
        text,
        splitter.iter(text),
        splitter.stream(),
    )?;
    let windows = TokenChunker::new(512, 64)?;
    let (iter, stream) = (windows.iter(text, &cl100k), windows.stream(&cl100k));
    report("token cl100k 512/64", text, iter, stream)
}

/// Prints what memory it takes to make all chunks and drop them.
fn report(name: &str, text: &str, iter: Chunks<'_, '_>, stream: Stream<'_>) -> anyhow::Result<()> {
    let whole = peak(|| iter.count())?;
    let parts = peak(|| count_parts(stream, text))?;
    println!("{name:24} {whole:>10} {parts:>10}");
    Ok(())
}

fn count_parts(mut stream: Stream<'_>, text: &str) -> usize {
    let (mut count, mut rest) = (0, text);
    while !rest.is_empty() {
        let (part, after) = rest.split_at(rest.floor_char_boundary(PART_BYTES));
        count += stream.push(part).len();
        rest = after;
    }
    count + stream.finish().len()
}

/// Returns how many kB more than before are resident at the peak of `work`, beyond what was free.
fn peak(work: impl FnOnce() -> usize) -> anyhow::Result<usize> {
    // Makes the peak what is resident now; see proc_pid_clear_refs(5).
    fs::write("/proc/self/clear_refs", "5").context("this takes Linux")?;
    let before = status("VmRSS:")?;
    work();
    Ok(status("VmHWM:")?.saturating_sub(before))
}

/// Reads a number of kB from the status of this process.
fn status(field: &str) -> anyhow::Result<usize> {
    let status = fs::read_to_string("/proc/self/status").context("this takes Linux")?;
    let value = status.lines().find_map(|line| line.strip_prefix(field));
    let value = value.with_context(|| format!("there is no {field}"))?;
    Ok(value.trim().trim_end_matches(" kB").parse()?)
}
