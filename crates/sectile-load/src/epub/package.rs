//! The package document of a book: what it says of itself, and the order of its chapters.

use std::collections::{HashMap, HashSet};

use sectile_core::Metadata;
use serde_json::Value;

use super::contents::Contents;
use super::reference::resolve;
use crate::archive::Archive;
use crate::failure::Failure;
use crate::one_line::one_line;
use crate::xml::{Element, Node, Walk};

/// The ways in which fonts are obfuscated, which is not a protection of the text.
const OBFUSCATION: [&str; 2] = [
    "http://www.idpf.org/2008/embedding",
    "http://ns.adobe.com/pdf/enc#RC",
];

/// What a part of a book is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// A drawing, which is read where it stands in the order of reading.
    Drawing,
    Other,
}

impl Kind {
    /// Finds what a media type stands for.
    fn of(media_type: &str) -> Self {
        match media_type {
            name if ["html", "dtbook", "oeb1-document"]
                .iter()
                .any(|text| name.contains(text)) =>
            {
                Self::Text
            }
            "image/svg+xml" => Self::Drawing,
            _ => Self::Other,
        }
    }
}

/// A part in the order of reading.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) part: String,
    pub(super) kind: Kind,
    pub(super) is_linear: bool,
}

/// What the package document says.
#[derive(Debug, Default)]
pub(super) struct Package {
    pub(super) metadata: Metadata,
    pub(super) spine: Vec<Item>,
    folder: String,
    /// The parts by their ids, and what they are.
    parts: HashMap<String, (String, Kind)>,
    navigation: Option<String>,
    ncx: Option<String>,
    authors: Vec<String>,
    subjects: Vec<String>,
}

impl Package {
    /// Finds and reads the package document.
    pub(super) fn read(archive: &mut Archive) -> Result<Self, Failure> {
        let container = archive.read("META-INF/container.xml")?;
        let mut name = None;
        let mut walk = Walk::new(&container);
        loop {
            match walk.next()? {
                Node::Open(element) if element.name() == "rootfile" && name.is_none() => {
                    name = element.attribute("full-path");
                }
                Node::End => break,
                _ => {}
            }
        }
        let name = name.ok_or(Failure::Damaged("it does not say where its package is"))?;
        let xml = archive.read(&resolve("", &name))?;
        let mut package = Self {
            folder: name.rsplit_once('/').unwrap_or_default().0.into(),
            ..Self::default()
        };
        package.walk(&xml)?;
        if package.spine.is_empty() {
            return Err(Failure::Damaged("it has no order of reading"));
        }
        Ok(package)
    }

    fn walk(&mut self, xml: &str) -> Result<(), Failure> {
        let mut walk = Walk::new(xml);
        let (mut name, mut detail, mut value) = (String::new(), String::new(), String::new());
        loop {
            match walk.next()? {
                Node::Open(element) => {
                    self.open(&element);
                    name = element.name().into();
                    let details = ["property", "scheme", "event"];
                    let detail_of = details.iter().find_map(|key| element.attribute(key));
                    detail = detail_of.unwrap_or_default();
                    value.clear();
                }
                Node::Text(text) => value.push_str(&text),
                Node::Close => {
                    let value = one_line(&std::mem::take(&mut value).replace('\0', ""));
                    if !value.is_empty() {
                        self.set(&name, &detail, value);
                    }
                }
                Node::End => break,
            }
        }
        if !self.authors.is_empty() {
            self.metadata.author = Some(self.authors.join("; "));
        }
        if !self.subjects.is_empty() {
            let subjects = Value::from(std::mem::take(&mut self.subjects));
            self.metadata.extra.insert("subjects".into(), subjects);
        }
        Ok(())
    }

    fn open(&mut self, element: &Element) {
        match element.name() {
            "item" => {
                let attribute = |name| element.attribute(name).unwrap_or_default();
                let part = resolve(&self.folder, &attribute("href"));
                let kind = attribute("media-type");
                if attribute("properties").split(' ').any(|one| one == "nav") {
                    self.navigation = Some(part.clone());
                }
                if kind == "application/x-dtbncx+xml" {
                    self.ncx = Some(part.clone());
                }
                self.parts.insert(attribute("id"), (part, Kind::of(&kind)));
            }
            "itemref" => {
                let id = element.attribute("idref").unwrap_or_default();
                let linear = element.attribute("linear");
                // A part that is listed twice is read once.
                if let Some((part, kind)) = self.parts.remove(&id) {
                    self.spine.push(Item {
                        part,
                        kind,
                        is_linear: linear.as_deref() != Some("no"),
                    });
                }
            }
            _ => {}
        }
    }

    fn set(&mut self, name: &str, detail: &str, value: String) {
        let metadata = &mut self.metadata;
        match name {
            "title" if metadata.title.is_none() => metadata.title = Some(value),
            "creator" => self.authors.push(value),
            "language" if metadata.language.is_none() => metadata.language = Some(value),
            "date" if detail == "modification" => metadata.modified = Some(value),
            "date" if metadata.created.is_none() => metadata.created = Some(value),
            "meta" if detail == "dcterms:modified" => metadata.modified = Some(value),
            "subject" => self.subjects.push(value),
            "publisher" | "description" | "rights" => {
                metadata.extra.insert(name.into(), value.into());
            }
            "identifier" => {
                if let Some(isbn) = isbn(&value, detail) {
                    metadata.extra.insert("isbn".into(), isbn.into());
                }
            }
            _ => {}
        }
    }

    /// Returns the texts that the order of reading does not have, but for the table of contents.
    pub(super) fn outside_spine(&self, archive: &Archive) -> Vec<String> {
        let parts = self.parts.values();
        let texts = parts.filter(|(part, kind)| {
            *kind == Kind::Text && archive.has(part) && Some(part) != self.navigation.as_ref()
        });
        let mut names: Vec<String> = texts.map(|(part, _)| part.clone()).collect();
        names.sort();
        names
    }

    /// Reads the table of contents; nothing where there is none, or it is damaged.
    pub(super) fn contents(&self, archive: &mut Archive) -> Contents {
        let tables = [&self.navigation, &self.ncx];
        let found = tables.into_iter().flatten().find_map(|part| {
            let xml = archive.read(part).ok()?;
            let folder = part.rsplit_once('/').unwrap_or_default().0;
            Contents::read(&xml, folder).ok()
        });
        found.unwrap_or_default()
    }
}

/// Returns the digits of an ISBN, where an identifier is one.
fn isbn(value: &str, scheme: &str) -> Option<String> {
    let digits: String = value
        .chars()
        .filter(|character| character.is_ascii_digit() || *character == 'X')
        .collect();
    let is_named = value.to_lowercase().contains("isbn") || scheme.eq_ignore_ascii_case("isbn");
    let is_isbn = digits.len() == 13 && (digits.starts_with("978") || digits.starts_with("979"));
    (is_isbn || is_named && digits.len() == 10).then_some(digits)
}

/// Returns the parts that are encrypted, but for obfuscated fonts.
pub(super) fn encrypted_parts(archive: &mut Archive) -> Result<HashSet<String>, Failure> {
    const ENCRYPTION: &str = "META-INF/encryption.xml";
    let mut parts = HashSet::new();
    if !archive.has(ENCRYPTION) {
        return Ok(parts);
    }
    let xml = archive.read(ENCRYPTION)?;
    let mut walk = Walk::new(&xml);
    let mut is_obfuscated = false;
    loop {
        match walk.next()? {
            Node::Open(element) => match element.name() {
                "EncryptedData" => is_obfuscated = false,
                "EncryptionMethod" => {
                    let algorithm = element.attribute("Algorithm").unwrap_or_default();
                    is_obfuscated = OBFUSCATION.contains(&algorithm.as_str());
                }
                "CipherReference" if !is_obfuscated => {
                    let part = element.attribute("URI").unwrap_or_default();
                    parts.insert(resolve("", &part));
                }
                _ => {}
            },
            Node::End => return Ok(parts),
            Node::Close | Node::Text(_) => {}
        }
    }
}
