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

/// Loads, cuts and embeds documents on a cluster of Apache Ballista.
#[derive(Parser)]
#[command(version)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Plans queries and gives their stages to executors
    Scheduler(SchedulerArguments),
    /// Does the work of stages
    Executor(ExecutorArguments),
    /// Makes Parquet parts of the files in a folder or bucket
    Parts(PartsArguments),
    /// Runs a job, or SQL
    Run(RunArguments),
    /// Loads what a job has written to a bucket into a store, with the program `sectile`
    Load(LoadArguments),
}

#[derive(Args)]
pub(crate) struct SchedulerArguments {
    /// Where to listen
    #[arg(long, default_value = "127.0.0.1:50050")]
    pub(crate) bind: SocketAddr,
    /// After how many seconds without a word an executor counts as dead
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(5..))]
    pub(crate) executor_timeout: u64,
}

#[derive(Args)]
pub(crate) struct ExecutorArguments {
    /// Where to listen for the scheduler; results of stages are served at the port after it
    #[arg(long, default_value = "127.0.0.1:50051")]
    pub(crate) bind: SocketAddr,
    /// The name or address by which other machines reach this one; that of --bind, unless named
    #[arg(long, value_name = "HOST")]
    pub(crate) advertise: Option<String>,
    /// The scheduler, as HOST:PORT
    #[arg(long, default_value = "127.0.0.1:50050")]
    pub(crate) scheduler: Address,
    /// How many tasks to work on at once; as many as there are processors, unless named
    #[arg(long)]
    pub(crate) tasks: Option<usize>,
    /// Where results of stages are kept; a folder of its own in the temporary one, unless named
    #[arg(long)]
    pub(crate) work_dir: Option<PathBuf>,
    /// How many bytes the engine may use; 70 % of what there is, unless named
    #[arg(long)]
    pub(crate) memory: Option<u64>,
    /// How many files to load at once, each in a process of its own; as many as --tasks, unless named
    #[arg(long, value_name = "N")]
    pub(crate) file_processes: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) files: FileArguments,
}

/// How much one file may take while it is loaded; one that takes more is a row with its error.
#[derive(Args, Clone, Copy)]
pub(crate) struct FileArguments {
    /// How many bytes of memory one file may take while it is loaded; 3 GiB, unless named
    #[arg(long, value_parser = clap::value_parser!(u64).range(256 << 20..))]
    file_memory: Option<u64>,
    /// How many seconds one file may take; 120, unless named
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
    /// The folder with the files, in it and below, or `s3://BUCKET/PREFIX`
    pub(crate) folder: PathBuf,
    /// The folder for the parts, each with the columns `uri` and `bytes`, or `s3://BUCKET/PREFIX`
    pub(crate) output: PathBuf,
    /// How many parts
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) parts: u64,
}

#[derive(Args)]
pub(crate) struct LoadArguments {
    /// What a job has written, `s3://BUCKET/PREFIX`, or other Parquet files with `uri` and `text`: all below a prefix,
    /// those of `s3://BUCKET/PREFIX/*.parquet`, or one
    pub(crate) source: String,
    /// Leave out the first N parts, which an earlier load of the same parts has done
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) skip: usize,
    /// The program `sectile`, built with the feature `parquet`
    #[arg(long, default_value = "sectile")]
    pub(crate) program: PathBuf,
    /// What `sectile load` is told beside the files, such as `--store URL`
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) more: Vec<OsString>,
}

#[derive(Args)]
pub(crate) struct RunArguments {
    /// The job: a JSON file with `parts`, `output`, and if wanted `chunk` and `embed`
    #[arg(required_unless_present = "sql")]
    pub(crate) job: Option<PathBuf>,
    /// SQL in its place: statements with `;` between them; what each gives is printed
    #[arg(long, conflicts_with = "job")]
    pub(crate) sql: Option<String>,
    /// A table of the SQL, as NAME=PATH: a Parquet, CSV or JSON file by its extension, or a folder, whose rows are its
    /// files; in a bucket, `s3://BUCKET/NAME`, with `/` at the end for a folder; or a store, as `sqlite:FILE` or
    /// `postgres://…`, whose rows are its documents. For a cluster, leave out the password, and set PGPASSWORD for each
    /// process
    #[arg(long = "table", value_name = "NAME=PATH", requires = "sql")]
    pub(crate) tables: Vec<String>,
    /// The scheduler, as HOST:PORT; without it the work is done in this process
    #[arg(long)]
    pub(crate) scheduler: Option<Address>,
    /// How many parts are worked on at once
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    pub(crate) at_once: u64,
    /// How often a part is tried
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) attempts: u64,
    /// How many files to load at once, each in a process of its own; as many as there are processors, unless named. On a
    /// cluster, executors have this option
    #[arg(long, value_name = "N", conflicts_with = "scheduler")]
    pub(crate) file_processes: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) files: FileArguments,
}
