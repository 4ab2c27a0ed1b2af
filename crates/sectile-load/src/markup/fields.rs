//! What the head of a document says of it.

use sectile_core::{LeadingFields, Metadata};
use serde_json::Value;

use crate::date::iso_date;
use crate::front_matter;
use crate::one_line::one_line;

/// How many fields are kept, and how long each may be: more than any document says of itself.
const MAX_FIELDS: usize = 256;
const MAX_BYTES: usize = 10_000;

/// Puts fields where they belong in metadata.
pub(crate) struct Fields<'m> {
    metadata: &'m mut Metadata,
    count: usize,
}

impl<'m> Fields<'m> {
    pub(crate) fn new(metadata: &'m mut Metadata) -> Self {
        Self { metadata, count: 0 }
    }

    /// Sets a field that has a value.
    pub(crate) fn set_if_any(&mut self, name: &str, value: &str) {
        if !value.trim().is_empty() {
            self.set(name, value);
        }
    }

    /// Sets a field; one without a value is a switch that is on. A date that cannot be read in one
    /// way only is kept as written, in `extra`.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        let (name, value) = (name.trim().to_lowercase(), one_line(value));
        let value = value.as_str();
        self.count += 1;
        if self.count > MAX_FIELDS || name.is_empty() || name.len() + value.len() > MAX_BYTES {
            return;
        }
        let is_date = matches!(name.as_str(), "date" | "created" | "modified" | "updated");
        let value = match (is_date, iso_date(value)) {
            (true, None) => {
                let value = Value::from(value);
                self.metadata.extra.entry("date".into()).or_insert(value);
                return;
            }
            (true, Some(date)) => Value::from(date),
            (false, _) if value.is_empty() => Value::from(true),
            (false, _) => Value::from(value),
        };
        front_matter::set(self.metadata, name, value);
    }
}

/// Returns the fields `Key: value` that a text begins with, as e-mails and PEPs do, if there are several and one of them is
/// its title.
pub(crate) fn preamble(text: &str) -> Vec<(&str, String)> {
    let found = LeadingFields::of(text).map(|found| found.fields);
    let fields = found.unwrap_or_default().into_iter();
    let mut fields: Vec<(&str, String)> = fields
        .map(|(name, lines)| (name, lines.join(" ")))
        .collect();
    if fields.len() < 2 || title_in(&fields).is_none() {
        fields.clear();
    }
    fields
}

/// Returns the title among some fields.
pub(crate) fn title_in<'f>(fields: &'f [(&str, String)]) -> Option<&'f str> {
    let mut fields = fields.iter();
    let title =
        fields.find(|(name, value)| name.eq_ignore_ascii_case("title") && !value.is_empty());
    title.map(|(_, title)| title.as_str())
}
