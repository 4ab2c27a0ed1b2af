//! How fast files become a store that can be searched, in bytes of text per second.

use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode, Throughput};
use sectile_benches::corpus::{self, Corpus};
use sectile_benches::scratch::Scratch;
use tokio::runtime::Runtime;

fn main() -> anyhow::Result<()> {
    let corpus = Corpus::from_env()?;
    let mut criterion = Criterion::default().configure_from_args();
    bench(&mut criterion, "tenth", &corpus.tenth())?;
    bench(&mut criterion, "full", &corpus)?;
    criterion.final_summary();
    Ok(())
}

fn bench(criterion: &mut Criterion, name: &str, corpus: &Corpus) -> anyhow::Result<()> {
    let runtime = Runtime::new()?;
    let files = tempfile::tempdir()?;
    corpus.write_to(files.path())?;
    let mut group = criterion.benchmark_group(format!("ingest {}", corpus::kind()));
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_secs(10));
    group.throughput(Throughput::Bytes(corpus.bytes() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|count| {
            let times = (0..count).map(|_| ingest(&runtime, files.path()));
            times
                .sum::<anyhow::Result<Duration>>()
                .expect("the corpus can be ingested")
        });
    });
    group.finish();
    Ok(())
}

/// Ingests into a new store; only the ingest itself counts.
fn ingest(runtime: &Runtime, files: &Path) -> anyhow::Result<Duration> {
    let scratch = runtime.block_on(Scratch::new())?;
    let start = Instant::now();
    runtime.block_on(scratch.ingest(files))?;
    Ok(start.elapsed())
}
