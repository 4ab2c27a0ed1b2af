//! The files that a document names as parts of itself.

use std::collections::HashSet;

use sectile_core::Metadata;
use serde_json::Value;

use crate::omissions::NOT_FOLLOWED;

/// How many names are kept.
const MAX_NAMES: usize = 1_000;

/// How long a name may be.
const MAX_BYTES: usize = 1_000;

/// Collects the names of files that are included and not read, each once.
#[derive(Debug, Default)]
pub(crate) struct NotFollowed {
    names: Vec<String>,
    seen: HashSet<String>,
}

impl NotFollowed {
    pub(crate) fn add(&mut self, name: &str) {
        let name = name.trim();
        let is_name = !name.is_empty() && name.len() <= MAX_BYTES;
        if is_name && self.names.len() < MAX_NAMES && self.seen.insert(name.to_owned()) {
            self.names.push(name.to_owned());
        }
    }

    pub(crate) fn write_into(self, metadata: &mut Metadata) {
        if !self.names.is_empty() {
            let names = Value::from(self.names);
            metadata.extra.insert(NOT_FOLLOWED.into(), names);
        }
    }
}
