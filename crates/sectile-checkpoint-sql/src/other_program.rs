//! Databases whose tables are those of another program.

use sectile_checkpoint::Error;

/// The names of tables for checkpoints, after their prefix.
const NAMES: [&str; 8] = [
    "checkpoint_threads",
    "checkpoints",
    "checkpoint_pieces",
    "checkpoint_writes",
    "checkpoint_metadata",
    "sessions",
    "messages",
    "graph_triples",
];

/// Returns the names of tables for checkpoints that have a prefix.
pub fn table_names(prefix: &str) -> Vec<String> {
    NAMES.iter().map(|name| format!("{prefix}{name}")).collect()
}

/// Returns the error for a database in which another program has tables with names of those for checkpoints.
pub fn names_are_taken() -> Error {
    Error::InvalidConfig {
        setting: "table_prefix",
        reason: "must be another one: a program such as LangGraph has tables in this database with the names of those \
                 for checkpoints; nothing was changed. Choose a prefix such as `sectile_` (--table-prefix), or import \
                 LangGraph's checkpoints into a new database (`SectileSaver.import_checkpoints` in Python)"
            .to_owned(),
    }
}
