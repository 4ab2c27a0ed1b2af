//! A checkpoint as a row.

use std::fmt::Write as _;

use sectile_checkpoint::pieces::MAX_WHOLE_BYTES;
use sectile_checkpoint::{Checkpoint, Error, Key, Result, StoredState, TypedValue, now};
use serde_json::{Map, Value};
use twox_hash::XxHash3_64;

use crate::layout;

/// The columns of a checkpoint, in the order of the statements.
pub type RowTuple = (
    i64,
    i64,
    i64,
    Option<String>,
    i64,
    Option<String>,
    Option<i64>,
    Option<String>,
    String,
    String,
    i64,
    i64,
    i64,
    Option<String>,
    Option<String>,
    Option<Vec<u8>>,
);

/// The columns of a namespace: name, newest number, number of checkpoints, time of the
/// newest.
pub type ThreadTuple = (String, i64, i64, i64);

/// The state of a checkpoint as columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateColumns {
    /// How the state is kept.
    pub form: Form,
    /// The size of the whole state.
    pub whole_bytes: i64,
    /// What the bytes are, where they are of a kind. Of a state in pieces: the ranges of positions that are read
    /// with the row, such as `201:203,9805:10011`, where that saves round trips.
    pub kind: Option<String>,
    /// The state as JSON.
    pub state_json: Option<String>,
    /// The state as bytes, or where its pieces are.
    pub state: Option<Vec<u8>>,
}

/// How a state is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// JSON text.
    #[default]
    Json,
    /// Bytes of a kind.
    Value,
    /// All channels in one.
    Channels,
    /// JSON text in pieces.
    JsonPieces,
    /// Channels in pieces.
    ChannelPieces,
    /// Bytes of a kind in pieces.
    ValuePieces,
}

impl Form {
    /// Returns the number that stands in the table.
    pub const fn number(self) -> i64 {
        self as i64
    }

    /// Returns the form of a number.
    pub const fn of(number: i64) -> Option<Self> {
        Some(match number {
            0 => Self::Json,
            1 => Self::Value,
            2 => Self::Channels,
            3 => Self::JsonPieces,
            4 => Self::ChannelPieces,
            5 => Self::ValuePieces,
            _ => return None,
        })
    }

    /// Returns whether the state stands in pieces.
    pub const fn has_pieces(self) -> bool {
        matches!(
            self,
            Self::JsonPieces | Self::ChannelPieces | Self::ValuePieces
        )
    }
}

/// A row of `checkpoints`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRow {
    /// The number of its thread and namespace; 0 before that is known.
    pub thread_key: i64,
    /// The number in the thread; 0 before it is given one.
    pub seq: i64,
    /// Milliseconds since 1970-01-01 UTC.
    pub created_at: i64,
    /// The node that ran last.
    pub node: Option<String>,
    /// How many steps the run has made.
    pub step: i64,
    /// The id by the caller.
    pub checkpoint_id: Option<String>,
    /// The number of the checkpoint that the run came from.
    pub parent_seq: Option<i64>,
    /// The run that saved it.
    pub run_id: Option<String>,
    /// The queue as a JSON array.
    pub queue_json: String,
    /// The metadata as a JSON object.
    pub metadata_json: String,
    /// The hash of the other columns, with the number.
    pub checksum: i64,
    /// The state.
    pub state: StateColumns,
}

impl TryFrom<RowTuple> for StoredRow {
    type Error = Error;

    fn try_from(row: RowTuple) -> Result<Self> {
        let form = Form::of(row.12).ok_or_else(|| Error::Corrupt {
            what: format!("`form` of checkpoint {}", row.1),
        })?;
        Ok(Self {
            thread_key: row.0,
            seq: row.1,
            created_at: row.2,
            node: row.3,
            step: row.4,
            checkpoint_id: row.5,
            parent_seq: row.6,
            run_id: row.7,
            queue_json: row.8,
            metadata_json: row.9,
            checksum: row.10,
            state: StateColumns {
                whole_bytes: row.11,
                form,
                kind: row.13,
                state_json: row.14,
                state: row.15,
            },
        })
    }
}

/// A checkpoint that is to be saved.
#[derive(Clone, Debug, PartialEq)]
pub struct NewRow {
    /// Its thread and namespace.
    pub key: Key,
    /// Its columns; those of the state, and the hash, are there if [`pieces`](Self::pieces) has
    /// nothing.
    pub row: StoredRow,
    /// A state that is to be kept in pieces, or that follows from the parent.
    pub pieces: Option<StoredState>,
    /// The hashes of the entries of its metadata.
    pub entries: Vec<i64>,
}

impl NewRow {
    /// Returns the row of a checkpoint that is to be saved, with the time of saving filled in.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] for what `sectile-checkpoint` refuses before.
    pub fn of(checkpoint: Checkpoint<StoredState>) -> Result<Self> {
        Self::with_values_of(checkpoint, usize::MAX)
    }

    /// Returns the row of a checkpoint that is to be saved where long rows are in the way: bytes of a kind are kept in
    /// pieces, too, if they are many.
    ///
    /// # Errors
    ///
    /// Those of [`of`](Self::of).
    pub fn of_short(checkpoint: Checkpoint<StoredState>) -> Result<Self> {
        Self::with_values_of(checkpoint, MAX_WHOLE_BYTES)
    }

    /// `max_value` is how many bytes of a kind a row has at most.
    fn with_values_of(checkpoint: Checkpoint<StoredState>, max_value: usize) -> Result<Self> {
        let created_at = match checkpoint.created_at {
            0 => now(),
            given => given,
        };
        let parent_seq = checkpoint
            .parent_seq
            .map(|seq| signed("parent_seq", seq))
            .transpose()?;
        let mut row = StoredRow {
            thread_key: 0,
            seq: 0,
            created_at: signed("created_at", created_at)?,
            step: signed("step", checkpoint.step)?,
            parent_seq,
            queue_json: json("queue", &checkpoint.queue)?,
            metadata_json: json("metadata", &checkpoint.metadata)?,
            node: checkpoint.node,
            checkpoint_id: checkpoint.id,
            run_id: checkpoint.run_id,
            checksum: 0,
            state: StateColumns::default(),
        };
        let pieces = match StateColumns::at_once(checkpoint.state, max_value) {
            Ok(state) => {
                row.set_state(state);
                None
            }
            Err(state) => Some(state),
        };
        Ok(Self {
            key: Key::new(checkpoint.thread_id, checkpoint.namespace),
            row,
            pieces,
            entries: checkpoint.metadata.iter().map(entry).collect(),
        })
    }

    /// Returns about how many bytes are written.
    pub fn size(&self) -> usize {
        let whole = self.pieces.as_ref().map(StoredState::size);
        whole.unwrap_or_else(|| self.row.state.whole_bytes.unsigned_abs() as usize)
    }

    /// Returns the checkpoint that is to be saved.
    ///
    /// # Errors
    ///
    /// Those of [`StoredRow::into_checkpoint`].
    pub fn checkpoint(&self, seq: u64) -> Result<Checkpoint<StoredState>> {
        let mut row = self.row.clone();
        let state = match &self.pieces {
            Some(state) => state.clone(),
            None => row.take_state()?,
        };
        row.seq = signed("seq", seq)?;
        row.into_checkpoint(&self.key, state)
    }
}

impl StateColumns {
    /// Returns the columns of a state that is kept in one row, or the state, if it is not. `max_value` is how many
    /// bytes of a kind a row has at most.
    ///
    /// # Errors
    ///
    /// The state.
    pub(crate) fn at_once(state: StoredState, max_value: usize) -> Result<Self, StoredState> {
        let is_small = state.size() <= MAX_WHOLE_BYTES;
        let whole_bytes = size(state.size());
        let columns = Self {
            whole_bytes,
            ..Self::default()
        };
        match state {
            StoredState::Json(json) if is_small => Ok(Self {
                state_json: Some(json),
                ..columns
            }),
            StoredState::Value(value) if value.bytes.len() <= max_value => Ok(Self {
                form: Form::Value,
                kind: Some(value.kind.as_ref().into()),
                state: Some(value.bytes.to_vec()),
                ..columns
            }),
            StoredState::Channels(channels) if is_small && channels.is_whole() => Ok(Self {
                form: Form::Channels,
                state: Some(layout::channels::encode(&channels)),
                ..columns
            }),
            in_pieces => Err(in_pieces),
        }
    }
}

impl StoredRow {
    /// Sets the state and the hash of the row.
    pub fn set_state(&mut self, state: StateColumns) {
        self.state = state;
        self.checksum = self.hash();
    }

    /// Returns the hash of a row as it is stored: with its number in it.
    pub const fn numbered(&self, seq: i64) -> i64 {
        self.checksum ^ seq
    }

    /// Returns the hash of what is saved.
    fn hash(&self) -> i64 {
        let mut fields = Vec::with_capacity(256);
        for number in [
            self.created_at,
            self.step,
            self.parent_seq.unwrap_or(-1),
            self.state.whole_bytes,
            self.state.form.number(),
        ] {
            fields.extend_from_slice(&number.to_le_bytes());
        }
        let texts = [
            self.node.as_deref(),
            self.checkpoint_id.as_deref(),
            self.run_id.as_deref(),
            self.state.kind.as_deref(),
            Some(&*self.queue_json),
            Some(&*self.metadata_json),
        ];
        for text in texts {
            let length = text.map_or(u64::MAX, |text| text.len() as u64);
            fields.extend_from_slice(&length.to_le_bytes());
            fields.extend_from_slice(text.unwrap_or_default().as_bytes());
        }
        let json = self.state.state_json.as_deref().map(str::as_bytes);
        let state = json.or(self.state.state.as_deref()).unwrap_or_default();
        (checksum(&fields).rotate_left(17)) ^ checksum(state)
    }

    /// Returns whether the row is undamaged.
    pub(crate) fn is_sound(&self) -> bool {
        self.hash() ^ self.seq == self.checksum
    }

    /// Checks that the row is undamaged.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] if it is not.
    pub fn verified(self, key: &Key) -> Result<Self> {
        if self.is_sound() {
            return Ok(self);
        }
        Err(corrupt(key, self.seq, "is not as it was saved"))
    }

    /// Takes a state that is kept in one row.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] for what no release has written.
    pub fn take_state(&mut self) -> Result<StoredState> {
        let columns = std::mem::take(&mut self.state);
        let found = match columns {
            StateColumns {
                form: Form::Json,
                state_json: Some(json),
                ..
            } => Some(StoredState::Json(json)),
            StateColumns {
                form: Form::Value,
                kind: Some(kind),
                state: Some(bytes),
                ..
            } => Some(StoredState::Value(TypedValue::new(&kind, bytes))),
            StateColumns {
                form: Form::Channels,
                state: Some(bytes),
                ..
            } => layout::channels::decode(&bytes).map(StoredState::Channels),
            _ => None,
        };
        found.ok_or_else(|| Error::Corrupt {
            what: format!("the state of checkpoint {}", self.seq),
        })
    }

    /// Returns the checkpoint of a row that was read, with its state.
    ///
    /// # Errors
    ///
    /// [`Error::Corrupt`] for a row that no release has written.
    pub fn into_checkpoint(self, key: &Key, state: StoredState) -> Result<Checkpoint<StoredState>> {
        let corrupt = |column: &str| corrupt(key, self.seq, &format!("has no right `{column}`"));
        let queue = serde_json::from_str(&self.queue_json).map_err(|_| corrupt("queue_json"))?;
        let metadata: Value =
            serde_json::from_str(&self.metadata_json).map_err(|_| corrupt("metadata_json"))?;
        let Value::Object(metadata) = metadata else {
            return Err(corrupt("metadata_json"));
        };
        let unsigned = |column, number: i64| u64::try_from(number).map_err(|_| corrupt(column));
        let (seq, step) = (unsigned("seq", self.seq)?, unsigned("step", self.step)?);
        let created_at = unsigned("created_at", self.created_at)?;
        let parent_seq = self.parent_seq.map(|seq| unsigned("parent_seq", seq));
        let parent_seq = parent_seq.transpose()?;
        let mut checkpoint = Checkpoint::new(&*key.thread_id, state);
        checkpoint.namespace.clone_from(&key.namespace);
        checkpoint.seq = seq;
        checkpoint.id = self.checkpoint_id;
        checkpoint.parent_seq = parent_seq;
        checkpoint.run_id = self.run_id;
        checkpoint.step = step;
        checkpoint.node = self.node;
        checkpoint.queue = queue;
        checkpoint.metadata = metadata;
        checkpoint.created_at = created_at;
        Ok(checkpoint)
    }
}

/// Returns the hash that detects damaged bytes (XXH3, 64 bits).
pub(crate) fn checksum(bytes: &[u8]) -> i64 {
    XxHash3_64::oneshot(bytes).cast_signed()
}

/// Says that something of a checkpoint is damaged.
pub(crate) fn corrupt(key: &Key, seq: i64, what: &str) -> Error {
    Error::Corrupt {
        what: format!("checkpoint {seq} of thread `{key}` {what}"),
    }
}

/// Says that a thread counts fewer checkpoints or pieces than it has, so that the next number is taken.
pub(crate) fn miscounted(key: &Key) -> Error {
    Error::Corrupt {
        what: format!(
            "thread `{key}` is counted wrongly, its next number is taken; restore a backup, or copy the \
             thread and go on with the copy, which is counted anew"
        ),
    }
}

/// Returns the hash of an entry of metadata. The members of objects are hashed in the order of their
/// names, as they have none.
pub(crate) fn entry((key, value): (&String, &Value)) -> i64 {
    let mut text = format!("{}:{key}", key.len());
    write_sorted(value, &mut text);
    checksum(text.as_bytes())
}

fn write_sorted(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (name, member) in members {
                let _ = write!(text, "{}:{name}", name.len());
                write_sorted(member, text);
            }
            text.push('}');
        }
        Value::Array(values) => {
            text.push('[');
            for value in values {
                write_sorted(value, text);
                text.push(',');
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

/// Reads the metadata of a checkpoint.
///
/// # Errors
///
/// [`Error::Corrupt`] for what is not an object.
pub(crate) fn object(json: &str, key: &Key, seq: i64) -> Result<Map<String, Value>> {
    serde_json::from_str(json).map_err(|_| corrupt(key, seq, "has no right `metadata_json`"))
}

/// Returns a size as both engines hold it; no state and no list is larger.
pub(crate) fn size(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// Returns a number as both engines hold it.
///
/// # Errors
///
/// [`Error::InvalidArgument`] if it is larger than those hold.
pub(crate) fn signed(argument: &'static str, number: u64) -> Result<i64> {
    i64::try_from(number).map_err(|_| Error::InvalidArgument {
        argument,
        reason: format!("must be at most {}, not {number}", i64::MAX),
    })
}

fn json<T: ?Sized + serde::Serialize>(argument: &'static str, value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Error::InvalidArgument {
        argument,
        reason: format!("cannot be written as JSON: {error}"),
    })
}
