//! Tables that go on over the ends of pages.

use super::super::page::{Kind, PageBlocks, TextBlock};

/// Makes one table of those that go on over the ends of pages: with as many columns, and with the same head, which has
/// no amounts: lists of prices may begin alike. Where heads that repeat are dropped, it stands there once; returns those that were dropped.
pub(in super::super) fn join(pages: &mut [PageBlocks], drops_heads: bool) -> Vec<String> {
    let mut dropped: Vec<String> = Vec::new();
    // The head of the table that the page before ends with.
    let mut open: Option<String> = None;
    for page in pages {
        let known = open.take();
        if let Some(first) = page.blocks.first_mut()
            && let Some(head) = head(first).filter(|head| Some(head) == known.as_ref())
            && (first.has_lent_head || !has_amount(&head))
        {
            let is_new = dropped.last().is_none_or(|last| *last != head);
            if go_on(first, drops_heads) && is_new {
                dropped.push(head);
            }
        }
        open = page
            .blocks
            .last()
            .and_then(|last| if last.is_continued { known } else { head(last) });
    }
    dropped
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
