//! Documents in Parquet files.

mod chunks;

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef, LargeStringArray, RecordBatch, StructArray};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::{ArrowError, DataType};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;
use sectile_core::ContentHash;

use crate::{Error, Extracted, document_fields, documents};

pub use chunks::{ChunksFile, DocumentChunks, FileChunk};

/// How many bytes of text are given at a time, or one document that has more: what bounds memory.
const BYTES: usize = 8 << 20;

/// How many documents are given at a time at the most.
const ROWS: usize = 64;

/// How many bytes of a file are hashed at a time.
const BLOCK: u64 = 4 << 20;

/// The names of [`document_fields`].
const COLUMNS: [&str; 6] = ["text", "format", "outline", "pages", "metadata", "error"];

/// Why a Parquet file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParquetFileError {
    /// The file cannot be read.
    #[error("`{}` cannot be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is not a Parquet file, or a damaged one.
    #[error("`{}` is not a Parquet file, or is damaged", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ParquetError,
    },
    /// A batch of rows cannot be read.
    #[error("`{}` is damaged", path.display())]
    Rows {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ArrowError,
    },
    /// Its columns are not those of documents, or of their chunks.
    #[error("`{}` does not hold documents or chunks as they are read", path.display())]
    Columns {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        source: Error,
    },
    /// Vectors are not those of the chunks, or not in their order.
    #[error("the vectors in `{}` are not those of the chunks in `{}`", path.display(), chunks.display())]
    Vectors {
        /// The file of vectors.
        path: PathBuf,
        /// The file of chunks.
        chunks: PathBuf,
    },
}

/// A Parquet file with a document a row: the column `uri` (text), and beside it the columns of [`document_fields`], or
/// `text` alone. Columns of other types that can be cast, such as those that data frames write, are cast. A row that cannot
/// be read is one with its error; a URI that is null or no text is empty.
#[derive(Clone, Debug)]
pub struct DocumentsFile {
    path: PathBuf,
}

/// A row of a [`DocumentsFile`].
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A document, or why there is none.
    Document(Box<Extracted>),
    /// A text alone, or a null.
    Text(Option<String>),
}

impl DocumentsFile {
    /// Names a file, which is not opened before it is read.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a hash of what the file holds, wherever it is and whenever it was written. All of it is read.
    ///
    /// # Errors
    ///
    /// [`ParquetFileError::Read`].
    pub fn version(&self) -> Result<String, ParquetFileError> {
        let read = || {
            let (mut file, mut hashes) = (File::open(&self.path)?, Vec::new());
            let mut block = Vec::new();
            while file.by_ref().take(BLOCK).read_to_end(&mut block)? > 0 {
                hashes.extend(ContentHash::of(&block).as_bytes());
                block.clear();
            }
            Ok(ContentHash::of(&hashes).to_string())
        };
        read().map_err(|source| self.unreadable(source))
    }

    /// Returns the URIs of the documents, in the order of the rows; those that are empty are left out.
    ///
    /// # Errors
    ///
    /// [`ParquetFileError`].
    pub fn uris(&self) -> Result<Vec<String>, ParquetFileError> {
        let mut uris = Vec::new();
        for batch in self.batches(&["uri"], 1024)? {
            let batch = batch.map_err(|source| self.damaged(source))?;
            let given = self.uris_of(&batch)?;
            let given = given.iter().flatten().filter(|uri| !uri.is_empty());
            uris.extend(given.map(str::to_owned));
        }
        Ok(uris)
    }

    /// Returns the names of the columns.
    ///
    /// # Errors
    ///
    /// [`ParquetFileError`].
    pub fn columns(&self) -> Result<Vec<String>, ParquetFileError> {
        let fields = self.opened()?.schema().fields().clone();
        Ok(fields.iter().map(|field| field.name().clone()).collect())
    }

    /// Reads the documents with their URIs, some rows at a time: as many as have 8 MiB of text together, or one.
    ///
    /// # Errors
    ///
    /// [`ParquetFileError`].
    pub fn rows(
        &self,
    ) -> Result<
        impl Iterator<Item = Result<Vec<(String, Row)>, ParquetFileError>> + Send + use<>,
        ParquetFileError,
    > {
        let columns = [&["uri"], &COLUMNS[..]].concat();
        // A row is known to be large once it is read, so they are read one by one.
        let (file, mut batches) = (self.clone(), self.batches(&columns, 1)?);
        Ok(std::iter::from_fn(move || {
            file.some_rows(&mut batches).transpose()
        }))
    }

    fn some_rows(
        &self,
        batches: &mut ParquetRecordBatchReader,
    ) -> Result<Option<Vec<(String, Row)>>, ParquetFileError> {
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while rows.len() < ROWS && bytes < BYTES {
            let Some(batch) = batches.next() else {
                break;
            };
            let batch = batch.map_err(|source| self.damaged(source))?;
            let row = self.row_of(&batch)?;
            bytes += row.text_bytes();
            let uris = self.uris_of(&batch)?;
            let uri = uris.iter().next().flatten().unwrap_or_default();
            rows.push((uri.to_owned(), row));
        }
        Ok((!rows.is_empty()).then_some(rows))
    }

    fn batches(
        &self,
        columns: &[&str],
        rows: usize,
    ) -> Result<ParquetRecordBatchReader, ParquetFileError> {
        let reader = self.opened()?;
        let fields = reader.schema().fields().iter().enumerate();
        let wanted = fields.filter(|(_, field)| columns.contains(&field.name().as_str()));
        let roots: Vec<usize> = wanted.map(|(at, _)| at).collect();
        let mask = ProjectionMask::roots(reader.parquet_schema(), roots);
        let reader = reader.with_projection(mask).with_batch_size(rows);
        reader.build().map_err(|source| self.no_parquet(source))
    }

    fn opened(&self) -> Result<ParquetRecordBatchReaderBuilder<File>, ParquetFileError> {
        let file = File::open(&self.path).map_err(|source| self.unreadable(source))?;
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(|source| self.no_parquet(source))
    }

    /// Returns the URIs; what is none is null.
    fn uris_of(&self, batch: &RecordBatch) -> Result<LargeStringArray, ParquetFileError> {
        let uris = cast(self.given(batch, "uri")?, &DataType::LargeUtf8);
        let uris = uris.map_err(|source| self.damaged(source))?;
        Ok(uris.as_string().clone())
    }

    /// Returns the only row of a batch.
    fn row_of(&self, batch: &RecordBatch) -> Result<Row, ParquetFileError> {
        if batch.column_by_name("outline").is_none() {
            let text = read(self.given(batch, "text")?, "text", &DataType::LargeUtf8);
            return Ok(match text {
                Err(error) => Row::Document(Box::new(Err(error))),
                Ok(text) if text.is_null(0) => Row::Text(None),
                Ok(text) => Row::Text(Some(text.as_string::<i64>().value(0).to_owned())),
            });
        }
        let (fields, mut columns) = (document_fields(), Vec::new());
        for (name, field) in COLUMNS.into_iter().zip(&fields) {
            match read(self.given(batch, name)?, name, field.data_type()) {
                Ok(column) => columns.push(column),
                Err(error) => return Ok(Row::Document(Box::new(Err(error)))),
            }
        }
        let array =
            StructArray::try_new(fields, columns, None).map_err(|source| self.damaged(source))?;
        let mut rows = documents(&array).map_err(|error| self.other(error))?;
        Ok(Row::Document(Box::new(rows.remove(0))))
    }

    fn given<'b>(
        &self,
        batch: &'b RecordBatch,
        column: &'static str,
    ) -> Result<&'b ArrayRef, ParquetFileError> {
        let given = batch.column_by_name(column);
        given.ok_or_else(|| self.other(Error::Missing { column }))
    }

    fn unreadable(&self, source: std::io::Error) -> ParquetFileError {
        let path = self.path.clone();
        ParquetFileError::Read { path, source }
    }

    fn no_parquet(&self, source: ParquetError) -> ParquetFileError {
        let path = self.path.clone();
        ParquetFileError::Format { path, source }
    }

    fn damaged(&self, source: ArrowError) -> ParquetFileError {
        let path = self.path.clone();
        ParquetFileError::Rows { path, source }
    }

    fn other(&self, source: Error) -> ParquetFileError {
        let path = self.path.clone();
        ParquetFileError::Columns { path, source }
    }
}

impl Row {
    fn text_bytes(&self) -> usize {
        match self {
            Self::Document(document) => document
                .as_ref()
                .as_ref()
                .map_or(0, |document| document.text.len()),
            Self::Text(text) => text.as_ref().map_or(0, String::len),
        }
    }
}

/// Casts the value of a row, or says why it cannot be read.
fn read(given: &ArrayRef, name: &str, data_type: &DataType) -> Result<ArrayRef, String> {
    let options = CastOptions {
        safe: false,
        ..CastOptions::default()
    };
    cast_with_options(given, data_type, &options)
        .map_err(|error| format!("its {name} cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{BinaryArray, Int32Array, StringArray, StringViewArray};
    use parquet::arrow::ArrowWriter;
    use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
    use parquet::file::properties::WriterProperties;
    use sectile_core::{Document, Format, Heading, Metadata, Page, Span};

    use super::*;
    use crate::DocumentBuilder;

    fn written(columns: Vec<(&str, ArrayRef)>) -> tempfile::TempPath {
        written_with(columns, Compression::UNCOMPRESSED)
    }

    fn written_with(columns: Vec<(&str, ArrayRef)>, codec: Compression) -> tempfile::TempPath {
        let file = tempfile::NamedTempFile::new().unwrap();
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns
                .into_iter()
                .map(|(name, column)| (name, column, true)),
        );
        let batch = batch.unwrap();
        let properties = WriterProperties::builder().set_compression(codec).build();
        let target = file.reopen().unwrap();
        let mut writer = ArrowWriter::try_new(target, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        file.into_temp_path()
    }

    fn rows(path: &Path) -> Result<Vec<(String, Row)>, ParquetFileError> {
        let batches: Result<Vec<_>, _> = DocumentsFile::new(path).rows()?.collect();
        Ok(batches?.concat())
    }

    fn document() -> Document {
        Document {
            text: "# A\n\ntext".into(),
            format: Format::Pdf,
            outline: vec![Heading {
                level: 1,
                title: "A".into(),
                span: Span::new(0, 3),
            }],
            pages: vec![Page {
                number: 1,
                label: None,
                span: Span::new(0, 9),
            }],
            metadata: Metadata::default(),
        }
    }

    #[test]
    fn documents_and_errors_are_read() {
        let mut builder = DocumentBuilder::default();
        let given = [Ok(document()), Err("it is encrypted".to_owned())];
        for document in given.clone() {
            builder.append(document);
        }
        let documents = builder.finish();
        let mut columns: Vec<(&str, ArrayRef)> = vec![(
            "uri",
            // As DataFusion writes texts.
            Arc::new(StringViewArray::from(vec!["a.pdf", "b.pdf"])),
        )];
        for name in COLUMNS {
            columns.push((name, Arc::clone(documents.column_by_name(name).unwrap())));
        }
        let path = written(columns);
        let [one, other] = given.map(Box::new).map(Row::Document);
        let expected = [("a.pdf".to_owned(), one), ("b.pdf".to_owned(), other)];
        assert_eq!(rows(&path).unwrap(), expected);
        assert_eq!(
            DocumentsFile::new(&*path).uris().unwrap(),
            ["a.pdf", "b.pdf"]
        );
    }

    #[test]
    fn texts_alone_are_read() {
        let path = written(vec![
            ("text", Arc::new(StringArray::from(vec![Some("a"), None]))),
            ("more", Arc::new(Int32Array::from(vec![1, 2]))),
            ("uri", Arc::new(StringArray::from(vec!["x.md", "y.md"]))),
        ]);
        let expected = [
            ("x.md".to_owned(), Row::Text(Some("a".into()))),
            ("y.md".to_owned(), Row::Text(None)),
        ];
        assert_eq!(rows(&path).unwrap(), expected);
    }

    #[test]
    fn a_text_that_is_no_text_takes_nothing_from_the_others() {
        let texts = BinaryArray::from(vec![Some(&b"sound"[..]), Some(b"\xff\xfe"), None]);
        let path = written(vec![
            ("uri", Arc::new(StringArray::from(vec!["a", "b", "c"]))),
            ("text", Arc::new(texts)),
            // One of the columns of documents alone makes none.
            ("format", Arc::new(StringArray::from(vec!["md"; 3]))),
        ]);
        let rows = rows(&path).unwrap();
        let [(_, sound), (_, broken), (_, null)] = rows.try_into().unwrap();
        assert_eq!(
            (sound, null),
            (Row::Text(Some("sound".into())), Row::Text(None))
        );
        let Row::Document(broken) = broken else {
            panic!("{broken:?}");
        };
        let error = broken.unwrap_err();
        assert!(error.starts_with("its text cannot be read: "), "{error}");
        assert!(error.contains("UTF-8"), "{error}");
    }

    #[test]
    fn a_document_that_cannot_be_read_takes_nothing_from_the_others() {
        let mut builder = DocumentBuilder::default();
        for _ in 0..2 {
            builder.append(Ok(document()));
        }
        let documents = builder.finish();
        let uris = BinaryArray::from(vec![None, Some(&b"b.pdf"[..])]);
        let mut columns: Vec<(&str, ArrayRef)> = vec![("uri", Arc::new(uris))];
        for name in COLUMNS {
            columns.push((name, Arc::clone(documents.column_by_name(name).unwrap())));
        }
        let metadata = BinaryArray::from(vec![&b"\xff"[..], b"{}"]);
        columns[5].1 = Arc::new(metadata);
        let path = written(columns);
        let rows = rows(&path).unwrap();
        let [(nameless, broken), sound] = rows.try_into().unwrap();
        assert_eq!(nameless, "");
        assert!(matches!(broken, Row::Document(broken) if broken.is_err()));
        let expected = Row::Document(Box::new(Ok(document())));
        assert_eq!(sound, ("b.pdf".to_owned(), expected));
        assert_eq!(DocumentsFile::new(&*path).uris().unwrap(), ["b.pdf"]);
    }

    #[test]
    fn large_texts_are_given_a_few_at_a_time() {
        let texts: Vec<String> = (0..6).map(|_| "x".repeat(3 << 20)).collect();
        let path = written(vec![
            ("uri", Arc::new(StringArray::from(vec!["a"; 6]))),
            ("text", Arc::new(StringArray::from(texts))),
        ]);
        let batches = DocumentsFile::new(&*path).rows().unwrap();
        let lengths: Vec<usize> = batches.map(|batch| batch.unwrap().len()).collect();
        assert_eq!(lengths, [3, 3]);
    }

    #[test]
    fn files_of_every_codec_are_read() {
        let codecs = [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            Compression::GZIP(GzipLevel::default()),
            Compression::BROTLI(BrotliLevel::default()),
            Compression::LZ4,
            Compression::LZ4_RAW,
            Compression::ZSTD(ZstdLevel::default()),
        ];
        for codec in codecs {
            let columns = || -> Vec<(&str, ArrayRef)> {
                vec![
                    ("uri", Arc::new(StringArray::from(vec!["x.md"]))),
                    (
                        "text",
                        Arc::new(StringArray::from(vec!["text ".repeat(99)])),
                    ),
                ]
            };
            let path = written_with(columns(), codec);
            let expected = [("x.md".to_owned(), Row::Text(Some("text ".repeat(99))))];
            assert_eq!(rows(&path).unwrap(), expected, "{codec}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let path = written(vec![("uri", Arc::new(StringArray::from(vec!["x"])))]);
        let chain =
            |error: ParquetFileError| std::error::Error::source(&error).unwrap().to_string();
        assert_eq!(chain(rows(&path).unwrap_err()), "column `text` is missing");
        std::fs::write(&path, "no Parquet").unwrap();
        assert!(matches!(
            rows(&path).unwrap_err(),
            ParquetFileError::Format { .. }
        ));
    }

    #[test]
    fn the_version_is_that_of_the_content() {
        let file = |text: &str| written(vec![("text", Arc::new(StringArray::from(vec![text])))]);
        let version = |text: &str| DocumentsFile::new(&*file(text)).version().unwrap();
        assert_eq!(version("same"), version("same"));
        assert_ne!(version("some"), version("same"));
    }
}
