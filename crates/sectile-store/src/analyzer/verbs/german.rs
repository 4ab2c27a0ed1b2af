//! German verbs: `wählt` and `gewählt`, `finden` and `gefunden`, `aufrufen`, `aufgerufen` and `aufzurufen`.

use super::{Forms, Regular, Verbs, is_stem};

pub(super) const VERBS: Verbs = Verbs {
    strong: STRONG,
    separable: SEPARABLE,
    inseparable: INSEPARABLE,
    excepted: NO_VERBS,
    endings: ENDINGS,
    sign_of_infinitive: "zu",
    regular,
};

/// Verbs whose vowels change.
#[rustfmt::skip]
const STRONG: &[Forms<'static>] = &[
    ("beginnen", "beginnt", "begann", "begonnen"), ("bieten", "bietet", "", "geboten"),
    ("binden", "bindet", "", "gebunden"), ("bleiben", "bleibt", "blieb", "geblieben"),
    ("brechen", "bricht", "brach", "gebrochen"), ("bringen", "bringt", "brachte", "gebracht"),
    ("denken", "denkt", "dachte", "gedacht"), ("fahren", "fährt", "fuhr", "gefahren"),
    ("fallen", "fällt", "fiel", "gefallen"), ("fangen", "fängt", "fing", "gefangen"),
    ("finden", "findet", "fand", "gefunden"), ("fliegen", "fliegt", "flog", "geflogen"),
    ("fließen", "fließt", "", "geflossen"), ("geben", "gibt", "gab", "gegeben"),
    ("gehen", "geht", "ging", "gegangen"), ("gelten", "gilt", "galt", "gegolten"),
    ("gewinnen", "gewinnt", "gewann", "gewonnen"), ("greifen", "greift", "", "gegriffen"),
    ("halten", "hält", "hielt", "gehalten"), ("heben", "hebt", "hob", "gehoben"),
    ("helfen", "hilft", "half", "geholfen"), ("kennen", "kennt", "kannte", "gekannt"),
    ("kommen", "kommt", "kam", "gekommen"), ("laden", "lädt", "lud", "geladen"),
    ("lassen", "lässt", "ließ", "gelassen"), ("laufen", "läuft", "lief", "gelaufen"),
    ("leihen", "leiht", "lieh", "geliehen"), ("lesen", "liest", "las", "gelesen"),
    ("liegen", "liegt", "lag", "gelegen"), ("meiden", "meidet", "mied", "gemieden"),
    ("messen", "misst", "", "gemessen"), ("nehmen", "nimmt", "nahm", "genommen"),
    ("nennen", "nennt", "nannte", "genannt"), ("rufen", "ruft", "rief", "gerufen"),
    ("scheiden", "scheidet", "schied", "geschieden"), ("scheinen", "scheint", "schien", "geschienen"),
    ("schieben", "schiebt", "schob", "geschoben"), ("schlagen", "schlägt", "schlug", "geschlagen"),
    ("schließen", "schließt", "", "geschlossen"), ("schneiden", "schneidet", "", "geschnitten"),
    ("schreiben", "schreibt", "schrieb", "geschrieben"), ("sehen", "sieht", "sah", "gesehen"),
    ("senden", "sendet", "sandte", "gesandt"), ("sinken", "sinkt", "sank", "gesunken"),
    ("sprechen", "spricht", "sprach", "gesprochen"), ("springen", "springt", "sprang", "gesprungen"),
    ("stehen", "steht", "", "gestanden"), ("steigen", "steigt", "stieg", "gestiegen"),
    ("sterben", "stirbt", "starb", "gestorben"), ("tragen", "trägt", "trug", "getragen"),
    ("treffen", "trifft", "traf", "getroffen"), ("treiben", "treibt", "", "getrieben"),
    ("treten", "tritt", "trat", "getreten"), ("vergessen", "vergisst", "vergaß", "vergessen"),
    ("verlieren", "verliert", "verlor", "verloren"), ("weisen", "weist", "wies", "gewiesen"),
    ("werben", "wirbt", "warb", "geworben"), ("werfen", "wirft", "warf", "geworfen"),
    ("winden", "windet", "", "gewunden"), ("ziehen", "zieht", "zog", "gezogen"),
    ("zwingen", "zwingt", "zwang", "gezwungen"),
];

/// What stands apart from its verb in a sentence, and before `ge` and `zu`.
#[rustfmt::skip]
const SEPARABLE: &[&str] = &[
    "ab", "an", "auf", "aus", "bei", "bereit", "dar", "durch", "ein", "fehl", "fern", "fest", "fort", "frei", "gegenüber",
    "her", "heran", "heraus", "herein", "herunter", "hervor", "hin", "hinaus", "hinein", "hinweg", "hinzu", "hoch",
    "los", "mit", "nach", "nieder", "statt", "teil", "über", "um", "unter", "vor", "voran", "voraus", "vorbei", "weg",
    "weiter", "wieder", "zu", "zurück", "zusammen",
];

/// What stands before a verb instead of `ge`.
#[rustfmt::skip]
const INSEPARABLE: &[&str] = &[
    "be", "durch", "emp", "ent", "er", "miss", "über", "um", "unter", "ver", "wider", "wieder", "zer",
];

/// Words that look like forms of verbs, of which one would be another word: `leicht` and `Leichen`, `Rost` and `Rosen`. A
/// verb with such a participle is none, so that forms of nouns that begin with `ge` have none either: `Geschichte` and
/// `Schicht`, `gesamte` and `Samen`.
#[rustfmt::skip]
const NO_VERBS: &[&str] = &[
    "dicht", "gast", "gedicht", "gefährt", "gehalt", "gehält", "gerecht", "gericht", "gesamt", "geschicht", "geschlecht",
    "geschäft", "gesicht", "gewalt", "gewicht", "haft", "host", "leicht", "markt", "post", "punkt", "recht", "rost",
    "sport", "start", "wart", "west",
];

/// The endings of a participle before a noun.
const ENDINGS: &[&str] = &["", "e", "em", "en", "er", "es"];

/// Returns the regular verbs of which a word may be a form.
fn regular(rest: &str) -> Vec<Regular> {
    let verbs = stems(rest).into_iter().map(|stem| {
        let third = third_person(stem);
        let participle = format!("ge{third}");
        (infinitive(stem), third, participle)
    });
    verbs.collect()
}

/// Returns what a regular verb may be without its endings, of which a word is a form.
fn stems(rest: &str) -> Vec<&str> {
    let mut stems = Vec::new();
    let behind = ["ge", "zu"].map(|sign| rest.strip_prefix(sign));
    for form in behind.into_iter().flatten().chain([rest]) {
        let is_short = form.ends_with("ern") || form.ends_with("eln");
        stems.extend(form.strip_suffix('n').filter(|_| is_short));
        stems.extend(form.strip_suffix("en"));
        let bare = ENDINGS
            .iter()
            .filter_map(|ending| form.strip_suffix(ending));
        for bare in bare {
            stems.extend(bare.strip_suffix("et"));
            stems.extend(bare.strip_suffix('t'));
        }
    }
    stems.retain(|stem| is_stem(stem));
    stems.sort_unstable();
    stems.dedup();
    stems
}

fn infinitive(stem: &str) -> String {
    let ending = if stem.ends_with("er") || stem.ends_with("el") {
        "n"
    } else {
        "en"
    };
    format!("{stem}{ending}")
}

/// Returns the third person: with an `e` before its ending where nobody could say it without, as in `öffnet`.
fn third_person(stem: &str) -> String {
    let mut letters = stem.chars().rev();
    let [last, second, third] = [letters.next(), letters.next(), letters.next()];
    let is_hard = match (last, second) {
        (Some('t' | 'd'), _) => true,
        (Some('n' | 'm'), Some('h')) => third == Some('c'),
        (Some('n' | 'm'), Some(second)) => !"aeiouyäöülrnm".contains(second),
        _ => false,
    };
    let ending = if is_hard { "et" } else { "t" };
    format!("{stem}{ending}")
}

#[cfg(test)]
mod tests {
    use crate::Language;
    use crate::analyzer::verbs::others;

    #[test]
    fn forms_of_a_verb_find_each_other() {
        for forms in [
            &["wählen", "wählt", "gewählt"][..],
            &["speichern", "speichert", "gespeichert"],
            &["arbeiten", "arbeitet", "gearbeitet"],
            &["öffnen", "öffnet", "geöffnet"],
            &["rechnen", "rechnet", "gerechnet"],
            &["lernen", "lernt", "gelernt"],
            &["finden", "findet", "fand", "gefunden"],
            &["schreiben", "schreibt", "schrieb", "geschrieben"],
            &["geben", "gibt", "gab", "gegeben"],
            &["anzeigen", "anzeigt", "angezeigt", "anzuzeigen"],
            &["aufrufen", "aufruft", "aufrief", "aufgerufen", "aufzurufen"],
            &["hinzufügen", "hinzufügt", "hinzugefügt", "hinzuzufügen"],
            &[
                "ausschließen",
                "ausschließt",
                "ausgeschlossen",
                "auszuschließen",
            ],
            &[
                "einschalten",
                "einschaltet",
                "eingeschaltet",
                "einzuschalten",
            ],
            &["verwenden", "verwendet"],
            &["beschreiben", "beschreibt", "beschrieb", "beschrieben"],
            &["entscheiden", "entscheidet", "entschied", "entschieden"],
            &["verlieren", "verliert", "verlor", "verloren"],
            &["übertragen", "überträgt", "übertrug"],
            &["unternehmen", "unternimmt", "unternommen"],
            &["richten", "richtet", "gerichtet"],
            &["haften", "haftet", "gehaftet"],
            &["warten", "wartet", "gewartet"],
            &["halten", "hält", "gehalten"],
            &["fahren", "fährt", "gefahren"],
        ] {
            for form in forms {
                let found = others(form, Language::German);
                for other in forms.iter().filter(|other| *other != form) {
                    assert!(found.iter().any(|of| of == other), "{form}: {other}");
                }
            }
        }
        for (form, other) in [
            ("gewählte", "wählen"),
            ("gespeicherten", "speichern"),
            ("gefundenen", "finden"),
            ("aufgerufene", "aufrufen"),
            ("beschriebene", "beschreiben"),
            ("gehört", "hören"),
            ("gehört", "gehören"),
        ] {
            assert!(
                others(form, Language::German).iter().any(|of| of == other),
                "{form}"
            );
        }
    }

    #[test]
    fn other_words_have_no_forms_of_verbs() {
        for word in [
            "Markt", "markt", "gericht", "leicht", "Gewählt", "gut", "gebiet", "gerät", "haus",
            "x86", "", "größe", "angebot", "gebot",
        ] {
            assert_eq!(others(word, Language::German), [""; 0], "{word}");
        }
        for (word, other) in [
            ("marken", "markt"),
            ("gesamte", "samen"),
            ("gesamten", "samt"),
            ("samen", "samt"),
            ("geschichte", "schicht"),
            ("schicht", "geschicht"),
            ("geschlecht", "schlecht"),
            ("geschlechter", "schlecht"),
            ("schlecht", "geschlecht"),
            ("gesichter", "sicht"),
            ("gehälter", "hält"),
            ("fähren", "fährt"),
            ("hafen", "haft"),
            ("rosen", "rost"),
            ("hosen", "host"),
            ("waren", "wart"),
            ("wesen", "west"),
        ] {
            let found = others(word, Language::German);
            assert!(!found.iter().any(|of| of == other), "{word}: {found:?}");
        }
        assert!(!others("gestern", Language::German).contains(&"stern".to_owned()));
    }
}
