//! Chunks.

use std::sync::Arc;

use arrow_array::builder::{LargeStringBuilder, ListBuilder, UInt32Builder, UInt64Builder};
use arrow_array::{Array, ArrayRef, ListArray, StructArray, UInt32Array, UInt64Array};
use arrow_schema::{DataType, Field, Fields};
use sectile_core::{Chunk, Lines, Pages, Span};

use crate::Error;
use crate::column::{Column, TextColumn, texts};
use crate::page_columns::{self, PageColumns};

/// Returns the fields of a chunk.
///
/// | field | type | |
/// |---|---|---|
/// | `index` | `UInt32` | the position among the chunks of its text, from 0 |
/// | `text` | `LargeUtf8` | the text |
/// | `start`, `end` | `UInt64` | where it stands in its text, in characters |
/// | `start_byte`, `end_byte` | `UInt64` | the same, in bytes of UTF-8 |
/// | `first_line`, `last_line` | `UInt64` | the lines that it touches, from 1 |
/// | `first_page`, `last_page` | `UInt32` or null | the pages that it touches, where its document has pages |
/// | `tokens` | `UInt32` or null | how many tokens its parts have, each counted alone, where sizes are in tokens |
/// | `headings` | `List<LargeUtf8>` | the headings above it, from the root; an empty list if there are none, and null is read as one |
pub fn chunk_fields() -> Fields {
    let count = |name| Field::new(name, DataType::UInt64, false);
    let page = |name| Field::new(name, DataType::UInt32, true);
    let heading = Arc::new(Field::new_list_field(DataType::LargeUtf8, true));
    Fields::from(vec![
        Field::new("index", DataType::UInt32, false),
        Field::new("text", DataType::LargeUtf8, false),
        count("start"),
        count("end"),
        count("start_byte"),
        count("end_byte"),
        count("first_line"),
        count("last_line"),
        page("first_page"),
        page("last_page"),
        Field::new("tokens", DataType::UInt32, true),
        Field::new("headings", DataType::List(heading), true),
    ])
}

/// Builds an array of chunks.
#[derive(Debug, Default)]
pub struct ChunkBuilder {
    index: UInt32Builder,
    text: LargeStringBuilder,
    /// `start`, `end`, `start_byte`, `end_byte`, `first_line`, `last_line`.
    places: [UInt64Builder; 6],
    /// `first_page`, `last_page`.
    pages: [UInt32Builder; 2],
    tokens: UInt32Builder,
    headings: ListBuilder<LargeStringBuilder>,
    len: usize,
}

impl ChunkBuilder {
    /// Makes a builder with room for chunks with texts of this many bytes together.
    pub fn with_capacity(chunks: usize, bytes: usize) -> Self {
        Self {
            index: UInt32Builder::with_capacity(chunks),
            text: LargeStringBuilder::with_capacity(chunks, bytes),
            places: std::array::from_fn(|_| UInt64Builder::with_capacity(chunks)),
            pages: std::array::from_fn(|_| UInt32Builder::with_capacity(chunks)),
            tokens: UInt32Builder::with_capacity(chunks),
            headings: ListBuilder::with_capacity(LargeStringBuilder::new(), chunks),
            len: 0,
        }
    }

    /// Returns how many chunks there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a chunk of a text without pages.
    pub fn append(&mut self, chunk: &Chunk<'_>) {
        self.append_with_pages(chunk, None);
    }

    /// Adds a chunk and the pages that it touches, as [`Document::pages_of`](sectile_core::Document::pages_of) says.
    pub fn append_with_pages(&mut self, chunk: &Chunk<'_>, pages: Option<Pages>) {
        self.index.append_value(saturated(chunk.index));
        self.text.append_value(&chunk.text);
        let Chunk {
            span, chars, lines, ..
        } = chunk;
        let places = [
            chars.start,
            chars.end,
            span.start,
            span.end,
            lines.first,
            lines.last,
        ];
        for (builder, place) in self.places.iter_mut().zip(places) {
            builder.append_value(place as u64);
        }
        page_columns::append(&mut self.pages, pages);
        self.tokens.append_option(chunk.tokens.map(saturated));
        let path = chunk.heading_path.as_deref().unwrap_or_default();
        self.headings.append_value(path.iter().map(Some));
        self.len += 1;
    }

    /// Returns the chunks as an array of structs of [`chunk_fields`].
    pub fn finish(mut self) -> StructArray {
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(self.index.finish()), Arc::new(self.text.finish())];
        for mut builder in self.places {
            columns.push(Arc::new(builder.finish()));
        }
        for mut builder in self.pages {
            columns.push(Arc::new(builder.finish()));
        }
        columns.push(Arc::new(self.tokens.finish()));
        columns.push(Arc::new(self.headings.finish()));
        StructArray::new(chunk_fields(), columns, None)
    }
}

/// A text of four thousand million chunks, or a chunk of as many tokens, does not fit into memory.
fn saturated(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns the chunks of an array of structs with [`chunk_fields`], in any order and among others. Texts are borrowed.
///
/// # Errors
///
/// [`Error::Column`] when a field is missing or of another type, [`Error::Null`] for a null where none may be.
pub fn chunks(array: &StructArray) -> Result<Vec<Chunk<'_>>, Error> {
    let text = TextColumn::of(array, "text")?;
    let index = Column::<UInt32Array>::of(array, "index", "UInt32")?;
    let tokens = Column::<UInt32Array>::of(array, "tokens", "UInt32")?;
    let headings = Column::<ListArray>::of(array, "headings", "List<LargeUtf8>")?;
    let place = |name| Column::<UInt64Array>::of(array, name, "UInt64");
    let (start, end) = (place("start")?, place("end")?);
    let (start_byte, end_byte) = (place("start_byte")?, place("end_byte")?);
    let (first_line, last_line) = (place("first_line")?, place("last_line")?);
    let chunk = |row| {
        Ok(Chunk {
            index: index.number(row)?,
            text: text.given(row)?.into(),
            span: Span::new(start_byte.number(row)?, end_byte.number(row)?),
            chars: Span::new(start.number(row)?, end.number(row)?),
            lines: Lines {
                first: first_line.number(row)?,
                last: last_line.number(row)?,
            },
            tokens: tokens.known(row).map(|tokens| tokens.value(row) as usize),
            heading_path: path(&headings, row)?,
        })
    };
    (0..array.len()).map(chunk).collect()
}

/// Returns the pages of the chunks of an array of structs with [`chunk_fields`].
///
/// # Errors
///
/// [`Error::Column`] when `first_page` or `last_page` is missing or of another type.
pub fn chunk_pages(array: &StructArray) -> Result<Vec<Option<Pages>>, Error> {
    let pages = PageColumns::of(array)?;
    Ok((0..array.len()).map(|row| pages.at(row)).collect())
}

/// Returns the headings above a chunk, if there are any.
fn path(headings: &Column<'_, ListArray>, row: usize) -> Result<Option<Arc<[String]>>, Error> {
    if headings.known(row).is_none() {
        return Ok(None);
    }
    let path = texts(headings, row)?;
    Ok((!path.is_empty()).then(|| path.into()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type PagedChunk = (Chunk<'static>, Option<Pages>);

    fn some_chunks() -> impl Strategy<Value = Vec<PagedChunk>> {
        let places = prop::array::uniform6(0..9_usize);
        let path = prop::option::of(prop::collection::vec(".{0,4}", 1..3));
        let chunk = (".{0,9}", places, prop::option::of(0..9_usize), path);
        let chunk = chunk.prop_map(|(text, at, tokens, path)| Chunk {
            index: at[0],
            text: text.into(),
            span: Span::new(at[1], at[2] + at[1]),
            chars: Span::new(at[3], at[4] + at[3]),
            lines: Lines {
                first: at[5],
                last: at[5] + 1,
            },
            tokens,
            heading_path: path.map(Into::into),
        });
        let pages = (1..9_u32, 0..9_u32).prop_map(|(first, more)| Pages {
            first,
            last: first + more,
        });
        prop::collection::vec((chunk, prop::option::of(pages)), 0..5)
    }

    proptest! {
        #[test]
        fn chunks_come_back(expected in some_chunks()) {
            let mut builder = ChunkBuilder::default();
            for (chunk, pages) in &expected {
                builder.append_with_pages(chunk, *pages);
            }
            prop_assert_eq!(builder.len(), expected.len());
            let array = builder.finish();
            let (expected, pages): (Vec<_>, Vec<_>) = expected.into_iter().unzip();
            prop_assert_eq!(chunks(&array).unwrap(), expected);
            prop_assert_eq!(chunk_pages(&array).unwrap(), pages);
        }
    }

    #[test]
    fn an_array_of_something_else_is_refused() {
        let text: ArrayRef = Arc::new(UInt32Array::from(vec![1]));
        let field = Arc::new(Field::new("text", DataType::UInt32, false));
        let error = chunks(&StructArray::from(vec![(field, text)])).unwrap_err();
        let expected = "column `text` must be of type Utf8, and is UInt32";
        assert_eq!(error.to_string(), expected);
    }

    fn chunk(heading_path: Option<Arc<[String]>>) -> Chunk<'static> {
        Chunk {
            index: 0,
            text: "a".into(),
            span: Span::new(0, 1),
            chars: Span::new(0, 1),
            lines: Lines { first: 1, last: 1 },
            tokens: None,
            heading_path,
        }
    }

    #[test]
    fn a_chunk_below_no_heading_has_an_empty_list() {
        let mut builder = ChunkBuilder::default();
        builder.append(&chunk(None));
        builder.append(&chunk(Some(Arc::default())));
        let array = builder.finish();
        let headings = array.column_by_name("headings").unwrap();
        assert_eq!(headings.null_count(), 0);
        for read in chunks(&array).unwrap() {
            assert_eq!(read.heading_path, None);
        }
        // Others may write null.
        let (fields, mut columns, _) = array.into_parts();
        let heading = Arc::new(Field::new_list_field(DataType::LargeUtf8, true));
        columns[11] = Arc::new(ListArray::new_null(heading, 2));
        let array = StructArray::new(fields, columns, None);
        assert_eq!(chunks(&array).unwrap()[0].heading_path, None);
    }

    #[test]
    fn a_null_is_named() {
        let (fields, mut columns, _) = {
            let mut builder = ChunkBuilder::default();
            builder.append(&chunk(None));
            builder.finish().into_parts()
        };
        columns[2] = Arc::new(UInt64Array::from(vec![None]));
        let fields = fields
            .iter()
            .map(|field| field.as_ref().clone().with_nullable(true));
        let array = StructArray::new(fields.collect(), columns, None);
        let error = chunks(&array).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 0 of column `start` is null, which it may not be"
        );
    }
}
