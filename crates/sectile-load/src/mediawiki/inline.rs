//! The text of a paragraph, an item or a cell, as Markdown.

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use super::literals::{Literal, Literals, NOTES, end_tag, tag};
use super::templates::arguments;
use crate::entity_names;
use crate::link::destination;
use crate::one_line::one_line;
use crate::superscript::{raised_after, subscript};

/// How long a link is at most, in bytes, and how many others may stand in it.
const LONGEST_LINK: usize = 2_000;
const MAX_LINKS: usize = 8;

/// What an address begins with.
const SCHEMES: [&str; 6] = ["http://", "https://", "ftp://", "mailto:", "irc://", "//"];

/// Namespaces of pictures, and what an argument of a picture begins or ends with that is not its caption.
const FILES: [&str; 6] = ["archivo", "datei", "fichier", "file", "image", "media"];
const OPTIONS: [&str; 12] = [
    "border",
    "center",
    "centre",
    "frame",
    "framed",
    "frameless",
    "left",
    "none",
    "right",
    "thumb",
    "thumbnail",
    "upright",
];

/// Elements that stand on lines of their own.
const BLOCKS: [&str; 14] = [
    "blockquote",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "hr",
    "ol",
    "p",
    "poem",
    "table",
    "td",
    "th",
    "tr",
];

/// Elements whose tags say nothing of the text, or nothing more.
const PLAIN: [&str; 40] = [
    "a",
    "abbr",
    "b",
    "bdi",
    "big",
    "caption",
    "cite",
    "code",
    "del",
    "dfn",
    "em",
    "font",
    "gallery",
    "i",
    "img",
    "includeonly",
    "ins",
    "kbd",
    "li",
    "noinclude",
    "nowiki",
    "onlyinclude",
    "pre",
    "ref",
    "references",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "sup",
    "tbody",
    "tt",
    "u",
    "ul",
    "var",
    "wbr",
];

/// Switches that stand between underscores and set how a page is shown.
const SWITCHES: [&str; 14] = [
    "TOC",
    "NOTOC",
    "FORCETOC",
    "NOEDITSECTION",
    "NEWSECTIONLINK",
    "NONEWSECTIONLINK",
    "NOGALLERY",
    "HIDDENCAT",
    "INDEX",
    "NOINDEX",
    "STATICREDIRECT",
    "NOTITLECONVERT",
    "NOCONTENTCONVERT",
    "DISAMBIG",
];

/// Returns markup as Markdown, and adds the categories in it to `categories`.
pub(super) fn markdown(source: &str, literals: &Literals, categories: &mut Vec<String>) -> String {
    read(source, literals, categories, false)
}

/// Returns markup as text without any.
pub(super) fn plain(source: &str, literals: &Literals) -> String {
    read(source, literals, &mut Vec::new(), true)
}

fn read(source: &str, literals: &Literals, categories: &mut Vec<String>, is_plain: bool) -> String {
    let mut lines = Vec::new();
    for line in source.split('\n') {
        let mut writer = Writer {
            literals,
            categories: &mut *categories,
            is_plain,
            text: String::new(),
            bold: Emphasis::new("**"),
            italic: Emphasis::new("*"),
            unclosed: HashSet::new(),
        };
        writer.line(line);
        writer.end();
        let text = if is_plain {
            writer.text.trim_end()
        } else {
            writer.text.trim()
        };
        lines.push(text.to_owned());
    }
    lines.join("\n")
}

/// An emphasis, which may be open; its sign is written before its first word.
struct Emphasis {
    sign: &'static str,
    is_open: bool,
    is_written: bool,
}

impl Emphasis {
    const fn new(sign: &'static str) -> Self {
        Self {
            sign,
            is_open: false,
            is_written: false,
        }
    }

    fn begin(&mut self, text: &mut String) {
        if self.is_open && !self.is_written {
            text.push_str(self.sign);
            self.is_written = true;
        }
    }

    fn toggle(&mut self, text: &mut String) {
        if self.is_open && self.is_written {
            text.insert_str(text.trim_end().len(), self.sign);
        }
        self.is_open = !self.is_open;
        self.is_written = false;
    }
}

struct Writer<'l> {
    literals: &'l Literals,
    categories: &'l mut Vec<String>,
    is_plain: bool,
    text: String,
    bold: Emphasis,
    italic: Emphasis,
    /// Elements that have no end in the rest of the line.
    unclosed: HashSet<String>,
}

impl Writer<'_> {
    fn line(&mut self, source: &str) {
        let mut rest = source;
        while let Some(sign) = rest.chars().next() {
            let end = rest[sign.len_utf8()..].find(is_markup);
            let end = end.map_or(rest.len(), |end| end + sign.len_utf8());
            let length = if is_markup(sign) {
                self.markup(rest, sign)
            } else {
                None
            };
            let length = length.unwrap_or_else(|| {
                let text = rest[..end].replace(NOTES, "").replace('\u{A0}', " ");
                self.push(&text);
                end
            });
            rest = &rest[length..];
        }
    }

    /// Reads the markup that a text begins with, and returns its length.
    fn markup(&mut self, rest: &str, sign: char) -> Option<usize> {
        match sign {
            '\'' => self.quotes(rest),
            '[' => self.link(rest).or_else(|| self.address(rest)),
            '<' => self.tag(rest),
            '&' => {
                let (character, length) = entity_names::reference(rest)?;
                let character = if character == '\u{A0}' {
                    ' '
                } else {
                    character
                };
                self.push(character.encode_utf8(&mut [0; 4]));
                Some(length)
            }
            '_' => {
                let inner = rest.strip_prefix("__")?;
                let (name, _) = inner.split_once("__")?;
                SWITCHES.contains(&name).then_some(name.len() + 4)
            }
            _ => self.literal(rest),
        }
    }

    /// Adds text, behind the signs of what is emphasized from there on.
    fn push(&mut self, text: &str) {
        let words = text.trim_start();
        self.text.push_str(&text[..text.len() - words.len()]);
        if words.is_empty() {
            return;
        }
        if !self.is_plain {
            self.bold.begin(&mut self.text);
            self.italic.begin(&mut self.text);
        }
        self.text.push_str(words);
    }

    fn end(&mut self) {
        for emphasis in [&mut self.italic, &mut self.bold] {
            if emphasis.is_open {
                emphasis.toggle(&mut self.text);
            }
        }
    }

    fn quotes(&mut self, rest: &str) -> Option<usize> {
        let run = rest.len() - rest.trim_start_matches('\'').len();
        let signs = match run {
            1 => return None,
            2 | 3 => run,
            4 => 3,
            _ => 5,
        };
        self.push(&"'".repeat(run - signs));
        // What was opened last ends first.
        let is_italic_inside = self.italic.is_open && self.bold.is_open;
        if signs != 3 && (signs == 2 || is_italic_inside) {
            self.italic.toggle(&mut self.text);
        }
        if signs != 2 {
            self.bold.toggle(&mut self.text);
        }
        if signs == 5 && !is_italic_inside {
            self.italic.toggle(&mut self.text);
        }
        Some(run)
    }

    /// Reads a link to a page, a picture or a category.
    fn link(&mut self, rest: &str) -> Option<usize> {
        let end = closing(rest)?;
        let inner = &rest[2..end];
        let (target, text) = inner.split_once('|').unwrap_or((inner, ""));
        let target = target.trim();
        let space = target
            .split_once(':')
            .map(|(space, name)| (space.trim().to_lowercase(), name));
        match space {
            Some((space, _)) if FILES.contains(&space.as_str()) => self.caption(text),
            Some((space, name))
                if matches!(space.as_str(), "category" | "kategorie" | "catégorie") =>
            {
                self.categories.push(one_line(name));
            }
            _ => {
                let target = target.trim_start_matches(':');
                let shown = if text.trim().is_empty() { target } else { text };
                let leads = is_file(target).then_some(target);
                self.shown(shown, leads);
            }
        }
        Some(end + 2)
    }

    /// Writes the caption of a picture: the last of its arguments that sets nothing.
    fn caption(&mut self, text: &str) {
        let parts = arguments(text);
        let caption = parts.last().map_or("", |part| part.trim());
        let names = |name: &str| name.chars().all(char::is_alphabetic);
        let sets = OPTIONS.contains(&caption)
            || caption.ends_with("px")
            || caption.split_once('=').is_some_and(|(name, _)| names(name));
        if !sets {
            self.shown(caption, None);
        }
    }

    /// Reads a link to an address.
    fn address(&mut self, rest: &str) -> Option<usize> {
        let inner = rest.strip_prefix('[')?;
        if !SCHEMES.iter().any(|scheme| inner.starts_with(scheme)) {
            return None;
        }
        let near = &inner[..inner.floor_char_boundary(LONGEST_LINK)];
        let end = near.find(']')?;
        let inner = &inner[..end];
        let (target, text) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        if text.trim().is_empty() {
            self.push(target);
        } else {
            self.shown(text.trim(), Some(target));
        }
        Some(end + 2)
    }

    /// Writes the text of a link, and where it leads.
    fn shown(&mut self, text: &str, target: Option<&str>) {
        match target.filter(|_| !self.is_plain) {
            None => self.line(text),
            Some(target) => {
                self.push("[");
                self.line(text);
                self.push(&format!("]({})", destination(target)));
            }
        }
    }

    fn tag(&mut self, rest: &str) -> Option<usize> {
        let tag = tag(rest)?;
        let name = tag.name.as_str();
        match name {
            "br" => self.text.push('\n'),
            "code" | "tt" | "kbd" | "samp" | "var" | "sub" | "sup" if !tag.is_end => {
                if let Some(length) = self.span(&rest[tag.length..], name) {
                    return Some(tag.length + length);
                }
            }
            "b" | "strong" if tag.is_end == self.bold.is_open => self.bold.toggle(&mut self.text),
            "i" | "em" | "cite" | "dfn" if tag.is_end == self.italic.is_open => {
                self.italic.toggle(&mut self.text);
            }
            "li" if !tag.is_end => self.text.push_str("\n- "),
            _ if BLOCKS.contains(&name) => self.text.push('\n'),
            _ if PLAIN.contains(&name) => {}
            _ => return None,
        }
        Some(tag.length)
    }

    /// Reads an element whose text has no other markup, and returns its length behind its first tag.
    fn span(&mut self, inner: &str, name: &str) -> Option<usize> {
        if self.unclosed.contains(name) {
            return None;
        }
        let Some((end, after)) = end_tag(inner, name) else {
            self.unclosed.insert(name.into());
            return None;
        };
        let text = plain(&inner[..end], self.literals);
        let before = self.text.chars().next_back();
        match name {
            "sub" => {
                let behind = inner[after..].chars().next();
                self.push(&subscript(before, &text, behind).unwrap_or(text));
            }
            "sup" => self.push(&raised_after(before, &text)),
            _ => self.code(&text),
        }
        Some(after)
    }

    fn literal(&mut self, rest: &str) -> Option<usize> {
        let (piece, length) = self.literals.piece(rest)?;
        match piece {
            Literal::Text(text) => self.push(text),
            Literal::Code(text) => self.code(text),
            Literal::Formula(text) if self.is_plain => self.push(text),
            Literal::Formula(text) => self.push(&format!("${}$", one_line(text))),
            Literal::Note(_) if self.is_plain => {}
            Literal::Note(number) => self.push(&format!("[^{}]", number + 1)),
        }
        Some(length)
    }

    /// Writes code, between more backticks than it has in a row.
    fn code(&mut self, text: &str) {
        let text = one_line(text);
        if self.is_plain || text.is_empty() {
            self.push(&text);
            return;
        }
        let longest = text.split(|sign| sign != '`').map(str::len).max();
        let ticks = "`".repeat(longest.unwrap_or_default() + 1);
        let space = if text.starts_with('`') || text.ends_with('`') {
            " "
        } else {
            ""
        };
        self.push(&format!("{ticks}{space}{text}{space}{ticks}"));
    }
}

/// Returns whether a character may begin markup. The last is that of pieces that were kept aside.
fn is_markup(sign: char) -> bool {
    matches!(sign, '\'' | '[' | '<' | '&' | '_' | '\u{E000}')
}

/// Returns where the brackets close that a link to a page begins with.
fn closing(text: &str) -> Option<usize> {
    if !text.starts_with("[[") {
        return None;
    }
    let near = &text[..text.floor_char_boundary(LONGEST_LINK)];
    let bytes = near.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(next) = near[at..].find(['[', ']']) {
        at += next;
        if bytes.get(at + 1) != Some(&bytes[at]) {
            at += 1;
            continue;
        }
        if bytes[at] == b'[' {
            depth += 1;
        } else {
            depth -= 1;
        }
        if depth == 0 {
            return Some(at);
        }
        if depth > MAX_LINKS {
            return None;
        }
        at += 2;
    }
    None
}

/// Returns whether a link leads to a file beside the page.
fn is_file(target: &str) -> bool {
    let path = target.split('#').next().unwrap_or_default();
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    let is_extension = |text: &str| {
        (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    !target.contains(char::is_whitespace) && extension.is_some_and(is_extension)
}
