//! British spellings, written as American ones.

use std::borrow::Cow;

/// What stands before `our` where American English has `or`.
const OUR: &[&str] = &[
    "arb", "ard", "arm", "behavi", "cand", "clam", "col", "demean", "endeav", "enam", "fav",
    "ferv", "flav", "harb", "hon", "hum", "lab", "neighb", "od", "parl", "ranc", "rig", "rum",
    "sav", "savi", "splend", "succ", "tum", "val", "vap", "vig",
];

/// Words in `ise` that have no form in `ize`, without the ending.
const ISE: &[&str] = &[
    "adv", "advert", "ar", "chem", "circumc", "compr", "comprom", "conc", "dem", "desp", "dev",
    "enterpr", "exc", "exerc", "expert", "franch", "improv", "inc", "likew", "merchand", "otherw",
    "parad", "prec", "prem", "prom", "rev", "superv", "surpr", "telev", "treat", "wr",
];

/// Words whose last `l` is written once before an ending.
const DOUBLED: &[&str] = &[
    "cancel", "channel", "counsel", "dial", "duel", "equal", "fuel", "initial", "jewel", "label",
    "level", "marshal", "marvel", "model", "panel", "parcel", "pencil", "quarrel", "rival",
    "shovel", "signal", "stencil", "total", "travel", "tunnel", "unravel",
];

/// The endings of verbs, and of what is made of them.
const ENDINGS: &[&str] = &[
    "able",
    "ation",
    "ational",
    "ationally",
    "ations",
    "e",
    "ed",
    "er",
    "ers",
    "es",
    "ing",
    "ings",
    "ist",
    "ists",
];

/// Beginnings, or whole words, with other letters. Where the first letter differs, [`Initials`] knows of it.
///
/// [`Initials`]: super::Initials
pub(super) const OTHER: &[(&str, &str)] = &[
    ("aeroplane", "airplane"),
    ("aesthet", "esthet"),
    ("ageing", "aging"),
    ("aluminium", "aluminum"),
    ("anaem", "anem"),
    ("anaesth", "anesth"),
    ("analogue", "analog"),
    ("archaeo", "archeo"),
    ("artefact", "artifact"),
    ("calibre", "caliber"),
    ("catalogue", "catalog"),
    ("centimetre", "centimeter"),
    ("centre", "center"),
    ("defence", "defense"),
    ("dialogue", "dialog"),
    ("diarrhoea", "diarrhea"),
    ("encyclopaed", "encycloped"),
    ("fibre", "fiber"),
    ("foetus", "fetus"),
    ("foetal", "fetal"),
    ("grey", "gray"),
    ("gynaeco", "gyneco"),
    ("haemo", "hemo"),
    ("jewellery", "jewelry"),
    ("judgement", "judgment"),
    ("kilometre", "kilometer"),
    ("leukaem", "leukem"),
    ("licence", "license"),
    ("litre", "liter"),
    ("manoeuvr", "maneuver"),
    ("metre", "meter"),
    ("millimetre", "millimeter"),
    ("mould", "mold"),
    ("oesoph", "esoph"),
    ("oestr", "estr"),
    ("offence", "offense"),
    ("orthopaed", "orthoped"),
    ("paed", "ped"),
    ("plough", "plow"),
    ("practis", "practic"),
    ("pretence", "pretense"),
    ("programme", "program"),
    ("sceptic", "skeptic"),
    ("sulph", "sulf"),
    ("theatre", "theater"),
];

/// Writes a word in lower case as American English does.
pub(super) fn american(word: &str) -> Cow<'_, str> {
    let replaced = our(word).or_else(|| by_ending(word));
    let replaced = replaced.or_else(|| other(word));
    replaced.map_or(Cow::Borrowed(word), Cow::Owned)
}

/// `colour` is `color`, also where something stands before it (`discolour`).
fn our(word: &str) -> Option<String> {
    let at = word
        .as_bytes()
        .windows(3)
        .position(|letters| letters == b"our")?;
    let before = &word[..at];
    let ends = |base: &&&str| before.ends_with(**base);
    let base = OUR.iter().filter(ends).max_by_key(|base| base.len())?;
    let prefix = &before[..before.len() - base.len()];
    let is_whole = matches!(
        prefix,
        "" | "dis" | "un" | "mis" | "multi" | "tri" | "water"
    );
    is_whole.then(|| format!("{before}or{}", &word[at + 3..]))
}

/// `modelling` is `modeling`, `organise` is `organize`, `analyse` is `analyze`.
fn by_ending(word: &str) -> Option<String> {
    let is_one = |ending: &&&str| word.as_bytes().ends_with(ending.as_bytes());
    let ending = ENDINGS
        .iter()
        .filter(is_one)
        .max_by_key(|ending| ending.len())?;
    let base = &word[..word.len() - ending.len()];
    match base.as_bytes() {
        [.., b'l', b'l'] if DOUBLED.contains(&&base[..base.len() - 1]) => {
            Some(format!("{}{ending}", &base[..base.len() - 1]))
        }
        [.., _, before, b'i', b's'] if !matches!(before, b'a' | b'o' | b'u') => {
            let base = &base[..base.len() - 2];
            (!ISE.contains(&base)).then(|| format!("{base}iz{ending}"))
        }
        // `analyses` may be more than one analysis.
        [.., b'l', b'y', b's'] if *ending != "es" => {
            Some(format!("{}z{ending}", &base[..base.len() - 1]))
        }
        _ => None,
    }
}

fn other(word: &str) -> Option<String> {
    // Comparing a letter is much cheaper than comparing words.
    let first = word.as_bytes().first()?;
    let fits = |&&(british, _): &&(&str, &str)| {
        british.as_bytes()[0] == *first && word.starts_with(british)
    };
    let &(british, american) = OTHER.iter().find(fits)?;
    let ending = &word[british.len()..];
    match ending {
        _ if !british.ends_with('e') => {}
        "" | "s" => {}
        // `centred` and `catalogued`; `programmed` is the same in both.
        "d" if american.ends_with('e') => {}
        "d" if !british.ends_with("mme") => return Some(format!("{american}ed")),
        _ => return None,
    }
    Some(format!("{american}{ending}"))
}
