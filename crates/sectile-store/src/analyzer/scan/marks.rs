//! Marks within a word, which is read without them: `un*believ*able`, `H<sub>2</sub>O`, `M&uuml;ller`.

mod escape;
mod letters;

use sectile_core::Span;

use super::{Word, is_of_word, is_unit, word};

/// How many marks of a word are read.
const MOST: usize = 16;

/// How many bytes a tag has at most, and the white space at the beginning of a line.
const LONGEST_TAG: usize = 128;
const DEEPEST: usize = 64;

/// Elements of HTML that stand within words.
const TAGS: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "dfn", "em", "font", "i",
    "mark", "nobr", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u",
    "var", "wbr",
];

/// A word that is read without the marks in it.
#[derive(Debug)]
pub(super) struct Marked {
    /// The word.
    pub(super) plain: String,
    /// Where it stands, with its marks.
    pub(super) span: Span,
    /// Whether what the marks part may be words as well: `a*b*c` may be a product.
    pub(super) is_apart: bool,
}

/// What a mark is to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Nothing: the word goes on behind it.
    Nothing,
    /// Nothing, or the end of a word.
    Maybe,
    /// Nothing: the word goes on in the next line.
    LineEnd,
    /// Nothing, where the word has two: signs that stand round a part of it.
    Pair(&'static str),
    /// The beginning of raised text.
    Raised,
    /// A letter, or what joins letters.
    Letter(char),
    /// A sign between words.
    Break,
}

/// A mark, with its length in bytes.
type Mark = (Reading, usize);

/// Reads the word that begins at `start` and has its first mark at `at`. Nothing for one without letters behind that.
pub(super) fn read(text: &str, start: usize, at: usize) -> Option<Marked> {
    // Most signs are no marks: nothing is prepared for them.
    mark(&text[at..])?;
    let mut word = Marked {
        plain: text[start..at].to_owned(),
        span: Span::new(start, at),
        is_apart: false,
    };
    let (mut place, mut pairs, mut is_apart) = (at, Pairs::default(), false);
    for _ in 0..MOST {
        let Some((reading, length)) = mark(&text[place..]) else {
            break;
        };
        let behind = place + length;
        let is_read = word.span.end > at;
        match reading {
            Reading::Break if is_read => break,
            Reading::Break => {
                word.plain.clear();
                word.span.start = place;
                (pairs, is_apart) = (Pairs::default(), false);
            }
            // At the beginning of a word these are no marks of it.
            Reading::Maybe | Reading::LineEnd | Reading::Pair(_) if word.span.start >= at => break,
            Reading::Raised if is_footnote(&word.plain, &text[behind..]) => break,
            Reading::Pair(sign) if !pairs.add(sign) => break,
            Reading::Pair(sign) => is_apart |= sign.len() == 1,
            Reading::Maybe => is_apart = true,
            Reading::Letter(letter) => word.plain.push(letter),
            Reading::Nothing | Reading::LineEnd | Reading::Raised => {}
        }
        place = end_of_letters(text, behind);
        word.plain.push_str(&text[behind..place]);
        let is_letter = matches!(reading, Reading::Letter(letter) if is_of_word(letter));
        if place > behind || is_letter {
            word.span.end = place;
            word.is_apart = is_apart;
            pairs.is_within = pairs.sign.is_some();
        } else if is_read && reading == Reading::Nothing {
            // The end of what a part of the word stands in.
            word.span.end = place;
        }
    }
    let is_word = word.plain.chars().filter(|of| of.is_alphanumeric()).count() > 1;
    // Numbers with signs between them are no number: `7\-9`, `2*3*4`.
    let is_number = word.is_apart && !word.plain.contains(char::is_alphabetic);
    let is_read = word.span.end > at && is_word && !is_number;
    (is_read && pairs.are_whole(&text[..start])).then_some(word)
}

/// Returns whether raised text is a word of its own: digits, but behind a unit.
fn is_footnote(word: &str, raised: &str) -> bool {
    raised.starts_with(|first: char| first.is_ascii_digit()) && !is_unit(word)
}

/// Returns where the letters end that begin at `start`, with what joins them.
fn end_of_letters(text: &str, start: usize) -> usize {
    word(text, start, start, &mut |_: &Word<'_>| {})
}

/// Signs that stand in pairs round a part of a word.
#[derive(Debug, Default)]
struct Pairs {
    sign: Option<&'static str>,
    count: usize,
    /// Whether letters follow one.
    is_within: bool,
}

impl Pairs {
    /// Adds one, if those before are the same.
    fn add(&mut self, sign: &'static str) -> bool {
        let is_same = *self.sign.get_or_insert(sign) == sign;
        self.count += usize::from(is_same);
        is_same
    }

    /// Returns whether there are two at least, with one that stands before the word, or none
    /// within.
    fn are_whole(&self, before: &str) -> bool {
        let is_before = self.sign.is_some_and(|sign| before.ends_with(sign));
        !self.is_within || self.count + usize::from(is_before) > 1
    }
}

/// Reads the mark that a text begins with.
fn mark(text: &str) -> Option<Mark> {
    match text.as_bytes().first()? {
        b'*' | b'~' => pair(text),
        // As in `{B}ayes` and `\textbf{bold}face`.
        b'}' => Some((Reading::Pair("{"), 1)),
        b'<' => tag(text),
        b'&' => letters::entity(text).map(|(letter, length)| (Reading::Letter(letter), length)),
        b'{' => group(text),
        b'\\' => backslash(text),
        b'`' => interpreted(text),
        b'-' => hyphen(text),
        _ => None,
    }
}

fn pair(text: &str) -> Option<Mark> {
    let rest = text.trim_start_matches(&text[..1]);
    let sign = match &text[..text.len() - rest.len()] {
        "*" => "*",
        "**" => "**",
        "***" => "***",
        "~~" => "~~",
        _ => return None,
    };
    Some((Reading::Pair(sign), sign.len()))
}

/// Reads the tag of an element that stands within words.
fn tag(text: &str) -> Option<Mark> {
    let text = &text[..text.floor_char_boundary(LONGEST_TAG)];
    let end = text.find('>')?;
    let inside = &text[1..end];
    let opening = inside.strip_prefix('/').unwrap_or(inside);
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric();
    let attributes = opening.trim_start_matches(is_of_name);
    let name = &opening[..opening.len() - attributes.len()];
    let is_tag = attributes.is_empty() || attributes.starts_with([' ', '\t', '\r', '\n', '/']);
    // In capitals one letter is a type of source code.
    let is_it = |tag: &&str| *tag == name || name.len() > 1 && tag.eq_ignore_ascii_case(name);
    if !is_tag || attributes.contains('<') || !TAGS.iter().any(is_it) {
        return None;
    }
    let is_raised = inside.len() == opening.len() && name.eq_ignore_ascii_case("sup");
    let reading = if is_raised {
        Reading::Raised
    } else {
        Reading::Nothing
    };
    Some((reading, end + 1))
}

/// Reads a letter of LaTeX in braces: `{\ss}`, `{\"o}`.
fn group(text: &str) -> Option<Mark> {
    let inside = &text[1..];
    let (letter, length) = letters::latex(inside)?;
    let is_closed = inside[length..].starts_with('}');
    is_closed.then_some((Reading::Letter(letter), length + 2))
}

fn backslash(text: &str) -> Option<Mark> {
    if text.starts_with("\\-") || text.starts_with("\\_") {
        return Some((Reading::Maybe, 2));
    }
    if let Some(rest) = text.strip_prefix("\\ ") {
        return Some((Reading::Maybe, text.len() - without_role(rest).len()));
    }
    if let Some((letter, length)) = letters::latex(text) {
        return Some((Reading::Letter(letter), length));
    }
    let (character, length) = escape::read(text)?;
    let letter = character.filter(|of| letters::is_kept(*of));
    Some((letter.map_or(Reading::Break, Reading::Letter), length))
}

/// Returns a text of reStructuredText without the role that it begins with, as in ``:sub:`2` ``.
fn without_role(text: &str) -> &str {
    let behind = text.strip_prefix(':').and_then(|name| {
        let rest = name.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
        rest.strip_prefix(":`")
    });
    behind.unwrap_or(text)
}

/// Reads the end of interpreted text of reStructuredText that a word goes on behind.
fn interpreted(text: &str) -> Option<Mark> {
    let end = "`\\ ";
    text.starts_with(end).then_some((Reading::Maybe, end.len()))
}

/// Reads the hyphen at the end of a line, before a letter that is not a capital.
fn hyphen(text: &str) -> Option<Mark> {
    let line = &text[1..];
    let line = line.strip_prefix("\r\n").or(line.strip_prefix('\n'))?;
    let rest = line.trim_start_matches([' ', '\t']);
    let is_next = rest.starts_with(char::is_lowercase) && line.len() - rest.len() <= DEEPEST;
    is_next.then_some((Reading::LineEnd, text.len() - rest.len()))
}
