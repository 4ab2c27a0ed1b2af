//! Encodings of one or two bytes a letter that nothing names: the guess of a detector of the web's encodings, or another
//! reading of the bytes that its letters prove.
//!
//! A reading costs its faults, such as a sign inside a word or a capital behind a small letter, and the letters that the
//! alphabet does not have which has most of them. Text that is read rightly costs next to nothing; text that is read
//! in another encoding hardly ever does.

use std::collections::HashMap;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

use super::{Guess, REPLACEMENT};
use crate::code_pages::CodePage;

/// How many bytes are compared, from the first on that is not ASCII.
const LOOKED_AT: usize = 1 << 16;

/// A reading is sound that costs one in so many of its characters that are not ASCII.
const CHARACTERS_PER_COST: usize = 20;

/// How many times the cost of a proven reading goes into that of the guess.
const TIMES: usize = 4;

/// What a guess costs at least that is proven wrong, in any text and in a short one. Abbreviations of Russian have capitals
/// in them.
const PROOF: usize = 3;
const SHORT_PROOF: usize = 2;
const CHARACTERS_PER_SHORT_PROOF: usize = 4;

/// A guess is noise where one in so many of its characters is a fault, or one in so many of any cost.
const CHARACTERS_PER_FAULT: usize = 5;
const CHARACTERS_PER_NOISE: usize = 2;

/// What a character costs that no text has.
const NO_TEXT: usize = 2;

/// How many times a letter may follow itself; lines of frames are letters in other encodings.
const REPEATS: usize = 3;

/// How large the alphabet counts of a reading without letters.
const NO_LETTERS: usize = 7;

/// The code pages that a guess is compared with: those of Windows and of ISO that are taken for each other, those of DOS
/// and of the Mac, which a detector of the web's encodings does not know, and that of Japan, whose narrow letters are
/// frames in DOS. The usual ones come first.
#[rustfmt::skip]
const CANDIDATES: [i32; 30] = [
    1252, 1250, 1257, 28_605, 28_592, 28_593, 28_594, 28_600, 28_606, 850, 437, 10_000, 852, 865, 860, 861, 737, 855, 775,
    857, 866, 10_007, 10_006, 10_029, 10_082, 10_081, 10_010, 10_079, 869, 932,
];

/// The code pages of Cyrillic and East Asia that short texts may be in, too.
const FOR_SHORT: [i32; 5] = [1251, 20_866, 936, 949, 950];

/// A text is short with at most so many characters that are not ASCII.
const SHORT: usize = 12;

/// How many letters that are not ASCII follow each other in a word of a language of Western Europe, at most.
const WESTERN_RUN: usize = 2;

/// The vowels of its languages, and signs that other code pages have letters in the places of.
const VOWELS: &str = "aeiouyáéíóúýàèìòùâêîôûäëïöüãåæøœ";
const MAYBE_LETTERS: &str = "¦¨´¸";

/// The parts of frames that go on to the right, and to the left.
const RIGHTWARD: &str = "─═┌└├┬┴┼╔╚╠╦╩╬╒╓╘╙╞╟╤╥╧╨╪╫";
const LEFTWARD: &str = "─═┐┘┤┬┴┼╗╝╣╦╩╬╕╖╛╜╡╢╤╥╧╨╪╫";

/// The letters of languages that are not ASCII, in small letters.
const ALPHABETS: [&str; 29] = [
    // German, Swedish, Danish and Norwegian, Faroese, Icelandic, Estonian, Dutch.
    "äöüß",
    "åäöé",
    "åæøé",
    "áðíóúýæø",
    "áéðíóúýþæö",
    "äõöüšž",
    "ëïéèöêüáó",
    // French, Spanish, Catalan, Portuguese, Italian.
    "àâæçèéêëîïôœùûüÿ",
    "áéíñóúü",
    "àçèéíïòóúü",
    "àáâãçéêíóôõúü",
    "àèéìíîòóùú",
    // Polish, Czech, Slovak, Hungarian, Croatian, Romanian.
    "ąćęłńóśźż",
    "áčďéěíňóřšťúůýž",
    "áäčďéíĺľňóôŕšťúýž",
    "áéíóöőúüű",
    "čćđšž",
    "ăâîșțşţ",
    // Maltese, Esperanto.
    "ċġħżàèìòù",
    "ĉĝĥĵŝŭ",
    // Turkish, Latvian, Lithuanian, Vietnamese, whose tones are marks.
    "âçğıîöşûü",
    "āčēģīķļņšūžō",
    "ąčęėįšųūž",
    "àáâăèéêíóôơùúưđ",
    // Russian and Bulgarian, Ukrainian, Belarusian, Serbian and Macedonian.
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "абвгдеёжзійклмнопрстуўфхцчшыьэюя",
    "абвгдђежзијклљмнњопрстћуфхцчџшѓќѕ",
    // Greek.
    "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
];

/// Signs that stand within words, and those that stand right before or behind them.
const WITHIN_WORDS: &str = "’‘´·–—\u{ad}…";
const BESIDE_WORDS: &str = "«»„“”‘’‚‹›¿¡–—…·\u{a0}\u{ad}§°©®™€£¥¢ªº¹²³№†‡•¨´¸ˆ˜";

/// Signs that never stand right behind a small letter; DOS has letters in their places.
const OPENING: &str = "‚„¡¿¢£";

/// Guesses the encoding of bytes that are no UTF-8.
pub(super) fn guess(bytes: &[u8]) -> Guess {
    let guessed = CodePage::Web(detected(bytes));
    let beginning = from_first_letter(bytes);
    let reading = Reading::of(guessed, beginning);
    let as_guessed = || Guess {
        page: guessed,
        is_unsure: reading.is_noise() || reading.is_doubtful(beginning),
    };
    if reading.is_sound() && reading.cost < PROOF {
        return as_guessed();
    }
    let pages = CANDIDATES.into_iter().filter_map(CodePage::of);
    let others: Vec<Reading> = pages.map(|page| Reading::of(page, beginning)).collect();
    let best = others
        .iter()
        .min_by_key(|other| (other.cost, other.alphabet));
    let better = best.filter(|best| best.is_sound() && best.cost * TIMES < reading.cost);
    let Some(best) = better else {
        return as_guessed();
    };
    let is_as_good = |other: &Reading| other.cost == best.cost && other.text != best.text;
    let is_proof = reading.is_proven_wrong();
    Guess {
        page: if is_proof { best.page } else { guessed },
        is_unsure: !is_proof || others.iter().any(is_as_good) || best.is_doubtful(beginning),
    }
}

fn detected(bytes: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Leaves out the ASCII that a text begins with, but for the character before the first other one.
fn from_first_letter(bytes: &[u8]) -> &[u8] {
    let first = bytes.iter().position(|byte| !byte.is_ascii());
    let rest = &bytes[first.unwrap_or(0).saturating_sub(1)..];
    &rest[..rest.len().min(LOOKED_AT)]
}

/// A text as a code page reads it.
struct Reading {
    page: CodePage,
    text: String,
    /// How many characters are not ASCII.
    count: usize,
    /// How many faults it has, and what it costs with the letters of other alphabets.
    faults: usize,
    cost: usize,
    /// How many letters the alphabet has that has most of those in the text.
    alphabet: usize,
}

impl Reading {
    fn of(page: CodePage, bytes: &[u8]) -> Self {
        let text = page.decode(bytes);
        let (mut count, mut faults, mut repeats, mut before) = (0, 0, 0, '\n');
        let mut letters: HashMap<char, usize> = HashMap::new();
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            let after = characters.peek().copied().unwrap_or(' ');
            repeats = if character == before { repeats + 1 } else { 0 };
            if !character.is_ascii() {
                count += 1;
                faults += fault(before, character, after, repeats);
                if Script::of(character).is_some_and(Script::is_known) {
                    // That of İ is an ASCII letter with a mark.
                    let small = character
                        .to_lowercase()
                        .next()
                        .filter(|small| !small.is_ascii());
                    *letters.entry(small.unwrap_or('ı')).or_default() += 1;
                }
            }
            before = character;
        }
        let (others, alphabet) = best_alphabet(&letters);
        Self {
            page,
            text,
            count,
            faults,
            cost: faults + others,
            alphabet,
        }
    }

    fn is_sound(&self) -> bool {
        self.cost * CHARACTERS_PER_COST <= self.count
    }

    /// Returns whether the text is so short that its bytes may as well be another text. Accents in words of Western
    /// Europe are taken for what they are mostly.
    fn is_doubtful(&self, bytes: &[u8]) -> bool {
        if self.count > SHORT || self.is_western() {
            return false;
        }
        let pages = CANDIDATES.into_iter().chain(FOR_SHORT);
        let mut others = pages
            .filter_map(CodePage::of)
            .map(|page| Self::of(page, bytes));
        others.any(|other| other.cost <= self.cost && other.text != self.text)
    }

    /// Returns whether the text is read in the page of Windows for Western Europe, as words with accents and usual
    /// signs, each where its languages have them.
    fn is_western(&self) -> bool {
        let is_usual = |letter: char| {
            let is_letter = Script::of(letter) == Some(Script::Latin);
            let is_sign = matches!(letter, '\u{A0}'..='\u{BF}' | '×');
            is_letter || is_sign || WITHIN_WORDS.contains(letter) || BESIDE_WORDS.contains(letter)
        };
        let mut runs = self.text.split(|letter: char| letter.is_ascii());
        self.page == CodePage::default()
            && runs.all(|run| run.chars().count() <= WESTERN_RUN && run.chars().all(is_usual))
            && !has_odd_letters(&self.text)
    }

    /// Returns whether the text is likely in an encoding that is not known. Names of many languages have letters of
    /// many alphabets.
    fn is_noise(&self) -> bool {
        let has_faults = self.faults * CHARACTERS_PER_FAULT >= self.count;
        let is_mixed = self.cost * CHARACTERS_PER_NOISE >= self.count && !self.is_western();
        self.cost >= PROOF && (has_faults || is_mixed)
    }

    fn is_proven_wrong(&self) -> bool {
        let is_short = self.cost * CHARACTERS_PER_SHORT_PROOF >= self.count;
        self.cost >= if is_short { SHORT_PROOF } else { PROOF }
    }
}

/// Returns how many letters the alphabet does not have that has most of them, and how many letters it has.
fn best_alphabet(letters: &HashMap<char, usize>) -> (usize, usize) {
    if letters.is_empty() {
        return (0, NO_LETTERS);
    }
    let missing = |alphabet: &str| {
        let others = letters
            .iter()
            .filter(|(letter, _)| !alphabet.contains(**letter));
        let count: usize = others.map(|(_, count)| count).sum();
        (count, alphabet.chars().count())
    };
    let all = ALPHABETS.into_iter().map(missing);
    all.min().unwrap_or((0, NO_LETTERS))
}

/// Returns what a character costs that is not ASCII, by what stands before and after it.
fn fault(before: char, character: char, after: char, repeats: usize) -> usize {
    let is_private = matches!(character, '\u{E000}'..='\u{F8FE}');
    if character == REPLACEMENT || character.is_control() || is_private {
        return NO_TEXT;
    }
    let is_fault = match Script::of(character) {
        Some(Script::Other) => before.is_ascii_alphabetic() && after.is_ascii_alphabetic(),
        Some(script) => repeats >= REPEATS || is_fault_in_word(before, character, after, script),
        None => is_broken(before, character) || is_fault_beside_word(before, character, after),
    };
    usize::from(is_fault)
}

/// Returns whether a letter stands beside one of another script, or a capital behind a small letter.
fn is_fault_in_word(before: char, letter: char, after: char, script: Script) -> bool {
    let is_other = |other: char| {
        let other = Script::of(other).filter(|other| *other != Script::Other);
        other.is_some_and(|other| other != script)
    };
    let is_capital_within =
        letter.is_uppercase() && before.is_lowercase() && Script::of(before).is_some();
    let is_before_capital = letter.is_lowercase() && after.is_ascii_uppercase();
    is_other(before) || is_other(after) || is_capital_within || is_before_capital
}

/// Returns whether two parts of frames beside each other are not joined, though one of them goes on to the other.
fn is_broken(before: char, part: char) -> bool {
    let is_part = |part: char| matches!(part, '\u{2500}'..='\u{257F}');
    let are_parts = is_part(before) && is_part(part);
    are_parts && RIGHTWARD.contains(before) != LEFTWARD.contains(part)
}

/// Returns whether a text has letters where languages of Western Europe hardly have them, and those of Eastern Europe have
/// others that stand in their places: `Gdañsk` is rather `Gdańsk`, and `è. 5` is `č. 5`.
fn has_odd_letters(text: &str) -> bool {
    let letters: Vec<char> = format!(" {text} ").chars().collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_number = |pair: &[&str]| {
        matches!(pair[0], "è." | "È.") && pair[1].starts_with(|digit: char| digit.is_ascii_digit())
    };
    let is_odd = |around: &[char]| is_odd(around[0], around[1], around[2]);
    letters.windows(3).any(is_odd) || words.windows(2).any(is_number)
}

/// Returns whether a letter stands where languages of Western Europe hardly have it.
fn is_odd(before: char, letter: char, after: char) -> bool {
    let is_before_vowel = || after.to_lowercase().any(|after| VOWELS.contains(after));
    match letter {
        'ñ' | 'Ñ' => !is_before_vowel(),
        'è' | 'È' => is_before_vowel(),
        'õ' | 'Õ' => !matches!(after, 'e' | 'E'),
        'ð' | 'Ð' => !before.is_alphabetic() && after.is_alphabetic(),
        sign => MAYBE_LETTERS.contains(sign) && after.is_alphabetic(),
    }
}

/// Returns whether a sign stands between two letters, or one that is rare in texts beside a letter that is not ASCII.
fn is_fault_beside_word(before: char, sign: char, after: char) -> bool {
    let is_letter = |other: char| Script::of(other).is_some_and(Script::is_known);
    let is_beside = |other: char| !other.is_ascii() && is_letter(other);
    if is_mark(sign) || WITHIN_WORDS.contains(sign) {
        return false;
    }
    if OPENING.contains(sign) && before.is_lowercase() || is_of_latin_9(before, sign, after) {
        return true;
    }
    let is_rare = !BESIDE_WORDS.contains(sign);
    is_letter(before) && is_letter(after) || is_rare && (is_beside(before) || is_beside(after))
}

/// Returns whether a sign is more likely the euro or a letter that ISO-8859-15 has in its place: `½uvre` is `œuvre`. At
/// the beginning of a line, `¤` stands before an item.
fn is_of_latin_9(before: char, sign: char, after: char) -> bool {
    let is_letter = |other: char| Script::of(other).is_some_and(Script::is_known);
    match sign {
        '¤' => !matches!(before, '\n' | '\r'),
        '¼' | '½' => matches!(after, 'u' | 'U') && !before.is_ascii_digit(),
        '¸' => is_letter(before) || is_letter(after),
        _ => false,
    }
}

/// Returns whether a character is an accent of the letter before it.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}')
}

/// The scripts that a letter cannot be of beside one of another of them.
#[derive(Clone, Copy, PartialEq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    /// The narrow letters of Japanese.
    NarrowKana,
    Other,
}

impl Script {
    /// Returns the script of a letter; nothing for a sign.
    fn of(character: char) -> Option<Self> {
        let is_sign = matches!(character, 'ƒ' | 'ª' | 'º' | 'µ' | '\u{2B0}'..='\u{36F}');
        (character.is_alphabetic() && !is_sign).then_some(match character {
            '\0'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Self::Latin,
            '\u{370}'..='\u{3FF}' => Self::Greek,
            '\u{400}'..='\u{52F}' => Self::Cyrillic,
            '\u{FF61}'..='\u{FF9F}' => Self::NarrowKana,
            _ => Self::Other,
        })
    }

    /// Returns whether the alphabets are known.
    fn is_known(self) -> bool {
        matches!(self, Self::Latin | Self::Greek | Self::Cyrillic)
    }
}
