//! States as JSON text that can be read back.

use std::cell::Cell;
use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Checkpoint, Error, Result, StoredState};
use check::Check;

mod check;

/// The maximum nesting of arrays and objects, which is that of `serde_json`.
pub const MAX_NESTING: usize = 127;

/// The maximum size of a state as JSON, in bytes: half of the limit of both databases.
pub const MAX_STATE_BYTES: usize = 512 * 1024 * 1024;

/// Writes the state of a checkpoint as JSON, after it was made sure that all of it can be kept and
/// loaded again.
pub(crate) fn written<S>(checkpoint: &Checkpoint<S>) -> Result<Checkpoint<StoredState>>
where
    S: Serialize + DeserializeOwned,
{
    checkpoint.validate()?;
    check_metadata(checkpoint)?;
    let json = loadable(&checkpoint.state)
        .map_err(|flaw| flaw.under("state").into_error(&checkpoint.thread_id))?;
    Ok(checkpoint.with_state(StoredState::Json(json)))
}

/// Checks that the metadata of a checkpoint can be kept and loaded again.
pub(crate) fn check_metadata<S>(checkpoint: &Checkpoint<S>) -> Result<()> {
    match encode(&checkpoint.metadata, &Cell::default()) {
        Ok(_) => Ok(()),
        Err(flaw) => Err(flaw.under("metadata").into_error(&checkpoint.thread_id)),
    }
}

/// Reads the state of a checkpoint; channels of JSON are the members of an object.
pub(crate) fn read<S: DeserializeOwned>(
    mut checkpoint: Checkpoint<StoredState>,
) -> Result<Checkpoint<S>> {
    let state = std::mem::replace(&mut checkpoint.state, StoredState::Json(String::new()));
    let decoded = match state.into_json() {
        Some(json) => decode(&json),
        None => Err(Flaw {
            path: String::new(),
            reason: "bytes of another kind than JSON, which are loaded as they are stored".into(),
        }),
    };
    match decoded {
        Ok(state) => Ok(checkpoint.map_state(|_| state)),
        Err(flaw) => Err(flaw.under("state").into_undecodable(&checkpoint)),
    }
}

/// Returns whether two states are the same: the members of an object have no order, and numbers are the
/// same if they are written the same.
pub(crate) fn same_state(one: &StoredState, other: &StoredState) -> bool {
    let value = |state: &StoredState| {
        let json = digits_as_text(state.as_json()?);
        serde_json::from_str::<Value>(&json).ok()
    };
    one == other || value(one).is_some_and(|one| Some(one) == value(other))
}

/// Returns JSON text with a text in the place of each number: a [`Value`] keeps 64 bits of one. A
/// letter before tells the numbers from what was text.
fn digits_as_text(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find(|begins: char| matches!(begins, '"' | '-' | '0'..='9')) {
        let (between, token) = rest.split_at(at);
        text.push_str(between);
        let (token, behind) = token.split_at(token_length(token));
        match token.strip_prefix('"') {
            Some(content) => text.extend(["\"t", content]),
            None => text.extend(["\"n", token, "\""]),
        }
        rest = behind;
    }
    text.push_str(rest);
    text
}

/// Returns how many bytes the text in quotes or the number has with which JSON text begins.
fn token_length(json: &str) -> usize {
    if !json.starts_with('"') {
        let is_of_number = |letter: char| matches!(letter, '0'..='9' | '+' | '-' | '.' | 'e' | 'E');
        let end = json.find(|letter: char| !is_of_number(letter));
        return end.unwrap_or(json.len());
    }
    let mut bytes = json.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return at + 1,
            b'\\' => {
                let _ = bytes.next();
            }
            _ => {}
        }
    }
    json.len()
}

/// Returns whether two values are the same as JSON text, but for the order of members: 0.0 is another
/// number than -0.0.
fn same_value(one: &Value, other: &Value) -> bool {
    let bits = |value: &Value| value.as_f64().map(f64::to_bits);
    match (one, other) {
        (Value::Number(_), Value::Number(_)) => one == other && bits(one) == bits(other),
        (Value::Array(ones), Value::Array(others)) => {
            let mut pairs = ones.iter().zip(others);
            ones.len() == others.len() && pairs.all(|(one, other)| same_value(one, other))
        }
        (Value::Object(one), Value::Object(other)) => same_entries(one, other),
        _ => one == other,
    }
}

/// Returns whether two objects have the same members.
pub(crate) fn same_entries(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    one.len() == other.len() && has_entries(one, other)
}

/// Returns whether an object has all members of another one.
pub(crate) fn has_entries(object: &Map<String, Value>, wanted: &Map<String, Value>) -> bool {
    wanted.iter().all(|(name, value)| {
        let found = object.get(name);
        found.is_some_and(|found| same_value(found, value))
    })
}

/// A value that cannot be written or read.
struct Flaw {
    /// Where it stands; empty for the whole.
    path: String,
    reason: String,
}

impl Flaw {
    /// Puts the name of the whole before the path.
    fn under(mut self, whole: &str) -> Self {
        let joint = match self.path.chars().next() {
            None | Some('[') => "",
            Some(_) => ".",
        };
        self.path = format!("{whole}{joint}{}", self.path);
        self
    }

    fn into_error(self, thread_id: &str) -> Error {
        Error::Unencodable {
            thread_id: thread_id.into(),
            path: self.path,
            reason: self.reason,
        }
    }

    fn into_undecodable<S>(self, checkpoint: &Checkpoint<S>) -> Error {
        Error::Undecodable {
            thread_id: checkpoint.thread_id.clone(),
            seq: checkpoint.seq,
            path: self.path,
            reason: self.reason,
        }
    }

    fn new<E: std::fmt::Display>(error: &serde_path_to_error::Error<E>) -> Self {
        let path = error.path().to_string();
        Self {
            // The path of the whole is a full stop.
            path: if path == "." { String::new() } else { path },
            reason: error.inner().to_string(),
        }
    }
}

/// Writes a state as JSON that loads as the same state.
///
/// A type may tell `Some` of null from `None` by a way of its own to read it, so what was counted in
/// the value is looked for in what loads.
fn loadable<S: Serialize + DeserializeOwned>(state: &S) -> Result<String, Flaw> {
    let (nulls, loaded_nulls) = (Cell::new(0), Cell::new(0));
    let json = encode(state, &nulls)?;
    let loaded = decode::<S>(&json)?;
    if nulls.get() > 0 {
        let counted = loaded.serialize(Check::counting(&loaded_nulls));
        if counted.is_err() || loaded_nulls != nulls {
            return Err(flaw_of(state, Check::strict()));
        }
    }
    Ok(json)
}

/// Goes through a value that a check refuses once more, to find the path.
fn flaw_of<T: Serialize + ?Sized>(value: &T, check: Check<'_>) -> Flaw {
    let checked = serde_path_to_error::serialize(value, check);
    checked.map_or_else(|error| Flaw::new(&error), |_| unsteady())
}

/// Writes JSON, and counts each `Some` that is written as null.
fn encode<T: Serialize + ?Sized>(value: &T, nulls: &Cell<usize>) -> Result<String, Flaw> {
    if value.serialize(Check::counting(nulls)).is_err() {
        return Err(flaw_of(value, Check::counting(nulls)));
    }
    let Ok(json) = serde_json::to_string(value) else {
        let mut serializer = serde_json::Serializer::new(io::sink());
        let written = serde_path_to_error::serialize(value, &mut serializer);
        return Err(written.map_or_else(|error| Flaw::new(&error), |()| unsteady()));
    };
    if json.len() > MAX_STATE_BYTES {
        return Err(Flaw {
            path: String::new(),
            reason: format!(
                "{} bytes of JSON are more than {MAX_STATE_BYTES}",
                json.len()
            ),
        });
    }
    Ok(json)
}

/// The flaw of a value that is written in one way now and in another way then.
fn unsteady() -> Flaw {
    Flaw {
        path: String::new(),
        reason: "a value that is not written the same way twice".into(),
    }
}

/// Reads JSON; where that fails, reads it again to find the path.
fn decode<T: DeserializeOwned>(json: &str) -> Result<T, Flaw> {
    serde_json::from_str(json).map_err(|error| {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
            Err(error) => Flaw::new(&error),
            // What is wrong stands behind the value.
            Ok(_) => Flaw {
                path: String::new(),
                reason: error.to_string(),
            },
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde::Deserialize;

    use super::*;

    fn refusal<S: Serialize + DeserializeOwned>(state: S) -> String {
        written(&Checkpoint::new("t", state))
            .unwrap_err()
            .to_string()
    }

    fn nested(depth: usize) -> Value {
        (1..depth).fold(Value::Array(Vec::new()), |inner, _| {
            Value::Array(vec![inner])
        })
    }

    #[test]
    fn floats_that_are_not_finite_are_refused_with_their_path() {
        let state = HashMap::from([("scores", vec![1.0, f64::NAN])]);
        let state: HashMap<String, _> = state.into_iter().map(|(k, v)| (k.into(), v)).collect();
        assert_eq!(
            refusal(state),
            "the checkpoint of thread `t` cannot be saved: NaN is not a number of JSON at `state.scores[1]`"
        );
        assert!(refusal(f32::INFINITY).ends_with("inf is not a number of JSON at `state`"));
        // Without the check this would be saved as null, and loaded as none.
        assert!(refusal(vec![Some(f64::NEG_INFINITY)]).ends_with("at `state[0]`"));
    }

    #[test]
    fn nesting_that_cannot_be_read_back_is_refused_with_its_path() {
        assert!(written(&Checkpoint::new("t", nested(127))).is_ok());
        let refused = refusal(nested(128));
        assert!(
            refused.contains("nesting deeper than 127 at `state[0][0]"),
            "{refused}"
        );
        assert!(refusal(nested(200)).contains("nesting deeper than 127"));
    }

    #[test]
    fn a_state_that_does_not_load_again_is_refused() {
        #[derive(Debug, Serialize, Deserialize)]
        struct Odd {
            #[serde(rename(serialize = "written", deserialize = "read"))]
            value: u8,
        }
        let odd = vec![Odd { value: 1 }];
        assert!(refusal(odd).contains("missing field `read`"));
    }

    #[test]
    fn an_option_that_would_load_as_none_is_refused_with_its_path() {
        #[derive(Serialize, Deserialize)]
        struct Empty;
        #[derive(Serialize, Deserialize)]
        struct Within {
            inner: Option<Value>,
        }
        assert!(refusal(Some(None::<u8>)).ends_with("would load as none at `state`"));
        assert!(refusal(Some(())).ends_with("at `state`"));
        assert!(refusal(vec![None, Some(Empty)]).ends_with("at `state[1]`"));
        let inner = Some(Value::Null);
        assert!(refusal(vec![Within { inner }]).ends_with("at `state[0].inner`"));
        for kept in [None, Some(vec![None, Some(1)])] {
            assert!(written(&Checkpoint::new("t", kept)).is_ok());
        }
    }

    #[expect(clippy::option_option, reason = "it is what is told apart")]
    #[test]
    fn a_type_that_tells_some_of_null_from_none_is_kept() {
        fn some<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<u8>>, D::Error> {
            Deserialize::deserialize(from).map(Some)
        }
        #[derive(Serialize, Deserialize)]
        struct Change {
            #[serde(
                default,
                skip_serializing_if = "Option::is_none",
                deserialize_with = "some"
            )]
            value: Option<Option<u8>>,
        }
        for value in [None, Some(None), Some(Some(1))] {
            assert!(written(&Checkpoint::new("t", Change { value })).is_ok());
        }
    }

    #[test]
    fn keys_that_json_cannot_hold_are_refused() {
        assert!(refusal(HashMap::from([(vec![1_u8], 1_u8)])).contains("key must be a string"));
    }

    #[test]
    fn a_state_of_another_type_is_not_read() {
        let kept = written(&Checkpoint::new("t", serde_json::json!({"a": [1, "x"]}))).unwrap();
        let error = read::<HashMap<String, Vec<u8>>>(kept)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("checkpoint 0 of thread `t` cannot be read: invalid type"));
        assert!(error.ends_with("at `state.a[1]`"), "{error}");
    }

    #[test]
    fn members_have_no_order() {
        let same = |one, other| same_state(&StoredState::json(one), &StoredState::json(other));
        assert!(same(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#));
        assert!(!same("[1,2]", "[2,1]"));
    }

    #[test]
    fn numbers_are_the_same_by_their_digits_and_text_is_no_number() {
        let same =
            |one: &str, other: &str| same_state(&StoredState::json(one), &StoredState::json(other));
        let text = r#"{"b":["a\\", "\"1", -0.0, 1e5, 12345678901234567890123],"1":"n1"}"#;
        assert!(same(text, &text.replace(", ", ",")));
        assert!(same(r#"{"a":"\u0041\\"}"#, r#"{"a":"A\\"}"#));
        for (one, other) in [
            ("[-0.0]", "[0.0]"),
            ("[12345678901234567890123]", "[12345678901234567890124]"),
            (
                "[-170141183460469231731687303715884105728]",
                "[-170141183460469231731687303715884105727]",
            ),
            ("[1]", "[\"1\"]"),
            ("[1]", "[\"n1\"]"),
            (r#"{"1":1}"#, r#"{"n1":1}"#),
            ("[", "["),
        ] {
            assert!(same(one, one));
            assert!(one == other || !same(one, other), "{one} {other}");
        }
    }
}
