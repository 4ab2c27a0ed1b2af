//! What a note says of the words of a question that no document has.

use std::ops::RangeInclusive;

use super::quoted;
use crate::{Reading, WordKind, WordReading};

/// How many words are named that no document has: of a pasted text there may be many.
const UNKNOWN_NAMED: usize = 3;

/// The maximum number of known words for the note that lists all known words of a question, if its other words are in
/// no document.
const FEW_HELD: usize = 2;

/// The most characters that are taken for one word in a text without spaces.
const LONGEST_WORD: usize = 8;

/// The characters of Chinese and Japanese, from kana to the ideographs.
const HAN_AND_KANA: RangeInclusive<char> = '\u{3040}'..='\u{9fff}';

impl Reading {
    /// Names words that no document has, where the hits are found by others; and these, if they are few and fewer.
    pub(super) fn unknown(&self) -> Option<String> {
        let is_unknown = |word: &&WordReading| word.kind == WordKind::Unknown;
        let (unknown, known): (Vec<_>, Vec<_>) = self.words.iter().partition(is_unknown);
        // Words in a row are known by these.
        let are_rows = known.iter().all(|word| word.kind == WordKind::Phrase);
        if unknown.is_empty() || are_rows {
            return None;
        }
        let mut names: Vec<&str> = Vec::new();
        let mut runs: Vec<&str> = Vec::new();
        for WordReading { typed, .. } in unknown {
            let of_word = match self.runs.iter().find(|run| run.contains(&**typed)) {
                Some(run) if runs.contains(&&**run) => continue,
                Some(run) => {
                    runs.push(run);
                    if self.is_mostly_held(run) {
                        continue;
                    }
                    self.missing_of(run)
                }
                None => vec![&**typed],
            };
            for name in of_word {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let held = self.held();
        let is_little = (1..=FEW_HELD).contains(&held.len()) && held.len() < names.len();
        let more = names.len().saturating_sub(UNKNOWN_NAMED);
        names.truncate(UNKNOWN_NAMED);
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
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

    /// Returns what documents have nothing of in a run of text without spaces: all of it where it may be one word, and of a
    /// sentence the stretches between what they have.
    fn missing_of<'r>(&self, run: &'r str) -> Vec<&'r str> {
        let mut starts: Vec<usize> = run.char_indices().map(|(at, _)| at).collect();
        let letters = starts.len();
        if letters <= LONGEST_WORD || !run.chars().all(|letter| HAN_AND_KANA.contains(&letter)) {
            return vec![run];
        }
        starts.push(run.len());
        let held = self.words.iter().filter(|word| word.chunks > 0);
        let held: Vec<&str> = held.map(|word| &*word.typed).collect();
        let mut is_held = vec![false; letters];
        for (at, pair) in starts.windows(3).enumerate() {
            if held.contains(&&run[pair[0]..pair[2]]) {
                is_held[at..at + 2].fill(true);
            }
        }
        let mut stretches = Vec::new();
        let mut at = 0;
        for alike in is_held.chunk_by(|one, other| one == other) {
            let end = at + alike.len();
            // One character may be a particle.
            if !alike[0] && alike.len() > 1 {
                stretches.push(&run[starts[at]..starts[end]]);
            }
            at = end;
        }
        stretches
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
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
    fn of_a_sentence_without_spaces_what_no_document_has_is_named() {
        let sentence = "没签劳动合同公司要赔双倍工资吗";
        let letters: Vec<char> = sentence.chars().collect();
        let held = ["劳动", "动合", "合同", "公司", "工资"];
        let words = letters.windows(2).map(|pair| {
            let typed: String = pair.iter().collect();
            let is_held = held.contains(&&*typed);
            WordReading {
                kind: if is_held {
                    WordKind::Word
                } else {
                    WordKind::Unknown
                },
                chunks: u64::from(is_held),
                typed,
                ..WordReading::default()
            }
        });
        let reading = Reading {
            words: words.collect(),
            runs: list(&[sentence]),
            ..Reading::default()
        };
        assert_eq!(
            reading.notes(true),
            ["no document has `没签` or `要赔双倍`"]
        );
    }
}
