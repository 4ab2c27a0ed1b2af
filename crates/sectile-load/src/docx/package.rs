//! The zip archive of a document: its parts, and how they refer to each other.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{Cursor, Read};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use zip::ZipArchive;
use zip::result::ZipError;

use super::failure::Failure;
use super::xml::{Element, Node, Walk};
use crate::Limits;

/// How large a part may be, inflated, before its ratio counts: real parts of white space or of
/// one row a thousand times inflate as much as those of a bomb.
const RATIO_FROM: u64 = 32 << 20;

/// How much memory is taken for a part because its directory says how large it is.
const TRUSTED_SIZE: u64 = 1 << 20;

/// How many files the archive may hold.
const MAX_ENTRIES: usize = 20_000;

/// Where the main part stands when nothing in the package says so.
const USUAL_MAIN_PART: &str = "word/document.xml";

/// What a part is for, as the last segment of a relationship's type says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    Main,
    CoreProperties,
    Styles,
    Numbering,
    Footnotes,
    Endnotes,
    Comments,
    Header,
    Footer,
}

impl Role {
    fn of(relationship: &str) -> Option<Self> {
        Some(match relationship.rsplit('/').next()? {
            "officeDocument" => Self::Main,
            "core-properties" | "coreProperties" => Self::CoreProperties,
            "styles" => Self::Styles,
            "numbering" => Self::Numbering,
            "footnotes" => Self::Footnotes,
            "endnotes" => Self::Endnotes,
            "comments" => Self::Comments,
            "header" => Self::Header,
            "footer" => Self::Footer,
            _ => return None,
        })
    }

    /// The usual name, for packages that have lost their relationships.
    fn usual(self) -> &'static str {
        match self {
            Self::Main => USUAL_MAIN_PART,
            Self::CoreProperties => "docProps/core.xml",
            Self::Styles => "word/styles.xml",
            Self::Numbering => "word/numbering.xml",
            Self::Footnotes => "word/footnotes.xml",
            Self::Endnotes => "word/endnotes.xml",
            Self::Comments => "word/comments.xml",
            Self::Header => "word/header1.xml",
            Self::Footer => "word/footer1.xml",
        }
    }
}

/// What a part refers to.
#[derive(Debug, Default)]
pub(super) struct Relationships {
    parts: Vec<(Role, String)>,
    /// The addresses that links lead to, by their ids.
    pub(super) links: HashMap<String, String>,
}

/// An open package.
#[derive(Debug)]
pub(super) struct Package<'a> {
    archive: ZipArchive<Cursor<&'a [u8]>>,
    limits: &'a Limits,
    inflated: u64,
    parts: HashMap<Role, Vec<String>>,
    /// The addresses that the links of the main part lead to, by their ids.
    pub(super) main_links: HashMap<String, String>,
    /// The secondary parts that could not be read.
    pub(super) damaged: Vec<String>,
}

impl<'a> Package<'a> {
    /// Opens the package in `bytes`.
    pub(super) fn open(bytes: &'a [u8], limits: &'a Limits) -> Result<Self, Failure> {
        let archive = ZipArchive::new(Cursor::new(bytes))?;
        if archive.len() > MAX_ENTRIES {
            return Err(Failure::Limit {
                what: "files in the package",
                limit: MAX_ENTRIES as u64,
            });
        }
        Ok(Self {
            archive,
            limits,
            inflated: 0,
            parts: HashMap::new(),
            main_links: HashMap::new(),
            damaged: Vec::new(),
        })
    }

    /// Finds the main part and the parts it refers to, and returns its name.
    pub(super) fn main_part(&mut self) -> Result<String, Failure> {
        let root = self.relationships("")?.parts;
        self.add(root);
        let main = self.parts.get(&Role::Main).and_then(|names| names.last());
        let main = main.filter(|name| self.has(name)).cloned();
        let main = main.unwrap_or_else(|| USUAL_MAIN_PART.into());
        self.check_kind(&main)?;
        let related = self.relationships(&main)?;
        self.add(related.parts);
        self.main_links = related.links;
        Ok(main)
    }

    fn add(&mut self, parts: Vec<(Role, String)>) {
        for (role, name) in parts {
            self.parts.entry(role).or_default().push(name);
        }
    }

    /// Returns the names of the parts with this role that there are.
    pub(super) fn names(&self, role: Role) -> Vec<String> {
        let related = self.parts.get(&role).cloned();
        let mut names = related.unwrap_or_else(|| vec![role.usual().into()]);
        names.retain(|name| self.has(name));
        names
    }

    /// Reads the part with this role, the last if there are several.
    pub(super) fn secondary<T: Default>(
        &mut self,
        role: Role,
        read: impl FnOnce(String) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        match self.names(role).pop() {
            Some(name) => self.part(name, read),
            None => Ok(T::default()),
        }
    }

    /// Reads a part other than the main one. Damage to it is noted, and costs only it.
    pub(super) fn part<T: Default>(
        &mut self,
        name: String,
        read: impl FnOnce(String) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let parsed = self.read(&name).and_then(read);
        parsed.or_else(|failure| {
            if !failure.is_damage() {
                return Err(failure);
            }
            tracing::debug!(part = name, %failure, "a part of a document could not be read");
            self.damaged.push(name);
            Ok(T::default())
        })
    }

    /// Reads and decodes the part called `name`.
    pub(super) fn read(&mut self, name: &str) -> Result<String, Failure> {
        let index = self.index(name).ok_or(ZipError::FileNotFound)?;
        let compressed = self.archive.by_index_raw(index)?.compressed_size();
        let (limit, what) = self.limit(compressed);
        let file = self.archive.by_index(index)?;
        let mut bytes = Vec::with_capacity(file.size().min(limit).min(TRUSTED_SIZE) as usize);
        let read = file.take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|source| Failure::Unpack {
            part: name.into(),
            source,
        })?;
        let length = bytes.len() as u64;
        if length > limit {
            return Err(Failure::Limit { what, limit });
        }
        self.inflated += length;
        Ok(decode(bytes))
    }

    /// Returns how many bytes a part of this compressed size may inflate to, and which limit says
    /// so: the least of half of what all parts may have, what is left of it, and the ratio.
    fn limit(&self, compressed: u64) -> (u64, &'static str) {
        let total = self.limits.inflated_bytes;
        let ratio = compressed.saturating_mul(self.limits.inflation_ratio);
        let limits = [
            (total / 2, "the bytes of an unpacked part"),
            (total - self.inflated, "the bytes of all unpacked parts"),
            (
                ratio.max(RATIO_FROM),
                "the bytes of a part packed as tightly",
            ),
        ];
        let least = limits.into_iter().min_by_key(|(limit, _)| *limit);
        least.expect("there are three")
    }

    /// Says whether the package has what every Word document has, and no program puts elsewhere.
    pub(super) fn is_usual(&self) -> bool {
        let others = ["xl/workbook.xml", "ppt/presentation.xml"];
        self.has(USUAL_MAIN_PART) && !others.iter().any(|name| self.has(name))
    }

    fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// Finds a part by its name, which is case-insensitive in the standard and in Word.
    fn index(&self, name: &str) -> Option<usize> {
        let exact = self.archive.index_for_name_raw(name.as_bytes());
        exact.or_else(|| {
            let mut names = self.archive.file_names_raw();
            names.position(|other| other.eq_ignore_ascii_case(name.as_bytes()))
        })
    }

    /// Refuses a main part of another kind: a workbook or a presentation.
    fn check_kind(&mut self, main: &str) -> Result<(), Failure> {
        if main == USUAL_MAIN_PART && self.is_usual() {
            return Ok(());
        }
        let content_type = self.content_type(main)?.unwrap_or_default().to_lowercase();
        let kind = if content_type.contains("spreadsheetml") || main.starts_with("xl/") {
            "an Excel workbook"
        } else if content_type.contains("presentationml") || main.starts_with("ppt/") {
            "a PowerPoint presentation"
        } else if self.has(main) {
            return Ok(());
        } else if self.has("xl/workbook.xml") {
            "an Excel workbook"
        } else if self.has("ppt/presentation.xml") {
            "a PowerPoint presentation"
        } else {
            "a zip archive without a Word document"
        };
        Err(Failure::Unsupported(format!("it is {kind}")))
    }

    fn content_type(&mut self, part: &str) -> Result<Option<String>, Failure> {
        let elements = self.elements("[Content_Types].xml", |element| {
            let name = element.attribute("PartName")?;
            let matches = name.trim_start_matches('/').eq_ignore_ascii_case(part);
            element.attribute("ContentType").filter(|_| matches)
        })?;
        Ok(elements.into_iter().next())
    }

    /// Reads what the part called `source` refers to; the package itself is called "".
    pub(super) fn relationships(&mut self, source: &str) -> Result<Relationships, Failure> {
        let (folder, file) = source.rsplit_once('/').unwrap_or(("", source));
        let separator = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{separator}_rels/{file}.rels");
        let mut found = Relationships::default();
        self.elements(&name, |element| {
            let (kind, target) = (element.attribute("Type")?, element.attribute("Target")?);
            if let Some(role) = Role::of(&kind) {
                found.parts.push((role, resolve(folder, &target)));
            } else if kind.ends_with("/hyperlink") {
                found.links.insert(element.attribute("Id")?, target);
            }
            None::<()>
        })?;
        Ok(found)
    }

    /// Reads what `pick` takes from the elements of a part; nothing where the part is damaged.
    fn elements<T>(
        &mut self,
        part: &str,
        mut pick: impl FnMut(&Element) -> Option<T>,
    ) -> Result<Vec<T>, Failure> {
        if !self.has(part) {
            return Ok(Vec::new());
        }
        let picked = self.read(part).and_then(|xml| {
            let mut walk = Walk::new(&xml);
            let mut found = Vec::new();
            loop {
                match walk.next()? {
                    Node::Open(element) => found.extend(pick(&element)),
                    Node::End => return Ok(found),
                    Node::Close | Node::Text(_) => {}
                }
            }
        });
        match picked {
            Err(failure) if failure.is_damage() => Ok(Vec::new()),
            other => other,
        }
    }
}

/// Resolves the target of a relationship against the folder of its source.
fn resolve(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let base = if target.starts_with('/') { "" } else { folder };
    let mut segments = Vec::new();
    for segment in base.split('/').chain(target.split('/')) {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            name => segments.push(name),
        }
    }
    segments.join("/")
}

/// Decodes the XML of a part: by byte order mark, by the look of UTF-16, or as declared.
fn decode(bytes: Vec<u8>) -> String {
    let encoding = match bytes.as_slice() {
        [b'<', 0, ..] => UTF_16LE,
        [0, b'<', ..] => UTF_16BE,
        other => declared(other).unwrap_or(UTF_8),
    };
    if encoding == UTF_8 && Encoding::for_bom(&bytes).is_none() {
        return match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        };
    }
    let (text, _, _) = encoding.decode(&bytes);
    Cow::into_owned(text)
}

/// Returns the encoding that the XML declaration names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(200)];
    let head = head.strip_prefix(b"<?xml")?;
    let head = String::from_utf8_lossy(head.split(|&byte| byte == b'>').next()?);
    let (_, value) = head.split_once("encoding")?;
    let label = value.split(['"', '\'']).nth(1)?;
    // Bytes that begin with an ASCII declaration are not UTF-16, whatever it says.
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_resolved_against_their_folder() {
        assert_eq!(resolve("word", "styles.xml"), "word/styles.xml");
        assert_eq!(resolve("word", "../docProps/core.xml"), "docProps/core.xml");
        assert_eq!(resolve("word", "/custom/main.xml"), "custom/main.xml");
        assert_eq!(resolve("", "word\\document.xml"), "word/document.xml");
        assert_eq!(resolve("", "../../x"), "x");
    }

    #[test]
    fn parts_are_decoded_as_they_say() {
        let wide = |mark: &str| {
            format!("{mark}<a>é</a>")
                .encode_utf16()
                .flat_map(u16::to_le_bytes)
                .collect()
        };
        assert_eq!(decode(wide("\u{FEFF}")), "<a>é</a>");
        assert_eq!(decode(wide("")), "<a>é</a>");
        let declared = b"<?xml version='1.0' encoding='windows-1252'?><a>\xE9</a>";
        assert!(decode(declared.to_vec()).ends_with("<a>é</a>"));
        assert!(decode(b"<?xml version='1.0' encoding='UTF-16'?><a/>".to_vec()).ends_with("<a/>"));
        assert_eq!(decode(b"<a>\xFF</a>".to_vec()), "<a>\u{FFFD}</a>");
    }
}
