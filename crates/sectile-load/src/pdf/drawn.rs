//! What is drawn on a page: its letters with their places, its straight lines and its pictures.

use std::rc::Rc;

use kurbo::{Point, Rect};

use super::tags::Role;
use crate::superscript::Rise;

/// How much of a page that was scanned is a picture at least, and how many letters it has at most: those that a program
/// for scans adds, a stamp, or a number.
const SCANNED: f64 = 0.75;
const MAX_SCANNED_LETTERS: usize = 100;

/// How many cells a side of the page has in the grid on which the places of pictures are noted.
const GRID: usize = 16;

/// How many letters that are not seen a page has at least whose text was recognized.
const MIN_RECOGNIZED_LETTERS: usize = 10;

/// What is drawn on a page. Places are in points from its upper left corner, as it is looked at.
#[derive(Default)]
pub(super) struct Drawn {
    pub(super) letters: Vec<Letter>,
    /// How many of the letters belong to the page itself; those of forms and notes follow.
    pub(super) of_page: usize,
    /// Lines along the sides of the page.
    pub(super) rules: Vec<Rule>,
    /// Small filled shapes, as bullets are drawn.
    pub(super) dots: Vec<Rect>,
    /// Small circles that are not filled, as the bullets of lists in lists are drawn.
    pub(super) circles: Vec<Rect>,
    /// The width and height of the page.
    pub(super) size: (f64, f64),
    /// Whether there are pictures, filled shapes, or other drawings than lines along the sides of the page.
    pub(super) has_pictures: bool,
    /// The rows of a grid over the page: a bit for each cell with its middle in a picture.
    pub(super) pictures: [u16; GRID],
    /// How many letters are not seen, without blanks.
    pub(super) unseen: usize,
    /// How many codes stand for no known letter.
    pub(super) unknown: usize,
    /// How many comments are not written.
    pub(super) comments: usize,
    /// How many letters and drawings are not read, being more, or nested deeper, than a page may have them.
    pub(super) dropped: usize,
    /// Whether the content of the page cannot be found or decoded.
    pub(super) is_damaged: bool,
    /// Whether there is damage in the content, so that parts of it may be missing.
    pub(super) has_damage: bool,
}

impl Drawn {
    pub(super) fn new(size: (f64, f64)) -> Self {
        Self {
            size,
            ..Self::default()
        }
    }

    /// Notes a picture, as far as it is seen.
    pub(super) fn add_picture(&mut self, area: Rect) {
        self.has_pictures = true;
        let (width, height) = self.size;
        let middle = |cell: usize, side: f64| (cell as f64 + 0.5) * side / GRID as f64;
        let is_within = |column: &usize| (area.x0..area.x1).contains(&middle(*column, width));
        let columns = (0..GRID).filter(is_within);
        let columns = columns.fold(0_u16, |cells, column| cells | (1 << column));
        for (row, cells) in self.pictures.iter_mut().enumerate() {
            if (area.y0..area.y1).contains(&middle(row, height)) {
                *cells |= columns;
            }
        }
    }

    /// Returns whether the page is mostly a picture, with few letters of its own, and nobody has recognized those of
    /// the picture.
    pub(super) fn is_scan(&self) -> bool {
        let letters = self.letters.iter();
        let count: usize = letters
            .map(|letter| letter.text.trim().chars().count())
            .sum();
        let is_recognized = self.unseen >= MIN_RECOGNIZED_LETTERS;
        let pictured: u32 = self.pictures.iter().map(|cells| cells.count_ones()).sum();
        let is_picture = f64::from(pictured) > SCANNED * (GRID * GRID) as f64;
        is_picture && count < MAX_SCANNED_LETTERS && !is_recognized
    }
}

/// A letter, or several that one glyph stands for.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    /// Empty if the character of the glyph is unknown; the glyph still takes its room.
    pub(super) text: Rc<str>,
    /// Where it begins on its baseline, and where the next would.
    pub(super) start: Point,
    pub(super) end: Point,
    /// The type size as it is seen.
    pub(super) size: f64,
    /// The direction of the baseline, in radians, clockwise from left to right.
    pub(super) angle: f64,
    pub(super) is_bold: bool,
    pub(super) is_monospace: bool,
    /// Whether it is written from top to bottom, as Japanese can be.
    pub(super) is_vertical: bool,
    /// The character spacing before it, in points, where nothing else sets it apart from the letter before.
    pub(super) tracking: f64,
    /// Where it stands beside its line, where the file is tagged.
    pub(super) rise: Rise,
    /// What it is part of, where the file is tagged.
    pub(super) role: Option<Role>,
}

impl Letter {
    /// Makes a letter of a line from left to right, in upright type, that no font says anything of.
    pub(super) fn plain(text: impl Into<Rc<str>>, start: Point, end: Point, size: f64) -> Self {
        Self {
            text: text.into(),
            start,
            end,
            size,
            angle: 0.0,
            is_bold: false,
            is_monospace: false,
            is_vertical: false,
            tracking: 0.0,
            rise: Rise::None,
            role: None,
        }
    }
}

/// A line across or down the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    pub(super) start: Point,
    pub(super) end: Point,
    /// Whether it is only the edge of a filled area.
    pub(super) is_shade: bool,
}
