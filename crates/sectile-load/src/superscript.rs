//! Raised and lowered characters as plain text: `10` and a raised `-6` are `10⁻⁶`, not `10-6`.

/// Returns a text in superscript characters; nothing when one of its characters has none.
///
/// Commas, full stops and spaces behind raised characters stay: a raised `1, 2` is `¹, ²`.
pub(crate) fn superscript(text: &str) -> Option<String> {
    moved(text.trim(), raised)
}

/// Returns a text in the characters that another way to write it has, as far as they are not separators.
fn moved(text: &str, of: fn(char) -> Option<char>) -> Option<String> {
    let begins_moved = text.chars().next().and_then(of).is_some();
    let letter = |letter| of(letter).or_else(|| is_separator(letter).then_some(letter));
    begins_moved
        .then(|| text.chars().map(letter).collect())
        .flatten()
}

/// Returns the raised pieces of a text as they are written together: in superscript characters where each of their
/// characters has one.
pub(crate) fn superscripts(pieces: &[&str]) -> Option<Vec<String>> {
    superscript(&pieces.concat())?;
    Some(each(pieces, raised))
}

/// Returns the lowered pieces of a text as [`subscript`] writes them together.
pub(crate) fn subscripts(
    before: Option<char>,
    pieces: &[&str],
    after: Option<char>,
) -> Option<Vec<String>> {
    subscript(before, &pieces.concat(), after)?;
    Some(each(pieces, lowered))
}

/// Returns each piece in the characters that another way to write it has.
fn each(pieces: &[&str], of: fn(char) -> Option<char>) -> Vec<String> {
    let letter = |letter| of(letter).unwrap_or(letter);
    let piece = |piece: &&str| piece.chars().map(letter).collect();
    pieces.iter().map(piece).collect()
}

/// Returns a raised text as it is written behind another. Where it has no superscript characters and would be a part of
/// the number before it, a mark is between them: `10` and a raised `2x` are `10^2x`.
pub(crate) fn raised_after(before: Option<char>, words: &str) -> String {
    match superscript(words) {
        Some(raised) => raised,
        None if joins(before, words) => format!("^{words}"),
        None => words.to_owned(),
    }
}

/// Returns a lowered text in subscript characters where it would be a part of the number before or behind it, and each
/// of its characters has one: `log` with a lowered 2 before an 8 is not `log28`.
pub(crate) fn subscript(before: Option<char>, words: &str, after: Option<char>) -> Option<String> {
    let joins_after = words.ends_with(is_digit) && after.is_some_and(is_digit);
    (joins_after || joins(before, words))
        .then(|| moved(words, lowered))
        .flatten()
}

/// Returns whether a text would go on with the number that ends before it.
pub(crate) fn joins(before: Option<char>, words: &str) -> bool {
    let bare = words.trim_start_matches(['+', '-', '\u{2212}', '\u{2013}']);
    before.is_some_and(is_digit) && bare.starts_with(is_digit)
}

const fn is_digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// Raises the end of a text, from `start` on, where all its characters can be; the spaces around
/// them stay.
pub(crate) fn raise(text: &mut String, start: usize) {
    let words = text.get(start..).unwrap_or_default();
    let begin = text.len() - words.trim_start().len();
    if let Some(raised) = superscript(words) {
        let end = begin + words.trim().len();
        text.replace_range(begin..end, &raised);
    } else if joins(text[..begin].chars().next_back(), words.trim_start()) {
        text.insert(begin, '^');
    }
}

/// Where a run of text stands beside the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Rise {
    #[default]
    None,
    Raised,
    Lowered,
}

impl Rise {
    /// Returns that of a height above the line.
    pub(crate) fn of_height(height: f64) -> Self {
        if height > 0.0 {
            Self::Raised
        } else if height < 0.0 {
            Self::Lowered
        } else {
            Self::None
        }
    }
}

impl From<bool> for Rise {
    fn from(is_raised: bool) -> Self {
        if is_raised { Self::Raised } else { Self::None }
    }
}

/// Where the raised or lowered end of a text begins, while runs are added to it. Runs that stand together are
/// written together, so that `2` and the runs `n` and `d` stay as they are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PendingRise {
    open: Option<(usize, Rise)>,
    /// What is lowered before the end: what is written depends on what follows it.
    lowered: Option<(usize, usize)>,
}

impl PendingRise {
    /// Adds a run to a text.
    pub(crate) fn push(&mut self, text: &mut String, run: &str, rise: impl Into<Rise>) {
        let rise = rise.into();
        if self.open.is_none_or(|(_, open)| open != rise) {
            self.end(text);
            self.open = (rise != Rise::None).then_some((text.len(), rise));
        }
        text.push_str(run);
    }

    /// Writes the end of a text, where it is raised or lowered.
    pub(crate) fn finish(&mut self, text: &mut String) {
        self.end(text);
        lower(text, self.lowered.take());
    }

    fn end(&mut self, text: &mut String) {
        let lowered = self.lowered.take();
        match self.open.take() {
            Some((start, Rise::Raised)) => raise(text, start),
            Some((start, Rise::Lowered)) => self.lowered = Some((start, text.len())),
            _ => {}
        }
        lower(text, lowered);
    }
}

/// Lowers a part of a text, where it stands beside digits.
fn lower(text: &mut String, part: Option<(usize, usize)>) {
    let Some((start, end)) = part else { return };
    let (Some(before), Some(words), Some(after)) =
        (text.get(..start), text.get(start..end), text.get(end..))
    else {
        return;
    };
    if let Some(lowered) = subscript(before.chars().next_back(), words, after.chars().next()) {
        text.replace_range(start..end, &lowered);
    }
}

/// Returns whether a character stands between raised ones as it is.
const fn is_separator(letter: char) -> bool {
    matches!(letter, ',' | '.' | ' ')
}

/// Returns the superscript of a character. The dashes are those that people write as a minus.
const fn raised(letter: char) -> Option<char> {
    Some(match letter {
        '0' => '\u{2070}',
        '1' => '\u{B9}',
        '2' => '\u{B2}',
        '3' => '\u{B3}',
        '4' => '\u{2074}',
        '5' => '\u{2075}',
        '6' => '\u{2076}',
        '7' => '\u{2077}',
        '8' => '\u{2078}',
        '9' => '\u{2079}',
        '+' => '\u{207A}',
        '-' | '\u{2212}' | '\u{2013}' => '\u{207B}',
        '=' => '\u{207C}',
        '(' => '\u{207D}',
        ')' => '\u{207E}',
        'i' => '\u{2071}',
        'n' => '\u{207F}',
        _ => return None,
    })
}

/// Returns the subscript of a character.
const fn lowered(letter: char) -> Option<char> {
    Some(match letter {
        '0' => '\u{2080}',
        '1' => '\u{2081}',
        '2' => '\u{2082}',
        '3' => '\u{2083}',
        '4' => '\u{2084}',
        '5' => '\u{2085}',
        '6' => '\u{2086}',
        '7' => '\u{2087}',
        '8' => '\u{2088}',
        '9' => '\u{2089}',
        '+' => '\u{208A}',
        '-' | '\u{2212}' | '\u{2013}' => '\u{208B}',
        '=' => '\u{208C}',
        '(' => '\u{208D}',
        ')' => '\u{208E}',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{PendingRise, Rise, raise, superscript};

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(superscript(text).as_deref(), expected, "{text}");
    }

    #[test]
    fn digits_and_signs_are_raised() {
        check("1", Some("¹"));
        check("-6", Some("⁻⁶"));
        check("\u{2212}6", Some("⁻⁶"));
        check("0123456789", Some("⁰¹²³⁴⁵⁶⁷⁸⁹"));
        check("(n+1)", Some("⁽ⁿ⁺¹⁾"));
        check("2i=", Some("²ⁱ⁼"));
        check(" 2\n", Some("²"));
    }

    #[test]
    fn the_end_of_a_text_is_raised_between_its_spaces() {
        let check = |text: &str, start, expected: &str| {
            let mut text = text.to_owned();
            raise(&mut text, start);
            assert_eq!(text, expected);
        };
        check("10 6 ", 2, "10 ⁶ ");
        check("1st", 1, "1st");
        check("1", 5, "1");
    }

    #[test]
    fn raised_text_without_superscript_characters_is_no_part_of_the_number_before() {
        let check = |text: &str, start, expected: &str| {
            let mut text = text.to_owned();
            raise(&mut text, start);
            assert_eq!(text, expected);
        };
        check("102a", 2, "10^2a");
        check("10-2x", 2, "10^-2x");
        check("10 2a", 2, "10 2a");
        check("m2a", 1, "m2a");
    }

    #[test]
    fn runs_that_stand_together_are_raised_together() {
        let (mut text, mut end) = (String::new(), PendingRise::default());
        for (run, is_raised) in [
            ("2", false),
            ("n", true),
            ("d", true),
            (" 10", false),
            ("-", true),
            ("6", true),
        ] {
            end.push(&mut text, run, is_raised);
        }
        end.finish(&mut text);
        assert_eq!(text, "2nd 10⁻⁶");
    }

    #[test]
    fn lowered_runs_do_not_join_the_numbers_beside_them() {
        let (mut text, mut end) = (String::new(), PendingRise::default());
        for (run, rise) in [
            ("log", Rise::None),
            ("2", Rise::Lowered),
            ("8, 10", Rise::None),
            ("2", Rise::Lowered),
            ("3", Rise::Raised),
            (" H", Rise::None),
            ("2", Rise::Lowered),
            ("O x", Rise::None),
            ("1", Rise::Lowered),
            ("2", Rise::Raised),
            (" 101", Rise::None),
            ("2", Rise::Lowered),
        ] {
            end.push(&mut text, run, rise);
        }
        end.finish(&mut text);
        assert_eq!(text, "log₂8, 10₂³ H2O x1² 101₂");
    }

    #[test]
    fn separators_between_raised_characters_stay() {
        check("1,2", Some("¹,²"));
        check("1, 2", Some("¹, ²"));
        check("1.5", Some("¹.⁵"));
        check("1,", Some("¹,"));
        check(".", None);
    }

    #[test]
    fn text_with_other_letters_is_not_raised() {
        check("st", None);
        check("[3]", None);
        check("2a", None);
        check("", None);
        check(" ", None);
    }
}
