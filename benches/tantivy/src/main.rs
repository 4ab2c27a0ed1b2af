//! Ingests folders with Sectile, gives the same chunks to tantivy, and asks both the same words in turn.
//!
//! ```text
//! tantivy-peer [--repeat ROUNDS] FOLDER…
//! ```
//!
//! Sectile answers with hits and snippets; tantivy, which keeps the chunks too, with the text of each hit. It
//! has two fields, the heading path with weight 5 and the text, both stemmed. Processor time is that of all
//! threads; tantivy is given ready chunks.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use sectile::core::EmbeddingModel;
use sectile::store::VectorEncoding;
use sectile::{Library, SearchRequest};
use tantivy::collector::TopDocs;
use tantivy::query::QueryParser;
use tantivy::schema::{IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value as _};
use tantivy::{Index, ReloadPolicy, TantivyDocument};

const COLLECTION: &str = "default";

/// How many questions there are of so many words.
const QUESTIONS: usize = 100;
const WORDS: [usize; 3] = [1, 3, 12];

/// How many chunks are read at once.
const TOGETHER: usize = 10_000;

/// A chunk: its heading path and its text.
type Chunk = (String, String);

fn main() -> anyhow::Result<()> {
    let (mut rounds, mut folders) = (3, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--repeat" {
            rounds = arguments.next().context("--repeat needs a number")?.parse()?;
        } else {
            folders.push(PathBuf::from(argument));
        }
    }
    anyhow::ensure!(!folders.is_empty(), "name the folders to be indexed");
    let place = tempfile::tempdir()?;
    let runtime = tokio::runtime::Runtime::new()?;
    let library = runtime.block_on(ingest(place.path(), &folders))?;
    let chunks = runtime.block_on(chunks(&library))?;
    let bytes: usize = chunks.iter().map(|(_, text)| text.len()).sum();
    println!("{} chunks, {:.1} MB with what overlaps", chunks.len(), bytes as f64 / 1e6);
    let tantivy = Tantivy::new(&place.path().join("tantivy"), &chunks)?;
    let mut chance = 0x9e37_79b9_7f4a_7c15;
    for words in WORDS {
        let questions = (0..QUESTIONS).map(|_| question(&chunks, words, &mut chance));
        let questions: Vec<String> = questions.collect();
        for round in 1..=rounds {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for question in &questions {
                let start = Instant::now();
                runtime.block_on(library.search(&SearchRequest::new(question)))?;
                ours.push(start.elapsed().as_secs_f64() * 1e3);
                let start = Instant::now();
                tantivy.search(question)?;
                theirs.push(start.elapsed().as_secs_f64() * 1e3);
            }
            println!(
                "{words} words, round {round}: sectile {}, tantivy {}",
                percentiles(ours),
                percentiles(theirs)
            );
        }
    }
    Ok(())
}

fn percentiles(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    let part = |percent: usize| times[(times.len() - 1) * percent / 100];
    format!("p50 {:.3} p95 {:.3} ms", part(50), part(95))
}

async fn ingest(place: &Path, folders: &[PathBuf]) -> anyhow::Result<Library> {
    let url = format!("sqlite:{}", place.join("store.db").display());
    let library = Library::open(&url).await?;
    let before = processor_seconds()?;
    let report = library.ingest(COLLECTION, folders, &|_| ()).await?;
    let seconds = processor_seconds()? - before;
    library.store().optimize().await?;
    let text = text_bytes(&library).await?;
    println!(
        "sectile: {} files, {:.1} MB of text in {seconds:.1} processor seconds: {:.1} MB a second; \
         {:.2} bytes a byte of text",
        report.added,
        text / 1e6,
        text / 1e6 / seconds,
        library.totals().await?.bytes as f64 / text
    );
    Ok(library)
}

async fn text_bytes(library: &Library) -> anyhow::Result<f64> {
    let mut bytes = 0;
    let store = library.store();
    for document in store.documents(&sectile::Scope::all()).await? {
        let content = store.content(document.id, 0..document.sections).await?;
        bytes += content.iter().map(String::len).sum::<usize>();
    }
    Ok(bytes as f64)
}

async fn chunks(library: &Library) -> anyhow::Result<Vec<Chunk>> {
    // Chunks wait for vectors as soon as their collection has a model.
    let model = EmbeddingModel { name: "none".into(), dimensions: 1, is_normalized: false };
    library.store().set_model(COLLECTION, &model, VectorEncoding::Float32).await?;
    let (mut all, mut last) = (Vec::new(), None);
    loop {
        let pending = library.store().pending(COLLECTION, last.as_ref(), TOGETHER);
        let pending = pending.await?;
        let Some(end) = pending.last() else {
            library.store().remove_vectors(COLLECTION).await?;
            return Ok(all);
        };
        last = Some(end.chunk.clone());
        let chunk = |of: sectile::store::PendingChunk| (of.heading_path.join("\n"), of.text);
        all.extend(pending.into_iter().map(chunk));
    }
}

/// Returns words of a chunk, chosen by chance that is the same each time.
fn question(chunks: &[Chunk], words: usize, chance: &mut u64) -> String {
    let mut below = |limit: usize| {
        *chance ^= *chance << 13;
        *chance ^= *chance >> 7;
        *chance ^= *chance << 17;
        (*chance % limit as u64) as usize
    };
    let mut question: Vec<&str> = Vec::new();
    while question.len() < words {
        let text = &chunks[below(chunks.len())].1;
        let of = text.split(|c: char| !c.is_ascii_alphabetic());
        let of: Vec<&str> = of.filter(|word| word.len() > 3).collect();
        if !of.is_empty() {
            let start = below(of.len());
            question.extend(of[start..].iter().take(words - question.len()));
        }
    }
    question.join(" ")
}

/// Returns the processor time of this process, in seconds.
fn processor_seconds() -> anyhow::Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let (_, after) = stat.rsplit_once(')').context("no times in /proc/self/stat")?;
    let ticks = |at| after.split_whitespace().nth(at).and_then(|of| of.parse::<f64>().ok());
    let both = ticks(11).zip(ticks(12)).context("no times in /proc/self/stat")?;
    // There are a hundred a second wherever Linux runs.
    Ok((both.0 + both.1) / 100.0)
}

struct Tantivy {
    reader: tantivy::IndexReader,
    parser: QueryParser,
}

impl Tantivy {
    fn new(place: &Path, chunks: &[Chunk]) -> anyhow::Result<Self> {
        fs::create_dir_all(place)?;
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("en_stem")
            .set_index_option(IndexRecordOption::WithFreqsAndPositions);
        let options = TextOptions::default().set_indexing_options(indexing) | STORED;
        let mut schema = Schema::builder();
        let path = schema.add_text_field("path", options.clone());
        let text = schema.add_text_field("text", options);
        let index = Index::create_in_dir(place, schema.build())?;
        let before = processor_seconds()?;
        let mut writer = index.writer_with_num_threads(1, 256 << 20)?;
        for (of_path, of_text) in chunks {
            writer.add_document(tantivy::doc!(path => of_path.as_str(), text => of_text.as_str()))?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let seconds = processor_seconds()? - before;
        let bytes: usize = chunks.iter().map(|(_, text)| text.len()).sum();
        let files = fs::read_dir(place)?.map(|entry| Ok(entry?.metadata()?.len()));
        let size: u64 = files.sum::<anyhow::Result<u64>>()?;
        println!(
            "tantivy: {seconds:.1} processor seconds: {:.1} MB a second; {:.2} bytes a byte of text",
            bytes as f64 / 1e6 / seconds,
            size as f64 / bytes as f64
        );
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        let mut parser = QueryParser::for_index(&index, vec![path, text]);
        parser.set_field_boost(path, 5.0);
        Ok(Self { reader, parser })
    }

    fn search(&self, question: &str) -> anyhow::Result<usize> {
        let searcher = self.reader.searcher();
        let query = self.parser.parse_query_lenient(question).0;
        let found = searcher.search(&query, &TopDocs::with_limit(10).order_by_score())?;
        let mut bytes = 0;
        for (_, address) in found {
            let document: TantivyDocument = searcher.doc(address)?;
            bytes += document.field_values().count();
            let strings = document.field_values().filter_map(|(_, value)| value.as_str());
            bytes += strings.map(str::len).sum::<usize>();
        }
        Ok(bytes)
    }
}
