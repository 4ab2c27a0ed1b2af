//! Graphs of the published `wesichain-graph`, stopped and resumed.

use sectile_checkpoint::{MemoryCheckpointer, Records};
use sectile_checkpoint_wesichain::WesichainCheckpointer;
use wesichain_core::checkpoint::{Checkpointer, HistoryCheckpointer};
use wesichain_graph::GraphError;

use super::places;
use super::story::{Story, beginning, branching, printing, resume, stop_before};

/// Stops runs with one checkpointer and lets them go on with another one, as a later process has.
async fn check<R: Records + 'static>(open: impl AsyncFn() -> R) {
    stopped_before_a_branch(&open).await;
    stopped_by_a_failure(&open).await;
}

async fn stopped_before_a_branch<R: Records + 'static>(open: &impl AsyncFn() -> R) {
    let graph = branching(WesichainCheckpointer::new(open().await), "branches");
    let stopped = graph.invoke_graph_with_options(beginning(), stop_before("right"));
    assert!(matches!(stopped.await, Err(GraphError::Interrupted)));
    drop(graph);

    let checkpointer = WesichainCheckpointer::new(open().await);
    let loaded = Checkpointer::<Story>::load(&checkpointer, "branches").await;
    let stopped = loaded.unwrap().unwrap();
    assert_eq!(stopped.state.data.lines, ["draft"]);
    // Each branch has a hash of its path, of which about half do not fit a signed integer.
    let mut queue = stopped.queue.clone();
    queue.sort();
    assert_eq!((&*queue[0].0, &*queue[1].0), ("left", "right"));
    assert!(queue.iter().all(|(_, path)| *path > u64::from(u32::MAX)));

    let graph = branching(checkpointer, "branches");
    let done = graph.invoke_graph_with_options(beginning(), resume());
    assert_eq!(
        done.await.unwrap().data.sorted(),
        ["draft", "left", "right"]
    );
    drop(graph);

    let checkpointer = WesichainCheckpointer::new(open().await);
    let history = HistoryCheckpointer::<Story>::list_checkpoints(&checkpointer, "branches").await;
    let seqs: Vec<u64> = history.unwrap().iter().map(|listed| listed.seq).collect();
    // After the draft, at the stop, after each branch.
    assert_eq!(seqs, [1, 2, 3, 4]);
    let graph = branching(checkpointer, "branches");
    let state = graph.get_state("branches").await.unwrap().unwrap();
    assert_eq!(state.data.sorted(), ["draft", "left", "right"]);
}

async fn stopped_by_a_failure<R: Records + 'static>(open: &impl AsyncFn() -> R) {
    let graph = printing(WesichainCheckpointer::new(open().await), "prints", false);
    let failed = graph.invoke_graph(beginning()).await;
    assert!(matches!(failed, Err(GraphError::NodeFailed { node, .. }) if node == "print"));
    drop(graph);

    let graph = printing(WesichainCheckpointer::new(open().await), "prints", true);
    let done = graph.invoke_graph_with_options(beginning(), resume());
    assert_eq!(done.await.unwrap().data.lines, ["draft", "print"]);
}

#[tokio::test]
async fn a_stopped_run_goes_on_in_memory() {
    let records = MemoryCheckpointer::new();
    check(async || records.clone()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_run_goes_on_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sectile.db");
    check(async || places::sqlite(&path).await).await;
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_run_goes_on_in_postgres() {
    let url = places::fresh_database().await;
    check(async || places::postgres(&url).await).await;
}

#[tokio::test]
async fn a_save_that_fails_ends_the_run() {
    let checkpointer = WesichainCheckpointer::new(MemoryCheckpointer::new());
    // A thread id that no place takes.
    let failed = branching(checkpointer, "").invoke_graph(beginning()).await;
    let message = failed.unwrap_err().to_string();
    assert_eq!(
        message,
        "Invalid configuration: `thread_id` must not be empty"
    );
}

#[tokio::test]
async fn a_run_goes_on_from_a_fork() {
    let records = MemoryCheckpointer::new();
    let checkpointer = WesichainCheckpointer::new(records.clone());
    let graph = printing(checkpointer.clone(), "thread", true);
    graph.invoke_graph(beginning()).await.unwrap();

    let fork = HistoryCheckpointer::<Story>::fork(&checkpointer, "thread", 1).await;
    let graph = printing(checkpointer, &fork.unwrap(), true);
    let done = graph.invoke_graph_with_options(beginning(), resume());
    assert_eq!(done.await.unwrap().data.lines, ["draft", "print"]);
}
