//! The text of articles in the linked data of a page, which a script shows where the page has no text.

use std::collections::HashSet;
use std::rc::Rc;

use htmd::Node;
use serde_json::Value;

use super::node::{attribute, children, tag, written};

/// What tells that a text is HTML.
const SIGNS_OF_HTML: [&str; 3] = ["</", "<br", "<p>"];

/// Writes the articles in the linked data of a page as a page of their own, each once; nothing when there are none.
pub(super) fn articles(root: &Rc<Node>) -> Option<String> {
    let mut articles = String::new();
    let mut seen = HashSet::new();
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        if is_linked_data(&node)
            && let Ok(data) = serde_json::from_str::<Value>(&written(&node))
        {
            for article in of_value(&data) {
                if !seen.contains(&article) {
                    articles.push_str(&article);
                    seen.insert(article);
                }
            }
        }
        open.extend(children(&node).into_iter().rev());
    }
    (!articles.is_empty()).then_some(articles)
}

fn is_linked_data(node: &Node) -> bool {
    let kind = (tag(node) == Some("script")).then(|| attribute(node, "type"));
    let kind = kind.flatten().unwrap_or_default();
    kind.eq_ignore_ascii_case("application/ld+json")
}

/// Returns the articles in a value, wherever they are in it.
fn of_value(data: &Value) -> Vec<String> {
    let mut articles = Vec::new();
    let mut open = vec![data];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(fields) => {
                articles.extend(article(value));
                open.extend(fields.values());
            }
            _ => {}
        }
    }
    articles
}

fn article(value: &Value) -> Option<String> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let body = text("articleBody").filter(|body| !body.trim().is_empty())?;
    let title = text("headline").or_else(|| text("name"));
    let title = title.map(|title| element("h1", title));
    let is_html = SIGNS_OF_HTML.iter().any(|sign| body.contains(sign));
    let body = if is_html {
        body.to_owned()
    } else {
        body.lines().map(|line| element("p", line)).collect()
    };
    Some(title.unwrap_or_default() + &body)
}

/// Writes an element. Characters by their names (`&rsquo;`) stay, as sites write them into the text of their data, too.
fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", text.replace('<', "&lt;"))
}
