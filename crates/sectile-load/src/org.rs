//! Org files of Emacs.

mod headlines;
mod inline;

use std::path::Path;

use sectile_core::{Document, Format};

use crate::markup::{Fields, lines, only_title};
use crate::text::load_text;
use crate::{Error, Loader};

/// Loads Org files: the source as it is, decoded as [`TextLoader`](crate::TextLoader) does, with the
/// headlines as outline.
///
/// Titles are without TODO keywords (those of the file, too), priorities, cookies and tags. Stars in
/// blocks of source, examples and comments are not headlines. Keywords such as `#+TITLE:`, `#+AUTHOR:`
/// and `#+DATE:` are read into the metadata. Files that `#+INCLUDE:` names are not followed:
/// `not_followed` in [`Metadata::extra`](sectile_core::Metadata::extra) names them.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{Loader, OrgLoader};
///
/// let text = "#+TITLE: Plan\n* TODO [#A] Buy =tea= :home:\nGreen.\n";
/// let document = OrgLoader.load(text.as_bytes(), Path::new("plan.org"))?;
/// assert_eq!(document.text, text);
/// assert_eq!(document.outline[0].title, "Buy tea");
/// assert_eq!(document.metadata.title.as_deref(), Some("Plan"));
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct OrgLoader;

impl Loader for OrgLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = load_text(bytes, path, Format::Org)?;
        let found = headlines::read(&lines(&document.text));
        document.outline = found.outline;
        let mut fields = Fields::new(&mut document.metadata);
        for (name, value) in &found.keywords {
            fields.set(name, value);
        }
        found.not_followed.write_into(&mut document.metadata);
        if document.metadata.title.is_none() {
            document.metadata.title = only_title(&document.outline);
        }
        Ok(document)
    }
}
