//! Cells whose values are more than a number or a text, such as pictures and stocks: for programs that do not know them
//! they hold an error.

use crate::alternative_text::Picture;
use crate::failure::Failure;
use crate::opc::Package;
use crate::xml::{Node, Walk};

/// What the metadata of rich values are called.
const RICH: &str = "XLRICHVALUE";

/// The key of the text that a value shows, and that of what a picture is said to show.
const DISPLAYED: &str = "_DisplayString";
const DESCRIPTION: &str = "Text";

/// How many keys of a structure are kept: more than any has.
const MAX_KEYS: usize = 256;

/// What cells show. A picture that nobody has described shows no text.
#[derive(Debug, Default)]
pub(super) struct RichValues {
    /// What each value shows, where that is known.
    shown: Vec<Option<String>>,
    /// The values by the numbers that cells have, less one.
    named: Vec<Option<usize>>,
}

impl RichValues {
    /// Returns what is shown by a cell that has this number, from 1.
    pub(super) fn get(&self, number: usize) -> Option<&str> {
        let index = self.named.get(number.checked_sub(1)?).copied().flatten()?;
        self.shown.get(index)?.as_deref()
    }
}

/// The parts that say what cells show.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) metadata: String,
    pub(super) values: String,
    pub(super) structures: String,
}

/// Reads what cells with rich values show.
pub(super) fn read(package: &mut Package, parts: &Parts) -> Result<RichValues, Failure> {
    if !package.has(&parts.values) {
        return Ok(RichValues::default());
    }
    let structures = package.secondary(&parts.structures, read_structures)?;
    let values = package.secondary(&parts.values, read_values)?;
    let named = package.secondary(&parts.metadata, read_metadata)?;
    let shown = values.iter().map(|(structure, values)| {
        let structure = structures.get(*structure)?;
        structure.shown(values)
    });
    Ok(RichValues {
        shown: shown.collect(),
        named,
    })
}

/// What the values of a kind consist of.
#[derive(Debug, Default)]
struct Structure {
    kind: String,
    keys: Vec<String>,
}

impl Structure {
    /// Returns what is shown of these values; nothing where that is not known.
    fn shown(&self, values: &[String]) -> Option<String> {
        let value = |key: &str| {
            let at = self.keys.iter().position(|other| other == key)?;
            values.get(at).cloned()
        };
        let is_picture = matches!(self.kind.as_str(), "_localImage" | "_webimage");
        value(DISPLAYED).or_else(|| {
            is_picture.then(|| {
                let picture = Picture {
                    description: value(DESCRIPTION).unwrap_or_default(),
                    ..Picture::default()
                };
                let said = picture.block();
                said.map(|said| said.flat()).unwrap_or_default()
            })
        })
    }
}

fn read_structures(xml: &str) -> Result<Vec<Structure>, Failure> {
    let mut structures: Vec<Structure> = Vec::new();
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) => match element.name() {
                "s" => structures.push(Structure {
                    kind: element.attribute("t").unwrap_or_default(),
                    keys: Vec::new(),
                }),
                "k" => {
                    if let Some(last) = structures.last_mut()
                        && last.keys.len() < MAX_KEYS
                    {
                        last.keys.push(element.attribute("n").unwrap_or_default());
                    }
                }
                _ => {}
            },
            Node::Close | Node::Text(_) => {}
            Node::End => return Ok(structures),
        }
    }
}

/// Reads values, each with the number of its structure.
fn read_values(xml: &str) -> Result<Vec<(usize, Vec<String>)>, Failure> {
    let mut values: Vec<(usize, Vec<String>)> = Vec::new();
    let mut is_value = false;
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) => {
                is_value = element.name() == "v";
                match values.last_mut() {
                    Some((_, parts)) if is_value => parts.push(String::new()),
                    _ if element.name() == "rv" => {
                        let structure = element.attribute("s");
                        let structure = structure.and_then(|number| number.parse().ok());
                        values.push((structure.unwrap_or(usize::MAX), Vec::new()));
                    }
                    _ => {}
                }
            }
            Node::Text(text) if is_value => {
                let parts = values.last_mut().map(|(_, parts)| parts);
                if let Some(part) = parts.and_then(|parts| parts.last_mut()) {
                    part.push_str(&text);
                }
            }
            Node::Text(_) => {}
            Node::Close => is_value = false,
            Node::End => return Ok(values),
        }
    }
}

/// The lists of metadata.
#[derive(Clone, Copy, Debug)]
enum List {
    /// What rich values there are.
    Rich,
    /// The metadata of the values of cells.
    OfCells,
    Other,
}

/// Reads which rich value each number names that cells may have.
fn read_metadata(xml: &str) -> Result<Vec<Option<usize>>, Failure> {
    let mut is_rich: Vec<bool> = Vec::new();
    let mut rich: Vec<Option<usize>> = Vec::new();
    let mut of_cells: Vec<Option<usize>> = Vec::new();
    let mut list = List::Other;
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) => {
                let is_named_rich = || element.attribute("name").as_deref() == Some(RICH);
                let number = |name| element.attribute(name).and_then(|text| text.parse().ok());
                match (element.name(), list) {
                    ("metadataType", _) => is_rich.push(is_named_rich()),
                    ("futureMetadata", _) if is_named_rich() => list = List::Rich,
                    ("futureMetadata" | "cellMetadata", _) => list = List::Other,
                    ("valueMetadata", _) => list = List::OfCells,
                    ("bk", List::Rich) => rich.push(None),
                    ("bk", List::OfCells) => of_cells.push(None),
                    ("rvb", List::Rich) => {
                        if let Some(last) = rich.last_mut() {
                            *last = number("i");
                        }
                    }
                    ("rc", List::OfCells) => {
                        let kind = number("t").and_then(|kind: usize| kind.checked_sub(1));
                        let kind = kind.and_then(|kind| is_rich.get(kind));
                        if let (Some(true), Some(last)) = (kind, of_cells.last_mut()) {
                            *last = number("v");
                        }
                    }
                    _ => {}
                }
            }
            Node::Close | Node::Text(_) => {}
            Node::End => {
                let of_rich = |at: usize| rich.get(at).copied().flatten();
                return Ok(of_cells.into_iter().map(|at| of_rich(at?)).collect());
            }
        }
    }
}
