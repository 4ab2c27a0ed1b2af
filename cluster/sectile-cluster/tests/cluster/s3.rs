//! A server that speaks as much of S3's protocol as the program asks for. Its objects are in memory, in one bucket.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};

use object_store::path::Path;
use url::Url;

/// Variables of the environment of a process.
pub(crate) type Environment = Vec<(&'static str, String)>;

/// The server, which runs until the test ends.
#[derive(Clone)]
pub(crate) struct Server {
    address: SocketAddr,
    bucket: Arc<Mutex<Bucket>>,
}

#[derive(Default)]
struct Bucket {
    objects: BTreeMap<String, Object>,
    /// The parts of uploads that are not complete.
    uploads: BTreeMap<String, BTreeMap<u32, Vec<u8>>>,
    /// How many changes there were.
    count: u64,
    changes: Vec<String>,
}

struct Object {
    bytes: Vec<u8>,
    /// The change that made it.
    change: u64,
}

impl Object {
    fn tag(&self) -> String {
        format!("\"{}\"", self.change)
    }

    /// Returns the time of its change: the first was at midnight, and one a second followed.
    fn time(&self) -> String {
        let (hours, minutes) = (self.change / 3600 % 24, self.change / 60 % 60);
        format!("{hours:02}:{minutes:02}:{:02}", self.change % 60)
    }
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let server = Self {
            address: listener.local_addr().expect("it has an address"),
            bucket: Arc::default(),
        };
        let serving = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let serving = serving.clone();
                std::thread::spawn(move || serving.serve(stream));
            }
        });
        server
    }

    /// Returns what processes need to know of it.
    pub(crate) fn environment(&self) -> Environment {
        vec![
            ("AWS_ENDPOINT", format!("http://{}", self.address)),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
            ("AWS_ACCESS_KEY_ID", "somebody".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "secret".to_owned()),
            ("NO_PROXY", "127.0.0.1".to_owned()),
        ]
    }

    pub(crate) fn put(&self, key: &str, bytes: &[u8]) {
        self.bucket().put(key, bytes.to_vec());
    }

    /// Returns the objects whose names begin with a prefix, by the rest of their names.
    pub(crate) fn objects(&self, prefix: &str) -> BTreeMap<String, Vec<u8>> {
        let bucket = self.bucket();
        let objects = bucket.objects.iter().filter_map(|(key, object)| {
            let name = key.strip_prefix(prefix)?;
            Some((name.to_owned(), object.bytes.clone()))
        });
        objects.collect()
    }

    /// Returns what was changed since this was asked last.
    pub(crate) fn changes(&self) -> Vec<String> {
        std::mem::take(&mut self.bucket().changes)
    }

    fn bucket(&self) -> MutexGuard<'_, Bucket> {
        self.bucket.lock().expect("no request failed")
    }

    /// Answers requests until there are no more.
    fn serve(&self, mut stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        loop {
            let request = Request::read(&mut reader)?;
            let answer = self.bucket().answer(&request);
            let mut head = format!("HTTP/1.1 {}\r\n", answer.status);
            for (name, value) in answer.headers {
                write!(head, "{name}: {value}\r\n").expect("there is room");
            }
            write!(head, "content-length: {}\r\n\r\n", answer.body.len()).expect("there is room");
            stream.write_all(head.as_bytes()).ok()?;
            if request.method != "HEAD" {
                stream.write_all(&answer.body).ok()?;
            }
        }
    }
}

struct Request {
    method: String,
    key: String,
    query: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Request {
    fn read(reader: &mut BufReader<TcpStream>) -> Option<Self> {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let mut words = line.split_whitespace();
        let (method, target) = (words.next()?.to_owned(), words.next()?);
        let url = Url::parse(&format!("http://server{target}")).ok()?;
        let path = decoded(url.path());
        let key = path.split_once('/').map_or("", |(_, key)| key);
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.split_once(':') else {
                break;
            };
            headers.insert(name.to_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length");
        let length = length.map_or(Some(0), |length| length.parse().ok())?;
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        Some(Self {
            method,
            key: key.to_owned(),
            query: url.query_pairs().into_owned().collect(),
            headers,
            body,
        })
    }

    fn asks(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// Returns the path of an address, which has the bucket at its beginning.
fn decoded(path: &str) -> String {
    let path = Path::from_url_path(path).expect("it is a path");
    path.to_string()
}

struct Answer {
    status: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Answer {
    fn of(status: &'static str) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    fn xml(text: String) -> Self {
        let body = text.into_bytes();
        Self {
            body,
            ..Self::of("200 OK")
        }
    }
}

impl Bucket {
    fn answer(&mut self, request: &Request) -> Answer {
        let key = &*request.key;
        match &*request.method {
            "GET" if key.is_empty() => self.list(request),
            "GET" | "HEAD" => self.get(request),
            "PUT" if request.asks("partNumber").is_some() => self.put_piece(request),
            "PUT" => self.put_object(request),
            "POST" if request.asks("delete").is_some() => self.delete(request),
            "POST" if request.asks("uploads").is_some() => {
                self.count += 1;
                let id = self.count.to_string();
                self.uploads.insert(id.clone(), BTreeMap::new());
                Answer::xml(format!("<R><UploadId>{id}</UploadId></R>"))
            }
            "POST" => {
                let pieces = self
                    .uploads
                    .remove(request.asks("uploadId").unwrap_or_default());
                let pieces = pieces.expect("it was begun").into_values();
                let tag = self.put(key, pieces.flatten().collect());
                self.changes.push(format!("UPLOAD {key}"));
                Answer::xml(format!("<R><ETag>{tag}</ETag></R>"))
            }
            "DELETE" => Answer::of("204 No Content"),
            method => panic!("{method} {key}"),
        }
    }

    /// Puts an object and returns its tag.
    fn put(&mut self, key: &str, bytes: Vec<u8>) -> String {
        self.count += 1;
        let object = Object {
            bytes,
            change: self.count,
        };
        let tag = object.tag();
        self.objects.insert(key.to_owned(), object);
        tag
    }

    fn put_object(&mut self, request: &Request) -> Answer {
        let key = &*request.key;
        if let Some(source) = request.header("x-amz-copy-source") {
            let source = decoded(source);
            let (_, source) = source.split_once('/').expect("it has a bucket");
            let Some(object) = self.objects.get(source) else {
                return Answer::of("404 Not Found");
            };
            let bytes = object.bytes.clone();
            let tag = self.put(key, bytes);
            self.changes.push(format!("COPY {key}"));
            return Answer::xml(format!("<R><ETag>{tag}</ETag></R>"));
        }
        let known = self.objects.get(key).map(Object::tag);
        let is_new = request.header("if-none-match").is_none() || known.is_none();
        let tag = request.header("if-match");
        if !is_new || tag.is_some_and(|tag| known.as_deref() != Some(tag)) {
            return Answer::of("412 Precondition Failed");
        }
        let tag = self.put(key, request.body.clone());
        self.changes.push(format!("PUT {key}"));
        let mut answer = Answer::of("200 OK");
        answer.headers.push(("etag", tag));
        answer
    }

    fn put_piece(&mut self, request: &Request) -> Answer {
        let id = request.asks("uploadId").unwrap_or_default();
        let number = request.asks("partNumber").unwrap_or_default();
        let number = number.parse().expect("it is a number");
        let pieces = self.uploads.get_mut(id).expect("it was begun");
        pieces.insert(number, request.body.clone());
        let mut answer = Answer::of("200 OK");
        answer.headers.push(("etag", format!("\"{id}-{number}\"")));
        answer
    }

    fn delete(&mut self, request: &Request) -> Answer {
        let text = String::from_utf8_lossy(&request.body);
        let keys = text.split("<Key>").skip(1);
        let mut deleted = String::new();
        for key in keys.filter_map(|rest| rest.split("</Key>").next()) {
            self.objects.remove(key);
            self.changes.push(format!("DELETE {key}"));
            write!(deleted, "<Deleted><Key>{key}</Key></Deleted>").expect("there is room");
        }
        Answer::xml(format!("<DeleteResult>{deleted}</DeleteResult>"))
    }

    fn get(&self, request: &Request) -> Answer {
        let Some(object) = self.objects.get(&request.key) else {
            return Answer::of("404 Not Found");
        };
        let length = object.bytes.len();
        let range = request.header("range").map(|range| {
            let (from, to) = range
                .trim_start_matches("bytes=")
                .split_once('-')
                .expect("it is a range");
            let number = |text: &str| text.parse::<usize>().ok();
            match (number(from), number(to)) {
                (None, last) => length - last.unwrap_or(0).min(length)..length,
                (Some(from), to) => from..to.map_or(length, |to| length.min(to + 1)),
            }
        });
        let mut answer = Answer::of("200 OK");
        if let Some(range) = &range {
            let (from, to) = (range.start, range.end - 1);
            answer.status = "206 Partial Content";
            let value = format!("bytes {from}-{to}/{length}");
            answer.headers.push(("content-range", value));
        }
        answer.body = object.bytes[range.unwrap_or(0..length)].to_vec();
        answer.headers.push(("etag", object.tag()));
        let time = format!("Fri, 27 Nov 2026 {} GMT", object.time());
        answer.headers.push(("last-modified", time));
        answer
    }

    fn list(&self, request: &Request) -> Answer {
        let prefix = request.asks("prefix").unwrap_or_default();
        let mut text = String::new();
        let mut folders = Vec::new();
        for (key, object) in &self.objects {
            let Some(name) = key.strip_prefix(prefix) else {
                continue;
            };
            let folder = name.split_once('/').map(|(folder, _)| folder);
            if let Some(folder) = folder.filter(|_| request.asks("delimiter").is_some()) {
                folders.push(format!("{prefix}{folder}/"));
                continue;
            }
            write!(text,
                "<Contents><Key>{key}</Key><LastModified>2026-11-27T{}Z</LastModified><ETag>{}</ETag><Size>{}</Size></Contents>",
                object.time(),
                object.tag(),
                object.bytes.len()
            ).expect("there is room");
        }
        folders.dedup();
        for folder in folders {
            write!(
                text,
                "<CommonPrefixes><Prefix>{folder}</Prefix></CommonPrefixes>"
            )
            .expect("there is room");
        }
        Answer::xml(format!("<ListBucketResult>{text}</ListBucketResult>"))
    }
}
