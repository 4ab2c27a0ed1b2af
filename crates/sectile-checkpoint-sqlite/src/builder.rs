//! How a checkpointer is set up.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sectile_checkpoint::{Error, Result};
use sectile_checkpoint_sql::{DefaultProjector, Projecting, Projector, Unmapped};
use sectile_migrations::Tables;
use sectile_sqlite::{Access, Options, Readers, Writer, is_no_place, primary_code};

use crate::SqliteCheckpointer;
use crate::error::unusable;

/// SQLite's result code for a file that cannot be opened (`SQLITE_CANTOPEN`).
const CANNOT_OPEN: i32 = 14;

/// What a save that returned survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// The loss of power: each commit waits for the disk (`synchronous = FULL`).
    #[default]
    Full,
    /// The end of the process, at any moment; at a loss of power the newest saves may be gone, and
    /// the file stays whole (`synchronous = NORMAL`). Two to four times as fast.
    Normal,
}

/// Sets up a [`SqliteCheckpointer`].
#[derive(Clone, Debug)]
#[must_use = "it does nothing before `connect`"]
pub struct SqliteCheckpointerBuilder {
    url: String,
    durability: Durability,
    busy_timeout: Duration,
    readers: u32,
    table_prefix: String,
    pragmas: Vec<(String, String)>,
    is_creating: bool,
    is_projecting: bool,
    projector: Arc<dyn Projector>,
    unmapped: Unmapped,
}

impl SqliteCheckpointerBuilder {
    pub(crate) fn new(url: &str) -> Self {
        Self {
            url: url.to_owned(),
            durability: Durability::default(),
            busy_timeout: Duration::from_secs(30),
            readers: 4,
            table_prefix: String::new(),
            pragmas: Vec::new(),
            is_creating: true,
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

    /// Sets what a save that returned survives; the loss of power by default.
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Sets how long a call waits for other processes that write; half a minute by default.
    pub fn busy_timeout(mut self, timeout: Duration) -> Self {
        self.busy_timeout = timeout;
        self
    }

    /// Sets how many connections read at once, at least one; four by default.
    pub fn max_readers(mut self, readers: u32) -> Self {
        self.readers = readers.max(1);
        self
    }

    /// Sets what the names of the tables begin with: lower-case ASCII letters, digits and
    /// underscores; nothing by default. So they stand beside an application's own tables.
    pub fn table_prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.table_prefix);
        self
    }

    /// Sets whether a file that is missing is made; it is by default.
    pub fn create_if_missing(mut self, create: bool) -> Self {
        self.is_creating = create;
        self
    }

    /// Sets a pragma of the connection that writes, `cache_size` for example.
    pub fn pragma(mut self, name: &str, value: &str) -> Self {
        self.pragmas.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Opens the file, and changes nothing in it: the tables and the write-ahead log
    /// are for [`SqliteCheckpointer::migrate`]. A file that is there and cannot be written is opened to be read; what
    /// would write to it is [`Error::ReadOnly`].
    ///
    /// # Errors
    ///
    /// [`Error::InvalidConfig`] for a setting that cannot be used, [`Error::DatabaseNotFound`] when
    /// the file or its folder is missing, [`Error::NewerSchema`] when a newer release migrated the
    /// file, and what SQLite reports.
    pub async fn connect(self) -> Result<SqliteCheckpointer> {
        let tables = Tables::new(None, &self.table_prefix).ok_or_else(|| {
            let most = Tables::MAX_NAME;
            invalid(
                "table_prefix",
                format!("must be at most {most} lower-case letters, digits and underscores"),
            )
        })?;
        let (options, mut access) = self.options()?;
        let mut writer = Writer::open(self.writer_options(options.clone(), access)).await;
        if let Err(sectile_sqlite::Error::Sqlite(error)) = &writer
            && is_no_place(error)
            && options.path().is_file()
        {
            access = Access::Read;
            writer = Writer::open(self.writer_options(options.clone(), access)).await;
        }
        let writer = writer.map_err(|error| cannot_open(error, options.path(), access))?;
        let readers = (!options.is_in_memory()).then(|| self.readers(options, access, &writer));
        let projecting = self.is_projecting.then_some(Projecting {
            projector: self.projector,
            unmapped: self.unmapped,
        });
        SqliteCheckpointer::new(writer, readers, tables, projecting).await
    }

    /// Returns the options of every connection, and what the one that writes may do.
    fn options(&self) -> Result<(Options, Access)> {
        let named = self.url.strip_prefix("sqlite:").ok_or_else(no_path)?;
        let named = named.strip_prefix("//").unwrap_or(named);
        let (mut path, parameters) = named.split_once('?').unwrap_or((named, ""));
        let mut access = if self.is_creating {
            Access::Create
        } else {
            Access::Write
        };
        for parameter in parameters.split('&').filter(|given| !given.is_empty()) {
            match parameter {
                "mode=ro" => access = Access::Read,
                "mode=rw" => access = Access::Write,
                "mode=rwc" => access = Access::Create,
                "mode=memory" => path = ":memory:",
                other => return Err(unknown_parameter(other)),
            }
        }
        let options = Options::new(path).busy_timeout(self.busy_timeout);
        if !options.is_in_memory() {
            check_path(options.path())?;
        }
        Ok((options, access))
    }

    fn readers(&self, options: Options, access: Access, writer: &Writer) -> Readers {
        // The one that writes makes the file.
        let access = match access {
            Access::Read => Access::Read,
            Access::Write | Access::Create => Access::Write,
        };
        Readers::new(options.access(access), self.readers, writer.file().clone())
    }

    fn writer_options(&self, options: Options, access: Access) -> Options {
        let synchronous = match self.durability {
            Durability::Full => "FULL",
            Durability::Normal => "NORMAL",
        };
        let mut options = options.access(access).pragma("synchronous", synchronous);
        for (name, value) in &self.pragmas {
            options = options.pragma(name, value);
        }
        options
    }
}

fn check_path(path: &Path) -> Result<()> {
    if path.as_os_str().is_empty() {
        return Err(no_path());
    }
    if path.is_dir() {
        let reason = format!(
            "names the folder {}; write the path of a file",
            path.display()
        );
        return Err(invalid("url", reason));
    }
    Ok(())
}

/// Says why a file cannot be opened. SQLite has one code for what is missing and what is forbidden.
fn cannot_open(error: sectile_sqlite::Error, path: &Path, access: Access) -> Error {
    let refused = match error {
        sectile_sqlite::Error::Sqlite(error) if primary_code(&error) == Some(CANNOT_OPEN) => error,
        error => return unusable(error),
    };
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    // A file in a folder that this user may not search may exist.
    let is_missing = |path: &Path| matches!(path.try_exists(), Ok(false));
    let missing = if folder.is_some_and(is_missing) {
        "its folder does not exist; make it"
    } else if access != Access::Create && is_missing(path) {
        "the file does not exist; correct the path, or let it be made"
    } else {
        return Error::PermissionDenied {
            source: refused.into(),
        };
    };
    Error::DatabaseNotFound {
        reason: format!("`{}`: {missing}", path.display()),
        source: refused.into(),
    }
}

fn no_path() -> Error {
    invalid("url", "names no file; write sqlite:PATH".into())
}

fn unknown_parameter(parameter: &str) -> Error {
    let known = "mode=ro, mode=rw, mode=rwc or mode=memory";
    invalid(
        "url",
        format!("has the parameter `{parameter}`, where only {known} is known"),
    )
}

fn invalid(setting: &'static str, reason: String) -> Error {
    Error::InvalidConfig { setting, reason }
}
