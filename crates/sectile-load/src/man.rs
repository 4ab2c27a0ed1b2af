//! Manual pages, written as Markdown.

mod characters;
mod conditions;
mod definitions;
mod macros;
mod mdoc;
mod reader;
mod source;
mod table;
mod writer;

use std::path::Path;

use sectile_core::{Document, Format};

use crate::blocks::{Block, render};
use crate::gzip;
use crate::loader::with_source;
use crate::markup::{Fields, only_title, short};
use crate::text::decode_text;
use crate::{Error, Loader};
use writer::Page;

/// How many bytes a page may have, which is much less than what its macros may make of it.
const MAX_BYTES: u64 = 4 << 20;

/// Signs between the names and the description of a page.
const DASHES: [&str; 3] = [" - ", " – ", " — "];

/// Loads manual pages in the macros of `man` and of `mdoc`, and writes them as Markdown.
///
/// The title is the name of the page with its section, as in `ls(1)`; the sections are of the second level, and
/// their parts of the third. Terms of options are paragraphs above their descriptions, in which flags are code.
/// Papers in `ms`, `me` and `mm` have their headings. The arguments of a macro that nobody knows are text, unless they
/// are measures. Text that is not filled is in fences, and tables of `tbl` are those of Markdown. Of the sides of a condition the
/// one that a terminal shows is read. Definitions of macros are left out, and a call
/// of one shows the arguments that its definition does. The date, the source, the manual and what
/// the page says behind its name are read into the metadata. Pages in gzip are unpacked, up to 4 MiB. Files that the page includes are not followed:
/// `not_followed` in [`Metadata::extra`](sectile_core::Metadata::extra) names them.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{Loader, ManLoader};
///
/// let page = ".TH LS 1\n.SH NAME\nls \\- list files\n.SH OPTIONS\n.TP\n\\fB\\-a\\fR, \\fB\\-\\-all\\fR\nShow all.\n";
/// let document = ManLoader.load(page.as_bytes(), Path::new("ls.1"))?;
/// let text = "# ls(1)\n\n## NAME\n\nls - list files\n\n## OPTIONS\n\n`-a, --all`\n\nShow all.\n";
/// assert_eq!(document.text, text);
/// assert_eq!(document.metadata.title.as_deref(), Some("ls(1)"));
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ManLoader;

impl Loader for ManLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = if gzip::is_gzip(bytes) {
            let unpacked = unpack(bytes, path)?;
            check_size(&unpacked, path)?;
            decode_text(&unpacked, path, Format::Man)?
        } else {
            check_size(bytes, path)?;
            decode_text(bytes, path, Format::Man)?
        };
        let found = reader::read(&document.text);
        let (page, mut blocks) = (found.page, found.blocks);
        let named = described(&blocks).map(str::to_owned);
        let title = title(&page, named.as_deref());
        if !title.is_empty() {
            blocks.insert(
                0,
                Block::Heading {
                    level: 1,
                    text: title,
                },
            );
        }
        (document.text, document.outline) = render(&blocks);
        let description = named.as_deref().and_then(split_at_dash);
        let mut fields = Fields::new(&mut document.metadata);
        fields.set_if_any("description", description.map_or("", |(_, rest)| rest));
        fields.set_if_any("section", &page.section);
        fields.set_if_any("date", &page.date);
        fields.set_if_any("source", &page.source);
        fields.set_if_any("manual", &page.manual);
        found.not_followed.write_into(&mut document.metadata);
        if document.metadata.title.is_none() {
            document.metadata.title = only_title(&document.outline);
        }
        Ok(with_source(document, bytes))
    }
}

/// Returns the source of a page in gzip.
fn unpack(bytes: &[u8], path: &Path) -> Result<Vec<u8>, Error> {
    let unpacked = gzip::unpack(bytes, MAX_BYTES + 1);
    unpacked.map_err(|error| Error::parse(path, Format::Man, error))
}

fn check_size(bytes: &[u8], path: &Path) -> Result<(), Error> {
    if bytes.len() as u64 <= MAX_BYTES {
        return Ok(());
    }
    Err(Error::LimitExceeded {
        path: path.into(),
        what: "the bytes of a manual page".into(),
        limit: MAX_BYTES,
    })
}

/// Returns the first text of the first section, which says what the page describes.
fn described(blocks: &[Block]) -> Option<&str> {
    let is_heading = |block: &Block| matches!(block, Block::Heading { .. });
    let at = blocks.iter().position(is_heading)?;
    match blocks.get(at + 1) {
        Some(Block::Text(text)) => Some(text),
        _ => None,
    }
}

/// Splits a line such as `ls - list files` at its dash.
fn split_at_dash(line: &str) -> Option<(&str, &str)> {
    DASHES.iter().find_map(|dash| line.split_once(dash))
}

/// Returns the title of a page: its name and its section. The name is as the page writes it where it says what it
/// describes, or else in small letters where it has only capitals.
fn title(page: &Page, described: Option<&str>) -> String {
    if page.name.is_empty() {
        return String::new();
    }
    let names = described
        .and_then(split_at_dash)
        .map_or("", |(names, _)| names);
    let names = names.split(',').map(str::trim);
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    let own = page.name.to_lowercase();
    let same = names.iter().find(|name| name.to_lowercase() == own);
    let has_words = names.iter().any(|name| name.contains(char::is_whitespace));
    let has_small = page.name.chars().any(char::is_lowercase);
    let name: &str = match same.or(names.first().filter(|_| !has_words)) {
        Some(name) => name,
        None if has_small => &page.name,
        None => &own,
    };
    if page.section.is_empty() {
        short(name)
    } else {
        short(&format!("{name}({})", page.section))
    }
}
