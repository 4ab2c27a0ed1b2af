//! The statements that are the same on both engines. `{}` stands for what the names of the tables
//! begin with.

/// The columns of a checkpoint, in the order of [`RowTuple`](crate::RowTuple).
macro_rules! columns {
    () => {
        "thread_id, seq, created_at, node, step, checkpoint_id, parent_seq, \
         queue_json, metadata_json, state_json"
    };
}

/// Reads the newest checkpoint of a thread.
pub const LATEST: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM {}checkpoints WHERE thread_id = $1 ORDER BY seq DESC LIMIT 1"
);

/// Reads the checkpoint of a thread with a number.
pub const AT_SEQ: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM {}checkpoints WHERE thread_id = $1 AND seq = $2"
);

/// Reads the checkpoint of a thread with an id by the caller.
pub const BY_ID: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM {}checkpoints WHERE thread_id = $1 AND checkpoint_id = $2"
);

/// Reads the newest checkpoints of a thread before a number, as many as a limit says.
pub const PAGE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM {}checkpoints WHERE thread_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3"
);

/// Reads the metadata of the newest checkpoints of a thread before a number.
pub const METADATA_PAGE: &str = "SELECT seq, metadata_json FROM {}checkpoints \
     WHERE thread_id = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3";

/// Lists threads after an id: id, newest number, number of checkpoints, time of the newest.
pub const THREADS: &str = "SELECT t.thread_id, t.last_seq, \
     (SELECT count(*) FROM {}checkpoints AS c WHERE c.thread_id = t.thread_id), \
     (SELECT c.created_at FROM {}checkpoints AS c \
      WHERE c.thread_id = t.thread_id ORDER BY c.seq DESC LIMIT 1) \
     FROM {}checkpoint_threads AS t WHERE t.thread_id > $1 ORDER BY t.thread_id LIMIT $2";

/// Lists the ids of threads after an id, each with its newest number.
pub const THREAD_IDS: &str = "SELECT last_seq, thread_id FROM {}checkpoint_threads \
     WHERE thread_id > $1 ORDER BY thread_id LIMIT $2";

/// Reads the number of a checkpoint, if it is there, with its thread.
pub const HAS_SEQ: &str =
    "SELECT seq, thread_id FROM {}checkpoints WHERE thread_id = $1 AND seq = $2";

/// Reads the newest number of a thread, if it is there.
pub const LAST_SEQ: &str =
    "SELECT last_seq, thread_id FROM {}checkpoint_threads WHERE thread_id = $1";

/// Takes the id of a thread, if it is free.
pub const CLAIM_THREAD: &str = "INSERT INTO {}checkpoint_threads (thread_id, last_seq) \
     VALUES ($1, $2) ON CONFLICT (thread_id) DO NOTHING";

/// Holds the counter of a thread until the end of the transaction, so that no one saves to it.
pub const LOCK_THREAD: &str =
    "UPDATE {}checkpoint_threads SET last_seq = last_seq WHERE thread_id = $1";

/// Copies the checkpoints of a thread up to a number to another thread.
pub const COPY: &str = concat!(
    "INSERT INTO {}checkpoints (",
    columns!(),
    ") SELECT $2, seq, created_at, node, step, checkpoint_id, parent_seq, \
     queue_json, metadata_json, state_json \
     FROM {}checkpoints WHERE thread_id = $1 AND seq <= $3 ORDER BY seq"
);

/// Reads the checkpoints of a thread after a number, oldest first, as many as a limit says.
pub const AFTER: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM {}checkpoints WHERE thread_id = $1 AND seq > $2 ORDER BY seq LIMIT $3"
);

/// Forgets the counter of a thread. On Postgres it is deleted first, as its row is the lock.
pub const DELETE_COUNTER: &str = "DELETE FROM {}checkpoint_threads WHERE thread_id = $1";

/// Deletes the checkpoints of a thread.
pub const DELETE_CHECKPOINTS: &str = "DELETE FROM {}checkpoints WHERE thread_id = $1";

/// Deletes the session of a thread.
pub const DELETE_SESSION: &str = "DELETE FROM {}sessions WHERE thread_id = $1";

/// Finds the number of the newest checkpoint but some.
pub const NTH_NEWEST: &str = "SELECT seq, thread_id FROM {}checkpoints \
     WHERE thread_id = $1 ORDER BY seq DESC LIMIT 1 OFFSET $2";

/// Deletes the checkpoints of a thread before a number and before a time.
pub const PRUNE: &str =
    "DELETE FROM {}checkpoints WHERE thread_id = $1 AND seq < $2 AND created_at < $3";

/// Writes the session of a thread.
pub const PUT_SESSION: &str = "INSERT INTO {}sessions \
     (thread_id, session_id, user_id, title, metadata_json, created_at, updated_at) \
     VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (thread_id) DO UPDATE SET \
     session_id = excluded.session_id, user_id = excluded.user_id, title = excluded.title, \
     metadata_json = excluded.metadata_json, updated_at = excluded.updated_at";

/// Reads where the messages of a thread end.
pub const LAST_MESSAGE: &str = "SELECT position, chain FROM {}messages \
     WHERE thread_id = $1 ORDER BY position DESC LIMIT 1";

/// Reads the hashes of the messages of a thread.
pub const MESSAGE_CHAINS: &str =
    "SELECT position, chain FROM {}messages WHERE thread_id = $1 ORDER BY position";

/// Deletes the messages of a thread from a position on.
pub const CUT_MESSAGES: &str = "DELETE FROM {}messages WHERE thread_id = $1 AND position >= $2";

/// Adds a message.
pub const ADD_MESSAGE: &str = "INSERT INTO {}messages \
     (thread_id, position, seq, created_at, chain, role, content) \
     VALUES ($1, $2, $3, $4, $5, $6, $7)";

/// Reads where the triples of a thread end.
pub const LAST_TRIPLE: &str = "SELECT position, chain FROM {}graph_triples \
     WHERE thread_id = $1 ORDER BY position DESC LIMIT 1";

/// Reads the hashes of the triples of a thread.
pub const TRIPLE_CHAINS: &str =
    "SELECT position, chain FROM {}graph_triples WHERE thread_id = $1 ORDER BY position";

/// Deletes the triples of a thread from a position on.
pub const CUT_TRIPLES: &str = "DELETE FROM {}graph_triples WHERE thread_id = $1 AND position >= $2";

/// Adds a triple.
pub const ADD_TRIPLE: &str = "INSERT INTO {}graph_triples \
     (thread_id, position, seq, created_at, chain, subject, predicate, object, score) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/// All of them, so that a backend's tests can prepare each.
pub const ALL: &[&str] = &[
    LATEST,
    AT_SEQ,
    BY_ID,
    PAGE,
    METADATA_PAGE,
    THREADS,
    THREAD_IDS,
    HAS_SEQ,
    LAST_SEQ,
    CLAIM_THREAD,
    LOCK_THREAD,
    COPY,
    AFTER,
    DELETE_COUNTER,
    DELETE_CHECKPOINTS,
    DELETE_SESSION,
    NTH_NEWEST,
    PRUNE,
    PUT_SESSION,
    LAST_MESSAGE,
    MESSAGE_CHAINS,
    CUT_MESSAGES,
    ADD_MESSAGE,
    LAST_TRIPLE,
    TRIPLE_CHAINS,
    CUT_TRIPLES,
    ADD_TRIPLE,
];
