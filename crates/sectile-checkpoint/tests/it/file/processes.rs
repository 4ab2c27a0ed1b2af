//! Processes that save at the same time, and ones that end in the middle of it.

use std::env;
use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use sectile_checkpoint::{At, Key, RecordsExt as _, TaskWrites, TypedValue};

use super::*;

/// Tells the test below what to do in a process of its own.
const FOLDER: &str = "SECTILE_TEST_FOLDER";
const TASK: &str = "SECTILE_TEST_TASK";

/// What a line begins with that tells of a save.
const SAVED: &str = "saved ";

/// Prepares a process that runs the test `child`.
fn child(program: &OsStr, task: &str, folder: &Path) -> Command {
    let (_, module) = module_path!().split_once("::").unwrap();
    let mut command = Command::new(program);
    command
        .args([
            "--nocapture",
            "--exact",
            &format!("{module}::child_process"),
        ])
        .env(FOLDER, folder)
        .env(TASK, task)
        .stdout(Stdio::piped());
    command
}

fn start(task: &str, folder: &Path) -> Child {
    let program = env::current_exe().unwrap();
    child(program.as_os_str(), task, folder).spawn().unwrap()
}

/// Returns the numbers that a process tells of.
fn told(child: &mut Child) -> impl Iterator<Item = u64> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.filter_map(|line| line.unwrap().strip_prefix(SAVED)?.parse().ok())
}

/// What the other tests run in processes of their own; by itself it does nothing.
#[tokio::test]
async fn child_process() {
    let (Some(folder), Ok(task)) = (env::var_os(FOLDER), env::var(TASK)) else {
        return;
    };
    let checkpointer = FileCheckpointer::new(folder).unwrap();
    match task.as_str() {
        "fifty" => save_many(&checkpointer, 50, 100).await,
        "endless" => save_many(&checkpointer, u64::MAX, 300_000).await,
        "limited" => save_more_than_there_is_room_for(&checkpointer).await,
        "copies" => copy_again_and_again(&checkpointer).await,
        "prunes" => save_and_prune(&checkpointer).await,
        "reads" => read_writes(&checkpointer).await,
        other => panic!("{other}"),
    }
}

/// Tells of a save on a line of its own, whatever the test's runner wrote before.
#[expect(clippy::print_stdout, reason = "this is how the processes talk")]
fn tell(seq: u64) {
    println!("\n{SAVED}{seq}");
}

async fn save_many(checkpointer: &FileCheckpointer, count: u64, size: usize) {
    for number in 0..count {
        // A state that was saved before would take one short line.
        let number = number.to_string();
        let text = "x".repeat(size - number.len()) + &number;
        let seq = save(checkpointer, "thread", &text).await.unwrap();
        tell(seq);
    }
}

async fn save_more_than_there_is_room_for(checkpointer: &FileCheckpointer) {
    for (seq, size) in [(1, 10), (2, 1_000)] {
        let text = "x".repeat(size);
        assert_eq!(save(checkpointer, "thread", &text).await.unwrap(), seq);
        save(checkpointer, "thread", &"x".repeat(1_000_000))
            .await
            .unwrap_err();
        save(checkpointer, "too long", &"x".repeat(1_000_000))
            .await
            .unwrap_err();
        tell(seq);
    }
}

/// The writes of a task beside the checkpoints of these tests.
fn of_task() -> TaskWrites {
    TaskWrites::new("task").write("a", TypedValue::new("x", *b"bytes"))
}

/// The names of the copies, of which those are there that no process was killed before.
fn copy_name(number: u64) -> String {
    format!("copy {number}")
}

async fn copy_again_and_again(checkpointer: &FileCheckpointer) {
    let there = checkpointer.threads(&ThreadQuery::default()).await.unwrap();
    let first = there.len() as u64;
    for number in first.. {
        let copied = checkpointer.copy_thread("thread", &copy_name(number)).await;
        assert_eq!(copied.unwrap(), 8);
        tell(number);
    }
}

async fn save_and_prune(checkpointer: &FileCheckpointer) {
    let key = Key::from("thread");
    for round in 0.. {
        save_with_id(checkpointer, "id").await;
        let at = At::Id("id".into());
        checkpointer
            .put_writes(&key, &at, &of_task())
            .await
            .unwrap();
        save(checkpointer, "thread", "newest").await.unwrap();
        checkpointer.prune(&Prune::keep_latest(1)).await.unwrap();
        tell(round);
    }
}

async fn read_writes(checkpointer: &FileCheckpointer) {
    let found = checkpointer
        .pending_writes(&"thread".into(), &At::Latest)
        .await;
    tell(found.unwrap().len() as u64);
}

#[test]
fn several_processes_save_to_one_thread_without_a_gap() {
    let (folder, checkpointer) = in_new_folder();
    let mut children: Vec<Child> = (0..4).map(|_| start("fifty", folder.path())).collect();
    let mut all: Vec<u64> = children.iter_mut().flat_map(told).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    all.sort_unstable();
    assert!(all.iter().copied().eq(1..=200), "{all:?}");
    let stored = block_on(seqs(&checkpointer, "thread")).unwrap();
    assert!(stored.into_iter().rev().eq(1..=200));
}

#[test]
fn what_was_acknowledged_survives_the_end_of_the_process() {
    let (folder, checkpointer) = in_new_folder();
    let mut acknowledged = 0;
    for saves in [1, 3, 2, 7, 5, 4, 9, 6, 8, 10] {
        let mut child = start("endless", folder.path());
        let last = told(&mut child).nth(saves - 1).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(last >= acknowledged + saves as u64);
        acknowledged = last;

        let stored = block_on(seqs(&checkpointer, "thread")).unwrap();
        let newest = stored[0];
        assert!(newest >= acknowledged, "{newest} {acknowledged}");
        assert!(stored.into_iter().rev().eq(1..=newest));
        let state = block_on(latest(&checkpointer, "thread")).unwrap();
        assert_eq!(state.unwrap().len(), 300_000);
    }
}

/// A limit on the size of files is the one full disk that a test can have anywhere.
#[cfg(unix)]
#[test]
fn a_save_that_there_is_no_room_for_leaves_the_file_as_it_was() {
    let (folder, checkpointer) = in_new_folder();
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" \"$@\"";
    let program = env::current_exe().unwrap();
    let limited = child(program.as_os_str(), "limited", folder.path());
    let mut child = Command::new("sh")
        .args(["-c", script])
        .arg(&program)
        .args(limited.get_args())
        .env(FOLDER, folder.path())
        .env(TASK, "limited")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    assert!(told(&mut child).eq([1, 2]));
    assert!(child.wait().unwrap().success());

    assert!(fs::read(only_file(folder.path())).unwrap().ends_with(b"\n"));
    assert!(files(folder.path(), "new").is_empty());
    assert_eq!(block_on(seqs(&checkpointer, "thread")).unwrap(), [2, 1]);
    assert_eq!(block_on(save(&checkpointer, "thread", "next")).unwrap(), 3);
}

/// Starts a process that does the same again and again, and kills it in the midst of that, at each
/// attempt at another time.
fn kill(attempt: u32, task: &str, folder: &Path) {
    let mut child = start(task, folder);
    // It ends where nobody reads what it tells.
    let mut told = told(&mut child);
    let _ = told.next().unwrap();
    let begun = Instant::now();
    let _ = told.next().unwrap();
    std::thread::sleep(begun.elapsed() * (attempt * 11 % 32) / 32);
    child.kill().unwrap();
    child.wait().unwrap();
    drop(told);
}

#[test]
fn a_copy_that_was_cut_off_is_not_taken_for_whole() {
    let (folder, checkpointer) = in_new_folder();
    let names = ["", "a", "b", "c", "d", "e", "f", "g"];
    for name in names {
        let key = Key::new("thread", name);
        let checkpoint = Checkpoint::new("thread", 1).in_namespace(name);
        block_on(checkpointer.save(&checkpoint)).unwrap();
        block_on(checkpointer.put_writes(&key, &At::Seq(1), &of_task())).unwrap();
    }
    for attempt in 0..16 {
        kill(attempt, "copies", folder.path());
        let threads = block_on(checkpointer.threads(&ThreadQuery::default())).unwrap();
        for thread in threads {
            let has_root = thread.latest_seq > 0;
            if !has_root {
                // Where it stands in the way of the next copy, it can be deleted.
                block_on(checkpointer.delete_thread(&thread.thread_id)).unwrap();
                continue;
            }
            assert_eq!(thread.checkpoints, 8, "{thread:?}");
            for name in names {
                let key = Key::new(&*thread.thread_id, name);
                let writes = block_on(checkpointer.pending_writes(&key, &At::Latest)).unwrap();
                assert_eq!(writes.len(), 1, "{key}");
            }
        }
    }
}

#[test]
fn no_checkpoint_inherits_the_writes_of_one_that_was_removed() {
    let (folder, checkpointer) = in_new_folder();
    let (key, at) = (Key::from("thread"), At::Id("id".into()));
    for attempt in 0..32 {
        kill(attempt, "prunes", folder.path());
        let kept = block_on(checkpointer.load_stored(&key, &at)).unwrap();
        let writes = block_on(checkpointer.pending_writes(&key, &at)).unwrap();
        assert!(kept.is_some() || writes.is_empty(), "{attempt} {writes:?}");
        // The next process begins as the first one did.
        block_on(checkpointer.delete_thread("thread")).unwrap();
    }
}

/// Another user than the one that may do everything reads what it may not write to.
#[cfg(unix)]
#[test]
fn writes_are_read_where_nothing_may_be_written() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;

    const NOBODY: u32 = 65_534;
    let (folder, checkpointer) = in_new_folder();
    block_on(save(&checkpointer, "thread", "state")).unwrap();
    let key = Key::from("thread");
    block_on(checkpointer.put_writes(&key, &At::Latest, &of_task())).unwrap();
    let allow = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    for entry in fs::read_dir(folder.path()).unwrap() {
        allow(&entry.unwrap().path(), 0o444);
    }
    allow(folder.path(), 0o555);
    let program = env::current_exe().unwrap();
    let mut command = child(program.as_os_str(), "reads", folder.path());
    if fs::metadata(folder.path()).unwrap().uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    let mut reader = command.spawn().unwrap();
    assert!(told(&mut reader).eq([1]));
    assert!(reader.wait().unwrap().success());
    allow(folder.path(), 0o755);
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}
