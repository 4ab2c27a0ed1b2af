//! `sectile backup`.

use serde::Serialize;

use super::{Outcome, is_missing, store_url};
use crate::args::BackupArguments;
use crate::output;

pub(crate) async fn run(
    arguments: BackupArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let url = store_url(store)?;
    sectile::check_store_url(&url)?;
    let shown = sectile::shown_url(&url);
    let Some(path) = sectile::sqlite_file(&url) else {
        anyhow::bail!("{shown} is a database of a server; back it up with `pg_dump -Fc`");
    };
    anyhow::ensure!(
        !is_missing(&url),
        "{shown} does not exist, so there is nothing to back up; name a store with --store"
    );
    let bytes = sectile::store_sqlite::back_up(path, &arguments.file).await;
    let bytes = bytes.map_err(sectile::Error::from)?;
    let file = arguments.file.display().to_string();
    if json {
        output::value(&Row { file, bytes })?;
    } else {
        let megabytes = bytes as f64 / 1e6;
        output::text(&format!("{file}: {megabytes:.1} MB\n"))?;
    }
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct Row {
    file: String,
    bytes: u64,
}
