//! Statements and commits that fail, and what comes after them.

use std::fs;
use std::path::PathBuf;

use sectile_checkpoint::{
    At, Channels, Checkpoint, CheckpointHistory as _, CheckpointQuery, Checkpointer, Content,
    Error, ErrorKind, PendingWrite, RecordsExt as _, Result, Saved, TaskWrites, Threads as _,
    TypedValue,
};
use sectile_checkpoint_sqlite::{SqliteCheckpointer, SqliteCheckpointerBuilder};
use sectile_sqlite::rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Refuses the commit of a checkpoint at step 13: the statement itself succeeds.
const REFUSE_COMMITS: &str = "
    CREATE TABLE none (id INTEGER PRIMARY KEY);
    CREATE TABLE refused (id INTEGER REFERENCES none (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER refuse AFTER INSERT ON checkpoints WHEN new.step = 13 BEGIN
        INSERT INTO refused VALUES (1);
    END;
";

fn path(folder: &TempDir) -> PathBuf {
    folder.path().join("checkpoints.db")
}

fn url(folder: &TempDir) -> String {
    format!("sqlite:{}", path(folder).display())
}

async fn open(builder: SqliteCheckpointerBuilder) -> SqliteCheckpointer {
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer
}

async fn refusing(folder: &TempDir) -> SqliteCheckpointer {
    let checkpointer = open(SqliteCheckpointer::builder(&url(folder))).await;
    let connection = Connection::open(path(folder)).unwrap();
    connection.execute_batch(REFUSE_COMMITS).unwrap();
    checkpointer
}

async fn save(checkpointer: &SqliteCheckpointer, step: u64) -> Result<Saved> {
    let checkpoint = Checkpoint::new("t", step).at_step(step, "node");
    checkpointer.save(&checkpoint).await
}

/// Saves steps at once.
async fn save_all(checkpointer: &SqliteCheckpointer, steps: u64) -> Vec<Result<Saved>> {
    let begin = |step| {
        let checkpointer = checkpointer.clone();
        tokio::spawn(async move { save(&checkpointer, step).await })
    };
    let mut outcomes = Vec::new();
    for task in (1..=steps).map(begin).collect::<Vec<_>>() {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

async fn kept(checkpointer: &SqliteCheckpointer) -> usize {
    let query = CheckpointQuery::default();
    let all: Vec<Checkpoint<u64>> = checkpointer.list("t", &query).await.unwrap();
    all.len()
}

#[tokio::test]
async fn what_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none/checkpoints.db");
    for (builder, advice) in [
        (
            SqliteCheckpointer::builder(&format!("sqlite:{}", missing.display())),
            "none/checkpoints.db`: its folder does not exist; make it",
        ),
        (
            SqliteCheckpointer::builder(&url(&folder)).create_if_missing(false),
            "checkpoints.db`: the file does not exist; correct the path, or let it be made",
        ),
        (
            SqliteCheckpointer::builder(&format!("{}?mode=ro", url(&folder))),
            "checkpoints.db`: the file does not exist; correct the path, or let it be made",
        ),
    ] {
        let refused = builder.connect().await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::DatabaseNotFound, "{refused:?}");
        assert!(refused.to_string().ends_with(advice), "{refused}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn connecting_leaves_a_file_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = path(&folder);
    let connection = Connection::open(&path).unwrap();
    let table = "CREATE TABLE users (id INTEGER)";
    connection.execute_batch(table).unwrap();
    drop(connection);
    let before = fs::read(&path).unwrap();
    let builder = SqliteCheckpointer::builder(&url(&folder));
    let checkpointer = builder.connect().await.unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
    checkpointer.migrate().await.unwrap();
    let connection = Connection::open(&path).unwrap();
    let mode = connection.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0));
    assert_eq!(mode.unwrap(), "wal");
}

#[tokio::test]
async fn a_commit_that_fails_is_not_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let checkpointer = refusing(&folder).await;
    assert_eq!(save(&checkpointer, 1).await.unwrap().seq, 1);
    assert!(save(&checkpointer, 13).await.is_err());
    assert_eq!(kept(&checkpointer).await, 1);
    assert_eq!(save(&checkpointer, 2).await.unwrap().seq, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_that_fails_keeps_no_other_save_from_succeeding() {
    let folder = tempfile::tempdir().unwrap();
    let checkpointer = refusing(&folder).await;
    let outcomes = save_all(&checkpointer, 40).await;
    let failed = outcomes.iter().filter(|outcome| outcome.is_err()).count();
    assert_eq!((failed, outcomes[12].is_err()), (1, true));
    assert_eq!(kept(&checkpointer).await, 39);
    assert_eq!(checkpointer.delete_thread("t").await.unwrap(), 39);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_was_full_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let builder = SqliteCheckpointer::builder(&url(&folder)).pragma("max_page_count", "60");
    let checkpointer = open(builder).await;
    let outcomes = save_all(&checkpointer, 9_000).await;
    let full = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    assert!(full.clone().count() > 0);
    assert!(
        full.clone()
            .all(|error| matches!(error, Error::Full { .. }))
    );
    let saved = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(kept(&checkpointer).await, saved);
    assert_eq!(checkpointer.delete_thread("t").await.unwrap(), saved as u64);
    assert!(save_all(&checkpointer, 20).await.iter().all(Result::is_ok));
}

/// Reads every checkpoint of a damaged copy, each of which must be right or an error, with the writes
/// beside it, and returns how much was missing without a word.
async fn read_damaged(url: &str, states: &[Value]) -> Option<u64> {
    let opened = SqliteCheckpointer::builder(url)
        .create_if_missing(false)
        .connect()
        .await;
    let checkpointer = opened.ok()?;
    let mut missing = 0;
    let last = states.len() as u64;
    for (seq, state) in (1..).zip(states) {
        let at = At::Seq(seq);
        match checkpointer.load_at_as::<Value>("thread", at.clone()).await {
            Ok(Some(found)) => assert_eq!(found.state, *state, "checkpoint {seq}"),
            Ok(None) => missing += 1,
            Err(_) => {}
        }
        match checkpointer.pending_writes(&"thread".into(), &at).await {
            Ok(found) if found.is_empty() => missing += 1,
            Ok(found) => assert_eq!(found, written(seq).pending().collect::<Vec<_>>()),
            Err(_) => {}
        }
    }
    match checkpointer.load_as::<Value>("thread").await {
        Ok(Some(found)) => assert_eq!((found.seq, &found.state), (last, &states[states.len() - 1])),
        Ok(None) => missing += 1,
        Err(_) => {}
    }
    if missing > 0 {
        let verified = checkpointer.verify().await;
        assert!(
            verified.is_err() || !verified.unwrap().is_empty(),
            "nothing was found damaged"
        );
    }
    Some(missing)
}

/// What a task wrote beside a checkpoint.
fn written(seq: u64) -> TaskWrites {
    let value = TypedValue::json(&format!("{seq} {}", "value ".repeat(40))).unwrap();
    TaskWrites::new(format!("task {seq}")).write("channel", value)
}

/// Returns bytes with something damaged in them.
fn damaged(whole: &[u8], number: u64, random: u64) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let at = 100 + (random >> 20) as usize % (bytes.len() - 5_000);
    match number % 3 {
        0 => bytes[at] ^= 1 << (random % 8),
        1 => bytes[at..at + 16].fill(random as u8),
        _ => bytes[at / 4_096 * 4_096 + 100..][..3_900].fill(0),
    }
    bytes
}

#[tokio::test]
async fn a_damaged_file_never_gives_another_state() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("whole.db");
    let states: Vec<Value> = (0..30_u64)
        .map(|number| {
            let messages: Vec<String> = (0..number)
                .map(|at| format!("{at} {}", "text ".repeat(60)))
                .collect();
            json!({ "number": number, "messages": messages })
        })
        .collect();
    let url = format!("sqlite:{}", path.display());
    let checkpointer = SqliteCheckpointer::builder(&url).connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    for (seq, state) in (1..).zip(&states) {
        let checkpoint = Checkpoint::new("thread", state.clone());
        checkpointer.save(&checkpoint).await.unwrap();
        let (key, at, writes) = ("thread".into(), At::Seq(seq), written(seq));
        checkpointer.put_writes(&key, &at, &writes).await.unwrap();
    }
    checkpointer.close().await.unwrap();
    let whole = fs::read(&path).unwrap();
    let mut readable = 0;
    for seed in [9_u64, 1_000, 77_777] {
        let mut random = seed;
        for number in 0..60 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let copy = folder.path().join(format!("{seed} {number}.db"));
            fs::write(&copy, damaged(&whole, number, random)).unwrap();
            let url = format!("sqlite:{}", copy.display());
            readable += u64::from(read_damaged(&url, &states).await.is_some());
        }
    }
    assert!(readable > 120, "{readable}");
}

/// A state whose list of holes is a piece of its own, and the next, which follows from it.
fn channels(number: usize, content: &dyn Fn(usize) -> Content) -> Checkpoint<Channels> {
    let add = |state: Channels, at: usize| {
        state.with(&format!("channel {at}"), &number.to_string(), content(at))
    };
    let mut checkpoint = Checkpoint::new("t", (0..100).fold(Channels::new(), add));
    checkpoint.parent_seq = (number > 0).then_some(number as u64);
    checkpoint
}

#[tokio::test]
async fn what_a_damaged_list_names_stays_until_that_is_needless() {
    let value = |at: usize| Content::Value(TypedValue::json(&"x".repeat(200 + at)).unwrap());
    let same = |at: usize| if at == 0 { value(500) } else { Content::Same };
    for damage in ["checksum = checksum + 1", "place = place + 1000000"] {
        let folder = tempfile::tempdir().unwrap();
        let checkpointer = open(SqliteCheckpointer::builder(&url(&folder))).await;
        let first = channels(0, &value).of_run("old");
        checkpointer.save_stored(first).await.unwrap();
        for number in 1..4 {
            let run = if number < 3 { "old" } else { "new" };
            let next = channels(number, &same).of_run(run);
            checkpointer.save_stored(next).await.unwrap();
        }
        let newest = async || checkpointer.load_stored(&"t".into(), &At::Seq(4)).await;
        let expected = newest().await.unwrap();
        let connection = Connection::open(path(&folder)).unwrap();
        let count = "SELECT count(*) FROM checkpoint_pieces";
        let counted = || -> i64 { connection.query_row(count, [], |row| row.get(0)).unwrap() };
        let before = counted();
        let change = |change: &str| {
            let sql =
                format!("UPDATE checkpoint_pieces SET {change} WHERE instr(piece, 'xxx') = 0");
            assert!(connection.execute(&sql, []).unwrap() > 0);
        };
        change(damage);
        let deleted = checkpointer.delete_runs(&["old".into()]).await;
        assert_eq!(deleted.unwrap(), 3, "{damage}");
        assert_eq!(newest().await.unwrap_err().kind(), ErrorKind::Corrupt);
        assert_eq!(counted(), before, "{damage}");
        change(&damage.replace('+', "-"));
        assert_eq!(newest().await.unwrap(), expected, "{damage}");
        change(damage);
        checkpointer.save_stored(channels(4, &value)).await.unwrap();
        let deleted = checkpointer.delete_runs(&["new".into()]).await;
        assert_eq!(deleted.unwrap(), 1, "{damage}");
        assert_eq!(checkpointer.verify().await.unwrap(), [], "{damage}");
    }
}

#[tokio::test]
async fn a_whole_state_is_saved_after_a_damaged_one() {
    let damages = [
        "UPDATE checkpoints SET checksum = checksum + 1 WHERE seq = 2",
        "UPDATE checkpoints SET state = x'00' WHERE seq = 2",
        "UPDATE checkpoint_pieces SET checksum = checksum + 1",
        "DELETE FROM checkpoint_pieces",
    ];
    let value = |at: usize| Content::Value(TypedValue::json(&"x".repeat(200 + at)).unwrap());
    let same = |at: usize| if at == 0 { value(500) } else { Content::Same };
    for damage in damages {
        let folder = tempfile::tempdir().unwrap();
        let checkpointer = open(SqliteCheckpointer::builder(&url(&folder))).await;
        let keep = |checkpoint| checkpointer.save_stored(checkpoint);
        keep(channels(0, &value)).await.unwrap();
        keep(channels(1, &same)).await.unwrap();
        let connection = Connection::open(path(&folder)).unwrap();
        assert!(connection.execute(damage, []).unwrap() > 0);
        // What follows from it cannot be saved.
        let refused = keep(channels(2, &same)).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Corrupt, "{damage}: {refused:?}");
        let mut whole = channels(2, &value);
        for parent_seq in [Some(2), None] {
            whole.parent_seq = parent_seq;
            let seq = keep(whole.clone()).await.unwrap().seq;
            let found = checkpointer.load_stored(&"t".into(), &At::Seq(seq)).await;
            let found = found.unwrap().unwrap().state;
            assert_eq!(found, whole.state.clone().into(), "{damage}");
            let json = json!(vec!["long text ".repeat(100); 20]);
            let checkpoint = Checkpoint::new("t", json.clone()).with_parent(2);
            checkpointer.save(&checkpoint).await.unwrap();
            let found = checkpointer.load_as::<Value>("t").await.unwrap();
            assert_eq!(found.unwrap().state, json, "{damage}");
        }
    }
}

#[tokio::test]
async fn damaged_writes_are_found_wherever_they_are() {
    let change = |what: &str| format!("UPDATE checkpoint_writes SET {what} WHERE task_id = 'a'");
    let damages = [
        change("value = x'00'"),
        change("owner = '#2'"),
        change("owner = '#7'"),
        change("owner = '=id'"),
        change("owner = 'nothing'"),
        change("owner = '=on its way', channel = 'other'"),
    ];
    for damage in damages {
        let folder = tempfile::tempdir().unwrap();
        let checkpointer = open(SqliteCheckpointer::builder(&url(&folder))).await;
        for step in 1..=2 {
            save(&checkpointer, step).await.unwrap();
        }
        let with_id = Checkpoint::new("t", 3).with_id("id");
        checkpointer.save(&with_id).await.unwrap();
        let ats = [At::Seq(1), At::Id("id".into()), At::Id("on its way".into())];
        for (at, task) in ats.iter().zip(["a", "b", "c"]) {
            let writes = TaskWrites::new(task).write("channel", TypedValue::json(&1).unwrap());
            checkpointer
                .put_writes(&"t".into(), at, &writes)
                .await
                .unwrap();
        }
        assert_eq!(checkpointer.verify().await.unwrap(), []);
        let connection = Connection::open(path(&folder)).unwrap();
        assert_eq!(connection.execute(&damage, []).unwrap(), 1, "{damage}");
        let damages = checkpointer.verify().await.unwrap();
        assert_eq!(damages.len(), 1, "{damage}: {damages:?}");
        for seq in 1..=3 {
            let found = checkpointer
                .pending_writes(&"t".into(), &At::Seq(seq))
                .await;
            let of_a = |writes: Vec<PendingWrite>| writes.iter().all(|write| write.task_id != "a");
            assert!(found.is_err() || of_a(found.unwrap()), "{damage}");
        }
    }
}

#[tokio::test]
async fn another_checkpoint_is_not_taken_for_the_newest() {
    let folder = tempfile::tempdir().unwrap();
    let checkpointer = open(SqliteCheckpointer::builder(&url(&folder))).await;
    for step in 1..=3 {
        save(&checkpointer, step).await.unwrap();
    }
    let connection = Connection::open(path(&folder)).unwrap();
    let assert_corrupt = async |damage: &str| {
        assert_eq!(connection.execute(damage, []).unwrap(), 1, "{damage}");
        let found = checkpointer.load_as::<u64>("t").await;
        let kind = found.as_ref().map_err(Error::kind);
        assert_eq!(kind.err(), Some(ErrorKind::Corrupt), "{damage}: {found:?}");
        assert_eq!(checkpointer.verify().await.unwrap().len(), 1, "{damage}");
    };
    for newest in [2, 0, 7] {
        let damage = format!("UPDATE checkpoint_threads SET newest_seq = {newest}");
        assert_corrupt(&damage).await;
    }
    let mend = "UPDATE checkpoint_threads SET newest_seq = 3, checkpoints = 2";
    connection.execute(mend, []).unwrap();
    assert_corrupt("DELETE FROM checkpoints WHERE seq = 3").await;
}

/// A state that is kept in pieces, none of which another number has.
fn long(number: usize) -> Value {
    let entry = |at: usize| format!("{at} of {number}: {}", "word ".repeat(200));
    (0..20).map(entry).collect()
}

#[tokio::test]
async fn a_piece_that_is_missing_is_found_where_it_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let checkpointer = open(SqliteCheckpointer::builder(&url(&folder))).await;
    for number in 0..3 {
        let checkpoint = Checkpoint::new("t", long(number));
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let connection = Connection::open(path(&folder)).unwrap();
    let damage = "DELETE FROM checkpoint_pieces \
        WHERE place = (SELECT min(place) FROM checkpoint_pieces)";
    assert_eq!(connection.execute(damage, []).unwrap(), 1);
    let damages = checkpointer.verify().await.unwrap();
    let seqs: Vec<_> = damages.iter().map(|damage| damage.seq).collect();
    assert_eq!(seqs, [Some(1)], "{damages:?}");
    let refused = checkpointer.load_at_as::<Value>("t", At::Seq(1)).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Corrupt);
    let found = checkpointer.load_at_as::<Value>("t", At::Seq(2)).await;
    assert_eq!(found.unwrap().unwrap().state, long(1));
}

#[tokio::test]
async fn a_row_that_cannot_be_read_refuses_no_deletion() {
    let folder = tempfile::tempdir().unwrap();
    let checkpointer = open(SqliteCheckpointer::builder(&url(&folder))).await;
    for number in 1..=4 {
        let checkpoint = Checkpoint::new("t", long(number)).of_run(number.to_string());
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let connection = Connection::open(path(&folder)).unwrap();
    let count = "SELECT count(*) FROM checkpoint_pieces";
    let counted = || -> i64 { connection.query_row(count, [], |row| row.get(0)).unwrap() };
    let before = counted();
    let damage = "UPDATE checkpoints SET queue_json = CAST(x'ff' AS TEXT) WHERE seq = 3";
    assert_eq!(connection.execute(damage, []).unwrap(), 1);
    for (run, pieces) in [("1", before), ("3", before / 2)] {
        let deleted = checkpointer.delete_runs(&[run.into()]).await;
        assert_eq!(deleted.unwrap(), 1, "{run}");
        assert_eq!(counted(), pieces, "{run}");
    }
    assert_eq!(checkpointer.verify().await.unwrap(), []);
}

#[tokio::test]
async fn a_copy_has_damaged_checkpoints_as_they_are() {
    for (damaged, messages) in [(2, 3), (3, 0)] {
        let folder = tempfile::tempdir().unwrap();
        let builder = SqliteCheckpointer::builder(&url(&folder)).enable_projections(true);
        let checkpointer = open(builder).await;
        for count in 1..=3 {
            let message = json!({ "role": "user", "content": "text" });
            let state = json!({ "messages": vec![message; count] });
            checkpointer
                .save(&Checkpoint::new("t", state))
                .await
                .unwrap();
        }
        let connection = Connection::open(path(&folder)).unwrap();
        let damage =
            format!("UPDATE checkpoints SET checksum = checksum + 1 WHERE seq = {damaged}");
        assert_eq!(connection.execute(&damage, []).unwrap(), 1);
        assert_eq!(checkpointer.copy_thread("t", "copy").await.unwrap(), 3);
        for seq in 1..=3 {
            let found = checkpointer.load_at_as::<Value>("copy", At::Seq(seq)).await;
            assert_eq!(found.is_ok(), seq != damaged, "{seq}: {found:?}");
        }
        let count = "SELECT count(*) FROM messages WHERE thread_id = 'copy'";
        let counted: i64 = connection.query_row(count, [], |row| row.get(0)).unwrap();
        assert_eq!(counted, messages, "{damaged}");
    }
}
