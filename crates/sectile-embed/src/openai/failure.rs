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
    let is_too_long = is_about_length(&message);
    let passing = || Failure::Passing {
        source: Trouble::Status {
            address,
            status,
            message,
        },
        wait,
    };
    match status.as_u16() {
        300..=399 => unusable(model, &told, "give the address that it redirects to"),
        401 | 403 => unusable(model, &told, "give a key that may use this model"),
        402 => unusable(model, &told, "check the account that the key is of"),
        404 | 405 => unusable(
            model,
            &told,
            "check that the model is there, and the base URL, which usually ends in `/v1`",
        ),
        code @ (408 | 425 | 429 | 500..) if code != 500 || !is_too_long => passing(),
        _ => Failure::Final(Error::Refused {
            model: model.to_owned(),
            reason: format!("{told}; check what the model takes, and that no text is too long"),
        }),
    }
}

/// Returns whether a server says that a text is too long. llama.cpp says so with the status of an error of its own.
fn is_about_length(message: &str) -> bool {
    let message = message.to_lowercase();
    let says = |words: &&str| message.contains(words);
    [
        "too large to process",
        "input is too long",
        "context length",
    ]
    .iter()
    .any(says)
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
        assert_eq!(kinds(&[301, 401, 402, 403, 404, 405]), ["configuration"; 6]);
        assert_eq!(kinds(&[400, 409, 413, 422]), ["refused"; 4]);
        assert_eq!(kinds(&[408, 425, 429, 500, 503, 529]), ["passing"; 6]);
    }

    #[test]
    fn a_text_that_is_too_long_is_refused_with_status_500_too() {
        let is_refused = |message: &str| {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            let failure = of_status("m", String::new(), status, message.to_owned(), None);
            matches!(failure, Failure::Final(Error::Refused { .. }))
        };
        assert!(is_refused(
            "input (612 tokens) is too large to process. increase the physical batch size"
        ));
        assert!(is_refused("the input length exceeds the Context Length"));
        assert!(!is_refused("out of memory") && !is_refused("the request took too long"));
    }
}
