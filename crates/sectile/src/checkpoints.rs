//! Checkpoints on either engine, by address.

use std::sync::Arc;

use sectile_checkpoint::{Damage, Error, Records, Result, Usage};
#[cfg(feature = "postgres")]
use sectile_checkpoint_postgres::PostgresCheckpointer;
#[cfg(feature = "sqlite")]
use sectile_checkpoint_sqlite::SqliteCheckpointer;

/// Options for the tables of checkpoints.
#[derive(Clone, Debug, Default)]
pub struct CheckpointOptions {
    /// The database schema of the tables, on Postgres.
    pub schema: Option<String>,
    /// The prefix of the table names.
    pub table_prefix: String,
    /// Whether to create a missing SQLite file.
    pub create: bool,
    /// Whether to project sessions, messages and triples.
    pub enable_projections: bool,
    /// Whether connections go through `PgBouncer`.
    pub is_behind_pgbouncer: bool,
}

impl CheckpointOptions {
    /// Refuses what SQLite does not have: who names it means other tables than those that would be used.
    #[cfg(feature = "sqlite")]
    fn check_for_sqlite(&self) -> Result<()> {
        let invalid = |setting, reason: &str| {
            let reason = reason.to_owned();
            Err(Error::InvalidConfig { setting, reason })
        };
        if self.schema.is_some() {
            return invalid(
                "schema",
                "is for Postgres, as SQLite has no schemas; tell tables apart by a prefix",
            );
        }
        if self.is_behind_pgbouncer {
            return invalid("pgbouncer", "is for Postgres; leave it out for SQLite");
        }
        Ok(())
    }
}

/// Checkpoints on the engine of an address. The builders of the backends have more settings.
#[derive(Clone, Debug)]
pub struct Checkpoints(Engine);

#[derive(Clone, Debug)]
enum Engine {
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteCheckpointer),
    #[cfg(feature = "postgres")]
    Postgres(PostgresCheckpointer),
}

impl Checkpoints {
    /// Connects to `sqlite:PATH` or `postgres://…`. It neither creates nor changes tables.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] for an address of neither, or of one whose feature is off, and for an
    /// option that the engine does not have; and errors of the engine.
    pub async fn connect(url: &str, options: &CheckpointOptions) -> Result<Self> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            #[cfg(feature = "sqlite")]
            Some("sqlite") => {
                options.check_for_sqlite()?;
                let builder = SqliteCheckpointer::builder(url)
                    .table_prefix(&options.table_prefix)
                    .create_if_missing(options.create)
                    .enable_projections(options.enable_projections);
                Ok(Self(Engine::Sqlite(builder.connect().await?)))
            }
            #[cfg(feature = "postgres")]
            Some("postgres" | "postgresql") => {
                let mut builder = PostgresCheckpointer::builder(url)
                    .table_prefix(&options.table_prefix)
                    .pgbouncer(options.is_behind_pgbouncer)
                    .enable_projections(options.enable_projections);
                if let Some(schema) = &options.schema {
                    builder = builder.schema(schema);
                }
                Ok(Self(Engine::Postgres(builder.connect().await?)))
            }
            _ => Err(Error::InvalidConfig {
                setting: "url",
                reason: format!(
                    "must be {}, not `{}`",
                    known_addresses(),
                    crate::shown_url(url)
                ),
            }),
        }
    }

    /// Creates or updates the tables, and returns whether anything changed.
    ///
    /// # Errors
    ///
    /// [`Error::NewerSchema`] when a newer release migrated them, [`Error::InvalidConfig`] when
    /// another program has tables with these names, and errors of the engine. [`Error::Corrupt`] for
    /// damaged checkpoints of the first release; then all are moved, the damaged ones as they are.
    pub async fn migrate(&self) -> Result<bool> {
        match &self.0 {
            #[cfg(feature = "sqlite")]
            Engine::Sqlite(checkpointer) => checkpointer.migrate().await,
            #[cfg(feature = "postgres")]
            Engine::Postgres(checkpointer) => checkpointer.migrate().await,
        }
    }

    /// Returns a table of a SQLite file, if all of them are those of another program: one with the
    /// name of a table for checkpoints, if there is one. Nothing for Postgres, whose databases
    /// programs share.
    ///
    /// # Errors
    ///
    /// Errors of the engine.
    #[cfg_attr(
        not(feature = "sqlite"),
        expect(clippy::unused_async, reason = "SQLite alone is asked")
    )]
    pub async fn other_table(&self) -> Result<Option<String>> {
        match &self.0 {
            #[cfg(feature = "sqlite")]
            Engine::Sqlite(checkpointer) => checkpointer.other_table().await,
            #[cfg(feature = "postgres")]
            Engine::Postgres(_) => Ok(None),
        }
    }

    /// Returns the size of each namespace of each thread.
    ///
    /// # Errors
    ///
    /// Errors of the engine.
    pub async fn usage(&self) -> Result<Vec<Usage>> {
        match &self.0 {
            #[cfg(feature = "sqlite")]
            Engine::Sqlite(checkpointer) => checkpointer.usage().await,
            #[cfg(feature = "postgres")]
            Engine::Postgres(checkpointer) => checkpointer.usage().await,
        }
    }

    /// Reads all checkpoints, and returns the damage that it finds.
    ///
    /// # Errors
    ///
    /// Errors of the engine.
    pub async fn verify(&self) -> Result<Vec<Damage>> {
        match &self.0 {
            #[cfg(feature = "sqlite")]
            Engine::Sqlite(checkpointer) => checkpointer.verify().await,
            #[cfg(feature = "postgres")]
            Engine::Postgres(checkpointer) => checkpointer.verify().await,
        }
    }

    /// Closes the connections. Clones, and the results of [`records`](Self::records), cannot be
    /// used any more.
    ///
    /// # Errors
    ///
    /// Errors of the engine, also where they were closed before.
    pub async fn close(&self) -> Result<()> {
        match &self.0 {
            #[cfg(feature = "sqlite")]
            Engine::Sqlite(checkpointer) => checkpointer.clone().close().await,
            #[cfg(feature = "postgres")]
            Engine::Postgres(checkpointer) => {
                checkpointer.clone().close().await;
                Ok(())
            }
        }
    }

    /// Returns the checkpointer, for states of any type.
    pub fn records(&self) -> Arc<dyn Records> {
        match &self.0 {
            #[cfg(feature = "sqlite")]
            Engine::Sqlite(checkpointer) => Arc::new(checkpointer.clone()),
            #[cfg(feature = "postgres")]
            Engine::Postgres(checkpointer) => Arc::new(checkpointer.clone()),
        }
    }
}

fn known_addresses() -> &'static str {
    match (cfg!(feature = "sqlite"), cfg!(feature = "postgres")) {
        (true, true) => "sqlite:PATH or postgres://…",
        (true, false) => "sqlite:PATH (this build has no Postgres)",
        (false, true) => "postgres://… (this build has no SQLite)",
        (false, false) => "of an engine, of which this build has none",
    }
}

#[cfg(all(test, feature = "sqlite"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn options_of_postgres_are_refused_for_sqlite() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("a.db").display());
        let options = CheckpointOptions {
            create: true,
            ..CheckpointOptions::default()
        };
        let schema = CheckpointOptions {
            schema: Some("app".into()),
            ..options.clone()
        };
        let pooled = CheckpointOptions {
            is_behind_pgbouncer: true,
            ..options.clone()
        };
        for (options, name) in [(schema, "schema"), (pooled, "pgbouncer")] {
            let error = Checkpoints::connect(&url, &options).await.unwrap_err();
            assert!(matches!(error, Error::InvalidConfig { .. }), "{error}");
            assert!(error.to_string().contains(name), "{error}");
            assert!(!folder.path().join("a.db").exists());
        }
        assert!(Checkpoints::connect(&url, &options).await.is_ok());
    }
}
