//! Whether models answer, whether the settings need one that is missing, and whether they name collections that are not
//! there.

use anyhow::anyhow;
use sectile::Library;
use sectile::models::{ChatRequest, ModelKind, Purpose};

use super::{Finding, is_missing, store_url};
use crate::args::{DoctorArguments, Mode};
use crate::commands::{api_key, only_added};
use crate::settings::Settings;

/// Asks each model that is named, or that the settings need.
pub(super) async fn checked(
    arguments: &DoctorArguments,
    settings: &Settings,
    store: Option<String>,
) -> Vec<Finding> {
    // A server that is out of reach is not waited for without need.
    let names_collections = !(settings.rerank.is_empty() && settings.languages.is_empty());
    let library = if names_collections || compares_vectors(settings) {
        library(store).await
    } else {
        None
    };
    let named = arguments.embedder.embedder.as_ref();
    let named = named.or(settings.embedder.as_ref()).map(String::as_str);
    let mut findings = vec![embedder(named, settings, library.as_ref()).await];
    let named = arguments.chat.chat_model.as_ref();
    let named = named.or(settings.chat_model.as_ref()).map(String::as_str);
    findings.push(chat_model(named, settings).await);
    let named = arguments.reranker.as_ref();
    let named = named.or(settings.reranker.as_ref()).map(String::as_str);
    findings.push(reranker(named, &settings.rerank).await);
    if let Some(library) = &library {
        findings.extend(collections(settings, library).await);
    }
    findings
}

/// Returns whether searches need an embedding model by the setting `mode`.
fn compares_vectors(settings: &Settings) -> bool {
    matches!(settings.mode, Some(Mode::Vector | Mode::Hybrid))
}

/// Opens the store, unless it is not there or cannot be used, which another check says.
async fn library(store: Option<String>) -> Option<Library> {
    let url = store_url(store).ok().filter(|url| !is_missing(url))?;
    Library::open_to_read(&url).await.ok()
}

/// The advice where a mode needs a model that is not named.
const NAME_EMBEDDER: &str = "`sectile model add all-MiniLM-L6-v2` gets one, `sectile config set embedder NAME` names one, \
    and `sectile config set mode text` does without";
const NAME_CHAT_MODEL: &str = "`sectile config set chat-model NAME` names one, and `sectile config set mode text` does without";
const NAME_RERANKER: &str = "`sectile model add ms-marco-MiniLM-L6-v2` gets one, `sectile config set reranker NAME` names \
    one, and `sectile config unset rerank` does without";

async fn embedder(named: Option<&str>, settings: &Settings, library: Option<&Library>) -> Finding {
    if let Some(name) = named {
        return asked_embedder(name).await;
    }
    if !compares_vectors(settings) {
        return Finding::fine("embedder", "none; searches are by text");
    }
    match usual_embedder(library).await {
        Ok(Some(name)) => asked_embedder(&name).await,
        Ok(None) => Finding::problem(
            "embedder",
            &lacking(settings, "an embedding model"),
            NAME_EMBEDDER,
        ),
        Err(error) => Finding::problem("embedder", &error, NAME_EMBEDDER),
    }
}

/// Says that searches fail for the lack of a model that the setting `mode` needs.
fn lacking(settings: &Settings, what: &str) -> anyhow::Error {
    let mode = settings.get("mode").unwrap_or_default();
    anyhow!("searches fail: the setting `mode` is {mode}, which needs {what}, and none is set")
}

/// Returns the model that a search uses where none is named.
async fn usual_embedder(library: Option<&Library>) -> anyhow::Result<Option<String>> {
    let Some(library) = library else {
        return only_added(ModelKind::Embedder);
    };
    if let Some(name) = library.added_embedder(None).await? {
        return Ok(Some(name));
    }
    let stored = library.totals().await?.models;
    if let Some((collection, model)) = stored.iter().next() {
        let model = &model.name;
        anyhow::bail!("the vectors of `{collection}` are of the model `{model}`, which is not set");
    }
    only_added(ModelKind::Embedder)
}

async fn asked_embedder(name: &str) -> Finding {
    let ask = async {
        let embedder = sectile::open_embedder(name, api_key(name)?.as_deref()).await?;
        let texts = ["a question".to_owned()];
        embedder.embed(&texts, Purpose::Query).await?;
        let reads = embedder.max_tokens();
        let reads = reads.map_or_else(String::new, |tokens| {
            format!(", reads {tokens} tokens of a text")
        });
        anyhow::Ok((embedder.model().dimensions, reads))
    };
    match ask.await {
        Ok((dimensions, reads)) => Finding::fine(
            "embedder",
            format!(
                "{} answers, {dimensions} dimensions{reads}",
                sectile::shown_url(name)
            ),
        ),
        Err(error) => Finding::problem("embedder", &error, model_advice(name)),
    }
}

async fn chat_model(named: Option<&str>, settings: &Settings) -> Finding {
    let Some(name) = named else {
        if settings.mode != Some(Mode::Tree) {
            return Finding::fine("chat model", "none");
        }
        let error = lacking(settings, "a chat model");
        return Finding::problem("chat model", &error, NAME_CHAT_MODEL);
    };
    let ask = async {
        let model = sectile::open_chat_model(name, api_key(name)?.as_deref())?;
        let request = ChatRequest {
            system: "Answer with one word.".to_owned(),
            user: "Are you there?".to_owned(),
            max_tokens: Some(16),
        };
        anyhow::Ok(model.complete(&request).await?)
    };
    match ask.await {
        Ok(_) => {
            let name = sectile::shown_url(name);
            Finding::fine("chat model", format!("{name} answers"))
        }
        Err(error) => Finding::problem("chat model", &error, model_advice(name)),
    }
}

/// Asks the reranking model. `always` are the collections in which every search is reranked.
async fn reranker(named: Option<&str>, always: &[String]) -> Finding {
    let usual = match named {
        None if always.is_empty() => return Finding::fine("reranker", "none"),
        None => only_added(ModelKind::Reranker),
        Some(name) => Ok(Some(name.to_owned())),
    };
    let name = match usual {
        Ok(Some(name)) => name,
        Ok(None) => {
            let error = anyhow!(
                "searches of `{}` fail: the setting `rerank` has a model order their hits, and none is set",
                always.join("`, `")
            );
            return Finding::problem("reranker", &error, NAME_RERANKER);
        }
        Err(error) => return Finding::problem("reranker", &error, NAME_RERANKER),
    };
    let ask = async {
        let model = sectile::open_reranker(&name, api_key(&name)?.as_deref())?;
        let texts = ["a text".to_owned()];
        anyhow::Ok(model.rerank("a question", &texts).await?)
    };
    match ask.await {
        Ok(_) => {
            let name = sectile::shown_url(&name);
            Finding::fine("reranker", format!("{name} answers"))
        }
        Err(error) => Finding::problem("reranker", &error, model_advice(&name)),
    }
}

/// Names the collections of settings that have no documents.
async fn collections(settings: &Settings, library: &Library) -> Vec<Finding> {
    let Ok(present) = library.collections().await else {
        // Another check says it.
        return Vec::new();
    };
    let languages: Vec<String> = settings.languages.keys().cloned().collect();
    let set = [("rerank", &settings.rerank), ("language", &languages)];
    let finding = |(setting, names): (&'static str, &Vec<String>)| {
        let absent = names.iter().filter(|name| !present.contains(name));
        let absent: Vec<&str> = absent.map(String::as_str).collect();
        (!absent.is_empty()).then(|| {
            let absent = absent.join("`, `");
            Finding::warning(
                setting,
                format!("no document is in `{absent}`"),
                format!(
                    "`sectile status` shows the collections, and `sectile config set {setting} …` corrects the names"
                ),
            )
        })
    };
    set.into_iter().filter_map(finding).collect()
}

fn model_advice(name: &str) -> &'static str {
    if !name.contains(':') {
        "`sectile model add` adds a model, `sectile model list` shows all"
    } else if name.starts_with("ollama:") {
        "start Ollama with `ollama serve`, and fetch the model with `ollama pull`"
    } else {
        "check that the server is running, has the model and accepts SECTILE_API_KEY"
    }
}
