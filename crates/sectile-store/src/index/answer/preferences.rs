//! What decides among hits beside their scores, and headings that are the question word for word.

use sectile_core::Format;

use super::Asking;
use super::legs::Best;
use crate::index::code_names::{self, AskedDefinition};
use crate::index::document_names::AskedName;
use crate::index::found::Preferences;
use crate::index::headings;
use crate::index::literals::Literal;
use crate::query::TypedForm;
use crate::{FoundChunk, GroupBy, Result, SearchMode};

impl Asking<'_> {
    /// Returns what decides among hits beside their scores: of most only where words rank alone.
    pub(super) fn preferences(&self) -> Preferences {
        let others = Preferences {
            heading: self.asked_heading(),
            name: self.asked_document.clone(),
            ..Preferences::default()
        };
        match self.request.mode {
            SearchMode::Text => Preferences {
                typed: self.of_whole_hits(self.query.typed_forms()),
                counted: self.of_whole_hits(self.query.counted_forms()),
                qualifiers: self.query.qualifiers(),
                literal: self.literal(),
                language: self.query.clauses().language,
                definition: self.definition().cloned(),
                code: self.asked_definition(),
                is_by_text: true,
                ..others
            },
            _ => others,
        }
    }

    /// Returns the words whose forms are looked for in hits. The best chunk of a document does not say in which forms its
    /// other chunks have a word; it says which names the document is about.
    fn of_whole_hits(&self, mut forms: Vec<TypedForm>) -> Vec<TypedForm> {
        let is_whole = self.request.group_by != GroupBy::Document;
        forms.retain(|form| is_whole || form.is_identifier);
        forms
    }

    /// Returns the question as a text may have it, with its signs, if only words rank.
    pub(super) fn literal(&self) -> Option<Literal> {
        let is_by_text = self.request.mode == SearchMode::Text;
        let literal = is_by_text.then(|| Literal::of(&self.request.query));
        literal.flatten()
    }

    /// Returns the words of the question, if it has stop words and a heading may be the same.
    fn asked_heading(&self) -> Option<String> {
        let has_sections = self.request.group_by != GroupBy::Document;
        let has_words = self.request.mode != SearchMode::Vector;
        let may_be = has_sections && has_words && self.query.has_left_out();
        may_be.then(|| headings::words(&self.request.query))
    }

    /// Returns the names in source code that the question is, if only words rank.
    pub(super) fn asked_definition(&self) -> Option<AskedDefinition> {
        let is_by_text = self.request.mode == SearchMode::Text;
        let asked = is_by_text.then(|| AskedDefinition::of(&self.request.query));
        asked.flatten()
    }

    /// Returns whether the question is the command that shows a manual page: many others have a word of it.
    pub(super) fn is_asking_for_page(&self) -> bool {
        let asked = self.asked_document.as_ref();
        asked.is_some_and(AskedName::is_command)
    }

    /// Returns the next hits that stand before the best by what they are called: sections whose heading is the question, or
    /// else definitions of its name.
    pub(super) async fn with_asked(&mut self, best: &[Best]) -> Result<Vec<Best>> {
        let sections = self.with_asked_heading(best).await?;
        if sections.is_empty() {
            self.with_asked_definition(best).await
        } else {
            Ok(sections)
        }
    }

    /// Returns the next definitions in source code of the name that the question is, if one of the best is source code and
    /// none such a definition.
    async fn with_asked_definition(&mut self, best: &[Best]) -> Result<Vec<Best>> {
        let Some(asked) = self.asked_definition() else {
            return Ok(Vec::new());
        };
        if !self.lacks_definition(best, &asked) {
            return Ok(Vec::new());
        }
        let mut next = self.best(code_names::LOOKED_AT).await?;
        next.retain(|of| best.iter().all(|known| known.group != of.group));
        self.read_chunks(&next).await?;
        let is_defined = |of: &FoundChunk| asked.is_defined_in(of);
        next.retain(|of| self.chunks.get(&of.chunk).is_some_and(is_defined));
        Ok(next)
    }

    /// Returns whether some of the best, which were read, are source code, and none defines what is asked for.
    fn lacks_definition(&self, best: &[Best], asked: &AskedDefinition) -> bool {
        let chunks = best.iter().filter_map(|of| self.chunks.get(&of.chunk));
        let mut code = chunks
            .filter(|of| of.document.format == Format::Code)
            .peekable();
        code.peek().is_some() && !code.any(|of| asked.is_defined_in(of))
    }

    /// Returns the next sections whose heading is the question word for word, if no other one of the best is and only one
    /// word of the question ranks.
    async fn with_asked_heading(&mut self, best: &[Best]) -> Result<Vec<Best>> {
        let may_be = self.request.mode == SearchMode::Text && self.query.is_of_one_word();
        let Some(asked) = self.asked_heading().filter(|_| may_be) else {
            return Ok(Vec::new());
        };
        if best.len() >= headings::LOOKED_AT || best.iter().any(|of| self.has_heading(of, &asked)) {
            return Ok(Vec::new());
        }
        let mut next = self.best(headings::LOOKED_AT).await?;
        next.drain(..best.len().min(next.len()));
        self.read_chunks(&next).await?;
        next.retain(|of| self.has_heading(of, &asked));
        Ok(next)
    }

    /// Returns whether the heading of what was found and read has some words and no others.
    fn has_heading(&self, best: &Best, asked: &str) -> bool {
        let chunk = self.chunks.get(&best.chunk);
        chunk.is_some_and(|chunk| headings::is_of(chunk, asked))
    }
}
