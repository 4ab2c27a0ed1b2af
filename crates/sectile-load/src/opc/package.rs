//! An open package of a workbook or a presentation.

use sectile_core::Metadata;
use serde_json::Value;

use super::{Relationship, core_properties, custom_properties, is_object, relationships};
use crate::Limits;
use crate::archive::Archive;
use crate::blocks::Block;
use crate::failure::Failure;
use crate::omissions::{DAMAGED_PARTS, UNREAD_PARTS};
use crate::{chart, drawing};

/// An open package, and which of its parts could not be read.
#[derive(Debug)]
pub(crate) struct Package<'a> {
    archive: Archive<'a>,
    damaged: Vec<String>,
    /// The objects of other programs.
    unread: Vec<String>,
}

impl<'a> Package<'a> {
    /// Opens the package in `bytes`.
    pub(crate) fn open(bytes: &'a [u8], limits: &'a Limits) -> Result<Self, Failure> {
        Ok(Self {
            archive: Archive::open(bytes, limits)?,
            damaged: Vec::new(),
            unread: Vec::new(),
        })
    }

    /// Returns the name of the main part: the one that the package refers to, or the `usual` one.
    pub(crate) fn main_part(&mut self, usual: &str) -> Result<String, Failure> {
        let root = self.relationships("")?;
        let main = related(&root, "officeDocument").filter(|name| self.has(name));
        Ok(main.unwrap_or_else(|| usual.into()))
    }

    /// Reads what the package says of itself.
    pub(crate) fn metadata(&mut self) -> Result<Metadata, Failure> {
        let root = self.relationships("")?;
        let part = |kinds: &[&str], usual: &str| {
            let named = kinds.iter().find_map(|kind| related(&root, kind));
            named.unwrap_or_else(|| usual.into())
        };
        let core = part(&core_properties::KINDS, core_properties::USUAL_PART);
        let custom = part(&custom_properties::KINDS, custom_properties::USUAL_PART);
        let mut metadata = self.secondary(&core, core_properties::read)?;
        let properties = self.secondary(&custom, custom_properties::read)?;
        properties.write_into(&mut metadata);
        Ok(metadata)
    }

    /// Returns what the part called `source` refers to; the package itself is called "".
    pub(crate) fn relationships(&mut self, source: &str) -> Result<Vec<Relationship>, Failure> {
        relationships(&mut self.archive, source)
    }

    /// Reads and decodes the part called `name`.
    pub(crate) fn read(&mut self, name: &str) -> Result<String, Failure> {
        self.archive.read(name)
    }

    /// Reads the part called `name`, which is not text.
    #[cfg(feature = "xlsx")]
    pub(crate) fn read_bytes(&mut self, name: &str) -> Result<Vec<u8>, Failure> {
        self.archive.read_bytes(name)
    }

    /// Returns whether there is a part called `name`.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.archive.has(name)
    }

    /// Reads a part other than the main one, if it is there. Damage to it is noted, and costs only
    /// it.
    pub(crate) fn secondary<T: Default>(
        &mut self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if !self.has(name) {
            return Ok(T::default());
        }
        match self.read(name).and_then(|xml| read(&xml)) {
            Err(failure) if failure.is_damage() => {
                tracing::debug!(part = name, %failure, "a part of a document could not be read");
                self.note_damage(name);
                Ok(T::default())
            }
            other => other,
        }
    }

    /// Reads a chart, and the boxes that are drawn on it.
    pub(crate) fn chart(&mut self, name: &str) -> Result<Vec<Block>, Failure> {
        let mut blocks = self.secondary(name, chart::read)?;
        let drawn = related(&self.relationships(name)?, chart::USER_SHAPES);
        if let Some(drawn) = drawn {
            blocks.extend(self.secondary(&drawn, drawing::paragraphs)?);
        }
        Ok(blocks)
    }

    /// Notes that a part could not be read, or not to its end.
    pub(crate) fn note_damage(&mut self, name: &str) {
        self.damaged.push(name.into());
    }

    /// Notes the objects of other programs that a part refers to.
    pub(crate) fn note_objects(&mut self, relationships: &[Relationship]) {
        let objects = relationships.iter().filter(|one| is_object(&one.kind));
        let objects = objects.filter(|one| self.archive.has(&one.part));
        let objects: Vec<String> = objects.map(|one| one.part.clone()).collect();
        self.unread.extend(objects);
    }

    /// Names the parts that could not be read in the metadata, if there are any.
    pub(crate) fn name_omissions(self, metadata: &mut Metadata) {
        for (name, parts) in [(DAMAGED_PARTS, self.damaged), (UNREAD_PARTS, self.unread)] {
            if !parts.is_empty() {
                metadata.extra.insert(name.into(), Value::from(parts));
            }
        }
    }
}

/// Returns the part with this role, the last if there are several.
pub(crate) fn related(relationships: &[Relationship], kind: &str) -> Option<String> {
    let mut found = relationships.iter().rev();
    let found = found.find(|relationship| relationship.kind == kind)?;
    Some(found.part.clone())
}
