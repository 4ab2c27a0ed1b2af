//! No command and no server shows a password, a key or a token, whatever goes wrong.

use std::collections::BTreeSet;
use std::fs::File;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::serve::Served;
use crate::server::Server;
use crate::workplace::Workplace;

const PASSWORD: &str = "hunter2";
const IN_QUERY: &str = "hunter3";
const KEY: &str = "sk-hunter4";
const TOKEN: &str = "hunter5-of-a-server";

const SECRETS: [&str; 4] = [PASSWORD, IN_QUERY, KEY, TOKEN];

/// Every command, with arguments that make it open the store or ask a model.
const COMMANDS: [&[&str]; 26] = [
    &["search", "x", "--mode", "hybrid", "--embedder", "openai:m"],
    &[
        "ingest",
        "docs",
        "--embedder",
        "http://u:hunter2@127.0.0.1:9/v1#m",
    ],
    &["load", "docs/guide.md"],
    &["watch", "docs"],
    &["list", "--json"],
    &["status"],
    &["rm", "docs/guide.md", "--yes"],
    &["note", "x", "--in", "docs"],
    &["collection", "partition", "docs"],
    &["toc", "docs/guide.md"],
    &["get", "docs/guide.md"],
    &["extract", "docs/guide.md"],
    &["chunk", "docs/guide.md"],
    &[
        "tree",
        "docs/guide.md",
        "--summaries",
        "--chat-model",
        "openai:m",
    ],
    &["eval", "draft", "--chat-model", "openai:m"],
    &["remember", "x"],
    &["learn", "x"],
    &["forget", "x"],
    &["checkpoint", "threads"],
    &["model", "list"],
    &["mcp"],
    &["serve", "--listen", "127.0.0.1:0"],
    &["doctor", "--embedder", "openai:m"],
    &["backup", "copy.db"],
    &["config"],
    &["completions", "bash"],
];

/// Runs a command until it ends, or for so long that it has said what it says at the beginning.
fn said(place: &Workplace, store: &str, arguments: &[&str]) -> String {
    // A pipe that nobody reads would fill up.
    let path = place.path("said");
    let file = File::create(&path).unwrap();
    let mut command = place.command(&[&["-vv"], arguments].concat());
    let child = command
        .env("SECTILE_STORE", store)
        .env("OPENAI_API_KEY", KEY)
        .env("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
        .env("RUST_LOG", "trace")
        .stdin(Stdio::null())
        .stdout(file.try_clone().unwrap())
        .stderr(file);
    let mut child = child.spawn().unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    child.wait().unwrap();
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

#[test]
fn no_command_shows_a_secret() {
    let place = Workplace::new();
    let check = |store: &str, arguments: &[&str]| {
        let said = said(&place, store, arguments);
        for secret in SECRETS {
            assert!(!said.contains(secret), "{arguments:?}: {said}");
        }
    };
    let store = format!("postgres://u:{PASSWORD}@127.0.0.1:9/x?password={IN_QUERY}");
    for arguments in COMMANDS {
        check(&store, arguments);
    }
    let encoded = format!("postgres://u@127.0.0.1:9/x?pass%77ord={IN_QUERY}");
    for arguments in [&["status"][..], &["checkpoint", "threads"], &["config"]] {
        check(&encoded, arguments);
    }
    // What cannot be read as an address is shown in the refusal. Doctor asks the model anyway, which takes its time.
    let others = COMMANDS.iter().filter(|arguments| arguments[0] != "doctor");
    let unreadable = [
        format!("postgres://u:#{PASSWORD}@127.0.0.1:9/x"),
        format!("postgress://u:{PASSWORD}@127.0.0.1:9/x"),
        format!("postgres:u:{PASSWORD}@127.0.0.1:9/x"),
        format!("host=127.0.0.1 user=u password={PASSWORD}"),
    ];
    for arguments in others {
        for store in &unreadable {
            check(store, arguments);
        }
    }
}

#[test]
fn no_help_shows_a_secret() {
    let place = Workplace::new();
    let nested = [
        &["model", "add"][..],
        &["checkpoint", "threads"],
        &["eval", "draft"],
    ];
    let commands = COMMANDS.iter().map(|arguments| &arguments[..1]);
    for arguments in commands.chain(nested).chain([&[][..]]) {
        let mut command = place.command(&[arguments, &["--help"]].concat());
        for name in ["STORE", "EMBEDDER", "CHAT_MODEL", "RERANKER"] {
            let address = format!("http://u:{PASSWORD}@h/v1?token={IN_QUERY}#m");
            command.env(format!("SECTILE_{name}"), address);
        }
        let output = command.env("HF_ENDPOINT", format!("https://u:{PASSWORD}@h"));
        let output = output.output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            help.contains("[env: SECTILE_STORE]"),
            "{arguments:?}: {help}"
        );
        for secret in SECRETS {
            assert!(!help.contains(secret), "{arguments:?}: {help}");
        }
    }
}

#[test]
fn the_configuration_file_is_refused_and_read_without_its_secrets() {
    let place = Workplace::new();
    let address = format!("postgres://u:{PASSWORD}@127.0.0.1:9/x");
    place.write("config.toml", format!("store = {address}\n"));
    for arguments in [
        &["search", "x"][..],
        &["config"],
        &["doctor"],
        &["config", "set", "limit", "5"],
    ] {
        let output = place.run(arguments);
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains("line 1"), "{arguments:?}: {said}");
        assert!(!said.contains(PASSWORD), "{arguments:?}: {said}");
    }
    place.write("config.toml", format!("store = '{address}'\n"));
    let shown = "postgres://127.0.0.1:9/x";
    assert_eq!(
        place.stdout(&["config", "get", "store"]),
        format!("{shown}\n")
    );
    assert_eq!(place.json(&["config", "get", "store", "--json"]), shown);
}

#[test]
fn no_command_is_forgotten_here() {
    let help = Workplace::new().stdout(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let commands = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let there: BTreeSet<&str> = commands.filter(|name| !name.is_empty()).collect();
    let mut tried: BTreeSet<&str> = COMMANDS.iter().map(|arguments| arguments[0]).collect();
    // They open nothing.
    tried.extend(["help", "man"]);
    assert_eq!(there, tried);
}

/// What browsers and operators ask a server for, of which much is not there.
const PAGES: [&str; 15] = [
    "/",
    "/?collection=nope",
    "/search?q=release&explain=1",
    "/search?q=release&mode=hybrid",
    "/search?q=release&mode=tree",
    "/search?q=release&collection=nope",
    "/document?id=nope",
    "/threads",
    "/thread?id=nope",
    "/checkpoint?thread=nope&seq=1",
    "/diff?thread=nope&from=1&to=2",
    "/nope",
    "/metrics",
    "/healthz",
    "/readyz",
];

/// What agents ask for.
fn calls() -> Vec<Value> {
    let call = |tool: &str, arguments: Value| json!({"name": tool, "arguments": arguments});
    vec![
        call("status", json!({})),
        call("list", json!({})),
        call("search", json!({"query": "release", "mode": "hybrid"})),
        call("search", json!({"query": "release", "mode": "tree"})),
        call("get", json!({"document": "nope"})),
        call("ingest", json!({"source": "/nope"})),
        call("ingest", json!({"source": "http://127.0.0.1:9/"})),
    ]
}

/// A server command with all secrets that it can have, which logs everything.
fn server(place: &Workplace, arguments: &[&str], models: &Server) -> Command {
    let names = [models.model("words"), models.model("chat")];
    let with_models = ["-vv", "--embedder", &names[0], "--chat-model", &names[1]];
    let mut command = place.command(&[arguments, &with_models].concat());
    command
        .env("SECTILE_API_KEY", KEY)
        .env("SECTILE_TOKEN", TOKEN)
        .env("RUST_LOG", "trace");
    command
}

/// Asks a server of pages for everything, and returns what it answered and logged.
fn shown_by_pages(place: &Workplace, models: &Server) -> String {
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    let served = Served::of(&mut server(place, &serve, models));
    let host = served.host();
    let get = |path: &str, headers: &str| {
        let request = format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        served.raw(request.as_bytes())
    };
    // The cookie of this answer is for whoever sent the token.
    assert_eq!(get(&format!("/?token={TOKEN}"), &host).0, 303);
    let with_token = format!("{host}Authorization: Bearer {TOKEN}\r\n");
    let with_wrong = format!("{host}Authorization: Bearer wrong\r\n");
    let mut shown = String::new();
    for path in PAGES {
        for headers in [&with_token, &with_wrong] {
            shown.push_str(&get(path, headers).1);
        }
    }
    assert!(shown.contains("release"), "{shown}");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": calls()[0]});
    shown.push_str(&served.post(&with_token, &call).1);
    shown + &served.log()
}

/// Asks a server for agents for everything, and returns what it answered and logged.
fn shown_to_agents(place: &Workplace, models: &Server) -> String {
    let log = place.path("log");
    let mut command = server(place, &["mcp"], models);
    let mut session = Session::of(command.stderr(File::create(&log).unwrap()));
    let mut shown = session.initialize("2025-11-25").to_string();
    for (id, method) in (2..).zip(["tools/list", "resources/list", "prompts/list"]) {
        shown.push_str(&session.ask(id, method, &json!({})).to_string());
    }
    for (id, call) in (5..).zip(calls()) {
        shown.push_str(&session.ask(id, "tools/call", &call).to_string());
    }
    assert_eq!(session.end().0, Some(0));
    shown + &String::from_utf8_lossy(&std::fs::read(log).unwrap())
}

/// Checks that no server on the store of a place shows a secret.
fn check_servers(place: &Workplace) {
    place.stdout(&["ingest", "docs"]);
    // A careless server repeats the key that it was sent.
    let models = Server::start(|_| (401, format!("the key {KEY} is wrong")));
    let shown = [
        shown_by_pages(place, &models),
        shown_to_agents(place, &models),
    ];
    for shown in shown {
        assert!(shown.contains("the key [key] is wrong"), "{shown}");
        for secret in SECRETS {
            assert!(!shown.contains(secret), "{secret}: {shown}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_secret_that_cannot_be_read_is_refused_and_not_left_out() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let place = Workplace::new();
    let serve = ["serve", "--listen", "0.0.0.0:0"];
    let add = [
        "model",
        "add",
        "all-MiniLM-L6-v2",
        "--endpoint",
        "http://127.0.0.1:9",
    ];
    let search = [
        "search",
        "x",
        "--mode",
        "tree",
        "--chat-model",
        "http://127.0.0.1:9/v1#m",
    ];
    for (arguments, variable) in [
        (&serve[..], "SECTILE_TOKEN"),
        (&add[..], "HF_TOKEN"),
        (&search[..], "SECTILE_API_KEY"),
    ] {
        let mut command = place.command(arguments);
        let secret = OsStr::from_bytes(b"hunter6-\xff-of-a-server");
        let output = command.env(variable, secret).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        let expected = format!("{variable} is not valid UTF-8; set it again, or unset it");
        assert!(said.contains(&expected), "{said}");
        assert!(!said.contains("hunter6"), "{said}");
    }
}

#[test]
fn no_server_shows_a_secret() {
    check_servers(&Workplace::new());
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn no_server_shows_the_password_of_its_database() {
    use sqlx::{Connection as _, PgConnection};

    let url = sectile_test_postgres::database().await.unwrap();
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let role = format!("secret_{}", url.rsplit('/').next().unwrap());
    let create = format!("CREATE ROLE {role} LOGIN SUPERUSER PASSWORD '{PASSWORD}'");
    let create = sqlx::raw_sql(sqlx::AssertSqlSafe(create));
    create.execute(&mut connection).await.unwrap();
    let mut place = Workplace::new();
    place.store = url.replace("postgres:postgres@", &format!("{role}:{PASSWORD}@"));
    check_servers(&place);
}
