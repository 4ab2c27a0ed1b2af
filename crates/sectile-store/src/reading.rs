//! How a question was read.

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

/// How many words are named that no document has: of a pasted text there may be many.
const UNKNOWN_NAMED: usize = 3;

/// A share of the words below which hardly any hit answers a question.
const LITTLE: f64 = 0.2;

/// The maximum number of known words for the note that lists all known words of a question, if its other words are in
/// no document.
const FEW_HELD: usize = 2;

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

    /// Names words that no document has, where the hits are found by others; and these, if they are few and fewer.
    fn unknown(&self) -> Option<String> {
        let is_unknown = |word: &&WordReading| word.kind == WordKind::Unknown;
        let (unknown, known): (Vec<_>, Vec<_>) = self.words.iter().partition(is_unknown);
        // Words in a row are known by these.
        let are_rows = known.iter().all(|word| word.kind == WordKind::Phrase);
        if unknown.is_empty() || are_rows {
            return None;
        }
        let mut names: Vec<String> = Vec::new();
        for WordReading { typed, .. } in unknown {
            let name = match self.runs.iter().find(|run| run.contains(&**typed)) {
                Some(run) if self.is_mostly_held(run) => continue,
                Some(run) => run,
                None => typed,
            };
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let held = self.held();
        let is_little = (1..=FEW_HELD).contains(&held.len()) && held.len() < names.len();
        let more = names.len().saturating_sub(UNKNOWN_NAMED);
        names.truncate(UNKNOWN_NAMED);
        let listed = quoted(&names, "or");
        let missing = match more {
            _ if names.is_empty() => return None,
            0 => format!("no document has {listed}"),
            1 => format!("no document has {listed}, nor another word"),
            more => format!("no document has {listed}, nor {more} other words"),
        };
        if !is_little {
            return Some(missing);
        }
        let held = quoted(&held, "and");
        Some(format!(
            "{missing}; of the question, documents have only {held}"
        ))
    }

    /// Returns the words by which hits are found, each once; none of a question with text without spaces, whose words are
    /// pairs of characters.
    fn held(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let words = self.words.iter().filter(|word| word.chunks > 0);
        for word in words.filter(|word| word.kind != WordKind::Phrase && self.runs.is_empty()) {
            let name = word.searched_for.first().unwrap_or(&word.typed);
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Returns whether documents have half of the words of a run of text without spaces: pairs of
    /// characters are not all words, and endings differ.
    fn is_mostly_held(&self, run: &str) -> bool {
        let parts = self.words.iter().filter(|word| run.contains(&*word.typed));
        let (held, missing): (Vec<_>, Vec<_>) = parts.partition(|word| word.chunks > 0);
        held.len() >= missing.len()
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
    fn words_that_no_document_has_are_named_where_others_are_there() {
        let word = |kind, typed: &str| WordReading {
            kind,
            typed: typed.into(),
            ..WordReading::default()
        };
        let unknown =
            ["kafka", "zig", "nim", "ada", "odin"].map(|typed| word(WordKind::Unknown, typed));
        let said = |count: usize, has_known: bool| {
            let known = has_known.then(|| word(WordKind::Word, "logical"));
            let words = known.into_iter().chain(unknown[..count].iter().cloned());
            let reading = Reading {
                words: words.collect(),
                ..Reading::default()
            };
            reading.notes(true).join("\n")
        };
        assert_eq!(said(1, true), "no document has `kafka`");
        assert_eq!(said(3, true), "no document has `kafka`, `zig` or `nim`");
        assert_eq!(
            said(5, true),
            "no document has `kafka`, `zig` or `nim`, nor 2 other words"
        );
        assert_eq!(said(3, false), "");
    }

    #[test]
    fn words_by_which_hits_are_found_are_named_where_more_are_in_no_document() {
        let words = |kind, typed: &[&str], chunks| -> Vec<WordReading> {
            let word = |typed: &&str| WordReading {
                kind,
                typed: (*typed).into(),
                chunks,
                ..WordReading::default()
            };
            typed.iter().map(word).collect()
        };
        for (unknown, held, expected) in [
            (
                &["kafka", "zig"][..],
                &["setup"][..],
                "no document has `kafka` or `zig`; of the question, documents have only `setup`",
            ),
            (
                &["kafka", "zig", "nim", "ada"],
                &["setup", "guide"],
                "no document has `kafka`, `zig` or `nim`, nor another word; of the question, documents have only `setup` \
                 and `guide`",
            ),
            (&["kafka"], &["setup"], "no document has `kafka`"),
            (
                &["kafka", "zig", "nim", "ada"],
                &["setup", "guide", "topic"],
                "no document has `kafka`, `zig` or `nim`, nor another word",
            ),
        ] {
            let unknown = words(WordKind::Unknown, unknown, 0);
            let reading = Reading {
                words: [unknown, words(WordKind::Word, held, 3)].concat(),
                ..Reading::default()
            };
            assert_eq!(reading.notes(true).concat(), expected);
        }
    }

    #[test]
    fn text_without_spaces_is_named_whole_if_no_document_has_any_of_it() {
        let word = |kind, typed: &str, chunks| WordReading {
            kind,
            typed: typed.into(),
            chunks,
            ..WordReading::default()
        };
        let reading = Reading {
            words: vec![
                word(WordKind::Unknown, "コミ", 0),
                word(WordKind::Unknown, "ミッ", 0),
                word(WordKind::Unknown, "ット", 0),
                word(WordKind::Word, "作成", 3),
                word(WordKind::Unknown, "成方", 0),
                word(WordKind::Unknown, "zig", 0),
            ],
            runs: list(&["コミット", "作成方"]),
            ..Reading::default()
        };
        assert_eq!(reading.notes(true), ["no document has `コミット` or `zig`"]);
    }

    #[test]
    fn text_without_spaces_is_named_if_documents_have_little_of_it() {
        let pairs = ["宇宙", "宙ス", "ステ", "テー", "ーシ", "ショ", "ョン"];
        let notes = |held: usize| {
            let words = pairs.iter().zip(0..).map(|(&typed, place)| WordReading {
                typed: typed.into(),
                kind: if place < held {
                    WordKind::Word
                } else {
                    WordKind::Unknown
                },
                chunks: u64::from(place < held),
                ..WordReading::default()
            });
            let reading = Reading {
                words: words.collect(),
                runs: list(&["宇宙ステーション"]),
                ..Reading::default()
            };
            reading.notes(true)
        };
        assert_eq!(notes(3), ["no document has `宇宙ステーション`"]);
        assert_eq!(notes(4), [""; 0]);
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
