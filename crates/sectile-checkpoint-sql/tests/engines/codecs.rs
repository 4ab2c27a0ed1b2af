//! States that go through a codec: they are not projected, and their keys can be rotated.

use sectile_checkpoint::{
    Aes256Gcm, At, Channels, Checkpoint, Codec, Coded, Content, Error, RecordsExt as _, Result,
    StoredState, TypedValue, Zstd,
};
use serde_json::{Value, json};

use crate::engine::{fresh, projecting};

/// A codec of an application.
struct Reversed;

impl Codec for Reversed {
    fn seal(&self, value: TypedValue) -> Result<TypedValue> {
        let bytes: Vec<u8> = value.bytes.iter().rev().copied().collect();
        Ok(TypedValue::new(&format!("reversed {}", value.kind), bytes))
    }

    fn open(&self, value: TypedValue) -> Result<TypedValue> {
        let Some(kind) = value.kind.strip_prefix("reversed ") else {
            return Ok(value);
        };
        let bytes: Vec<u8> = value.bytes.iter().rev().copied().collect();
        Ok(TypedValue::new(kind, bytes))
    }
}

fn conversation(length: usize) -> Value {
    json!([{"role": "user", "content": "word ".repeat(length)}])
}

fn as_json(length: usize) -> StoredState {
    StoredState::json(json!({ "messages": conversation(length) }).to_string())
}

fn as_channels(length: usize) -> StoredState {
    let messages = TypedValue::json(&conversation(length)).unwrap();
    let messages = Content::Value(messages);
    Channels::new().with("messages", "1", messages).into()
}

async fn refuses(codec: impl Codec, states: &[StoredState]) {
    let (_database, checkpointer) = projecting().await;
    let checkpointer = Coded::new(checkpointer, codec);
    for state in states {
        let saved = checkpointer
            .save_stored(Checkpoint::new("t", state.clone()))
            .await;
        assert!(
            matches!(saved, Err(Error::Projection { .. })),
            "{state:?}: {saved:?}"
        );
    }
    let found: Option<Checkpoint<Value>> = checkpointer.load_as("t").await.unwrap();
    assert!(found.is_none());
}

#[tokio::test]
async fn a_coded_state_is_not_projected() {
    let json = [as_json(1), as_json(100)];
    refuses(Zstd::default(), &json).await;
    refuses(Zstd::default(), &[as_channels(100)]).await;
    refuses(Reversed, &json).await;
    let all = [as_json(1), as_json(100), as_channels(1), as_channels(100)];
    let encrypting = Aes256Gcm::new("key-1", &[7; 32]).unwrap();
    refuses(encrypting.clone(), &all).await;
    refuses((Zstd::default(), encrypting), &all).await;
}

/// Returns a value that is long enough for a piece.
fn long(number: u64) -> TypedValue {
    TypedValue::json(&format!("{number} {}", "word ".repeat(1_000))).unwrap()
}

/// Returns a step of a thread that saves only what it changes.
fn step(number: u64) -> Checkpoint<Channels> {
    let (plan, messages) = match number {
        1 => (long(9).into(), vec![long(0), long(1)].into()),
        _ => (Content::Same, Content::Appended(vec![long(number)])),
    };
    let state = Channels::new()
        .with("messages", &number.to_string(), messages)
        .with("plan", "1", plan);
    let mut checkpoint = Checkpoint::new("t", state).with_id(format!("id-{number}"));
    checkpoint.parent_seq = (number > 1).then(|| number - 1);
    checkpoint
}

#[tokio::test]
async fn keys_are_rotated_in_the_middle_of_a_thread() {
    let (_database, checkpointer) = fresh().await;
    let old = Aes256Gcm::new("old", &[1; 32]).unwrap();
    let new = Aes256Gcm::new("new", &[2; 32]).unwrap();
    let both = new.clone().with_old_key("old", &[1; 32]).unwrap();
    for (number, codec) in (1..).zip([&old, &old, &both, &both]) {
        let coded = Coded::new(checkpointer.clone(), codec.clone());
        let saved = coded.save_stored(step(number)).await.unwrap();
        assert_eq!((saved.seq, saved.is_new), (number, true));
    }
    let coded = Coded::new(checkpointer.clone(), both);
    // A save that is repeated with the new key is known, whichever key the first one had.
    for number in 1..=4 {
        let again = coded.save_stored(step(number)).await.unwrap();
        assert_eq!((again.seq, again.is_new), (number, false));
    }
    let messages: Vec<_> = (0..=4).map(long).collect();
    let expected = Channels::new()
        .with("messages", "4", messages)
        .with("plan", "1", long(9));
    let latest = coded.load_stored(&"t".into(), &At::Latest).await.unwrap();
    let latest = latest.map(|latest| latest.state);
    assert_eq!(latest, Some(expected.into()));
    // Without the old key, what only the new one encrypted is not enough.
    let coded = Coded::new(checkpointer, new);
    let refused = coded.load_stored(&"t".into(), &At::Latest).await;
    assert!(
        matches!(refused, Err(Error::InvalidConfig { .. })),
        "{refused:?}"
    );
}
