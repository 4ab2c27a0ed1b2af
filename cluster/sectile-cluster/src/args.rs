//! What can be typed.

use std::ffi::OsString;
use std::fmt;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, Parser, Subcommand};
use sectile::load::Limits;

/// Load, split and embed documents on a cluster of Apache Ballista
#[derive(Parser)]
#[command(version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run a scheduler, which plans queries and sends their stages to executors
    Scheduler(SchedulerArguments),
    /// Run an executor, which does the work
    Executor(ExecutorArguments),
    /// Write the files of a folder or bucket to Parquet parts
    Parts(PartsArguments),
    /// Run a job, or SQL
    Run(RunArguments),
    /// Load the output of a job from a bucket into a store, with the program `sectile`
    Load(LoadArguments),
}

#[derive(Args)]
pub(crate) struct SchedulerArguments {
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1:50050")]
    pub(crate) bind: SocketAddr,
    /// Seconds without a heartbeat after which an executor counts as dead
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(5..))]
    pub(crate) executor_timeout: u64,
}

#[derive(Args)]
pub(crate) struct ExecutorArguments {
    /// Address to listen on for the scheduler; the next port serves the results of stages
    #[arg(long, default_value = "127.0.0.1:50051")]
    pub(crate) bind: SocketAddr,
    /// Name or address by which other machines reach this one [default: that of --bind]
    #[arg(long, value_name = "HOST")]
    pub(crate) advertise: Option<String>,
    /// Scheduler, as HOST:PORT
    #[arg(long, default_value = "127.0.0.1:50050")]
    pub(crate) scheduler: Address,
    /// Maximum number of tasks at a time [default: one for each processor]
    #[arg(long)]
    pub(crate) tasks: Option<usize>,
    /// Folder for the results of stages [default: a new one in the temporary folder]
    #[arg(long)]
    pub(crate) work_dir: Option<PathBuf>,
    /// Memory for the engine, in bytes [default: 70 % of the machine's]
    #[arg(long)]
    pub(crate) memory: Option<u64>,
    /// Maximum number of files that are loaded at a time, each in its own process [default: that of --tasks]
    #[arg(long, value_name = "N")]
    pub(crate) file_processes: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) files: FileArguments,
}

/// Limits for loading a file; a file that exceeds one is a row with its error
#[derive(Args, Clone, Copy)]
pub(crate) struct FileArguments {
    /// Maximum memory of the process that loads a file, in bytes [default: 3 GiB]
    #[arg(long, value_parser = clap::value_parser!(u64).range(256 << 20..))]
    file_memory: Option<u64>,
    /// Timeout for one file, in seconds [default: 120]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    file_seconds: Option<u64>,
}

impl FileArguments {
    pub(crate) fn limits(self) -> Limits {
        let default = Limits::default();
        Limits {
            memory: self.file_memory.unwrap_or(default.memory),
            time: self.file_seconds.map_or(default.time, Duration::from_secs),
            ..default
        }
    }

    /// Returns what was typed, as `sectile_extract` takes it.
    pub(crate) fn typed(self) -> Option<String> {
        let memory = self.file_memory.map(|bytes| ("memory", bytes));
        let seconds = self.file_seconds.map(|seconds| ("seconds", seconds));
        let typed: Vec<String> = memory
            .into_iter()
            .chain(seconds)
            .map(|(name, value)| format!("\"{name}\": {value}"))
            .collect();
        (!typed.is_empty()).then(|| format!("{{{}}}", typed.join(", ")))
    }
}

/// A host, by its name or address, and a port.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl FromStr for Address {
    type Err = &'static str;

    fn from_str(typed: &str) -> Result<Self, Self::Err> {
        let (host, port) = typed.rsplit_once(':').ok_or("write it as HOST:PORT")?;
        let port = port.parse().map_err(|_| "its port is not a number")?;
        if host.is_empty() {
            return Err("it names no host");
        }
        let host = host.to_owned();
        Ok(Self { host, port })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.host, self.port)
    }
}

/// A table of a query: its name, and a file or folder, or an address of a bucket or a store.
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

impl Table {
    /// Reads NAME=PATH. An error does not repeat what was typed, which may hold a password.
    pub(crate) fn parse(typed: &str) -> anyhow::Result<Self> {
        let is_name = |name: &str| !name.is_empty() && !name.contains(['/', ':', '@']);
        let (name, path) = typed
            .split_once('=')
            .filter(|(name, _)| is_name(name))
            .context("write --table as NAME=PATH, such as files=reports/")?;
        Ok(Self {
            name: name.to_owned(),
            path: path.into(),
        })
    }
}

#[derive(Args)]
pub(crate) struct PartsArguments {
    /// Folder with the files, searched recursively, or s3://BUCKET/PREFIX
    pub(crate) folder: PathBuf,
    /// Folder for the parts, or s3://BUCKET/PREFIX; a part has the columns uri and bytes
    pub(crate) output: PathBuf,
    /// Number of parts
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) parts: u64,
}

#[derive(Args)]
pub(crate) struct LoadArguments {
    /// Output of a job, s3://BUCKET/PREFIX, or other Parquet files with uri and text: all below a prefix, those of
    /// s3://BUCKET/PREFIX/*.parquet, or a single file
    pub(crate) source: String,
    /// Skip the first N parts, which an earlier load of the same parts has loaded
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) skip: usize,
    /// Program sectile, built with the feature parquet
    #[arg(long, default_value = "sectile")]
    pub(crate) program: PathBuf,
    /// More arguments for sectile load, such as --store URL
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) more: Vec<OsString>,
}

#[derive(Args)]
pub(crate) struct RunArguments {
    /// Job: a JSON file with parts, output, and optionally chunk and embed
    #[arg(required_unless_present = "sql")]
    pub(crate) job: Option<PathBuf>,
    /// SQL to run instead of a job: statements separated by `;`, each followed by its result
    #[arg(long, conflicts_with = "job")]
    pub(crate) sql: Option<String>,
    /// Table for the SQL, as NAME=PATH. A path may be a Parquet, CSV or JSON file; a folder, with a row for each file;
    /// s3://BUCKET/NAME, with a / at the end for a folder; or a store, as sqlite:FILE or postgres://…, with a row for
    /// each document. For a cluster, leave out the password and set PGPASSWORD for each process
    #[arg(long = "table", value_name = "NAME=PATH", requires = "sql")]
    pub(crate) tables: Vec<String>,
    /// Scheduler, as HOST:PORT [default: do the work in this process]
    #[arg(long)]
    pub(crate) scheduler: Option<Address>,
    /// Maximum number of parts at a time
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    pub(crate) at_once: u64,
    /// Maximum number of attempts for a part
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) attempts: u64,
    /// Maximum number of files that are loaded at a time, each in its own process [default: one for each processor]; on a
    /// cluster, this is an option of executors
    #[arg(long, value_name = "N", conflicts_with = "scheduler")]
    pub(crate) file_processes: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) files: FileArguments,
}
