//! Documents.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, LargeStringArray, ListArray, StringArray, StructArray, UInt8Array,
    UInt32Array, UInt64Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields};
use sectile_core::{Document, Format, Heading, Metadata, Page, Span};

use crate::Error;
use crate::column::{Column, TextColumn};

/// A document, or why there is none.
pub type Extracted = Result<Document, String>;

/// Returns the fields of a document that was loaded, or could not be.
///
/// | field | type | |
/// |---|---|---|
/// | `text` | `LargeUtf8` or null | the text; Markdown where the format has structure |
/// | `format` | `Utf8` or null | the format it was loaded from |
/// | `outline` | [`outline_type`] or null | the headings in the order of the text |
/// | `pages` | `List<Struct>` or null | `number` (`UInt32`), `label` (`LargeUtf8` or null), and `start` and `end` (`UInt64`) in bytes of the text |
/// | `metadata` | `LargeUtf8` or null | what the document says of itself, as JSON |
/// | `error` | `LargeUtf8` or null | why it could not be loaded; all others are null then |
pub fn document_fields() -> Fields {
    Fields::from(vec![
        Field::new("text", DataType::LargeUtf8, true),
        Field::new("format", DataType::Utf8, true),
        Field::new("outline", outline_type(), true),
        Field::new("pages", DataType::List(page_field()), true),
        Field::new("metadata", DataType::LargeUtf8, true),
        Field::new("error", DataType::LargeUtf8, true),
    ])
}

/// Returns the type of an outline: a list of headings, each with `level` (`UInt8`, 1 to 6), `title` (`LargeUtf8`), and
/// `start` and `end` (`UInt64`) in bytes of the text.
pub fn outline_type() -> DataType {
    DataType::List(heading_field())
}

fn heading_field() -> FieldRef {
    let fields = vec![
        Field::new("level", DataType::UInt8, false),
        Field::new("title", DataType::LargeUtf8, false),
        Field::new("start", DataType::UInt64, false),
        Field::new("end", DataType::UInt64, false),
    ];
    Arc::new(Field::new_list_field(DataType::Struct(fields.into()), true))
}

fn page_field() -> FieldRef {
    let fields = vec![
        Field::new("number", DataType::UInt32, false),
        Field::new("label", DataType::LargeUtf8, true),
        Field::new("start", DataType::UInt64, false),
        Field::new("end", DataType::UInt64, false),
    ];
    Arc::new(Field::new_list_field(DataType::Struct(fields.into()), true))
}

/// Builds an array of documents.
#[derive(Debug, Default)]
pub struct DocumentBuilder(Vec<Extracted>);

impl DocumentBuilder {
    /// Adds a document, or why there is none.
    pub fn append(&mut self, document: Extracted) {
        self.0.push(document);
    }

    /// Returns the documents as an array of structs of [`document_fields`].
    pub fn finish(self) -> StructArray {
        let documents = || self.0.iter().map(|document| document.as_ref().ok());
        let text = documents().map(|document| document.map(|document| document.text.as_str()));
        let format =
            documents().map(|document| document.map(|document| document.format.to_string()));
        let metadata = documents().map(|document| {
            // Metadata is strings and JSON itself.
            document.map(|document| serde_json::to_string(&document.metadata).unwrap_or_default())
        });
        let errors = self.0.iter().map(|document| document.as_ref().err());
        let outlines: Vec<_> = documents()
            .map(|document| document.map(|document| &*document.outline))
            .collect();
        let pages: Vec<_> = documents()
            .map(|document| document.map(|document| &*document.pages))
            .collect();
        let columns: Vec<ArrayRef> = vec![
            Arc::new(text.collect::<LargeStringArray>()),
            Arc::new(format.collect::<StringArray>()),
            Arc::new(outline_array(&outlines)),
            Arc::new(page_array(&pages)),
            Arc::new(metadata.collect::<LargeStringArray>()),
            Arc::new(errors.collect::<LargeStringArray>()),
        ];
        StructArray::new(document_fields(), columns, None)
    }
}

fn outline_array(outlines: &[Option<&[Heading]>]) -> ListArray {
    let headings: Vec<&Heading> = outlines.iter().flatten().copied().flatten().collect();
    let headings = || headings.iter();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(UInt8Array::from_iter_values(
            headings().map(|heading| heading.level),
        )),
        Arc::new(LargeStringArray::from_iter_values(
            headings().map(|heading| &heading.title),
        )),
        Arc::new(starts(headings().map(|heading| heading.span))),
        Arc::new(ends(headings().map(|heading| heading.span))),
    ];
    list(heading_field(), columns, outlines)
}

fn page_array(pages: &[Option<&[Page]>]) -> ListArray {
    let all: Vec<&Page> = pages.iter().flatten().copied().flatten().collect();
    let all = || all.iter();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(UInt32Array::from_iter_values(all().map(|page| page.number))),
        Arc::new(
            all()
                .map(|page| page.label.as_deref())
                .collect::<LargeStringArray>(),
        ),
        Arc::new(starts(all().map(|page| page.span))),
        Arc::new(ends(all().map(|page| page.span))),
    ];
    list(page_field(), columns, pages)
}

fn starts(spans: impl Iterator<Item = Span>) -> UInt64Array {
    UInt64Array::from_iter_values(spans.map(|span| span.start as u64))
}

fn ends(spans: impl Iterator<Item = Span>) -> UInt64Array {
    UInt64Array::from_iter_values(spans.map(|span| span.end as u64))
}

/// Makes lists of structs, of which `columns` has those of all lists one after the other.
fn list<T>(field: FieldRef, columns: Vec<ArrayRef>, lists: &[Option<&[T]>]) -> ListArray {
    let DataType::Struct(fields) = field.data_type() else {
        unreachable!("it is a list of structs");
    };
    let structs = StructArray::new(fields.clone(), columns, None);
    let lengths = lists.iter().map(|list| list.map_or(0, <[T]>::len));
    let nulls = lists.iter().map(Option::is_some);
    let nulls: NullBuffer = nulls.collect();
    ListArray::new(
        field,
        OffsetBuffer::from_lengths(lengths),
        Arc::new(structs),
        Some(nulls),
    )
}

/// Returns the documents of an array of structs with [`document_fields`]; texts may be of any type of
/// [`is_text`](crate::is_text). A row that cannot be read, such as one with a null where none may be, with a format that is
/// not known or a heading outside its text, is one with its error.
///
/// # Errors
///
/// [`Error::Column`] when a field is missing or of another type.
pub fn documents(array: &StructArray) -> Result<Vec<Extracted>, Error> {
    let columns = Columns::of(array)?;
    let rows = (0..array.len()).map(|row| columns.extracted(row));
    Ok(rows.collect())
}

/// The columns of documents.
struct Columns<'a> {
    text: TextColumn<'a>,
    format: TextColumn<'a>,
    outlines: Column<'a, ListArray>,
    pages: Column<'a, ListArray>,
    metadata: TextColumn<'a>,
    errors: TextColumn<'a>,
}

impl<'a> Columns<'a> {
    fn of(array: &'a StructArray) -> Result<Self, Error> {
        Ok(Self {
            text: TextColumn::of(array, "text")?,
            format: TextColumn::of(array, "format")?,
            outlines: Column::of(array, "outline", "List<Struct>")?,
            pages: Column::of(array, "pages", "List<Struct>")?,
            metadata: TextColumn::of(array, "metadata")?,
            errors: TextColumn::of(array, "error")?,
        })
    }

    fn extracted(&self, row: usize) -> Extracted {
        match self.errors.known(row) {
            Some(error) => Err(error.to_owned()),
            None => self.document(row).map_err(|error| error.to_string()),
        }
    }

    fn document(&self, row: usize) -> Result<Document, Error> {
        let text = self.text.given(row)?;
        let format = self.format.given(row)?;
        let document = Document {
            text: text.to_owned(),
            format: Format::from_name(format)
                .ok_or_else(|| Error::value("format", row, &format))?,
            outline: outline(&self.outlines.given(row)?.value(row))?,
            pages: pages(&self.pages.given(row)?.value(row))?,
            metadata: serde_json::from_str::<Metadata>(self.metadata.given(row)?)
                .map_err(|error| Error::value("metadata", row, &error))?,
        };
        let headings = document.outline.iter().map(|heading| heading.span);
        let pages = document.pages.iter().map(|page| page.span);
        let spans = headings.map(|span| ("outline", span));
        for (column, span) in spans.chain(pages.map(|span| ("pages", span))) {
            if text.get(span.start..span.end).is_none() {
                let reason = format!("its text has no bytes {} to {}", span.start, span.end);
                return Err(Error::value(column, row, &reason));
            }
        }
        Ok(document)
    }
}

/// Returns the headings of an outline, an array of what [`outline_type`] is a list of.
///
/// # Errors
///
/// [`Error::Column`] when a field is missing or of another type, [`Error::Null`] for a null where none may be,
/// [`Error::Value`] for a level that there is not.
pub fn outline(headings: &ArrayRef) -> Result<Vec<Heading>, Error> {
    let headings = Column::<StructArray>::from(headings, "outline", "List<Struct>")?.values;
    let level = Column::<UInt8Array>::of(headings, "level", "UInt8")?;
    let title = TextColumn::of(headings, "title")?;
    let spans = Spans::of(headings)?;
    let heading = |row| {
        let level = level.given(row)?.value(row);
        if !(1..=6).contains(&level) {
            return Err(Error::value("level", row, &level));
        }
        Ok(Heading {
            level,
            title: title.given(row)?.to_owned(),
            span: spans.at(row)?,
        })
    };
    (0..headings.len()).map(heading).collect()
}

/// Returns the pages of a document, an array of what the field `pages` of [`document_fields`] is a list of.
///
/// # Errors
///
/// [`Error::Column`] when a field is missing or of another type, [`Error::Null`] for a null where none may be.
pub fn pages(pages: &ArrayRef) -> Result<Vec<Page>, Error> {
    let pages = Column::<StructArray>::from(pages, "pages", "List<Struct>")?.values;
    let number = Column::<UInt32Array>::of(pages, "number", "UInt32")?;
    let label = TextColumn::of(pages, "label")?;
    let spans = Spans::of(pages)?;
    let page = |row| {
        Ok(Page {
            number: number.given(row)?.value(row),
            label: label.known(row).map(str::to_owned),
            span: spans.at(row)?,
        })
    };
    (0..pages.len()).map(page).collect()
}

/// The columns `start` and `end`, in bytes.
struct Spans<'a> {
    start: Column<'a, UInt64Array>,
    end: Column<'a, UInt64Array>,
}

impl<'a> Spans<'a> {
    fn of(array: &'a StructArray) -> Result<Self, Error> {
        Ok(Self {
            start: Column::of(array, "start", "UInt64")?,
            end: Column::of(array, "end", "UInt64")?,
        })
    }

    fn at(&self, row: usize) -> Result<Span, Error> {
        Ok(Span::new(self.start.number(row)?, self.end.number(row)?))
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray as _;

    use super::*;

    fn document() -> Document {
        Document {
            text: "# Ä\n\ntext\u{c}more".into(),
            format: Format::Pdf,
            outline: vec![Heading {
                level: 1,
                title: "Ä".into(),
                span: Span::new(0, 5),
            }],
            pages: vec![
                Page {
                    number: 1,
                    label: Some("i".into()),
                    span: Span::new(0, 10),
                },
                Page {
                    number: 2,
                    label: None,
                    span: Span::new(11, 15),
                },
            ],
            metadata: serde_json::from_str(r#"{"title": "T", "year": 7}"#).unwrap(),
        }
    }

    #[test]
    fn documents_and_errors_come_back() {
        let plain = Document {
            outline: Vec::new(),
            pages: Vec::new(),
            format: Format::Markdown,
            metadata: Metadata::default(),
            ..document()
        };
        let expected = [Ok(document()), Err("no text".to_owned()), Ok(plain)];
        let mut builder = DocumentBuilder::default();
        for document in expected.clone() {
            builder.append(document);
        }
        let array = builder.finish();
        assert_eq!(documents(&array).unwrap(), expected);
        assert_eq!(documents(&array.slice(1, 2)).unwrap(), expected[1..]);
    }

    type Change<'a> = &'a dyn Fn(&ArrayRef) -> ArrayRef;

    /// Reads two documents, of the first of which one column is another.
    fn with(at: usize, column: Change<'_>) -> Vec<Extracted> {
        let mut builder = DocumentBuilder::default();
        builder.append(Ok(document()));
        builder.append(Ok(document()));
        let (fields, mut columns, nulls) = builder.finish().into_parts();
        columns[at] = column(&columns[at]);
        documents(&StructArray::new(fields, columns, nulls)).unwrap()
    }

    #[test]
    fn a_row_that_cannot_be_read_takes_nothing_from_the_others() {
        let null_first = |lists: &ArrayRef| -> ArrayRef {
            let lists = lists.as_list::<i32>();
            let (field, offsets, values, _) = lists.clone().into_parts();
            Arc::new(ListArray::new(
                field,
                offsets,
                values,
                Some(NullBuffer::from(vec![false, true])),
            ))
        };
        let format =
            |_: &ArrayRef| -> ArrayRef { Arc::new(StringArray::from(vec!["papyrus", "pdf"])) };
        let metadata = |given: &ArrayRef| -> ArrayRef {
            let sound = given.as_string::<i64>().value(1);
            Arc::new(LargeStringArray::from(vec!["{", sound]))
        };
        let text = |given: &ArrayRef| -> ArrayRef {
            Arc::new(LargeStringArray::from(vec![
                "# ",
                given.as_string::<i64>().value(1),
            ]))
        };
        let null = |given: &ArrayRef| -> ArrayRef {
            Arc::new(LargeStringArray::from(vec![
                None,
                Some(given.as_string::<i64>().value(1)),
            ]))
        };
        let cases: [(usize, Change<'_>, &str); 6] = [
            (
                0,
                &text,
                "row 0 of column `outline` cannot be read: its text has no bytes 0 to 5",
            ),
            (0, &null, "row 0 of column `text` is null"),
            (
                1,
                &format,
                "row 0 of column `format` cannot be read: papyrus",
            ),
            (2, &null_first, "row 0 of column `outline` is null"),
            (3, &null_first, "row 0 of column `pages` is null"),
            (4, &metadata, "row 0 of column `metadata` cannot be read"),
        ];
        for (at, change, expected) in cases {
            let found = with(at, change);
            let error = found[0].as_ref().unwrap_err();
            assert!(error.starts_with(expected), "{error}");
            assert_eq!(found[1], Ok(document()), "{expected}");
        }
    }
}
