//! Texts that have the question word for word, or as a message with placeholders, wherever they rank.

use std::slice;

use rustc_hash::FxHashSet;

use super::Asking;
use super::legs::Best;
use super::words::Words;
use crate::analyzer::opens_question;
use crate::index::found::FoundHits;
use crate::index::groups::{Group, Groups};
use crate::index::question_terms::Known;
use crate::index::quoted_question::{QuotedQuestion, Quoting, SearchedRows};
use crate::index::quotes::{LEG, LOOKED_AT};
use crate::index::score::{Key, Size};
use crate::{Clause, Clauses, GroupBy, Language, Leg, Result, SearchMode, Variant};

/// A phrase is searched if at most this number of chunks contain its rarest word, because all of them are read. In a large
/// store all words of a message may be common: then fewer phrases are searched, and no more chunks are read than for as
/// many phrases as are searched at most.
const MOST_CHUNKS: u64 = 4_096;

/// The most chunks with such a phrase that are read.
const MOST_READ: usize = 24;

/// What a stop word subtracts from the rarity of its phrase: reading its long posting list takes time.
const COMMON: f64 = 1.0;

impl Asking<'_> {
    /// Notes which of the first hits have the question in their texts. If none has all of it word for word, those that do are
    /// looked for by the rarest of its words in a row, and added to the hits; those that have it as a message only if none has.
    pub(super) async fn find_quotes(&mut self, best: &[Best], found: &mut FoundHits) -> Result<()> {
        let Some(question) = self.quoted_question() else {
            return Ok(());
        };
        let known = found.note_quotes(&question, |at, _| at < LOOKED_AT);
        if known == Some(Quoting::WordForWord) || !self.may_be_elsewhere() {
            return Ok(());
        }
        let searched = question.searched_rows(known);
        let mut others = self.with_rarest_rows(searched).await?;
        self.read_chunks(&others).await?;
        // What has no more of it than those that are known is not better.
        let is_better = |of: Quoting| known != Some(Quoting::Mostly) || of == Quoting::WordForWord;
        others.retain(|of| self.quoting(&question, of).is_some_and(is_better));
        self.score(&mut others).await?;
        // Of a group the chunk that has most of it stands for it.
        others.sort_by_cached_key(|of| self.quoting(&question, of));
        let mut groups = FxHashSet::default();
        others.retain(|of| groups.insert(of.group));
        if question.is_short() && self.is_common_turn(&question, &others) {
            others.retain(|of| self.quoting(&question, of) != Some(Quoting::WordForWord));
        }
        self.stand_for_groups(&others, best, found).await?;
        let keys: FxHashSet<Key> = others.iter().map(|of| of.chunk).collect();
        found.note_quotes(&question, |_, key| keys.contains(key));
        Ok(())
    }

    /// Lets chunks that were read stand for the hits of their groups, or adds them to the hits.
    pub(super) async fn stand_for_groups(
        &mut self,
        others: &[Best],
        best: &[Best],
        found: &mut FoundHits,
    ) -> Result<()> {
        let held = self.clauses_held(others).await?;
        for (other, held) in others.iter().zip(held) {
            let chunk = self.chunks[&other.chunk].clone();
            let scored = (other.score, other.legs.clone());
            match best.iter().find(|of| of.group == other.group) {
                Some(known) if known.chunk == other.chunk => {}
                Some(known) => {
                    found.replace(known.chunk, other.chunk, chunk, scored, held);
                }
                None => found.add(other.chunk, chunk, scored, held),
            }
        }
        Ok(())
    }

    /// Returns how a chunk that was read has the question in a text of its own.
    fn quoting(&self, question: &QuotedQuestion, of: &Best) -> Option<Quoting> {
        let chunk = &self.chunks[&of.chunk];
        if chunk.demotion().is_some() {
            return None;
        }
        question.is_in(&chunk.text)
    }

    /// Returns whether several texts have the question word for word.
    fn is_common_turn(&self, question: &QuotedQuestion, chunks: &[Best]) -> bool {
        let quoted = |of: &&Best| self.quoting(question, of) == Some(Quoting::WordForWord);
        let texts = chunks.iter().filter(quoted);
        let texts: FxHashSet<&str> = texts.map(|of| self.chunks[&of.chunk].text.trim()).collect();
        texts.len() > 1
    }

    /// Returns the question, if a text may have it and only words rank: not where it asks for a definition.
    fn quoted_question(&self) -> Option<QuotedQuestion> {
        if self.request.mode != SearchMode::Text || self.definition().is_some() {
            return None;
        }
        QuotedQuestion::of(&self.request.query, self.query.has_left_out())
    }

    /// Returns whether texts that have the question are looked for beyond the first hits: not if it begins or ends as one
    /// that asks, or has conditions.
    pub(super) fn may_be_elsewhere(&self) -> bool {
        !asks(&self.request.query) && !self.query.clauses().has_conditions()
    }

    /// Returns the chunks that have the rarest of some rows of words, best first.
    pub(super) async fn with_rarest_rows(
        &mut self,
        all_searched: Vec<SearchedRows>,
    ) -> Result<Vec<Best>> {
        let languages = self.search.languages();
        let languages: Vec<Language> = languages.iter().filter_map(|of| of.parse().ok()).collect();
        let Some(Words { segments, known }) = &mut self.words else {
            return Ok(Vec::new());
        };
        let mut clauses = Clauses::default();
        for searched in all_searched {
            let rows = searched.rows.iter().map(|row| Clause {
                typed: row.clone(),
                weight: 1.0,
                variants: Variant::in_a_row(row, &languages),
            });
            let rows = rarest(known, segments.size, rows.collect(), searched.most);
            clauses.scored.extend(rows);
        }
        if clauses.scored.is_empty() {
            return Ok(Vec::new());
        }
        let reader = &mut *self.search.reader;
        let known = segments.known(reader, &clauses).await?;
        let best = segments.best(reader, &clauses, &known, MOST_READ, &self.in_scope);
        let best = best.await?;
        // Those that score the same are in the order of their names, which are alike on all engines.
        let mut chunks = Groups::new(GroupBy::Chunk);
        let taken_up = chunks.take_up(&best, MOST_READ, &mut self.places, &mut self.search);
        taken_up.await?;
        let chunk = |&(_, chunk, score): &(Group, Key, f64)| {
            let group = self.places.group(chunk, self.request.group_by)?;
            Ok(Best {
                group,
                chunk,
                score,
                legs: Vec::new(),
            })
        };
        chunks.found().iter().take(MOST_READ).map(chunk).collect()
    }

    /// Lets chunks score what the words of the question bring to each, and orders them so.
    pub(super) async fn score(&mut self, chunks: &mut [Best]) -> Result<()> {
        let Some(Words { segments, known }) = &mut self.words else {
            return Ok(());
        };
        let keys: Vec<Key> = chunks.iter().map(|of| of.chunk).collect();
        let (reader, clauses) = (&mut *self.search.reader, self.query.clauses());
        let brought = segments.contributions(reader, clauses, known, &keys);
        for (chunk, brought) in chunks.iter_mut().zip(brought.await?) {
            chunk.score = brought.iter().map(|of| of.score).sum();
        }
        chunks.sort_by(|left, right| right.score.total_cmp(&left.score));
        for (chunk, rank) in chunks.iter_mut().zip(1..) {
            chunk.legs = vec![Leg {
                name: LEG.to_owned(),
                rank,
                score: chunk.score,
            }];
        }
        Ok(())
    }
}

/// Returns whether a text begins or ends as a question does.
fn asks(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or("");
    opens_question(first) || text.trim_end().ends_with(['?', '\u{ff1f}'])
}

/// Returns so many of some rows of words that are rarest, or fewer where these are common, with the ways to write each.
/// Words that do not rank are taken for common ones.
fn rarest(known: &Known, size: Size, mut rows: Vec<Clause>, most: usize) -> Vec<Clause> {
    let chunks = |term: &String| known.held.get(slice::from_ref(term)).map(|of| of.chunks);
    let mut left = MOST_CHUNKS.saturating_mul(most as u64);
    let least = |of: &Variant| of.terms.iter().filter_map(chunks).min();
    let is_searched = |of: &Variant| {
        of.terms.len() > 1 && least(of).is_some_and(|least| (1..=left).contains(&least))
    };
    for row in &mut rows {
        row.variants.retain(is_searched);
    }
    rows.retain(|row| !row.variants.is_empty());
    let rarity = |row: &Clause| {
        let of_term = |term: &String| chunks(term).map_or(-COMMON, |chunks| size.idf(chunks));
        let of_row = |of: &Variant| of.terms.iter().map(of_term).sum::<f64>();
        row.variants.iter().map(of_row).fold(0.0, f64::max)
    };
    rows.sort_by(|left, right| rarity(right).total_cmp(&rarity(left)));
    let read = |row: &Clause| {
        let of_variants = row.variants.iter().filter_map(least);
        of_variants.max().unwrap_or_default()
    };
    rows.sort_by_key(|row| read(row) > MOST_CHUNKS);
    rows.retain(|row| {
        let rest = left.checked_sub(read(row));
        left = rest.unwrap_or(left);
        rest.is_some()
    });
    rows.truncate(most);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::question_terms::Held;

    /// Returns the rows that are searched for a question, of whose words so many chunks each have the terms.
    fn searched(held: &[(&str, u64)], rows: &[&str], most: usize) -> Vec<String> {
        let mut known = Known::default();
        for &(term, chunks) in held {
            let lists = Vec::new();
            known
                .held
                .insert(vec![term.to_owned()], Held { chunks, lists });
        }
        let size = Size {
            chunks: 100_000,
            terms: 10_000_000,
        };
        let rows = rows.iter().map(|row| Clause {
            typed: (*row).to_owned(),
            weight: 1.0,
            variants: Variant::in_a_row(row, &[]),
        });
        let found = rarest(&known, size, rows.collect(), most).into_iter();
        found.map(|row| row.typed).collect()
    }

    #[test]
    fn rows_of_common_words_are_fewer() {
        let rows = ["green tree", "tree house", "house door"];
        let rare = [("green", 40), ("tree", 90), ("hous", 900), ("door", 4_096)];
        assert_eq!(searched(&rare, &rows, 3), rows);
        assert_eq!(searched(&rare, &rows, 1), ["green tree"]);
        // Three rows of rare words would be read in 12,288 chunks at most.
        let common = [
            ("green", 8_000),
            ("tree", 9_000),
            ("hous", 10_000),
            ("door", 11_000),
        ];
        assert_eq!(searched(&common, &rows, 3), ["green tree"]);
        assert_eq!(searched(&common, &rows, 2), ["green tree"]);
        assert_eq!(searched(&common, &rows, 1), [""; 0]);
        // Those of rare words come first, and take as much of it.
        let mixed = [
            ("green", 5_000),
            ("tree", 5_000),
            ("hous", 20_000),
            ("door", 4_000),
        ];
        assert_eq!(searched(&mixed, &rows, 3), ["house door", "green tree"]);
        let most = [("green", 20_000), ("tree", 20_000), ("hous", 20_000)];
        assert_eq!(searched(&most, &rows, 3), [""; 0]);
    }

    #[test]
    fn questions_begin_or_end_as_such() {
        for text in [
            "How do I read a file",
            "pourquoi ce message",
            "Dónde está el archivo",
            "weshalb fehlt die Datei",
            "miksi tiedosto puuttuu",
            "the file is gone?",
        ] {
            assert!(asks(text), "{text}");
        }
        for text in [
            "",
            "error: cannot read the file",
            "could not open the file",
            "when the file is gone",
            "The question is how we read",
        ] {
            assert!(!asks(text), "{text}");
        }
    }
}
