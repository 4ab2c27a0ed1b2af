//! Telling the language of a text.

use std::collections::{BTreeMap, BTreeSet};

use super::composed::Composed;
use super::language::{Language, Languages};
use super::letters;
use super::scan::{is_kana, is_letter, is_unspaced};
use super::stop_words;

/// How much prose, in bytes, is looked at in each of so many places of a text.
const SAMPLE: usize = 400;
const PLACES: usize = 3;

/// How far prose is looked for from each place, in bytes.
const REACH: usize = 8 << 10;

/// English words that no other language has much of. Sorted.
const ENGLISH: &[&str] = &[
    "and", "are", "be", "by", "for", "from", "has", "have", "if", "is", "it", "of", "that", "the",
    "this", "to", "when", "which", "with", "you", "your",
];

/// One word in so many is one of these in text that may be English, and in text that is nothing else.
const ENGLISH_SHARE: usize = 10;
const SURE_SHARE: usize = 4;

/// How many different words of a text must be stop words of a language; it has more than any other.
const LEAST_STOP_WORDS: usize = 2;

/// How many words tell prose from code, and for how many words of prose there is a different stop word
/// at least.
const LEAST_WORDS: usize = 12;
const STOP_WORD_SHARE: usize = 20;

/// How many different stop words speak for another language than English of code and data, and how many for a language
/// whatever the detector says.
const LEAST_OF_CODE: usize = 4;
const LEAST_ALONE: usize = 4;

/// A language is told from another one by its stop words that the other lacks: there are so many more than twice as many
/// as the other has of its own.
const LEAST_AHEAD: usize = 2;

/// One word in so many has a letter beyond ASCII of the language of a text, and one in so many of prose has
/// some.
const LETTER_SHARE: usize = 25;
const LETTERS_SHARE: usize = 8;

/// One word in so many has a letter that a language lacks, if a text in its script is in another language.
const LACKING_SHARE: usize = 5;

/// One letter in so many of Japanese is kana, also where a text lists names; Chinese has some in a title that it quotes.
const KANA_SHARE: usize = 12;

impl Language {
    /// Detects the language of a text from its prose, without front matter and code. It is English
    /// if there is too little prose.
    pub fn detect(text: &str) -> Self {
        Self::detect_with(after_front_matter(text), is_prose, LEAST_STOP_WORDS)
    }

    /// Detects the language of code or data. It is English unless stop words or letters indicate
    /// another language, because most words in it are names.
    pub fn detect_in_code(text: &str) -> Self {
        Self::detect_with(text, is_prose_in_code, LEAST_OF_CODE)
    }

    /// Tells it where so many different stop words, or other prose, have to speak for another language than English.
    fn detect_with(text: &str, is_prose: impl Fn(&[Word<'_>], Self) -> bool, least: usize) -> Self {
        let sample = sample(text);
        let sample = Composed::of(&sample);
        let sample = sample.text();
        if let Some(language) = by_script(sample) {
            return language;
        }
        let english = english_words(sample);
        let has_english = |share: usize| english > 1 && english * share >= words(sample).count();
        if has_english(SURE_SHARE) {
            return Self::English;
        }
        let mut read: Vec<Word<'_>> = words(sample).map(Word::read).collect();
        // Scripts that few languages share tell more than words do.
        let is_latin = whatlang::detect_script(sample) == Some(whatlang::Script::Latin);
        // A page in another language may quote some English.
        let own = read.iter().filter(|word| !is_common_english(word.text));
        let own: Vec<Languages> = own.map(|word| word.stops).collect();
        let is_more = |language: Self| own.iter().filter(|of| of.has(language)).count() > english;
        let may_be_english = has_english(ENGLISH_SHARE) && is_latin;
        // Words are much cheaper to look at than whatever else tells the language.
        if may_be_english && !Self::all().any(is_more) {
            return Self::English;
        }
        read.iter_mut().for_each(Word::read_in_other_script);
        let stops = stops_of_each(&read);
        // Whatever letters the names in it have.
        let is_told = |of: &Self| may_be(&read, &stops, *of) && is_clear(&read, &stops, *of);
        let clear = Self::all().find(is_told);
        if let Some(language) = clear.filter(|of| !may_be_english || is_more(*of)) {
            return language;
        }
        let mut possible = possible(sample);
        possible.retain(|language| may_be(&read, &stops, *language));
        let Some(found) = Self::detector(&possible).detect(sample) else {
            return Self::English;
        };
        let language = Self::detected(found.lang().code());
        if may_be_english && !language.is_some_and(is_more) {
            return Self::English;
        }
        match language {
            Some(language) if !is_latin => in_script(language, found.is_reliable(), sample),
            Some(language) if found.is_reliable() && is_prose(&read, language) => language,
            _ => by_stop_words(&read, &possible, least),
        }
    }
}

/// A word of a sample.
struct Word<'t> {
    text: &'t str,
    /// The languages that it is a stop word of.
    stops: Languages,
}

impl<'t> Word<'t> {
    /// Reads a word, which is not a stop word yet if it is in another script than Latin: to read those lists takes long,
    /// and English has none of these words.
    fn read(text: &'t str) -> Self {
        let stops = if stop_words::is_latin(text) {
            stop_words::languages_of(text)
        } else {
            Languages::NONE
        };
        Self { text, stops }
    }

    fn read_in_other_script(&mut self) {
        if !stop_words::is_latin(self.text) {
            self.stops = stop_words::languages_of(self.text);
        }
    }

    /// Returns whether it is a stop word of a language, and neither a word of English as well nor a Roman numeral.
    fn is_sign_of(&self, language: Language) -> bool {
        let is_other = language != Language::English && stop_words::is_english(self.text);
        let is_numeral = self.text.bytes().all(|of| matches!(of, b'I' | b'V' | b'X'));
        self.stops.has(language) && !is_other && !is_numeral
    }

    /// Returns whether it has letters beyond ASCII, all of a language.
    fn is_lettered(&self, language: Language) -> bool {
        let letters: Vec<char> = letters::of(self.text).collect();
        !letters.is_empty() && letters::has_all(language, &letters)
    }
}

/// Tells the language of a text of which most bytes are of words in another script than Latin, by these: in a
/// text without spaces the words of a line of English are more than those of a page.
fn by_script(sample: &str) -> Option<Language> {
    let is_other = |word: &&str| !word.is_ascii() && letters::of(word).next().is_none();
    let (other, latin): (Vec<&str>, Vec<&str>) = words(sample).partition(is_other);
    let length = |words: &[&str]| words.iter().map(|word| word.len()).sum::<usize>();
    if length(&other) <= length(&latin) {
        return None;
    }
    let all: Vec<Language> = Language::all().collect();
    let other = other.join(" ");
    if has_kana(&other) {
        return Some(Language::Japanese);
    }
    let found = Language::detector(&all).detect(&other)?;
    let language = Language::detected(found.lang().code())?;
    (!language.is_latin()).then(|| in_script(language, found.is_reliable(), &other))
}

/// Returns whether as many letters of a text are kana as Japanese has at least.
fn has_kana(text: &str) -> bool {
    let letters = text.chars().filter(|of| of.is_alphabetic()).count();
    let kana = text.chars().filter(|of| is_kana(*of)).count();
    kana > 0 && kana * KANA_SHARE >= letters
}

/// Returns the language of a text in the script of one that was detected: the commonest in that script, unless the
/// letters of the text, or its stop words, are of another one. Of a few words the detector knows little. A text in none of
/// the languages that are known, such as one in Kazakh, counts as English: some would be told to be in one of these and
/// some in another, and be read differently.
fn in_script(found: Language, is_reliable: bool, text: &str) -> Language {
    let common = found.commonest();
    let is_of_script = |of: &Language| of.commonest() == common;
    if Language::all()
        .filter(is_of_script)
        .all(|of| is_foreign_to(of, text))
    {
        return Language::English;
    }
    let is_possible = |of: &Language| is_of_script(of) && letters::fits(*of, text);
    if found == common && is_possible(&found) {
        return found;
    }
    let possible: Vec<Language> = Language::all().filter(is_possible).collect();
    if let [only] = *possible {
        return only;
    }
    // Nothing else speaks for a language whose stop words are not known.
    if !possible.contains(&common) || is_reliable && !stop_words::are_known(found) {
        return found;
    }
    let mut read: Vec<Word<'_>> = words(text).map(Word::read).collect();
    read.iter_mut().for_each(Word::read_in_other_script);
    most_stop_words(&read, &possible, LEAST_STOP_WORDS).unwrap_or(common)
}

/// Returns whether many words of a text have letters that a language lacks.
fn is_foreign_to(language: Language, text: &str) -> bool {
    let is_lacking = |word: &&str| letters::lacks(language, word);
    let lacking = words(text).filter(is_lacking).count();
    lacking > 1 && lacking * LACKING_SHARE >= words(text).count()
}

/// Returns the languages that a text may be in by its letters; all where no language in Latin script has those
/// that more than a few words have, as in a text that is in two.
fn possible(sample: &str) -> Vec<Language> {
    let mut counts: BTreeMap<char, usize> = BTreeMap::new();
    let mut count = 0;
    for word in words(sample) {
        count += 1;
        let of_word: BTreeSet<char> = letters::of(word).collect();
        for letter in of_word {
            *counts.entry(letter).or_default() += 1;
        }
    }
    counts.retain(|_, having| *having * LETTER_SHARE >= count);
    let common: Vec<char> = counts.into_keys().collect();
    let has_common = |language: &Language| letters::has_all(*language, &common);
    let (latin, other): (Vec<_>, Vec<_>) = Language::all().partition(|of| of.is_latin());
    let having: Vec<Language> = latin.iter().copied().filter(has_common).collect();
    let latin = if having.is_empty() { latin } else { having };
    latin.into_iter().chain(other).collect()
}

/// Returns whether a text is prose of a language: it has as many different stop words at least, or a single one or a
/// letter of it among a few words, if the stop words of the language are known, or letters that only prose has. Names
/// in code are seldom some, and then the same ones. What English has too, as `in` and `to`, is no sign.
fn is_prose(words: &[Word<'_>], language: Language) -> bool {
    let is_short = words.len() < LEAST_WORDS;
    let has_enough = || is_short || has_stop_words(words, language, LEAST_STOP_WORDS);
    has_any_sign(words, language) && has_enough()
        || is_lettered(words, language)
        || !stop_words::are_known(language)
}

/// Returns whether code or data has prose of a language.
fn is_prose_in_code(words: &[Word<'_>], language: Language) -> bool {
    has_stop_words(words, language, LEAST_OF_CODE) || is_lettered(words, language)
}

/// Returns whether a text has a stop word of a language that English lacks, or a word with letters beyond ASCII that are
/// all of it.
fn has_any_sign(words: &[Word<'_>], language: Language) -> bool {
    let is_own = |of: &&Word<'_>| of.is_sign_of(language);
    let own = words.iter().filter(is_own);
    !stops_of_each(own).is_empty() || words.iter().any(|of| of.is_lettered(language))
}

/// Returns whether a text has at least so many different stop words of a language, and enough for its length.
fn has_stop_words(words: &[Word<'_>], language: Language, least: usize) -> bool {
    let different = different_stop_words(words, language);
    different >= least && different * STOP_WORD_SHARE >= words.len()
}

/// Returns whether many words have letters beyond ASCII, all of a language.
fn is_lettered(words: &[Word<'_>], language: Language) -> bool {
    let lettered = words.iter().filter(|of| of.is_lettered(language)).count();
    lettered > 1 && lettered * LETTERS_SHARE >= words.len()
}

/// Returns whether a text may be in a language: a rare one has to be ahead of all others, and hardly a word of
/// Vietnamese is without a mark.
fn may_be(words: &[Word<'_>], stops: &[Languages], language: Language) -> bool {
    let is_evident = || {
        let own = different_stop_words(words, language);
        own >= stop_words::LEAST_OF_RARE && is_ahead(stops, language)
    };
    let is_marked = || words.iter().any(|of| of.is_lettered(language));
    (!language.is_rare() || is_evident()) && (language != Language::Vietnamese || is_marked())
}

/// Returns whether the stop words of a text alone tell that it is in a language.
fn is_clear(words: &[Word<'_>], stops: &[Languages], language: Language) -> bool {
    language.is_latin() && has_stop_words(words, language, LEAST_ALONE) && is_ahead(stops, language)
}

/// Returns whether a text has many more stop words that a language has and another one lacks than the other way round,
/// for each other language: most of those that it has are shared by languages that are close, such as Catalan and
/// Spanish.
fn is_ahead(stops: &[Languages], language: Language) -> bool {
    let only = |of: Language, without: Language| {
        let own = stops.iter().filter(|all| all.has(of) && !all.has(without));
        own.count()
    };
    let mut others = Language::all().filter(|of| of.is_latin() && *of != language);
    others.all(|other| only(language, other) >= LEAST_AHEAD + 2 * only(other, language))
}

fn words(sample: &str) -> impl Iterator<Item = &str> {
    sample.split(' ').filter(|word| !word.is_empty())
}

/// Counts the different stop words of a language.
fn different_stop_words(words: &[Word<'_>], language: Language) -> usize {
    let of_language = words.iter().filter(|word| word.stops.has(language));
    stops_of_each(of_language).len()
}

/// Returns the languages of each different stop word of more than one letter: code has single letters for names.
fn stops_of_each<'w, 't: 'w>(words: impl IntoIterator<Item = &'w Word<'t>>) -> Vec<Languages> {
    let stop_words = words
        .into_iter()
        .filter(|word| word.stops != Languages::NONE);
    let long = stop_words.filter(|word| word.text.chars().nth(1).is_some());
    let different: BTreeMap<String, Languages> = long
        .map(|word| (word.text.to_lowercase(), word.stops))
        .collect();
    different.into_values().collect()
}

/// Returns a text without the front matter that it begins with, whose keys are English; all of one that has nothing else.
fn after_front_matter(text: &str) -> &str {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let mark = first.trim_end();
    if !matches!(mark, "---" | "+++") {
        return text;
    }
    let mut at = first.len();
    for line in lines {
        at += line.len();
        if line.trim_end() == mark {
            let rest = &text[at..];
            return if rest.trim().is_empty() { text } else { rest };
        }
    }
    text
}

/// Returns what looks like prose in the text: lines outside fences and words without signs and digits
/// within, a few hundred bytes of each third.
fn sample(text: &str) -> String {
    let mut sample = String::with_capacity((SAMPLE + 64) * PLACES);
    let (mut at, mut is_fenced, mut place) = (0, false, 0);
    let (mut read, mut most) = (0, 0);
    for line in text.split_inclusive('\n') {
        if place < PLACES && at >= text.len() / PLACES * place {
            (place, read, most) = (place + 1, 0, sample.len() + SAMPLE);
        }
        at += line.len();
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            is_fenced = !is_fenced;
        } else if !is_fenced && read < REACH && sample.len() < most {
            read += line.len();
            take_prose(line, most, &mut sample);
        }
    }
    sample
}

/// Adds the words of a line that are of letters alone, but for the punctuation round them. A text without spaces is one
/// word, of which what stands between digits, names and signs of ASCII is taken.
fn take_prose(line: &str, most: usize, sample: &mut String) {
    let is_sign = |c: char| matches!(c, '/' | '$' | '@' | '\\' | '=' | '#');
    let is_code = |c: char| c.is_ascii() && !c.is_ascii_alphabetic() && !matches!(c, '\'' | '-');
    for word in line.split_whitespace() {
        let word = word.trim_matches(|c: char| !is_letter(c) && !is_sign(c));
        if !word.contains(is_code) {
            take_word(word, most, sample);
        } else if is_mostly_unspaced(word) {
            for part in word.split(|c: char| c.is_ascii()) {
                take_word(part, most, sample);
            }
        }
        if sample.len() >= most {
            break;
        }
    }
}

/// Adds a word, or the beginning of a long one, unless there is enough.
fn take_word(word: &str, most: usize, sample: &mut String) {
    if !word.is_empty() && sample.len() < most {
        sample.push_str(&word[..word.floor_char_boundary(SAMPLE)]);
        sample.push(' ');
    }
}

/// Returns whether most bytes of a word are of characters that are written without spaces, unlike code that has a few in
/// quotes.
fn is_mostly_unspaced(word: &str) -> bool {
    let unspaced = word.chars().filter(|of| is_unspaced(*of));
    let unspaced: usize = unspaced.map(char::len_utf8).sum();
    unspaced * 2 > word.len()
}

/// Counts the commonest words of English in a text.
fn english_words(sample: &str) -> usize {
    words(sample).filter(|word| is_common_english(word)).count()
}

fn is_common_english(word: &str) -> bool {
    let mut lower = [0; 5];
    let Some(lower) = lower.get_mut(..word.len()) else {
        return false;
    };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    let known = ENGLISH.binary_search_by(|common| common.as_bytes().cmp(lower));
    known.is_ok()
}

/// Tells the language of a short text by its stop words, if at least so many tell.
fn by_stop_words(words: &[Word<'_>], possible: &[Language], least: usize) -> Language {
    let most = most_stop_words(words, possible, least);
    let is_prose = |language: &Language| {
        let has_enough = || has_stop_words(words, *language, least);
        has_any_sign(words, *language) && has_enough() || is_lettered(words, *language)
    };
    most.filter(is_prose).unwrap_or_default()
}

/// Returns the language of which a text has most different stop words, at least so many.
fn most_stop_words(words: &[Word<'_>], possible: &[Language], least: usize) -> Option<Language> {
    let mut counts: Vec<_> = possible
        .iter()
        .map(|&language| (different_stop_words(words, language), language))
        .collect();
    counts.sort_unstable_by_key(|(count, _)| std::cmp::Reverse(*count));
    match *counts {
        [(most, language), (next, _), ..] if most >= least && most > next => Some(language),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
