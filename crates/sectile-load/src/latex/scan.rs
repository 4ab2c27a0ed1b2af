//! The headings, the title page and the definitions of LaTeX source, command by command.

use std::collections::HashSet;

use memchr::memmem;
use sectile_core::{LATEX_VERBATIM, Span};

use super::inline::{Macros, plain};
use super::tokens::{argument, line_end, name, option, skip_option, skip_space};
use crate::markup::NotFollowed;

/// The kinds of headings, from the highest on; each may have several names.
const RANKS: [&[&str]; 8] = [
    &["part", "addpart"],
    &["chapter", "addchap"],
    &["section", "addsec"],
    &["subsection"],
    &["subsubsection"],
    &["paragraph"],
    &["subparagraph", "minisec"],
    &["frametitle"],
];

/// The rank of slides.
const SLIDE: usize = RANKS.len() - 1;

/// Commands that define a command: the name and the body are their first and last argument.
const DEFINITIONS: [&str; 10] = [
    "DeclareMathOperator",
    "DeclareRobustCommand",
    "NewDocumentCommand",
    "RenewDocumentCommand",
    "def",
    "define",
    "edef",
    "newcommand",
    "providecommand",
    "renewcommand",
];

/// Commands that include the file of their last argument, with how many arguments they have.
const INCLUDES: [(&str, usize); 20] = [
    ("VerbatimInput", 1),
    ("addbibresource", 1),
    ("bibliography", 1),
    ("csvautotabular", 1),
    ("import", 2),
    ("include", 1),
    ("includefrom", 2),
    ("includepdf", 1),
    ("includestandalone", 1),
    ("input", 1),
    ("inputfrom", 2),
    ("inputminted", 2),
    ("lstinputlisting", 1),
    ("nobibliography", 1),
    ("subfile", 1),
    ("subfileinclude", 1),
    ("subimport", 2),
    ("subincludefrom", 2),
    ("subinputfrom", 2),
    ("verbatiminput", 1),
];

/// Those whose argument is a list of files. In the arguments of others, a comma is part of a name.
const LISTS: [&str; 2] = ["bibliography", "nobibliography"];

/// The longest text of a macro, and how many are kept.
const MAX_MACRO: usize = 200;
const MAX_MACROS: usize = 10_000;

/// A heading, before its level is known.
#[derive(Debug)]
pub(super) struct Title {
    /// The place of its kind in the order of kinds; nothing for the abstract.
    pub(super) rank: Option<usize>,
    pub(super) text: String,
    pub(super) span: Span,
}

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) titles: Vec<Title>,
    pub(super) title: String,
    pub(super) authors: Vec<String>,
    pub(super) date: String,
    pub(super) not_followed: NotFollowed,
}

pub(super) fn read(text: &str) -> Found {
    let mut scanner = Scanner {
        text,
        found: Found::default(),
        macros: Macros::new(),
        verbatim: LATEX_VERBATIM.map(str::to_owned).into(),
        not_ahead: HashSet::new(),
    };
    let mut at = 0;
    while let Some(length) = memchr::memchr2(b'\\', b'%', &text.as_bytes()[at..]) {
        at += length;
        at = if text.as_bytes()[at] == b'%' {
            line_end(text, at)
        } else {
            scanner.command(at)
        };
    }
    scanner.found
}

struct Scanner<'a> {
    text: &'a str,
    found: Found,
    macros: Macros,
    /// The environments whose content is not LaTeX.
    verbatim: HashSet<String>,
    /// What does not stand further on: looked for once.
    not_ahead: HashSet<String>,
}

impl Scanner<'_> {
    /// Reads the command at `at`, and returns where to go on.
    fn command(&mut self, at: usize) -> usize {
        let name = name(self.text, at);
        let after = at + 1 + name.len();
        if let Some(rank) = RANKS.iter().position(|names| names.contains(&name)) {
            return self.heading(rank, at, after);
        }
        if DEFINITIONS.contains(&name) {
            return self.definition(after);
        }
        if let Some((_, count)) = INCLUDES.iter().find(|(include, _)| *include == name) {
            let path = self.text[after..]
                .strip_prefix('*')
                .map_or(after, |_| after + 1);
            return self.include(name, path, *count);
        }
        match name {
            "begin" => self.begin(at, after),
            "end" if argument(self.text, after).is_some_and(|(name, _)| name == "document") => {
                self.text.len()
            }
            "iffalse" => self.skip_to("\\fi", after),
            "verb" | "lstinline" | "mintinline" => self.inline_code(name, after),
            "title" | "author" | "date" => self.title_page(name, after),
            "lstnewenvironment" | "DefineVerbatimEnvironment" | "newtcblisting" => {
                if let Some((name, _)) = argument(self.text, after) {
                    self.verbatim.insert(name.to_owned());
                }
                after
            }
            _ => after,
        }
    }

    fn heading(&mut self, rank: usize, at: usize, after: usize) -> usize {
        let star = self.text[after..]
            .strip_prefix('*')
            .map_or(after, |_| after + 1);
        let (_, end) = option(self.text, star).unwrap_or(("", star));
        match argument(self.text, end) {
            Some((source, end)) => self.title(Some(rank), source, at, end),
            None => after,
        }
    }

    /// Adds a heading that stands from `start` to `end`, with the rest of its line if that is empty.
    fn title(&mut self, rank: Option<usize>, source: &str, start: usize, end: usize) -> usize {
        let text = plain(source, &self.macros);
        let bytes = source.as_bytes();
        let is_parameter = |at: usize| bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        let is_body = memchr::memchr_iter(b'#', bytes).any(is_parameter);
        if text.trim().is_empty() || is_body {
            return end;
        }
        let before = self.text[..start].trim_end_matches([' ', '\t']);
        let is_first = before.is_empty() || before.ends_with('\n');
        let start = if is_first { before.len() } else { start };
        let last = self.found.titles.last().map_or(0, |title| title.span.end);
        let span = Span::new(start.max(last), rest_of_line(self.text, end));
        self.found.titles.push(Title { rank, text, span });
        end
    }

    /// Skips a definition; its body is not text. The text of a macro without arguments is kept.
    fn definition(&mut self, after: usize) -> usize {
        let text = self.text;
        let star = text[after..].strip_prefix('*').map_or(after, |_| after + 1);
        let at = skip_space(text, star);
        let (name, end) = match argument(text, at) {
            Some((inner, end)) => (inner.trim().trim_start_matches('\\'), end),
            None if text[at..].starts_with('\\') => {
                let name = name(text, at);
                (name, at + 1 + name.len())
            }
            None => return after,
        };
        let first = argument(text, end);
        let has_arguments = first.is_none();
        let body_at = match first {
            Some(_) => end,
            // `[2][default]` or `#1#2` stand before the body.
            None => match option(text, end) {
                Some((_, end)) => skip_option(text, end),
                None => {
                    end + text[end..]
                        .bytes()
                        .take(20)
                        .take_while(|byte| *byte != b'{')
                        .count()
                }
            },
        };
        let Some((body, end)) = argument(text, body_at) else {
            return end;
        };
        let is_kept = !has_arguments && body.len() <= MAX_MACRO && self.macros.len() < MAX_MACROS;
        if is_kept {
            let body = plain(body, &self.macros);
            let length = body.floor_char_boundary(MAX_MACRO);
            self.macros
                .insert(name.to_owned(), body[..length].to_owned());
        }
        end
    }

    fn include(&mut self, name: &str, after: usize, count: usize) -> usize {
        let mut end = skip_option(self.text, after);
        let mut path = String::new();
        for _ in 0..count {
            let Some((part, next)) = argument(self.text, end) else {
                break;
            };
            path = if count == 2 && path.ends_with('/') {
                path + part
            } else {
                part.to_owned()
            };
            end = next;
        }
        if path.is_empty() {
            // `\input file` is how TeX itself writes it.
            let word = self.text[after..].trim_start_matches(' ');
            let word = word.split(|char: char| char.is_whitespace() || "\\{}%".contains(char));
            path.push_str(word.into_iter().next().unwrap_or_default());
        }
        let path = without_comments(&path);
        if path.contains('#') {
            return end;
        }
        if LISTS.contains(&name) {
            for file in path.split(',') {
                self.found.not_followed.add(file);
            }
        } else {
            self.found.not_followed.add(&path);
        }
        end
    }

    fn begin(&mut self, at: usize, after: usize) -> usize {
        let Some((name, end)) = argument(self.text, after) else {
            return after;
        };
        if self.verbatim.contains(name) {
            return self.skip_to(&format!("\\end{{{name}}}"), end);
        }
        match name {
            // What stands before are definitions.
            "document" => self.found.titles.clear(),
            "abstract" => return self.title(None, "Abstract", at, skip_option(self.text, end)),
            "frame" => return self.slide(at, end),
            _ => {}
        }
        end
    }

    /// Reads the title of a slide, `\begin{frame}<1->[fragile]{Title}`.
    fn slide(&mut self, at: usize, end: usize) -> usize {
        let overlay = self.text[end..].strip_prefix('<').and_then(|rest| {
            let rest = &rest[..rest.floor_char_boundary(100)];
            rest.find('>')
        });
        let end = overlay.map_or(end, |length| end + length + 2);
        let end = skip_option(self.text, end);
        let title = self.text[end..]
            .starts_with('{')
            .then(|| argument(self.text, end));
        match title.flatten() {
            Some((source, after)) => self.title(Some(SLIDE), source, at, after),
            None => end,
        }
    }

    /// Skips code between marks of its own choice, on one line.
    fn inline_code(&self, name: &str, after: usize) -> usize {
        let text = self.text;
        let mut at = text[after..].strip_prefix('*').map_or(after, |_| after + 1);
        if name != "verb" {
            at = skip_option(text, at);
            if name == "mintinline" {
                at = argument(text, at).map_or(at, |(_, end)| end);
            }
            if let Some((_, end)) = argument(text, at) {
                return end;
            }
        }
        let Some(mark) = text[at..].chars().next() else {
            return at;
        };
        let at = at + mark.len_utf8();
        let line = text[at..].split('\n').next().unwrap_or_default();
        line.find(mark)
            .map_or(at, |length| at + length + mark.len_utf8())
    }

    fn title_page(&mut self, name: &str, after: usize) -> usize {
        let Some((source, end)) = argument(self.text, skip_option(self.text, after)) else {
            return after;
        };
        if source.contains('#') {
            return end;
        }
        match name {
            "title" => self.found.title = plain(source, &self.macros),
            "date" => self.found.date = plain(source, &self.macros),
            _ => {
                for author in source.split("\\and").flat_map(|part| part.split("\\And")) {
                    let author = author.split("\\\\").next().unwrap_or_default();
                    let words = plain(author, &self.macros);
                    let words: Vec<&str> = words.split_whitespace().collect();
                    if !words.is_empty() {
                        self.found.authors.push(words.join(" "));
                    }
                }
            }
        }
        end
    }

    /// Returns where `mark` ends; here if it does not stand further on.
    fn skip_to(&mut self, mark: &str, at: usize) -> usize {
        if self.not_ahead.contains(mark) {
            return at;
        }
        if let Some(found) = memmem::find(&self.text.as_bytes()[at..], mark.as_bytes()) {
            return at + found + mark.len();
        }
        self.not_ahead.insert(mark.to_owned());
        at
    }
}

/// Removes comments, each with the end of its line, from an argument.
fn without_comments(source: &str) -> String {
    let lines = source.split_inclusive('\n');
    lines
        .map(|line| line.split_once('%').map_or(line, |(kept, _)| kept))
        .collect()
}

/// Returns where the line ends, if nothing but labels and comments stands on it from `at` on.
fn rest_of_line(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = text[end..].trim_start_matches([' ', '\t', '\r']);
        let start = text.len() - rest.len();
        if rest.is_empty() || rest.starts_with(['\n', '%']) {
            return line_end(text, start);
        }
        let label = rest
            .starts_with("\\label")
            .then(|| argument(text, start + 6));
        match label.flatten() {
            Some((_, after)) => end = after,
            None => return end,
        }
    }
}
