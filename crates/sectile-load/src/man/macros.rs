//! The macros of the package `man`, those of programs that write manual pages with it, and the headings, paragraphs and
//! items of papers in `ms`, `me` and `mm`.

use super::definitions::Definitions;
use super::source::{Call, Source};
use super::writer::{Page, Writer};
use crate::blocks::Marker;

/// Macros whose arguments are for programs: the index of `pod2man`, equations, pictures, heads and feet of pages.
const SILENT: [&str; 12] = [
    "EF", "EH", "EN", "EQ", "IX", "OF", "OH", "PE", "PF", "PH", "PM", "PS",
];

/// Writes what a macro says, or returns `false` where it is not known.
pub(super) fn call(call: &Call, definitions: &mut Definitions, writer: &mut Writer) -> bool {
    match &*call.name {
        "SH" => title(2, call, definitions, writer),
        // The second is that of an older pod2man.
        "SS" | "Sh" => title(3, call, definitions, writer),
        "PP" | "LP" | "P" | "HP" | "QP" | "XP" | "lp" | "np" | "pp" => writer.paragraph(),
        "sp" | "Sp" => writer.space(),
        "br" => writer.line_break(),
        "TP" => {
            writer.end_block();
            writer.expect_term();
        }
        "TQ" => {
            writer.space();
            writer.expect_term();
        }
        "IP" | "Ip" | "ip" => indented(call, definitions, writer),
        "RS" | "INDENT" => writer.indent(),
        "RE" | "UNINDENT" => writer.outdent(),
        "nf" | "EX" | "Vb" => writer.open_code(),
        "fi" | "EE" | "Ve" => writer.close_code(),
        _ => return link(call, definitions, writer) || words(call, definitions, writer),
    }
    true
}

/// Returns the text of a macro that sets its arguments in fonts, in one or in two by turns, or that names another page.
/// Those of `me` are in small letters.
pub(super) fn in_fonts(call: &Call, definitions: &mut Definitions) -> Option<String> {
    let between = match &*call.name {
        "B" | "I" | "R" | "SM" | "SB" | "CW" | "b" | "i" | "r" | "bi" | "q" | "u" => " ",
        "BI" | "BR" | "IB" | "IR" | "RB" | "RI" => "",
        "MR" => return Some(reference(&plain_arguments(call, definitions))),
        _ => return None,
    };
    Some(definitions.plain(&call.arguments().join(between)))
}

/// Writes a reference to another page: its name, its section and what follows them without a space.
fn reference(arguments: &[String]) -> String {
    match arguments {
        [page, section, behind @ ..] if section.starts_with(char::is_alphanumeric) => {
            format!("{page}({section}){}", behind.join(" "))
        }
        _ => arguments.concat(),
    }
}

/// Returns what a macro says that this reader does not know: the arguments that one of the file's own shows, and those
/// of one that the file takes from elsewhere. Such a macro may do anything with them.
pub(super) fn of_unknown(call: &Call, source: &mut Source<'_>) -> Option<String> {
    let Some(own) = source.macros.get(&call.name) else {
        return of_foreign(call, &mut source.definitions);
    };
    let shown = own.among(call.arguments()).into_iter();
    let plain: Vec<String> = shown
        .map(|argument| source.definitions.plain(&argument))
        .collect();
    (!plain.is_empty()).then(|| plain.join(" "))
}

/// Returns the arguments of a macro from elsewhere as text, unless all of them are measures or letters, as those of
/// macros are that lay out a page. Names without capitals are those of requests.
fn of_foreign(call: &Call, definitions: &mut Definitions) -> Option<String> {
    let is_request = !call
        .name
        .contains(|letter: char| letter.is_ascii_uppercase());
    if is_request || SILENT.contains(&&*call.name) {
        return None;
    }
    let arguments = plain_arguments(call, definitions);
    let has_text = arguments.iter().any(|argument| !is_measure(argument));
    has_text.then(|| arguments.join(" "))
}

/// Returns whether an argument is a number with or without a unit, or a letter.
fn is_measure(argument: &str) -> bool {
    let bare = argument.trim_start_matches(['+', '-']);
    let bare = bare.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
    bare.is_empty() || bare.len() == 1 && bare.as_bytes()[0].is_ascii_alphabetic()
}

/// Returns the arguments without escapes.
pub(super) fn plain_arguments(call: &Call, definitions: &mut Definitions) -> Vec<String> {
    let arguments = call.arguments();
    let plain = arguments.iter().map(|argument| definitions.plain(argument));
    plain.collect()
}

/// Begins a section, whose title stands here or on the next line.
fn title(level: u8, call: &Call, definitions: &mut Definitions, writer: &mut Writer) {
    let title = plain_arguments(call, definitions).join(" ");
    if title.is_empty() {
        writer.expect_heading(level);
    } else {
        writer.heading(level, &title);
    }
}

/// Writes what a macro of papers says. The title of a paper is above its headings.
pub(super) fn paper(call: &Call, definitions: &mut Definitions, writer: &mut Writer) -> bool {
    let arguments = match &*call.name {
        "TL" | "NH" | "H" | "sh" | "HU" | "uh" | "LI" | "bu" | "LE" => {
            plain_arguments(call, definitions)
        }
        _ => return false,
    };
    match &*call.name {
        "TL" => writer.expect_heading(1),
        "NH" => writer.expect_heading(paper_level(&arguments)),
        "H" | "sh" => {
            let has_level = arguments
                .first()
                .is_some_and(|first| first.parse::<u8>().is_ok());
            let title = &arguments[usize::from(has_level)..];
            writer.heading(paper_level(&arguments), &title.join(" "));
        }
        "HU" | "uh" => writer.heading(2, &arguments.join(" ")),
        "LI" if !arguments.is_empty() => {
            writer.end_block();
            writer.term(&arguments.join(" "));
        }
        "LE" => writer.end_block(),
        _ => writer.item(Marker::Bullet),
    }
    true
}

/// Returns the level of a heading whose number of levels is the first argument.
fn paper_level(arguments: &[String]) -> u8 {
    let levels = arguments.first().and_then(|levels| levels.parse().ok());
    u8::clamp(levels.unwrap_or(1), 1, 5) + 1
}

/// Begins an indented paragraph, which may have a term.
fn indented(call: &Call, definitions: &mut Definitions, writer: &mut Writer) {
    let arguments = plain_arguments(call, definitions);
    let term = arguments.first().map_or("", |term| term.trim());
    if term.is_empty() {
        writer.space();
    } else {
        writer.end_block();
        writer.term(term);
    }
}

/// Writes what a macro of links says.
fn link(call: &Call, definitions: &mut Definitions, writer: &mut Writer) -> bool {
    if !matches!(&*call.name, "UR" | "MT" | "UE" | "ME" | "URL" | "MTO") {
        return false;
    }
    let mut arguments = plain_arguments(call, definitions).into_iter();
    let first = arguments.next().unwrap_or_default();
    let address = match &*call.name {
        "UR" | "MT" => {
            writer.address = first;
            return true;
        }
        "UE" | "ME" => {
            let address = std::mem::take(&mut writer.address);
            close_link(&address, &first, writer);
            return true;
        }
        _ => first,
    };
    writer.text(&arguments.next().unwrap_or_default(), false);
    close_link(&address, &arguments.next().unwrap_or_default(), writer);
    true
}

/// Writes the address of a link behind its text, and what follows it without a space.
fn close_link(address: &str, behind: &str, writer: &mut Writer) {
    if !address.is_empty() {
        writer.text(&format!("<{address}>"), false);
    }
    writer.text(behind, true);
}

/// Writes what other macros say that are text.
fn words(call: &Call, definitions: &mut Definitions, writer: &mut Writer) -> bool {
    let is_bare = call.rest.trim().is_empty();
    match &*call.name {
        "TH" => writer.page = page(&plain_arguments(call, definitions)),
        "SY" => {
            writer.paragraph();
            writer.text(&plain_arguments(call, definitions).join(" "), false);
        }
        "YS" => writer.paragraph(),
        "OP" => {
            let option = plain_arguments(call, definitions).join(" ");
            writer.text(&format!("[{option}]"), false);
        }
        _ => match in_fonts(call, definitions) {
            // A font without a text is that of the next line.
            Some(_) if is_bare => {}
            Some(text) => writer.text(&text, false),
            None => return false,
        },
    }
    true
}

fn page(arguments: &[String]) -> Page {
    let argument = |at: usize| arguments.get(at).cloned().unwrap_or_default();
    Page {
        name: argument(0),
        section: argument(1),
        date: argument(2),
        source: argument(3),
        manual: argument(4),
    }
}
