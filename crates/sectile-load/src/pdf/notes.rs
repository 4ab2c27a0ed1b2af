//! What is written into the forms and notes of a page (ISO 32000-2, 12.5 and 12.7).

use std::collections::HashMap;

use hayro_syntax::object::{Array, Dict, Object, Rect as Area, Stream, String as Bytes};
use hayro_syntax::page::Resources;
use kurbo::{Affine, Point, Rect, Shape as _};

use super::content::{Pen, State};
use super::drawn::Letter;
use super::objects::{decoded, name_of};

/// Notes with these flags are not shown: hidden ones, and those for paper alone.
const NOT_SHOWN: u32 = 1 << 1 | 1 << 5;

/// The kinds of notes that say something beside the page, in a window of their own (ISO 32000-2, table 171).
const COMMENTS: [&[u8]; 13] = [
    b"Text",
    b"Highlight",
    b"Underline",
    b"Squiggly",
    b"StrikeOut",
    b"Caret",
    b"Line",
    b"Square",
    b"Circle",
    b"Polygon",
    b"PolyLine",
    b"Ink",
    b"FileAttachment",
];

/// The flag of fields that hold passwords.
const PASSWORD: u32 = 1 << 13;

/// How many nodes above a field are asked for what it has from them.
const MAX_PARENTS: usize = 32;

/// The size of type in a field that does not say how it looks, in points.
const SIZE: f64 = 10.0;

impl<'a> Pen<'a> {
    /// Writes what a reader sees of a note: the value of a field, or a text that was typed onto the page.
    pub(super) fn note(&mut self, note: &Dict<'a>, resources: &Resources<'a>, state: &State<'a>) {
        let is_shown = note.get::<u32>("F").unwrap_or(0) & NOT_SHOWN == 0;
        if !is_shown || self.layers.hides(note, b"OC") {
            return;
        }
        let kind = name_of(note, "Subtype");
        let text = match kind.as_deref() {
            Some(b"Widget") => value(note),
            Some(b"FreeText" | b"Stamp") => text(note, "Contents"),
            Some(kind) if COMMENTS.contains(&kind) => {
                // Its looks are those of a pin, or a mark on the text.
                if let Some(text) = text(note, "Contents") {
                    self.comment(note, &text, state);
                }
                return;
            }
            _ => return,
        };
        let before = self.drawn.letters.len();
        let is_drawn_anew =
            self.has_old_fields && kind.as_deref() == Some(b"Widget") && text.is_some();
        if let Some(looks) = looks(note).filter(|_| !is_drawn_anew) {
            self.draw_note(note, &looks, resources, state);
        }
        let is_written = self.drawn.letters[before..]
            .iter()
            .any(|letter| !letter.text.trim().is_empty());
        if let (false, Some(text)) = (is_written, text) {
            self.write_note(note, &text, state);
        }
    }

    fn comment(&mut self, note: &Dict<'a>, text: &str, state: &State<'a>) {
        if self.with_comments {
            self.write_note(note, text, state);
        } else {
            self.drawn.comments += 1;
        }
    }

    /// Follows the drawing that is fitted into the area of a note (ISO 32000-2, 12.5.5).
    fn draw_note(
        &mut self,
        note: &Dict<'a>,
        looks: &Stream<'a>,
        resources: &Resources<'a>,
        state: &State<'a>,
    ) {
        let Some(area) = area(note) else {
            return;
        };
        let of = looks.dict();
        let matrix = Affine::new(
            of.get::<[f64; 6]>("Matrix")
                .unwrap_or([1., 0., 0., 1., 0., 0.]),
        );
        let Some(bounds) = of.get::<Area>("BBox").map(rectangle) else {
            return;
        };
        let drawn = (matrix * bounds.to_path(0.1)).bounding_box();
        if drawn.width() <= 0.0 || drawn.height() <= 0.0 {
            return;
        }
        let fit = Affine::translate(area.origin().to_vec2())
            * Affine::scale_non_uniform(
                area.width() / drawn.width(),
                area.height() / drawn.height(),
            )
            * Affine::translate(-drawn.origin().to_vec2());
        let mut state = state.clone();
        state.matrix *= fit;
        self.drawing(looks, resources, &state, 0);
    }

    /// Writes a text into the area of a note, line by line from its upper end.
    fn write_note(&mut self, note: &Dict<'a>, text: &str, state: &State<'a>) {
        let Some(area) = area(note) else {
            return;
        };
        let area = state.matrix.transform_rect_bbox(area);
        let size = SIZE.min(area.height().max(1.0));
        let first = f64::midpoint(area.y0, area.y1.min(area.y0 + 2.0 * size));
        let mut y = first + size / 3.0;
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let width = size / 2.0 * line.chars().count() as f64;
            let end = Point::new(area.x0 + width, y);
            let letter = Letter::plain(line.trim(), Point::new(area.x0, y), end, size);
            self.drawn.letters.push(letter);
            y += size * 1.2;
        }
    }
}

/// Returns what is written into a field, unless that is secret.
fn value(field: &Dict<'_>) -> Option<String> {
    let flags = inherited(field, |of| of.get::<u32>("Ff")).unwrap_or(0);
    let is_text = inherited(field, |of| name_of(of, "FT"))
        .is_some_and(|kind| matches!(kind.as_ref(), b"Tx" | b"Ch"));
    if !is_text || flags & PASSWORD != 0 {
        return None;
    }
    let value = inherited(field, |of| text(of, "V"))?;
    let Some(choices) = inherited(field, |of| of.get::<Array<'_>>("Opt")) else {
        return Some(value);
    };
    let shown = shown(&choices);
    let lines: Vec<&str> = value
        .lines()
        .map(|chosen| shown.get(chosen).map_or(chosen, String::as_str))
        .collect();
    Some(lines.join("\n"))
}

/// Returns what a field shows for its choices that are kept by another name (ISO 32000-2, 12.7.5.4).
fn shown(choices: &Array<'_>) -> HashMap<String, String> {
    let mut shown = HashMap::new();
    for choice in choices.iter::<Object<'_>>() {
        let Object::Array(pair) = choice else {
            continue;
        };
        let mut pair = pair
            .iter::<Bytes<'_>>()
            .map(|text| decoded(text.as_bytes()));
        if let (Some(kept), Some(said)) = (pair.next(), pair.next()) {
            // The first of a name counts.
            shown.entry(kept).or_insert(said);
        }
    }
    shown
}

/// Returns the first that a field or a node above it has.
fn inherited<'a, T>(field: &Dict<'a>, get: impl Fn(&Dict<'a>) -> Option<T>) -> Option<T> {
    let mut node = field.clone();
    for _ in 0..MAX_PARENTS {
        if let Some(found) = get(&node) {
            return Some(found);
        }
        node = node.get::<Dict<'a>>("Parent")?;
    }
    None
}

/// Returns the text, or the texts, under a key.
fn text(dictionary: &Dict<'_>, key: &str) -> Option<String> {
    let text = match dictionary.get::<Object<'_>>(key)? {
        Object::String(text) => decoded(text.as_bytes()),
        Object::Array(all) => {
            let all = all.iter::<Bytes<'_>>().map(|text| decoded(text.as_bytes()));
            all.collect::<Vec<_>>().join("\n")
        }
        Object::Stream(text) => decoded(&text.decoded_data().ok()?),
        _ => return None,
    };
    let text = text
        .replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\0', "");
    (!text.trim().is_empty()).then_some(text)
}

/// Returns the drawing of a note as it is.
fn looks<'a>(note: &Dict<'a>) -> Option<Stream<'a>> {
    match note.get::<Dict<'a>>("AP")?.get::<Object<'a>>("N")? {
        Object::Stream(looks) => Some(looks),
        Object::Dict(states) => states.get(name_of(note, "AS")?),
        _ => None,
    }
}

fn area(note: &Dict<'_>) -> Option<Rect> {
    note.get::<Area>("Rect").map(rectangle)
}

fn rectangle(area: Area) -> Rect {
    Rect::new(area.x0, area.y0, area.x1, area.y1).abs()
}
