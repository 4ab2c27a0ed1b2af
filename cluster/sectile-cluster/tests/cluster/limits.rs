//! What an executor takes, however many parts it works on and however long a text is.

use std::fs;
use std::path::Path;

use crate::{Cluster, Place, Process, free_address};

/// How long the text is of which the memory is measured, in bytes.
const TEXT: u64 = 48 << 20;

/// What an executor takes without a text, at the most, in bytes.
const EMPTY: u64 = 300 << 20;

/// How many times as long as a text the memory may be that it takes.
const TIMES: u64 = 16;

/// Starts a scheduler and one executor, and returns the process id of the executor.
fn cluster_of_one(place: &Place, more: &[&str]) -> (Cluster, u32) {
    let work = place.0.path().join("executor");
    fs::create_dir_all(&work).expect("there is room");
    let mut cluster = Cluster::start(0, &work);
    let (bind, scheduler) = (free_address().to_string(), cluster.address.to_string());
    let work = work.display().to_string();
    let arguments: [&str; 7] = [
        "executor",
        "--bind",
        &bind,
        "--scheduler",
        &scheduler,
        "--work-dir",
        &work,
    ];
    let arguments = [&arguments[..], more].concat();
    let executor = Process::start(&arguments, &Vec::new());
    let id = executor.0.id();
    cluster.executors.push(executor);
    (cluster, id)
}

/// Runs the job of a place to its end.
fn run(place: &Place, cluster: &Cluster) {
    let (code, said) = place.run(&["--scheduler", &cluster.address.to_string()]);
    assert_eq!(code, Some(0), "{said}");
}

/// Reads what the system says of a process; nothing if it has ended.
fn told(process: &Path, name: &str) -> String {
    let bytes = fs::read(process.join(name)).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Counts the processes that parse files for another.
fn parsing_for(id: u32) -> usize {
    let parent = format!("PPid:\t{id}");
    let is_for_it = |process: &Path| {
        let is_child = told(process, "status").lines().any(|line| line == parent);
        is_child && told(process, "cmdline").contains("load-worker")
    };
    let processes = fs::read_dir("/proc").expect("there are processes");
    let processes = processes.flatten().map(|entry| entry.path());
    processes.filter(|process| is_for_it(process)).count()
}

/// Returns the most memory that a process has had, in bytes.
fn most_memory(id: u32) -> u64 {
    let status = told(&Path::new("/proc").join(id.to_string()), "status");
    let mut lines = status.lines();
    let most = lines.find_map(|line| line.strip_prefix("VmHWM:"));
    let most = most.expect("it runs").trim().trim_end_matches(" kB");
    most.parse::<u64>().expect("it is a number") * 1_024
}

#[test]
fn an_executor_loads_no_more_files_at_once_than_were_allowed() {
    let names: Vec<String> = (0..32).map(|at| format!("{at}.html")).collect();
    let page = "<html><body><h1>A</h1><p>One.</p></body></html>";
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, page)).collect();
    let place = Place::new(&files);
    assert!(place.parts("8").status.success());
    place.job("");
    let (cluster, id) = cluster_of_one(&place, &["--tasks", "4", "--file-processes", "1"]);
    run(&place, &cluster);
    // A process that has nothing to do waits for more.
    assert_eq!(parsing_for(id), 1);
}

#[test]
fn the_memory_of_an_executor_is_bounded_by_the_length_of_a_text() {
    let line =
        |at: u64| format!("Line {at:09}: words of an ordinary line, of which there are more.\n");
    let length = line(0).len() as u64;
    let text: String = (0..TEXT / length).map(line).collect();
    let place = Place::new(&[("long.txt", &text), ("short.md", "# A\n\nOne.\n")]);
    assert!(place.parts("1").status.success());
    place.job(
        r#", "chunk": {"strategy": "recursive", "size": 1000, "overlap": 100, "unit": "chars"}"#,
    );
    let (cluster, id) = cluster_of_one(&place, &["--tasks", "1"]);
    run(&place, &cluster);
    let most = most_memory(id);
    assert!(most > TEXT, "{most} bytes");
    assert!(most < EMPTY + TIMES * TEXT, "{most} bytes");
    eprintln!(
        "{:.1} bytes of memory for a byte of text",
        most as f64 / TEXT as f64
    );
}
