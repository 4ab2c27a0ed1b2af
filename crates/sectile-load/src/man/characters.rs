//! The characters of roff that have names.

/// Names and what they stand for, in pairs.
const CHARACTERS: &str = "
    - - hy ‐ en – em — aq ' dq \" lq “ rq ” oq ‘ cq ’ Bq „ bq ‚ Fo « Fc » fo ‹ fc › ga ` aa ´ ha ^ ti ~ a^ ^ a~ ~
    rs \\ sl / ba | bv | or | br | at @ sh # Do $ eu € Eu € ct ¢ Po £ Ye ¥ Cs ¤ lB [ rB ] lC { rC } la ⟨ ra ⟩
    bu • sq □ ci ○ dg † dd ‡ sc § ps ¶ co © rg ® tm ™ de ° fm ′ sd ″ mc µ OK ✓ lz ◊ r! ¡ r? ¿ ul _ ru _ rn ‾
    pd ∂ pl + mi − mu × di ÷ +- ± eq = == ≡ != ≠ ne ≢ <= ≤ >= ≥ << ≪ >> ≫ ~= ≅ ~~ ≈ =~ ≅ ap ∼ pt ∝ if ∞ no ¬ tno ¬
    12 ½ 14 ¼ 34 ¾ S1 ¹ S2 ² S3 ³ Of ª Om º ** ∗ md ⋅ pc · sr √ is ∫ integral ∫ sum ∑ product ∏ gr ∇ es ∅ mo ∈ nm ∉
    sb ⊂ nb ⊄ sp ⊃ ib ⊆ ip ⊇ ca ∩ cu ∪ fa ∀ te ∃ AN ∧ OR ∨ tf ∴ /_ ∠ pp ⊥ -h ℏ wp ℘ Im ℑ Re ℜ Ah ℵ
    <- ← -> → <> ↔ ua ↑ da ↓ va ↕ lA ⇐ rA ⇒ hA ⇔ uA ⇑ dA ⇓ CR ↵
    AE Æ ae æ OE Œ oe œ ss ß -D Ð Sd ð TP Þ Tp þ IJ Ĳ ij ĳ .i ı ff ff fi fi fl fl Fi ffi Fl ffl
    *A Α *B Β *G Γ *D Δ *E Ε *Z Ζ *Y Η *H Θ *I Ι *K Κ *L Λ *M Μ *N Ν *C Ξ *O Ο *P Π *R Ρ *S Σ *T Τ *U Υ *F Φ *X Χ
    *Q Ψ *W Ω *a α *b β *g γ *d δ *e ε *z ζ *y η *h θ *i ι *k κ *l λ *m μ *n ν *c ξ *o ο *p π *r ρ *s σ ts ς *t τ
    *u υ *f φ +f ϕ *x χ *q ψ *w ω +h ϑ +p ϖ +e ϵ";

/// Accents by which the names of letters begin, the letters that take them, and what they are with them.
const ACCENTED: [(char, &str, &str); 9] = [
    ('\'', "AEIOUYCaeiouyc", "ÁÉÍÓÚÝĆáéíóúýć"),
    (':', "AEIOUYaeiouy", "ÄËÏÖÜŸäëïöüÿ"),
    ('^', "AEIOUaeiou", "ÂÊÎÔÛâêîôû"),
    ('`', "AEIOUaeiou", "ÀÈÌÒÙàèìòù"),
    ('~', "ANOano", "ÃÑÕãñõ"),
    (',', "Cc", "Çç"),
    ('/', "LlOo", "ŁłØø"),
    ('v', "SsZz", "ŠšŽž"),
    ('o', "Aa", "Åå"),
];

/// Accents that follow a letter in a name such as `e aa`, and the characters that combine with it.
const COMBINING: [(&str, char); 8] = [
    ("aa", '\u{301}'),
    ("ga", '\u{300}'),
    ("a^", '\u{302}'),
    ("a~", '\u{303}'),
    ("ad", '\u{308}'),
    ("ao", '\u{30A}'),
    ("ac", '\u{327}'),
    ("ah", '\u{30C}'),
];

/// Writes the character of a name; nothing where it is not known.
pub(super) fn push(name: &str, text: &mut String) {
    if let Some(shown) = named(name) {
        text.push_str(shown);
    } else if let Some(letter) = accented(name) {
        text.push(letter);
    } else if let Some(digits) = name.strip_prefix("char") {
        push_number(digits, text);
    } else if let Some(codes) = name.strip_prefix('u') {
        let code = |code: &str| u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
        text.extend(codes.split('_').filter_map(code));
    } else if let Some((letter, accent)) = name.split_once(' ') {
        text.push_str(letter);
        let accent = COMBINING.iter().find(|(known, _)| *known == accent);
        text.extend(accent.map(|(_, combining)| *combining));
    }
}

/// Writes the character that has a number.
pub(super) fn push_number(digits: &str, text: &mut String) {
    let code = digits.parse().ok().and_then(char::from_u32);
    text.extend(code);
}

fn named(name: &str) -> Option<&'static str> {
    let mut words = CHARACTERS.split_ascii_whitespace();
    while let Some(known) = words.next() {
        let shown = words.next()?;
        if known == name {
            return Some(shown);
        }
    }
    None
}

/// Returns the letter whose name is an accent and the letter without it, such as `'e`.
fn accented(name: &str) -> Option<char> {
    let mut chars = name.chars();
    let (accent, base) = (chars.next()?, chars.next()?);
    let (_, bases, letters) = ACCENTED.iter().find(|(known, ..)| *known == accent)?;
    let at = bases.chars().position(|known| known == base)?;
    letters.chars().nth(at).filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_names_accents_and_numbers() {
        for (name, expected) in [
            ("lq", "“"),
            ("co", "©"),
            ("+-", "±"),
            ("'e", "é"),
            ("oa", "å"),
            ("u00E9", "é"),
            ("u0041_0301", "A\u{301}"),
            ("char233", "é"),
            ("e aa", "e\u{301}"),
            ("oz", ""),
            ("uXYZ", ""),
            ("u110000", ""),
            ("unknown", ""),
        ] {
            let mut text = String::new();
            push(name, &mut text);
            assert_eq!(text, expected, "{name}");
        }
    }
}
