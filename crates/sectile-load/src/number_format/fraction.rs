//! Numbers as fractions: `1 1/2`.

use std::ops::Range;

use super::token::Token;

/// How many digits a denominator has at most that is looked for.
const DIGITS: usize = 5;

/// The places of a fraction in a section.
#[derive(Debug)]
pub(super) struct Fraction {
    /// Where the tokens of the fraction stand, the whole part too.
    pub(super) range: Range<usize>,
    has_whole: bool,
    denominator: Denominator,
}

#[derive(Clone, Copy, Debug)]
enum Denominator {
    Fixed(f64),
    UpTo(f64),
}

impl Fraction {
    /// Finds the fraction in a section.
    pub(super) fn find(tokens: &[Token]) -> Option<Self> {
        let is_digit = |token: &Token| matches!(token, Token::Digit(_) | Token::Comma);
        let slash = tokens
            .iter()
            .position(|token| matches!(token, Token::Denominator(_)))?;
        let Token::Denominator(denominator) = &tokens[slash] else {
            return None;
        };
        let start = tokens
            .iter()
            .position(is_digit)
            .filter(|&start| start < slash)?;
        Some(Self {
            range: start..slash + 1,
            has_whole: !tokens[start..slash].iter().all(is_digit),
            denominator: Denominator::parse(denominator)?,
        })
    }

    /// Writes a number that is not negative.
    pub(super) fn show(&self, value: f64) -> String {
        let mut whole = if self.has_whole { value.trunc() } else { 0.0 };
        let rest = value - whole;
        let (mut over, under) = match self.denominator {
            Denominator::Fixed(under) => ((rest * under).round(), under),
            Denominator::UpTo(largest) => nearest(rest, largest),
        };
        if self.has_whole && over >= under {
            whole += 1.0;
            over = 0.0;
        }
        match (self.has_whole, whole > 0.0, over > 0.0) {
            (true, _, false) => format!("{whole}"),
            (true, true, true) => format!("{whole} {over}/{under}"),
            _ => format!("{over}/{under}"),
        }
    }
}

impl Denominator {
    fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        if text.starts_with(|digit: char| ('1'..='9').contains(&digit)) {
            let digits = text.replace(['#', '?'], "0");
            return Some(Self::Fixed(f64::from(digits.parse::<u32>().ok()?)));
        }
        let nines: f64 = "9".repeat(text.len().min(DIGITS)).parse().ok()?;
        Some(Self::UpTo(nines))
    }
}

/// Returns the fraction nearest to a number with a denominator up to `largest`, by its continued
/// fraction.
fn nearest(value: f64, largest: f64) -> (f64, f64) {
    let (mut before, mut last) = ((0.0, 1.0), (1.0, 0.0));
    let mut rest = value;
    loop {
        let term = rest.floor();
        let next = (term * last.0 + before.0, term * last.1 + before.1);
        if next.1 > largest {
            break;
        }
        (before, last) = (last, next);
        if rest - term < 1e-9 {
            break;
        }
        rest = 1.0 / (rest - term);
    }
    last
}
