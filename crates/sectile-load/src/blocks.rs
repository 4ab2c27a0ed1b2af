//! The blocks that a document is read into, and how they are written as Markdown.

mod render;

use sectile_core::Heading;

use crate::one_line::one_line;
use crate::prose;
pub(crate) use render::{join, render};

/// A block of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    Text(String),
    Heading {
        level: u8,
        text: String,
    },
    Item {
        marker: Marker,
        level: usize,
        text: String,
    },
    /// The cells of each row.
    Table(Vec<Vec<Cell>>),
    /// The definition of a footnote or endnote.
    Note {
        number: usize,
        text: String,
    },
    /// A paragraph that may be a heading. `titles::settle` decides, once the whole document is read.
    Title(Title),
}

/// A paragraph that may be a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Title {
    /// The text of the heading, with its number.
    pub(crate) text: String,
    /// The level that its style gives it.
    pub(crate) level: Option<u8>,
    /// Its names for links.
    pub(crate) places: Vec<String>,
    pub(crate) look: Look,
    /// The block if it is not a heading.
    pub(crate) otherwise: Box<Block>,
}

/// How a paragraph looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) is_bold: bool,
    pub(crate) size: u16,
    /// Whether it is one line without columns.
    pub(crate) is_line: bool,
}

impl Title {
    /// Returns whether its text is too long for a heading.
    pub(crate) fn is_prose(&self) -> bool {
        prose::is_prose(&self.text)
    }

    /// Returns the heading of a level, or the other block without one.
    pub(crate) fn settle(self, level: Option<u8>) -> Block {
        match level {
            Some(level) => Block::Heading {
                level,
                text: self.text,
            },
            None => *self.otherwise,
        }
    }

    /// Returns the block without regard to the rest of the document, as in boxes, notes and cells.
    pub(crate) fn alone(&self) -> Block {
        let level = self.level.filter(|_| !self.is_prose());
        self.clone().settle(level)
    }
}

/// Settles titles that stand apart from the text of the document.
pub(crate) fn apart(blocks: Vec<Block>) -> Vec<Block> {
    let blocks = blocks.into_iter();
    blocks
        .map(|block| match block {
            Block::Title(title) => title.alone(),
            other => other,
        })
        .collect()
}

/// What stands before an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marker {
    Bullet,
    Number(u32),
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The text, on one line.
    pub(crate) text: String,
    /// How many columns the cell spans.
    pub(crate) span: usize,
}

impl Block {
    /// Makes an item of a text and what stands before it. A label that Markdown does not have stays
    /// in the text.
    #[cfg(any(
        feature = "docx",
        feature = "odt",
        feature = "pptx",
        feature = "rtf",
        feature = "xml"
    ))]
    pub(crate) fn item(label: &str, level: usize, text: &str) -> Self {
        let label = label.trim();
        let digits = label.trim_end_matches(['.', ')']);
        let is_padded = digits.len() > 1 && digits.starts_with('0');
        let number = digits.parse().ok().filter(|_| !is_padded);
        let is_bullet = label == "o" || !label.contains(char::is_alphanumeric);
        let text = if number.is_some() || is_bullet {
            text.to_owned()
        } else {
            format!("{label} {text}")
        };
        Self::Item {
            marker: number.map_or(Marker::Bullet, Marker::Number),
            level,
            text,
        }
    }

    /// Returns the text on one line, as it stands in the cell of a table.
    pub(crate) fn flat(&self) -> String {
        match self {
            Self::Text(text) | Self::Heading { text, .. } | Self::Note { text, .. } => {
                one_line(text)
            }
            Self::Item { marker, text, .. } => format!("{marker} {}", one_line(text)),
            Self::Table(rows) => {
                let texts = rows.iter().flatten().map(|cell| cell.text.as_str());
                let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
                texts.join(" ")
            }
            Self::Title(title) => title.alone().flat(),
        }
    }
}

impl std::fmt::Display for Marker {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bullet => formatter.write_str("-"),
            Self::Number(number) => write!(formatter, "{number}."),
        }
    }
}

/// Makes a block of code, in a fence that is longer than those in it.
#[cfg(any(
    feature = "docx",
    feature = "man",
    feature = "mediawiki",
    feature = "odt",
    feature = "xml"
))]
pub(crate) fn fenced(code: &str) -> Block {
    let longest = code.split(|char| char != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or_default().max(2) + 1);
    let code = code.trim_matches('\n').trim_end();
    Block::Text(format!("{fence}\n{code}\n{fence}"))
}

/// Makes blocks of Markdown that another loader wrote, so that its headings stay in the outline.
pub(crate) fn from_markdown(text: &str, outline: &[Heading]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut end = 0;
    let add = |blocks: &mut Vec<Block>, between: &str| {
        let between = between.trim_matches(['\n', '\r']);
        if !between.trim().is_empty() {
            blocks.push(Block::Text(between.into()));
        }
    };
    for heading in outline {
        let (from, to) = (heading.span.start, heading.span.end);
        let (Some(between), true) = (text.get(end..from), to <= text.len()) else {
            continue;
        };
        add(&mut blocks, between);
        blocks.push(Block::Heading {
            level: heading.level,
            text: one_line(&heading.title),
        });
        end = to;
    }
    add(&mut blocks, text.get(end..).unwrap_or_default());
    blocks
}
