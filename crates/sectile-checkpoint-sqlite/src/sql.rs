//! The statements that only SQLite knows. `{}` stands for the prefix of the tables.

/// Reads the newest checkpoint of a namespace, with a wrong hash if the namespace names another one.
pub(crate) const LATEST: &str = "SELECT c.thread_key, c.seq, c.created_at, c.node, c.step, \
     c.checkpoint_id, c.parent_seq, c.run_id, c.queue_json, c.metadata_json, \
     CASE WHEN c.seq = t.newest_seq THEN c.checksum ELSE ~c.checksum END, c.whole_bytes, \
     c.form, c.kind, c.state_json, c.state \
     FROM {}checkpoint_threads AS t JOIN {}checkpoints AS c ON c.thread_key = t.thread_key \
     WHERE t.thread_id = $1 AND t.namespace = $2 ORDER BY c.seq DESC LIMIT 1";

/// Reads the pieces in a range of places, in order.
pub(crate) const PIECES: &str = "SELECT place, checksum, piece FROM {}checkpoint_pieces \
     WHERE place >= $1 AND place < $2 ORDER BY place";

/// Reads the writes of a namespace that belong to those of a JSON array.
pub(crate) const WRITES_OF: &str = "SELECT owner, task_id, place, task_path, run_id, channel, checksum, \
     kind, value FROM {}checkpoint_writes \
     WHERE thread_key = $1 AND owner IN (SELECT value FROM json_each($2))";

/// Counts the pending writes of checkpoints of a namespace, whose numbers are a JSON array: each number with its
/// count.
pub(crate) const COUNT_WRITES: &str = "SELECT c.seq, \
     (SELECT count(*) FROM {}checkpoint_writes AS w WHERE w.thread_key = c.thread_key \
         AND w.owner = coalesce('=' || c.checkpoint_id, '#' || c.seq)) \
     FROM {}checkpoints AS c WHERE c.thread_key = (SELECT thread_key FROM {}checkpoint_threads \
     WHERE thread_id = $1 AND namespace = $2) AND c.seq IN (SELECT value FROM json_each($3))";

/// Adds a piece, unless one has its place.
pub(crate) const ADD_PIECE: &str = "INSERT INTO {}checkpoint_pieces (place, checksum, piece) \
     VALUES ($1, $2, $3) ON CONFLICT (place) DO NOTHING";

/// Adds a write. One that has its place stays, unless the place is negative: then the new one takes it.
pub(crate) const PUT_WRITE: &str = "INSERT INTO {}checkpoint_writes \
     (thread_key, owner, task_id, place, task_path, run_id, channel, checksum, kind, value) \
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
     ON CONFLICT (thread_key, owner, task_id, place) DO UPDATE SET \
     task_path = excluded.task_path, run_id = excluded.run_id, channel = excluded.channel, \
     checksum = excluded.checksum, kind = excluded.kind, value = excluded.value \
     WHERE excluded.place < 0";

/// Finds the last piece in a range of places.
pub(crate) const LAST_PIECE: &str = "SELECT coalesce(max(place), 0), '' AS none \
     FROM {}checkpoint_pieces WHERE place >= $1 AND place < $2";

/// Reads which indexes the tables do not have.
pub(crate) const MISSING_INDEXES: &str = "SELECT 0 AS none, column1 FROM (VALUES \
     ('{}checkpoint_threads_by_id'), ('{}checkpoint_threads_by_use'), ('{}checkpoints_by_id'), \
     ('{}checkpoints_by_run'), ('{}checkpoint_writes_by_run'), ('{}checkpoint_metadata_by_entry')) \
     WHERE column1 NOT IN (SELECT name FROM sqlite_master WHERE type = 'index')";

/// Copies the pieces in a range of places to places so much farther on.
pub(crate) const COPY_PIECES: &str = "INSERT INTO {}checkpoint_pieces (place, checksum, piece) \
     SELECT place + $3, checksum, piece FROM {}checkpoint_pieces \
     WHERE place >= $1 AND place < $2 ORDER BY place";

/// Deletes the pieces in a range of places.
pub(crate) const DELETE_PIECES: &str =
    "DELETE FROM {}checkpoint_pieces WHERE place >= $1 AND place < $2";

/// Sums up the pieces in a range of places.
pub(crate) const SIZE_OF_PIECES: &str = "SELECT coalesce(sum(octet_length(piece)), 0), count(*) \
     FROM {}checkpoint_pieces WHERE place >= $1 AND place < $2";

/// Counts the pieces that belong to no thread.
pub(crate) const STRAY_PIECES: &str = "SELECT count(*), 0 FROM {}checkpoint_pieces \
     WHERE place >> 32 NOT IN (SELECT thread_key FROM {}checkpoint_threads)";

/// Reads the name of a table, where no program of ours has tables: one of the names $1 rather than another.
pub(crate) const OTHER_TABLE: &str = "SELECT name FROM sqlite_schema WHERE type = 'table' \
     AND name NOT LIKE 'sqlite^_%' ESCAPE '^' AND NOT EXISTS (SELECT 1 FROM sqlite_schema \
         WHERE name LIKE '%sectile^_migrations' ESCAPE '^') \
     ORDER BY name IN (SELECT value FROM json_each($1)) DESC, name LIMIT 1";

#[cfg(test)]
mod tests {
    use sectile_checkpoint_sql::sql::{ALL, threads};
    use sectile_sqlite::rusqlite::{self, Connection};

    use super::*;

    #[test]
    fn every_statement_can_be_prepared() {
        let mut connection = Connection::open_in_memory().unwrap();
        let tables = sectile_migrations::Tables::new(None, "my_").unwrap();
        let schema = sectile_migrations::CHECKPOINT_SQLITE;
        sectile_migrations::sqlite::migrate(&mut connection, &schema, &tables).unwrap();
        for template in ALL.iter().chain(threads::ALL).chain(&[
            LATEST,
            PIECES,
            WRITES_OF,
            COUNT_WRITES,
            ADD_PIECE,
            PUT_WRITE,
            COPY_PIECES,
            DELETE_PIECES,
            SIZE_OF_PIECES,
            LAST_PIECE,
            MISSING_INDEXES,
            STRAY_PIECES,
            OTHER_TABLE,
        ]) {
            let prepared = connection.prepare(&tables.sql(template));
            assert!(prepared.is_ok(), "{template}: {:?}", prepared.err());
        }
    }

    #[test]
    fn no_listing_of_threads_reads_a_whole_table() {
        let mut connection = Connection::open_in_memory().unwrap();
        let tables = sectile_migrations::Tables::new(None, "my_").unwrap();
        let schema = sectile_migrations::CHECKPOINT_SQLITE;
        sectile_migrations::sqlite::migrate(&mut connection, &schema, &tables).unwrap();
        for template in threads::ALL {
            let plan = format!("EXPLAIN QUERY PLAN {}", tables.sql(template));
            let mut plan = connection.prepare(&plan).unwrap();
            let steps = plan.raw_query().mapped(|row| row.get(3));
            for step in steps.collect::<rusqlite::Result<Vec<String>>>().unwrap() {
                // What is not a table: what was found, and the keys that are found one by one.
                let is_found = ["p", "found", "keys", "CONSTANT ROW"]
                    .iter()
                    .any(|name| step == format!("SCAN {name}"));
                assert!(!step.starts_with("SCAN") || is_found, "{step}: {template}");
            }
        }
    }

    #[test]
    fn every_index_is_looked_for() {
        let mut connection = Connection::open_in_memory().unwrap();
        let tables = sectile_migrations::Tables::new(None, "my_").unwrap();
        let schema = sectile_migrations::CHECKPOINT_SQLITE;
        sectile_migrations::sqlite::migrate(&mut connection, &schema, &tables).unwrap();
        let made = "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL";
        let mut made = connection.prepare(made).unwrap();
        let made = made.query_map([], |row| row.get(0)).unwrap();
        let sql = tables.sql(MISSING_INDEXES);
        let made = made.collect::<rusqlite::Result<Vec<String>>>().unwrap();
        assert!(!made.is_empty());
        for index in made {
            assert!(sql.contains(&format!("('{index}')")), "{index}");
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
