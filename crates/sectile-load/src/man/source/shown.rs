//! Which of its arguments a macro of a file's own shows.

use std::collections::BTreeSet;

use super::super::conditions::decide;
use super::super::definitions::{Definitions, named};
use super::{control, opened, without_comment};

/// Requests whose arguments are measures, colours, fonts, or messages for the person who formats
/// the page.
const SILENT: [&str; 17] = [
    "ce", "fam", "fcolor", "ft", "gcolor", "in", "ll", "lt", "ne", "nr", "po", "ps", "sp", "ta",
    "ti", "tm", "vs",
];

/// Stands for all arguments while a body is read; the characters behind it stand for the single ones.
const ALL: u32 = 0xE000;

/// How many single arguments are told apart.
const MAX_SINGLE: u32 = 255;

/// The arguments that a macro shows, counted from 1.
#[derive(Debug, Default)]
pub(in super::super) struct Shown {
    is_all: bool,
    numbers: BTreeSet<u32>,
}

impl Shown {
    /// Adds what the body of a macro shows, as a terminal sees it.
    pub(super) fn add_body(&mut self, body: &[&str]) {
        let mut hidden = 0;
        let mut hides_else = false;
        for line in body {
            let line = without_comment(line);
            if hidden > 0 {
                hidden += opened(line);
            } else {
                hidden = self.add_line(&called(line), &mut hides_else);
            }
        }
    }

    /// Returns those of the arguments of a call that are shown.
    pub(in super::super) fn among(&self, arguments: Vec<String>) -> Vec<String> {
        let numbered = (1_u32..).zip(arguments);
        let shown = numbered.filter(|(number, _)| self.is_all || self.numbers.contains(number));
        shown.map(|(_, argument)| argument).collect()
    }

    /// Adds what a line shows, and returns how many blocks it opens that a terminal does not see.
    fn add_line(&mut self, line: &str, hides_else: &mut bool) -> isize {
        let mut rest = line;
        loop {
            let Some((name, arguments)) = control(rest) else {
                self.add_text(rest);
                return 0;
            };
            let hides = match name {
                "if" | "ie" => {
                    let holds = is_fixed(arguments).then(|| decide(arguments, &mut none()).0);
                    if name == "ie" {
                        *hides_else = holds == Some(true);
                    }
                    holds == Some(false)
                }
                "el" => std::mem::take(hides_else),
                _ => {
                    self.add_call(name, arguments);
                    return 0;
                }
            };
            if hides {
                return opened(arguments);
            }
            let body = if name == "el" {
                arguments
            } else {
                decide(arguments, &mut none()).1
            };
            let body = body.trim_start_matches([' ', '\t']);
            rest = body.strip_prefix("\\{").unwrap_or(body);
            rest = rest.trim_start_matches([' ', '\t']);
        }
    }

    fn add_call(&mut self, name: &str, arguments: &str) {
        // Behind it, the numbers are those of other arguments.
        self.is_all |= name == "shift";
        if !SILENT.contains(&name) {
            self.add_text(arguments);
        }
    }

    /// Adds the arguments that are in a text, and not in its escapes.
    fn add_text(&mut self, text: &str) {
        for char in none().plain(text).chars() {
            match u32::from(char).checked_sub(ALL) {
                Some(0) => self.is_all = true,
                Some(number @ 1..=MAX_SINGLE) => {
                    self.numbers.insert(number);
                }
                _ => {}
            }
        }
    }
}

/// Returns whether a condition asks for what is always so, or never, on a terminal.
fn is_fixed(condition: &str) -> bool {
    let bare = condition.trim_start_matches([' ', '\t', '!']);
    bare.starts_with(['n', 't', 'v'])
}

/// Makes definitions without any of the file's.
fn none() -> Definitions {
    Definitions::new(0)
}

/// Returns a line of a body as it is when the macro is called, with a character of its own for each argument.
fn called(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let behind = rest[at..].trim_start_matches('\\');
        let marks = rest.len() - at - behind.len();
        rest = behind;
        if let Some(behind) = rest.strip_prefix('$') {
            let (name, behind) = named(behind);
            text.extend(standing_for(name));
            rest = behind;
        } else {
            // A body has each backslash twice.
            text.push_str(&"\\".repeat(marks.div_ceil(2)));
        }
    }
    text.push_str(rest);
    text
}

/// Returns the character for an argument; none for the name of the macro.
fn standing_for(name: &str) -> Option<char> {
    let number = match name.parse::<u32>() {
        Ok(0) => return None,
        Ok(number) if number <= MAX_SINGLE => number,
        _ => 0,
    };
    char::from_u32(ALL + number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what a macro with this body shows of the arguments `a b c`.
    fn check(body: &str, expected: &str) {
        let mut shown = Shown::default();
        let lines: Vec<&str> = body.lines().collect();
        shown.add_body(&lines);
        let arguments = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(shown.among(arguments).join(" "), expected, "{body}");
    }

    #[test]
    fn a_body_shows_the_arguments_that_it_names() {
        check(".B \\\\$2", "b");
        check("\\fB\\\\$1\\fP (\\\\$[3])", "a c");
        check("\\\\$*", "a b c");
        check(".ds X \\\\$1\n\\\\*X", "a");
        check("\\\\$1\n.shift\n\\\\$1", "a b c");
        check("\\$1", "a");
        check("no\n.\\\" \\\\$1", "");
    }

    #[test]
    fn measures_and_names_in_escapes_are_not_shown() {
        check(".sp \\\\$1\n.nr X \\\\$2", "");
        check("\\m[\\\\$1]x\\h'\\\\$2'\\f\\\\$3y", "");
        check("\\\\$0", "");
    }

    #[test]
    fn what_a_terminal_hides_is_not_shown() {
        check(".if t \\{\\\n\\\\$1\n.if n \\{ x\n.\\}\n.\\}\n\\\\$2", "b");
        check(".ie n \\{\\\n\\\\$1\n.\\}\n.el \\{\\\n\\\\$2\n.\\}", "a");
        check(".if t \\\\$1\n.if !n \\\\$2\n.if n \\\\$3", "c");
    }

    #[test]
    fn other_conditions_may_hold() {
        check(".ie \\\\n(.$>1 \\\\$2\n.el \\\\$1", "a b");
        check(".if \"\\\\$1\"x\" \\{ \\\\$3\n.\\}", "c");
    }
}
