//! The properties that an organization adds to those that every Office document has.

use sectile_core::Metadata;
use serde_json::Value;

use crate::notices::is_notice;
use crate::omissions::PROPERTIES_LEFT_OUT;
use crate::one_line::one_line;

/// How many are kept, and how long each may be: more than any document says of itself.
const MAX_PROPERTIES: usize = 256;
pub(crate) const MAX_BYTES: usize = 10_000;

/// A name that workbooks give to the list of their sheets, which is written later.
const SHEETS: &str = "sheets";

/// Collects properties.
#[derive(Debug, Default)]
pub(crate) struct CustomProperties {
    kept: Vec<(String, Value)>,
    /// How many are too long, or too many.
    left_out: usize,
}

impl CustomProperties {
    /// Adds a property that has a value.
    pub(crate) fn add(&mut self, name: &str, value: Value) {
        let name = one_line(&name.replace('\0', ""));
        let value = match value {
            Value::String(text) => Value::from(one_line(&text.replace('\0', ""))),
            other => other,
        };
        let length = value.as_str().map_or(0, str::len);
        let is_empty = value.is_null() || value.as_str() == Some("");
        if is_empty || name.is_empty() {
            return;
        }
        if name.len() + length <= MAX_BYTES && self.kept.len() < MAX_PROPERTIES {
            self.kept.push((name, value));
        } else {
            self.leave_out();
        }
    }

    /// Counts a property that is not kept.
    pub(crate) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Adds the properties to metadata. One whose name means something else there is called `property_NAME`.
    pub(crate) fn write_into(self, metadata: &mut Metadata) {
        let extra = &mut metadata.extra;
        for (name, value) in self.kept {
            let is_taken = Metadata::is_own(&name)
                || is_notice(&name)
                || name == SHEETS
                || extra.contains_key(&name);
            let name = if is_taken {
                format!("property_{name}")
            } else {
                name
            };
            extra.entry(name).or_insert(value);
        }
        if self.left_out > 0 {
            extra.insert(PROPERTIES_LEFT_OUT.into(), self.left_out.into());
        }
    }
}

/// Returns the value that a text means: that of a number or a switch, if it is said to be one.
#[cfg(any(feature = "ods", feature = "odt", feature = "opc"))]
pub(crate) fn typed(kind: &str, text: &str) -> Value {
    let text = text.trim();
    match (kind, text) {
        ("bool" | "boolean", "true" | "1") => Value::from(true),
        ("bool" | "boolean", "false" | "0") => Value::from(false),
        (
            "i1" | "i2" | "i4" | "i8" | "int" | "uint" | "ui1" | "ui2" | "ui4" | "ui8" | "float"
            | "r4" | "r8" | "decimal",
            _,
        ) => {
            let number = serde_json::from_str::<serde_json::Number>(text);
            number.map_or_else(|_| Value::from(text), Value::Number)
        }
        _ => Value::from(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(any(feature = "ods", feature = "odt", feature = "opc"))]
    #[test]
    fn what_a_text_means_depends_on_its_kind() {
        use serde_json::json;

        for (kind, text, expected) in [
            ("bool", "true", json!(true)),
            ("boolean", "maybe", json!("maybe")),
            ("i4", " -7 ", json!(-7)),
            ("r8", "2.5", json!(2.5)),
            ("float", "NaN", json!("NaN")),
            ("lpwstr", "007", json!("007")),
        ] {
            assert_eq!(typed(kind, text), expected, "{kind} {text}");
        }
    }

    #[test]
    fn properties_are_bounded_and_take_no_name_of_others() {
        let mut metadata = Metadata::default();
        metadata.extra.insert("subject".into(), "Plans".into());
        let mut properties = CustomProperties::default();
        for name in ["title", "cut_off", "sheets", "subject", "Team", "Team", " "] {
            properties.add(name, name.into());
        }
        properties.add("Team", "second".into());
        properties.add("Long", "x".repeat(MAX_BYTES).into());
        properties.add("Empty", " \0".into());
        for number in 0..1000 {
            properties.add(&format!("n{number:03}"), number.into());
        }
        properties.write_into(&mut metadata);
        assert_eq!(metadata.title, None);
        let extra = &metadata.extra;
        assert_eq!(extra["subject"], "Plans");
        assert_eq!(extra["Team"], "Team");
        for name in ["title", "cut_off", "sheets", "subject", "Team"] {
            assert_eq!(extra[&format!("property_{name}")], name);
            assert!(name == "subject" || name == "Team" || !extra.contains_key(name));
        }
        assert!(!extra.contains_key("Long") && !extra.contains_key("Empty"));
        assert!(extra.contains_key("n200") && !extra.contains_key("n300"));
        // Of 7 names one is empty, and one is there twice more.
        let kept = 6 + 1;
        assert_eq!(
            extra["properties_left_out"],
            1 + 1000 - (MAX_PROPERTIES - kept)
        );
        assert_eq!(
            crate::omissions(&metadata),
            ["752 custom property values are left out"]
        );
    }
}
