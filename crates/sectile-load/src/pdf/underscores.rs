//! Underscores that are drawn as lines between letters: TeX does so with fonts that have none.

use std::ops::RangeInclusive;

use super::drawn::{Drawn, Letter, Rule};

/// How wide such a line is, how far it is from the letters on both sides of it, and how far it is below their baseline, in
/// multiples of the type size.
const WIDTH: RangeInclusive<f64> = 0.22..=0.42;
const BESIDE: RangeInclusive<f64> = -0.05..=0.2;
const BELOW: RangeInclusive<f64> = -0.05..=0.25;

/// How much the baselines of both letters may differ, or pieces of a line below them, in multiples of the type size, and their
/// directions, in radians.
const SAME_LINE: f64 = 0.05;
const SAME_ANGLE: f64 = 0.01;

/// How far a line goes below a letter at least that underlines it, in multiples of the type size.
const UNDER: f64 = 0.1;

/// How many lines are looked at for two letters.
const MAX_NEAR: usize = 500;

/// Puts underscores between letters that are drawn one after the other, where a short line stands between them.
pub(super) fn add(drawn: &mut Drawn) {
    let is_across = |rule: &&Rule| !rule.is_shade && (rule.start.y - rule.end.y).abs() < 0.1;
    let mut rules: Vec<&Rule> = drawn.rules.iter().filter(is_across).collect();
    rules.sort_by(|one, other| one.start.y.total_cmp(&other.start.y));
    let pairs = drawn.letters.windows(2).enumerate();
    let between = pairs.filter_map(|(at, pair)| Some((at, between(&pair[0], &pair[1], &rules)?)));
    let mut found = between
        .collect::<Vec<(usize, Letter)>>()
        .into_iter()
        .peekable();
    if found.peek().is_none() {
        return;
    }
    let mut letters = Vec::with_capacity(drawn.letters.len() + found.len());
    let mut of_page = drawn.of_page;
    for (at, letter) in std::mem::take(&mut drawn.letters).into_iter().enumerate() {
        letters.push(letter);
        if let Some((_, underscore)) = found.next_if(|(after, _)| *after == at) {
            letters.push(underscore);
            of_page += usize::from(at < drawn.of_page);
        }
    }
    drawn.letters = letters;
    drawn.of_page = of_page;
}

/// Returns the underscore between two letters, if one of some lines, which are in order from the top, stands between them.
fn between(before: &Letter, next: &Letter, rules: &[&Rule]) -> Option<Letter> {
    let size = before.size;
    let is_level = before.angle.abs() < SAME_ANGLE
        && next.angle.abs() < SAME_ANGLE
        && !before.is_vertical
        && !next.is_vertical
        && (before.end.y - next.start.y).abs() < SAME_LINE * size;
    let gap = (next.start.x - before.end.x) / size;
    let is_in_word = before.text.ends_with(char::is_alphanumeric)
        && next.text.starts_with(char::is_alphanumeric);
    if !is_level || !is_in_word || !(*WIDTH.start()..=1.0).contains(&gap) {
        return None;
    }
    let baseline = before.end.y;
    let from = rules.partition_point(|rule| rule.start.y < baseline + BELOW.start() * size);
    let near = rules[from..].iter().copied().take(MAX_NEAR);
    let mut near = near.take_while(|rule| rule.start.y <= baseline + BELOW.end() * size);
    let mut others = near.clone();
    let found = near.find(|rule| {
        let (left, right) = ends(rule);
        WIDTH.contains(&((right - left) / size))
            && BESIDE.contains(&((left - before.end.x) / size))
            && BESIDE.contains(&((next.start.x - right) / size))
    })?;
    // Some writers underline word by word, and the spaces between them.
    let is_piece = |rule: &Rule| {
        let (left, right) = ends(rule);
        let is_under = |letter: &Letter| {
            right.min(letter.end.x) - left.max(letter.start.x) > UNDER * letter.size
        };
        (rule.start.y - found.start.y).abs() < SAME_LINE * size
            && (is_under(before) || is_under(next))
    };
    let is_underline = others.any(is_piece);
    (!is_underline).then(|| Letter {
        text: "_".into(),
        start: before.end,
        end: next.start,
        tracking: 0.0,
        ..before.clone()
    })
}

/// Returns where a line begins and ends, from the left.
fn ends(rule: &Rule) -> (f64, f64) {
    let (start, end) = (rule.start.x, rule.end.x);
    (start.min(end), start.max(end))
}

#[cfg(test)]
mod tests {
    use kurbo::Point;

    use super::*;

    /// Returns the letters of two words, of type of ten points, with lines between them or below, each from one place to
    /// another.
    fn read(lines: &[[(f64, f64); 2]]) -> String {
        let letter = |text: &str, start: f64, end: f64| {
            Letter::plain(text, Point::new(start, 100.0), Point::new(end, 100.0), 10.0)
        };
        let mut drawn = Drawn::new((600.0, 800.0));
        drawn.letters = vec![letter("set", 10.0, 25.0), letter("trigger", 29.2, 60.0)];
        drawn.of_page = 2;
        drawn.rules.extend(lines.iter().map(|[start, end]| Rule {
            start: (*start).into(),
            end: (*end).into(),
            is_shade: false,
        }));
        add(&mut drawn);
        assert_eq!(drawn.of_page, drawn.letters.len());
        drawn.letters.iter().map(|letter| &*letter.text).collect()
    }

    #[test]
    fn a_short_line_between_letters_is_an_underscore() {
        let between = |y: f64| [(25.6, y), (28.6, y)];
        assert_eq!(read(&[between(100.5)]), "set_trigger");
        assert_eq!(read(&[between(97.5)]), "settrigger", "a minus");
        let long = [(10.0, 100.5), (28.6, 100.5)];
        assert_eq!(read(&[long]), "settrigger", "a long one");
        assert_eq!(read(&[between(112.0)]), "settrigger", "below");
        let link = [(10.0, 102.0), (60.0, 102.0)];
        assert_eq!(read(&[between(100.5), link]), "set_trigger", "a link");
    }

    #[test]
    fn pieces_of_an_underline_are_no_underscores() {
        let pieces = [[10.0, 25.2], [25.2, 29.0], [29.0, 60.0]];
        let pieces = pieces.map(|[start, end]| [(start, 101.2), (end, 101.2)]);
        assert_eq!(read(&pieces[1..2]), "set_trigger");
        assert_eq!(read(&pieces), "settrigger");
    }
}
