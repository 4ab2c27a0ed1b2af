//! What a state shares with the checkpoint that it is compared with.

use sectile_checkpoint::pieces::Filling;

use super::added::Added;
use super::found::Pieces;
use crate::layout::Hole;

/// A piece of so many bytes is worth a run of its own, wherever the base has it.
const LARGE: usize = 1024;

/// How many pieces of the same key each search may compare, beside what those before it left.
const TRIES: usize = 16;

/// The pieces of a base.
///
/// A run of a list is named by each later checkpoint. So an entry that is not after the one before is
/// taken only from farther on, or stored again if it is short: a list in which one answer stands a
/// thousand times would otherwise be a thousand runs.
pub(super) struct Known<'p> {
    pieces: &'p Pieces,
    /// Makes of a piece what it is looked for by.
    key: fn(&[u8]) -> i64,
    /// The positions by their keys, in order, once one is looked for.
    by_key: Option<Vec<(i64, u64)>>,
    /// The position after the piece that was found last; that of the first piece at the beginning.
    next: u64,
    /// The position of the last piece.
    last: u64,
    /// How many pieces may still be compared: all once, and [`TRIES`] for each search. So the work follows
    /// the number of pieces, however many of them are alike.
    tries: usize,
}

impl<'p> Known<'p> {
    pub(super) fn new(pieces: &'p Pieces, key: fn(&[u8]) -> i64) -> Self {
        let (first, last) = pieces.ends().unwrap_or_default();
        Self {
            pieces,
            key,
            by_key: None,
            next: first,
            last,
            tries: pieces.iter().count(),
        }
    }

    /// Puts a piece after those of a hole; it is added unless it is there.
    pub(super) fn fill(&mut self, hole: &mut Hole, piece: Vec<u8>, added: &mut Added) {
        let size = piece.len();
        let found = self.find(hole, &piece, |kept| kept == piece);
        let position = match found {
            Some((position, _)) => position,
            None => add(hole, piece, added),
        };
        hole.push(position, size);
    }

    /// Fills a hole of JSON text. Where the base has the beginning of what is left, it is taken as it was
    /// cut then, so that a list that became longer keeps its pieces, however short its entries are.
    pub(super) fn fill_text(&mut self, hole: &mut Hole, filling: &Filling<'_>, added: &mut Added) {
        let text = filling.text.as_bytes();
        let mut at = 0;
        loop {
            let rest = &text[at..];
            let (position, size) = self.find_beginning(hole, rest).unwrap_or_else(|| {
                let piece = &text[at..filling.end_after(at)];
                (add(hole, piece.to_vec(), added), piece.len())
            });
            hole.push(position, size);
            at += size;
            if at >= text.len() {
                return;
            }
            // The comma between two pieces belongs to neither.
            at += 1;
        }
    }

    /// Finds entries that a list begins with, and returns their position and size.
    fn find_beginning(&mut self, hole: &Hole, list: &[u8]) -> Option<(u64, usize)> {
        self.find(hole, list, |kept| {
            let is_end = |rest: &[u8]| matches!(rest.first(), None | Some(b','));
            !kept.is_empty() && list.strip_prefix(kept).is_some_and(is_end)
        })
    }

    /// Finds a piece like another for a hole, and returns its position and size: the one after the one
    /// before, or else another that may be taken.
    fn find(
        &mut self,
        hole: &Hole,
        like: &[u8],
        is_it: impl Fn(&[u8]) -> bool,
    ) -> Option<(u64, usize)> {
        let found = match fit(self.pieces, self.next, &is_it) {
            Some(found) => found,
            None => self.search(hole, like, &is_it)?,
        };
        self.next = found.0 + 1;
        Some(found)
    }

    /// Finds the first piece farther on that is like another, or else the first of all, if it may be
    /// anywhere.
    fn search(
        &mut self,
        hole: &Hole,
        like: &[u8],
        is_it: &impl Fn(&[u8]) -> bool,
    ) -> Option<(u64, usize)> {
        self.tries += TRIES;
        let (next, most) = (self.next, self.tries);
        if next > self.last && !may_be_anywhere(hole, like.len()) {
            // A list that became longer by a short entry: to look at all pieces would find nothing.
            return None;
        }
        let (pieces, key) = (self.pieces, (self.key)(like));
        let fits = |known: &(i64, u64)| fit(pieces, known.1, is_it);
        let mut tried = 0;
        let behind = self.alike(key, next).iter().take(most);
        let found = behind.inspect(|_| tried += 1).find_map(fits);
        self.tries -= tried;
        if found.is_some() || !may_be_anywhere(hole, like.len()) {
            return found;
        }
        let first = self.alike(key, 0).iter().take(TRIES);
        first
            .filter_map(fits)
            .find(|&(_, size)| may_be_anywhere(hole, size))
    }

    /// Returns the pieces with a key from a position on, in the order of their positions.
    fn alike(&mut self, key: i64, from: u64) -> &[(i64, u64)] {
        let (pieces, key_of) = (self.pieces, self.key);
        let by_key = self.by_key.get_or_insert_with(|| {
            let mut by_key: Vec<_> = pieces
                .iter()
                .map(|(position, piece)| (key_of(piece), position))
                .collect();
            by_key.sort_unstable();
            by_key
        });
        let start = by_key.partition_point(|known| *known < (key, from));
        let count = by_key[start..].partition_point(|known| known.0 == key);
        &by_key[start..start + count]
    }
}

/// Returns the piece at a position, with its size, if it is the one that is looked for.
fn fit(pieces: &Pieces, position: u64, is_it: &impl Fn(&[u8]) -> bool) -> Option<(u64, usize)> {
    let kept = pieces.get(position).filter(|kept| is_it(kept))?;
    Some((position, kept.len()))
}

/// Adds a piece for a hole.
fn add(hole: &Hole, piece: Vec<u8>, added: &mut Added) -> u64 {
    if may_be_anywhere(hole, piece.len()) {
        added.keep_once(piece)
    } else {
        added.keep(piece)
    }
}

/// Returns whether a piece of a size may stand anywhere: it is the first of its hole, or large.
fn may_be_anywhere(hole: &Hole, size: usize) -> bool {
    hole.runs.is_empty() || size >= LARGE
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::packed::pack;
    use crate::row::checksum;

    const COUNT: usize = 2_000;

    /// Returns pieces at the positions from 1 on.
    fn base(texts: &[String]) -> Pieces {
        let mut pieces = Pieces::default();
        for (position, text) in (1..).zip(texts) {
            let (hash, stored) = pack(text.clone().into_bytes(), usize::MAX);
            assert!(pieces.add(position, hash, &stored));
        }
        pieces
    }

    /// Looks for the pieces of a list, and returns how many were found with how many comparisons.
    fn find(known: &mut Known<'_>, list: &[String]) -> (usize, usize) {
        let (mut hole, compared) = (Hole::default(), Cell::new(0));
        let mut found = 0;
        for text in list {
            let place = known.find(&hole, text.as_bytes(), |kept| {
                compared.set(compared.get() + 1);
                kept == text.as_bytes()
            });
            found += usize::from(place.is_some());
            let position = place.map_or(u64::from(u32::MAX), |(position, _)| position);
            hole.push(position, text.len());
        }
        (found, compared.get())
    }

    /// Returns a list whose every second entry is the same.
    fn every_second(name: &str) -> Vec<String> {
        let entry = |at: usize| match at % 2 {
            0 => "ok".to_owned(),
            _ => format!("{name} {at}"),
        };
        (0..COUNT).map(entry).collect()
    }

    #[test]
    fn a_short_piece_is_looked_for_behind_the_one_before_alone() {
        let pieces = base(&every_second("before"));
        let mut known = Known::new(&pieces, checksum);
        let (found, compared) = find(&mut known, &every_second("after"));
        assert_eq!(found, COUNT / 2);
        assert!(compared <= 3 * COUNT, "{compared} comparisons");
    }

    #[test]
    fn pieces_of_one_key_are_not_all_compared_with_each_other() {
        let pieces = base(&every_second("before"));
        let mut known = Known::new(&pieces, |_| 0);
        let others: Vec<_> = (0..COUNT).map(|at| format!("other {at}")).collect();
        let (found, compared) = find(&mut known, &others);
        assert_eq!(found, 0);
        // Each is compared with the piece behind the one before and with TRIES others, all pieces may be compared once,
        // and the first of a hole with TRIES from the beginning.
        let most = (1 + TRIES) * COUNT + COUNT + TRIES;
        assert!(compared <= most, "{compared} comparisons");
    }

    #[test]
    fn a_list_that_became_longer_by_a_short_entry_is_compared_once() {
        let texts: Vec<_> = (0..COUNT).map(|at| format!("entry {at}")).collect();
        let pieces = base(&texts);
        let mut known = Known::new(&pieces, |_| panic!("all pieces are looked at"));
        let longer = [texts, vec!["new".to_owned()]].concat();
        assert_eq!(find(&mut known, &longer), (COUNT, COUNT));
    }

    #[test]
    fn what_is_left_of_a_list_is_found_behind_many_of_one_key() {
        let texts: Vec<_> = (0..COUNT).map(|at| at.to_string()).collect();
        let pieces = base(&texts);
        let mut known = Known::new(&pieces, |_| 0);
        let (found, _) = find(&mut known, &texts[10 * TRIES..]);
        assert_eq!(found, COUNT - 10 * TRIES);
    }

    #[test]
    fn a_large_piece_is_found_anywhere() {
        let large = "x".repeat(LARGE);
        let list = |other: &str| ["a", &large, other].map(str::to_owned).to_vec();
        let pieces = base(&list("b"));
        let mut known = Known::new(&pieces, checksum);
        let twice = [list("b"), list("c")].concat();
        // The second time, only the large one is not stored again.
        assert_eq!(find(&mut known, &twice).0, 4);
    }
}
