//! The parts of a section of a number format.

/// What a section is made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Literal(String),
    /// A space as wide as a character.
    Space,
    /// A place of the whole part: `0`, `#` or `?`.
    Digit(char),
    Comma,
    Point,
    /// A place after the point.
    Decimal(char),
    /// An exponent, whose digits are left out.
    Exponent,
    Percent,
    /// A number without a format.
    General,
    /// A slash and the denominator after it.
    Denominator(String),
    /// A letter of a date.
    Letter(char),
    /// The place of a text.
    Text,
}
