//! What a thread takes whose states have much in common.

use sectile_checkpoint::{At, Channels, Content, Key, RecordsExt as _, StoredState, TypedValue};

use super::*;

/// A message of about 500 bytes.
fn message(number: usize) -> Value {
    json!({ "role": "user", "content": format!("{number} {}", "word ".repeat(98)) })
}

fn value(number: usize) -> TypedValue {
    TypedValue::json(&message(number)).unwrap()
}

fn values(first: usize, count: usize) -> Vec<TypedValue> {
    (first..first + count).map(value).collect()
}

/// How a state of so many messages is handed over.
type State = fn(usize) -> StoredState;

fn json_of(count: usize) -> StoredState {
    let messages: Vec<Value> = (0..count).map(message).collect();
    StoredState::json(json!({ "messages": messages }).to_string())
}

fn whole(count: usize) -> StoredState {
    let version = count.to_string();
    Channels::new()
        .with("messages", &version, values(0, count))
        .into()
}

fn appended(count: usize) -> StoredState {
    let content = match count {
        1 => Content::List(values(0, 1)),
        _ => Content::Appended(values(count - 1, 1)),
    };
    let version = count.to_string();
    Channels::new().with("messages", &version, content).into()
}

/// Saves conversations of 1, 2, … messages.
async fn save_all(checkpointer: &FileCheckpointer, count: usize, state: State) {
    for count in 1..=count {
        let mut checkpoint = Checkpoint::new("thread", state(count)).of_run(run_of(count));
        checkpoint.parent_seq = (count > 1).then_some(count as u64 - 1);
        checkpointer.save_stored(checkpoint).await.unwrap();
    }
}

fn run_of(count: usize) -> String {
    format!("run {}", count % 3)
}

async fn load(checkpointer: &FileCheckpointer, seq: usize) -> Result<Option<StoredState>> {
    let at = At::Seq(seq as u64);
    let found = checkpointer.load_stored(&Key::from("thread"), &at).await?;
    Ok(found.map(|found| found.state))
}

async fn assert_loads(checkpointer: &FileCheckpointer, seq: usize, expected: &StoredState) {
    let found = load(checkpointer, seq).await.unwrap();
    assert!(found.as_ref() == Some(expected), "{seq}");
}

fn size(path: &Path) -> usize {
    fs::metadata(path).unwrap().len() as usize
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

/// The numbers of the pieces in a file.
fn pieces(path: &Path) -> Vec<u64> {
    let lines = lines(path).into_iter();
    lines.filter_map(|line| line["piece"].as_u64()).collect()
}

async fn assert_takes_what_changed(count: usize, state: State, expected: State) {
    let (folder, checkpointer) = in_new_folder();
    save_all(&checkpointer, count, state).await;
    let path = only_file(folder.path());
    let last = expected(count).size();
    assert!(size(&path) <= 2 * last, "{} for {last}", size(&path));
    for seq in (1..=count).step_by(23).chain([count]) {
        assert_loads(&checkpointer, seq, &expected(seq)).await;
    }

    checkpointer.prune(&Prune::keep_latest(1)).await.unwrap();
    assert!(size(&path) <= last * 4 / 3, "{} for {last}", size(&path));
    assert_eq!(pieces(&path).len(), count);
    assert_loads(&checkpointer, count, &expected(count)).await;
    checkpointer
        .save_stored(Checkpoint::new("thread", expected(count + 1)))
        .await
        .unwrap();
    assert_eq!(pieces(&path).len(), count + 1);
    assert_loads(&checkpointer, count + 1, &expected(count + 1)).await;
}

#[tokio::test]
async fn a_conversation_as_json_takes_what_changed() {
    assert_takes_what_changed(600, json_of, json_of).await;
}

#[tokio::test]
async fn a_conversation_as_a_channel_takes_what_changed() {
    assert_takes_what_changed(600, whole, whole).await;
}

#[tokio::test]
async fn a_conversation_that_is_appended_to_takes_what_changed() {
    assert_takes_what_changed(1_000, appended, whole).await;
}

#[tokio::test]
async fn a_file_with_pieces_can_be_read() {
    let (folder, checkpointer) = in_new_folder();
    for (state, piece) in [
        (json_of(20), json!([message(19)])),
        (
            whole(20),
            json!({ "kind": "json", "text": message(19).to_string() }),
        ),
    ] {
        let checkpoint = Checkpoint::new("thread", state);
        checkpointer.save_stored(checkpoint).await.unwrap();
        let lines = lines(&only_file(folder.path()));
        let [.., last, checkpoint] = &lines[..] else {
            panic!("{lines:?}");
        };
        let kind = if last["value"].is_null() {
            "entries"
        } else {
            "value"
        };
        assert_eq!(last[kind], piece);
        assert_eq!(checkpoint["seq"], last["seq"]);
        assert_eq!(checkpoint["last_piece"], last["piece"]);
    }
}

#[tokio::test]
async fn a_list_beside_values_that_change_takes_what_changed() {
    let (folder, checkpointer) = in_new_folder();
    let note = |count: usize| TypedValue::new("bytes", vec![(count % 251) as u8; 900]);
    let version = |count: usize| count.to_string();
    for count in 1..=600 {
        let (messages, plan) = match count {
            1 => (Content::List(values(0, 20)), Content::Value(note(1_000))),
            _ => (Content::Appended(values(count, 1)), Content::Same),
        };
        let state = Channels::new()
            .with("messages", &version(count), messages)
            .with("note", &version(count), note(count))
            .with("plan", "1", plan);
        let mut checkpoint = Checkpoint::new("thread", state);
        checkpoint.parent_seq = (count > 1).then_some(count as u64 - 1);
        checkpointer.save_stored(checkpoint).await.unwrap();
    }
    let path = only_file(folder.path());
    let bytes = 600 * (value(1).bytes.len() + note(1).bytes.len());
    assert!(size(&path) <= 2 * bytes, "{} for {bytes}", size(&path));
    for seq in [1, 40, 600] {
        let messages = values(0, 20).into_iter().chain(values(2, seq - 1));
        let expected = Channels::new()
            .with("messages", &version(seq), messages.collect::<Vec<_>>())
            .with("note", &version(seq), note(seq))
            .with("plan", "1", note(1_000));
        assert_loads(&checkpointer, seq, &expected.into()).await;
    }
    checkpointer.prune(&Prune::keep_latest(1)).await.unwrap();
    let bytes = 620 * value(1).bytes.len();
    assert!(size(&path) <= bytes * 3 / 2, "{} for {bytes}", size(&path));
}

#[tokio::test]
async fn pieces_that_stand_far_apart_are_found() {
    let (folder, checkpointer) = in_new_folder();
    let state = |count: usize, messages: Content| {
        let version = count.to_string();
        let note = TypedValue::new("bytes", vec![count as u8 | 0x80; 100_000]);
        Channels::new()
            .with("messages", &version, messages)
            .with("note", &version, note)
    };
    for count in 1..=40 {
        let messages = match count {
            1 => Content::List(values(0, 1)),
            _ => Content::Appended(values(count - 1, 1)),
        };
        let mut checkpoint = Checkpoint::new("thread", state(count, messages));
        checkpoint.parent_seq = (count > 1).then_some(count as u64 - 1);
        checkpointer.save_stored(checkpoint).await.unwrap();
    }
    for seq in [1, 2, 20, 40] {
        let expected = state(seq, values(0, seq).into());
        assert_loads(&checkpointer, seq, &expected.into()).await;
    }
    checkpointer.prune(&Prune::keep_latest(1)).await.unwrap();
    assert!(size(&only_file(folder.path())) < 200_000);
    let expected = state(40, values(0, 40).into());
    assert_loads(&checkpointer, 40, &expected.into()).await;
}

/// A state of one channel.
fn one_channel(version: &str, content: Content) -> Checkpoint<StoredState> {
    let state = Channels::new().with("messages", version, content);
    Checkpoint::new("thread", state.into())
}

#[tokio::test]
async fn what_is_appended_to_a_state_makes_none_that_is_too_large() {
    let (folder, checkpointer) = in_new_folder();
    let save = |checkpoint: Checkpoint<StoredState>| checkpointer.save_stored(checkpoint);
    save(one_channel("1", values(0, 20).into())).await.unwrap();
    let next = one_channel("2", Content::Appended(values(20, 1)));
    save(next.with_parent(1)).await.unwrap();

    // The newest checkpoint says that it is nearly as large as a state can be.
    let path = only_file(folder.path());
    let text = fs::read_to_string(&path).unwrap();
    let (before, last) = text.trim_end().rsplit_once('\n').unwrap();
    let (object, _) = last.rsplit_once(",\"hash\":").unwrap();
    let bytes: usize = values(0, 21).iter().map(|value| value.bytes.len()).sum();
    let (bytes, most) = (format!("\"bytes\":{bytes},"), "\"bytes\":536870900,");
    assert_eq!(object.matches(&bytes).count(), 1, "{object}");
    let last = sealed(&format!("{}}}", object.replace(&bytes, most)));
    fs::write(&path, format!("{before}\n{last}")).unwrap();

    let unchanged = one_channel("3", Content::Same).with_parent(2);
    save(unchanged).await.unwrap();
    let more = one_channel("3", Content::Appended(values(21, 1))).with_parent(2);
    let refused = save(more).await;
    let is_refused = matches!(
        refused,
        Err(Error::InvalidArgument {
            argument: "state",
            ..
        })
    );
    assert!(is_refused, "{refused:?}");
}

#[tokio::test]
async fn many_channels_take_what_changed() {
    let (folder, checkpointer) = in_new_folder();
    let name = |at: usize| format!("channel {at:03}");
    let value = |number: usize| TypedValue::json(&format!("{number}{}", "x".repeat(90))).unwrap();
    let first = (0..200).fold(Channels::new(), |state, at| {
        state.with(&name(at), "1", value(at))
    });
    let checkpoint = Checkpoint::new("thread", first.clone());
    checkpointer.save_stored(checkpoint).await.unwrap();
    let path = only_file(folder.path());
    let before = size(&path);
    for step in 0..300 {
        let next = (0..200).fold(Channels::new(), |state, at| {
            let content = if at == step % 10 {
                value(1_000 + step).into()
            } else {
                Content::Same
            };
            state.with(&name(at), &step.to_string(), content)
        });
        let checkpoint = Checkpoint::new("thread", next).with_parent(step as u64 + 1);
        checkpointer.save_stored(checkpoint).await.unwrap();
    }
    let each = (size(&path) - before) / 300;
    assert!(each <= 1_000, "{each}");
    let mut expected = first;
    for step in 290..300 {
        expected = expected.with(&name(step % 10), &step.to_string(), value(1_000 + step));
    }
    assert_loads(&checkpointer, 301, &expected.into()).await;
}

#[tokio::test]
async fn a_last_entry_that_is_written_again_and_again_costs_what_it_is() {
    let as_json = |numbers: &[usize]| {
        let messages: Vec<Value> = numbers.iter().map(|number| message(*number)).collect();
        StoredState::json(json!({ "messages": messages, "step": numbers.len() }).to_string())
    };
    let as_list = |numbers: &[usize]| {
        let messages: Vec<TypedValue> = numbers.iter().map(|number| value(*number)).collect();
        StoredState::from(Channels::new().with("messages", "1", messages))
    };
    let states: [fn(&[usize]) -> StoredState; 2] = [as_json, as_list];
    for state in states {
        let (folder, checkpointer) = in_new_folder();
        let mut numbers: Vec<usize> = Vec::new();
        let mut written = 0;
        for step in 0..600 {
            let _ = numbers.pop();
            numbers.extend([step, step + 1_000]);
            written += 2 * value(step).bytes.len();
            let checkpoint = Checkpoint::new("thread", state(&numbers));
            checkpointer.save_stored(checkpoint).await.unwrap();
        }
        let path = only_file(folder.path());
        assert!(size(&path) < 2 * written, "{} for {written}", size(&path));
        assert_loads(&checkpointer, 600, &state(&numbers)).await;
        // What is no longer needed goes, and nothing else.
        let prune = Prune::keep_latest(3);
        assert_eq!(checkpointer.prune(&prune).await.unwrap(), 597);
        assert_eq!(checkpointer.verify().await.unwrap(), []);
        assert_loads(&checkpointer, 600, &state(&numbers)).await;
    }
}

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
