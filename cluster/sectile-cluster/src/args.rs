//! What can be typed.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

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
    /// Makes Parquet parts of the files in a folder
    Parts(PartsArguments),
    /// Runs a job, or SQL
    Run(RunArguments),
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
    /// The scheduler
    #[arg(long, default_value = "127.0.0.1:50050")]
    pub(crate) scheduler: SocketAddr,
    /// How many tasks to work on at once; as many as there are processors, unless named
    #[arg(long)]
    pub(crate) tasks: Option<usize>,
    /// Where results of stages are kept; a folder of its own in the temporary one, unless named
    #[arg(long)]
    pub(crate) work_dir: Option<PathBuf>,
    /// How many bytes the engine may use; 70 % of what there is, unless named
    #[arg(long)]
    pub(crate) memory: Option<u64>,
    #[command(flatten)]
    pub(crate) files: FileArguments,
}

/// How much one file may take while it is loaded; one that takes more is a row with its error.
#[derive(Args, Clone, Copy)]
pub(crate) struct FileArguments {
    /// How many bytes of memory one file may take while it is loaded
    #[arg(long, default_value_t = Limits::default().memory, value_parser = clap::value_parser!(u64).range(256 << 20..))]
    file_memory: u64,
    /// How many seconds one file may take
    #[arg(long, default_value_t = Limits::default().time.as_secs(), value_parser = clap::value_parser!(u64).range(1..))]
    file_seconds: u64,
}

impl FileArguments {
    pub(crate) fn limits(self) -> Limits {
        Limits {
            memory: self.file_memory,
            time: Duration::from_secs(self.file_seconds),
            ..Limits::default()
        }
    }
}

#[derive(Args)]
pub(crate) struct PartsArguments {
    /// The folder with the files, in it and below
    pub(crate) folder: PathBuf,
    /// The folder for the parts, each with the columns `uri` and `bytes`
    pub(crate) output: PathBuf,
    /// How many parts
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) parts: u64,
}

#[derive(Args)]
pub(crate) struct RunArguments {
    /// The job: a JSON file with `parts`, `output`, and if wanted `chunk` and `embed`
    #[arg(required_unless_present = "sql")]
    pub(crate) job: Option<PathBuf>,
    /// SQL in its place; what it gives is printed
    #[arg(long, conflicts_with = "job")]
    pub(crate) sql: Option<String>,
    /// The scheduler; without it the work is done in this process
    #[arg(long)]
    pub(crate) scheduler: Option<SocketAddr>,
    /// How many parts are worked on at once
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    pub(crate) at_once: u64,
    /// How often a part is tried
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) attempts: u64,
    #[command(flatten)]
    pub(crate) files: FileArguments,
}
