//! Cases about sections with the same text.

use super::{document, put_texts, search, uris};
use crate::{Promotion, SearchRequest, Store};

pub async fn equal_texts_hide_no_other_hits(store: &dyn Store) {
    let equal: Vec<String> = (0..400).map(|number| format!("v{number:03}")).collect();
    let other: Vec<String> = (0..5).map(|number| format!("other{number}")).collect();
    let texts: Vec<String> = other
        .iter()
        .map(|uri| format!("alpha and {uri} in a text of its own"))
        .collect();
    let others = other.iter().zip(&texts);
    let others = others.map(|(uri, text)| (uri.as_str(), text.as_str()));
    let all = equal.iter().map(|uri| (uri.as_str(), "alpha beta"));
    put_texts(store, &all.chain(others).collect::<Vec<_>>()).await;
    for limit in [1, 3, 6, 10, 50] {
        let request = SearchRequest::new("alpha beta").with_limit(limit);
        let hits = store.search(&request).await.unwrap().hits;
        let expected = std::iter::once("v000").chain(other.iter().map(String::as_str));
        assert!(uris(&hits).iter().eq(expected.take(limit)), "{limit}");
        let named = hits[0].same_text.iter().map(|found| &found.document.uri);
        assert!(named.eq(&equal[1..=100]), "{limit}");
        assert_eq!(hits[0].more_same_text, 299, "{limit}");
        let (named, others) = hits[0].also_in(5);
        assert_eq!((named.len(), others), (5, 394));
        assert!(hits[1..].iter().all(|hit| hit.also_in(5).1 == 0));
    }
}

pub async fn a_page_stands_for_what_collects_many_pages(store: &dyn Store) {
    let install = (1, "Install", "How the pump is installed.");
    let titles: Vec<String> = (1..9).map(|number| format!("Page {number}")).collect();
    let mut all = vec![install];
    all.extend(titles.iter().map(|title| (1, &**title, "Another one.")));
    let made = [
        document("print", &all),
        document("the/page/of/the/pump", &[install]),
        document("version/2/of/the/page", &[install]),
    ];
    store.put(made.into()).await.unwrap();
    let hits = search(store, "a pump").await;
    assert_eq!(uris(&hits), ["the/page/of/the/pump"]);
    assert!(matches!(hits[0].promotion, None | Some(Promotion::Page)));
    let named = hits[0].same_text.iter().map(|found| &*found.document.uri);
    assert!(named.eq(["print", "version/2/of/the/page"]));
    // Where it is not the same text, or the only one, it is a hit as any other.
    assert_eq!(uris(&search(store, "another").await)[0], "print");
}

pub async fn texts_that_differ_in_a_version_only_are_one_hit(store: &dyn Store) {
    let manual = |version: &str, seconds: u32| {
        format!(
            "In {version} the server closes a connection that nobody has used for {seconds} seconds, \
             which a setting in the file of the server changes"
        )
    };
    let texts = [
        ("a", manual("2.3.1", 30)),
        ("b", manual("2.4.0", 30)),
        ("c", manual("2.4.1", 30)),
        // What it says is another thing.
        ("d", manual("2.5.0", 60)),
    ];
    let texts: Vec<(&str, &str)> = texts.iter().map(|(uri, text)| (*uri, &**text)).collect();
    put_texts(store, &texts).await;
    let request = SearchRequest::new("server closes a connection");
    let hits = store.search(&request).await.unwrap().hits;
    assert_eq!(uris(&hits), ["a", "d"]);
    let named: Vec<&str> = hits[0]
        .same_text
        .iter()
        .map(|found| &*found.document.uri)
        .collect();
    assert_eq!(named, ["b", "c"]);
    // A question with a number may ask for one of them.
    let request = SearchRequest::new("server 2.4.0 connection");
    let hits = store.search(&request).await.unwrap().hits;
    assert_eq!((uris(&hits)[0].as_str(), hits.len()), ("b", 4));
}
