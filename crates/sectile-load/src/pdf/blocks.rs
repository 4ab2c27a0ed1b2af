//! From lines to paragraphs, headings, lists and code.

use std::collections::HashSet;
use std::ops::Range;

use super::extract::{Kind, Style, TextBlock};
use super::lines::{Line, Word};
use super::spacing::{is_in_word, joint};
use super::tables::Table;

/// How far the baselines of a paragraph may be apart, in multiples of what they are on most of the page.
const PITCH: f64 = 1.35;

/// How far they may be apart at most, in multiples of the type size.
const WIDEST_PITCH: f64 = 2.2;

/// How many empty lines may stand between lines of code.
const EMPTY_LINES: f64 = 3.0;

/// How much the type sizes of lines of one paragraph may differ.
const SAME_SIZE: f64 = 1.12;

/// The width of a letter of fixed-pitch type, in multiples of its size.
const FIXED_PITCH: f64 = 0.6;

/// The deepest indentation that is kept of a line of code, in letters.
const MAX_INDENT: u8 = 40;

/// The width of a letter and of a space, on average, in multiples of the type size.
const LETTER: f64 = 0.5;
const SPACE: f64 = 0.25;

/// How many lines of a page are compared with each other.
const MAX_COMPARED: usize = 3_000;

/// How many lines make text, and how many words they have on average, at least.
const MIN_TEXT_LINES: usize = 4;
const MIN_TEXT_WORDS: f64 = 4.5;

/// How wide a column is at least that is filled line by line, as a part of the page.
const NARROWEST_COLUMN: f64 = 0.33;

/// Makes blocks of the lines and tables of a page of this width and height, in their order.
pub(super) fn blocks(lines: &[Line], tables: Vec<Table>, page: (f64, f64)) -> Vec<TextBlock> {
    let pitch = pitch(lines);
    let mut blocks = Vec::new();
    let mut start = 0;
    let mut tables = tables.into_iter().peekable();
    for end in 0..=lines.len() {
        let has_table = tables.peek().is_some_and(|table| table.at <= end);
        let is_end = end == lines.len() || has_table;
        if start < end && (is_end || !belongs(&lines[start..end], &lines[end], pitch)) {
            blocks.extend(block(&lines[start..end], lines, page, pitch));
            start = end;
        }
        while let Some(table) = tables.next_if(|table| table.at <= end) {
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

/// Returns how far baselines are apart on most of a page, in multiples of the type size.
fn pitch(lines: &[Line]) -> f64 {
    let pairs = lines.windows(2).filter(|pair| pair[0].turn == pair[1].turn);
    let pitches = pairs.map(|pair| (pair[1].y - pair[0].y) / pair[0].size.max(pair[1].size));
    let mut pitches: Vec<f64> = pitches
        .filter(|of| (0.8..WIDEST_PITCH).contains(of))
        .collect();
    if pitches.is_empty() {
        return 1.2;
    }
    let middle = pitches.len() / 2;
    *pitches.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// Says whether a line goes on what some lines before it began.
fn belongs(block: &[Line], line: &Line, pitch: f64) -> bool {
    let Some(last) = block.last() else {
        return false;
    };
    let size = last.size.max(line.size);
    let down = (line.y - last.y) / size;
    let is_like = last.turn == line.turn
        && size / last.size.min(line.size) < SAME_SIZE
        && last.is_monospace == line.is_monospace
        && last.heading() == line.heading();
    if !is_like {
        return false;
    }
    if line.is_monospace {
        return down > -0.1 && down < pitch.max(1.0) * (EMPTY_LINES + 1.0);
    }
    let left = block.iter().map(Line::left).fold(f64::MAX, f64::min);
    let right = block.iter().map(Line::right).fold(f64::MIN, f64::max);
    let is_below = down > 0.3 && down < (pitch * PITCH).min(WIDEST_PITCH);
    let is_beside = down.abs() <= 0.3;
    let is_over = line.left() < right + size && line.right() > left - size;
    let is_set_alike = last.is_bold == line.is_bold || last.mark.is_some() || line.mark.is_some();
    let goes_on = last.is_back() == line.is_back() && line.start() >= last.end();
    (is_below && is_over && is_set_alike) || (is_beside && goes_on)
}

/// Parts lines into runs that belong together, each drawn one line after the other.
pub(super) fn runs(lines: &[Line]) -> Vec<Range<usize>> {
    let pitch = pitch(lines);
    let mut runs = Vec::new();
    let mut start = 0;
    for end in 1..=lines.len() {
        if end == lines.len() || !belongs(&lines[start..end], &lines[end], pitch) {
            runs.push(start..end);
            start = end;
        }
    }
    runs
}

/// Returns the numbers of the lines that are drawn one after the other as text, several words in each: they
/// are no cells, whatever stands beside them.
pub(super) fn running_text(lines: &[Line]) -> HashSet<usize> {
    let is_text = |run: &Range<usize>| {
        let block = &lines[run.clone()];
        let words: usize = block.iter().map(|line| line.words.len()).sum();
        block.len() >= MIN_TEXT_LINES
            && words as f64 >= MIN_TEXT_WORDS * block.len() as f64
            && !block.iter().any(is_row)
    };
    runs(lines).into_iter().filter(is_text).flatten().collect()
}

/// Makes a block of lines that belong together.
fn block(lines: &[Line], all: &[Line], page: (f64, f64), pitch: f64) -> Option<TextBlock> {
    let first = lines.first()?;
    let is_code = lines.iter().all(|line| line.is_monospace);
    let text = if is_code {
        code(lines, pitch)
    } else {
        prose(lines, end(lines, all, page))
    };
    let text = text.trim_end().to_owned();
    let kind = match lines.iter().any(|line| line.mark.is_some()) {
        _ if is_code => Kind::Code,
        true => Kind::List,
        false => Kind::Prose,
    };
    (!text.trim().is_empty()).then_some(TextBlock {
        text,
        level: first.heading().map(|(level, _)| level),
        kind,
        style: Style::new(first.size, lines.iter().all(|line| line.is_bold)),
        lines: lines.len(),
        height: height(first.y, first.turn, page),
        ..TextBlock::default()
    })
}

/// Returns how far down a page something is, as lines of this direction see the page, as a part of its height.
pub(super) fn height(y: f64, turn: i32, page: (f64, f64)) -> f64 {
    let (across, down) = page;
    let of = if turn % 180 == 0 { down } else { across };
    (y / of.max(1.0)).abs()
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
        match last {
            Some(last) if down < 0.3 => end = last.right(),
            Some(_) => text.push_str(&"\n".repeat(times(down, pitch.max(1.0)).max(1))),
            None => {}
        }
        for (index, word) in line.words.iter().enumerate() {
            let spaces = times(word.left - end, letter).max(index.min(1));
            text.push_str(&" ".repeat(spaces));
            text.push_str(&word.text);
            end = word.right;
        }
        last = Some(line);
    }
    text
}

/// Returns how many times a length has another, rounded.
fn times(length: f64, of: f64) -> usize {
    let counts = 1..=MAX_INDENT;
    let fitting = counts.take_while(|&count| f64::from(count) - 0.5 <= length / of);
    fitting.count()
}

/// Joins lines of prose. A line ends where its writer ended it: where the first word of the next would have
/// found room on it, where an item of a list begins, and where cells of a row stand apart.
fn prose(lines: &[Line], end: f64) -> String {
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

/// Says whether a line leads to something at its end, as those of a table of contents do.
pub(super) fn is_led(line: &Line) -> bool {
    let dots = line
        .words
        .iter()
        .map(|word| word.text.chars().filter(|&c| c == '.').count());
    dots.sum::<usize>() >= 5 && line.text().contains("...") || line.text().contains(". . . ")
}

/// Says whether the cells of a row stand apart on the line.
fn is_row(line: &Line) -> bool {
    let along = |word: &Word| line.along(word.left, word.right);
    let gap = |pair: &[Word]| along(&pair[1]).0 - along(&pair[0]).1;
    let mut pairs = line.words.windows(2);
    pairs.any(|pair| pair[1].is_apart && gap(pair) > 1.5 * line.size)
}

/// Says whether a line begins with the number of an item: `1.`, `(2)`, `a)`.
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

/// Says whether the first word of a line would have found room at the end of the one before.
fn has_room(last: &Line, next: &Line, end: f64) -> bool {
    let Some(word) = next.words.first() else {
        return false;
    };
    last.end() + (SPACE + LETTER) * last.size + word.right - word.left < end
}
