//! What is there, and what only looks so.

use std::sync::Arc;

use sectile_site::{Error, Known, Presence, Site, SiteOptions};
use url::Url;

use super::server::{Answer, Server};
use super::sites::{options, read_with};

fn crawl() -> SiteOptions {
    options().with_crawl(true)
}

#[tokio::test]
async fn a_text_that_comes_for_every_address_is_no_list() {
    for text in ["Not found", "# Not found\n\n[Home](/)\n"] {
        let server = Server::start();
        server.otherwise(Answer::new(200, "text/plain", text));
        server.text("/robots.txt", "text/plain", "");
        server.html("/", "<a href=a>a</a>");
        server.html("/a", "<p>A");
        let (told, ..) = read_with(&crawl(), &server, "").await.unwrap();
        assert_eq!(
            told[..2],
            ["page /: <a href=a>a</a>", "page /a: <p>A"],
            "{text}"
        );
    }
}

#[tokio::test]
async fn a_text_that_comes_for_every_address_is_no_markdown_of_a_page() {
    let server = Server::start();
    server.otherwise(Answer::new(200, "text/plain", "Not found"));
    server.text("/robots.txt", "text/plain", "");
    server.text("/llms.txt", "text/plain", "# S\n- [a](a)\n");
    server.html("/a", "<p>A");
    let (told, ..) = read_with(&options(), &server, "").await.unwrap();
    assert_eq!(told, ["index /llms.txt: # S", "page /a: <p>A"]);
}

#[tokio::test]
async fn texts_that_come_for_every_address_are_told_by_their_extension() {
    let server = Server::start();
    let text = "# Moved\n\nSee [home](/).\n";
    server.text("/llms.txt", "text/plain", "# S\n- [a](a)\n- [b](b)\n");
    for path in ["/a.md", "/b.md", "/sectile-asks-for-what-is-not-there.md"] {
        server.markdown(path, text);
    }
    server.html("/a", "<p>A");
    server.html("/b", "<p>B");
    let (told, ..) = read_with(&options(), &server, "").await.unwrap();
    assert_eq!(
        told,
        ["index /llms.txt: # S", "page /a: <p>A", "page /b: <p>B"]
    );
}

#[tokio::test]
async fn a_crawl_asks_for_web_pages_and_a_list_for_markdown() {
    let server = Server::start();
    server.html("/docs/", "<a href=a>a</a>");
    server.html("/docs/a", "<p>A");
    read_with(&crawl(), &server, "/docs/").await.unwrap();
    let requests = server.take_requests();
    let accepted = |path: &str| {
        let mut of_path = requests.iter().filter(|request| request.path == path);
        of_path.next_back().unwrap().headers["accept"].clone()
    };
    for path in ["/docs/", "/docs/a"] {
        assert!(accepted(path).starts_with("text/html,"), "{path}");
    }
    assert!(accepted("/llms.txt").starts_with("text/markdown,"));
}

#[tokio::test]
async fn a_crawl_begins_at_the_address_as_it_was_given() {
    let server = Server::start();
    server.html("/c/a", "<p>A<a href=a/b>b</a><a href=other>o</a>");
    server.html("/c/a/b", "<p>B<a href=/c/a>a</a>");
    server.html("/c/other", "<p>O");
    let (told, is_whole, _) = read_with(&crawl(), &server, "/c/a").await.unwrap();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("page /c/a/b: ") && told[1].starts_with("page /c/a: "));
    assert!(is_whole);
    let error = read_with(&crawl(), &server, "/c/none").await.unwrap_err();
    assert!(error.to_string().contains("/c/none`"), "{error}");
}

#[tokio::test]
async fn one_page_without_an_extension_is_that_page_whatever_it_asks_for() {
    let server = Server::start();
    server.text("/llms.txt", "text/plain", "# List");
    let hidden = Answer::new(200, "text/html", "<p>H<a href=x>x</a>");
    server.answer("/c/hidden", hidden.with("x-robots-tag", "noindex"));
    let page = options().with_page_only(true);
    let (told, ..) = read_with(&page, &server, "/c/hidden").await.unwrap();
    assert_eq!(told, ["page /c/hidden: <p>H<a href=x>x</a>"]);
    let error = read_with(&options(), &Server::start(), "/c/a").await;
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("`page`") && error.contains("`crawl`"),
        "{error}"
    );
}

#[tokio::test]
async fn a_page_that_nothing_leads_to_may_be_there() {
    let server = Server::start();
    server.html("/", "<p>Start");
    server.html("/a", "<p>A");
    server.html("/hidden", "<meta name=robots content=noindex><p>H");
    server.answer("/old", Answer::moved("/a"));
    server.answer("/login", Answer::redirect("/a"));
    server.html("/stub", "<meta http-equiv=refresh content='0; url=/a'>");
    server.answer("/lost", Answer::redirect("/none"));
    server.answer("/busy", Answer::new(503, "text/html", ""));
    server.answer("/large", Answer::new(200, "text/html", vec![b'a'; 9 << 20]));
    let site = Site::new(&server.url(""), &crawl()).unwrap();
    let pages = site.open(Arc::new(Known::new())).await.unwrap();
    let paths = [
        "/a", "/hidden", "/old", "/login", "/stub", "/lost", "/busy", "/large", "/none",
    ];
    let url = |path: &&str| Url::parse(&server.url(path)).unwrap();
    let said = pages.look_again(paths.iter().map(url).collect()).await;
    let short = |(_, presence): &(Url, Presence)| match presence {
        Presence::There(url) => format!("there {}", url.path()),
        Presence::Gone(Error::NotFound { .. }) => "gone".to_owned(),
        Presence::Gone(Error::NotIndexed { .. }) => "not indexed".to_owned(),
        Presence::Gone(Error::Moved { to, .. }) => format!("moved {}", to.path()),
        _ => "unknown".to_owned(),
    };
    let said: Vec<_> = said.iter().map(short).collect();
    let expected = [
        "there /a",
        "not indexed",
        "there /a",
        "unknown",
        "moved /a",
        "unknown",
        "unknown",
        "there /large",
        "gone",
    ];
    assert_eq!(said, expected);
}

#[tokio::test]
async fn a_damaged_sitemap_is_read_as_far_as_it_goes_and_is_said() {
    let server = Server::start();
    server.html("/", "<p>Start");
    server.html("/a?b=1&c=2", "<p>A");
    let cut = "<urlset><url><loc>/a?b=1&c=2</loc></url><url><loc>/b</lo";
    server.text("/sitemap.xml", "application/xml", cut);
    let (told, is_whole, _) = read_with(&crawl(), &server, "").await.unwrap();
    let expected = [
        "page /: <p>Start",
        "page /a?b=1&c=2: <p>A",
        "page /sitemap.xml: Unreadable",
    ];
    assert_eq!(
        (told, is_whole),
        (expected.map(str::to_owned).to_vec(), false)
    );
}

#[tokio::test]
async fn what_is_too_large_hides_no_page_of_a_crawl() {
    let server = Server::start();
    server.html("/", "<a href=large>l</a>");
    server.answer("/large", Answer::new(200, "text/html", vec![b'a'; 9 << 20]));
    let (told, is_whole, _) = read_with(&crawl(), &server, "").await.unwrap();
    assert_eq!(told[1], "page /large: TooLarge");
    assert!(is_whole);
}

#[tokio::test]
async fn a_host_that_is_not_there_is_named() {
    let site = Site::new("https://nosuch.invalid/", &SiteOptions::default()).unwrap();
    let error = site.open(Arc::new(Known::new())).await.unwrap_err();
    let told = error.to_string();
    assert!(
        told.starts_with("there is no host `nosuch.invalid`"),
        "{told}"
    );
    assert!(!error.is_transient());
}
