//! What follows the end of a definition, in languages without a grammar.

use sectile_code::{Language, outline};

use super::samples::check;

#[test]
fn code_behind_a_block_is_not_a_part_of_it() {
    check(
        Language::Swift,
        "func add() -> Int {\n  return 1\n}\n\n// The total.\nlet total = add()\nprint(\"\\(total)\")\nexit(0)\n",
        &["func add() -> Int", "let total = add()"],
    );
    check(
        Language::Swift,
        "class Cart {\n  func add(\n    item: Item\n  ) -> Int {\n    let x = 1\n    return x\n  }\n  func one() { 1 }\n  var a \
         = 1\n  var b = 2\n}\n",
        &["class Cart", "  func add", "  func one()", "  var a = 1"],
    );
    check(
        Language::Perl,
        "package Cart;\nuse constant {\n  A => 1,\n};\nmy $x = 1;\nsub add\n{\nreturn 1;\n}\n\nmy $total = \
         add(1);\nprint $total;\nsub one { 1 }\n\n1;\n",
        &["package Cart", "sub add", "my $total = add(1)", "sub one"],
    );
    check(
        Language::Zig,
        "fn add() i32 {\n    return 1;\n}\n\nconst std = @import(\"std\");\nconst x = 5;\ntest \"adds\" {\n    _ = add();\n}\n",
        &[
            "fn add() i32",
            "const std = @import(\"std\")",
            "test \"adds\"",
        ],
    );
    check(
        Language::Julia,
        "function add(x)\n  x\nend\n\ntotal = add(1)\nprintln(total)\n\ntwice(x) = 2x\nprintln(twice(1))\nexit(0)\n",
        &[
            "function add(x)",
            "total = add(1)",
            "twice(x)",
            "println(twice(1))",
        ],
    );
    check(
        Language::VisualBasic,
        "Module Shop\n    Sub Add()\n    End Sub\nEnd Module\n",
        &["Module Shop", "  Sub Add"],
    );
    check(
        Language::Cmake,
        "function(add x)\n  message(x)\nendfunction()\nset(A b)\ninstall(FILES c)\nadd_executable(app main.c)\n\
         target_link_libraries(app m)\ninstall(TARGETS app)\n",
        &["function add", "set(A b)", "add_executable app"],
    );
}

#[test]
fn code_behind_a_function_of_verilog_is_not_a_part_of_it() {
    check(
        Language::Verilog,
        "module top (\n  input clk,\n  input a\n);\n  wire b;\n  function automatic add(\n    input c\n  );\n    if (c) begin\n      \
         return 1;\n    end\n  endfunction : add\n\n  // Counts.\n  always @(posedge clk)\n    b <= add(a);\nendmodule\n\nclass \
         cart;\n  extern function void put();\n  task take;\n  endtask\nendclass\n`endif // CART\n",
        &[
            "module top",
            "  function automatic add",
            "  always @(posedge clk)",
            "class cart",
            "  extern function void put()",
            "  task take",
        ],
    );
}

#[test]
fn code_behind_a_definition_of_rarer_languages_is_not_a_part_of_it() {
    check(
        Language::Solidity,
        "contract Cart is\n    Owned\n{\n    function add(\n        uint a\n    )\n        public\n        returns \
         (uint)\n    {\n        total += a;\n        return a;\n    }\n    event Added(uint a);\n    event Gone(uint \
         a);\n}\n",
        &[
            "contract Cart is",
            "  function add",
            "  event Added(uint a)",
            "  event Gone(uint a)",
        ],
    );
    check(
        Language::Groovy,
        "plugins {\n  id 'java'\n}\n\nversion = '1'\ngroup = 'shop'\ntest {\n  a()\n}\n",
        &["plugins", "version = '1'", "test"],
    );
    check(
        Language::Tcl,
        "proc add {a b} {\n  expr {$a + $b}\n}\nset a 1\nputs [add $a 2]\n",
        &["proc add", "set a 1"],
    );
    check(
        Language::Awk,
        "function add(a, b) {\n  return a + b\n}\n/total/ {\n  sum = add(sum, $1)\n}\n",
        &["function add(a, b)", "/total/"],
    );
    check(
        Language::Bicep,
        "resource store 'a@1' = {\n  name: 'b'\n}\n\noutput id string = store.id\noutput name string = store.name\n",
        &["resource store", "output id string = store.id"],
    );
    check(
        Language::Thrift,
        "struct Item {\n  1: string name\n}\n\nconst i32 MOST = 3\nconst i32 LEAST = 1\n",
        &["struct Item", "const i32 MOST = 3"],
    );
    check(
        Language::Wgsl,
        "fn main(\n  in: In,\n) -> Out {\n  return Out();\n}\n\nvar<private> a: f32;\nvar<private> b: f32;\n",
        &["fn main", "var<private> a: f32"],
    );
    check(
        Language::Crystal,
        "class Cart\n  def add(\n    item : Item\n  )\n    put item\n    show\n  end\nend\n\ncart = Cart.new\ncart.add \
         item\n",
        &["class Cart", "  def add", "cart = Cart.new"],
    );
    check(
        Language::Fish,
        "function greet\n  if true\n    echo a\n  end\nend\n\nset -x A b\ngreet\n",
        &["function greet", "set -x A b"],
    );
    check(
        Language::Vim,
        "function! Add(a)\n  if a:a\n  endif\nendfunction\n\nset number\nnnoremap a b\n",
        &["function! Add(a)", "set number"],
    );
    check(
        Language::Nim,
        "proc add(a: int): int =\n  a + 1\n\nwhen isMainModule:\n  echo add(1)\n",
        &["proc add(a: int): int", "when isMainModule"],
    );
    check(
        Language::Lisp,
        "(defn add [a]\n  (put\n    a))\n(def limit 3)\n(println (add limit))\n(defn last [] 1)\n",
        &["defn add", "(def limit 3)", "defn last"],
    );
}

#[test]
fn a_line_at_the_margin_takes_nothing_out_of_what_it_stands_in() {
    check(
        Language::VisualBasic,
        "Public Class Cart\n    Public Sub Add()\n    End Sub\n#End Region\n\n#If DEBUG Then\n    Public Sub Dump()\n    End \
         Sub\n#End If\n    Public Sub Clear()\n    End Sub\nEnd Class\n",
        &[
            "Public Class Cart",
            "  Public Sub Add",
            "  Public Sub Dump",
            "  Public Sub Clear",
        ],
    );
    check(
        Language::Zig,
        "pub const Cart = struct {\n    pub fn add() void {\n        const s =\n\\\\Dear\n\\\\total\n;\n        _ = \
         s;\n    }\n\n    pub fn clear() void {\n    }\n};\n\nconst limit = 5;\nconst other = 6;\n",
        &[
            "pub const Cart = struct",
            "  pub fn add() void",
            "  pub fn clear() void",
            "const limit = 5",
        ],
    );
    check(
        Language::Swift,
        "class Cart {\n  func add() {\n  }\nlet a = 1\nlet b = 2\n  func clear() {\n  }\n}\nlet c = 3\nlet d = 4\n",
        &[
            "class Cart",
            "  func add()",
            "  let a = 1",
            "  func clear()",
            "let c = 3",
        ],
    );
}

#[test]
fn code_behind_what_is_indented_is_not_a_part_of_it() {
    check(
        Language::Fsharp,
        "module Shop\n\nopen System\nopen System.IO\n\nlet add x =\n  x + 1\n\ndo printfn \"total\"\nprintfn \"more\"\nexit 0\n",
        &["module Shop", "let add", "do printfn \"total\""],
    );
    check(
        Language::Ocaml,
        "let add x = function\n| A -> 1\n| B -> 2\n\n;;\nprint_endline \"total\";;\nexit 0\n",
        &["let add", "print_endline \"total\""],
    );
}

#[test]
fn statements_behind_a_definition_of_sql_are_not_a_part_of_it() {
    check(
        Language::Sql,
        "CREATE TABLE users (\n  id int\n); -- done\n\nINSERT INTO orders VALUES (1);\nGRANT ALL ON invoices TO bob;\n\
         CREATE FUNCTION one() RETURNS int AS $body$\nSELECT 1;\n$body$ LANGUAGE sql;\nGRANT ALL ON one TO bob;\nSELECT \
         1;\nCREATE PROCEDURE two()\nBEGIN\n  IF 1 THEN\n    SELECT 1;\n  END IF;\n  SELECT 2;\nEND;\n//\nCALL \
         two();\nCALL two();\nCREATE TRIGGER three BEFORE INSERT ON users EXECUTE FUNCTION one();\nSELECT \
         3;\nSELECT 4;\n",
        &[
            "CREATE TABLE users",
            "INSERT INTO orders VALUES (1)",
            "CREATE FUNCTION one",
            "GRANT ALL ON one TO bob",
            "CREATE PROCEDURE two",
            "CALL two()",
            "CREATE TRIGGER three",
            "SELECT 3",
        ],
    );
}

#[test]
fn what_follows_a_recipe_or_a_part_of_a_template_is_not_a_part_of_it() {
    check(
        Language::Makefile,
        "all: a\n\tcc a\nifdef B\n\tcc b\nendif\n\nC := d\nE := f\n",
        &["all", "C := d"],
    );
    check(
        Language::Template,
        "{% block head %}{{ block.super }}\n<p>a</p>\n<p>b</p>\n{% endblock %}\n<p>c</p>\n<p>d</p>\n{% block last %}{% endblock %}\n{% if e \
         %}\n{% endif %}\n",
        &["block head", "<p>c</p>", "block last"],
    );
    check(
        Language::Template,
        "{{ define \"part\" }}\n{{- if .A }}\nB\n{{- end }}\nC\n{{ end }}\nD\nE\n",
        &["define \"part\"", "D"],
    );
    check(
        Language::Template,
        "@section Scripts {\n<script></script>\n<p>a</p>\n}\n<p>b</p>\n<p>c</p>\n",
        &["section Scripts", "<p>b</p>"],
    );
}

#[test]
fn tags_alone_name_nothing_in_a_template() {
    check(
        Language::Template,
        "{% block body %}\n{% endblock %}\n</div>\n</main></body>\n</html>\n{% block foot %}\n{% endblock \
         %}\n</head>\n<footer>\n<div class=\"a\">\n<p>Foot</p>\n<p>Last</p>\n</footer>\n",
        &["block body", "block foot", "<p>Foot</p>"],
    );
    check(
        Language::Template,
        "{% block body %}\n{% endblock %}\n<footer>\n<hr>\n</footer>\n",
        &["block body", "<footer>"],
    );
}

#[test]
fn one_line_behind_a_definition_and_settings_have_no_heading() {
    check(
        Language::Protobuf,
        "message A {\n}\n\n// It is one.\noption b = 1;\n\n// C.\nmessage C {}\n",
        &["message A", "message C"],
    );
    check(Language::Ini, "[a]\nb = 1\n\nc = 2\nd = 3\n", &["[a]"]);
    check(
        Language::Dockerfile,
        "FROM a AS b\nRUN c\n\nRUN d\nCOPY e f\n",
        &["FROM a AS b"],
    );
}

const POD: &str = "package Shop::Cart;
use strict;

=encoding utf8

=head1 NAME

Shop::Cart - a cart

=head1 METHODS

=head2 C<add>

Adds.

=cut

sub add {
}

=head2 remove

=cut

# Removes.
sub remove {
}

=pod

It is of no use.

=cut

sub last {
}

__END__

=encoding utf8

=head1 AUTHOR

=head2 Thanks
";

#[test]
fn headings_in_the_documentation_of_perl_are_sections() {
    check(
        Language::Perl,
        POD,
        &[
            "package Shop::Cart",
            "NAME",
            "METHODS",
            "  add",
            "  sub add",
            "  remove",
            "sub remove",
            "sub last",
            "AUTHOR",
            "  Thanks",
        ],
    );
    let found = outline(POD, Language::Perl).headings;
    let spans: Vec<_> = found.iter().map(|heading| heading.span.of(POD)).collect();
    assert_eq!(spans[3], "=head2 C<add>");
    assert_eq!(spans[6], "# Removes.\nsub remove {");
    assert_eq!(spans[7], "=pod\n\nIt is of no use.\n\n=cut\n\nsub last {");
}

#[test]
fn code_behind_documentation_is_not_a_part_of_it() {
    let text =
        "=head1 NAME\n\ncart\n\n=cut\n\nuse strict;\nmy $x = <<END;\n=head1 No heading\nEND\n";
    check(Language::Perl, text, &["NAME", "use strict"]);
    let text = "=head1 NAME\n\n  =head2 none\n\n=head1none\n\nText.\n";
    check(Language::Perl, text, &["NAME"]);
}
