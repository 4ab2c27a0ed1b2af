//! The ligatures of Calibri, which have no numbers in Unicode: some writers say nothing of them, and others give the number of
//! the glyph as that of a letter, so that `station` is `staƟon`.

/// Ligatures by the numbers of their glyphs.
const LIGATURES: [(u32, &str); 9] = [
    (299, "ff"),
    (302, "fi"),
    (312, "ffi"),
    (327, "fl"),
    (332, "ft"),
    (414, "tf"),
    (415, "ti"),
    (425, "tt"),
    (427, "tti"),
];

/// Returns the ligature that a glyph is, unless the file says that it stands for something else.
pub(super) fn ligature(glyph: u32, stated: Option<&str>) -> Option<&'static str> {
    let is_number = |text: &str| text.chars().map(u32::from).eq([glyph]);
    let (_, letters) = LIGATURES.iter().find(|(number, _)| *number == glyph)?;
    stated.is_none_or(is_number).then_some(*letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_ligatures_are_no_letters() {
        assert_eq!(ligature(415, Some("Ɵ")), Some("ti"));
        assert_eq!(ligature(312, Some("ĸ")), Some("ffi"));
        assert_eq!(ligature(425, None), Some("tt"));
    }

    #[test]
    fn letters_that_a_file_names_stay() {
        assert_eq!(ligature(415, Some("ti")), None);
        assert_eq!(ligature(299, Some("Ɵ")), None);
        assert_eq!(ligature(0x16a, Some("ū")), None);
        assert_eq!(ligature(36, None), None);
    }
}
