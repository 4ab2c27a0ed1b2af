//! Tells tables of data from those that only lay out a page.

use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::node::{attribute, attribute_is, beginning, children, is_small, tag};

/// Elements directly in the cells of tables that only lay out a page.
const OF_LAYOUT: [&str; 12] = [
    "article", "center", "form", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "section", "table",
];

/// Blocks: a cell with several of them is in a table that only lays out a page.
const BLOCKS: [&str; 6] = ["blockquote", "dl", "hr", "ol", "p", "ul"];

/// Classes of tables of data, as Sphinx, Asciidoctor, pandas and wikis write them.
const OF_DATA: [&str; 5] = [
    "confluenceTable",
    "dataframe",
    "docutils",
    "tableblock",
    "wikitable",
];

/// How many rows a table has at most that lays out a page by divisions or several blocks.
const FEW_ROWS: usize = 3;

/// How many rows a table has at least that is one of data by its rows alone.
const LEAST_ROWS: usize = 3;

/// How many line breaks a cell has at least that holds a text of several paragraphs.
const MANY_BREAKS: usize = 4;

/// How many links a way through a site has at least.
const LEAST_LINKS: usize = 3;

/// Returns whether a table holds data: it has several columns, and heads or several rows, and neither lays out
/// the page nor has links alone.
pub(super) fn is_data(table: &Node) -> bool {
    let rows = rows(table);
    let has_columns = rows.iter().any(|row| row.len() > 1);
    let has_data = || rows.len() > 1 && links_alone(&rows).is_none();
    has_columns && (has_heads(&rows) || has_data()) && !is_layout(table, &rows)
}

/// Returns whether a table is a way through a site: it has no words but those of links to other pages.
pub(super) fn is_way(table: &Node) -> bool {
    links_alone(&rows(table)).is_some_and(|links| links >= LEAST_LINKS)
}

/// Counts the links to other pages in a table; nothing where it has heads or other words.
fn links_alone(rows: &[Vec<Rc<Node>>]) -> Option<usize> {
    if has_heads(rows) {
        return None;
    }
    let cells = rows.iter().flatten();
    let links: Option<usize> = cells.map(|cell| links_of_cell(cell)).sum();
    links.filter(|links| *links > 0)
}

/// Counts the links to other pages in a cell; nothing where it is large or has other words.
fn links_of_cell(cell: &Node) -> Option<usize> {
    if !is_small(cell) {
        return None;
    }
    let leads_elsewhere = |target: &str| !target.starts_with('#');
    let mut links = 0;
    let mut open = children(cell);
    while let Some(node) = open.pop() {
        if tag(&node) == Some("a") && attribute_is(&node, "href", leads_elsewhere) {
            links += 1;
        } else if is_word(&node) {
            return None;
        } else {
            open.extend(children(&node));
        }
    }
    Some(links)
}

fn is_word(node: &Node) -> bool {
    match &node.data {
        NodeData::Text { contents } => contents.borrow().contains(char::is_alphanumeric),
        _ => false,
    }
}

/// Returns whether a table only lays out the page: it says so, has one column, or its cells hold blocks. Programs for
/// newsletters write such tables with heads alone, or with an empty cell beside the text.
pub(super) fn is_layout(table: &Node, rows: &[Vec<Rc<Node>>]) -> bool {
    let role = attribute(table, "role");
    role.is_some_and(|role| matches!(role.as_str(), "none" | "presentation"))
        || rows.iter().all(|row| row.len() < 2)
        || !is_grid(rows) && !is_called_data(table, rows) && is_laid_out(rows)
}

/// Returns whether a table has a class of those of data, and no headings, code or tables in its cells.
fn is_called_data(table: &Node, rows: &[Vec<Rc<Node>>]) -> bool {
    let class = attribute(table, "class").unwrap_or_default();
    let lays_out = |child: &Rc<Node>| tag(child).is_some_and(|tag| OF_LAYOUT.contains(&tag));
    let mut cells = rows.iter().flatten();
    class.split_whitespace().any(|name| OF_DATA.contains(&name))
        && !cells.any(|cell| children(cell).iter().any(lays_out))
}

fn is_laid_out(rows: &[Vec<Rc<Node>>]) -> bool {
    let cells = || rows.iter().flatten();
    let has_block = |cell: &Rc<Node>| children(cell).iter().any(|child| is_block(child));
    if rows.iter().all(|row| is_single(row)) && cells().any(has_block) {
        return true;
    }
    let is_headed = has_heads(rows) && cells().any(|cell| tag(cell) == Some("td"));
    !is_headed && cells().any(|cell| has_blocks(cell, rows.len()))
}

/// Returns whether no more than one cell of a row has text.
fn is_single(row: &[Rc<Node>]) -> bool {
    let has_text = |cell: &&Rc<Node>| !is_small(cell) || !beginning(cell).is_empty();
    row.iter().filter(has_text).count() <= 1
}

fn is_block(node: &Node) -> bool {
    let is_block = |tag: &str| OF_LAYOUT.contains(&tag) || BLOCKS.contains(&tag) || tag == "div";
    tag(node).is_some_and(is_block)
}

fn has_heads(rows: &[Vec<Rc<Node>>]) -> bool {
    rows.iter().flatten().any(|cell| tag(cell) == Some("th"))
}

/// Returns whether a table has the same columns in several rows, and no more than one block in a cell, such as the code
/// of a command: that lays out no page. A cell of each row holds none.
fn is_grid(rows: &[Vec<Rc<Node>>]) -> bool {
    let columns = rows.first().map_or(0, Vec::len);
    let is_row_of_data = |row: &Vec<Rc<Node>>| {
        let blocks: Option<Vec<usize>> = row.iter().map(|cell| single_blocks(cell)).collect();
        row.len() == columns && blocks.is_some_and(|blocks| blocks.contains(&0))
    };
    columns > 1 && rows.len() >= LEAST_ROWS && rows.iter().all(is_row_of_data)
}

/// Counts the blocks of a cell that has one at most; nothing when it has more, or others than cells of data have.
fn single_blocks(cell: &Node) -> Option<usize> {
    let children = children(cell);
    let blocks = children.iter().filter(|child| is_block(child));
    let mut blocks = blocks.filter_map(|child| tag(child));
    match (blocks.next(), blocks.next()) {
        (None, _) => Some(0),
        (Some("pre" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "p"), None) => Some(1),
        _ => None,
    }
}

/// Returns whether a cell holds blocks that cells of data do not; in tables of few rows, several paragraphs or lines
/// are such, and divisions that hold them. A division in the cell of a single row is one, whatever it holds.
fn has_blocks(cell: &Rc<Node>, rows: usize) -> bool {
    let is_few = rows <= FEW_ROWS;
    let children = children(cell);
    let tags = || children.iter().filter_map(|child| tag(child));
    let blocks = tags().filter(|tag| BLOCKS.contains(tag)).count();
    let breaks = tags().filter(|tag| *tag == "br").count();
    let mut divisions = children.iter().filter(|child| tag(child) == Some("div"));
    tags().any(|tag| OF_LAYOUT.contains(&tag))
        || (is_few && (blocks > 1 || breaks >= MANY_BREAKS))
        || (is_few && divisions.any(|division| rows == 1 || has_blocks(division, rows)))
}

/// Returns the cells of each row as browsers show them: those of the head first and those of the foot last, wherever
/// they are written.
pub(super) fn rows(table: &Node) -> Vec<Vec<Rc<Node>>> {
    let (mut rows, mut body, mut foot) = (Vec::new(), Vec::new(), Vec::new());
    for child in children(table) {
        match tag(&child) {
            Some("tr") => body.push(cells(&child)),
            Some("thead") if rows.is_empty() => rows.extend(rows_of(&child)),
            Some("thead" | "tbody") => body.extend(rows_of(&child)),
            Some("tfoot") => foot.extend(rows_of(&child)),
            _ => {}
        }
    }
    rows.append(&mut body);
    rows.append(&mut foot);
    rows.retain(|row| !row.is_empty());
    rows
}

fn rows_of(group: &Node) -> impl Iterator<Item = Vec<Rc<Node>>> {
    let rows = children(group).into_iter();
    let rows = rows.filter(|row| tag(row) == Some("tr"));
    rows.map(|row| cells(&row))
}

fn cells(row: &Node) -> Vec<Rc<Node>> {
    let cells = children(row).into_iter();
    cells
        .filter(|cell| matches!(tag(cell), Some("td" | "th")))
        .collect()
}
