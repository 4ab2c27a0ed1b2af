//! What the structure tree of a tagged file says of the parts of its pages (ISO 32000-2, 14.7 and 14.8).

use std::collections::HashMap;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Dict, Name, Object, ObjectIdentifier};

use super::objects::{catalog, name_of};

/// How deep elements may be nested, how many are read, and how many names stand for each other.
const MAX_DEPTH: usize = 64;
const MAX_ELEMENTS: usize = 500_000;
const MAX_ROLES: usize = 8;

/// The widest span of a cell, in columns.
const MAX_SPAN: u32 = 100;

/// What a part of a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// Part of a heading of this level; the number tells headings apart.
    Heading { level: u8, number: u32 },
    /// Part of a cell, by the numbers of its table, row and column, and how many columns it goes over. Where
    /// writers leave out empty cells, those behind them have too small a number.
    Cell {
        table: u32,
        row: u32,
        column: u32,
        span: u32,
    },
    /// Something else.
    Other,
}

/// What the tree says of a marked part of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tagged {
    pub(super) role: Role,
    /// How far it stands above the line, in points; below it, if less than nothing. Some writers say so of letters
    /// that their font draws raised, on the baseline.
    pub(super) shift: f64,
    /// Whether it is what stands first behind the mark of a note.
    pub(super) is_behind_mark: bool,
}

/// What is said of the marked parts of all pages, by page and the number of the part.
#[derive(Debug, Default)]
pub(super) struct Tags {
    parts: HashMap<(ObjectIdentifier, i64), Tagged>,
}

/// Where in the tree an element stands.
#[derive(Clone, Copy)]
struct Place {
    page: Option<ObjectIdentifier>,
    role: Role,
    shift: f64,
    /// The table that it is in.
    table: Option<u32>,
    /// Whether it is in the mark of a note.
    is_mark: bool,
}

/// Where in a note the walk is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Note {
    Begins,
    BehindMark,
    /// Further on, or in none.
    Other,
}

/// Walks the tree.
struct Walk<'a> {
    tags: Tags,
    /// Names of elements that stand for others.
    roles: Option<Dict<'a>>,
    elements: usize,
    headings: u32,
    tables: u32,
    row: u32,
    column: u32,
    note: Note,
}

impl Tags {
    /// Reads the tree of a file; nothing of one that has none.
    pub(super) fn new(pdf: &Pdf) -> Self {
        let root = catalog(pdf).and_then(|catalog| catalog.get::<Dict<'_>>("StructTreeRoot"));
        let Some(root) = root else {
            return Self::default();
        };
        let mut walk = Walk {
            tags: Self::default(),
            roles: root.get("RoleMap"),
            elements: 0,
            headings: 0,
            tables: 0,
            row: 0,
            column: 0,
            note: Note::Other,
        };
        let place = Place {
            page: None,
            role: Role::Other,
            shift: 0.0,
            table: None,
            is_mark: false,
        };
        walk.kids(&root, place, 0);
        walk.tags
    }

    /// Returns what is said of a part of a page, if the tree has it.
    pub(super) fn of(&self, page: ObjectIdentifier, part: i64) -> Option<Tagged> {
        self.parts.get(&(page, part)).copied()
    }
}

impl<'a> Walk<'a> {
    /// Walks what is under an element.
    fn kids(&mut self, element: &Dict<'a>, place: Place, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match element.get::<Object<'a>>("K") {
            Some(Object::Array(kids)) => {
                for kid in kids.iter::<Object<'a>>() {
                    self.kid(&kid, place, depth);
                }
            }
            Some(kid) => self.kid(&kid, place, depth),
            None => {}
        }
    }

    fn kid(&mut self, kid: &Object<'a>, place: Place, depth: usize) {
        self.elements += 1;
        if self.elements > MAX_ELEMENTS {
            return;
        }
        match kid {
            Object::Number(part) => self.part(place.page, part.as_i64(), place),
            Object::Dict(kid) if kid.contains_key("MCID") => {
                let page = kid.get_ref("Pg").map(Into::into).or(place.page);
                // Parts of drawings within the page are counted by themselves.
                if let (Some(part), None) = (kid.get::<i64>("MCID"), kid.get_ref("Stm")) {
                    self.part(page, part, place);
                }
            }
            Object::Dict(element) => self.element(element, place, depth),
            _ => {}
        }
    }

    fn part(&mut self, page: Option<ObjectIdentifier>, part: i64, place: Place) {
        let tagged = Tagged {
            role: place.role,
            shift: place.shift,
            is_behind_mark: !place.is_mark && self.note == Note::BehindMark,
        };
        if !place.is_mark {
            self.note = Note::Other;
        }
        if let Some(page) = page {
            self.tags.parts.insert((page, part), tagged);
        }
    }

    fn element(&mut self, element: &Dict<'a>, place: Place, depth: usize) {
        let mut place = Place {
            page: element.get_ref("Pg").map(Into::into).or(place.page),
            shift: shift(element).unwrap_or(place.shift),
            ..place
        };
        let Some(name) = name_of(element, "S").map(|name| self.standard(name)) else {
            return self.kids(element, place, depth + 1);
        };
        match &*name {
            b"Table" if place.table.is_none() => {
                self.tables += 1;
                (self.row, self.column) = (0, 0);
                place.table = Some(self.tables);
            }
            b"TR" if place.table.is_some() => {
                self.row += 1;
                self.column = 0;
            }
            b"TH" | b"TD" => {
                if let (Some(table), false) = (place.table, self.row == 0) {
                    let span = span(element);
                    place.role = Role::Cell {
                        table,
                        row: self.row - 1,
                        column: self.column,
                        span,
                    };
                    self.column += span;
                }
            }
            [b'H', level @ b'1'..=b'6'] if place.table.is_none() => {
                self.headings += 1;
                place.role = Role::Heading {
                    level: level - b'0',
                    number: self.headings,
                };
            }
            b"Note" | b"FENote" => {
                // Some writers put it into the cell that has its mark, though it stands at the foot of the page.
                self.note = Note::Begins;
                place.is_mark = false;
                place.role = Role::Other;
            }
            b"Lbl" if self.note == Note::Begins => place.is_mark = true,
            _ => {}
        }
        self.kids(element, place, depth + 1);
        match &*name {
            b"Note" | b"FENote" => self.note = Note::Other,
            b"Lbl" if place.is_mark => self.note = Note::BehindMark,
            _ => {}
        }
    }

    /// Returns the standard name that a name stands for.
    fn standard(&self, name: Name<'a>) -> Vec<u8> {
        let mut name = name;
        for _ in 0..MAX_ROLES {
            let known = self.roles.as_ref();
            let Some(other) = known.and_then(|roles| roles.get::<Name<'a>>(name.as_ref())) else {
                break;
            };
            name = other;
        }
        name.as_ref().to_vec()
    }
}

/// Returns how many columns a cell spans.
fn span(cell: &Dict<'_>) -> u32 {
    let span = attribute(cell, |attributes| attributes.get::<u32>("ColSpan"));
    span.unwrap_or(1).clamp(1, MAX_SPAN)
}

/// Returns how far an element says that it stands above the line (ISO 32000-2, 14.8.5.4).
fn shift(element: &Dict<'_>) -> Option<f64> {
    attribute(element, |attributes| {
        match name_of(attributes, "TextPosition").as_deref() {
            Some(b"Sup") => Some(f64::INFINITY),
            Some(b"Sub") => Some(f64::NEG_INFINITY),
            _ => attributes.get::<f64>("BaselineShift"),
        }
    })
}

/// Returns what the attributes of an element say first.
fn attribute<T>(element: &Dict<'_>, of: impl Fn(&Dict<'_>) -> Option<T>) -> Option<T> {
    match element.get::<Object<'_>>("A")? {
        Object::Dict(attributes) => of(&attributes),
        Object::Array(all) => all
            .iter::<Dict<'_>>()
            .find_map(|attributes| of(&attributes)),
        _ => None,
    }
}
