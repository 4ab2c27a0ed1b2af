//! The text of articles and recipes in the linked data of a page, which a script shows where the page has no text, or
//! little more than a frame.

use std::collections::HashSet;
use std::rc::Rc;

use htmd::Node;
use serde_json::Value;

use super::node::{attribute, children, tag, written};

/// What tells that a text is HTML.
const SIGNS_OF_HTML: [&str; 3] = ["</", "<br", "<p>"];

/// How many bytes articles have at least that are read beside what a page shows.
const LEAST_ARTICLE: usize = 200;

/// How many letters a word has at least that is looked for in what a page shows.
const WORD: usize = 4;

/// How many percent of such words of articles are not in what a page shows that lacks them.
const LACKING: usize = 60;

/// Returns whether a page shows less than the articles in its linked data say, and next to nothing of it.
pub(super) fn say_more(articles: &str, shown: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        let words = words.filter(|word| word.chars().count() >= WORD);
        words.map(str::to_lowercase).collect()
    };
    let known: HashSet<String> = words(shown).into_iter().collect();
    let all = words(articles);
    let new = all.iter().filter(|word| !known.contains(*word)).count();
    articles.len() >= LEAST_ARTICLE.max(shown.len()) && new * 100 >= all.len() * LACKING
}

/// Returns the blocks of articles that are not among those that a page shows, such as its title and a teaser.
pub(super) fn not_shown(articles: &str, shown: &str) -> String {
    let words = |block: &str| block.trim().trim_start_matches('#').trim().to_owned();
    let known: HashSet<String> = shown.split("\n\n").map(words).collect();
    // What goes on an item or code is indented.
    let blocks = articles.split("\n\n").map(|block| block.trim_matches('\n'));
    let new = blocks.filter(|block| !block.is_empty() && !known.contains(&words(block)));
    let new: Vec<&str> = new.collect();
    new.join("\n\n") + "\n"
}

/// Writes the articles in the linked data of a page as a page of their own, each once; nothing when there are none.
pub(super) fn articles(root: &Rc<Node>) -> Option<String> {
    let mut articles = String::new();
    let mut seen = HashSet::new();
    for data in all(root) {
        for article in objects(&data).into_iter().filter_map(article) {
            if !seen.contains(&article) {
                articles.push_str(&article);
                seen.insert(article);
            }
        }
    }
    (!articles.is_empty()).then_some(articles)
}

/// Returns the linked data of a page, in order.
pub(super) fn all(root: &Rc<Node>) -> Vec<Value> {
    let mut all = Vec::new();
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        if is_linked_data(&node) {
            all.extend(serde_json::from_str::<Value>(&written(&node)).ok());
        }
        open.extend(children(&node).into_iter().rev());
    }
    all
}

fn is_linked_data(node: &Node) -> bool {
    let kind = (tag(node) == Some("script")).then(|| attribute(node, "type"));
    let kind = kind.flatten().unwrap_or_default();
    kind.eq_ignore_ascii_case("application/ld+json")
}

/// Returns the objects in a value, wherever they are in it.
pub(super) fn objects(data: &Value) -> Vec<&Value> {
    let mut objects = Vec::new();
    let mut open = vec![data];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(fields) => {
                objects.push(value);
                open.extend(fields.values());
            }
            _ => {}
        }
    }
    objects
}

fn article(value: &Value) -> Option<String> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let body = text("articleBody").filter(|body| !body.trim().is_empty());
    let body = body.map(paragraphs).or_else(|| recipe(value))?;
    let title = text("headline").or_else(|| text("name"));
    let title = title.map(|title| element("h1", title));
    Some(title.unwrap_or_default() + &body)
}

/// Writes what a recipe needs, as a list, and its steps.
fn recipe(value: &Value) -> Option<String> {
    let steps = steps(value.get("recipeInstructions")?);
    let needed: Vec<&str> = match value.get("recipeIngredient") {
        Some(Value::String(lines)) => lines.lines().map(str::trim).collect(),
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let needed = needed.into_iter().filter(|item| !item.is_empty());
    let items: String = needed.map(|item| element("li", item)).collect();
    let list = if items.is_empty() {
        items
    } else {
        format!("<ul>{items}</ul>")
    };
    let steps: String = steps.into_iter().map(paragraphs).collect();
    (!steps.is_empty()).then(|| list + &steps)
}

/// Returns the steps of a recipe: a text, texts, or steps with texts, also in sections with names.
fn steps(instructions: &Value) -> Vec<&str> {
    let mut steps = Vec::new();
    let mut open = vec![instructions];
    while let Some(value) = open.pop() {
        match value {
            Value::String(step) => steps.push(step.as_str()),
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(fields) => {
                let name = fields.get("name");
                if let Some(inner) = fields.get("itemListElement") {
                    open.push(inner);
                    open.extend(name);
                } else {
                    open.extend(fields.get("text").or(name));
                }
            }
            _ => {}
        }
    }
    steps
}

/// Writes each line of a text as a paragraph, but HTML as it is.
fn paragraphs(text: &str) -> String {
    if SIGNS_OF_HTML.iter().any(|sign| text.contains(sign)) {
        text.to_owned()
    } else {
        text.lines().map(|line| element("p", line)).collect()
    }
}

/// Writes an element. Characters by their names (`&rsquo;`) stay, as sites write them into the text of their data, too.
fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", text.replace('<', "&lt;"))
}
