//! How many instructions the hot paths take, which does not depend on what else the machine does. `scripts/count-instructions`
//! runs this under valgrind and compares the figures with those of `benches/instructions/figures.json`.

#![expect(missing_docs, reason = "the macros make items")]

use std::hint::black_box;
use std::path::Path;

use gungraun::{
    Callgrind, EntryPoint, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main,
};
use sectile::SearchRequest;
use sectile::chunk::{
    Bpe, CharacterTextSplitter, Characters, Heuristic, Language, MarkdownChunker,
    MarkdownChunkerConfig, MarkdownHeaderTextSplitter, RecursiveCharacterTextSplitter,
    RecursiveJsonSplitter, SectionOptions, SentenceChunker, TokenChunker, TokenCounter as _,
    markdown_outline, sections,
};
use sectile::load::{FileLoader, LoadOptions};
use sectile_benches::scratch::Scratch;
use sectile_benches::synthetic;
use sectile_checkpoint::{Checkpoint, Checkpointer as _};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

/// The size of the text that is cut, in bytes.
const TEXT: usize = 200_000;

/// How many documents are searched, which are of that size together.
const DOCUMENTS: u64 = 20;

/// How often each question is asked: so often that what is taken off for the store, which several threads make, and which
/// differs from run to run, says little.
const SEARCHES: usize = 600;

/// How many messages the state has that is saved.
const MESSAGES: u64 = 100;

const PDF: &[u8] = include_bytes!("../../crates/sectile-load/tests/fixtures/three-levels.pdf");
const DOCX: &[u8] = include_bytes!("../../crates/sectile-load/tests/fixtures/nested-table.docx");

fn text() -> String {
    synthetic::document(1, TEXT)
}

fn text_and_cl100k() -> (String, Bpe) {
    (text(), with_its_table(Bpe::cl100k_base()))
}

fn text_and_o200k() -> (String, Bpe) {
    (text(), with_its_table(Bpe::o200k_base()))
}

/// Counts once, as the table of the tokens is unpacked for the first text.
fn with_its_table(counter: Bpe) -> Bpe {
    black_box(counter.count("a text"));
    counter
}

fn code() -> String {
    let function = |number: usize| {
        format!(
            "/// Adds {number}.\npub fn add_{number}(value: usize) -> usize {{\n    value + {number}\n}}\n\n"
        )
    };
    (0..TEXT / 80).map(function).collect()
}

fn records() -> String {
    let record = |number| {
        (
            format!("record {number}"),
            json!({"name": "widget", "size": [1, 2, number]}),
        )
    };
    let records: Map<String, Value> = (0..TEXT / 50).map(record).collect();
    Value::from(records).to_string()
}

#[library_benchmark]
#[bench::of_200_kb(setup = text)]
fn character(text: String) -> usize {
    let splitter = CharacterTextSplitter::new("\n\n", 1_000, 200).expect("the sizes fit");
    splitter.chunks(black_box(&text)).len()
}

#[library_benchmark]
#[bench::of_200_kb(setup = text)]
fn recursive(text: String) -> usize {
    let splitter = RecursiveCharacterTextSplitter::new(1_000, 200).expect("the sizes fit");
    splitter.chunks(black_box(&text)).len()
}

#[library_benchmark]
#[bench::of_200_kb(setup = code)]
fn recursive_code(code: String) -> usize {
    let splitter = RecursiveCharacterTextSplitter::from_language(Language::Rust, 1_000, 0);
    splitter
        .expect("the sizes fit")
        .chunks(black_box(&code))
        .len()
}

#[library_benchmark]
#[bench::of_200_kb(setup = text)]
fn sentences(text: String) -> usize {
    let chunker = SentenceChunker::default();
    chunker.chunks(black_box(&text), &Heuristic).len()
}

#[library_benchmark]
#[bench::cl100k_of_200_kb(setup = text_and_cl100k)]
fn tokens((text, counter): (String, Bpe)) -> usize {
    let chunker = TokenChunker::new(512, 64).expect("the sizes fit");
    chunker.iter(black_box(&text), &counter).count()
}

#[library_benchmark]
#[bench::of_200_kb(setup = text)]
fn markdown(text: String) -> usize {
    let chunker = MarkdownChunker::new(MarkdownChunkerConfig::default()).expect("the sizes fit");
    chunker.iter(black_box(&text), &Characters).count()
}

#[library_benchmark]
#[bench::of_200_kb(setup = text)]
fn markdown_headers(text: String) -> usize {
    let splitter = MarkdownHeaderTextSplitter::new([("#", "1"), ("##", "2"), ("###", "3")]);
    splitter.split(black_box(&text)).len()
}

#[library_benchmark]
#[bench::of_200_kb(setup = records)]
fn json_values(records: String) -> usize {
    let splitter = RecursiveJsonSplitter::new(1_000).expect("the size fits");
    splitter
        .split_text(black_box(&records))
        .expect("it is JSON")
        .len()
}

#[library_benchmark]
#[bench::of_200_kb(setup = text)]
fn section_tree(text: String) -> usize {
    let outline = markdown_outline(black_box(&text));
    let tree = sections(
        "document",
        &text,
        &outline,
        &SectionOptions::default(),
        &Characters,
    );
    tree.map_or(0, |tree| tree.sections.len())
}

#[library_benchmark]
#[bench::o200k_of_200_kb(setup = text_and_o200k)]
fn count((text, counter): (String, Bpe)) -> usize {
    counter.count(black_box(&text))
}

#[library_benchmark]
#[bench::nothing("a.pdf", PDF, 0)]
#[bench::pdf("a.pdf", PDF, 10)]
#[bench::docx("a.docx", DOCX, 10)]
fn extract(name: &str, bytes: &[u8], times: usize) {
    let loader = FileLoader::new(LoadOptions::default());
    for _ in 0..times {
        let document = loader.load_bytes(black_box(bytes), Path::new(name));
        black_box(document.expect("the file is sound"));
    }
}

fn runtime() -> Runtime {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.expect("the system has a clock")
}

fn files(documents: u64) -> TempDir {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    for number in 0..documents {
        let path = folder.path().join(format!("{number:03}.md"));
        std::fs::write(path, synthetic::document(number, TEXT / documents as usize))
            .expect("the folder is ours");
    }
    folder
}

fn files_to_ingest(times: usize) -> (TempDir, usize) {
    with_its_table(Bpe::o200k_base());
    // One document: several are written together or apart, as time goes by.
    (files(1), times)
}

#[library_benchmark]
#[bench::nothing(args = (0), setup = files_to_ingest)]
#[bench::of_200_kb(args = (1), setup = files_to_ingest)]
fn ingest((files, times): (TempDir, usize)) {
    for _ in 0..times {
        runtime().block_on(ingested(&files));
    }
}

async fn ingested(files: &TempDir) -> Scratch {
    let scratch = Scratch::new().await.expect("the folder is ours");
    let done = scratch.ingest(files.path()).await;
    done.expect("the files are sound");
    scratch
}

/// A store of documents that can be searched.
struct Searched {
    runtime: Runtime,
    scratch: Scratch,
}

impl Searched {
    fn new() -> Self {
        let runtime = runtime();
        let scratch = runtime.block_on(ingested(&files(DOCUMENTS)));
        // However many parts the ingest wrote, one is searched.
        let optimized = runtime.block_on(scratch.library().store().optimize());
        optimized.expect("the store can be written");
        let searched = Self { runtime, scratch };
        // The first search reads what the others have at hand.
        searched.ask("transaction");
        searched
    }

    fn ask(&self, question: &str) {
        let request = SearchRequest::new(question);
        let found = self
            .runtime
            .block_on(self.scratch.library().search(&request));
        black_box(found.expect("the store can be searched"));
    }
}

fn questions(question: &'static str, times: usize) -> (Searched, &'static str, usize) {
    (Searched::new(), question, times)
}

#[library_benchmark]
#[bench::nothing(args = ("", 0), setup = questions)]
#[bench::one_word(args = ("transaction", SEARCHES), setup = questions)]
#[bench::three_words(args = ("deploy contract network", SEARCHES), setup = questions)]
#[bench::twelve_words(
    args = ("how do I read the state of a transaction when the contract returns", SEARCHES),
    setup = questions
)]
fn search((searched, question, times): (Searched, &str, usize)) {
    for _ in 0..times {
        searched.ask(question);
    }
}

/// A file of checkpoints of which a thread has some.
struct Saved {
    runtime: Runtime,
    checkpointer: SqliteCheckpointer,
    checkpoint: Checkpoint<Value>,
    _folder: TempDir,
}

impl Saved {
    fn new() -> Self {
        let runtime = runtime();
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        let url = format!("sqlite:{}", folder.path().join("checkpoints.db").display());
        let checkpointer = runtime.block_on(async {
            let opened = SqliteCheckpointer::builder(&url).connect().await;
            let checkpointer = opened.expect("the folder is ours");
            checkpointer.migrate().await.expect("the file is new");
            checkpointer
        });
        let message = |number| json!({"role": "user", "content": synthetic::document(number, 300)});
        let messages: Vec<Value> = (0..MESSAGES).map(message).collect();
        let saved = Self {
            runtime,
            checkpointer,
            checkpoint: Checkpoint::new("thread", json!({ "messages": messages })),
            _folder: folder,
        };
        // The first ones prepare what the others have at hand.
        for _ in 0..10 {
            saved.save();
            saved.load();
        }
        saved
    }

    fn save(&self) {
        let saved = self
            .runtime
            .block_on(self.checkpointer.save(&self.checkpoint));
        saved.expect("the state can be saved");
    }

    fn load(&self) {
        let loaded = self.runtime.block_on(self.checkpointer.load("thread"));
        let loaded: Option<Checkpoint<Value>> = loaded.expect("the thread can be loaded");
        black_box(loaded);
    }
}

fn thread(times: usize) -> (Saved, usize) {
    (Saved::new(), times)
}

#[library_benchmark]
#[bench::nothing(args = (0), setup = thread)]
#[bench::of_30_kb(args = (200), setup = thread)]
fn save((saved, times): (Saved, usize)) {
    for _ in 0..times {
        saved.save();
    }
}

#[library_benchmark]
#[bench::nothing(args = (0), setup = thread)]
#[bench::of_30_kb(args = (200), setup = thread)]
fn load((saved, times): (Saved, usize)) {
    for _ in 0..times {
        saved.load();
    }
}

/// Counts all that a process does, as others than its first thread take part. What comes before is counted as `nothing`,
/// to be taken off.
fn on_threads() -> LibraryBenchmarkConfig {
    config(EntryPoint::None)
}

/// Counts what a bench does on its thread, without what prepares it.
fn on_one_thread() -> LibraryBenchmarkConfig {
    config(EntryPoint::Default)
}

fn config(entry: EntryPoint) -> LibraryBenchmarkConfig {
    let mut callgrind = Callgrind::with_args(["--cache-sim=no"]);
    callgrind.entry_point(entry);
    let mut config = LibraryBenchmarkConfig::default();
    config.tool(callgrind);
    config
}

library_benchmark_group!(
    name = text,
    config = on_one_thread(),
    benchmarks = [
        character,
        recursive,
        recursive_code,
        sentences,
        tokens,
        markdown,
        markdown_headers,
        json_values,
        section_tree,
        count
    ]
);
library_benchmark_group!(
    name = threads,
    config = on_threads(),
    benchmarks = [extract, ingest, search, save, load]
);

main!(library_benchmark_groups = [text, threads]);
