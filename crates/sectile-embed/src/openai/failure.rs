//! What a server says when it does not answer the question.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::Value;

use crate::Error;

/// The most characters of a server's message that are passed on.
const LONGEST_MESSAGE: usize = 500;

/// Why one attempt failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The next attempt may succeed.
    Passing {
        /// What happened.
        source: Trouble,
        /// How long the server asks to wait.
        wait: Option<Duration>,
    },
    /// The next attempt fails as well.
    Final(Error),
}

/// What happened to a request that may succeed later.
#[derive(Debug, thiserror::Error)]
pub(super) enum Trouble {
    #[error("no complete answer from {address}")]
    Transport {
        address: String,
        source: reqwest::Error,
    },
    #[error("{address} answered with status {status}: {message}")]
    Status {
        address: String,
        status: StatusCode,
        message: String,
    },
}

/// Sorts an answer that is no success by what its status says.
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

/// Finds the message in the body of an answer: where a known server puts it, or the text.
pub(super) fn message(body: &[u8], key: Option<&str>) -> String {
    let text = match serde_json::from_slice::<Value>(body) {
        Ok(json) => message_of_json(&json).unwrap_or_else(|| json.to_string()),
        Err(_) => String::from_utf8_lossy(body).into_owned(),
    };
    let text = brief(&text, key);
    if text.is_empty() {
        "no message".to_owned()
    } else {
        text
    }
}

/// Finds the message in an answer that has one.
pub(super) fn message_of_json(json: &Value) -> Option<String> {
    let message = ["/error/message", "/error", "/message", "/detail"]
        .into_iter()
        .find_map(|place| json.pointer(place).filter(|value| !value.is_null()))?;
    let text = message.as_str().map(str::to_owned);
    Some(text.unwrap_or_else(|| message.to_string()))
}

/// Makes a text of a server safe to show: without the key, on one line, and not long.
pub(super) fn brief(text: &str, key: Option<&str>) -> String {
    let text = match key {
        Some(key) if !key.is_empty() => text.replace(key, "[key]"),
        _ => text.to_owned(),
    };
    let words: Vec<&str> = text
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    match line.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_found_where_servers_put_them() {
        let check = |body: &str, expected: &str| {
            assert_eq!(message(body.as_bytes(), None), expected, "{body}");
        };
        check(r#"{"error":{"message":"no such model"}}"#, "no such model");
        check(r#"{"error":"model not found"}"#, "model not found");
        check(r#"{"error":null,"message":"wrong"}"#, "wrong");
        check(r#"{"detail":[{"msg":"bad"}]}"#, r#"[{"msg":"bad"}]"#);
        check("<h1>Bad\n gateway</h1>", "<h1>Bad gateway</h1>");
        check("", "no message");
    }

    #[test]
    fn messages_are_short_and_without_key_and_control_characters() {
        let text = format!("key sk-1\u{1b}[31m {}", "é".repeat(1000));
        let brief = brief(&text, Some("sk-1"));
        assert!(brief.starts_with("key [key] [31m éé"), "{brief}");
        assert_eq!(brief.chars().count(), LONGEST_MESSAGE + 1);
    }

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
