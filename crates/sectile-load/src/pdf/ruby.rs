//! Small type between the lines of a paragraph that says how its characters are read, such as furigana and pinyin.

use std::slice;

use super::line_groups::{belongs, pitch};
use super::lines::Line;

/// How large such type is at most, as a part of that of the paragraph.
const SMALL: f64 = 0.65;

/// How far above a line and below it such type stands at most, in multiples of the type size of the line.
const ABOVE: f64 = 1.6;
const BELOW: f64 = 2.2;

/// Moves what stands between the lines of a paragraph behind it, so that the paragraph is read on.
pub(super) fn behind(lines: Vec<Line>) -> Vec<Line> {
    let are_glosses = are_glosses(&lines);
    if !are_glosses.contains(&true) {
        return lines;
    }
    let is_text = lines.iter().zip(&are_glosses).filter(|(_, is)| !**is);
    let text: Vec<Line> = is_text.map(|(line, _)| line.clone()).collect();
    let pitch = pitch(&text);
    let mut read: Vec<Line> = Vec::with_capacity(lines.len());
    let mut glosses: Vec<Line> = Vec::new();
    for (line, is_gloss) in lines.into_iter().zip(are_glosses) {
        if is_gloss {
            glosses.push(line);
            continue;
        }
        let last = read.last().filter(|_| !glosses.is_empty());
        if last.is_some_and(|last| !belongs(slice::from_ref(last), &line, pitch)) {
            read.append(&mut glosses);
        }
        read.push(line);
    }
    read.append(&mut glosses);
    read
}

/// Says for each line whether it may be small type between the lines of the text that is drawn last before it.
fn are_glosses(lines: &[Line]) -> Vec<bool> {
    let mut text: Option<&Line> = None;
    let is_gloss = |line| {
        let is_gloss = text.is_some_and(|text| is_between(text, line));
        if !is_gloss {
            text = Some(line);
        }
        is_gloss
    };
    lines.iter().map(is_gloss).collect()
}

fn is_between(text: &Line, line: &Line) -> bool {
    let down = (line.y - text.y) / text.size;
    line.size < SMALL * text.size
        && line.turn == text.turn
        && (-ABOVE..BELOW).contains(&down)
        && line.left() > text.left() - text.size
        && has_characters(text)
}

/// Returns whether a line has characters that do not say how they are read.
fn has_characters(line: &Line) -> bool {
    let is_character = |c| matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}');
    line.words
        .iter()
        .any(|word| word.text.contains(is_character))
}
