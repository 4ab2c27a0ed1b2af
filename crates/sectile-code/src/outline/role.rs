//! What the kinds of syntax nodes are to an outline, language by language.

use crate::Language;

/// What a node is to an outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A module or type, in which other definitions may stand.
    Type,
    /// A type in which none stand that matter.
    Leaf,
    /// A function or method.
    Function,
    /// A declaration that is a section only if it takes several lines.
    Member,
    /// A macro of C with parameters.
    Macro,
    /// A statement that defines a function if its value is one.
    Binding,
    /// What is wrapped round a definition and belongs to it.
    Wrapper,
    /// The same, if it is wrapped round one alone.
    Group,
    /// A comment.
    Comment,
    /// An attribute, annotation or decorator.
    Attribute,
    /// A call, which may define something in Elixir, R and Ruby.
    Call,
}

use Role::{
    Attribute, Binding, Call, Comment, Function, Group, Leaf, Macro, Member, Type, Wrapper,
};

/// Returns what nodes of this kind are to an outline; nothing for those that are only walked
/// through.
pub(super) fn role_of(language: Language, kind: &str) -> Option<Role> {
    let own = match language {
        Language::Bash => bash(kind),
        Language::C | Language::Cpp => c(kind),
        Language::Csharp => csharp(kind),
        Language::Dart => dart(kind),
        Language::Elixir => elixir(kind),
        Language::Go => go(kind),
        Language::Haskell => haskell(kind),
        Language::Java => java(kind),
        Language::JavaScript | Language::TypeScript | Language::Tsx => javascript(kind),
        Language::Kotlin => kotlin(kind),
        Language::Lua => lua(kind),
        Language::Php => php(kind),
        Language::PowerShell => powershell(kind),
        Language::Python => python(kind),
        Language::R => r(kind),
        Language::Ruby => ruby(kind),
        Language::Rust => rust(kind),
        Language::Scala => scala(kind),
        _ => None,
    };
    own.or_else(|| is_comment(kind).then_some(Comment))
}

fn is_comment(kind: &str) -> bool {
    matches!(
        kind,
        "block_comment"
            | "comment"
            | "documentation_comment"
            | "haddock"
            | "line_comment"
            | "multiline_comment"
    )
}

fn bash(kind: &str) -> Option<Role> {
    (kind == "function_definition").then_some(Function)
}

fn c(kind: &str) -> Option<Role> {
    Some(match kind {
        "class_specifier"
        | "concept_definition"
        | "namespace_definition"
        | "struct_specifier"
        | "union_specifier" => Type,
        "enum_specifier" => Leaf,
        "function_definition" => Function,
        "declaration" | "field_declaration" | "alias_declaration" => Member,
        "preproc_function_def" => Macro,
        "template_declaration" | "type_definition" => Wrapper,
        "attribute_declaration" => Attribute,
        _ => return None,
    })
}

fn csharp(kind: &str) -> Option<Role> {
    Some(match kind {
        "class_declaration"
        | "interface_declaration"
        | "namespace_declaration"
        | "record_declaration"
        | "struct_declaration" => Type,
        "enum_declaration" => Leaf,
        "constructor_declaration"
        | "conversion_operator_declaration"
        | "destructor_declaration"
        | "local_function_statement"
        | "method_declaration"
        | "operator_declaration" => Function,
        "delegate_declaration"
        | "event_declaration"
        | "field_declaration"
        | "indexer_declaration"
        | "property_declaration" => Member,
        "attribute_list" | "preproc_if_in_attribute_list" => Attribute,
        _ => return None,
    })
}

fn dart(kind: &str) -> Option<Role> {
    Some(match kind {
        "class_declaration"
        | "enum_declaration"
        | "extension_declaration"
        | "extension_type_declaration"
        | "mixin_declaration" => Type,
        "function_declaration"
        | "getter_declaration"
        | "method_declaration"
        | "setter_declaration" => Function,
        "declaration" | "type_alias" => Member,
        "member_declaration" => Wrapper,
        "annotation" | "metadata" => Attribute,
        _ => return None,
    })
}

fn elixir(kind: &str) -> Option<Role> {
    Some(match kind {
        "call" => Call,
        "unary_operator" => Attribute,
        _ => return None,
    })
}

fn go(kind: &str) -> Option<Role> {
    Some(match kind {
        "function_declaration" | "method_declaration" => Function,
        "type_alias" | "type_spec" => Leaf,
        "const_declaration" | "var_declaration" => Member,
        "type_declaration" => Group,
        _ => return None,
    })
}

fn haskell(kind: &str) -> Option<Role> {
    Some(match kind {
        "class" | "data_family" | "data_type" | "instance" | "newtype" | "type_family" => Leaf,
        "bind" | "function" | "signature" => Function,
        "type_synonym" => Member,
        _ => return None,
    })
}

fn java(kind: &str) -> Option<Role> {
    Some(match kind {
        "annotation_type_declaration"
        | "class_declaration"
        | "enum_declaration"
        | "interface_declaration"
        | "record_declaration" => Type,
        "compact_constructor_declaration" | "constructor_declaration" | "method_declaration" => {
            Function
        }
        "constant_declaration" | "field_declaration" => Member,
        "annotation" | "marker_annotation" => Attribute,
        _ => return None,
    })
}

fn javascript(kind: &str) -> Option<Role> {
    Some(match kind {
        "abstract_class_declaration"
        | "class_declaration"
        | "interface_declaration"
        | "internal_module"
        | "module" => Type,
        "enum_declaration" => Leaf,
        "function_declaration" | "generator_function_declaration" | "method_definition" => Function,
        "abstract_method_signature"
        | "function_signature"
        | "method_signature"
        | "property_signature"
        | "type_alias_declaration" => Member,
        "expression_statement"
        | "field_definition"
        | "lexical_declaration"
        | "pair"
        | "public_field_definition"
        | "variable_declaration" => Binding,
        "ambient_declaration" | "export_statement" => Wrapper,
        "decorator" => Attribute,
        _ => return None,
    })
}

fn kotlin(kind: &str) -> Option<Role> {
    Some(match kind {
        "class_declaration" | "companion_object" | "object_declaration" => Type,
        "anonymous_initializer" | "function_declaration" | "secondary_constructor" => Function,
        "property_declaration" | "type_alias" => Member,
        "annotated_expression" | "annotation" | "file_annotation" => Attribute,
        _ => return None,
    })
}

fn lua(kind: &str) -> Option<Role> {
    Some(match kind {
        "function_declaration" => Function,
        "assignment_statement" | "field" | "variable_declaration" => Binding,
        _ => return None,
    })
}

fn php(kind: &str) -> Option<Role> {
    Some(match kind {
        "class_declaration"
        | "enum_declaration"
        | "interface_declaration"
        | "trait_declaration" => Type,
        "function_definition" | "method_declaration" => Function,
        "const_declaration" | "property_declaration" => Member,
        "attribute_list" => Attribute,
        _ => return None,
    })
}

fn powershell(kind: &str) -> Option<Role> {
    Some(match kind {
        "class_statement" => Type,
        "enum_statement" => Leaf,
        "class_method_definition" | "function_statement" => Function,
        _ => return None,
    })
}

fn python(kind: &str) -> Option<Role> {
    Some(match kind {
        "class_definition" => Type,
        "function_definition" => Function,
        "decorated_definition" => Wrapper,
        "decorator" => Attribute,
        _ => return None,
    })
}

fn r(kind: &str) -> Option<Role> {
    Some(match kind {
        "argument" | "binary_operator" => Binding,
        "call" => Call,
        _ => return None,
    })
}

fn ruby(kind: &str) -> Option<Role> {
    Some(match kind {
        "class" | "module" | "singleton_class" => Type,
        "method" | "singleton_method" => Function,
        "call" => Call,
        _ => return None,
    })
}

fn rust(kind: &str) -> Option<Role> {
    Some(match kind {
        "impl_item" | "mod_item" | "trait_item" => Type,
        "enum_item" | "macro_definition" | "struct_item" | "union_item" => Leaf,
        "function_item" => Function,
        "const_item" | "function_signature_item" | "static_item" | "type_item" => Member,
        "attribute_item" | "inner_attribute_item" => Attribute,
        _ => return None,
    })
}

fn scala(kind: &str) -> Option<Role> {
    Some(match kind {
        "class_definition"
        | "enum_definition"
        | "extension_definition"
        | "given_definition"
        | "object_definition"
        | "package_object"
        | "trait_definition" => Type,
        "function_definition" => Function,
        "function_declaration" | "type_definition" | "val_definition" | "var_definition" => Member,
        "annotation" => Attribute,
        _ => return None,
    })
}

/// Returns whether a value of this kind is a function.
pub(super) fn is_closure(kind: &str) -> bool {
    matches!(
        kind,
        "arrow_function" | "function_definition" | "function_expression" | "generator_function"
    )
}

/// Returns whether a node of this kind is the body of a definition that has no field for it.
pub(super) fn is_body(kind: &str) -> bool {
    matches!(
        kind,
        "class_body"
            | "do_block"
            | "enum_class_body"
            | "function_body"
            | "script_block"
            | "template_body"
    )
}

/// Returns whether functions without a body only declare something in `language`.
pub(super) const fn needs_bodies(language: Language) -> bool {
    matches!(
        language,
        Language::C
            | Language::Cpp
            | Language::Csharp
            | Language::Dart
            | Language::Java
            | Language::Kotlin
            | Language::Php
    )
}
