//! How a question was read.

mod missing;

use serde::{Deserialize, Serialize};

use crate::{Clause, Variant};

/// How a question was parsed, and what was done to answer it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The ranking words and phrases, in the order in which they were first typed.
    pub words: Vec<WordReading>,
    /// Words that are too common to rank.
    pub left_out: Vec<String>,
    /// The required words, which every hit contains.
    pub required: Vec<String>,
    /// The excluded words, which no hit contains.
    pub excluded: Vec<String>,
    /// Whether the question only excluded words, which are searched for instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub only_excluded: bool,
    /// Quoted phrases that no section contains, so that they were not required.
    pub let_go: Vec<String>,
    /// The number of different words beyond the limit, which are not searched for.
    pub ignored: usize,
    /// `AND` and `NOT` that were read as words, as in a sentence or in code.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plain_operators: Vec<String>,
    /// Signs that were typed as words, such as `->>`, or with single letters, such as `@{u}`, which are not searched for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signs: Vec<String>,
    /// Words that no document contains, and whose parts were searched for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_apart: Vec<TakenApart>,
    /// Words with a leading minus that are no flags in the documents; they are searched for without
    /// the minus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub no_flags: Vec<String>,
    /// Words that no document contains and that were left out as misspelt stop words, each with the
    /// stop word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub misspelt_stop_words: Vec<TakenApart>,
    /// Prefixes with more words than are searched for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<CutBeginning>,
    /// The language of the question, as a code of two letters, if it is known and documents are
    /// also in other languages. Documents in these count less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// How much of the words one of the first hits has at most, by what they weigh: from 0 to 1. It is known of a question
    /// of several words that is asked by text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Words that say enough alone: a text counts fully that has only one of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sufficient: Vec<String>,
    /// The runs of text without spaces, of which the words are pairs of characters: notes name these.
    #[serde(skip)]
    pub(crate) runs: Vec<String>,
}

/// A word that no document contains, and the words that it consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenApart {
    /// As typed.
    pub typed: String,
    /// The first of the words that were searched for instead.
    pub words: Vec<String>,
}

/// A prefix of more words than are searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutBeginning {
    /// As typed.
    pub typed: String,
    /// The number of words that are searched for: the most frequent ones.
    pub words: usize,
}

/// How a word or a phrase of a question was parsed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WordReading {
    /// As typed.
    pub typed: String,
    /// Its weight.
    pub times: f64,
    /// The kind of word that was searched for.
    pub kind: WordKind,
    /// Its terms in the index; those of a phrase are joined by spaces.
    pub terms: Vec<String>,
    /// The words of the documents that replace it, if it was corrected or completed.
    pub searched_for: Vec<String>,
    /// The number of chunks in the searched collections that contain it, for the most common of the
    /// variants that count most.
    pub chunks: u64,
}

/// The kind of a word in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordKind {
    /// A word.
    #[default]
    Word,
    /// Words in a row.
    Phrase,
    /// A prefix, typed with a `*`.
    Beginning,
    /// A word that no document contains, replaced by the closest ones.
    Corrected,
    /// A word that no document contains, without similar ones.
    Unknown,
}

/// A share of the words below which hardly any hit answers a question.
const LITTLE: f64 = 0.2;

impl Reading {
    /// Describes in sentences what was required, excluded, corrected, completed and left out, for a
    /// reader of the hits or of an empty answer.
    pub fn notes(&self, has_hits: bool) -> Vec<String> {
        let mut notes = Vec::new();
        if self.only_excluded {
            notes.push(
                "the question only excludes, so it is searched for; add words that hits should have"
                    .to_owned(),
            );
        }
        if !self.required.is_empty() {
            let required = quoted(&self.required, "and");
            let begins = if has_hits {
                "every hit has"
            } else {
                "nothing was found that has"
            };
            notes.push(format!("{begins} {required}"));
        }
        if !self.excluded.is_empty() {
            let excluded = quoted(&self.excluded, "or");
            notes.push(if has_hits {
                format!("no hit has {excluded}")
            } else {
                format!("what has {excluded} is left out")
            });
        }
        for phrase in &self.let_go {
            notes.push(format!(
                "the phrase `{phrase}` was not found; searched for its words"
            ));
        }
        if let Some(operator) = self.plain_operators.first() {
            let other = match operator.as_str() {
                "NOT" => "; `-\"word\"` excludes a word",
                _ => "",
            };
            notes.push(format!(
                "`{operator}` is read as a word, as in a sentence or in code{other}"
            ));
        }
        if !self.signs.is_empty() {
            let signs = quoted(&self.signs, "or");
            notes.push(format!("only words are searched for, not {signs}"));
        }
        // A required word is not found by its parts.
        let apart = self.taken_apart.iter();
        for TakenApart { typed, words } in apart.filter(|of| !self.required.contains(&of.typed)) {
            let words = quoted(words, "and");
            notes.push(format!("no `{typed}`: searched for {words}"));
        }
        for TakenApart { typed, words } in &self.misspelt_stop_words {
            let words = quoted(words, "and");
            notes.push(format!("no `{typed}`: left out as {words} is"));
        }
        for typed in &self.no_flags {
            let word = typed.trim_start_matches('-');
            notes.push(format!(
                "no flag `{typed}`: searched for `{word}`; `-\"{word}\"` excludes it"
            ));
        }
        notes.extend(self.words.iter().filter_map(WordReading::note));
        for CutBeginning { typed, words } in &self.cut {
            notes.push(format!(
                "more than {words} words begin as `{typed}`: only the {words} most frequent count"
            ));
        }
        notes.extend(self.unknown());
        if let Some(share) = self.share.filter(|share| *share < LITTLE) {
            let percent = (share * 100.0).round();
            notes.push(format!(
                "no text has most of the words: the best hits have {percent} % of what they weigh"
            ));
        }
        if self.ignored > 0 {
            let n = self.ignored;
            notes.push(format!(
                "the question is too long: its last {n} words were not searched for"
            ));
        }
        notes
    }
}

impl WordReading {
    /// Returns how a clause is read, before it is known what documents have of it.
    pub(crate) fn of(clause: &Clause, kind: WordKind) -> Self {
        Self {
            typed: clause.typed.clone(),
            times: clause.weight,
            kind,
            terms: clause.variants.iter().map(Variant::shown).collect(),
            ..Self::default()
        }
    }

    fn note(&self) -> Option<String> {
        let Self { typed, .. } = self;
        let words = || quoted(&self.searched_for, "and");
        match self.kind {
            WordKind::Corrected => Some(format!("no `{typed}`: searched for {}", words())),
            WordKind::Beginning if self.searched_for.is_empty() => {
                Some(format!("no word begins as `{typed}`"))
            }
            _ => None,
        }
    }
}

/// Joins words in quotes as a sentence lists them.
fn quoted(words: &[String], last: &str) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((end, others)) if !others.is_empty() => {
            format!("{} {last} {end}", others.join(", "))
        }
        Some((only, _)) => only.clone(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn what_restricts_is_said() {
        let reading = Reading {
            required: list(&["a", "b c"]),
            excluded: list(&["d", "e", "f"]),
            let_go: list(&["g h"]),
            ignored: 3,
            signs: list(&["->>"]),
            ..Reading::default()
        };
        insta::assert_snapshot!(reading.notes(true).join("\n"), @r"
        every hit has `a` and `b c`
        no hit has `d`, `e` or `f`
        the phrase `g h` was not found; searched for its words
        only words are searched for, not `->>`
        the question is too long: its last 3 words were not searched for
        ");
    }

    #[test]
    fn nothing_is_said_of_hits_where_there_are_none() {
        let reading = Reading {
            required: list(&["a", "b"]),
            excluded: list(&["d"]),
            ..Reading::default()
        };
        insta::assert_snapshot!(reading.notes(false).join("\n"), @r"
        nothing was found that has `a` and `b`
        what has `d` is left out
        ");
    }

    #[test]
    fn a_correction_is_said() {
        let word = WordReading {
            typed: "isntall".into(),
            kind: WordKind::Corrected,
            searched_for: list(&["install"]),
            ..WordReading::default()
        };
        assert_eq!(word.note().unwrap(), "no `isntall`: searched for `install`");
        assert_eq!(WordReading::default().note(), None);
    }

    #[test]
    fn hits_with_little_of_the_words_are_said() {
        let notes = |share: Option<f64>| {
            let reading = Reading {
                share,
                ..Reading::default()
            };
            reading.notes(true).concat()
        };
        let note = "no text has most of the words: the best hits have 17 % of what they weigh";
        assert_eq!(notes(Some(0.17)), note);
        assert_eq!(notes(Some(0.2)), "");
        assert_eq!(notes(None), "");
    }
}
