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
        let index = index_of(&statement, number)?;
        statement.raw_bind_parameter(index, value)?;
    }
    Ok(statement)
}

/// Returns the index of `$number`: that same number in most statements, which needs no search.
fn index_of(statement: &CachedStatement<'_>, number: usize) -> Result<usize> {
    let digits = statement
        .parameter_name(number)
        .and_then(|name| name.strip_prefix('$'));
    if digits.and_then(|digits| digits.parse().ok()) == Some(number) {
        return Ok(number);
    }
    let name = format!("${number}");
    let index = statement.parameter_index(&name)?;
    index.ok_or(Error::InvalidParameterName(name))
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
