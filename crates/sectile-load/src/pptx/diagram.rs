//! The text of a diagram (`SmartArt`), as a list.

use std::collections::{HashMap, HashSet};

use crate::blocks::{Block, Marker};
use crate::failure::Failure;
use crate::xml::{Node, Walk};

/// How deep a list may be; deeper items stand on this level.
const MAX_LEVEL: usize = 8;

/// Reads the points of a diagram in their order, each on its level.
pub(super) fn read(xml: &str) -> Result<Vec<Block>, Failure> {
    let mut points: Vec<(String, String)> = Vec::new();
    let mut below: HashMap<String, Vec<(u32, String)>> = HashMap::new();
    let mut roots = Vec::new();
    let mut in_text = false;
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) => {
                in_text = false;
                match element.name() {
                    "pt" => {
                        let id = element.attribute("modelId").unwrap_or_default();
                        if element.attribute("type").as_deref() == Some("doc") {
                            roots.push(id.clone());
                        }
                        points.push((id, String::new()));
                    }
                    "cxn"
                        if matches!(element.attribute("type").as_deref(), None | Some("parOf")) =>
                    {
                        let source = element.attribute("srcId").unwrap_or_default();
                        let order = element
                            .attribute("srcOrd")
                            .and_then(|order| order.parse().ok());
                        let target = element.attribute("destId").unwrap_or_default();
                        below
                            .entry(source)
                            .or_default()
                            .push((order.unwrap_or(0), target));
                    }
                    "t" => in_text = true,
                    "p" => points
                        .last_mut()
                        .into_iter()
                        .for_each(|(_, text)| text.push(' ')),
                    _ => {}
                }
            }
            Node::Text(text) if in_text => {
                points
                    .last_mut()
                    .into_iter()
                    .for_each(|(_, last)| last.push_str(&text));
            }
            Node::Text(_) => {}
            Node::Close => in_text = false,
            Node::End => return Ok(list(&points, below, roots)),
        }
    }
}

/// Makes a list of the points below the roots, and of those that nothing leads to.
fn list(
    points: &[(String, String)],
    mut below: HashMap<String, Vec<(u32, String)>>,
    roots: Vec<String>,
) -> Vec<Block> {
    let texts: HashMap<&str, &str> = points
        .iter()
        .map(|(id, text)| (id.as_str(), text.trim()))
        .collect();
    let mut items = Vec::new();
    let mut seen = HashSet::new();
    let starts = roots.into_iter().map(|root| (0, root));
    let others = points.iter().map(|(id, _)| (1, id.clone()));
    for start in starts.chain(others) {
        let mut open: Vec<(usize, String)> = vec![start];
        while let Some((level, id)) = open.pop() {
            let text = texts.get(id.as_str()).copied().unwrap_or_default();
            let mut targets = below.remove(&id).unwrap_or_default();
            if !seen.insert(id) {
                continue;
            }
            if !text.is_empty() {
                items.push(Block::Item {
                    marker: Marker::Bullet,
                    level: level.saturating_sub(1),
                    text: text.into(),
                });
            }
            targets.sort_by_key(|(order, _)| *order);
            let level = (level + 1).min(MAX_LEVEL);
            open.extend(targets.into_iter().rev().map(|(_, id)| (level, id)));
        }
    }
    items
}
