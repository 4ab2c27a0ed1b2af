//! Swedish verbs whose vowels or endings change: `skriva` and `skrev`, `köpa` and `köpt`. Forms that are other words,
//! without their marks as well, are left out (`band`, `åt`, `stal` for `stål`).

use super::irregular::{ALONE, Irregular, Verb};

pub(super) static VERBS: Irregular = Irregular {
    verbs: LISTED,
    endings: &[("na", "en"), ("et", "en"), ("da", "d"), ("ta", "t")],
    excepted: &[],
};

#[rustfmt::skip]
const LISTED: &[Verb] = &[
    (&["", "in", "ut"], &["köpa", "köper", "köpte", "köpt"]),
    (&["", "för"], &["sälja", "säljer", "sålde", "sålt", "såld"]),
    (ALONE, &["stjäla", "stjäl", "stulit", "stulen"]),
    (&["", "be", "före", "in", "under"], &["skriva", "skriver", "skrev", "skrivit", "skriven"]),
    (&["", "av"], &["bryta", "bryter", "bröt", "brutit", "bruten"]),
    (ALONE, &["glömma", "glömmer", "glömde", "glömt", "glömd"]),
    (ALONE, &["välja", "väljer", "valt"]), (&["ut"], &["välja", "väljer", "valde", "valt", "vald"]),
    (ALONE, &["flyga", "flyger", "flög", "flugit"]),
    (ALONE, &["frysa", "fryser", "frös", "frusit", "frusen"]),
    (ALONE, &["försvinna", "försvinner", "försvann", "försvunnit"]), (ALONE, &["vinna", "vinner", "vann", "vunnit"]),
    (ALONE, &["dricka", "dricker", "drack", "druckit"]), (ALONE, &["äta", "äter", "ätit"]),
    (ALONE, &["slå", "slår", "slog", "slagit"]), (ALONE, &["skära", "skär", "skar", "skurit"]),
    (&["", "av"], &["stänga", "stänger", "stängde", "stängt", "stängd"]), (ALONE, &["köra", "kör", "körde", "kört"]),
    (&["", "ut"], &["byta", "byter", "bytte", "bytt"]), (ALONE, &["läsa", "läser", "läste", "läst"]),
    (&["", "an", "be", "under"], &["söka", "söker", "sökte", "sökt"]),
    (&["", "över"], &["sända", "sänder", "sände", "sänt"]), (ALONE, &["dö", "dör", "dog", "dött"]),
    (ALONE, &["sova", "sover", "sovit"]), (ALONE, &["binda", "binder", "bundit"]),
    (ALONE, &["springa", "springer", "sprang", "sprungit"]), (ALONE, &["bita", "biter", "bitit"]),
];

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::analyzer::verbs::check;

    #[test]
    fn forms_of_a_verb_find_each_other() {
        check(
            Language::Swedish,
            &[
                &["köpa", "köpte", "köpt"],
                &["sälja", "sålde", "såld"],
                &["beskriva", "beskrev", "beskriven"],
                &["stänga", "stängde"],
            ],
            &[("sålda", "sälja"), ("skrivna", "skriva"), ("Köpta", "köpa")],
            &["bok", "huset", "kostnad", ""],
        );
    }
}
