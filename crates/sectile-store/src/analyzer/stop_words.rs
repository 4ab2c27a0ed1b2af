//! Words that tell documents apart so little that a question does better without them.

mod latin;
mod lists;
mod rivals;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::elision;
use super::fold::{folded, lowered};
use super::language::{Language, Languages, Script};
use super::letters;
use super::scan::{self, WordKind};
use super::shares::LanguageShares;
use super::short;
use super::word::joined;
pub(super) use latin::is_latin;
use latin::{begins_with_more_latin, is_mostly_latin};
use lists::{has_no_words, listed, words_of};
use rivals::Rivals;

/// The stop words as they are [written](plain): others have the same stem, such as `owned` and `willing`.
const STOP_WORDS: &str = "\
    a about above after again against all am an and any are arent as at be because been before being below \
    between both but by can cannot cant could couldn couldnt did didn didnt do does doesn doesnt doing \
    dont down during each eg etc few for from further had hadn hadnt has hasn hasnt have havent having he \
    her here heres hers herself him himself his how hows i ie if im in into is isnt it its itself ive let \
    lets me more most mostly my myself no nor not of off on once only or other others ought our ours \
    ourselves out over own same shant she should shouldn shouldnt so some such than that thats the their \
    theirs them themselves then there theres these they theyd theyll theyre theyve this those through to \
    too under until up versus very vs was wasn wasnt we were weren werent weve what whats when where \
    wheres which while who whom whos whose why will with wont would wouldn wouldnt you youd youll your \
    youre yours yourself yourselves youve";

/// Returns whether a word of English, in lower case and without apostrophes, is a stop word.
pub(super) fn contains(word: &str) -> bool {
    static WORDS: OnceLock<FxHashSet<&str>> = OnceLock::new();
    let words = WORDS.get_or_init(|| STOP_WORDS.split(' ').collect());
    words.contains(word)
}

/// Those of English that only build sentences: beside another word they say nothing of it, as in
/// `the index`, while `if statement` is not `statement`. Sorted.
const FRAME: &[&str] = &[
    "a", "an", "and", "are", "be", "can", "could", "did", "do", "does", "how", "i", "is", "me",
    "my", "of", "or", "s", "should", "that", "the", "there", "these", "this", "to", "versus", "vs",
    "was", "we", "were", "what", "when", "where", "which", "would", "you", "your",
];

/// The stop words of a question: those of the language that it is most likely in, and those that are some in every
/// language that it may be in.
pub(crate) struct StopWords {
    asked: Language,
    /// The language that the question tells.
    told: Option<Language>,
    /// Whether one of its words alone is a stop word of that language.
    is_only_one: bool,
    /// What it is written in: words in another script are names.
    script: Script,
    /// Whether it has a Latin letter with a mark.
    has_marks: bool,
    /// The languages that it may be in.
    languages: Vec<Language>,
    /// Those that share most of its stop words, where none is told: what is a stop word of each is one whichever it is.
    tied: Vec<Language>,
}

/// Stop words of other languages that are ordinary words of English: one alone does not tell a question from English.
/// Sorted.
#[rustfmt::skip]
const ALSO_ENGLISH: &[&str] = &[
    "all", "also", "are", "care", "cat", "certain", "come", "comment", "different", "due", "end", "even", "exact",
    "far", "final", "fine", "force", "general", "go", "here", "hit", "just", "later", "like", "local", "man", "min",
    "mind", "miss", "most", "multi", "multiple", "net", "non", "one", "over", "part", "per", "plus", "pod",
    "possible", "post", "pour", "pure", "recent", "relative", "sans", "see", "sense", "sent", "son", "start",
    "state", "stop", "store", "sub", "tag", "take", "ten", "total", "under", "unique", "via", "want", "was", "will",
    "word", "zero",
];

/// The fewest stop words that speak for a rare language: most other texts have one or two of them.
pub(super) const LEAST_OF_RARE: usize = 3;

/// The fewest words of a question whose language one stop word tells, where it may be English as well.
const FEWEST_TOLD_BY_ONE: usize = 3;

/// The fewest stop words by which a question in Latin script that has words in another one is in the first.
const FEWEST_OF_QUOTING: usize = 2;

/// The fewest stop words that languages share of a question that is in one of them.
const FEWEST_OF_TIED: usize = 2;

impl StopWords {
    /// Reads which language a question is in, of which documents are in some languages: the one that its script
    /// and its letters leave, that it has most stop words of, or that its letters in a row tell. A few words that may as
    /// well be in another language tell none.
    pub(crate) fn of(text: &str, languages: &[Language]) -> Self {
        Self::among(text, languages, LanguageShares::UNKNOWN)
    }

    /// Reads it where it is known how many of the documents are in which language: one that few are in has to speak
    /// clearly, and what tells nothing is in the only one that more than a few are in.
    pub(crate) fn among(text: &str, languages: &[Language], shares: LanguageShares) -> Self {
        let words = words_in(text, languages);
        let script = Script::of_letters(text);
        let written = short::written_in(text, languages);
        if script == Script::Latin || is_mostly_latin(text) || begins_with_more_latin(text) {
            let votes = Votes::of(&words, &with_english(languages), shares);
            let is_quoting = votes.most >= FEWEST_OF_QUOTING || written.is_empty();
            if script == Script::Latin || is_quoting {
                // What language it is in makes a difference only where documents are in several.
                let rivals = (languages.len() > 1).then(|| Rivals::of(text, &words));
                let leave = |of: &Language| {
                    let rivals = rivals.as_ref();
                    rivals.is_none_or(|all| all.leave(*of, votes.with_asking, languages, shares))
                };
                let agrees = |of| rivals.as_ref().is_none_or(|all| all.agree(of));
                let by_votes = votes.told(words.len(), languages, shares);
                let told = by_votes.filter(leave);
                let told = told.or_else(|| short::language(text, languages, shares, agrees));
                let likely = told.or(by_votes);
                let stop_words = Self::told(likely, &votes, Script::Latin, languages.to_vec());
                let has_marks = letters::of(text).next().is_some();
                return Self {
                    told,
                    has_marks,
                    ..stop_words
                };
            }
        }
        let votes = Votes::of(&words, &written, shares);
        let only = match *written {
            [only] => Some(only),
            _ => None,
        };
        let told = only.or_else(|| votes.told(words.len(), &written, shares));
        let told = told.or_else(|| short::language(text, &written, shares, |_| true));
        Self::told(told, &votes, script, written)
    }

    fn told(
        told: Option<Language>,
        votes: &Votes,
        script: Script,
        languages: Vec<Language>,
    ) -> Self {
        Self {
            asked: told.unwrap_or(Language::English),
            told,
            is_only_one: votes.most == 1,
            script,
            has_marks: false,
            languages,
            tied: if told.is_none() {
                votes.tied.clone()
            } else {
                Vec::new()
            },
        }
    }

    /// Returns the language of the question, if that tells it.
    pub(crate) const fn language(&self) -> Option<Language> {
        self.told
    }

    /// Returns whether a word as it was typed is so common that a question with other words does better
    /// without it.
    pub(crate) fn has(&self, word: &str) -> bool {
        let is_one = |language: &Language| self.has_in(word, *language);
        let is_of_asked = || self.has_in(word, self.asked);
        let is_flag = word.starts_with('-');
        let is_name = Script::of(word) != self.script;
        let is_of_each = |all: &[Language]| !all.is_empty() && all.iter().all(is_one);
        let is_common = is_of_asked() || is_of_each(&self.languages) || is_of_each(&self.tied);
        !is_flag && !is_name && is_common
    }

    /// Says so for a language. In a question that is typed with the tones of Vietnamese, a word without any is
    /// another one: `di` is not `đi`.
    fn has_in(&self, word: &str, language: Language) -> bool {
        let is_plain = self.has_marks && letters::of(word).next().is_none();
        let is_other =
            is_plain && language == Language::Vietnamese && !lists::is_plain_vietnamese(word);
        !is_other && has_only_stop_words(word, language)
    }

    /// Returns whether the question is in a language that writes all nouns with capitals, and other words without.
    pub(crate) fn have_nouns_capitals(&self) -> bool {
        let is_only = matches!(*self.languages, [Language::German]);
        self.asked == Language::German || self.told.is_none() && is_only
    }

    /// Returns whether one of them only builds sentences, so that it says nothing of the word beside it. Of
    /// other languages than English that is not known, and most do where a question has several.
    pub(crate) fn is_frame(&self, word: &str) -> bool {
        let is_english = self.asked == Language::English && self.tied.is_empty();
        let is_of_other = !is_english && !self.is_only_one;
        is_of_other || FRAME.binary_search(&&*plain(word)).is_ok()
    }
}

/// Returns whether a word of a question in a language is a stop word, or nothing but such words with an elision or
/// hyphens, as of French `j'ai` and `peut-on`.
fn has_only_stop_words(word: &str, language: Language) -> bool {
    let is_one = |word: &str| is_stop_word(word, language) || only_asks(word, language);
    if is_one(word) || language == Language::English {
        return is_one(word);
    }
    let kept = elision::without(word, language).of(word);
    let has_several = kept.len() < word.len() || kept.contains('-');
    has_several && kept.split('-').all(is_one)
}

/// Returns whether a word is one of those that questions of a language do without, and that tell no text.
fn only_asks(word: &str, language: Language) -> bool {
    languages_that_ask(word).has(language)
}

/// Returns the languages whose questions do without a word that tells no text.
fn languages_that_ask(word: &str) -> Languages {
    let found = lists::asking_words().get(&*written(word)).copied();
    found.unwrap_or(Languages::NONE)
}

/// Returns whether what begins with a word is a question in some language, though no question mark ends it.
pub(crate) fn opens_question(word: &str) -> bool {
    lists::opening_words().contains(&*lowered(word))
}

/// A word of a question.
struct QuestionWord<'q> {
    /// As it was typed.
    typed: &'q str,
    /// The languages that it is a stop word of, among those that may be asked for.
    stops: Languages,
    /// The languages whose questions do without it.
    asking: Languages,
}

/// How many words of a question are stop words of some languages.
struct Votes {
    /// Those of the likeliest language, which comes before others that have as many.
    most: usize,
    likeliest: Option<Language>,
    /// Those of the likeliest language with the words that only ask in it.
    with_asking: usize,
    /// The languages that are as likely, if there are several: other ones than English, with several stop words each.
    tied: Vec<Language>,
    /// Whether no other language has as many, or only a rare one, one that few documents are in where more are in this
    /// one, or English, where it comes last.
    is_only: bool,
    /// Whether the first of them is an ordinary word of English too.
    is_english_word: bool,
}

impl Votes {
    fn of(words: &[QuestionWord<'_>], languages: &[Language], shares: LanguageShares) -> Self {
        // A capital alone is a name or a unit, but for the first word.
        let is_name = |at: usize| at > 0 && matches!(words[at].typed.as_bytes(), [b'A'..=b'Z']);
        let voting = |language: Language| {
            let places = (0..words.len()).filter(move |at| !is_name(*at));
            places.filter(move |at| words[*at].stops.has(language))
        };
        let count = |language: Language| match voting(language).count() {
            few if few < LEAST_OF_RARE && shares.is_rare(language) => 0,
            count => count,
        };
        let with_asking = |language: Language| {
            let both = words.iter().map(|of| of.stops.or(of.asking));
            both.filter(|of| of.has(language)).count()
        };
        let counts = languages.iter();
        let counts = counts.map(|of| (count(*of), with_asking(*of), *of));
        let mut counts: Vec<_> = counts.collect();
        let is_slight = |of: Language| (shares.has_few(of), shares.is_rare(of));
        counts.sort_by_key(|(count, _, of)| (Reverse(*count), is_slight(*of)));
        put_first_that_asks(&mut counts, is_slight);
        let first = counts.first().copied();
        let (most, asking_too) = first.map_or((0, 0), |(most, all, _)| (most, all));
        let likeliest = first.map(|(.., likeliest)| likeliest);
        let equal = counts.iter().filter(|(count, ..)| *count == most);
        let tied: Vec<Language> = equal.clone().map(|(.., of)| *of).collect();
        let is_slighter =
            |of: Language| likeliest.is_some_and(|first| is_slight(first) < is_slight(of));
        let first = likeliest.and_then(|of| voting(of).next());
        let is_open =
            tied.len() > 1 && most >= FEWEST_OF_TIED && !tied.contains(&Language::English);
        Self {
            most,
            likeliest,
            with_asking: asking_too,
            tied: if is_open { tied } else { Vec::new() },
            is_only: equal.skip(1).all(|(_, all, of)| {
                let is_behind = Some(Language::English) != likeliest && *all < asking_too;
                is_behind || *of == Language::English || is_slighter(*of) || shares.is_rare(*of)
            }),
            is_english_word: first.is_some_and(|at| is_also_english(words[at].typed)),
        }
    }

    /// Returns the language that they tell of a question of so many words, of which documents are in some
    /// languages. One stop word does not tell one that few documents are in.
    fn told(
        &self,
        words: usize,
        languages: &[Language],
        shares: LanguageShares,
    ) -> Option<Language> {
        let likeliest = self.likeliest?;
        // English names have words that are stop words elsewhere: `die casting`, `vitamin K`.
        let may_be_name = self.most == 1
            && (words < FEWEST_TOLD_BY_ONE || self.is_english_word)
            && likeliest != Language::English
            && languages.contains(&Language::English)
            && !shares.has_few(Language::English);
        let is_chance = self.with_asking == 1 && shares.has_few(likeliest);
        (self.most > 0 && self.is_only && !may_be_name && !is_chance).then_some(likeliest)
    }
}

/// Puts the language first that has most words of a question with those that only ask in it, among those that have as many
/// stop words and as many documents as the first one, in order: of English it is not known which words only ask.
fn put_first_that_asks<K: PartialEq>(
    counts: &mut [(usize, usize, Language)],
    is_slight: impl Fn(Language) -> K,
) {
    let Some(&(most, _, first)) = counts.first() else {
        return;
    };
    let is_equal = |&(count, _, of): &(usize, usize, Language)| {
        count == most && of != Language::English && is_slight(of) == is_slight(first)
    };
    let equal = counts.iter().enumerate().filter(|(_, of)| is_equal(of));
    let best = equal.min_by_key(|(_, (_, all, _))| Reverse(*all));
    let place = best.map(|(place, _)| place);
    if let Some(place) = place.filter(|_| first != Language::English) {
        counts[..=place].rotate_right(1);
    }
}

/// Returns the languages of documents and English: first where they are in English too, and otherwise last, as it may be
/// the language of the question all the same.
fn with_english(languages: &[Language]) -> Vec<Language> {
    let english = std::iter::once(Language::English);
    let others = languages.iter().copied();
    let others = others.filter(|of| *of != Language::English);
    if languages.is_empty() || languages.contains(&Language::English) {
        english.chain(others).collect()
    } else {
        others.chain(english).collect()
    }
}

/// Returns the words of a question to documents in some languages, but for flags.
fn words_in<'q>(text: &'q str, languages: &[Language]) -> Vec<QuestionWord<'q>> {
    let mut words = Vec::new();
    scan::words(text, |word| {
        if word.kind == WordKind::Word && !text[word.span.start..].starts_with('-') {
            let typed = word.span.of(text);
            let stops = stops_among(typed, languages);
            let asking = languages_that_ask(typed);
            words.push(QuestionWord {
                typed,
                stops,
                asking,
            });
        }
    });
    words
}

/// Returns the languages that a word is a stop word of: where documents are in several, all in Latin script are looked at,
/// as the question may be in any.
fn stops_among(word: &str, languages: &[Language]) -> Languages {
    let is_latin = is_latin(word);
    let (all, others) = if languages.len() > 1 {
        let is_other = |of: &&Language| of.is_latin() != is_latin;
        (
            languages_of(word),
            languages.iter().filter(is_other).copied().collect(),
        )
    } else {
        (Languages::NONE, with_english(languages))
    };
    let others = others.into_iter().filter(|of| is_stop_word(word, *of));
    all.or(others.collect())
}

/// Returns whether a word as it was typed is a stop word of a language. It may be typed without its accents, but
/// one with other accents is another word (`ändern` and `andern`).
pub(super) fn is_stop_word(word: &str, language: Language) -> bool {
    match language {
        // A word with a letter that English lacks is none of it: Turkish `iş` is not `is`.
        Language::English => letters::of(word).next().is_none() && contains(&plain(word)),
        language if has_no_words(language) => false,
        _ => words_of(language).contains(&*written(&joined(word))),
    }
}

/// Returns whether a word is a stop word of English, or an ordinary word of it that is a stop word elsewhere.
pub(super) fn is_english(word: &str) -> bool {
    is_stop_word(word, Language::English) || is_also_english(word)
}

fn is_also_english(word: &str) -> bool {
    ALSO_ENGLISH.binary_search(&&*plain(word)).is_ok()
}

/// Returns the languages that a word as it was typed is a [stop word](is_stop_word) of.
pub(super) fn languages_of(word: &str) -> Languages {
    let found = listed(is_latin(word))
        .get(&*written(&joined(word)))
        .copied();
    let others = found.unwrap_or(Languages::NONE);
    if is_stop_word(word, Language::English) {
        others.or(Languages::only(Language::English))
    } else {
        others
    }
}

/// Returns a word as the sets of stop words have it: with the accents that it has, if it is Latin.
fn written(word: &str) -> Cow<'_, str> {
    let has_accents = letters::of(word).next().is_some();
    if has_accents {
        lowered(word)
    } else {
        folded(word)
    }
}

/// Returns a word of English in lower case, without accents and apostrophes, and without the `'s` at its end.
fn plain(word: &str) -> Cow<'_, str> {
    // Most words are no more than this.
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    let joined = joined(word);
    let folded = folded(&joined);
    let bare = folded.strip_suffix("'s").unwrap_or(&folded);
    Cow::Owned(bare.replace('\'', ""))
}

/// Returns whether the stop words of a language are known.
pub(super) fn are_known(language: Language) -> bool {
    language == Language::English || !words_of(language).is_empty()
}

#[cfg(test)]
mod tests;
