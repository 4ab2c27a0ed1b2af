//! Comments, strings and documents of several lines, in which no definition stands.

use std::borrow::Cow;
use std::collections::HashSet;

/// How comments, strings and documents of a language begin and end.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a trait of a language by itself"
)]
pub(super) struct Literals {
    /// What comments and strings of several lines begin and end with. A longer beginning comes first.
    pub(super) blocks: &'static [(&'static str, &'static str)],
    /// The beginnings of lines after which no code follows, and those of the lines that end this; without
    /// one, nothing that follows is code.
    pub(super) sections: &'static [(&'static str, Option<&'static str>)],
    /// The signs that strings begin and end with.
    pub(super) quotes: &'static [char],
    /// Whether strings may have several lines.
    pub(super) are_strings_long: bool,
    /// Whether there are documents that end with a word of their own: `<<END`.
    pub(super) has_documents: bool,
    /// Whether a backslash before a quote makes it a letter outside of strings, too, as in Lisp.
    pub(super) has_letters: bool,
    /// Whether strings are in tags between dollar signs, and data may follow a statement, as in SQL.
    pub(super) is_sql: bool,
}

/// Comments and strings as in C.
pub(super) const C: Literals = Literals {
    blocks: &[("/*", "*/")],
    quotes: &['"'],
    ..NONE
};

/// No literals of several lines.
pub(super) const NONE: Literals = Literals {
    blocks: &[],
    sections: &[],
    quotes: &[],
    are_strings_long: false,
    has_documents: false,
    has_letters: false,
    is_sql: false,
};

/// Documents with a word of their own at the end, and strings.
pub(super) const DOCUMENTS: Literals = Literals {
    quotes: &['"', '\''],
    has_documents: true,
    ..NONE
};

/// What a backslash means in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escapes {
    /// Itself.
    None,
    /// That the next sign is one of the string.
    Backslash,
    /// Either, as in SQL: `'it\'s'` and `'C:\'`.
    Unsure,
}

/// What ends something of several lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A mark.
    Mark(Cow<'static, str>),
    /// A quote, unless a backslash takes it away.
    Quote { sign: char, escapes: Escapes },
    /// A line that begins with a mark.
    Line(&'static str),
    /// A line that is a word.
    Word(String),
    /// Nothing.
    Never,
}

impl End {
    /// Returns what follows the end in a line that has it.
    pub(super) fn behind<'a>(&self, line: &'a str) -> Option<&'a str> {
        match self {
            Self::Mark(mark) => line.split_once(&**mark).map(|(_, rest)| rest),
            Self::Quote { sign, escapes } => {
                let end = quote_end(line, *sign, *escapes)?;
                Some(&line[end..])
            }
            Self::Line(mark) => line.starts_with(mark).then_some(""),
            Self::Word(word) => (line == word).then_some(""),
            Self::Never => None,
        }
    }
}

/// The literals that a text can have.
pub(super) struct Finder<'a> {
    literals: Literals,
    comments: &'static [&'static str],
    /// The blocks whose ends are in the text. Without one, the beginning means something else.
    blocks: Vec<(&'static str, &'static str)>,
    /// The lines of one word, which may end documents.
    words: HashSet<&'a str>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(
        literals: Literals,
        comments: &'static [&'static str],
        text: &'a str,
    ) -> Self {
        let blocks = literals.blocks.iter().copied();
        let lines = text.lines().filter(|_| literals.has_documents);
        Self {
            literals,
            comments,
            blocks: blocks.filter(|(_, close)| text.contains(close)).collect(),
            words: lines.map(str::trim).filter(|line| is_word(line)).collect(),
        }
    }

    /// Returns what ends the section that a line begins, or what it leaves open.
    pub(super) fn begun(&self, line: &str, is_at_margin: bool) -> Option<End> {
        self.section(line, is_at_margin)
            .or_else(|| self.opened(line))
    }

    /// Returns what ends the comment, the string or the document that a line, or the rest of one, leaves open.
    pub(super) fn opened(&self, line: &str) -> Option<End> {
        let mut document = None;
        let mut at = 0;
        while let Some(first) = line[at..].chars().next() {
            let (before, rest) = line.split_at(at);
            if let Some((open, close)) = self.block(before, rest) {
                match rest[open.len()..].find(close) {
                    Some(length) => at += open.len() + length + close.len(),
                    None => return Some(End::Mark(Cow::Borrowed(close))),
                }
            } else if self.begins_comment(before, rest) {
                break;
            } else if let Some((open, close)) = self.oracle_quote(before, rest) {
                match rest[open..].find(&close) {
                    Some(length) => at += open + length + close.len(),
                    None => return Some(End::Mark(Cow::Owned(close))),
                }
            } else if let Some(letter) = self.letter(rest) {
                at += letter.len();
            } else if self.literals.quotes.contains(&first) {
                let escapes = self.escapes(before);
                match quote_end(&rest[1..], first, escapes) {
                    Some(length) => at += 1 + length,
                    None if !self.is_long(before, first) => break,
                    None => {
                        return Some(End::Quote {
                            sign: first,
                            escapes,
                        });
                    }
                }
            } else if let Some(tag) = self.dollar_tag(rest) {
                match rest[tag.len()..].find(tag) {
                    Some(length) => at += length + 2 * tag.len(),
                    None => return Some(End::Mark(Cow::Owned(tag.to_owned()))),
                }
            } else {
                document = self.document(rest).or(document);
                at += first.len_utf8();
            }
        }
        document.map(|word| End::Word(word.to_owned()))
    }

    /// Returns what a backslash means in the string that begins behind a text.
    fn escapes(&self, before: &str) -> Escapes {
        if self.literals.is_sql {
            Escapes::Unsure
        } else if before.ends_with('@') {
            Escapes::None
        } else {
            Escapes::Backslash
        }
    }

    /// Returns whether a string with a quote may have several lines. In SQL, an apostrophe of a remark begins none: it is
    /// behind a letter, as only those are before a string that say what it is.
    fn is_long(&self, before: &str, quote: char) -> bool {
        if !self.literals.is_sql {
            return self.literals.are_strings_long;
        }
        let bare = before.strip_suffix(STRING_LETTERS).unwrap_or(before);
        quote == '\'' && !bare.ends_with(char::is_alphanumeric)
    }

    /// Returns the quote that is a letter and begins here, with what makes it one.
    fn letter(&self, rest: &str) -> Option<&'static str> {
        let escaped = self.literals.has_letters.then_some("\\\"");
        let mut letters = QUOTED_QUOTES.into_iter().chain(escaped);
        letters.find(|letter| rest.starts_with(letter))
    }

    /// Returns what ends the section that a line begins. The signs of POD begin one at the margin alone: elsewhere, they
    /// assign.
    fn section(&self, line: &str, is_at_margin: bool) -> Option<End> {
        if self.literals.is_sql && is_copy(line) {
            return Some(End::Line("\\."));
        }
        let begins =
            |open: &str| line.starts_with(open) && (is_at_margin || !open.starts_with('='));
        let mut sections = self.literals.sections.iter();
        let (_, close) = sections.find(|(open, _)| begins(open))?;
        Some(close.map_or(End::Never, End::Line))
    }

    /// Returns the block that begins here. A brace behind a dollar sign is that of a variable.
    fn block(&self, before: &str, rest: &str) -> Option<(&'static str, &'static str)> {
        let mut blocks = self.blocks.iter().copied();
        let found = blocks.find(|(open, _)| rest.starts_with(open));
        found.filter(|(open, _)| !(open.starts_with('{') && before.ends_with('$')))
    }

    /// Returns whether a comment begins here that goes on to the end of the line.
    fn begins_comment(&self, before: &str, rest: &str) -> bool {
        let is_apart = before.is_empty() || before.ends_with(char::is_whitespace);
        let mut signs = self.comments.iter().filter(|sign| COMMENTS.contains(sign));
        is_apart && signs.any(|sign| rest.starts_with(sign))
    }

    /// Returns the tag of a string between dollar signs that begins here: `$$`, `$body$`.
    fn dollar_tag<'t>(&self, rest: &'t str) -> Option<&'t str> {
        let inner = rest.strip_prefix('$').filter(|_| self.literals.is_sql)?;
        let (name, _) = inner.split_once('$')?;
        let is_tag = name.is_empty() || is_word(name);
        is_tag.then(|| &rest[..name.len() + 2])
    }

    /// Returns how long the beginning of a string of Oracle is that begins here, and what ends it: `q'[…]'`, `nq'!…!'`.
    fn oracle_quote(&self, before: &str, rest: &str) -> Option<(usize, String)> {
        let is_within_word =
            before.ends_with(|letter: char| letter.is_alphanumeric() || "_$#".contains(letter));
        if !self.literals.is_sql || is_within_word {
            return None;
        }
        let inner = rest.strip_prefix(['N', 'n']).unwrap_or(rest);
        let inner = inner.strip_prefix(['Q', 'q'])?.strip_prefix('\'')?;
        let sign = inner.chars().next()?;
        if sign.is_alphanumeric() || sign.is_whitespace() || matches!(sign, '\'' | ')' | ',' | ';')
        {
            return None;
        }
        let close = match sign {
            '(' => ')',
            '<' => '>',
            '[' => ']',
            '{' => '}',
            other => other,
        };
        let open = rest.len() - inner.len() + sign.len_utf8();
        Some((open, format!("{close}'")))
    }

    /// Returns the word that ends the document that begins here: `<<END`, `<<-END`, `<<~"END"`.
    fn document<'t>(&self, rest: &'t str) -> Option<&'t str> {
        let inner = rest
            .strip_prefix("<<")
            .filter(|_| self.literals.has_documents)?;
        let inner = inner.strip_prefix(['-', '~']).unwrap_or(inner);
        let inner = inner.strip_prefix(['"', '\'']).unwrap_or(inner);
        let is_end = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
        let word = inner.split(is_end).next()?;
        self.words.contains(word).then_some(word)
    }
}

/// The signs that begin a comment anywhere in a line. Others begin attributes and the like.
const COMMENTS: [&str; 6] = ["!", "#", "%", "--", "//", ";"];

/// Letters that strings of SQL may begin with.
const STRING_LETTERS: [char; 8] = ['B', 'E', 'N', 'X', 'b', 'e', 'n', 'x'];

/// Letters in quotes that begin no string.
const QUOTED_QUOTES: [&str; 2] = ["'\"'", "'\\\"'"];

/// Returns whether a line is a statement that data follow: `COPY goods FROM stdin;`.
fn is_copy(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    line.starts_with("copy ") && line.contains("from stdin")
}

fn is_word(text: &str) -> bool {
    let is_of_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !text.starts_with(|letter: char| letter.is_ascii_digit())
        && !text.is_empty()
        && text.bytes().all(is_of_word)
}

/// Returns where a string ends that a text begins in, its quote included.
fn quote_end(text: &str, sign: char, escapes: Escapes) -> Option<usize> {
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        if letter == sign {
            return Some(at + letter.len_utf8());
        }
        let is_escape = letter == '\\'
            && match escapes {
                Escapes::None => false,
                Escapes::Backslash => true,
                Escapes::Unsure => {
                    let behind = &text[at + 1..];
                    !(is_followed_by_end(behind, sign)
                        || at == 0 && is_followed_by_space(behind, sign))
                }
            };
        if is_escape {
            letters.next();
        }
    }
    None
}

/// Returns whether a text begins with a quote behind which a string has ended.
fn is_followed_by_end(text: &str, sign: char) -> bool {
    let behind = text.strip_prefix(sign).map(str::trim_start);
    behind.is_some_and(|behind| behind.is_empty() || behind.starts_with([',', ')', ';']))
}

/// Returns whether a text begins with a quote and white space: a string with nothing but a backslash has ended, as in
/// `LIKE '!_' ESCAPE '\' AND`.
fn is_followed_by_space(text: &str, sign: char) -> bool {
    let behind = text.strip_prefix(sign);
    behind.is_some_and(|behind| behind.starts_with(char::is_whitespace))
}
