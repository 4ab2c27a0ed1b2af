//! States that went through a codec are not projected.

use sectile_checkpoint::{
    Aes256Gcm, Channels, Checkpoint, Codec, Coded, Content, Error, RecordsExt as _, Result,
    StoredState, TypedValue, Zstd,
};
use sectile_checkpoint_sqlite::SqliteCheckpointer;
use serde_json::{Value, json};

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

/// Opens a checkpointer with projections.
async fn open() -> SqliteCheckpointer {
    let builder = SqliteCheckpointer::builder("sqlite::memory:").enable_projections(true);
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    checkpointer
}

async fn refuses(codec: impl Codec, states: &[StoredState]) {
    let checkpointer = Coded::new(open().await, codec);
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
