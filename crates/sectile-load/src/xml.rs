//! A walk over XML: elements by vocabulary and local name, whatever the prefix.

use std::borrow::Cow;

use memchr::memmem::Finder;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::PrefixDeclaration;
use quick_xml::reader::Reader;

use crate::failure::Failure;

/// How deep elements may be nested; Word itself stops at some hundreds.
const MAX_DEPTH: usize = 4_096;

/// How many declarations of namespaces that matter are kept; real documents have three.
const MAX_DECLARED: usize = 64;

/// What every declaration of a namespace begins with.
const DECLARATION: &[u8] = b"xmlns";

/// The namespaces that matter, transitional and strict.
const WORD: [&str; 2] = [
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
];
const MATH: [&str; 2] = [
    "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "http://purl.oclc.org/ooxml/officeDocument/math",
];
const COMPATIBILITY: &str = "http://schemas.openxmlformats.org/markup-compatibility/2006";

/// The vocabulary an element belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    Word,
    Math,
    Compatibility,
    Other,
}

/// The start of an element.
#[derive(Debug)]
pub(crate) struct Element<'a> {
    pub(crate) vocabulary: Vocabulary,
    start: BytesStart<'a>,
}

impl Element<'_> {
    /// Returns the local name.
    pub(crate) fn name(&self) -> &str {
        self.start.local_name().into_inner()
    }

    /// Returns the attribute with this local name.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.start.attributes();
        let mut attributes = attributes.with_checks(false).flatten();
        let found = attributes.find(|one| one.key.local_name().into_inner() == name)?;
        let value = found.normalized_value(XmlVersion::Implicit1_0);
        Some(value.map_or_else(|_| found.value.into_owned(), Cow::into_owned))
    }

    /// Returns the name of each attribute, with its prefix, and its value.
    #[cfg(any(feature = "ods", feature = "odt", feature = "xml"))]
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let mut attributes = self.start.attributes();
        attributes.with_checks(false);
        attributes.flatten().map(|found| {
            let value = found.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_or_else(|_| found.value.into_owned(), Cow::into_owned);
            (found.key.into_inner().to_string(), value)
        })
    }

    /// Returns the attribute with this local name that has a prefix, such as `r:id` beside `id`.
    #[cfg(any(feature = "pptx", feature = "xlsx"))]
    pub(crate) fn prefixed(&self, name: &str) -> Option<String> {
        let mut attributes = self.start.attributes();
        let mut attributes = attributes.with_checks(false).flatten();
        let found = attributes
            .find(|one| one.key.prefix().is_some() && one.key.local_name().into_inner() == name)?;
        Some(found.value.into_owned())
    }

    /// Returns whether it holds properties as they were before a tracked change, such as `rPrChange`.
    #[cfg(feature = "docx")]
    pub(crate) fn is_before_change(&self) -> bool {
        self.vocabulary == Vocabulary::Word && self.name().ends_with("Change")
    }

    /// Returns the attribute `val` of most properties.
    pub(crate) fn value(&self) -> Option<String> {
        self.attribute("val")
    }

    /// Returns the attribute `val` as a number.
    pub(crate) fn number<T: std::str::FromStr>(&self) -> Option<T> {
        self.value()?.trim().parse().ok()
    }

    /// Returns whether a property that is on or off is on, as it is without a value.
    pub(crate) fn is_on(&self) -> bool {
        !matches!(self.value().as_deref(), Some("0" | "false" | "off"))
    }
}

/// A step of the walk.
#[derive(Debug)]
pub(crate) enum Node<'a> {
    Open(Element<'a>),
    Close,
    Text(Cow<'a, str>),
    End,
}

/// A walk over the XML of one part.
pub(crate) struct Walk<'a> {
    reader: Reader<&'a [u8]>,
    depth: usize,
    /// The namespaces that have been declared, the innermost last.
    declared: Vec<Declared>,
    declaration: Finder<'static>,
    allows_doctype: bool,
    unresolved: usize,
}

/// A namespace that is declared for an element and what is in it.
struct Declared {
    depth: usize,
    prefix: String,
    vocabulary: Vocabulary,
}

impl<'a> Walk<'a> {
    /// Starts a walk over `xml`.
    pub(crate) fn new(xml: &'a str) -> Self {
        let mut reader = Reader::from_str(xml);
        let config = reader.config_mut();
        config.expand_empty_elements = true;
        config.allow_dangling_amp = true;
        Self {
            reader,
            depth: 0,
            declared: Vec::new(),
            declaration: Finder::new(DECLARATION),
            allows_doctype: false,
            unresolved: 0,
        }
    }

    /// Passes over a document type definition, where it is refused else. What it defines is not
    /// read here: an entity stays as it is written.
    #[cfg(feature = "xml")]
    pub(crate) fn allowing_doctype(mut self) -> Self {
        self.allows_doctype = true;
        self
    }

    /// Returns how many entities there were so far that nobody defined.
    #[cfg(feature = "xml")]
    pub(crate) fn unresolved(&self) -> usize {
        self.unresolved
    }

    /// Returns where in the XML the last step ends. A byte order mark before the XML does not count.
    #[cfg(feature = "odp")]
    pub(crate) fn position(&self) -> usize {
        self.reader.buffer_position() as usize
    }

    /// Takes the next step.
    pub(crate) fn next(&mut self) -> Result<Node<'a>, Failure> {
        loop {
            return Ok(match self.reader.read_event()? {
                Event::Start(start) => {
                    self.enter()?;
                    let vocabulary = self.vocabulary(&start);
                    Node::Open(Element { vocabulary, start })
                }
                Event::End(_) => {
                    self.leave();
                    Node::Close
                }
                Event::Text(text) => Node::Text(text.into_inner()),
                Event::CData(text) => Node::Text(text.into_inner()),
                Event::GeneralRef(reference) => {
                    let text = resolve(&reference);
                    self.unresolved += usize::from(text.len() > 1 && text.starts_with('&'));
                    Node::Text(text)
                }
                // Nothing of a definition is ever loaded. Without entities it changes nothing.
                Event::DocType(definition)
                    if !self.allows_doctype && definition.contains("<!ENTITY") =>
                {
                    return Err(Failure::Damaged("it defines entities of its own"));
                }
                Event::Eof if self.depth > 0 => {
                    return Err(Failure::Damaged("the XML of a part is cut off"));
                }
                Event::Eof => Node::End,
                Event::DocType(_)
                | Event::Empty(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_) => continue,
            });
        }
    }

    /// Passes over the rest of the element that was opened last.
    pub(crate) fn skip(&mut self) -> Result<(), Failure> {
        let outside = self.depth.saturating_sub(1);
        while self.depth > outside {
            match self.reader.read_event()? {
                Event::Start(_) => self.enter()?,
                Event::End(_) => self.leave(),
                Event::Eof => return Err(Failure::Damaged("the XML of a part is cut off")),
                _ => {}
            }
        }
        Ok(())
    }

    fn enter(&mut self) -> Result<(), Failure> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Failure::Limit {
                what: "nested XML elements",
                limit: MAX_DEPTH as u64,
            });
        }
        Ok(())
    }

    fn leave(&mut self) {
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        while self.declared.last().is_some_and(|last| last.depth >= depth) {
            self.declared.pop();
        }
    }

    /// Finds the vocabulary of an element that was just entered.
    fn vocabulary(&mut self, start: &BytesStart) -> Vocabulary {
        // Few elements declare namespaces, and the word is found sooner than the attributes.
        let attributes = start.attributes_raw().as_bytes();
        if attributes.len() > DECLARATION.len() && self.declaration.find(attributes).is_some() {
            self.declare(start);
        }
        let name = start.name();
        let prefix = name.prefix().map_or("", |prefix| prefix.into_inner());
        let mut declared = self.declared.iter().rev();
        let found = declared.find(|declared| declared.prefix == prefix);
        found.map_or_else(|| usual(prefix), |declared| declared.vocabulary)
    }

    /// Takes the namespaces that an element declares, as far as they matter.
    fn declare(&mut self, start: &BytesStart) {
        for attribute in start.attributes().with_checks(false).flatten() {
            let prefix = match attribute.key.as_namespace_binding() {
                Some(PrefixDeclaration::Default) => "",
                Some(PrefixDeclaration::Named(prefix)) => prefix,
                None => continue,
            };
            let vocabulary = vocabulary(&attribute.value);
            let matters = vocabulary != Vocabulary::Other
                || usual(prefix) != Vocabulary::Other
                || self
                    .declared
                    .iter()
                    .any(|declared| declared.prefix == prefix);
            if matters && self.declared.len() < MAX_DECLARED {
                self.declared.push(Declared {
                    depth: self.depth,
                    prefix: prefix.into(),
                    vocabulary,
                });
            }
        }
    }
}

/// Finds the vocabulary of a namespace.
fn vocabulary(namespace: &str) -> Vocabulary {
    match namespace {
        COMPATIBILITY => Vocabulary::Compatibility,
        name if WORD.contains(&name) => Vocabulary::Word,
        name if MATH.contains(&name) => Vocabulary::Math,
        _ => Vocabulary::Other,
    }
}

/// Finds the vocabulary of a prefix that is not declared, as it usually is.
fn usual(prefix: &str) -> Vocabulary {
    match prefix {
        "w" => Vocabulary::Word,
        "m" => Vocabulary::Math,
        "mc" => Vocabulary::Compatibility,
        _ => Vocabulary::Other,
    }
}

/// Returns the character of a reference; an entity that nobody defined stays as it is written.
fn resolve<'a>(reference: &BytesRef<'a>) -> Cow<'a, str> {
    if let Some(text) = resolve_predefined_entity(reference) {
        return text.into();
    }
    match reference.resolve_char_ref() {
        Ok(Some(character)) => String::from(character).into(),
        Ok(None) => format!("&{};", &**reference).into(),
        Err(_) => "\u{FFFD}".into(),
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    fn walk(xml: &str) -> Result<String, Failure> {
        let mut walk = Walk::new(xml);
        let mut seen = String::new();
        loop {
            match walk.next()? {
                Node::Open(element) if element.name() == "skip" => walk.skip()?,
                Node::Open(element) => {
                    let vocabulary = element.vocabulary;
                    write!(seen, "<{vocabulary:?} {}>", element.name()).unwrap();
                }
                Node::Close => seen += "/",
                Node::Text(text) => seen += &text,
                Node::End => return Ok(seen),
            }
        }
    }

    #[test]
    fn vocabularies_are_known_by_namespace() {
        let xml = format!(
            "<p xmlns='{}'><x:t xmlns:x='{}'/><b:c xmlns:b='b'/><m:t/></p>",
            WORD[1], MATH[0]
        );
        assert_eq!(walk(&xml).unwrap(), "<Word p><Math t>/<Other c>/<Math t>//");
    }

    #[test]
    fn references_are_resolved() {
        assert_eq!(
            walk("<a>x &lt;&#x41;&#0;&who; &amp; y</a>").unwrap(),
            "<Other a>x <A\u{FFFD}&who; & y/"
        );
    }

    #[test]
    fn skipped_elements_leave_no_trace() {
        assert_eq!(
            walk("<a><skip>x<a>y</a></skip><b/></a>").unwrap(),
            "<Other a><Other b>//"
        );
    }

    #[test]
    fn a_document_type_without_entities_changes_nothing() {
        let xml = "<!DOCTYPE a PUBLIC '-//X' 'http://x/a.dtd' [<!ELEMENT a ANY>]><a>&b;</a>";
        assert_eq!(walk(xml).unwrap(), "<Other a>&b;/");
    }

    #[test]
    fn cut_off_deep_and_typed_xml_is_refused() {
        assert!(matches!(walk("<a><b>"), Err(Failure::Damaged(_))));
        assert!(matches!(
            walk("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>"),
            Err(Failure::Damaged(_))
        ));
        assert!(matches!(
            walk(&"<a>".repeat(5_000)),
            Err(Failure::Limit { .. })
        ));
        assert!(matches!(walk("<a></b>"), Err(Failure::Xml(_))));
    }
}
