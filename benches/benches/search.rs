//! How long a question takes, by kind of question, on a store and on one of a tenth of the size; and
//! in made-up documents of 1,000 and of 10,000 chunks; how fast vectors are compared; and what the spans of a search
//! and of a save cost where nobody listens.

use std::hint::black_box;
use std::time::Duration;

use anyhow::Context as _;
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use sectile::chunk::markdown_outline;
use sectile::core::{Document, Format};
use sectile::store::{Matrix, VectorEncoding, normalized};
use sectile::{Hit, Library, SearchRequest};
use sectile_benches::corpus::{self, Corpus};
use sectile_benches::noise::Noise;
use sectile_benches::scratch::Scratch;
use sectile_benches::synthetic;
use tokio::runtime::Runtime;
use tracing::field::Empty;
use tracing::{debug_span, info_span};

/// How many vectors are compared, and how many numbers each has.
const VECTORS: [usize; 2] = [50_000, 500_000];
const DIMENSIONS: usize = 384;

const QUESTIONS: [(&str, &str); 10] = [
    ("word", "transaction"),
    ("short", "deploy contract"),
    (
        "question",
        "how do I read the state of an account when a transaction returns an error?",
    ),
    (
        "long",
        "I have a component that calls a function in an effect whenever the data that it renders \
         is loaded again from the network, and after some time the memory of the node grows until \
         the process is killed. How should I store the state, configure the index and query the \
         list of values in a graph so that each thread is searched once and no file is read twice?",
    ),
    ("identifier", "useState"),
    ("snake_case", "chunk_size read_chunks"),
    ("phrase", "\"state of the\" component"),
    ("excluded", "error AND network -contract"),
    ("stop_words", "what is this and when is that"),
    ("cjk", "検索する文書 配置"),
];

/// How many chunks there are at least.
const SIZES: [usize; 2] = [1_000, 10_000];

/// The size of a made-up document in bytes, and how many are written at once.
const DOCUMENT: usize = 15_000;
const TOGETHER: usize = 10;

fn main() -> anyhow::Result<()> {
    let corpus = Corpus::from_env()?;
    let mut criterion = Criterion::default().configure_from_args();
    bench_spans(&mut criterion);
    bench(&mut criterion, "tenth", &corpus.tenth())?;
    bench(&mut criterion, "full", &corpus)?;
    SIZES
        .into_iter()
        .try_for_each(|chunks| bench_size(&mut criterion, chunks))?;
    for count in VECTORS {
        bench_vectors(&mut criterion, count);
    }
    criterion.final_summary();
    Ok(())
}

fn bench(criterion: &mut Criterion, size: &str, corpus: &Corpus) -> anyhow::Result<()> {
    let runtime = Runtime::new()?;
    let scratch = filled(&runtime, corpus)?;
    let library = scratch.library();
    let mut group = criterion.benchmark_group(format!("search {}", corpus::kind()));
    group.sample_size(20).sampling_mode(SamplingMode::Flat);
    group
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    for (name, question) in QUESTIONS {
        group.bench_function(BenchmarkId::new(name, size), |bencher| {
            bencher.iter(|| ask(&runtime, library, question));
        });
    }
    group.bench_function(BenchmarkId::new("all_ten", size), |bencher| {
        bencher.iter(|| QUESTIONS.map(|(_, question)| ask(&runtime, library, question).len()));
    });
    group.finish();
    Ok(())
}

/// Compares a question's vector with all of a matrix, which should go at the rate of memory.
fn bench_vectors(criterion: &mut Criterion, count: usize) {
    let noise = Noise::new(DIMENSIONS);
    let question = normalized(&noise.vector("question")).expect("noise has a direction");
    let mut group = criterion.benchmark_group("vectors by number");
    group.sample_size(20).sampling_mode(SamplingMode::Flat);
    for encoding in [VectorEncoding::Float32, VectorEncoding::Int8] {
        let mut matrix = Matrix::new(encoding, DIMENSIONS);
        for number in 0..count {
            let vector = normalized(&noise.vector(&number.to_string()));
            let vector = encoding.encode(&vector.expect("noise has a direction"));
            matrix.push(&vector).expect("it is of this encoding");
        }
        group.throughput(Throughput::Bytes(
            (count * encoding.bytes(DIMENSIONS)) as u64,
        ));
        group.bench_function(BenchmarkId::new(encoding.name(), count), |bencher| {
            bencher.iter(|| {
                let mut best = f32::NEG_INFINITY;
                matrix.score(&question, |_| true, |_, score| best = best.max(score));
                best
            });
        });
    }
    group.finish();
}

fn bench_size(criterion: &mut Criterion, chunks: usize) -> anyhow::Result<()> {
    let runtime = Runtime::new()?;
    let scratch = runtime.block_on(of_size(chunks))?;
    let mut group = criterion.benchmark_group("search by size");
    group.sample_size(20).sampling_mode(SamplingMode::Flat);
    for (name, question) in &QUESTIONS[1..4] {
        group.bench_function(BenchmarkId::new(*name, chunks), |bencher| {
            bencher.iter(|| ask(&runtime, scratch.library(), question));
        });
    }
    group.finish();
    Ok(())
}

/// Makes a store of so many chunks, or a few more.
async fn of_size(chunks: usize) -> anyhow::Result<Scratch> {
    let scratch = Scratch::new().await?;
    let library = scratch.library();
    let mut numbers = 0..;
    while library.totals().await?.chunks < chunks {
        let documents: Vec<_> = numbers.by_ref().take(TOGETHER).map(document).collect();
        library.add("size", &documents).await?;
    }
    library.store().optimize().await?;
    Ok(scratch)
}

fn document(number: u64) -> (String, Document) {
    let text = synthetic::document(number, DOCUMENT);
    let document = Document {
        outline: markdown_outline(&text),
        format: Format::Markdown,
        text,
        ..Document::default()
    };
    (format!("document/{number:06}"), document)
}

/// Makes a store that holds the corpus.
fn filled(runtime: &Runtime, corpus: &Corpus) -> anyhow::Result<Scratch> {
    let files = tempfile::tempdir()?;
    corpus.write_to(files.path())?;
    let scratch = runtime.block_on(Scratch::new())?;
    runtime
        .block_on(scratch.ingest(files.path()))
        .context("the corpus cannot be ingested")?;
    Ok(scratch)
}

fn ask(runtime: &Runtime, library: &Library, question: &str) -> Vec<Hit> {
    let answer = runtime.block_on(library.search(&SearchRequest::new(question)));
    answer.expect("any question can be asked").hits
}

/// Makes the spans that a search and a save make.
fn bench_spans(criterion: &mut Criterion) {
    let request = SearchRequest::new("deploy contract");
    criterion.bench_function("spans/search", |bencher| {
        bencher.iter(|| {
            let (mode, limit) = (black_box(request.mode), request.limit);
            let search = info_span!("search", %mode, limit, hits = Empty);
            search.in_scope(|| debug_span!("search.leg", leg = "text").in_scope(|| black_box(())));
            search.record("hits", 10);
        });
    });
    criterion.bench_function("spans/save", |bencher| {
        let thread = black_box("a thread");
        bencher.iter(|| debug_span!("checkpoint.save", %thread).in_scope(|| black_box(())));
    });
}
