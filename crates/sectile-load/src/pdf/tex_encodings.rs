//! The encodings of TeX's fonts for texts: what their codes stand for beyond ASCII.

use unicode_normalization::char::decompose_canonical;

/// The accents, quotes and dashes of T1, which Cork defined, from code 0 on, and its letters from code 128 on. From 192
/// on, it has those of Latin-1 but for [`OWN_OF_CORK`].
const LOW_OF_CORK: &str = "`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—";
const HIGH_OF_CORK: &str = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£";
const OWN_OF_CORK: [(u32, &str); 4] = [(215, "Œ"), (223, "SS"), (247, "œ"), (255, "ß")];
const FIRST_HIGH: u32 = 128;
const FIRST_OF_LATIN: u32 = 192;
const LAST: u32 = 255;

/// The letters without dots and the ligatures of T1, from code 25 on.
const JOINED_OF_CORK: [&str; 7] = ["ı", "ȷ", "ff", "fi", "fl", "ffi", "ffl"];
const FIRST_JOINED: u32 = 25;

/// What has other codes in OT1 than in ASCII.
const OT1: [(u32, &str); 24] = [
    (16, "ı"),
    (17, "ȷ"),
    (18, "`"),
    (19, "´"),
    (20, "ˇ"),
    (21, "˘"),
    (22, "¯"),
    (23, "˚"),
    (24, "¸"),
    (25, "ß"),
    (26, "æ"),
    (27, "œ"),
    (28, "ø"),
    (29, "Æ"),
    (30, "Œ"),
    (31, "Ø"),
    (34, "”"),
    (60, "¡"),
    (62, "¿"),
    (92, "“"),
    (94, "ˆ"),
    (123, "–"),
    (124, "—"),
    (127, "¨"),
];

/// The ligatures of OT1, from code 11 on.
const LIGATURES: [&str; 5] = ["ff", "fi", "fl", "ffi", "ffl"];
const FIRST_LIGATURE: u32 = 11;

/// How much a letter with an accent may be wider than without.
const SAME_WIDTH: f64 = 0.01;

/// What the codes of a font stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// T1.
    Cork,
    /// The encoding of the first fonts, without letters that have accents.
    Ot1,
    /// One of these: nothing but ASCII and the ligatures of OT1 is known.
    Open,
}

impl Encoding {
    /// Returns the encoding of a font with these codes: T1 if its letters with accents are as wide as those without, and
    /// OT1 if it has ligatures where this has them, and no other codes than this.
    pub(super) fn of(codes: &[u32], width: impl Fn(u32) -> f64) -> Self {
        let is_any = |first: u32, last: u32| {
            let range = first..=last;
            codes.iter().any(|code| range.contains(code))
        };
        if is_any(FIRST_HIGH, u32::MAX) {
            return if is_cork(codes, width) {
                Self::Cork
            } else {
                Self::Open
            };
        }
        let last = FIRST_LIGATURE + LIGATURES.len() as u32 - 1;
        if is_any(FIRST_LIGATURE, last) && !is_any(FIRST_JOINED + 2, 31) {
            Self::Ot1
        } else {
            Self::Open
        }
    }

    /// Returns what a code stands for that is not ASCII, or not what it is in ASCII.
    pub(super) fn letter(self, code: u32) -> Option<String> {
        match self {
            Self::Cork => cork(code),
            Self::Ot1 => of_list(&OT1, code).or_else(|| ligature(code)),
            Self::Open => ligature(code),
        }
    }
}

fn cork(code: u32) -> Option<String> {
    let of_text = |text: &str, first: u32| {
        let at = code.checked_sub(first)?;
        text.chars().nth(at as usize).map(String::from)
    };
    let joined = || {
        let at = code.checked_sub(FIRST_JOINED)?;
        JOINED_OF_CORK
            .get(at as usize)
            .map(|text| (*text).to_owned())
    };
    let latin = || {
        let letter = char::from_u32(code).filter(|_| (FIRST_OF_LATIN..=LAST).contains(&code));
        letter.map(String::from)
    };
    of_list(&OWN_OF_CORK, code)
        .or_else(|| of_text(LOW_OF_CORK, 0))
        .or_else(joined)
        .or_else(|| of_text(HIGH_OF_CORK, FIRST_HIGH))
        .or_else(latin)
}

fn of_list(list: &[(u32, &str)], code: u32) -> Option<String> {
    let found = list.iter().find(|(of, _)| *of == code);
    found.map(|(_, text)| (*text).to_owned())
}

fn ligature(code: u32) -> Option<String> {
    let at = code.checked_sub(FIRST_LIGATURE)?;
    LIGATURES.get(at as usize).map(|text| (*text).to_owned())
}

/// Returns whether the letters with accents are those of T1: each is as wide as its letter without.
fn is_cork(codes: &[u32], width: impl Fn(u32) -> f64) -> bool {
    let high = codes.iter().filter(|code| **code >= FIRST_HIGH);
    let pairs = high.filter_map(|code| {
        let base = base_of_cork(*code).filter(|base| codes.contains(base))?;
        Some((width(*code), width(base)))
    });
    let pairs: Vec<(f64, f64)> = pairs.filter(|(_, base)| *base > 0.0).collect();
    let is_same = |(own, base): &(f64, f64)| (own - base).abs() <= base * SAME_WIDTH;
    !pairs.is_empty() && pairs.iter().all(is_same) && are_few(codes, FIRST_HIGH)
}

/// Returns the code of the letter that another one of T1 is with an accent above or below it.
fn base_of_cork(code: u32) -> Option<u32> {
    let text = cork(code)?;
    // The mark of these stands behind them.
    let letter = text
        .chars()
        .next()
        .filter(|letter| !"ďľťĽ".contains(*letter))?;
    base(letter).map(u32::from)
}

/// Returns the letter that another one is with an accent.
pub(super) fn base(letter: char) -> Option<char> {
    let mut first = None;
    decompose_canonical(letter, |part| {
        first.get_or_insert(part);
    });
    first.filter(|first| *first != letter)
}

/// Returns whether codes from one on are no more than the small letters of ASCII, as in languages that are written in Latin
/// letters. In others, they are other letters.
pub(super) fn are_few(codes: &[u32], first: u32) -> bool {
    let small = u32::from('a')..=u32::from('z');
    let count = |is: &dyn Fn(u32) -> bool| codes.iter().filter(|code| is(**code)).count();
    count(&|code| code >= first) <= count(&|code| small.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_t1_are_letters() {
        let text = |codes: &[u32]| -> String {
            let letters = codes.iter().map(|code| Encoding::Cork.letter(*code));
            letters.map(Option::unwrap_or_default).collect()
        };
        assert_eq!(text(&[233, 224, 231, 255, 247, 215]), "éàçßœŒ");
        assert_eq!(text(&[161, 170, 177, 185, 187, 128, 191]), "ąłśźżĂ£");
        assert_eq!(text(&[16, 17, 21, 22, 27, 28, 31, 23]), "“”–—fffiffl");
    }

    #[test]
    fn letters_with_accents_are_as_wide_as_without() {
        let width = |code: u32| match code {
            105 | 237 => 0.28,
            101 | 232..=235 => 0.44,
            _ => 0.5,
        };
        let codes = [97, 99, 101, 105, 110, 111, 233, 224];
        assert_eq!(Encoding::of(&codes, width), Encoding::Cork);
        // `ì` is as wide as `i`; in the encoding of the Czech fonts, the code is that of `ě`.
        let czech = |code| if code == 236 { 0.44 } else { width(code) };
        let codes = [97, 99, 101, 105, 110, 111, 233, 236];
        assert_eq!(Encoding::of(&codes, czech), Encoding::Open);
        // Most letters of Russian texts are there.
        let codes = [97, 99, 101, 224, 225, 228, 231, 233];
        assert_eq!(Encoding::of(&codes, |_| 0.5), Encoding::Open);
    }

    #[test]
    fn ligatures_tell_ot1() {
        assert_eq!(Encoding::of(&[12, 97, 123], |_| 0.5), Encoding::Ot1);
        assert_eq!(Encoding::of(&[21, 28, 97], |_| 0.5), Encoding::Open);
        assert_eq!(Encoding::of(&[97, 123], |_| 0.5), Encoding::Open);
        assert_eq!(Encoding::Ot1.letter(123).as_deref(), Some("–"));
        assert_eq!(Encoding::Ot1.letter(12).as_deref(), Some("fi"));
        assert_eq!(Encoding::Open.letter(123), None);
    }
}
