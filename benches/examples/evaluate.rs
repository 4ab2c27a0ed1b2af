//! How well the library answers: Cranfield, CISI and the React questions, each in a store of its own and all
//! three in one, as `sectile eval` measures them.
//!
//! ```text
//! cargo run --release -p sectile-benches --example evaluate -- \
//!     [--cranfield PATH] [--cisi PATH] [--react PATH] [--model PATH] [--store postgres://…] [--check]
//! ```
//!
//! `--model` is the folder of an embedding model, with which vectors and fusion are measured, too.
//! `--store` measures in Postgres, where each store gets a database schema of its own. `--check` fails when
//! a figure is below its bar or a question has no answer.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use sectile::{Library, Scope, SearchMode};
use sectile_benches::scratch::Scratch;
use sectile_eval::{
    Cutoffs, Documents, Evaluation, GainForm, JudgedQuestions, Measure, Setting, TestCollection,
    add_corpus, measure,
};

/// How far a figure may be from that of a store of its own, where a store has other collections, too.
const APART: f64 = 0.002;

/// How much the fusion is to be ahead of the text, and on how many collections. It is to be below on none.
const AHEAD: f64 = 0.02;
const AHEAD_ON: usize = 2;

/// The collections, with the least that each measure should be.
const SETS: [Set; 3] = [
    Set {
        name: "Cranfield",
        option: "--cranfield",
        form: GainForm::Linear,
        cutoffs: Cutoffs { k: 10, depth: 100 },
        bars: &[
            (SearchMode::Text, Measure::Ndcg, 0.378),
            (SearchMode::Text, Measure::Recall, 0.74),
            (SearchMode::Hybrid, Measure::Ndcg, 0.415),
            (SearchMode::Hybrid, Measure::Recall, 0.785),
        ],
    },
    Set {
        name: "CISI",
        option: "--cisi",
        form: GainForm::Linear,
        cutoffs: Cutoffs { k: 10, depth: 100 },
        bars: &[(SearchMode::Text, Measure::Ndcg, 0.390)],
    },
    Set {
        name: "React",
        option: "--react",
        form: GainForm::Exponential,
        cutoffs: Cutoffs { k: 5, depth: 5 },
        bars: &[(SearchMode::Text, Measure::Ndcg, 0.722)],
    },
];

/// A test collection.
struct Set {
    name: &'static str,
    option: &'static str,
    form: GainForm,
    cutoffs: Cutoffs,
    bars: &'static [(SearchMode, Measure, f64)],
}

#[derive(Default)]
struct Options {
    sets: Vec<(&'static Set, PathBuf)>,
    model: Option<PathBuf>,
    store: Option<String>,
    check: bool,
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
            if argument == "--check" {
                options.check = true;
                continue;
            }
            let value = arguments
                .next()
                .with_context(|| format!("`{argument}` names nothing"))?;
            match argument.as_str() {
                "--model" => options.model = Some(value.into()),
                "--store" => options.store = Some(value),
                _ => {
                    let set = SETS.iter().find(|set| set.option == argument);
                    let set = set.with_context(|| format!("unknown argument `{argument}`"))?;
                    options.sets.push((set, value.into()));
                }
            }
        }
        anyhow::ensure!(
            !options.sets.is_empty(),
            "give --cranfield PATH, --cisi PATH, --react PATH or several of them"
        );
        Ok(options)
    }

    /// Returns the ways of ranking that can be measured.
    const fn modes(&self) -> &'static [SearchMode] {
        match self.model {
            None => &[SearchMode::Text],
            Some(_) => &[SearchMode::Text, SearchMode::Vector, SearchMode::Hybrid],
        }
    }

    /// Makes an empty store.
    async fn scratch(&self) -> anyhow::Result<Scratch> {
        match &self.store {
            None => Scratch::new().await,
            Some(url) => Scratch::in_postgres(url).await,
        }
    }
}

/// Prints the figures and says whether all reach their bars.
async fn evaluate(options: &Options) -> anyhow::Result<bool> {
    let mut is_good = true;
    let mut alone = Vec::new();
    println!(
        "{:<12}{:>9}  {:<18}{:>6}{:>9}",
        "collection", "questions", "measure", "value", "at least"
    );
    for (set, folder) in &options.sets {
        let evaluation = in_its_own_store(options, set, folder)
            .await
            .context(set.name)?;
        is_good &= print(set, &evaluation);
        alone.push(evaluation);
    }
    if alone.len() > 1 {
        is_good &= in_one_store(options, &alone).await?;
    }
    if options.model.is_some() {
        is_good &= is_ahead(&alone);
    }
    Ok(is_good)
}

async fn in_its_own_store(
    options: &Options,
    set: &Set,
    folder: &Path,
) -> anyhow::Result<Evaluation> {
    let mut scratch = options.scratch().await?;
    if let Some(model) = &options.model {
        scratch = scratch
            .with_embedder(sectile::open_embedder(&model.display().to_string(), None).await?);
    }
    let library = scratch.library();
    let collection = fill(library, set, folder).await?;
    if options.model.is_some() {
        let report = library.embed(set.name, &|_| ()).await?;
        anyhow::ensure!(
            report.failed.is_empty(),
            "texts without vectors: {:?}",
            report.failed
        );
    }
    measured(library, set, &collection, options.modes()).await
}

/// Puts the documents of a collection into one of that name.
async fn fill(library: &Library, set: &Set, folder: &Path) -> anyhow::Result<TestCollection> {
    let collection = TestCollection::read(folder, set.form)?;
    match &collection.documents {
        Some(Documents::Corpus(corpus)) => {
            add_corpus(library, set.name, corpus).await?;
        }
        Some(Documents::Folder(pages)) => {
            let report = library
                .ingest(set.name, std::slice::from_ref(pages), &|_| ())
                .await?;
            anyhow::ensure!(
                report.failed.is_empty(),
                "not ingested: {:?}",
                report.failed
            );
        }
        None => anyhow::bail!("`{}` has no documents", folder.display()),
    }
    Ok(collection)
}

async fn measured(
    library: &Library,
    set: &Set,
    collection: &TestCollection,
    modes: &[SearchMode],
) -> anyhow::Result<Evaluation> {
    let scope = Scope::collection(set.name);
    let judged = JudgedQuestions::find(library, &scope, &collection.questions).await?;
    let mut rows = Vec::new();
    for &mode in modes {
        let setting = Setting { mode, chunks: None };
        rows.push(measure(library, &scope, &judged, &setting, set.cutoffs, &|| ()).await?);
    }
    Ok(Evaluation::new(&judged, set.cutoffs, rows))
}

/// Prints the figures of a collection and says whether all reach their bars.
fn print(set: &Set, evaluation: &Evaluation) -> bool {
    let (mut is_good, count) = (true, evaluation.questions.len());
    for row in &evaluation.settings {
        for measure in Measure::ALL {
            let value = row.quality.get(measure).mean;
            let mut bars = set
                .bars
                .iter()
                .filter(|bar| (bar.0, bar.1) == (row.mode, measure));
            let bar = bars.next().map(|bar| bar.2);
            is_good &= bar.is_none_or(|bar| value >= bar);
            let bar = bar.map_or_else(String::new, |bar| format!("{bar:.3}"));
            let name = format!("{} {}", row.mode, measure.name(set.cutoffs));
            println!("{:<12}{count:>9}  {name:<18}{value:>6.4}{bar:>9}", set.name);
        }
        is_good &= row.unanswered == 0;
        let name = format!("{} without answer", row.mode);
        println!(
            "{:<12}{count:>9}  {name:<22}{:>2}{:>9}",
            set.name, row.unanswered, 0
        );
    }
    is_good
}

/// Measures the text of all collections in one store, which should not be other than that of each alone.
async fn in_one_store(options: &Options, alone: &[Evaluation]) -> anyhow::Result<bool> {
    let scratch = options.scratch().await?;
    let library = scratch.library();
    let mut collections = Vec::new();
    for (set, folder) in &options.sets {
        collections.push(fill(library, set, folder).await.context(set.name)?);
    }
    let mut is_good = true;
    for (((set, _), collection), alone) in options.sets.iter().zip(&collections).zip(alone) {
        let together = measured(library, set, collection, &[SearchMode::Text]).await?;
        let (alone, together) = (
            ndcg(alone, SearchMode::Text),
            ndcg(&together, SearchMode::Text),
        );
        is_good &= (alone - together).abs() <= APART;
        let difference = together - alone;
        println!(
            "{:<12}in one store with the others: {together:.4} ({difference:+.4})",
            set.name
        );
    }
    Ok(is_good)
}

/// Returns whether the fusion is ahead of the text as it should be.
fn is_ahead(evaluations: &[Evaluation]) -> bool {
    let ahead =
        |evaluation| ndcg(evaluation, SearchMode::Hybrid) - ndcg(evaluation, SearchMode::Text);
    let ahead: Vec<f64> = evaluations.iter().map(ahead).collect();
    let enough = ahead.iter().filter(|ahead| **ahead >= AHEAD).count();
    let wanted = AHEAD_ON.min(evaluations.len());
    println!(
        "hybrid less text: {ahead:+.4?}; {AHEAD} or more on {enough} of them, at least {wanted}"
    );
    enough >= wanted && ahead.iter().all(|ahead| *ahead >= 0.0)
}

fn ndcg(evaluation: &Evaluation, mode: SearchMode) -> f64 {
    let row = evaluation.settings.iter().find(|row| row.mode == mode);
    row.map_or(0.0, |row| row.quality.ndcg.mean)
}
