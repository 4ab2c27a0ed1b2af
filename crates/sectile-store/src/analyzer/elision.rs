//! Articles and other short words that are written before an apostrophe, as in `l'installation`.

use sectile_core::Span;

use super::fold::is_apostrophe;
use super::language::Language;
use super::length::has;

/// What is elided in French, Italian and Catalan.
const ELIDED: &[&str] = &[
    "anch", "c", "coll", "d", "dagl", "dall", "degl", "dell", "gl", "j", "jusqu", "l", "lorsqu",
    "m", "n", "nell", "puisqu", "qu", "quell", "quest", "quoiqu", "s", "sull", "t", "un", "all",
    "negl", "sugl", "v",
];

/// In a document of another language less than this may be a contraction.
const LEAST: usize = 3;

/// Returns the part of a word without what is elided before it.
pub(super) fn without(word: &str, language: Language) -> Span {
    let all = Span::new(0, word.len());
    let Some(at) = word.find(is_apostrophe) else {
        return all;
    };
    let after = at + word[at..].chars().next().map_or(1, char::len_utf8);
    // In Turkish the endings of names stand after it.
    if language == Language::Turkish {
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
