//! Makes the tree of a text.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::{bats, constructors, item_macros, macros};
use crate::Language;

/// The longest text that is parsed: a tree takes up to 250 times as much memory.
const MAX_BYTES: usize = 1 << 20;

/// The language that JavaScript with types is parsed as.
pub(super) const WITH_TYPES: Language = Language::Tsx;

/// Parses a text again without macros: C that has errors, on which the parser may have stumbled, and Rust with items in
/// macros. Nothing is returned if that makes errors.
pub(super) fn parse_without_macros(
    text: &str,
    language: Language,
    tree: &Tree,
    is_over: impl FnMut() -> bool,
) -> Option<Tree> {
    let has_error = tree.root_node().has_error();
    let without = match language {
        Language::C | Language::Cpp if has_error => macros::without_macros(text),
        Language::Rust => item_macros::without_item_macros(text),
        _ => None,
    };
    let again = parse(&without?, language, is_over)?;
    (has_error || !again.root_node().has_error()).then_some(again)
}

/// Parses JavaScript that its grammar makes errors of again as TypeScript: types of Flow are written much alike. Nothing is
/// returned if that makes no fewer errors.
pub(super) fn parse_with_types(
    text: &str,
    language: Language,
    tree: &Tree,
    is_over: impl FnMut() -> bool,
) -> Option<Tree> {
    if language != Language::JavaScript || !tree.root_node().has_error() {
        return None;
    }
    let again = parse(text, WITH_TYPES, is_over)?;
    (bytes_of_errors(&again) < bytes_of_errors(tree)).then_some(again)
}

/// Returns how much of a text the parser made no sense of.
fn bytes_of_errors(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut bytes = 0;
    loop {
        let node = cursor.node();
        let is_error = node.is_error() || node.is_missing();
        if is_error {
            bytes += node.byte_range().len().max(1);
        }
        if !is_error && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return bytes;
            }
        }
    }
}

/// Parses a text, unless it is too long or parsing `is_over`.
pub(super) fn parse(
    text: &str,
    language: Language,
    mut is_over: impl FnMut() -> bool,
) -> Option<Tree> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let rewritten = match language {
        Language::Bash => bats::with_functions(text),
        Language::Kotlin => constructors::with_joined_lines(text),
        _ => None,
    };
    let text = rewritten.as_deref().unwrap_or(text);
    let mut parser = Parser::new();
    parser.set_language(&language.grammar()?).ok()?;
    let mut go_on = |_: &ParseState| {
        if is_over() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let mut read = |place: usize, _| text.as_bytes().get(place..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options))
}
