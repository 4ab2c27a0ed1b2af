//! Accents that are drawn as letters of their own over or below the letter that they belong to, as TeX does with fonts that
//! have no accented letters, and some publishers do.

use kurbo::Point;
use unicode_normalization::char::compose;

use super::drawn::{Drawn, Letter};

/// How far the baselines of an accent and its letter may be apart, in multiples of the type size: over capitals accents are
/// raised.
const SAME_LINE: f64 = 0.35;

/// How much their type sizes may differ.
const SAME_SIZE: f64 = 1.3;

/// How far the middle of an accent may be from that of its letter, as a part of the letter's width.
const ASIDE: f64 = 0.45;

/// Puts accents and the letters that they are drawn at together. An accent that stands by itself, or over what has no such
/// accent, stays.
pub(super) fn compose_all(drawn: &mut Drawn) {
    if !drawn.letters.iter().any(|letter| accent(letter).is_some()) {
        return;
    }
    let letters = &mut drawn.letters;
    let mut is_taken = vec![false; letters.len()];
    for at in 0..letters.len() {
        let Some(mark) = accent(&letters[at]) else {
            continue;
        };
        let beside = [at.checked_add(1), at.checked_sub(1)];
        let mut beside = beside
            .into_iter()
            .flatten()
            .filter(|base| *base < letters.len());
        let found = beside.find_map(|base| {
            let is_below = is_at(&letters[at], &letters[base]) && !is_taken[base];
            Some((
                base,
                composed(&letters[base].text, mark).filter(|_| is_below)?,
            ))
        });
        if let Some((base, text)) = found {
            letters[base].text = text.to_string().into();
            is_taken[at] = true;
        }
    }
    let before_notes = &is_taken[..drawn.of_page];
    drawn.of_page -= before_notes.iter().filter(|taken| **taken).count();
    let mut taken = is_taken.into_iter();
    letters.retain(|_| !taken.next().unwrap_or_default());
}

/// Returns the combining mark of a letter that is an accent and nothing else.
fn accent(letter: &Letter) -> Option<char> {
    let mut text = letter.text.chars();
    let mark = match text.next()? {
        '`' | '\u{2cb}' => '\u{300}',
        '´' | '\u{2ca}' => '\u{301}',
        '^' | 'ˆ' => '\u{302}',
        '~' | '˜' => '\u{303}',
        '¯' | 'ˉ' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' | '°' => '\u{30a}',
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        mark @ '\u{300}'..='\u{331}' => mark,
        _ => return None,
    };
    text.next().is_none().then_some(mark)
}

/// Returns a letter with an accent; nothing where there is no such letter.
fn composed(base: &str, mark: char) -> Option<char> {
    let mut letters = base.chars();
    // The letters without dots are there for the sake of accents.
    let base = match letters.next()? {
        'ı' => 'i',
        'ȷ' => 'j',
        base => base,
    };
    letters
        .next()
        .is_none()
        .then(|| compose(base, mark))
        .flatten()
}

/// Returns whether an accent is drawn at a letter.
fn is_at(accent: &Letter, base: &Letter) -> bool {
    let (sin, cos) = base.angle.sin_cos();
    let along = |point: Point| point.x * cos + point.y * sin;
    let across = |point: Point| point.y * cos - point.x * sin;
    let size = accent.size.max(base.size);
    let (start, end) = (along(base.start), along(base.end));
    let middle = f64::midpoint(along(accent.start), along(accent.end));
    let aside = (middle - f64::midpoint(start, end)).abs();
    (accent.angle - base.angle).abs() < 1e-3
        && size < SAME_SIZE * accent.size.min(base.size)
        && (across(accent.start) - across(base.start)).abs() < SAME_LINE * size
        && aside < ASIDE * (end - start).abs()
}
