//! Blocks that are drawn after what stands below them: some writers draw the foot of a page first, and its head, or the
//! boxes of its text, last.

use super::direction::Flow;
use super::line_groups::runs;
use super::lines::Line;
use super::tables::Table;

/// How far type reaches above its baseline and below it, in multiples of its size.
const ABOVE: f64 = 0.75;
const BELOW: f64 = 0.25;

/// How far blocks may reach into each other that stand above each other, and how far one stands over the other at least,
/// in multiples of the type size.
const INTO: f64 = 0.3;
const OVER: f64 = 0.3;

/// How many letters a block of text has at least: the numbers and names along a chart have fewer.
const MIN_LETTERS: usize = 8;

/// How many blocks of a page are looked at.
const MAX_BLOCKS: usize = 500;

/// Puts blocks before what stands below them in their columns. Blocks stay where they are drawn if another column was drawn
/// in between, if most of the page is no text, and on pages of tagged files, whose order is that of their tags.
pub(super) fn settle(lines: &mut Vec<Line>, tables: &mut Vec<Table>) {
    if lines
        .iter()
        .any(|line| line.flow == Flow::Down || is_tagged(line))
    {
        return;
    }
    let blocks = blocks(std::mem::take(lines), std::mem::take(tables));
    let text = blocks.iter().filter(|block| block.is_text).count();
    let is_settled = blocks.len() > MAX_BLOCKS || text * 2 < blocks.len();
    let mut settled: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let at = if is_settled {
            settled.len()
        } else {
            block.place_among(&settled)
        };
        settled.insert(at, block);
    }
    for block in settled {
        tables.extend(block.table.map(|table| Table {
            at: lines.len(),
            ..table
        }));
        lines.extend(block.lines);
    }
}

fn is_tagged(line: &Line) -> bool {
    line.words.iter().any(|word| word.role.is_some())
}

/// Lines that belong together, or a table, and where they stand.
struct Block {
    lines: Vec<Line>,
    table: Option<Table>,
    is_text: bool,
    turn: i32,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    size: f64,
}

/// Makes blocks of lines, and of the tables between them.
fn blocks(lines: Vec<Line>, tables: Vec<Table>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let all = lines.len();
    let (mut lines, mut start) = (lines.into_iter(), 0);
    for table in tables.into_iter().map(Some).chain([None]) {
        let end = table.as_ref().map_or(all, |table| table.at);
        let before: Vec<Line> = lines.by_ref().take(end - start).collect();
        let runs = runs(&before);
        let mut before = before.into_iter();
        blocks.extend(
            runs.into_iter()
                .map(|run| Block::of_lines(before.by_ref().take(run.len()).collect())),
        );
        blocks.extend(table.map(Block::of_table));
        start = end;
    }
    blocks
}

impl Block {
    fn of_lines(lines: Vec<Line>) -> Self {
        let all = |of: fn(&Line) -> f64| lines.iter().map(of);
        let words = lines.iter().flat_map(|line| &line.words);
        let letters = words.flat_map(|word| word.text.chars());
        Self {
            is_text: letters.filter(|letter| letter.is_alphabetic()).count() >= MIN_LETTERS,
            turn: lines.first().map_or(0, |line| line.turn),
            left: all(Line::left).fold(f64::MAX, f64::min),
            right: all(Line::right).fold(f64::MIN, f64::max),
            top: all(|line| line.y - ABOVE * line.size).fold(f64::MAX, f64::min),
            bottom: all(|line| line.y + BELOW * line.size).fold(f64::MIN, f64::max),
            size: all(|line| line.size).fold(0.0, f64::max),
            table: None,
            lines,
        }
    }

    fn of_table(table: Table) -> Self {
        Self {
            is_text: true,
            turn: table.turn,
            left: table.area.x0,
            right: table.area.x1,
            top: table.area.y0,
            bottom: table.area.y1,
            size: 0.0,
            lines: Vec::new(),
            table: Some(table),
        }
    }

    /// Returns before which of the blocks that are drawn before it stands: the first that is below it in its column, unless
    /// something stands beside it that would come behind it then.
    fn place_among(&self, drawn: &[Self]) -> usize {
        let mut at = drawn.len();
        if !self.is_text {
            return at;
        }
        for (index, other) in drawn.iter().enumerate().rev() {
            if self.is_over(other) {
                if !self.is_above(other) {
                    break;
                }
                if other.is_text {
                    at = index;
                }
            }
        }
        let mut passed = drawn[at..].iter();
        if passed.all(|other| self.is_over(other) || self.is_above(other)) {
            at
        } else {
            drawn.len()
        }
    }

    /// Returns whether it stands in the column of another one.
    fn is_over(&self, other: &Self) -> bool {
        let over = self.right.min(other.right) - self.left.max(other.left);
        self.turn == other.turn && over > OVER * self.size.min(other.size)
    }

    /// Returns whether another one stands below it, in whatever column.
    fn is_above(&self, other: &Self) -> bool {
        self.turn == other.turn && self.bottom <= other.top + INTO * self.size.min(other.size)
    }
}
