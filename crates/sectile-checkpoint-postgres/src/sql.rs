//! The statements that only Postgres knows. `{}` stands for the schema and the prefix of the
//! tables.

/// Takes the next number of a namespace and inserts a checkpoint under it, with the entries of its
/// metadata; returns nothing when the namespace is not there, has its id already, never had the parent
/// or is counted wrongly. The row of the namespace is locked until the end of the transaction.
pub(crate) const INSERT: &str = "WITH taken AS (\
     UPDATE {}checkpoint_threads AS thread SET last_seq = last_seq + 1, \
     newest_seq = last_seq + 1, checkpoints = checkpoints + 1, \
     updated_at = $3, used_slot = $3 >> 16 \
     WHERE thread_id = $1 AND namespace = $2 AND coalesce($7::bigint, 0) <= last_seq \
     AND newest_seq <= last_seq AND NOT EXISTS (SELECT 1 FROM {}checkpoints AS kept \
         WHERE kept.thread_key = thread.thread_key AND kept.checkpoint_id = $6) \
     RETURNING thread_key, last_seq), \
     entries AS (INSERT INTO {}checkpoint_metadata (thread_key, entry, block) \
     SELECT DISTINCT thread_key, entry, last_seq / 64 FROM taken, unnest($17::bigint[]) AS entry \
     ON CONFLICT DO NOTHING) \
     INSERT INTO {}checkpoints (thread_key, seq, created_at, node, step, checkpoint_id, \
     parent_seq, run_id, queue_json, metadata_json, checksum, whole_bytes, form, kind, \
     state_json, state) \
     SELECT thread_key, last_seq, $3, $4, $5, $6, $7, $8, $9, $10, $11 # last_seq, $12, $13, $14, \
     $15, $16 FROM taken RETURNING seq";

/// Takes the next numbers of a namespace and inserts checkpoints under them, given as columns. Fails
/// if the namespace has the id of one already, and does nothing if it is not there, never had the parent
/// of one or is counted wrongly.
pub(crate) const INSERT_ALL: &str = "WITH taken AS (\
     UPDATE {}checkpoint_threads SET last_seq = last_seq + cardinality($3), \
     newest_seq = last_seq + cardinality($3), checkpoints = checkpoints + cardinality($3), \
     updated_at = $17, used_slot = $17 >> 16 \
     WHERE thread_id = $1 AND namespace = $2 AND coalesce((SELECT max(parent) \
         FROM unnest($7::bigint[]) AS parent), 0) <= last_seq AND newest_seq <= last_seq \
     RETURNING thread_key, last_seq - cardinality($3) AS before), \
     entries AS (INSERT INTO {}checkpoint_metadata (thread_key, entry, block) \
     SELECT DISTINCT thread_key, entry, (before + number) / 64 \
     FROM taken, unnest($18::bigint[], $19::bigint[]) AS new (entry, number) \
     ON CONFLICT DO NOTHING) \
     INSERT INTO {}checkpoints (thread_key, seq, created_at, node, step, checkpoint_id, \
     parent_seq, run_id, queue_json, metadata_json, checksum, whole_bytes, form, kind, \
     state_json, state) \
     SELECT taken.thread_key, taken.before + new.number, new.created_at, new.node, new.step, \
     new.checkpoint_id, new.parent_seq, new.run_id, new.queue_json, new.metadata_json, \
     new.checksum # (taken.before + new.number), new.whole_bytes, new.form, new.kind, \
     new.state_json, new.state \
     FROM taken, unnest($3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::bigint[], \
     $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], \
     $14::text[], $15::text[], $16::bytea[]) WITH ORDINALITY AS new (created_at, node, step, \
     checkpoint_id, parent_seq, run_id, queue_json, metadata_json, checksum, whole_bytes, form, \
     kind, state_json, state, number) RETURNING seq";

/// Lets the transaction wait for a lock so many milliseconds less than the server does, but at least
/// one: 0 would be no limit. Without a limit there is none afterwards.
pub(crate) const WAIT_LESS: &str = "SELECT \
     set_config('lock_timeout', greatest(1, ceil(longest) - $1)::bigint::text, true) \
     FROM (SELECT min(extract(epoch FROM current_setting(name)::interval)) * 1000 AS longest \
     FROM unnest(ARRAY['lock_timeout', 'statement_timeout']) AS name \
     WHERE current_setting(name) <> '0') AS limits WHERE longest IS NOT NULL";

/// The columns of the newest checkpoint of a namespace, with a wrong hash if the namespace names another one.
macro_rules! newest_columns {
    () => {
        "SELECT c.thread_key, c.seq, c.created_at, c.node, c.step, \
         c.checkpoint_id, c.parent_seq, c.run_id, c.queue_json, c.metadata_json, \
         CASE WHEN c.seq = t.newest_seq THEN c.checksum ELSE ~c.checksum END, c.whole_bytes, \
         c.form, c.kind, c.state_json, c.state"
    };
}

/// Where it is. It is looked for by itself: in a join the server would read and sort all checkpoints of the namespace.
macro_rules! newest {
    () => {
        " FROM {}checkpoint_threads AS t CROSS JOIN LATERAL (\
         SELECT * FROM {}checkpoints WHERE thread_key = t.thread_key ORDER BY seq DESC LIMIT 1) AS c"
    };
}

/// The namespace that is meant.
macro_rules! of_namespace {
    () => {
        " WHERE t.thread_id = $1 AND t.namespace = $2"
    };
}

/// Reads the newest checkpoint of a namespace.
pub(crate) const LATEST: &str = concat!(newest_columns!(), newest!(), of_namespace!());

/// Reads the same, and behind its columns the pieces that `kind` names of a state in pieces, up to 64 KiB each: positions,
/// hashes, sizes, and the bytes of all. A damaged `kind` names none, so that the hash of the row tells of the damage. For
/// a state without pieces this takes a quarter longer.
pub(crate) const LATEST_WITH_PIECES: &str = concat!(
    newest_columns!(),
    ", along.positions, along.checksums, along.sizes, along.pieces",
    newest!(),
    " CROSS JOIN LATERAL (SELECT array_agg(found.position::bigint) AS positions, \
     array_agg(found.checksum) AS checksums, array_agg(octet_length(found.piece)) AS sizes, \
     string_agg(found.piece, ''::bytea) AS pieces \
     FROM unnest(string_to_array(CASE WHEN c.form >= 3 \
     AND c.kind ~ '^[0-9]{1,9}:[0-9]{1,9}(,[0-9]{1,9}:[0-9]{1,9})*$' THEN c.kind END, ',')) \
     AS named (ends) \
     CROSS JOIN LATERAL (SELECT position, checksum, piece FROM {}checkpoint_pieces \
     WHERE thread_key = c.thread_key AND position >= split_part(ends, ':', 1)::integer \
     AND position < split_part(ends, ':', 2)::integer AND octet_length(piece) <= 65536 \
     OFFSET 0) AS found) AS along",
    of_namespace!(),
);

/// Reads a namespace, and holds it until the end of the transaction.
pub(crate) const HOLD: &str = "SELECT thread_key, namespace, last_seq, newest_seq, last_piece, \
     used_slot FROM {}checkpoint_threads WHERE thread_id = $1 AND namespace = $2 FOR UPDATE";

/// Reads pieces of a thread: those at some positions, and those in ranges, each of which the index is
/// asked for by itself (`OFFSET 0` keeps the planner from reading the whole thread). The arguments
/// stand in selects, so that the planner does not see them: otherwise the server plans the statement anew
/// each time, which takes longer than to run it.
pub(crate) const PIECES: &str = "SELECT position::bigint, checksum, piece FROM {}checkpoint_pieces \
     WHERE thread_key = (SELECT $1::bigint) \
     AND position = ANY ((SELECT $2::bigint[]::integer[])::integer[]) \
     UNION ALL SELECT found.position::bigint, found.checksum, found.piece \
     FROM unnest((SELECT $3::bigint[]), (SELECT $4::bigint[])) AS range (first, past) CROSS JOIN LATERAL (\
     SELECT position, checksum, piece FROM {}checkpoint_pieces \
     WHERE thread_key = (SELECT $1::bigint) \
     AND position >= first AND position < past OFFSET 0) AS found";

/// Reads the writes of a namespace that belong to some of its checkpoints.
pub(crate) const WRITES_OF: &str = "SELECT owner, task_id, place, task_path, run_id, channel, checksum, \
     kind, value FROM {}checkpoint_writes WHERE thread_key = $1 AND owner = ANY ($2)";

/// Counts the writes beside checkpoints of a namespace: each number with its count.
pub(crate) const COUNT_WRITES: &str = "SELECT c.seq, \
     (SELECT count(*) FROM {}checkpoint_writes AS w WHERE w.thread_key = c.thread_key \
         AND w.owner = coalesce('=' || c.checkpoint_id, '#' || c.seq)) \
     FROM {}checkpoints AS c WHERE c.thread_key = (SELECT thread_key FROM {}checkpoint_threads \
     WHERE thread_id = $1 AND namespace = $2) AND c.seq = ANY ($3)";

/// Adds pieces to a thread, from a position on.
pub(crate) const ADD_PIECES: &str = "INSERT INTO {}checkpoint_pieces \
     (thread_key, position, checksum, piece) \
     SELECT $1, $2 + new.number - 1, new.checksum, new.piece \
     FROM unnest($3::bigint[], $4::bytea[]) WITH ORDINALITY AS new (checksum, piece, number)";

/// Adds writes to a namespace, given as columns. One that has its place stays, unless the place is
/// negative: then the new one takes it. Fails if two of the new ones have the same place.
pub(crate) const PUT_WRITES: &str = "INSERT INTO {}checkpoint_writes \
     (thread_key, owner, task_id, place, task_path, run_id, channel, checksum, kind, value) \
     SELECT $1, new.owner, new.task_id, new.place, new.task_path, new.run_id, new.channel, \
     new.checksum, new.kind, new.value \
     FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], \
     $8::bigint[], $9::text[], $10::bytea[]) AS new (owner, task_id, place, task_path, run_id, \
     channel, checksum, kind, value) \
     ON CONFLICT (thread_key, owner, task_id, place) DO UPDATE SET \
     task_path = excluded.task_path, run_id = excluded.run_id, channel = excluded.channel, \
     checksum = excluded.checksum, kind = excluded.kind, value = excluded.value \
     WHERE excluded.place < 0";

/// Copies all pieces of a thread to another.
pub(crate) const COPY_PIECES: &str = "INSERT INTO {}checkpoint_pieces \
     (thread_key, position, checksum, piece) \
     SELECT $2, position, checksum, piece FROM {}checkpoint_pieces WHERE thread_key = $1";

/// Deletes pieces of a thread from a position up to another.
pub(crate) const DELETE_PIECES: &str = "DELETE FROM {}checkpoint_pieces \
     WHERE thread_key = $1 AND position >= $2 AND position < $3";

/// Sums up the pieces of a thread.
pub(crate) const SIZE_OF_PIECES: &str = "SELECT \
     coalesce(sum(octet_length(piece)), 0)::bigint, count(*) \
     FROM {}checkpoint_pieces WHERE thread_key = $1";

/// Finds the last piece of a thread.
pub(crate) const LAST_PIECE: &str = "SELECT coalesce(max(position), 0)::bigint, '' AS none \
     FROM {}checkpoint_pieces WHERE thread_key = $1";

/// Reads which indexes the tables do not have, or which the server does not use as they are not whole. Those of the same
/// name in another schema of the search path belong to other tables.
pub(crate) const MISSING_INDEXES: &str = "WITH own AS (\
     SELECT indexrelid, indrelid, indisprimary FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid \
     WHERE indisvalid AND relnamespace = \
     (SELECT relnamespace FROM pg_class WHERE oid = '{}sectile_migrations'::regclass)) \
     SELECT 0::bigint, name FROM unnest(ARRAY[\
     '{}checkpoint_threads_by_id', '{}checkpoint_threads_by_use', '{}checkpoints_by_id', \
     '{}checkpoints_by_run', '{}checkpoint_writes_by_run', '{}checkpoint_metadata_by_entry']) AS name \
     WHERE NOT EXISTS (SELECT 1 FROM own WHERE indexrelid = to_regclass(name)) \
     UNION ALL SELECT 0::bigint, name || '_pkey' FROM unnest(ARRAY[\
     '{}checkpoint_threads', '{}checkpoints', '{}checkpoint_pieces', '{}checkpoint_writes', \
     '{}checkpoint_metadata', '{}sessions', '{}messages', '{}graph_triples']) AS name \
     WHERE NOT EXISTS (SELECT 1 FROM own WHERE indrelid = to_regclass(name) AND indisprimary)";

/// Counts the pieces that belong to no thread.
pub(crate) const STRAY_PIECES: &str = "SELECT count(*) FROM {}checkpoint_pieces \
     WHERE thread_key NOT IN (SELECT thread_key FROM {}checkpoint_threads)";
