//! Pictures as files that need nothing else.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sectile::core::{DocumentTree, SectionTree, Span, TreeNode};
use sha2::{Digest as _, Sha256};

use super::{Branch, Cut, TextPart, TextPicture, branches, numbers};
use crate::assets::STYLE;
use crate::write::size;

/// A document with its chunks, to be drawn.
#[derive(Clone, Debug)]
pub struct ChunkReport {
    /// What the document is called.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its sections.
    pub sections: SectionTree,
    /// Its chunks.
    pub cut: Cut,
    /// How it was cut, in words.
    pub how: String,
}

/// Draws documents with their chunks, as one HTML file that loads nothing and runs nothing.
pub fn chunk_report(reports: &[ChunkReport]) -> String {
    let title = match reports {
        [only] => format!("Chunks of {}", only.name),
        _ => format!("Chunks of {} files", reports.len()),
    };
    let articles = reports.iter().enumerate();
    let body = html! {
        @for (at, report) in articles { (article(report, &format!("f{at}-"))) }
    };
    file(&title, &body)
}

fn article(report: &ChunkReport, prefix: &str) -> Markup {
    let text = &report.text;
    let parts = parts(&report.sections);
    let picture = TextPicture {
        text,
        parts: &parts,
        cut: &report.cut,
        window: Span::new(0, text.len()),
        passage: None,
        words: &[],
        prefix,
    };
    html! {
        article {
            h1 { bdi { (report.name) } }
            p.how { (report.how) }
            div.counts { (numbers(&report.cut, text.len())) }
            div.text { (picture.draw()) }
        }
    }
}

/// Names the sections of a tree by their positions.
fn parts(sections: &SectionTree) -> Vec<TextPart> {
    let sections = sections.sections.iter().enumerate();
    let part = sections.map(|(position, section)| TextPart {
        anchor: format!("s{position}"),
        span: section.span,
        is_headed: section.level > 0,
    });
    part.collect()
}

/// Draws a document's headings, as one HTML file that loads nothing and runs nothing.
pub fn tree_report(tree: &DocumentTree) -> String {
    let whole: usize = tree.structure.iter().map(bytes).sum();
    let roots: Vec<Branch> = tree
        .structure
        .iter()
        .map(|node| branch(node, whole))
        .collect();
    let headings: usize = tree.structure.iter().map(nodes).sum();
    let body = html! {
        article {
            h1 { bdi { (tree.doc_name) } }
            p.how { (headings) " sections, " (size(whole as u64)) ". The bars are parts of the whole text." }
            (branches(&roots))
        }
    };
    file(&format!("Headings of {}", tree.doc_name), &body)
}

fn branch(node: &TreeNode, whole: usize) -> Branch {
    let own = bytes(node);
    Branch {
        title: node.title.clone(),
        place: node.place(),
        share: Some(own * 1000 / whole.max(1)),
        link: None,
        summary: node.summary.clone(),
        is_open: true,
        is_here: false,
        children: node.nodes.iter().map(|node| branch(node, whole)).collect(),
        hidden: 0,
    }
}

/// Returns the bytes of a node and all below it.
fn bytes(node: &TreeNode) -> usize {
    let own = node.text.as_ref().map_or(0, String::len);
    own + node.nodes.iter().map(bytes).sum::<usize>()
}

fn nodes(node: &TreeNode) -> usize {
    1 + node.nodes.iter().map(nodes).sum::<usize>()
}

/// Writes a file whose own policy allows its style and nothing else.
pub(super) fn file(title: &str, body: &Markup) -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body.report { main { (body) } }
        }
    };
    page.into_string()
}
