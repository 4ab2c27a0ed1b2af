//! What stands between definitions.

use sectile_core::Span;

use super::line_table::LineTable;
use super::macros::is_prefix;
use super::signature::title;
use super::{Definition, Found};
use crate::Language;

/// How many lines of code make a section of their own.
pub(super) const MIN_LINES: usize = 2;

/// Words that end what a definition began.
const CLOSINGS: [&str; 6] = ["end", "endif", "done", "fi", "esac", "else"];

/// How many lines of code are looked at for the name of a section.
const MOST_LINES: usize = 256;

/// Signs that comments begin and end with.
const COMMENT_SIGNS: [char; 10] = ['/', '#', '*', '-', ';', '!', '{', '}', '|', ' '];

/// Words that what a conflict of versions left in a file begins with.
const CONFLICTS: [&str; 4] = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "];

/// Finds the code after definitions that belongs to none of them, and would be part of the section
/// before it: each run of it is a section, named by its first statement. In C, macros and beginnings of templates before
/// a definition become a part of it.
pub(super) fn find(
    text: &str,
    lines: &LineTable,
    found: &mut Found,
    language: Language,
) -> Vec<Definition> {
    let Found {
        definitions,
        comments,
    } = found;
    let is_c = language.is_c();
    let regions = Regions {
        text,
        lines,
        comments,
        is_c,
        is_csharp: language == Language::Csharp,
    };
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
        // What stands before a definition on its line is none of the code between: `cdef class A`.
        let start_of = |next: &&mut Definition| lines.span(next.span.start).start;
        let region_end = next.as_ref().map_or(limit, start_of);
        let mut region = Span::new(lines.span(end).end, region_end);
        if region.start < region.end {
            if let Some(next) = next.filter(|_| is_c)
                && let Some(start) = prefixes_at_end(text, region)
            {
                next.span.start = start;
                region.end = start;
            }
            gaps.extend(regions.gap(region, until[at].level));
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

/// What regions between definitions are read with.
struct Regions<'a> {
    text: &'a str,
    lines: &'a LineTable,
    comments: &'a [Span],
    is_c: bool,
    /// Whether lines with a directive say nothing of the code, and comments alone are none.
    is_csharp: bool,
}

impl<'a> Regions<'a> {
    /// Makes a section of a region, if it has enough lines of code. It begins with the comments above them.
    fn gap(&self, region: Span, level: usize) -> Option<Definition> {
        let mut place = region.start;
        let lines = region.of(self.text).split_inclusive('\n').map(|line| {
            let start = place + line.len() - line.trim_start().len();
            place += line.len();
            (start, line.trim())
        });
        let is_shown = |&(start, line): &(usize, &str)| {
            !line.is_empty() && (self.is_in_comment(start) || self.is_code(line))
        };
        let shown: Vec<(usize, &str)> = lines.filter(is_shown).take(MOST_LINES).collect();
        let code = shown.iter().filter(|(_, line)| self.is_code(line));
        if code.count() < MIN_LINES || self.is_csharp && self.are_comments(&shown) {
            return None;
        }
        let first = self.lines.span(shown[0].0);
        Some(Definition {
            level,
            title: self.title(&shown, region.end),
            span: Span::new(first.start, region.end),
            signature_end: first.end,
            name: Span::default(),
            arity: 0,
            is_function: false,
            indent: 0,
        })
    }

    /// Returns whether all lines of a region are comments. In C#, most such stand above a directive.
    fn are_comments(&self, shown: &[(usize, &str)]) -> bool {
        let mut starts = shown.iter().map(|(start, _)| *start);
        shown.len() < MOST_LINES && starts.all(|start| self.is_in_comment(start))
    }

    /// Makes the title of a region with these lines: its first statement, or its first line of code, or of a comment.
    fn title(&self, shown: &[(usize, &'a str)], end: usize) -> String {
        let code = shown
            .iter()
            .filter(|(start, _)| !self.is_in_comment(*start));
        let is_named = |(start, line): &&(usize, &str)| {
            self.is_statement(line) || self.is_head(*start, line, end)
        };
        let statement = code.clone().find(is_named);
        let other = || code.clone().find(|(_, line)| !self.is_condition(line));
        let Some(&(start, line)) = statement.or_else(other).or_else(|| code.clone().next()) else {
            let mut comments = shown
                .iter()
                .map(|(_, line)| line.trim_matches(COMMENT_SIGNS));
            let is_text = |line: &&str| line.contains(char::is_alphanumeric) && *line != "=begin";
            return title(comments.find(is_text).unwrap_or_default());
        };
        if self.is_c && line.starts_with("template") {
            return title(statement_of(&self.text[start..end]));
        }
        match defined(line).filter(|_| self.is_c) {
            Some(name) => title(&format!("#define {name}")),
            None => title(line.trim_end_matches('\\')),
        }
    }

    fn is_in_comment(&self, place: usize) -> bool {
        let before = self
            .comments
            .partition_point(|comment| comment.start <= place);
        let last = before.checked_sub(1).map(|at| self.comments[at]);
        last.is_some_and(|last| place < last.end)
    }

    /// Returns whether a line says what a section is about.
    fn is_statement(&self, line: &str) -> bool {
        if self.is_c && line.starts_with('#') {
            return defined(line).is_some();
        }
        let is_template = line.starts_with("template");
        // A word that begins a block says nothing of it: `try:`, `cdef:`, `public:`.
        let is_word = |line: &str| line.chars().all(char::is_alphanumeric);
        if line.strip_suffix(':').is_some_and(is_word) {
            return false;
        }
        line.starts_with(|char: char| char.is_alphanumeric() || char == '_')
            && !(self.is_c && is_prefix(line) && !is_template)
    }

    /// Returns whether a line that begins at `start` is a macro before a body, which stands for the head of a function.
    fn is_head(&self, start: usize, line: &str, end: usize) -> bool {
        let after = &self.text[start + line.len()..end];
        self.is_c && is_prefix(line) && after.trim_start().starts_with('{')
    }

    /// Returns whether a line begins a condition of the preprocessor.
    fn is_condition(&self, line: &str) -> bool {
        self.is_c && line.starts_with("#if")
    }

    /// Returns whether a line is more than the end of what was begun before.
    fn is_code(&self, line: &str) -> bool {
        let is_end = self.is_c && (line.starts_with("#endif") || line.starts_with("#else"));
        let is_directive = self.is_csharp && line.starts_with('#');
        !is_end && !is_directive && is_code(line)
    }
}

/// Returns the name that a line of the preprocessor defines.
fn defined(line: &str) -> Option<&str> {
    let directive = line.strip_prefix('#')?.trim_start();
    let rest = directive.strip_prefix("define")?;
    rest.split_whitespace().next()
}

/// Returns the statement that a text begins with, up to its body.
fn statement_of(text: &str) -> &str {
    let end = text.find([';', '{']).unwrap_or(text.len());
    &text[..end]
}

/// Returns whether a line is more than the end of what was begun before.
pub(super) fn is_code(line: &str) -> bool {
    if CONFLICTS.iter().any(|mark| line.starts_with(mark)) {
        return false;
    }
    let words = line.split(|char: char| !char.is_alphanumeric());
    let mut words = words.filter(|word| !word.is_empty());
    words.any(|word| !CLOSINGS.contains(&word))
}
