//! The documents and sections that a call is about.

mod dates;
mod fields;
mod filter;
mod headings;
mod paths;

use std::ops::RangeInclusive;

use globset::GlobSet;
use sectile_core::Metadata;
use serde_json::Value;

use crate::{DocumentRecord, Result};

pub(crate) use headings::words_of;

/// The documents of a call and, if it asks for a heading or a level, the sections.
///
/// Every condition narrows the scope; of several URIs, any one may match. A document or section
/// without the field of a condition, such as a date or a heading, is outside.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    collection: Option<String>,
    uris: Vec<(String, String)>,
    paths: Vec<GlobSet>,
    fields: Vec<(String, Value)>,
    since: Vec<String>,
    until: Vec<String>,
    is_undated: bool,
    /// As [`headings::in_words`] writes them.
    headings: Vec<String>,
    levels: Option<RangeInclusive<u8>>,
}

impl Scope {
    /// Returns the scope of every document in the store.
    pub fn all() -> Self {
        Self::default()
    }

    /// Returns the scope of one collection.
    pub fn collection(name: impl Into<String>) -> Self {
        Self {
            collection: Some(name.into()),
            ..Self::default()
        }
    }

    /// Adds the document with this URI to the documents of the scope.
    #[must_use]
    pub fn with_uri(mut self, uri: &str) -> Self {
        self.uris.push((uri.to_owned(), uri.to_owned()));
        self
    }

    /// Adds the documents whose URI begins with `prefix` to the documents of the scope.
    #[must_use]
    pub fn with_prefix(mut self, prefix: &str) -> Self {
        self.uris
            .push((prefix.to_owned(), format!("{prefix}\u{10ffff}")));
        self
    }

    /// Narrows the scope to no document, as an empty list of documents does. Those that are added by URI
    /// are in it.
    #[must_use]
    pub fn with_no_document(mut self) -> Self {
        // A range whose end is before its beginning.
        self.uris = vec![(char::MAX.to_string(), String::new())];
        self
    }

    /// Narrows the scope to documents whose path matches a glob, or whose URI does if they are not
    /// files. `*` matches anything except `/`, and `**` any folders. A pattern that does not begin
    /// with `/` or `**` matches the end of a path. A pattern that ends with `/` matches everything
    /// in a folder. `[ab]` matches one of its letters and `{x,y}` one of its words; both also match
    /// themselves, as in folder names such as `[slug]`.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidFilter`](crate::Error::InvalidFilter) for what is not a glob.
    pub fn with_path(self, pattern: &str) -> Result<Self> {
        self.with_paths([pattern])
    }

    /// Narrows the scope to documents whose path matches any of several globs, each as in
    /// [`with_path`](Self::with_path).
    ///
    /// # Errors
    ///
    /// [`Error::InvalidFilter`](crate::Error::InvalidFilter) for what is not a glob.
    pub fn with_paths<'a>(mut self, patterns: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        self.paths.push(paths::globs(patterns)?);
        Ok(self)
    }

    /// Narrows the scope to documents with `value` in a metadata field, or in a list in this field.
    /// Numbers and words are compared as written, and numbers with each other by value. In `tags` and
    /// `tag`, a tag also stands for those below it, with or without `#` and in any case: `lang` and
    /// `lang/` keep `lang/dotnet`.
    #[must_use]
    pub fn with_field(mut self, name: &str, value: Value) -> Self {
        self.fields.push((name.to_owned(), value));
        self
    }

    /// Narrows the scope to documents of this date or later, as ISO 8601: `2026`, `2026-11` or
    /// `2026-11-21`. The date of a document is that of its last change, or else of its creation, or
    /// else the field `date`, or else the day in the last part of its URI (`2024-05-03.md`). A
    /// memory or a piece of knowledge without a date has that of the day on which it was first
    /// stored, in UTC.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidFilter`](crate::Error::InvalidFilter) for what is not a date.
    pub fn with_since(mut self, date: &str) -> Result<Self> {
        self.since.push(dates::checked("since", date)?);
        Ok(self)
    }

    /// Narrows the scope to documents of this date or earlier; `2026` means all of that year. See
    /// [`with_since`](Self::with_since).
    ///
    /// # Errors
    ///
    /// [`Error::InvalidFilter`](crate::Error::InvalidFilter) for what is not a date.
    pub fn with_until(mut self, date: &str) -> Result<Self> {
        self.until.push(dates::checked("until", date)?);
        Ok(self)
    }

    /// Returns the documents that this scope leaves out because they have no date, or nothing if it
    /// has no dates.
    pub fn undated(&self) -> Option<Self> {
        self.asks_for_a_date().then(|| Self {
            since: Vec::new(),
            until: Vec::new(),
            is_undated: true,
            ..self.clone()
        })
    }

    /// Narrows the scope to sections whose own heading contains the words of `text` in a row,
    /// ignoring case: `c` is a word of `The C language`, but not of `Code` or `C++`. Hyphens and
    /// other signs between words count as spaces, and words typed without accents match those with
    /// them. In a script without spaces, any part of a heading is a word.
    #[must_use]
    pub fn with_heading(mut self, text: &str) -> Self {
        self.headings.push(headings::in_words(text));
        self
    }

    /// Narrows the scope to sections of these levels; text before the first heading has level 0.
    #[must_use]
    pub fn with_levels(mut self, levels: RangeInclusive<u8>) -> Self {
        let known = self.levels.unwrap_or(0..=u8::MAX);
        let first = *known.start().max(levels.start());
        self.levels = Some(first..=*known.end().min(levels.end()));
        self
    }

    /// Returns the collection that the scope is narrowed to.
    pub fn collection_name(&self) -> Option<&str> {
        self.collection.as_deref()
    }

    /// Returns the metadata fields of the scope's conditions.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the ranges of URIs, both ends included and compared by bytes, that the scope is
    /// narrowed to; none means every URI.
    pub fn uri_ranges(&self) -> &[(String, String)] {
        &self.uris
    }

    /// Returns whether every document of the collection is in the scope, so that no document needs
    /// to be read.
    pub fn has_every_document(&self) -> bool {
        self.uris.is_empty() && !self.asks_of_documents()
    }

    /// Returns whether [`has_document`](Self::has_document) has anything to ask.
    pub fn asks_of_documents(&self) -> bool {
        self.asks_for_a_date() || !self.paths.is_empty() || !self.fields.is_empty()
    }

    /// Returns whether some sections of a document may be outside.
    pub fn asks_of_sections(&self) -> bool {
        !self.headings.is_empty() || self.levels.is_some()
    }

    /// Returns whether a document of the collection and the ranges of URIs is in the scope.
    /// `language` is the code of the language that it is indexed in, and `created_at` the time at
    /// which it was first stored, in milliseconds of the Unix epoch.
    pub fn has_document(
        &self,
        uri: &str,
        language: &str,
        metadata: &Metadata,
        created_at: Option<u64>,
    ) -> bool {
        let has_date = || self.has_date(uri, metadata, created_at);
        paths::are_matched(&self.paths, uri) && has_date() && self.has_fields(language, metadata)
    }

    /// Returns whether a document of the collection and the ranges of URIs is in the scope.
    pub fn has_record(&self, document: &DocumentRecord) -> bool {
        let DocumentRecord {
            uri,
            language,
            metadata,
            created_at,
            ..
        } = document;
        self.has_document(uri, language, metadata, Some(*created_at))
    }

    fn asks_for_a_date(&self) -> bool {
        self.is_undated || !(self.since.is_empty() && self.until.is_empty())
    }

    fn has_date(&self, uri: &str, metadata: &Metadata, created_at: Option<u64>) -> bool {
        if !self.asks_for_a_date() {
            return true;
        }
        match dates::date_of(uri, metadata, created_at) {
            Some(date) => !self.is_undated && dates::is_between(&date, &self.since, &self.until),
            None => self.is_undated,
        }
    }

    fn has_fields(&self, language: &str, metadata: &Metadata) -> bool {
        let says = |(name, value): &(String, Value)| {
            let found = metadata.field(name);
            let is_found = found.as_ref().is_some_and(|found| {
                fields::is_said(found, value) || fields::is_tagged(name, found, value)
            });
            let text = found
                .as_ref()
                .and_then(|found| found.as_str())
                .unwrap_or_default();
            is_found || fields::is_meant(name, value.as_str(), text, language)
        };
        self.fields.iter().all(says)
    }

    /// Returns whether a section of a document in the scope is in it.
    pub fn has_section(&self, level: u8, heading_path: &[String]) -> bool {
        let is_of_level = self
            .levels
            .as_ref()
            .is_none_or(|levels| levels.contains(&level));
        if self.headings.is_empty() || !is_of_level {
            return is_of_level;
        }
        // The path of text before the first heading is empty.
        let Some(heading) = heading_path.last() else {
            return false;
        };
        let heading = format!(" {} ", words_of(heading));
        let plain = (!heading.is_ascii()).then(|| headings::without_accents(&heading));
        let is_in_plain = |text: &String| {
            let plain = plain.as_ref().filter(|_| text.is_ascii());
            plain.is_some_and(|plain| plain.contains(text))
        };
        let has = |text: &String| heading.contains(text) || is_in_plain(text);
        self.headings.iter().all(has)
    }
}

#[cfg(test)]
mod tests;
