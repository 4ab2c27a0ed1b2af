//! What the grammar of Kotlin takes for an expression behind annotations.

use std::iter::successors;

use sectile_core::Span;
use tree_sitter::Node;

use super::{Walk, Wrapper};
use crate::outline::role::Role;
use crate::outline::signature;

/// How many words of a class are looked at.
const MODIFIERS: usize = 4;

impl Walk<'_> {
    /// Takes an expression behind annotations, which is a class: `@A enum class B { … }`, or the arguments of an
    /// annotation of the declaration below: `@A("b")`.
    pub(super) fn annotated(&mut self, node: Node<'_>) -> bool {
        let mut values = successors(Some(node), |value| signature::last_of(*value));
        let Some(value) = values.find(|value| value.kind() != node.kind()) else {
            return true;
        };
        let span = Span::new(node.start_byte(), node.end_byte());
        match value.kind() {
            "infix_expression" if self.is_class_of_words(value) && !self.is_hidden_type(value) => {
                self.wrapper = Some(Wrapper {
                    span: Span::new(self.with_comments(span.start), span.end),
                    signature: value.start_byte(),
                });
                self.define(value, value, false);
                false
            }
            "parenthesized_expression" if self.is_before_declaration(node) => {
                self.add_comment(span);
                false
            }
            _ => true,
        }
    }

    /// Returns whether an expression is a class: its word is no name.
    fn is_class_of_words(&self, node: Node<'_>) -> bool {
        let words = self.source(node).split_whitespace();
        words.take(MODIFIERS).any(|word| word == "class")
    }

    fn is_before_declaration(&self, node: Node<'_>) -> bool {
        let next = node.next_named_sibling().and_then(|next| self.role(next));
        matches!(next, Some(Role::Function | Role::Member | Role::Type))
    }
}
