//! Collections in partitions of their own.

use sectile_core::EmbeddingModel;
use sectile_store::{
    ChunkVector, IndexedDocument, Result, Scope, SearchRequest, Store as _, VectorEncoding,
};
use sectile_store_postgres::PostgresStore;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, Row as _};

use crate::batches::{batch, changed, state};
use crate::parity::{Stores, document};

async fn count(connection: &mut PgConnection, sql: &str) -> i64 {
    let sql = AssertSqlSafe(sql.to_owned());
    connection.fetch_one(sql).await.unwrap().get(0)
}

/// Returns the name of the partition that has the documents of a collection.
async fn partition_of(connection: &mut PgConnection, collection: &str) -> String {
    let sql = format!(
        "SELECT DISTINCT tableoid::regclass::text FROM documents WHERE collection = '{collection}'"
    );
    connection
        .fetch_one(AssertSqlSafe(sql))
        .await
        .unwrap()
        .get(0)
}

fn model() -> EmbeddingModel {
    EmbeddingModel {
        name: "compass".into(),
        dimensions: 2,
        is_normalized: true,
    }
}

/// Gives each chunk of a collection a vector that lacks one, and returns how many.
async fn embed(store: &PostgresStore, collection: &str) -> Result<i64> {
    let pending = store.pending(collection, None, 1_000).await?;
    let vectors = pending.into_iter().map(|pending| ChunkVector {
        chunk: pending.chunk,
        vector: vec![1.0, 0.0],
    });
    let vectors: Vec<ChunkVector> = vectors.collect();
    let count = i64::try_from(vectors.len()).unwrap();
    store.put_vectors(collection, &model(), vectors).await?;
    Ok(count)
}

/// Makes a document of a collection whose natural key is the title.
fn keyed(uri: &str, title: &str) -> IndexedDocument {
    let mut keyed = document("keyed", uri, &[(title.into(), "of few words".into())]);
    keyed.metadata.title = Some(title.into());
    keyed
}

/// Prepares the collection of documents with keys and vectors.
async fn declare_keyed(store: &PostgresStore) {
    let fields = ["title".to_owned()];
    store.declare_key("keyed", &fields).await.unwrap();
    let encoding = VectorEncoding::Float32;
    store.set_model("keyed", &model(), encoding).await.unwrap();
}

async fn compare(stores: &Stores) {
    let found = state(&stores.postgres).await;
    assert_eq!(found.len(), 6);
    // Not printed: some are megabytes long.
    assert!(found == state(&stores.sqlite).await);
    let request = SearchRequest::new("a collection of few versions").with_limit(20);
    assert!(stores.compare(&request).await > 0);
}

#[tokio::test]
async fn divided_tables_hold_the_same_rows() {
    let url = sectile_test_postgres::database().await.unwrap();
    let stores = Stores::on(&url).await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    // The first has documents when it is moved, the second has none.
    stores.put(&batch()).await;
    for collection in ["d", "it's \\ new"] {
        assert!(stores.postgres.partition(collection).await.unwrap());
        assert!(!stores.postgres.partition(collection).await.unwrap());
        compare(&stores).await;
    }
    let own = partition_of(&mut connection, "d").await;
    assert_ne!(own, "documents_rest");
    let left = "SELECT count(*) FROM documents_rest WHERE collection = 'd'";
    assert_eq!(count(&mut connection, left).await, 0);
    for documents in [changed(), batch()] {
        stores.put(&documents).await;
        compare(&stores).await;
    }
    assert_eq!(partition_of(&mut connection, "d").await, own);
    stores.postgres.optimize().await.unwrap();
    assert!(stores.postgres.totals().await.unwrap().bytes > 0);
}

#[tokio::test]
async fn vectors_stay_with_the_chunks_that_move() {
    let url = sectile_test_postgres::database().await.unwrap();
    let stores = Stores::on(&url).await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    stores.put(&batch()).await;
    let store = &stores.postgres;
    let encoding = VectorEncoding::Float32;
    store.set_model("d", &model(), encoding).await.unwrap();
    let expected = embed(store, "d").await.unwrap();
    assert!(expected > 1);
    assert!(store.partition("d").await.unwrap());
    let all = "SELECT count(*) FROM vectors";
    assert_eq!(count(&mut connection, all).await, expected);
    let unchecked = "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND NOT convalidated
        AND conparentid = 0 AND conrelid = 'vectors'::regclass";
    assert_eq!(count(&mut connection, unchecked).await, 0);
    // Those of documents that go, go with them.
    let documents = store.documents(&Scope::collection("d")).await;
    let ids: Vec<_> = documents.unwrap().iter().map(|of| of.id).collect();
    store.remove(&ids).await.unwrap();
    assert_eq!(count(&mut connection, all).await, 0);
}

/// Waits until something waits for a table, and ends its connection.
async fn break_off_at(connection: &mut PgConnection, table: &str) {
    await_waiting(connection, "pg_terminate_backend(pid)", table).await;
}

/// Waits until something waits for a table, and evaluates an expression on its process.
async fn await_waiting(connection: &mut PgConnection, expression: &str, table: &str) {
    let sql = format!(
        "SELECT count({expression}) FROM pg_locks
         WHERE relation = '{table}'::regclass AND database =
            (SELECT oid FROM pg_database WHERE datname = current_database()) AND NOT granted"
    );
    for _ in 0..6_000 {
        if count(connection, &sql).await > 0 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("nothing waits for {table}");
}

#[tokio::test]
async fn a_move_that_is_broken_off_goes_on_and_each_document_is_there_once() {
    let url = sectile_test_postgres::database().await.unwrap();
    let stores = Stores::on(&url).await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let mut other = PgConnection::connect(&url).await.unwrap();
    assert!(stores.postgres.partition("c").await.unwrap());
    stores.put(&batch()).await;
    // It has copied all documents, sections and chunks when it waits for the words, and all that there is when it waits
    // for who reads documents.
    for (lock, table) in [
        ("LOCK TABLE words_rest", "words_rest"),
        (
            "LOCK TABLE ONLY documents IN ACCESS SHARE MODE",
            "documents",
        ),
    ] {
        let blocking = AssertSqlSafe(format!("BEGIN; {lock}"));
        sqlx::raw_sql(blocking).execute(&mut other).await.unwrap();
        let (moved, ()) = tokio::join!(
            stores.postgres.partition("d"),
            break_off_at(&mut connection, table)
        );
        assert!(moved.is_err());
        sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
        let copied = "SELECT count(*) FROM moving_chunks WHERE collection = 'd'";
        assert!(count(&mut connection, copied).await > 0);
        assert_eq!(partition_of(&mut connection, "d").await, "documents_rest");
        compare(&stores).await;
        for documents in [changed(), batch()] {
            stores.put(&documents).await;
            compare(&stores).await;
        }
    }
    // Who moves another collection ends this move first.
    assert!(stores.postgres.partition("e").await.unwrap());
    assert!(!stores.postgres.partition("d").await.unwrap());
    assert_ne!(partition_of(&mut connection, "d").await, "documents_rest");
    let left = "SELECT (SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal)
        + (SELECT count(*) FROM pg_class WHERE relname LIKE '%moving%')";
    assert_eq!(count(&mut connection, left).await, 0);
    for documents in [changed(), batch()] {
        compare(&stores).await;
        stores.put(&documents).await;
    }
    compare(&stores).await;
}

/// Breaks off the move of a collection when all that there is has been copied.
async fn break_off_before_the_swap(store: &PostgresStore, url: &str) {
    let mut reading = PgConnection::connect(url).await.unwrap();
    let mut connection = PgConnection::connect(url).await.unwrap();
    // The first move divides the tables, for which it waits, too.
    assert!(store.partition("empty").await.unwrap());
    let read = "BEGIN; LOCK TABLE ONLY documents IN ACCESS SHARE MODE";
    sqlx::raw_sql(read).execute(&mut reading).await.unwrap();
    let (moved, ()) = tokio::join!(
        store.partition("d"),
        break_off_at(&mut connection, "documents")
    );
    assert!(moved.is_err());
    sqlx::raw_sql("ROLLBACK")
        .execute(&mut reading)
        .await
        .unwrap();
}

/// Makes a change while somebody else swaps tables, and checks that it holds no other table while it waits.
async fn waits_without_locks(url: &str, change: impl Future<Output = Result<()>>) {
    let mut swapping = PgConnection::connect(url).await.unwrap();
    let mut watching = PgConnection::connect(url).await.unwrap();
    let swap = "BEGIN; LOCK TABLE ONLY documents IN SHARE ROW EXCLUSIVE MODE";
    sqlx::raw_sql(swap).execute(&mut swapping).await.unwrap();
    let (changed, ()) = tokio::join!(change, async {
        await_waiting(&mut watching, "pid", "documents").await;
        let others =
            "LOCK TABLE sections, chunks, segments, pages, blocks, parts, words, dead_chunks,
            vectors IN ACCESS EXCLUSIVE MODE NOWAIT; COMMIT";
        sqlx::raw_sql(others).execute(&mut swapping).await.unwrap();
    });
    changed.unwrap();
}

#[tokio::test]
async fn a_change_that_waits_for_a_swap_locks_nothing_before() {
    let url = sectile_test_postgres::database().await.unwrap();
    let store = PostgresStore::open(&url).await.unwrap();
    declare_keyed(&store).await;
    let one = keyed("a.md", "one");
    let id = one.id;
    waits_without_locks(&url, store.put(vec![one])).await;
    waits_without_locks(&url, async { embed(&store, "keyed").await.map(drop) }).await;
    waits_without_locks(&url, store.optimize()).await;
    waits_without_locks(&url, async { store.remove(&[id]).await.map(drop) }).await;
}

/// Puts and removes documents, where one gets the key that another had before.
async fn change_keyed(store: &PostgresStore) -> Result<()> {
    let (first, second) = (keyed("a.md", "one"), keyed("b.md", "one"));
    let ids = [first.id, second.id];
    store.put(vec![first, keyed("b.md", "two")]).await?;
    embed(store, "keyed").await?;
    store.remove(&ids[..1]).await?;
    store.put(vec![second]).await?;
    embed(store, "keyed").await?;
    assert_eq!(store.remove(&ids).await?, 1);
    Ok(())
}

#[tokio::test]
async fn who_reads_and_writes_during_a_move_finds_each_document_once() {
    let stores = Stores::fresh().await;
    stores.put(&batch()).await;
    let store = &stores.postgres;
    declare_keyed(store).await;
    let is_over = std::cell::Cell::new(false);
    let moves = async {
        for collection in ["d", "c", "e", "keyed"] {
            assert!(store.partition(collection).await.unwrap());
        }
        is_over.set(true);
    };
    let reads = async {
        while !is_over.get() {
            let documents = store.documents(&Scope::all()).await.unwrap();
            let others = documents.iter().filter(|of| of.collection != "keyed");
            assert_eq!(others.count(), 6);
        }
    };
    let writes = async {
        while !is_over.get() {
            for documents in [changed(), batch()] {
                store.put(documents).await.unwrap();
                change_keyed(store).await.unwrap();
                store.optimize().await.unwrap();
            }
        }
    };
    tokio::join!(moves, reads, writes);
    compare(&stores).await;
}

/// Notes changes whenever noted ones have been copied, but not while the tables are swapped.
const NOTE_WITHOUT_END: &str = "CREATE FUNCTION note_again() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF NOT EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND mode = 'ShareRowExclusiveLock'
            AND relation = 'documents'::regclass)
        THEN
            INSERT INTO moving_changes SELECT 'document', 'd', -number FROM generate_series(1, 200) AS number;
        END IF;
        RETURN NULL;
    END $$;
    CREATE TRIGGER note_again AFTER DELETE ON moving_changes EXECUTE FUNCTION note_again()";

#[tokio::test]
async fn a_move_ends_while_others_change_as_much_as_it_copies() {
    let url = sectile_test_postgres::database().await.unwrap();
    let stores = Stores::on(&url).await;
    stores.put(&batch()).await;
    break_off_before_the_swap(&stores.postgres, &url).await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let note = sqlx::raw_sql(NOTE_WITHOUT_END);
    note.execute(&mut connection).await.unwrap();
    let changed = "DELETE FROM moving_changes";
    connection.execute(changed).await.unwrap();
    assert!(stores.postgres.partition("d").await.unwrap());
    assert_ne!(partition_of(&mut connection, "d").await, "documents_rest");
    compare(&stores).await;
}

#[tokio::test]
async fn a_move_starts_anew_after_a_migration() {
    let url = sectile_test_postgres::database().await.unwrap();
    let stores = Stores::on(&url).await;
    stores.put(&batch()).await;
    break_off_before_the_swap(&stores.postgres, &url).await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let migrate = "ALTER TABLE chunks ADD COLUMN later BIGINT NOT NULL DEFAULT 7";
    connection.execute(migrate).await.unwrap();
    // Who moves another collection starts it anew, too.
    assert!(stores.postgres.partition("e").await.unwrap());
    assert!(!stores.postgres.partition("d").await.unwrap());
    assert_ne!(partition_of(&mut connection, "d").await, "documents_rest");
    let all = count(&mut connection, "SELECT count(*) FROM chunks").await;
    let with_it = "SELECT count(*) FROM chunks WHERE later = 7";
    assert_eq!(count(&mut connection, with_it).await, all);
    compare(&stores).await;
}

#[tokio::test]
async fn keys_that_go_from_one_document_to_another_during_a_move_go_with_it() {
    let url = sectile_test_postgres::database().await.unwrap();
    let store = PostgresStore::open(&url).await.unwrap();
    let fields = ["title".to_owned()];
    store.declare_key("keyed", &fields).await.unwrap();
    // More than are copied again at a time.
    let titled = |title: fn(usize) -> String| -> Vec<IndexedDocument> {
        let documents = (0..150).map(|at| keyed(&format!("{at:03}.md"), &title(at)));
        documents.collect()
    };
    store.put(titled(|at| at.to_string())).await.unwrap();
    break_off_before_the_swap(&store, &url).await;
    // The first gets the key of the last, whose copy is replaced later.
    let none = titled(|at| format!("none {at}"));
    let previous = titled(|at| ((at + 149) % 150).to_string());
    let expected = previous.iter().map(|of| of.metadata.title.clone());
    let expected: Vec<_> = expected.collect();
    store.put(none).await.unwrap();
    store.put(previous).await.unwrap();
    assert!(!store.partition("empty").await.unwrap());
    let found = store.documents(&Scope::collection("keyed")).await.unwrap();
    let found: Vec<_> = found.into_iter().map(|of| of.metadata.title).collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_move_leaves_the_store_of_a_later_schema_alone() {
    let url = sectile_test_postgres::database().await.unwrap();
    let other = Stores::on(&url).await;
    other.put(&batch()).await;
    let encoding = VectorEncoding::Float32;
    let prepared = other.postgres.set_model("d", &model(), encoding).await;
    prepared.unwrap();
    let vectors = embed(&other.postgres, "d").await.unwrap();
    break_off_before_the_swap(&other.postgres, &url).await;
    let mut connection = PgConnection::connect(&url).await.unwrap();
    connection.execute("CREATE SCHEMA two").await.unwrap();
    let url_of_two = format!("{url}?options=-csearch_path%3Dtwo");
    let alone = PostgresStore::open(&url_of_two).await.unwrap();
    let stores = Stores::on(&format!("{url}?options=-csearch_path%3Dtwo,public")).await;
    stores.put(&batch()).await;
    for collection in ["d", "another"] {
        assert!(stores.postgres.partition(collection).await.unwrap());
        compare(&stores).await;
    }
    stores.postgres.optimize().await.unwrap();
    let bytes = stores.postgres.totals().await.unwrap().bytes;
    assert_eq!(bytes, alone.totals().await.unwrap().bytes);
    // The move of the other store goes on where it was broken off.
    let reference = "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated AND conparentid = 0
        AND conrelid = 'public.vectors'::regclass AND confrelid = 'public.chunks'::regclass";
    assert_eq!(count(&mut connection, reference).await, 1);
    assert_eq!(partition_of(&mut connection, "d").await, "documents_rest");
    assert!(!other.postgres.partition("empty").await.unwrap());
    assert_ne!(partition_of(&mut connection, "d").await, "documents_rest");
    compare(&other).await;
    assert_eq!(
        count(&mut connection, "SELECT count(*) FROM vectors").await,
        vectors
    );
}
