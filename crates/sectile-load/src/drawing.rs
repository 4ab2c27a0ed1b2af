//! The paragraphs of drawings, in the order of the file.

use crate::blocks::Block;
use crate::failure::Failure;
#[cfg(any(feature = "pptx", feature = "xlsx"))]
use crate::office_math;
use crate::xml::{Node, Walk};

/// Reads each paragraph with text.
pub(crate) fn paragraphs(xml: &str) -> Result<Vec<Block>, Failure> {
    let mut walk = Walk::new(xml);
    let mut blocks = Vec::new();
    let mut open = Vec::new();
    let mut text = String::new();
    loop {
        match walk.next()? {
            // What stands in for a drawing that a reader does not know repeats its text.
            Node::Open(element) if element.name() == "Fallback" => walk.skip()?,
            #[cfg(any(feature = "pptx", feature = "xlsx"))]
            Node::Open(element) if office_math::is_equation(&element) => {
                text.push_str(&office_math::read(&mut walk, &element)?);
            }
            Node::Open(element) => {
                let name = element.name();
                if name == "br" {
                    text.push('\n');
                }
                open.push(match name {
                    "p" => Part::Paragraph,
                    "t" => Part::Text,
                    _ => Part::Other,
                });
            }
            Node::Text(part) if open.last() == Some(&Part::Text) => text.push_str(&part),
            Node::Text(_) => {}
            Node::Close => {
                if open.pop() == Some(Part::Paragraph) {
                    let paragraph = std::mem::take(&mut text);
                    if !paragraph.trim().is_empty() {
                        blocks.push(Block::Text(paragraph.trim().into()));
                    }
                }
            }
            Node::End => return Ok(blocks),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Paragraph,
    Text,
    Other,
}
