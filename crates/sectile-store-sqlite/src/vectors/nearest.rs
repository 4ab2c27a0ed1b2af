//! The vectors that are nearest to that of a question, by looking at each.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use sectile_sqlite::rusqlite::types::ValueRef;
use sectile_sqlite::rusqlite::{self, Connection, params};
use sectile_store::index::{Chunk, InScope};
use sectile_store::{Error, Matrix, QueryVector, Result};

use super::{DOING, Model, rows};
use crate::columns::number;
use crate::error::backend;
use crate::row::{Row, all};
use crate::sql;

/// How many bytes of vectors are kept in memory, unless the store says otherwise; of more than that,
/// each question reads all.
const MOST_KEPT: usize = 1 << 30;

/// How many vectors stand in one block.
const BLOCK: usize = 8_192;

/// Vectors that were read before. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    kept: Arc<Mutex<Kept>>,
    most: usize,
}

impl Default for Cache {
    fn default() -> Self {
        Self::of_size(MOST_KEPT)
    }
}

/// The vectors of a file up to a number, but for those that were deleted before they were read.
#[derive(Clone, Debug, Default)]
struct Kept {
    last: i64,
    blocks: Vec<Arc<Block>>,
}

/// Some vectors of one model.
#[derive(Clone, Debug)]
struct Block {
    model: i64,
    rows: Vec<Place>,
    matrix: Matrix,
}

/// Where a vector belongs.
#[derive(Clone, Copy, Debug)]
struct Place {
    document: u64,
    chunk: u64,
}

/// A chunk that may be among the nearest.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    score: f32,
    /// The place of its model in the list of them.
    model: usize,
    place: Place,
}

impl Cache {
    /// Returns one without vectors, which keeps at most so many bytes.
    pub(crate) fn of_size(most: usize) -> Self {
        Self {
            kept: Arc::default(),
            most,
        }
    }

    /// Returns the `count` nearest chunks in the scope and what ties with the last, and maybe others.
    pub(crate) fn nearest(
        &self,
        connection: &Connection,
        question: &QueryVector,
        in_scope: &InScope,
        count: usize,
    ) -> Result<Vec<(Chunk, f32)>> {
        let models = rows(connection)?;
        let bytes = |model: &Model| model.vectors * model.encoding.bytes(model.of.dimensions);
        let is_small = models.iter().map(bytes).sum::<usize>() <= self.most;
        let blocks = is_small.then(|| self.blocks(connection, &models));
        let blocks = blocks.transpose()?;
        let scan = Scan {
            models: &models,
            question,
            in_scope,
        };
        let mut looked_at = count;
        loop {
            let mut best = Best::new(looked_at);
            match &blocks {
                Some(blocks) => blocks.iter().for_each(|block| scan.block(block, &mut best)),
                None => scan.all(connection, &mut best)?,
            }
            let found = best.into_sorted();
            let is_all = found.len() < looked_at;
            let alive = alive(connection, found, &models)?;
            if is_all || alive.len() >= count {
                return Ok(alive);
            }
            looked_at = looked_at.saturating_mul(2);
        }
    }

    /// Returns all vectors, of which those that are new are read.
    fn blocks(&self, connection: &Connection, models: &[Model]) -> Result<Vec<Arc<Block>>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let live: usize = models.iter().map(|model| model.vectors).sum();
        let rows: usize = kept.blocks.iter().map(|block| block.rows.len()).sum();
        if rows > 2 * live + BLOCK {
            // Most of them are deleted by now.
            *kept = Kept::default();
        }
        kept.read(connection, models)?;
        Ok(kept.blocks.clone())
    }
}

impl Kept {
    fn read(&mut self, connection: &Connection, models: &[Model]) -> Result<()> {
        // A model that is not there any more has a smaller number than the newest.
        let newest = models
            .iter()
            .map(|model| model.id)
            .max()
            .unwrap_or_default();
        let is_there = |id| models.iter().any(|model| model.id == id);
        self.blocks
            .retain(|block| block.model > newest || is_there(block.model));
        for_each_vector(connection, self.last, |id, model, place, vector| {
            if let Some(model) = models.iter().find(|row| row.id == model) {
                self.push(model, place, vector)?;
            }
            self.last = id;
            Ok(())
        })
    }

    fn push(&mut self, model: &Model, place: Place, vector: &[u8]) -> Result<()> {
        let has_room = |block: &Arc<Block>| block.model == model.id && block.rows.len() < BLOCK;
        let with_room = self.blocks.iter().rposition(has_room);
        let at = with_room.unwrap_or_else(|| {
            self.blocks.push(Arc::new(Block::new(model)));
            self.blocks.len() - 1
        });
        // Whoever searches this block just now goes on with the one that it has.
        let block = Arc::make_mut(&mut self.blocks[at]);
        block.matrix.push(vector)?;
        block.rows.push(place);
        Ok(())
    }
}

impl Block {
    fn new(model: &Model) -> Self {
        Self {
            model: model.id,
            rows: Vec::new(),
            matrix: Matrix::new(model.encoding, model.of.dimensions),
        }
    }
}

/// What a question asks of each vector.
struct Scan<'a> {
    models: &'a [Model],
    question: &'a QueryVector,
    in_scope: &'a InScope,
}

impl Scan<'_> {
    fn block(&self, block: &Block, best: &mut Best) {
        let Some(model) = self.models.iter().position(|model| model.id == block.model) else {
            return;
        };
        let Some(collection) = self.in_scope.place(&self.models[model].collection) else {
            return;
        };
        let is_in = |number: usize| {
            let Place { document, chunk } = block.rows[number];
            self.in_scope.has((collection, document, chunk))
        };
        let question = &self.question.vector;
        block.matrix.score(question, is_in, |number, score| {
            if score >= best.least {
                best.add(Candidate {
                    score,
                    model,
                    place: block.rows[number],
                });
            }
        });
    }

    /// Reads every vector of the file, a block at a time.
    fn all(&self, connection: &Connection, best: &mut Best) -> Result<()> {
        let mut blocks: Vec<Block> = self.models.iter().map(Block::new).collect();
        for_each_vector(connection, 0, |_, model, place, vector| {
            let Some(block) = blocks.iter_mut().find(|block| block.model == model) else {
                return Ok(());
            };
            block.matrix.push(vector)?;
            block.rows.push(place);
            if block.rows.len() == BLOCK {
                self.block(block, best);
                block.matrix.clear();
                block.rows.clear();
            }
            Ok(())
        })?;
        for block in &blocks {
            self.block(block, best);
        }
        Ok(())
    }
}

/// The best candidates of those that were added.
struct Best {
    count: usize,
    /// What a candidate scores at least that can still be among them.
    least: f32,
    found: Vec<Candidate>,
    /// How many there may be before the worst are left out.
    room: usize,
}

impl Best {
    fn new(count: usize) -> Self {
        Self {
            count,
            least: f32::NEG_INFINITY,
            found: Vec::new(),
            room: count.saturating_mul(2).max(64),
        }
    }

    fn add(&mut self, candidate: Candidate) {
        self.found.push(candidate);
        if self.found.len() >= self.room {
            self.prune();
            // Where many tie, they are not looked at again for each that is added.
            self.room = self.found.len().saturating_mul(2).max(self.room);
        }
    }

    fn prune(&mut self) {
        if self.found.len() > self.count && self.count > 0 {
            let (_, last, _) = self
                .found
                .select_nth_unstable_by(self.count - 1, best_first);
            self.least = last.score;
            self.found.retain(|candidate| candidate.score >= self.least);
        }
    }

    fn into_sorted(mut self) -> Vec<Candidate> {
        self.prune();
        self.found.sort_unstable_by(best_first);
        self.found
    }
}

fn best_first(left: &Candidate, right: &Candidate) -> std::cmp::Ordering {
    let by_score = right.score.total_cmp(&left.score);
    by_score.then_with(|| left.place.chunk.cmp(&right.place.chunk))
}

/// Leaves out what is deleted by now, or not there yet for this connection.
fn alive(
    connection: &Connection,
    found: Vec<Candidate>,
    models: &[Model],
) -> Result<Vec<(Chunk, f32)>> {
    let chunks: Vec<u64> = found
        .iter()
        .map(|candidate| candidate.place.chunk)
        .collect();
    let chunks = serde_json::to_string(&chunks).map_err(Error::corrupt)?;
    let chunk = |row: &Row<'_>| Ok(number(row, "chunk")? as u64);
    let alive = all(connection, DOING, sql::HAVE_VECTORS, params![chunks], chunk)?;
    let alive: HashSet<u64> = alive.into_iter().collect();
    let found = found.into_iter();
    let found = found.filter(|candidate| alive.contains(&candidate.place.chunk));
    Ok(found
        .map(
            |Candidate {
                 score,
                 model,
                 place,
             }| {
                let chunk = Chunk {
                    collection: models[model].collection.clone(),
                    document: place.document,
                    chunk: place.chunk,
                };
                (chunk, score)
            },
        )
        .collect())
}

fn for_each_vector(
    connection: &Connection,
    after: i64,
    mut read: impl FnMut(i64, i64, Place, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut statement = connection
        .prepare_cached(sql::VECTORS)
        .map_err(backend(DOING))?;
    let mut rows = statement.query([after]).map_err(backend(DOING))?;
    while let Some(row) = rows.next().map_err(backend(DOING))? {
        let (id, model, place, vector) = vector(row).map_err(backend(DOING))?;
        let vector = vector
            .as_blob()
            .map_err(|_| Error::corrupt("a vector that is no bytes"))?;
        read(id, model, place, vector)?;
    }
    Ok(())
}

/// Reads a row, whose columns are named by their place, as there are very many.
fn vector<'r>(row: &'r rusqlite::Row<'_>) -> rusqlite::Result<(i64, i64, Place, ValueRef<'r>)> {
    let place = Place {
        document: row.get::<_, i64>(2)?.cast_unsigned(),
        chunk: row.get::<_, i64>(3)?.cast_unsigned(),
    };
    Ok((row.get(0)?, row.get(1)?, place, row.get_ref(4)?))
}
