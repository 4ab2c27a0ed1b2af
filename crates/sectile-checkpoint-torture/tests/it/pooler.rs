//! PgBouncer in transaction mode, which gives each transaction another connection.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sectile::checkpoint::{Checkpoint, Checkpointer as _, Error, Result, Saved};
use sectile::checkpoint_postgres::PostgresCheckpointer;
use sectile_checkpoint_torture::numbered;
use serde_json::Value;
use sqlx::{Connection as _, PgConnection};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::engine::Engine;

const CLIENTS: usize = 8;
const SAVES: u64 = 100;

/// A pooler with three connections to a server, which ends with this.
struct Pooler {
    process: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Pooler {
    async fn before(url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        drop(listener);
        let (server, database) = url.rsplit_once('/').unwrap();
        let server_port = server.rsplit_once(':').unwrap().1;
        write_settings(folder.path(), port, server_port);
        let url = format!("postgres://postgres:postgres@127.0.0.1:{port}/{database}");
        let process = start(folder.path());
        let listening = async {
            while PgConnection::connect(&url).await.is_err() {
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(Duration::from_mins(1), listening).await.unwrap();
        Self {
            process,
            url,
            _folder: folder,
        }
    }
}

fn write_settings(folder: &Path, port: u16, server_port: &str) {
    let users = folder.join("users.txt");
    std::fs::write(&users, "\"postgres\" \"postgres\"\n").unwrap();
    let settings = format!(
        "[databases]\n* = host=127.0.0.1 port={server_port}\n\
         [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
         auth_type = scram-sha-256\nauth_file = {}\npool_mode = transaction\n\
         default_pool_size = 3\nmax_client_conn = 200\n\
         ignore_startup_parameters = extra_float_digits\n{}",
        users.display(),
        without_prepared_statements()
    );
    std::fs::write(folder.join("settings.ini"), settings).unwrap();
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.starts_with(b"0\n")
}

fn program() -> &'static str {
    if is_root() {
        "/usr/sbin/pgbouncer"
    } else {
        "pgbouncer"
    }
}

/// Returns the setting without which newer poolers tell apart what each client has prepared. Those
/// before 1.21 refuse to know it.
fn without_prepared_statements() -> &'static str {
    let said = Command::new(program()).arg("--version").output();
    let said = said.expect("scripts/torture installs pgbouncer").stdout;
    let said = String::from_utf8(said).unwrap();
    let version = said.split_whitespace().nth(1).unwrap();
    let mut numbers = version.split('.').map(|part| part.parse::<u32>().unwrap());
    if (numbers.next(), numbers.next()) < (Some(1), Some(21)) {
        ""
    } else {
        "max_prepared_statements = 0\n"
    }
}

/// Starts the pooler, as another user where this one is root, which it refuses to be run by.
fn start(folder: &Path) -> Child {
    let settings = folder.join("settings.ini");
    let mut command = if is_root() {
        let status = Command::new("chown")
            .args(["-R", "nobody"])
            .arg(folder)
            .status();
        assert!(status.unwrap().success());
        let mut command = Command::new("setpriv");
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]);
        command.arg(program());
        command
    } else {
        Command::new(program())
    };
    command
        .arg("-q")
        .arg(settings)
        .stderr(Stdio::null())
        .spawn()
        .expect("scripts/torture installs pgbouncer")
}

/// Returns whether a pooler is there; it is no need of the short tests.
fn is_wanted() -> bool {
    std::env::var_os("SECTILE_TORTURE").is_some()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_in_transaction_mode_is_no_hindrance() {
    if !is_wanted() {
        return;
    }
    let engine = Engine::postgres().await;
    let pooler = Pooler::before(&engine.url).await;
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let builder = PostgresCheckpointer::builder(&pooler.url).pgbouncer(true);
        clients.spawn(async move {
            let records = builder.enable_projections(true).connect().await.unwrap();
            records.migrate().await.unwrap();
            let thread_id = format!("thread {}", client % 4);
            for number in 1..=SAVES {
                records.save(&numbered(&thread_id, number)).await.unwrap();
                let latest: Option<Checkpoint<Value>> = records.load(&thread_id).await.unwrap();
                assert!(latest.is_some());
            }
        });
    }
    clients.join_all().await;
    for thread in 0..4 {
        let stored = engine
            .check(&engine.open().await, &format!("thread {thread}"))
            .await;
        assert_eq!(stored.len() as u64, 2 * SAVES);
    }
    let locks = "SELECT count(*)::text, '', '' FROM pg_locks WHERE locktype = 'advisory'";
    assert_eq!(engine.rows(locks).await[0].0, "0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_is_named_where_its_switch_is_off() {
    if !is_wanted() {
        return;
    }
    let engine = Engine::postgres().await;
    engine.open().await;
    let pooler = Pooler::before(&engine.url).await;
    let connect = async |is_pooler: bool| {
        let builder = PostgresCheckpointer::builder(&pooler.url).pgbouncer(is_pooler);
        builder.connect().await.unwrap()
    };
    let assert_named = |saved: Result<Saved>| {
        assert!(
            matches!(saved, Err(Error::PreparedStatements { .. })),
            "{saved:?}"
        );
    };
    // One after the other they have the same connection to the server.
    let (one, other) = (connect(false).await, connect(false).await);
    for number in 1..=2 {
        one.save(&numbered("thread", number)).await.unwrap();
    }
    // What it prepares is there already, by the same name.
    assert_named(other.save(&numbered("thread", 3)).await);
    // What it has prepared is not there any more.
    let mut third = PgConnection::connect(&pooler.url).await.unwrap();
    sqlx::raw_sql("DEALLOCATE ALL")
        .execute(&mut third)
        .await
        .unwrap();
    assert_named(one.save(&numbered("thread", 3)).await);

    let saved = connect(true).await.save(&numbered("thread", 3)).await;
    assert_eq!(saved.unwrap().seq, 3);
}
