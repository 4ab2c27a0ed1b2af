//! Languages without a grammar.

use sectile_code::{Language, outline};

use super::samples::check;

#[test]
fn definitions_of_programs_are_headings() {
    check(
        Language::Swift,
        "import Foundation\n\n/* class Old {\n class Older {} */\n@objc public final class Store: Base {\n  let \
         name = \"a\"\n\n  public init(name: String) {\n    func inner() {}\n  }\n  private(set) static func \
         make() -> Store { Store() }\n}\nextension Store {\n}\nclass func odd() {}\n",
        &[
            "@objc public final class Store: Base",
            "  public init(name: String)",
            "  private(set) static func make() -> Store",
            "extension Store",
            "class func odd()",
        ],
    );
    check(
        Language::Perl,
        "package Shop::Cart;\nuse strict;\n\n=head1 NAME\n\nsub no_code {\n\n=cut\n\nsub add {\n  my $sub = sub { 1 \
         };\n}\n",
        &["package Shop::Cart", "NAME", "sub add"],
    );
    check(
        Language::Julia,
        "module Shop\n\nconst HELP = \"\"\"\nfunction none()\n\"\"\"\n\nmutable struct Cart{T}\n  items::T\nend\n\ntotal(cart) \
         = sum(cart)\n@inline function add!(cart::Cart, item)\n  push!(cart, item)\nend\nend\n",
        &[
            "module Shop",
            "mutable struct Cart",
            "total(cart)",
            "@inline function add!(cart::Cart, item)",
        ],
    );
    check(
        Language::Ocaml,
        "module type S = sig\n  val find : int -> t\nend\n\n(* let none = 1 *)\nlet rec add a b =\n  let inner = 1 in\n  \
         a\ntype ('a, 'b) tree = Leaf\nlet () = main ()\nexception Empty of string\n",
        &[
            "module type S",
            "  val find",
            "let rec add",
            "type ('a, 'b) tree",
            "exception Empty",
        ],
    );
    check(
        Language::Zig,
        "const std = @import(\"std\");\npub const Point = struct {\n    x: u8,\n\n    pub fn add(a: Point) Point {\n    \
         }\n};\n\ntest \"adds\" {\n}\n",
        &[
            "pub const Point = struct",
            "  pub fn add(a: Point) Point",
            "test \"adds\"",
        ],
    );
    check(
        Language::Fsharp,
        "module Shop.Cart\n\n[<Struct>]\ntype Item =\n    { Name: string }\n    member this.Total = 1\n\nlet rec add a b \
         =\n    let inner = 2\n    a\n",
        &[
            "module Shop.Cart",
            "type Item",
            "  member this.Total",
            "let rec add",
        ],
    );
    check(
        Language::VisualBasic,
        "Namespace Shop\n    Public Class Cart\n        Public Function Add(a As Integer) As Integer\n        End \
         Function\n    End Class\nEnd Namespace\n",
        &[
            "Namespace Shop",
            "  Public Class Cart",
            "    Public Function Add",
        ],
    );
}

#[test]
fn definitions_of_schemas_and_settings_are_headings() {
    check(
        Language::Protobuf,
        "syntax = \"proto3\";\npackage shop;\n\nservice Cart {\n  // Adds.\n  rpc Add(Item) returns (Empty) {\n  \
         }\n}\nmessage Item {\n  string name = 1;\n  message Part {}\n  enum Kind { A = 0; }\n}\n",
        &[
            "service Cart",
            "  rpc Add(Item) returns (Empty)",
            "message Item",
            "  message Part",
            "  enum Kind",
        ],
    );
    check(
        Language::Graphql,
        "\"\"\"\ntype None\n\"\"\"\ntype Query implements Node {\n  type: String\n}\nextend type User @key { id: ID \
         }\ndirective @auth(role: Role) on OBJECT\n",
        &[
            "type Query implements Node",
            "extend type User @key",
            "directive @auth(role: Role) on OBJECT",
        ],
    );
    check(
        Language::Hcl,
        "resource \"aws_vpc\" \"this\" {\n  dynamic \"part\" {\n  }\n}\nvariable \"region\" {}\nlocals {\n}\nname = \
         \"a\"\ntags = {\n}\n",
        &[
            "resource \"aws_vpc\" \"this\"",
            "variable \"region\"",
            "locals",
            "name = \"a\"",
        ],
    );
    check(
        Language::Sql,
        "-- The albums.\nCREATE TABLE IF NOT EXISTS [Album] (\n  id int\n);\ncreate unique index by_id on \
         Album(id);\nCREATE OR REPLACE FUNCTION total(a int) RETURNS int AS $$ $$;\nINSERT INTO Album VALUES (1);\n",
        &[
            "CREATE TABLE IF NOT EXISTS [Album]",
            "create unique index by_id",
            "CREATE OR REPLACE FUNCTION total",
        ],
    );
    check(
        Language::Toml,
        "[package]\nname = \"a\"\nlist = [\n[1, 2]\n]\ntext = '''\n[none]\n'''\n# not '''\n[[bin]] # one\n",
        &["[package]", "[[bin]]"],
    );
    check(
        Language::Toml,
        "[target.'cfg(any(target_os = \"linux\", windows))'.dependencies]\na = \"1\"\nlist = [\n[\"a\", \
         \"b\"]\n]\n[target.\"cfg(unix)\"]\n",
        &[
            "[target.'cfg(any(target_os = \"linux\", windows))'.dependencies]",
            "[target.\"cfg(unix)\"]",
        ],
    );
    check(
        Language::Ini,
        "; all\n[remote \"origin\"]\nurl = a\n",
        &["[remote \"origin\"]"],
    );
    check(
        Language::Makefile,
        "CC := gcc\nURL = a:b\n.PHONY: all\nall build: main.o\n\tcc: none\ndefine RULE\nendef\n",
        &["all build", "define RULE"],
    );
    check(
        Language::Makefile,
        "$(error no: compiler)\nifeq ($(A:b=c),d)\nA ?= b:c\nB ::= c\nvpath %.c src:lib\ndefine PART\n$(1): \
         $(2)\nendef\n$(OBJECTS:.c=.o): all.h\n",
        &["define PART", "$(OBJECTS:.c=.o)"],
    );
    check(
        Language::Cmake,
        "project(Shop)\nif(A)\nendif()\nfunction(add_part NAME)\nendfunction()\nMACRO(Other)\n",
        &["project Shop", "function add_part", "MACRO Other"],
    );
    check(
        Language::Dockerfile,
        "ARG A=1\nFROM --platform=$BUILD golang:1.22 AS build\nCOPY --from=a . .\n",
        &["FROM --platform=$BUILD golang:1.22 AS build"],
    );
    check(Language::Css, "/* All */\n.a { color: red }\n", &[]);
}

#[test]
fn statements_of_sql_begin_with_create() {
    check(
        Language::Sql,
        "COPY goods (kind, name) FROM stdin;\nTable lamp\nview of_oslo\n\\.\nCREATE OR ALTER PROC add_item\nCREATE \
         DEFINER=`root`@`localhost` PROCEDURE `total`(a int)\nCREATE SQL SECURITY INVOKER VIEW open_orders AS\nCREATE \
         PACKAGE BODY shop AS\nCREATE OR REPLACE EDITIONABLE PACKAGE BODY \"STORE\".\"SUMS\" AS\nCREATE UNIQUE NONCLUSTERED INDEX by_name ON \
         a(b)\nCREATE PUBLIC SYNONYM sums FOR store.sums;\nCREATE PROC dbo.[My Proc] @x int AS SELECT 1\n",
        &[
            "CREATE OR ALTER PROC add_item",
            "CREATE DEFINER=`root`@`localhost` PROCEDURE `total`",
            "CREATE SQL SECURITY INVOKER VIEW open_orders",
            "CREATE PACKAGE BODY shop",
            "CREATE OR REPLACE EDITIONABLE PACKAGE BODY \"STORE\".\"SUMS\"",
            "CREATE UNIQUE NONCLUSTERED INDEX by_name",
            "CREATE PUBLIC SYNONYM sums",
            "CREATE PROC dbo.[My Proc]",
        ],
    );
}

#[test]
fn statements_of_sql_that_write_something_anew_are_headings() {
    check(
        Language::Sql,
        "ALTER PROCEDURE [dbo].[AddItem]\n  @a int\nAS\nBEGIN\nEND\nGO\nalter view open_orders(id) as\nSELECT 1\nGO\nALTER FUNCTION f() OWNER \
         TO a;\nALTER TABLE t ADD b int\nALTER VIEW\n",
        &[
            "ALTER PROCEDURE [dbo].[AddItem]",
            "alter view open_orders",
            "ALTER FUNCTION f() OWNER TO a",
        ],
    );
}

#[test]
fn what_stands_in_a_definition_without_a_name_is_no_heading() {
    check(
        Language::Ocaml,
        "type t = A\n\nlet () =\n  let x = 1 in\n  print x\nlet y = 2\n",
        &["type t", "let ()", "let y"],
    );
    check(
        Language::Zig,
        "const Point = struct {\n};\n\ntest {\n    const Inner = struct {};\n}\n",
        &["const Point = struct", "test"],
    );
}

#[test]
fn an_equation_in_a_string_is_no_heading() {
    let text = "println(\"f(x) = 1\")\ngreet(name = \"a\") = name\n";
    check(Language::Julia, text, &["greet(name = \"a\")"]);
}

#[test]
fn equations_may_have_macros_types_and_their_values_below() {
    let text = "@inline Base.get(a::Cart, b = (1)) = a[b]\nBase.@propagate_inbounds twice(a) =\n    2a\nzero(::Type{T}) where {T} = \
                0\nsize(a)::Int = 1\nadd(1) == 2\nput!(a)[1] = 2\n";
    let expected = [
        "@inline Base.get(a::Cart, b = (1))",
        "Base.@propagate_inbounds twice(a)",
        "zero(::Type{T})",
        "size(a)",
    ];
    check(Language::Julia, text, &expected);
}

#[test]
fn members_in_conditions_and_generic_initializers_are_headings() {
    let text = "class Store: Base {\n  #if os(iOS)\n    func put() {\n    }\n\n    func take() {\n    }\n  #endif\n  init<T: \
                Item>(_ item: T) {\n  }\n}\n";
    let expected = [
        "class Store: Base",
        "  func put()",
        "  func take()",
        "  init<T: Item>(_ item: T)",
    ];
    check(Language::Swift, text, &expected);
}

#[test]
fn names_may_be_any_text_or_begin_at_the_root() {
    let tests = "let ``adds (two) items``() =\n    1\n\nlet ``a b`` = 2\n";
    check(
        Language::Fsharp,
        tests,
        &["let ``adds (two) items``", "let ``a b``"],
    );
    let procedures = "namespace eval ::shop {}\n\nproc ::shop::add {a} {\n}\nproc ::put {} {\n}\n";
    check(
        Language::Tcl,
        procedures,
        &["namespace eval ::shop", "proc ::shop::add", "proc ::put"],
    );
}

#[test]
fn words_before_a_name_are_those_of_the_language() {
    let fsharp =
        "let private add a b = a\ntype internal Item =\n    member inline this.Total = 1\n";
    let expected = [
        "let private add",
        "type internal Item",
        "  member inline this.Total",
    ];
    check(Language::Fsharp, fsharp, &expected);
    let ocaml = "let rec exists p = function\nclass virtual shape = object\n  method private area = 1\nend\ntype (+'a, 'b) \
                 t = A\n";
    let expected = [
        "let rec exists",
        "class virtual shape",
        "  method private area",
        "type (+'a, 'b) t",
    ];
    check(Language::Ocaml, ocaml, &expected);
    let basic =
        "Class Cart\n    Public Property Get Total() As Long\n    End Property\nEnd Class\n";
    check(
        Language::VisualBasic,
        basic,
        &["Class Cart", "  Public Property Get Total"],
    );
    check(
        Language::Protobuf,
        "message Not {\n}\nmessage Exists {\n}\n",
        &["message Not", "message Exists"],
    );
}

#[test]
fn what_a_class_of_ocaml_inherits_and_replaces_is_a_heading() {
    check(
        Language::Ocaml,
        "class cart = object (self)\n  inherit base as super\n  inherit Shop.part\n  val! total = 1\n  method! private add a =\n    \
         a\n  method stop = 1\nend\n",
        &[
            "class cart",
            "  inherit base",
            "  inherit Shop.part",
            "  val! total",
            "  method! private add",
            "  method stop",
        ],
    );
}

#[test]
fn variables_in_braces_are_parts_of_titles() {
    check(
        Language::Dockerfile,
        "FROM ${BASE}:${TAG} AS build\n",
        &["FROM ${BASE}:${TAG} AS build"],
    );
}

#[test]
fn parts_of_templates_are_headings() {
    check(
        Language::Template,
        "{% extends \"a\" %}\n{%- block content -%}\n<p>{{ a }}</p>\n{% endblock %}\n{{ define \"part\" }}\n@section \
         Scripts {\n<% if a do %>\n",
        &["block content", "define \"part\"", "section Scripts"],
    );
}

#[test]
fn the_tables_of_an_array_are_one_section() {
    let packages = "[[package]]\nname = \"a\"\n\n[package.source]\nurl = \"b\"\n\n".repeat(300);
    let text =
        format!("version = 1\n{packages}[packages]\n[[bin]]\n[[bin.part]]\n[metadata]\n[[bin]]\n");
    let expected = [
        "[[package]]",
        "[packages]",
        "[[bin]]",
        "[metadata]",
        "[[bin]]",
    ];
    check(Language::Toml, &text, &expected);
}

#[test]
fn a_definition_begins_with_the_comments_directly_above_it() {
    let text = "// Of the file.\n\n// Adds.\n// Twice.\nmessage Add {\n}\n\n/* Takes.\n */\nmessage Take {\n}\n";
    let found = outline(text, Language::Protobuf);
    let spans = found.headings.iter().map(|heading| heading.span.of(text));
    let spans: Vec<_> = spans.collect();
    let expected = [
        "// Adds.\n// Twice.\nmessage Add {",
        "/* Takes.\n */\nmessage Take {",
    ];
    assert_eq!(spans, expected);
}

#[test]
fn any_text_is_read_line_by_line() {
    let parts = [
        "{",
        "[",
        "(",
        "\"",
        "'''",
        "=head\n",
        "/*",
        "\t",
        "message A {\n ",
        "@a(",
        "let ",
        "if ",
        "é\n",
        "FROM --a ",
        "<<A ",
        "A\n<<A\n",
        "$a$b",
        "\\\"",
        "{|",
        "a \\\n",
    ];
    let languages = Language::ALL.into_iter();
    for language in languages.filter(|language| !language.has_grammar()) {
        for part in parts {
            let text = part.repeat(20_000);
            let found = outline(&text, language);
            let spans = found.headings.iter().map(|heading| heading.span);
            assert!(
                spans
                    .clone()
                    .all(|span| text.get(span.start..span.end).is_some())
            );
            assert!(spans.map(|span| span.start).is_sorted());
        }
    }
}

#[test]
fn a_name_may_have_any_number_of_parts() {
    let text = format!("create table {}b (\n", "\"a\".".repeat(100_000));
    assert_eq!(outline(&text, Language::Sql).headings.len(), 1);
}

#[test]
fn the_languages_are_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let docs = std::fs::read_to_string(path).expect("the documentation is beside the crates");
    let docs = docs.split_whitespace().collect::<Vec<_>>().join(" ");
    for (begin, has_grammar) in [("by a grammar:", true), ("line by line:", false)] {
        let languages = Language::ALL.into_iter();
        let names = languages.filter(|language| language.has_grammar() == has_grammar);
        let names: Vec<_> = names
            .map(|language| format!("`{}`", language.name()))
            .collect();
        let list = format!("{begin} {}.", names.join(", "));
        assert!(docs.contains(&list), "docs/formats.md lacks: {list}");
    }
}
