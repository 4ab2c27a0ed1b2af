//! Answers SQL, a statement a line, with Sectile's functions:
//!
//! ```sh
//! echo "SELECT name, sectile_extract(bytes, name)['error'] FROM files" | sectile-sql reports/
//! ```

use std::io::Write as _;
use std::sync::Arc;

use sectile_datafusion::datafusion::arrow::util::pretty::pretty_format_batches;
use sectile_datafusion::datafusion::error::Result;
use sectile_datafusion::datafusion::prelude::{SessionConfig, SessionContext};
use sectile_datafusion::{FilesTable, Functions};

#[tokio::main]
async fn main() -> Result<()> {
    let mut context = SessionContext::new_with_config(Functions::configure(SessionConfig::new()));
    Functions::default().register(&mut context)?;
    if let Some(folder) = std::env::args().nth(1) {
        context.register_table("files", Arc::new(FilesTable::new(&folder)?))?;
    }
    for statement in std::io::stdin().lines() {
        let batches = context.sql(&statement?).await?.collect().await?;
        writeln!(std::io::stdout(), "{}", pretty_format_batches(&batches)?)?;
    }
    Ok(())
}
