//! What a document holds in parts of its own: diagrams, and chunks in other formats.

use std::path::Path;

use sectile_core::{Document, Metadata};

use crate::blocks::{Block, Marker, from_markdown};
use crate::failure::Failure;
use crate::one_line::one_line;
use crate::xml::{Node, Walk};
use crate::{Error, Loader as _, TextLoader};

/// Reads the words of a diagram (SmartArt), an item for each of its points.
pub(super) fn diagram(xml: &str) -> Result<Vec<Block>, Failure> {
    let mut walk = Walk::new(xml);
    let (mut blocks, mut text, mut is_text) = (Vec::new(), String::new(), false);
    loop {
        match walk.next()? {
            Node::Open(element) => {
                is_text = element.name() == "t";
                if matches!(element.name(), "pt" | "p" | "br") && !text.is_empty() {
                    text.push(' ');
                }
                if element.name() == "pt" {
                    add_item(&mut blocks, &mut text);
                }
            }
            Node::Text(words) if is_text => text.push_str(&words),
            Node::Text(_) => {}
            Node::Close => is_text = false,
            Node::End => {
                add_item(&mut blocks, &mut text);
                return Ok(blocks);
            }
        }
    }
}

fn add_item(blocks: &mut Vec<Block>, text: &mut String) {
    let words = one_line(&std::mem::take(text));
    if !words.is_empty() {
        blocks.push(Block::Item {
            marker: Marker::Bullet,
            level: 0,
            text: words,
        });
    }
}

/// Reads a chunk in another format, with what is known of it; nothing where there is no loader for it.
pub(super) fn chunk(bytes: &[u8], name: &str) -> Option<(Vec<Block>, Metadata)> {
    let document = load(bytes, Path::new(name))?.ok()?;
    let blocks = from_markdown(&document.text, &document.outline);
    Some((blocks, document.metadata))
}

fn load(bytes: &[u8], path: &Path) -> Option<Result<Document, Error>> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    Some(match extension.as_str() {
        "txt" => TextLoader.load(bytes, path),
        #[cfg(feature = "html")]
        "htm" | "html" | "xhtml" => crate::html::load_shown(bytes, path),
        #[cfg(feature = "rtf")]
        "rtf" => crate::RtfLoader::new(with_comments()).load(bytes, path),
        _ => return None,
    })
}

/// Asks for the comments of a chunk, as the document does not say which were left out of it.
#[cfg(feature = "rtf")]
fn with_comments() -> crate::LoadOptions {
    let mut options = crate::LoadOptions::default();
    options.docx.comments = true;
    options
}
