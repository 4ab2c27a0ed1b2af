//! The controls on a sheet, such as buttons and check boxes, as programs of before 2010 write them: in the Vector Markup
//! Language (VML).

use std::collections::HashSet;

use crate::blocks::Block;
use crate::failure::Failure;
use crate::one_line::one_line;
use crate::opc::{Package, Relationship};
use crate::xml::{Node, Walk};

/// What the boxes of comments are called, whose texts are read elsewhere.
const COMMENT: &str = "Note";

/// How many parts in VML a sheet has: its own, and that of the heads of its pages.
const MAX_PARTS: usize = 2;

/// Adds the labels of controls to what stands beside the cells of a sheet, without those of controls that the drawing of
/// the sheet has, too. Several controls may have one label.
pub(super) fn add(
    package: &mut Package,
    relationships: &[Relationship],
    beside: &mut Vec<Block>,
) -> Result<(), Failure> {
    let of_drawing = beside.len();
    let parts = relationships.iter().filter(|one| one.kind == "vmlDrawing");
    for part in parts.take(MAX_PARTS) {
        let xml = match package.read(&part.part) {
            Ok(xml) => xml,
            Err(failure) if failure.is_damage() => continue,
            Err(failure) => return Err(failure),
        };
        let known: HashSet<String> = beside[..of_drawing].iter().map(Block::flat).collect();
        let mut labels = labels(&xml);
        labels.retain(|label| !known.contains(label));
        beside.extend(labels.into_iter().map(Block::Text));
    }
    Ok(())
}

/// Reads the labels, as far as the part is sound: it may have HTML in it that is no XML, such as the line breaks of Excel.
fn labels(xml: &str) -> Vec<String> {
    let mut labels = Vec::new();
    let (mut text, mut is_comment) = (String::new(), false);
    let mut open: Vec<String> = Vec::new();
    let sound = xml.replace("<br>", "<br/>");
    let mut walk = Walk::new(&sound);
    while let Ok(node) = walk.next() {
        match node {
            Node::Open(element) => {
                match element.name() {
                    "shape" => {
                        text.clear();
                        is_comment = false;
                    }
                    "ClientData" => {
                        let kind = element.attribute("ObjectType");
                        is_comment = kind.as_deref() == Some(COMMENT);
                    }
                    "div" | "br" => text.push(' '),
                    _ => {}
                }
                open.push(element.name().to_owned());
            }
            Node::Text(part) => {
                if open.iter().any(|name| name == "textbox") {
                    text.push_str(&part);
                }
            }
            Node::Close => {
                if open.pop().as_deref() == Some("shape") {
                    let label = one_line(&std::mem::take(&mut text));
                    labels.extend(Some(label).filter(|label| !label.is_empty() && !is_comment));
                }
            }
            Node::End => break,
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_have_labels_and_comments_are_none() {
        let shape = |kind: &str, text: &str| {
            format!(
                "<v:shape><v:textbox><div><font>{text}</font></div></v:textbox><x:ClientData ObjectType='{kind}'>\
                 <x:Anchor>1, 2</x:Anchor></x:ClientData></v:shape>"
            )
        };
        let xml = format!(
            "<xml><v:shapetype/>{}{}{}{}{}<v:shape><v:textbox><p>cut</xml>",
            shape("Note", "said"),
            shape("Button", "Send &amp;\n now"),
            shape("Drop", ""),
            shape("Checkbox", "I<br>agree"),
            shape("Checkbox", "I agree")
        );
        assert_eq!(labels(&xml), ["Send & now", "I agree", "I agree"]);
    }
}
