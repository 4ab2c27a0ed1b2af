//! Text on a curve, whose letters all have their own directions, as diagrams have it round circles.

use std::f64::consts::TAU;

use kurbo::Vec2;

use super::drawn::Letter;
use super::line_groups::SAME_SIZE;

/// How many letters are on a curve at least, and how much the direction of one and the next differ, in radians.
const MIN_LETTERS: usize = 4;
const LEAST_TURN: f64 = 0.01;
const MOST_TURN: f64 = 0.6;

/// How far from the end of a letter the next one begins at most, in multiples of the type size.
const NEAR: f64 = 0.6;

/// Puts the letters of text on a curve on a straight line, which has the direction of the one in the middle.
pub(super) fn straighten(letters: &mut [Letter]) {
    let Some(first) = letters.first().map(|letter| letter.angle) else {
        return;
    };
    if letters
        .iter()
        .all(|letter| (letter.angle - first).abs() < LEAST_TURN)
    {
        return;
    }
    for text in letters.chunk_by_mut(goes_on) {
        let pairs = text.windows(2);
        let turns = pairs
            .filter(|pair| turn(&pair[0], &pair[1]) > LEAST_TURN)
            .count();
        if text.len() >= MIN_LETTERS && turns + 1 >= MIN_LETTERS && turns * 2 >= text.len() {
            lay_out(text);
        }
    }
}

/// Returns whether a letter follows another one on a line or a curve.
fn goes_on(last: &Letter, next: &Letter) -> bool {
    let size = last.size.max(next.size);
    !last.is_vertical
        && !next.is_vertical
        && size < last.size.min(next.size) * SAME_SIZE
        && (next.start - last.end).hypot() < NEAR * size
        && turn(last, next) < MOST_TURN
}

/// Returns how much the directions of two letters differ.
fn turn(one: &Letter, other: &Letter) -> f64 {
    let difference = (other.angle - one.angle).rem_euclid(TAU);
    difference.min(TAU - difference)
}

fn lay_out(text: &mut [Letter]) {
    let middle = text.len() / 2;
    let angle = text[middle].angle;
    let direction = Vec2::from_angle(angle);
    let along = |letter: &Letter, way: Vec2| way.dot(Vec2::from_angle(letter.angle));
    // Where the letters begin and end on the line.
    let mut places = Vec::with_capacity(text.len());
    let mut end = 0.0;
    for (index, letter) in text.iter().enumerate() {
        let gap = index.checked_sub(1).map_or(0.0, |last| {
            along(&text[last], letter.start - text[last].end)
        });
        let start = end + gap;
        end = start + along(letter, letter.end - letter.start);
        places.push((start, end));
    }
    let origin = text[middle].start - direction * places[middle].0;
    for (letter, (start, end)) in text.iter_mut().zip(places) {
        letter.start = origin + direction * start;
        letter.end = origin + direction * end;
        letter.angle = angle;
    }
}

#[cfg(test)]
mod tests {
    use kurbo::Point;

    use super::*;

    /// Letters of 5 by 10 points, each turned by so many radians from the one before.
    fn letters(count: usize, by: f64) -> Vec<Letter> {
        let mut start = Point::new(100.0, 100.0);
        let letter = |number: usize| {
            let angle = by * number as f64;
            let end = start + Vec2::from_angle(angle) * 5.0;
            let letter = Letter {
                angle,
                ..Letter::plain("a", start, end, 10.0)
            };
            start = end;
            letter
        };
        (0..count).map(letter).collect()
    }

    #[test]
    fn letters_on_a_curve_are_put_on_a_line() {
        let mut curved = letters(7, 0.2);
        let middle = curved[3].clone();
        straighten(&mut curved);
        let is_straight = |letter: &Letter| (letter.angle - middle.angle).abs() < 1e-9;
        assert!(curved.iter().all(is_straight));
        assert!((curved[3].start - middle.start).hypot() < 1e-9);
        let ends = curved
            .windows(2)
            .map(|pair| (pair[1].start - pair[0].end).hypot());
        assert!(ends.fold(0.0, f64::max) < 1e-9);
        let length = (curved[6].end - curved[0].start).hypot();
        assert!((length - 35.0).abs() < 1e-9);
    }

    #[test]
    fn other_letters_stay() {
        for by in [0.0, 0.9] {
            let mut other = letters(7, by);
            let before: Vec<Point> = other.iter().map(|letter| letter.start).collect();
            straighten(&mut other);
            let after: Vec<Point> = other.iter().map(|letter| letter.start).collect();
            assert_eq!(before, after);
        }
    }
}
