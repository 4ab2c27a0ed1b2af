//! Routes without a browser: what they answer, escape, bound and refuse.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use sectile::checkpoint::{Checkpoint, Checkpointer as _};
use sectile::store::Language;
use sectile_web::{Site, router};
use serde_json::json;

use crate::place::{Place, get, hostile_document, send};

#[tokio::test]
async fn documents_are_listed_by_collection_and_filtered() {
    let place = Place::new().await;
    place.ingest_broken().await;
    let site = place.whole().await;
    let all = get(&site, "/").await;
    assert_eq!(all.status, StatusCode::OK);
    assert!(all.has("handbook") && all.has("inbox") && all.has("8 documents"));
    assert!(all.has("quarterly report.pdf") && all.has("status failed"));
    let inbox = get(&site, "/?collection=inbox").await;
    assert!(inbox.has("1 document<") && !inbox.has("search.md"));
    let filtered = get(&site, "/?filter=POSTGRES").await;
    assert!(filtered.has("postgres.md") && !filtered.has("search.md"));
    assert!(
        get(&site, "/?filter=nothing")
            .await
            .has("No document has this")
    );
    let unknown = get(&site, "/?collection=nope").await;
    assert!(unknown.has("There is no collection <code>nope</code>"));
    assert!(!unknown.has("No document has this"));
    assert_eq!(
        get(&site, "/?page=x").await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

#[tokio::test]
async fn documents_are_filtered_by_their_names_as_they_are_read() {
    let place = Place::empty().await;
    for (uri, text) in [
        ("file:///notes/%C3%9Cber%20uns.md", "# Team\n"),
        ("https://example.org/%E6%97%A5%E6%9C%AC", "# Land\n"),
    ] {
        place.write("handbook", uri, text).await;
    }
    let site = router(place.site());
    for (filter, title) in [
        ("%C3%BCber%20uns.md", ">Team<"),
        ("ber+uns", ">Team<"),
        // As the list shows it.
        ("%25C3%259Cber%2520uns", ">Team<"),
        ("%E6%97%A5", ">Land<"),
    ] {
        let page = get(&site, &format!("/?filter={filter}")).await;
        assert!(page.has(title) && page.has("1 document<"), "{filter}");
    }
}

#[tokio::test]
async fn long_lists_have_pages() {
    let place = Place::empty().await;
    let text = "# Note\n\nText.\n";
    for number in 0..60 {
        place
            .write("notes", &format!("note:{number:02}"), text)
            .await;
    }
    let site = router(place.site());
    let (first, second) = (get(&site, "/").await, get(&site, "/?page=2").await);
    assert!(first.has("note:00") && first.has("page 1 of 2") && !first.has("note:55"));
    assert!(second.has("note:55") && !second.has("note:00"));
    assert!(get(&site, "/?page=99").await.has("page 2 of 2"));
}

#[tokio::test]
async fn a_collection_has_the_language_that_is_set_for_it() {
    let place = Place::empty().await;
    for collection in ["minutes", "notes"] {
        place.write(collection, "note:1", "# Note\n\nText.\n").await;
    }
    let set = [("notes".to_owned(), Language::German)];
    let library = place.library.clone().with_collection_languages(set.into());
    let page = get(&router(Site::new(library)), "/").await;
    let minutes = page.text.find("<bdi>minutes</bdi>").unwrap();
    let notes = page.text.find("<bdi>notes</bdi>").unwrap();
    assert!(!page.text[minutes..notes].contains(", language"));
    let said = "searched by words, language de";
    assert!(page.text[notes..].contains(said), "{}", page.text);
}

#[tokio::test]
async fn a_search_says_that_there_is_no_such_collection() {
    let place = Place::empty().await;
    place.write("notes", "note:1", "# Note\n\nText.\n").await;
    let site = router(place.site());
    let found = get(&site, "/search?q=text&collection=nope").await;
    assert!(found.has("Nothing found: there is no collection `nope`, only `notes`"));
    let found = get(&site, "/search?q=zebra&collection=notes").await;
    assert!(found.has("Nothing found. Other or fewer words may find more."));
}

#[tokio::test]
async fn a_search_shows_the_number_of_hits_that_is_asked_for_or_says_why_not() {
    let place = Place::empty().await;
    let section = |number: usize| format!("# Note {number}\n\nText of number {number}.\n\n");
    let text: String = (0..101).map(section).collect();
    place.write("notes", "note:all", &text).await;
    let site = router(place.site());
    let says_more = "at most 100 hits; `sectile search --limit` shows more";
    let most = get(&site, "/search?q=text&limit=100").await;
    assert!(most.has("100 hits") && most.has(says_more), "{}", most.text);
    let fewer = get(&site, "/search?q=text&limit=99").await;
    assert!(fewer.has("99 hits") && fewer.has("More hits") && !fewer.has(says_more));
    for limit in ["0", "101"] {
        let refused = get(&site, &format!("/search?q=text&limit={limit}")).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused.has("write 1 to 100"), "{}", refused.text);
    }
}

#[tokio::test]
async fn an_empty_store_says_how_to_fill_it() {
    let place = Place::empty().await;
    let site = router(place.site());
    assert!(get(&site, "/").await.has("sectile ingest docs/"));
    let found = get(&site, "/search?q=x").await;
    assert!(found.has("Nothing found: the store has no documents"));
    let threads = get(&site, "/threads").await;
    assert!(threads.has("has no checkpoints") && threads.has("sectile checkpoint migrate"));
    assert_eq!(
        get(&site, "/thread?id=a").await.status,
        StatusCode::NOT_FOUND
    );
    let unmade = router(place.site().with_checkpoints(place.without_tables().await));
    assert!(
        get(&unmade, "/threads")
            .await
            .has("sectile checkpoint migrate")
    );
    for address in [
        "/thread?id=a",
        "/checkpoint?thread=a&seq=1",
        "/diff?thread=a&from=1&to=2",
    ] {
        let missing = get(&unmade, address).await;
        assert_eq!(missing.status, StatusCode::NOT_FOUND, "{address}");
        assert!(missing.has("sectile checkpoint migrate"), "{address}");
    }
}

#[tokio::test]
async fn rankings_are_explained() {
    let place = Place::new().await.embed().await;
    let site = router(place.site());
    let page = get(
        &site,
        "/search?q=hits+ranked+NOT+zebra&mode=hybrid&explain=1",
    )
    .await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    assert!(page.has("each leg adds its weight / (60 + its rank)"));
    assert!(
        page.has(">text</th>") && page.has(">vector</th>") && page.has("0.03279"),
        "{}",
        page.text
    );
    assert!(page.has("Read as") && page.has("<code>zebra</code>"));
    assert!(!get(&site, "/search?q=rank").await.has("Read as"));
}

#[tokio::test]
async fn modes_without_a_model_say_why() {
    let place = Place::new().await;
    let site = router(place.site());
    let page = get(&site, "/search?q=rank").await;
    assert!(
        page.has("3 ways to rank not available")
            && page.has("--embedder")
            && page.has("--chat-model")
    );
    // What cannot be chosen takes no room among the choices.
    assert_eq!(
        page.text.matches("name=\"mode\"").count(),
        2,
        "{}",
        page.text
    );
    let refused = get(&site, "/search?q=rank&mode=vector").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.has("role=\"alert\"") && refused.has("embedding model"));
    assert!(
        get(&site, "/search?q=%22%22+%3F")
            .await
            .has("holds no word to search for")
    );
    assert!(
        get(&site, "/search?q=a&mode=magic")
            .await
            .has("`magic` is not a mode")
    );
    let refused = get(&site, "/search?q=a&explain=0").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.has("`0` is not a value of `explain`"));
}

#[tokio::test]
async fn hits_are_sections_or_what_the_address_says() {
    let place = Place::empty().await;
    let text = "# Pears\n\nPears in a box.\n\n# Apples\n\nApples and pears.\n";
    place.write("notes", "note:1", text).await;
    let site = router(place.site());
    for (asked, hits) in [
        ("", "2 hits, best first"),
        ("&group_by=document", "1 hit, best first"),
        ("&group=document", "1 hit, best first"),
    ] {
        let page = get(&site, &format!("/search?q=pears{asked}")).await;
        assert!(page.has(hits), "{asked}: {}", page.text);
    }
    let page = get(&site, "/search?q=pears&group=document&limit=1").await;
    assert!(page.has("&amp;group_by=document&amp;"), "{}", page.text);
    assert!(page.has("<select name=\"group_by\">"), "{}", page.text);
    for refused in ["group_by=page", "group=document&group_by=document"] {
        let page = get(&site, &format!("/search?q=pears&{refused}")).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{refused}");
    }
}

#[tokio::test]
async fn a_thread_has_a_history_and_changes() {
    let place = Place::empty().await;
    let site = place.whole().await;
    let threads = get(&site, "/threads").await;
    assert!(threads.has("support-4711") && threads.has("2 threads"));
    let history = get(&site, "/thread?id=support-4711").await;
    assert!(history.has("review") && history.has("source=loop") && history.has("name=\"from\""));
    let (five, one) = (history.text.find(">5</a>"), history.text.find(">1</a>"));
    assert!(five < one, "newest first");
    let older = get(&site, "/thread?id=support-4711&before=3").await;
    assert!(older.has(">2</a>") && !older.has(">4</a>"));
    let state = get(&site, "/checkpoint?thread=support-4711&seq=4").await;
    assert!(state.has("say how, not only why") && state.has("What changed since 3"));
    let diff = get(&site, "/diff?thread=support-4711&from=3&to=5").await;
    assert!(diff.has("class=\"ins\"") && diff.has("class=\"del\"") && diff.has("unchanged line"));
    assert!(
        get(&site, "/diff?thread=support-4711&from=5&to=5")
            .await
            .has("are the same")
    );
    for missing in [
        "/thread?id=none",
        "/checkpoint?thread=none&seq=1",
        "/diff?thread=support-4711&from=1&to=9",
    ] {
        assert_eq!(
            get(&site, missing).await.status,
            StatusCode::NOT_FOUND,
            "{missing}"
        );
    }
    assert_eq!(
        get(&site, "/checkpoint?thread=a").await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(
        get(&site, "/thread?id=").await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
}

#[tokio::test]
async fn large_states_are_cut_short() {
    let place = Place::empty().await;
    let records = place.run().await;
    for fill in ["a", "b"] {
        let state = json!({"text": fill.repeat(30 << 20), "many": vec![1; 100_000]});
        records
            .save(&Checkpoint::new("large", state))
            .await
            .unwrap();
    }
    let site = router(place.site().with_checkpoints(records));
    let history = get(&site, "/thread?id=large").await;
    assert!(
        history.has("31.7 MB") && history.has("Older"),
        "{}",
        history.text
    );
    let page = get(&site, "/checkpoint?thread=large&seq=2").await;
    assert!(page.has("its beginning") && page.text.len() < 200_000);
    let diff = get(&site, "/diff?thread=large&from=1&to=2").await;
    assert!(diff.has("too large to be compared") && diff.text.len() < 20_000);
}

#[tokio::test]
async fn what_documents_and_users_say_is_escaped_everywhere() {
    let place = Place::empty().await;
    place.write_hostile().await;
    let site = place.whole().await;
    let hostile_address = hostile_document();
    let evil = "%3Cscript%3Ealert(1)%3C/script%3E%22%20onfocus%3D%22alert(1)";
    for address in [
        "/".to_owned(),
        hostile_address.clone(),
        format!("{hostile_address}&strategy=recursive&size=7&overlap=3&q=script&lines=1-9"),
        format!("{hostile_address}&strategy={evil}&size={evil}&q={evil}"),
        "/search?q=owned&explain=1".to_owned(),
        format!("/search?q={evil}&explain=1&collection={evil}"),
        format!("/?filter={evil}&collection={evil}&page=2"),
        "/threads".to_owned(),
        "/thread?id=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E".to_owned(),
        "/checkpoint?thread=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&seq=1".to_owned(),
        format!("/thread?id={evil}"),
        format!("/{evil}"),
    ] {
        let page = get(&site, &address).await;
        let lower = page.text.to_lowercase();
        let scripts = lower.matches("<script").count();
        assert_eq!(scripts, 1, "{address}: {}", page.text);
        for bad in [
            "<img src=x",
            "<iframe",
            "<svg onload",
            "href=\"javascript",
            "\" onfocus",
            "\" onmouseover",
            "{{7*7}}</",
        ] {
            assert!(!lower.contains(bad), "{address} has {bad}: {}", page.text);
        }
    }
}

#[tokio::test]
async fn every_answer_tells_the_browser_to_trust_nothing() {
    let place = Place::new().await;
    let site = place.whole().await;
    let style = get(&site, "/").await;
    let (_, style) = style.text.split_once("href=\"/assets/").unwrap();
    let style = format!("/assets/{}", style.split('"').next().unwrap());
    for address in [
        "/",
        "/search?q=rank",
        "/nothing",
        "/document?uri=none",
        "/search?mode=x",
        &style,
    ] {
        let answer = get(&site, address).await;
        let header = |name: &str| answer.headers.get(name).unwrap().to_str().unwrap();
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'self'; script-src 'self'"));
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"));
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("referrer-policy"), "no-referrer");
        assert_eq!(header("cross-origin-opener-policy"), "same-origin");
        assert_eq!(header("cross-origin-resource-policy"), "same-origin");
        assert!(
            !answer.has("style=\"") && !answer.has("onclick"),
            "{address}"
        );
    }
}

#[tokio::test]
async fn assets_never_change_under_their_address() {
    let place = Place::empty().await;
    let site = router(place.site());
    let home = get(&site, "/").await;
    let addresses = home.text.split("\"/assets/").skip(1);
    let mut kinds = Vec::new();
    for address in addresses.map(|rest| format!("/assets/{}", rest.split('"').next().unwrap())) {
        let asset = get(&site, &address).await;
        assert_eq!(asset.status, StatusCode::OK);
        assert!(
            asset.headers[header::CACHE_CONTROL]
                .to_str()
                .unwrap()
                .contains("immutable")
        );
        kinds.push(
            asset.headers[header::CONTENT_TYPE]
                .to_str()
                .unwrap()
                .to_owned(),
        );
        let tag = asset.headers[header::ETAG].clone();
        let again = Request::get(&address).header(header::IF_NONE_MATCH, tag);
        let again = send(&site, again.body(Body::empty()).unwrap()).await;
        assert!(again.status == StatusCode::NOT_MODIFIED && again.text.is_empty());
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(
        kinds,
        [
            "image/svg+xml",
            "text/css; charset=utf-8",
            "text/javascript; charset=utf-8"
        ]
    );
    assert_eq!(
        get(&site, "/assets/../Cargo.toml").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn nothing_is_changed_through_the_page() {
    let place = Place::new().await;
    let site = place.whole().await;
    for (method, address) in [
        ("POST", "/"),
        ("DELETE", "/document?uri=x"),
        ("PUT", "/thread?id=a"),
    ] {
        let request = Request::builder().method(method).uri(address);
        let answer = send(&site, request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
        assert!(answer.has("use GET"));
    }
    let missing = get(&site, "/nothing/here").await;
    assert!(missing.status == StatusCode::NOT_FOUND && missing.has("there is no page"));
}

#[tokio::test]
async fn a_broken_store_is_no_business_of_the_reader() {
    let place = Place::new().await;
    let site = place.whole().await;
    place.break_store();
    let page = get(&site, "/").await;
    assert_eq!(
        page.status,
        StatusCode::INTERNAL_SERVER_ERROR,
        "{}",
        page.text
    );
    assert!(
        page.has("The store cannot be read")
            && page.has("sectile doctor --deep")
            && !page.has("store.db")
            && !page.has("short read")
    );
}

#[tokio::test]
async fn what_was_required_and_excluded_is_said_beside_the_hits() {
    let place = Place::empty().await;
    let text = "# Pears\n\nPears in a box.\n\n# Plums\n\nPears and plums.\n";
    place.write("notes", "note:1", text).await;
    let site = router(place.site());
    for (question, said) in [
        ("pears+NOT+plums", "no hit has `plums`"),
        ("pears+-%22plums%22", "no hit has `plums`"),
        ("pears+AND+box", "every hit has `pears` and `box`"),
    ] {
        let page = get(&site, &format!("/search?q={question}")).await;
        assert!(page.has("1 hit, best first"), "{question}: {}", page.text);
        assert!(page.has(said), "{question}: {}", page.text);
    }
}

#[tokio::test]
async fn texts_that_are_the_same_are_one_hit_that_names_the_others() {
    let place = Place::empty().await;
    for uri in ["note:1", "note:2"] {
        place
            .write("notes", uri, "# Pears\n\nPears in a box.\n")
            .await;
    }
    let page = get(&router(place.site()), "/search?q=pears").await;
    assert!(page.has("1 hit, best first"), "{}", page.text);
    let said = "The same text is in <a href=";
    assert!(page.has(said), "{}", page.text);
}
