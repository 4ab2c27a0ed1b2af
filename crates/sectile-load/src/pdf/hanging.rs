//! Signs that hang from a baseline of their own: TeX draws roots, large operators and large brackets down from where it
//! puts them, above the line that they are part of.

use std::ops::Range;

use kurbo::Vec2;

use super::drawn::Letter;

/// How far a sign is put above the baseline of its line, in multiples of the type size, and how far what stands on one
/// baseline may be from it.
const HEIGHT: Range<f64> = LEVEL..2.0;
const LEVEL: f64 = 0.3;

/// The gap between a sign and the letter beside it, and between letters that are near each other, in multiples of the type
/// size.
const BESIDE: Range<f64> = -0.2..0.6;
const NEAR: Range<f64> = -1.0..3.0;

/// How much smaller than the other a sign or the letter beside it may be.
const SMALLER: f64 = 0.85;

/// How much the directions of letters on one line differ at most, in radians.
const SAME_ANGLE: f64 = 0.01;

/// What stands right before that which it is the root of.
const ROOT: &str = "√";

/// Puts signs that hang on the baseline of the letters beside them.
pub(super) fn settle(letters: &mut [Letter]) {
    let seen = (0..letters.len()).filter(|at| !letters[*at].text.trim().is_empty());
    let seen: Vec<usize> = seen.collect();
    let is_sign = |at: &usize| is_sign(&letters[seen[*at]].text);
    let signs: Vec<usize> = (0..seen.len()).filter(is_sign).collect();
    // Signs stand beside each other: those that have a letter on their left are first.
    for &at in signs.iter().chain(signs.iter().rev()) {
        let all: &[Letter] = letters;
        let of = |at: usize| seen.get(at).map(|at| &all[*at]);
        let sign = &all[seen[at]];
        let before = at.checked_sub(1).and_then(of);
        let before = before.map_or(Beside::Nothing, |before| {
            Beside::of(sign, before, sign.start - before.end)
        });
        let after = of(at + 1).map_or(Beside::Nothing, |after| {
            Beside::of(sign, after, after.start - sign.end)
        });
        // A bracket alone on a line of code stands above the next line.
        let is_begun = !matches!(before, Beside::Nothing) || !is_bracket(&sign.text);
        let Some(down) = down(before, after).filter(|_| is_begun) else {
            continue;
        };
        let end = match (after, of(at + 1)) {
            (Beside::Below(_), Some(after)) if &*sign.text == ROOT => after.start,
            _ => sign.end + down,
        };
        let sign = &mut letters[seen[at]];
        sign.start += down;
        sign.end = end;
    }
}

/// What stands beside a sign.
#[derive(Clone, Copy)]
enum Beside {
    Nothing,
    /// A letter on its own baseline.
    Level,
    /// A letter on a baseline that is so far below.
    Below(Vec2),
}

impl Beside {
    /// Returns what another letter is beside a sign, which is so far from it.
    fn of(sign: &Letter, other: &Letter, gap: Vec2) -> Self {
        if sign.is_vertical || (sign.angle - other.angle).abs() > SAME_ANGLE {
            return Self::Nothing;
        }
        let along = Vec2::from_angle(sign.angle);
        let across = Vec2::new(-along.y, along.x);
        let gap = gap.dot(along) / sign.size;
        let down = (other.start - sign.start).dot(across) / sign.size;
        let is_as_large = sign.size.min(other.size) >= SMALLER * sign.size.max(other.size);
        if down.abs() < LEVEL && NEAR.contains(&gap) && !is_sign(&other.text) {
            Self::Level
        } else if HEIGHT.contains(&down) && BESIDE.contains(&gap) && is_as_large {
            Self::Below(across * (down * sign.size))
        } else {
            Self::Nothing
        }
    }
}

/// Returns how far down a sign belongs: not if a letter stands on its baseline, nor if those on both sides differ, as those
/// around a fraction do.
fn down(before: Beside, after: Beside) -> Option<Vec2> {
    match (before, after) {
        (Beside::Level, _) | (_, Beside::Level) | (Beside::Nothing, Beside::Nothing) => None,
        (Beside::Below(one), Beside::Below(other)) => {
            ((one - other).hypot() < LEVEL * one.hypot()).then_some(one)
        }
        (Beside::Below(down), Beside::Nothing) | (Beside::Nothing, Beside::Below(down)) => {
            Some(down)
        }
    }
}

/// Returns whether a text is a sign that may hang.
fn is_sign(text: &str) -> bool {
    let mut letters = text.chars();
    let is_operator =
        |letter: char| matches!(letter, '∏'..='∑' | '√' | '∫'..='∳' | '⋀'..='⋃' | '⨀'..='⨆');
    is_bracket(text) || letters.next().is_some_and(is_operator) && letters.next().is_none()
}

fn is_bracket(text: &str) -> bool {
    matches!(
        text,
        "(" | ")" | "[" | "]" | "{" | "}" | "|" | "∥" | "‖" | "⟨" | "⟩" | "⌈" | "⌉" | "⌊" | "⌋"
    )
}
