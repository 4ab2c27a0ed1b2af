//! The headings of plain text: titles that are underlined, those of chapters, releases and numbered sections, and lines
//! in capitals.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use sectile_core::{Heading, Span};

use super::numbered::{self, Section};
use crate::markup::{Line, heading};

/// The longest title, in characters.
const LONGEST: usize = 80;

/// How many lines in capitals a text has at least, and how often one of them stands in it at most: names of speakers and
/// heads of pages stand more often.
const MIN_CAPITALS: usize = 2;
const MAX_REPEATED: usize = 5;

/// Which part of the lines with text may be in capitals, as one of so many.
const MAX_SHARE: usize = 8;

/// The signs of lines below titles.
const SIGNS: [char; 4] = ['=', '-', '~', '*'];

/// Marks that open quotations, and those that close them.
const OPENING: [char; 10] = ['"', '“', '”', '„', '‘', '«', '»', '‹', '「', '『'];
const CLOSING: [char; 11] = ['"', '\'', '“', '”', '’', '‘', '«', '»', '›', '」', '』'];

/// Words that name a part of a book or of a play, by how large the part is.
const PARTS: [&[&str]; 4] = [
    &[
        "book", "volume", "buch", "band", "livre", "libro", "tome", "tomo",
    ],
    &[
        "part", "teil", "partie", "parte", "act", "akt", "aufzug", "acte", "acto", "atto",
    ],
    &[
        "chapter",
        "appendix",
        "kapitel",
        "chapitre",
        "capítulo",
        "capitolo",
        "capitulo",
        "annex",
        "anhang",
        "annexe",
    ],
    &[
        "section",
        "article",
        "artikel",
        "abschnitt",
        "artículo",
        "articolo",
        "scene",
        "szene",
        "auftritt",
        "scène",
        "escena",
        "scena",
    ],
];

/// Words that the title of a release begins with.
const RELEASES: [&str; 5] = ["changes", "news", "release", "version", "what's"];

/// Numbers in words.
const NUMBERS: [&str; 20] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth",
];

/// How high headings stand, from the highest to the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A part of a book, by its place in [`PARTS`].
    Part(usize),
    Release,
    /// A style of underlining, by the order of appearance.
    Underlined(usize),
    Capitals,
    /// How many numbers a numbered title has.
    Numbered(usize),
}

struct Found {
    rank: Rank,
    title: String,
    /// The places of its lines.
    lines: Range<usize>,
    /// Whether the whole text has shown that it is a heading.
    is_sure: bool,
}

impl From<Section> for Found {
    fn from(section: Section) -> Self {
        Self {
            rank: Rank::Numbered(section.depth),
            title: section.title,
            lines: section.lines,
            is_sure: true,
        }
    }
}

/// Finds the headings of a text. Each stands between blank lines or is underlined, and begins where its line does.
pub(super) fn outline(lines: &[Line<'_>]) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut styles = Vec::new();
    let mut sections = numbered::sections(lines).into_iter().peekable();
    let mut at = 0;
    while at < lines.len() {
        let section = sections.next_if(|section| section.lines.start == at);
        let heading = section.map(Found::from);
        let heading = heading.or_else(|| read(lines, at, &mut styles));
        at = heading.as_ref().map_or(at + 1, |heading| heading.lines.end);
        found.extend(heading);
    }
    without_items(lines, &mut found);
    without_doubtful(lines, &mut found);
    let ranks: BTreeSet<Rank> = found.iter().map(|heading| heading.rank).collect();
    let level = |rank: Rank| 1 + ranks.range(..rank).count();
    let span =
        |of: &Range<usize>| Span::new(lines[of.start].span.start, lines[of.end - 1].span.end);
    let found = found.iter();
    found
        .map(|one| heading(level(one.rank), &one.title, span(&one.lines)))
        .collect()
}

/// Reads the heading that begins with a line.
fn read(lines: &[Line<'_>], at: usize, styles: &mut Vec<(char, bool)>) -> Option<Found> {
    let is_free = at == 0 || lines[at - 1].is_blank();
    if !is_free || lines[at].is_blank() {
        return None;
    }
    let above = usize::from(sign_of_rule(lines[at].text).is_some());
    let title = lines.get(at + above)?;
    if !is_title(title) {
        return None;
    }
    if let Some(sign) = sign_below(lines, at, above) {
        let of_style = Rank::Underlined(order_of((sign, above > 0), styles));
        let of_book = part_of_book(title.text).map(|(part, _)| Rank::Part(part));
        return Some(Found {
            rank: of_book.unwrap_or(of_style),
            title: title.text.trim().into(),
            lines: at..at + above + 2,
            is_sure: false,
        });
    }
    let is_alone = lines.get(at + 1).is_none_or(Line::is_blank);
    if above == 0 && is_alone {
        alone(lines, at)
    } else {
        None
    }
}

/// Returns the place of a style of underlining in the order of appearance.
fn order_of(style: (char, bool), styles: &mut Vec<(char, bool)>) -> usize {
    let known = styles.iter().position(|known| *known == style);
    known.unwrap_or_else(|| {
        styles.push(style);
        styles.len() - 1
    })
}

/// Reads the heading that a line between blank lines is.
fn alone(lines: &[Line<'_>], at: usize) -> Option<Found> {
    let text = lines[at].text;
    let found = |rank, title: String, end| Found {
        rank,
        title,
        lines: at..end,
        is_sure: false,
    };
    let Some((part, is_bare)) = part_of_book(text) else {
        return Some(found(rank_of(text)?, text.into(), at + 1));
    };
    let name = is_bare.then(|| name_below(lines, at + 1)).flatten();
    Some(match name {
        Some(below) => {
            let title = format!("{text} {}", lines[below].text);
            found(Rank::Part(part), title, below + 1)
        }
        None => found(Rank::Part(part), text.into(), at + 1),
    })
}

/// Returns the rank of a title that names no part of a book.
fn rank_of(text: &str) -> Option<Rank> {
    if is_release(text) {
        return Some(Rank::Release);
    }
    let of_number = numbered(text).map(Rank::Numbered);
    of_number.or_else(|| is_in_capitals(text).then_some(Rank::Capitals))
}

/// Returns whether a line can be a title: short, not indented, and no row of a table or of contents.
fn is_title(line: &Line<'_>) -> bool {
    let text = line.text;
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    !line.is_indented()
        && letters.take(2).count() == 2
        && text.chars().count() <= LONGEST
        && !text.ends_with([',', ';', '\\'])
        && !text.contains(['\t', '|', '{', '}', '<', '>', '$'])
        && (!text.contains("  ") || text.starts_with(|first: char| first.is_ascii_digit()))
        && !text.contains("...")
}

/// Returns the sign of a line that is of one sign alone.
fn sign_of_rule(text: &str) -> Option<char> {
    let sign = text.chars().next().filter(|sign| SIGNS.contains(sign))?;
    let is_rule = text.len() > 2 && text.chars().all(|other| other == sign);
    is_rule.then_some(sign)
}

/// Returns the sign of the line below a title, which is about as long as the title, or longer than most lines: such a one
/// below a sentence parts the text. A line above the title is of the same sign.
fn sign_below(lines: &[Line<'_>], at: usize, above: usize) -> Option<char> {
    let text = lines.get(at + above)?.text;
    let title = text.chars().count();
    let below = lines.get(at + above + 1)?;
    let sign = sign_of_rule(below.text)?;
    let length = below.text.len();
    let is_long = length >= 60 && length > title && !text.ends_with('.');
    let fits = length.abs_diff(title) <= 3 || is_long;
    let is_same = above == 0 || sign_of_rule(lines[at].text) == Some(sign);
    (fits && is_same).then_some(sign)
}

/// Returns which part of a book a title names, and whether nothing stands behind its number.
fn part_of_book(text: &str) -> Option<(usize, bool)> {
    let (word, rest) = text.split_once(' ')?;
    let is_capital = word.starts_with(char::is_uppercase);
    let word = word.to_lowercase();
    let part = PARTS
        .iter()
        .position(|words| words.contains(&word.as_str()))?;
    let rest = rest.trim_start();
    let begins_with_digit = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    let is_of_number = |&(at, sign): &(usize, char)| {
        sign.is_alphanumeric() || sign == '.' && begins_with_digit(&rest[at + 1..])
    };
    let mut behind = rest.char_indices().skip_while(is_of_number);
    let end = behind.next().map_or(rest.len(), |(at, _)| at);
    let (number, behind) = rest.split_at(end);
    let behind = behind.trim_start();
    // `3-4` are two numbers.
    let name = behind.strip_prefix(['.', ':', '-', '–', '—', ')']);
    let has_mark = name.is_some_and(|name| !begins_with_digit(name));
    let is_bare = behind.trim_matches(['.', ':']).is_empty();
    (is_capital && is_number(number) && (is_bare || has_mark)).then_some((part, is_bare))
}

/// Returns whether a word is a number in digits, in Roman ones or in words, or a letter.
fn is_number(word: &str) -> bool {
    let is_roman = word.chars().all(|letter| "IVXLCDMivxlcdm".contains(letter));
    let is_letter = word.chars().count() == 1 && word.starts_with(char::is_uppercase);
    let begins = word.starts_with(|first: char| first.is_ascii_digit());
    !word.is_empty()
        && (is_roman || is_letter || begins || NUMBERS.contains(&&*word.to_lowercase()))
}

/// Returns the line of the name of a part, which stands alone below its number.
fn name_below(lines: &[Line<'_>], from: usize) -> Option<usize> {
    let at = from
        + lines[from..]
            .iter()
            .take(3)
            .position(|line| !line.is_blank())?;
    let line = &lines[at];
    let is_alone = lines.get(at + 1).is_none_or(Line::is_blank);
    let begins = line
        .text
        .starts_with(|first: char| first.is_uppercase() || "“\"_".contains(first));
    let is_name = is_title(line) && begins && line.text.split_whitespace().count() <= 12;
    (is_alone && is_name && part_of_book(line.text).is_none()).then_some(at)
}

/// Returns whether a title names a release: it begins with such a word and has a number.
fn is_release(text: &str) -> bool {
    let first = text
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let is_capital = text.starts_with(char::is_uppercase);
    is_capital
        && RELEASES.contains(&first.as_str())
        && text.contains(|sign: char| sign.is_ascii_digit())
        && !text.ends_with(['.', ':'])
        && text.split_whitespace().count() <= 10
}

/// Returns how many numbers stand before a title, as in `1.2 Use` or `3.  Limits`.
fn numbered(text: &str) -> Option<usize> {
    let (number, title) = text.split_once(' ')?;
    let title = title.trim_start();
    let mut numbers = number.trim_end_matches('.').split('.');
    let is_one = |number: &str| {
        (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let depth = numbers.clone().count();
    let begins = title.starts_with(char::is_uppercase);
    let is_numbered = numbers.all(is_one) && (depth > 1 || number.ends_with('.'));
    let is_sentence = title.ends_with(['.', ':', '!', '?']) || title.contains("  ");
    (is_numbered && begins && !is_sentence && title.split_whitespace().count() <= 12)
        .then_some(depth)
}

/// Returns whether all letters of a title are capitals. The signature and the salutation of a letter that is quoted, and
/// what an audience does, are no titles: they begin or end with a quotation mark, begin with a parenthesis, or end with a
/// dash.
fn is_in_capitals(text: &str) -> bool {
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    letters().count() >= 4
        && letters().all(char::is_uppercase)
        && !text.contains(['=', '/', '\\', '_', '#', '[', ']'])
        && !text.starts_with(['*', '-', '+', '.', '(', '（'])
        && !text.starts_with(OPENING)
        && !text.ends_with(CLOSING)
        && !text.ends_with(['-', '–', '—'])
}

/// Leaves out the items of lists: numbered lines of a depth with nothing but blank lines between them.
fn without_items(lines: &[Line<'_>], found: &mut Vec<Found>) {
    let mut are_items = vec![false; found.len()];
    for (at, pair) in found.windows(2).enumerate() {
        let between = &lines[pair[0].lines.end..pair[1].lines.start];
        let are_numbered =
            matches!(pair[0].rank, Rank::Numbered(_)) && pair[0].rank == pair[1].rank;
        if are_numbered && between.iter().all(Line::is_blank) {
            are_items[at..at + 2].fill(true);
        }
    }
    let mut are_items = are_items.into_iter();
    found.retain(|one| are_items.next() == Some(false) || one.is_sure);
}

/// Leaves out headings that may be something else: numbered titles where none is a part of another, a single line that
/// names a release, and lines in capitals that are too many, too few, or stand in the text again and again. The only one
/// before the first part of a book is its title, whatever follows.
fn without_doubtful(lines: &[Line<'_>], found: &mut Vec<Found>) {
    let has_parts = found
        .iter()
        .any(|heading| matches!(heading.rank, Rank::Numbered(depth) if depth > 1));
    let capitals = found
        .iter()
        .filter(|heading| heading.rank == Rank::Capitals);
    let mut counts: HashMap<String, usize> = HashMap::new();
    for heading in capitals {
        *counts.entry(heading.title.clone()).or_default() += 1;
    }
    let filled = lines.iter().filter(|line| !line.is_blank()).count();
    let all: usize = counts.values().sum();
    let is_release = |heading: &&Found| heading.rank == Rank::Release;
    let has_releases = found.iter().filter(is_release).nth(1).is_some();
    let has_capitals = all >= MIN_CAPITALS && all <= filled / MAX_SHARE;
    let title = title_of_book(found).map(|title| title.lines.start);
    found.retain(|heading| match heading.rank {
        _ if title == Some(heading.lines.start) => true,
        Rank::Numbered(_) => has_parts || heading.is_sure,
        Rank::Release => has_releases,
        Rank::Capitals => has_capitals && counts[&heading.title] <= MAX_REPEATED,
        _ => true,
    });
}

/// Returns the only line in capitals before the first part of a book.
fn title_of_book(found: &[Found]) -> Option<&Found> {
    let is_part = |heading: &Found| matches!(heading.rank, Rank::Part(_));
    let first = found.iter().position(is_part)?;
    let before = found[..first].iter();
    let mut capitals = before.filter(|heading| heading.rank == Rank::Capitals);
    let title = capitals.next()?;
    capitals.next().is_none().then_some(title)
}
