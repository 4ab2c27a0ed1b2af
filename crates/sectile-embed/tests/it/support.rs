//! Trees, a counter, and a chat model that answers by a script and keeps what it was asked.

use std::fmt;
use std::sync::Mutex;

use async_trait::async_trait;
use sectile_core::{DocumentTree, SectionId, TreeNode};
use sectile_embed::{ChatModel, ChatRequest, Error, Result};
use serde_json::Value;

/// A counter that is stricter than most: a token for each two bytes.
pub(crate) fn tokens(text: &str) -> usize {
    text.len().div_ceil(2)
}

pub(crate) fn section(document: &str, title: &str) -> SectionId {
    SectionId::derive(document, &[title], 0)
}

pub(crate) fn document(name: &str, structure: Vec<TreeNode>) -> DocumentTree {
    DocumentTree {
        doc_name: name.to_owned(),
        structure,
    }
}

/// Makes a node whose section id is that of [`section`].
pub(crate) fn node(document: &str, title: &str, nodes: Vec<TreeNode>) -> TreeNode {
    TreeNode {
        title: title.to_owned(),
        node_id: "0000".to_owned(),
        section_id: section(document, title),
        start_index: None,
        end_index: None,
        line_num: None,
        summary: None,
        text: Some("THE TEXT OF A NODE".to_owned()),
        nodes,
    }
}

type Script = dyn Fn(usize, &ChatRequest) -> Result<String> + Send + Sync;

/// A model that answers by a function of the number of the request and the request.
pub(crate) struct Scripted {
    script: Box<Script>,
    requests: Mutex<Vec<ChatRequest>>,
}

impl Scripted {
    pub(crate) fn new(
        script: impl Fn(usize, &ChatRequest) -> Result<String> + Send + Sync + 'static,
    ) -> Self {
        Self {
            script: Box::new(script),
            requests: Mutex::default(),
        }
    }

    /// Makes a model that says the same each time.
    pub(crate) fn saying(answer: &str) -> Self {
        let answer = answer.to_owned();
        Self::new(move |_, _| Ok(answer.clone()))
    }

    /// Makes a model that chooses by titles: the first of `wanted` that is shown comes first.
    pub(crate) fn choosing(wanted: &'static [&'static str]) -> Self {
        Self::new(move |_, request| {
            let shown = shown(request);
            let ids: Vec<&str> = wanted
                .iter()
                .flat_map(|title| shown.iter().filter(move |(shown, _)| shown == title))
                .map(|(_, id)| id.as_str())
                .collect();
            Ok(serde_json::json!({"thinking": "by title", "node_list": ids}).to_string())
        })
    }

    pub(crate) fn requests(&self) -> Vec<ChatRequest> {
        self.requests.lock().unwrap().clone()
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Scripted").finish_non_exhaustive()
    }
}

#[async_trait]
impl ChatModel for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    async fn complete(&self, request: &ChatRequest) -> Result<String> {
        let number = {
            let mut requests = self.requests.lock().unwrap();
            requests.push(request.clone());
            requests.len() - 1
        };
        (self.script)(number, request)
    }
}

/// Reads the tree in a prompt.
pub(crate) fn tree_of(request: &ChatRequest) -> Value {
    let (_, tree) = request.user.split_once("\n<tree>\n").unwrap();
    serde_json::from_str(tree.strip_suffix("\n</tree>").unwrap()).unwrap()
}

/// Returns the titles, or names of documents, that are shown in a prompt, each with its id.
pub(crate) fn shown(request: &ChatRequest) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![tree_of(request)];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Array(values) => waiting.extend(values.into_iter().rev()),
            Value::Object(mut entry) => {
                waiting.extend(entry.remove("nodes"));
                let title = entry.get("title").or(entry.get("doc_name")).unwrap();
                if let Some(id) = entry.get("node_id") {
                    let text = |value: &Value| value.as_str().unwrap().to_owned();
                    found.push((text(title), text(id)));
                }
            }
            other => panic!("{other} is no entry"),
        }
    }
    found
}

/// Says which variant an error is, so that tests can compare it.
pub(crate) fn kind(error: &Error) -> &'static str {
    match error {
        Error::Configuration { .. } => "configuration",
        Error::Unavailable { .. } => "unavailable",
        Error::Unreachable { .. } => "unreachable",
        Error::Refused { .. } => "refused",
        Error::Answer { .. } => "answer",
        _ => "new",
    }
}
