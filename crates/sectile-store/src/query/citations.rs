//! Sections that a question names by their numbers: `Art 1 GG`, `§ 4`, `step 3`, `第3章`.

use super::dates::is_behind_day;
use super::designators::{designated, joined};
use super::markers::{
    is_end, is_name, is_number, is_short_of, name_behind, plain, without_ordinal,
};
use super::ordinals::{Ordinal, is_unit};
use super::split::{Item, Role, SECTION, is_section_sign};
use super::{Query, section_parts, trimmed};
use crate::analyzer::StopWords;

/// What headings call a section that a question has the sign of.
#[rustfmt::skip]
const SIGNED: &[&str] = &[
    "section", "paragraph", "paragraaf", "paragraf", "paragrafus", "pykala", "szakasz",
];

/// What else sections are called whose headings may have a number without a name, in plain letters.
#[rustfmt::skip]
const OTHER_SECTIONS: &[&str] = &[
    "clause", "deel", "etape", "example", "exercise", "hoofdstuk", "item", "lesson", "paragraf",
    "part", "parte", "partie", "paso", "passo", "point", "punkt", "question", "rule", "s",
    "schritt", "sectie", "stap", "step", "teil", "topic", "unit", "пункт", "раздел", "часть", "шаг",
];

/// What sections with several numbers are called, in plain letters: who asks for `chapter 13.2.3` may mean `Section 13.2.3`.
#[rustfmt::skip]
const NESTED: &[&str] = &[
    "abschnitt", "avsnitt", "capitol", "capitolo", "capitulo", "chapitre", "chapter", "hoofdstuk", "kapitel",
    "kapitola", "kapittel", "paragraph", "seccion", "secao", "sectie", "section", "sezione", "глава", "раздел",
];

/// Verbs that only ask what a section says, in plain letters: `what does section 4 say`. Sorted.
#[rustfmt::skip]
const SAYING: &[&str] = &[
    "besagt", "contain", "contains", "cover", "covers", "dice", "dit", "diz", "mean", "means", "prevede", "prevoit",
    "regelt", "regulate", "regulates", "require", "requires", "sagt", "say", "says", "staat", "state", "states",
    "steht", "zegt",
];

/// How many sections a question may name: each hit is compared with all.
const MOST: usize = 32;

/// What stands between a number or the sign of a section and an ending: `5'inci madde`, `5. §-ban`.
const BEFORE_ENDINGS: &[char] = &['\'', '\u{2019}', '-'];

/// What the parts of a section are called, by whose numbers it is not cited, in plain letters: with any ending, or bare.
const PARTS: &[&str] = &["bekezdes", "moment", "stycke"];
const BARE_PARTS: &[&str] = &["bek", "mom", "st"];

/// A section by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Citation {
    /// What such sections are called, in plain letters: one of these.
    names: Vec<String>,
    number: String,
    /// The name and the number as they were typed.
    row: String,
    /// The words that name it and do nothing else, in plain letters.
    words: Vec<String>,
}

impl Query {
    /// Returns whether the question names a section by its number, or a version.
    pub(crate) fn has_citations(&self) -> bool {
        !self.citations.is_empty() || self.asked_version.is_some()
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
        let of_version = self.asked_version.as_ref();
        let mut citations = self.citations.iter();
        citations.any(|of| of.is_of(heading)) || of_version.is_some_and(|of| of.is_of(heading))
    }

    /// Returns whether a section is right below one of the version that the question names.
    pub(crate) fn cites_above(&self, heading_path: &[String]) -> bool {
        let above = heading_path.iter().rev().nth(1);
        let of_version = self.asked_version.as_ref().zip(above);
        of_version.is_some_and(|(version, above)| version.is_of(above))
    }
}

/// Returns the sections that the items of a question name.
pub(super) fn citations(items: &[Item<'_>], stop_words: &StopWords) -> Vec<Citation> {
    let may_be = |item: &&Item<'_>| !item.is_quoted && item.role != Role::Excluded;
    let texts: Vec<&str> = items.iter().filter(may_be).map(|of| of.text).collect();
    let joined = texts.iter().filter_map(|text| {
        let number = text.trim_matches(SECTION);
        let is_joined = number.len() < text.len();
        is_joined.then(|| Citation::new(SIGNED, number)).flatten()
    });
    let ordinals = texts.iter().filter_map(|text| {
        let ordinal = Ordinal::in_text(text)?;
        let unit = ordinal.unit.to_string();
        let citation = Citation::new(&[&*unit], &ordinal.number)?;
        Some(Citation {
            row: ordinal.typed,
            ..citation
        })
    });
    let designated = texts.iter().filter_map(|text| {
        let number = designated(trimmed(text))?;
        number
            .contains('-')
            .then(|| Citation::of_designated("article", number))
    });
    let pairs = pairs(&texts, stop_words).into_iter();
    let found = pairs.chain(joined).chain(ordinals).chain(designated);
    let mut found: Vec<Citation> = found.take(MOST).collect();
    let Some(first) = found.iter().position(Citation::is_of_section) else {
        return found;
    };
    let of_parts = section_parts::words(&texts, |word| {
        let mut sections = found.iter().filter(|of| of.is_of_section());
        sections.any(|of| of.number == word)
    });
    found[first].words.extend(of_parts);
    let verb = only_verb(&texts, &found, stop_words);
    found[first].words.extend(verb);
    found
}

/// Returns the verb of a question that asks what a section says, and nothing else.
fn only_verb(texts: &[&str], cited: &[Citation], stop_words: &StopWords) -> Option<String> {
    let is_of_section = |word: &String| {
        let mut sections = cited.iter().filter(|of| of.is_of_section());
        sections.any(|of| of.words.contains(word))
    };
    let words = texts.iter().map(|text| trimmed(text));
    let words = words.filter(|word| !word.is_empty() && !stop_words.has(word));
    let mut others = words.map(plain).filter(|word| !is_of_section(word));
    let verb = others.next()?;
    (SAYING.binary_search(&&*verb).is_ok() && others.next().is_none()).then_some(verb)
}

/// Reads the names and the numbers side by side, each for one section.
fn pairs(texts: &[&str], stop_words: &StopWords) -> Vec<Citation> {
    let mut found = Vec::new();
    let mut rest = texts;
    while let [first, second, ..] = rest {
        let citation = behind_name(first, second, stop_words).or_else(|| before_name(rest));
        // Another name, such as that of a law, may stand before the number of a section by chance.
        let takes_both = citation.as_ref().is_some_and(Citation::is_of_section);
        rest = &rest[1 + usize::from(takes_both)..];
        found.extend(citation);
    }
    found
}

/// Reads a number behind a name or the sign of a section: `Art. 5`, `§ 5`.
fn behind_name(name: &str, number: &str, stop_words: &StopWords) -> Option<Citation> {
    if is_section_sign(name) {
        return Citation::new(SIGNED, number);
    }
    let name = trimmed(name);
    let is_name = !name.is_empty() && name.chars().all(char::is_alphabetic);
    if !is_name || stop_words.has(name) {
        return None;
    }
    let of_letters = designated(trimmed(number)).filter(|_| is_section(&plain(name)));
    match of_letters {
        Some(number) => Some(Citation::of_designated(name, number)),
        None => Citation::new(&[name], number),
    }
}

/// Reads a number before the sign or the name of a section: `5. §`, `5 §`, `5. madde`. In `6098 madde 5` the name belongs
/// to the number behind it, unless that stands before a name, too (`5 kap. 3 §`), or is that of a part of the section
/// (`5 § 3 mom.`, `5. § (3)`).
fn before_name(texts: &[&str]) -> Option<Citation> {
    let [number, name, behind @ ..] = texts else {
        return None;
    };
    let may_be_cited = |next: &str| !next.starts_with('(') && is_number(trimmed(next));
    let is_of_next = match behind {
        [next, unit, ..] => {
            may_be_cited(next) && names_behind(unit, false).is_none() && !is_part(unit)
        }
        [next] => may_be_cited(next),
        [] => false,
    };
    if is_of_next || !number.starts_with(|of: char| of.is_ascii_digit()) {
        return None;
    }
    let names = names_behind(name, number.ends_with('.'))?;
    let number = trimmed(number);
    let bare = number.split(BEFORE_ENDINGS).next()?;
    let citation = Citation::new(&names, if is_number(number) { number } else { bare })?;
    Some(Citation {
        words: vec![plain(number), plain(trimmed(name))],
        ..citation
    })
}

/// Returns whether a word is what a part of a section is called.
fn is_part(word: &str) -> bool {
    let word = plain(trimmed(word));
    let mut parts = PARTS.iter();
    BARE_PARTS.contains(&&*word) || parts.any(|part| word.starts_with(part))
}

/// Returns what sections are called if a word or a sign stands behind the number of one.
fn names_behind(word: &str, is_ordinal: bool) -> Option<Vec<&'static str>> {
    let ending = word.trim_start_matches(SECTION);
    let is_sign = ending.is_empty() || ending.starts_with(BEFORE_ENDINGS);
    if is_sign && ending.len() < word.len() {
        return Some(SIGNED.to_vec());
    }
    name_behind(trimmed(word), is_ordinal).map(|name| vec![name])
}

impl Citation {
    fn new(names: &[&str], number: &str) -> Option<Self> {
        let typed = trimmed(number);
        let name = names.first()?;
        let row = format!("{name} {typed}");
        let words = vec![plain(name), plain(typed)];
        let number = without_ordinal(typed);
        is_number(number).then(|| Self {
            names: names.iter().map(|of| plain(of)).collect(),
            number: number.to_ascii_lowercase(),
            row,
            words,
        })
    }

    /// Makes one of a number with letters before it, in lower case: `l212-2`.
    fn of_designated(name: &str, number: String) -> Self {
        let name = plain(name);
        Self {
            row: format!("{name} {number}"),
            words: vec![name.clone(), number.clone()],
            names: vec![name],
            number,
        }
    }

    /// Returns whether a word in plain letters only names the section, if it is one.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.is_of_section() && self.words.iter().any(|of| of == word)
    }

    /// Returns its number if that is of a section within another one: `4.2`.
    pub(super) fn nested_number(&self) -> Option<&str> {
        let is_nested = self.is_of_section() && self.number.contains('.');
        is_nested.then_some(&*self.number)
    }

    /// Returns whether its name is what sections are called.
    fn is_of_section(&self) -> bool {
        self.names.iter().any(|of| is_section(of))
    }

    /// Returns whether a heading begins with the number alone, or with the number behind the name of such
    /// sections or its beginning, or before it. Without one it is cited by what any section is called: `python 3`
    /// is not the third section.
    fn is_of(&self, heading: &str) -> bool {
        let heading = plain(&joined(heading.trim()));
        let has_letters = self.number.starts_with(char::is_alphabetic);
        if has_letters && heading.strip_prefix(&*self.number).is_some_and(is_end) {
            return true;
        }
        if let Some(ordinal) = Ordinal::at_start(&heading) {
            let unit = ordinal.unit.to_string();
            return self.names.contains(&unit) && ordinal.number == self.number;
        }
        let rest = heading.trim_start_matches(char::is_alphabetic);
        let name = &heading[..heading.len() - rest.len()];
        let is_filler = |of: char| of.is_whitespace() || matches!(of, '.' | '#' | SECTION);
        let number = rest.trim_start_matches(is_filler);
        let has_sign = rest[..rest.len() - number.len()].contains(SECTION);
        let Some(behind) = number
            .strip_prefix(&*self.number)
            .filter(|rest| is_end(rest))
        else {
            return false;
        };
        if has_sign {
            self.has_any(SIGNED)
        } else if name.is_empty() {
            self.may_be_before(behind)
        } else {
            let is_named = |of: &String| is_short_of(of, name) || is_short_of(name, of);
            self.names.iter().any(is_named) || self.is_nested_as(name)
        }
    }

    /// Returns whether it has several numbers, and both its name and another one are what such sections are called.
    fn is_nested_as(&self, name: &str) -> bool {
        let is_nested = |of: &str| NESTED.contains(&of);
        let mut own = self.names.iter();
        self.number.contains('.') && is_nested(name) && own.any(|of| is_nested(of))
    }

    /// Returns whether a heading that begins with the number is one of such sections, by the sign or the name that may
    /// stand behind the number.
    fn may_be_before(&self, behind: &str) -> bool {
        let word = behind.trim_start_matches('.').split_whitespace().next();
        match word.and_then(|word| names_behind(word, false)) {
            Some(names) => self.has_any(&names),
            None => self.is_of_section() && !is_behind_day(behind),
        }
    }

    /// Returns whether such sections are called by one of some names, or by what that is short for, or it for that.
    fn has_any(&self, names: &[&str]) -> bool {
        let mut own = self.names.iter();
        own.any(|own| {
            let may_be_short = is_section(own);
            let is_one = |of: &&str| is_short_of(of, own) || may_be_short && is_short_of(own, of);
            names.iter().any(is_one)
        })
    }
}

/// Returns whether a word in plain letters is what a section may be called.
fn is_section(word: &str) -> bool {
    let is_listed = is_name(word) || OTHER_SECTIONS.contains(&word) || is_unit(word);
    is_listed || name_behind(word, true).is_some()
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
            ("Abschn. 3", "Abschnitt 3"),
            ("Abschn. 3", "3. Abschnitt"),
            ("sec. 12", "§ 12"),
            ("chapter 13.2.3", "13.2.3. Locks"),
            ("chapter 13.2.3", "Section 13.2.3. Locks"),
            ("Abschnitt 2.1", "Kapitel 2.1"),
            ("article L. 212-2", "Article L212-2"),
            ("L. 212-2 du code", "Article L. 212-2"),
            ("art. R119-8", "Article R*119-8"),
            ("R*119-8", "R. 119-8"),
            ("article R 132", "Article R132"),
        ] {
            assert!(cites(question, heading), "{question} {heading}");
        }
    }

    #[test]
    fn a_number_may_stand_before_its_name() {
        for (question, heading) in [
            ("5. § törvény", "5. § Díjak"),
            ("törvény 5. §", "5. §"),
            ("az 5. §-ban", "5. § Díjak"),
            ("az 5.§ szövege", "§ 5"),
            ("5. szakasza", "5. szakasz"),
            ("laki 5 §", "5 § Maksut"),
            ("5 luku laki", "5 luku"),
            ("Kapitel 5", "5 kap. Avgifter"),
            ("Schritt 2", "2. Teile"),
            ("5 kap. 3 § lagen", "3 § Avgifter"),
            ("5 kap. 3 § lagen", "5 kap. Avgifter"),
            ("3. Abschnitt", "Abschnitt 3"),
            ("5. madde", "Madde 5"),
            ("6098 madde 5", "MADDE 5 – Ücret"),
            ("kanun 5. maddesi", "MADDE 5 – Ücret"),
            ("kanun 5'inci maddesi", "5. madde"),
            ("BGB 12 § 3", "§ 3"),
            ("7-1 § laki", "7-1 § Maksut"),
            ("5 § 3 mom. laki", "5 § Maksut"),
            ("5 § 3 momentti", "5 § Maksut"),
            ("5. § (3) bekezdés", "5. § Díjak"),
            ("törvény 5. § (3)", "5. § Díjak"),
        ] {
            assert!(cites(question, heading), "{question} {heading}");
        }
    }

    #[test]
    fn a_number_may_have_any_digits() {
        for (question, heading) in [
            ("第5条", "第五条 適用"),
            ("第五条", "第5条"),
            ("民法第五条", "第５条"),
            ("第十五条の内容", "第15条"),
            ("第五条の二", "第5条の2"),
            ("민법 제5조", "제5조(목적)"),
            ("제5조의2", "제5조의2(특례)"),
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
            ("Schritt 2", "2 kap. Avgifter"),
            ("第5条", "第五条の二"),
            ("제5조", "제15조(목적)"),
            ("5. madde", "15. madde"),
            ("7-1 § laki", "7 § Maksut"),
            ("5 § 3 mom. laki", "3 § Muut"),
            ("5. § (3) bekezdés", "3. § Egyebek"),
            ("2011-83 madde", "Madde 2011"),
            ("§ 3", "3 kap. Avgifter"),
            ("Abs. 3", "Abschnitt 3"),
            ("p 4", "§ 4"),
            ("of 4 words", "4 words"),
            ("python 3 download", "3. Download"),
            ("windows 10 update", "10 Updates"),
            ("chapter 2", "Section 2"),
            ("chapter 2.1", "Example 2.1"),
            ("article 2.1", "Section 2.1"),
            ("section 13.2", "13.2.3. Locks"),
            ("section 2", "2 July"),
            ("article L. 212-2", "Article L212-20"),
            ("article L. 212-2", "Article R212-2"),
            ("R. 212-2", "Article 212-2"),
        ] {
            assert!(!cites(question, heading), "{question} {heading}");
        }
    }

    #[test]
    fn names_and_verbs_are_in_plain_letters() {
        assert!(SAYING.is_sorted());
        assert!(SAYING.iter().all(|verb| plain(verb) == *verb));
        for name in NESTED {
            assert_eq!(plain(name), *name);
            assert!(is_section(name), "{name}");
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
        assert_eq!(signs("5. § törvény"), [""; 0]);
        assert_eq!(signs("what is § there"), ["§"]);
    }
}
