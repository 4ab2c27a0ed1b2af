//! Tables of a page, written as Markdown.

use std::rc::Rc;

use htmd::Node;
use htmd::element_handler::Handlers;
use markup5ever_rcdom::NodeData;

use super::cells::Cells;
use super::code;
use super::layout::{is_layout, rows};
use super::node::{attribute, attribute_is, children, has_class, tag};
use crate::table_caption::{self, FEW_ROWS};

/// How many columns a cell spans at most.
const MAX_SPAN: usize = 20;

/// The last column in which a cell can span rows: a small page could make a table of any size.
const MAX_SPANNED: usize = 50;

/// The roles of elements that are tables.
pub(super) const TABLES: [&str; 3] = ["grid", "table", "treegrid"];

/// The roles of elements that are cells.
pub(super) const CELLS: [&str; 4] = ["cell", "columnheader", "gridcell", "rowheader"];

/// How many elements there may be around a row or a cell that has a role.
const WRAPPERS: usize = 4;

/// Writes a table with its first row as head; one that only lays out the page as the blocks in it.
pub(super) fn write(handlers: &dyn Handlers, table: &Rc<Node>, cells: &Cells) -> String {
    if is_signature(table) {
        return write_signature(table);
    }
    if code::is_block(table) {
        return if cells.is_in_one() {
            code::in_cell(table)
        } else {
            code::write(table)
        };
    }
    let rows = rows(table);
    if cells.is_in_one() {
        return flat(handlers, &rows);
    }
    let captions = children(table)
        .into_iter()
        .filter(|child| tag(child) == Some("caption"));
    let captions = captions.filter_map(|caption| block(handlers, &caption));
    let mut blocks: Vec<String> = captions.collect();
    if has_class(table, "memberdecls") {
        blocks.extend(rows.iter().map(|row| line(handlers, row)));
    } else if is_layout(table, &rows) {
        let all = rows.iter().flatten();
        let texts = all.filter(|cell| !numbers_lines(cell));
        blocks.extend(texts.filter_map(|cell| block(handlers, cell)));
    } else {
        blocks.push(write_rows(handlers, &rows, cells));
    }
    blocks.retain(|block| !block.is_empty());
    format!("\n\n{}\n\n", blocks.join("\n\n"))
}

/// Returns whether a table is the signature of a function, as Doxygen writes it.
fn is_signature(table: &Node) -> bool {
    has_class(table, "memname")
}

/// Writes a row on one line, as Doxygen lists the members of a class.
fn line(handlers: &dyn Handlers, row: &[Rc<Node>]) -> String {
    let cells = row.iter().filter_map(|cell| block(handlers, cell));
    let cells: Vec<String> = cells.collect();
    cells.join(" ")
}

fn write_signature(table: &Rc<Node>) -> String {
    let text = code::text(table);
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("\n\n{}\n\n", code::inline(&words.join(" ")))
}

/// Writes a table that is made of divisions, as Javadoc writes its summaries: their classes say which are heads.
pub(super) fn of_divisions(handlers: &dyn Handlers, table: &Node, cells: &Cells) -> Option<String> {
    let all = children(table)
        .into_iter()
        .filter(|child| tag(child) == Some("div"));
    let all: Vec<Rc<Node>> = all.collect();
    let is_head = |cell: &&Rc<Node>| {
        attribute(cell, "class").is_some_and(|class| class.contains("table-header"))
    };
    let columns = all.iter().filter(is_head).count();
    if columns < 2 || !all.len().is_multiple_of(columns) {
        return None;
    }
    let rows: Vec<Vec<Rc<Node>>> = all.chunks(columns).map(<[_]>::to_vec).collect();
    Some(format!("\n\n{}\n\n", write_rows(handlers, &rows, cells)))
}

/// Writes a table of elements whose roles say what they are, as programs that draw pages write it. What stands in no row
/// is above it.
pub(super) fn of_roles(handlers: &dyn Handlers, table: &Rc<Node>, cells: &Cells) -> Option<String> {
    let (mut rows, mut others) = (Vec::new(), Vec::new());
    add_rows(table, &mut rows, &mut others);
    let has_columns = rows.iter().any(|row| row.len() > 1);
    if !has_columns || cells.is_in_one() {
        return None;
    }
    let others = others.iter().filter_map(|other| block(handlers, other));
    let mut blocks: Vec<String> = others.collect();
    blocks.push(write_rows(handlers, &rows, cells));
    Some(format!("\n\n{}\n\n", blocks.join("\n\n")))
}

/// Adds the rows in an element, and what stands beside them.
fn add_rows(node: &Node, rows: &mut Vec<Vec<Rc<Node>>>, others: &mut Vec<Rc<Node>>) {
    for child in children(node) {
        if has_role(&child, &["row"]) {
            let mut row = Vec::new();
            add_cells(&child, &mut row);
            rows.push(row);
        } else if !has_role(&child, &TABLES) && holds_role(&child, &["row"], WRAPPERS) {
            add_rows(&child, rows, others);
        } else {
            others.push(child);
        }
    }
}

/// Adds the cells in a row; what stands beside them is one, too.
fn add_cells(node: &Node, row: &mut Vec<Rc<Node>>) {
    for child in children(node) {
        if !has_role(&child, &CELLS) && holds_role(&child, &CELLS, WRAPPERS) {
            add_cells(&child, row);
        } else if has_role(&child, &CELLS) || is_shown(&child) {
            row.push(child);
        }
    }
}

/// Returns whether a node has text, or a picture with an alternative text.
fn is_shown(node: &Node) -> bool {
    match &node.data {
        NodeData::Text { contents } => !contents.borrow().trim().is_empty(),
        _ if tag(node) == Some("img") => attribute(node, "alt").is_some(),
        _ => children(node).iter().any(|child| is_shown(child)),
    }
}

fn has_role(node: &Node, roles: &[&str]) -> bool {
    attribute_is(node, "role", |role| roles.contains(&role.trim()))
}

/// Returns whether an element with one of these roles stands in a node, no deeper than so many elements.
fn holds_role(node: &Node, roles: &[&str], depth: usize) -> bool {
    let is_found = |child: &Rc<Node>| {
        has_role(child, roles) || depth > 1 && holds_role(child, roles, depth - 1)
    };
    children(node).iter().any(is_found)
}

/// Writes a table within a cell of another on one line.
fn flat(handlers: &dyn Handlers, rows: &[Vec<Rc<Node>>]) -> String {
    let texts = rows
        .iter()
        .flatten()
        .filter_map(|cell| block(handlers, cell));
    let texts: Vec<String> = texts.collect();
    format!(" {} ", texts.join(" "))
}

fn numbers_lines(cell: &Node) -> bool {
    let class = attribute(cell, "class").unwrap_or_default();
    class.split_whitespace().any(code::numbers_lines)
}

fn block(handlers: &dyn Handlers, node: &Rc<Node>) -> Option<String> {
    let text = handlers.handle(node)?.content;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Writes rows one after the other: only the texts of one are in memory beside the table.
fn write_rows(handlers: &dyn Handlers, rows: &[Vec<Rc<Node>>], cells: &Cells) -> String {
    let mut taken = Vec::new();
    let mut all = rows
        .iter()
        .map(|row| texts(handlers, row, rows.len(), &mut taken, cells));
    let first: Vec<Vec<String>> = all.by_ref().take(FEW_ROWS).collect();
    let captions = captions(&first, rows);
    let mut table = String::new();
    for text in first[..captions]
        .iter()
        .flatten()
        .filter(|text| !text.is_empty())
    {
        table.push_str(&text.replace("\\|", "|"));
        table.push_str("\n\n");
    }
    let mut all = first.into_iter().skip(captions).chain(all);
    let Some(head) = all.next() else {
        return table;
    };
    let mut columns = head.len();
    let mut body = String::new();
    for row in all {
        columns = columns.max(row.len());
        push_row(&mut body, &row);
        body.push('\n');
    }
    push_row(&mut table, &head);
    table.push_str(&"  |".repeat(columns - head.len()));
    table.push_str("\n|");
    table.push_str(&" - |".repeat(columns));
    table.push('\n');
    table.push_str(&body);
    table.truncate(table.trim_end().len());
    table
}

/// Counts the rows at the beginning of a table that are captions; `first` are the texts of its first rows.
fn captions(first: &[Vec<String>], rows: &[Vec<Rc<Node>>]) -> usize {
    let columns = first.iter().map(Vec::len).max().unwrap_or_default();
    let rows = first.iter().zip(rows).map(|(texts, cells)| {
        let heads = cells.iter().filter(|cell| tag(cell) == Some("th")).count();
        table_caption::Row {
            texts: texts.iter().map(String::as_str).collect(),
            is_one_cell: cells.len() == 1 && texts.len() == columns,
            is_head: (heads > 0).then_some(heads == cells.len()),
        }
    });
    table_caption::count(&rows.collect::<Vec<_>>())
}

fn push_row(out: &mut String, row: &[String]) {
    out.push('|');
    for cell in row {
        out.push(' ');
        out.push_str(cell);
        out.push_str(" |");
    }
}

/// Writes the cells of one of so many rows, each on one line. A cell over several columns or rows keeps those after it in
/// their places: `taken` says how many rows more each column is taken by a cell above.
fn texts(
    handlers: &dyn Handlers,
    row: &[Rc<Node>],
    rows: usize,
    taken: &mut Vec<usize>,
    cells: &Cells,
) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for cell in row {
        skip_taken(taken, &mut texts);
        let text = cells.within(|| block(handlers, cell)).unwrap_or_default();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = texts.len();
        texts.push(lines.collect::<Vec<&str>>().join(" ").replace('|', "\\|"));
        texts.extend((1..span(cell, "colspan", MAX_SPAN)).map(|_| String::new()));
        taken.resize(taken.len().max(texts.len()), 0);
        if texts.len() <= MAX_SPANNED {
            taken[first..texts.len()].fill(span(cell, "rowspan", rows) - 1);
        }
    }
    if taken.iter().skip(texts.len()).any(|left| *left > 0) {
        while texts.len() < taken.len() {
            skip_taken(taken, &mut texts);
            texts.extend((texts.len() < taken.len()).then(String::new));
        }
    }
    texts
}

/// Leaves the columns empty that cells above take.
fn skip_taken(taken: &mut [usize], texts: &mut Vec<String>) {
    while let Some(left) = taken.get_mut(texts.len()).filter(|left| **left > 0) {
        *left -= 1;
        texts.push(String::new());
    }
}

fn span(cell: &Node, name: &str, most: usize) -> usize {
    let span = attribute(cell, name).and_then(|span| span.parse().ok());
    // A cell that spans 0 rows spans all that follow.
    if span == Some(0) && name == "rowspan" {
        most
    } else {
        span.unwrap_or(1).clamp(1, most.max(1))
    }
}
