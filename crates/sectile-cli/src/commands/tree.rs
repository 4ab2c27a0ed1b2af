//! `sectile tree`.

use std::fmt::Write as _;

use sectile::chunk::section_tree;
use sectile::core::{DocumentTree, TreeNode};

use super::{Outcome, loader};
use crate::args::TreeArguments;
use crate::output::{self, DIM, HEADING, range};

pub(crate) fn run(arguments: &TreeArguments, json: bool) -> anyhow::Result<Outcome> {
    let document = loader(&arguments.load)?.load_file(&arguments.file)?;
    let uri = sectile::document_uri(&arguments.file.display().to_string())?;
    let sections = section_tree(&uri, &document.text, &document.outline);
    let name = arguments
        .file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let tree = DocumentTree::new(&name, &document, &sections);
    match (json, arguments.node_map, arguments.no_text) {
        (false, _, _) => output::text(&drawn(&tree))?,
        (true, true, _) => output::value(&tree.node_map())?,
        (true, false, true) => output::value(&tree.without_text())?,
        (true, false, false) => output::value(&tree)?,
    }
    Ok(Outcome::Done)
}

fn drawn(tree: &DocumentTree) -> String {
    let mut text = format!("{HEADING}{}{HEADING:#}\n", tree.doc_name);
    draw(&tree.structure, "", &mut text);
    text
}

/// Draws nodes and all below them; levels are at most seven deep.
fn draw(nodes: &[TreeNode], indent: &str, text: &mut String) {
    for (index, node) in nodes.iter().enumerate() {
        let is_last = index + 1 == nodes.len();
        let (branch, next) = if is_last {
            ("└── ", "    ")
        } else {
            ("├── ", "│   ")
        };
        let pages = node
            .start_index
            .zip(node.end_index)
            .map(|(first, last)| range(first, last));
        let place = pages.map_or_else(
            || format!("line {}", node.line_num.unwrap_or_default()),
            |pages| format!("p. {pages}"),
        );
        let _ = writeln!(text, "{indent}{branch}{}  {DIM}{place}{DIM:#}", node.title);
        draw(&node.nodes, &format!("{indent}{next}"), text);
    }
}
