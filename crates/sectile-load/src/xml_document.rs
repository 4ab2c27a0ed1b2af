//! XML of any vocabulary, written as Markdown.

mod article;
mod entities;
mod fiction_book;
#[cfg(feature = "html")]
mod html;
mod inline;
mod lists;
mod names;
mod records;
mod references;
mod sections;
mod tables;
mod tree;
mod vocabularies;

use std::path::Path;

use encoding_rs::Encoding;
use sectile_core::{Document, Format};
use serde_json::Value;

use crate::blocks::render;
use crate::encoding::{self, Decoded};
use crate::failure::Failure;
use crate::loader::with_source;
use crate::not_followed::NotFollowed;
use crate::omissions::UNRESOLVED_ENTITIES;
use crate::running_lines::RunningLines;
use crate::text::with_decoding;
use crate::{Error, LoadOptions, Loader, archive, isolate};
use tree::Tree;

/// Loads XML of any vocabulary (`.xml`, `.rss`, `.atom`, `.plist` and others) and writes it as
/// Markdown.
///
/// A `title`, `head`, `name` or `label` becomes the heading of the element it stands in; paragraphs, lists, tables
/// and code become those of Markdown, by the names that `DocBook`, JATS, TEI and HTML give them. The title of an
/// example, a figure, a table, a note or the like is its caption: a paragraph, as what follows does not belong to it.
/// A page of a reference (`refentry`) is titled by its name. Topics of DITA, pages of Mallard, sources of RFCs, and
/// laws in Akoma Ntoso and USLM are read by the elements of `DocBook` that mean the same. `h1` to `h6` in running
/// text, and paragraphs with the role of a heading, are headings. Formulas in MathML are LaTeX, and items of lists
/// have the numbers or labels of the file. Other elements are lines `name: value`, with their attributes in brackets.
/// In a file without running text, long elements are sections under their names, and siblings that are all flat are a
/// table. HTML in feeds, and a text that begins with a block of HTML, is written as Markdown (with the feature
/// `html`). Comments and processing instructions are left out. In a vocabulary of documents so are attributes other
/// than links, but those of short values. In others they stand in brackets behind what they belong to, or below the
/// title of a section; of paragraphs, those that only mark up text (`id`, `class`, `lang`) do not. Of the front
/// matter of JATS the title, the authors with their affiliations, the notes of the authors, the journal, the
/// keywords, the funding and the abstracts stand at the top; the license is in the metadata. The rest is left out,
/// and `front_matter_left_out` in [`Metadata::extra`](sectile_core::Metadata::extra) counts it.
///
/// The description of a book in `FictionBook` (`.fb2`) is in the metadata, and its pictures are left out.
///
/// Entities that the file defines itself, and those that have a name in HTML, are put in their places; no
/// other file is read for them. One that is not known, or stands for more than 64 KiB, is written as the
/// words that its name ends with (`see also` for `&title.see-also;`); it titles a section that begins with it.
/// `unresolved_entities` in [`Metadata::extra`](sectile_core::Metadata::extra) counts them. `not_followed` names the files
/// that entities and elements such as `xi:include` stand for.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{Loader, XmlLoader};
///
/// let xml = b"<book><title>Tides</title><year>1898</year><para>The <b>moon</b>.</para></book>";
/// let document = XmlLoader::default().load(xml, Path::new("a.xml"))?;
/// assert_eq!(document.text, "# Tides\n\nyear: 1898\n\nThe moon.\n");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct XmlLoader {
    options: LoadOptions,
}

impl XmlLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for XmlLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let decoded = decode(bytes).map_err(|reason| Error::unsupported(path, reason))?;
        let limit = self.options.limits.inflated_bytes;
        let document = isolate::on_large_stack(|| convert(&decoded.text, limit))
            .map_err(|cause| Error::parse(path, Format::Xml, cause))?
            .map_err(|failure| failure.into_error(path, Format::Xml))?;
        Ok(with_source(with_decoding(document, &decoded), bytes))
    }
}

/// Decodes XML: as its byte order mark says, as UTF-8 where it is, as it declares, as it looks.
fn decode(bytes: &[u8]) -> Result<Decoded, &'static str> {
    let is_decided = Encoding::for_bom(bytes).is_some() || std::str::from_utf8(bytes).is_ok();
    match archive::declared(bytes) {
        Some(declared) if !is_decided => encoding::decode_as(bytes, declared),
        _ => encoding::decode(bytes),
    }
}

fn convert(xml: &str, limit: u64) -> Result<Document, Failure> {
    let mut not_followed = NotFollowed::default();
    let xml = entities::resolved(xml, &mut not_followed);
    let mut tree = Tree::read(&xml)?;
    let mut running_lines = RunningLines::default();
    if tree.is_markup {
        running_lines = tree.take_running_lines();
        tree.shown = references::shown(&tree);
    }
    add_includes(&tree, &mut not_followed);
    let (text, outline) = render(&sections::blocks(&tree));
    if text.len() as u64 > limit {
        return Err(Failure::Limit {
            what: "the bytes of the text of a file",
            limit,
        });
    }
    let mut document = Document {
        text,
        format: Format::Xml,
        outline,
        ..Document::default()
    };
    document.metadata.title = tree.title();
    document.metadata.language = tree.language();
    if tree.has_root(fiction_book::ROOT) {
        fiction_book::describe(&xml, &mut document.metadata)?;
    }
    if let Some(front) = article::first(&tree) {
        document.metadata.title = front.title.or(document.metadata.title);
        document.metadata.author = Some(front.authors.join(", ")).filter(|all| !all.is_empty());
        document.metadata.created = front.published;
        document.metadata.extra.extend(front.extra);
    }
    not_followed.write_into(&mut document.metadata);
    running_lines.write_into(&mut document.metadata);
    if tree.unresolved > 0 {
        let count = Value::from(tree.unresolved);
        document
            .metadata
            .extra
            .insert(UNRESOLVED_ENTITIES.into(), count);
    }
    Ok(document)
}

/// Adds the files that elements include (`xi:include`), and those of which they show a part (`conref` of DITA) or their keys
/// (`conkeyref`).
fn add_includes(tree: &Tree, not_followed: &mut NotFollowed) {
    for root in tree.roots() {
        for at in std::iter::once(root).chain(tree.inside(root)) {
            let is_include = tree.name(at) == Some("include");
            for (name, value) in &tree.node(at).attributes {
                match name.as_str() {
                    "href" if is_include => not_followed.add(value),
                    "conref" if tree.is_markup => {
                        not_followed.add(value.split('#').next().unwrap_or_default());
                    }
                    // A map of the manual says which file has this key.
                    "conkeyref" if tree.is_markup => {
                        not_followed.add(value.split('/').next().unwrap_or_default());
                    }
                    _ => {}
                }
            }
        }
    }
}
