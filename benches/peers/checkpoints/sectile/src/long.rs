//! Saves to a short and to a long thread, in turn.

use sectile_checkpoint::{Checkpoint, Checkpointer};
use sectile_checkpoint_sqlite::Durability;
use sqlx::{Connection as _, PgConnection, SqliteConnection};

use crate::Work;
use crate::checkpointer::{open_postgres, open_sqlite, save};
use crate::measure::Rates;
use crate::state::State;

/// The threads: how many checkpoints they have before.
const SHORT: i64 = 10;
const LONG: i64 = 100_000;

/// How many are saved to one thread before it is the other's turn.
const TURN: usize = 50;

const FILL_SQLITE: &str = "WITH RECURSIVE numbers (number) AS \
     (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < $2) \
     INSERT INTO checkpoints (thread_id, seq, created_at, step, queue_json, metadata_json, \
     state_json) SELECT $1, number, number, number, '[]', '{}', $3 FROM numbers";

const FILL_POSTGRES: &str = "INSERT INTO checkpoints (thread_id, seq, created_at, step, \
     queue_json, metadata_json, state_json) \
     SELECT $1, number, number, number, '[]', '{}', $3 FROM generate_series(1, $2) AS number";

const COUNT_POSTGRES: &str = "INSERT INTO checkpoint_threads (thread_id, last_seq) VALUES ($1, $2)";

/// The state of the checkpoints that are there before.
const OLD: &str = r#"{"messages":[],"step":0}"#;

pub async fn sqlite(path: &str, work: &Work) -> anyhow::Result<Rates> {
    let checkpointer = open_sqlite(path, Durability::Full).await?;
    let mut connection = SqliteConnection::connect(&format!("sqlite:{path}")).await?;
    for (thread, length) in [("short", SHORT), ("long", LONG)] {
        let fill = sqlx::query(FILL_SQLITE).bind(thread).bind(length).bind(OLD);
        fill.execute(&mut connection).await?;
    }
    connection.close().await?;
    in_turn(&checkpointer, work).await
}

pub async fn postgres(url: &str, work: &Work) -> anyhow::Result<Rates> {
    let checkpointer = open_postgres(url).await?;
    let mut connection = PgConnection::connect(url).await?;
    for (thread, length) in [("short", SHORT), ("long", LONG)] {
        let fill = sqlx::query(FILL_POSTGRES).bind(thread).bind(length);
        fill.bind(OLD).execute(&mut connection).await?;
        let count = sqlx::query(COUNT_POSTGRES).bind(thread).bind(length);
        count.execute(&mut connection).await?;
    }
    connection.close().await?;
    in_turn(&checkpointer, work).await
}

async fn in_turn<C: Checkpointer<State>>(checkpointer: &C, work: &Work) -> anyhow::Result<Rates> {
    let mut seconds = Rates::from([("short", 0.0), ("long", 0.0)]);
    let turns = work.count / TURN;
    for _ in 0..turns {
        for (thread, seconds) in &mut seconds {
            let next = Checkpoint::new(*thread, work.state.clone());
            *seconds += TURN as f64 / save(checkpointer, next, TURN).await?;
        }
    }
    let rate = |(thread, seconds)| (thread, (turns * TURN) as f64 / seconds);
    Ok(seconds.into_iter().map(rate).collect())
}
