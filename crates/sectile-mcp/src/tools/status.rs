//! `status`: how much there is, and what the server can do.

use std::fmt::Write as _;

use rmcp::model::Tool;
use schemars::JsonSchema;
use sectile::Library;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Outcome, count, cut};
use crate::handler::Handler;
use crate::problem::Problem;
use crate::tools::Effect;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {}

#[derive(Serialize, JsonSchema)]
struct State {
    outcome: Outcome,
    documents: usize,
    /// Documents whose newest version could not be read.
    failed: usize,
    sections: usize,
    chunks: usize,
    /// Chunks that can be searched by meaning.
    vectors: usize,
    tokens: usize,
    /// The size of the store.
    bytes: u64,
    collections: usize,
    /// The languages that are set for the documents of collections.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    languages: Option<String>,
    /// The ways in which `search` can rank.
    modes: Vec<String>,
    read_only: bool,
    /// The folders of which files can be ingested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    folders: Vec<String>,
}

pub(crate) fn tool() -> Tool {
    super::tool::<Arguments, State>(
        "status",
        &Effect::Reads,
        "Says what the store holds and how it can be searched. Use it when something is missing."
            .into(),
    )
}

pub(crate) async fn call(handler: &Handler, _: Arguments) -> Result<Answer, Problem> {
    let budget = handler.budget(None)?;
    let totals = handler.library.totals().await?;
    let modes = handler.library.modes();
    let languages = languages(&handler.library);
    let folders = if handler.is_read_only {
        &[]
    } else {
        &*handler.folders
    };
    budget.fit(folders.len(), &|shown, width| {
        let folders = folders[..shown].iter();
        let state = State {
            outcome: Outcome::Ok,
            documents: totals.documents,
            failed: totals.failed,
            sections: totals.sections,
            chunks: totals.chunks,
            vectors: totals.vectors,
            tokens: totals.tokens,
            bytes: totals.bytes,
            collections: totals.collections.len(),
            languages: languages.as_deref().map(|set| cut(set, 4 * width)),
            modes: modes.iter().map(ToString::to_string).collect(),
            read_only: handler.is_read_only,
            folders: folders
                .map(|folder| cut(&folder.display().to_string(), 4 * width))
                .collect(),
        };
        Answer::new(drawn(&state), &state)
    })
}

/// Writes the languages that are set for collections, if there are any.
fn languages(library: &Library) -> Option<String> {
    let set = library.collection_languages().iter();
    let set: Vec<String> = set.map(|(of, set)| format!("{of}={set}")).collect();
    (!set.is_empty()).then(|| set.join(", "))
}

fn drawn(state: &State) -> String {
    let mut text = format!(
        "{} ({} failed) in {}, {}, {}, {:.1} MB\n{} of {} can be searched by meaning\nSearch modes: {}",
        count(state.documents, "document"),
        state.failed,
        count(state.collections, "collection"),
        count(state.sections, "section"),
        count(state.tokens, "token"),
        state.bytes as f64 / 1e6,
        state.vectors,
        count(state.chunks, "chunk"),
        state.modes.join(", "),
    );
    if let Some(languages) = &state.languages {
        let _ = write!(text, "\nLanguages of collections: {languages}");
    }
    let _ = match &*state.folders {
        _ if state.read_only => write!(text, "\nRead-only"),
        [] => write!(text, "\nFiles cannot be ingested, web sites can"),
        folders => write!(text, "\nFiles can be ingested from: {}", folders.join(", ")),
    };
    text
}
