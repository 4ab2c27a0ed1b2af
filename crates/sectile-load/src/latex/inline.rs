//! Titles of LaTeX without their commands.

use std::collections::HashMap;

use super::accents::{accented, is_accent, sign};
use super::tokens::{argument, line_end, name, skip_option};
use crate::superscript::{raised_after, subscript};

/// Commands whose first arguments are hidden, with the number of these.
const HIDDEN: [(&str, usize); 33] = [
    ("addcontentsline", 3),
    ("cite", 1),
    ("citep", 1),
    ("citet", 1),
    ("color", 1),
    ("email", 1),
    ("eqref", 1),
    ("fontsize", 2),
    ("footnote", 1),
    ("footnotemark", 0),
    ("footnotetext", 1),
    ("fontfamily", 1),
    ("href", 1),
    ("hskip", 0),
    ("hspace", 1),
    ("hypertarget", 1),
    ("includegraphics", 1),
    ("index", 1),
    ("inst", 1),
    ("institute", 1),
    ("label", 1),
    ("markboth", 2),
    ("markright", 1),
    ("orcidID", 1),
    ("pageref", 1),
    ("pdfbookmark", 2),
    ("phantom", 1),
    ("ref", 1),
    ("texorpdfstring", 1),
    ("textcolor", 1),
    ("thanks", 1),
    ("today", 0),
    ("vspace", 1),
];

/// The longest text that is made of a title.
const MAX_TEXT: usize = 8_000;

/// The texts of macros without arguments.
pub(super) type Macros = HashMap<String, String>;

/// Returns a title as a reader sees it.
pub(super) fn plain(source: &str, macros: &Macros) -> String {
    let mut text = String::with_capacity(source.len());
    let mut at = 0;
    while let Some(char) = source[at..].chars().next() {
        if text.len() > MAX_TEXT {
            break;
        }
        at = match char {
            '\\' => command(source, at, macros, &mut text),
            '{' | '}' => at + 1,
            '%' => line_end(source, at),
            '$' => formula(source, at, "$", &mut text),
            '~' => {
                text.push(' ');
                at + 1
            }
            '-' | '`' | '\'' => ligature(source, at, &mut text),
            _ => {
                text.push(char);
                at + char.len_utf8()
            }
        };
    }
    text
}

/// Copies a formula as it is, up to the mark that ends it.
fn formula(source: &str, at: usize, end: &str, text: &mut String) -> usize {
    let mark = if end == "$" { 1 } else { 2 };
    let length = source[at + mark..]
        .find(end)
        .map(|found| found + mark + end.len());
    let end = at + length.unwrap_or(mark);
    text.push_str(&source[at..end]);
    end
}

fn ligature(source: &str, at: usize, text: &mut String) -> usize {
    let known = [
        ("---", "—"),
        ("--", "–"),
        ("``", "“"),
        ("''", "”"),
        ("`", "‘"),
    ];
    let rest = &source[at..];
    let found = known.iter().find(|(marks, _)| rest.starts_with(marks));
    let (marks, shown) = found.copied().unwrap_or((&rest[..1], &rest[..1]));
    text.push_str(shown);
    at + marks.len()
}

/// Reads the command at `at`, and returns where it ends.
fn command(source: &str, at: usize, macros: &Macros, text: &mut String) -> usize {
    let name = name(source, at);
    let after = at + 1 + name.len();
    if name == "(" {
        return formula(source, at, "\\)", text);
    }
    if is_accent(name)
        && let Some(end) = accent(source, after, name, text)
    {
        return end;
    }
    if let "textsuperscript" | "textsubscript" = name
        && let Some((inner, end)) = argument(source, after)
    {
        let before = text.chars().next_back();
        let inner = plain(inner, macros);
        text.push_str(&match name {
            "textsuperscript" => raised_after(before, &inner),
            _ => subscript(before, &inner, source[end..].chars().next()).unwrap_or(inner),
        });
        return end;
    }
    if let Some((_, count)) = HIDDEN.iter().find(|(hidden, _)| *hidden == name) {
        let mut end = skip_option(source, after);
        for _ in 0..*count {
            end = argument(source, end).map_or(end, |(_, end)| end);
        }
        return end;
    }
    let shown = macros.get(name).map(String::as_str).or_else(|| sign(name));
    text.push_str(shown.unwrap_or_default());
    if name == "\\" {
        return skip_option(source, after);
    }
    let is_switch = shown.is_none() && name.starts_with(|char: char| char.is_ascii_alphabetic());
    let spaces = source[after..].len() - source[after..].trim_start().len();
    after + if is_switch { spaces } else { 0 }
}

/// Reads the letter that an accent stands on.
fn accent(source: &str, at: usize, accent: &str, text: &mut String) -> Option<usize> {
    let rest = source[at..].trim_start_matches([' ', '{']);
    let rest = rest.strip_prefix('\\').unwrap_or(rest);
    let letter = rest.chars().next().filter(|char| char.is_alphabetic())?;
    text.push(accented(accent, letter));
    Some(source.len() - rest.len() + letter.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_have_no_commands() {
        let macros = Macros::from([("tool".into(), "Sectile".into())]);
        for (title, expected) in [
            ("The \\emph{big {\\bf one}}", "The big one"),
            (
                "Caf\\'e, Erd\\H{o}s, na\\\"{\\i}ve, \\v{S}\\c c",
                "Café, Erdős, naïve, Šç",
            ),
            (
                "\\texorpdfstring{$\\alpha$}{alpha} rays\\label{x}",
                "alpha rays",
            ),
            ("On $E = mc^2$ and \\(a_b\\)", "On $E = mc^2$ and \\(a_b\\)"),
            (
                "\\tool{} 100\\% \\& ``more''---1--2",
                "Sectile 100% & “more”—1–2",
            ),
            ("\\LaTeX\\ and~\\TeX", "LaTeX and TeX"),
            ("A\\footnote{no \\emph{way}}\\\\[2pt]B % comment", "A B "),
            (
                "\\href{https://x.org}{site} \\textcolor{red}{hot}",
                "site hot",
            ),
            ("unfinished \\", "unfinished "),
            ("{\\unknown x} $5", "x $5"),
            (
                "10\\textsuperscript{6} m\\textsuperscript {\\emph{2}} 10\\textsuperscript{2a} log\\textsubscript{2}8",
                "10⁶ m² 10^2a log₂8",
            ),
        ] {
            assert_eq!(plain(title, &macros), expected);
        }
    }
}
