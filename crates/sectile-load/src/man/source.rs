//! The lines of a roff source that say something: continued lines are joined, conditions decided, comments and
//! definitions left out.

mod shown;

use std::collections::HashMap;

use super::conditions::{decide, evaluate};
use super::definitions::{Definitions, split_word};
use crate::not_followed::NotFollowed;
use shown::Shown;

/// How many conditions may wait for their other side.
const MAX_BRANCHES: usize = 1_000;

/// A line of a source; escapes are still in it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    Text(String),
    Call(Call),
}

/// The call of a macro or a request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) name: String,
    /// What follows the name.
    pub(super) rest: String,
}

impl Call {
    /// Returns the arguments: words, and texts in quotation marks.
    pub(super) fn arguments(&self) -> Vec<String> {
        arguments(&self.rest)
    }
}

/// A source that is read line by line.
#[derive(Debug)]
pub(super) struct Source<'a> {
    lines: std::str::Split<'a, char>,
    pub(super) definitions: Definitions,
    pub(super) not_followed: NotFollowed,
    /// The macros that the file defines, and what they show of their arguments.
    pub(super) macros: HashMap<String, Shown>,
    /// Whether the other side of each open condition holds.
    branches: Vec<bool>,
}

impl<'a> Source<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            lines: text.split('\n'),
            definitions: Definitions::new(text.len()),
            not_followed: NotFollowed::default(),
            macros: HashMap::new(),
            branches: Vec::new(),
        }
    }

    /// Returns the next line that says something.
    pub(super) fn next_line(&mut self) -> Option<Line> {
        loop {
            let line = self.joined_line()?;
            if let Some(line) = self.decided(&line) {
                return Some(line);
            }
        }
    }

    /// Returns the next line, with those that continue it, without comments.
    pub(super) fn joined_line(&mut self) -> Option<String> {
        let mut part = without_comment(self.raw_line()?);
        let mut line = String::new();
        while ends_with_backslash(part)
            && let Some(next) = self.raw_line()
        {
            line.push_str(&part[..part.len() - 1]);
            part = without_comment(next);
        }
        line.push_str(part);
        Some(line)
    }

    fn raw_line(&mut self) -> Option<&'a str> {
        let line = self.lines.next()?;
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// Returns what a line says once its conditions are decided; nothing where it hides or defines something.
    fn decided(&mut self, line: &str) -> Option<Line> {
        let mut rest = line;
        loop {
            let Some((name, arguments)) = control(rest) else {
                return Some(Line::Text(rest.to_owned()));
            };
            if name == "nop" {
                rest = arguments;
                continue;
            }
            if !matches!(name, "if" | "ie" | "el" | "while") {
                return self.call(name, arguments);
            }
            let (holds, body) = self.branch(name, arguments);
            if !holds {
                self.skip_block(body);
                return None;
            }
            rest = body.trim_start_matches([' ', '\t']);
            rest = rest.strip_prefix("\\{").unwrap_or(rest);
            rest = rest.trim_start_matches([' ', '\t']);
            if rest.is_empty() {
                return None;
            }
        }
    }

    /// Returns whether the body of a condition holds, and returns it.
    fn branch<'l>(&mut self, name: &str, arguments: &'l str) -> (bool, &'l str) {
        match name {
            "el" => (self.branches.pop().unwrap_or_default(), arguments),
            // Loops count what a text does not show.
            "while" => (false, arguments),
            _ => {
                let (holds, body) = decide(arguments, &mut self.definitions);
                if name == "ie" && self.branches.len() < MAX_BRANCHES {
                    self.branches.push(!holds);
                }
                (holds, body)
            }
        }
    }

    /// Leaves out the rest of the block that a line opens.
    fn skip_block(&mut self, line: &str) {
        let mut depth = opened(line);
        while depth > 0 {
            let Some(line) = self.raw_line() else { return };
            depth += opened(without_comment(line));
        }
    }

    /// Returns the call of a macro, unless it only defines or hides something.
    fn call(&mut self, name: &str, rest: &str) -> Option<Line> {
        let (first, others) = split_word(rest);
        match name {
            "" => {}
            "ds" | "ds1" => self.definitions.define(rest, false),
            "as" | "as1" => self.definitions.define(rest, true),
            "nr" => self.set_register(first, others),
            "de" | "de1" | "dei" | "dei1" | "am" | "am1" | "ami" | "ami1" => {
                let body = self.lines_to(split_word(others).0);
                let shown = self.macros.entry(first.to_owned()).or_default();
                shown.add_body(&body);
            }
            "ig" => {
                self.lines_to(first);
            }
            "so" => self.not_followed.add(first),
            _ => {
                return Some(Line::Call(Call {
                    name: name.to_owned(),
                    rest: rest.to_owned(),
                }));
            }
        }
        None
    }

    fn set_register(&mut self, name: &str, arguments: &str) {
        let value = self.definitions.plain(split_word(arguments).0);
        let number = evaluate(&value);
        let is_relative = value.starts_with(['+', '-']);
        let before = if is_relative {
            self.definitions.register(name)
        } else {
            0
        };
        self.definitions
            .set_register(name, before.saturating_add(number));
    }

    /// Returns the lines up to a call of this name, or up to two full stops.
    fn lines_to(&mut self, end: &str) -> Vec<&'a str> {
        let end = if end.is_empty() { "." } else { end };
        let mut lines = Vec::new();
        while let Some(line) = self.raw_line() {
            let call = line.strip_prefix(['.', '\'']).map(without_comment);
            if call.is_some_and(|call| split_word(call).0 == end) {
                break;
            }
            lines.push(line);
        }
        lines
    }
}

/// Splits the call of a macro into its name and the rest of the line. A word in quotation marks is none, though it
/// begins as one.
pub(super) fn control(line: &str) -> Option<(&str, &str)> {
    let is_comment = line.starts_with("'''");
    let call = line.strip_prefix(['.', '\''])?;
    let call = call.trim_start_matches([' ', '\t']);
    let end = call.find([' ', '\t', '\\']).unwrap_or(call.len());
    let name = &call[..end];
    if line.starts_with('\'') && name.contains(['\'', '"']) && !is_comment {
        return None;
    }
    Some((name, call[end..].trim_start_matches([' ', '\t'])))
}

/// Splits arguments at spaces that are neither escaped nor between quotation marks.
pub(super) fn arguments(source: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut chars = source.chars().peekable();
    loop {
        while chars.next_if(|char| matches!(char, ' ' | '\t')).is_some() {}
        if chars.peek().is_none() {
            return arguments;
        }
        let is_quoted = chars.next_if_eq(&'"').is_some();
        let mut argument = String::new();
        while let Some(char) = chars.next() {
            match char {
                '"' if is_quoted && chars.next_if_eq(&'"').is_none() => break,
                ' ' | '\t' if !is_quoted => break,
                '\\' => {
                    argument.push(char);
                    argument.extend(chars.next());
                }
                _ => argument.push(char),
            }
        }
        arguments.push(argument);
    }
}

/// Returns a line up to its comment.
fn without_comment(line: &str) -> &str {
    let mut escapes = escapes(line);
    let comment = escapes.find(|(_, letter)| matches!(letter, Some(b'"' | b'#')));
    comment.map_or(line, |(at, _)| &line[..at])
}

/// Returns where the escapes of a line are, with the bytes behind the backslashes.
fn escapes(line: &str) -> impl Iterator<Item = (usize, Option<u8>)> {
    let bytes = line.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        let at = from + memchr::memchr(b'\\', bytes.get(from..)?)?;
        from = at + 2;
        Some((at, bytes.get(at + 1).copied()))
    })
}

fn ends_with_backslash(line: &str) -> bool {
    let marks = line.bytes().rev().take_while(|byte| *byte == b'\\');
    marks.count() % 2 == 1
}

/// Returns how many more blocks a line opens than it closes.
fn opened(line: &str) -> isize {
    let step = |(_, letter): (usize, Option<u8>)| -> isize {
        match letter {
            Some(b'{') => 1,
            Some(b'}') => -1,
            _ => 0,
        }
    };
    escapes(line).map(step).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expects lines: texts as they are, calls with a full stop.
    fn check(text: &str, expected: &[&str]) {
        let mut source = Source::new(text);
        let mut found = Vec::new();
        while let Some(line) = source.next_line() {
            found.push(match line {
                Line::Text(text) => text,
                Line::Call(call) => format!(".{} {}", call.name, call.rest),
            });
        }
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn comments_and_definitions_are_left_out() {
        check(
            ".\\\" a\n'\\\" b\nc \\\" d\n.de X\n.B \\\\$1\n..\n.de Y end\nx\n.end\n.ig\nz\n..\n.B a\\\nb",
            &["c ", ".B ab"],
        );
    }

    #[test]
    fn conditions_take_what_a_terminal_shows() {
        check(
            ".if n .B a\n.if t .B b\n.ie t \\{\\\n.B c\n.if n \\{ x\n.\\}\n.\\}\n.el \\{\\\n.B d\n.\\}\n\
             .ie \\n(.g .B e\n.el .B f\n.if n text",
            &[".B a", ".B d", ".B e", "text"],
        );
    }

    #[test]
    fn arguments_may_be_quoted() {
        let found = arguments("a \"b c\" \"d\"\"e\" f\\ g \"\" \"open");
        assert_eq!(found, ["a", "b c", "d\"e", "f\\ g", "", "open"]);
    }

    #[test]
    fn blocks_and_definitions_that_are_not_closed_end_with_the_text() {
        check("a\n.if t \\{\nb", &["a"]);
        check("a\n.de X\nb", &["a"]);
        check("a\\", &["a\\"]);
        check(".el .B a\n.if\n.ie\n.", &[]);
    }
}
