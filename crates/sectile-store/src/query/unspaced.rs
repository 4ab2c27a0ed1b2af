//! Words of a question that are read as pairs of characters.

use std::collections::BTreeMap;

use super::Query;
use crate::{Analyzer, WordKind};

/// How many letters a word has where words of letters stand together without spaces, as in Thai.
const LETTERS_A_WORD: usize = 5;

/// A word that is read as pairs of characters, or several such words that nothing parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnspacedWord {
    pub(crate) typed: String,
    /// How many words it is taken for.
    words: usize,
}

/// What a character of a script without spaces is one of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Katakana and Hangul: words of one kind stand for themselves.
    Word,
    /// Letters of Thai, Lao, Khmer and Myanmar: nothing parts the words.
    Letter,
    /// Han and Hiragana: a pair of characters may be a word.
    Pair,
}

impl Query {
    /// Returns the words that are read as several pairs of characters, if another word of the question has Latin letters.
    pub(crate) fn unspaced_words(&self) -> Vec<UnspacedWord> {
        let is_latin = |letter: char| letter.is_ascii_alphabetic();
        let mut typed = self.reading.words.iter().map(|of| &of.typed);
        if !typed.any(|typed| typed.contains(is_latin)) {
            return Vec::new();
        }
        let mut words: Vec<UnspacedWord> = Vec::new();
        for word in self.reading.runs.iter().flat_map(|run| words_in(run)) {
            if self.pairs_of(&word).len() > word.words && !words.contains(&word) {
                words.push(word);
            }
        }
        words
    }

    /// Lets the pairs of each word count together no more than as many words as it is taken for; documents do not have these
    /// words. A pair of several words counts what it does in that where it counts most.
    pub(crate) fn share_weight<'w>(&mut self, words: impl Iterator<Item = &'w UnspacedWord>) {
        let mut shares: BTreeMap<usize, f64> = BTreeMap::new();
        for word in words {
            let pairs = self.pairs_of(word);
            let share = word.words as f64 / pairs.len() as f64;
            for place in pairs {
                let known = shares.entry(place).or_insert(share);
                *known = known.max(share);
            }
        }
        for (place, share) in shares {
            self.clauses.scored[place].weight *= share;
            self.reading.words[place].times *= share;
        }
    }

    fn pairs_of(&self, word: &UnspacedWord) -> Vec<usize> {
        self.places(|of| {
            let is_pair = of.kind != WordKind::Phrase && Analyzer::is_unspaced(&of.typed);
            is_pair && word.typed.contains(&of.typed)
        })
    }
}

/// Returns the words in a run of text without spaces, as far as the kind of its characters tells them.
fn words_in(run: &str) -> Vec<UnspacedWord> {
    let mut words: Vec<(Kind, String)> = Vec::new();
    for character in run.chars() {
        let kind = kind_of(character);
        match words.last_mut() {
            Some((last, word)) if *last == kind => word.push(character),
            _ => words.push((kind, character.to_string())),
        }
    }
    let words = words.into_iter().filter(|(kind, _)| *kind != Kind::Pair);
    let taken = words.map(|(kind, typed)| UnspacedWord {
        words: match kind {
            Kind::Letter => typed.chars().count().div_ceil(LETTERS_A_WORD),
            Kind::Word | Kind::Pair => 1,
        },
        typed,
    });
    taken.collect()
}

fn kind_of(character: char) -> Kind {
    match character {
        '\u{30a1}'..='\u{30fa}'
        | '\u{30fc}'..='\u{30ff}'
        | '\u{ff66}'..='\u{ff9f}'
        | '\u{ac00}'..='\u{d7a3}' => Kind::Word,
        '\u{e01}'..='\u{ecd}' | '\u{1000}'..='\u{103e}' | '\u{1780}'..='\u{17d3}' => Kind::Letter,
        _ => Kind::Pair,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn the_pairs_of_a_word_count_together_as_one() {
        let weights = |question: &str| {
            let languages = [Language::Japanese, Language::Korean, Language::Thai];
            let mut query = Query::parse(question, &languages).unwrap();
            let words = query.unspaced_words();
            query.share_weight(words.iter());
            let words = query.reading.words.iter();
            let shown = words.map(|of| format!("{} {}", of.typed, of.times));
            shown.collect::<Vec<_>>()
        };
        assert_eq!(
            weights("defineProps 스크립트"),
            [
                "defineProps 1",
                "스크 0.3333333333333333",
                "크립 0.3333333333333333",
                "립트 0.3333333333333333"
            ]
        );
        assert_eq!(weights("스크립트"), ["스크 1", "크립 1", "립트 1"]);
        assert_eq!(weights("git 설정"), ["git 1", "설정 1"]);
        assert_eq!(
            weights("vim 設定タイプ")[1..],
            ["設定 1", "定タ 1", "タイ 0.5", "イプ 0.5"]
        );
        // What stands in both words was typed twice.
        assert_eq!(
            weights("vim タイプ スタイプ"),
            ["vim 1", "タイ 1", "イプ 1", "スタ 0.3333333333333333"]
        );
        let words = words_in("ตัวอย่างโปรแกรม");
        assert_eq!((words.len(), words[0].words), (1, 3));
    }
}
