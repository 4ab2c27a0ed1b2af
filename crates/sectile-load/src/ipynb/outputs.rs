//! What code cells put out, as text.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::text::joined;

/// How many types of outputs are counted, and how long their names may be.
const MAX_TYPES: usize = 100;
const MAX_NAME: usize = 100;

/// An output as it is written.
pub(super) enum Shown {
    Markdown(String),
    Plain(String),
    Nothing,
}

/// Reads an output; what it holds instead of text is counted in `left_out`.
pub(super) fn read(output: &Value, left_out: &mut BTreeMap<String, u64>) -> Shown {
    let kind = output.get("output_type").and_then(Value::as_str);
    match kind.unwrap_or_default() {
        "stream" => Shown::Plain(plain(&joined(output.get("text")))),
        "error" | "pyerr" => Shown::Plain(error(output)),
        _ => {
            let data = output
                .get("data")
                .or(Some(output))
                .and_then(Value::as_object);
            data.map_or(Shown::Nothing, |data| of_types(data, left_out))
        }
    }
}

fn error(output: &Value) -> String {
    let lines = output.get("traceback").and_then(Value::as_array);
    let lines: Vec<&str> = lines
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    if !lines.is_empty() {
        return plain(&lines.join("\n"));
    }
    let part = |name| output.get(name).and_then(Value::as_str).unwrap_or_default();
    plain(&format!("{}: {}", part("ename"), part("evalue")))
}

/// Chooses the text among the forms of a result: Markdown, plain text, or LaTeX.
fn of_types(data: &Map<String, Value>, left_out: &mut BTreeMap<String, u64>) -> Shown {
    let image = data.keys().find(|name| is_image(name));
    if let Some(name) = image {
        count(name, left_out);
    }
    let text = |name| data.get(name).map(|value| joined(Some(value)));
    if let Some(markdown) = text("text/markdown") {
        return Shown::Markdown(markdown);
    }
    if let Some(plain_text) = text("text/plain").or_else(|| text("text")) {
        // Beside an image it says what object the image is of, `<Figure size 432x288 with 1 Axes>`.
        let is_name = plain_text.starts_with('<') && plain_text.ends_with('>');
        if image.is_some() && is_name {
            return Shown::Nothing;
        }
        return Shown::Plain(plain(&plain_text));
    }
    if let Some(latex) = text("text/latex").or_else(|| text("latex")) {
        return Shown::Markdown(latex);
    }
    if image.is_none() {
        let names = data
            .keys()
            .filter(|name| name.contains('/') || *name == "html");
        if let Some(name) = names.into_iter().next() {
            count(name, left_out);
        }
    }
    Shown::Nothing
}

fn is_image(name: &str) -> bool {
    name.starts_with("image/") || matches!(name, "png" | "jpeg" | "svg" | "application/pdf")
}

fn count(name: &str, left_out: &mut BTreeMap<String, u64>) {
    let name = &name[..name.floor_char_boundary(MAX_NAME)];
    if left_out.len() < MAX_TYPES || left_out.contains_key(name) {
        *left_out.entry(name.to_owned()).or_default() += 1;
    }
}

/// Returns a text as a terminal shows it at the end: without colours, and of a line that was written
/// over only what is there last.
fn plain(text: &str) -> String {
    let text = without_escapes(text).replace("\r\n", "\n");
    let lines = text.split('\n').map(|line| {
        let line = line.trim_end_matches('\r');
        line.rsplit('\r').next().unwrap_or(line)
    });
    let lines: Vec<&str> = lines.collect();
    lines.join("\n")
}

/// Takes escape sequences out: `ESC [ ... letter`, and `ESC ] ... BEL`.
fn without_escapes(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut parts = text.split('\x1b');
    shown.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = match part.chars().next() {
            Some('[') => part[1..]
                .find(|char: char| ('@'..='~').contains(&char))
                .map(|at| at + 2),
            Some(']') => part.find('\x07').map(|at| at + 1),
            Some(char) => Some(char.len_utf8()),
            None => Some(0),
        };
        shown.push_str(&part[end.unwrap_or(part.len())..]);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_shows_no_escapes_and_the_last_of_a_line() {
        let text = "\x1b[0;31mError\x1b[0m: a\r\n10%\r 50%\r100%\r\n\x1b]0;title\x07end";
        assert_eq!(plain(text), "Error: a\n100%\nend");
    }
}
