//! Words that tell documents apart so little that a question does better without them.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use sectile_core::Span;

use super::fold::{folded, lowered};
use super::language::{Language, Languages, Script};
use super::letters;
use super::scan::{self, WordKind};
use super::short;
use super::word::joined;

/// The stop words as they are [written](plain): others have the same stem, such as `owned` and `willing`.
const STOP_WORDS: &str = "\
    a about above after again against all am an and any are arent as at be because been before being below \
    between both but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each \
    eg etc few for from further had hadnt has hasnt have havent having he her here heres hers herself him \
    himself his how hows i ie if im in into is isnt it its itself ive let lets me more most mostly my myself \
    no nor not of off on once only or other others ought our ours ourselves out over own same shant she \
    should shouldnt so some such than that thats the their theirs them themselves then there theres these \
    they theyd theyll theyre theyve this those through to too under until up versus very vs was wasnt we \
    were werent weve what whats when where wheres which while who whom whos whose why will with wont would \
    wouldnt you youd youll your youre yours yourself yourselves youve";

/// Says whether a word of English, in lower case and without apostrophes, is a stop word.
pub(super) fn contains(word: &str) -> bool {
    static WORDS: OnceLock<FxHashSet<&str>> = OnceLock::new();
    let words = WORDS.get_or_init(|| STOP_WORDS.split(' ').collect());
    words.contains(word)
}

/// Those of English that only build sentences: beside another word they say nothing of it, as in
/// `the index`, while `if statement` is not `statement`. Sorted.
const FRAME: &[&str] = &[
    "a", "an", "and", "are", "be", "can", "could", "did", "do", "does", "how", "i", "is", "me",
    "my", "of", "or", "s", "should", "that", "the", "there", "these", "this", "to", "versus", "vs",
    "was", "we", "were", "what", "when", "where", "which", "would", "you", "your",
];

/// By language, which words of the lists build sentences and which do not.
const CORRECTIONS: &str = include_str!("stop_words.txt");

/// Words and turns of questions in text without spaces that say nothing of what is asked for.
const UNSPACED: &str = "\
    什么 什麼 甚么 甚麼 怎么 怎麼 怎样 怎樣 怎办 如何 为什 為什 为何 為何 哪些 哪个 哪個 哪里 哪裡 \
    是否 可以 能否 请问 請問 多少 这个 這個 那个 那個 这些 這些 那些 因为 因為 所以 但是 以及 或者 \
    如果 我们 我們 你们 你們 他们 他們 \
    是什么 是什麼 什么是 什麼是 什么样 什麼樣 怎么样 怎麼樣 怎么做 怎麼做 怎么用 怎麼用 怎麼辦 如何做 如何用 \
    是多少 是谁 是誰 谁是 誰是 有哪些 有多少 有什么 有什麼 哪儿 \
    どうすれば どうやって どうしたら どうして どのように にはどう するには はどう ればいい ればよい \
    たらいい ですか ますか ません でしょうか いいです よいです とは は何 何です って何 なぜ 教えて \
    ください について \
    무엇 어떻 떻게 인가 가요 나요 그리 입니 니다 습니 합니 까요 세요 무슨 어디 언제 \
    ได้อย่างไร อย่างไร คืออะไร อะไร ทำไม ที่ไหน เมื่อไร \
    เมื่อไหร่ เท่าไร เท่าไหร่ ยังไง แบบไหน ได้ไหม หรือไม่ \
    หรือเปล่า ใคร";

/// Characters of Chinese and Japanese that only build sentences where one stands alone beside words that ask.
const LONE: &str = "是的了在有和与與吗嗎呢吧啊我你您他她它会會能要想该該应應可把被将將对對从從到就都也还還又不没沒用做何私";

/// The stop words of a question: those of the language that it is in, and those that are some in every
/// language that it may be in.
pub(crate) struct StopWords {
    asked: Language,
    /// Whether the question tells its language.
    is_told: bool,
    /// Whether one of its words alone is a stop word of that language.
    is_only_one: bool,
    /// What it is written in: words in another script are names.
    script: Script,
    /// The languages that it may be in.
    languages: Vec<Language>,
}

/// The letters before this one are Latin, and what stands between them.
const END_OF_LATIN: char = '\u{250}';

/// The fewest words of a question whose language one stop word tells, where it may be English as well.
const FEWEST_TOLD_BY_ONE: usize = 3;

/// The fewest stop words by which a question in Latin script that has words in another one is in the first.
const FEWEST_OF_QUOTING: usize = 2;

impl StopWords {
    /// Reads which language a question is in, of which documents are in some languages: the one that its script
    /// and its letters leave, that it has most stop words of, or that its letters in a row tell.
    pub(crate) fn of(text: &str, languages: &[Language]) -> Self {
        let words = words_in(text);
        let script = Script::of_letters(text);
        let written = short::written_in(text, languages);
        if script == Script::Latin || is_mostly_latin(text) {
            let votes = Votes::of(&words, &with_english(languages));
            let is_quoting = votes.most >= FEWEST_OF_QUOTING || written.is_empty();
            if script == Script::Latin || is_quoting {
                let told = votes.told(words.len(), languages).or_else(|| {
                    let may_be_english = votes.likeliest == Some(Language::English);
                    short::language(text, languages, may_be_english)
                });
                return Self::told(told, &votes, Script::Latin, languages.to_vec());
            }
        }
        let votes = Votes::of(&words, &written);
        let only = match *written {
            [only] => Some(only),
            _ => None,
        };
        let told = only.or_else(|| votes.told(words.len(), &written));
        let told = told.or_else(|| short::language(text, &written, false));
        Self::told(told, &votes, script, written)
    }

    fn told(
        told: Option<Language>,
        votes: &Votes,
        script: Script,
        languages: Vec<Language>,
    ) -> Self {
        Self {
            asked: told.unwrap_or(Language::English),
            is_told: told.is_some(),
            is_only_one: votes.most == 1,
            script,
            languages,
        }
    }

    /// Returns the language of the question, if that tells it.
    pub(crate) fn language(&self) -> Option<Language> {
        self.is_told.then_some(self.asked)
    }

    /// Says whether a word as it was typed is so common that a question with other words does better
    /// without it.
    pub(crate) fn has(&self, word: &str) -> bool {
        let is_one = |language: &Language| is_stop_word(word, *language);
        let is_flag = word.starts_with('-');
        let is_name = Script::of(word) != self.script;
        let are_all = || !self.languages.is_empty() && self.languages.iter().all(is_one);
        !is_flag && !is_name && (is_one(&self.asked) || are_all())
    }

    /// Says whether one of them only builds sentences, so that it says nothing of the word beside it. Of
    /// other languages than English that is not known, and most do where a question has several.
    pub(crate) fn is_frame(&self, word: &str) -> bool {
        let is_of_other = self.asked != Language::English && !self.is_only_one;
        is_of_other || FRAME.binary_search(&&*plain(word)).is_ok()
    }

    /// Parts text without spaces where words only ask, and says of each part whether it only asks: pairs of
    /// characters across a border are no words of what it asks for.
    pub(crate) fn parted(text: &str) -> Vec<(Span, bool)> {
        let mut only_ask = vec![false; text.len()];
        if !text.is_ascii() {
            let words = UNSPACED.split(' ');
            for (at, word) in words.flat_map(|word| text.match_indices(word)) {
                only_ask[at..at + word.len()].fill(true);
            }
        }
        let mut parts: Vec<(Span, bool)> = Vec::new();
        for (at, asks) in only_ask.into_iter().enumerate() {
            match parts.last_mut() {
                Some((part, only_asks)) if *only_asks == asks => part.end = at + 1,
                _ => parts.push((Span::new(at, at + 1), asks)),
            }
        }
        parts
    }

    /// Says whether one leftover character is too little to search for.
    pub(crate) fn is_rest(typed: &str) -> bool {
        let mut letters = typed.chars();
        let (Some(only), None) = (letters.next(), letters.next()) else {
            return false;
        };
        scan::is_unspaced(only) && (!scan::is_han(only) || LONE.contains(only))
    }
}

/// How many words of a question are stop words of some languages.
struct Votes {
    /// Those of the likeliest language, which comes before others that have as many.
    most: usize,
    likeliest: Option<Language>,
    /// Whether no other language has as many, or only English, where it comes last.
    is_only: bool,
}

impl Votes {
    fn of(words: &[&str], languages: &[Language]) -> Self {
        let count = |language: Language| {
            let are_some = words.iter().filter(|word| is_stop_word(word, language));
            are_some.count()
        };
        let mut counts: Vec<_> = languages.iter().map(|of| (count(*of), *of)).collect();
        counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let most = counts.first().map_or(0, |(most, _)| *most);
        Self {
            most,
            likeliest: counts.first().map(|(_, likeliest)| *likeliest),
            is_only: counts
                .get(1)
                .is_none_or(|(next, of)| *next < most || *of == Language::English),
        }
    }

    /// Returns the language that they tell of a question of so many words, of which documents are in some
    /// languages.
    fn told(&self, words: usize, languages: &[Language]) -> Option<Language> {
        let likeliest = self.likeliest?;
        // English names have words that are stop words elsewhere: `die casting`, `vitamin K`.
        let may_be_name = self.most == 1
            && words < FEWEST_TOLD_BY_ONE
            && likeliest != Language::English
            && languages.contains(&Language::English);
        (self.most > 0 && self.is_only && !may_be_name).then_some(likeliest)
    }
}

/// Returns the languages of documents and English: first where they are in English too, and otherwise last, as it may be
/// the language of the question all the same.
fn with_english(languages: &[Language]) -> Vec<Language> {
    let english = std::iter::once(Language::English);
    let others = languages.iter().copied();
    let others = others.filter(|of| *of != Language::English);
    if languages.is_empty() || languages.contains(&Language::English) {
        english.chain(others).collect()
    } else {
        others.chain(english).collect()
    }
}

/// Returns the words of a question, but for flags.
fn words_in(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    scan::words(text, |word| {
        if word.kind == WordKind::Word && !text[word.span.start..].starts_with('-') {
            words.push(word.span.of(text));
        }
    });
    words
}

/// Says whether most bytes of the letters of a text are of Latin ones: those of other scripts are fewer for as much.
fn is_mostly_latin(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic());
    let (latin, other): (Vec<char>, Vec<char>) = letters.partition(|letter| *letter < END_OF_LATIN);
    let bytes = |letters: &[char]| letters.iter().map(|of| of.len_utf8()).sum::<usize>();
    bytes(&latin) > bytes(&other)
}

/// Says whether a word as it was typed is a stop word of a language. It may be typed without its accents, but
/// one with other accents is another word (`ändern` and `andern`).
pub(super) fn is_stop_word(word: &str, language: Language) -> bool {
    match language {
        Language::English => contains(&plain(word)),
        language if has_no_words(language) => false,
        _ => words_of(language).contains(&*written(&joined(word))),
    }
}

/// Says whether what is in the list of a language is never a word of a text: pairs of characters are none, see
/// `UNSPACED`.
const fn has_no_words(language: Language) -> bool {
    matches!(language, Language::Chinese | Language::Korean)
}

/// Returns the languages that a word as it was typed is a [stop word](is_stop_word) of.
pub(super) fn languages_of(word: &str) -> Languages {
    let found = listed(is_latin(word))
        .get(&*written(&joined(word)))
        .copied();
    let others = found.unwrap_or(Languages::NONE);
    if is_stop_word(word, Language::English) {
        others.or(Languages::only(Language::English))
    } else {
        others
    }
}

/// Says whether a word is in Latin script, by its first letter.
pub(super) fn is_latin(word: &str) -> bool {
    word.starts_with(|first: char| first < END_OF_LATIN)
}

/// Returns the languages but English whose lists have a word, for each word of those in Latin script, or of all others: to
/// read these takes much longer, and few texts need them.
fn listed(is_latin: bool) -> &'static FxHashMap<&'static str, Languages> {
    static LISTED: [OnceLock<FxHashMap<&str, Languages>>; 2] = [const { OnceLock::new() }; 2];
    LISTED[usize::from(is_latin)].get_or_init(|| {
        let mut listed = FxHashMap::default();
        let has_list = |of: &Language| *of != Language::English && !has_no_words(*of);
        for language in Language::all().filter(|of| has_list(of) && of.is_latin() == is_latin) {
            for word in words_of(language) {
                let known = listed.entry(&**word).or_insert(Languages::NONE);
                *known = known.or(Languages::only(language));
            }
        }
        listed
    })
}

/// Returns a word as the sets of stop words have it: with the accents that it has, if it is Latin.
fn written(word: &str) -> Cow<'_, str> {
    let has_accents = letters::of(word).next().is_some();
    if has_accents {
        lowered(word)
    } else {
        folded(word)
    }
}

/// Returns a word of English in lower case, without accents and apostrophes, and without the `'s` at its end.
fn plain(word: &str) -> Cow<'_, str> {
    // Most words are no more than this.
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    let joined = joined(word);
    let folded = folded(&joined);
    let bare = folded.strip_suffix("'s").unwrap_or(&folded);
    Cow::Owned(bare.replace('\'', ""))
}

/// Says whether the stop words of a language are known.
pub(super) fn are_known(language: Language) -> bool {
    language == Language::English || !words_of(language).is_empty()
}

/// Returns the stop words of another language than English, as they are written and folded.
fn words_of(language: Language) -> &'static FxHashSet<String> {
    static WORDS: [OnceLock<FxHashSet<String>>; Language::COUNT] =
        [const { OnceLock::new() }; Language::COUNT];
    WORDS[language as usize].get_or_init(|| {
        let listed = stop_words::lookup(language.code()).unwrap_or_default();
        let mut words = FxHashSet::default();
        for word in kept(listed, language) {
            let word = joined(word);
            if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
                words.insert(word);
                continue;
            }
            words.insert(folded(&word).into_owned());
            // Romanian is written with cedillas too.
            words.insert(lowered(&word).replace('ş', "ș").replace('ţ', "ț"));
            words.insert(lowered(&word).into_owned());
        }
        words
    })
}

/// Keeps the words of a list that build sentences: lists of other sources have some that documents are about, and digits and
/// signs, which are words of none.
fn kept(listed: &[&'static str], language: Language) -> Vec<&'static str> {
    let rule = CORRECTIONS.lines().find_map(|line| {
        let rule = line.strip_prefix(language.code())?.trim_start();
        let (kind, words) = rule.split_once(' ')?;
        Some((kind == "only", words.split(' ').collect::<FxHashSet<_>>()))
    });
    let listed = listed.iter().copied();
    let listed = listed.filter(|word| word.contains(char::is_alphabetic));
    let Some((is_only, words)) = rule else {
        return listed.collect();
    };
    listed
        .filter(|word| words.contains(word) == is_only)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_tells_all_languages_that_it_is_a_stop_word_of() {
        let words = [
            "the",
            "The",
            "don't",
            "ourselves",
            "running",
            "die",
            "Die",
            "für",
            "fur",
            "și",
            "şi",
            "и",
            "безъ",
            "la",
            "de_la",
            "안전",
            "安全",
            "are",
            "AND",
            "",
            "x",
        ];
        for word in words {
            let found = languages_of(word);
            for language in Language::all() {
                let is_one = is_stop_word(word, language);
                assert_eq!(found.has(language), is_one, "{word} {language}");
            }
        }
    }

    #[test]
    fn the_lists_are_sorted() {
        assert!(STOP_WORDS.split(' ').is_sorted() && FRAME.is_sorted());
    }

    #[test]
    fn a_question_tells_its_language_by_stop_words_script_and_letters() {
        let languages = [
            Language::Chinese,
            Language::English,
            Language::French,
            Language::German,
            Language::Japanese,
            Language::Russian,
        ];
        for (question, told) in [
            ("What about sid?", Some(Language::English)),
            ("VPN mit OpenVPN", Some(Language::German)),
            ("настройка принтера", Some(Language::Russian)),
            ("プリンタの設定", Some(Language::Japanese)),
            ("创建帐号", Some(Language::Chinese)),
            ("設定", None),
            ("what does 設定 say there", Some(Language::English)),
            ("crontab syntax", Some(Language::English)),
            ("Dateirechte ändern", Some(Language::German)),
            ("raid 5", Some(Language::English)),
        ] {
            assert_eq!(
                StopWords::of(question, &languages).language(),
                told,
                "{question}"
            );
        }
        for name in ["die casting", "vitamin C", "pour point"] {
            let words = StopWords::of(name, &languages);
            let has_any = name.split(' ').any(|word| words.has(word));
            assert!(
                !has_any && words.language() != Some(Language::French),
                "{name}"
            );
        }
        let words = StopWords::of("die casting machine", &languages);
        assert!(words.has("die") && !words.is_frame("die"));
        let german = StopWords::of("so was Haus", &[Language::German]);
        assert_eq!(german.language(), Some(Language::German));
        let english = StopWords::of("so is this", &[Language::German]);
        assert_eq!(english.language(), Some(Language::English));
        let words = StopWords::of("how is it done", &languages);
        assert!(words.has("it") && !words.has("die"));
        assert!(words.is_frame("Is") && !words.is_frame("it"));
    }

    #[test]
    fn a_word_in_another_script_than_the_question_is_a_name() {
        let languages = [
            Language::Arabic,
            Language::Chinese,
            Language::English,
            Language::Japanese,
            Language::Persian,
            Language::Russian,
            Language::Ukrainian,
        ];
        for (question, name, told) in [
            ("ключевое слово this", "this", None),
            ("ключове слово this", "this", None),
            ("оператор with", "with", None),
            ("this 关键字", "this", Some(Language::Chinese)),
            ("حلقة for", "for", Some(Language::Arabic)),
            ("what does для mean", "для", Some(Language::English)),
            (
                "яке значення за замовчуванням у функції",
                "this",
                Some(Language::Ukrainian),
            ),
        ] {
            let words = StopWords::of(question, &languages);
            assert!(!words.has(name), "{question}");
            if told.is_some() {
                assert_eq!(words.language(), told, "{question}");
            }
        }
        let words = StopWords::of("что такое this и для чего", &languages);
        assert!(words.has("что") && words.has("для") && !words.has("this"));
        assert!(!StopWords::of("слово this", &[]).has("this"));
    }

    #[test]
    fn question_words_and_articles_are_in_it() {
        let words = "the What how is do dont don't DON\u{2019}T What's its any only because you're let's others \
                     themselves e.g.";
        for word in words.split(' ') {
            assert!(is_stop_word(word, Language::English), "{word}");
        }
        assert!(!is_stop_word("state", Language::English));
    }

    #[test]
    fn words_with_the_stem_of_one_are_none() {
        let words = "owned Owning willing underlying overly canned theses doe outing downs";
        for word in words.split(' ') {
            assert!(!languages_of(word).has(Language::English), "{word}");
        }
        assert!(!StopWords::of("who owned it", &[]).has("owned"));
    }

    #[test]
    fn other_languages_have_some() {
        for (language, word) in [
            (Language::German, "Für"),
            (Language::French, "dans"),
            (Language::Polish, "jest"),
            (Language::Russian, "на"),
            (Language::Czech, "který"),
        ] {
            assert!(is_stop_word(word, language), "{word}");
        }
        assert!(!is_stop_word("Haus", Language::German));
    }

    #[test]
    fn what_documents_are_about_is_none() {
        for (language, words) in [
            (Language::Arabic, "علم نفس ب ج خمسة ثلاثون"),
            (Language::Bulgarian, "време"),
            (Language::Czech, "email design zprávy zpravy článek dva tři"),
            (Language::Irish, "céad fiche"),
            (Language::Persian, "۵ ۱۲ 5 شش دو"),
            (Language::Polish, "dwa dwie"),
            (Language::Russian, "два три"),
            (Language::Indonesian, "masalah waktu jumlah tahun"),
            (Language::Polish, "sposób roku"),
            (Language::Romanian, "data față"),
            (Language::Spanish, "estado sentido"),
            (Language::Vietnamese, "dữ cơ sở số"),
        ] {
            for word in words.split(' ') {
                assert!(!is_stop_word(word, language), "{word}");
            }
        }
        for (language, words) in [
            (Language::Czech, "který protože jsou"),
            (Language::Indonesian, "yang dengan untuk"),
            (Language::Polish, "się który"),
            (Language::Romanian, "și şi si pentru"),
            (Language::Spanish, "están cuando"),
            (Language::Vietnamese, "của không những"),
        ] {
            for word in words.split(' ') {
                assert!(is_stop_word(word, language), "{word}");
            }
        }
    }

    #[test]
    fn a_word_with_other_accents_is_another_word() {
        let is_one = |word| is_stop_word(word, Language::German);
        assert!(is_one("für") && is_one("fur") && is_one("Über") && is_one("andern"));
        assert!(!is_one("ändern") && !is_one("schön"));
        let is_one = |word| is_stop_word(word, Language::Swedish);
        assert!(is_one("är") && !is_one("år"));
    }

    #[test]
    fn the_corrections_are_of_words_that_are_listed() {
        for line in CORRECTIONS.lines().filter(|line| !line.starts_with('#')) {
            let mut words = line.split(' ');
            let language: Language = words.next().unwrap().parse().unwrap();
            let listed = stop_words::lookup(language.code()).unwrap();
            assert!(matches!(words.next(), Some("only" | "without")), "{line}");
            let all: Vec<&str> = words.collect();
            let unknown: Vec<_> = all.iter().filter(|word| !listed.contains(word)).collect();
            assert!(unknown.is_empty(), "{language}: {unknown:?}");
        }
    }
}
