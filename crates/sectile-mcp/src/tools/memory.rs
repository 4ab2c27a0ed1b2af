//! `remember` and `forget`: short texts that an agent keeps.

use std::collections::BTreeMap;

use rmcp::model::{JsonObject, Tool};
use schemars::JsonSchema;
use sectile::core::{DocumentId, Metadata};
use sectile::{Kept, KeptOutcome, MEMORIES, SearchMode};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answer::{Answer, Outcome};
use crate::handler::Handler;
use crate::problem::{Problem, quoted};
use crate::tools::Effect;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    /// One fact, understandable by itself.
    text: String,
    /// `search` can filter by it.
    #[schemars(with = "Option<BTreeMap<String, Value>>")]
    metadata: Option<JsonObject>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Id {
    /// From `remember`, or a hit's URI.
    id: String,
}

#[derive(Serialize, JsonSchema)]
struct Memory {
    outcome: Outcome,
    /// The id, for `get` and `forget`.
    id: String,
    /// Whether it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    kept: Option<KeptOutcome>,
}

pub(crate) fn remember() -> Tool {
    super::tool::<Text, Memory>(
        "remember",
        &Effect::Adds,
        "Keeps a text for later conversations; `search` in the collection `memories` finds it."
            .into(),
    )
}

pub(crate) fn forget() -> Tool {
    super::tool::<Id, Memory>(
        "forget",
        &Effect::Removes,
        "Removes a text that `remember` kept, for good.".into(),
    )
}

pub(crate) async fn call_remember(
    handler: &Handler,
    Text { text, metadata }: Text,
) -> Result<Answer, Problem> {
    let metadata = Metadata {
        extra: metadata.unwrap_or_default().into_iter().collect(),
        ..Metadata::default()
    };
    let library = &handler.library;
    let Kept { id, outcome } = library.remember(&text, metadata).await?;
    let mut said = match outcome {
        KeptOutcome::Added => format!("Remembered as {id}."),
        KeptOutcome::Updated => format!("Kept already as {id}; its metadata is replaced."),
        KeptOutcome::Unchanged => format!("Kept already as {id}."),
    };
    // The memory is stored by now, whatever the model does.
    if library.modes().contains(&SearchMode::Vector)
        && let Err(error) = library.embed_document(MEMORIES, id, &|_| ()).await
    {
        tracing::warn!(%error, "a memory waits for its vector");
        said.push_str(" It is found by its words, and not yet by its meaning: the model failed.");
    }
    Ok(answer(said, id, Some(outcome)))
}

pub(crate) async fn call_forget(handler: &Handler, Id { id }: Id) -> Result<Answer, Problem> {
    let written = id.strip_prefix("memory:").unwrap_or(&id);
    let Ok(parsed) = written.parse::<DocumentId>() else {
        let message = format!("`id` is {}; give the id that `remember` gave", quoted(&id));
        return Err(Problem::invalid(message));
    };
    handler.library.forget(parsed).await?;
    Ok(answer(format!("Forgot {parsed}."), parsed, None))
}

fn answer(said: String, id: DocumentId, kept: Option<KeptOutcome>) -> Answer {
    let memory = Memory {
        outcome: Outcome::Ok,
        id: id.to_string(),
        kept,
    };
    Answer::new(said, &memory)
}
