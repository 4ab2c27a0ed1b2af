//! Questions for a definition: `What is a consumer?`, `Was ist ein Verbraucher?`, `consumer meaning`.

use super::files::extension;
use super::identifiers::is_identifier;
use super::markers::plain;
use super::split::{Item, Role};
use super::{Query, trimmed};
use crate::Language as L;
use crate::analyzer::StopWords;
use crate::definition::{Definition, is_article};
use crate::{Analyzer, Language};

/// What stands before a term and behind it where its definition is asked for.
type Frame = (&'static str, &'static str);

/// These by language, in plain letters, words in a row with elided ones apart.
#[rustfmt::skip]
const FRAMES: &[(Language, &[Frame])] = &[
    (L::English, &[
        ("what is", ""), ("what are", ""), ("what s", ""), ("whats", ""), ("who is", ""), ("who are", ""),
        ("what does", "mean"), ("what do", "mean"), ("what does", "stand for"), ("what is meant by", ""),
        ("what is the meaning of", ""), ("what is the definition of", ""), ("the definition of", ""),
        ("definition of", ""), ("the meaning of", ""), ("meaning of", ""), ("how is", "defined"),
        ("how are", "defined"), ("define", ""), ("", "definition"), ("", "meaning"),
    ]),
    (L::German, &[
        ("was ist", ""), ("was sind", ""), ("wer ist", ""), ("was bedeutet", ""), ("was bedeuten", ""),
        ("was heißt", ""), ("was heisst", ""), ("was bezeichnet", ""), ("was versteht man unter", ""),
        ("was ist unter", "zu verstehen"), ("was ist mit", "gemeint"), ("definition von", ""), ("definition der", ""),
        ("definition des", ""), ("bedeutung von", ""), ("", "bedeutung"), ("begriff", ""), ("definiere", ""),
    ]),
    (L::Dutch, &[
        ("wat is", ""), ("wat zijn", ""), ("wie is", ""), ("wat betekent", ""), ("wat betekenen", ""),
        ("wat verstaat men onder", ""), ("wat wordt verstaan onder", ""), ("definitie van", ""), ("", "definitie"),
        ("betekenis van", ""), ("", "betekenis"), ("definieer", ""),
    ]),
    (L::French, &[
        ("qu est-ce que", ""), ("qu est-ce qu", ""), ("qu est-ce que c est qu", ""), ("c est quoi", ""),
        ("qu est ce que", ""), ("qu est ce qu", ""), ("qui est", ""), ("que signifie", ""), ("que signifient", ""),
        ("que veut dire", ""), ("qu entend-on par", ""), ("quelle est la definition de", ""),
        ("quelle est la definition d", ""), ("definition de", ""), ("definition d", ""), ("definition du", ""),
        ("signification de", ""), ("definir", ""),
    ]),
    (L::Spanish, &[
        ("que es", ""), ("que son", ""), ("quien es", ""), ("quienes son", ""), ("que significa", ""),
        ("que significan", ""), ("que se entiende por", ""), ("que quiere decir", ""), ("cual es la definicion de", ""),
        ("definicion de", ""), ("", "definicion"), ("significado de", ""), ("", "significado"),
        ("definir", ""),
    ]),
    (L::Catalan, &[
        ("que es", ""), ("que son", ""), ("que significa", ""), ("que vol dir", ""), ("definicio de", ""),
    ]),
    (L::Portuguese, &[
        ("o que e", ""), ("o que sao", ""), ("que e", ""), ("quem e", ""), ("o que significa", ""),
        ("o que significam", ""), ("o que se entende por", ""), ("o que quer dizer", ""), ("definicao de", ""),
        ("", "definicao"), ("significado de", ""),
    ]),
    (L::Italian, &[
        ("che cos e", ""), ("cos e", ""), ("cosa e", ""), ("che cosa e", ""), ("cosa sono", ""), ("che cosa sono", ""),
        ("chi e", ""), ("cosa significa", ""), ("che cosa significa", ""), ("che significa", ""),
        ("cosa si intende per", ""), ("cosa vuol dire", ""), ("definizione di", ""), ("", "definizione"),
        ("significato di", ""), ("", "significato"),
    ]),
    (L::Romanian, &[
        ("ce este", ""), ("ce sunt", ""), ("cine este", ""), ("ce inseamna", ""), ("ce se intelege prin", ""),
        ("definitia", ""),
    ]),
    (L::Swedish, &[
        ("vad ar", ""), ("vem ar", ""), ("vad betyder", ""), ("vad menas med", ""), ("vad avses med", ""),
        ("definition av", ""), ("", "betydelse"),
    ]),
    (L::Danish, &[
        ("hvad er", ""), ("hvem er", ""), ("hvad betyder", ""), ("hvad forstas ved", ""), ("definition af", ""),
        ("definition pa", ""),
    ]),
    (L::Norwegian, &[
        ("hva er", ""), ("hvem er", ""), ("hva betyr", ""), ("hva menes med", ""), ("definisjon av", ""),
        ("definisjon pa", ""),
    ]),
    (L::Finnish, &[
        ("mika on", ""), ("mita on", ""), ("mita ovat", ""), ("kuka on", ""), ("mita tarkoittaa", ""),
        ("", "maaritelma"), ("", "merkitys"),
    ]),
    (L::Estonian, &[("mis on", ""), ("kes on", ""), ("mida tahendab", ""), ("", "definitsioon")]),
    (L::Hungarian, &[
        ("mi a", ""), ("mi az", ""), ("ki a", ""), ("mit jelent", ""), ("", "jelentese"), ("", "fogalma"),
    ]),
    (L::Turkish, &[
        ("", "nedir"), ("", "ne demek"), ("", "ne demektir"), ("", "kimdir"), ("", "tanımı"), ("", "anlamı"),
    ]),
    (L::Polish, &[
        ("co to jest", ""), ("co to", ""), ("czym jest", ""), ("kim jest", ""), ("co oznacza", ""), ("co znaczy", ""),
        ("definicja", ""), ("", "definicja"), ("znaczenie", ""),
    ]),
    (L::Czech, &[
        ("co je", ""), ("co je to", ""), ("co to je", ""), ("kdo je", ""), ("co znamena", ""), ("co se rozumi", ""),
        ("definice", ""),
    ]),
    (L::Slovak, &[
        ("co je", ""), ("co je to", ""), ("kto je", ""), ("co znamena", ""), ("co sa rozumie", ""),
        ("definicia", ""),
    ]),
    (L::Croatian, &[("sto je", ""), ("sto znaci", ""), ("tko je", ""), ("definicija", "")]),
    (L::Serbian, &[
        ("sta je", ""), ("sta znaci", ""), ("ko je", ""), ("шта је", ""), ("шта значи", ""), ("ко је", ""),
    ]),
    (L::Bulgarian, &[("какво е", ""), ("какво означава", ""), ("кои е", ""), ("определение на", "")]),
    (L::Russian, &[
        ("что такое", ""), ("кто такои", ""), ("кто такие", ""), ("что значит", ""), ("что означает", ""),
        ("что понимается под", ""), ("определение", ""), ("", "это"), ("", "это что"),
    ]),
    (L::Ukrainian, &[("що таке", ""), ("хто такии", ""), ("що означає", ""), ("що значить", ""), ("визначення", "")]),
    (L::Greek, &[("τι ειναι", ""), ("ποιος ειναι", ""), ("τι σημαινει", ""), ("ορισμος", "")]),
    (L::Indonesian, &[
        ("apa itu", ""), ("apa yang dimaksud dengan", ""), ("apa arti", ""), ("pengertian", ""), ("definisi", ""),
    ]),
    (L::Vietnamese, &[("", "la gi"), ("", "nghia la gi"), ("đinh nghia", "")]),
    (L::Arabic, &[("ما هو", ""), ("ما هي", ""), ("ما معنى", ""), ("تعريف", ""), ("معنى", "")]),
    (L::Persian, &[("", "چیست"), ("", "یعنی چه"), ("تعریف", "")]),
    (L::Hebrew, &[("מה זה", ""), ("מהו", ""), ("מהי", ""), ("מה פירוש", ""), ("הגדרת", "")]),
];

/// Those of text without spaces.
#[rustfmt::skip]
const UNSPACED: &[Frame] = &[
    ("什么是", ""), ("什麼是", ""), ("何谓", ""), ("何謂", ""), ("", "是什么"), ("", "是什麼"), ("", "是什么意思"),
    ("", "是什麼意思"), ("", "什么意思"), ("", "的定义"), ("", "的定義"), ("", "的含义"), ("", "的含義"), ("", "的意思"),
    ("", "とは"), ("", "とは何ですか"), ("", "とは何か"), ("", "とは何"), ("", "って何"), ("", "って何ですか"), ("", "の定義"),
    ("", "の意味"), ("", "란 무엇인가"), ("", "이란 무엇인가"), ("", "란 무엇인가요"), ("", "이란 무엇인가요"), ("", "는 무엇인가요"),
    ("", "은 무엇인가요"), ("", "의 정의"), ("", "의 의미"), ("", "의 뜻"), ("", "คืออะไร"), ("", "หมายถึงอะไร"),
    ("", "หมายความว่าอะไร"), ("", "แปลว่าอะไร"), ("", "ជាអ្វី"), ("", "ແມ່ນຫຍັງ"),
];

/// The most words of a term, the most articles before it, and the most bytes of a question for one.
const MOST_WORDS: usize = 4;
const MOST_ARTICLES: usize = 2;
const LONGEST: usize = 160;

/// Words before a term that with an article ask how to make one: `define a function`.
const ORDERS: &[&str] = &["define", "definieer", "definiere", "definir"];

/// How words begin that may also be the last part of a term: `task definition`.
const LAST_OF_TERM: &str = "defini";

/// What a word that only asks weighs at most, where the least of the others weighs 1.
const SHARE_OF_ASKING: f64 = 0.25;

/// A question for a definition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AskedDefinition {
    definition: Definition,
    /// The words around the term that only ask, in plain letters.
    asking: Vec<String>,
}

impl Query {
    /// Returns what the question asks to define.
    pub(crate) fn definition(&self) -> Option<&Definition> {
        self.asked_definition.as_ref().map(|of| &of.definition)
    }

    /// Lets a word that only asks for a definition, as in `define consumer`, weigh little beside the term.
    pub(super) fn limit_asking(&mut self) {
        let Some(asked) = &self.asked_definition else {
            return;
        };
        let asking = asked.asking.clone();
        self.limit_to_share(&asking, SHARE_OF_ASKING);
    }
}

/// Reads a question that asks for a definition and nothing else.
pub(super) fn asked_definition(
    text: &str,
    items: &[Item<'_>],
    stop_words: &StopWords,
) -> Option<AskedDefinition> {
    let are_plain = items.iter().all(|item| item.role == Role::Scored);
    if !are_plain || text.len() > LONGEST {
        return None;
    }
    let text = text.to_lowercase();
    let is_end = |of: char| of.is_whitespace() || "?!.¿¡؟？！。".contains(of);
    let question = text.trim_end_matches(is_end);
    let question = question.trim_start_matches(|of: char| of.is_whitespace() || "¿¡".contains(of));
    let asked = of_text_without_spaces(question).or_else(|| of_words(question, stop_words));
    let Some(name) = only_name(items, stop_words) else {
        return asked;
    };
    let Some(asked) = asked else {
        return Some(AskedDefinition {
            definition: Definition::of_name(name),
            asking: Vec::new(),
        });
    };
    Some(AskedDefinition {
        definition: asked.definition.with_name(name),
        ..asked
    })
}

/// Returns the name of a setting, a flag or the like, if a question has no other words but stop words:
/// `what does core.quotePath do`.
fn only_name<'q>(items: &[Item<'q>], stop_words: &StopWords) -> Option<&'q str> {
    let is_around = |of: char| !(Analyzer::is_of_word(of) || matches!(of, '-' | '_'));
    let mut name = None;
    for item in items.iter().filter(|item| !item.is_quoted) {
        let word = item.text.trim_matches(is_around);
        let is_common = !item.is_code && stop_words.has(word);
        if !word.is_empty() && !is_common && name.replace(word).is_some() {
            return None;
        }
    }
    let has_quotes = items.iter().any(|item| item.is_quoted);
    name.filter(|name| !has_quotes && is_name(name))
}

/// Returns whether a word is written as settings and flags are: `core.quotePath`, `max_size`, `max-size`, `-L`.
fn is_name(word: &str) -> bool {
    let flag = word.trim_start_matches('-');
    let is_of_name = |of: char| of.is_ascii_alphanumeric() || matches!(of, '-' | '_');
    let is_of_letters = flag.starts_with(|of: char| of.is_ascii_alphabetic());
    let is_joined = flag.len() < word.len() || flag.contains('-');
    let is_plain = is_joined && is_of_letters && flag.chars().all(is_of_name);
    is_plain || is_identifier(word) && extension(word).is_none()
}

/// Reads a question of words with spaces between them.
fn of_words(question: &str, stop_words: &StopWords) -> Option<AskedDefinition> {
    let is_apostrophe = |of: char| matches!(of, '\'' | '\u{2019}');
    let words = question.split_whitespace();
    let words: Vec<&str> = words
        .flat_map(|word| word.split_inclusive(is_apostrophe))
        .collect();
    let in_plain: Vec<String> = words.iter().map(|word| plain(trimmed(word))).collect();
    let row = in_plain.join(" ");
    let all = FRAMES.iter().flat_map(|(_, frames)| *frames);
    let around = all.filter_map(|(before, behind)| {
        // Most frames are not those of the question, which this tells at once.
        if !(row.starts_with(before) && row.ends_with(behind)) {
            return None;
        }
        let [before, behind] = [before, behind].map(|of| of.split(' ').filter(|of| !of.is_empty()));
        let (start, length) = (before.clone().count(), behind.clone().count());
        let end = words.len().checked_sub(length).filter(|end| start < *end)?;
        let is_frame = in_plain[..start].iter().eq(before) && in_plain[end..].iter().eq(behind);
        is_frame.then_some((start, end))
    });
    let (start, end) = around.min_by_key(|(start, end)| end - start)?;
    let articles = in_plain[start..end - 1].iter().take(MOST_ARTICLES);
    let term = start + articles.take_while(|word| is_article(word)).count();
    let has_article = term > start;
    let is_order = start == 1 && ORDERS.contains(&&*in_plain[0]);
    // Pronouns are no terms, and stop words as most are: `what is this`.
    let mut words_of_term = words[term..end].iter();
    let is_pronoun = !has_article && words_of_term.all(|word| stop_words.has(trimmed(word)));
    if is_order && has_article || is_pronoun {
        return None;
    }
    let behind = in_plain[end..].iter();
    let behind = behind.filter(|word| !word.starts_with(LAST_OF_TERM));
    let asking = in_plain[..start].iter().chain(behind);
    AskedDefinition::of(&words[term..end], asking.cloned().collect())
}

/// Reads a question in text without spaces.
fn of_text_without_spaces(question: &str) -> Option<AskedDefinition> {
    if !Analyzer::is_unspaced(question) {
        return None;
    }
    let terms = UNSPACED.iter().filter_map(|(before, behind)| {
        let term = question.strip_prefix(before)?.strip_suffix(behind)?;
        Some(term.trim())
    });
    let term = terms.min_by_key(|term| term.len())?;
    AskedDefinition::of(&[term], Vec::new())
}

impl AskedDefinition {
    /// Returns that of a term, if it has few words and a letter or a digit.
    fn of(words: &[&str], asking: Vec<String>) -> Option<Self> {
        let mut term = String::new();
        for word in words {
            let is_elided = term.is_empty() || term.ends_with(['\'', '\u{2019}']);
            term.push_str(if is_elided { "" } else { " " });
            term.push_str(word);
        }
        let is_mark = |of: char| of.is_whitespace() || "\"'`*_,:“”„‘’«»「」『』《》".contains(of);
        let term = term.trim_matches(is_mark);
        let may_be = words.len() <= MOST_WORDS && term.contains(char::is_alphanumeric);
        may_be.then(|| Self {
            definition: Definition::of(term.to_owned()),
            asking,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(question: &str) -> Option<Definition> {
        let query = Query::parse(question, &[]).unwrap();
        query.definition().cloned()
    }

    #[test]
    fn frames_are_in_plain_letters() {
        for (before, behind) in FRAMES.iter().flat_map(|(_, frames)| *frames) {
            assert_eq!(plain(before), *before);
            assert_eq!(plain(behind), *behind);
            assert!(!before.is_empty() || !behind.is_empty());
        }
    }

    #[test]
    fn the_term_is_what_stands_in_a_question_for_its_definition() {
        for (question, asked) in [
            ("What is a consumer?", "consumer"),
            ("what's the right of withdrawal", "right of withdrawal"),
            ("What does MSRV mean?", "msrv"),
            ("define consumer", "consumer"),
            ("define: \"distance contract\"", "distance contract"),
            ("definition of consumer", "consumer"),
            ("Consumer meaning", "consumer"),
            ("Was ist ein Verbraucher?", "verbraucher"),
            ("Was versteht man unter einer Überweisung?", "überweisung"),
            ("¿Qué es un consumidor?", "consumidor"),
            ("que es el consumidor", "consumidor"),
            (
                "Qu\u{2019}est-ce qu\u{2019}un consommateur ?",
                "consommateur",
            ),
            ("qu'est-ce que l'abus", "abus"),
            ("definition de l'abus de droit", "abus de droit"),
            ("Che cos'è un consumatore?", "consumatore"),
            ("O que é um consumidor?", "consumidor"),
            ("Wat is een consument?", "consument"),
            ("Co to jest konsument?", "konsument"),
            ("Что такое потребитель?", "потребитель"),
            ("Tüketici nedir?", "tüketici"),
            ("什么是消费者？", "消费者"),
            ("消费者是什么意思", "消费者"),
            ("消費者とは何ですか？", "消費者"),
            ("소비자란 무엇인가?", "소비자"),
            ("ผู้บริโภคคืออะไร", "ผู้บริโภค"),
            ("DNS是什么", "dns"),
            ("what is .NET", ".net"),
            ("what is a will", "will"),
        ] {
            let asked = Definition::of(asked.to_owned());
            assert_eq!(definition(question), Some(asked), "{question}");
        }
    }

    #[test]
    fn words_that_may_be_of_the_term_do_not_only_ask() {
        let asking = |question: &str| {
            let query = Query::parse(question, &[]).unwrap();
            query.asked_definition.map(|of| of.asking)
        };
        assert_eq!(asking("task definition").unwrap(), [""; 0]);
        assert_eq!(asking("consumer meaning").unwrap(), ["meaning"]);
        assert_eq!(
            asking("definition of consumer").unwrap(),
            ["definition", "of"]
        );
        assert_eq!(asking("definition list"), None);
    }

    #[test]
    fn a_question_that_is_a_name_asks_for_its_definition() {
        for (question, name) in [
            ("core.quotePath", "core.quotePath"),
            ("`max_size`?", "max_size"),
            ("what does --max-size do", "--max-size"),
            ("-L", "-L"),
        ] {
            let asked = Definition::of_name(name);
            assert_eq!(definition(question), Some(asked), "{question}");
        }
        let asked = Definition::of("core.quotepath".to_owned()).with_name("core.quotePath");
        assert_eq!(definition("what is core.quotePath"), Some(asked));
        for question in [
            "package.json",
            "git core.quotePath",
            "\"core.quotePath\"",
            "max size",
            "12-34",
        ] {
            assert_eq!(definition(question), None, "{question}");
        }
    }

    #[test]
    fn other_questions_ask_for_no_definition() {
        for question in [
            "consumer",
            "consumer rights",
            "how do I define a route in it",
            "what happens to a consumer",
            "what are the steps for installing it on windows?",
            "define consumer -\"trader\"",
            "what is the",
            "what is this?",
            "who are you",
            "define a function",
            "define the default port",
            "définir une fonction",
            "definiere eine Funktion",
            "\"what is a consumer\"",
            "define",
            "消费者",
        ] {
            assert_eq!(definition(question), None, "{question}");
        }
    }
}
