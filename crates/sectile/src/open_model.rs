//! Models by name.

use std::sync::Arc;

use sectile_embed::{ChatModel, Embedder, Error, ModelKind, Reranker};

use crate::Result;

/// How long a server may take for an answer: models of one's own are slow.
#[cfg(feature = "openai")]
const TIMEOUT: std::time::Duration = std::time::Duration::from_mins(5);

/// How many texts are in a request of vectors, so that progress is seen, and how many requests are under way at once.
#[cfg(feature = "openai")]
const BATCH: (usize, usize) = (32, 8);

/// How often a request is repeated that a server was too busy for.
#[cfg(feature = "openai")]
const RETRIES: u32 = 4;

/// Opens an embedding model:
///
/// | name | model |
/// |---|---|
/// | `all-MiniLM-L6-v2` | x the same, from any folder |
/// | either with `#int8` at its end | the same, computing in bytes instead of floats |
/// | `http://localhost:8080/v1#NAME` | one behind OpenAI's protocol (feature `openai`) |
/// | `ollama:NAME`, `openai:NAME` | the same, at Ollama's and OpenAI's usual address |
///
/// `key` is sent to a server. A request that a server was too busy for is repeated up to four times.
///
/// # Errors
///
/// [`Error::Model`](crate::Error::Model) when the model cannot be opened or does not answer.
pub async fn open_embedder(name: &str, key: Option<&str>) -> Result<Arc<dyn Embedder>> {
    match address(name, &OPENAI) {
        None => local(name),
        Some(server) => remote_embedder(name, &server, key).await,
    }
}

/// Opens a reranking model:
///
/// | name | model |
/// |---|---|
/// | `ms-marco-MiniLM-L6-v2` | one that [was added](crate::added_models), run in this process (feature `local`) |
/// | `models/ms-marco-MiniLM-L6-v2` | the same, from any folder |
/// | either with `#int8` at its end | the same, computing in bytes instead of floats |
/// | `http://localhost:8080/v1#NAME` | one behind the protocol of Cohere, Jina, vLLM and llama.cpp (feature `openai`) |
/// | `http://localhost:8080` | the one that text-embeddings-inference serves there (feature `openai`) |
/// | `cohere:NAME`, `jina:NAME` | one of theirs, at its usual address (feature `openai`) |
///
/// `key` is sent to a server, of which nothing is asked yet.
///
/// # Errors
///
/// [`Error::Model`](crate::Error::Model) when the model cannot be opened.
pub fn open_reranker(name: &str, key: Option<&str>) -> Result<Arc<dyn Reranker>> {
    match address(name, &RERANKERS) {
        None => local_reranker(name),
        Some(server) => remote_reranker(name, &server, key),
    }
}

/// Opens a chat model behind OpenAI's protocol, by a name such as those of [`open_embedder`].
///
/// # Errors
///
/// [`Error::Model`](crate::Error::Model) when the name is none of a model.
pub fn open_chat_model(name: &str, key: Option<&str>) -> Result<Arc<dyn ChatModel>> {
    let refuse = || Error::Configuration {
        model: crate::shown_url(name),
        reason: "name it as http://HOST/v1#NAME, ollama:NAME or openai:NAME".into(),
    };
    let server = address(name, &OPENAI).ok_or_else(refuse)?;
    remote_chat_model(name, &server, key)
}

/// Checks the name of an embedding or a reranking model, without asking a server or reading the model.
///
/// # Errors
///
/// [`Error::Model`](crate::Error::Model) for what [`open_embedder`] or [`open_reranker`] would refuse.
pub fn check_model_name(kind: ModelKind, name: &str) -> Result<()> {
    if kind == ModelKind::Reranker {
        return match address(name, &RERANKERS) {
            Some(server) => remote_reranker(name, &server, None).map(drop),
            None => check_local(name, kind),
        };
    }
    match address(name, &OPENAI) {
        // Models of both kinds have the same addresses.
        Some(server) => remote_chat_model(name, &server, None).map(drop),
        None => check_local(name, kind),
    }
}

/// The server of a model, and the model's name there.
#[cfg_attr(
    not(feature = "openai"),
    expect(dead_code, reason = "there is nobody to ask")
)]
struct Address<'n> {
    base_url: &'n str,
    model: &'n str,
}

/// The prefixes of embedding and chat models, with the addresses of their servers.
const OPENAI: [(&str, &str); 2] = [
    ("ollama:", "http://localhost:11434/v1"),
    ("openai:", "https://api.openai.com/v1"),
];

/// The same for rerankers.
const RERANKERS: [(&str, &str); 2] = [
    ("cohere:", "https://api.cohere.com/v2"),
    ("jina:", "https://api.jina.ai/v1"),
];

/// Reads the name of a model on a server; nothing for another one.
fn address<'n>(name: &'n str, known: &[(&str, &'n str)]) -> Option<Address<'n>> {
    for &(prefix, base_url) in known {
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
            model: crate::shown_url(name),
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
    let (batch, concurrency) = BATCH;
    let options = options(name, server, key)?
        .with_batch(batch)
        .with_concurrency(concurrency);
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

/// A server that is asked for no model by name serves one, as text-embeddings-inference does.
#[cfg(feature = "openai")]
fn remote_reranker(
    name: &str,
    server: &Address<'_>,
    key: Option<&str>,
) -> Result<Arc<dyn Reranker>> {
    use sectile_embed::{RemoteReranker, RerankProtocol};
    let is_alone = name == server.base_url;
    let shown = crate::shown_url(server.base_url);
    let (protocol, model) = if is_alone {
        (RerankProtocol::TextEmbeddingsInference, &*shown)
    } else {
        (RerankProtocol::Cohere, server.model)
    };
    let base_url = server.base_url;
    let options = options(name, &Address { base_url, model }, key)?;
    Ok(Arc::new(RemoteReranker::new(&options, protocol)?))
}

#[cfg(feature = "local")]
fn local(name: &str) -> Result<Arc<dyn Embedder>> {
    let (name, precision) = precision(name);
    let folder = crate::added::folder(name, ModelKind::Embedder)?;
    let embedder = sectile_embed::LocalEmbedder::open_with(folder, precision)?;
    Ok(Arc::new(embedder))
}

#[cfg(feature = "local")]
fn local_reranker(name: &str) -> Result<Arc<dyn Reranker>> {
    let (name, precision) = precision(name);
    let folder = crate::added::folder(name, ModelKind::Reranker)?;
    let reranker = sectile_embed::LocalReranker::open_with(folder, precision)?;
    Ok(Arc::new(reranker))
}

#[cfg(feature = "local")]
fn check_local(name: &str, kind: ModelKind) -> Result<()> {
    crate::added::folder(precision(name).0, kind).map(drop)
}

/// Splits what a model is to compute in from its name.
#[cfg(feature = "local")]
fn precision(name: &str) -> (&str, sectile_embed::Precision) {
    match name.strip_suffix(crate::added::IN_BYTES) {
        Some(name) => (name, sectile_embed::Precision::Int8),
        None => (name, sectile_embed::Precision::Float32),
    }
}

#[cfg(not(feature = "local"))]
fn check_local(name: &str, _: ModelKind) -> Result<()> {
    Err(lacking(name, "models of its own", "local"))
}

#[cfg(not(feature = "local"))]
fn local_reranker(name: &str) -> Result<Arc<dyn Reranker>> {
    Err(lacking(name, "models of its own", "local"))
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

#[cfg(not(feature = "openai"))]
fn remote_reranker(name: &str, _: &Address<'_>, _: Option<&str>) -> Result<Arc<dyn Reranker>> {
    Err(lacking(name, "models on servers", "openai"))
}

#[cfg(not(all(feature = "local", feature = "openai")))]
fn lacking(name: &str, what: &str, feature: &str) -> crate::Error {
    crate::Error::Model(Error::Configuration {
        model: crate::shown_url(name),
        reason: format!("this build has no {what}; build it with the feature `{feature}`"),
    })
}

#[cfg(all(test, feature = "openai"))]
mod tests {
    use super::*;

    #[test]
    fn rerankers_are_named_as_their_servers_are_asked() {
        let check = |name: &str, expected: Option<(&str, &str)>| {
            let found = open_reranker(name, None).map(|reranker| format!("{reranker:?}"));
            match expected {
                Some((protocol, model)) => {
                    let found = found.unwrap();
                    assert!(found.contains(&format!("protocol: {protocol}")), "{found}");
                    assert!(found.contains(&format!("model: {model:?}")), "{found}");
                }
                None => assert!(found.is_err(), "{name}"),
            }
        };
        let tei = "TextEmbeddingsInference";
        check("http://localhost:1/v1#m", Some(("Cohere", "m")));
        check("http://localhost:1", Some((tei, "http://localhost:1")));
        check("http://localhost:1/v1#", None);
        check("cohere:", None);
        check("a-name", None);
    }

    #[test]
    fn no_refusal_shows_what_is_secret_in_a_name() {
        for name in [
            "http://u:s3cret@localhost:1/v1",
            "http://u:s3cret@localhost:1/v1#m",
            "http://localhost:port/v1?token=s3cret#m",
            "http://localhost:1/v1?token=s3cret",
            "htp://u:s3cret@localhost:1/v1#m",
        ] {
            let of_embedder = check_model_name(ModelKind::Embedder, name).unwrap_err();
            let of_chat = open_chat_model(name, None).map(drop).unwrap_err();
            let of_reranker = open_reranker(name, None).map_or_else(
                |error| crate::error_chain(&error),
                |reranker| format!("{reranker:?} {}", reranker.name()),
            );
            let said = [&of_embedder, &of_chat].map(|error| crate::error_chain(error));
            for said in said.into_iter().chain([of_reranker]) {
                assert!(!said.contains("s3cret"), "{name}: {said}");
            }
        }
    }

    #[test]
    fn names_are_checked_without_asking_anybody() {
        let is_taken = |kind, name| check_model_name(kind, name).is_ok();
        for name in ["ollama:nomic-embed-text", "http://localhost:1/v1#m"] {
            assert!(is_taken(ModelKind::Embedder, name), "{name}");
        }
        assert!(is_taken(ModelKind::Reranker, "http://localhost:1"));
        for name in ["nonsense", "", "ollama:", "http://localhost:1"] {
            assert!(!is_taken(ModelKind::Embedder, name), "{name}");
        }
        assert!(!is_taken(ModelKind::Reranker, "nonsense"));
    }
}
