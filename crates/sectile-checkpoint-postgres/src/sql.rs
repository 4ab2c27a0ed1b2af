//! The statements that only Postgres knows. `{}` stands for the schema and the prefix of the
//! tables.

/// Takes the next number of a thread and inserts a checkpoint under it, or returns nothing when the
/// thread has its id already. The row of the counter is locked until the end of the transaction.
pub(crate) const INSERT: &str = "WITH taken AS (\
     INSERT INTO {}checkpoint_threads AS thread (thread_id, last_seq) \
     SELECT $1, 1 WHERE NOT EXISTS (SELECT 1 FROM {}checkpoints \
         WHERE thread_id = $1 AND checkpoint_id = $5) \
     ON CONFLICT (thread_id) DO UPDATE SET last_seq = thread.last_seq + 1 \
     RETURNING last_seq) \
     INSERT INTO {}checkpoints (thread_id, seq, created_at, node, step, checkpoint_id, \
     parent_seq, queue_json, metadata_json, state_json) \
     SELECT $1, last_seq, $2, $3, $4, $5, $6, $7, $8, $9 FROM taken RETURNING seq";
