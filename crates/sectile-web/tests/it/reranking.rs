//! Hits that a model ranks again.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::http::StatusCode;
use sectile::RerankOptions;
use sectile::models::Reranker;
use sectile_web::{Site, router};

use crate::place::{Place, get};

/// A model that prefers texts with a word.
#[derive(Debug)]
pub(crate) struct Preferring(pub(crate) &'static str);

#[async_trait]
impl Reranker for Preferring {
    fn name(&self) -> &'static str {
        "preferring"
    }

    async fn rerank(&self, _: &str, texts: &[String]) -> sectile::models::Result<Vec<f32>> {
        let score = |text: &String| if text.contains(self.0) { 7.25 } else { 0.5 };
        Ok(texts.iter().map(score).collect())
    }
}

/// The box that asks for it.
const BOX: &str = "<input type=\"checkbox\" name=\"rerank\" value=\"1\"";

#[tokio::test]
async fn hits_are_reranked_where_that_is_asked_for() {
    let place = Place::empty().await;
    for (uri, what) in [("note:1", "basket"), ("note:2", "bowl")] {
        let text = format!("# Pears\n\nPears in a {what}.\n");
        place.write("notes", uri, &text).await;
    }
    for (word, first, second) in [("basket", "note:1", "note:2"), ("bowl", "note:2", "note:1")] {
        let library = place.library.clone();
        let library = library.with_reranker(Arc::new(Preferring(word)), RerankOptions::default());
        let site = router(Site::new(library));
        let page = get(&site, "/search?q=pears&rerank=1&explain=1").await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        assert!(page.has("2 hits, best first"), "{}", page.text);
        let place_of = |uri: &str| page.text.find(uri).unwrap();
        assert!(place_of(first) < place_of(second), "{word}");
        assert!(
            page.has("7.25") && page.has(">rerank</th>"),
            "{}",
            page.text
        );
        assert!(page.has(&format!("{BOX} checked>")), "{}", page.text);
        let usual = get(&site, "/search?q=pears&explain=1").await;
        assert!(usual.has(&format!("{BOX}>")), "{}", usual.text);
        assert!(!usual.has("7.25") && !usual.has(">rerank</th>"));
        let one = get(&site, "/search?q=pears&rerank=1&limit=1").await;
        assert!(one.has("&amp;rerank=1&amp;"), "{}", one.text);
    }
}

#[tokio::test]
async fn reranking_adds_nothing_to_a_fused_score() {
    let place = Place::new().await.embed().await;
    let library = place.library.clone();
    let library = library.with_reranker(Arc::new(Preferring("posting")), RerankOptions::default());
    let site = router(Site::new(library));
    let address = "/search?q=hits+ranked&mode=hybrid&explain=1";
    let usual = get(&site, address).await;
    assert!(
        usual.has("<tfoot>") && usual.has(">Adds</th>"),
        "{}",
        usual.text
    );
    let page = get(&site, &format!("{address}&rerank=1")).await;
    assert!(
        !page.has("<tfoot>") && page.has(">Adds</th>"),
        "{}",
        page.text
    );
    assert!(
        page.has("the score of the reranking model"),
        "{}",
        page.text
    );
}

#[tokio::test]
async fn reranking_without_a_model_is_refused_and_so_is_an_unknown_choice() {
    let place = Place::empty().await;
    place.write("notes", "note:1", "# Pears\n\nPears.\n").await;
    let site = router(place.site());
    assert!(!get(&site, "/search?q=pears").await.has(BOX));
    assert_eq!(
        get(&site, "/search?q=pears&rerank=").await.status,
        StatusCode::OK
    );
    let refused = get(&site, "/search?q=pears&rerank=1").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.has("role=\"alert\"") && refused.has("--reranker"),
        "{}",
        refused.text
    );
    let refused = get(&site, "/search?q=pears&rerank=maybe").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        refused.has("`maybe` is not a value of `rerank`"),
        "{}",
        refused.text
    );
}

/// A model that never answers.
#[derive(Debug)]
struct Silent;

#[async_trait]
impl Reranker for Silent {
    fn name(&self) -> &'static str {
        "silent"
    }

    async fn rerank(&self, _: &str, _: &[String]) -> sectile::models::Result<Vec<f32>> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn the_first_ranking_stands_where_the_reranker_is_late_and_that_is_said() {
    let place = Place::empty().await;
    let text = "# Pears\n\nPears in a box.\n";
    place.write("notes", "note:1", text).await;
    let options = RerankOptions {
        timeout: Duration::from_millis(1),
        collections: vec!["notes".to_owned()],
        ..RerankOptions::default()
    };
    let library = place.library.clone();
    let library = library.with_reranker(Arc::new(Silent), options);
    let site = router(Site::new(library));
    let said = "`silent` timed out after 1ms; results are not reranked";
    let page = get(&site, "/search?q=pears&collection=notes").await;
    assert!(page.has("1 hit, best first"), "{}", page.text);
    assert!(page.has(said), "{}", page.text);
    // It is the only collection, until there is another one.
    assert!(get(&site, "/search?q=pears").await.has(said));
    place.write("other", "note:2", "# Apples\n\nNone.\n").await;
    assert!(!get(&site, "/search?q=pears").await.has(said));
    let asked = get(&site, "/search?q=pears&rerank=1").await;
    assert_eq!(asked.status, StatusCode::OK);
    assert!(
        asked.has("1 hit, best first") && asked.has(said),
        "{}",
        asked.text
    );
}
