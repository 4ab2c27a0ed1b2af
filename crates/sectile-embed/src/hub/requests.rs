//! Requests to a hub.

use std::time::{Duration, SystemTime};

use reqwest::header::{ACCEPT_ENCODING, AUTHORIZATION, HeaderMap, HeaderValue, LOCATION, RANGE};
use reqwest::{ClientBuilder, Response, StatusCode, Url};
use serde::de::DeserializeOwned;

use super::HubOptions;
use super::model_reference::HubModel;
use crate::http::{self, Failure, Trouble, address, message, retry};
use crate::{Error, Result};

/// The maximum number of redirects that are followed for one answer.
const MOST_REDIRECTS: usize = 5;

/// The maximum number of bytes of an answer of the API.
const LONGEST_ANSWER: usize = 8 << 20;

/// The maximum number of bytes that are read of an answer that is not a success.
const LONGEST_FAILURE: usize = 64 << 10;

/// How long a connection may take to be there.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// What stands before a token in a header.
const SCHEME: &str = "Bearer ";

/// What sends the requests.
#[derive(Clone, Debug)]
pub(super) struct Requests {
    http: reqwest::Client,
    endpoint: Url,
    token: Option<HeaderValue>,
    retries: u32,
}

impl Requests {
    pub(super) fn new(options: &HubOptions) -> Result<Self> {
        let unusable = |reason: String| Error::Configuration {
            model: options.endpoint.clone(),
            reason,
        };
        let endpoint = http::base(&options.endpoint, "https://huggingface.co");
        // A URL that cannot be read may have a password.
        let endpoint = endpoint.map_err(|reason| Error::Configuration {
            model: "of the hub".to_owned(),
            reason,
        })?;
        let builder = ClientBuilder::default()
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(options.timeout);
        Ok(Self {
            http: http::client(&endpoint, builder).map_err(unusable)?,
            endpoint,
            token: options.token.as_deref().map(token).transpose()?,
            retries: options.retries,
        })
    }

    /// Returns the address of what the API says of a model.
    pub(super) fn info(&self, wanted: &HubModel) -> Url {
        let path = ["api", "models"].into_iter();
        let path = path.chain(wanted.repository().split('/'));
        let mut url = http::below(&self.endpoint, path.chain(["revision", wanted.revision()]));
        url.set_query(Some("blobs=true"));
        url
    }

    /// Returns the address of a file.
    pub(super) fn file(&self, wanted: &HubModel, revision: &str, path: &str) -> Url {
        let repository = wanted.repository().split('/');
        let place = repository.chain(["resolve", revision]);
        http::below(&self.endpoint, place.chain(path.split('/')))
    }

    /// Asks for JSON.
    pub(super) async fn json<T: DeserializeOwned>(&self, model: &str, url: Url) -> Result<T> {
        let mut failures = 0;
        let bytes = loop {
            match self.bytes(model, &url).await {
                Ok(bytes) => break bytes,
                Err(failure) => {
                    tokio::time::sleep(self.pause(model, failures, failure)?).await;
                    failures += 1;
                }
            }
        };
        serde_json::from_slice(&bytes).map_err(|error| Error::Answer {
            model: model.to_owned(),
            reason: format!("{error}; check that {} is a hub", address(&self.endpoint)),
        })
    }

    async fn bytes(&self, model: &str, url: &Url) -> Result<Vec<u8>, Failure> {
        let mut response = self.open(model, url, 0).await?;
        let mut bytes = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| broken(url, error))? {
            if bytes.len() + part.len() > LONGEST_ANSWER {
                return Err(Failure::Final(Error::Answer {
                    model: model.to_owned(),
                    reason: format!("it has more than {LONGEST_ANSWER} bytes"),
                }));
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }

    /// Asks for what is at an address, from a byte on, along its redirects.
    pub(super) async fn open(
        &self,
        model: &str,
        url: &Url,
        from: u64,
    ) -> Result<Response, Failure> {
        let mut at = url.clone();
        for _ in 0..=MOST_REDIRECTS {
            let response = self
                .send(&at, from)
                .await
                .map_err(|error| broken(&at, error))?;
            let status = response.status();
            if status.is_success() || status == StatusCode::RANGE_NOT_SATISFIABLE {
                return Ok(response);
            }
            if !status.is_redirection() {
                return Err(self.failure(model, response).await);
            }
            at = self.target(model, &at, &response).map_err(Failure::Final)?;
        }
        Err(Failure::Final(Error::Answer {
            model: model.to_owned(),
            reason: format!("{} redirects too often", address(url)),
        }))
    }

    async fn send(&self, url: &Url, from: u64) -> reqwest::Result<Response> {
        // What is counted and hashed are the bytes of the file.
        let mut request = self
            .http
            .get(url.clone())
            .header(ACCEPT_ENCODING, "identity");
        if from > 0 {
            request = request.header(RANGE, format!("bytes={from}-"));
        }
        if let Some(token) = &self.token
            && url.origin() == self.endpoint.origin()
        {
            request = request.header(AUTHORIZATION, token.clone());
        }
        request.send().await
    }

    /// Returns where an answer redirects to, which may not be less safe.
    fn target(&self, model: &str, url: &Url, response: &Response) -> Result<Url> {
        let place = response.headers().get(LOCATION);
        let target = place.and_then(|place| url.join(place.to_str().ok()?).ok());
        let is_allowed = |target: &Url| {
            target.scheme() == "https"
                || target.scheme() == "http" && self.endpoint.scheme() == "http"
        };
        target.filter(is_allowed).ok_or_else(|| Error::Answer {
            model: model.to_owned(),
            reason: format!("{} redirects to nowhere that is safe", address(url)),
        })
    }

    /// Sorts an answer that is not a success by what the caller can do.
    async fn failure(&self, model: &str, mut response: Response) -> Failure {
        let mut bytes = Vec::new();
        while let Ok(Some(part)) = response.chunk().await
            && bytes.len() < LONGEST_FAILURE
        {
            bytes.extend_from_slice(&part);
        }
        let (status, url) = (response.status(), address(response.url()));
        let message = said(response.headers(), &bytes, self.secret());
        if matches!(status.as_u16(), 408 | 425 | 429 | 500..) {
            return Failure::Passing {
                wait: retry::asked(response.headers(), SystemTime::now()),
                source: Trouble::Status {
                    address: url,
                    status,
                    message,
                },
            };
        }
        let model = model.to_owned();
        let told = format!("{url} answered with status {status}: {message}");
        let code = response.headers().get("x-error-code");
        let code = code.and_then(|code| code.to_str().ok()).unwrap_or_default();
        Failure::Final(match (status.as_u16(), code) {
            (404, _) | (_, "RepoNotFound" | "RevisionNotFound" | "EntryNotFound") => {
                let reason = format!(
                    "{told}; check its name and the revision, and if it is private, give a token"
                );
                Error::NotFound { model, reason }
            }
            (401 | 403, _) => {
                let page = http::below(&self.endpoint, model.split('/'));
                let reason = format!(
                    "{told}; accept its conditions at {page} if it has some, and give a token"
                );
                Error::Forbidden { model, reason }
            }
            _ => Error::Refused {
                model,
                reason: told,
            },
        })
    }

    /// Returns the token. No message may show it.
    fn secret(&self) -> Option<&str> {
        let header = self.token.as_ref()?.to_str().ok()?;
        header.strip_prefix(SCHEME)
    }

    /// Returns how long to wait after a failure, or the error if nothing is tried again.
    pub(super) fn pause(&self, model: &str, failures: u32, failure: Failure) -> Result<Duration> {
        match failure {
            Failure::Final(error) => Err(error),
            Failure::Passing { wait, .. } if failures < self.retries => {
                Ok(retry::wait(failures, wait))
            }
            Failure::Passing { source, .. } => Err(source.into_error(model)),
        }
    }
}

/// Makes the failure of a connection to the server of an address.
pub(super) fn broken(url: &Url, error: reqwest::Error) -> Failure {
    let server = url.origin().ascii_serialization();
    Failure::of_connection(server, &error.without_url())
}

/// Returns the hub's message, which is in a header, without the token.
fn said(headers: &HeaderMap, body: &[u8], token: Option<&str>) -> String {
    let header = headers.get("x-error-message");
    match header.and_then(|text| text.to_str().ok()) {
        Some(text) => message::brief(text, token),
        None => message::of_body(body, token),
    }
}

fn token(text: &str) -> Result<HeaderValue> {
    let mut value =
        HeaderValue::try_from(format!("{SCHEME}{text}")).map_err(|_| Error::Configuration {
            model: "of the hub".to_owned(),
            reason: "the token has characters that no header may have, such as a line end"
                .to_owned(),
        })?;
    value.set_sensitive(true);
    Ok(value)
}
