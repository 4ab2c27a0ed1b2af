//! Tables of a page, written as Markdown.

use std::rc::Rc;

use htmd::Node;
use htmd::element_handler::Handlers;

use super::tree::{attribute, tag};

/// How many columns a cell spans at most.
const MAX_SPAN: usize = 20;

/// Elements directly in the cells of tables that only lay out a page.
const OF_LAYOUT: [&str; 12] = [
    "article", "center", "form", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "section", "table",
];

/// How many rows a table has at most that lays out a page by divisions.
const FEW_ROWS: usize = 3;

/// Parts of the classes of cells that number the lines of code.
const LINE_NUMBERS: [&str; 2] = ["gutter", "lineno"];

/// Writes a table with its first row as head; one that only lays out the page as the blocks in it.
pub(super) fn write(handlers: &dyn Handlers, table: &Rc<Node>) -> String {
    let rows = rows(table);
    let captions = children(table)
        .into_iter()
        .filter(|child| tag(child) == Some("caption"));
    let captions = captions.filter_map(|caption| block(handlers, &caption));
    let mut blocks: Vec<String> = captions.collect();
    if is_layout(table, &rows) {
        let cells = rows.iter().flatten();
        let cells = cells.filter(|cell| !numbers_lines(cell));
        blocks.extend(cells.filter_map(|cell| block(handlers, cell)));
    } else {
        blocks.push(write_rows(handlers, &rows));
    }
    blocks.retain(|block| !block.is_empty());
    format!("\n\n{}\n\n", blocks.join("\n\n"))
}

/// Returns the cells of each row.
fn rows(table: &Node) -> Vec<Vec<Rc<Node>>> {
    let mut rows = Vec::new();
    for child in children(table) {
        match tag(&child) {
            Some("tr") => rows.push(cells(&child)),
            Some("thead" | "tbody" | "tfoot") => {
                let of_group = children(&child).into_iter();
                let of_group = of_group.filter(|row| tag(row) == Some("tr"));
                rows.extend(of_group.map(|row| cells(&row)));
            }
            _ => {}
        }
    }
    rows.retain(|row| !row.is_empty());
    rows
}

fn cells(row: &Node) -> Vec<Rc<Node>> {
    let cells = children(row).into_iter();
    cells
        .filter(|cell| matches!(tag(cell), Some("td" | "th")))
        .collect()
}

fn children(node: &Node) -> Vec<Rc<Node>> {
    node.children.borrow().iter().map(Rc::clone).collect()
}

/// Says whether a table only lays out the page: it says so, has one column, or its cells hold blocks.
fn is_layout(table: &Node, rows: &[Vec<Rc<Node>>]) -> bool {
    let role = attribute(table, "role");
    let cells = || rows.iter().flatten();
    let has_heads = cells().any(|cell| tag(cell) == Some("th"));
    let is_block = |tag: &str| OF_LAYOUT.contains(&tag) || (tag == "div" && rows.len() <= FEW_ROWS);
    let has_blocks = |cell: &Rc<Node>| {
        let children = cell.children.borrow();
        children.iter().filter_map(|child| tag(child)).any(is_block)
    };
    role.is_some_and(|role| matches!(role.as_str(), "none" | "presentation"))
        || rows.iter().all(|row| row.len() < 2)
        || (!has_heads && cells().any(has_blocks))
}

fn numbers_lines(cell: &Node) -> bool {
    let class = attribute(cell, "class").unwrap_or_default();
    LINE_NUMBERS.iter().any(|name| class.contains(name))
}

fn block(handlers: &dyn Handlers, node: &Rc<Node>) -> Option<String> {
    let text = handlers.handle(node)?.content;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn write_rows(handlers: &dyn Handlers, rows: &[Vec<Rc<Node>>]) -> String {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| texts(handlers, row)).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut table = String::new();
    for (index, row) in rows.iter().enumerate() {
        table.push('|');
        for cell in row {
            table.push(' ');
            table.push_str(cell);
            table.push_str(" |");
        }
        if index == 0 {
            table.push_str(&"  |".repeat(columns - row.len()));
            table.push_str("\n|");
            table.push_str(&" - |".repeat(columns));
        }
        table.push('\n');
    }
    table.truncate(table.trim_end().len());
    table
}

/// Writes the cells of a row, each on one line. A cell over several columns keeps those after it in theirs.
fn texts(handlers: &dyn Handlers, row: &[Rc<Node>]) -> Vec<String> {
    let mut texts = Vec::new();
    for cell in row {
        let text = block(handlers, cell).unwrap_or_default();
        let text: Vec<&str> = text.split_whitespace().collect();
        texts.push(text.join(" ").replace('|', "\\|"));
        let span = attribute(cell, "colspan")
            .and_then(|span| span.parse().ok())
            .unwrap_or(1);
        texts.extend((1..span.min(MAX_SPAN)).map(|_| String::new()));
    }
    texts
}
