//! Chunks that have a short question as it was typed, with its signs and in its letters: the index knows only its words.

use rustc_hash::FxHashSet;

use super::Asking;
use super::legs::Best;
use crate::index::forms;
use crate::index::found::FoundHits;
use crate::index::literals::Literal;
use crate::query::TypedForm;
use crate::{Result, SearchMode};

/// How many of the first chunks by text are looked at for other ones of the sections that were found, and how many of these
/// are read at most.
const LOOKED_AT: usize = 400;
const MOST_READ: usize = 64;

/// A question as a chunk may have it.
struct Typed {
    /// With its signs.
    literal: Option<Literal>,
    /// The identifiers that it is.
    names: Vec<TypedForm>,
}

impl Asking<'_> {
    /// Lets a chunk that has the question as it was typed stand for its section, if the best chunk of that does not have it.
    /// If no hit has it with its signs, such chunks are looked for by its words in a row.
    pub(super) async fn find_typed(
        &mut self,
        best: &mut Vec<Best>,
        found: &mut FoundHits,
    ) -> Result<()> {
        let Some(typed) = self.typed() else {
            return Ok(());
        };
        let others = self.others_with_typed(&typed, best).await?;
        self.stand_for_groups(&others, best, found).await?;
        put_into(best, others);
        let Some(literal) = typed.literal.as_ref() else {
            return Ok(());
        };
        if !self.may_be_elsewhere() || best.iter().any(|of| self.is_typed_in(&typed, of)) {
            return Ok(());
        }
        let mut others = self.with_rarest_rows(literal.searched_rows()).await?;
        self.read_chunks(&others).await?;
        others.retain(|of| self.is_typed_in(&typed, of));
        self.score(&mut others).await?;
        let mut groups = FxHashSet::default();
        others.retain(|of| groups.insert(of.group));
        self.stand_for_groups(&others, best, found).await?;
        put_into(best, others);
        Ok(())
    }

    /// Returns the best of the other chunks of each section that have the question as it was typed, where the best chunk of
    /// the section does not.
    async fn others_with_typed(&mut self, typed: &Typed, best: &[Best]) -> Result<Vec<Best>> {
        let mut others = self.others_of_groups(best, LOOKED_AT).await?;
        others.retain(|(place, _)| !self.is_typed_in(typed, &best[*place]));
        others.truncate(MOST_READ);
        let mut others: Vec<Best> = others.into_iter().map(|(_, other)| other).collect();
        self.read_chunks(&others).await?;
        others.retain(|of| self.is_typed_in(typed, of));
        let mut groups = FxHashSet::default();
        others.retain(|of| groups.insert(of.group));
        Ok(others)
    }

    /// Returns the question as chunks may have it, if only words rank and it has signs or is an identifier.
    fn typed(&self) -> Option<Typed> {
        if self.request.mode != SearchMode::Text {
            return None;
        }
        let mut names = self.query.typed_forms();
        names.retain(|of| of.is_identifier);
        let literal = self.literal();
        (literal.is_some() || !names.is_empty()).then_some(Typed { literal, names })
    }

    /// Returns whether a chunk that was read has the question as it was typed, in a text of its own.
    fn is_typed_in(&self, typed: &Typed, best: &Best) -> bool {
        let chunk = self.chunks.get(&best.chunk);
        chunk.is_some_and(|chunk| {
            let has_signs = typed.literal.as_ref().is_none_or(|of| of.is_in(chunk));
            has_signs && chunk.demotion().is_none() && forms::gap(chunk, &typed.names).is_none()
        })
    }
}

/// Lets chunks stand for their groups among the best ones, or adds them to these.
fn put_into(best: &mut Vec<Best>, others: Vec<Best>) {
    for other in others {
        match best.iter_mut().find(|of| of.group == other.group) {
            Some(known) => *known = other,
            None => best.push(other),
        }
    }
}
