//! The lines of YAML: keys and list elements by their indentation.

/// How many list elements may begin on one line.
const MAX_DASHES: usize = 16;

/// What begins on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// The columns before it.
    pub(super) indent: usize,
    /// The key and what stands behind its colon; nothing for an element of a list.
    pub(super) key: Option<(&'a str, &'a str)>,
}

/// A line of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// `---` or `...`, which begins or ends a document.
    Mark,
    Comment,
    Blank,
    /// What begins, outermost first; nothing on a line that goes on with a value.
    Entries(Vec<Entry<'a>>),
}

/// Reads lines one after the other.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// The indentation of the key with a text block, whose lines are deeper.
    block: Option<usize>,
    /// The quote or bracket that the value of the last key has not closed.
    open: Open,
}

/// What is open at the end of a line.
#[derive(Debug, Default)]
struct Open {
    quote: Option<char>,
    brackets: usize,
    /// The indentation of the key; what is not deeper ends a value that nobody closed.
    indent: usize,
}

impl Reader {
    pub(super) fn read<'a>(&mut self, line: &'a str) -> Line<'a> {
        let line = line.trim_end();
        let content = line.trim_start_matches(' ');
        let indent = line.len() - content.len();
        if content.is_empty() {
            return Line::Blank;
        }
        if self.block.is_some_and(|block| indent > block) || self.goes_on(content, indent) {
            return Line::Entries(Vec::new());
        }
        self.block = None;
        if content.starts_with('#') {
            return Line::Comment;
        }
        if indent == 0 && (is_mark(content, "---") || is_mark(content, "...")) {
            return Line::Mark;
        }
        Line::Entries(self.entries(content, indent))
    }

    /// Returns whether the line is inside a quote or bracket, and closes it.
    fn goes_on(&mut self, content: &str, indent: usize) -> bool {
        if self.open.quote.is_none() && self.open.brackets == 0 {
            return false;
        }
        let closes = content.starts_with([']', '}', '"', '\'']);
        if indent <= self.open.indent && !closes && entry_key(content).is_some() {
            self.open = Open::default();
            return false;
        }
        self.open.see(content);
        true
    }

    fn entries<'a>(&mut self, mut content: &'a str, mut indent: usize) -> Vec<Entry<'a>> {
        let mut entries = Vec::new();
        while let Some(rest) = content.strip_prefix('-') {
            let item = rest.trim_start_matches(' ');
            if item.len() == rest.len() && !rest.is_empty() || entries.len() == MAX_DASHES {
                break;
            }
            entries.push(Entry { indent, key: None });
            indent += content.len() - item.len();
            content = item;
        }
        let parent = entries.last().map(|entry: &Entry<'_>| entry.indent);
        let mut value = content;
        let mut at = parent.unwrap_or(indent);
        let found = marked_key(content).or_else(|| entry_key(content));
        if let Some((key, behind)) = found {
            // The value of a key on a line of its own has none.
            if !key.is_empty() {
                entries.push(Entry {
                    indent,
                    key: Some((key, behind)),
                });
            }
            (value, at) = (behind, indent);
        }
        if found.is_some() || !entries.is_empty() {
            self.begin(value, at);
        }
        entries
    }

    /// Takes note of a value that goes on in the lines below.
    fn begin(&mut self, value: &str, indent: usize) {
        let bare = without_properties(value);
        if is_block(bare) {
            self.block = Some(indent);
        } else if bare.starts_with(['"', '\'', '[', '{']) && !bare.starts_with("{{") {
            self.open = Open {
                indent,
                ..Open::default()
            };
            self.open.see(bare);
        }
    }
}

impl Open {
    /// Follows quotes and brackets through a part of a value.
    fn see(&mut self, text: &str) {
        let mut chars = text.chars().peekable();
        let mut before = ' ';
        while let Some(char) = chars.next() {
            match (self.quote, char) {
                (Some('"'), '\\') => drop(chars.next()),
                (Some(quote), char) if char == quote => self.quote = None,
                // Inside a word it is an apostrophe.
                (None, '"' | '\'') if !before.is_alphanumeric() => self.quote = Some(char),
                (None, '#') if before == ' ' => return,
                (None, '[' | '{') => self.brackets += 1,
                (None, ']' | '}') => self.brackets = self.brackets.saturating_sub(1),
                (Some(_) | None, _) => {}
            }
            before = char;
        }
    }
}

fn is_mark(content: &str, mark: &str) -> bool {
    let rest = content.strip_prefix(mark);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Leaves out the anchor and the tag before a value.
fn without_properties(value: &str) -> &str {
    let mut value = value.trim_start();
    for _ in 0..2 {
        if value.starts_with(['&', '!']) {
            value = value
                .split_once(' ')
                .map_or("", |(_, rest)| rest.trim_start());
        }
    }
    value
}

/// Returns whether a value is the head of a text block, such as `|` or `>-2 # comment`.
fn is_block(value: &str) -> bool {
    let head = value.split(" #").next().unwrap_or_default().trim_end();
    let Some(signs) = head.strip_prefix(['|', '>']) else {
        return false;
    };
    signs.len() <= 2 && signs.bytes().all(|byte| b"+-123456789".contains(&byte))
}

/// Returns the key behind the question mark of a key on a line of its own, if it is a word, and what goes on in the
/// lines below.
fn marked_key(content: &str) -> Option<(&str, &str)> {
    let marked = content.strip_prefix("? ")?;
    let key = marked.split(" #").next().unwrap_or_default().trim();
    let is_word = !is_block(key) && !key.starts_with(['-', '[', '{', '&', '!', '*', '#']);
    Some(if is_word { (key, "") } else { ("", key) })
}

/// Returns the key that a line begins with, quotes included, and what stands behind its colon.
fn entry_key(content: &str) -> Option<(&str, &str)> {
    let colon = match content.chars().next()? {
        quote @ ('"' | '\'') => {
            let end = content[1..].find(quote)? + 2;
            let rest = content[end..].trim_start();
            rest.starts_with(':')
                .then_some(content.len() - rest.len())?
        }
        '[' | '{' | '|' | '>' | '@' | '`' | '%' | '*' | '#' => return None,
        _ => colon_of(content)?,
    };
    let behind = &content[colon + 1..];
    let is_key = behind.is_empty() || behind.starts_with([' ', '\t']);
    is_key.then(|| (content[..colon].trim_end(), behind.trim()))
}

/// Finds the colon that ends a key without quotes.
fn colon_of(content: &str) -> Option<usize> {
    let spaced = content.find(": ").or_else(|| content.find(":\t"));
    let colon = spaced.or_else(|| content.strip_suffix(':').map(str::len))?;
    (!content[..colon].contains(" #")).then_some(colon)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<(usize, String)> {
        let mut reader = Reader::default();
        let mut found = Vec::new();
        for line in text.lines() {
            if let Line::Entries(entries) = reader.read(line) {
                for entry in entries {
                    let key = entry.key.map_or("-", |(key, _)| key);
                    found.push((entry.indent, key.to_string()));
                }
            }
        }
        found
    }

    fn check(text: &str, expected: &[(usize, &str)]) {
        let found = keys(text);
        let found: Vec<(usize, &str)> = found.iter().map(|(at, key)| (*at, key.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn keys_and_elements_have_their_columns() {
        check(
            "a:\n  - b: 1\n    c: 2\n-   - d\n'e: f' : g\nh i: http://x\n",
            &[
                (0, "a"),
                (2, "-"),
                (4, "b"),
                (4, "c"),
                (0, "-"),
                (4, "-"),
                (0, "'e: f'"),
                (0, "h i"),
            ],
        );
    }

    #[test]
    fn keys_on_lines_of_their_own_are_words() {
        check(
            "? complex # key\n: value\n? 'a b'\n:\n  c: d\ne: f\n",
            &[(0, "complex"), (0, "'a b'"), (2, "c"), (0, "e")],
        );
        check("? |\n  a: b\n: c\nd: e\n", &[(0, "d")]);
        check("? [a,\n  b: c]\n: |\n  d: e\nf: g\n", &[(0, "f")]);
        check("- ? a\n  : b\n", &[(0, "-"), (2, "a")]);
    }

    #[test]
    fn lines_of_texts_are_no_keys() {
        check(
            "a: |\n  b: c\n\n  d: e\nf: >-\n  g: h\n",
            &[(0, "a"), (0, "f")],
        );
        check("- |\n  b: c\n- d\n", &[(0, "-"), (0, "-")]);
        check("a: \"b\n  c: d\n  e\"\nf: g\n", &[(0, "a"), (0, "f")]);
        check(
            "a: {\n  \"b\": c,\n}\nf: [x,\n  y: z]\ng:\n",
            &[(0, "a"), (0, "f"), (0, "g")],
        );
        check("a: {never closed\nb: c\n", &[(0, "a"), (0, "b")]);
        check("a: &x !t |\n  b: c\n", &[(0, "a")]);
    }
}
