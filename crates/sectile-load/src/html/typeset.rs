//! TeX of pages that a script typesets: `MathJax`, `KaTeX`.

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use htmd::Node;
use markup5ever_rcdom::NodeData;

use super::node::{attribute, attribute_is, children, has_class, holds, parent, tag, text};

/// The element that a formula in a line is put into.
pub(super) const INLINE: &str = "tex-inline";

/// The element that a formula of its own is put into.
pub(super) const BLOCK: &str = "tex-block";

/// Words of the scripts that typeset formulas, in small letters.
const SCRIPTS: [&str; 2] = ["mathjax", "katex"];

/// How much of a script is looked at, in bytes.
const LOOKED_AT: usize = 10_000;

/// Elements whose text is not typeset.
const VERBATIM: [&str; 10] = [
    "code", "math", "pre", "script", "style", "svg", INLINE, BLOCK, "textarea", "title",
];

/// Classes whose text is not typeset.
const IGNORED: [&str; 3] = ["mathjax_ignore", "nomath", "tex2jax_ignore"];

/// Marks around formulas, and whether they stand on lines of their own. Longer marks come first.
const DELIMITERS: [(&str, &str, bool); 3] = [
    ("\\(", "\\)", false),
    ("\\[", "\\]", true),
    ("$$", "$$", true),
];

/// Environments that are formulas without marks around them.
const ENVIRONMENTS: [&str; 9] = [
    "align",
    "align*",
    "displaymath",
    "eqnarray",
    "equation",
    "equation*",
    "gather",
    "gather*",
    "multline",
];

/// The class of a formula that `KaTeX` has drawn, and that of its letters, which readers of screens do not see.
const KATEX: &str = "katex";
const KATEX_LETTERS: &str = "katex-html";

/// The class of what `KaTeX` stacks, in another order than it is read: a fraction, an exponent.
const KATEX_STACK: &str = "vlist";

/// Attributes with the TeX of a formula that is drawn.
const TEX: [&str; 4] = ["data-formula", "data-latex", "data-math", "data-tex"];

/// How many elements around a formula alone may have its TeX, and how many elements and texts such an element holds.
const AROUND: usize = 2;
const FEW: usize = 10;

/// Puts each formula of a page that is typeset into an element of its own. `html` is the page as it is written.
pub(super) fn mark_formulas(root: &Rc<Node>, html: &str) {
    if html.contains(KATEX) {
        mark_drawn(root);
    }
    mark_scripts(root);
    if is_typeset(root) {
        mark_text(root);
    }
}

/// Puts the TeX of formulas that `KaTeX` has drawn without MathML in the place of their letters. Where the page has none,
/// letters that stand in a row are shown.
fn mark_drawn(root: &Rc<Node>) {
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        if !has_class(&node, KATEX) {
            open.extend(children(&node));
        } else if !holds(&node, |inner| tag(inner) == Some("math")) {
            mark_letters(&node);
        }
    }
}

fn mark_letters(drawn: &Rc<Node>) {
    if let Some(formula) = tex_around(drawn) {
        formula.parent.set(Some(Rc::downgrade(drawn)));
        drawn.children.replace(vec![formula]);
    } else if !holds(drawn, |inner| has_class(inner, KATEX_STACK)) {
        for letters in children(drawn) {
            if has_class(&letters, KATEX_LETTERS)
                && let NodeData::Element { attrs, .. } = &letters.data
            {
                let mut attributes = attrs.borrow_mut();
                attributes.retain(|one| &*one.name.local != "aria-hidden");
            }
        }
    }
}

/// Makes an element of the TeX that a drawn formula has in an attribute, or what holds nothing else.
fn tex_around(drawn: &Rc<Node>) -> Option<Rc<Node>> {
    let is_alone = |around: &Rc<Node>| {
        let children = around.children.borrow();
        let elements = children.iter().filter(|child| tag(child).is_some());
        children.len() <= FEW && elements.count() == 1
    };
    let around = std::iter::successors(parent(drawn), parent).take(AROUND);
    let around = around.take_while(is_alone);
    let nodes: Vec<Rc<Node>> = std::iter::once(Rc::clone(drawn)).chain(around).collect();
    let tex_of = |node: &Rc<Node>| TEX.iter().find_map(|name| attribute(node, name));
    let mut found = nodes.iter().enumerate();
    let (at, tex) = found.find_map(|(at, node)| Some((at, tex_of(node)?)))?;
    let names_block = |name: &str| {
        (name.contains("block") || name.contains("display")) && !name.contains("inline")
    };
    let is_apart = |class: &str| class.split_whitespace().any(names_block);
    let mut within = nodes[..=at].iter();
    let is_block = within.any(|node| attribute_is(node, "class", is_apart));
    of_formula(drawn, &tex, is_block)
}

/// Puts the formulas that stand in scripts, as `MathJax` 2 writes them, into elements within the line.
fn mark_scripts(root: &Rc<Node>) {
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        for child in node.children.borrow_mut().iter_mut() {
            if let Some(formula) = in_script(&node, child) {
                *child = formula;
            }
        }
        open.extend(children(&node));
    }
}

/// Makes an element of the formula that a script holds.
fn in_script(parent: &Rc<Node>, script: &Rc<Node>) -> Option<Rc<Node>> {
    let kind = (tag(script) == Some("script")).then(|| attribute(script, "type"))??;
    if !kind.starts_with("math/tex") {
        return None;
    }
    let formula = of_formula(parent, &text(script)?, kind.contains("mode=display"))?;
    formula.parent.set(Some(Rc::downgrade(parent)));
    Some(formula)
}

fn mark_text(root: &Rc<Node>) {
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        if is_verbatim(&node) {
            continue;
        }
        let has_formula = |child: &Rc<Node>| match &child.data {
            NodeData::Text { contents } => contents.borrow().contains(['$', '\\']),
            _ => false,
        };
        let nodes = children(&node);
        if nodes.iter().any(has_formula) {
            let nodes = nodes.iter().flat_map(|child| split(&node, child)).collect();
            *node.children.borrow_mut() = nodes;
        }
        open.extend(nodes);
    }
}

/// Returns whether a script of a page typesets formulas.
fn is_typeset(root: &Rc<Node>) -> bool {
    let mut open = vec![Rc::clone(root)];
    while let Some(node) = open.pop() {
        if tag(&node) == Some("script") && typesets(&node) {
            return true;
        }
        open.extend(children(&node));
    }
    false
}

fn typesets(script: &Node) -> bool {
    let names = |text: &str| {
        let text = text.to_lowercase();
        SCRIPTS.iter().any(|name| text.contains(name))
    };
    let source = attribute(script, "src");
    source.is_some_and(|source| names(&source))
        || text(script).is_some_and(|text| names(text.get(..LOOKED_AT).unwrap_or(&text)))
}

fn is_verbatim(node: &Node) -> bool {
    let is_ignored = |class: String| class.split_whitespace().any(|name| IGNORED.contains(&name));
    tag(node).is_some_and(|tag| VERBATIM.contains(&tag))
        || attribute(node, "class").is_some_and(is_ignored)
}

/// Splits a text at the formulas in it; anything else stays as it is.
fn split(parent: &Rc<Node>, node: &Rc<Node>) -> Vec<Rc<Node>> {
    let NodeData::Text { contents } = &node.data else {
        return vec![Rc::clone(node)];
    };
    let text = contents.borrow();
    let mut formulas = Formulas {
        text: &text,
        absent: HashSet::new(),
    };
    let mut nodes = Vec::new();
    let (mut written, mut at) = (0, 0);
    while let Some(found) = text[at..].find(['$', '\\']) {
        let begin = at + found;
        let Some(formula) = formulas.at(begin) else {
            at = begin + formulas.marks_at(begin);
            continue;
        };
        nodes.push(of_text(&text[written..begin]));
        nodes.extend(of_formula(parent, formula.tex, formula.is_block));
        (written, at) = (formula.end, formula.end);
    }
    if nodes.is_empty() {
        return vec![Rc::clone(node)];
    }
    nodes.push(of_text(&text[written..]));
    for node in &nodes {
        node.parent.set(Some(Rc::downgrade(parent)));
    }
    nodes
}

/// A formula in a text.
struct Formula<'t> {
    tex: &'t str,
    end: usize,
    is_block: bool,
}

/// Finds the formulas of a text.
struct Formulas<'t> {
    text: &'t str,
    /// Marks that are known not to come again.
    absent: HashSet<String>,
}

impl<'t> Formulas<'t> {
    /// Returns the formula that begins at a dollar sign or a backslash.
    fn at(&mut self, begin: usize) -> Option<Formula<'t>> {
        let rest = &self.text[begin..];
        for (opening, closing, is_block) in DELIMITERS {
            if rest.starts_with(opening) {
                let tex = self.until(begin + opening.len(), closing)?;
                let end = begin + opening.len() + tex.len() + closing.len();
                return Some(Formula { tex, end, is_block });
            }
        }
        if let Some(name) = rest.strip_prefix("\\begin{") {
            let (name, _) = name.split_once('}')?;
            let name = ENVIRONMENTS.iter().find(|one| **one == name)?;
            let closing = format!("\\end{{{name}}}");
            let tex = self.until(begin, &closing)?;
            let end = begin + tex.len() + closing.len();
            return Some(Formula {
                tex: &self.text[begin..end],
                end,
                is_block: true,
            });
        }
        let tex = dollars(rest.strip_prefix('$')?)?;
        Some(Formula {
            tex,
            end: begin + tex.len() + 2,
            is_block: false,
        })
    }

    /// Returns the text from a place to the closing marks behind it, unless it is blank.
    fn until(&mut self, from: usize, closing: &str) -> Option<&'t str> {
        if self.absent.contains(closing) {
            return None;
        }
        let Some((tex, _)) = self.text[from..].split_once(closing) else {
            self.absent.insert(closing.into());
            return None;
        };
        (!tex.trim().is_empty()).then_some(tex)
    }

    /// Returns how long the marks are that a text has at a place where no formula begins.
    fn marks_at(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        if rest.starts_with("$$") {
            return 2;
        }
        // An escaped dollar sign is none.
        let escaped = rest.strip_prefix('\\').and_then(|rest| rest.chars().next());
        1 + escaped
            .filter(|letter| matches!(letter, '$' | '\\'))
            .map_or(0, char::len_utf8)
    }
}

/// Returns the formula before the next dollar sign, as Pandoc reads it: it neither begins nor ends with a space,
/// and no digit follows it, as after prices.
fn dollars(rest: &str) -> Option<&str> {
    let (tex, behind) = rest.split_once('$')?;
    let is_tight = !tex.starts_with(char::is_whitespace) && !tex.ends_with(char::is_whitespace);
    let is_closed = !tex.is_empty() && !tex.ends_with('\\');
    (is_tight && is_closed && !behind.starts_with(|next: char| next.is_ascii_digit()))
        .then_some(tex)
}

fn of_text(text: &str) -> Rc<Node> {
    Node::new(NodeData::Text {
        contents: RefCell::new(text.into()),
    })
}

/// Makes an element of a formula, like the one around it, which must be an element.
fn of_formula(parent: &Node, tex: &str, is_block: bool) -> Option<Rc<Node>> {
    let NodeData::Element { name, .. } = &parent.data else {
        return None;
    };
    let mut name = name.clone();
    name.local = if is_block { BLOCK } else { INLINE }.into();
    let formula = Node::new(NodeData::Element {
        name,
        attrs: RefCell::new(Vec::new()),
        template_contents: RefCell::new(None),
        mathml_annotation_xml_integration_point: false,
    });
    let text = of_text(tex);
    text.parent.set(Some(Rc::downgrade(&formula)));
    formula.children.borrow_mut().push(text);
    Some(formula)
}
