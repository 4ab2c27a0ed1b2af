//! The words of texts that are to say the same.

use std::collections::HashSet;

/// How many words a text lacks at least for another to say more. A number is enough.
const MANY: usize = 5;

/// How many digits the number of an item of a list has at most: a year begins a sentence.
const MAX_ITEM_DIGITS: usize = 3;

/// Returns the words and numbers of a text, in lower case, but those of addresses.
pub(super) fn words(text: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    let is_address = |piece: &&str| piece.contains("://") || piece.contains("mailto:");
    for piece in text.split_whitespace().filter(|piece| !is_address(piece)) {
        add(&mut words, piece);
    }
    words.remove("");
    words
}

/// Adds the words of a piece of text without white space.
fn add(words: &mut HashSet<String>, piece: &str) {
    let mut word = String::new();
    let mut letters = piece
        .chars()
        .filter(|letter| !is_unseen(*letter))
        .peekable();
    while let Some(letter) = letters.next() {
        let is_within_number = || matches!(letter, '.' | ',') && word.ends_with(char::is_numeric);
        if letter.is_alphanumeric() && !is_word(letter) {
            word.extend(letter.to_lowercase());
        } else if is_within_number() && letters.peek().is_some_and(|next| next.is_numeric()) {
            word.push(letter);
        } else {
            words.insert(std::mem::take(&mut word));
            let is_word = letter.is_alphanumeric() && is_word(letter);
            words.extend(is_word.then(|| letter.to_string()));
        }
    }
    words.insert(word);
}

/// Returns Markdown without the numbers of lists, what pictures are called, and the addresses that links lead to.
pub(super) fn visible(markdown: &str) -> String {
    let mut seen = String::with_capacity(markdown.len());
    for line in markdown.lines() {
        let mut rest = behind_number(line);
        while let Some(at) = rest.find("](") {
            let before = &rest[..at];
            seen.push_str(before_picture(before).unwrap_or(before));
            seen.push(' ');
            rest = &rest[at..];
            rest = rest.find(')').map_or("", |end| &rest[end + 1..]);
        }
        seen.push_str(rest);
        seen.push('\n');
    }
    seen
}

/// Returns what stands behind the number of an item of a list.
fn behind_number(line: &str) -> &str {
    let behind_digits = line
        .trim_start()
        .trim_start_matches(|sign: char| sign.is_ascii_digit());
    let digits = line.trim_start().len() - behind_digits.len();
    let behind_number = behind_digits.strip_prefix(". ");
    behind_number
        .filter(|_| (1..=MAX_ITEM_DIGITS).contains(&digits))
        .unwrap_or(line)
}

/// Returns what stands before a picture whose name ends with the text.
fn before_picture(text: &str) -> Option<&str> {
    let (before, name) = text.rsplit_once("![")?;
    (!name.contains(']')).then_some(before)
}

/// Which of two texts that are to say the same are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Choice {
    Plain,
    Rich,
    Both,
}

/// Chooses between a plain text, which may be no more than a hint, and the HTML, by the words that only one of them has.
pub(super) fn choice(is_hint: bool, only_plain: &[&String], only_rich: &[&String]) -> Choice {
    if has_number(only_plain) && has_number(only_rich) {
        Choice::Both
    } else if is_hint {
        Choice::Rich
    } else if !are_missed(only_rich) || are_missed(only_plain) && only_plain.len() > only_rich.len()
    {
        Choice::Plain
    } else {
        Choice::Rich
    }
}

/// Returns whether one text says more than another that lacks these words of it.
fn are_missed(lacking: &[&String]) -> bool {
    lacking.len() >= MANY || has_number(lacking)
}

fn has_number(words: &[&String]) -> bool {
    words.iter().any(|word| word.contains(char::is_numeric))
}

/// Returns whether a letter is a word, as in scripts that are written without spaces.
fn is_word(letter: char) -> bool {
    let is_of_script = matches!(
        letter,
        '\u{e00}'..='\u{eff}' // Thai and Lao.
            | '\u{1000}'..='\u{109f}' // Burmese.
            | '\u{1780}'..='\u{17ff}' // Khmer.
            | '\u{2e80}'..='\u{312f}' // Chinese, Japanese and Yi, from here on.
            | '\u{31a0}'..='\u{a4cf}'
            | '\u{f900}'..='\u{faff}'
            | '\u{ff66}'..='\u{ff9f}'
            | '\u{1b000}'..='\u{1b16f}'
            | '\u{20000}'..='\u{3ffff}'
    );
    is_of_script && !letter.is_numeric()
}

/// Returns whether a character only tells where lines may end, or nothing at all.
const fn is_unseen(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{34f}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut found: Vec<String> = words(text).into_iter().collect();
        found.sort();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn numbers_are_words() {
        check(
            "Total: 57.15, of 1,250.00.",
            &["1,250.00", "57.15", "of", "total"],
        );
        check("Ver\u{ad}sand, v2", &["v2", "versand"]);
        check("漢字 A", &["a", "字", "漢"]);
        check("한국어 텍스트", &["텍스트", "한국어"]);
        check("ราคา ๕๗.๑๕", &["ค", "ร", "า", "๕๗.๑๕"]);
        check("計１２円 ٥٧٫", &["٥٧", "円", "計", "１２"]);
        check("At <https://a.b/c?d=12>", &["at"]);
        check("", &[]);
    }

    #[test]
    fn a_text_that_lacks_a_number_or_many_words_is_not_read_alone() {
        let check = |only_plain: &str, only_rich: &str, expected: Choice| {
            let of = |text: &str| -> Vec<String> { text.split(' ').map(String::from).collect() };
            let (plain, rich) = (of(only_plain), of(only_rich));
            let plain: Vec<&String> = plain.iter().collect();
            let rich: Vec<&String> = rich.iter().collect();
            assert_eq!(
                choice(false, &plain, &rich),
                expected,
                "{only_plain} / {only_rich}"
            );
        };
        check("a b", "c d e", Choice::Plain);
        check("a b", "c d e f g", Choice::Rich);
        check("a b", "57", Choice::Rich);
        check("a b", "๕๗", Choice::Rich);
        check("a b c d e f", "57", Choice::Plain);
        check("a b c d e f", "a b c d e f g", Choice::Rich);
        check("12", "57", Choice::Both);
    }

    #[test]
    fn what_nobody_sees_of_markdown_is_no_word() {
        let markdown = "1. See [the offer](https://a.b/c?d=12)\\\n![logo 4711](x.png) now";
        check(&visible(markdown), &["now", "offer", "see", "the"]);
        check(&visible("12.5 [a](b"), &["12.5", "a"]);
        check(
            &visible("Wow![sic] [12 seats](x)"),
            &["12", "seats", "sic", "wow"],
        );
        check(&visible("![a [b] 12](x) c"), &["12", "a", "b", "c"]);
        check(
            &visible("In May\n2026. 12. A\n123. B\n. C"),
            &["12", "2026", "a", "b", "c", "in", "may"],
        );
    }
}
