//! A store on a server as it is set up where it is used: with TLS, and with a role for those who only
//! search.

use sectile_test_postgres::{Server, database};
use sqlx::{Connection as _, PgConnection};

use crate::workplace::Workplace;

#[tokio::test]
async fn a_server_that_takes_tls_only_is_checked_by_its_certificate() {
    let server = Server::start().await.unwrap();
    let url = server.url().await.unwrap();
    let mut place = Workplace::new();
    place.write("ca.pem", server.require_tls().await.unwrap());
    let named = url.replace("127.0.0.1", "localhost");
    let roots = format!("sslrootcert={}", place.path("ca.pem").display());

    place.store = format!("{named}?sslmode=verify-full&{roots}");
    assert!(place.stdout(&["ingest", "docs"]).starts_with("2 added"));
    assert!(place.stdout(&["search", "plugins"]).contains("guide.md"));
    place.store.clone_from(&named);
    assert!(place.stdout(&["search", "plugins"]).contains("guide.md"));

    let refusals = [
        ("the host", format!("{url}?sslmode=verify-full&{roots}")),
        ("the authority", format!("{named}?sslmode=verify-full")),
        ("the authority", format!("{named}?sslrootcert=system")),
        ("no TLS", format!("{named}?sslmode=disable")),
    ];
    for (what, store) in refusals {
        place.store = store;
        let said = place.stderr(&["search", "plugins"], 2);
        let reason = match what {
            "the host" => "not valid for name",
            "the authority" => "UnknownIssuer",
            _ => "no encryption",
        };
        assert!(said.contains(reason), "{what}: {said}");
        assert!(!said.contains("try again"), "{what}: {said}");
    }
}

#[tokio::test]
async fn a_role_that_may_only_read_searches() {
    let url = database().await.unwrap();
    let mut place = Workplace::new();
    place.store.clone_from(&url);
    place.stdout(&["ingest", "docs"]);
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let database = url.rsplit('/').next().unwrap();
    let role = format!("reader_{database}");
    let grants = format!(
        "CREATE ROLE {role} LOGIN PASSWORD 'reader';
         GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role};"
    );
    let grants = sqlx::raw_sql(sqlx::AssertSqlSafe(grants));
    grants.execute(&mut connection).await.unwrap();

    place.store = url.replace("postgres:postgres@", &format!("{role}:reader@"));
    for command in [
        &["search", "plugins"][..],
        &["toc", "docs/guide.md"],
        &["get", "docs/guide.md", "--heading", "Guide > Use"],
        &["list"],
        &["status"],
        &["doctor"],
    ] {
        place.stdout(command);
    }
    let refused = place.stderr(&["rm", "docs/notes.txt"], 2);
    assert!(refused.contains("permission denied"), "{refused}");
    place.store = url;
    assert!(place.stdout(&["status"]).contains("documents  2"));
}

#[test]
fn a_parameter_that_is_not_known_is_refused() {
    let mut place = Workplace::new();
    place.store = "postgres://ada:s3cret@localhost:1/app?sslmod=verify-full".to_owned();
    for command in [
        &["search", "plugins"][..],
        &["status"],
        &["checkpoint", "threads"],
    ] {
        let said = place.stderr(command, 2);
        assert!(said.contains("`sslmod` is not known"), "{said}");
        assert!(!said.contains("s3cret"), "{said}");
    }
}

#[tokio::test]
async fn a_hot_standby_is_searched() {
    let server = Server::start().await.unwrap();
    let mut place = Workplace::new();
    place.store = server.url().await.unwrap();
    place.stdout(&["ingest", "docs"]);
    place.store = server.standby().await.unwrap();
    assert!(place.stdout(&["search", "plugins"]).contains("guide.md"));
    let refused = place.stderr(&["rm", "docs/notes.txt"], 2);
    assert!(refused.contains("read-only transaction"), "{refused}");
}

#[tokio::test]
async fn a_collection_gets_partitions_of_its_own() {
    let mut place = Workplace::new();
    let partition = ["collection", "partition", "default", "--json"];
    let said = place.stderr(&partition, 2);
    assert!(said.contains("this store has no partitions"), "{said}");
    place.store = database().await.unwrap();
    place.stdout(&["ingest", "docs"]);
    assert_eq!(place.json(&partition)["is_new"], true);
    assert_eq!(place.json(&partition)["is_new"], false);
    assert!(place.stdout(&["search", "plugins"]).contains("guide.md"));
    assert!(place.stdout(&["ingest", "docs"]).contains("2 unchanged"));
}
