//! Splitting what was typed into words, quoted phrases and conditions.

use crate::Analyzer;

/// A word or a quoted phrase of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item<'q> {
    /// As typed, without the quotes and the operator.
    pub(super) text: &'q str,
    pub(super) role: Role,
    pub(super) is_quoted: bool,
    /// It stands between backticks.
    pub(super) is_code: bool,
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
    /// `OR` between two others: any word may match anyway.
    Or,
}

/// A run of the text between white space, or a quoted phrase.
#[derive(Clone, Copy)]
struct Token<'q> {
    text: &'q str,
    is_quoted: bool,
    /// A minus stands before the quotes.
    is_minus: bool,
    is_code: bool,
}

impl Token<'_> {
    fn is_operator(&self) -> bool {
        !self.is_quoted && matches!(self.text, "AND" | "NOT")
    }

    /// Returns whether it is a word in capitals, of more than one.
    fn is_in_capitals(&self) -> bool {
        let is_long = self.text.chars().filter(|of| of.is_alphabetic()).count() > 1;
        let has = |is: fn(char) -> bool| self.text.contains(is);
        is_long && !self.is_quoted && has(char::is_uppercase) && !has(char::is_lowercase)
    }
}

/// A question in items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Split<'q> {
    pub(super) items: Vec<Item<'q>>,
    /// No letter of it is a small one.
    pub(super) is_shouted: bool,
    /// `AND` and `NOT` where they would be operators, but are words, as the question is prose or code.
    pub(super) plain_operators: Vec<&'q str>,
}

impl Split<'_> {
    /// Lets the words of a question that only excludes rank, and returns whether it is one.
    pub(super) fn score_what_only_excludes(&mut self) -> bool {
        let mut roles = self.items.iter().map(|item| item.role);
        let only_excluded = roles.all(|role| matches!(role, Role::Excluded | Role::Or));
        let items = self.items.iter_mut().filter(|_| only_excluded);
        for item in items.filter(|item| item.role == Role::Excluded) {
            item.role = Role::Scored;
        }
        only_excluded && !self.items.is_empty()
    }

    /// Requires the words of a question that is one phrase in quotes, and returns whether it is one.
    pub(super) fn require_a_quotation(&mut self) -> bool {
        match &mut *self.items {
            [only] if only.is_quoted => only.role = Role::Required,
            _ => return false,
        }
        true
    }
}

/// Words beside which `AND` and `NOT`, if all are in capitals, are words of SQL or of a specification:
/// `column NOT NULL`, `BETWEEN 1 AND 10`, `MUST NOT be sent`. Sorted.
const KEYWORDS: &[&str] = &[
    "ALL",
    "ALTER",
    "ANY",
    "ARE",
    "AS",
    "BE",
    "BETWEEN",
    "BY",
    "CAN",
    "CASE",
    "CHAIN",
    "CREATE",
    "DEFERRABLE",
    "DELETE",
    "DISTINCT",
    "DO",
    "DROP",
    "ELSE",
    "END",
    "ENFORCED",
    "EXISTS",
    "FROM",
    "GLOB",
    "HAVING",
    "IF",
    "ILIKE",
    "IN",
    "INSERT",
    "INTO",
    "IS",
    "JOIN",
    "LEAKPROOF",
    "LIKE",
    "MATCHED",
    "MATERIALIZED",
    "MAY",
    "MUST",
    "NAND",
    "NOR",
    "NULL",
    "ON",
    "OR",
    "REGEXP",
    "RLIKE",
    "SELECT",
    "SET",
    "SHALL",
    "SHOULD",
    "SIMILAR",
    "TABLE",
    "THEN",
    "UNIQUE",
    "UPDATE",
    "VALID",
    "VALUES",
    "WHEN",
    "WHERE",
    "WILL",
    "XOR",
];

/// The fewest letters or digits before a `*`.
const SHORTEST_BEGINNING: usize = 2;

/// The longest quoted phrase in bytes; a mark that closes only after more is punctuation.
const LONGEST_PHRASE: usize = 1_000;

/// The sign of a section.
pub(super) const SECTION: char = '§';

/// Quotation marks: what opens a phrase and what closes it.
const QUOTES: [(char, &[char]); 4] = [
    ('"', &['"']),
    ('\u{201c}', &['\u{201d}', '\u{201c}']),
    ('\u{201e}', &['\u{201c}', '\u{201d}']),
    ('\u{ab}', &['\u{bb}']),
];

/// Splits a question. `AND` between two items requires both, `NOT x` and `-"x"` exclude. They are words
/// where a sentence or code has them: beside a stop word or a keyword of SQL, in a question without a small letter or
/// of several lines, and `NOT` before a word in capitals: `404 NOT FOUND`. `OR` between two items asks for nothing.
pub(super) fn items(text: &str, is_stop_word: impl Fn(&str) -> bool) -> Split<'_> {
    let tokens = tokens(text);
    let is_shouted = is_shouted(&tokens);
    let is_prose = text.trim().contains('\n') || is_prose(&tokens, is_stop_word);
    let mut split = Split {
        is_shouted,
        ..Split::default()
    };
    let items = &mut split.items;
    let mut role = Role::Scored;
    for (at, token) in tokens.iter().enumerate() {
        let is_last = at + 1 == tokens.len();
        let may_be = token.is_operator() && !is_shouted && !is_last;
        let is_shout = token.text == "NOT" && tokens.get(at + 1).is_some_and(Token::is_in_capitals);
        let is_plain = is_prose || is_shout;
        if may_be && is_plain {
            split.plain_operators.push(token.text);
        }
        let operator = (may_be && !is_plain).then_some(token.text);
        let is_or = !token.is_quoted && token.text == "OR";
        match operator {
            None if is_or && !items.is_empty() && !is_last => items.push(Item {
                text: token.text,
                role: Role::Or,
                is_quoted: false,
                is_code: token.is_code,
            }),
            Some("AND") if !items.is_empty() && role == Role::Scored => {
                require_last(items);
                role = Role::Required;
            }
            Some("NOT") if role != Role::Excluded => role = Role::Excluded,
            _ => {
                let role = std::mem::replace(&mut role, Role::Scored);
                items.push(Item {
                    text: token.text,
                    role: if token.is_minus { Role::Excluded } else { role },
                    is_quoted: token.is_quoted,
                    is_code: token.is_code,
                });
            }
        }
    }
    split
}

/// Returns whether a question has words that no list of words to look for has: keywords, or stop words of
/// more than a letter that are not themselves required or excluded.
fn is_prose(tokens: &[Token<'_>], is_stop_word: impl Fn(&str) -> bool) -> bool {
    let is_and = |at: usize| tokens.get(at).is_some_and(|token| token.text == "AND");
    let is_operand = |at: usize| at > 0 && tokens[at - 1].is_operator() || is_and(at + 1);
    let mut words = tokens.iter().enumerate();
    words.any(|(at, token)| {
        let word = token
            .text
            .trim_matches(|letter: char| !Analyzer::is_of_word(letter));
        if token.is_quoted || token.is_operator() {
            return false;
        }
        let is_acronym = !word.contains(char::is_lowercase);
        let is_long = word.chars().nth(1).is_some();
        let is_common = is_long && !is_acronym && !is_operand(at) && is_stop_word(word);
        is_common || KEYWORDS.binary_search(&word).is_ok()
    })
}

/// Returns whether a text is the sign of a section, or of several.
pub(super) fn is_section_sign(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|of| of == SECTION)
}

fn require_last(items: &mut [Item<'_>]) {
    if let Some(last) = items.last_mut().filter(|last| last.role == Role::Scored) {
        last.role = Role::Required;
    }
}

/// Returns whether a question has letters of two cases and uses only the upper one.
fn is_shouted(tokens: &[Token<'_>]) -> bool {
    let words = tokens.iter().filter(|token| !token.is_operator());
    let letters = || words.clone().flat_map(|token| token.text.chars());
    letters().any(char::is_uppercase) && !letters().any(char::is_lowercase)
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    let has_code = text.matches('`').count().is_multiple_of(2);
    let mut is_code = false;
    let mut is_after_space = true;
    while !rest.is_empty() {
        let (token, after) = next_token(rest, is_after_space);
        let marks = token.text.matches('`').count();
        tokens.push(Token {
            is_code: has_code && (is_code || marks > 0),
            ..token
        });
        is_code ^= marks % 2 == 1;
        rest = after.trim_start();
        is_after_space = rest.len() < after.len();
    }
    tokens
}

/// Takes a token off a text that does not begin with white space. A minus excludes only after some, and at the beginning.
fn next_token(text: &str, is_after_space: bool) -> (Token<'_>, &str) {
    let after_minus = text.strip_prefix('-').filter(|_| is_after_space);
    if let Some((quoted, after)) = after_minus.and_then(quoted).or_else(|| quoted(text)) {
        let token = Token {
            text: quoted,
            is_quoted: true,
            is_minus: text.starts_with('-'),
            is_code: false,
        };
        return (token, after);
    }
    let is_quote = |at: usize| !Analyzer::is_gershayim(text, at) && quoted(&text[at..]).is_some();
    let end = text
        .char_indices()
        .skip(1)
        .find(|&(at, character)| character.is_whitespace() || is_quote(at))
        .map_or(text.len(), |(at, _)| at);
    let token = Token {
        text: &text[..end],
        is_quoted: false,
        is_minus: false,
        is_code: false,
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
    let mut ends = near.match_indices(*closing).map(|(at, _)| at);
    let end = ends.find(|&at| !Analyzer::is_gershayim(near, at))?;
    let closes = inside[end..].chars().next()?;
    Some((&inside[..end], &inside[end + closes.len_utf8()..]))
}

/// Returns what words have to begin with, for an item such as `inst*`, `pg_stat_*` or `git-re*`: after a hyphen or a full
/// stop a word of its own begins.
pub(super) fn beginning<'q>(item: &Item<'q>) -> Option<&'q str> {
    let beginning = item.text.strip_suffix('*')?;
    let is_plain = |of: char| Analyzer::is_of_word(of) || matches!(of, '_' | '-' | '.');
    let is_word = beginning.starts_with(|of: char| of.is_alphanumeric() || of == '_');
    let last = beginning.rsplit(['-', '.']).next()?;
    let letters = last.chars().filter(|of| of.is_alphanumeric()).count();
    let is_plain = is_word && beginning.chars().all(is_plain) && letters >= SHORTEST_BEGINNING;
    (!item.is_quoted && is_plain).then_some(beginning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyzer::StopWords;

    fn is_stop_word(word: &str) -> bool {
        StopWords::of(word, &[]).has(word)
    }

    fn check(text: &str, expected: &[&str]) {
        let split = items(text, is_stop_word);
        let shown = split.items.into_iter().map(|item| {
            let role = match item.role {
                Role::Scored => "",
                Role::Required => "+",
                Role::Excluded => "-",
                Role::Or => "|",
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
    fn or_between_items_is_no_word() {
        check("kiwi OR mango", &["kiwi", "|OR", "mango"]);
        check("Portland OR", &["Portland", "OR"]);
        check("OR gate", &["OR", "gate"]);
        check("a \"OR\" b", &["a", "\"OR\"", "b"]);
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
        check("NOT NOT x", &["NOT", "-x"]);
        check("kiwi NOT \"FOUND\" NOT C", &["kiwi", "-\"FOUND\"", "-C"]);
        check("\"A\"-\"Z\" -\"x\"", &["\"A\"", "-", "\"Z\"", "-\"x\""]);
    }

    #[test]
    fn operators_of_sentences_and_of_code_are_words() {
        for text in [
            "Printer is NOT working",
            "column NOT NULL constraint",
            "x BETWEEN 1 AND 10",
            "NOT IN with null",
            "truth table of AND and OR",
            "a client MUST NOT send it",
            "nginx 404 NOT FOUND",
            "status NOT IMPLEMENTED 501",
            "pear NOT\napple",
        ] {
            let split = items(text, is_stop_word);
            let mut roles = split.items.iter().map(|item| item.role);
            assert!(roles.all(|role| role == Role::Scored), "{text}");
            assert_eq!(split.items.len(), text.split_whitespace().count());
            assert_eq!(split.plain_operators.len(), 1, "{text}");
        }
        for text in [
            "IT AND finance",
            "\"the art\" NOT draft",
            "NASA AND ESA budget",
        ] {
            assert!(
                items(text, is_stop_word).plain_operators.is_empty(),
                "{text}"
            );
        }
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn words_between_backticks_are_code() {
        let split = items("what is a `for loop` and `if`, so?", is_stop_word);
        let code = split.items.iter().filter(|item| item.is_code);
        let code: Vec<_> = code.map(|item| item.text).collect();
        assert_eq!(code, ["`for", "loop`", "`if`,"]);
        let open = items("a ` mark", is_stop_word).items;
        assert!(open.iter().all(|item| !item.is_code));
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
    fn marks_of_hebrew_abbreviations_make_no_phrases() {
        check("צה\"ל וארה\"ב", &["צה\"ל", "וארה\"ב"]);
        check("\"מנכ\"ל החברה\" שכר", &["\"מנכ\"ל החברה\"", "שכר"]);
    }

    #[test]
    fn other_marks_are_punctuation() {
        check("a 5\" disk", &["a", "5\"", "disk"]);
        check("\"x y", &["\"x", "y"]);
        check("it \" is", &["it", "\"", "is"]);
        check("\"", &["\""]);
    }
}
