//! The words of a question that only ask.

use super::split::Item;
use super::trimmed;
use crate::analyzer::{StopWords, asking};
use crate::{Analyzer, Language};

/// Returns the places of the words that only ask, beside stop words.
pub(super) fn only_asking(
    items: &[Item<'_>],
    stop_words: &StopWords,
    languages: &[Language],
) -> Vec<usize> {
    let turns = items.windows(2).enumerate().filter(|(_, pair)| {
        let are_plain = pair.iter().all(|of| !of.is_quoted && !of.is_code);
        are_plain && asking::is_turn_of_two(trimmed(pair[0].text), trimmed(pair[1].text))
    });
    let turns = turns.flat_map(|(at, _)| [at, at + 1]);
    turns
        .chain(asking_for_meaning(items, stop_words, languages))
        .collect()
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
