//! The errors of requests.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use reqwest::Response;
use url::Url;

use super::body::Failure;
use super::headers::asked_wait;
use crate::Error;
use crate::error::Cause;
use crate::resolve::{Private, Unresolved};

pub(super) fn unavailable(at: &Url, retry_after: Option<Duration>, reason: String) -> Error {
    let reason: Box<dyn std::error::Error + Send + Sync> = reason.into();
    Error::Unavailable {
        url: at.clone(),
        retry_after,
        source: Cause::from(reason),
    }
}

pub(super) fn of_status(response: &Response, at: &Url) -> Error {
    let (url, status) = (at.clone(), response.status());
    match status.as_u16() {
        404 | 410 => Error::NotFound {
            url,
            status: status.as_u16(),
        },
        408 | 425 | 429 | 500.. => {
            let wait = asked_wait(response.headers(), SystemTime::now());
            let told = match wait {
                Some(wait) => format!("status {status}, asking to wait {} s", wait.as_secs()),
                None => format!("status {status}"),
            };
            unavailable(at, wait, told)
        }
        400..=499 => Error::Refused {
            url,
            status: status.as_u16(),
        },
        _ => Error::Unreadable {
            url,
            reason: format!("it has the status {status}"),
        },
    }
}

pub(super) fn of_body(failure: Failure, at: &Url, limit: usize) -> Error {
    let url = at.clone();
    match failure {
        Failure::TooLarge => Error::TooLarge { url, limit },
        Failure::Unreadable(reason) => Error::Unreadable { url, reason },
        Failure::Broken(error) => of_transport(error, at),
        Failure::Unfinished => {
            let reason = "the connection ended before the packed text did";
            unavailable(at, None, reason.to_owned())
        }
    }
}

pub(super) fn of_transport(error: reqwest::Error, at: &Url) -> Error {
    let url = at.clone();
    if let Some(Private(address)) = cause(&error) {
        let address = address.clone();
        return Error::PrivateAddress { url, address };
    }
    let is_unresolved = cause::<Unresolved>(&error).is_some();
    let is_insecure = cause::<rustls::Error>(&error).is_some();
    if is_unresolved {
        return Error::NoHost { url };
    }
    let source: Cause = Arc::new(error.without_url());
    if is_insecure {
        return Error::Insecure { url, source };
    }
    Error::Unavailable {
        url,
        retry_after: None,
        source,
    }
}

/// Returns the cause of an error that is of a type, wherever it stands among the causes.
fn cause<T: std::error::Error + 'static>(error: &reqwest::Error) -> Option<&T> {
    let mut next: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        // An error of reading and writing passes over the one that it holds.
        let held = error.downcast_ref().and_then(std::io::Error::get_ref);
        next = match held {
            Some(held) => Some(held),
            None => error.source(),
        };
    }
    None
}
