//! Models by name.

use std::sync::Arc;

use sectile_embed::{ChatModel, Embedder, Error};

use crate::Result;

/// How long a server may take for an answer: models of one's own are slow.
#[cfg(feature = "openai")]
const TIMEOUT: std::time::Duration = std::time::Duration::from_mins(5);

/// How often a request is repeated that a server was too busy for.
#[cfg(feature = "openai")]
const RETRIES: u32 = 4;

/// Opens an embedding model:
///
/// | name | model |
/// |---|---|
/// | `models/all-MiniLM-L6-v2` | a folder with a model of the BERT family, run in this process (feature `local`) |
/// | `http://localhost:8080/v1#NAME` | one behind OpenAI's protocol (feature `openai`) |
/// | `ollama:NAME`, `openai:NAME` | the same, at Ollama's and OpenAI's usual address |
///
/// `key` is sent to a server. A request that a server was too busy for is repeated up to four times.
///
/// # Errors
///
/// [`Error::Model`](crate::Error::Model) when the model cannot be opened or does not answer.
pub async fn open_embedder(name: &str, key: Option<&str>) -> Result<Arc<dyn Embedder>> {
    match address(name) {
        None => local(name),
        Some(server) => remote_embedder(name, &server, key).await,
    }
}

/// Opens a chat model behind OpenAI's protocol, by a name such as those of [`open_embedder`].
///
/// # Errors
///
/// [`Error::Model`](crate::Error::Model) when the name is none of a model.
pub fn open_chat_model(name: &str, key: Option<&str>) -> Result<Arc<dyn ChatModel>> {
    let refuse = || Error::Configuration {
        model: name.to_owned(),
        reason: "name it as http://HOST/v1#NAME, ollama:NAME or openai:NAME".into(),
    };
    let server = address(name).ok_or_else(refuse)?;
    remote_chat_model(name, &server, key)
}

/// Where a model is, and its name there.
#[cfg_attr(
    not(feature = "openai"),
    expect(dead_code, reason = "there is nobody to ask")
)]
struct Address<'n> {
    base_url: &'n str,
    model: &'n str,
}

/// Reads the name of a model on a server; nothing for another one.
fn address(name: &str) -> Option<Address<'_>> {
    let known = [
        ("ollama:", "http://localhost:11434/v1"),
        ("openai:", "https://api.openai.com/v1"),
    ];
    for (prefix, base_url) in known {
        if let Some(model) = name.strip_prefix(prefix) {
            return Some(Address { base_url, model });
        }
    }
    let is_url = ["http://", "https://"]
        .iter()
        .any(|scheme| name.starts_with(scheme));
    let (base_url, model) = name.split_once('#').unwrap_or((name, ""));
    is_url.then_some(Address { base_url, model })
}

#[cfg(feature = "openai")]
fn options(
    name: &str,
    server: &Address<'_>,
    key: Option<&str>,
) -> Result<sectile_embed::OpenAiOptions> {
    if server.model.is_empty() {
        return Err(crate::Error::Model(Error::Configuration {
            model: name.to_owned(),
            reason: "it names no model; add it, as in http://HOST/v1#NAME".into(),
        }));
    }
    let options = sectile_embed::OpenAiOptions::new(server.base_url, server.model)
        .with_timeout(TIMEOUT)
        .with_retries(RETRIES);
    Ok(key.map_or(options.clone(), |key| options.with_key(key)))
}

#[cfg(feature = "openai")]
async fn remote_embedder(
    name: &str,
    server: &Address<'_>,
    key: Option<&str>,
) -> Result<Arc<dyn Embedder>> {
    let options = options(name, server, key)?;
    Ok(Arc::new(
        sectile_embed::OpenAiEmbedder::connect(&options).await?,
    ))
}

#[cfg(feature = "openai")]
fn remote_chat_model(
    name: &str,
    server: &Address<'_>,
    key: Option<&str>,
) -> Result<Arc<dyn ChatModel>> {
    let options = options(name, server, key)?;
    Ok(Arc::new(sectile_embed::OpenAiChat::new(&options)?))
}

#[cfg(feature = "local")]
fn local(name: &str) -> Result<Arc<dyn Embedder>> {
    Ok(Arc::new(sectile_embed::LocalEmbedder::open(name)?))
}

#[cfg(not(feature = "local"))]
fn local(name: &str) -> Result<Arc<dyn Embedder>> {
    Err(lacking(name, "models of its own", "local"))
}

#[cfg(not(feature = "openai"))]
#[expect(clippy::unused_async, reason = "where there are servers it asks one")]
async fn remote_embedder(
    name: &str,
    _: &Address<'_>,
    _: Option<&str>,
) -> Result<Arc<dyn Embedder>> {
    Err(lacking(name, "models on servers", "openai"))
}

#[cfg(not(feature = "openai"))]
fn remote_chat_model(name: &str, _: &Address<'_>, _: Option<&str>) -> Result<Arc<dyn ChatModel>> {
    Err(lacking(name, "models on servers", "openai"))
}

#[cfg(not(all(feature = "local", feature = "openai")))]
fn lacking(name: &str, what: &str, feature: &str) -> crate::Error {
    crate::Error::Model(Error::Configuration {
        model: name.to_owned(),
        reason: format!("this build has no {what}; build it with the feature `{feature}`"),
    })
}
