//! The fields of Word: what they show where the file holds no result.

mod bookmarks;
mod equation;
mod sequences;

use crate::link::with_place;
use crate::symbols;

pub(crate) use bookmarks::{Bookmark, Bookmarks};
pub(crate) use sequences::Sequences;

/// What stands around the arguments of fields.
const QUOTES: [char; 3] = ['"', '“', '”'];

/// Fields that show no text of the document: marks, questions, page numbers, pictures, what is filled in, and tables of
/// contents, which repeat the headings.
const WITHOUT_TEXT: [&str; 30] = [
    "ADDIN",
    "ADVANCE",
    "ASK",
    "BARCODE",
    "CONTROL",
    "DISPLAYBARCODE",
    "EMBED",
    "FORMCHECKBOX",
    "FORMDROPDOWN",
    "FORMTEXT",
    "HTMLCONTROL",
    "INCLUDEPICTURE",
    "INDEX",
    "LINK",
    "NEXT",
    "NEXTIF",
    "NUMPAGES",
    "PAGE",
    "PRINT",
    "PRIVATE",
    "RD",
    "SECTION",
    "SECTIONPAGES",
    "SET",
    "SHAPE",
    "SKIPIF",
    "TA",
    "TC",
    "TOC",
    "XE",
];

/// What a field shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) text: String,
    /// How many ruby annotations the text is without.
    pub(crate) readings: usize,
}

impl From<String> for Shown {
    fn from(text: String) -> Self {
        Self { text, readings: 0 }
    }
}

/// Returns what a field without text shows by its instruction alone; nothing where only Word can tell. What Word
/// calculates is empty where the file holds an empty result of it.
pub(crate) fn shown(instruction: &str, has_result: bool) -> Option<Shown> {
    let (name, rest) = named(instruction);
    match name.to_ascii_uppercase().as_str() {
        "EQ" => Some(equation::read(rest)),
        "SYMBOL" => symbols::of_field(rest).map(|symbol| String::from(symbol).into()),
        "MACROBUTTON" | "GOTOBUTTON" => {
            let shown = rest.split_once(char::is_whitespace);
            let shown = shown.map_or("", |(_, shown)| shown.trim());
            Some(shown.to_owned().into())
        }
        _ if has_result || instruction.trim().is_empty() => Some(Shown::default()),
        "QUOTE" | "HYPERLINK" => Some(argument(rest).to_owned().into()),
        "MERGEFIELD" => Some(format!("«{}»", argument(rest)).into()),
        name if WITHOUT_TEXT.contains(&name) => Some(Shown::default()),
        _ => None,
    }
}

/// Returns the address that a field makes its result a link to, with the place in what is there.
pub(crate) fn target(instruction: &str) -> Option<String> {
    let (name, rest) = named(instruction);
    if !name.eq_ignore_ascii_case("HYPERLINK") {
        return None;
    }
    let target = Some(argument(rest)).filter(|target| target.contains(':'))?;
    Some(with_place(target, place(rest)))
}

/// A reference to a bookmark.
pub(crate) struct Reference<'i> {
    pub(crate) bookmark: &'i str,
    /// Whether it shows the number of the note there, and not the text.
    pub(crate) is_to_note: bool,
}

/// Returns the reference that a field is; nothing where it shows the number of a paragraph, or where the bookmark stands.
pub(crate) fn reference(instruction: &str) -> Option<Reference<'_>> {
    const OTHERS: [&str; 5] = ["\\f", "\\n", "\\p", "\\r", "\\w"];
    let (name, rest) = named(instruction);
    let is_to_note = name.eq_ignore_ascii_case("NOTEREF");
    if !is_to_note && !name.eq_ignore_ascii_case("REF") {
        return None;
    }
    let shows_other = rest.split_whitespace().any(|word| {
        let is_look = is_to_note && word.eq_ignore_ascii_case("\\f");
        let mut others = OTHERS.iter();
        !is_look && others.any(|other| word.eq_ignore_ascii_case(other))
    });
    let bookmark = argument(rest);
    (!shows_other && !bookmark.is_empty()).then_some(Reference {
        bookmark,
        is_to_note,
    })
}

/// Splits an instruction into the name of the field and the rest.
fn named(instruction: &str) -> (&str, &str) {
    let instruction = instruction.trim();
    let end = instruction.find(|sign: char| !sign.is_ascii_alphabetic());
    let (name, rest) = instruction.split_at(end.unwrap_or(instruction.len()));
    (name, rest.trim())
}

/// Returns the argument of a field, in quotes or a word; nothing where there are switches alone.
fn argument(rest: &str) -> &str {
    if let Some(quoted) = rest.strip_prefix(QUOTES) {
        return quoted.split(QUOTES).next().unwrap_or_default();
    }
    let word = rest.split_whitespace().next().unwrap_or_default();
    if word.starts_with('\\') { "" } else { word }
}

/// Returns the place in a document that a link leads to: `\l "part_2"`.
fn place(rest: &str) -> Option<&str> {
    let is_place = |switch: &str| switch.eq_ignore_ascii_case("\\l");
    let mut pieces = rest.split(QUOTES);
    // What is in quotes is every second piece.
    while let (Some(outside), Some(quoted)) = (pieces.next(), pieces.next()) {
        if outside.split_whitespace().next_back().is_some_and(is_place) {
            return Some(quoted);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_say_what_they_show_are_read() {
        for (instruction, expected) in [
            ("MACROBUTTON NoMacro [Click here]", Some("[Click here]")),
            (" MERGEFIELD  Surname \\* MERGEFORMAT ", Some("«Surname»")),
            ("MERGEFIELD \"First name\"", Some("«First name»")),
            (
                "HYPERLINK \"https://a.example/b\"",
                Some("https://a.example/b"),
            ),
            ("HYPERLINK \\l \"_Toc1\"", Some("")),
            ("QUOTE \"as is\"", Some("as is")),
            ("SYMBOL 176 \\f \"Symbol\"", Some("°")),
            ("symbol 176 \\f \"Symbol\"", Some("°")),
            ("eq \\f(1;2)", Some("$\\frac{1}{2}$")),
            ("XE \"entry\"", Some("")),
            ("TOC \\o \"1-3\"", Some("")),
            ("", Some("")),
            ("REF table_1 \\h", None),
            ("PAGEREF table_1 \\h", None),
            ("= 2 + 3", None),
        ] {
            let shown = shown(instruction, false).map(|shown| shown.text);
            assert_eq!(shown.as_deref(), expected, "{instruction}");
        }
    }

    #[test]
    fn links_lead_to_addresses_and_places_there() {
        for (instruction, expected) in [
            (
                " HYPERLINK \"https://a.example\" ",
                Some("https://a.example"),
            ),
            ("hyperlink https://a.example", Some("https://a.example")),
            (
                "HYPERLINK \"https://a.example/b\" \\l \"part 2\" \\o \"tip\"",
                Some("https://a.example/b#part 2"),
            ),
            (
                "HYPERLINK \"https://a.example\" \\o \"the \\l\"",
                Some("https://a.example"),
            ),
            ("HYPERLINK \\l \"part_2\"", None),
            ("HYPERLINKS \"https://a.example\"", None),
            ("REF a:b", None),
        ] {
            assert_eq!(target(instruction).as_deref(), expected, "{instruction}");
        }
    }

    #[test]
    fn an_empty_result_is_what_word_calculated() {
        for (instruction, expected) in [
            ("REF table_1 \\h", ""),
            ("MERGEFIELD Surname", ""),
            ("EQ \\x(a)", "a"),
            ("MACROBUTTON NoMacro [Click here]", "[Click here]"),
        ] {
            let shown = shown(instruction, true).map(|shown| shown.text);
            assert_eq!(shown.as_deref(), Some(expected), "{instruction}");
        }
    }
}
