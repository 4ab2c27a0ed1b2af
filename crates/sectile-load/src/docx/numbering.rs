//! The lists of a document: which have bullets, which have numbers, and how far they are counted.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::styles::ListLevel;
use crate::failure::Failure;
use crate::numerals::Numerals;
use crate::xml::{Element, Node, Vocabulary, Walk};

/// How many levels a list has.
pub(super) const LEVELS: usize = 9;

/// How many bytes the text before an item has at most: each item repeats it.
const LONGEST: usize = 100;

/// The definitions of lists, and the state of their counters.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    definitions: HashMap<u32, Definition>,
    lists: HashMap<u32, List>,
    counters: HashMap<u32, Numbers>,
    begun: HashSet<u32>,
}

/// An abstract list: the kind of each level.
#[derive(Debug, Default)]
struct Definition {
    levels: Levels,
    /// The list style that defines the levels in its place.
    link: Option<String>,
    /// The list style whose levels these are.
    style: Option<String>,
}

type Levels = [Level; LEVELS];

/// The last number of each level, where one was counted.
type Numbers = [Option<u32>; LEVELS];

/// A level of a list.
#[derive(Clone, Debug)]
struct Level {
    is_bullet: bool,
    numerals: Numerals,
    start: u32,
    /// What stands before an item, with `%1` for the number of the first level; where nothing is
    /// said, the number and a full stop.
    text: Option<String>,
    /// Whether the numbers of all levels are digits.
    is_legal: bool,
    /// The level, counted from 1, below whose items the numbers begin again; 0 for none.
    restart: Option<usize>,
    /// The style of the paragraphs that are on this level.
    style: Option<String>,
}

impl Default for Level {
    fn default() -> Self {
        Self {
            is_bullet: false,
            numerals: Numerals::Decimal,
            start: 1,
            text: None,
            is_legal: false,
            restart: None,
            style: None,
        }
    }
}

/// A list that paragraphs refer to: an abstract list, with starts and levels of its own.
#[derive(Debug, Default)]
struct List {
    definition: u32,
    starts: [Option<u32>; LEVELS],
    levels: HashMap<usize, Level>,
}

/// What stands before an item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Bullet,
    /// A number with the words and signs round it.
    Text(String),
}

impl Numbering {
    /// Reads the numbering part.
    pub(super) fn read(xml: &str) -> Result<Self, Failure> {
        let mut walk = Walk::new(xml);
        let mut reader = Reader::default();
        loop {
            match walk.next()? {
                Node::Open(element) if element.is_before_change() => walk.skip()?,
                Node::Open(element) if element.vocabulary == Vocabulary::Word => {
                    reader.add(&element);
                }
                Node::End => {
                    reader.numbering.follow_links();
                    return Ok(reader.numbering);
                }
                Node::Open(_) | Node::Close | Node::Text(_) => {}
            }
        }
    }

    /// Takes over the levels of the definitions that others refer to.
    fn follow_links(&mut self) {
        let definitions = self.definitions.values();
        let styles = definitions.filter_map(|one| Some((one.style.clone()?, one.levels.clone())));
        let styles: HashMap<String, Levels> = styles.collect();
        for definition in self.definitions.values_mut() {
            let linked = definition.link.as_ref().and_then(|link| styles.get(link));
            if let Some(linked) = linked {
                definition.levels.clone_from(linked);
            }
        }
    }

    /// Counts an item of a list, whose paragraph may have a style, and returns what stands before
    /// it, and its level from 0.
    pub(super) fn count(&mut self, item: ListLevel, style: Option<&str>) -> Option<(Label, usize)> {
        // The list 0 takes a paragraph out of the list that its style puts it in.
        let id = item.list.filter(|&id| id != 0)?;
        let is_of_style = |&at: &usize| self.level(id, at).style.as_deref() == style;
        let of_style = || style.and_then(|_| (0..LEVELS).find(is_of_style));
        let level = item.level.or_else(of_style).unwrap_or(0).min(LEVELS - 1);
        if self.level(id, level).is_bullet {
            return Some((Label::Bullet, level));
        }
        let counters = self.advance(id, level);
        let text = self.text(id, level, counters);
        (!text.is_empty()).then_some((Label::Text(text), level))
    }

    /// Returns a level of a list: its own, or that of its definition.
    fn level(&self, id: u32, level: usize) -> Cow<'_, Level> {
        let list = self.lists.get(&id);
        if let Some(own) = list.and_then(|list| list.levels.get(&level)) {
            return Cow::Borrowed(own);
        }
        let definition = list.and_then(|list| self.definitions.get(&list.definition));
        definition.map_or_else(Cow::default, |definition| {
            Cow::Borrowed(&definition.levels[level])
        })
    }

    /// Writes what stands before an item of these numbers.
    fn text(&self, id: u32, level: usize, counters: Numbers) -> String {
        let own = self.level(id, level);
        let mut text = String::new();
        let Some(mut rest) = own.text.as_deref() else {
            let number = own.numerals.write(counters[level].unwrap_or(own.start));
            return if number.is_empty() {
                number
            } else {
                number + "."
            };
        };
        while let Some((before, after)) = rest.split_once('%') {
            text.push_str(before);
            let digit = after.chars().next().and_then(|digit| digit.to_digit(10));
            let of = digit.and_then(|digit| (digit as usize).checked_sub(1));
            let Some(of) = of.filter(|&of| of <= level) else {
                text.push('%');
                rest = after;
                continue;
            };
            let other = self.level(id, of);
            let numerals = match other.numerals {
                numerals if !own.is_legal || numerals == Numerals::None => numerals,
                _ => Numerals::Decimal,
            };
            text.push_str(&numerals.write(counters[of].unwrap_or(other.start)));
            rest = &after[1..];
        }
        text.push_str(rest);
        text.truncate(text.floor_char_boundary(LONGEST));
        text.trim().into()
    }

    /// Counts an item, and returns the numbers of all levels. Those above that have not been counted
    /// begin with it.
    fn advance(&mut self, id: u32, level: usize) -> Numbers {
        let levels: Vec<(u32, Option<usize>)> = (0..LEVELS)
            .map(|at| (self.level(id, at).start, self.level(id, at).restart))
            .collect();
        let list = self.lists.get(&id);
        let counters = self
            .counters
            .entry(list.map_or(id, |list| list.definition))
            .or_default();
        // Lists with one definition count on from each other, unless one says where it starts.
        let starts = list.map(|list| list.starts).unwrap_or_default();
        let is_new = self.begun.insert(id);
        for (at, (counter, (start, restart))) in counters.iter_mut().zip(levels).enumerate() {
            if is_new && starts[at].is_some() {
                *counter = None;
            }
            let start = starts[at].unwrap_or(start);
            if at == level {
                *counter = Some(counter.map_or(start, |last| last.saturating_add(1)));
            } else if at < level {
                counter.get_or_insert(start);
            } else if restart.is_none_or(|restart| level < restart) {
                *counter = None;
            }
        }
        *counters
    }
}

/// The state of reading the numbering part.
#[derive(Debug, Default)]
struct Reader {
    numbering: Numbering,
    definition: Option<u32>,
    list: Option<u32>,
    level: usize,
}

impl Reader {
    fn add(&mut self, element: &Element) {
        let attribute = |name| element.attribute(name)?.trim().parse().ok();
        match element.name() {
            "abstractNum" => (self.definition, self.list) = (attribute("abstractNumId"), None),
            "num" => (self.definition, self.list) = (None, attribute("numId")),
            "lvl" | "lvlOverride" => {
                let level = attribute("ilvl").and_then(|level| usize::try_from(level).ok());
                self.level = level.unwrap_or(0).min(LEVELS - 1);
                if element.name() == "lvl" {
                    // A level that says no start begins with 0 (ECMA-376 part 1, 17.9.25).
                    self.set_level(|level| level.start = 0);
                }
            }
            "abstractNumId" => self.list().definition = element.number().unwrap_or_default(),
            "startOverride" => {
                let level = self.level;
                self.list().starts[level] = element.number();
            }
            "numStyleLink" => self.define(|definition| definition.link = element.value()),
            "styleLink" => self.define(|definition| definition.style = element.value()),
            "numFmt" | "start" | "lvlText" | "isLgl" | "lvlRestart" | "pStyle" => {
                self.set_level(|level| level.set(element));
            }
            _ => {}
        }
    }

    /// Changes a level of a definition, or one of a list that replaces it.
    fn set_level(&mut self, change: impl FnOnce(&mut Level)) {
        let number = self.level;
        if self.list.is_some() {
            change(self.list().levels.entry(number).or_default());
        } else {
            self.define(|definition| change(&mut definition.levels[number]));
        }
    }

    /// Changes the definition being read, if one is.
    fn define(&mut self, change: impl FnOnce(&mut Definition)) {
        if let Some(id) = self.definition {
            change(self.numbering.definitions.entry(id).or_default());
        }
    }

    fn list(&mut self) -> &mut List {
        let id = self.list.unwrap_or_default();
        self.numbering.lists.entry(id).or_default()
    }
}

impl Level {
    /// Takes a property.
    fn set(&mut self, element: &Element) {
        match element.name() {
            "start" => self.start = element.number().unwrap_or(1),
            "lvlText" => {
                let mut text = element.value().unwrap_or_default();
                text.truncate(text.floor_char_boundary(LONGEST));
                self.text = Some(text);
            }
            "isLgl" => self.is_legal = element.is_on(),
            "lvlRestart" => self.restart = element.number(),
            "pStyle" => self.style = element.value(),
            _ => {
                let format = element.value().unwrap_or_default();
                self.is_bullet = format == "bullet";
                self.numerals = numerals(&format);
            }
        }
    }
}

fn numerals(format: &str) -> Numerals {
    match format {
        "none" => Numerals::None,
        "decimalZero" => Numerals::Padded,
        "upperRoman" => Numerals::UpperRoman,
        "lowerRoman" => Numerals::LowerRoman,
        "upperLetter" => Numerals::UpperLetter,
        "lowerLetter" => Numerals::LowerLetter,
        "russianUpper" => Numerals::UpperRussian,
        "russianLower" => Numerals::LowerRussian,
        "ordinal" => Numerals::Ordinal,
        "cardinalText" => Numerals::Cardinal,
        "ordinalText" => Numerals::OrdinalWord,
        "chineseCounting"
        | "chineseCountingThousand"
        | "japaneseCounting"
        | "taiwaneseCounting"
        | "taiwaneseCountingThousand" => Numerals::Chinese,
        _ => Numerals::Decimal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const XML: &str = "<w:numbering>
        <w:abstractNum w:abstractNumId='5'>
          <w:lvl w:ilvl='0'><w:start w:val='3'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl>
          <w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='lowerLetter'/><w:lvlText w:val='(%2)'/></w:lvl>
          <w:lvl w:ilvl='2'><w:start w:val='1'/><w:numFmt w:val='bullet'/></w:lvl>
          <w:lvl w:ilvl='3'><w:start w:val='1'/><w:numFmt w:val='none'/></w:lvl>
        </w:abstractNum>
        <w:abstractNum w:abstractNumId='6'><w:numStyleLink w:val='Dots'/></w:abstractNum>
        <w:abstractNum w:abstractNumId='7'><w:styleLink w:val='Dots'/>
          <w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='bullet'/></w:lvl></w:abstractNum>
        <w:abstractNum w:abstractNumId='8'>
          <w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='upperRoman'/><w:pStyle w:val='Art'/><w:lvlText w:val='Article %1.'/></w:lvl>
          <w:lvl w:ilvl='1'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.%2'/></w:lvl>
          <w:lvl w:ilvl='2'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:isLgl/><w:lvlText w:val='%1.%2.%3'/><w:pStyle w:val='Sub'/></w:lvl>
          <w:lvl w:ilvl='3'><w:start w:val='1'/><w:numFmt w:val='decimalZero'/><w:lvlRestart w:val='0'/><w:lvlText w:val='100%-%4'/></w:lvl>
          <w:lvl w:ilvl='4'><w:start w:val='1'/><w:numFmt w:val='none'/><w:lvlText w:val='Note:'/></w:lvl>
        </w:abstractNum>
        <w:abstractNum w:abstractNumId='11'><w:lvl w:ilvl='0'><w:numFmt w:val='decimalZero'/>
          <w:lvlText w:val='%1'/></w:lvl></w:abstractNum><w:num w:numId='11'><w:abstractNumId w:val='11'/></w:num>
        <w:num w:numId='4'><w:abstractNumId w:val='6'/></w:num>
        <w:num w:numId='1'><w:abstractNumId w:val='5'/></w:num>
        <w:num w:numId='2'><w:abstractNumId w:val='5'/></w:num>
        <w:num w:numId='3'><w:abstractNumId w:val='5'/>
          <w:lvlOverride w:ilvl='0'><w:startOverride w:val='1'/></w:lvlOverride></w:num>
        <w:num w:numId='10'><w:abstractNumId w:val='5'/>
          <w:lvlOverride w:ilvl='0'><w:startOverride w:val='0'/></w:lvlOverride></w:num>
        <w:num w:numId='8'><w:abstractNumId w:val='8'/></w:num>
        <w:num w:numId='9'><w:abstractNumId w:val='8'/><w:lvlOverride w:ilvl='0'>
          <w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='ordinalText'/><w:lvlText w:val='%1'/></w:lvl></w:lvlOverride></w:num>
      </w:numbering>";

    fn count(items: &[(u32, usize)]) -> Vec<Option<(Label, usize)>> {
        let mut numbering = Numbering::read(XML).unwrap();
        let items = items.iter().map(|&(list, level)| ListLevel {
            list: Some(list),
            level: Some(level),
        });
        items.map(|item| numbering.count(item, None)).collect()
    }

    fn check(items: &[(u32, usize)], expected: &[&str]) {
        let labels = count(items).into_iter().flatten();
        let labels = labels.filter_map(|(label, _)| match label {
            Label::Text(text) => Some(text),
            Label::Bullet => None,
        });
        assert_eq!(labels.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn deeper_levels_start_again_under_each_item() {
        check(
            &[(1, 0), (1, 1), (1, 1), (1, 0), (1, 1)],
            &["3.", "(a)", "(b)", "4.", "(a)"],
        );
    }

    #[test]
    fn lists_of_one_definition_count_on_unless_they_say_otherwise() {
        check(&[(1, 0), (2, 0), (3, 0), (3, 0)], &["3.", "4.", "1.", "2."]);
        check(&[(10, 0), (10, 0)], &["0.", "1."]);
        check(&[(11, 0), (11, 0)], &["00", "01"]);
    }

    #[test]
    fn labels_have_the_numbers_of_the_levels_above() {
        check(
            &[
                (8, 0),
                (8, 1),
                (8, 2),
                (8, 3),
                (8, 0),
                (8, 1),
                (8, 3),
                (8, 4),
            ],
            &[
                "Article I.",
                "I.1",
                "1.1.1",
                "100%-01",
                "Article II.",
                "II.1",
                "100%-02",
                "Note:",
            ],
        );
        // A level that has not been counted is at its start, and goes on from there.
        check(&[(8, 2), (8, 1)], &["1.1.1", "I.2"]);
    }

    #[test]
    fn a_list_may_replace_levels() {
        check(&[(9, 0), (9, 1)], &["First", "First.1"]);
    }

    #[test]
    fn a_style_may_name_its_level() {
        let mut numbering = Numbering::read(XML).unwrap();
        let item = ListLevel {
            list: Some(8),
            level: None,
        };
        let counted = numbering.count(item, Some("Sub"));
        assert_eq!(counted, Some((Label::Text("1.1.1".into()), 2)));
    }

    #[test]
    fn bullets_and_unmarked_levels_are_told_apart() {
        let counted = count(&[(1, 2), (1, 3), (0, 0), (99, 40), (4, 0)]);
        let expected = [
            Some((Label::Bullet, 2)),
            None,
            None,
            Some((Label::Text("1.".into()), 8)),
            Some((Label::Bullet, 0)),
        ];
        assert_eq!(counted, expected);
    }
}
