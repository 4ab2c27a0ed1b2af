//! Source code.

use std::path::Path;
use std::time::{Duration, Instant};

use sectile_chunk::with_newlines;
use sectile_code::{Language, Outline, outline_until};
use sectile_core::{Document, Format};

use crate::detect::is_template;
use crate::omissions::OUTLINE_SKIPPED;
use crate::text::load_text;
use crate::{Error, Loader};

/// The names in [`Metadata::extra`](sectile_core::Metadata::extra) of what is known of the source.
const LANGUAGE: &str = "programming_language";
const SYNTAX_ERRORS: &str = "syntax_errors";

/// A text of so many bytes is minified or generated if such a part of it is in lines of so many bytes.
const MINIFIED: usize = 5_000;
const LONG_LINE: usize = 1_000;
const IN_LONG_LINES: f64 = 0.9;

/// How long parsing may take: a MiB of source code takes a tenth of a second, of noise minutes.
const LONGEST: Duration = Duration::from_secs(5);

/// Loads source code: the source as it is, decoded as [`TextLoader`](crate::TextLoader) does, with
/// its modules, types and functions as outline.
///
/// `programming_language` in [`Metadata::extra`](sectile_core::Metadata::extra) names the language.
/// `syntax_errors` is there when not all of the text could be parsed; the outline has what was
/// found. `outline_skipped` is there when a text is longer than 1 MiB, took longer than 5 s to parse, or has more than
/// 20,000 definitions in a language that is read line by line.
///
/// Fails with [`Error::UnsupportedFormat`] for minified and generated code, such as the index of words that is
/// part of a site: nobody reads it, and it would be found for every word.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{CodeLoader, Loader};
///
/// let text = "// Adds.\nfn add(a: u8) -> u8 {\n    a + 1\n}\n";
/// let document = CodeLoader.load(text.as_bytes(), Path::new("add.rs"))?;
/// assert_eq!(document.text, text);
/// assert_eq!(document.outline[0].title, "fn add(a: u8) -> u8");
/// assert_eq!(document.metadata.extra["programming_language"], "rust");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CodeLoader;

impl Loader for CodeLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let mut document = load_text(bytes, path, Format::Code)?;
        let Some((language, found)) = read(&with_newlines(&document.text), path)? else {
            return Ok(document);
        };
        document.outline = found.headings;
        let extra = &mut document.metadata.extra;
        extra.insert(LANGUAGE.into(), language.name().into());
        if found.has_errors {
            extra.insert(SYNTAX_ERRORS.into(), true.into());
        }
        if found.is_unparsed {
            extra.insert(OUTLINE_SKIPPED.into(), true.into());
        }
        Ok(document)
    }
}

/// Finds the language of a source and its outline; nothing where the language is not known.
fn read(text: &str, path: &Path) -> Result<Option<(Language, Outline)>, Error> {
    let template = || is_template(text.as_bytes()).then_some(Language::Template);
    let language = Language::detect(path, text).or_else(template);
    // Long lines of SQL and settings are data.
    let is_program =
        language.is_none_or(|language| language.has_grammar() || language == Language::Css);
    if is_program && is_minified(text) {
        let reason = "it is minified or generated code; name the source that it was made of";
        return Err(Error::unsupported(path, reason));
    }
    let start = Instant::now();
    let found = language.map(|language| {
        let outline = outline_until(text, language, || start.elapsed() > LONGEST);
        (language, outline)
    });
    Ok(found)
}

/// Returns whether nearly all of a text is in lines that are too long to be read.
fn is_minified(text: &str) -> bool {
    let long = text
        .lines()
        .map(str::len)
        .filter(|length| *length > LONG_LINE);
    text.len() >= MINIFIED && long.sum::<usize>() as f64 >= IN_LONG_LINES * text.len() as f64
}
