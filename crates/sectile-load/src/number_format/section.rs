//! One section of a number format: the words, digits and letters of dates in it.

use std::cmp::Ordering;

use super::fraction::Fraction;
use super::token::Token;
use crate::number::{DateParts, date, plain, rounded};

/// Signs of currencies. `[$…]` in a format makes any text one.
const CURRENCIES: &str = "$€£¥₹₩₽¢₺₪₫₴฿₦₱₡₲₵₸₼₾";

/// For which numbers a section is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Condition {
    is_less: bool,
    is_equal: bool,
    is_greater: bool,
    limit: f64,
}

/// A section of a number format.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Section {
    tokens: Vec<Token>,
    condition: Option<Condition>,
    date: Option<DateParts>,
    is_currency: bool,
}

impl Section {
    /// Reads a section.
    pub(super) fn parse(code: &str) -> Self {
        let mut section = Self::default();
        let mut is_elapsed = false;
        let mut rest = code;
        while let Some(character) = rest.chars().next() {
            let after = &rest[character.len_utf8()..];
            rest = match character {
                '[' => {
                    let (inner, after) = after.split_once(']').unwrap_or((after, ""));
                    is_elapsed |= section.bracket(inner);
                    after
                }
                '"' => {
                    let (text, after) = after.split_once('"').unwrap_or((after, ""));
                    section.literal(text);
                    after
                }
                '\\' | '_' | '*' => section.escaped(character, after),
                _ => section.character(character, rest, after),
            };
        }
        if section.tokens.is_empty() && !code.is_empty() && section.condition.is_none() {
            // A colour alone.
            section.tokens.push(Token::General);
        }
        section.date = section.dated(is_elapsed);
        section
    }

    /// Takes what stands in brackets, and says whether it is a time that counts on past a day.
    fn bracket(&mut self, inner: &str) -> bool {
        if let Some(currency) = inner.strip_prefix('$') {
            let sign = currency.split('-').next().unwrap_or_default();
            self.literal(sign);
            self.is_currency |= !sign.is_empty();
            return false;
        }
        self.condition = self.condition.or(Condition::parse(inner));
        let is_elapsed = !inner.is_empty() && inner.chars().all(|one| "hmsHMS".contains(one));
        if is_elapsed {
            let letters = inner.chars().map(|one| one.to_ascii_lowercase());
            self.tokens.extend(letters.map(Token::Letter));
        }
        is_elapsed
    }

    /// Takes the character after a backslash, or after a sign for a space as wide, or filled with it.
    fn escaped<'c>(&mut self, sign: char, after: &'c str) -> &'c str {
        let mut characters = after.chars();
        let Some(character) = characters.next() else {
            return after;
        };
        match sign {
            '\\' => self.literal(character.encode_utf8(&mut [0; 4])),
            '_' => self.tokens.push(Token::Space),
            _ => {}
        }
        characters.as_str()
    }

    /// Takes a character that stands for itself or for a part of a number or date; returns the rest.
    fn character<'c>(&mut self, character: char, rest: &'c str, after: &'c str) -> &'c str {
        let is_after_digit = matches!(
            self.tokens.last(),
            Some(Token::Digit(_) | Token::Decimal(_) | Token::Point)
        );
        let in_fraction = self.tokens.contains(&Token::Point);
        let begins = |word: &str| {
            let start = rest.get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        match character {
            '0' | '#' | '?' if in_fraction => self.tokens.push(Token::Decimal(character)),
            '0' | '#' | '?' => self.tokens.push(Token::Digit(character)),
            '.' if !in_fraction => self.tokens.push(Token::Point),
            ',' => self.tokens.push(Token::Comma),
            '%' => self.tokens.push(Token::Percent),
            '@' => self.tokens.push(Token::Text),
            '/' if is_after_digit => {
                let is_digit = |one: char| one.is_ascii_digit() || matches!(one, '#' | '?');
                let end = after.find(|one| !is_digit(one)).unwrap_or(after.len());
                self.tokens.push(Token::Denominator(after[..end].into()));
                return &after[end..];
            }
            'E' | 'e' if is_after_digit && (begins("E+") || begins("E-")) => {
                self.tokens.push(Token::Exponent);
                return rest[2..].trim_start_matches(['0', '#', '?']);
            }
            'G' | 'g' if begins("General") => {
                self.tokens.push(Token::General);
                return &rest["General".len()..];
            }
            'A' | 'a' if begins("AM/PM") => {
                self.tokens.push(Token::Letter('h'));
                return &rest["AM/PM".len()..];
            }
            'A' | 'a' if begins("A/P") => {
                self.tokens.push(Token::Letter('h'));
                return &rest["A/P".len()..];
            }
            _ if "ymdhsegb".contains(character.to_ascii_lowercase()) => {
                let letter = character.to_ascii_lowercase();
                self.tokens.push(Token::Letter(letter));
            }
            _ => self.literal(character.encode_utf8(&mut [0; 4])),
        }
        after
    }

    fn literal(&mut self, text: &str) {
        self.is_currency |= text.contains(|sign| CURRENCIES.contains(sign));
        if !text.is_empty() {
            self.tokens.push(Token::Literal(text.into()));
        }
    }

    /// Returns what a section for dates shows. Single letters among digits are words: `0.0 m`.
    fn dated(&self, is_elapsed: bool) -> Option<DateParts> {
        let has = |letter| self.tokens.contains(&Token::Letter(letter));
        let has_digits = self
            .tokens
            .iter()
            .any(|token| matches!(token, Token::Digit(_)));
        let has_time = has('h') || has('s');
        let has_date = has('y') || has('d') || has('e');
        let is_date = if has_digits {
            has_time || has_date
        } else {
            has_time || has_date || has('m')
        };
        let decimals = self.count(|token| matches!(token, Token::Decimal('0')));
        is_date.then(|| DateParts {
            year: has('y') || has('e'),
            day: has('d'),
            // Between hours and seconds, an m is a minute.
            month: has('m') && (has_date || !has_time) && !is_elapsed,
            time: has_time,
            elapsed: is_elapsed,
            decimals: if has('s') { decimals.min(3) } else { 0 },
        })
    }

    fn count(&self, is_counted: impl Fn(&Token) -> bool) -> usize {
        self.tokens.iter().filter(|token| is_counted(token)).count()
    }

    /// Returns whether a text has a place in the section.
    pub(super) fn is_for_text(&self) -> bool {
        self.tokens.contains(&Token::Text)
    }

    /// Returns whether a number has a place in the section.
    pub(super) fn has_number(&self) -> bool {
        self.tokens.iter().any(is_number)
    }

    /// Returns whether the condition of the section is met; nothing where it has none.
    pub(super) fn is_met(&self, value: f64) -> Option<bool> {
        self.condition.map(|condition| condition.is_met(value))
    }

    /// Returns whether the condition of the section is met by all numbers of a sign, and by none of the other; nothing
    /// where it has none.
    pub(super) fn is_for_sign(&self, sign: f64) -> Option<bool> {
        let condition = self.condition?;
        let is_met = |value: f64| condition.is_met(sign * value);
        let is_for_all = is_met(f64::MIN_POSITIVE) && is_met(f64::MAX);
        Some(is_for_all && !is_met(-f64::MIN_POSITIVE) && !is_met(f64::MIN))
    }

    /// Returns the section without what marks negative numbers.
    pub(super) fn without_sign(&self) -> Self {
        let is_sign = |token: &Token| matches!(token, Token::Literal(text) if matches!(text.trim(), "(" | ")" | "-" | "\u{2212}"));
        let mut bare = self.clone();
        bare.tokens.retain(|token| !is_sign(token));
        bare
    }

    /// Returns the words and signs of a section, but for a plus.
    pub(super) fn words(&self) -> String {
        let literals = self.tokens.iter().filter_map(|token| match token {
            Token::Literal(text) => Some(text.trim()),
            _ => None,
        });
        literals.filter(|&text| text != "+").collect()
    }

    /// Writes a text as it is shown.
    pub(super) fn show_text(&self, text: &str) -> String {
        let mut shown = String::new();
        for token in &self.tokens {
            match token {
                Token::Text | Token::General => shown.push_str(text),
                Token::Literal(literal) => shown.push_str(literal),
                _ => {}
            }
        }
        shown
    }

    /// Writes a negative number, with a minus before all else.
    pub(super) fn show_negative(&self, value: f64, is_1904: bool) -> String {
        if self.date.is_some() {
            return plain(value);
        }
        format!("-{}", self.show(value.abs(), is_1904))
    }

    /// Writes a number that is not negative.
    pub(super) fn show(&self, value: f64, is_1904: bool) -> String {
        if let Some(parts) = self.date {
            return date(value, parts, is_1904).unwrap_or_else(|| plain(value));
        }
        if !value.is_finite() {
            return plain(value);
        }
        if let Some(fraction) = Fraction::find(&self.tokens) {
            return self.around(&fraction.range, &fraction.show(value));
        }
        let places = Places::of(self);
        let shown = if places.is_as_shown(self.is_currency, value) {
            self.in_places(&places, value)
        } else {
            self.in_full(value)
        };
        shown.trim().into()
    }

    /// Writes the words before and after a part of the section, and a text in its place.
    fn around(&self, range: &std::ops::Range<usize>, text: &str) -> String {
        let words = |tokens: &[Token]| {
            let mut words = String::new();
            for token in tokens {
                push_words(&mut words, token);
            }
            words
        };
        let (before, after) = (&self.tokens[..range.start], &self.tokens[range.end..]);
        let shown = format!("{}{text}{}", words(before), words(after));
        shown.trim().into()
    }

    /// Writes a number in full, with the words of the section.
    fn in_full(&self, value: f64) -> String {
        let mut shown = String::new();
        let mut is_written = false;
        for token in &self.tokens {
            if is_number(token) && !std::mem::replace(&mut is_written, true) {
                shown.push_str(&plain(value));
            }
            push_words(&mut shown, token);
        }
        shown
    }

    /// Writes each digit of a number in its place.
    fn in_places(&self, places: &Places, value: f64) -> String {
        let value = places.scaled(value);
        let text = rounded(value, places.decimals);
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let whole = if whole == "0" { "" } else { whole };
        let kept = places.kept_decimals(fraction);
        let mut left = places.whole.max(whole.len());
        let (mut place, mut decimal) = (places.whole, 0);
        let mut shown = String::new();
        for token in &self.tokens {
            match token {
                Token::Digit(kind) => {
                    // Digits beyond the places stand at the first of them.
                    let end = place - 1;
                    while left > end {
                        places.push_whole(&mut shown, whole, left, *kind);
                        left -= 1;
                    }
                    place = end;
                }
                // Without a place for the whole part, it stands before the point.
                Token::Point => {
                    if places.whole == 0 {
                        shown.push_str(whole);
                    }
                    if kept > 0 {
                        shown.push('.');
                    }
                }
                Token::Decimal(_) => {
                    if decimal < kept {
                        shown.push_str(&fraction[decimal..=decimal]);
                    }
                    decimal += 1;
                }
                Token::Percent => shown.push('%'),
                other => push_words(&mut shown, other),
            }
        }
        shown
    }
}

/// Returns whether a number stands in the place of a token.
const fn is_number(token: &Token) -> bool {
    matches!(
        token,
        Token::Digit(_) | Token::Decimal(_) | Token::General | Token::Text
    )
}

/// Writes a token that is not part of a number.
fn push_words(shown: &mut String, token: &Token) {
    match token {
        Token::Literal(text) => shown.push_str(text),
        Token::Space => shown.push(' '),
        // Letters among digits that are no date.
        Token::Letter(letter) => shown.push(*letter),
        _ => {}
    }
}

/// The places for digits of a section, and what is done to a number before it is written.
#[derive(Debug)]
struct Places {
    whole: usize,
    /// How many of the places of the whole part are always filled.
    zeros: usize,
    decimals: usize,
    /// How many decimals are written even where they are zeros.
    fixed: usize,
    has_thousands: bool,
    /// How many times the number is divided by a thousand.
    thousands: i32,
    /// How many times it is multiplied by a hundred.
    hundreds: i32,
    /// Whether words stand between the places of the whole part.
    is_parted: bool,
    /// Whether digits have places, and not an exponent.
    is_fixed: bool,
}

impl Places {
    fn of(section: &Section) -> Self {
        let tokens = &section.tokens;
        let is_digit = |token: &Token| matches!(token, Token::Digit(_));
        let is_decimal = |token: &Token| matches!(token, Token::Decimal(_));
        let first = tokens.iter().position(is_digit);
        let last = tokens.iter().rposition(is_digit);
        let between = match (first, last) {
            (Some(first), Some(last)) => &tokens[first..last],
            _ => &[],
        };
        let has_digits = tokens
            .iter()
            .any(|token| is_digit(token) || is_decimal(token));
        let commas = |tokens: &[Token]| {
            tokens
                .iter()
                .filter(|&token| *token == Token::Comma)
                .count()
        };
        // A comma after all places, or right before the point, scales.
        let behind = last.map_or(0, |last| commas(&tokens[last..]));
        let decimals: Vec<&Token> = tokens.iter().filter(|token| is_decimal(token)).collect();
        let fixed = decimals
            .iter()
            .rposition(|&token| *token == Token::Decimal('0'));
        Self {
            whole: section.count(is_digit),
            zeros: section.count(|token| *token == Token::Digit('0')),
            decimals: decimals.len(),
            fixed: fixed.map_or(0, |at| at + 1),
            has_thousands: commas(between) > 0,
            thousands: i32::try_from(behind).unwrap_or(0),
            hundreds: i32::try_from(section.count(|token| *token == Token::Percent)).unwrap_or(0),
            is_parted: between
                .iter()
                .any(|token| matches!(token, Token::Literal(_))),
            is_fixed: has_digits && !tokens.contains(&Token::Exponent),
        }
    }

    /// Returns whether a number is written as the section has it, and not in full.
    fn is_as_shown(&self, is_currency: bool, value: f64) -> bool {
        let is_padded = self.zeros > 1 && value.fract() == 0.0 && value < 1e15;
        let is_changed = self.thousands > 0 || self.hundreds > 0;
        let is_shown = is_currency || is_changed || self.is_parted || is_padded;
        is_shown && self.is_fixed
    }

    fn scaled(&self, value: f64) -> f64 {
        value * 100_f64.powi(self.hundreds) / 1000_f64.powi(self.thousands)
    }

    /// Returns how many of the decimals are written.
    fn kept_decimals(&self, fraction: &str) -> usize {
        fraction.trim_end_matches('0').len().max(self.fixed)
    }

    /// Writes the digit that has `left` digits from its own on to the end of the whole part.
    fn push_whole(&self, shown: &mut String, whole: &str, left: usize, kind: char) {
        match whole.len().checked_sub(left) {
            Some(at) => shown.push_str(&whole[at..=at]),
            None if kind == '0' => shown.push('0'),
            None => return,
        }
        if self.has_thousands && left > 1 && (left - 1).is_multiple_of(3) {
            shown.push(',');
        }
    }
}

impl Condition {
    /// Reads a condition such as `>=100`.
    fn parse(text: &str) -> Option<Self> {
        let number = text.trim_start_matches(['<', '>', '=']);
        let sign = &text[..text.len() - number.len()];
        if sign.is_empty() || sign.len() > 2 {
            return None;
        }
        Some(Self {
            is_less: sign.contains('<'),
            is_equal: sign.contains('='),
            is_greater: sign.contains('>'),
            limit: number.trim().parse().ok()?,
        })
    }

    fn is_met(self, value: f64) -> bool {
        match value.partial_cmp(&self.limit) {
            Some(Ordering::Less) => self.is_less,
            Some(Ordering::Equal) => self.is_equal,
            Some(Ordering::Greater) => self.is_greater,
            None => false,
        }
    }
}
