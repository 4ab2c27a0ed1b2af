//! Numbers in a line that are written as those of pages are.

/// What stands before the number of a page, in the languages of the documents that people have.
const BEFORE: &str = "\
    blad blatt diapositive fol folie folio frm hal halaman hlm indb lpp oldal p pag page pages pagina \
    pagină pg pp psl puslapis página pàgina pág s sahifa sayfa seite sheet sid sida side sivu slide str \
    strana strona tr trang σελ σελίδα с стор стр страница страна сторінка עמ עמוד ص صفحة صفحه पृष्ठ หน้า \
    頁 页 페이지 쪽";

/// What stands behind the number of a page, and what does so in scripts without spaces.
const BEHIND: &str = "oldal p pagina psl puslapis sayfa стр";
const BEHIND_UNSPACED: &str = "頁 页 ページ 페이지 쪽";

/// What says how many pages there are, behind the number of one.
const OF: &str = "/ av de di iz na of sur van von z из з";

/// What stands before a number that is one of something else.
const OTHER: &str = "id no nr num number nº n° numéro nummer número ref №";

/// The maximum number of letters before the number of a page in one word with it and a hyphen, as in `ES-6`; of
/// supplements `S` alone stands before it.
const PREFIX: usize = 3;
const SUPPLEMENT: &str = "S";

/// Returns whether a number that stands between two parts of a line is written as that of a page: alone, beside a
/// word that says so, or set off at an end of the line. The number of a question, an invoice or a day is not.
pub(super) fn is_of_a_page(before: &str, behind: &str) -> bool {
    is_alone(before, behind) || is_named(before, behind) || is_set_off(before, behind)
}

/// Returns whether a line has nothing else, but for marks, a short prefix, and how many pages there are.
fn is_alone(before: &str, behind: &str) -> bool {
    let before = before.trim_start();
    let letters = before
        .chars()
        .filter(|character| character.is_alphanumeric())
        .count();
    let is_prefix = before == SUPPLEMENT
        || letters <= PREFIX
            && before.ends_with(['-', '–'])
            && !before.contains(char::is_whitespace);
    if before.trim_end().ends_with(['.', ':', '#', '§', '№']) || letters > 0 && !is_prefix {
        return false;
    }
    !behind.contains(char::is_alphanumeric) || letters == 0 && is_count(behind)
}

/// Returns whether a line goes on with how many pages there are.
fn is_count(behind: &str) -> bool {
    let rest = OF
        .split(' ')
        .find_map(|of| strip_word(behind.trim_start(), of));
    rest.is_some_and(|rest| {
        rest.trim_matches(|mark: char| !mark.is_alphanumeric())
            .chars()
            .all(char::is_numeric)
    })
}

/// Takes a word away that a text begins with.
fn strip_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text
        .get(..word.len())
        .filter(|start| start.eq_ignore_ascii_case(word))?;
    let rest = &text[rest.len()..];
    let goes_on = word.ends_with(char::is_alphabetic) && rest.starts_with(char::is_alphanumeric);
    (!goes_on).then_some(rest)
}

fn is_named(before: &str, behind: &str) -> bool {
    let word = last_word(before);
    // A letter alone may be a part of the number, as in `Figure S1`.
    let is_short = word.chars().nth(1).is_none() && word.is_ascii();
    let is_abbreviated = before.trim() == word || before.trim_end().ends_with('.');
    let mut unspaced = BEHIND_UNSPACED.split(' ');
    is_one_of(BEFORE, word) && (!is_short || is_abbreviated)
        || is_one_of(BEHIND, first_word(behind))
        || unspaced.any(|word| behind.trim_start().starts_with(word))
}

/// Returns whether the number is the first or the last of a line, and a gap or a mark parts it from the rest.
fn is_set_off(before: &str, behind: &str) -> bool {
    let is_gap = |blank: &str, mark: Option<char>| {
        let is_mark = mark.is_some_and(|mark| {
            matches!(mark, '|' | '·' | '•' | '—' | '–' | '∙' | '■' | '*' | '~')
        });
        blank.len() > 1 || is_mark && !blank.is_empty()
    };
    if behind.trim().is_empty() {
        let text = before.trim_end();
        let is_labelled = text.ends_with([':', '#', '=', '№']) || is_one_of(OTHER, last_word(text));
        return !is_labelled && is_gap(&before[text.len()..], text.chars().next_back());
    }
    let text = behind.trim_start();
    before.trim().is_empty() && is_gap(&behind[..behind.len() - text.len()], text.chars().next())
}

fn is_one_of(words: &str, word: &str) -> bool {
    let word = word.to_lowercase();
    words.split(' ').any(|known| known == word)
}

/// Returns the last word before a number, without the marks round it.
fn last_word(before: &str) -> &str {
    let text = before.trim_end_matches(|mark: char| {
        !mark.is_alphabetic() && mark != '№' && mark != 'º' && mark != '°'
    });
    let begins = text
        .char_indices()
        .rev()
        .take_while(|(_, letter)| is_of_word(*letter));
    begins.last().map_or("", |(at, _)| &text[at..])
}

/// Returns the first word behind a number.
fn first_word(behind: &str) -> &str {
    let text = behind.trim_start_matches([' ', '.', '\u{a0}']);
    let end = text
        .find(|letter| !is_of_word(letter))
        .unwrap_or(text.len());
    &text[..end]
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphabetic() || matches!(letter, '№' | 'º' | '°' | '\u{94d}' | '\u{e31}'..='\u{e4e}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str) -> bool {
        let start = line.find('7').unwrap();
        is_of_a_page(&line[..start], &line[start + 1..])
    }

    #[test]
    fn numbers_of_pages() {
        for line in [
            "7",
            "- 7 -",
            "— 7 —",
            "[7]",
            "7.",
            "ES-7",
            "S7",
            "7/12",
            "7 of 12",
            "7 von 12",
            "Page 7",
            "page: 7",
            "p. 7",
            "Seite 7 von 12",
            "стр. 7",
            "第7页",
            "第 7 页共 6 页",
            "7 / 12",
            "The Book  7",
            "7  The Book",
            "The Book | 7",
            "7 · The Book",
            "A talk, slide 7",
            "Nephrologie.indb 7",
            "Sample — page 7",
        ] {
            assert!(check(line), "{line}");
        }
    }

    #[test]
    fn other_numbers() {
        for line in [
            "Question 7",
            "Figure S7",
            "Q7",
            "第7問",
            "第 7 条",
            "Figure S 7",
            "7 March",
            "Invoice No. 7",
            "Invoice No.  7",
            "Invoice:  7",
            "Question 7 of 12",
            "Chapter 7",
            "§ 7",
            "§ 7 Law",
            "Table 7. Costs",
            "7 pieces",
            "Art. 7",
            "No. 7",
            "Nr 7",
            "#7 open",
            "Account №  7",
        ] {
            assert!(!check(line), "{line}");
        }
    }
}
