//! How fast text is cut, in bytes per second, at two sizes: all of it should be linear.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use sectile::chunk::{
    Bpe, Characters, Heuristic, MarkdownChunker, MarkdownChunkerConfig,
    RecursiveCharacterTextSplitter, SectionOptions, SentenceChunker, TokenChunker,
    markdown_outline, section_tree, sections,
};
use sectile_benches::corpus::{self, Corpus};

/// About the size of the smaller text; it ends a file before a heading, so it is less.
const SMALL_BYTES: usize = 1_000_000;

fn main() -> anyhow::Result<()> {
    let text = Corpus::from_env()?.text(SMALL_BYTES);
    // Another text of that size has more or fewer headings; the same one ten times does not.
    let texts = [("ten_times", text.repeat(10)), ("small", text)];
    let mut criterion = Criterion::default().configure_from_args();
    bench_recursive(&mut criterion, &texts)?;
    bench_sentence(&mut criterion, &texts)?;
    let windows = TokenChunker::new(512, 64)?;
    let cl100k = Bpe::cl100k_base();
    bench(&mut criterion, "token_cl100k_512_64", &texts, |text| {
        windows.iter(text, &cl100k).count()
    });
    bench_markdown(&mut criterion, &texts)?;
    bench_section_tree(&mut criterion, &texts);
    criterion.final_summary();
    Ok(())
}

fn bench_recursive(criterion: &mut Criterion, texts: &[(&str, String); 2]) -> anyhow::Result<()> {
    let by_characters = RecursiveCharacterTextSplitter::new(1_000, 200)?;
    bench(criterion, "recursive_1000_200", texts, |text| {
        by_characters.chunks(text).len()
    });
    let cl100k = Arc::new(Bpe::cl100k_base());
    let by_tokens = RecursiveCharacterTextSplitter::new(512, 64)?.with_length(cl100k);
    bench(criterion, "recursive_cl100k_512_64", texts, |text| {
        by_tokens.chunks(text).len()
    });
    Ok(())
}

fn bench_sentence(criterion: &mut Criterion, texts: &[(&str, String); 2]) -> anyhow::Result<()> {
    let by_characters = SentenceChunker::new(1_000)?;
    bench(criterion, "sentence_1000", texts, |text| {
        by_characters.chunks(text, &Characters).len()
    });
    let by_tokens = SentenceChunker::default();
    bench(criterion, "sentence_heuristic", texts, |text| {
        by_tokens.chunks(text, &Heuristic).len()
    });
    let exact = Bpe::o200k_base();
    bench(criterion, "sentence_o200k_base", texts, |text| {
        by_tokens.chunks(text, &exact).len()
    });
    Ok(())
}

fn bench_markdown(criterion: &mut Criterion, texts: &[(&str, String); 2]) -> anyhow::Result<()> {
    bench(criterion, "markdown_outline", texts, |text| {
        markdown_outline(text).len()
    });
    let by_characters = MarkdownChunker::new(MarkdownChunkerConfig {
        max_chunk_size: 1_000,
        ..MarkdownChunkerConfig::default()
    })?;
    bench(criterion, "markdown_1000_200", texts, |text| {
        by_characters.iter(text, &Characters).count()
    });
    let options = SectionOptions::default();
    bench(criterion, "sections_8192_chars", texts, |text| {
        let outline = markdown_outline(text);
        let tree = sections("document", text, &outline, &options, &Characters);
        tree.map_or(0, |tree| tree.sections.len())
    });
    Ok(())
}

fn bench(
    criterion: &mut Criterion,
    name: &str,
    texts: &[(&str, String); 2],
    cut: impl Fn(&str) -> usize,
) {
    for (size, text) in texts {
        bench_one(criterion, name, size, text, || cut(black_box(text)));
    }
}

fn bench_section_tree(criterion: &mut Criterion, texts: &[(&str, String); 2]) {
    for (size, text) in texts {
        let outline = markdown_outline(text);
        let cut = || {
            section_tree("document", black_box(text), &outline)
                .sections
                .len()
        };
        bench_one(criterion, "section_tree", size, text, cut);
    }
}

fn bench_one(
    criterion: &mut Criterion,
    name: &str,
    size: &str,
    text: &str,
    cut: impl Fn() -> usize,
) {
    let mut group = criterion.benchmark_group(format!("chunk {}", corpus::kind()));
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    group
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function(BenchmarkId::new(name, size), |bencher| bencher.iter(&cut));
    group.finish();
}
