//! From a loaded document to one that a store can write.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use sectile_chunk::{LongSentences, SentenceChunker, TokenCounter, section_tree};
use sectile_core::{Chunk, ContentHash, Document, DocumentId, SectionTree, Span};
use sectile_store::{ANALYZER_VERSION, Analyzer, IndexedChunk, IndexedDocument, IndexedSection};
use uuid::Uuid;

use crate::uri::document_path;

/// The version of how a document becomes sections and chunks; what another version made is redone.
const INDEX_VERSION: u32 = 4;

/// The size in tokens and the overlap of chunks for search. At a fixed budget of text to read,
/// chunks of this size hold the most of what was asked for.
const CHUNK_TOKENS: usize = 400;
const CHUNK_OVERLAP: f64 = 0.15;

/// Cuts, counts and analyses documents.
#[derive(Clone)]
pub(crate) struct Indexer {
    chunker: SentenceChunker,
    counter: Arc<dyn TokenCounter>,
    analyzer: Analyzer,
    version: String,
}

impl fmt::Debug for Indexer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Indexer")
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// Returns the counter that a library measures with: exact where the build has a vocabulary.
pub(crate) fn default_counter() -> Arc<dyn TokenCounter> {
    #[cfg(feature = "tiktoken")]
    return Arc::new(sectile_chunk::Bpe::o200k_base());
    #[cfg(not(feature = "tiktoken"))]
    return Arc::new(sectile_chunk::Heuristic);
}

impl Indexer {
    /// Makes the indexer that measures with `counter`.
    pub(crate) fn new(counter: Arc<dyn TokenCounter>) -> Self {
        let chunker = SentenceChunker::new(CHUNK_TOKENS)
            .and_then(|chunker| chunker.with_overlap(CHUNK_OVERLAP))
            .expect("the size and the overlap are in range")
            .with_long_sentences(LongSentences::Split);
        let size = format!("sentence-{CHUNK_TOKENS}-{CHUNK_OVERLAP}");
        let version = format!(
            "index-{INDEX_VERSION} {size} {} analyzer-{ANALYZER_VERSION}",
            counter.name()
        );
        Self {
            chunker,
            counter,
            analyzer: Analyzer::english(),
            version,
        }
    }

    /// Names the settings; content indexed under another name is indexed again.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Returns the token counter.
    pub(crate) fn counter(&self) -> &dyn TokenCounter {
        &*self.counter
    }

    /// Returns the token counter, to be kept.
    pub(crate) fn shared_counter(&self) -> Arc<dyn TokenCounter> {
        Arc::clone(&self.counter)
    }

    /// Returns what makes terms.
    pub(crate) const fn analyzer(&self) -> &Analyzer {
        &self.analyzer
    }

    /// Makes a document ready to be written.
    ///
    /// Every heading gets a section of its own, however small, because tables of contents, ids and
    /// heading paths name them; a section too large to be found in is what chunks are for.
    pub(crate) fn index(
        &self,
        collection: &str,
        uri: &str,
        document: &Document,
        content_hash: ContentHash,
        now: u64,
    ) -> IndexedDocument {
        let tree = section_tree(uri, &document.text, &document.outline);
        let name = document_name(document.metadata.title.as_deref(), uri);
        let positions = 0..tree.sections.len();
        let section = |position| self.section(document, &tree, position, &name);
        IndexedDocument {
            id: DocumentId(Uuid::now_v7()),
            collection: collection.to_owned(),
            uri: uri.to_owned(),
            format: document.format,
            content_hash,
            index_version: self.version.clone(),
            metadata: document.metadata.clone(),
            sections: positions.map(section).collect(),
            words: self.analyzer.words(&document.text),
            language: "en".into(),
            now,
        }
    }

    fn section(
        &self,
        document: &Document,
        tree: &SectionTree,
        position: usize,
        name: &str,
    ) -> IndexedSection {
        let section = tree.sections[position].clone();
        let content = section.span.of(&document.text);
        let heading_path: Vec<String> = tree
            .heading_path(position)
            .into_iter()
            .map(str::to_owned)
            .collect();
        let chunks = self.chunker.chunks(content, self.counter());
        let tokens = match &*chunks {
            [only] => only.tokens.unwrap_or_default(),
            _ => self.counter.count(content),
        };
        IndexedSection {
            pages: document.pages_of(section.span),
            tokens,
            path_terms: self.analyzer.terms(&search_path(name, &heading_path)),
            chunks: self.chunks(document, section.span, &chunks, |text| {
                ContentHash::of(embedded_text(name, &heading_path, text).as_bytes())
            }),
            content: content.to_owned(),
            heading_path,
            section,
        }
    }

    /// Cuts the content of a section into the chunks that are searched.
    pub(crate) fn cut<'a>(&self, content: &'a str) -> impl Iterator<Item = Chunk<'a>> {
        let chunks = self.chunker.chunks(content, self.counter());
        chunks.into_iter().filter(is_searched)
    }

    /// Analyses the chunks of a section that hold more than white space.
    fn chunks(
        &self,
        document: &Document,
        section: Span,
        chunks: &[Chunk<'_>],
        text_hash: impl Fn(&str) -> ContentHash,
    ) -> Vec<IndexedChunk> {
        let written = chunks.iter().filter(|chunk| is_searched(chunk));
        written
            .map(|chunk| IndexedChunk {
                span: chunk.span,
                pages: document.pages_of(chunk.span.shifted(section.start)),
                tokens: chunk.tokens.unwrap_or_default(),
                terms: self.analyzer.terms(&chunk.text),
                text_hash: text_hash(&chunk.text),
            })
            .collect()
    }
}

/// Says whether a chunk holds more than white space.
fn is_searched(chunk: &Chunk<'_>) -> bool {
    !chunk.text.trim().is_empty()
}

/// Returns what a reader would call a document: its title, or else its file's name.
pub(crate) fn document_name(title: Option<&str>, uri: &str) -> String {
    let stem = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
    let from_file = || document_path(uri).as_deref().and_then(stem);
    let title = title.map(str::to_owned);
    title.or_else(from_file).unwrap_or_default()
}

/// Returns what an embedding model is given of a chunk: where it stands, and its text without the
/// heading, which would be there twice.
pub(crate) fn embedded_text(name: &str, heading_path: &[String], text: &str) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let heading = heading_path.last().map(String::as_str);
    let is_heading = heading == Some(first.trim_matches(['#', ' ', '\r']));
    let text = if is_heading { rest } else { text };
    let path = search_path(name, heading_path);
    [path.trim(), text.trim()].join("\n\n")
}

/// Joins a document's name and a heading path; a title that is also the first heading counts once.
fn search_path(name: &str, heading_path: &[String]) -> String {
    let repeated = heading_path.first().is_some_and(|first| first == name);
    let name = (!repeated).then_some(name);
    let parts: Vec<&str> = name
        .into_iter()
        .chain(heading_path.iter().map(String::as_str))
        .collect();
    parts.join("\n")
}
