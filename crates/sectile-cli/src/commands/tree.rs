//! `sectile tree`.

use std::fmt::Write as _;

use sectile::chunk::section_tree;
use sectile::core::{DocumentTree, TreeNode};

use sectile::{DEFAULT_COLLECTION, path_uri};
use sectile_web::picture::tree_report;

use super::input::{Input, called};
use super::{Outcome, ingest, load_options, loader, open, with_chat_model};
use crate::args::TreeArguments;
use crate::output::{self, DIM, HEADING};

pub(crate) async fn run(
    arguments: &TreeArguments,
    store: Option<String>,
    json: bool,
) -> anyhow::Result<Outcome> {
    load_options::check(std::slice::from_ref(&arguments.file), &arguments.load)?;
    let tree = if arguments.summaries {
        summarized(arguments, store).await?
    } else {
        loaded(arguments)?
    };
    if arguments.html {
        output::raw(tree_report(&tree).as_bytes())?;
        return Ok(Outcome::Done);
    }
    match (json, arguments.node_map, arguments.no_text) {
        (false, _, _) => output::text(&drawn(&tree))?,
        (true, true, _) => output::value(&tree.node_map())?,
        (true, false, true) => output::value(&tree.without_text())?,
        (true, false, false) => output::value(&tree)?,
    }
    Ok(Outcome::Done)
}

/// Makes the tree of a file.
fn loaded(arguments: &TreeArguments) -> anyhow::Result<DocumentTree> {
    let name = arguments.load.name.as_deref();
    let document = Input::open(&arguments.file, name)?.load(&loader(&arguments.load)?)?;
    let file = called(&arguments.file, name);
    let uri = path_uri(file)?;
    let sections = section_tree(&uri, &document.text, &document.outline);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok(DocumentTree::new(&name, &document, &sections))
}

/// Makes the tree of a file in the store, which is brought up to date, with summaries.
async fn summarized(
    arguments: &TreeArguments,
    store: Option<String>,
) -> anyhow::Result<DocumentTree> {
    let library = with_chat_model(open(store).await?, &arguments.chat)?;
    let library = library
        .with_loader(loader(&arguments.load)?)
        .with_options_kept(false);
    let paths = [arguments.file.clone()];
    let report = ingest::with_progress(&library, DEFAULT_COLLECTION, &paths).await?;
    if let Some((name, reason)) = report.failed.first() {
        anyhow::bail!("{name}: {reason}");
    }
    ingest::report_read(&report);
    let uri = path_uri(&arguments.file)?;
    let document = library.document(Some(DEFAULT_COLLECTION), &uri).await?;
    library.summarize(&document).await?;
    Ok(library.tree(&document).await?)
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
        let (title, place) = (&node.title, node.place());
        let _ = writeln!(text, "{indent}{branch}{title}  {DIM}{place}{DIM:#}");
        if let Some(summary) = &node.summary {
            let inner = if node.nodes.is_empty() { " " } else { "│" };
            let words: Vec<&str> = summary.split_whitespace().collect();
            let _ = writeln!(
                text,
                "{indent}{next}{inner} {DIM}{}{DIM:#}",
                words.join(" ")
            );
        }
        draw(&node.nodes, &format!("{indent}{next}"), text);
    }
}
