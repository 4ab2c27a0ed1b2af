//! A real Postgres for tests: one container for all of them, a fresh database for each, and
//! containers of their own for tests that kill the server.
//!
//! The image must be there, or an engine that can fetch it; `scripts/prepare-postgres` sees to it.

use std::cell::RefCell;
use std::fs::File;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Result, ensure};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use testcontainers::core::{ExecCommand, IntoContainerPort as _, WaitFor};
use testcontainers::runners::AsyncRunner as _;
use testcontainers::{
    ContainerAsync, ContainerRequest, GenericImage, ImageExt as _, ReuseDirective,
};
use tokio::runtime;
use tokio::sync::OnceCell;
use tokio::time::sleep;

/// The name and the tag of the image.
const IMAGE: (&str, &str) = ("pgvector/pgvector", "pg17");

/// The container that all tests share, unless a variable names another one. `scripts/test` and `scripts/test-cluster`
/// name one of their own and remove it in the end, so that they take none away from tests that run elsewhere.
const SHARED: &str = "sectile-tests-postgres";
const SHARED_VARIABLE: &str = "SECTILE_TEST_CONTAINER";

/// What a server in a container of its own is started with; a standby needs the same.
const SETTINGS: &str = "max_connections=200";

/// Where [`Server::standby`] listens, within the container, and keeps its files.
const STANDBY_PORT: u16 = 5433;
const STANDBY_FOLDER: &str = "/tmp/standby";

/// Makes an authority and, signed by it, a certificate for `localhost`, lets the server use it and take
/// connections by TLS only, and prints the authority's certificate.
const REQUIRE_TLS: &str = r#"
cd "$PGDATA"
key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
openssl req -x509 $key -days 2 -subj '/CN=Tests of Sectile' -keyout ca.key -out ca.crt
openssl req $key -subj /CN=localhost -keyout server.key -out server.csr
echo subjectAltName=DNS:localhost > names
openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt
chown postgres server.key server.crt
chmod 600 server.key
sed -i 's/^host /hostssl /' pg_hba.conf
psql --username postgres --command 'ALTER SYSTEM SET ssl = on' --command 'SELECT pg_reload_conf()' >&2
cat ca.crt
"#;

/// How long a server may take to answer after it was started.
const START_TIMEOUT: Duration = Duration::from_mins(1);

thread_local! {
    /// What the test of this thread has made.
    static MADE: Made = const { Made(RefCell::new(Vec::new())) };
}

/// Databases, each with the address of its server, that are removed with the thread of a test: when it ends, and when it
/// fails.
struct Made(RefCell<Vec<(String, String)>>);

impl Drop for Made {
    fn drop(&mut self) {
        let made = self.0.take();
        if !made.is_empty() {
            // A thread that ends can run nothing more of tokio. What cannot be removed is in nobody's way.
            let _ = std::thread::spawn(move || remove(&made)).join();
        }
    }
}

/// Removes databases, whoever is connected.
fn remove(made: &[(String, String)]) -> Result<()> {
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        for (server, name) in made {
            let mut connection = PgConnection::connect(&format!("{server}/postgres")).await?;
            let sql = format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)");
            sqlx::raw_sql(AssertSqlSafe(sql))
                .execute(&mut connection)
                .await?;
            connection.close().await?;
        }
        Ok(())
    })
}

/// Returns the address of an empty database on the server that all tests share. It is removed with the thread that asks
/// for it, which is that of a test.
///
/// # Errors
///
/// When no container can be had; the message says what to do.
pub async fn database() -> Result<String> {
    static SERVER: OnceCell<String> = OnceCell::const_new();
    let server = SERVER.get_or_try_init(shared_server).await?;
    create_database(server).await
}

/// Creates a database with a name of its own and returns its address.
async fn create_database(server: &str) -> Result<String> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("test_{}_{count}_{since}", std::process::id());
    let mut connection = PgConnection::connect(&format!("{server}/postgres")).await?;
    let sql = format!("CREATE DATABASE {name} STRATEGY FILE_COPY");
    sqlx::raw_sql(AssertSqlSafe(sql))
        .execute(&mut connection)
        .await?;
    connection.close().await?;
    let address = format!("{server}/{name}");
    MADE.with(|made| made.0.borrow_mut().push((server.to_owned(), name)));
    Ok(address)
}

/// Starts the shared server, or finds it, and returns its address without a database.
async fn shared_server() -> Result<String> {
    let name = std::env::var(SHARED_VARIABLE).unwrap_or_else(|_| SHARED.to_owned());
    // Of several test programs only one starts it.
    let lock = File::create(std::env::temp_dir().join(format!("{name}.lock")))?;
    let lock = tokio::task::spawn_blocking(move || lock.lock().map(|()| lock)).await??;
    // What these tests check does not depend on the disk.
    let settings = ["-c", "fsync=off", "-c", "max_connections=400"];
    let request = request(&settings)
        .with_container_name(name)
        .with_reuse(ReuseDirective::Always);
    let container = start(request).await?;
    let address = address(&container).await?;
    // It stays for the next test program.
    std::mem::forget(container);
    drop(lock);
    Ok(address)
}

/// A server in a container of its own, which is removed when this is dropped.
#[derive(Debug)]
pub struct Server {
    container: ContainerAsync<GenericImage>,
}

impl Server {
    /// Starts a server that keeps what it acknowledged, as one in production does.
    ///
    /// # Errors
    ///
    /// When no container can be had.
    pub async fn start() -> Result<Self> {
        let container = start(request(&["-c", SETTINGS])).await?;
        address(&container).await?;
        Ok(Self { container })
    }

    /// Returns the address of the database `postgres`, which is another one after a restart.
    ///
    /// # Errors
    ///
    /// When the server does not answer for a minute.
    pub async fn url(&self) -> Result<String> {
        Ok(format!("{}/postgres", address(&self.container).await?))
    }

    /// Makes the server take connections by TLS only, and returns the certificate of the authority that
    /// signed its own, which is one for `localhost`.
    ///
    /// # Errors
    ///
    /// When it cannot be set up.
    pub async fn require_tls(&self) -> Result<String> {
        self.run(&["sh", "-ec", REQUIRE_TLS]).await
    }

    /// Starts a hot standby beside the server, in the same container, and returns the address of
    /// the database `postgres` on it.
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub async fn standby(&self) -> Result<String> {
        let copy = format!(
            "pg_basebackup --checkpoint=fast --write-recovery-conf --pgdata {STANDBY_FOLDER}"
        );
        let settings = format!("-p {STANDBY_PORT} -c {SETTINGS}");
        let start =
            format!("pg_ctl -D {STANDBY_FOLDER} -l {STANDBY_FOLDER}.log -o '{settings}' start");
        // `su` has a search path of its own, which does not have the server's programs.
        let command = format!("su postgres -c \"PATH=$PATH; {copy} && {start}\" >&2");
        self.run(&["sh", "-c", &command]).await?;
        let port = self.container.get_host_port_ipv4(STANDBY_PORT).await?;
        let server = format!("postgres://postgres:postgres@127.0.0.1:{port}");
        Ok(format!("{server}/postgres"))
    }

    /// Runs a command in the container and returns what it prints.
    async fn run(&self, command: &[&str]) -> Result<String> {
        let command = ExecCommand::new(command.iter().copied());
        let mut done = self.container.exec(command).await?;
        let printed = done.stdout_to_vec().await?;
        let report = String::from_utf8_lossy(&done.stderr_to_vec().await?).into_owned();
        ensure!(done.exit_code().await? == Some(0), "it failed: {report}");
        Ok(String::from_utf8(printed)?)
    }

    /// Ends the server at once, as a crash does, and starts it again.
    ///
    /// # Errors
    ///
    /// When the container cannot be started again.
    pub async fn crash(&self) -> Result<()> {
        self.container.stop_with_timeout(Some(0)).await?;
        self.container.start().await?;
        Ok(())
    }
}

fn request(settings: &[&str]) -> ContainerRequest<GenericImage> {
    let command = ["postgres"].iter().chain(settings);
    GenericImage::new(IMAGE.0, IMAGE.1)
        .with_exposed_port(5432.tcp())
        .with_exposed_port(STANDBY_PORT.tcp())
        .with_wait_for(WaitFor::message_on_stderr("ready to accept connections"))
        .with_env_var("POSTGRES_PASSWORD", "postgres")
        .with_cmd(command.map(|word| (*word).to_owned()))
}

async fn start(request: ContainerRequest<GenericImage>) -> Result<ContainerAsync<GenericImage>> {
    request.start().await.context(
        "the tests on Postgres need a container engine and the image pgvector/pgvector:pg17; \
         scripts/prepare-postgres sees to both",
    )
}

/// Waits until the server answers and returns its address without a database.
async fn address(container: &ContainerAsync<GenericImage>) -> Result<String> {
    let mut waited = Duration::ZERO;
    loop {
        let port = container.get_host_port_ipv4(5432).await?;
        let address = format!("postgres://postgres:postgres@127.0.0.1:{port}");
        match PgConnection::connect(&format!("{address}/postgres")).await {
            Ok(connection) => {
                connection.close().await?;
                return Ok(address);
            }
            Err(error) if waited > START_TIMEOUT => return Err(error.into()),
            Err(_) => {
                let pause = Duration::from_millis(50);
                waited += pause;
                sleep(pause).await;
            }
        }
    }
}
