//! Languages without a grammar that are not as common.

use sectile_code::{Language, outline};

use super::samples::check;

#[test]
fn definitions_of_hardware_are_headings() {
    check(
        Language::Verilog,
        "/* module none; */\n// Counts.\nmodule counter #(parameter N = 8) (input clk);\n  function automatic logic [7:0] add(input a);\n  \
         endfunction\n  task run;\n  endtask\nendmodule\nclass base extends other;\n  virtual function void build();\n  \
         endfunction\nendclass\n",
        &[
            "module counter #(parameter N = 8) (input clk)",
            "  function automatic logic [7:0] add(input a)",
            "  task run",
            "class base extends other",
            "  virtual function void build()",
        ],
    );
    check(
        Language::Vhdl,
        "library ieee;\nENTITY counter IS\nend entity;\narchitecture rtl of counter is\n  component part is\n  end component;\n\
         begin\n  unit : entity work.part;\nend;\npackage body sums is\n  pure function add(a : integer) return integer is\n",
        &[
            "ENTITY counter",
            "architecture rtl",
            "  component part",
            "package body sums",
            "  pure function add",
        ],
    );
}

#[test]
fn the_first_line_in_a_definition_may_be_indented_less_than_others() {
    check(
        Language::Ada,
        "package body Shop with\n  SPARK_Mode => Off\nis\n   pragma Pure;\n   type Item is record\n   end record;\n\n   procedure Add (A \
         : Item) is\n      procedure Inner is\n      begin\n      end Inner;\n   begin\n   end Add;\nend Shop;\n",
        &["package body Shop", "  type Item", "  procedure Add"],
    );
    check(
        Language::Verilog,
        "module counter (\n  input clk\n);\n    function add;\n    endfunction\n    task run;\n    endtask\nendmodule\n",
        &["module counter", "  function add", "  task run"],
    );
    check(
        Language::Ocaml,
        "module Shop =\n  struct\n    let add a =\n      let b = a in\n      b\n\n    let none = 0\n  end\n",
        &["module Shop", "  let add", "  let none"],
    );
    // Closures of Groovy look like methods.
    check(
        Language::Groovy,
        "class Cart {\n    def items = []\n        each(1) {\n        }\n    void add(int a) {\n    }\n}\n",
        &["class Cart", "  void add(int a)"],
    );
}

#[test]
fn procedures_of_pascal_with_bodies_may_be_indented() {
    check(
        Language::Pascal,
        "unit Shop;\n\ninterface\n\n    uses\n      SysUtils;\n\n    type\n       { TCart }\n\n       TCart = class(TObject)\n         procedure \
         Add;override;\n         function Count: Integer;\n       end;\n\nImplementation\n\n    procedure TCart.Add;\n      \
         procedure Inner;\n      begin\n      end;\n    begin\n    end;\n\n  function TCart.Count: Integer;\n    begin\n    end;\n\nend.\n",
        &[
            "unit Shop",
            "  TCart = class(TObject)",
            "procedure TCart.Add",
            "function TCart.Count: Integer",
        ],
    );
}

#[test]
fn definitions_of_d_are_headings() {
    check(
        Language::D,
        "/++\n void none()\n+/\nmodule shop.cart;\n\nimport std.stdio : writeln;\nint count = size(1);\nversion (Windows)\n{\n    void \
         open(string path)\n    {\n    }\n}\nstatic assert(size(2) == 3);\n\n/// Kinds.\nenum Kind : int\n{\n    one\n}\nenum many = \
         12;\n\n/// Adds.\nauto ref add(R)(R range, int a)\nif (isRange!R && size(R) > 1)\n{\n    foreach (b; range)\n    {\n    }\n    \
         int inner(int c) { return c; }\n    return range;\n}\n\nextern(C) @nogc const(char)[] name(int a);\nextern(C) @nogc \
         const(char)[] title(int a)\n{\n}\n\nfinal class Cart(T) : Base\n{\n    private int[string] items;\n    this(int a)\n    \
         {\n        super(a);\n    }\n    @property bool empty() const => items.length == 0;\n    Tuple!(int, string) first() { \
         return items; }\n}\n\nunittest\n{\n    auto cart = new Cart!int(1);\n}\n",
        &[
            "void open(string path)",
            "enum Kind : int",
            "auto ref add(R)(R range, int a)",
            "extern(C) @nogc const(char)[] title(int a)",
            "final class Cart(T) : Base",
            "  this(int a)",
            "  @property bool empty() const => items.length == 0",
            "  Tuple!(int, string) first()",
            "unittest",
        ],
    );
}

#[test]
fn definitions_of_d_may_have_attributes_with_arguments() {
    check(
        Language::D,
        "extern (C++) class Shop\n{\n    int count()\n    {\n    }\n}\n\ndeprecated(\"Use a shop.\") struct Cart\n{\n}\n\nalign (4) union \
         Price\n{\n}\n\nextern (C) int add(int a)\n{\n}\n",
        &[
            "extern (C++) class Shop",
            "  int count()",
            "deprecated(\"Use a shop.\") struct Cart",
            "align (4) union Price",
            "extern (C) int add(int a)",
        ],
    );
}

#[test]
fn processes_of_vhdl_are_headings() {
    check(
        Language::Vhdl,
        "architecture rtl of counter is\n  function add(a : natural) return natural is\n  begin\n    return a;\n  end;\nbegin\n  \
         -- Counts.\n  main : process (clock)\n    procedure none is\n    begin\n    end;\n  begin\n    a <= add(b);\n  end process \
         main;\n  PROCESS\n  begin\n  end process;\nend;\n",
        &[
            "architecture rtl",
            "  function add",
            "  main : process (clock)",
            "  PROCESS",
        ],
    );
}

#[test]
fn definitions_of_objects_are_headings() {
    check(
        Language::ObjectiveC,
        "#import \"Cart.h\"\n\n@class Item;\n\n@interface Cart : NSObject <Shop>\n- (void)add:(Item *)item;\n@end\n\n\
         @implementation Cart {\n    int total;\n}\n\nstatic int twice(int a) {\n    if (a) {\n    }\n    return a;\n}\n\n// Adds.\n\
         - (void)add:(Item *)item\n{\n    [self put:item];\n}\n\n+ (Cart *)empty {\n}\n@end\n\nint main(int argc) {\n}\n",
        &[
            "@interface Cart : NSObject <Shop>",
            "@implementation Cart",
            "  static int twice(int a)",
            "  - (void)add:(Item *)item",
            "  + (Cart *)empty",
            "int main(int argc)",
        ],
    );
    check(
        Language::Pascal,
        "unit Shop.Cart;\n\ninterface\n\nuses\n  SysUtils;\n\ntype\n  TItem = class;\n  TCart = class(TObject)\n    procedure \
         Add(Item: TItem);\n  end;\n  TPrice = packed record\n  end;\n  TCartClass = class of TCart;\n\nimplementation\n\n{ procedure \
         None; }\nprocedure TCart.Add(Item: TItem);\n  procedure Inner;\n  begin\n  end;\nbegin\nend;\n\nend.\n",
        &[
            "unit Shop.Cart",
            "  TCart = class(TObject)",
            "  TPrice = packed record",
            "procedure TCart.Add(Item: TItem)",
        ],
    );
    check(
        Language::Solidity,
        "pragma solidity ^0.8.0;\n\nabstract contract Cart is Owned {\n    event Added(uint a);\n    /// \
         None.\n    error Empty(\n        uint a\n    );\n\n    modifier onlyOwner() {\n        \
         _;\n    }\n    constructor(uint a) Owned(a) {\n    }\n    function add(uint a) public returns (uint) {\n    }\n}\n",
        &[
            "abstract contract Cart is Owned",
            "  event Added(uint a)",
            "  error Empty",
            "  modifier onlyOwner()",
            "  constructor(uint a) Owned(a)",
            "  function add(uint a) public returns (uint)",
        ],
    );
    check(
        Language::Crystal,
        "module Shop\n  abstract class Cart < Base\n    def add(item : Item) : Nil\n    end\n    private def self.empty\n    end\n  \
         end\nend\n",
        &[
            "module Shop",
            "  abstract class Cart < Base",
            "    def add(item : Item) : Nil",
            "    private def self.empty",
        ],
    );
    check(
        Language::Groovy,
        "pipeline {\n    stages {\n    }\n}\n\ndef twice = { it * 2 }\ntask copyDocs(type: Copy) {\n}\nif (a) {\n}\nclass Cart {\n    \
         void add(int a) {\n        items.each {\n        }\n    }\n}\n",
        &[
            "pipeline",
            "task copyDocs(type: Copy)",
            "class Cart",
            "  void add(int a)",
        ],
    );
}

#[test]
fn definitions_of_numerics_are_headings() {
    check(
        Language::Fortran,
        "module shop\n  implicit none\n  type, public :: cart\n    type(item) :: first\n  end type\ncontains\n  ! Adds.\n  pure real(8) \
         function add(a, b)\n  end function\n  subroutine run\n  end subroutine\nend module\n",
        &[
            "module shop",
            "  type, public :: cart",
            "  pure real(8) function add(a, b)",
            "  subroutine run",
        ],
    );
    check(
        Language::Fortran,
        "C     THE SUBROUTINE BELOW ADDS\n      SUBROUTINE ADD(A, B)\n      REAL A\n      END\n      INTEGER FUNCTION TWICE(A)\n",
        &["SUBROUTINE ADD(A, B)", "INTEGER FUNCTION TWICE(A)"],
    );
    check(
        Language::Matlab,
        "function [a, b] = both(c) % Twice.\n% Adds.\nend\n%{\nfunction none()\n%}\nfunction show\nend\n",
        &["function both(c)", "function show"],
    );
    check(
        Language::Matlab,
        "classdef (Sealed) Cart < handle\n    properties\n        items\n    end\n    methods (Access = private)\n        function c = \
         Cart(n)\n            function inner\n            end\n        end\n    end\nend\n",
        &[
            "classdef Cart < handle",
            "  methods (Access = private)",
            "    function Cart(n)",
        ],
    );
}

#[test]
fn definitions_of_lists_and_clauses_are_headings() {
    check(
        Language::Lisp,
        "(ns shop.cart\n  (:require [a.b]))\n\n(def limit 3)\n(defonce state\n  (atom {}))\n\n;; It's a \"comment.\n(defn ^:private add\n  \
         \"Adds (defn none [])\n(defn none [])\n\"\n  [a b]\n  (+ a \\\" b))\n(default-for a)\n(defmethod area :circle [c] 1)\n\
         (define (twice a) (* 2 a))\n#|\n(defun none ())\n|#\n(defun last-one ()\n",
        &[
            "ns shop.cart",
            "defonce state",
            "defn add",
            "defmethod area",
            "define twice",
            "defun last-one",
        ],
    );
    check(
        Language::Erlang,
        "-module(cart).\n-record(item, {name}).\n\n%% Adds.\n-spec add(A, B) -> C.\nadd({A, B}, _) when A > 0 ->\n    put(A);\nadd(_, B) \
         ->\n    B.\n\n'take out'(A) -> A.\n",
        &["record item", "add({A, B}, _) when A > 0", "'take out'(A)"],
    );
    check(
        Language::Prolog,
        "/* Carts. */\n:- module(cart, [add/3]).\n:- use_module(library(lists)).\n\n%!  add(+A, -B) is det.\nadd(A, B) :-\n    \
         B = [A|B],\n    write('It is /* added').\nadd(_, _).\n\nitems([Item|Items]) --> item(Item),\n    items(Items).\nmain :-\n    \
         add(1, _).\n\nprice(tea, 4).\nprice(milk, 2).\n",
        &["add(A, B)", "items([Item|Items])", "main", "price(tea, 4)"],
    );
    check(
        Language::Cobol,
        "      * IDENTIFICATION.\n       IDENTIFICATION DIVISION.\n       PROGRAM-ID. CART.\n       DATA DIVISION.\n       \
         WORKING-STORAGE SECTION.\n       01 TOTAL PIC 9(4).\n       PROCEDURE DIVISION.\n       ADD-ITEM.\n           ADD 1 TO TOTAL.\n           \
         EXIT.\n",
        &[
            "IDENTIFICATION DIVISION",
            "DATA DIVISION",
            "WORKING-STORAGE SECTION",
            "PROCEDURE DIVISION",
            "ADD-ITEM",
        ],
    );
    check(
        Language::Cobol,
        "000100 PROCEDURE DIVISION USING A.\n000200 MAIN-PART.\n000300     STOP RUN.\n000400     GOBACK.\n",
        &["PROCEDURE DIVISION", "MAIN-PART"],
    );
    check(
        Language::Ada,
        "package body Shop is\n   type Item is record\n   end record;\n   procedure Add (A : Item) is\n      function Inner return Boolean \
         is\n   end Add;\n   overriding function \"+\" (A, B : Item) return Item is\nend Shop;\n",
        &[
            "package body Shop",
            "  type Item",
            "  procedure Add",
            "  overriding function \"+\"",
        ],
    );
    check(
        Language::Nim,
        "import os\n\nproc add*(a, b: int): int =\n  proc inner() = discard\n  a + b\n#[\nproc none() =\n]#\ntemplate twice(a: \
         untyped) =\n  a\n",
        &["proc add*(a, b: int): int", "template twice(a: untyped)"],
    );
}

#[test]
fn definitions_of_shells_are_headings() {
    check(
        Language::Batch,
        "@echo off\n:: Builds.\n:build\ncall :none\ngoto :eof\n:clean all\n",
        &["build", "clean"],
    );
    check(
        Language::Fish,
        "function greet --description 'Says it'\n    function inner\n    end\nend\n",
        &["function greet"],
    );
    check(
        Language::Awk,
        "BEGIN { FS = \",\" }\nfunction add(a, b) {\n  return a + b\n}\nEND {\n}\n",
        &["BEGIN", "function add(a, b)", "END"],
    );
    check(
        Language::Tcl,
        "namespace eval shop {\n    namespace export add\n    proc add {a b} {\n    }\n}\noo::class create Cart {\n    method put {a} \
         {\n    }\n}\n;proc twice {a} {\n}\n",
        &[
            "namespace eval shop",
            "  proc add",
            "oo::class create Cart",
            "  method put",
            ";proc twice",
        ],
    );
    check(
        Language::Vim,
        "\" Adds.\nfunction! s:Add(a) abort\n  let b = a:a\nendfunction\ndef Twice(a: number): number\n",
        &["function! s:Add(a) abort", "def Twice(a: number): number"],
    );
    check(
        Language::Assembly,
        "    .globl main\n; Begins.\nmain:\n    push rbp\n.L2:\n    ret\nLBB0_1:\nadd_all PROC near\n",
        &["main", "add_all"],
    );
}

#[test]
fn definitions_of_services_are_headings() {
    check(
        Language::Thrift,
        "/* struct None {} */\nstruct Item {\n  1: string name\n}\nservice Cart extends Base {\n  void add(1: Item item)\n}\n",
        &["struct Item", "service Cart extends Base"],
    );
    check(
        Language::Prisma,
        "generator client {\n}\n/// A user.\nmodel User {\n  id Int @id\n  @@map(\"users\")\n}\nenum Role {\n}\n",
        &["generator client", "model User", "enum Role"],
    );
    check(
        Language::Bicep,
        "param name string\n@description('A store.')\nresource store 'Microsoft.Storage/a@2021' = {\n  properties: {\n  }\n}\nmodule net \
         './net.bicep' = {\n}\n",
        &["resource store", "module net"],
    );
    check(
        Language::Wgsl,
        "struct Out {\n  a: f32,\n}\n@vertex\nfn main(in: In) -> Out {\n}\n",
        &["struct Out", "fn main(in: In) -> Out"],
    );
}

#[test]
fn comments_and_specifications_belong_to_the_clauses_below() {
    let text = "a() -> 1.\n\n%% Adds.\n-spec add(integer()) -> integer().\nadd(A) ->\n    A;\nadd(_) ->\n    2.\n\nb() -> 3.\n";
    let found = outline(text, Language::Erlang);
    let spans: Vec<_> = found
        .headings
        .iter()
        .map(|heading| heading.span.of(text))
        .collect();
    let expected = [
        "a() -> 1.",
        "%% Adds.\n-spec add(integer()) -> integer().\nadd(A) ->",
        "b() -> 3.",
    ];
    assert_eq!(spans, expected);
}
