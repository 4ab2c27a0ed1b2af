//! Chunks in Parquet files, with their vectors.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Float32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_cast::cast;
use arrow_schema::{DataType, Field};
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use sectile_core::Span;

use super::{DocumentsFile, ParquetFileError};
use crate::Error;

/// The columns of a file of chunks that are read.
const COLUMNS: [&str; 6] = ["uri", "id", "index", "text", "start_byte", "end_byte"];

/// The columns of a file of vectors.
const OF_VECTORS: [&str; 2] = ["id", "vector"];

/// How many rows are read at a time.
const TOGETHER: usize = 64;

/// A Parquet file with a chunk a row, those of each document one after the other: the columns of
/// [`chunk_fields`](crate::chunk_fields), of which `index`, `text`, `start_byte` and `end_byte` are read, with `uri`, which
/// names the document, and `id`.
#[derive(Clone, Debug)]
pub struct ChunksFile(DocumentsFile);

/// A chunk of a [`ChunksFile`].
#[derive(Clone, Debug, PartialEq)]
pub struct FileChunk {
    /// Where it stands in the text of its document, in bytes.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// Its vector, if vectors were asked for and it has one.
    pub vector: Option<Vec<f32>>,
}

/// The URI of a document and its chunks.
pub type DocumentChunks = (String, Vec<FileChunk>);

impl ChunksFile {
    /// Names a file, which is not opened before it is read.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(DocumentsFile::new(path))
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns a hash of what the file holds, as [`DocumentsFile::version`] does.
    ///
    /// # Errors
    ///
    /// [`ParquetFileError::Read`].
    pub fn version(&self) -> Result<String, ParquetFileError> {
        self.0.version()
    }

    /// Reads the documents that have chunks, one at a time, with the vectors of another file if one is named. That has the
    /// columns `id` and `vector` (a list of numbers, or null) and a row for each chunk, in the same order.
    ///
    /// # Errors
    ///
    /// [`ParquetFileError`].
    pub fn documents(
        &self,
        vectors: Option<&Path>,
    ) -> Result<
        impl Iterator<Item = Result<DocumentChunks, ParquetFileError>> + Send + use<>,
        ParquetFileError,
    > {
        let mut chunks = Chunks {
            file: self.0.clone(),
            batches: self.0.batches(&COLUMNS, TOGETHER)?,
            rows: VecDeque::new(),
            vectors: vectors.map(Vectors::open).transpose()?,
        };
        Ok(std::iter::from_fn(move || {
            chunks.next_document().transpose()
        }))
    }
}

/// A row of a file of chunks.
struct ChunkRow {
    uri: String,
    /// Whether it is the first chunk of its document.
    is_first: bool,
    chunk: FileChunk,
}

/// A file of chunks that is being read.
struct Chunks {
    file: DocumentsFile,
    batches: ParquetRecordBatchReader,
    rows: VecDeque<ChunkRow>,
    vectors: Option<Vectors>,
}

impl Chunks {
    fn next_document(&mut self) -> Result<Option<DocumentChunks>, ParquetFileError> {
        self.fill()?;
        let Some(ChunkRow { uri, chunk, .. }) = self.rows.pop_front() else {
            return Ok(None);
        };
        let mut chunks = vec![chunk];
        loop {
            self.fill()?;
            let is_of_it = |row: &mut ChunkRow| row.uri == uri && !row.is_first;
            match self.rows.pop_front_if(is_of_it) {
                Some(row) => chunks.push(row.chunk),
                None => return Ok(Some((uri, chunks))),
            }
        }
    }

    /// Reads rows, unless there are some or no more.
    fn fill(&mut self) -> Result<(), ParquetFileError> {
        while self.rows.is_empty() {
            let Some(batch) = self.batches.next() else {
                return Ok(());
            };
            let batch = batch.map_err(|source| self.file.damaged(source))?;
            self.add(&batch)?;
        }
        Ok(())
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<(), ParquetFileError> {
        let column = |name, data_type| column(&self.file, batch, name, &data_type);
        let (uris, ids) = (
            column("uri", DataType::LargeUtf8)?,
            column("id", DataType::LargeUtf8)?,
        );
        let texts = column("text", DataType::LargeUtf8)?;
        let indexes = column("index", DataType::UInt64)?;
        let starts = column("start_byte", DataType::UInt64)?;
        let ends = column("end_byte", DataType::UInt64)?;
        for row in 0..batch.num_rows() {
            let text = |column: &ArrayRef| column.as_string::<i64>().value(row).to_owned();
            let number = |column: &ArrayRef| {
                let number = column.as_primitive::<UInt64Type>().value(row);
                usize::try_from(number).unwrap_or(usize::MAX)
            };
            let vector = match &mut self.vectors {
                Some(vectors) => vectors.of(&text(&ids), &self.file)?,
                None => None,
            };
            self.rows.push_back(ChunkRow {
                uri: text(&uris),
                is_first: number(&indexes) == 0,
                chunk: FileChunk {
                    span: Span::new(number(&starts), number(&ends)),
                    text: text(&texts),
                    vector,
                },
            });
        }
        Ok(())
    }
}

/// A file of vectors that is being read.
struct Vectors {
    file: DocumentsFile,
    batches: ParquetRecordBatchReader,
    rows: VecDeque<(String, Option<Vec<f32>>)>,
}

impl Vectors {
    fn open(path: &Path) -> Result<Self, ParquetFileError> {
        let file = DocumentsFile::new(path);
        Ok(Self {
            batches: file.batches(&OF_VECTORS, TOGETHER)?,
            rows: VecDeque::new(),
            file,
        })
    }

    /// Returns the next vector, which has to be that of a chunk of this id.
    fn of(
        &mut self,
        id: &str,
        chunks: &DocumentsFile,
    ) -> Result<Option<Vec<f32>>, ParquetFileError> {
        while self.rows.is_empty() {
            let Some(batch) = self.batches.next() else {
                break;
            };
            let batch = batch.map_err(|source| self.file.damaged(source))?;
            self.add(&batch)?;
        }
        match self.rows.pop_front() {
            Some((of, vector)) if of == id => Ok(vector),
            _ => Err(ParquetFileError::Vectors {
                path: self.file.path().to_owned(),
                chunks: chunks.path().to_owned(),
            }),
        }
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<(), ParquetFileError> {
        let number = Arc::new(Field::new_list_field(DataType::Float32, true));
        let ids = column(&self.file, batch, "id", &DataType::LargeUtf8)?;
        let lists = column(&self.file, batch, "vector", &DataType::List(number))?;
        let lists = lists.as_list::<i32>();
        for (row, id) in ids.as_string::<i64>().iter().enumerate() {
            let vector = lists.is_valid(row).then(|| {
                let numbers = lists.value(row);
                numbers.as_primitive::<Float32Type>().values().to_vec()
            });
            self.rows
                .push_back((id.unwrap_or_default().to_owned(), vector));
        }
        Ok(())
    }
}

/// Returns a column, cast to a type.
fn column(
    file: &DocumentsFile,
    batch: &RecordBatch,
    name: &'static str,
    data_type: &DataType,
) -> Result<ArrayRef, ParquetFileError> {
    let cast = cast(file.given(batch, name)?, data_type);
    let column = cast.map_err(|source| file.damaged(source))?;
    // A vector may be null.
    if name != "vector"
        && let Some(row) = (0..column.len()).find(|row| column.is_null(*row))
    {
        return Err(file.other(Error::Null { column: name, row }));
    }
    Ok(column)
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use arrow_array::{Float32Array, ListArray, StringArray, UInt32Array, UInt64Array};
    use parquet::arrow::ArrowWriter;

    use super::*;

    fn write(path: &Path, columns: Vec<(&str, ArrayRef)>) {
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let file = File::create(path).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    /// Writes chunks, given by the URI of their document, their index and their text.
    fn write_chunks(path: &Path, rows: &[(&str, u32, &str)]) {
        let ids = rows.iter().map(|(uri, index, _)| format!("{uri}#{index}"));
        let starts = rows.iter().map(|(_, index, _)| u64::from(*index) * 10);
        let ends = rows
            .iter()
            .map(|(_, index, text)| u64::from(*index) * 10 + text.len() as u64);
        let columns: Vec<(&str, ArrayRef)> = vec![
            (
                "uri",
                Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.0))),
            ),
            ("id", Arc::new(StringArray::from_iter_values(ids))),
            (
                "index",
                Arc::new(UInt32Array::from_iter_values(rows.iter().map(|row| row.1))),
            ),
            (
                "text",
                Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.2))),
            ),
            (
                "start_byte",
                Arc::new(UInt64Array::from_iter_values(starts)),
            ),
            ("end_byte", Arc::new(UInt64Array::from_iter_values(ends))),
        ];
        write(path, columns);
    }

    /// Writes a vector of one number for each id.
    fn write_vectors(path: &Path, rows: &[(&str, Option<f32>)]) {
        let lists = rows
            .iter()
            .map(|(_, number)| number.map(|of| vec![Some(of)]));
        let columns: Vec<(&str, ArrayRef)> = vec![
            (
                "id",
                Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.0))),
            ),
            (
                "vector",
                Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(lists)),
            ),
        ];
        write(path, columns);
    }

    #[test]
    fn chunks_come_by_document_with_their_vectors() {
        let folder = tempfile::tempdir().unwrap();
        let (chunks, vectors) = (folder.path().join("chunks"), folder.path().join("vectors"));
        let rows = [
            ("a", 0, "one"),
            ("a", 1, "two"),
            ("a", 0, "again"),
            ("b", 0, "three"),
        ];
        write_chunks(&chunks, &rows);
        let of_ids = [
            ("a#0", Some(0.5)),
            ("a#1", None),
            ("a#0", Some(0.25)),
            ("b#0", Some(1.0)),
        ];
        write_vectors(&vectors, &of_ids);
        let file = ChunksFile::new(&*chunks);
        let read = |vectors: Option<&Path>| -> Vec<DocumentChunks> {
            let documents = file.documents(vectors).unwrap();
            documents.map(Result::unwrap).collect()
        };
        let chunk = |start: usize, text: &str, vector: Option<f32>| FileChunk {
            span: Span::new(start, start + text.len()),
            text: text.to_owned(),
            vector: vector.map(|number| vec![number]),
        };
        let expected = [
            (
                "a".to_owned(),
                vec![chunk(0, "one", Some(0.5)), chunk(10, "two", None)],
            ),
            ("a".to_owned(), vec![chunk(0, "again", Some(0.25))]),
            ("b".to_owned(), vec![chunk(0, "three", Some(1.0))]),
        ];
        assert_eq!(read(Some(&vectors)), expected);
        let without = read(None);
        assert_eq!(without.len(), 3);
        assert_eq!(without[0].1[0], chunk(0, "one", None));
    }

    #[test]
    fn vectors_of_other_chunks_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (chunks, vectors) = (folder.path().join("chunks"), folder.path().join("vectors"));
        write_chunks(&chunks, &[("a", 0, "one"), ("a", 1, "two")]);
        let rows: [&[(&str, Option<f32>)]; 2] =
            [&[("a#0", Some(1.0))], &[("a#1", Some(1.0)), ("a#0", None)]];
        for rows in rows {
            write_vectors(&vectors, rows);
            let documents = ChunksFile::new(&*chunks).documents(Some(vectors.as_path()));
            let first = documents.unwrap().next().unwrap();
            assert!(
                matches!(first, Err(ParquetFileError::Vectors { .. })),
                "{first:?}"
            );
        }
    }

    #[test]
    fn a_chunk_without_a_place_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("chunks");
        let text = || -> ArrayRef { Arc::new(StringArray::from(vec!["a"])) };
        let number: ArrayRef = Arc::new(UInt64Array::from(vec![None]));
        write(
            &path,
            vec![
                ("uri", text()),
                ("id", text()),
                ("text", text()),
                ("index", Arc::new(Float32Array::from(vec![0.0]))),
                ("start_byte", number),
                ("end_byte", Arc::new(UInt64Array::from(vec![1]))),
            ],
        );
        let first = ChunksFile::new(&*path).documents(None).unwrap().next();
        let error = first.unwrap().unwrap_err();
        let source = std::error::Error::source(&error).unwrap().to_string();
        assert_eq!(
            source,
            "row 0 of column `start_byte` is null, which it may not be"
        );
    }
}
