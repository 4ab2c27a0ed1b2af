//! Notes in the margin that begin on the baseline of a line of text: they are no part of it, and stand behind its paragraph.

use std::ops::Range;

use super::direction::Flow;
use super::lines::Line;

/// How many words the line above has at least that is text, and how many the note has on its first line.
const MIN_WORDS: usize = 4;
const MIN_NOTE_WORDS: usize = 2;

/// How much the type of a note differs from that of the text, and how much that of one text may differ.
const SAME_SIZE: f64 = 1.12;

/// How far the next line of a text is below a line, and how far the first line of a paragraph may be, in multiples of the type
/// size.
const NEXT: Range<f64> = 0.8..1.8;
const BELOW: Range<f64> = 0.8..2.2;

/// How far apart lines of a note begin, how far in the first line of a paragraph begins, and how far in or out any line of text
/// may, in multiples of the type size.
const SAME_EDGE: f64 = 0.3;
const INDENTED: f64 = 0.5;
const INDENT: f64 = 2.5;

/// Takes notes out of the lines of text that they begin beside, and puts them behind the paragraph.
pub(super) fn behind_text(lines: Vec<Line>) -> Vec<Line> {
    let last = lines.len().saturating_sub(1);
    let notes: Vec<Option<usize>> = (0..lines.len())
        .map(|at| {
            let is_between = (1..last).contains(&at);
            is_between.then(|| note(&lines[at - 1], &lines[at], &lines[at + 1]))?
        })
        .collect();
    if notes.iter().all(Option::is_none) {
        return lines;
    }
    let sizes: Vec<f64> = lines.iter().map(|line| line.size).collect();
    let mut read = Vec::with_capacity(lines.len());
    let mut open = Open::default();
    for (at, (mut line, note)) in lines.into_iter().zip(notes).enumerate() {
        if let Some(word) = note {
            let mut words = line.words.split_off(word);
            words[0].is_apart = false;
            let of_note = Line {
                words,
                size: sizes[at + 1],
                mark: None,
                ..line.clone()
            };
            line.size = sizes[at - 1];
            open.add(&line, &mut read);
            read.push(line);
            open.notes.push(of_note);
        } else if open.goes_on_in_note(&line) {
            open.notes.push(line);
        } else {
            open.add(&line, &mut read);
            read.push(line);
        }
    }
    open.close(&mut read);
    read
}

/// Notes that are not read yet, and the paragraph that they stand beside.
#[derive(Default)]
struct Open {
    notes: Vec<Line>,
    /// The baseline and the type size of the last line of the paragraph.
    text: Option<(f64, f64)>,
    /// Where the paragraph begins.
    left: f64,
}

impl Open {
    fn goes_on_in_note(&self, line: &Line) -> bool {
        self.notes.last().is_some_and(|last| {
            let size = last.size;
            is_like(line, last)
                && line.size.max(size) < SAME_SIZE * line.size.min(size)
                && (line.left() - last.left()).abs() < SAME_EDGE * size
                && NEXT.contains(&((line.y - last.y) / size))
        })
    }

    /// Returns whether a line goes on the paragraph, and begins no other.
    fn goes_on_in_text(&self, line: &Line) -> bool {
        let (Some((y, size)), Some(note)) = (self.text, self.notes.first()) else {
            return false;
        };
        is_like(line, note)
            && line.size.max(size) < SAME_SIZE * line.size.min(size)
            && NEXT.contains(&((line.y - y) / size))
            && (-INDENT * size..INDENTED * size).contains(&(line.left() - self.left))
            && line.right() <= note.left()
    }

    /// Notes the next line of text, before which notes are read if it begins another paragraph.
    fn add(&mut self, line: &Line, read: &mut Vec<Line>) {
        let left = line.left();
        if self.goes_on_in_text(line) {
            self.left = self.left.min(left);
        } else {
            self.close(read);
            self.left = left;
        }
        self.text = Some((line.y, line.size));
    }

    fn close(&mut self, read: &mut Vec<Line>) {
        read.append(&mut self.notes);
    }
}

/// Returns with which word of a line a note begins, by the lines before it and behind it: the text of the one goes on in the
/// line, and the note in the other, in type of another size.
fn note(before: &Line, line: &Line, after: &Line) -> Option<usize> {
    let is_apart = |line: &Line| line.words.iter().skip(1).any(|word| word.is_apart);
    let at = line.words.iter().skip(1).position(|word| word.is_apart)? + 1;
    let (text, note) = line.words.split_at(at);
    let is_one = note.len() >= MIN_NOTE_WORDS && !note[1..].iter().any(|word| word.is_apart);
    let are_whole = before.words.len() >= MIN_WORDS && !is_apart(before) && !is_apart(after);
    let differ = before.size.max(after.size) >= SAME_SIZE * before.size.min(after.size);
    if !is_one || !are_whole || !differ || !is_like(before, line) || !is_like(line, after) {
        return None;
    }
    let (left, edge) = (text[0].left, note[0].left);
    let goes_on = BELOW.contains(&((line.y - before.y) / before.size))
        && (left - before.left()).abs() < INDENT * before.size
        && before.right() <= edge;
    let is_begun = NEXT.contains(&((after.y - line.y) / after.size))
        && (after.left() - edge).abs() < SAME_EDGE * after.size;
    (goes_on && is_begun).then_some(at)
}

/// Returns whether two lines run in the same direction, from left to right.
fn is_like(one: &Line, other: &Line) -> bool {
    one.turn == other.turn && one.flow == Flow::Forth && other.flow == Flow::Forth
}
