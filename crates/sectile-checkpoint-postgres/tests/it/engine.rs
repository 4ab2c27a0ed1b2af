//! What the tests that both engines share need of Postgres.

use sectile_checkpoint_postgres::PostgresCheckpointer;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};

/// The checkpointer.
pub(crate) type Engine = PostgresCheckpointer;

/// What is to be known of a database beside its checkpointer: the address.
pub(crate) type Database = String;

/// Refuses to delete what the run `refused` saved.
pub(crate) const REFUSE_DELETES: &str = "CREATE FUNCTION refuse() RETURNS trigger \
     LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$; \
     CREATE TRIGGER refuse BEFORE DELETE ON checkpoints FOR EACH ROW \
     WHEN (old.run_id = 'refused') EXECUTE FUNCTION refuse()";

/// Makes a database without threads.
pub(crate) async fn fresh() -> (Database, Engine) {
    made(false).await
}

/// Makes one with projections.
pub(crate) async fn projecting() -> (Database, Engine) {
    made(true).await
}

async fn made(projections: bool) -> (Database, Engine) {
    let url = sectile_test_postgres::database().await.unwrap();
    let builder = PostgresCheckpointer::builder(&url).enable_projections(projections);
    let checkpointer = builder.connect().await.unwrap();
    checkpointer.migrate().await.unwrap();
    (url, checkpointer)
}

/// Runs statements past the checkpointer.
pub(crate) async fn change(database: &str, sql: &str) {
    let mut connection = PgConnection::connect(database).await.unwrap();
    let sql = AssertSqlSafe(sql.to_owned());
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
}
