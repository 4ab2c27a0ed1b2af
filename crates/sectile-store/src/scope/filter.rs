//! Conditions as they are typed: `KEY=VALUE`.

use std::ops::RangeInclusive;

use super::{Scope, words_of};
use crate::{Error, Result};

impl Scope {
    /// Narrows the scope by a typed condition, `KEY=VALUE`:
    ///
    /// | typed | means |
    /// |---|---|
    /// | `path=docs/*.md` | [`with_path`](Self::with_path) |
    /// | `heading=Methods` | [`with_heading`](Self::with_heading) |
    /// | `level=2`, `level=1-3` | [`with_levels`](Self::with_levels) |
    /// | `since=2026-01`, `until=2026` | [`with_since`](Self::with_since), [`with_until`](Self::with_until) |
    /// | `team=red`, `metadata.path=x` | [`with_field`](Self::with_field) |
    ///
    /// # Errors
    ///
    /// [`Error::InvalidFilter`] for what is none of these, and for an empty value.
    pub fn with_filter(self, filter: &str) -> Result<Self> {
        let invalid = |reason: &str| Error::InvalidFilter {
            filter: filter.to_owned(),
            reason: reason.to_owned(),
        };
        let Some((key, value)) = filter.split_once('=').filter(|(key, _)| !key.is_empty()) else {
            return Err(invalid("write it as KEY=VALUE"));
        };
        if value.trim().is_empty() {
            return Err(invalid(
                "nothing follows the `=`; write a value, or leave the filter out",
            ));
        }
        match key {
            "path" => self.with_path(value),
            "heading" if words_of(value).is_empty() => Err(invalid(
                "a heading is compared by its words; write at least one",
            )),
            "heading" => Ok(self.with_heading(value)),
            "since" => self.with_since(value),
            "until" => self.with_until(value),
            "level" => {
                let levels = levels(value).ok_or_else(|| invalid("write 2, or 1-3"))?;
                Ok(self.with_levels(levels))
            }
            field => {
                let field = field.strip_prefix("metadata.").unwrap_or(field);
                Ok(self.with_field(field, value.into()))
            }
        }
    }
}

/// Reads `2` or `1-3`.
fn levels(text: &str) -> Option<RangeInclusive<u8>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some(first..=last)
}
