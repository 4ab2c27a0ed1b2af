//! The statements that only Postgres knows. `{}` stands for the schema and the prefix of the
//! tables.

/// Takes the next number of a thread and inserts a checkpoint under it, or returns nothing when the
/// thread has its id already or never had the parent. The row of the counter is locked until the end of the transaction.
pub(crate) const INSERT: &str = "WITH taken AS (\
     INSERT INTO {}checkpoint_threads AS thread (thread_id, last_seq) \
     SELECT $1, 1 WHERE NOT EXISTS (SELECT 1 FROM {}checkpoints \
         WHERE thread_id = $1 AND checkpoint_id = $5) \
     AND ($6::bigint IS NULL OR EXISTS (SELECT 1 FROM {}checkpoint_threads \
         WHERE thread_id = $1 AND last_seq >= $6)) \
     ON CONFLICT (thread_id) DO UPDATE SET last_seq = thread.last_seq + 1 \
     RETURNING last_seq) \
     INSERT INTO {}checkpoints (thread_id, seq, created_at, node, step, checkpoint_id, \
     parent_seq, queue_json, metadata_json, state_json) \
     SELECT $1, last_seq, $2, $3, $4, $5, $6, $7, $8, $9 FROM taken RETURNING seq";

/// Takes the next numbers of a thread and inserts checkpoints under them, given as columns. Fails if
/// the thread has the id of one already, and does nothing if it never had the parent of one.
pub(crate) const INSERT_ALL: &str = "WITH taken AS (\
     INSERT INTO {}checkpoint_threads AS thread (thread_id, last_seq) \
     SELECT $1, cardinality($2) WHERE coalesce((SELECT max(parent) \
         FROM unnest($6::bigint[]) AS parent), 0) <= coalesce((SELECT last_seq \
         FROM {}checkpoint_threads WHERE thread_id = $1), 0) \
     ON CONFLICT (thread_id) DO UPDATE SET last_seq = thread.last_seq + excluded.last_seq \
     RETURNING last_seq - cardinality($2) AS before) \
     INSERT INTO {}checkpoints (thread_id, seq, created_at, node, step, checkpoint_id, \
     parent_seq, queue_json, metadata_json, state_json) \
     SELECT $1, taken.before + new.number, new.created_at, new.node, new.step, \
     new.checkpoint_id, new.parent_seq, new.queue_json, new.metadata_json, new.state_json \
     FROM taken, unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], \
     $7::text[], $8::text[], $9::text[]) WITH ORDINALITY AS new (created_at, node, step, \
     checkpoint_id, parent_seq, queue_json, metadata_json, state_json, number) \
     RETURNING seq";
