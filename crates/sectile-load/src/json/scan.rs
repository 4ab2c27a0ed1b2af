//! From text to a tree of values, which are places in the text.

use super::strings;

/// How deep values may be nested.
pub(super) const MAX_DEPTH: usize = 128;

/// Words that are values.
const WORDS: [&str; 6] = ["null", "true", "false", "NaN", "Infinity", "undefined"];

/// Why a text is not JSON.
#[derive(Debug)]
pub(super) enum Problem {
    /// Values are nested too deep.
    TooDeep,
    /// Something is wrong at this byte.
    At(usize, &'static str),
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Object,
    Array,
    /// A string, quotes included.
    String,
    /// A number or a word, as it is written.
    Bare,
    /// A comment, with its marks.
    Comment,
}

/// A value or a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Where its key begins and ends, quotes included; nothing when it has none.
    key: Option<(u32, u32)>,
    start: u32,
    end: u32,
    /// The node after all that are inside this one.
    next: u32,
}

/// All values of a text, each before those inside it.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    text: &'a str,
    nodes: Vec<Node>,
}

impl<'a> Tree<'a> {
    /// Reads `text`, which may hold several values one after the other.
    pub(super) fn read(text: &'a str) -> Result<Self, Problem> {
        if u32::try_from(text.len()).is_err() {
            return Err(Problem::At(0, "more than 4 GiB"));
        }
        let mut scan = Scan {
            text,
            at: 0,
            nodes: Vec::new(),
            open: Vec::new(),
        };
        scan.run()?;
        Ok(Self {
            text,
            nodes: scan.nodes,
        })
    }

    pub(super) fn node(&self, index: usize) -> Node {
        self.nodes[index]
    }

    /// Returns the values that are in no other.
    pub(super) fn roots(&self) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            at: 0,
            end: self.nodes.len(),
        }
    }

    /// Returns the values and comments inside a value.
    pub(super) fn children(&self, index: usize) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            at: index + 1,
            end: self.nodes[index].next as usize,
        }
    }

    /// Returns a value as it is written.
    pub(super) fn source(&self, index: usize) -> &'a str {
        let node = self.nodes[index];
        &self.text[node.start as usize..node.end as usize]
    }

    /// Returns the key of a value, as it reads.
    pub(super) fn key(&self, index: usize) -> Option<String> {
        let (start, end) = self.nodes[index].key?;
        let source = &self.text[start as usize..end as usize];
        let is_quoted = source.starts_with(['"', '\'']);
        Some(if is_quoted {
            strings::decode(source)
        } else {
            source.into()
        })
    }

    /// Returns the string or number of the first of these keys that an object has.
    pub(super) fn named(&self, index: usize, keys: &[&str]) -> Option<String> {
        if self.nodes[index].kind != Kind::Object {
            return None;
        }
        keys.iter().find_map(|key| {
            // A name stands near the beginning: what is far inside names nothing.
            let mut children = self.children(index).take(40);
            let found = children
                .find(|&child| self.key(child).as_deref().is_some_and(|own| own == *key))?;
            let name = match self.nodes[found].kind {
                Kind::String => strings::decode(self.source(found)),
                Kind::Bare => self.source(found).into(),
                _ => return None,
            };
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            (!name.is_empty() && name.chars().count() <= 120).then_some(name)
        })
    }

    /// Returns the title that the only value gives itself.
    pub(super) fn title(&self) -> Option<String> {
        let mut values = self
            .roots()
            .filter(|&at| self.nodes[at].kind != Kind::Comment);
        let first = values.next()?;
        let title = self.named(first, &["title", "name"]);
        let info = || {
            let mut children = self.children(first);
            let info = children.find(|&at| self.key(at).as_deref() == Some("info"))?;
            self.named(info, &["title"])
        };
        values.next().is_none().then(|| title.or_else(info))?
    }
}

impl Node {
    /// Returns how long the value is as it is written.
    pub(super) fn length(&self) -> usize {
        (self.end - self.start) as usize
    }

    pub(super) fn is_container(&self) -> bool {
        matches!(self.kind, Kind::Object | Kind::Array)
    }
}

/// The nodes of one level.
#[derive(Clone)]
pub(super) struct Children<'t> {
    nodes: &'t [Node],
    at: usize,
    end: usize,
}

impl Iterator for Children<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let at = self.at;
        if at >= self.end {
            return None;
        }
        self.at = self.nodes[at].next as usize;
        Some(at)
    }
}

/// A walk over the text.
struct Scan<'a> {
    text: &'a str,
    at: usize,
    nodes: Vec<Node>,
    /// The objects and arrays that are open, outermost first.
    open: Vec<usize>,
}

impl Scan<'_> {
    fn run(&mut self) -> Result<(), Problem> {
        loop {
            self.skip_blanks();
            let Some(byte) = self.peek() else {
                return match self.open.last() {
                    None => Ok(()),
                    Some(_) => Err(self.problem("the text ends inside a value")),
                };
            };
            match byte {
                b'/' => self.comment()?,
                b'}' | b']' => self.close(byte)?,
                _ => self.entry()?,
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn problem(&self, what: &'static str) -> Problem {
        Problem::At(self.at, what)
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        let trimmed =
            rest.trim_start_matches(|char: char| char.is_whitespace() || char == '\u{feff}');
        self.at += rest.len() - trimmed.len();
    }

    /// Reads a value, with its key where it stands in an object, and the comma after it.
    fn entry(&mut self) -> Result<(), Problem> {
        let in_object = self.open.last().map(|&at| self.nodes[at].kind) == Some(Kind::Object);
        let key = if in_object { Some(self.key()?) } else { None };
        let start = self.at;
        match self.peek() {
            Some(byte @ (b'{' | b'[')) => {
                let kind = if byte == b'{' {
                    Kind::Object
                } else {
                    Kind::Array
                };
                self.at += 1;
                self.push(kind, key, start);
                self.open.push(self.nodes.len() - 1);
                if self.open.len() > MAX_DEPTH {
                    return Err(Problem::TooDeep);
                }
                return Ok(());
            }
            Some(b'"' | b'\'') => {
                self.string()?;
                self.push(Kind::String, key, start);
            }
            _ => {
                self.bare()?;
                self.push(Kind::Bare, key, start);
            }
        }
        self.comma()
    }

    fn push(&mut self, kind: Kind, key: Option<(u32, u32)>, start: usize) {
        self.nodes.push(Node {
            kind,
            key,
            start: start as u32,
            end: self.at as u32,
            next: self.nodes.len() as u32 + 1,
        });
    }

    fn close(&mut self, byte: u8) -> Result<(), Problem> {
        let expected = if byte == b'}' {
            Kind::Object
        } else {
            Kind::Array
        };
        match self.open.pop() {
            Some(at) if self.nodes[at].kind == expected => {
                self.at += 1;
                self.nodes[at].end = self.at as u32;
                self.nodes[at].next = self.nodes.len() as u32;
                self.comma()
            }
            _ => Err(self.problem("a bracket closes what is not open")),
        }
    }

    /// Passes over the comma after a value; only the last one of an array or object has none.
    fn comma(&mut self) -> Result<(), Problem> {
        if self.open.is_empty() {
            return Ok(());
        }
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'}' | b']') => return Ok(()),
                Some(b'/') => self.comment()?,
                None => return Err(self.problem("the text ends inside a value")),
                Some(_) => return Err(self.problem("a comma is missing")),
            }
        }
    }

    fn key(&mut self) -> Result<(u32, u32), Problem> {
        let start = self.at;
        if matches!(self.peek(), Some(b'"' | b'\'')) {
            self.string()?;
        } else {
            let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '-');
            let rest = &self.text[start..];
            self.at += rest.find(|char| !is_name(char)).unwrap_or(rest.len());
        }
        let end = self.at;
        if end == start {
            return Err(self.problem("a key is missing"));
        }
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'/') => self.comment()?,
                Some(b':') => break,
                _ => return Err(self.problem("a colon is missing")),
            }
        }
        self.at += 1;
        loop {
            self.skip_blanks();
            match self.peek() {
                Some(b'/') => self.comment()?,
                _ => return Ok((start as u32, end as u32)),
            }
        }
    }

    /// Passes over a string.
    fn string(&mut self) -> Result<(), Problem> {
        let bytes = self.text.as_bytes();
        let quote = bytes[self.at];
        let mut at = self.at + 1;
        loop {
            match memchr::memchr2(quote, b'\\', &bytes[at.min(bytes.len())..]) {
                None => return Err(self.problem("a string has no end")),
                Some(found) if bytes[at + found] == quote => {
                    self.at = at + found + 1;
                    return Ok(());
                }
                Some(found) => {
                    at += found + 1;
                    // The character behind the backslash may have several bytes.
                    let escaped = self.text[at..].chars().next();
                    at += escaped.map_or(1, char::len_utf8);
                }
            }
        }
    }

    /// Passes over a number or a word.
    fn bare(&mut self) -> Result<(), Problem> {
        let rest = &self.text[self.at..];
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+-._".contains(&byte);
        let end = rest.bytes().position(|byte| !is_part(byte));
        let word = &rest[..end.unwrap_or(rest.len())];
        let unsigned = word.trim_start_matches(['+', '-']);
        let is_number = unsigned
            .trim_start_matches('.')
            .starts_with(|char: char| char.is_ascii_digit());
        if !is_number && !WORDS.contains(&unsigned) {
            return Err(self.problem("this is not a value"));
        }
        self.at += word.len();
        Ok(())
    }

    fn comment(&mut self) -> Result<(), Problem> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/")
                .ok_or_else(|| self.problem("a comment has no end"))?
                + 2
        } else {
            return Err(self.problem("this is not a value"));
        };
        self.at += length;
        self.push(Kind::Comment, None, start);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_what_is_inside_them() {
        let tree = Tree::read("{a: [1, [2], 'x'], /* c */ \"b\": -1.50e400,} 7").unwrap();
        let roots: Vec<&str> = tree.roots().map(|at| tree.source(at)).collect();
        assert_eq!(roots.len(), 2);
        assert_eq!(roots[1], "7");
        let inside: Vec<&str> = tree.children(0).map(|at| tree.source(at)).collect();
        assert_eq!(inside, ["[1, [2], 'x']", "/* c */", "-1.50e400"]);
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_place() {
        for text in [
            "{",
            "[1 2]",
            "{\"a\" 1}",
            "hello",
            "[}",
            "\"a",
            "{\"a\":}",
            "]",
            "/x",
            "\"\\",
        ] {
            assert!(matches!(Tree::read(text), Err(Problem::At(..))), "{text}");
        }
        assert!(matches!(
            Tree::read(&"[".repeat(200)),
            Err(Problem::TooDeep)
        ));
        assert!(matches!(
            Tree::read(&"[".repeat(2_000_000)),
            Err(Problem::TooDeep)
        ));
    }
}
