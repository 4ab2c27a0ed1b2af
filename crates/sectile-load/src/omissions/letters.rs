//! Characters that a text has in another form than its file.

use sectile_core::Metadata;
use serde_json::Value;

/// The name in [`Metadata::extra`] of how many characters could not be read.
pub(crate) const REPLACED_CHARACTERS: &str = "replaced_characters";

/// The name in [`Metadata::extra`] of how many references to entities nobody defined.
pub(crate) const UNRESOLVED_ENTITIES: &str = "unresolved_entities";

/// Says how many characters could not be read, and how many entities are written as their names.
pub(super) fn said(metadata: &Metadata) -> Vec<String> {
    let count = |name: &str| {
        let count = metadata.extra.get(name).and_then(Value::as_u64);
        count.filter(|count| *count > 0)
    };
    let replaced = count(REPLACED_CHARACTERS).map(|count| {
        let noun = if count == 1 {
            "character"
        } else {
            "characters"
        };
        format!("{count} {noun} could not be read")
    });
    let unresolved = count(UNRESOLVED_ENTITIES).map(|count| match count {
        1 => "1 reference to an entity is written as its name".to_owned(),
        _ => format!("{count} references to entities are written as their names"),
    });
    replaced.into_iter().chain(unresolved).collect()
}
