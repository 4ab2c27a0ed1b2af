//! What becomes of pieces whose checkpoints are removed, cut off or damaged.

use super::*;

#[tokio::test]
async fn what_stays_needs_is_kept_and_nothing_else() {
    let (folder, checkpointer) = in_new_folder();
    save_all(&checkpointer, 40, appended).await;
    let path = only_file(folder.path());
    let runs = ["run 1".to_owned()];
    assert_eq!(checkpointer.delete_runs(&runs).await.unwrap(), 14);
    assert_eq!(pieces(&path).len(), 39);
    for seq in 1..=40 {
        if run_of(seq) == runs[0] {
            assert_eq!(load(&checkpointer, seq).await.unwrap(), None);
        } else {
            assert_loads(&checkpointer, seq, &whole(seq)).await;
        }
    }
    assert_eq!(checkpointer.fork("thread", 30, "fork").await.unwrap(), 20);
    let forks = files(folder.path(), "jsonl");
    let fork = forks.iter().find(|file| **file != path).unwrap();
    assert_eq!(pieces(fork).len(), 30);
    checkpointer.delete_thread("thread").await.unwrap();
    let key = Key::from("fork");
    let found = checkpointer.load_stored(&key, &At::Latest).await.unwrap();
    assert_eq!(found.unwrap().state, whole(30));

    // Another conversation shares nothing.
    let other = StoredState::json(json!(vec!["other"; 5_000]).to_string());
    let checkpoint = Checkpoint::new("fork", other);
    checkpointer.save_stored(checkpoint).await.unwrap();
    checkpointer.prune(&Prune::keep_latest(1)).await.unwrap();
    let text = fs::read_to_string(fork).unwrap();
    assert!(!text.contains("word"), "{text}");
}

#[tokio::test]
async fn where_the_parent_was_removed_the_newest_shares_its_pieces() {
    let (folder, checkpointer) = in_new_folder();
    save_all(&checkpointer, 30, json_of).await;
    checkpointer.prune(&Prune::keep_latest(1)).await.unwrap();
    let next = Checkpoint::new("thread", json_of(31)).with_parent(20);
    checkpointer.save_stored(next).await.unwrap();
    assert_eq!(pieces(&only_file(folder.path())).len(), 31);
    assert_loads(&checkpointer, 31, &json_of(31)).await;

    let follows = Checkpoint::new("thread", appended(32)).with_parent(20);
    let refused = checkpointer.save_stored(follows).await;
    let is_refused = matches!(
        refused,
        Err(Error::InvalidArgument {
            argument: "channel",
            ..
        })
    );
    assert!(is_refused, "{refused:?}");
}

#[tokio::test]
async fn a_save_cut_off_anywhere_is_as_if_it_was_never_made() {
    let (folder, checkpointer) = in_new_folder();
    save_all(&checkpointer, 25, appended).await;
    let path = only_file(folder.path());
    let before = size(&path);
    for (next, step) in [
        (Checkpoint::new("thread", appended(26)).with_parent(25), 1),
        (Checkpoint::new("thread", json_of(30)), 29),
    ] {
        checkpointer.save_stored(next.clone()).await.unwrap();
        let expected = load(&checkpointer, 26).await.unwrap();
        let bytes = fs::read(&path).unwrap();
        for end in (before..bytes.len()).step_by(step) {
            fs::write(&path, &bytes[..end]).unwrap();
            assert_eq!(load(&checkpointer, 26).await.unwrap(), None, "{end}");
            assert_loads(&checkpointer, 25, &whole(25)).await;
        }
        for end in (before..bytes.len()).filter(|end| bytes[end - 1] == b'\n') {
            fs::write(&path, &bytes[..end + (end - before) % 2]).unwrap();
            let saved = checkpointer.save_stored(next.clone()).await.unwrap();
            assert_eq!(saved.seq, 26);
            // Nothing stays of what was cut off.
            let text = String::from_utf8_lossy(&bytes);
            assert_eq!(lines(&path).len(), text.lines().count(), "{end}");
            assert_eq!(load(&checkpointer, 26).await.unwrap(), expected);
        }
        fs::write(&path, &bytes[..before]).unwrap();
    }
}

#[tokio::test]
async fn a_damaged_line_makes_those_unreadable_that_need_it() {
    let (folder, checkpointer) = in_new_folder();
    save_all(&checkpointer, 20, appended).await;
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();
    let mut start = text.find('\n').unwrap() + 1;
    for line in text[start..].split_inclusive('\n') {
        let place: Value = serde_json::from_str(line).unwrap();
        let seq = place["seq"].as_u64().unwrap() as usize;
        let is_piece = place["piece"].is_u64();
        // The number of a checkpoint or of a piece, what follows it, and what a line says.
        let mut places = vec![7, 9, 12, line.len() / 2];
        if is_piece {
            // It runs into the line behind it, of the same checkpoint or another of its pieces.
            places.push(line.len() - 1);
        }
        for at in places {
            let mut bytes = text.clone().into_bytes();
            bytes[start + at] ^= 1;
            fs::write(&path, bytes).unwrap();
            for other in 1..=20 {
                let needs_it = if is_piece { other >= seq } else { other == seq };
                let expected = Some(whole(other));
                match load(&checkpointer, other).await {
                    Ok(found) => assert!(!needs_it && found == expected, "{at} {other} {place}"),
                    Err(Error::Corrupt { .. }) if needs_it => {}
                    Err(error) => panic!("{at} {other} {place}: {error}"),
                }
            }
        }
        start += line.len();
    }
}

#[tokio::test]
async fn a_thread_whose_newest_lines_are_damaged_goes_on() {
    let (folder, checkpointer) = in_new_folder();
    save_all(&checkpointer, 30, appended).await;
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();
    // What the last piece is, as the newest checkpoint says it.
    fs::write(
        &path,
        text.replace("\"last_piece\":30", "\"last_piece\":10"),
    )
    .unwrap();
    let next = Checkpoint::new("thread", json_of(30));
    let saved = checkpointer.save_stored(next).await.unwrap();
    assert_eq!(saved.seq, 31);
    assert_loads(&checkpointer, 31, &json_of(30)).await;
    assert_loads(&checkpointer, 29, &whole(29)).await;
    let mut numbers = pieces(&path);
    numbers.dedup();
    assert_eq!(numbers.len(), 60);

    let follows = Checkpoint::new("thread", appended(31)).with_parent(30);
    let refused = checkpointer.save_stored(follows).await;
    assert!(matches!(refused, Err(Error::Corrupt { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_changed_byte_of_pieces_never_gives_another_state() {
    let (folder, checkpointer) = in_new_folder();
    save_all(&checkpointer, 20, appended).await;
    let path = only_file(folder.path());
    let bytes = fs::read(&path).unwrap();
    let (mut read, mut refused) = (0, 0);
    for at in (0..bytes.len()).step_by(151) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 7);
        fs::write(&path, &changed).unwrap();
        for seq in [1, 17, 19, 20] {
            if let Ok(found) = load(&checkpointer, seq).await {
                assert!(found == Some(whole(seq)), "{at} {seq}");
                read += 1;
            } else {
                refused += 1;
            }
        }
    }
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}

#[tokio::test]
async fn a_file_of_the_release_before_pieces_is_read_and_goes_on() {
    let (folder, checkpointer) = in_new_folder();
    save(&checkpointer, "thread", "any").await.unwrap();
    let path = only_file(folder.path());
    let lines = [
        r#"{"sectile_checkpoints":2,"thread_id":"thread","generation":5,"removed":0,"last_seq":0}"#,
        r#"{"seq":1,"created_at":1,"step":0,"queue":[],"metadata":{},"channels":{"a":{"version":"1","list":[["x","MQ=="]]}}}"#,
        r#"{"seq":2,"created_at":2,"step":1,"queue":[],"metadata":{},"state":null}"#,
    ];
    let before = lines.map(sealed);
    fs::write(&path, before.concat()).unwrap();
    let entry = || TypedValue::new("x", *b"1");
    let first = Channels::new().with("a", "1", vec![entry()]);
    assert_loads(&checkpointer, 1, &first.into()).await;
    assert_loads(&checkpointer, 2, &StoredState::json("null")).await;
    assert_eq!(fs::read_to_string(&path).unwrap(), before.concat());

    let more = Channels::new().with("a", "2", Content::Appended(values(0, 30)));
    let next = Checkpoint::new("thread", more).with_parent(1);
    checkpointer.save_stored(next).await.unwrap();
    let list = [vec![entry()], values(0, 30)].concat();
    let expected = Channels::new().with("a", "2", list);
    assert_loads(&checkpointer, 3, &expected.into()).await;
    assert_loads(&checkpointer, 2, &StoredState::json("null")).await;
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("{\"sectile_checkpoints\":3,"), "{text}");
    assert!(text.contains(&before[1..].concat()), "{text}");
}
