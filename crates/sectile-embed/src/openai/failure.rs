//! Error answers of servers.

use std::time::Duration;

use reqwest::StatusCode;

use crate::Error;
use crate::http::{Failure, Trouble};

/// Sorts an answer that is not a success by what its status says.
pub(super) fn of_status(
    model: &str,
    address: String,
    status: StatusCode,
    message: String,
    wait: Option<Duration>,
) -> Failure {
    let told = format!("{address} answered with status {status}: {message}");
    match status.as_u16() {
        300..=399 => unusable(model, &told, "give the address that it redirects to"),
        401 | 403 => unusable(model, &told, "give a key that may use this model"),
        404 | 405 => unusable(
            model,
            &told,
            "check that the model is there, and the base URL, which usually ends in `/v1`",
        ),
        408 | 425 | 429 | 500.. => Failure::Passing {
            source: Trouble::Status {
                address,
                status,
                message,
            },
            wait,
        },
        _ => Failure::Final(Error::Refused {
            model: model.to_owned(),
            reason: format!("{told}; check what the model takes, and that no text is too long"),
        }),
    }
}

fn unusable(model: &str, told: &str, advice: &str) -> Failure {
    Failure::Final(Error::Configuration {
        model: model.to_owned(),
        reason: format!("{told}; {advice}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_sorted_by_what_the_caller_can_do() {
        let kind = |status: u16| {
            let status = StatusCode::from_u16(status).unwrap();
            match of_status("m", String::new(), status, String::new(), None) {
                Failure::Passing { .. } => "passing",
                Failure::Final(Error::Refused { .. }) => "refused",
                Failure::Final(Error::Configuration { .. }) => "configuration",
                Failure::Final(_) => "other",
            }
        };
        let kinds = |statuses: &[u16]| statuses.iter().copied().map(kind).collect::<Vec<_>>();
        assert_eq!(kinds(&[301, 401, 403, 404, 405]), ["configuration"; 5]);
        assert_eq!(kinds(&[400, 402, 409, 413, 422]), ["refused"; 5]);
        assert_eq!(kinds(&[408, 425, 429, 500, 503, 529]), ["passing"; 6]);
    }
}
