//! A setting, and what it does for questions.

use std::fmt;
use std::time::{Duration, Instant};

use sectile::{ChunkSettings, Hit, Library, Scope, SearchMode, SearchRequest};
use serde::Serialize;

use crate::cost::{ChunkTokens, processor_time};
use crate::judge::{JudgedQuestion, JudgedQuestions};
use crate::{Result, metrics};

/// How documents are cut and questions are answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The way of ranking.
    pub mode: SearchMode,
    /// How documents are cut, where that is compared.
    pub chunks: Option<ChunkSettings>,
}

impl fmt::Display for Setting {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mode, chunks } = self;
        write!(formatter, "{mode}")?;
        let Some(chunks) = chunks else {
            return Ok(());
        };
        write!(formatter, ", {} {}", chunks.strategy, chunks.size())?;
        match chunks.overlap() {
            0 => Ok(()),
            overlap => write!(formatter, "/{overlap}"),
        }
    }
}

/// How far down rankings are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Cutoffs {
    /// The number of hits that count for all measures but recall.
    pub k: usize,
    /// The number of hits that are asked for, and that count for recall.
    pub depth: usize,
}

/// What a setting did for one question. Measures are from 0 to 1.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The question's id.
    pub id: String,
    /// nDCG at the cutoff `k`.
    pub ndcg: f64,
    /// Recall at the cutoff `depth`.
    pub recall: f64,
    /// One over the rank of the first answer among the first `k`.
    pub reciprocal_rank: f64,
    /// Whether the first hit is an answer, as 0 or 1.
    pub hit: f64,
    /// The number of hits.
    pub hits: usize,
    /// The tokens of the best chunks of the first `k` hits.
    pub tokens: usize,
    /// The time that the answer took, in milliseconds.
    pub milliseconds: f64,
    /// The processor time of it, where the system tells.
    pub processor_milliseconds: Option<f64>,
}

/// What a setting did for all questions, in their order.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The setting.
    pub setting: Setting,
    /// The number of chunks that were searched.
    pub chunks: usize,
    /// What it did for each question.
    pub outcomes: Vec<Outcome>,
}

/// Asks all questions in a setting, of a library whose documents were cut so.
///
/// The first question is asked once before, so that no figure has what only the first search costs.
///
/// # Errors
///
/// Those of [`Library::search`].
pub async fn measure(
    library: &Library,
    scope: &Scope,
    questions: &JudgedQuestions,
    setting: &Setting,
    cutoffs: Cutoffs,
    on_question: &(dyn Fn() + Sync),
) -> Result<Measured> {
    let asked = Asked {
        library,
        request: SearchRequest::new("")
            .with_scope(scope.clone())
            .with_mode(setting.mode)
            .with_group_by(questions.group_by)
            .with_limit(cutoffs.depth.max(cutoffs.k)),
    };
    if let Some(first) = questions.questions.first() {
        asked.answer(&first.question.text).await?;
    }
    let mut tokens = ChunkTokens::new(library);
    let mut outcomes = Vec::with_capacity(questions.len());
    for question in &questions.questions {
        let (hits, cost) = asked.answer(&question.question.text).await?;
        let read = tokens.of(&hits[..cutoffs.k.min(hits.len())]).await?;
        outcomes.push(outcome(question, &hits, cutoffs, read, &cost));
        on_question();
    }
    let documents = library.documents(scope).await?;
    Ok(Measured {
        setting: setting.clone(),
        chunks: documents.iter().map(|document| document.chunks).sum(),
        outcomes,
    })
}

struct Asked<'a> {
    library: &'a Library,
    request: SearchRequest,
}

struct Cost {
    time: Duration,
    processor: Option<Duration>,
}

impl Asked<'_> {
    async fn answer(&self, question: &str) -> Result<(Vec<Hit>, Cost)> {
        let mut request = self.request.clone();
        question.clone_into(&mut request.query);
        let (start, processor) = (Instant::now(), processor_time());
        let hits = self.library.search(&request).await?.hits;
        let spent = |before| processor_time().map(|now| now.saturating_sub(before));
        let cost = Cost {
            time: start.elapsed(),
            processor: processor.and_then(spent),
        };
        Ok((hits, cost))
    }
}

fn outcome(
    question: &JudgedQuestion,
    hits: &[Hit],
    Cutoffs { k, depth }: Cutoffs,
    tokens: usize,
    cost: &Cost,
) -> Outcome {
    let (judged, judgement) = (question.judged(), question.judge(hits));
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    Outcome {
        id: question.question.id.clone(),
        ndcg: metrics::ndcg(k, &judgement.gains, &judged),
        recall: metrics::recall(depth, &judgement.found, &judged),
        reciprocal_rank: metrics::reciprocal_rank(k, &judgement.gains),
        hit: metrics::hit(1, &judgement.gains),
        hits: hits.len(),
        tokens,
        milliseconds: milliseconds(cost.time),
        processor_milliseconds: cost.processor.map(milliseconds),
    }
}
