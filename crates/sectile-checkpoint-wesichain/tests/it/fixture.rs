//! What the fixtures hold, which `write-wesichain-database` writes.

use sectile_checkpoint::{Checkpoint, CheckpointHistory as _, Records};
use sectile_checkpoint_wesichain::{Imported, WesichainCheckpointer};
use serde_json::Value;
use wesichain_core::checkpoint::{Checkpointer, HistoryCheckpointer};

use super::story::{Story, beginning, branching, resume};

/// What a first import of one says.
pub(crate) const IN_FIXTURES: Imported = Imported {
    threads: 2,
    saved: 4,
    known: 0,
};

/// Checks what was imported of a fixture, and lets its run go on.
pub(crate) async fn check_fixture(records: impl Records + Clone + 'static) {
    let thread = "Käufe/日本 🦀";
    let checkpointer = WesichainCheckpointer::new(records.clone());
    let latest = Checkpointer::<Story>::load(&checkpointer, thread).await;
    let latest = latest.unwrap().unwrap();
    assert_eq!(latest.state.data.lines, ["“Ünïcode”", "\0\n\\\"", "終わり"]);
    assert_eq!(
        latest.state.data.weight.to_bits(),
        (0.1_f64 + 0.2).to_bits()
    );
    assert_eq!((latest.node.as_str(), latest.step), ("publish", 3));
    assert_eq!(latest.created_at, "2026-11-21T08:00:03.123456789+00:00");
    assert!(latest.queue.is_empty());

    let history = HistoryCheckpointer::<Story>::list_checkpoints(&checkpointer, thread).await;
    let history: Vec<_> = history
        .unwrap()
        .into_iter()
        .map(|at| at.created_at)
        .collect();
    let expected = [1, 2, 3].map(|second| format!("2026-11-21T08:00:0{second}.123456789+00:00"));
    assert_eq!(history, expected);

    let second: Checkpoint<Value> = records.load_at(thread, 2).await.unwrap().unwrap();
    assert_eq!(second.id.as_deref(), Some("wesichain-2"));
    assert_eq!(second.created_at, 1_795_248_002_123);
    assert_eq!(
        (&*second.queue[0].node, second.queue[0].step),
        ("publish", u64::MAX)
    );

    let graph = branching(checkpointer, "interrupted");
    let done = graph.invoke_graph_with_options(beginning(), resume()).await;
    assert_eq!(done.unwrap().data.sorted(), ["draft", "left", "right"]);
}
