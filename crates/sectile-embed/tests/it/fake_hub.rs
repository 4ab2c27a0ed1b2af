//! A hub on this machine that has the paths and headers of Hugging Face's, and its faults.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ring::digest::{Digest, SHA1_FOR_LEGACY_USE_ONLY, SHA256, digest};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

pub(crate) const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";
pub(crate) const REPOSITORY: &str = "some-org/a-model";
pub(crate) const WEIGHTS: &str = "model.safetensors";

/// Long enough to be cut in the middle, and for progress to count.
const LENGTH: usize = 3 << 20;

pub(crate) fn hex(digest: &Digest) -> String {
    let mut text = String::new();
    for byte in digest.as_ref() {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}

pub(crate) fn weights() -> Vec<u8> {
    (0..LENGTH).map(|at| (at * 31 % 251) as u8).collect()
}

pub(crate) fn config() -> Value {
    json!({"model_type": "bert", "architectures": ["BertModel"]})
}

/// What a request was: its path, and of its headers the range and the key.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) range: Option<String>,
    pub(crate) key: Option<String>,
}

/// What the hub does wrong.
#[derive(Default)]
pub(crate) struct Faults {
    /// The connection is closed after so many bytes of the weights, so many times.
    pub(crate) cuts: AtomicUsize,
    /// Ranges are not known.
    pub(crate) has_no_ranges: bool,
    /// Every request has this status, with this code in a header.
    pub(crate) status: Option<(u16, &'static str)>,
    /// The weights are others than those that are listed.
    pub(crate) is_forged: AtomicBool,
    /// The weights are longer than listed.
    pub(crate) is_longer: bool,
    /// Nothing is said for so long.
    pub(crate) silence: Duration,
}

/// A hub, and the server of large files that it redirects to.
pub(crate) struct FakeHub {
    files: BTreeMap<&'static str, Vec<u8>>,
    pub(crate) faults: Faults,
    asked: Mutex<Vec<Asked>>,
    storage: u16,
}

impl FakeHub {
    pub(crate) async fn start(faults: Faults, config: &Value) -> (Arc<Self>, String) {
        let hub = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let storage = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let files = [
            ("config.json", config.to_string().into_bytes()),
            ("tokenizer.json", b"{}".to_vec()),
            ("README.md", b"# A model".to_vec()),
            (
                "1_Pooling/config.json",
                b"{\"pooling_mode\":\"mean\"}".to_vec(),
            ),
            (WEIGHTS, weights()),
        ];
        let fake = Arc::new(Self {
            files: files.into(),
            faults,
            asked: Mutex::default(),
            storage: storage.local_addr().unwrap().port(),
        });
        let url = format!("http://{}", hub.local_addr().unwrap());
        for listener in [hub, storage] {
            let fake = Arc::clone(&fake);
            tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let fake = Arc::clone(&fake);
                    // A client that gave up is no fault of the server.
                    tokio::spawn(async move { fake.answer(stream).await.unwrap_or_default() });
                }
            });
        }
        (fake, url)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn of_weights(&self) -> Vec<Asked> {
        let asked = self.asked().into_iter();
        asked
            .filter(|asked| asked.path.starts_with("/storage"))
            .collect()
    }

    /// Lists the files as the API of the hub does.
    fn info(&self) -> Value {
        let sibling = |(name, content): (&&str, &Vec<u8>)| {
            let object = [format!("blob {}\0", content.len()).as_bytes(), content].concat();
            let blob = hex(&digest(&SHA1_FOR_LEGACY_USE_ONLY, &object));
            let mut sibling = json!({"rfilename": name, "size": content.len(), "blobId": blob});
            if *name == WEIGHTS {
                let hash = hex(&digest(&SHA256, content));
                sibling["lfs"] = json!({"sha256": hash, "size": content.len(), "pointerSize": 134});
            }
            sibling
        };
        let siblings: Vec<Value> = self.files.iter().map(sibling).collect();
        json!({"id": REPOSITORY, "sha": COMMIT, "siblings": siblings})
    }

    async fn answer(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let asked = read(&mut stream).await?;
        self.asked.lock().unwrap().push(asked.clone());
        tokio::time::sleep(self.faults.silence).await;
        if let Some((status, code)) = self.faults.status {
            // A careless one repeats the token that it was sent.
            let message = "so says the hub to hf_secret";
            let headers = format!("x-error-code: {code}\r\nx-error-message: {message}\r\n");
            return reply(&mut stream, status, &headers, b"").await;
        }
        let path = asked.path.split('?').next().unwrap();
        if path.starts_with("/api/") {
            let body = self.info().to_string();
            return reply(&mut stream, 200, "", body.as_bytes()).await;
        }
        if path == "/storage" {
            return self.send(&mut stream, &asked).await;
        }
        let place = format!("/{REPOSITORY}/resolve/{COMMIT}/");
        match path
            .strip_prefix(&place)
            .and_then(|name| Some((name, self.files.get(name)?)))
        {
            Some((WEIGHTS, _)) => {
                let target = format!("http://127.0.0.1:{}/storage?signature=1", self.storage);
                let headers = format!("location: {target}\r\nx-linked-size: {LENGTH}\r\n");
                reply(&mut stream, 302, &headers, b"").await
            }
            Some((_, content)) => reply(&mut stream, 200, "", content).await,
            None => {
                reply(
                    &mut stream,
                    404,
                    "x-error-code: EntryNotFound\r\n",
                    b"no entry",
                )
                .await
            }
        }
    }

    /// Sends the weights, or some of them.
    async fn send(&self, stream: &mut TcpStream, asked: &Asked) -> std::io::Result<()> {
        let mut content = self.files[WEIGHTS].clone();
        if self.faults.is_forged.load(Ordering::SeqCst) {
            content[LENGTH / 2] ^= 1;
        }
        if self.faults.is_longer {
            content.push(0);
        }
        let range = asked
            .range
            .as_deref()
            .filter(|_| !self.faults.has_no_ranges);
        let from = range.map_or(0, |range| {
            let first = range.trim_start_matches("bytes=").trim_end_matches('-');
            first.parse().unwrap()
        });
        let (status, total) = (if from > 0 { 206 } else { 200 }, content.len());
        let headers = format!("content-range: bytes {from}-{}/{total}\r\n", total - 1);
        let cuts = &self.faults.cuts;
        let left = cuts.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |cuts| {
            cuts.checked_sub(1)
        });
        let end = if left.is_ok() {
            (from + LENGTH / 3).min(total)
        } else {
            total
        };
        let length = total - from;
        head(stream, status, &headers, length).await?;
        stream.write_all(&content[from..end]).await?;
        stream.shutdown().await
    }
}

async fn read(stream: &mut TcpStream) -> std::io::Result<Asked> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next_line().await?.unwrap_or_default();
    let mut headers = BTreeMap::new();
    while let Some(line) = lines.next_line().await?.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').unwrap();
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    Ok(Asked {
        path: first.split(' ').nth(1).unwrap_or_default().to_owned(),
        range: headers.remove("range"),
        key: headers.remove("authorization"),
    })
}

async fn head(
    stream: &mut TcpStream,
    status: u16,
    headers: &str,
    length: usize,
) -> std::io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status} Scripted\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n"
    );
    stream.write_all(head.as_bytes()).await
}

async fn reply(
    stream: &mut TcpStream,
    status: u16,
    headers: &str,
    body: &[u8],
) -> std::io::Result<()> {
    head(stream, status, headers, body.len()).await?;
    stream.write_all(body).await?;
    stream.shutdown().await
}
