//! The floor: the same insert as a prepared statement on SQLite itself, in a loop, with a state
//! that is JSON already.

use std::time::Instant;

use rusqlite::{Connection, params};
use sectile_checkpoint::now;
use sectile_checkpoint_sqlite::Durability;

use crate::Work;
use crate::measure::{Rates, rate};

/// Tables of states with a counter for each thread, and what inserts into them: what a checkpointer does at least.
pub const TABLES: &str = "CREATE TABLE checkpoint_threads (thread_id TEXT NOT NULL PRIMARY KEY, \
     last_seq INTEGER NOT NULL) STRICT, WITHOUT ROWID; \
     CREATE TABLE checkpoints (thread_id TEXT NOT NULL, seq INTEGER NOT NULL, \
     created_at INTEGER NOT NULL, node TEXT, step INTEGER NOT NULL, checkpoint_id TEXT, \
     parent_seq INTEGER, queue_json TEXT NOT NULL, metadata_json TEXT NOT NULL, \
     state_json TEXT NOT NULL, PRIMARY KEY (thread_id, seq)) STRICT, WITHOUT ROWID; \
     CREATE UNIQUE INDEX checkpoints_by_id ON checkpoints (thread_id, checkpoint_id) \
     WHERE checkpoint_id IS NOT NULL; \
     CREATE TRIGGER checkpoints_counted AFTER INSERT ON checkpoints BEGIN \
     INSERT INTO checkpoint_threads VALUES (new.thread_id, new.seq) \
     ON CONFLICT (thread_id) DO UPDATE SET last_seq = excluded.last_seq; END";
pub const INSERT: &str = "INSERT INTO checkpoints (thread_id, seq, created_at, node, \
     step, checkpoint_id, parent_seq, queue_json, metadata_json, state_json) VALUES ($1, \
     coalesce((SELECT last_seq FROM checkpoint_threads WHERE thread_id = $1), 0) + 1, \
     $2, $3, $4, $5, $6, $7, $8, $9) \
     ON CONFLICT (thread_id, checkpoint_id) WHERE checkpoint_id IS NOT NULL DO NOTHING \
     RETURNING seq";

pub const LATEST: &str =
    "SELECT state_json FROM checkpoints WHERE thread_id = $1 ORDER BY seq DESC LIMIT 1";

/// A table with a primary key and nothing else, and what inserts into it.
const TABLE: &str = "CREATE TABLE checkpoints (thread_id TEXT NOT NULL, seq INTEGER NOT NULL, \
     created_at INTEGER NOT NULL, step INTEGER NOT NULL, state_json TEXT NOT NULL, \
     PRIMARY KEY (thread_id, seq)) STRICT, WITHOUT ROWID";
const INSERT_PLAINLY: &str = "INSERT INTO checkpoints VALUES ($1, $2, $3, $4, $5)";

pub fn run(path: &str, work: &Work, durability: Durability) -> anyhow::Result<Rates> {
    let connection = Connection::open(path)?;
    let synchronous = match durability {
        Durability::Normal => "NORMAL",
        Durability::Full => "FULL",
    };
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", synchronous)?;
    connection.execute_batch(TABLE)?;
    let mut rates = Rates::new();
    rates.insert("save", save(&connection, work)?);
    rates.insert("load", load(&connection, work.count)?);
    Ok(rates)
}

fn save(connection: &Connection, work: &Work) -> anyhow::Result<f64> {
    let json = serde_json::to_string(&work.state)?;
    let mut insert = connection.prepare(INSERT_PLAINLY)?;
    let start = Instant::now();
    for step in 1..=work.count as i64 {
        insert.execute(params!["thread", step, now() as i64, step, json])?;
    }
    Ok(rate(work.count, start))
}

fn load(connection: &Connection, count: usize) -> anyhow::Result<f64> {
    let mut latest = connection.prepare(LATEST)?;
    let start = Instant::now();
    for _ in 0..count {
        let _: String = latest.query_row(["thread"], |row| row.get(0))?;
    }
    Ok(rate(count, start))
}
