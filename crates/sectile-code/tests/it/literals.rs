//! Comments, strings and documents of several lines in languages without a grammar.

use sectile_code::{Language, outline};

use super::samples::check;

#[test]
fn documents_in_code_hold_no_definitions() {
    check(
        Language::Perl,
        r#"sub first {
}
print <<"END", <<~'LAST';
sub none {
END
sub none {
  LAST
sub second {
}
"#,
        &["sub first", "print <<\"END\", <<~'LAST'", "sub second"],
    );
    check(
        Language::Dockerfile,
        r#"FROM a AS build
RUN <<-EOF python3
from os import path
EOF
RUN python3 -c "\
from sys import \
argv "
FROM b
"#,
        &["FROM a AS build", "FROM b"],
    );
    check(
        Language::Hcl,
        "resource \"a\" \"b\" {\n  policy = <<-POLICY\nserver {\n}\n  POLICY\n}\nlocals {\n}\n",
        &["resource \"a\" \"b\"", "locals"],
    );
    let shift = "my $a = 1 <<SHIFT;\nsub kept {\n}\n";
    check(Language::Perl, shift, &["sub kept"]);
}

#[test]
fn documentation_of_perl_ends_with_a_line_of_its_own() {
    check(
        Language::Perl,
        "sub first {\n}\n\n=back\n\nIt ends with =cut.\n\nsub none {\n\n=cut\n\nsub second {\n}\n__END__\nsub none {\n",
        &["sub first", "sub second", "__END__"],
    );
}

#[test]
fn bodies_of_functions_and_data_of_sql_hold_no_definitions() {
    check(
        Language::Sql,
        r"CREATE FUNCTION a() RETURNS void AS $body$
CREATE TABLE none (id int);
SELECT $$
$body$ LANGUAGE sql;
CREATE TABLE b (price text DEFAULT '$$');
COPY b FROM stdin;
CREATE TABLE none
it's
\.
CREATE TABLE c (); /* from
CREATE TABLE none ();
*/
CREATE TABLE d (); -- /*
CREATE TABLE e ();
",
        &[
            "CREATE FUNCTION a",
            "CREATE TABLE b",
            "COPY b FROM stdin",
            "CREATE TABLE c",
            "CREATE TABLE d",
            "CREATE TABLE e",
        ],
    );
}

#[test]
fn strings_of_several_lines_hold_no_definitions() {
    check(
        Language::Cmake,
        r#"message("All
function(none)
")
set(A [=[
macro(none)
]] ]=])
#[[ Old:
project(None)
]]
function(kept) # "not
endfunction()
macro(last)
"#,
        &["function kept", "macro last"],
    );
    check(
        Language::Fsharp,
        r#"let path = @"C:\"
let text = """
type None = int
"""
let quote = '"'
let other = "a \"
type None = int"
type Kept = int
"#,
        &[
            "let path",
            "let text",
            "let quote",
            "let other",
            "type Kept",
        ],
    );
    check(
        Language::Julia,
        "const HELP = \"\nstruct None\n\"\nx = 1 #= was\nstruct None\n=#\nstruct Kept\nend\n",
        &["struct Kept"],
    );
    check(
        Language::Ocaml,
        r#"let sql = {|
type none = int
|}
let text = "a
type none = int"
let x = 1 (* was
type none = int *)
type kept = int
"#,
        &["let sql", "let text", "let x", "type kept"],
    );
}

#[test]
fn strings_of_oracle_end_with_their_own_sign() {
    check(
        Language::Sql,
        r"CREATE TABLE a (b varchar2(99) DEFAULT q'[It's
CREATE TABLE none (id int);
]');
CREATE TABLE c (d varchar2(99) DEFAULT nq'!it's!', e varchar2(9) DEFAULT Q'{'}');
CREATE TABLE f (g varchar2(9) DEFAULT 'q', h varchar2(9) CHECK (h IN ('p', 'q')));
CREATE TABLE i (freq'(' int);
CREATE TABLE j (k int);
",
        &[
            "CREATE TABLE a",
            "CREATE TABLE c",
            "CREATE TABLE f",
            "CREATE TABLE i",
            "CREATE TABLE j",
        ],
    );
}

#[test]
fn strings_of_sql_may_have_several_lines() {
    check(
        Language::Sql,
        r"CREATE TABLE a (b text DEFAULT 'One
CREATE TABLE none (id int);
it''s');
COMMENT ON TABLE a IS E'It\'s
CREATE TABLE none (id int);
';
CREATE TABLE c (d text DEFAULT 'C:\');
# It's
CREATE TABLE e (f text);
PROMPT don't
CREATE TABLE g (h text DEFAULT '\', i int);
CREATE TABLE k (l text CHECK (l LIKE '%\_%' ESCAPE '\' OR l = ''));
CREATE TABLE m (n text);
",
        &[
            "CREATE TABLE a",
            "COMMENT ON TABLE a IS E'It\\'s",
            "CREATE TABLE c",
            "CREATE TABLE e",
            "CREATE TABLE g",
            "CREATE TABLE k",
            "CREATE TABLE m",
        ],
    );
}

#[test]
fn comments_of_templates_hold_no_definitions() {
    check(
        Language::Template,
        r#"{# was:
{% block none %}
#}
{{!-- was:
{{ define "none" }}
--}}
{% raw %}
{% block none %}
{% endraw %}
{% block kept %}
"#,
        &["block kept"],
    );
    // What follows the dollar sign is a length in a shell.
    let shell = "echo ${#names[@]} is\n{{ define \"kept\" }}\necho '#}'\n";
    check(Language::Template, shell, &["define \"kept\""]);
}

#[test]
fn what_opens_nothing_hides_nothing() {
    check(
        Language::Protobuf,
        "// see /*\nmessage A {\n}\nstring url = 1; // a/*\nmessage B {\n}\n// */\n",
        &["message A", "message B"],
    );
    check(
        Language::Protobuf,
        "message A {\n} /* unclosed\nmessage B {\n}\n",
        &["message A", "message B"],
    );
    check(
        Language::Toml,
        r#"a = "it's '''"
[kept]
b = 'C:\'
[last]
"#,
        &["[kept]", "[last]"],
    );
    let defined = "ifdef A\n  define PART\nnone: a\n  endef\nendif\nall: a\n";
    check(Language::Makefile, defined, &["define PART", "all"]);
    let joined = "A = b \\\nnone: c\nall: a\n";
    check(Language::Makefile, joined, &["all"]);
}

#[test]
fn letters_operators_and_assignments_open_nothing() {
    for language in [Language::Fsharp, Language::Ocaml] {
        check(
            language,
            "let quote = '\\\"'\nlet plain = '\"'\nlet last = 1\n",
            &["let quote", "let plain", "let last"],
        );
    }
    check(
        Language::Julia,
        "is_quote(x) = x == '\\\"'\nstruct Kept\nend\n",
        &["is_quote(x)", "struct Kept"],
    );
    check(
        Language::Fsharp,
        "let product = List.fold (*) 1\nlet kept = 1 (* was\nlet none = 2 *)\nlet last = (*) 1 2\n",
        &["let product", "let kept", "let last"],
    );
    check(
        Language::Perl,
        "sub first {\n  my $text\n    =format_it(1);\n}\nsub second {\n}\n",
        &["sub first", "sub second"],
    );
}

#[test]
fn a_text_with_too_many_definitions_has_no_outline() {
    let section = |number: usize| format!("[{number}]\na = 1\n");
    let text: String = (0..20_000).map(section).collect();
    let found = outline(&text, Language::Ini);
    assert_eq!((found.headings.len(), found.is_unparsed), (20_000, false));
    let found = outline(&format!("{text}{}", section(20_000)), Language::Ini);
    assert_eq!((found.headings.len(), found.is_unparsed), (0, true));
}
