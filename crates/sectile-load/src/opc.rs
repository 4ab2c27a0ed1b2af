//! Office Open XML packages: their parts, and how they refer to each other.

pub(crate) mod core_properties;
pub(crate) mod custom_properties;
#[cfg(any(feature = "docx", feature = "pptx"))]
pub(crate) mod flat;
mod package;

pub(crate) use package::{Package, related};

use crate::archive::{Archive, joined};
use crate::failure::Failure;
use crate::xml::{Element, Node, Walk};

/// What a part refers to.
#[derive(Clone, Debug)]
pub(crate) struct Relationship {
    pub(crate) id: String,
    /// The last segment of the type, such as `styles`.
    pub(crate) kind: String,
    /// The address as it is written.
    pub(crate) target: String,
    /// The name of the part, where the address is one.
    pub(crate) part: String,
}

/// Reads what the part called `source` refers to; the package itself is called "".
pub(crate) fn relationships(
    archive: &mut Archive,
    source: &str,
) -> Result<Vec<Relationship>, Failure> {
    let (folder, file) = source.rsplit_once('/').unwrap_or(("", source));
    let separator = if folder.is_empty() { "" } else { "/" };
    let name = format!("{folder}{separator}_rels/{file}.rels");
    elements(archive, &name, |element| {
        let (kind, target) = (element.attribute("Type")?, element.attribute("Target")?);
        Some(Relationship {
            id: element.attribute("Id").unwrap_or_default(),
            kind: kind.rsplit('/').next()?.into(),
            part: resolve(folder, &target),
            target,
        })
    })
}

/// Returns whether a relationship of this kind leads to an object of another program, or a control, of which the document
/// shows a picture.
pub(crate) fn is_object(kind: &str) -> bool {
    matches!(kind, "control" | "oleObject" | "package")
}

/// Reads what `pick` takes from the elements of a part; nothing where the part is damaged.
pub(crate) fn elements<T>(
    archive: &mut Archive,
    part: &str,
    mut pick: impl FnMut(&Element) -> Option<T>,
) -> Result<Vec<T>, Failure> {
    if !archive.has(part) {
        return Ok(Vec::new());
    }
    let picked = archive.read(part).and_then(|xml| {
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

/// Resolves the target of a relationship against the folder of its source.
pub(crate) fn resolve(folder: &str, target: &str) -> String {
    joined(folder, &target.replace('\\', "/"))
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
}
