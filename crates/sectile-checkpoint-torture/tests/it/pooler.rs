//! PgBouncer in transaction mode, which gives each transaction another connection.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sectile::checkpoint::{Checkpoint, Checkpointer as _};
use sectile::checkpoint_postgres::PostgresCheckpointer;
use sectile_checkpoint_torture::numbered;
use serde_json::Value;
use sqlx::{Connection as _, PgConnection};
use tokio::task::JoinSet;
use tokio::time::sleep;

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
        for _ in 0..100 {
            if PgConnection::connect(&url).await.is_ok() {
                break;
            }
            sleep(Duration::from_millis(50)).await;
        }
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
         ignore_startup_parameters = extra_float_digits\n",
        users.display()
    );
    std::fs::write(folder.join("settings.ini"), settings).unwrap();
}

/// Starts the pooler, as another user where this one is root, which it refuses to be run by.
fn start(folder: &Path) -> Child {
    let settings = folder.join("settings.ini");
    let whoami = Command::new("id").arg("-u").output().unwrap();
    let mut command = if whoami.stdout.starts_with(b"0\n") {
        let status = Command::new("chown")
            .args(["-R", "nobody"])
            .arg(folder)
            .status();
        assert!(status.unwrap().success());
        let mut command = Command::new("setpriv");
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]);
        command.arg("/usr/sbin/pgbouncer");
        command
    } else {
        Command::new("pgbouncer")
    };
    command
        .arg("-q")
        .arg(settings)
        .stderr(Stdio::null())
        .spawn()
        .expect("scripts/torture installs pgbouncer")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pooler_in_transaction_mode_is_no_hindrance() {
    if std::env::var_os("SECTILE_TORTURE").is_none() {
        // A pooler is no need of the short tests.
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
