//! A web server on this machine that answers as it is told and remembers what it was asked.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// A server that runs until the test ends.
#[derive(Clone)]
pub(crate) struct Server {
    port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    answers: HashMap<String, Vec<Answer>>,
    otherwise: Option<Answer>,
    requests: Vec<Request>,
}

/// What was asked, and the status of the answer.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: HashMap<String, String>,
    pub(crate) status: u16,
}

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    manner: Manner,
}

#[derive(Clone, Copy, Debug)]
enum Manner {
    /// With its length.
    Whole,
    /// In chunks, for as long as anybody reads.
    Endless,
    /// With a greater length than it has.
    Truncated,
    /// Without a length: it ends where the connection does.
    Unmeasured,
    /// A byte now and then.
    Dripping,
}

impl Answer {
    pub(crate) fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![("content-type".into(), content_type.into())],
            body: body.into(),
            manner: Manner::Whole,
        }
    }

    /// Leads to another address for now.
    pub(crate) fn redirect(to: &str) -> Self {
        Self::new(302, "text/html", "elsewhere").with("location", to)
    }

    /// Leads to another address for good.
    pub(crate) fn moved(to: &str) -> Self {
        Self::new(301, "text/html", "moved").with("location", to)
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn endless(mut self) -> Self {
        self.manner = Manner::Endless;
        self
    }

    pub(crate) fn truncated(mut self) -> Self {
        self.manner = Manner::Truncated;
        self
    }

    pub(crate) fn unmeasured(mut self) -> Self {
        self.manner = Manner::Unmeasured;
        self
    }

    pub(crate) fn dripping(mut self) -> Self {
        self.manner = Manner::Dripping;
        self
    }
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            port: listener.local_addr().unwrap().port(),
            state: Arc::default(),
        };
        let state = Arc::clone(&server.state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&state);
                // Who goes away early has seen enough.
                thread::spawn(move || serve(&stream, &state).ok());
            }
        });
        server
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Answers a path with an answer.
    pub(crate) fn answer(&self, path: &str, answer: Answer) {
        self.answers(path, vec![answer]);
    }

    /// Answers a path with one answer after the other, and on with the last.
    pub(crate) fn answers(&self, path: &str, mut answers: Vec<Answer>) {
        answers.reverse();
        self.state
            .lock()
            .unwrap()
            .answers
            .insert(path.into(), answers);
    }

    /// Answers a path with a text, which is not sent to whoever has it.
    pub(crate) fn text(&self, path: &str, content_type: &str, text: &str) {
        let sum = text.bytes().fold(7_u64, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(byte.into())
        });
        let answer = Answer::new(200, content_type, text);
        self.answer(path, answer.with("etag", &format!("\"{sum:x}\"")));
    }

    pub(crate) fn markdown(&self, path: &str, text: &str) {
        self.text(path, "text/markdown; charset=utf-8", text);
    }

    pub(crate) fn html(&self, path: &str, text: &str) {
        self.text(path, "text/html", text);
    }

    /// Answers all other paths with an answer.
    #[allow(
        dead_code,
        reason = "one of the two suites that have this file needs it"
    )]
    pub(crate) fn otherwise(&self, answer: Answer) {
        self.state.lock().unwrap().otherwise = Some(answer);
    }

    pub(crate) fn remove(&self, path: &str) {
        self.state.lock().unwrap().answers.remove(path);
    }

    /// Returns what was asked, and forgets it.
    pub(crate) fn take_requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.state.lock().unwrap().requests)
    }

    /// Returns what was asked as `200 /path`, in order, and forgets it.
    pub(crate) fn take_log(&self) -> Vec<String> {
        let requests = self.take_requests().into_iter();
        requests
            .map(|request| format!("{} {}", request.status, request.path))
            .collect()
    }
}

fn serve(stream: &TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.trim_end().split_once(':') {
            headers.insert(name.to_lowercase(), value.trim().to_owned());
        }
    }
    let answer = {
        let mut state = state.lock().unwrap();
        let answer = match state.answers.get_mut(&path) {
            Some(answers) if answers.len() > 1 => answers.pop().unwrap(),
            Some(answers) => answers[0].clone(),
            None => {
                let missing = || Answer::new(404, "text/html", "<!doctype html><p>not here");
                state.otherwise.clone().unwrap_or_else(missing)
            }
        };
        let answer = conditional(answer, &headers);
        let status = answer.status;
        state.requests.push(Request {
            path,
            headers,
            status,
        });
        answer
    };
    send(stream, answer)
}

/// Answers as RFC 9110 says where the client has the version already.
fn conditional(answer: Answer, headers: &HashMap<String, String>) -> Answer {
    let has = |name: &str, condition: &str| {
        let known = answer.headers.iter().find(|(header, _)| header == name);
        known.is_some_and(|(_, value)| headers.get(condition) == Some(value))
    };
    if has("etag", "if-none-match") || has("last-modified", "if-modified-since") {
        return Answer::new(304, "", "");
    }
    answer
}

fn send(mut stream: &TcpStream, answer: Answer) -> std::io::Result<()> {
    let Answer {
        status,
        headers,
        body,
        manner,
    } = answer;
    let mut head = format!("HTTP/1.1 {status} Scripted\r\nconnection: close\r\n");
    let length = match manner {
        Manner::Whole | Manner::Dripping => format!("content-length: {}\r\n", body.len()),
        Manner::Truncated => format!("content-length: {}\r\n", body.len() + 9),
        Manner::Unmeasured => String::new(),
        Manner::Endless => "transfer-encoding: chunked\r\n".to_owned(),
    };
    for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
        head += name;
        head += ": ";
        head += value;
        head += "\r\n";
    }
    head += &length;
    head += "\r\n";
    stream.write_all(head.as_bytes())?;
    match manner {
        Manner::Whole | Manner::Truncated | Manner::Unmeasured => stream.write_all(&body),
        Manner::Endless => loop {
            stream.write_all(format!("{:x}\r\n", body.len()).as_bytes())?;
            stream.write_all(&body)?;
            stream.write_all(b"\r\n")?;
        },
        Manner::Dripping => body.iter().try_for_each(|byte| {
            thread::sleep(Duration::from_millis(20));
            stream.write_all(&[*byte])
        }),
    }
}
