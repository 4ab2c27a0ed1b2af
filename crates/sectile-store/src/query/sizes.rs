//! Sizes in a question, such as `2x4` and `1920 × 1080`, and the ways in which documents write them.

use super::numbers::{in_digits, is_digits};
use super::trimmed;
use crate::Variant;

/// What stands between the numbers of a size.
const SIGNS: [char; 3] = ['x', 'X', '×'];

/// The longest number of a size in bytes, and how many there are at most.
const LONGEST: usize = 8;
const MOST: usize = 3;

/// Reads a size at the beginning of some words, and returns how many it takes, with the ways in which documents write it.
pub(super) fn read(words: &[&str]) -> Option<(usize, Vec<Variant>)> {
    // Where signs stand apart they are every second word.
    let signs = words.iter().skip(1).step_by(2);
    let signs = signs.take_while(|word| is_sign(word)).take(MOST - 1);
    (0..=signs.count()).rev().find_map(|apart| {
        let count = 2 * apart + 1;
        let text = words.get(..count)?.concat();
        let numbers = numbers(trimmed(&text))?;
        Some((count, ways(&numbers)))
    })
}

fn is_sign(word: &str) -> bool {
    SIGNS.iter().any(|sign| word.chars().eq([*sign]))
}

/// Returns the numbers of a size. What begins as `0x1` is one number.
fn numbers(text: &str) -> Option<Vec<&str>> {
    let numbers: Vec<&str> = text.split(SIGNS).collect();
    let is_number = |of: &&str| of.len() <= LONGEST && of.split('.').all(is_digits);
    let is_size = (2..=MOST).contains(&numbers.len()) && numbers[0] != "0";
    (is_size && numbers.iter().all(is_number)).then_some(numbers)
}

fn ways(numbers: &[&str]) -> Vec<Variant> {
    let texts = ["x", " ", " x "].map(|between| numbers.join(between));
    texts.iter().flat_map(|text| in_digits(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<(usize, Vec<String>)> {
        let words: Vec<&str> = text.split(' ').collect();
        let (count, ways) = read(&words)?;
        Some((count, ways.iter().map(Variant::shown).collect()))
    }

    #[test]
    fn a_size_is_read_in_each_notation() {
        let ways = ["2x4", "2 4", "2 x 4"].map(str::to_owned).to_vec();
        for (text, count) in [
            ("2x4", 1),
            ("(2X4)", 1),
            ("2×4 board", 1),
            ("2 x 4", 3),
            ("2 × 4 board", 3),
        ] {
            assert_eq!(shown(text), Some((count, ways.clone())), "{text}");
        }
        let (count, ways) = shown("10 x 20 x 2.5 cm").unwrap();
        assert_eq!((count, &*ways[0]), (5, "10x20x2.5"));
    }

    #[test]
    fn what_is_no_size_is_none() {
        for text in ["0x10", "x4", "2x", "2", "axb", "1x2x3x4", "2 x", "2 4", "x"] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
