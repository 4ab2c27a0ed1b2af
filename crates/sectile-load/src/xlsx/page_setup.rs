//! What a sheet says beside its cells: the heads and feet of its pages, and what it asks for.

use super::parts::push_unescaped;
use crate::blocks::Block;
use crate::one_line::one_line;
use crate::xml::Element;

/// How many signs the code of a colour has.
const COLOUR: usize = 6;

/// Returns what a head or a foot shows, without the codes for numbers of pages, dates, fonts and the like.
pub(super) fn plain(codes: &str) -> String {
    let mut text = String::new();
    let mut rest = codes;
    while let Some((before, after)) = rest.split_once('&') {
        text.push_str(before);
        let mut signs = after.chars();
        let code = signs.next();
        rest = signs.as_str();
        match code {
            Some('&') => text.push('&'),
            // The parts on the left, in the middle and on the right.
            Some('L' | 'C' | 'R') => text.push(' '),
            Some('"') => rest = rest.split_once('"').map_or("", |(_, after)| after),
            Some('K') => {
                let end = rest.char_indices().nth(COLOUR);
                rest = end.map_or("", |(end, _)| &rest[end..]);
            }
            Some('0'..='9') => rest = rest.trim_start_matches(|sign: char| sign.is_ascii_digit()),
            _ => {}
        }
    }
    text.push_str(rest);
    one_line(&text)
}

/// Returns what is shown to somebody who selects cells whose values are restricted.
pub(super) fn prompt(element: &Element) -> Option<Block> {
    let shows = element.attribute("showInputMessage");
    if !matches!(shows.as_deref(), Some("1" | "true")) {
        return None;
    }
    let text = |name| {
        let mut text = String::new();
        push_unescaped(&mut text, &element.attribute(name).unwrap_or_default());
        one_line(&text)
    };
    let said = ["promptTitle", "prompt"].map(text);
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    let said = said.join(": ");
    let said = said.trim_start_matches(": ").trim_end_matches(": ");
    let cells = element.attribute("sqref").unwrap_or_default();
    let cells = match cells.split_once(' ') {
        Some((first, _)) => format!("{first} and other cells"),
        None => cells,
    };
    (!said.is_empty()).then(|| Block::Text(format!("Prompt of {cells}: {said}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_shown_without_codes() {
        for (codes, expected) in [
            (
                "&L&\"Arial,Bold\"&14Mill && Sons&C&K01+000Confidential&R&D",
                "Mill & Sons Confidential",
            ),
            ("Page &P", "Page"),
            ("&8 2024 Report", "2024 Report"),
            ("&KFF", ""),
            ("a&", "a"),
            ("", ""),
        ] {
            assert_eq!(plain(codes), expected, "{codes}");
        }
    }
}
