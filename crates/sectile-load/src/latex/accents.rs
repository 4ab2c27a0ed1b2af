//! Letters with accents, and other signs that LaTeX has commands for.

/// For each accent the letters that have it, and what they become.
const ACCENTS: [(&str, &str, &str); 12] = [
    ("`", "aeiounAEIOUN", "àèìòùǹÀÈÌÒÙǸ"),
    (
        "'",
        "aeiouycnszrlgAEIOUYCNSZRLG",
        "áéíóúýćńśźŕĺǵÁÉÍÓÚÝĆŃŚŹŔĹǴ",
    ),
    ("^", "aeioucghjswyAEIOUCGHJSWY", "âêîôûĉĝĥĵŝŵŷÂÊÎÔÛĈĜĤĴŜŴŶ"),
    ("\"", "aeiouyAEIOUY", "äëïöüÿÄËÏÖÜŸ"),
    ("~", "anoiuANOIU", "ãñõĩũÃÑÕĨŨ"),
    ("=", "aeiouAEIOU", "āēīōūĀĒĪŌŪ"),
    (".", "zcegIZCEG", "żċėġİŻĊĖĠ"),
    ("c", "csteCSTE", "çşţȩÇŞŢȨ"),
    ("v", "cszrendtglCSZRENDTGL", "čšžřěňďťǧľČŠŽŘĚŇĎŤǦĽ"),
    ("u", "aegiouAEGIOU", "ăĕğĭŏŭĂĔĞĬŎŬ"),
    ("H", "ouOU", "őűŐŰ"),
    ("k", "aeiuAEIU", "ąęįųĄĘĮŲ"),
];

/// Commands that stand for text.
const SIGNS: [(&str, &str); 51] = [
    (" ", " "),
    ("#", "#"),
    ("$", "$"),
    ("%", "%"),
    ("&", "&"),
    (",", " "),
    ("AA", "Å"),
    ("AE", "Æ"),
    ("BibTeX", "BibTeX"),
    ("ConTeXt", "ConTeXt"),
    ("L", "Ł"),
    ("LaTeX", "LaTeX"),
    ("LaTeXe", "LaTeX2e"),
    ("LuaTeX", "LuaTeX"),
    ("O", "Ø"),
    ("OE", "Œ"),
    ("P", "¶"),
    ("S", "§"),
    ("TeX", "TeX"),
    ("XeLaTeX", "XeLaTeX"),
    ("XeTeX", "XeTeX"),
    ("\\", " "),
    ("_", "_"),
    ("aa", "å"),
    ("ae", "æ"),
    ("copyright", "©"),
    ("dots", "…"),
    ("i", "i"),
    ("j", "j"),
    ("l", "ł"),
    ("ldots", "…"),
    ("linebreak", " "),
    ("newline", " "),
    ("o", "ø"),
    ("oe", "œ"),
    ("pdfLaTeX", "pdfLaTeX"),
    ("pdfTeX", "pdfTeX"),
    ("quad", " "),
    ("space", " "),
    ("ss", "ß"),
    ("textasciicircum", "^"),
    ("textasciitilde", "~"),
    ("textbackslash", "\\"),
    ("textbar", "|"),
    ("textemdash", "—"),
    ("textendash", "–"),
    ("textgreater", ">"),
    ("textless", "<"),
    ("textunderscore", "_"),
    ("{", "{"),
    ("}", "}"),
];

/// Returns the text that a command stands for.
pub(super) fn sign(name: &str) -> Option<&'static str> {
    let at = SIGNS
        .binary_search_by(|(known, _)| (*known).cmp(name))
        .ok()?;
    Some(SIGNS[at].1)
}

pub(super) fn is_accent(name: &str) -> bool {
    ACCENTS.iter().any(|(accent, ..)| *accent == name) || matches!(name, "r" | "d" | "b")
}

/// Puts an accent on a letter; one that we do not know leaves the letter as it is.
pub(super) fn accented(accent: &str, letter: char) -> char {
    if (accent, letter) == ("r", 'a') {
        return 'å';
    }
    let known = ACCENTS.iter().find(|(known, ..)| *known == accent);
    let found = known.and_then(|(_, letters, accented)| {
        let at = letters.chars().position(|known| known == letter)?;
        accented.chars().nth(at)
    });
    found.unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_letter_of_an_accent_has_one_that_it_becomes() {
        for (accent, letters, accented) in ACCENTS {
            assert_eq!(
                letters.chars().count(),
                accented.chars().count(),
                "{accent}"
            );
        }
        assert!(SIGNS.is_sorted_by_key(|(name, _)| name));
    }
}
