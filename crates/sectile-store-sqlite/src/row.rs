//! Statements and their rows.

use std::fmt::Display;

use sectile_sqlite::rusqlite::types::{FromSql, ValueRef};
use sectile_sqlite::rusqlite::{self, Connection, Statement, ToSql};
use sectile_sqlite::statement;
use sectile_store::{Error, Result};

use crate::error::{backend, undecodable};

/// The names of a statement's columns.
pub(crate) struct ColumnNames(Vec<String>);

impl ColumnNames {
    pub(crate) fn of(statement: &Statement<'_>) -> Self {
        let names = statement.column_names();
        Self(names.into_iter().map(str::to_owned).collect())
    }
}

/// A row, with the names of its columns: rusqlite asks SQLite for all of them whenever a column is read by its name, which
/// was a seventh of what a search takes.
pub(crate) struct Row<'r> {
    row: &'r rusqlite::Row<'r>,
    names: &'r ColumnNames,
}

impl<'r> Row<'r> {
    pub(crate) const fn new(row: &'r rusqlite::Row<'r>, names: &'r ColumnNames) -> Self {
        Self { row, names }
    }

    /// Reads a column, by its name or its place in the statement.
    pub(crate) fn get<T: FromSql>(&self, column: impl Column) -> Result<T> {
        let index = column.index(self.names)?;
        self.row.get(index).map_err(undecodable(column))
    }

    /// Reads a column where it lies.
    pub(crate) fn get_ref(&self, column: impl Column) -> Result<ValueRef<'r>> {
        let index = column.index(self.names)?;
        self.row.get_ref(index).map_err(backend("read a row"))
    }
}

/// What names a column.
pub(crate) trait Column: Copy + Display {
    fn index(self, names: &ColumnNames) -> Result<usize>;
}

impl Column for &str {
    fn index(self, names: &ColumnNames) -> Result<usize> {
        let index = names.0.iter().position(|name| name == self);
        index.ok_or_else(|| Error::corrupt(format!("no column `{self}`")))
    }
}

impl Column for usize {
    fn index(self, _: &ColumnNames) -> Result<usize> {
        Ok(self)
    }
}

/// Runs a statement and reads each of its rows.
pub(crate) fn all<T>(
    connection: &Connection,
    doing: &'static str,
    sql: &'static str,
    values: &[&dyn ToSql],
    mut read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = statement(connection, sql, values).map_err(backend(doing))?;
    let names = ColumnNames::of(&statement);
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(backend(doing))? {
        found.push(read(&Row::new(row, &names))?);
    }
    Ok(found)
}

/// Runs a statement and reads its only row.
pub(crate) fn one<T>(
    connection: &Connection,
    doing: &'static str,
    sql: &'static str,
    values: &[&dyn ToSql],
    read: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<T> {
    let rows = all(connection, doing, sql, values, read)?;
    let row = rows.into_iter().next();
    row.ok_or_else(|| Error::corrupt("a statement that returns no row"))
}

/// Runs a statement and returns how many rows it changed.
pub(crate) fn execute(
    connection: &Connection,
    doing: &'static str,
    sql: &'static str,
    values: &[&dyn ToSql],
) -> Result<usize> {
    statement(connection, sql, values)
        .and_then(|mut statement| statement.raw_execute())
        .map_err(backend(doing))
}
