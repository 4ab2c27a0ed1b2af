//! What an Office document says of itself: the core properties part.

use sectile_core::Metadata;
use serde_json::Value;

use crate::failure::Failure;
use crate::xml::{Node, Walk};

/// What relationships to the part are called.
pub(crate) const KINDS: [&str; 2] = ["core-properties", "coreProperties"];

/// Where the part stands when nothing in the package says so.
pub(crate) const USUAL_PART: &str = "docProps/core.xml";

/// Properties without a field in [`Metadata`], which go to its `extra`.
const OTHERS: [&str; 5] = [
    "subject",
    "keywords",
    "description",
    "category",
    "lastModifiedBy",
];

/// Reads title, author, dates, language and the other properties that have text.
pub(crate) fn read(xml: &str) -> Result<Metadata, Failure> {
    let mut walk = Walk::new(xml);
    let mut metadata = Metadata::default();
    let mut open = Vec::new();
    let mut value = String::new();
    loop {
        match walk.next()? {
            Node::Open(element) => {
                open.push(element.name().to_owned());
                value.clear();
            }
            Node::Text(text) => value.push_str(&text),
            Node::Close => set(
                &mut metadata,
                &open.pop().unwrap_or_default(),
                &std::mem::take(&mut value),
            ),
            Node::End => return Ok(metadata),
        }
    }
}

fn set(metadata: &mut Metadata, name: &str, value: &str) {
    let value = value.trim().replace('\0', "");
    if value.is_empty() {
        return;
    }
    let field = match name {
        "title" => &mut metadata.title,
        "creator" => &mut metadata.author,
        "created" => &mut metadata.created,
        "modified" => &mut metadata.modified,
        "language" => &mut metadata.language,
        other => {
            if OTHERS.contains(&other) {
                metadata.extra.insert(other.into(), Value::from(value));
            }
            return;
        }
    };
    *field = Some(value);
}
