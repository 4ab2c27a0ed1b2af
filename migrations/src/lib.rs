//! The SQL schemas of Sectile, embedded, and the runner that applies them.
//!
//! Migrations are append-only: a file that was released never changes. Which of them a database
//! has is kept in one table, `sectile_migrations`, so that neither an application's own migrations
//! nor another Sectile schema in the same database is in the way.

#[cfg(feature = "sqlite")]
pub mod sqlite;

/// A set of tables that belong together, on one database engine.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// The name in the bookkeeping table.
    pub name: &'static str,
    /// The migrations in order; the first has version 1, each further one the next number.
    pub migrations: &'static [&'static str],
}

impl Schema {
    /// Returns the version that the newest migration brings a database to.
    pub const fn version(&self) -> u32 {
        self.migrations.len() as u32
    }
}

/// The document store on SQLite.
pub const STORE_SQLITE: Schema = Schema {
    name: "store",
    migrations: &[include_str!("../store/sqlite/0001_documents.sql")],
};

/// What can go wrong when a schema is brought up to date.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error<E: std::error::Error + 'static> {
    /// The database was migrated by a newer release.
    #[error("the schema `{schema}` has version {found}, this program knows {known}")]
    Newer {
        /// The schema's name.
        schema: &'static str,
        /// The version found in the database.
        found: u32,
        /// The newest version this program knows.
        known: u32,
    },
    /// The database failed.
    #[error("the schema could not be brought up to date")]
    Database(#[from] E),
}
