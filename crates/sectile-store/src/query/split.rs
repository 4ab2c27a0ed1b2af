//! Splitting what was typed into words, quoted phrases and conditions.

/// A word or a quoted phrase of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item<'q> {
    /// As typed, without the quotes and the operator.
    pub(super) text: &'q str,
    pub(super) role: Role,
    pub(super) is_quoted: bool,
}

/// What an item is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It ranks.
    Scored,
    /// It ranks, and every hit has it.
    Required,
    /// No hit has it.
    Excluded,
}

/// A run of the text between white space, or a quoted phrase.
#[derive(Clone, Copy)]
struct Token<'q> {
    text: &'q str,
    is_quoted: bool,
    /// A minus stands before the quotes.
    is_minus: bool,
}

/// The longest quoted phrase in bytes; a mark that closes only after more is punctuation.
const LONGEST_PHRASE: usize = 1_000;

/// Quotation marks: what opens a phrase and what closes it.
const QUOTES: [(char, &[char]); 4] = [
    ('"', &['"']),
    ('\u{201c}', &['\u{201d}', '\u{201c}']),
    ('\u{201e}', &['\u{201c}', '\u{201d}']),
    ('\u{ab}', &['\u{bb}']),
];

/// Splits a question. `AND` between two items requires both, `NOT x` and `-"x"` exclude; a question
/// without a small letter is shouted, and these are words of it.
pub(super) fn items(text: &str) -> Vec<Item<'_>> {
    let tokens = tokens(text);
    let has_operators = !is_shouted(&tokens);
    let mut items: Vec<Item<'_>> = Vec::new();
    let mut role = Role::Scored;
    for (at, token) in tokens.iter().enumerate() {
        let is_last = at + 1 == tokens.len();
        let operator = (has_operators && !token.is_quoted && !is_last).then_some(token.text);
        match operator {
            Some("AND") if !items.is_empty() && role == Role::Scored => {
                require_last(&mut items);
                role = Role::Required;
            }
            Some("NOT") if role != Role::Excluded => role = Role::Excluded,
            _ => {
                let role = std::mem::replace(&mut role, Role::Scored);
                items.push(Item {
                    text: token.text,
                    role: if token.is_minus { Role::Excluded } else { role },
                    is_quoted: token.is_quoted,
                });
            }
        }
    }
    items
}

fn require_last(items: &mut [Item<'_>]) {
    if let Some(last) = items.last_mut().filter(|last| last.role == Role::Scored) {
        last.role = Role::Required;
    }
}

/// Says whether a question has letters of two cases and uses only the upper one.
fn is_shouted(tokens: &[Token<'_>]) -> bool {
    let is_operator = |text: &str| text == "AND" || text == "NOT";
    let words = tokens.iter().filter(|token| !is_operator(token.text));
    let letters = || words.clone().flat_map(|token| token.text.chars());
    letters().any(char::is_uppercase) && !letters().any(char::is_lowercase)
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (token, after) = next_token(rest);
        tokens.push(token);
        rest = after.trim_start();
    }
    tokens
}

/// Takes a token off a text that does not begin with white space.
fn next_token(text: &str) -> (Token<'_>, &str) {
    let after_minus = text.strip_prefix('-');
    if let Some((quoted, after)) = after_minus.and_then(quoted).or_else(|| quoted(text)) {
        let token = Token {
            text: quoted,
            is_quoted: true,
            is_minus: text.starts_with('-'),
        };
        return (token, after);
    }
    let end = text
        .char_indices()
        .skip(1)
        .find(|&(at, character)| character.is_whitespace() || quoted(&text[at..]).is_some())
        .map_or(text.len(), |(at, _)| at);
    let token = Token {
        text: &text[..end],
        is_quoted: false,
        is_minus: false,
    };
    (token, &text[end..])
}

/// Takes a quoted phrase off the beginning of a text. A mark that nothing closes, or that closes
/// within a word as in `5"`, is no quotation mark.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let first = text.chars().next()?;
    let (_, closing) = QUOTES.iter().find(|(opening, _)| *opening == first)?;
    let inside = &text[first.len_utf8()..];
    if inside.starts_with(char::is_whitespace) {
        return None;
    }
    let near = &inside[..inside.floor_char_boundary(LONGEST_PHRASE)];
    let end = near.find(*closing)?;
    let closes = inside[end..].chars().next()?;
    Some((&inside[..end], &inside[end + closes.len_utf8()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let shown = items(text).into_iter().map(|item| {
            let role = match item.role {
                Role::Scored => "",
                Role::Required => "+",
                Role::Excluded => "-",
            };
            let quote = if item.is_quoted { "\"" } else { "" };
            format!("{role}{quote}{}{quote}", item.text)
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text:?}");
    }

    #[test]
    fn words_and_flags_are_words() {
        check("git commit -m", &["git", "commit", "-m"]);
        check("Get-ChildItem -Recurse", &["Get-ChildItem", "-Recurse"]);
        check("  a - b  ", &["a", "-", "b"]);
        check("", &[]);
    }

    #[test]
    fn operators_restrict() {
        check(
            "alpha AND beta gamma AND \"d e\"",
            &["+alpha", "+beta", "+gamma", "+\"d e\""],
        );
        check("alpha NOT beta gamma", &["alpha", "-beta", "gamma"]);
        check("alpha AND NOT beta", &["+alpha", "-beta"]);
        check("alpha -\"b c\" NOT \"d\"", &["alpha", "-\"b c\"", "-\"d\""]);
    }

    #[test]
    fn operators_at_the_ends_and_in_capitals_are_words() {
        check(
            "AND this and that AND",
            &["AND", "this", "and", "that", "AND"],
        );
        check("what does this NOT", &["what", "does", "this", "NOT"]);
        check("DO NOT DISTURB", &["DO", "NOT", "DISTURB"]);
        check("東京 NOT 大阪", &["東京", "-大阪"]);
        check("NOT NOT x", &["-NOT", "x"]);
    }

    #[test]
    fn marks_that_close_make_phrases() {
        check("say \u{201c}a b\u{201d} now", &["say", "\"a b\"", "now"]);
        check(
            "\u{201e}a b\u{201c} \u{ab}c d\u{bb}",
            &["\"a b\"", "\"c d\""],
        );
        check("the\"x y\"z", &["the", "\"x y\"", "z"]);
    }

    #[test]
    fn other_marks_are_punctuation() {
        check("a 5\" disk", &["a", "5\"", "disk"]);
        check("\"x y", &["\"x", "y"]);
        check("it \" is", &["it", "\"", "is"]);
        check("\"", &["\""]);
    }
}
