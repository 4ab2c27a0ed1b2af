//! The statements that only SQLite knows. `{}` stands for the prefix of the tables.

/// Inserts a checkpoint under the next number of its namespace and returns that, or returns nothing
/// when the namespace is not there, has its id already or never had the parent. A trigger counts.
pub(crate) const INSERT: &str = "INSERT INTO {}checkpoints (thread_key, seq, created_at, node, \
     step, checkpoint_id, parent_seq, run_id, queue_json, metadata_json, checksum, whole_bytes, \
     form, kind, state_json, state) \
     SELECT thread_key, last_seq + 1, $3, $4, $5, $6, $7, $8, $9, $10, \
     ($11 | (last_seq + 1)) - ($11 & (last_seq + 1)), $12, $13, $14, $15, $16 \
     FROM {}checkpoint_threads \
     WHERE thread_id = $1 AND namespace = $2 AND coalesce($7, 0) <= last_seq \
     ON CONFLICT (thread_key, checkpoint_id) WHERE checkpoint_id IS NOT NULL DO NOTHING \
     RETURNING seq";

/// Reads the pieces of a thread in a range of positions.
pub(crate) const PIECES: &str = "SELECT position, checksum, piece FROM {}checkpoint_pieces \
     WHERE thread_key = $1 AND position >= $2 AND position < $3 ORDER BY position";

/// Adds a piece to a thread.
pub(crate) const ADD_PIECE: &str = "INSERT INTO {}checkpoint_pieces \
     (thread_key, position, checksum, piece) VALUES ($1, $2, $3, $4)";

#[cfg(test)]
mod tests {
    use sectile_checkpoint_sql::sql::ALL;
    use sectile_sqlite::rusqlite::Connection;

    use super::*;

    #[test]
    fn every_statement_can_be_prepared() {
        let mut connection = Connection::open_in_memory().unwrap();
        let tables = sectile_migrations::Tables::new(None, "my_").unwrap();
        let schema = sectile_migrations::CHECKPOINT_SQLITE;
        sectile_migrations::sqlite::migrate(&mut connection, &schema, &tables).unwrap();
        for template in ALL.iter().chain(&[INSERT, PIECES, ADD_PIECE]) {
            let prepared = connection.prepare(&tables.sql(template));
            assert!(prepared.is_ok(), "{template}: {:?}", prepared.err());
        }
    }

    #[test]
    fn every_statement_that_moves_can_be_prepared() {
        let mut connection = Connection::open_in_memory().unwrap();
        let tables = sectile_migrations::Tables::new(None, "my_").unwrap();
        let schema = sectile_migrations::CHECKPOINT_SQLITE.up_to(2);
        sectile_migrations::sqlite::migrate(&mut connection, &schema, &tables).unwrap();
        for template in sectile_checkpoint_sql::sql::moving::ALL {
            let prepared = connection.prepare(&tables.sql(template));
            assert!(prepared.is_ok(), "{template}: {:?}", prepared.err());
        }
    }
}
