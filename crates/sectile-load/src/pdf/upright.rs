//! Vertical text whose letters are placed one by one in a font for horizontal text, as browsers draw it.

use std::f64::consts::FRAC_PI_2;
use std::ops::Range;

use kurbo::Point;

use super::drawn::Letter;
use super::line_groups::SAME_SIZE;
use super::spacing::is_full_width;

/// How far the middles of letters that stand below each other may be apart, how much room there is between them at
/// most, how much they may overlap, and how far the next begins below the last, in multiples of the type size.
const SAME_COLUMN: f64 = 0.3;
const WIDEST_GAP: f64 = 0.3;
const OVERLAP: f64 = 0.6;
const DOWN: f64 = 0.3;

/// How far above its baseline a letter begins, in multiples of the type size.
const ASCENT: f64 = 0.88;

/// How wide a letter is at least, in multiples of the type size.
const NARROWEST: f64 = 0.7;

/// How many letters make a column on a page where most stand in columns, and on any other page, where they may be
/// cells.
const SHORT: usize = 2;
const LONG: usize = 8;

/// Turns letters that stand upright below each other into letters of vertical text.
pub(super) fn turn(letters: &mut [Letter]) {
    let columns = columns(letters);
    let standing: usize = columns.iter().map(Range::len).sum();
    let all = letters.iter().filter(|of| place(of).is_some()).count();
    let least = if standing * 2 > all { SHORT } else { LONG };
    for column in columns.into_iter().filter(|column| column.len() >= least) {
        letters[column].iter_mut().for_each(turn_down);
    }
}

/// Finds the letters that stand below each other, each drawn after the one above it.
fn columns(letters: &[Letter]) -> Vec<Range<usize>> {
    let mut columns = Vec::new();
    let mut start = 0;
    for end in 1..=letters.len() {
        let goes_on = letters
            .get(end)
            .is_some_and(|next| stands_below(&letters[end - 1], next));
        if !goes_on {
            columns.push(start..end);
            start = end;
        }
    }
    columns.retain(|column| column.len() >= SHORT);
    columns
}

fn stands_below(last: &Letter, next: &Letter) -> bool {
    let Some((above, below)) = place(last).zip(place(next)) else {
        return false;
    };
    let size = last.size.max(next.size);
    size < last.size.min(next.size) * SAME_SIZE
        && (above.middle - below.middle).abs() < SAME_COLUMN * size
        && below.top > above.top + DOWN * size
        && (-OVERLAP * size..WIDEST_GAP * size).contains(&(below.top - above.bottom))
}

/// Where a letter of a column stands.
struct Place {
    middle: f64,
    top: f64,
    bottom: f64,
}

/// Returns where a letter stands, if it is full-width and upright.
fn place(letter: &Letter) -> Option<Place> {
    let Letter { start, end, .. } = *letter;
    if letter.text.is_empty() || !letter.text.chars().all(is_full_width) {
        return None;
    }
    if letter.is_vertical {
        return (end.y > start.y).then_some(Place {
            middle: start.x,
            top: start.y,
            bottom: end.y,
        });
    }
    let top = start.y - ASCENT * letter.size;
    let is_upright = letter.angle.abs() < 0.1 && end.x - start.x > NARROWEST * letter.size;
    is_upright.then(|| Place {
        middle: f64::midpoint(start.x, end.x),
        top,
        bottom: top + letter.size,
    })
}

fn turn_down(letter: &mut Letter) {
    let Some(place) = place(letter).filter(|_| !letter.is_vertical) else {
        return;
    };
    letter.start = Point::new(place.middle, place.top);
    letter.end = Point::new(place.middle, place.bottom);
    letter.angle = FRAC_PI_2;
    letter.is_vertical = true;
}
