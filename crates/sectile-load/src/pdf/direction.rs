//! The order in which a line is read in which letters are written from right to left.
//!
//! The bidirectional algorithm of Unicode (UAX 9) says where what is read stands. Applied to what stands on a
//! line, it says in which order that is read, but for numbers among Arabic letters: what it goes by there is the
//! letter that is read before, which stands to the right.

use unicode_bidi::{BidiClass, Level, ParagraphBidiInfo, bidi_class};

/// What the algorithm reads in place of letters.
const BACK: char = '\u{5d0}';
const FORTH: char = 'a';
const DIGIT: char = '0';
const ARABIC_DIGIT: char = '\u{660}';
const RIGHT_TO_LEFT_MARK: char = '\u{200f}';

/// In which direction a line is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Flow {
    /// From left to right.
    #[default]
    Forth,
    /// From right to left.
    Back,
    /// From top to bottom.
    Down,
}

/// What stands on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// A letter.
    Letter(&'a str),
    /// A gap between words.
    Gap,
    /// A gap as between the cells of a row.
    WideGap,
}

/// Returns whether a text has letters that are written from right to left.
pub(super) fn is_from_the_right(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}')
            && c.is_alphabetic()
    })
}

/// Returns whether a text is nothing but marks that stand above or below the letter before them.
pub(super) fn is_mark(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| bidi_class(c) == BidiClass::NSM)
}

/// Returns whether a text is nothing but what has no width, such as what keeps letters from being joined.
pub(super) fn is_invisible(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| bidi_class(c) == BidiClass::BN)
}

/// Counts the letters that are written from right to left, and those that are written the other way.
#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    back: usize,
    forth: usize,
}

impl Counts {
    pub(super) fn of<'t>(letters: impl Iterator<Item = &'t str>) -> Self {
        let mut counts = Self::default();
        for letter in letters {
            if is_from_the_right(letter) {
                counts.back += 1;
            } else if letter.contains(char::is_alphabetic) {
                counts.forth += 1;
            }
        }
        counts
    }

    /// Returns whether most are written from right to left.
    pub(super) fn are_mostly_back(self) -> bool {
        self.back > self.forth
    }

    /// Returns whether most are written from left to right.
    pub(super) fn are_mostly_forth(self) -> bool {
        self.forth > self.back
    }
}

/// What stands around a line.
#[derive(Clone, Copy, Default)]
pub(super) struct Around {
    /// Whether most letters of the page are written from right to left.
    pub(super) is_page_back: bool,
    /// Whether the line is set as what is read from right to left.
    pub(super) is_set_back: bool,
    /// Whether most letters of its paragraph are written from left to right.
    pub(super) is_among_forth: bool,
}

/// Returns whether a line, on which some letters are written from right to left, is read so: most are, or enough of
/// them on a page where most are, or it is set so. A line of a paragraph in the other direction, at whose left a word
/// in that direction stands, is read as its paragraph is, whatever words it has most.
pub(super) fn is_line_back(line: &[Part<'_>], around: Around) -> bool {
    let letters = line.iter().filter_map(|part| match part {
        Part::Letter(letter) => Some(*letter),
        Part::Gap | Part::WideGap => None,
    });
    let counts = Counts::of(letters);
    let is_forth = around.is_among_forth && !around.is_page_back && begins_forth(line);
    counts.are_mostly_back() && !is_forth
        || around.is_page_back && counts.back * 3 >= counts.forth
        || around.is_set_back
        || ends_at_left(line)
}

/// Returns the numbers of the parts of a line, which are in order from left to right, in the order in which they
/// are read, each with whether it is read from right to left.
pub(super) fn reading_order(line: &[Part<'_>], is_back: bool) -> Vec<(usize, bool)> {
    let base = if is_back { Level::rtl() } else { Level::ltr() };
    let stand_ins = stand_ins(line, is_back);
    let text: String = stand_ins.iter().map(|(stand_in, _)| *stand_in).collect();
    let levels = ParagraphBidiInfo::new(&text, Some(base)).reordered_levels_per_char(0..text.len());
    let order = ParagraphBidiInfo::reorder_visual(&levels);
    let read = order.into_iter();
    read.filter_map(|at| Some((stand_ins[at].1?, levels[at].is_rtl())))
        .collect()
}

/// Returns what the algorithm reads in place of the parts of a line, each with the part that it stands for.
fn stand_ins(line: &[Part<'_>], is_back: bool) -> Vec<(char, Option<usize>)> {
    let classes: Vec<BidiClass> = line.iter().map(class).collect();
    let before = letters_before(classes.iter().copied());
    let mut after = letters_before(classes.iter().rev().copied());
    after.reverse();
    let mut stand_ins = Vec::with_capacity(line.len());
    // Whether a number belongs to a foreign word: `Office 365` stays as it is.
    let mut is_foreign = false;
    let mut is_number = false;
    for (at, class) in classes.into_iter().enumerate() {
        let begins_part = is_back && is_sign_behind_gap(line, at);
        if begins_part {
            // It ends what is read before, which stands further to the right.
            stand_ins.push((RIGHT_TO_LEFT_MARK, None));
        }
        is_foreign = match class {
            _ if begins_part => false,
            BidiClass::L => true,
            BidiClass::EN | BidiClass::ES | BidiClass::ET | BidiClass::CS | BidiClass::WS => {
                is_foreign
            }
            _ => false,
        };
        let is_own = class == BidiClass::EN && is_back && !is_foreign;
        if is_own && !is_number {
            // Without it, any foreign word further to the left would take the number.
            stand_ins.push((RIGHT_TO_LEFT_MARK, None));
        }
        is_number = match class {
            BidiClass::EN | BidiClass::AN => true,
            BidiClass::ES | BidiClass::ET | BidiClass::CS => is_number,
            _ => false,
        };
        let is_among_arabic = after[at] == Some(BidiClass::AL)
            && (is_own || !is_back && before[at] == Some(BidiClass::AL));
        let stand_in = match class {
            BidiClass::R | BidiClass::AL => BACK,
            BidiClass::L => FORTH,
            // It was set with the word that it touches, as in `C++`.
            _ if is_back && is_sign_of_word(line[at], stand_ins.last()) => FORTH,
            BidiClass::EN if !is_among_arabic => DIGIT,
            BidiClass::EN | BidiClass::AN => ARABIC_DIGIT,
            BidiClass::ES => '+',
            BidiClass::ET => '%',
            BidiClass::CS => ',',
            BidiClass::WS => ' ',
            BidiClass::S => '\t',
            _ => '!',
        };
        stand_ins.push((stand_in, Some(at)));
    }
    stand_ins
}

/// Returns whether a part of a line is a sign that stands behind a word, but has a gap before it and a letter behind
/// it, as it does where it is read from right to left.
fn is_sign_behind_gap(line: &[Part<'_>], at: usize) -> bool {
    let is_gap = |at: Option<usize>| {
        let part = at.and_then(|at| line.get(at));
        matches!(part, Some(Part::Gap | Part::WideGap))
    };
    let is_sign = matches!(line[at], Part::Letter("," | ";" | ":" | "!" | "?"));
    is_sign && is_gap(at.checked_sub(1)) && at + 1 < line.len() && !is_gap(Some(at + 1))
}

/// Returns whether a part is a sign that stands at the right of a foreign word without a gap.
fn is_sign_of_word(part: Part<'_>, before: Option<&(char, Option<usize>)>) -> bool {
    matches!(part, Part::Letter("+" | "*"))
        && before.is_some_and(|(stand_in, _)| *stand_in == FORTH)
}

/// Returns whether a line ends with a sign at its left, and has none at its right.
fn ends_at_left(line: &[Part<'_>]) -> bool {
    let is_end = |part: Option<&Part<'_>>| {
        matches!(part, Some(Part::Letter("." | "," | ";" | ":" | "!" | "?")))
    };
    let touches = matches!(line.get(1), Some(Part::Letter(_))) && !is_end(line.get(1));
    is_end(line.first()) && touches && !is_end(line.last())
}

/// Returns whether the first letter from the left that has a direction is written from left to right.
fn begins_forth(line: &[Part<'_>]) -> bool {
    let first = line.iter().map(class).find(|class| is_of_letters(*class));
    first == Some(BidiClass::L)
}

/// Returns the class of what stands on a line. A mark has that of the letter that it stands with.
fn class(part: &Part<'_>) -> BidiClass {
    let letter = match part {
        Part::Letter(letter) => letter,
        Part::Gap => return BidiClass::WS,
        Part::WideGap => return BidiClass::S,
    };
    let classes = || letter.chars().map(bidi_class);
    let letters = classes().find(|class| is_of_letters(*class));
    letters
        .or_else(|| classes().next())
        .unwrap_or(BidiClass::ON)
}

/// Returns whether a class is one of letters, which have a direction.
fn is_of_letters(class: BidiClass) -> bool {
    matches!(class, BidiClass::L | BidiClass::R | BidiClass::AL)
}

/// Returns for each part the class of the last letter before it.
fn letters_before(classes: impl Iterator<Item = BidiClass>) -> Vec<Option<BidiClass>> {
    let mut last = None;
    let classes = classes.map(|class| {
        let before = last;
        if is_of_letters(class) {
            last = Some(class);
        }
        before
    });
    classes.collect()
}

/// Brackets, of which each is the other when it is seen in a mirror.
const BRACKETS: &str = "()[]{}<>\u{ab}\u{bb}\u{2039}\u{203a}";

/// Returns a bracket as it looks in a mirror.
pub(super) fn mirrored(letter: &str) -> Option<char> {
    let mut letters = letter.chars();
    let bracket = letters.next().filter(|_| letters.as_str().is_empty())?;
    let at = BRACKETS.chars().position(|one| one == bracket)?;
    BRACKETS.chars().nth(at ^ 1)
}

/// Counts the pairs of brackets in what is read from right to left, as they are and as they look in a mirror. Where
/// a file has those that are seen, not those that are meant, what opens a pair looks like what closes one.
#[derive(Default)]
pub(super) struct Brackets {
    as_meant: usize,
    as_seen: usize,
}

impl Brackets {
    /// Adds those of a line. Brackets of one side alone, as behind the letter of an item, say nothing.
    pub(super) fn add<'t>(&mut self, line: impl Iterator<Item = &'t str>) {
        let (mut open, mut open_as_seen) = (0_usize, 0_usize);
        for letter in line {
            let Some(other) = mirrored(letter) else {
                continue;
            };
            let opens = letter.chars().all(|one| one < other);
            let (opened, closed, pairs) = if opens {
                (&mut open, &mut open_as_seen, &mut self.as_seen)
            } else {
                (&mut open_as_seen, &mut open, &mut self.as_meant)
            };
            *opened += 1;
            if *closed > 0 {
                *closed -= 1;
                *pairs += 1;
            }
        }
    }

    /// Returns whether they are those that are seen.
    pub(super) fn are_as_seen(&self) -> bool {
        self.as_seen > self.as_meant
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows a line as the algorithm does, and reads it again.
    fn shown_and_read(line: &str) -> (String, String) {
        let shown = ParagraphBidiInfo::new(line, Some(Level::rtl())).reorder_line(0..line.len());
        let letters: Vec<String> = shown.chars().map(String::from).collect();
        let part = |letter| match letter {
            " " => Part::Gap,
            letter => Part::Letter(letter),
        };
        let parts: Vec<Part<'_>> = letters.iter().map(|letter| part(&**letter)).collect();
        let read = reading_order(&parts, true);
        let read = read.into_iter().map(|(at, _)| &*letters[at]).collect();
        (shown.into_owned(), read)
    }

    #[test]
    fn what_is_shown_is_read_as_it_was_written() {
        let lines = [
            "דוח שנתי לשנת 2024",
            "ב-15 במאי 2024 במחיר של 99.90 ש\"ח (כולל מע\"מ 17%). המנכ\"ל",
            "ההכנסות עלו ב-12.5% לעומת 1,234",
            "info@example.com והטלפון 03-1234567.",
            "כי Microsoft Office 365 הותקן (עד 31/12/2024)",
            "15 مايو 2024 بسعر 99.90 درهم (شاملة الضريبة 5%). قال: «هذه»",
            "بنسبة ١٢٫٥٪ والهاتف 03-1234567 ولا",
            "با مالیات ۹٪). LibreOffice 7.4 روی",
            "شرکت ۱٬۲۳۴ دستگاه را در ۱۵ اردیبهشت",
            "وأضاف أن نظام Microsoft Office 365 تم",
            "טל: 03-1234567, Excel 2019.",
            "טל' 03-1234567, C++ ו-Java 8.",
            "שפות: Python, C++, C# ו-Java.",
            "مبلغ 1,200, USD فقط.",
            "كتاب (ISBN 978-3-16-148410-0), Berlin 2024.",
            "1. פריט ראשון",
            "3.2.1",
        ];
        for line in lines {
            let (shown, read) = shown_and_read(line);
            assert_eq!(read, line, "{shown}");
        }
    }

    #[test]
    fn cells_of_foreign_words_are_read_from_the_right() {
        let cells = ["Q1", "|", "USD", "|", "א"];
        let part = |cell: &&'static str| match *cell {
            "|" => Part::WideGap,
            cell => Part::Letter(cell),
        };
        let parts: Vec<Part<'_>> = cells.iter().map(part).collect();
        let read = reading_order(&parts, true);
        let read: Vec<_> = read.into_iter().map(|(at, _)| at).collect();
        assert_eq!(read, [4, 3, 2, 1, 0]);
    }

    #[test]
    fn signs_that_were_set_with_a_word_stay_behind_it() {
        let shown = ["C", "+", "+", " ", ",", "A", "*", " ", "א"];
        let parts: Vec<Part<'_>> = shown
            .iter()
            .map(|letter| match *letter {
                " " => Part::Gap,
                letter => Part::Letter(letter),
            })
            .collect();
        let read = reading_order(&parts, true).into_iter();
        let read: String = read.map(|(at, _)| shown[at]).collect();
        assert_eq!(read, "א A*, C++");
    }

    #[test]
    fn a_full_stop_at_the_left_ends_a_line_that_is_read_from_the_right() {
        let is_back = |line: &'static str| {
            let letters = line.split("").filter(|letter| !letter.is_empty());
            let part = |letter| match letter {
                " " => Part::Gap,
                letter => Part::Letter(letter),
            };
            let parts: Vec<Part<'_>> = letters.map(part).collect();
            is_line_back(&parts, Around::default())
        };
        assert!(is_back(".Excel 2019 הסרג"));
        assert!(!is_back(". Excel 2019 הסרג"));
        assert!(!is_back("The word הרות means law."));
        assert!(!is_back("...and so הרות means law."));
    }

    #[test]
    fn brackets_are_told_by_their_nesting() {
        let are_as_seen = |lines: &[&'static str]| {
            let mut brackets = Brackets::default();
            for line in lines {
                brackets.add(line.split("").filter(|letter| !letter.is_empty()));
            }
            brackets.are_as_seen()
        };
        assert!(!are_as_seen(&["a (b) c [d]"]));
        assert!(are_as_seen(&["a )b( c ]d["]));
        assert!(are_as_seen(&["a )b( c", "(", "d )e("]));
        assert!(!are_as_seen(&["a) one", "b) two (2)", "c) three"]));
        assert!(!are_as_seen(&["no brackets"]));
        assert_eq!(mirrored("("), Some(')'));
        assert_eq!(mirrored("»"), Some('«'));
        assert_eq!(mirrored("a"), None);
    }
}
