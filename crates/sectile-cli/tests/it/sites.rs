//! Web sites as sources.

use std::collections::BTreeMap;

use serde_json::Value;

use super::site_server::{Answer, Server};
use super::workplace::Workplace;

/// What a document's row and those of its sections say, by URI.
fn rows(place: &Workplace) -> BTreeMap<String, (String, String)> {
    let documents = place.json(&["list", "--json"]);
    let row = |document: &Value| {
        let uri = document["uri"].as_str().unwrap().to_owned();
        let toc = place.json(&["toc", &uri, "--json"]);
        let hashes: Vec<_> = toc
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["content_hash"].clone())
            .collect();
        let hashes = Value::from(hashes).to_string();
        (uri, (document["updated_at"].to_string(), hashes))
    };
    documents.as_array().unwrap().iter().map(row).collect()
}

/// Ingests a site and returns added, updated, unchanged, removed, bytes written, and how many were
/// skipped and failed.
fn ingest(place: &Workplace, arguments: &[&str], code: i32) -> [u64; 7] {
    let all = [&["ingest", "--allow-private", "--json"], arguments].concat();
    let output = place.run(&all);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |name: &str| report[name].as_u64().unwrap();
    let count = |name: &str| report[name].as_array().unwrap().len() as u64;
    [
        number("added"),
        number("updated"),
        number("unchanged"),
        number("removed"),
        number("bytes_written"),
        count("skipped"),
        count("failed"),
    ]
}

fn sorted_log(server: &Server) -> Vec<String> {
    let mut log = server.take_log();
    log.sort();
    log
}

/// The request that tells whether a server answers every address with a text.
const PROBE: &str = "404 /sectile-asks-for-what-is-not-there.txt";

const FULL: &str = "---\nurl: /guide/start\n---\n\n# Start\n\nInstall the kumquat.\n\n\
                    ---\nurl: /guide/end\n---\n\n# End\n\nPeel the pomelo.\n";

#[test]
fn a_site_in_one_file_is_ingested_changed_and_ingested_again() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text("/llms-full.txt", "text/plain", FULL);
    let site = server.url("");
    let first = ingest(&place, &[&site], 0);
    // Both pages, and the file that they stand in.
    assert_eq!(first, [3, 0, 0, 0, FULL.len() as u64, 0, 0]);
    assert_eq!(
        sorted_log(&server),
        ["200 /llms-full.txt", "404 /robots.txt", PROBE]
    );
    let start = server.url("/guide/start");
    assert!(
        place
            .stdout(&["search", "kumquat"])
            .starts_with(&format!("{start}:"))
    );
    assert!(
        place
            .stdout(&["get", &format!("{start}/"), "--heading", "Start"])
            .contains("Install")
    );
    let before = rows(&place);

    // Nothing has changed: one request beside the rules, and no row.
    assert_eq!(ingest(&place, &[&site], 0), [0, 0, 3, 0, 0, 0, 0]);
    assert_eq!(
        sorted_log(&server),
        ["304 /llms-full.txt", "404 /robots.txt"]
    );
    assert_eq!(rows(&place), before);

    // One page has changed.
    let changed = FULL.replace("pomelo", "tangerine");
    server.text("/llms-full.txt", "text/plain", &changed);
    let [added, updated, unchanged, ..] = ingest(&place, &[&site], 0);
    assert_eq!([added, updated, unchanged], [0, 2, 1]);
    let after = rows(&place);
    assert_eq!(after[&start], before[&start]);
    assert_ne!(
        after[&server.url("/guide/end")],
        before[&server.url("/guide/end")]
    );
    server.take_log();
    assert_eq!(ingest(&place, &[&site], 0)[2], 3);
    assert_eq!(
        sorted_log(&server),
        ["304 /llms-full.txt", "404 /robots.txt"]
    );

    // One page is gone.
    let (kept, _) = changed.split_at(changed.rfind("---\nurl").unwrap());
    server.text("/llms-full.txt", "text/plain", kept);
    let [_, updated, unchanged, removed, ..] = ingest(&place, &[&site], 0);
    assert_eq!([updated, unchanged, removed], [1, 1, 1]);
    place.stderr(&["search", "tangerine"], 1);
}

#[test]
fn the_same_text_under_another_name_changes_no_page() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text("/llms-full.txt", "text/plain", FULL);
    let site = server.url("");
    ingest(&place, &[&site], 0);
    let before = rows(&place);
    let renamed = Answer::new(200, "text/plain", FULL).with("etag", "\"other\"");
    server.answer("/llms-full.txt", renamed);
    assert_eq!(ingest(&place, &[&site], 0), [0, 0, 3, 0, 0, 0, 0]);
    let after = rows(&place);
    for page in ["/guide/start", "/guide/end"] {
        assert_eq!(after[&server.url(page)], before[&server.url(page)]);
    }
    server.take_log();
    ingest(&place, &[&site], 0);
    assert_eq!(
        sorted_log(&server),
        ["304 /llms-full.txt", "404 /robots.txt"]
    );
}

#[test]
fn a_page_that_was_removed_comes_back() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text("/llms-full.txt", "text/plain", FULL);
    ingest(&place, &[&server.url("")], 0);
    place.stdout(&["rm", &server.url("/guide/end")]);
    assert_eq!(ingest(&place, &[&server.url("")], 0)[..3], [1, 0, 2]);
}

fn list(server: &Server, pages: &[&str]) {
    let links: Vec<String> = pages
        .iter()
        .map(|page| format!("- [{page}]({page}.md)"))
        .collect();
    let links = links.join("\n");
    server.text(
        "/llms.txt",
        "text/plain",
        &format!("# Fruit\n\n## Pages\n\n{links}"),
    );
}

#[test]
fn a_site_with_a_list_is_ingested_changed_and_ingested_again() {
    let (place, server) = (Workplace::new(), Server::start());
    list(&server, &["a", "b", "c"]);
    for page in ["a", "b", "c"] {
        server.markdown(
            &format!("/{page}.md"),
            &format!("# Page {page}\n\nKumquat {page}.\n"),
        );
    }
    let site = server.url("");
    assert_eq!(ingest(&place, &[&site], 0)[..4], [4, 0, 0, 0]);
    let asked = sorted_log(&server);
    let expected = ["200 /a.md", "200 /b.md", "200 /c.md", "200 /llms.txt"];
    assert_eq!(asked[..4], expected);
    assert_eq!(asked[4..], ["404 /llms-full.txt", "404 /robots.txt", PROBE]);
    let before = rows(&place);

    assert_eq!(ingest(&place, &[&site], 0), [0, 0, 4, 0, 0, 0, 0]);
    let expected = [
        "200 /llms.txt",
        "304 /a.md",
        "304 /b.md",
        "304 /c.md",
        "404 /llms-full.txt",
        "404 /robots.txt",
        PROBE,
    ];
    assert_eq!(sorted_log(&server), expected);
    assert_eq!(rows(&place), before);

    // One page changes, one is not listed any more, one cannot be had just now.
    list(&server, &["a", "b"]);
    server.markdown("/a.md", "# Page a\n\nPomelo.\n");
    server.answer("/b.md", Answer::new(503, "text/plain", "later"));
    let report = ingest(&place, &[&site], 2);
    assert_eq!(report[..4], [0, 2, 0, 1]);
    assert_eq!(report[6], 1);
    let after = rows(&place);
    let (a, b, c) = (
        server.url("/a.md"),
        server.url("/b.md"),
        server.url("/c.md"),
    );
    assert_eq!(after[&b], before[&b], "what cannot be had stays as it was");
    assert_ne!(after[&a], before[&a]);
    assert!(!after.contains_key(&c));
    assert!(place.stdout(&["search", "kumquat b"]).contains(&b));
    let said = place.stderr(&["ingest", "--allow-private", &site], 2);
    assert!(
        said.contains(&b) && said.contains("503") && said.contains("later may work"),
        "{said}"
    );

    // A page that the server says is gone is gone.
    server.remove("/b.md");
    let report = ingest(&place, &[&site], 0);
    assert_eq!(report[3], 1, "{report:?}");
    assert!(!rows(&place).contains_key(&b));
}

#[test]
fn web_pages_become_markdown_and_keep_where_they_are_from() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text(
        "/llms.txt",
        "text/plain",
        "# S\n- [A](/a)\n- [B](/b.png)\n- [C](/c)\n",
    );
    let page =
        "<title>Fruit</title><nav>Menu</nav><main><h1>Fruit</h1><p>The <b>kumquat</b>.</main>";
    server.html("/a", page);
    server.answer("/b.png", Answer::new(200, "image/png", "PNG"));
    let latin = Answer::new(200, "text/plain", &b"caf\xe9 \xe0 la carte"[..]);
    server.answer("/c", latin);
    let report = ingest(&place, &[&server.url(""), "--collection", "fruit"], 0);
    assert_eq!((report[0], report[5]), (3, 1));
    let documents = place.json(&["list", "--json", "--collection", "fruit"]);
    let find = |path: &str| {
        let uri = server.url(path);
        let documents = documents.as_array().unwrap();
        documents
            .iter()
            .find(|one| one["uri"] == uri.as_str())
            .unwrap()
    };
    let metadata = &find("/a")["metadata"];
    assert_eq!(find("/a")["format"], "html");
    assert_eq!(metadata["title"], "Fruit");
    assert_eq!(metadata["source_url"], server.url("/a"));
    assert_eq!(metadata["site"], server.url("/"));
    assert!(metadata["etag"].is_string());
    assert_eq!(find("/c")["metadata"]["encoding"], "windows-1252");
    let text = place.stdout(&["get", &server.url("/a")]);
    assert_eq!(text, "# Fruit\n\nThe **kumquat**.\n");
}

#[test]
fn a_site_without_a_list_is_crawled_on_request_only() {
    let (place, server) = (Workplace::new(), Server::start());
    server.html("/", "<main><h1>Home</h1><a href=/fruit>Fruit</a></main>");
    server.html("/fruit", "<main><h1>Fruit</h1><p>Kumquats.</main>");
    let site = server.url("");
    let said = place.stderr(&["ingest", "--allow-private", &site], 2);
    assert!(
        said.contains("llms.txt") && said.contains("--crawl"),
        "{said}"
    );
    assert_eq!(ingest(&place, &[&site, "--crawl"], 0)[..4], [2, 0, 0, 0]);
    let before = rows(&place);
    assert_eq!(
        ingest(&place, &[&site, "--crawl"], 0),
        [0, 0, 2, 0, 0, 0, 0]
    );
    assert_eq!(rows(&place), before);
    server.html("/", "<main><h1>Home</h1></main>");
    server.remove("/fruit");
    assert_eq!(ingest(&place, &[&site, "--crawl"], 0)[..4], [0, 1, 0, 1]);
}

#[test]
fn this_machine_is_not_asked_without_leave() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text("/llms-full.txt", "text/plain", FULL);
    for site in [
        server.url(""),
        format!("http://localhost:{}", server.port()),
    ] {
        let said = place.stderr(&["ingest", &site], 2);
        assert!(
            said.contains("not public") && said.contains("--allow-private"),
            "{said}"
        );
    }
    assert!(server.take_log().is_empty());
    let said = place.stderr(&["ingest", "ftp://example.org"], 2);
    assert!(said.contains("https://"), "{said}");
}

#[test]
fn a_redirect_leads_to_no_other_private_host() {
    let (place, server) = (Workplace::new(), Server::start());
    let metadata = "http://169.254.169.254/latest/meta-data/";
    let list = "# S\n- [A](/a.md)\n- [B](/b.md)\n- [C](/c.md)\n";
    server.text("/llms.txt", "text/plain", list);
    server.markdown("/a.md", "# A");
    server.answer("/b.md", Answer::redirect(metadata));
    let by_name = format!("http://localhost:{}/a.md", server.port());
    server.answer("/c.md", Answer::redirect(&by_name));
    let site = server.url("");
    let said = place.stderr(&["ingest", "--allow-private", &site], 0);
    assert!(said.contains("--allow-private=169.254.169.254"), "{said}");
    assert!(said.contains("--allow-private=localhost"), "{said}");
    let asked = server.take_log().len();
    let said = place.stderr(&["ingest", "--allow-private=localhost", &site], 0);
    assert!(!said.contains("--allow-private=localhost"), "{said}");
    assert!(said.contains("--allow-private=169.254.169.254"), "{said}");
    assert!(server.take_log().len() > asked);
    let said = place.stderr(&["ingest", "--allow-private=http://x", &site], 2);
    assert!(said.contains("write a host alone"), "{said}");
}

#[test]
fn what_a_crawl_leaves_out_is_said() {
    let (place, server) = (Workplace::new(), Server::start());
    server.html(
        "/",
        "<title>S</title><a href=a>a</a><a href=a?b>b</a><a href=n>n</a><a href=j>j</a>",
    );
    let page = "<title>A</title><link rel=canonical href=/a><p>Kumquats are small.";
    server.html("/a", page);
    server.html("/a?b", page);
    server.html("/n", "<meta name=robots content=noindex><p>Drafts.");
    server.html(
        "/j",
        "<div id=app></div><noscript>Please enable JavaScript.</noscript><script>1</script>",
    );
    let site = server.url("");
    let said = place.stderr(&["ingest", "--allow-private", "--crawl", &site], 0);
    for part in [
        "/a?b` names `",
        "/n` asks not to be indexed",
        "/j: the page holds no text until a browser has run its scripts",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let found = place.json(&["search", "kumquats", "--json"]);
    assert_eq!(found.as_array().unwrap().len(), 1);
    // What is left out later is removed.
    server.html(
        "/a",
        &page.replace("<p>", "<meta name=robots content=noindex><p>"),
    );
    server.html("/a?b", "gone");
    let report = ingest(&place, &[&site, "--crawl"], 0);
    assert_eq!(report[3], 1, "{report:?}");
}

#[test]
fn a_site_that_cannot_be_reached_changes_nothing() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text("/llms-full.txt", "text/plain", FULL);
    let site = server.url("");
    ingest(&place, &[&site], 0);
    let before = rows(&place);
    server.answer("/llms-full.txt", Answer::new(502, "text/plain", ""));
    let said = place.stderr(&["ingest", "--allow-private", &site], 2);
    assert!(
        said.contains("trying again later may work") && said.contains("502"),
        "{said}"
    );
    assert_eq!(rows(&place), before);
}

#[test]
fn paths_and_sites_go_to_collections_of_their_own() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text("/llms-full.txt", "text/plain", FULL);
    let site = server.url("");
    assert_eq!(ingest(&place, &[&site, "docs"], 0)[0], 3 + 2);
    let host = format!("127.0.0.1:{}", server.port());
    let totals = place.json(&["status", "--json"]);
    assert_eq!(totals["collections"][&host], 3);
    assert_eq!(totals["collections"]["default"], 2);
    place.stdout(&["rm", "--yes", &site]);
    assert_eq!(place.json(&["status", "--json"])["documents"], 2);
}

#[test]
fn a_page_that_is_not_there_is_named_to_ingest() {
    let place = Workplace::new();
    let check = |url: &str, typed: &str| {
        let said = place.stderr(&["toc", url], 2);
        let expected = format!("`sectile ingest --page {typed}` adds it");
        assert!(said.contains(&expected), "{said}");
    };
    let url = "https://docs.example.org:8443/guide/start";
    check(url, url);
    let url = "http://docs.example.org/r/q?b=2";
    check(url, &format!("'{url}'"));
}

#[test]
fn no_site_writes_into_the_pages_of_another() {
    let (place, server, other) = (Workplace::new(), Server::start(), Server::start());
    server.text("/llms-full.txt", "text/plain", FULL);
    ingest(&place, &[&server.url(""), "--collection", "both"], 0);
    let stolen = server.url("/guide/start");
    let text = format!("---\nurl: {stolen}\n---\n\n# Mine\n\n---\nurl: /own\n---\n\n# Own\n");
    other.text("/llms-full.txt", "text/plain", &text);
    let report = ingest(&place, &[&other.url(""), "--collection", "both"], 0);
    assert_eq!((report[0], report[5]), (2, 1));
    assert!(place.stdout(&["get", &stolen]).contains("kumquat"));
}

#[test]
fn a_site_that_is_down_hides_nothing_of_what_else_was_done() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text("/llms-full.txt", "text/plain", FULL);
    let (up, nothing) = (server.url(""), Server::start().url(""));
    let report = ingest(&place, &["docs", &nothing, &up], 2);
    assert_eq!((report[0], report[6]), (2 + 3, 1));
    let said = place.stderr(&["ingest", "--allow-private", "docs", &nothing], 2);
    assert!(said.contains(&nothing), "{said}");
    // Nor does a path that is not there.
    place.stderr(&["rm", "--yes", "docs"], 0);
    let said = place.stderr(&["ingest", "docs", "missing.md", &up], 2);
    assert!(said.contains("missing.md: No such file"), "{said}");
    assert_eq!(place.json(&["status", "--json"])["documents"], 5);
}

#[test]
fn a_domain_is_a_site_unless_a_file_has_its_name() {
    let place = Workplace::new();
    // There is no such port, so nobody is asked.
    let said = place.stderr(&["ingest", "example.org:99999/guide"], 2);
    assert!(
        said.contains("`https://example.org:99999/guide` is not"),
        "{said}"
    );
    let said = place.stderr(&["ingest", "missing.md"], 2);
    assert!(said.contains("cannot read `missing.md`"), "{said}");
    place.write("example.org", "# Example\n\nText.\n");
    place.stdout(&["ingest", "example.org"]);
    assert_eq!(place.json(&["status", "--json"])["documents"], 1);
}

#[test]
fn fewer_pages_than_before_remove_none() {
    let (place, server) = (Workplace::new(), Server::start());
    list(&server, &["a", "b", "c"]);
    for page in ["a", "b", "c"] {
        server.markdown(&format!("/{page}.md"), "# Page");
    }
    let site = server.url("");
    assert_eq!(ingest(&place, &[&site], 0)[0], 4);
    let report = ingest(&place, &[&site, "--max-pages", "1"], 0);
    assert_eq!(report, [0, 0, 2, 0, 0, 1, 0]);
    assert_eq!(rows(&place).len(), 4);
    assert_eq!(ingest(&place, &[&site], 0)[..4], [0, 0, 4, 0]);
}

#[test]
fn links_that_hold_no_page_let_others_be_removed() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text(
        "/robots.txt",
        "text/plain",
        "User-agent: *\nDisallow: /hidden",
    );
    server.answer("/x.json", Answer::new(200, "application/json", "{}"));
    server.answer("/secret.md", Answer::new(401, "text/plain", ""));
    server.answer(
        "/large.md",
        Answer::new(200, "text/plain", vec![b'a'; 9 << 20]),
    );
    server.markdown("/a.md", "# A");
    server.markdown("/b.md", "# B");
    let list = |pages: &str| {
        let others = "[](x.json) [](secret.md) [](large.md) [](hidden) [](mailto:a@b.c) \
                      [](http://u:p@h.example/) [](http://[bad)";
        let links: Vec<_> = format!("{pages} {others}")
            .split(' ')
            .map(|link| format!("- {link}\n"))
            .collect();
        server.text(
            "/llms.txt",
            "text/plain",
            &format!("# S\n{}", links.concat()),
        );
    };
    list("[](a.md) [](b.md)");
    let site = server.url("");
    let report = ingest(&place, &[&site], 0);
    assert_eq!((report[0], report[5], report[6]), (3, 7, 0));
    list("[](a.md)");
    let report = ingest(&place, &[&site], 0);
    assert_eq!(report[..4], [0, 1, 1, 1]);
}

#[test]
fn a_page_that_may_be_elsewhere_keeps_what_is_there() {
    let (place, server) = (Workplace::new(), Server::start());
    server.answer("/old.md", Answer::redirect("/new.md"));
    server.markdown("/new.md", "# New");
    server.markdown("/b.md", "# B");
    list(&server, &["old", "b"]);
    let site = server.url("");
    assert_eq!(ingest(&place, &[&site], 0)[0], 3);
    list(&server, &["old"]);
    server.answer("/new.md", Answer::new(403, "text/plain", ""));
    assert_eq!(ingest(&place, &[&site], 2)[3], 0);
    server.answer("/old.md", Answer::new(503, "text/plain", ""));
    assert_eq!(ingest(&place, &[&site], 2)[3], 0);
    assert!(rows(&place).contains_key(&server.url("/new.md")));
}

#[test]
fn a_page_that_leads_elsewhere_for_now_stays_and_one_that_has_moved_goes() {
    let (place, server) = (Workplace::new(), Server::start());
    list(&server, &["a", "b"]);
    server.markdown("/a.md", "# A\n\nKumquat.\n");
    server.markdown("/b.md", "# B\n\nPomelo.\n");
    let site = server.url("");
    assert_eq!(ingest(&place, &[&site], 0)[0], 3);
    server.answer("/a.md", Answer::redirect("/login.md"));
    server.answer("/b.md", Answer::redirect("/login.md"));
    server.markdown("/login.md", "# Log in\n");
    let report = ingest(&place, &[&site], 2);
    assert_eq!((report[3], report[6]), (0, 2));
    assert!(place.stdout(&["search", "kumquat"]).contains("/a.md"));
    server.answer("/a.md", Answer::moved("/c.md"));
    server.markdown("/c.md", "# C\n\nKumquat.\n");
    let told = place.stderr(&["ingest", "--allow-private", &site], 2);
    let (a, c) = (server.url("/a.md"), server.url("/c.md"));
    let moved = format!("removed {a}: it leads to `{c}`, which is there");
    assert!(told.contains(&moved), "{told}");
}

#[test]
fn pages_that_all_lead_to_one_stay() {
    let (place, server) = (Workplace::new(), Server::start());
    let pages: Vec<String> = (0..12).map(|number| format!("p{number}")).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    list(&server, &pages);
    for page in &pages {
        server.markdown(&format!("/{page}.md"), &format!("# {page}\n"));
    }
    let site = server.url("");
    assert_eq!(ingest(&place, &[&site], 0)[0], 13);
    server.markdown("/closed.md", "# Closed\n");
    for page in &pages {
        server.answer(&format!("/{page}.md"), Answer::moved("/closed.md"));
    }
    let told = place.stderr(&["ingest", "--allow-private", &site], 0);
    assert!(told.contains("and so do 12 pages in all"), "{told}");
    assert_eq!(rows(&place).len(), 14);
}

#[test]
fn the_same_bytes_of_another_type_or_title_are_another_page() {
    let (place, server) = (Workplace::new(), Server::start());
    let list = |title: &str| {
        let text = format!("# S\n\n## D\n\n- [{title}](/a)\n");
        server.text("/llms.txt", "text/plain", &text);
    };
    let text = "Use `Vec<String>` here.\n";
    let page = |content_type: &str, version: &str| {
        let answer = Answer::new(200, content_type, text);
        server.answer("/a", answer.with("etag", version));
    };
    list("One");
    page("text/html", "\"1\"");
    let (site, uri) = (server.url(""), server.url("/a"));
    ingest(&place, &[&site], 0);
    let stored = || {
        let documents = place.json(&["list", "--json"]);
        let mut documents = documents.as_array().unwrap().iter();
        documents
            .find(|one| one["uri"] == uri.as_str())
            .unwrap()
            .clone()
    };
    assert_eq!(stored()["format"], "html");
    page("text/markdown", "\"2\"");
    assert_eq!(ingest(&place, &[&site], 0)[..3], [0, 1, 1]);
    assert_eq!(stored()["format"], "markdown");
    assert_eq!(place.stdout(&["get", &uri]), text);
    // A version of another name is the same page.
    page("text/markdown", "\"3\"");
    assert_eq!(ingest(&place, &[&site], 0)[..3], [0, 0, 2]);
    assert_eq!(stored()["metadata"]["etag"], "\"3\"");
    list("Two");
    page("text/markdown", "\"4\"");
    assert_eq!(ingest(&place, &[&site], 0)[..3], [0, 2, 0]);
    assert_eq!(stored()["metadata"]["title"], "Two");
}

#[test]
fn a_page_that_cannot_be_read_any_more_has_failed() {
    let (place, server, site) = crawled();
    server.answer("/a", Answer::new(200, "application/pdf", "%PDF-1.4"));
    let report = ingest(&place, &[&site, "--crawl"], 2);
    assert_eq!((report[3], report[5], report[6]), (0, 0, 1));
    server.text("/robots.txt", "text/plain", "User-agent: *\nDisallow: /b\n");
    let report = ingest(&place, &[&site, "--crawl"], 2);
    assert_eq!((report[3], report[5], report[6]), (0, 0, 2));
}

#[test]
fn only_what_may_pass_is_a_failure_of_each_ingest() {
    let (place, server) = (Workplace::new(), Server::start());
    let links = ["loop", "none", "same", "gzip", "brotli", "busy"];
    let links = links.map(|name| format!("<a href={name}>{name}</a>"));
    server.html("/", &format!("<h1>Start</h1><p>{}", links.concat()));
    server.answer("/loop", Answer::redirect("/loop"));
    server.answer("/none", Answer::new(204, "text/html", ""));
    server.answer("/same", Answer::new(304, "text/html", ""));
    let damaged =
        |encoding| Answer::new(200, "text/html", "damaged").with("content-encoding", encoding);
    server.answer("/gzip", damaged("gzip"));
    server.answer("/brotli", damaged("br"));
    server.answer("/busy", Answer::new(503, "text/html", ""));
    let site = server.url("");
    let report = ingest(&place, &[&site, "--crawl"], 2);
    assert_eq!((report[0], report[5], report[6]), (1, 5, 1));
    server.html("/busy", "<h1>Busy</h1><p>No more.");
    let report = ingest(&place, &[&site, "--crawl"], 0);
    assert_eq!((report[0], report[5], report[6]), (1, 5, 0));
    // What was there once and is not any more is a failure.
    server.answer("/busy", damaged("gzip"));
    let report = ingest(&place, &[&site, "--crawl"], 2);
    assert_eq!((report[3], report[5], report[6]), (0, 5, 1));
}

#[test]
fn a_page_that_has_moved_to_another_host_is_said_to_be_there() {
    let (place, server, site) = crawled();
    let other = Server::start();
    other.html("/a", "<p>The pangolin.");
    server.answer("/a", Answer::moved(&other.url("/a")));
    let told = place.stderr(&["ingest", &site, "--crawl", "--allow-private"], 0);
    let there = format!(
        "it leads to `{}`, which this ingest does not read",
        other.url("/a")
    );
    assert!(told.contains(&there), "{told}");
    assert!(!told.contains("still there"), "{told}");
}

#[test]
fn a_list_that_does_not_keep_to_its_format_is_read_and_said() {
    let (place, server) = (Workplace::new(), Server::start());
    let text = "# S\n\n## D\n\n- Words\n- [A](a.md), [B](<b.md>)\n";
    server.text("/llms.txt", "text/plain", text);
    server.markdown("/a.md", "# A");
    server.markdown("/b.md", "# B");
    let told = place.stderr(&["ingest", "--allow-private", &server.url("")], 0);
    let note = "does not keep to the format of a list: line 5 lists no link";
    assert!(told.contains(note), "{told}");
    assert_eq!(rows(&place).len(), 3);
}

#[test]
fn a_page_is_in_the_encoding_that_its_server_names() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text(
        "/llms.txt",
        "text/plain",
        "# S\n- [a](a.txt)\n- [b](b.html)\n",
    );
    let text = Answer::new(
        200,
        "text/plain; charset=koi8-r",
        &b"\xf0\xd2\xc9\xd7\xc5\xd4"[..],
    );
    server.answer("/a.txt", text);
    let page = &b"<meta charset=utf-8><p>\xf0\xd2\xc9\xd7\xc5\xd4"[..];
    server.answer(
        "/b.html",
        Answer::new(200, "text/html; charset=koi8-r", page),
    );
    ingest(&place, &[&server.url("")], 0);
    for path in ["/a.txt", "/b.html"] {
        let got = place.stdout(&["get", &server.url(path)]);
        assert_eq!(
            got.trim(),
            "\u{41f}\u{440}\u{438}\u{432}\u{435}\u{442}",
            "{path}"
        );
    }
}

#[test]
fn a_page_that_two_sites_list_stays_with_the_first() {
    let (place, server, other) = (Workplace::new(), Server::start(), Server::start());
    let (a, own) = (server.url("/a.md"), server.url(""));
    server.markdown("/a.md", "# A\n\nKumquat.\n");
    list(&server, &["a"]);
    let both = |site: &str| ingest(&place, &[site, "--collection", "both"], 0);
    assert_eq!(both(&own)[0], 2);
    other.text("/llms.txt", "text/plain", &format!("# O\n- [a]({a})\n"));
    let report = both(&other.url(""));
    assert_eq!((report[0], report[5]), (1, 1));
    server.markdown("/a.md", "# A\n\nPomelo.\n");
    assert_eq!(both(&other.url(""))[..4], [0, 0, 1, 0]);
    assert!(place.stdout(&["get", &a]).contains("Kumquat"));
    assert_eq!(both(&own)[..4], [0, 1, 1, 0]);
    other.text("/llms.txt", "text/plain", "# O\n");
    assert_eq!(both(&other.url(""))[..4], [0, 1, 0, 0]);
    assert!(place.stdout(&["get", &a]).contains("Pomelo"));
}

/// Crawls a site of three pages, two of which the first links to.
fn crawled() -> (Workplace, Server, String) {
    let (place, server) = (Workplace::new(), Server::start());
    server.html("/", "<p>Start<a href=a>a</a><a href=b>b</a>");
    server.html("/a", "<h1>A</h1><p>The pangolin.");
    server.html("/b", "<h1>B</h1><p>The quokka.");
    let site = server.url("");
    assert_eq!(ingest(&place, &[&site, "--crawl"], 0)[0], 3);
    (place, server, site)
}

#[test]
fn a_page_that_nothing_leads_to_stays_until_the_server_says_that_it_is_gone() {
    let (place, server, site) = crawled();
    server.html("/", "<p>Start");
    let arguments = ["ingest", &site, "--crawl", "--allow-private"];
    let told = place.stderr(&arguments, 0);
    for page in ["/a", "/b"] {
        let kept = format!("kept {}: nothing leads to it any more", server.url(page));
        assert!(told.contains(&kept), "{told}");
    }
    server.remove("/a");
    let told = place.stderr(&arguments, 0);
    assert!(
        told.contains(&format!("removed {}: the server has no", server.url("/a"))),
        "{told}"
    );
    place.stderr(&["search", "pangolin"], 1);
    assert!(place.stdout(&["search", "quokka"]).contains("quokka"));
}

#[test]
fn a_page_that_is_gone_is_removed_whatever_became_of_others() {
    let (place, server, site) = crawled();
    server.answer("/b", Answer::new(503, "text/html", ""));
    server.remove("/a");
    let report = ingest(&place, &[&site, "--crawl"], 2);
    assert_eq!((report[3], report[6]), (1, 1));
    place.stderr(&["search", "pangolin"], 1);
}

#[test]
fn a_site_that_answers_everything_with_a_text_loses_nothing() {
    let (place, server, site) = crawled();
    server.otherwise(Answer::new(200, "text/plain", "Not found"));
    server.text("/robots.txt", "text/plain", "");
    assert_eq!(ingest(&place, &[&site, "--crawl"], 0)[..4], [0, 0, 3, 0]);
}

#[test]
fn a_list_that_is_new_takes_nothing_from_what_was_there() {
    let (place, server, site) = crawled();
    server.text("/llms.txt", "text/plain", "# S\n- [a](a)\n");
    let report = ingest(&place, &[&site], 0);
    assert_eq!((report[0], report[3]), (1, 0));
    server.text("/llms.txt", "text/plain", "# S\n- [b](b)\n");
    assert_eq!(ingest(&place, &[&site], 0)[3], 0);
    assert_eq!(rows(&place).len(), 4);
}

#[test]
fn one_page_can_be_ingested_and_goes_when_it_is_gone() {
    let (place, server) = (Workplace::new(), Server::start());
    server.html(
        "/c/a",
        "<h1>A</h1><meta name=robots content=noindex><p>The pangolin.",
    );
    let page = server.url("/c/a");
    assert_eq!(ingest(&place, &[&page, "--page"], 0)[0], 1);
    assert_eq!(ingest(&place, &[&page, "--page"], 0)[2], 1);
    server.answer("/c/a", Answer::new(410, "text/html", ""));
    assert_eq!(ingest(&place, &[&page, "--page"], 0)[3], 1);
    assert_eq!(ingest(&place, &[&page, "--page"], 2)[6], 1);
}

#[test]
fn what_is_optional_stays_when_it_is_not_asked_for() {
    let (place, server) = (Workplace::new(), Server::start());
    server.text(
        "/llms.txt",
        "text/plain",
        "# S\n- [a](a.md)\n## Optional\n- [b](b.md)\n",
    );
    server.markdown("/a.md", "# A");
    server.markdown("/b.md", "# B");
    let site = server.url("");
    assert_eq!(ingest(&place, &[&site, "--optional"], 0)[0], 3);
    let report = place.json(&["ingest", "--allow-private", "--json", &site]);
    assert_eq!(report["unchanged"], 2);
    let reason = report["skipped"][0][1].as_str().unwrap();
    assert!(
        reason.contains("1 of the listed pages left out as optional"),
        "{report}"
    );
    assert_eq!(rows(&place).len(), 3);
}

#[test]
fn a_name_that_is_neither_a_file_nor_a_host_is_said_to_be_neither() {
    let place = Workplace::new();
    let told = place.stderr(&["ingest", "mian.nosuch-domain.invalid"], 2);
    assert!(
        told.contains("there is no such file, and no host of that name"),
        "{told}"
    );
    let told = place.stderr(&["ingest", "slides.pptx"], 2);
    assert!(!told.contains("host"), "{told}");
    for command in [
        &["watch", "https://x.invalid"][..],
        &["search", "q", "--in", "https://x.invalid"],
    ] {
        let told = place.stderr(command, 2);
        assert!(
            told.contains("; `sectile ingest https://x.invalid` adds or updates it"),
            "{told}"
        );
    }
}
