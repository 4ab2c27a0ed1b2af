//! Headings by how they look: styles of type that stand out are ranked over the whole file.

use std::collections::BTreeMap;

use super::page::{Kind, PageBlocks, Style, TextBlock};

/// How much larger than the text around it the type of a heading is, if it is not bold.
const LARGER: f64 = 1.08;

/// How much smaller a bold heading may be than the text around it.
const SMALLER: f64 = 0.95;

/// How long a heading may be, in characters, and in lines.
const LONGEST: usize = 200;
const LONGEST_BOLD: usize = 100;
const MAX_LINES: usize = 3;

/// How many words a block of a chart has at most, how many of its blocks are numbers and marks at least, and how many bytes
/// the letters of a heading on its page have at least, unlike the name of an axis.
const LABEL_WORDS: usize = 7;
const MIN_MARKS: usize = 3;
const MIN_LETTERS: usize = 5;

/// How much larger than the text around it a line of fixed-pitch type is that is a title, and how long a line that is drawn
/// with a sign, in characters.
const TITLE: f64 = 1.3;
const MIN_RULE: usize = 5;

/// The part of the text from which fixed-pitch type is that of the text itself.
const TYPEWRITTEN: f64 = 0.9;

/// Gives levels to the blocks that look like headings, unless the file is tagged and says which are: the level
/// of a style is its rank among those of headings, by size and then by weight. Code is fenced, unless most of the file is set
/// like it; returns whether it is.
pub(super) fn rank(pages: &mut [PageBlocks]) -> bool {
    let all = || pages.iter().flat_map(|page| &page.blocks);
    let count = |block: &TextBlock| block.text.chars().count();
    let total: usize = all().map(count).sum();
    let code: usize = all()
        .filter(|block| block.kind == Kind::Code)
        .map(count)
        .sum();
    let is_typewritten = code as f64 > total as f64 * TYPEWRITTEN;
    let mut written: BTreeMap<Style, usize> = BTreeMap::new();
    let is_text = |block: &&TextBlock| match block.kind {
        Kind::Table => false,
        Kind::Code => is_typewritten,
        Kind::Prose | Kind::List => true,
    };
    for block in all().filter(is_text) {
        *written.entry(block.style).or_default() += count(block);
    }
    let body = written.iter().max_by_key(|(_, count)| **count);
    let Some(body) = body.map(|(style, _)| *style) else {
        return false;
    };
    for block in pages.iter_mut().flat_map(|page| &mut page.blocks) {
        if block.kind == Kind::Code && block.lines == 1 && is_no_code(block, body) {
            block.kind = Kind::Prose;
        }
    }
    let all = || pages.iter().flat_map(|page| &page.blocks);
    let is_tagged = all().any(|block| block.level.is_some());
    let styles = if is_tagged {
        Vec::new()
    } else {
        styles(pages, body)
    };
    for page in pages {
        let is_chart = !is_tagged && is_chart(page);
        for block in &mut page.blocks {
            let rank = styles.iter().position(|style| *style == block.style);
            let is_label = is_chart && letters(&block.text) < MIN_LETTERS;
            if let Some(rank) = rank.filter(|_| !is_label && is_heading(block, body)) {
                block.level = Some(rank.min(5) as u8 + 1);
            }
            if block.level.is_some() {
                block.text = block.text.replace('\n', " ");
            }
            if block.kind == Kind::Code && !is_typewritten {
                block.text = fenced(&block.text);
            }
        }
    }
    !is_typewritten
}

/// Returns whether a line of fixed-pitch type is a title, or a sign over and over that parts what stands above it and below.
fn is_no_code(block: &TextBlock, body: Style) -> bool {
    let is_of_words = |c: char| c.is_alphanumeric() || " -–—.,:'’&?!".contains(c);
    let is_title = block.style.size() >= TITLE * body.size() && block.text.chars().all(is_of_words);
    let mut signs = block.text.chars();
    let first = signs.next();
    let is_rule = matches!(first, Some('_' | '-' | '=' | '*' | '~' | '.'))
        && signs.clone().count() + 1 >= MIN_RULE
        && signs.all(|sign| Some(sign) == first);
    is_title || is_rule
}

/// Returns whether a page is a chart: it has nothing but labels, most of which are numbers and marks.
fn is_chart(page: &PageBlocks) -> bool {
    let has_letters = |word: &&str| word.contains(char::is_alphabetic);
    let is_label = |block: &TextBlock| {
        let words = block.text.split_whitespace().filter(has_letters);
        words.take(LABEL_WORDS + 1).count() <= LABEL_WORDS
    };
    let is_mark =
        |block: &&TextBlock| block.kind != Kind::Table && !block.text.contains(char::is_alphabetic);
    page.blocks.iter().all(is_label) && {
        let marks = page.blocks.iter().filter(is_mark).count();
        marks >= MIN_MARKS && marks * 2 > page.blocks.len()
    }
}

/// Returns how many bytes the letters of a text have.
fn letters(text: &str) -> usize {
    let letters = text.chars().filter(|letter| letter.is_alphabetic());
    letters.map(char::len_utf8).sum()
}

/// Returns the styles of headings, the highest first. A style in which more is written that is not a heading
/// is none.
fn styles(pages: &[PageBlocks], body: Style) -> Vec<Style> {
    let mut found: BTreeMap<Style, (usize, usize)> = BTreeMap::new();
    for block in pages.iter().flat_map(|page| &page.blocks) {
        let counts = found.entry(block.style).or_default();
        let letters = block.text.chars().count();
        if is_heading(block, body) {
            counts.0 += letters;
        } else {
            counts.1 += letters;
        }
    }
    let of_headings = found
        .into_iter()
        .filter(|(_, (as_heading, else_))| as_heading > else_);
    // Styles are in order, the smallest first.
    of_headings.map(|(style, _)| style).rev().collect()
}

fn is_heading(block: &TextBlock, body: Style) -> bool {
    let length = block.text.chars().count();
    let has_words = block.text.chars().any(char::is_alphabetic);
    if block.kind != Kind::Prose || block.lines > MAX_LINES || length > LONGEST || !has_words {
        return false;
    }
    let ratio = block.style.size() / body.size();
    let ends_like_text = block.text.ends_with(['.', ',', ';', ':']);
    let is_bold = block.style.is_bold && !body.is_bold && block.lines == 1;
    ratio >= LARGER || (is_bold && ratio >= SMALLER && length <= LONGEST_BOLD && !ends_like_text)
}

/// Fences code, with more backticks than it has itself.
fn fenced(code: &str) -> String {
    let mut fence = "```".to_owned();
    while code.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}\n{code}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the headings on a page whose large lines begin with `# `.
    fn check(blocks: &[&str], expected: &[&str]) {
        let block = |text: &&str| TextBlock {
            text: text.trim_start_matches("# ").into(),
            style: Style::new(if text.starts_with("# ") { 14.0 } else { 10.0 }, false),
            lines: 1,
            ..TextBlock::default()
        };
        let mut pages = [PageBlocks {
            blocks: blocks.iter().map(block).collect(),
            ..PageBlocks::default()
        }];
        rank(&mut pages);
        let headings = pages[0].blocks.iter().filter(|block| block.level.is_some());
        let headings: Vec<&str> = headings.map(|block| &*block.text).collect();
        assert_eq!(headings, expected);
    }

    #[test]
    fn names_of_axes_are_no_headings() {
        check(
            &[
                "# Run time",
                "0  20  40",
                "0.05  0.15",
                "● ● ●",
                "● 17",
                "10 20 30 40",
                "# R",
            ],
            &["Run time"],
        );
        let text = "All words that begin with this letter stand here, one below the other.";
        check(&["# R", text, "1", "2", "3", "4", "5"], &["R"]);
        check(&["# R", "Rain", "River", "Road and rail", "1"], &["R"]);
    }
}
