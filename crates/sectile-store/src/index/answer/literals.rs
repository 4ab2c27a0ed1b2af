//! Chunks that have a short question as it was typed, with its signs and in its letters: the index knows only its words.

use std::cmp::Reverse;

use rustc_hash::FxHashSet;
use sectile_core::Format;

use super::Asking;
use super::legs::Best;
use crate::index::code_names::AskedDefinition;
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
    /// Its words, if one of them is an identifier.
    names: Vec<TypedForm>,
    /// The name that it is, which source code gives a value.
    name: Option<AskedDefinition>,
}

/// What a chunk has of a question as it was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Having {
    /// Another form of it.
    Other,
    /// The question as it was typed.
    Typed,
    /// The line that gives the name a value.
    Value,
}

impl Asking<'_> {
    /// Lets a chunk that has the question as it was typed, or gives the name that it is a value, stand for its section, if the
    /// best chunk of that does not.
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

    /// Returns the other chunks of sections that have more of the question as it was typed than their best chunks: of each
    /// section the one that has most, and scores most of these.
    async fn others_with_typed(&mut self, typed: &Typed, best: &[Best]) -> Result<Vec<Best>> {
        let of_best: Vec<Having> = best.iter().map(|of| self.having(typed, of)).collect();
        let places = best.iter().zip(&of_best);
        let may_have_more: Vec<bool> = places
            .map(|(of, having)| self.others_may_have_more(typed, of, *having))
            .collect();
        if !may_have_more.contains(&true) {
            return Ok(Vec::new());
        }
        let mut others = self.others_of_groups(best, LOOKED_AT).await?;
        others.retain(|(place, _)| may_have_more[*place]);
        others.truncate(MOST_READ);
        let chunks: Vec<Best> = others.iter().map(|(_, other)| other.clone()).collect();
        self.read_chunks(&chunks).await?;
        let mut having_more = Vec::new();
        for (place, other) in others {
            let having = self.having(typed, &other);
            if having > of_best[place] {
                having_more.push((having, other));
            }
        }
        having_more.sort_by_key(|(having, _)| Reverse(*having));
        let mut groups = FxHashSet::default();
        having_more.retain(|(_, other)| groups.insert(other.group));
        Ok(having_more.into_iter().map(|(_, other)| other).collect())
    }

    /// Returns the question as chunks may have it, if only words rank and it has signs or is a name that is no plain word.
    fn typed(&self) -> Option<Typed> {
        if self.request.mode != SearchMode::Text {
            return None;
        }
        let mut names = self.query.typed_forms();
        if !names.iter().any(|of| of.is_identifier) {
            names.clear();
        }
        let literal = self.literal();
        let name = self.asked_definition();
        let name = name.filter(AskedDefinition::may_be_set);
        (literal.is_some() || !names.is_empty() || name.is_some()).then_some(Typed {
            literal,
            names,
            name,
        })
    }

    /// Returns what a chunk that was read has of the question, in a text of its own.
    fn having(&self, typed: &Typed, best: &Best) -> Having {
        let chunk = self.chunks.get(&best.chunk);
        let Some(chunk) = chunk.filter(|of| of.demotion().is_none()) else {
            return Having::Other;
        };
        let has_signs = typed.literal.as_ref().is_none_or(|of| of.is_in(chunk));
        if typed.name.as_ref().is_some_and(|of| of.is_set_in(chunk)) {
            Having::Value
        } else if has_signs && forms::gap(chunk, &typed.names).is_none() {
            Having::Typed
        } else {
            Having::Other
        }
    }

    /// Returns whether another chunk of a section may have more of the question than its best chunk, which was read.
    fn others_may_have_more(&self, typed: &Typed, best: &Best, having: Having) -> bool {
        match having {
            Having::Other => true,
            Having::Typed => {
                let chunk = self.chunks.get(&best.chunk);
                let is_code = chunk.is_some_and(|of| of.document.format == Format::Code);
                is_code && typed.name.is_some()
            }
            Having::Value => false,
        }
    }

    /// Returns whether a chunk that was read has the question as it was typed.
    fn is_typed_in(&self, typed: &Typed, best: &Best) -> bool {
        self.having(typed, best) > Having::Other
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
