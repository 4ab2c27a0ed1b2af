//! Drawings in documents in Rich Text Format.

use std::path::Path;

use sectile_load::load_bytes;

fn check(body: &str, expected: &str) {
    let text = format!("{{\\rtf1\\ansi {body}}}");
    let document = load_bytes(text.as_bytes(), Path::new("a.rtf")).unwrap();
    assert_eq!(document.text, expected, "{body}");
}

#[test]
fn what_pictures_in_tables_show_stands_behind_the_table() {
    let picture = |text: &str| {
        format!(
            "{{\\pict{{\\*\\picprop{{\\sp{{\\sn wzDescription}}{{\\sv {text}}}}}}}\\pngblip 00}}"
        )
    };
    let row = format!(
        "\\trowd\\cellx1\\cellx2\\intbl a{}\\cell b\\cell\\row",
        picture("The mill")
    );
    let table = "| a | b |\n| --- | --- |\n";
    check(&row, &format!("{table}\n![The mill]()\n"));
    check(
        &format!("{row}\\pard {}\\par After.\\par", picture("The weir")),
        &format!("{table}\n![The mill]()\n\n![The weir]()\n\nAfter.\n"),
    );
    check(
        &format!("{row}\\pard After{}.\\par", picture("The weir")),
        &format!("{table}\n![The mill]()\n\nAfter.\n\n![The weir]()\n"),
    );
}

#[test]
fn names_and_values_of_properties_may_be_in_groups() {
    let shape = |name: &str, value: &str| {
        format!("One{{\\shp{{\\*\\shpinst{{\\sp{{\\sn {name}}}{{\\sv {value}}}}}}}}}\\par")
    };
    for (name, value) in [
        ("gtextUNICODE", "{Draft} copy"),
        ("gtextUNICODE", "Draft {\\b copy}"),
        ("gtextUNICODE", "{\\rtlch\\f0 {\\u68 ?raft}} {\\i\\b copy}"),
        (
            "gtextUNICODE",
            "{\\u68 ?raft{\\*\\new no}} copy{\\pict\\pngblip 00ff}",
        ),
        ("gtextUNICODE", "Draft copy{\\*\\hl{\\hlsrc no}}{\\v no}"),
        (
            "gtextUNICODE",
            "{\\upr{?raft copy}{\\*\\ud{\\u68 ?raft copy}}}",
        ),
        ("gtextUNICODE", "{\\sp{\\sn no}{\\sv no}}Draft copy"),
        ("{gtext}{\\b UNICODE}", "Draft copy"),
    ] {
        check(&shape(name, value), "One\n\nDraft copy\n");
    }
    check(&shape("gtextSize", "{\\b Draft}"), "One\n");
}
