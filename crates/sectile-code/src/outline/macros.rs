//! Macros of C that are no syntax of the language.

use tree_sitter::Tree;

/// Returns `text` with spaces for each line that is a macro alone, such as `Q_OBJECT` or `DECLARE(a, b)`, which may
/// stand for anything: a parser takes it for the beginning of what follows. Nothing is returned where there is none.
pub(super) fn without_lines_of_macros(text: &str) -> Option<String> {
    let mut without = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_found = false;
    while !rest.is_empty() {
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        let content = line.trim();
        // A name and parameters that a body follows are a function.
        let is_alone = is_macro(content) && !after.trim_start().starts_with(['{', ':']);
        if is_alone {
            let indent = line.len() - line.trim_start().len();
            without.push_str(&line[..indent]);
            without.extend(std::iter::repeat_n(' ', content.len()));
            without.push_str(&line[indent + content.len()..]);
        } else {
            without.push_str(line);
        }
        is_found |= is_alone;
        rest = after;
    }
    is_found.then_some(without)
}

/// Says whether a line is a name in capitals, with arguments or without.
fn is_macro(line: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let name = line.bytes().take_while(|byte| is_of_name(*byte)).count();
    let arguments = &line[name..];
    let is_name = name >= 2 && line.starts_with(|char: char| char.is_ascii_uppercase());
    is_name && (arguments.is_empty() || arguments.starts_with('(') && arguments.ends_with(')'))
}

/// Returns how many bytes of a text are no syntax of its language, and at how many places something is missing.
pub(super) fn errors(tree: &Tree) -> usize {
    let mut cursor = tree.walk();
    let mut count = 0;
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            count += node.byte_range().len().max(1);
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_macros_are_blank() {
        let text = "class A {\n  Q_OBJECT\r\n  DECLARE(a, (b))\n  int x;\n};\nEND";
        let expected = "class A {\n          \r\n                 \n  int x;\n};\n   ";
        assert_eq!(without_lines_of_macros(text).as_deref(), Some(expected));
    }

    #[test]
    fn what_is_more_than_a_macro_stays() {
        for text in [
            "",
            "TEST(A, B)\n{\n}\n",
            "CRF(int a)\n\n  : x(a) {}\n",
            "A\n",
            "FOO;\n",
            "Foo\n",
            "FOO(a\n",
            "FOO x\n",
        ] {
            assert_eq!(without_lines_of_macros(text), None, "{text}");
        }
    }
}
