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
    /// Returns a question as a message; nothing if no part of it is a value or stands behind a colon. A number or a name with
    /// digits is a value in a sentence alone: `has_left_out` says whether the question has stop words that do not rank.
    pub(super) fn of(question: &str, has_left_out: bool) -> Option<Self> {
        let (mut words, mut are_values) = (Vec::new(), Vec::new());
        let mut has_sign = question.contains(": ");
        let mut is_open = false;
        for token in question.split_whitespace() {
            let bare = token.trim_end_matches(|of: char| !of.is_alphanumeric() && !is_quote(of));
            let is_quoted = is_open || token.starts_with(is_quote);
            is_open = is_quoted && !bare.ends_with(is_quote);
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
        '\'' | '"' | '`' | '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{ab}' | '\u{bb}'
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

/// Reads a line as words and placeholders.
fn parts_of(line: &str) -> Vec<Part> {
    // The end of a line in a string is no letter of a word.
    let line = line.replace("\\n", " ").replace("\\t", " ");
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 0;
    while at < line.len() {
        let found = placeholder(&line, at);
        if let Some(found) = &found {
            parts.extend(words_in(&line[start..found.start]));
            parts.push(Part::Placeholder);
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
        '$' => named(&rest[1..]),
        '%' if !line[..at].ends_with(|of: char| of.is_ascii_digit()) => conversion(rest),
        '\u{2026}' => Some('\u{2026}'.len_utf8()),
        '.' if rest.starts_with("...") => Some(3),
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
mod tests {
    use super::*;

    fn has(text: &str, question: &str) -> bool {
        let message = Message::of(question, true);
        message.is_some_and(|message| message.is_in(text))
    }

    #[test]
    fn a_message_is_in_a_text_with_placeholders_for_its_values() {
        for (text, question) in [
            (
                "return Err(format!(\"error: cannot open {path}: {reason}\"));",
                "error: cannot open /etc/x: Permission denied",
            ),
            ("Cannot find module '%s'", "Cannot find module 'express'"),
            (
                "throw new Error(`Cannot find module '${name}'`)",
                "Error: Cannot find module './lib/a b.js'",
            ),
            (
                "fprintf(stderr, \"%s:%d: unknown option %s\\n\", file, line, option);",
                "main.c:12: unknown option --fast",
            ),
            (
                "raise ValueError(\"invalid literal for port: %(port)r\")",
                "ValueError: invalid literal for port: 'http'",
            ),
            (
                "log(\"Could not connect to \" + host + \" after \" + n + \" attempts\");",
                "Could not connect to db.example.org after 5 attempts",
            ),
            (
                "std::cerr << \"failed to load \" << name << std::endl;",
                "failed to load libfoo.so.2",
            ),
            (
                "- `table <name> has no column <column>`: the column was not made",
                "table users has no column named_id2",
            ),
            (
                "port $PORT is already in use",
                "port 8080 is already in use",
            ),
            (
                "die \"#{program}: no such command #{name}\"",
                "sectile: no such command 'serach'",
            ),
            (
                "Could not resolve host: ...",
                "curl: (6) Could not resolve host: example.invalid",
            ),
            ("unknown option: {}", "unknown option: --foo"),
        ] {
            assert!(has(text, question), "{text}: {question}");
        }
    }

    #[test]
    fn other_texts_have_no_message() {
        for (text, question) in [
            // No placeholder, another message, or too little of it.
            (
                "error: cannot open the file: denied",
                "error: cannot open /etc/x: denied now",
            ),
            ("Cannot find module '%s'", "Cannot find package 'express'"),
            ("open {path}", "error: cannot open /etc/x"),
            ("it is not {name} that is", "foo_1 is not working"),
            (
                "set the {name} to {value}",
                "how do I set the path to /usr/local/bin in a shell",
            ),
            ("{\"open\": 1, \"cannot\": 2}", "error: cannot open /etc/x"),
            ("50% of the files cannot open", "files cannot open /etc/x"),
            // These ask no program.
            ("install {name} on windows", "install python on windows"),
            ("what is {name}", "what is a closure"),
        ] {
            assert!(!has(text, question), "{text}: {question}");
        }
    }

    #[test]
    fn words_of_values_are_not_looked_for() {
        let rows = |question: &str| Message::of(question, true).map(|of| of.searched_rows());
        assert_eq!(
            rows("error: cannot open /etc/x: Permission denied").unwrap(),
            ["error cannot", "cannot open", "permission denied"]
        );
        assert_eq!(
            rows("Cannot find module 'a b' (code 0x1f)").unwrap(),
            ["cannot find", "find module"]
        );
        for question in ["install python on windows", "open /etc/x", "8080", ""] {
            assert_eq!(rows(question), None, "{question}");
        }
        // A number is a value in a sentence.
        for (question, is_message) in [
            ("port 8080 is already in use", true),
            ("python 3.12 release notes", false),
            ("unknown option --fast", true),
            ("Cannot find module 'express'", true),
        ] {
            let has_left_out = question.contains(" is ");
            let message = Message::of(question, has_left_out);
            assert_eq!(message.is_some(), is_message, "{question}");
        }
    }

    #[test]
    fn values_are_told_by_how_they_are_written() {
        for value in [
            "/etc/x", "C:\\x", "a.txt", "0x1f", "8080", "--fast", "me@host", "~/x", "(os=1)",
        ] {
            assert!(is_value(value), "{value}");
        }
        for word in [
            "error:",
            "open.",
            "TypeError",
            "don't",
            "-",
            "...",
            "read_file",
            "(denied)",
        ] {
            assert!(!is_value(word), "{word}");
        }
    }

    #[test]
    fn placeholders_part_the_words_of_a_line() {
        let shown = |line: &str| {
            let parts = parts_of(line).into_iter().map(|part| match part {
                Part::Word(word) => word,
                Part::Placeholder => "*".to_owned(),
            });
            parts.collect::<Vec<_>>().join(" ")
        };
        for (line, parts) in [
            ("a {b} c {0:?} d {}", "a * c * d *"),
            ("a %s %-5.2f %% %d%% %(b)s %NAME% 5% c", "a * * * * * 5 c"),
            ("a $b ${c} #{d} \\(e) $", "a * * * *"),
            ("<file name> a < b > c <1>", "* a b c 1"),
            ("a… b ... c.", "a * b * c"),
            ("\"a \" + b + \" c \" + d", "a * c *"),
            ("'it' is \"a\".format(b)", "it is a format b"),
            ("\"a\\nb\\t%s\"", "a b *"),
            ("{", ""),
            ("%", ""),
            ("\\", ""),
            ("ä{ö}ü%", "ä * ü"),
        ] {
            assert_eq!(shown(line), parts, "{line}");
        }
    }
}
