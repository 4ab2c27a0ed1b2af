//! Texts of notebooks.

use serde_json::Value;

/// Returns a text that is one string or a list of them.
pub(super) fn joined(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(lines)) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}
