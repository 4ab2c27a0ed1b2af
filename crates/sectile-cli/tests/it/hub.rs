//! Models that are added from a hub on this machine, and the rerankers of a server.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::server::Server;
use super::workplace::Workplace;

const COMMIT: &str = "89abcdef0123456789abcdef0123456789abcdef";
const SIZE: usize = 8;
const WORDS: [&str; 8] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "plugins", "go", "release", "the",
];

/// A hub with one model, a BERT with one layer and eight numbers a token.
pub(crate) struct Hub {
    pub(crate) endpoint: String,
}

impl Hub {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let files = Arc::new(files());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let files = Arc::clone(&files);
                thread::spawn(move || answer(&stream, &files));
            }
        });
        Self { endpoint }
    }

    fn add(&self, place: &Workplace, model: &str) -> String {
        place.stdout(&["model", "add", model, "--endpoint", &self.endpoint])
    }
}

type Files = BTreeMap<&'static str, Vec<u8>>;

fn answer(stream: &TcpStream, files: &Files) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let path = lines.next().unwrap_or_default();
    let path = path.split(' ').nth(1).unwrap_or_default().to_owned();
    for _ in lines.by_ref().take_while(|line| !line.is_empty()) {}
    let (status, body) = if path.starts_with("/api/models/some-org/tiny/") {
        (200, listing(files).to_string().into_bytes())
    } else {
        let place = format!("/some-org/tiny/resolve/{COMMIT}/");
        let content = path.strip_prefix(&place).and_then(|name| files.get(name));
        content.map_or((404, Vec::new()), |content| (200, content.clone()))
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status} Scripted\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    // A client that has gone wants no answer.
    let _ = (&mut &*stream).write_all(&[head.into_bytes(), body].concat());
}

fn listing(files: &Files) -> Value {
    let sibling = |(name, content): (&&str, &Vec<u8>)| {
        let mut hash = String::new();
        for byte in Sha256::digest(content) {
            write!(hash, "{byte:02x}").unwrap();
        }
        json!({"rfilename": name, "lfs": {"sha256": hash, "size": content.len()}})
    };
    json!({"sha": COMMIT, "siblings": files.iter().map(sibling).collect::<Vec<_>>()})
}

fn files() -> Files {
    let vocabulary: BTreeMap<&str, usize> = WORDS.into_iter().zip(0..).collect();
    let config = json!({
        "model_type": "bert", "architectures": ["BertModel"], "hidden_act": "gelu",
        "hidden_size": SIZE, "intermediate_size": SIZE, "layer_norm_eps": 1e-12,
        "max_position_embeddings": 512, "num_attention_heads": 2, "num_hidden_layers": 1,
        "type_vocab_size": 2, "vocab_size": WORDS.len(),
    });
    let tokenizer = json!({
        "version": "1.0", "added_tokens": [], "decoder": null,
        "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary,
        },
    });
    [
        ("config.json", config.to_string().into_bytes()),
        ("tokenizer.json", tokenizer.to_string().into_bytes()),
        (
            "1_Pooling/config.json",
            json!({"pooling_mode": "mean"}).to_string().into_bytes(),
        ),
        ("model.safetensors", weights()),
    ]
    .into()
}

/// Writes the tensors as safetensors has them: a length, where each stands, and the numbers.
fn weights() -> Vec<u8> {
    let layer = "encoder.layer.0";
    let mut shapes = vec![
        (
            "embeddings.word_embeddings.weight".to_owned(),
            vec![WORDS.len(), SIZE],
        ),
        (
            "embeddings.position_embeddings.weight".to_owned(),
            vec![512, SIZE],
        ),
        (
            "embeddings.token_type_embeddings.weight".to_owned(),
            vec![2, SIZE],
        ),
    ];
    for name in [
        "attention.self.query",
        "attention.self.key",
        "attention.self.value",
        "attention.output.dense",
        "intermediate.dense",
        "output.dense",
    ] {
        shapes.push((format!("{layer}.{name}.weight"), vec![SIZE, SIZE]));
        shapes.push((format!("{layer}.{name}.bias"), vec![SIZE]));
    }
    let norms = [
        "embeddings",
        "encoder.layer.0.attention.output",
        "encoder.layer.0.output",
    ];
    for name in norms {
        shapes.push((format!("{name}.LayerNorm.weight"), vec![SIZE]));
        shapes.push((format!("{name}.LayerNorm.bias"), vec![SIZE]));
    }
    let (mut places, mut numbers) = (serde_json::Map::new(), Vec::<u8>::new());
    for (name, shape) in shapes {
        let start = numbers.len();
        for at in 0..shape.iter().product::<usize>() {
            let number = ((start + at * 37) % 101) as f32 / 101.0 - 0.5;
            numbers.extend(number.to_le_bytes());
        }
        let place = json!({"dtype": "F32", "shape": shape, "data_offsets": [start, numbers.len()]});
        places.insert(name, place);
    }
    let header = Value::Object(places).to_string().into_bytes();
    let length = (header.len() as u64).to_le_bytes();
    [&length, &*header, &*numbers].concat()
}

fn legs(hits: &Value) -> Vec<&str> {
    let legs = hits[0]["legs"].as_array().unwrap().iter();
    legs.map(|leg| leg["name"].as_str().unwrap()).collect()
}

#[test]
fn an_added_model_needs_no_other_word() {
    let (place, hub) = (Workplace::new(), Hub::start());
    let hybrid = [
        "search",
        "where do plugins go?",
        "--mode",
        "hybrid",
        "--json",
    ];
    let said = place.stderr(&hybrid, 2);
    assert!(
        said.contains("sectile model add all-MiniLM-L6-v2"),
        "{said}"
    );
    let added = hub.add(&place, "some-org/tiny");
    assert!(
        added.contains("tiny") && added.contains("89abcde"),
        "{added}"
    );
    // Documents that were there before get their vectors with the first question.
    place.stdout(&["ingest", "docs"]);
    assert_eq!(legs(&place.json(&hybrid)), ["text", "vector"]);
    let status = place.stdout(&["status"]);
    assert!(status.contains("tiny@"), "{status}");
    // What is new gets its own, as the collection has them of that model.
    place.write("docs/new.md", "# New\n\nPears.\n");
    let ingested = place.stdout(&["ingest", "docs"]);
    assert!(ingested.contains("1 vector made"), "{ingested}");
    let other = Workplace::new();
    hub.add(&other, "some-org/tiny");
    let with_files = [&hybrid[..], &["--in", "docs"]].concat();
    assert_eq!(legs(&other.json(&with_files)), ["text", "vector"]);
    let named = [&hybrid[..], &["--embedder", "tiny"]].concat();
    assert_eq!(legs(&other.json(&named)), ["text", "vector"]);
}

#[test]
fn an_added_model_in_bytes_is_another_one_and_stays_that_of_its_collection() {
    let (place, hub) = (Workplace::new(), Hub::start());
    hub.add(&place, "some-org/tiny");
    place.stdout(&["ingest", "docs", "--embedder", "tiny#int8"]);
    let status = place.stdout(&["status"]);
    assert!(
        status.contains("tiny@") && status.contains("-int8"),
        "{status}"
    );
    let vector = ["search", "plugins", "--mode", "vector", "--json"];
    assert_eq!(legs(&place.json(&vector)), ["vector"]);
    let said = place.stderr(&[&vector[..], &["--embedder", "tiny"]].concat(), 2);
    assert!(said.contains("-int8"), "{said}");
}

#[test]
fn added_models_are_listed_and_removed() {
    let (place, hub) = (Workplace::new(), Hub::start());
    hub.add(&place, "some-org/tiny");
    place.stdout(&[
        "model",
        "add",
        "some-org/tiny",
        "--endpoint",
        &hub.endpoint,
        "--as",
        "other",
    ]);
    let listed = place.json(&["model", "list", "--json"]);
    let added = listed.as_array().unwrap().iter();
    let added: Vec<_> = added.filter(|row| row["is_added"] == true).collect();
    assert_eq!(added.len(), 2);
    assert_eq!(added[0]["name"], "other");
    assert_eq!(added[1]["repository"], "some-org/tiny");
    let listed = place.stdout(&["model", "list"]);
    assert!(
        listed.contains("bge-small-en-v1.5") && listed.contains("51.68"),
        "{listed}"
    );
    // Of several one has to be named.
    let hybrid = ["search", "plugins", "--in", "docs", "--mode", "hybrid"];
    let said = place.stderr(&hybrid, 2);
    assert!(
        said.contains("`other`, `tiny`") && said.contains("config set"),
        "{said}"
    );
    place.stdout(&["config", "set", "embedder", "tiny"]);
    place.stdout(&hybrid);
    assert_eq!(place.stdout(&["model", "rm", "other"]), "removed other\n");
    place.stderr(&["model", "rm", "other"], 1);
    let missing = place.run(&["model", "rm", "other", "--json"]);
    assert_eq!(String::from_utf8_lossy(&missing.stdout).trim(), "[]");
    let said = place.stderr(
        &["search", "x", "--mode", "vector", "--embedder", "other"],
        2,
    );
    assert!(said.contains("sectile model add other"), "{said}");
    let said = place.stderr(&["model", "add", "nothing"], 2);
    assert!(said.contains("ORGANISATION/NAME"), "{said}");
    let arguments = ["model", "add", "some-org/none", "--endpoint", &hub.endpoint];
    let said = place.stderr(&arguments, 2);
    assert!(
        said.contains("404") && said.contains("some-org/none"),
        "{said}"
    );
    assert!(said.contains("give a token in HF_TOKEN"), "{said}");
}

#[test]
fn a_reranker_orders_the_best_hits() {
    let place = Workplace::new();
    let server = Server::start(|_| (500, "unused".into()));
    place.stdout(&["ingest", "docs"]);
    let search = |rest: &[&str]| {
        let question = ["search", "guide install plugins", "--json"];
        place.json(&[&question[..], rest].concat())
    };
    let names = |hits: &Value| -> Vec<String> {
        let hits = hits.as_array().unwrap().iter();
        hits.map(|hit| hit["heading_path"].to_string()).collect()
    };
    let first = names(&search(&[]));
    assert!(first.len() > 2, "{first:?}");
    // The server's model prefers what is given last.
    let model = format!("--rerank={}", server.model("last"));
    let reranked = search(&[&model]);
    let mut reversed = first.clone();
    reversed.reverse();
    assert_eq!(names(&reranked), reversed);
    assert_eq!(reranked[0]["legs"][1]["name"], "rerank");
    assert_eq!(reranked[0]["legs"][1]["rank"], 1);
    let texts = server.take_embedded();
    assert_eq!(texts.len(), first.len());
    assert!(
        texts
            .iter()
            .any(|text| text.contains("Install") && text.contains("Plugins go"))
    );
    // Only the two best are read, and the rest follows.
    let two = names(&search(&[&model, "--rerank-depth", "2"]));
    assert_eq!(two[..2], [first[1].clone(), first[0].clone()]);
    assert_eq!(two[2..], first[2..]);
    // One hit is shown, but more are read.
    let best = names(&search(&[&model, "--limit", "1"]));
    assert_eq!(best, reversed[..1]);
    place.stdout(&["config", "set", "reranker", &server.model("last")]);
    assert_eq!(names(&search(&["--rerank"])), reversed);
    assert_eq!(names(&search(&[])), first);
    place.stdout(&["config", "set", "rerank", "default"]);
    assert_eq!(names(&search(&["--collection", "default"])), reversed);
    // It is the only collection.
    assert_eq!(names(&search(&[])), reversed);
}

#[test]
fn a_reranker_that_is_late_or_fails_leaves_the_first_ranking() {
    let place = Workplace::new();
    let server = Server::start(|_| (500, "unused".into()));
    place.stdout(&["ingest", "docs"]);
    let search = ["search", "guide install plugins"];
    let first = place.stdout(&search);
    for (name, expected) in [("slow", "timed out after 50ms"), ("wrong", "scores for")] {
        let model = format!("--rerank={}", server.model(name));
        let arguments = [&search[..], &[&model, "--rerank-timeout", "50ms"]].concat();
        let arguments = if name == "slow" {
            arguments
        } else {
            arguments[..3].to_vec()
        };
        let output = place.run(&arguments);
        assert_eq!(String::from_utf8_lossy(&output.stdout), first);
        let said = super::workplace::stderr(&output);
        assert!(
            said.contains(expected) && said.contains("results are not reranked"),
            "{said}"
        );
    }
    let said = place.stderr(&["search", "x", "--rerank"], 2);
    assert!(
        said.contains("sectile model add ms-marco-MiniLM-L6-v2"),
        "{said}"
    );
}
