//! Messages of programs in texts that have placeholders for what differs: the question `cannot open /etc/x: No such file`
//! and the text `cannot open {path}: {reason}`.

use std::ops::Range;

use super::headings::plain_words;

/// The fewest and the most words of a message.
const FEWEST: usize = 3;
const MOST: usize = 64;

/// The fewest words that a text has of a message, in a row but for placeholders, and the most words of a message of which
/// two are enough.
const FEWEST_SAME: usize = 3;
const MOST_FOR_TWO: usize = 6;

/// The fewest letters of a word that says something, of which a text has two.
const SHORTEST: usize = 4;

/// A text has at least one of so many words of a message, and a placeholder stands for so many at most.
const SHARE: usize = 4;
const MOST_OF_VALUE: usize = 8;

/// The longest placeholder in bytes, and the longest line that is read.
const LONGEST_PLACEHOLDER: usize = 48;
const LONGEST_LINE: usize = 1_000;

/// Tags of HTML that need no end.
const WITHOUT_END: [&str; 11] = [
    "br", "dd", "dt", "hr", "img", "li", "p", "td", "th", "tr", "wbr",
];

/// What joins two strings, with what stands between them.
const JOINS: [&str; 6] = ["+", "<<", "..", ".", "&", "||"];

/// The letters that end a conversion such as `%s` or `%04d`, and what may stand before them.
const CONVERSIONS: &str = "sdiuxXofFgGeEcpvqwrTtU@";
const OF_CONVERSION: &str = "-+#0123456789.*$lhzjL";

/// A question that may be a message, with values that a text has placeholders for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Message {
    words: Vec<String>,
    /// Which of them are of values by how they are written: paths, numbers, what is in quotes.
    are_values: Vec<bool>,
}

/// A part of a line that may have a message.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Word(String),
    /// It stands for a value.
    Placeholder,
}

/// How much of a message a line has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Same {
    words: usize,
    /// How many of these say something.
    long_words: usize,
    placeholders: usize,
    /// How many words of the message it has or has placeholders for.
    covered: usize,
}

impl Message {
    /// Returns a question as a message; nothing if no part of it is a value or stands behind a colon. If it ends as one that
    /// asks, the colon is its own. A number or a name with digits is a value in a sentence alone: `has_left_out` says
    /// whether the question has stop words that do not rank.
    pub(super) fn of(question: &str, has_left_out: bool) -> Option<Self> {
        let (mut words, mut are_values) = (Vec::new(), Vec::new());
        let asks = question.trim_end().ends_with(['?', '\u{ff1f}']);
        let mut has_sign = !asks && question.contains(": ");
        let mut is_open = false;
        for token in question.split_whitespace() {
            let bare = token.trim_end_matches(|of: char| !of.is_alphanumeric() && !is_quote(of));
            let is_quoted = is_open || token.starts_with(is_quote);
            is_open = if bare.chars().count() == 1 && bare.starts_with(is_quote) {
                !is_open
            } else {
                is_quoted && !bare.ends_with(is_quote)
            };
            let is_value = is_quoted || is_value(token);
            has_sign |= is_quoted || is_value && has_sign_of_value(token);
            let of_token = plain_words(token);
            for word in of_token.split_ascii_whitespace() {
                words.push(word.to_owned());
                are_values.push(is_value);
            }
        }
        let others = are_values.iter().filter(|is_value| !**is_value).count();
        let is_sentence = has_left_out && others >= FEWEST && others < words.len();
        let has_words = others > 1 && (FEWEST..=MOST).contains(&words.len());
        let may_be = has_words && (has_sign || is_sentence);
        may_be.then_some(Self { words, are_values })
    }

    /// Returns each two words in a row that are not of values: a text that has the message has some of these.
    pub(super) fn searched_rows(&self) -> Vec<String> {
        let pairs = self.words.windows(2).zip(self.are_values.windows(2));
        let plain = pairs.filter(|(_, are_values)| **are_values == [false, false]);
        plain.map(|(words, _)| words.join(" ")).collect()
    }

    /// Returns whether a text has the message with placeholders.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let mut lines = text.lines().filter(|line| line.len() <= LONGEST_LINE);
        lines.any(|line| may_have_placeholder(line) && self.is_in_line(line))
    }

    fn is_in_line(&self, line: &str) -> bool {
        let parts = parts_of(line);
        if !parts.contains(&Part::Placeholder) {
            return false;
        }
        let is_at = |part: usize, word: usize| self.is_at(&parts, part, word);
        let has_from = |part: usize, word: usize| {
            // From the word before it has more.
            let is_first = part == 0 || word == 0 || !is_at(part - 1, word - 1);
            let begins = is_first && is_at(part, word);
            begins && self.is_enough(self.same_from(&parts, part, word))
        };
        let mut starts = 0..parts.len();
        starts.any(|part| (0..self.words.len()).any(|word| has_from(part, word)))
    }

    /// Returns whether a part of a line is a word of the message.
    fn is_at(&self, parts: &[Part], part: usize, word: usize) -> bool {
        matches!(&parts[part], Part::Word(of) if self.words.get(word) == Some(of))
    }

    /// Returns how much of the message a line has that begins with a word of it at a place.
    fn same_from(&self, parts: &[Part], mut part: usize, first: usize) -> Same {
        let mut same = Same::default();
        if part > 0 && parts[part - 1] == Part::Placeholder {
            same.placeholders += 1;
            same.covered += first.min(MOST_OF_VALUE);
        }
        let before = same.covered;
        let mut word = first;
        while part < parts.len() {
            if self.is_at(parts, part, word) {
                same.words += 1;
                same.long_words += usize::from(says_something(&self.words[word]));
                (part, word) = (part + 1, word + 1);
            } else if parts[part] == Part::Placeholder {
                let behind = parts[part..]
                    .iter()
                    .take_while(|of| **of == Part::Placeholder);
                part += behind.count();
                same.placeholders += 1;
                let end = self.words.len().min(word + MOST_OF_VALUE);
                let next =
                    (word..=end).find(|next| part < parts.len() && self.is_at(parts, part, *next));
                let Some(next) = next else {
                    // Code stands behind the message.
                    word = end;
                    break;
                };
                word = next;
            } else {
                break;
            }
        }
        same.covered = before + word - first;
        same
    }

    /// Returns whether a line with so much of the message has it.
    fn is_enough(&self, same: Same) -> bool {
        let count = self.words.len();
        let has_value = self.are_values.contains(&true);
        let is_long = same.words >= FEWEST_SAME && 3 * same.covered >= 2 * count;
        let is_short = same.words == 2 && count <= MOST_FOR_TWO && has_value;
        let is_whole = is_short && same.covered == count;
        let may_be = same.long_words > 1 && same.placeholders > 0;
        may_be && same.words * SHARE >= count && (is_long || is_whole)
    }
}

fn says_something(word: &str) -> bool {
    word.chars().nth(SHORTEST - 1).is_some()
}

fn is_quote(letter: char) -> bool {
    matches!(
        letter,
        '\'' | '"' | '`' | '\u{2018}'..='\u{201a}' | '\u{201c}'..='\u{201e}' | '\u{ab}' | '\u{bb}'
    )
}

/// Returns whether a token of a question is a value by how it is written: a path, an address, a number, an id, a flag.
fn is_value(token: &str) -> bool {
    let bare = token.trim_matches(|of: char| !of.is_alphanumeric() && !"-/\\.~".contains(of));
    let inner = bare.trim_matches(|of: char| !of.is_alphanumeric());
    let has_letter = bare.contains(char::is_alphanumeric);
    let is_flag = bare.starts_with('-') && has_letter;
    let has_sign = inner.contains(['/', '\\', '.', '@', '=']) || bare.starts_with(['/', '~']);
    is_flag || has_letter && has_sign || inner.contains(char::is_numeric)
}

/// Returns whether a value is more than a number or a name with digits: a path, an address, a flag.
fn has_sign_of_value(token: &str) -> bool {
    let begins = token.trim_start_matches(|of: char| !of.is_alphanumeric() && of != '-');
    token.contains(['/', '\\', '@', '=', '~']) || begins.starts_with('-')
}

/// Returns whether a line has what most placeholders have.
fn may_have_placeholder(line: &str) -> bool {
    let signs = ["...", "\\(", "\" ", "' "];
    line.contains(['{', '%', '$', '<', '\u{2026}']) || signs.iter().any(|sign| line.contains(sign))
}

/// Reads a line as words and placeholders, without tags.
fn parts_of(line: &str) -> Vec<Part> {
    // The end of a line in a string is no letter of a word.
    let line = line.replace("\\n", " ").replace("\\t", " ");
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < line.len() {
        let tag = tag_at(&line, at);
        let is_tag = tag.is_some();
        let found = tag.or_else(|| placeholder(&line, at));
        if let Some(found) = &found {
            parts.extend(words_in(&line[start..found.start]));
            parts.extend((!is_tag).then_some(Part::Placeholder));
            start = found.end;
        }
        let next = line[at..].chars().next().map_or(1, char::len_utf8);
        at = found.map_or(at + next, |found| found.end);
    }
    parts.extend(words_in(&line[start..]));
    parts
}

fn words_in(text: &str) -> Vec<Part> {
    let words = plain_words(text);
    let words = words.split_ascii_whitespace();
    words.map(|word| Part::Word(word.to_owned())).collect()
}

/// Returns where a tag of HTML stands that begins at a place of a line: `</b>`, `<b>` if that stands behind it, or `<br>`.
fn tag_at(line: &str, at: usize) -> Option<Range<usize>> {
    let rest = &line[at..];
    if !rest.starts_with('<') {
        return None;
    }
    let length = in_brackets(rest, '<', '>')?;
    let inner = &rest[1..length - 1];
    let name = inner.trim_start_matches('/').split([' ', '/']).next()?;
    let is_name = !name.is_empty() && name.chars().all(|of| of.is_ascii_alphanumeric());
    let is_tag = inner.starts_with('/')
        || WITHOUT_END.contains(&name)
        || rest[length..].contains(&format!("</{name}>"));
    (is_name && is_tag).then(|| at..at + length)
}

/// Returns where a placeholder stands that begins at a place of a line.
fn placeholder(line: &str, at: usize) -> Option<Range<usize>> {
    let rest = &line[at..];
    let length = match rest.chars().next()? {
        '{' => in_brackets(rest, '{', '}'),
        '$' | '#' if rest[1..].starts_with('{') => {
            in_brackets(&rest[1..], '{', '}').map(|of| of + 1)
        }
        '\\' if rest[1..].starts_with('(') => in_brackets(&rest[1..], '(', ')').map(|of| of + 1),
        '<' => in_brackets(rest, '<', '>').filter(|end| is_name(&rest[1..end - 1])),
        '$' => named(&rest[1..]).filter(|length| !is_amount(&rest[1..*length])),
        '%' if !line[..at].ends_with(|of: char| of.is_ascii_digit()) => conversion(rest),
        '.' | '\u{2026}' => ellipsis(&line[..at], rest),
        '"' | '\'' => joined(rest),
        _ => None,
    };
    length.map(|length| at..at + length)
}

/// Returns the length of what stands in brackets at the beginning of a text, if it is short and has none of these in it.
fn in_brackets(text: &str, opening: char, closing: char) -> Option<usize> {
    let inner = &text[opening.len_utf8()..];
    let near = &inner[..inner.floor_char_boundary(LONGEST_PLACEHOLDER)];
    let end = near.find([opening, closing])?;
    near[end..]
        .starts_with(closing)
        .then(|| end + opening.len_utf8() + closing.len_utf8())
}

/// Returns whether a text is a name between pointed brackets: `file name`, `path`.
fn is_name(text: &str) -> bool {
    let is_of_name = |of: char| of.is_alphanumeric() || " -_.:|".contains(of);
    text.starts_with(char::is_alphabetic) && text.chars().all(is_of_name)
}

/// Returns the length of a variable with its `$` whose name a text begins with.
fn named(text: &str) -> Option<usize> {
    let is_of_name = |of: char| of.is_ascii_alphanumeric() || of == '_';
    let length = text.find(|of: char| !is_of_name(of)).unwrap_or(text.len());
    (length > 0).then_some(length + 1)
}

/// Returns whether what stands behind a `$` is an amount of money, and no argument such as `$1`.
fn is_amount(text: &str) -> bool {
    text.len() > 1 && text.starts_with(|of: char| of.is_ascii_digit())
}

/// Returns the length of the ellipsis at the beginning of a text. More dots than its own lead to the number of a page.
fn ellipsis(before: &str, text: &str) -> Option<usize> {
    let is_dot = |of: char| matches!(of, '.' | '\u{2026}');
    if before.ends_with(is_dot) {
        return None;
    }
    let length = text.find(|of: char| !is_dot(of)).unwrap_or(text.len());
    matches!(&text[..length], "..." | "\u{2026}").then_some(length)
}

/// Returns the length of a conversion as of `printf` at the beginning of a text: `%s`, `%-10.3f`, `%(name)s`, `%NAME%`.
fn conversion(text: &str) -> Option<usize> {
    let inner = &text[1..];
    let name = named(inner).map_or(0, |length| length - 1);
    if name > 1 && inner[name..].starts_with('%') {
        return Some(name + 2);
    }
    let key = if inner.starts_with('(') {
        in_brackets(inner, '(', ')')?
    } else {
        0
    };
    let flags = inner[key..].find(|of: char| !OF_CONVERSION.contains(of))?;
    let last = inner[key + flags..].chars().next()?;
    let is_conversion = CONVERSIONS.contains(last);
    is_conversion.then(|| 1 + key + flags + last.len_utf8())
}

/// Returns the length of what stands between two strings that are joined, with their quotation marks; of all that follows
/// if no other string does.
fn joined(text: &str) -> Option<usize> {
    let mark = text.chars().next()?;
    let behind = &text[mark.len_utf8()..];
    let sign = behind.trim_start_matches(' ');
    let is_join = |join: &&&str| {
        let value = sign.strip_prefix(*join);
        value.is_some_and(|value| value.starts_with(' ') && sign.len() < behind.len())
    };
    JOINS.iter().find(is_join)?;
    let next = behind.find(mark);
    Some(next.map_or(text.len(), |at| at + 2 * mark.len_utf8()))
}

#[cfg(test)]
mod tests;
