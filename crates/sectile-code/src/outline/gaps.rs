//! What stands between definitions.

use sectile_core::Span;

use super::Definition;
use super::macros::is_prefix;
use super::signature::{line_at, title};

/// How many lines of code make a section of their own.
const MIN_LINES: usize = 2;

/// Words that end what a definition began.
const CLOSINGS: [&str; 6] = ["end", "endif", "done", "fi", "esac", "else"];

/// Words that what a conflict of versions left in a file begins with.
const CONFLICTS: [&str; 4] = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "];

/// Finds the code after definitions that belongs to none of them, and would be part of the section
/// before it: each run of it is a section, named by its first line. In C, macros and beginnings of templates before a
/// definition become a part of it.
pub(super) fn find(text: &str, definitions: &mut [Definition], is_c: bool) -> Vec<Definition> {
    let mut gaps = Vec::new();
    // The ends of the definitions around.
    let mut around: Vec<usize> = Vec::new();
    for at in 0..definitions.len() {
        let Span { start, end } = definitions[at].span;
        while around.pop_if(|outer| *outer <= start).is_some() {}
        let limit = around.last().copied().unwrap_or(text.len());
        let (until, after) = definitions.split_at_mut(at + 1);
        let next = after.partition_point(|next| next.span.start < end);
        let next = after.get_mut(next).filter(|next| next.span.start < limit);
        around.push(end);
        let region_end = next.as_ref().map_or(limit, |next| next.span.start);
        let mut region = Span::new(line_at(text, end).end, region_end);
        if region.start < region.end {
            if let Some(next) = next.filter(|_| is_c)
                && let Some(start) = prefixes_at_end(text, region)
            {
                next.span.start = start;
                region.end = start;
            }
            gaps.extend(gap(text, region, until[at].level, is_c));
        }
    }
    gaps
}

/// Returns where the macros, the beginnings of templates and the comments begin that a region of C ends with, if it
/// ends with such.
fn prefixes_at_end(text: &str, region: Span) -> Option<usize> {
    let mut place = region.start;
    let mut start = None;
    let mut has_prefix = false;
    for line in region.of(text).split_inclusive('\n') {
        let shown = line.trim();
        let is_found = is_prefix(shown);
        if is_found
            || ["//", "/*", "*", "#if"]
                .iter()
                .any(|begin| shown.starts_with(begin))
        {
            start = start.or(Some(place));
            has_prefix |= is_found;
        } else if !shown.is_empty() && !shown.starts_with('#') {
            (start, has_prefix) = (None, false);
        }
        place += line.len();
    }
    start.filter(|_| has_prefix)
}

/// Makes a section of a region, if it has enough lines of code.
fn gap(text: &str, region: Span, level: usize, is_c: bool) -> Option<Definition> {
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
        let line = line.trim();
        let is_of_many_lines = line.starts_with("#define") && line.ends_with('\\');
        let is_template = line.starts_with("template");
        is_of_many_lines
            || line.starts_with(|char: char| char.is_alphanumeric())
                && !(is_c && is_prefix(line) && !is_template)
    };
    // A macro before a body stands for the head of a function.
    let is_head = |start: usize, line: &str| {
        let after = &text[start + line.len()..region.end];
        is_c && is_prefix(line.trim()) && after.trim_start().starts_with('{')
    };
    let mut lines = code.iter();
    let named = lines.find(|(start, line)| is_statement(line) || is_head(*start, line));
    let (start, line) = *named.unwrap_or(&code[0]);
    let is_template = is_c && line.trim_start().starts_with("template");
    let line = if is_template {
        statement(&text[start..region.end])
    } else {
        line.trim_end().trim_end_matches('\\')
    };
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
        indent: 0,
    })
}

/// Returns the statement that a text begins with, up to its body.
fn statement(text: &str) -> &str {
    let end = text.find([';', '{']).unwrap_or(text.len());
    &text[..end]
}

/// Returns whether a line is more than the end of what was begun before.
fn is_code(line: &str) -> bool {
    if CONFLICTS.iter().any(|mark| line.starts_with(mark)) {
        return false;
    }
    let words = line.split(|char: char| !char.is_alphanumeric());
    let mut words = words.filter(|word| !word.is_empty());
    words.any(|word| !CLOSINGS.contains(&word))
}
