//! The statements that only SQLite knows. `{}` stands for the prefix of the tables.

/// Inserts a checkpoint under the next number of its thread and returns that, or returns nothing
/// when the thread has its id already. If the thread never had the parent, there is no number, which
/// the table refuses. A trigger counts.
pub(crate) const INSERT: &str = "INSERT INTO {}checkpoints (thread_id, seq, created_at, node, \
     step, checkpoint_id, parent_seq, queue_json, metadata_json, state_json) VALUES ($1, \
     (SELECT latest + 1 FROM (SELECT coalesce((SELECT last_seq FROM {}checkpoint_threads \
      WHERE thread_id = $1), 0) AS latest) WHERE coalesce($6, 0) <= latest), \
     $2, $3, $4, $5, $6, $7, $8, $9) \
     ON CONFLICT (thread_id, checkpoint_id) WHERE checkpoint_id IS NOT NULL DO NOTHING \
     RETURNING seq";

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
        for template in ALL.iter().chain([&INSERT]) {
            let prepared = connection.prepare(&tables.sql(template));
            assert!(prepared.is_ok(), "{template}: {:?}", prepared.err());
        }
    }
}
