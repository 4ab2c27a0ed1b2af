//! The metadata of documents.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::ContentHash;

/// The metadata of a document. Dates are ISO 8601.
///
/// In JSON it is one object, with the fields of `extra` next to the others. A field of `extra` that
/// has the name of another field, but a value of another type, is called `extra_NAME` there. So
/// everything that was written can be read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Metadata {
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The author or authors, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The date of creation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The date of the last change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// The language as a BCP 47 tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The character encoding with which a text file was read: its WHATWG name, or the name of an
    /// encoding that the web does not use, such as `UTF-32LE` or `IBM850`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The number of pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_count: Option<u32>,
    /// The size of the source in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The hash of the source's bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<ContentHash>,
    /// All other metadata, for example front matter.
    #[serde(flatten, serialize_with = "under_other_names")]
    pub extra: BTreeMap<String, Value>,
}

/// The names of the fields of [`Metadata`].
const OWN_NAMES: [&str; 9] = [
    "title",
    "author",
    "created",
    "modified",
    "language",
    "encoding",
    "page_count",
    "size",
    "content_hash",
];

/// Writes `extra` without a second field of any name.
fn under_other_names<S: Serializer>(
    extra: &BTreeMap<String, Value>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(extra.iter().map(|(name, value)| {
        if Metadata::is_own(name) {
            (Cow::Owned(other_name(name)), value)
        } else {
            (Cow::Borrowed(name.as_str()), value)
        }
    }))
}

fn other_name(name: &str) -> String {
    format!("extra_{name}")
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields)
    }
}

/// Puts the fields of an object in their places as they come: each hit of a search has some.
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Metadata;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the metadata of a document")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Metadata, A::Error> {
        let mut metadata = Metadata::default();
        while let Some(name) = fields.next_key::<String>()? {
            let value = fields.next_value()?;
            if !Metadata::is_own(&name) {
                metadata.extra.insert(name, value);
            } else if let Err(value) = metadata.put(&name, value) {
                metadata.extra.insert(other_name(&name), value);
            }
        }
        Ok(metadata)
    }
}

/// A field of `extra` has the name of a field of [`Metadata`], but a value of another type.
#[derive(Clone, Debug, PartialEq)]
pub struct MisfitField {
    /// The name.
    pub name: &'static str,
    /// Its value, as JSON.
    pub value: Value,
}

impl fmt::Display for MisfitField {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value } = self;
        write!(
            formatter,
            "the metadata field `{name}` cannot be {value}; use another name or another value"
        )
    }
}

impl std::error::Error for MisfitField {}

impl Metadata {
    /// Returns whether a field with this name belongs to the struct, not to `extra`.
    pub fn is_own(name: &str) -> bool {
        OWN_NAMES.contains(&name)
    }

    /// Moves the values in `extra` that have the names of other fields into these fields.
    ///
    /// # Errors
    ///
    /// [`MisfitField`] for the first value that is not of the field's type; it stays in `extra`.
    pub fn settle(&mut self) -> Result<(), MisfitField> {
        for name in OWN_NAMES {
            let Some(value) = self.extra.remove(name) else {
                continue;
            };
            if let Err(value) = self.put(name, value) {
                self.extra.insert(name.to_owned(), value.clone());
                return Err(MisfitField { name, value });
            }
        }
        Ok(())
    }

    /// Puts a value into the field of an own name, or returns it where it is not of its kind.
    fn put(&mut self, name: &str, value: Value) -> Result<(), Value> {
        match name {
            "title" => put_text(&mut self.title, value),
            "author" => put_text(&mut self.author, value),
            "created" => put_text(&mut self.created, value),
            "modified" => put_text(&mut self.modified, value),
            "language" => put_text(&mut self.language, value),
            "encoding" => put_text(&mut self.encoding, value),
            "page_count" => put_parsed(&mut self.page_count, value),
            "size" => put_parsed(&mut self.size, value),
            "content_hash" => put_parsed(&mut self.content_hash, value),
            _ => Err(value),
        }
    }

    /// Returns the value of a field, by its name in JSON, or `None` if it is missing or null.
    pub fn field(&self, name: &str) -> Option<Cow<'_, Value>> {
        let text = |text: &Option<String>| text.clone().map(Value::from);
        let own = match name {
            "title" => text(&self.title),
            "author" => text(&self.author),
            "created" => text(&self.created),
            "modified" => text(&self.modified),
            "language" => text(&self.language),
            "encoding" => text(&self.encoding),
            "page_count" => self.page_count.map(Value::from),
            "size" => self.size.map(Value::from),
            "content_hash" => self.content_hash.map(|hash| Value::from(hash.to_string())),
            other => {
                return self
                    .extra
                    .get(other)
                    .filter(|value| !value.is_null())
                    .map(Cow::Borrowed);
            }
        };
        own.map(Cow::Owned)
    }
}

fn put_text(field: &mut Option<String>, value: Value) -> Result<(), Value> {
    *field = match value {
        Value::String(text) => Some(text),
        Value::Null => None,
        other => return Err(other),
    };
    Ok(())
}

fn put_parsed<T: DeserializeOwned>(field: &mut Option<T>, value: Value) -> Result<(), Value> {
    let Ok(parsed) = Option::deserialize(&value) else {
        return Err(value);
    };
    *field = parsed;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_read_again_whatever_names_it_has() {
        let own = OWN_NAMES.map(|name| (name.to_owned(), Value::from(vec![1])));
        let metadata = Metadata {
            title: Some("T".into()),
            content_hash: Some(ContentHash::of(b"x")),
            extra: own
                .into_iter()
                .chain([("team".into(), "red".into())])
                .collect(),
            ..Metadata::default()
        };
        let json = serde_json::to_string(&metadata).unwrap();
        let again: Metadata = serde_json::from_str(&json).unwrap();
        let written: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(
            (&again.title, again.content_hash),
            (&metadata.title, metadata.content_hash)
        );
        assert_eq!(again.extra["team"], "red");
        assert_eq!(again.extra["extra_size"], Value::from(vec![1]));
        assert_eq!(serde_json::to_value(&again).unwrap(), written);
    }

    #[test]
    fn metadata_that_was_written_wrong_is_read() {
        let json = r#"{"title": 5, "content_hash": "x", "size": 7, "content_hash": null, "page_count": -1}"#;
        let metadata: Metadata = serde_json::from_str(json).unwrap();
        assert_eq!((metadata.size, metadata.content_hash), (Some(7), None));
        assert_eq!(metadata.extra["extra_title"], 5);
        assert_eq!(metadata.extra["extra_page_count"], -1);
    }

    #[test]
    fn a_misfit_field_is_named() {
        let mut metadata = Metadata::default();
        metadata.extra.insert("author".into(), "Ada".into());
        metadata.extra.insert("size".into(), "big".into());
        let error = metadata.settle().unwrap_err().to_string();
        assert!(
            error.contains("`size`") && error.contains("\"big\""),
            "{error}"
        );
        assert_eq!(metadata.author.as_deref(), Some("Ada"));
    }
}
