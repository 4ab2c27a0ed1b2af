//! The operators of a content stream (ISO 32000-2, annex A).

use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Operator;
use hayro_syntax::object::{Dict, Number, Object};
use kurbo::{Affine, Point};

use super::super::damaged;
use super::path::Part;
use super::{Caret, Content, State};

/// How many bytes of damaged content are looked at, each time when an instruction cannot be read all that follow it, and
/// those that may belong to a text that nothing closes.
const MAX_REREAD: usize = 200_000_000;

/// How many states are kept at once.
const MAX_KEPT: usize = 10_000;

/// The type size from which it is damage, and the one before holds.
const MAX_SIZE: f64 = 1e6;

/// The mode of text that is not seen (ISO 32000-2, 9.3.6): a recognized one is put so over its picture.
const UNSEEN: i64 = 3;

impl Content<'_, '_> {
    /// Follows content to its end, over damaged instructions, of which what can be read is followed.
    pub(super) fn follow(&mut self, content: &[u8]) {
        let content = damaged::ended(content);
        let mut rest = &content[..];
        while !rest.is_empty() {
            let (count, is_whole) = self.follow_to_damage(rest);
            if is_whole {
                break;
            }
            rest = &rest[damaged::end_of(rest, count)..];
            self.pen.drawn.has_damage = true;
            self.pen.reread += rest.len();
            if self.pen.reread > MAX_REREAD {
                self.pen.drawn.dropped += 1;
                break;
            }
            let mended = damaged::mended(rest);
            self.pen.reread += mended.looked_at;
            self.follow_to_damage(&mended.instruction);
            rest = &rest[mended.end..];
        }
        // What is marked ends with the content that it began in.
        while self.pen.marks.len() > self.marks {
            self.pen.end_mark();
        }
    }

    /// Follows content up to what cannot be read; returns how many instructions that are, and whether they are all.
    fn follow_to_damage(&mut self, content: &[u8]) -> (usize, bool) {
        let mut operators = TypedIter::new(content);
        let mut count = 0;
        while let Some(operator) = operators.next() {
            if let Operator::Fallback(name) = &operator
                && name[..] == *damaged::END
            {
                return (count, true);
            }
            let _ = self.write(&operator)
                || self.trace(&operator)
                || self.color(&operator)
                || self.mark(&operator)
                || self.set(&operator);
            count += 1;
        }
        (count, false)
    }

    /// Follows an operator that keeps or changes the state, or draws something else; says whether it is one.
    fn set(&mut self, operator: &Operator<'_, '_>) -> bool {
        match operator {
            Operator::SaveState(_) if self.kept.len() < MAX_KEPT => {
                self.kept.push(self.state.clone());
            }
            Operator::RestoreState(_) => {
                if let Some(state) = self.kept.pop() {
                    self.state = state;
                }
            }
            Operator::Transform(of) => {
                self.state.matrix *= matrix([of.0, of.1, of.2, of.3, of.4, of.5]);
            }
            Operator::SetGraphicsState(name) => {
                if let Some(settings) = self.resources.get_ext_g_state(name.0) {
                    self.pen.set_font(&settings, &mut self.state);
                    self.state.fill.set_opacity(&settings, "ca");
                    self.state.stroke.set_opacity(&settings, "CA");
                }
            }
            Operator::XObject(name) => {
                if let Some(drawing) = self.resources.get_x_object(name.0) {
                    self.pen
                        .drawing(&drawing, self.resources, &self.state, self.depth);
                }
            }
            Operator::InlineImage(_) => self.pen.picture(&self.state),
            Operator::Shading(_) => self.pen.drawn.has_pictures = true,
            _ => return false,
        }
        true
    }

    /// Follows an operator that begins or ends a marked part; says whether it is one.
    fn mark(&mut self, operator: &Operator<'_, '_>) -> bool {
        match operator {
            Operator::BeginMarkedContent(_) => self.pen.mark(None),
            Operator::BeginMarkedContentWithProperties(of) => match of.1 {
                Object::Name(name) => {
                    let all = &self.resources.properties;
                    let is_hidden = self.pen.layers.hides(all, name.as_ref());
                    self.pen.mark(all.get::<Dict<'_>>(name.as_ref()).as_ref());
                    self.pen.hide(is_hidden);
                }
                Object::Dict(properties) => self.pen.mark(Some(properties)),
                _ => self.pen.mark(None),
            },
            Operator::EndMarkedContent(_) => {
                if self.pen.marks.len() > self.marks {
                    self.pen.end_mark();
                }
            }
            _ => return false,
        }
        true
    }

    /// Follows an operator of text; says whether it is one.
    fn write(&mut self, operator: &Operator<'_, '_>) -> bool {
        match operator {
            Operator::BeginText(_) => self.caret = Caret::START,
            Operator::SetTextMatrix(of) => {
                self.caret.set(matrix([of.0, of.1, of.2, of.3, of.4, of.5]));
            }
            Operator::TextFont(font) => {
                let name = font.0.as_ref();
                if !self.fonts.contains_key(name) {
                    let face = self.pen.fonts.named(font.0, &self.resources.fonts);
                    self.fonts.insert(name.to_vec(), face);
                }
                self.state.face = self.fonts.get(name).cloned().flatten();
                self.state.lacks_font = self.state.face.is_none();
                let size = font.1.as_f64();
                if size.abs() < MAX_SIZE {
                    self.state.size = size;
                }
            }
            Operator::ShowText(text) => self.show(text.0.as_bytes()),
            Operator::ShowTexts(texts) => {
                for item in texts.0.iter::<Object<'_>>() {
                    match item {
                        Object::Number(back) => kern(&self.state, &mut self.caret, back.as_f64()),
                        Object::String(text) => self.show(text.as_bytes()),
                        _ => {}
                    }
                }
            }
            Operator::NextLineAndShowText(text) => {
                self.caret.new_line(0.0, -self.state.leading);
                self.show(text.0.as_bytes());
            }
            Operator::ShowTextWithParameters(text) => {
                self.state.word_space = text.0.as_f64();
                self.state.letter_space = text.1.as_f64();
                self.caret.new_line(0.0, -self.state.leading);
                self.show(text.2.as_bytes());
            }
            Operator::NextLine(by) => self.caret.new_line(by.0.as_f64(), by.1.as_f64()),
            Operator::NextLineAndSetLeading(by) => {
                self.state.leading = -by.1.as_f64();
                self.caret.new_line(by.0.as_f64(), by.1.as_f64());
            }
            Operator::NextLineUsingLeading(_) => self.caret.new_line(0.0, -self.state.leading),
            Operator::HorizontalScaling(of) => self.state.stretch = of.0.as_f64() / 100.0,
            Operator::TextLeading(of) => self.state.leading = of.0.as_f64(),
            Operator::CharacterSpacing(of) => self.state.letter_space = of.0.as_f64(),
            Operator::WordSpacing(of) => self.state.word_space = of.0.as_f64(),
            Operator::TextRenderingMode(of) => self.state.is_unseen = of.0.as_i64() == UNSEEN,
            Operator::TextRise(of) => self.state.rise = of.0.as_f64(),
            _ => return false,
        }
        true
    }

    fn show(&mut self, text: &[u8]) {
        self.pen.show(&self.state, &mut self.caret, text);
    }

    /// Follows an operator that sets a colour; says whether it is one.
    fn color(&mut self, operator: &Operator<'_, '_>) -> bool {
        let (fill, stroke) = (&mut self.state.fill, &mut self.state.stroke);
        let space = |name| self.resources.get_color_space(name);
        match operator {
            Operator::NonStrokeColorDeviceGray(of) => fill.set_device(&[of.0]),
            Operator::NonStrokeColorDeviceRgb(of) => fill.set_device(&[of.0, of.1, of.2]),
            Operator::NonStrokeColorCmyk(of) => fill.set_device(&[of.0, of.1, of.2, of.3]),
            Operator::NonStrokeColor(of) => fill.set(&of.0),
            Operator::NonStrokeColorNamed(of) => fill.set(&of.0),
            Operator::ColorSpaceNonStroke(of) => fill.set_space(space(of.0).as_ref()),
            Operator::StrokeColorDeviceGray(of) => stroke.set_device(&[of.0]),
            Operator::StrokeColorDeviceRgb(of) => stroke.set_device(&[of.0, of.1, of.2]),
            Operator::StrokeColorCmyk(of) => stroke.set_device(&[of.0, of.1, of.2, of.3]),
            Operator::StrokeColor(of) => stroke.set(&of.0),
            Operator::StrokeColorNamed(of) => stroke.set(&of.0),
            Operator::ColorSpaceStroke(of) => stroke.set_space(space(of.0).as_ref()),
            _ => return false,
        }
        true
    }

    /// Follows an operator that makes or paints a path; says whether it is one.
    fn trace(&mut self, operator: &Operator<'_, '_>) -> bool {
        let to_page = self.state.matrix;
        match operator {
            Operator::MoveTo(to) => self.path.move_to(to_page * point(to.0, to.1)),
            Operator::LineTo(to) => self.path.line_to(to_page * point(to.0, to.1)),
            Operator::CubicTo(to) => self.path.curve_to(to_page * point(to.4, to.5)),
            Operator::CubicStartTo(to) => self.path.curve_to(to_page * point(to.2, to.3)),
            Operator::CubicEndTo(to) => self.path.curve_to(to_page * point(to.2, to.3)),
            Operator::ClosePath(_) => self.path.close(),
            Operator::RectPath(of) => {
                let (x, y) = (of.0.as_f64(), of.1.as_f64());
                let (right, upper) = (x + of.2.as_f64(), y + of.3.as_f64());
                let corners = [(x, y), (right, y), (right, upper), (x, upper)];
                self.path
                    .rectangle(corners.map(|corner| to_page * Point::from(corner)));
            }
            Operator::StrokePath(_) => self.paint(false, true),
            Operator::CloseAndStrokePath(_) => {
                self.path.close();
                self.paint(false, true);
            }
            Operator::FillPathNonZero(_)
            | Operator::FillPathNonZeroCompatibility(_)
            | Operator::FillPathEvenOdd(_) => self.paint(true, false),
            Operator::FillAndStrokeNonZero(_) | Operator::FillAndStrokeEvenOdd(_) => {
                self.paint(true, true);
            }
            Operator::CloseFillAndStrokeNonZero(_) | Operator::CloseFillAndStrokeEvenOdd(_) => {
                self.path.close();
                self.paint(true, true);
            }
            Operator::EndPath(_) => self.paint(false, false),
            Operator::ClipNonZero(_) | Operator::ClipEvenOdd(_) => self.is_clip = true,
            _ => return false,
        }
        true
    }

    /// Paints the path, which ends it.
    fn paint(&mut self, is_filled: bool, is_stroked: bool) {
        let parts = self.path.take();
        if is_filled && !self.state.fill.is_clear() {
            self.pen.fill(&parts, &self.state);
        }
        if is_stroked && !self.state.stroke.is_clear() {
            self.pen.stroke(&parts, &self.state);
        }
        if std::mem::take(&mut self.is_clip) {
            self.clip(&parts);
        }
    }

    /// Bounds what is seen by a path. One with curves is passed over: only the ends of these are known.
    fn clip(&mut self, parts: &[Part]) {
        let bounds = parts
            .iter()
            .filter_map(Part::bounds)
            .reduce(|one, other| one.union(other));
        if let Some(bounds) = bounds.filter(|_| parts.iter().all(|part| !part.is_curved)) {
            self.state.clip = self.state.clip.intersect(bounds);
        }
    }
}

/// Moves the caret back, by so many thousandths of the type size.
fn kern(state: &State<'_>, caret: &mut Caret, back: f64) {
    let by = -back / 1_000.0 * state.size;
    let is_down = state
        .face
        .as_ref()
        .is_some_and(|face| !face.is_horizontal());
    caret.next *= Affine::translate(if is_down {
        (0.0, by)
    } else {
        (by * state.stretch, 0.0)
    });
}

fn matrix(numbers: [Number; 6]) -> Affine {
    Affine::new(numbers.map(|number| number.as_f64()))
}

fn point(x: Number, y: Number) -> Point {
    Point::new(x.as_f64(), y.as_f64())
}
