//! The macros of the package `mdoc`, in which the BSDs write manual pages.

mod line;

use super::definitions::Definitions;
use super::macros::plain_arguments;
use super::source::{Call, arguments};
use super::writer::Writer;
use crate::blocks::Marker;
use line::LineWriter;

/// Macros that begin a line of their own in a synopsis.
const DECLARATIONS: [&str; 7] = ["Fd", "Fn", "Fo", "Ft", "In", "Nm", "Vt"];

/// Macros that have no text.
const SILENT: [&str; 10] = ["Bf", "Bk", "Db", "Ef", "Ek", "Hf", "Re", "Rs", "Tg", "UC"];

/// Macros that stand for a sentence.
const SENTENCES: [(&str, &str); 2] = [
    ("Bt", "is currently in beta test."),
    ("Ud", "currently under development."),
];

/// What a page in `mdoc` has open.
#[derive(Debug, Default)]
pub(super) struct Mdoc {
    line: LineWriter,
    lists: Vec<List>,
    /// The term that goes on over several lines.
    term: Option<String>,
    is_synopsis: bool,
    /// Whether a function has arguments already, while one is declared.
    has_arguments: Option<bool>,
}

/// A list, by what its items are.
#[derive(Debug)]
enum List {
    Bullets,
    Numbers(u32),
    Paragraphs,
    Rows(Vec<Vec<String>>),
    Terms,
}

impl Mdoc {
    /// Writes a line of text.
    pub(super) fn text(&mut self, text: &str, writer: &mut Writer) {
        let (text, joins) = self.line.text(text);
        self.put(&text, joins, writer);
    }

    /// Writes what a macro says, or returns `false` where it is not known.
    pub(super) fn call(
        &mut self,
        call: &Call,
        definitions: &mut Definitions,
        writer: &mut Writer,
    ) -> bool {
        match &*call.name {
            "Dd" => writer.page.date = date(&plain_arguments(call, definitions).join(" ")),
            "Dt" => {
                let mut arguments = plain_arguments(call, definitions).into_iter();
                writer.page.name = arguments.next().unwrap_or_default();
                writer.page.section = arguments.next().unwrap_or_default();
            }
            "Os" => writer.page.source = plain_arguments(call, definitions).join(" "),
            "Sh" => self.title(2, call, definitions, writer),
            "Ss" => self.title(3, call, definitions, writer),
            "Pp" | "Lp" => writer.paragraph(),
            "Bl" => self.open_list(call, writer),
            "It" => self.item(call, definitions, writer),
            "El" => self.close_list(writer),
            "Bd" | "Ed" | "D1" | "Dl" => self.display(call, definitions, writer),
            "Sm" => self.line.is_dense = call.rest.trim() == "off",
            "Fo" | "Fc" | "Fa" if self.has_arguments.is_some() || call.name == "Fo" => {
                self.declare(call, definitions, writer);
            }
            name if SILENT.contains(&name) => {}
            name => match SENTENCES.iter().find(|(known, _)| *known == name) {
                Some((_, sentence)) => self.put(sentence, false, writer),
                None => return self.words(call, definitions, writer),
            },
        }
        true
    }

    /// Writes a line that begins with a macro, which may be called within lines as well.
    fn words(&mut self, call: &Call, definitions: &mut Definitions, writer: &mut Writer) -> bool {
        if matches!(&*call.name, "br" | "sp" | "nf" | "fi") {
            return false;
        }
        if self.is_synopsis && DECLARATIONS.contains(&&*call.name) {
            writer.line_break();
        }
        let mut words = call.arguments();
        if line::is_macro(&call.name) {
            words.insert(0, call.name.clone());
        } else if call.name != "Fd" {
            return false;
        }
        if self.is_synopsis && call.name == "In" {
            words.insert(0, "#include".to_owned());
        }
        let (text, joins) = self.line.line(&words, definitions);
        self.put(&text, joins, writer);
        if words.iter().any(|word| word == "Xc") {
            self.end_term(writer);
        }
        true
    }

    /// Writes the term that goes on over several lines, if one is open.
    fn end_term(&mut self, writer: &mut Writer) {
        if let Some(term) = self.term.take() {
            writer.term(&term);
        }
    }

    /// Ends what is open: a term, and lists in lists.
    pub(super) fn end_lists(&mut self, writer: &mut Writer) {
        while self.term.is_some() || !self.lists.is_empty() {
            self.close_list(writer);
        }
    }

    /// Writes a text where it belongs: into a term or a cell that is open, or into the page.
    fn put(&mut self, text: &str, joins: bool, writer: &mut Writer) {
        let row = match self.lists.last_mut() {
            Some(List::Rows(rows)) => rows.last_mut(),
            _ => None,
        };
        let open = self.term.as_mut().or_else(|| row?.last_mut());
        let Some(open) = open else {
            writer.text(text, joins);
            return;
        };
        if !joins && !open.is_empty() {
            open.push(' ');
        }
        open.push_str(text);
    }

    fn title(
        &mut self,
        level: u8,
        call: &Call,
        definitions: &mut Definitions,
        writer: &mut Writer,
    ) {
        let title = self.line.line(&call.arguments(), definitions).0;
        self.end_lists(writer);
        if level == 2 {
            self.is_synopsis = title.eq_ignore_ascii_case("SYNOPSIS");
        }
        writer.heading(level, &title);
    }

    fn open_list(&mut self, call: &Call, writer: &mut Writer) {
        let arguments = call.arguments();
        let mut kinds = arguments.iter().filter_map(|argument| {
            Some(match argument.as_str() {
                "-bullet" | "-dash" | "-hyphen" => List::Bullets,
                "-enum" => List::Numbers(0),
                "-item" => List::Paragraphs,
                "-column" => List::Rows(Vec::new()),
                "-tag" | "-hang" | "-ohang" | "-inset" | "-diag" => List::Terms,
                _ => return None,
            })
        });
        if self.lists.is_empty() {
            writer.space();
        } else {
            writer.indent();
        }
        self.lists.push(kinds.next().unwrap_or(List::Paragraphs));
    }

    fn item(&mut self, call: &Call, definitions: &mut Definitions, writer: &mut Writer) {
        self.end_term(writer);
        match self.lists.last_mut() {
            Some(List::Bullets) => {
                writer.item(Marker::Bullet);
                self.head(call, definitions, writer);
            }
            Some(List::Numbers(count)) => {
                *count = count.saturating_add(1);
                writer.item(Marker::Number(*count));
                self.head(call, definitions, writer);
            }
            Some(List::Rows(rows)) => {
                let mut row = Vec::new();
                for cells in call.rest.split('\t') {
                    let (text, _) = self.line.line(&arguments(cells), definitions);
                    row.extend(text.split('\t').map(|cell| cell.trim().to_owned()));
                }
                rows.push(row);
            }
            Some(List::Terms) => {
                writer.end_block();
                let words = call.arguments();
                let term = self.line.line(&words, definitions).0;
                let goes_on =
                    words.iter().any(|word| word == "Xo") && !words.iter().any(|word| word == "Xc");
                if goes_on {
                    self.term = Some(term);
                } else {
                    writer.term(&term);
                }
            }
            Some(List::Paragraphs) | None => {
                writer.end_block();
                self.head(call, definitions, writer);
            }
        }
    }

    /// Writes what stands beside an item that has no term.
    fn head(&mut self, call: &Call, definitions: &mut Definitions, writer: &mut Writer) {
        let (text, joins) = self.line.line(&call.arguments(), definitions);
        writer.text(&text, joins);
    }

    fn close_list(&mut self, writer: &mut Writer) {
        self.end_term(writer);
        match self.lists.pop() {
            Some(List::Rows(rows)) => writer.table(rows),
            Some(_) => writer.end_block(),
            None => {}
        }
        if !self.lists.is_empty() {
            writer.outdent();
        }
    }

    /// Opens or closes a display, or writes one of a line.
    fn display(&mut self, call: &Call, definitions: &mut Definitions, writer: &mut Writer) {
        let is_code = call.name == "Dl"
            || ["-literal", "-unfilled"]
                .iter()
                .any(|kind| call.rest.contains(kind));
        match &*call.name {
            "Ed" => {
                writer.close_code();
                writer.space();
            }
            _ if is_code => writer.open_code(),
            _ => writer.space(),
        }
        if matches!(&*call.name, "D1" | "Dl") {
            let (text, joins) = self.line.line(&call.arguments(), definitions);
            writer.text(&text, joins);
            writer.close_code();
            writer.space();
        }
    }

    /// Writes a function whose arguments stand on lines of their own.
    fn declare(&mut self, call: &Call, definitions: &mut Definitions, writer: &mut Writer) {
        let (text, _) = self.line.line(&call.arguments(), definitions);
        match &*call.name {
            "Fo" => {
                if self.is_synopsis {
                    writer.line_break();
                }
                self.put(&format!("{text}("), false, writer);
                self.has_arguments = Some(false);
            }
            "Fa" => {
                let is_first = self.has_arguments.replace(true) == Some(false);
                let comma = if is_first { "" } else { ", " };
                self.put(&format!("{comma}{text}"), true, writer);
            }
            _ => {
                self.has_arguments = None;
                self.put(&format!("){text}"), true, writer);
            }
        }
    }
}

/// Returns a date without the marks of the program that keeps it up to date.
fn date(text: &str) -> String {
    let bare = text.trim_matches('$').trim();
    let bare = bare.strip_prefix("Mdocdate:").unwrap_or(bare);
    bare.trim().to_owned()
}
