//! Values changed on their way to where they are kept: compressed, encrypted.

use async_trait::async_trait;

use crate::{
    At, Channel, Channels, Checkpoint, CheckpointQuery, Content, Error, Key, PendingWrite, Records,
    Result, Saved, Sharing, StoredState, TaskWrites, Threads, TypedValue, Wrapper,
};

#[cfg(feature = "aes-gcm")]
mod aes;
#[cfg(feature = "zstd")]
mod zstd;

#[cfg(feature = "aes-gcm")]
pub use aes::Aes256Gcm;
#[cfg(feature = "zstd")]
pub use zstd::Zstd;

/// The prefix of the kind of an encrypted value. Values with this prefix are not projected.
pub const SEALED: &str = "sealed:";

/// With what the kind of a compressed value begins.
const ZSTD: &str = "zstd:";

/// The kind of a state of a type with serde on its way.
const JSON_STATE: &str = "json state";

/// The prefix of the kind of a value of the caller's that would be taken for such a state.
const NO_STATE: &str = "not a json state:";

/// Returns whether a value of a kind was on its way through a codec.
pub(crate) fn is_sealed(kind: &str) -> bool {
    kind.starts_with(SEALED) || kind.starts_with(ZSTD) || kind.contains(JSON_STATE)
}

/// Transforms values before they are stored, and back.
///
/// A pair is also a codec: the output of the first goes through the second.
pub trait Codec: Send + Sync {
    /// Returns the stored form of a value. Its kind must contain everything that is needed to open
    /// it. If the kind begins with [`SEALED`], or contains the kind of the value, a checkpointer
    /// with projections refuses the save.
    ///
    /// # Errors
    ///
    /// Errors of the codec; then nothing is saved.
    fn seal(&self, value: TypedValue) -> Result<TypedValue>;

    /// Returns the original value; a value that was not sealed is returned unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] for a value that no codec of this kind made, and [`Error::InvalidConfig`]
    /// for a value that this codec cannot open.
    fn open(&self, value: TypedValue) -> Result<TypedValue>;
}

impl<A: Codec, B: Codec> Codec for (A, B) {
    fn seal(&self, value: TypedValue) -> Result<TypedValue> {
        self.1.seal(self.0.seal(value)?)
    }

    fn open(&self, value: TypedValue) -> Result<TypedValue> {
        self.0.open(self.1.open(value)?)
    }
}

/// A checkpointer whose states and writes go through a [`Codec`]: a state of a serde type as a
/// whole, and channels value by value and entry by entry.
///
/// The rest stays readable: ids, names of nodes and channels, versions, metadata, the queue. A
/// value that is encrypted twice has two different results, so a value that a runtime passes again
/// is stored again. A runtime that passes only the changes of a step ([`Content::Same`],
/// [`Content::Appended`]) stores only these.
#[derive(Clone, Debug)]
pub struct Coded<R, C> {
    records: R,
    codec: C,
}

impl<R: Records, C: Codec> Coded<R, C> {
    /// Wraps a checkpointer.
    pub fn new(records: R, codec: C) -> Self {
        Self { records, codec }
    }

    fn sealed(&self, state: StoredState) -> Result<StoredState> {
        match state {
            StoredState::Json(json) => {
                let value = TypedValue::new(JSON_STATE, json.into_bytes());
                self.codec.seal(value).map(StoredState::Value)
            }
            StoredState::Value(value) => self.codec.seal(marked(value)).map(StoredState::Value),
            StoredState::Channels(channels) => {
                let sealed = each_value(channels, |value| self.codec.seal(value));
                sealed.map(StoredState::Channels)
            }
        }
    }

    fn opened(&self, mut checkpoint: Checkpoint<StoredState>) -> Result<Checkpoint<StoredState>> {
        let state = std::mem::replace(&mut checkpoint.state, Channels::new().into());
        checkpoint.state = match state {
            StoredState::Value(value) => state_of(self.codec.open(value)?)?,
            StoredState::Channels(channels) => {
                each_value(channels, |value| self.codec.open(value))?.into()
            }
            json @ StoredState::Json(_) => json,
        };
        Ok(checkpoint)
    }

    fn open_all(&self, writes: &mut [PendingWrite]) -> Result<()> {
        for pending in writes {
            pending.write.value = self.codec.open(pending.write.value.clone())?;
        }
        Ok(())
    }

    async fn find(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        let found = self.records.fetch(key, at).await?;
        found.map(|found| self.opened(found)).transpose()
    }

    /// Says what becomes of a save whose id is taken: what is kept is compared as it was before it
    /// was sealed.
    async fn repeated(&self, again: Checkpoint<StoredState>, conflict: Error) -> Result<Saved> {
        let (key, id) = (again.key(), again.id.clone().unwrap_or_default());
        let Some(kept) = self.find(&key, &At::Id(id)).await? else {
            return Err(conflict);
        };
        let parent = match again.parent_seq {
            Some(seq) => self.find(&key, &At::Seq(seq)).await?,
            None => None,
        };
        kept.repeated_by(again, parent.as_ref().map(|parent| &parent.state))
    }
}

/// Marks a value whose kind is called like a state of a type with serde, or like a marked one.
fn marked(value: TypedValue) -> TypedValue {
    if &*value.kind != JSON_STATE && !value.kind.starts_with(NO_STATE) {
        return value;
    }
    TypedValue::new(&format!("{NO_STATE}{}", value.kind), value.bytes)
}

/// Returns the state that was sealed.
fn state_of(value: TypedValue) -> Result<StoredState> {
    if let Some(kind) = value.kind.strip_prefix(NO_STATE) {
        return Ok(TypedValue::new(kind, value.bytes.clone()).into());
    }
    if &*value.kind != JSON_STATE {
        return Ok(StoredState::Value(value));
    }
    let json = String::from_utf8(value.bytes.to_vec()).map_err(|_| Error::Corrupt {
        what: "a state that is not text".into(),
    })?;
    Ok(StoredState::Json(json))
}

fn each_value(
    channels: Channels,
    change: impl Fn(TypedValue) -> Result<TypedValue>,
) -> Result<Channels> {
    let list = |values: Vec<TypedValue>| values.into_iter().map(&change).collect::<Result<_>>();
    let changed = |(name, channel): (String, Channel)| {
        let content = match channel.content {
            Content::Value(value) => Content::Value(change(value)?),
            Content::List(values) => Content::List(list(values)?),
            Content::Appended(values) => Content::Appended(list(values)?),
            Content::Same => Content::Same,
        };
        let version = channel.version;
        Ok((name, Channel { version, content }))
    };
    channels
        .0
        .into_iter()
        .map(changed)
        .collect::<Result<_>>()
        .map(Channels)
}

impl<R: Threads, C: Send + Sync> Wrapper for Coded<R, C> {
    type Inner = R;

    fn inner(&self) -> &R {
        &self.records
    }
}

#[async_trait]
impl<R: Records, C: Codec> Records for Coded<R, C> {
    async fn insert(&self, checkpoint: Checkpoint<StoredState>) -> Result<Saved> {
        let mut sealed = checkpoint.clone();
        sealed.state = self.sealed(sealed.state)?;
        match self.records.insert(sealed).await {
            Err(conflict @ Error::IdConflict { .. }) => self.repeated(checkpoint, conflict).await,
            saved => saved,
        }
    }

    async fn fetch(&self, key: &Key, at: &At) -> Result<Option<Checkpoint<StoredState>>> {
        self.find(key, at).await
    }

    async fn select(
        &self,
        key: &Key,
        query: &CheckpointQuery,
    ) -> Result<Vec<Checkpoint<StoredState>>> {
        let found = self.records.select(key, query).await?;
        found.into_iter().map(|found| self.opened(found)).collect()
    }

    async fn insert_writes(&self, key: &Key, at: &At, writes: &TaskWrites) -> Result<()> {
        let mut sealed = writes.clone();
        for write in &mut sealed.writes {
            write.value = self.codec.seal(write.value.clone())?;
        }
        self.records.insert_writes(key, at, &sealed).await
    }

    async fn select_writes(&self, key: &Key, at: &At) -> Result<Vec<PendingWrite>> {
        let mut found = self.records.select_writes(key, at).await?;
        self.open_all(&mut found)?;
        Ok(found)
    }

    async fn select_writes_of(&self, key: &Key, all: &[At]) -> Result<Vec<Vec<PendingWrite>>> {
        let mut found = self.records.select_writes_of(key, all).await?;
        for writes in &mut found {
            self.open_all(writes)?;
        }
        Ok(found)
    }

    async fn count_writes(&self, key: &Key, seqs: &[u64]) -> Result<Vec<u64>> {
        self.records.count_writes(key, seqs).await
    }

    async fn sharing(&self, key: &Key, at: &At) -> Result<Option<Sharing>> {
        self.records.sharing(key, at).await
    }
}
