//! Countries, and what comes from there: who asks for a soup from `Poland` asks for a `Polish` one. The stemmer joins
//! few of them.

/// A country or a continent and its adjective; some have two. Names that are other words as well (`turkey`, `china`,
/// `chile`, `jordan`, `chad`, `georgia`) are left out, and so is `English`, which is a language more than anything of
/// England. Sorted.
#[rustfmt::skip]
const COUNTRIES: &[(&str, &str)] = &[
    ("afghanistan", "afghan"), ("africa", "african"), ("albania", "albanian"), ("algeria", "algerian"),
    ("america", "american"), ("argentina", "argentine"), ("argentina", "argentinian"), ("armenia", "armenian"),
    ("asia", "asian"), ("australia", "australian"), ("austria", "austrian"), ("azerbaijan", "azerbaijani"),
    ("bangladesh", "bangladeshi"), ("belarus", "belarusian"), ("belgium", "belgian"), ("bolivia", "bolivian"),
    ("bosnia", "bosnian"), ("brazil", "brazilian"), ("britain", "british"), ("bulgaria", "bulgarian"),
    ("burma", "burmese"), ("cambodia", "cambodian"), ("canada", "canadian"), ("colombia", "colombian"),
    ("croatia", "croatian"), ("cuba", "cuban"), ("cyprus", "cypriot"), ("denmark", "danish"), ("egypt", "egyptian"),
    ("estonia", "estonian"), ("ethiopia", "ethiopian"), ("europe", "european"), ("finland", "finnish"),
    ("france", "french"), ("germany", "german"), ("ghana", "ghanaian"), ("greece", "greek"), ("hungary", "hungarian"),
    ("iceland", "icelandic"), ("india", "indian"), ("indonesia", "indonesian"), ("iran", "iranian"), ("iraq", "iraqi"),
    ("ireland", "irish"), ("israel", "israeli"), ("italy", "italian"), ("jamaica", "jamaican"), ("japan", "japanese"),
    ("kenya", "kenyan"), ("korea", "korean"), ("kuwait", "kuwaiti"), ("latvia", "latvian"), ("lebanon", "lebanese"),
    ("libya", "libyan"), ("lithuania", "lithuanian"), ("macedonia", "macedonian"), ("malaysia", "malaysian"),
    ("malta", "maltese"), ("mexico", "mexican"), ("mongolia", "mongolian"), ("morocco", "moroccan"),
    ("nepal", "nepali"), ("netherlands", "dutch"), ("nigeria", "nigerian"), ("norway", "norwegian"),
    ("pakistan", "pakistani"), ("peru", "peruvian"), ("philippines", "filipino"), ("poland", "polish"),
    ("portugal", "portuguese"), ("romania", "romanian"), ("russia", "russian"), ("scotland", "scottish"),
    ("serbia", "serbian"), ("slovakia", "slovak"), ("slovakia", "slovakian"), ("slovenia", "slovene"),
    ("slovenia", "slovenian"), ("spain", "spanish"), ("sudan", "sudanese"), ("sweden", "swedish"),
    ("switzerland", "swiss"), ("syria", "syrian"), ("taiwan", "taiwanese"), ("tanzania", "tanzanian"),
    ("thailand", "thai"), ("tibet", "tibetan"), ("tunisia", "tunisian"), ("uganda", "ugandan"),
    ("ukraine", "ukrainian"), ("venezuela", "venezuelan"), ("vietnam", "vietnamese"), ("wales", "welsh"),
    ("yemen", "yemeni"), ("zimbabwe", "zimbabwean"),
];

/// Returns the adjectives of a country, or the country of an adjective, in English; `polish` is one with a capital.
pub(super) fn others(word: &str) -> Vec<String> {
    if word == "polish" || !word.is_ascii() {
        return Vec::new();
    }
    let word = word.to_ascii_lowercase();
    let others = COUNTRIES.iter().filter_map(|&(country, adjective)| {
        if word == country {
            Some(adjective)
        } else {
            (word == adjective).then_some(country)
        }
    });
    others.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_and_its_adjective_find_each_other() {
        assert!(COUNTRIES.is_sorted());
        for (word, other) in [
            ("Poland", "polish"),
            ("Spain", "spanish"),
            ("norway", "norwegian"),
            ("India", "indian"),
            ("Polish", "poland"),
            ("French", "france"),
            ("European", "europe"),
            ("ARGENTINIAN", "argentina"),
        ] {
            assert_eq!(others(word), [other]);
        }
        assert_eq!(others("Slovenia"), ["slovene", "slovenian"]);
        for word in [
            "polish", "turkey", "China", "Jordan", "chad", "Georgia", "English", "hungry", "",
            "spain's",
        ] {
            assert_eq!(others(word), [""; 0], "{word}");
        }
    }
}
