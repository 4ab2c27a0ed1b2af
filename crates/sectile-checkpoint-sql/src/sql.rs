//! The statements that are the same on both engines. `{}` stands for what the names of the tables
//! begin with.

pub mod threads;

/// The columns of a checkpoint, in the order of [`RowTuple`](crate::RowTuple).
macro_rules! columns {
    () => {
        "thread_key, seq, created_at, node, step, checkpoint_id, parent_seq, run_id, queue_json, \
         metadata_json, checksum, whole_bytes, form, kind, state_json, state"
    };
}

/// The same of a namespace that is given by its name.
macro_rules! of_namespace {
    ($rest:literal) => {
        concat!(
            "SELECT c.thread_key, c.seq, c.created_at, c.node, c.step, c.checkpoint_id, \
             c.parent_seq, c.run_id, c.queue_json, c.metadata_json, c.checksum, c.whole_bytes, \
             c.form, c.kind, c.state_json, c.state \
             FROM {}checkpoint_threads AS t JOIN {}checkpoints AS c ON c.thread_key = t.thread_key ",
            $rest
        )
    };
}

/// The columns of a namespace, in the order of [`HeadTuple`](crate::HeadTuple).
macro_rules! heads {
    ($rest:literal) => {
        concat!(
            "SELECT thread_key, namespace, last_seq, newest_seq, last_piece, used_slot \
             FROM {}checkpoint_threads AS t ",
            $rest
        )
    };
}

/// Reads the checkpoint of a namespace with a number.
pub const AT_SEQ: &str =
    of_namespace!("WHERE t.thread_id = $1 AND t.namespace = $2 AND c.seq = $3");

/// Reads the checkpoint of a namespace with an id by the caller.
pub const BY_ID: &str =
    of_namespace!("WHERE t.thread_id = $1 AND t.namespace = $2 AND c.checkpoint_id = $3");

/// Reads the newest checkpoints of a namespace before a number, as many as a limit says. The number of the
/// namespace stands in a select: in a join Postgres would read and sort all of its checkpoints.
pub const PAGE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM {}checkpoints WHERE thread_key = (SELECT thread_key FROM {}checkpoint_threads \
     WHERE thread_id = $1 AND namespace = $2) AND seq < $3 ORDER BY seq DESC LIMIT $4"
);

/// Reads the checkpoints of a namespace with the greatest ids before a number and an id, as many as a limit
/// says. `+` keeps SQLite from reading and sorting all checkpoints before the number.
pub const PAGE_BY_ID: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM {}checkpoints WHERE thread_key = (SELECT thread_key FROM {}checkpoint_threads \
     WHERE thread_id = $1 AND namespace = $2) AND +seq < $3 AND checkpoint_id < $4 \
     ORDER BY checkpoint_id DESC LIMIT $5"
);

/// Lists the greatest ids of a namespace before one, as many as a limit says.
pub const IDS: &str = "SELECT seq, checkpoint_id FROM {}checkpoints \
     WHERE thread_key = $1 AND checkpoint_id < $2 ORDER BY checkpoint_id DESC LIMIT $3";

/// Reads the metadata of the checkpoints with the greatest ids before a number and an id, as threads are
/// listed. Only rows are read of blocks that have an entry.
pub const METADATA_BY_ID: &str = "SELECT checkpoint_id, seq, CAST(0 AS BIGINT), CAST(0 AS BIGINT), \
     metadata_json FROM {}checkpoints AS c \
     WHERE thread_key = $1 AND +seq < $2 AND checkpoint_id < $3 \
     AND EXISTS (SELECT 1 FROM {}checkpoint_metadata AS m WHERE m.thread_key = $1 AND m.entry = $4 \
         AND m.block = c.seq >> 6) \
     ORDER BY checkpoint_id DESC LIMIT $5";

/// Reads the checkpoint with a number, by the number of its thread.
pub const AT_KEY: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM {}checkpoints WHERE thread_key = $1 AND seq = $2"
);

/// Reads the checkpoints of a thread after a number, oldest first, as many as a limit says.
pub const AFTER: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM {}checkpoints WHERE thread_key = $1 AND seq > $2 ORDER BY seq LIMIT $3"
);

/// Reads the metadata of checkpoints between two numbers, newest first.
pub const METADATA: &str = "SELECT seq, metadata_json FROM {}checkpoints \
     WHERE thread_key = $1 AND seq >= $2 AND seq < $3 ORDER BY seq DESC";

/// Reads in which blocks up to one a thread has an entry of metadata, newest first.
pub const BLOCKS: &str = "SELECT block, '' AS none FROM {}checkpoint_metadata \
     WHERE thread_key = $1 AND entry = $2 AND block <= $3 ORDER BY block DESC LIMIT $4";

/// Reads the entries of metadata of a thread with their blocks, after one of them, as many as a limit says,
/// as threads are read.
pub const ENTRIES: &str = "SELECT CAST('' AS TEXT) AS none, entry, block, CAST(0 AS BIGINT) \
     FROM {}checkpoint_metadata WHERE thread_key = $1 AND (entry, block) > ($2, $3) \
     ORDER BY entry, block LIMIT $4";

/// Reads the checkpoints of a thread after a number whose states are in pieces, as many as a limit says; those,
/// too, that say otherwise, though their row does not have the bytes of their state: they are damaged.
pub const IN_PIECES: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM {}checkpoints WHERE thread_key = $1 AND seq > $2 AND (form NOT IN (0, 1, 2) \
     OR form = 2 AND whole_bytes > 8192 OR form < 2 \
     AND whole_bytes <> coalesce(octet_length(state_json), octet_length(state), 0)) \
     ORDER BY seq LIMIT $3"
);

/// Reads a namespace.
pub const HEAD: &str = heads!("WHERE thread_id = $1 AND namespace = $2");

/// Reads a namespace by its number.
pub const HEAD_OF_KEY: &str = heads!("WHERE thread_key = $1");

/// Reads the namespaces of a thread.
pub const HEADS: &str = heads!("WHERE thread_id = $1 ORDER BY namespace");

/// Reads the namespaces of a thread that have an entry of metadata.
pub const HEADS_WITH: &str = heads!(
    "WHERE thread_id = $1 AND EXISTS (SELECT 1 FROM {}checkpoint_metadata AS m \
     WHERE m.thread_key = t.thread_key AND m.entry = $2) ORDER BY namespace"
);

/// Reads namespaces of all threads after a number, as many as a limit says.
pub const ALL_HEADS: &str = heads!("WHERE thread_key > $1 ORDER BY thread_key LIMIT $2");

/// Reads the id of a thread by the number of a namespace.
pub const THREAD_OF_KEY: &str =
    "SELECT thread_key, thread_id FROM {}checkpoint_threads WHERE thread_key = $1";

/// Lists the namespaces of a thread that have checkpoints.
pub const NAMESPACES: &str = "SELECT namespace, newest_seq, checkpoints, updated_at FROM {}checkpoint_threads \
     WHERE thread_id = $1 AND newest_seq > 0 ORDER BY namespace";

/// Makes a namespace, if it is not there.
pub const CREATE_THREAD: &str = "INSERT INTO {}checkpoint_threads \
     (thread_id, namespace, last_seq, newest_seq, checkpoints, updated_at, used_slot, last_piece) \
     VALUES ($1, $2, 0, 0, 0, 0, 0, 0) ON CONFLICT (thread_id, namespace) DO NOTHING";

/// Holds a namespace until the end of the transaction, so that no one saves to it.
pub const LOCK_KEY: &str =
    "UPDATE {}checkpoint_threads SET last_seq = last_seq WHERE thread_key = $1";

/// Inserts a checkpoint under a number, unless one has it.
pub const INSERT_AT: &str = concat!(
    "INSERT INTO {}checkpoints (",
    columns!(),
    ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) \
     ON CONFLICT (thread_key, seq) DO NOTHING"
);

/// Says in a namespace that a checkpoint was inserted.
pub const COUNT: &str = "UPDATE {}checkpoint_threads SET last_seq = $2, newest_seq = $2, \
     checkpoints = checkpoints + 1, updated_at = $3 WHERE thread_key = $1";

/// Says in a namespace in which slot its newest checkpoint was saved.
pub const SET_SLOT: &str = "UPDATE {}checkpoint_threads SET used_slot = $2 WHERE thread_key = $1";

/// Says in a namespace where its last piece is.
pub const SET_LAST_PIECE: &str =
    "UPDATE {}checkpoint_threads SET last_piece = $2 WHERE thread_key = $1";

/// Says in a namespace which number was the last.
pub const SET_LAST_SEQ: &str =
    "UPDATE {}checkpoint_threads SET last_seq = $2 WHERE thread_key = $1 AND last_seq < $2";

/// Says that a thread has an entry of metadata in a block.
pub const ADD_ENTRY: &str = "INSERT INTO {}checkpoint_metadata (thread_key, entry, block) \
     VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";

/// Finds the number of the newest checkpoint but some.
pub const NTH_NEWEST: &str = "SELECT seq, '' AS none FROM {}checkpoints \
     WHERE thread_key = $1 ORDER BY seq DESC LIMIT 1 OFFSET $2";

/// Finds a checkpoint of a thread before a number and before a time.
pub const OLDER: &str = "SELECT seq, '' AS none FROM {}checkpoints \
     WHERE thread_key = $1 AND seq < $2 AND created_at < $3 LIMIT 1";

/// Lists the numbers of the newest checkpoints of a thread before one, as many as a limit says.
pub const BEFORE: &str = "SELECT seq, '' AS none FROM {}checkpoints \
     WHERE thread_key = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3";

/// Finds the number of the oldest checkpoint.
pub const OLDEST: &str =
    "SELECT seq, '' AS none FROM {}checkpoints WHERE thread_key = $1 ORDER BY seq LIMIT 1";

/// Finds the newest checkpoint, as a thread is read.
pub const NEWEST: &str = "SELECT node, seq, step, created_at FROM (SELECT '' AS node, seq, step, created_at \
     FROM {}checkpoints WHERE thread_key = $1 ORDER BY seq DESC LIMIT 1) AS newest";

/// Deletes the pending writes of the checkpoints of a thread before a number and before a time.
pub const PRUNE_WRITES: &str = "DELETE FROM {}checkpoint_writes WHERE thread_key = $1 AND owner IN \
     (SELECT coalesce('=' || checkpoint_id, '#' || seq) FROM {}checkpoints \
      WHERE thread_key = $1 AND seq < $2 AND created_at < $3)";

/// Deletes the checkpoints of a thread before a number and before a time.
pub const PRUNE: &str =
    "DELETE FROM {}checkpoints WHERE thread_key = $1 AND seq < $2 AND created_at < $3";

/// Deletes the pending writes of the checkpoints of a thread with an id before one and before a time.
pub const PRUNE_WRITES_BY_ID: &str = "DELETE FROM {}checkpoint_writes WHERE thread_key = $1 AND owner IN \
     (SELECT '=' || checkpoint_id FROM {}checkpoints \
      WHERE thread_key = $1 AND checkpoint_id < $2 AND created_at < $3)";

/// Deletes the checkpoints of a thread with an id before one and before a time.
pub const PRUNE_BY_ID: &str = "DELETE FROM {}checkpoints \
     WHERE thread_key = $1 AND checkpoint_id < $2 AND created_at < $3";

/// Lists the namespaces where a run saved or wrote, after a number.
pub const RUN_KEYS: &str = "SELECT thread_key, '' AS none FROM (\
     SELECT thread_key FROM {}checkpoints WHERE run_id = $1 AND thread_key > $2 \
     UNION SELECT thread_key FROM {}checkpoint_writes WHERE run_id = $1 AND thread_key > $2\
     ) AS keys ORDER BY thread_key LIMIT $3";

/// Deletes what a run wrote in a namespace.
pub const DELETE_WRITES_OF_RUN: &str =
    "DELETE FROM {}checkpoint_writes WHERE run_id = $2 AND thread_key = $1";

/// Deletes what was written beside the checkpoints of a run.
pub const DELETE_WRITES_BESIDE_RUN: &str = "DELETE FROM {}checkpoint_writes WHERE thread_key = $1 AND owner IN \
     (SELECT coalesce('=' || checkpoint_id, '#' || seq) FROM {}checkpoints \
      WHERE run_id = $2 AND thread_key = $1)";

/// Deletes the checkpoints of a run.
pub const DELETE_RUN: &str = "DELETE FROM {}checkpoints WHERE run_id = $2 AND thread_key = $1";

/// Says in a namespace how many checkpoints went, and which is the newest now.
pub const SETTLE: &str = "UPDATE {}checkpoint_threads SET newest_seq = $2, updated_at = $3, \
     used_slot = $3 >> 16, checkpoints = checkpoints - $4 WHERE thread_key = $1";

/// Forgets the metadata of a thread before a block.
pub const CUT_METADATA: &str =
    "DELETE FROM {}checkpoint_metadata WHERE thread_key = $1 AND block < $2";

/// Deletes all writes of a namespace.
pub const DELETE_WRITES: &str = "DELETE FROM {}checkpoint_writes WHERE thread_key = $1";

/// Deletes all checkpoints of a namespace.
pub const DELETE_CHECKPOINTS: &str = "DELETE FROM {}checkpoints WHERE thread_key = $1";

/// Forgets a namespace.
pub const DELETE_THREAD: &str = "DELETE FROM {}checkpoint_threads WHERE thread_key = $1";

/// Deletes the session of a thread.
pub const DELETE_SESSION: &str = "DELETE FROM {}sessions WHERE thread_id = $1";

/// Copies checkpoints up to a number and a time to another namespace.
pub const COPY: &str = "INSERT INTO {}checkpoints (thread_key, seq, created_at, node, step, checkpoint_id, parent_seq, \
     run_id, queue_json, metadata_json, checksum, whole_bytes, form, kind, state_json, state) \
     SELECT $2, seq, created_at, node, step, checkpoint_id, parent_seq, \
     run_id, queue_json, metadata_json, checksum, whole_bytes, form, kind, state_json, state \
     FROM {}checkpoints WHERE thread_key = $1 AND seq <= $3 AND created_at <= $4 ORDER BY seq";

/// Copies the pending writes of checkpoints that were copied.
pub const COPY_WRITES: &str = "INSERT INTO {}checkpoint_writes \
     (thread_key, owner, task_id, place, task_path, run_id, channel, checksum, kind, value) \
     SELECT $2, owner, task_id, place, task_path, run_id, channel, checksum, kind, value \
     FROM {}checkpoint_writes WHERE thread_key = $1 AND owner IN \
     (SELECT coalesce('=' || checkpoint_id, '#' || seq) FROM {}checkpoints \
      WHERE thread_key = $2)";

/// Copies in which blocks entries of metadata are.
pub const COPY_METADATA: &str = "INSERT INTO {}checkpoint_metadata (thread_key, entry, block) \
     SELECT $2, entry, block FROM {}checkpoint_metadata WHERE thread_key = $1 AND block <= $3";

/// Says in a namespace what was copied to it.
pub const COUNT_COPY: &str = "UPDATE {}checkpoint_threads SET \
     last_seq = (SELECT max(seq) FROM {}checkpoints WHERE thread_key = $1), \
     checkpoints = (SELECT count(*) FROM {}checkpoints WHERE thread_key = $1), \
     last_piece = $2 WHERE thread_key = $1";

/// Reads the pending writes of a checkpoint, in any order.
pub const WRITES: &str = "SELECT owner, task_id, place, task_path, run_id, channel, checksum, kind, value \
     FROM {}checkpoint_writes WHERE thread_key = $1 AND owner = $2";

/// Reads what the writes of a namespace belong to, after one, as many as a limit says.
pub const OWNERS: &str = "SELECT DISTINCT CAST(0 AS BIGINT) AS none, owner FROM {}checkpoint_writes \
     WHERE thread_key = $1 AND owner > $2 ORDER BY owner LIMIT $3";

/// Reads what the pending writes of a checkpoint belong to, by its number.
pub const SEQ_OWNER: &str = "SELECT seq, coalesce('=' || checkpoint_id, '#' || seq) FROM {}checkpoints \
     WHERE thread_key = $1 AND seq = $2";

/// Reads the number of the checkpoint with an id by the caller.
pub const SEQ_OF_ID: &str = "SELECT seq, '' AS none FROM {}checkpoints \
     WHERE thread_key = $1 AND checkpoint_id = $2";

/// Sums up the checkpoints of a namespace, as threads are read: bytes if each state were stored whole, stored
/// bytes, number. They differ where a state is in pieces.
pub const SIZE: &str = "SELECT CAST('' AS TEXT) AS none, \
     CAST(coalesce(sum(CASE WHEN form >= 3 THEN whole_bytes ELSE row_bytes END + rest_bytes), 0) AS BIGINT), \
     CAST(coalesce(sum(row_bytes + rest_bytes), 0) AS BIGINT), count(*) \
     FROM (SELECT form, whole_bytes, \
         coalesce(octet_length(state_json), 0) + coalesce(octet_length(state), 0) AS row_bytes, \
         octet_length(queue_json) + octet_length(metadata_json) AS rest_bytes \
         FROM {}checkpoints WHERE thread_key = $1) AS sizes";

/// Sums up the writes of a namespace.
pub const SIZE_OF_WRITES: &str = "SELECT CAST('' AS TEXT) AS none, CAST(0 AS BIGINT), \
     CAST(coalesce(sum(octet_length(value)), 0) AS BIGINT), count(*) \
     FROM {}checkpoint_writes WHERE thread_key = $1";

/// Reads how many checkpoints a namespace says that it has.
pub const COUNTED: &str = "SELECT namespace, checkpoints, newest_seq, updated_at \
     FROM {}checkpoint_threads WHERE thread_key = $1";

/// Counts the rows of each table that belong to no namespace.
pub const STRAYS: &str = "SELECT CAST('checkpoints' AS TEXT) AS name, count(*), \
     CAST(0 AS BIGINT), CAST(0 AS BIGINT) FROM {}checkpoints \
     WHERE thread_key NOT IN (SELECT thread_key FROM {}checkpoint_threads) \
     UNION ALL SELECT 'checkpoint_writes', count(*), 0, 0 FROM {}checkpoint_writes \
     WHERE thread_key NOT IN (SELECT thread_key FROM {}checkpoint_threads) \
     UNION ALL SELECT 'checkpoint_metadata', count(*), 0, 0 FROM {}checkpoint_metadata \
     WHERE thread_key NOT IN (SELECT thread_key FROM {}checkpoint_threads)";

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

/// The statements by which what the tables of the first version hold is moved.
pub mod moving {
    /// Reads the first thread of the first version that is not moved yet.
    pub const OLD_THREAD: &str =
        "SELECT last_seq, thread_id FROM {}checkpoint_threads_1 ORDER BY thread_id LIMIT 1";

    /// Reads the sizes of the oldest states of such a thread.
    pub const OLD_SIZES: &str = "SELECT seq, CAST(length(state_json) AS TEXT) FROM {}checkpoints_1 \
     WHERE thread_id = $1 ORDER BY seq LIMIT $2";

    /// Reads one of its checkpoints.
    pub const OLD_ROW: &str = "SELECT CAST(0 AS BIGINT) AS thread_key, seq, created_at, node, step, checkpoint_id, \
     parent_seq, CAST(NULL AS TEXT) AS run_id, queue_json, metadata_json, \
     CAST(0 AS BIGINT) AS checksum, CAST(0 AS BIGINT) AS whole_bytes, CAST(0 AS BIGINT) AS form, \
     CAST(NULL AS TEXT) AS kind, state_json, NULL AS state \
     FROM {}checkpoints_1 WHERE thread_id = $1 AND seq = $2";

    /// Copies one that cannot be read as it is, with the hash of no checkpoint.
    pub const COPY_OLD_ROW: &str = concat!(
        "INSERT INTO {}checkpoints (",
        columns!(),
        ") SELECT CAST($1 AS BIGINT), seq, created_at, node, step, checkpoint_id, parent_seq, \
         CAST(NULL AS TEXT), queue_json, metadata_json, 0, octet_length(state_json), 0, \
         CAST(NULL AS TEXT), state_json, NULL \
         FROM {}checkpoints_1 WHERE thread_id = $2 AND seq = $3"
    );

    /// Reads when one was saved.
    pub const OLD_TIME: &str =
        "SELECT created_at, '' AS none FROM {}checkpoints_1 WHERE thread_id = $1 AND seq = $2";

    /// Deletes checkpoints that were moved.
    pub const DELETE_OLD_ROWS: &str =
        "DELETE FROM {}checkpoints_1 WHERE thread_id = $1 AND seq <= $2";

    /// Forgets a thread that was moved.
    pub const DELETE_OLD_THREAD: &str = "DELETE FROM {}checkpoint_threads_1 WHERE thread_id = $1";

    /// All of them.
    pub const ALL: &[&str] = &[
        OLD_THREAD,
        OLD_SIZES,
        OLD_ROW,
        COPY_OLD_ROW,
        OLD_TIME,
        DELETE_OLD_ROWS,
        DELETE_OLD_THREAD,
    ];
}

/// All of them, so that a backend's tests can prepare each.
pub const ALL: &[&str] = &[
    AT_SEQ,
    BY_ID,
    PAGE,
    PAGE_BY_ID,
    IDS,
    METADATA_BY_ID,
    AT_KEY,
    AFTER,
    METADATA,
    BLOCKS,
    ENTRIES,
    IN_PIECES,
    HEAD,
    HEAD_OF_KEY,
    HEADS,
    HEADS_WITH,
    ALL_HEADS,
    THREAD_OF_KEY,
    NAMESPACES,
    CREATE_THREAD,
    SET_SLOT,
    LOCK_KEY,
    INSERT_AT,
    COUNT,
    SET_LAST_PIECE,
    SET_LAST_SEQ,
    ADD_ENTRY,
    NTH_NEWEST,
    OLDER,
    BEFORE,
    OLDEST,
    NEWEST,
    PRUNE_WRITES,
    PRUNE,
    PRUNE_WRITES_BY_ID,
    PRUNE_BY_ID,
    RUN_KEYS,
    DELETE_WRITES_OF_RUN,
    DELETE_WRITES_BESIDE_RUN,
    DELETE_RUN,
    SETTLE,
    CUT_METADATA,
    DELETE_WRITES,
    DELETE_CHECKPOINTS,
    DELETE_THREAD,
    DELETE_SESSION,
    COPY,
    COPY_WRITES,
    COPY_METADATA,
    COUNT_COPY,
    WRITES,
    OWNERS,
    SEQ_OWNER,
    SEQ_OF_ID,
    PUT_SESSION,
    LAST_MESSAGE,
    MESSAGE_CHAINS,
    CUT_MESSAGES,
    ADD_MESSAGE,
    LAST_TRIPLE,
    TRIPLE_CHAINS,
    CUT_TRIPLES,
    ADD_TRIPLE,
    SIZE,
    SIZE_OF_WRITES,
    COUNTED,
    STRAYS,
];
