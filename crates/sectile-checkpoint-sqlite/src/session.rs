//! A connection with the names of its tables.

use async_trait::async_trait;
use sectile_checkpoint::{Damage, Error, Key, Result};
use sectile_checkpoint_sql::{
    Argument, HeadTuple, ListedTuple, Reader, RowTuple, TakeAlong, TakePiece, ThreadTuple,
    Transaction, WriteRow, WriteTuple, named_along,
};
use sectile_migrations::Tables;
use sectile_sqlite::rusqlite::types::ToSqlOutput;
use sectile_sqlite::rusqlite::{self, CachedStatement, Connection, Row, ToSql};
use sectile_sqlite::{in_snapshot, statement};

use sectile_checkpoint_sql::sql as shared;

use crate::error::sqlite;
use crate::sql;

#[cfg(test)]
mod cost;

/// A connection with the names of its tables. It answers at once: see [`sectile_sqlite::now`].
pub(crate) struct Session<'c> {
    connection: &'c mut Connection,
    tables: &'c Tables,
}

impl<'c> Session<'c> {
    pub(crate) fn new(connection: &'c mut Connection, tables: &'c Tables) -> Self {
        Self { connection, tables }
    }

    /// Reads, and where something is damaged reads once more, all as it is at one moment: others may have
    /// deleted what was only half read.
    pub(crate) fn read_twice<T>(
        &mut self,
        read: impl Fn(&mut Session<'_>) -> Result<T>,
    ) -> Result<T> {
        match read(self) {
            Err(Error::Corrupt { .. }) => self.in_snapshot(read),
            found => found,
        }
    }

    /// Reads all as it is at one moment.
    pub(crate) fn in_snapshot<T>(
        &mut self,
        read: impl FnOnce(&mut Session<'_>) -> Result<T>,
    ) -> Result<T> {
        let failed = |doing, error| sqlite(doing)(error);
        let tables = self.tables;
        in_snapshot(self.connection, failed, |connection| {
            read(&mut Session::new(connection, tables))
        })
    }

    /// Returns what SQLite itself finds damaged.
    pub(crate) fn integrity(&self) -> Result<Vec<Damage>> {
        let check = || {
            let mut statement = self.connection.prepare("PRAGMA integrity_check")?;
            let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
            rows.collect::<rusqlite::Result<Vec<String>>>()
        };
        let found = check().map_err(sqlite("check the file"))?;
        let damaged = found.into_iter().filter(|line| line != "ok");
        Ok(damaged.map(Damage::of_all).collect())
    }

    fn statement(
        &self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> rusqlite::Result<CachedStatement<'_>> {
        let values = arguments.iter().map(Value);
        statement(self.connection, &self.tables.sql(sql), values)
    }

    fn read_pieces(
        &self,
        thread_key: i64,
        ranges: impl IntoIterator<Item = (i64, i64)>,
        take: &mut TakePiece<'_>,
    ) -> rusqlite::Result<()> {
        let mut statement = self.statement(sql::PIECES, &[])?;
        for (first, end) in ranges {
            statement.raw_bind_parameter(1, place(thread_key, first))?;
            statement.raw_bind_parameter(2, place(thread_key, end))?;
            let mut rows = statement.raw_query();
            while let Some(row) = rows.next()? {
                let position = row.get_ref(0)?.as_i64()? & LAST_POSITION;
                let hash = row.get_ref(1)?.as_i64()?;
                take(position, hash, row.get_ref(2)?.as_blob()?);
            }
        }
        Ok(())
    }

    /// Reads the newest row, which stays open while its pieces are read: so the file is locked once.
    fn read_latest(&self, key: &Key, along: &mut dyn TakeAlong) -> rusqlite::Result<Vec<RowTuple>> {
        let names = [
            Argument::Text(&key.thread_id),
            Argument::Text(&key.namespace),
        ];
        let mut statement = self.statement(sql::LATEST, &names)?;
        let mut rows = statement.raw_query();
        let Some(row) = rows.next()? else {
            return Ok(Vec::new());
        };
        let tuple = RowTuple::try_from(row)?;
        let ranges: Vec<_> = named_along(tuple.12, tuple.13.as_deref()).collect();
        if !ranges.is_empty() {
            along.reserve(tuple.11);
            let mut take_short = |position, hash, stored: &[u8]| {
                if stored.len() <= MAX_ALONG {
                    along.take(position, hash, stored);
                }
            };
            self.read_pieces(tuple.0, ranges, &mut take_short)?;
        }
        Ok(vec![tuple])
    }

    fn read<T>(&self, sql: &'static str, arguments: &[Argument<'_>]) -> Result<Vec<T>>
    where
        T: for<'r> TryFrom<&'r Row<'r>, Error = rusqlite::Error>,
    {
        let read = || {
            let mut statement = self.statement(sql, arguments)?;
            let rows = statement.raw_query().and_then(|row| T::try_from(row));
            rows.collect::<rusqlite::Result<_>>()
        };
        read().map_err(sqlite("read checkpoints"))
    }
}

#[async_trait]
impl Reader for Session<'_> {
    async fn rows(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<RowTuple>> {
        self.read(sql, arguments)
    }

    async fn latest(&mut self, key: &Key, along: &mut dyn TakeAlong) -> Result<Vec<RowTuple>> {
        let found = self.read_latest(key, along);
        found.map_err(sqlite("read checkpoints"))
    }

    async fn pairs(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<(i64, String)>> {
        self.read(sql, arguments)
    }

    async fn threads(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<ThreadTuple>> {
        self.read(sql, arguments)
    }

    async fn listed(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<ListedTuple>> {
        self.read(sql, arguments)
    }

    async fn heads(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<HeadTuple>> {
        self.read(sql, arguments)
    }

    async fn writes(
        &mut self,
        sql: &'static str,
        arguments: &[Argument<'_>],
    ) -> Result<Vec<WriteTuple>> {
        self.read(sql, arguments)
    }

    async fn writes_of(&mut self, thread_key: i64, owners: &[String]) -> Result<Vec<WriteTuple>> {
        let owners = serde_json::Value::from(owners.to_vec()).to_string();
        let arguments = [Argument::Integer(thread_key), Argument::Text(&owners)];
        self.read(sql::WRITES_OF, &arguments)
    }

    async fn count_writes(&mut self, key: &Key, seqs: &[i64]) -> Result<Vec<(i64, i64)>> {
        let seqs = serde_json::Value::from(seqs.to_vec()).to_string();
        let arguments = [
            Argument::Text(&key.thread_id),
            Argument::Text(&key.namespace),
            Argument::Text(&seqs),
        ];
        self.read(sql::COUNT_WRITES, &arguments)
    }

    async fn pieces(
        &mut self,
        thread_key: i64,
        ranges: &[(i64, i64)],
        take: &mut TakePiece<'_>,
    ) -> Result<()> {
        let mut read = |session: &mut Session<'_>| {
            let done = session.read_pieces(thread_key, ranges.iter().copied(), take);
            done.map_err(sqlite("read the pieces of a state"))
        };
        if ranges.len() == 1 || !self.connection.is_autocommit() {
            return read(self);
        }
        // Each statement by itself would lock the file and unlock it again.
        self.in_snapshot(read)
    }

    async fn size_of_pieces(&mut self, thread_key: i64) -> Result<(i64, i64)> {
        let all = [place(thread_key, 0), place(thread_key, i64::MAX)].map(Argument::Integer);
        let found: Vec<(i64, i64)> = self.read(sql::SIZE_OF_PIECES, &all)?;
        Ok(found.first().copied().unwrap_or_default())
    }

    async fn last_piece(&mut self, thread_key: i64) -> Result<i64> {
        let all = [place(thread_key, 0), place(thread_key, i64::MAX)].map(Argument::Integer);
        let found = self.pairs(sql::LAST_PIECE, &all).await?;
        Ok(found.first().map_or(0, |(place, _)| place & LAST_POSITION))
    }

    async fn missing_indexes(&mut self) -> Result<Vec<String>> {
        let found = self.pairs(sql::MISSING_INDEXES, &[]).await?;
        Ok(found.into_iter().map(|(_, index)| index).collect())
    }

    async fn stray_pieces(&mut self) -> Result<i64> {
        let found: Vec<(i64, i64)> = self.read(sql::STRAY_PIECES, &[])?;
        Ok(found.first().copied().unwrap_or_default().0)
    }
}

/// The last position of a piece: the first 32 bits of its place are the thread.
const LAST_POSITION: i64 = 0xffff_ffff;

/// A larger piece comes with its row only where it is needed.
const MAX_ALONG: usize = 64 * 1024;

/// A shorter piece takes longer to decompress than to read.
const MIN_PACKED: usize = 1024;

/// Returns the place of a piece.
fn place(thread_key: i64, position: i64) -> i64 {
    thread_key << 32 | position.min(LAST_POSITION)
}

#[async_trait]
impl Transaction for Session<'_> {
    async fn execute(&mut self, sql: &'static str, arguments: &[Argument<'_>]) -> Result<u64> {
        let changed = self
            .statement(sql, arguments)
            .and_then(|mut statement| statement.raw_execute())
            .map_err(sqlite("write checkpoints"))?;
        Ok(changed as u64)
    }

    async fn hold(&mut self, key: &Key) -> Result<Option<HeadTuple>> {
        // A transaction that writes holds the whole file.
        let names = [
            Argument::Text(&key.thread_id),
            Argument::Text(&key.namespace),
        ];
        let found = self.read(shared::HEAD, &names)?;
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
        let last = first + i64::try_from(pieces.len()).unwrap_or(LAST_POSITION) - 1;
        if thread_key > i64::from(i32::MAX) || last >= LAST_POSITION {
            let source = format!("thread {thread_key} has no number left for piece {last}");
            return Err(Error::Full {
                source: source.into(),
            });
        }
        for (position, (hash, piece)) in (first..).zip(pieces) {
            let arguments = [
                Argument::Integer(place(thread_key, position)),
                Argument::Integer(*hash),
                Argument::MaybeBytes(Some(piece)),
            ];
            if self.execute(sql::ADD_PIECE, &arguments).await? == 0 {
                return Ok(false);
            }
        }
        let arguments = [thread_key, last].map(Argument::Integer);
        let done = self.execute(shared::SET_LAST_PIECE, &arguments).await;
        done.map(|_| true)
    }

    async fn put_writes(&mut self, thread_key: i64, rows: &[WriteRow]) -> Result<()> {
        for row in rows {
            let (pending, write) = (&row.pending, &row.pending.write);
            let arguments = [
                Argument::Integer(thread_key),
                Argument::Text(&row.owner),
                Argument::Text(&pending.task_id),
                Argument::Integer(write.index),
                Argument::Text(&pending.task_path),
                Argument::MaybeText(pending.run_id.as_deref()),
                Argument::Text(&write.channel),
                Argument::Integer(row.checksum),
                Argument::Text(&write.value.kind),
                Argument::MaybeBytes(Some(&write.value.bytes)),
            ];
            self.execute(sql::PUT_WRITE, &arguments).await?;
        }
        Ok(())
    }

    async fn copy_pieces(&mut self, from: i64, to: i64) -> Result<()> {
        let arguments = [
            place(from, 0),
            place(from, i64::MAX),
            place(to, 0) - place(from, 0),
        ];
        let arguments = arguments.map(Argument::Integer);
        let done = self.execute(sql::COPY_PIECES, &arguments).await;
        done.map(drop)
    }

    async fn delete_pieces(&mut self, thread_key: i64, first: i64, end: i64) -> Result<()> {
        let range = [place(thread_key, first), place(thread_key, end)].map(Argument::Integer);
        self.execute(sql::DELETE_PIECES, &range).await.map(drop)
    }
}

/// An argument as SQLite takes it.
struct Value<'a>(&'a Argument<'a>);

impl ToSql for Value<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self.0 {
            Argument::Integer(integer) => integer.to_sql(),
            Argument::Text(text) => text.to_sql(),
            Argument::MaybeText(text) => text.to_sql(),
            Argument::MaybeReal(real) => real.to_sql(),
            Argument::MaybeInteger(integer) => integer.to_sql(),
            Argument::MaybeBytes(bytes) => bytes.to_sql(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn what_seems_damaged_is_read_once_more_at_one_moment() {
        let mut connection = Connection::open_in_memory().unwrap();
        let tables = Tables::new(None, "").unwrap();
        let mut session = Session::new(&mut connection, &tables);
        let times = Cell::new(0);
        let read = |damaged: u32| {
            let times = &times;
            move |session: &mut Session<'_>| {
                times.set(times.get() + 1);
                let is_snapshot = !session.connection.is_autocommit();
                assert_eq!(is_snapshot, times.get() == 2);
                if times.get() <= damaged {
                    let what = "a checkpoint".into();
                    return Err(Error::Corrupt { what });
                }
                Ok(times.get())
            }
        };
        for (damaged, expected) in [(0, Some(1)), (1, Some(2)), (2, None)] {
            times.set(0);
            assert_eq!(session.read_twice(read(damaged)).ok(), expected);
            assert!(session.connection.is_autocommit());
        }
    }
}
