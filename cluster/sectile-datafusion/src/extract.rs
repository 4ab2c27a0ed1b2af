//! `sectile_extract`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StructArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err, plan_datafusion_err, plan_err};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarFunctionArgs};
use sectile::load::{Error, FileLoader, LoadOptions};
use sectile_arrow::{DocumentBuilder, Extracted, document_fields};

use serde::Deserialize;

use crate::arguments::{is_text, literal, planned};

pub(crate) fn takes(given: &[DataType]) -> Result<Vec<DataType>> {
    match given {
        [
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null,
            rest @ ..,
        ] if matches!(rest.len(), 1 | 2) && rest.iter().all(is_text) => {
            let mut types = vec![DataType::Utf8; given.len()];
            types[0] = DataType::LargeBinary;
            Ok(types)
        }
        _ => plan_err!("sectile_extract takes the bytes of a file, its name, and limits"),
    }
}

pub(crate) fn returns() -> DataType {
    DataType::Struct(document_fields())
}

pub(crate) fn check(given: &ReturnFieldArgs<'_>) -> Result<()> {
    if given.arg_fields.len() < 3 {
        return Ok(());
    }
    limits(planned(given, 2, "the limits")?).map(drop)
}

/// What a file may take; what is not named is as the loader has it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Limits {
    memory: Option<u64>,
    seconds: Option<u64>,
}

fn limits(given: &str) -> Result<Limits> {
    serde_json::from_str(given)
        .map_err(|error| plan_datafusion_err!("the limits {given} cannot be read: {error}"))
}

/// Makes a loader with limits that shares the worker processes.
fn limited(loader: &FileLoader, limits: &Limits) -> FileLoader {
    let options = loader.options();
    let mut given = options.limits;
    given.memory = limits.memory.unwrap_or(given.memory);
    given.time = limits.seconds.map_or(given.time, Duration::from_secs);
    loader.clone().with_options(LoadOptions {
        limits: given,
        ..options.clone()
    })
}

/// Loads a file, or says why it cannot be loaded.
///
/// # Errors
///
/// When no file can be loaded just now, as no worker process starts: that is no fault of the file.
fn extracted(loader: &FileLoader, bytes: &[u8], name: &Path) -> Result<Extracted> {
    let document = loader.load_bytes(bytes, name);
    if matches!(document, Err(Error::WorkerDied { .. })) {
        let probe = loader.load_bytes(b"<p>probe</p>", Path::new("probe.html"));
        if let Err(error) = probe {
            return exec_err!("no file can be loaded: {}", sectile::error_chain(&error));
        }
    }
    Ok(document.map_err(|error| sectile::error_chain(&error)))
}

pub(crate) fn invoke(given: &ScalarFunctionArgs, loader: &FileLoader) -> Result<ArrayRef> {
    let loader = match given.args.len() {
        3 => &limited(loader, &limits(&literal(given, 2)?)?),
        _ => loader,
    };
    let files = given.args[0].to_array(given.number_rows)?;
    let files = files.as_binary::<i64>();
    let names = given.args[1].to_array(given.number_rows)?;
    let names = names.as_string::<i32>();
    let mut documents = DocumentBuilder::default();
    for row in 0..given.number_rows {
        let name = Path::new(if names.is_valid(row) {
            names.value(row)
        } else {
            ""
        });
        documents.append(if files.is_null(row) {
            Err("there are no bytes".into())
        } else {
            extracted(loader, files.value(row), name)?
        });
    }
    let (fields, columns, _) = documents.finish().into_parts();
    let given: NullBuffer = (0..files.len()).map(|row| files.is_valid(row)).collect();
    Ok(Arc::new(StructArray::new(fields, columns, Some(given))))
}
