//! The numbered sections of plain text, such as those of licences, specifications and lists of questions.
//!
//! The whole text tells a section from the item of a list: the numbers rise, most of them stand before titles on lines of
//! their own, and text of several lines follows.

use std::ops::Range;

use crate::markup::Line;

/// How many numbers a section has at most.
const MAX_DEPTH: usize = 5;

/// By how much a number is above the one before it, at most: some sections have titles that are not known as such.
const LARGEST_STEP: u16 = 3;

/// How many spaces stand before a number, at most.
const MAX_INDENT: usize = 8;

/// How many rows of numbers are open at once, such as those of a text and of a list in one of its sections.
const MAX_OPEN: usize = 8;

/// The longest line of a title, in characters.
const LONGEST: usize = 80;

/// How many words a title has at most: a question, one with a full stop, which may be a sentence, and any other.
const MOST_OF_QUESTION: usize = 24;
const MOST_WITH_STOP: usize = 12;
const MOST_WORDS: usize = 16;

/// How many digits the number at the beginning of a title has at most.
const LONGEST_CODE: usize = 4;

/// How many sections a text has at least, and how many lines of text they have on average.
const MIN_SECTIONS: usize = 3;
const MIN_LINES: usize = 3;

/// One section in so many may be without text.
const SECTIONS_PER_EMPTY: usize = 8;

/// A numbered section.
pub(super) struct Section {
    /// How many numbers it has; a last zero does not count.
    pub(super) depth: usize,
    /// The title with its number.
    pub(super) title: String,
    /// The places of the lines of the title.
    pub(super) lines: Range<usize>,
}

/// Finds the numbered sections of a text, in its order.
pub(super) fn sections(lines: &[Line<'_>]) -> Vec<Section> {
    let mut open: Vec<Row> = Vec::new();
    let mut found = Vec::new();
    let mut paragraphs = paragraphs(lines).peekable();
    let mut is_below_item = false;
    while let Some(paragraph) = paragraphs.next() {
        let next = paragraphs.peek();
        let is_above_item = next.is_some_and(|next| paragraph.is_item_above(next, lines));
        let is_item = std::mem::replace(&mut is_below_item, is_above_item) || is_above_item;
        if is_item {
            continue;
        }
        let place = open.iter().rposition(|row| row.goes_on_with(&paragraph));
        let kept = match place {
            Some(place) => place + 1,
            None if paragraph.number.begins() => open.len().min(MAX_OPEN - 1),
            None => continue,
        };
        // A row in which another one goes on has ended.
        found.extend(open.drain(kept..).flat_map(|row| row.sections(lines)));
        if place.is_none() {
            open.push(Row::default());
        }
        if let Some(row) = open.last_mut() {
            row.push(paragraph);
        }
    }
    found.extend(open.into_iter().flat_map(|row| row.sections(lines)));
    found.sort_by_key(|section| section.lines.start);
    found
}

/// Returns the paragraphs that begin with a number.
fn paragraphs(lines: &[Line<'_>]) -> impl Iterator<Item = Paragraph> {
    let begins =
        move |at: &usize| !lines[*at].is_blank() && (*at == 0 || lines[*at - 1].is_blank());
    let places = (0..lines.len()).filter(begins);
    places.filter_map(move |at| Paragraph::read(lines, at))
}

/// The number of a section, such as `2.1`.
struct Number {
    parts: [u16; MAX_DEPTH],
    depth: usize,
}

impl Number {
    /// Reads a number with a full stop in it or at its end.
    fn read(word: &str) -> Option<Self> {
        let mut number = Self {
            parts: [0; MAX_DEPTH],
            depth: 0,
        };
        for part in word.strip_suffix('.').unwrap_or(word).split('.') {
            let is_number =
                (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            let value: u16 = part.parse().ok().filter(|_| is_number)?;
            *number.parts.get_mut(number.depth)? = value;
            number.depth += 1;
        }
        if number.depth > 1 && number.parts[number.depth - 1] == 0 {
            number.depth -= 1;
        }
        word.contains('.').then_some(number)
    }

    fn parts(&self) -> &[u16] {
        &self.parts[..self.depth]
    }

    /// Returns whether a text may begin with this number.
    fn begins(&self) -> bool {
        self.parts[0] <= 1
    }

    /// Returns whether another number may be the next one.
    fn goes_on_with(&self, next: &Self) -> bool {
        let pairs = self.parts().iter().zip(next.parts());
        let same = pairs.take_while(|(own, other)| own == other).count();
        let Some(&value) = next.parts().get(same) else {
            return false;
        };
        let before = self.parts().get(same).copied();
        before.is_none_or(|before| before < value) && value - before.unwrap_or(0) <= LARGEST_STEP
    }
}

/// A paragraph that begins with a number.
struct Paragraph {
    number: Number,
    /// Where the number begins and ends in its line.
    columns: (usize, usize),
    has_title: bool,
    /// The places of its lines, of the first three if it is longer.
    lines: Range<usize>,
}

impl Paragraph {
    fn read(lines: &[Line<'_>], at: usize) -> Option<Self> {
        let line = lines[at].text;
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        let (word, title) = text.split_once([' ', '\t'])?;
        let number = Number::read(word).filter(|_| indent <= MAX_INDENT)?;
        let filled = lines[at..].iter().take(3);
        let length = filled.take_while(|line| !line.is_blank()).count();
        // An item of a list may begin with an amount.
        let begin = if number.depth > 1 {
            without_code(title)
        } else {
            title
        };
        Some(Self {
            number,
            columns: (indent, indent + word.len()),
            has_title: is_title(begin, &lines[at..at + length]),
            lines: at..at + length,
        })
    }

    /// Returns whether the next item of a list follows without a text between.
    fn is_item_above(&self, next: &Self, lines: &[Line<'_>]) -> bool {
        let between = &lines[self.lines.end..next.lines.start];
        self.number.depth == next.number.depth
            && self.number.goes_on_with(&next.number)
            && between.iter().all(Line::is_blank)
    }

    fn section(self, lines: &[Line<'_>]) -> Section {
        let own = lines[self.lines.clone()].iter();
        let words: Vec<&str> = own.flat_map(|line| line.text.split_whitespace()).collect();
        Section {
            depth: self.number.depth,
            title: words.join(" "),
            lines: self.lines,
        }
    }
}

/// Returns whether the text behind a number is a title: one or two lines that are no sentences, unless they ask.
fn is_title(begin: &str, lines: &[Line<'_>]) -> bool {
    let is_short =
        |line: &Line<'_>| line.text.trim_start().chars().take(LONGEST + 1).count() <= LONGEST;
    if lines.len() > 2 || !lines.iter().all(is_short) {
        return false;
    }
    let below = lines.get(1).map_or("", |line| line.text.trim());
    let title = format!("{} {below}", begin.trim());
    let title = title.trim_end();
    let is_question = is_question(title);
    let has_stop = title.ends_with(['.', '。']);
    let most = if is_question {
        MOST_OF_QUESTION
    } else if has_stop {
        MOST_WITH_STOP
    } else {
        MOST_WORDS
    };
    begins_as_title(title)
        && title.split_whitespace().count() <= most
        && (below.is_empty() || goes_on(below) && !has_stop)
        && (is_question || !has_sentences(title))
        && (is_question || !title.ends_with([',', ';', ':', '，', '；', '：', '\\']))
        && !title.contains(['|', '{', '}', '<', '>', '$'])
        && !title.contains("...")
}

/// Returns a title without a number that it begins with, such as that of a status: `404 Not Found`.
fn without_code(title: &str) -> &str {
    let title = title.trim_start();
    let name = title.trim_start_matches(|of: char| of.is_ascii_digit());
    let digits = title.len() - name.len();
    if (1..=LONGEST_CODE).contains(&digits) && name.starts_with(' ') {
        name.trim_start()
    } else {
        title
    }
}

/// Returns whether a text asks. The question mark of Greek is mostly written as a semicolon.
fn is_question(text: &str) -> bool {
    let is_greek = |letter: char| matches!(letter, '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}');
    let before_semicolon = text.strip_suffix(';');
    text.ends_with(['?', '？', '؟', '፧', '\u{37E}'])
        || before_semicolon.is_some_and(|words| words.ends_with(is_greek))
}

/// Returns whether a text begins with a letter that is no small one, and has another letter or digit.
fn begins_as_title(text: &str) -> bool {
    let text = text.trim_start_matches(['"', '“', '‘', '„', '«', '\'', '`', '(', '¿', '¡']);
    let begins = text.starts_with(|first: char| first.is_alphabetic() && !first.is_lowercase());
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    begins && letters.take(2).count() == 2
}

/// Returns whether the second line of a title is part of it: no rule, and no other numbered line.
fn goes_on(below: &str) -> bool {
    let first = below.split_whitespace().next();
    below.contains(char::is_alphanumeric) && first.and_then(Number::read).is_none()
}

/// Returns whether a sentence ends within a text.
fn has_sentences(text: &str) -> bool {
    let mut stops = text.match_indices(". ");
    stops.any(|(at, stop)| {
        let before = text[..at].chars().next_back();
        let after = text[at + stop.len()..].chars().next();
        let is_end = |last: char| last.is_lowercase() || last.is_ascii_digit() || last == ')';
        before.is_some_and(is_end) && after.is_some_and(char::is_uppercase)
    })
}

/// Paragraphs with numbers that rise.
#[derive(Default)]
struct Row {
    paragraphs: Vec<Paragraph>,
    /// The columns of the last number of each depth.
    columns: [Option<(usize, usize)>; MAX_DEPTH],
}

impl Row {
    /// Returns whether a paragraph has the next number, at the left or right end of the other numbers of its depth.
    fn goes_on_with(&self, next: &Paragraph) -> bool {
        let (left, right) = next.columns;
        let columns = self.columns[next.number.depth - 1];
        let last = self.paragraphs.last();
        columns.is_none_or(|(start, end)| start == left || end == right)
            && last.is_some_and(|last| last.number.goes_on_with(&next.number))
    }

    fn push(&mut self, paragraph: Paragraph) {
        self.columns[paragraph.number.depth - 1] = Some(paragraph.columns);
        self.paragraphs.push(paragraph);
    }

    /// Returns the sections that the row has. Those of a depth are its titles, if it has little else.
    fn sections(mut self, lines: &[Line<'_>]) -> Vec<Section> {
        let (mut all, mut titles) = ([0_usize; MAX_DEPTH], [0_usize; MAX_DEPTH]);
        for paragraph in &self.paragraphs {
            let depth = paragraph.number.depth - 1;
            all[depth] += 1;
            titles[depth] += usize::from(paragraph.has_title);
        }
        self.paragraphs.retain(|paragraph| {
            let depth = paragraph.number.depth - 1;
            paragraph.has_title && titles[depth] * 4 >= all[depth] * 3
        });
        if !are_sections(&self.paragraphs, lines) {
            return Vec::new();
        }
        let paragraphs = self.paragraphs.into_iter();
        paragraphs
            .map(|paragraph| paragraph.section(lines))
            .collect()
    }
}

/// Returns whether titles are those of sections: text of several lines stands between them, and they stand in most of
/// the file, or some are parts of others.
fn are_sections(titles: &[Paragraph], lines: &[Line<'_>]) -> bool {
    let (Some(first), Some(last)) = (titles.first(), titles.last()) else {
        return false;
    };
    let has_parts = titles.iter().any(|title| title.number.depth > 1);
    let is_in_most = (last.lines.start - first.lines.start) * 2 >= lines.len();
    let (mut texts, mut empty, mut filled) = (0, 0, 0);
    for pair in titles.windows(2) {
        // What has parts needs no text of its own.
        if pair[1].number.depth <= pair[0].number.depth {
            let between = lines[pair[0].lines.end..pair[1].lines.start].iter();
            let count = between.filter(|line| !line.is_blank()).count();
            texts += 1;
            empty += usize::from(count == 0);
            filled += count;
        }
    }
    titles.len() >= MIN_SECTIONS
        && (has_parts || is_in_most)
        && texts > 0
        && empty * SECTIONS_PER_EMPTY <= texts
        && filled >= texts * MIN_LINES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::lines;

    fn check(text: &str, expected: &[(usize, &str)]) {
        let sections = sections(&lines(text));
        let found: Vec<_> = sections
            .iter()
            .map(|section| (section.depth, section.title.as_str()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn numbers_that_rise_through_a_text_make_sections() {
        let body = "    Some words stand here,\n    and more in this line.\n\n    They end in the last.\n\n";
        let text = |titles: &[&str]| -> String {
            let sections = titles.iter().map(|title| format!("{title}\n\n{body}"));
            sections.collect()
        };
        let licence = [
            "0. TERMS",
            "1. The Source Code.",
            "2. Grants of U.S. Law.",
            "3. ENDING",
        ];
        let expected = licence.map(|title| (1, title));
        check(&text(&licence), &expected);
        let indented = licence.map(|title| format!("  {title}"));
        check(&text(&indented.each_ref().map(String::as_str)), &expected);
        // Titles of two lines, one that begins with a small letter, and numbers that are too high.
        check(
            &text(&[
                " 8. Its number is too high. A text begins with a low one.",
                " 1. Is it free?",
                " 2. compress() fails.",
                " 3. Where do I find the newest version,\n    and who may tell me more?",
                " 4. I found an error.",
                "10. What is too far?",
                " 5. Can it read \"packed\" files?",
                " 6. May I sell it?",
            ]),
            &[
                (1, "1. Is it free?"),
                (
                    1,
                    "3. Where do I find the newest version, and who may tell me more?",
                ),
                (1, "4. I found an error."),
                (1, "5. Can it read \"packed\" files?"),
                (1, "6. May I sell it?"),
            ],
        );
        check(
            &text(&[
                "1.0\tGeneral Questions",
                "1.1\tWhat does it do?",
                "1.1.1\tWhy does it need so much memory when I open\n\ta file?",
                "1.2\tIs it fast?",
                "2.0\tErrors",
                "2.1\tWhy does it stop?",
            ]),
            &[
                (1, "1.0 General Questions"),
                (2, "1.1 What does it do?"),
                (
                    3,
                    "1.1.1 Why does it need so much memory when I open a file?",
                ),
                (2, "1.2 Is it fast?"),
                (1, "2.0 Errors"),
                (2, "2.1 Why does it stop?"),
            ],
        );
        check(
            &text(&[
                "1.  Status Codes",
                "1.1.  Successful 2xx",
                "1.1.1.  200 OK",
                "1.1.2.  201 Created",
                "1.1.3.  206 (Unused)",
                "1.1.4.  300 g of it",
                "1.2.  Client Error 4xx",
            ]),
            &[
                (1, "1. Status Codes"),
                (2, "1.1. Successful 2xx"),
                (3, "1.1.1. 200 OK"),
                (3, "1.1.2. 201 Created"),
                (3, "1.1.3. 206 (Unused)"),
                (2, "1.2. Client Error 4xx"),
            ],
        );
        // A list of contents before the sections, and a list of steps in one.
        let contents: String = licence.map(|title| format!("{title}\n\n")).concat();
        let steps = "1. Open the file.\n\n2. Close it.\n\n3. Wait.\n\n";
        let whole = text(&licence).replacen(body, &format!("{body}{steps}"), 1);
        check(&format!("{contents}{whole}"), &expected);
    }

    #[test]
    fn questions_of_any_language_are_titles() {
        let titles = [
            "1. ¿Qué es?",
            "2. ¡Cuidado!",
            "3. ما هذا؟",
            "4. ይህ ምንድን ነው፧",
            "5. Τι είναι αυτό;",
            "6. Πού είναι\u{37E}",
            "7. 是否免费？",
        ];
        let body = "Some words stand here,\nand more in this line,\nand in the last.\n\n";
        let text = titles.map(|title| format!("{title}\n\n{body}")).concat();
        check(&text, &titles.map(|title| (1, title)));
    }

    #[test]
    fn numbered_clauses_and_steps_are_no_sections() {
        let text = "Some words stand here,\nand more in this line,\nand in the last.\n\n";
        let clauses = "1. You may copy it,\nand give it to others,\nas you like.\n\n2. No more.\n\n"
            .to_owned()
            + "3. You may not sell it,\nnor parts of it,\nunless you ask.\n\n4. Ask us.\n\n";
        let with_text = |titles: &[&str], between: &str| -> String {
            let parts = titles.iter().map(|title| format!("{title}\n\n{between}"));
            parts.collect()
        };
        let steps = ["1. Open the file", "2. Change it", "3. Close it"];
        for other in [
            clauses.clone() + &clauses.replace("4.", "8.").replace("1.", "5."),
            with_text(&steps, "So.\n\n"),
            with_text(&steps, text) + &text.repeat(9),
            with_text(&steps[..2], text),
            with_text(
                &["1. First the following:", "2. Then, also,", "3. Both;"],
                text,
            ),
            with_text(&["7. Seven", "3. Three", "9. Nine"], text),
            with_text(
                &[
                    "1. Tea. It is hot.",
                    "2. Milk. It is cold.",
                    "3. Oil. It burns.",
                ],
                text,
            ),
        ] {
            check(&other, &[]);
        }
    }
}
