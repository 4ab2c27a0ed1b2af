//! A connection with the names of its tables.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use sectile_checkpoint::{Error, Key, Result};
use sectile_checkpoint_sql::{
    Argument, HeadTuple, ListedTuple, Reader, RowTuple, TakeAlong, TakePiece, ThreadTuple,
    Transaction, WriteRow, WriteTuple, named_along, sql as shared,
};
use sectile_migrations::Tables;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::{Arguments as _, AssertSqlSafe, FromRow, PgConnection, Row as _};

use crate::error::{is_duplicate, postgres};
use crate::sql;

/// What is the same for every statement.
#[derive(Clone, Debug)]
pub(crate) struct Dialect {
    pub(crate) tables: Tables,
    /// Whether statements are prepared once and kept by name, which a pooler in transaction mode
    /// does not follow.
    pub(crate) is_persistent: bool,
    /// Whether the state that was loaded last names pieces that come with its row: the next one mostly does, too.
    pub(crate) expects_pieces: Arc<AtomicBool>,
}

/// A connection with the names of its tables.
pub(crate) struct Session<'c> {
    connection: &'c mut PgConnection,
    dialect: &'c Dialect,
}

impl<'c> Session<'c> {
    pub(crate) fn new(connection: &'c mut PgConnection, dialect: &'c Dialect) -> Self {
        Self {
            connection,
            dialect,
        }
    }

    async fn read<T>(&mut self, sql: &'static str, arguments: &[Argument<'_>]) -> Result<Vec<T>>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let is_persistent = self.dialect.is_persistent;
        self.read_planned(sql, arguments, is_persistent).await
    }

    /// Reads. `is_persistent` says whether the statement is prepared once, and then planned for any arguments.
    async fn read_planned<T>(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
        is_persistent: bool,
    ) -> Result<Vec<T>>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let sql = AssertSqlSafe(self.dialect.tables.sql(sql));
        sqlx::query_as_with(sql, bound(arguments)?)
            .persistent(is_persistent)
            .fetch_all(&mut *self.connection)
            .await
            .map_err(postgres("read checkpoints"))
    }

    /// Adds as many writes as are written in one statement.
    async fn put_together(&mut self, thread_key: i64, rows: &[WriteRow]) -> Result<()> {
        fn column<'r, T>(rows: &'r [WriteRow], of: fn(&'r WriteRow) -> T) -> Vec<T> {
            rows.iter().map(of).collect()
        }
        sqlx::query(AssertSqlSafe(self.dialect.tables.sql(sql::PUT_WRITES)))
            .persistent(self.dialect.is_persistent)
            .bind(thread_key)
            .bind(column(rows, |row| &*row.owner))
            .bind(column(rows, |row| &*row.pending.task_id))
            .bind(column(rows, |row| row.pending.write.index))
            .bind(column(rows, |row| &*row.pending.task_path))
            .bind(column(rows, |row| row.pending.run_id.as_deref()))
            .bind(column(rows, |row| &*row.pending.write.channel))
            .bind(column(rows, |row| row.checksum))
            .bind(column(rows, |row| &*row.pending.write.value.kind))
            .bind(column(rows, |row| &*row.pending.write.value.bytes))
            .execute(&mut *self.connection)
            .await
            .map(drop)
            .map_err(postgres("write what a task wrote"))
    }
}

/// Takes the pieces that came with a row, in the columns behind it: positions, hashes, sizes, and the bytes
/// of all.
fn take_along(row: &PgRow, along: &mut dyn TakeAlong) -> sqlx::Result<()> {
    let Some(positions) = row.try_get::<Option<Vec<i64>>, _>(16)? else {
        return Ok(());
    };
    let (hashes, sizes): (Vec<i64>, Vec<i32>) = (row.try_get(17)?, row.try_get(18)?);
    let mut bytes: &[u8] = row.try_get(19)?;
    along.reserve(row.try_get(11)?);
    for ((position, hash), size) in positions.into_iter().zip(hashes).zip(sizes) {
        let size = usize::try_from(size).unwrap_or_default();
        let Some((piece, rest)) = bytes.split_at_checked(size) else {
            break;
        };
        along.take(position, hash, piece);
        bytes = rest;
    }
    Ok(())
}

#[async_trait]
impl Reader for Session<'_> {
    async fn rows(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<RowTuple>> {
        self.read(sql, arguments).await
    }

    async fn latest(&mut self, key: &Key, along: &mut dyn TakeAlong) -> Result<Vec<RowTuple>> {
        let expects_pieces = self.dialect.expects_pieces.load(Ordering::Relaxed);
        let sql = if expects_pieces {
            sql::LATEST_WITH_PIECES
        } else {
            sql::LATEST
        };
        let found = sqlx::query(AssertSqlSafe(self.dialect.tables.sql(sql)))
            .persistent(self.dialect.is_persistent)
            .bind(storable(&key.thread_id))
            .bind(storable(&key.namespace))
            .try_map(|row: PgRow| {
                if expects_pieces {
                    take_along(&row, along)?;
                }
                RowTuple::from_row(&row)
            })
            .fetch_all(&mut *self.connection)
            .await
            .map_err(postgres("read checkpoints"))?;
        if let Some(row) = found.first() {
            let mut named = named_along(row.12, row.13.as_deref());
            let has_pieces = named.next().is_some();
            self.dialect
                .expects_pieces
                .store(has_pieces, Ordering::Relaxed);
        }
        Ok(found)
    }

    async fn pairs(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<(i64, String)>> {
        self.read(sql, arguments).await
    }

    async fn threads(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<ThreadTuple>> {
        self.read(sql, arguments).await
    }

    async fn listed(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<ListedTuple>> {
        // Planned each time, for its own limit and times: a plan for any of them reads all threads.
        self.read_planned(sql, arguments, false).await
    }

    async fn heads(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<HeadTuple>> {
        self.read(sql, arguments).await
    }

    async fn writes(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<WriteTuple>> {
        self.read(sql, arguments).await
    }

    async fn writes_of(&mut self, thread_key: i64, owners: &[String]) -> Result<Vec<WriteTuple>> {
        let owners: Vec<Option<&str>> = owners.iter().map(|owner| storable(owner)).collect();
        sqlx::query_as(AssertSqlSafe(self.dialect.tables.sql(sql::WRITES_OF)))
            .persistent(self.dialect.is_persistent)
            .bind(thread_key)
            .bind(owners)
            .fetch_all(&mut *self.connection)
            .await
            .map_err(postgres("read writes"))
    }

    async fn count_writes(&mut self, key: &Key, seqs: &[i64]) -> Result<Vec<(i64, i64)>> {
        sqlx::query_as(AssertSqlSafe(self.dialect.tables.sql(sql::COUNT_WRITES)))
            .persistent(self.dialect.is_persistent)
            .bind(storable(&key.thread_id))
            .bind(storable(&key.namespace))
            .bind(seqs)
            .fetch_all(&mut *self.connection)
            .await
            .map_err(postgres("count writes"))
    }

    async fn pieces(
        &mut self,
        thread_key: i64,
        ranges: &[(i64, i64)],
        take: &mut TakePiece<'_>,
    ) -> Result<()> {
        let is_short = |range: &&(i64, i64)| range.1 - range.0 <= SHORT;
        let (short, long): (Vec<_>, Vec<_>) = ranges.iter().partition(is_short);
        let positions: Vec<i64> = short
            .into_iter()
            .flat_map(|&(first, end)| first..end)
            .collect();
        let (firsts, ends): (Vec<i64>, Vec<i64>) = long.into_iter().copied().unzip();
        // Each row is taken as it comes, so that the buffer it came in is used for the next.
        let taken: Result<Vec<()>, sqlx::Error> =
            sqlx::query(AssertSqlSafe(self.dialect.tables.sql(sql::PIECES)))
                .persistent(self.dialect.is_persistent)
                .bind(thread_key)
                .bind(positions)
                .bind(firsts)
                .bind(ends)
                .try_map(|row: PgRow| {
                    take(row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
                    Ok(())
                })
                .fetch_all(&mut *self.connection)
                .await;
        taken
            .map(drop)
            .map_err(postgres("read the pieces of a state"))
    }

    async fn size_of_pieces(&mut self, thread_key: i64) -> Result<(i64, i64)> {
        let thread = [Argument::Integer(thread_key)];
        let found: Vec<(i64, i64)> = self.read(sql::SIZE_OF_PIECES, &thread).await?;
        Ok(found.first().copied().unwrap_or_default())
    }

    async fn last_piece(&mut self, thread_key: i64) -> Result<i64> {
        let thread = [Argument::Integer(thread_key)];
        let found = self.pairs(sql::LAST_PIECE, &thread).await?;
        Ok(found.first().map_or(0, |(position, _)| *position))
    }

    async fn missing_indexes(&mut self) -> Result<Vec<String>> {
        let found = self.pairs(sql::MISSING_INDEXES, &[]).await?;
        Ok(found.into_iter().map(|(_, index)| index).collect())
    }

    async fn stray_pieces(&mut self) -> Result<i64> {
        let found: Vec<(i64,)> = self.read(sql::STRAY_PIECES, &[]).await?;
        Ok(found.first().copied().unwrap_or_default().0)
    }
}

#[async_trait]
impl Transaction for Session<'_> {
    async fn execute(&mut self, sql: &'static str, arguments: &[Argument<'_>]) -> Result<u64> {
        let sql = AssertSqlSafe(self.dialect.tables.sql(sql));
        let done = sqlx::query_with(sql, bound(arguments)?)
            .persistent(self.dialect.is_persistent)
            .execute(&mut *self.connection)
            .await
            .map_err(postgres("write checkpoints"))?;
        Ok(done.rows_affected())
    }

    async fn hold(&mut self, key: &Key) -> Result<Option<HeadTuple>> {
        let names = [
            Argument::Text(&key.thread_id),
            Argument::Text(&key.namespace),
        ];
        let found = self.read(sql::HOLD, &names).await?;
        Ok(found.into_iter().next())
    }

    fn packs_from(&self) -> usize {
        MIN_PACKED
    }

    async fn add_pieces(
        &mut self,
        thread_key: i64,
        first: i64,
        pieces: &[(i64, Vec<u8>)],
    ) -> Result<bool> {
        let mut next = first;
        for together in Together::new(pieces, |(_, piece)| piece.len()) {
            let (hashes, bytes): (Vec<i64>, Vec<&[u8]>) = together
                .iter()
                .map(|(hash, piece)| (*hash, &**piece))
                .unzip();
            let added = sqlx::query(AssertSqlSafe(self.dialect.tables.sql(sql::ADD_PIECES)))
                .persistent(self.dialect.is_persistent)
                .bind(thread_key)
                .bind(next)
                .bind(hashes)
                .bind(bytes)
                .execute(&mut *self.connection)
                .await;
            match added {
                Ok(_) => next += i64::try_from(together.len()).unwrap_or(i64::MAX),
                Err(error) if is_duplicate(&error) => return Ok(false),
                Err(error) => return Err(postgres("write the pieces of a state")(error)),
            }
        }
        let arguments = [thread_key, next - 1].map(Argument::Integer);
        let done = self.execute(shared::SET_LAST_PIECE, &arguments).await;
        done.map(|_| true)
    }

    async fn put_writes(&mut self, thread_key: i64, rows: &[WriteRow]) -> Result<()> {
        for together in Together::new(rows, |row| row.pending.write.value.bytes.len()) {
            self.put_together(thread_key, together).await?;
        }
        Ok(())
    }

    async fn copy_pieces(&mut self, from: i64, to: i64) -> Result<()> {
        let threads = [from, to].map(Argument::Integer);
        self.execute(sql::COPY_PIECES, &threads).await.map(drop)
    }

    async fn delete_pieces(&mut self, thread_key: i64, first: i64, end: i64) -> Result<()> {
        let range = [thread_key, first, end].map(Argument::Integer);
        self.execute(sql::DELETE_PIECES, &range).await.map(drop)
    }
}

/// A row costs 83 bytes beside its piece, so short pieces are compressed, too.
const MIN_PACKED: usize = 64;

/// Rows, as many at a time as are written in one statement.
struct Together<'r, T> {
    rows: &'r [T],
    size: fn(&T) -> usize,
}

/// Pieces in a range of at most so many are asked for by position.
const SHORT: i64 = 8;

/// The maximum number of bytes of pieces or writes in one statement.
const MOST_BYTES: usize = 16 << 20;

impl<'r, T> Together<'r, T> {
    /// Returns rows, of which `size` says how many bytes each has.
    fn new(rows: &'r [T], size: fn(&T) -> usize) -> Self {
        Self { rows, size }
    }
}

impl<'r, T> Iterator for Together<'r, T> {
    type Item = &'r [T];

    fn next(&mut self) -> Option<Self::Item> {
        let size = self.size;
        let mut bytes = 0;
        let fits = |row: &&T| {
            bytes += size(row);
            bytes <= MOST_BYTES
        };
        let count = self.rows.iter().take_while(fits).count().max(1);
        let (together, rest) = self.rows.split_at_checked(count)?;
        self.rows = rest;
        Some(together)
    }
}

/// Returns a text, or nothing for one that the server refuses. No stored id is equal to it, and none is equal
/// to nothing.
fn storable(text: &str) -> Option<&str> {
    (!text.contains('\0')).then_some(text)
}

/// Binds arguments.
fn bound(arguments: &[Argument<'_>]) -> Result<PgArguments> {
    let mut bound = PgArguments::default();
    for argument in arguments {
        let added = match *argument {
            Argument::Integer(integer) => bound.add(integer),
            Argument::Text(text) => bound.add(storable(text)),
            Argument::MaybeText(text) => bound.add(text),
            Argument::MaybeReal(real) => bound.add(real),
            Argument::MaybeInteger(integer) => bound.add(integer),
            Argument::MaybeBytes(bytes) => bound.add(bytes),
        };
        added.map_err(|source| Error::Backend {
            doing: "bind an argument",
            source,
        })?;
    }
    Ok(bound)
}
