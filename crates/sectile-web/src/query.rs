//! Parameters in the query of an address.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// The query of a request, or an error page that says what is wrong with it.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        let Query(asked) = query.map_err(|error| Failure::unusable(error.body_text()))?;
        Ok(Self(asked))
    }
}

/// Reads a number that a form may leave empty.
///
/// # Errors
///
/// What is wrong with it, naming the field.
pub(crate) fn number<T: std::str::FromStr>(
    name: &str,
    text: Option<&str>,
) -> Result<Option<T>, String> {
    let Some(text) = filled(text) else {
        return Ok(None);
    };
    let number = text.parse().map(Some);
    number.map_err(|_| {
        format!("`{text}` is not a number for {name}; write a whole number, such as 400")
    })
}

/// Returns what a field says, if it says anything.
pub(crate) fn filled(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}
