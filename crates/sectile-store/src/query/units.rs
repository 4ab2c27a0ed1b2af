//! The units of numbers in a question.

use unicode_normalization::UnicodeNormalization as _;

/// Units that follow a number, with or without a space between. Sorted.
const UNITS: &[&str] = &[
    "a", "ah", "am", "b", "bar", "bit", "bits", "bpm", "bps", "btu", "byte", "bytes", "c", "cal",
    "ch", "cl", "cm", "core", "cores", "d", "day", "days", "db", "deg", "dl", "dpi", "em", "f",
    "fps", "fr", "ft", "g", "gal", "gb", "gbit", "gbps", "ghz", "gi", "gib", "gpa", "gw", "gwh",
    "h", "ha", "hour", "hours", "hp", "hpa", "hr", "hrs", "hz", "in", "inch", "iu", "j", "k", "kb",
    "kbit", "kbps", "kcal", "kg", "khz", "ki", "kib", "kj", "km", "kmh", "kn", "kohm", "kpa",
    "kph", "kv", "kva", "kw", "kwh", "kω", "l", "lb", "lbf", "lbs", "lm", "lx", "m", "ma", "mah",
    "mb", "mbit", "mbps", "mcg", "mg", "mhz", "mi", "mib", "min", "mins", "ml", "mm", "mmhg",
    "mmol", "mohm", "mol", "month", "months", "mp", "mpa", "mph", "ms", "mv", "mw", "mwh", "mω",
    "n", "nf", "nits", "nl", "nm", "nmol", "ns", "ohm", "ohms", "oz", "pa", "pb", "pf", "pg",
    "pib", "pm", "ppi", "ppm", "psi", "pt", "px", "qt", "rem", "rpm", "s", "sec", "secs", "t",
    "tb", "tbps", "tbsp", "thz", "ti", "tib", "tsp", "uf", "ug", "ul", "us", "v", "va", "vdc",
    "vh", "vw", "w", "week", "weeks", "wh", "x", "yd", "year", "years", "yr", "yrs", "μf", "μg",
    "μl", "μm", "μs", "ω",
];

/// Units with their names: documents write either behind a number.
const NAMES: &[&[&str]] = &[
    &["kb", "kilobyte"],
    &["mb", "megabyte"],
    &["gb", "gigabyte"],
    &["tb", "terabyte"],
    &["pb", "petabyte"],
    &["kib", "kibibyte"],
    &["mib", "mebibyte"],
    &["gib", "gibibyte"],
    &["tib", "tebibyte"],
    &["kbit", "kilobit"],
    &["mbit", "megabit"],
    &["gbit", "gigabit"],
    &["mg", "milligram"],
    &["g", "gram", "gramme"],
    &["kg", "kilogram", "kilo"],
    &["mcg", "\u{3bc}g", "ug", "microgram"],
    &["nm", "nanometer", "nanometre"],
    &["mm", "millimeter", "millimetre"],
    &["cm", "centimeter", "centimetre"],
    &["m", "meter", "metre"],
    &["km", "kilometer", "kilometre"],
    &["in", "inch", "inches"],
    &["ft", "foot", "feet"],
    &["yd", "yard"],
    &["mi", "mile"],
    &["ml", "milliliter", "millilitre"],
    &["cl", "centiliter", "centilitre"],
    &["dl", "deciliter", "decilitre"],
    &["l", "liter", "litre"],
    &["oz", "ounce"],
    &["lb", "lbs", "pound"],
    &["tsp", "teaspoon"],
    &["tbsp", "tablespoon"],
    &["gal", "gallon"],
    &["ns", "nanosecond"],
    &["\u{3bc}s", "us", "microsecond"],
    &["ms", "millisecond"],
    &["s", "sec", "secs", "second"],
    &["min", "mins", "minute"],
    &["h", "hr", "hrs", "hour"],
    &["hz", "hertz"],
    &["khz", "kilohertz"],
    &["mhz", "megahertz"],
    &["ghz", "gigahertz"],
    &["db", "decibel"],
    &["v", "volt"],
    &["w", "watt"],
    &["kw", "kilowatt"],
    &["j", "joule"],
    &["kj", "kilojoule"],
    &["kcal", "kilocalorie"],
    &["km/h", "kmh", "kph"],
    &["\u{b0}c", "c", "degree celsius", "degrees celsius"],
    &["\u{b0}f", "f", "degree fahrenheit", "degrees fahrenheit"],
    &["percent", "per cent"],
];

/// Signs that are no units in capitals: `5G`, `3M`, `iPhone 5S`, `50 US states`.
const ONLY_SMALL: [&str; 4] = ["g", "m", "s", "us"];

/// Signs that are words, too, which often stand behind a number: `2024 in`.
const WORDS: [&str; 2] = ["in", "us"];

/// Returns whether the sign of a unit is also a word.
pub(super) fn is_word(sign: &str) -> bool {
    WORDS.contains(&sign)
}

/// Returns what else a unit behind a number, as it was typed, is called: its name, in the singular, or its sign.
pub(super) fn others(unit: &str) -> Vec<&'static str> {
    let lower = unit.nfkc().collect::<String>().to_lowercase();
    if ONLY_SMALL.contains(&lower.as_str()) && lower != unit {
        return Vec::new();
    }
    // `CMS` is no plural of `cm`.
    let is_plural = |of: &&str| of.len() > 1 && (unit.ends_with('s') || !is_unit(of));
    let singular = lower.strip_suffix('s').filter(is_plural);
    let is_of = |name: &&str| *name == lower || Some(*name) == singular;
    // Documents have the plural of a sign as another word.
    let is_typed = |name: &&str| *name == lower || Some(*name) == singular && !is_unit(name);
    let names = NAMES.iter().find(|names| names.iter().any(is_of));
    let others = names.into_iter().flat_map(|names| names.iter().copied());
    others.filter(|name| !is_typed(name)).collect()
}

/// What may stand behind the number of a day: `5.`, `5th`, `1er`, `1.º`.
pub(super) const ORDINALS: &[&str] = &[
    "", "st", "nd", "rd", "th", "er", "r", "e", "º", "°", "o", "-a",
];

/// Returns whether a word is a unit, with or without full stops: `9 a.m.`.
pub(super) fn is_unit(text: &str) -> bool {
    // The micro sign is another character than the Greek letter, and `㎏` is one, too.
    let plain: String = text.nfkc().filter(|of| *of != '.').collect();
    let lower = plain.to_lowercase();
    UNITS.binary_search(&lower.trim_start_matches('°')).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_known_however_they_are_written() {
        assert!(UNITS.is_sorted());
        for unit in ["GB", "㎏", "\u{b5}m", "°C", "p.m", "PM", "mcg"] {
            assert!(is_unit(unit), "{unit}");
        }
        for (unit, names) in [
            ("GB", &["gigabyte"][..]),
            ("gigabytes", &["gb"]),
            ("grams", &["g", "gramme"]),
            ("g", &["gram", "gramme"]),
            ("lbs", &["lb", "pound"]),
            ("lb", &["lbs", "pound"]),
            ("ms", &["millisecond"]),
            ("feet", &["ft", "foot"]),
            ("apples", &[]),
            ("s", &["sec", "secs", "second"]),
            ("\u{b5}s", &["us", "microsecond"]),
            ("GALLONS", &["gal"]),
            ("cms", &["cm", "centimeter", "centimetre"]),
            ("CMS", &[]),
            ("G", &[]),
            ("M", &[]),
            ("US", &[]),
            ("degrees", &[]),
            ("", &[]),
        ] {
            assert_eq!(others(unit), names, "{unit}");
        }
        for word in ["", "apples", "st", "th"] {
            assert!(!is_unit(word), "{word}");
        }
    }
}
