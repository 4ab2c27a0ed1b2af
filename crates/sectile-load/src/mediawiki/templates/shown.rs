//! What parser functions and some common templates show.

/// What stands between the values of a template that converts units.
const BETWEEN: [&str; 12] = [
    "-", "–", "to", "and", "&", "or", "by", "x", "×", "*", "±", "+/-",
];

/// Units that follow the value in a larger one: `6 ft 2 in`.
const SMALLER_UNITS: [&str; 6] = ["ft", "in", "lb", "oz", "yd", "d"];

/// Returns what a parser function shows, as far as the page itself tells.
pub(super) fn function(parts: &[&str]) -> String {
    let (name, first) = parts[0].split_once(':').unwrap_or((parts[0], ""));
    let first = first.trim();
    let part = |at: usize| parts.get(at).map_or("", |part| part.trim());
    let shown = match name.trim().to_lowercase().as_str() {
        "#if" if first.is_empty() => part(2),
        "#ifeq" if first == part(1) => part(2),
        "#ifeq" => part(3),
        "#switch" => switch(first, &parts[1..]),
        "#iferror" if parts.len() < 3 => first,
        "#iferror" => part(2),
        // What only the wiki can decide counts as true.
        "#ifexist" | "#ifexpr" if part(1).is_empty() => part(2),
        "#if" | "#ifexist" | "#ifexpr" | "#tag" => part(1),
        "#expr" | "#formatdate" | "#dateformat" => first,
        _ => "",
    };
    shown.to_owned()
}

/// Returns the result of the case that a value has, or the default.
fn switch<'a>(value: &str, cases: &[&'a str]) -> &'a str {
    let (mut is_found, mut default) = (false, "");
    for (at, case) in cases.iter().enumerate() {
        match case.split_once('=') {
            Some((name, result)) if is_found || name.trim() == value => return result.trim(),
            Some((name, result)) if name.trim() == "#default" => default = result.trim(),
            Some(_) => {}
            None if at + 1 == cases.len() => return case.trim(),
            // Several cases may share the result behind them.
            None => is_found |= case.trim() == value,
        }
    }
    default
}

/// Returns what a template shows that does not show all that it is called with, if it is one that is known.
pub(super) fn known(name: &str, named: &[(&str, &str)], others: &[&str]) -> Option<String> {
    match (name, others) {
        ("lang" | "langx" | "transliteration" | "transl", [_, rest @ ..]) => {
            rest.last().map(|text| (*text).to_owned())
        }
        ("sup" | "sub", [text]) => Some(format!("<{name}>{text}</{name}>")),
        ("frac" | "sfrac", [below]) => Some(format!("1/{below}")),
        ("frac" | "sfrac", [above, below]) => Some(format!("{above}/{below}")),
        ("frac" | "sfrac", [whole, above, below]) => Some(format!("{whole} {above}/{below}")),
        ("abbr" | "tooltip", [short, long]) => Some(format!("{short} ({long})")),
        ("convert" | "cvt", [_, ..]) => Some(quantity(others)),
        ("coord", [_, ..]) => Some(coordinates(others)),
        ("sfn" | "sfnp", [_, ..]) => Some(format!(" ({})", short_citation(named, others))),
        ("harv" | "harvp", [_, ..]) => Some(format!("({})", short_citation(named, others))),
        ("harvnb" | "harvtxt" | "harvcoltxt", [_, ..]) => Some(short_citation(named, others)),
        _ => None,
    }
}

/// Returns authors, year and page of a source that is listed elsewhere.
fn short_citation(named: &[(&str, &str)], others: &[&str]) -> String {
    let mut citation = others.join(" ");
    for (name, value) in named {
        let label = match *name {
            "p" | "page" => "p. ",
            "pp" | "pages" => "pp. ",
            "loc" | "at" => "",
            _ => continue,
        };
        citation.push_str(", ");
        citation.push_str(label);
        citation.push_str(value);
    }
    citation
}

/// Returns a quantity as it is given, without what it is converted to.
fn quantity(arguments: &[&str]) -> String {
    let mut shown = arguments[0].to_owned();
    let mut rest = &arguments[1..];
    while let [between, value, after @ ..] = rest
        && BETWEEN.contains(between)
    {
        shown = format!("{shown} {between} {value}");
        rest = after;
    }
    if let [unit, after @ ..] = rest {
        shown = format!("{shown} {unit}");
        rest = after;
    }
    while let [value, unit, after @ ..] = rest
        && is_number(value)
        && SMALLER_UNITS.contains(unit)
    {
        shown = format!("{shown} {value} {unit}");
        rest = after;
    }
    shown
}

/// Returns a place on the earth: numbers alone, or degrees, minutes and seconds up to a direction.
fn coordinates(arguments: &[&str]) -> String {
    let mut angles: Vec<String> = Vec::new();
    let mut open = String::new();
    let mut signs = ["°", "′", "″"].iter();
    for argument in arguments {
        if is_number(argument) {
            open.push_str(argument);
            open.push_str(signs.next().unwrap_or(&" "));
        } else if matches!(*argument, "N" | "S" | "E" | "W") {
            angles.push(std::mem::take(&mut open) + *argument);
            signs = ["°", "′", "″"].iter();
        } else {
            // What kind of place it is, and for which map.
            break;
        }
    }
    if angles.is_empty() {
        let numbers = arguments.iter().take_while(|argument| is_number(argument));
        return numbers.copied().collect::<Vec<_>>().join(", ");
    }
    angles.join(" ")
}

fn is_number(text: &str) -> bool {
    let text = text.trim_start_matches(['-', '−', '+']);
    let is_part = |sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ',' | '/');
    text.starts_with(|sign: char| sign.is_ascii_digit() || sign == '.') && text.chars().all(is_part)
}
