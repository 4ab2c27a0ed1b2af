//! Partitions: a collection in tables of its own.
//!
//! A collection is moved in steps, each a transaction. What the default partitions hold is copied into tables that take
//! their place, a thousand rows at a time, while others read and write; triggers note what changes meanwhile, which is
//! copied again. The last step waits for writers, copies what has changed last, and swaps the tables, with no row to look
//! at. Until then, readers use the old tables. An interrupted move continues after the last copied row.

mod sql;

use sectile_migrations::Tables;
use sectile_store::Result;
use sqlx::{AssertSqlSafe, PgConnection};

use crate::columns::{column, integer};
use crate::error::backend;
use crate::sql::query;

const DOING: &str = "move a collection into partitions";

/// How many rows a step copies.
const ROWS: i64 = 1_000;

/// How many changed documents and segments a step copies.
const CHANGES: i64 = 100;

/// How many times all that has changed meanwhile is copied before the swap. Writers may change as much again each time.
const PASSES: usize = 10;

/// The tables that are divided, each with the columns of its key after the collection. The first of these tells which rows
/// change together.
const DIVIDED: [(&str, &[&str]); 9] = [
    ("documents", &["document"]),
    ("sections", &["document", "uid"]),
    ("chunks", &["document", "chunk"]),
    ("segments", &["segment"]),
    ("pages", &["segment", "page"]),
    ("blocks", &["segment", "last_term"]),
    ("parts", &["segment", "part"]),
    ("words", &["segment"]),
    ("dead_chunks", &["document", "chunk"]),
];

/// Documents and segments that have changed: what each is, its collection and its number.
type Changes = (Vec<String>, Vec<String>, Vec<i64>);

/// Moves a collection into partitions of its own, and says whether it had none before. Finishes an interrupted move first.
/// The session keeps an advisory lock, so the caller closes the connection.
///
/// # Errors
///
/// Errors of the database; then the copies and the triggers remain until the next call.
pub(crate) async fn make(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
) -> Result<bool> {
    run(connection, tables, sql::LOCK_MOVES).await?;
    let mut is_new = false;
    while let Some(moved) = begin(connection, tables, collection).await? {
        for table in DIVIDED {
            while copy(connection, tables, table).await? == ROWS {}
        }
        catch_up(connection, tables).await?;
        run(connection, tables, sql::ANALYZE).await?;
        swap(connection, tables, &moved).await?;
        is_new |= moved == collection;
    }
    // Validates the foreign key of `vectors`, which was added NOT VALID.
    run(connection, tables, sql::VALIDATE).await?;
    Ok(is_new)
}

/// Returns the collection that is being moved, which is this one if there is no other, or nothing if this one has
/// partitions. A move whose copies lack columns starts anew.
async fn begin(
    connection: &mut PgConnection,
    tables: &Tables,
    collection: &str,
) -> Result<Option<String>> {
    send(connection, "BEGIN").await?;
    let moved = query(tables, sql::MOVED).fetch_one(&mut *connection).await;
    let interrupted: Option<String> = column(&moved.map_err(backend(DOING))?, "moved")?;
    let moved = interrupted.as_deref().unwrap_or(collection);
    name(connection, tables, moved).await?;
    let is_moved = if interrupted.is_some() {
        renew(connection, tables).await?;
        true
    } else {
        begin_new(connection, tables).await?
    };
    send(connection, "COMMIT").await?;
    Ok(is_moved.then(|| moved.to_owned()))
}

/// Starts an interrupted move anew if a migration has changed the columns since.
async fn renew(connection: &mut PgConnection, tables: &Tables) -> Result<()> {
    if says(connection, tables, sql::IS_OUTDATED).await? {
        run(connection, tables, sql::ABANDON).await?;
        run(connection, tables, sql::BEGIN).await?;
    }
    Ok(())
}

/// Begins a move unless the collection has partitions, and returns whether it did.
async fn begin_new(connection: &mut PgConnection, tables: &Tables) -> Result<bool> {
    if !says(connection, tables, sql::IS_DIVIDED).await? {
        run(connection, tables, sql::LOCK).await?;
        run(connection, tables, sql::DIVIDE).await?;
    }
    let is_new = !says(connection, tables, sql::HAS_PARTITIONS).await?;
    if is_new {
        run(connection, tables, sql::BEGIN).await?;
    }
    Ok(is_new)
}

/// Copies rows of a table, and returns how many.
async fn copy(
    connection: &mut PgConnection,
    tables: &Tables,
    table: (&str, &[&str]),
) -> Result<i64> {
    let copy = of_table(tables, sql::COPY, table);
    let copied = sqlx::query(AssertSqlSafe(copy))
        .persistent(false)
        .bind(ROWS)
        .execute(connection)
        .await;
    Ok(copied
        .map_err(backend(DOING))?
        .rows_affected()
        .cast_signed())
}

/// Copies what has changed until little is left. Where writers change documents as fast as they are copied, more is left
/// after the last pass; the swap copies it while they wait.
async fn catch_up(connection: &mut PgConnection, tables: &Tables) -> Result<()> {
    for _ in 0..PASSES {
        let counted = query(tables, sql::COUNT_CHANGES).fetch_one(&mut *connection);
        let changes: i64 = column(&counted.await.map_err(backend(DOING))?, "changes")?;
        for _ in 0..=changes / CHANGES {
            copy_changes(connection, tables).await?;
        }
        if changes < CHANGES {
            break;
        }
    }
    Ok(())
}

/// Copies some of what has changed, as it is at one moment.
async fn copy_changes(connection: &mut PgConnection, tables: &Tables) -> Result<()> {
    send(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ").await?;
    copy_changed(connection, tables).await?;
    send(connection, "COMMIT").await
}

/// Copies what has changed last while nobody writes, and swaps the tables.
async fn swap(connection: &mut PgConnection, tables: &Tables, moved: &str) -> Result<()> {
    send(connection, "BEGIN").await?;
    name(connection, tables, moved).await?;
    run(connection, tables, sql::LOCK).await?;
    while copy_changed(connection, tables).await? > 0 {}
    run(connection, tables, sql::SWAP).await?;
    send(connection, "COMMIT").await
}

/// Copies some of what has changed, within a transaction, and returns how much.
async fn copy_changed(connection: &mut PgConnection, tables: &Tables) -> Result<i64> {
    let rows = query(tables, sql::CHANGES).bind(CHANGES);
    let rows = rows.fetch_all(&mut *connection).await;
    let mut changes = Changes::default();
    for row in &rows.map_err(backend(DOING))? {
        changes.0.push(column(row, "unit")?);
        changes.1.push(column(row, "collection")?);
        changes.2.push(column(row, "number")?);
    }
    for statement in sql::REMOVE_REPLACED {
        apply(connection, tables.sql(statement).to_string(), &changes).await?;
    }
    for table in DIVIDED {
        for statement in [sql::REMOVE, sql::COPY_AGAIN] {
            let statement = of_table(tables, statement, table);
            apply(connection, statement, &changes).await?;
        }
    }
    apply(connection, tables.sql(sql::FORGET).to_string(), &changes).await?;
    Ok(integer(changes.2.len()))
}

/// Runs a statement on what has changed.
async fn apply(connection: &mut PgConnection, statement: String, changes: &Changes) -> Result<()> {
    let (units, collections, numbers) = changes;
    let done = sqlx::query(AssertSqlSafe(statement))
        .persistent(false)
        .bind(units)
        .bind(collections)
        .bind(numbers)
        .execute(connection)
        .await;
    done.map(drop).map_err(backend(DOING))
}

/// Returns a statement on one of the tables.
fn of_table(tables: &Tables, statement: &'static str, (table, key): (&str, &[&str])) -> String {
    let order = key.iter().map(|column| format!(", {column} DESC"));
    tables
        .sql(statement)
        .replace("{table}", table)
        .replace("{key}", &format!("collection, {}", key.join(", ")))
        .replace("{last}", &key.join(", "))
        .replace(
            "{order}",
            &format!("collection DESC{}", order.collect::<String>()),
        )
        .replace("{unit}", key[0])
}

/// Returns a statement on all of the tables.
fn of_all(tables: &Tables, statement: &'static str) -> String {
    let names = DIVIDED.map(|(table, _)| format!("'{table}'"));
    let names = format!("ARRAY[{}]", names.join(", "));
    tables.sql(statement).replace("{tables}", &names)
}

/// Names a collection to the blocks of statements of a transaction.
async fn name(connection: &mut PgConnection, tables: &Tables, collection: &str) -> Result<()> {
    let name = query(tables, sql::NAME_COLLECTION).bind(collection);
    let named = name.execute(connection).await;
    named.map(drop).map_err(backend(DOING))
}

async fn run(
    connection: &mut PgConnection,
    tables: &Tables,
    statements: &'static str,
) -> Result<()> {
    let statements = AssertSqlSafe(of_all(tables, statements));
    let done = sqlx::raw_sql(statements).execute(connection).await;
    done.map(drop).map_err(backend(DOING))
}

async fn send(connection: &mut PgConnection, statement: &'static str) -> Result<()> {
    let done = sqlx::raw_sql(statement).execute(connection).await;
    done.map(drop).map_err(backend(DOING))
}

async fn says(
    connection: &mut PgConnection,
    tables: &Tables,
    question: &'static str,
) -> Result<bool> {
    let question = sqlx::query(AssertSqlSafe(of_all(tables, question))).persistent(false);
    let row = question.fetch_one(connection).await;
    column(&row.map_err(backend(DOING))?, "says")
}
