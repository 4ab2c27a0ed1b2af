//! `sectile eval`.

mod source;
mod table;

use anyhow::Context as _;
use sectile::{ChunkSettings, SearchMode};
use sectile_eval::{
    Cutoffs, Evaluation, GainForm, JudgedQuestions, Question, Setting, TestCollection, draft,
    measure, read_judgements, read_questions,
};

use super::{Outcome, with_chat_model, with_embedder};
use crate::args::{
    DraftArguments, EvalArguments, EvalCommand, Gain, MeasureArguments, Mode, Strategy,
};
use crate::output;
use crate::progress::EvalProgress;
use source::{Source, Stores};

/// The default size of the largest chunk, as for every search.
const SIZE: usize = 400;

impl From<Gain> for GainForm {
    fn from(gain: Gain) -> Self {
        match gain {
            Gain::Linear => Self::Linear,
            Gain::Exponential => Self::Exponential,
        }
    }
}

pub(crate) async fn run(
    arguments: EvalArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    match arguments.command {
        Some(EvalCommand::Draft(arguments)) => write_drafts(&arguments, store).await,
        None => run_measure(&arguments.measure, store, json).await,
    }
}

async fn run_measure(
    arguments: &MeasureArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let (questions, found) = questions(arguments)?;
    let source = Source::new(arguments, store, found);
    anyhow::ensure!(
        arguments.cache.is_none() || source.can_be_cut(),
        "`--cache` changes nothing where the store itself is measured: name files with --in or --corpus, or leave it out"
    );
    let evaluation = evaluation(arguments, &source, &questions).await?;
    if let Some(path) = &arguments.html {
        let page = sectile_web::picture::evaluation_report(&evaluation);
        std::fs::write(path, page).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    if json {
        output::value(&evaluation)?;
    } else {
        output::text(&table::drawn(&evaluation))?;
    }
    Ok(Outcome::Done)
}

/// Reads the questions, and finds the documents that are with them.
fn questions(
    arguments: &MeasureArguments,
) -> anyhow::Result<(Vec<Question>, Option<sectile_eval::Documents>)> {
    let path = arguments
        .questions
        .as_deref()
        .context("name a file of questions; `sectile eval draft` writes one")?;
    let form = arguments.gain.into();
    let (mut questions, mut others, found) = if path.is_dir() {
        let TestCollection {
            questions,
            others,
            documents,
        } = TestCollection::read(path, form)?;
        (questions, others, documents)
    } else {
        (read_questions(path, form)?, 0, None)
    };
    if let Some(judgements) = &arguments.qrels {
        others += read_judgements(judgements, form, &mut questions)?;
    }
    if others > 0 {
        let (judgements, refer) = if others == 1 {
            ("judgement", "refers to an unknown question")
        } else {
            ("judgements", "refer to unknown questions")
        };
        output::note(format_args!("{others} {judgements} {refer}"));
    }
    Ok((questions, found))
}

/// Measures each mode with each way to cut.
async fn evaluation(
    arguments: &MeasureArguments,
    source: &Source,
    questions: &[Question],
) -> anyhow::Result<Evaluation> {
    let ways = ways_to_cut(arguments);
    anyhow::ensure!(
        source.can_be_cut() || ways.is_empty(),
        "the documents in the store are already split into chunks; name files with --in or --corpus to compare ways of splitting"
    );
    let compared: Vec<Option<ChunkSettings>> = match &*ways {
        [] => vec![None],
        ways => ways.iter().copied().map(Some).collect(),
    };
    let (modes, stores) = (modes(arguments), Stores::new(arguments)?);
    let cutoffs = Cutoffs {
        k: arguments.k.get(),
        depth: arguments.depth.unwrap_or(arguments.k).get(),
    };
    let progress = EvalProgress::new(questions.len() * modes.len() * compared.len());
    let (mut measured, mut judged) = (Vec::new(), None);
    for chunks in compared {
        let library = stores.open(source, chunks.as_ref()).await?;
        let library = with_embedder(library, &arguments.embedder).await?;
        let scope = source.fill(&library).await?;
        let found = JudgedQuestions::find(&library, &scope, questions).await?;
        for &mode in &modes {
            let setting = Setting { mode, chunks };
            let shown = || progress.step(&setting.to_string());
            let row = measure(&library, &scope, &found, &setting, cutoffs, &shown).await;
            measured.push(row.with_context(|| format!("cannot measure `{setting}`"))?);
        }
        judged = Some(found);
    }
    let judged = judged.context("there is nothing to measure")?;
    Ok(Evaluation::new(&judged, cutoffs, measured))
}

/// Returns the chunk settings to compare; empty for the default settings only.
fn ways_to_cut(arguments: &MeasureArguments) -> Vec<ChunkSettings> {
    let MeasureArguments {
        strategy,
        size,
        overlap,
        unit,
        ..
    } = arguments;
    if strategy.is_empty() && size.is_empty() && overlap.is_empty() && unit.is_none() {
        return Vec::new();
    }
    let overlaps: Vec<Option<usize>> = overlap.iter().copied().map(Some).collect();
    let mut ways = Vec::new();
    for strategy in or_usual(strategy, Strategy::Sentence) {
        for size in or_usual(size, SIZE) {
            let way = |overlap| ChunkSettings {
                strategy: strategy.into(),
                size: Some(size),
                overlap,
                unit: unit.map(Into::into),
            };
            let overlaps = or_usual(&overlaps, None).into_iter();
            ways.extend(overlaps.map(|overlap| way(overlap).in_tokens()));
        }
    }
    ways
}

fn or_usual<T: Copy>(named: &[T], usual: T) -> Vec<T> {
    if named.is_empty() {
        return vec![usual];
    }
    named.to_vec()
}

/// Returns the ways to rank that are compared.
fn modes(arguments: &MeasureArguments) -> Vec<SearchMode> {
    let has_model = arguments.embedder.embedder.is_some();
    let named = arguments.mode.iter().copied();
    match (arguments.mode.is_empty(), has_model) {
        (false, _) => named.map(Into::into).collect(),
        (true, true) => [Mode::Text, Mode::Vector, Mode::Hybrid]
            .map(Into::into)
            .into(),
        (true, false) => vec![SearchMode::Text],
    }
}

async fn write_drafts(
    arguments: &DraftArguments,
    store: Option<String>,
) -> anyhow::Result<Outcome> {
    let source = Source::of_drafts(arguments, store);
    let stores = Stores::temporary()?;
    let library = with_chat_model(stores.open(&source, None).await?, &arguments.chat)?;
    let scope = source.fill(&library).await?;
    let model = library.chat_model().context("there is no chat model")?;
    let mut printed = Ok(());
    let mut count = 0;
    let mut print = |question: sectile_eval::Draft| {
        count += 1;
        if printed.is_ok() {
            printed = output::line(&question);
        }
    };
    draft(&library, &scope, model, arguments.count.get(), &mut print).await?;
    printed?;
    if count == 0 {
        output::note(format_args!(
            "there is no section with a heading and enough text to ask about"
        ));
        return Ok(Outcome::NothingFound);
    }
    let asked = arguments.count.get();
    if count < asked {
        output::note(format_args!(
            "{} instead of {asked}: no other section has a heading and enough text",
            output::count(count, "question")
        ));
    }
    Ok(Outcome::Done)
}
