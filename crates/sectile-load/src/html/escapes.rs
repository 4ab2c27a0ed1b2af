//! Backslashes that Markdown does not need, taken out so that identifiers can be found.

/// Characters that mean something at the beginning of a line alone.
const AT_BEGINNINGS: [char; 2] = ['=', '>'];

/// Takes the backslashes from before underscores within words, and from before signs in the midst of a line.
pub(super) fn tidy(text: &str) -> String {
    let mut tidied = Tidied::default();
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '`', '$']) {
        tidied.push(&rest[..at]);
        rest = &rest[at..];
        let length = if rest.starts_with('\\') {
            tidied.escape(rest)
        } else {
            let length = verbatim(rest);
            tidied.push(&rest[..length]);
            length
        };
        rest = &rest[length..];
    }
    tidied.push(rest);
    tidied.text
}

/// A text while it is tidied.
#[derive(Default)]
struct Tidied {
    text: String,
    /// Whether there is a letter in the line.
    is_begun: bool,
}

impl Tidied {
    fn push(&mut self, text: &str) {
        let line = text.rsplit('\n').next().unwrap_or_default();
        self.is_begun &= line.len() == text.len();
        self.is_begun |= line.contains(char::is_alphanumeric);
        self.text.push_str(text);
    }

    /// Writes an escaped character, with its backslash where it needs one; returns how long they are.
    fn escape(&mut self, text: &str) -> usize {
        let mut letters = text.chars().skip(1);
        let Some(escaped) = letters.next() else {
            self.push(text);
            return text.len();
        };
        let is_plain = match escaped {
            '_' => {
                self.text.ends_with(char::is_alphanumeric)
                    && letters.next().is_some_and(char::is_alphanumeric)
            }
            sign => AT_BEGINNINGS.contains(&sign) && self.is_begun,
        };
        let length = 1 + escaped.len_utf8();
        self.push(&text[usize::from(is_plain)..length]);
        length
    }
}

/// Returns how long the code or the formula is that `text` begins with; the length of the signs alone where it
/// does not end.
fn verbatim(text: &str) -> usize {
    let sign = if text.starts_with('`') { '`' } else { '$' };
    let run = |text: &str| text.len() - text.trim_start_matches(sign).len();
    let opening = run(text);
    let mut at = opening;
    while let Some(next) = text[at..].find(sign) {
        if sign == '$' && text[at..at + next].contains('\n') {
            break;
        }
        at += next;
        let length = run(&text[at..]);
        at += length;
        if length == opening {
            return at;
        }
    }
    opening
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_no_backslash_has_none() {
        assert_eq!(
            tidy("open\\_file(a\\_b) x \\_y\\_ \\*"),
            "open_file(a_b) x \\_y\\_ \\*"
        );
        assert_eq!(
            tidy("a \\= b\n\\=\\=\n- \\> c [T](/t)\\>"),
            "a = b\n\\=\\=\n- \\> c [T](/t)>"
        );
        assert_eq!(tidy("a\\"), "a\\");
    }

    #[test]
    fn code_and_formulas_stay() {
        for same in [
            "`a\\_b`",
            "``a`\\_b\\_c`` d",
            "```\na\\_b\n```",
            "$x\\_y$",
            "`",
            "a ` b",
        ] {
            assert_eq!(tidy(same), same);
        }
        assert_eq!(tidy("$5 a\\_b\n$6"), "$5 a_b\n$6");
    }
}
