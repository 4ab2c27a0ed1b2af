//! The lists of stop words of other languages than English, and the corrections of these.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::analyzer::fold::{folded, lowered};
use crate::analyzer::language::{Language, Languages};
use crate::analyzer::word::joined;

/// By language, which words of the lists build sentences and which do not, and which others do.
pub(super) const CORRECTIONS: &str = include_str!("../stop_words.txt");

/// Returns whether what is in the list of a language is never a word of a text: pairs of characters are none, see
/// [`asking`](crate::analyzer::asking).
pub(super) const fn has_no_words(language: Language) -> bool {
    matches!(language, Language::Chinese | Language::Korean)
}

/// Returns the languages but English whose lists have a word, for each word of those in Latin script, or of all others: to
/// read these takes much longer, and few texts need them.
pub(super) fn listed(is_latin: bool) -> &'static FxHashMap<&'static str, Languages> {
    static LISTED: [OnceLock<FxHashMap<&str, Languages>>; 2] = [const { OnceLock::new() }; 2];
    LISTED[usize::from(is_latin)].get_or_init(|| {
        let has_list = |of: &Language| *of != Language::English && !has_no_words(*of);
        let languages = Language::all().filter(|of| has_list(of) && of.is_latin() == is_latin);
        by_word(languages.flat_map(|of| words_of(of).iter().map(move |word| (&**word, of))))
    })
}

/// Gathers the languages of each word.
fn by_word(
    words: impl Iterator<Item = (&'static str, Language)>,
) -> FxHashMap<&'static str, Languages> {
    let mut all = FxHashMap::default();
    for (word, language) in words {
        let known = all.entry(word).or_insert(Languages::NONE);
        *known = known.or(Languages::only(language));
    }
    all
}

/// Returns the languages whose questions do without a word that tells no text, for each such word.
pub(super) fn asking_words() -> &'static FxHashMap<&'static str, Languages> {
    static WORDS: OnceLock<FxHashMap<&str, Languages>> = OnceLock::new();
    WORDS.get_or_init(|| {
        by_word(Language::all().flat_map(|of| asking(of).map(move |word| (word, of))))
    })
}

/// Returns the words with which questions of some language begin, and hardly any message of a program.
pub(super) fn opening_words() -> &'static FxHashSet<&'static str> {
    static WORDS: OnceLock<FxHashSet<&str>> = OnceLock::new();
    WORDS.get_or_init(|| {
        Language::all()
            .flat_map(|of| corrected(of, "opens"))
            .collect()
    })
}

/// Returns the stop words of another language than English, as they are written and folded.
pub(super) fn words_of(language: Language) -> &'static FxHashSet<String> {
    static WORDS: [OnceLock<FxHashSet<String>>; Language::COUNT] =
        [const { OnceLock::new() }; Language::COUNT];
    WORDS[language as usize].get_or_init(|| {
        let listed = stop_words::lookup(language.code()).unwrap_or_default();
        let mut words = FxHashSet::default();
        for word in kept(listed, language) {
            let word = joined(word);
            if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
                words.insert(word);
                continue;
            }
            words.insert(folded(&word).into_owned());
            // Romanian is written with cedillas too.
            words.insert(lowered(&word).replace('ş', "ș").replace('ţ', "ț"));
            words.insert(lowered(&word).into_owned());
        }
        words
    })
}

/// Returns whether a stop word of Vietnamese is written without any marks, as `khi` is.
pub(super) fn is_plain_vietnamese(word: &str) -> bool {
    static WORDS: OnceLock<FxHashSet<&str>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let listed = stop_words::lookup(Language::Vietnamese.code()).unwrap_or_default();
        let words = kept(listed, Language::Vietnamese).into_iter();
        let words = words.chain(asking(Language::Vietnamese));
        words.filter(|word| word.is_ascii()).collect()
    });
    words.contains(&*lowered(word))
}

/// Keeps the words of a list that build sentences, and adds those that it lacks: lists of other sources have some that
/// documents are about, and digits and signs, which are words of none.
fn kept(listed: &[&'static str], language: Language) -> Vec<&'static str> {
    let only: FxHashSet<&str> = corrected(language, "only").collect();
    let without: FxHashSet<&str> = corrected(language, "without").collect();
    let kept = listed.iter().copied().filter(|word| {
        let is_word = word.contains(char::is_alphabetic);
        is_word && !without.contains(word) && (only.is_empty() || only.contains(word))
    });
    kept.chain(corrected(language, "with")).collect()
}

/// Returns the words that questions of a language do without, by which no text is told, and those that open questions.
fn asking(language: Language) -> impl Iterator<Item = &'static str> {
    corrected(language, "asks").chain(corrected(language, "opens"))
}

/// Returns the words of a language that the corrections of a kind name.
fn corrected(language: Language, kind: &str) -> impl Iterator<Item = &'static str> {
    let rows = CORRECTIONS.lines().filter_map(move |line| {
        let rule = line.strip_prefix(language.code())?.strip_prefix(' ')?;
        rule.strip_prefix(kind)?.strip_prefix(' ')
    });
    rows.flat_map(|words| words.split(' '))
}
