//! The first line of a definition, as a title.

use std::iter::successors;

use sectile_core::definition_name_span;
use tree_sitter::Node;

use super::role::{Role, is_body, is_closure};

/// How many characters a title has at most, unless the name of the definition is longer.
const MAX_CHARACTERS: usize = 100;

/// How many characters of a name a title has at most.
const MAX_NAME: usize = 1_000;

/// How many words of a signature are read.
const MAX_WORDS: usize = 1_000;

/// What titles do not end with.
const OPENINGS: [char; 7] = [' ', '{', ':', '=', ';', ',', '('];

/// Returns the body of a definition, or what a macro of C stands for.
pub(super) fn body_of(node: Node<'_>) -> Option<Node<'_>> {
    let is_macro = node.kind() == "preproc_function_def";
    let field = if is_macro { "value" } else { "body" };
    node.child_by_field_name(field).or_else(|| {
        let mut cursor = node.walk();
        let mut children = node.named_children(&mut cursor);
        children.find(|child| is_body(child.kind()))
    })
}

/// How deep the value of a statement or a field is looked for.
const STEPS: usize = 4;

/// Returns the function or the class that a statement or a field has as its value, or calls another function with last.
/// The functions in a list of values are those of the list.
pub(super) fn value_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut values = values(node).take_while(|value| !is_list(*value));
    values.find(|value| is_closure(value.kind()) || value.kind() == "class")
}

/// Returns the list of values with names that a statement or a field has as its value, or calls a function with last.
pub(super) fn list_of(node: Node<'_>) -> Option<Node<'_>> {
    values(node).find(|value| is_list(*value))
}

/// Returns what may be the value of a statement or a field: the last part of it, the last part of that, and so on.
fn values(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    successors(last_of(node), |value| last_of(*value)).take(STEPS)
}

/// Returns the last part of a node.
pub(super) fn last_of(node: Node<'_>) -> Option<Node<'_>> {
    let last = node.named_child_count().checked_sub(1)?;
    node.named_child(last.try_into().ok()?)
}

/// Returns whether a node is a list of values, most of which have names, or the value of an argument of R with a name.
fn is_list(node: Node<'_>) -> bool {
    match node.kind() {
        "array" | "object" | "table_constructor" => true,
        "argument" => node.child_by_field_name("name").is_some(),
        _ => false,
    }
}

/// Returns the name of what a call of Elixir, R or Ruby calls.
pub(super) fn called(node: Node<'_>) -> Option<Node<'_>> {
    let mut fields = ["target", "method", "function"].into_iter();
    fields.find_map(|field| node.child_by_field_name(field))
}

/// Returns whether a call has a block of several lines or statements: `do … end`.
pub(super) fn has_block(node: Node<'_>) -> bool {
    body_of(node).is_some_and(|body| body.kind() == "do_block")
}

/// Returns where the signature of a definition begins: after its attributes.
pub(super) fn start_of(node: Node<'_>, role_of: impl Fn(Node<'_>) -> Option<Role>) -> usize {
    let mut start = node.start_byte();
    let mut inner = Some(node);
    while let Some(node) = inner.take() {
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            if matches!(role_of(child), Some(Role::Attribute | Role::Comment)) {
                start = child.end_byte();
                continue;
            }
            inner = (child.kind() == "modifiers").then_some(child);
            // Only what follows an attribute moves the beginning.
            if start > node.start_byte() {
                start = child.start_byte();
            }
            break;
        }
    }
    start
}

/// Returns where the signature of `node` ends that has this body: at what stands before the body
/// and is not a comment.
pub(super) fn end_of(
    node: Node<'_>,
    body: Node<'_>,
    role_of: impl Fn(Node<'_>) -> Option<Role>,
) -> usize {
    let mut cursor = node.walk();
    let before = node
        .children(&mut cursor)
        .take_while(|child| child.id() != body.id());
    let signature = before.filter(|child| role_of(*child) != Some(Role::Comment));
    signature
        .last()
        .map_or(body.start_byte(), |last| last.end_byte())
}

/// Returns the declarators of a declaration of C, each of which is in the one before it.
pub(super) fn declarators(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    fn inner<'a>(node: &Node<'a>) -> Option<Node<'a>> {
        node.child_by_field_name("declarator")
    }
    successors(inner(&node), inner).take(4)
}

/// Returns the name that a declaration of C gives to what it declares first.
pub(super) fn declared_name(node: Node<'_>) -> Option<Node<'_>> {
    let is_name = |node: &Node<'_>| node.kind().ends_with("identifier");
    declarators(node).last().filter(is_name)
}

/// Makes a title of the text of a signature: its beginning, or what follows from the name of the definition on where
/// the beginning does not have it.
pub(super) fn title(signature: &str) -> String {
    let words: Vec<&str> = signature.split_whitespace().take(MAX_WORDS).collect();
    let line = words.join(" ");
    let line = line.trim_end_matches(OPENINGS);
    let line = line.strip_suffix("=>").unwrap_or(line).trim_end();
    let line = line.strip_suffix(" do").unwrap_or(line);
    let line = line.strip_suffix(" where").unwrap_or(line);
    let end = after_characters(line, MAX_CHARACTERS);
    if end == line.len() {
        return line.to_owned();
    }
    let name = definition_name_span(line).filter(|name| name.end > end);
    let (before, line) = match name {
        Some(name) if name.start > 0 => ("…", &line[name.start..]),
        _ => ("", line),
    };
    let name = name.map_or(0, |name| after_characters(line, MAX_NAME).min(name.len()));
    let end = after_characters(line, MAX_CHARACTERS).max(name);
    let after = if end < line.len() { "…" } else { "" };
    format!("{before}{}{after}", line[..end].trim_end())
}

/// Returns where the first characters of `line`, as many as `count`, end.
fn after_characters(line: &str, count: usize) -> usize {
    line.char_indices()
        .nth(count)
        .map_or(line.len(), |(end, _)| end)
}

/// Returns the first line of a signature of Python, which goes on in brackets and behind a backslash. What follows it is
/// none of the signature: Cython has definitions whose bodies the grammar does not know.
pub(super) fn first_line(source: &str) -> &str {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut is_comment = false;
    let mut is_escaped = false;
    for (at, byte) in source.bytes().enumerate() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match byte {
            b'\n' if depth == 0 => return &source[..at],
            b'\n' => (is_comment, quote) = (false, None),
            _ if is_comment => {}
            b'\\' => is_escaped = true,
            _ if quote.is_some() => quote = quote.filter(|sign| *sign != byte),
            b'"' | b'\'' => quote = Some(byte),
            b'#' => is_comment = true,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    source
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_the_name_of_the_definition_whole() {
        let parameters = "typename Iter, ".repeat(8);
        let title = title(&format!(
            "template <{parameters}int N>\n  void\nsort(Iter begin, Iter end)"
        ));
        assert_eq!(title, "…sort(Iter begin, Iter end)");
        let long = "a_long_name_".repeat(12);
        assert_eq!(
            super::title(&format!("def {long}(self)")),
            format!("…{long}…")
        );
        assert_eq!(super::title(&format!("{long}(self)")), format!("{long}…"));
        let endless = super::title(&format!("def {}(self)", "a".repeat(10_000)));
        assert_eq!(endless.chars().count(), MAX_NAME + 2);
    }

    #[test]
    fn a_signature_of_python_ends_with_its_line() {
        let check = |source: &str, expected: &str| assert_eq!(first_line(source), expected);
        check("class A:\n    cdef list b", "class A:");
        check(
            "def a(b,  # One (\n      c=')'):\n  d",
            "def a(b,  # One (\n      c=')'):",
        );
        check("def a(b) \\\n  -> c:\n  d", "def a(b) \\\n  -> c:");
        check("def a(", "def a(");
    }

    #[test]
    fn titles_that_have_the_name_at_their_beginning_end_after_it() {
        let title = title(&format!("def put(self, {})", "name: str, ".repeat(20)));
        assert!(title.starts_with("def put(self, name: str,"));
        assert_eq!(title.chars().count(), MAX_CHARACTERS + 1);
    }
}
