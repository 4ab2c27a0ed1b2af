//! `sectile checkpoint delete`.

use sectile::checkpoint::{Key, Records};

use super::{done, named, no_thread, nothing, outcome};
use crate::commands::Outcome;

/// How many namespaces are named that may have been meant.
const SIMILAR: usize = 3;

/// Deletes threads, or a namespace of each, and names those that are not there.
pub(super) async fn delete(
    records: &dyn Records,
    threads: &[String],
    namespace: Option<&str>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let mut deleted = 0;
    let mut is_missing = false;
    for thread in threads {
        let checkpoints = match namespace {
            Some(namespace) => delete_namespace(records, thread, namespace).await?,
            None => delete_thread(records, thread).await?,
        };
        is_missing |= checkpoints == 0;
        deleted += checkpoints;
    }
    done("deleted", deleted, json)?;
    Ok(outcome(is_missing))
}

async fn delete_thread(records: &dyn Records, thread: &str) -> anyhow::Result<u64> {
    let deleted = records.delete_thread(thread).await?;
    if deleted == 0 {
        no_thread(thread);
    }
    Ok(deleted)
}

async fn delete_namespace(
    records: &dyn Records,
    thread: &str,
    namespace: &str,
) -> anyhow::Result<u64> {
    let key = Key::new(thread, namespace);
    key.validate()?;
    let deleted = records.delete_namespace(&key).await?;
    if deleted == 0 {
        no_namespace(records, &key).await?;
    }
    Ok(deleted)
}

/// Says that a thread has no namespace of a name, and which may have been meant.
async fn no_namespace(records: &dyn Records, key: &Key) -> anyhow::Result<Outcome> {
    let thread = &key.thread_id;
    let all = records.namespaces(thread).await?;
    if all.is_empty() {
        return Ok(no_thread(thread));
    }
    let names = all.iter().map(|found| found.namespace.as_str());
    let similar = sectile::most_similar(&key.namespace, names, |name| name, SIMILAR);
    let advice = if similar.is_empty() {
        format!("`sectile checkpoint namespaces {thread}` lists all")
    } else {
        format!("did you mean `{}`?", similar.join("` or `"))
    };
    let name = named(&key.namespace);
    Ok(nothing(
        format_args!("`{thread}` has no namespace `{name}`"),
        &advice,
    ))
}
