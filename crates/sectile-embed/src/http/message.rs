//! The message in a server's error answer.

use serde_json::Value;

/// The maximum number of characters of a server's message that are passed on.
const LONGEST_MESSAGE: usize = 500;

/// Finds the message in the body of an answer: where a known server puts it, or the text.
pub(crate) fn of_body(body: &[u8], key: Option<&str>) -> String {
    let text = match serde_json::from_slice::<Value>(body) {
        Ok(json) => of_json(&json).unwrap_or_else(|| json.to_string()),
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
pub(crate) fn of_json(json: &Value) -> Option<String> {
    let message = ["/error/message", "/error", "/message", "/detail"]
        .into_iter()
        .find_map(|place| json.pointer(place).filter(|value| !value.is_null()))?;
    let text = message.as_str().map(str::to_owned);
    Some(text.unwrap_or_else(|| message.to_string()))
}

/// Makes a text of a server safe to show: without the key, on one line, and not long.
pub(crate) fn brief(text: &str, key: Option<&str>) -> String {
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
            assert_eq!(of_body(body.as_bytes(), None), expected, "{body}");
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
}
