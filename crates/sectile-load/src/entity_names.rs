//! Characters by their names in HTML.

/// The names of characters in HTML 4: each is that of the character behind the one before.
const NAMES: [(char, &str); 64] = [
    (
        '\u{A0}',
        "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
         sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc \
         Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve \
         Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute \
         acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde \
         ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml",
    ),
    ('Œ', "OElig oelig"),
    ('Š', "Scaron scaron"),
    ('Ÿ', "Yuml"),
    ('ƒ', "fnof"),
    ('ˆ', "circ"),
    ('˜', "tilde"),
    (
        'Α',
        "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho",
    ),
    ('Σ', "Sigma Tau Upsilon Phi Chi Psi Omega"),
    (
        'α',
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma \
         tau upsilon phi chi psi omega",
    ),
    ('ϑ', "thetasym upsih"),
    ('ϖ', "piv"),
    ('\u{2002}', "ensp emsp"),
    ('\u{2009}', "thinsp"),
    ('\u{200C}', "zwnj zwj lrm rlm"),
    ('\u{2013}', "ndash mdash"),
    ('‘', "lsquo rsquo sbquo"),
    ('“', "ldquo rdquo bdquo"),
    ('†', "dagger Dagger bull"),
    ('…', "hellip"),
    ('‰', "permil"),
    ('′', "prime Prime"),
    ('‹', "lsaquo rsaquo"),
    ('‾', "oline"),
    ('⁄', "frasl"),
    ('€', "euro"),
    ('ℑ', "image"),
    ('℘', "weierp"),
    ('ℜ', "real"),
    ('™', "trade"),
    ('ℵ', "alefsym"),
    ('←', "larr uarr rarr darr harr"),
    ('↵', "crarr"),
    ('⇐', "lArr uArr rArr dArr hArr"),
    ('∀', "forall"),
    ('∂', "part exist"),
    ('∅', "empty"),
    ('∇', "nabla isin notin"),
    ('∋', "ni"),
    ('∏', "prod"),
    ('∑', "sum minus"),
    ('∗', "lowast"),
    ('√', "radic"),
    ('∝', "prop infin"),
    ('∠', "ang"),
    ('∧', "and or cap cup int"),
    ('∴', "there4"),
    ('∼', "sim"),
    ('≅', "cong"),
    ('≈', "asymp"),
    ('≠', "ne equiv"),
    ('≤', "le ge"),
    ('⊂', "sub sup nsub"),
    ('⊆', "sube supe"),
    ('⊕', "oplus"),
    ('⊗', "otimes"),
    ('⊥', "perp"),
    ('⋅', "sdot"),
    ('⌈', "lceil rceil lfloor rfloor"),
    ('◊', "loz"),
    ('♠', "spades"),
    ('♣', "clubs"),
    ('♥', "hearts diams"),
    ('⟨', "lang rang"),
];

/// Returns the character that a name in HTML stands for; the five of XML are not among them.
pub(crate) fn character(name: &str) -> Option<char> {
    let among = |(first, names): &(char, &str)| {
        let at = names.split(' ').position(|other| other == name)?;
        char::from_u32(u32::from(*first) + at as u32)
    };
    NAMES.iter().find_map(among)
}

/// How long the name or the number of a reference is at most.
#[cfg(feature = "mediawiki")]
const LONGEST: usize = 32;

/// Returns what the reference stands for that a text begins with, such as `&mdash;` or `&#8209;`, and its length.
#[cfg(feature = "mediawiki")]
pub(crate) fn reference(text: &str) -> Option<(char, usize)> {
    let inner = text.strip_prefix('&')?;
    let end = inner.bytes().take(LONGEST).position(|byte| byte == b';')?;
    let name = inner.get(..end)?;
    let found = match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "leq" => Some('≤'),
        "geq" => Some('≥'),
        _ => match name.strip_prefix('#') {
            Some(number) => numbered(number),
            None => character(name),
        },
    };
    found.map(|character| (character, end + 2))
}

#[cfg(feature = "mediawiki")]
fn numbered(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code).filter(|character| *character != '\0')
}

#[cfg(all(test, feature = "mediawiki"))]
mod tests {
    use super::*;

    #[test]
    fn references_are_read_by_name_and_by_number() {
        for (text, expected) in [
            ("&mdash;x", Some(('—', 7))),
            ("&lt;", Some(('<', 4))),
            ("&#8209;", Some(('\u{2011}', 7))),
            ("&#x41;", Some(('A', 6))),
            ("&#0;", None),
            ("&who;", None),
            ("&amp", None),
            ("& a;", None),
            ("AT&T;", None),
        ] {
            assert_eq!(reference(text), expected, "{text}");
        }
    }
}
