//! Manual pages in the macros of `man` and of `mdoc`.

use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use sectile_core::{ContentHash, Document, Format};
use sectile_load::{Error, FileLoader, Limits, LoadOptions, load_bytes, omissions};

use crate::support::{load_error, outline};

fn load(page: &str) -> Document {
    load_bytes(page.as_bytes(), Path::new("a.1")).unwrap()
}

/// Checks the text below the title of a page.
fn check(body: &str, expected: &str) {
    let document = load(&format!(".TH A 1\n{body}"));
    assert_eq!(document.format, Format::Man);
    let text = document.text.strip_prefix("# a(1)\n").unwrap();
    assert_eq!(text.strip_prefix('\n').unwrap_or(text), expected, "{body}");
}

/// Checks the text of a page in `mdoc` below its title.
fn check_mdoc(body: &str, expected: &str) {
    let document = load(&format!(".Dd May 3, 2026\n.Dt A 1\n.Os\n{body}"));
    let text = document.text.strip_prefix("# a(1)\n\n").unwrap();
    assert_eq!(text, expected, "{body}");
}

#[test]
fn sections_and_parts_are_headings() {
    let document = load(
        "'\\\" t\n.\\\" A comment.\n.TH NSSWITCH.CONF 5 \"3 May 2026\" \"Tools 1.2\" \"File formats\"\n.SH NAME\n\
         nsswitch.conf \\- find the \\fBname\\fPserver\n.SH\nSEE ALSO\n.SS \"The \\fIfirst\\fP part\"\nText.\n",
    );
    let expected = [
        (1, "nsswitch.conf(5)", "# nsswitch.conf(5)\n"),
        (2, "NAME", "## NAME\n"),
        (2, "SEE ALSO", "## SEE ALSO\n"),
        (3, "The first part", "### The first part\n"),
    ];
    assert_eq!(outline(&document), expected);
    assert!(
        document
            .text
            .contains("\nnsswitch.conf - find the nameserver\n")
    );
    let metadata = &document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("nsswitch.conf(5)"));
    assert_eq!(metadata.created.as_deref(), Some("2026-05-03"));
    assert_eq!(metadata.extra["description"], "find the nameserver");
    assert_eq!(metadata.extra["section"], "5");
    assert_eq!(metadata.extra["source"], "Tools 1.2");
    assert_eq!(metadata.extra["manual"], "File formats");
}

#[test]
fn a_page_has_the_name_that_it_gives_itself() {
    let title = |page: &str| load(page).metadata.title;
    let page = ".TH XORG 1\n.SH NAME\nXorg, X \\- a server\n";
    assert_eq!(title(page).as_deref(), Some("Xorg(1)"));
    let page = ".TH \"ALTER TABLE\" 7\n.SH NAME\nALTER_TABLE \\- change a table\n";
    assert_eq!(title(page).as_deref(), Some("ALTER_TABLE(7)"));
    let page = ".TH DOCKER 1\n.SH NAME\ndocker-run \\- run a command\n";
    assert_eq!(title(page).as_deref(), Some("docker-run(1)"));
    let page = ".TH GREP 1\n.SH NAME\nthe program grep \\- find lines\n";
    assert_eq!(title(page).as_deref(), Some("grep(1)"));
    let page = ".TH [ 1\n.SH NAME\ntest, [ \\- check\n";
    assert_eq!(title(page).as_deref(), Some("[(1)"));
    assert_eq!(title(".TH LS 1\n").as_deref(), Some("ls(1)"));
    assert_eq!(title(".TH gitFoo 1x\n").as_deref(), Some("gitFoo(1x)"));
    assert_eq!(title(".SH NAME\nls \\- list\n"), None);
}

#[test]
fn terms_of_options_stand_above_their_descriptions() {
    let expected = "`-a, --all`\n\nShow all.\n\nMore of it.\n\n`-J`\n\nJSON.\n";
    check(
        ".TP\n\\fB\\-a\\fR, \\fB\\-\\-all\\fR\nShow\nall.\n.IP\nMore of it.\n.TP 8\n.B \\-J\nJSON.\n",
        expected,
    );
    check(
        ".TP\n.B \\-a\n.TQ\n.B \\-\\-all\nShow all.\n.sp\nMore of it.\n.IP \"\\-J\" 4\nJSON.\n",
        expected,
    );
    check(
        ".PP\n\\fB\\-a\\fR, \\fB\\-\\-all\\fR\n.RS 4\nShow all.\n.sp\nMore of it.\n.RE\n.PP\n\\-J\n.RS\nJSON.\n.RE\n",
        expected,
    );
    check(".TP\nHOME\nThe folder.\n", "HOME\n\nThe folder.\n");
}

#[test]
fn fonts_join_their_arguments() {
    check(
        ".B one \"two three\"\n.BR see (1) ,\n.RI [ file ]...\n.B\nfour\n.SM BIG\n",
        "one two three see(1), [file]... four BIG\n",
    );
    check(
        ".SY ls\n.OP \\-a\n.OP \\-\\-width cols\n.YS\n.UR https://example.org\nThe page\n.UE .\n",
        "ls [-a] [--width cols]\n\nThe page <https://example.org>.\n",
    );
}

#[test]
fn lists_keep_their_levels() {
    check(
        ".IP \\(bu 2\none\n.IP\nmore\n.RS\n.IP 1. 3\ntwo\n.RE\n.IP \\[bu]\nthree\n.PP\nend\n",
        "- one\n    \n    more\n    1. two\n- three\n\nend\n",
    );
}

#[test]
fn lines_that_go_on_are_joined() {
    check("on\\c\n.B e\\c\ntwo\n", "onetwo\n");
    check(".TP\n.B \\-a\\c\n.I file\nText.\n", "`-afile`\n\nText.\n");
    let item = |text: &str| {
        format!(
            ".sp\n.RS 4\n.ie n \\{{\\\n\\h'-04'\\(bu\\h'+03'\\c\n.\\}}\n.el \\{{\\\n.sp -1\n.IP \\(bu 2.3\n.\\}}\n{text}\n.RE\n"
        )
    };
    check(&[item("one"), item("two")].concat(), "- one\n- two\n");
}

#[test]
fn what_is_not_filled_is_code() {
    check(
        "Run:\n.PP\n.nf\n.RS\n$ ls \\-a  .\n\n.B ls\n.RE\n.fi\n.PP\nEnd\n.br\nhere.\n",
        "Run:\n\n```\n$ ls -a  .\n\nls\n```\n\nEnd\nhere.\n",
    );
    check(".EX\n# no heading\n.EE\n", "```\n# no heading\n```\n");
}

#[test]
fn tables_are_tables() {
    check(
        ".TS\nallbox tab(:);\nlb lb\nl l.\nName:Use\n_\n\\fBa\\fP:T{\nfirst\n.BR b (1)\nT}\n.T&\nl s.\nc|d\n.TE\nEnd\n",
        "| Name | Use |\n| --- | --- |\n| a | first b(1) |\n| c\\|d |\n\nEnd\n",
    );
}

#[test]
fn nothing_of_a_long_cell_or_term_is_lost() {
    let words = ["word"; 400].join(" ");
    let expected = format!("| a | {words} |\n| --- | --- |\n");
    check(
        &format!(".TS\nl l.\na\tT{{\n{words}\nT}}\n.TE\n"),
        &expected,
    );
    check(
        &format!(".TP\n{words}\ntext\n"),
        &format!("{words}\n\ntext\n"),
    );
}

#[test]
fn definitions_and_the_other_side_of_conditions_are_left_out() {
    let preamble = ".de Sp\n.if t .sp .5v\n.if n .sp\n..\n.de Vb\n.ft CW\n.nf\n..\n.ie n \\{\\\n.    ds C` \"\"\n\
                    .    ds C' \"\"\n'br\\}\n.el\\{\\\n.    ds C` t\n.    ds C' t\n'br\\}\n.ie \\n(.g .ds Aq \\(aq\n\
                    .el       .ds Aq '\n.if !\\nF .nr F 0\n.if \\nF>0 \\{\\\n.    de IX\n.    tm Index:\\\\$1\n..\n.\\}\n";
    check(
        &format!(
            "{preamble}.IX Header \"NAME\"\n.ie t one\n.el two\nIt\\*(Aqs \\*(C`code\\*(C'.\n.Sp\n.Vb 1\n\\& x = 1\n.Ve\n"
        ),
        "two It's \"code\".\n\n```\n x = 1\n```\n",
    );
    check(
        ".ig\nhidden\n..\n.de XX\n.B \\\\$*\n..\n.de IX\n..\n.IX no\n.XX kept \\fBas\\fP text\n",
        "kept as text\n",
    );
}

#[test]
fn macros_of_the_page_show_the_arguments_that_a_terminal_sees() {
    // DocBook writes boxes around code so.
    let boxes = ".de BB\n.if t \\{\\\n.gcolor red\n.di BX\n.\\}\n..\n.de EB\n.if t \\{\\\n\
                 .if \"\\\\$2\"adjust\" \\{\\\n.sp -1\n.\\}\n\\M[\\\\$1]\\h'1n'\n.BX\n.\\}\n..\n";
    check(
        &format!("{boxes}Run\n.BB lightgray adjust\n.nf\nmake\n.fi\n.EB lightgray adjust\nit.\n"),
        "Run\n\n```\nmake\n```\n\nit.\n",
    );
    check(
        ".de XX\n\\fB\\\\$2\\fP\n.sp \\\\$1\n..\n.XX 1v \"kept \\fIhere\\fP\" dropped\n",
        "kept here\n",
    );
}

#[test]
fn macros_of_elsewhere_show_their_arguments() {
    check(
        "See\n.MR grep 1 ,\n.MR sed 1\nand\n.MR awk .\n",
        "See grep(1), sed(1) and awk.\n",
    );
    check(
        "One\n.YY two \\fBthree\\fP\n.PD 0\n.XS 4.5i L\n.in +4n\n.tm message\n.IX Item \"x\"\n.nop four\n.nop .B five\n",
        "One two three four five\n",
    );
    check(
        ".TS\nl l.\na\tT{\n.MR b 1 .\n.UR https://example.org\nThe page\n.UE ,\n.YY word\nT}\n.TE\n",
        "| a | b(1). <https://example.org> The page , word |\n| --- | --- |\n",
    );
}

#[test]
fn macros_of_papers_drop_no_words() {
    check(
        ".de sh\n$ \\$1 \\$2\n..\n.SH USE\n.sh ls -l\n",
        "## USE\n\nls -l\n",
    );
    check(".sh \"The sun\"\nIt.\n", "## The sun\n\nIt.\n");
}

#[test]
fn papers_have_headings_paragraphs_and_items() {
    let load = |page: &str| load_bytes(page.as_bytes(), Path::new("a.roff")).unwrap();
    let ms = load(
        ".ds X y\n.TL\nOn tides\n.AU\nAnn Lee\n.NH\nThe moon\n.LP\nIt pulls.\n.NH 2\nThe sun\n.PP\nSo does it.\n",
    );
    assert_eq!(
        ms.text,
        "# On tides\n\nAnn Lee\n\n## The moon\n\nIt pulls.\n\n### The sun\n\nSo does it.\n"
    );
    assert_eq!(ms.metadata.title.as_deref(), Some("On tides"));
    let mm = load(
        ".ds X y\n.H 1 \"The moon\"\n.P\nIt pulls.\n.BL\n.LI\none\n.LI\ntwo\n.LE\n.VL 10\n.LI term\ntext\n.LE\n",
    );
    assert_eq!(
        mm.text,
        "## The moon\n\nIt pulls.\n\n- one\n- two\n\nterm\n\ntext\n"
    );
    let me = load(
        ".ds X y\n.sh 2 \"The sun\"\n.pp\nIt\n.b pulls\n.i \"as well\"\n.uh End\n.lp\nDone.\n",
    );
    assert_eq!(
        me.text,
        "### The sun\n\nIt pulls as well\n\n## End\n\nDone.\n"
    );
}

#[test]
fn equations_are_text() {
    check(
        "Here\n.EQ\nx over y\n.EN\nit is.\n",
        "Here x over y it is.\n",
    );
}

#[test]
fn files_that_a_page_includes_are_named() {
    let document = load(".so man1/b.1\n");
    let expected = serde_json::json!(["man1/b.1"]);
    assert_eq!(document.metadata.extra["not_followed"], expected);
    assert_eq!(document.text, "");
}

#[test]
fn a_page_without_text_is_said_to_have_none() {
    let document = load(".de X\n.B text\n..\n");
    assert_eq!(document.text, "");
    assert_eq!(omissions(&document.metadata).len(), 1);
}

fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn tables_without_a_format_and_words_in_quotation_marks_are_read() {
    let page =
        ".TH T 1\n.SH S\n.TS\nallbox;\nThis example shows it.\n.TE\n'region' is where it runs.\n";
    let text = load(page).text;
    assert!(text.contains("This example shows it."), "{text}");
    assert!(text.contains("'region' is where it runs."), "{text}");
}

#[test]
fn packed_pages_are_unpacked() {
    let bytes = packed(b".TH A 1\n.SH NAME\na \\- list\n");
    let document = load_bytes(&bytes, Path::new("a.1.gz")).unwrap();
    assert_eq!(document.text, "# a(1)\n\n## NAME\n\na - list\n");
    assert_eq!(document.metadata.size, Some(bytes.len() as u64));
    assert_eq!(
        document.metadata.content_hash,
        Some(ContentHash::of(&bytes))
    );
    let unnamed = load_bytes(&bytes, Path::new("a.gz")).unwrap();
    assert_eq!(unnamed.text, document.text);
}

#[test]
fn text_in_gzip_is_unpacked() {
    let large = "# Über\n".repeat(20_000);
    for (content, name, format) in [
        ("started\n", "log.1.gz", Format::Text),
        ("# A\n", "a.md.GZ", Format::Markdown),
        (large.as_str(), "large.md.gz", Format::Markdown),
    ] {
        let bytes = packed(content.as_bytes());
        let document = load_bytes(&bytes, Path::new(name)).unwrap();
        assert_eq!(
            (document.format, &*document.text),
            (format, content),
            "{name}"
        );
        let hash = Some(ContentHash::of(&bytes));
        assert_eq!(document.metadata.content_hash, hash, "{name}");
    }
    let twice = load_error(&packed(&packed(b"text\n")), "a.txt.gz.gz");
    assert!(matches!(twice, Error::UnsupportedFormat { .. }));
    let pdf = load_error(&packed(b"%PDF-1.7\n"), "a.pdf.gz");
    assert!(matches!(pdf, Error::UnsupportedFormat { .. }));
}

#[test]
fn text_in_gzip_has_the_limits_of_archives() {
    let limits = Limits {
        inflated_bytes: 1_000,
        ..Limits::default()
    };
    let loader = FileLoader::new(LoadOptions {
        limits,
        ..LoadOptions::default()
    });
    let path = Path::new("bomb.txt.gz");
    let error = loader.load_bytes(&packed(&b"word\n".repeat(1_000)), path);
    let error = error.unwrap_err();
    assert_eq!(error.path(), Some(path));
    assert!(matches!(error, Error::LimitExceeded { limit: 1_000, .. }));
}

#[test]
fn packed_pages_that_are_damaged_or_too_large_are_refused() {
    let lines = |count: usize| [&b".TH A 1\n"[..], &b"word\n".repeat(count)].concat();
    let large = lines(1 << 20);
    for (bytes, file) in [(packed(&large), "a.1.gz"), (large, "a.1")] {
        let error = load_error(&bytes, file);
        assert!(matches!(error, Error::LimitExceeded { limit, .. } if limit == 4 << 20));
    }
    let mut cut = packed(&lines(100_000));
    cut.truncate(cut.len() - 8);
    assert!(matches!(load_error(&cut, "a.1.gz"), Error::Parse { .. }));
}

#[test]
fn mdoc_has_macros_within_lines() {
    check_mdoc(
        ".Sh NAME\n.Nm a\n.Nd list files\n.Sh SYNOPSIS\n.Nm\n.Op Fl a Ns Ar x\n.Op Fl -all\n.Ar\n.Sh SEE ALSO\n.Xr b 1 ,\n.Xr c 8\n",
        "## NAME\n\na - list files\n\n## SYNOPSIS\n\na [-ax] [--all] file ...\n\n## SEE ALSO\n\nb(1), c(8)\n",
    );
    check_mdoc(
        ".Nm a\n.Sh SYNOPSIS\n.In stdio.h\n.Ft int\n.Fo open\n.Fa \"char *path\"\n.Fa \"int flags\"\n.Fc\n.Ft int\n.Fn close \"int fd\"\n",
        "a\n\n## SYNOPSIS\n\n#include <stdio.h>\nint\nopen(char *path, int flags)\nint\nclose(int fd)\n",
    );
}

#[test]
fn mdoc_has_lists_and_displays() {
    check_mdoc(
        ".Sh A\n.Bl -tag -width Ds\n.It Fl a , Fl -all\nShow all.\n.It Xo\n.Fl b\n.Ar size\n.Xc\nSize.\n.El\n\
         .Bl -bullet\n.It\none\n.It\ntwo\n.El\n.Bd -literal\n$ a\n.Ed\n.Pp\nEnd.\n",
        "## A\n\n`-a, --all`\n\nShow all.\n\n`-b size`\n\nSize.\n\n- one\n- two\n\n```\n$ a\n```\n\nEnd.\n",
    );
    check_mdoc(
        ".Sh A\n.Bl -column x y\n.It Em Name Ta Use\n.It a Ta b c\n.El\n.Bl -enum\n.It\none\n.El\n.Dl ls -a\n",
        "## A\n\n| Name | Use |\n| --- | --- |\n| a | b c |\n\n1. one\n\n```\nls -a\n```\n",
    );
}

#[test]
fn terms_and_lists_of_mdoc_end_where_their_blocks_do() {
    check_mdoc(
        ".Sh A\n.Bl -tag -width Ds\n.It Xo\n.Fl b\n.Ar size Xc\nSize.\n.It Fl c Xo\n.Oo Ar x Oc Xc\nSee x.\n.It Xo\n\
         .Fl d\n.It Fl e\nNo end.\n.It Xo\n.Fl f\n.El\nEnd.\n",
        "## A\n\n`-b size`\n\nSize.\n\n`-c [x]`\n\nSee x.\n\n`-d`\n\n`-e`\n\nNo end.\n\n`-f`\n\nEnd.\n",
    );
    check_mdoc(
        ".Sh A\n.Bl -column x y\n.It a Ta b\n.Sh B\n.Bl -column x y\n.It c Ta d\n",
        "## A\n\n| a | b |\n| --- | --- |\n\n## B\n\n| c | d |\n| --- | --- |\n",
    );
    check_mdoc(
        ".Sh A\n.Bl -tag -width Ds\n.It Xo\n.Fl a\n",
        "## A\n\n`-a`\n",
    );
}

#[test]
fn words_of_mdoc_stand_also_where_macros_do_not_expect_them() {
    check_mdoc(
        ".Sh A\n.Bl -bullet\n.It one\n.It\ntwo\n.El\n.Bl -item\n.It Em three\nfour\n.El\n.Nm a\n.Ud\n.Zz five\n\
         .Eo <\n.Ar six\n.Ec > .\n",
        "## A\n\n- one\n- two\n\nthree four\n\na currently under development. five <six>.\n",
    );
}
