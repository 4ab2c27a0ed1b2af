//! The headers of a request that identify its sender.

use axum::http::header::COOKIE;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Uri};

/// The header in which browsers state the origin of a request.
const FETCH_SITE: &str = "sec-fetch-site";
const FETCH_MODE: &str = "sec-fetch-mode";
const FETCH_DEST: &str = "sec-fetch-dest";

pub(super) fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none());
    value?.to_str().ok()
}

/// Returns whether a browser asks for a page of another server, without telling which. It does for pictures
/// and scripts; a link that is followed is what the reader wants.
pub(super) fn is_of_other_page(headers: &HeaderMap) -> bool {
    let says = |name, value| headers.get(name).is_some_and(|said| said == value);
    let is_followed = says(FETCH_MODE, "navigate") && says(FETCH_DEST, "document");
    let is_other = says(FETCH_SITE, "cross-site") || says(FETCH_SITE, "same-site");
    is_other && !is_followed
}

/// Returns the host and port of an origin.
pub(super) fn authority(origin: &str) -> Option<Authority> {
    let uri: Uri = origin.parse().ok()?;
    let is_web = ["http", "https"].contains(&uri.scheme_str()?);
    uri.authority().filter(|_| is_web).cloned()
}

pub(super) fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Returns the values of the cookies of a name.
pub(super) fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let headers = headers.get_all(COOKIE).into_iter();
    let headers = headers.filter_map(|header| header.to_str().ok());
    let all = headers.flat_map(|header| header.split(';'));
    all.filter_map(move |cookie| cookie.trim().strip_prefix(name)?.strip_prefix('='))
}

/// Returns the token in the address of a page, and the address without it.
pub(super) fn query_token(uri: &Uri) -> Option<(&str, String)> {
    let query = uri.query()?;
    let token = query
        .split('&')
        .find_map(|part| part.strip_prefix("token="))?;
    let rest = query.split('&').filter(|part| !part.starts_with("token="));
    let rest: Vec<&str> = rest.collect();
    // Two slashes would begin the name of another server.
    let path = format!("/{}", uri.path().trim_start_matches(['/', '\\']));
    Some(match &*rest {
        [] => (token, path),
        rest => (token, format!("{path}?{}", rest.join("&"))),
    })
}
