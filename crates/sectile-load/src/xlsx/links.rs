//! The links of the cells of a sheet.

use std::collections::HashMap;
use std::rc::Rc;

use super::worksheet::{Links, ROWS, column_of};
use crate::opc::Relationship;
use crate::xml::{Element, Node, Walk};

/// How many cells of a sheet have links at most; Excel has as many.
const MAX_CELLS: usize = 65_530;

/// The links of a sheet while they are read.
pub(super) struct CellLinks {
    links: Links,
    /// How many cells may still have one.
    room: usize,
}

impl CellLinks {
    pub(super) fn new() -> Self {
        Self {
            links: Links::new(),
            room: MAX_CELLS,
        }
    }

    /// Notes where the cells between two lead to, each by its row and column.
    pub(super) fn add(&mut self, first: (u32, u32), last: (u32, u32), target: &str) {
        if first.1 > last.1 {
            return;
        }
        let target: Rc<str> = target.into();
        for row in first.0..=last.0 {
            for column in first.1..=last.1 {
                let Some(left) = self.room.checked_sub(1) else {
                    return;
                };
                self.room = left;
                self.links.insert((row, column), Rc::clone(&target));
            }
        }
    }

    pub(super) fn finish(self) -> Links {
        self.links
    }
}

/// Returns the addresses that a sheet refers to, by their ids.
pub(super) fn targets(relationships: &[Relationship]) -> HashMap<&str, &str> {
    let links = relationships.iter().filter(|one| one.kind == "hyperlink");
    links
        .map(|one| (one.id.as_str(), one.target.as_str()))
        .collect()
}

/// Reads where the cells of a sheet lead to, outside of the workbook.
pub(super) fn read(xml: &str, relationships: &[Relationship]) -> Links {
    let mut links = CellLinks::new();
    let Some(xml) = part_of(xml) else {
        return links.finish();
    };
    let targets = targets(relationships);
    let mut walk = Walk::new(xml);
    // They stand behind the cells: what is damaged in them costs no more than the rest of the links.
    while let Ok(node) = walk.next() {
        match node {
            Node::Open(element) if element.name() == "hyperlink" => {
                add(&mut links, &element, &targets);
            }
            Node::End => break,
            _ => {}
        }
    }
    links.finish()
}

/// Returns the part of a sheet that has the links, but for its end.
fn part_of(xml: &str) -> Option<&str> {
    const NAME: &str = "hyperlinks";
    let name = xml.rfind("hyperlinks>")?;
    let end = xml[..name].rfind("</")?;
    let begin = format!("<{}", &xml[end + 2..name + NAME.len()]);
    let start = xml[..end].rfind(&begin)?;
    Some(&xml[start..end])
}

fn add(links: &mut CellLinks, element: &Element, targets: &HashMap<&str, &str>) {
    let id = element.prefixed("id").unwrap_or_default();
    let cells = element.attribute("ref").unwrap_or_default();
    if let (Some(target), Some((first, last))) = (targets.get(id.as_str()), range(&cells)) {
        let place = element.attribute("location");
        let place = place.map(|place| format!("#{place}")).unwrap_or_default();
        links.add(first, last, &format!("{target}{place}"));
    }
}

/// Returns the rows and columns of the first and the last cell of a range such as `A1:B2`, or of one cell.
fn range(cells: &str) -> Option<((u32, u32), (u32, u32))> {
    let (first, last) = cells.split_once(':').unwrap_or((cells, cells));
    Some((place(first)?, place(last)?))
}

fn place(cell: &str) -> Option<(u32, u32)> {
    let digits = cell.trim_start_matches(|sign: char| sign.is_ascii_alphabetic());
    let row: u32 = digits.parse().ok()?;
    let row = row.checked_sub(1).filter(|row| *row < ROWS)?;
    Some((row, column_of(cell)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_a_first_and_a_last_cell() {
        assert_eq!(range("B3"), Some(((2, 1), (2, 1))));
        assert_eq!(range("A1:C2"), Some(((0, 0), (1, 2))));
        assert_eq!(range("A0"), None);
        assert_eq!(range(""), None);
    }

    #[test]
    fn links_stand_between_tags_of_any_prefix() {
        assert_eq!(
            part_of("<x:a>hyperlinks></x:a><x:hyperlinks><b/></x:hyperlinks></a>"),
            Some("<x:hyperlinks><b/>")
        );
        assert_eq!(part_of("<a>hyperlinks></a>"), None);
    }
}
