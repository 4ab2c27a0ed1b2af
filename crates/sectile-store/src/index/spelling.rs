//! Beginnings of words in a question, and words that no document has.

use std::cmp::Ordering;

use super::question_terms::Known;
use super::score::Size;
use super::search::Search;
use super::words::Suggestion;
use crate::analyzer::StopWords;
use crate::{Analyzer, Language, Query, Result, Variant};

/// How many words a beginning stands for at most, and how many where it is required or excluded.
const COMPLETIONS: usize = 64;
const COMPLETIONS_OF_CONDITION: usize = 1_024;

/// By how many words one that no document has is replaced at most.
pub(super) const CORRECTIONS: usize = 3;

/// How many words are looked at for these.
pub(super) const LOOKED_AT: usize = 20;

/// The more words of a question documents have, the less a correction counts: half of it beside so many.
const HALF_BESIDE: usize = 4;

/// What a correction counts by how many letters it differs.
const WEIGHTS: [f64; 3] = [1.0, 0.8, 0.6];

/// The shortest word that is corrected, in characters, and the shortest that may differ by two.
const SHORTEST: usize = 4;
const LONG: usize = 8;

/// The longest word that is corrected only by words with the accents that it was typed with.
const LONGEST_SHORT: usize = 4;

/// The longest word that many right words are like. A correction of one counts less, unless two letters are swapped.
const LONGEST_COMMON: usize = 5;
const COMMON_SHARE: f64 = 0.5;

/// The shortest word that may be a stop word with a letter typed twice or once, in characters.
const SHORTEST_DOUBLED: usize = 5;

/// The most parts of a compound that is corrected: each takes a search of its own.
const MOST_PARTS: usize = 16;

/// The fewest letters of each of two words that were typed as one.
const SHORTEST_OF_TWO: usize = 3;

/// Lets the words that documents have stand for the beginnings of a question.
pub(super) async fn complete(
    search: &mut Search<'_>,
    query: &mut Query,
    languages: &[Language],
) -> Result<()> {
    for place in query.beginnings() {
        let typed = query.typed(place).to_owned();
        let words = completions(search, query, &typed, COMPLETIONS).await?;
        let words = words.into_iter().map(|word| (word, 1.0)).collect();
        query.replace(place, words, languages);
    }
    for (place, typed) in query.beginnings_of_conditions() {
        query.forget_cut(&typed);
        let words = completions(search, query, &typed, COMPLETIONS_OF_CONDITION).await?;
        query.complete_condition(place, &words, languages);
    }
    Ok(())
}

/// Returns so many of the words that begin in a way, the most frequent, as documents write them, and notes where there are
/// more.
async fn completions(
    search: &mut Search<'_>,
    query: &mut Query,
    typed: &str,
    most: usize,
) -> Result<Vec<String>> {
    let most = query.completions_of_each(most);
    let start = typed.rfind(['-', '.']).map_or(0, |at| at + 1);
    let (before, beginning) = typed.split_at(start);
    let written = Analyzer::english().words(beginning);
    // Of an identifier the parts are words as well.
    let whole = written
        .iter()
        .map(|(word, _)| Analyzer::plain(word))
        .max_by_key(|word| word.len());
    let words = search.beginning_with(whole.unwrap_or_default(), most + 1);
    let mut words = words.await?;
    if words.len() > most {
        words.truncate(most);
        query.note_cut(typed, most);
    }
    let forms = words.into_iter().flat_map(|of| of.forms).take(most);
    Ok(forms.map(|form| format!("{before}{form}")).collect())
}

/// Replaces the words of a question that no document has by the nearest that documents have, and says
/// whether there were any.
pub(super) async fn correct(
    search: &mut Search<'_>,
    query: &mut Query,
    known: &Known,
    languages: &[Language],
) -> Result<bool> {
    let mut has_corrected = correct_exclusions(search, query, known, languages).await?;
    let held = query.held_words(|of| known.chunks_with(of));
    // From the last on, as the places of those before stay.
    for place in query.unknown(|of| known.chunks_with(of)).into_iter().rev() {
        let typed = query.typed(place).to_owned();
        let nearest = corrections(search, known, &typed, languages).await?;
        if let Some(stop_word) = &nearest.stop_word
            && query.leave_out(place, stop_word)
        {
            continue;
        }
        let words = beside(held, nearest.any());
        has_corrected |= !words.is_empty();
        query.correct(place, words, languages, |of| known.chunks_with(of));
    }
    Ok(has_corrected)
}

/// Lets words that only resemble one count less beside others that documents have.
pub(super) fn beside(held: usize, mut words: Vec<(String, f64)>) -> Vec<(String, f64)> {
    let factor = HALF_BESIDE as f64 / (HALF_BESIDE + held) as f64;
    for (_, weight) in words.iter_mut().filter(|(_, weight)| *weight < 1.0) {
        *weight *= factor;
    }
    words
}

/// Replaces the excluded words that no document has, and says whether there were any.
async fn correct_exclusions(
    search: &mut Search<'_>,
    query: &mut Query,
    known: &Known,
    languages: &[Language],
) -> Result<bool> {
    let mut has_corrected = false;
    for (place, typed) in query.unknown_exclusions(|of| known.chunks_with(of)) {
        let words = corrections(search, known, &typed, languages).await?.any();
        let words: Vec<String> = words.into_iter().map(|(word, _)| word).collect();
        if !words.is_empty() {
            query.correct_exclusion(place, &words, languages);
            has_corrected = true;
        }
    }
    Ok(has_corrected)
}

/// What may be meant by a word that no document has.
#[derive(Default)]
struct Nearest {
    /// The nearest words, with what each counts.
    words: Vec<(String, f64)>,
    /// A stop word that is as near as these, and that the word is with a slip of the hand.
    stop_word: Option<String>,
}

impl Nearest {
    fn of(words: Vec<(String, f64)>) -> Self {
        Self {
            words,
            stop_word: None,
        }
    }

    /// Returns the words, or else the stop word.
    fn any(mut self) -> Vec<(String, f64)> {
        if self.words.is_empty() {
            self.words
                .extend(self.stop_word.map(|word| (word, WEIGHTS[1])));
        }
        self.words
    }
}

/// Takes identifiers and dates apart that no document has, and says whether there were any.
pub(super) fn take_apart(query: &mut Query, known: &Known, languages: &[Language]) -> bool {
    let mut is_any = false;
    for of in query.to_take_apart(languages, |of| known.chunks_with(of)) {
        is_any |= query.take_apart(of.place, &of.words, of.share, languages);
    }
    is_any
}

/// Returns words that may be meant by one that no document has, with what each counts: of a compound only
/// the parts are replaced that no document has.
async fn corrections(
    search: &mut Search<'_>,
    known: &Known,
    typed: &str,
    languages: &[Language],
) -> Result<Nearest> {
    let parts = Analyzer::parts(typed);
    if parts.len() > MOST_PARTS {
        return Ok(Nearest::default());
    }
    let is_known = |part: &str| {
        let readings = Analyzer::readings(part, languages);
        let alternatives = readings.iter().flat_map(|word| &word.alternatives);
        let mut sequences = alternatives.flat_map(|of| &of.sequences);
        sequences.any(|of| known.chunks_with(&Variant::of(of.clone())) > 0)
    };
    let mut all = vec![(String::new(), 1.0)];
    let mut lacks_part = false;
    let mut end = 0;
    for part in &parts {
        let text = part.of(typed);
        let between = &typed[end..part.start];
        end = part.end;
        let found = match plain(text, languages) {
            Some(word) if parts.len() == 1 || !is_known(text) => {
                let nearest = nearest(search, text, &word, languages).await?;
                if part.of(typed).len() == typed.len() {
                    return Ok(nearest);
                }
                nearest.words
            }
            _ => vec![(text.to_owned(), 1.0)],
        };
        lacks_part |= found.is_empty();
        // Of several parts each is replaced by the best word for it.
        let few = if all.len() > 1 { 1 } else { CORRECTIONS };
        let joined = all.iter().flat_map(|(before, weight)| {
            let found = found.iter().take(few);
            found.map(move |(word, of_word)| (format!("{before}{between}{word}"), weight * of_word))
        });
        all = joined.collect();
    }
    let rest = &typed[end..];
    for (word, _) in &mut all {
        word.push_str(rest);
    }
    all.retain(|(word, _)| word != typed);
    if lacks_part && Analyzer::is_of_letters(typed) {
        return as_one(search, typed, languages).await;
    }
    Ok(Nearest::of(all))
}

/// Returns the words that are nearest to one with capitals within it, whatever its case: `jsx` for `JSXx`, of which no
/// document has the part `Xx`.
async fn as_one(search: &mut Search<'_>, typed: &str, languages: &[Language]) -> Result<Nearest> {
    let lower = typed.to_lowercase();
    match plain(&lower, languages) {
        Some(word) => nearest(search, &lower, &word, languages).await,
        None => Ok(Nearest::default()),
    }
}

/// Returns the words that are nearest to one, given in plain letters too, with what each counts: at first those that differ
/// from it only by accents.
async fn nearest(
    search: &mut Search<'_>,
    typed: &str,
    word: &str,
    languages: &[Language],
) -> Result<Nearest> {
    let other = other_forms(search, typed, word, languages).await?;
    if !other.is_empty() {
        let weighed = other.into_iter().map(|form| (form, WEIGHTS[0]));
        return Ok(Nearest::of(weighed.collect()));
    }
    let letters = word.chars().count();
    if letters < SHORTEST || !Analyzer::is_of_letters(word) {
        return Ok(Nearest::default());
    }
    let is_long = letters >= LONG;
    let most = if is_long { 2 } else { 1 };
    for distance in 1..=most {
        let mut found = search.similar(word, distance, LOOKED_AT).await?;
        found.retain(|of| is_long && distance == 1 || begins_alike(word, &of.word, distance));
        found.retain(|of| may_be_meant(word, letters, &of.word, of.distance));
        let own = Analyzer::without_elision(typed, languages);
        found.retain(|of| letters > LONGEST_SHORT || keeps_accents(own, word, of));
        let near = found.iter().take(CORRECTIONS).filter(|_| distance == 1);
        let stop_words = near.filter(|of| has_stop_word(&of.word, languages));
        let stop_words: Vec<String> = stop_words.map(|of| of.word.clone()).collect();
        found.retain(|of| {
            !Analyzer::english().is_stop_word(&of.word) && !stop_words.contains(&of.word)
        });
        if !found.is_empty() || !stop_words.is_empty() {
            let stop_word = stop_words.into_iter().find(|of| is_slip(word, of));
            let weighed = found.into_iter().take(CORRECTIONS).flat_map(|of| {
                let weight = WEIGHTS[usize::from(of.distance)] * share_of(word, letters, &of.word);
                of.forms.into_iter().map(move |form| (form, weight))
            });
            let words = weighed.collect();
            return Ok(Nearest { words, stop_word });
        }
        // One letter is a typing error; by two letters words differ that have little to do with each other.
        if distance == 1
            && let Some(two) = search.two_words(word, SHORTEST_OF_TWO).await?
            && !has_stop_word(&two, languages)
        {
            return Ok(Nearest::of(vec![(two, 1.0)]));
        }
    }
    Ok(Nearest::default())
}

/// Returns whether one of some words is a stop word: `anyone` is not what `any` and `one` say.
pub(super) fn has_stop_word(words: &str, languages: &[Language]) -> bool {
    let stop_words = StopWords::of(words, languages);
    words.split(' ').any(|word| stop_words.has(word))
}

/// Returns whether a word is one that differs from it by a letter, typed with a slip of the hand: with two letters
/// swapped, or in long words with one twice or once. Right words differ by other letters, too: `halving` and `having`.
fn is_slip(word: &str, other: &str) -> bool {
    let is_long = word.chars().count() >= SHORTEST_DOUBLED;
    is_swapped(word, other) || is_long && is_doubled(word, other)
}

/// Returns whether two words that differ by a letter have the same ones: two are swapped.
fn is_swapped(word: &str, other: &str) -> bool {
    let letters = |of: &str| {
        let mut letters: Vec<char> = of.chars().collect();
        letters.sort_unstable();
        letters
    };
    letters(word) == letters(other)
}

/// Returns whether two words differ only by letters that stand once or several times in a row.
fn is_doubled(word: &str, other: &str) -> bool {
    let each_once = |of: &str| {
        let mut letters: Vec<char> = of.chars().collect();
        letters.dedup();
        letters
    };
    each_once(word) == each_once(other)
}

/// Returns whether who typed a word of so many letters may have meant one that differs from it by so much. Many right
/// words of four letters differ by one letter (`gave` and `game`, `stay` and `say`), and of five by the last one
/// (`handy` and `hand`). Of two letters, none is the last: other words have other endings (`complains` and `compliant`);
/// and they are not two others, unless they are vowels (`medicare` and `medicine`).
fn may_be_meant(word: &str, letters: usize, other: &str, distance: u8) -> bool {
    if distance > 1 {
        let end_alike = word.chars().next_back() == other.chars().next_back();
        return end_alike && !has_two_others(word, other);
    }
    if letters > LONGEST_COMMON || is_swapped(word, other) || is_doubled(word, other) {
        return true;
    }
    match other.chars().count().cmp(&letters) {
        Ordering::Greater => true,
        Ordering::Equal => letters > SHORTEST,
        Ordering::Less => letters > SHORTEST && !word.starts_with(other),
    }
}

/// Returns whether a word in Latin letters has others than another word in two places, and not only other vowels, as in
/// `seperetely`. Letters that moved are no others.
fn has_two_others(word: &str, other: &str) -> bool {
    let is_latin = word.is_ascii() && other.is_ascii() && word.len() == other.len();
    let mut pairs = word.bytes().zip(other.bytes()).filter(|(of, is)| of != is);
    let (Some(first), Some(second), None) = (pairs.next(), pairs.next(), pairs.next()) else {
        return false;
    };
    let have_moved = first.0 == second.1 || first.1 == second.0;
    let changed = [first.0, first.1, second.0, second.1];
    let are_vowels = changed.iter().all(|letter| b"aeiouy".contains(letter));
    is_latin && !have_moved && !are_vowels
}

/// Returns what a correction counts of what that of a longer word does.
fn share_of(word: &str, letters: usize, other: &str) -> f64 {
    if letters > LONGEST_COMMON || is_swapped(word, other) {
        1.0
    } else {
        COMMON_SHARE
    }
}

/// Returns whether documents write the other word with the accents that one was typed with, or the one is the other
/// with a slip of the hand. Who types an accent means it, and a short word without it is another one.
fn keeps_accents(typed: &str, word: &str, other: &Suggestion) -> bool {
    let is_accented = |of: &char| {
        matches!(of, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}') && !word.contains(*of)
    };
    let typed = typed.to_lowercase();
    let mut accented = typed.chars().filter(is_accented);
    let has = |letter: char| other.forms.iter().any(|form| form.contains(letter));
    is_slip(word, &other.word) || accented.all(has)
}

/// Returns whether words that differ by so much have the same first letter, or by the first two swapped alone: nobody
/// mistypes the first of a short word, or two letters with the first, and another word often differs by it (`docker` and
/// `locker`, `vacation` and `aviation`).
fn begins_alike(word: &str, other: &str, distance: u8) -> bool {
    let first_two = |of: &str| (of.chars().next(), of.chars().nth(1));
    let ((first, second), (other_first, other_second)) = (first_two(word), first_two(other));
    let are_two = (first, second) == (other_second, other_first);
    first == other_first || distance == 1 && are_two && is_swapped(word, other)
}

/// Returns how documents write a word, given in plain letters too, with other accents than it was typed with.
pub(super) async fn other_forms(
    search: &mut Search<'_>,
    typed: &str,
    plain: &str,
    languages: &[Language],
) -> Result<Vec<String>> {
    let typed = Analyzer::without_elision(typed, languages).to_lowercase();
    let mut forms = search.forms(plain).await?;
    forms.retain(|form| *form != typed);
    Ok(forms)
}

/// Returns a word that was typed in plain letters, without what is elided before it; nothing for several.
pub(super) fn plain(typed: &str, languages: &[Language]) -> Option<String> {
    let words = Analyzer::english().words(Analyzer::without_elision(typed, languages));
    let mut words = words.iter();
    let (only, _) = words.next()?;
    words
        .next()
        .is_none()
        .then(|| Analyzer::plain(only).to_owned())
}

/// Notes how many chunks hold each word. The ways to complete or correct a word weigh as much as the
/// most common of them, so that a rare one does not come first for being rare.
pub(super) fn weigh(query: &mut Query, known: &Known, size: &Size) {
    query.align_required();
    query.weigh(|of| known.chunks_with(of), |chunks| size.idf(chunks));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_are_meant_as_few_others() {
        for (word, other, is_meant) in [
            ("gave", "game", false),
            ("stay", "say", false),
            ("gurt", "gut", false),
            ("wrod", "word", true),
            ("jsxx", "jsx", true),
            ("amnd", "amend", true),
            ("handy", "hand", false),
            ("hoime", "home", true),
            ("dents", "debts", true),
            ("worlld", "world", true),
        ] {
            let letters = word.chars().count();
            assert_eq!(may_be_meant(word, letters, other, 1), is_meant, "{word}");
        }
    }

    #[test]
    fn by_two_letters_words_with_the_same_last_one_differ() {
        for (word, other, is_meant) in [
            ("complains", "compliant", false),
            ("passiert", "passiver", false),
            ("dependancis", "dependencies", true),
            ("collector", "connector", false),
            ("medicare", "medicine", false),
            ("seperetely", "separately", true),
            ("conoravirus", "coronavirus", true),
            ("vacinnes", "vaccines", true),
            ("переговоры", "пириговоры", true),
        ] {
            let letters = word.chars().count();
            assert_eq!(may_be_meant(word, letters, other, 2), is_meant, "{word}");
        }
    }

    #[test]
    fn a_correction_of_a_short_word_counts_less_unless_letters_are_swapped() {
        let share = |word: &str, other| share_of(word, word.chars().count(), other).to_bits();
        let [whole, less] = [1.0, COMMON_SHARE].map(f64::to_bits);
        assert_eq!(share("truck", "trunk"), less);
        assert_eq!(share("pollo", "polo"), less);
        assert_eq!(share("wrold", "world"), whole);
        assert_eq!(share("pakage", "package"), whole);
    }

    #[test]
    fn the_first_two_letters_alone_may_be_swapped() {
        assert!(begins_alike("isntall", "install", 1));
        assert!(begins_alike("ocre", "core", 1));
        assert!(!begins_alike("gave", "agave", 1));
        assert!(!begins_alike("sore", "core", 1));
        assert!(!begins_alike("vacation", "aviation", 2));
    }
}
