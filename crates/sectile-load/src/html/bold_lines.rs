//! Bold lines that are the headings of a page without any.

use crate::blocks::Block;
use crate::titles::{Contents, Paragraph, ParagraphLook, TextLook, settle};

/// What stands on both sides of a bold text.
const BOLD: &str = "**";

/// What paragraphs have between them.
const BREAK: &str = "\n\n";

/// Writes the bold lines of a page as headings, if they look like them.
pub(super) fn with_headings(text: &str) -> Option<String> {
    if !text.contains(BOLD) {
        return None;
    }
    let paragraphs: Vec<&str> = text.split(BREAK).collect();
    let mut is_in_code = false;
    let blocks = paragraphs.iter().map(|paragraph| {
        let lines = paragraph.lines();
        let fences = lines
            .filter(|line| line.trim_start().starts_with("```"))
            .count();
        let is_code = is_in_code || fences > 0;
        is_in_code ^= fences % 2 == 1;
        block(paragraph, is_code)
    });
    let blocks = settle(blocks.collect(), &Contents::new());
    let is_heading = |block: &Block| matches!(block, Block::Heading { .. });
    if !blocks.iter().any(is_heading) {
        return None;
    }
    let written = paragraphs
        .iter()
        .zip(&blocks)
        .map(|(paragraph, block)| match block {
            Block::Heading { level, text } => format!("{} {text}", "#".repeat((*level).into())),
            _ => (*paragraph).to_owned(),
        });
    Some(written.collect::<Vec<_>>().join(BREAK))
}

/// Makes a title of a paragraph that is one bold text.
fn block(paragraph: &str, is_code: bool) -> Block {
    let otherwise = Block::Text(paragraph.into());
    let bold = paragraph.trim_end().strip_prefix(BOLD);
    let bold = bold.and_then(|rest| rest.strip_suffix(BOLD));
    let bold = bold.filter(|bold| !is_code && !bold.contains(['*', '`']));
    let Some(bold) = bold else {
        return otherwise;
    };
    // A number is escaped where it would begin a list.
    let bold = bold.replacen("\\.", ".", 1);
    let mut look = ParagraphLook::default();
    let is_bold = TextLook {
        is_bold: true,
        ..TextLook::default()
    };
    look.add(&bold, is_bold);
    let title = Paragraph {
        text: &bold,
        look,
        ..Paragraph::default()
    };
    title.or(otherwise)
}
