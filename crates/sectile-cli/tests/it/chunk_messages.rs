//! What `sectile chunk` says of files and chunks.

use super::workplace::{Workplace, stderr};

#[test]
fn headings_in_a_fence_that_nothing_closes_are_said_by_all_strategies() {
    let place = Workplace::new();
    place.write("docs/a.md", "# A\n\n```sh\nls\n\n# B\n\nText.\n");
    let said = |strategy: &str| {
        let output = place.run(&["chunk", "docs/a.md", "--strategy", strategy]);
        assert!(output.status.success(), "{strategy}");
        stderr(&output)
    };
    let expected = said("sections");
    assert!(
        expected.contains("nothing closes the code fence in line 3"),
        "{expected}"
    );
    for strategy in ["recursive", "markdown", "sentence", "token"] {
        assert_eq!(said(strategy), expected, "{strategy}");
    }
}

#[test]
fn chunks_that_no_separator_makes_small_enough_are_said() {
    let place = Workplace::new();
    place.write("docs/a.txt", "one two three|four|five\n\nsix");
    let run = |size: &str, more: &[&str]| {
        let arguments = ["chunk", "docs/a.txt", "--overlap", "0", "--size", size];
        let output = place.run(&[&arguments[..], more].concat());
        assert!(output.status.success(), "{more:?}");
        stderr(&output)
    };
    let said = run("8", &["--separator", "|"]);
    let expected = "warning: 2 of 3 chunks of `docs/a.txt` exceed --size 8, the largest with 13 characters, because no \
                    separator is in them; add --separator '' to cut there between any characters\n";
    assert_eq!(said, expected);
    let said = run("8", &["--separator", "\\n\\n"]);
    assert!(said.contains("in bash, $'\\n' is a line break"), "{said}");
    let said = run("8", &["--separator", "|", "--html"]);
    assert!(said.contains("2 of 3 chunks"), "{said}");
    for (size, more) in [
        ("8", &["--separator", "|", "--separator", ""][..]),
        ("13", &["--separator", "|"]),
        ("8", &[]),
    ] {
        assert_eq!(run(size, more), "", "{more:?}");
    }
}
