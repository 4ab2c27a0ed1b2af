//! A variant of a clause, as chunks are scored by it.

use std::ops::Range;

use super::document_languages::{self, Chunks};
use super::list::List;
use super::postings::{Decoded, Run};
use super::question_terms::{Held, Scored};
use super::score::Saturation;
use super::window::overlapping;
use crate::Result;

/// A variant of a clause.
#[derive(Debug)]
pub(super) struct Weighed<'k> {
    pub(super) held: &'k Held,
    /// What it weighs, its IDF included.
    pub(super) weight: f64,
    /// Where it is looked for.
    only: Chunks,
    /// What each segment has for it.
    segments: Vec<Option<Bounded<'k>>>,
}

/// What a segment has for a variant, with what that brings at most.
#[derive(Debug)]
pub(super) struct Bounded<'k> {
    pub(super) list: &'k List,
    /// What each block brings at most.
    pub(super) bounds: Vec<f64>,
    /// The blocks of a list that is not in parts, read.
    pub(super) short: Option<Short>,
}

/// A list that was read whole, so that no block of it is read for each window.
#[derive(Debug, Default)]
pub(super) struct Short {
    ordinals: Vec<u32>,
    in_path: Vec<u32>,
    in_text: Vec<u32>,
    /// For each chunk what its block brings at most.
    bounds: Vec<f64>,
}

impl<'k> Weighed<'k> {
    /// Reads what is at hand of a variant.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`](crate::Error::Corrupt) for blocks that cannot be read.
    pub(super) fn new(variant: Scored<'k>, saturation: Saturation) -> Result<Self> {
        let Scored { weight, held, only } = variant;
        let bounded = |list: &'k List| {
            let impacts = list.heads.iter().map(|head| list.impacts(head));
            let bounds = impacts.map(|of| saturation.bound(weight, of)).collect();
            let short = list.first_part.is_none();
            Ok(Bounded {
                short: short.then(|| Short::read(list, &bounds)).transpose()?,
                list,
                bounds,
            })
        };
        let lists = held.lists.iter().map(Option::as_deref);
        let segments = lists.map(|list| list.map(bounded).transpose());
        Ok(Self {
            held,
            weight,
            only,
            segments: segments.collect::<Result<_>>()?,
        })
    }

    /// Takes back what it brought to chunks in which it is not looked for.
    pub(super) fn restrict(&self, segment: usize, ordinals: &[u32], brought: &mut [f64]) {
        if self.only.is_none() {
            return;
        }
        for (brought, &ordinal) in brought.iter_mut().zip(ordinals) {
            if !document_languages::has(&self.only, segment, ordinal) {
                *brought = 0.0;
            }
        }
    }

    /// Returns what a segment has for it.
    pub(super) fn in_segment(&self, segment: usize) -> Option<&Bounded<'k>> {
        self.segments[segment].as_ref()
    }
}

impl Bounded<'_> {
    /// Calls `found` with each first and last ordinal between which there are chunks, some of them among
    /// `ordinals`, and with what these bring at most.
    pub(super) fn each(&self, ordinals: Range<u32>, mut found: impl FnMut(u32, u32, f64)) {
        if let Some(short) = &self.short {
            let within = short.run().places(ordinals);
            let bounds = &short.bounds[within.clone()];
            for (&at, &bound) in short.ordinals[within].iter().zip(bounds) {
                found(at, at, bound);
            }
        } else {
            for block in overlapping(self.list, ordinals) {
                let head = &self.list.heads[block];
                found(head.first, head.last, self.bounds[block]);
            }
        }
    }
}

impl Short {
    fn read(list: &List, bounds: &Vec<f64>) -> Result<Self> {
        let (mut all, mut decoded) = (Self::default(), Decoded::default());
        for (head, &bound) in list.heads.iter().zip(bounds) {
            decoded.read(head, head.entries(&list.entries)?)?;
            let run = decoded.run();
            all.ordinals.extend_from_slice(run.ordinals);
            all.in_path.extend_from_slice(run.in_path);
            all.in_text.extend_from_slice(run.in_text);
            all.bounds.resize(all.ordinals.len(), bound);
        }
        Ok(all)
    }

    /// Returns what it brings at most.
    pub(super) fn bound(&self) -> f64 {
        self.bounds.iter().copied().fold(0.0, f64::max)
    }

    /// Returns its chunks.
    pub(super) fn run(&self) -> Run<'_> {
        Run {
            ordinals: &self.ordinals,
            in_path: &self.in_path,
            in_text: &self.in_text,
        }
    }
}
