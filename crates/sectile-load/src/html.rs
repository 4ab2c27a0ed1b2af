//! Web pages, written as Markdown.

mod after;
mod base;
mod bold_lines;
mod cells;
mod code;
mod counts;
mod details;
mod drawing;
mod embedded;
mod escapes;
mod fields;
mod figures;
mod forms;
mod head;
mod header_splitter;
mod hidden;
mod items;
mod joined_links;
mod kind;
mod layout;
mod left_out;
mod linked_data;
mod linked_facts;
mod links;
mod lists;
mod main_part;
mod math;
mod navigation_links;
mod nesting;
mod node;
mod page;
mod readings;
mod sections;
mod tables;
mod tabs;
mod tools;
mod tree;
mod typeset;
mod vocabulary;
mod word;
mod writer;

use std::path::Path;
use std::rc::Rc;

use sectile_chunk::markdown_outline;
use sectile_core::{Document, Format, Heading, Metadata};

use crate::encoding::{self, Decoded};
use crate::loader::with_source;
use crate::omissions::{FILLED_BY_SCRIPT, LEFT_OUT_WORDS, WHOLE_PAGE};
use crate::text::with_decoding;
use crate::{Error, LoadOptions, Loader, isolate};
use embedded::Templates;
pub use header_splitter::{HtmlHeaderTextSplitter, HtmlPart};
use kind::Kind;
use main_part::Extent;
use nesting::MAX_ELEMENTS;
use tree::Tree;

/// How deep elements may be nested.
const MAX_DEPTH: usize = 4_096;

/// The longest text, in bytes, of a page that says no more than that it needs scripts.
const LONGEST_EXCUSE: usize = 160;

/// The longest text, in bytes, of a page that may show no more than what stands around its article.
const LITTLE_TEXT: usize = 1_000;

/// What the type of linked data has in it.
const LINKED_DATA: &str = "ld+json";

/// How many bytes of a page are looked at for its character encoding, as browsers do.
const CHARSET_WITHIN: usize = 1_024;

/// Loads web pages: the main part as Markdown, with its headings as outline. A page without headings has its bold lines
/// instead, if these are few and alike. Prose in headings below the third level is text.
///
/// The main part is sought by what elements say they are, how much text they hold, and how much of it is links. Left
/// out is what stands around it: navigation, headers and footers of the site, sidebars, comments, notices about
/// cookies, related articles, scripts, forms (but not those around a text), and what is hidden. Words of classes, ids
/// and headings tell them. They are whole blocks: cells of tables of data, words in sentences and headings of the text
/// stay whatever their class. Of technical documentation, next to nothing within the main part is left out but links to
/// the pages around it and to its own headings, and panels of tabs stay. Nothing that holds most of the text is left
/// out, and a page with text is never empty: the whole body is the last resort, and of a page without text, the
/// articles and recipes in its linked data (JSON-LD) or its templates; where it has little, they follow it. Readings of
/// characters (`ruby`) stand behind these in parentheses, but those of a page that has them on nearly every word are
/// left out. `left_out_words` in [`Metadata::extra`] counts the words that were left out, by what they were; with
/// [`HtmlOptions::main_only`](crate::HtmlOptions::main_only) off, everything is kept. Title, author, date and language
/// come from the page's head; the author and the dates also from its linked data, and from lines about the text that are
/// left out.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{HtmlLoader, Loader};
///
/// let page = b"<title>Guide</title><nav>Home</nav><main><h1>Start</h1><p>Read <b>this</b>.</main>";
/// let document = HtmlLoader::default().load(page, Path::new("guide.html"))?;
/// assert_eq!(document.text, "# Start\n\nRead **this**.\n");
/// assert_eq!(document.metadata.title.as_deref(), Some("Guide"));
/// assert_eq!(document.metadata.extra["left_out_words"]["navigation"], 1);
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HtmlLoader {
    options: LoadOptions,
}

impl HtmlLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for HtmlLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        if self.options.html.main_only {
            return load(bytes, path, Extent::Main);
        }
        let mut document = load(bytes, path, Extent::Whole)?;
        let extra = &mut document.metadata.extra;
        extra.insert(WHOLE_PAGE.into(), true.into());
        Ok(document)
    }
}

/// Loads what a reader sees of a page that is all text, such as the chapter of a book.
#[cfg(any(feature = "docx", feature = "epub"))]
pub(crate) fn load_shown(bytes: &[u8], path: &Path) -> Result<Document, Error> {
    load(bytes, path, Extent::Shown)
}

fn load(bytes: &[u8], path: &Path, extent: Extent) -> Result<Document, Error> {
    let decoded = decode(bytes).map_err(|reason| Error::unsupported(path, reason))?;
    let converted = isolate::on_large_stack(|| convert(&decoded.text, extent));
    let converted = converted.map_err(|cause| Error::unsupported(path, cause.to_string()))?;
    let (text, metadata) = converted.ok_or_else(|| too_large(path, &decoded.text))?;
    let (text, outline) = outlined(text, extent);
    let document = Document {
        outline,
        metadata,
        text,
        format: Format::Html,
        pages: Vec::new(),
    };
    Ok(with_source(with_decoding(document, &decoded), bytes))
}

/// Returns the text of a page with its headings: bold lines, where a page of its own has no others.
fn outlined(text: String, extent: Extent) -> (String, Vec<Heading>) {
    let outline = markdown_outline(&text);
    let is_page = extent != Extent::Shown && outline.is_empty();
    match is_page.then(|| bold_lines::with_headings(&text)).flatten() {
        Some(text) => {
            let outline = markdown_outline(&text);
            (text, outline)
        }
        None => (text, outline),
    }
}

/// Says why a page was not parsed.
fn too_large(path: &Path, html: &str) -> Error {
    let (what, limit) = if nesting::size(html).elements > MAX_ELEMENTS {
        ("the elements of a page", MAX_ELEMENTS)
    } else {
        ("the depth of nested elements", MAX_DEPTH)
    };
    Error::LimitExceeded {
        path: path.into(),
        what: what.into(),
        limit: limit as u64,
    }
}

/// Decodes a page. Where it has too many NULs for a text, all are left out, as browsers do.
fn decode(bytes: &[u8]) -> Result<Decoded, &'static str> {
    let decoded = decode_as_it_says(bytes);
    let beginning = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if decoded.is_ok() || !beginning.trim_ascii_start().starts_with(b"<") {
        return decoded;
    }
    let nuls = memchr::memchr_iter(0, bytes).count();
    let decoded = decode_as_it_says(&encoding::without_nuls(bytes))?;
    Ok(Decoded {
        replaced: decoded.replaced + nuls,
        ..decoded
    })
}

/// Decodes a page: as its byte order mark says, as UTF-8 where it is, as it declares, as it looks.
fn decode_as_it_says(bytes: &[u8]) -> Result<Decoded, &'static str> {
    let is_decided = encoding_rs::Encoding::for_bom(bytes).is_some();
    if is_decided || std::str::from_utf8(bytes).is_ok() {
        return encoding::decode(bytes);
    }
    // A `meta` element near the beginning says so.
    let beginning = &bytes[..bytes.len().min(CHARSET_WITHIN)];
    encoding::declared(beginning).map_or_else(
        || encoding::decode(bytes),
        |declared| encoding::decode_as(bytes, declared),
    )
}

/// Writes what a reader sees of a piece of HTML as Markdown; nothing when its elements are too many or nested too deep.
#[cfg(any(feature = "icalendar", feature = "ipynb", feature = "xml"))]
pub(crate) fn fragment(html: &str) -> Option<String> {
    convert(html, Extent::Shown).map(|(text, _)| text)
}

/// Does what [`fragment`] does, and counts the words that are hidden.
#[cfg(feature = "email")]
pub(crate) fn fragment_with_hidden(html: &str) -> Option<(String, u64)> {
    let (text, metadata) = convert(html, Extent::Shown)?;
    let counts = metadata.extra.get(LEFT_OUT_WORDS);
    let hidden = counts.and_then(|counts| counts[Kind::Hidden.name()].as_u64());
    Some((text, hidden.unwrap_or_default()))
}

/// Returns whether a page has no text but, at most, that it needs a browser that runs scripts. One with headings has: a
/// list without entries, for example.
fn is_left_to_scripts(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let is_excuse = |line: &str| !line.starts_with('#') || line.contains("javascript");
    text.is_empty()
        || text.len() <= LONGEST_EXCUSE
            && text.contains("javascript")
            && text.lines().all(is_excuse)
}

/// Writes a page as Markdown; nothing when its elements are too many or nested too deep. Where it has no text without its scripts,
/// what it holds for these is read: the articles in its linked data, or else its templates. Where it has little and the
/// articles say more, these follow.
fn convert(html: &str, extent: Extent) -> Option<(String, Metadata)> {
    let (text, mut metadata) = convert_shown(html, extent, Templates::Declared)?;
    let is_left = is_left_to_scripts(&text);
    let has_little = || text.len() <= LITTLE_TEXT && html.contains(LINKED_DATA);
    let may_lack = extent != Extent::Shown && (is_left || has_little());
    if let Some(articles) = may_lack.then(|| articles(html)).flatten() {
        if is_left {
            return Some((articles, metadata));
        }
        if linked_data::say_more(&articles, &text) {
            let new = linked_data::not_shown(&articles, &text);
            return Some((text + "\n" + &new, metadata));
        }
    }
    if !is_left {
        return Some((text, metadata));
    }
    let html_in_small_letters = html.to_ascii_lowercase();
    if extent != Extent::Shown && html_in_small_letters.contains("<template") {
        let opened = convert_shown(html, extent, Templates::All);
        let opened = opened.filter(|(text, _)| !is_left_to_scripts(text));
        if opened.is_some() {
            return opened;
        }
    }
    if html_in_small_letters.contains("<script") {
        metadata.extra.insert(FILLED_BY_SCRIPT.into(), true.into());
    }
    Some((text, metadata))
}

/// Writes the articles and recipes in the linked data of a page.
fn articles(html: &str) -> Option<String> {
    let root = writer::converter().html_to_tree(html).ok()?;
    let page = linked_data::articles(&root)?;
    let (text, _) = convert_shown(&page, Extent::Shown, Templates::Declared)?;
    (!text.trim().is_empty()).then_some(text)
}

/// Writes a line as a paragraph of a page.
fn paragraph(line: &str) -> String {
    let text = line.replace('&', "&amp;").replace('<', "&lt;");
    format!("<p>{text}</p>")
}

/// Writes what is shown of a page.
fn convert_shown(html: &str, extent: Extent, templates: Templates) -> Option<(String, Metadata)> {
    if !nesting::is_parsable(html, MAX_DEPTH) {
        return None;
    }
    let converter = writer::converter();
    let root = converter.html_to_tree(html).ok()?;
    embedded::unfold(&root, &converter, MAX_DEPTH, templates);
    tabs::name_panels(&root);
    typeset::mark_formulas(&root, html);
    let readings = if extent != Extent::Whole && html.contains("<rt") {
        readings::cut_many(&root)
    } else {
        0
    };
    // The tree is without drawings.
    let drawn = match extent {
        Extent::Shown => drawing::lines(&root),
        Extent::Main | Extent::Whole => Vec::new(),
    };
    // The tree is without scripts, too.
    let says_facts = extent != Extent::Shown && html.contains(LINKED_DATA);
    let facts = says_facts.then(|| linked_facts::of_page(&root));
    let mut tree = Tree::new(&root, MAX_DEPTH)?;
    base::resolve_links(&tree);
    let mut metadata = head::metadata(&tree);
    linked_facts::put(&mut metadata, facts.unwrap_or_default());
    let (body, main) = main_part::find(&mut tree, extent);
    details::describe(&mut metadata, &tree);
    counts::describe(&mut metadata, &tree, body, main, readings);
    tree.cut();
    let main = Rc::clone(&tree.elements[main].node);
    // Nothing below needs the list of the elements.
    drop(tree);
    joined_links::join(&main);
    if extent != Extent::Shown {
        fields::part(&main);
    }
    let mut text = converter.tree_to_markdown(&main);
    if text.trim().is_empty() {
        // A page of a book may be one drawing.
        let drawn: String = drawn.iter().map(|line| paragraph(line)).collect();
        text = converter.convert(&drawn).ok()?;
    }
    if !text.is_empty() {
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    let text = text.replace('\u{AD}', "").replace('\0', "\u{FFFD}");
    Some((escapes::tidy(&text), metadata))
}
