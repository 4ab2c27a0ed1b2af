//! Wesichain's own checkpointer of files, in the same program.

use sectile_checkpoint_wesichain::WesichainCheckpointer;
use wesichain_core::checkpoint::{Checkpointer, HistoryCheckpointer};
use wesichain_graph::{FileCheckpointer, GraphError};

use super::places;
use super::story::{Story, beginning, branching, resume, stop_before};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_file_checkpointer_of_wesichain_works_beside() {
    let folder = tempfile::tempdir().unwrap();
    let files = FileCheckpointer::new(folder.path().join("files"));
    let sqlite = places::sqlite(&folder.path().join("sectile.db")).await;
    let sqlite = WesichainCheckpointer::new(sqlite);

    let with_files = branching(files.clone(), "thread");
    let with_sqlite = branching(sqlite.clone(), "thread");
    for graph in [&with_files, &with_sqlite] {
        let stopped = graph.invoke_graph_with_options(beginning(), stop_before("left"));
        assert!(matches!(stopped.await, Err(GraphError::Interrupted)));
    }
    for graph in [&with_files, &with_sqlite] {
        let done = graph.invoke_graph_with_options(beginning(), resume()).await;
        assert_eq!(done.unwrap().data.sorted(), ["draft", "left", "right"]);
    }

    // Both have the same numbers, and a checkpoint goes from one to the other.
    let mut seqs = Vec::new();
    for history in [&files as &dyn HistoryCheckpointer<Story>, &sqlite] {
        let listed = history.list_checkpoints("thread").await.unwrap();
        seqs.push(listed.iter().map(|listed| listed.seq).collect::<Vec<_>>());
    }
    assert_eq!(seqs[0], seqs[1]);
    let mut latest = Checkpointer::<Story>::load(&files, "thread")
        .await
        .unwrap()
        .unwrap();
    latest.thread_id = "moved".into();
    sqlite.save(&latest).await.unwrap();
    let moved = Checkpointer::<Story>::load(&sqlite, "moved").await.unwrap();
    assert_eq!(moved, Some(latest));
}
