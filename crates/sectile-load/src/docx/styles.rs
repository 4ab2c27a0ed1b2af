//! The styles of a document, as far as they decide about headings, lists and hidden text.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

use crate::code_paragraphs;
use crate::failure::Failure;
use crate::superscript::Rise;
use crate::xml::{Element, Node, Vocabulary, Walk};

/// How a style begins and ends, and how the part ends, in all files that programs write.
const BEGIN: &[u8] = b"<w:style ";
const END: &[u8] = b"</w:style>";
const END_OF_PART: &str = "</w:styles>";

/// The property that makes a paragraph an item of a list.
pub(super) const LIST: &[u8] = b"numPr";

/// How many styles a style may inherit from; more is a circle.
const MAX_ANCESTORS: usize = 64;

/// How the built-in heading styles are called where Word, or a program that imitates it, is
/// localised; also without the letters that Word leaves out of ids.
const HEADING_NAMES: [&str; 27] = [
    "heading",
    "überschrift",
    "berschrift",
    "titre",
    "título",
    "ttulo",
    "titulo",
    "titolo",
    "rubrik",
    "overskrift",
    "kop",
    "nagłówek",
    "nagwek",
    "naglowek",
    "заголовок",
    "見出し",
    "标题",
    "標題",
    "제목",
    "otsikko",
    "nadpis",
    "címsor",
    "cmsor",
    "başlık",
    "balk",
    "επικεφαλίδα",
    "encabezado",
];

/// The paragraph and character styles by their ids. A file lists hundreds, and a document uses a
/// few, so each is parsed on its first use.
#[derive(Debug, Default)]
pub(super) struct Styles {
    xml: String,
    by_id: HashMap<String, Entry>,
}

/// A style, and where it is written.
#[derive(Debug)]
struct Entry {
    place: Range<usize>,
    style: OnceCell<Style>,
}

/// What one style says itself.
#[derive(Debug, Default)]
struct Style {
    name: String,
    based_on: Option<String>,
    outline_level: Option<u8>,
    list: ListLevel,
    hidden: Option<bool>,
    rise: Option<Rise>,
    monospaced: Option<bool>,
    bold: Option<bool>,
    size: Option<u16>,
}

/// A list and a level in it, each where it is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ListLevel {
    pub(super) list: Option<u32>,
    pub(super) level: Option<usize>,
}

impl ListLevel {
    /// Fills in what is not said here.
    pub(super) fn or(self, inherited: Self) -> Self {
        Self {
            list: self.list.or(inherited.list),
            level: self.level.or(inherited.level),
        }
    }
}

impl Styles {
    /// Reads the styles part.
    pub(super) fn read(xml: String) -> Result<Self, Failure> {
        if !xml.trim_end().ends_with(END_OF_PART) {
            return Self::parse(&xml);
        }
        let mut by_id = HashMap::new();
        let mut start = memmem::find(xml.as_bytes(), BEGIN);
        while let Some(begin) = start {
            let rest = &xml[begin..];
            let Some(length) = memmem::find(rest.as_bytes(), END) else {
                return Self::parse(&xml);
            };
            let mut walk = Walk::new(rest);
            if let Node::Open(element) = walk.next()?
                && let Some(id) = element.attribute("styleId")
            {
                let place = begin..begin + length + END.len();
                let style = OnceCell::new();
                by_id.insert(id, Entry { place, style });
            }
            let after = begin + length;
            start = memmem::find(&xml.as_bytes()[after..], BEGIN).map(|next| after + next);
        }
        Ok(Self { xml, by_id })
    }

    /// Reads a styles part that is written in another way than programs write it, or is damaged.
    fn parse(xml: &str) -> Result<Self, Failure> {
        let mut styles = Self::default();
        let mut id = String::new();
        let mut style = Style::default();
        let mut walk = Walk::new(xml);
        loop {
            match walk.next()? {
                Node::Open(element) if element.is_before_change() => walk.skip()?,
                Node::Open(element) if element.vocabulary == Vocabulary::Word => {
                    if element.name() == "style" {
                        let next = element.attribute("styleId").unwrap_or_default();
                        styles.add(std::mem::replace(&mut id, next), std::mem::take(&mut style));
                    } else {
                        style.add(&element);
                    }
                }
                Node::End => {
                    styles.add(id, style);
                    return Ok(styles);
                }
                Node::Open(_) | Node::Close | Node::Text(_) => {}
            }
        }
    }

    fn add(&mut self, id: String, style: Style) {
        if !id.is_empty() {
            let style = OnceCell::from(style);
            self.by_id.insert(id, Entry { place: 0..0, style });
        }
    }

    fn get(&self, id: &str) -> Option<(&str, &Style)> {
        let (id, entry) = self.by_id.get_key_value(id)?;
        let parse = || Style::parse(&self.xml[entry.place.clone()]);
        Some((id, entry.style.get_or_init(parse)))
    }

    /// Returns whether a style may make items of lists.
    pub(super) fn may_have_lists(&self) -> bool {
        self.xml.is_empty() || memmem::find(self.xml.as_bytes(), LIST).is_some()
    }

    /// Returns the level, 1 to 9, of the heading that paragraphs of the style `id` are.
    pub(super) fn heading_level(&self, id: &str) -> Option<u8> {
        if !self.by_id.contains_key(id) {
            return level_of_name(id);
        }
        let mut levels = self
            .ancestors(id)
            .filter_map(|(id, style)| style.outline_level(id));
        levels.next().filter(|level| (1..=9).contains(level))
    }

    /// Returns the list that paragraphs of the style `id` belong to.
    pub(super) fn list(&self, id: &str) -> ListLevel {
        let said = self.ancestors(id).map(|(_, style)| style.list);
        said.fold(ListLevel::default(), ListLevel::or)
    }

    /// Returns whether text in the style `id` is hidden.
    pub(super) fn is_hidden(&self, id: &str) -> bool {
        self.ancestors(id)
            .find_map(|(_, style)| style.hidden)
            .unwrap_or_default()
    }

    /// Says where text in the style `id` stands.
    pub(super) fn rise(&self, id: &str) -> Rise {
        self.ancestors(id)
            .find_map(|(_, style)| style.rise)
            .unwrap_or_default()
    }

    /// Returns whether the characters of text in the style `id` are equally wide.
    pub(super) fn is_monospaced(&self, id: &str) -> bool {
        self.ancestors(id)
            .find_map(|(_, style)| style.monospaced)
            .unwrap_or_default()
    }

    /// Returns whether text in the style `id` is bold, where it says so.
    pub(super) fn bold(&self, id: &str) -> Option<bool> {
        self.ancestors(id).find_map(|(_, style)| style.bold)
    }

    /// Returns the size of text in the style `id`, in half points, where it says so.
    pub(super) fn size(&self, id: &str) -> Option<u16> {
        self.ancestors(id).find_map(|(_, style)| style.size)
    }

    /// Returns the level of the entries of a table of contents that are in the style `id`.
    pub(super) fn contents_level(&self, id: &str) -> Option<u8> {
        let (_, style) = self.get(id)?;
        let name = style.name.to_lowercase();
        name.strip_prefix("toc ")?.parse().ok()
    }

    /// Returns whether paragraphs of the style `id` are code.
    pub(super) fn is_code(&self, id: &str) -> bool {
        if !self.by_id.contains_key(id) {
            return code_paragraphs::is_style(id);
        }
        let mut names = self.ancestors(id).map(|(_, style)| &style.name);
        names.any(|name| code_paragraphs::is_style(name))
    }

    /// Goes from the style `id` through those it is based on.
    fn ancestors<'a>(&'a self, id: &'a str) -> impl Iterator<Item = (&'a str, &'a Style)> {
        let first = self.get(id);
        let chain = std::iter::successors(first, |(_, style)| self.get(style.based_on.as_ref()?));
        chain.take(MAX_ANCESTORS)
    }
}

impl Style {
    /// Parses the element of a style, as far as it can be.
    fn parse(xml: &str) -> Self {
        let mut style = Self::default();
        let mut walk = Walk::new(xml);
        while let Ok(node) = walk.next() {
            match node {
                Node::Open(element) if element.is_before_change() => {
                    if walk.skip().is_err() {
                        break;
                    }
                }
                Node::Open(element) if element.vocabulary == Vocabulary::Word => {
                    style.add(&element);
                }
                Node::End => break,
                Node::Open(_) | Node::Close | Node::Text(_) => {}
            }
        }
        style
    }

    fn add(&mut self, element: &Element) {
        match element.name() {
            "name" => self.name = element.value().unwrap_or_default(),
            "basedOn" => self.based_on = element.value(),
            "outlineLvl" => self.outline_level = element.number(),
            "numId" => self.list.list = element.number(),
            "ilvl" => self.list.level = element.number(),
            "vanish" => self.hidden = Some(element.is_on()),
            "rFonts" => {
                self.monospaced = font(element).map(|font| code_paragraphs::is_monospaced(&font));
            }
            "vertAlign" => self.rise = Some(rise(element)),
            "b" => self.bold = Some(element.is_on()),
            "sz" => self.size = element.number(),
            _ => {}
        }
    }

    /// Returns the level where this style decides, 10 where it decides for body text.
    fn outline_level(&self, id: &str) -> Option<u8> {
        if let Some(level) = self.outline_level {
            return Some(level.saturating_add(1));
        }
        level_of_name(&self.name).or_else(|| level_of_name(id))
    }
}

/// Returns the font of Latin letters.
pub(super) fn font(element: &Element) -> Option<String> {
    element
        .attribute("ascii")
        .or_else(|| element.attribute("hAnsi"))
}

/// Returns the level of the built-in heading style with this name or id, in any language. The
/// title of a document is a heading of the first level.
fn level_of_name(name: &str) -> Option<u8> {
    let name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    let name = name.to_lowercase();
    if name == "title" {
        return Some(1);
    }
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let level: u8 = name[base.len()..].parse().ok()?;
    let is_heading = HEADING_NAMES.contains(&base) && (1..=9).contains(&level);
    is_heading.then_some(level)
}

/// Says where text stands that has the property `vertAlign`.
pub(super) fn rise(element: &Element) -> Rise {
    match element.value().as_deref() {
        Some("superscript") => Rise::Raised,
        Some("subscript") => Rise::Lowered,
        _ => Rise::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn styles(inner: &str) -> Styles {
        Styles::read(format!("<w:styles>{inner}</w:styles>")).unwrap()
    }

    #[test]
    fn headings_are_known_in_many_languages() {
        for (name, level) in [
            ("heading 1", 1),
            ("Heading2", 2),
            ("Überschrift 3", 3),
            ("berschrift3", 3),
            ("見出し 1", 1),
            ("Title", 1),
            ("titre 9", 9),
        ] {
            assert_eq!(level_of_name(name), Some(level), "{name}");
        }
        for name in [
            "heading",
            "heading 10",
            "heading 1 char",
            "Subtitle",
            "List 1",
            "",
        ] {
            assert_eq!(level_of_name(name), None, "{name}");
        }
    }

    #[test]
    fn levels_are_inherited_and_can_be_taken_back() {
        let styles = styles(
            "<w:style w:styleId='a'><w:name w:val='heading 2'/></w:style>
             <w:style w:styleId='b'><w:name w:val='Mine'/><w:basedOn w:val='a'/></w:style>
             <w:style w:styleId='c'><w:name w:val='TOC Heading'/><w:basedOn w:val='a'/>
               <w:pPr><w:outlineLvl w:val='9'/></w:pPr></w:style>
             <w:style w:styleId='d'><w:name w:val='Level'/><w:outlineLvl w:val='3'/></w:style>
             <w:style w:styleId='e'><w:basedOn w:val='f'/></w:style>
             <w:style w:styleId='f'><w:basedOn w:val='e'/></w:style>",
        );
        let levels = ["a", "b", "c", "d", "e", "Heading4"].map(|id| styles.heading_level(id));
        assert_eq!(levels, [Some(2), Some(2), None, Some(4), None, Some(4)]);
    }

    #[test]
    fn lists_and_hiding_are_inherited() {
        let styles = styles(
            "<w:style w:styleId='a'><w:pPr><w:numPr><w:numId w:val='7'/></w:numPr></w:pPr>
               <w:rPr><w:vanish/></w:rPr></w:style>
             <w:style w:styleId='b'><w:basedOn w:val='a'/><w:pPr><w:numPr><w:ilvl w:val='1'/>
               </w:numPr></w:pPr></w:style>
             <w:style w:styleId='c'><w:basedOn w:val='b'/><w:rPr><w:vanish w:val='0'/></w:rPr></w:style>",
        );
        assert_eq!(
            styles.list("b"),
            ListLevel {
                list: Some(7),
                level: Some(1)
            }
        );
        assert!(styles.is_hidden("b") && !styles.is_hidden("c") && !styles.is_hidden("none"));
    }

    #[test]
    fn properties_before_a_tracked_change_are_passed_over() {
        let xml = "<w:styles><w:style w:styleId='a'><w:name w:val='A'/>
               <w:pPr><w:outlineLvl w:val='1'/><w:numPr><w:numId w:val='7'/></w:numPr><w:pPrChange><w:pPr>
               <w:outlineLvl w:val='4'/><w:numPr><w:numId w:val='8'/></w:numPr></w:pPr></w:pPrChange></w:pPr>
               <w:rPr><w:rPrChange><w:rPr><w:vanish/><w:vertAlign w:val='superscript'/></w:rPr></w:rPrChange></w:rPr>
             </w:style></w:styles>";
        for styles in [Styles::read(xml.into()), Styles::parse(xml)] {
            let styles = styles.unwrap();
            assert_eq!(styles.heading_level("a"), Some(2));
            assert_eq!(styles.list("a").list, Some(7));
            assert!(!styles.is_hidden("a") && styles.rise("a") == Rise::None);
        }
    }
}
