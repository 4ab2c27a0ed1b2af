//! The elements and texts of an XML file as a tree.

mod flat;
mod formulas;
mod numbered;
mod running;

use std::collections::HashMap;

use super::vocabularies::Vocabulary;
use super::{fiction_book, names};
use crate::failure::Failure;
use crate::superscript::{joins, subscript, superscripts};
use crate::xml::{Node as Step, Walk};

/// How many elements are looked at to find the title.
const TITLE_WITHIN: usize = 2_000;

/// How many texts are raised together: in an element that has more, nothing is an exponent.
const MOST_RAISED: usize = 100;

/// An element or a text.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing of the element, and they are in any combination"
)]
#[derive(Debug)]
pub(super) struct Node {
    /// The place of the element's name; nothing for a text.
    name: Option<u32>,
    /// What the element is called instead, in a property list.
    pub(super) label: Option<String>,
    /// The names and values of the attributes, without those about the file.
    pub(super) attributes: Vec<(String, String)>,
    pub(super) text: String,
    /// The node after all that are inside this one.
    next: usize,
    /// The bytes of text inside that are not white space.
    pub(super) length: usize,
    /// Whether there are elements in it, and text beside them.
    pub(super) has_elements: bool,
    pub(super) is_mixed: bool,
    /// Whether there is a table, a list or code in it, however deep.
    pub(super) holds_blocks: bool,
    /// Whether it is a formula, which its text has in Markdown.
    pub(super) is_formula: bool,
    /// Whether it names another element and says nothing itself.
    pub(super) is_taken: bool,
    /// Whether it is the text of an undefined entity, and follows no other text.
    is_entity: bool,
}

/// All elements and texts of a file, each before those inside it.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says one thing of the file, and they are in any combination"
)]
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    names: Vec<String>,
    /// Whether there is running text.
    pub(super) is_prose: bool,
    /// Whether there are paragraphs.
    pub(super) has_paragraphs: bool,
    /// Whether the vocabulary is one of documents, in which attributes mark up the running text.
    pub(super) is_markup: bool,
    /// Whether texts are wiki markup, of which tags are a part.
    pub(super) is_wiki: bool,
    /// Whether attributes draw and do not say anything.
    pub(super) is_drawing: bool,
    /// What references of a document show, by the ids of their places.
    pub(super) shown: HashMap<String, String>,
    /// How many entities nobody defined.
    pub(super) unresolved: usize,
}

impl Tree {
    pub(super) fn read(xml: &str) -> Result<Self, Failure> {
        let mut reader = Reader {
            nodes: Vec::new(),
            names: Vec::new(),
            places: HashMap::new(),
            open: Vec::new(),
            goes_on: false,
            vocabulary: None,
        };
        let mut is_markup = false;
        let mut walk = Walk::new(xml).allowing_doctype();
        loop {
            let unresolved = walk.unresolved();
            match walk.next()? {
                Step::Open(element)
                    if reader.is_book() && fiction_book::is_beside_text(element.name()) =>
                {
                    walk.skip()?;
                }
                Step::Open(element) => {
                    if reader.nodes.is_empty() {
                        reader.vocabulary =
                            Vocabulary::of(element.name(), element.attributes(), xml);
                        is_markup = reader.vocabulary.is_some()
                            || names::is_document(element.name())
                            || element.attributes().any(|(name, value)| {
                                names::is_namespace_of_documents(&name, &value)
                            });
                    }
                    let attributes = element.attributes();
                    let attributes = attributes.filter(|(name, _)| !names::is_technical(name));
                    reader.open(element.name(), attributes.collect());
                }
                Step::Close => reader.close(),
                Step::Text(text) if walk.unresolved() > unresolved => reader.entity(&text),
                Step::Text(text) => reader.text(&text),
                Step::End => break,
            }
        }
        let vocabulary = reader.vocabulary;
        let mut tree = Self {
            nodes: reader.nodes,
            names: reader.names,
            is_prose: false,
            has_paragraphs: false,
            is_markup: false,
            is_wiki: false,
            is_drawing: false,
            shown: HashMap::new(),
            unresolved: walk.unresolved(),
        };
        if tree.roots().all(|at| tree.name(at).is_none()) {
            return Err(Failure::Damaged("it has no element"));
        }
        tree.has_paragraphs = (0..tree.nodes.len()).any(|at| {
            let is_paragraph = tree.name(at).is_some_and(names::is_paragraph);
            is_paragraph && tree.nodes[at].length > 0
        });
        let has_text = tree.has_paragraphs || vocabulary.is_some();
        tree.is_markup = has_text && is_markup;
        tree.is_prose = has_text || tree.nodes.iter().any(|node| node.is_mixed);
        (tree.is_drawing, tree.is_wiki) = (tree.has_root("svg"), tree.has_root("mediawiki"));
        tree.label_properties();
        tree.write_formulas();
        if vocabulary == Some(Vocabulary::Law) {
            tree.number_parts();
        }
        if tree.is_prose {
            tree.raise();
        }
        Ok(tree)
    }

    /// Returns whether the root has this name.
    pub(super) fn has_root(&self, name: &str) -> bool {
        self.roots().any(|at| self.name(at) == Some(name))
    }

    pub(super) fn node(&self, at: usize) -> &Node {
        &self.nodes[at]
    }

    /// Returns the name of an element; nothing for a text.
    pub(super) fn name(&self, at: usize) -> Option<&str> {
        Some(&self.names[self.nodes[at].name? as usize])
    }

    /// Returns what an element is called.
    pub(super) fn label(&self, at: usize) -> &str {
        let label = self.nodes[at].label.as_deref();
        label.or_else(|| self.name(at)).unwrap_or_default()
    }

    pub(super) fn roots(&self) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            at: 0,
            end: self.nodes.len(),
        }
    }

    /// Returns the elements and texts in an element.
    pub(super) fn children(&self, at: usize) -> Children<'_> {
        Children {
            nodes: &self.nodes,
            at: at + 1,
            end: self.nodes[at].next,
        }
    }

    /// Returns the elements in an element.
    pub(super) fn elements(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.children(at)
            .filter(|&child| self.nodes[child].name.is_some())
    }

    /// Returns all nodes in an element, however deep.
    pub(super) fn inside(&self, at: usize) -> std::ops::Range<usize> {
        at + 1..self.nodes[at].next
    }

    /// Returns whether an element holds no elements.
    pub(super) fn is_leaf(&self, at: usize) -> bool {
        !self.nodes[at].has_elements
    }

    /// Returns the text of a leaf as it stands.
    pub(super) fn leaf_text(&self, at: usize) -> String {
        let texts = self
            .children(at)
            .map(|child| self.nodes[child].text.as_str());
        texts.collect()
    }

    /// Takes an element out of the text, also of that of elements around it.
    fn take_out(&mut self, at: usize) {
        let end = self.nodes[at].next;
        for node in &mut self.nodes[at..end] {
            node.text.clear();
            node.length = 0;
        }
        self.nodes[at].is_taken = true;
    }

    /// Returns the text that a section begins with where an entity stands for it that nobody defined: manuals keep the
    /// titles that all pages have, such as `Description`, in a file of their own.
    pub(super) fn leading_entity(&self, at: usize) -> Option<usize> {
        self.name(at).filter(|name| names::is_section(name))?;
        let says_something = |&child: &usize| {
            let node = &self.nodes[child];
            node.name.is_some() || !node.text.trim().is_empty()
        };
        let first = self.children(at).find(says_something)?;
        self.nodes[first].is_entity.then_some(first)
    }

    /// Returns what the file calls itself.
    pub(super) fn title(&self) -> Option<String> {
        let root = self.roots().find(|&at| self.nodes[at].name.is_some());
        let named = || {
            let mut children = self.elements(root?);
            children.find(|&at| self.name(at) == Some("name") && self.is_leaf(at))
        };
        let found = self.first_title().or_else(named)?;
        Some(self.flat(found)).filter(|title| !title.is_empty())
    }

    /// Finds the first title that is not a caption.
    fn first_title(&self) -> Option<usize> {
        let end = self.nodes.len().min(TITLE_WITHIN);
        let mut at = 0;
        while at < end {
            let name = self.name(at).unwrap_or_default();
            let is_title = matches!(name, "title" | "article-title" | "docTitle")
                || names::NAMES_OF_PAGES.contains(&name);
            if is_title && self.nodes[at].length > 0 {
                return Some(at);
            }
            let is_object = at > 0 && self.is_markup && names::is_formal(name);
            at = if is_object {
                self.nodes[at].next
            } else {
                at + 1
            };
        }
        None
    }

    pub(super) fn language(&self) -> Option<String> {
        let root = self.roots().find(|&at| self.nodes[at].name.is_some())?;
        let attributes = self.nodes[root].attributes.iter();
        let mut languages = attributes.filter(|(name, _)| name == "xml:lang" || name == "lang");
        languages.next().map(|(_, value)| value.clone())
    }

    /// Writes raised digits in running text as superscript characters, and lowered ones that stand beside digits as
    /// subscript characters.
    fn raise(&mut self) {
        for at in 0..self.nodes.len() {
            let has = |is_so: fn(&str, &str) -> bool| {
                let attributes = &self.nodes[at].attributes;
                attributes.iter().any(|(name, value)| is_so(name, value))
            };
            if self.name(at).is_some_and(names::is_raised) || has(names::raises) {
                self.raise_texts(at);
            } else if self.name(at).is_some_and(names::is_lowered) || has(names::lowers) {
                self.lower_text(at);
            }
        }
    }

    /// Raises what stands in an element. Where it cannot be and would be a part of the number before it, a mark is
    /// between them.
    fn raise_texts(&mut self, at: usize) {
        let texts: Vec<usize> = self
            .inside(at)
            .filter(|&one| self.nodes[one].name.is_none())
            .take(MOST_RAISED + 1)
            .collect();
        if texts.len() > MOST_RAISED {
            return;
        }
        let pieces: Vec<&str> = texts.iter().map(|&one| &*self.nodes[one].text).collect();
        if let Some(raised) = superscripts(&pieces) {
            for (text, raised) in texts.into_iter().zip(raised) {
                self.nodes[text].text = raised;
            }
        } else if let Some(&first) = texts.first()
            && joins(self.letter_before(at), &pieces.concat())
        {
            self.nodes[first].text.insert(0, '^');
        }
    }

    /// Lowers the text of an element where it stands beside digits.
    fn lower_text(&mut self, at: usize) {
        let after = self.nodes.get(self.nodes[at].next);
        let after = after.filter(|after| after.name.is_none());
        let after = after.and_then(|after| after.text.chars().next());
        let mut texts = self
            .inside(at)
            .filter(|&one| self.nodes[one].name.is_none());
        if let (Some(text), None) = (texts.next(), texts.next())
            && let Some(lowered) = subscript(self.letter_before(at), &self.nodes[text].text, after)
        {
            self.nodes[text].text = lowered;
        }
    }

    /// Returns the last letter of the text that an element stands directly behind.
    fn letter_before(&self, at: usize) -> Option<char> {
        let before = self.nodes.get(at.checked_sub(1)?)?;
        let text = before.name.is_none().then_some(&before.text)?;
        text.chars().next_back()
    }

    /// Gives the values of property lists (`dict`) the keys that stand before them as names.
    fn label_properties(&mut self) {
        for at in 0..self.nodes.len() {
            if self.name(at) != Some("dict") {
                continue;
            }
            let children: Vec<usize> = self.elements(at).collect();
            for pair in children.windows(2) {
                if self.name(pair[0]) == Some("key") && self.name(pair[1]) != Some("key") {
                    self.nodes[pair[1]].label = Some(self.flat(pair[0]));
                    self.nodes[pair[0]].is_taken = true;
                }
            }
        }
    }
}

/// The nodes of one level.
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
        self.at = self.nodes[at].next;
        Some(at)
    }
}

/// Builds the tree.
struct Reader {
    nodes: Vec<Node>,
    names: Vec<String>,
    places: HashMap<String, u32>,
    open: Vec<usize>,
    /// Whether the last node is a text that the next one goes on with.
    goes_on: bool,
    /// The vocabulary, if its elements are read as those of others.
    vocabulary: Option<Vocabulary>,
}

impl Reader {
    /// Returns whether the file is a book in `FictionBook`.
    fn is_book(&self) -> bool {
        self.names
            .first()
            .is_some_and(|root| root == fiction_book::ROOT)
    }

    fn open(&mut self, name: &str, attributes: Vec<(String, String)>) {
        let known = self
            .vocabulary
            .and_then(|vocabulary| vocabulary.known(name));
        let name = known.unwrap_or(name);
        let place = if let Some(place) = self.places.get(name) {
            *place
        } else {
            let place = self.names.len() as u32;
            self.names.push(name.into());
            self.places.insert(name.into(), place);
            place
        };
        if let Some(&parent) = self.open.last() {
            self.nodes[parent].has_elements = true;
        }
        self.open.push(self.nodes.len());
        self.push(Some(place), attributes, String::new());
    }

    fn close(&mut self) {
        self.goes_on = false;
        let Some(at) = self.open.pop() else { return };
        let end = self.nodes.len();
        let node = &mut self.nodes[at];
        node.next = end;
        node.is_mixed &= node.has_elements;
        let (length, holds_blocks) = (node.length, node.holds_blocks);
        let name = node.name.map(|name| self.names[name as usize].as_str());
        let is_block = length > 0
            && name.is_some_and(|name| {
                names::is_table(name) || names::is_list(name) || names::is_code(name)
            });
        if let Some(&parent) = self.open.last() {
            self.nodes[parent].length += length;
            self.nodes[parent].holds_blocks |= holds_blocks || is_block;
        }
    }

    /// Takes a text; what follows a reference belongs to what stands before it.
    fn text(&mut self, text: &str) {
        let Some(&parent) = self.open.last() else {
            return;
        };
        let length = text
            .bytes()
            .filter(|byte| !byte.is_ascii_whitespace())
            .count();
        self.nodes[parent].length += length;
        self.nodes[parent].is_mixed |= length > 0;
        match self.nodes.last_mut() {
            Some(last) if self.goes_on => last.text.push_str(text),
            _ => self.push(None, Vec::new(), text.into()),
        }
    }

    /// Takes an entity that nobody defined. It stands for the words that its name ends with.
    fn entity(&mut self, reference: &str) {
        let Some(&parent) = self.open.last() else {
            return;
        };
        let words = words_of(reference);
        let before = self.nodes.last().filter(|_| self.goes_on);
        if before.is_some_and(|before| !before.text.trim().is_empty()) {
            return self.text(&words);
        }
        let was_mixed = self.nodes[parent].is_mixed;
        self.goes_on = false;
        self.text(&words);
        self.goes_on = false;
        if let Some(last) = self.nodes.last_mut() {
            last.is_entity = true;
        }
        let name = self.nodes[parent].name;
        if name.is_some_and(|name| names::is_section(&self.names[name as usize])) {
            // It stands for a title, or for a block that many sections have.
            self.nodes[parent].is_mixed = was_mixed;
        }
    }

    fn push(&mut self, name: Option<u32>, attributes: Vec<(String, String)>, text: String) {
        self.goes_on = name.is_none();
        self.nodes.push(Node {
            name,
            label: None,
            attributes,
            text,
            next: self.nodes.len() + 1,
            length: 0,
            has_elements: false,
            is_mixed: false,
            holds_blocks: false,
            is_formula: false,
            is_taken: false,
            is_entity: false,
        });
    }
}

/// Returns the words that the name of an entity ends with: `see also` for `&title.see-also;`. A name of one letter says
/// nothing and stays as it is written, such as that in `AT&T;`.
fn words_of(reference: &str) -> String {
    let name = reference.trim_matches(['&', ';']);
    let last = name.rsplit(['.', ':']).find(|part| !part.is_empty());
    match last {
        Some(last) if last.chars().nth(1).is_some() => last.replace(['-', '_'], " "),
        _ => reference.to_owned(),
    }
}
