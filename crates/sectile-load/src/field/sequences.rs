//! The numbers of captions, which the fields `SEQ` count.

use std::collections::HashMap;

use crate::numerals::Numerals;

/// The numbers that the fields `SEQ` count, by the names of their sequences.
#[derive(Debug, Default)]
pub(crate) struct Sequences {
    numbers: HashMap<String, u32>,
}

impl Sequences {
    /// Counts a field, and returns the number that it shows; nothing where that depends on headings, and for other
    /// fields.
    pub(crate) fn count(&mut self, instruction: &str) -> Option<String> {
        let mut words = instruction.split_whitespace();
        if !words.next()?.eq_ignore_ascii_case("SEQ") {
            return None;
        }
        let name = words.next()?.to_lowercase();
        let switches: Vec<&str> = words.collect();
        let number = self.numbers.entry(name).or_default();
        if let Some(first) = restart(&switches) {
            *number = first;
        } else if !switches.contains(&"\\c") {
            *number = number.saturating_add(1);
        }
        if switches.contains(&"\\h") {
            return Some(String::new());
        }
        let is_of_heading = switches.iter().any(|switch| switch.starts_with("\\s"));
        (!is_of_heading).then(|| numerals(&switches).write(*number))
    }
}

/// Returns the number that a field restarts its sequence at: `\r 3` or `\r3`.
fn restart(switches: &[&str]) -> Option<u32> {
    let index = switches
        .iter()
        .position(|switch| switch.starts_with("\\r"))?;
    let number = switches[index].trim_start_matches("\\r");
    if number.is_empty() {
        return switches.get(index + 1)?.parse().ok();
    }
    number.parse().ok()
}

/// Returns how a field writes its number.
fn numerals(switches: &[&str]) -> Numerals {
    let mut switches = switches.iter();
    let format =
        switches.find(|switch| matches!(**switch, "ROMAN" | "roman" | "ALPHABETIC" | "alphabetic"));
    match format {
        Some(&"ROMAN") => Numerals::UpperRoman,
        Some(&"roman") => Numerals::LowerRoman,
        Some(&"ALPHABETIC") => Numerals::UpperLetter,
        Some(_) => Numerals::LowerLetter,
        None => Numerals::Decimal,
    }
}
