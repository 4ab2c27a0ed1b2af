//! Decides which paragraphs are headings, from the whole document.

mod candidate;
mod number;

use std::collections::HashMap;

use crate::blocks::{Block, Look, Title};
use crate::one_line::one_line;
use crate::prose::is_clause;
use candidate::{Candidate, Rank, is_in_capitals};
use number::Kind;

/// The levels of the entries of a table of contents, by the places that they lead to.
pub(crate) type Contents = HashMap<String, u8>;

/// How many headings a document has at least whose headings are known by their looks or by its table of contents alone.
const MIN_FOUND: usize = 3;

/// Which part of the paragraphs headings may be, as one of so many: those without numbers, and those with.
const SHARE: usize = 6;
const NUMBERED_SHARE: usize = 3;

/// How many characters stand below a heading at least, and as how many a table counts.
const MIN_BELOW: usize = 40;

/// In how many ways the headings of a document look at most.
const MAX_RANKS: usize = 4;

/// How often a heading stands in a document at most.
const MAX_REPEATED: usize = 2;

/// How text looks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextLook {
    pub(crate) is_bold: bool,
    /// The size of its letters in half points; 0 if nothing says it.
    pub(crate) size: u16,
}

/// How the text of a paragraph looks so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ParagraphLook {
    /// Whether all of it is bold.
    is_bold: Option<bool>,
    /// The size of its largest letters.
    size: u16,
}

impl ParagraphLook {
    /// Adds text that looks so; blanks do not count.
    pub(crate) fn add(&mut self, text: &str, look: TextLook) {
        if !text.trim().is_empty() {
            self.is_bold = Some(look.is_bold && self.is_bold != Some(false));
            self.size = self.size.max(look.size);
        }
    }

    fn is_bold(self) -> bool {
        self.is_bold == Some(true)
    }
}

/// A paragraph that may be a heading.
#[derive(Debug, Default)]
pub(crate) struct Paragraph<'a> {
    pub(crate) text: &'a str,
    /// The number that a list gives it.
    pub(crate) label: &'a str,
    /// The level that its style gives it.
    pub(crate) level: Option<u8>,
    /// Its names for links, such as those of the table of contents.
    pub(crate) places: Vec<String>,
    pub(crate) look: ParagraphLook,
}

impl Paragraph<'_> {
    /// Makes a title of a paragraph that may be a heading, and which is another block if it is none.
    pub(crate) fn or(self, otherwise: Block) -> Block {
        let looks = self.look.is_bold() || is_in_capitals(self.text);
        if self.level.is_none() && self.places.is_empty() && !looks {
            return otherwise;
        }
        Block::Title(Title {
            text: one_line(&format!("{} {}", self.label, self.text)),
            level: self.level,
            places: self.places,
            look: Look {
                is_bold: self.look.is_bold(),
                size: self.look.size,
                is_line: is_line(self.text),
            },
            otherwise: Box::new(otherwise),
        })
    }
}

/// Returns whether a text is one line without columns. A tab may stand behind a number.
fn is_line(text: &str) -> bool {
    let behind_number = text
        .split_once('\t')
        .filter(|(number, _)| !number.contains(char::is_alphabetic));
    let rest = behind_number.map_or(text, |(_, rest)| rest);
    !rest.contains(['\n', '\t'])
}

/// The heading level of each block; `None` if it is not a heading.
type Levels = Vec<Option<u8>>;

/// Makes headings or text of the titles of a document. Headings are those that its styles name, unless these read as prose.
/// Where they name one at most, headings are the places that the table of contents leads to, or lines that look alike.
pub(crate) fn settle(blocks: Vec<Block>, contents: &Contents) -> Vec<Block> {
    let levels = levels(&blocks, contents);
    let settled = blocks.into_iter().zip(levels);
    settled
        .map(|(block, level)| match block {
            Block::Title(title) => title.settle(level),
            other => other,
        })
        .collect()
}

fn levels(blocks: &[Block], contents: &Contents) -> Levels {
    let declared = declared(blocks);
    let fixed = blocks
        .iter()
        .filter(|block| matches!(block, Block::Heading { .. }));
    if fixed.count() + count(&declared) > 1 {
        return declared;
    }
    let listed = listed(blocks, contents);
    if count(&listed) >= MIN_FOUND {
        return below(&declared, listed);
    }
    below(&declared, looking_alike(blocks, &declared))
}

fn count(levels: &[Option<u8>]) -> usize {
    levels.iter().flatten().count()
}

/// Returns the headings that styles name. Those of a level are none where most of them are prose.
fn declared(blocks: &[Block]) -> Levels {
    let is_prose: Vec<bool> = (0..blocks.len()).map(|at| is_prose(blocks, at)).collect();
    let of_level = |level: u8, wanted: bool| {
        let same = blocks.iter().zip(&is_prose).filter(|(block, is_prose)| {
            matches!(block, Block::Title(title) if title.level == Some(level))
                && **is_prose == wanted
        });
        same.count()
    };
    let is_misused: Vec<bool> = (0..=6)
        .map(|level| of_level(level, true) > of_level(level, false))
        .collect();
    let level = |(block, is_prose): (&Block, &bool)| match block {
        Block::Title(title) if !is_prose => title
            .level
            .filter(|level| !is_misused[usize::from(*level).min(6)]),
        _ => None,
    };
    blocks.iter().zip(&is_prose).map(level).collect()
}

/// Returns whether a title reads as prose: by itself, or as one of several clauses in a row.
fn is_prose(blocks: &[Block], at: usize) -> bool {
    let Block::Title(title) = &blocks[at] else {
        return false;
    };
    let is_same = |other: usize| {
        let other = blocks.get(other);
        matches!(other, Some(Block::Title(other)) if other.level == title.level && is_clause(&other.text))
    };
    title.is_prose()
        || is_clause(&title.text) && (at.checked_sub(1).is_some_and(is_same) || is_same(at + 1))
}

/// Returns the titles that entries of the table of contents lead to.
fn listed(blocks: &[Block], contents: &Contents) -> Levels {
    let level = |block: &Block| match block {
        Block::Title(title) if !title.is_prose() => {
            let mut levels = title.places.iter().filter_map(|place| contents.get(place));
            levels.next().copied()
        }
        _ => None,
    };
    blocks.iter().map(level).collect()
}

/// Puts headings below the one that a style names, where there is one.
fn below(declared: &[Option<u8>], found: Levels) -> Levels {
    let outer = declared.iter().flatten().next().copied();
    if count(&found) == 0 {
        return declared.to_vec();
    }
    let by = u8::from(outer == Some(1));
    let pairs = declared.iter().zip(found);
    pairs
        .map(|(declared, found)| declared.or(found.map(|level| (level + by).min(6))))
        .collect()
}

/// Returns the lines that look like headings, if they do so throughout the document.
fn looking_alike(blocks: &[Block], declared: &[Option<u8>]) -> Levels {
    let mut candidates: Vec<Option<Candidate<'_>>> = blocks
        .iter()
        .zip(declared)
        .map(|(block, declared)| match block {
            Block::Title(title) if declared.is_none() => Candidate::read(title),
            _ => None,
        })
        .collect();
    continue_letters(&mut candidates);
    without_repeated(&mut candidates);
    without_bare(blocks, &mut candidates);
    let numbered = numbered(&candidates);
    let plain = plain(&candidates, !numbered.is_empty());
    let mut levels = vec![None; blocks.len()];
    for (at, level) in numbered.into_iter().chain(plain) {
        levels[at] = Some(level.min(6));
    }
    levels
}

/// Makes letters of what could be Roman numbers, where they go on with a series of letters.
fn continue_letters(candidates: &mut [Option<Candidate<'_>>]) {
    let candidates = candidates.iter_mut().flatten();
    let mut last = 0;
    for number in candidates.filter_map(|one| one.number.as_mut()) {
        *number = number.after(last);
        if number.kind == Kind::Letter {
            last = number.first;
        }
    }
}

/// Drops lines that stand in a document more often.
fn without_repeated(candidates: &mut [Option<Candidate<'_>>]) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for candidate in candidates.iter().flatten() {
        *counts.entry(candidate.title).or_default() += 1;
    }
    for place in candidates {
        if place.is_some_and(|candidate| counts[candidate.title] > MAX_REPEATED) {
            *place = None;
        }
    }
}

/// Drops lines with no text below them, such as those of covers and letterheads, unless a deeper number follows.
fn without_bare(blocks: &[Block], candidates: &mut [Option<Candidate<'_>>]) {
    let mut letters = 0;
    let mut next: Option<Candidate<'_>> = None;
    for at in (0..blocks.len()).rev() {
        let Some(candidate) = candidates[at] else {
            letters += match &blocks[at] {
                Block::Table(_) => MIN_BELOW,
                other => other.flat().chars().count(),
            };
            continue;
        };
        let goes_deeper = letters == 0 && next.is_some_and(|next| is_deeper(next, candidate));
        if letters < MIN_BELOW && !goes_deeper {
            candidates[at] = None;
        }
        letters = 0;
        next = Some(candidate);
    }
}

/// Returns whether the number of a line is that of a part of another one.
fn is_deeper(inner: Candidate<'_>, outer: Candidate<'_>) -> bool {
    let (Some(inner), Some(outer)) = (inner.number, outer.number) else {
        return false;
    };
    inner.kind != outer.kind || inner.depth > outer.depth
}

/// Returns the lines with numbers, and their levels, if the highest of these rise.
fn numbered(candidates: &[Option<Candidate<'_>>]) -> Vec<(usize, u8)> {
    let found = candidates.iter().enumerate();
    let found = found.filter_map(|(at, one)| Some((at, one.as_ref()?.number?)));
    let found: Vec<_> = found.collect();
    let mut kinds: Vec<Kind> = Vec::new();
    for (_, number) in &found {
        if !kinds.contains(&number.kind) {
            kinds.push(number.kind);
        }
    }
    let top = found
        .iter()
        .filter(|(_, number)| kinds.first() == Some(&number.kind));
    let mut top: Vec<u32> = top.map(|(_, number)| number.first).collect();
    let rises = top.is_sorted() && top.first().is_some_and(|first| *first <= 2);
    top.dedup();
    if !rises || top.len() < MIN_FOUND || found.len() * NUMBERED_SHARE > candidates.len() {
        return Vec::new();
    }
    let order = |kind: Kind| kinds.iter().position(|other| *other == kind);
    let key = |kind: Kind, depth: usize| (order(kind), depth);
    let mut keys: Vec<_> = found
        .iter()
        .map(|(_, number)| key(number.kind, number.depth))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let level =
        |wanted: (Option<usize>, usize)| level_of(keys.iter().position(|key| *key == wanted));
    let found = found.iter();
    found
        .map(|(at, number)| (*at, level(key(number.kind, number.depth))))
        .collect()
}

/// Returns the lines without numbers, and their levels, if they are few. Among numbered ones they are parts of these, but for
/// what stands before the first, and appendices.
fn plain(candidates: &[Option<Candidate<'_>>], has_numbered: bool) -> Vec<(usize, u8)> {
    let is_of_number = |candidate: &Candidate<'_>| has_numbered && candidate.number.is_some();
    let first = candidates
        .iter()
        .position(|one| one.as_ref().is_some_and(is_of_number));
    let found = candidates.iter().enumerate();
    let found = found.filter_map(|(at, one)| Some((at, one.filter(|one| !is_of_number(one))?)));
    let found: Vec<_> = found.collect();
    let mut counts: HashMap<Rank, usize> = HashMap::new();
    for (_, one) in &found {
        *counts.entry(one.rank).or_default() += 1;
    }
    counts.retain(|_, count| *count >= MIN_FOUND);
    let mut ranks: Vec<Rank> = counts.into_keys().collect();
    ranks.sort_unstable_by(|one, other| other.cmp(one));
    if ranks.len() > MAX_RANKS {
        return Vec::new();
    }
    let kept: Vec<_> = found
        .iter()
        .filter(|(_, one)| ranks.contains(&one.rank))
        .collect();
    if kept.len() * SHARE > candidates.len() {
        return Vec::new();
    }
    let level = |at: usize, one: &Candidate<'_>| match first {
        Some(first) if at < first || number::names_part(one.title) => 1,
        Some(_) => 2,
        None => level_of(ranks.iter().position(|rank| *rank == one.rank)),
    };
    kept.into_iter()
        .map(|(at, one)| (*at, level(*at, one)))
        .collect()
}

/// Returns the level of what stands at a place in the order of ranks.
fn level_of(place: Option<usize>) -> u8 {
    u8::try_from(place.unwrap_or_default() + 1).unwrap_or(6)
}
