//! The numbers of checkpoints and pieces where lines are damaged.

use sectile_checkpoint::{At, Channels, Content, Key, RecordsExt as _, StoredState, TypedValue};

use super::*;

/// A thread of small states, and the file of it.
async fn small_states(count: u64) -> (TempDir, FileCheckpointer, PathBuf, String) {
    let (folder, checkpointer) = in_new_folder();
    for number in 1..=count {
        let state = format!("state {number}");
        save(&checkpointer, "thread", &state).await.unwrap();
    }
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();
    (folder, checkpointer, path, text)
}

fn replaced(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from}");
    text.replace(from, to)
}

#[tokio::test]
async fn the_number_of_a_damaged_newest_checkpoint_is_not_given_again() {
    let (_folder, checkpointer, path, text) = small_states(20).await;
    for damaged in [
        replaced(&text, "{\"seq\":20,", "{\"seq\":00,"),
        replaced(&text, "{\"seq\":20,", "{\"seq\":90,"),
        replaced(&text, "{\"seq\":20,", "{\"seq\":-1,"),
        replaced(&text, "{\"seq\":20,", "{\"sex\":20,"),
        replaced(&text, "\"state 20\"", "\"state 21\""),
        // The newest two, as one line and as two.
        replaced(&text, "\n{\"seq\":20,", "x{\"seq\":20,"),
        replaced(
            &replaced(&text, "{\"seq\":19,", "{\"seq\":00,"),
            "{\"seq\":20,",
            "{\"seq\":00,",
        ),
    ] {
        fs::write(&path, &damaged).unwrap();
        let next = |parent| Checkpoint::new("thread", "next".to_owned()).with_parent(parent);
        let refused = checkpointer.save(&next(21)).await;
        let is_refused = matches!(refused, Err(Error::InvalidArgument { .. }));
        assert!(is_refused, "{refused:?}");
        assert_eq!(checkpointer.save(&next(18)).await.unwrap().seq, 21);
        assert_eq!(save(&checkpointer, "thread", "last").await.unwrap(), 22);
        let first: Option<Checkpoint<String>> = checkpointer.load_at("thread", 1).await.unwrap();
        assert_eq!(first.unwrap().state, "state 1");
        let summary = &checkpointer.namespaces("thread").await.unwrap()[0];
        assert_eq!((summary.latest_seq, summary.checkpoints), (22, 22));
    }
}

#[tokio::test]
async fn numbers_go_on_where_no_line_is_as_it_was_written() {
    let (_folder, checkpointer, path, _) = small_states(20).await;
    assert_eq!(
        checkpointer.prune(&Prune::keep_latest(3)).await.unwrap(),
        17
    );
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"state ", "\"State ")).unwrap();
    assert_eq!(save(&checkpointer, "thread", "next").await.unwrap(), 21);
}

#[tokio::test]
async fn a_last_number_that_cannot_be_followed_is_named() {
    let (_folder, checkpointer, path, text) = small_states(1).await;
    let header = text.split_inclusive('\n').next().unwrap();
    let last = r#"{"seq":18446744073709551615,"created_at":1,"step":0,"queue":[],"metadata":{},"state":1}"#;
    fs::write(&path, format!("{header}{}", sealed(last))).unwrap();
    let refused = save(&checkpointer, "thread", "two").await.unwrap_err();
    assert!(
        refused.to_string().contains("no number is left"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_page_before_a_number_never_lacks_a_checkpoint() {
    let (_folder, checkpointer, path, text) = small_states(20).await;
    for damaged in 1..=20 {
        let line = format!("{{\"seq\":{damaged},");
        let other = if damaged < 10 { "0" } else { "90" };
        let other = format!("{{\"seq\":{other},");
        fs::write(&path, replaced(&text, &line, &other)).unwrap();
        for before in 1..=21 {
            let query = CheckpointQuery {
                before: Some(before),
                ..CheckpointQuery::default()
            };
            let found = checkpointer.list("thread", &query).await;
            let found: Result<Vec<Checkpoint<String>>> = found;
            if damaged < before {
                assert!(matches!(found, Err(Error::Corrupt { .. })), "{found:?}");
                continue;
            }
            let found = found.unwrap().into_iter().map(|found| found.seq);
            assert!(found.eq((1..before).rev()), "{damaged} {before}");
        }
    }
}

fn entry(number: u64) -> TypedValue {
    TypedValue::json(&format!("{number} {}", "x".repeat(500))).unwrap()
}

fn list(numbers: impl IntoIterator<Item = u64>) -> Content {
    Content::List(numbers.into_iter().map(entry).collect())
}

/// Saves a conversation that grows by an entry at each step.
async fn save_pieces(checkpointer: &FileCheckpointer, count: u64) {
    for number in 1..=count {
        let content = match number {
            1 => list(0..20),
            _ => Content::Appended(vec![entry(number + 18)]),
        };
        let state = Channels::new().with("messages", "1", content);
        let mut checkpoint = Checkpoint::new("thread", state);
        checkpoint.parent_seq = (number > 1).then_some(number - 1);
        checkpointer.save_stored(checkpoint).await.unwrap();
    }
}

async fn stored(checkpointer: &FileCheckpointer, seq: u64) -> StoredState {
    let found = checkpointer
        .load_stored(&Key::from("thread"), &At::Seq(seq))
        .await;
    found.unwrap().unwrap().state
}

#[tokio::test]
async fn pieces_that_are_restored_are_those_of_their_checkpoints() {
    let (folder, checkpointer) = in_new_folder();
    // Pieces 1 to 20 are the first list, 21 to 29 what follows.
    save_pieces(&checkpointer, 10).await;
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();
    let checkpoint = replaced(&text, "{\"seq\":10,", "{\"seq\":00,");
    for damaged in [
        // What the two last lines say, and what their numbers are.
        replaced(&checkpoint, "\"28 xx", "\"28 xy"),
        replaced(&checkpoint, "{\"piece\":29,", "{\"piece\":19,"),
        replaced(&checkpoint, "{\"piece\":29,", "{\"piecf\":29,"),
        replaced(&checkpoint, "\n{\"seq\":00,", "x{\"seq\":00,"),
    ] {
        fs::write(&path, &damaged).unwrap();
        let state = Channels::new().with("messages", "2", list((0..27).chain([100])));
        let checkpoint = Checkpoint::new("thread", state.clone()).with_parent(9);
        let saved = checkpointer.save_stored(checkpoint).await.unwrap();
        assert_eq!(saved.seq, 11);
        let expected = StoredState::from(state);
        assert!(stored(&checkpointer, 11).await == expected);

        // The lines are restored as they were, before those that came since.
        let now = fs::read_to_string(&path).unwrap();
        let restored = format!("{text}{}", &now[damaged.len()..]);
        fs::write(&path, restored).unwrap();
        assert!(stored(&checkpointer, 11).await == expected);
        let before = Channels::new().with("messages", "1", list(0..29));
        assert!(stored(&checkpointer, 10).await == StoredState::from(before));
        assert_eq!(checkpointer.verify().await.unwrap(), []);
    }
}
