//! The macros of the package `man`, and those of programs that write manual pages with it.

use super::definitions::Definitions;
use super::source::Call;
use super::writer::{Page, Writer};

/// Writes what a macro says, or returns `false` where it is not known.
pub(super) fn call(call: &Call, definitions: &mut Definitions, writer: &mut Writer) -> bool {
    match &*call.name {
        "SH" => title(2, call, definitions, writer),
        // The second is that of an older pod2man.
        "SS" | "Sh" => title(3, call, definitions, writer),
        "PP" | "LP" | "P" | "HP" => writer.paragraph(),
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
        "IP" | "Ip" => indented(call, definitions, writer),
        "RS" | "INDENT" => writer.indent(),
        "RE" | "UNINDENT" => writer.outdent(),
        "nf" | "EX" | "Vb" => writer.open_code(),
        "fi" | "EE" | "Ve" => writer.close_code(),
        _ => return link(call, definitions, writer) || words(call, definitions, writer),
    }
    true
}

/// Returns the text of a macro that sets its arguments in fonts, in one or in two by turns.
pub(super) fn in_fonts(call: &Call, definitions: &mut Definitions) -> Option<String> {
    let between = match &*call.name {
        "B" | "I" | "R" | "SM" | "SB" | "CW" => " ",
        "BI" | "BR" | "IB" | "IR" | "RB" | "RI" => "",
        _ => return None,
    };
    Some(definitions.plain(&call.arguments().join(between)))
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
