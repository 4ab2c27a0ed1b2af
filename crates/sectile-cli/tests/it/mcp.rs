//! `sectile mcp` as the programs of agents run it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};

use super::server::Server;
use super::workplace::{Workplace, stderr};

/// A running `sectile mcp` that is spoken to line by line.
pub(crate) struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Session {
    fn start(place: &Workplace, arguments: &[&str]) -> Self {
        let mut command = place.command(&[&["mcp"], arguments].concat());
        Self::of(command.stderr(Stdio::piped()))
    }

    /// Starts a server by a command.
    pub(crate) fn of(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Sends a request and returns the answer to it. All that comes is protocol.
    pub(crate) fn ask(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.send(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        self.answer(id)
    }

    fn answer(&mut self, id: u64) -> Value {
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the server ended"
            );
            let message: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            if message["id"] == id {
                return message;
            }
        }
    }

    pub(crate) fn initialize(&mut self, revision: &str) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": client});
        let answer = self.ask(1, "initialize", &params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        answer
    }

    /// Ends the input, and returns the status that the server ends with and what it logged.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let output = self.child.wait_with_output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    }
}

const ENDED: (Option<i32>, String) = (Some(0), String::new());

#[test]
fn the_end_of_input_ends_the_server_at_any_time() {
    let place = Workplace::new();
    assert_eq!(Session::start(&place, &[]).end(), ENDED);
    let mut session = Session::start(&place, &[]);
    session.initialize("2025-11-25");
    assert_eq!(session.end(), ENDED);
    // The answer to what was asked last is still given.
    let mut session = Session::start(&place, &[]);
    session.initialize("2025-11-25");
    session.send(r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/list"}"#);
    drop(session.input.take());
    assert_eq!(
        session.answer(7)["result"]["tools"]
            .as_array()
            .unwrap()
            .len(),
        8
    );
    assert_eq!(session.end(), ENDED);
}

#[test]
fn lines_that_are_no_messages_do_not_end_the_server() {
    let place = Workplace::new();
    let mut session = Session::start(&place, &[]);
    for line in [
        "garbage",
        "",
        "{",
        "[]",
        "null",
        "\u{1f642}",
        "{\"jsonrpc\": \"1.0\"}",
    ] {
        session.send(line);
    }
    session.initialize("2025-06-18");
    for line in [
        "garbage",
        "{\"id\": 3}",
        "{\"jsonrpc\": \"2.0\", \"id\": 4, \"method\": 5}",
    ] {
        session.send(line);
    }
    assert!(session.ask(5, "ping", &json!({}))["result"].is_object());
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn every_revision_is_spoken() {
    let place = Workplace::new();
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut session = Session::start(&place, &[]);
        let answer = session.initialize(revision);
        assert_eq!(answer["result"]["protocolVersion"], revision);
        assert_eq!(answer["result"]["serverInfo"]["name"], "sectile");
        assert_eq!(session.end(), ENDED);
    }
    // One that nobody knows is answered with one that both may know.
    let mut session = Session::start(&place, &[]);
    assert_eq!(
        session.initialize("1999-01-01")["result"]["protocolVersion"],
        "2025-11-25"
    );

    // The newest revision has no handshake: each request says what it is.
    let mut session = Session::start(&place, &[]);
    let with = |name: &str, value: Value| (format!("io.modelcontextprotocol/{name}"), value);
    let meta: serde_json::Map<String, Value> = [
        with("protocolVersion", "2026-07-28".into()),
        with("clientInfo", json!({"name": "test", "version": "1"})),
        with("clientCapabilities", json!({})),
    ]
    .into_iter()
    .collect();
    let answer = session.ask(1, "server/discover", &json!({"_meta": meta}));
    let versions = answer["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&"2026-07-28".into()), "{answer}");
    assert!(
        answer["result"]["instructions"]
            .as_str()
            .unwrap()
            .contains("`toc`")
    );
    let params = json!({"_meta": meta, "name": "status", "arguments": {}});
    let answer = session.ask(2, "tools/call", &params);
    assert_eq!(
        answer["result"]["structuredContent"]["outcome"], "ok",
        "{answer}"
    );
    assert_eq!(session.end(), ENDED);
}

#[test]
fn a_question_to_a_model_holds_up_nothing_else() {
    let place = Workplace::new();
    let (asked, is_asked) = mpsc::channel();
    let (go, may_answer) = mpsc::channel::<()>();
    let may_answer = std::sync::Mutex::new(may_answer);
    let model = Server::start(move |_| {
        asked.send(()).unwrap();
        may_answer.lock().unwrap().recv().unwrap();
        (200, "{\"node_list\": []}".into())
    });
    place.stdout(&["ingest", "docs"]);
    let mut session = Session::start(&place, &["--chat-model", &model.model("chat")]);
    session.initialize("2025-11-25");
    let arguments = json!({"query": "install", "mode": "tree"});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "search", "arguments": arguments}});
    session.send(&call.to_string());
    is_asked.recv().unwrap();
    assert!(session.ask(3, "ping", &json!({}))["result"].is_object());
    let status = session.ask(4, "tools/call", &json!({"name": "status", "arguments": {}}));
    assert_eq!(status["result"]["structuredContent"]["documents"], 2);
    go.send(()).unwrap();
    assert_eq!(
        session.answer(2)["result"]["structuredContent"]["outcome"],
        "no_results"
    );
    assert_eq!(session.end().0, Some(0));
}

#[test]
fn files_are_taken_from_the_working_folder_or_from_those_that_are_named() {
    let place = Workplace::new();
    let call = |session: &mut Session, source: &str| {
        session.initialize("2025-11-25");
        let params = json!({"name": "ingest", "arguments": {"source": source}});
        session.ask(2, "tools/call", &params)["result"]["structuredContent"]["outcome"].clone()
    };
    assert_eq!(
        call(&mut Session::start(&place, &[]), "docs/guide.md"),
        "ok"
    );
    std::fs::create_dir(place.path("other")).unwrap();
    let other = ["--folder", "other"];
    assert_eq!(
        call(&mut Session::start(&place, &other), "../docs/guide.md"),
        "refused"
    );
    let said = place.stderr(&["mcp", "--folder", "nowhere"], 2);
    assert!(said.contains("`nowhere`"), "{said}");
    place.stderr(&["mcp", "--read-only", "--folder", "docs"], 2);
}

#[test]
fn a_server_that_only_reads_makes_no_store() {
    let place = Workplace::new();
    for command in ["mcp", "serve"] {
        let said = place.stderr(&[command, "--read-only"], 2);
        assert!(
            said.contains("does not exist") && said.contains("ingest"),
            "{said}"
        );
    }
    assert!(!place.path("store.db").exists());
}

#[test]
fn watched_files_are_found_as_they_change_and_nothing_is_said_of_it() {
    let place = Workplace::new();
    let mut session = Session::start(&place, &["--read-only", "--watch", "docs"]);
    session.initialize("2025-11-25");
    let mut ids = 2..2_000;
    for fruit in ["quince", "medlar"] {
        place.write("docs/new.md", format!("# New\n\nOne {fruit}.\n"));
        let params = json!({"name": "search", "arguments": {"query": fruit}});
        let is_found = ids.any(|id| {
            std::thread::sleep(Duration::from_millis(50));
            let answer = session.ask(id, "tools/call", &params);
            answer["result"]["structuredContent"]["outcome"] == "ok"
        });
        assert!(is_found, "{fruit}");
    }
    assert_eq!(session.end(), ENDED);
}

#[test]
fn what_is_logged_goes_to_standard_error() {
    let place = Workplace::new();
    let mut session = Session::start(&place, &[]);
    session.initialize("2025-11-25");
    assert_eq!(session.end(), ENDED);
    let run = |log: &str| {
        let mut command = place.command(&["mcp"]);
        command
            .env("RUST_LOG", log)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    };
    let output = run("trace");
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b""[..]));
    assert!(!output.stderr.is_empty());
}

#[tokio::test]
async fn a_client_of_the_protocols_authors_reads_a_document() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let command = place.command(&["mcp", "--read-only"]);
    let process = TokioChildProcess::new(tokio::process::Command::from(command)).unwrap();
    let client = ().serve(process).await.unwrap();
    let call = async |tool: &'static str, arguments: Value| {
        let arguments = arguments.as_object().unwrap().clone();
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        client
            .call_tool(request)
            .await
            .unwrap()
            .structured_content
            .unwrap()
    };
    let contents = call("toc", json!({"document": "docs/guide.md"})).await;
    let install = &contents["sections"][1];
    assert_eq!(install[1], "Install");
    let section = json!({"document": "docs/guide.md", "section": install[2]});
    let text = call("get", section).await;
    assert_eq!(text["text"], "## Install\n\nRun `cargo install`.\n\n");
    client.cancel().await.unwrap();
}

#[test]
fn what_a_server_cannot_rerank_is_said() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    for server in [&["mcp"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        for option in ["--rerank-depth=3", "--rerank-timeout=1s"] {
            let said = place.stderr(&[server, &[option]].concat(), 2);
            let (name, _) = option.split_once('=').unwrap();
            assert!(
                said.contains(name) && said.contains("`--reranker`: add it"),
                "{said}"
            );
        }
    }
    place.stdout(&["config", "set", "rerank", "handbook,filings"]);
    // It ends with its standard input, which is empty.
    let said = stderr(&place.run(&["mcp"]));
    assert!(
        said.contains("searches of `handbook`, `filings` are not reranked"),
        "{said}"
    );
}

#[test]
fn why_a_search_was_not_reranked_is_logged() {
    let place = Workplace::new();
    place.stdout(&["ingest", "docs"]);
    let server = Server::start(|_| (500, "unused".into()));
    place.stdout(&["config", "set", "reranker", &server.model("wrong")]);
    place.stdout(&["config", "set", "rerank", "default"]);
    let mut session = Session::start(&place, &[]);
    session.initialize("2025-11-25");
    let arguments = json!({"query": "guide install plugins", "collection": "default"});
    let params = json!({"name": "search", "arguments": arguments});
    let answer = session.ask(2, "tools/call", &params);
    assert_eq!(answer["result"]["structuredContent"]["outcome"], "ok");
    let (status, logged) = session.end();
    assert_eq!(status, Some(0));
    assert!(
        logged.contains("results are not reranked") && logged.contains("scores for"),
        "{logged}"
    );
}
