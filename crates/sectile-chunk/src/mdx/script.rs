//! Where tags, expressions and statements of MDX end.

/// What is open in JavaScript.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Brace,
    /// A parenthesis or a square bracket.
    Bracket,
    Template,
}

/// Reads JavaScript and tags as far as their ends need it.
pub(super) struct Script<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open>,
}

impl<'a> Script<'a> {
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        let open = Vec::new();
        Self { text, at, open }
    }

    /// Returns where reading has come to.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Reads a tag or an expression in braces.
    pub(super) fn tag_or_braces(&mut self) -> Option<()> {
        if self.peek()? == b'<' {
            self.tag()
        } else {
            self.braces()
        }
    }

    /// Reads statements up to the first blank line outside of brackets.
    pub(super) fn statements(&mut self) -> Option<()> {
        while self.at < self.text.len() {
            let is_line_end = self.peek() == Some(b'\n');
            self.step()?;
            if is_line_end && self.open.is_empty() && begins_blank(&self.text[self.at..]) {
                return Some(());
            }
        }
        self.open.is_empty().then_some(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn tag(&mut self) -> Option<()> {
        self.at += 1;
        if self.peek()? == b'/' {
            self.at += 1;
        }
        let is_name =
            |byte: u8| byte.is_ascii_alphabetic() || b"_$>".contains(&byte) || byte >= 0x80;
        if !is_name(self.peek()?) {
            return None;
        }
        loop {
            let byte = self.peek()?;
            match byte {
                b'>' => {
                    self.at += 1;
                    return Some(());
                }
                b'"' | b'\'' => self.go_behind(&self.text[self.at..=self.at], self.at + 1)?,
                b'{' => self.braces()?,
                _ if is_of_tag(byte) => self.at += 1,
                _ => return None,
            }
        }
    }

    fn braces(&mut self) -> Option<()> {
        loop {
            self.step()?;
            if self.open.is_empty() {
                return Some(());
            }
        }
    }

    /// Reads a byte, string or comment of JavaScript.
    fn step(&mut self) -> Option<()> {
        let byte = self.peek()?;
        self.at += 1;
        if self.open.last() == Some(&Open::Template) {
            self.step_in_template(byte);
            return Some(());
        }
        match byte {
            b'{' => self.open.push(Open::Brace),
            b'(' | b'[' => self.open.push(Open::Bracket),
            b'`' => self.open.push(Open::Template),
            b')' | b']' => {
                self.open.pop_if(|open| *open == Open::Bracket);
            }
            // Text between tags may have brackets that do not match.
            b'}' => while self.open.pop().is_some_and(|open| open != Open::Brace) {},
            b'"' | b'\'' => self.string(byte),
            b'/' => self.comment()?,
            _ => {}
        }
        Some(())
    }

    fn step_in_template(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += usize::from(self.peek().is_some()),
            b'`' => {
                self.open.pop();
            }
            b'$' if self.peek() == Some(b'{') => {
                self.at += 1;
                self.open.push(Open::Brace);
            }
            _ => {}
        }
    }

    /// Reads a string, which ends with its line: what goes on is an apostrophe of text between tags.
    fn string(&mut self, quote: u8) {
        while let Some(byte) = self.peek().filter(|byte| *byte != b'\n') {
            self.at += 1;
            if byte == quote {
                return;
            }
            if byte == b'\\' && self.peek().is_some_and(|next| next != b'\n') {
                self.at += 1;
            }
        }
    }

    fn comment(&mut self) -> Option<()> {
        // The slashes of an address are no comment.
        let is_address = self.text[..self.at - 1].ends_with(':');
        match self.peek() {
            Some(b'*') => self.go_behind("*/", self.at + 1)?,
            Some(b'/') if !is_address => {
                let rest = &self.text[self.at..];
                self.at += rest.find('\n').unwrap_or(rest.len());
            }
            _ => {}
        }
        Some(())
    }

    /// Goes behind the next `end` from `from` on.
    fn go_behind(&mut self, end: &str, from: usize) -> Option<()> {
        let found = memchr::memmem::find(&self.text.as_bytes()[from..], end.as_bytes());
        self.at = found.map_or(self.text.len(), |at| from + at + end.len());
        found.map(|_| ())
    }
}

/// Returns whether a byte may stand in a tag outside of strings and expressions.
fn is_of_tag(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte.is_ascii_whitespace()
        || byte >= 0x80
        || b"_$:.-=/".contains(&byte)
}

/// Returns whether a line begins with an import or an export.
pub(super) fn is_statement(line: &str) -> bool {
    const EXPORTED: [&str; 9] = [
        "const ", "let ", "var ", "function", "async ", "class ", "default ", "{", "*",
    ];
    if let Some(rest) = line.strip_prefix("import") {
        let is_apart = rest.starts_with([' ', '\t', '{', '*', '"', '\'']);
        let rest = rest.trim_start();
        return is_apart && (rest.starts_with(['{', '"', '\'']) || rest.contains(" from "));
    }
    line.strip_prefix("export").is_some_and(|rest| {
        let is_apart = rest.starts_with([' ', '\t', '{', '*']);
        let rest = rest.trim_start();
        is_apart && EXPORTED.iter().any(|name| rest.starts_with(name))
    })
}

/// Returns where the first blank line after `at` begins, or the text ends.
pub(super) fn next_blank_line(text: &str, at: usize) -> usize {
    let mut end = at;
    for line in text[at..].split_inclusive('\n') {
        if line.trim().is_empty() {
            break;
        }
        end += line.len();
    }
    end
}

fn begins_blank(text: &str) -> bool {
    let line = text.trim_start_matches([' ', '\t', '\r']);
    line.is_empty() || line.starts_with('\n')
}
