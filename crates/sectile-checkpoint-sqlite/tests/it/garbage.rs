//! Pieces that nothing needs any more.

use std::path::PathBuf;

use sectile_checkpoint::{
    At, Channels, Checkpoint, Content, Prune, RecordsExt as _, StoredState, Threads as _,
    TypedValue,
};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use sectile_sqlite::rusqlite::Connection;
use serde_json::{Map, json};
use tempfile::TempDir;

use crate::engine::fresh;

/// A checkpointer, and its file seen past it.
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

    fn connection(&self) -> Connection {
        let path: PathBuf = self.folder.path().join("checkpoints.db");
        Connection::open(path).unwrap()
    }

    /// Counts the pieces with a text.
    fn count(&self, text: &str) -> i64 {
        let count = "SELECT count(*) FROM checkpoint_pieces WHERE instr(piece, $1) > 0";
        self.connection()
            .query_row(count, [text], |row| row.get(0))
            .unwrap()
    }

    async fn save(&self, state: StoredState) -> u64 {
        let checkpoint = Checkpoint::new("t", state);
        self.checkpointer.save_stored(checkpoint).await.unwrap().seq
    }

    async fn load(&self, seq: u64) -> StoredState {
        let (key, at) = ("t".into(), At::Seq(seq));
        let found = self.checkpointer.load_stored(&key, &at).await;
        found.unwrap().unwrap().state
    }

    async fn prune(&self, keep: u64) -> u64 {
        let prune = Prune::keep_latest(keep);
        self.checkpointer.prune(&prune).await.unwrap()
    }

    async fn verify(&self) {
        assert_eq!(self.checkpointer.verify().await.unwrap(), []);
    }
}

/// Members so many that the list of their pieces is a piece of its own, the first of which is given.
fn members(first: &str) -> impl Iterator<Item = (String, String)> {
    let member = move |at: usize| {
        let text = if at == 0 { first } else { "kept" };
        (
            format!("member {at:03}"),
            format!("{text} {at} ").repeat(60),
        )
    };
    (0..100).map(member).collect::<Vec<_>>().into_iter()
}

fn as_json(first: &str) -> StoredState {
    let members = members(first).map(|(name, text)| (name, json!(text)));
    StoredState::json(json!(members.collect::<Map<_, _>>()).to_string())
}

fn as_channels(first: &str) -> StoredState {
    let add = |state: Channels, (name, text): (String, String)| {
        state.with(&name, "1", Content::Value(TypedValue::json(&text).unwrap()))
    };
    members(first).fold(Channels::new(), add).into()
}

async fn what_every_checkpoint_replaces_goes(state: fn(&str) -> StoredState) {
    let opened = Opened::new().await;
    opened.save(state("secret")).await;
    for number in 2..6 {
        opened.save(state(&format!("number {number}"))).await;
    }
    assert_eq!(opened.count("secret"), 1);
    opened.verify().await;
    // The first is the one that the others are like; they replace one of its members.
    assert_eq!(opened.prune(3).await, 2);
    assert_eq!((opened.count("secret"), opened.count("number 2")), (0, 0));
    opened.verify().await;
    for seq in 3..6 {
        assert_eq!(opened.load(seq).await, state(&format!("number {seq}")));
    }
    // A value that is gone is stored anew.
    for (seq, first) in [(6, "secret"), (7, "number 3"), (8, "number 8")] {
        assert_eq!(opened.save(state(first)).await, seq);
        assert_eq!(opened.load(seq).await, state(first));
        opened.verify().await;
    }
    assert_eq!(opened.count("secret"), 1);
    assert_eq!(opened.count("kept"), 99);
    assert_eq!(opened.prune(1).await, 5);
    assert_eq!((opened.count("secret"), opened.count("number")), (0, 1));
    assert_eq!(opened.load(8).await, state("number 8"));
    opened.verify().await;
}

#[tokio::test]
async fn json_that_every_checkpoint_replaces_goes() {
    what_every_checkpoint_replaces_goes(as_json).await;
}

#[tokio::test]
async fn channels_that_every_checkpoint_replaces_go() {
    what_every_checkpoint_replaces_goes(as_channels).await;
}

#[tokio::test]
async fn what_an_earlier_release_left_is_no_damage_and_goes() {
    let opened = Opened::new().await;
    for first in ["secret", "number 2", "number 3"] {
        opened.save(as_json(first)).await;
    }
    let connection = opened.connection();
    let keep = "CREATE TABLE kept AS SELECT * FROM checkpoint_pieces WHERE instr(piece, 'secret')";
    connection.execute_batch(keep).unwrap();
    opened.prune(2).await;
    let restore = "INSERT INTO checkpoint_pieces SELECT * FROM kept; DROP TABLE kept";
    connection.execute_batch(restore).unwrap();
    assert_eq!(opened.count("secret"), 1);
    opened.verify().await;
    opened.prune(1).await;
    assert_eq!(opened.count("secret"), 0);
    opened.verify().await;
}
