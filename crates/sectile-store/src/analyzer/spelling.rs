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

/// Beginnings, or whole words, with other letters.
const OTHER: &[(&str, &str)] = &[
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
    let replaced = our(word).or_else(|| doubled(word)).or_else(|| ise(word));
    let replaced = replaced.or_else(|| yse(word)).or_else(|| other(word));
    replaced.map_or(Cow::Borrowed(word), Cow::Owned)
}

/// `colour` is `color`, also where something stands before it (`discolour`).
fn our(word: &str) -> Option<String> {
    let at = word.find("our")?;
    let before = &word[..at];
    let ends = |base: &&&str| before.ends_with(**base);
    let base = OUR.iter().filter(ends).max_by_key(|base| base.len())?;
    let is_whole = matches!(
        &before[..before.len() - base.len()],
        "" | "dis" | "un" | "mis" | "multi" | "tri" | "water"
    );
    is_whole.then(|| format!("{before}or{}", &word[at + 3..]))
}

/// `modelling` is `modeling`.
fn doubled(word: &str) -> Option<String> {
    let at = word.find("ll")?;
    let (once, ending) = (&word[..=at], &word[at + 2..]);
    let is_ending = matches!(
        ending,
        "ed" | "er" | "ers" | "ing" | "ings" | "ist" | "ists" | "ation"
    );
    (is_ending && DOUBLED.contains(&once)).then(|| format!("{once}{ending}"))
}

/// `organise` and `organisation` are `organize` and `organization`.
fn ise(word: &str) -> Option<String> {
    const ENDINGS: &[&str] = &[
        "e",
        "ed",
        "er",
        "ers",
        "es",
        "ing",
        "able",
        "ation",
        "ations",
        "ational",
        "ationally",
    ];
    let at = word.rfind("is").filter(|at| *at > 2)?;
    let (base, ending) = (&word[..at], &word[at + 2..]);
    let is_verb = ENDINGS.contains(&ending) && !base.ends_with(['a', 'o', 'u']);
    (is_verb && !ISE.contains(&base)).then(|| format!("{base}iz{ending}"))
}

/// `analyse` is `analyze`; `analyses` may be more than one analysis.
fn yse(word: &str) -> Option<String> {
    let at = word.rfind("lys")?;
    let ending = &word[at + 3..];
    let is_verb = matches!(ending, "e" | "ed" | "er" | "ers" | "ing");
    is_verb.then(|| format!("{}lyz{ending}", &word[..at]))
}

fn other(word: &str) -> Option<String> {
    let fits = |&&(british, _): &&(&str, &str)| word.starts_with(british);
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
