//! The lines, shapes and pictures that are painted.

use kurbo::{Point, Rect};

use super::super::drawn::Rule;
use super::super::paint::Paint;
use super::path::{Part, is_straight};
use super::{Pen, State};

/// How many lines of a page are kept.
const MAX_RULES: usize = 50_000;

/// How thick a filled rectangle may be that is a line, in points.
const THICKEST_LINE: f64 = 2.5;

/// How large a filled shape may be that is a bullet, in points.
const LARGEST_DOT: f64 = 9.0;

/// How many of the shapes that were filled last are looked at for lines on them.
const MAX_SHADES: usize = 256;

impl<'a> Pen<'a> {
    /// Notes a picture, which fills the square between 0 and 1 of its own space, unless it is clear.
    pub(super) fn picture(&mut self, state: &State<'a>) {
        if state.fill.is_clear() {
            return;
        }
        let square = Rect::new(0.0, 0.0, 1.0, 1.0);
        let area = state.matrix.transform_rect_bbox(square);
        self.drawn.add_picture(area.intersect(state.clip));
    }

    /// Notes the lines of a path that are drawn along the sides of the page; with others it is a drawing.
    pub(super) fn stroke(&mut self, parts: &[Part], state: &State<'a>) {
        for part in parts.iter().filter(|part| is_within(part, state.clip)) {
            let is_seen = !state.stroke.is_white();
            self.drawn.has_pictures |= is_seen && !part.is_along_sides();
            if is_seen && part.is_curved {
                self.circle(part);
            }
            for pair in part.points.windows(2) {
                self.rule(drawn(pair[0], pair[1]), state.stroke);
            }
        }
    }

    /// Notes a small circle, as the bullets of lists in lists are drawn.
    fn circle(&mut self, part: &Part) {
        let Some(area) = part.bounds() else {
            return;
        };
        let is_round = (area.width() - area.height()).abs() < THICKEST_LINE / 2.0;
        let is_small = (THICKEST_LINE..LARGEST_DOT).contains(&area.width());
        if is_round && is_small && self.drawn.circles.len() < MAX_RULES {
            self.drawn.circles.push(area);
        }
    }

    /// Notes the lines that thin filled shapes are, the edges of large ones, and bullets.
    pub(super) fn fill(&mut self, parts: &[Part], state: &State<'a>) {
        for part in parts.iter().filter(|part| is_within(part, state.clip)) {
            // What is white is paper.
            self.drawn.has_pictures |= !state.fill.is_white();
            let Some(area) = part.bounds() else {
                continue;
            };
            let (width, height) = (area.width(), area.height());
            if width <= THICKEST_LINE && height > 2.0 * width {
                let x = area.center().x;
                let line = drawn(Point::new(x, area.y0), Point::new(x, area.y1));
                self.rule(line, state.fill);
            } else if height <= THICKEST_LINE && width > 2.0 * height {
                let y = area.center().y;
                let line = drawn(Point::new(area.x0, y), Point::new(area.x1, y));
                self.rule(line, state.fill);
            } else if state.fill.is_white() {
                // It is paper.
            } else if width.max(height) <= LARGEST_DOT {
                if self.drawn.dots.len() < MAX_RULES {
                    self.drawn.dots.push(area);
                }
            } else if !part.is_curved && part.is_rectangle() {
                let corners = [
                    (area.x0, area.y0),
                    (area.x1, area.y0),
                    (area.x1, area.y1),
                    (area.x0, area.y1),
                    (area.x0, area.y0),
                ];
                for pair in corners.windows(2) {
                    let edge = Rule {
                        is_shade: true,
                        ..drawn(pair[0].into(), pair[1].into())
                    };
                    self.rule(edge, state.fill);
                }
                self.shades.truncate(MAX_SHADES - 1);
                self.shades.push_front(area);
            }
        }
    }

    /// Notes a line along the sides of the page, unless it is white on paper.
    fn rule(&mut self, rule: Rule, paint: Paint) {
        let Rule { start, end, .. } = rule;
        let is_along = is_straight(start, end) && start.distance(end) > THICKEST_LINE;
        let middle = start.midpoint(end);
        let is_seen =
            || !paint.is_white() || self.shades.iter().any(|shade| shade.contains(middle));
        if is_along && self.drawn.rules.len() < MAX_RULES && is_seen() {
            self.drawn.rules.push(rule);
        }
    }
}

/// Returns whether some of a part may be seen, as it is not all outside of the bounds of what is.
fn is_within(part: &Part, clip: Rect) -> bool {
    part.bounds().is_some_and(|area| {
        let (width, height) = (
            area.x1.min(clip.x1) - area.x0.max(clip.x0),
            area.y1.min(clip.y1) - area.y0.max(clip.y0),
        );
        width > -THICKEST_LINE && height > -THICKEST_LINE
    })
}

/// Makes a line that is drawn as one.
fn drawn(start: Point, end: Point) -> Rule {
    Rule {
        start,
        end,
        is_shade: false,
    }
}
