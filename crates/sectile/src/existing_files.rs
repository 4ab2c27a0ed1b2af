//! Hits in files that were moved.

use std::mem::swap;

use sectile_core::ContentHash;
use sectile_store::{Hit, HitDocument, SameText, Scope};

use crate::{Library, Result, is_gone};

/// With how many places of a hit its content is compared at most: each takes a query.
const PLACES: usize = 10;

impl Library {
    /// Moves existing files before deleted ones with the same content, as after a folder was moved and ingested again.
    pub(crate) async fn prefer_existing(&self, hits: &mut [Hit]) -> Result<()> {
        let has_others = |hit: &&mut Hit| !hit.same_text.is_empty();
        let hits = hits.iter_mut().filter(has_others);
        for hit in hits.filter(|hit| is_gone(&hit.document.uri)) {
            if let Some(at) = self.existing(hit).await? {
                exchange(hit, at);
            }
        }
        Ok(())
    }

    /// Finds another place with the text of a hit whose document exists and has the same content as the document of the
    /// hit.
    async fn existing(&self, hit: &Hit) -> Result<Option<usize>> {
        let places = existing_places(hit);
        if places.is_empty() {
            return Ok(None);
        }
        let Some(content) = self.content(&hit.document).await? else {
            return Ok(None);
        };
        for (at, document) in places {
            if self.content(document).await? == Some(content) {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    async fn content(&self, document: &HitDocument) -> Result<Option<ContentHash>> {
        let scope = Scope::collection(&document.collection).with_uri(&document.uri);
        let found = self.documents(&scope).await?.pop();
        Ok(found.map(|document| document.content_hash))
    }
}

/// Returns the first places with the text of a hit whose documents are there.
fn existing_places(hit: &Hit) -> Vec<(usize, &HitDocument)> {
    let others = hit.same_text.iter().map(|other| &other.document);
    let there = others
        .enumerate()
        .filter(|(_, document)| !is_gone(&document.uri));
    there.take(PLACES).collect()
}

/// Exchanges the place of a hit with another one that has its text.
fn exchange(hit: &mut Hit, at: usize) {
    let SameText {
        document,
        section,
        heading_path,
        lines,
        pages,
    } = &mut hit.same_text[at];
    swap(&mut hit.document, document);
    swap(&mut hit.section, section);
    swap(&mut hit.heading_path, heading_path);
    swap(&mut hit.lines, lines);
    swap(&mut hit.pages, pages);
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use sectile_store::SearchRequest;

    use super::*;
    use crate::DEFAULT_COLLECTION;

    #[tokio::test]
    async fn the_first_places_that_are_there_are_compared() {
        let folder = tempfile::tempdir().unwrap();
        let path = |place: usize| folder.path().join(format!("{place:02}.md"));
        let store = format!("sqlite:{}", folder.path().join("library.db").display());
        let library = Library::open(&store).await.unwrap();
        let paths: Vec<_> = (0..PLACES + 3).map(path).collect();
        for path in &paths {
            std::fs::write(path, "# Penguins\n\nThey swim.\n").unwrap();
        }
        let ingested = library.ingest(DEFAULT_COLLECTION, &paths, &|_| ()).await;
        assert_eq!(ingested.unwrap().failed, []);
        for gone in [0, 1] {
            std::fs::remove_file(path(gone)).unwrap();
        }
        let request = SearchRequest::new("penguins");
        let answer = library.store().search(&request).await.unwrap();
        let mut hits = answer.hits;
        assert!(hits[0].document.uri.ends_with("00.md"));
        let places = existing_places(&hits[0]);
        let at = places.into_iter().map(|(at, _)| at);
        assert!(at.eq(1..=PLACES));
        library.prefer_existing(&mut hits).await.unwrap();
        assert!(hits[0].document.uri.ends_with("02.md"));
    }
}
