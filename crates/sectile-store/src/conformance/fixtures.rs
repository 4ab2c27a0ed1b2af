//! What the cases are made with: documents, and questions to a store.

use sectile_core::{ContentHash, DocumentId, Format, Lines, Metadata, Section, SectionId, Span};

use crate::{
    Analyzer, DocumentRecord, Hit, IndexedChunk, IndexedDocument, IndexedSection, Scope,
    SearchRequest, Store,
};

pub(super) const COLLECTION: &str = "tests";

/// Makes a document of sections given as level, heading and own text, one chunk each.
pub(super) fn document(uri: &str, sections: &[(u8, &str, &str)]) -> IndexedDocument {
    let mut made: Vec<IndexedSection> = Vec::new();
    for &(level, heading, text) in sections {
        let section = section(uri, &made, level, heading, text);
        made.push(section);
    }
    let texts = made.iter().map(|section| section.content.as_str());
    let text = texts.collect::<Vec<_>>().concat();
    IndexedDocument {
        id: DocumentId::new(
            0,
            ContentHash::of(uri.as_bytes()).as_bytes()[..10]
                .try_into()
                .unwrap(),
        ),
        collection: COLLECTION.into(),
        uri: uri.into(),
        format: Format::Markdown,
        content_hash: ContentHash::of(format!("{sections:?}").as_bytes()),
        index_version: "conformance".into(),
        metadata: Metadata::default(),
        sections: made,
        words: Analyzer::english().words(&text),
        language: "en".into(),
        now: 1_700_000_000_000,
    }
}

/// Makes the section that follows those `before` it.
pub(super) fn section(
    uri: &str,
    before: &[IndexedSection],
    level: u8,
    heading: &str,
    text: &str,
) -> IndexedSection {
    let parent = (0..before.len())
        .rev()
        .find(|&at| before[at].section.level < level);
    let mut heading_path = parent.map_or_else(Vec::new, |at| before[at].heading_path.clone());
    heading_path.push(heading.to_owned());
    let same = |section: &&IndexedSection| section.heading_path == heading_path;
    let occurrence = before.iter().filter(same).count();
    let content = format!("{} {heading}\n{text}\n", "#".repeat(level.into()));
    let start = before.last().map_or(0, |last| last.section.span.end);
    let line = before.last().map_or(1, |last| last.section.lines.last + 1);
    let lines = content.matches('\n').count();
    IndexedSection {
        section: Section {
            id: SectionId::derive(uri, &heading_path, occurrence),
            parent,
            heading: Some(heading.to_owned()),
            level,
            span: Span::new(start, start + content.len()),
            lines: Lines {
                first: line,
                last: line + lines - 1,
            },
        },
        path_terms: Analyzer::english().terms(&heading_path.join(" ")),
        chunks: vec![chunk(&content, Span::new(0, content.len()))],
        heading_path,
        pages: None,
        tokens: content.split_whitespace().count(),
        content,
    }
}

pub(super) fn chunk(content: &str, span: Span) -> IndexedChunk {
    IndexedChunk {
        span,
        table_head: None,
        pages: None,
        tokens: span.of(content).split_whitespace().count(),
        terms: Analyzer::english().terms(span.of(content)),
        text_hash: ContentHash::of(span.of(content).as_bytes()),
    }
}

/// Writes one document for each URI and text, under a heading that no question asks for.
pub(super) async fn put_texts(store: &dyn Store, texts: &[(&str, &str)]) {
    let made = texts
        .iter()
        .map(|&(uri, text)| document(uri, &[(1, "Zzz", text)]));
    store.put(made.collect()).await.unwrap();
}

pub(super) async fn search(store: &dyn Store, query: &str) -> Vec<Hit> {
    store.search(&SearchRequest::new(query)).await.unwrap().hits
}

pub(super) async fn found(store: &dyn Store, query: &str) -> Vec<String> {
    uris(&search(store, query).await)
}

pub(super) fn uris(hits: &[Hit]) -> Vec<String> {
    hits.iter().map(|hit| hit.document.uri.clone()).collect()
}

/// Reads a whole document back.
pub(super) async fn text(store: &dyn Store, document: DocumentId) -> String {
    store
        .content(document, 0..usize::MAX >> 1)
        .await
        .unwrap()
        .concat()
}

pub(super) async fn only_document(store: &dyn Store) -> DocumentRecord {
    let mut documents = store.documents(&Scope::all()).await.unwrap();
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}
