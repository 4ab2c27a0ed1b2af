//! What a thread takes whose states have much in common.

use sectile_checkpoint::{At, Channels, Content, Key, RecordsExt as _, StoredState, TypedValue};

use super::*;

mod pieces;

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
