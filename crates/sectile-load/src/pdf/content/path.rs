//! Paths, as far as they are lines.

use kurbo::{Point, Rect};

/// A path, in parts.
#[derive(Default)]
pub(super) struct Path(Vec<Part>);

/// A part of a path without a gap.
#[derive(Default)]
pub(super) struct Part {
    pub(super) points: Vec<Point>,
    pub(super) is_curved: bool,
}

impl Path {
    pub(super) fn move_to(&mut self, point: Point) {
        self.0.push(Part {
            points: vec![point],
            is_curved: false,
        });
    }

    pub(super) fn line_to(&mut self, point: Point) {
        if let Some(part) = self.0.last_mut() {
            part.points.push(point);
        }
    }

    pub(super) fn curve_to(&mut self, point: Point) {
        if let Some(part) = self.0.last_mut() {
            part.points.push(point);
            part.is_curved = true;
        }
    }

    pub(super) fn close(&mut self) {
        if let Some(part) = self.0.last_mut()
            && let Some(&first) = part.points.first()
            && part.points.last() != Some(&first)
        {
            part.points.push(first);
        }
    }

    pub(super) fn rectangle(&mut self, corners: [Point; 4]) {
        let [first, ..] = corners;
        let points = corners.into_iter().chain([first]).collect();
        self.0.push(Part {
            points,
            is_curved: false,
        });
    }

    pub(super) fn take(&mut self) -> Vec<Part> {
        std::mem::take(&mut self.0)
    }
}

impl Part {
    pub(super) fn bounds(&self) -> Option<Rect> {
        let (&first, rest) = self.points.split_first()?;
        let start = Rect::from_points(first, first);
        Some(rest.iter().fold(start, |area, point| area.union_pt(*point)))
    }

    /// Returns whether all its lines run along the sides of the page.
    pub(super) fn is_along_sides(&self) -> bool {
        let mut pairs = self.points.windows(2);
        !self.is_curved && pairs.all(|pair| is_straight(pair[0], pair[1]))
    }

    /// Returns whether each corner is one of the bounds'.
    pub(super) fn is_rectangle(&self) -> bool {
        let Some(area) = self.bounds() else {
            return false;
        };
        let near =
            |at: f64, one: f64, other: f64| (at - one).abs() < 0.5 || (at - other).abs() < 0.5;
        self.points
            .iter()
            .all(|point| near(point.x, area.x0, area.x1) && near(point.y, area.y0, area.y1))
    }
}

/// Returns whether a line runs along a side of the page.
pub(super) fn is_straight(start: Point, end: Point) -> bool {
    const STRAIGHT: f64 = 0.5;
    (start.x - end.x).abs().min((start.y - end.y).abs()) <= STRAIGHT
}
