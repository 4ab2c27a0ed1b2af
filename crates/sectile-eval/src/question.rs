//! Questions with what answers them.

use sectile::core::Lines;

use crate::error::Place;

/// A question with its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Its name, once in a list of questions.
    pub id: String,
    /// The question.
    pub text: String,
    /// What answers it.
    pub answers: Vec<Answer>,
    /// The chat model that wrote it, if one did.
    pub drafted_by: Option<String>,
    /// Where it was read.
    pub place: Place,
}

/// Something that answers a question: a document, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The document: its path, its URI, or the end of either.
    pub document: String,
    /// The part under this heading: a heading, or the end of a heading path as `A > B`.
    pub heading: Option<String>,
    /// The part on these lines.
    pub lines: Option<Lines>,
    /// What it is worth; 0 for what was judged and does not answer.
    pub gain: f64,
    /// Where it was read.
    pub place: Place,
    /// Whether a document that is not there is an error. Judgements of a test collection may name
    /// documents that it does not have: those are answers that nothing finds.
    pub is_required: bool,
}

/// What a grade is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum GainForm {
    /// As much as it says, as in `trec_eval`.
    #[default]
    Linear,
    /// 2 to the power of the grade, less 1.
    Exponential,
}

impl GainForm {
    /// Returns what a grade is worth.
    pub fn gain(self, grade: f64) -> f64 {
        match self {
            Self::Linear => grade,
            Self::Exponential => grade.exp2() - 1.0,
        }
    }
}

impl Question {
    /// Returns whether something answers it.
    pub fn is_judged(&self) -> bool {
        self.answers.iter().any(|answer| answer.gain > 0.0)
    }
}
