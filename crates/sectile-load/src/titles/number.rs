//! The numbers that titles begin with.

/// How many bytes the number of a title has at most.
const LONGEST: usize = 12;

/// Words that name a numbered part of a document, in small letters.
#[rustfmt::skip]
const PARTS: [&str; 36] = [
    "annex", "annexe", "anhang", "appendix", "article", "artículo", "articolo", "artikel", "artykuł", "abschnitt", "band",
    "book", "capitolo", "capítulo", "capitulo", "chapitre", "chapter", "článek", "kapitel", "kapitola", "livre", "libro",
    "part", "parte", "partie", "rozdział", "section", "teil", "tome", "tomo", "volume", "глава", "приложение", "раздел",
    "статья", "стаття",
];

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Digits,
    Roman,
    Letter,
    /// A word and a number, as in `Article 5`.
    Part,
}

/// The number of a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) kind: Kind,
    /// How many numbers it has, such as two in `1.2`.
    pub(super) depth: usize,
    /// The first of them.
    pub(super) first: u32,
}

impl Number {
    /// Returns `I.`, `V.` or `X.` as a letter, if it comes after a last letter: `I.` after `H.`.
    pub(super) fn after(self, last: u32) -> Self {
        let letter = match (self.kind, self.first) {
            (Kind::Roman, 1) => 'I',
            (Kind::Roman, 5) => 'V',
            (Kind::Roman, 10) => 'X',
            _ => return self,
        };
        let place = place(letter);
        if place == last + 1 {
            number(Kind::Letter, 1, place)
        } else {
            self
        }
    }
}

/// Reads the number that a title begins with, and returns it with the rest of the title.
pub(super) fn split(title: &str) -> Option<(Number, &str)> {
    digits(title)
        .or_else(|| roman(title))
        .or_else(|| letter(title))
        .or_else(|| part(title))
}

/// Returns whether a title begins with a word that names a part of a document.
pub(super) fn names_part(title: &str) -> bool {
    let word = title.split(|sign: char| !sign.is_alphabetic()).next();
    word.is_some_and(|word| PARTS.contains(&&*word.to_lowercase()))
}

fn number(kind: Kind, depth: usize, first: u32) -> Number {
    Number { kind, depth, first }
}

/// Reads `1.`, `2)` or `1.2`, which a letter or a quotation mark follows.
fn digits(title: &str) -> Option<(Number, &str)> {
    let is_rest = |sign: char| !sign.is_ascii_digit() && sign != '.';
    let end = title.find(is_rest).filter(|end| *end <= LONGEST)?;
    let (written, rest) = title.split_at(end);
    let (is_closed, rest) = match rest.strip_prefix(')') {
        Some(rest) => (true, rest),
        None => (written.contains('.'), rest),
    };
    let mut numbers = written.strip_suffix('.').unwrap_or(written).split('.');
    let depth = numbers.clone().count();
    let is_one = |part: &str| (1..=3).contains(&part.len());
    let first = numbers.clone().next()?.parse().ok()?;
    let is_number = is_closed && numbers.all(is_one);
    is_number.then(|| (number(Kind::Digits, depth, first), rest.trim_start()))
}

/// Reads `IV.`, which white space follows.
fn roman(title: &str) -> Option<(Number, &str)> {
    let (written, rest) = marked(title)?;
    let value = |sign: char| match sign {
        'I' => Some(1),
        'V' => Some(5),
        'X' => Some(10),
        _ => None,
    };
    let values: Vec<u32> = written.chars().map(value).collect::<Option<_>>()?;
    // A smaller number before a larger one is taken from it.
    let total = values
        .iter()
        .rev()
        .fold((0_u32, 0), |(sum, after), &value| {
            let sum = if value < after {
                sum.saturating_sub(value)
            } else {
                sum + value
            };
            (sum, value)
        });
    Some((number(Kind::Roman, 1, total.0), rest))
}

/// Reads `A.`, which white space follows.
fn letter(title: &str) -> Option<(Number, &str)> {
    let (written, rest) = marked(title)?;
    let letter = written.chars().next().filter(|_| written.len() == 1)?;
    let value = letter.is_ascii_uppercase().then(|| place(letter))?;
    Some((number(Kind::Letter, 1, value), rest))
}

/// Returns the place of a capital letter in the alphabet, from 1.
fn place(letter: char) -> u32 {
    u32::from(letter) - u32::from('A') + 1
}

/// Splits a word with a full stop or a parenthesis behind it from the rest.
fn marked(title: &str) -> Option<(&str, &str)> {
    let (word, rest) = title.split_once(char::is_whitespace)?;
    let written = word.strip_suffix(['.', ')'])?;
    (!written.is_empty() && written.len() <= LONGEST).then(|| (written, rest.trim_start()))
}

/// Reads `Article 5`, with a title behind it or none.
fn part(title: &str) -> Option<(Number, &str)> {
    let (word, rest) = title.split_once(' ')?;
    let end = rest
        .find(|sign: char| !sign.is_ascii_digit())
        .unwrap_or(rest.len());
    let first = rest[..end].parse().ok().filter(|_| end <= 3)?;
    names_part(word).then(|| (number(Kind::Part, 1, first), title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_all_forms() {
        for (title, expected) in [
            ("1. Scope", Some((Kind::Digits, 1, 1, "Scope"))),
            ("2.10 Use", Some((Kind::Digits, 2, 2, "Use"))),
            ("3.Предмет", Some((Kind::Digits, 1, 3, "Предмет"))),
            ("4) Terms", Some((Kind::Digits, 1, 4, "Terms"))),
            ("IV. Terms", Some((Kind::Roman, 1, 4, "Terms"))),
            ("XIX. Terms", Some((Kind::Roman, 1, 19, "Terms"))),
            ("C. Terms", Some((Kind::Letter, 1, 3, "Terms"))),
            ("Article 5", Some((Kind::Part, 1, 5, "Article 5"))),
            (
                "Статья 12. Срок",
                Some((Kind::Part, 1, 12, "Статья 12. Срок")),
            ),
            ("5 apples", None),
            ("2024. Year", None),
            ("Chapter One", None),
            ("1..2 Use", None),
            ("", None),
        ] {
            let found =
                split(title).map(|(number, rest)| (number.kind, number.depth, number.first, rest));
            assert_eq!(found, expected, "{title}");
        }
    }
}
