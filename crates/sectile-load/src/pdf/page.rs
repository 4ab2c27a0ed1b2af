//! A page, as blocks.

/// The blocks of one page in reading order.
#[expect(clippy::struct_excessive_bools, reason = "each is so of a page or not")]
#[derive(Debug, Default)]
pub(super) struct PageBlocks {
    /// The number of the page, from 1.
    pub(super) number: u32,
    pub(super) blocks: Vec<TextBlock>,
    /// Where the leftmost of its upright lines begins.
    pub(super) left: Option<f64>,
    /// Whether the page could not be read.
    pub(super) is_failed: bool,
    /// Whether there are images or shapes on the page, which a reader sees.
    pub(super) is_drawn: bool,
    /// Whether it is mostly a picture, as scanned pages are, with little text of its own.
    pub(super) is_scan: bool,
    /// The number of drawn letters whose characters are unknown.
    pub(super) unknown: usize,
    /// How many comments are left out.
    pub(super) comments: usize,
    /// Whether there is more on it than is read.
    pub(super) is_cut_off: bool,
    /// Whether its content is damaged, so that parts of it may be missing.
    pub(super) has_damage: bool,
    /// Whether its text was recognized on a picture.
    pub(super) is_recognized: bool,
}

/// A paragraph, heading, list, or piece of code.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextBlock {
    pub(super) text: String,
    /// The level of the heading that its type makes it look like.
    pub(super) level: Option<u8>,
    pub(super) kind: Kind,
    pub(super) style: Style,
    /// How many lines it has on the page.
    pub(super) lines: usize,
    /// How far down the page it begins, as a part of the height of the page.
    pub(super) height: f64,
    /// Where its first line stands and its last one, in points from the top of the page, if all stand upright.
    pub(super) extent: Option<(f64, f64)>,
    /// The margin of code that stands upright.
    pub(super) margin: Option<Margin>,
    /// Whether it is a table whose head stands on a page before, and not on this one.
    pub(super) has_lent_head: bool,
    /// Whether it goes on the last block of the page before, as the rows of a table do, and code.
    pub(super) is_continued: bool,
}

/// Where lines of code begin that are not indented, from the left of the page, and how wide a letter is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Margin {
    pub(super) left: f64,
    pub(super) letter: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Prose,
    List,
    Code,
    Table,
}

/// How type is set; the larger comes after the smaller, and bold type after other type of its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Style {
    /// The size in quarters of a point.
    quarters: i64,
    pub(super) is_bold: bool,
}

impl Style {
    pub(super) fn new(size: f64, is_bold: bool) -> Self {
        Self {
            quarters: (size * 4.0).round().max(1.0) as i64,
            is_bold,
        }
    }

    /// Returns the size in points.
    pub(super) fn size(self) -> f64 {
        self.quarters as f64 / 4.0
    }
}

/// Returns how far down a page something is, as lines of this direction see the page, as a part of its height.
pub(super) fn height(y: f64, turn: i32, page: (f64, f64)) -> f64 {
    let (across, down) = page;
    let of = if turn % 180 == 0 { down } else { across };
    (y / of.max(1.0)).abs()
}
