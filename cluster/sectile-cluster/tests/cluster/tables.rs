//! Files, folders and stores as tables of SQL.

use std::process::{Command, Output};

use crate::s3::Environment;
use crate::{Cluster, PROGRAM, Place, program};

/// What is asked of a store.
const OF_STORE: &str = "SET datafusion.execution.target_partitions = 4; \
     SELECT count(*) AS documents, sum(length(text)) AS letters FROM d; \
     SELECT uri, format FROM d ORDER BY uri LIMIT 2";

/// Makes nine files of ten letters each.
fn nine_files() -> Place {
    let names: Vec<String> = (0..9).map(|at| format!("{at}.md")).collect();
    let files: Vec<(&str, &str)> = names
        .iter()
        .map(|name| (&**name, "# A\n\nOne.\n"))
        .collect();
    Place::new(&files)
}

/// Returns what a query printed that succeeded.
fn printed(ran: &Output) -> String {
    assert!(ran.status.success(), "{ran:?}");
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

/// Asks for the documents `d` of the store at an address.
fn ask(sql: &str, address: &str, more: &[&str], environment: &Environment) -> Output {
    let table = format!("d={address}");
    let mut command = Command::new(PROGRAM);
    command.args(["run", "--sql", sql, "--table", &table]);
    command.args(more).envs(environment.iter().cloned());
    command.output().expect("the program starts")
}

/// Asserts that a query is refused without a word that it must not show, and returns what is said.
fn refused(ran: &Output, hidden: &str) -> String {
    let said = format!("{ran:?}");
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(!said.contains(hidden), "{said}");
    said
}

async fn ingest(address: &str, place: &Place) {
    let library = sectile::Library::open(address).await;
    let library = library.expect("it is opened");
    let files = [place.path("files")];
    let ingested = library.ingest("default", &files, &|_| ()).await;
    assert_eq!(ingested.expect("they are read").added, 9);
}

/// Asserts that a cluster answers of a store as one process does, and returns the cluster.
fn assert_is_a_table(place: &Place, address: &str, environment: &Environment) -> Cluster {
    let alone = printed(&ask(OF_STORE, address, &[], environment));
    assert!(alone.contains("| 9         | 90"), "{alone}");
    let cluster = Cluster::start_in(2, place.0.path(), environment.clone());
    let scheduler = cluster.address.to_string();
    let ran = ask(OF_STORE, address, &["--scheduler", &scheduler], environment);
    assert_eq!(printed(&ran), alone);
    cluster
}

#[test]
fn queries_have_tables() {
    let place = Place::new(&[("a.md", "# A\n"), ("b.csv", "n,m\n1,2\n3,4\n")]);
    let table = |name: &str, path: &str| format!("{name}={}", place.path(path).display());
    let ran = program(&[
        "run",
        "--sql",
        "SELECT count(*) AS files FROM f; SELECT sum(n) AS total FROM t;",
        "--table",
        &table("f", "files"),
        "--table",
        &table("t", "files/b.csv"),
    ]);
    let printed = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success(), "{ran:?}");
    assert!(
        printed.contains("| 2     |") && printed.contains("| 4     |"),
        "{printed}"
    );
    let typed = [
        "run",
        "--sql",
        "SELECT 1",
        "--scheduler",
        "localhost:1",
        "--file-seconds",
        "5",
    ];
    let ran = program(&typed);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(
        said.contains(r#"sectile_extract(bytes, name, '{"seconds": 5}')"#),
        "{said}"
    );
}

#[test]
fn folders_are_tables_of_a_cluster() {
    let place = nine_files();
    let cluster = Cluster::start(2, place.0.path());
    let scheduler = cluster.address.to_string();
    let table = format!("f={}", place.path("files").display());
    let none = format!("f={}", place.path("none").display());
    let sql = "SET datafusion.execution.target_partitions = 4; \
               SELECT count(*) AS files, sum(length(sectile_extract(bytes, name)['text'])) AS letters FROM f; \
               SELECT name FROM f WHERE size > 0 ORDER BY name LIMIT 2";
    let alone = printed(&program(&["run", "--sql", sql, "--table", &table]));
    let on_cluster = |table: &str| {
        let arguments = ["--scheduler", &*scheduler, "--table", table];
        program(&[&["run", "--sql", sql][..], &arguments[..]].concat())
    };
    assert_eq!(printed(&on_cluster(&table)), alone);
    assert_eq!(on_cluster(&none).status.code(), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn stores_are_tables_of_a_cluster() {
    let (place, here) = (nine_files(), Environment::new());
    let address = format!("sqlite:{}", place.path("library.db").display());
    ingest(&address, &place).await;
    let cluster = assert_is_a_table(&place, &address, &here);
    let plan = printed(&ask("EXPLAIN SELECT text FROM d", &address, &[], &here));
    assert!(plan.contains("ListedScan: documents of sqlite:"), "{plan}");
    let scheduler = cluster.address.to_string();
    let on_cluster = |address: &str| ask(OF_STORE, address, &["--scheduler", &scheduler], &here);
    let none = on_cluster(&format!("{address}.none"));
    assert_eq!(none.status.code(), Some(2), "{none:?}");
    let secret = on_cluster("postgres://ada:s3cret@127.0.0.1:1/docs");
    refused(&secret, "s3cret");
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn stores_on_postgres_are_tables_of_a_cluster() {
    let place = nine_files();
    let address = sectile_test_postgres::database().await;
    let address = address.expect("there is a database");
    ingest(&address, &place).await;
    // The processes have the password, and the plans do not.
    let open = address.replace(":postgres@", "@");
    assert_ne!(open, address);
    let environment = vec![("PGPASSWORD", "postgres".to_owned())];
    let cluster = assert_is_a_table(&place, &open, &environment);

    // A password that can be told from the other names in an address.
    let encoded = address.replace(":postgres@", ":%70ostgres@");
    let here = Environment::new();
    let explain = ask("EXPLAIN VERBOSE SELECT text FROM d", &encoded, &[], &here);
    let plan = printed(&explain);
    assert!(
        plan.contains("ListedScan: documents of postgres://127.0.0.1:"),
        "{plan}"
    );
    assert!(!format!("{explain:?}").contains("ostgres@"), "{plan}");
    let scheduler = cluster.address.to_string();
    let sent = ask(OF_STORE, &encoded, &["--scheduler", &scheduler], &here);
    let said = refused(&sent, "ostgres@");
    assert!(said.contains("PGPASSWORD"), "{said}");
    let wrong = address.replace(":postgres@", ":s3cret@");
    refused(&ask(OF_STORE, &wrong, &[], &here), "s3cret");
}

#[test]
fn no_table_that_is_none_shows_its_password() {
    for table in [
        "postgres://ada:s3cret@127.0.0.1:1/docs",
        "postgres://ada:s3cret@127.0.0.1:1/docs?sslmode=require",
        "d=Postgres://ada:s3cret@127.0.0.1:1/docs",
        "d=mysql://ada:s3cret@127.0.0.1:1/docs",
        "d=postgres://ada:s3cret@127.0.0.1:port/docs",
        "d=s3://ada:s3cret@bucket/docs/",
        "=postgres://ada:s3cret@127.0.0.1:1/docs",
    ] {
        let ran = program(&["run", "--sql", "SELECT 1", "--table", table]);
        refused(&ran, "s3cret");
    }
}
