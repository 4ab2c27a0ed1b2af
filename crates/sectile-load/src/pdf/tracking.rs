//! The character spacing of texts (ISO 32000-2, 9.3.2): which letters nothing else sets apart.

use kurbo::{Point, Vec2};

/// How far kerning moves a letter from where the character spacing puts it, in multiples of the type size: less than the
/// narrowest gap between words.
const KERNING: f64 = 0.1;

/// How much the character spacing of letters may differ that is the same, in multiples of the type size.
const SAME: f64 = 0.01;

/// The widest character spacing within words, in multiples of the type size: what is wider parts columns.
const WIDEST: f64 = 1.0;

/// What is behind the letter that was drawn last.
#[derive(Clone, Copy, Default)]
pub(super) struct Tracking {
    /// Where its character spacing ends.
    next: Point,
    space: Vec2,
}

impl Tracking {
    /// Returns the character spacing before a letter where that alone sets it apart from the one drawn last, and notes
    /// the spacing behind it.
    pub(super) fn before(&mut self, start: Point, end: Point, space: Vec2, size: f64) -> f64 {
        let is_next = self.next.distance(start) < KERNING * size;
        let is_same = (self.space - space).hypot() < SAME * size;
        *self = Self {
            next: end + space,
            space,
        };
        let width = space.hypot();
        if is_next && is_same && width < WIDEST * size {
            width
        } else {
            0.0
        }
    }
}
