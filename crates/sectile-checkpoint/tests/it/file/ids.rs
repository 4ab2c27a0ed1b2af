//! The ids of checkpoints where lines are damaged.

use super::*;

/// A checkpoint whose state is its id, in pieces.
fn named(id: &str) -> Checkpoint<Vec<String>> {
    let entry = |at: u32| format!("{id} {at} {}", "x".repeat(500));
    let state: Vec<String> = (0..20).map(entry).collect();
    Checkpoint::new("thread", state).with_id(id)
}

async fn load(checkpointer: &FileCheckpointer, id: &str) -> Result<Option<u64>> {
    let found: Option<Checkpoint<Vec<String>>> = checkpointer.load_by_id("thread", id).await?;
    Ok(found.map(|found| {
        assert_eq!(found.state, named(id).state);
        found.seq
    }))
}

#[tokio::test]
async fn a_damaged_line_keeps_no_other_id_from_being_loaded_or_saved() {
    // A checkpoint, and a piece that only it needs.
    for damaged in ["{\"seq\":2,", "\"b 7 xx"] {
        let (folder, first) = in_new_folder();
        for id in ["a", "b", "c"] {
            first.save(&named(id)).await.unwrap();
        }
        let path = only_file(folder.path());
        let text = fs::read_to_string(&path).unwrap();
        let at = text.find(damaged).unwrap() + 6;
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        fs::write(&path, bytes).unwrap();

        // Another process, which has no index of the file.
        let other = FileCheckpointer::new(folder.path()).unwrap();
        assert_eq!(load(&other, "a").await.unwrap(), Some(1));
        assert_eq!(load(&other, "c").await.unwrap(), Some(3));
        for id in ["b", "unknown"] {
            let refused = load(&other, id).await;
            assert!(matches!(refused, Err(Error::Corrupt { .. })), "{refused:?}");
        }
        let again = other.save(&named("c")).await.unwrap();
        assert_eq!((again.seq, again.is_new), (3, false));
        let new = other.save(&named("d")).await.unwrap();
        assert_eq!((new.seq, new.is_new), (4, true));
        assert_eq!(load(&other, "d").await.unwrap(), Some(4));

        // The line is restored as it was.
        let mut now = fs::read(&path).unwrap();
        now[at] ^= 1;
        fs::write(&path, now).unwrap();
        for checkpointer in [&first, &other] {
            assert_eq!(load(checkpointer, "b").await.unwrap(), Some(2));
            assert_eq!(load(checkpointer, "unknown").await.unwrap(), None);
        }
    }
}

#[tokio::test]
async fn the_id_of_a_damaged_checkpoint_can_be_saved_again() {
    let (folder, checkpointer) = in_new_folder();
    for id in ["a", "b"] {
        save_with_id(&checkpointer, id).await;
    }
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"id\":\"a\"", "\"id\":\"x\"")).unwrap();
    let other = FileCheckpointer::new(folder.path()).unwrap();
    let again = save_with_id(&other, "a").await;
    assert_eq!((again.seq, again.is_new), (3, true));
    let found: Option<Checkpoint<String>> = other.load_by_id("thread", "a").await.unwrap();
    assert_eq!(found.unwrap().seq, 3);
    let repeated = save_with_id(&other, "a").await;
    assert_eq!((repeated.seq, repeated.is_new), (3, false));

    // The line is restored as it was.
    let now = fs::read_to_string(&path).unwrap();
    fs::write(&path, now.replace("\"id\":\"x\"", "\"id\":\"a\"")).unwrap();
    let another = FileCheckpointer::new(folder.path()).unwrap();
    let found: Option<Checkpoint<String>> = another.load_by_id("thread", "a").await.unwrap();
    assert_eq!(found.unwrap().seq, 1);
    let [damage] = another.verify().await.unwrap().try_into().unwrap();
    assert_eq!(damage.seq, Some(3));
    assert!(damage.what.contains("has its id"), "{damage}");
}
