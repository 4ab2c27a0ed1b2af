//! `LangChain`'s splitter for web pages.

mod lines;

use std::collections::BTreeMap;
use std::path::Path;

use crate::{Error, isolate};
use lines::Line;

/// A part of a web page, with the headings above it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HtmlPart {
    /// The text: a heading, an element, or all elements up to the next heading.
    pub text: String,
    /// The headings above it and its own, by the names of their levels.
    pub headers: BTreeMap<String, String>,
}

/// Splits a web page at its headings, into parts with the headings above them.
///
/// This is the class `HTMLHeaderTextSplitter` of `langchain-text-splitters` 1.1.3: each heading is a
/// part, and so is all text up to the next one, or [each element](Self::with_each_element). A
/// heading counts up to the next one of its level or a higher one, and as long as elements are nested
/// as deep as it is. The whole body is split; [`HtmlLoader`](crate::HtmlLoader) seeks the main part.
///
/// Text comes in its order, and the words of links or bold type in their line. `LangChain` puts them on
/// lines of their own behind the rest of the paragraph, reads scripts and comments as text, and gives
/// text before the end of a section the headings behind it; [`as_langchain`](Self::as_langchain) does
/// so, too.
///
/// ```
/// use std::path::Path;
/// use sectile_load::HtmlHeaderTextSplitter;
///
/// let splitter = HtmlHeaderTextSplitter::new([(1, "Chapter"), (2, "Section")])?;
/// let page = b"<h1>Guide</h1><h2>Start</h2><p>Read <b>this</b> first.</p><p>Run it.</p>";
/// let parts = splitter.split(page, Path::new("guide.html"))?;
/// assert_eq!(parts[2].text, "Read this first.  \nRun it.");
/// assert_eq!(parts[2].headers["Section"], "Start");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct HtmlHeaderTextSplitter {
    /// The name of each level, from 1; nothing for a level at which no part begins.
    names: [Option<String>; 6],
    takes_each_element: bool,
    is_langchain: bool,
}

impl HtmlHeaderTextSplitter {
    /// Makes a splitter for headings of these levels, 1 to 6, with the names they have in
    /// [`HtmlPart::headers`].
    ///
    /// # Errors
    ///
    /// [`Error::SplitConfig`] if a level is not 1 to 6.
    pub fn new<N: Into<String>>(headers: impl IntoIterator<Item = (u8, N)>) -> Result<Self, Error> {
        let mut names: [Option<String>; 6] = Default::default();
        for (level, name) in headers {
            let place = usize::from(level).checked_sub(1);
            let place = place.and_then(|at| names.get_mut(at));
            let place = place.ok_or_else(|| sectile_chunk::Error::InvalidConfig {
                option: "headers",
                reason: format!("must have levels from 1 to 6, not {level}"),
            })?;
            *place = Some(name.into());
        }
        Ok(Self {
            names,
            takes_each_element: false,
            is_langchain: false,
        })
    }

    /// Makes one part per element with text, instead of one for all text up to the next heading.
    #[must_use]
    pub fn with_each_element(mut self, each: bool) -> Self {
        self.takes_each_element = each;
        self
    }

    /// Returns `LangChain`'s parts, even where these mix up the text.
    #[must_use]
    pub fn as_langchain(mut self, is_langchain: bool) -> Self {
        self.is_langchain = is_langchain;
        self
    }

    /// Splits a page; `path` names it in errors.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedFormat`] for what is not text, [`Error::LimitExceeded`] when elements are
    /// too many or nested too deep.
    pub fn split(&self, bytes: &[u8], path: &Path) -> Result<Vec<HtmlPart>, Error> {
        let decoded = super::decode(bytes).map_err(|reason| Error::unsupported(path, reason))?;
        let split = isolate::on_large_stack(|| self.split_text(&decoded.text));
        let split = split.map_err(|cause| Error::unsupported(path, cause.to_string()))?;
        split.ok_or_else(|| super::too_large(path, &decoded.text))
    }

    /// Splits the text of a page; nothing when its elements are too many or nested too deep.
    fn split_text(&self, html: &str) -> Option<Vec<HtmlPart>> {
        let page = lines::parse(html)?;
        let body = lines::body(&page);
        let lines = if self.is_langchain {
            lines::own_text_first(&body)
        } else {
            lines::in_order(&body)
        };
        let mut parts = Parts {
            splitter: self,
            done: Vec::new(),
            headers: Vec::new(),
            gathered: Vec::new(),
        };
        for line in lines {
            parts.add(line);
        }
        parts.close();
        Some(parts.done)
    }
}

/// A heading that counts for what follows.
struct Header<'s> {
    name: &'s str,
    text: String,
    level: usize,
    depth: usize,
}

/// The parts of a page, as its lines come.
struct Parts<'s> {
    splitter: &'s HtmlHeaderTextSplitter,
    done: Vec<HtmlPart>,
    headers: Vec<Header<'s>>,
    /// The lines since the last heading.
    gathered: Vec<String>,
}

impl Parts<'_> {
    fn add(&mut self, line: Line) {
        let level = line.level.unwrap_or_default();
        let name = level
            .checked_sub(1)
            .and_then(|at| self.splitter.names[at].as_deref());
        let Some(name) = name else {
            return self.add_text(line);
        };
        self.close();
        self.headers.retain(|header| header.level < level);
        self.headers.push(Header {
            name,
            text: line.text.clone(),
            level,
            depth: line.depth,
        });
        self.push(line.text);
    }

    fn add_text(&mut self, line: Line) {
        let ends = self.headers.iter().any(|header| line.depth < header.depth);
        if ends && !self.splitter.is_langchain {
            self.close();
        }
        self.headers.retain(|header| line.depth >= header.depth);
        if self.splitter.takes_each_element {
            self.push(line.text);
        } else {
            self.gathered.push(line.text);
        }
    }

    /// Makes a part of what was gathered.
    fn close(&mut self) {
        if !self.gathered.is_empty() {
            let text = self.gathered.join("  \n");
            self.gathered.clear();
            self.push(text);
        }
    }

    fn push(&mut self, text: String) {
        let headers = self.headers.iter();
        self.done.push(HtmlPart {
            text,
            headers: headers
                .map(|header| (header.name.to_owned(), header.text.clone()))
                .collect(),
        });
    }
}
