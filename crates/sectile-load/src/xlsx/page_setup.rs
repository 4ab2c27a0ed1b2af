//! The heads and feet of the pages of a sheet.

use crate::one_line::one_line;

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
