//! The words of a question that only ask.

use super::split::{Item, Role};
use super::trimmed;
use crate::analyzer::{StopWords, asking};
use crate::{Analyzer, Language};

/// What says of a number that it is one, in lower case: `Ley Nº 17.250`.
const NUMBER_SIGNS: &[&str] = &[
    "n.°", "n.º", "no.", "nr", "nr.", "nro", "nro.", "num.", "n°", "n°.", "nº", "nº.", "núm.", "č.",
];

/// Returns the places of the words that only ask, or say that a number is one, beside stop words.
pub(super) fn only_asking(
    items: &[Item<'_>],
    stop_words: &StopWords,
    languages: &[Language],
) -> Vec<usize> {
    let turns =
        plain_pairs(items).filter(|(_, first, second)| asking::is_turn_of_two(first, second));
    let turns = turns.flat_map(|(at, ..)| [at, at + 1]);
    let comparisons =
        plain_pairs(items).filter(|(_, first, second)| asking::is_comparison(first, second));
    turns
        .chain(comparisons.map(|(at, ..)| at + 1))
        .chain(asking_for_meaning(items, stop_words, languages))
        .chain(before_numbers(items))
        .collect()
}

/// Returns each two words that stand beside each other, with the place of the first: those that are neither quoted nor
/// code.
fn plain_pairs<'q>(items: &[Item<'q>]) -> impl Iterator<Item = (usize, &'q str, &'q str)> {
    let pairs = items.windows(2).enumerate();
    let plain = pairs.filter(|(_, pair)| pair.iter().all(|of| !of.is_quoted && !of.is_code));
    plain.map(|(at, pair)| (at, trimmed(pair[0].text), trimmed(pair[1].text)))
}

/// Returns the places of the words that only say that a number stands behind them: documents may have others for it.
fn before_numbers(items: &[Item<'_>]) -> impl Iterator<Item = usize> {
    let pairs = items.windows(2).enumerate().filter(|(_, pair)| {
        let [sign, number] = [&pair[0], &pair[1]];
        let is_plain = sign.role == Role::Scored && !sign.is_quoted && !sign.is_code;
        let is_sign = NUMBER_SIGNS.contains(&&*sign.text.to_lowercase());
        is_plain && is_sign && number.text.starts_with(|of: char| of.is_ascii_digit())
    });
    pairs.map(|(at, _)| at)
}

/// Returns the place of the word by which a question asks what others mean, as in `what does MSRV mean here`:
/// it says nothing of what is asked for.
fn asking_for_meaning(
    items: &[Item<'_>],
    stop_words: &StopWords,
    languages: &[Language],
) -> Option<usize> {
    let word = |item: &Item<'_>| trimmed(item.text).to_lowercase();
    let words: Vec<String> = items.iter().map(word).collect();
    let is_what_does =
        |pair: &[String]| pair[0] == "what" && matches!(&*pair[1], "do" | "does" | "did");
    let begins = words.windows(2).position(is_what_does)? + 2;
    let is_asked = |at: usize| match &*words[at] {
        "mean" | "means" => true,
        "stand" => words.get(at + 1).is_some_and(|next| next == "for"),
        _ => false,
    };
    let at = (begins..words.len()).find(|at| is_asked(*at))?;
    let says_something = |item: &Item<'_>| {
        let read = Analyzer::readings(item.text, languages);
        let mut typed = read.iter().map(|word| word.span.of(item.text));
        typed.any(|typed| !stop_words.has(typed))
    };
    items[begins..at].iter().any(says_something).then_some(at)
}
