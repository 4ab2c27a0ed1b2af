//! Signs beside headings that lead to them: `#`, `¶`, a chain.

/// Signs that no title ends with.
const MARKS: [char; 5] = ['¶', '🔗', '⚓', '\u{FE0F}', '\u{200B}'];

/// Signs that are a title neither, where they stand alone; a backslash is what Markdown has before them.
const ALONE: [char; 5] = ['#', '§', '\\', '\u{200C}', '\u{FEFF}'];

/// Signs of Markdown around bold words.
const BOLD: [char; 2] = ['*', '_'];

/// Returns a title without the sign at its end that leads to it; nothing where it is no more than signs or an icon.
/// `C#` keeps its sign, and so does `5 §`.
pub(crate) fn title(written: &str) -> &str {
    let title = written.trim();
    if is_sign(title.trim_matches(BOLD)) {
        return "";
    }
    let title = title.trim_end_matches(|letter: char| is_mark(letter) || letter.is_whitespace());
    match title.rsplit_once(char::is_whitespace) {
        Some((rest, "#" | "\\#")) => rest.trim_end(),
        _ => title,
    }
}

/// Returns whether a text is signs alone, or one letter of a font of icons.
fn is_sign(text: &str) -> bool {
    let is_one =
        |letter: char| is_mark(letter) || ALONE.contains(&letter) || letter.is_whitespace();
    let mut letters = text.chars().filter(|letter| !is_one(*letter));
    let is_icon = |letter: char| matches!(letter, '\u{E000}'..='\u{F8FF}');
    !text.is_empty() && letters.next().is_none_or(is_icon) && letters.next().is_none()
}

fn is_mark(letter: char) -> bool {
    MARKS.contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_has_no_sign_that_leads_to_it() {
        for (written, expected) in [
            ("Guide ¶", "Guide"),
            ("Guide¶", "Guide"),
            ("Guide #", "Guide"),
            ("Guide \\#", "Guide"),
            ("Guide 🔗", "Guide"),
            ("C#", "C#"),
            ("F# and C#", "F# and C#"),
            ("5 §", "5 §"),
            ("§ 5", "§ 5"),
            ("* * *", "* * *"),
            ("***", "***"),
            ("**Bold**", "**Bold**"),
            ("#", ""),
            ("\\#", ""),
            ("¶ §", ""),
            ("🔗", ""),
            ("⚓\u{FE0F}", ""),
            ("\u{200B}", ""),
            ("**\u{E001}**", ""),
            ("\u{A0}", ""),
            ("", ""),
        ] {
            assert_eq!(title(written), expected, "{written}");
        }
    }
}
