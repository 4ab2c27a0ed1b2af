//! An insert as a prepared statement on one connection, through sqlx.

use std::time::Instant;

use sectile_checkpoint::now;
use sectile_checkpoint_sqlite::Durability;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, SqliteConnection};

use crate::Work;
use crate::measure::{Rates, rate};
use crate::plain::{INSERT, LATEST, TABLES};
use crate::state::State;

pub async fn run(path: &str, work: &Work, durability: Durability) -> anyhow::Result<Rates> {
    let synchronous = match durability {
        Durability::Normal => SqliteSynchronous::Normal,
        Durability::Full => SqliteSynchronous::Full,
    };
    let options = SqliteConnectOptions::new().filename(path);
    let options = options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal);
    let options = options.synchronous(synchronous).disable_statement_logging();
    let mut connection = options.connect().await?;
    sqlx::raw_sql(TABLES).execute(&mut connection).await?;
    let mut rates = Rates::new();
    rates.insert("save", save(&mut connection, work).await?);
    rates.insert("load", load(&mut connection, work.count).await?);
    Ok(rates)
}

async fn save(connection: &mut SqliteConnection, work: &Work) -> anyhow::Result<f64> {
    let mut state = work.state.clone();
    let start = Instant::now();
    for step in 1..=work.count as u64 {
        state.step = step;
        let json = serde_json::to_string(&state)?;
        let _: i64 = sqlx::query_scalar(INSERT)
            .bind("thread")
            .bind(now() as i64)
            .bind("agent")
            .bind(step as i64)
            .bind(None::<&str>)
            .bind(None::<i64>)
            .bind("[]")
            .bind("{}")
            .bind(json)
            .fetch_one(&mut *connection)
            .await?;
    }
    Ok(rate(work.count, start))
}

async fn load(connection: &mut SqliteConnection, count: usize) -> anyhow::Result<f64> {
    let start = Instant::now();
    for _ in 0..count {
        let json: String = sqlx::query_scalar(LATEST)
            .bind("thread")
            .fetch_one(&mut *connection)
            .await?;
        serde_json::from_str::<State>(&json)?;
    }
    Ok(rate(count, start))
}
