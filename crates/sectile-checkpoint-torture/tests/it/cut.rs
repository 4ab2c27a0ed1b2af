//! Commits whose answer never arrives.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sectile::checkpoint::{Checkpoint, Checkpointer as _, Error, Result, Saved};
use sectile::checkpoint_postgres::PostgresCheckpointer;
use sectile_checkpoint_torture::numbered;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::engine::Engine;

/// What the server says when a statement has inserted rows, and when a transaction is committed.
const INSERTED: &str = "INSERT 0 ";
const COMMITTED: &str = "COMMIT";

const SAVES: u64 = 20;

/// A proxy that cuts the connection instead of passing on that something is done, when it is told
/// to.
struct Proxy {
    url: String,
    is_cutting: Arc<AtomicBool>,
}

impl Proxy {
    async fn before(url: &str, done: &'static str) -> Self {
        let (server, database) = url.rsplit_once('/').unwrap();
        let server = server.rsplit_once('@').unwrap().1.to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let is_cutting = Arc::new(AtomicBool::new(false));
        let cutting = Arc::clone(&is_cutting);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                tokio::spawn(pass(client, server, done, Arc::clone(&cutting)));
            }
        });
        Self {
            url: format!("postgres://postgres:postgres@{address}/{database}"),
            is_cutting,
        }
    }
}

/// Passes on what both sides say, until one of them ends or an answer is cut off.
async fn pass(client: TcpStream, server: TcpStream, done: &str, is_cutting: Arc<AtomicBool>) {
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let questions = tokio::spawn(async move { copy(&mut from_client, &mut to_server).await });
    let mut answer = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from_server.read(&mut answer).await {
        let answer = &answer[..length];
        let is_done = answer
            .windows(done.len())
            .any(|part| part == done.as_bytes());
        if is_done && is_cutting.swap(false, Ordering::Relaxed) {
            break;
        }
        if to_client.write_all(answer).await.is_err() {
            break;
        }
    }
    questions.abort();
}

fn checkpoint(number: u64) -> Checkpoint<Value> {
    numbered("thread", number).with_id(format!("save {number}"))
}

async fn kept(engine: &Engine) -> String {
    let sql = "SELECT count(*)::text, '', '' FROM checkpoints";
    engine.rows(sql).await.remove(0).0
}

async fn behind_a_proxy(is_projecting: bool) -> (Engine, Proxy, PostgresCheckpointer) {
    let engine = Engine::postgres().await;
    // The first save to a thread is more than one statement.
    let records = engine.open().await;
    records.save(&numbered("thread", 0)).await.unwrap();
    let done = if is_projecting { COMMITTED } else { INSERTED };
    let proxy = Proxy::before(&engine.url, done).await;
    let builder = PostgresCheckpointer::builder(&proxy.url).enable_projections(is_projecting);
    (engine, proxy, builder.connect().await.unwrap())
}

/// Saves, each of them twice, as the first answer is cut off.
async fn save_again(is_projecting: bool) {
    let (engine, proxy, checkpointer) = behind_a_proxy(is_projecting).await;
    for number in 1..=SAVES {
        proxy.is_cutting.store(true, Ordering::Relaxed);
        let cut = checkpointer.save(&checkpoint(number)).await.unwrap_err();
        assert!(
            matches!(cut, Error::Unavailable { .. }) && cut.is_retryable(),
            "{cut:?}"
        );
        let again = checkpointer.save(&checkpoint(number)).await.unwrap();
        let expected = Saved {
            seq: number + 1,
            is_new: false,
        };
        assert_eq!(again, expected);
    }
    assert_eq!(kept(&engine).await, (SAVES + 1).to_string());
}

#[tokio::test]
async fn a_save_that_is_done_again_with_its_id_is_there_once() {
    save_again(false).await;
}

#[tokio::test]
async fn a_save_with_projections_that_is_done_again_is_there_once() {
    save_again(true).await;
}

#[tokio::test]
async fn saves_that_were_written_together_are_done_again_once() {
    let (engine, proxy, checkpointer) = behind_a_proxy(false).await;
    let save_all = async || {
        let mut saves = JoinSet::new();
        for number in 1..=SAVES {
            let checkpointer = checkpointer.clone();
            saves.spawn(async move { checkpointer.save(&checkpoint(number)).await });
        }
        saves.join_all().await
    };
    proxy.is_cutting.store(true, Ordering::Relaxed);
    let cut: Vec<Result<Saved>> = save_all().await;
    let is_retryable = |saved: &Result<Saved>| matches!(saved, Err(error) if error.is_retryable());
    assert!(cut.iter().all(is_retryable), "{cut:?}");
    let again: Vec<Saved> = save_all().await.into_iter().map(Result::unwrap).collect();
    assert!(again.iter().all(|saved| !saved.is_new));
    assert_eq!(kept(&engine).await, (SAVES + 1).to_string());
}
