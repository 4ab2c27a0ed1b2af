//! Answers of tools: a text for a model, and the same facts as JSON.

use rmcp::model::{CallToolResult, ContentBlock};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// How the call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Ok,
    NoResults,
    Ambiguous,
    InvalidArguments,
    Refused,
    Transient,
    Failed,
}

impl Outcome {
    /// Returns whether the call failed. An answer without results is not a failure.
    pub(crate) const fn is_error(self) -> bool {
        !matches!(self, Self::Ok | Self::NoResults | Self::Ambiguous)
    }
}

/// An answer. Some clients pass the text to their model, others the facts, so both are complete.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) facts: Value,
    pub(crate) is_error: bool,
}

impl Answer {
    /// Creates the answer of a successful call.
    pub(crate) fn new(text: String, facts: &impl Serialize) -> Self {
        let facts = serde_json::to_value(facts);
        Self {
            text,
            facts: facts.expect("facts are strings, numbers and lists"),
            is_error: false,
        }
    }
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> Self {
        let content = vec![ContentBlock::text(answer.text)];
        let mut result = if answer.is_error {
            Self::error(content)
        } else {
            Self::success(content)
        };
        result.structured_content = Some(answer.facts);
        result
    }
}

/// Shortens a text to a number of characters, and marks the cut.
pub(crate) fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Writes a number of things: `1 heading`, `2 headings`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{end}")
}

/// Returns whether a number is 0, which answers leave out.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "what serde calls is given a reference"
)]
pub(crate) const fn is_zero(number: &usize) -> bool {
    *number == 0
}
