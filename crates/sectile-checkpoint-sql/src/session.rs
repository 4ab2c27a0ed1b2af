//! A connection of an engine, as far as the shared code needs it.

use async_trait::async_trait;
use sectile_checkpoint::{Key, Result};

use crate::row::{RowTuple, ThreadTuple};
use crate::writes::WriteRow;

/// What takes pieces as they are stored: position, hash, bytes.
pub type TakePiece<'t> = dyn FnMut(i64, i64, &[u8]) + Send + 't;

/// What takes the pieces that come with a row.
pub trait TakeAlong: Send {
    /// Makes room for the pieces of a state of a size in bytes. Not every database knows it before they come.
    fn reserve(&mut self, bytes: i64);

    /// Takes a piece as it is stored: position, hash, bytes.
    fn take(&mut self, position: i64, hash: i64, stored: &[u8]);
}

/// A namespace of a thread: its number, name, last number, newest number, last piece.
pub type HeadTuple = (i64, String, i64, i64, i64, i64);

/// A thread that is listed: its id, the newest number of its root or 0, the number of its checkpoints, the
/// time of the newest, the metadata of one where metadata is asked for.
pub type ListedTuple = (String, i64, i64, i64, Option<String>);

/// A write: what it belongs to, task, place, path, run, channel, hash, kind, value.
pub type WriteTuple = (
    String,
    String,
    i64,
    String,
    Option<String>,
    String,
    i64,
    String,
    Vec<u8>,
);

/// A connection that reads. The statements are those of [`sql`](crate::sql), into which it puts
/// the names of its tables.
#[async_trait]
pub trait Reader: Send {
    /// Runs a statement that reads checkpoints.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn rows(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<RowTuple>>;

    /// Reads the newest checkpoint of a namespace. Its hash is wrong if the namespace says that another
    /// is the newest. The pieces that it names come with the row, in any order, unless they are large; before
    /// them comes the size of the state, if it is known by then.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn latest(&mut self, key: &Key, along: &mut dyn TakeAlong) -> Result<Vec<RowTuple>>;

    /// Runs a statement that reads a number and a text in each row.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn pairs(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<(i64, String)>>;

    /// Runs a statement of [`sql::threads`](crate::sql::threads) that lists threads.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn listed(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<ListedTuple>>;

    /// Runs a statement that reads namespaces as others see them, or sums.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn threads(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<ThreadTuple>>;

    /// Runs a statement that reads namespaces with their numbers.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn heads(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<HeadTuple>>;

    /// Runs a statement that reads writes.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn writes(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<WriteTuple>>;

    /// Reads the writes of a namespace that belong to some of its checkpoints, in any order.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn writes_of(&mut self, thread_key: i64, owners: &[String]) -> Result<Vec<WriteTuple>>;

    /// Counts the pending writes of checkpoints of a namespace: the number of each that is there, with its
    /// count, in any order.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn count_writes(&mut self, key: &Key, seqs: &[i64]) -> Result<Vec<(i64, i64)>>;

    /// Reads the pieces of a thread that stand in ranges of positions, each from a first one up to
    /// but not including a last one. They come in any order.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn pieces(
        &mut self,
        thread_key: i64,
        ranges: &[(i64, i64)],
        take: &mut TakePiece<'_>,
    ) -> Result<()>;

    /// Reads how many bytes the pieces of a thread have, and how many they are.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn size_of_pieces(&mut self, thread_key: i64) -> Result<(i64, i64)>;

    /// Reads the position of the last piece of a thread, or 0.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn last_piece(&mut self, thread_key: i64) -> Result<i64>;

    /// Reads the names of the indexes that the tables should have and do not have.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn missing_indexes(&mut self) -> Result<Vec<String>>;

    /// Reads how many pieces belong to no thread.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn stray_pieces(&mut self) -> Result<i64>;
}

/// A connection within a transaction.
#[async_trait]
pub trait Transaction: Reader {
    /// Runs a statement and returns how many rows it changed.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn execute(&mut self, sql: &'static str, arguments: &[Argument<'_>]) -> Result<u64>;

    /// Reads a namespace if it is there, and holds it until the end of the transaction, so that no
    /// one saves to it.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn hold(&mut self, key: &Key) -> Result<Option<HeadTuple>>;

    /// Returns from how many bytes on pieces are compressed where that makes them smaller.
    fn packs_from(&self) -> usize;

    /// Adds pieces with their hashes to a thread, which stand one after the other from a position on,
    /// and returns whether these positions were free. If not, the transaction must be rolled back.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn add_pieces(
        &mut self,
        thread_key: i64,
        first: i64,
        pieces: &[(i64, Vec<u8>)],
    ) -> Result<bool>;

    /// Adds writes to a namespace. No two of them have the same owner, task and index. An existing
    /// write stays, unless its index is negative: then the new one replaces it.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn put_writes(&mut self, thread_key: i64, rows: &[WriteRow]) -> Result<()>;

    /// Copies all pieces of a thread to another, which has none.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn copy_pieces(&mut self, from: i64, to: i64) -> Result<()>;

    /// Deletes the pieces of a thread from a position up to, but not including, another.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn delete_pieces(&mut self, thread_key: i64, first: i64, end: i64) -> Result<()>;
}

/// An argument of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument<'a> {
    /// A number.
    Integer(i64),
    /// A number or nothing.
    MaybeInteger(Option<i64>),
    /// A text.
    Text(&'a str),
    /// A text or nothing.
    MaybeText(Option<&'a str>),
    /// A float or nothing.
    MaybeReal(Option<f64>),
    /// Bytes or nothing.
    MaybeBytes(Option<&'a [u8]>),
}
