//! Hits in files that were moved.

use std::mem::swap;

use sectile_core::ContentHash;
use sectile_store::{Hit, HitDocument, SameText, Scope};

use crate::{Library, Result, is_gone};

impl Library {
    /// Has a file that is there stand before one that is gone and had the same content, as after a folder was moved and
    /// ingested anew.
    pub(crate) async fn prefer_living(&self, hits: &mut [Hit]) -> Result<()> {
        for hit in hits.iter_mut().filter(|hit| is_gone(&hit.document.uri)) {
            if let Some(at) = self.living(hit).await? {
                exchange(hit, at);
            }
        }
        Ok(())
    }

    /// Finds a place with the text of a hit whose document is there and has the content of that of the hit.
    async fn living(&self, hit: &Hit) -> Result<Option<usize>> {
        for (at, other) in hit.same_text.iter().enumerate() {
            if !is_gone(&other.document.uri)
                && self.content(&other.document).await? == self.content(&hit.document).await?
            {
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
