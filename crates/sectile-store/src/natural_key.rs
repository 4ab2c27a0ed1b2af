//! Natural keys: metadata fields that identify the documents of a collection, besides the URI.

use sectile_core::Metadata;

use crate::{Error, Result};

/// Returns the natural key of a document: a JSON array of the values of the metadata fields that
/// its collection declares.
///
/// # Errors
///
/// [`Error::InvalidDocument`] for a document that lacks one of them.
pub fn natural_key(uri: &str, metadata: &Metadata, fields: &[String]) -> Result<String> {
    let value = |field: &String| {
        let value = metadata.field(field);
        value.ok_or_else(|| Error::InvalidDocument {
            uri: uri.to_owned(),
            reason: format!("its metadata lacks `{field}`, which is in the key of its collection"),
        })
    };
    let values: Vec<_> = fields.iter().map(value).collect::<Result<_>>()?;
    serde_json::to_string(&values).map_err(Error::corrupt)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_key_has_the_fields_in_their_order() {
        let metadata = json!({"year": 2023, "ticker": "AAPL", "title": "Report", "empty": null});
        let metadata: Metadata = serde_json::from_value(metadata).unwrap();
        let key = |fields: &[&str]| {
            let fields: Vec<String> = fields.iter().map(ToString::to_string).collect();
            natural_key("a.pdf", &metadata, &fields)
        };
        assert_eq!(
            key(&["ticker", "year", "title"]).unwrap(),
            r#"["AAPL",2023,"Report"]"#
        );
        for missing in ["form", "empty"] {
            let error = key(&["ticker", missing]).unwrap_err().to_string();
            assert!(
                error.contains("a.pdf") && error.contains(missing),
                "{error}"
            );
        }
    }
}
