//! Numbers of lines in the margin, which some writers draw behind their lines.

use super::lines::Line;

/// How many lines of a page have their numbers in the margin at least, and how many digits such a number has at most.
const MIN_NUMBERED: usize = 3;
const MAX_DIGITS: usize = 4;

/// How far apart baselines are at most that are the same, in multiples of the type size.
const SAME_LINE: f64 = 0.3;

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
    let [word] = &*number.words else {
        return false;
    };
    let is_number =
        word.text.len() <= MAX_DIGITS && word.text.bytes().all(|byte| byte.is_ascii_digit());
    is_number
        && number.turn == line.turn
        && !line.is_back()
        && (number.y - line.y).abs() < SAME_LINE * line.size
        && number.right() < line.left()
}
