//! The parts of a Word document, and how they refer to each other.

use std::collections::HashMap;

use sectile_core::Metadata;

use crate::Limits;
use crate::archive::Archive;
use crate::blocks::Block;
use crate::failure::Failure;
use crate::opc::{self, Relationship, core_properties, custom_properties};
use crate::{chart, drawing};

/// Where the main part stands when nothing in the package says so.
const USUAL_MAIN_PART: &str = "word/document.xml";

/// What a part is for, as the last segment of a relationship's type says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    Main,
    CoreProperties,
    CustomProperties,
    Styles,
    Numbering,
    Footnotes,
    Endnotes,
    Comments,
    Header,
    Footer,
}

impl Role {
    fn of(kind: &str) -> Option<Self> {
        Some(match kind {
            "officeDocument" => Self::Main,
            kind if core_properties::KINDS.contains(&kind) => Self::CoreProperties,
            kind if custom_properties::KINDS.contains(&kind) => Self::CustomProperties,
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
            Self::CoreProperties => core_properties::USUAL_PART,
            Self::CustomProperties => custom_properties::USUAL_PART,
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
    /// Charts, diagrams, chunks in other formats and objects of other programs: the last segment of the relationship's type,
    /// its id, and the part.
    pub(super) embedded: Vec<(String, String, String)>,
    /// The documents that a master document consists of.
    included: Vec<String>,
}

/// An open package.
#[derive(Debug)]
pub(super) struct Package<'a> {
    archive: Archive<'a>,
    parts: HashMap<Role, Vec<String>>,
    /// The addresses that the links of the main part lead to, by their ids.
    pub(super) main_links: HashMap<String, String>,
    /// What the main part shows from other parts.
    pub(super) main_embedded: Vec<(String, String, String)>,
    /// The documents that the main part includes, which are other files.
    pub(super) included: Vec<String>,
    /// The parts in formats without a loader, and the objects of other programs.
    pub(super) unread: Vec<String>,
    /// The secondary parts that could not be read.
    pub(super) damaged: Vec<String>,
    /// What was noticed of chunks in other formats.
    pub(super) noticed: Metadata,
}

impl<'a> Package<'a> {
    /// Opens the package in `bytes`.
    pub(super) fn open(bytes: &'a [u8], limits: &'a Limits) -> Result<Self, Failure> {
        Ok(Self {
            archive: Archive::open(bytes, limits)?,
            parts: HashMap::new(),
            main_links: HashMap::new(),
            main_embedded: Vec::new(),
            included: Vec::new(),
            unread: Vec::new(),
            damaged: Vec::new(),
            noticed: Metadata::default(),
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
        self.main_embedded = related.embedded;
        self.included = related.included;
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

    /// Reads a chart, and the boxes that are drawn on it.
    pub(super) fn chart(&mut self, name: String) -> Result<Vec<Block>, Failure> {
        let related = opc::relationships(&mut self.archive, &name)?;
        let mut blocks = self.part(name, |xml| chart::read(&xml))?;
        let drawn = related
            .into_iter()
            .filter(|one| one.kind == chart::USER_SHAPES);
        for drawn in drawn {
            blocks.extend(self.part(drawn.part, |xml| drawing::paragraphs(&xml))?);
        }
        Ok(blocks)
    }

    /// Reads and decodes the part called `name`.
    pub(super) fn read(&mut self, name: &str) -> Result<String, Failure> {
        self.archive.read(name)
    }

    /// Reads the bytes of the part called `name`.
    pub(super) fn read_bytes(&mut self, name: &str) -> Result<Vec<u8>, Failure> {
        self.archive.read_bytes(name)
    }

    /// Returns whether the package has what every Word document has, and no program puts elsewhere.
    pub(super) fn is_usual(&self) -> bool {
        let others = ["xl/workbook.xml", "ppt/presentation.xml"];
        self.has(USUAL_MAIN_PART) && !others.iter().any(|name| self.has(name))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.archive.has(name)
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
            return Err(Failure::Missing(main.into()));
        };
        Err(Failure::Unsupported(format!("it is {kind}")))
    }

    fn content_type(&mut self, part: &str) -> Result<Option<String>, Failure> {
        let elements = opc::elements(&mut self.archive, "[Content_Types].xml", |element| {
            let name = element.attribute("PartName")?;
            let matches = name.trim_start_matches('/').eq_ignore_ascii_case(part);
            element.attribute("ContentType").filter(|_| matches)
        })?;
        Ok(elements.into_iter().next())
    }

    /// Reads what the part called `source` refers to; the package itself is called "".
    pub(super) fn relationships(&mut self, source: &str) -> Result<Relationships, Failure> {
        let mut found = Relationships::default();
        for relationship in opc::relationships(&mut self.archive, source)? {
            if let Some(role) = Role::of(&relationship.kind) {
                found.parts.push((role, relationship.part));
            } else if relationship.kind == "hyperlink" && !relationship.id.is_empty() {
                found.links.insert(relationship.id, relationship.target);
            } else if relationship.kind == "subDocument" {
                found.included.push(relationship.target);
            } else if matches!(
                &*relationship.kind,
                "aFChunk" | "chart" | "chartEx" | "diagramData"
            ) || opc::is_object(&relationship.kind)
            {
                let Relationship { id, kind, part, .. } = relationship;
                found.embedded.push((kind, id, part));
            }
        }
        Ok(found)
    }
}
