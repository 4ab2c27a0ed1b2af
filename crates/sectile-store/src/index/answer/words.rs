//! The words of a question, as the index has them.

use super::Asking;
use crate::index::question_terms::Known;
use crate::index::terms::Segments;
use crate::index::{accents, compounds, digits, related, spelling, unspaced};
use crate::{Language, Result, SearchMode};

/// How often words that no document has are read again: names between full stops, parts of such a name, and what is
/// mistyped of these.
const ROUNDS_OF_WORDS: usize = 3;

/// What the index has for the words of a question.
pub(super) struct Words {
    pub(super) segments: Segments,
    pub(super) known: Known,
}

impl Asking<'_> {
    /// Reads what the index has for the words of the question, and corrects those that it does not have.
    pub(super) async fn read_words(&mut self, languages: &[Language]) -> Result<()> {
        if self.request.mode == SearchMode::Vector && !self.query.clauses().has_conditions() {
            return Ok(());
        }
        let mut segments = match self.segments.take() {
            Some(known) => known,
            None => self.search.segments().await?,
        };
        let known = self.read_typed(&mut segments, languages).await?;
        let known = self.correct(&mut segments, known, languages).await?;
        unspaced::share(
            self.search.reader,
            &mut segments,
            &mut self.query,
            languages,
        )
        .await?;
        spelling::weigh(&mut self.query, &known, &segments.size);
        self.read_conditions(&mut segments, &known).await?;
        self.words = Some(Words { segments, known });
        Ok(())
    }

    /// Reads what the index has for the words as they were typed, with the accents that they may lack, and with their
    /// relatives.
    async fn read_typed(
        &mut self,
        segments: &mut Segments,
        languages: &[Language],
    ) -> Result<Known> {
        let (search, query) = (&mut self.search, &mut self.query);
        let mut known = segments.words(search.reader, query.clauses()).await?;
        query.settle(|of| known.chunks_with(of));
        accents::restore(search, segments, query, &mut known, languages).await?;
        segments
            .rows(search.reader, query.clauses(), &mut known)
            .await?;
        let size = &segments.size;
        if query.settle_relatives(
            languages,
            |of| known.chunks_with(of),
            |chunks| size.idf(chunks),
        ) {
            known = segments.known(search.reader, query.clauses()).await?;
        }
        Ok(known)
    }

    /// Corrects the words that the index does not have, takes them apart, or looks for others that begin so; and returns
    /// what the index has then.
    async fn correct(
        &mut self,
        segments: &mut Segments,
        mut known: Known,
        languages: &[Language],
    ) -> Result<Known> {
        let (search, query) = (&mut self.search, &mut self.query);
        for _ in 0..ROUNDS_OF_WORDS {
            if spelling::correct(search, query, &known, languages).await? {
                known = segments.known(search.reader, query.clauses()).await?;
            }
            let unknown = query.not_held(|of| known.chunks_with(of));
            let are_grouped = digits::group(
                (&mut *search, &mut *segments),
                (&mut *query, &self.request.query),
                &known,
                &unknown,
                languages,
            )
            .await?;
            let are_halved =
                compounds::take_apart(search, segments, query, &unknown, languages).await?;
            if !(spelling::take_apart(query, &known, languages) || are_halved || are_grouped) {
                break;
            }
            known = segments.known(search.reader, query.clauses()).await?;
        }
        if related::replace(search, query, &known, languages).await? {
            known = segments.known(search.reader, query.clauses()).await?;
        }
        Ok(known)
    }

    /// Reads what hits have to meet. That they have one thing is seen as their chunks are ranked by text.
    async fn read_conditions(&mut self, segments: &mut Segments, known: &Known) -> Result<()> {
        let clauses = self.query.clauses();
        let is_one = clauses.required.len() == 1 && clauses.excluded.is_empty();
        if !clauses.has_conditions() || is_one && self.request.vector.is_none() {
            return Ok(());
        }
        let group_by = self.request.group_by;
        let conditions = segments.conditions(self.search.reader, clauses, known, group_by);
        let conditions = conditions.await?;
        if let Some(documents) = conditions.documents() {
            self.in_scope.keep_documents(documents);
        }
        self.conditions = Some(conditions);
        Ok(())
    }
}
