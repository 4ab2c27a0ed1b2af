//! Paragraphs of code, which keep their lines and indents, among the blocks that they stand in.

use crate::blocks::{Block, fenced};

/// How the styles of code are called by Word, pandoc, `LibreOffice` and those who make their own,
/// in small letters and without spaces.
const STYLES: [&str; 14] = [
    "code",
    "codeblock",
    "codeexample",
    "codelisting",
    "codesnippet",
    "sourcecode",
    "programcode",
    "programlisting",
    "listing",
    "verbatim",
    "htmlpreformatted",
    "preformatted",
    "preformattedtext",
    "macrotext",
];

/// What the names of fonts begin with whose characters are all equally wide.
const FONTS: [&str; 14] = [
    "consolas",
    "courier",
    "menlo",
    "monaco",
    "lucida console",
    "cascadia",
    "source code",
    "fira code",
    "fira mono",
    "jetbrains mono",
    "roboto mono",
    "dejavu sans mono",
    "liberation mono",
    "ubuntu mono",
];

/// How many bytes a line has at most that only looks like code.
const LONGEST: usize = 160;

/// Returns whether paragraphs of a style with this name are code.
pub(crate) fn is_style(name: &str) -> bool {
    let name: String = name
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    STYLES.contains(&name.as_str())
}

/// Returns whether the characters of a font are equally wide.
pub(crate) fn is_monospaced(font: &str) -> bool {
    let font = font.trim().to_lowercase();
    FONTS.iter().any(|name| font.starts_with(name))
}

/// Paragraphs that stand together and are code, or look like it.
#[derive(Debug, Default)]
struct Code {
    lines: Vec<String>,
    /// Whether their style says that they are code, and not their font alone.
    is_sure: bool,
}

impl Code {
    fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns whether a paragraph goes on with these.
    fn goes_on(&self, is_sure: bool) -> bool {
        self.is_empty() || self.is_sure == is_sure
    }

    fn push(&mut self, text: &str, is_sure: bool) {
        self.is_sure = is_sure;
        self.lines
            .extend(text.split('\n').map(|line| line.trim_end().to_owned()));
    }

    /// Adds an empty line, if there is one before it.
    fn push_empty(&mut self) {
        self.lines.push(String::new());
    }

    /// Makes blocks of the lines. Those that only look like code are it where one is indented, and
    /// none has the length of a paragraph of words.
    fn take(&mut self) -> Vec<Block> {
        let lines = std::mem::take(&mut self.lines);
        let has_indent = lines.iter().any(|line| line.starts_with([' ', '\t']));
        let is_code =
            has_indent && lines.len() > 1 && lines.iter().all(|line| line.len() <= LONGEST);
        if is_code || self.is_sure && !lines.is_empty() {
            return vec![fenced(&lines.join("\n"))];
        }
        let texts = lines.into_iter().map(|line| line.trim().to_owned());
        texts
            .filter(|line| !line.is_empty())
            .map(Block::Text)
            .collect()
    }
}

/// The blocks of a body, a cell, a text box or a note while it is read.
#[derive(Debug, Default)]
pub(crate) struct Container {
    blocks: Vec<Block>,
    /// The code that the last paragraphs are.
    code: Code,
}

impl Container {
    /// Adds blocks; a paragraph without any is an empty line of the code before it.
    pub(crate) fn add_paragraph(&mut self, blocks: Vec<Block>) {
        if blocks.is_empty() && !self.code.is_empty() {
            self.code.push_empty();
        }
        self.add(blocks);
    }

    /// Adds blocks.
    pub(crate) fn add(&mut self, blocks: Vec<Block>) {
        if !blocks.is_empty() {
            self.blocks.extend(self.code.take());
            self.blocks.extend(blocks);
        }
    }

    /// Adds a paragraph that is code: by its style, or, less surely, by its font.
    pub(crate) fn add_code(&mut self, text: &str, is_sure: bool) {
        if !self.code.goes_on(is_sure) {
            self.blocks.extend(self.code.take());
        }
        self.code.push(text, is_sure);
    }

    /// Returns the blocks.
    pub(crate) fn finish(mut self) -> Vec<Block> {
        self.blocks.extend(self.code.take());
        self.blocks
    }
}
