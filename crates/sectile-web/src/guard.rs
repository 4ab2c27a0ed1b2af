//! Checks of host names, origins and tokens before a request is answered.

mod headers;
mod refusal;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use subtle::ConstantTimeEq as _;

use headers::{authority, bearer, cookies, is_of_other_page, query_token, text};
use refusal::Refusal;

/// How long a client may take to send it.
const BODY_TIME: Duration = Duration::from_secs(30);

/// The least length of a token: shorter ones can be guessed.
const LEAST_TOKEN: usize = 16;

/// Checks every request before the server answers it.
///
/// A page in a browser can send requests to servers on its user's machine. So a request must name the
/// server by an address or a name that is its own (or else a name may have been bound to this machine
/// to get past the browser's rules), and if it comes from a page, that page must be of the same server.
/// Whoever has no business on this machine has no token.
#[derive(Clone, Debug)]
pub struct Guard {
    address: SocketAddr,
    hosts: Vec<String>,
    token: Option<Token>,
    most_bytes: usize,
}

/// The token, which `Debug` does not show.
#[derive(Clone)]
struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Token(…)")
    }
}

/// Why a server must not be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GuardError {
    /// Others than this machine could reach it, and nothing would keep them out.
    #[error("listening on {address} lets other machines in: give a token, or listen on 127.0.0.1")]
    NoToken {
        /// The address to listen on.
        address: SocketAddr,
    },
    /// The token could be guessed, or cannot be written in an address.
    #[error(
        "the token cannot be used: give {LEAST_TOKEN} or more letters, digits, `-`, `.`, `_` or `~`, \
         as `openssl rand -hex 32` makes them"
    )]
    Token,
}

impl Guard {
    /// Makes the guard of a server that listens on `address`, and wants a token if there is one. A request has at most
    /// `most_bytes`, a number of whole MiB.
    ///
    /// # Errors
    ///
    /// [`GuardError::NoToken`] for an address that is not of this machine alone, without a token, and
    /// [`GuardError::Token`] for one that cannot be used.
    pub fn new(
        address: SocketAddr,
        token: Option<String>,
        most_bytes: usize,
    ) -> Result<Self, GuardError> {
        if token.is_none() && !address.ip().is_loopback() {
            return Err(GuardError::NoToken { address });
        }
        let is_usable = |token: &String| {
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
            token.len() >= LEAST_TOKEN && token.bytes().all(is_plain)
        };
        if !token.iter().all(is_usable) {
            return Err(GuardError::Token);
        }
        Ok(Self {
            address,
            hosts: Vec::new(),
            token: token.map(Token),
            most_bytes,
        })
    }

    /// Adds names of the server, such as those of a proxy in front of it. Pages under these names may send requests,
    /// from the default port of `http` or `https`, or from the port that the request names.
    #[must_use]
    pub fn with_hosts(mut self, names: impl IntoIterator<Item = String>) -> Self {
        let names = names.into_iter().map(|name| name.to_ascii_lowercase());
        self.hosts.extend(names);
        self
    }

    /// Puts the guard before all that a router answers.
    pub fn protect(self, router: Router) -> Router {
        router.layer(middleware::from_fn_with_state(Arc::new(self), guard))
    }

    /// Returns whether a name is one of the server's own. Nobody else can bind an IP address.
    fn is_own(&self, host: &str) -> bool {
        let name = host.trim_matches(['[', ']']).to_ascii_lowercase();
        let bound = self.address.ip();
        match name.parse::<IpAddr>() {
            Ok(address) => address.is_loopback() || address == bound || bound.is_unspecified(),
            Err(_) => name == "localhost" || self.hosts.contains(&name),
        }
    }

    /// Checks the name that the request is for, and the page that it comes from.
    fn check_names(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = text(headers, &HOST).and_then(|host| host.parse::<Authority>().ok());
        let Some(host) = host.filter(|host| self.is_own(host.host())) else {
            return Err(Refusal::WrongName);
        };
        let is_own = if headers.contains_key(ORIGIN) {
            let origin = text(headers, &ORIGIN).and_then(authority);
            origin.is_some_and(|origin| origin == host || self.is_named(&origin))
        } else {
            !is_of_other_page(headers)
        };
        if is_own {
            Ok(())
        } else {
            Err(Refusal::OtherPage)
        }
    }

    /// Returns whether an origin has an added name, and the port of its scheme: other ports of a machine
    /// are other servers.
    fn is_named(&self, origin: &Authority) -> bool {
        let name = origin.host().to_ascii_lowercase();
        origin.port().is_none() && self.hosts.contains(&name)
    }

    /// Checks that the client knows the token. A browser gets it once, in the address of a page, and
    /// then keeps it in a cookie.
    fn check_token(&self, request: &Request) -> Result<(), Refusal> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let name = self.cookie();
        // It does not stay in the address, whether the browser has the cookie or not.
        let typed = query_token(request.uri()).filter(|_| request.method() == Method::GET);
        if let Some((given, page)) = typed.filter(|(given, _)| token.is(given)) {
            let cookie = format!("{name}={given}; HttpOnly; SameSite=Strict; Path=/");
            return Err(Refusal::Welcome { cookie, page });
        }
        let bearer = text(request.headers(), &AUTHORIZATION).and_then(bearer);
        let mut given = cookies(request.headers(), &name).chain(bearer);
        if given.any(|given| token.is(given)) {
            Ok(())
        } else {
            Err(Refusal::NoToken)
        }
    }

    /// Names the cookie. Servers on other ports of a machine see its cookies, too.
    fn cookie(&self) -> String {
        format!("sectile-{}", self.address.port())
    }
}

impl Token {
    /// Compares in a time that tells nothing of where the difference is.
    fn is(&self, given: &str) -> bool {
        self.0.as_bytes().ct_eq(given.as_bytes()).into()
    }
}

async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let checked = guard.check_names(request.headers());
    if let Err(refusal) = checked.and_then(|()| guard.check_token(&request)) {
        return refusal.into_response();
    }
    match whole(request, guard.most_bytes, BODY_TIME).await {
        Ok(request) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// Receives the body of a request, within limits of size and time, so that a slow client does not block others.
async fn whole(request: Request, most_bytes: usize, time: Duration) -> Result<Request, Refusal> {
    let (parts, body) = request.into_parts();
    let mut limited = Request::new(body);
    DefaultBodyLimit::max(most_bytes).apply(&mut limited);
    match tokio::time::timeout(time, Bytes::from_request(limited, &())).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(Refusal::TooLarge { most_bytes })
        }
        Ok(Err(_)) => Err(Refusal::CutOff),
        Err(_) => Err(Refusal::TooSlow),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use axum::http::header::{LOCATION, SET_COOKIE, WWW_AUTHENTICATE};

    use super::refusal::too_large;
    use super::*;

    const TOKEN: &str = "0123456789abcdef-token";

    const MOST_BYTES: usize = 3 << 20;

    fn guard(address: &str, token: Option<&str>) -> Guard {
        let token = token.map(str::to_owned);
        Guard::new(address.parse().unwrap(), token, MOST_BYTES).unwrap()
    }

    fn request(path: &str, headers: &[(&str, &str)]) -> Request {
        let request = Request::builder().uri(path);
        let request = headers.iter().fold(request, |request, (name, value)| {
            request.header(*name, *value)
        });
        request.body(Body::empty()).unwrap()
    }

    /// Returns the status that the names of a request get, 0 if they are right.
    fn names(guard: &Guard, headers: &[(&str, &str)]) -> u16 {
        let checked = guard.check_names(request("/", headers).headers());
        checked.map_or_else(|refusal| refusal.into_response().status().as_u16(), |()| 0)
    }

    #[test]
    fn a_server_on_this_machine_has_its_names_and_no_others() {
        let guard = guard("127.0.0.1:7727", None).with_hosts(["Docs.example.org".into()]);
        for host in [
            "localhost",
            "localhost:7727",
            "LOCALHOST:80",
            "127.0.0.1:7727",
            "[::1]:7727",
            "docs.example.org",
            "docs.example.org:443",
        ] {
            assert_eq!(names(&guard, &[("host", host)]), 0, "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "10.0.0.7:7727",
            "example.org",
            "",
            "a b",
            "localhost@evil.example",
            "evil.example:7727",
        ] {
            assert_eq!(names(&guard, &[("host", host)]), 403, "{host}");
        }
        assert_eq!(names(&guard, &[]), 403);
    }

    #[test]
    fn a_server_on_every_address_is_known_by_them() {
        let open = guard("0.0.0.0:80", Some(TOKEN));
        assert_eq!(names(&open, &[("host", "192.168.1.7")]), 0);
        assert_eq!(names(&open, &[("host", "evil.example")]), 403);
        let one = guard("192.168.1.7:80", Some(TOKEN));
        assert_eq!(names(&one, &[("host", "192.168.1.7")]), 0);
        assert_eq!(names(&one, &[("host", "192.168.1.8")]), 403);
    }

    #[test]
    fn pages_of_other_servers_are_not_answered() {
        let guard = guard("127.0.0.1:7727", None).with_hosts(["docs.example.org".into()]);
        let host = ("host", "localhost:7727");
        for origin in [
            "http://localhost:7727",
            "https://localhost:7727",
            "https://docs.example.org",
        ] {
            assert_eq!(names(&guard, &[host, ("origin", origin)]), 0, "{origin}");
        }
        for origin in [
            "null",
            "http://evil.example",
            "http://localhost:3000",
            "http://localhost",
            "http://127.0.0.1:7727",
            "https://docs.example.org:8443",
            "file://localhost:7727",
            "",
            "localhost:7727",
        ] {
            assert_eq!(names(&guard, &[host, ("origin", origin)]), 403, "{origin}");
        }
        let twice = [host, ("host", "evil.example")];
        assert_eq!(names(&guard, &twice), 403);
        let own = ("origin", "http://localhost:7727");
        let twice = [host, own, ("origin", "http://evil.example")];
        assert_eq!(names(&guard, &twice), 403);
        let fetched = |site, mode, destination| {
            let why = [
                ("sec-fetch-site", site),
                ("sec-fetch-mode", mode),
                ("sec-fetch-dest", destination),
            ];
            names(&guard, &[&[host][..], &why].concat())
        };
        for site in ["cross-site", "same-site"] {
            assert_eq!(fetched(site, "no-cors", "image"), 403);
            assert_eq!(fetched(site, "no-cors", "script"), 403);
            assert_eq!(fetched(site, "navigate", "iframe"), 403);
            assert_eq!(fetched(site, "navigate", "document"), 0);
            assert_eq!(names(&guard, &[host, ("sec-fetch-site", site)]), 403);
        }
        assert_eq!(fetched("same-origin", "no-cors", "image"), 0);
        assert_eq!(fetched("none", "navigate", "document"), 0);
        // A proxy may have a port of its own, if it hands on the name that it was asked for.
        let there = "docs.example.org:8443";
        let origin = format!("https://{there}");
        assert_eq!(names(&guard, &[("host", there), ("origin", &origin)]), 0);
    }

    /// Returns what a request without the right token is answered with.
    fn refused(guard: &Guard, request: &Request) -> Response {
        guard.check_token(request).unwrap_err().into_response()
    }

    #[test]
    fn a_token_is_sent_or_kept_in_a_cookie() {
        let guard = guard("127.0.0.1:7727", Some(TOKEN));
        let bearer = format!("bearer {TOKEN}");
        assert!(
            guard
                .check_token(&request("/", &[("authorization", &bearer)]))
                .is_ok()
        );
        let cookie = format!("a=b; sectile-7727={TOKEN}; c=d");
        assert!(
            guard
                .check_token(&request("/", &[("cookie", &cookie)]))
                .is_ok()
        );
        let wrong = [
            ("authorization", format!("Basic {TOKEN}")),
            ("authorization", format!("Bearer {TOKEN}x")),
            ("authorization", format!("Bearer {}", &TOKEN[1..])),
            ("authorization", "Bearer ".to_owned()),
            ("cookie", format!("sectile-80={TOKEN}")),
            ("cookie", "sectile-7727=".to_owned()),
        ];
        for (name, value) in wrong {
            let response = refused(&guard, &request("/", &[(name, &value)]));
            assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{value}");
            assert_eq!(
                response.headers()[WWW_AUTHENTICATE],
                "Bearer realm=\"sectile\""
            );
        }
        assert!(!format!("{guard:?}").contains(TOKEN));
    }

    #[test]
    fn a_page_is_opened_with_the_token_once() {
        let guard = guard("127.0.0.1:7727", Some(TOKEN));
        let open = |path: &str| refused(&guard, &request(path, &[]));
        let places = [
            ("/", "/"),
            ("/a/b", "/a/b"),
            ("//evil.example/", "/evil.example/"),
        ];
        for (path, place) in places {
            let response = open(&format!("{path}?token={TOKEN}"));
            assert_eq!(response.status(), StatusCode::SEE_OTHER);
            assert_eq!(response.headers()[LOCATION], place);
            let cookie = response.headers()[SET_COOKIE].to_str().unwrap();
            assert!(
                cookie.starts_with(&format!("sectile-7727={TOKEN};")),
                "{cookie}"
            );
            assert!(
                cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
                "{cookie}"
            );
        }
        let response = open(&format!("/?q=a&token={TOKEN}&r=b"));
        assert_eq!(response.headers()[LOCATION], "/?q=a&r=b");
        assert_eq!(open("/?token=wrong").status(), StatusCode::UNAUTHORIZED);
        let mut post = request(&format!("/?token={TOKEN}"), &[]);
        *post.method_mut() = Method::POST;
        let response = refused(&guard, &post);
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
    }

    #[test]
    fn others_than_this_machine_need_a_token_that_cannot_be_guessed() {
        let new = |address: &str, token: Option<&str>| {
            let token = token.map(str::to_owned);
            Guard::new(address.parse().unwrap(), token, MOST_BYTES).map(drop)
        };
        for address in ["0.0.0.0:1", "[::]:1", "192.168.1.7:1"] {
            let error = new(address, None).unwrap_err().to_string();
            assert!(
                error.contains(address) && error.contains("127.0.0.1"),
                "{error}"
            );
            assert_eq!(new(address, Some(TOKEN)), Ok(()));
        }
        assert_eq!(new("[::1]:1", None), Ok(()));
        for bad in ["", "short", "with a blank in it", "with;semicolon;in;it"] {
            assert_eq!(
                new("127.0.0.1:1", Some(bad)),
                Err(GuardError::Token),
                "{bad}"
            );
        }
    }

    #[tokio::test]
    async fn a_request_that_is_too_large_or_too_slow_is_refused() {
        let status = async |body: Body| {
            let request = Request::new(body);
            let whole = whole(request, MOST_BYTES, Duration::from_millis(50)).await;
            whole.map_or_else(|refusal| refusal.into_response().status().as_u16(), |_| 0)
        };
        assert_eq!(status(Body::from(vec![0; MOST_BYTES])).await, 0);
        assert_eq!(status(Body::from(vec![0; MOST_BYTES + 1])).await, 413);
        let refused = too_large(MOST_BYTES).into_body();
        let said = to_bytes(refused, 100).await.unwrap();
        assert_eq!(said, "a request has 3 MiB at the most\n");
        let broken = futures_util::stream::iter([
            Ok(b"a".to_vec()),
            Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof)),
        ]);
        assert_eq!(status(Body::from_stream(broken)).await, 400);
        let never = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
        assert_eq!(status(Body::from_stream(never)).await, 408);
    }
}
