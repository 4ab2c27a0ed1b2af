//! Arrays of records with short values, which are tables.

use super::scan::{Kind, Tree};
use super::strings;

/// How many columns a table may have.
const MAX_COLUMNS: usize = 24;

/// How long the values of a table may be as they are written.
const MAX_CELL: usize = 160;

/// Returns the columns of the table that an array is; nothing when it is none.
pub(super) fn columns(tree: &Tree<'_>, array: usize) -> Option<Vec<String>> {
    if tree.node(array).kind != Kind::Array {
        return None;
    }
    let mut columns = Columns::default();
    for record in tree.children(array) {
        columns.see(tree, record)?;
    }
    columns.finish()
}

/// Returns the columns of the table that these values are together.
pub(super) fn columns_of_lines<'a>(
    values: impl Iterator<Item = Option<Tree<'a>>>,
) -> Option<Vec<String>> {
    let mut columns = Columns::default();
    for tree in values {
        let tree = tree?;
        let mut roots = tree.roots();
        let (first, others) = (roots.next()?, roots.next());
        others.is_none().then_some(())?;
        columns.see(&tree, first)?;
    }
    columns.finish()
}

#[derive(Default)]
struct Columns {
    names: Vec<String>,
    records: usize,
    cells: usize,
}

impl Columns {
    /// Takes the keys of a record; nothing when it is none.
    fn see(&mut self, tree: &Tree<'_>, record: usize) -> Option<()> {
        if tree.node(record).kind != Kind::Object {
            return None;
        }
        let mut keys: Vec<String> = Vec::new();
        for cell in tree.children(record) {
            let node = tree.node(cell);
            let is_short =
                matches!(node.kind, Kind::String | Kind::Bare) && node.length() <= MAX_CELL;
            let has_lines = node.kind == Kind::String && tree.source(cell).contains("\\n");
            let key = tree.key(cell)?;
            // A record with a key twice has no row.
            if !is_short || has_lines || keys.contains(&key) {
                return None;
            }
            if !self.names.contains(&key) {
                self.names.push(key.clone());
            }
            if self.names.len() > MAX_COLUMNS {
                return None;
            }
            keys.push(key);
        }
        self.records += 1;
        self.cells += keys.len();
        Some(())
    }

    /// Returns the columns if there are at least two rows, and most of their cells are not empty.
    fn finish(self) -> Option<Vec<String>> {
        let all = self.records * self.names.len();
        (self.records > 1 && self.names.len() > 1 && self.cells * 3 > all * 2).then_some(self.names)
    }
}

/// Returns the cells of a record; what it does not have is empty.
pub(super) fn row(tree: &Tree<'_>, record: usize, columns: &[String]) -> Vec<String> {
    let mut cells = vec![String::new(); columns.len()];
    for cell in tree.children(record) {
        let key = tree.key(cell);
        let column = columns.iter().position(|name| Some(name) == key.as_ref());
        let source = tree.source(cell);
        let text = match tree.node(cell).kind {
            Kind::String => strings::plain(&strings::decode(source)).into_owned(),
            _ => source.into(),
        };
        if let Some(slot) = column.and_then(|column| cells.get_mut(column)) {
            *slot = text;
        }
    }
    cells
}
