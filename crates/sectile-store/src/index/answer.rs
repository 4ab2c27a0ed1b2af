//! From the legs of a search to its hits.

mod definitions;
mod legs;
mod literals;
mod preferences;
mod quotes;
mod words;

use rustc_hash::FxHashMap;

use self::legs::{Best, TextLeg};
pub use self::legs::{FUSION_K, TEXT_WEIGHT};
use self::words::Words;
use super::conditions::Conditions;
use super::contributions::Contribution;
use super::definitions::LOOKED_AT;
use super::document_names::AskedName;
use super::found::{FoundHits, HeldClauses};
use super::groups::Places;
use super::reader::IndexReader;
use super::scope::InScope;
use super::score::Key;
use super::search::Search;
use super::spelling;
use super::terms::Segments;
use crate::analyzer::LanguageShares;
use crate::{
    Answer, Error, FoundChunk, GroupBy, Hit, Language, Query, Result, SearchMode, SearchRequest,
};

/// The fewest hits that are searched for, so that the groups of equal texts do not depend on a small limit.
const FEWEST_HITS: usize = 10;

/// The fewest hits that are searched for where the question names a section by its number, or a file, or has signs: many
/// others may match its other words.
const FEWEST_CITED: usize = 50;

/// The most hits that are examined where some have the same text: this number, or this number for each requested hit,
/// whichever is larger. Where many have no text of their own, only the second limit applies.
const MOST: usize = 4_096;
const MOST_A_HIT: usize = 32;

/// The number of first hits that are examined for the one that matches most words of the question.
const COMPARED: usize = 3;

/// Answers a request.
///
/// # Errors
///
/// [`Error::EmptyQuery`] if there is nothing to search for, [`Error::NoQueryVector`],
/// [`Error::OtherModel`] or [`Error::NoVectors`] when vectors cannot be compared,
/// [`Error::UnsupportedMode`] for a mode that needs a chat model, and errors of the reader.
pub async fn search(reader: &mut dyn IndexReader, request: &SearchRequest) -> Result<Answer> {
    let mut asking = Asking::begin(reader, request).await?;
    let mut hits = asking.hits().await?;
    if hits.is_empty() && asking.query.let_go() {
        asking.conditions = None;
        asking.text_leg = None;
        hits = asking.hits().await?;
    }
    let hits = asking.explained(hits).await?;
    let reading = asking.query.into_reading();
    Ok(Answer {
        notes: reading.notes(!hits.is_empty()),
        hits,
        about: Vec::new(),
        reading,
    })
}

/// A request that is being answered.
struct Asking<'a> {
    search: Search<'a>,
    in_scope: InScope,
    request: &'a SearchRequest,
    query: Query,
    /// What the question asks for, if a document may be called so and words rank.
    asked_document: Option<AskedName>,
    /// The segments, where they were read before the words.
    segments: Option<Segments>,
    /// What the index has for the words of the question, once it is read.
    words: Option<Words>,
    /// The conditions that a chunk alone does not decide.
    conditions: Option<Conditions>,
    /// What was ranked by text so far.
    text_leg: Option<TextLeg>,
    /// Whether hits are compared by the clauses that they hold.
    compares_clauses: bool,
    /// Where the chunks stand that were looked at.
    places: Places,
    /// Those that were read.
    chunks: FxHashMap<Key, FoundChunk>,
}

impl<'a> Asking<'a> {
    /// Parses the question, and reads what the index has for it.
    async fn begin(reader: &'a mut dyn IndexReader, request: &'a SearchRequest) -> Result<Self> {
        let mut search = Search::begin(reader, request.scope.collection_name()).await?;
        let languages = search.languages();
        let languages: Vec<Language> = languages.iter().filter_map(|of| of.parse().ok()).collect();
        let mut segments = None;
        let mut shares = LanguageShares::UNKNOWN;
        if languages.len() > 1 && request.mode != SearchMode::Vector {
            let known = segments.insert(search.segments().await?);
            shares = known.shares(search.reader).await?;
        }
        let query = Query::parse_among(&request.query, &languages, shares);
        let mut query = match (query, request.mode) {
            // Words are only marked then.
            (Err(_), SearchMode::Vector) => Query::default(),
            (query, _) => query?,
        };
        let has_words = request.mode != SearchMode::Vector;
        let asked_document = has_words.then(|| AskedName::of(&request.query)).flatten();
        let in_scope = search.in_scope(&request.scope).await?;
        spelling::complete(&mut search, &mut query, &languages).await?;
        let mut asking = Self {
            search,
            in_scope,
            request,
            query,
            asked_document,
            segments,
            words: None,
            conditions: None,
            text_leg: None,
            compares_clauses: false,
            places: Places::default(),
            chunks: FxHashMap::default(),
        };
        asking.read_words(&languages).await?;
        Ok(asking)
    }

    /// Returns the hits: of those with the same text only the best, and those without a text
    /// of their own after those that have one and hold as much.
    async fn hits(&mut self) -> Result<Vec<(Key, Hit)>> {
        let wanted = self.request.limit;
        if wanted == 0 || self.in_scope.collections().next().is_none() {
            return Ok(Vec::new());
        }
        let first = self.least();
        let most_a_hit = first.saturating_mul(MOST_A_HIT);
        let most = most_a_hit.max(MOST);
        let (mut limit, mut same_before) = (first, 0);
        let (mut found, mut taken_up) = (self.no_hits(), 0);
        loop {
            let mut best = self.best(limit).await?;
            let is_all = best.len() < limit;
            // By text alone, more hits stand behind those before.
            if self.request.mode != SearchMode::Text {
                (found, taken_up) = (self.no_hits(), 0);
            }
            self.prefer_definitions(&mut best).await?;
            self.read(&best[taken_up..], &mut found).await?;
            taken_up = best.len();
            let is_enough = found.says_enough(first) || found.has(first) && limit >= most_a_hit;
            // Those with the same text are looked for until no more are found.
            let same = found.same_texts(first);
            let is_done = is_enough && same == same_before;
            if is_all || is_done || limit == most {
                if !is_all {
                    let asked = self.with_asked(&best).await?;
                    self.read(&asked, &mut found).await?;
                    best.extend(asked);
                }
                self.find_typed(&mut best, &mut found).await?;
                self.find_quotes(&best, &mut found).await?;
                return Ok(found.into_hits(wanted, &self.query, &self.preferences()));
            }
            same_before = same;
            limit = limit.saturating_mul(2).min(most);
        }
    }

    /// Returns the fewest hits that are searched for.
    fn least(&self) -> usize {
        let wanted = self.request.limit;
        match self.request.group_by {
            GroupBy::Chunk => wanted,
            GroupBy::Section if self.is_citing_in_text() => wanted.max(FEWEST_CITED),
            _ if self.is_naming_file() || self.is_asking_for_page() => wanted.max(FEWEST_CITED),
            _ if self.literal().is_some() => wanted.max(FEWEST_CITED),
            _ if self.definition().is_some() => wanted.max(LOOKED_AT),
            GroupBy::Section | GroupBy::Document => wanted.max(FEWEST_HITS),
        }
    }

    /// Returns whether the question names a section, and its words rank.
    fn is_citing_in_text(&self) -> bool {
        self.request.mode == SearchMode::Text && self.query.has_citations()
    }

    /// Returns whether the question names a file whose name chunks hold, and only words rank.
    fn is_naming_file(&self) -> bool {
        self.request.mode == SearchMode::Text && self.query.has_files()
    }

    /// Notes how much of the words of the question the first hits have, if these are found by words alone, and adds to each
    /// hit what each word brought, where that was asked for.
    async fn explained(&mut self, hits: Vec<(Key, Hit)>) -> Result<Vec<Hit>> {
        let (keys, mut hits): (Vec<Key>, Vec<Hit>) = hits.into_iter().unzip();
        let tells_share = self.request.mode == SearchMode::Text && self.query.tells_share();
        let looked_at = match (self.request.explain, tells_share) {
            (true, _) => keys.len(),
            (false, true) => keys.len().min(COMPARED),
            (false, false) => 0,
        };
        let words = self.words.as_mut().filter(|_| looked_at > 0);
        let Some(Words { segments, known }) = words else {
            return Ok(hits);
        };
        let (reader, clauses) = (&mut *self.search.reader, self.query.clauses());
        let all = segments
            .contributions(reader, clauses, known, &keys[..looked_at])
            .await?;
        if self.request.explain {
            for (hit, of_hit) in hits.iter_mut().zip(&all) {
                hit.words = of_hit.iter().map(|of| of.explained(clauses)).collect();
            }
        }
        if tells_share {
            let compared = all.iter().take(COMPARED);
            let held = compared.map(|of_hit| of_hit.iter().map(|of| of.clause).collect());
            let held: Vec<Vec<usize>> = held.collect();
            self.query.note_share(&held);
        }
        Ok(hits)
    }

    fn no_hits(&self) -> FoundHits {
        FoundHits::new(self.request.group_by, &self.request.query)
    }

    /// Reads what was found next.
    async fn read(&mut self, best: &[Best], found: &mut FoundHits) -> Result<()> {
        self.read_chunks(best).await?;
        let held = self.clauses_held(best).await?;
        for (best, held) in best.iter().zip(held) {
            let chunk = self.chunks[&best.chunk].clone();
            found.add(best.chunk, chunk, (best.score, best.legs.clone()), held);
        }
        Ok(())
    }

    /// Returns the clauses of the question that each hit holds. They are compared in two cases. One of these hits, or of
    /// those before, may have no text of its own, and then stands after those that hold as much. Or the question names a
    /// section, which comes before those that hold no more, or a file. Otherwise the clauses are empty.
    async fn clauses_held(&mut self, best: &[Best]) -> Result<Vec<HeldClauses>> {
        let keys: Vec<Key> = best.iter().map(|best| best.chunk).collect();
        let may_lack_text =
            |chunk: &FoundChunk| chunk.may_be_inherited() || chunk.demotion().is_some();
        let is_naming_file = self.is_naming_file();
        self.compares_clauses |= is_naming_file
            || self.query.has_citations()
            || keys.iter().any(|key| may_lack_text(&self.chunks[key]));
        if !self.compares_clauses {
            return Ok(vec![HeldClauses::default(); best.len()]);
        }
        let clauses = self.query.clauses();
        let mut read;
        let Words { segments, known } = if let Some(words) = &mut self.words {
            words
        } else {
            let mut segments = self.search.segments().await?;
            let known = segments.known(self.search.reader, clauses).await?;
            read = Words { segments, known };
            &mut read
        };
        let reader = &mut *self.search.reader;
        let all = segments
            .contributions(reader, clauses, known, &keys)
            .await?;
        let query = &self.query;
        let files = if is_naming_file {
            query.places_of_files()
        } else {
            Vec::new()
        };
        let held = |of: Vec<Contribution>| {
            let of_files = of.iter().filter(|of| files.contains(&of.clause));
            let clauses = of.iter().map(|of| of.clause);
            HeldClauses {
                clauses: clauses.filter(|of| !query.is_two_in_a_row(*of)).collect(),
                is_in_text: of.iter().any(|of| of.in_text > 0),
                of_files: of_files.map(|of| of.score).sum(),
            }
        };
        Ok(all.into_iter().map(held).collect())
    }

    /// Reads chunks, unless they were read.
    async fn read_chunks(&mut self, best: &[Best]) -> Result<()> {
        let keys = best.iter().map(|best| best.chunk);
        let new = keys.filter(|key| !self.chunks.contains_key(key));
        let new: Vec<Key> = new.collect();
        if new.is_empty() {
            return Ok(());
        }
        let found = self.search.reader.chunks(&self.search.chunks(&new)).await?;
        if found.len() < new.len() {
            return Err(Error::corrupt("a chunk that is gone"));
        }
        self.chunks.extend(new.into_iter().zip(found));
        Ok(())
    }
}
