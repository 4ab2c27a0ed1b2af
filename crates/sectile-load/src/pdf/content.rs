//! The content of a page, followed for what is drawn.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use hayro_syntax::Pdf;
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Operator;
use hayro_syntax::object::dict::keys::CONTENTS;
use hayro_syntax::object::{
    Array, Dict, Number, Object, ObjectIdentifier, Stream, String as Bytes,
};
use hayro_syntax::page::{Page, Resources};
use kurbo::{Affine, Point, Rect, Vec2};

use super::damaged;
use super::double_byte::Wide;
use super::drawn::{Drawn, Letter, Rule};
use super::font::{Face, Fonts, is_left_open};
use super::layers::Layers;
use super::objects::{decoded, has_old_fields, name_of};
use super::paint::Paint;
use super::tags::{Role, Tags};
use super::tracking::Tracking;

/// How deep drawings may be nested in each other.
const MAX_DEPTH: usize = 24;

/// How many drawings are followed on a page: hostile ones draw each other over and over.
const MAX_DRAWINGS: usize = 20_000;

/// How many bytes of damaged content are looked at, each time when an instruction cannot be read all that follow it, and
/// those that may belong to a text that nothing closes.
const MAX_REREAD: usize = 200_000_000;

/// How many states are kept at once.
const MAX_KEPT: usize = 10_000;

/// How many letters and lines of a page are kept.
const MAX_LETTERS: usize = 2_000_000;
const MAX_RULES: usize = 50_000;

/// The type size from which it is damage, and the one before holds.
const MAX_SIZE: f64 = 1e6;

/// What is noted for a letter that is not known until the text that stands for it takes its place.
const UNKNOWN: &str = "\u{fffd}";

/// How near a glyph without a letter stands to that whose letters it helps to draw, in multiples of the type size.
const TOUCHING: f64 = 0.25;

/// How thick a filled rectangle may be that is a line, in points.
const THICKEST_LINE: f64 = 2.5;

/// How large a filled shape may be that is a bullet, in points.
const LARGEST_DOT: f64 = 9.0;

/// The mode of text that is not seen (ISO 32000-2, 9.3.6): a recognized one is put so over its picture.
const UNSEEN: i64 = 3;

/// How many of the shapes that were filled last are looked at for lines on them.
const MAX_SHADES: usize = 256;

/// The state of drawing that `q` keeps and `Q` gives back.
#[derive(Clone)]
pub(super) struct State<'a> {
    pub(super) matrix: Affine,
    /// The bounds of what is seen, as far as straight lines bound it.
    clip: Rect,
    face: Option<Rc<Face<'a>>>,
    /// Whether a font was asked for that cannot be read.
    lacks_font: bool,
    is_unseen: bool,
    size: f64,
    letter_space: f64,
    word_space: f64,
    stretch: f64,
    leading: f64,
    rise: f64,
    fill: Paint,
    stroke: Paint,
}

/// A part of the content that is marked.
struct Marked {
    /// The text that stands for it, and the first of its letters.
    actual: Option<(String, usize)>,
    is_hidden: bool,
    role: Option<Role>,
}

/// Draws pages, and notes what is drawn.
pub(super) struct Pen<'a> {
    fonts: Fonts<'a>,
    pub(super) layers: Layers,
    tags: Tags,
    /// Whether comments are written, or only counted.
    pub(super) with_comments: bool,
    /// Whether the fields of the file's form are drawn as they were, not as they are.
    pub(super) has_old_fields: bool,
    pub(super) drawn: Drawn,
    tracking: Tracking,
    marks: Vec<Marked>,
    /// Letters that stand for blanks.
    announced: Vec<usize>,
    drawings: usize,
    /// How many bytes of damaged content were looked at.
    reread: usize,
    /// The shapes of a page that were filled, the last first.
    shades: VecDeque<Rect>,
    page: Rect,
    /// The page as an object, while its own content is followed.
    object: Option<ObjectIdentifier>,
}

impl<'a> Pen<'a> {
    pub(super) fn new(pdf: &'a Pdf, with_comments: bool) -> Self {
        Self {
            with_comments,
            has_old_fields: has_old_fields(pdf),
            fonts: Fonts::new(),
            layers: Layers::new(pdf),
            tags: Tags::new(pdf),
            drawn: Drawn::default(),
            tracking: Tracking::default(),
            marks: Vec::new(),
            announced: Vec::new(),
            drawings: 0,
            reread: 0,
            shades: VecDeque::new(),
            page: Rect::ZERO,
            object: None,
        }
    }

    /// Draws a page, and what is written into its forms and notes.
    pub(super) fn draw(&mut self, page: &Page<'a>) -> Drawn {
        let (width, height) = page.render_dimensions();
        self.page = Rect::new(0.0, 0.0, width.into(), height.into());
        self.drawn = Drawn::new((width.into(), height.into()));
        self.marks.clear();
        self.announced.clear();
        self.drawings = 0;
        self.reread = 0;
        self.shades.clear();
        let to_page = Affine::new(page.initial_transform(true).as_coeffs());
        let state = State::new(to_page, self.page);
        if let Some(content) = page.page_stream() {
            self.object = page.raw().obj_id();
            self.content(content, page.resources(), state.clone(), 0);
            self.object = None;
        } else {
            self.drawn.is_damaged = page.raw().contains_key(CONTENTS);
        }
        self.drop_announced();
        self.drawn.of_page = self.drawn.letters.len();
        for note in page
            .raw()
            .get::<Array<'a>>("Annots")
            .iter()
            .flat_map(Array::iter::<Dict<'a>>)
        {
            self.note(&note, page.resources(), &state);
        }
        std::mem::take(&mut self.drawn)
    }
}

impl State<'_> {
    fn new(matrix: Affine, clip: Rect) -> Self {
        Self {
            matrix,
            clip,
            face: None,
            lacks_font: false,
            is_unseen: false,
            size: 1.0,
            letter_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
            fill: Paint::default(),
            stroke: Paint::default(),
        }
    }
}

/// Where the next letter goes, and where its line began.
#[derive(Clone, Copy)]
struct Caret {
    next: Affine,
    line: Affine,
}

impl Caret {
    const START: Self = Self {
        next: Affine::IDENTITY,
        line: Affine::IDENTITY,
    };

    fn set(&mut self, line: Affine) {
        *self = Self { next: line, line };
    }

    /// Moves on, by so much of the text's own space.
    fn advance(&mut self, state: &State<'_>, face: &Face<'_>, by: f64) {
        self.next *= Affine::translate(if face.is_horizontal() {
            (by * state.stretch, 0.0)
        } else {
            (0.0, by)
        });
    }

    /// Begins a line, so far from the beginning of the last.
    fn new_line(&mut self, across: f64, up: f64) {
        self.set(self.line * Affine::translate((across, up)));
    }
}

/// A content stream that is followed (ISO 32000-2, annex A).
struct Content<'p, 'a> {
    pen: &'p mut Pen<'a>,
    resources: &'p Resources<'a>,
    /// The fonts of the resources that were asked for.
    fonts: HashMap<Vec<u8>, Option<Rc<Face<'a>>>>,
    state: State<'a>,
    kept: Vec<State<'a>>,
    caret: Caret,
    path: Path,
    /// Whether the path bounds what is seen once it is painted.
    is_clip: bool,
    /// How many marked parts were open where it begins.
    marks: usize,
    depth: usize,
}

impl Content<'_, '_> {
    /// Follows content to its end, over damaged instructions, of which what can be read is followed.
    fn follow(&mut self, content: &[u8]) {
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
        let in_space = |name| Paint::in_space(self.resources.get_color_space(name).as_ref());
        match operator {
            Operator::NonStrokeColorDeviceGray(of) => fill.set_device(&[of.0]),
            Operator::NonStrokeColorDeviceRgb(of) => fill.set_device(&[of.0, of.1, of.2]),
            Operator::NonStrokeColorCmyk(of) => fill.set_device(&[of.0, of.1, of.2, of.3]),
            Operator::NonStrokeColor(of) => fill.set(&of.0),
            Operator::NonStrokeColorNamed(of) => fill.set(&of.0),
            Operator::ColorSpaceNonStroke(of) => *fill = in_space(of.0),
            Operator::StrokeColorDeviceGray(of) => stroke.set_device(&[of.0]),
            Operator::StrokeColorDeviceRgb(of) => stroke.set_device(&[of.0, of.1, of.2]),
            Operator::StrokeColorCmyk(of) => stroke.set_device(&[of.0, of.1, of.2, of.3]),
            Operator::StrokeColor(of) => stroke.set(&of.0),
            Operator::StrokeColorNamed(of) => stroke.set(&of.0),
            Operator::ColorSpaceStroke(of) => *stroke = in_space(of.0),
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
        if is_filled {
            self.pen.fill(&parts, &self.state);
        }
        if is_stroked {
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

impl<'a> Pen<'a> {
    /// Follows a content stream.
    fn content(
        &mut self,
        content: &[u8],
        resources: &Resources<'a>,
        state: State<'a>,
        depth: usize,
    ) {
        let marks = self.marks.len();
        let mut followed = Content {
            pen: self,
            resources,
            fonts: HashMap::new(),
            state,
            kept: Vec::new(),
            caret: Caret::START,
            path: Path::default(),
            is_clip: false,
            marks,
            depth,
        };
        followed.follow(content);
    }

    /// Writes a text from the caret on.
    fn show(&mut self, state: &State<'a>, caret: &mut Caret, text: &[u8]) {
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
            role: self.marks.last().and_then(|mark| mark.role),
        });
    }

    /// Gives the last letter the room of a glyph beside it that stands for nothing: both are drawn for its letters.
    fn widen_last(&mut self, start: Point, end: Point, size: f64) {
        let last = self.drawn.letters.last_mut();
        if let Some(last) = last.filter(|last| last.end.distance(start) < size * TOUCHING) {
            last.end = end;
        }
    }

    /// Takes the font of a graphics state, if it sets one.
    fn set_font(&mut self, settings: &Dict<'a>, state: &mut State<'a>) {
        let Some(font) = settings.get::<Array<'a>>("Font") else {
            return;
        };
        let mut parts = font.iter::<Object<'a>>();
        if let (Some(Object::Dict(font)), Some(Object::Number(size))) = (parts.next(), parts.next())
        {
            state.face = self.fonts.face(&font);
            state.lacks_font = state.face.is_none();
            state.size = size.as_f64();
        }
    }

    /// Begins a part that is marked.
    fn mark(&mut self, properties: Option<&Dict<'_>>) {
        let actual = properties.and_then(|of| of.get::<Bytes<'_>>("ActualText"));
        let is_hidden = self.marks.last().is_some_and(|mark| mark.is_hidden);
        let is_within = self.marks.iter().any(|mark| mark.actual.is_some());
        let part = properties.and_then(|of| of.get::<i64>("MCID"));
        let role = self
            .object
            .zip(part)
            .and_then(|(page, part)| self.tags.role(page, part));
        self.marks.push(Marked {
            role: role.or_else(|| self.marks.last().and_then(|mark| mark.role)),
            actual: actual
                .filter(|_| !is_within)
                .map(|text| (decoded(text.as_bytes()), self.drawn.letters.len())),
            is_hidden,
        });
    }

    /// Hides the part that began last, if `is_hidden`.
    fn hide(&mut self, is_hidden: bool) {
        if let Some(mark) = self.marks.last_mut() {
            mark.is_hidden |= is_hidden;
        }
    }

    /// Ends the part that began last. The text that stands for it takes the place of its letters, unless
    /// they say the same.
    fn end_mark(&mut self) {
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
    fn drop_announced(&mut self) {
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

    /// Follows a drawing within the content, or notes a picture.
    pub(super) fn drawing(
        &mut self,
        drawing: &Stream<'a>,
        resources: &Resources<'a>,
        state: &State<'a>,
        depth: usize,
    ) {
        let of = drawing.dict();
        self.drawings += 1;
        if self.layers.hides(of, b"OC") {
            return;
        }
        match name_of(of, "Subtype").as_deref() {
            Some(b"Form") => {}
            Some(b"Image") => {
                self.picture(state);
                return;
            }
            _ => return,
        }
        if depth >= MAX_DEPTH || self.drawings > MAX_DRAWINGS {
            self.drawn.dropped += 1;
            return;
        }
        let Ok(content) = drawing.decoded_data() else {
            self.drawn.has_damage = true;
            return;
        };
        let mut state = state.clone();
        state.matrix *= Affine::new(
            of.get::<[f64; 6]>("Matrix")
                .unwrap_or([1., 0., 0., 1., 0., 0.]),
        );
        let own = of.get::<Dict<'a>>("Resources").map(Resources::new);
        // Its marked parts are counted by themselves.
        let page = self.object.take();
        self.content(
            &content,
            own.as_ref().unwrap_or(resources),
            state,
            depth + 1,
        );
        self.object = page;
    }

    /// Notes a picture, which fills the square between 0 and 1 of its own space.
    fn picture(&mut self, state: &State<'a>) {
        let square = Rect::new(0.0, 0.0, 1.0, 1.0);
        let area = state.matrix.transform_rect_bbox(square);
        self.drawn.add_picture(area.intersect(state.clip));
    }

    /// Notes the lines of a path that are drawn along the sides of the page; with others it is a drawing.
    fn stroke(&mut self, parts: &[Part], state: &State<'a>) {
        for part in parts {
            let is_seen = !state.stroke.is_white();
            self.drawn.has_pictures |= is_seen && !part.is_along_sides();
            for pair in part.points.windows(2) {
                self.rule(drawn(pair[0], pair[1]), state.stroke);
            }
        }
    }

    /// Notes the lines that thin filled shapes are, the edges of large ones, and bullets.
    fn fill(&mut self, parts: &[Part], state: &State<'a>) {
        // What is white is paper.
        self.drawn.has_pictures |= !parts.is_empty() && !state.fill.is_white();
        for part in parts {
            let Some(area) = part.bounds() else {
                continue;
            };
            let (width, height) = (area.width(), area.height());
            if width <= THICKEST_LINE && height > 2.0 * width {
                let x = area.center().x;
                let line = drawn(Point::new(x, area.y0), Point::new(x, area.y1));
                self.rule(line, state.fill);
            } else if height <= THICKEST_LINE && width > 2.0 * height {
                let y = area.center().y;
                let line = drawn(Point::new(area.x0, y), Point::new(area.x1, y));
                self.rule(line, state.fill);
            } else if state.fill.is_white() {
                // It is paper.
            } else if width.max(height) <= LARGEST_DOT {
                if self.drawn.dots.len() < MAX_RULES {
                    self.drawn.dots.push(area);
                }
            } else if !part.is_curved && part.is_rectangle() {
                let corners = [
                    (area.x0, area.y0),
                    (area.x1, area.y0),
                    (area.x1, area.y1),
                    (area.x0, area.y1),
                    (area.x0, area.y0),
                ];
                for pair in corners.windows(2) {
                    let edge = Rule {
                        is_shade: true,
                        ..drawn(pair[0].into(), pair[1].into())
                    };
                    self.rule(edge, state.fill);
                }
                self.shades.truncate(MAX_SHADES - 1);
                self.shades.push_front(area);
            }
        }
    }

    /// Notes a line along the sides of the page, unless it is white on paper.
    fn rule(&mut self, rule: Rule, paint: Paint) {
        let Rule { start, end, .. } = rule;
        let is_along = is_straight(start, end) && start.distance(end) > THICKEST_LINE;
        let middle = start.midpoint(end);
        let is_seen =
            || !paint.is_white() || self.shades.iter().any(|shade| shade.contains(middle));
        if is_along && self.drawn.rules.len() < MAX_RULES && is_seen() {
            self.drawn.rules.push(rule);
        }
    }
}

/// Makes a line that is drawn as one.
fn drawn(start: Point, end: Point) -> Rule {
    Rule {
        start,
        end,
        is_shade: false,
    }
}

/// Returns whether a line runs along a side of the page.
fn is_straight(start: Point, end: Point) -> bool {
    const STRAIGHT: f64 = 0.5;
    (start.x - end.x).abs().min((start.y - end.y).abs()) <= STRAIGHT
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

/// A path, in parts.
#[derive(Default)]
struct Path(Vec<Part>);

/// A part of a path without a gap.
#[derive(Default)]
struct Part {
    points: Vec<Point>,
    is_curved: bool,
}

impl Path {
    fn move_to(&mut self, point: Point) {
        self.0.push(Part {
            points: vec![point],
            is_curved: false,
        });
    }

    fn line_to(&mut self, point: Point) {
        if let Some(part) = self.0.last_mut() {
            part.points.push(point);
        }
    }

    fn curve_to(&mut self, point: Point) {
        if let Some(part) = self.0.last_mut() {
            part.points.push(point);
            part.is_curved = true;
        }
    }

    fn close(&mut self) {
        if let Some(part) = self.0.last_mut()
            && let Some(&first) = part.points.first()
            && part.points.last() != Some(&first)
        {
            part.points.push(first);
        }
    }

    fn rectangle(&mut self, corners: [Point; 4]) {
        let [first, ..] = corners;
        let points = corners.into_iter().chain([first]).collect();
        self.0.push(Part {
            points,
            is_curved: false,
        });
    }

    fn take(&mut self) -> Vec<Part> {
        std::mem::take(&mut self.0)
    }
}

impl Part {
    fn bounds(&self) -> Option<Rect> {
        let (&first, rest) = self.points.split_first()?;
        let start = Rect::from_points(first, first);
        Some(rest.iter().fold(start, |area, point| area.union_pt(*point)))
    }

    /// Returns whether all its lines run along the sides of the page.
    fn is_along_sides(&self) -> bool {
        let mut pairs = self.points.windows(2);
        !self.is_curved && pairs.all(|pair| is_straight(pair[0], pair[1]))
    }

    /// Returns whether each corner is one of the bounds'.
    fn is_rectangle(&self) -> bool {
        let Some(area) = self.bounds() else {
            return false;
        };
        let near =
            |at: f64, one: f64, other: f64| (at - one).abs() < 0.5 || (at - other).abs() < 0.5;
        self.points
            .iter()
            .all(|point| near(point.x, area.x0, area.x1) && near(point.y, area.y0, area.y1))
    }
}
