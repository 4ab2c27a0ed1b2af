//! Jobs whose parts and results are in a bucket of S3-compatible storage.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use crate::s3::Server;
use crate::{Cluster, PROGRAM, TABLES, assert_same, wait_for, write_job};

/// Where the parts in the bucket are: a name that would be a pattern.
const PARTS: &str = "s3://bucket/a [b]*/parts";

/// A folder with files, their parts and a job, and a bucket with another job over the same files.
struct Place {
    folder: tempfile::TempDir,
    server: Server,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is a folder");
        let place = Self {
            folder,
            server: Server::start(),
        };
        fs::create_dir(place.path("files")).expect("there is room");
        for at in 0..40 {
            let words = format!("This is what number {at} is for. ").repeat(at % 7 + 1);
            place.write(
                &format!("{at}.md"),
                &format!("# Document {at}\n\n{words}\n\n## More\n"),
            );
        }
        let job = fs::read_to_string(write_job(place.folder.path(), "alone"));
        let mut job: serde_json::Value =
            serde_json::from_str(&job.expect("it is there")).expect("it is JSON");
        job["parts"] = PARTS.into();
        job["output"] = "s3://bucket/out".into();
        fs::write(place.path("bucket.json"), job.to_string()).expect("it is written");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path("files").join(name), text).expect("it is written");
    }

    fn program(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(self.folder.path());
        command.env("TMPDIR", self.folder.path());
        let output = command.envs(self.server.environment()).output();
        output.expect("the program starts")
    }

    /// Runs the program, which has to do all of its work, and returns what it says.
    fn done(&self, arguments: &[&str]) -> String {
        let ran = self.program(arguments);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(0), "{arguments:?}: {said}");
        said
    }

    fn make_parts(&self) {
        self.done(&["parts", "files", PARTS, "--parts", "4"]);
    }

    /// Asserts that the job in the folder made the same rows as that in the bucket.
    async fn assert_same(&self) {
        for table in TABLES {
            let copy = self.path("copy").join(table);
            let _ = fs::remove_dir_all(&copy);
            fs::create_dir_all(&copy).expect("there is room");
            for (name, bytes) in self.server.objects(&format!("out/{table}/")) {
                fs::write(copy.join(name), bytes).expect("it is written");
            }
        }
        assert_same(self.folder.path(), "alone", "copy").await;
        for left in ["out/unfinished/", "out/.lock"] {
            assert!(self.server.objects(left).is_empty(), "{left}");
        }
    }
}

/// Returns how many parts were done before a run.
fn done_before(said: &str) -> usize {
    said.matches(" was done (").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_in_a_bucket_makes_what_one_in_a_folder_makes_and_resumes() {
    let place = Place::new();
    place.done(&["parts", "files", "parts", "--parts", "4"]);
    place.done(&["run", "alone.json"]);
    place.make_parts();
    place.server.changes();
    let said = place.done(&["run", "bucket.json"]);
    assert_eq!(done_before(&said), 0, "{said}");
    place.assert_same().await;
    // What is done is noted when it is there.
    let changes = place.server.changes();
    let at = |change: &str| {
        let found = changes.iter().position(|known| known == change);
        found.unwrap_or_else(|| panic!("{change}: {changes:?}"))
    };
    for table in TABLES {
        for part in place.server.objects(&format!("out/{table}/")).keys() {
            let noted = at(&format!("PUT out/done/{table}/{part}.json"));
            assert!(at(&format!("COPY out/{table}/{part}")) < noted);
        }
    }

    // Nothing is done again.
    let said = place.done(&["run", "bucket.json"]);
    assert_eq!(done_before(&said), 4, "{said}");
    let mut changes = place.server.changes();
    changes.retain(|change| !change.ends_with(" out/.lock"));
    assert!(changes.is_empty(), "{changes:?}");

    // A changed file changes its own part.
    place.write("3.md", "# Changed\n\nAll of it.\n");
    place.make_parts();
    let mut changes = place.server.changes();
    changes.retain(|change| change.starts_with("COPY "));
    assert_eq!(changes.len(), 1, "{changes:?}");
    let said = place.done(&["run", "bucket.json"]);
    assert_eq!(done_before(&said), 3, "{said}");
    place.done(&["parts", "files", "parts", "--parts", "4"]);
    place.done(&["run", "alone.json"]);
    place.assert_same().await;
}

#[test]
fn files_of_a_bucket_make_the_parts_that_those_of_a_folder_make() {
    let place = Place::new();
    // What is larger than 10 MiB is written in pieces.
    place.write("large.txt", &"word ".repeat(3 << 20));
    place.done(&["parts", "files", "parts", "--parts", "4"]);
    for entry in fs::read_dir(place.path("files")).expect("it is a folder") {
        let path = entry.expect("it is read").path();
        let name = path.file_name().expect("it has a name").to_string_lossy();
        let bytes = fs::read(&path).expect("it is read");
        place.server.put(&format!("files/{name}"), &bytes);
    }
    place.server.put("files/.git/config", b"hidden");
    // What a console makes of an empty folder.
    place.server.put("files/empty/", b"");
    let typed = ["s3://bucket/files", "s3://bucket/files/parts"];
    for _ in 0..2 {
        let said = place.done(&["parts", typed[0], typed[1], "--parts", "4"]);
        assert!(said.contains("1 left out, hidden:"), "{said}");
        let parts = place.server.objects("files/parts/");
        assert_eq!(parts.len(), 4);
        for (name, bytes) in parts {
            let local = fs::read(place.path("parts").join(&name)).expect("it is there");
            assert!(local == bytes, "{name}");
        }
        let changes = place.server.changes();
        let is_upload = |change: &String| change.starts_with("UPLOAD ");
        assert!(changes.iter().any(is_upload), "{changes:?}");
    }
    let refused = place.program(&["parts", "gs://bucket/files", "parts"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("s3://BUCKET/PREFIX"), "{said}");
}

#[test]
fn the_lock_of_a_run_that_died_is_taken_over_and_that_of_another_is_not() {
    let place = Place::new();
    place.make_parts();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                place.server.put("out/.lock", b"another run");
                sleep(Duration::from_millis(200));
            }
        });
        let ran = place.program(&["run", "bucket.json"]);
        is_over.store(true, Ordering::Relaxed);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(2), "{said}");
        assert!(said.contains("another run writes to"), "{said}");
    });
    place.done(&["run", "bucket.json"]);
    assert!(place.server.objects("out/.lock").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn executors_write_to_a_bucket_and_a_run_that_is_killed_resumes() {
    let place = Place::new();
    place.done(&["parts", "files", "parts", "--parts", "4"]);
    place.done(&["run", "alone.json"]);
    place.make_parts();
    let cluster = Cluster::start_in(2, place.folder.path(), place.server.environment());
    let run = cluster.run(&place.path("bucket.json"));
    let records = || place.server.objects("out/done/chunks/").len();
    wait_for("no part is done", || records() > 0);
    run.kill();
    let done = records();
    let scheduler = cluster.address.to_string();
    let said = place.done(&["run", "bucket.json", "--scheduler", &scheduler]);
    assert!(done_before(&said) >= done, "{said}");
    place.assert_same().await;
}

#[test]
fn addresses_in_buckets_are_tables() {
    let place = Place::new();
    place.server.put("tables/t.csv", b"n,m\n1,2\n3,4\n");
    let ran = place.program(&[
        "run",
        "--sql",
        "SELECT sum(n) AS total FROM t; SELECT count(bytes) AS files FROM f",
        "--table",
        "t=s3://bucket/tables/t.csv",
        "--table",
        "f=s3://bucket/tables/",
    ]);
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "{ran:?}");
    assert!(
        printed.contains("| 4     |") && printed.contains("| 1     |"),
        "{printed}"
    );
}

#[cfg(unix)]
#[test]
fn results_in_a_bucket_are_loaded_by_another_program() {
    let place = Place::new();
    for name in ["chunks", "documents", "vectors", "sections"] {
        let key = format!("out/{name}/a.parquet");
        place.server.put(&key, name.as_bytes());
    }
    place.server.put("out/chunks/_b.parquet", b"unfinished");
    place.server.put("out/done/chunks/a.parquet.json", b"{}");
    place.server.put("other/b/c.parquet", b"c");
    place.server.put("other/d.parquet", b"d");
    place.server.put("other/d.txt", b"no");
    // The program is a shell, for which `load` is a script: it tells what it is given, and ends as it is told.
    let script = "[ \"$4\" != silent ] || exit 2
        cd \"$1\" && find . -type f | sort | xargs grep -H . && echo \"$2 $3\" && exit \"$4\"";
    fs::write(place.path("load"), script).expect("it is written");
    let load = |source: &str, code: &str| {
        let typed = ["load", source, "--program", "sh"];
        let more = ["--", "--store", "sqlite:library.db", code];
        let ran = place.program(&[typed, more].concat());
        let told = String::from_utf8_lossy(&ran.stdout).into_owned();
        (ran.status.code(), told)
    };
    let job =
        "./chunks/a.parquet:chunks\n./documents/a.parquet:documents\n./vectors/a.parquet:vectors\n";
    for (source, files) in [
        ("s3://bucket/out", job),
        (
            "s3://bucket/out/documents/*.parquet",
            "./a.parquet:documents\n",
        ),
        (
            "s3://bucket/out/documents/a.parquet",
            "./a.parquet:documents\n",
        ),
        ("s3://bucket/other/*.parquet", "./d.parquet:d\n"),
        ("s3://bucket/other/", "./b/c.parquet:c\n./d.parquet:d\n"),
    ] {
        let told = format!("{files}--store sqlite:library.db\n");
        assert_eq!(load(source, "0"), (Some(0), told), "{source}");
    }
    // Some documents could not be loaded; nothing could be loaded; there is nothing.
    assert_eq!(load("s3://bucket/out", "2").0, Some(1));
    assert_eq!(load("s3://bucket/out", "silent").0, Some(2));
    assert_eq!(load("s3://bucket/out", "3").0, Some(2));
    for none in ["s3://bucket/none", "files", "s3://bucket/none.parquet"] {
        assert_eq!(load(none, "0"), (Some(2), String::new()), "{none}");
    }
}

#[cfg(unix)]
#[test]
fn results_in_a_bucket_are_loaded_some_parts_at_a_time() {
    let place = Place::new();
    for at in 0..20 {
        for stage in ["chunks", "documents"] {
            let key = format!("out/{stage}/part-{at:02}.parquet");
            place.server.put(&key, stage.as_bytes());
        }
    }
    // It tells how many parts it is given, the first of them, and what else. With one of them it ends as it is told.
    let script =
        "cd \"$1\" && shift && echo $(ls chunks | wc -l) $(ls documents | head -n 1) \"$*\"
        [ ! -e chunks/part-08.parquet ] || exit \"$1\"";
    fs::write(place.path("load"), script).expect("it is written");
    let load = |skip: &str, more: &[&str]| {
        let typed = ["load", "s3://bucket/out", "--program", "sh", "--skip", skip];
        let ran = place.program(&[&typed[..], &["--"], more].concat());
        let told = String::from_utf8_lossy(&ran.stdout).into_owned();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        (ran.status.code(), told, said)
    };
    let told = |parts: &[&str], more: &str| -> String {
        let lines = parts.iter().map(|part| format!("{part} {more}\n"));
        lines.collect()
    };
    let [first, second, third] = [
        "8 part-00.parquet",
        "8 part-08.parquet",
        "4 part-16.parquet",
    ];
    let (code, printed, said) = load("0", &["0"]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(printed, told(&[first, second, third], "0 --partial"));
    assert!(said.contains("20 of 20 parts are done"), "{said}");
    // Some documents of a part could not be loaded: the others are.
    let (code, printed, _) = load("0", &["2"]);
    assert_eq!(code, Some(1));
    assert_eq!(printed, told(&[first, second, third], "2 --partial"));
    // It was broken off, and goes on.
    let (code, printed, said) = load("0", &["3"]);
    assert_eq!(code, Some(2));
    assert_eq!(printed, told(&[first, second], "3 --partial"));
    assert!(said.contains("8 of 20 parts are done"), "{said}");
    let (code, printed, _) = load("8", &["0"]);
    assert_eq!(code, Some(0));
    assert_eq!(printed, told(&[second, third], "0 --partial"));
    // What is removed depends on all parts.
    let (code, printed, _) = load("0", &["0", "--prune"]);
    assert_eq!(code, Some(0));
    assert_eq!(printed, told(&["20 part-00.parquet"], "0 --prune"));
    assert_eq!(load("8", &["0", "--prune"]).0, Some(2));
    assert_eq!(load("20", &["0"]).0, Some(2));
    let entries = fs::read_dir(place.folder.path()).expect("it is a folder");
    let names = entries.map(|entry| entry.expect("it is read").file_name());
    let left: Vec<_> = names
        .filter(|name| name.to_string_lossy().starts_with(".tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
