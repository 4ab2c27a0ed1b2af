//! French verbs whose forms differ by more than their endings: `perdre` and `perdu`, `recevoir` and `reçu`, and the nouns
//! that are made of them (`perte`, `réponse`). Forms that are other words as well, without
//! accents, are left out (`part`, `suis`, `produit`, `né`), and so are those that the stemmer makes of such words
//! (`boit` of `boîte`, `vit` of `vite`, `suit` of `suite`).

use super::irregular::{ALONE, Irregular, Verb};

pub(super) static VERBS: Irregular = Irregular {
    verbs: LISTED,
    endings: &[("e", ""), ("s", ""), ("es", "")],
    excepted: EXCEPTED,
};

/// Other words with the form of one of these verbs.
#[rustfmt::skip]
const EXCEPTED: &[&str] = &[
    "bus", "entreprise", "entreprises", "prise", "prises", "mise", "mises", "permis", "remise", "remises", "tenue",
    "tenues",
];

#[rustfmt::skip]
const LISTED: &[Verb] = &[
    (&["", "ap", "com", "entre", "re", "sur"], &["prendre", "prends", "prend", "prenez", "prennent", "pris"]),
    (&["", "ad", "com", "pro", "re", "sou", "trans"], &["mettre", "mets", "met", "mettez", "mettent", "mis"]),
    (&["per"], &["mettre", "mets", "met", "mettez", "mettent"]),
    (&["", "ob", "dé", "re", "con", "appar", "main", "sou", "entre"], &["tenir", "tiens", "tient", "tiennent", "tenu"]),
    (&["", "de", "inter", "par", "sur"], &["venir", "viens", "vient", "viennent", "venu"]),
    (&["re", "per", "dé", "con", "aper"], &["cevoir", "çois", "çoit", "çoivent", "cevez", "çu"]),
    (&["ins", "pres", "trans", "sous", "circons"], &["crire", "cris", "crit", "crivez", "crivent", "cription"]),
    (&["é", "dé", "réé"], &["crire", "cris", "crit", "crivez", "crivent"]),
    (&["ré", "tra", "dé", "intro", "sé"], &["duire", "duis", "duit", "duisez", "duisent", "duction"]),
    (&["con"], &["duire", "duis", "duit", "duisez", "duisent"]),
    (&["con", "recon", "in"], &["struire", "struis", "struit", "struisent", "struction"]),
    (ALONE, &["détruire", "détruis", "détruit", "détruisent", "destruction"]),
    (ALONE, &["perdre", "perds", "perd", "perdez", "perdent", "perdu", "perte"]),
    (&["", "re"], &["vendre", "vends", "vend", "vendez", "vendent", "vendu", "vente"]),
    (ALONE, &["rendre", "rends", "rend", "rendent", "rendu"]),
    (&["at", "en", "é", "dé", "pré"], &["tendre", "tends", "tend", "tendez", "tendent", "tendu"]),
    (&["dé", "sus"], &["pendre", "pends", "pend", "pendent", "pendu"]),
    (ALONE, &["défendre", "défends", "défend", "défendent", "défendu", "défense"]),
    (ALONE, &["répondre", "réponds", "répond", "répondez", "répondent", "répondu", "réponse"]),
    (ALONE, &["mordre", "mord", "mordent", "mordu", "morsure"]), (&["", "con"], &["fondre", "fondu"]),
    (ALONE, &["descendre", "descend", "descendu", "descente"]), (ALONE, &["tordre", "tordu", "torsion"]),
    (&["", "r"], &["ouvrir", "ouvre", "ouvrez", "ouvrent", "ouvert", "ouverture"]),
    (&["c", "rec"], &["ouvrir", "ouvre", "ouvrent", "ouvert", "ouverture"]),
    (ALONE, &["découvrir", "découvre", "découvrent", "découvert"]), (ALONE, &["offrir", "offert"]),
    (ALONE, &["souffrir", "souffre", "souffrent", "souffert", "souffrance"]),
    (&["ét", "p", "att", "restr"], &["eindre", "eins", "eint", "eignent"]),
    (ALONE, &["craindre", "crains", "craint", "crainte"]), (ALONE, &["plaindre", "plains", "plaint", "plainte"]),
    (ALONE, &["contraindre", "contraint", "contrainte"]), (&["re"], &["joindre", "joint"]),
    (ALONE, &["naître", "naissent", "naissance"]),
    (&["", "re"], &["connaître", "connais", "connaît", "connu", "connaissance"]),
    (&["ap", "com"], &["paraître", "paraît", "paru"]), (ALONE, &["disparaître", "disparaît", "disparu", "disparition"]),
    (ALONE, &["mourir", "meurt", "meurent", "mort"]), (&["", "par", "re"], &["courir", "couru"]),
    (ALONE, &["acquérir", "acquiert", "acquis", "acquisition"]),
    (ALONE, &["suivre", "suivent", "suivi"]), (&["pour"], &["suivre", "suit", "suivent", "suivi"]),
    (ALONE, &["vivre", "vivent", "vécu"]), (&["sur"], &["vivre", "vit", "vivent", "vécu"]),
    (&["", "re"], &["lire", "lu", "lisez"]), (&["", "ré"], &["élire", "élu", "élection"]),
    (ALONE, &["boire", "boivent", "bu", "boisson"]), (&["inter"], &["dire", "dit", "disent", "diction"]),
    (ALONE, &["cuire", "cuis", "cuit", "cuisent", "cuisson"]), (&["", "en"], &["dormir", "dors", "dort", "dorment"]),
    (ALONE, &["résoudre", "résous", "résout", "résolu", "résolution"]),
    (ALONE, &["dissoudre", "dissout", "dissous", "dissolution"]), (&["", "con"], &["vaincre", "vaincu"]),
    (ALONE, &["rompre", "rompu", "rupture"]), (&["inter", "cor"], &["rompre", "rompt", "rompu", "ruption"]),
    (ALONE, &["coudre", "cousu", "couture"]), (&["con", "ex"], &["clure", "clut", "clu", "clusion"]),
    (ALONE, &["inclure", "inclut", "inclus"]), (&["", "com", "a"], &["battre", "bat", "battu"]),
];

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::analyzer::verbs::check;

    #[test]
    fn forms_of_a_verb_find_each_other() {
        check(
            Language::French,
            &[
                &["perdre", "perds", "perdu", "perte"],
                &["recevoir", "reçois", "reçu"],
                &["apprendre", "apprends", "appris"],
                &["inscrire", "inscrit", "inscription"],
                &["couvrir", "couvre", "couvert", "couverture"],
                &["éteindre", "éteint"],
            ],
            &[
                ("perdue", "perdre"),
                ("vendues", "vendre"),
                ("Perdu", "perte"),
                ("s'inscrire", "inscrit"),
                ("pertes", "perdre"),
            ],
            &[
                "entreprise",
                "permis",
                "produit",
                "part",
                "suis",
                "revenu",
                "suite",
                "boite",
                "vite",
                "joint",
                "prix",
            ],
        );
    }
}
