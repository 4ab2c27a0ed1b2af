//! How markup within lines is written.

use super::*;

fn check(source: &str, expected: &str) {
    let mut literals = Literals::default();
    let source = literals.take(source);
    assert_eq!(
        markdown(&source, &literals, &mut Vec::new()),
        expected,
        "{source}"
    );
}

#[test]
fn quotes_are_emphasis_and_end_with_their_line() {
    check("'''a''' ''b'' '''''c''' d''", "**a** *b* ***c** d*");
    check("'' '''User:''' text''", "***User:** text*");
    check("it's '''a\nb''' c", "it's **a**\nb **c**");
    check("''''' '''''", "");
    check("<b>a </b><i>b</i>", "**a** *b*");
}

#[test]
fn links_show_their_texts() {
    check(
        "[[A b|c]]s [[A b]] [[:Category:X]] [[Category:Y]]",
        "cs A b Category:X",
    );
    check("[[a.mediawiki#x|c]]", "[c](a.mediawiki#x)");
    check(
        "[https://x.org the ''x''] [https://y.org] [z]",
        "[the *x*](https://x.org) https://y.org [z]",
    );
    check(
        "[[File:a.png|thumb|100px|A [[b|c]]]] [[Image:a.png|left]]",
        "A c",
    );
    check("[[a [b] c", "[[a [b] c");
}

#[test]
fn elements_are_code_or_gone() {
    check(
        "<code>a <nowiki>''b''</nowiki></code> <tt>`</tt>",
        "`a ''b''` `` ` ``",
    );
    check(
        "10<sup>6</sup> m<sub>i</sub> <span class=x>y</span> <bytes 4>",
        "10⁶ mi y <bytes 4>",
    );
    check(
        "a<br/>b &nbsp;&lt;c __NOTOC__ __FILE__",
        "a\nb  <c  __FILE__",
    );
    check("<math>x_1</math><!-- y --><code>z", "$x_1$z");
}
