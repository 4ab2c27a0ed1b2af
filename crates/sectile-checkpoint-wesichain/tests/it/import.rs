//! Rows that Wesichain wrote, whatever they come from.

use futures_util::stream;
use sectile_checkpoint::{At, Checkpoint, Checkpointer as _, MemoryCheckpointer, Prune, Records};
use sectile_checkpoint::{CheckpointHistory as _, CheckpointQuery, Threads as _};
use sectile_checkpoint_wesichain::{ImportError, Imported, WesichainRow, import};
use serde_json::{Value, json};

fn row(thread_id: &str, seq: i64) -> WesichainRow {
    WesichainRow {
        thread_id: thread_id.into(),
        seq,
        created_at: "2026-11-21T08:00:00+00:00".into(),
        node: Some("node".into()),
        step: Some(seq),
        state_json: format!(r#"{{"data":{{"lines":["{seq}"],"weight":0.5}}}}"#),
        queue_json: r#"[["next",3]]"#.into(),
    }
}

fn rows(thread_id: &str, seqs: impl IntoIterator<Item = i64>) -> Vec<WesichainRow> {
    seqs.into_iter().map(|seq| row(thread_id, seq)).collect()
}

async fn import_rows(
    rows: Vec<WesichainRow>,
    into: &MemoryCheckpointer,
) -> Result<Imported, ImportError> {
    import(stream::iter(rows.into_iter().map(Ok)), into).await
}

/// The ids of a thread's checkpoints, newest first.
async fn ids(records: &MemoryCheckpointer, thread_id: &str) -> Vec<String> {
    let query = CheckpointQuery::default();
    let listed: Vec<Checkpoint<Value>> = records.list(thread_id, &query).await.unwrap();
    listed
        .into_iter()
        .map(|kept| kept.id.unwrap_or_default())
        .collect()
}

#[tokio::test]
async fn numbers_that_a_thread_lacks_leave_no_gap() {
    let records = MemoryCheckpointer::new();
    let imported = import_rows(rows("thread", [3, 5, 9]), &records)
        .await
        .unwrap();
    assert_eq!((imported.threads, imported.saved), (1, 3));
    assert_eq!(
        ids(&records, "thread").await,
        ["wesichain-9", "wesichain-5", "wesichain-3"]
    );
    let latest: Checkpoint<Value> = records.load("thread").await.unwrap().unwrap();
    assert_eq!((latest.seq, latest.step), (3, 9));
}

#[tokio::test]
async fn a_state_stays_as_it_was_written() {
    let records = MemoryCheckpointer::new();
    let state_json = r#"{"data": {"b": 123456789012345678901234567890, "a": 1.50}}"#;
    let row = WesichainRow {
        state_json: state_json.into(),
        node: None,
        step: None,
        created_at: "once".into(),
        ..row("thread", 1)
    };
    import_rows(vec![row], &records).await.unwrap();
    let kept = records
        .fetch(&"thread".into(), &At::Latest)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(kept.state.as_json(), Some(state_json));
    assert_eq!((kept.node, kept.step), (None, 0));
    assert_eq!(kept.metadata["created_at"], "once");
    assert!(kept.created_at > 0);
}

#[tokio::test]
async fn a_repeated_import_saves_what_is_new() {
    let records = MemoryCheckpointer::new();
    import_rows(rows("thread", 1..=2), &records).await.unwrap();
    let again = [rows("thread", 1..=4), rows("other", 1..=1)].concat();
    let imported = import_rows(again, &records).await.unwrap();
    let expected = Imported {
        threads: 2,
        saved: 3,
        known: 2,
    };
    assert_eq!(imported, expected);
    assert_eq!(ids(&records, "thread").await.len(), 4);
}

#[tokio::test]
async fn what_was_pruned_since_stays_away() {
    let records = MemoryCheckpointer::new();
    import_rows(rows("thread", 1..=3), &records).await.unwrap();
    records.prune(&Prune::keep_latest(1)).await.unwrap();
    let imported = import_rows(rows("thread", 1..=4), &records).await.unwrap();
    assert_eq!((imported.saved, imported.known), (1, 3));
    assert_eq!(
        ids(&records, "thread").await,
        ["wesichain-4", "wesichain-3"]
    );
}

#[tokio::test]
async fn a_thread_that_went_on_takes_no_new_rows() {
    let records = MemoryCheckpointer::new();
    import_rows(rows("thread", 1..=2), &records).await.unwrap();
    records
        .save(&Checkpoint::new("thread", json!({})))
        .await
        .unwrap();
    let imported = import_rows(rows("thread", 1..=2), &records).await.unwrap();
    assert_eq!((imported.saved, imported.known), (0, 2));

    let refused = import_rows(rows("thread", 1..=3), &records)
        .await
        .unwrap_err();
    assert!(
        matches!(&refused, ImportError::ThreadWentOn { thread_id, seq: 3 } if thread_id == "thread"),
        "{refused:?}"
    );
    assert_eq!(
        ids(&records, "thread").await,
        ["", "wesichain-2", "wesichain-1"]
    );
}

#[tokio::test]
async fn a_thread_of_another_database_is_refused() {
    let records = MemoryCheckpointer::new();
    import_rows(rows("thread", 1..=1), &records).await.unwrap();
    let other = WesichainRow {
        state_json: r#"{"data":{}}"#.into(),
        ..row("thread", 1)
    };
    let refused = import_rows(vec![other], &records).await.unwrap_err();
    assert!(
        matches!(
            &refused,
            ImportError::Unsaved {
                source: sectile_checkpoint::Error::IdConflict { .. },
                ..
            }
        ),
        "{refused:?}"
    );
}

#[tokio::test]
async fn rows_out_of_order_are_refused() {
    for seqs in [[2, 1], [1, 1]] {
        let records = MemoryCheckpointer::new();
        let refused = import_rows(rows("thread", seqs), &records)
            .await
            .unwrap_err();
        assert!(
            matches!(
                &refused,
                ImportError::InvalidRow {
                    column: "seq",
                    seq: 1,
                    ..
                }
            ),
            "{refused:?}"
        );
    }
    // Threads may take turns.
    let turns = [row("one", 1), row("other", 1), row("one", 2)];
    let imported = import_rows(turns.into(), &MemoryCheckpointer::new())
        .await
        .unwrap();
    assert_eq!((imported.threads, imported.saved), (2, 3));
}

#[tokio::test]
async fn a_row_that_does_not_parse_is_named() {
    let good = row("thread", 7);
    let deep = format!("{}{}", "[".repeat(128), "]".repeat(128));
    for (bad, column, reason) in [
        (
            WesichainRow {
                state_json: "{".into(),
                ..good.clone()
            },
            "state_json",
            "is not JSON: EOF",
        ),
        (
            WesichainRow {
                state_json: deep,
                ..good.clone()
            },
            "state_json",
            "is not JSON: recursion",
        ),
        (
            WesichainRow {
                state_json: r#""\ud800""#.into(),
                ..good.clone()
            },
            "state_json",
            "is not JSON",
        ),
        (
            WesichainRow {
                queue_json: r#"["next"]"#.into(),
                ..good.clone()
            },
            "queue_json",
            "is not a queue",
        ),
        (
            WesichainRow {
                queue_json: r#"[["n",-1]]"#.into(),
                ..good.clone()
            },
            "queue_json",
            "is not a queue",
        ),
        (
            WesichainRow {
                step: Some(-1),
                ..good.clone()
            },
            "step",
            "is negative",
        ),
    ] {
        let records = MemoryCheckpointer::new();
        let refused = import_rows(vec![row("thread", 6), bad], &records)
            .await
            .unwrap_err();
        let expected =
            format!("checkpoint 7 of thread `thread` cannot be imported: `{column}` {reason}");
        assert!(refused.to_string().starts_with(&expected), "{refused}");
        // What stands before is there, and a mended row goes on.
        assert_eq!(ids(&records, "thread").await, ["wesichain-6"]);
        let imported = import_rows(vec![row("thread", 6), good.clone()], &records)
            .await
            .unwrap();
        assert_eq!((imported.saved, imported.known), (1, 1));
    }
}

#[tokio::test]
async fn a_thread_that_no_place_takes_is_refused() {
    let refused = import_rows(rows("", 1..=1), &MemoryCheckpointer::new())
        .await
        .unwrap_err();
    assert!(
        matches!(
            &refused,
            ImportError::Unsaved {
                source: sectile_checkpoint::Error::InvalidArgument { .. },
                ..
            }
        ),
        "{refused:?}"
    );
}
