//! What the codes of composite fonts stand for where the file does not say it: by the character collection
//! that their glyphs are numbered in, or by the embedded font program.

use std::collections::HashMap;

use hayro_cmap::{BfString, CMap, CMapName, CidFamily};
use hayro_font::FontGlyph;
use hayro_syntax::object::dict::keys::{CIDSYSTEMINFO, DESCENDANT_FONTS, ENCODING};
use hayro_syntax::object::{Array, Dict, Name, Object, String as Bytes};
use skrifa::{FontRef, MetadataProvider as _};

/// How many bytes a code has at most.
const LONGEST_CODE: u8 = 4;

/// How the codes of a font become letters.
pub(super) enum Composite {
    /// The numbers of glyphs by codes, and letters by these numbers.
    Collection {
        numbers: Box<CMap>,
        letters: Box<CMap>,
    },
    /// Letters by the numbers of glyphs in the font program.
    Program(HashMap<u32, char>),
}

impl Composite {
    /// Looks for the letters of a composite font; `glyph` is one of its glyphs.
    pub(super) fn new(font: &Dict<'_>, glyph: &FontGlyph<'_>) -> Option<Self> {
        Self::of_collection(font).or_else(|| Self::of_program(glyph))
    }

    fn of_collection(font: &Dict<'_>) -> Option<Self> {
        let numbers = match font.get::<Object<'_>>(ENCODING)? {
            Object::Name(name) => predefined(&name)?,
            Object::Stream(stream) => parsed(&stream.decoded_data().ok()?)?,
            _ => return None,
        };
        let own = numbers.metadata().character_collection.as_ref();
        let family = own
            .map(|collection| collection.family.clone())
            .filter(|family| family.ucs2_cmap().is_some())
            .or_else(|| family(font))?;
        let letters = parsed(hayro_cmap::load_embedded(family.ucs2_cmap()?)?)?;
        Some(Self::Collection {
            numbers: Box::new(numbers),
            letters: Box::new(letters),
        })
    }

    fn of_program(glyph: &FontGlyph<'_>) -> Option<Self> {
        let FontGlyph::Outline(glyph) = glyph else {
            return None;
        };
        let data = glyph.font_data()?.data;
        let program = FontRef::new((*data).as_ref()).ok()?;
        let map = program.charmap();
        // The codes of symbols are no letters.
        if map.is_symbol() {
            return None;
        }
        let mut letters = HashMap::new();
        for (letter, glyph) in map.mappings() {
            if let Some(letter) = char::from_u32(letter).filter(|&letter| is_public(letter)) {
                letters.entry(glyph.to_u32()).or_insert(letter);
            }
        }
        (!letters.is_empty()).then_some(Self::Program(letters))
    }

    /// Returns what a code stands for, which is drawn as `glyph`.
    pub(super) fn letters(&self, code: u32, glyph: u32) -> Option<BfString> {
        match self {
            Self::Collection { numbers, letters } => {
                let number = (1..=LONGEST_CODE)
                    .find_map(|length| numbers.lookup_cid_code(code, length))
                    .filter(|&number| number > 0)?;
                letters.lookup_bf_string(number)
            }
            Self::Program(letters) => letters.get(&glyph).copied().map(BfString::Char),
        }
    }
}

/// Returns whether a letter is not one of private use, nor a control character, nor stands for one that could not be
/// written.
pub(super) fn is_public(letter: char) -> bool {
    !letter.is_control()
        && !matches!(letter, '\u{e000}'..='\u{f8ff}' | char::REPLACEMENT_CHARACTER | '\u{f0000}'..)
}

fn predefined(name: &Name<'_>) -> Option<CMap> {
    match CMapName::from_bytes(name) {
        CMapName::IdentityH => Some(CMap::identity_h()),
        CMapName::IdentityV => Some(CMap::identity_v()),
        name => parsed(hayro_cmap::load_embedded(name)?),
    }
}

fn parsed(map: &[u8]) -> Option<CMap> {
    CMap::parse(map, hayro_cmap::load_embedded)
}

/// Returns the collection that the glyphs of a font are numbered in.
fn family(font: &Dict<'_>) -> Option<CidFamily> {
    let parts = font.get::<Array<'_>>(DESCENDANT_FONTS)?;
    let part = parts.iter::<Dict<'_>>().next()?;
    let system = part.get::<Dict<'_>>(CIDSYSTEMINFO)?;
    let registry = system.get::<Bytes<'_>>("Registry")?;
    let ordering = system.get::<Bytes<'_>>("Ordering")?;
    let family = CidFamily::from_registry_ordering(registry.as_bytes(), ordering.as_bytes());
    family.ucs2_cmap().is_some().then_some(family)
}
