//! The styles of a document: how items and headings are numbered, and which text is raised, lowered or hidden.

use std::collections::HashMap;

use crate::code_paragraphs;
use crate::failure::Failure;
use crate::numerals::Numerals;
use crate::open_document::rise;
use crate::superscript::Rise;
use crate::titles::TextLook;
use crate::xml::{Element, Node, Walk};

/// How many styles a style may inherit from; more is a circle.
const MAX_ANCESTORS: usize = 64;

/// How a space is written in the name of a style.
const SPACE: &str = "_20_";

/// The style of the title of a document, in every language.
const TITLE: &str = "Title";

/// The list style of numbered headings, in every language.
const OUTLINE: &str = "Outline";

/// How many bytes stand before or after a number at most: each item repeats them.
const LONGEST: usize = 40;

/// How the items of a level are numbered.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) numerals: Numerals,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) start: u32,
    /// How many levels the number of an item has.
    pub(super) shown: usize,
}

/// The styles of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    /// The numbered levels, from 1, of each list style.
    levels: HashMap<(String, usize), Level>,
    /// The numbered levels of headings.
    outline: HashMap<usize, Level>,
    /// The styles of paragraphs, and of parts of them, which may have the same names.
    paragraphs: Family,
    spans: Family,
}

/// The styles of a family by their names.
type Family = HashMap<String, Text>;

/// What a style says of text, and the style that it goes on from.
#[derive(Debug, Default)]
struct Text {
    rise: Option<Rise>,
    parent: Option<String>,
    /// The list style of paragraphs; an empty one takes them out of any.
    list: Option<String>,
    /// Whether its paragraphs are headings of a level.
    has_outline_level: bool,
    is_bold: Option<bool>,
    size: Option<u16>,
    is_hidden: Option<bool>,
}

impl Styles {
    /// Reads the styles of a part.
    pub(super) fn read(&mut self, xml: &str) -> Result<(), Failure> {
        let mut walk = Walk::new(xml);
        // The list style and the style of text that are being read.
        let mut list = String::new();
        let mut name = String::new();
        let mut family = None;
        loop {
            match walk.next()? {
                Node::Open(element) => match element.name() {
                    "body" => walk.skip()?,
                    "list-style" => {
                        list = element.attribute("name").unwrap_or_default();
                        name.clear();
                    }
                    // Their text properties are those of numbers or of all text, and of no style.
                    "outline-style" | "default-style" => name.clear(),
                    "list-level-style-number" | "outline-level-style" => self.add(&list, &element),
                    "list-level-style-bullet" | "list-level-style-image" => {
                        self.levels.remove(&(list.clone(), level(&element)));
                    }
                    "style" => {
                        name = element.attribute("name").unwrap_or_default();
                        family = element.attribute("family");
                        for styles in self.families(family.as_deref()) {
                            styles.insert(name.clone(), Text::of(&element));
                        }
                    }
                    "text-properties" if !name.is_empty() => {
                        for styles in self.families(family.as_deref()) {
                            add_text(styles.entry(name.clone()).or_default(), &element);
                        }
                    }
                    _ => {}
                },
                Node::End => return Ok(()),
                Node::Close | Node::Text(_) => {}
            }
        }
    }

    /// Adds a level of a list, or of headings.
    fn add(&mut self, style: &str, element: &Element) {
        // A number without a format shows nothing.
        let format = element.attribute("num-format").unwrap_or_default();
        if format.is_empty() {
            return;
        }
        let number = |name| element.attribute(name).and_then(|value| value.parse().ok());
        let text = |name| {
            let mut text = element.attribute(name).unwrap_or_default();
            text.truncate(text.floor_char_boundary(LONGEST));
            text
        };
        let added = Level {
            numerals: numerals(&format),
            before: text("num-prefix"),
            after: text("num-suffix"),
            start: number("start-value").unwrap_or(1),
            shown: number("display-levels").unwrap_or(1).clamp(1, 10) as usize,
        };
        let level = level(element);
        if element.name() == "outline-level-style" {
            self.outline.insert(level, added);
        } else {
            self.levels.insert((style.into(), level), added);
        }
    }

    /// Returns the styles that one of a family belongs to: none for those of shapes and cells, all without a family.
    fn families(&mut self, family: Option<&str>) -> Vec<&mut Family> {
        match family {
            Some("paragraph") => vec![&mut self.paragraphs],
            Some("text") => vec![&mut self.spans],
            Some(_) => Vec::new(),
            None => vec![&mut self.paragraphs, &mut self.spans],
        }
    }

    /// Returns a level, from 1, of a list style; nothing where it has bullets.
    pub(super) fn level(&self, style: &str, level: usize) -> Option<&Level> {
        self.levels.get(&(style.to_owned(), level))
    }

    /// Returns a level, from 1, of headings; nothing where they have no numbers.
    pub(super) fn outline(&self, level: usize) -> Option<&Level> {
        self.outline.get(&level)
    }

    /// Returns whether headings in a style have the numbers of the outline. A heading that is out of it has a number only
    /// as an item of a list.
    pub(super) fn is_in_outline(&self, style: &str) -> bool {
        let mut ancestors = ancestors(&self.paragraphs, style);
        // A style with a level is in the outline, whatever list its parent has.
        let decides = |text: &&Text| text.list.is_some() || text.has_outline_level;
        let list = ancestors
            .find(decides)
            .and_then(|text| text.list.as_deref());
        list.is_none_or(|list| list == OUTLINE)
    }

    /// Returns the list style that paragraphs in a style are numbered by where their list has none.
    pub(super) fn list(&self, style: &str) -> Option<&str> {
        let mut ancestors = ancestors(&self.paragraphs, style);
        let list = ancestors.find_map(|text| text.list.as_deref());
        list.filter(|list| !list.is_empty())
    }

    /// Says where a part of a paragraph in a style stands.
    pub(super) fn rise(&self, style: &str) -> Option<Rise> {
        ancestors(&self.spans, style).find_map(|text| text.rise)
    }

    /// Says how paragraphs in a style look.
    pub(super) fn paragraph_look(&self, style: &str) -> TextLook {
        look(&self.paragraphs, style, TextLook::default())
    }

    /// Says how a part of a paragraph in a style looks, within text that looks in another way.
    pub(super) fn span_look(&self, style: &str, outer: TextLook) -> TextLook {
        look(&self.spans, style, outer)
    }

    /// Returns whether paragraphs in a style are hidden.
    pub(super) fn hides_paragraph(&self, style: &str) -> bool {
        let mut ancestors = ancestors(&self.paragraphs, style);
        ancestors
            .find_map(|text| text.is_hidden)
            .unwrap_or_default()
    }

    /// Says whether a part of a paragraph in a style is hidden, if the style says it.
    pub(super) fn hides_span(&self, style: &str) -> Option<bool> {
        ancestors(&self.spans, style).find_map(|text| text.is_hidden)
    }

    /// Returns whether paragraphs in a style are the title of the document.
    pub(super) fn is_title(&self, style: &str) -> bool {
        let mut ancestors = ancestors(&self.paragraphs, style);
        style == TITLE || ancestors.any(|text| text.parent.as_deref() == Some(TITLE))
    }

    /// Returns whether paragraphs in a style are code.
    pub(super) fn is_code(&self, style: &str) -> bool {
        let is_code = |name: &str| code_paragraphs::is_style(&name.replace(SPACE, " "));
        let mut parents =
            ancestors(&self.paragraphs, style).filter_map(|text| text.parent.as_deref());
        is_code(style) || parents.any(is_code)
    }
}

/// Goes from a style through those that it goes on from.
fn ancestors<'a>(styles: &'a Family, style: &str) -> impl Iterator<Item = &'a Text> + use<'a> {
    let first = styles.get(style);
    let parent = move |text: &&'a Text| styles.get(text.parent.as_ref()?);
    std::iter::successors(first, parent).take(MAX_ANCESTORS)
}

fn look(styles: &Family, style: &str, outer: TextLook) -> TextLook {
    let is_bold = ancestors(styles, style).find_map(|text| text.is_bold);
    let size = ancestors(styles, style).find_map(|text| text.size);
    TextLook {
        is_bold: is_bold.unwrap_or(outer.is_bold),
        size: size.unwrap_or(outer.size),
    }
}

/// Adds what an element says of the text in a style.
fn add_text(text: &mut Text, element: &Element) {
    if let Some(position) = element.attribute("text-position") {
        text.rise = Some(rise(&position));
    }
    if let Some(weight) = element.attribute("font-weight") {
        text.is_bold = Some(matches!(&*weight, "bold" | "600" | "700" | "800" | "900"));
    }
    if let Some(display) = element.attribute("display") {
        text.is_hidden = Some(display == "none");
    }
    let size = element.attribute("font-size");
    text.size = size.and_then(|size| half_points(&size)).or(text.size);
}

impl Text {
    /// Takes what a style says itself.
    fn of(style: &Element) -> Self {
        let level = style.attribute("default-outline-level");
        Self {
            parent: style.attribute("parent-style-name"),
            list: style.attribute("list-style-name"),
            has_outline_level: level.is_some_and(|level| !level.is_empty()),
            ..Self::default()
        }
    }
}

impl Level {
    /// Writes the number of an item below others; `numbers` are those of all levels, each with how
    /// it is written.
    pub(super) fn label(&self, numbers: &[(Numerals, u32)]) -> String {
        let shown = &numbers[numbers.len().saturating_sub(self.shown)..];
        let numbers = shown
            .iter()
            .map(|(numerals, number)| numerals.write(*number));
        let numbers: Vec<String> = numbers.collect();
        format!("{}{}{}", self.before, numbers.join("."), self.after)
    }
}

/// Reads a size in points, such as `14pt`.
fn half_points(size: &str) -> Option<u16> {
    let points = size.strip_suffix("pt")?;
    let (whole, part) = points.split_once('.').unwrap_or((points, "0"));
    let whole: u16 = whole.parse().ok()?;
    Some(
        whole
            .saturating_mul(2)
            .saturating_add(u16::from(part >= "5")),
    )
}

fn level(element: &Element) -> usize {
    let level = element.attribute("level");
    level.and_then(|level| level.parse().ok()).unwrap_or(1)
}

fn numerals(format: &str) -> Numerals {
    match format {
        "a" => Numerals::LowerLetter,
        "A" => Numerals::UpperLetter,
        "i" => Numerals::LowerRoman,
        "I" => Numerals::UpperRoman,
        "01" => Numerals::Padded,
        "1st" => Numerals::Ordinal,
        "One" => Numerals::Cardinal,
        "First" => Numerals::OrdinalWord,
        "А, Б, .., Аа, Аб, ... (ru)" => Numerals::UpperRussian,
        "а, б, .., аа, аб, ... (ru)" => Numerals::LowerRussian,
        "一, 二, 三, ..." => Numerals::Chinese,
        _ => Numerals::Decimal,
    }
}
