//! `sectile_tokens`.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, UInt64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::logical_expr::{ReturnFieldArgs, ScalarFunctionArgs};
use sectile::Unit;

use crate::arguments::{is_text, literal, planned};

pub(crate) fn takes(given: &[DataType]) -> Result<Vec<DataType>> {
    match given {
        [text, unit] if is_text(text) && is_text(unit) => {
            Ok(vec![DataType::LargeUtf8, DataType::Utf8])
        }
        _ => plan_err!("sectile_tokens takes a text and an encoding"),
    }
}

pub(crate) fn returns() -> DataType {
    DataType::UInt64
}

pub(crate) fn check(given: &ReturnFieldArgs<'_>) -> Result<()> {
    unit(planned(given, 1, "the encoding")?).map(drop)
}

fn unit(name: &str) -> Result<Unit> {
    Unit::from_name(name).ok_or_else(|| {
        let known: Vec<_> = Unit::ALL.iter().map(|unit| unit.name()).collect();
        plan_datafusion_err!(
            "there is no encoding {name}; there are {}",
            known.join(", ")
        )
    })
}

pub(crate) fn invoke(given: &ScalarFunctionArgs) -> Result<ArrayRef> {
    let counter = unit(&literal(given, 1)?)?.counter();
    let texts = given.args[0].to_array(given.number_rows)?;
    let texts = texts.as_string::<i64>().iter();
    let counts = texts.map(|text| text.map(|text| counter.count(text) as u64));
    Ok(Arc::new(counts.collect::<UInt64Array>()))
}
