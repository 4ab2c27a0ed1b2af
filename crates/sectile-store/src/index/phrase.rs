//! Terms that stand in a row.

use super::data::{Data, Needs};
use super::list::{List, ListBuilder};
use super::number::skip_numbers;
use super::postings::{Decoded, Occurrence, read_positions};
use crate::Result;

/// A sequence of terms that is looked for in a segment that holds all of them.
pub(super) struct Phrase<'p> {
    segment: usize,
    /// Which of the lists each term of the sequence has.
    order: &'p [usize],
    lists: Vec<&'p List>,
}

impl<'p> Phrase<'p> {
    pub(super) fn new(segment: usize, order: &'p [usize], lists: Vec<&'p List>) -> Self {
        Self {
            segment,
            order,
            lists,
        }
    }

    /// Adds the blocks that have to be read: those of the rarest term, and what others have there.
    pub(super) fn need(&self, needs: &mut Needs) {
        let Some(rarest) = self.lists.iter().min_by_key(|list| list.chunks) else {
            return;
        };
        for list in &self.lists {
            let mut next = rarest.heads.iter().peekable();
            for (block, head) in list.heads.iter().enumerate() {
                while next.next_if(|of| of.last < head.first).is_some() {}
                if next.peek().is_some_and(|of| of.first <= head.last) {
                    needs.block(self.segment, list, block);
                    needs.positions(self.segment, list, block);
                }
            }
        }
    }

    /// Returns the chunks that hold it and are alive, with how often. How long they are is left open.
    pub(super) fn find(&self, data: &'p Data, is_alive: impl Fn(u32) -> bool) -> Result<List> {
        let place = |list: &&'p List| Place::new(self.segment, list);
        let mut places: Vec<_> = self.lists.iter().map(place).collect();
        // The rarest leads.
        let mut lead: Vec<usize> = (0..places.len()).collect();
        lead.sort_by_key(|&at| self.lists[at].chunks);
        let (mut all, mut from) = (ListBuilder::default(), 0);
        while let Some(ordinal) = next(&mut places, &lead, data, from)? {
            if is_alive(ordinal) {
                for place in &mut places {
                    place.read()?;
                }
                let found = Occurrence {
                    ordinal,
                    in_path: self.count(&places, |place| &place.path),
                    in_text: self.count(&places, |place| &place.text),
                };
                if found.in_path + found.in_text > 0 {
                    all.push(found, 0, &[]);
                }
            }
            let Some(after) = ordinal.checked_add(1) else {
                break;
            };
            from = after;
        }
        Ok(all.finish())
    }

    /// Counts the places where the terms stand one after the other.
    fn count(
        &self,
        places: &[Place<'p>],
        of: impl for<'a> Fn(&'a Place<'p>) -> &'a Vec<u64>,
    ) -> u32 {
        let Some((&first, others)) = self.order.split_first() else {
            return 0;
        };
        let follow = |start: u64| {
            let mut following = (start + 1..).zip(others);
            following.all(|(at, &term)| of(&places[term]).binary_search(&at).is_ok())
        };
        let starts = of(&places[first]).iter();
        starts.filter(|&&start| follow(start)).count() as u32
    }
}

/// Returns the first chunk from an ordinal on that holds all terms.
fn next<'p>(
    places: &mut [Place<'p>],
    lead: &[usize],
    data: &'p Data,
    mut from: u32,
) -> Result<Option<u32>> {
    if lead.is_empty() {
        return Ok(None);
    }
    loop {
        let start = from;
        for &at in lead {
            let Some(ordinal) = places[at].go_to(data, from)? else {
                return Ok(None);
            };
            // Whoever is behind begins again with the rarest.
            if ordinal > from {
                from = ordinal;
                break;
            }
        }
        if from == start {
            return Ok(Some(from));
        }
    }
}

/// Counts the items that come before some place, as `partition_point` does, and is quick where they are few.
fn count_before<T>(items: &[T], is_before: impl Fn(&T) -> bool) -> usize {
    let mut end = 1;
    while items.get(end - 1).is_some_and(&is_before) {
        end *= 2;
    }
    let start = end / 2;
    start + items[start..items.len().min(end - 1)].partition_point(is_before)
}

/// Where a term is, while chunks are gone through that hold it.
struct Place<'p> {
    segment: usize,
    list: &'p List,
    block: usize,
    decoded: Decoded,
    is_read: bool,
    at: usize,
    /// The positions of the chunks of the block from one of them on, which is not after `at`.
    rest: &'p [u8],
    rest_of: usize,
    path: Vec<u64>,
    text: Vec<u64>,
}

impl<'p> Place<'p> {
    fn new(segment: usize, list: &'p List) -> Self {
        Self {
            segment,
            list,
            block: 0,
            decoded: Decoded::default(),
            is_read: false,
            at: 0,
            rest: &[],
            rest_of: 0,
            path: Vec::new(),
            text: Vec::new(),
        }
    }

    /// Goes on to the first chunk from an ordinal on.
    fn go_to(&mut self, data: &'p Data, from: u32) -> Result<Option<u32>> {
        let heads = &self.list.heads[self.block..];
        let behind = count_before(heads, |head| head.last < from);
        let Some(head) = heads.get(behind) else {
            return Ok(None);
        };
        if behind > 0 {
            self.block += behind;
            self.is_read = false;
        }
        if !self.is_read {
            if head.first > from {
                return Ok(Some(head.first));
            }
            data.read(self.segment, self.list, self.block, &mut self.decoded)?;
            self.rest = data.positions(self.segment, self.list, self.block)?;
            (self.is_read, self.at, self.rest_of) = (true, 0, 0);
        }
        let ordinals = &self.decoded.ordinals()[self.at..];
        let behind = count_before(ordinals, |at| *at < from);
        self.at += behind;
        Ok(Some(ordinals[behind]))
    }

    /// Reads the positions in the chunk that it is at.
    fn read(&mut self) -> Result<()> {
        let skipped = self.decoded.occurrences(self.rest_of..self.at);
        self.rest = skip_numbers(self.rest, skipped)?;
        self.rest_of = self.at;
        let found = self.decoded.get(self.at);
        read_positions(self.rest, found, &mut self.path, &mut self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_before_is_counted() {
        for length in 0..20 {
            let items: Vec<usize> = (0..length).collect();
            for place in 0..22 {
                let expected = items.partition_point(|item| *item < place);
                assert_eq!(count_before(&items, |item| *item < place), expected);
            }
        }
    }
}
