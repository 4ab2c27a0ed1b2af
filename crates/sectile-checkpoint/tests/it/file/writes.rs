//! What tasks wrote beside checkpoints whose states cannot be read.

use sectile_checkpoint::{At, Key, RecordsExt as _, TaskWrites, TypedValue};

use super::*;

fn task(name: &str) -> TaskWrites {
    TaskWrites::new(name).write("a", TypedValue::new("x", *b"bytes"))
}

#[tokio::test]
async fn writes_that_came_before_their_checkpoint_are_verified() {
    let (folder, checkpointer) = in_new_folder();
    let (key, early) = (Key::from("thread"), At::Id("early".into()));
    let put = checkpointer.put_writes(&key, &early, &task("one")).await;
    put.unwrap();
    assert_eq!(checkpointer.verify().await.unwrap(), []);
    let [path] = files(folder.path(), "writes").try_into().unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[30] ^= 1;
    fs::write(&path, bytes).unwrap();
    let [damage] = checkpointer.verify().await.unwrap().try_into().unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let is_named = damage.what.contains(name) && damage.what.contains("a line was changed");
    assert!(is_named, "{damage}");
}

#[tokio::test]
async fn a_damaged_piece_keeps_no_writes_from_being_kept_and_read() {
    let (folder, checkpointer) = in_new_folder();
    let state = vec!["x".repeat(500); 30];
    for (id, created_at) in [(None, 1), (Some("id"), 2)] {
        let mut checkpoint = Checkpoint::new("thread", state.clone()).with_created_at(created_at);
        checkpoint.id = id.map(str::to_owned);
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("xxx", "xyx", 1)).unwrap();
    let key = Key::from("thread");
    for (at, name) in [(At::Seq(1), "one"), (At::Latest, "two")] {
        let refused = checkpointer.load_stored(&key, &at).await;
        assert!(matches!(refused, Err(Error::Corrupt { .. })), "{refused:?}");
        checkpointer
            .put_writes(&key, &at, &task(name))
            .await
            .unwrap();
        let found = checkpointer.pending_writes(&key, &at).await.unwrap();
        assert_eq!(found, task(name).pending().collect::<Vec<_>>());
    }
    let of_id = checkpointer
        .pending_writes(&key, &At::Id("id".into()))
        .await;
    assert_eq!(of_id.unwrap(), task("two").pending().collect::<Vec<_>>());
}
