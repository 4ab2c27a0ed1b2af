//! Tests of Bats, which are not the syntax of Bash.

/// What the head of a test begins with.
const TEST: &str = "@test ";

/// Returns `text` with the head of a function in the place of that of each test, `@test "adds" {`, which is as long.
/// Nothing is returned where there is none.
pub(super) fn with_functions(text: &str) -> Option<String> {
    if !text.contains(TEST) {
        return None;
    }
    let mut with = String::with_capacity(text.len());
    let mut is_found = false;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let head = line.trim_end().strip_suffix('{').unwrap_or_default();
        let head = head.trim_end();
        let named = head.get(indent..);
        let Some(named) = named.filter(|named| named.starts_with(TEST)) else {
            with.push_str(line);
            continue;
        };
        with.push_str(&line[..indent]);
        with.extend(std::iter::repeat_n('t', named.len() - "()".len()));
        with.push_str("()");
        with.push_str(&line[head.len()..]);
        is_found = true;
    }
    is_found.then_some(with)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_functions_of_the_same_length() {
        let text = "a=1\n@test \"adds\" {\n  @test 'é' { \r\n  }\n}\n";
        let expected = "a=1\ntttttttttt() {\n  tttttttt() { \r\n  }\n}\n";
        assert_eq!(with_functions(text).as_deref(), Some(expected));
        assert_eq!(text.len(), expected.len());
    }

    #[test]
    fn other_lines_stay() {
        for text in [
            "",
            "echo {\n",
            "# @test \"adds\" {\n",
            "@test \"adds\" { true; }\n",
        ] {
            assert_eq!(with_functions(text), None, "{text}");
        }
    }
}
