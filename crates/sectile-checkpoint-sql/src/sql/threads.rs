//! The statements that list threads. What each reads follows what it lists: it goes along an index, and
//! stops when it has found enough.
//!
//! A thread is found by the namespace that was saved to last. The first arguments of all lists are: an entry
//! of metadata that the threads have, or nothing; the times between which they were last used; the id that
//! they are listed after; how many are listed.
//!
//! What is asked of a thread is looked for in each by itself: `OFFSET 0` keeps Postgres, and `CROSS JOIN`
//! SQLite, from reading all that have it.

/// Lists threads that are found so, in the order of [`ListedTuple`](crate::ListedTuple). The metadata is that
/// of the newest checkpoint of the root, or of the first namespace that has one; it is read only if metadata
/// is asked for.
macro_rules! listed {
    ($order:literal: $($place:tt)+) => {
        concat!(
            "SELECT p.thread_id, coalesce((SELECT r.newest_seq FROM {}checkpoint_threads AS r \
             WHERE r.thread_id = p.thread_id AND r.namespace = ''), 0), \
             coalesce((SELECT CAST(sum(s.checkpoints) AS BIGINT) FROM {}checkpoint_threads AS s \
             WHERE s.thread_id = p.thread_id AND s.newest_seq > 0), 0), p.used, \
             CASE WHEN CAST($1 AS BIGINT) IS NOT NULL THEN (SELECT c.metadata_json \
                 FROM {}checkpoint_threads AS n CROSS JOIN {}checkpoints AS c \
                 WHERE n.thread_id = p.thread_id AND n.newest_seq > 0 \
                 AND c.thread_key = n.thread_key AND c.seq = n.newest_seq \
                 ORDER BY n.namespace LIMIT 1) END \
             FROM (SELECT thread_id, updated_at AS used FROM {}checkpoint_threads AS t \
             WHERE newest_seq > 0 AND updated_at >= $2 AND updated_at < $3 \
             AND NOT EXISTS (SELECT 1 FROM {}checkpoint_threads AS other \
                 WHERE other.thread_id = t.thread_id AND other.newest_seq > 0 \
                 AND (other.updated_at > t.updated_at \
                     OR other.updated_at = t.updated_at AND other.namespace < t.namespace) \
                 LIMIT 1 OFFSET 0) AND ",
            $($place)+,
            " LIMIT $5) AS p ORDER BY ",
            $order
        )
    };
}

/// Says that a thread has an entry, if one is asked for.
macro_rules! has_entry {
    () => {
        "(CAST($1 AS BIGINT) IS NULL OR EXISTS (SELECT 1 FROM {}checkpoint_threads AS o \
         CROSS JOIN {}checkpoint_metadata AS m WHERE o.thread_id = t.thread_id \
         AND m.thread_key = o.thread_key AND m.entry = $1 LIMIT 1 OFFSET 0)) AND "
    };
}

/// The namespaces that have an entry. Each is looked for after the one before, as a namespace has a row for
/// each block.
macro_rules! keys {
    () => {
        "WITH RECURSIVE keys (thread_key) AS (\
         SELECT (SELECT m.thread_key FROM {}checkpoint_metadata AS m \
             WHERE m.entry = $1 ORDER BY m.thread_key LIMIT 1) \
         UNION ALL SELECT (SELECT m.thread_key FROM {}checkpoint_metadata AS m \
             WHERE m.entry = $1 AND m.thread_key > keys.thread_key ORDER BY m.thread_key LIMIT 1) \
         FROM keys WHERE keys.thread_key IS NOT NULL) "
    };
}

/// Says that a thread is one of those that have an entry, all of which are read.
macro_rules! is_with {
    () => {
        concat!(
            "thread_id IN (",
            keys!(),
            "SELECT o.thread_id FROM keys CROSS JOIN {}checkpoint_threads AS o \
             WHERE o.thread_key = keys.thread_key) AND "
        )
    };
}

/// Lists threads by id.
pub const BY_ID: &str = listed!("p.thread_id": has_entry!(), "thread_id > $4 ORDER BY thread_id");

/// Lists threads by id, looking at all that were used between two slots.
pub const USED: &str = listed!("p.thread_id": has_entry!(),
    "used_slot >= $6 AND used_slot <= $7 AND thread_id > $4 ORDER BY thread_id");

/// Lists threads by id, looking at all that have the entry.
pub const WITH: &str = listed!("p.thread_id": is_with!(), "thread_id > $4 ORDER BY thread_id");

/// Lists threads by last use, between two slots and after a time.
pub const BY_USE: &str = listed!("p.used DESC, p.thread_id": has_entry!(),
    "used_slot >= $6 AND used_slot <= $7 AND (updated_at < $8 OR updated_at = $8 AND thread_id > $4) \
     ORDER BY used_slot DESC, updated_at DESC, thread_id");

/// Lists threads by last use after a time, looking at all that have the entry.
pub const WITH_BY_USE: &str = listed!("p.used DESC, p.thread_id": is_with!(),
    "(updated_at < $6 OR updated_at = $6 AND thread_id > $4) ORDER BY updated_at DESC, thread_id");

/// Counts the namespaces that have an entry, up to a number.
pub const COUNT_WITH: &str = concat!(
    "SELECT count(*), '' AS none FROM (",
    keys!(),
    "SELECT thread_key FROM keys WHERE thread_key IS NOT NULL LIMIT $2) AS found"
);

/// Counts the namespaces that were used between two slots, up to a number.
pub const COUNT_USED: &str = "SELECT count(*), '' AS none FROM (SELECT 1 FROM {}checkpoint_threads \
     WHERE used_slot >= $1 AND used_slot <= $2 LIMIT $3) AS found";

/// Reads when a thread was last used.
pub const LAST_USE: &str = "SELECT updated_at, '' AS none FROM {}checkpoint_threads \
     WHERE thread_id = $1 AND newest_seq > 0 ORDER BY updated_at DESC LIMIT 1";

/// All of them.
pub const ALL: &[&str] = &[
    BY_ID,
    USED,
    WITH,
    BY_USE,
    WITH_BY_USE,
    COUNT_WITH,
    COUNT_USED,
    LAST_USE,
];
