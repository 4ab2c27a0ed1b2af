//! What the index has for the terms of a question.

use std::collections::BTreeSet;
use std::hash::{Hash as _, Hasher as _};
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::cache::{Cached, Key as CacheKey};
use super::data::{Data, Needs};
use super::document_languages::{Marked, Spoken};
use super::head::Head;
use super::list::List;
use super::number::unreadable;
use super::postings::Decoded;
use super::question_terms::{Dead, Held, Known, LanguageSizes, Scored};
use super::ranking::{Condition, Ranking};
use super::reader::IndexReader;
use super::scope::InScope;
use super::score::{Key, Size};
use super::weighted_variant::Weighed;
use super::window::Mask;
use super::words;
use super::writer::StoredSegment;
use crate::{Clauses, Error, Language, Result, Variant};

/// How many terms are read at once: the row of each has others, too.
const TOGETHER: usize = 32;

/// The segments of the collections in scope.
#[derive(Debug)]
pub(super) struct Segments {
    pub(super) list: Vec<IndexedSegment>,
    pub(super) size: Size,
    pub(super) data: Data,
    /// Those of their documents.
    pub(super) languages: Vec<Language>,
    /// The chunks in each of them but English, once they are read.
    pub(super) marked: Option<Arc<Marked>>,
    /// How many are in each, once that is read.
    pub(super) sizes: Option<Arc<LanguageSizes>>,
    /// The chunks that hold terms in a row, where they were found.
    pub(super) in_a_row: FxHashMap<Vec<String>, Held>,
    /// The segments and ordinals of the chunks that were ranked.
    pub(super) ranked: FxHashMap<Key, (usize, u32)>,
}

/// A segment, as far as each search needs it.
#[derive(Debug)]
pub(super) struct IndexedSegment {
    /// The place of its collection in the list of them.
    pub(super) collection: u32,
    pub(super) chunks: u32,
    dead: Option<Arc<Dead>>,
}

impl IndexedSegment {
    fn dead(&self) -> &[u32] {
        self.dead.as_ref().map_or(&[], |dead| &dead.ordinals)
    }

    /// Returns whether a chunk is in the store.
    pub(super) fn is_alive(&self, ordinal: u32) -> bool {
        self.dead().binary_search(&ordinal).is_err()
    }
}

impl Segments {
    /// Takes up segments, with those of their chunks that are dead; `place` gives the place of a
    /// collection.
    pub(super) async fn read(
        reader: &mut dyn IndexReader,
        stored: &[StoredSegment],
        dead: &FxHashSet<Key>,
        place: impl Fn(&str) -> Result<u32>,
    ) -> Result<Self> {
        let names = stored.iter().map(|of| (of.collection.clone(), of.segment));
        let mut all = Self {
            list: Vec::with_capacity(stored.len()),
            size: Size::default(),
            data: Data::new(names.collect()),
            in_a_row: FxHashMap::default(),
            ranked: FxHashMap::default(),
            languages: Vec::new(),
            marked: None,
            sizes: None,
        };
        for of in stored {
            all.size.chunks = all.size.chunks.saturating_add(of.chunks);
            all.size.terms = all.size.terms.saturating_add(of.terms);
            all.list.push(IndexedSegment {
                collection: place(&of.collection)?,
                chunks: u32::try_from(of.chunks).map_err(|_| unreadable())?,
                dead: None,
            });
        }
        let codes = stored.iter().map(|of| words::languages(&of.languages));
        let codes: BTreeSet<String> = codes.flatten().collect();
        let languages = codes.iter().filter_map(|code| code.parse().ok());
        all.languages = languages.collect();
        if !dead.is_empty() {
            all.bury(reader, dead).await?;
        }
        Ok(all)
    }

    /// Notes which chunks are dead, and takes them off the size.
    async fn bury(&mut self, reader: &mut dyn IndexReader, dead: &FxHashSet<Key>) -> Result<()> {
        let mut sorted: Vec<_> = dead.iter().collect();
        sorted.sort_unstable();
        let mut hasher = FxHasher::default();
        sorted.hash(&mut hasher);
        let made_of = hasher.finish();
        let cache = reader.cache().clone();
        let mut unknown = Vec::new();
        for at in 0..self.list.len() {
            let name = self.data.segments()[at].1;
            match cache.get(&CacheKey::Dead(name)) {
                Some(Cached::Dead(known)) if known.made_of == made_of => {
                    self.list[at].dead = Some(known);
                }
                _ => unknown.push(at),
            }
        }
        self.fetch_pages(reader, &unknown).await?;
        let documents: FxHashSet<_> = dead.iter().map(|key| (key.0, key.1)).collect();
        for at in unknown {
            let mut found = Dead {
                made_of,
                ..Dead::default()
            };
            self.each_run(at, |collection, document, chunk, ordinals, page| {
                if documents.contains(&(collection, document)) {
                    for (ordinal, chunk) in ordinals.zip(chunk..) {
                        if dead.contains(&(collection, document, chunk)) {
                            found.ordinals.push(ordinal);
                            found.terms += u64::from(page.length(ordinal));
                        }
                    }
                }
            })?;
            let (name, found) = (self.data.segments()[at].1, Arc::new(found));
            cache.insert(CacheKey::Dead(name), Cached::Dead(Arc::clone(&found)));
            self.list[at].dead = Some(found);
        }
        for dead in self.list.iter().filter_map(|segment| segment.dead.as_ref()) {
            let gone = dead.ordinals.len() as u64;
            self.size.chunks = self.size.chunks.saturating_sub(gone);
            self.size.terms = self.size.terms.saturating_sub(dead.terms);
        }
        Ok(())
    }

    /// Reads all pages of some segments.
    pub(super) async fn fetch_pages(
        &mut self,
        reader: &mut dyn IndexReader,
        segments: &[usize],
    ) -> Result<()> {
        let mut needs = Needs::default();
        for &at in segments {
            needs.pages(at, self.list[at].chunks.into());
        }
        self.data.fetch(reader, needs).await
    }

    /// Calls `found` with each run of chunks of a segment: its collection, its document, the number of
    /// the first chunk, the ordinals, and the page.
    pub(super) fn each_run(
        &self,
        at: usize,
        mut found: impl FnMut(u32, u64, u64, Range<u32>, &super::chunks::Chunks),
    ) -> Result<()> {
        let segment = &self.list[at];
        for page in self.data.pages(at, segment.chunks.into()) {
            let page = page?;
            for (run, end) in page.runs() {
                let ordinals = run.start..end;
                found(segment.collection, run.document, run.chunk, ordinals, page);
            }
        }
        Ok(())
    }

    /// Returns the best so many chunks in the scope that answer a question, and what ties with the last.
    pub(super) async fn best(
        &mut self,
        reader: &mut dyn IndexReader,
        question: &Clauses,
        known: &Known,
        count: usize,
        in_scope: &InScope,
    ) -> Result<Vec<(Key, f64)>> {
        let masks = self.masks(reader, in_scope).await?;
        let spoken = self.spoken(reader, question).await?;
        let ranking = self.ranking(question, known, &spoken, masks)?;
        let best = ranking.best(&mut self.data, reader, count).await?;
        let key = |(score, at, ordinal): (f64, usize, u32)| {
            let (document, chunk) = self.data.page(at, ordinal)?.number(ordinal);
            let key = (self.list[at].collection, document, chunk);
            self.ranked.insert(key, (at, ordinal));
            Ok((key, score))
        };
        best.into_iter().map(key).collect()
    }

    fn ranking<'k>(
        &self,
        question: &Clauses,
        known: &'k Known,
        spoken: &Spoken,
        masks: Vec<Mask>,
    ) -> Result<Ranking<'k>> {
        let condition = |of: &Variant| Condition {
            held: known.of(&of.terms),
            only: spoken.of(of.languages),
        };
        let all = |variants: &Vec<Variant>| -> Vec<_> { variants.iter().map(condition).collect() };
        let saturation = self.size.saturation();
        let clauses = self.scored(question, known, spoken).map(|mut variants| {
            // What the last one brings is added up at once.
            variants.sort_by_key(|variant| variant.held.chunks);
            let variants = variants.into_iter();
            let weighed = variants.map(|variant| Weighed::new(variant, saturation));
            weighed.collect()
        });
        let places = 0..question.scored.len();
        Ok(Ranking {
            saturation,
            clauses: clauses.collect::<Result<_>>()?,
            required: question.required.iter().map(all).collect(),
            excluded: question.excluded.iter().flat_map(all).collect(),
            of_question: spoken.of_question(question),
            are_sufficient: places.map(|place| question.is_sufficient(place)).collect(),
            masks,
        })
    }

    /// Returns for each clause that scores what its variants weigh.
    pub(super) fn scored<'k>(
        &self,
        question: &Clauses,
        known: &'k Known,
        spoken: &Spoken,
    ) -> impl Iterator<Item = Vec<Scored<'k>>> {
        question.scored.iter().map(|clause| {
            let scored = clause.variants.iter().map(|variant| {
                let held = known.of(&variant.terms);
                let idf = self.size.idf(known.most_chunks_with(variant));
                Scored {
                    weight: clause.weight * variant.weight * idf,
                    held,
                    only: spoken.of(variant.languages),
                }
            });
            scored.collect()
        })
    }

    /// Returns which chunks of each segment are alive and in the scope.
    async fn masks(
        &mut self,
        reader: &mut dyn IndexReader,
        in_scope: &InScope,
    ) -> Result<Vec<Mask>> {
        let is_narrow = in_scope.is_narrow();
        if is_narrow {
            let all: Vec<usize> = (0..self.list.len()).collect();
            self.fetch_pages(reader, &all).await?;
        }
        let masks = (0..self.list.len()).map(|at| {
            let mut ranges = Vec::new();
            if is_narrow {
                self.each_run(at, |collection, document, chunk, ordinals, _| {
                    in_scope.add_ranges((collection, document, chunk), ordinals, &mut ranges);
                })?;
            }
            let ranges = is_narrow.then_some(ranges);
            Ok(Mask::new(
                self.list[at].chunks,
                ranges,
                self.list[at].dead(),
            ))
        });
        masks.collect()
    }

    /// Reads which chunks hold each term that is a variant of a question.
    pub(super) async fn words(
        &mut self,
        reader: &mut dyn IndexReader,
        question: &Clauses,
    ) -> Result<Known> {
        let single = question.variants().filter(|of| of.terms.len() == 1);
        let single = distinct(single.flat_map(|variant| &variant.terms));
        let held = self.held_by_each(reader, &single).await?;
        let terms = single.iter().map(|term| vec![(*term).to_owned()]);
        let mut known = Known {
            held: terms.zip(held).collect(),
            ..Known::default()
        };
        let single = question.variants().filter(|of| of.terms.len() == 1);
        self.tell_elsewhere(reader, single, &mut known).await?;
        Ok(known)
    }

    /// Reads which chunks hold each of some terms.
    pub(super) async fn held_by_each(
        &mut self,
        reader: &mut dyn IndexReader,
        terms: &[&str],
    ) -> Result<Vec<Held>> {
        let lists = self.lists(reader, terms, false).await?;
        let mut needs = Needs::default();
        for (at, list) in lists.iter().flat_map(|lists| lists.iter().enumerate()) {
            if let Some(list) = list {
                self.need_dead(at, list, &mut needs);
            }
        }
        self.data.fetch(reader, needs).await?;
        lists.into_iter().map(|lists| self.held(lists)).collect()
    }

    /// Reads which chunks hold the terms in a row that are variants of a question.
    pub(super) async fn rows(
        &mut self,
        reader: &mut dyn IndexReader,
        question: &Clauses,
        known: &mut Known,
    ) -> Result<()> {
        let rows = question.variants().filter(|of| of.terms.len() != 1);
        let rows: Vec<&Variant> = rows.collect();
        let mut terms: Vec<&Vec<String>> = rows.iter().map(|of| &of.terms).collect();
        terms.sort_unstable();
        terms.dedup();
        self.phrases(reader, &terms, known).await?;
        self.tell_elsewhere(reader, rows.into_iter(), known).await
    }

    /// Reads which chunks hold each variant of a question.
    pub(super) async fn known(
        &mut self,
        reader: &mut dyn IndexReader,
        question: &Clauses,
    ) -> Result<Known> {
        let mut known = self.words(reader, question).await?;
        self.rows(reader, question, &mut known).await?;
        Ok(known)
    }

    /// Adds the blocks of a list that have dead chunks.
    fn need_dead(&self, at: usize, list: &List, needs: &mut Needs) {
        for block in self.blocks_with_dead(at, list) {
            needs.block(at, list, block);
        }
    }

    fn blocks_with_dead(&self, at: usize, list: &List) -> Vec<usize> {
        let dead = self.list[at].dead();
        let has_dead = |head: &Head| {
            let after = dead.partition_point(|at| *at < head.first);
            dead.get(after).is_some_and(|at| *at <= head.last)
        };
        if dead.is_empty() {
            return Vec::new();
        }
        let heads = list.heads.iter().enumerate();
        let heads = heads.filter(|(_, head)| has_dead(head));
        heads.map(|(block, _)| block).collect()
    }

    /// Counts the living chunks of lists.
    fn held(&self, lists: Vec<Option<Arc<List>>>) -> Result<Held> {
        let (mut chunks, mut decoded) = (0_u64, Decoded::default());
        for (at, list) in lists.iter().enumerate() {
            let Some(list) = list else {
                continue;
            };
            chunks += list.chunks;
            let dead = self.list[at].dead();
            for block in self.blocks_with_dead(at, list) {
                self.data.read(at, list, block, &mut decoded)?;
                let ordinals = decoded.ordinals().iter();
                let gone = ordinals.filter(|at| dead.binary_search(at).is_ok());
                chunks = chunks.saturating_sub(gone.count() as u64);
            }
        }
        Ok(Held { chunks, lists })
    }

    /// Reads the list of each of some terms in each segment.
    pub(super) async fn lists(
        &self,
        reader: &mut dyn IndexReader,
        terms: &[&str],
        with_positions: bool,
    ) -> Result<Vec<Vec<Option<Arc<List>>>>> {
        let cache = reader.cache().clone();
        let segments = self.data.segments();
        let mut lists = vec![vec![None; segments.len()]; terms.len()];
        let mut unknown: Vec<usize> = Vec::new();
        for (number, term) in terms.iter().enumerate() {
            for (at, (_, name)) in segments.iter().enumerate() {
                let key = CacheKey::List(*name, (*term).to_owned(), with_positions);
                let Some(Cached::List(list)) = cache.get(&key) else {
                    unknown.push(number);
                    break;
                };
                lists[number][at] = list;
            }
        }
        for numbers in unknown.chunks(TOGETHER) {
            let asked: Vec<&str> = numbers.iter().map(|&number| terms[number]).collect();
            for &number in numbers {
                lists[number].fill(None);
            }
            for row in reader.blocks(segments, &asked, with_positions).await? {
                let known = numbers
                    .get(row.term)
                    .filter(|_| row.segment < segments.len());
                let &number = known.ok_or_else(not_asked)?;
                let list = row.block.find(asked[row.term])?;
                self.check(row.segment, list.as_ref())?;
                lists[number][row.segment] = list.map(Arc::new);
            }
            for &number in numbers {
                for (list, (_, name)) in lists[number].iter().zip(segments) {
                    let key = CacheKey::List(*name, terms[number].to_owned(), with_positions);
                    cache.insert(key, Cached::List(list.clone()));
                }
            }
        }
        Ok(lists)
    }

    /// Checks that a list is about chunks that there are.
    fn check(&self, at: usize, list: Option<&List>) -> Result<()> {
        let final_head = list.and_then(|list| list.heads.last());
        let is_one = final_head.is_none_or(|head| head.last < self.list[at].chunks);
        is_one.then_some(()).ok_or_else(unreadable)
    }
}

fn not_asked() -> Error {
    Error::corrupt("a row of the index that was not asked for")
}

/// Returns each term once.
pub(super) fn distinct<'t>(terms: impl IntoIterator<Item = &'t String>) -> Vec<&'t str> {
    let mut seen = FxHashSet::default();
    let terms = terms.into_iter().map(String::as_str);
    terms.filter(|term| seen.insert(*term)).collect()
}
