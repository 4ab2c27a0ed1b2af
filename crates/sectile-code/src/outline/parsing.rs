//! Makes the tree of a text.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::{constructors, macros};
use crate::Language;

/// The longest text that is parsed: a tree takes up to 250 times as much memory.
const MAX_BYTES: usize = 1 << 20;

/// Parses C that has errors again without macros, which the parser may have stumbled on.
pub(super) fn parse_without_macros(
    text: &str,
    language: Language,
    tree: &Tree,
    is_over: impl FnMut() -> bool,
) -> Option<Tree> {
    if !language.is_c() || !tree.root_node().has_error() {
        return None;
    }
    parse(&macros::without_macros(text)?, language, is_over)
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
    let joined = (language == Language::Kotlin)
        .then(|| constructors::with_joined_lines(text))
        .flatten();
    let text = joined.as_deref().unwrap_or(text);
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
