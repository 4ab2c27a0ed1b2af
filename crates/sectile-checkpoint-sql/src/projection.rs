//! Projections: parts of a state in tables that a client can read.

use std::borrow::Cow;

use sectile_checkpoint::{Checkpoint, StoredState};
use serde_json::{Map, Value};

/// Says what of a checkpoint goes to the tables `sessions`, `messages` and `graph_triples`.
///
/// The projections of a thread follow its newest checkpoint: an entry of a conversation is stored
/// once however many checkpoints hold it, and goes when the state does not have it any more.
pub trait Projector: std::fmt::Debug + Send + Sync {
    /// Returns what is projected of a checkpoint with this metadata and state.
    fn project(&self, metadata: &Map<String, Value>, state: &Value) -> Projection;
}

/// What is projected of a checkpoint. U+0000, which no text of Postgres can hold, is written as
/// U+FFFD on both engines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Projection {
    /// What the thread is about.
    pub session: Option<Session>,
    /// The conversation, from its beginning.
    pub messages: Vec<Message>,
    /// The facts, in the order of the state.
    pub triples: Vec<Triple>,
    /// What has a place among these, but not the shape.
    pub unmapped: Vec<UnmappedShape>,
}

/// What a thread is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// The application's id.
    pub session_id: Option<String>,
    /// Whose it is.
    pub user_id: Option<String>,
    /// Its title.
    pub title: Option<String>,
}

/// An entry of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who speaks: `user`, `assistant`, `tool`, whatever the state says.
    pub role: String,
    /// The text.
    pub content: String,
}

/// A fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Triple {
    /// What it is about.
    pub subject: String,
    /// What is said of it.
    pub predicate: String,
    /// To what it is related.
    pub object: String,
    /// How certain it is.
    pub score: Option<f64>,
}

/// A value that has a place in a projection, but not the shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` {reason}")]
pub struct UnmappedShape {
    /// Where it stands in the state.
    pub path: String,
    /// What it should be.
    pub reason: &'static str,
}

/// What becomes of a save whose state has a shape that does not map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unmapped {
    /// The value is left out of the projections, with a warning to `tracing`.
    #[default]
    Skip,
    /// Nothing is saved.
    Refuse,
}

/// The mapping that is used if no other is given.
///
/// - Session: `session_id`, `user_id` and `title` of the checkpoint's metadata, if they are text.
/// - Messages: the array `messages` of the state, or of its `data`. Each is an object with the
///   `role` (or, as LangChain writes it, the `type`) and the `content`: text, nothing, or an array
///   of parts, of which those of text are put together.
/// - Triples: the array `graph_triples` or `triples` of the state, or of its `data`. Each is an
///   object with `subject`, `predicate`, `object` and perhaps a `score`, or an array of these.
#[derive(Clone, Copy, Debug, Default)]
pub struct DefaultProjector;

impl Projector for DefaultProjector {
    fn project(&self, metadata: &Map<String, Value>, state: &Value) -> Projection {
        let mut unmapped = Vec::new();
        let messages = entries(state, &["messages"], NO_MESSAGE, message, &mut unmapped);
        let names = ["graph_triples", "triples"];
        let triples = entries(state, &names, NO_TRIPLE, triple, &mut unmapped);
        let text = |key| metadata.get(key).and_then(Value::as_str).map(str::to_owned);
        Projection {
            session: Some(Session {
                session_id: text("session_id"),
                user_id: text("user_id"),
                title: text("title"),
            }),
            messages,
            triples,
            unmapped,
        }
    }
}

/// Why a value is not a message.
const NO_MESSAGE: &str = "is not a message: an object with a role and a content";

/// Why a value is not a triple.
const NO_TRIPLE: &str = "is not a triple: subject, predicate and object, each a text";

/// Reads the first array of one of these names, in the state or in its `data`.
fn entries<T>(
    state: &Value,
    names: &[&str],
    reason: &'static str,
    read: fn(&Value) -> Option<T>,
    unmapped: &mut Vec<UnmappedShape>,
) -> Vec<T> {
    let places = [("", Some(state)), ("data.", state.get("data"))];
    let found = places.iter().find_map(|(at, place)| {
        let name = names.iter().find(|name| {
            place
                .and_then(|place| place.get(name))
                .is_some_and(|value| !value.is_null())
        })?;
        Some((
            format!("{at}{name}"),
            place.and_then(|place| place.get(name))?,
        ))
    });
    let Some((path, value)) = found else {
        return Vec::new();
    };
    let Value::Array(values) = value else {
        let reason = "is not an array";
        unmapped.push(UnmappedShape { path, reason });
        return Vec::new();
    };
    let mut read_one = |(at, value)| {
        let entry = read(value);
        if entry.is_none() {
            unmapped.push(UnmappedShape {
                path: format!("{path}[{at}]"),
                reason,
            });
        }
        entry
    };
    values
        .iter()
        .enumerate()
        .filter_map(&mut read_one)
        .collect()
}

fn message(value: &Value) -> Option<Message> {
    let role = value.get("role").or_else(|| value.get("type"))?.as_str()?;
    let content = match value.get("content") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(part).collect(),
        Some(_) => return None,
    };
    Some(Message {
        role: role.to_owned(),
        content,
    })
}

/// Returns the text of a part of a message, if it is one of text.
fn part(part: &Value) -> Option<&str> {
    part.as_str().or_else(|| part.get("text")?.as_str())
}

fn triple(value: &Value) -> Option<Triple> {
    let field = |at: usize, name: &str| match value {
        Value::Array(fields) => fields.get(at),
        _ => value.get(name),
    };
    let text = |at, name| field(at, name)?.as_str().map(str::to_owned);
    let score = match field(3, "score") {
        None | Some(Value::Null) => None,
        Some(score) => Some(score.as_f64()?),
    };
    Some(Triple {
        subject: text(0, "subject")?,
        predicate: text(1, "predicate")?,
        object: text(2, "object")?,
        score,
    })
}

/// Returns what is projected of a checkpoint, with text that both engines hold.
///
/// A state that is JSON, but cannot be read as values (it has an escaped half of a pair, or nests
/// too deep), does not map.
pub(crate) fn of(projector: &dyn Projector, checkpoint: &Checkpoint<StoredState>) -> Projection {
    let json = match &checkpoint.state {
        StoredState::Json(json) => Some(Cow::Borrowed(&**json)),
        other => other.clone().into_json().map(Cow::Owned),
    };
    let reason = match json {
        Some(_) => "cannot be read as values",
        None => "is not JSON, but bytes of another kind",
    };
    let Some(Ok(state)) = json.map(|json| serde_json::from_str(&json)) else {
        let shape = UnmappedShape {
            path: "state".into(),
            reason,
        };
        return Projection {
            unmapped: vec![shape],
            ..Projection::default()
        };
    };
    let mut projection = projector.project(&checkpoint.metadata, &state);
    for text in projection.texts() {
        if text.contains('\0') {
            *text = text.replace('\0', "\u{fffd}");
        }
    }
    projection
}

impl Projection {
    fn texts(&mut self) -> impl Iterator<Item = &mut String> {
        let session = self.session.iter_mut().flat_map(|session| {
            [
                &mut session.session_id,
                &mut session.user_id,
                &mut session.title,
            ]
        });
        let messages = self
            .messages
            .iter_mut()
            .flat_map(|message| [&mut message.role, &mut message.content]);
        let triples = self.triples.iter_mut().flat_map(|triple| {
            [
                &mut triple.subject,
                &mut triple.predicate,
                &mut triple.object,
            ]
        });
        session.flatten().chain(messages).chain(triples)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn project(state: &Value) -> Projection {
        DefaultProjector.project(&Map::new(), state)
    }

    fn texts(projection: &Projection) -> Vec<(&str, &str)> {
        let messages = projection.messages.iter();
        messages
            .map(|message| (message.role.as_str(), message.content.as_str()))
            .collect()
    }

    #[test]
    fn messages_of_common_shapes_are_mapped() {
        let state = json!({"messages": [
            {"role": "user", "content": "Hi", "id": 7},
            {"type": "ai", "content": [{"type": "text", "text": "Hel"}, {"type": "image"}, "lo"]},
            {"role": "assistant", "content": null, "tool_calls": []},
            {"role": "tool"},
        ]});
        let projection = project(&state);
        let expected = [
            ("user", "Hi"),
            ("ai", "Hello"),
            ("assistant", ""),
            ("tool", ""),
        ];
        assert_eq!(texts(&projection), expected);
        assert!(projection.unmapped.is_empty());
        assert_eq!(texts(&project(&json!({ "data": state }))), expected);
    }

    #[test]
    fn triples_of_common_shapes_are_mapped() {
        let state = json!({"triples": [
            {"subject": "Ada", "predicate": "wrote", "object": "notes", "score": 0.5},
            ["Ada", "knew", "Charles"],
            ["Ada", "liked", "maths", 1],
        ]});
        let projection = project(&state);
        let scores: Vec<_> = projection
            .triples
            .iter()
            .map(|triple| triple.score)
            .collect();
        assert_eq!(scores, [Some(0.5), None, Some(1.0)]);
        assert_eq!(projection.triples[1].object, "Charles");
        assert!(projection.unmapped.is_empty());
    }

    #[test]
    fn other_shapes_are_named_and_the_rest_is_mapped() {
        let state = json!({
            "messages": [{"role": "user", "content": 1}, {"role": "user", "content": "a"}, "b"],
            "graph_triples": {"a": "b"},
        });
        let projection = project(&state);
        assert_eq!(texts(&projection), [("user", "a")]);
        let paths: Vec<_> = projection
            .unmapped
            .iter()
            .map(|shape| &*shape.path)
            .collect();
        assert_eq!(paths, ["messages[0]", "messages[2]", "graph_triples"]);
    }

    #[test]
    fn a_state_without_any_of_it_has_no_entries() {
        for state in [
            json!(1),
            json!([]),
            json!({"messages": null}),
            json!({"a": 1}),
        ] {
            let projection = project(&state);
            assert!(projection.messages.is_empty() && projection.unmapped.is_empty());
        }
    }
}
