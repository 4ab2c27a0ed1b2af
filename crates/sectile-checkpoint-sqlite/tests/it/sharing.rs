//! What is stored of states that have entries in common.

use sectile_checkpoint::{
    At, Channels, Checkpoint, Content, ErrorKind, Prune, RecordsExt as _, StoredState,
    Threads as _, TypedValue,
};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use sectile_sqlite::rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::engine::fresh;

struct Opened {
    folder: TempDir,
    checkpointer: SqliteCheckpointer,
}

impl Opened {
    async fn new() -> Self {
        let (folder, checkpointer) = fresh().await;
        Self {
            folder,
            checkpointer,
        }
    }

    async fn save(&self, state: impl Into<StoredState>) {
        let state: StoredState = state.into();
        let checkpoint = Checkpoint::new("t", state.clone());
        self.checkpointer.save_stored(checkpoint).await.unwrap();
        let key = "t".into();
        let found = self.checkpointer.load_stored(&key, &At::Latest);
        let found = found.await.unwrap();
        assert_eq!(found.unwrap().state, state);
    }

    /// Returns how many pieces there are, and how many bytes they and the layouts that name them have.
    fn stored(&self) -> (usize, usize) {
        let connection = Connection::open(self.folder.path().join("checkpoints.db")).unwrap();
        let sums = "SELECT (SELECT count(*) FROM checkpoint_pieces), \
                    (SELECT sum(length(piece)) FROM checkpoint_pieces) \
                    + (SELECT sum(length(state)) FROM checkpoints WHERE form > 2)";
        let sums = connection.query_row(sums, [], |row| {
            Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?))
        });
        let (pieces, bytes) = sums.unwrap();
        (pieces as usize, bytes as usize)
    }
}

#[tokio::test]
async fn long_bytes_of_a_kind_stand_in_no_row() {
    let opened = Opened::new().await;
    let of_text = |number, bytes| TypedValue::new("msgpack", text(number, bytes).into_bytes());
    for (number, bytes) in [(1, 200_000), (2, 200_000), (3, 200_000), (4, 8_000)] {
        opened
            .save(StoredState::Value(of_text(number, bytes)))
            .await;
    }
    let connection = Connection::open(opened.folder.path().join("checkpoints.db")).unwrap();
    let longest = "SELECT max(length(state)) FROM checkpoints";
    let longest: u32 = connection.query_row(longest, [], |row| row.get(0)).unwrap();
    assert_eq!(longest, 8_000);
    assert_eq!(opened.stored().0, 3 * 4);

    let copied = opened.checkpointer.copy_thread("t", "copy").await;
    copied.unwrap();
    opened.checkpointer.delete_thread("t").await.unwrap();
    assert_eq!(opened.stored().0, 3 * 4);
    let copy = "copy".into();
    let first = opened.checkpointer.load_stored(&copy, &At::Seq(1));
    let first = first.await.unwrap().unwrap().state;
    assert_eq!(first, StoredState::Value(of_text(1, 200_000)));
    assert_eq!(opened.checkpointer.verify().await.unwrap(), []);

    let damage = "UPDATE checkpoint_pieces SET piece = CAST(substr(piece, 2) || x'00' AS BLOB) \
                  WHERE place = (SELECT max(place) FROM checkpoint_pieces)";
    connection.execute(damage, []).unwrap();
    let third = opened.checkpointer.load_stored(&copy, &At::Seq(3));
    let error = third.await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
}

/// Text that does not compress to nothing.
fn text(seed: u64, bytes: usize) -> String {
    let mut state = seed;
    let mut letter = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        char::from(b'a' + (state >> 33) as u8 % 26)
    };
    (0..bytes).map(|_| letter()).collect()
}

fn as_json(entries: &[String]) -> StoredState {
    StoredState::json(json!({ "messages": entries }).to_string())
}

fn as_list(entries: &[String]) -> StoredState {
    let entries = entries.iter().map(|entry| TypedValue::json(entry).unwrap());
    let entries: Vec<TypedValue> = entries.collect();
    let version = entries.len().to_string();
    Channels::new().with("messages", &version, entries).into()
}

#[tokio::test]
async fn an_answer_that_is_given_again_and_again_cuts_no_list_into_runs() {
    for state in [as_json, as_list] {
        let opened = Opened::new().await;
        let (mut entries, mut whole) = (Vec::new(), 0);
        for step in 0..400 {
            entries.extend([text(step, 100), "ok".to_owned()]);
            let state = state(&entries);
            whole = state.size();
            opened.save(state).await;
        }
        let (_, bytes) = opened.stored();
        assert!(bytes < 2 * whole, "{bytes} for {whole}");
    }
}

#[tokio::test]
async fn a_last_entry_that_is_written_again_and_again_costs_what_it_is() {
    let counted = |entries: &[String]| {
        StoredState::json(json!({ "messages": entries, "step": entries.len() }).to_string())
    };
    for state in [as_json, as_list, counted] {
        let opened = Opened::new().await;
        let (mut entries, mut written) = (Vec::new(), 0);
        for step in 0..600 {
            drop(entries.pop());
            entries.extend([text(step, 300), text(step + 1_000, 300)]);
            written += 600;
            opened.save(state(&entries)).await;
        }
        let (_, bytes) = opened.stored();
        assert!(bytes < 2 * written, "{bytes} for {written}");
        // What is no longer needed goes, and nothing else.
        let prune = Prune::keep_latest(3);
        assert!(opened.checkpointer.prune(&prune).await.unwrap() > 500);
        assert_eq!(opened.checkpointer.verify().await.unwrap(), []);
        opened.save(state(&entries)).await;
    }
}

#[tokio::test]
async fn what_stands_twice_in_a_state_is_stored_once_if_it_is_long() {
    for state in [as_json, as_list] {
        let opened = Opened::new().await;
        let long: Vec<String> = (0..20).map(|at| text(at % 2, 2_000)).collect();
        opened.save(state(&long)).await;
        assert_eq!(opened.stored().0, 2);
    }
    let opened = Opened::new().await;
    let value = Content::Value(TypedValue::json(&text(1, 9_000)).unwrap());
    let twice = Channels::new()
        .with("one", "1", value.clone())
        .with("other", "1", value);
    opened.save(twice).await;
    assert_eq!(opened.stored().0, 1);
}

#[tokio::test]
async fn entries_that_move_are_stored_once() {
    let long: Vec<String> = (0..40).map(|at| text(at, 1_500)).collect();
    let short: Vec<String> = (0..200).map(|at| text(at, 100)).collect();
    for state in [as_json, as_list] {
        let opened = Opened::new().await;
        opened.save(state(&long)).await;
        let backwards: Vec<String> = long.iter().rev().cloned().collect();
        opened.save(state(&backwards)).await;
        // The list of 40 runs may be a piece, too.
        assert!(opened.stored().0 <= 41, "{}", opened.stored().0);

        let opened = Opened::new().await;
        opened.save(state(&short)).await;
        let (before, _) = opened.stored();
        let mut edited = short.clone();
        drop(edited.remove(0));
        edited.insert(50, text(1_000, 100));
        edited[150] = text(1_001, 100);
        opened.save(state(&edited)).await;
        let added = opened.stored().0 - before;
        assert!(added <= 8, "{added}");
    }
}

#[tokio::test]
async fn long_values_that_compress_take_fewer_bytes() {
    let opened = Opened::new().await;
    let state: Value = json!({ "notes": vec!["the same words again, ".repeat(60); 30] });
    let state = StoredState::json(state.to_string());
    let whole = state.size();
    opened.save(state).await;
    assert!(opened.stored().1 * 4 < whole);
}
