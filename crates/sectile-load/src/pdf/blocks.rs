//! From lines to paragraphs, headings, lists and code.

use super::items::Items;
use super::line_groups::{SAME_SIZE, belongs, is_led, is_row, pitch};
use super::lines::Line;
use super::page::{Kind, Margin, Style, TextBlock, height};
use super::spacing::{is_in_word, joint};
use super::tables::Table;

/// The width of a letter of fixed-pitch type, in multiples of its size.
const FIXED_PITCH: f64 = 0.6;

/// The deepest indentation that is kept of a line of code, in letters.
pub(super) const MAX_INDENT: u8 = 40;

/// The width of a letter and of a space, on average, in multiples of the type size.
const LETTER: f64 = 0.5;
const SPACE: f64 = 0.25;

/// How many lines of a page are compared with each other.
const MAX_COMPARED: usize = 3_000;

/// How wide a column is at least that is filled line by line, as a part of the page.
const NARROWEST_COLUMN: f64 = 0.33;

/// Makes blocks of the lines and tables of a page of this width and height, in their order.
pub(super) fn blocks(lines: &[Line], tables: Vec<Table>, page: (f64, f64)) -> Vec<TextBlock> {
    let pitch = pitch(lines);
    let mut blocks = Vec::new();
    let mut start = 0;
    let mut items = Items::default();
    let mut tables = tables.into_iter().peekable();
    for end in 0..=lines.len() {
        let has_table = tables.peek().is_some_and(|table| table.at <= end);
        let is_end = end == lines.len() || has_table;
        if start < end && (is_end || !belongs(&lines[start..end], &lines[end], pitch)) {
            blocks.extend(block(&lines[start..end], lines, page, pitch, &mut items));
            start = end;
        }
        while let Some(table) = tables.next_if(|table| table.at <= end) {
            items.end();
            blocks.extend(table.captions.into_iter().map(|text| TextBlock {
                text,
                lines: 1,
                height: table.height,
                ..TextBlock::default()
            }));
            blocks.push(TextBlock {
                text: table.text,
                kind: Kind::Table,
                has_lent_head: table.has_lent_head,
                height: table.height,
                ..TextBlock::default()
            });
        }
    }
    blocks
}

/// Makes a block of lines that belong together.
fn block(
    lines: &[Line],
    all: &[Line],
    page: (f64, f64),
    pitch: f64,
    items: &mut Items,
) -> Option<TextBlock> {
    let first = lines.first()?;
    let is_code = lines.iter().all(|line| line.is_monospace);
    let text = if is_code {
        items.end();
        code(lines, pitch)
    } else {
        prose(lines, end(lines, all, page), items)
    };
    let text = text.trim_end().to_owned();
    let kind = match lines.iter().any(|line| line.mark.is_some()) {
        _ if is_code => Kind::Code,
        true => Kind::List,
        false => Kind::Prose,
    };
    // What the file leaves open to the last letter is no text.
    let is_said = |c: char| !c.is_whitespace() && c != char::REPLACEMENT_CHARACTER;
    text.contains(is_said).then_some(TextBlock {
        text,
        level: first.heading().map(|(level, _)| level),
        kind,
        margin: margin(lines).filter(|_| is_code),
        style: Style::new(first.size, lines.iter().all(|line| line.is_bold)),
        lines: lines.len(),
        height: height(first.y, first.turn, page),
        extent: extent(lines),
        ..TextBlock::default()
    })
}

/// Writes lines of code with their indentation, and the empty ones between them.
fn code(lines: &[Line], pitch: f64) -> String {
    let left = lines.iter().map(Line::left).fold(f64::MAX, f64::min);
    let mut text = String::new();
    let mut last: Option<&Line> = None;
    for line in lines {
        let letter = line.size.max(1.0) * FIXED_PITCH;
        let down = last.map_or(0.0, |last| (line.y - last.y) / line.size);
        let mut end = left;
        let is_beside = last.is_some() && down < 0.3;
        match last {
            Some(last) if is_beside => end = last.right(),
            Some(_) => text.push_str(&"\n".repeat(times(down, pitch.max(1.0)).max(1))),
            None => {}
        }
        for (index, word) in line.words.iter().enumerate() {
            let one = usize::from(index > 0 || is_beside);
            let spaces = times(word.left - end, letter).max(one);
            text.push_str(&" ".repeat(spaces));
            text.push_str(&word.text);
            end = word.right;
        }
        last = Some(line);
    }
    text
}

/// Returns where the highest and the lowest of some lines stand, if all stand upright.
fn extent(lines: &[Line]) -> Option<(f64, f64)> {
    let is_upright = lines.iter().all(|line| line.turn == 0);
    is_upright.then(|| {
        let heights = || lines.iter().map(|line| line.y);
        (
            heights().fold(f64::MAX, f64::min),
            heights().fold(f64::MIN, f64::max),
        )
    })
}

/// Returns the margin of lines of code that stand upright.
fn margin(lines: &[Line]) -> Option<Margin> {
    let words = || lines.iter().flat_map(|line| &line.words);
    let width: f64 = words().map(|word| word.right - word.left).sum();
    let letters: usize = words().map(|word| word.text.chars().count()).sum();
    let is_upright = lines.iter().all(|line| line.turn == 0);
    is_upright.then(|| Margin {
        left: lines.iter().map(Line::left).fold(f64::MAX, f64::min),
        letter: width / letters.max(1) as f64,
    })
}

/// Returns how many times a length has another, rounded.
pub(super) fn times(length: f64, of: f64) -> usize {
    let counts = 1..=MAX_INDENT;
    let fitting = counts.take_while(|&count| f64::from(count) - 0.5 <= length / of);
    fitting.count()
}

/// Joins lines of prose. A line ends where its writer ended it: where the first word of the next would have
/// found room on it, where an item of a list begins, and where cells of a row stand apart. An item that stands in another
/// is indented.
fn prose(lines: &[Line], end: f64, items: &mut Items) -> String {
    let mut text = String::new();
    let mut last: Option<&Line> = None;
    for line in lines {
        if let Some(last) = last {
            let is_new = line.mark.is_some() || is_row(line) || is_numbered(line);
            let has_room = has_room(last, line, end) && !is_in_word(&text, &line.words[0].text);
            let is_end = is_new || is_row(last) || is_led(last) || has_room;
            let is_beside = (line.y - last.y).abs() < line.size * 0.3;
            text.push_str(match (is_beside, is_end) {
                (true, _) => "  ",
                (false, true) => "\n",
                (false, false) => joint(&text, &line.words[0].text),
            });
        }
        items.follow(line);
        if let Some((mark, start)) = item(line) {
            let indent = items.indent(line, mark.chars().count(), start);
            text.push_str(&" ".repeat(indent));
        } else if last.is_none() {
            items.end();
        }
        if let Some(mark) = &line.mark {
            text.push_str(mark);
            text.push(' ');
        }
        text.push_str(&line.text());
        last = Some(line);
    }
    text
}

/// Returns where the column ends that some lines stand in.
fn end(lines: &[Line], all: &[Line], page: (f64, f64)) -> f64 {
    let first = &lines[0];
    let start = lines.iter().map(Line::start).fold(f64::MAX, f64::min);
    let across = if first.turn % 180 == 0 {
        page.0
    } else {
        page.1
    };
    let own = lines
        .iter()
        .map(Line::end)
        .fold(start + across * NARROWEST_COLUMN, f64::max);
    if all.len() > MAX_COMPARED {
        return own;
    }
    let others = all.iter().filter(|line| {
        let size = line.size.max(first.size);
        line.turn == first.turn
            && line.is_back() == first.is_back()
            && size / line.size.min(first.size) < SAME_SIZE
            && (line.start() - start).abs() < 2.0 * size
            && !is_row(line)
    });
    others.map(Line::end).fold(own, f64::max)
}

/// Returns the mark of a line that begins an item of a list of Markdown, and where the text behind it begins.
fn item(line: &Line) -> Option<(&str, f64)> {
    if let Some(mark) = &line.mark {
        return Some((mark.as_str(), line.start()));
    }
    let [number, text, ..] = &*line.words else {
        return None;
    };
    let begins_with_digit = number.text.starts_with(|c: char| c.is_ascii_digit());
    let is_item = begins_with_digit && is_numbered(line);
    is_item.then(|| (number.text.as_str(), line.along(text.left, text.right).0))
}

/// Returns whether a line begins with the number of an item: `1.`, `(2)`, `a)`.
fn is_numbered(line: &Line) -> bool {
    let [first, _, ..] = &*line.words else {
        return false;
    };
    let Some(number) = first.text.strip_suffix(['.', ')']) else {
        return false;
    };
    let number = number.trim_start_matches('(');
    let is_number = number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_alphabetic());
    !number.is_empty() && (is_number || is_letter)
}

/// Returns whether the first word of a line would have found room at the end of the one before.
fn has_room(last: &Line, next: &Line, end: f64) -> bool {
    let Some(word) = next.words.first() else {
        return false;
    };
    last.end() + (SPACE + LETTER) * last.size + word.right - word.left < end
}
