//! The oracle: every chunk is scored, by the definition. What the index finds has to be the same.

use std::collections::BTreeMap;
use std::ops::Range;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use proptest::prelude::*;

use self::memory::Memory;
use super::postings::Occurrence;
use super::score::{Key, Size};
use super::search::Search;
use super::{Chunk, IndexCache, Segment, compact, update};
use crate::{Clause, Clauses, Error, Language, Languages, Result, Scope, Variant, WordCounts};

pub(super) mod memory;

const COLLECTIONS: [&str; 3] = ["one", "three", "two"];
const LANGUAGES: [Language; 3] = [Language::English, Language::French, Language::German];
const VOCABULARY: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];

/// Runs what never waits.
pub(super) fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

/// A chunk with the terms of its path and of its text.
#[derive(Clone, Debug)]
struct Row {
    collection: usize,
    language: Language,
    document: u64,
    chunk: u64,
    path: Vec<&'static str>,
    text: Vec<&'static str>,
}

/// The living chunks, and the index that is to find them.
#[derive(Default)]
struct Store {
    rows: Vec<Row>,
    memory: Memory,
    chunks: u64,
}

/// Chunks of a document: the places of its collection and of its language, and for each the places of its
/// terms in the vocabulary, those of the path and those of the text.
type Document = (usize, usize, Vec<(Vec<usize>, Vec<usize>)>);

impl Store {
    fn put(&mut self, documents: &[Document]) {
        let mut segments: BTreeMap<String, Segment> = BTreeMap::new();
        for (collection, language, chunks) in documents {
            let language = LANGUAGES[*language];
            let segment = segments
                .entry(COLLECTIONS[*collection].to_owned())
                .or_default();
            segment.describe(&WordCounts::default(), language.code());
            let document = self.chunks + 1;
            for (path, text) in chunks {
                self.chunks += 1;
                let terms = |of: &[usize]| of.iter().map(|&at| VOCABULARY[at]).collect::<Vec<_>>();
                let row = Row {
                    collection: *collection,
                    language,
                    document,
                    chunk: self.chunks,
                    path: terms(path),
                    text: terms(text),
                };
                let (path, text) = (row.path.join(" "), row.text.join(" "));
                let numbers = (row.document, row.chunk);
                segment.add(numbers, language.code(), &path, &text);
                self.rows.push(row);
            }
        }
        now(update(&mut self.memory, segments)).unwrap();
    }

    /// Removes every `every`-th chunk.
    fn remove(&mut self, every: usize) {
        let mut at = 0;
        let mut dead = Vec::new();
        self.rows.retain(|row| {
            at += 1;
            let is_dead = at % every == 0;
            dead.extend(is_dead.then(|| Chunk {
                collection: COLLECTIONS[row.collection].into(),
                document: row.document,
                chunk: row.chunk,
            }));
            !is_dead
        });
        self.memory.dead.extend(dead);
        self.memory.documents.clear();
    }

    /// Scores every chunk in the scope.
    fn expected(&self, question: &Clauses, scope: &Scope) -> Vec<(Key, f64)> {
        let named = scope.collection_name();
        let is_in = |row: &&Row| named.is_none_or(|name| COLLECTIONS[row.collection] == name);
        let rows: Vec<&Row> = self.rows.iter().filter(is_in).collect();
        let length = |row: &Row| (row.path.len() + row.text.len()) as u32;
        let size = Size {
            chunks: rows.len() as u64,
            terms: rows.iter().map(|row| u64::from(length(row))).sum(),
        };
        let is_held = |row: &Row, variant: &Variant| {
            variant.languages.has(row.language) && row.count(variant).is_some()
        };
        let idf = |variant: &Variant| {
            let held = rows.iter().filter(|row| row.count(variant).is_some());
            let own = rows
                .iter()
                .filter(|row| variant.languages.has(row.language));
            size.idf(held.count().min(own.count()) as u64)
        };
        let idfs: Vec<Vec<f64>> = question
            .scored
            .iter()
            .map(|clause| clause.variants.iter().map(&idf).collect())
            .collect();
        let places: Vec<&str> = COLLECTIONS
            .into_iter()
            .filter(|name| self.memory.segments.iter().any(|of| of.collection == *name))
            .filter(|name| named.is_none_or(|named| named == *name))
            .collect();
        let mut all = Vec::new();
        for row in &rows {
            let (mut total, mut found, mut is_enough) = (0.0, 0, false);
            for (place, (clause, idfs)) in question.scored.iter().zip(&idfs).enumerate() {
                let variants = clause.variants.iter().zip(idfs);
                let variants = variants.filter(|(variant, _)| is_held(row, variant));
                let brought = variants.filter_map(|(variant, idf)| {
                    let weight = clause.weight * variant.weight * idf;
                    let found = row.count(variant)?;
                    Some(size.saturation().score(weight, found, length(row)))
                });
                let is_other = |language| language != row.language;
                if let Some(best) = brought.reduce(f64::max) {
                    let counts = if question.language.is_some_and(is_other) {
                        0.875
                    } else {
                        1.0
                    };
                    total += best * counts;
                    found += 1;
                    is_enough |= question.sufficient.contains(&place);
                }
            }
            if found == 1 && !is_enough && question.scored.len() >= 2 {
                total *= 0.75;
            }
            let holds_any = |of: &Vec<Variant>| of.iter().any(|variant| is_held(row, variant));
            let meets =
                question.required.iter().all(holds_any) && !question.excluded.iter().any(holds_any);
            let name = COLLECTIONS[row.collection];
            let document = (name.to_owned(), row.document);
            let is_in = scope.has_every_document() || self.memory.documents.contains(&document);
            if found > 0 && meets && is_in {
                let place = places.iter().position(|of| *of == name).unwrap() as u32;
                all.push(((place, row.document, row.chunk), total));
            }
        }
        all
    }

    /// Asks the index, and compares.
    fn check(&mut self, question: &Clauses, scope: &Scope, count: usize) -> usize {
        let mut expected = self.expected(question, scope);
        let best_first = |left: &(Key, f64), right: &(Key, f64)| {
            right.1.total_cmp(&left.1).then(left.0.cmp(&right.0))
        };
        expected.sort_by(best_first);
        let all = expected.clone();
        if let Some(&(_, least)) = count.checked_sub(1).and_then(|last| expected.get(last)) {
            expected.retain(|(_, score)| *score >= least);
        }
        let mut search = now(Search::begin(&mut self.memory, scope.collection_name())).unwrap();
        let in_scope = now(search.in_scope(scope)).unwrap();
        let mut segments = now(search.segments()).unwrap();
        let known = now(segments.known(search.reader, question)).unwrap();
        let found = segments.best(search.reader, question, &known, count, &in_scope);
        let mut found = now(found).unwrap();
        found.sort_by(best_first);
        assert_eq!(found, expected, "{question:?} {count}");
        let keys: Vec<Key> = all.iter().map(|(key, _)| *key).take(20).collect();
        let brought = segments.contributions(search.reader, question, &known, &keys);
        for (brought, (_, score)) in now(brought).unwrap().iter().zip(&all) {
            let sum: f64 = brought.iter().map(|of| of.score).sum();
            assert_eq!(sum.to_bits(), score.to_bits(), "{brought:?}");
        }
        found.len()
    }
}

impl Row {
    /// Returns how often it holds the terms one after the other; nothing if it does not.
    fn count(&self, variant: &Variant) -> Option<Occurrence> {
        let count = |of: &[&str]| {
            let windows = of.windows(variant.terms.len());
            windows.filter(|window| *window == variant.terms).count() as u32
        };
        let (in_path, in_text) = (count(&self.path), count(&self.text));
        (in_path + in_text > 0).then_some(Occurrence {
            ordinal: 0,
            in_path,
            in_text,
        })
    }
}

fn terms(most: Range<usize>) -> impl Strategy<Value = Vec<usize>> {
    // Few are common and some are rare.
    let term = (0..VOCABULARY.len(), 0..VOCABULARY.len()).prop_map(|(one, other)| one.min(other));
    prop::collection::vec(term, most)
}

fn document() -> impl Strategy<Value = Document> {
    let chunks = prop::collection::vec((terms(0..3), terms(0..9)), 1..20);
    (0..COLLECTIONS.len(), 0..LANGUAGES.len(), chunks)
}

fn languages() -> impl Strategy<Value = Languages> {
    let some = prop::sample::subsequence(LANGUAGES.to_vec(), 1..3);
    let some = some.prop_map(|some| some.into_iter().collect());
    prop_oneof![Just(Languages::ALL), some]
}

fn variant() -> impl Strategy<Value = Variant> {
    let weight = prop::sample::select(vec![1.0, 0.8, 0.05]);
    let all = (terms(1..4), weight, languages());
    all.prop_map(|(terms, weight, languages)| Variant {
        terms: terms
            .into_iter()
            .map(|at| VOCABULARY[at].to_owned())
            .collect(),
        weight,
        languages,
        part: 0,
    })
}

fn question() -> impl Strategy<Value = Clauses> {
    let variants = |most| prop::collection::vec(variant(), 1..most);
    let weight = prop::sample::select(vec![1.0, 2.0, 7.5]);
    let clause = (weight, variants(3)).prop_map(|(weight, variants)| Clause {
        typed: String::new(),
        weight,
        variants,
    });
    let scored = prop::collection::vec(clause, 1..5);
    let required = prop::collection::vec(variants(3), 0..2);
    let excluded = prop::collection::vec(variants(2), 0..2);
    let language = prop::option::of(prop::sample::select(LANGUAGES.to_vec()));
    let sufficient = prop::collection::vec(0_usize..5, 0..3);
    let all = (scored, required, excluded, language, sufficient);
    all.prop_map(
        |(scored, required, excluded, language, sufficient)| Clauses {
            scored,
            required,
            excluded,
            language,
            sufficient,
        },
    )
}

fn scope() -> impl Strategy<Value = Scope> {
    prop::sample::select(vec![
        Scope::all(),
        Scope::collection("two"),
        Scope::all().with_prefix("x"),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_question_is_answered_as_if_all_were_scored(
        changes in prop::collection::vec((prop::collection::vec(document(), 1..4), 0_usize..9), 1..12),
        questions in prop::collection::vec((question(), scope(), 1_usize..30), 1..6),
        is_compacted: bool,
    ) {
        let mut store = Store::default();
        for (documents, every) in changes {
            store.put(&documents);
            if every > 2 {
                store.remove(every);
            }
        }
        if is_compacted {
            for collection in COLLECTIONS {
                now(compact(&mut store.memory, collection)).unwrap();
            }
        }
        let rows = store.rows.iter().filter(|row| row.document % 3 == 0);
        let documents = rows.map(|row| (COLLECTIONS[row.collection].to_owned(), row.document));
        store.memory.documents = documents.collect();
        for (question, scope, count) in questions {
            store.check(&question, &scope, count);
        }
    }
}

/// Makes random documents with this number of chunks in total; the seed makes them repeatable.
fn many(chunks: usize, chance: &mut u64) -> Vec<Document> {
    let mut below = |limit: usize| {
        *chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695);
        (*chance >> 33) as usize % limit
    };
    let mut term = || (1 + below(700).min(below(700))).ilog2() as usize;
    let mut terms = |most: usize| -> Vec<usize> {
        let count = term() % most;
        (0..count).map(|_| 6 - term().min(6)).collect()
    };
    let document = |at| (0, at % 3, (0..40).map(|_| (terms(2), terms(9))).collect());
    (0..chunks / 40).map(document).collect()
}

fn simple(terms: &[&str]) -> Clauses {
    let clause = |term: &&str| Clause::exact(*term, 1.0, vec![(*term).to_owned()]);
    Clauses {
        scored: terms.iter().map(clause).collect(),
        ..Clauses::default()
    }
}

#[test]
fn long_lists_in_many_windows_are_ranked_the_same() {
    let (mut store, mut chance) = (Store::default(), 7);
    for _ in 0..3 {
        store.put(&many(3_000, &mut chance));
    }
    for round in 0..3 {
        let mut phrase = simple(&["c"]);
        let terms = ["a", "b"].map(str::to_owned).to_vec();
        phrase.scored.push(Clause::exact("", 2.0, terms.clone()));
        let mut filtered = simple(&["a", "d"]);
        filtered.required = vec![vec![Variant::exact(terms)]];
        filtered.excluded = vec![vec![Variant::exact(vec!["g".to_owned()])]];
        let mut spoken = simple(&["a", "b", "c"]);
        spoken.language = Some(Language::French);
        let of_clauses = spoken.scored.iter_mut().zip(LANGUAGES);
        of_clauses.for_each(|(of, language)| of.variants[0].languages = Languages::only(language));
        let questions = [
            spoken,
            simple(&["a"]),
            simple(&["g", "a"]),
            simple(&["a", "b", "c", "d", "e", "f", "g"]),
            phrase,
            filtered,
        ];
        for question in questions {
            for count in [1, 200] {
                // A process that has read nothing asks, and one that has.
                store.memory.cache = IndexCache::default();
                assert!(store.check(&question, &Scope::all(), count) > 0);
                assert!(store.check(&question, &Scope::all(), count) > 0);
            }
        }
        match round {
            0 => store.remove(50),
            _ => now(compact(&mut store.memory, "one")).unwrap(),
        }
    }
    assert!(!store.memory.parts.is_empty());
}

#[test]
fn a_search_asks_the_database_a_few_times() {
    let (mut store, mut chance) = (Store::default(), 7);
    store.put(&many(20_000, &mut chance));
    for question in [simple(&["a"]), simple(&["a", "b", "c", "g"])] {
        store.memory.cache = IndexCache::default();
        for most in [8, 1] {
            let before = store.memory.asked;
            let scope = Scope::all();
            let mut search = now(Search::begin(&mut store.memory, None)).unwrap();
            let in_scope = now(search.in_scope(&scope)).unwrap();
            let mut segments = now(search.segments()).unwrap();
            let known = now(segments.known(search.reader, &question)).unwrap();
            let found = segments.best(search.reader, &question, &known, 10, &in_scope);
            assert!(now(found).unwrap().len() >= 10);
            // Once for the segments, if all else is remembered.
            assert!(store.memory.asked - before <= most);
        }
    }
}

#[test]
fn bytes_that_nobody_wrote_are_errors() {
    let question = simple(&["a", "b", "g"]);
    let (mut store, mut chance) = (Store::default(), 7);
    store.put(&many(9_000, &mut chance));
    let whole = |store: &Store| (store.memory.blocks.clone(), store.memory.parts.clone());
    let (blocks, parts) = whole(&store);
    let mut failed = 0;
    for seed in 0..200_usize {
        store.memory.cache = IndexCache::default();
        (store.memory.blocks, store.memory.parts) = (blocks.clone(), parts.clone());
        if seed % 2 == 0 {
            let block = store
                .memory
                .blocks
                .values_mut()
                .nth(seed % blocks.len())
                .unwrap();
            let at = seed * 7 % block.entries.len();
            block.entries[at] ^= 1 << (seed % 8);
        } else {
            let part = store
                .memory
                .parts
                .values_mut()
                .nth(seed % parts.len())
                .unwrap();
            let at = seed * 31 % part.entries.len();
            part.entries[at] ^= 0x80 >> (seed % 8);
        }
        let mut answer = || -> Result<Vec<(Key, f64)>> {
            let mut search = now(Search::begin(&mut store.memory, None))?;
            let in_scope = now(search.in_scope(&Scope::all()))?;
            let mut segments = now(search.segments())?;
            let known = now(segments.known(search.reader, &question))?;
            now(segments.best(search.reader, &question, &known, 10, &in_scope))
        };
        if let Err(error) = answer() {
            assert!(matches!(error, Error::Corrupt { .. }), "{error}");
            failed += 1;
        }
    }
    assert!(failed > 10, "{failed}");
}

#[test]
fn words_and_languages_go_with_their_segments() {
    let mut store = Store::default();
    for (word, language) in [("install", "en"), ("installer", "fr"), ("instance", "en")] {
        let mut segment = Segment::default();
        segment.add((1, store.chunks), language, "", "a");
        segment.describe(&WordCounts::from_iter([(word, 2)]), language);
        store.chunks += 1;
        let segments = BTreeMap::from([("one".to_owned(), segment)]);
        now(update(&mut store.memory, segments)).unwrap();
    }
    for _ in 0..2 {
        let mut search = now(Search::begin(&mut store.memory, Some("one"))).unwrap();
        assert_eq!(search.languages(), ["en", "fr"]);
        let similar = now(search.similar("isntall", 1, 10)).unwrap();
        assert_eq!((similar.len(), similar[0].word.as_str()), (1, "install"));
        let beginning = now(search.beginning_with("install", 10)).unwrap();
        assert_eq!(beginning.len(), 2);
        now(compact(&mut store.memory, "one")).unwrap();
    }
    let mut other = now(Search::begin(&mut store.memory, Some("two"))).unwrap();
    assert!(now(other.similar("isntall", 1, 10)).unwrap().is_empty());
}
