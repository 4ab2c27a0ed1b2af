//! The paragraphs of drawings, and what is said of their pictures, in the order of the file.

use crate::alternative_text::Picture;
use crate::blocks::Block;
use crate::failure::Failure;
use crate::office_math;
use crate::xml::{Node, Walk};

/// Reads each paragraph with text, and each picture that is described.
pub(crate) fn paragraphs(xml: &str) -> Result<Vec<Block>, Failure> {
    let mut walk = Walk::new(xml);
    let mut blocks = Vec::new();
    let mut open = Vec::new();
    let mut text = String::new();
    let mut picture = Picture::default();
    loop {
        match walk.next()? {
            // What stands in for a drawing that a reader does not know repeats its text.
            Node::Open(element) if element.name() == "Fallback" => walk.skip()?,
            Node::Open(element) if office_math::is_equation(&element) => {
                text.push_str(&office_math::read(&mut walk, &element)?);
            }
            Node::Open(element) => {
                let name = element.name();
                if name == "br" {
                    text.push('\n');
                }
                match name {
                    "cNvPr" => picture = Picture::of_properties(&element),
                    "decorative" => picture.is_decorative |= element.is_on(),
                    _ => {}
                }
                open.push(match name {
                    "p" => Part::Paragraph,
                    "t" => Part::Text,
                    "pic" => Part::Picture,
                    _ => Part::Other,
                });
            }
            Node::Text(part) if open.last() == Some(&Part::Text) => text.push_str(&part),
            Node::Text(_) => {}
            Node::Close => match open.pop() {
                Some(Part::Paragraph) => {
                    let paragraph = std::mem::take(&mut text);
                    if !paragraph.trim().is_empty() {
                        blocks.push(Block::Text(paragraph.trim().into()));
                    }
                }
                Some(Part::Picture) => blocks.extend(std::mem::take(&mut picture).block()),
                _ => {}
            },
            Node::End => return Ok(blocks),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Paragraph,
    Text,
    Picture,
    Other,
}
