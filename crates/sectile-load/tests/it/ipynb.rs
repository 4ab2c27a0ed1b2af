//! Jupyter notebooks.

use std::path::Path;

use sectile_core::Document;
use sectile_load::{load_bytes, omissions};
use serde_json::{Value, json};

use crate::support::check_read_as_text;

fn load(notebook: &Value) -> Document {
    let json = serde_json::to_vec(notebook).unwrap();
    load_bytes(&json, Path::new("a.ipynb")).unwrap()
}

/// Loads a code cell with these outputs, and returns what stands below it.
fn outputs(outputs: &Value) -> (String, Document) {
    let cell = json!({"cell_type": "code", "source": "x", "outputs": outputs});
    let document = load(&json!({"nbformat": 4, "metadata": {}, "cells": [cell]}));
    let below = document.text.strip_prefix("```\nx\n```\n").unwrap();
    (below.trim().to_owned(), document)
}

#[test]
fn cells_are_markdown_and_fences_in_the_language_of_the_kernel() {
    let notebook = json!({
        "nbformat": 4,
        "metadata": {
            "kernelspec": {"display_name": "R 4", "language": "R"},
            "authors": [{"name": "Ada"}],
        },
        "cells": [
            {"cell_type": "markdown", "source": "# Title", "attachments": {"a.png": {"image/png": "AA"}}},
            {"cell_type": "code", "execution_count": 2, "source": ["# no heading\n", "````"], "outputs": []},
            {"cell_type": "raw", "source": "raw"},
        ],
    });
    let document = load(&notebook);
    let expected = "# Title\n\n`````R\n# no heading\n````\n`````\n\n```\nraw\n```\n";
    assert_eq!(document.text, expected);
    assert_eq!(document.outline.len(), 1);
    let metadata = &document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("Title"));
    assert_eq!(metadata.author.as_deref(), Some("Ada"));
    assert_eq!(metadata.extra["kernel"], "R 4");
    assert_eq!(metadata.extra["cells"], 3);
    assert_eq!(metadata.extra["executed_cells"], 1);
    assert_eq!(metadata.extra["attachments"], json!(["a.png"]));
}

#[test]
fn outputs_are_text() {
    let (text, _) =
        outputs(&json!([{"output_type": "stream", "name": "stdout", "text": ["a\n", "1%\r2%\n"]}]));
    assert_eq!(text, "```text\na\n2%\n```");
    let (text, _) = outputs(
        &json!([{"output_type": "error", "ename": "E", "evalue": "v",
        "traceback": ["\u{1b}[0;31mE\u{1b}[0m: v"]}]),
    );
    assert_eq!(text, "```text\nE: v\n```");
    let (text, _) = outputs(&json!([{"output_type": "execute_result", "data":
        {"text/html": ["<table>"], "text/plain": ["   a\n", "0  1"]}}]));
    assert_eq!(text, "```text\n   a\n0  1\n```");
    let (text, _) = outputs(&json!([{"output_type": "display_data", "data":
        {"text/markdown": "**a**", "text/plain": "<M>"}}]));
    assert_eq!(text, "**a**");
}

#[cfg(feature = "html")]
#[test]
fn html_is_read_where_no_text_says_the_same() {
    let table =
        "<table><tr><th>epoch</th><th>loss</th></tr><tr><td>1</td><td>0.77</td></tr></table>";
    for plain in [json!("<IPython.core.display.HTML object>"), json!(null)] {
        let data = json!({"text/html": [table], "text/plain": plain});
        let (text, document) = outputs(&json!([{"output_type": "display_data", "data": data}]));
        assert_eq!(text, "| epoch | loss |\n| - | - |\n| 1 | 0.77 |");
        assert!(!document.metadata.extra.contains_key("left_out"));
    }
}

#[test]
fn what_only_a_browser_shows_is_counted() {
    let output = |data: Value| json!({"output_type": "display_data", "data": data});
    let (text, document) = outputs(&json!([
        output(
            json!({"application/json": {"a": 1}, "text/plain": "<IPython.core.display.JSON object>"})
        ),
        output(json!({"text/html": "<script>draw()</script>", "text/plain": "<Chart>"})),
        output(json!({"text/plain": "<Row 1>"})),
    ]));
    assert_eq!(text, "```text\n<Row 1>\n```");
    let left_out = &document.metadata.extra["left_out"];
    assert_eq!(left_out, &json!({"application/json": 1, "text/html": 1}));
}

#[test]
fn images_are_counted_and_left_out() {
    let (text, document) = outputs(&json!([
        {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": "<Figure>"}},
        {"output_type": "display_data", "data": {"application/x-widget": {}}},
    ]));
    assert_eq!(text, "");
    let said = "outputs that are not text are left out: 1 application/x-widget, 1 image/png";
    assert_eq!(omissions(&document.metadata), [said]);
}

#[test]
fn names_of_objects_beside_a_picture_are_left_out() {
    let result =
        |text: &str| json!({"output_type": "execute_result", "data": {"text/plain": text}});
    let lines = result("[<matplotlib.lines.Line2D at 0x7f>,\n <matplotlib.lines.Line2D at 0x80>]");
    let figure = result("<Figure size 640x480 with 1 Axes>");
    let number = result("0.5");
    let picture = json!({"output_type": "display_data", "data": {"image/png": "AAAA"}});
    let (text, _) = outputs(&json!([lines, figure, number, picture]));
    assert_eq!(text, "```text\n0.5\n```");
    let words = json!({"output_type": "display_data", "data":
        {"text/markdown": "**a**", "text/plain": "<M>"}});
    assert_eq!(outputs(&json!([words, picture])).0, "**a**");
    let (text, _) = outputs(&json!([figure]));
    assert_eq!(text, "```text\n<Figure size 640x480 with 1 Axes>\n```");
}

#[test]
fn older_formats_have_sheets_and_heading_cells() {
    let notebook = json!({"nbformat": 3, "metadata": {"name": ""}, "worksheets": [{"cells": [
        {"cell_type": "heading", "level": 2, "source": ["Part"]},
        {"cell_type": "code", "language": "python", "prompt_number": 1, "input": ["1"],
         "outputs": [{"output_type": "pyout", "text": ["1"]},
                     {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": []},
                     {"output_type": "display_data", "png": "AA", "text": ["<at 0x1>"]}]},
    ]}]});
    let document = load(&notebook);
    let expected = "## Part\n\n```python\n1\n```\n\n```text\n1\n```\n\n```text\nE: v\n```\n";
    assert_eq!(document.text, expected);
    assert_eq!(document.metadata.extra["left_out"], json!({"png": 1}));
    assert_eq!(load(&json!({"nbformat": 3, "metadata": {}})).text, "");
}

#[test]
fn a_fence_that_a_cell_leaves_open_ends_with_it() {
    let cell = |source: &str| json!({"cell_type": "markdown", "source": source});
    let cells = [cell("```\nx"), cell("# Heading")];
    let document = load(&json!({"nbformat": 4, "metadata": {}, "cells": cells}));
    assert_eq!(document.text, "```\nx\n```\n\n# Heading\n");
    assert_eq!(document.outline.len(), 1);
    let cells = [cell("# A\n\n<!-- note"), cell("# B"), cell("# C")];
    let document = load(&json!({"nbformat": 4, "metadata": {}, "cells": cells}));
    assert_eq!(document.outline.len(), 3);
}

#[test]
fn images_within_markdown_are_left_out() {
    let cell = json!({"cell_type": "markdown", "source": "![a](data:image/png;base64,AAAA) b"});
    let document = load(&json!({"nbformat": 4, "metadata": {}, "cells": [cell]}));
    assert_eq!(document.text, "![a](data:image/) b\n");
}

#[test]
fn json_that_is_no_notebook_is_read_as_text() {
    for bytes in [&b"{\"a\": 1}"[..], b"{", b"[]", b"{\"cells\": 3}"] {
        check_read_as_text(bytes, "a.ipynb", "notebook");
    }
}

#[test]
fn a_notebook_without_text_is_said_to_have_none() {
    let cell = json!({"cell_type": "code", "source": "", "outputs": []});
    for cells in [json!([]), json!([cell])] {
        let document = load(&json!({"nbformat": 4, "metadata": {}, "cells": cells}));
        assert_eq!(document.text, "");
        assert_eq!(omissions(&document.metadata).len(), 1);
    }
}

#[test]
fn the_date_of_a_notebook_is_one_that_can_be_compared() {
    let date = |date: &str| {
        let metadata = json!({"date": date});
        load(&json!({"nbformat": 4, "metadata": metadata, "cells": []})).metadata
    };
    let written = date("November 23, 2026");
    assert_eq!(written.created.as_deref(), Some("2026-11-23"));
    let unclear = date("3/4/2026");
    assert_eq!(unclear.created, None);
    assert_eq!(unclear.extra["date"], "3/4/2026");
}
