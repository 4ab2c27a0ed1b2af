//! What the headers of an answer say.

use std::time::{Duration, SystemTime};

use reqwest::Response;
use reqwest::header::{
    CONTENT_TYPE, ETAG, HeaderMap, HeaderName, LAST_MODIFIED, LOCATION, RETRY_AFTER,
};
use url::Url;

use super::Redirect;
use crate::answer::{Body, Validators};
use crate::resolve::join;
use crate::{Error, Result};

/// What a server asks programs to do with a page.
const X_ROBOTS_TAG: HeaderName = HeaderName::from_static("x-robots-tag");

/// The longest value of a header that is kept.
const LONGEST_HEADER: usize = 1 << 10;

/// Returns what the head of an answer says of a page.
pub(super) fn head(headers: &HeaderMap, at: &Url) -> Body {
    Body {
        url: at.clone(),
        content_type: text(headers, CONTENT_TYPE).unwrap_or_default(),
        validators: Validators {
            etag: text(headers, ETAG),
            last_modified: text(headers, LAST_MODIFIED),
        },
        robots: all(headers, &X_ROBOTS_TAG),
        bytes: Vec::new(),
    }
}

/// Returns a header that is text, and not too long.
fn text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?.trim();
    (!value.is_empty() && value.len() <= LONGEST_HEADER).then(|| value.to_owned())
}

/// Returns each value of a header that is text.
fn all(headers: &HeaderMap, name: &HeaderName) -> Vec<String> {
    let values = headers.get_all(name).iter();
    let values = values.filter(|value| value.len() <= LONGEST_HEADER);
    values
        .filter_map(|value| Some(value.to_str().ok()?.to_owned()))
        .collect()
}

/// Returns where a redirect leads.
pub(super) fn redirect(response: &Response, at: &Url) -> Result<Redirect> {
    let failed = |reason: String| Error::Redirect {
        url: at.clone(),
        reason,
    };
    let status = response.status();
    let value = response.headers().get(LOCATION).filter(|_| {
        let is_move = matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308);
        is_move
    });
    let value = value.ok_or_else(|| failed(format!("status {status} leads nowhere")))?;
    let place = String::from_utf8_lossy(value.as_bytes());
    let to = join(at, &place).ok_or_else(|| {
        let beginning: String = place.chars().take(64).collect();
        failed(format!("`{}` is not an address", beginning.escape_debug()))
    });
    Ok(Redirect {
        to: to?,
        is_temporary: !matches!(status.as_u16(), 301 | 308),
    })
}

/// Reads what the server asks to wait: seconds or a date, of RFC 9110, section 10.2.3.
pub(super) fn asked_wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = text(headers, RETRY_AFTER)?;
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(&value).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_seconds_or_dates() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let check = |value: &str, expected: Option<u64>| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, value.parse().unwrap())]);
            let expected = expected.map(Duration::from_secs);
            assert_eq!(asked_wait(&headers, now), expected, "{value}");
        };
        check("12", Some(12));
        check("Sun, 06 Nov 1994 08:50:37 GMT", Some(60));
        check("Sun, 06 Nov 1994 08:00:00 GMT", Some(0));
        check("soon", None);
    }
}
