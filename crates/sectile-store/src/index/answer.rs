//! From the legs of a search to its hits.

use rustc_hash::FxHashMap;
use tracing::{Instrument as _, Span, debug_span};

use super::accents;
use super::compounds;
use super::conditions::Conditions;
use super::contributions::Contribution;
use super::digits;
use super::found::{FoundHits, HeldClauses, Preferences};
use super::groups::{Group, Groups, Places, Scored, cut};
use super::headings;
use super::question_terms::Known;
use super::reader::IndexReader;
use super::related;
use super::scope::InScope;
use super::score::Key;
use super::search::Search;
use super::spelling;
use super::terms::Segments;
use super::unspaced;
use crate::analyzer::LanguageShares;
use crate::{
    Answer, Error, FoundChunk, GroupBy, Hit, Language, Leg, Query, QueryVector, Ranking, Result,
    SearchMode, SearchRequest, node_score, reciprocal_rank_fusion,
};

/// How many chunks are looked at first for each hit that is asked for, as a section has several, and how
/// many times as many where that is too few.
const CHUNKS_A_HIT: usize = 2;
const MORE: usize = 4;

/// How many chunks are ranked at least. Where groups and equal texts leave too few hits, all are ranked over
/// again; but the more are wanted, the fewer are passed over: with 80 a search takes a tenth more instructions.
const FEWEST_RANKED: usize = 32;

/// How many hits of each leg are fused at least, and how many for each hit that is asked for. Where a
/// hundred are asked for, twice as many find more (recall@100 on Cranfield .787, with as many .757),
/// and ten times as many less again (.781).
const FUSED: usize = 100;
const FUSED_A_HIT: usize = 2;

/// The constant of rank fusion, as chosen by its authors.
pub const FUSION_K: f64 = 60.0;

/// The weight of the text ranking in a fusion; vectors have weight 1.
pub const TEXT_WEIGHT: f64 = 2.0;

/// How many of the best chunks are retrieved for each hit, to score sections by value. With more,
/// sections that have many middling chunks come before the one that answers.
const RETRIEVED_A_HIT: usize = 2;

/// How many hits are looked for at least, so that which have the same text does not depend on how few are asked for.
const FEWEST_HITS: usize = 10;

/// How many are looked for at least where the question names a section by its number: its number alone says little.
const FEWEST_CITED: usize = 50;

/// How many hits are looked at at most, where some have the same text: so many, or so many for each that is looked for.
/// No more than the latter are looked at where many have no text of their own.
const MOST: usize = 4_096;
const MOST_A_HIT: usize = 32;

/// How often words that no document has are read again: names between full stops, parts of such a name, and what is
/// mistyped of these.
const ROUNDS_OF_WORDS: usize = 3;

/// Answers a request.
///
/// # Errors
///
/// [`Error::EmptyQuery`] if there is nothing to search for, [`Error::NoQueryVector`],
/// [`Error::OtherModel`] or [`Error::NoVectors`] when vectors cannot be compared,
/// [`Error::UnsupportedMode`] for a mode that needs a chat model, and errors of the reader.
pub async fn search(reader: &mut dyn IndexReader, request: &SearchRequest) -> Result<Answer> {
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
    let in_scope = search.in_scope(&request.scope).await?;
    spelling::complete(&mut search, &mut query, &languages).await?;
    let mut asking = Asking {
        search,
        in_scope,
        request,
        query,
        segments,
        words: None,
        conditions: None,
        text_leg: None,
        compares_clauses: false,
        places: Places::default(),
        chunks: FxHashMap::default(),
    };
    asking.read_words(&languages).await?;
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

/// Makes the span of a leg of a search.
fn leg(name: &'static str) -> Span {
    debug_span!("search.leg", leg = name)
}

/// The best chunk of a group.
#[derive(Clone, Debug)]
struct Best {
    group: Group,
    chunk: Key,
    score: f64,
    legs: Vec<Leg>,
}

/// A request that is being answered.
struct Asking<'a> {
    search: Search<'a>,
    in_scope: InScope,
    request: &'a SearchRequest,
    query: Query,
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

/// The ranking by text, as far as it went.
struct TextLeg {
    /// How many chunks were asked for.
    asked: usize,
    ranked: Scored,
    /// How many of these the groups have.
    taken_up: usize,
    groups: Groups,
}

/// What the index has for the words of a question.
struct Words {
    segments: Segments,
    known: Known,
}

impl Asking<'_> {
    /// Reads what the index has for the words of the question, and corrects those that it does not have.
    async fn read_words(&mut self, languages: &[Language]) -> Result<()> {
        if self.request.mode == SearchMode::Vector && !self.query.clauses().has_conditions() {
            return Ok(());
        }
        let mut segments = match self.segments.take() {
            Some(known) => known,
            None => self.search.segments().await?,
        };
        let query = &mut self.query;
        let mut known = segments.words(self.search.reader, query.clauses()).await?;
        query.settle(|of| known.chunks_with(of));
        let search = &mut self.search;
        accents::restore(search, &mut segments, query, &mut known, languages).await?;
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
        for _ in 0..ROUNDS_OF_WORDS {
            if spelling::correct(&mut self.search, query, &known, languages).await? {
                known = segments.known(self.search.reader, query.clauses()).await?;
            }
            let unknown = query.not_held(|of| known.chunks_with(of));
            let (search, segments) = (&mut self.search, &mut segments);
            let are_grouped =
                digits::group(search, segments, query, &known, &unknown, languages).await?;
            let are_halved =
                compounds::take_apart(search, segments, query, &unknown, languages).await?;
            if !(spelling::take_apart(query, &known, languages) || are_halved || are_grouped) {
                break;
            }
            known = segments.known(self.search.reader, query.clauses()).await?;
        }
        if related::replace(&mut self.search, query, &known, languages).await? {
            known = segments.known(self.search.reader, query.clauses()).await?;
        }
        unspaced::share(self.search.reader, &mut segments, query, languages).await?;
        spelling::weigh(query, &known, &segments.size);
        self.read_conditions(&mut segments, &known).await?;
        self.words = Some(Words { segments, known });
        Ok(())
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

    /// Returns the hits: of those with the same text only the best, and those without a text
    /// of their own after those that have one and hold as much.
    async fn hits(&mut self) -> Result<Vec<(Key, Hit)>> {
        let wanted = self.request.limit;
        if wanted == 0 || self.in_scope.collections().next().is_none() {
            return Ok(Vec::new());
        }
        let first = match self.request.group_by {
            GroupBy::Chunk => wanted,
            GroupBy::Section if self.is_citing_in_text() => wanted.max(FEWEST_CITED),
            GroupBy::Section | GroupBy::Document => wanted.max(FEWEST_HITS),
        };
        let most_a_hit = first.saturating_mul(MOST_A_HIT);
        let most = most_a_hit.max(MOST);
        let (mut limit, mut same_before) = (first, 0);
        let (mut found, mut taken_up) = (self.no_hits(), 0);
        loop {
            let best = self.best(limit).await?;
            let is_all = best.len() < limit;
            // By text alone, more hits stand behind those before.
            if self.request.mode != SearchMode::Text {
                (found, taken_up) = (self.no_hits(), 0);
            }
            self.read(&best[taken_up..], &mut found).await?;
            taken_up = best.len();
            let is_enough = found.says_enough(first) || found.has(first) && limit >= most_a_hit;
            // Those with the same text are looked for until no more are found.
            let same = found.same_texts(first);
            let is_done = is_enough && same == same_before;
            if is_all || is_done || limit == most {
                if !is_all {
                    let asked = self.with_asked_heading(&best).await?;
                    self.read(&asked, &mut found).await?;
                }
                return Ok(found.into_hits(wanted, &self.query, &self.preferences()));
            }
            same_before = same;
            limit = limit.saturating_mul(2).min(most);
        }
    }

    /// Returns whether the question names a section, and its words rank.
    fn is_citing_in_text(&self) -> bool {
        self.request.mode == SearchMode::Text && self.query.has_citations()
    }

    /// Returns what decides among hits beside their scores: of most only where words rank alone.
    fn preferences(&self) -> Preferences {
        let others = Preferences {
            heading: self.asked_heading(),
            ..Preferences::default()
        };
        match self.request.mode {
            SearchMode::Text => Preferences {
                typed: self.query.typed_forms(),
                language: self.query.clauses().language,
                ..others
            },
            _ => others,
        }
    }

    /// Returns the words of the question, if it has stop words and a heading may be the same.
    fn asked_heading(&self) -> Option<String> {
        let has_sections = self.request.group_by != GroupBy::Document;
        let has_words = self.request.mode != SearchMode::Vector;
        let may_be = has_sections && has_words && self.query.has_left_out();
        may_be.then(|| headings::words(&self.request.query))
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

    async fn best(&mut self, limit: usize) -> Result<Vec<Best>> {
        match self.request.mode {
            SearchMode::Text => self.text_leg(limit).instrument(leg("text")).await,
            SearchMode::Vector => self.vector_leg(limit).instrument(leg("vector")).await,
            SearchMode::Hybrid => self.fused(limit).await,
            SearchMode::Value => self.by_value(limit).instrument(leg("value")).await,
            mode @ SearchMode::Tree => Err(Error::UnsupportedMode { mode }),
        }
    }

    /// Goes on where the last call ended, so that more hits cost only what they add.
    async fn text_leg(&mut self, limit: usize) -> Result<Vec<Best>> {
        let mut leg = self.text_leg.take().unwrap_or_else(|| TextLeg {
            asked: 0,
            ranked: Vec::new(),
            taken_up: 0,
            groups: Groups::new(self.request.group_by),
        });
        loop {
            let rest = &leg.ranked[leg.taken_up..];
            let groups = leg
                .groups
                .take_up(rest, limit, &mut self.places, &mut self.search);
            leg.taken_up += groups.await?;
            if leg.groups.found().len() >= limit || leg.ranked.len() < leg.asked {
                break;
            }
            let least = limit.saturating_mul(CHUNKS_A_HIT).max(FEWEST_RANKED);
            // As many may tie with the last one.
            let known = leg.asked.max(leg.ranked.len());
            leg.asked = known.saturating_mul(MORE).max(least);
            leg.ranked = self.meeting(None, leg.asked).await?;
        }
        let best = numbered(leg.groups.found(), limit, SearchMode::Text);
        self.text_leg = Some(leg);
        Ok(best)
    }

    async fn vector_leg(&mut self, limit: usize) -> Result<Vec<Best>> {
        let vector = self.vector().await?;
        let mut looked_at = limit.saturating_mul(CHUNKS_A_HIT);
        loop {
            let ranked = self.meeting(Some(&vector), looked_at).await?;
            let is_all = ranked.len() < looked_at;
            let best = self.grouped(&ranked, limit, SearchMode::Vector).await?;
            if best.len() >= limit || is_all {
                return Ok(best);
            }
            looked_at = looked_at.saturating_mul(MORE);
        }
    }

    async fn fused(&mut self, limit: usize) -> Result<Vec<Best>> {
        let depth = limit.saturating_mul(FUSED_A_HIT).max(FUSED);
        let legs = [
            (
                TEXT_WEIGHT,
                self.text_leg(depth).instrument(leg("text")).await?,
            ),
            (1.0, self.vector_leg(depth).instrument(leg("vector")).await?),
        ];
        let ranking = |(weight, leg): &(f64, Vec<Best>)| Ranking {
            weight: *weight,
            items: leg.iter().map(|best| best.group).collect(),
        };
        let fused = reciprocal_rank_fusion(&legs.each_ref().map(ranking), FUSION_K);
        let mut found: FxHashMap<Group, Best> = FxHashMap::default();
        for best in legs.into_iter().flat_map(|(_, leg)| leg) {
            found
                .entry(best.group)
                .and_modify(|known| known.join(&best))
                .or_insert(best);
        }
        let scored = |(group, score)| found.remove(&group).map(|best| Best { score, ..best });
        Ok(fused.into_iter().filter_map(scored).take(limit).collect())
    }

    /// Scores sections, or documents, by those of the best chunks of the store that they have.
    async fn by_value(&mut self, limit: usize) -> Result<Vec<Best>> {
        let retrieved = limit.saturating_mul(RETRIEVED_A_HIT);
        let (ranked, mode) = if self.request.vector.is_some() {
            let vector = self.vector().await?;
            (
                self.meeting(Some(&vector), retrieved).await?,
                SearchMode::Vector,
            )
        } else {
            (self.meeting(None, retrieved).await?, SearchMode::Text)
        };
        let keys = ranked.iter().map(|(key, _)| *key);
        self.places.read(keys, &mut self.search).await?;
        let mut scores: FxHashMap<Group, Vec<f64>> = FxHashMap::default();
        for (key, score) in &ranked {
            let group = self.places.group(*key, self.request.group_by)?;
            scores.entry(group).or_default().push(*score);
        }
        let mut best = self.grouped(&ranked, usize::MAX, mode).await?;
        for best in &mut best {
            best.score = node_score(&scores[&best.group]);
        }
        // Those that score the same stay in the order of their best chunks.
        best.sort_by(|left, right| right.score.total_cmp(&left.score));
        best.truncate(limit);
        Ok(best)
    }

    /// Returns so many of the best chunks by text, and what ties with the last, best first.
    async fn best_chunks(&mut self, count: usize) -> Result<Scored> {
        let Some(Words { segments, known }) = &mut self.words else {
            return Ok(Vec::new());
        };
        let (reader, clauses) = (&mut *self.search.reader, self.query.clauses().of_chunks());
        let best = segments.best(reader, &clauses, known, count, &self.in_scope);
        best.await
    }

    /// Adds to hits what each word brought, where that was asked for.
    async fn explained(&mut self, hits: Vec<(Key, Hit)>) -> Result<Vec<Hit>> {
        let (keys, mut hits): (Vec<Key>, Vec<Hit>) = hits.into_iter().unzip();
        let Some(Words { segments, known }) = &mut self.words else {
            return Ok(hits);
        };
        if !self.request.explain {
            return Ok(hits);
        }
        let (reader, clauses) = (&mut *self.search.reader, self.query.clauses());
        let all = segments
            .contributions(reader, clauses, known, &keys)
            .await?;
        for (hit, contributions) in hits.iter_mut().zip(all) {
            let words = contributions.iter().map(|of| of.explained(clauses));
            hit.words = words.collect();
        }
        Ok(hits)
    }

    /// Returns the question as a vector of the model that the collections have.
    async fn vector(&mut self) -> Result<QueryVector> {
        let mode = self.request.mode;
        let vector = self.request.vector.as_ref();
        let vector = vector.ok_or(Error::NoQueryVector { mode })?;
        let models = self.search.reader.models().await?;
        let mut in_scope = self.in_scope.collections().filter_map(|collection| {
            let model = models.get(collection)?;
            Some((collection, model))
        });
        let mut has_any = false;
        in_scope.try_for_each(|(collection, model)| {
            has_any = true;
            vector.check(collection, model)
        })?;
        if !has_any {
            return Err(Error::NoVectors);
        }
        vector.normalized()
    }

    /// Returns so many of the chunks that come first, by a vector or else by text, and whose hits meet the conditions of
    /// the question, and what ties with the last.
    async fn meeting(&mut self, vector: Option<&QueryVector>, count: usize) -> Result<Scored> {
        let mut looked_at = count;
        loop {
            let found = match vector {
                Some(vector) => self.nearest(vector, looked_at).await?,
                None => self.best_chunks(looked_at).await?,
            };
            let Some(conditions) = &self.conditions else {
                return Ok(found);
            };
            let is_all = found.len() < looked_at;
            let kept = conditions.keep(found, &mut self.places, &mut self.search);
            let kept = kept.await?;
            if is_all || kept.len() >= count {
                return Ok(cut(kept, count));
            }
            looked_at = looked_at.saturating_mul(MORE);
        }
    }

    /// Returns so many of the nearest chunks, and what ties with the last.
    async fn nearest(&mut self, vector: &QueryVector, count: usize) -> Result<Scored> {
        let reader = &mut self.search.reader;
        let mut found = reader.nearest(vector, &self.in_scope, count).await?;
        found.sort_by(|left, right| right.1.total_cmp(&left.1));
        let keyed = |(chunk, score)| Ok((self.search.key(&chunk)?, f64::from(score)));
        let found = found.into_iter().map(keyed).collect::<Result<_>>()?;
        Ok(cut(found, count))
    }

    /// Returns the best chunk of each of the best groups.
    async fn grouped(
        &mut self,
        ranked: &[(Key, f64)],
        limit: usize,
        leg: SearchMode,
    ) -> Result<Vec<Best>> {
        let mut groups = Groups::new(self.request.group_by);
        let taken_up = groups.take_up(ranked, limit, &mut self.places, &mut self.search);
        taken_up.await?;
        Ok(numbered(groups.found(), limit, leg))
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
    /// section, which comes before those that hold no more. Otherwise the clauses are empty.
    async fn clauses_held(&mut self, best: &[Best]) -> Result<Vec<HeldClauses>> {
        let keys: Vec<Key> = best.iter().map(|best| best.chunk).collect();
        let may_lack_text =
            |chunk: &FoundChunk| chunk.may_be_inherited() || chunk.demotion().is_some();
        self.compares_clauses |=
            self.query.has_citations() || keys.iter().any(|key| may_lack_text(&self.chunks[key]));
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
        let held = |of: Vec<Contribution>| {
            let clauses = of.iter().map(|of| of.clause);
            HeldClauses {
                clauses: clauses.filter(|of| !query.is_two_in_a_row(*of)).collect(),
                is_in_text: of.iter().any(|of| of.in_text > 0),
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

impl Best {
    /// Adds what another leg found of the same group; the chunk is that of the better rank.
    fn join(&mut self, other: &Self) {
        if other.legs[0].rank < self.legs[0].rank {
            self.chunk = other.chunk;
        }
        self.legs.extend_from_slice(&other.legs);
    }
}

/// Returns the first so many groups of a leg with their ranks in it.
fn numbered(groups: &[(Group, Key, f64)], limit: usize, leg: SearchMode) -> Vec<Best> {
    let best = |(&(group, chunk, score), rank): (&(Group, Key, f64), usize)| Best {
        group,
        chunk,
        score,
        legs: vec![Leg {
            name: leg.name().into(),
            rank,
            score,
        }],
    };
    groups.iter().take(limit).zip(1..).map(best).collect()
}
