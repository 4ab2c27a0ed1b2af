//! Searching.

use std::collections::{HashMap, HashSet};

use sectile_core::{DocumentId, Metadata, SectionId, Span};
use sectile_migrations::Tables;
use sectile_store::{
    Analyzer, FoundChunk, GroupBy, Hit, HitDocument, Query, Result, Scope, SearchRequest,
};
use sqlx::PgConnection;
use sqlx::postgres::PgRow;

use crate::error::{backend, corrupt};
use crate::postings::{Occurrence, read_entries, read_positions};
use crate::read::{column, format, json, number, pages, query, uri_ranges};
use crate::score::{Chunk, Match, Matches, Parts, Size, rank};
use crate::sql;

/// How many chunks are looked at first for each hit that is asked for: a section has several.
const CHUNKS_A_HIT: usize = 4;

/// Answers a request with BM25.
pub(crate) async fn search(
    connection: &mut PgConnection,
    tables: &Tables,
    request: &SearchRequest,
    analyzer: Analyzer,
) -> Result<Vec<Hit>> {
    let question = Query::parse(&request.query, &analyzer)?;
    if request.limit == 0 {
        return Ok(Vec::new());
    }
    let mut search = Search::begin(connection, tables).await?;
    let matches = search.matches(&question, &request.scope).await?;
    let of = |terms: &[String]| &matches[terms];
    let single = question.terms().iter().map(std::slice::from_ref);
    let parts = Parts {
        any: single
            .chain(question.phrases().iter().map(Vec::as_slice))
            .map(of)
            .collect(),
        required: question.required().iter().map(|terms| of(terms)).collect(),
        excluded: question.excluded().iter().map(|terms| of(terms)).collect(),
    };
    let ranked = rank(&parts, search.size);
    let best = search.best(&ranked, request).await?;
    search.hits(&best, &question, &analyzer).await
}

/// A search on its way.
struct Search<'c> {
    connection: &'c mut PgConnection,
    tables: &'c Tables,
    collections: Vec<String>,
    size: Size,
}

/// Where a chunk stands, in the order in which equal scores are ordered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    collection: String,
    uri: String,
    position: usize,
    index: usize,
}

/// What is known of each sequence of terms of a question.
type Known = HashMap<Vec<String>, Matches>;

impl<'c> Search<'c> {
    async fn begin(connection: &'c mut PgConnection, tables: &'c Tables) -> Result<Self> {
        let rows = query(tables, sql::SIZES).fetch_all(&mut *connection).await;
        let (mut collections, mut size) = (Vec::new(), Size::default());
        for row in &rows.map_err(backend("read its size"))? {
            collections.push(column(row, "collection")?);
            size.chunks += number(row, "chunks")? as u64;
            size.terms += number(row, "terms")? as u64;
        }
        Ok(Self {
            connection,
            tables,
            collections,
            size,
        })
    }

    /// Finds the chunks that hold each sequence of terms of a question.
    async fn matches(&mut self, question: &Query, scope: &Scope) -> Result<Known> {
        let sequences: Vec<&Vec<String>> =
            [question.phrases(), question.required(), question.excluded()]
                .into_iter()
                .flatten()
                .collect();
        let in_scope = self.documents_in(scope).await?;
        let is_in_scope = |chunk: &Chunk| {
            let documents = in_scope.as_ref();
            documents.is_none_or(|documents| documents.contains(&(chunk.0, chunk.1)))
        };
        let alone = sequences.iter().filter(|terms| terms.len() == 1);
        let terms: HashSet<&String> = question
            .terms()
            .iter()
            .chain(alone.flat_map(|terms| terms.iter()))
            .collect();
        let mut known = Known::new();
        for (term, mut matches) in self.postings(&terms, scope).await? {
            matches.found.retain(|found| is_in_scope(&found.chunk));
            known.insert(vec![term], matches);
        }
        for terms in sequences.into_iter().filter(|terms| terms.len() > 1) {
            if !known.contains_key(terms) {
                let mut matches = self.phrase(terms).await?;
                let collection = scope.collection_name();
                matches.found.retain(|found| {
                    let is_named = collection.is_none_or(|name| {
                        self.collections
                            .get(found.chunk.0)
                            .is_some_and(|of| of == name)
                    });
                    is_named && is_in_scope(&found.chunk)
                });
                known.insert(terms.clone(), matches);
            }
        }
        for term in terms {
            known.entry(vec![term.clone()]).or_default();
        }
        Ok(known)
    }

    /// Reads which documents are in the ranges of URIs of a scope; nothing if it has none.
    async fn documents_in(&mut self, scope: &Scope) -> Result<Option<HashSet<(usize, u64)>>> {
        let Some((first, last)) = uri_ranges(scope) else {
            return Ok(None);
        };
        let rows = query(self.tables, sql::NUMBERS)
            .bind(scope.collection_name())
            .bind(first)
            .bind(last)
            .fetch_all(&mut *self.connection)
            .await
            .map_err(backend("read the scope"))?;
        let key = |row| Ok((self.collection(row)?, number(row, "document")? as u64));
        rows.iter().map(key).collect::<Result<_>>().map(Some)
    }

    /// Reads which chunks hold each of some terms.
    async fn postings(
        &mut self,
        terms: &HashSet<&String>,
        scope: &Scope,
    ) -> Result<HashMap<String, Matches>> {
        let terms: Vec<&str> = terms.iter().map(|term| term.as_str()).collect();
        let rows = query(self.tables, sql::POSTINGS)
            .bind(&self.collections)
            .bind(terms)
            .bind(scope.collection_name())
            .fetch_all(&mut *self.connection)
            .await
            .map_err(backend("read the index"))?;
        let mut found: HashMap<String, Matches> = HashMap::new();
        for row in &rows {
            let collection = self.collection(row)?;
            let entries: Option<&[u8]> = column(row, "entries")?;
            let matches = found.entry(column(row, "term")?).or_default();
            matches.chunks += number(row, "chunks")? as u64;
            read_entries(entries.unwrap_or_default(), |occurrence| {
                matches.found.push(single(collection, occurrence));
            })?;
        }
        Ok(found)
    }

    /// Finds the chunks that hold terms one after the other.
    async fn phrase(&mut self, terms: &[String]) -> Result<Matches> {
        let rows = query(self.tables, sql::POSITIONS)
            .bind(&self.collections)
            .bind(terms)
            .fetch_all(&mut *self.connection)
            .await
            .map_err(backend("read the index"))?;
        let mut held: HashMap<Chunk, Held> = HashMap::new();
        for row in &rows {
            let (collection, term) = (self.collection(row)?, column::<String>(row, "term")?);
            let (entry, positions) = (column(row, "entry")?, column(row, "positions")?);
            read_positions(entry, positions, |occurrence, path, text| {
                let held = held.entry(chunk(collection, occurrence)).or_default();
                held.length = occurrence.length;
                held.path.insert(term.clone(), path.into_iter().collect());
                held.text.insert(term.clone(), text.into_iter().collect());
            })?;
        }
        let matches = held.iter().map(|(chunk, held)| Match {
            chunk: *chunk,
            in_path: count(terms, &held.path),
            in_text: count(terms, &held.text),
            length: held.length,
        });
        let found: Vec<Match> = matches
            .filter(|found| found.in_path + found.in_text > 0)
            .collect();
        Ok(Matches {
            chunks: found.len() as u64,
            found,
        })
    }

    /// Returns the best chunk of each of the best sections or documents. Everything that ties with
    /// the last place is kept until names decide.
    async fn best(
        &mut self,
        ranked: &[(Chunk, f64)],
        request: &SearchRequest,
    ) -> Result<Vec<(Chunk, f64)>> {
        let mut looked_at = request.limit.saturating_mul(CHUNKS_A_HIT);
        loop {
            let some = with_ties(ranked, looked_at);
            let places = self.places(some).await?;
            let mut groups: HashMap<_, (f64, &Place, Chunk)> = HashMap::new();
            for &(chunk, score) in some {
                let place = places
                    .get(&chunk)
                    .ok_or_else(|| corrupt("a chunk that is gone"))?;
                let position = (request.group_by == GroupBy::Section).then_some(place.position);
                let group = (&place.collection, &place.uri, position);
                let best = groups.entry(group).or_insert((score, place, chunk));
                // They come best first, so this one is at most as good.
                if score >= best.0 && place < best.1 {
                    *best = (score, place, chunk);
                }
            }
            if groups.len() < request.limit && some.len() < ranked.len() {
                looked_at = looked_at.saturating_mul(CHUNKS_A_HIT);
                continue;
            }
            let mut best: Vec<_> = groups.into_values().collect();
            best.sort_unstable_by(|left, right| {
                right.0.total_cmp(&left.0).then_with(|| left.1.cmp(right.1))
            });
            best.truncate(request.limit);
            let chunk = |(score, _, chunk)| (chunk, score);
            return Ok(best.into_iter().map(chunk).collect());
        }
    }

    async fn places(&mut self, chunks: &[(Chunk, f64)]) -> Result<HashMap<Chunk, Place>> {
        let rows = self.asked(sql::PLACES, chunks);
        let rows = rows.fetch_all(&mut *self.connection).await;
        let rows = rows.map_err(backend("look up what was found"))?;
        let place = |row: &PgRow| {
            let collection = self.collection(row)?;
            let document = number(row, "document")? as u64;
            let chunk = (collection, document, number(row, "chunk")? as u64);
            let place = Place {
                collection: self.collections[collection].clone(),
                uri: column(row, "uri")?,
                position: number(row, "position")?,
                index: number(row, "chunk_index")?,
            };
            Ok((chunk, place))
        };
        rows.iter().map(place).collect()
    }

    async fn hits(
        &mut self,
        best: &[(Chunk, f64)],
        question: &Query,
        analyzer: &Analyzer,
    ) -> Result<Vec<Hit>> {
        let rows = self.asked(sql::HITS, best);
        let rows = rows.fetch_all(&mut *self.connection).await;
        let rows = rows.map_err(backend("read what was found"))?;
        let ranked = rows.iter().zip(best).zip(1..);
        ranked
            .map(|((row, &(_, score)), rank)| found(row, score)?.into_hit(rank, question, analyzer))
            .collect()
    }

    /// Returns a statement about chunks.
    fn asked(
        &self,
        sql: &'static str,
        chunks: &[(Chunk, f64)],
    ) -> sqlx::query::Query<'static, sqlx::Postgres, sqlx::postgres::PgArguments> {
        let collections = chunks
            .iter()
            .map(|(chunk, _)| self.collections[chunk.0].clone());
        let documents = chunks.iter().map(|(chunk, _)| chunk.1.cast_signed());
        let numbers = chunks.iter().map(|(chunk, _)| chunk.2.cast_signed());
        query(self.tables, sql)
            .bind(collections.collect::<Vec<_>>())
            .bind(documents.collect::<Vec<_>>())
            .bind(numbers.collect::<Vec<_>>())
    }

    /// Returns the place of a row's collection in the list of them.
    fn collection(&self, row: &PgRow) -> Result<usize> {
        let name: &str = column(row, "collection")?;
        let found = self.collections.iter().position(|known| known == name);
        found.ok_or_else(|| corrupt(format!("the collection `{name}` without documents")))
    }
}

/// Where a chunk holds each of some terms.
#[derive(Default)]
struct Held {
    length: u64,
    path: HashMap<String, HashSet<u64>>,
    text: HashMap<String, HashSet<u64>>,
}

/// Counts the places where terms stand one after the other.
fn count(terms: &[String], held: &HashMap<String, HashSet<u64>>) -> u64 {
    let Some(starts) = terms.first().and_then(|first| held.get(first)) else {
        return 0;
    };
    let follows = |start: u64| {
        (start..).zip(terms).all(|(position, term)| {
            held.get(term)
                .is_some_and(|positions| positions.contains(&position))
        })
    };
    starts.iter().filter(|&&start| follows(start)).count() as u64
}

fn chunk(collection: usize, occurrence: Occurrence) -> Chunk {
    (collection, occurrence.document, occurrence.chunk)
}

fn single(collection: usize, occurrence: Occurrence) -> Match {
    Match {
        chunk: chunk(collection, occurrence),
        in_path: occurrence.in_path,
        in_text: occurrence.in_text,
        length: occurrence.length,
    }
}

/// Returns the best so many, and what ties with the last of them.
fn with_ties(ranked: &[(Chunk, f64)], count: usize) -> &[(Chunk, f64)] {
    let Some(&(_, last)) = ranked.get(count.saturating_sub(1)) else {
        return ranked;
    };
    &ranked[..ranked.partition_point(|&(_, score)| score >= last)]
}

fn found(row: &PgRow, score: f64) -> Result<FoundChunk<'_>> {
    let metadata: Metadata = json(row, "metadata")?;
    Ok(FoundChunk {
        document: HitDocument {
            id: DocumentId(column(row, "document_uid")?),
            collection: column(row, "collection")?,
            uri: column(row, "uri")?,
            title: metadata.title,
            format: format(row)?,
        },
        section: SectionId(column(row, "section_uid")?),
        heading_path: json(row, "heading_path")?,
        content: column(row, "content")?,
        first_line: number(row, "first_line")?,
        span: Span::new(number(row, "span_start")?, number(row, "span_end")?),
        pages: pages(row)?,
        score,
    })
}
