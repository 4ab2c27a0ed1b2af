//! What a site offers, and its pages.

use std::sync::Arc;

use sectile_site::{Answer as Answered, Error, Kind, Known, Page, Role, Site, SiteOptions};

use super::server::{Answer, Server};

pub(crate) fn options() -> SiteOptions {
    SiteOptions::default().with_private(true)
}

/// Reads a site: its pages as `role /path: what`, in order, whether it is whole, and how many were left
/// out.
pub(crate) async fn read_with(
    options: &SiteOptions,
    server: &Server,
    path: &str,
) -> Result<(Vec<String>, bool, usize), Error> {
    let site = Site::new(&server.url(path), options)?;
    let mut pages = site.open(Arc::new(Known::new())).await?;
    let mut told = Vec::new();
    while let Some(page) = pages.next().await {
        told.push(tell(server, page));
    }
    told.sort();
    Ok((told, pages.is_whole(), pages.left_out()))
}

fn tell(server: &Server, page: Page) -> String {
    let role = match page.role {
        Role::Full => "full",
        Role::Index => "index",
        _ => "page",
    };
    let answer = match page.answer {
        Ok(Answered::Body(body)) => String::from_utf8(body.bytes).unwrap(),
        Ok(Answered::NotModified { .. }) => "not modified".into(),
        Err(error) => format!("{error:?}")
            .split([' ', '('])
            .next()
            .unwrap()
            .into(),
    };
    let url = page.url.as_str();
    let name = url.strip_prefix(&server.url("")).unwrap_or(url);
    format!(
        "{role} {name}: {}",
        answer.lines().next().unwrap_or_default()
    )
}

async fn check(server: &Server, path: &str, expected: &[&str]) {
    let (told, is_whole, left_out) = read_with(&options(), server, path).await.unwrap();
    assert_eq!(told, expected);
    assert!(is_whole && left_out == 0);
}

#[tokio::test]
async fn all_pages_in_one_file_go_before_a_list() {
    let server = Server::start();
    server.text("/llms-full.txt", "text/plain", "# All\n# Two\n");
    server.text("/llms.txt", "text/plain", "# List");
    check(&server, "", &["full /llms-full.txt: # All"]).await;
    // A short text may be what the server answers for every address.
    let asked = [
        "404 /robots.txt",
        "200 /llms-full.txt",
        "404 /sectile-asks-for-what-is-not-there.txt",
    ];
    assert_eq!(server.take_log(), asked);
    check(&server, "/guide", &["full /llms-full.txt: # All"]).await;
    server.text("/guide/llms-full.txt", "text/plain", "# Guide\n# Two\n");
    check(&server, "/guide", &["full /guide/llms-full.txt: # Guide"]).await;
    check(&server, "/llms-full.txt", &["full /llms-full.txt: # All"]).await;
    check(&server, "/llms.txt", &["index /llms.txt: # List"]).await;
}

#[tokio::test]
async fn a_list_without_pages_is_read_only_where_there_is_nothing_else() {
    let product = "# P\n\n> Our product.\n";
    for (name, stub) in [
        ("/llms.txt", product),
        ("/llms-full.txt", product),
        ("/llms-full.txt", "Coming soon.\n"),
    ] {
        let server = Server::start();
        server.text(name, "text/plain", stub);
        server.html("/", "<a href=a>a</a>");
        server.html("/a", "<p>A");
        let (told, ..) = read_with(&options().with_crawl(true), &server, "")
            .await
            .unwrap();
        assert_eq!(
            told,
            ["page /: <a href=a>a</a>", "page /a: <p>A"],
            "{name}: {stub}"
        );
        let url = server.url(name);
        let note = format!("`{url}` is a list without pages, so it was passed over");
        assert_eq!(notes(&server, "").await, [note]);
        let (told, ..) = read_with(&options(), &server, "").await.unwrap();
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains(name), "{told:?}");
    }
    let server = Server::start();
    server.text("/llms-full.txt", "text/plain", "Coming soon.\n");
    server.text("/llms.txt", "text/plain", "# S\n- [a](a.md)\n");
    server.markdown("/a.md", "# A");
    check(&server, "", &["index /llms.txt: # S", "page /a.md: # A"]).await;
    // A long text without pages is one.
    server.text("/llms-full.txt", "text/plain", &"Words.\n".repeat(1_000));
    check(&server, "", &["full /llms-full.txt: Words."]).await;
}

#[tokio::test]
async fn a_list_that_the_rules_disallow_hides_nothing_else() {
    let server = Server::start();
    let rule = |path: &str| format!("User-agent: *\nDisallow: {path}\n");
    server.text("/robots.txt", "text/plain", &rule("/llms-full.txt"));
    server.text("/llms-full.txt", "text/plain", "# One\n# Two\n");
    server.text("/llms.txt", "text/plain", "# S\n- [a](a.md)\n");
    server.markdown("/a.md", "# A");
    server.html("/", "<p>Start");
    check(&server, "", &["index /llms.txt: # S", "page /a.md: # A"]).await;
    assert!(notes(&server, "").await[0].contains("/llms-full.txt"));
    server.text("/robots.txt", "text/plain", &rule("/*.txt$"));
    let (told, ..) = read_with(&options().with_crawl(true), &server, "")
        .await
        .unwrap();
    assert_eq!(told, ["page /: <p>Start"]);
    let notes = notes(&server, "").await;
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes.iter().all(|note| note.contains("disallows")));
    let error = read_with(&options(), &server, "").await.unwrap_err();
    let is_unlisted = matches!(error, Error::NoListing { .. });
    assert!(
        is_unlisted && error.to_string().contains("disallows"),
        "{error}"
    );
}

#[tokio::test]
async fn pages_are_those_that_are_listed_in_markdown_where_there_is_any() {
    let server = Server::start();
    server.text(
        "/docs/llms.txt",
        "text/plain",
        "# D\n## A\n- [a](a.md)\n- [b](/b)\n- [c](c/#part)\n- [again](../docs/a.md#x)\n- [e](e.html)\n\
         ## Optional\n- [d](d.md)\n",
    );
    server.markdown("/docs/a.md", "# A");
    server.html("/b.md", "<!doctype html><p>a soft 404");
    server.html("/b", "<h1>B</h1>");
    server.markdown("/docs/c/index.html.md", "# C");
    server.answer(
        "/docs/e.html.md",
        Answer::new(200, "text/plain", " <HTML><p>no"),
    );
    server.html("/docs/e.html", "<h1>E</h1>");
    server.markdown("/docs/d.md", "# D");
    let all = [
        "index /docs/llms.txt: # D",
        "page /b: <h1>B</h1>",
        "page /docs/a.md: # A",
        "page /docs/c/: # C",
        "page /docs/e.html: <h1>E</h1>",
    ];
    check(&server, "/docs/", &all).await;
    let asked = server.take_log();
    assert_eq!(
        asked
            .iter()
            .filter(|line| line.contains("/docs/a.md"))
            .count(),
        1
    );
    assert!(
        !asked.iter().any(|line| line.contains("/d.md")),
        "{asked:?}"
    );
    let options = options().with_optional(true);
    let (told, ..) = read_with(&options, &server, "/docs").await.unwrap();
    assert!(told.contains(&"page /docs/d.md: # D".to_owned()));
}

#[tokio::test]
async fn a_web_page_is_no_list() {
    let server = Server::start();
    server.html("/llms-full.txt", "<!doctype html><title>App</title>");
    server.answer(
        "/llms.txt",
        Answer::new(200, "text/plain", "<!DOCTYPE HTML>"),
    );
    server.html("/", "<p>Home");
    let error = read_with(&options(), &server, "").await.unwrap_err();
    assert!(matches!(error, Error::NoListing { .. }));
    assert!(error.to_string().contains("`crawl`"), "{error}");
    server.text("/llms.txt", "text/plain", "# List");
    check(&server, "", &["index /llms.txt: # List"]).await;
}

#[tokio::test]
async fn a_text_that_is_sent_as_a_web_page_is_what_its_name_says() {
    let server = Server::start();
    server.html("/llms.txt", "# List\n- [a](a.md)\n- [b](b)\n- [c](c.md)\n");
    server.html("/a.md", "# A");
    server.html("/b.md", "<p>a soft 404");
    server.html("/b", "B <b>bold</b>");
    server.html("/c.md", "<h1>C</h1>");
    let all = [
        "index /llms.txt: # List",
        "page /a.md: # A",
        "page /b: B <b>bold</b>",
        "page /c.md: <h1>C</h1>",
    ];
    check(&server, "", &all).await;
    let site = Site::new(&server.url(""), &options()).unwrap();
    let mut pages = site.open(Arc::new(Known::new())).await.unwrap();
    let mut kinds = Vec::new();
    while let Some(page) = pages.next().await {
        if let Ok(Answered::Body(body)) = page.answer {
            kinds.push((body.url.path().to_owned(), body.kind().unwrap()));
        }
    }
    kinds.sort_by(|left, right| left.0.cmp(&right.0));
    let kinds: Vec<Kind> = kinds.into_iter().map(|(_, kind)| kind).collect();
    assert_eq!(kinds, [Kind::Markdown, Kind::Html, Kind::Html, Kind::Text]);
    server.html("/llms.txt", "<p>Nothing here");
    let error = read_with(&options(), &server, "").await.unwrap_err();
    let told = error.to_string();
    assert!(told.contains("/llms.txt` is a web page"), "{told}");
    assert!(!told.contains("neither"), "{told}");
}

#[tokio::test]
async fn a_site_that_cannot_be_asked_just_now_is_not_taken_for_one_without_a_list() {
    let server = Server::start();
    server.answer("/llms-full.txt", Answer::new(503, "text/plain", ""));
    server.text("/llms.txt", "text/plain", "# List");
    assert!(
        read_with(&options(), &server, "")
            .await
            .unwrap_err()
            .is_transient()
    );
    server.answer("/llms-full.txt", Answer::new(403, "text/plain", ""));
    check(&server, "", &["index /llms.txt: # List"]).await;
    server.remove("/llms-full.txt");
    check(&server, "", &["index /llms.txt: # List"]).await;
    server.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /");
    let error = read_with(&options(), &server, "").await.unwrap_err();
    assert!(matches!(error, Error::Disallowed { .. }), "{error:?}");
}

#[tokio::test]
async fn a_file_that_is_of_no_use_hides_no_list() {
    let server = Server::start();
    server.text("/llms.txt", "text/plain", "# List");
    let index = ["index /llms.txt: # List"];
    let answer = |content_type| Answer::new(200, content_type, "# All");
    for full in [
        answer("application/json"),
        answer("application/pdf"),
        Answer::redirect("/llms-full.txt"),
    ] {
        server.answer("/llms-full.txt", full);
        check(&server, "", &index).await;
    }
    server.answer("/llms-full.txt", answer("application/octet-stream"));
    check(&server, "", &["full /llms-full.txt: # All"]).await;
    server.answer(
        "/llms-full.txt",
        Answer::new(200, "text/plain", "text").truncated(),
    );
    let error = read_with(&options(), &server, "").await.unwrap_err();
    assert!(error.is_transient(), "{error:?}");
}

#[tokio::test]
async fn a_file_that_is_too_large_names_the_list() {
    let server = Server::start();
    server.text("/docs/llms-full.txt", "text/plain", "# All pages");
    server.text("/docs/a.md", "text/plain", "# One page of them");
    let few = options().with_max_bytes(9, 12);
    let error = read_with(&few, &server, "/docs")
        .await
        .unwrap_err()
        .to_string();
    let list = server.url("/docs/llms.txt");
    assert!(
        error.contains("9 bytes") && error.contains(&list),
        "{error}"
    );
    let error = read_with(&few, &server, "/docs/a.md")
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("12 bytes, the most for a page"), "{error}");
}

#[tokio::test]
async fn links_that_lead_elsewhere_stay_on_the_web() {
    let server = Server::start();
    let other = Server::start();
    other.markdown("/x.md", "# X");
    let list = format!(
        "# D\n- [a](../../../etc/passwd)\n- [b](file:///etc/passwd)\n- [c]({})\n- [d](mailto:a@b.c)\n\
         - [e](http://u:p@h.example/)\n- [f](http://[bad)\n- [g](//127.0.0.1:{}/y.md)\n- [h](/z.png)\n",
        other.url("/x.md"),
        other.port()
    );
    server.text("/docs/llms.txt", "text/plain", &list);
    server.markdown("/etc/passwd.md", "# P");
    server.answer("/z.png", Answer::new(200, "image/png", "PNG"));
    let (told, ..) = read_with(&options(), &server, "/docs").await.unwrap();
    let (y, x) = (other.url("/y.md"), other.url("/x.md"));
    let mut expected = [
        "index /docs/llms.txt: # D".to_owned(),
        "page /docs/llms.txt: InvalidUrl".to_owned(),
        "page /etc/passwd: # P".to_owned(),
        "page /z.png: UnsupportedType".to_owned(),
        "page file:///etc/passwd: InvalidUrl".to_owned(),
        format!("page {x}: # X"),
        format!("page {y}: NotFound"),
        "page http://u:p@h.example/: InvalidUrl".to_owned(),
        "page mailto:a@b.c: InvalidUrl".to_owned(),
    ];
    expected.sort();
    assert_eq!(told, expected);
    let private = SiteOptions::default();
    let list = "# D\n- [a](http://10.0.0.1/a.md)\n- [b](http://169.254.169.254/)\n";
    server.text("/llms.txt", "text/plain", list);
    assert!(matches!(
        read_with(&private, &server, "").await,
        Err(Error::PrivateAddress { .. })
    ));
}

#[tokio::test]
async fn what_is_known_of_a_page_is_not_sent_again() {
    let server = Server::start();
    server.text("/llms.txt", "text/plain", "# D\n- [a](a)\n- [b](b)\n");
    server.markdown("/a.md", "# A");
    server.html("/b", "<p>B");
    let site = Site::new(&server.url(""), &options()).unwrap();
    let mut known = Known::new();
    let mut pages = site.open(Arc::default()).await.unwrap();
    while let Some(page) = pages.next().await {
        if let Ok(Answered::Body(body)) = page.answer {
            known.insert(body.url.into(), body.validators);
        }
    }
    server.take_log();
    let mut pages = site.open(Arc::new(known)).await.unwrap();
    let mut told = Vec::new();
    while let Some(page) = pages.next().await {
        told.push(tell(&server, page));
    }
    told.sort();
    assert_eq!(
        told,
        [
            "index /llms.txt: # D",
            "page /a: not modified",
            "page /b: not modified"
        ]
    );
    let mut asked = server.take_log();
    asked.sort();
    let expected = ["200 /llms.txt", "304 /a.md", "304 /b", "404 /llms-full.txt"];
    assert_eq!(asked, expected);
}

#[tokio::test]
async fn one_page_is_that_page() {
    let server = Server::start();
    server.markdown("/docs/a.md", "# A");
    server.html("/docs/b.html", "<p>B");
    check(&server, "/docs/a.md#part", &["page /docs/a.md: # A"]).await;
    check(&server, "/docs/b.html", &["page /docs/b.html: <p>B"]).await;
    let error = read_with(&options(), &server, "/docs/c.md")
        .await
        .unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error:?}");
    for url in ["example.org", "ftp://example.org", "https://", "mailto:a@b"] {
        let error = Site::new(url, &options()).unwrap_err();
        assert!(
            matches!(error, Error::InvalidUrl { .. }),
            "{url}: {error:?}"
        );
    }
}

/// Crawls a site, and returns what a user should know of it.
pub(crate) async fn notes(server: &Server, path: &str) -> Vec<String> {
    let site = Site::new(&server.url(path), &options().with_crawl(true)).unwrap();
    let mut pages = site.open(Arc::new(Known::new())).await.unwrap();
    while pages.next().await.is_some() {}
    pages.notes()
}

#[tokio::test]
async fn a_list_among_the_pages_of_a_list_is_said_with_the_pages_that_were_not_requested() {
    let server = Server::start();
    let list = "# S\n- [a](a.md)\n- [sub](sub/llms.txt)\n- [same](same/llms.txt)\n";
    server.text("/llms.txt", "text/plain", list);
    let sub = "# Sub\n- [a](/a.md)\n- [b](b.md)\n- [b](b.md#c)\n- [d](/d)\n- <me@x.org>\n";
    server.text("/sub/llms.txt", "text/plain", sub);
    server.text("/same/llms.txt", "text/plain", "# Same\n- [a](/a.md#b)\n");
    server.markdown("/a.md", "# A");
    let expected = [
        "index /llms.txt: # S",
        "page /a.md: # A",
        "page /same/llms.txt: # Same",
        "page /sub/llms.txt: # Sub",
    ];
    check(&server, "", &expected).await;
    let nested = server.url("/sub/llms.txt");
    let note = format!(
        "`{nested}` is a list itself, and 2 of its pages were not requested: ingest it for them"
    );
    let site = Site::new(&server.url(""), &options()).unwrap();
    let mut known = Known::new();
    // What the list has is said each time, whether it is new or not.
    for _ in 0..2 {
        let mut pages = site.open(Arc::new(known.clone())).await.unwrap();
        while let Some(page) = pages.next().await {
            if let Ok(Answered::Body(body)) = page.answer {
                known.insert(body.url.into(), body.validators);
            }
        }
        assert_eq!(pages.notes(), [note.as_str()]);
    }
}

#[tokio::test]
async fn a_page_that_is_listed_and_only_leads_to_another_stands_for_that() {
    let server = Server::start();
    server.text("/llms.txt", "text/plain", "# S\n## D\n- [a](a)\n");
    server.html("/a", "<meta http-equiv=refresh content='0; url=/b'>");
    server.html("/b", "<p>B");
    let expected = ["index /llms.txt: # S", "page /a: Moved", "page /b: <p>B"];
    check(&server, "", &expected).await;
}

#[tokio::test]
async fn a_page_that_leads_elsewhere_for_now_has_not_moved() {
    let server = Server::start();
    let list = "# S\n## D\n- [a](a)\n- [b](b)\n- [c](c)\n- [d](d)\n- [e](e)\n";
    server.text("/llms.txt", "text/plain", list);
    for path in ["/a", "/b"] {
        server.answer(path, Answer::redirect("/login"));
    }
    for path in ["/c", "/d"] {
        server.answer(path, Answer::moved("/new"));
    }
    server.answer("/e", Answer::redirect("/none"));
    server.html("/login", "<p>Log in");
    server.html("/new", "<p>New");
    let expected = [
        "index /llms.txt: # S",
        "page /a: Diverted",
        "page /b: Diverted",
        "page /e: Redirect",
        "page /login: <p>Log in",
        "page /new: <p>New",
    ];
    check(&server, "", &expected).await;
    let site = Site::new(&server.url(""), &options()).unwrap();
    let mut pages = site.open(Arc::new(Known::new())).await.unwrap();
    while pages.next().await.is_some() {}
    let moved = |path: &str| pages.moved_to(&server.url(path)).map(url::Url::path);
    assert_eq!(
        [moved("/a"), moved("/c"), moved("/d")],
        [None, Some("/new"), Some("/new")]
    );
}

#[tokio::test]
async fn more_pages_than_are_allowed_are_counted() {
    let server = Server::start();
    let links: Vec<String> = (0..30)
        .map(|number| format!("- [p](/{number}.md)"))
        .collect();
    let links = links.join("\n");
    server.text("/llms.txt", "text/plain", &format!("# D\n{links}"));
    (0..30).for_each(|number| server.markdown(&format!("/{number}.md"), "# P"));
    let few = options().with_max_pages(12);
    let (told, is_whole, left_out) = read_with(&few, &server, "").await.unwrap();
    assert_eq!((told.len(), is_whole, left_out), (1 + 12, false, 18));
}
