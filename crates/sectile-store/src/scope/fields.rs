//! Values of metadata fields, and those that they are compared with.

use std::borrow::Cow;

use serde_json::Value;

/// Returns whether a field says a value, or lists it.
pub(super) fn is_said(found: &Value, value: &Value) -> bool {
    let is_listed = |items: &Vec<Value>| items.iter().any(|item| is_said(item, value));
    found == value
        || found.as_array().is_some_and(is_listed)
        || as_written(found).is_some_and(|found| Some(found) == as_written(value))
        || whole(found).is_some_and(|found| Some(found) == whole(value))
}

/// Returns whether a list of tags has one, or one below it: `lang` or `lang/` for `#lang/dotnet`, in any case.
pub(super) fn is_tagged(name: &str, found: &Value, value: &Value) -> bool {
    let Some(asked) = value.as_str().filter(|_| matches!(name, "tags" | "tag")) else {
        return false;
    };
    let plain = |tag: &str| {
        let name = tag.trim().trim_start_matches('#');
        name.trim_end_matches('/').to_lowercase()
    };
    let asked = plain(asked);
    let is_one = |tag: &str| {
        let tag = plain(tag);
        let below = tag.strip_prefix(&*asked);
        below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
    };
    match found {
        Value::String(tags) => tags.split(',').any(is_one),
        Value::Array(tags) => tags.iter().filter_map(Value::as_str).any(is_one),
        _ => false,
    }
}

/// The end of the integers of 64 bits.
const WIDEST: f64 = 18_446_744_073_709_551_616.0;

/// Returns a number without a fraction, however it is written: 1.0 is 1.
fn whole(value: &Value) -> Option<i128> {
    let integer = value.as_i64().map(i128::from);
    let integer = integer.or_else(|| value.as_u64().map(i128::from));
    let is_whole = |float: &f64| float.fract() == 0.0 && float.abs() <= WIDEST;
    integer.or_else(|| value.as_f64().filter(is_whole).map(|float| float as i128))
}

/// Returns whether a value is one of the authors of a document, or the language that it states or is indexed in.
pub(super) fn is_meant(name: &str, value: Option<&str>, found: &str, language: &str) -> bool {
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
