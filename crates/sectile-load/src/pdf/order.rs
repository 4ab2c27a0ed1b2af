//! Blocks that are drawn after what stands below them: some writers draw the foot of a page first, and its head, or the
//! boxes of its text, last, and others the values of a form behind all of its labels.

use super::columns::edges;
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

/// How far down the page its foot begins at least, as a part of the height of the page, and how far below all other text,
/// in multiples of the type size.
const FOOT: f64 = 0.84;
const FOOT_APART: f64 = 1.5;

/// How much larger the type of a title is than all other, and how many letters it has at least.
const LARGER: f64 = 1.2;
const MIN_TITLE_LETTERS: usize = 3;

/// How far behind its label a value begins at most, in multiples of the type size, and how many words they have at most.
const NEAR_LABEL: f64 = 20.0;
const MAX_LABEL_WORDS: usize = 6;

/// How far apart the baselines of a label and its value are at most, in multiples of the type size.
const LEVEL: f64 = 0.3;

/// How far below a heading its text begins at most, in multiples of the type size.
const NEAR_TEXT: f64 = 2.0;

/// How many blocks and lines of a page are compared with each other.
const MAX_BLOCKS: usize = 500;
const MAX_LINES: usize = 3_000;

/// Puts blocks before what stands below them in their columns, values behind their labels, the foot of the page behind
/// all of it, and a title before all that it stands above, on a page of this width and height. Blocks stay where they are
/// drawn if another column was drawn in between, if most of the page is no text, and on pages of tagged files, whose
/// order is that of their tags but for the titles of slides. Programs for slides tag boxes in the order in which they are
/// stacked: these files are read as those without tags.
pub(super) fn settle(
    lines: &mut Vec<Line>,
    tables: &mut Vec<Table>,
    page: (f64, f64),
    is_of_slides: bool,
) {
    if lines.iter().any(|line| line.flow == Flow::Down) {
        return;
    }
    let is_tagged = !is_of_slides && lines.iter().any(is_tagged);
    let are_many_lines = lines.len() > MAX_LINES;
    let mut blocks = blocks(std::mem::take(lines), std::mem::take(tables));
    let text = blocks.iter().filter(|block| block.is_text).count();
    let are_many = are_many_lines || blocks.len() > MAX_BLOCKS;
    let is_settled = is_tagged || text * 2 < blocks.len();
    let is_slide = page.0 > page.1;
    if !is_settled {
        foot_last(&mut blocks, page.1);
    }
    let mut settled: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let mut at = None;
        if !are_many && (is_slide || !is_tagged) {
            at = block.place_of_title(&settled, is_slide);
        }
        if !are_many && !is_tagged {
            at = at.or_else(|| block.place_behind_label(&settled));
        }
        if !are_many && !is_settled {
            at = at.or_else(|| Some(block.place_among(&settled)));
        }
        settled.insert(at.unwrap_or(settled.len()), block);
    }
    for block in settled {
        tables.extend(block.table.map(|table| Table {
            at: lines.len(),
            ..table
        }));
        lines.extend(block.lines);
    }
}

/// Puts the foot of a page of this height behind all other blocks, if it stands apart below them. What goes on the column
/// that is drawn right before it is no foot.
fn foot_last(blocks: &mut [Block], height: f64) {
    let is_low = |block: &Block| block.turn == 0 && block.top > FOOT * height;
    let goes_on =
        |pair: &[Block]| !is_low(&pair[0]) && is_low(&pair[1]) && pair[1].is_close_below(&pair[0]);
    let others = blocks
        .iter()
        .filter(|block| block.turn == 0 && !is_low(block));
    let end = others.map(|block| block.bottom).fold(f64::MIN, f64::max);
    let is_apart = |block: &Block| block.top >= end + FOOT_APART * block.size;
    let mut low = blocks.iter().filter(|block| is_low(block));
    if low.all(is_apart) && !blocks.windows(2).any(goes_on) {
        blocks.sort_by_key(is_low);
    }
}

fn is_tagged(line: &Line) -> bool {
    line.words.iter().any(|word| word.role.is_some())
}

/// Lines that belong together, or a table, and where they stand.
struct Block {
    lines: Vec<Line>,
    table: Option<Table>,
    letters: usize,
    is_text: bool,
    turn: i32,
    /// Whether it is read from right to left.
    is_back: bool,
    left: f64,
    right: f64,
    /// Where its column begins and ends: a few lines may go over it.
    column: (f64, f64),
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
        let letters = letters.filter(|letter| letter.is_alphabetic()).count();
        Self {
            letters,
            is_text: letters >= MIN_LETTERS,
            turn: lines.first().map_or(0, |line| line.turn),
            is_back: lines.first().is_some_and(Line::is_back),
            left: all(Line::left).fold(f64::MAX, f64::min),
            right: all(Line::right).fold(f64::MIN, f64::max),
            column: edges(&lines),
            top: all(|line| line.y - ABOVE * line.size).fold(f64::MAX, f64::min),
            bottom: all(|line| line.y + BELOW * line.size).fold(f64::MIN, f64::max),
            size: all(|line| line.size).fold(0.0, f64::max),
            table: None,
            lines,
        }
    }

    fn of_table(table: Table) -> Self {
        Self {
            letters: 0,
            is_text: true,
            turn: table.turn,
            is_back: false,
            left: table.area.x0,
            right: table.area.x1,
            column: (table.area.x0, table.area.x1),
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
        if !self.is_text && !self.is_heading_of(drawn) {
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
        let is_short_below =
            |other: &&Self| !other.is_text && self.is_over(other) && self.is_above(other);
        at -= drawn[..at].iter().rev().take_while(is_short_below).count();
        let mut passed = drawn[at..].iter();
        let is_next =
            |other: &Self| self.is_over(other) || self.is_above(other) || self.is_before(other);
        if passed.all(is_next) { at } else { drawn.len() }
    }

    /// Returns whether it is the heading of one of the blocks that are drawn before it: a word right above where that
    /// begins, in type that is as large.
    fn is_heading_of(&self, drawn: &[Self]) -> bool {
        let start = |block: &Self| {
            if self.is_back {
                block.right
            } else {
                block.left
            }
        };
        let is_under = |other: &Self| {
            other.is_text
                && other.is_close_below(self)
                && other.size <= self.size
                && (start(other) - start(self)).abs() < self.size
        };
        self.letters >= MIN_TITLE_LETTERS && drawn.iter().any(is_under)
    }

    /// Returns before which of the blocks that are drawn before it stands, if it is the title of all of them but what
    /// comes first and stands above it. A title is over most of a page, and over something on a slide.
    fn place_of_title(&self, drawn: &[Self], is_slide: bool) -> Option<usize> {
        let is_larger = |other: &Self| self.size >= LARGER * other.size;
        if self.letters < MIN_TITLE_LETTERS || !drawn.iter().all(is_larger) {
            return None;
        }
        let above = drawn.iter().take_while(|other| other.is_above(self));
        let at = above.count();
        let below = &drawn[at..];
        let over = below.iter().filter(|other| self.is_over(other)).count();
        let least = if is_slide { 1 } else { below.len().div_ceil(2) };
        let is_title = over >= least.max(1) && below.iter().all(|other| self.is_above(other));
        is_title.then_some(at)
    }

    /// Returns before which of the blocks that are drawn before it stands, if one of them has nothing but labels, and
    /// one of these is the label of one of its lines. A heading with a colon, which its text stands below, is no label of
    /// what stands in the next column.
    fn place_behind_label(&self, drawn: &[Self]) -> Option<usize> {
        let is_value = |line: &Line| line.words.len() <= MAX_LABEL_WORDS && !line.is_back();
        if self.table.is_some() || !self.lines.iter().all(is_value) {
            return None;
        }
        let is_behind = |line: &Line| self.lines.iter().any(|value| is_level_behind(value, line));
        let has_label =
            |other: &Self| other.lines.iter().all(is_label) && other.lines.iter().any(is_behind);
        let label = drawn.iter().rposition(has_label)?;
        let at = label + 1;
        let is_text_of_it = |next: &Self| next.is_prose() && next.is_close_below(&drawn[label]);
        let next = drawn.get(at).filter(|next| next.right <= self.left);
        if next.is_some_and(is_text_of_it) {
            return None;
        }
        let between = drawn[at..].iter();
        let between = between.take_while(|other| other.lines.iter().any(is_behind));
        Some(at + between.count())
    }

    /// Returns whether a line of it has more words than a label.
    fn is_prose(&self) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|line| line.words.len() > MAX_LABEL_WORDS)
    }

    /// Returns whether it stands below another one in its column, as the text below a heading does.
    fn is_close_below(&self, other: &Self) -> bool {
        let gap = self.top - other.bottom;
        self.is_over(other) && (0.0..NEAR_TEXT * self.size).contains(&gap)
    }

    /// Returns whether it stands beside another one that is read after it.
    fn is_before(&self, other: &Self) -> bool {
        let is_beside = if self.is_back {
            other.column.1 <= self.column.0
        } else {
            self.column.1 <= other.column.0
        };
        self.turn == other.turn && is_beside
    }

    /// Returns whether it stands in the column of another one.
    fn is_over(&self, other: &Self) -> bool {
        let ((left, right), (from, to)) = (self.column, other.column);
        let over = right.min(to) - left.max(from);
        self.turn == other.turn && over > OVER * self.size.min(other.size)
    }

    /// Returns whether another one stands below it, in whatever column.
    fn is_above(&self, other: &Self) -> bool {
        self.turn == other.turn && self.bottom <= other.top + INTO * self.size.min(other.size)
    }
}

/// Returns whether a line may be a label: it is short, and ends with a colon.
fn is_label(line: &Line) -> bool {
    let ends = |text: &str| text.ends_with([':', '：']);
    line.words.len() <= MAX_LABEL_WORDS && line.words.last().is_some_and(|last| ends(&last.text))
}

/// Returns whether a value stands on the baseline of something else, behind it and not far from it.
fn is_level_behind(value: &Line, before: &Line) -> bool {
    let size = value.size.max(before.size);
    let gap = value.left() - before.right();
    value.turn == before.turn
        && (value.y - before.y).abs() <= LEVEL * size
        && (0.0..NEAR_LABEL * size).contains(&gap)
}
