//! One way of writing each letter: with its marks as one character, not as several.

use std::borrow::Cow;
use std::iter;

use sectile_core::Span;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{compose, is_combining_mark};

/// A text whose letters are one character each where Unicode has one: in its normal form NFC, with letters and digits of
/// full width as those of ASCII, and with syllables instead of jamo of half width.
///
/// Words are found in this text, so that a file in NFD has the same terms. [`source`](Self::source) says where a part of
/// it stands in the text as it was written.
pub(super) struct Composed<'t> {
    text: Cow<'t, str>,
    /// What was written otherwise, in order.
    changes: Vec<Change>,
}

struct Change {
    written: Span,
    composed: Span,
}

/// How many bytes a jamo of half width has.
const HALF_WIDTH_BYTES: usize = 3;

/// How far a letter of full width is behind that of ASCII.
const FULL_WIDTH: u32 = 0xfee0;

impl<'t> Composed<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut changes = Vec::new();
        if !may_change(text) {
            let text = Cow::Borrowed(text);
            return Self { text, changes };
        }
        let mut composed = String::with_capacity(text.len());
        let (mut at, mut is_behind_wide) = (0, false);
        while at < text.len() {
            let start = composed.len();
            let written = Span::new(
                at,
                at + push_letter(&text[at..], is_behind_wide, &mut composed),
            );
            let is_changed = composed[start..] != *written.of(text);
            is_behind_wide = is_changed && composed[start..].is_ascii();
            if is_changed {
                let composed = Span::new(start, composed.len());
                changes.push(Change { written, composed });
            }
            at = written.end;
        }
        let text = Cow::Owned(composed);
        Self { text, changes }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn into_text(self) -> Cow<'t, str> {
        self.text
    }

    /// Returns where a part of the text stands in the text as it was written.
    pub(super) fn source(&self, span: Span) -> Span {
        if self.changes.is_empty() {
            return span;
        }
        Span::new(
            self.source_of_start(span.start),
            self.source_of_end(span.end),
        )
    }

    fn source_of_start(&self, at: usize) -> usize {
        match self.last_change(|of| of.composed.start <= at) {
            None => at,
            Some(last) if at < last.composed.end => last.written.start,
            Some(last) => last.written.end + (at - last.composed.end),
        }
    }

    fn source_of_end(&self, at: usize) -> usize {
        let last = self.last_change(|of| of.composed.start < at);
        last.map_or(at, |last| {
            last.written.end + at.saturating_sub(last.composed.end)
        })
    }

    fn last_change(&self, is_before: impl Fn(&Change) -> bool) -> Option<&Change> {
        let count = self.changes.partition_point(is_before);
        self.changes[..count].last()
    }
}

/// Adds the letter that a text begins with, and returns how long it is there. Signs of full width are those of ASCII
/// behind a letter or a digit of full width: `Ｃ＋＋`, `１．５`.
fn push_letter(text: &str, is_behind_wide: bool, composed: &mut String) -> usize {
    if text.as_bytes()[0].is_ascii() && text.as_bytes().get(1).is_none_or(u8::is_ascii) {
        composed.push_str(&text[..1]);
        return 1;
    }
    if let Some((syllable, length)) = half_width_syllable(text) {
        composed.push(syllable);
        return length;
    }
    let mut others = text.char_indices().skip(1);
    let end = others.find(|(_, of)| !is_mark(*of));
    let end = end.map_or(text.len(), |(at, _)| at);
    let letters = text[..end].chars();
    composed.extend(letters.map(|of| of_ascii(of, is_behind_wide)).nfc());
    end
}

/// Returns whether a character may become one with the characters before it: a mark, or a jamo that is not the first of
/// its syllable.
fn is_mark(character: char) -> bool {
    let is_jamo = matches!(character, '\u{1160}'..='\u{11ff}' | '\u{d7b0}'..='\u{d7fb}');
    is_jamo || is_combining_mark(character)
}

/// Returns the character of ASCII that one of full width is.
fn of_ascii(character: char, is_behind_wide: bool) -> char {
    let is_wide = match character {
        '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' => true,
        '．' | '－' | '／' | '＿' | '＠' | '＆' | '＋' | '＃' => is_behind_wide,
        _ => false,
    };
    let plain = is_wide.then(|| char::from_u32(u32::from(character) - FULL_WIDTH));
    plain.flatten().unwrap_or(character)
}

/// Reads the syllable in jamo of half width that a text begins with, and returns how long it is there. A consonant before
/// a vowel begins the next syllable.
fn half_width_syllable(text: &str) -> Option<(char, usize)> {
    let mut all = text.chars();
    let first = jamo(all.next()?).filter(|of| matches!(of, '\u{1100}'..='\u{1112}'))?;
    let open = compose(first, vowel(all.next()?)?)?;
    let last = all.next().and_then(final_jamo);
    let is_of_next = all.next().and_then(vowel).is_some();
    match last.filter(|_| !is_of_next) {
        Some(last) => Some((compose(open, last)?, 3 * HALF_WIDTH_BYTES)),
        None => Some((open, 2 * HALF_WIDTH_BYTES)),
    }
}

/// Returns the vowel that a jamo of half width is.
fn vowel(character: char) -> Option<char> {
    jamo(character).filter(|of| matches!(of, '\u{1161}'..='\u{1175}'))
}

/// Returns the jamo that one of half width is.
fn jamo(character: char) -> Option<char> {
    let half = matches!(character, '\u{ffa1}'..='\u{ffdc}').then_some(character)?;
    iter::once(half).nfkd().next()
}

/// Returns the jamo that a consonant of half width is at the end of a syllable; three never stand there.
fn final_jamo(character: char) -> Option<char> {
    const NEVER_LAST: [char; 3] = ['\u{ffa8}', '\u{ffb3}', '\u{ffb9}'];
    if !matches!(character, '\u{ffa1}'..='\u{ffbe}') || NEVER_LAST.contains(&character) {
        return None;
    }
    let skipped = NEVER_LAST.iter().filter(|of| **of < character);
    let skipped = u32::try_from(skipped.count()).ok()?;
    char::from_u32(0x11a8 + u32::from(character) - 0xffa1 - skipped)
}

/// The bytes that characters begin with of which [`Composed`] may change some.
const LEADS: [bool; 256] = {
    let mut leads = [false; 256];
    let all = [0xcc, 0xcd, 0xd9, 0xe0, 0xe1, 0xe2, 0xe3, 0xef];
    let mut at = 0;
    while at < all.len() {
        leads[all[at]] = true;
        at += 1;
    }
    leads
};

/// Returns whether a text may have a letter that is written with several characters, or in another width. This reads
/// bytes, because almost no text has one and each text is indexed by this.
fn may_change(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_one = |at: usize| LEADS[usize::from(bytes[at])] && begins_with_one(&text[at..]);
    !bytes.is_ascii() && (0..bytes.len()).any(is_one)
}

fn begins_with_one(text: &str) -> bool {
    match text.as_bytes() {
        // Accents, the hamza and the madda of Arabic, jamo, the signs of ohm, kelvin and ångström, voicing marks of kana.
        [0xcc, ..]
        | [0xcd, 0x80..=0xaf, ..]
        | [0xd9, 0x93..=0x95, ..]
        | [0xe1, 0x84..=0x87, ..]
        | [0xe2, 0x84, 0xa6 | 0xaa | 0xab, ..]
        | [0xe3, 0x82, 0x99 | 0x9a, ..]
        // Hebrew letters with points, letters and digits of full width, consonants of half width.
        | [0xef, 0xac, 0x9d..=0xbf, ..]
        | [0xef, 0xad, 0x80..=0x8f, ..]
        | [0xef, 0xbc, 0x90..=0x99 | 0xa1..=0xba, ..]
        | [0xef, 0xbd, 0x81..=0x9a, ..]
        | [0xef, 0xbe, 0xa1..=0xbe, ..]
        // A tone of Thai or Lao before the vowel below the letter, the marks of Burmese in the other order,
        // and its vowel of two characters.
        | [0xe0, 0xb9, 0x88..=0x8b, 0xe0, 0xb8, 0xb8..=0xba, ..]
        | [0xe0, 0xbb, 0x88..=0x8b, 0xe0, 0xba, 0xb8..=0xba, ..]
        | [0xe1, 0x80, 0xba, 0xe1, 0x80, 0xb7, ..]
        | [0xe1, 0x80, 0xa5, 0xe1, 0x80, 0xae, ..] => true,
        // The dot below of Devanagari.
        [0xe0, _, _, 0xe0, 0xa4, 0xbc, ..] => begins_with_pair(text),
        // What may be the second part of a vowel in India and Sri Lanka.
        [0xe0, _, _, 0xe0, 0xa6..=0xb7, second, ..] => {
            matches!(second, 0x82 | 0x8a | 0x8f | 0x95..=0x97 | 0x9f | 0xbe) && begins_with_pair(text)
        }
        _ => false,
    }
}

/// Returns whether the first two characters of a text are one.
fn begins_with_pair(text: &str) -> bool {
    let mut both = text.chars();
    let pair = both.next().zip(both.next());
    pair.is_some_and(|(first, second)| compose(first, second).is_some())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn composed(text: &str) -> String {
        Composed::of(text).into_text().into_owned()
    }

    #[test]
    fn letters_are_one_character() {
        for (written, one) in [
            ("cafe\u{301}", "café"),
            ("\u{1112}\u{1161}\u{11ab}글", "한글"),
            ("か\u{3099}", "が"),
            (
                "\u{ffa1}\u{ffc2}\u{ffb7} \u{ffbe}\u{ffc2}\u{ffa4}\u{ffa1}\u{ffda}\u{ffa9}",
                "강 한글",
            ),
            ("\u{ffa4}\u{ffc2}\u{ffa1}\u{ffc2} \u{ffa1}", "나가 \u{ffa1}"),
            (
                "Ｃ＋＋ ｖ１．５ ２０２０－０１－０２",
                "C++ v1.5 2020-01-02",
            ),
            ("（注）［－］．", "（注）［－］．"),
            ("\u{627}\u{653}", "آ"),
            ("\u{212b} \u{2126}", "Å Ω"),
            ("ก\u{e48}\u{e38}", "ก\u{e38}\u{e48}"),
            ("\u{1019}\u{103a}\u{1037}", "\u{1019}\u{1037}\u{103a}"),
            ("\u{b95}\u{bc6}\u{bbe}", "\u{b95}\u{bca}"),
            ("½ m² 10㎏ … ﬁ", "½ m² 10㎏ … ﬁ"),
        ] {
            assert_eq!(composed(written), one, "{written}");
        }
    }

    #[test]
    fn a_text_without_such_letters_is_not_read_again() {
        for text in [
            "plain",
            "Größe naïve",
            "한국어 텍스트",
            "データ、です。",
            "การทำงาน",
            "हिंदी किताब",
            "מנכ״ל",
            "tệp",
        ] {
            assert!(!may_change(text), "{text}");
        }
    }

    #[test]
    fn parts_stand_where_they_were_written() {
        let text = "a cafe\u{301} Ｃ＋ b";
        let composed = Composed::of(text);
        for (part, written) in [
            ("café", "cafe\u{301}"),
            ("C+", "Ｃ＋"),
            ("é", "e\u{301}"),
            (" b", " b"),
        ] {
            let start = composed.text().find(part).unwrap();
            let span = composed.source(Span::new(start, start + part.len()));
            assert_eq!(span.of(text), written);
        }
    }

    proptest! {
        #[test]
        fn what_is_not_read_again_is_composed(text in "[a\u{300}-\u{36f}\u{600}-\u{6ff}\u{900}-\u{dff}\u{e01}-\u{eff}\u{1000}-\u{109f}\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11a8}-\u{11c2}\u{ac00}-\u{ad00}\u{3041}-\u{30ff}]{0,12}") {
            let all = Composed::of(&text);
            let whole = Span::new(0, all.text().len());
            prop_assert_eq!(all.source(whole), Span::new(0, text.len()));
            // Another form of the same letters has the same.
            let apart: String = all.text().nfd().collect();
            prop_assert_eq!(composed(&apart), all.text().nfc().collect::<String>());
        }
    }
}
