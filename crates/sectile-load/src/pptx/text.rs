//! The paragraphs of a shape.

use std::collections::HashMap;

use crate::blocks::{Block, Marker};
use crate::link::link_end;
use crate::numerals::Numerals;
use crate::one_line::one_line;
use crate::superscript::{PendingRise, Rise};
use crate::symbols::SymbolFont;
use crate::xml::Element;

/// How deep lists are; the format has nine levels.
const MAX_LEVEL: usize = 8;

/// The text of a shape or a cell while it is read.
#[derive(Debug, Default)]
pub(super) struct TextBody {
    paragraphs: Vec<Paragraph>,
    /// Where a link began in the paragraph, and where it leads.
    link: Option<(usize, String)>,
    /// Where the text of the run being read stands.
    rise: Rise,
    pending_rise: PendingRise,
    /// The font of symbols that the run being read is in.
    symbols: Option<SymbolFont>,
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
    Number(u32, Numbers),
}

/// How numbers are written, and what stands before and after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    numerals: Numerals,
    before: &'static str,
    after: &'static str,
}

impl Numbers {
    /// Reads the name of a way to number, such as `alphaLcParenBoth`.
    fn named(name: &str) -> Self {
        let numerals = match name {
            name if name.starts_with("alphaLc") => Numerals::LowerLetter,
            name if name.starts_with("alphaUc") => Numerals::UpperLetter,
            name if name.starts_with("romanLc") => Numerals::LowerRoman,
            name if name.starts_with("romanUc") => Numerals::UpperRoman,
            name if name.starts_with("ea1") => Numerals::Chinese,
            _ => Numerals::Decimal,
        };
        let (before, after) = match name {
            name if name.ends_with("ParenBoth") => ("(", ")"),
            name if name.ends_with("ParenR") => ("", ")"),
            _ => ("", "."),
        };
        Self {
            numerals,
            before,
            after,
        }
    }

    fn label(self, number: u32) -> String {
        let number = self.numerals.write(number);
        [self.before, &number, self.after].concat()
    }
}

impl TextBody {
    pub(super) fn begin_paragraph(&mut self) {
        self.end_raised();
        self.symbols = None;
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
                let name = element.attribute("type").unwrap_or_default();
                paragraph.bullet = Bullet::Number(first.unwrap_or(1), Numbers::named(&name));
            }
            "rPr" => {
                let baseline = element.attribute("baseline");
                let baseline =
                    baseline.and_then(|one| one.trim_end_matches('%').parse::<f64>().ok());
                self.rise = baseline.map(Rise::of_height).unwrap_or_default();
                self.symbols = None;
            }
            "latin" | "sym" => {
                let font = element.attribute("typeface").unwrap_or_default();
                self.symbols = SymbolFont::named(&font).or(self.symbols);
            }
            _ => {}
        }
    }

    /// Writes the text of a run, with the characters that fonts of symbols show.
    pub(super) fn write(&mut self, text: &str) {
        match self.symbols {
            Some(font) => self.push(&font.shown_for_letters(text)),
            None => self.push(text),
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        if let Some(last) = self.paragraphs.last_mut() {
            self.pending_rise.push(&mut last.text, text, self.rise);
        }
    }

    /// Adds an equation, apart from one that stands right before it.
    pub(super) fn push_equation(&mut self, equation: &str) {
        let last = self.paragraphs.last();
        if last.is_some_and(|last| last.text.ends_with('$')) {
            self.push(" ");
        }
        self.push(equation);
    }

    fn end_raised(&mut self) {
        if let Some(last) = self.paragraphs.last_mut() {
            self.pending_rise.finish(&mut last.text);
        }
    }

    /// Begins the text of a link.
    pub(super) fn begin_link(&mut self, target: &str) {
        self.end_raised();
        if let Some(last) = self.paragraphs.last() {
            self.link = Some((last.text.len(), target.into()));
        }
    }

    /// Makes a link of the first paragraph with text, as the whole shape is one.
    pub(super) fn link_all(&mut self, target: &str) {
        self.end_raised();
        let mut paragraphs = self.paragraphs.iter_mut();
        if let Some(first) = paragraphs.find(|one| !one.text.trim().is_empty()) {
            link_end(&mut first.text, 0, target);
        }
    }

    /// Ends the run of text that a link may be on.
    pub(super) fn end_run(&mut self) {
        self.rise = Rise::None;
        self.symbols = None;
        if self.link.is_some() {
            self.end_raised();
        }
        if let (Some((start, target)), Some(last)) = (self.link.take(), self.paragraphs.last_mut())
        {
            link_end(&mut last.text, start, &target);
        }
    }

    /// Returns the text on one line.
    pub(super) fn line(mut self) -> String {
        self.end_raised();
        let texts = self
            .paragraphs
            .iter()
            .map(|paragraph| one_line(&paragraph.text));
        let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        texts.join(" ")
    }

    /// Makes blocks of the paragraphs. Those of an outline are items unless they say otherwise.
    pub(super) fn blocks(mut self, is_outline: bool) -> Vec<Block> {
        self.end_raised();
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
            let is_numbered = matches!(paragraph.bullet, Bullet::Number(..));
            numbers.retain(|other, _| *other < level || (*other == level && is_numbered));
            let is_item = level > 0 || is_outline && is_list;
            blocks.push(match paragraph.bullet {
                Bullet::Number(first, ways) => {
                    let number = numbers.entry(level).or_insert(first);
                    *number = number.saturating_add(1);
                    Block::item(&ways.label(*number - 1), level, &text)
                }
                Bullet::None => Block::Text(text),
                Bullet::Inherited if !is_item => Block::Text(text),
                Bullet::Sign | Bullet::Inherited => Block::Item {
                    marker: Marker::Bullet,
                    level,
                    text,
                },
            });
        }
        blocks
    }
}
