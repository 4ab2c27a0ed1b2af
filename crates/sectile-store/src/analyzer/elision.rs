//! Articles and other short words that are written before an apostrophe, as in `l'installation`, and endings behind one,
//! as in Polish `Kennedy'ego`.

use sectile_core::Span;

use super::fold::is_apostrophe;
use super::language::Language;
use super::length::has;

/// What is elided in French, Italian and Catalan.
const ELIDED: &[&str] = &[
    "anch", "c", "coll", "com", "cos", "d", "dagl", "dall", "degl", "dell", "dov", "gl", "j",
    "jusqu", "l", "lorsqu", "m", "n", "nell", "puisqu", "qu", "qual", "quand", "quant", "quell",
    "quest", "quoiqu", "s", "sull", "t", "un", "all", "negl", "sugl", "v",
];

/// In a document of another language less than this may be a contraction.
const LEAST: usize = 3;

/// The fewest letters of a name before an ending: `O'Neill` has none.
const SHORTEST_NAME: usize = 2;

/// Returns the endings that a language writes behind an apostrophe: in Polish and Estonian after names that are spoken in
/// another way than they are written, in Danish and Norwegian after abbreviations, in German after names.
#[rustfmt::skip]
const fn endings(language: Language) -> &'static [&'static str] {
    match language {
        Language::Danish | Language::Norwegian => {
            &["en", "ene", "ens", "er", "ere", "erne", "ernes", "et", "ets", "s"]
        }
        Language::Estonian => &[
            "a", "d", "de", "ga", "i", "iga", "iks", "il", "ile", "ilt", "is", "isse", "ist", "it", "ks", "l", "le",
            "lt", "ni", "s", "sse", "st", "t", "ta", "te",
        ],
        Language::German => &["s", "sche", "schem", "schen", "scher", "sches"],
        Language::Polish => &[
            "a", "ach", "ami", "e", "ego", "em", "emu", "go", "i", "ich", "ie", "im", "imi", "m", "mi", "mu", "om", "owi",
            "owie", "u", "y", "ych", "ym", "ymi", "ą", "ę", "ów",
        ],
        _ => &[],
    }
}

/// Returns the part of a word without what is elided before it, or without the ending behind its apostrophe.
pub(super) fn without(word: &str, language: Language) -> Span {
    let all = Span::new(0, word.len());
    let Some(at) = word.find(is_apostrophe) else {
        return all;
    };
    let after = at + word[at..].chars().next().map_or(1, char::len_utf8);
    // In Turkish the endings of names stand after it.
    if language == Language::Turkish || is_ending(word, at, after, language) {
        return Span::new(0, at);
    }
    let elides = matches!(
        language,
        Language::French | Language::Italian | Language::Catalan
    );
    let is_elided = ELIDED
        .iter()
        .any(|elided| elided.eq_ignore_ascii_case(&word[..at]));
    let is_word = elides || has(&word[after..], LEAST);
    if is_elided && is_word && after < word.len() {
        Span::new(after, word.len())
    } else {
        all
    }
}

/// Returns whether what stands behind an apostrophe is an ending of a language, and what stands before it a name.
fn is_ending(word: &str, at: usize, after: usize, language: Language) -> bool {
    let mut endings = endings(language).iter();
    let is_one = endings.any(|ending| ending.eq_ignore_ascii_case(&word[after..]));
    is_one && has(&word[..at], SHORTEST_NAME)
}
