//! Writes and copies that were not finished.

use super::*;

#[tokio::test]
async fn writes_cut_off_anywhere_are_those_of_whole_tasks() {
    let (folder, checkpointer, _, _) = with_thread(&["one"]).await;
    let (key, at) = (Key::from("thread"), At::Seq(1));
    let of_task = |task: &str| {
        let value = || TypedValue::new("x", *b"bytes");
        let writes = TaskWrites::new(task).write("a", value());
        writes.write("b", value()).write("__resume__", value())
    };
    let mut ends = Vec::new();
    for task in ["1", "2"] {
        let put = checkpointer.put_writes(&key, &at, &of_task(task)).await;
        put.unwrap();
        let [path] = files(folder.path(), "writes").try_into().unwrap();
        ends.push(fs::read(&path).unwrap().len());
    }
    let [path] = files(folder.path(), "writes").try_into().unwrap();
    let bytes = fs::read(&path).unwrap();
    for end in 0..=bytes.len() {
        fs::write(&path, &bytes[..end]).unwrap();
        let whole = ends.iter().filter(|whole| **whole <= end).count();
        let found = async || checkpointer.pending_writes(&key, &at).await.unwrap();
        assert_eq!(found().await.len(), 3 * whole, "{end}");
        let put = checkpointer.put_writes(&key, &at, &of_task("3")).await;
        put.unwrap();
        let found = found().await;
        let tasks: Vec<&str> = found.iter().map(|found| &*found.task_id).collect();
        let expected = [&["1", "2"][..whole], &["3"]].concat();
        assert_eq!(
            tasks,
            expected
                .iter()
                .flat_map(|task| [*task; 3])
                .collect::<Vec<_>>(),
            "{end}"
        );
    }
}

#[tokio::test]
async fn what_a_crash_left_of_a_copy_is_not_in_the_way_of_the_next() {
    let (folder, checkpointer, path, _) = with_thread(&["one"]).await;
    let writes = put_writes(&checkpointer, 1).await;
    assert_eq!(checkpointer.copy_thread("thread", "copy").await.unwrap(), 1);
    let mut copy = files(folder.path(), "jsonl");
    copy.retain(|other| *other != path);
    // The writes are put in place before the checkpoints.
    fs::remove_file(&copy[0]).unwrap();
    assert_eq!(checkpointer.copy_thread("thread", "copy").await.unwrap(), 1);
    let found = checkpointer
        .pending_writes(&"copy".into(), &At::Latest)
        .await;
    assert_eq!(found.unwrap(), writes.pending().collect::<Vec<_>>());

    // What a task wrote is not overwritten.
    fs::remove_file(&copy[0]).unwrap();
    let early = checkpointer
        .put_writes(&"copy".into(), &At::Id("early".into()), &writes)
        .await;
    early.unwrap();
    let refused = checkpointer.copy_thread("thread", "copy").await;
    assert!(
        matches!(refused, Err(Error::ThreadExists { .. })),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_copy_that_fails_leaves_nothing() {
    let (folder, checkpointer, path, _) = with_thread(&["one"]).await;
    put_writes(&checkpointer, 1).await;
    for name in ["child", "other"] {
        let checkpoint = Checkpoint::new("thread", 1).in_namespace(name);
        checkpointer.save(&checkpoint).await.unwrap();
    }
    let source = files(folder.path(), "jsonl");
    checkpointer.copy_thread("thread", "copy").await.unwrap();
    let mut copies = files(folder.path(), "jsonl");
    copies.retain(|copy| !source.contains(copy));
    assert_eq!((copies.len(), source.contains(&path)), (3, true));
    let before = |folder: &Path| fs::read_dir(folder).unwrap().count();
    checkpointer.delete_thread("copy").await.unwrap();
    let before_it = before(folder.path());
    for copy in &copies {
        let obstacle = copy.with_extension("new");
        fs::create_dir(&obstacle).unwrap();
        checkpointer
            .copy_thread("thread", "copy")
            .await
            .unwrap_err();
        assert_eq!(latest(&checkpointer, "copy").await.unwrap(), None);
        assert_eq!(threads(&checkpointer).await.unwrap().len(), 1);
        assert!(
            files(folder.path(), "jsonl")
                .iter()
                .all(|file| source.contains(file))
        );
        assert_eq!(files(folder.path(), "writes").len(), 1);
        fs::remove_dir(&obstacle).unwrap();
        assert_eq!(checkpointer.copy_thread("thread", "copy").await.unwrap(), 3);
        checkpointer.delete_thread("copy").await.unwrap();
        assert_eq!(before(folder.path()), before_it);
    }
}
