//! The pages of a crawl.

use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use sectile_core::ContentHash;
use sectile_site::{Known, Site};

use super::server::{Answer, Server};
use super::sites::{notes, options, read_with};

fn linked(server: &Server) {
    server.html(
        "/docs/",
        "<a href=a>a</a><a href='b#x'>b</a><a href=/elsewhere>c</a><a href=x.png>d</a>",
    );
    server.html(
        "/docs/a",
        "<p>A<a href=/docs/deep/c>c</a><a href=./>back</a>",
    );
    server.html("/docs/b", "<p>B<a href='http://10.9.8.7/docs/'>out</a>");
    server.html("/docs/deep/c", "<p>C<a href=../d>d</a>");
    server.html("/docs/d", "<p>D");
}

/// Crawls the folder of the pages that are linked.
async fn crawled(server: &Server) -> (Vec<String>, bool) {
    let crawl = options().with_crawl(true);
    let (told, is_whole, _) = read_with(&crawl, server, "/docs/").await.unwrap();
    (told, is_whole)
}

#[tokio::test]
async fn a_crawl_stays_below_its_start() {
    let server = Server::start();
    linked(&server);
    let crawl = options().with_crawl(true);
    let (told, is_whole, _) = read_with(&crawl, &server, "/docs").await.unwrap();
    let found = |told: &[String]| -> Vec<String> {
        let name = |line: &String| line.split([' ', ':']).nth(1).unwrap().to_owned();
        told.iter().map(name).collect()
    };
    let all = ["/docs/", "/docs/a", "/docs/b", "/docs/d", "/docs/deep/c"];
    assert_eq!(found(&told), all);
    assert!(is_whole);
    let asked = server.take_log();
    assert!(
        !asked
            .iter()
            .any(|line| line.contains("elsewhere") || line.contains("png"))
    );
    let few = crawl.with_max_pages(2);
    let (told, is_whole, left_out) = read_with(&few, &server, "/docs").await.unwrap();
    assert_eq!((told.len(), is_whole, left_out > 0), (2, false, true));
}

#[tokio::test]
async fn a_crawl_goes_as_far_as_links_lead() {
    let server = Server::start();
    let next = |number: usize| format!("<p>{number}<a href=/docs/{}>next</a>", number + 1);
    server.html("/docs/", &next(0));
    for number in 1..30 {
        server.html(&format!("/docs/{number}"), &next(number));
    }
    server.html("/docs/30", "<p>30");
    let (told, is_whole) = crawled(&server).await;
    assert_eq!((told.len(), is_whole), (31, true), "{told:?}");
}

#[tokio::test]
async fn a_page_that_sends_browsers_on_leads_to_the_others() {
    let server = Server::start();
    server.html("/docs/", "<meta http-equiv=refresh content='0; url=en/'>");
    server.html(
        "/docs/en/",
        "<frame src=a.html><noscript><a href=b>b</a></noscript>",
    );
    server.html("/docs/en/a.html", "<p>A");
    server.html("/docs/en/b", "<p>B");
    let (told, is_whole) = crawled(&server).await;
    let expected = [
        "page /docs/: Moved",
        "page /docs/en/: <frame src=a.html><noscript><a href=b>b</a></noscript>",
        "page /docs/en/a.html: <p>A",
        "page /docs/en/b: <p>B",
    ];
    assert_eq!(
        (told.as_slice(), is_whole),
        (&expected.map(str::to_owned)[..], true)
    );
}

#[tokio::test]
async fn links_are_written_as_their_page_is() {
    let server = Server::start();
    let page = b"<a href='caf\xe9.html'>c</a>";
    server.answer(
        "/docs/",
        Answer::new(200, "text/html; charset=latin1", &page[..]),
    );
    server.html("/docs/caf%C3%A9.html", "<p>Caf\u{e9}");
    let (told, _) = crawled(&server).await;
    assert_eq!(told[1], "page /docs/caf%C3%A9.html: <p>Caf\u{e9}");
}

#[tokio::test]
async fn a_sitemap_that_is_named_and_not_there_is_said_and_another_one_looked_for() {
    let server = Server::start();
    let names = ["/none.xml", "/page.html"].map(|path| format!("Sitemap: {}\n", server.url(path)));
    server.text("/robots.txt", "text/plain", &names.concat());
    server.html("/page.html", "<!doctype html><p>no map");
    let map = "<rss><channel><item><link>/docs/a</link></item></channel></rss>";
    server.text("/sitemap.xml", "application/xml", map);
    server.html("/docs/", "<p>Start");
    server.html("/docs/a", "<p>A");
    let (told, is_whole) = crawled(&server).await;
    assert_eq!((told.len(), is_whole), (2, true), "{told:?}");
    let notes = notes(&server, "/docs/").await;
    assert!(notes[0].contains("/none.xml` (status 404)"), "{notes:?}");
    assert!(
        notes[1].contains("/page.html` is not a sitemap"),
        "{notes:?}"
    );
    assert_eq!(notes.len(), 2);
}

#[tokio::test]
async fn what_is_no_web_page_may_ask_not_to_be_indexed_and_may_be_a_copy() {
    let server = Server::start();
    server.html("/docs/", "<a href=a>a</a><a href=b>b</a><a href=c>c</a>");
    let text = || Answer::new(200, "text/plain", "text");
    server.answer("/docs/a", text().with("x-robots-tag", "noindex"));
    server.answer("/docs/b", text());
    server.answer("/docs/c", text());
    let (told, _) = crawled(&server).await;
    assert_eq!(told[1], "page /docs/a: NotIndexed");
    let copies = told.iter().filter(|line| line.ends_with(": Copy"));
    assert_eq!(copies.count(), 1);
}

#[tokio::test]
async fn a_crawl_that_no_link_stays_in_says_so() {
    let server = Server::start();
    server.html(
        "/docs/start",
        "<a href=/docs/a>a</a><a href=b>b</a><a href=x.png>x</a>",
    );
    let folder = server.url("/docs/");
    let note = format!(
        "links lead out of `/docs/start/`, where this crawl stays (2 in all): ingest {folder} for their pages"
    );
    assert_eq!(notes(&server, "/docs/start").await, [note]);
}

#[tokio::test]
async fn a_crawl_of_a_file_says_that_it_follows_no_links() {
    let server = Server::start();
    server.html("/docs/index.html", "<a href=a.html>a</a>");
    server.markdown("/docs/a.md", "[b](b.md)");
    let (page, folder) = (server.url("/docs/index.html"), server.url("/docs/"));
    let note = format!(
        "`{page}` is a file, so its links were not followed: ingest {folder} for the pages in its folder"
    );
    assert_eq!(notes(&server, "/docs/index.html#b").await, [note]);
    assert!(notes(&server, "/docs/a.md").await.is_empty());
    let options = options().with_crawl(true).with_page_only(true);
    let site = Site::new(&page, &options).unwrap();
    let pages = site.open(Arc::new(Known::new())).await.unwrap();
    assert!(pages.notes().is_empty());
}

#[tokio::test]
async fn documents_that_a_crawl_does_not_request_are_named_and_counted() {
    let server = Server::start();
    server.html(
        "/docs/",
        "<a href=a.pdf>a</a><a href=a.pdf#page=2>a</a><a href=/b.docx>b</a><a href=c.XLSX>c</a>\
         <a href=d.epub>d</a><a href=e.doc>e</a><a href=x.zip>x</a><a href=f.csv>f</a>",
    );
    let [a, b, c] = ["/docs/a.pdf", "/b.docx", "/docs/c.XLSX"].map(|path| server.url(path));
    let note = format!(
        "documents that are linked and were not requested, as a crawl reads web pages (5 in all): {b}, {a}, {c} \
         and 2 more; download them and ingest the files"
    );
    assert_eq!(notes(&server, "/docs/").await, [note]);
    let asked = server.take_log();
    let is_document = |line: &String| {
        ["pdf", "docx", "XLSX"]
            .iter()
            .any(|end| line.ends_with(*end))
    };
    assert!(!asked.iter().any(is_document), "{asked:?}");
}

#[tokio::test]
async fn a_file_that_is_sent_as_a_web_page_is_told_by_its_bytes() {
    let server = Server::start();
    server.html("/docs/", "<a href=get>a</a>");
    server.html("/docs/get", "%PDF-1.7\n");
    let (told, is_whole) = crawled(&server).await;
    assert_eq!(told[1], "page /docs/get: UnsupportedType");
    assert!(is_whole);
}

#[tokio::test]
async fn links_that_all_lead_to_another_address_of_the_site_are_noted() {
    let (server, other) = (Server::start(), Server::start());
    server.html(
        "/docs/",
        &format!(
            "<a href={}>a</a><a href=http://x.invalid/>x</a>",
            other.url("/docs/a")
        ),
    );
    let note = format!(
        "links lead to {}, another address of this site (1 in all): ingest that one for its pages",
        other.url("")
    );
    assert_eq!(notes(&server, "/docs/").await, [note]);
    server.html("/docs/", "<a href=b>b</a><a href=http://x.invalid/>x</a>");
    server.html("/docs/b", "<p>B");
    assert!(notes(&server, "/docs/").await.is_empty());
    // With pages, another port is another site, and the other scheme is not.
    let (secure, other) = (server.url("").replace("http:", "https:"), other.url(""));
    let links = format!(
        "<a href=b>b</a><a href={other}/1>1</a><a href={other}/2>2</a><a href={secure}/3>3</a>"
    );
    server.html("/docs/", &links);
    let note = format!(
        "links lead to {secure}, another address of this site (1 in all): ingest that one for its pages"
    );
    assert_eq!(notes(&server, "/docs/").await, [note]);
}

#[tokio::test]
async fn pages_with_the_same_bytes_are_one() {
    let server = Server::start();
    let start =
        "<p>Start<a href=index.html?a.html>frames</a><a href=index.html>i</a><a href=a.html>a</a>";
    for path in ["/docs/", "/docs/index.html", "/docs/index.html?a.html"] {
        server.html(path, start);
    }
    server.html("/docs/a.html", "<p>A");
    let (told, is_whole) = crawled(&server).await;
    let expected = [
        &format!("page /docs/: {start}"),
        "page /docs/a.html: <p>A",
        "page /docs/index.html: Copy",
        "page /docs/index.html?a.html: Copy",
    ];
    assert_eq!(
        (told.as_slice(), is_whole),
        (&expected.map(str::to_owned)[..], true)
    );
}

#[tokio::test]
async fn the_page_of_several_with_the_same_bytes_does_not_depend_on_the_order_of_answers() {
    let server = Server::start();
    server.html("/", "<a href=a>a</a><a href=b>b</a><a href=c>c</a>");
    let page = "<p>The same";
    let slow = || Answer::new(200, "text/html", page).dripping();
    server.answer("/a", slow());
    server.html("/b", page);
    server.answer("/c", slow());
    let read = async |preferred: Option<&str>| {
        let site = Site::new(&server.url("/"), &options().with_crawl(true)).unwrap();
        let mut pages = site.open(Arc::new(Known::new())).await.unwrap();
        let url = |path: &str| server.url(path).parse().unwrap();
        let preferred = preferred.map(|path| (ContentHash::of(page.as_bytes()), url(path)));
        pages.prefer(preferred.into_iter().collect());
        let mut found = Vec::new();
        while let Some(page) = pages.next().await {
            found.extend(page.answer.is_ok().then(|| page.url.path().to_owned()));
        }
        found
    };
    assert_eq!(read(None).await, ["/", "/a"]);
    assert_eq!(read(Some("/c")).await, ["/", "/c"]);
    // A page that is not there any more is no reason to leave out its copies.
    assert_eq!(read(Some("/gone")).await, ["/", "/a"]);
}

#[tokio::test]
async fn pages_that_are_named_like_files_are_asked_for() {
    let server = Server::start();
    server.html(
        "/docs/",
        "<a href=Node.js>n</a><a href=package.json>p</a><a href=data.json>d</a><a href=x.zip>x</a>",
    );
    server.html("/docs/Node.js", "<p>Node");
    server.html("/docs/package.json", "<p>Package");
    server.answer(
        "/docs/data.json",
        Answer::new(200, "application/json", "{}"),
    );
    let (told, _) = crawled(&server).await;
    let names: Vec<&str> = told
        .iter()
        .map(|line| line.rsplit(": ").next().unwrap())
        .collect();
    assert_eq!(&names[1..], ["<p>Node", "UnsupportedType", "<p>Package"]);
    let asked = server.take_log();
    assert!(!asked.iter().any(|line| line.contains("zip")), "{asked:?}");
}

#[tokio::test]
async fn a_crawl_reads_sitemaps_and_keeps_to_the_rules() {
    let server = Server::start();
    let urls = |paths: &[&str]| {
        let url = |path: &&str| format!("<url><loc>{}</loc></url>", server.url(path));
        paths.iter().map(url).collect::<String>()
    };
    let robots = format!(
        "Sitemap: {}\nUser-agent: *\nDisallow: /docs/no",
        server.url("/maps.xml")
    );
    server.text("/robots.txt", "text/plain", &robots);
    let index = "<sitemapindex><sitemap><loc>/one.xml</loc></sitemap></sitemapindex>";
    server.text("/maps.xml", "application/xml", index);
    let map = urls(&["/docs/lone", "/docs/no", "/other"]);
    server.text(
        "/one.xml",
        "application/xml",
        &format!("<urlset>{map}</urlset>"),
    );
    server.html("/docs/", "<p>Start");
    server.html("/docs/lone", "<p>Lone");
    let (told, is_whole) = crawled(&server).await;
    let expected = [
        "page /docs/: <p>Start",
        "page /docs/lone: <p>Lone",
        "page /docs/no: Disallowed",
    ];
    assert_eq!(told, expected);
    assert!(is_whole);
}

#[tokio::test]
async fn a_sitemap_that_lists_itself_is_read_once() {
    let server = Server::start();
    let index = "<sitemapindex><sitemap><loc>/sitemap.xml</loc></sitemap><sitemap><loc>/a.xml</loc></sitemap>\
                 <sitemap><loc>/a.xml</loc></sitemap></sitemapindex>";
    server.text("/sitemap.xml", "application/xml", index);
    let map = "<urlset><url><loc>/docs/lone</loc></url></urlset>";
    server.text("/a.xml", "application/xml", map);
    server.html("/docs/", "<p>Start");
    server.html("/docs/lone", "<p>Lone");
    let (told, is_whole) = crawled(&server).await;
    assert_eq!(told, ["page /docs/: <p>Start", "page /docs/lone: <p>Lone"]);
    assert!(is_whole);
    let asked = server.take_log();
    let maps = asked.iter().filter(|line| line.contains(".xml"));
    assert_eq!(maps.count(), 2, "{asked:?}");
}

#[tokio::test]
async fn sitemaps_that_are_packed_are_read_and_damaged_ones_are_said() {
    let server = Server::start();
    let index = "<sitemapindex><sitemap><loc>/a.xml.gz</loc></sitemap>\
                 <sitemap><loc>/b.xml.gz</loc></sitemap></sitemapindex>";
    server.text("/sitemap.xml", "application/xml", index);
    let map = format!(
        "<urlset><url><loc>{}</loc></url></urlset>",
        server.url("/docs/lone")
    );
    let packer = GzEncoder::new(Vec::new(), Compression::fast());
    let sent = super::packed::packed(packer, map.as_bytes(), GzEncoder::finish);
    let is_of = |bytes: &[u8]| Answer::new(200, "application/gzip", bytes);
    server.answer("/a.xml.gz", is_of(&sent));
    server.answer("/b.xml.gz", is_of(&sent[..20]));
    server.html("/docs/", "<p>Start");
    server.html("/docs/lone", "<p>Lone");
    let (told, is_whole) = crawled(&server).await;
    let expected = [
        "page /b.xml.gz: Unreadable",
        "page /docs/: <p>Start",
        "page /docs/lone: <p>Lone",
    ];
    assert_eq!(told, expected);
    assert!(!is_whole);
}

#[tokio::test]
async fn a_page_of_several_addresses_is_one_and_what_asks_to_be_left_out_is() {
    let server = Server::start();
    server.html(
        "/docs/",
        "<title>Start</title><a href=a?utm=1>1</a><a href=a?utm=2>2</a><a href=hidden>h</a>\
         <a href=b>b</a><a href=dead>d</a>",
    );
    let page = |title: &str| format!("<title>{title}</title><link rel=canonical href=/docs/a><p>A");
    server.html("/docs/a", &page("A"));
    server.html("/docs/a?utm=1", &page("A"));
    server.html("/docs/a?utm=2", &page("A"));
    // A template that gives every page one address hides none of them.
    server.html("/docs/b", &page("B"));
    let gone = "<title>D</title><link rel=canonical href=/docs/gone><p>D";
    server.html("/docs/dead", gone);
    let hidden = Answer::new(200, "text/html", "<p>H<a href=below>b</a>");
    server.answer("/docs/hidden", hidden.with("x-robots-tag", "noindex"));
    let below = "<meta name=robots content='noindex, nofollow'><a href=never>n</a>";
    server.html("/docs/below", below);
    let (told, is_whole) = crawled(&server).await;
    let brief: Vec<&str> = told
        .iter()
        .map(|line| &line[..line.len().min(26)])
        .collect();
    assert_eq!(
        brief,
        [
            "page /docs/: <title>Start<",
            "page /docs/a: <title>A</ti",
            "page /docs/a?utm=1: Duplic",
            "page /docs/a?utm=2: Duplic",
            "page /docs/b: <title>B</ti",
            "page /docs/below: NotIndex",
            "page /docs/dead: <title>D<",
            "page /docs/gone: NotFound",
            "page /docs/hidden: NotInde",
        ]
    );
    assert!(is_whole);
    let asked = server.take_log();
    assert!(
        !asked.iter().any(|line| line.contains("never")),
        "{asked:?}"
    );
}

#[tokio::test]
async fn a_template_that_gives_all_pages_one_address_hides_none() {
    for title in ["<title>Site</title>", ""] {
        let head = format!("{title}<link rel=canonical href=/docs/>");
        let server = Server::start();
        let links = "<a href=a>a</a><a href=b>b</a><a href=b2>b</a><a href='?c'>c</a>";
        server.html("/docs/", &format!("{head}<p>Start{links}"));
        server.html("/docs/?c", &format!("{head}<p>Start again{links}"));
        server.html("/docs/a", &format!("{head}<p>A"));
        for path in ["/docs/b", "/docs/b2"] {
            server.html(path, &format!("{head}<p>B"));
        }
        let (told, is_whole) = crawled(&server).await;
        let brief = told.iter().map(|line| {
            let page = line.split_once(": <");
            page.map_or(line.as_str(), |(page, _)| page)
        });
        let expected = [
            "page /docs/",
            "page /docs/?c: Duplicate",
            "page /docs/a",
            "page /docs/b2: Copy",
            "page /docs/b",
        ];
        assert_eq!(brief.collect::<Vec<_>>(), expected, "{title}");
        assert!(is_whole);
    }
}

#[tokio::test]
async fn a_page_without_a_title_is_another_one_only_in_its_query() {
    let server = Server::start();
    server.html(
        "/docs/",
        "<p>Start<a href=a>a</a><a href='a?b'>b</a><a href=c>c</a>",
    );
    let page = |text: &str| format!("<link rel=canonical href=/docs/a><p>{text}");
    server.html("/docs/a", &page("A"));
    server.html("/docs/a?b", &page("A, too"));
    server.html("/docs/c", &page("C"));
    let (told, _) = crawled(&server).await;
    assert!(told[2].starts_with("page /docs/a?b: Duplicate"), "{told:?}");
    assert!(told[3].starts_with("page /docs/c: <link"), "{told:?}");
}

#[tokio::test]
async fn a_crawl_that_could_not_read_a_page_is_not_whole() {
    let server = Server::start();
    linked(&server);
    server.answer("/docs/a", Answer::new(500, "text/html", ""));
    server.answer("/docs/b", Answer::redirect("/docs/"));
    let (told, is_whole) = crawled(&server).await;
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(!is_whole);
    server.answer("/docs/a", Answer::redirect("/elsewhere"));
    server.html("/elsewhere", "<p>Out");
    let (told, is_whole) = crawled(&server).await;
    assert_eq!((told.len(), is_whole), (3, true), "{told:?}");
}

#[tokio::test]
async fn what_holds_no_links_hides_no_page_of_a_crawl() {
    let server = Server::start();
    linked(&server);
    server.answer("/docs/a", Answer::new(200, "application/json", "{}"));
    server.answer("/docs/b", Answer::redirect("/docs/b"));
    let (told, is_whole) = crawled(&server).await;
    assert_eq!((told.len(), is_whole), (3, true), "{told:?}");
}
