//! The walk over the tree of a text.

use sectile_core::Span;
use tree_sitter::{Node, Tree};

use super::line_table::LineTable;
use super::role::{Role, needs_bodies, role_of};
use super::{Definition, Found, signature};
use crate::Language;

mod annotations;
mod naming;
mod values;

/// How deep the tree is walked.
const MAX_DEPTH: usize = 500;

/// How many lines make a section of a function inside a function.
const LONG: usize = 40;

/// How many lines make a section of a declaration.
const SEVERAL: usize = 5;

/// What is wrapped round a definition.
#[derive(Clone, Copy)]
struct Wrapper {
    /// From the doc comment on.
    span: Span,
    /// Where the signature begins.
    signature: usize,
}

/// A walk over a tree, in the order of the text.
pub(super) struct Walk<'a> {
    text: &'a str,
    lines: &'a LineTable,
    language: Language,
    /// The role of each kind of node, by its number.
    roles: Vec<Option<Role>>,
    found: Found,
    /// The definitions around the node, outermost first.
    around: Vec<usize>,
    /// The last comments and attributes without a blank line between them.
    comments: Span,
    /// Where the white space behind them ends.
    behind_comments: usize,
    wrapper: Option<Wrapper>,
    declared: Option<Declared>,
    /// Whether parts of the text are not the language's syntax.
    has_errors: bool,
}

/// What a declaration of C names that has a type in it.
#[derive(Clone, Copy)]
struct Declared {
    /// The node of the type.
    type_id: usize,
    name: Span,
    /// Whether it is another name of the type, and not one of a value.
    is_type: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        text: &'a str,
        lines: &'a LineTable,
        language: Language,
        tree: &Tree,
    ) -> Self {
        let grammar = tree.language();
        let kinds = 0..grammar.node_kind_count();
        let role = |id: usize| {
            let id = u16::try_from(id).ok()?;
            let is_named = grammar.node_kind_is_named(id);
            let kind = grammar.node_kind_for_id(id).filter(|_| is_named)?;
            role_of(language, kind)
        };
        Self {
            text,
            lines,
            language,
            roles: kinds.map(role).collect(),
            found: Found::default(),
            around: Vec::new(),
            comments: Span::default(),
            behind_comments: 0,
            wrapper: None,
            declared: None,
            has_errors: tree.root_node().has_error(),
        }
    }

    pub(super) fn run(mut self, tree: &Tree) -> Found {
        let mut cursor = tree.walk();
        let mut depth = 0;
        if !cursor.goto_first_child() {
            return self.found;
        }
        loop {
            let goes_in = self.visit(cursor.node());
            if goes_in && depth < MAX_DEPTH && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            while !cursor.goto_next_sibling() {
                if depth == 0 {
                    return self.found;
                }
                cursor.goto_parent();
                depth -= 1;
            }
        }
    }

    fn role(&self, node: Node<'_>) -> Option<Role> {
        *self.roles.get(usize::from(node.kind_id()))?
    }

    /// Takes note of a node, and says whether its children matter.
    fn visit(&mut self, node: Node<'_>) -> bool {
        let start = node.start_byte();
        let found = &self.found.definitions;
        while self
            .around
            .pop_if(|at| found[*at].span.end <= start)
            .is_some()
        {}
        self.wrapper = self.wrapper.filter(|wrapper| start < wrapper.span.end);
        let role = self.role(node);
        if self.has_errors && matches!(role, Some(Role::Function | Role::Leaf | Role::Type)) {
            self.leave_unclosed(node);
        }
        match role {
            Some(Role::Comment) => self.comment(node),
            Some(Role::Attribute) => self.attribute(node),
            Some(Role::Wrapper) => self.wrap_one(node),
            Some(Role::Group) if node.named_child_count() == 1 => self.wrap(node),
            None | Some(Role::Group) => true,
            Some(Role::Type) => self.define_type(node),
            Some(Role::Leaf) => {
                self.define_type(node);
                false
            }
            Some(Role::Function) => self.define_function(node, node),
            Some(Role::Member) => self.define_member(node),
            Some(Role::Macro) => {
                self.define_macro(node);
                false
            }
            Some(Role::Binding) => self.bind(node),
            Some(Role::Call) => self.call(node),
        }
    }

    fn comment(&mut self, node: Node<'_>) -> bool {
        let span = Span::new(node.start_byte(), node.end_byte());
        self.found.comments.push(span);
        // A comment after code belongs to it, and one that begins so to what it stands in.
        let is_inner = span.of(self.text).starts_with("//!");
        if is_inner || !self.lines.is_first(span.start) {
            return false;
        }
        self.add_comment(span);
        false
    }

    fn attribute(&mut self, node: Node<'_>) -> bool {
        if node.kind() == "annotated_expression" {
            return self.annotated(node);
        }
        let span = Span::new(node.start_byte(), node.end_byte());
        // In Elixir any value may be set so.
        let documents = ["@doc", "@impl", "@spec", "@since", "@deprecated"];
        let source = span.of(self.text);
        if self.language == Language::Elixir
            && !documents.iter().any(|name| source.starts_with(name))
        {
            return true;
        }
        self.add_comment(span);
        false
    }

    fn add_comment(&mut self, span: Span) {
        let start = self.with_comments(span.start);
        self.comments = Span::new(start, span.end);
        self.behind_comments = span.end + leading_space(&self.text[span.end..]);
    }

    /// Returns where what begins at `start` begins with the comments before it.
    fn with_comments(&self, start: usize) -> usize {
        let comments = self.comments;
        if comments.is_empty() || comments.end > start || self.behind_comments < start {
            return start;
        }
        // Some grammars count the line's end to a comment.
        let end = comments.start + comments.of(self.text).trim_end().len();
        let is_near = self.text[end..start].matches('\n').count() <= 1;
        if is_near { comments.start } else { start }
    }

    fn wrap(&mut self, node: Node<'_>) -> bool {
        self.note_declared(node);
        // The outermost is the one that counts.
        if self.wrapper.is_none() {
            self.wrapper = Some(Wrapper {
                span: Span::new(self.with_comments(node.start_byte()), node.end_byte()),
                signature: signature::start_of(node, |node| self.role(node)),
            });
        }
        true
    }

    fn define_type(&mut self, node: Node<'_>) -> bool {
        if self.language.is_c() && signature::body_of(node).is_none() {
            return true;
        }
        if self.is_hidden_type(node) {
            return false;
        }
        self.define(node, node, false);
        true
    }

    /// Returns whether a type stands in a function, and is too short to matter there.
    fn is_hidden_type(&self, node: Node<'_>) -> bool {
        self.is_in_function() && lines(node) < LONG
    }

    /// Takes a function; `function` is the node itself or the value that it has.
    fn define_function(&mut self, node: Node<'_>, function: Node<'_>) -> bool {
        // In Haskell, the type of a function is a node of the same kind.
        let is_type = node.child_by_field_name("result").is_some();
        if is_type && self.language == Language::Haskell {
            return true;
        }
        if signature::body_of(function).is_none() && needs_bodies(self.language) {
            return self.define_member(node);
        }
        let is_long = lines(node) >= LONG;
        if is_long || !self.is_in_function() {
            self.define(node, function, true);
        }
        // In a text with errors, what follows a function may seem to stand in it.
        is_long || self.has_errors
    }

    fn define_member(&mut self, node: Node<'_>) -> bool {
        self.note_declared(node);
        let start = self.with_comments(self.start(node));
        let source = &self.text[start..node.end_byte()];
        if source.lines().nth(SEVERAL - 1).is_none() {
            return true;
        }
        if self.is_in_function() || self.language.is_c() && !is_prototype(node) {
            return true;
        }
        self.define(node, node, true);
        false
    }

    /// Takes a macro of C with parameters.
    fn define_macro(&mut self, node: Node<'_>) {
        if !self.is_in_function() {
            self.define(node, node, true);
        }
    }

    /// Takes note of what a declaration of C names.
    fn note_declared(&mut self, node: Node<'_>) {
        if !self.language.is_c() {
            return;
        }
        let type_node = node.child_by_field_name("type");
        let name = signature::declared_name(node);
        self.declared = type_node.zip(name).map(|(of, name)| Declared {
            type_id: of.id(),
            name: Span::new(name.start_byte(), name.end_byte()),
            is_type: node.kind() == "type_definition",
        });
    }

    fn is_in_function(&self) -> bool {
        self.around
            .iter()
            .any(|&at| self.found.definitions[at].is_function)
    }

    /// Leaves the functions around `node` which nothing ends: in a text with errors, a definition that is indented no
    /// further than a function, on a line below, does not stand in it.
    fn leave_unclosed(&mut self, node: Node<'_>) {
        let indent = self.lines.indent(node.start_byte());
        let own = self.start(node).min(self.with_comments(node.start_byte()));
        let own = self.lines.span(own);
        while let Some(&at) = self.around.last() {
            let outer = &mut self.found.definitions[at];
            let is_left =
                outer.is_function && outer.indent >= indent && outer.signature_end < own.start;
            if !is_left {
                break;
            }
            outer.span.end = own.start;
            self.around.pop();
        }
    }

    fn begins_line(&self, node: Node<'_>) -> bool {
        self.lines.is_first(node.start_byte())
    }

    fn source(&self, node: Node<'_>) -> &'a str {
        &self.text[node.start_byte()..node.end_byte()]
    }

    /// Returns where a definition begins, with what is wrapped round it.
    fn start(&self, node: Node<'_>) -> usize {
        self.wrapper
            .map_or(node.start_byte(), |wrapper| wrapper.span.start)
    }

    /// Adds a definition; `owner` has its body.
    fn define(&mut self, node: Node<'_>, owner: Node<'_>, is_function: bool) {
        let wrapper = self.wrapper.take();
        let role = |node: Node<'_>| self.role(node);
        let start = match wrapper {
            Some(wrapper) => wrapper.span.start,
            None => self.with_comments(node.start_byte()),
        };
        let start = if self.lines.is_first(start) {
            self.lines.span(start).start
        } else {
            start
        };
        let own = || signature::start_of(node, role);
        let first = wrapper.map_or_else(own, |wrapper| wrapper.signature);
        let first = first + leading_space(&self.text[first..]);
        let last = match signature::body_of(owner) {
            Some(body) => signature::end_of(owner, body, role),
            None => self.lines.span(first).end.min(node.end_byte()),
        };
        let last = match self.language {
            Language::Python if last > first => {
                first + signature::first_line(&self.text[first..last]).len()
            }
            _ => last.max(first),
        };
        let end = wrapper.map_or(node.end_byte(), |wrapper| wrapper.span.end);
        // The end of the line is a part of a macro.
        let end = last.max(start + self.text[start..end].trim_end().len());
        let name = if is_function {
            self.name(node)
        } else {
            Span::default()
        };
        let arity = self.arity(node);
        let level = self.around.len() + 1;
        if self.goes_on(name, arity, level) {
            let clause = self
                .found
                .definitions
                .last_mut()
                .expect("a clause goes on with another");
            clause.span.end = end;
            return;
        }
        self.around.push(self.found.definitions.len());
        self.found.definitions.push(Definition {
            level,
            title: self.title(node, Span::new(first, last)),
            span: Span::new(start, end),
            signature_end: self.lines.span(last).end,
            name,
            arity,
            is_function,
            indent: self.lines.indent(first),
        });
    }
}

fn lines(node: Node<'_>) -> usize {
    node.end_position().row - node.start_position().row + 1
}

fn leading_space(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Returns whether a declaration in C is that of a function.
fn is_prototype(node: Node<'_>) -> bool {
    let is_function = |declarator: Node<'_>| declarator.kind() == "function_declarator";
    signature::declarators(node).any(is_function)
}
