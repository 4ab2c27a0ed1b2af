//! What OpenDocument files share: what they say of themselves, and the pictures, objects and forms in them.

mod drawing;
pub(crate) mod forms;
mod object;

use sectile_core::Metadata;

use crate::custom_properties::{CustomProperties, typed};
use crate::failure::Failure;
use crate::omissions::{REPEATS_LEFT_OUT, UNREAD_PARTS};
use crate::one_line::one_line;
use crate::superscript::Rise;
use crate::xml::{Node, Walk};

pub(crate) use drawing::Drawings;
pub(crate) use object::{Object, Objects, formula};

/// Reads title, author, dates, language and the other properties that have text.
pub(crate) fn metadata(xml: &str) -> Result<Metadata, Failure> {
    let mut walk = Walk::new(xml);
    let mut metadata = Metadata::default();
    let (mut name, mut value) = (String::new(), String::new());
    let mut keywords: Vec<String> = Vec::new();
    let mut properties = CustomProperties::default();
    // The name and the type of a property of an organization.
    let mut own = (String::new(), String::new());
    loop {
        match walk.next()? {
            // A flat file goes on with the text.
            Node::Open(element) if element.name() == "body" => walk.skip()?,
            Node::Open(element) => {
                name = element.name().into();
                let attribute = |name| element.attribute(name).unwrap_or_default();
                own = (attribute("name"), attribute("value-type"));
                value.clear();
            }
            Node::Text(text) => value.push_str(&text),
            Node::Close => {
                let value = one_line(&std::mem::take(&mut value).replace('\0', ""));
                if name == "user-defined" {
                    properties.add(&std::mem::take(&mut own.0), typed(&own.1, &value));
                } else if name == "keyword" && !value.is_empty() {
                    keywords.push(value);
                } else if !value.is_empty() {
                    set(&mut metadata, &name, value);
                }
            }
            Node::End => break,
        }
    }
    if !keywords.is_empty() {
        let keywords = keywords.join(", ");
        metadata.extra.insert("keywords".into(), keywords.into());
    }
    properties.write_into(&mut metadata);
    Ok(metadata)
}

/// Says which repeated cells and which objects are not in the text.
pub(crate) fn note_omissions(metadata: &mut Metadata, repeats: u64, unread: Vec<String>) {
    if repeats > 0 {
        metadata
            .extra
            .insert(REPEATS_LEFT_OUT.into(), repeats.into());
    }
    if !unread.is_empty() {
        metadata.extra.insert(UNREAD_PARTS.into(), unread.into());
    }
}

/// Says where a position of text, such as `super 58%` or `33% 58%`, is beside the line.
pub(crate) fn rise(position: &str) -> Rise {
    match position.split_whitespace().next().unwrap_or_default() {
        "super" => Rise::Raised,
        "sub" => Rise::Lowered,
        height => {
            let height = height.trim_end_matches('%').parse::<f64>();
            height.map_or(Rise::None, Rise::of_height)
        }
    }
}

fn set(metadata: &mut Metadata, name: &str, value: String) {
    match name {
        "title" => metadata.title = Some(value),
        "initial-creator" => metadata.author = Some(value),
        "creator" if metadata.author.is_none() => metadata.author = Some(value),
        "creation-date" => metadata.created = Some(value),
        "date" => metadata.modified = Some(value),
        "language" => metadata.language = Some(value),
        "subject" | "description" => {
            metadata.extra.insert(name.into(), value.into());
        }
        _ => {}
    }
}
