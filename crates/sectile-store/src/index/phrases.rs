//! The chunks that hold terms in a row.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::data::Needs;
use super::list::List;
use super::phrase::Phrase;
use super::question_terms::{Held, Known};
use super::reader::IndexReader;
use super::terms::{Segments, distinct};
use crate::Result;

/// A phrase in a segment that has all of its terms.
struct InSegment<'p> {
    phrase: &'p Vec<String>,
    segment: usize,
    /// Which of the lists each term of the phrase has.
    order: Vec<usize>,
    lists: Vec<Arc<List>>,
}

impl InSegment<'_> {
    fn look(&self) -> Phrase<'_> {
        let lists = self.lists.iter().map(|list| &**list);
        Phrase::new(self.segment, &self.order, lists.collect())
    }
}

impl Segments {
    /// Finds the chunks that hold terms one after the other. Each phrase is looked for once, however often a
    /// question changes.
    pub(super) async fn phrases(
        &mut self,
        reader: &mut dyn IndexReader,
        phrases: &[&Vec<String>],
        known: &mut Known,
    ) -> Result<()> {
        let new = phrases.iter().copied();
        let new = new.filter(|of| !self.in_a_row.contains_key(*of));
        self.find_phrases(reader, &new.collect::<Vec<_>>()).await?;
        for &phrase in phrases {
            let held = self.in_a_row.get(phrase).cloned().unwrap_or_default();
            known.held.insert(phrase.clone(), held);
        }
        Ok(())
    }

    async fn find_phrases(
        &mut self,
        reader: &mut dyn IndexReader,
        phrases: &[&Vec<String>],
    ) -> Result<()> {
        if phrases.is_empty() {
            return Ok(());
        }
        let terms = distinct(phrases.iter().copied().flatten());
        let lists = self.lists(reader, &terms, true).await?;
        let by_term: FxHashMap<&str, _> = terms.iter().copied().zip(lists).collect();
        let mut all = Vec::new();
        let mut needs = Needs::default();
        for &phrase in phrases {
            let asked = distinct(phrase);
            let place = |term: &String| asked.iter().position(|asked| asked == term);
            let order: Vec<usize> = phrase.iter().filter_map(place).collect();
            for (segment, _) in self.list.iter().enumerate() {
                let lists = asked.iter().map(|term| by_term[*term][segment].clone());
                if let Some(lists) = lists.collect() {
                    let found = InSegment {
                        phrase,
                        segment,
                        order: order.clone(),
                        lists,
                    };
                    found.look().need(&mut needs);
                    all.push(found);
                }
            }
            let lists = vec![None; self.list.len()];
            let held = Held { chunks: 0, lists };
            self.in_a_row.insert(phrase.clone(), held);
        }
        self.data.fetch(reader, needs).await?;
        for found in all {
            let segment = &self.list[found.segment];
            let list = found.look().find(&self.data, |at| segment.is_alive(at))?;
            let held = self.in_a_row.get_mut(found.phrase);
            if let Some(held) = held.filter(|_| list.chunks > 0) {
                held.chunks += list.chunks;
                held.lists[found.segment] = Some(Arc::new(list));
            }
        }
        Ok(())
    }
}
