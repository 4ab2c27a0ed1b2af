//! Files parsed in processes of their own.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};

use sectile_load::{Error, FileLoader, Limits, LoadOptions, PdfOptions, Workers};

use crate::support::fixture;

fn workers() -> Workers {
    Workers::new(|| Command::new(env!("CARGO_BIN_EXE_sectile-load-worker")))
}

fn loader(limits: Limits) -> FileLoader {
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    FileLoader::new(options).with_workers(workers())
}

/// A shell that does something else than a worker, for so long at most.
fn shell(time: Duration, script: &'static str) -> FileLoader {
    let limits = Limits {
        time,
        ..Limits::default()
    };
    let options = LoadOptions {
        limits,
        ..LoadOptions::default()
    };
    FileLoader::new(options).with_workers(Workers::new(move || {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }))
}

#[test]
fn a_worker_gives_the_same_documents_and_errors() {
    let loader = loader(Limits::default());
    for name in [
        "three-levels.pdf",
        "no-bookmarks.pdf",
        "owner-password.pdf",
        "no-text.pdf",
        "encrypted.pdf",
    ] {
        let here = sectile_load::load_file(fixture(name));
        let there = loader.load_file(fixture(name));
        match (here, there) {
            (Ok(here), Ok(there)) => assert_eq!(here, there),
            (Err(here), Err(there)) => assert_eq!(format!("{here:?}"), format!("{there:?}")),
            (here, there) => panic!("{name}: {here:?} and {there:?}"),
        }
    }
}

#[test]
fn pages_are_told_as_they_are_done() {
    let bytes = fs::read(fixture("three-levels.pdf")).unwrap();
    let seen = Mutex::new(Vec::new());
    let loader = loader(Limits::default());
    let result = loader.load_with_progress(&bytes, Path::new("a.pdf"), &|done, of| {
        seen.lock().unwrap().push((done, of));
    });
    assert!(result.is_ok());
    assert_eq!(*seen.lock().unwrap(), [(1, 3), (2, 3), (3, 3)]);
}

#[test]
fn options_reach_the_worker() {
    let options = LoadOptions {
        pdf: PdfOptions {
            password: Some("secret".into()),
            pages: vec![2..=2],
            ..PdfOptions::default()
        },
        ..LoadOptions::default()
    };
    let loader = FileLoader::new(options).with_workers(workers());
    let document = loader.load_file(fixture("encrypted.pdf")).unwrap();
    let numbers: Vec<u32> = document.pages.iter().map(|page| page.number).collect();
    assert_eq!(numbers, [2]);
}

#[test]
fn a_worker_that_takes_too_long_is_stopped() {
    let time = Duration::from_millis(200);
    let error = shell(time, "exec sleep 1000000")
        .load_file(fixture("three-levels.pdf"))
        .unwrap_err();
    let is_timeout = matches!(&error, Error::TimedOut { limit, .. } if *limit == time);
    assert!(is_timeout, "{error:?}");
    assert_eq!(error.path(), Some(fixture("three-levels.pdf").as_path()));
}

#[test]
fn a_worker_that_dies_costs_its_one_file() {
    for (script, said) in [
        ("exit 3", "exit status: 3"),
        ("kill -9 $$", "signal 9"),
        (
            "cat > /dev/null & echo 'has overflowed its stack' >&2",
            "overflowed its stack",
        ),
        (
            "printf 'nonsense that is no answer'; exec sleep 1000000",
            "gave no answer but a message of",
        ),
    ] {
        let error = shell(Duration::from_mins(1), script)
            .load_file(fixture("three-levels.pdf"))
            .unwrap_err();
        assert!(
            matches!(error, Error::WorkerDied { .. }),
            "{script}: {error:?}"
        );
        assert!(error.to_string().contains(said), "{script}: {error}");
    }
    let missing = Workers::new(|| Command::new("/nowhere/worker"));
    let loader = FileLoader::default().with_workers(missing);
    let error = loader.load_file(fixture("three-levels.pdf")).unwrap_err();
    assert!(
        error.to_string().contains("could not be started"),
        "{error}"
    );
}

#[test]
fn a_worker_that_runs_out_of_memory_is_replaced() {
    let loader = loader(Limits {
        memory: 24 << 20,
        ..Limits::default()
    });
    let error = loader.load_file(fixture("three-levels.pdf")).unwrap_err();
    assert!(
        matches!(error, Error::WorkerDied { .. } | Error::Parse { .. }),
        "{error:?}"
    );
}

#[test]
fn many_threads_share_a_pool() {
    let loader = loader(Limits::default());
    let expected = sectile_load::load_file(fixture("three-levels.pdf")).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let document = loader.load_file(fixture("three-levels.pdf")).unwrap();
                    assert_eq!(document, expected);
                }
            });
        }
    });
}

#[test]
fn no_more_workers_run_at_once_than_were_allowed() {
    let started = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&started);
    let workers = Workers::new(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        Command::new(env!("CARGO_BIN_EXE_sectile-load-worker"))
    });
    let workers = workers.with_most(NonZeroUsize::new(2).unwrap());
    let loader = FileLoader::default().with_workers(workers);
    let begin = Barrier::new(8);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                begin.wait();
                loader.load_file(fixture("three-levels.pdf")).unwrap();
            });
        }
    });
    // None is replaced, so each that was started runs.
    assert!((1..=2).contains(&started.load(Ordering::Relaxed)));
}

#[test]
fn a_worker_that_dies_or_does_not_start_leaves_its_place() {
    for program in ["/bin/false", "/nowhere/worker"] {
        let workers = Workers::new(move || Command::new(program)).with_most(NonZeroUsize::MIN);
        let loader = FileLoader::default().with_workers(workers);
        for _ in 0..2 {
            let error = loader.load_file(fixture("three-levels.pdf")).unwrap_err();
            assert!(matches!(error, Error::WorkerDied { .. }), "{error:?}");
        }
    }
}

/// The files that make other parsers panic, hang, overflow or run out of memory.
#[test]
fn hostile_files_end_within_their_limits() {
    let Ok(corpus) = std::env::var("SECTILE_CORPUS") else {
        return;
    };
    let folder = Path::new(&corpus).join("pdf/hostile");
    let loader = loader(Limits {
        time: Duration::from_secs(10),
        memory: 2 << 30,
        ..Limits::default()
    });
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        let began = Instant::now();
        let outcome = match loader.load_file(&path) {
            Ok(document) => format!("{} bytes of text", document.text.len()),
            Err(error) => {
                assert_eq!(error.path(), Some(path.as_path()));
                format!("{error}")
            }
        };
        let elapsed = began.elapsed();
        println!(
            "{:6.2} s {}: {outcome}",
            elapsed.as_secs_f64(),
            path.display()
        );
    }
}
