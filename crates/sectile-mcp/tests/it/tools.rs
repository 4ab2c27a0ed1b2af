//! Which tools there are, and how strictly they read.

use std::collections::BTreeMap;

use rmcp::model::ErrorCode;
use serde_json::{Value, json};

use super::agent::{Agent, Place};

/// Writes the tools as a client gets them.
async fn listed(place: &Place, agent: &Agent) -> String {
    let tools = agent.client.list_all_tools().await.unwrap();
    let tools = sorted(serde_json::to_value(&tools).unwrap());
    place.neutral(&serde_json::to_string_pretty(&tools).unwrap())
}

/// Sorts the fields of objects: their order depends on the features that other packages ask of
/// `serde_json`.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields
                .into_iter()
                .map(|(name, field)| (name, sorted(field)));
            let fields: BTreeMap<String, Value> = fields.collect();
            Value::Object(fields.into_iter().collect())
        }
        Value::Array(values) => values.into_iter().map(sorted).collect(),
        value => value,
    }
}

#[tokio::test]
async fn the_list_of_tools_is_as_it_was() {
    let place = Place::new().await;
    insta::assert_snapshot!("writable", listed(&place, &place.agent().await).await);
    let reading = Agent::of(place.server().read_only()).await;
    insta::assert_snapshot!("read_only", listed(&place, &reading).await);
}

/// Each conversation pays for the list of tools, so it has a limit.
#[tokio::test]
async fn the_list_of_tools_costs_little() {
    let place = Place::new().await;
    let agent = place.agent().await;
    let tools = agent.client.list_all_tools().await.unwrap();
    let mut tools = serde_json::to_value(&tools).unwrap();
    let count = |tools: &Value| place.library.counter().count(&tools.to_string());
    let with_facts = count(&tools);
    for tool in tools.as_array_mut().unwrap() {
        tool.as_object_mut()
            .unwrap()
            .remove("outputSchema")
            .unwrap();
    }
    let without = count(&tools);
    println!("the list of tools: {with_facts} tokens, {without} without output schemas");
    assert!(with_facts <= 1_800, "{with_facts}");
    assert!(without <= 1_200, "{without}");
}

/// An agent that has to be told by an error has spent a call.
#[tokio::test]
async fn the_bounds_of_numbers_are_said_before_they_are_exceeded() {
    let place = Place::new().await;
    let agent = place.agent().await;
    let tools = agent.client.list_all_tools().await.unwrap();
    for (tool, argument, bounds) in [("search", "limit", "1-100"), ("toc", "depth", "1-6")] {
        let found = tools.iter().find(|found| found.name == tool).unwrap();
        let description = &found.input_schema["properties"][argument]["description"];
        assert!(
            description.as_str().unwrap().contains(bounds),
            "{description}"
        );
    }
    let info = agent.client.peer_info().unwrap();
    let instructions = info.instructions.as_deref().unwrap();
    assert!(instructions.contains("500 to 100,000"), "{instructions}");
}

#[tokio::test]
async fn the_server_says_who_it_is_and_how_to_use_it() {
    let place = Place::new().await;
    let agent = place.agent().await;
    let info = agent.client.peer_info().unwrap();
    let server = info.server_info.as_ref().unwrap();
    assert_eq!(
        (&*server.name, server.title.as_deref()),
        ("sectile", Some("Sectile"))
    );
    assert_eq!(server.version, env!("CARGO_PKG_VERSION"));
    assert!(server.website_url.is_some());
    let instructions = info.instructions.as_deref().unwrap();
    for name in ["toc", "get", "search", "ingest", "cursor"] {
        assert!(instructions.contains(name), "{name}");
    }
    let capabilities = serde_json::to_value(&info.capabilities).unwrap();
    let all = json!({"tools": {}, "resources": {}, "prompts": {}, "completions": {}});
    assert_eq!(capabilities, all);
}

#[tokio::test]
async fn what_writes_is_not_there_where_the_server_only_reads() {
    let place = Place::with_document("a.md", "# A\n\nText.\n").await;
    let agent = Agent::of(place.server().read_only()).await;
    let calls = [
        ("ingest", json!({"source": "a.md"})),
        ("remember", json!({"text": "x"})),
        ("forget", json!({"id": "x"})),
    ];
    for (tool, arguments) in calls {
        let error = agent.refused(tool, arguments).await;
        assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
        assert!(
            error.message.contains(tool) && error.message.contains("`search`"),
            "{error}"
        );
    }
    let status = agent.ok("status", json!({})).await;
    assert_eq!(status.facts["documents"], 1);
    assert_eq!(status.facts["read_only"], true);
}

#[tokio::test]
async fn a_tool_that_is_not_there_is_a_protocol_error() {
    let place = Place::new().await;
    let error = place.agent().await.refused("grep", json!({})).await;
    assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    assert!(
        error.message.contains("`grep`") && error.message.contains("`toc`"),
        "{error}"
    );
}

/// Calls a tool with arguments that it must refuse, and returns what it says.
async fn complaint(agent: &Agent, tool: &'static str, arguments: Value) -> String {
    let reply = agent.call(tool, arguments).await;
    assert!(reply.is_error, "{}", reply.text);
    assert_eq!(
        reply.facts["outcome"], "invalid_arguments",
        "{}",
        reply.text
    );
    assert_eq!(reply.facts["message"], reply.text.lines().next().unwrap());
    reply.text
}

/// Calls with arguments that are wrong, and what is said of each.
fn wrong_of_search() -> Vec<(&'static str, Value, [&'static str; 2])> {
    vec![
        (
            "search",
            json!({"query": "x", "top_k": 3}),
            ["`top_k`", "`limit`"],
        ),
        (
            "status",
            json!({"verbose": true}),
            ["`verbose`", "takes none"],
        ),
        ("search", json!({}), ["`query`", "missing"]),
        (
            "search",
            json!({"query": 3}),
            ["`query` is `3`", "give a text"],
        ),
        (
            "search",
            json!({"query": "x", "limit": "3"}),
            ["`limit` is `3`", "give a whole number"],
        ),
        (
            "search",
            json!({"query": "x", "limit": 0}),
            ["`limit` is 0", "1 to 100"],
        ),
        (
            "search",
            json!({"query": "x", "max_tokens": 10}),
            ["`max_tokens` is 10", "500 to 100000"],
        ),
        (
            "search",
            json!({"query": "x", "max_tokens": 200_000}),
            ["200000", "500 to 100000"],
        ),
        (
            "search",
            json!({"query": "x", "mode": "fuzzy"}),
            ["`mode`", "fuzzy"],
        ),
        (
            "search",
            json!({"query": "x", "mode": "hybrid"}),
            ["no model", "`text`"],
        ),
        ("search", json!({"query": "?!"}), ["no word", "add a word"]),
        (
            "search",
            json!({"query": "x", "filters": {"level": 2, "author": "Ada"}}),
            [
                "`filters` is an object; write it as a list: [\"",
                "\"level=2\"",
            ],
        ),
        (
            "search",
            json!({"query": "x", "filters": ["level"]}),
            ["`level`", "KEY=VALUE"],
        ),
        (
            "search",
            json!({"query": "x", "paths": ["a["]}),
            ["a[", "cannot be used"],
        ),
    ]
}

fn wrong_of_other_tools() -> Vec<(&'static str, Value, [&'static str; 2])> {
    vec![
        (
            "toc",
            json!({"document": "a.md", "depth": 7}),
            ["`depth` is 7", "1 to 6"],
        ),
        (
            "get",
            json!({"document": "a.md", "lines": "x"}),
            ["`lines` is `x`", "12-40"],
        ),
        (
            "get",
            json!({"document": "a.md", "lines": "0-4"}),
            ["`0-4`", "12-40"],
        ),
        (
            "get",
            json!({"document": "a.md", "lines": "9-12"}),
            ["no lines 9-12", "it has 3"],
        ),
        (
            "get",
            json!({"document": "a.md", "pages": "2"}),
            ["no pages;", "ask for lines"],
        ),
        (
            "get",
            json!({"document": "a.md", "lines": "1", "heading": "A"}),
            ["one of", "`pages`"],
        ),
        (
            "get",
            json!({"document": "a.md", "cursor": "12"}),
            ["`cursor`", "answer before"],
        ),
        ("get", json!({"section": "0c3f8a52"}), ["`document`", "36"]),
        (
            "get",
            json!({"document": "a.md", "parts": [{"document": "a.md"}]}),
            ["`parts` stands alone", "`cursor`"],
        ),
        ("get", json!({"parts": []}), ["0 entries", "1 to 20"]),
        (
            "get",
            json!({"parts": [{"name": "a.md"}]}),
            ["`parts[0].name`", "`document`"],
        ),
        (
            "get",
            json!({"document": "a.md", "section": "0c3"}),
            ["`0c3`", "6 or more"],
        ),
        (
            "remember",
            json!({"text": "  "}),
            ["nothing to remember", "give a text"],
        ),
        ("forget", json!({"id": "first"}), ["`first`", "`remember`"]),
    ]
}

#[tokio::test]
async fn arguments_that_are_wrong_are_named_with_what_is_allowed() {
    let place = Place::with_document("a.md", "# A\n\nText.\n").await;
    let agent = place.agent().await;
    let all = wrong_of_search().into_iter().chain(wrong_of_other_tools());
    for (tool, arguments, parts) in all {
        let said = complaint(&agent, tool, arguments.clone()).await;
        for part in parts {
            assert!(said.contains(part), "{arguments}: {said}");
        }
    }
}

#[tokio::test]
async fn a_long_wrong_argument_is_not_repeated_in_full() {
    let place = Place::new().await;
    let agent = place.agent().await;
    let long = "x".repeat(100_000);
    for arguments in [
        json!({"query": "a", (&*long): 1}),
        json!({"query": "a", "mode": long}),
        json!({"query": "a", "filters": [long]}),
        json!({"query": "a", "collection": long}),
    ] {
        let reply = agent.call("search", arguments).await;
        assert!(reply.text.len() < 2_000, "{}", reply.text.len());
    }
}

#[tokio::test]
async fn memories_are_kept_found_and_forgotten() {
    let place = Place::new().await;
    let agent = place.agent().await;
    let kept = json!({"text": "Deploys are on Tuesdays.", "metadata": {"source": "chat"}});
    let first = agent.ok("remember", kept).await;
    assert_eq!(first.facts["kept"], "added");
    let id = first.facts["id"].clone();
    let again = json!({"text": "Deploys are on Tuesdays."});
    let again = agent.ok("remember", again).await;
    assert_eq!(again.facts["id"], id);
    assert_eq!(again.facts["kept"], "unchanged");
    assert!(again.text.starts_with("Kept already"), "{}", again.text);
    let search =
        json!({"query": "when are deploys?", "collection": "memories", "filters": ["source=chat"]});
    let found = agent.ok("search", search.clone()).await;
    assert!(
        found.text.contains("Deploys are on Tuesdays"),
        "{}",
        found.text
    );
    let uri = found.facts["hits"][0]["document"].clone();
    let text = agent.ok("get", json!({"document": uri})).await;
    assert_eq!(text.facts["text"], "Deploys are on Tuesdays.");
    agent.ok("forget", json!({"id": uri})).await;
    let gone = agent.call("forget", json!({"id": id})).await;
    assert_eq!(gone.facts["outcome"], "no_results");
    assert!(!gone.is_error);
}

#[tokio::test]
async fn a_memory_is_read_by_its_id_with_its_metadata_and_time() {
    let place = Place::new().await;
    let agent = place.agent().await;
    let id = agent
        .ok("remember", json!({"text": "Deploys are on Tuesdays."}))
        .await;
    let id = id.facts["id"].as_str().unwrap().to_owned();
    let noted = json!({"text": "Deploys are on Tuesdays.", "metadata": {"source": "chat"}});
    let noted = agent.ok("remember", noted).await;
    assert_eq!(noted.facts["kept"], "updated");
    assert_eq!(noted.facts["id"], id);
    let read = agent.ok("get", json!({"document": id})).await;
    assert_eq!(read.facts["text"], "Deploys are on Tuesdays.");
    let listed = agent.ok("list", json!({"collection": "memories"})).await;
    for (text, memory) in [
        (&read.text, &read.facts["memory"]),
        (&listed.text, &listed.facts["documents"][0]["memory"]),
    ] {
        assert_eq!(memory["metadata"]["source"], "chat", "{memory}");
        let stored_at = memory["stored_at"].as_str().unwrap();
        assert!(stored_at.starts_with("20"), "{stored_at}");
        assert!(text.contains(stored_at) && text.contains("chat"), "{text}");
    }
    // Metadata without end leaves room for the text.
    let long = json!({"text": "Long.", "metadata": {"source": "x".repeat(100_000)}});
    let long = agent.ok("remember", long).await.facts["id"].clone();
    let read = agent.ok("get", json!({"document": long})).await;
    assert_eq!(read.facts["text"], "Long.");
    let metadata = read.facts["memory"]["metadata"].as_str().unwrap();
    assert!(metadata.ends_with('…'), "{metadata}");
}
