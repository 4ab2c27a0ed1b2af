//! Requests: polite, bounded, and to public addresses alone.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{IpAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::future::BoxFuture;
use sectile_site::{
    Answer as Answered, Body, Error, Fetcher, Known, Resolver, SiteOptions, Validators, Want,
};
use url::Url;

use super::packed::{brotli, packed};
use super::server::{Answer, Server};

const LIMIT: usize = 10_000;

/// Returns options by which this machine may be asked, and nothing else that is not public.
pub(super) fn this_machine() -> SiteOptions {
    let options = SiteOptions::default();
    options.with_private_hosts(["127.0.0.1"]).unwrap()
}

fn options() -> SiteOptions {
    this_machine().with_max_bytes(LIMIT, LIMIT)
}

async fn get_with(options: &SiteOptions, url: &str) -> Result<Answered, Error> {
    let url: Url = url.parse().unwrap();
    let fetcher = Fetcher::new(options).unwrap();
    fetcher.get(&url, Want::Page, &Known::new()).await
}

pub(super) async fn get(server: &Server, path: &str) -> Result<Body, Error> {
    match get_with(&options(), &server.url(path)).await? {
        Answered::Body(body) => Ok(body),
        Answered::NotModified { .. } => panic!("nobody asked for that"),
    }
}

/// A resolver that knows nobody.
#[derive(Debug)]
struct Nobody;

impl Resolver for Nobody {
    fn resolve(&self, _host: &str) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        let error = io::Error::new(io::ErrorKind::NotFound, "no such name");
        Box::pin(std::future::ready(Err(error)))
    }
}

#[tokio::test]
async fn a_request_says_who_asks_and_asks_for_the_rules_first() {
    let server = Server::start();
    server.markdown("/a.md", "# A");
    assert_eq!(get(&server, "/a.md").await.unwrap().bytes, b"# A");
    let requests = server.take_requests();
    let paths: Vec<_> = requests.iter().map(|request| &*request.path).collect();
    assert_eq!(paths, ["/robots.txt", "/a.md"]);
    for request in &requests {
        let agent = &request.headers["user-agent"];
        assert!(
            agent.starts_with("sectile/") && agent.contains("(+https://"),
            "{agent}"
        );
    }
}

#[tokio::test]
async fn private_addresses_are_refused_before_anything_is_sent() {
    let server = Server::start();
    let port = server.port();
    for url in [
        server.url("/a.md"),
        format!("http://localhost:{port}/a.md"),
        format!("http://2130706433:{port}/a.md"),
        format!("http://0x7f.1:{port}/a.md"),
        format!("http://[::ffff:127.0.0.1]:{port}/a.md"),
        format!("http://[::1]:{port}/a.md"),
    ] {
        let error = get_with(&SiteOptions::default(), &url).await.unwrap_err();
        assert!(
            matches!(error, Error::PrivateAddress { .. }),
            "{url}: {error:?}"
        );
        assert!(!error.is_transient(), "{url}");
    }
    assert!(server.take_log().is_empty());
}

#[tokio::test]
async fn redirects_are_checked_each() {
    let server = Server::start();
    let port = server.port();
    server.answer("/away", Answer::redirect("http://10.1.2.3/"));
    server.answer(
        "/metadata",
        Answer::redirect("http://169.254.169.254/latest/"),
    );
    // The same machine by another name is another host.
    let by_name = format!("http://localhost:{port}/a.md");
    server.answer("/by-name", Answer::redirect(&by_name));
    server.answer("/file", Answer::redirect("file:///etc/passwd"));
    server.answer("/user", Answer::redirect("http://me:pw@example.org/"));
    server.answer("/round", Answer::redirect("/round"));
    server.answer("/nowhere", Answer::new(301, "", ""));
    server.answer("/there", Answer::redirect("//127.0.0.1/../a.md"));
    server.answer(
        "/here",
        Answer::redirect(&format!("http://127.0.0.1:{port}/x/../a.md#f")),
    );
    server.markdown("/a.md", "# A");
    assert_eq!(
        get(&server, "/here").await.unwrap().url.as_str(),
        server.url("/a.md")
    );
    for path in ["/away", "/metadata", "/by-name"] {
        let error = get(&server, path).await.unwrap_err();
        assert!(
            matches!(error, Error::PrivateAddress { .. }),
            "{path}: {error:?}"
        );
    }
    for path in ["/round", "/nowhere"] {
        let error = get(&server, path).await.unwrap_err();
        assert!(matches!(error, Error::Redirect { .. }), "{path}: {error:?}");
    }
    for path in ["/file", "/user"] {
        let error = get(&server, path).await.unwrap_err();
        assert!(
            matches!(error, Error::InvalidUrl { .. }),
            "{path}: {error:?}"
        );
    }
    let rounds = server
        .take_log()
        .iter()
        .filter(|line| line.ends_with("/round"))
        .count();
    assert_eq!(rounds, 1 + SiteOptions::default().max_redirects);
}

#[tokio::test]
async fn what_is_too_large_is_not_read() {
    let server = Server::start();
    let check = async |path: &str| {
        let error = get(&server, path).await.unwrap_err();
        assert!(
            matches!(error, Error::TooLarge { limit: LIMIT, .. }),
            "{path}: {error:?}"
        );
        assert!(!error.is_transient());
    };
    server.answer(
        "/announced",
        Answer::new(200, "text/plain", vec![b'a'; LIMIT + 1]),
    );
    server.answer(
        "/endless",
        Answer::new(200, "text/plain", vec![b'a'; 999]).endless(),
    );
    check("/announced").await;
    check("/endless").await;
    let zeros = vec![0; 4 << 20];
    let bomb = packed(
        GzEncoder::new(Vec::new(), Compression::best()),
        &zeros,
        GzEncoder::finish,
    );
    assert!(bomb.len() < LIMIT);
    server.answer(
        "/bomb",
        Answer::new(200, "text/plain", bomb).with("content-encoding", "gzip"),
    );
    check("/bomb").await;
    let bomb = brotli(&zeros);
    assert!(bomb.len() < LIMIT);
    server.answer(
        "/brotli",
        Answer::new(200, "text/plain", bomb).with("content-encoding", "br"),
    );
    check("/brotli").await;
    server.answer("/whole", Answer::new(200, "text/plain", vec![b'a'; LIMIT]));
    assert_eq!(get(&server, "/whole").await.unwrap().bytes.len(), LIMIT);
}

#[tokio::test]
async fn what_breaks_off_or_takes_too_long_is_transient() {
    let server = Server::start();
    let options = options().with_timeout(Duration::from_millis(200));
    server.answer("/cut", Answer::new(200, "text/plain", "text").truncated());
    server.answer(
        "/slow",
        Answer::new(200, "text/plain", vec![b'a'; 1_000]).dripping(),
    );
    // What is cut off must not be taken for what takes too long.
    for (path, options) in [("/cut", self::options()), ("/slow", options.clone())] {
        let error = get_with(&options, &server.url(path)).await.unwrap_err();
        assert!(
            matches!(error, Error::Unavailable { .. }),
            "{path}: {error:?}"
        );
        assert!(error.is_transient(), "{path}");
    }
    // It keeps its port, so that no other one listens there.
    let silent = tokio::net::TcpSocket::new_v4().unwrap();
    silent.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let closed = silent.local_addr().unwrap();
    let options = self::options();
    let error = get_with(&options, &format!("http://{closed}/"))
        .await
        .unwrap_err();
    assert!(error.is_transient(), "{error:?}");
    let fetcher = Fetcher::with_resolver(&options, Arc::new(Nobody)).unwrap();
    let url = "http://gone.example/".parse().unwrap();
    let error = fetcher
        .get(&url, Want::Page, &Known::new())
        .await
        .unwrap_err();
    assert!(matches!(error, Error::NoHost { .. }), "{error:?}");
}

#[tokio::test]
async fn a_server_that_cannot_prove_who_it_is_is_no_passing_trouble() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let error = get_with(&options(), &format!("https://{address}/"))
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Insecure { .. }), "{error:?}");
    assert!(!error.is_transient());
}

#[tokio::test]
async fn statuses_are_sorted_by_what_the_caller_can_do() {
    let server = Server::start();
    for status in [400, 401, 403, 404, 410, 418, 408, 425, 429, 500, 502, 503] {
        server.answer(
            "/a",
            Answer::new(status, "text/plain", "no").with("retry-after", "3600"),
        );
        let error = get(&server, "/a").await.unwrap_err();
        let expected = match status {
            404 | 410 => matches!(error, Error::NotFound { .. }),
            408 | 425 | 429 | 500.. => {
                let wait = Some(Duration::from_hours(1));
                matches!(error, Error::Unavailable { retry_after, .. } if retry_after == wait)
            }
            _ => matches!(error, Error::Refused { .. }),
        };
        assert!(expected, "{status}: {error:?}");
        assert_eq!(
            error.is_transient(),
            matches!(status, 408 | 425 | 429 | 500..)
        );
    }
    for status in [204, 206, 304] {
        server.answer("/a", Answer::new(status, "text/plain", ""));
        assert!(get(&server, "/a").await.is_err(), "{status}");
    }
}

#[tokio::test]
async fn a_short_wait_that_is_asked_for_is_waited() {
    let server = Server::start();
    let busy = || Answer::new(429, "text/plain", "busy").with("retry-after", "0");
    let page = || Answer::new(200, "text/plain", "text");
    server.answers("/a", vec![busy(), busy(), page()]);
    assert_eq!(get(&server, "/a").await.unwrap().bytes, b"text");
    server.take_log();
    server.answer("/a", busy());
    assert!(get(&server, "/a").await.unwrap_err().is_transient());
    assert_eq!(
        server.take_log(),
        ["404 /robots.txt", "429 /a", "429 /a", "429 /a"]
    );
}

#[tokio::test]
async fn what_is_known_is_asked_for_only_if_it_is_newer() {
    let server = Server::start();
    server.markdown("/a.md", "# A");
    server.answer("/b", Answer::redirect("/a.md"));
    let first = get(&server, "/a.md").await.unwrap();
    let known = Known::from([(first.url.to_string(), first.validators.clone())]);
    assert!(first.validators.etag.is_some());
    let fetcher = Fetcher::new(&options()).unwrap();
    for path in ["/a.md", "/b"] {
        let answer = fetcher
            .get(&server.url(path).parse().unwrap(), Want::Page, &known)
            .await;
        let url = server.url("/a.md").parse().unwrap();
        assert_eq!(answer.unwrap(), Answered::NotModified { url }, "{path}");
    }
    let date = "Sun, 06 Nov 1994 08:49:37 GMT";
    server.answer(
        "/c",
        Answer::new(200, "text/plain", "c").with("last-modified", date),
    );
    let known = Validators {
        etag: Some("bad\nvalue".into()),
        last_modified: Some(date.into()),
    };
    let known = Known::from([(server.url("/c"), known)]);
    let answer = fetcher
        .get(&server.url("/c").parse().unwrap(), Want::Page, &known)
        .await;
    assert!(matches!(answer, Ok(Answered::NotModified { .. })));
}

#[tokio::test]
async fn what_a_proxy_has_changed_is_a_page() {
    let server = Server::start();
    server.answer("/a", Answer::new(203, "text/plain", "a"));
    assert_eq!(get(&server, "/a").await.unwrap().bytes, b"a");
}

#[tokio::test]
async fn what_is_no_text_is_not_read() {
    let server = Server::start();
    for content_type in [
        "image/png",
        "application/pdf",
        "application/json",
        "text/css",
    ] {
        let answer = Answer::new(200, content_type, vec![b'a'; 999]).endless();
        server.answer("/a", answer);
        let error = get(&server, "/a").await.unwrap_err();
        assert!(
            matches!(error, Error::UnsupportedType { .. }),
            "{content_type}: {error:?}"
        );
    }
}

#[tokio::test]
async fn the_rules_of_each_host_are_kept() {
    let (server, other) = (Server::start(), Server::start());
    server.text(
        "/robots.txt",
        "text/plain",
        "User-agent: sectile\nDisallow: /private",
    );
    other.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /");
    server.markdown("/a.md", "# A");
    server.markdown("/private.md", "# P");
    server.answer("/in", Answer::redirect("/private.md"));
    server.answer("/away", Answer::redirect(&other.url("/a.md")));
    let fetcher = Fetcher::new(&options()).unwrap();
    let get = async |path: &str| {
        fetcher
            .get(
                &server.url(path).parse().unwrap(),
                Want::Page,
                &Known::new(),
            )
            .await
    };
    assert!(get("/a.md").await.is_ok());
    for path in ["/private.md", "/in", "/away"] {
        let error = get(path).await.unwrap_err();
        assert!(
            matches!(error, Error::Disallowed { .. }),
            "{path}: {error:?}"
        );
    }
    let asked = |server: &Server| server.take_log();
    assert_eq!(
        asked(&server),
        ["200 /robots.txt", "200 /a.md", "302 /in", "302 /away"]
    );
    assert_eq!(asked(&other), ["200 /robots.txt"]);
}

#[tokio::test]
async fn rules_that_cannot_be_read_allow_nothing_and_are_asked_for_once() {
    let server = Server::start();
    server.markdown("/a.md", "# A");
    server.answer("/robots.txt", Answer::new(503, "text/plain", ""));
    let fetcher = Fetcher::new(&options()).unwrap();
    let url: Url = server.url("/a.md").parse().unwrap();
    for _ in 0..2 {
        let error = fetcher
            .get(&url, Want::Page, &Known::new())
            .await
            .unwrap_err();
        assert!(error.is_transient(), "{error:?}");
    }
    assert_eq!(server.take_log(), ["503 /robots.txt"]);
    for status in [401, 403, 404] {
        server.answer(
            "/robots.txt",
            Answer::new(status, "text/plain", "Disallow: /"),
        );
        assert!(get(&server, "/a.md").await.is_ok(), "{status}");
    }
    server.answer("/robots.txt", Answer::redirect("/rules.txt"));
    server.text("/rules.txt", "text/plain", "User-agent: *\nDisallow: /");
    assert!(matches!(
        get(&server, "/a.md").await,
        Err(Error::Disallowed { .. })
    ));
}

#[tokio::test]
async fn of_too_many_rules_the_first_count() {
    let server = Server::start();
    server.markdown("/a.md", "# A");
    server.markdown("/b.md", "# B");
    let rules = format!(
        "User-agent: *\nDisallow: /a.md\n{}\nDisallow: /b.md\n",
        "#".repeat(600 << 10)
    );
    server.answer("/robots.txt", Answer::new(200, "text/plain", rules));
    assert!(matches!(
        get(&server, "/a.md").await,
        Err(Error::Disallowed { .. })
    ));
    assert!(get(&server, "/b.md").await.is_ok());
}

/// Answers one request of each connection, and closes it when the next one has come.
fn close_early(listener: &TcpListener) {
    for stream in listener.incoming().flatten() {
        thread::spawn(move || {
            let mut reader = BufReader::new(&stream);
            let mut read = || {
                let lines = reader.by_ref().lines().map_while(Result::ok);
                lines.take_while(|line| !line.is_empty()).count()
            };
            read();
            let answer =
                "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\ntext";
            (&stream).write_all(answer.as_bytes()).unwrap();
            read();
        });
    }
}

#[tokio::test]
async fn a_connection_that_was_closed_after_an_answer_is_opened_again() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || close_early(&listener));
    let fetcher = Fetcher::new(&options()).unwrap();
    for number in 0..5 {
        let url = format!("http://{address}/{number}").parse().unwrap();
        let answer = fetcher.get(&url, Want::Page, &Known::new()).await;
        assert!(answer.is_ok(), "{number}: {answer:?}");
    }
}
