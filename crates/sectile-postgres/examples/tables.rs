//! Lists the tables of a database, over a pool that keeps its connection for the next call.
//!
//! ```sh
//! cargo run -p sectile-postgres --example tables -- postgres://localhost/library
//! ```

use std::time::Duration;

use sectile_postgres::{Pool, connect_options};

/// The names of the tables in the schema `public`.
const TABLES: &str =
    "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename";

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(address) = std::env::args().nth(1) else {
        println!("usage: tables postgres://USER:PASSWORD@HOST/DATABASE");
        return Ok(());
    };
    let pool = Pool::new(connect_options(&address)?, 4, Duration::from_secs(10));
    let mut lease = pool.acquire_alive().await?;
    let tables: Vec<String> = sqlx::query_scalar(TABLES)
        .fetch_all(lease.connection())
        .await?;
    // Only a connection whose statements have succeeded goes back into the pool.
    lease.keep();
    for table in tables {
        println!("{table}");
    }
    pool.close().await;
    Ok(())
}
