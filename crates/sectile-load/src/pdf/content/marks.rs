//! The parts of the content that are marked, and the texts that stand for them.

use std::collections::HashSet;

use hayro_syntax::object::{Dict, String as Bytes};
use kurbo::Point;

use super::super::drawn::Letter;
use super::super::objects::decoded;
use super::{Marked, Pen};

impl Pen<'_> {
    /// Begins a part that is marked.
    pub(super) fn mark(&mut self, properties: Option<&Dict<'_>>) {
        let actual = properties.and_then(|of| of.get::<Bytes<'_>>("ActualText"));
        let is_hidden = self.marks.last().is_some_and(|mark| mark.is_hidden);
        let is_within = self.marks.iter().any(|mark| mark.actual.is_some());
        let part = properties.and_then(|of| of.get::<i64>("MCID"));
        let tagged = self
            .object
            .zip(part)
            .and_then(|(page, part)| self.tags.of(page, part));
        if tagged.is_some_and(|of| of.is_behind_mark) {
            self.space();
        }
        self.marks.push(Marked {
            tagged: tagged.or_else(|| self.marks.last().and_then(|mark| mark.tagged)),
            actual: actual
                .filter(|_| !is_within)
                .map(|text| (decoded(text.as_bytes()), self.drawn.letters.len())),
            is_hidden,
        });
    }

    /// Puts a space behind the letter that was drawn last.
    fn space(&mut self) {
        if let Some(last) = self.drawn.letters.last() {
            let space = Letter {
                text: " ".into(),
                start: last.end,
                ..last.clone()
            };
            self.drawn.letters.push(space);
        }
    }

    /// Hides the part that began last, if `is_hidden`.
    pub(super) fn hide(&mut self, is_hidden: bool) {
        if let Some(mark) = self.marks.last_mut() {
            mark.is_hidden |= is_hidden;
        }
    }

    /// Ends the part that began last. The text that stands for it takes the place of its letters, unless
    /// they say the same.
    pub(super) fn end_mark(&mut self) {
        let Some((text, first)) = self.marks.pop().and_then(|mark| mark.actual) else {
            return;
        };
        let letters = &mut self.drawn.letters;
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        let written: String = letters[first..]
            .iter()
            .map(|letter| &*letter.text)
            .collect();
        let Some(start) = letters.get(first).map(|letter| letter.start) else {
            return;
        };
        // Marks over letters go back.
        let ends = letters[first..].iter().map(|letter| letter.end);
        let far =
            |one: &Point, other: &Point| start.distance(*one).total_cmp(&start.distance(*other));
        let end = ends.max_by(far).unwrap_or(start);
        if solid(&written) == solid(&text) {
            return;
        }
        let is_blank = written.trim().is_empty();
        letters.truncate(first + 1);
        let letter = &mut letters[first];
        letter.text = text.into();
        letter.end = end;
        if letter.text.is_empty() {
            letters.pop();
        } else if is_blank {
            self.announced.push(first);
        }
    }

    /// Drops the texts that stand for blanks where the very same is drawn next, as writers do with bullets.
    pub(super) fn drop_announced(&mut self) {
        let announced = std::mem::take(&mut self.announced);
        let letters = &mut self.drawn.letters;
        let is_drawn = |index: &usize| {
            let pair = letters.get(*index..*index + 2);
            pair.is_some_and(|pair| pair[0].text == pair[1].text)
        };
        let doubled: HashSet<usize> = announced.into_iter().filter(is_drawn).collect();
        let mut index = 0..;
        letters.retain(|_| index.next().is_none_or(|index| !doubled.contains(&index)));
    }
}
