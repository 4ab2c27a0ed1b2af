//! The content of a page, followed for what is drawn.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use hayro_syntax::Pdf;
use hayro_syntax::object::dict::keys::CONTENTS;
use hayro_syntax::object::{Array, Dict, Object, ObjectIdentifier, Stream};
use hayro_syntax::page::{Page, Resources};
use kurbo::{Affine, Rect};

use super::drawn::Drawn;
use super::font::{Face, Fonts};
use super::layers::Layers;
use super::objects::{has_old_fields, name_of};
use super::paint::Paint;
use super::tags::{Tagged, Tags};
use super::tracking::Tracking;
use path::Path;

mod letters;
mod marks;
mod operators;
mod painting;
mod path;

/// How deep drawings may be nested in each other.
const MAX_DEPTH: usize = 24;

/// How many drawings are followed on a page: hostile ones draw each other over and over.
const MAX_DRAWINGS: usize = 20_000;

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
    tagged: Option<Tagged>,
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
}
