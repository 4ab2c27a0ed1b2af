//! JSON that opens and closes, as much of it as a browser can draw.

use maud::{Markup, html};
use serde_json::Value;

use crate::write::{beginning, count, size};

/// How many bytes of JSON are drawn as a tree; of more only the beginning is shown, as text.
const TREE: usize = 4 << 20;

/// How much of it is shown then.
const TEXT: usize = 100_000;

/// How many values are drawn.
const VALUES: usize = 4_000;

/// How much of one string is drawn.
const STRING: usize = 4_000;

/// How deep values are open at first.
const OPEN: usize = 2;

/// Draws JSON text.
pub(crate) fn text(json: &str) -> Markup {
    let parsed = (json.len() <= TREE).then(|| serde_json::from_str(json).ok());
    if let Some(parsed) = parsed.flatten() {
        return value(&parsed);
    }
    html! {
        p.note { "The state has " (size(json.len() as u64)) "; this is its beginning. " code { "sectile checkpoint show" } " prints all of it." }
        pre.json { (beginning(json, TEXT)) }
    }
}

/// Draws a value.
pub(crate) fn value(value: &Value) -> Markup {
    let mut left = VALUES;
    let drawn = draw(value, None, 0, &mut left);
    html! {
        @if left == 0 { p.note { "Only the first " (count(VALUES)) " values are shown." } }
        div.json { (drawn) }
    }
}

fn draw(value: &Value, name: Option<&str>, depth: usize, left: &mut usize) -> Markup {
    if *left == 0 {
        return html! {};
    }
    *left -= 1;
    match value {
        Value::Array(items) if !items.is_empty() => {
            let inner = items.iter().map(|item| draw(item, None, depth + 1, left));
            let inner: Vec<Markup> = inner.collect();
            opens(name, &inner, ("[", "]"), depth)
        }
        Value::Object(members) if !members.is_empty() => {
            let inner = members.iter();
            let inner = inner.map(|(name, value)| draw(value, Some(name), depth + 1, left));
            let inner: Vec<Markup> = inner.collect();
            opens(name, &inner, ("{", "}"), depth)
        }
        plain => html! { div.value { (named(name)) (scalar(plain)) } },
    }
}

fn opens(name: Option<&str>, inner: &[Markup], brackets: (&str, &str), depth: usize) -> Markup {
    html! {
        details open[depth < OPEN] {
            summary { (named(name)) (brackets.0) span.count { (count(inner.len())) } (brackets.1) }
            div.inner { @for value in inner { (value) } }
        }
    }
}

fn named(name: Option<&str>) -> Markup {
    html! { @if let Some(name) = name { span.key { bdi { (beginning(name, STRING)) } } ": " } }
}

fn scalar(value: &Value) -> Markup {
    match value {
        Value::String(text) => {
            let shown = beginning(text, STRING);
            html! {
                span.string { "\"" bdi { (shown) } "\"" }
                @if shown.len() < text.len() { span.count { "… " (size(text.len() as u64)) } }
            }
        }
        other => html! { span.plain { (other.to_string()) } },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_drawn_and_escaped() {
        let html = value(&json!({"<b>": ["</script>", 1.5, null], "e": {}})).into_string();
        assert!(html.contains("&lt;b&gt;") && html.contains("&lt;/script&gt;"));
        assert!(html.contains("1.5") && html.contains("null") && html.contains("{}"));
        assert!(!html.contains("Only the first"));
    }

    #[test]
    fn what_is_too_much_is_cut_and_says_so() {
        let many: Vec<usize> = (0..2 * VALUES).collect();
        let html = value(&json!(many)).into_string();
        assert!(html.contains("Only the first") && html.len() < 300_000);
        let long = format!("\"{}\"", "x".repeat(TREE));
        let html = text(&long).into_string();
        assert!(html.contains("its beginning") && html.len() < 2 * TEXT);
    }
}
