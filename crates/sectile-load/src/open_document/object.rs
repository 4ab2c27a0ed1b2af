//! What stands in an object of its own: a formula, or a chart or another document.

use crate::blocks::{Block, Cell};
use crate::failure::Failure;
use crate::mathml::Math;
use crate::one_line::one_line;
use crate::xml::{Element, Node, Walk};

/// How many objects of a document are read.
const MAX_OBJECTS: usize = 10_000;

/// An object that was read.
#[derive(Debug)]
pub(crate) enum Object {
    /// A formula in Markdown.
    Formula(String),
    /// The title of a chart and the table of its numbers, or the text of a document.
    Blocks(Vec<Block>),
}

/// What reads a part of the archive.
type ReadPart<'a> = Box<dyn FnMut(&str) -> Option<String> + 'a>;

/// The objects of a document, read from their parts as they are met.
#[derive(Default)]
pub(crate) struct Objects<'a> {
    read: Option<ReadPart<'a>>,
    count: usize,
    unread: Vec<String>,
}

impl<'a> Objects<'a> {
    /// Says how parts are read.
    pub(crate) fn new(read: impl FnMut(&str) -> Option<String> + 'a) -> Self {
        Self {
            read: Some(Box::new(read)),
            ..Self::default()
        }
    }

    /// Reads the object that an element refers to, or notes that it cannot be read.
    pub(crate) fn read(&mut self, reference: &str) -> Option<Object> {
        let part = reference.trim_start_matches("./").trim_end_matches('/');
        if part.is_empty() {
            return None;
        }
        let mut object = None;
        if self.count < MAX_OBJECTS {
            self.count += 1;
            let xml = self.read.as_mut();
            let xml = xml.and_then(|read| read(&format!("{part}/content.xml")));
            object = xml.and_then(|xml| object_of(&xml).ok());
        }
        if object.is_none() {
            self.unread.push(part.into());
        }
        object
    }

    /// Notes an object in a format of another program.
    pub(crate) fn pass_over(&mut self, reference: &str) {
        let part = reference.trim_start_matches("./");
        if !part.is_empty() && self.unread.len() < MAX_OBJECTS {
            self.unread.push(part.into());
        }
    }

    /// Returns the names of the parts that were not read.
    pub(crate) fn into_unread(self) -> Vec<String> {
        self.unread
    }
}

/// The walk over an object that is not a formula.
#[derive(Debug, Default)]
struct Reader {
    /// The titles of a chart.
    titles: Vec<String>,
    blocks: Vec<Block>,
    table: Vec<Vec<Cell>>,
    /// The text of the cell or paragraph being read.
    text: String,
    open: Vec<String>,
}

fn object_of(xml: &str) -> Result<Object, Failure> {
    let mut walk = Walk::new(xml);
    let mut reader = Reader::default();
    loop {
        match walk.next()? {
            Node::Open(element) if element.name() == "math" => {
                return formula(&mut walk, &element).map(Object::Formula);
            }
            Node::Open(element) if matches!(element.name(), "desc" | "annotation") => {
                walk.skip()?;
            }
            Node::Open(element) => {
                let name = element.name();
                if name == "table-row" {
                    reader.table.push(Vec::new());
                }
                reader.open.push(name.into());
            }
            Node::Text(text) => {
                if reader.is_in("p") || reader.is_in("h") {
                    reader.text.push_str(&text);
                }
            }
            Node::Close => reader.close(),
            Node::End => return Ok(Object::Blocks(reader.finish())),
        }
    }
}

impl Reader {
    fn is_in(&self, name: &str) -> bool {
        self.open.iter().any(|open| open == name)
    }

    fn close(&mut self) {
        match self.open.pop().as_deref() {
            Some("p" | "h") if self.is_in("table-cell") => self.text.push(' '),
            Some("p" | "h") => {
                let text = one_line(&std::mem::take(&mut self.text));
                let is_title = self.is_in("chart");
                if text.is_empty() {
                    return;
                }
                if is_title {
                    self.titles.push(text);
                } else {
                    self.blocks.push(Block::Text(text));
                }
            }
            Some("table-cell") => {
                let text = one_line(&std::mem::take(&mut self.text));
                if let Some(row) = self.table.last_mut() {
                    row.push(Cell { text, span: 1 });
                }
            }
            Some("table") => self.end_table(),
            _ => {}
        }
    }

    fn end_table(&mut self) {
        let mut table = std::mem::take(&mut self.table);
        for row in &mut table {
            while row.last().is_some_and(|cell| cell.text.is_empty()) {
                row.pop();
            }
        }
        table.retain(|row| !row.is_empty());
        if !table.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    fn finish(mut self) -> Vec<Block> {
        if !self.titles.is_empty() {
            let title = format!("Chart: {}", self.titles.join(", "));
            self.blocks.insert(0, Block::Text(title));
        }
        self.blocks
    }
}

/// Reads the rest of a formula in MathML that an element has opened: TeX between dollar signs, or its signs where all of
/// it stands on one line.
pub(crate) fn formula(walk: &mut Walk, math: &Element) -> Result<String, Failure> {
    let mut formula = Math::default();
    formula.open(math.name(), math.attributes().collect());
    let mut depth = 1_usize;
    while depth > 0 {
        match walk.next()? {
            Node::Open(element) => {
                depth += 1;
                formula.open(element.name(), element.attributes().collect());
            }
            Node::Text(text) => formula.text(&text),
            Node::Close => {
                depth -= 1;
                formula.close();
            }
            Node::End => break,
        }
    }
    // Each formula says that it is a block, also within a line.
    Ok(formula.markdown(false))
}
