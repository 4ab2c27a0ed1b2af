//! Indexes one section without the rest of Sectile, and searches it.
//!
//! ```sh
//! cargo run -p sectile-store-sqlite --example index_and_search
//! ```
//!
//! The crate `sectile` makes such documents out of files; this shows what a store is given.

use sectile_core::{ContentHash, DocumentId, Format, Lines, Metadata, Section, SectionId, Span};
use sectile_store::{
    Analyzer, IndexedChunk, IndexedDocument, IndexedSection, SearchRequest, Store as _,
};
use sectile_store_sqlite::SqliteStore;

const URI: &str = "guide.md";
const TEXT: &str = "# Install\n\nRun `make install`.\n";

#[expect(clippy::print_stdout, reason = "that is what it is for")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let store = SqliteStore::open(folder.path().join("store.db")).await?;
    store.put(vec![document()]).await?;
    let answer = store
        .search(&SearchRequest::new("how do I install it?"))
        .await?;
    for hit in &answer.hits {
        let path = hit.heading_path.join(" > ");
        println!("{}:{}  {path}", hit.document.uri, hit.lines);
        println!("  {}", hit.snippet.marked("[", "]"));
    }
    Ok(())
}

/// Returns a document with one section, which is one chunk.
fn document() -> IndexedDocument {
    IndexedDocument {
        // The store takes times and random numbers from its caller.
        id: DocumentId::new(0, [7; 10]),
        collection: "default".into(),
        uri: URI.into(),
        format: Format::Markdown,
        content_hash: ContentHash::of(TEXT.as_bytes()),
        index_version: "example 1".into(),
        metadata: Metadata::default(),
        sections: vec![section()],
        words: Analyzer::english().words(TEXT),
        language: "en".into(),
        now: 0,
    }
}

fn section() -> IndexedSection {
    let (analyzer, whole, path) = (Analyzer::english(), Span::new(0, TEXT.len()), ["Install"]);
    let tokens = TEXT.split_whitespace().count();
    IndexedSection {
        section: Section {
            id: SectionId::derive(URI, &path, 0),
            parent: None,
            heading: Some("Install".into()),
            level: 1,
            span: whole,
            lines: Lines { first: 1, last: 3 },
        },
        heading_path: vec!["Install".into()],
        content: TEXT.into(),
        pages: None,
        tokens,
        path_terms: analyzer.terms("Install"),
        chunks: vec![IndexedChunk {
            span: whole,
            table_head: None,
            pages: None,
            tokens,
            terms: analyzer.terms(TEXT),
            text_hash: ContentHash::of(TEXT.as_bytes()),
        }],
    }
}
