//! Requests and answers over HTTP.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{ClientBuilder, Request, Response, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use super::failure;
use super::options::OpenAiOptions;
use crate::http::{self, Failure, address, message, retry};
use crate::{Error, Result};

/// The maximum number of bytes that are read of an answer that is not a success.
const LONGEST_FAILURE: usize = 64 << 10;

/// What sends the requests of one model.
#[derive(Clone)]
pub(super) struct Client {
    http: reqwest::Client,
    base: Url,
    model: String,
    key: Option<String>,
    timeout: Duration,
    retries: u32,
    slots: Arc<Semaphore>,
}

impl Client {
    pub(super) fn new(options: &OpenAiOptions) -> Result<Self> {
        let base = options.url()?;
        let client = Self {
            http: http::client(&base, ClientBuilder::default())
                .map_err(|reason| options.unusable(reason))?,
            base,
            model: options.model.clone(),
            key: options.key.clone(),
            timeout: options.timeout,
            retries: options.retries,
            slots: Arc::new(Semaphore::new(
                options.concurrency.min(Semaphore::MAX_PERMITS),
            )),
        };
        client.authorization()?;
        Ok(client)
    }

    /// Returns the model's name.
    pub(super) fn model(&self) -> &str {
        &self.model
    }

    /// Sends a request and reads the answer, which has at most `limit` bytes.
    pub(super) async fn post<B, A>(&self, path: &[&str], body: &B, limit: usize) -> Result<A>
    where
        B: Serialize + Sync,
        A: DeserializeOwned,
    {
        self.post_by(path, body, limit, None).await
    }

    /// Sends a request as [`post`](Self::post) does, and repeats it only if there is time left until a deadline.
    pub(super) async fn post_by<B, A>(
        &self,
        path: &[&str],
        body: &B,
        limit: usize,
        deadline: Option<Instant>,
    ) -> Result<A>
    where
        B: Serialize + Sync,
        A: DeserializeOwned,
    {
        let request = self.request(path, body)?;
        let bytes = self.send(&request, limit, deadline).await?;
        serde_json::from_slice(&bytes).map_err(|error| self.unreadable(&error, &bytes))
    }

    /// Makes the error of an answer that cannot be read.
    pub(super) fn answer(&self, reason: &str) -> Error {
        Error::Answer {
            model: self.model.clone(),
            reason: message::brief(reason, self.key.as_deref()),
        }
    }

    /// Makes the error of a request that the model declines.
    pub(super) fn refused(&self, reason: &str) -> Error {
        Error::Refused {
            model: self.model.clone(),
            reason: message::brief(reason, self.key.as_deref()),
        }
    }

    fn unreadable(&self, error: &serde_json::Error, bytes: &[u8]) -> Error {
        let message = serde_json::from_slice(bytes)
            .ok()
            .and_then(|json| message::of_json(&json));
        match message {
            Some(message) => self.answer(&format!("{error}; it says: {message}")),
            None => self.answer(&format!("{error}; check the base URL")),
        }
    }

    fn request<B: Serialize>(&self, path: &[&str], body: &B) -> Result<Request> {
        let url = http::below(&self.base, path.iter().copied());
        let body = serde_json::to_vec(body).expect("texts and numbers can be written as JSON");
        let mut request = self
            .http
            .post(url)
            .timeout(self.timeout)
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        if let Some(value) = self.authorization()? {
            request = request.header(AUTHORIZATION, value);
        }
        request.build().map_err(|error| {
            let reason = format!("the request cannot be made: {}", error.without_url());
            self.unusable(reason)
        })
    }

    fn authorization(&self) -> Result<Option<HeaderValue>> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        let mut value = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| {
            self.unusable("its key has characters that no header may have, such as a line end")
        })?;
        value.set_sensitive(true);
        Ok(Some(value))
    }

    async fn send(
        &self,
        request: &Request,
        limit: usize,
        deadline: Option<Instant>,
    ) -> Result<Vec<u8>> {
        let mut repetition = 0;
        loop {
            let request = request.try_clone().expect("the body is in memory");
            match self.attempt(request, limit).await {
                Ok(bytes) => return Ok(bytes),
                Err(Failure::Passing { source, wait }) => {
                    let wait = retry::wait(repetition, wait);
                    let is_late = is_late(wait, Instant::now(), deadline);
                    if repetition >= self.retries || is_late {
                        return Err(source.into_error(&self.model));
                    }
                    tokio::time::sleep(wait).await;
                    repetition += 1;
                }
                Err(Failure::Final(error)) => return Err(error),
            }
        }
    }

    async fn attempt(&self, request: Request, limit: usize) -> Result<Vec<u8>, Failure> {
        let slot = self.slots.acquire().await;
        let _slot = slot.expect("nobody closes the semaphore");
        let response = self.http.execute(request).await;
        let mut response = response.map_err(|error| self.broken(error))?;
        if !response.status().is_success() {
            return Err(self.failure(response).await);
        }
        let mut bytes = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| self.broken(error))? {
            if bytes.len() + part.len() > limit {
                let reason = format!("it has more than the {limit} bytes that can be right");
                return Err(Failure::Final(self.answer(&reason)));
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }

    async fn failure(&self, mut response: Response) -> Failure {
        let mut bytes = Vec::new();
        // What cannot be read of a failure does not change what it is.
        while let Ok(Some(part)) = response.chunk().await
            && bytes.len() < LONGEST_FAILURE
        {
            bytes.extend_from_slice(&part);
        }
        let message = message::of_body(&bytes, self.key.as_deref());
        let wait = retry::asked(response.headers(), SystemTime::now());
        let status = response.status();
        failure::of_status(&self.model, address(&self.base), status, message, wait)
    }

    fn broken(&self, error: reqwest::Error) -> Failure {
        Failure::of_connection(address(&self.base), &error.without_url())
    }

    fn unusable(&self, reason: impl Into<String>) -> Error {
        Error::Configuration {
            model: self.model.clone(),
            reason: reason.into(),
        }
    }
}

/// Returns whether a wait from now on ends after the deadline of the caller, who then has no use for an answer.
fn is_late(wait: Duration, now: Instant, deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| now + wait > deadline)
}

impl fmt::Debug for Client {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Client")
            .field("base", &address(&self.base))
            .field("model", &self.model)
            .field("timeout", &self.timeout)
            .field("retries", &self.retries)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_late_that_ends_after_the_deadline() {
        let now = Instant::now();
        let [one, two] = [1, 2].map(Duration::from_secs);
        let late = [None, Some(now + one), Some(now + two), Some(now)]
            .map(|deadline| is_late(two, now, deadline));
        assert_eq!(late, [false, true, false, true]);
    }

    #[test]
    fn keys_that_no_header_can_have_are_refused_unshown() {
        let options = OpenAiOptions::new("http://host/v1", "m").with_key("hidden\n");
        let error = Client::new(&options).unwrap_err();
        assert!(!format!("{error:?}").contains("hidden"));
    }

    #[test]
    fn the_key_is_not_shown() {
        let options = OpenAiOptions::new("https://host/v1?k=hidden", "m").with_key("hidden");
        // Where the system has no certificates there is no client to show.
        if let Ok(client) = Client::new(&options) {
            assert!(!format!("{client:?}").contains("hidden"));
        }
    }
}
