//! Statements.

use rusqlite::{CachedStatement, Connection, Error, Result, ToSql};

/// Returns a statement, prepared once for each connection, with values for `$1`, `$2` and so on.
///
/// SQLite takes these for names and numbers them as they occur, so `$2` may be the first.
///
/// # Errors
///
/// [`Error::InvalidParameterName`] for a value that the statement has no place for, and what
/// SQLite reports.
pub fn statement<'c>(
    connection: &'c Connection,
    sql: &str,
    values: impl IntoIterator<Item = impl ToSql>,
) -> Result<CachedStatement<'c>> {
    let mut statement = connection.prepare_cached(sql)?;
    for (number, value) in (1..).zip(values) {
        let name = format!("${number}");
        match statement.parameter_index(&name)? {
            Some(index) => statement.raw_bind_parameter(index, value)?,
            None => return Err(Error::InvalidParameterName(name)),
        }
    }
    Ok(statement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_bound_by_their_number() -> Result<()> {
        let connection = Connection::open_in_memory()?;
        let mut swapped = statement(&connection, "SELECT $2 || $1 || $2", ["a", "b"])?;
        let text: Option<String> = swapped
            .raw_query()
            .next()?
            .map(|row| row.get(0))
            .transpose()?;
        assert_eq!(text.as_deref(), Some("bab"));
        let surplus = statement(&connection, "SELECT $1", ["a", "b"]).err();
        assert_eq!(surplus, Some(Error::InvalidParameterName("$2".into())));
        Ok(())
    }
}
