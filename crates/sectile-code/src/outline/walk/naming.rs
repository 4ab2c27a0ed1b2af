//! The titles and the names of definitions.

use std::borrow::Cow;

use sectile_core::Span;
use tree_sitter::Node;

use super::Walk;
use crate::Language;
use crate::outline::role::Role;
use crate::outline::signature;

/// What comments begin with.
const COMMENTS: [&str; 5] = ["//", "/*", "#", "--", "{-"];

impl Walk<'_> {
    /// Makes the title of a definition with this signature. In C the name of a type may follow its body, or be none.
    pub(super) fn title(&self, node: Node<'_>, signature: Span) -> String {
        let own = self.without_comments(node, signature);
        let name = node.child_by_field_name("name");
        let declared = self.declared.filter(|declared| {
            declared.type_id == node.id() && (declared.is_type || name.is_none())
        });
        let declared = declared.map(|declared| declared.name.of(self.text));
        let declared =
            declared.filter(|declared| name.is_none_or(|name| self.source(name) != *declared));
        match declared {
            Some(declared) => signature::title(&format!("{own} {declared}")),
            None if node.kind() == "enum_specifier" && name.is_none() => {
                signature::title(&self.text[signature.start..node.end_byte()])
            }
            None => signature::title(&own),
        }
    }

    /// Returns the text of a signature of `node` without the comments in it.
    fn without_comments(&self, node: Node<'_>, signature: Span) -> Cow<'_, str> {
        let own = signature.of(self.text);
        if !COMMENTS.iter().any(|begin| own.contains(begin)) {
            return Cow::Borrowed(own);
        }
        let mut bare = String::with_capacity(own.len());
        let mut done = signature.start;
        let mut cursor = node.walk();
        let mut is_inside = true;
        while is_inside {
            let inner = cursor.node();
            let span = Span::new(inner.start_byte(), inner.end_byte());
            let is_comment = self.role(inner) == Some(Role::Comment);
            if is_comment && done <= span.start && span.end <= signature.end {
                bare.push_str(&self.text[done..span.start]);
                bare.push(' ');
                done = span.end;
            }
            is_inside = span.start < signature.end;
            if is_inside && !is_comment && done < span.end && cursor.goto_first_child() {
                continue;
            }
            while is_inside && !cursor.goto_next_sibling() {
                is_inside = cursor.goto_parent();
            }
        }
        bare.push_str(&self.text[done..signature.end]);
        Cow::Owned(bare)
    }

    /// Returns the name of a function, in languages where one may have several clauses.
    pub(super) fn name(&self, node: Node<'_>) -> Span {
        let name = match self.language {
            Language::Haskell => node.child_by_field_name("name").or_else(|| operator(node)),
            Language::Elixir => self.head(node).and_then(|head| {
                let target = head.child_by_field_name("target");
                target.or(Some(head))
            }),
            _ => None,
        };
        let name = name.map(|name| Span::new(name.start_byte(), name.end_byte()));
        name.map_or(Span::default(), |name| self.bare(name))
    }

    /// Returns how many arguments a function of Elixir has; those of other languages do not differ by it.
    pub(super) fn arity(&self, node: Node<'_>) -> usize {
        let is_elixir = self.language == Language::Elixir;
        let head = self.head(node).filter(|_| is_elixir);
        let arguments = head
            .and_then(|head| head.named_child(1))
            .filter(|arguments| arguments.kind() == "arguments");
        arguments.map_or(0, |arguments| {
            let mut cursor = arguments.walk();
            let children = arguments.named_children(&mut cursor);
            children.filter(|child| !child.is_extra()).count()
        })
    }

    /// Returns the head of a clause of Elixir, without its guard.
    fn head<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let head = node.named_child(1)?.named_child(0)?;
        let operator = head.child_by_field_name("operator");
        if operator.is_some_and(|operator| self.source(operator) == "when") {
            return head.child_by_field_name("left");
        }
        Some(head)
    }

    /// Leaves out what is around the name of an operator: `(+)`, or of a function that is used as one.
    fn bare(&self, name: Span) -> Span {
        let text = name.of(self.text);
        let is_wrapped =
            text.len() > 2 && text.starts_with(['(', '`']) && text.ends_with([')', '`']);
        if is_wrapped {
            Span::new(name.start + 1, name.end - 1)
        } else {
            name
        }
    }

    /// Returns whether a definition is another clause of the one before it.
    pub(super) fn goes_on(&self, name: Span, arity: usize, level: usize) -> bool {
        self.found.definitions.last().is_some_and(|last| {
            let is_same = last.name.of(self.text) == name.of(self.text) && last.arity == arity;
            !name.is_empty() && is_same && last.level == level
        })
    }
}

/// Returns the operator that a clause of Haskell defines: `a + b = c`.
fn operator(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let infix = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "infix");
    infix?.child_by_field_name("operator")
}
