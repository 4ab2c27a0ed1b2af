//! What Wesichain saves, loads, lists and forks.

use std::sync::Arc;

use sectile_checkpoint::{FileCheckpointer, MemoryCheckpointer, Prune, Records, Threads as _};
use sectile_checkpoint_wesichain::WesichainCheckpointer;
use uuid::Uuid;
use wesichain_core::WesichainError;
use wesichain_core::checkpoint::{Checkpoint, Checkpointer, HistoryCheckpointer};
use wesichain_core::state::GraphState;

use super::places;
use super::story::Story;

type History<'c> = &'c dyn HistoryCheckpointer<Story>;

fn checkpoint(thread_id: &str, step: u64) -> Checkpoint<Story> {
    let state = GraphState::new(Story::of(&["once"]));
    Checkpoint::new(thread_id.into(), state, step, "node".into(), Vec::new())
}

async fn load(
    checkpointer: &dyn Checkpointer<Story>,
    thread_id: &str,
) -> Option<Checkpoint<Story>> {
    checkpointer.load(thread_id).await.unwrap()
}

/// Saves checkpoints of every kind and loads each.
async fn check_round_trip(records: impl Records) {
    let checkpointer = WesichainCheckpointer::new(records);
    assert_eq!(load(&checkpointer, "unknown").await, None);

    let plain = checkpoint("thread", 1);
    let mut full = checkpoint("Käufe/日本 🦀", 9);
    full.state.data = Story {
        lines: vec!["“Ünïcode”".into(), "\0\n\\\"".into(), String::new()],
        weight: 0.1 + 0.2,
    };
    full.queue = vec![
        ("left".into(), 0),
        ("終".into(), u64::MAX),
        ("left".into(), 7),
    ];
    let mut odd = checkpoint("odd", 0);
    odd.node = String::new();
    odd.created_at = "yesterday".into();
    for saved in [plain, full, odd] {
        checkpointer.save(&saved).await.unwrap();
        assert_eq!(load(&checkpointer, &saved.thread_id).await, Some(saved));
    }
}

#[tokio::test]
async fn a_checkpoint_loads_as_it_was_saved_in_memory() {
    check_round_trip(MemoryCheckpointer::new()).await;
}

#[tokio::test]
async fn a_checkpoint_loads_as_it_was_saved_behind_a_pointer() {
    let records: Arc<dyn Records> = Arc::new(MemoryCheckpointer::new());
    check_round_trip(records).await;
}

#[tokio::test]
async fn a_checkpoint_loads_as_it_was_saved_in_files() {
    let folder = tempfile::tempdir().unwrap();
    check_round_trip(FileCheckpointer::new(folder.path()).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_checkpoint_loads_as_it_was_saved_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    check_round_trip(places::sqlite(&folder.path().join("sectile.db")).await).await;
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_checkpoint_loads_as_it_was_saved_in_postgres() {
    check_round_trip(places::postgres(&places::fresh_database().await).await).await;
}

#[tokio::test]
async fn the_time_that_wesichain_says_is_that_of_the_checkpoint() {
    let records = MemoryCheckpointer::new();
    let mut saved = checkpoint("thread", 1);
    saved.created_at = "2026-11-21T09:00:00.123456789+01:00".into();
    let checkpointer = WesichainCheckpointer::new(records.clone());
    checkpointer.save(&saved).await.unwrap();
    let loaded: sectile_checkpoint::Checkpoint<serde_json::Value> =
        sectile_checkpoint::Checkpointer::load(&records, "thread")
            .await
            .unwrap()
            .unwrap();
    assert_eq!(loaded.created_at, 1_795_248_000_123);
    assert_eq!(loaded.metadata["created_at"], *saved.created_at);
    assert_eq!(loaded.state["data"]["lines"][0], "once");
}

#[tokio::test]
async fn a_checkpoint_that_was_saved_without_wesichain_loads() {
    let records = MemoryCheckpointer::new();
    let state = serde_json::json!({"data": {"lines": ["once"], "weight": 1}});
    let saved = sectile_checkpoint::Checkpoint::new("thread", state)
        .with_pending("left", 3)
        .with_created_at(1_795_248_000_123);
    sectile_checkpoint::Checkpointer::save(&records, &saved)
        .await
        .unwrap();
    let loaded = load(&WesichainCheckpointer::new(records), "thread").await;
    let loaded = loaded.unwrap();
    assert_eq!((loaded.node.as_str(), loaded.step), ("", 0));
    assert_eq!(loaded.queue, [("left".to_owned(), 3)]);
    assert_eq!(loaded.created_at, "2026-11-21T08:00:00.123+00:00");
}

#[tokio::test]
async fn a_history_has_every_checkpoint_oldest_first() {
    let checkpointer = WesichainCheckpointer::new(MemoryCheckpointer::new());
    let history: History = &checkpointer;
    assert_eq!(history.list_checkpoints("thread").await.unwrap(), []);
    // As many as take several pages, with steps that repeat, as those of a resumed graph may.
    let mut times = Vec::new();
    for at in 0..250 {
        let mut saved = checkpoint("thread", at % 7);
        saved.created_at = format!("time {at}");
        checkpointer.save(&saved).await.unwrap();
        times.push(saved.created_at);
    }
    let listed = history.list_checkpoints("thread").await.unwrap();
    let (seqs, listed): (Vec<_>, Vec<_>) = listed
        .into_iter()
        .map(|listed| (listed.seq, listed.created_at))
        .unzip();
    assert_eq!(seqs, (1..=250).collect::<Vec<u64>>());
    assert_eq!(listed, times);

    let records = checkpointer.records();
    records.prune(&Prune::keep_latest(100)).await.unwrap();
    let listed = history.list_checkpoints("thread").await.unwrap();
    assert_eq!((listed[0].seq, listed.len()), (151, 100));
}

#[tokio::test]
async fn a_fork_goes_on_by_itself() {
    let checkpointer = WesichainCheckpointer::new(MemoryCheckpointer::new());
    let history: History = &checkpointer;
    for step in 1..=4 {
        checkpointer
            .save(&checkpoint("thread", step))
            .await
            .unwrap();
    }
    let fork = history.fork("thread", 2).await.unwrap();
    assert_eq!(Uuid::parse_str(&fork).unwrap().get_version_num(), 4);
    checkpointer.save(&checkpoint("thread", 5)).await.unwrap();
    assert_eq!(history.list_checkpoints(&fork).await.unwrap().len(), 2);
    let latest = load(&checkpointer, &fork).await.unwrap();
    assert_eq!((latest.step, latest.thread_id), (2, fork));

    let refused = history.fork("thread", 99).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Checkpoint failed: thread `thread` has no checkpoint 99"
    );
}

#[tokio::test]
async fn a_thread_without_text_is_refused_as_configuration() {
    let checkpointer = WesichainCheckpointer::new(MemoryCheckpointer::new());
    let (saver, history): (&dyn Checkpointer<Story>, History) = (&checkpointer, &checkpointer);
    for refused in [
        saver.save(&checkpoint("", 1)).await.err(),
        saver.load("").await.err(),
        history.list_checkpoints("").await.err(),
        saver.save(&checkpoint("thread", u64::MAX)).await.err(),
    ] {
        assert!(
            matches!(refused, Some(WesichainError::InvalidConfig(_))),
            "{refused:?}"
        );
    }
}

#[tokio::test]
async fn what_json_does_not_hold_is_refused_with_its_place() {
    let checkpointer = WesichainCheckpointer::new(MemoryCheckpointer::new());
    let mut saved = checkpoint("thread", 1);
    saved.state.data.weight = f64::NAN;
    let refused = checkpointer.save(&saved).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "Checkpoint failed: the checkpoint of thread `thread` cannot be saved: NaN is not a number \
         of JSON at `state.data.weight`"
    );
    assert_eq!(load(&checkpointer, "thread").await, None);
}

#[tokio::test]
async fn a_state_of_another_type_is_refused_with_its_place() {
    let records = MemoryCheckpointer::new();
    let state = serde_json::json!({"data": {"lines": [7], "weight": 1}});
    let saved = sectile_checkpoint::Checkpoint::new("thread", state);
    sectile_checkpoint::Checkpointer::save(&records, &saved)
        .await
        .unwrap();
    let checkpointer = WesichainCheckpointer::new(records);
    let checkpointer: &dyn Checkpointer<Story> = &checkpointer;
    let refused = checkpointer.load("thread").await.unwrap_err().to_string();
    assert!(refused.starts_with("Checkpoint failed: checkpoint 1 of thread `thread`"));
    assert!(refused.ends_with("at `state.data.lines[0]`"), "{refused}");
}

#[cfg(feature = "sqlite")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_busy_database_says_that_a_retry_may_help() {
    use sqlx::{Connection as _, SqliteConnection};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sectile.db");
    drop(places::sqlite(&path).await);
    let url = format!("sqlite:{}", path.display());
    let builder = sectile_checkpoint_sqlite::SqliteCheckpointer::builder(&url);
    let builder = builder.busy_timeout(std::time::Duration::from_millis(50));
    let checkpointer = WesichainCheckpointer::new(builder.connect().await.unwrap());

    let mut other = SqliteConnection::connect(&url).await.unwrap();
    let lock = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let refused = checkpointer.save(&checkpoint("thread", 1)).await;
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.ends_with(sectile_checkpoint_wesichain::MAY_RETRY),
        "{refused}"
    );
    drop(lock);
    other.close().await.unwrap();
    checkpointer.save(&checkpoint("thread", 1)).await.unwrap();
}
