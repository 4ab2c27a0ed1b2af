//! An HTTP server that clients cannot exhaust: it limits the number of connections and the time of
//! each.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio_io_timeout::TimeoutStream;

/// The limits for clients.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// The most connections; others wait until one ends.
    connections: usize,
    /// How long a client may take to send the head of a request, and to begin the next one.
    head_time: Duration,
    /// How long a client may take nothing of an answer.
    write_time: Duration,
    /// The time limit for requests in progress when the server shuts down.
    last_time: Duration,
    /// How long answers to those that took longer may take.
    late_time: Duration,
}

const LIMITS: Limits = Limits {
    connections: 128,
    head_time: Duration::from_secs(20),
    write_time: Duration::from_secs(30),
    last_time: Duration::from_secs(5),
    late_time: Duration::from_secs(1),
};

/// The pause before the next attempt to accept a connection, after the system refused one.
const PAUSE: Duration = Duration::from_millis(200);

/// Answers requests until `end` completes. Requests in progress then have 5 seconds. If any is left after that, `late`
/// is called, and they have another second to answer with an error.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    end: impl Future<Output = ()>,
    late: impl FnOnce(),
) {
    serve_within(listener, router, end, late, LIMITS).await;
}

async fn serve_within(
    listener: TcpListener,
    router: Router,
    end: impl Future<Output = ()>,
    late: impl FnOnce(),
    limits: Limits,
) {
    let (ending, is_ending) = watch::channel(());
    let permits = Arc::new(Semaphore::new(limits.connections));
    let mut connections = JoinSet::new();
    tokio::pin!(end);
    loop {
        let permit = Arc::clone(&permits).acquire_owned();
        let stream = async { (permit.await, listener.accept().await) };
        tokio::select! {
            (permit, accepted) = stream => match accepted {
                Ok((stream, _)) => {
                    let (router, is_ending) = (router.clone(), is_ending.clone());
                    let connection = connection(stream, router, is_ending, limits);
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
    if have_ended(&mut connections, limits.last_time).await {
        return;
    }
    late();
    if !have_ended(&mut connections, limits.late_time).await {
        tracing::warn!("requests were still being answered");
    }
}

/// Waits for connections to end, and returns whether all did in time.
async fn have_ended(connections: &mut JoinSet<()>, time: Duration) -> bool {
    let all = async { while connections.join_next().await.is_some() {} };
    tokio::time::timeout(time, all).await.is_ok()
}

/// Answers the requests of a connection.
async fn connection(
    stream: TcpStream,
    router: Router,
    mut is_ending: watch::Receiver<()>,
    limits: Limits,
) {
    let mut stream = Box::pin(TimeoutStream::new(stream));
    stream
        .as_mut()
        .set_write_timeout_pinned(Some(limits.write_time));
    let service = TowerToHyperService::new(router);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
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

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::atomic::AtomicUsize;
    use std::sync::atomic::Ordering::SeqCst;

    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::sync::{Notify, oneshot};
    use tokio::task::JoinHandle;

    use super::*;

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    struct Served {
        address: SocketAddr,
        /// Says that a request is being answered.
        asked: Arc<Notify>,
        /// Answers to `/` wait for it.
        go: Arc<Notify>,
        /// How many requests were being answered at once.
        most: Arc<AtomicUsize>,
        end: oneshot::Sender<()>,
        /// Says that the time for requests in progress is over.
        late: Arc<Notify>,
        server: JoinHandle<()>,
    }

    async fn served(limits: Limits) -> Served {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let (say, wait) = (Arc::clone(&asked), Arc::clone(&go));
        let (inside, most) = (AtomicUsize::new(0), Arc::new(AtomicUsize::new(0)));
        let (inside, seen) = (Arc::new(inside), Arc::clone(&most));
        let answer = async move || {
            seen.fetch_max(inside.fetch_add(1, SeqCst) + 1, SeqCst);
            say.notify_one();
            wait.notified().await;
            inside.fetch_sub(1, SeqCst);
            "answered"
        };
        let router = Router::new().route("/", get(answer));
        let (end, ended) = oneshot::channel();
        let ended = async move {
            let _ = ended.await;
        };
        let late = Arc::new(Notify::new());
        let tell = Arc::clone(&late);
        let tell = move || tell.notify_one();
        let server = tokio::spawn(serve_within(listener, router, ended, tell, limits));
        Served {
            address,
            asked,
            go,
            most,
            end,
            late,
            server,
        }
    }

    async fn asked(address: SocketAddr, request: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(request).await.unwrap();
        stream
    }

    async fn answer(mut stream: TcpStream) -> String {
        let mut answer = String::new();
        // A connection that is let go may be reset.
        let _ = stream.read_to_string(&mut answer).await;
        answer
    }

    #[tokio::test]
    async fn a_client_that_does_not_send_its_head_is_let_go() {
        let limits = Limits {
            head_time: Duration::from_millis(50),
            ..LIMITS
        };
        let served = served(limits).await;
        for sent in ["", "GET / HTTP/1.1\r\nHost: loc"] {
            let stream = asked(served.address, sent.as_bytes()).await;
            assert!(!answer(stream).await.contains("answered"));
        }
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_let_go() {
        let limits = Limits {
            write_time: Duration::from_millis(50),
            ..LIMITS
        };
        let served = served(limits).await;
        let mut stream = TcpStream::connect(served.address).await.unwrap();
        // Requests without end, whose answers fill what the system keeps for them.
        let endless = async {
            let requests = b"GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1_000);
            while stream.write_all(&requests).await.is_ok() {}
        };
        endless.await;
    }

    #[tokio::test]
    async fn clients_beyond_the_limit_wait_for_their_turn() {
        let limits = Limits {
            connections: 2,
            ..LIMITS
        };
        let served = served(limits).await;
        let mut clients = Vec::new();
        for _ in 0..5 {
            clients.push(asked(served.address, REQUEST).await);
        }
        while served.most.load(SeqCst) < 2 {
            tokio::task::yield_now().await;
        }
        for client in clients {
            served.go.notify_one();
            assert!(answer(client).await.ends_with("answered"));
        }
        assert_eq!(served.most.load(SeqCst), 2);
    }

    #[tokio::test]
    async fn a_server_that_ends_finishes_what_it_is_asked_and_takes_no_more() {
        let served = served(LIMITS).await;
        let client = asked(served.address, REQUEST).await;
        served.asked.notified().await;
        // One that was only opened is not waited for.
        let _idle = asked(served.address, b"").await;
        let (first, second) = (answer(client), async {
            served.end.send(()).unwrap();
            while TcpStream::connect(served.address).await.is_ok() {
                tokio::task::yield_now().await;
            }
            served.go.notify_one();
        });
        let (first, ()) = tokio::join!(first, second);
        assert!(first.ends_with("answered"), "{first}");
        served.server.await.unwrap();
    }

    #[tokio::test]
    async fn what_takes_too_long_when_the_server_ends_is_told_and_can_answer() {
        let limits = Limits {
            last_time: Duration::from_millis(50),
            late_time: Duration::from_mins(1),
            ..LIMITS
        };
        let served = served(limits).await;
        let client = asked(served.address, REQUEST).await;
        served.asked.notified().await;
        served.end.send(()).unwrap();
        served.late.notified().await;
        served.go.notify_one();
        assert!(answer(client).await.ends_with("answered"));
        served.server.await.unwrap();
    }

    #[tokio::test]
    async fn a_server_that_ends_does_not_wait_for_ever() {
        let limits = Limits {
            last_time: Duration::from_millis(50),
            late_time: Duration::from_millis(50),
            ..LIMITS
        };
        let served = served(limits).await;
        let client = asked(served.address, REQUEST).await;
        served.asked.notified().await;
        served.end.send(()).unwrap();
        served.server.await.unwrap();
        assert!(!answer(client).await.contains("answered"));
    }
}
