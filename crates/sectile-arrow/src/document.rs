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
use crate::column::Column;

/// A document, or why there is none.
pub type Extracted = Result<Document, String>;

/// Returns the fields of a document that was loaded, or could not be.
///
/// | field | type | |
/// |---|---|---|
/// | `text` | `LargeUtf8` or null | the text; Markdown where the format has structure |
/// | `format` | `Utf8` or null | the format it was loaded from |
/// | `outline` | [`outline_type`] or null | the headings in the order of the text |
/// | `pages` | `List<Struct>` or null | `number` (`UInt32`), `label` (`Utf8` or null), and `start` and `end` (`UInt64`) in bytes of the text |
/// | `metadata` | `Utf8` or null | what the document says of itself, as JSON |
/// | `error` | `Utf8` or null | why it could not be loaded; all others are null then |
pub fn document_fields() -> Fields {
    Fields::from(vec![
        Field::new("text", DataType::LargeUtf8, true),
        Field::new("format", DataType::Utf8, true),
        Field::new("outline", outline_type(), true),
        Field::new("pages", DataType::List(page_field()), true),
        Field::new("metadata", DataType::Utf8, true),
        Field::new("error", DataType::Utf8, true),
    ])
}

/// Returns the type of an outline: a list of headings, each with `level` (`UInt8`, 1 to 6), `title` (`Utf8`), and `start`
/// and `end` (`UInt64`) in bytes of the text.
pub fn outline_type() -> DataType {
    DataType::List(heading_field())
}

fn heading_field() -> FieldRef {
    let fields = vec![
        Field::new("level", DataType::UInt8, false),
        Field::new("title", DataType::Utf8, false),
        Field::new("start", DataType::UInt64, false),
        Field::new("end", DataType::UInt64, false),
    ];
    Arc::new(Field::new_list_field(DataType::Struct(fields.into()), true))
}

fn page_field() -> FieldRef {
    let fields = vec![
        Field::new("number", DataType::UInt32, false),
        Field::new("label", DataType::Utf8, true),
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
            Arc::new(metadata.collect::<StringArray>()),
            Arc::new(errors.collect::<StringArray>()),
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
        Arc::new(StringArray::from_iter_values(
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
                .collect::<StringArray>(),
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

/// Returns the documents of an array of structs with [`document_fields`].
///
/// # Errors
///
/// [`Error::Column`] when a field is missing or of another type, [`Error::Null`] for a null where none may be,
/// [`Error::Value`] for a format that is not known or metadata that is not JSON.
pub fn documents(array: &StructArray) -> Result<Vec<Extracted>, Error> {
    let text = Column::<LargeStringArray>::of(array, "text", "LargeUtf8")?;
    let format = Column::<StringArray>::of(array, "format", "Utf8")?;
    let outlines = Column::<ListArray>::of(array, "outline", "List<Struct>")?;
    let pages = Column::<ListArray>::of(array, "pages", "List<Struct>")?;
    let metadata = Column::<StringArray>::of(array, "metadata", "Utf8")?;
    let errors = Column::<StringArray>::of(array, "error", "Utf8")?;
    let document = |row| {
        if let Some(errors) = errors.known(row) {
            return Ok(Err(errors.value(row).to_owned()));
        }
        let format = format.given(row)?.value(row);
        let metadata = metadata.given(row)?.value(row);
        Ok(Ok(Document {
            text: text.given(row)?.value(row).to_owned(),
            format: Format::from_name(format)
                .ok_or_else(|| Error::value("format", row, &format))?,
            outline: outline(&outlines.given(row)?.value(row))?,
            pages: pages_of(&pages.given(row)?.value(row))?,
            metadata: serde_json::from_str::<Metadata>(metadata)
                .map_err(|error| Error::value("metadata", row, &error))?,
        }))
    };
    (0..array.len()).map(document).collect()
}

/// Returns the headings of an outline, an array of what [`outline_type`] is a list of.
///
/// # Errors
///
/// Those of [`documents`].
pub fn outline(headings: &ArrayRef) -> Result<Vec<Heading>, Error> {
    let headings = Column::<StructArray>::from(headings, "outline", "List<Struct>")?.values;
    let level = Column::<UInt8Array>::of(headings, "level", "UInt8")?;
    let title = Column::<StringArray>::of(headings, "title", "Utf8")?;
    let spans = Spans::of(headings)?;
    let heading = |row| {
        Ok(Heading {
            level: level.given(row)?.value(row),
            title: title.given(row)?.value(row).to_owned(),
            span: spans.at(row)?,
        })
    };
    (0..headings.len()).map(heading).collect()
}

fn pages_of(pages: &ArrayRef) -> Result<Vec<Page>, Error> {
    let pages = Column::<StructArray>::from(pages, "pages", "List<Struct>")?.values;
    let number = Column::<UInt32Array>::of(pages, "number", "UInt32")?;
    let label = Column::<StringArray>::of(pages, "label", "Utf8")?;
    let spans = Spans::of(pages)?;
    let page = |row| {
        Ok(Page {
            number: number.given(row)?.value(row),
            label: label.known(row).map(|label| label.value(row).to_owned()),
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

    #[test]
    fn a_format_that_is_not_known_is_named() {
        let mut builder = DocumentBuilder::default();
        builder.append(Ok(document()));
        let (fields, mut columns, nulls) = builder.finish().into_parts();
        columns[1] = Arc::new(StringArray::from(vec!["papyrus"]));
        let error = documents(&StructArray::new(fields, columns, nulls)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 0 of column `format` cannot be read: papyrus"
        );
    }
}
