//! Tables that are cut into chunks.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use sectile::core::EmbeddingModel;
use sectile::models::{Embedder, Purpose, Result};
use sectile::{GroupBy, Hit, SearchRequest};

use crate::place::Place;

const HEAD: &str = "| product | unit price | quantity per unit |";

/// Returns a table of 300 rows as CSV.
fn prices() -> String {
    let letter = |at: usize| char::from(b'a' + (at % 26) as u8);
    let name = |at: usize| format!("zu{}{}k", letter(at / 26), letter(at));
    let row = |at: usize| format!("{},{at}.50,{} boxes of tea\n", name(at), at + 7);
    let rows = (0..300).map(row).collect::<String>();
    format!("product,unit price,quantity per unit\n{rows}")
}

async fn ingest(place: &Place) {
    let path = place.write("prices.csv", prices());
    let report = place.library.ingest("docs", &[path], &|_| ()).await;
    assert_eq!(report.unwrap().added, 1);
}

async fn first_hit(place: &Place, request: &SearchRequest) -> Hit {
    place.library.search(request).await.unwrap().hits.remove(0)
}

#[tokio::test]
async fn the_row_is_found_whatever_column_is_named() {
    let place = Place::new().await;
    ingest(&place).await;
    for (name, price) in [("zuabk", "1.50"), ("zufuk", "150.50"), ("zulnk", "299.50")] {
        for column in ["", "unit price", "quantity per unit"] {
            let request = SearchRequest::new(format!("{name} {column}"));
            let hit = first_hit(&place, &request).await;
            let row = format!("| {name} | {price} |");
            assert!(hit.snippet.text.contains(&row), "{}", hit.snippet.text);
            assert!(hit.text_with_head().contains(HEAD));
        }
    }
    // The index is as the text says again.
    let misfits = place.library.verify(&|_, _| ()).await.unwrap();
    assert!(misfits.is_empty(), "{misfits:?}");
}

#[tokio::test]
async fn lines_are_those_of_the_rows() {
    let place = Place::new().await;
    ingest(&place).await;
    let request = SearchRequest::new("zufuk price").with_group_by(GroupBy::Chunk);
    let hit = first_hit(&place, &request).await;
    assert_eq!(hit.table_head.as_deref(), Some(HEAD));
    // Two lines are above the rows.
    assert!((hit.lines.first..=hit.lines.last).contains(&153));
    assert!(!hit.text.contains("price"));
}

#[derive(Debug)]
struct Seen {
    model: EmbeddingModel,
    texts: Mutex<Vec<String>>,
}

#[async_trait]
impl Embedder for Seen {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<Vec<f32>>> {
        self.texts.lock().unwrap().extend_from_slice(texts);
        Ok(texts.iter().map(|_| vec![1.0, 0.0]).collect())
    }
}

#[tokio::test]
async fn a_model_reads_rows_below_their_head() {
    let place = Place::new().await;
    let model = EmbeddingModel {
        name: "seen".to_owned(),
        dimensions: 2,
        is_normalized: false,
    };
    let texts = Mutex::default();
    let seen = Arc::new(Seen { model, texts });
    let library = place.library.clone().with_embedder(seen.clone());
    let path = place.write("prices.csv", prices());
    library.ingest("docs", &[path], &|_| ()).await.unwrap();
    let texts = seen.texts.lock().unwrap().clone();
    assert!(texts.len() > 1);
    for text in &texts {
        assert_eq!(text.matches(HEAD).count(), 1, "{text}");
    }
}
