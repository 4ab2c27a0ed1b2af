//! Searches a store in Postgres that `sectile ingest` has filled.
//!
//! ```sh
//! cargo run -p sectile-store-postgres --example search -- postgres://localhost/library "how do I install it?"
//! ```

use sectile_store::{SearchRequest, Store as _};
use sectile_store_postgres::PostgresStore;

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> sectile_store::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(address), Some(question)) = (arguments.next(), arguments.next()) else {
        println!("usage: search postgres://USER:PASSWORD@HOST/DATABASE QUESTION");
        return Ok(());
    };
    // A database without the tables of Sectile gets them.
    let store = PostgresStore::open(&address).await?;
    println!("{} documents", store.totals().await?.documents);
    let request = SearchRequest::new(&*question).with_limit(3);
    for hit in store.search(&request).await?.hits {
        let path = hit.heading_path.join(" > ");
        println!(
            "{:.2}  {}:{}  {path}",
            hit.score, hit.document.uri, hit.lines
        );
    }
    Ok(())
}
