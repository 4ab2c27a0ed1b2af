//! Parquet files as parts of a load.

use std::iter::Peekable;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use sectile::chunk::markdown_outline;
use sectile::core::{Document, Format};
use sectile::{DocumentBatches, DocumentPart, PartDocument, PartError, PartVector, VectorBatches};
use sectile_arrow::{ChunksFile, DocumentChunks, DocumentsFile, FileChunk, ParquetFileError, Row};

/// The number of documents whose vectors are read together.
const TOGETHER: usize = 32;

/// A Parquet file of documents, with the files of their chunks and vectors if these are loaded unchanged.
#[derive(Debug)]
pub(super) struct ParquetPart {
    name: String,
    version: String,
    documents: DocumentsFile,
    chunks: Option<ChunksFile>,
    vectors: Option<PathBuf>,
}

impl ParquetPart {
    /// Opens a file of documents, or a file in the folder `chunks` of a job. The documents of the chunks, and their
    /// vectors of this model, are in the folders next to it.
    pub(super) fn open(name: &str, path: &Path, model: Option<&str>) -> anyhow::Result<Self> {
        let file = DocumentsFile::new(path);
        // A file that is not a Parquet file, or is damaged, fails when it is loaded.
        let columns = file.columns().unwrap_or_default();
        let has = |name: &str| columns.iter().any(|column| column == name);
        if !has("start_byte") {
            return Ok(Self {
                name: name.to_owned(),
                version: file.version()?,
                documents: file,
                chunks: None,
                vectors: None,
            });
        }
        if has("level") {
            bail!("it holds sections; load the folder of the job, or its `documents`");
        }
        let documents = beside(path, "documents")
            .context("it holds chunks, and the folder `documents` next to its folder has no file of this name with their documents")?;
        let (documents, chunks) = (DocumentsFile::new(documents), ChunksFile::new(path));
        let mut version = format!("{} {}", documents.version()?, chunks.version()?);
        let vectors = beside(path, "vectors");
        if let (Some(vectors), Some(model)) = (&vectors, model) {
            let vectors = DocumentsFile::new(vectors).version()?;
            version = format!("{version} {vectors} {model}");
        }
        Ok(Self {
            name: name.to_owned(),
            version,
            documents,
            chunks: Some(chunks),
            vectors,
        })
    }

    /// Returns whether there are vectors of its chunks.
    pub(super) const fn has_vectors(&self) -> bool {
        self.vectors.is_some()
    }
}

/// Returns the file that another stage of a job has made of the same part.
fn beside(path: &Path, stage: &str) -> Option<PathBuf> {
    let folder = path.parent()?;
    // The folder may be the current one.
    let file = folder.join("..").join(stage).join(path.file_name()?);
    file.is_file().then_some(file)
}

impl DocumentPart for ParquetPart {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        &self.version
    }

    fn uris(&self) -> Result<Vec<String>, PartError> {
        Ok(self.documents.uris()?)
    }

    fn documents(&self) -> Result<DocumentBatches, PartError> {
        let mut batches = self.documents.rows()?;
        let Some(chunks) = &self.chunks else {
            let loaded = |(uri, row)| (uri, document(row).map(PartDocument::from));
            return Ok(Box::new(
                batches.map(move |batch| Ok(batch?.into_iter().map(loaded).collect())),
            ));
        };
        let mut chunks = chunks.documents(None)?.peekable();
        Ok(Box::new(std::iter::from_fn(move || match batches.next() {
            Some(Ok(rows)) => Some(with_chunks(rows, &mut chunks)),
            Some(Err(error)) => Some(Err(error.into())),
            None => chunks.next().map(|left| Err(without_document(left))),
        })))
    }

    fn vectors(&self) -> Result<Option<VectorBatches>, PartError> {
        let (Some(chunks), Some(vectors)) = (&self.chunks, &self.vectors) else {
            return Ok(None);
        };
        let mut documents = chunks.documents(Some(vectors.as_path()))?;
        Ok(Some(Box::new(std::iter::from_fn(move || {
            let some = documents.by_ref().take(TOGETHER).map(vectors_of);
            let some: Result<Vec<_>, PartError> = some.collect();
            let is_end = some.as_ref().is_ok_and(Vec::is_empty);
            (!is_end).then_some(some)
        }))))
    }
}

/// Documents with their names, or why they could not be loaded.
type NamedDocuments = Vec<(String, Result<PartDocument, String>)>;

/// Gives documents the chunks that are next where these are theirs.
fn with_chunks<I: Iterator<Item = Result<DocumentChunks, ParquetFileError>>>(
    rows: Vec<(String, Row)>,
    chunks: &mut Peekable<I>,
) -> Result<NamedDocuments, PartError> {
    let mut documents = Vec::with_capacity(rows.len());
    for (uri, row) in rows {
        let document = match document(row) {
            Ok(document) => document,
            Err(error) => {
                documents.push((uri, Err(error)));
                continue;
            }
        };
        let is_of_it = |next: &Result<DocumentChunks, ParquetFileError>| {
            next.as_ref().map_or(true, |(of, _)| *of == uri)
        };
        let given = chunks.next_if(is_of_it).transpose()?;
        let given = given.map(|(_, given)| given).unwrap_or_default();
        if !given.iter().all(|chunk| is_in(&document.text, chunk)) {
            return Err(
                format!("the chunks of `{uri}` belong to another text; run the job again").into(),
            );
        }
        let places = given.iter().map(|chunk| chunk.span);
        let chunks = Some(places.collect());
        documents.push((uri, Ok(PartDocument { document, chunks })));
    }
    Ok(documents)
}

/// Returns whether a chunk is in a text at its place.
fn is_in(text: &str, chunk: &FileChunk) -> bool {
    let place = text.get(chunk.span.start..chunk.span.end);
    // The header of a table may be repeated before it, and a token may be a part of a character.
    place.is_some_and(|place| chunk.text.ends_with(place) || chunk.text.contains('\u{FFFD}'))
}

fn without_document(left: Result<DocumentChunks, ParquetFileError>) -> PartError {
    match left {
        Ok((uri, _)) => {
            format!("the chunks of `{uri}` are not at the place of its document; run the job again")
                .into()
        }
        Err(error) => error.into(),
    }
}

fn vectors_of(
    document: Result<DocumentChunks, ParquetFileError>,
) -> Result<(String, Vec<PartVector>), PartError> {
    let (uri, chunks) = document?;
    let vector = |chunk: FileChunk| {
        Some(PartVector {
            span: chunk.span,
            text: chunk.text,
            vector: chunk.vector?,
        })
    };
    Ok((uri, chunks.into_iter().filter_map(vector).collect()))
}

fn document(row: Row) -> Result<Document, String> {
    let text = match row {
        Row::Document(document) => return *document,
        Row::Text(text) => text.ok_or("it has no text")?,
    };
    Ok(Document {
        outline: markdown_outline(&text),
        format: Format::Markdown,
        text,
        ..Document::default()
    })
}
