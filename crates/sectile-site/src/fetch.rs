//! Polite and safe requests.

mod body;
mod failures;
#[cfg(test)]
mod guarded;
mod headers;
mod host;
mod placeholder;

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap};
use reqwest::{Response, StatusCode};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::sync::Semaphore;
use url::Url;

use crate::answer::{Answer, Body, Kind, Known};
use crate::encoding;
use crate::resolve::{Guard, Resolver, Rule, SystemResolver, check};
use crate::{Error, Result, Robots, SiteOptions};
use body::{ENCODINGS, Failure};
use failures::{of_body, of_status, of_transport, unavailable};
use headers::{head, redirect};
use host::{Host, Hosts};

/// The name of this program in robots.txt.
pub const USER_AGENT_TOKEN: &str = "sectile";

/// The header `User-Agent` of every request.
const USER_AGENT: &str = concat!(
    "sectile/",
    env!("CARGO_PKG_VERSION"),
    " (+",
    env!("CARGO_PKG_REPOSITORY"),
    ")"
);

/// What is preferred, best first.
const ACCEPTED: &str = "text/markdown, text/plain;q=0.9, text/html;q=0.8, */*;q=0.1";

/// The header `Accept` of a crawl. It prefers web pages, because they have the links. It leaves out Markdown, because
/// some servers send Markdown whenever a client accepts it.
const ACCEPTED_OF_CRAWL: &str = "text/html, application/xhtml+xml, text/plain;q=0.8, */*;q=0.1";

/// The most bytes of a robots.txt that are read; RFC 9309 asks for no more.
const ROBOTS_BYTES: usize = 500 << 10;

/// How often a page is asked for again when its host asks to wait for a moment.
const REPEATS: u32 = 2;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// A page, which is text.
    Page,
    /// A page whose links are followed.
    Linked,
    /// An `llms-full.txt`, which is larger.
    Full,
    /// A sitemap.
    Sitemap,
}

/// Requests pages. It sends its own user agent, follows each host's robots.txt, limits the number,
/// the duration and the concurrency of requests as the options say, and connects to public addresses
/// only.
///
/// It ignores proxies in the environment. A proxy would look up host names itself, so the addresses
/// could not be checked.
#[derive(Clone, Debug)]
pub struct Fetcher(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    http: reqwest::Client,
    rule: Rule,
    options: SiteOptions,
    hosts: Hosts,
    slots: Semaphore,
}

/// What one request leads to.
enum Step {
    Redirect(Redirect),
    Answer(Answer),
}

/// Where an address leads.
struct Redirect {
    to: Url,
    /// The server says that it holds only for now.
    is_temporary: bool,
}

/// An answer, and how it was reached.
pub(crate) struct Followed {
    pub(crate) answer: Answer,
    /// Whether a redirect on the way holds only for now, as those of a site under maintenance do.
    pub(crate) is_temporary: bool,
}

impl Fetcher {
    /// Creates a fetcher that looks up host names with the system's resolver.
    ///
    /// # Errors
    ///
    /// [`Error::Client`].
    pub fn new(options: &SiteOptions) -> Result<Self> {
        Self::with_resolver(options, Arc::new(SystemResolver))
    }

    /// Creates a fetcher that looks up host names with `resolver`. It still checks the addresses.
    ///
    /// # Errors
    ///
    /// [`Error::Client`].
    pub fn with_resolver(options: &SiteOptions, resolver: Arc<dyn Resolver>) -> Result<Self> {
        Self::with_rule(options, resolver, options.rule())
    }

    fn with_rule(options: &SiteOptions, resolver: Arc<dyn Resolver>, rule: Rule) -> Result<Self> {
        let guard = Guard {
            resolver,
            rule: rule.clone(),
        };
        let http = reqwest::Client::builder()
            .user_agent(USER_AGENT)
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .no_proxy()
            .connect_timeout(options.connect_timeout)
            .dns_resolver(Arc::new(guard))
            .tls_backend_preconfigured(tls())
            .build();
        let http = http.map_err(|error| Error::Client {
            source: Arc::new(error),
        })?;
        Ok(Self(Arc::new(Inner {
            http,
            rule,
            options: options.clone(),
            hosts: Hosts::default(),
            slots: Semaphore::new(options.in_all.clamp(1, Semaphore::MAX_PERMITS)),
        })))
    }

    /// Requests a page and follows its redirects. Requests are conditional for addresses in
    /// `known`.
    ///
    /// # Errors
    ///
    /// Any of [`Error`] but [`Error::NoListing`].
    pub async fn get(&self, url: &Url, want: Want, known: &Known) -> Result<Answer> {
        let followed = self.follow(url, want, known).await?;
        Ok(followed.answer)
    }

    /// Asks for a page as [`get`](Self::get) does, and says whether its redirects hold only for now.
    pub(crate) async fn follow(&self, url: &Url, want: Want, known: &Known) -> Result<Followed> {
        let failed = |reason: String| Error::Redirect {
            url: url.clone(),
            reason,
        };
        let mut at = url.clone();
        let mut is_temporary = false;
        for _ in 0..=self.0.options.max_redirects {
            at.set_fragment(None);
            check(&at, &self.0.rule)?;
            let host = self.0.hosts.of(&at, self.0.options.per_host);
            let robots = self.robots_of(&host, &at).await?;
            if !robots.allows(&at) {
                return Err(Error::Disallowed { url: at });
            }
            match self.ask(&host, &robots, &at, want, known).await {
                Ok(Step::Answer(answer)) => {
                    return Ok(Followed {
                        answer,
                        is_temporary,
                    });
                }
                Ok(Step::Redirect(next)) => {
                    at = next.to;
                    is_temporary |= next.is_temporary;
                }
                // What an address leads to for now does not say that its page is gone.
                Err(Error::NotFound { .. }) if is_temporary => {
                    return Err(failed(format!(
                        "for now it leads to `{at}`, which is not there"
                    )));
                }
                Err(error) => return Err(error),
            }
        }
        let most = self.0.options.max_redirects;
        Err(failed(format!("there are more than {most}")))
    }

    /// Returns the rules of the host of an address.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get), if the rules cannot be read. Then no page of the host may be
    /// requested.
    pub async fn robots(&self, url: &Url) -> Result<Robots> {
        check(url, &self.0.rule)?;
        let host = self.0.hosts.of(url, self.0.options.per_host);
        self.robots_of(&host, url).await
    }

    async fn robots_of(&self, host: &Host, url: &Url) -> Result<Robots> {
        let read = host.robots.get_or_init(|| self.read_robots(host, url));
        read.await.clone()
    }

    async fn read_robots(&self, host: &Host, url: &Url) -> Result<Robots> {
        let mut at = url.clone();
        at.set_path("/robots.txt");
        at.set_query(None);
        for _ in 0..=self.0.options.max_redirects {
            at.set_fragment(None);
            check(&at, &self.0.rule)?;
            let Some(next) = self.ask_for_robots(host, &at).await? else {
                return Ok(Robots::default());
            };
            match next {
                Robotic::Text(text) => return Ok(Robots::parse(&text, USER_AGENT_TOKEN)),
                Robotic::Redirect(next) => at = next,
            }
        }
        // What cannot be found is not there, says RFC 9309.
        Ok(Robots::default())
    }

    async fn ask_for_robots(&self, host: &Host, at: &Url) -> Result<Option<Robotic>> {
        let work = async {
            let response = self.send(at, Want::Page, HeaderMap::new()).await?;
            match response.status().as_u16() {
                200..=299 => {}
                300..=399 => {
                    let redirect = redirect(&response, at).ok();
                    return Ok(redirect.map(|redirect| Robotic::Redirect(redirect.to)));
                }
                408 | 425 | 429 | 500.. => return Err(of_status(&response, at)),
                _ => return Ok(None),
            }
            let bytes = body::read_beginning(response, ROBOTS_BYTES).await;
            let bytes = bytes.map_err(|failure| of_body(failure, at, ROBOTS_BYTES))?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Ok(Some(Robotic::Text(text)))
        };
        self.in_turn(host, Duration::ZERO, at, work).await
    }

    /// Asks for one address, again after a short wait if its host asks for one.
    async fn ask(
        &self,
        host: &Host,
        robots: &Robots,
        at: &Url,
        want: Want,
        known: &Known,
    ) -> Result<Step> {
        let longest = self.0.options.max_wait;
        let delay = robots.delay().unwrap_or_default().min(longest);
        let mut repeats = 0;
        loop {
            let work = self.exchange(at, want, known);
            match self.in_turn(host, delay, at, work).await {
                Err(Error::Unavailable {
                    retry_after: Some(pause),
                    ..
                }) if pause <= longest && repeats < REPEATS => {
                    host.pause(pause);
                    repeats += 1;
                }
                result => return result,
            }
        }
    }

    /// Does work when the host may be asked, and in the time that one request may take.
    async fn in_turn<T>(
        &self,
        host: &Host,
        delay: Duration,
        at: &Url,
        work: impl Future<Output = Result<T>>,
    ) -> Result<T> {
        let _of_host = host.slots.acquire().await.expect("nobody closes it");
        host.wait(delay).await;
        let _of_all = self.0.slots.acquire().await.expect("nobody closes it");
        if host.is_slow() {
            let reason = "the host ran out of time for others, so it is not asked any more";
            return Err(unavailable(at, None, reason.to_owned()));
        }
        let within = self.0.options.timeout;
        let done = tokio::time::timeout(within, work).await;
        host.note(done.is_ok());
        done.unwrap_or_else(|_| {
            let took = format!("it took longer than {} ms", within.as_millis());
            Err(unavailable(at, None, took))
        })
    }

    async fn exchange(&self, at: &Url, want: Want, known: &Known) -> Result<Step> {
        let validators = known.get(at.as_str()).cloned().unwrap_or_default();
        let response = self.send(at, want, validators.headers()).await?;
        match response.status() {
            // The latter comes from a proxy that has changed the page.
            StatusCode::OK | StatusCode::NON_AUTHORITATIVE_INFORMATION => {}
            StatusCode::NOT_MODIFIED if !validators.is_empty() => {
                return Ok(Step::Answer(Answer::NotModified { url: at.clone() }));
            }
            status if status.is_redirection() => {
                return Ok(Step::Redirect(redirect(&response, at)?));
            }
            _ => return Err(of_status(&response, at)),
        }
        let body = self.body(response, at, want).await?;
        Ok(Step::Answer(Answer::Body(body)))
    }

    /// Reads a page, unless its head says that it is of no use or too large.
    async fn body(&self, response: Response, at: &Url, want: Want) -> Result<Body> {
        let empty = head(response.headers(), at);
        if want != Want::Sitemap && empty.kind().is_none() {
            return Err(Error::UnsupportedType {
                url: empty.url,
                content_type: empty.content_type,
            });
        }
        let limit = match want {
            Want::Full | Want::Sitemap => self.0.options.full_bytes,
            Want::Page | Want::Linked => self.0.options.page_bytes,
        };
        if body::is_too_large(&response, limit) {
            return Err(of_body(Failure::TooLarge, at, limit));
        }
        let bytes = body::read(response, limit).await;
        let bytes = bytes.map_err(|failure| of_body(failure, at, limit))?;
        let body = Body { bytes, ..empty };
        if want == Want::Sitemap {
            return Ok(body);
        }
        if let Some(found) = body.file_type() {
            return Err(Error::UnsupportedType {
                url: body.url,
                content_type: found.to_owned(),
            });
        }
        let is_html = body.kind() == Some(Kind::Html);
        let bytes = encoding::unified(body.bytes, &body.content_type, is_html);
        Ok(Body { bytes, ..body })
    }

    async fn send(&self, at: &Url, want: Want, headers: HeaderMap) -> Result<Response> {
        let accepted = match want {
            Want::Linked => ACCEPTED_OF_CRAWL,
            Want::Page | Want::Full | Want::Sitemap => ACCEPTED,
        };
        let request = || {
            let request = self.0.http.get(at.clone()).headers(headers.clone());
            let request = request.header(ACCEPT, accepted);
            request.header(ACCEPT_ENCODING, ENCODINGS).send()
        };
        let sent = match request().await {
            // The server may have closed a connection that was open since the last answer.
            Err(error) if error.is_request() && !error.is_connect() && !error.is_timeout() => {
                request().await
            }
            sent => sent,
        };
        sent.map_err(|error| of_transport(error, at))
    }
}

/// What an answer to the request for a robots.txt holds.
enum Robotic {
    Text(String),
    Redirect(Url),
}

/// Configures TLS without the process-wide provider, which the program chooses. If the system has
/// no certificates, secure connections fail, and http still works.
fn tls() -> ClientConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = || {
        ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .expect("ring has the suites of both versions")
    };
    let verified = versions().with_platform_verifier();
    verified
        .unwrap_or_else(|_| versions().with_root_certificates(RootCertStore::empty()))
        .with_no_client_auth()
}
