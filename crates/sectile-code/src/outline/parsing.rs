//! Makes the tree of a text.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::{bats, constructors, item_macros, macros};
use crate::Language;

/// The longest text that is parsed: a tree takes up to 250 times as much memory.
const MAX_BYTES: usize = 1 << 20;

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
