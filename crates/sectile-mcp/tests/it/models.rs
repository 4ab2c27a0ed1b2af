//! Calls that wait for a model, and models that fail.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sectile::RerankOptions;
use sectile::core::EmbeddingModel;
use sectile::models::{ChatModel, ChatRequest, Embedder, Error, Purpose, Reranker, Result};
use sectile_mcp::Server;
use serde_json::json;
use tokio::sync::{Semaphore, mpsc};

use super::agent::{Agent, Place, begun, reply_of};

/// A model that answers when it is let, and says when it is asked and when it is no longer waited for.
#[derive(Debug)]
pub(crate) struct Patient {
    model: EmbeddingModel,
    may_answer: Arc<Semaphore>,
    says: mpsc::UnboundedSender<&'static str>,
}

/// Says that a call ended, however it did.
struct Ending<'a>(&'a mpsc::UnboundedSender<&'static str>);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let _ = self.0.send("ended");
    }
}

impl Patient {
    pub(crate) fn new() -> (
        Arc<Self>,
        Arc<Semaphore>,
        mpsc::UnboundedReceiver<&'static str>,
    ) {
        let (says, heard) = mpsc::unbounded_channel();
        let may_answer = Arc::new(Semaphore::new(0));
        let model = EmbeddingModel {
            name: "patient".into(),
            dimensions: 2,
            is_normalized: false,
        };
        let patient = Self {
            model,
            may_answer: Arc::clone(&may_answer),
            says,
        };
        (Arc::new(patient), may_answer, heard)
    }

    async fn wait(&self) {
        let _ending = Ending(&self.says);
        let _ = self.says.send("asked");
        self.may_answer.acquire().await.unwrap().forget();
    }
}

#[async_trait]
impl Embedder for Patient {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[String], _purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        self.wait().await;
        Ok(vec![vec![1.0, 0.5]; texts.len()])
    }
}

#[async_trait]
impl ChatModel for Patient {
    fn name(&self) -> &str {
        &self.model.name
    }

    async fn complete(&self, _request: &ChatRequest) -> Result<String> {
        self.wait().await;
        Ok("{\"thinking\": \"\", \"node_list\": []}".into())
    }
}

/// A model that is out of reach.
#[derive(Debug)]
struct Absent(EmbeddingModel);

#[async_trait]
impl Embedder for Absent {
    fn model(&self) -> &EmbeddingModel {
        &self.0
    }

    async fn embed(&self, _texts: &[String], _purpose: Purpose) -> Result<Vec<Vec<f32>>> {
        Err(Error::Unavailable {
            model: self.0.name.clone(),
            source: "connection refused to secret.internal:9".into(),
        })
    }
}

#[tokio::test]
async fn a_search_that_waits_holds_up_nothing_else() {
    let place = Place::with_document("a.md", "# A\n\nText.\n").await;
    let (model, may_answer, mut heard) = Patient::new();
    let agent = Agent::of(Server::new(place.library.clone().with_chat_model(model))).await;
    let slow = agent.call("search", json!({"query": "text", "mode": "tree"}));
    let others = async {
        assert_eq!(heard.recv().await, Some("asked"));
        agent.client.send_request(ping()).await.unwrap();
        agent.ok("status", json!({})).await;
        agent.ok("search", json!({"query": "text"})).await;
        may_answer.add_permits(1);
    };
    let (slow, ()) = tokio::join!(slow, others);
    // The model names no section.
    assert_eq!(slow.facts["outcome"], "no_results", "{}", slow.text);
}

fn ping() -> rmcp::model::ClientRequest {
    rmcp::model::ClientRequest::PingRequest(rmcp::model::PingRequest::default())
}

/// Makes an agent that may ingest twenty notes.
async fn reader_of_notes(place: &Place, model: Arc<Patient>) -> Agent {
    for number in 0..20 {
        place.write(&format!("{number}.md"), "# Note\n\nText.\n");
    }
    agent_with(place, model).await
}

/// Makes an agent that may ingest the place's documents with a model.
async fn agent_with(place: &Place, model: Arc<dyn Embedder>) -> Agent {
    let library = place.library.clone().with_embedder(model);
    Agent::of(Server::new(library).with_folders([place.path("docs")])).await
}

#[tokio::test]
async fn a_cancelled_ingest_stops_and_leaves_what_was_written() {
    let place = Place::new().await;
    let (model, may_answer, mut heard) = Patient::new();
    let agent = reader_of_notes(&place, model).await;

    let ingest = begun(&agent.client, "ingest", json!({"source": "."})).await;
    assert_eq!(heard.recv().await, Some("asked"));
    ingest
        .cancel(Some("no longer wanted".into()))
        .await
        .unwrap();
    // The model answers nobody: the call was dropped.
    assert_eq!(heard.recv().await, Some("ended"));

    let status = agent.ok("status", json!({})).await;
    assert_eq!(
        (&status.facts["documents"], &status.facts["vectors"]),
        (&20.into(), &0.into())
    );
    agent.ok("get", json!({"document": "7.md"})).await;
    may_answer.add_permits(100);
    let again = agent.ok("ingest", json!({"source": "."})).await;
    assert_eq!(
        (&again.facts["unchanged"], &again.facts["vectors"]),
        (&20.into(), &20.into())
    );
}

#[tokio::test]
async fn an_ingest_says_how_far_it_is() {
    let place = Place::new().await;
    let (model, may_answer, mut heard) = Patient::new();
    let agent = reader_of_notes(&place, model).await;
    let ingest = begun(&agent.client, "ingest", json!({"source": "."})).await;
    assert_eq!(heard.recv().await, Some("asked"));

    // All files are done, and the model is waited for: the client hears of it meanwhile.
    let mut told = agent.told.lock().await;
    let progress = told.recv().await.unwrap();
    assert_eq!(progress.progress_token, ingest.progress_token);
    assert_eq!((progress.progress, progress.total), (20.0, Some(20.0)));
    may_answer.add_permits(1);
    let done = reply_of(ingest.await_response().await.unwrap());
    assert_eq!(done.facts["added"], 20);
    let last = told.recv().await.unwrap();
    assert!(last.progress > progress.progress, "{last:?}");
    assert_eq!(last.message.as_deref(), Some("20 of 20 vectors made"));
}

#[tokio::test]
async fn a_model_that_is_out_of_reach_is_transient() {
    let place = Place::with_document("a.md", "# A\n\nText.\n").await;
    let model = EmbeddingModel {
        name: "absent".into(),
        dimensions: 2,
        is_normalized: false,
    };
    let agent = agent_with(&place, Arc::new(Absent(model))).await;
    for (tool, arguments) in [
        ("search", json!({"query": "text", "mode": "vector"})),
        ("ingest", json!({"source": "a.md"})),
    ] {
        let reply = agent.call(tool, arguments).await;
        assert!(reply.is_error);
        assert_eq!(reply.facts["outcome"], "transient");
        assert_eq!(reply.facts["transient"], true);
        assert!(
            reply.text.contains("`absent`") && reply.text.contains("try again"),
            "{}",
            reply.text
        );
        // Where the model is, is not the agent's to know.
        assert!(!reply.text.contains("secret.internal"), "{}", reply.text);
    }
    let kept = agent.ok("remember", json!({"text": "Text."})).await;
    assert!(
        kept.text.contains("not yet by its meaning"),
        "{}",
        kept.text
    );
}

#[tokio::test]
async fn modes_are_those_that_the_models_allow() {
    let place = Place::new().await;
    let (model, _, _) = Patient::new();
    let library = place.library.clone();
    let listed = async |library| {
        let agent = Agent::of(Server::new(library)).await;
        let tools = agent.client.list_all_tools().await.unwrap();
        let search = tools.iter().find(|tool| tool.name == "search").unwrap();
        let mode = &search.input_schema["properties"]["mode"];
        let names = mode["enum"].as_array().unwrap().iter();
        let names: Vec<String> = names
            .map(|name| name.as_str().unwrap().to_owned())
            .collect();
        let description = mode["description"].as_str().unwrap();
        assert!(
            names
                .iter()
                .all(|name| description.contains(&format!("`{name}`")))
        );
        names.join(" ")
    };
    assert_eq!(listed(library.clone()).await, "text value");
    let with_vectors = library.clone().with_embedder(Arc::<Patient>::clone(&model));
    assert_eq!(listed(with_vectors).await, "text value vector hybrid");
    assert_eq!(
        listed(library.with_chat_model(model)).await,
        "text value tree"
    );
}

/// Prefers what comes last, or fails.
#[derive(Debug)]
struct Contrary {
    fails: bool,
}

#[async_trait]
impl Reranker for Contrary {
    fn name(&self) -> &'static str {
        "contrary"
    }

    async fn rerank(&self, _question: &str, texts: &[String]) -> Result<Vec<f32>> {
        if self.fails {
            return Err(Error::Unavailable {
                model: "contrary".into(),
                source: "connection refused to secret.internal:9".into(),
            });
        }
        Ok((0..texts.len()).map(|at| at as f32).collect())
    }
}

#[tokio::test]
async fn hits_are_reranked_where_the_server_has_a_model_for_it() {
    let text = "# A\n\nPears, pears and pears.\n\n# B\n\nPears and much else.\n";
    let place = Place::with_document("a.md", text).await;
    let agent = Agent::of(Server::new(place.library.clone())).await;
    let search = json!({"query": "pears", "rerank": true});
    let tools = agent.client.list_all_tools().await.unwrap();
    let tool = tools.iter().find(|tool| tool.name == "search").unwrap();
    assert!(tool.input_schema["properties"].get("rerank").is_none());
    let refused = agent.call("search", search.clone()).await;
    assert!(
        refused.is_error && refused.text.contains("`rerank`"),
        "{}",
        refused.text
    );

    let asked = async |fails: bool, arguments: serde_json::Value| {
        let library = place.library.clone();
        let library = library.with_reranker(Arc::new(Contrary { fails }), RerankOptions::default());
        Agent::of(Server::new(library))
            .await
            .ok("search", arguments)
            .await
    };
    let first = asked(false, json!({"query": "pears"})).await;
    assert_eq!(first.facts["hits"][0]["heading_path"], "A");
    let reranked = asked(false, search.clone()).await;
    assert_eq!(reranked.facts["hits"][0]["heading_path"], "B");
    assert!(reranked.facts.get("notes").is_none());
    let failed = asked(true, search).await;
    assert_eq!(failed.facts["hits"][0]["heading_path"], "A");
    let note = failed.facts["notes"][0].as_str().unwrap();
    assert!(
        note.contains("`contrary` failed") && note.contains("not reranked"),
        "{note}"
    );
    assert!(
        failed.text.contains(note) && !failed.text.contains("secret"),
        "{}",
        failed.text
    );
}

/// A model that never answers.
#[derive(Debug)]
struct Silent;

#[async_trait]
impl Reranker for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }

    async fn rerank(&self, _question: &str, _texts: &[String]) -> Result<Vec<f32>> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn the_first_ranking_stands_where_the_reranker_is_late_and_that_is_said() {
    let text = "# A\n\nPears, pears and pears.\n\n# B\n\nPears and much else.\n";
    let place = Place::with_document("a.md", text).await;
    let options = RerankOptions {
        timeout: Duration::from_millis(1),
        collections: vec!["default".into()],
        ..RerankOptions::default()
    };
    let library = place.library.clone();
    let library = library.with_reranker(Arc::new(Silent), options);
    let agent = Agent::of(Server::new(library)).await;
    let said = "`silent` timed out after 1ms; results are not reranked";
    for (arguments, is_said) in [
        (json!({"query": "pears", "rerank": true}), true),
        (json!({"query": "pears", "collection": "default"}), true),
        // It is the only collection, until a memory makes another one.
        (json!({"query": "pears"}), true),
        (json!({"query": "pears"}), false),
    ] {
        if !is_said {
            let text = json!({"text": "Apples are picked in autumn."});
            agent.ok("remember", text).await;
        }
        let reply = agent.ok("search", arguments).await;
        assert_eq!(reply.facts["hits"][0]["heading_path"], "A");
        assert_eq!(reply.text.contains(said), is_said, "{}", reply.text);
        let notes = reply.facts["notes"].as_array();
        let mut notes = notes.into_iter().flatten();
        assert_eq!(notes.any(|note| note == said), is_said, "{}", reply.text);
    }
}
