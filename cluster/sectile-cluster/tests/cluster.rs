//! A cluster of processes on this machine makes what one process makes, whoever dies meanwhile.

#[path = "cluster/bucket.rs"]
mod bucket;
#[path = "cluster/deploy.rs"]
mod deploy;
#[cfg(target_os = "linux")]
#[path = "cluster/limits.rs"]
mod limits;
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
const DOCUMENTS: usize = 5_000;
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

/// Makes documents: Markdown and web pages, files of real programs, and a PDF that takes all memory there is.
fn make_documents(folder: &Path) {
    let fixtures =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/sectile-load/tests/fixtures");
    let real: Vec<PathBuf> = fs::read_dir(fixtures)
        .expect("there are fixtures")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|kind| kind == "pdf" || kind == "docx" || kind == "html")
        })
        .collect();
    for path in &real {
        let name = path.file_name().expect("it has a name");
        fs::copy(path, folder.join(name)).expect("it is copied");
    }
    for at in 0..DOCUMENTS {
        let name = folder.join(format!(
            "{at:05}.{}",
            if at % 5 == 0 { "html" } else { "md" }
        ));
        let words = format!("Section {at} says what number {at} is for. ").repeat(at % 60 + 1);
        let text = if at % 5 == 0 {
            format!(
                "<html><body><h1>Page {at}</h1><p>{words}</p><h2>More</h2><p>End.</p></body></html>"
            )
        } else {
            format!("# Document {at}\n\n{words}\n\n## Détails\n\n- one\n- two\n")
        };
        fs::write(name, text).expect("it is written");
    }
    fs::write(folder.join("all-memory.pdf"), all_memory()).expect("it is written");
}

/// A PDF whose one page is gigabytes long: blanks, packed, many times one after the other, and packed again.
fn all_memory() -> Vec<u8> {
    let pack = |bytes: &[u8], times: usize| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        for _ in 0..times {
            encoder.write_all(bytes).expect("it is packed");
        }
        encoder.finish().expect("it is packed")
    };
    let stream = pack(&pack(&vec![b' '; 1 << 20], 2_000), 1);
    let mut pdf = b"%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n\
        3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R>>\nendobj\n4 0 obj\n"
        .to_vec();
    pdf.extend(
        format!(
            "<</Length {}/Filter[/FlateDecode/FlateDecode]>>\nstream\n",
            stream.len()
        )
        .bytes(),
    );
    pdf.extend(stream);
    pdf.extend(b"\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n");
    pdf
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

#[tokio::test(flavor = "multi_thread")]
async fn four_executors_make_what_one_process_makes() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let folder = folder.path();
    let documents = folder.join("files");
    fs::create_dir(&documents).expect("there is room");
    make_documents(&documents);
    let parts = folder.join("parts").display().to_string();
    let made = program(&[
        "parts",
        &documents.display().to_string(),
        &parts,
        "--parts",
        "64",
    ]);
    assert!(made.status.success(), "{made:?}");
    assert_eq!(fs::read_dir(&parts).expect("there are parts").count(), 64);

    let alone = write_job(folder, "alone");
    let begun = Instant::now();
    let ran = program(&[
        "run",
        &alone.display().to_string(),
        "--file-memory",
        FILE_MEMORY,
    ]);
    // Some fixtures cannot be loaded, nor can what takes all memory.
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert!(said.contains("documents could not be loaded"), "{said}");
    eprintln!("one process: {:.1} s", begun.elapsed().as_secs_f64());
    assert!(count(&folder.join("alone"), "documents", "true").await > 5_000);
    assert_eq!(
        count(
            &folder.join("alone"),
            "documents",
            "uri = 'all-memory.pdf' AND error LIKE '%ran out of the memory%'"
        )
        .await,
        1
    );

    // Nothing is killed.
    let mut cluster = Cluster::start(4, folder);
    let begun = Instant::now();
    let mut run = cluster.run(&write_job(folder, "whole"));
    assert_eq!(run.0.wait().expect("it ends").code(), Some(1));
    eprintln!("four executors: {:.1} s", begun.elapsed().as_secs_f64());
    assert_same(folder, "alone", "whole").await;

    // An executor is killed while parts are worked on.
    let mut run = cluster.run(&write_job(folder, "killed"));
    wait_for("no part is done", || records(&folder.join("killed")) > 4);
    cluster.executors.remove(0).kill();
    assert!(records(&folder.join("killed")) < 64);
    assert_eq!(run.0.wait().expect("it ends").code(), Some(1));
    assert_same(folder, "alone", "killed").await;

    // The scheduler is killed and started again.
    let mut run = cluster.run(&write_job(folder, "restarted"));
    wait_for("no part is done", || records(&folder.join("restarted")) > 4);
    cluster.restart_scheduler();
    assert_eq!(run.0.wait().expect("it ends").code(), Some(1));
    assert_same(folder, "alone", "restarted").await;

    // Whoever gives the work is killed, and gives it again: what was done is not done again.
    let job = write_job(folder, "broken_off");
    let run = cluster.run(&job);
    wait_for("no part is done", || {
        records(&folder.join("broken_off")) > 4
    });
    run.kill();
    let done = newest_part(&folder.join("broken_off"));
    let mut run = cluster.run(&job);
    assert_eq!(run.0.wait().expect("it ends").code(), Some(1));
    assert_eq!(
        fs::metadata(&done.0)
            .and_then(|part| part.modified())
            .expect("it is there"),
        done.1
    );
    assert_same(folder, "alone", "broken_off").await;

    only_the_part_of_a_changed_file_is_done_again(&cluster, &documents, &job).await;
}

async fn only_the_part_of_a_changed_file_is_done_again(
    cluster: &Cluster,
    documents: &Path,
    job: &Path,
) {
    let output = job.with_extension("");
    let parts = job.with_file_name("parts").display().to_string();
    fs::write(documents.join("00001.md"), "# Changed\n\nAll of it.\n").expect("it is written");
    assert!(
        program(&[
            "parts",
            &documents.display().to_string(),
            &parts,
            "--parts",
            "64"
        ])
        .status
        .success()
    );
    let scheduler = cluster.address.to_string();
    let ran = program(&["run", &job.display().to_string(), "--scheduler", &scheduler]);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(1), "{said}");
    assert_eq!(
        said.lines()
            .filter(|line| line.contains(" was done ("))
            .count(),
        63,
        "{said}"
    );
    assert_eq!(
        count(
            &output,
            "chunks",
            "uri = '00001.md' AND text LIKE '%All of it%'"
        )
        .await,
        1
    );
}

/// Returns a part whose chunks are done, and when they were. A record that was being written when its writer was killed
/// has another name.
fn newest_part(output: &Path) -> (PathBuf, std::time::SystemTime) {
    let records = fs::read_dir(output.join("done").join("chunks")).expect("there are records");
    let names = records
        .flatten()
        .map(|record| record.file_name().to_string_lossy().into_owned());
    let mut parts = names.filter_map(|name| name.strip_suffix(".json").map(str::to_owned));
    let part = parts.next().expect("one is done");
    let part = output.join("chunks").join(part);
    let modified = fs::metadata(&part).and_then(|part| part.modified());
    (part, modified.expect("it is there"))
}

#[test]
fn what_is_wrong_with_a_job_is_said() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let job = folder.path().join("job.json");
    let cases = [
        ("{}", "parts"),
        (
            r#"{"parts": "none", "output": "out"}"#,
            "there is no folder `none`",
        ),
        (r#"{"parts": ".", "output": "out"}"#, "no Parquet parts"),
        (
            r#"{"parts": ".", "output": "out", "chunks": {}}"#,
            "unknown field",
        ),
    ];
    for (text, word) in cases {
        fs::write(&job, text).expect("it is written");
        let ran = program(&["run", &job.display().to_string()]);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{said}");
        assert!(said.contains(word), "{text}: {said}");
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

/// Answers requests for vectors as OpenAI's protocol has it, until the test ends, and returns the address.
fn serve_vectors() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("it has an address");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer_vectors(stream));
        }
    });
    address
}

fn answer_vectors(mut stream: TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let (mut length, mut line) = (0, String::new());
        while reader.read_line(&mut line).ok()? > 0 && line.trim() != "" {
            let lower = line.to_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
            line.clear();
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let asked: serde_json::Value = serde_json::from_slice(&body).ok()?;
        let texts = asked["input"].as_array()?;
        let vectors = texts.iter().enumerate().map(|(index, text)| {
            let length = text.as_str().map_or(0, str::len);
            serde_json::json!({"object": "embedding", "index": index, "embedding": [length, 1]})
        });
        let vectors: Vec<_> = vectors.collect();
        let body = serde_json::json!({"object": "list", "data": vectors, "model": "m"}).to_string();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).ok()?;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn vectors_come_from_a_server_and_a_model_that_there_is_not_ends_the_run_at_once() {
    let place = Place::new(&[("a.md", "# A\n\nOne.\n"), ("b.md", "# B\n\nTwo.\n")]);
    assert!(place.parts("2").status.success());
    place.job(&format!(r#", "embed": "http://{}/v1#m""#, serve_vectors()));
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(0), "{said}");
    let ids = place.column("chunks", "id").await;
    assert!(!ids.is_empty());
    assert_eq!(place.column("vectors", "id").await, ids);
    place.job(r#", "embed": "http://127.0.0.1:1/v1#m""#);
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("the model cannot be used"), "{said}");
    assert!(!said.contains("is tried again"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_cuts_files_by_their_formats() {
    let yaml = "# a comment\nserver:\n  port: 80\nclient:\n  # no heading\n  port: 81\n";
    let code = "class Jar:\n    # a comment\n    def open(self):\n        return 1\n";
    let files = [("a.md", "# A\n\nOne.\n"), ("b.yaml", yaml), ("c.py", code)];
    let place = Place::new(&files);
    assert!(place.parts("1").status.success());
    place.job(r#", "chunk": {"strategy": "markdown", "size": 40, "overlap": 0}"#);
    let (status, said) = place.run(&[]);
    assert_eq!(status, Some(0), "{said}");
    let settings = sectile::ChunkSettings {
        size: Some(40),
        overlap: Some(0),
        ..sectile::ChunkSettings::new(sectile::Strategy::Markdown)
    };
    let cutter = settings.cutter().expect("the settings are right");
    let mut expected = Vec::new();
    for (name, _) in files {
        let document = sectile::load::load_file(place.path("files").join(name));
        let document = document.expect("it is loaded");
        let cut = cutter.chunks("", &document.text, document.format, &document.outline);
        for cut in cut.expect("it is cut") {
            let span = cut.chunk.span;
            expected.push(format!("{name}#{}-{}", span.start, span.end));
        }
    }
    expected.sort();
    assert_eq!(place.column("chunks", "id").await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn chunks_of_a_file_with_pages_have_them() {
    let place = Place::new(&[("a.md", "# A\n")]);
    let file = "../../crates/sectile-load/tests/fixtures/three-levels.pdf";
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::copy(file, place.path("files/b.pdf")).expect("it is copied");
    assert!(place.parts("1").status.success());
    place.job(r#", "chunk": {"size": 200, "overlap": 0, "unit": "chars"}"#);
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(0), "{said}");
    let pages = place.column("chunks", "concat(uri, ' ', first_page, '-', last_page)");
    let expected = [
        "a.md -",
        "b.pdf 1-1",
        "b.pdf 1-1",
        "b.pdf 2-2",
        "b.pdf 2-2",
        "b.pdf 3-3",
    ];
    assert_eq!(pages.await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_gone_goes() {
    let names: Vec<String> = (0..40).map(|at| format!("{at}.md")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "# A\n")).collect();
    let place = Place::new(&files);
    assert!(place.parts("16").status.success());
    place.job("");
    assert_eq!(place.run(&[]).0, Some(0));
    fs::remove_file(place.path("files/7.md")).expect("it is removed");
    assert!(place.parts("2").status.success());
    let parts = place.names("parts");
    assert_eq!(parts, ["part-00000.parquet", "part-00001.parquet"]);
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(0), "{said}");
    for stage in TABLES {
        assert_eq!(place.names(&format!("out/{stage}")), parts, "{stage}");
        assert_eq!(
            place.names(&format!("out/done/{stage}")).len(),
            2,
            "{stage}"
        );
    }
    let uris = place.column("documents", "uri").await;
    assert_eq!(uris.len(), 39);
    assert!(!uris.contains(&"7.md".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_cannot_be_loaded_are_named_each_time_and_tried_again_with_other_limits() {
    let place = Place::new(&[("a.md", "# A\n"), ("b.pdf", "%PDF-1.4 of no use")]);
    assert!(place.parts("1").status.success());
    place.job("");
    for _ in 0..2 {
        let (code, said) = place.run(&[]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("1 document could not be loaded"), "{said}");
        assert!(said.contains("  b.pdf: "), "{said}");
    }
    let (_, said) = place.run(&["--file-seconds", "60"]);
    assert!(!said.contains("was done"), "{said}");
    let (_, said) = place.run(&["--file-seconds", "60"]);
    assert!(said.contains("was done"), "{said}");
}

#[test]
fn one_run_at_a_time_writes_to_an_output() {
    let place = Place::new(&[("a.md", "# A\n")]);
    assert!(place.parts("1").status.success());
    place.job("");
    fs::create_dir(place.path("out")).expect("there is room");
    let lock = fs::File::create(place.path("out/.lock")).expect("it is made");
    lock.try_lock().expect("nobody has it");
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("another run writes to"), "{said}");
    drop(lock);
    assert_eq!(place.run(&[]).0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_without_a_name_or_a_text_are_rows_with_an_error() {
    use datafusion::arrow::array::BinaryArray;
    use datafusion::parquet::arrow::ArrowWriter;

    let place = Place::new(&[]);
    fs::create_dir(place.path("parts")).expect("there is room");
    let uris = BinaryArray::from(vec![None, Some(&b"\xff"[..]), Some(b"c.md"), Some(b"d.md")]);
    let texts = BinaryArray::from(vec![
        Some(&b"a"[..]),
        Some(b"b"),
        Some(b"\xff"),
        Some(b"# D\n"),
    ]);
    let columns: [(&str, ArrayRef); 2] = [
        ("uri", std::sync::Arc::new(uris)),
        ("text", std::sync::Arc::new(texts)),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("they are as long");
    for name in ["a.PARQUET", "_b.parquet"] {
        let file = fs::File::create(place.path("parts").join(name)).expect("it is made");
        let writer = ArrowWriter::try_new(file, batch.schema(), None);
        let mut writer = writer.expect("it is begun");
        writer.write(&batch).expect("it is written");
        writer.close().expect("it is written");
    }
    place.job("");
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("3 documents could not be loaded"), "{said}");
    // What begins with `_` is no part.
    assert_eq!(place.names("out/done/documents"), ["a.PARQUET.json"]);
    let kept = datafusion::parquet::file::reader::SerializedFileReader::new(
        fs::File::open(place.path("out/chunks/a.PARQUET")).expect("it is there"),
    );
    let kept = kept.expect("it is a Parquet file");
    let rows = datafusion::parquet::file::reader::FileReader::metadata(&kept);
    assert_eq!(rows.file_metadata().num_rows(), 1);
}

#[test]
fn large_texts_are_written_a_few_at_a_time() {
    use datafusion::parquet::file::reader::{FileReader as _, SerializedFileReader};

    let place = Place::new(&[]);
    for at in 0..12 {
        // Letters that do not compress well.
        let mut state = at + 1_u64;
        let letter = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            char::from(b'0' + (state >> 58) as u8)
        };
        let text: String = (0..3 << 20).map(letter).collect();
        place.write(&format!("{at}.txt"), &text);
    }
    assert!(place.parts("1").status.success());
    place.job(r#", "chunk": {"strategy": "token", "size": 100000, "unit": "chars", "overlap": 0}"#);
    let (code, said) = place.run(&[]);
    assert_eq!(code, Some(0), "{said}");
    let file = fs::File::open(place.path("out/documents/part-00000.parquet"));
    let file = SerializedFileReader::new(file.expect("it is there")).expect("it is one");
    // 36 MiB of text, 27 MiB once compressed, in groups of 16 MiB.
    assert!(file.metadata().num_row_groups() >= 2);
}

#[cfg(unix)]
#[test]
fn parts_say_what_they_leave_out() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let place = Place::new(&[("a.md", "# A\n"), (".hidden", "no")]);
    std::os::unix::fs::symlink("a.md", place.path("files/link.md")).expect("it is made");
    let files = place.path("files").display().to_string();
    let output = place.path("files/parts").display().to_string();
    for _ in 0..2 {
        let made = program(&["parts", &files, &output, "--parts", "1"]);
        let said = String::from_utf8_lossy(&made.stderr).into_owned();
        assert_eq!(made.status.code(), Some(0), "{said}");
        assert!(said.contains("1 left out, hidden:"), "{said}");
        assert!(said.contains("1 left out, symbolic links"), "{said}");
        assert!(!said.contains("parquet"), "{said}");
    }
    fs::write(place.path("files").join(OsStr::from_bytes(b"\xff.md")), "x").expect("it is written");
    let made = program(&["parts", &files, &output, "--parts", "1"]);
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert_eq!(made.status.code(), Some(1), "{said}");
    assert!(said.contains("1 left out, not named in UTF-8"), "{said}");
}
