//! The path that stands for standard input: what it is named, or a name that fits its content.

use std::path::{Path, PathBuf};

use sectile::core::Format;
use sectile::load::detect;
use serde::de::IgnoredAny;

/// The path of a text that could have any format: Markdown, which is text with optional headings.
const MARKDOWN: &str = "stdin.md";

/// The path of what is known by its content.
const KNOWN: &str = "stdin";

/// Returns the path by whose extension standard input is read, which begins with `head`; `is_whole` says that nothing
/// follows it. A name that was typed counts as that of a file does. Without one, the content tells the format where it is
/// sure, as that of a file without an extension does.
pub(super) fn path(head: &[u8], is_whole: bool, name: Option<&Path>) -> PathBuf {
    if let Some(name) = name {
        return name.into();
    }
    let path = match detect(head, Path::new(KNOWN)) {
        Ok(Format::Text | Format::Markdown) | Err(_) => json(head, is_whole).unwrap_or(MARKDOWN),
        Ok(_) => KNOWN,
    };
    path.into()
}

/// Returns the path of a text that is JSON: values of several members, one behind the other.
fn json(head: &[u8], is_whole: bool) -> Option<&'static str> {
    let text = head.trim_ascii_start();
    let inner = text.get(1..)?.trim_ascii_start();
    let is_filled = match text.first()? {
        b'{' => inner.starts_with(b"\""),
        b'[' => inner.starts_with(b"{") || inner.starts_with(b"[") || inner.starts_with(b"\""),
        _ => false,
    };
    if !is_filled {
        return None;
    }
    let mut values = 0;
    for value in serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>() {
        match value {
            Ok(_) => values += 1,
            // The end of the value is not here yet.
            Err(error) if error.is_eof() && !is_whole => values += 1,
            Err(_) => return None,
        }
    }
    Some(if values > 1 {
        "stdin.jsonl"
    } else {
        "stdin.json"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = path(text.as_bytes(), true, None);
        assert_eq!(found, Path::new(expected), "{text}");
    }

    #[test]
    fn what_is_sure_by_its_content_is_read_as_such() {
        for text in [
            "<!DOCTYPE html>\n<title>A</title><p>B</p>",
            "<?xml version=\"1.0\"?><a>b</a>",
            "{\\rtf1\\ansi Some text.}",
            "From: a@b.example\nTo: c@d.example\nSubject: E\n\nText.\n",
            "{\"cells\": [], \"nbformat\": 4, \"metadata\": {}}",
        ] {
            check(text, "stdin");
        }
        check("{\"a\": 1}\n", "stdin.json");
        check("[{\"a\": 1}]", "stdin.json");
        check("{\"a\": 1}\n{\"a\": 2}\n", "stdin.jsonl");
    }

    #[test]
    fn other_text_is_markdown() {
        for text in [
            "",
            "Some text.\n",
            "# Title\n\nText.\n",
            "[a](b)\n",
            "[1] A note.\n",
            "{\"a\": 1} is JSON.\n",
            "{{ value }}\n",
            "From here on: nothing\n",
        ] {
            check(text, "stdin.md");
        }
    }

    #[test]
    fn json_may_go_on_behind_the_beginning() {
        let head = b"{\"a\": [1, 2, ";
        assert_eq!(path(head, false, None), Path::new("stdin.json"));
        assert_eq!(path(head, true, None), Path::new("stdin.md"));
    }

    #[test]
    fn a_name_that_was_typed_counts() {
        let name = Path::new("page.html");
        assert_eq!(path(b"# Title\n", true, Some(name)), name);
    }
}
