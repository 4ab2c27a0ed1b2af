//! Siblings that are all flat, as tables.

use super::tree::Tree;
use crate::blocks::Cell;
use crate::one_line::one_line;

/// How many columns a table of records may have.
const MAX_COLUMNS: usize = 24;

/// How long a value of a record may be.
const MAX_CELL: usize = 160;

/// The column of the text of a record that has attributes.
const TEXT: &str = "text";

/// Returns the elements of an element as a table, where all have one name and are flat.
pub(super) fn records(tree: &Tree, at: usize) -> Option<Vec<Vec<Cell>>> {
    let mut elements = tree.elements(at);
    let name = tree.name(elements.next()?)?;
    if !elements.all(|other| tree.name(other) == Some(name)) || tree.elements(at).nth(2).is_none() {
        return None;
    }
    let mut columns: Vec<String> = Vec::new();
    let mut rows = Vec::new();
    let mut filled = 0;
    for record in tree.elements(at) {
        let cells = cells(tree, record)?;
        filled += cells.len();
        for (column, _) in &cells {
            if !columns.contains(column) {
                columns.push(column.clone());
            }
        }
        if columns.len() > MAX_COLUMNS {
            return None;
        }
        rows.push(cells);
    }
    if columns.len() < 2 || filled * 3 < rows.len() * columns.len() * 2 {
        return None;
    }
    let cell = |text: String| Cell { text, span: 1 };
    let head = columns.iter().cloned().map(cell).collect();
    let rows = rows.into_iter().map(|cells| {
        let mut row = vec![cell(String::new()); columns.len()];
        for (name, text) in cells {
            if let Some(column) = columns.iter().position(|column| *column == name) {
                row[column].text = text;
            }
        }
        row
    });
    Some(std::iter::once(head).chain(rows).collect())
}

/// Returns the attributes and elements of a record; nothing when it is not a record.
fn cells(tree: &Tree, record: usize) -> Option<Vec<(String, String)>> {
    let node = tree.node(record);
    if node.is_mixed || node.label.is_some() {
        return None;
    }
    let mut cells = node.attributes.clone();
    for child in tree.elements(record) {
        let is_flat = tree.is_leaf(child) && tree.node(child).attributes.is_empty();
        is_flat.then_some(())?;
        cells.push((
            tree.label(child).to_string(),
            one_line(&tree.leaf_text(child)),
        ));
    }
    if tree.is_leaf(record) && node.length > 0 {
        cells.push((TEXT.to_string(), one_line(&tree.leaf_text(record))));
    }
    let is_short = cells.iter().all(|(_, text)| text.len() <= MAX_CELL);
    let is_once = |(at, (name, _)): (usize, &(String, String))| {
        cells[..at].iter().all(|(other, _)| other != name)
    };
    let is_record = cells.len() <= MAX_COLUMNS && cells.iter().enumerate().all(is_once);
    (is_short && is_record).then_some(cells)
}
