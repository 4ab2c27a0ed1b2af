//! Which forms of words find each other, in many languages: `docs/languages.md` is made here.

#[path = "languages/pairs.rs"]
mod pairs;

use std::fmt::Write as _;
use std::path::Path;

use sectile_store::{Analyzer, BESIDE, Query};

use pairs::{PAIRS, Pair};

const HEAD: &str = "# Languages

The language of a document is the first of these that is known: the one that `sectile ingest --language` sets, the one
that is set for its collection, the one that the document states (`lang` in front matter or of HTML, the properties of
DOCX and PDF), and the one that is detected in its prose. `sectile config set language handbook=de,filings=fr` sets the
languages of collections, by code or English name, in place of those that were set before. Every later ingest reindexes
the documents of these collections that are in another language. So `--language` for such a collection holds only until
the next ingest without it.

Hosts that ingest into one Postgres store need the same setting. With different languages for a collection, each host
reindexes what the other one did. A host without a language for it does not, but detects the languages of the files that
it reads. All processes of one `load` or `ingest --shared` need the same setting, too.

In detection, a text that is too short counts as English, and code is ignored. A page that quotes another language has
the language of most of its text. Source code, JSON and YAML are English, unless several stop words or many letters of
another language occur. A few words in a script of several languages count as its most common one (Russian, Arabic,
Hindi, Hebrew), unless their letters or stop words belong to another. A text that has many words with letters of no
known language of its script, such as one in Kazakh, Belarusian or Urdu, counts as English. Close languages, such as
Catalan and Spanish, are told apart by the stop words that only one of them has. Basque, Catalan, Esperanto and Irish
are detected only by several of these. Front matter does not count, unless there is nothing else, and a few words
without a stop word or a letter of a language are English.

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
- a country and its adjective find each other in English (`Spain` and `Spanish`), and count half as above
- the forms of irregular verbs find each other in English, French, Spanish, Italian, Portuguese and Swedish (`lost` and
  `lose`, `perdu` and `perdre`, `despidieron` and `despedir`), with nouns made of them (`loss`, `perte`), and those of all verbs
  find the infinitive, participle and noun in Polish and Czech (`usunąłem` and `usunąć`, `zaplatil` and `zaplatit`); they
  count half as above
- what French, Italian and Catalan elide before an apostrophe is cut, and so are the endings that Turkish, Polish,
  Estonian, Danish, Norwegian and German write behind one (`Kennedy'ego`, `tv'et`, `Ohm'sches`); every sign that is typed
  for an apostrophe between letters is one
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
