//! What type setting did to words: ligatures, radicals for characters, and hyphens at the ends of lines.

use std::collections::HashSet;
use std::iter::once;

use hypher::Lang;
use unicode_normalization::UnicodeNormalization as _;
use whatlang::Lang as Found;

use super::page::{Kind, PageBlocks, TextBlock};
use super::radicals::{ideograph, is_radical};
use super::spacing::LINE_END;

/// The marks that end a line in the midst of a word.
const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{AD}'];

/// Words that follow a hyphen which is not the end of a line: "pre- and postfix".
const CONJUNCTIONS: [&str; 24] = [
    "and", "or", "to", "nor", "but", "versus", "vs", "und", "oder", "bis", "sowie", "et", "ou",
    "y", "o", "e", "i", "en", "of", "og", "och", "eller", "ja", "tai",
];

/// First parts of words that keep their hyphen: "well-known" is not "wellknown". Not those that words are broken behind
/// more often, as "ex-ample", "so-lution" and "soft-ware" are.
const FIRST_PARTS: [&str; 36] = [
    "all", "cross", "eight", "end", "ever", "fast", "first", "five", "four", "free", "full",
    "half", "hard", "high", "ill", "left", "long", "low", "much", "nine", "one", "open", "real",
    "right", "second", "self", "seven", "short", "single", "six", "slow", "ten", "third", "three",
    "two", "well",
];

/// English words of two letters that are the last part of others: "plug-in" is not "plugin".
const LAST_PARTS: [&str; 5] = ["by", "do", "in", "on", "up"];

/// Puts the words of all pages together again.
pub(super) fn clean(pages: &mut [PageBlocks]) {
    for block in pages.iter_mut().flat_map(|page| &mut page.blocks) {
        if block.text.contains(is_ligature) {
            block.text = without_ligatures(&block.text);
        }
    }
    let is_broken = |page: &PageBlocks| {
        let mut blocks = page.blocks.iter();
        blocks.any(|block| block.text.contains(LINE_END) || breaks(&block.text).next().is_some())
    };
    if pages.iter().any(is_broken) {
        let joined: Vec<Vec<String>> = {
            let words = Words::of(pages);
            let page = |page: &PageBlocks| {
                let blocks = page.blocks.iter();
                let text = |block: &TextBlock| match block.kind {
                    Kind::Code => block.text.clone(),
                    _ => words.join(&block.text),
                };
                blocks.map(text).collect()
            };
            pages.iter().map(page).collect()
        };
        for (page, texts) in pages.iter_mut().zip(joined) {
            for (block, text) in page.blocks.iter_mut().zip(texts) {
                block.text = text;
            }
        }
    }
}

/// Returns whether a character is the form of one or several letters, as ligatures and radicals are and as Arabic
/// letters have one for each place in a word.
fn is_ligature(character: char) -> bool {
    matches!(character, '\u{FB00}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}') || is_radical(character)
}

/// Writes ligatures as the letters they stand for.
fn without_ligatures(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            // Vowel signs that stand by themselves: the space that they stand over is none of the text.
            '\u{FE70}'..='\u{FE7F}' => letters.extend(once(character).nfkc().filter(|c| *c != ' ')),
            _ if is_radical(character) => letters.push(ideograph(character)),
            _ if is_ligature(character) => letters.extend(once(character).nfkc()),
            _ => letters.push(character),
        }
    }
    letters
}

/// A word that a line end broke: the parts before and after its hyphen.
struct Break<'a> {
    before: &'a str,
    /// Where the hyphen stands.
    hyphen: usize,
    /// Whether it is there only because the line ends.
    is_soft: bool,
    after: &'a str,
}

/// Finds the words that were broken: a hyphen after a letter, the end of a line, a small letter. A soft hyphen is
/// seen at the end of a line only.
fn breaks(text: &str) -> impl Iterator<Item = Break<'_>> {
    text.match_indices(HYPHENS)
        .filter_map(move |(hyphen, mark)| {
            let is_soft = mark == "\u{AD}";
            let is_end = |next: char| matches!(next, LINE_END | '\n') || is_soft && next == ' ';
            let rest = text[hyphen + mark.len()..].strip_prefix(is_end)?;
            let before = &text[..hyphen];
            let before = &before[before.trim_end_matches(is_of_word).len()..];
            let after = &rest[..rest.len() - rest.trim_start_matches(char::is_alphanumeric).len()];
            let is_broken = before.ends_with(char::is_alphabetic)
                && after.starts_with(char::is_lowercase)
                && !CONJUNCTIONS.contains(&after);
            is_broken.then_some(Break {
                before,
                hyphen,
                is_soft,
                after,
            })
        })
}

fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || HYPHENS.contains(&character)
}

/// How much of a document is looked at to tell its language, in bytes.
const LOOKED_AT: usize = 20_000;

/// Returns the language that a document is in, if its words can be hyphenated.
fn language(pages: &[PageBlocks]) -> Option<Lang> {
    let prose = pages.iter().flat_map(|page| &page.blocks);
    let mut text = String::new();
    for block in prose.filter(|block| block.kind == Kind::Prose) {
        text.push_str(&block.text);
        text.push('\n');
        if text.len() > LOOKED_AT {
            break;
        }
    }
    let found = whatlang::detect(&text).filter(whatlang::Info::is_reliable)?;
    Some(match found.lang() {
        Found::Ces => Lang::Czech,
        Found::Dan => Lang::Danish,
        Found::Deu => Lang::German,
        Found::Eng => Lang::English,
        Found::Fin => Lang::Finnish,
        Found::Fra => Lang::French,
        Found::Hun => Lang::Hungarian,
        Found::Ita => Lang::Italian,
        Found::Nld => Lang::Dutch,
        Found::Pol => Lang::Polish,
        Found::Por => Lang::Portuguese,
        Found::Rus => Lang::Russian,
        Found::Spa => Lang::Spanish,
        Found::Swe => Lang::Swedish,
        Found::Tur => Lang::Turkish,
        Found::Ukr => Lang::Ukrainian,
        _ => return None,
    })
}

/// The words of a document that have hyphens in them, and those that may be broken ones whole.
struct Words {
    known: HashSet<String>,
    language: Option<Lang>,
}

impl Words {
    fn of(pages: &[PageBlocks]) -> Self {
        let texts = pages.iter().flat_map(|page| &page.blocks);
        let words = texts.flat_map(|block| block.text.split(|c: char| !is_of_word(c)));
        Self {
            known: words.map(str::to_lowercase).collect(),
            language: language(pages),
        }
    }

    /// Joins the broken words of `text`.
    fn join(&self, text: &str) -> String {
        let mut joined = String::with_capacity(text.len());
        let mut done = 0;
        for found in breaks(text) {
            joined.push_str(&text[done..found.hyphen]);
            if self.keeps_hyphen(&found) {
                joined.push('-');
            }
            let rest = &text[found.hyphen..];
            done = found.hyphen + rest.len() - rest.trim_start_matches(HYPHENS).trim_start().len();
        }
        joined.push_str(&text[done..]);
        joined.replace(LINE_END, " ")
    }

    /// Returns whether the hyphen is part of the word: the document has it elsewhere with the
    /// hyphen and neither it nor its last part without, or it has others, as "state-of-the-art"
    /// does, or no word is broken there.
    fn keeps_hyphen(&self, found: &Break<'_>) -> bool {
        let (before, after) = (found.before.to_lowercase(), found.after.to_lowercase());
        let last = before.rsplit('-').next().unwrap_or_default();
        let is_known = |before: &str| self.known.contains(&format!("{before}{after}"));
        if found.is_soft || is_known(&before) || is_known(last) {
            return false;
        }
        let is_letter = before.chars().nth(1).is_none();
        before.contains('-')
            || is_letter
            || FIRST_PARTS.contains(&&*before)
            || (&*before, &*after) == ("so", "called")
            || self.known.contains(&format!("{before}-{after}"))
            || self
                .language
                .is_some_and(|language| !may_break(&before, &after, language))
    }
}

/// Returns whether a word may be broken between its parts. In English, many programs break words before their last two
/// letters, where TeX has no syllable, and hardly any compound ends in so short a word.
fn may_break(before: &str, after: &str, language: Lang) -> bool {
    if language == Lang::English && after.chars().count() == 2 {
        return !LAST_PARTS.contains(&after);
    }
    let word = format!("{before}{after}");
    let mut end = 0;
    hypher::hyphenate(&word, language).any(|syllable| {
        end += syllable.len();
        end == before.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let block = TextBlock {
            text: text.replace("¶", "\u{2028}"),
            ..TextBlock::default()
        };
        let mut pages = [PageBlocks {
            blocks: vec![block],
            ..PageBlocks::default()
        }];
        clean(&mut pages);
        assert_eq!(pages[0].blocks[0].text, expected);
    }

    #[test]
    fn words_broken_at_line_ends_are_joined() {
        check(
            "the docu-¶ment is exam\u{AD} ined",
            "the document is examined",
        );
        check(
            "a para\u{2010}¶graph of two col-¶umns",
            "a paragraph of two columns",
        );
    }

    #[test]
    fn hyphens_stay_where_no_syllable_ends() {
        let text = "The team that works on this project has found that a chat-¶optimized model and a \
                    data-¶driven method are not only used for perfor-¶mance, and some-¶times for other \
                    things, as discov-¶ered by the people who read their e-¶mail.";
        let expected = "The team that works on this project has found that a chat-optimized model and a \
                        data-driven method are not only used for performance, and sometimes for other \
                        things, as discovered by the people who read their e-mail.";
        check(text, expected);
        let text = "The members of this guild work fiscal-¶ly in differ-¶ent ways, and they so-¶cialize with each \
                    other in the deep-¶er parts of the so-¶called office, which is dedicat-¶ed to soft-¶ware that \
                    people write, for ex-¶ample a plug-¶in that they use, with a to-¶do list.";
        let expected = "The members of this guild work fiscally in different ways, and they socialize with each \
                        other in the deeper parts of the so-called office, which is dedicated to software that \
                        people write, for example a plug-in that they use, with a to-do list.";
        check(text, expected);
        check(
            "Die Untersuchung der Daten-¶bank und die Mitglied-¶schaft in einem Ver-¶ein",
            "Die Untersuchung der Datenbank und die Mitgliedschaft in einem Verein",
        );
    }

    #[test]
    fn hyphens_of_compounds_stay() {
        check(
            "a well-¶known and well-known one",
            "a well-known and well-known one",
        );
        check("the state-of-the-¶art", "the state-of-the-art");
        check("a re-¶set, and reset", "a reset, and reset");
        check(
            "non-suc-¶cessive and successive peaks",
            "non-successive and successive peaks",
        );
    }

    #[test]
    fn other_hyphens_are_left_alone() {
        check("pre-¶and postfix, 10-¶fold", "pre- and postfix, 10- fold");
        for text in [
            "pre- and postfix",
            "pre- war and a prewar house, Miet- beziehungsweise Pachtvertrag",
            "Vor- und Nachteile",
            "a - b",
            "10- fold",
            "from Berlin- Mitte",
            "- item",
            "x-",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn radicals_are_characters() {
        check("テ⼀ブル⼀覧 作成⽇", "テ一ブル一覧 作成日");
    }

    #[test]
    fn ligatures_are_letters() {
        check(
            "\u{FB01}nd the e\u{FB03}cient \u{FB02}ow",
            "find the efficient flow",
        );
        // Forms of Arabic letters, one of them of two letters and one a vowel sign.
        check("\u{FEB3}\u{FEFC}\u{FEE1}\u{FE76}", "سلام\u{64e}");
    }
}
