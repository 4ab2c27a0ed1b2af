//! Scripts that are written without spaces, or in syllables: pairs of characters stand in for words.

use std::borrow::Cow;

use sectile_core::Span;
use unicode_normalization::UnicodeNormalization as _;

use super::{Word, WordKind};

/// What plain text writes before characters with a reading, where these do not begin at the first Chinese one.
const MARK: char = '｜';

/// How many marks belong to a character at most: a text may have any number.
const MOST_MARKS: usize = 8;

/// Returns whether the character is of such a script: Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer
/// and Myanmar.
pub(in crate::analyzer) fn is_unspaced(character: char) -> bool {
    is_ideograph(character)
        || matches!(character,
            '\u{3041}'..='\u{3096}'
            | '\u{3099}'..='\u{309a}'
            | '\u{309d}'..='\u{309f}'
            | '\u{30a1}'..='\u{30fa}'
            | '\u{30fc}'..='\u{30ff}'
            | '\u{ff66}'..='\u{ff9f}'
            | '\u{0e01}'..='\u{0e4e}'
            | '\u{0e81}'..='\u{0ecd}'
            | '\u{1000}'..='\u{103e}'
            | '\u{1780}'..='\u{17d3}')
}

/// Returns whether the character means something alone: Han and Hangul.
fn is_ideograph(character: char) -> bool {
    is_han(character) || matches!(character, '\u{ac00}'..='\u{d7a3}') || is_jamo(character)
}

/// Returns whether the character is a jamo: of today's syllables none is left when words are looked for, but old ones
/// have no character of their own.
fn is_jamo(character: char) -> bool {
    matches!(character, '\u{1100}'..='\u{115f}' | '\u{a960}'..='\u{a97c}')
        || is_inner_jamo(character)
}

/// Returns whether the character is a jamo within a syllable, or its last one.
fn is_inner_jamo(character: char) -> bool {
    matches!(character, '\u{1160}'..='\u{11ff}' | '\u{d7b0}'..='\u{d7fb}')
}

/// Returns whether the character is a Chinese one, as Japanese has them too.
pub(in crate::analyzer) fn is_han(character: char) -> bool {
    is_radical(character)
        || matches!(character,
        '\u{3005}'..='\u{3007}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{323af}')
}

/// Returns whether the character is a voicing mark, which belongs to the kana before it.
fn is_voicing(character: char) -> bool {
    matches!(character, '\u{3099}' | '\u{309a}' | '\u{ff9e}' | '\u{ff9f}')
}

/// Radicals that are characters of their own and that compatibility forms leave as they are, each with the character:
/// PDFs have them for what looks the same.
const RADICALS: &[(char, char)] = &[
    ('⺠', '民'),
    ('⻁', '虎'),
    ('⻄', '西'),
    ('⻅', '见'),
    ('⻆', '角'),
    ('⻉', '贝'),
    ('⻋', '车'),
    ('⻑', '長'),
    ('⻓', '长'),
    ('⻔', '门'),
    ('⻘', '青'),
    ('⻙', '韦'),
    ('⻚', '页'),
    ('⻛', '风'),
    ('⻜', '飞'),
    ('⻝', '食'),
    ('⻢', '马'),
    ('⻣', '骨'),
    ('⻤', '鬼'),
    ('⻥', '鱼'),
    ('⻦', '鸟'),
    ('⻧', '卤'),
    ('⻨', '麦'),
    ('⻩', '黄'),
    ('⻪', '黾'),
    ('⻫', '斉'),
    ('⻬', '齐'),
    ('⻭', '歯'),
    ('⻮', '齿'),
    ('⻯', '竜'),
    ('⻰', '龙'),
    ('⻱', '龜'),
    ('⻲', '亀'),
];

fn is_radical(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{2fd5}')
}

/// Returns the character that a radical is.
fn of_radical(character: char) -> char {
    let place = RADICALS.binary_search_by_key(&character, |(radical, _)| *radical);
    place.map_or(character, |place| RADICALS[place].1)
}

/// Vowels of Thai and Lao that are two characters in many texts: what these are, and the one for both.
const VOWELS: [(char, char, char); 2] = [
    ('\u{e4d}', '\u{e32}', '\u{e33}'),
    ('\u{ecd}', '\u{eb2}', '\u{eb3}'),
];

/// Vowels of Thai that look like one vowel where they stand twice, with that one.
const TWICE: (char, char) = ('\u{e40}', '\u{e41}');

fn is_tone(character: char) -> bool {
    matches!(character, '\u{e48}'..='\u{e4b}' | '\u{ec8}'..='\u{ecb}')
}

/// Reads a vowel that a text begins with and that may be written with several characters, be it with the sign of its tone
/// between these or before: returns how many there are, the tone, and the vowel as one.
fn vowel(text: &str) -> Option<(usize, Option<char>, char)> {
    let mut characters = text.chars();
    // Most characters are of other scripts.
    let first = characters
        .next()
        .filter(|of| matches!(of, '\u{e40}'..='\u{ecd}'))?;
    let mut next = || characters.next().unwrap_or_default();
    let (second, third) = (next(), next());
    if (first, second) == (TWICE.0, TWICE.0) {
        return Some((2, None, TWICE.1));
    }
    VOWELS.iter().find_map(|&(nasal, long, whole)| {
        if is_tone(first) && second == whole {
            Some((2, Some(first), whole))
        } else if is_tone(first) && (second, third) == (nasal, long) {
            Some((3, Some(first), whole))
        } else if first == nasal && is_tone(second) && third == long {
            Some((3, Some(second), whole))
        } else {
            ((first, second) == (nasal, long)).then_some((2, None, whole))
        }
    })
}

/// Writes each vowel of Thai and Lao as one character, behind the sign of its tone.
fn with_whole_vowels(text: &str) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text.chars());
    while let Some((count, tone, whole)) = vowel(rest.as_str()).or_else(|| single(rest.as_str())) {
        plain.extend(tone);
        plain.push(whole);
        rest.nth(count - 1);
    }
    plain
}

/// Reads the character that a text begins with.
fn single(text: &str) -> Option<(usize, Option<char>, char)> {
    text.chars().next().map(|only| (1, None, only))
}

/// Writes half-width and compatibility characters, radicals, and vowels of several characters in the common form.
pub(in crate::analyzer) fn folded(characters: &str) -> Cow<'_, str> {
    if characters.contains([VOWELS[0].0, VOWELS[1].0, TWICE.0]) {
        return Cow::Owned(with_whole_vowels(characters));
    }
    let has_other_form = |character: char| {
        is_voicing(character)
            || is_radical(character)
            || matches!(character, '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}')
            || matches!(character, '\u{2f800}'..='\u{2fa1f}')
    };
    if characters.contains(has_other_form) {
        Cow::Owned(characters.nfkc().map(of_radical).collect())
    } else {
        Cow::Borrowed(characters)
    }
}

/// A character with the voicing marks that follow it, a syllable in jamo, or a vowel of several.
#[derive(Clone, Copy)]
struct Unit {
    start: usize,
    end: usize,
    is_ideograph: bool,
}

/// Reads a run of such characters from `start` as overlapping pairs, each with the characters in it
/// that mean something alone, and returns where it ends. In a document it goes on behind a reading (`漢字《かんじ》`),
/// of which the pairs stand at the position of the character before it.
pub(super) fn pairs<const IS_DOCUMENT: bool>(
    text: &str,
    start: usize,
    found: &mut impl FnMut(&Word<'_>),
) -> usize {
    let Some(mut last) = unit(text, start) else {
        return text.len();
    };
    let mut is_alone = true;
    loop {
        let read = IS_DOCUMENT.then(|| reading(text, last.end)).flatten();
        let end = read.map_or(last.end, |(_, end)| end);
        let is_marked = IS_DOCUMENT && is_mark(text, end);
        let mark = if is_marked { MARK.len_utf8() } else { 0 };
        let next = unit(text, end + mark);
        match next {
            Some(next) => last.emit_with(next, text, found),
            None if is_alone => found(&Word::new(last.start, last.end, WordKind::Exact)),
            None => {}
        }
        if !is_alone || next.is_some() {
            last.emit(found);
        }
        if let Some((inside, _)) = read {
            emit_reading(text, inside, found);
        }
        let Some(next) = next else {
            return end;
        };
        (last, is_alone) = (next, false);
    }
}

/// Returns the reading that stands at `at`, behind a Chinese character, without its brackets, and where it ends.
fn reading(text: &str, at: usize) -> Option<(Span, usize)> {
    let open = text[at..].chars().next()?;
    let close = match open {
        '《' => '》',
        '(' => ')',
        '（' => '）',
        _ => return None,
    };
    let start = at + open.len_utf8();
    let end = start + text[start..].find(|of: char| !is_kana(of))?;
    let is_reading = end > start && text[end..].starts_with(close) && text[..at].ends_with(is_han);
    is_reading.then(|| (Span::new(start, end), end + close.len_utf8()))
}

/// Returns whether the character is Hiragana or Katakana in full width.
pub(in crate::analyzer) fn is_kana(character: char) -> bool {
    is_unspaced(character) && matches!(character, '\u{3041}'..='\u{30ff}')
}

/// Returns whether a mark stands at `at` before characters that have a reading.
fn is_mark(text: &str, at: usize) -> bool {
    let Some(marked) = text[at..].strip_prefix(MARK) else {
        return false;
    };
    let length = marked.find(|of: char| !is_unspaced(of));
    length.is_some_and(|length| length > 0 && reading(marked, length).is_some())
}

/// Emits the pairs of a reading at the position of the word before.
fn emit_reading(text: &str, inside: Span, found: &mut impl FnMut(&Word<'_>)) {
    let Some(mut last) = unit(text, inside.start) else {
        return;
    };
    let mut is_alone = true;
    while let Some(next) = unit(text, last.end) {
        found(&Word::new(last.start, next.end, WordKind::Character));
        (last, is_alone) = (next, false);
    }
    if is_alone {
        found(&Word::new(last.start, last.end, WordKind::Character));
    }
}

impl Unit {
    /// Emits the pair of it and the next one, without what stands between them.
    fn emit_with(self, next: Self, text: &str, found: &mut impl FnMut(&Word<'_>)) {
        if next.start == self.end {
            return found(&Word::new(self.start, next.end, WordKind::Exact));
        }
        let both = [&text[self.start..self.end], &text[next.start..next.end]].concat();
        let kind = WordKind::Unmarked {
            plain: &both,
            is_beside: false,
        };
        found(&Word::new(self.start, next.end, kind));
    }

    fn emit(self, found: &mut impl FnMut(&Word<'_>)) {
        if self.is_ideograph {
            found(&Word::new(self.start, self.end, WordKind::Character));
        }
    }
}

/// Reads the character at `at`, if it is of such a script.
fn unit(text: &str, at: usize) -> Option<Unit> {
    let mut characters = text[at..].chars();
    let first = characters.next().filter(|first| is_unspaced(*first))?;
    let others: usize = if let Some((count, ..)) = vowel(&text[at..]) {
        characters.take(count - 1).map(char::len_utf8).sum()
    } else {
        let marks = characters.take_while(|mark| is_voicing(*mark) || is_inner_jamo(*mark));
        marks.take(MOST_MARKS).map(char::len_utf8).sum()
    };
    Some(Unit {
        start: at,
        end: at + first.len_utf8() + others,
        is_ideograph: is_ideograph(first),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vowels_of_several_characters_are_one() {
        for [written, whole] in [
            ["นํ้า", "น้ำ"],
            ["น้ํา", "น้ำ"],
            ["ทํา", "ทำ"],
            ["ນ້ໍາ", "ນ້ຳ"],
            ["เเม่", "แม่"],
            ["เมือง", "เมือง"],
        ] {
            assert_eq!(folded(written), whole, "{written}");
        }
        let mut found = Vec::new();
        let mut add = |word: &Word<'_>| found.push(word.span.end - word.span.start);
        pairs::<false>("นํ้าเเม่", 0, &mut add);
        assert_eq!(found, [12, 15, 9, 6]);
    }

    #[test]
    fn radicals_are_the_characters_that_they_look_like() {
        assert!(RADICALS.is_sorted());
        assert_eq!(folded("⽂⾔"), "文言");
        assert_eq!(folded("⻘⾊"), "青色");
        assert_eq!(folded("文言"), "文言");
    }
}
