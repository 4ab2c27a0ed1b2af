//! Underscores that are drawn as lines between letters: TeX does so with fonts that have none.

use std::ops::RangeInclusive;

use super::drawn::{Drawn, Letter, Rule};

/// How wide such a line is, how far it is from the letters on both sides of it, and how far it is below their baseline, in
/// multiples of the type size.
const WIDTH: RangeInclusive<f64> = 0.22..=0.42;
const BESIDE: RangeInclusive<f64> = -0.05..=0.2;
const BELOW: RangeInclusive<f64> = -0.05..=0.25;

/// How much the baselines of both letters may differ, in multiples of the type size, and their directions, in radians.
const SAME_LINE: f64 = 0.05;
const SAME_ANGLE: f64 = 0.01;

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
    let near = rules[from..].iter();
    let mut near = near.take_while(|rule| rule.start.y <= baseline + BELOW.end() * size);
    let is_between = |rule: &&Rule| {
        let (left, right) = (rule.start.x.min(rule.end.x), rule.start.x.max(rule.end.x));
        WIDTH.contains(&((right - left) / size))
            && BESIDE.contains(&((left - before.end.x) / size))
            && BESIDE.contains(&((next.start.x - right) / size))
    };
    near.any(is_between).then(|| Letter {
        text: "_".into(),
        start: before.end,
        end: next.start,
        tracking: 0.0,
        ..before.clone()
    })
}

#[cfg(test)]
mod tests {
    use kurbo::Point;

    use super::*;

    /// Returns the letters of two words, of type of ten points, with a line between them from one place to another.
    fn read(from: (f64, f64), to: (f64, f64)) -> String {
        let letter = |text: &str, start: f64, end: f64| {
            Letter::plain(text, Point::new(start, 100.0), Point::new(end, 100.0), 10.0)
        };
        let mut drawn = Drawn::new((600.0, 800.0));
        drawn.letters = vec![letter("set", 10.0, 25.0), letter("trigger", 29.2, 60.0)];
        drawn.of_page = 2;
        drawn.rules.push(Rule {
            start: from.into(),
            end: to.into(),
            is_shade: false,
        });
        add(&mut drawn);
        assert_eq!(drawn.of_page, drawn.letters.len());
        drawn.letters.iter().map(|letter| &*letter.text).collect()
    }

    #[test]
    fn a_short_line_between_letters_is_an_underscore() {
        assert_eq!(read((25.6, 100.5), (28.6, 100.5)), "set_trigger");
        assert_eq!(read((25.6, 97.5), (28.6, 97.5)), "settrigger", "a minus");
        assert_eq!(
            read((10.0, 100.5), (28.6, 100.5)),
            "settrigger",
            "a long one"
        );
        assert_eq!(read((25.6, 112.0), (28.6, 112.0)), "settrigger", "below");
    }
}
