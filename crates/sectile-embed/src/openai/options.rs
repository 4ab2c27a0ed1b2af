//! Where a model is, and how it is asked.

use std::fmt;
use std::time::Duration;

use reqwest::Url;

use crate::http::{self, address};
use crate::{Error, Result};

/// The server's name for the maximum number of tokens of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenLimit {
    /// `max_tokens`, for Ollama, llama.cpp, vLLM and LM Studio.
    #[default]
    MaxTokens,
    /// `max_completion_tokens`, for OpenAI's reasoning models.
    MaxCompletionTokens,
}

/// The address of a model behind OpenAI's protocol, and options for its requests.
///
/// ```
/// use std::time::Duration;
/// use sectile_embed::OpenAiOptions;
///
/// let ollama = OpenAiOptions::new("http://localhost:11434/v1", "nomic-embed-text")
///     .with_prefixes("search_document: ", "search_query: ")
///     .with_timeout(Duration::from_secs(300))
///     .with_retries(3);
/// assert!(format!("{:?}", ollama.with_key("secret")).contains("nomic-embed-text"));
/// ```
#[derive(Clone)]
pub struct OpenAiOptions {
    pub(super) base_url: String,
    pub(super) model: String,
    pub(super) key: Option<String>,
    pub(super) timeout: Duration,
    pub(super) batch: usize,
    pub(super) concurrency: usize,
    pub(super) retries: u32,
    pub(super) document_prefix: String,
    pub(super) query_prefix: String,
    pub(super) token_limit: TokenLimit,
}

impl OpenAiOptions {
    /// Names a model and the address below which `embeddings` and `chat/completions` are, such as
    /// `http://localhost:11434/v1` for Ollama or `https://api.openai.com/v1`.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            model: model.into(),
            key: None,
            timeout: Duration::from_mins(1),
            batch: 64,
            concurrency: 4,
            retries: 0,
            document_prefix: String::new(),
            query_prefix: String::new(),
            token_limit: TokenLimit::default(),
        }
    }

    /// Sends a key with each request. No error and no debug text contains it.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Sets the timeout of a request; 60 seconds by default.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the number of texts in a request, at least 1; 64 by default.
    #[must_use]
    pub fn with_batch(mut self, texts: usize) -> Self {
        self.batch = texts.max(1);
        self
    }

    /// Sets the number of concurrent requests, at least 1; 4 by default.
    ///
    /// The limit applies to all requests of one [`OpenAiEmbedder`](crate::OpenAiEmbedder) or
    /// [`OpenAiChat`](crate::OpenAiChat) and its clones.
    #[must_use]
    pub fn with_concurrency(mut self, requests: usize) -> Self {
        self.concurrency = requests.max(1);
        self
    }

    /// Sets the maximum number of retries of a request; none by default.
    ///
    /// Only temporary failures are retried: status 408, 425, 429 and 5xx, a timeout, a failed
    /// connection. The delays double from half a second. They are at least as long as `Retry-After`
    /// says, and at most a minute.
    #[must_use]
    pub fn with_retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets the model's prefixes for documents and questions; none by default.
    ///
    /// Vectors that were made with other prefixes are not comparable, even if the model is the
    /// same.
    #[must_use]
    pub fn with_prefixes(mut self, document: impl Into<String>, query: impl Into<String>) -> Self {
        self.document_prefix = document.into();
        self.query_prefix = query.into();
        self
    }

    /// Sets the server's name for the maximum number of tokens of an answer.
    #[must_use]
    pub fn with_token_limit(mut self, name: TokenLimit) -> Self {
        self.token_limit = name;
        self
    }

    pub(super) fn url(&self) -> Result<Url> {
        http::base(&self.base_url, "http://localhost:11434/v1")
            .map_err(|reason| self.unusable(reason))
    }

    pub(super) fn unusable(&self, reason: impl Into<String>) -> Error {
        Error::Configuration {
            model: self.model.clone(),
            reason: reason.into(),
        }
    }
}

impl fmt::Debug for OpenAiOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let address = self.url().map(|url| address(&url));
        formatter
            .debug_struct("OpenAiOptions")
            .field("base_url", &address.as_deref().unwrap_or("invalid"))
            .field("model", &self.model)
            .field("has_key", &self.key.is_some())
            .field("timeout", &self.timeout)
            .field("batch", &self.batch)
            .field("concurrency", &self.concurrency)
            .field("retries", &self.retries)
            .field("document_prefix", &self.document_prefix)
            .field("query_prefix", &self.query_prefix)
            .field("token_limit", &self.token_limit)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_secret_is_shown() {
        let options = OpenAiOptions::new("https://host/v1?token=hidden", "m").with_key("hidden");
        let shown = format!("{options:?}");
        assert!(!shown.contains("hidden"), "{shown}");
        assert!(shown.contains("https://host/v1"), "{shown}");
        let options = OpenAiOptions::new("https://user:hidden@host/v1", "m");
        assert!(!format!("{options:?}").contains("hidden"));
        assert!(!options.url().unwrap_err().to_string().contains("hidden"));
    }

    #[test]
    fn addresses_that_are_none_are_refused() {
        for base_url in ["localhost:11434", "", "ftp://host/v1", "data:text/plain,x"] {
            let error = OpenAiOptions::new(base_url, "m").url().unwrap_err();
            assert!(matches!(error, Error::Configuration { .. }), "{base_url}");
        }
    }

    #[test]
    fn numbers_of_nothing_become_one() {
        let options = OpenAiOptions::new("http://host", "m")
            .with_batch(0)
            .with_concurrency(0);
        assert_eq!((options.batch, options.concurrency), (1, 1));
    }
}
