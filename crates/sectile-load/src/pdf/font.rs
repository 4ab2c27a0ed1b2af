//! The fonts of a PDF: which letters stand for the codes of its texts.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use hayro_cmap::BfString;
use hayro_font::{
    CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn, StandardFont,
};
use hayro_syntax::object::dict::keys::{
    BASE_FONT, CHAR_PROCS, CID_TO_GID_MAP, DESCENDANT_FONTS, ENCODING, FLAGS, FONT_DESC, FONT_FILE,
    FONT_FILE2, FONT_FILE3, FONT_WEIGHT, SUBTYPE, TO_UNICODE,
};
use hayro_syntax::object::{Array, Dict, Name, Stream};

use super::bullets::is_bullet;
use super::calibri;
use super::composite::{self, Composite};
use super::double_byte::{DoubleByte, Wide};
use super::letters;
use super::numbered;
use super::to_unicode::ToUnicode;
use super::type3::{self, Bitmaps};
use super::widths::{self, Widths};
use crate::symbols::SymbolFont;

/// The flags of a font descriptor (ISO 32000-2, table 121).
const FIXED_PITCH: u32 = 1;
const FORCE_BOLD: u32 = 1 << 18;

/// The weight from which type is bold.
const BOLD: f32 = 600.0;

/// What names of fixed-pitch fonts hold, in small letters.
const MONOSPACE: [&str; 15] = [
    "mono",
    "monaco",
    "nimbusmon",
    "courier",
    "consol",
    "typewriter",
    "cmtt",
    "cmitt",
    "cmsltt",
    "sftt",
    "txtt",
    "menlo",
    "lettergothic",
    "fixed",
    "sourcecode",
];

/// The kinds of fonts that there are.
const KINDS: [&[u8]; 6] = [
    b"Type0",
    b"Type1",
    b"MMType1",
    b"TrueType",
    b"OpenType",
    b"Type3",
];

/// The last letter of ASCII.
const LAST_ASCII: u32 = 126;

/// The fonts that a file was found to have.
pub(super) struct Fonts<'a> {
    cache: FontCache<'a>,
    programs: FontResolverFn,
    maps: CMapResolverFn,
    known: HashMap<usize, Option<Rc<Face<'a>>>>,
    /// The dictionaries of resources whose fonts have been read, each at its place in the file.
    kin_read: HashSet<usize>,
    bitmaps: Rc<Bitmaps>,
}

/// A font, with the letters that its codes stand for.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a property of its own"
)]
pub(super) struct Face<'a> {
    font: Font<'a>,
    dictionary: Dict<'a>,
    /// What the file says that its codes stand for, where that is not valid as a whole.
    to_unicode: OnceCell<Option<ToUnicode>>,
    /// Of a composite font, what its codes stand for where the file does not say it.
    composite: OnceCell<Option<Composite>>,
    /// Of other fonts, the same where the names of glyphs say nothing.
    unnamed: OnceCell<Option<HashMap<u32, String>>>,
    /// Whether only the fonts beside it can tell that.
    needs_kin: OnceCell<bool>,
    bitmaps: Rc<Bitmaps>,
    size: OnceCell<f64>,
    /// Of a simple font, how its texts may be encoded.
    double_byte: Option<DoubleByte>,
    /// Of a simple font, the widths that the file does not say as it should.
    widths: Option<Widths>,
    letters: RefCell<HashMap<u32, Option<Rc<str>>>>,
    pub(super) is_bold: bool,
    pub(super) is_monospace: bool,
    /// Whether letters of private use are pictures that its maker numbered.
    is_of_icons: bool,
    /// The font of symbols that it is, whose letters are of private use.
    symbols: Option<SymbolFont>,
    /// Whether its codes are the numbers of glyphs of Calibri.
    is_calibri: bool,
    /// Whether nothing but ASCII is known of it.
    is_plain: bool,
}

impl<'a> Fonts<'a> {
    pub(super) fn new() -> Self {
        Self {
            cache: FontCache::new(),
            // Only widths and names of glyphs count, which the standard fonts have.
            programs: Arc::new(|query: &FontQuery| match query {
                FontQuery::Standard(font) => Some(font.get_font_data()),
                FontQuery::Fallback(font) => Some(font.pick_standard_font().get_font_data()),
            }),
            maps: Arc::new(hayro_cmap::load_embedded),
            known: HashMap::new(),
            kin_read: HashSet::new(),
            bitmaps: Rc::default(),
        }
    }

    /// Returns the font of a name, unless it cannot be read. Where only the fonts beside it tell its letters, these are
    /// read before.
    pub(super) fn named(&mut self, name: &Name<'_>, fonts: &Dict<'a>) -> Option<Rc<Face<'a>>> {
        let face = self.face(&fonts.get::<Dict<'a>>(name)?)?;
        if face.unnamed.get().is_none() && face.needs_kin() {
            self.read_kin(fonts);
        }
        Some(face)
    }

    /// Reads the letters of the fonts of a dictionary that need no other one, once.
    fn read_kin(&mut self, fonts: &Dict<'a>) {
        if !self.kin_read.insert(fonts.data().as_ptr() as usize) {
            return;
        }
        for (name, _) in fonts.entries() {
            let font = fonts.get::<Dict<'a>>(name);
            let other = font.and_then(|font| self.face(&font));
            if let Some(other) = other.filter(|other| other.is_bitmap() && !other.needs_kin()) {
                other.unnamed();
            }
        }
    }

    /// Returns the font of a dictionary, unless it cannot be read.
    pub(super) fn face(&mut self, dictionary: &Dict<'a>) -> Option<Rc<Face<'a>>> {
        let key = dictionary.data().as_ptr() as usize;
        if let Some(face) = self.known.get(&key) {
            return face.clone();
        }
        let font = self.cache.font(dictionary, &self.programs, &self.maps);
        let face = font.map(|font| Face::new(font, dictionary, self.bitmaps.clone()));
        let face = face.or_else(|| self.plain(dictionary)).map(Rc::new);
        self.known.insert(key, face.clone());
        face
    }

    /// Returns a font for one of a kind that does not exist: unless it says otherwise, its codes are those of ASCII.
    fn plain(&self, dictionary: &Dict<'a>) -> Option<Face<'a>> {
        let kind = dictionary.get::<Name<'_>>(SUBTYPE);
        let exists = kind.is_some_and(|kind| KINDS.contains(&kind.as_ref()));
        let says_otherwise = [TO_UNICODE, DESCENDANT_FONTS, CHAR_PROCS]
            .into_iter()
            .any(|key| dictionary.contains_key(key))
            || dictionary.get::<Dict<'_>>(ENCODING).is_some()
            || is_embedded(descriptor(dictionary).as_ref());
        if exists || says_otherwise {
            return None;
        }
        let font = self
            .cache
            .standard_font(StandardFont::Helvetica, &self.programs)?;
        Some(Face {
            is_plain: true,
            ..Face::new(font, dictionary, self.bitmaps.clone())
        })
    }
}

impl<'a> Face<'a> {
    fn new(font: Font<'a>, dictionary: &Dict<'a>, bitmaps: Rc<Bitmaps>) -> Self {
        let name = dictionary.get::<Name<'_>>(BASE_FONT);
        let symbols = name
            .as_ref()
            .and_then(|name| SymbolFont::of_pdf(name.as_str()));
        let name = name
            .map(|name| name.as_str().to_lowercase())
            .unwrap_or_default();
        let descriptor = descriptor(dictionary);
        let flags = descriptor
            .as_ref()
            .and_then(|of| of.get::<u32>(FLAGS))
            .unwrap_or(0);
        let weight = descriptor
            .as_ref()
            .and_then(|of| of.get::<f32>(FONT_WEIGHT))
            .unwrap_or(0.0);
        let is_bold = name.contains("bold") && !name.contains("semibold-")
            || ["heavy", "black", "cmbx"]
                .iter()
                .any(|word| name.contains(word));
        Self {
            font,
            dictionary: dictionary.clone(),
            to_unicode: OnceCell::new(),
            composite: OnceCell::new(),
            unnamed: OnceCell::new(),
            needs_kin: OnceCell::new(),
            bitmaps,
            size: OnceCell::new(),
            double_byte: double_byte(dictionary, descriptor.as_ref()),
            widths: is_simple(dictionary)
                .then(|| Widths::of_damaged_font(dictionary))
                .flatten(),
            letters: RefCell::default(),
            is_bold: is_bold || weight >= BOLD || flags & FORCE_BOLD != 0,
            is_monospace: flags & FIXED_PITCH != 0
                || has_name_of_fixed_pitch(&name)
                || is_simple(dictionary) && widths::are_of_typewriter(dictionary),
            is_of_icons: name.contains("awesome") || name.contains("icon"),
            symbols,
            is_calibri: name.contains("calibri")
                && is_composite(dictionary)
                && has_glyph_numbers(dictionary),
            is_plain: false,
        }
    }

    /// Returns the next code of a text and how many bytes it has.
    pub(super) fn code(&self, bytes: &[u8], at: usize) -> (u32, usize) {
        self.font.read_code(bytes, at)
    }

    /// Returns how far a code moves on, in multiples of the type size: across or, in type that is set
    /// from top to bottom, down.
    pub(super) fn advance(&self, code: u32) -> f64 {
        if let Some(width) = self.widths.as_ref().and_then(|widths| widths.of(code)) {
            return width;
        }
        let advance = self.font.code_advance(code);
        let units = if self.is_horizontal() {
            advance.x
        } else {
            advance.y
        };
        units / f64::from(hayro_font::UNITS_PER_EM)
    }

    /// Returns the type size where the font is set at size 1.
    pub(super) fn size(&self) -> f64 {
        *self.size.get_or_init(|| {
            if !self.is_bitmap() {
                return 1.0;
            }
            let letter = |code| self.letters(code)?.chars().next();
            let known = (0..256).filter_map(|code| Some((letter(code)?, self.advance(code))));
            type3::size(known)
        })
    }

    pub(super) fn is_horizontal(&self) -> bool {
        self.font.is_horizontal()
    }

    /// Returns what a code stands for, if that can be known: nothing where another glyph stands for the letters of
    /// several.
    pub(super) fn letters(&self, code: u32) -> Option<Rc<str>> {
        let mut known = self.letters.borrow_mut();
        known
            .entry(code)
            .or_insert_with(|| self.look_up(code).map(Into::into))
            .clone()
    }

    /// Decodes a text whose letters have two bytes, though the font has one byte per letter.
    pub(super) fn wide_letters(&self, text: &[u8]) -> Option<Vec<Wide>> {
        self.double_byte.as_ref()?.decode(text)
    }

    fn look_up(&self, code: u32) -> Option<String> {
        if self.is_plain && code > LAST_ASCII {
            return None;
        }
        let to_unicode = self
            .to_unicode
            .get_or_init(|| ToUnicode::of_font(&self.dictionary));
        let own = to_unicode.as_ref().and_then(|map| map.letters(code));
        if own.as_deref() == Some("") {
            return own;
        }
        let number = self.font.map_code(code);
        let glyph = self.font.glyph(number, code);
        let unicode = || match &glyph {
            FontGlyph::Outline(glyph) => glyph.as_unicode(),
            FontGlyph::Type3(glyph) => glyph.as_unicode(),
        };
        let stated = own.or_else(|| unicode().map(text));
        let stated = stated.and_then(|text| self.readable(&text));
        let ligature = || calibri::ligature(code, stated.as_deref());
        if let Some(letters) = self.is_calibri.then(ligature).flatten() {
            return Some(letters.to_owned());
        }
        let public = stated
            .clone()
            .filter(|text| text.chars().all(composite::is_public));
        public
            .or_else(|| self.composite_letters(code, number.to_u32(), &glyph))
            .or_else(|| self.letter_of_code(code))
            .or_else(|| self.unnamed_letters(code))
            .or(stated)
    }

    fn composite_letters(&self, code: u32, number: u32, glyph: &FontGlyph<'_>) -> Option<String> {
        let new =
            || is_composite(&self.dictionary).then(|| Composite::new(&self.dictionary, glyph))?;
        let composite = self.composite.get_or_init(new).as_ref()?;
        self.readable(&text(composite.letters(code, number)?))
    }

    /// Returns the letter whose number in Unicode a code is, where the file says that codes are such numbers.
    fn letter_of_code(&self, code: u32) -> Option<String> {
        let letter = char::from_u32(code).filter(|_| has_unicode_codes(&self.dictionary))?;
        self.readable(letter.encode_utf8(&mut [0; 4]))
    }

    /// Returns a text without control characters, unless nothing is left, and with the letters that those of private use
    /// are forms of, or that a font of symbols shows for them.
    fn readable(&self, text: &str) -> Option<String> {
        let text: String = match self.symbols {
            _ if self.is_of_icons => letters::shown(text).collect(),
            Some(symbols) => letters::readable(&symbols.shown(text)),
            None => letters::readable(text),
        };
        (!text.is_empty()).then_some(text)
    }

    fn unnamed_letters(&self, code: u32) -> Option<String> {
        self.unnamed()?.get(&code).cloned()
    }

    fn unnamed(&self) -> Option<&HashMap<u32, String>> {
        let width = |code| self.font.code_advance(code).x;
        let letters = self.unnamed.get_or_init(|| {
            self.bitmaps
                .letters(&self.dictionary, width)
                .or_else(|| numbered::letters(&self.dictionary, width))
        });
        letters.as_ref()
    }

    fn is_bitmap(&self) -> bool {
        type3::is_type3(&self.dictionary)
    }

    fn needs_kin(&self) -> bool {
        let width = |code| self.font.code_advance(code).x;
        *self
            .needs_kin
            .get_or_init(|| type3::needs_kin(&self.dictionary, width))
    }
}

/// Returns whether a letter leaves open what it is: it stands for one that could not be written, or is of private use,
/// so that only its font shows it. Those of Adobe's list of glyphs are known, and those that fonts of symbols have for
/// bullets.
pub(super) fn is_left_open(letter: char) -> bool {
    let is_open =
        matches!(letter, char::REPLACEMENT_CHARACTER | '\u{e000}'..='\u{f633}' | '\u{f0000}'..);
    is_open && !is_bullet(letter.encode_utf8(&mut [0; 4]))
}

fn text(letters: BfString) -> String {
    match letters {
        BfString::Char(letter) => letter.into(),
        BfString::String(text) => text,
    }
}

fn is_composite(dictionary: &Dict<'_>) -> bool {
    dictionary
        .get::<Name<'_>>(SUBTYPE)
        .is_some_and(|name| name.as_ref() == b"Type0")
}

/// Returns whether the codes of a composite font are the numbers of letters in Unicode: its map is the name of the one
/// that changes nothing. Not where the codes are the numbers of glyphs in a program of its own, whatever the file says.
fn has_unicode_codes(dictionary: &Dict<'_>) -> bool {
    let map = dictionary.get::<Name<'_>>(TO_UNICODE);
    let says_so = map.is_some_and(|map| matches!(map.as_ref(), b"Identity-H" | b"Identity-V"));
    says_so && is_composite(dictionary) && !has_glyph_numbers(dictionary)
}

/// Returns whether the codes of a composite font are the numbers of glyphs in a program of its own.
fn has_glyph_numbers(dictionary: &Dict<'_>) -> bool {
    is_embedded(descriptor(dictionary).as_ref())
        && descendant(dictionary)
            .and_then(|part| part.get::<Stream<'_>>(CID_TO_GID_MAP))
            .is_none()
}

/// Returns whether a name in small letters is that of a fixed-pitch font. Monotype made fonts of all kinds.
fn has_name_of_fixed_pitch(name: &str) -> bool {
    let name = name.replace("monotype", "");
    MONOSPACE.iter().any(|word| name.contains(word))
}

/// Returns whether a font has one byte a letter, and glyphs in a program.
fn is_simple(dictionary: &Dict<'_>) -> bool {
    let subtype = dictionary.get::<Name<'_>>(SUBTYPE);
    subtype.is_some_and(|subtype| matches!(subtype.as_ref(), b"Type1" | b"MMType1" | b"TrueType"))
}

/// Returns how the texts of a simple font may be encoded that is not in the file, nor what its codes mean.
fn double_byte(dictionary: &Dict<'_>, descriptor: Option<&Dict<'_>>) -> Option<DoubleByte> {
    let is_embedded = is_embedded(descriptor);
    if !is_simple(dictionary) || is_embedded || dictionary.contains_key(TO_UNICODE) {
        return None;
    }
    DoubleByte::of_name(&dictionary.get::<Name<'_>>(BASE_FONT)?)
}

/// Returns what is said of the looks of a font; of a composite font, of the one that it is made of.
fn descriptor<'a>(dictionary: &Dict<'a>) -> Option<Dict<'a>> {
    let own = dictionary.get::<Dict<'a>>(FONT_DESC);
    own.or_else(|| descendant(dictionary)?.get(FONT_DESC))
}

/// Returns the font that a composite font is made of.
fn descendant<'a>(dictionary: &Dict<'a>) -> Option<Dict<'a>> {
    let parts = dictionary.get::<Array<'a>>(DESCENDANT_FONTS)?;
    parts.iter::<Dict<'a>>().next()
}

/// Returns whether the program of a font is in the file.
fn is_embedded(descriptor: Option<&Dict<'_>>) -> bool {
    let programs = [FONT_FILE, FONT_FILE2, FONT_FILE3];
    descriptor.is_some_and(|of| programs.into_iter().any(|key| of.contains_key(key)))
}
