//! The outline of source code.

use sectile_core::{Heading, Span};
use tree_sitter::{Node, Tree};

use crate::Language;
use parsing::{parse, parse_without_macros};
use role::{Role, needs_bodies, role_of};

mod components;
mod gaps;
mod lines;
mod macros;
mod naming;
mod parsing;
mod role;
mod signature;
mod values;

/// How deep the tree is walked.
const MAX_DEPTH: usize = 500;

/// How many lines make a section of a function inside a function.
const LONG: usize = 40;

/// How many lines make a section of a declaration.
const SEVERAL: usize = 5;

/// The levels of headings end here.
const MAX_LEVEL: usize = 6;

/// What [`outline`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// A heading for each definition, in the order of the text.
    pub headings: Vec<Heading>,
    /// Whether parts of the text are not the language's syntax, or syntax that its grammar does
    /// not know.
    pub has_errors: bool,
    /// Whether the text has no outline: it is too long, it has too many definitions, parsing was ended, or this build does
    /// not have the language.
    pub is_unparsed: bool,
}

/// Finds the definitions in `text`: modules, types, functions and methods.
///
/// A heading's title is the definition's signature on one line; its span begins with the doc
/// comment, attributes and decorators, and ends with the signature. Its level is one more than the
/// number of definitions around it. Code between definitions, from two lines on, has a heading
/// too, named by its first line, so that it is not taken for a part of what stands before it.
///
/// Functions inside functions have a heading from 40 lines on, declarations without a body from 5
/// lines on, comments included. Tests have one as other functions do, also those of Elixir and Ruby that are calls.
///
/// Of a text with syntax errors as much is found as the parser makes sense of. Texts over 1 MiB are not parsed.
/// Time is linear in the length of source code; what is not code at all can take the parser minutes: see
/// [`outline_until`].
///
/// A language without a grammar is read line by line, however long the text is. A line near the margin that begins with
/// a word such as `message`, `resource` or `CREATE TABLE` begins a definition, with the comments directly above it.
/// Comments, strings and documents of several lines hold none. A text with more than 20,000 definitions is data, and
/// nothing is found.
///
/// ```
/// use sectile_code::{Language, outline};
///
/// let text = "# Greets.\ndef greet(name):\n    return name\n\nclass Queue:\n    def put(self):\n        pass\n";
/// let found = outline(text, Language::Python);
/// let titles: Vec<_> = found.headings.iter().map(|heading| &*heading.title).collect();
/// assert_eq!(titles, ["def greet(name)", "class Queue", "def put(self)"]);
/// assert_eq!(found.headings[0].span.of(text), "# Greets.\ndef greet(name):");
/// assert_eq!(found.headings[2].level, 2);
/// ```
pub fn outline(text: &str, language: Language) -> Outline {
    outline_until(text, language, || false)
}

/// Finds the definitions in `text` as [`outline`] does, unless parsing `is_over`, which is asked again and again
/// while it goes on; then nothing is found.
pub fn outline_until(text: &str, language: Language, mut is_over: impl FnMut() -> bool) -> Outline {
    match language {
        Language::Svelte | Language::Vue => components::outline(text, language, &mut is_over),
        _ if language.has_grammar() => by_grammar(text, language, &mut is_over),
        _ => by_lines(text, language),
    }
}

/// Finds the definitions in a text line by line.
fn by_lines(text: &str, language: Language) -> Outline {
    let found = lines::headings(text, language);
    Outline {
        is_unparsed: found.is_none(),
        headings: found.unwrap_or_default(),
        ..Outline::default()
    }
}

/// Finds the definitions in a text by the grammar of its language.
fn by_grammar(text: &str, language: Language, is_over: &mut dyn FnMut() -> bool) -> Outline {
    let Some(mut tree) = parse(text, language, &mut *is_over) else {
        return Outline {
            is_unparsed: true,
            ..Outline::default()
        };
    };
    let mut definitions = Walk::new(text, language, &tree).run(&tree);
    if let Some(again) = parse_without_macros(text, language, &tree, is_over) {
        let found = Walk::new(text, language, &again).run(&again);
        if found.len() >= definitions.len() {
            (tree, definitions) = (again, found);
        }
    }
    let mut all = gaps::find(text, &mut definitions, language.is_c());
    all.extend(definitions);
    all.sort_by_key(|definition| (definition.span.start, definition.level));
    Outline {
        headings: all.into_iter().map(Definition::into_heading).collect(),
        has_errors: tree.root_node().has_error(),
        is_unparsed: false,
    }
}

/// A part of the text that has a heading.
#[derive(Clone, Debug)]
struct Definition {
    level: usize,
    title: String,
    /// From the doc comment to the end of the body.
    span: Span,
    /// Where the lines of the heading end.
    signature_end: usize,
    /// The name, where several clauses of one name are one definition.
    name: Span,
    is_function: bool,
    /// How far its first line is indented.
    indent: usize,
}

impl Definition {
    fn into_heading(self) -> Heading {
        Heading {
            level: self.level.min(MAX_LEVEL) as u8,
            title: self.title,
            span: Span::new(self.span.start, self.signature_end),
        }
    }
}

/// What is wrapped round a definition.
#[derive(Clone, Copy)]
struct Wrapper {
    /// From the doc comment on.
    span: Span,
    /// Where the signature begins.
    signature: usize,
}

/// A walk over a tree, in the order of the text.
struct Walk<'a> {
    text: &'a str,
    language: Language,
    /// The role of each kind of node, by its number.
    roles: Vec<Option<Role>>,
    found: Vec<Definition>,
    /// The definitions around the node, outermost first.
    around: Vec<usize>,
    /// The last comments and attributes without a blank line between them.
    comments: Span,
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
    fn new(text: &'a str, language: Language, tree: &Tree) -> Self {
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
            language,
            roles: kinds.map(role).collect(),
            found: Vec::new(),
            around: Vec::new(),
            comments: Span::default(),
            wrapper: None,
            declared: None,
            has_errors: tree.root_node().has_error(),
        }
    }

    fn run(mut self, tree: &Tree) -> Vec<Definition> {
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
        let found = &self.found;
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
            Some(Role::Binding) => self.bind(node),
            Some(Role::Call) => self.call(node),
        }
    }

    fn comment(&mut self, node: Node<'_>) -> bool {
        let span = Span::new(node.start_byte(), node.end_byte());
        // A comment after code belongs to it, and one that begins so to what it stands in.
        let line = signature::line_at(self.text, span.start);
        let is_inner = span.of(self.text).starts_with("//!");
        if is_inner || !self.text[line.start..span.start].trim().is_empty() {
            return false;
        }
        self.add_comment(span);
        false
    }

    fn attribute(&mut self, node: Node<'_>) -> bool {
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
    }

    /// Returns where what begins at `start` begins with the comments before it.
    fn with_comments(&self, start: usize) -> usize {
        let comments = self.comments;
        if comments.is_empty() || comments.end > start {
            return start;
        }
        // Some grammars count the line's end to a comment.
        let end = comments.start + comments.of(self.text).trim_end().len();
        let between = &self.text[end..start];
        let is_near = between.trim().is_empty() && between.matches('\n').count() <= 1;
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
        self.around.iter().any(|&at| self.found[at].is_function)
    }

    /// Leaves the functions around `node` which nothing ends: in a text with errors, a definition that is indented no
    /// further than a function, on a line below, does not stand in it.
    fn leave_unclosed(&mut self, node: Node<'_>) {
        let line = signature::line_at(self.text, node.start_byte());
        let indent = self.indent(line.start);
        let own = self.start(node).min(self.with_comments(node.start_byte()));
        let own = signature::line_at(self.text, own);
        while let Some(&at) = self.around.last() {
            let outer = &mut self.found[at];
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
        let start = node.start_byte();
        let line = signature::line_at(self.text, start);
        self.text[line.start..start].trim().is_empty()
    }

    /// Returns how far the line is indented that `place` is in.
    fn indent(&self, place: usize) -> usize {
        leading_space(signature::line_at(self.text, place).of(self.text))
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
        let line = signature::line_at(self.text, start);
        let is_first = self.text[line.start..start].trim().is_empty();
        let start = if is_first { line.start } else { start };
        let own = || signature::start_of(node, role);
        let first = wrapper.map_or_else(own, |wrapper| wrapper.signature);
        let first = first + leading_space(&self.text[first..]);
        let last = match signature::body_of(owner) {
            Some(body) => signature::end_of(owner, body, role),
            None => signature::line_at(self.text, first)
                .end
                .min(node.end_byte()),
        };
        let last = last.max(first);
        let end = wrapper.map_or(node.end_byte(), |wrapper| wrapper.span.end);
        let name = if is_function {
            self.name(node)
        } else {
            Span::default()
        };
        let level = self.around.len() + 1;
        if self.goes_on(name, level) {
            let clause = self
                .found
                .last_mut()
                .expect("a clause goes on with another");
            clause.span.end = end;
            return;
        }
        self.around.push(self.found.len());
        self.found.push(Definition {
            level,
            title: self.title(node, Span::new(first, last)),
            span: Span::new(start, end),
            signature_end: signature::line_at(self.text, last).end,
            name,
            is_function,
            indent: self.indent(first),
        });
    }
}

fn lines(node: Node<'_>) -> usize {
    node.end_position().row - node.start_position().row + 1
}

fn leading_space(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Returns whether a declaration in C is that of a function, or a macro.
fn is_prototype(node: Node<'_>) -> bool {
    let is_function = |declarator: Node<'_>| declarator.kind() == "function_declarator";
    node.kind() == "preproc_function_def" || signature::declarators(node).any(is_function)
}
