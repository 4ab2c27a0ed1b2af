//! Markup that keeps its source: reStructuredText, AsciiDoc, Org and LaTeX; and MediaWiki, which becomes Markdown.

use std::path::Path;

use sectile_core::Document;
use sectile_load::load_bytes;

use crate::support::outline;

fn load(name: &str, text: &str) -> Document {
    let document = load_bytes(text.as_bytes(), Path::new(name)).unwrap();
    assert_eq!(document.text, text, "the source is kept");
    document
}

/// Expects headings, each as its level and its title.
fn check(name: &str, text: &str, expected: &[(u8, &str)]) {
    let document = load(name, text);
    let headings = document.outline.iter();
    let found: Vec<_> = headings
        .map(|heading| (heading.level, &*heading.title))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn rst_titles_are_ranked_by_their_styles_in_order_of_appearance() {
    let text = "====\nBook\n====\n\nOne\n====\n\nTwo\n----\n\nThree\n====\n";
    check(
        "a.rst",
        text,
        &[(1, "Book"), (2, "One"), (3, "Two"), (2, "Three")],
    );
    let document = load("a.rst", text);
    assert_eq!(outline(&document)[0].2, "====\nBook\n====\n");
    assert_eq!(outline(&document)[1].2, "One\n====\n");
}

#[test]
fn rst_titles_stand_nowhere_else() {
    for text in [
        "::\n\n  Title\n  =====\n",
        "Code::\n\n> Title\n> =====\n",
        ".. code-block:: sh\n\n   # comment\n   ====\n",
        ".. comment\n   Title\n   =====\n",
        "+-----+\n| One |\n+=====+\n| Two |\n+-----+\n",
        "===  ===\nOne  Two\n===  ===\na    b\n===  ===\n",
        "Text\nmore text\n=========\n",
        "* Item\n======\n\nText\n",
        "Text\n\n-----\n\nText\n",
        ">>> print(1)\n=====\n",
        "Long text here\n--\n",
    ] {
        check("a.rst", text, &[]);
    }
    check("a.rst", "ABC\n===\n", &[(1, "ABC")]);
    check("a.rst", "Much too long\n====\n", &[(1, "Much too long")]);
    check("a.rst", "1. One\n======\n", &[(1, "1. One")]);
}

#[test]
fn rst_fields_and_includes_are_metadata() {
    let text = ":orphan:\n\nThe |x| Guide\n=============\n\n:Author: Ada\n  Byron\n:Date: 3 May 2026\n:Version: 2\n\n\
                .. |x| replace:: Great\n\n.. include:: a.txt\n\n.. toctree::\n   :maxdepth: 2\n\n   b\n   See <c>\n\n\
                .. code:: rst\n\n   .. include:: no.txt\n";
    let metadata = load("a.rst", text).metadata;
    assert_eq!(metadata.title.as_deref(), Some("The Great Guide"));
    assert_eq!(metadata.author.as_deref(), Some("Ada Byron"));
    assert_eq!(metadata.created.as_deref(), Some("2026-05-03"));
    assert_eq!(metadata.extra["version"], "2");
    assert_eq!(metadata.extra["orphan"], true);
    let expected = serde_json::json!(["a.txt"]);
    assert_eq!(metadata.extra["not_followed"], expected);
}

#[test]
fn rst_names_files_that_tables_and_raw_parts_are_in() {
    let text = ".. csv-table:: Prices of\n   last year\n   :header-rows: 1\n   :file: prices.csv\n\n.. raw:: html\n   :url: https://a.example/b.html\n\n\
                .. csv-table::\n   :widths: 1, 2\n\n   1, 2\n   :file: no.csv\n\n.. raw:: html\n\n   :url: no.html\n\nText.\n\n:file: no.txt\n";
    let metadata = load("a.rst", text).metadata;
    let expected = serde_json::json!(["prices.csv", "https://a.example/b.html"]);
    assert_eq!(metadata.extra["not_followed"], expected);
}

#[test]
fn rst_has_its_title_in_the_fields_at_its_beginning() {
    let pep = "PEP: 572\nTitle: Assignment Expressions\nAuthor: A B,\n        C D\nCreated: 2018-02-28\n\n\n\
               Abstract\n========\n\nText.\n\nRationale\n=========\n";
    let metadata = load("pep.rst", pep).metadata;
    assert_eq!(metadata.title.as_deref(), Some("Assignment Expressions"));
    assert_eq!(metadata.author.as_deref(), Some("A B, C D"));
    assert_eq!(metadata.created.as_deref(), Some("2018-02-28"));
    assert_eq!(metadata.extra["pep"], "572");
    let listed = ":Title: Assignment Expressions\n:PEP: 572\n\nAbstract\n========\n";
    let title = load("pep.rst", listed).metadata.title;
    assert_eq!(title.as_deref(), Some("Assignment Expressions"));
    let text = "Note: this is old.\nTip: read on.\n\nAbstract\n========\n";
    let metadata = load("a.rst", text).metadata;
    assert_eq!(metadata.title.as_deref(), Some("Abstract"));
    assert!(!metadata.extra.contains_key("note"));
}

#[test]
fn asciidoc_has_titles_of_one_line_and_of_two() {
    let text =
        "= Book\n\n== One ==\n\n## Two\n=== Three\n\nFour\n----\n\n:leveloffset: +1\n\n== Five\n";
    let expected = [
        (1, "Book"),
        (2, "One"),
        (2, "Two"),
        (3, "Three"),
        (2, "Four"),
        (3, "Five"),
    ];
    check("a.adoc", text, &expected);
    let document = load("a.adoc", text);
    assert_eq!(outline(&document)[4].2, "Four\n----\n");
}

#[test]
fn asciidoc_names_files_that_blocks_include() {
    let text = "= A\n:dir: code\n\n[source]\n----\ninclude::{dir}/a.java[tag=x]\n\\include::no.java[]\n----\n\n\
                |===\ninclude::b.adoc[]\n|===\n\n--\n* c\ninclude::c.adoc[]\n--\n\n////\ninclude::no.adoc[]\n////\n";
    let metadata = load("a.adoc", text).metadata;
    let expected = serde_json::json!(["code/a.java", "b.adoc", "c.adoc"]);
    assert_eq!(metadata.extra["not_followed"], expected);
}

#[test]
fn asciidoc_titles_stand_nowhere_else() {
    for text in [
        "----\n== A\n----\n",
        "....\n== A\n\n== B\n....\n",
        "====\n== A\n====\n",
        "|===\n\n== A\n|===\n",
        "////\n== A\n////\n",
        "```ruby\n== A\n```\n",
        "[discrete]\n== A\n",
        "[discrete#id.role]\n.Caption\n== A\n",
        "Text\n== A\n",
        "[TIP]\n====\nText\n====\n",
        "//== A\n",
        "===A\n",
        "== A\n".replace("==", "=======").as_str(),
    ] {
        check("a.adoc", text, &[]);
    }
    check("a.adoc", "----\n....\n----\n\n== A\n", &[(2, "A")]);
    check(
        "a.adoc",
        "[[id]]\n== A\n[.x]\n=== B\n",
        &[(2, "A"), (3, "B")],
    );
}

#[test]
fn asciidoc_headers_are_metadata() {
    let text = "// comment\n= The Guide: Second\nAda Byron <a@b.c>; Bob Ray\nv1.2, 2026-05-03: Draft\n:toc:\n:tool: a \\\n  b\n\n\
                Text.\n\ninclude::{tool}.adoc[]\n\n== On {tool}, {unknown}\n";
    let document = load("a.adoc", text);
    let metadata = &document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("The Guide: Second"));
    assert_eq!(metadata.author.as_deref(), Some("Ada Byron, Bob Ray"));
    assert_eq!(metadata.created.as_deref(), Some("2026-05-03"));
    assert_eq!(metadata.extra["revnumber"], "1.2");
    assert_eq!(metadata.extra["toc"], true);
    assert_eq!(
        metadata.extra["not_followed"],
        serde_json::json!(["a b.adoc"])
    );
    assert_eq!(document.outline[1].title, "On a b, {unknown}");
}

#[test]
fn org_headlines_are_bare() {
    let text = "#+TODO: WAIT(w) | GONE\n* TODO [#A] Buy =tea= [1/2] :home:now:\n** WAIT for it\n*** COMMENT Aside\n*bold*\n*\n";
    check(
        "a.org",
        text,
        &[(1, "Buy tea"), (2, "for it"), (3, "Aside")],
    );
}

#[test]
fn org_blocks_hide_stars_if_they_end() {
    let text = "#+begin_src sh\n* no\n#+end_src\n* Yes\n#+BEGIN_EXAMPLE\n* Yes, too\n";
    check("a.org", text, &[(1, "Yes"), (1, "Yes, too")]);
}

#[test]
fn org_keywords_are_metadata() {
    let text = "#+Title: The\n#+TITLE: *Plan*\n#+AUTHOR: Ada\n#+DATE: <2026-05-03 Sun>\n#+LANGUAGE: en\n#+INCLUDE: \"a b.org\" :lines 5\n#+OPTIONS: toc:nil\n";
    let metadata = load("a.org", text).metadata;
    assert_eq!(metadata.title.as_deref(), Some("The Plan"));
    assert_eq!(metadata.author.as_deref(), Some("Ada"));
    assert_eq!(metadata.created.as_deref(), Some("2026-05-03"));
    assert_eq!(metadata.language.as_deref(), Some("en"));
    assert_eq!(
        metadata.extra["not_followed"],
        serde_json::json!(["a b.org"])
    );
    assert!(!metadata.extra.contains_key("options"));
}

#[test]
fn latex_kinds_of_headings_become_levels() {
    let text = "\\section{No}\n\\begin{document}\n\\begin{abstract}\nA.\n\\end{abstract}\n\\section[S]{The \\emph{one} {$x_1$}}\\label{s}\n\
                \\paragraph*{Run in.} Text\n\\section{Two % not\nlines}\n\\end{document}\n\\section{No}\n";
    let expected = [
        (1, "Abstract"),
        (1, "The one $x_1$"),
        (2, "Run in."),
        (1, "Two lines"),
    ];
    check("a.tex", text, &expected);
    let document = load("a.tex", text);
    let spans: Vec<_> = outline(&document)
        .into_iter()
        .map(|found| found.2)
        .collect();
    assert_eq!(
        spans[1],
        "\\section[S]{The \\emph{one} {$x_1$}}\\label{s}\n"
    );
    assert_eq!(spans[2], "\\paragraph*{Run in.}");
    check(
        "chapter.tex",
        "\\chapter{A}\n\\subsection{B}\n",
        &[(1, "A"), (2, "B")],
    );
}

#[test]
fn latex_comments_may_stand_between_a_command_and_its_title() {
    let text = "\\title%\n  {The book}\n\\begin{document}\n\\chapter[Short]%\n  {Long% not\n   \\protect\\footnote{A note.}}%\n\\label{l}\n\
                \\section % why\n% and how\n{Second}\n\\section%\n\\label{none}\n\\section 100\\% {of it}\n\\end{document}\n";
    check("a.tex", text, &[(1, "Long"), (2, "Second")]);
    let document = load("a.tex", text);
    assert_eq!(document.metadata.title.as_deref(), Some("The book"));
}

#[test]
fn latex_lines_may_end_with_carriage_returns() {
    let text = "\\section{A}\rtext % c\r\\section{B}\r";
    check("a.tex", text, &[(1, "A"), (1, "B")]);
    assert_eq!(load("a.tex", text).text, text);
}

#[test]
fn latex_headings_stand_nowhere_else() {
    for text in [
        "% \\section{A}\n",
        "\\begin{verbatim}\n\\section{A}\n\\end{verbatim}\n",
        "\\begin{lstlisting}[language=TeX]\n\\section{A}\n\\end{lstlisting}\n",
        "\\verb|\\section{A}|\n",
        "\\newcommand{\\x}[1]{\\section{#1}}\n\\def\\y#1{\\section{A}}\n",
        "\\iffalse\n\\section{A}\n\\fi\n",
        "\\titleformat{\\section}{}{}{}{}\n",
        "\\lstnewenvironment{code}{}{}\n\\begin{code}\n\\section{A}\n\\end{code}\n",
        "\\section{A\n\nB}\n",
    ] {
        check("a.tex", text, &[]);
    }
    check("a.tex", "100\\% \\section{A}\n", &[(1, "A")]);
    check("a.tex", "\\begin{verbatim}\n\\section{A}\n", &[(1, "A")]);
    check(
        "a.tex",
        "\\newcommand{\\tool}{Sectile}\n\\section{\\tool{} now}\n",
        &[(1, "Sectile now")],
    );
}

#[test]
fn latex_title_pages_are_metadata() {
    let text = "\\title{A \\texorpdfstring{$x$}{x}\\thanks{B}}\n\\author{Ada\\\\Here \\and Bob}\n\\date{May 3, 2026}\n\
                \\input{one}\n\\include{two}\n\\import{dir/}{three}\n\\input four.tex\n";
    let metadata = load("a.tex", text).metadata;
    assert_eq!(metadata.title.as_deref(), Some("A x"));
    assert_eq!(metadata.author.as_deref(), Some("Ada, Bob"));
    assert_eq!(metadata.created.as_deref(), Some("2026-05-03"));
    let expected = serde_json::json!(["one", "two", "dir/three", "four.tex"]);
    assert_eq!(metadata.extra["not_followed"], expected);
}

#[test]
fn latex_names_files_whose_pages_tables_and_references_it_shows() {
    let text = "\\begin{document}\n\\includepdf[pages=-]{plan.pdf}\n\\VerbatimInput{log.txt}\n\\csvautotabular{a.csv}\n\
                \\inputfrom{dir/}{b}\n\\subincludefrom{dir/}{d}\n\\includestandalone{c}\n\\includeonly{no}\n\\bibliography{own, others}\n";
    let metadata = load("a.tex", text).metadata;
    let expected = serde_json::json!([
        "plan.pdf", "log.txt", "a.csv", "dir/b", "dir/d", "c", "own", "others"
    ]);
    assert_eq!(metadata.extra["not_followed"], expected);
}

#[test]
fn latex_splits_lists_of_files_and_no_names_with_commas() {
    let check = |text: &str, expected: &[&str]| {
        let metadata = load("a.tex", text).metadata;
        assert_eq!(metadata.extra["not_followed"], serde_json::json!(expected));
    };
    check("\\input{a,b}\n\\include{c, d}\n", &["a,b", "c, d"]);
    check("\\input e,f.tex\n", &["e,f.tex"]);
    check("\\includepdf{a,b.pdf}\n", &["a,b.pdf"]);
    check("\\import*{dir/}{a,b}\n", &["dir/a,b"]);
    check("\\addbibresource[datatype=bibtex]{a,b.bib}\n", &["a,b.bib"]);
    check("\\bibliography{a,b , c}\n", &["a", "b", "c"]);
    check(
        "\\nobibliography{own,% ours, #1\n  others}\n\\nobibliography*\n",
        &["own", "others"],
    );
}

/// Expects a page of MediaWiki to become this Markdown.
fn check_wiki(page: &str, expected: &str) -> Document {
    let document = load_bytes(page.as_bytes(), Path::new("a.mediawiki")).unwrap();
    assert_eq!(document.text, expected);
    document
}

#[test]
fn mediawiki_pages_have_headings_and_a_title() {
    let document = check_wiki(
        "{{DISPLAYTITLE:The ''tool''}}\n<!-- c -->\nIntro\r\nmore.\n----\n== One ==\n===Two<nowiki>=</nowiki>===\n==\n\n\
         [[Category:A|k]]\n[[Category:B c]]\n",
        "# The tool\n\nIntro\nmore.\n\n## One\n\n### Two=\n",
    );
    assert_eq!(document.metadata.title.as_deref(), Some("The tool"));
    let categories = serde_json::json!(["A", "B c"]);
    assert_eq!(document.metadata.extra["categories"], categories);
    let headings: Vec<_> = outline(&document);
    assert_eq!(headings[1], (2, "One", "## One\n"));
    let document = check_wiki("#REDIRECT [[B]]\n", "#REDIRECT B\n");
    assert_eq!(document.metadata.title, None);
}

#[test]
fn mediawiki_fields_at_the_beginning_are_metadata() {
    let document = check_wiki(
        "<pre>\n  BIP: 7\n  Title: On: things\n  Authors: A <a@b>\n           C\n</pre>\n\n==Why==\nSo.\n",
        "# On: things\n\nBIP: 7\nTitle: On: things\nAuthors: A <a@b> C\n\n## Why\n\nSo.\n",
    );
    assert_eq!(document.metadata.title.as_deref(), Some("On: things"));
    assert_eq!(document.metadata.author.as_deref(), Some("A <a@b> C"));
    assert_eq!(document.metadata.extra["bip"], "7");
    check_wiki("<pre>\na: 1\nb\n</pre>\n", "```\na: 1\nb\n```\n");
}

#[test]
fn mediawiki_lists_are_those_of_markdown() {
    check_wiki(
        "* a\n** b\n*: c\n# d\n## e\n# f\n\n# g\n;t : u\n:v http://x\n",
        "- a\n    - b\n        c\n1. d\n    1. e\n2. f\n1. g\n\n**t**\n\nu\n\nv http://x\n",
    );
    check_wiki(";\n:v\n", "v\n");
}

#[test]
fn mediawiki_code_is_in_fences() {
    check_wiki(
        "Do:\n<pre>a ''b'' &lt;\n== c ==</pre>\n<source lang=\"sh\">\n{{d}}\n</source> e\n f '''g'''\n  h\n",
        "Do:\n\n```\na ''b'' <\n== c ==\n```\n\n```\n{{d}}\n```\n\ne\nf **g**\nh\n",
    );
    check_wiki("a\n\n b '''c'''\n  d\n", "a\n\n```\nb c\n d\n```\n");
}

#[test]
fn mediawiki_notes_stand_where_they_are_shown() {
    check_wiki(
        "a<ref name=\"x\">One [http://y z]</ref> b<ref>Two</ref> c<ref name=x />\n== Notes ==\n<references/>\n== More ==\n",
        "a[^1] b[^2] c[^1]\n\n## Notes\n\n[^1]: One [z](http://y)\n\n[^2]: Two\n\n## More\n",
    );
    check_wiki("a<ref>b</ref>\n\nc\n", "a[^1]\n\nc\n\n[^1]: b\n");
}

#[test]
fn mediawiki_tables_are_those_of_markdown() {
    check_wiki(
        "{| class=\"wikitable\"\n|+ Sizes\n! Name !! colspan=2 | Size\n|-\n| rowspan=2 | a || 1 || [[b|c]]\n|-\n| 2\n| style=x | 3\n* d\n|}\n\
         Text\n{|\n| x\n== H ==\n",
        "Sizes\n\n| Name | Size |  |\n| --- | --- | --- |\n| a | 1 | c |\n|  | 2 | 3 d |\n\nText\n\n| x |\n| --- |\n\n## H\n",
    );
}

#[test]
fn mediawiki_tables_lose_no_text_that_stands_in_no_cell() {
    check_wiki(
        "{| class=x\nAbove ''it''\n|+ Sizes\nin cm\n|-\n| a\n|-\nBetween\n| b\n|}\n",
        "Above *it* Sizes in cm Between\n\n| a |\n| --- |\n| b |\n",
    );
    check_wiki(
        "{|\nNothing ends it.\n\nMore.\n",
        "Nothing ends it. More.\n",
    );
}

#[test]
fn few_cells_of_mediawiki_make_no_large_table() {
    let wide = "| rowspan=30 colspan=30 | a\n".repeat(1_000);
    let page = format!("{{|\n{wide}{}|}}\n", "|-\n| b\n".repeat(29));
    let document = load_bytes(page.as_bytes(), Path::new("a.mediawiki")).unwrap();
    assert!(document.text.len() < 50_000, "{}", document.text.len());
    assert_eq!(document.text.matches(" a |").count(), 1_000);
    assert_eq!(document.text.matches(" b |").count(), 29);
}

#[test]
fn headings_of_markup_become_those_of_markdown() {
    let document = load(
        "a.tex",
        "\\section{A \\emph{b}}\nText.\n\\subsection{C}\nMore.\n",
    );
    assert_eq!(document.to_markdown(), "# A b\n\nText.\n\n## C\n\nMore.\n");
}
