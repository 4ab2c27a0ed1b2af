//! Constructors of classes of Kotlin on lines of their own, which the grammar takes for statements.

use sectile_core::Span;

/// Words that may stand before the word of a constructor.
const MODIFIERS: [&str; 6] = [
    "actual",
    "expect",
    "internal",
    "private",
    "protected",
    "public",
];

const CONSTRUCTOR: &str = "constructor";

/// Returns `text` with spaces for the ends of the lines between the name of a class and the constructor below it. Nothing
/// is returned where there is none.
pub(super) fn with_joined_lines(text: &str) -> Option<String> {
    if !text.contains(CONSTRUCTOR) {
        return None;
    }
    let mut joined = String::with_capacity(text.len());
    let mut done = 0;
    // The ends of the lines from that with the name on.
    let mut ends: Vec<Span> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let shown = line.trim();
        let end = Span::new(start + line.trim_end().len(), start + line.len());
        start = end.end;
        if is_head(shown) {
            ends = vec![end];
        } else if !ends.is_empty() && !shown.is_empty() && are_prefixes(shown) {
            ends.push(end);
        } else {
            let is_constructor = begins_constructor(shown);
            for end in ends.drain(..).filter(|_| is_constructor) {
                joined.push_str(&text[done..end.start]);
                joined.extend(std::iter::repeat_n(' ', end.len()));
                done = end.end;
            }
        }
    }
    joined.push_str(&text[done..]);
    (done > 0).then_some(joined)
}

/// Returns whether a line ends with the name of a class, or with annotations and modifiers behind it.
fn is_head(line: &str) -> bool {
    let of_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '`';
    let Some(at) = line
        .find("class ")
        .filter(|at| *at == 0 || line[..*at].ends_with(' '))
    else {
        return false;
    };
    let (before, after) = (&line[..at], line[at + "class ".len()..].trim_start());
    let (name, behind) = after.split_at(after.find(|of| !of_name(of)).unwrap_or(after.len()));
    let behind = behind.trim_start();
    let behind = match (behind.strip_prefix('<'), behind.rfind('>')) {
        (Some(_), Some(end)) => &behind[end + 1..],
        (Some(_), None) => return false,
        (None, _) => behind,
    };
    let is_modifier = |word: &str| word.starts_with('@') || word.chars().all(char::is_lowercase);
    !name.is_empty() && before.split_whitespace().all(is_modifier) && are_prefixes(behind)
}

/// Returns whether a line has only what may stand before the word of a constructor.
fn are_prefixes(line: &str) -> bool {
    line.split_whitespace().all(is_prefix)
}

fn is_prefix(word: &str) -> bool {
    word.starts_with('@') || MODIFIERS.contains(&word)
}

fn begins_constructor(line: &str) -> bool {
    let word = line.split_whitespace().find(|word| !is_prefix(word));
    let after = word.and_then(|word| word.strip_prefix(CONSTRUCTOR));
    after.is_some_and(|after| after.is_empty() || after.starts_with('('))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructors_are_joined_to_the_names_of_their_classes() {
        for (text, expected) in [
            (
                "actual class A\nactual constructor(a: B) {\n}\n",
                "actual class A actual constructor(a: B) {\n}\n",
            ),
            (
                "@C(1) class A<T : B<T>, U> \r\n  @Inject\r\n  internal constructor (",
                "@C(1) class A<T : B<T>, U>     @Inject    internal constructor (",
            ),
            (
                "class A @Inject\nconstructor(\nclass B\nconstructor()\n",
                "class A @Inject constructor(\nclass B constructor()\n",
            ),
        ] {
            assert_eq!(text.len(), expected.len());
            assert_eq!(with_joined_lines(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_lines_stay() {
        for text in [
            "class A {\n  constructor(a: B)\n",
            "class A // B\nconstructor(a: B)\n",
            "class A : B\nconstructor(a: B)\n",
            "class A\n\nconstructor(a: B)\n",
            "class A\nconstructors(a)\n",
            "class A<\nconstructor()\n",
            "// A class A\nconstructor()\n",
            "class A\nval constructor = 1\n",
        ] {
            assert_eq!(with_joined_lines(text), None, "{text}");
        }
    }
}
