//! The page of a document: its chunks, how it is cut, and which part of it is shown.

use axum::http::StatusCode;
use sectile::{GroupBy, SearchRequest};
use sectile_web::router;

use crate::place::{Answer, GUIDE, Place, document, get};

/// Returns the number that a page says of chunks.
fn chunks(answer: &Answer) -> usize {
    let (_, rest) = answer.text.split_once("<output class=\"chunks\">").unwrap();
    let digits = rest.split('<').next().unwrap().chars();
    digits
        .filter(char::is_ascii_digit)
        .collect::<String>()
        .parse()
        .unwrap()
}

#[tokio::test]
async fn a_document_shows_the_chunks_that_the_store_has() {
    let place = Place::new().await;
    let site = router(place.site());
    let question = SearchRequest::new("the a sectile store document chunk model search")
        .with_group_by(GroupBy::Chunk)
        .with_limit(1_000);
    let hits = place.library.search(&question).await.unwrap().hits;
    assert!(hits.len() > 20, "{} hits", hits.len());
    for record in place
        .library
        .documents(&sectile::Scope::all())
        .await
        .unwrap()
    {
        let page = get(&site, &document(&record.uri, "")).await;
        assert_eq!(chunks(&page), record.chunks, "{}", record.uri);
        assert!(!page.has("made by another release"));
        let hits = hits.iter().filter(|hit| hit.document.id == record.id);
        for hit in hits {
            let (first, last) = (hit.lines.first, hit.lines.last);
            let stands = if first == last {
                format!("tokens, line {first}<")
            } else {
                format!("tokens, lines {first}-{last}<")
            };
            assert!(page.has(&stands), "{}: {stands}", record.uri);
        }
    }
}

#[tokio::test]
async fn a_document_that_was_replaced_is_shown_as_it_is_now() {
    let place = Place::empty().await;
    let site = router(place.site());
    let uri = "file:///note.md";
    let long = format!(
        "# Old\n\nÖne wörd äfter the öther. {}",
        "And a sentence. ".repeat(900)
    );
    let mut counts = Vec::new();
    for (text, words) in [
        (&*long, "Öne wörd"),
        ("# New\n\nÄ.\n", ">New"),
        (&*long, "Öne wörd"),
    ] {
        place.write("handbook", uri, text).await;
        let page = get(&site, &document(uri, "")).await;
        assert!(
            page.status == StatusCode::OK && page.has(words),
            "{}",
            page.text
        );
        counts.push((chunks(&page), page.text.matches("class=\"mark").count()));
    }
    assert_eq!(counts[0], counts[2]);
    assert!(counts[0].0 > 1 && counts[1] == (1, 1), "{counts:?}");
}

#[tokio::test]
async fn a_document_is_rendered_where_it_is_markdown() {
    let place = Place::empty().await;
    let site = router(place.site());
    let text = "# Guide\n\nSome *fine* words.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<b>raw</b>\n";
    let uri = "file:///guide.md";
    place.write("handbook", uri, text).await;
    let source = get(&site, &document(uri, "")).await;
    assert!(source.has(">Rendered</a>") && source.has("Some *fine* words."));
    let page = get(&site, &document(uri, "&view=rendered")).await;
    assert_eq!(page.status, StatusCode::OK);
    for part in [
        "<h3>Guide</h3>",
        "<em>fine</em>",
        "<td>2</td>",
        "&lt;b&gt;raw&lt;/b&gt;",
    ] {
        assert!(page.has(part), "{part}: {}", page.text);
    }
    assert!(!page.has("id=\"cutting\""));
}

#[tokio::test]
async fn a_view_that_there_is_not_is_refused_by_name() {
    let place = Place::new().await;
    let site = router(place.site());
    for path in ["/document", "/document/pane"] {
        let of_view = |view: &str| document(GUIDE, view).replace("/document", path);
        let refused = get(&site, &of_view("&view=printed")).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{path}");
        assert!(
            refused.has("`printed` is not a view; choose rendered"),
            "{}",
            refused.text
        );
        for known in ["&view=", "&view=rendered"] {
            let page = get(&site, &of_view(known)).await;
            assert_eq!(page.status, StatusCode::OK, "{path} {known}");
        }
    }
}

#[tokio::test]
async fn a_document_is_cut_as_the_address_says() {
    let place = Place::new().await;
    let site = router(place.site());
    let cut = |rest: &'static str| {
        let site = site.clone();
        async move { get(&site, &document(GUIDE, rest)).await }
    };
    let mut counts = Vec::new();
    for rest in [
        "&strategy=recursive&size=200&overlap=40",
        "&strategy=recursive&size=900&overlap=",
        "&strategy=markdown&size=120",
        "&strategy=sentence&size=60&unit=cl100k_base",
        "&strategy=token&size=50&overlap=10&unit=heuristic",
        "&strategy=sections&size=200",
    ] {
        let page = cut(rest).await;
        assert_eq!(page.status, StatusCode::OK, "{rest}");
        let number = chunks(&page);
        assert!(
            number > 1 && page.has(&format!("id=\"c{}\"", number - 1)),
            "{rest}"
        );
        counts.push(number);
    }
    assert!(counts[0] > counts[1], "{counts:?}");
    let overlapping = cut("&strategy=token&size=50&overlap=10").await;
    assert!(overlapping.has("overlap of the chunks 0, 1") && overlapping.has("class=\"both"));
    assert!(!cut("&strategy=sections&size=200").await.has("class=\"both"));
    assert!(cut("&strategy=recursive").await.has("characters, smallest"));
}

#[tokio::test]
async fn settings_that_cannot_be_used_are_named_in_the_pane() {
    let place = Place::new().await;
    let site = router(place.site());
    let check = |rest: &'static str, expected: &'static str| {
        let site = site.clone();
        async move {
            for path in ["/document", "/document/pane"] {
                let address = document(GUIDE, rest).replace("/document", path);
                let page = get(&site, &address).await;
                assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY, "{rest}");
                assert!(
                    page.has("role=\"alert\"") && page.has(expected),
                    "{}",
                    page.text
                );
                assert_eq!(page.has("<nav class=\"outline\""), path == "/document");
            }
        }
    };
    check("&strategy=recursive&size=0", "must be at least 1").await;
    check("&strategy=token&size=10&overlap=10", "must be smaller").await;
    check("&strategy=sections&overlap=5", "do not overlap").await;
    check(
        "&strategy=recursive&size=many",
        "`many` is not a number for the size",
    )
    .await;
    check(
        "&strategy=recursive&size=99999999999999999999",
        "is not a number",
    )
    .await;
    check("&strategy=knife", "`knife` is not a strategy").await;
    check("&strategy=token&unit=words", "`words` is not a unit").await;
    let huge = get(
        &site,
        &document(GUIDE, "&strategy=markdown&size=9999999999&overlap=1"),
    )
    .await;
    assert_eq!(huge.status, StatusCode::OK);
}

#[tokio::test]
async fn a_large_document_is_sent_in_parts() {
    let place = Place::empty().await;
    let chapter = |number: usize| {
        format!(
            "# Chapter {number}\n\n## One\n\n{}\n## Two\n\nEnd.\n",
            "A sentence of some words. ".repeat(80)
        )
    };
    let text: String = (0..600).map(chapter).collect();
    let uri = "file:///books/long.md";
    place.write("handbook", uri, &text).await;
    let site = router(place.site());
    let first = get(&site, &document(uri, "")).await;
    assert!(first.text.len() < 200_000, "{}", first.text.len());
    assert!(first.has("Chapter 0") && first.has("rel=\"next\"") && !first.has("rel=\"prev\""));
    let sections = place
        .library
        .toc(place.library.document(None, uri).await.unwrap().id)
        .await
        .unwrap();
    let late = sections
        .iter()
        .find(|it| it.heading_path[0] == "Chapter 555")
        .unwrap();
    let page = get(&site, &document(uri, &format!("&section={}", late.id))).await;
    assert!(page.text.len() < 200_000 && page.has("rel=\"prev\""));
    assert!(
        page.has(&format!("id=\"s{}\"", late.id)) && page.has("Chapter 540") && page.has("more")
    );
    // Every character a chunk: still bounded.
    let tiny = get(
        &site,
        &document(uri, "&strategy=recursive&size=1&overlap=0&at=500000"),
    )
    .await;
    assert!(
        tiny.status == StatusCode::OK && tiny.text.len() < 600_000,
        "{}",
        tiny.text.len()
    );
    for at in [text.len(), usize::MAX] {
        let end = get(&site, &document(uri, &format!("&at={at}"))).await;
        assert_eq!(end.status, StatusCode::OK, "{at}");
    }
}

#[tokio::test]
async fn a_passage_is_shown_with_the_words_that_were_asked_for() {
    let place = Place::new().await;
    let site = router(place.site());
    let hits = get(&site, "/search?q=how+are+hits+ranked").await;
    let (_, link) = hits.text.split_once("<h2><a href=\"").unwrap();
    let link = link.split('#').next().unwrap().replace("&amp;", "&");
    let page = get(&site, &link).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.has("id=\"passage\""));
    let is_marked = page.text.split("<mark").skip(1).any(|mark| {
        [">hit<", ">hits<", ">ranks<", ">ranked<"]
            .iter()
            .any(|word| mark.contains(word))
    });
    assert!(is_marked);
    let gone = get(&site, &document(GUIDE, "&lines=90000-90001")).await;
    assert!(gone.status == StatusCode::OK && !gone.has("id=\"passage\""));
    let said = "The document has no lines ";
    assert!(gone.has(&format!("{said}90000-90001;")) && !page.has(said));
    let no_id = get(&site, &document(GUIDE, "&section=x")).await;
    assert_eq!(no_id.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn documents_whose_files_are_gone_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("penguins.md");
    std::fs::write(&file, "# Penguins\n\nThey swim.\n").unwrap();
    let uri = sectile::path_uri(&file).unwrap();
    let place = Place::empty().await;
    let page = "https://example.org/penguins";
    for uri in [uri.as_str(), page] {
        let text = format!("# Penguins\n\nThey swim, as {uri} says.\n");
        place.write("birds", uri, &text).await;
    }
    let site = router(place.site());
    let shown = document(&uri, "").replace("handbook", "birds");
    let marks = async || {
        let mut marks = Vec::new();
        for address in ["/", "/search?q=penguins", &shown] {
            let page = get(&site, address).await;
            assert_eq!(page.status, StatusCode::OK, "{address}");
            marks.push(page.text.matches("the file is gone").count());
        }
        marks
    };
    assert_eq!(marks().await, [0, 0, 0]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(marks().await, [1, 1, 1]);
}
