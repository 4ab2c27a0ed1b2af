//! Calendars in iCalendar, written as Markdown.

use std::path::Path;

use sectile_core::{Document, Format};
use serde_json::json;

use crate::blocks::{Block, render};
use crate::content_lines::{self, ContentLine};
use crate::loader::with_source;
use crate::markup::only_title;
use crate::omissions::{ATTACHMENTS_NOT_READ, OTHER_ATTACHMENTS_NOT_READ};
use crate::one_line::one_line;
use crate::text::decode_text;
use crate::{Error, Loader};

/// What an entry without a summary is called.
const NO_SUMMARY: &str = "(no title)";

/// The component that entries stand in.
const CALENDAR: &str = "VCALENDAR";

/// The components that are entries of a calendar.
const ENTRIES: [&str; 4] = ["VEVENT", "VFREEBUSY", "VJOURNAL", "VTODO"];

/// The component of an entry that reminds of it.
const ALARM: &str = "VALARM";

/// What alarms say that programs write by themselves, in small letters.
#[rustfmt::skip]
const NO_REMINDERS: [&str; 8] = [
    "alarm", "alert", "default mozilla description", "display", "event reminder", "mozilla standard description", "reminder",
    "this is an event reminder",
];

/// How many texts of alarms an entry has at most.
const MAX_REMINDERS: usize = 20;

/// How many attachments within the file are named.
const MAX_NAMED: usize = 1_000;

/// What properties are called in the text. Others say something of the file.
const LABELS: [(&str, &str); 24] = [
    ("ATTACH", "Attachment"),
    ("ATTENDEE", "Attendee"),
    ("CATEGORIES", "Categories"),
    ("COMMENT", "Comment"),
    ("COMPLETED", "Completed"),
    ("CONFERENCE", "Conference"),
    ("CONTACT", "Contact"),
    ("DTEND", "End"),
    ("DTSTART", "Start"),
    ("DUE", "Due"),
    ("DURATION", "Duration"),
    ("EXDATE", "Except"),
    ("FREEBUSY", "Busy"),
    ("LOCATION", "Location"),
    ("ORGANIZER", "Organizer"),
    ("PERCENT-COMPLETE", "Percent complete"),
    ("RDATE", "Also"),
    ("RECURRENCE-ID", "In place of"),
    ("RESOURCES", "Resources"),
    ("RRULE", "Repeats"),
    ("STATUS", "Status"),
    ("URL", "URL"),
    ("X-GOOGLE-CONFERENCE", "Conference"),
    ("X-MICROSOFT-SKYPETEAMSMEETINGURL", "Conference"),
];

/// Loads calendars (`.ics`) and writes them as Markdown.
///
/// Each event, task, journal entry and list of busy times is a section under its summary: a line for each property, such
/// as `Start: 2024-03-04 09:30 (Europe/Berlin)`, then the description. Time zones are left out, and of
/// alarms all but their texts. Files within the
/// calendar are not read: `attachments_not_read` in [`Metadata::extra`](sectile_core::Metadata::extra) names them. The
/// title is the name of the calendar.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{IcalendarLoader, Loader};
///
/// let calendar = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Budget\\, second reading\r\nDTSTART:20240304T093000Z\r\n\
///     DESCRIPTION:Bring the pl\r\n ans.\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
/// let document = IcalendarLoader.load(calendar, Path::new("a.ics"))?;
/// assert_eq!(document.text, "# Budget, second reading\n\nStart: 2024-03-04 09:30 UTC\n\nBring the plans.\n");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct IcalendarLoader;

impl Loader for IcalendarLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = decode_text(bytes, path, Format::Icalendar)?;
        let calendar = Calendar::read(&document.text);
        (document.text, document.outline) = render(&calendar.blocks);
        document.metadata.title = calendar.name.or_else(|| only_title(&document.outline));
        let extra = &mut document.metadata.extra;
        if !calendar.about.is_empty() {
            extra.insert("description".into(), calendar.about.into());
        }
        let others = calendar.not_read.len().saturating_sub(MAX_NAMED);
        if others > 0 {
            extra.insert(OTHER_ATTACHMENTS_NOT_READ.into(), others.into());
        }
        if !calendar.not_read.is_empty() {
            let named = calendar.not_read.into_iter().take(MAX_NAMED);
            let named = named
                .map(|name| json!({ "name": name, "reason": "it is encoded in the calendar" }));
            extra.insert(ATTACHMENTS_NOT_READ.into(), named.collect());
        }
        Ok(with_source(document, bytes))
    }
}

/// A calendar while it is read.
#[derive(Debug, Default)]
struct Calendar {
    name: Option<String>,
    /// What it says of itself.
    about: String,
    /// The names of the files in it.
    not_read: Vec<String>,
    blocks: Vec<Block>,
    /// The components that are open, from the outermost in.
    open: Vec<String>,
    entry: Entry,
}

/// An entry while it is read.
#[derive(Debug, Default)]
struct Entry {
    summary: String,
    lines: Vec<String>,
    description: String,
    /// The description in HTML.
    styled: String,
    /// What its alarms say.
    reminders: Vec<String>,
    not_read: Vec<String>,
}

impl Calendar {
    fn read(text: &str) -> Self {
        let mut calendar = Self::default();
        for line in content_lines::read(text) {
            calendar.add(&line);
        }
        // A file that is cut off.
        calendar.end_entry();
        calendar
    }

    fn add(&mut self, line: &ContentLine) {
        let component = self.open.last().map(String::as_str).unwrap_or_default();
        match line.name.as_str() {
            "BEGIN" => self.begin(line.value.trim().to_ascii_uppercase()),
            "END" => {
                if ENTRIES.contains(&component) {
                    self.end_entry();
                }
                self.open.pop();
            }
            "X-WR-CALNAME" | "NAME" if component == CALENDAR => {
                self.name = Some(one_line(&line.text())).filter(|name| !name.is_empty());
            }
            "X-WR-CALDESC" | "DESCRIPTION" if component == CALENDAR => {
                self.about = one_line(&line.text());
            }
            "DESCRIPTION" | "SUMMARY" if component == ALARM => self.entry.remind(&line.text()),
            _ if ENTRIES.contains(&component) => self.entry.add(line),
            _ => {}
        }
    }

    fn begin(&mut self, component: String) {
        // An entry that has no end ends where the next begins.
        if ENTRIES.contains(&component.as_str()) {
            self.end_entry();
            self.open.retain(|open| open == CALENDAR);
        }
        self.open.push(component);
    }

    fn end_entry(&mut self) {
        let mut entry = std::mem::take(&mut self.entry);
        self.not_read.append(&mut entry.not_read);
        self.blocks.extend(entry.finish());
    }
}

impl Entry {
    fn add(&mut self, line: &ContentLine) {
        match line.name.as_str() {
            "SUMMARY" => self.summary = one_line(&line.text()),
            // An entry of a journal may have several.
            "DESCRIPTION" => {
                let text = line.text();
                if !self.description.is_empty() && !text.is_empty() {
                    self.description.push_str("\n\n");
                }
                self.description.push_str(&text);
            }
            "X-ALT-DESC" | "STYLED-DESCRIPTION" => self.styled = line.text(),
            "ATTACH" if line.is_binary() => self.not_read.push(name_of_file(line)),
            _ if line.is_binary() => {}
            name => {
                let known = LABELS.iter().find(|(own, _)| *own == name);
                let value = value(line);
                let label = known.filter(|_| !value.is_empty());
                self.lines
                    .extend(label.map(|(_, label)| format!("{label}: {value}")));
            }
        }
    }

    /// Takes the text of an alarm.
    fn remind(&mut self, text: &str) {
        let text = one_line(text);
        let is_default = NO_REMINDERS.contains(&text.to_lowercase().as_str());
        let is_new = !text.is_empty() && !is_default && !self.reminders.contains(&text);
        if is_new && self.reminders.len() < MAX_REMINDERS {
            self.reminders.push(text);
        }
    }

    /// Writes the texts of alarms that say more than the entry itself.
    fn add_reminders(&mut self) {
        let said = [one_line(&self.description), self.summary.clone()];
        for text in std::mem::take(&mut self.reminders) {
            if !said.contains(&text) {
                self.lines.push(format!("Reminder: {text}"));
            }
        }
    }

    fn finish(mut self) -> Vec<Block> {
        self.add_reminders();
        let description = match self.description {
            text if text.is_empty() && !self.styled.is_empty() => from_html(self.styled),
            text => text,
        };
        if self.summary.is_empty() && self.lines.is_empty() && description.is_empty() {
            return Vec::new();
        }
        let is_untitled = self.summary.is_empty();
        let text = if is_untitled {
            NO_SUMMARY.into()
        } else {
            self.summary
        };
        let texts = [self.lines.join("\n"), description];
        let texts = texts
            .into_iter()
            .filter(|text| !text.is_empty())
            .map(Block::Text);
        std::iter::once(Block::Heading { level: 1, text })
            .chain(texts)
            .collect()
    }
}

/// Returns the name of a file in the calendar, or else its type.
fn name_of_file(line: &ContentLine) -> String {
    let names = ["FILENAME", "X-FILENAME", "FMTTYPE"];
    let name = names.iter().find_map(|name| line.parameter(name));
    name.map_or_else(|| "without a name".into(), one_line)
}

/// Returns HTML as Markdown, or as it is where that cannot be written.
fn from_html(html: String) -> String {
    #[cfg(feature = "html")]
    if let Some(markdown) = crate::html::fragment(&html) {
        return markdown.trim().into();
    }
    html
}

/// Returns the value of a property as a reader writes it.
fn value(line: &ContentLine) -> String {
    match line.name.as_str() {
        "DTSTART" | "DTEND" | "DUE" | "COMPLETED" | "EXDATE" | "RDATE" | "RECURRENCE-ID" => {
            let times = line.value.split(',').map(|value| time(value.trim()));
            let times = times.collect::<Vec<_>>().join(", ");
            match line.parameter("TZID") {
                Some(zone) if !times.is_empty() => format!("{times} ({zone})"),
                _ => times,
            }
        }
        "ATTENDEE" | "ORGANIZER" => {
            let address = line.value.trim();
            let is_mail = address
                .get(..7)
                .is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
            let address = if is_mail { &address[7..] } else { address };
            match line.parameter("CN").filter(|name| *name != address) {
                Some(name) => format!("{name} <{address}>"),
                None => address.into(),
            }
        }
        _ => one_line(&line.text()),
    }
}

/// Writes `20240304T093000Z` as `2024-03-04 09:30 UTC`. What is no time stays as it is.
fn time(value: &str) -> String {
    let (stamp, zone) = match value.strip_suffix('Z') {
        Some(stamp) => (stamp, " UTC"),
        None => (value, ""),
    };
    let (date, time) = stamp.split_once('T').unwrap_or((stamp, ""));
    let is_digits = |text: &str, length: usize| {
        text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !is_digits(date, 8) || !(time.is_empty() || is_digits(time, 6)) {
        return value.into();
    }
    let day = format!("{}-{}-{}", &date[..4], &date[4..6], &date[6..]);
    match time.get(..4) {
        Some(clock) => format!("{day} {}:{}{zone}", &clock[..2], &clock[2..]),
        None => day,
    }
}
