//! The parts of identifiers and of compound words.

use sectile_core::Span;

/// Calls `found` with each part of a word: between underscores, hyphens, spaces without a width, full stops that do
/// not stand between digits, and what parts letters of Arabic script without a space, and where the case changes from lower to upper
/// (`use|State`) or ends a run of capitals (`HTTP|Server`).
pub(super) fn parts(word: &str, mut found: impl FnMut(Span)) {
    let mut start = 0;
    let mut previous: Option<char> = None;
    let mut emit = |start, end| {
        if start < end {
            found(Span::new(start, end));
        }
    };
    for (at, character) in word.char_indices() {
        let rest = &word[at + character.len_utf8()..];
        if is_between(previous, character, rest) {
            emit(start, at);
            start = at + character.len_utf8();
            previous = None;
            continue;
        }
        if previous.is_some_and(|previous| is_hump(previous, character, rest)) {
            emit(start, at);
            start = at;
        }
        previous = Some(character);
    }
    emit(start, word.len());
}

/// Says whether the character stands between parts.
fn is_between(previous: Option<char>, character: char, rest: &str) -> bool {
    let is_digit = |character: char| character.is_ascii_digit();
    match character {
        '_' | '-' | '\u{2010}' | '\u{2011}' | '/' | '&' | '\u{200b}' => true,
        '.' => !(previous.is_some_and(is_digit) && rest.starts_with(is_digit)),
        // Elsewhere it only says that two letters are drawn apart.
        '\u{200c}' => previous.is_some_and(is_arabic),
        _ => false,
    }
}

fn is_arabic(character: char) -> bool {
    matches!(character, '\u{600}'..='\u{6ff}')
}

/// Says whether a new part begins at `character`, which `rest` follows.
///
/// A lone `s` after capitals is a plural (`APIs`) and begins no part.
fn is_hump(previous: char, character: char, rest: &str) -> bool {
    let mut after = rest.chars();
    let (first, second) = (after.next(), after.next());
    let is_plural = first == Some('s') && !second.is_some_and(char::is_alphanumeric);
    let opens_word = first.is_some_and(char::is_lowercase) && !is_plural;
    character.is_uppercase() && (previous.is_lowercase() || (previous.is_uppercase() && opens_word))
}

/// A number of several components, such as a version, at the beginning of a word.
pub(super) struct Number<'a> {
    /// The word from the number on: without the `v` of `v2.3.1`.
    pub(super) word: &'a str,
    /// The length in bytes of the number in it.
    length: usize,
}

impl<'a> Number<'a> {
    /// Reads the number that a word begins with.
    pub(super) fn of(word: &'a str) -> Option<Self> {
        let word = word.strip_prefix(['v', 'V']).unwrap_or(word);
        if !word.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        let is_outside = |byte: u8| !(byte.is_ascii_digit() || byte == b'.');
        let length = word.bytes().position(is_outside).unwrap_or(word.len());
        word[..length]
            .contains('.')
            .then_some(Self { word, length })
    }

    /// Calls `found` with each shorter form (`2.3` of `2.3.1`), the longest first.
    pub(super) fn beginnings(&self, mut found: impl FnMut(&'a str)) {
        let mut shorter = &self.word[..self.length];
        if self.length < self.word.len() {
            found(shorter);
        }
        while let Some((beginning, _)) = shorter.rsplit_once('.') {
            if beginning.len() > 1 {
                found(beginning);
            }
            shorter = beginning;
        }
    }

    /// Calls `found` with each component but the first (`03` and `2026` of `21.03.2026`), where there
    /// are three or more.
    pub(super) fn components(&self, found: impl FnMut(&'a str)) {
        let components = self.word[..self.length].split('.').skip(1);
        if components.clone().count() > 1 {
            components
                .filter(|component| component.len() > 1)
                .for_each(found);
        }
    }
}
