//! Portable Document Format files.

mod accents;
mod attachments;
mod blocks;
mod bookmarks;
mod bullets;
mod calibri;
mod clean;
mod code;
mod columns;
mod composite;
mod content;
mod curved;
mod damaged;
mod direction;
mod double_byte;
mod drawn;
mod extract;
mod font;
mod hanging;
mod headings;
mod info;
mod items;
mod joiners;
mod labels;
mod layers;
mod letters;
mod line_groups;
mod line_numbers;
mod lines;
mod locate;
mod margin;
mod notes;
mod numbered;
mod objects;
#[cfg(feature = "ocr")]
mod ocr;
mod order;
mod overprint;
mod page;
mod paint;
mod radicals;
mod raised;
mod ruby;
mod running;
mod runs;
mod side_notes;
mod spacing;
mod tables;
mod tags;
#[cfg(test)]
mod tests;
mod tex_encodings;
mod to_unicode;
mod tracking;
mod type3;
mod underscores;
mod unended;
mod upright;
mod upward;
mod widths;

use std::collections::BTreeMap;
use std::path::Path;

use sectile_core::{Document, Format, Heading, Metadata, Page, Span};
use serde_json::Value;

use crate::error::Cause;
use crate::loader::{OnPage, with_source};
use crate::omissions::{
    CUT_OFF_PAGES, DAMAGED_PAGES, FAILED_PAGES, MISSING_PAGES, OCR_LANGUAGES,
    PAGES_WITH_LITTLE_TEXT, PAGES_WITHOUT_TEXT, UNMAPPED_LETTERS, note_comments,
};
use crate::{Error, Limits, LoadOptions, Loader, OcrOptions, PdfOptions, isolate};
use bookmarks::Bookmark;
use extract::Extracted;
use page::{Kind, PageBlocks, TextBlock};

/// The name in [`Metadata::extra`] of the lines that were left out of the text because they run
/// over many pages.
const RUNNING_LINES: &str = "running_lines";

/// The name in [`Metadata::extra`] of the numbers of the pages whose text was recognized.
const OCR_PAGES: &str = "ocr_pages";

/// What separates the blocks of a page.
const BETWEEN_BLOCKS: &str = "\n\n";

/// Loads PDF files: the text page by page, with the bookmarks as outline.
///
/// Page spans cover the whole text, each page ends with a newline. Where the file has no
/// bookmarks, the outline is made of the headings that stand out by their type size. Words that
/// are hyphenated over the end of a line are joined, ligatures are letters. Tables are Markdown tables, code is
/// fenced, items of lists begin with a dash. What is written into forms and notes stands at its place; what is
/// on hidden layers does not. Lines that repeat at the head or foot of page after page are left out;
/// `running_lines` in [`Metadata::extra`] lists them. A page that cannot be read is left empty, and
/// `failed_pages` names it; `pages_without_text` names those with pictures alone, `pages_with_little_text` those that
/// are mostly a picture, `cut_off_pages` those with more than 20,000 drawings or 2,000,000 letters, or with
/// drawings nested more than 24 deep, `damaged_pages` those with damage in their content, of which parts may be missing,
/// `missing_pages` says how many pages the file lists that cannot be found, and `unmapped_letters` how many letters of
/// which page stand for nothing
/// that is known. `attachments_not_read` names the files that the PDF holds, and `unread_parts` a dynamic form in XML
/// (XFA), which only its viewer can show.
/// [`omissions`](crate::omissions) puts this into sentences.
///
/// Parsing runs on a thread of its own with a large stack, and a panic of the parser becomes an
/// error. A hostile file can still take very long, exhaust the memory or overflow the stack, with
/// this as with any other parser of PDF: load files of unknown origin in
/// [worker processes](crate::Workers).
#[derive(Clone, Debug, Default)]
pub struct PdfLoader {
    options: LoadOptions,
}

/// Why a PDF could not be loaded, before the file's name is known.
enum Failure {
    Encrypted {
        is_wrong: bool,
    },
    NoText {
        has_pictures: bool,
        attachments: Vec<String>,
    },
    UnmappedText,
    NoSuchPage {
        page_count: u32,
    },
    Limit {
        what: &'static str,
        limit: u64,
    },
    Parse(Cause),
    /// Text recognition failed.
    #[cfg(feature = "ocr")]
    Ocr(String),
}

impl PdfLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }

    /// Loads a document as [`Loader::load`] does, and calls `on_page` after each page with the number
    /// of finished pages and the total.
    ///
    /// # Errors
    ///
    /// As [`Loader::load`].
    pub fn load_with_progress(
        &self,
        bytes: &[u8],
        path: &Path,
        on_page: &(dyn Fn(u32, u32) + Sync),
    ) -> Result<Document, Error> {
        let parsed = isolate::on_large_stack(|| parse(bytes, &self.options, on_page));
        let failure = match parsed {
            Ok(Ok(document)) => return Ok(with_source(document, bytes)),
            Ok(Err(failure)) => failure,
            Err(cause) => Failure::Parse(cause),
        };
        let path = path.into();
        Err(match failure {
            Failure::Encrypted { is_wrong } => Error::Encrypted { path, is_wrong },
            Failure::NoText {
                has_pictures,
                attachments,
            } => Error::NoText {
                path,
                has_pictures,
                attachments,
            },
            Failure::UnmappedText => Error::UnmappedText { path },
            Failure::NoSuchPage { page_count } => Error::NoSuchPage { path, page_count },
            Failure::Limit { what, limit } => Error::LimitExceeded {
                path,
                what: what.into(),
                limit,
            },
            Failure::Parse(source) => Error::parse(&path, Format::Pdf, source),
            #[cfg(feature = "ocr")]
            Failure::Ocr(reason) => Error::Ocr { path, reason },
        })
    }
}

impl Loader for PdfLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        self.load_with_progress(bytes, path, &|_, _| {})
    }
}

fn parse(bytes: &[u8], options: &LoadOptions, on_page: OnPage<'_>) -> Result<Document, Failure> {
    let LoadOptions { limits, pdf, .. } = options;
    let file = objects::open(bytes, pdf.password.as_deref())?;
    let mut extracted = read_all(&file, pdf, limits, on_page)?;
    let mut metadata = info::metadata(&file);
    let marks = bookmarks::read(&file);
    let labels = labels::read(&file, extracted.page_count);
    clean::clean(&mut extracted.pages);
    let is_fenced = headings::rank(&mut extracted.pages);
    let mut running_lines = Vec::new();
    if pdf.drop_running_lines {
        running_lines = running::take(&mut extracted.pages);
    }
    running_lines.extend(tables::join(&mut extracted.pages, pdf.drop_running_lines));
    code::join(&mut extracted.pages, is_fenced);
    add(&mut metadata, RUNNING_LINES, running_lines);
    check_text(&extracted, &file)?;
    describe(&mut metadata, &extracted, pdf.ocr.as_ref());
    let missing = objects::missing_pages(&file);
    if missing > 0 {
        metadata.extra.insert(MISSING_PAGES.into(), missing.into());
    }
    attachments::name(&file, &mut metadata);
    let (mut document, guessed) = assemble(&extracted.pages, &labels);
    document.metadata = metadata;
    document.outline = outline(&document, guessed, &marks, pdf);
    Ok(document)
}

/// Extracts the pages of a file; one that holds nothing but comments with these.
fn read_all(
    file: &hayro_syntax::Pdf,
    options: &PdfOptions,
    limits: &Limits,
    on_page: OnPage<'_>,
) -> Result<Extracted, Failure> {
    let extracted = extract::extract(file, options, limits, on_page)?;
    let has_comments = extracted.pages.iter().any(|page| page.comments > 0);
    if !(has_comments && extracted.is_blank()) {
        return Ok(extracted);
    }
    let options = PdfOptions {
        comments: true,
        ..options.clone()
    };
    extract::extract(file, &options, limits, on_page)
}

/// Refuses a file without readable text.
fn check_text(extracted: &Extracted, file: &hayro_syntax::Pdf) -> Result<(), Failure> {
    if !extracted.is_blank() {
        return Ok(());
    }
    Err(if extracted.pages.iter().any(|page| page.is_failed) {
        Failure::Parse("none of its pages can be read".into())
    } else if extracted.pages.iter().any(|page| page.unknown > 0) {
        Failure::UnmappedText
    } else {
        let has_pictures = extracted.pages.iter().any(|page| page.is_drawn);
        Failure::NoText {
            has_pictures,
            attachments: attachments::first_names(file),
        }
    })
}

fn describe(metadata: &mut Metadata, extracted: &Extracted, ocr: Option<&OcrOptions>) {
    metadata.page_count = Some(extracted.page_count);
    let failed = extracted.numbers(|page| page.is_failed);
    let drawn = extracted.numbers(|page| page.is_drawn && page.blocks.is_empty());
    add(metadata, FAILED_PAGES, failed);
    add(metadata, PAGES_WITHOUT_TEXT, drawn);
    let cut_off = extracted.numbers(|page| page.is_cut_off);
    add(metadata, CUT_OFF_PAGES, cut_off);
    let damaged = extracted.numbers(|page| page.has_damage);
    add(metadata, DAMAGED_PAGES, damaged);
    let scans =
        extracted.numbers(|page| page.is_scan && !page.is_recognized && !page.blocks.is_empty());
    add(metadata, PAGES_WITH_LITTLE_TEXT, scans);
    let recognized = extracted.numbers(|page| page.is_recognized);
    if let Some(ocr) = ocr.filter(|_| !recognized.is_empty()) {
        let languages = ocr.languages.clone().into();
        metadata.extra.insert(OCR_LANGUAGES.into(), languages);
    }
    add(metadata, OCR_PAGES, recognized);
    let comments = extracted.pages.iter().map(|page| page.comments).sum();
    note_comments(metadata, comments);
    let unmapped = extracted.pages.iter().filter(|page| page.unknown > 0);
    let unmapped = unmapped.map(|page| (page.number.to_string(), page.unknown.into()));
    let unmapped: serde_json::Map<String, Value> = unmapped.collect();
    if !unmapped.is_empty() {
        metadata
            .extra
            .insert(UNMAPPED_LETTERS.into(), unmapped.into());
    }
}

/// Puts a list into the metadata, unless it is empty.
fn add<T: Into<Value>>(metadata: &mut Metadata, name: &str, list: Vec<T>) {
    if !list.is_empty() {
        metadata.extra.insert(name.into(), list.into());
    }
}

/// Joins the pages into one text, and lists the blocks that look like headings.
///
/// A page ends with a newline, and with an empty line where what stands last on it would go on otherwise: a
/// table, a list, or code.
fn assemble(pages: &[PageBlocks], labels: &BTreeMap<u32, String>) -> (Document, Vec<Heading>) {
    let mut document = Document {
        format: Format::Pdf,
        ..Document::default()
    };
    let mut headings = Vec::new();
    for (index, page) in pages.iter().enumerate() {
        let start = document.text.len();
        for (number, block) in page.blocks.iter().enumerate() {
            if number > 0 {
                document.text.push_str(BETWEEN_BLOCKS);
            }
            let start = document.text.len();
            document.text.push_str(&block.text);
            // The newline belongs to the line, and always follows.
            let span = Span::new(start, document.text.len() + 1);
            headings.extend(heading(block, span));
        }
        let next = pages.get(index + 1).and_then(|page| page.blocks.first());
        let is_open = page
            .blocks
            .last()
            .is_some_and(|block| block.kind != Kind::Prose)
            && next.is_some_and(|next| !next.is_continued);
        document
            .text
            .push_str(if is_open { BETWEEN_BLOCKS } else { "\n" });
        document.pages.push(Page {
            number: page.number,
            label: labels.get(&(page.number - 1)).cloned(),
            span: Span::new(start, document.text.len()),
        });
    }
    (document, headings)
}

/// Returns the heading that a block looks like.
fn heading(block: &TextBlock, span: Span) -> Option<Heading> {
    let words: Vec<&str> = block.text.split_whitespace().collect();
    Some(Heading {
        level: block.level?.clamp(1, 6),
        title: words.join(" "),
        span,
    })
}

/// How many guessed headings there are for each bookmark at least where bookmarks name the parts of a document
/// alone, or the whole of it.
const SPARSE: usize = 4;

/// How many bookmarks there are for each page, and which part of them is not found in the text, from which they are no
/// headings: programs that draw give each part of a drawing a bookmark.
const PARTS_OF_DRAWING: usize = 30;
const UNFOUND: f64 = 0.75;

/// Makes the outline of the bookmarks that point to pages of the document, and of what looks like
/// headings where there are no bookmarks, or few.
fn outline(
    document: &Document,
    guessed: Vec<Heading>,
    marks: &[Bookmark],
    options: &PdfOptions,
) -> Vec<Heading> {
    let guessed = if options.guess_headings {
        guessed
    } else {
        Vec::new()
    };
    if marks.is_empty() {
        return guessed;
    }
    let marked = locate::headings(
        &selected(document, marks, options),
        &document.text,
        &document.pages,
    );
    if are_parts_of_drawings(&marked, document) {
        return guessed;
    }
    if marked.len() * SPARSE > guessed.len() {
        return marked;
    }
    below(marked, guessed)
}

fn are_parts_of_drawings(marked: &[Heading], document: &Document) -> bool {
    let count = marked.len();
    let is_unfound = |heading: &&Heading| heading.span.is_empty();
    let lines = || document.text.lines().filter(|line| !line.is_empty());
    count > document.pages.len() * PARTS_OF_DRAWING
        && marked.iter().filter(is_unfound).count() as f64 > count as f64 * UNFOUND
        && lines().count() < count
}

/// Returns the bookmarks that point to pages that were asked for.
fn selected(document: &Document, marks: &[Bookmark], options: &PdfOptions) -> Vec<Bookmark> {
    if options.pages.is_empty() {
        return marks.to_vec();
    }
    let numbers: Vec<u32> = document.pages.iter().map(|page| page.number).collect();
    let selected = marks.iter().filter_map(|mark| {
        let number = u32::try_from(mark.page?).ok()? + 1;
        let page = numbers.binary_search(&number).ok()?;
        Some(Bookmark {
            page: Some(page),
            ..mark.clone()
        })
    });
    selected.collect()
}

/// Puts guessed headings below those of the bookmarks, in the order of the text. A heading that is both stands
/// once.
fn below(marked: Vec<Heading>, guessed: Vec<Heading>) -> Vec<Heading> {
    const DEEPEST: u8 = 6;
    let mut outline = Vec::with_capacity(marked.len() + guessed.len());
    let mut marked = marked.into_iter().peekable();
    // By how much guessed headings are deeper than they seem, and where the last bookmark's heading ends.
    let (mut deeper, mut end) = (0, 0);
    for heading in guessed {
        while let Some(mark) = marked.next_if(|mark| mark.span.start <= heading.span.start) {
            let is_same = heading.span.start < mark.span.end;
            deeper = mark
                .level
                .saturating_sub(if is_same { heading.level } else { 0 });
            end = mark.span.end;
            outline.push(mark);
        }
        if heading.span.start >= end {
            outline.push(Heading {
                level: heading.level.saturating_add(deeper).min(DEEPEST),
                ..heading
            });
        }
    }
    outline.extend(marked);
    outline
}
