//! Blocks of code, written in fences with their lines as they are.

use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::node::{
    self, attribute, attribute_is, children, has_attribute, has_class, holds, is_heading, is_small,
    parent, raised, tag,
};

/// Elements that begin a line.
const LINES: [&str; 10] = [
    "blockquote",
    "div",
    "h1",
    "h2",
    "h3",
    "h4",
    "li",
    "p",
    "pre",
    "tr",
];

/// Classes of the numbers of lines.
const NUMBERS: [&str; 2] = ["ln", "lnt"];

/// Parts of such classes.
#[rustfmt::skip]
const IN_NUMBERS: [&str; 7] = [
    "blob-num", "gutter", "line-no", "line-number", "lineno", "linenumber", "ln-num",
];

/// Beginnings of classes that name a language.
const PREFIXES: [&str; 5] = [
    "language-",
    "lang-",
    "highlight-source-",
    "highlight-text-",
    "highlight-",
];

/// Classes of the block itself, beside the one that names the language.
const MARKS: [&str; 5] = [
    "brush:",
    "hljs",
    "prettyprint",
    "rust-example-rendered",
    "sourceCode",
];

/// Names of languages that a `pre` has as its only class, or behind `highlight`.
#[rustfmt::skip]
const LANGUAGES: [&str; 20] = [
    "bash", "c", "cpp", "css", "go", "html", "idl", "java", "javascript", "js", "json", "php", "python", "qml", "ruby", "rust", "sh", "sql", "xml", "yaml",
];

/// Names for no language.
const NO_LANGUAGES: [&str; 8] = [
    "auto",
    "default",
    "none",
    "nohighlight",
    "notranslate",
    "plain",
    "plaintext",
    "undefined",
];

/// How many elements around code may name its language.
const AROUND: usize = 5;

/// Code, and elements that may be around it.
const AROUND_CODE: [&str; 9] = [
    "code", "div", "figure", "pre", "table", "tbody", "td", "textarea", "tr",
];

/// How many letters the name of a language has at most.
const MAX_LANGUAGE: usize = 20;

/// Classes of tables that are blocks of code with a row for each line, as Scribble writes them: of Racket, and of any text.
const TABLES: [&str; 2] = ["RktBlk", "SVerbatim"];

/// Writes code in a fence.
pub(super) fn write(block: &Rc<Node>) -> String {
    let mut code = text(block);
    if tag(block) == Some("table") {
        // Its spaces are such that no line ends at them.
        code = code.replace('\u{A0}', " ");
    }
    let code = without_blank_lines(&code);
    if code.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(code).max(2) + 1);
    let language = language(block).unwrap_or_default();
    format!("\n\n{fence}{language}\n{code}\n{fence}\n\n")
}

/// Returns code without blank lines at its beginning and its end.
fn without_blank_lines(code: &str) -> &str {
    let mut code = code.trim_end();
    while let Some((line, rest)) = code.split_once('\n')
        && line.trim().is_empty()
    {
        code = rest;
    }
    code
}

/// Writes code within a line; in a fence, where it has lines of its own or holds a block of code, and is not in a heading.
pub(super) fn write_inline(code: &Rc<Node>, is_in_cell: bool) -> String {
    let holds_block = holds(code, |inner| tag(inner) == Some("pre"));
    if holds_block && is_in_cell {
        return in_cell(code);
    }
    let is_break = |child: &Rc<Node>| tag(child) == Some("br");
    let has_lines = holds_block || code.children.borrow().iter().any(is_break);
    let is_title = parent(code).is_some_and(|around| is_heading(&around));
    if has_lines && !is_title {
        return write(code);
    }
    let text = text(code);
    let words: Vec<&str> = if has_lines {
        text.split_whitespace().collect()
    } else {
        text.split_ascii_whitespace().collect()
    };
    if words.is_empty() {
        String::new()
    } else {
        inline(&words.join(" "))
    }
}

/// Writes text as code within a line.
pub(super) fn inline(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    if text.starts_with('`') || text.ends_with('`') {
        format!("{ticks} {text} {ticks}")
    } else {
        format!("{ticks}{text}{ticks}")
    }
}

/// Writes code in a cell of a table, where a line cannot end.
pub(super) fn in_cell(block: &Rc<Node>) -> String {
    let code = text(block);
    let lines = code
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty());
    let lines: Vec<String> = lines.map(inline).collect();
    lines.join("<br>")
}

/// Returns whether an element is a block of code that is no `pre`, as Doxygen writes it with an element for each line,
/// Writerside as text with the name of its language, and Scribble as a table.
pub(super) fn is_block(element: &Node) -> bool {
    match tag(element) {
        Some("div") => {
            let children = element.children.borrow();
            let is_text = |child: &Rc<Node>| tag(child).is_none_or(|tag| tag == "span");
            has_class(element, "fragment") && children.iter().any(|child| has_class(child, "line"))
                || has_class(element, "code-block")
                    && has_attribute(element, "data-lang")
                    && children.iter().all(is_text)
        }
        Some("table") => TABLES.iter().any(|class| has_class(element, class)),
        _ => false,
    }
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|letter| letter != '`').map(str::len);
    runs.max().unwrap_or(0)
}

/// Returns the text of code, with the ends of its lines and without their numbers.
pub(super) fn text(block: &Rc<Node>) -> String {
    let mut lines = Lines::default();
    let mut open = vec![Step::Enter(Rc::clone(block))];
    while let Some(step) = open.pop() {
        let node = match step {
            Step::Leave => {
                lines.end();
                lines.is_between = true;
                continue;
            }
            Step::Enter(node) => node,
        };
        if let Some(raised) = raised(&node) {
            lines.push(&raised);
            continue;
        }
        match (&node.data, tag(&node)) {
            (NodeData::Text { contents }, _) => lines.push_text(&contents.borrow()),
            (_, Some("br")) => lines.push("\n"),
            (_, Some(_)) if !Rc::ptr_eq(&node, block) && stands_beside(&node) => {}
            (_, Some(name)) => {
                if LINES.contains(&name) {
                    lines.end();
                    lines.is_between = false;
                    open.push(Step::Leave);
                    lines.is_empty_line = node.children.borrow().is_empty();
                }
                let children = node.children.borrow();
                open.extend(
                    children
                        .iter()
                        .rev()
                        .map(|child| Step::Enter(Rc::clone(child))),
                );
            }
            _ => {}
        }
    }
    lines.text
}

enum Step {
    Enter(Rc<Node>),
    Leave,
}

/// Code while its lines are gathered.
#[derive(Default)]
struct Lines {
    text: String,
    /// Whether the next text stands on a line of its own.
    is_ended: bool,
    is_empty_line: bool,
    /// Whether an element that is a line has ended, and none has begun.
    is_between: bool,
}

impl Lines {
    /// Adds a text of the page. The end of a line of its source between two elements that are lines is not a line.
    fn push_text(&mut self, text: &str) {
        if !self.is_between || !text.trim().is_empty() {
            return self.push(text);
        }
        for _ in text.matches('\n').skip(1) {
            self.push("\n");
        }
    }

    fn push(&mut self, text: &str) {
        if self.is_ended && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.is_ended = false;
        self.is_empty_line = false;
        self.is_between = false;
        self.text.push_str(text);
    }

    fn end(&mut self) {
        if std::mem::take(&mut self.is_empty_line) {
            self.push("\n");
        }
        self.is_ended = true;
    }
}

/// Returns whether an element within code numbers its lines, or is a button or what stands above the code.
fn stands_beside(node: &Node) -> bool {
    match tag(node) {
        Some("button" | "clipboard-copy") => true,
        Some("a" | "div" | "pre" | "span" | "td" | "th") => {
            let class = attribute(node, "class").unwrap_or_default();
            class.split_whitespace().any(numbers_lines)
                || is_head(node, &class)
                || is_unselectable_number(node)
        }
        _ => false,
    }
}

/// Returns whether an element stands above code, where its language and a button to copy it are, and holds no code itself.
fn is_head(node: &Node, class: &str) -> bool {
    let mut names = class.split_whitespace();
    let is_code = |inner: &Node| matches!(tag(inner), Some("code" | "pre"));
    tag(node) == Some("div")
        && names.any(|name| name.ends_with("header"))
        && is_small(node)
        && !holds(node, is_code)
}

/// Returns whether an element is a number that its style does not let readers select, as Hugo writes those of lines.
fn is_unselectable_number(node: &Node) -> bool {
    let is_unselectable = |style: &str| {
        let style: String = style.split_whitespace().collect();
        style.contains("user-select:none")
    };
    let is_digit = |letter: u8| letter.is_ascii_digit();
    attribute_is(node, "style", is_unselectable)
        && is_small(node)
        && node::text(node).is_some_and(|number| number.bytes().all(is_digit))
}

/// Returns whether a class is that of numbers of lines.
pub(super) fn numbers_lines(class: &str) -> bool {
    NUMBERS.contains(&class) || IN_NUMBERS.iter().any(|part| class.contains(part))
}

/// Returns the language that the classes of a block, of what is in it, or of what is around it name.
fn language(block: &Rc<Node>) -> Option<String> {
    let inner = children(block)
        .into_iter()
        .find(|child| tag(child) == Some("code"));
    let around = std::iter::successors(Some(Rc::clone(block)), parent).take(1 + AROUND);
    let around = around.take_while(|node| tag(node).is_some_and(|tag| AROUND_CODE.contains(&tag)));
    let mut nodes = inner.into_iter().chain(around);
    nodes.find_map(|node| language_of(&node))
}

/// Returns the language that an element names.
fn language_of(node: &Node) -> Option<String> {
    let attributes = |names: &[&str]| -> Vec<String> {
        names
            .iter()
            .filter_map(|name| attribute(node, name))
            .collect()
    };
    let data = attributes(&["data-lang", "data-language"])
        .into_iter()
        .next();
    let classes = attributes(&["class", "data-syntaxhighlighter-params"]).join(" ");
    let classes: Vec<&str> = classes.split_whitespace().collect();
    let named = || language_in(&classes).or_else(|| language_alone(node, &classes));
    let language = data.or_else(|| named().map(str::to_owned))?;
    let language = language.trim_end_matches(';').to_lowercase();
    let is_name = language.len() <= MAX_LANGUAGE
        && !NO_LANGUAGES.contains(&language.as_str())
        && language
            .chars()
            .all(|letter| letter.is_alphanumeric() || "+#-.".contains(letter));
    (is_name && !language.is_empty()).then_some(language)
}

/// Returns the language among classes: the rest of `language-js`, or what stands beside the name of a program that
/// colours code, such as `brush: js` and `hljs python`.
fn language_in<'a>(classes: &[&'a str]) -> Option<&'a str> {
    let rest = |class: &&'a str| {
        PREFIXES
            .iter()
            .find_map(|prefix| class.strip_prefix(prefix))
    };
    classes.iter().find_map(rest).or_else(|| {
        let mark = classes.iter().position(|class| MARKS.contains(class))?;
        let (before, behind) = classes.split_at(mark);
        let mut beside = behind.iter().chain(before);
        beside.find(|class| !MARKS.contains(class)).copied()
    })
}

/// Returns the language among the classes of an element that has few others: `highlight yaml` of Hexo,
/// `highlight elixir tab-elixir` of Slate, `cpp` of Qt.
fn language_alone<'a>(node: &Node, classes: &[&'a str]) -> Option<&'a str> {
    // Slate names it again for its tabs. Other classes of a `pre` say how it looks.
    let is_of_tab = |language: &&str| {
        let named = |class: &&str| class.strip_prefix("tab-") == Some(*language);
        LANGUAGES.contains(language) || classes.iter().any(named)
    };
    match (tag(node), classes) {
        (Some("figure"), ["highlight", language, ..]) => Some(*language),
        (Some("pre"), ["highlight", language, ..]) => Some(*language).filter(is_of_tab),
        (Some("pre"), [only]) if LANGUAGES.contains(only) => Some(*only),
        (Some("table"), _) if classes.contains(&TABLES[0]) => Some("racket"),
        _ => None,
    }
}
