//! Settings side by side.

use sectile::GroupBy;
use serde::Serialize;

use crate::judge::JudgedQuestions;
use crate::measure::{Cutoffs, Measured, Outcome};
use crate::metrics::mean;
use crate::significance::{Difference, Estimate, compare, estimate};

/// A measure of a question's ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// The normalised discounted cumulative gain.
    Ndcg,
    /// The part of the answers that is found.
    Recall,
    /// One over the rank of the first answer.
    ReciprocalRank,
    /// Whether the first hit is an answer.
    Hit,
}

impl Measure {
    /// All measures, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Ndcg, Self::Recall, Self::ReciprocalRank, Self::Hit];

    /// Returns the name, with its cutoff.
    pub fn name(self, Cutoffs { k, depth }: Cutoffs) -> String {
        match self {
            Self::Ndcg => format!("nDCG@{k}"),
            Self::Recall => format!("recall@{depth}"),
            Self::ReciprocalRank => format!("MRR@{k}"),
            Self::Hit => "hit@1".to_owned(),
        }
    }

    /// Returns the measure of a question.
    pub const fn of(self, outcome: &Outcome) -> f64 {
        match self {
            Self::Ndcg => outcome.ndcg,
            Self::Recall => outcome.recall,
            Self::ReciprocalRank => outcome.reciprocal_rank,
            Self::Hit => outcome.hit,
        }
    }
}

/// Settings that answered the same questions, side by side. The first is what the others are compared
/// with.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// How far down rankings were looked at.
    #[serde(flatten)]
    pub cutoffs: Cutoffs,
    /// What a hit stands for.
    pub group_by: GroupBy,
    /// The questions that were asked.
    pub questions: Vec<Asked>,
    /// The number of questions left out, as nothing is known to answer them.
    pub unjudged: usize,
    /// The number of judgements of documents that are not there.
    pub missing: usize,
    /// The number of documents.
    pub documents: usize,
    /// What each setting did.
    pub settings: Vec<Row>,
}

/// A question, as a report names it.
#[derive(Clone, Debug, Serialize)]
pub struct Asked {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// Whether a chat model wrote it.
    pub drafted: bool,
}

/// What a setting did for all questions.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What the setting is called.
    pub name: String,
    /// The way of ranking.
    pub mode: sectile::SearchMode,
    /// How documents were cut, where that is compared.
    pub chunking: Option<Chunking>,
    /// The number of chunks that were searched.
    pub chunks: usize,
    /// The averages over the questions.
    #[serde(flatten)]
    pub quality: Quality<Estimate>,
    /// How they differ from those of the first setting; nothing of the first one.
    pub difference: Option<Quality<Difference>>,
    /// The number of questions for which nothing was found.
    pub unanswered: usize,
    /// What a question costs.
    pub cost: Cost,
    /// What it did for each question, in the order of the questions.
    pub outcomes: Vec<Outcome>,
}

/// How documents were cut.
#[derive(Clone, Debug, Serialize)]
pub struct Chunking {
    /// The strategy.
    pub strategy: &'static str,
    /// The largest chunk, in the unit.
    pub size: usize,
    /// The largest overlap, in the unit.
    pub overlap: usize,
    /// What sizes count.
    pub unit: &'static str,
}

/// Something about each measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quality<T> {
    /// Of [`Measure::Ndcg`].
    pub ndcg: T,
    /// Of [`Measure::Recall`].
    pub recall: T,
    /// Of [`Measure::ReciprocalRank`].
    pub mrr: T,
    /// Of [`Measure::Hit`].
    pub hit: T,
}

/// What a question costs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// The median time of an answer, in milliseconds.
    pub milliseconds: f64,
    /// The time that 95 % of the answers do not exceed.
    pub milliseconds_p95: f64,
    /// The average processor time, in milliseconds, where the system tells.
    pub processor_milliseconds: Option<f64>,
    /// The average number of tokens of the best chunks of the first `k` hits.
    pub tokens: f64,
}

impl<T> Quality<T> {
    fn of(value: impl Fn(Measure) -> T) -> Self {
        Self {
            ndcg: value(Measure::Ndcg),
            recall: value(Measure::Recall),
            mrr: value(Measure::ReciprocalRank),
            hit: value(Measure::Hit),
        }
    }

    /// Returns what is said of a measure.
    pub const fn get(&self, measure: Measure) -> &T {
        match measure {
            Measure::Ndcg => &self.ndcg,
            Measure::Recall => &self.recall,
            Measure::ReciprocalRank => &self.mrr,
            Measure::Hit => &self.hit,
        }
    }
}

impl Evaluation {
    /// Puts settings side by side that answered these questions.
    pub fn new(questions: &JudgedQuestions, cutoffs: Cutoffs, measured: Vec<Measured>) -> Self {
        let asked = questions.questions.iter().map(|judged| Asked {
            id: judged.question.id.clone(),
            question: judged.question.text.clone(),
            drafted: judged.question.drafted_by.is_some(),
        });
        let first = measured.first().map(|first| first.outcomes.clone());
        let rows = measured.into_iter().enumerate();
        let row = |(index, measured): (usize, Measured)| {
            let first = first.as_deref().filter(|_| index > 0);
            Row::new(measured, first)
        };
        Self {
            cutoffs,
            group_by: questions.group_by,
            questions: asked.collect(),
            unjudged: questions.unjudged,
            missing: questions.missing,
            documents: questions.documents,
            settings: rows.map(row).collect(),
        }
    }
}

impl Row {
    fn new(measured: Measured, first: Option<&[Outcome]>) -> Self {
        let Measured {
            setting,
            chunks,
            outcomes,
        } = measured;
        let difference = |first: &[Outcome]| {
            Quality::of(|measure| compare(&values(measure, first), &values(measure, &outcomes)))
        };
        Self {
            name: setting.to_string(),
            mode: setting.mode,
            chunking: setting.chunks.map(|chunks| Chunking {
                strategy: chunks.strategy.name(),
                size: chunks.size(),
                overlap: chunks.overlap(),
                unit: chunks.unit().name(),
            }),
            chunks,
            quality: Quality::of(|measure| estimate(&values(measure, &outcomes))),
            difference: first.map(difference),
            unanswered: outcomes.iter().filter(|outcome| outcome.hits == 0).count(),
            cost: Cost::of(&outcomes),
            outcomes,
        }
    }
}

fn values(measure: Measure, outcomes: &[Outcome]) -> Vec<f64> {
    outcomes.iter().map(|outcome| measure.of(outcome)).collect()
}

impl Cost {
    fn of(outcomes: &[Outcome]) -> Self {
        let mut times: Vec<f64> = outcomes
            .iter()
            .map(|outcome| outcome.milliseconds)
            .collect();
        times.sort_by(f64::total_cmp);
        #[expect(clippy::cast_sign_loss, reason = "a part of a length is not negative")]
        let at = |part: f64| {
            let place = (part * times.len() as f64).ceil() as usize;
            times
                .get(place.saturating_sub(1))
                .copied()
                .unwrap_or_default()
        };
        let processor: Option<Vec<f64>> = outcomes
            .iter()
            .map(|outcome| outcome.processor_milliseconds)
            .collect();
        let tokens: Vec<f64> = outcomes
            .iter()
            .map(|outcome| outcome.tokens as f64)
            .collect();
        Self {
            milliseconds: at(0.5),
            milliseconds_p95: at(0.95),
            processor_milliseconds: processor.map(|times| mean(&times)),
            tokens: mean(&tokens),
        }
    }
}
