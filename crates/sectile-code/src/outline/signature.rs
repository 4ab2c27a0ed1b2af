//! The first line of a definition, as a title.

use sectile_core::Span;
use tree_sitter::Node;

use super::role::{Role, is_body, is_closure};

/// How many characters a title has at most.
const MAX_CHARACTERS: usize = 100;

/// What titles do not end with.
const OPENINGS: [char; 7] = [' ', '{', ':', '=', ';', ',', '('];

/// Returns the body of a definition.
pub(super) fn body_of(node: Node<'_>) -> Option<Node<'_>> {
    node.child_by_field_name("body").or_else(|| {
        let mut cursor = node.walk();
        let mut children = node.named_children(&mut cursor);
        children.find(|child| is_body(child.kind()))
    })
}

/// Returns the function that a statement or a field has as its value.
pub(super) fn closure_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut value = node;
    for _ in 0..4 {
        let last = value.named_child_count().checked_sub(1)?;
        value = value.named_child(last.try_into().ok()?)?;
        if is_closure(value.kind()) {
            return Some(value);
        }
    }
    None
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
/// and is no comment.
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

/// Makes a title of the text of a signature.
pub(super) fn title(signature: &str) -> String {
    let words: Vec<&str> = signature.split_whitespace().take(MAX_CHARACTERS).collect();
    let line = words.join(" ");
    let line = line.trim_end_matches(OPENINGS);
    let line = line.strip_suffix("=>").unwrap_or(line).trim_end();
    let line = line.strip_suffix(" do").unwrap_or(line);
    let line = line.strip_suffix(" where").unwrap_or(line);
    match line.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

/// Returns the span of the line of `text` that `place` stands on, without its end.
pub(super) fn line_at(text: &str, place: usize) -> Span {
    let start = text[..place].rfind('\n').map_or(0, |at| at + 1);
    let end = text[place..].find('\n').map_or(text.len(), |at| place + at);
    Span::new(start, end)
}
