//! What a document holds in parts of its own: charts, diagrams, and chunks in other formats.

use std::collections::BTreeMap;
use std::path::Path;

use sectile_core::Document;

use crate::blocks::{Block, Cell, Marker, from_markdown, one_line};
use crate::failure::Failure;
use crate::xml::{Node, Walk};
use crate::{Error, Loader as _, TextLoader};

/// How many cells the table of a chart may have.
const MAX_CELLS: usize = 100_000;

/// A series of a chart: its name, and the category and value of each point.
#[derive(Debug, Default)]
struct Series {
    name: String,
    categories: BTreeMap<u32, String>,
    values: BTreeMap<u32, String>,
}

/// Reads the title of a chart, and its points as a table: a row for each category and a column for
/// each series.
pub(super) fn chart(xml: &str) -> Result<Vec<Block>, Failure> {
    let mut walk = Walk::new(xml);
    let mut open: Vec<String> = Vec::new();
    let (mut title, mut all) = (String::new(), Vec::<Series>::new());
    let mut index = 0;
    loop {
        match walk.next()? {
            Node::Open(element) => {
                match element.name() {
                    "ser" => all.push(Series::default()),
                    "pt" => {
                        let point = element.attribute("idx");
                        index = point.and_then(|point| point.parse().ok()).unwrap_or(0);
                    }
                    _ => {}
                }
                open.push(element.name().into());
            }
            Node::Close => drop(open.pop()),
            Node::Text(text) if is_shown(&open) => {
                let is_in = |name: &str| open.iter().any(|other| other == name);
                match all.last_mut() {
                    _ if is_in("title") => title.push_str(&text),
                    Some(last) if is_in("tx") => last.name.push_str(&text),
                    Some(last) if is_in("cat") || is_in("xVal") => {
                        last.categories.entry(index).or_default().push_str(&text);
                    }
                    Some(last) if is_in("val") || is_in("yVal") => {
                        last.values.entry(index).or_default().push_str(&text);
                    }
                    _ => {}
                }
            }
            Node::Text(_) => {}
            Node::End => return Ok(chart_blocks(&title, &all)),
        }
    }
}

/// Says whether text is a cached value or words, and not a formula or a format.
fn is_shown(open: &[String]) -> bool {
    open.last()
        .is_some_and(|name| matches!(name.as_str(), "v" | "t"))
}

fn chart_blocks(title: &str, all: &[Series]) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !title.trim().is_empty() {
        blocks.push(Block::Text(one_line(title)));
    }
    let mut rows: BTreeMap<u32, String> = BTreeMap::new();
    for series in all {
        for index in series.values.keys() {
            rows.entry(*index).or_default();
        }
        for (index, name) in &series.categories {
            let known = rows.entry(*index).or_default();
            if known.is_empty() {
                *known = one_line(name);
            }
        }
    }
    if rows.is_empty() || rows.len().saturating_mul(all.len()) > MAX_CELLS {
        return blocks;
    }
    let cell = |text: &str| Cell {
        text: one_line(text),
        span: 1,
    };
    let names = all.iter().map(|series| cell(&series.name));
    let mut table = vec![std::iter::once(cell("")).chain(names).collect()];
    for (index, name) in &rows {
        let values = all.iter().map(|series| {
            let value = series.values.get(index);
            cell(value.map_or("", String::as_str))
        });
        table.push(std::iter::once(cell(name)).chain(values).collect());
    }
    blocks.push(Block::Table(table));
    blocks
}

/// Reads the words of a diagram (SmartArt), an item for each of its points.
pub(super) fn diagram(xml: &str) -> Result<Vec<Block>, Failure> {
    let mut walk = Walk::new(xml);
    let (mut blocks, mut text, mut is_text) = (Vec::new(), String::new(), false);
    loop {
        match walk.next()? {
            Node::Open(element) => {
                is_text = element.name() == "t";
                if matches!(element.name(), "pt" | "p" | "br") && !text.is_empty() {
                    text.push(' ');
                }
                if element.name() == "pt" {
                    add_item(&mut blocks, &mut text);
                }
            }
            Node::Text(words) if is_text => text.push_str(&words),
            Node::Text(_) => {}
            Node::Close => is_text = false,
            Node::End => {
                add_item(&mut blocks, &mut text);
                return Ok(blocks);
            }
        }
    }
}

fn add_item(blocks: &mut Vec<Block>, text: &mut String) {
    let words = one_line(&std::mem::take(text));
    if !words.is_empty() {
        blocks.push(Block::Item {
            marker: Marker::Bullet,
            level: 0,
            text: words,
        });
    }
}

/// Reads a chunk in another format; nothing where there is no loader for it.
pub(super) fn chunk(bytes: &[u8], name: &str) -> Option<Vec<Block>> {
    let document = load(bytes, Path::new(name))?.ok()?;
    Some(from_markdown(&document.text, &document.outline))
}

fn load(bytes: &[u8], path: &Path) -> Option<Result<Document, Error>> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "txt" => TextLoader.load(bytes, path),
        #[cfg(feature = "html")]
        "htm" | "html" | "xhtml" => crate::html::load_shown(bytes, path),
        #[cfg(feature = "rtf")]
        "rtf" => crate::RtfLoader.load(bytes, path),
        _ => return None,
    })
}
