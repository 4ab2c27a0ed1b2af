//! Finding words in text.

mod link;
mod marks;
mod opening;
mod timestamp;
mod unspaced;

use sectile_core::Span;

use opening::Opening;
pub(super) use unspaced::{folded as folded_character, is_han, is_kana, is_unspaced};

/// A word of a text, with the dashes and signs that belong to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'a> {
    pub(super) span: Span,
    pub(super) kind: WordKind<'a>,
}

/// How a word becomes terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordKind<'a> {
    /// By the rules for words: letters and digits, and what joins them.
    Word,
    /// As it stands: a pair of characters of a script without spaces, or a pictograph.
    Exact,
    /// As it stands, at the position of the word before: one character of a longer run, for
    /// questions of one character, or a part of how the characters before it are read.
    Character,
    /// A word that has marks in it, as documents write it, read without them; or two characters between which it is said how
    /// the first is read.
    Unmarked {
        plain: &'a str,
        /// Whether it is at the position of the word before, with which it begins.
        is_beside: bool,
    },
    /// By the rules for words, at the position of the word before: what marks part in the last such word.
    Piece,
}

/// What a character is to the scanner.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    /// A raised digit: a power or the mark of a footnote.
    Raised,
    /// A fraction in one character, a word of its own.
    Fraction,
    /// The sign of an ordinal, which is also typed for that of degrees.
    Ordinal,
    Underscore,
    /// Part of a word when it stands between letters, and some at its beginning.
    Joint,
    /// Of a script that is written without spaces, or in syllables.
    Unspaced,
    Pictograph,
    Other,
}

impl Class {
    /// Returns whether a character may be one of a word beside others.
    fn is_letter(self) -> bool {
        matches!(self, Self::Letter | Self::Raised | Self::Ordinal)
    }
}

/// The classes of ASCII.
const ASCII: [Class; 128] = {
    let mut classes = [Class::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Class::Letter,
            b'_' => Class::Underscore,
            b'.' | b'\'' | b'-' | b'/' | b'&' | b'@' => Class::Joint,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Returns the class of the character at `at`, and where the next one begins.
#[inline]
fn class_at(text: &str, at: usize) -> Option<(Class, usize)> {
    let byte = *text.as_bytes().get(at)?;
    if byte.is_ascii() {
        return Some((ASCII[byte as usize], at + 1));
    }
    beyond_ascii(text, at)
}

#[inline(never)]
fn beyond_ascii(text: &str, at: usize) -> Option<(Class, usize)> {
    let character = text[at..].chars().next()?;
    Some((class(character), at + character.len_utf8()))
}

/// Returns where the characters of ASCII end that stand between words.
fn end_of_other(text: &str, at: usize) -> usize {
    let is_other = |byte: &&u8| byte.is_ascii() && ASCII[**byte as usize] == Class::Other;
    let bytes = text.as_bytes()[at..].iter();
    at + bytes.take_while(is_other).count()
}

fn class(character: char) -> Class {
    match character {
        _ if is_joint(character) => Class::Joint,
        // Variation selectors say how the character before them looks.
        '\u{fe00}'..='\u{fe0f}' => Class::Other,
        _ if is_unspaced(character) => Class::Unspaced,
        '\u{1f000}'..='\u{1faff}'
        | '\u{2600}'..='\u{27bf}'
        | '\u{2300}'..='\u{2328}'
        | '\u{232b}'..='\u{23ff}' => Class::Pictograph,
        '\u{ba}' => Class::Ordinal,
        _ if is_raised(character) => Class::Raised,
        _ if is_fraction(character) => Class::Fraction,
        _ if is_letter(character) => Class::Letter,
        _ => Class::Other,
    }
}

/// Returns whether the character is a letter, a digit, or a mark that belongs to the letter before it.
pub(super) fn is_letter(character: char) -> bool {
    character.is_alphanumeric()
        || unicode_normalization::char::is_combining_mark(character)
        || is_unit_sign(character)
}

/// Returns whether the character is a unit in letters, such as that of `10㎏` and `180℃`.
fn is_unit_sign(character: char) -> bool {
    matches!(character, '\u{2103}' | '\u{2109}' | '\u{3371}'..='\u{337a}' | '\u{3380}'..='\u{33df}')
}

/// Returns whether a character beyond ASCII belongs to a word when letters stand on both sides: the
/// typographic apostrophe and what looks like one, the geresh and the gershayim of Hebrew, hyphens, the dot of Catalan,
/// and what is not seen (the soft hyphen, the joiners, and the space without a width).
fn is_joint(character: char) -> bool {
    matches!(
        character,
        '\u{2019}' | '\u{5f3}' | '\u{5f4}' | '\u{2010}' | '\u{2011}' | '\u{b7}'
    ) || looks_like_apostrophe(character)
        || matches!(
            character,
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'
        )
}

/// Returns whether a sign between letters is meant for an apostrophe: the opening quotation marks, the prime, the acute
/// accent, and the apostrophe in full width.
pub(super) fn looks_like_apostrophe(character: char) -> bool {
    matches!(
        character,
        '\u{2018}' | '\u{201b}' | '\u{2032}' | '\u{b4}' | '\u{ff07}'
    )
}

/// Returns whether a quotation mark at `at` stands before the last letter of a Hebrew abbreviation: `צה"ל`.
pub(super) fn is_gershayim(text: &str, at: usize) -> bool {
    // Most words end in another sign.
    if !matches!(text.as_bytes()[at], b'"' | 0xe2) {
        return false;
    }
    let is_hebrew = |letter: char| matches!(letter, '\u{5d0}'..='\u{5ea}');
    let Some(rest) = text[at..].strip_prefix(['"', '\u{201c}', '\u{201d}']) else {
        return false;
    };
    let mut after = rest.chars();
    let is_last = after.next().is_some_and(is_hebrew) && !after.next().is_some_and(is_hebrew);
    is_last && text[..at].ends_with(is_hebrew)
}

/// Returns whether a character is one of words, but for signs of ordinals and raised digits.
fn is_of_word(character: char) -> bool {
    class(character) == Class::Letter
}

fn is_letter_at(text: &str, at: usize) -> bool {
    class_at(text, at).is_some_and(|(class, _)| class.is_letter())
}

/// Returns whether the character before `at` is a digit.
fn is_after_digit(text: &str, at: usize) -> bool {
    text[..at].ends_with(|before: char| before.is_ascii_digit())
}

/// Returns whether a character is a fraction: `½`.
pub(super) fn is_fraction(character: char) -> bool {
    matches!(character, '\u{bc}'..='\u{be}' | '\u{2150}'..='\u{215e}' | '\u{2189}')
}

fn is_raised(character: char) -> bool {
    matches!(
        character,
        '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{2070}' | '\u{2074}'..='\u{2079}'
    )
}

/// Returns whether a word may be a unit or a variable, to which a raised digit belongs: `m²`, `x²`.
fn is_unit(word: &str) -> bool {
    word.chars().count() <= 2 && word.chars().all(char::is_alphabetic)
}

/// Reads raised digits as a word of their own, and returns where they end.
fn raised(text: &str, at: usize, found: &mut impl FnMut(&Word<'_>)) -> usize {
    let rest = text[at..].trim_start_matches(is_raised);
    let end = text.len() - rest.len();
    found(&Word::new(at, end, WordKind::Word));
    end
}

/// Calls `found` with each word of a question, in order.
pub(super) fn words(text: &str, found: impl FnMut(&Word<'_>)) {
    scan::<false>(text, found);
}

/// Calls `found` with each word of a document, in order: those with marks in them also without.
pub(super) fn words_of_document(text: &str, found: impl FnMut(&Word<'_>)) {
    scan::<true>(text, found);
}

fn scan<const IS_DOCUMENT: bool>(text: &str, mut found: impl FnMut(&Word<'_>)) {
    let (mut at, mut place) = (0, Place::default());
    while let Some((class, next)) = class_at(text, at) {
        at = match class {
            Class::Ordinal if is_after_digit(text, at) => next,
            Class::Letter => {
                place.word = at;
                timestamp::words(text, at, &mut found)
                    .unwrap_or_else(|| word(text, at, at, &mut found))
            }
            Class::Underscore => opening::behind_emphasis(text, at).unwrap_or_else(|| {
                place.word = at;
                word(text, at, at, &mut found)
            }),
            Class::Ordinal => {
                place.word = at;
                word(text, at, at, &mut found)
            }
            Class::Raised => raised(text, at, &mut found),
            Class::Fraction => {
                found(&Word::new(at, next, WordKind::Word));
                next
            }
            Class::Joint => match opening::read(text, at) {
                Some(Opening::Flag(letters)) => {
                    place.word = at;
                    word(text, at, letters, &mut found)
                }
                Some(Opening::DotNet(end)) => {
                    place.word = at;
                    found(&Word::new(at, end, WordKind::Word));
                    end
                }
                None if IS_DOCUMENT && matches!(text.as_bytes()[at], b'&' | b'-') => {
                    place.behind_mark(text, at, &mut found).unwrap_or(next)
                }
                None => next,
            },
            Class::Unspaced => unspaced::pairs::<IS_DOCUMENT>(text, at, &mut found),
            Class::Pictograph => {
                found(&Word::new(at, next, WordKind::Exact));
                next
            }
            Class::Other => {
                let end = end_of_other(text, next);
                // Most words have one blank between them.
                if end == next && text.as_bytes()[at] == b' ' {
                    end
                } else if let Some(end) = link::end_of_target(text, at, end) {
                    end
                } else if IS_DOCUMENT {
                    place.behind_signs(text, at, end, &mut found)
                } else {
                    end
                }
            }
        };
    }
}

/// Where the last word of a document begins, and how far it was read for marks.
#[derive(Default)]
struct Place {
    word: usize,
    read: usize,
}

impl Place {
    /// Reads the word that has a mark among the signs from `at` to `end`, and returns where to go on.
    fn behind_signs(
        &mut self,
        text: &str,
        at: usize,
        end: usize,
        found: &mut impl FnMut(&Word<'_>),
    ) -> usize {
        let signs = &text.as_bytes()[at..end];
        let is_mark = matches!(signs[0], b'*' | b'<' | b'`' | b'{' | b'}' | b'~');
        if is_mark
            && text[..at].ends_with(is_of_word)
            && let Some(end) = self.behind_mark(text, at, found)
        {
            return end;
        }
        let signs = signs.iter().enumerate();
        for (place, _) in signs.filter(|(_, sign)| **sign == b'\\') {
            let mark = at + place;
            let is_braced = text[at..mark].ends_with('{');
            let braced = is_braced.then(|| self.behind_mark(text, mark - 1, found));
            let behind = braced.flatten();
            if let Some(end) = behind.or_else(|| self.behind_mark(text, mark, found)) {
                return end;
            }
        }
        end
    }

    /// Reads the word that has a mark at `at`, and returns where to go on, unless what the marks part may be words.
    #[inline(never)]
    fn behind_mark(
        &mut self,
        text: &str,
        at: usize,
        found: &mut impl FnMut(&Word<'_>),
    ) -> Option<usize> {
        if at < self.read {
            return None;
        }
        let is_within = text[..at].ends_with(is_of_word);
        let start = if is_within { self.word } else { at };
        let marks::Marked {
            plain,
            span,
            is_apart,
        } = marks::read(text, start, at)?;
        self.read = span.end;
        let plain = plain.as_str();
        let is_beside = span.start < at;
        let kind = WordKind::Unmarked { plain, is_beside };
        found(&Word { span, kind });
        if is_apart {
            return None;
        }
        let first = span.start.max(at);
        let mut add = |piece: &Word<'_>| {
            let (span, kind) = (piece.span.shifted(first), piece.kind.beside());
            found(&Word { span, kind });
        };
        // A reference that is dynamic, as this is called within itself.
        let add: &mut dyn FnMut(&Word<'_>) = &mut add;
        words(&text[first..span.end], add);
        self.word = span.end;
        Some(span.end)
    }
}

impl WordKind<'_> {
    /// Returns what it is at the position of the word before.
    const fn beside(self) -> Self {
        match self {
            Self::Word => Self::Piece,
            Self::Exact => Self::Character,
            other => other,
        }
    }
}

impl<'a> Word<'a> {
    const fn new(start: usize, end: usize, kind: WordKind<'a>) -> Self {
        let span = Span::new(start, end);
        Self { span, kind }
    }
}

/// Reads the word that begins at `start`, with its letters from `letters` on, and returns where it
/// ends.
fn word(text: &str, start: usize, letters: usize, found: &mut impl FnMut(&Word<'_>)) -> usize {
    let mut end = letters;
    let mut has_letters = false;
    loop {
        let plain = &text.as_bytes()[end..];
        let plain = plain.iter().take_while(|byte| byte.is_ascii_alphanumeric());
        let plain = plain.count();
        has_letters |= plain > 0;
        end += plain;
        let Some((class, next)) = class_at(text, end) else {
            break;
        };
        match class {
            Class::Raised if !is_unit(&text[letters..end]) => break,
            Class::Ordinal if is_after_digit(text, end) => break,
            Class::Letter | Class::Raised | Class::Ordinal => has_letters = true,
            Class::Underscore => {}
            Class::Joint if joins(text, letters, end, next) => {}
            Class::Other if is_gershayim(text, end) => {}
            _ => break,
        }
        end = next;
    }
    if has_letters {
        end = with_signs(text, letters, end);
        found(&Word::new(start, end, WordKind::Word));
    }
    end
}

/// Units by units, each a letter: as one word they are another unit or a name. Sorted.
const RATES: &[&str] = &[
    "A/m", "B/s", "J/K", "J/s", "N/m", "V/m", "W/m", "b/s", "g/L", "g/h", "g/l", "g/m", "l/h",
    "l/s", "m/h", "m/s",
];

/// Returns whether a text is a unit by a unit, such as `m/s`, which is not `ms`.
pub(super) fn is_rate(text: &str) -> bool {
    RATES.binary_search(&text).is_ok()
}

/// Returns whether the joint at `at` joins what stands before it, from `start` on, with what follows.
///
/// So `foo.bar` is one word, and the full stop of a sentence is not part of one.
fn joins(text: &str, start: usize, at: usize, next: usize) -> bool {
    let (before, after) = (&text.as_bytes()[start..at], &text.as_bytes()[next..]);
    match text.as_bytes()[at] {
        // `HTTP/2`, `HTTP/1.1` and `I/O`, but no paths.
        b'/' => {
            let is_in_path = start > 0 && text.as_bytes()[start - 1] == b'/';
            if before.len() == 1 && after.first().is_some_and(u8::is_ascii_alphabetic) {
                let has_extension =
                    matches!(after, [_, b'.', sign, ..] if sign.is_ascii_alphanumeric());
                let goes_on =
                    has_extension || matches!(after.get(1), Some(b'/' | b'-' | b'_' | b'+' | b'#'));
                let is_letter = before[0].is_ascii_alphabetic() && !is_letter_at(text, next + 1);
                return is_letter && !goes_on && !is_in_path && !is_rate(&text[start..=next]);
            }
            let is_digit = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
            let count = after.iter().take_while(is_digit).count();
            let end = after.get(count).copied().unwrap_or(b' ');
            before.iter().all(u8::is_ascii_alphabetic)
                && !is_in_path
                && after.first().is_some_and(u8::is_ascii_digit)
                && count <= 4
                && !(end.is_ascii_alphanumeric() || matches!(end, b'/' | b'_' | b'-'))
        }
        // `R&D` and `AT&T`.
        b'&' => {
            let count = after
                .iter()
                .take_while(|byte| byte.is_ascii_uppercase())
                .count();
            let is_short = |count| matches!(count, 1 | 2);
            is_short(before.len())
                && before.iter().all(u8::is_ascii_uppercase)
                && is_short(count)
                && !is_letter_at(text, next + count)
        }
        // In addresses of e-mail words stand on both sides.
        b'@' => false,
        // `instal·lació`.
        _ if text[at..next].starts_with('\u{b7}') => {
            before.ends_with(b"l") && after.starts_with(b"l")
        }
        // Primes stand behind numbers, too: `5′30`.
        _ if text[at..next].starts_with(looks_like_apostrophe) => {
            let is_letter = |of: char| is_of_word(of) && !of.is_numeric();
            text[..at].ends_with(is_letter) && text[next..].starts_with(is_letter)
        }
        _ => is_letter_at(text, next),
    }
}

/// Adds the signs that belong to a name to its end: `C++`, `c++17`, `C#`, `A+`.
fn with_signs(text: &str, start: usize, end: usize) -> usize {
    let (name, rest) = (&text.as_bytes()[start..end], &text.as_bytes()[end..]);
    let is_letter = |at: usize| is_letter_at(text, at);
    match (name, rest) {
        ([.., last], [b'+', b'+', ..]) if last.is_ascii_alphanumeric() => {
            let digits = rest[2..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            let after = end + 2 + digits;
            let is_sign = rest.get(2) != Some(&b'+') && !is_letter(after) && digits <= 2;
            if is_sign { after } else { end }
        }
        ([letter], [b'#', ..]) if letter.is_ascii_alphabetic() && !is_letter(end + 1) => end + 1,
        ([letter], [b'+', ..]) if letter.is_ascii_uppercase() && !is_letter(end + 1) => end + 1,
        _ => end,
    }
}
