//! The values of form fields: a choice from a list, or a box that is checked.

/// What a field lets its reader fill in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Text,
    CheckBox,
    List,
}

/// A field of a form, whose value stands in its properties and not in the text.
#[derive(Debug, Default)]
pub(crate) struct FormField {
    pub(crate) kind: Kind,
    pub(crate) entries: Vec<String>,
    /// The number of the entry that is chosen, or 1 where the box is checked.
    pub(crate) result: Option<usize>,
    /// What the result is where there is none.
    pub(crate) default: usize,
}

impl FormField {
    /// Returns what the field shows, unless that is a text of its own.
    pub(crate) fn value(&self) -> Option<&str> {
        let result = self.result.unwrap_or(self.default);
        match self.kind {
            Kind::Text => None,
            Kind::CheckBox if result == 0 => Some("☐"),
            Kind::CheckBox => Some("☒"),
            Kind::List => self.entries.get(result).map(String::as_str),
        }
    }
}
