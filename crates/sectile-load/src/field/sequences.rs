//! The numbers of captions, which the fields `SEQ` count, and of the headings that `STYLEREF` repeats.

use std::collections::HashMap;

use crate::numerals::Numerals;

/// How many levels of headings Word has.
const LEVELS: usize = 9;

/// What stands around the names of styles.
const QUOTES: [char; 3] = ['"', '“', '”'];

/// The signs that a heading may have beside letters and digits to be shown elsewhere as it stands: others are markup.
const PLAIN_SIGNS: &str = " ,.:;-–()&/'’";

/// How many bytes a heading has at most that is shown elsewhere: any number of fields may repeat it.
const LONGEST: usize = 1_000;

/// The numbers that the fields `SEQ` count, by the names of their sequences, and the headings on the way.
#[derive(Debug, Default)]
pub(crate) struct Sequences {
    numbers: HashMap<String, Sequence>,
    /// How many headings there were of each level and of those above it.
    headings: [u32; LEVELS],
    /// The headings around the text, by their levels.
    around: [Option<Heading>; LEVELS],
}

#[derive(Debug, Default)]
struct Sequence {
    number: u32,
    /// How many headings there were that restart it.
    headings: u32,
}

#[derive(Debug)]
struct Heading {
    label: String,
    text: String,
}

impl Sequences {
    /// Takes note of a heading with the number before it. Sequences may restart at it.
    pub(crate) fn begin_heading(&mut self, level: u8, label: &str, text: &str) {
        let index = usize::from(level).saturating_sub(1);
        for count in self.headings.iter_mut().skip(index) {
            *count = count.saturating_add(1);
        }
        for inner in self.around.iter_mut().skip(index) {
            *inner = None;
        }
        if let Some(own) = self.around.get_mut(index) {
            *own = Some(Heading {
                label: label.trim().to_owned(),
                text: text.to_owned(),
            });
        }
    }

    /// Counts a field, and returns the number that it shows, or what it repeats of a heading; nothing where that is not
    /// known, and for other fields.
    pub(crate) fn count(&mut self, instruction: &str) -> Option<String> {
        let (name, rest) = instruction.trim().split_once(char::is_whitespace)?;
        match name.to_ascii_uppercase().as_str() {
            "SEQ" => self.next_number(rest),
            "STYLEREF" => self.heading(rest.trim_start()),
            _ => None,
        }
    }

    fn next_number(&mut self, rest: &str) -> Option<String> {
        let mut words = rest.split_whitespace();
        let name = words.next()?.to_lowercase();
        let switches: Vec<&str> = words.collect();
        // The number is that of the caption with this bookmark.
        if switches.first().is_some_and(|word| !word.starts_with('\\')) {
            return None;
        }
        let has = |letter: char| switches.iter().any(|switch| is_switch(switch, letter));
        let level = value(&switches, 's').and_then(|level| usize::try_from(level).ok());
        let headings = level.and_then(|level| self.headings.get(level.checked_sub(1)?).copied());
        let sequence = self.numbers.entry(name).or_default();
        let repeats = has('c');
        if let Some(headings) = headings.filter(|headings| *headings != sequence.headings)
            && !repeats
        {
            *sequence = Sequence {
                number: 0,
                headings,
            };
        }
        if let Some(first) = value(&switches, 'r') {
            sequence.number = first;
        } else if !repeats {
            sequence.number = sequence.number.saturating_add(1);
        }
        // A number with a format is shown all the same.
        let is_hidden = has('h') && !has('*');
        let shown = (!is_hidden).then(|| numerals(&switches).write(sequence.number));
        Some(shown.unwrap_or_default())
    }

    /// Returns the text or the number of a heading around the field: of `1 \s`, `"Heading 1" \n`.
    fn heading(&self, rest: &str) -> Option<String> {
        let (style, switches) = match rest.strip_prefix(QUOTES) {
            Some(quoted) => quoted.split_once(QUOTES)?,
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        let style = style.to_lowercase();
        let level: usize = style.trim_start_matches("heading").trim().parse().ok()?;
        let heading = self.around.get(level.checked_sub(1)?)?.as_ref()?;
        let is_of_number = |switch: &str| {
            let mut letters = ['n', 'r', 's', 'w'].into_iter();
            letters.any(|letter| is_switch(switch, letter))
        };
        if switches.split_whitespace().any(is_of_number) {
            let number = heading.label.split_whitespace().next_back()?;
            let number = number.trim_end_matches(['.', ')', ':']);
            return (!number.is_empty()).then(|| number.to_owned());
        }
        let is_plain = |letter: char| letter.is_alphanumeric() || PLAIN_SIGNS.contains(letter);
        let text = &heading.text;
        let is_shown = text.len() <= LONGEST && text.chars().all(is_plain);
        is_shown.then(|| text.clone())
    }
}

/// Returns whether a word is a switch with this letter, whatever its case.
fn is_switch(word: &str, letter: char) -> bool {
    let name = word.strip_prefix('\\').and_then(|word| word.chars().next());
    name.is_some_and(|name| name.eq_ignore_ascii_case(&letter))
}

/// Returns the number behind a switch: `\r 3` or `\r3`.
fn value(switches: &[&str], letter: char) -> Option<u32> {
    let mut words = switches.iter();
    let switch = words.find(|switch| is_switch(switch, letter))?;
    let number = &switch[1 + letter.len_utf8()..];
    if number.is_empty() {
        return words.next()?.parse().ok();
    }
    number.parse().ok()
}

/// Returns how a field writes its number.
fn numerals(switches: &[&str]) -> Numerals {
    let mut switches = switches.iter();
    let format =
        switches.find(|switch| matches!(**switch, "ROMAN" | "roman" | "ALPHABETIC" | "alphabetic"));
    match format {
        Some(&"ROMAN") => Numerals::UpperRoman,
        Some(&"roman") => Numerals::LowerRoman,
        Some(&"ALPHABETIC") => Numerals::UpperLetter,
        Some(_) => Numerals::LowerLetter,
        None => Numerals::Decimal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts fields and headings in a row: `1 One` and `2 Part` are headings with their levels.
    fn check(steps: &[(&str, Option<&str>)]) {
        let mut sequences = Sequences::default();
        for (step, expected) in steps {
            if let Some((level, text)) = step.split_once(' ')
                && let Ok(level) = level.parse()
            {
                sequences.begin_heading(level, &format!("Chapter {text}."), text);
            } else {
                let shown = sequences.count(step);
                assert_eq!(shown.as_deref(), *expected, "{step}");
            }
        }
    }

    #[test]
    fn a_sequence_restarts_at_a_heading_of_its_level_or_above() {
        check(&[
            ("SEQ Figure \\s 2", Some("1")),
            ("1 A", None),
            ("SEQ Figure \\* ARABIC \\s 2", Some("1")),
            ("SEQ Figure \\s 2", Some("2")),
            ("3 B", None),
            ("SEQ Figure \\s 2", Some("3")),
            ("2 C", None),
            ("SEQ Figure \\s 2 \\c", Some("3")),
            ("SEQ Figure \\s2", Some("1")),
            ("SEQ Table", Some("1")),
            ("1 D", None),
            ("SEQ Table", Some("2")),
            ("SEQ Figure \\s 2 \\r 7", Some("7")),
            ("SEQ Figure \\s 2", Some("8")),
            ("SEQ Figure \\s 12", Some("9")),
        ]);
    }

    #[test]
    fn a_hidden_number_counts_and_a_format_shows_it() {
        check(&[
            ("SEQ Step \\h", Some("")),
            ("SEQ Step \\H \\* ROMAN", Some("II")),
            ("SEQ Step \\R3", Some("3")),
            ("SEQ Step bookmark", None),
            ("SEQ Step", Some("4")),
            ("SEQ", None),
        ]);
    }

    #[test]
    fn long_headings_are_not_repeated() {
        let (long, longer) = ("a".repeat(LONGEST), "a".repeat(LONGEST + 1));
        let headings = [format!("1 {long}"), format!("1 {longer}")];
        check(&[
            (headings[0].as_str(), None),
            ("STYLEREF 1", Some(long.as_str())),
            (headings[1].as_str(), None),
            ("STYLEREF 1", None),
        ]);
    }

    #[test]
    fn a_reference_to_a_style_of_headings_repeats_the_one_around_it() {
        check(&[
            ("STYLEREF 1 \\s", None),
            ("1 II", None),
            ("2 Parts, and more", None),
            ("STYLEREF 1 \\s", Some("II")),
            ("STYLEREF \"Heading 1\" \\n", Some("II")),
            ("STYLEREF \"heading 2\"", Some("Parts, and more")),
            ("1 *Other*", None),
            ("STYLEREF 2", None),
            ("STYLEREF 1", None),
            ("STYLEREF \"Author\"", None),
            ("STYLEREF 0", None),
            ("REF 1", None),
        ]);
    }
}
