//! Bullets and numbers of lists, which are drawn apart from their text or as shapes.

use kurbo::Rect;

use super::drawn::{Drawn, Rule};
use super::lines::{Line, Word};

/// How far a bullet stands before its text, in multiples of the type size.
const BULLET: f64 = 3.5;

/// What marks items of lists in Markdown.
const DASH: &str = "-";

/// Returns whether a text is nothing but a bullet.
pub(super) fn is_bullet(text: &str) -> bool {
    let mut letters = text.chars();
    let first = letters.next().is_some_and(|c| {
        matches!(
            c,
            '•' | '◦'
                | '▪'
                | '▫'
                | '■'
                | '□'
                | '●'
                | '○'
                | '‣'
                | '⁃'
                | '∙'
                | '·'
                | '➢'
                | '➤'
                | '►'
                | '❖'
                | '✓'
                | '✔'
                | '◆'
                | '\u{f0b7}'
                | '\u{f0a7}'
                | '\u{f0d8}'
                | '\u{f0fc}'
        )
    });
    first && letters.next().is_none()
}

/// Returns whether a bullet says something, so that it stays in the text behind the dash: a tick, an empty box, and
/// what is chosen among others.
fn says_something(bullet: &str, choices: &str) -> bool {
    matches!(bullet, "✓" | "✔" | "□") || choices.contains(bullet)
}

/// Returns the full boxes and circles of a page that are chosen among empty ones, and these: both stand at one place of
/// their lines, as those of lists in lists do not.
fn choices(lines: &[Line]) -> String {
    /// More of them are not a form.
    const MOST: usize = 200;
    const SAME_PLACE: f64 = 2.0;
    const SIGNS: [(&str, &[char]); 2] = [
        ("■", &['□', '☐', '❏', '❐', '❑', '❒']),
        ("●", &['○', '◯', '❍']),
    ];
    let places = |is_sign: &dyn Fn(&str) -> bool| -> Vec<(f64, f64)> {
        let words = lines
            .iter()
            .flat_map(|line| line.words.iter().map(|word| (line.y, word)));
        let signs = words.filter(|(_, word)| is_sign(&word.text));
        signs.map(|(y, word)| (word.left, y)).take(MOST).collect()
    };
    let mut choices = String::new();
    for (full, empty) in SIGNS {
        let empties = places(&|text| text.starts_with(empty));
        let is_beside = |(left, y): &(f64, f64)| {
            let mut empties = empties.iter();
            empties.any(|(other, height)| {
                (left - other).abs() < SAME_PLACE || (y - height).abs() < SAME_PLACE
            })
        };
        if places(&|text| text.starts_with(full)).iter().any(is_beside) {
            choices.push_str(full);
            choices.extend(empty);
        }
    }
    choices
}

/// Returns what marks an item of a list that begins with a word: a dash for bullets. Where text is read from the
/// right, the dot of a number stands before its digits.
fn mark(word: &str, is_back: bool) -> Option<String> {
    if is_bullet(word) {
        return Some(DASH.to_owned());
    }
    let turned = word.strip_prefix('.').filter(|_| is_back);
    let number = turned.or_else(|| word.strip_suffix(['.', ')']))?;
    let is_number =
        (1..=3).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| turned.map_or_else(|| word.to_owned(), |number| format!("{number}.")))
}

/// Joins bullets and numbers that were drawn apart with the text behind them. Bullets before another bullet, far before
/// the text, or behind a wall from it are cells, as those of tables of what has what.
pub(super) fn take(lines: &mut Vec<Line>, walls: &[Rule]) {
    /// How many lines around a bullet may be its text on a page of so many lines: some writers draw the
    /// bullets of a page last.
    const NEAR: usize = 40;
    const ALL: usize = 2_000;
    let choices = choices(lines);
    let mut index = 0;
    while index < lines.len() {
        let bullet = &lines[index];
        let near = if lines.len() < ALL {
            0..lines.len()
        } else {
            index.saturating_sub(NEAR)..lines.len().min(index + NEAR)
        };
        let mut near = near.filter(|&at| at != index);
        let marks = Marks::of(bullet);
        let found = marks.and_then(|marks| {
            near.find_map(|at| Some((at, marks.before(&lines[at], bullet, walls)?)))
        });
        if let Some((text, mark)) = found {
            lines[text].mark = Some(mark);
            let bullet = lines.remove(index).words.swap_remove(0);
            let text = if text > index { text - 1 } else { text };
            if says_something(&bullet.text, &choices) {
                lines[text].words.insert(0, bullet);
            }
        } else {
            index += 1;
        }
    }
    for line in lines {
        if line.words.len() > 1 && is_bullet(&line.words[0].text) {
            if is_cell(line, walls) {
                continue;
            }
            if !says_something(&line.words[0].text, &choices) {
                line.words.remove(0);
            }
            line.mark = Some(DASH.to_owned());
        } else if let Some((bullet, text)) = after_bullet(&line.words[0].text) {
            line.mark = Some(DASH.to_owned());
            if !says_something(bullet, &choices) {
                let text = text.to_owned();
                line.words[0].text = text;
            }
        }
    }
}

/// Returns the bullet that a word begins with, and what stands behind it.
fn after_bullet(word: &str) -> Option<(&str, &str)> {
    let first = word.chars().next()?;
    let (bullet, text) = word.split_at(first.len_utf8());
    let is_item = is_bullet(bullet) && bullet != "·" && text.starts_with(char::is_alphanumeric);
    is_item.then_some((bullet, text))
}

/// What a line of one word is before a line: one that is read from left to right, and one that is read from right
/// to left.
struct Marks {
    forth: Option<String>,
    back: Option<String>,
}

impl Marks {
    fn of(bullet: &Line) -> Option<Self> {
        let [only] = &*bullet.words else {
            return None;
        };
        let [forth, back] = [false, true].map(|is_back| mark(&only.text, is_back));
        (forth.is_some() || back.is_some()).then_some(Self { forth, back })
    }

    /// Returns the mark that a bullet is, if it stands before a line.
    fn before(&self, line: &Line, bullet: &Line, walls: &[Rule]) -> Option<String> {
        let (_, end) = line.along(bullet.left(), bullet.right());
        let is_near = (0.0..line.size * BULLET).contains(&(line.start() - end));
        let belongs = is_near && line.is_level_with(bullet) && line.mark.is_none();
        let mark = if line.is_back() {
            &self.back
        } else {
            &self.forth
        };
        let is_parted =
            || is_cell(line, walls) || is_walled(bullet, &bullet.words[0], &line.words[0], walls);
        mark.clone().filter(|_| belongs && !is_parted())
    }
}

/// Returns whether a line begins with a bullet that is not that of an item, but a cell.
fn is_cell(line: &Line, walls: &[Rule]) -> bool {
    let bullet = &line.words[0];
    let along = |word: &Word| line.along(word.left, word.right);
    let is_apart = |next: &Word| {
        is_bullet(&next.text)
            || along(next).0 - along(bullet).1 > line.size * BULLET
            || is_walled(line, bullet, next, walls)
    };
    is_bullet(&bullet.text) && line.words.get(1).is_none_or(is_apart)
}

/// Returns whether a line is drawn down the page between a bullet of a line and the text behind it.
fn is_walled(line: &Line, bullet: &Word, text: &Word, walls: &[Rule]) -> bool {
    let (left, right) = (bullet.right.min(text.right), bullet.left.max(text.left));
    let is_between = |wall: &Rule| {
        let (top, bottom) = (wall.start.y.min(wall.end.y), wall.start.y.max(wall.end.y));
        (left..right).contains(&wall.start.x)
            && (left..right).contains(&wall.end.x)
            && top < line.y
            && line.y < bottom
    };
    line.turn == 0 && walls.iter().any(is_between)
}

/// Marks the lines before which a small shape is drawn.
pub(super) fn mark_by_shape(lines: &mut [Line], drawn: &Drawn) {
    /// A chart has more of them, and they are not bullets.
    const MOST: usize = 500;
    if drawn.dots.len() + drawn.circles.len() > MOST {
        return;
    }
    for line in lines {
        if line.turn == 0 && line.mark.is_none() && has_shape(line, drawn) {
            line.mark = Some(DASH.to_owned());
        }
    }
}

/// Returns whether a bullet is drawn before a line. Circles are also the marks of charts and the buttons of forms: they
/// are not bullets before a number alone, and where others stand in the line.
fn has_shape(line: &Line, drawn: &Drawn) -> bool {
    let is_mark = |shape: &Rect| is_before(shape, line);
    let is_within = |circle: &Rect| {
        let start = line.along(circle.x0, circle.x1).0;
        is_level(circle, line) && (line.start()..line.end()).contains(&start)
    };
    let has_circle = drawn.circles.iter().any(is_mark);
    let is_other = || is_number(line) || drawn.circles.iter().any(is_within);
    drawn.dots.iter().any(is_mark) || has_circle && !is_other()
}

/// Returns whether a shape is drawn before a line as a bullet is.
fn is_before(shape: &Rect, line: &Line) -> bool {
    let is_small = shape.width().max(shape.height()) < line.size * 0.7
        && shape.width().min(shape.height()) > line.size * 0.1;
    let distance = line.start() - line.along(shape.x0, shape.x1).1;
    is_small && distance > 0.0 && distance < line.size * BULLET / 2.0 && is_level(shape, line)
}

/// Returns whether a shape stands at the height of the letters of a line.
fn is_level(shape: &Rect, line: &Line) -> bool {
    let height = line.y - shape.center().y;
    height > 0.0 && height < line.size * 0.8
}

/// Returns whether a line has digits and no letters.
fn is_number(line: &Line) -> bool {
    let letters = || line.words.iter().flat_map(|word| word.text.chars());
    letters().any(char::is_numeric) && !letters().any(char::is_alphabetic)
}
