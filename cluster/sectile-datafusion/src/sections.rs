//! `sectile_sections`.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::ScalarFunctionArgs;
use sectile::chunk::{markdown_outline, section_tree};
use sectile_arrow::{SectionBuilder, section_fields};

use crate::arguments::{Texts, list_type, lists, text_and_more};

pub(crate) fn takes(given: &[DataType]) -> Result<Vec<DataType>> {
    text_and_more("sectile_sections", "name", given)
}

pub(crate) fn returns() -> DataType {
    list_type(section_fields())
}

pub(crate) fn invoke(given: &ScalarFunctionArgs) -> Result<ArrayRef> {
    let texts = Texts::new(given)?;
    let last = given
        .args
        .last()
        .filter(|last| last.data_type() == DataType::Utf8);
    let names = last
        .map(|last| last.to_array(given.number_rows))
        .transpose()?;
    let mut sections = SectionBuilder::default();
    let mut lengths = Vec::with_capacity(given.number_rows);
    for row in 0..given.number_rows {
        let Some(text) = texts.get(row)? else {
            lengths.push(None);
            continue;
        };
        let name = names
            .as_ref()
            .map(AsArray::as_string::<i32>)
            .filter(|names| names.is_valid(row))
            .map_or("", |names| names.value(row));
        let outline = text
            .outline
            .unwrap_or_else(|| markdown_outline(text.content));
        let tree = section_tree(name, text.content, &outline);
        sections.append(text.content, &tree);
        lengths.push(Some(tree.sections.len()));
    }
    Ok(lists(sections.finish(), &lengths))
}
