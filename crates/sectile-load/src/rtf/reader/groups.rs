//! Groups of a document in Rich Text Format begin and end.

use super::{Destination, Reader, running};
use crate::blocks::Block;
use crate::one_line::one_line;

/// Groups that hold no text of the document.
const SKIPPED: [&str; 9] = [
    "colortbl", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "xe", "tc",
];

/// Groups that may be passed over by who does not know them, and have text.
const KNOWN: [&str; 8] = [
    "do",
    "shpinst",
    "shptxt",
    "moMath",
    "moMathPara",
    "ud",
    "fldrslt",
    "dptxbxtext",
];

/// What an object is called of which the file does not name the program.
const UNKNOWN: &str = "object";

impl Reader {
    /// Finds out where the text of a group goes by its first word. Says whether that is all that
    /// the word means.
    pub(super) fn begin(&mut self, name: &str) -> bool {
        let is_optional = self.state.is_optional;
        if self.state.destination == Destination::LeftOut {
            return true;
        }
        if self.state.destination == Destination::Skipped {
            if name == "ud" {
                self.state.destination = Destination::Text;
            }
            return true;
        }
        if self.state.destination == Destination::Text
            && let Some(running) = running::destination(name)
        {
            self.begin_running();
            self.state.destination = running;
            return true;
        }
        if let Some(is_all) = self.begin_drawing(name) {
            return is_all;
        }
        self.state.destination = match name {
            "fonttbl" => Destination::Fonts,
            "stylesheet" => Destination::Style,
            "footnote" => {
                self.begin_note();
                self.add_note_to_bookmarks();
                Destination::Note
            }
            "annotation" if !self.reads_comments => {
                self.comments_left_out += 1;
                Destination::LeftOut
            }
            "annotation" => {
                self.begin_note();
                let author = one_line(&std::mem::take(&mut self.author));
                if !author.is_empty() {
                    self.text = format!("{author}: ");
                }
                Destination::Note
            }
            "atnauthor" => {
                self.author.clear();
                Destination::Author
            }
            "field" => {
                self.begin_field();
                return true;
            }
            "fldinst" => Destination::Instruction,
            "fldrslt" => {
                self.begin_result();
                return true;
            }
            "formfield" => Destination::Form,
            "ffl" if self.state.destination == Destination::Form => {
                self.begin_entry();
                Destination::Entry
            }
            "listtext" | "pntext" => {
                self.marker.clear();
                Destination::Marker
            }
            "info" | "userprops" => Destination::Info(""),
            name if matches!(self.state.destination, Destination::Info(_)) => {
                self.value.clear();
                self.date = [0; 6];
                Destination::Info(property(name))
            }
            "s" if self.state.destination == Destination::Style => return false,
            "upr" => Destination::Skipped,
            "bkmkstart" | "bkmkend" if self.state.destination == Destination::Text => {
                self.value.clear();
                Destination::Bookmark {
                    begins: name == "bkmkstart",
                }
            }
            "objclass" => {
                self.value.clear();
                Destination::ObjectClass
            }
            "objdata" => {
                let class = std::mem::take(&mut self.object_class);
                let is_known = !class.is_empty();
                self.objects
                    .push(if is_known { class } else { UNKNOWN.into() });
                Destination::Skipped
            }
            name if SKIPPED.contains(&name) => Destination::Skipped,
            // The properties of equations.
            name if name.starts_with('m') && name.ends_with("Pr") => Destination::Skipped,
            name if is_optional && !KNOWN.contains(&name) => Destination::Skipped,
            _ => return false,
        };
        true
    }

    fn begin_note(&mut self) {
        self.end_raised();
        self.note_count += 1;
        let reference = format!("[^{}]", self.note_count);
        self.text.push_str(&reference);
        let text = std::mem::take(&mut self.text);
        self.interrupted.push((self.note_count, text));
    }

    pub(super) fn close(&mut self) {
        let Some(outer) = self.groups.pop() else {
            return;
        };
        let inner = std::mem::replace(&mut self.state, outer);
        self.state.is_new = false;
        match inner.destination {
            Destination::Fonts if outer.destination != Destination::Fonts => {
                self.fonts.end_table();
                self.use_font(self.fonts.default);
            }
            Destination::Note if outer.destination != Destination::Note => {
                self.end_raised();
                let (number, outside) = self.interrupted.pop().unwrap_or_default();
                let text = std::mem::replace(&mut self.text, outside);
                let text = text.trim().to_owned();
                self.notes.push(Block::Note { number, text });
            }
            Destination::Running { is_header } if outer.destination != inner.destination => {
                self.end_running(is_header);
            }
            Destination::Style => self.end_style(),
            Destination::Bookmark { begins } if outer.destination != inner.destination => {
                self.pass_bookmark(begins);
            }
            Destination::PropertyName if outer.destination != inner.destination => {
                self.end_property_name();
            }
            Destination::PropertyValue { is_picture } if outer.destination != inner.destination => {
                self.end_property_value(is_picture);
            }
            Destination::ObjectClass => {
                self.object_class = one_line(&std::mem::take(&mut self.value));
            }
            Destination::Info(name) if !name.is_empty() => self.end_property(name),
            _ => {}
        }
        self.end_field();
    }

    fn end_style(&mut self) {
        let name = std::mem::take(&mut self.value);
        let style = std::mem::take(&mut self.style);
        let level = style.outline_level.map(|level| level + 1);
        let level = level.or_else(|| level_of_name(name.trim().trim_end_matches(';')));
        if let Some(level) = level {
            self.headings.insert(style.style.unwrap_or(0), level);
        }
    }

    fn end_property(&mut self, name: &str) {
        let value = one_line(&std::mem::take(&mut self.value));
        let [year, month, day, hour, minute, second] = self.date;
        let date = (year > 0)
            .then(|| format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"));
        match name {
            "creatim" => self.metadata.created = date,
            "revtim" => self.metadata.modified = date,
            // A name without letters names nothing, and no value keeps one from the next.
            "propname" => self.property_name = value,
            "staticval" => {
                let name = std::mem::take(&mut self.property_name);
                if !name.is_empty() && !value.is_empty() {
                    self.properties.add(&name, value.into());
                }
            }
            _ if value.is_empty() => {}
            "title" => self.metadata.title = Some(value),
            "author" => self.metadata.author = Some(value),
            _ => {
                self.metadata.extra.insert(name.into(), value.into());
            }
        }
    }
}

/// Returns the name of a property of the document that is kept.
fn property(name: &str) -> &'static str {
    const KEPT: [&str; 11] = [
        "title",
        "author",
        "creatim",
        "revtim",
        "subject",
        "keywords",
        "doccomm",
        "company",
        "category",
        "propname",
        "staticval",
    ];
    let found = KEPT.iter().find(|kept| **kept == name);
    found.copied().unwrap_or_default()
}

/// Returns the level of the built-in heading style of this name.
fn level_of_name(name: &str) -> Option<i32> {
    let name = name.to_lowercase();
    if name == "title" {
        return Some(1);
    }
    let names = [
        "heading ",
        "überschrift ",
        "titre ",
        "título ",
        "titolo ",
        "заголовок ",
    ];
    let number = names.iter().find_map(|prefix| name.strip_prefix(prefix))?;
    number.parse().ok().filter(|level| (1..=9).contains(level))
}
