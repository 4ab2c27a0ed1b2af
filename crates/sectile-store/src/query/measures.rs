//! Numbers with their units, in the ways in which documents write them: `5 gigabytes`, `5 GB`, `5GB`, `10 %`.

use super::numbers::{groups, is_digits, is_number, measure};
use super::units::{self, is_unit};

/// How texts write the sign of per cent.
const PERCENT: [&str; 8] = [
    "%",
    " %",
    " percent",
    " per cent",
    " prozent",
    " pour cent",
    " por ciento",
    " procent",
];

/// The fewest digits of a long number.
const FEWEST_DIGITS: usize = 5;

/// The signs of currencies with their codes.
const CURRENCIES: [(&str, &str); 4] = [
    ("$", "usd"),
    ("\u{20ac}", "eur"),
    ("\u{a3}", "gbp"),
    ("\u{a5}", "jpy"),
];

/// Returns how documents may write a number and its unit, as it was typed, with another name of that: `5 GB` and `5GB` for
/// `5 gigabytes`, but only `5in` for `5 inches`.
pub(super) fn with_other_units(number: &str, unit: &str) -> Vec<String> {
    if !is_number(number) {
        return Vec::new();
    }
    let others = units::others(unit).into_iter();
    let ways = others.flat_map(|other| {
        let joined = is_unit(other).then(|| format!("{number}{other}"));
        let apart = (!units::is_word(other)).then(|| format!("{number} {other}"));
        apart.into_iter().chain(joined)
    });
    ways.collect()
}

/// Returns how texts may write what is a number with its unit, a share in per cent, a sum of money or a long number, and
/// nothing else, in lower case.
pub(crate) fn ways_of_measure(typed: &str) -> Option<Vec<String>> {
    let lower = typed.to_lowercase();
    let text = lower.as_str();
    let percent = PERCENT.iter().find_map(|sign| text.strip_suffix(sign));
    if let Some(number) = percent.map(str::trim_end).filter(|of| is_number(of)) {
        return Some(PERCENT.iter().map(|of| format!("{number}{of}")).collect());
    }
    if let Some(ways) = ways_of_money(text).or_else(|| ways_of_number(text)) {
        return Some(ways);
    }
    let (number, unit) = match typed.split_once(' ') {
        Some((number, unit)) if is_number(number) => (number, unit),
        Some(_) => return None,
        None => measure(typed)?,
    };
    let others = with_other_units(number, unit);
    if !is_unit(unit) && others.is_empty() {
        return None;
    }
    let unit = unit.to_lowercase();
    let as_typed = [format!("{number} {unit}"), format!("{number}{unit}")];
    Some(as_typed.into_iter().chain(others).collect())
}

/// Returns how texts may write a sum of money: with the sign or the code of the currency before it or behind.
fn ways_of_money(text: &str) -> Option<Vec<String>> {
    CURRENCIES.iter().find_map(|(sign, code)| {
        let without = |name: &str| text.strip_prefix(name).or_else(|| text.strip_suffix(name));
        let number = without(sign).or_else(|| without(code))?.trim();
        let ways = [
            format!("{sign}{number}"),
            format!("{sign} {number}"),
            format!("{number}{sign}"),
            format!("{number} {sign}"),
            format!("{code} {number}"),
            format!("{number} {code}"),
        ];
        is_number(number).then(|| Vec::from(ways))
    })
}

/// Returns how texts may write a long number: two numbers in a row have its digits, too.
fn ways_of_number(text: &str) -> Option<Vec<String>> {
    let is_long = text.len() >= FEWEST_DIGITS && !text.starts_with('0');
    if !is_long || !is_digits(text) {
        return None;
    }
    let groups = groups(text);
    let marks = [" ", ",", ".", "'"].into_iter();
    let ways = marks.map(|mark| groups.replace(' ', mark));
    Some(std::iter::once(text.to_owned()).chain(ways).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_has_other_names_of_its_unit() {
        assert_eq!(with_other_units("5", "gigabytes"), ["5 gb", "5gb"]);
        assert_eq!(with_other_units("5", "kg"), ["5 kilogram", "5 kilo"]);
        assert_eq!(with_other_units("five", "GB"), [""; 0]);
        assert_eq!(with_other_units("5", "apples"), [""; 0]);
        assert_eq!(with_other_units("5", "G"), [""; 0]);
        // `5 in` is most often no length.
        assert_eq!(with_other_units("5", "inches"), ["5in", "5 inch", "5inch"]);
    }

    #[test]
    fn measures_and_shares_are_told_from_other_texts() {
        for (text, way) in [
            ("5 MB", "5mb"),
            ("5G", "5 g"),
            ("5mb", "5 mb"),
            ("100ms", "100 millisecond"),
            ("5 gigabytes", "5gb"),
            ("10 percent", "10%"),
            ("2.5%", "2.5 per cent"),
            ("10 %", "10 %"),
            ("24192", "24,192"),
            ("1234567", "1 234 567"),
            ("\u{20ac}5", "5 \u{20ac}"),
            ("5 eur", "5\u{20ac}"),
            ("$1,234.50", "1,234.50 usd"),
        ] {
            let ways = ways_of_measure(text).unwrap();
            assert!(ways.iter().any(|of| of == way), "{text}: {ways:?}");
        }
        let as_typed = ["5 g", "5g"].map(str::to_owned);
        assert_eq!(ways_of_measure("5G"), Some(Vec::from(as_typed)));
        for text in [
            "5 apples",
            "90 degrees",
            "5",
            "rfc 4627",
            "mb",
            "x 5 mb",
            "ten percent",
            "7zip",
            "",
        ] {
            assert_eq!(ways_of_measure(text), None, "{text}");
        }
    }
}
