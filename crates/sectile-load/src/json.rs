//! JSON, written as Markdown: the large values as sections, the others as lines.

mod scan;
mod strings;
mod table;
mod write;

use std::path::Path;

use sectile_core::{Document, Format};
use serde_json::Value;

use crate::encoding::{self, Decoded};
use crate::loader::with_source;
use crate::omissions::DAMAGED_LINES;
use crate::text::with_decoding;
use crate::{Error, LoadOptions, Loader};
use scan::{Problem, Tree};
use write::{Value as Top, Writer};

/// How many damaged lines are named.
const MAX_NAMED: usize = 1_000;

/// Loads JSON (`.json`, `.jsonl`, `.ndjson`), also with comments, trailing commas and the other
/// liberties of JSON5, and writes it as Markdown.
///
/// Large objects and arrays are sections under their keys, three levels deep, those in arrays under
/// their `name`, `title` or `id`; the others are lines `key: value`, indented as in YAML. What has a
/// section stands after what has none, so that each line stands below the heading it belongs to.
/// An array of records with short values is a table. Strings are written as they read, numbers as
/// they are written, duplicate keys each time. A string that could be taken for something else
/// keeps its quotes. On one line, a control character in a string, such as a newline, is a space.
///
/// A line of `.jsonl` that is not JSON stays as it is, and `damaged_lines` in
/// [`Metadata::extra`](sectile_core::Metadata::extra) names it.
///
/// ```
/// use std::path::Path;
/// use sectile_load::{JsonLoader, Loader};
///
/// let json = br#"{"tags": ["a", "b"], "price": 1.50, "note": "caf\u00e9"}"#;
/// let document = JsonLoader::default().load(json, Path::new("a.json"))?;
/// assert_eq!(document.text, "tags: [\"a\", \"b\"]\nprice: 1.50\nnote: café\n");
/// # Ok::<(), sectile_load::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct JsonLoader {
    options: LoadOptions,
}

impl JsonLoader {
    /// Creates a loader with these options.
    pub fn new(options: LoadOptions) -> Self {
        Self { options }
    }
}

impl Loader for JsonLoader {
    fn load(&self, bytes: &[u8], path: &Path) -> Result<Document, Error> {
        let decoded = encoding::decode(bytes).map_err(|reason| Error::unsupported(path, reason))?;
        let limit = self.options.limits.inflated_bytes;
        let mut writer = Writer::new(limit as usize);
        let (damaged, title) = if is_lines(path) {
            (write_lines(&decoded.text, &mut writer), None)
        } else {
            let tree = Tree::read(&decoded.text);
            let tree = tree.map_err(|problem| into_error(&problem, &decoded.text, path))?;
            writer.write_all(&tree);
            (Vec::new(), tree.title())
        };
        let written = writer.finish().ok_or_else(|| Error::LimitExceeded {
            path: path.into(),
            what: "the bytes of the text of a file".into(),
            limit,
        })?;
        let mut document = Document {
            text: written.text,
            format: Format::Json,
            outline: written.outline,
            ..Document::default()
        };
        document.metadata.title = title;
        if !damaged.is_empty() {
            let lines = Value::from(damaged);
            document.metadata.extra.insert(DAMAGED_LINES.into(), lines);
        }
        let decoded = Decoded {
            text: String::new(),
            replaced: decoded.replaced + written.replaced,
            ..decoded
        };
        Ok(with_source(with_decoding(document, &decoded), bytes))
    }
}

/// Returns whether each line of a file is a value of its own.
fn is_lines(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("jsonl") || extension.eq_ignore_ascii_case("ndjson")
}

/// Writes a value a line and returns the numbers of the lines that are none.
fn write_lines(text: &str, writer: &mut Writer) -> Vec<usize> {
    let lines = || {
        let lines = text.lines().enumerate();
        lines.filter(|(_, line)| !line.trim().is_empty())
    };
    let values = || lines().map(|(_, line)| Tree::read(line).ok());
    if let Some(columns) = table::columns_of_lines(values()) {
        writer.table_of_lines(&columns, values().flatten());
        return Vec::new();
    }
    let mut damaged = Vec::new();
    for (index, line) in lines() {
        if let Ok(tree) = Tree::read(line) {
            writer.top(Top {
                tree: &tree,
                node: 0,
                place: format!("line {}", index + 1),
            });
        } else {
            writer.damaged(line, index + 1);
            damaged.push(index + 1);
        }
    }
    damaged.truncate(MAX_NAMED);
    damaged
}

fn into_error(problem: &Problem, text: &str, path: &Path) -> Error {
    match problem {
        Problem::TooDeep => Error::LimitExceeded {
            path: path.into(),
            what: "nested values".into(),
            limit: scan::MAX_DEPTH as u64,
        },
        Problem::At(offset, what) => {
            let before = &text.as_bytes()[..(*offset).min(text.len())];
            let line = memchr::memchr_iter(b'\n', before).count() + 1;
            let column = before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1) + 1;
            let reason = format!("{what} at line {line}, column {column}");
            Error::parse(path, Format::Json, reason)
        }
    }
}
