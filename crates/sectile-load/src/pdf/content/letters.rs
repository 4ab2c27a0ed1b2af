//! The letters of a text that is shown.

use std::rc::Rc;

use kurbo::{Affine, Point, Vec2};

use super::super::double_byte::Wide;
use super::super::drawn::Letter;
use super::super::font::{Face, is_left_open};
use super::super::tags::Tagged;
use super::{Caret, Pen, State};
use crate::superscript::Rise;

/// How many letters of a page are kept.
const MAX_LETTERS: usize = 2_000_000;

/// What is noted for a letter that is not known until the text that stands for it takes its place.
const UNKNOWN: &str = "\u{fffd}";

/// How near a glyph without a letter stands to that whose letters it helps to draw, in multiples of the type size.
const TOUCHING: f64 = 0.25;

/// How far letters are raised or lowered at least by their tags, in multiples of the type size.
const RAISED: f64 = 0.15;
const LOWERED: f64 = 0.05;

impl<'a> Pen<'a> {
    /// Writes a text from the caret on.
    pub(super) fn show(&mut self, state: &State<'a>, caret: &mut Caret, text: &[u8]) {
        let is_hidden = self.marks.last().is_some_and(|mark| mark.is_hidden);
        let Some(face) = &state.face else {
            if state.lacks_font && !is_hidden {
                self.drawn.unknown += text.len();
            }
            return;
        };
        if let Some(letters) = face.wide_letters(text) {
            return self.show_wide(state, caret, text, &letters);
        }
        let mut at = 0;
        while at < text.len() {
            let (code, length) = face.code(text, at);
            at += length.max(1);
            let width = face.advance(code);
            if !is_hidden {
                self.write(state, face, caret.next, width, || face.letters(code));
            }
            let is_space = code == 32 && length == 1;
            let space = state.letter_space + if is_space { state.word_space } else { 0.0 };
            caret.advance(state, face, width * state.size + space);
        }
    }

    /// Writes a text of which letters have one or two bytes, each of which takes its room.
    fn show_wide(&mut self, state: &State<'a>, caret: &mut Caret, text: &[u8], letters: &[Wide]) {
        let Some(face) = &state.face else {
            return;
        };
        let is_hidden = self.marks.last().is_some_and(|mark| mark.is_hidden);
        let mut rest = text;
        for &(letter, length) in letters {
            let (bytes, after) = rest.split_at(length);
            rest = after;
            let width = bytes.iter().map(|&byte| face.advance(byte.into())).sum();
            if !is_hidden {
                let letter = || Some(letter.to_string().into());
                self.write(state, face, caret.next, width, letter);
            }
            let word_space = if bytes == b" " { state.word_space } else { 0.0 };
            let space = state.letter_space * length as f64 + word_space;
            caret.advance(state, face, width * state.size + space);
        }
    }

    /// Notes a letter, or that it is not known.
    fn write(
        &mut self,
        state: &State<'a>,
        face: &Face<'a>,
        place: Affine,
        width: f64,
        letter: impl FnOnce() -> Option<Rc<str>>,
    ) {
        let scale = Affine::new([
            state.size * state.stretch,
            0.0,
            0.0,
            state.size,
            0.0,
            state.rise,
        ]);
        let place = state.matrix * place * scale;
        let start = place * Point::ORIGIN;
        let size = (place * Point::new(0.0, 1.0) - start).hypot() * face.size();
        let along = if face.is_horizontal() {
            (1.0, 0.0)
        } else {
            (0.0, -1.0)
        };
        let direction = place * Point::from(along) - start;
        let end = start + direction * width.abs();
        let is_on_page = self.page.inflate(1.0, 1.0).contains(start.midpoint(end));
        if !is_on_page || !size.is_finite() {
            return;
        }
        if self.drawn.letters.len() >= MAX_LETTERS {
            self.drawn.dropped += 1;
            return;
        }
        let letter = letter();
        if letter.as_deref() == Some("") {
            return self.widen_last(start, end, size);
        }
        let has_actual = || self.marks.iter().any(|mark| mark.actual.is_some());
        let is_said = letter
            .as_deref()
            .is_some_and(|text| !text.contains(is_left_open));
        self.drawn.unknown += usize::from(!is_said && !has_actual());
        let text = letter.or_else(|| has_actual().then(|| UNKNOWN.into()));
        let text = text.unwrap_or_default();
        if state.is_unseen {
            self.drawn.unseen += text.trim().chars().count();
        }
        let space = if face.is_horizontal() {
            direction * (state.letter_space.max(0.0) / state.size)
        } else {
            Vec2::ZERO
        };
        let tracking = self.tracking.before(start, end, space, size);
        let tagged = self.marks.last().and_then(|mark| mark.tagged);
        self.drawn.letters.push(Letter {
            text,
            start,
            end,
            size,
            angle: direction.atan2(),
            is_bold: face.is_bold,
            is_monospace: face.is_monospace,
            is_vertical: !face.is_horizontal(),
            tracking,
            rise: tagged.map_or(Rise::None, |of| rise(of, size)),
            role: tagged.map(|of| of.role),
        });
    }

    /// Gives the last letter the room of a glyph beside it that stands for nothing: both are drawn for its letters.
    fn widen_last(&mut self, start: Point, end: Point, size: f64) {
        let last = self.drawn.letters.last_mut();
        if let Some(last) = last.filter(|last| last.end.distance(start) < size * TOUCHING) {
            last.end = end;
        }
    }
}

/// Returns whether the tags say that letters of a size are raised or lowered.
fn rise(tagged: Tagged, size: f64) -> Rise {
    let is_moved = !(-LOWERED * size..=RAISED * size).contains(&tagged.shift);
    if is_moved {
        Rise::of_height(tagged.shift)
    } else {
        Rise::None
    }
}
