//! A server on this machine that speaks OpenAI's protocol, with models that are simple to foresee.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// How many numbers its vectors have.
const DIMENSIONS: usize = 64;

/// What a chat model answers to a prompt: a status and a text.
type Chat = dyn Fn(&str) -> (u16, String) + Send + Sync;

/// A server that runs until the test ends.
pub(crate) struct Server {
    address: String,
    embedded: Arc<Mutex<Vec<String>>>,
    prompts: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Starts one whose chat model answers with what `chat` makes of a prompt.
    pub(crate) fn start(chat: impl Fn(&str) -> (u16, String) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self {
            address: listener.local_addr().unwrap().to_string(),
            embedded: Arc::default(),
            prompts: Arc::default(),
        };
        let (embedded, prompts) = (Arc::clone(&server.embedded), Arc::clone(&server.prompts));
        let chat: Arc<Chat> = Arc::new(chat);
        thread::spawn(move || {
            let has_made_slowly: Arc<Mutex<bool>> = Arc::default();
            for stream in listener.incoming().flatten() {
                let (embedded, prompts) = (Arc::clone(&embedded), Arc::clone(&prompts));
                let (chat, made) = (Arc::clone(&chat), Arc::clone(&has_made_slowly));
                thread::spawn(move || serve(&stream, &embedded, &prompts, &made, &*chat));
            }
        });
        server
    }

    /// Returns the name of a model on it.
    pub(crate) fn model(&self, name: &str) -> String {
        format!("http://{}/v1#{name}", self.address)
    }

    /// Returns the texts of which vectors were made, and forgets them.
    pub(crate) fn take_embedded(&self) -> Vec<String> {
        std::mem::take(&mut *self.embedded.lock().unwrap())
    }

    /// Returns the prompts that were answered.
    pub(crate) fn prompts(&self) -> Vec<String> {
        self.prompts.lock().unwrap().clone()
    }
}

/// Answers the requests of a connection. The model `slow` makes vectors for one request after a while, and for no
/// other one; `picky` refuses texts about kumquats.
fn serve(
    stream: &TcpStream,
    embedded: &Mutex<Vec<String>>,
    prompts: &Mutex<Vec<String>>,
    has_made_slowly: &Mutex<bool>,
    chat: &Chat,
) {
    let mut reader = BufReader::new(stream);
    while let Some((path, body)) = request(&mut reader) {
        let (status, answer) = if path.ends_with("/embeddings") {
            let texts = body["input"].as_array().unwrap().iter();
            let texts: Vec<_> = texts.map(|text| text.as_str().unwrap()).collect();
            if body["model"] == "slow" && texts.len() > 1 {
                // Others wait for the lock of the second.
                let mut has_made_slowly = has_made_slowly.lock().unwrap();
                if *has_made_slowly {
                    wait_for_ever();
                }
                *has_made_slowly = true;
                thread::sleep(Duration::from_millis(1500));
            }
            if body["model"] == "picky" && texts.iter().any(|text| text.contains("kumquat")) {
                (400, json!({"error": {"message": "the text is too long"}}))
            } else {
                let taken = texts.iter().map(ToString::to_string);
                embedded.lock().unwrap().extend(taken);
                (200, embeddings(&texts))
            }
        } else if path.ends_with("/rerank") {
            let texts = body["documents"].as_array().unwrap();
            let texts: Vec<_> = texts
                .iter()
                .map(|text| text.as_str().unwrap().to_owned())
                .collect();
            let answer = scores(body["model"].as_str().unwrap(), texts.len());
            embedded.lock().unwrap().extend(texts);
            (200, answer)
        } else {
            let messages = body["messages"].as_array().unwrap();
            let prompt = messages.last().unwrap()["content"].as_str().unwrap();
            prompts.lock().unwrap().push(prompt.to_owned());
            let (status, text) = chat(prompt);
            let message = json!({"role": "assistant", "content": text});
            (
                status,
                json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}),
            )
        };
        let answer = answer.to_string();
        let head = format!(
            "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\nretry-after: 0\r\n\
             content-length: {}\r\n\r\n",
            answer.len()
        );
        if (&mut &*stream)
            .write_all((head + &answer).as_bytes())
            .is_err()
        {
            return;
        }
    }
}

/// Reads a request: its path and its JSON.
fn request(reader: &mut BufReader<&TcpStream>) -> Option<(String, Value)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let header = header.trim_end().to_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).ok()?))
}

/// Makes a vector out of which words stand in a text.
pub(crate) fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.01; DIMENSIONS];
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    for word in words {
        let letters = word.to_lowercase().bytes().fold(7usize, |hash, byte| {
            hash.wrapping_mul(31).wrapping_add(byte.into())
        });
        vector[letters % DIMENSIONS] += 1.0;
    }
    vector
}

fn embeddings(texts: &[&str]) -> Value {
    let data = texts.iter().enumerate();
    let data = data.map(|(index, text)| json!({"index": index, "embedding": vector(text)}));
    json!({"data": data.collect::<Vec<_>>()})
}

/// Waits for longer than any test.
fn wait_for_ever() -> ! {
    loop {
        thread::park();
    }
}

/// Scores texts by their place, the last one best: in time, never, or too few.
fn scores(model: &str, texts: usize) -> Value {
    if model == "slow" {
        wait_for_ever();
    }
    let texts = if model == "wrong" { 1 } else { texts };
    let results = (0..texts).map(|index| json!({"index": index, "relevance_score": index}));
    json!({"results": results.collect::<Vec<_>>()})
}
