//! From a loaded document to one that a store can write.

mod given;
mod search_path;
mod set_languages;
mod table_heads;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use sectile_chunk::{LongSentences, TokenCounter, section_tree};
use sectile_core::{Chunk, ContentHash, Document, DocumentId, Format, Lines, SectionTree, Span};
use sectile_store::{
    ANALYZER_VERSION, Analyzer, DocumentRecord, GIVEN, IndexedChunk, IndexedDocument,
    IndexedSection, Language,
};
use uuid::Uuid;

use given::{hash_of_chunks, parts_in_sections};
use search_path::{lacking, names, search_path};
pub(crate) use set_languages::SetLanguages;
use set_languages::is_in;
pub(crate) use table_heads::TableHeads;

use crate::uri::document_path;
use crate::{ChunkSettings, CutChunk, Cutter, Result, Strategy, Unit};

/// The version of how a document becomes sections and chunks; what another version made is redone.
const INDEX_VERSION: u32 = 13;

/// The default chunks for search: cut at the ends of sentences, with an overlap of 15 %. At a fixed budget of text to
/// read, chunks of this size contain the most answers.
const CHUNKS: ChunkSettings = ChunkSettings {
    strategy: Strategy::Sentence,
    size: Some(400),
    overlap: Some(60),
    unit: None,
};

/// Cuts, counts and analyses documents.
#[derive(Clone)]
pub(crate) struct Indexer {
    cutter: Cutter,
    /// Whether sizes count something else than tokens of the counter.
    is_recounted: bool,
    counter: Arc<dyn TokenCounter>,
    languages: SetLanguages,
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

impl Indexer {
    /// Creates the indexer of a library with default settings.
    pub(crate) fn usual() -> Self {
        Self::new(&CHUNKS).expect("the size and the overlap are in range")
    }

    /// Makes the indexer that cuts sections so. Sizes count tokens, unless the settings name a unit.
    pub(crate) fn new(settings: &ChunkSettings) -> Result<Self> {
        let settings = settings.in_tokens();
        let is_recounted = settings.unit() != Unit::DEFAULT;
        let ChunkSettings { strategy, .. } = settings;
        let (size, overlap, unit) = (settings.size(), settings.overlap(), settings.unit());
        let version = format!(
            "index-{INDEX_VERSION} {strategy}-{size}-{overlap} {unit} analyzer-{ANALYZER_VERSION}"
        );
        let cutter = match settings.cutter()? {
            Cutter::Sentence(chunker, counter) => {
                Cutter::Sentence(chunker.with_long_sentences(LongSentences::Split), counter)
            }
            other => other,
        };
        Ok(Self {
            cutter,
            is_recounted,
            counter: Unit::DEFAULT.counter(),
            languages: SetLanguages::default(),
            version,
        })
    }

    /// Sets the languages of documents; without one each has its own.
    pub(crate) fn with_languages(self, languages: SetLanguages) -> Self {
        Self { languages, ..self }
    }

    /// Returns the languages that are set.
    pub(crate) const fn languages(&self) -> &SetLanguages {
        &self.languages
    }

    /// Returns the version of a job that indexes something of a version into a collection: for another index or language
    /// it is another job.
    pub(crate) fn job_version(&self, collection: &str, of: &str) -> String {
        let language = self.languages.of(collection).map_or("any", Language::code);
        format!("{of} {} {language}", self.version)
    }

    /// Returns whether a document that is read again would be indexed as it was. Without text it has no language.
    pub(crate) fn is_current(&self, record: &DocumentRecord) -> bool {
        let set = self.languages.of(&record.collection);
        self.is_version(&record.index_version) && is_in(record, set)
    }

    /// Returns whether a document that is not read again is indexed as it is to be.
    pub(crate) fn is_as_set(&self, record: &DocumentRecord) -> bool {
        let set = self.languages.of_record(record);
        self.is_version(&record.index_version) && is_in(record, set)
    }

    /// Returns whether what has an index version was analyzed as it would be now: cut by these settings, or given with
    /// its chunks.
    pub(crate) fn is_version(&self, version: &str) -> bool {
        let rest = version.strip_prefix(&*self.version);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(GIVEN))
    }

    /// Returns the language of a document: the one that is set, or that it states, or that its text
    /// looks like, of which code and data have little.
    fn language_of(&self, collection: &str, document: &Document) -> Language {
        let stated = || document.metadata.language.as_deref()?.parse().ok();
        let known = self.languages.of(collection).or_else(stated);
        known.unwrap_or_else(|| match document.format {
            Format::Code | Format::Json | Format::Yaml => Language::detect_in_code(&document.text),
            _ => Language::detect(&document.text),
        })
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
        self.made(
            (collection, uri),
            document,
            &tree,
            None,
            (content_hash, now),
        )
    }

    /// Creates an indexed document with the given chunks, which are spans of its text at character boundaries. A span
    /// that crosses a section boundary becomes one chunk in each section.
    pub(crate) fn index_given(
        &self,
        collection: &str,
        uri: &str,
        document: &Document,
        chunks: &[Span],
        content_hash: ContentHash,
        now: u64,
    ) -> IndexedDocument {
        let tree = section_tree(uri, &document.text, &document.outline);
        let given = parts_in_sections(&tree, chunks);
        let read = (content_hash, now);
        let mut indexed = self.made((collection, uri), document, &tree, Some(&given), read);
        indexed.index_version = format!("{}{GIVEN}{}", self.version, hash_of_chunks(&indexed));
        indexed
    }

    /// Makes a document of sections, with the chunks of each if these are given.
    fn made(
        &self,
        (collection, uri): (&str, &str),
        document: &Document,
        tree: &SectionTree,
        given: Option<&[Vec<Span>]>,
        (content_hash, now): (ContentHash, u64),
    ) -> IndexedDocument {
        let title = document.metadata.title.as_deref();
        let name = document_name(title, uri);
        let file = title.and_then(|_| file_name(uri));
        let positions = 0..tree.sections.len();
        let language = self.language_of(collection, document);
        let analyzer = Analyzer::for_language(language);
        let section = |position: usize| {
            let file = file.as_deref().filter(|_| position == 0);
            let content = tree.sections[position].span.of(&document.text);
            let cut = match given {
                Some(given) => self.given_chunks(content, &given[position]),
                None => self.all_chunks(content, document.format),
            };
            Self::section(document, tree, position, cut, (&name, file), &analyzer)
        };
        IndexedDocument {
            id: DocumentId(Uuid::now_v7()),
            collection: collection.to_owned(),
            uri: uri.to_owned(),
            format: document.format,
            content_hash,
            index_version: self.version.clone(),
            metadata: document.metadata.clone(),
            sections: positions.map(section).collect(),
            words: analyzer.words(&document.text),
            language: language.code().to_owned(),
            now,
        }
    }

    fn section(
        document: &Document,
        tree: &SectionTree,
        position: usize,
        (chunks, tokens): (Vec<Chunk<'_>>, usize),
        (name, file): (&str, Option<&str>),
        analyzer: &Analyzer,
    ) -> IndexedSection {
        let section = tree.sections[position].clone();
        let content = section.span.of(&document.text);
        let heading_path: Vec<String> = tree
            .heading_path(position)
            .into_iter()
            .map(str::to_owned)
            .collect();
        let mut path = match document.format {
            Format::Code => search_path(name, &names(&heading_path)),
            _ => search_path(name, &heading_path),
        };
        let chunks = indexed(
            document,
            section.span,
            &chunks,
            (name, &heading_path),
            analyzer,
        );
        let has_title = document.metadata.title.is_some();
        if let Some(file) = file {
            // A search for the name of a file finds the beginning of the file.
            path.push('\n');
            path.push_str(file);
        } else if position == 0 && !has_title && document.format != Format::Code {
            // The name counts as a heading does, which stands in its text, too.
            path.push('\n');
            path.push_str(&lacking(name, &chunks, analyzer));
        }
        IndexedSection {
            pages: document.pages_of(section.span),
            tokens,
            path_terms: analyzer.terms(&path),
            chunks,
            content: content.to_owned(),
            heading_path,
            section,
        }
    }

    /// Cuts the content of a section into the chunks that are searched.
    pub(crate) fn cut<'a>(
        &self,
        content: &'a str,
        format: Format,
    ) -> impl Iterator<Item = Chunk<'a>> {
        let (chunks, _) = self.all_chunks(content, format);
        chunks.into_iter().filter(is_searched)
    }

    /// Cuts the content of a section into all its chunks, and counts its tokens.
    fn all_chunks<'a>(&self, content: &'a str, format: Format) -> (Vec<Chunk<'a>>, usize) {
        let (chunks, counted) = match &self.cutter {
            // Whether a section fits into a chunk depends on its tokens, which are counted once.
            Cutter::Sentence(chunker, counter) if !self.is_recounted => {
                let chunker = chunker.with_source_code(format == Format::Code);
                let tokens = counter.count(content);
                let chunks = chunker.chunks_of_counted(content, tokens, counter);
                (chunks, Some(tokens))
            }
            _ => (self.recounted(content, format), None),
        };
        let tokens = match &*chunks {
            [only] => only.tokens.unwrap_or_default(),
            _ => counted.unwrap_or_else(|| self.counter.count(content)),
        };
        (chunks, tokens)
    }

    /// Returns the chunks that are given with the content of a section, and counts its tokens.
    fn given_chunks<'a>(&self, content: &'a str, given: &[Span]) -> (Vec<Chunk<'a>>, usize) {
        let chunk = |(index, span): (usize, &Span)| {
            let text = span.of(content);
            Chunk {
                index,
                text: text.into(),
                span: *span,
                // An index needs neither characters nor lines.
                chars: *span,
                lines: Lines { first: 1, last: 1 },
                tokens: Some(self.counter.count(text)),
                heading_path: None,
            }
        };
        let chunks = given.iter().enumerate().map(chunk);
        (chunks.collect(), self.counter.count(content))
    }

    fn recounted<'a>(&self, content: &'a str, format: Format) -> Vec<Chunk<'a>> {
        // A section has no headings below its own.
        let cut = self.cutter.chunks("", content, format, &[]);
        let chunks = cut.expect("a section that is too large is cut");
        let counted = |cut: CutChunk<'a>| {
            let Chunk { text, tokens, .. } = &cut.chunk;
            let known = tokens.filter(|_| !self.is_recounted);
            Chunk {
                tokens: Some(known.unwrap_or_else(|| self.counter.count(text))),
                ..cut.chunk
            }
        };
        chunks.into_iter().map(counted).collect()
    }
}

/// Analyzes the chunks of a section that are not only white space.
fn indexed(
    document: &Document,
    section: Span,
    chunks: &[Chunk<'_>],
    path: (&str, &[String]),
    analyzer: &Analyzer,
) -> Vec<IndexedChunk> {
    let content = section.of(&document.text);
    let heads = TableHeads::of(content, document.format, chunks.len());
    let written = chunks.iter().filter(|chunk| is_searched(chunk));
    written
        .map(|chunk| IndexedChunk {
            pages: document.pages_of(chunk.span.shifted(section.start)),
            tokens: chunk.tokens.unwrap_or_default(),
            ..indexed_chunk(content, chunk.span, heads.above(chunk.span), path, analyzer)
        })
        .collect()
}

/// Makes what is indexed of a part of a section, below the name of its document and its headings, and below the head of
/// the table that it continues. This is the only place where chunks get their terms.
pub(crate) fn indexed_chunk(
    content: &str,
    span: Span,
    table_head: Option<Span>,
    (name, heading_path): (&str, &[String]),
    analyzer: &Analyzer,
) -> IndexedChunk {
    let text = span.of(content);
    let head = table_head.map(|head| head.of(content));
    let embedded = embedded_text(name, heading_path, head, text);
    IndexedChunk {
        span,
        table_head,
        pages: None,
        tokens: 0,
        terms: analyzer.chunk_terms(head, text),
        text_hash: ContentHash::of(embedded.as_bytes()),
    }
}

/// Returns whether a chunk contains more than white space.
fn is_searched(chunk: &Chunk<'_>) -> bool {
    !chunk.text.trim().is_empty()
}

/// Returns what a reader would call a document: its title, or else its file's name.
pub(crate) fn document_name(title: Option<&str>, uri: &str) -> String {
    let title = title.map(str::to_owned);
    let stem = || {
        Some(
            Path::new(&file_name(uri)?)
                .file_stem()?
                .to_string_lossy()
                .into_owned(),
        )
    };
    title.or_else(stem).unwrap_or_default()
}

/// Returns the name of a document's file.
fn file_name(uri: &str) -> Option<String> {
    let path = document_path(uri)?;
    Some(path.file_name()?.to_string_lossy().into_owned())
}

/// Returns the text of a chunk for an embedding model: its heading path, the head of the table that it continues, and
/// its text without the heading, which is in the path.
pub(crate) fn embedded_text(
    name: &str,
    heading_path: &[String],
    table_head: Option<&str>,
    text: &str,
) -> String {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let heading = heading_path.last().map(String::as_str);
    let is_heading = heading == Some(first.trim_matches(['#', ' ', '\r']));
    let text = if is_heading { rest } else { text };
    let path = search_path(name, heading_path);
    let head = table_head.map(|head| format!("{head}\n"));
    let text = [head.as_deref().unwrap_or_default(), text.trim()].concat();
    [path.trim(), text.as_str()].join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_data_are_english_unless_their_prose_is_not() {
        let language = |text: &str, format| {
            let document = Document {
                text: text.into(),
                format,
                ..Document::default()
            };
            Indexer::usual().language_of("c", &document)
        };
        let go = "lang: Go\nsource: |-\n  import (\n    \"os\"\n  )\n  func main() {\n    os.Exit(1)\n  }\n";
        assert_eq!(language(go, Format::Yaml), Language::English);
        let german =
            "hinweis: Die Datei ist nicht da, oder sie wird noch von einem Dienst gelesen.\n";
        assert_eq!(language(german, Format::Yaml), Language::German);
        let comment = "# Kopie der Datei\nputs 1\n";
        assert_eq!(language(comment, Format::Code), Language::English);
    }
}
