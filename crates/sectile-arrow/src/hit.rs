//! Hits.

use std::sync::Arc;

use arrow_array::builder::{
    Float64Builder, LargeStringBuilder, ListBuilder, StringBuilder, UInt32Builder, UInt64Builder,
};
use arrow_array::{
    Array, ArrayRef, Float64Array, ListArray, StructArray, UInt32Array, UInt64Array,
};
use arrow_schema::{DataType, Field, Fields};
use sectile_core::{Lines, Pages, SectionId};

use crate::Error;
use crate::column::{Column, TextColumn, texts};
use crate::page_columns::{self, PageColumns};

/// A hit of one of several questions: the best chunk of what was found, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct HitRow {
    /// The position of the question among those that were asked, from 0.
    pub question: usize,
    /// The position among the hits of the question, from 1.
    pub rank: usize,
    /// The score; those of two questions do not compare.
    pub score: f64,
    /// The collection of the document.
    pub collection: String,
    /// The URI of the document, unique in its collection.
    pub uri: String,
    /// The title of the document.
    pub title: Option<String>,
    /// The section.
    pub section: SectionId,
    /// The headings from the root to the section.
    pub headings: Vec<String>,
    /// The text of the best chunk.
    pub text: String,
    /// Its lines.
    pub lines: Lines,
    /// Its pages, where the document has pages.
    pub pages: Option<Pages>,
}

/// Returns the fields of a hit.
///
/// | field | type | |
/// |---|---|---|
/// | `question` | `UInt32` | the position of the question among those that were asked, from 0 |
/// | `rank` | `UInt32` | the position among the hits of the question, from 1 |
/// | `score` | `Float64` | the score; those of two questions do not compare |
/// | `collection` | `Utf8` | the collection of the document |
/// | `uri` | `Utf8` | the URI of the document |
/// | `title` | `LargeUtf8` or null | its title |
/// | `section` | `Utf8` | the id of the section |
/// | `headings` | `List<LargeUtf8>` | the headings from the root to the section; an empty list if there are none |
/// | `text` | `LargeUtf8` | the text of the best chunk |
/// | `first_line`, `last_line` | `UInt64` | its lines, from 1 |
/// | `first_page`, `last_page` | `UInt32` or null | its pages, where the document has pages |
pub fn hit_fields() -> Fields {
    let number = |name| Field::new(name, DataType::UInt32, false);
    let line = |name| Field::new(name, DataType::UInt64, false);
    let page = |name| Field::new(name, DataType::UInt32, true);
    let heading = Arc::new(Field::new_list_field(DataType::LargeUtf8, true));
    Fields::from(vec![
        number("question"),
        number("rank"),
        Field::new("score", DataType::Float64, false),
        Field::new("collection", DataType::Utf8, false),
        Field::new("uri", DataType::Utf8, false),
        Field::new("title", DataType::LargeUtf8, true),
        Field::new("section", DataType::Utf8, false),
        Field::new("headings", DataType::List(heading), false),
        Field::new("text", DataType::LargeUtf8, false),
        line("first_line"),
        line("last_line"),
        page("first_page"),
        page("last_page"),
    ])
}

/// Builds an array of hits.
#[derive(Debug, Default)]
pub struct HitBuilder {
    /// `question`, `rank`.
    numbers: [UInt32Builder; 2],
    score: Float64Builder,
    /// `collection`, `uri`, `section`.
    names: [StringBuilder; 3],
    title: LargeStringBuilder,
    headings: ListBuilder<LargeStringBuilder>,
    text: LargeStringBuilder,
    /// `first_line`, `last_line`.
    lines: [UInt64Builder; 2],
    /// `first_page`, `last_page`.
    pages: [UInt32Builder; 2],
    len: usize,
}

impl HitBuilder {
    /// Returns how many hits there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a hit.
    pub fn append(&mut self, hit: &HitRow) {
        for (builder, number) in self.numbers.iter_mut().zip([hit.question, hit.rank]) {
            builder.append_value(u32::try_from(number).unwrap_or(u32::MAX));
        }
        self.score.append_value(hit.score);
        let section = hit.section.to_string();
        let names = [&*hit.collection, &*hit.uri, &*section];
        for (builder, name) in self.names.iter_mut().zip(names) {
            builder.append_value(name);
        }
        self.title.append_option(hit.title.as_deref());
        self.headings.append_value(hit.headings.iter().map(Some));
        self.text.append_value(&hit.text);
        let lines = [hit.lines.first, hit.lines.last];
        for (builder, line) in self.lines.iter_mut().zip(lines) {
            builder.append_value(line as u64);
        }
        page_columns::append(&mut self.pages, hit.pages);
        self.len += 1;
    }

    /// Returns the hits as an array of structs of [`hit_fields`].
    pub fn finish(self) -> StructArray {
        let [mut question, mut rank] = self.numbers;
        let [mut collection, mut uri, mut section] = self.names;
        let (mut score, mut title) = (self.score, self.title);
        let (mut headings, mut text) = (self.headings, self.text);
        let ([mut first_line, mut last_line], [mut first_page, mut last_page]) =
            (self.lines, self.pages);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(question.finish()),
            Arc::new(rank.finish()),
            Arc::new(score.finish()),
            Arc::new(collection.finish()),
            Arc::new(uri.finish()),
            Arc::new(title.finish()),
            Arc::new(section.finish()),
            Arc::new(headings.finish()),
            Arc::new(text.finish()),
            Arc::new(first_line.finish()),
            Arc::new(last_line.finish()),
            Arc::new(first_page.finish()),
            Arc::new(last_page.finish()),
        ];
        StructArray::new(hit_fields(), columns, None)
    }
}

/// Returns the hits of an array of structs with [`hit_fields`].
///
/// # Errors
///
/// [`Error::Column`] when a field is missing or of another type, [`Error::Null`] for a null where none may be,
/// [`Error::Value`] for an id that is none.
pub fn hits(array: &StructArray) -> Result<Vec<HitRow>, Error> {
    let number = |name| Column::<UInt32Array>::of(array, name, "UInt32");
    let line = |name| Column::<UInt64Array>::of(array, name, "UInt64");
    let (question, rank) = (number("question")?, number("rank")?);
    let score = Column::<Float64Array>::of(array, "score", "Float64")?;
    let text = |name| TextColumn::of(array, name);
    let (collection, uri, title) = (text("collection")?, text("uri")?, text("title")?);
    let (section, texts_of_chunks) = (text("section")?, text("text")?);
    let headings = Column::<ListArray>::of(array, "headings", "List<LargeUtf8>")?;
    let (first_line, last_line) = (line("first_line")?, line("last_line")?);
    let pages = PageColumns::of(array)?;
    let hit = |row| {
        let section = section.given(row)?;
        Ok(HitRow {
            question: question.number(row)?,
            rank: rank.number(row)?,
            score: score.given(row)?.value(row),
            collection: collection.given(row)?.to_owned(),
            uri: uri.given(row)?.to_owned(),
            title: title.known(row).map(str::to_owned),
            section: section
                .parse()
                .map_err(|_| Error::value("section", row, &section))?,
            headings: texts(&headings, row)?,
            text: texts_of_chunks.given(row)?.to_owned(),
            lines: Lines {
                first: first_line.number(row)?,
                last: last_line.number(row)?,
            },
            pages: pages.at(row),
        })
    };
    (0..array.len()).map(hit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(rank: usize) -> HitRow {
        HitRow {
            question: 2,
            rank,
            score: 1.5 / rank as f64,
            collection: "default".into(),
            uri: "file:///docs/a.md".into(),
            title: (rank == 1).then(|| "A".into()),
            section: SectionId::derive("a.md", &["A"], 0),
            headings: vec!["A".into(); rank - 1],
            text: "Some é text.".into(),
            lines: Lines { first: 3, last: 9 },
            pages: (rank > 1).then_some(Pages { first: 1, last: 2 }),
        }
    }

    #[test]
    fn hits_come_back() {
        let expected = [hit(1), hit(2), hit(3)];
        let mut builder = HitBuilder::default();
        assert!(builder.is_empty());
        for hit in &expected {
            builder.append(hit);
        }
        assert_eq!(builder.len(), 3);
        assert_eq!(hits(&builder.finish()).unwrap(), expected);
    }

    #[test]
    fn a_section_that_is_no_id_is_named() {
        let mut builder = HitBuilder::default();
        builder.append(&hit(1));
        let (fields, mut columns, nulls) = builder.finish().into_parts();
        columns[6] = Arc::new(arrow_array::StringArray::from(vec!["x"]));
        let error = hits(&StructArray::new(fields, columns, nulls)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 0 of column `section` cannot be read: x"
        );
    }
}
