//! What an OpenDocument file says of itself.

use sectile_core::Metadata;
use serde_json::Value;

use crate::failure::Failure;
use crate::xml::{Node, Walk};

/// Reads title, author, dates, language and the other properties that have text.
pub(super) fn read(xml: &str) -> Result<Metadata, Failure> {
    let mut walk = Walk::new(xml);
    let mut metadata = Metadata::default();
    let mut open: Vec<String> = Vec::new();
    let mut value = String::new();
    loop {
        match walk.next()? {
            Node::Open(element) => {
                open.push(element.name().to_owned());
                value.clear();
            }
            Node::Text(text) => value.push_str(&text),
            Node::Close => {
                let text = std::mem::take(&mut value).trim().replace('\0', "");
                if let Some(name) = open.pop().filter(|_| !text.is_empty()) {
                    set(&mut metadata, &name, text);
                }
            }
            Node::End => return Ok(metadata),
        }
    }
}

fn set(metadata: &mut Metadata, name: &str, value: String) {
    match name {
        "title" => metadata.title = Some(value),
        "initial-creator" => metadata.author = Some(value),
        "creator" => {
            metadata.author.get_or_insert(value);
        }
        "creation-date" => metadata.created = Some(value),
        "date" => metadata.modified = Some(value),
        "language" => metadata.language = Some(value),
        "subject" | "keyword" | "description" => {
            metadata.extra.insert(name.into(), Value::from(value));
        }
        _ => {}
    }
}
