//! Answers in text over OpenAI's protocol.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::client::Client;
use super::options::{OpenAiOptions, TokenLimit};
use crate::{ChatModel, ChatRequest, Result};

/// The maximum number of bytes of an answer.
const MOST_BYTES: usize = 16 << 20;

/// A chat model behind a server that speaks OpenAI's protocol.
///
/// An answer that was cut off at [`ChatRequest::max_tokens`] is returned as it is. One that was cut
/// off although the request has no limit is an error. It needs a Tokio runtime with time and I/O.
#[derive(Clone, Debug)]
pub struct OpenAiChat {
    client: Client,
    token_limit: TokenLimit,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Deserialize)]
struct Answer {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Reply,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Reply {
    content: Option<String>,
    refusal: Option<String>,
}

impl OpenAiChat {
    /// Creates a model with these options, without sending a request.
    ///
    /// # Errors
    ///
    /// [`Error::Configuration`](crate::Error::Configuration) if the options are invalid.
    pub fn new(options: &OpenAiOptions) -> Result<Self> {
        Ok(Self {
            client: Client::new(options)?,
            token_limit: options.token_limit,
        })
    }

    /// Returns the text of an answer. Only who set a limit expects one that ends at it.
    fn text(&self, answer: Answer, has_limit: bool) -> Result<String> {
        let choice = answer.choices.into_iter().next();
        let choice = choice.ok_or_else(|| self.client.answer("it has no choices"))?;
        if let Some(refusal) = choice.message.refusal.filter(|text| !text.is_empty()) {
            return Err(self.client.refused(&refusal));
        }
        let finish = choice.finish_reason.unwrap_or_default();
        if finish == "content_filter" {
            return Err(self.client.refused("a filter withheld the answer"));
        }
        let text = choice.message.content.unwrap_or_default();
        let (is_cut, is_empty) = (finish == "length", text.trim().is_empty());
        Err(self.client.answer(match (is_cut, is_empty) {
            (true, true) => "it ended before its text began; allow it more tokens",
            (true, false) if !has_limit => "it was cut before its end; allow it more tokens",
            (false, true) => "it has no text",
            (_, false) => return Ok(text),
        }))
    }
}

#[async_trait]
impl ChatModel for OpenAiChat {
    fn name(&self) -> &str {
        self.client.model()
    }

    async fn complete(&self, request: &ChatRequest) -> Result<String> {
        let messages = [("system", &request.system), ("user", &request.user)];
        let limit = |name| request.max_tokens.filter(|_| self.token_limit == name);
        let has_limit = request.max_tokens.is_some();
        let request = Request {
            model: self.client.model(),
            messages: messages
                .into_iter()
                .filter(|(role, content)| *role == "user" || !content.is_empty())
                .map(|(role, content)| Message { role, content })
                .collect(),
            max_tokens: limit(TokenLimit::MaxTokens),
            max_completion_tokens: limit(TokenLimit::MaxCompletionTokens),
        };
        let path = ["chat", "completions"];
        let answer = self.client.post(&path, &request, MOST_BYTES).await?;
        self.text(answer, has_limit)
    }
}
