//! Light stems of Arabic and Hebrew: articles and other short words that are written as one with what
//! follows, and endings, are cut.

/// What is cut off Arabic words, after Larkey, Ballesteros and Connell, "Light Stemming for Arabic
/// Information Retrieval" (2007), light10. Each with how many letters have to be left.
const ARABIC_BEGINNINGS: &[(&str, usize)] = &[
    ("وال", 2),
    ("بال", 2),
    ("كال", 2),
    ("فال", 2),
    ("ال", 2),
    ("لل", 2),
    ("و", 3),
];
const ARABIC_ENDINGS: &[&str] = &["ها", "ان", "ات", "ون", "ين", "يه", "ية", "ه", "ة", "ي"];

/// The letters that stand before Hebrew words: and, the, in, to, from, as, that.
const HEBREW_BEGINNINGS: &[char] = &['ו', 'ה', 'ב', 'ל', 'מ', 'כ', 'ש'];
const HEBREW_ENDINGS: &[&str] = &["יות", "ים", "ות", "ה", "ת"];

/// The least number of letters that is left of a Hebrew word.
const LEAST_HEBREW: usize = 3;

/// Returns the stem of a folded Arabic word.
pub(super) fn arabic(word: &str) -> &str {
    let cut = |&(beginning, least): &(&str, usize)| {
        word.strip_prefix(beginning).filter(|rest| has(rest, least))
    };
    let mut stem = ARABIC_BEGINNINGS.iter().find_map(cut).unwrap_or(word);
    for ending in ARABIC_ENDINGS {
        stem = stem
            .strip_suffix(ending)
            .filter(|rest| has(rest, 2))
            .unwrap_or(stem);
    }
    stem
}

/// Returns the stem of a folded Hebrew word.
pub(super) fn hebrew(word: &str) -> &str {
    let mut stem = word;
    let is_left = |rest: &&str| has(rest, LEAST_HEBREW);
    while let Some(rest) = stem.strip_prefix(HEBREW_BEGINNINGS).filter(is_left) {
        stem = rest;
    }
    let cut = |ending: &&str| stem.strip_suffix(*ending).filter(is_left);
    HEBREW_ENDINGS.iter().find_map(cut).unwrap_or(stem)
}

fn has(word: &str, letters: usize) -> bool {
    word.chars().nth(letters - 1).is_some()
}
