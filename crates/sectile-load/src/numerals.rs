//! Numbers of lists and headings in the ways that documents write them.

/// A way to write a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Numerals {
    #[default]
    Decimal,
    /// With a zero before a number below ten.
    Padded,
    UpperRoman,
    LowerRoman,
    UpperLetter,
    LowerLetter,
    /// The letters of Russian.
    UpperRussian,
    LowerRussian,
    Ordinal,
    /// One, Two, Three; First, Second, Third.
    Cardinal,
    OrdinalWord,
    Chinese,
    /// No number.
    None,
}

const LATIN: &str = "abcdefghijklmnopqrstuvwxyz";
const RUSSIAN: &str = "абвгдежзиклмнопрстуфхцчшщэюя";

const ROMAN: [(u32, &str); 13] = [
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
];

const WORDS: [&str; 20] = [
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
    "Thirteen",
    "Fourteen",
    "Fifteen",
    "Sixteen",
    "Seventeen",
    "Eighteen",
    "Nineteen",
    "Twenty",
];

const ORDINALS: [&str; 20] = [
    "First",
    "Second",
    "Third",
    "Fourth",
    "Fifth",
    "Sixth",
    "Seventh",
    "Eighth",
    "Ninth",
    "Tenth",
    "Eleventh",
    "Twelfth",
    "Thirteenth",
    "Fourteenth",
    "Fifteenth",
    "Sixteenth",
    "Seventeenth",
    "Eighteenth",
    "Nineteenth",
    "Twentieth",
];

const CHINESE: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];

impl Numerals {
    /// Writes a number; one that these numerals do not have in digits.
    pub(crate) fn write(self, number: u32) -> String {
        let written = match self {
            Self::Decimal => None,
            Self::Padded => Some(format!("{number:02}")),
            Self::UpperRoman => roman(number).map(|text| text.to_uppercase()),
            Self::LowerRoman => roman(number),
            Self::UpperLetter => letters(number, LATIN).map(|text| text.to_uppercase()),
            Self::LowerLetter => letters(number, LATIN),
            Self::UpperRussian => letters(number, RUSSIAN).map(|text| text.to_uppercase()),
            Self::LowerRussian => letters(number, RUSSIAN),
            Self::Ordinal => Some(format!("{number}{}", ordinal_ending(number))),
            Self::Cardinal => word(number, &WORDS),
            Self::OrdinalWord => word(number, &ORDINALS),
            Self::Chinese => chinese(number),
            Self::None => Some(String::new()),
        };
        written.unwrap_or_else(|| number.to_string())
    }
}

fn roman(mut number: u32) -> Option<String> {
    if !(1..4000).contains(&number) {
        return None;
    }
    let mut text = String::new();
    for (value, sign) in ROMAN {
        while number >= value {
            text.push_str(sign);
            number -= value;
        }
    }
    Some(text)
}

/// Writes a number as a letter, and as the same letter twice in the second round: `z`, `aa`, `bb`.
fn letters(number: u32, alphabet: &str) -> Option<String> {
    let index = number.checked_sub(1)? as usize;
    let count = alphabet.chars().count();
    let rounds = index / count + 1;
    let letter = alphabet.chars().nth(index % count)?;
    (rounds <= 26).then(|| String::from(letter).repeat(rounds))
}

fn ordinal_ending(number: u32) -> &'static str {
    match (number % 10, number % 100) {
        (1, last) if last != 11 => "st",
        (2, last) if last != 12 => "nd",
        (3, last) if last != 13 => "rd",
        _ => "th",
    }
}

fn word(number: u32, words: &[&str]) -> Option<String> {
    let index = number.checked_sub(1)? as usize;
    words.get(index).map(|&word| word.into())
}

/// Writes a number below a thousand: 二十三, 一百零五.
fn chinese(number: u32) -> Option<String> {
    let digit = |digit: u32| CHINESE[digit as usize % 10];
    let (hundreds, tens, ones) = (number / 100, number / 10 % 10, number % 10);
    if number == 0 || hundreds > 9 {
        return None;
    }
    let mut text = String::new();
    if hundreds > 0 {
        text.extend([digit(hundreds), '百']);
    }
    if tens > 1 || tens == 1 && hundreds > 0 {
        text.push(digit(tens));
    } else if hundreds > 0 && tens == 0 && ones > 0 {
        text.push('零');
    }
    if tens > 0 {
        text.push('十');
    }
    if ones > 0 {
        text.push(digit(ones));
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(numerals: Numerals, numbers: &[u32], expected: &str) {
        let texts: Vec<String> = numbers.iter().map(|&one| numerals.write(one)).collect();
        assert_eq!(texts.join(" "), expected);
    }

    #[test]
    fn numbers_are_letters_and_words() {
        check(Numerals::Decimal, &[0, 7], "0 7");
        check(Numerals::Padded, &[7, 10], "07 10");
        check(Numerals::UpperRoman, &[4, 1994, 4000], "IV MCMXCIV 4000");
        check(Numerals::LowerLetter, &[1, 26, 27, 53, 0], "a z aa aaa 0");
        check(Numerals::LowerLetter, &[u32::MAX], "4294967295");
        check(Numerals::UpperRussian, &[1, 8], "А З");
        check(
            Numerals::Ordinal,
            &[1, 2, 3, 4, 11, 21, 112],
            "1st 2nd 3rd 4th 11th 21st 112th",
        );
        check(Numerals::Cardinal, &[3, 21], "Three 21");
        check(Numerals::OrdinalWord, &[5], "Fifth");
        check(
            Numerals::Chinese,
            &[1, 10, 11, 23, 105, 110, 1000],
            "一 十 十一 二十三 一百零五 一百一十 1000",
        );
        check(Numerals::None, &[5], "");
    }
}
