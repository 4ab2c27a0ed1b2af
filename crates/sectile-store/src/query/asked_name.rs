//! Questions for a name of source code: `where is cardValidator defined`, `DATE_FORMAT constant`.

use super::Query;
use super::identifiers::is_identifier;
use super::markers::plain;
use super::numbers::is_digits;
use super::split::{Item, Role};
use crate::Language as L;
use crate::analyzer::StopWords;
use crate::{Analyzer, Language, WordKind};

/// Words that only ask beside a name, by language, in plain letters.
#[rustfmt::skip]
const ASKING: &[(Language, &[&str])] = &[
    (L::English, &[
        "called", "caller", "callers", "calls", "class", "classes", "code", "codebase", "constant", "constants",
        "constructor", "declaration", "declarations", "declare", "declared", "declares", "define", "defined",
        "defines", "definition", "definitions", "enum", "enumeration", "field", "file", "function", "functions",
        "implement", "implementation", "implementations", "implemented", "implements", "interface", "interfaces",
        "macro", "macros", "method", "methods", "module", "property", "reference", "references", "signature",
        "source", "struct", "structs", "structure", "trait", "type", "typedef", "types", "usage", "usages", "use",
        "used", "uses", "variable", "variables",
    ]),
    (L::German, &[
        "aufgerufen", "aufruf", "datei", "definiert", "definition", "deklaration", "deklariert", "funktion",
        "implementiert", "implementierung", "klasse", "konstante", "makro", "methode", "quelltext", "schnittstelle",
        "struktur", "typ", "variable", "verwendet", "verwendung",
    ]),
    (L::Dutch, &[
        "bestand", "constante", "definitie", "functie", "gebruik", "gebruikt", "gedefinieerd", "geimplementeerd",
        "implementatie", "klasse", "methode", "variabele",
    ]),
    (L::French, &[
        "classe", "constante", "declaration", "declare", "declaree", "defini", "definie", "definition", "enumeration",
        "fichier", "fonction", "implementation", "implemente", "implementee", "interface", "methode", "structure",
        "type", "utilisation", "utilise", "utilisee", "variable",
    ]),
    (L::Spanish, &[
        "archivo", "clase", "constante", "declaracion", "declarada", "declarado", "define", "definicion", "definida",
        "definido", "estructura", "funcion", "implementa", "implementacion", "implementada", "implementado",
        "interfaz", "metodo", "tipo", "usa", "uso", "utiliza", "variable",
    ]),
    (L::Portuguese, &[
        "arquivo", "classe", "constante", "declaracao", "definicao", "definida", "definido", "estrutura", "funcao",
        "implementacao", "implementada", "implementado", "interface", "metodo", "tipo", "usada", "usado", "uso",
        "variavel",
    ]),
    (L::Italian, &[
        "classe", "costante", "definita", "definito", "definizione", "dichiarata", "dichiarato", "dichiarazione",
        "file", "funzione", "implementata", "implementato", "implementazione", "interfaccia", "metodo", "struttura",
        "tipo", "usata", "usato", "uso", "variabile",
    ]),
    (L::Polish, &[
        "definicja", "deklaracja", "funkcja", "implementacja", "interfejs", "klasa", "metoda", "plik", "stała", "typ",
        "uzycie", "uzywana", "uzywany", "zdefiniowana", "zdefiniowany", "zmienna",
    ]),
    (L::Russian, &[
        "вызывается", "интерфеис", "использование", "используется", "класс", "константа", "макрос", "метод",
        "объявлена", "объявление", "объявлен", "определен", "определена", "определение", "определяется", "переменная",
        "реализация", "реализован", "реализована", "структура", "тип", "фаил", "функция",
    ]),
    (L::Ukrainian, &[
        "використання", "використовується", "визначена", "визначении", "визначення", "змінна", "клас", "метод",
        "реалізація", "тип", "функція",
    ]),
    (L::Chinese, &[
        "函数", "函數", "变量", "變量", "变数", "變數", "常量", "常數", "类型", "類型", "接口", "结构体", "結構體",
        "枚举", "列舉", "实现", "實現", "声明", "聲明", "定义", "定義", "方法", "用法", "源码", "源碼",
    ]),
    (L::Japanese, &["関数", "クラス", "変数", "定数", "構造体", "実装", "宣言", "定義", "マクロ", "使用", "使い方"]),
    (L::Korean, &["함수", "클래스", "변수", "상수", "구조체", "구현", "선언", "정의", "매크로", "메서드", "타입", "사용"]),
];

/// Words that only say what a number behind `#` is of, in plain letters.
const REFERRED: [&str; 11] = [
    "bug",
    "discussion",
    "gh",
    "issue",
    "issues",
    "merge",
    "mr",
    "pr",
    "pull",
    "request",
    "ticket",
];

/// What these words weigh at most together, where the name weighs 1: a long text that has an identifier comes before a
/// heading of them all. Another name may be a word of prose, to which they belong.
const SHARE_BESIDE_IDENTIFIER: f64 = 1.0 / 16.0;
const SHARE_BESIDE_WORD: f64 = 0.25;

/// A name is rare if it weighs as much as one in a hundredth of the chunks, by the IDF of BM25. `JavaScript function` asks
/// for no name where most documents are about JavaScript.
const IN_A_HUNDREDTH: f64 = 2.0 * std::f64::consts::LN_10;

/// An identifier is rare as well if so few chunks have it, and no more than a quarter of all.
const FEW: u64 = 16;
const IN_A_QUARTER: f64 = 2.0 * std::f64::consts::LN_2;

/// A question for one name, with words that only ask.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AskedName {
    /// The words that only ask, in plain letters.
    asking: Vec<String>,
    /// Whether it is written as only source code writes names.
    is_identifier: bool,
}

impl AskedName {
    /// Returns whether a word of the question only asks, or is a part of text without spaces that does.
    fn is_asking(&self, typed: &str) -> bool {
        is_one_of(&self.asking, typed)
    }
}

impl Query {
    /// Lets the words that only ask weigh little beside the name that the question asks for, if that is rare.
    pub(super) fn limit_asking_for_name(&mut self, idf: impl Fn(u64) -> f64) {
        let Some(asked) = &self.asked_name else {
            return;
        };
        let words = self.reading.words.iter();
        let (rows, words): (Vec<_>, Vec<_>) = words.partition(|of| of.kind == WordKind::Phrase);
        let of_name = words.iter().filter(|of| !asked.is_asking(&of.typed));
        let Some(chunks) = of_name.map(|of| of.chunks).min() else {
            return;
        };
        let is_rare = idf(chunks) >= IN_A_HUNDREDTH;
        let share = if asked.is_identifier {
            let is_one_of_few = chunks <= FEW && idf(chunks) >= IN_A_QUARTER;
            (is_rare || is_one_of_few).then_some(SHARE_BESIDE_IDENTIFIER)
        } else {
            // What documents have in a row is one term, as `class struggle`.
            let is_term = rows.iter().any(|row| row.chunks > 0);
            (is_rare && !is_term).then_some(SHARE_BESIDE_WORD)
        };
        let asking = asked.asking.clone();
        if let Some(share) = share {
            self.limit_to_share(&asking, share / asking.len() as f64);
        }
    }

    /// Returns whether a word only asks for the name of the question.
    pub(super) fn is_asking_for_name(&self, typed: &str) -> bool {
        let asked = self.asked_name.as_ref();
        asked.is_some_and(|asked| asked.is_asking(typed))
    }
}

/// Reads a question that has one name, stop words, and words that only ask.
pub(super) fn asked_name(items: &[Item<'_>], stop_words: &StopWords) -> Option<AskedName> {
    let mut asking = Vec::new();
    let mut name = None;
    let has_reference = items.iter().any(|item| is_reference(item.text));
    for item in items {
        if item.role != Role::Scored || item.is_quoted {
            return None;
        }
        let word = item.text;
        let word = word.trim_matches(|of: char| !Analyzer::is_of_word(of) && of != '_');
        let in_plain = plain(word);
        let is_referred = has_reference && REFERRED.contains(&&*in_plain);
        if !item.is_code && (is_referred || is_listed(&in_plain)) {
            asking.push(in_plain);
        } else if !word.is_empty()
            && (item.is_code || !stop_words.has(word))
            && name.replace(word).is_some()
        {
            return None;
        }
    }
    let name = name.filter(|_| !asking.is_empty())?;
    Some(AskedName {
        asking,
        is_identifier: has_reference || is_identifier(name),
    })
}

/// Returns whether a word is the number of an issue or the like: `#1234`.
fn is_reference(word: &str) -> bool {
    let number = word
        .trim_end_matches(['.', ',', '?', ')'])
        .trim_start_matches('(');
    number.strip_prefix('#').is_some_and(is_digits)
}

/// Returns whether a word in plain letters only asks beside a name.
fn is_listed(word: &str) -> bool {
    let mut all = ASKING.iter().flat_map(|(_, words)| *words);
    all.any(|of| *of == word)
}

/// Returns whether what was typed is one of some words in plain letters, or a part of one that has no spaces.
pub(super) fn is_one_of(words: &[String], typed: &str) -> bool {
    let typed = plain(typed);
    let is_part = Analyzer::is_unspaced(&typed);
    let mut words = words.iter();
    words.any(|of| *of == typed || is_part && of.contains(&*typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(question: &str, languages: &[Language]) -> Option<(Vec<String>, bool)> {
        let query = Query::parse(question, languages).unwrap();
        let asked = query.asked_name;
        asked.map(|of| (of.asking, of.is_identifier))
    }

    #[test]
    fn words_that_ask_are_in_plain_letters() {
        for word in ASKING.iter().flat_map(|(_, words)| *words) {
            assert_eq!(plain(word), *word);
        }
    }

    #[test]
    fn a_name_is_asked_for_with_stop_words_and_words_that_only_ask() {
        for (question, asking, is_identifier) in [
            ("where is cardValidator defined", &["defined"][..], true),
            ("Where is `card_validator` defined?", &["defined"], true),
            ("definition of cardValidator", &["definition"], true),
            ("DATE_FORMAT constant type", &["constant", "type"], true),
            ("std::vector usage", &["usage"], true),
            ("function foo.bar()", &["function"], true),
            ("where is charge used", &["used"], false),
            ("TCP interface", &["interface"], false),
            ("`class` method", &["method"], false),
            ("PR #9240", &["pr"], true),
            ("what is pull request #9240?", &["pull", "request"], true),
            ("cardValidator 函数", &["函数"], true),
            ("cardValidator クラス", &["クラス"], true),
        ] {
            let asking: Vec<String> = asking.iter().map(|of| (*of).to_owned()).collect();
            let languages = [Language::English, Language::Chinese, Language::Japanese];
            let found = asked(question, &languages);
            assert_eq!(found, Some((asking, is_identifier)), "{question}");
        }
        let german = asked("Wo ist cardValidator definiert?", &[Language::German]);
        assert_eq!(german, Some((vec!["definiert".to_owned()], true)));
    }

    #[test]
    fn other_questions_ask_for_no_name() {
        for question in [
            "cardValidator",
            "function definition",
            "cardValidator class tests",
            "PR 9240",
            "#9240 in PR tests",
            "where is it defined",
            "cardValidator -\"class\"",
            "cardValidator AND class",
            "\"cardValidator\" class",
        ] {
            assert_eq!(asked(question, &[]), None, "{question}");
        }
    }

    #[test]
    fn words_that_ask_weigh_little_beside_a_rare_name() {
        let weights = |question: &str, name: u64, row: u64| {
            let mut query = Query::parse(question, &[]).unwrap();
            let chunks = |of: &crate::Variant| match (of.terms.len(), &*of.terms[0]) {
                (1, "cardvalid" | "card" | "valid" | "charg") => name,
                (1, "function") => 40,
                _ => row,
            };
            query.weigh(chunks, |chunks| (4_000.0 / (chunks as f64 + 0.5)).ln());
            let of = |typed: &str| {
                let mut words = query.reading.words.iter();
                let place = words.position(|of| of.typed == typed);
                query.weight(place.unwrap())
            };
            let name = question.split(' ').next().unwrap();
            of("function") / of(name)
        };
        let limited = weights("cardValidator function", 2, 0);
        assert!((limited - SHARE_BESIDE_IDENTIFIER).abs() < 1e-9);
        let limited = weights("charge function", 2, 0);
        assert!((limited - SHARE_BESIDE_WORD).abs() < 1e-9);
        // They are one term, or the name says as little.
        for (question, name, row) in [
            ("charge function", 2, 1),
            ("charge function", 400, 0),
            ("cardValidator function", 400, 0),
        ] {
            assert!(weights(question, name, row) > 0.5, "{question} {name}");
        }
    }

    #[test]
    fn an_identifier_in_most_of_a_few_chunks_is_not_rare() {
        for (name, is_limited) in [(12, false), (2, true)] {
            let mut query = Query::parse("JavaScript function", &[]).unwrap();
            let chunks = |of: &crate::Variant| if of.shown() == "function" { 3 } else { name };
            query.weigh(chunks, |chunks| (21.0 / (chunks as f64 + 0.5)).ln());
            let weight = |typed: &str| {
                let mut words = query.reading.words.iter();
                query.weight(words.position(|of| of.typed == typed).unwrap())
            };
            let share = weight("function") / weight("JavaScript");
            assert_eq!(share < 0.1, is_limited, "{name}: {share}");
        }
    }
}
