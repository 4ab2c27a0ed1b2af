//! Writes the tree of a document as JSON, without its texts, as a language model reads a table of contents.
//!
//! ```sh
//! cargo run -p sectile-core --example tree_for_model
//! ```

use sectile_core::{DocumentTree, SectionId, SectionNode};

/// The headings above a section and its own, the position of its parent, its first line and its text.
type Row = (&'static [&'static str], Option<usize>, usize, &'static str);

const ROWS: [Row; 3] = [
    (&["Guide"], None, 1, "# Guide\n\nRead me.\n\n"),
    (
        &["Guide", "Install"],
        Some(0),
        5,
        "## Install\n\nRun `make`.\n\n",
    ),
    (&["Guide", "Use"], Some(0), 9, "## Use\n\nAsk.\n"),
];

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() -> serde_json::Result<()> {
    let sections = ROWS.map(|(path, parent, line, text)| SectionNode {
        id: SectionId::derive("guide.md", path, 0),
        parent,
        heading: path.last().map(|heading| (*heading).to_owned()),
        line,
        pages: None,
        summary: None,
        text: text.to_owned(),
    });
    let tree = DocumentTree::of_sections("guide.md", sections.into());
    println!("{}", serde_json::to_string_pretty(&tree.without_text())?);
    Ok(())
}
