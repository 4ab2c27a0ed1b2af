//! What stands between definitions.

use sectile_core::Span;

use super::Definition;
use super::signature::{line_at, title};

/// How many lines of code make a section of their own.
const MIN_LINES: usize = 2;

/// Words that end what a definition began.
const CLOSINGS: [&str; 6] = ["end", "endif", "done", "fi", "esac", "else"];

/// Finds the code after definitions that belongs to none of them, and would be part of the section
/// before it: each run of it is a section, named by its first line.
pub(super) fn find(text: &str, definitions: &[Definition]) -> Vec<Definition> {
    let mut gaps = Vec::new();
    // The ends of the definitions around.
    let mut around: Vec<usize> = Vec::new();
    for (at, definition) in definitions.iter().enumerate() {
        let end = definition.span.end;
        while around
            .pop_if(|outer| *outer <= definition.span.start)
            .is_some()
        {}
        let limit = around.last().copied().unwrap_or(text.len());
        let after = &definitions[at + 1..];
        let next = after.partition_point(|next| next.span.start < end);
        let next = after.get(next).map_or(limit, |next| next.span.start);
        around.push(end);
        let region = Span::new(line_at(text, end).end, next.min(limit));
        if region.start < region.end {
            gaps.extend(gap(text, region, definition.level));
        }
    }
    gaps
}

/// Makes a section of a region, if it has enough lines of code.
fn gap(text: &str, region: Span, level: usize) -> Option<Definition> {
    let mut place = region.start;
    let lines = region.of(text).split_inclusive('\n').map(|line| {
        let start = place;
        place += line.len();
        (start, line)
    });
    let code: Vec<(usize, &str)> = lines.filter(|(_, line)| is_code(line)).take(64).collect();
    if code.len() < MIN_LINES {
        return None;
    }
    let is_statement = |line: &str| {
        line.trim_start()
            .starts_with(|char: char| char.is_alphanumeric())
    };
    let named = code.iter().find(|(_, line)| is_statement(line));
    let (_, line) = named.unwrap_or(&code[0]);
    let line = line
        .trim()
        .trim_start_matches(['/', '#', '*', '-', ';', '!', ' ']);
    Some(Definition {
        level,
        title: title(line),
        span: Span::new(code[0].0, region.end),
        signature_end: line_at(text, code[0].0).end,
        name: Span::default(),
        is_function: false,
    })
}

/// Returns whether a line is more than the end of what was begun before.
fn is_code(line: &str) -> bool {
    let words = line.split(|char: char| !char.is_alphanumeric());
    let mut words = words.filter(|word| !word.is_empty());
    words.any(|word| !CLOSINGS.contains(&word))
}
