//! Components of pages: a template, a script and a style in one file.

use sectile_core::{Heading, Span};

use super::{MAX_LEVEL, Outline, by_grammar, by_lines};
use crate::Language;

/// What ends a script.
const END: &str = "</script";

/// Finds the parts of a component, and the definitions in its scripts by their grammar.
pub(super) fn outline(
    text: &str,
    language: Language,
    is_over: &mut dyn FnMut() -> bool,
) -> Outline {
    let mut found = by_lines(text, language);
    let tags = std::mem::take(&mut found.headings);
    let mut end = 0;
    for tag in tags {
        if tag.span.start < end {
            continue;
        }
        let script = script(text, &tag);
        found.headings.push(tag);
        let Some((script, language)) = script else {
            continue;
        };
        let inner = by_grammar(script.of(text), language, is_over);
        // A build without the grammar has what lines show.
        if !inner.is_unparsed {
            end = script.end;
            found.has_errors |= inner.has_errors;
            let inner = inner.headings.into_iter();
            found.headings.extend(inner.map(|heading| Heading {
                level: (heading.level + 1).min(MAX_LEVEL as u8),
                span: heading.span.shifted(script.start),
                ..heading
            }));
        }
    }
    found
}

/// Returns where the script stands that a tag begins, and its language.
fn script(text: &str, tag: &Heading) -> Option<(Span, Language)> {
    let attributes = tag.title.strip_prefix("<script")?;
    let start = tag.span.end + text[tag.span.end..].find('\n')? + 1;
    let length = text[start..].find(END)?;
    let has = |value: &str| {
        let named = attributes.split_once("lang=").map(|(_, rest)| rest);
        named.is_some_and(|rest| rest.trim_start_matches(['"', '\'']).starts_with(value))
    };
    let language = if has("tsx") {
        Language::Tsx
    } else if has("ts") {
        Language::TypeScript
    } else {
        Language::JavaScript
    };
    Some((Span::new(start, start + length), language))
}
