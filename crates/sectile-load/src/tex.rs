//! Letters in formulas of TeX.

/// Writes a letter, escaped where it would mean something else in TeX.
pub(crate) fn push_letter(tex: &mut String, letter: char) {
    match letter {
        '#' | '$' | '%' | '&' | '_' | '{' | '}' => tex.extend(['\\', letter]),
        '\\' => tex.push_str("\\backslash "),
        other => tex.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_tex_are_escaped() {
        let mut tex = String::new();
        for letter in "a_{#$%&\\ü".chars() {
            push_letter(&mut tex, letter);
        }
        assert_eq!(tex, "a\\_\\{\\#\\$\\%\\&\\backslash ü");
    }
}
