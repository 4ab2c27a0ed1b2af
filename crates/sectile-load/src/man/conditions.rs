//! Conditions of roff, as a terminal decides them.

use super::definitions::{Definitions, split_word};

/// Decides the condition that a text begins with, and returns what follows it.
pub(super) fn decide<'a>(source: &'a str, definitions: &mut Definitions) -> (bool, &'a str) {
    let bare = source.trim_start_matches([' ', '\t', '!']);
    let signs = source[..source.len() - bare.len()].matches('!').count();
    let (holds, rest) = decide_bare(bare, definitions);
    (holds != (signs % 2 == 1), rest)
}

fn decide_bare<'a>(source: &'a str, definitions: &mut Definitions) -> (bool, &'a str) {
    let Some(first) = source.chars().next() else {
        return (false, source);
    };
    let behind = &source[first.len_utf8()..];
    match first {
        // A terminal, and an odd page.
        'n' | 'o' => (true, behind),
        't' | 'e' | 'v' => (false, behind),
        'c' => (true, split_word(behind).1),
        'd' | 'r' | 'm' | 'F' | 'S' => {
            let (name, rest) = split_word(behind);
            let holds = match first {
                'd' => definitions.has_string(name),
                'r' => definitions.has_register(name),
                _ => false,
            };
            (holds, rest)
        }
        '0'..='9' | '(' | '\\' | '+' | '-' | '.' => {
            let end = source.find([' ', '\t']).unwrap_or(source.len());
            let end = source[..end].find("\\{").unwrap_or(end);
            let value = evaluate(&definitions.plain(&source[..end]));
            (value > 0, &source[end..])
        }
        _ => compare(first, behind, definitions),
    }
}

/// Compares two texts between the same signs: `'a'b'`.
fn compare<'a>(sign: char, source: &'a str, definitions: &mut Definitions) -> (bool, &'a str) {
    let mut parts = source.splitn(3, sign);
    let (Some(left), Some(right), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return (false, "");
    };
    (definitions.plain(left) == definitions.plain(right), rest)
}

/// Computes an expression from left to right, as roff does, with units left out.
pub(super) fn evaluate(expression: &str) -> i64 {
    let mut open = Vec::new();
    let (mut value, mut operator) = (0, '+');
    let mut rest = expression;
    while let Some(first) = rest.chars().next() {
        rest = &rest[first.len_utf8()..];
        match first {
            '(' => {
                open.push((value, operator));
                (value, operator) = (0, '+');
            }
            ')' => {
                if let Some((before, by)) = open.pop() {
                    value = apply(before, by, value);
                }
            }
            '0'..='9' => {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                let start = expression.len() - rest.len() - 1;
                let number = expression[start..=start + digits]
                    .parse()
                    .unwrap_or(i64::MAX);
                value = apply(value, operator, number);
                rest = rest[digits..]
                    .trim_start_matches(|char: char| char == '.' || char.is_ascii_alphanumeric());
            }
            '<' | '>' | '=' | '+' | '-' | '*' | '/' | '%' | '&' | ':' => {
                operator = match (first, rest.chars().next()) {
                    ('<', Some('=')) => '≤',
                    ('>', Some('=')) => '≥',
                    ('<', Some('>')) => '≠',
                    _ => first,
                };
                rest = rest.trim_start_matches(['=', '>']);
            }
            _ => {}
        }
    }
    value
}

fn apply(left: i64, operator: char, right: i64) -> i64 {
    match operator {
        '-' => left.saturating_sub(right),
        '*' => left.saturating_mul(right),
        '/' => left.checked_div(right).unwrap_or_default(),
        '%' => left.checked_rem(right).unwrap_or_default(),
        '<' => (left < right).into(),
        '>' => (left > right).into(),
        '=' => (left == right).into(),
        '≤' => (left <= right).into(),
        '≥' => (left >= right).into(),
        '≠' => (left != right).into(),
        '&' => (left > 0 && right > 0).into(),
        ':' => (left > 0 || right > 0).into(),
        _ => left.saturating_add(right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_those_of_a_terminal() {
        for (source, expected) in [
            ("n x", true),
            ("t x", false),
            ("!t x", true),
            ("\\n(.g x", true),
            ("!\\nF x", true),
            ("\\nF>0 x", false),
            ("(\\n(rF:(\\n(.g==0)) x", false),
            ("2+3*2>=10 x", true),
            ("'a'a' x", true),
            ("'a'\\*(lq' x", false),
            ("d none x", false),
            ("r none x", false),
        ] {
            let (holds, rest) = decide(source, &mut Definitions::new(0));
            assert_eq!((holds, rest.trim()), (expected, "x"), "{source}");
        }
        let (holds, rest) = decide("n\\{", &mut Definitions::new(0));
        assert_eq!((holds, rest), (true, "\\{"));
    }

    #[test]
    fn expressions_never_fail() {
        assert_eq!(evaluate("1/0"), 0);
        assert_eq!(evaluate("99999999999999999999*9"), i64::MAX);
        assert_eq!(evaluate("(((1+"), 1);
        assert_eq!(evaluate("2m+1.5i"), 3);
        assert_eq!(evaluate("-9223372036854775808-1/-1"), i64::MIN);
    }
}
