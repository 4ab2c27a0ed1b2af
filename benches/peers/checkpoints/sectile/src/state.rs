//! The state that all save.

use serde::{Deserialize, Serialize};

/// A conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub messages: Vec<Message>,
    pub step: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub id: String,
    pub role: String,
    pub content: String,
}
