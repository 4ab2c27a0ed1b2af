//! A server that nobody can keep busy: so many connections, so much time for each.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// The most connections; others wait until one ends.
const MOST_CONNECTIONS: usize = 128;

/// How long a client may take to send the head of a request, and to begin the next one.
const HEAD_TIME: Duration = Duration::from_secs(20);

/// How long requests that are being answered may take when the server is told to end.
const LAST_TIME: Duration = Duration::from_secs(5);

/// How long to wait when the system has no more connections to give.
const PAUSE: Duration = Duration::from_millis(200);

/// Answers requests until `end` is there, and then ends those that are being answered.
pub async fn serve(listener: TcpListener, router: Router, end: impl Future<Output = ()>) {
    let (ending, is_ending) = watch::channel(());
    let permits = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut connections = JoinSet::new();
    tokio::pin!(end);
    loop {
        let permit = Arc::clone(&permits).acquire_owned();
        let stream = async { (permit.await, listener.accept().await) };
        tokio::select! {
            (permit, accepted) = stream => match accepted {
                Ok((stream, _)) => {
                    let connection = connection(stream, router.clone(), is_ending.clone());
                    connections.spawn(async move {
                        connection.await;
                        drop(permit);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot take a connection");
                    tokio::time::sleep(PAUSE).await;
                }
            },
            Some(_) = connections.join_next() => {}
            () = &mut end => break,
        }
    }
    drop(listener);
    drop(ending);
    let all = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(LAST_TIME, all).await.is_err() {
        tracing::warn!("requests were still being answered");
    }
}

/// Answers the requests of a connection.
async fn connection(stream: TcpStream, router: Router, mut is_ending: watch::Receiver<()>) {
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = &mut connection => ended,
        // The sender says nothing; it is dropped when the server ends.
        _ = is_ending.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}
