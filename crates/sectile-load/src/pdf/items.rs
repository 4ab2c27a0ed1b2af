//! How deep items of lists stand in each other.

use super::line_groups::SAME_SIZE;
use super::lines::Line;

/// How far behind the text of an item that of one in it begins at least, in multiples of the type size: numbers of items
/// that are longer put their texts less far. How far it does at most, where the line ends before.
const DEEPER: f64 = 0.9;
const FARTHEST: f64 = 5.0;

/// How far below a line the next one of a list stands, and how far apart what stands at one place is, in multiples of the
/// type size.
const BELOW: f64 = 6.0;
const BESIDE: f64 = 0.3;

/// How deep items are at most.
const MAX_DEPTH: usize = 9;

/// The items that are open, the outermost first.
#[derive(Debug, Default)]
pub(super) struct Items {
    open: Vec<Item>,
    /// The baseline of the last line, and its direction.
    last: Option<(f64, i32)>,
}

#[derive(Debug)]
struct Item {
    start: f64,
    end: f64,
    y: f64,
    size: f64,
    is_bold: bool,
    /// How many letters stand before its text.
    indent: usize,
}

impl Items {
    /// Ends all items, as what is written without indentation does: in Markdown, an item far from the margin would be code
    /// behind it.
    pub(super) fn end(&mut self) {
        self.open.clear();
    }

    /// Returns how many letters a line is indented by that begins an item, of which the mark has so many letters, and
    /// opens it. The item stands in those whose texts begin before its own.
    pub(super) fn indent(&mut self, line: &Line, mark: usize, start: f64) -> usize {
        let is_alike = |item: &Item| {
            let ratio = item.size / line.size;
            (1.0 / SAME_SIZE..SAME_SIZE).contains(&ratio) && (line.is_bold || !item.is_bold)
        };
        let is_around = |item: &Item| {
            is_alike(item) && line.y - item.y > BESIDE * line.size && start < item.end
        };
        if !self.open.last().is_some_and(is_around) {
            self.open.clear();
        }
        let deeper = start - DEEPER * line.size;
        self.open.retain(|item| item.start <= deeper);
        let indent = self.open.last().map_or(0, |item| item.indent);
        if self.open.len() < MAX_DEPTH {
            self.open.push(Item {
                start,
                end: line.end().max(start + FARTHEST * line.size),
                y: line.y,
                size: line.size,
                is_bold: line.is_bold,
                indent: indent + mark + 1,
            });
        }
        indent
    }

    /// Notes a line; one that does not stand below the last ends all items.
    pub(super) fn follow(&mut self, line: &Line) {
        let is_below = self.last.is_some_and(|(y, turn)| {
            let down = (line.y - y) / line.size.max(1.0);
            turn == line.turn && (-BESIDE..BELOW).contains(&down)
        });
        if !is_below {
            self.open.clear();
        }
        self.last = Some((line.y, line.turn));
    }
}
