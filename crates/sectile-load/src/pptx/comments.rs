//! Comments on slides, and who wrote them.

use std::collections::HashMap;

use crate::blocks::Block;
use crate::failure::Failure;
use crate::one_line::one_line;
use crate::xml::{Node, Walk};

/// The names of authors, by their ids.
pub(super) type Authors = HashMap<String, String>;

pub(super) fn read_authors(xml: &str) -> Result<Authors, Failure> {
    let mut authors = Authors::new();
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) if matches!(element.name(), "cmAuthor" | "author") => {
                let id = element.attribute("id").unwrap_or_default();
                authors.insert(id, element.attribute("name").unwrap_or_default());
            }
            Node::Open(_) | Node::Close | Node::Text(_) => {}
            Node::End => return Ok(authors),
        }
    }
}

/// Reads the comments on a slide and the answers to them, in the order of the file.
pub(super) fn read(xml: &str, authors: &Authors) -> Result<Vec<Block>, Failure> {
    let mut blocks = Vec::new();
    // The authors and texts of the comments that are open: answers stand within.
    let mut comments: Vec<(String, String)> = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) => {
                let name = element.name().to_owned();
                if is_comment(&name) {
                    let author = element.attribute("authorId").unwrap_or_default();
                    comments.push((author, String::new()));
                } else if name == "p" {
                    comments
                        .last_mut()
                        .into_iter()
                        .for_each(|(_, text)| text.push(' '));
                }
                open.push(name);
            }
            Node::Text(part) => {
                let holds_text = matches!(open.last().map(String::as_str), Some("t" | "text"));
                if let Some((_, text)) = comments.last_mut().filter(|_| holds_text) {
                    text.push_str(&part);
                }
            }
            Node::Close => {
                let closed = open.pop();
                if closed.as_deref().is_some_and(is_comment)
                    && let Some((author, text)) = comments.pop()
                    && !text.trim().is_empty()
                {
                    let author = authors.get(&author).filter(|name| !name.trim().is_empty());
                    let by =
                        author.map_or_else(String::new, |name| format!(" by {}", one_line(name)));
                    blocks.push(Block::Text(format!("Comment{by}: {}", one_line(&text))));
                }
            }
            Node::End => return Ok(blocks),
        }
    }
}

fn is_comment(name: &str) -> bool {
    matches!(name, "cm" | "reply")
}
