//! Rows that are written by `COPY` in its binary format
//! (<https://www.postgresql.org/docs/current/sql-copy.html>).

use sectile_migrations::Tables;
use sectile_store::Result;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::backend;

/// What the rows begin with: the signature of the format, no flags, and no bytes of an extension.
const HEADER: &[u8; 19] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// What follows the last row, where another one would have the number of its fields.
const END: i16 = -1;

/// What stands in place of a length where there is no value.
const NULL: i32 = -1;

/// How many bytes are sent at a time.
const PIECE: usize = 1 << 20;

/// How many bytes of rows are gathered, at the least, before they are written.
const FULL: usize = 8 << 20;

/// A value of a column.
pub(crate) trait Field {
    /// Appends the value, and says whether there is one.
    fn append(&self, bytes: &mut Vec<u8>) -> bool;
}

impl Field for i16 {
    fn append(&self, bytes: &mut Vec<u8>) -> bool {
        bytes.extend_from_slice(&self.to_be_bytes());
        true
    }
}

impl Field for i64 {
    fn append(&self, bytes: &mut Vec<u8>) -> bool {
        bytes.extend_from_slice(&self.to_be_bytes());
        true
    }
}

impl Field for &str {
    fn append(&self, bytes: &mut Vec<u8>) -> bool {
        bytes.extend_from_slice(self.as_bytes());
        true
    }
}

impl Field for &[u8] {
    fn append(&self, bytes: &mut Vec<u8>) -> bool {
        bytes.extend_from_slice(self);
        true
    }
}

impl Field for Uuid {
    fn append(&self, bytes: &mut Vec<u8>) -> bool {
        bytes.extend_from_slice(self.as_bytes());
        true
    }
}

impl<F: Field> Field for Option<F> {
    fn append(&self, bytes: &mut Vec<u8>) -> bool {
        self.as_ref().is_some_and(|field| field.append(bytes))
    }
}

/// Rows of one table that wait to be written.
#[derive(Default)]
pub(crate) struct Rows(Vec<u8>);

impl Rows {
    /// Adds a row: a value for each column that the statement names, in its order.
    pub(crate) fn push(&mut self, fields: &[&dyn Field]) {
        if self.0.is_empty() {
            self.0.extend_from_slice(HEADER);
        }
        let count = i16::try_from(fields.len()).expect("no table has so many columns");
        self.0.extend_from_slice(&count.to_be_bytes());
        for field in fields {
            let start = self.0.len();
            self.0.extend_from_slice(&NULL.to_be_bytes());
            let value = self.0.len();
            if field.append(&mut self.0) {
                // The server refuses what has a gigabyte or more.
                let length = i32::try_from(self.0.len() - value).unwrap_or(i32::MAX);
                self.0[start..value].copy_from_slice(&length.to_be_bytes());
            }
        }
    }

    /// Returns whether there are so many that they should be written.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= FULL
    }

    /// Writes the rows by a statement, and forgets them.
    pub(crate) async fn write(
        &mut self,
        connection: &mut PgConnection,
        tables: &Tables,
        doing: &'static str,
        statement: &'static str,
    ) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let mut bytes = std::mem::take(&mut self.0);
        bytes.extend_from_slice(&END.to_be_bytes());
        let sent = send(connection, &tables.sql(statement), &bytes).await;
        sent.map(drop).map_err(backend(doing))
    }
}

async fn send(connection: &mut PgConnection, statement: &str, bytes: &[u8]) -> sqlx::Result<u64> {
    let mut copy = connection.copy_in_raw(statement).await?;
    for piece in bytes.chunks(PIECE) {
        copy.send(piece).await?;
    }
    copy.finish().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_its_fields_with_their_lengths() {
        let mut rows = Rows::default();
        let uuid = Uuid::from_u128(7);
        rows.push(&[&"ä", &-2_i64, &3_i16, &None::<i64>, &&b"\0\xff"[..], &uuid]);
        let mut expected = HEADER.to_vec();
        expected.extend([0, 6]);
        expected.extend([0, 0, 0, 2, 0xc3, 0xa4]);
        expected.extend([0, 0, 0, 8, 255, 255, 255, 255, 255, 255, 255, 254]);
        expected.extend([0, 0, 0, 2, 0, 3]);
        expected.extend([255, 255, 255, 255]);
        expected.extend([0, 0, 0, 2, 0, 255]);
        expected.extend([0, 0, 0, 16]);
        expected.extend(uuid.as_bytes());
        assert_eq!(rows.0, expected);
        assert!(!rows.is_full());
    }
}
