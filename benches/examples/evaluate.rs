//! How well the library answers: Cranfield and the React questions, through `sectile::Library`.
//!
//! ```text
//! cargo run --release -p sectile-benches --example evaluate -- \
//!     --cranfield PATH --react PATH [--model PATH] [--store postgres://…] [--check] [--queries]
//! ```
//!
//! `--model` is the folder of an embedding model, with which vectors and fusion are measured, too.
//! `--store` measures in Postgres, where each collection gets a database schema of its own. `--check`
//! fails when a measure is below its bar or a question has no answer; `--queries` prints
//! the measures of each question.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use sectile::{DEFAULT_COLLECTION, GroupBy, Hit, SearchMode, SearchRequest, document_path};
use sectile_benches::collection::{self, JudgedQuery};
use sectile_benches::metrics::{Gains, mean, ndcg_at, recall_at, reciprocal_rank};
use sectile_benches::scratch::Scratch;

/// A measure of one question's ranking.
type Measure = fn(&[String], &Gains) -> f64;

/// The measures of Cranfield, with the least for text and for fusion.
const CRANFIELD: [Measured; 2] = [
    Measured {
        name: "nDCG@10",
        measure: |ranking, gains| ndcg_at(10, ranking, gains),
        text: Some(0.375),
        hybrid: Some(0.415),
    },
    Measured {
        name: "recall@100",
        measure: |ranking, gains| recall_at(100, ranking, gains),
        text: Some(0.74),
        hybrid: Some(0.785),
    },
];

/// Those of the React questions; fusion is to be no worse than text.
const REACT: [Measured; 2] = [
    Measured {
        name: "nDCG@5",
        measure: |ranking, gains| ndcg_at(5, ranking, gains),
        text: Some(0.72),
        hybrid: Some(0.722),
    },
    Measured {
        name: "MRR@5",
        measure: reciprocal_rank,
        text: None,
        hybrid: None,
    },
];

/// A measure, and the least it should be.
struct Measured {
    name: &'static str,
    measure: Measure,
    text: Option<f64>,
    hybrid: Option<f64>,
}

impl Measured {
    const fn least(&self, mode: SearchMode) -> Option<f64> {
        match mode {
            SearchMode::Text => self.text,
            SearchMode::Hybrid => self.hybrid,
            _ => None,
        }
    }
}

#[derive(Default)]
struct Options {
    cranfield: Option<PathBuf>,
    react: Option<PathBuf>,
    model: Option<PathBuf>,
    store: Option<String>,
    check: bool,
    queries: bool,
}

/// A question with the names of what it found, best first.
struct Answer {
    query: JudgedQuery,
    ranking: Vec<String>,
}

fn main() -> anyhow::Result<ExitCode> {
    let options = Options::parse(std::env::args().skip(1))?;
    let runtime = tokio::runtime::Runtime::new()?;
    let is_good = runtime.block_on(evaluate(&options))?;
    Ok(if is_good || !options.check {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<Self> {
        let mut options = Self::default();
        while let Some(argument) = arguments.next() {
            let mut path = || {
                arguments
                    .next()
                    .map(PathBuf::from)
                    .context("a path is missing")
            };
            match argument.as_str() {
                "--cranfield" => options.cranfield = Some(path()?),
                "--react" => options.react = Some(path()?),
                "--model" => options.model = Some(path()?),
                "--store" => options.store = Some(path()?.display().to_string()),
                "--check" => options.check = true,
                "--queries" => options.queries = true,
                other => anyhow::bail!("unknown argument `{other}`"),
            }
        }
        let is_nothing = options.cranfield.is_none() && options.react.is_none();
        anyhow::ensure!(!is_nothing, "give --cranfield PATH, --react PATH or both");
        Ok(options)
    }
}

/// Prints the measures and says whether all reach their bars.
async fn evaluate(options: &Options) -> anyhow::Result<bool> {
    let mut is_good = true;
    println!(
        "{:<12}{:>9}  {:<18}{:>6}{:>9}",
        "collection", "questions", "measure", "value", "at least"
    );
    for mode in options.modes() {
        if let Some(folder) = &options.cranfield {
            let answers = cranfield(options, folder, *mode)
                .await
                .context("Cranfield")?;
            is_good &= report("Cranfield", *mode, &answers, &CRANFIELD, options.queries);
        }
        if let Some(folder) = &options.react {
            let answers = react(options, folder, *mode)
                .await
                .context("the React questions")?;
            is_good &= report("React", *mode, &answers, &REACT, options.queries);
        }
    }
    Ok(is_good)
}

impl Options {
    /// Returns what can be measured.
    const fn modes(&self) -> &'static [SearchMode] {
        match self.model {
            None => &[SearchMode::Text],
            Some(_) => &[SearchMode::Text, SearchMode::Hybrid],
        }
    }

    /// Makes an empty store, with the model if the mode needs it.
    async fn scratch(&self, mode: SearchMode) -> anyhow::Result<Scratch> {
        let scratch = match &self.store {
            None => Scratch::new().await?,
            Some(url) => Scratch::in_postgres(url).await?,
        };
        let model = self.model.as_ref().filter(|_| mode != SearchMode::Text);
        let Some(model) = model else {
            return Ok(scratch);
        };
        let embedder = sectile::open_embedder(&model.display().to_string(), None).await?;
        Ok(scratch.with_embedder(embedder))
    }
}

async fn cranfield(
    options: &Options,
    folder: &Path,
    mode: SearchMode,
) -> anyhow::Result<Vec<Answer>> {
    let scratch = options.scratch(mode).await?;
    let documents = collection::cranfield_documents(folder)?;
    let library = scratch.library();
    library.add(DEFAULT_COLLECTION, &documents).await?;
    if mode != SearchMode::Text {
        library.embed(DEFAULT_COLLECTION, &|_| ()).await?;
    }
    let name = |hit: Hit| hit.document.uri;
    answers(
        &scratch,
        mode,
        collection::cranfield_queries(folder)?,
        100,
        name,
    )
    .await
}

async fn react(options: &Options, folder: &Path, mode: SearchMode) -> anyhow::Result<Vec<Answer>> {
    let scratch = options.scratch(mode).await?;
    let pages = collection::react_pages(folder).canonicalize()?;
    scratch.ingest(&pages).await?;
    let name = |hit: Hit| page_name(&pages, &hit.document.uri);
    answers(&scratch, mode, collection::react_queries(folder)?, 5, name).await
}

/// Returns a page's path inside the folder of pages.
fn page_name(pages: &Path, uri: &str) -> String {
    let path = document_path(uri).unwrap_or_default();
    path.strip_prefix(pages)
        .unwrap_or(&path)
        .to_string_lossy()
        .into_owned()
}

/// Asks every question for its `limit` best documents, each by its best hit.
async fn answers(
    scratch: &Scratch,
    mode: SearchMode,
    queries: Vec<JudgedQuery>,
    limit: usize,
    name: impl Fn(Hit) -> String,
) -> anyhow::Result<Vec<Answer>> {
    let mut answers = Vec::new();
    for query in queries {
        let request = SearchRequest::new(&query.text);
        let request = request.with_group_by(GroupBy::Document).with_limit(limit);
        let request = request.with_mode(mode);
        let hits = scratch.library().search(&request).await?;
        let ranking = hits.into_iter().map(&name).collect();
        answers.push(Answer { query, ranking });
    }
    Ok(answers)
}

/// Prints the averages of a collection and says whether all reach their bars.
fn report(
    collection: &str,
    mode: SearchMode,
    answers: &[Answer],
    rows: &[Measured],
    each: bool,
) -> bool {
    if each {
        for answer in answers {
            print_answer(answer, rows);
        }
    }
    let count = answers.len();
    let mut is_good = true;
    for row in rows {
        let (name, bar) = (format!("{mode} {}", row.name), row.least(mode));
        let values: Vec<f64> = answers
            .iter()
            .map(|answer| answer.measured(row.measure))
            .collect();
        let value = mean(&values);
        is_good &= bar.is_none_or(|bar| value >= bar);
        let bar = bar.map_or_else(String::new, |bar| format!("{bar:.3}"));
        println!("{collection:<12}{count:>9}  {name:<18}{value:>6.3}{bar:>9}");
    }
    let unanswered = answers
        .iter()
        .filter(|answer| answer.ranking.is_empty())
        .count();
    println!(
        "{collection:<12}{count:>9}  {:<18}{unanswered:>6}",
        "without an answer"
    );
    is_good && unanswered == 0
}

fn print_answer(answer: &Answer, rows: &[Measured]) {
    let measures = rows
        .iter()
        .map(|row| (row.name, answer.measured(row.measure)));
    let measures: Vec<String> = measures
        .map(|(name, value)| format!("{name} {value:.3}"))
        .collect();
    let JudgedQuery { id, text, .. } = &answer.query;
    println!("  {id:>4}  {}  {text}", measures.join("  "));
    for name in answer.ranking.iter().take(5) {
        let gain = answer.query.gains.get(name).copied().unwrap_or_default();
        println!("          {gain:>3}  {name}");
    }
}

impl Answer {
    fn measured(&self, measure: Measure) -> f64 {
        measure(&self.ranking, &self.query.gains)
    }
}
