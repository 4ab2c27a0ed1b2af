//! What files take, and what is said of damage in them.

use sectile_checkpoint::{
    At, Channels, Content, Damage, Key, RecordsExt as _, TaskWrites, TypedValue, Usage,
};

use super::*;

fn entry(number: u64) -> TypedValue {
    TypedValue::json(&format!("{number}{}", "x".repeat(500))).unwrap()
}

/// Saves a conversation of a number of steps.
async fn save_all(checkpointer: &FileCheckpointer, count: u64) {
    for number in 1..=count {
        let content = match number {
            1 => Content::List((0..30).map(entry).collect()),
            _ => Content::Appended(vec![entry(100 + number)]),
        };
        let state = Channels::new().with("messages", &number.to_string(), content);
        let mut checkpoint = Checkpoint::new("thread", state).of_run((number % 2).to_string());
        checkpoint.parent_seq = (number > 1).then_some(number - 1);
        checkpointer.save_stored(checkpoint).await.unwrap();
    }
}

async fn only_usage(checkpointer: &FileCheckpointer) -> Usage {
    let [usage] = checkpointer.usage().await.unwrap().try_into().unwrap();
    usage
}

#[tokio::test]
async fn what_threads_take_is_counted() {
    let (folder, checkpointer) = in_new_folder();
    save_all(&checkpointer, 20).await;
    let key = Key::from("thread");
    let writes = TaskWrites::new("task")
        .write("a", entry(1))
        .write("b", entry(2));
    let put = checkpointer.put_writes(&key, &At::Latest, &writes).await;
    put.unwrap();
    let bytes: usize = ["jsonl", "writes"]
        .map(|extension| fs::read(&files(folder.path(), extension)[0]).unwrap().len())
        .iter()
        .sum();
    let header = fs::read_to_string(only_file(folder.path())).unwrap();
    let header = header.find('\n').unwrap() + 1;
    let usage = only_usage(&checkpointer).await;
    assert_eq!(usage.stored_bytes, (bytes - header) as u64);
    assert_eq!((usage.checkpoints, usage.pieces, usage.writes), (20, 49, 2));
    let least = (30..50).sum::<u64>() * 500;
    assert!(
        usage.whole_bytes > least && usage.whole_bytes < 2 * least,
        "{usage:?}"
    );

    checkpointer.prune(&Prune::keep_latest(1)).await.unwrap();
    let usage = only_usage(&checkpointer).await;
    assert_eq!((usage.checkpoints, usage.pieces, usage.writes), (1, 49, 2));
    assert_eq!(usage.stored_bytes, usage.whole_bytes);
}

#[tokio::test]
async fn what_is_as_it_was_saved_is_not_damaged() {
    let (_folder, checkpointer) = in_new_folder();
    save_all(&checkpointer, 20).await;
    save(&checkpointer, "other", "small").await.unwrap();
    let key = Key::from("thread");
    let writes = TaskWrites::new("task").write("a", entry(1));
    for at in [At::Seq(1), At::Seq(20), At::Id("early".into())] {
        let put = checkpointer.put_writes(&key, &at, &writes).await;
        put.unwrap();
    }
    assert_eq!(checkpointer.verify().await.unwrap(), []);
    checkpointer.fork("thread", 12, "fork").await.unwrap();
    checkpointer.delete_runs(&["1".to_owned()]).await.unwrap();
    assert_eq!(checkpointer.verify().await.unwrap(), []);
    checkpointer.prune(&Prune::keep_latest(2)).await.unwrap();
    assert_eq!(checkpointer.verify().await.unwrap(), []);
}

/// Saves a conversation whose last entry is another at each step, so that pieces say the first ones.
async fn save_with_edits(checkpointer: &FileCheckpointer, count: u64) {
    let mut entries = Vec::new();
    for number in 0..count {
        drop(entries.pop());
        entries.extend([entry(number), entry(1_000 + number)]);
        let state = Channels::new().with("messages", "1", entries.clone());
        let checkpoint = Checkpoint::new("thread", state);
        checkpointer.save_stored(checkpoint).await.unwrap();
    }
}

#[tokio::test]
async fn what_a_state_of_many_edits_takes_is_counted() {
    let (_folder, checkpointer) = in_new_folder();
    save_with_edits(&checkpointer, 120).await;
    let before = only_usage(&checkpointer).await;
    assert!(before.whole_bytes > 10 * before.stored_bytes, "{before:?}");
    checkpointer.prune(&Prune::keep_latest(1)).await.unwrap();
    let usage = only_usage(&checkpointer).await;
    assert!(usage.pieces > 121, "{usage:?}");
    assert_eq!(usage.stored_bytes, usage.whole_bytes);
}

#[tokio::test]
async fn each_checkpoint_that_lacks_a_piece_of_others_is_named() {
    let (folder, checkpointer) = in_new_folder();
    save_with_edits(&checkpointer, 100).await;
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let lack_it = lines.filter(|line: &Value| {
        let holes = &line["layout"]["all"]["holes"];
        holes[0]["before"].is_u64()
    });
    let lack_it: Vec<u64> = lack_it.map(|line| line["seq"].as_u64().unwrap()).collect();
    assert!(lack_it.len() > 20, "{lack_it:?}");
    let at = text.find("\"hole\":{\"runs\":\"").unwrap() + 16;
    let mut changed = text.into_bytes();
    changed[at] ^= 1;
    fs::write(&path, changed).unwrap();
    let damages = checkpointer.verify().await.unwrap();
    assert_eq!(seqs_of(&damages), lack_it);
    assert_eq!(damages.len(), lack_it.len() + 1, "{damages:?}");
}

fn seqs_of(damages: &[Damage]) -> Vec<u64> {
    damages.iter().filter_map(|damage| damage.seq).collect()
}

#[tokio::test]
async fn each_damage_is_named() {
    let (folder, checkpointer) = in_new_folder();
    save_all(&checkpointer, 20).await;
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();

    // A piece that the last three checkpoints need.
    let piece = text.find("\"piece\":47,").unwrap();
    let mut changed = text.clone().into_bytes();
    changed[piece + 40] ^= 1;
    fs::write(&path, changed).unwrap();
    let damages = checkpointer.verify().await.unwrap();
    assert_eq!(damages.len(), 4, "{damages:?}");
    assert!(damages[0].what.contains("it was changed"), "{damages:?}");
    assert_eq!(seqs_of(&damages), [18, 19, 20]);

    let without = |which: &str| -> String {
        let lines = text.split_inclusive('\n');
        lines.filter(|line| !line.starts_with(which)).collect()
    };
    for (which, what) in [
        ("{\"piece\":49,", "its pieces 1 to 49"),
        ("{\"seq\":7,", "it has 19 checkpoints, not 20"),
    ] {
        fs::write(&path, without(which)).unwrap();
        let damages = checkpointer.verify().await.unwrap();
        assert_eq!(damages.len(), 1, "{damages:?}");
        assert!(damages[0].what.contains(what), "{damages:?}");
        assert_eq!(damages[0].thread_id.as_deref(), Some("thread"));
    }

    // The pieces of the last checkpoint before another one.
    let small = save(&checkpointer, "other", "small").await;
    assert_eq!(small.unwrap(), 1);
    fs::write(&path, &text).unwrap();
    save(&checkpointer, "thread", "small").await.unwrap();
    let more = fs::read_to_string(&path).unwrap();
    let lines = more.split_inclusive('\n');
    let rest: String = lines
        .filter(|line| !line.starts_with("{\"seq\":20,"))
        .collect();
    fs::write(&path, rest).unwrap();
    let damages = checkpointer.verify().await.unwrap();
    let what: Vec<&str> = damages.iter().map(|damage| &*damage.what).collect();
    let expected = [
        "it has 20 checkpoints, not 21",
        "1 pieces belong to no checkpoint",
    ];
    assert_eq!(what, expected);

    fs::write(&path, "garbage").unwrap();
    let damages = checkpointer.verify().await.unwrap();
    assert_eq!(damages.len(), 1, "{damages:?}");
    assert!(
        damages[0].what.contains("not a file of checkpoints"),
        "{damages:?}"
    );
}
