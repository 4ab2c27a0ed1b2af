//! Finding words in text.

use sectile_core::Span;

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) span: Span,
    pub(super) kind: WordKind,
}

/// How a word becomes terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordKind {
    /// As it stands: a pair of CJK characters, or a pictograph.
    Exact,
    /// A word to be stemmed.
    Plain,
    /// An identifier, to be indexed whole and in parts.
    Compound,
}

/// What a character is to the scanner.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Joint,
    Cjk,
    Pictograph,
    Other,
}

fn class(character: char) -> Class {
    match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Letter,
        '_' | '.' | '\'' | '\u{2019}' => Class::Joint,
        _ if character.is_ascii() => Class::Other,
        _ if is_cjk(character) => Class::Cjk,
        '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' => Class::Pictograph,
        _ if is_word(character) => Class::Letter,
        _ => Class::Other,
    }
}

/// Says whether the character is part of words wherever it stands.
pub(super) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || is_mark(character)
}

/// Says whether the character is part of a word when letters stand on both sides.
pub(super) fn is_joint(character: char) -> bool {
    matches!(character, '_' | '.' | '\'' | '\u{2019}')
}

/// Says whether the character is a mark that belongs to the letter before it: combining accents,
/// vowel signs of Indic and South-East Asian scripts that are not alphabetic, joiners left out.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
        || unicode_normalization::char::is_combining_mark(character)
}

/// Says whether the character is of a script written without spaces, or in syllables, for which
/// pairs of characters stand in for words: Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer and
/// Myanmar.
fn is_cjk(character: char) -> bool {
    matches!(character,
        '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{3096}'
        | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}'
        | '\u{0e01}'..='\u{0e4e}'
        | '\u{0e81}'..='\u{0ecd}'
        | '\u{1000}'..='\u{103e}'
        | '\u{1780}'..='\u{17d3}')
}

/// Calls `found` with each word of `text`, in order.
pub(super) fn words(text: &str, mut found: impl FnMut(&Word)) {
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        at = match class(character) {
            Class::Letter => word(text, at, &mut found),
            Class::Joint if character == '_' => word(text, at, &mut found),
            Class::Cjk => pairs(text, at, &mut found),
            Class::Pictograph => {
                let span = Span::new(at, at + character.len_utf8());
                found(&exact(span));
                span.end
            }
            Class::Joint | Class::Other => at + character.len_utf8(),
        };
    }
}

const fn exact(span: Span) -> Word {
    Word {
        span,
        kind: WordKind::Exact,
    }
}

/// Reads the word that begins at `start` and returns where it ends.
///
/// A joint belongs to the word when a letter or another underscore follows, so that `foo.bar` is
/// one word and the full stop of a sentence is not part of one.
fn word(text: &str, start: usize, found: &mut impl FnMut(&Word)) -> usize {
    let mut end = start;
    let mut letters = false;
    let mut characters = text[start..].char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        let next = characters.peek().map(|&(_, next)| next);
        let belongs = match class(character) {
            Class::Letter => true,
            Class::Joint if character == '_' => true,
            Class::Joint => next.is_some_and(|next| class(next) == Class::Letter),
            Class::Cjk | Class::Pictograph | Class::Other => false,
        };
        if !belongs {
            break;
        }
        letters |= character != '_';
        end = start + offset + character.len_utf8();
    }
    if letters {
        let span = Span::new(start, end);
        let kind = kind(span.of(text));
        found(&Word { span, kind });
    }
    end
}

/// Says whether a word is an identifier: it has more than one part, or an underscore at its ends.
fn kind(word: &str) -> WordKind {
    let mut parts_found = 0;
    parts(word, |part| {
        parts_found += 1 + usize::from(part.len() < word.len());
    });
    if parts_found > 1 {
        WordKind::Compound
    } else {
        WordKind::Plain
    }
}

/// Reads a run of CJK characters from `start` as overlapping pairs and returns where it ends.
fn pairs(text: &str, start: usize, found: &mut impl FnMut(&Word)) -> usize {
    let run = &text[start..];
    let is_outside = |&(_, character): &(usize, char)| class(character) != Class::Cjk;
    let length = run
        .char_indices()
        .find(is_outside)
        .map_or(run.len(), |(at, _)| at);
    let end = start + length;
    let starts = || {
        run[..length]
            .char_indices()
            .map(|(offset, _)| start + offset)
    };
    let ends = starts().skip(2).chain(std::iter::once(end));
    for (first, last) in starts().zip(ends) {
        found(&exact(Span::new(first, last)));
    }
    end
}

/// Calls `found` with each part of an identifier: between underscores and full stops, and where
/// the case changes from lower to upper (`use|State`) or ends a run of capitals (`HTTP|Server`).
pub(super) fn parts(word: &str, mut found: impl FnMut(Span)) {
    let mut start = 0;
    let mut previous = None;
    for (at, character) in word.char_indices() {
        if matches!(character, '_' | '.') {
            emit_part(start, at, &mut found);
            start = at + 1;
            previous = None;
            continue;
        }
        let rest = &word[at + character.len_utf8()..];
        if previous.is_some_and(|previous| is_hump(previous, character, rest)) {
            emit_part(start, at, &mut found);
            start = at;
        }
        previous = Some(character);
    }
    emit_part(start, word.len(), &mut found);
}

fn emit_part(start: usize, end: usize, found: &mut impl FnMut(Span)) {
    if start < end {
        found(Span::new(start, end));
    }
}

/// Says whether a new part begins at `character`, which `rest` follows.
///
/// A lone `s` after capitals is a plural (`APIs`) and begins no part.
fn is_hump(previous: char, character: char, rest: &str) -> bool {
    let opens_word = rest.starts_with(char::is_lowercase) && rest != "s";
    character.is_uppercase() && (previous.is_lowercase() || (previous.is_uppercase() && opens_word))
}
