//! LaTeX files.

mod accents;
mod inline;
mod scan;
mod tokens;

use std::path::Path;

use sectile_chunk::with_newlines;
use sectile_core::{Document, Format, Heading};

use crate::markup::{Fields, heading, only_title};
use crate::text::load_text;
use crate::{Error, Loader};
use scan::{Found, Title};

/// Loads LaTeX: the source as it is, decoded as [`TextLoader`](crate::TextLoader) does, with parts,
/// chapters, sections, paragraphs, slides and the abstract as outline.
///
/// The highest kind of heading that a file has is level 1, the next one level 2: so the chapters of a
/// book and the sections of an article are alike. Comments, verbatim environments, definitions and the
/// preamble have no headings. Titles are without commands: accents become letters, macros without
/// arguments that the file defines their text, formulas stay. `\title`, `\author` and `\date` are read
/// into the metadata. Files that `\input` and its like name are not followed: `not_followed` in
/// [`Metadata::extra`](sectile_core::Metadata::extra) names them.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{LatexLoader, Loader};
///
/// let text = "\\title{On \\emph{Tea}}\n\\begin{document}\n\\section{Caf\\'e}\n\\end{document}\n";
/// let document = LatexLoader.load(text.as_bytes(), Path::new("tea.tex"))?;
/// assert_eq!(document.text, text);
/// assert_eq!(document.outline[0].title, "Café");
/// assert_eq!(document.metadata.title.as_deref(), Some("On Tea"));
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct LatexLoader;

impl Loader for LatexLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = load_text(bytes, path, Format::Latex)?;
        let found: Found = scan::read(&with_newlines(&document.text));
        document.outline = ranked(&found.titles);
        let mut fields = Fields::new(&mut document.metadata);
        fields.set_if_any("title", &found.title);
        fields.set_if_any("author", &found.authors.join(", "));
        fields.set_if_any("date", &found.date);
        found.not_followed.write_into(&mut document.metadata);
        if document.metadata.title.is_none() {
            document.metadata.title = only_title(&document.outline);
        }
        Ok(document)
    }
}

/// Gives the kinds of titles that are used the levels from 1 on; the abstract is of the highest kind.
fn ranked(titles: &[Title]) -> Vec<Heading> {
    let mut ranks: Vec<usize> = titles.iter().filter_map(|title| title.rank).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let level = |rank: usize| ranks.partition_point(|used| *used < rank) + 1;
    let headings = titles.iter().map(|title| {
        let level = title.rank.map_or(1, level);
        heading(level, &title.text, title.span)
    });
    headings.collect()
}
