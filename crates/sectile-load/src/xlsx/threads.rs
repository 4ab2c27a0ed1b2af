//! Threads of comments on cells, which Excel writes a second time as comments of the old kind.

use std::collections::HashMap;

use crate::failure::Failure;
use crate::opc::{Package, Relationship};
use crate::workbook::Comment;
use crate::xml::{Node, Walk};

/// Where the names of the authors stand in all files that programs write.
const PERSONS: &str = "xl/persons/person.xml";

/// What the author of a copy begins with; the id of the thread follows.
const COPY: &str = "tc=";

/// What ends the note that a copy begins with, in every language.
const END_OF_NOTE: &str = "linkid=870924";

/// Puts the threads of a sheet in the place of their copies among its comments.
pub(super) fn resolve(
    package: &mut Package,
    relationships: &[Relationship],
    comments: Vec<Comment>,
) -> Result<Vec<Comment>, Failure> {
    let mut threads = Vec::new();
    let parts = relationships
        .iter()
        .filter(|one| one.kind == "threadedComment");
    for part in parts {
        threads.extend(package.secondary(&part.part, read_threads)?);
    }
    let persons = package.secondary(PERSONS, read_persons)?;
    for thread in &mut threads {
        thread.author = persons.get(&thread.author).cloned().unwrap_or_default();
    }
    let is_copy = |comment: &Comment| comment.author.starts_with(COPY);
    let (copies, mut resolved): (Vec<_>, Vec<_>) = comments.into_iter().partition(is_copy);
    if threads.is_empty() {
        threads = copies.into_iter().map(without_note).collect();
    }
    resolved.append(&mut threads);
    Ok(resolved)
}

/// Removes the note for programs that do not support threads.
fn without_note(comment: Comment) -> Comment {
    let (_, text) = comment.text.split_once(END_OF_NOTE).unwrap_or_default();
    let text = if text.is_empty() { &comment.text } else { text };
    Comment {
        cell: comment.cell,
        author: String::new(),
        text: text.trim().into(),
    }
}

/// Reads the comments of a part. Their authors are ids.
fn read_threads(xml: &str) -> Result<Vec<Comment>, Failure> {
    let mut comments: Vec<Comment> = Vec::new();
    let mut in_text = Vec::new();
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) => {
                if element.name() == "threadedComment" {
                    comments.push(Comment {
                        cell: element.attribute("ref").unwrap_or_default(),
                        author: element.attribute("personId").unwrap_or_default(),
                        text: String::new(),
                    });
                }
                in_text.push(element.name() == "text");
            }
            Node::Text(text) => {
                if let (Some(true), Some(last)) = (in_text.last(), comments.last_mut()) {
                    last.text.push_str(&text);
                }
            }
            Node::Close => drop(in_text.pop()),
            Node::End => return Ok(comments),
        }
    }
}

/// Reads the names of authors by their ids.
fn read_persons(xml: &str) -> Result<HashMap<String, String>, Failure> {
    let mut persons = HashMap::new();
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) if element.name() == "person" => {
                let id = element.attribute("id").unwrap_or_default();
                persons.insert(id, element.attribute("displayName").unwrap_or_default());
            }
            Node::Open(_) | Node::Close | Node::Text(_) => {}
            Node::End => return Ok(persons),
        }
    }
}
