//! A server that answers by a script and keeps what it was asked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Barrier;

/// What the server was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The method, the path and the headers.
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Asked {
    pub(crate) fn path(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().skip(1);
        lines.find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    /// Returns the texts of a request for vectors.
    pub(crate) fn texts(&self) -> Vec<&str> {
        let input = self.body["input"].as_array().unwrap();
        input.iter().map(|text| text.as_str().unwrap()).collect()
    }
}

/// What the server answers.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    status: u16,
    headers: String,
    body: Vec<u8>,
    delay: Duration,
    /// What it waits for, before the delay.
    barrier: Option<Arc<Barrier>>,
    /// Bytes that are promised and not sent.
    missing: usize,
}

impl Reply {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: String::new(),
            body: body.into(),
            delay: Duration::ZERO,
            barrier: None,
            missing: 0,
        }
    }

    pub(crate) fn json(body: &Value) -> Self {
        Self::new(200, body.to_string())
    }

    pub(crate) fn with_header(mut self, header: &str) -> Self {
        self.headers += header;
        self.headers += "\r\n";
        self
    }

    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Holds the reply until as many requests are under way as a barrier needs.
    pub(crate) fn together(mut self, barrier: &Arc<Barrier>) -> Self {
        self.barrier = Some(Arc::clone(barrier));
        self
    }

    pub(crate) fn cut(mut self) -> Self {
        self.missing = 1;
        self
    }
}

type Script = dyn Fn(usize, &Asked) -> Reply + Send + Sync;

struct State {
    script: Box<Script>,
    asked: Mutex<Vec<Asked>>,
    now: AtomicUsize,
    most: AtomicUsize,
}

/// A server on a port of this machine, for as long as the test's runtime.
pub(crate) struct Server {
    state: Arc<State>,
    port: u16,
}

impl Server {
    /// Answers by a function of the number of the request and the request.
    pub(crate) async fn start(
        script: impl Fn(usize, &Asked) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State {
            script: Box::new(script),
            asked: Mutex::default(),
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        });
        tokio::spawn(accept(listener, Arc::clone(&state)));
        Self { state, port }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap().clone()
    }

    /// Returns how many requests were under way at once, at most.
    pub(crate) fn most_at_once(&self) -> usize {
        self.state.most.load(Ordering::SeqCst)
    }
}

async fn accept(listener: TcpListener, state: Arc<State>) {
    while let Ok((stream, _)) = listener.accept().await {
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            // A client that gave up has closed the connection, which is no fault of the server.
            let _gone = answer(stream, &state).await;
        });
    }
}

async fn answer(mut stream: TcpStream, state: &State) -> std::io::Result<()> {
    let asked = read(&mut stream).await?;
    let number = {
        let mut all = state.asked.lock().unwrap();
        all.push(asked.clone());
        all.len() - 1
    };
    let now = state.now.fetch_add(1, Ordering::SeqCst) + 1;
    state.most.fetch_max(now, Ordering::SeqCst);
    let reply = (state.script)(number, &asked);
    if let Some(barrier) = &reply.barrier {
        barrier.wait().await;
    }
    tokio::time::sleep(reply.delay).await;
    state.now.fetch_sub(1, Ordering::SeqCst);
    write(&mut stream, &reply).await
}

async fn read(stream: &mut TcpStream) -> std::io::Result<Asked> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end;
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    };
    let mut asked = Asked {
        head: String::from_utf8_lossy(&bytes[..end]).into_owned(),
        body: Value::Null,
    };
    let length: usize = asked.header("content-length").unwrap().parse().unwrap();
    let mut body = bytes.split_off(end + 4);
    let read = body.len();
    body.resize(length, 0);
    stream.read_exact(&mut body[read..]).await?;
    asked.body = serde_json::from_slice(&body).unwrap();
    Ok(asked)
}

async fn write(stream: &mut TcpStream, reply: &Reply) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {} Scripted\r\nconnection: close\r\ncontent-length: {}\r\n{}\r\n",
        reply.status,
        reply.body.len() + reply.missing,
        reply.headers
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&reply.body).await?;
    stream.shutdown().await
}
