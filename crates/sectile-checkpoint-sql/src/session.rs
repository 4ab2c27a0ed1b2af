//! A connection of an engine, as far as the shared code needs it.

use async_trait::async_trait;
use sectile_checkpoint::Result;

use crate::row::{RowTuple, ThreadTuple};

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

    /// Runs a statement that reads threads.
    ///
    /// # Errors
    ///
    /// What the database reports.
    async fn threads(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<ThreadTuple>>;
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
}

/// An argument of a statement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Argument<'a> {
    /// A number.
    Integer(i64),
    /// A text.
    Text(&'a str),
    /// A text or nothing.
    MaybeText(Option<&'a str>),
    /// A float or nothing.
    MaybeReal(Option<f64>),
}
