//! What code cells put out, as text.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::text::joined;
use crate::escapes;

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

/// Returns whether an output is a picture.
pub(super) fn is_picture(output: &Value) -> bool {
    let data = output.get("data").unwrap_or(output).as_object();
    data.is_some_and(|data| data.keys().any(|name| is_image(name)))
}

/// Returns whether an output only names the objects that are drawn in a picture beside it: `[<Line2D at 0x7f>]`.
pub(super) fn names_objects(output: &Value) -> bool {
    let kind = output.get("output_type").and_then(Value::as_str);
    if !matches!(kind, Some("display_data" | "execute_result" | "pyout")) {
        return false;
    }
    let data = output.get("data").unwrap_or(output);
    let mut forms = data.as_object().into_iter().flat_map(Map::keys);
    if forms.any(|name| is_rich(name) || matches!(name.as_str(), "latex" | "markdown")) {
        return false;
    }
    let text = data.get("text/plain").or_else(|| data.get("text"));
    let text = joined(text);
    let mut rest = text.trim().trim_start_matches(['[', '(']);
    let mut names = 0;
    while let Some((_, behind)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        names += 1;
        rest = behind.trim_start_matches([',', ' ', '\n']);
    }
    names > 0 && rest.trim_matches([']', ')']).is_empty()
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

/// Chooses the text among the forms of a result: Markdown, plain text, LaTeX, or HTML.
fn of_types(data: &Map<String, Value>, left_out: &mut BTreeMap<String, u64>) -> Shown {
    let image = data.keys().find(|name| is_image(name));
    if let Some(name) = image {
        count(name, left_out);
    }
    let text = |names: [&str; 2]| {
        let found = names.iter().find_map(|name| data.get(*name));
        let found = found.map(|value| joined(Some(value)));
        found.filter(|text| !text.trim().is_empty())
    };
    if let Some(markdown) = text(["text/markdown", "markdown"]) {
        return Shown::Markdown(markdown);
    }
    let plain_text = text(["text/plain", "text"]);
    if let Some(text) = plain_text.as_deref().filter(|text| !is_name(text)) {
        return Shown::Plain(plain(text));
    }
    let rich = text(["text/latex", "latex"]).or_else(|| from_html(&text(["text/html", "html"])?));
    if let Some(markdown) = rich {
        return Shown::Markdown(markdown);
    }
    if image.is_some() {
        return Shown::Nothing;
    }
    match data.keys().find(|name| is_rich(name)) {
        Some(name) => {
            count(name, left_out);
            Shown::Nothing
        }
        None => plain_text.map_or(Shown::Nothing, |text| Shown::Plain(plain(&text))),
    }
}

/// Returns whether a text only names the object that a browser shows: `<Figure size 432x288 with 1 Axes>`.
fn is_name(text: &str) -> bool {
    text.starts_with('<') && text.ends_with('>')
}

/// Writes HTML as Markdown, if it shows anything without a script.
#[cfg(feature = "html")]
fn from_html(html: &str) -> Option<String> {
    crate::html::fragment(html).filter(|markdown| !markdown.trim().is_empty())
}

#[cfg(not(feature = "html"))]
fn from_html(_: &str) -> Option<String> {
    None
}

/// Returns whether a form of a result is neither plain text nor a note of the notebook.
fn is_rich(name: &str) -> bool {
    name.contains('/') && name != "text/plain" || matches!(name, "html" | "json" | "javascript")
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
    let coloured = escapes::without(text);
    let text = coloured.as_deref().unwrap_or(text).replace("\r\n", "\n");
    let lines = text.split('\n').map(|line| {
        let line = line.trim_end_matches('\r');
        line.rsplit('\r').next().unwrap_or(line)
    });
    let lines: Vec<&str> = lines.collect();
    lines.join("\n")
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
