//! Characters without a width that are drawn as spaces without one: what typesets Arabic draws the glyph of a space for
//! what keeps two letters from being joined, and the next letter at the same place.

use super::direction::is_from_the_right;
use super::drawn::{Drawn, Letter};

/// What keeps letters from being joined.
const NON_JOINER: &str = "\u{200c}";

/// How far apart a space and the letter after it begin at most that are drawn at one place, and how wide a space is at
/// least, in multiples of the type size.
const SAME_PLACE: f64 = 0.01;
const NARROWEST: f64 = 0.05;

/// Makes non-joiners of such spaces between letters of scripts that join theirs, and leaves out the others: they stand for
/// characters that are not seen.
pub(super) fn mark(drawn: &mut Drawn) {
    let letters = &mut drawn.letters;
    if !letters.iter().any(is_of_joined_script) {
        return;
    }
    let mut is_left_out = vec![false; letters.len()];
    for at in 1..letters.len() {
        let [space, next] = &letters[at - 1..=at] else {
            continue;
        };
        if !is_without_width(space, next) {
            continue;
        }
        let before = at.checked_sub(2).map(|before| &letters[before]);
        if before.is_some_and(is_of_joined_script) && is_of_joined_script(next) {
            letters[at - 1].text = NON_JOINER.into();
        } else {
            is_left_out[at - 1] = true;
        }
    }
    let of_page = is_left_out[..drawn.of_page].iter();
    drawn.of_page -= of_page.filter(|is| **is).count();
    let mut is_left_out = is_left_out.into_iter();
    letters.retain(|_| !is_left_out.next().unwrap_or_default());
}

/// Returns whether a letter belongs to Arabic, Syriac or another script whose letters are joined.
fn is_of_joined_script(letter: &Letter) -> bool {
    let is_hebrew = |c: char| matches!(c, '\u{590}'..='\u{5ff}' | '\u{fb1d}'..='\u{fb4f}');
    is_from_the_right(&letter.text) && !letter.text.contains(is_hebrew)
}

/// Returns whether the letter that is drawn after a space begins where that does.
fn is_without_width(space: &Letter, next: &Letter) -> bool {
    let is_blank = |of: &Letter| of.text.trim().is_empty();
    let is_space = !space.text.is_empty() && is_blank(space) && !space.is_vertical;
    is_space
        && !is_blank(next)
        && space.start.distance(next.start) < SAME_PLACE * space.size
        && space.start.distance(space.end) > NARROWEST * space.size
}

#[cfg(test)]
mod tests {
    use kurbo::Point;

    use super::*;

    /// Returns what is left of letters, each of which begins and ends at these places.
    fn marked(letters: &[(&str, f64, f64)]) -> String {
        let letter = |(text, start, end): &(&str, f64, f64)| {
            Letter::plain(*text, Point::new(*start, 0.0), Point::new(*end, 0.0), 10.0)
        };
        let mut drawn = Drawn::new((600.0, 800.0));
        drawn.letters = letters.iter().map(letter).collect();
        drawn.of_page = letters.len();
        mark(&mut drawn);
        assert_eq!(drawn.of_page, drawn.letters.len());
        drawn.letters.iter().map(|letter| &*letter.text).collect()
    }

    #[test]
    fn spaces_without_a_width_keep_arabic_letters_apart() {
        let letters = [("ی", 10.0, 16.0), (" ", 16.0, 19.0), ("ه", 16.02, 19.0)];
        assert_eq!(marked(&letters), "ی\u{200c}ه");
    }

    #[test]
    fn spaces_with_a_width_stay() {
        let letters = [("ی", 10.0, 16.0), (" ", 16.0, 19.0), ("ه", 19.0, 22.0)];
        assert_eq!(marked(&letters), "ی ه");
        let letters = [("א", 10.0, 16.0), (" ", 16.0, 19.0), ("ב", 16.0, 22.0)];
        assert_eq!(marked(&letters), "א ב");
    }

    #[test]
    fn spaces_without_a_width_beside_signs_are_left_out() {
        let letters = [("ی", 10.0, 16.0), (" ", 16.0, 19.0), (".", 16.0, 19.0)];
        assert_eq!(marked(&letters), "ی.");
    }
}
