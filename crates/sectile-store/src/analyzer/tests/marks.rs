//! What becomes of words that have marks in them.

use super::*;

/// Checks that a text is found by each of some words, as they are typed.
fn check_found(text: &str, words: &[&str]) {
    for word in words {
        let meets = meets(word, text, &[Language::English], Language::English);
        assert!(meets, "{word} should find {text}");
    }
}

#[test]
fn escapes_part_words() {
    check(r"\nbogus", "bogus|nbogus");
    check(r"a\nbogus b", "a bogus|nbogus b");
    check_found(
        r##""#cloud-config\nruncmd:\n""##,
        &["cloud-config", "runcmd"],
    );
    check_found(r"\napt-get \tnode.js", &["apt-get", "node.js"]);
    check_found(r#""usage:\n\tfrobnicate""#, &["usage", "frobnicate"]);
    check_found(r#"{"x": "cut:\\nbogus"}"#, &["cut", "bogus"]);
    check_found(
        r#""cannot open\nfilename %s\trequired\r\nnow""#,
        &["open", "filename", "required", "now"],
    );
    check_found(
        r"\bwordy\b {\fpage \vtab \0zero",
        &["wordy", "page", "tab", "zero"],
    );
    check_found(
        r#""\x1b[31mCrimson\x1b[0m\033[1mBold\x0aline""#,
        &["crimson", "bold", "line"],
    );
}

#[test]
fn escapes_of_letters_are_letters() {
    check(r"caf\u00e9 b", "caf|cafe|u00e9 b");
    check_found(
        r"na\u00efve \u00e9tat \u{e9}tude \xe9clair \U000000e9cole don\u2019t",
        &["naïve", "état", "étude", "éclair", "école", "don't"],
    );
    // These are no letters.
    check_found(r"one\u000atwo \ud83d\ude00three", &["one", "two", "three"]);
}

#[test]
fn words_behind_a_backslash_stay_what_they_are() {
    check_found(r"C:\new\table\readme", &["new", "table", "readme"]);
    check_found(
        r"\name \textbf{x} \nabla \beta",
        &["name", "textbf", "nabla", "beta"],
    );
    check(r"App\Network\Http", "app network http");
    check(r"\nod\tax", "od|nod ax|tax");
    check(r"|\psi\rangle \begin{x}", "psi rangl begin x");
    check(r"\x \u \n1 \", "x u n1");
}

#[test]
fn letters_of_latex_are_letters() {
    check("G\\\"odel b", "g|godel|odel b");
    check_found(
        r#"M\"uller Stra{\ss}e na\"{\i}ve \'{e}tat fran\c{c}ais {\'E}cole"#,
        &["Müller", "Straße", "naïve", "état", "français", "école"],
    );
    check_found(
        r#"Gro\ss e Sm\o rrebr\o d \v{C}ech Erd\H{o}s \AA ngstr\"om"#,
        &["Große", "Smørrebrød", "Čech", "Erdős", "Ångström"],
    );
    check_found(
        r"fi\-nal\-ly {B}ayesian \textbf{bold}face max\_connections",
        &["finally", "Bayesian", "boldface", "max_connections"],
    );
    check(r#"say \"hello\" it"#, "say hello it");
}

#[test]
fn words_that_are_marked_in_part_are_whole() {
    check("un*known*", "un|unknown known");
    check("**W**ord b", "w|word|ord b");
    for text in [
        "te*s*t",
        "te<i>s</i>t",
        "~~te~~st",
        "<b>t</b>est",
        "<EM>t</EM>est",
        "t__es__t",
    ] {
        check_found(text, &["test"]);
    }
    check("CO<sub>2</sub> is", "co|co2|co|sub|2|sub is");
    check("**read**-chunks b", "read|readchunk|read chunk|-chunks b");
    check_found("**H**yper**T**ext", &["hypertext"]);
    check_found("un<span class=\"x\">believ</span>able", &["unbelievable"]);
    check_found(
        "**sub**-word M&uuml;ller-Meier",
        &["sub-word", "Müller-Meier"],
    );
    check_found(
        "un\\ *bold*\\ able H\\ :sub:`2`\\ O",
        &["unboldable", "H2O"],
    );
    check_found("**note CO<sub>2</sub>** here", &["CO2", "here"]);
    check_found(
        "CO<sub>2</sub> H<sub>2</sub>SO<sub>4</sub> 1<sup>st</sup> m<sup>2</sup> re<wbr>boot",
        &["CO2", "H2SO4", "1st", "m2", "reboot"],
    );
}

#[test]
fn signs_that_are_no_marks_part_words() {
    check("a*b*c x*y 2 * 3", "a|abc b c x y 2 3");
    check(r"2*3*4 7\-9", "2 3 4 7 9");
    check("char**argv a~b Vec<T>x", "char argv a b vec t x");
    check("Revenue<sup>2</sup>", "revenu sup 2 sup");
    check("<li>one</li><li>two</li>", "li one li li two li");
    check("foo-\nBar foo-\n- x", "foo bar foo x");
}

#[test]
fn what_is_not_seen_parts_no_word() {
    check(
        "in\u{ad}form auto\u{2060}bahn auto\u{feff}bahn",
        "inform autobahn autobahn",
    );
    check("zero\u{200b}width", "zerowidth|zero width");
}

#[test]
fn entities_are_what_they_stand_for() {
    check("M&uuml;ller b", "m|muller|uuml|ller b");
    check_found(
        "caf&eacute; &Eacute;tat na&#239;ve &#xC9;cole don&rsquo;t AT&amp;T in&shy;put",
        &["café", "état", "naïve", "école", "don't", "AT&T", "input"],
    );
    check("5&nbsp;kg a&lt;b", "5 nbsp kg a lt b");
}

#[test]
fn words_that_are_hyphenated_at_the_end_of_a_line_are_whole() {
    check("re-\n   quest b", "re|request|quest b");
    check("a well-\nknown fact", "a well|wellknown|known fact");
    check("-\nquest 7-\nb", "quest 7|7b|b");
    check_found("wind-\r\nmill", &["windmill", "wind", "mill"]);
}

#[test]
fn a_term_without_marks_points_to_its_word() {
    let text = r"a\nbogus te*s*t";
    let mut found = Vec::new();
    Analyzer::english().for_each(text, |term, span| {
        found.push((term.to_owned(), span.of(text)));
    });
    let of = |term: &str| found.iter().find(|(known, _)| known == term);
    assert_eq!(of("bogus").map(|(_, word)| *word), Some("bogus"));
    assert_eq!(of("test").map(|(_, word)| *word), Some("te*s*t"));
}

#[test]
fn only_documents_have_marks() {
    let forms = |text| {
        let readings = Analyzer::readings(text, &[]);
        readings
            .iter()
            .map(|of| of.alternatives.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(forms(r"a*b*c\nbogus"), [1, 1, 1, 1]);
}

#[test]
fn the_dictionary_has_words_without_their_marks() {
    let words = Analyzer::english().words(r"te*s*t caf&eacute; \nbogus");
    let words: Vec<&str> = words.iter().map(|(word, _)| word).collect();
    for word in ["test", "cafe", "bogus", "nbogus"] {
        assert!(words.contains(&word), "{word} in {words:?}");
    }
}

#[test]
fn marks_add_a_few_terms_however_many_there_are() {
    for marks in [
        "a*", "a<b>", "a\\n", "\\", "a-\n", "&auml;a", "{\\\"", "a\\ *",
    ] {
        let text = marks.repeat(10_000);
        let terms = Analyzer::english().terms(&text);
        assert!(terms.len() <= 4 * text.len(), "{marks}");
    }
}
