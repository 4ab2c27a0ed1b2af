//! Italian verbs whose participles or stems change: `perdere` and `perso`, `aprire` and `aperto`, and the nouns that
//! are made of them. Forms that are other words as well are left out (`corso`, `letto`, `permesso`, `prodotto`,
//! `pianto` for `pianta`).

use super::irregular::{ALONE, Irregular, Verb};

pub(super) static VERBS: Irregular = Irregular {
    verbs: LISTED,
    endings: &[
        ("a", "o"),
        ("i", "o"),
        ("e", "o"),
        ("e", "a"),
        ("ono", "e"),
        ("i", "e"),
    ],
    excepted: &[
        "legge", "leggi", "presa", "prese", "offerta", "offerte", "messa", "messe", "spesa",
        "spese", "vinci", "messi", "divisa", "divise",
    ],
};

#[rustfmt::skip]
const LISTED: &[Verb] = &[
    (&["", "dis"], &["perdere", "perdo", "perde", "perso", "perdita"]),
    (&["", "ap", "com", "ri", "sor"], &["prendere", "prendo", "prende", "preso"]),
    (&["", "rac", "soc"], &["chiudere", "chiudo", "chiude", "chiuso", "chiusura"]),
    (ALONE, &["aprire", "apro", "apre", "aperto", "apertura"]),
    (&["", "ri", "s"], &["coprire", "copre", "coperto", "copertura"]), (ALONE, &["offrire", "offre", "offerto"]),
    (ALONE, &["soffrire", "soffre", "sofferto"]),
    (&["", "i", "de", "pre", "tra", "sotto"], &["scrivere", "scrivo", "scrive", "scritto", "scrizione"]),
    (&["", "cor", "inter"], &["rompere", "rompe", "rotto", "rottura", "ruzione"]),
    (&["", "ri"], &["chiedere", "chiedo", "chiede", "chiesto", "chiesta"]),
    (ALONE, &["morire", "muoio", "muore", "morto", "morte"]),
    (ALONE, &["scegliere", "scelgo", "sceglie", "scelto", "scelta"]),
    (ALONE, &["spegnere", "spengo", "spegne", "spento"]), (ALONE, &["accendere", "accende", "acceso", "accensione"]),
    (ALONE, &["spendere", "spende", "speso"]), (ALONE, &["sospendere", "sospeso", "sospensione"]),
    (&["", "ri"], &["vendere", "vende", "venduto", "vendita"]), (ALONE, &["cuocere", "cuoce", "cotto", "cottura"]),
    (ALONE, &["leggere", "leggo", "lettura"]), (ALONE, &["nascere", "nasce", "nato", "nascita"]),
    (ALONE, &["decidere", "decide", "deciso", "decisione"]), (ALONE, &["dividere", "diviso", "divisione"]),
    (&["", "am", "com", "pro", "s", "tras", "sotto"], &["mettere", "metto", "mette", "messo"]),
    (&["con", "tra", "intro", "ri", "de"], &["durre", "duco", "duce", "dotto", "duzione"]),
    (ALONE, &["togliere", "tolgo", "toglie", "tolto"]), (ALONE, &["raccogliere", "raccolgo", "raccolto", "raccolta"]),
    (ALONE, &["rispondere", "risponde", "risposto", "risposta"]), (ALONE, &["nascondere", "nasconde", "nascosto"]),
    (&["", "con"], &["vincere", "vince", "vinto"]), (ALONE, &["restringere", "restringe", "ristretto"]),
    (ALONE, &["rimanere", "rimango", "rimane", "rimasto"]),
    (&["ot", "con", "man", "sos", "tratt"], &["tenere", "tengo", "tiene", "tenuto"]),
    (ALONE, &["bere", "bevo", "beve", "bevuto"]), (ALONE, &["vivere", "vive", "vissuto"]),
    (ALONE, &["friggere", "frigge", "fritto"]), (ALONE, &["proteggere", "protegge", "protetto", "protezione"]),
    (ALONE, &["dipingere", "dipinto"]),
];

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::analyzer::verbs::check;

    #[test]
    fn forms_of_a_verb_find_each_other() {
        check(
            Language::Italian,
            &[
                &["perdere", "perso", "perdita"],
                &["aprire", "apre", "aperto", "apertura"],
                &["iscrivere", "iscritto", "iscrizione"],
                &["ridurre", "ridotto", "riduzione"],
            ],
            &[
                ("persa", "perdere"),
                ("chiusi", "chiudere"),
                ("scelte", "scegliere"),
                ("sostiene", "sostenere"),
                ("ristretti", "restringere"),
            ],
            &[
                "corso", "letto", "permesso", "prodotto", "spesa", "persona", "legge", "piante",
                "Vinci", "stretto", "Messi", "divise",
            ],
        );
    }
}
