//! Fields of metadata above a text in Markdown that stand between no fences.

use crate::Span;

/// The most fields of metadata: what has more is data.
const MOST: usize = 64;

/// The longest key, in bytes.
const LONGEST_KEY: usize = 32;

/// Keys that are those of metadata wherever a text begins with them.
const KNOWN: &[&str] = &[
    "author",
    "authors",
    "categories",
    "category",
    "created",
    "date",
    "description",
    "keywords",
    "lang",
    "language",
    "modified",
    "permalink",
    "slug",
    "status",
    "subtitle",
    "summary",
    "tags",
    "template",
    "title",
    "updated",
];

/// What texts begin with that are no metadata.
const NOTICES: &[&str] = &[
    "a",
    "attention",
    "caution",
    "danger",
    "fixme",
    "hint",
    "important",
    "note",
    "q",
    "tip",
    "todo",
    "warning",
];

/// The fields `Key: value` at the beginning of a Markdown text, as `MkDocs`, Pelican and
/// `MultiMarkdown` read them: without a line of dashes, and up to a blank line.
///
/// A field continues in indented lines. A key has one or two words of letters, digits, `-` and `_`,
/// and occurs once. There are two or more fields, or one with a common metadata key, such as
/// `title`. Without several fields and such a key, none may be a sentence or a notice such as
/// `Note:`.
///
/// ```
/// use sectile_core::LeadingFields;
///
/// let text = "Title: Feather Fall\nClasses: bard\n    wizard\n\nA text.\n";
/// let found = LeadingFields::of(text).unwrap();
/// assert_eq!(found.fields[1], ("Classes", vec!["bard", "wizard"]));
/// assert_eq!(&text[found.span.end..], "\nA text.\n");
/// assert_eq!(LeadingFields::of("Note: read this.\n\nA text.\n"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadingFields<'t> {
    /// The keys as written, each with the lines of its value that are not blank.
    pub fields: Vec<(&'t str, Vec<&'t str>)>,
    /// The span of the fields, without the blank line.
    pub span: Span,
}

impl<'t> LeadingFields<'t> {
    /// Reads the fields at the beginning of a text.
    pub fn of(text: &'t str) -> Option<Self> {
        let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            if line.trim().is_empty() {
                break;
            }
            let goes_on = line.starts_with([' ', '\t']);
            if let Some((_, values)) = fields.last_mut().filter(|_| goes_on) {
                values.push(line.trim());
            } else if fields.len() == MOST {
                return None;
            } else {
                fields.push(field(line.trim_end())?);
            }
            end += line.len();
        }
        let found = Self {
            fields,
            span: Span::new(0, end),
        };
        let has_blank_line = end < text.len();
        (has_blank_line && found.are_metadata()).then_some(found)
    }

    fn are_metadata(&self) -> bool {
        let keys = self.fields.iter().map(|(key, _)| key.to_lowercase());
        let keys: Vec<String> = keys.collect();
        let has_any = |of: &[&str]| keys.iter().any(|key| of.contains(&key.as_str()));
        let mut values = self.fields.iter().flat_map(|(_, values)| values);
        let has_sentence = values.any(|value| value.ends_with(['.', '!', '?']));
        let are_once = (1..keys.len()).all(|at| !keys[..at].contains(&keys[at]));
        let (are_several, is_known) = (keys.len() > 1, has_any(KNOWN));
        let may_be_text = has_sentence || has_any(NOTICES);
        let is_sure = are_several && is_known;
        are_once && (are_several || is_known) && (is_sure || !may_be_text)
    }
}

/// Reads a line `Key: value`.
fn field(line: &str) -> Option<(&str, Vec<&str>)> {
    let (key, value) = line.split_once(':')?;
    let is_apart = value.is_empty() || value.starts_with([' ', '\t']);
    let is_line = is_apart && !value.contains('\r') && is_key(key);
    let value = Some(value.trim()).filter(|value| !value.is_empty());
    is_line.then(|| (key, value.into_iter().collect()))
}

fn is_key(key: &str) -> bool {
    let is_in_word = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_');
    let is_word = |word: &str| !word.is_empty() && word.chars().all(is_in_word);
    let begins = key.starts_with(char::is_alphabetic) && key.len() <= LONGEST_KEY;
    begins && key.split(' ').count() <= 2 && key.split(' ').all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_above_a_blank_line_are_metadata() {
        for (text, keys) in [
            ("name: A\nlevel: 1\n\nText.\n", &["name", "level"][..]),
            (
                "Title: A b. C!\r\nDate: 2020-01-01\r\n\r\nText.\r\n",
                &["Title", "Date"],
            ),
            ("title: A\n\nText.\n", &["title"]),
            (
                "base header: 2\nx_y-z:\n  a\n  b.c\n\n",
                &["base header", "x_y-z"],
            ),
        ] {
            let found = LeadingFields::of(text).map(|found| found.fields);
            let found = found.unwrap_or_default().into_iter();
            assert_eq!(
                found.map(|(key, _)| key).collect::<Vec<_>>(),
                keys,
                "{text}"
            );
        }
    }

    #[test]
    fn texts_that_begin_with_a_word_and_a_colon_are_none() {
        for text in [
            "Note: read this first\n\nText.\n",
            "Note: read this first\nTip: and that\n\nText.\n",
            "Serves: four\nThis is good.\n\nText.\n",
            "Ann: Who is there\nBob: Me\nAnn: Come in\n\nText.\n",
            "Ann: Who is there?\nBob: It is me.\n\nText.\n",
            "Summary: All is well.\n\nText.\n",
            "name: A\nlevel: 1\n",
            "\nname: A\nlevel: 1\n\n",
            "  name: A\nlevel: 1\n\n",
            "http://a.example\nb: c\n\n",
            "one two three: 1\nfour: 2\n\n",
            "**Range:** 60 feet\nlevel: 1\n\n",
            "- a: b\n- c: d\n\n",
            "10: a\n20: b\n\n",
            "# A\n\nname: A\n",
            "",
        ] {
            assert_eq!(LeadingFields::of(text), None, "{text}");
        }
        let lines: Vec<String> = (0..=MOST).map(|at| format!("k{at}: v\n")).collect();
        let data = lines.concat();
        assert_eq!(LeadingFields::of(&(data + "\n")), None);
    }
}
