//! The documents and sections that a call is about.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use sectile_core::Metadata;
use serde_json::Value;
use unicode_normalization::char::is_combining_mark;

use crate::{Analyzer, DocumentRecord, Error, Result};

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
    /// As [`in_words`] writes them.
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

    /// Narrows the scope to documents whose path matches a glob, or whose URI does if they are not
    /// files. `*` matches anything except `/`, and `**` any folders. A pattern that does not begin
    /// with `/` or `**` matches the end of a path. A pattern that ends with `/` matches everything
    /// in a folder. `[ab]` matches one of its letters and `{x,y}` one of its words; both also match
    /// themselves, as in folder names such as `[slug]`.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidFilter`] for what is not a glob.
    pub fn with_path(self, pattern: &str) -> Result<Self> {
        self.with_paths([pattern])
    }

    /// Narrows the scope to documents whose path matches any of several globs, each as in
    /// [`with_path`](Self::with_path).
    ///
    /// # Errors
    ///
    /// [`Error::InvalidFilter`] for what is not a glob.
    pub fn with_paths<'a>(mut self, patterns: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut globs = GlobSetBuilder::new();
        for pattern in patterns {
            let invalid = |error: &globset::Error| Error::InvalidFilter {
                filter: format!("path={pattern}"),
                reason: error.kind().to_string(),
            };
            globs.add(glob(pattern).map_err(|error| invalid(&error))?);
            if pattern.contains(BRACKETS) {
                let literal = glob(&with_literal_brackets(pattern));
                globs.add(literal.map_err(|error| invalid(&error))?);
            }
        }
        let globs = globs.build().map_err(|error| Error::InvalidFilter {
            filter: "path".into(),
            reason: error.kind().to_string(),
        })?;
        self.paths.push(globs);
        Ok(self)
    }

    /// Narrows the scope to documents with `value` in a metadata field, or in a list in this field.
    /// Numbers and words are compared as written, and numbers with each other by value.
    #[must_use]
    pub fn with_field(mut self, name: &str, value: Value) -> Self {
        self.fields.push((name.to_owned(), value));
        self
    }

    /// Narrows the scope to documents of this date or later, as ISO 8601: `2026`, `2026-11` or
    /// `2026-11-21`. The date of a document is that of its last change, or else of its creation, or
    /// else the field `date`.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidFilter`] for what is not a date.
    pub fn with_since(mut self, date: &str) -> Result<Self> {
        self.since.push(checked_date("since", date)?);
        Ok(self)
    }

    /// Narrows the scope to documents of this date or earlier; `2026` means all of that year. See
    /// [`with_since`](Self::with_since).
    ///
    /// # Errors
    ///
    /// [`Error::InvalidFilter`] for what is not a date.
    pub fn with_until(mut self, date: &str) -> Result<Self> {
        self.until.push(checked_date("until", date)?);
        Ok(self)
    }

    /// Narrows the scope to sections whose own heading contains the words of `text` in a row,
    /// ignoring case: `c` is a word of `The C language`, but not of `Code` or `C++`. Hyphens and
    /// other signs between words count as spaces. In a script without spaces, any part of a heading
    /// is a word.
    #[must_use]
    pub fn with_heading(mut self, text: &str) -> Self {
        self.headings.push(in_words(text));
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
    /// `language` is the code of the language that it is indexed in.
    pub fn has_document(&self, uri: &str, language: &str, metadata: &Metadata) -> bool {
        let path = path_of(uri);
        let has_paths = self.paths.iter().all(|glob| glob.is_match(&*path));
        has_paths && self.has_date(metadata) && self.has_fields(language, metadata)
    }

    /// Returns whether a document of the collection and the ranges of URIs is in the scope.
    pub fn has_record(&self, document: &DocumentRecord) -> bool {
        self.has_document(&document.uri, &document.language, &document.metadata)
    }

    fn asks_for_a_date(&self) -> bool {
        !(self.since.is_empty() && self.until.is_empty())
    }

    fn has_date(&self, metadata: &Metadata) -> bool {
        if !self.asks_for_a_date() {
            return true;
        }
        let Some(date) = date_of(metadata) else {
            return false;
        };
        let until = |end: &String| date.get(..end.len()).unwrap_or(date) <= end.as_str();
        self.since.iter().all(|start| date >= start.as_str()) && self.until.iter().all(until)
    }

    fn has_fields(&self, language: &str, metadata: &Metadata) -> bool {
        let says = |(name, value): &(String, Value)| {
            let found = metadata.field(name);
            let is_found = found.as_ref().is_some_and(|found| is_said(found, value));
            let text = found
                .as_ref()
                .and_then(|found| found.as_str())
                .unwrap_or_default();
            is_found || is_meant(name, value.as_str(), text, language)
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
        let heading = heading_path.last();
        let heading = heading.map(|heading| format!(" {} ", words_of(heading)));
        heading.is_some_and(|heading| self.headings.iter().all(|text| heading.contains(text)))
    }
}

/// Writes the words of a text in lower case, with a blank between each two.
pub(crate) fn words_of(text: &str) -> String {
    let lower = text.to_lowercase();
    // `C++`, `F#` and `get_all` are words.
    let parts = |of: char| !(of.is_alphanumeric() || is_combining_mark(of) || "+#_'".contains(of));
    let words = lower.split(parts);
    let words = words.filter(|word| word.contains(char::is_alphanumeric));
    words.collect::<Vec<_>>().join(" ")
}

/// Writes the words of a text as a heading that has them does, with a blank at each end unless it may be within a word
/// there.
fn in_words(text: &str) -> String {
    let words = words_of(text);
    if words.is_empty() {
        // As every heading is written.
        return " ".to_owned();
    }
    let at_end = |end: Option<char>| {
        let is_unspaced = end.is_some_and(|of| Analyzer::is_unspaced(of.encode_utf8(&mut [0; 4])));
        if is_unspaced { "" } else { " " }
    };
    let (start, end) = (
        at_end(words.chars().next()),
        at_end(words.chars().next_back()),
    );
    format!("{start}{words}{end}")
}

/// What may be meant as it stands in a name, or as a part of a glob.
const BRACKETS: [char; 4] = ['[', ']', '{', '}'];

/// Writes a pattern in which brackets stand for themselves.
fn with_literal_brackets(pattern: &str) -> String {
    let mut literal = String::with_capacity(pattern.len() + 8);
    for letter in pattern.chars() {
        if BRACKETS.contains(&letter) {
            literal.extend(['[', letter, ']']);
        } else {
            literal.push(letter);
        }
    }
    literal
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    let pattern = pattern.trim_start_matches("./");
    let is_folder = pattern.is_empty() || pattern.ends_with('/');
    let within = if is_folder { "**" } else { "" };
    let pattern = &format!("{pattern}{within}");
    let is_anchored = pattern.starts_with('/') || pattern.starts_with("**");
    let whole = if is_anchored {
        pattern.to_owned()
    } else {
        format!("**/{pattern}")
    };
    GlobBuilder::new(&whole).literal_separator(true).build()
}

/// Reads `2` or `1-3`.
fn levels(text: &str) -> Option<RangeInclusive<u8>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse().ok()?, last.parse().ok()?);
    (first <= last).then_some(first..=last)
}

/// Returns the path that a `file:` URI names, or else the URI.
fn path_of(uri: &str) -> Cow<'_, str> {
    let Some(path) = uri.strip_prefix("file://") else {
        return Cow::Borrowed(uri);
    };
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let mut decoded = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = (*first == b'%')
            .then(|| after.split_at_checked(2))
            .flatten();
        let byte = escaped.and_then(|(digits, after)| Some((hexadecimal(digits)?, after)));
        let (byte, after) = byte.unwrap_or((*first, after));
        decoded.push(byte);
        rest = after;
    }
    Cow::Owned(String::from_utf8_lossy(&decoded).into_owned())
}

fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(digits).ok()?;
    u8::from_str_radix(digits, 16).ok()
}

fn date_of(metadata: &Metadata) -> Option<&str> {
    let known = [&metadata.modified, &metadata.created];
    let known = known.into_iter().flatten().map(String::as_str);
    let other = metadata.extra.get("date").and_then(Value::as_str);
    known.chain(other).find(|date| begins_with_a_date(date))
}

/// Returns whether a text begins as ISO 8601 writes a year, or a month or a day of it. Others cannot be compared.
fn begins_with_a_date(text: &str) -> bool {
    let end = text.find(|letter: char| letter != '-' && !letter.is_ascii_digit());
    is_date(&text[..end.unwrap_or(text.len())])
}

/// Returns whether a text is `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, with a month and a day that there can be.
fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), month, day) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let last_day = match month {
        Some("02") => 29,
        Some("04" | "06" | "09" | "11") => 30,
        _ => 31,
    };
    parts.next().is_none()
        && is_number(year, 4, 9999)
        && month.is_none_or(|month| is_number(month, 2, 12))
        && day.is_none_or(|day| is_number(day, 2, last_day))
}

/// Returns whether a text is a number of so many digits from 1 to `last`.
fn is_number(text: &str, digits: usize, last: u32) -> bool {
    let is_written = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    is_written
        && text
            .parse()
            .is_ok_and(|number| (1..=last).contains(&number))
}

/// Returns whether a field says a value, or lists it.
fn is_said(found: &Value, value: &Value) -> bool {
    let is_listed = |items: &Vec<Value>| items.iter().any(|item| is_said(item, value));
    found == value
        || found.as_array().is_some_and(is_listed)
        || as_written(found).is_some_and(|found| Some(found) == as_written(value))
        || whole(found).is_some_and(|found| Some(found) == whole(value))
}

/// Returns a number without a fraction, however it is written: 1.0 is 1.
fn whole(value: &Value) -> Option<i128> {
    let integer = value.as_i64().map(i128::from);
    let integer = integer.or_else(|| value.as_u64().map(i128::from));
    let is_whole = |float: &f64| float.fract() == 0.0 && float.abs() <= WIDEST;
    integer.or_else(|| value.as_f64().filter(is_whole).map(|float| float as i128))
}

/// The end of the integers of 64 bits.
const WIDEST: f64 = 18_446_744_073_709_551_616.0;

/// Returns whether a value is one of the authors of a document, or the language that it states or is indexed in.
fn is_meant(name: &str, value: Option<&str>, found: &str, language: &str) -> bool {
    match (name, value) {
        ("author", Some(value)) => names(found).any(|one| one == value),
        ("language", Some(value)) => value == language || is_of_language(found, value),
        _ => false,
    }
}

/// Splits the authors of a document, who are written in a row.
fn names(authors: &str) -> impl Iterator<Item = &str> {
    let parts = authors
        .split([',', ';'])
        .flat_map(|part| part.split(" and "));
    parts.map(str::trim)
}

/// Returns whether a tag such as `en-GB` is of a language.
fn is_of_language(tag: &str, language: &str) -> bool {
    let rest = tag
        .get(..language.len())
        .filter(|start| start.eq_ignore_ascii_case(language));
    rest.is_some() && tag[language.len()..].starts_with(['-', '_'])
}

/// Writes a word, a number or a truth value as a person would.
fn as_written(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Number(_) | Value::Bool(_) => Some(Cow::Owned(value.to_string())),
        _ => None,
    }
}

fn checked_date(name: &str, date: &str) -> Result<String> {
    if is_date(date) {
        return Ok(date.to_owned());
    }
    Err(Error::InvalidFilter {
        filter: format!("{name}={date}"),
        reason: "write the date as 2026, 2026-11 or 2026-11-21".into(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn metadata(value: Value) -> Metadata {
        serde_json::from_value(value).unwrap()
    }

    fn has(scope: &Scope, value: Value) -> bool {
        scope.has_document("file:///docs/a%20b/guide.md", "de", &metadata(value))
    }

    #[test]
    fn paths_are_matched_as_globs() {
        let has = |pattern: &str| {
            let scope = Scope::all().with_path(pattern).unwrap();
            has(&scope, json!({}))
        };
        assert!(has("*.md") && has("docs/**/*.md") && has("/docs/a b/*") && has("**/guide.md"));
        assert!(!has("docs/*.md") && !has("*.txt") && !has("/guide.md"));
        assert!(has("./guide.md") && has("docs/") && has("a b/") && has("/docs/") && has("./"));
        assert!(!has("doc/") && !has("/a b/") && !has("guide.md/"));
        let error = Scope::all().with_path("a[").unwrap_err();
        assert!(error.to_string().contains("path=a["), "{error}");
        let any = Scope::all().with_paths(["*.txt", "docs/**"]).unwrap();
        let neither = Scope::all().with_paths(["*.txt", "x/**"]).unwrap();
        let guide = "file:///docs/a%20b/guide.md";
        assert!(any.has_document(guide, "", &Metadata::default()));
        assert!(!neither.has_document(guide, "", &Metadata::default()));
        let web = Scope::all().with_path("https://example.org/**").unwrap();
        assert!(!web.has_document("ftp://example.org/a", "", &Metadata::default()));
    }

    #[test]
    fn fields_are_compared_as_written_and_within_lists() {
        let has = |name: &str, value: Value| {
            let said = json!({"author": "Ada", "year": 2023, "tags": ["x", 7], "draft": false});
            has(&Scope::all().with_field(name, value), said)
        };
        assert!(has("author", json!("Ada")) && has("year", json!("2023")));
        assert!(has("tags", json!("7")) && has("draft", json!(false)));
        assert!(!has("author", json!("ada")) && !has("missing", Value::Null));
    }

    #[test]
    fn a_number_is_the_same_with_and_without_a_point() {
        let has = |value: Value, said: Value| {
            has(&Scope::all().with_field("n", value), json!({ "n": said }))
        };
        assert!(has(json!(1.0), json!(1)) && has(json!(1), json!(1.0)));
        assert!(has(json!(-0.0), json!(0)) && has(json!(2.0), json!([1, 2])));
        assert!(has(json!("1.0"), json!(1.0)) && has(json!(1e300), json!(1e300)));
        assert!(has(json!(u64::MAX), json!(u64::MAX)));
        assert!(!has(json!("1.0"), json!(1)) && !has(json!(1.5), json!(1)));
        assert!(!has(
            json!(9_007_199_254_740_993_u64),
            json!(9_007_199_254_740_992.0)
        ));
        assert!(!has(json!(1e300), json!(1e301)) && !has(json!(true), json!(1)));
    }

    #[test]
    fn one_of_several_authors_and_a_language_are_found() {
        let has = |name: &str, value: &str, said: Value| {
            has(&Scope::all().with_field(name, value.into()), said)
        };
        for authors in [
            "Ada Lovelace, Grace Hopper",
            "Ada Lovelace; Grace Hopper",
            "Ada Lovelace and Grace Hopper",
        ] {
            for one in ["Ada Lovelace", "Grace Hopper", authors] {
                assert!(
                    has("author", one, json!({"author": authors})),
                    "{one} of {authors}"
                );
            }
            assert!(!has("author", "Ada", json!({"author": authors})));
        }
        assert!(has("language", "de", json!({})), "it is indexed so");
        assert!(has("language", "en", json!({"language": "en-GB"})));
        assert!(has("language", "en-GB", json!({"language": "en-GB"})));
        assert!(
            !has("language", "en", json!({"language": "enm"})) && !has("language", "fr", json!({}))
        );
    }

    #[test]
    fn dates_are_compared_as_far_as_they_are_given() {
        let scope = |since: &str, until: &str| {
            let scope = Scope::all().with_since(since).unwrap();
            scope.with_until(until).unwrap()
        };
        let of_may = json!({"created": "2024-05-31T23:00:00Z"});
        assert!(has(&scope("2024", "2024-05"), of_may.clone()));
        assert!(has(&scope("2024-05-31", "2024"), of_may.clone()));
        assert!(!has(&scope("2024-06", "2025"), of_may.clone()));
        assert!(!has(&scope("2020", "2024-05-30"), of_may));
        assert!(has(&scope("2024", "2024"), json!({"date": "2024-01-01"})));
        assert!(!has(&scope("2024", "2024"), json!({})));
        // What is written in another way is no date, rather than later than all of them.
        assert!(!has(
            &scope("2024", "2024"),
            json!({"created": "May 31, 2024"})
        ));
        let both = json!({"created": "May 31, 2024", "date": "2024-05-31"});
        assert!(has(&scope("2024", "2024"), both));
        for wrong in [
            "May",
            "2024-13",
            "2024-00",
            "2024-06-31",
            "0000",
            "24",
            "2024-5",
            "2024-05-31T",
        ] {
            assert!(Scope::all().with_since(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn filters_are_read_as_typed() {
        let has = |filter: &str| {
            let scope = Scope::all().with_filter(filter).unwrap();
            let said = json!({"team": "red", "path": "x", "year": 2023, "created": "2024-05-31"});
            has(&scope, said) && scope.has_section(2, &["Methods".to_owned()])
        };
        let right = "path=*.md heading=methods level=2 level=1-3 since=2024 until=2024 team=red \
                     year=2023 metadata.path=x";
        assert!(right.split(' ').all(has));
        let wrong = "path=*.txt heading=x level=3 since=2025 until=2023 team=blue other=x";
        assert!(!wrong.split(' ').any(has));
        for filter in [
            "team",
            "=red",
            "level=a",
            "level=1-",
            "level=3-1",
            "since=soon",
            "path=[",
            "path=",
            "path= ",
            "heading=",
            "team=",
            "since=",
        ] {
            let error = Scope::all().with_filter(filter).unwrap_err().to_string();
            assert!(error.contains(filter), "{error}");
        }
    }

    #[test]
    fn sections_without_a_heading_are_outside() {
        let path = ["Guide".to_owned(), "METHODS used".to_owned()];
        let scope = Scope::all().with_heading("Methods");
        assert!(scope.has_section(2, &path));
        assert!(!scope.has_section(1, &path[..1]) && !scope.has_section(0, &[]));
        let scope = scope.with_levels(1..=1);
        assert!(!scope.has_section(2, &path));
        assert!(Scope::all().with_levels(0..=0).has_section(0, &[]));
    }

    #[test]
    fn headings_are_matched_by_their_words() {
        let has = |filter: &str, heading: &str| {
            let scope = Scope::all().with_heading(filter);
            scope.has_section(1, &[heading.to_owned()])
        };
        for (filter, heading) in [
            ("c", "The C language"),
            ("C++", "Notes on C++."),
            ("well known", "Well-Known ports"),
            ("on-disk", "The on\u{2011}disk format"),
            ("input", "Input/Output (files)"),
            ("方法", "研究方法论"),
            ("", "Any"),
        ] {
            assert!(has(filter, heading), "{filter} {heading}");
        }
        for (filter, heading) in [
            ("c", "Code"),
            ("c", "C++"),
            ("known well", "Well-known ports"),
            ("meth", "Methods"),
        ] {
            assert!(!has(filter, heading), "{filter} {heading}");
        }
    }

    #[test]
    fn of_several_filters_all_have_to_match() {
        let with = |filters: &str| {
            let mut all = filters.split(' ');
            all.try_fold(Scope::all(), Scope::with_filter).unwrap()
        };
        let of_may = json!({"created": "2024-05-31"});
        for (filters, is_in) in [
            ("since=2024 since=2023", true),
            ("since=2025 since=2023", false),
            ("until=2024 until=2024-06", true),
            ("until=2024-04 until=2025", false),
        ] {
            assert_eq!(has(&with(filters), of_may.clone()), is_in, "{filters}");
        }
        let levels = with("level=1-3 level=2-4");
        let kept = (0..6).filter(|level| levels.has_section(*level, &[]));
        assert!(kept.eq(2..=3));
        assert!(!with("level=1 level=2").has_section(1, &[]));
    }
}
