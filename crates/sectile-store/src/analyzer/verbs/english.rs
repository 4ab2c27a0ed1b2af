//! English verbs whose vowels change: `lose` and `lost`, `forget` and `forgotten`. The stemmer joins the forms of the
//! others. Verbs that say little of what is asked for are left out (`give`, `make`, `show`), and so are forms that are
//! other words as well (`left`, `found`, `rose`, `lit`).

use super::irregular::{ALONE, Irregular, Verb};

pub(super) static VERBS: Irregular = Irregular {
    verbs: LISTED,
    endings: &[
        ("s", ""),
        ("es", ""),
        ("ing", ""),
        ("ing", "e"),
        ("tting", "t"),
        ("nning", "n"),
        ("mming", "m"),
        ("gging", "g"),
    ],
    excepted: &["drawing", "building", "meeting", "understanding"],
};

#[rustfmt::skip]
const LISTED: &[Verb] = &[
    (ALONE, &["lose", "lost", "loss"]), (ALONE, &["buy", "bought"]), (&["", "re"], &["sell", "sold", "sale"]),
    (ALONE, &["break", "broke", "broken"]), (ALONE, &["forget", "forgot", "forgotten"]),
    (ALONE, &["steal", "stole", "stolen"]), (&["", "re", "over", "under"], &["write", "wrote", "written"]),
    (&["", "re", "over", "under"], &["pay", "paid"]), (&["", "re"], &["send", "sent"]),
    (ALONE, &["choose", "chose", "chosen", "choice"]), (ALONE, &["catch", "caught"]), (ALONE, &["teach", "taught"]),
    (ALONE, &["drive", "drove", "driven"]), (&["", "un"], &["freeze", "froze", "frozen"]),
    (ALONE, &["hide", "hidden"]), (ALONE, &["speak", "spoken"]), (ALONE, &["win", "won"]),
    (&["", "re"], &["build", "built"]), (&["", "over"], &["spend", "spent"]), (ALONE, &["lend", "lent"]),
    (ALONE, &["bite", "bitten"]), (ALONE, &["grow", "grew", "grown"]), (&["", "over"], &["throw", "threw", "thrown"]),
    (&["", "with", "up"], &["hold", "held"]), (ALONE, &["shake", "shook", "shaken"]), (ALONE, &["swell", "swollen"]),
    (ALONE, &["tear", "tore", "torn"]), (ALONE, &["wear", "wore", "worn"]), (&["", "over"], &["feed", "fed"]),
    (ALONE, &["bleed", "bled"]), (ALONE, &["breed", "bred"]), (ALONE, &["fight", "fought"]), (ALONE, &["hang", "hung"]),
    (ALONE, &["shoot", "shot"]), (&["", "over"], &["sleep", "slept"]), (ALONE, &["sweep", "swept"]),
    (ALONE, &["creep", "crept"]), (ALONE, &["shrink", "shrank", "shrunk"]), (ALONE, &["drink", "drank", "drunk"]),
    (ALONE, &["sink", "sank", "sunk"]),  (ALONE, &["fly", "flew", "flown"]),
    (ALONE, &["blow", "blew", "blown"]), (&["", "with", "re"], &["draw", "drew", "drawn"]),
    (&["", "over"], &["eat", "ate", "eaten"]), (ALONE, &["fall", "fell", "fallen"]),
    (&["", "over"], &["ride", "rode", "ridden"]), (ALONE, &["rise", "risen"]), (ALONE, &["arise", "arose", "arisen"]),
    (ALONE, &["seek", "sought"]), (ALONE, &["bring", "brought"]), (ALONE, &["deal", "dealt"]),
    (ALONE, &["swim", "swam", "swum"]), (ALONE, &["sing", "sang", "sung"]), (ALONE, &["strike", "struck", "stricken"]),
    (&["", "un"], &["stick", "stuck"]), (ALONE, &["swing", "swung"]), (&["", "inter"], &["weave", "wove", "woven"]),
    (ALONE, &["meet", "met"]), (ALONE, &["slide", "slid"]),
    (ALONE, &["swear", "swore", "sworn"]), (&["", "a"], &["wake", "woke", "woken"]), (ALONE, &["dig", "dug"]),
    (ALONE, &["bend", "bent"]), (ALONE, &["flee", "fled"]), (ALONE, &["forbid", "forbade", "forbidden"]),
    (ALONE, &["forgive", "forgave", "forgiven"]), (ALONE, &["begin", "began", "begun"]), (ALONE, &["beat", "beaten"]),
    (&["", "dis"], &["prove", "proven", "proof"]), (ALONE, &["sew", "sewn"]), (ALONE, &["spin", "spun"]),
    (&["", "under", "with"], &["stand", "stood"]), (&["", "over"], &["hear", "heard"]), (ALONE, &["burn", "burnt"]),
    (&["", "un"], &["learn", "learnt"]), (ALONE, &["spill", "spilt"]), (&["mis"], &["spell", "spelt"]),
    (ALONE, &["spoil", "spoilt"]), (ALONE, &["believe", "belief"]), (ALONE, &["kneel", "knelt"]),
    (ALONE, &["leap", "leapt"]),
];

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::analyzer::verbs::check;

    #[test]
    fn forms_of_a_verb_find_each_other() {
        check(
            Language::English,
            &[
                &["lose", "lost", "loss"],
                &["overwrite", "overwrote", "overwritten"],
                &["withdraw", "withdrew", "withdrawn"],
                &["understand", "understood"],
                &["buy", "bought"],
            ],
            &[
                ("losing", "lost"),
                ("forgetting", "forgotten"),
                ("sells", "sold"),
                ("losses", "lost"),
                ("Lost", "lose"),
                ("beginning", "began"),
            ],
            &[
                "LOST", "left", "saw", "leaves", "building", "meeting", "string", "selling1",
                "well", "spring", "spelt", "light", "", "s",
            ],
        );
    }
}
