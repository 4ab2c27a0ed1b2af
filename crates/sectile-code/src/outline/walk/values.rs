//! Functions and classes that are the values of variables and fields, or that calls define.

use tree_sitter::Node;

use super::Walk;
use crate::Language;
use crate::outline::role::Role;
use crate::outline::signature;

/// Calls of R that define a class, with its methods in their arguments.
const CLASSES: [&str; 4] = ["R6::R6Class(", "R6Class(", "ggproto(", "setRefClass("];

/// How many levels of lists are looked into for functions.
const LISTS: usize = 1;

impl Walk<'_> {
    /// Takes what is wrapped round a definition, or what a module of JavaScript exports by default.
    pub(super) fn wrap_one(&mut self, node: Node<'_>) -> bool {
        match node.kind() {
            "export_statement" if node.child_by_field_name("declaration").is_none() => {
                self.bind(node)
            }
            // `declare global` has several in it.
            "ambient_declaration" if self.last_role(node).is_none() => true,
            _ => self.wrap(node),
        }
    }

    fn last_role(&self, node: Node<'_>) -> Option<Role> {
        self.role(signature::last_of(node)?)
    }

    /// Takes a variable, a field or a statement whose value may be a function, a class, or a list that has functions.
    pub(super) fn bind(&mut self, node: Node<'_>) -> bool {
        let is_of_r = self.language == Language::R;
        let is_argument = is_of_r && node.kind() == "argument";
        if is_argument && (self.around.is_empty() || !self.is_member_of_list(node)) {
            return true;
        }
        if let Some(value) = signature::value_of(node) {
            return if self.is_suite(node) {
                self.define_suite(node, value)
            } else {
                self.define_value(node, value)
            };
        }
        let list = signature::list_of(node);
        let is_class = is_of_r && self.is_class(node);
        if is_class || list.is_some_and(|list| self.holds_functions(list, LISTS)) {
            return self.is_bound_already(node) || self.define_type(node);
        }
        // What else stands in it is not what is wrapped.
        self.wrapper = None;
        true
    }

    fn define_value(&mut self, node: Node<'_>, value: Node<'_>) -> bool {
        if self.is_bound_already(node) {
            return true;
        }
        if value.kind() != "class" {
            return self.define_function(node, value);
        }
        if !self.is_hidden_type(node) {
            self.define(node, value, false);
        }
        true
    }

    /// Takes tests of JavaScript that are grouped; `function` holds them.
    fn define_suite(&mut self, node: Node<'_>, function: Node<'_>) -> bool {
        if self.is_hidden_type(node) {
            return false;
        }
        self.define(node, function, false);
        true
    }

    /// Returns whether a statement of JavaScript groups tests: `describe("Cart", () => { … })`.
    fn is_suite(&self, node: Node<'_>) -> bool {
        let mut suites = ["context", "describe", "suite"].iter();
        node.kind() == "expression_statement"
            && suites.any(|name| {
                let rest = self.source(node).strip_prefix(name);
                rest.is_some_and(|rest| rest.starts_with(['(', '.']))
            })
    }

    /// Returns whether the value of `node` is that of the definition around it, as in `local a = 1`, which is a
    /// declaration and an assignment.
    fn is_bound_already(&self, node: Node<'_>) -> bool {
        let outer = self.around.last();
        outer.is_some_and(|at| self.found.definitions[*at].span.end == node.end_byte())
    }

    /// Returns whether a list has functions in it, or lists that have some.
    fn holds_functions(&self, list: Node<'_>, deeper: usize) -> bool {
        let mut cursor = list.walk();
        let mut members = list.named_children(&mut cursor);
        members.any(|member| match self.role(member) {
            Some(Role::Function) => true,
            Some(Role::Binding) => {
                let inner = || signature::list_of(member).filter(|_| deeper > 0);
                signature::value_of(member).is_some()
                    || inner().is_some_and(|inner| self.holds_functions(inner, deeper - 1))
            }
            _ => false,
        })
    }

    /// Takes a call in Elixir, R or Ruby, which may define something.
    pub(super) fn call(&mut self, node: Node<'_>) -> bool {
        match signature::called(node).map(|name| self.source(name)) {
            Some("defmodule" | "defprotocol" | "defimpl") => self.define_type(node),
            Some("setClass" | "setGeneric" | "setMethod" | "setValidity")
                if self.begins_line(node) =>
            {
                self.define_function(node, node)
            }
            Some("def" | "defp" | "defmacro" | "defmacrop" | "defguard" | "defdelegate") => {
                self.define_function(node, node)
            }
            Some("context" | "describe" | "feature") if signature::has_block(node) => {
                self.define_type(node)
            }
            Some("it" | "property" | "scenario" | "specify" | "test")
                if signature::has_block(node) =>
            {
                self.define_function(node, node)
            }
            _ => true,
        }
    }

    /// Returns whether an assignment of R defines a class.
    fn is_class(&self, node: Node<'_>) -> bool {
        let value = node.child_by_field_name("rhs");
        let value = value.map_or("", |value| self.source(value));
        CLASSES.iter().any(|call| value.starts_with(call))
    }

    /// Returns whether an argument of R is a named member of a list: `list(run = function() 1)`.
    fn is_member_of_list(&self, node: Node<'_>) -> bool {
        let call = node.parent().and_then(|arguments| arguments.parent());
        let called = call.and_then(|call| call.child_by_field_name("function"));
        let is_list = called.is_some_and(|called| self.source(called) == "list");
        is_list && node.child_by_field_name("name").is_some()
    }
}
