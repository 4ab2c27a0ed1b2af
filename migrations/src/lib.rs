//! The SQL schemas of Sectile, embedded, and the runners that apply them.
//!
//! Migrations are append-only: a file that was released never changes. Which of them a database
//! has is kept in one table, `sectile_migrations`, so that neither an application's own migrations
//! nor another Sectile schema in the same database is in the way. Where tables have a prefix or
//! stand in a schema of their own, so does that table.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

#[cfg(feature = "postgres")]
pub mod postgres;
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

    /// Returns the schema as it was in a version, for who stops on the way to the newest.
    #[must_use]
    pub fn up_to(self, version: u32) -> Self {
        let count = self.migrations.len().min(version as usize);
        let migrations = &self.migrations[..count];
        Self { migrations, ..self }
    }
}

/// The document store on SQLite.
pub const STORE_SQLITE: Schema = Schema {
    name: "store",
    migrations: &[
        include_str!("../store/sqlite/0001_documents.sql"),
        include_str!("../store/sqlite/0002_index.sql"),
        include_str!("../store/sqlite/0003_languages.sql"),
        include_str!("../store/sqlite/0004_packed.sql"),
        include_str!("../store/sqlite/0005_notes.sql"),
        include_str!("../store/sqlite/0006_checksums.sql"),
        include_str!("../store/sqlite/0007_table_heads.sql"),
    ],
};

/// The document store on Postgres.
pub const STORE_POSTGRES: Schema = Schema {
    name: "store",
    migrations: &[
        include_str!("../store/postgres/0001_documents.sql"),
        include_str!("../store/postgres/0002_index.sql"),
        include_str!("../store/postgres/0003_languages.sql"),
        include_str!("../store/postgres/0004_jobs.sql"),
        include_str!("../store/postgres/0005_lacking_vectors.sql"),
        include_str!("../store/postgres/0006_notes.sql"),
        include_str!("../store/postgres/0007_checksums.sql"),
        include_str!("../store/postgres/0008_table_heads.sql"),
    ],
};

/// The vectors of the document store on Postgres, which need pgvector.
pub const VECTORS_POSTGRES: Schema = Schema {
    name: "vectors",
    migrations: &[include_str!("../store/postgres/vectors/0001_vectors.sql")],
};

/// The version of the checkpoint tables in which both those of the first version and the new ones
/// are there, until all is moved.
pub const CHECKPOINT_MOVING: u32 = 2;

/// The checkpoints on SQLite.
pub const CHECKPOINT_SQLITE: Schema = Schema {
    name: "checkpoint",
    migrations: &[
        include_str!("../checkpoint/sqlite/0001_checkpoints.sql"),
        include_str!("../checkpoint/sqlite/0002_pieces.sql"),
        include_str!("../checkpoint/sqlite/0003_moved.sql"),
        include_str!("../checkpoint/sqlite/0004_compressed.sql"),
        include_str!("../checkpoint/sqlite/0005_values.sql"),
    ],
};

/// The checkpoints on Postgres.
pub const CHECKPOINT_POSTGRES: Schema = Schema {
    name: "checkpoint",
    migrations: &[
        include_str!("../checkpoint/postgres/0001_checkpoints.sql"),
        include_str!("../checkpoint/postgres/0002_pieces.sql"),
        include_str!("../checkpoint/postgres/0003_moved.sql"),
        include_str!("../checkpoint/postgres/0004_compressed.sql"),
        include_str!("../checkpoint/postgres/0005_values.sql"),
    ],
};

/// Where the tables stand and what their names begin with.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    schema: Option<String>,
    prefix: String,
    statements: Arc<RwLock<Statements>>,
}

/// The statements that were asked for, by the addresses and lengths of their templates.
type Statements = HashMap<(usize, usize), Arc<str>>;

impl Tables {
    /// The most characters in the name of a schema or in a prefix: a table's name may have 63.
    pub const MAX_NAME: usize = 40;

    /// Returns tables in a database schema (Postgres only), if one is given, with names that begin
    /// with `prefix`. Nothing if a name is none that needs no thought about quoting: lower-case
    /// ASCII letters, digits and underscores, no digit first, at most 40 of them.
    pub fn new(schema: Option<&str>, prefix: &str) -> Option<Self> {
        let is_name = |name: &str| {
            let mut bytes = name.bytes();
            let begins = bytes
                .next()
                .is_some_and(|byte| byte.is_ascii_lowercase() || byte == b'_');
            let goes_on = bytes.all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
            begins && goes_on && name.len() <= Self::MAX_NAME
        };
        let is_valid = schema.is_none_or(is_name) && (prefix.is_empty() || is_name(prefix));
        is_valid.then(|| Self {
            schema: schema.map(str::to_owned),
            prefix: prefix.to_owned(),
            statements: Arc::default(),
        })
    }

    /// Returns the database schema, if one was given.
    pub fn schema(&self) -> Option<&str> {
        self.schema.as_deref()
    }

    /// Returns what the names of the tables begin with.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns a statement with the names of these tables: `{}` becomes the schema and the prefix,
    /// `{prefix}` the prefix alone.
    pub fn sql(&self, template: &'static str) -> Arc<str> {
        let place = (template.as_ptr().addr(), template.len());
        let known = self.statements.read();
        let known = known.unwrap_or_else(PoisonError::into_inner);
        if let Some(sql) = known.get(&place) {
            return Arc::clone(sql);
        }
        drop(known);
        let sql: Arc<str> = self.named(template).into();
        let known = self.statements.write();
        let mut known = known.unwrap_or_else(PoisonError::into_inner);
        known.insert(place, Arc::clone(&sql));
        sql
    }

    fn named(&self, template: &str) -> String {
        let quoted = self.schema.as_ref().map(|schema| format!("\"{schema}\"."));
        let before = quoted.unwrap_or_default() + &self.prefix;
        template
            .replace("{}", &before)
            .replace("{prefix}", &self.prefix)
    }
}

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
    /// The tables would be made in one schema of Postgres, but a later schema of the search path has them.
    #[error(
        "the schema `{current}` is the first of the search path and has no such tables, but the later schema `{found}` has"
    )]
    LaterSchema {
        /// The schema in which tables are made.
        current: String,
        /// The later schema that has the tables.
        found: String,
    },
    /// The database failed.
    #[error("the schema could not be brought up to date")]
    Database(#[from] E),
}

/// Makes the span of an update of the tables of a schema.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
fn span(schema: &'static str, pending: &std::ops::Range<u32>) -> tracing::Span {
    let (from, to) = (pending.start, pending.end);
    tracing::info_span!("migrate", schema, from, to)
}

/// Returns the indexes of the migrations that a database with version `found` lacks.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
fn pending<E: std::error::Error + 'static>(
    schema: &Schema,
    found: u32,
) -> Result<std::ops::Range<u32>, Error<E>> {
    let known = schema.version();
    if found > known {
        return Err(Error::Newer {
            schema: schema.name,
            found,
            known,
        });
    }
    Ok(found..known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_where_the_template_says() {
        let template = "CREATE INDEX {prefix}by_id ON {}things (id)";
        let sql = |schema, prefix| Tables::new(schema, prefix).map(|tables| tables.sql(template));
        let plain = "CREATE INDEX by_id ON things (id)";
        assert_eq!(sql(None, "").as_deref(), Some(plain));
        let both = r#"CREATE INDEX my_by_id ON "user".my_things (id)"#;
        assert_eq!(sql(Some("user"), "my_").as_deref(), Some(both));
        let tables = Tables::new(None, "my_").unwrap_or_default();
        for template in ["{}a", "{}", "{}a"] {
            assert_eq!(*tables.sql(template), *template.replace("{}", "my_"));
        }
    }

    #[test]
    fn names_that_would_need_quotes_are_none() {
        let long = "a".repeat(41);
        for name in ["a\"b", "a b", "A", "1a", "a.b", "é", &long] {
            assert!(Tables::new(Some(name), "").is_none(), "{name}");
            assert!(Tables::new(None, name).is_none(), "{name}");
        }
        assert!(Tables::new(Some(""), "").is_none());
    }
}

/// The examples of the README.
#[cfg(all(doctest, feature = "sqlite"))]
#[doc = include_str!("../README.md")]
struct Readme;
