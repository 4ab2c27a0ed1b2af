//! A page of which the main part is sought.

use super::kind::Kind;
use super::tree::{Element, Tree};
use super::vocabulary;

/// How many letters the headings and the name of a page have at most that are compared.
const MAX_TITLE: usize = 300;

/// How many letters a heading has at least that is sought in the name of the page.
const MIN_TITLE: usize = 10;

/// Blocks of code that a page without a known generator has at least to be documentation.
const BLOCKS_OF_CODE: usize = 2;

/// A page, and what is known of it as a whole.
pub(super) struct Page<'a> {
    pub(super) tree: &'a mut Tree,
    pub(super) body: usize,
    /// The headings of the page as a whole, in order.
    titles: Vec<usize>,
    /// Whether the page is technical documentation: of it, only what is surely beside the text is left out.
    pub(super) is_documentation: bool,
    /// Whether nothing stands around the text.
    pub(super) is_plain: bool,
}

impl<'a> Page<'a> {
    pub(super) fn new(tree: &'a mut Tree) -> Self {
        let body = tree.elements.iter().position(|one| one.tag() == "body");
        let mut page = Self {
            tree,
            body: body.unwrap_or(0),
            titles: Vec::new(),
            is_documentation: false,
            is_plain: false,
        };
        page.is_documentation = page.is_documentation();
        page.titles = page.titles();
        page
    }

    pub(super) fn at(&self, at: usize) -> &Element {
        &self.tree.elements[at]
    }

    pub(super) fn leave_out(&mut self, at: usize, kind: Kind) {
        self.tree.elements[at].left_out = Some(kind);
    }

    /// Takes back what is left out.
    pub(super) fn restore(&mut self) {
        for element in &mut self.tree.elements {
            element.left_out = None;
        }
        self.tree.count();
    }

    /// Returns whether an element holds a heading of the whole page.
    pub(super) fn holds_title(&self, at: usize) -> bool {
        let first = self.titles.partition_point(|title| *title < at);
        self.titles
            .get(first)
            .is_some_and(|title| *title < self.at(at).end)
    }

    /// Returns the first heading of the whole page.
    pub(super) fn first_title(&self) -> Option<usize> {
        self.titles.first().copied()
    }

    /// Returns the first heading of the whole page that is not left out.
    pub(super) fn title(&self) -> Option<usize> {
        let mut kept = self.tree.kept(self.body);
        kept.find(|at| self.titles.binary_search(at).is_ok())
    }

    fn is_documentation(&self) -> bool {
        let elements = &self.tree.elements;
        let blocks = elements.iter().filter(|one| one.tag() == "pre").count();
        blocks >= BLOCKS_OF_CODE || elements.iter().any(is_sign_of_documentation)
    }

    /// Finds the headings that are part of the name of the page, or else those of the first level.
    fn titles(&self) -> Vec<usize> {
        let name = self
            .tree
            .elements
            .iter()
            .enumerate()
            .find(|(_, one)| one.tag() == "title");
        let name = name
            .and_then(|(at, title)| title.line(at, MAX_TITLE))
            .unwrap_or_default();
        let is_named = |at: &usize| {
            let element = self.at(*at);
            let line = is_like_heading(element)
                .then(|| element.line(*at, MAX_TITLE))
                .flatten();
            line.is_some_and(|line| {
                let is_long = line.chars().count() >= MIN_TITLE;
                match element.tag() {
                    "h1" => (is_long && name.contains(&line)) || name.starts_with(&line),
                    "h2" | "h3" => is_long && name.contains(&line),
                    _ if is_title(element) => is_long && name.contains(&line),
                    _ => is_long && name.starts_with(&line),
                }
            })
        };
        let all = self.body..self.at(self.body).end;
        let named: Vec<usize> = all.clone().filter(is_named).collect();
        if !named.is_empty() {
            return named;
        }
        // The name of a site is a heading of the first level on some pages, and a link to its start.
        let is_first = |at: &usize| {
            let element = self.at(*at);
            let is_title = element.tag() == "h1" || is_headertitle(self, *at);
            is_title && element.all.linked < element.all.text
        };
        all.filter(is_first).collect()
    }
}

/// Returns whether an element is what Doxygen writes for a heading.
fn is_title(element: &Element) -> bool {
    element.attribute("class").as_deref() == Some("title")
}

/// Returns whether an element is what Doxygen writes in the place of the first heading.
fn is_headertitle(page: &Page, at: usize) -> bool {
    let class = |at: usize| page.at(at).attribute("class").unwrap_or_default();
    page.at(at).tag() == "div" && class(at) == "title" && class(page.at(at).parent) == "headertitle"
}

/// Returns whether an element is a heading, or by its class one that stands in its place.
fn is_like_heading(element: &Element) -> bool {
    match element.tag() {
        "h1" | "h2" | "h3" => true,
        "div" | "p" => element
            .attribute("class")
            .is_some_and(|class| vocabulary::is_title(&class)),
        _ => false,
    }
}

fn is_sign_of_documentation(element: &Element) -> bool {
    if element.tag() == "meta" {
        let name = element.attribute("name").unwrap_or_default();
        let content = element.attribute("content").unwrap_or_default();
        return name.eq_ignore_ascii_case("generator")
            && vocabulary::is_documentation_generator(&content);
    }
    let class = element.attribute("class");
    class.is_some_and(|class| vocabulary::is_documentation_class(&class))
}
