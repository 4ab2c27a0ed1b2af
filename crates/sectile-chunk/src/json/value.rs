//! JSON that is read to be cut: keys in order, numbers as they are written, sizes known.

use std::collections::HashMap;
use std::fmt::{self, Write as _};

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::Error;

/// How deep values may be nested.
const MAX_DEPTH: usize = 128;

/// How JSON is read and written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) lists_as_objects: bool,
    pub(super) is_ascii: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            lists_as_objects: false,
            is_ascii: true,
        }
    }
}

/// A piece of JSON as it is written, and its size: how many characters it has in ASCII.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Written {
    pub(super) text: String,
    pub(super) size: usize,
}

impl Written {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.size += text.len();
    }

    /// Writes a string as Python does.
    fn string(text: &str, is_ascii: bool) -> Self {
        let mut written = Self::default();
        written.push("\"");
        for char in text.chars() {
            written.character(char, is_ascii);
        }
        written.push("\"");
        written
    }

    fn character(&mut self, char: char, is_ascii: bool) {
        match char {
            '"' => self.push("\\\""),
            '\\' => self.push("\\\\"),
            '\n' => self.push("\\n"),
            '\r' => self.push("\\r"),
            '\t' => self.push("\\t"),
            '\u{8}' => self.push("\\b"),
            '\u{c}' => self.push("\\f"),
            ' '..='~' => self.push(char.encode_utf8(&mut [0; 4])),
            // Six characters for each half of UTF-16.
            _ => {
                self.size += 6 * char.len_utf16();
                if is_ascii || char < ' ' {
                    self.escape(char);
                } else {
                    self.text.push(char);
                }
            }
        }
    }

    fn escape(&mut self, char: char) {
        for unit in char.encode_utf16(&mut [0; 2]) {
            write!(self.text, "\\u{unit:04x}").expect("a string takes all");
        }
    }
}

/// A value.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The text of a value that is not an object.
    text: String,
    /// The size of the whole value.
    size: usize,
    /// The entries of an object, in order; empty for other values.
    pub(super) entries: Vec<(Written, Node)>,
}

impl Node {
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Writes the value to the end of a text.
    pub(super) fn write(&self, to: &mut String) {
        to.push_str(&self.text);
        for (at, (key, value)) in self.entries.iter().enumerate() {
            to.push_str(if at > 0 { ", " } else { "{" });
            to.push_str(&key.text);
            to.push_str(": ");
            value.write(to);
        }
        if !self.entries.is_empty() {
            to.push('}');
        }
    }
}

impl From<Written> for Node {
    fn from(written: Written) -> Self {
        Self {
            text: written.text,
            size: written.size,
            entries: Vec::new(),
        }
    }
}

/// Returns the size of an object of this one entry.
pub(super) fn entry_size(key: &Written, value: &Node) -> usize {
    "{: }".len() + key.size + value.size
}

/// Reads the text of an object; `null` is one without entries.
pub(super) fn read(json: &str, shape: Shape) -> Result<Node, Error> {
    let root: &RawValue = serde_json::from_str(json).map_err(|cause| invalid(&cause))?;
    let is_object = match root.get().as_bytes()[0] {
        b'{' | b'n' => true,
        b'[' => shape.lists_as_objects,
        _ => false,
    };
    if !is_object {
        return Err(Error::InvalidJson {
            reason: "it is not an object; arrays are split when they may become objects".into(),
        });
    }
    node(root, shape, MAX_DEPTH).map_err(|cause| invalid(&cause))
}

fn invalid(cause: &serde_json::Error) -> Error {
    Error::InvalidJson {
        reason: cause.to_string(),
    }
}

fn node(raw: &RawValue, shape: Shape, depth: usize) -> Result<Node, serde_json::Error> {
    let source = raw.get();
    let Some(depth) = depth.checked_sub(1) else {
        let reason = format!("its values are nested deeper than {MAX_DEPTH}");
        return Err(serde_json::Error::custom(reason));
    };
    match source.as_bytes()[0] {
        b'{' => object(serde_json::from_str::<Entries<'_>>(source)?.0, shape, depth),
        b'[' if shape.lists_as_objects => {
            let values: Vec<&RawValue> = serde_json::from_str(source)?;
            let entries = values.into_iter().enumerate();
            let entries = entries.map(|(at, value)| (at.to_string(), value));
            object(entries.collect(), shape, depth)
        }
        b'[' => list(
            &serde_json::from_str::<Vec<&RawValue>>(source)?,
            shape,
            depth,
        ),
        b'"' => {
            let text: String = serde_json::from_str(source)?;
            Ok(Written::string(&text, shape.is_ascii).into())
        }
        _ => {
            let mut written = Written::default();
            written.push(source);
            Ok(written.into())
        }
    }
}

fn list(values: &[&RawValue], shape: Shape, depth: usize) -> Result<Node, serde_json::Error> {
    let mut list = Written::default();
    list.push("[");
    for (at, value) in values.iter().enumerate() {
        list.push(if at > 0 { ", " } else { "" });
        let value = node(value, shape, depth)?;
        value.write(&mut list.text);
        list.size += value.size;
    }
    list.push("]");
    Ok(list.into())
}

fn object(
    entries: Vec<(String, &RawValue)>,
    shape: Shape,
    depth: usize,
) -> Result<Node, serde_json::Error> {
    let mut object = Node::default();
    for (key, value) in entries {
        let key = Written::string(&key, shape.is_ascii);
        let value = node(value, shape, depth)?;
        // With two characters behind the key and before it: the brace or a comma and a blank.
        object.size += key.size + value.size + 4;
        object.entries.push((key, value));
    }
    if object.entries.is_empty() {
        object.text = "{}".into();
        object.size = 2;
    }
    Ok(object)
}

/// The entries of an object in order, each key once.
struct Entries<'j>(Vec<(String, &'j RawValue)>);

impl<'j> Deserialize<'j> for Entries<'j> {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'j> Visitor<'j> for EntriesVisitor {
    type Value = Entries<'j>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<M: MapAccess<'j>>(self, mut map: M) -> Result<Entries<'j>, M::Error> {
        let mut entries: Vec<(String, &RawValue)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
            if let Some(at) = places.get(&key) {
                entries[*at].1 = value;
            } else {
                places.insert(key.clone(), entries.len());
                entries.push((key, value));
            }
        }
        Ok(Entries(entries))
    }
}
