//! Address books in vCard, written as Markdown.

use std::collections::HashMap;
use std::path::Path;

use sectile_core::{Document, Format};

use crate::blocks::{Block, render};
use crate::content_lines::{self, ContentLine};
use crate::loader::with_source;
use crate::markup::only_title;
use crate::one_line::one_line;
use crate::text::decode_text;
use crate::{Error, Loader};

/// What a contact without a name is called.
const NO_NAME: &str = "(no name)";

/// What properties are called in the text.
const LABELS: [(&str, &str); 19] = [
    ("ADR", "Address"),
    ("ANNIVERSARY", "Anniversary"),
    ("BDAY", "Birthday"),
    ("CATEGORIES", "Categories"),
    ("EMAIL", "E-mail"),
    ("IMPP", "Chat"),
    ("LABEL", "Address"),
    ("LANG", "Language"),
    ("NICKNAME", "Nickname"),
    ("NOTE", "Note"),
    ("ORG", "Organization"),
    ("RELATED", "Related"),
    ("ROLE", "Role"),
    ("TEL", "Phone"),
    ("TITLE", "Title"),
    ("URL", "URL"),
    ("X-ABDATE", "Date"),
    ("X-ABRELATEDNAMES", "Related"),
    ("X-SOCIALPROFILE", "Profile"),
];

/// The property that says what the others of its group are, as address books of Apple write it.
const LABEL_OF_GROUP: &str = "X-ABLABEL";

/// How many bytes a label has at most that stands beside each property of its group. A longer one stands once.
const LONGEST_LABEL: usize = 100;

/// What stands around the labels that such an address book knows: `_$!<Spouse>!$_`.
const KNOWN_LABEL: (&str, &str) = ("_$!<", ">!$_");

/// Properties that say something of the file, or are no text.
#[rustfmt::skip]
const TECHNICAL: [&str; 23] = [
    "", "CLASS", "FN", "GEO", "KEY", "LOGO", "MAILER", "N", "PHOTO", "PRODID", "PROFILE", "REV", "SORT-STRING",
    "SOUND", "SOURCE", "TZ", "UID", "VERSION", "X-ABADR", "X-ABCROP-RECTANGLE", "X-ABORDER", "X-ABSHOWAS", "X-ABUID",
];

/// Loads address books (`.vcf`) in vCard 2.1 to 4.0 and writes them as Markdown.
///
/// Each contact is a section under its name, with a line for each property, such as `Phone (cell): +49 170 1234567`;
/// labels of the address book stand in the parentheses, too.
/// Pictures, sounds and keys are left out.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{Loader, VcardLoader};
///
/// let card = b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann Example\r\nTEL;TYPE=cell:+49 170 1\r\nEND:VCARD\r\n";
/// let document = VcardLoader.load(card, Path::new("a.vcf"))?;
/// assert_eq!(document.text, "# Ann Example\n\nPhone (cell): +49 170 1\n");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct VcardLoader;

impl Loader for VcardLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = decode_text(bytes, path, Format::Vcard)?;
        let blocks = blocks(&document.text);
        (document.text, document.outline) = render(&blocks);
        document.metadata.title = only_title(&document.outline);
        Ok(with_source(document, bytes))
    }
}

/// A contact while it is read.
#[derive(Debug, Default)]
struct Contact {
    /// The name as it is shown, and in its parts.
    name: String,
    parts: String,
    properties: Vec<Property>,
    /// The labels of groups.
    labels: HashMap<String, String>,
}

/// A property that is text.
#[derive(Debug)]
struct Property {
    group: String,
    name: String,
    kinds: Vec<String>,
    value: String,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut contact = Contact::default();
    for line in content_lines::read(text) {
        match line.name.as_str() {
            // A contact that has no end ends where the next begins.
            "BEGIN" | "END" => blocks.extend(std::mem::take(&mut contact).finish()),
            _ => contact.add(&line),
        }
    }
    // A file that is cut off.
    blocks.extend(contact.finish());
    blocks
}

impl Contact {
    fn add(&mut self, line: &ContentLine) {
        match line.name.as_str() {
            "FN" => self.name = one_line(&line.text()),
            "N" => self.parts = full_name(&line.parts(';')),
            LABEL_OF_GROUP => {
                let label = line.text();
                let known = label.strip_prefix(KNOWN_LABEL.0);
                let known = known.and_then(|known| known.strip_suffix(KNOWN_LABEL.1));
                let label = one_line(known.unwrap_or(&label));
                if label.len() > LONGEST_LABEL {
                    self.properties.extend(Property::read(line));
                } else {
                    self.labels.insert(line.group.clone(), label);
                }
            }
            name if TECHNICAL.contains(&name) || line.is_binary() => {}
            _ => self.properties.extend(Property::read(line)),
        }
    }

    fn finish(self) -> Vec<Block> {
        let names = [self.name, self.parts];
        let name = names.into_iter().find(|name| !name.is_empty());
        let lines = self.properties.iter();
        let lines: Vec<String> = lines.map(|one| one.line(&self.labels)).collect();
        if name.is_none() && lines.is_empty() {
            return Vec::new();
        }
        let text = name.unwrap_or_else(|| NO_NAME.into());
        let mut blocks = vec![Block::Heading { level: 1, text }];
        if !lines.is_empty() {
            blocks.push(Block::Text(lines.join("\n")));
        }
        blocks
    }
}

/// Puts the parts of a name in order: family, given, other, before and behind.
fn full_name(parts: &[String]) -> String {
    let part = |at: usize| parts.get(at).map(String::as_str).unwrap_or_default();
    one_line(&[part(3), part(1), part(2), part(0), part(4)].join(" "))
}

impl Property {
    /// Reads a property, unless it is empty.
    fn read(line: &ContentLine) -> Option<Self> {
        let has_parts = matches!(line.name.as_str(), "ADR" | "ORG");
        let parts = if has_parts {
            line.parts(';')
        } else {
            vec![line.text()]
        };
        let parts = parts.iter().map(|part| one_line(part));
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        let kinds = line.types().map(str::to_lowercase);
        let is_kind =
            |kind: &String| !matches!(&**kind, "internet" | "pref" | "quoted-printable" | "voice");
        (!parts.is_empty()).then(|| Self {
            group: line.group.clone(),
            name: line.name.clone(),
            kinds: kinds.filter(is_kind).collect(),
            value: parts.join(", "),
        })
    }

    /// Writes it as a line, with the label of its group.
    fn line(&self, labels: &HashMap<String, String>) -> String {
        let known = LABELS.iter().find(|(name, _)| *name == self.name);
        let label = known.map_or(self.name.as_str(), |(_, label)| label);
        let of_group = labels.get(&self.group).filter(|_| !self.group.is_empty());
        let of_group = of_group.filter(|label| !label.is_empty());
        let kinds = self.kinds.iter().chain(of_group).map(String::as_str);
        let kinds = match kinds.collect::<Vec<_>>().as_slice() {
            [] => String::new(),
            kinds => format!(" ({})", kinds.join(", ")),
        };
        format!("{label}{kinds}: {}", self.value)
    }
}
