//! Books in `FictionBook` (`.fb2`): what their description says, and what of them is no text.

use sectile_core::Metadata;
use serde_json::Value;

use crate::failure::Failure;
use crate::one_line::one_line;
use crate::xml::{Node, Walk};

/// The root of a book.
pub(super) const ROOT: &str = "FictionBook";

/// Returns whether an element of a book holds what is not its text: its description, its pictures and its looks.
pub(super) fn is_beside_text(name: &str) -> bool {
    matches!(name, "binary" | "description" | "stylesheet")
}

/// Takes the title, the authors, the language, the annotation, the series and the edition of a book from its description.
pub(super) fn describe(xml: &str, metadata: &mut Metadata) -> Result<(), Failure> {
    let mut walk = Walk::new(xml).allowing_doctype();
    let mut authors: Vec<String> = Vec::new();
    loop {
        match walk.next()? {
            Node::Open(element) => match element.name() {
                ROOT | "description" | "title-info" | "publish-info" => {}
                name @ ("genre" | "translator" | "date" | "publisher" | "year" | "isbn") => {
                    let name = name.to_owned();
                    add(metadata, &name, text_of(&mut walk)?);
                }
                "sequence" => {
                    let parts = ["name", "number"].map(|name| element.attribute(name));
                    let parts: Vec<String> = parts.into_iter().flatten().collect();
                    add(metadata, "series", one_line(&parts.join(" ")));
                    walk.skip()?;
                }
                "author" => authors.push(text_of(&mut walk)?),
                "book-title" => set(&mut metadata.title, text_of(&mut walk)?),
                "lang" => set(&mut metadata.language, text_of(&mut walk)?),
                "annotation" => {
                    let text = text_of(&mut walk)?;
                    if !text.is_empty() {
                        metadata.extra.insert("description".into(), text.into());
                    }
                }
                _ => walk.skip()?,
            },
            Node::Close | Node::Text(_) => {}
            Node::End => break,
        }
    }
    authors.retain(|author| !author.is_empty());
    metadata.author = Some(authors.join(", ")).filter(|authors| !authors.is_empty());
    Ok(())
}

/// Adds a text to a field of the metadata, behind those that are there.
fn add(metadata: &mut Metadata, name: &str, text: String) {
    if text.is_empty() {
        return;
    }
    if let Some(Value::String(all)) = metadata.extra.get_mut(name) {
        all.push_str(", ");
        all.push_str(&text);
    } else {
        metadata.extra.insert(name.into(), text.into());
    }
}

/// Sets a value, unless the new one is empty.
fn set(value: &mut Option<String>, text: String) {
    if !text.is_empty() {
        *value = Some(text);
    }
}

/// Reads the text of the element that was opened last, without addresses and numbers of authors.
fn text_of(walk: &mut Walk<'_>) -> Result<String, Failure> {
    let mut text = String::new();
    let mut depth = 1_usize;
    while depth > 0 {
        match walk.next()? {
            Node::Open(element) => match element.name() {
                "email" | "home-page" | "id" => walk.skip()?,
                name => {
                    if !is_inline(name) {
                        text.push(' ');
                    }
                    depth += 1;
                }
            },
            Node::Close => depth -= 1,
            Node::Text(piece) => text.push_str(&piece),
            Node::End => break,
        }
    }
    Ok(one_line(&text))
}

fn is_inline(name: &str) -> bool {
    matches!(
        name,
        "a" | "emphasis" | "strikethrough" | "strong" | "style" | "sub" | "sup"
    )
}
