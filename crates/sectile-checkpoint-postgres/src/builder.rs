//! How a checkpointer is set up.

use std::sync::Arc;
use std::time::Duration;

use sectile_checkpoint::{Error, Result};
use sectile_checkpoint_sql::{DefaultProjector, Projecting, Projector, Unmapped};
use sectile_migrations::Tables;
use sectile_postgres::{Pool, connect_options};
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;

use crate::PostgresCheckpointer;
use crate::session::Dialect;
use crate::write::Writer;

/// Where the connections come from.
#[derive(Clone, Debug)]
pub(crate) enum Server {
    Url(String),
    Pool(PgPool),
}

/// Sets up a [`PostgresCheckpointer`].
#[derive(Clone, Debug)]
#[must_use = "it does nothing before `connect`"]
pub struct PostgresCheckpointerBuilder {
    server: Server,
    max_connections: u32,
    acquire_timeout: Duration,
    schema: Option<String>,
    table_prefix: String,
    is_behind_pgbouncer: bool,
    is_projecting: bool,
    projector: Arc<dyn Projector>,
    unmapped: Unmapped,
}

impl PostgresCheckpointerBuilder {
    pub(crate) fn new(server: Server) -> Self {
        Self {
            server,
            max_connections: 10,
            acquire_timeout: Duration::from_secs(30),
            schema: None,
            table_prefix: String::new(),
            is_behind_pgbouncer: false,
            is_projecting: false,
            projector: Arc::new(DefaultProjector),
            unmapped: Unmapped::default(),
        }
    }

    /// Sets whether sessions, messages and triples are written beside each checkpoint, in the same
    /// transaction. They are not by default.
    pub fn enable_projections(mut self, enable: bool) -> Self {
        self.is_projecting = enable;
        self
    }

    /// Sets what of a state is projected, in place of [`DefaultProjector`].
    pub fn projector(mut self, projector: impl Projector + 'static) -> Self {
        self.projector = Arc::new(projector);
        self
    }

    /// Sets what becomes of a save whose state has a shape that does not map; by default the
    /// value is left out, with a warning.
    pub fn unmapped(mut self, unmapped: Unmapped) -> Self {
        self.unmapped = unmapped;
        self
    }

    /// Sets how many connections are open at most, at least one; ten by default. Of a pool that was
    /// handed in there are as many as that says.
    pub fn max_connections(mut self, connections: u32) -> Self {
        self.max_connections = connections.max(1);
        self
    }

    /// Sets how long a call waits for a connection; half a minute by default. For one of a pool that
    /// was handed in it waits as long as that says.
    pub fn acquire_timeout(mut self, timeout: Duration) -> Self {
        self.acquire_timeout = timeout;
        self
    }

    /// Sets the database schema of the tables: lower-case ASCII letters, digits and underscores.
    /// [`PostgresCheckpointer::migrate`] makes it where it is missing. By default the tables stand
    /// where the role's search path says.
    pub fn schema(mut self, schema: &str) -> Self {
        self.schema = Some(schema.to_owned());
        self
    }

    /// Sets what the names of the tables begin with: lower-case ASCII letters, digits and
    /// underscores; nothing by default. So they stand beside an application's own tables.
    pub fn table_prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.table_prefix);
        self
    }

    /// Sets whether a pooler that hands out connections for single transactions stands in between,
    /// as `PgBouncer` does: then no statement is kept prepared on a connection.
    pub fn pgbouncer(mut self, enable: bool) -> Self {
        self.is_behind_pgbouncer = enable;
        self
    }

    /// Connects to the server. The tables are neither made nor changed: that is for
    /// [`PostgresCheckpointer::migrate`].
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] for a setting that cannot be used, [`Error::Unavailable`] when the
    /// server cannot be reached, [`Error::DatabaseNotFound`] and [`Error::Unauthenticated`] when it
    /// has no such database or role, [`Error::NewerSchema`] when a newer release migrated the tables,
    /// and what the server reports.
    pub async fn connect(self) -> Result<PostgresCheckpointer> {
        let tables = Tables::new(self.schema.as_deref(), &self.table_prefix);
        let tables = tables.ok_or_else(|| {
            let most = Tables::MAX_NAME;
            invalid(
                "schema or table_prefix",
                format!("must be at most {most} lower-case letters, digits and underscores"),
            )
        })?;
        let pool = match &self.server {
            Server::Url(url) => {
                let options = self.options(url)?;
                Pool::new(options, self.max_connections, self.acquire_timeout)
            }
            Server::Pool(pool) => Pool::lent(pool.clone()),
        };
        let projecting = self.is_projecting.then_some(Projecting {
            projector: self.projector,
            unmapped: self.unmapped,
        });
        let dialect = Dialect {
            tables,
            is_persistent: !self.is_behind_pgbouncer,
            expects_pieces: Arc::default(),
        };
        PostgresCheckpointer::new(Writer {
            pool,
            dialect,
            projecting,
            waiting: Arc::default(),
        })
        .await
    }

    fn options(&self, url: &str) -> Result<PgConnectOptions> {
        let options = connect_options(url)
            .map_err(|error| invalid("url", format!("cannot be used: {error}")))?;
        Ok(if self.is_behind_pgbouncer {
            options.statement_cache_capacity(0)
        } else {
            options
        })
    }
}

fn invalid(setting: &'static str, reason: String) -> Error {
    Error::InvalidConfig { setting, reason }
}
