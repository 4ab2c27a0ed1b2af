//! What reads cost, in steps of SQLite, which do not depend on the machine.

use sectile_checkpoint::{
    At, Channels, Checkpoint, CheckpointOrder, CheckpointQuery, Content, Key, StoredState,
    TaskWrites, ThreadOrder, ThreadQuery, TypedValue,
};
use sectile_checkpoint_sql::sql::{ALL, threads};
use sectile_checkpoint_sql::{NewRow, NewWrites, protocol, read};
use sectile_migrations::{CHECKPOINT_SQLITE, Tables};
use sectile_sqlite::now;
use sectile_sqlite::rusqlite::{Connection, StatementStatus};

use super::Session;
use crate::sql;

/// When the threads of [`many_threads`] were used: one after the other, so far apart.
const BETWEEN_USES: u64 = 66_000;

/// The entries of metadata that threads have: all the first, every fourth the second, a hundred the third.
const ENTRIES: [&str; 3] = ["all", "fourth", "rare"];

/// Makes tables.
fn empty() -> (Connection, Tables) {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.set_prepared_statement_cache_capacity(200);
    let tables = Tables::new(None, "").unwrap();
    let schema = CHECKPOINT_SQLITE;
    sectile_migrations::sqlite::migrate(&mut connection, &schema, &tables).unwrap();
    (connection, tables)
}

/// Makes tables with so many threads, whose numbers are from 101 on.
fn many_threads(count: u64) -> (Connection, Tables) {
    let (mut connection, tables) = empty();
    let mut session = Session::new(&mut connection, &tables);
    for entries in 1..=ENTRIES.len() {
        let state = StoredState::Json("1".into());
        let mut checkpoint = Checkpoint::new(format!("seed {entries}"), state);
        checkpoint.created_at = 1;
        for entry in &ENTRIES[..entries] {
            checkpoint = checkpoint.with_metadata(*entry, true);
        }
        let row = NewRow::of(checkpoint).unwrap();
        now(protocol::save(&mut session, &row)).unwrap();
    }
    let new = format!(
        "WITH RECURSIVE new (i, seed) AS (SELECT 101, 1 UNION ALL SELECT i + 1, \
         CASE WHEN (i + 1) % {} = 0 THEN 3 WHEN (i + 1) % 4 = 0 THEN 2 ELSE 1 END \
         FROM new WHERE i < {})",
        count / 100,
        count + 100
    );
    let fill = format!(
        "INSERT INTO checkpoint_threads {new} SELECT i, printf('%06d', i * 7919 % {count}), '', \
         1, 1, 1, i * {BETWEEN_USES}, (i * {BETWEEN_USES}) >> 16, 0 FROM new;
         INSERT INTO checkpoints {new} SELECT i, seq, created_at, node, step, checkpoint_id, \
         parent_seq, run_id, queue_json, metadata_json, checksum, whole_bytes, form, kind, state_json, \
         state FROM new JOIN checkpoints ON thread_key = seed;
         INSERT INTO checkpoint_metadata {new} SELECT i, entry, block \
         FROM new JOIN checkpoint_metadata ON thread_key = seed;"
    );
    connection.execute_batch(&fill).unwrap();
    let _ = counted(&connection, &tables, StatementStatus::VmStep);
    (connection, tables)
}

/// Returns the ids of those of so many threads that have a number of entries and were used since a time.
fn expected(count: u64, entries: usize, since: u64, order: ThreadOrder) -> Vec<String> {
    let has = |number: &u64| match entries {
        0 | 1 => true,
        2 => number.is_multiple_of(4) || number.is_multiple_of(count / 100),
        _ => number.is_multiple_of(count / 100),
    };
    let numbers = (101..=count + 100).rev().filter(has);
    let used = numbers.filter(|number| number * BETWEEN_USES >= since);
    let mut ids: Vec<_> = used
        .map(|number| format!("{:06}", number * 7919 % count))
        .collect();
    if order == ThreadOrder::ById {
        ids.sort_unstable();
    }
    ids
}

/// Returns what SQLite counted of all statements since the last time.
fn counted(connection: &Connection, tables: &Tables, what: StatementStatus) -> i32 {
    let own = [
        sql::WRITES_OF,
        sql::COUNT_WRITES,
        sql::PIECES,
        sql::ADD_PIECE,
    ];
    let all = ALL.iter().chain(threads::ALL).chain(&own);
    let counts = all.map(|template| {
        let statement = connection.prepare_cached(&tables.sql(template)).unwrap();
        statement.reset_status(what)
    });
    counts.sum()
}

/// Returns the ids of threads, and how many steps SQLite made to find them.
fn listed(connection: &mut Connection, tables: &Tables, query: &ThreadQuery) -> (Vec<String>, i32) {
    let found = now(read::threads(&mut Session::new(connection, tables), query)).unwrap();
    let steps = counted(connection, tables, StatementStatus::VmStep);
    let ids = found.into_iter().map(|thread| thread.thread_id);
    (ids.collect(), steps)
}

#[test]
fn a_page_of_threads_takes_as_many_steps_however_many_there_are() {
    let counts = [5_000, 20_000];
    let mut places = counts.map(many_threads);
    for (entries, newest, order) in [
        (0, 0, ThreadOrder::ById),
        (0, 60, ThreadOrder::ById),
        (0, 0, ThreadOrder::ByLastUse),
        (0, 60, ThreadOrder::ByLastUse),
        (1, 0, ThreadOrder::ById),
        (1, 60, ThreadOrder::ById),
        (1, 60, ThreadOrder::ByLastUse),
        (2, 0, ThreadOrder::ById),
        (2, 0, ThreadOrder::ByLastUse),
        (3, 0, ThreadOrder::ById),
        (3, 0, ThreadOrder::ByLastUse),
    ] {
        let steps = [0, 1].map(|at| {
            let (count, (connection, tables)) = (counts[at], &mut places[at]);
            let since = match newest {
                0 => 2,
                newest => (count + 101 - newest) * BETWEEN_USES,
            };
            let mut query = ThreadQuery {
                limit: Some(40),
                order,
                used_since: (newest > 0).then_some(since),
                ..ThreadQuery::default()
            };
            if let Some(entry) = ENTRIES[..entries].last() {
                let _ = query.metadata.insert((*entry).to_owned(), true.into());
            }
            let expected = expected(count, entries, since, order);
            let (found, steps) = listed(connection, tables, &query);
            assert_eq!(found, expected[..40], "{query:?}");
            query.after = found.last().cloned();
            let (found, more) = listed(connection, tables, &query);
            assert_eq!(found, expected[40..expected.len().min(80)], "{query:?}");
            steps.max(more)
        });
        let [few, many] = steps;
        let case = format!("{entries} {newest} {order:?}: {few}, {many}");
        assert!(many <= few + few / 5, "{case}");
    }
}

#[test]
fn metadata_that_no_thread_has_is_missed_at_once() {
    let (mut connection, tables) = many_threads(5_000);
    let mut query = ThreadQuery::default();
    let _ = query.metadata.insert("all".to_owned(), false.into());
    let (found, steps) = listed(&mut connection, &tables, &query);
    assert!(found.is_empty() && steps < 1_000, "{found:?} {steps}");
}

#[test]
fn the_writes_of_many_checkpoints_take_one_statement() {
    let (mut connection, tables) = empty();
    let mut session = Session::new(&mut connection, &tables);
    let key = Key::from("t");
    let all: Vec<At> = (0..32)
        .map(|number| At::Id(format!("id-{number}")))
        .collect();
    for at in &all {
        let value = TypedValue::new("json", *b"1");
        let new = NewWrites {
            key: key.clone(),
            at: at.clone(),
            writes: TaskWrites::new("task").write("channel", value),
        };
        now(protocol::put_writes(&mut session, &[&new])).unwrap();
    }
    let _ = counted(&connection, &tables, StatementStatus::Run);
    let mut session = Session::new(&mut connection, &tables);
    let found = now(read::writes_of_many(&mut session, &key, &all)).unwrap();
    assert!(found.iter().all(|writes| writes.len() == 1));
    // One more reads the namespace.
    assert_eq!(counted(&connection, &tables, StatementStatus::Run), 2);
}

#[test]
fn a_page_by_id_takes_as_many_steps_however_long_the_thread_is() {
    let key = Key::from("t");
    let [few, many] = [500_u64, 1_500].map(|count| {
        let (mut connection, tables) = empty();
        let mut session = Session::new(&mut connection, &tables);
        for number in 0..count {
            // Ids fall while numbers rise.
            let checkpoint = Checkpoint::new("t", StoredState::Json("1".into()))
                .with_id(format!("{:05}", count - number))
                .with_metadata("all", true);
            let row = NewRow::of(checkpoint).unwrap();
            now(protocol::save(&mut session, &row)).unwrap();
        }
        let before = Some(format!("{:05}", count / 2));
        let mut query = CheckpointQuery {
            limit: Some(16),
            order: CheckpointOrder::ById { before },
            ..CheckpointQuery::default()
        };
        [false, true].map(|is_filtered| {
            if is_filtered {
                let _ = query.metadata.insert("all".to_owned(), true.into());
            }
            let _ = counted(&connection, &tables, StatementStatus::VmStep);
            let mut session = Session::new(&mut connection, &tables);
            let found = now(read::select(&mut session, &key, &query)).unwrap();
            assert_eq!(found.len(), 16);
            assert_eq!(found[0].id, Some(format!("{:05}", count / 2 - 1)));
            counted(&connection, &tables, StatementStatus::VmStep)
        })
    });
    for (few, many) in few.into_iter().zip(many) {
        assert!(many <= few + few / 5, "{few}, {many}");
    }
}

#[test]
fn writes_are_counted_without_looking_at_the_checkpoints_between() {
    let [few, many] = [20, 400].map(|count| {
        let (mut connection, tables) = empty();
        let mut session = Session::new(&mut connection, &tables);
        for _ in 0..count {
            let checkpoint = Checkpoint::new("t", StoredState::Json("1".into()));
            let row = NewRow::of(checkpoint).unwrap();
            now(protocol::save(&mut session, &row)).unwrap();
        }
        let _ = counted(&connection, &tables, StatementStatus::VmStep);
        let mut session = Session::new(&mut connection, &tables);
        let (key, seqs) = (Key::from("t"), [1, count]);
        let found = now(read::count_writes(&mut session, &key, &seqs)).unwrap();
        assert_eq!(found, [0, 0]);
        counted(&connection, &tables, StatementStatus::VmStep)
    });
    assert!(many <= few + few / 5, "{few}, {many}");
}

/// Returns the value of a number, of which twenty make a state in pieces.
fn value(number: u64) -> TypedValue {
    TypedValue::json(&format!("{number} {}", "word ".repeat(100))).unwrap()
}

/// A conversation, as the step of a number changes it.
fn appended(number: u64) -> Channels {
    let messages = match number {
        1 => Content::List(vec![value(1)]),
        _ => Content::Appended(vec![value(number)]),
    };
    Channels::new().with("messages", &number.to_string(), messages)
}

/// Many channels, of which the step of a number changes one.
fn one_changed(number: u64) -> Channels {
    let content = |at: u64| match number {
        1 => Content::Value(value(at)),
        _ if at == number * 37 % 200 => Content::Value(value(1_000 + number)),
        _ => Content::Same,
    };
    (0..200).fold(Channels::new(), |state, at| {
        state.with(&at.to_string(), &number.to_string(), content(at))
    })
}

#[test]
fn a_save_of_what_changed_takes_as_many_steps_however_long_the_thread_is() {
    // So many saves are looked at together, as each so many write a list of all channels.
    let last = 150;
    for step in [appended as fn(u64) -> Channels, one_changed] {
        let [few, many] = [300, 1_200].map(|count| {
            let (mut connection, tables) = empty();
            for number in 1..=count {
                if number == count - last {
                    let _ = counted(&connection, &tables, StatementStatus::VmStep);
                }
                let mut checkpoint = Checkpoint::new("t", StoredState::from(step(number)));
                checkpoint.parent_seq = (number > 1).then(|| number - 1);
                let row = NewRow::of(checkpoint).unwrap();
                let mut session = Session::new(&mut connection, &tables);
                now(protocol::save(&mut session, &row)).unwrap();
            }
            counted(&connection, &tables, StatementStatus::VmStep)
        });
        assert!(many <= few + few / 5, "{few}, {many}");
    }
}
