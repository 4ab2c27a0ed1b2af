//! Documents in Parquet files.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use arrow_array::{Array, ArrayRef, LargeStringArray, RecordBatch, StringArray, StructArray};
use arrow_cast::{CastOptions, cast, cast_with_options};
use arrow_schema::{ArrowError, DataType};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;

use crate::{Error, Extracted, document_fields, documents};

/// How many documents are read at a time: what bounds memory, as they may be large.
const BATCH: usize = 16;

/// How much of the end of a file is returned, in bytes. A Parquet file ends with the places, sizes and statistics of all
/// its columns.
const END: u64 = 64 << 10;

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
    /// It is no Parquet file, or a damaged one.
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
    /// Its columns are not those of documents.
    #[error("`{}` does not hold documents", path.display())]
    Columns {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        source: Error,
    },
}

/// A Parquet file with a document a row: the column `uri` (text), and beside it the columns of [`document_fields`], or
/// `text` alone. Columns of other types that can be cast, such as those that data frames write, are cast.
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

    /// Returns the length of the file, and its end, at most 64 KiB. A change in the file mostly changes these, but one
    /// that keeps all lengths may not: its time of modification tells that.
    ///
    /// # Errors
    ///
    /// [`ParquetFileError::Read`].
    pub fn end(&self) -> Result<(u64, Vec<u8>), ParquetFileError> {
        let read = || {
            let mut file = File::open(&self.path)?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(END)))?;
            let mut end = Vec::new();
            file.take(END).read_to_end(&mut end)?;
            Ok((length, end))
        };
        read().map_err(|source| self.unreadable(source))
    }

    /// Returns the URIs of the documents, in the order of the rows.
    ///
    /// # Errors
    ///
    /// [`ParquetFileError`].
    pub fn uris(&self) -> Result<Vec<String>, ParquetFileError> {
        let mut uris = Vec::new();
        for batch in self.batches(&["uri"], 1024)? {
            let batch = batch.map_err(|source| self.damaged(source))?;
            uris.extend(self.uris_of(&batch)?);
        }
        Ok(uris)
    }

    /// Reads the documents with their URIs, some rows at a time.
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
        let (file, batches) = (self.clone(), self.batches(&columns, BATCH)?);
        Ok(batches.map(move |batch| {
            let batch = batch.map_err(|source| file.damaged(source))?;
            let rows = file.rows_of(&batch)?;
            Ok(file.uris_of(&batch)?.into_iter().zip(rows).collect())
        }))
    }

    fn batches(
        &self,
        columns: &[&str],
        rows: usize,
    ) -> Result<ParquetRecordBatchReader, ParquetFileError> {
        let wrong = |source| ParquetFileError::Format {
            path: self.path.clone(),
            source,
        };
        let file = File::open(&self.path).map_err(|source| self.unreadable(source))?;
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).map_err(wrong)?;
        let fields = reader.schema().fields().iter().enumerate();
        let wanted = fields.filter(|(_, field)| columns.contains(&field.name().as_str()));
        let roots: Vec<usize> = wanted.map(|(at, _)| at).collect();
        let mask = ProjectionMask::roots(reader.parquet_schema(), roots);
        let reader = reader.with_projection(mask).with_batch_size(rows);
        reader.build().map_err(wrong)
    }

    fn uris_of(&self, batch: &RecordBatch) -> Result<Vec<String>, ParquetFileError> {
        let uris = self.column(batch, "uri", &DataType::Utf8)?;
        let uris: &StringArray = uris.as_any().downcast_ref().expect("it was cast to this");
        let uri = |(row, uri): (usize, Option<&str>)| {
            let null = Error::Null { column: "uri", row };
            uri.map(str::to_owned).ok_or_else(|| self.other(null))
        };
        uris.iter().enumerate().map(uri).collect()
    }

    fn rows_of(&self, batch: &RecordBatch) -> Result<Vec<Row>, ParquetFileError> {
        if batch.column_by_name("outline").is_none() {
            return self.texts_of(batch);
        }
        let fields = document_fields();
        let columns = COLUMNS.iter().zip(&fields);
        let columns = columns.map(|(name, field)| self.column(batch, name, field.data_type()));
        let columns: Result<Vec<ArrayRef>, _> = columns.collect();
        let array = StructArray::try_new(fields.clone(), columns?, None)
            .map_err(|source| self.damaged(source))?;
        let rows = documents(&array).map_err(|error| self.other(error))?;
        Ok(rows.into_iter().map(Box::new).map(Row::Document).collect())
    }

    /// Returns texts that stand alone. One that is no text takes nothing from the others.
    fn texts_of(&self, batch: &RecordBatch) -> Result<Vec<Row>, ParquetFileError> {
        let given = self.given(batch, "text")?;
        // What cannot be cast is null then.
        let texts = cast(given, &DataType::LargeUtf8).map_err(|source| self.damaged(source))?;
        let texts: &LargeStringArray = texts.as_any().downcast_ref().expect("it was cast to this");
        let row = |(row, text): (usize, Option<&str>)| {
            if text.is_none() && given.is_valid(row) {
                return Row::Document(Box::new(Err("its text is not UTF-8".to_owned())));
            }
            Row::Text(text.map(str::to_owned))
        };
        Ok(texts.iter().enumerate().map(row).collect())
    }

    fn given<'b>(
        &self,
        batch: &'b RecordBatch,
        column: &'static str,
    ) -> Result<&'b ArrayRef, ParquetFileError> {
        let given = batch.column_by_name(column);
        given.ok_or_else(|| self.other(Error::Missing { column }))
    }

    fn column(
        &self,
        batch: &RecordBatch,
        name: &'static str,
        data_type: &DataType,
    ) -> Result<ArrayRef, ParquetFileError> {
        let options = CastOptions {
            safe: false,
            ..CastOptions::default()
        };
        cast_with_options(self.given(batch, name)?, data_type, &options)
            .map_err(|source| self.damaged(source))
    }

    fn unreadable(&self, source: std::io::Error) -> ParquetFileError {
        let path = self.path.clone();
        ParquetFileError::Read { path, source }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{BinaryArray, Int32Array, StringViewArray};
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
        let broken = Row::Document(Box::new(Err("its text is not UTF-8".into())));
        let expected = [Row::Text(Some("sound".into())), broken, Row::Text(None)];
        let rows = rows(&path).unwrap();
        assert!(rows.into_iter().map(|(_, row)| row).eq(expected));
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
        let path = written(vec![
            ("uri", Arc::new(StringArray::from(vec![None::<&str>]))),
            ("text", Arc::new(StringArray::from(vec!["x"]))),
        ]);
        let null = "row 0 of column `uri` is null, which it may not be";
        assert_eq!(chain(rows(&path).unwrap_err()), null);
        std::fs::write(&path, "no Parquet").unwrap();
        assert!(matches!(
            rows(&path).unwrap_err(),
            ParquetFileError::Format { .. }
        ));
    }

    #[test]
    fn the_end_is_another_one_after_a_change() {
        let file = |text: &str| written(vec![("text", Arc::new(StringArray::from(vec![text])))]);
        let end = |text: &str| DocumentsFile::new(&*file(text)).end().unwrap();
        assert_eq!(end("same"), end("same"));
        assert_ne!(end("some"), end("same"));
    }
}
