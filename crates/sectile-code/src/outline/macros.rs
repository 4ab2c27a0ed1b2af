//! Macros of C that are not syntax of the language.

/// Words that a definition begins with, which a macro may stand before.
#[rustfmt::skip]
const DEFINITIONS: [&str; 10] = [
    "class",
    "constexpr",
    "enum",
    "inline",
    "namespace",
    "static",
    "struct",
    "template",
    "union",
    "using",
];

/// Returns `text` with spaces for each macro that stands for anything, which a parser takes for the beginning of what
/// follows: a line of its own, such as `Q_OBJECT` or `DECLARE(a, b)`, or a word before a definition. Nothing is returned
/// where there is none.
pub(super) fn without_macros(text: &str) -> Option<String> {
    let mut without = String::with_capacity(text.len());
    let mut rest = text;
    let mut is_found = false;
    while !rest.is_empty() {
        let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        let length = macro_length(line.trim(), after);
        let indent = line.len() - line.trim_start().len();
        without.push_str(&line[..indent]);
        without.extend(std::iter::repeat_n(' ', length));
        without.push_str(&line[indent + length..]);
        is_found |= length > 0;
        rest = after;
    }
    is_found.then_some(without)
}

/// Returns whether a line is a macro and nothing else, or what a template begins with: it belongs to what follows.
pub(super) fn is_prefix(line: &str) -> bool {
    let parameters = line.strip_prefix("template").map(str::trim_start);
    let is_template = parameters.is_some_and(|rest| rest.starts_with('<') && rest.ends_with('>'));
    is_template || is_alone(line, name_length(line))
}

/// Returns the length of the name of a macro that a line begins with.
fn name_length(line: &str) -> usize {
    let is_of_name =
        |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let length = line.bytes().take_while(is_of_name).count();
    let is_name = length >= 2 && line.starts_with(|char: char| char.is_ascii_uppercase());
    if is_name { length } else { 0 }
}

/// Returns whether a line has no more than the name of a macro, which is as long as `name`, and arguments.
fn is_alone(line: &str, name: usize) -> bool {
    let rest = &line[name..];
    name > 0 && (rest.is_empty() || rest.starts_with('(') && rest.ends_with(')'))
}

/// Returns the length of the macro that a line begins with, and `after` follows.
fn macro_length(line: &str, after: &str) -> usize {
    let name = name_length(line);
    let word = line[name..].strip_prefix(' ').map_or("", str::trim_start);
    let word = word.split(|char: char| !char.is_ascii_lowercase()).next();
    match word {
        Some(word) if name > 0 && DEFINITIONS.contains(&word) => name,
        // A name and parameters that a body follows are a function.
        _ if is_alone(line, name) && !after.trim_start().starts_with(['{', ':']) => line.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_macros_are_blank() {
        let text = "class A {\n  Q_OBJECT\r\n  DECLARE(a, (b))\n  int x;\n};\nEND";
        let expected = "class A {\n          \r\n                 \n  int x;\n};\n   ";
        assert_eq!(without_macros(text).as_deref(), Some(expected));
    }

    #[test]
    fn macros_and_beginnings_of_templates_belong_to_what_follows() {
        for line in [
            "Q_OBJECT",
            "PRAGMA(pop_options)",
            "template <typename... T>",
        ] {
            assert!(is_prefix(line), "{line}");
        }
        for line in [
            "",
            "A",
            "x",
            "FOO;",
            "FOO x",
            "template <T> class A;",
            "templates",
        ] {
            assert!(!is_prefix(line), "{line}");
        }
    }

    #[test]
    fn macros_before_definitions_are_blank() {
        let text = "EXPORT template <T> class A {\n  API  class B;\nEXPORT int c();\n";
        let expected = "       template <T> class A {\n       class B;\nEXPORT int c();\n";
        assert_eq!(without_macros(text).as_deref(), Some(expected));
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
            assert_eq!(without_macros(text), None, "{text}");
        }
    }
}
