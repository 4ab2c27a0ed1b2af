//! Sections.

use std::sync::Arc;

use arrow_array::builder::{LargeStringBuilder, ListBuilder};
use arrow_array::{
    Array, ArrayRef, LargeStringArray, StringArray, StructArray, UInt8Array, UInt32Array,
    UInt64Array,
};
use arrow_schema::{DataType, Field, Fields};
use sectile_core::{Lines, Section, SectionTree, Span};

use crate::Error;
use crate::column::{Column, TextColumn};

/// Returns the fields of a section.
///
/// | field | type | |
/// |---|---|---|
/// | `index` | `UInt32` | the position among the sections of its text, from 0 |
/// | `id` | `Utf8` | the id, stable as long as the heading path is |
/// | `parent` | `UInt32` or null | the position of the section above it |
/// | `level` | `UInt8` | the heading's level, 1 to 6; 0 for text before the first heading |
/// | `heading` | `LargeUtf8` or null | the heading |
/// | `headings` | `List<LargeUtf8>` | the headings from the root, its own included |
/// | `text` | `LargeUtf8` | its own text, heading line included, up to the next heading |
/// | `start_byte`, `end_byte` | `UInt64` | where that stands in its text, in bytes of UTF-8 |
/// | `first_line`, `last_line` | `UInt64` | the lines that it touches, from 1 |
pub fn section_fields() -> Fields {
    let count = |name| Field::new(name, DataType::UInt64, false);
    let heading = Arc::new(Field::new_list_field(DataType::LargeUtf8, true));
    Fields::from(vec![
        Field::new("index", DataType::UInt32, false),
        Field::new("id", DataType::Utf8, false),
        Field::new("parent", DataType::UInt32, true),
        Field::new("level", DataType::UInt8, false),
        Field::new("heading", DataType::LargeUtf8, true),
        Field::new("headings", DataType::List(heading), false),
        Field::new("text", DataType::LargeUtf8, false),
        count("start_byte"),
        count("end_byte"),
        count("first_line"),
        count("last_line"),
    ])
}

/// Builds an array of the sections of texts, one text after the other.
#[derive(Debug, Default)]
pub struct SectionBuilder {
    sections: Vec<(u32, Section)>,
    texts: Vec<String>,
    headings: ListBuilder<LargeStringBuilder>,
}

impl SectionBuilder {
    /// Returns how many sections there are.
    pub const fn len(&self) -> usize {
        self.sections.len()
    }

    /// Returns whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// Adds the sections of a text.
    pub fn append(&mut self, text: &str, tree: &SectionTree) {
        for (at, section) in tree.sections.iter().enumerate() {
            let path = tree.heading_path(at).into_iter().map(Some);
            self.headings.append_value(path);
            self.texts.push(section.span.of(text).to_owned());
            self.sections.push((at as u32, section.clone()));
        }
    }

    /// Returns the sections as an array of structs of [`section_fields`].
    pub fn finish(mut self) -> StructArray {
        let sections = || self.sections.iter().map(|(_, section)| section);
        let indexes = self.sections.iter().map(|(at, _)| *at);
        let count = |number: fn(&Section) -> usize| -> ArrayRef {
            let numbers = sections().map(|section| number(section) as u64);
            Arc::new(UInt64Array::from_iter_values(numbers))
        };
        let parents = sections().map(|section| section.parent.map(|parent| parent as u32));
        let ids = sections().map(|section| section.id.to_string());
        let columns: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from_iter_values(indexes)),
            Arc::new(StringArray::from_iter_values(ids)),
            Arc::new(parents.collect::<UInt32Array>()),
            Arc::new(UInt8Array::from_iter_values(
                sections().map(|section| section.level),
            )),
            Arc::new(
                sections()
                    .map(|section| section.heading.as_deref())
                    .collect::<LargeStringArray>(),
            ),
            Arc::new(self.headings.finish()),
            Arc::new(LargeStringArray::from_iter_values(&self.texts)),
            count(|section| section.span.start),
            count(|section| section.span.end),
            count(|section| section.lines.first),
            count(|section| section.lines.last),
        ];
        StructArray::new(section_fields(), columns, None)
    }
}

/// Returns the sections of an array of structs with [`section_fields`].
///
/// # Errors
///
/// [`Error::Column`] when a field is missing or of another type, [`Error::Null`] for a null where none may be,
/// [`Error::Value`] for an id that is none.
pub fn sections(array: &StructArray) -> Result<Vec<Section>, Error> {
    let id = TextColumn::of(array, "id")?;
    let parent = Column::<UInt32Array>::of(array, "parent", "UInt32")?;
    let level = Column::<UInt8Array>::of(array, "level", "UInt8")?;
    let heading = TextColumn::of(array, "heading")?;
    let place = |name| Column::<UInt64Array>::of(array, name, "UInt64");
    let (start, end) = (place("start_byte")?, place("end_byte")?);
    let (first, last) = (place("first_line")?, place("last_line")?);
    let section = |row| {
        let id = id.given(row)?;
        Ok(Section {
            id: id.parse().map_err(|_| Error::value("id", row, &id))?,
            parent: parent.known(row).map(|parent| parent.value(row) as usize),
            heading: heading.known(row).map(str::to_owned),
            level: level.given(row)?.value(row),
            span: Span::new(start.number(row)?, end.number(row)?),
            lines: Lines {
                first: first.number(row)?,
                last: last.number(row)?,
            },
        })
    };
    (0..array.len()).map(section).collect()
}

#[cfg(test)]
mod tests {
    use sectile_core::SectionId;

    use super::*;

    #[test]
    fn sections_come_back() {
        let text = "before\n# A\n## B\n";
        let spans = [(0, 7), (7, 11), (11, 16)];
        let section = |at: usize| Section {
            id: SectionId::derive("a.md", &[at.to_string()], 0),
            parent: (at == 2).then_some(1),
            heading: (at > 0).then(|| ["", "A", "B"][at].to_owned()),
            level: at as u8,
            span: Span::new(spans[at].0, spans[at].1),
            lines: Lines {
                first: at + 1,
                last: at + 1,
            },
        };
        let tree = SectionTree {
            sections: (0..3).map(section).collect(),
        };
        let mut builder = SectionBuilder::default();
        builder.append(text, &tree);
        assert_eq!((builder.len(), builder.is_empty()), (3, false));
        let array = builder.finish();
        assert_eq!(sections(&array).unwrap(), tree.sections);
        let texts = TextColumn::of(&array, "text").unwrap();
        assert_eq!(texts.known(2), Some("## B\n"));
    }
}
