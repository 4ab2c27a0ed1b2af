//! Dutch verbs whose vowels change: `gevonden` and `vinden`, `opgeslagen` and `opslaan`. The stemmer joins the forms of the
//! others.

use super::{Forms, Verbs};

pub(super) const VERBS: Verbs = Verbs {
    strong: STRONG,
    separable: SEPARABLE,
    inseparable: INSEPARABLE,
    excepted: &[],
    endings: &["", "e"],
    sign_of_infinitive: "",
    regular: |_| Vec::new(),
};

#[rustfmt::skip]
const STRONG: &[Forms<'static>] = &[
    ("beginnen", "begint", "begon", "begonnen"), ("bieden", "biedt", "bood", "geboden"),
    ("blijven", "blijft", "bleef", "gebleven"), ("breken", "breekt", "brak", "gebroken"),
    ("brengen", "brengt", "bracht", "gebracht"), ("denken", "denkt", "dacht", "gedacht"),
    ("doen", "doet", "deed", "gedaan"), ("gaan", "gaat", "ging", "gegaan"), ("geven", "geeft", "gaf", "gegeven"),
    ("houden", "houdt", "hield", "gehouden"), ("kiezen", "kiest", "koos", "gekozen"),
    ("komen", "komt", "kwam", "gekomen"), ("kopen", "koopt", "kocht", "gekocht"),
    ("krijgen", "krijgt", "kreeg", "gekregen"), ("laten", "laat", "liet", "gelaten"),
    ("lezen", "leest", "las", "gelezen"), ("lopen", "loopt", "liep", "gelopen"),
    ("nemen", "neemt", "nam", "genomen"), ("roepen", "roept", "riep", "geroepen"),
    ("schrijven", "schrijft", "schreef", "geschreven"), ("slaan", "slaat", "sloeg", "geslagen"),
    ("sluiten", "sluit", "sloot", "gesloten"), ("spreken", "spreekt", "sprak", "gesproken"),
    ("staan", "staat", "stond", "gestaan"), ("trekken", "trekt", "trok", "getrokken"),
    ("vinden", "vindt", "vond", "gevonden"), ("vragen", "vraagt", "vroeg", "gevraagd"),
    ("wijzen", "wijst", "wees", "gewezen"), ("zenden", "zendt", "zond", "gezonden"),
    ("zien", "ziet", "zag", "gezien"), ("zoeken", "zoekt", "zocht", "gezocht"),
];

#[rustfmt::skip]
const SEPARABLE: &[&str] = &[
    "aan", "achter", "af", "bij", "binnen", "door", "in", "mee", "na", "om", "onder", "op", "over", "samen", "tegen",
    "terug", "toe", "uit", "vast", "voor", "weg",
];

const INSEPARABLE: &[&str] = &[
    "be", "door", "er", "her", "onder", "ont", "over", "ver", "voor",
];

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::analyzer::verbs::check;

    #[test]
    fn forms_of_a_verb_find_each_other() {
        check(
            Language::Dutch,
            &[
                &["vinden", "vindt", "vond", "gevonden"],
                &["schrijven", "schrijft", "schreef", "geschreven"],
                &["opslaan", "opslaat", "opgeslagen"],
                &["beschrijven", "beschrijft", "beschreven"],
                &["kopen", "koopt", "gekocht"],
            ],
            &[],
            &["Gevonden", "bestand", "gebied", "huis", "gemaakt"],
        );
    }
}
