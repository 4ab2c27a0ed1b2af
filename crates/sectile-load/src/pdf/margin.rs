//! Numbers of lines in the margin, which some writers draw behind their lines.

use super::line_numbers::{is_left_of, is_number};
use super::lines::Line;

/// How many lines of a page have their numbers in the margin at least.
const MIN_NUMBERED: usize = 3;

/// Moves the numbers that stand left of the lines that are drawn before them before these.
pub(super) fn numbers_first(lines: &mut [Line]) {
    let is_behind = |pair: &[Line]| is_number_of(&pair[1], &pair[0]);
    let behind: Vec<usize> = (1..lines.len())
        .filter(|at| is_behind(&lines[at - 1..=*at]))
        .collect();
    if behind.len() >= MIN_NUMBERED {
        for at in behind {
            lines.swap(at - 1, at);
        }
    }
}

/// Returns whether a line is a number left of another.
fn is_number_of(number: &Line, line: &Line) -> bool {
    matches!(&*number.words, [word] if is_number(&word.text)) && is_left_of(number, line)
}
