//! `sectile collection`.

use serde_json::json;

use super::{Outcome, open};
use crate::args::CollectionCommand;
use crate::output;

pub(crate) async fn run(
    command: CollectionCommand,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let CollectionCommand::Partition { name } = command;
    let is_new = open(store).await?.partition(&name).await?;
    if json {
        output::value(&json!({ "collection": name, "is_new": is_new }))?;
    } else if is_new {
        output::text(&format!("`{name}` now has its own partitions\n"))?;
    } else {
        output::text(&format!("`{name}` already had its own partitions\n"))?;
    }
    Ok(Outcome::Done)
}
