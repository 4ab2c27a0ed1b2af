//! Which forms of words find each other, in many languages: `docs/languages.md` is made here.

use std::fmt::Write as _;
use std::path::Path;

use sectile_store::{Analyzer, BESIDE, Language, Query};

const HEAD: &str = "# Languages

Each document has a language: the one that `sectile ingest --language` sets, or else the one that is set for its
collection, or else the one that the document states (`lang` in front matter or of HTML, the properties of DOCX and PDF),
or else the one that is detected in its prose. `sectile config set language handbook=de,filings=fr` sets the languages of
collections, by code or English name; every later ingest indexes documents of these collections again that are in another
one, and `--language` holds until an ingest without it. A text that is too short for that counts as English, and code is ignored. A page
that quotes another language has the language of most of its text. Source code, JSON and YAML are English, unless several
stop words or many letters of another language occur. A few words in a script of several languages count as its most
common one (Russian, Arabic, Hindi, Hebrew), unless their letters or stop words belong to another. Close languages, such
as Catalan and Spanish, are told apart by the stop words that only one of them has. Basque, Catalan, Esperanto and Irish
are detected only by several of these. Front matter does not count, unless there is nothing else, and a few words without a
stop word or a letter of a language are English.

The language decides the stems (Snowball; light stems for Arabic, Bulgarian, Finnish, Hebrew and Slovak) and the words
that are left out of questions. A question is read in every language that the documents searched are in, and a stem is
looked for only in the documents of its language. If the stop words, script or letters of a question reveal its
language, documents in that language come first among similar ones. Names and commands alone
(`crontab syntax`) tell none, and letters from `a` to `z` do not tell English from Romance languages
(`create volume snapshot`): such a question is read in all languages alike. So is one of a few words that may as well be in
another language, whether documents are in that or not: `en` is a word of French, Spanish and Swedish, and `ä` no letter of
the first two. A language that few of the documents are in
(fewer chunks than an eighth of those in the commonest one) is told by two stop words at least, or by its letters. If few
are in any other, a question that tells nothing is in the commonest one.

In every language:

- words are lowercased, accents, Arabic vowel signs and Hebrew points are dropped, and letters that have
  several forms are written in one (`ß` and `ss`, `ґ` and `г`, half-width kana, full-width Latin, Thai and Lao vowels of
  two characters, and in Danish and Norwegian `å` and `aa`)
- words of Vietnamese have their tones and letters: typed with them, they are found so (`phải` is not `phái`), and typed
  without, all words are found that are the same without. Both places of a tone are one (`hoà` and `hòa`)
- text in Unicode NFD, such as file names and exports of macOS, is read as that in NFC
- words in another script than the document's are read as that script's commonest language, so that an
  English name is stemmed in a Russian text
- singular and plural of a short noun have one stem where Snowball gives them two (`año` and `años`, `ora` and `ore`, `loi`
  and `lois`), and so have nouns that lose a vowel (`список` and `списки`) and irregular ones of a list (`child` and
  `children`, `bok` and `böcker`)
- forms of Finnish words have one stem though their consonants and vowels alternate (`lupa` and `luvan`, `päätös` and
  `päätöksen`)
- Ukrainian nouns have one stem in all cases also where Snowball takes an ending for that of a verb or a diminutive
  (`земля` and `землею`, `список` and `списки`), Turkish ones of which the singular ends like one with suffixes (`eğitim`
  and `eğitimler`) or that have an owner (`maddesi`), and Indonesian verbs whose root loses its first letter (`tulis` and
  `menulis`)
- Turkish suffixes are cut only where their vowels go with those before them (`haziran` is not `hazır`), and some Finnish
  nouns with the stem of another one are told from it by the vowel behind it (`tila` and `tili`)
- an English verb and its noun find each other, though the stem changes within (`explain` and `explanation`): where
  documents have the word that was typed, the other one counts half
- the forms of a German verb find each other, though their stems differ (`wählt` and `gewählt`, `finden` and `gefunden`,
  `aufrufen` and `aufgerufen` or `aufzurufen`), and so do those of Dutch verbs whose vowels change (`opslaan` and
  `opgeslagen`): where documents have the form that was typed, the others count half. This holds for words in small
  letters; not for a verb whose prefix stands apart (`ruft … auf`)
- what French, Italian and Catalan elide before an apostrophe is cut, and every sign that is typed for an apostrophe
  between letters is one
- Hebrew abbreviations are one word, with either sign (`צה״ל`)
- German compounds are split into nouns out of a short list, and each of them ranks, below the word itself. The first
  part may be another noun if the compound has a capital, and one that ends in `-ungs`, `-heits` and the like in any
  case; words in small letters that are not made of such nouns (`verpflichtet`) stay whole
- a German noun that is a stop word but for its capital (`Würde`) is a word
- text without spaces is indexed as pairs of characters; Han and Hangul also as single ones
- letters of a script tell a question's language where several have it (`ї` is Ukrainian, `گ` Persian), and so do
  characters that only Chinese or only Japanese has
- in a question in another script, `this` or `for` is a name and no stop word
- a question in plain letters alone finds words with accents as documents write them; in its language, if it
  reveals one, or in the only language of the documents besides English, it finds their other forms as well

Simplified and traditional Chinese characters, and old and new ones of Japanese, are different characters: a question in one
form does not find documents in the other.

What this finds, and what it does not. *Before* is every text read as English, which the first version did.
This page is made by a test.

| language | asked for | in a document | difference | before | now |
| --- | --- | --- | --- | --- | --- |
";

/// A word that is asked for and one of a document.
struct Pair {
    language: Language,
    question: &'static str,
    document: &'static str,
    difference: &'static str,
    /// Whether the first version of the analyser found it.
    before: bool,
}

const fn pair(
    language: Language,
    question: &'static str,
    document: &'static str,
    difference: &'static str,
    before: bool,
) -> Pair {
    Pair {
        language,
        question,
        document,
        difference,
        before,
    }
}

const PAIRS: &[Pair] = &[
    pair(Language::English, "indexes", "index", "plural", true),
    pair(Language::English, "running", "runs", "verb", true),
    pair(Language::English, "colour", "color", "spelling", false),
    pair(
        Language::English,
        "organisation",
        "organization",
        "spelling",
        false,
    ),
    pair(Language::English, "modelling", "modeled", "spelling", true),
    pair(Language::English, "nodejs", "node.js", "compound", false),
    pair(Language::English, "email", "e-mail", "compound", false),
    pair(
        Language::English,
        "state-of-the-art",
        "state of the art",
        "compound",
        true,
    ),
    pair(Language::English, "alias", "aliases", "plural", false),
    pair(Language::English, "bus", "buses", "plural", false),
    pair(Language::English, "lens", "lenses", "plural", false),
    pair(Language::English, "index", "indices", "plural", false),
    pair(Language::English, "child", "children", "plural", false),
    pair(Language::English, "mouse", "mice", "plural", false),
    pair(Language::English, "analysis", "analyses", "plural", false),
    pair(Language::English, "menu", "menus", "plural", false),
    pair(Language::English, "VM", "VMs", "plural", false),
    pair(Language::English, "basis", "bases", "plural", false),
    pair(Language::English, "medium", "media", "plural", false),
    pair(Language::German, "Haus", "Häuser", "plural", false),
    pair(Language::German, "Vertrag", "Verträge", "plural", true),
    pair(Language::German, "Hauses", "Haus", "case", true),
    pair(Language::German, "Häuser", "Haeuser", "spelling", false),
    pair(Language::German, "Strasse", "Straße", "spelling", false),
    pair(
        Language::German,
        "Versicherung",
        "Rechtsschutzversicherung",
        "compound",
        false,
    ),
    pair(
        Language::German,
        "Verbindung",
        "Datenbankverbindungen",
        "compound",
        false,
    ),
    pair(Language::German, "speichern", "speichert", "verb", false),
    pair(Language::German, "wählt", "gewählt", "verb", false),
    pair(Language::German, "gewählten", "wählen", "verb", false),
    pair(Language::German, "verwenden", "verwendet", "verb", false),
    pair(Language::German, "finden", "gefunden", "verb", false),
    pair(Language::German, "geschrieben", "schreiben", "verb", false),
    pair(Language::German, "aufrufen", "aufgerufen", "verb", false),
    pair(Language::German, "aufrufen", "aufzurufen", "verb", false),
    pair(Language::German, "angezeigt", "anzeigen", "verb", false),
    pair(Language::German, "Auto", "Autos", "plural", true),
    pair(Language::German, "Thema", "Themen", "plural", false),
    pair(Language::German, "Index", "Indizes", "plural", false),
    pair(
        Language::French,
        "installation",
        "L’installation",
        "elision",
        false,
    ),
    pair(Language::French, "école", "d'école", "elision", false),
    pair(Language::French, "écoles", "école", "plural", true),
    pair(Language::French, "cheval", "chevaux", "plural", false),
    pair(Language::French, "national", "nationaux", "plural", false),
    pair(Language::French, "installer", "installation", "verb", true),
    pair(Language::French, "ecole", "école", "accent", true),
    pair(Language::French, "loi", "lois", "plural", true),
    pair(Language::French, "jeu", "jeux", "plural", false),
    pair(Language::French, "menu", "menus", "plural", false),
    pair(Language::French, "travail", "travaux", "plural", false),
    pair(Language::French, "nouveau", "nouvelle", "gender", false),
    pair(Language::Italian, "acqua", "dell'acqua", "elision", false),
    pair(
        Language::Italian,
        "installazione",
        "L’installazione",
        "elision",
        false,
    ),
    pair(Language::Italian, "file", "files", "plural", true),
    pair(Language::Italian, "documento", "documenti", "plural", false),
    pair(Language::Italian, "libreria", "librerie", "plural", false),
    pair(
        Language::Italian,
        "configurare",
        "configurazione",
        "verb",
        false,
    ),
    pair(Language::Italian, "ora", "ore", "plural", false),
    pair(Language::Italian, "uso", "usi", "plural", false),
    pair(Language::Italian, "uomo", "uomini", "plural", false),
    pair(Language::Spanish, "canción", "canciones", "plural", true),
    pair(
        Language::Spanish,
        "configuración",
        "configuraciones",
        "plural",
        true,
    ),
    pair(Language::Spanish, "instalar", "instalación", "verb", false),
    pair(Language::Spanish, "cancion", "canción", "accent", true),
    pair(Language::Spanish, "rápido", "rápida", "gender", false),
    pair(Language::Spanish, "año", "años", "plural", true),
    pair(Language::Spanish, "eje", "ejes", "plural", true),
    pair(Language::Spanish, "luz", "luces", "plural", false),
    pair(Language::Spanish, "imagen", "imágenes", "plural", true),
    pair(Language::Spanish, "bit", "bits", "plural", true),
    pair(
        Language::Portuguese,
        "configuração",
        "configurações",
        "plural",
        false,
    ),
    pair(Language::Portuguese, "arquivo", "arquivos", "plural", true),
    pair(
        Language::Portuguese,
        "instalar",
        "instalação",
        "verb",
        false,
    ),
    pair(
        Language::Portuguese,
        "configuracao",
        "configuração",
        "accent",
        true,
    ),
    pair(Language::Portuguese, "ano", "anos", "plural", true),
    pair(Language::Portuguese, "item", "itens", "plural", false),
    pair(Language::Portuguese, "botão", "botões", "plural", false),
    pair(Language::Portuguese, "papel", "papéis", "plural", false),
    pair(Language::Portuguese, "nó", "nós", "plural", false),
    pair(Language::Catalan, "aigua", "l'aigua", "elision", false),
    pair(Language::Catalan, "document", "documents", "plural", true),
    pair(
        Language::Catalan,
        "instal·lació",
        "instal·lacions",
        "plural",
        false,
    ),
    pair(Language::Catalan, "casa", "cases", "plural", false),
    pair(Language::Romanian, "fișier", "fișiere", "plural", true),
    pair(Language::Romanian, "carte", "cărților", "case", false),
    pair(
        Language::Romanian,
        "instalare",
        "instalarea",
        "article",
        false,
    ),
    pair(Language::Romanian, "an", "ani", "plural", false),
    pair(Language::Romanian, "nod", "noduri", "plural", false),
    pair(Language::Romanian, "ac", "ace", "plural", false),
    pair(Language::Dutch, "boek", "boeken", "plural", false),
    pair(Language::Dutch, "huis", "huizen", "plural", false),
    pair(Language::Dutch, "bestand", "bestanden", "plural", false),
    pair(Language::Dutch, "opslaan", "opslaat", "verb", false),
    pair(Language::Dutch, "gemaakt", "maken", "verb", false),
    pair(Language::Dutch, "vinden", "gevonden", "verb", false),
    pair(Language::Dutch, "opslaan", "opgeslagen", "verb", false),
    pair(Language::Dutch, "ingesteld", "instellen", "verb", false),
    pair(Language::Dutch, "dag", "dagen", "plural", false),
    pair(Language::Dutch, "stad", "steden", "plural", false),
    pair(Language::Swedish, "bok", "böcker", "plural", false),
    pair(Language::Swedish, "fil", "filerna", "article", false),
    pair(Language::Swedish, "hus", "husets", "case", false),
    pair(
        Language::Swedish,
        "installation",
        "installationen",
        "article",
        false,
    ),
    pair(Language::Swedish, "by", "byar", "plural", false),
    pair(Language::Swedish, "regel", "regler", "plural", false),
    pair(Language::Swedish, "kalender", "kalendrar", "plural", false),
    pair(Language::Danish, "fil", "filerne", "article", false),
    pair(Language::Danish, "hus", "husene", "article", false),
    pair(Language::Danish, "bøger", "bøgerne", "article", false),
    pair(Language::Danish, "bog", "bøger", "plural", false),
    pair(Language::Danish, "år", "årene", "plural", false),
    pair(Language::Danish, "Århus", "Aarhus", "spelling", false),
    pair(Language::Norwegian, "fil", "filene", "article", false),
    pair(Language::Norwegian, "hus", "husene", "article", false),
    pair(Language::Norwegian, "bøker", "bøkene", "article", false),
    pair(Language::Norwegian, "bok", "bøker", "plural", false),
    pair(Language::Norwegian, "nøkkel", "nøkler", "plural", false),
    pair(Language::Finnish, "talo", "talossa", "case", false),
    pair(Language::Finnish, "tiedosto", "tiedostoja", "case", false),
    pair(Language::Finnish, "kirja", "kirjat", "plural", false),
    pair(Language::Finnish, "asennus", "asennuksen", "case", false),
    pair(Language::Finnish, "vuosi", "vuodet", "plural", false),
    pair(Language::Finnish, "lääke", "lääkkeiden", "case", false),
    pair(Language::Finnish, "tuki", "tuen", "case", false),
    pair(Language::Finnish, "kunta", "kunnan", "case", false),
    pair(Language::Finnish, "oikeus", "oikeudet", "plural", false),
    pair(Language::Finnish, "antaa", "annetaan", "verb", false),
    pair(Language::Hungarian, "könyv", "könyvek", "plural", false),
    pair(Language::Hungarian, "ház", "házban", "case", false),
    pair(Language::Hungarian, "fájl", "fájlok", "plural", false),
    pair(
        Language::Hungarian,
        "telepítés",
        "telepítése",
        "case",
        false,
    ),
    pair(Language::Polish, "plik", "pliki", "plural", false),
    pair(Language::Polish, "książka", "książki", "plural", false),
    pair(Language::Polish, "instalacja", "instalacji", "case", false),
    pair(Language::Polish, "serwer", "serwerze", "case", false),
    pair(Language::Polish, "nagłówek", "nagłówki", "plural", false),
    pair(Language::Polish, "błąd", "błędy", "plural", false),
    pair(Language::Czech, "soubor", "soubory", "plural", false),
    pair(Language::Czech, "kniha", "knihy", "plural", false),
    pair(Language::Czech, "instalace", "instalaci", "case", false),
    pair(Language::Czech, "server", "serveru", "case", false),
    pair(Language::Czech, "dům", "domy", "plural", false),
    pair(Language::Slovak, "kniha", "knihách", "case", false),
    pair(Language::Slovak, "nastavenie", "nastavení", "case", false),
    pair(Language::Russian, "установка", "установки", "case", false),
    pair(Language::Russian, "книга", "книгами", "case", false),
    pair(Language::Russian, "файл", "файлы", "plural", false),
    pair(Language::Russian, "сервер", "сервере", "case", false),
    pair(Language::Russian, "ёлка", "елка", "spelling", true),
    pair(Language::Russian, "список", "списки", "plural", false),
    pair(Language::Russian, "ссылка", "ссылок", "plural", false),
    pair(Language::Russian, "узел", "узлы", "plural", false),
    pair(Language::Russian, "время", "времена", "plural", false),
    pair(Language::Bulgarian, "книгата", "книга", "article", false),
    pair(Language::Bulgarian, "файл", "файловете", "plural", false),
    pair(Language::Bulgarian, "страница", "страници", "plural", false),
    pair(
        Language::Ukrainian,
        "встановлення",
        "встановленням",
        "case",
        false,
    ),
    pair(Language::Ukrainian, "ґанок", "ганок", "letter form", false),
    pair(Language::Ukrainian, "книга", "книги", "plural", false),
    pair(Language::Ukrainian, "файл", "файли", "plural", false),
    pair(
        Language::Ukrainian,
        "об'єкт",
        "об\u{2bc}єкт",
        "letter form",
        false,
    ),
    pair(Language::Ukrainian, "сервер", "сервері", "case", false),
    pair(Language::Ukrainian, "столиця", "столицею", "case", false),
    pair(Language::Ukrainian, "земля", "землею", "case", false),
    pair(Language::Ukrainian, "стаття", "статтею", "case", false),
    pair(Language::Ukrainian, "список", "списки", "plural", false),
    pair(
        Language::Ukrainian,
        "громадянин",
        "громадяни",
        "plural",
        false,
    ),
    pair(Language::Serbian, "knjiga", "knjige", "plural", false),
    pair(Language::Serbian, "књига", "knjiga", "script", false),
    pair(Language::Lithuanian, "knyga", "knygos", "plural", false),
    pair(Language::Lithuanian, "failas", "failai", "plural", false),
    pair(Language::Estonian, "raamat", "raamatud", "plural", false),
    pair(Language::Estonian, "fail", "failid", "plural", false),
    pair(Language::Greek, "αρχείο", "αρχεία", "plural", false),
    pair(Language::Greek, "βιβλίο", "βιβλία", "plural", false),
    pair(
        Language::Greek,
        "εγκατάσταση",
        "εγκατάστασης",
        "case",
        false,
    ),
    pair(Language::Turkish, "kitap", "kitaplar", "plural", false),
    pair(Language::Turkish, "ev", "evlerde", "case", false),
    pair(Language::Turkish, "dosya", "dosyaları", "case", false),
    pair(Language::Turkish, "İstanbul", "İstanbul'da", "case", false),
    pair(Language::Turkish, "işletim", "İŞLETİM", "capitals", false),
    pair(Language::Turkish, "madde", "maddesi", "possessive", false),
    pair(
        Language::Turkish,
        "mahkeme",
        "mahkemesi",
        "possessive",
        false,
    ),
    pair(Language::Turkish, "üye", "üyesi", "possessive", false),
    pair(Language::Turkish, "eğitim", "eğitimler", "plural", false),
    pair(Language::Turkish, "şehir", "şehri", "case", false),
    pair(Language::Indonesian, "baca", "membaca", "verb", false),
    pair(Language::Indonesian, "simpan", "disimpan", "verb", false),
    pair(Language::Indonesian, "kirim", "mengirim", "verb", false),
    pair(Language::Indonesian, "tulis", "menulis", "verb", false),
    pair(Language::Indonesian, "kerja", "mengerjakan", "verb", false),
    pair(Language::Indonesian, "pakai", "memakai", "verb", false),
    pair(Language::Indonesian, "sapu", "menyapu", "verb", false),
    pair(Language::Arabic, "تثبيت", "التثبيت", "article", false),
    pair(Language::Arabic, "كتاب", "الكتاب", "article", false),
    pair(Language::Arabic, "مكتبة", "مَكْتَبَة", "vowel signs", false),
    pair(Language::Arabic, "احمد", "أحمد", "letter form", false),
    pair(Language::Arabic, "ملف", "ملفات", "plural", false),
    pair(Language::Arabic, "فئة", "الفئات", "plural", false),
    pair(Language::Arabic, "مدينة", "لمدينة", "preposition", false),
    pair(Language::Arabic, "متميز", "متميزا", "case", false),
    pair(Language::Persian, "کتاب", "کتاب‌ها", "plural", true),
    pair(Language::Persian, "كتاب", "کتاب", "letter form", false),
    pair(
        Language::Persian,
        "زنجیره ای",
        "زنجیره‌ای",
        "spelling",
        false,
    ),
    pair(Language::Hebrew, "תוכנה", "התוכנה", "article", false),
    pair(Language::Hebrew, "שלום", "שָׁלוֹם", "vowel signs", false),
    pair(Language::Hebrew, "ספר", "ספרים", "plural", false),
    pair(Language::Hindi, "किताब", "किताबें", "plural", false),
    pair(Language::Hindi, "लड़का", "लड़के", "case", false),
    pair(Language::Hindi, "फाइल", "फ़ाइल", "spelling", false),
    pair(Language::Hindi, "हिंदी", "हिन्दी", "spelling", false),
    pair(Language::Tamil, "புத்தகம்", "புத்தகங்கள்", "plural", false),
    pair(
        Language::Vietnamese,
        "tieng viet",
        "tiếng Việt",
        "accent",
        true,
    ),
    pair(Language::Vietnamese, "duong", "đường", "accent", false),
    pair(
        Language::Vietnamese,
        "hoà bình",
        "hòa bình",
        "spelling",
        true,
    ),
    pair(
        Language::Chinese,
        "检索",
        "全文检索的方法",
        "no spaces",
        true,
    ),
    pair(Language::Chinese, "文", "全文检索", "one character", false),
    pair(Language::Chinese, "文言", "⽂⾔", "letter form", false),
    pair(Language::Chinese, "网络", "網路", "other characters", false),
    pair(
        Language::Japanese,
        "検索",
        "全文検索する",
        "no spaces",
        true,
    ),
    pair(Language::Japanese, "ガイド", "ｶﾞｲﾄﾞ", "half width", false),
    pair(Language::Korean, "검색", "검색을", "particle", true),
    pair(Language::Korean, "물", "물과 불", "one character", false),
    pair(Language::Thai, "น้ำ", "นํ้า", "letter form", false),
    pair(Language::Thai, "ภาษา", "ภาษาไทย", "no spaces", true),
    pair(Language::Thai, "ไทย", "ภาษาไทย", "no spaces", true),
];

/// How many of the pairs have to be found.
const LEAST: usize = 160;

impl Pair {
    /// Returns whether some reading of each word, or a word of its family, stands in the document, in a row.
    fn is_found(&self) -> bool {
        let terms = Analyzer::for_language(self.language).terms(self.document);
        let positions = terms.split(' ').map(|at| at.split(BESIDE).collect());
        let positions: Vec<Vec<&str>> = positions.collect();
        let stands = |terms: &[String]| {
            positions.windows(terms.len()).any(|window| {
                let mut pairs = window.iter().zip(terms);
                pairs.all(|(at, term)| at.contains(&term.as_str()))
            })
        };
        let readings = Analyzer::readings(self.question, &[self.language]);
        let is_read = readings.iter().all(|reading| {
            let mut sequences = reading.alternatives.iter().flat_map(|of| &of.sequences);
            sequences.any(|of| stands(&of.terms))
        });
        let query = Query::parse(self.question, &[self.language]).expect("the question has a word");
        let clauses = query.clauses().scored.iter();
        let mut has_relative = clauses.map(|of| of.variants.iter().any(|of| stands(&of.terms)));
        is_read || has_relative.all(|is_found| is_found)
    }
}

#[test]
fn the_page_says_what_is_found() {
    let (mut page, mut before, mut now) = (HEAD.to_owned(), 0, 0);
    let mark = |is_found| if is_found { "yes" } else { "no" };
    for pair in PAIRS {
        let is_found = pair.is_found();
        before += usize::from(pair.before);
        now += usize::from(is_found);
        let &Pair {
            language,
            question,
            document,
            difference,
            ..
        } = pair;
        let (then, now) = (mark(pair.before), mark(is_found));
        let row =
            format!("| {language:?} | {question} | {document} | {difference} | {then} | {now} |");
        writeln!(page, "{row}").unwrap();
    }
    let count = PAIRS.len();
    write!(
        page,
        "\nOf {count} pairs {before} were found, and {now} are.\n"
    )
    .unwrap();
    assert!(now >= LEAST, "{now} of {count} are found");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/languages.md");
    if std::fs::read_to_string(&path).is_ok_and(|text| text == page) {
        return;
    }
    std::fs::write(&path, page).unwrap();
    panic!("docs/languages.md did not say what is found; it does now, commit it");
}
