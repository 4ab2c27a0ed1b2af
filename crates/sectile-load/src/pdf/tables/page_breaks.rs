//! Tables that go on over the ends of pages.

use super::super::page::{Kind, PageBlocks, TextBlock};

/// Makes one table of those that go on over the ends of pages: with as many columns, and with the same head, which has
/// no amounts: lists of prices may begin alike. Where heads that repeat are dropped, it stands there once; returns those
/// that were dropped. A table whose first row is one of numbers, as the rows of the table before are, has no head.
pub(in super::super) fn join(pages: &mut [PageBlocks], drops_heads: bool) -> Vec<String> {
    let mut dropped: Vec<String> = Vec::new();
    // The table that the page before ends with.
    let mut open: Option<Open> = None;
    for page in pages {
        let known = open.take();
        if let (Some(first), Some(known)) = (page.blocks.first_mut(), &known) {
            if let Some(head) = repeated_head(first, known) {
                let is_new = dropped.last().is_none_or(|last| *last != head);
                if go_on(first, drops_heads) && is_new {
                    dropped.push(head);
                }
            } else if known.goes_on_with(first) {
                go_on(first, false);
            }
        }
        open = page.blocks.last().and_then(|last| {
            if last.is_continued {
                known
            } else {
                Open::of(last)
            }
        });
    }
    dropped
}

/// A table that may go on.
struct Open {
    head: String,
    /// For each column its name, and whether all its cells are numbers.
    columns: Vec<(String, bool)>,
}

impl Open {
    fn of(block: &TextBlock) -> Option<Self> {
        let head = head(block)?;
        let rows: Vec<Vec<String>> = block.text.lines().skip(2).map(cells).collect();
        let are_numbers = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let mut filled = cells.filter(|cell| !cell.is_empty()).peekable();
            filled.peek().is_some() && filled.all(|cell| is_number(cell))
        };
        let names = cells(&head).into_iter().enumerate();
        let columns = names.map(|(column, name)| (name, are_numbers(column)));
        Some(Self {
            columns: columns.collect(),
            head,
        })
    }

    /// Returns whether a block is a table with as many columns, whose first row is not its head: it has numbers where
    /// the rows of this table have some, and its head has a name.
    fn goes_on_with(&self, block: &TextBlock) -> bool {
        let row = head(block).map(|row| cells(&row)).unwrap_or_default();
        let is_named = |name: &str| !is_number(name) || is_year(name);
        let mut columns = row.iter().zip(&self.columns);
        row.len() == self.columns.len()
            && !block.has_lent_head
            && row.first().is_some_and(|first| !first.is_empty())
            && columns.clone().any(|(cell, (name, are_numbers))| {
                *are_numbers && is_number(cell) && !is_year(cell) && is_named(name)
            })
            && columns
                .all(|(cell, (_, are_numbers))| !are_numbers || cell.is_empty() || is_number(cell))
    }
}

/// Returns the head of a block that is that of the table before.
fn repeated_head(block: &TextBlock, known: &Open) -> Option<String> {
    let head = head(block).filter(|head| *head == known.head)?;
    (block.has_lent_head || !has_amount(&head)).then_some(head)
}

/// Returns the cells of a row.
fn cells(row: &str) -> Vec<String> {
    let row = row.replace("\\|", " ");
    let inner = row.trim().trim_start_matches('|').trim_end_matches('|');
    inner
        .split('|')
        .map(|cell| cell.trim().to_owned())
        .collect()
}

/// Returns whether a cell is a number, an amount, a date or a time.
fn is_number(cell: &str) -> bool {
    let is_of_number = |c: char| !c.is_alphabetic();
    cell.contains(|c: char| c.is_ascii_digit()) && cell.chars().all(is_of_number)
}

fn is_year(cell: &str) -> bool {
    cell.len() == 4
        && cell.bytes().all(|byte| byte.is_ascii_digit())
        && (cell.starts_with("19") || cell.starts_with("20"))
}

/// Returns the first row of a table that has others.
fn head(block: &TextBlock) -> Option<String> {
    let mut lines = block.text.lines().filter(|_| block.kind == Kind::Table);
    let head = lines.next()?;
    lines.nth(1).map(|_| head.to_owned())
}

/// Returns whether a cell of a row is an amount of money, with or without its currency.
fn has_amount(row: &str) -> bool {
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let is_amount = |cell: &str| {
        let number = cell.trim_matches(|c| !is_of_number(c));
        let parts = number.rsplit_once(['.', ',']);
        number.chars().all(is_of_number)
            && parts.is_some_and(|(_, cents)| {
                cents.len() == 2 && cents.bytes().all(|byte| byte.is_ascii_digit())
            })
    };
    row.split('|').any(is_amount)
}

/// Makes a table go on that of the page before, whose head it has. Says whether a row of this page is dropped.
fn go_on(table: &mut TextBlock, drops_heads: bool) -> bool {
    let mut lines = table.text.split_inclusive('\n').map(str::len);
    let head = lines.next().unwrap_or_default();
    let rule = head + lines.next().unwrap_or_default();
    let keeps_head = !drops_heads && !table.has_lent_head;
    table
        .text
        .drain(if keeps_head { head..rule } else { 0..rule });
    table.is_continued = true;
    drops_heads && !table.has_lent_head
}
