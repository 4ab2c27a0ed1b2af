//! Damaged and hostile files of markup and notebooks: each ends with a text or an error that names it.

use std::path::Path;

use sectile_load::load_bytes;

use crate::memory::bounded;

/// A file of each format with everything in it that its reader looks for.
const FILES: [(&str, &str); 9] = [
    (
        "a.rst",
        "====\nBook\n====\n\n:Author: Ada\n\n.. |x| replace:: Y\n\n|x| ``b`` :mod:`~c.d`\n------\n\nText::\n\n> x\n\n+---+\n| a |\n+---+\n\n== ==\na  b\n== ==\n\n.. toctree::\n\n   a <b>\n",
    ),
    (
        "a.adoc",
        "= Book\nAda <a@b>\nv1, 2026-01-01: x\n:a: b{a} \\\nc\n\n[[x]]\n== {a} `b` https://x[y] <<z,w>>\n\nTitle\n-----\n\n|===\n|===\n\n----\n----\ninclude::x[]\n\nifdef::a[]\n[discrete]\n=== C\nendif::[]\n",
    ),
    (
        "a.org",
        "#+TITLE: T\n#+TODO: A(b) | C\n* TODO [#A] =a= [[b][c]] [1/2] <<d>> @@e@@ :f:\n#+begin_src x\n* g\n#+end_src\n#+INCLUDE: \"h\"\n",
    ),
    (
        "a.tex",
        "\\title{T}\\author{A \\and B}\\date{2026}\n\\newcommand{\\x}{y}\\def\\z#1{w}\n\\begin{document}\n\\section[s]{\\x{} \\'e $a$ \\href{u}{v}}\\label{l}\n\\begin{verbatim}\n\\end{verbatim}\n\\verb|x| \\input{f} \\begin{frame}<1>[f]{T}\\end{frame}\n\\iffalse\\fi % c\n\\end{document}\n",
    ),
    (
        "a.txt",
        "====\nBook\n====\n\nPART ONE\n\nCHAPTER I.\n\nThe sea\n\nWaves\n-----\n\nCHANGES FROM 1 TO 2\n\n1.  A\n\n1.1. B\n\nTHE END\n",
    ),
    (
        "a.wiki",
        "<pre>\nA: b\nTitle: c\n</pre>\n{{x|y=z|[[w|v]]|{{{1|u}}}}}\n== ''a'' '''b''' ==\n* c\n*# d\n*: e\n; f : g\n{|\n|+ h\n! i !! colspan=3 | j\n|-\n| rowspan=2 | k || l\n{|\n| m\n|}\n|}\n<ref name=n>o</ref><ref name=n/> <code>p`</code>\n<source>q</source> 2<sup>3</sup> &mdash; __TOC__\n<references/>\n r\n[http://s t] [[File:u|v]] <!-- w --> <gallery>\nx|y\n</gallery>\n",
    ),
    (
        "a.1",
        ".\\\" c\n.de X\n..\n.ds C` \"\"\n.ie n \\{\\\n.nr a 1\n.\\}\n.el .if (\\na>(1+2)) x\n.TH A 1 2026-01-01\n.SH N\na\\h'\\w'x'u' \\- \\[u00E9]\\*(C`\n.TP\n.B \\-a\n.TQ\nb\n.IP \\(bu\nc\n.RS\n.nf\n`\n.RE\n.fi\n.TS\ntab(|);\nl.\na|T{\nb\nT}\n.TE\n.UR x\n.UE\n.X \\s-1a\\n+(ab\n",
    ),
    (
        "b.1",
        ".Dd $Mdocdate: May 3 2026 $\n.Dt A 1\n.Sh SYNOPSIS\n.Nm a\n.Op Fl a Ns Ar b , Oo Pf x Ta y Oc\n.Fo f\n.Fa a\n.Fc\n.Bl -tag\n.It Xo\n.Fl a\n.Xc\n.Bl -column\n.It a Ta b\nc\n.El\n.Bl -enum\n.It\nd\n.El\n.El\n.Bd -literal\ne\n.Ed\n.Ex -std\n",
    ),
    (
        "a.ipynb",
        "{\"nbformat\":4,\"metadata\":{\"language_info\":{\"name\":\"python\"}},\"cells\":[{\"cell_type\":\"markdown\",\"source\":[\"# A\\n\",\"```\"]},{\"cell_type\":\"code\",\"execution_count\":1,\"source\":\"1\",\"outputs\":[{\"output_type\":\"stream\",\"text\":\"\\u001b[1ma\\rb\"},{\"output_type\":\"error\",\"traceback\":[\"x\"]},{\"data\":{\"image/png\":\"\",\"text/plain\":\"<F>\"}}]}]}",
    ),
];

fn load(name: &str, bytes: &[u8]) {
    match load_bytes(bytes, Path::new(name)) {
        Ok(document) => {
            let text = &document.text;
            assert!(!text.contains('\0'));
            let mut last = 0;
            for heading in &document.outline {
                let span = heading.span;
                assert!(text.get(span.start..span.end).is_some(), "{name} {span:?}");
                assert!(span.start >= last, "{name}: {span:?} begins before {last}");
                assert!((1..=6).contains(&heading.level));
                last = span.end;
            }
            assert!(!document.to_markdown().contains('\0'));
        }
        Err(error) => assert_eq!(error.path(), Some(Path::new(name))),
    }
}

/// Numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Changes, repeats, moves or cuts off parts of a file.
fn mutate(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut bytes = bytes.to_vec();
    for _ in 0..=numbers.below(8) {
        let at = numbers.below(bytes.len());
        let end = (at + numbers.below(40)).min(bytes.len());
        match numbers.below(6) {
            0 => bytes[at] = numbers.below(256) as u8,
            1 => bytes[at] = b"{}[]\\%$*=-#:`|\n\0\""[numbers.below(17)],
            2 => drop(bytes.drain(at..end)),
            3 => {
                let part = bytes[at..end].to_vec();
                let place = numbers.below(bytes.len());
                bytes.splice(
                    place..place,
                    part.iter().copied().cycle().take(part.len() * 3),
                );
            }
            4 => bytes.truncate(at.max(1)),
            _ => bytes.insert(at, 0xC3),
        }
        if bytes.is_empty() {
            bytes.push(b'x');
        }
    }
    bytes
}

#[test]
fn damaged_files_end_with_text_or_an_error() {
    bounded(
        "markup_hostile::damaged_files_end_with_text_or_an_error",
        check_damaged,
    );
}

fn check_damaged() {
    for (name, text) in FILES {
        for seed in 1..=400 {
            load(name, &mutate(text.as_bytes(), seed));
        }
        for end in 0..text.len() {
            load(name, &text.as_bytes()[..end]);
        }
    }
}

/// Beginnings of what is never ended, repeated: each costs a search if it is looked for to the end.
#[test]
fn what_is_never_closed_costs_little() {
    const BYTES: usize = 100_000;
    let parts = [
        ("a.rst", "`a\n"),
        ("a.rst", "*a `b :c: |d "),
        ("a.rst", "== ==\n"),
        ("a.rst", "a\n=\n"),
        ("a.rst", "::\n\n>\n"),
        ("a.adoc", ":a: {a}{a}\n"),
        ("a.adoc", "== `a *b <<c [[d\n\n"),
        ("a.adoc", "----\n"),
        ("a.adoc", "[a\n"),
        ("a.org", "#+begin_src\n"),
        ("a.org", "* *a /b =c [[d <<e @@f\n"),
        ("a.org", "*"),
        ("a.tex", "\\section{"),
        ("a.tex", "\\section["),
        ("a.tex", "\\begin{verbatim}"),
        ("a.tex", "\\newcommand{\\a}{\\a\\a}"),
        ("a.tex", "\\verb|\\iffalse"),
        ("a.tex", "{"),
        ("a.txt", "A\n-\n"),
        ("a.txt", "CHAPTER I.\n\n"),
        ("a.txt", "==="),
        ("a.wiki", "{{"),
        ("a.wiki", "{{a|"),
        ("a.wiki", "{{{a}}"),
        ("a.wiki", "}}{{a"),
        ("a.wiki", "[["),
        ("a.wiki", "[[a|"),
        ("a.wiki", "[http://a "),
        ("a.wiki", "<ref>"),
        ("a.wiki", "<ref>a</ref>"),
        ("a.wiki", "<references>"),
        ("a.wiki", "<nowiki>"),
        ("a.wiki", "<code>"),
        ("a.wiki", "<code><tt>"),
        ("a.wiki", "<!--"),
        ("a.wiki", "<a "),
        ("a.wiki", "''a'''b"),
        ("a.wiki", "{|\n"),
        ("a.wiki", "{|\n| rowspan=30 colspan=30 | a\n|-\n|b\n"),
        ("a.wiki", "*#*#*#"),
        ("a.wiki", "="),
        ("a.1", ".de a\n"),
        ("a.1", ".SH A\n.ie n \\{\\\n"),
        ("a.1", ".SH A\n.if ((1"),
        ("a.1", ".ds a \\*a\\*a\n"),
        ("a.1", ".ds a aaaa\n.as a \\*a\\*a\\*a\n\\*a\\*a\\*a\\*a\n"),
        ("a.1", ".SH A\n\\h'\\[\\*[\\w"),
        ("a.1", ".SH A\n\\"),
        ("a.1", ".SH A\n.TP\n.RS\n.IP \\(bu\na\n"),
        ("a.1", ".SH A\n.nf\n`"),
        ("a.1", ".SH A\n.TS\nl.\nT{\n"),
        ("a.1", ".Dd a\n.Nm aaaaaaaaaaaaaaaaaaaa\n.Nm\n.Ex\n"),
        ("a.1", ".Dd a\n.Bl -column\n.It Op Op Op "),
        ("a.1", ".Dd a\n.Bl -tag\n.It Xo Bl\n"),
        ("a.ipynb", "["),
        ("a.ipynb", "{\"cells\":"),
    ];
    for (name, part) in parts {
        let text = part.repeat(BYTES / part.len());
        load(name, text.as_bytes());
    }
}
