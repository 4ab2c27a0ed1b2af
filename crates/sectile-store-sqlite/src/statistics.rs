//! FTS5's count of rows and of terms, which BM25 is made of.
//!
//! Of a contentless table FTS5 does not take rows that are deleted off these
//! (`fts5StorageContentlessDelete` in its source), so scores would depend on what the index has held
//! before. The record that has them is row 1 of `chunk_index_data`: the number of rows and the number
//! of terms in each column, as SQLite's variable-length numbers; `chunk_index_docsize` has the
//! number of terms of each row and column alike.

use sectile_sqlite::rusqlite::{Connection, ToSql, params};
use sectile_store::Result;

use crate::error::corrupt;
use crate::read::{all, column, one};
use crate::sql;
use crate::write::execute;

/// The columns of the index.
const COLUMNS: usize = 2;

/// What is to be taken off: rows, and terms of each column.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Removed {
    rows: u64,
    terms: [u64; COLUMNS],
}

impl Removed {
    /// Adds the rows that a statement finds the sizes of, before they are deleted.
    pub(crate) fn add(
        &mut self,
        connection: &Connection,
        sizes: &'static str,
        values: &[&dyn ToSql],
    ) -> Result<()> {
        let sizes = all(connection, "read sizes", sizes, values, |row| {
            column::<Vec<u8>>(row, "sz")
        })?;
        for size in sizes {
            self.rows += 1;
            let mut size = &size[..];
            for terms in &mut self.terms {
                *terms += take(&mut size)?;
            }
        }
        Ok(())
    }

    /// Corrects the statistics, after all else that a transaction writes to the index.
    pub(crate) fn take_off(self, connection: &Connection) -> Result<()> {
        if self == Self::default() {
            return Ok(());
        }
        let doing = "correct the statistics of the index";
        // Until then FTS5 has them in memory, and would write over this.
        execute(connection, doing, sql::FLUSH_INDEX, &[])?;
        let record = one(connection, doing, sql::STATISTICS, |row| {
            column::<Vec<u8>>(row, "block")
        })?;
        let mut record = &record[..];
        let mut corrected = Vec::with_capacity(record.len());
        for removed in std::iter::once(self.rows).chain(self.terms) {
            put(&mut corrected, take(&mut record)?.saturating_sub(removed));
        }
        let values = params![corrected];
        execute(connection, doing, sql::CORRECT_STATISTICS, values).map(drop)
    }
}

/// Takes a number of SQLite's form off the front: seven bits a byte, the highest first, and eight in
/// a ninth byte (<https://www.sqlite.org/fileformat2.html#varint>).
fn take(bytes: &mut &[u8]) -> Result<u64> {
    let mut number = 0;
    for place in 1..=9 {
        let (&byte, rest) = bytes
            .split_first()
            .ok_or_else(|| corrupt("cut statistics"))?;
        *bytes = rest;
        if place == 9 {
            return Ok(number << 8 | u64::from(byte));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            break;
        }
    }
    Ok(number)
}

/// Appends a number in the form of [`take`], which has eight bytes at most: no index has more terms.
fn put(bytes: &mut Vec<u8>, number: u64) {
    let length = (64 - number.leading_zeros()).div_ceil(7).max(1);
    for place in (0..length).rev() {
        let more = if place > 0 { 0x80 } else { 0 };
        bytes.push((number >> (7 * place)) as u8 & 0x7f | more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for number in [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), 1 << 55] {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            assert_eq!(take(&mut &bytes[..]).unwrap(), number);
        }
        assert_eq!(take(&mut &[0x81, 0x00][..]).unwrap(), 128);
        assert_eq!(take(&mut &[0xff; 9][..]).unwrap(), u64::MAX);
        assert!(take(&mut &[0x80][..]).is_err());
    }
}
