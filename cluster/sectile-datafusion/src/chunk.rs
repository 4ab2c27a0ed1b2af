//! `sectile_chunk`.

use datafusion::arrow::array::ArrayRef;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarFunctionArgs};
use sectile::Strategy;
use sectile::chunk::markdown_outline;
use sectile::core::Document;
use sectile_arrow::{ChunkBuilder, chunk_fields};

use crate::arguments::{Texts, list_type, lists, literal, planned, text_and_more};
use crate::settings::{Cutting, cutting};

pub(crate) fn takes(given: &[DataType]) -> Result<Vec<DataType>> {
    text_and_more("sectile_chunk", "settings", given)
}

pub(crate) fn returns() -> DataType {
    list_type(chunk_fields())
}

pub(crate) fn check(given: &ReturnFieldArgs<'_>) -> Result<()> {
    match settings_at(given.arg_fields.iter().map(|field| field.data_type())) {
        Some(at) => cutting(planned(given, at, "the settings")?).map(drop),
        None => Ok(()),
    }
}

/// Returns which argument the settings are.
fn settings_at<'a>(types: impl ExactSizeIterator<Item = &'a DataType>) -> Option<usize> {
    let last = types.len().checked_sub(1).filter(|&last| last > 0)?;
    let mut types = types;
    types
        .nth(last)
        .filter(|&last| *last == DataType::Utf8)
        .map(|_| last)
}

pub(crate) fn invoke(given: &ScalarFunctionArgs) -> Result<ArrayRef> {
    let settings = match settings_at(given.arg_fields.iter().map(|field| field.data_type())) {
        Some(at) => literal(given, at)?,
        None => "{}".into(),
    };
    let cutting = cutting(&settings)?;
    let texts = Texts::new(given)?;
    let mut chunks = ChunkBuilder::default();
    let mut lengths = Vec::with_capacity(given.number_rows);
    for row in 0..given.number_rows {
        lengths.push(cut(&texts, row, &cutting, &mut chunks)?);
    }
    Ok(lists(chunks.finish(), &lengths))
}

/// Cuts the text of a row, and returns how many chunks there are.
fn cut(
    texts: &Texts,
    row: usize,
    cutting: &Cutting,
    chunks: &mut ChunkBuilder,
) -> Result<Option<usize>> {
    let Some(text) = texts.get(row)? else {
        return Ok(None);
    };
    let outline = text.outline.unwrap_or_else(|| match cutting.strategy {
        Strategy::Markdown | Strategy::Sections => markdown_outline(text.content),
        _ => Vec::new(),
    });
    let format = text.format.unwrap_or(cutting.format);
    let cut = cutting.cutter.chunks("", text.content, format, &outline);
    let cut = cut.map_err(|error| exec_datafusion_err!("{}", sectile::error_chain(&error)))?;
    let document = Document {
        pages: text.pages,
        ..Document::default()
    };
    for cut in &cut {
        chunks.append_with_pages(&cut.chunk, document.pages_of(cut.chunk.span));
    }
    Ok(Some(cut.len()))
}
