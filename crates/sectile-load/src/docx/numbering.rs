//! The lists of a document: which have bullets, which have numbers, and how far they are counted.

use std::collections::{HashMap, HashSet};

use super::styles::ListLevel;
use crate::blocks::Marker;
use crate::failure::Failure;
use crate::xml::{Element, Node, Vocabulary, Walk};

/// How many levels a list has.
pub(super) const LEVELS: usize = 9;

/// The definitions of lists, and the state of their counters.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    definitions: HashMap<u32, Definition>,
    lists: HashMap<u32, List>,
    counters: HashMap<u32, [Option<u32>; LEVELS]>,
    begun: HashSet<u32>,
}

/// An abstract list: the kind of each level.
#[derive(Debug, Default)]
struct Definition {
    levels: [Level; LEVELS],
    /// The list style that defines the levels in its place.
    link: Option<String>,
    /// The list style whose levels these are.
    style: Option<String>,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    kind: Kind,
    start: u32,
}

impl Default for Level {
    fn default() -> Self {
        Self {
            kind: Kind::Number,
            start: 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bullet,
    Number,
    None,
}

/// A list that paragraphs refer to: an abstract list, with starts of its own.
#[derive(Debug, Default)]
struct List {
    definition: u32,
    starts: [Option<u32>; LEVELS],
}

impl Numbering {
    /// Reads the numbering part.
    pub(super) fn read(xml: &str) -> Result<Self, Failure> {
        let mut walk = Walk::new(xml);
        let mut reader = Reader::default();
        loop {
            match walk.next()? {
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
        let styles = definitions.filter_map(|one| Some((one.style.clone()?, one.levels)));
        let styles: HashMap<String, [Level; LEVELS]> = styles.collect();
        for definition in self.definitions.values_mut() {
            let linked = definition.link.as_ref().and_then(|link| styles.get(link));
            definition.levels = *linked.unwrap_or(&definition.levels);
        }
    }

    /// Counts an item of a list and returns what stands before it, and its level from 0.
    pub(super) fn count(&mut self, item: ListLevel) -> Option<(Marker, usize)> {
        // The list 0 takes a paragraph out of the list that its style puts it in.
        let id = item.list.filter(|&id| id != 0)?;
        let level = item.level.unwrap_or(0).min(LEVELS - 1);
        let list = self.lists.get(&id);
        let definition = list.and_then(|list| self.definitions.get(&list.definition));
        let levels = definition
            .map(|definition| definition.levels)
            .unwrap_or_default();
        match levels[level].kind {
            Kind::None => None,
            Kind::Bullet => Some((Marker::Bullet, level)),
            Kind::Number => Some((
                Marker::Number(self.number(id, level, levels[level].start)),
                level,
            )),
        }
    }

    fn number(&mut self, id: u32, level: usize, start: u32) -> u32 {
        let list = self.lists.get(&id);
        let counters = self
            .counters
            .entry(list.map_or(id, |list| list.definition))
            .or_default();
        // Lists with one definition count on from each other, unless one says where it starts.
        if self.begun.insert(id) {
            let starts = list.map(|list| list.starts).unwrap_or_default();
            for (counter, start) in counters.iter_mut().zip(starts) {
                *counter = start.map(|start| start.saturating_sub(1)).or(*counter);
            }
        }
        let next = counters[level].map_or(start, |last| last.saturating_add(1));
        counters[level] = Some(next);
        counters[level + 1..].fill(None);
        next
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
            }
            "abstractNumId" => self.list().definition = element.number().unwrap_or_default(),
            "startOverride" => {
                let level = self.level;
                self.list().starts[level] = element.number();
            }
            "numFmt" | "start" => self.set_level(element),
            "numStyleLink" => self.define(|definition| definition.link = element.value()),
            "styleLink" => self.define(|definition| definition.style = element.value()),
            _ => {}
        }
    }

    /// Defines a level. One that a list overrides is left alone: it hardly ever is of another
    /// kind than the one it replaces.
    fn set_level(&mut self, element: &Element) {
        let number = self.level;
        self.define(|definition| {
            let level = &mut definition.levels[number];
            if element.name() == "start" {
                level.start = element.number().unwrap_or(1);
            } else {
                level.kind = kind(&element.value().unwrap_or_default());
            }
        });
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

fn kind(format: &str) -> Kind {
    match format {
        "bullet" => Kind::Bullet,
        "none" => Kind::None,
        _ => Kind::Number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const XML: &str = "<w:numbering>
        <w:abstractNum w:abstractNumId='5'>
          <w:lvl w:ilvl='0'><w:start w:val='3'/><w:numFmt w:val='decimal'/></w:lvl>
          <w:lvl w:ilvl='1'><w:numFmt w:val='lowerLetter'/></w:lvl>
          <w:lvl w:ilvl='2'><w:numFmt w:val='bullet'/></w:lvl>
          <w:lvl w:ilvl='3'><w:numFmt w:val='none'/></w:lvl>
        </w:abstractNum>
        <w:abstractNum w:abstractNumId='6'><w:numStyleLink w:val='Dots'/></w:abstractNum>
        <w:abstractNum w:abstractNumId='7'><w:styleLink w:val='Dots'/>
          <w:lvl w:ilvl='0'><w:numFmt w:val='bullet'/></w:lvl></w:abstractNum>
        <w:num w:numId='4'><w:abstractNumId w:val='6'/></w:num>
        <w:num w:numId='1'><w:abstractNumId w:val='5'/></w:num>
        <w:num w:numId='2'><w:abstractNumId w:val='5'/></w:num>
        <w:num w:numId='3'><w:abstractNumId w:val='5'/>
          <w:lvlOverride w:ilvl='0'><w:startOverride w:val='1'/></w:lvlOverride></w:num>
      </w:numbering>";

    fn count(items: &[(u32, usize)]) -> Vec<Option<(Marker, usize)>> {
        let mut numbering = Numbering::read(XML).unwrap();
        let items = items.iter().map(|&(list, level)| ListLevel {
            list: Some(list),
            level: Some(level),
        });
        items.map(|item| numbering.count(item)).collect()
    }

    fn numbers(items: &[(u32, usize)]) -> Vec<u32> {
        let markers = count(items).into_iter().flatten();
        markers
            .filter_map(|(marker, _)| match marker {
                Marker::Number(number) => Some(number),
                Marker::Bullet => None,
            })
            .collect()
    }

    #[test]
    fn deeper_levels_start_again_under_each_item() {
        assert_eq!(
            numbers(&[(1, 0), (1, 1), (1, 1), (1, 0), (1, 1)]),
            [3, 1, 2, 4, 1]
        );
    }

    #[test]
    fn lists_of_one_definition_count_on_unless_they_say_otherwise() {
        assert_eq!(numbers(&[(1, 0), (2, 0), (3, 0), (3, 0)]), [3, 4, 1, 2]);
    }

    #[test]
    fn bullets_and_unmarked_levels_are_told_apart() {
        let counted = count(&[(1, 2), (1, 3), (0, 0), (99, 40), (4, 0)]);
        let expected = [
            Some((Marker::Bullet, 2)),
            None,
            None,
            Some((Marker::Number(1), 8)),
            Some((Marker::Bullet, 0)),
        ];
        assert_eq!(counted, expected);
    }
}
