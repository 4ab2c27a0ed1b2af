//! Sections that a question names by their numbers: `Art 1 GG`, `§ 4`, `step 3`, `第3章`.

use super::markers::{is_name, is_number, plain};
use super::split::{Item, Role, SECTION, is_section_sign};
use super::{Query, trimmed};
use crate::analyzer::StopWords;

/// What headings call a section that a question has the sign of.
const SIGNED: &[&str] = &["section", "paragraph"];

/// What else sections are called whose headings may have a number without a name, in plain letters.
#[rustfmt::skip]
const OTHER_SECTIONS: &[&str] = &[
    "abschnitt", "clause", "deel", "etape", "example", "exercise", "hoofdstuk", "item", "lesson", "paragraf",
    "part", "parte", "partie", "paso", "passo", "point", "punkt", "question", "rule", "s",
    "schritt", "sectie", "stap", "step", "teil", "topic", "unit", "пункт", "раздел", "часть", "шаг",
];

/// What stands around the number of a section in Chinese and Japanese.
const ORDINAL: char = '第';
const UNITS: &str = "章节節条條回课課部篇步";

/// What may stand behind the number of a section: `Art. 1º`, `Article 1er`.
const ORDINAL_SIGNS: &[&str] = &["º", "ª", "°", "er", "ère"];

/// How many sections a question may name: each hit is compared with all.
const MOST: usize = 32;

/// A section by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Citation {
    /// What such sections are called, in plain letters: one of these.
    names: Vec<String>,
    number: String,
    /// The name and the number as they were typed.
    row: String,
}

impl Query {
    /// Returns whether the question names a section by its number.
    pub(crate) fn has_citations(&self) -> bool {
        !self.citations.is_empty()
    }

    /// Returns whether words in a row are the name and the number of a section that the question names.
    pub(super) fn is_citation(&self, row: &str) -> bool {
        self.citations.iter().any(|of| of.row == row)
    }

    /// Returns whether a section is one that the question names, by its own heading.
    pub(crate) fn cites(&self, heading_path: &[String]) -> bool {
        let Some(heading) = heading_path.last() else {
            return false;
        };
        self.citations.iter().any(|of| of.is_of(heading))
    }
}

/// Returns the sections that the items of a question name.
pub(super) fn citations(items: &[Item<'_>], stop_words: &StopWords) -> Vec<Citation> {
    let may_be = |item: &&Item<'_>| !item.is_quoted && item.role != Role::Excluded;
    let texts: Vec<&str> = items.iter().filter(may_be).map(|of| of.text).collect();
    let pairs = texts.windows(2).filter_map(|pair| {
        let name = trimmed(pair[0]);
        let is_name = !name.is_empty() && name.chars().all(char::is_alphabetic);
        if is_section_sign(pair[0]) {
            Citation::new(SIGNED, pair[1])
        } else if is_name && !stop_words.has(name) {
            Citation::new(&[name], pair[1])
        } else {
            None
        }
    });
    let joined = texts.iter().filter_map(|text| {
        let number = text.strip_prefix(SECTION)?;
        Citation::new(SIGNED, number.trim_start_matches(SECTION))
    });
    let ordinals = texts.iter().filter_map(|text| ordinal(text));
    let all = pairs.chain(joined).chain(ordinals);
    all.take(MOST).collect()
}

/// Reads `第3章` in a text without spaces.
fn ordinal(text: &str) -> Option<Citation> {
    let (_, after) = text.split_once(ORDINAL)?;
    let end = after.find(|of: char| !of.is_ascii_digit())?;
    let unit = after[end..].chars().next()?;
    if !UNITS.contains(unit) {
        return None;
    }
    Citation::new(&[unit.to_string().as_str()], &after[..end])
}

impl Citation {
    fn new(names: &[&str], number: &str) -> Option<Self> {
        let typed = trimmed(number);
        let row = format!("{} {typed}", names.first()?);
        let number = without_ordinal(typed);
        is_number(number).then(|| Self {
            names: names.iter().map(|of| plain(of)).collect(),
            number: number.to_ascii_lowercase(),
            row,
        })
    }

    /// Returns whether a heading begins with the number alone, be it behind the name of such
    /// sections or its beginning. Without one it is cited by what any section is called: `python 3`
    /// is not the third section.
    fn is_of(&self, heading: &str) -> bool {
        let heading = plain(heading.trim());
        if let Some(after) = heading.strip_prefix(ORDINAL) {
            let rest = after.strip_prefix(&*self.number);
            return rest.is_some_and(|rest| self.names.iter().any(|of| rest.starts_with(&**of)));
        }
        let rest = heading.trim_start_matches(char::is_alphabetic);
        let name = &heading[..heading.len() - rest.len()];
        let is_filler = |of: char| of.is_whitespace() || matches!(of, '.' | '#' | SECTION);
        let number = rest.trim_start_matches(is_filler);
        let has_sign = rest[..rest.len() - number.len()].contains(SECTION);
        let is_named = |of: &String| of.starts_with(name) || name.starts_with(&**of);
        let mut names = self.names.iter();
        let is_one = if has_sign {
            names.any(|of| SIGNED.contains(&&**of))
        } else if name.is_empty() {
            names.any(|of| is_section(of))
        } else {
            names.any(is_named)
        };
        is_one && number.strip_prefix(&*self.number).is_some_and(is_end)
    }
}

/// Returns a number without the sign of an ordinal behind it.
fn without_ordinal(number: &str) -> &str {
    let mut signs = ORDINAL_SIGNS.iter();
    let bare = signs.find_map(|sign| number.strip_suffix(sign));
    bare.filter(|bare| is_number(bare)).unwrap_or(number)
}

/// Returns whether a word in plain letters is what a section may be called.
fn is_section(word: &str) -> bool {
    is_name(word) || OTHER_SECTIONS.contains(&word) || UNITS.contains(word)
}

/// Returns whether a number ends before a text: `7` does not in `7-1`, `7.2` and `7a`.
fn is_end(rest: &str) -> bool {
    let mut ordinals = ORDINAL_SIGNS.iter();
    let behind = ordinals.find_map(|sign| rest.strip_prefix(sign));
    let mut signs = behind.unwrap_or(rest).chars();
    match signs.next() {
        None => true,
        Some('-' | '.' | '/' | '\u{2010}'..='\u{2013}') => {
            signs.next().is_none_or(|of| !of.is_alphanumeric())
        }
        Some(first) => !first.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cites(question: &str, heading: &str) -> bool {
        let query = Query::parse(question, &[]).unwrap();
        query.cites(&["Title 4".to_owned(), heading.to_owned()])
    }

    #[test]
    fn a_heading_is_cited_by_its_name_and_number() {
        for (question, heading) in [
            ("Art 1 GG", "Art 1"),
            ("art. 913 quota", "Article 913"),
            ("section 12 of the act", "Sec. 12 Fees"),
            ("section 12", "§ 12"),
            ("§ 4 MuSchG", "§ 4 Overtime"),
            ("§4 MuSchG", "Section 4"),
            ("§ 4a", "§ 4a"),
            ("step 3", "3. Connect"),
            ("Kapitel 2 Draht", "2 Draht"),
            ("第3章", "3 変数"),
            ("chapter 2", "Chapter 2: Wires"),
            ("第3章の内容", "第3章 変数"),
            ("art. 6 ley 17.250", "Artículo 6"),
            ("Ley 17250 articulo 6", "Arti\u{301}culo 6"),
            ("artículo 1", "ARTÍCULO 1º.- Objeto"),
            ("art. 6º", "6. Derechos"),
            ("article 1", "Article 1er"),
            ("άρθρο 6", "ΑΡΘΡΟ 6"),
            ("αρ. 6", "Άρθρο 6"),
            ("ст. 5", "Статья 5. Права"),
            ("Abs. 2", "2 Fristen"),
            ("sec. 4", "Section 4"),
            ("cap. 3", "Capítulo 3"),
        ] {
            assert!(cites(question, heading), "{question} {heading}");
        }
    }

    #[test]
    fn a_part_of_a_number_is_not_cited() {
        for (question, heading) in [
            ("Art 1 GG", "Art 141"),
            ("article 7", "Article 7-1"),
            ("article 7", "Article 16-7"),
            ("article 7", "Article 7.2"),
            ("§ 4", "§ 4a"),
            ("§ 4", "Step 4"),
            ("abs. 1", "§ 1"),
            ("step 3", "Chapter 3"),
            ("第3章", "第3条"),
            ("of 4 words", "4 words"),
            ("python 3 download", "3. Download"),
            ("windows 10 update", "10 Updates"),
        ] {
            assert!(!cites(question, heading), "{question} {heading}");
        }
    }

    #[test]
    fn of_many_sections_the_first_are_cited() {
        let all: Vec<String> = (1..=100).map(|number| format!("Art {number}")).collect();
        let query = Query::parse(&all.join(" "), &[]).unwrap();
        let cited = (1..=100_usize).filter(|number| query.cites(&[format!("Art {number}")]));
        assert_eq!(cited.collect::<Vec<_>>(), (1..=MOST).collect::<Vec<_>>());
    }

    #[test]
    fn the_sign_of_a_section_is_read() {
        let signs = |text| Query::parse(text, &[]).unwrap().reading.signs;
        assert_eq!(signs("§ 4 MuSchG"), [""; 0]);
        assert_eq!(signs("what is § there"), ["§"]);
    }
}
