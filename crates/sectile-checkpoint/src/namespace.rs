//! A place of keeping, seen from a namespace.

use async_trait::async_trait;

use crate::{
    At, Checkpoint, CheckpointQuery, Key, PendingWrite, Records, Result, Saved, Sharing,
    StoredState, TaskWrites, Threads, Wrapper,
};

/// A checkpointer for a namespace of threads, for example that of a subgraph. Calls without a
/// namespace use this one. Operations on whole threads apply to all of their namespaces.
///
/// ```
/// use sectile_checkpoint::{Checkpoint, Checkpointer, MemoryCheckpointer, RecordsExt};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> sectile_checkpoint::Result<()> {
/// let root = MemoryCheckpointer::new();
/// let child = root.clone().in_namespace("researcher");
/// root.save(&Checkpoint::new("thread-1", "outer".to_owned())).await?;
/// child.save(&Checkpoint::new("thread-1", "inner".to_owned())).await?;
///
/// let latest = child.load_as::<String>("thread-1").await?;
/// assert_eq!(latest.map(|checkpoint| checkpoint.state), Some("inner".into()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct InNamespace<R> {
    records: R,
    namespace: String,
}

impl<R> InNamespace<R> {
    pub(crate) fn new(records: R, namespace: String) -> Self {
        Self { records, namespace }
    }

    fn key(&self, key: &Key) -> Key {
        let named = if key.namespace.is_empty() {
            &self.namespace
        } else {
            &key.namespace
        };
        Key::new(&key.thread_id, named)
    }
}

impl<R: Threads> Wrapper for InNamespace<R> {
    type Inner = R;

    fn inner(&self) -> &R {
        &self.records
    }
}

#[async_trait]
impl<R: Records> Records for InNamespace<R> {
    async fn insert(&self, mut checkpoint: Checkpoint<StoredState>) -> Result<Saved> {
        checkpoint.namespace = self.key(&checkpoint.key()).namespace;
        checkpoint.key().validate()?;
        self.records.insert(checkpoint).await
    }

    async fn fetch(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        self.records.fetch(&self.key(key), at).await
    }

    async fn fetch_typed(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        self.records.fetch_typed(&self.key(key), at).await
    }

    async fn select(
        &self,
        key: &Key,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StoredState>>> {
        self.records.select(&self.key(key), query).await
    }

    async fn insert_writes(&self, key: &Key, at: &At, writes: &TaskWrites) -> Result<()> {
        let key = self.key(key);
        key.validate()?;
        self.records.insert_writes(&key, at, writes).await
    }

    async fn select_writes(&self, key: &Key, at: &At) -> Result<Vec<PendingWrite>> {
        self.records.select_writes(&self.key(key), at).await
    }

    async fn count_writes(&self, key: &Key, seqs: &[u64]) -> Result<Vec<u64>> {
        self.records.count_writes(&self.key(key), seqs).await
    }

    async fn sharing(&self, key: &Key, at: &At) -> Result<Option<Sharing>> {
        self.records.sharing(&self.key(key), at).await
    }

    async fn select_writes_of(&self, key: &Key, all: &[At]) -> Result<Vec<Vec<PendingWrite>>> {
        self.records.select_writes_of(&self.key(key), all).await
    }
}
