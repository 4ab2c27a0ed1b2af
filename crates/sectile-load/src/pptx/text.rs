//! The paragraphs of a shape.

use std::collections::HashMap;

use crate::blocks::{Block, Marker, one_line};
use crate::xml::Element;

/// How deep lists are; the format has nine levels.
const MAX_LEVEL: usize = 8;

/// The text of a shape or a cell while it is read.
#[derive(Debug, Default)]
pub(super) struct TextBody {
    paragraphs: Vec<Paragraph>,
    /// Where a link began in the paragraph, and where it leads.
    link: Option<(usize, String)>,
}

#[derive(Debug, Default)]
struct Paragraph {
    text: String,
    level: usize,
    bullet: Bullet,
}

/// What stands before a paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Bullet {
    /// What the layout says.
    #[default]
    Inherited,
    None,
    Sign,
    /// A number, counted from this one.
    Number(u32),
}

impl TextBody {
    pub(super) fn begin_paragraph(&mut self) {
        self.paragraphs.push(Paragraph::default());
    }

    /// Takes a property of the paragraph.
    pub(super) fn set(&mut self, element: &Element) {
        let Some(paragraph) = self.paragraphs.last_mut() else {
            return;
        };
        match element.name() {
            "pPr" => {
                let level = element
                    .attribute("lvl")
                    .and_then(|level| level.parse().ok());
                paragraph.level = level.unwrap_or(0).min(MAX_LEVEL);
            }
            "buNone" => paragraph.bullet = Bullet::None,
            "buChar" | "buBlip" => paragraph.bullet = Bullet::Sign,
            "buAutoNum" => {
                let first = element
                    .attribute("startAt")
                    .and_then(|first| first.parse().ok());
                paragraph.bullet = Bullet::Number(first.unwrap_or(1));
            }
            _ => {}
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        if let Some(last) = self.paragraphs.last_mut() {
            last.text.push_str(text);
        }
    }

    /// Begins the text of a link.
    pub(super) fn begin_link(&mut self, target: &str) {
        if let Some(last) = self.paragraphs.last() {
            self.link = Some((last.text.len(), target.into()));
        }
    }

    /// Ends the run of text that a link may be on.
    pub(super) fn end_run(&mut self) {
        let (Some((start, target)), Some(last)) = (self.link.take(), self.paragraphs.last_mut())
        else {
            return;
        };
        let text = last.text.split_off(start.min(last.text.len()));
        let words = text.trim();
        let is_plain = words.is_empty()
            || target.ends_with(words)
            || words.contains(['\n', ']'])
            || target.contains(['(', ')', '<', '>', ' ']);
        if is_plain {
            last.text.push_str(&text);
        } else {
            let (before, after) = text.split_once(words).unwrap_or_default();
            last.text += before;
            last.text += &["[", words, "](", &target, ")"].concat();
            last.text += after;
        }
    }

    /// Returns the text on one line.
    pub(super) fn line(&self) -> String {
        let texts = self
            .paragraphs
            .iter()
            .map(|paragraph| one_line(&paragraph.text));
        let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        texts.join(" ")
    }

    /// Makes blocks of the paragraphs. Those of an outline are items unless they say otherwise.
    pub(super) fn blocks(self, is_outline: bool) -> Vec<Block> {
        let filled = |one: &&Paragraph| !one.text.trim().is_empty();
        let is_list = self.paragraphs.iter().filter(filled).count() > 1;
        let mut blocks = Vec::new();
        let mut numbers: HashMap<usize, u32> = HashMap::new();
        for paragraph in self.paragraphs {
            let text = paragraph.text.trim().to_owned();
            if text.is_empty() {
                continue;
            }
            let level = paragraph.level;
            let marker = match paragraph.bullet {
                Bullet::Sign => Some(Marker::Bullet),
                Bullet::Number(first) => {
                    let number = numbers.entry(level).or_insert(first);
                    *number = number.saturating_add(1);
                    Some(Marker::Number(*number - 1))
                }
                Bullet::Inherited if is_outline && (is_list || level > 0) => Some(Marker::Bullet),
                Bullet::Inherited if level > 0 => Some(Marker::Bullet),
                Bullet::Inherited | Bullet::None => None,
            };
            numbers.retain(|other, _| {
                *other < level || (*other == level && matches!(marker, Some(Marker::Number(_))))
            });
            blocks.push(match marker {
                Some(marker) => Block::Item {
                    marker,
                    level,
                    text,
                },
                None => Block::Text(text),
            });
        }
        blocks
    }
}
