//! `sectile_extract`.

use std::path::Path;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StructArray};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::ScalarFunctionArgs;
use sectile::load::FileLoader;
use sectile_arrow::{DocumentBuilder, document_fields};

use crate::arguments::is_text;

pub(crate) fn takes(given: &[DataType]) -> Result<Vec<DataType>> {
    match given {
        [
            DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::Null,
            name,
        ] if is_text(name) => Ok(vec![DataType::LargeBinary, DataType::Utf8]),
        _ => plan_err!("sectile_extract takes the bytes of a file and its name"),
    }
}

pub(crate) fn returns() -> DataType {
    DataType::Struct(document_fields())
}

pub(crate) fn invoke(given: &ScalarFunctionArgs, loader: &FileLoader) -> Result<ArrayRef> {
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
            let document = loader.load_bytes(files.value(row), name);
            document.map_err(|error| sectile::error_chain(&error))
        });
    }
    let (fields, columns, _) = documents.finish().into_parts();
    let given: NullBuffer = (0..files.len()).map(|row| files.is_valid(row)).collect();
    Ok(Arc::new(StructArray::new(fields, columns, Some(given))))
}
