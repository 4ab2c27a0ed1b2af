//! Entities, put in their places: those that a file defines itself, and those that have a name in HTML.

use std::borrow::Cow;
use std::collections::HashMap;

use quick_xml::escape::resolve_predefined_entity;

use crate::entity_names;
use crate::not_followed::NotFollowed;

/// How long the name of an entity is at most.
const LONGEST_NAME: usize = 64;

/// How many bytes one entity stands for at most; one that stands for more stays as it is written.
const LONGEST: usize = 64 << 10;

/// How many bytes all entities of a file stand for.
const MAX_ADDED: usize = 16 << 20;

/// How deep entities may stand in each other.
const MAX_DEPTH: usize = 16;

/// Returns XML with what its entities stand for in their places. Those of other files stay as they are
/// written, and are named as not followed where they are used. Those of XML itself, and all in comments and in `CDATA`,
/// stay, too.
pub(super) fn resolved<'x>(xml: &'x str, not_followed: &mut NotFollowed) -> Cow<'x, str> {
    let mut signs = memchr::memchr_iter(b'&', xml.as_bytes());
    if !signs.any(|at| name(&xml[at..]).is_some()) {
        return xml.into();
    }
    let mut writer = Writer {
        own: HashMap::new(),
        files: HashMap::new(),
        not_followed,
        left: MAX_ADDED,
        text: String::with_capacity(xml.len()),
    };
    writer.write(xml);
    writer.text.into()
}

/// The text between references, and the names of entities.
enum Piece<'t> {
    Text(&'t str),
    Name(&'t str),
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if let Some(name) = name(rest) {
            rest = &rest[name.len() + 2..];
            return Some(Piece::Name(name));
        }
        // A sign that begins no name is text.
        let begin = usize::from(rest.starts_with('&'));
        let end = rest[begin..].find('&').map_or(rest.len(), |at| begin + at);
        let (text, after) = rest.split_at(end);
        rest = after;
        (!text.is_empty()).then_some(Piece::Text(text))
    })
}

/// Returns the name of the entity that a text begins with, unless it is one of XML itself.
fn name(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('&')?;
    let is_in_name =
        |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '-' | '_' | ':');
    let mut letters = inner.char_indices().take(LONGEST_NAME + 1);
    let (end, _) = letters.find(|(_, letter)| !is_in_name(*letter))?;
    let name = &inner[..end];
    let is_name = inner[end..].starts_with(';') && !name.is_empty();
    (is_name && resolve_predefined_entity(name).is_none()).then_some(name)
}

/// Writes a file with its entities in their places.
struct Writer<'x> {
    /// What the file defines itself.
    own: HashMap<String, String>,
    /// The files that entities stand for.
    files: HashMap<&'x str, &'x str>,
    not_followed: &'x mut NotFollowed,
    /// How many bytes entities may still stand for.
    left: usize,
    text: String,
}

impl<'x> Writer<'x> {
    fn write(&mut self, xml: &'x str) {
        let mut rest = xml;
        while let Some(at) = rest.find('<') {
            self.references(&rest[..at], false);
            rest = &rest[at..];
            let is_type = rest.starts_with("<!DOCTYPE");
            let length = if is_type {
                self.define(rest)
            } else {
                markup_length(rest)
            };
            let (markup, after) = rest.split_at(length);
            if markup.starts_with("<!") || markup.starts_with("<?") {
                self.text.push_str(markup);
            } else {
                self.references(markup, true);
            }
            rest = after;
        }
        self.references(rest, false);
    }

    /// Takes what a document type defines itself, and returns how long it is.
    fn define(&mut self, doctype: &'x str) -> usize {
        let end = |from: usize| {
            doctype[from..]
                .find('>')
                .map_or(doctype.len(), |end| from + end + 1)
        };
        let Some(mut at) = doctype[..end(0)].find('[') else {
            return end(0);
        };
        while let Some(next) = doctype[at..].find(['<', ']']) {
            at += next;
            if doctype[at..].starts_with(']') {
                break;
            }
            let length = markup_length(&doctype[at..]);
            let declaration = &doctype[at..at + length];
            if let Some((name, value)) = definition(declaration) {
                self.own.entry(name.into()).or_insert(value);
            } else if let Some((name, file)) = external(declaration) {
                self.files.entry(name).or_insert(file);
            }
            at += length;
        }
        end(at)
    }

    /// Writes a text, or a tag, with what its references stand for.
    fn references(&mut self, text: &str, is_tag: bool) {
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => self.text.push_str(text),
                Piece::Name(name) => self.reference(name, is_tag),
            }
        }
    }

    fn reference(&mut self, name: &str, is_tag: bool) {
        if let Some(file) = self.files.get(name) {
            self.not_followed.add(file);
        }
        let begin = self.text.len();
        let all = self.left.min(LONGEST);
        let mut left = all;
        if expand(&self.own, name, is_tag, &mut self.text, &mut left, 0).is_some() {
            self.left -= all - left;
            return;
        }
        self.own.remove(name);
        self.text.truncate(begin);
        push_reference(&mut self.text, name);
    }
}

/// Writes what an entity stands for; nothing where that is too much.
fn expand(
    own: &HashMap<String, String>,
    name: &str,
    is_tag: bool,
    text: &mut String,
    left: &mut usize,
    depth: usize,
) -> Option<()> {
    let Some(value) = own.get(name) else {
        match entity_names::character(name) {
            Some(character) => text.push(character),
            None => push_reference(text, name),
        }
        return Some(());
    };
    if depth >= MAX_DEPTH {
        return None;
    }
    // An entity that stands for nothing counts, too.
    *left = left.checked_sub(value.len() + 1)?;
    for piece in pieces(value) {
        match piece {
            Piece::Name(inner) => expand(own, inner, is_tag, text, left, depth + 1)?,
            Piece::Text(part) if is_tag => text.push_str(&within_tag(part)),
            Piece::Text(part) => text.push_str(part),
        }
    }
    Some(())
}

fn push_reference(text: &mut String, name: &str) {
    text.push('&');
    text.push_str(name);
    text.push(';');
}

/// Writes a text so that it does not end the attribute that it stands in.
fn within_tag(text: &str) -> String {
    let text = text.replace('<', "&lt;").replace('"', "&quot;");
    text.replace('\'', "&apos;")
}

/// Returns how long the tag, comment, instruction or declaration is that a text begins with.
fn markup_length(text: &str) -> usize {
    for (open, close) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")] {
        if text.starts_with(open) {
            return text.find(close).map_or(text.len(), |end| end + close.len());
        }
    }
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    text.len()
}

/// Reads the definition of an entity that stands for a text in the file.
fn definition(declaration: &str) -> Option<(&str, String)> {
    let rest = declaration.strip_prefix("<!ENTITY")?.trim_start();
    let (name, rest) = rest.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let quote = rest
        .chars()
        .next()
        .filter(|sign| matches!(sign, '"' | '\''))?;
    let value = rest[1..].split(quote).next()?;
    // A reference in it may be written so that it is one only where the entity stands.
    let value = value.replace("&#38;", "&").replace("&#x26;", "&");
    Some((name, value)).filter(|_| name != "%" && resolve_predefined_entity(name).is_none())
}

/// Returns the name of an entity that is another file, and the name of that file.
fn external(declaration: &str) -> Option<(&str, &str)> {
    let rest = declaration.strip_prefix("<!ENTITY")?.trim_start();
    let (name, rest) = rest.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let rest = match rest.strip_prefix("PUBLIC") {
        Some(rest) => quoted(rest)?.1,
        None => rest.strip_prefix("SYSTEM")?,
    };
    let (file, _) = quoted(rest)?;
    (name != "%").then_some((name, file))
}

/// Returns what stands in quotation marks at the beginning, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let quote = text.chars().next();
    let quote = quote.filter(|sign| matches!(sign, '"' | '\''))?;
    text[1..].split_once(quote)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(xml: &str, expected: &str) {
        let body = resolved(xml, &mut NotFollowed::default());
        let body = body.split("]><a").last().unwrap();
        let expected = expected.strip_prefix("<a").unwrap_or(expected);
        let body = body.strip_prefix("<a").unwrap_or(body);
        assert_eq!(body, expected, "{xml}");
    }

    #[test]
    fn entities_stand_in_their_places() {
        check(
            "<a>1&nbsp;&lt;&mdash;&euro;&rang;&#65;</a>",
            "<a>1\u{A0}&lt;—€⟩&#65;</a>",
        );
        check(
            "<!DOCTYPE a [<!-- don't --><!ENTITY % p 'x'> %p; <!ENTITY v \"4.2\"><!ENTITY v '5'>\
             <!ENTITY p '<b>Acme</b> &v;'>]><a t='&v; &p;'>&p;</a>",
            "<a t='4.2 &lt;b>Acme&lt;/b> 4.2'><b>Acme</b> 4.2</a>",
        );
        check(
            "<!DOCTYPE a [<!ENTITY v \"It's\"><!ENTITY l \"&#38;#60;\">]><a t='&v;'>&l;</a>",
            "<a t='It&apos;s'>&#60;</a>",
        );
    }

    #[test]
    fn what_is_no_entity_stays() {
        let same = "<a>&who; AT&T; & &; <!-- &nbsp; --><![CDATA[&nbsp;]]><?p &nbsp;?></a>";
        check(same, same);
        check(
            "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///x'>]><a>&x;</a>",
            "<a>&x;</a>",
        );
        check("<a>&nbsp;", "<a>\u{A0}");
        check("&nbsp;<!DOCTYPE a [<!ENTITY", "\u{A0}<!DOCTYPE a [<!ENTITY");
    }

    #[test]
    fn entities_that_stand_for_much_stay_as_they_are_written() {
        let bomb = |value: &str| {
            let level = |level: u32| {
                let inner = format!("&e{};", level - 1).repeat(10);
                format!("<!ENTITY e{level} '{inner}'>")
            };
            let levels = (1..20).map(level).collect::<Vec<_>>().concat();
            format!("<!DOCTYPE a [<!ENTITY e0 '{value}'>{levels}]><a>&e1;&e12;&e19;</a>")
        };
        check(&bomb("x"), "<a>xxxxxxxxxx&e12;&e19;</a>");
        check(&bomb(""), "<a>&e12;&e19;</a>");
        check("<!DOCTYPE a [<!ENTITY a '&a;'>]><a>&a;</a>", "<a>&a;</a>");
        let long = format!("<!DOCTYPE a [<!ENTITY a '{}'>]>", "x".repeat(60_000));
        let xml = format!("{long}<a>{}</a>", "&a;".repeat(1_000));
        let text = resolved(&xml, &mut NotFollowed::default()).into_owned();
        assert!((10 << 20..17 << 20).contains(&text.len()));
    }
}
