//! The words by which texts define a term, by language.

use crate::Language as L;
use crate::{Analyzer, Language};

/// The words by which texts in some languages define a term, in lower case.
pub(super) struct DefiningWords {
    languages: &'static [Language],
    /// Articles before a term; elided ones without their apostrophe.
    articles: &'static [&'static str],
    /// What is said of a term only to define it: `means`.
    pub(super) verbs: &'static [&'static str],
    /// What begins as these do in text without spaces, and defines nothing: `指南` (guide) beside `指`.
    pub(super) no_verbs: &'static [&'static str],
    /// What is said of it for other reasons, too: `is`.
    pub(super) copulas: &'static [&'static str],
    /// What a definition begins with: `any` in `is any person who`. Nothing where none is needed behind a copula.
    pub(super) determiners: &'static [&'static str],
    /// What says behind a copula that nothing is defined: `not`, `only`, `required`.
    pub(super) no_predicates: &'static [&'static str],
    /// How what stands between a term and a verb that defines it begins: `in relation to` in `"goods" in relation to a
    /// sale means`. What stands between commas is known without.
    pub(super) asides: &'static [&'static str],
    /// Whether a term in quotation marks is defined without a verb: `„Ware“ jede Sache`.
    pub(super) omits_verb: bool,
    /// Whether the verb is the last word of its sentence.
    pub(super) has_verb_last: bool,
    /// What stands right before a term to define it: `se entiende por`.
    pub(super) leads: &'static [&'static str],
    /// What stands before a term that a verb behind it defines: `unter` in `unter Ware versteht man`.
    pub(super) prepositions: &'static [&'static str],
    /// What the term is called: `the word`.
    pub(super) nouns: &'static [&'static str],
}

const NONE: DefiningWords = DefiningWords {
    languages: &[],
    articles: &[],
    verbs: &[],
    no_verbs: &[],
    copulas: &[],
    determiners: &[],
    no_predicates: &[],
    asides: &[],
    omits_verb: false,
    has_verb_last: false,
    leads: &[],
    prepositions: &[],
    nouns: &[],
};

#[rustfmt::skip]
const WORDS: &[DefiningWords] = &[
    DefiningWords {
        languages: &[L::English],
        articles: &["a", "an", "the"],
        verbs: &[
            "means", "mean", "shall mean", "will mean", "refers to", "refer to", "shall refer to", "denotes", "denote",
            "designates", "designate", "signifies", "signify", "stands for", "stand for", "is defined as",
            "are defined as", "is understood as", "has the meaning", "have the meaning", "shall have the meaning",
            "is short for", "is a term for", "is the term for", "is another word for",
        ],
        copulas: &["is", "are"],
        determiners: &["a", "an", "the", "any", "every", "each", "all", "one"],
        no_predicates: &[
            "not", "no", "never", "also", "only", "still", "now", "always", "often", "usually", "already", "used",
            "required", "needed", "supported", "available", "allowed", "entitled", "deprecated", "enabled", "disabled",
            "optional", "missing", "set", "shown", "in", "on", "at", "by", "for", "from", "to", "there", "here",
        ],
        asides: &[
            "in relation to", "in respect of", "with respect to", "for the purposes of", "for purposes of", "as used",
            "when used", "in this", "within the meaning of",
        ],
        leads: &["is called", "are called"],
        nouns: &["term", "terms", "expression", "word", "phrase"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::German],
        articles: &["ein", "eine", "einen", "einem", "einer", "eines", "der", "die", "das", "den", "dem", "des"],
        verbs: &[
            "bedeutet", "bedeuten", "bezeichnet", "bezeichnen", "meint", "versteht", "verstehen", "steht für",
            "ist definiert als", "sind definiert als", "wird definiert als", "wird verstanden", "werden verstanden",
            "ist zu verstehen", "sind zu verstehen",
        ],
        copulas: &["ist", "sind", "heißt"],
        determiners: &[
            "ein", "eine", "der", "die", "das", "jeder", "jede", "jedes", "alle", "wer", "diejenige", "derjenige",
        ],
        no_predicates: &[
            "nicht", "kein", "keine", "nie", "auch", "nur", "noch", "immer", "oft", "bereits", "schon", "jetzt",
            "verfügbar", "erforderlich", "nötig", "möglich", "optional", "veraltet", "aktiviert", "in", "im", "auf",
            "für", "von", "vom", "zu", "zum", "zur", "bei", "nach", "ab",
        ],
        asides: &["im sinne", "im sinn", "in diesem", "in dieser", "nach diesem", "nach dieser"],
        omits_verb: true,
        leads: &["versteht man unter", "verstehen wir unter", "verstanden unter", "definiert als"],
        prepositions: &["unter"],
        nouns: &["begriff", "ausdruck", "wort", "bezeichnung"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Dutch],
        articles: &["een", "de", "het"],
        verbs: &[
            "betekent", "betekenen", "verwijst naar", "staat voor", "wordt verstaan", "worden verstaan",
            "verstaat men", "wordt gedefinieerd als",
        ],
        copulas: &["is", "zijn"],
        determiners: &["een", "de", "het", "elke", "elk", "iedere", "ieder", "alle", "degene"],
        no_predicates: &[
            "niet", "geen", "nooit", "ook", "alleen", "nog", "altijd", "vaak", "al", "nu", "beschikbaar", "vereist",
            "verplicht", "nodig", "mogelijk", "optioneel", "in", "op", "voor", "van", "bij", "naar",
        ],
        asides: &["in de zin", "in dit", "in deze"],
        leads: &["verstaan onder", "verstaat men onder"],
        prepositions: &["onder"],
        nouns: &["begrip", "term", "woord", "uitdrukking"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::French],
        articles: &["un", "une", "le", "la", "les", "l", "d", "du", "des"],
        verbs: &[
            "désigne", "désignent", "signifie", "signifient", "s entend", "s entendent", "on entend", "veut dire",
            "est défini comme", "est définie comme", "se définit comme",
        ],
        copulas: &["est", "sont", "c est"],
        determiners: &["un", "une", "le", "la", "l", "les", "tout", "toute", "tous", "toutes", "celui", "celle"],
        no_predicates: &[
            "pas", "jamais", "aussi", "seulement", "déjà", "encore", "toujours", "souvent", "disponible", "disponibles",
            "requis", "requise", "nécessaire", "obligatoire", "facultatif", "facultative", "possible", "en", "dans",
            "sur", "pour", "à", "au", "aux", "par", "de",
        ],
        asides: &["au sens", "aux fins", "dans le", "dans la", "dans cette"],
        omits_verb: true,
        leads: &[
            "entend par", "entend-on par", "entendu par", "est considéré comme", "est considérée comme",
            "est réputé", "est réputée",
        ],
        prepositions: &["par"],
        nouns: &["terme", "mot", "expression", "notion"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Spanish, L::Catalan],
        articles: &["un", "una", "unos", "unas", "el", "la", "los", "las", "l", "d", "del"],
        verbs: &[
            "significa", "significan", "designa", "denota", "se entiende", "se entenderá", "se define como",
            "se refiere a", "s entén", "es defineix com",
        ],
        copulas: &["es", "son", "és", "són"],
        determiners: &[
            "un", "una", "el", "la", "los", "las", "todo", "toda", "todos", "todas", "aquel", "aquella", "cualquier",
            "tot", "tota", "qualsevol",
        ],
        no_predicates: &[
            "también", "solo", "sólo", "siempre", "ya", "obligatorio", "obligatoria", "necesario", "necesaria",
            "posible", "opcional", "disponible", "en", "para", "por", "a", "de", "també", "només", "obligatori",
            "necessari",
        ],
        asides: &["a los efectos", "a efectos", "en el sentido", "als efectes"],
        leads: &[
            "se entiende por", "se entenderá por", "entiéndese por", "se entiende como", "entender por",
            "se considera", "se consideran", "s entén per",
        ],
        prepositions: &["por", "per"],
        nouns: &["término", "palabra", "expresión", "terme", "mot"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Portuguese],
        articles: &["um", "uma", "o", "a", "os", "as"],
        verbs: &[
            "significa", "significam", "designa", "denota", "entende-se", "define-se como", "refere-se a",
            "é definido como", "é definida como",
        ],
        copulas: &["é", "são"],
        determiners: &["um", "uma", "o", "a", "os", "as", "todo", "toda", "qualquer", "aquele", "aquela"],
        no_predicates: &[
            "também", "só", "apenas", "sempre", "já", "obrigatório", "obrigatória", "necessário", "necessária",
            "possível", "opcional", "em", "no", "na", "para", "por", "de",
        ],
        asides: &["para os efeitos", "para efeitos", "na acepção", "na aceção"],
        leads: &["entende-se por", "considera-se", "entendido por"],
        prepositions: &["por"],
        nouns: &["termo", "palavra", "expressão"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Italian],
        articles: &["un", "uno", "una", "il", "lo", "la", "i", "gli", "le", "l", "d"],
        verbs: &[
            "significa", "significano", "indica", "designa", "si intende", "s intende", "si intendono", "si riferisce a",
            "è definito come", "è definita come",
        ],
        copulas: &["è", "sono"],
        determiners: &[
            "un", "uno", "una", "il", "lo", "la", "l", "i", "gli", "le", "ogni", "qualsiasi", "qualunque", "chi",
        ],
        no_predicates: &[
            "anche", "solo", "soltanto", "sempre", "già", "obbligatorio", "obbligatoria", "necessario", "necessaria",
            "possibile", "facoltativo", "facoltativa", "disponibile", "in", "per", "da", "di", "a",
        ],
        asides: &["ai sensi", "ai fini", "nel senso"],
        leads: &["si intende per", "s intende per", "si intendono per", "si considera"],
        prepositions: &["per"],
        nouns: &["termine", "parola", "espressione"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Romanian],
        articles: &["un", "o"],
        verbs: &["înseamnă", "desemnează", "se înțelege", "este definit ca", "este definită ca"],
        copulas: &["este", "sunt"],
        determiners: &["un", "o", "orice", "acea", "acel", "cel", "cea"],
        no_predicates: &["și", "doar", "numai", "mereu", "deja", "obligatoriu", "obligatorie", "necesar", "în", "la"],
        asides: &["în sensul"],
        leads: &["se înțelege prin"],
        prepositions: &["prin"],
        nouns: &["termenul", "expresia", "cuvântul"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Danish, L::Norwegian, L::Swedish],
        articles: &["en", "ett", "et", "den", "det"],
        verbs: &[
            "betyder", "betyr", "betegner", "avser", "avses", "menas", "menes", "forstås", "förstås",
            "definieras som", "defineres som", "står för", "står for",
        ],
        copulas: &["är", "er"],
        determiners: &["en", "ett", "et", "den", "det", "varje", "enhver", "hver", "alla", "alle"],
        no_predicates: &[
            "inte", "ikke", "icke", "aldrig", "aldri", "också", "også", "bara", "bare", "kun", "alltid",
            "altid", "redan", "allerede", "i", "på", "för", "for", "till", "til", "av", "af",
        ],
        asides: &["i denna", "i denne", "i dette"],
        leads: &["avses med", "menas med", "förstås med", "forstås ved", "menes med", "menes det med"],
        prepositions: &["med", "ved"],
        nouns: &["begreppet", "uttrycket", "ordet", "begrebet", "begrepet", "udtrykket", "uttrykket", "termen"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Finnish],
        verbs: &["tarkoittaa", "tarkoittavat", "tarkoitetaan", "merkitsee", "määritellään"],
        copulas: &["on"],
        determiners: &["se", "henkilö", "jokainen"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Estonian],
        verbs: &["tähendab", "tähistab", "mõistetakse"],
        copulas: &["on"],
        determiners: &["isik", "see", "iga"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Hungarian],
        articles: &["a", "az", "egy"],
        verbs: &["jelent", "jelenti", "azt jelenti"],
        copulas: &["olyan", "az a", "az olyan"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Turkish],
        articles: &["bir"],
        verbs: &["demektir", "anlamına gelir", "ifade eder", "denir"],
        has_verb_last: true,
        ..NONE
    },
    DefiningWords {
        languages: &[L::Polish],
        verbs: &["oznacza", "oznaczają", "rozumie się", "należy rozumieć", "uważa się"],
        copulas: &["to", "jest to"],
        no_predicates: &["nie", "też", "także", "tylko", "już"],
        asides: &["w rozumieniu", "w niniejszej", "w niniejszym"],
        leads: &["rozumie się przez", "uważa się za"],
        prepositions: &["przez", "za"],
        nouns: &["termin", "pojęcie", "wyraz"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Czech, L::Slovak],
        verbs: &[
            "znamená", "označuje", "se rozumí", "rozumí se", "sa rozumie", "rozumie sa", "je definován jako",
        ],
        copulas: &["je to"],
        asides: &["ve smyslu", "v zmysle"],
        leads: &["rozumí se", "se rozumí", "rozumie sa", "sa rozumie"],
        nouns: &["pojem", "termín", "výraz"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Croatian, L::Serbian],
        verbs: &["znači", "označava", "podrazumijeva", "podrazumeva", "значи", "означава", "подразумева"],
        copulas: &["je", "jest", "је", "јесте"],
        determiners: &["svaki", "svaka", "osoba", "lice", "сваки", "свака", "лице"],
        nouns: &["pojam", "izraz", "појам", "израз"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Bulgarian],
        verbs: &["означава", "се разбира"],
        copulas: &["е", "са"],
        determiners: &["всяко", "всеки", "всяка", "лице"],
        no_predicates: &["само", "също", "винаги", "вече", "в", "на", "за"],
        nouns: &["термин", "понятие", "слово", "дума"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Russian, L::Ukrainian],
        verbs: &[
            "означает", "обозначает", "понимается", "понимаются", "называется", "признается", "означає", "позначає",
            "розуміється", "розуміють",
        ],
        copulas: &["это", "есть", "це", "є"],
        no_predicates: &["не", "ни", "тоже", "также", "только", "уже", "в", "на", "для", "лише", "теж", "також"],
        asides: &["в настоящем", "в целях", "для целей", "в смысле", "у цьому", "для цілей"],
        leads: &["понимается под", "понимают под", "розуміється під"],
        prepositions: &["под", "під"],
        nouns: &["термин", "понятие", "слово", "термін", "поняття"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Greek],
        articles: &["ο", "η", "το", "ένας", "μια", "μία", "ένα"],
        verbs: &["σημαίνει", "νοείται", "νοούνται", "ορίζεται ως"],
        copulas: &["είναι"],
        determiners: &["ένας", "μια", "μία", "ένα", "ο", "η", "το", "κάθε"],
        nouns: &["όρος"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Indonesian],
        verbs: &["berarti"],
        copulas: &["adalah", "ialah", "merupakan"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Vietnamese],
        verbs: &["có nghĩa là", "được hiểu là"],
        copulas: &["là"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Arabic, L::Persian],
        verbs: &["يعني", "تعني", "يقصد", "یعنی", "عبارت است از"],
        copulas: &["هو", "هي"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Hebrew],
        verbs: &["פירושו", "פירושה"],
        copulas: &["הוא", "היא"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Chinese],
        verbs: &["是指", "系指", "係指", "指", "是", "即"],
        no_verbs: &[
            "指令", "指出", "指南", "指定", "指导", "指導", "指引", "指挥", "指揮", "指数", "指數", "指标", "指標",
            "指示", "指针", "指針", "是不是", "是否", "即使", "即便", "即刻", "即可", "即将", "即將", "即日", "即时",
            "即時",
        ],
        leads: &["所称", "所稱"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Japanese],
        verbs: &["とは"],
        no_verbs: &["とはいえ", "とは別", "とは無関係", "とは異", "とは言え", "とは違", "とは関係", "とは限"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Korean],
        verbs: &["란", "이란", "이라 함은", "라 함은"],
        ..NONE
    },
    DefiningWords {
        languages: &[L::Thai],
        verbs: &["คือ", "หมายถึง", "หมายความว่า"],
        ..NONE
    },
];

impl DefiningWords {
    /// Returns those of a language.
    pub(super) fn of(language: Language) -> &'static Self {
        let mut all = WORDS.iter();
        all.find(|of| of.languages.contains(&language))
            .unwrap_or(&NONE)
    }

    /// Returns whether a verb that defines stands behind so many of some words at most.
    pub(super) fn has_verb_within(&self, words: &[&str], most: usize) -> bool {
        let mut starts = 0..=most.min(words.len());
        starts.any(|start| {
            let words = &words[start..];
            begin_with(words, self.verbs) && !begin_with(words, self.no_verbs)
        })
    }
}

/// Returns whether a word in lower case, without an apostrophe, is an article of some language.
pub(crate) fn is_article(word: &str) -> bool {
    WORDS.iter().any(|of| of.articles.contains(&word))
}

/// Returns whether words begin with one of some phrases, which may go on within a word in text without spaces.
pub(super) fn begin_with(words: &[&str], phrases: &[&str]) -> bool {
    let begins = |phrase: &&str| {
        let mut words = words.iter();
        let is_unspaced = Analyzer::is_unspaced(phrase);
        phrase.split(' ').all(|of| {
            let word = words.next();
            word.is_some_and(|word| *word == of || is_unspaced && word.starts_with(of))
        })
    };
    phrases.iter().any(begins)
}

/// Returns whether words end with one of some phrases, which may begin within a word in text without spaces.
pub(super) fn end_with(words: &[&str], phrases: &[&str]) -> bool {
    let ends = |phrase: &&str| {
        let mut words = words.iter().rev();
        let is_unspaced = Analyzer::is_unspaced(phrase);
        phrase.split(' ').rev().all(|of| {
            let word = words.next();
            word.is_some_and(|word| *word == of || is_unspaced && word.ends_with(of))
        })
    };
    phrases.iter().any(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_words_once_and_in_lower_case() {
        let mut languages: Vec<&str> = WORDS
            .iter()
            .flat_map(|of| of.languages)
            .map(|of| of.code())
            .collect();
        let count = languages.len();
        languages.sort_unstable();
        languages.dedup();
        assert_eq!(languages.len(), count);
        for of in WORDS {
            let lists = [
                of.articles,
                of.verbs,
                of.no_verbs,
                of.copulas,
                of.determiners,
                of.no_predicates,
                of.asides,
                of.leads,
                of.prepositions,
                of.nouns,
            ];
            for phrase in lists.concat() {
                let words = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
                assert_eq!(words.to_lowercase(), phrase);
            }
        }
    }

    #[test]
    fn phrases_are_of_whole_words_unless_their_script_has_no_spaces() {
        assert!(begin_with(
            &["shall", "mean", "any"],
            &["means", "shall mean"]
        ));
        assert!(!begin_with(&["meansome"], &["means", "mean"]));
        assert!(!begin_with(&["shall"], &["shall mean"]));
        assert!(begin_with(&["是指为"], &["是指"]));
        assert!(end_with(&["on", "entend", "par"], &["entend par"]));
        assert!(!end_with(&["prepend", "par"], &["end par"]));
        assert!(end_with(&["本法所称"], &["所称"]));
    }
}
