//! Texts that an embedding model refuses.

use std::path::PathBuf;

use sectile::MEMORIES;
use sectile::core::Metadata;

use super::*;

/// A model that refuses requests with a text of one word, and has no direction for one of another.
#[derive(Debug)]
struct Choosy(EmbeddingModel);

#[async_trait]
impl Embedder for Choosy {
    fn model(&self) -> &EmbeddingModel {
        &self.0
    }

    async fn embed(&self, texts: &[String], _: Purpose) -> Result<Vec<Vec<f32>>> {
        if texts.iter().any(|text| text.contains("kumquat")) {
            return Err(Error::Refused {
                model: self.0.name.clone(),
                reason: "the text is too long".to_owned(),
            });
        }
        let vector = |text: &String| vec![f32::from(!text.contains("pomelo")); self.0.dimensions];
        Ok(texts.iter().map(vector).collect())
    }
}

#[tokio::test]
async fn a_text_that_a_model_refuses_takes_nothing_from_the_others() {
    let place = Place::new().await;
    let model = numbers(8, false).model().clone();
    let library = place.library.clone().with_embedder(Arc::new(Choosy(model)));
    // A model that never took a text is the wrong one.
    let error = place.ingest(&library, TEXT).await.unwrap_err();
    assert!(error.to_string().contains("too long"), "{error}");

    let mut paths: Vec<PathBuf> = (0..40)
        .map(|number| place.write(&format!("{number}.md"), format!("Fruit {number}.\n")))
        .collect();
    let long = place.write("20.md", "# A\n\nA kumquat.\n\n# B\n\nThe kumquat.\n");
    let without = place.write("30.md", "A pomelo.\n");
    paths.push(place.write("a.md", TEXT));
    for _ in 0..2 {
        let report = library.ingest("docs", &paths, &|_| ()).await.unwrap();
        let failed: Vec<&str> = report.failed.iter().map(|(name, _)| &**name).collect();
        let name = |path: &PathBuf| path.canonicalize().unwrap().display().to_string();
        let expected = [&long, &without, &paths[40]].map(name);
        assert_eq!(failed, expected);
        let reasons: String = report.failed.iter().map(|(_, why)| &**why).collect();
        assert!(reasons.contains("2 of its chunks have no vectors: the model `emb` refused"));
        assert!(reasons.contains("1 of its chunks has no vector: the vector cannot be used"));
    }
    let totals = library.totals().await.unwrap();
    assert_eq!(totals.chunks - totals.vectors, 4);
    // One that is added is found by its meaning.
    paths.push(place.write("new.md", "Another fruit.\n"));
    let report = library.ingest("docs", &paths, &|_| ()).await.unwrap();
    assert_eq!((report.added, report.embedded), (1, 1));
}

#[tokio::test]
async fn vectors_that_are_asked_for_are_made_but_for_refused_texts() {
    let place = Place::new().await;
    let model = numbers(8, false).model().clone();
    let library = place.library.clone().with_embedder(Arc::new(Choosy(model)));
    let refused = place.write("refused.md", "The kumquat.\n");
    let without_model = &place.library;
    let ingest = async |path: &PathBuf| {
        let paths = std::slice::from_ref(path);
        without_model.ingest("docs", paths, &|_| ()).await.unwrap()
    };
    ingest(&refused).await;
    // A model that never took a text is the wrong one.
    let error = library.embed("docs", &|_| ()).await.unwrap_err();
    assert!(error.to_string().contains("refused"), "{error}");

    ingest(&place.write("taken.md", "A fruit.\n")).await;
    for embedded in [1, 0] {
        let report = library.embed("docs", &|_| ()).await.unwrap();
        assert_eq!((report.embedded, report.failed.len()), (embedded, 1));
        let (name, reason) = &report.failed[0];
        assert!(name.ends_with("refused.md"), "{name}");
        assert!(reason.contains("the text is too long"), "{reason}");
    }
}

#[tokio::test]
async fn new_texts_have_vectors_however_many_older_ones_a_model_refuses() {
    let place = Place::new().await;
    let model = numbers(8, false).model().clone();
    let library = place.library.clone().with_embedder(Arc::new(Choosy(model)));
    let mut paths = vec![place.write("first.md", "A fruit.\n")];
    library.ingest("docs", &paths, &|_| ()).await.unwrap();
    for number in 0..70 {
        let text = format!("The kumquat {number}.\n");
        paths.push(place.write(&format!("{number}.md"), text));
    }
    let report = library.ingest("docs", &paths, &|_| ()).await.unwrap();
    assert_eq!(report.failed.len(), 70);
    // Those that are refused are asked for before it.
    paths.push(place.write("new.md", "Another fruit.\n"));
    let report = library.ingest("docs", &paths, &|_| ()).await.unwrap();
    assert_eq!((report.embedded, report.failed.len()), (1, 70));
}

#[tokio::test]
async fn a_memory_has_its_vector_whatever_else_a_model_refuses() {
    let place = Place::new().await;
    let model = numbers(8, false).model().clone();
    let library = place.library.clone().with_embedder(Arc::new(Choosy(model)));
    let remember = async |text: &str| {
        let kept = library.remember(text, Metadata::default()).await.unwrap();
        library.embed_document(MEMORIES, kept.id, &|_| ()).await
    };
    remember("A fruit.").await.unwrap();
    remember("The kumquat.").await.unwrap_err();
    remember("Another fruit.").await.unwrap();
    // It is kept already, and has no vector yet.
    remember("The kumquat.").await.unwrap_err();
}
