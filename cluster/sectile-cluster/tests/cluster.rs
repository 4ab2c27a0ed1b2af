//! A cluster of processes on this machine makes what one process makes, whoever dies meanwhile.

#[path = "cluster/bucket.rs"]
mod bucket;
#[path = "cluster/deploy.rs"]
mod deploy;
#[path = "cluster/jobs.rs"]
mod jobs;
#[cfg(target_os = "linux")]
#[path = "cluster/limits.rs"]
mod limits;
#[path = "cluster/runs.rs"]
mod runs;
#[path = "cluster/s3.rs"]
mod s3;
#[path = "cluster/tables.rs"]
mod tables;

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use datafusion::arrow::array::{ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use flate2::Compression;
use flate2::write::ZlibEncoder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_sectile-cluster");

/// What one file may take; the PDF that takes all memory takes twice as much.
const FILE_MEMORY: &str = "1073741824";
const TABLES: [&str; 3] = ["documents", "sections", "chunks"];

/// A process that ends with the test.
struct Process(Child);

impl Process {
    fn start(arguments: &[&str], environment: &s3::Environment) -> Self {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).stdout(Stdio::null());
        command.envs(environment.iter().cloned());
        Self(command.spawn().expect("the program starts"))
    }

    fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// A scheduler and executors on ports of their own.
struct Cluster {
    address: SocketAddr,
    scheduler: Option<Process>,
    executors: Vec<Process>,
    /// What its processes need to know.
    environment: s3::Environment,
}

impl Cluster {
    fn start(executors: usize, folder: &Path) -> Self {
        Self::start_in(executors, folder, Vec::new())
    }

    fn start_in(executors: usize, folder: &Path, environment: s3::Environment) -> Self {
        let address = free_address();
        let mut cluster = Self {
            address,
            scheduler: None,
            executors: Vec::new(),
            environment,
        };
        cluster.restart_scheduler();
        for at in 0..executors {
            let work = folder.join(format!("executor-{at}"));
            fs::create_dir_all(&work).expect("there is room");
            let arguments: [&str; 11] = [
                "executor",
                "--bind",
                &free_address().to_string(),
                "--scheduler",
                &address.to_string(),
                "--tasks",
                "1",
                "--work-dir",
                &work.display().to_string(),
                "--file-memory",
                FILE_MEMORY,
            ];
            let executor = Process::start(&arguments, &cluster.environment);
            cluster.executors.push(executor);
        }
        cluster
    }

    fn restart_scheduler(&mut self) {
        self.scheduler = None;
        let address = self.address.to_string();
        let arguments: [&str; 5] = ["scheduler", "--bind", &address, "--executor-timeout", "10"];
        self.scheduler = Some(Process::start(&arguments, &self.environment));
        let begun = Instant::now();
        while TcpStream::connect(self.address).is_err() {
            assert!(
                begun.elapsed() < Duration::from_mins(1),
                "the scheduler does not listen"
            );
            sleep(Duration::from_millis(100));
        }
    }

    fn run(&self, job: &Path) -> Process {
        let scheduler = self.address.to_string();
        let arguments: [&str; 4] = ["run", &job.display().to_string(), "--scheduler", &scheduler];
        Process::start(&arguments, &self.environment)
    }
}

/// Returns an address whose port, and the one after it, nobody has.
fn free_address() -> SocketAddr {
    loop {
        let one = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let address = one.local_addr().expect("it has an address");
        let Some(next) = address.port().checked_add(1) else {
            continue;
        };
        if TcpListener::bind(("127.0.0.1", next)).is_ok() {
            return address;
        }
    }
}

fn program(arguments: &[&str]) -> Output {
    let output = Command::new(PROGRAM).args(arguments).output();
    output.expect("the program starts")
}

fn write_job(folder: &Path, name: &str) -> PathBuf {
    let job = folder.join(format!("{name}.json"));
    let settings = r#"{"strategy": "sentence", "size": 40, "overlap": 5, "unit": "chars"}"#;
    let text = format!(r#"{{"parts": "parts", "output": "{name}", "chunk": {settings}}}"#);
    fs::write(&job, text).expect("it is written");
    job
}

/// Asserts that two jobs made the same rows, whatever their order.
async fn assert_same(folder: &Path, one: &str, other: &str) {
    for table in TABLES {
        let context = SessionContext::new();
        for name in [one, other] {
            let path = folder.join(name).join(table).display().to_string();
            let registered =
                context.register_parquet(name, format!("{path}/"), ParquetReadOptions::default());
            registered.await.expect("there are rows");
        }
        // What a process died of, of memory or of time, depends on what else runs. DataFusion 55 cannot compare lists
        // of structs: outlines are compared below, as text.
        let (comparable, columns) = match table {
            "documents" => (
                "uri, text, format, metadata, error IS NULL",
                "uri, text, format, outline, pages, metadata, error IS NULL",
            ),
            _ => ("*", "*"),
        };
        for (first, second) in [(one, other), (other, one)] {
            let sql = format!(
                "SELECT {comparable} FROM {first} EXCEPT ALL SELECT {comparable} FROM {second}"
            );
            let rows = collect(&context, &sql).await;
            let count: usize = rows.iter().map(RecordBatch::num_rows).sum();
            assert_eq!(
                count,
                0,
                "{table} of {first} has more than {second}: {}",
                lines(&rows).join("\n")
            );
        }
        let order = if table == "documents" {
            "uri"
        } else {
            "uri, index"
        };
        let sorted = |name: &str| format!("SELECT {columns} FROM {name} ORDER BY {order}");
        let first = lines(&collect(&context, &sorted(one)).await);
        let second = lines(&collect(&context, &sorted(other)).await);
        assert_eq!(first.len(), second.len(), "{table} of {one} and {other}");
        for (first, second) in first.iter().zip(&second) {
            assert_eq!(first, second, "{table} of {one} and {other}");
        }
    }
}

/// Returns the rows as text.
fn lines(rows: &[RecordBatch]) -> Vec<String> {
    let value = |column: &ArrayRef, row| array_value_to_string(column, row).expect("it is written");
    rows.iter()
        .flat_map(|batch| (0..batch.num_rows()).map(move |row| (batch, row)))
        .map(|(batch, row)| {
            let values: Vec<_> = batch
                .columns()
                .iter()
                .map(|column| value(column, row))
                .collect();
            values.join(" | ")
        })
        .collect()
}

async fn collect(context: &SessionContext, sql: &str) -> Vec<RecordBatch> {
    let frame = context
        .sql(sql)
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"));
    frame
        .collect()
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error}"))
}

async fn count(folder: &Path, table: &str, condition: &str) -> i64 {
    let context = SessionContext::new();
    let path = folder.join(table).display().to_string();
    let registered =
        context.register_parquet("rows", format!("{path}/"), ParquetReadOptions::default());
    registered.await.expect("there are rows");
    let rows = collect(
        &context,
        &format!("SELECT count(*) FROM rows WHERE {condition}"),
    )
    .await;
    rows[0]
        .column(0)
        .as_primitive::<datafusion::arrow::datatypes::Int64Type>()
        .value(0)
}

fn records(folder: &Path) -> usize {
    let done = folder.join("done").join("chunks");
    fs::read_dir(done).map_or(0, Iterator::count)
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_mins(5), "{what}");
        sleep(Duration::from_millis(20));
    }
}

/// Files, and a job over their parts.
struct Place(tempfile::TempDir);

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = Self(tempfile::tempdir().expect("there is a folder"));
        // A name that would be a pattern.
        fs::create_dir_all(place.path("files")).expect("there is room");
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("a [b]*").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path("files").join(name), text).expect("it is written");
    }

    fn parts(&self, count: &str) -> Output {
        let [files, parts] = ["files", "parts"].map(|name| self.path(name).display().to_string());
        program(&["parts", &files, &parts, "--parts", count])
    }

    fn job(&self, more: &str) {
        let text = format!(r#"{{"parts": "parts", "output": "out"{more}}}"#);
        fs::write(self.path("job.json"), text).expect("it is written");
    }

    fn run(&self, more: &[&str]) -> (Option<i32>, String) {
        let job = self.path("job.json").display().to_string();
        let ran = program(&[&["run", &*job], more].concat());
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        (ran.status.code(), said)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("it is a folder");
        let names = entries.map(|entry| entry.expect("it is read").file_name());
        let mut names: Vec<_> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Returns the first column of a query over a table of the job, without patterns in its path.
    async fn column(&self, table: &str, column: &str) -> Vec<String> {
        let context = SessionContext::new();
        let url = url::Url::from_directory_path(self.path("out").join(table)).expect("it is one");
        context
            .register_parquet("rows", url.to_string(), ParquetReadOptions::default())
            .await
            .expect("there are rows");
        let sql = format!("SELECT {column} FROM rows ORDER BY 1");
        lines(&collect(&context, &sql).await)
    }
}
