//! Countries, and what comes from there: who asks for a soup from `Poland` asks for a `Polish` one. The stemmer joins
//! few of them.

/// A country and its adjective. Names that are other words as well (`turkey`, `china`, `chile`) are left out, and so is
/// `English`, which is a language more than anything of England. Sorted by the countries.
#[rustfmt::skip]
const COUNTRIES: &[(&str, &str)] = &[
    ("afghanistan", "afghan"), ("argentina", "argentine"), ("austria", "austrian"), ("azerbaijan", "azerbaijani"),
    ("bangladesh", "bangladeshi"), ("belgium", "belgian"), ("brazil", "brazilian"), ("britain", "british"),
    ("burma", "burmese"), ("canada", "canadian"), ("croatia", "croatian"), ("cuba", "cuban"), ("cyprus", "cypriot"),
    ("denmark", "danish"), ("egypt", "egyptian"), ("estonia", "estonian"), ("finland", "finnish"), ("france", "french"),
    ("germany", "german"), ("greece", "greek"), ("hungary", "hungarian"), ("iceland", "icelandic"), ("iran", "iranian"),
    ("iraq", "iraqi"), ("ireland", "irish"), ("israel", "israeli"), ("italy", "italian"), ("japan", "japanese"),
    ("lebanon", "lebanese"), ("malta", "maltese"), ("mexico", "mexican"), ("morocco", "moroccan"), ("nepal", "nepali"),
    ("netherlands", "dutch"), ("norway", "norwegian"), ("pakistan", "pakistani"), ("peru", "peruvian"),
    ("philippines", "filipino"), ("poland", "polish"), ("portugal", "portuguese"), ("romania", "romanian"),
    ("russia", "russian"), ("scotland", "scottish"), ("serbia", "serbian"), ("slovakia", "slovak"),
    ("slovenia", "slovene"), ("spain", "spanish"), ("sudan", "sudanese"), ("sweden", "swedish"),
    ("switzerland", "swiss"), ("taiwan", "taiwanese"), ("thailand", "thai"), ("tibet", "tibetan"),
    ("tunisia", "tunisian"), ("ukraine", "ukrainian"), ("vietnam", "vietnamese"), ("wales", "welsh"),
    ("yemen", "yemeni"),
];

/// Returns the adjective of a country, or the country of an adjective, in English; `polish` is one with a capital.
pub(super) fn other(word: &str) -> Option<&'static str> {
    if word == "polish" || !word.is_ascii() {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let mut pairs = COUNTRIES.iter();
    pairs.find_map(|&(country, adjective)| match &*word {
        of if of == country => Some(adjective),
        of if of == adjective => Some(country),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_and_its_adjective_find_each_other() {
        assert!(COUNTRIES.is_sorted());
        for (country, adjective) in [
            ("Poland", "polish"),
            ("Spain", "spanish"),
            ("norway", "norwegian"),
        ] {
            assert_eq!(other(country), Some(adjective));
        }
        assert_eq!(other("Polish"), Some("poland"));
        assert_eq!(other("French"), Some("france"));
        for word in [
            "polish", "turkey", "China", "English", "hungry", "", "spain's",
        ] {
            assert_eq!(other(word), None, "{word}");
        }
    }
}
