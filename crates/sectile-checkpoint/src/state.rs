//! States as they are kept: JSON text, bytes with a kind, or values by channel.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;

use crate::check::{MAX_NAME_BYTES, check_name};
use crate::{Error, Result};

/// The kind of a [`TypedValue`] whose bytes are JSON text.
pub const JSON: &str = "json";

/// The state of a checkpoint in its stored form.
#[derive(Clone, Debug, PartialEq)]
pub enum StoredState {
    /// JSON text, the form of states of serde types.
    Json(String),
    /// The output of a serializer, unchanged.
    Value(TypedValue),
    /// Values by channel. A value that the parent also has is stored once.
    Channels(Channels),
}

/// The output of a serializer, with the name of its kind: `json`, `msgpack`, `pickle`, …
///
/// The bytes are shared by clones.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TypedValue {
    /// The kind of the bytes, as their reader names it: 1 to 512 bytes of text.
    pub kind: Arc<str>,
    /// The bytes.
    pub bytes: Arc<[u8]>,
}

/// The channels of a state by name.
pub type ChannelMap = BTreeMap<String, Channel>;

/// A state as values by channel, as graph runtimes have it.
///
/// A runtime that passes only the changes of a step ([`Content::Same`], [`Content::Appended`]) only
/// stores these, regardless of the size of the state. A load always returns the whole state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channels(pub ChannelMap);

/// The value of a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The runtime's version of the value. Checkpoints of a thread with the same version of a
    /// channel have the same value in it. Empty if the runtime has no versions.
    pub version: String,
    /// The value.
    pub content: Content,
}

/// The content of a channel, or its difference from the parent checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// One value.
    Value(TypedValue),
    /// A list, whose entries are each stored once.
    List(Vec<TypedValue>),
    /// The content of the parent, with its version; only in saves.
    Same,
    /// The list of the parent with these entries appended; only in saves.
    Appended(Vec<TypedValue>),
}

impl TypedValue {
    /// Creates a value from the output of a serializer.
    pub fn new(kind: &str, bytes: impl Into<Arc<[u8]>>) -> Self {
        let kind = kind.into();
        let bytes = bytes.into();
        Self { kind, bytes }
    }

    /// Returns a value as JSON.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] for a value that JSON cannot represent.
    pub fn json<T: Serialize + ?Sized>(value: &T) -> Result<Self> {
        let bytes = serde_json::to_vec(value).map_err(|error| {
            Error::invalid("value", format!("cannot be written as JSON: {error}"))
        })?;
        Ok(Self::new(JSON, bytes))
    }

    /// Returns the JSON text, if the value is JSON.
    pub fn as_json(&self) -> Option<&str> {
        let is_json = &*self.kind == JSON;
        is_json
            .then(|| std::str::from_utf8(&self.bytes).ok())
            .flatten()
    }

    /// Returns JSON text for people to read; see [`StoredState::to_shown_json`].
    pub fn to_shown_json(&self) -> Cow<'_, str> {
        self.as_json().map_or_else(
            || {
                let bytes = BASE64.encode(&self.bytes);
                Cow::Owned(json!({ "kind": &*self.kind, "bytes": bytes }).to_string())
            },
            Cow::Borrowed,
        )
    }

    pub(crate) fn validate(&self) -> Result<()> {
        check_name("kind", &self.kind)?;
        if &*self.kind != JSON {
            return Ok(());
        }
        check_json("value", serde_json::from_slice(&self.bytes))
    }
}

/// Refuses text that is not JSON.
fn check_json(argument: &'static str, parsed: serde_json::Result<&RawValue>) -> Result<()> {
    match parsed {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::invalid(argument, format!("is not JSON: {error}"))),
    }
}

impl std::fmt::Debug for TypedValue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_json() {
            Some(json) => write!(formatter, "json {json}"),
            None => write!(formatter, "{} of {} bytes", self.kind, self.bytes.len()),
        }
    }
}

impl StoredState {
    /// Creates a state from JSON text.
    pub fn json(json: impl Into<String>) -> Self {
        Self::Json(json.into())
    }

    /// Returns the JSON text, if the state is stored as JSON.
    pub fn as_json(&self) -> Option<&str> {
        match self {
            Self::Json(json) => Some(json),
            Self::Value(value) => value.as_json(),
            Self::Channels(_) => None,
        }
    }

    /// Returns the state as JSON text: channels become the members of an object. Returns `None` if
    /// any of it is of another kind.
    pub fn into_json(self) -> Option<String> {
        match self {
            Self::Json(json) => Some(json),
            Self::Value(value) => value.as_json().map(str::to_owned),
            Self::Channels(channels) => {
                channels.to_json(|value| value.as_json().map(Cow::Borrowed))
            }
        }
    }

    /// Returns the state as JSON text for people to read: bytes of other kinds are objects with their
    /// `kind` and the `bytes` in base64.
    pub fn to_shown_json(&self) -> Cow<'_, str> {
        match self {
            Self::Json(json) => Cow::Borrowed(json),
            Self::Value(value) => value.to_shown_json(),
            Self::Channels(channels) => {
                let json = channels.to_json(|value| Some(value.to_shown_json()));
                Cow::Owned(json.unwrap_or_default())
            }
        }
    }

    /// Returns whether any of it went through a [codec](crate::Codec): it is encrypted or
    /// compressed, or would be if it were longer.
    pub fn is_sealed(&self) -> bool {
        let is_sealed = |value: &TypedValue| crate::codec::is_sealed(&value.kind);
        match self {
            Self::Json(_) => false,
            Self::Value(value) => is_sealed(value),
            Self::Channels(channels) => channels.values().any(is_sealed),
        }
    }

    /// Returns the approximate size of the state in bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::Json(json) => json.len(),
            Self::Value(value) => value.bytes.len(),
            Self::Channels(channels) => channels.size(),
        }
    }

    /// Checks what every place of keeping can hold.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] naming what is wrong.
    pub(crate) fn validate(&self) -> Result<()> {
        match self {
            Self::Json(json) => check_json("state", serde_json::from_str(json)),
            Self::Value(value) => value.validate(),
            Self::Channels(channels) => channels.validate(),
        }?;
        check_state_size(self.size() as u64)
    }

    /// Replaces references to the parent by the content of the parent.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] naming a channel that the parent does not have, or if the result
    /// is too large.
    pub fn resolved(self, parent: Option<&Self>) -> Result<Self> {
        match self {
            Self::Channels(channels) if !channels.is_whole() => {
                let parent = match parent {
                    Some(Self::Channels(parent)) => Some(parent),
                    _ => None,
                };
                let whole = channels.resolved(parent)?;
                check_state_size(whole.size() as u64)?;
                Ok(Self::Channels(whole))
            }
            whole => Ok(whole),
        }
    }
}

impl StoredState {
    /// Puts what is kept where a channel was to be taken from a parent that is gone, if the rest of the
    /// channel is as it is kept.
    pub(crate) fn completed(mut self, kept: &Self) -> Self {
        if let (Self::Channels(channels), Self::Channels(kept)) = (&mut self, kept) {
            for (name, channel) in &mut channels.0 {
                if let Some(kept) = kept.0.get(name).filter(|kept| channel.may_be(kept)) {
                    *channel = kept.clone();
                }
            }
        }
        self
    }
}

impl From<TypedValue> for StoredState {
    fn from(value: TypedValue) -> Self {
        Self::Value(value)
    }
}

impl From<Channels> for StoredState {
    fn from(channels: Channels) -> Self {
        Self::Channels(channels)
    }
}

/// Converts a value to JSON, if possible.
type JsonOf = for<'v> fn(&'v TypedValue) -> Option<Cow<'v, str>>;

impl Channels {
    /// Returns a state without channels.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a channel to a value.
    #[must_use]
    pub fn with(mut self, name: &str, version: &str, content: impl Into<Content>) -> Self {
        let version = version.to_owned();
        let content = content.into();
        let _ = self.0.insert(name.into(), Channel { version, content });
        self
    }

    /// Returns whether nothing of it is to be taken from the parent.
    pub fn is_whole(&self) -> bool {
        let mut contents = self.0.values().map(|channel| &channel.content);
        contents.all(|content| matches!(content, Content::Value(_) | Content::List(_)))
    }

    fn values(&self) -> impl Iterator<Item = &TypedValue> {
        let contents = self.0.values().map(|channel| &channel.content);
        contents.flat_map(Content::values)
    }

    fn size(&self) -> usize {
        let channels = self.0.iter();
        let sizes = channels
            .map(|(name, channel)| name.len() + channel.version.len() + channel.content.size());
        sizes.sum()
    }

    fn validate(&self) -> Result<()> {
        for (name, channel) in &self.0 {
            check_name("channel", name)?;
            if channel.version.len() > MAX_NAME_BYTES {
                return Err(Error::invalid("version", "must have at most 512 bytes"));
            }
        }
        self.values().try_for_each(TypedValue::validate)
    }

    fn resolved(self, parent: Option<&Self>) -> Result<Self> {
        let whole = |(name, channel): (String, Channel)| {
            let before = parent.and_then(|parent| parent.0.get(&name));
            let channel = channel.resolved(&name, before)?;
            Ok((name, channel))
        };
        self.0
            .into_iter()
            .map(whole)
            .collect::<Result<_>>()
            .map(Self)
    }

    fn to_json(&self, json_of: JsonOf) -> Option<String> {
        let around = 8 * self.0.len() + self.values().count();
        let mut json = String::with_capacity(self.size() + around);
        json.push('{');
        for (name, channel) in &self.0 {
            if json.len() > 1 {
                json.push(',');
            }
            json.push_str(&serde_json::to_string(name).ok()?);
            json.push(':');
            channel.content.write_json(json_of, &mut json)?;
        }
        json.push('}');
        Some(json)
    }
}

impl Channel {
    fn resolved(self, name: &str, before: Option<&Self>) -> Result<Self> {
        let version = self.version;
        let content = match (self.content, before) {
            (Content::Same, Some(before)) => return Ok(before.clone()),
            (Content::Appended(more), Some(before)) => before.content.followed_by(more),
            (whole @ (Content::Value(_) | Content::List(_)), _) => Some(whole),
            (Content::Same | Content::Appended(_), None) => None,
        };
        let content = content.ok_or_else(|| no_channel(name))?;
        Ok(Self { version, content })
    }
}

impl Channel {
    /// Returns whether a channel that follows from a parent, whatever that had, may be kept as
    /// another.
    fn may_be(&self, kept: &Self) -> bool {
        match (&self.content, &kept.content) {
            (Content::Same, _) => true,
            (Content::Appended(more), Content::List(list)) => {
                self.version == kept.version && list.ends_with(more)
            }
            _ => false,
        }
    }
}

impl Content {
    /// Returns the values that it has itself.
    fn values(&self) -> &[TypedValue] {
        match self {
            Self::Value(value) => std::slice::from_ref(value),
            Self::List(values) | Self::Appended(values) => values,
            Self::Same => &[],
        }
    }

    /// Returns how many bytes those have.
    pub(crate) fn size(&self) -> usize {
        let values = self.values().iter();
        values.map(|value| value.bytes.len()).sum()
    }

    fn followed_by(&self, more: Vec<TypedValue>) -> Option<Self> {
        let Self::List(list) = self else {
            return None;
        };
        Some(Self::List(list.iter().cloned().chain(more).collect()))
    }

    fn write_json(&self, json_of: JsonOf, json: &mut String) -> Option<()> {
        match self {
            Self::Value(value) => json.push_str(&json_of(value)?),
            Self::List(values) => {
                json.push('[');
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        json.push(',');
                    }
                    json.push_str(&json_of(value)?);
                }
                json.push(']');
            }
            Self::Same | Self::Appended(_) => return None,
        }
        Some(())
    }
}

/// Refuses a state that is larger than the limit of the backends, including its content from the
/// parent.
///
/// # Errors
///
/// [`Error::InvalidArgument`] naming both sizes.
pub fn check_state_size(bytes: u64) -> Result<()> {
    let most = crate::MAX_STATE_BYTES;
    if bytes <= most as u64 {
        return Ok(());
    }
    let reason = format!("would have {bytes} bytes, more than {most}");
    Err(Error::invalid("state", reason))
}

/// Returns the error for a channel that refers to a parent without a matching channel.
pub fn no_channel(name: &str) -> Error {
    let reason = format!(
        "`{name}` follows from the parent checkpoint, which has no such channel, or is not there"
    );
    Error::invalid("channel", reason)
}

impl From<TypedValue> for Content {
    fn from(value: TypedValue) -> Self {
        Self::Value(value)
    }
}

impl From<Vec<TypedValue>> for Content {
    fn from(values: Vec<TypedValue>) -> Self {
        Self::List(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: i32) -> TypedValue {
        TypedValue::json(&value).unwrap()
    }

    #[test]
    fn what_follows_from_the_parent_is_put_in() {
        let parent = StoredState::from(Channels::new().with("kept", "1", number(1)).with(
            "list",
            "1",
            vec![number(2)],
        ));
        let next = StoredState::from(
            Channels::new()
                .with("kept", "1", Content::Same)
                .with("list", "2", Content::Appended(vec![number(3)]))
                .with("new", "1", number(4)),
        );
        let whole = next.clone().resolved(Some(&parent)).unwrap();
        let expected = r#"{"kept":1,"list":[2,3],"new":4}"#;
        assert_eq!(whole.into_json().as_deref(), Some(expected));
        let refused = next.resolved(None).unwrap_err().to_string();
        assert!(
            refused.contains("`kept` follows from the parent"),
            "{refused}"
        );
    }

    #[test]
    fn a_whole_that_is_too_large_is_refused() {
        // Clones share the bytes.
        let long = TypedValue::new("x", vec![0; 1024 * 1024]);
        let list = |count: usize| vec![long.clone(); count];
        let parent = StoredState::from(Channels::new().with("list", "1", list(510)));
        for (more, is_kept) in [(1, true), (2, false)] {
            let more = Content::Appended(list(more));
            let next = StoredState::from(Channels::new().with("list", "2", more));
            assert_eq!(next.resolved(Some(&parent)).is_ok(), is_kept);
        }
        let most = crate::MAX_STATE_BYTES as u64;
        assert!(check_state_size(most).is_ok() && check_state_size(most + 1).is_err());
    }

    #[test]
    fn other_kinds_are_no_json() {
        let state = StoredState::from(Channels::new().with("a", "1", TypedValue::new("x", *b"1")));
        assert_eq!(state.clone().into_json(), None);
        let shown: serde_json::Value = serde_json::from_str(&state.to_shown_json()).unwrap();
        assert_eq!(shown, json!({ "a": { "bytes": "MQ==", "kind": "x" } }));
        let broken = StoredState::from(TypedValue::new(JSON, *b"{"));
        assert!(broken.validate().is_err());
    }
}
