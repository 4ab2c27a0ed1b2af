//! Light stems of Finnish, so that the forms of a word meet: `päätös`, `päätöksen`, `päätösten`. Endings are cut, final
//! vowels that change with the form are dropped, and one grade stands for both of consonants that alternate. Savoy's light
//! stemmers are the model. Words come in plain letters, so that `ä` is `a` and `ö` is `o`.

/// An ending, what stands in its place, and the fewest letters before it.
type Rule = (&'static str, &'static str, usize);

/// The fewest letters of a stem from which something is cut at the end.
const LEAST: usize = 3;

/// The fewest letters before a noun that ends a compound.
const LEAST_BEFORE: usize = 4;

/// Possessives, questions and `-kin`. Behind `n` and short words they look like endings of nouns: `pankin`, `kansa`.
#[rustfmt::skip]
const SUFFIXES: &[Rule] = &[
    ("lleen", "lle", 3), ("ssaan", "ssa", 3), ("staan", "sta", 3), ("llaan", "lla", 3), ("ltaan", "lta", 3),
    ("ssani", "ssa", 3), ("stani", "sta", 3), ("llani", "lla", 3), ("lleni", "lle", 3),
    ("ensa", "en", 2), ("nsa", "", 3), ("emme", "en", 2), ("mme", "", 3),
    ("akin", "a", 3), ("okin", "o", 3), ("ekin", "e", 3), ("inkin", "in", 3), ("akaan", "a", 3),
    ("tko", "t", 4), ("anko", "an", 4), ("aako", "aa", 2), ("eeko", "ee", 2),
];

/// Endings of cases and numbers, and what verbs have in their place. Those that end in others come first.
#[rustfmt::skip]
const CASES: &[Rule] = &[
    // Into: `taloihin`, `maahan`, `huoneeseen`, `taloon`; and passives: `maksetaan`.
    ("ihin", "i", 2), ("aahan", "aa", 1), ("iehen", "ie", 1), ("yohon", "yo", 1), ("uohon", "uo", 1),
    ("uuhun", "uu", 1), ("eeseen", "ee", 2), ("aaseen", "aa", 2), ("eisiin", "e", 3),
    ("amaan", "a", 3), ("emaan", "e", 3),
    ("etaan", "e", 2), ("itaan", "i", 3), ("otaan", "o", 3), ("utaan", "u", 2), ("ytaan", "y", 3),
    ("aan", "a", 2), ("een", "e", 2), ("iin", "i", 2), ("oon", "o", 2), ("uun", "u", 2), ("yyn", "y", 2),
    // Participles in the weak grade: `annetun`.
    ("etun", "ettu", 3), ("etut", "ettu", 3), ("etussa", "ettu", 3),
    ("etyn", "etty", 3), ("etyt", "etty", 3), ("etyssa", "etty", 3),
    // Genitives of several: `lääkkeiden`, `sopimusten`; and those of words in `-uus`.
    ("uksien", "us", 2), ("yksien", "ys", 2), ("uuden", "uus", 2), ("yyden", "yys", 2), ("euden", "eus", 2),
    ("auden", "aus", 2), ("ouden", "ous", 1), ("eyden", "eys", 2), ("ayden", "ays", 2), ("tiyden", "tiys", 2),
    ("itten", "i", 3), ("iden", "i", 3), ("inten", "i", 3), ("sten", "s", 2), ("rten", "r", 3),
    ("lten", "l", 3), ("nten", "n", 3), ("jen", "", 3), ("ien", "i", 2),
    // Forms of verbs that are cases of a noun: `antamista`, `antamalla`.
    ("amista", "a", 3), ("emista", "e", 3), ("imista", "i", 3), ("omista", "o", 3), ("umista", "u", 2),
    ("ymista", "y", 3), ("amalla", "a", 3), ("emalla", "e", 3), ("amatta", "a", 3), ("ematta", "e", 3),
    ("amassa", "a", 3), ("emassa", "e", 3),
    // In, from, on, to, as; before them partitives that end alike.
    ("uurta", "uur", 1), ("uorta", "uor", 1), ("ielta", "iel", 1), ("uolta", "uol", 1), ("tonta", "to", 3),
    ("ssa", "", 3), ("sta", "", 3), ("lla", "", 3), ("lta", "", 3), ("lle", "", 3), ("ksi", "", 3), ("na", "", 5),
    // Partitives.
    ("etta", "e", 3), ("ita", "i", 3), ("iota", "io", 3), ("aata", "aa", 1), ("yota", "yo", 1), ("yyta", "yy", 1),
    ("senta", "sen", 2), ("ttya", "tty", 2), ("ttua", "ttu", 3), ("uja", "u", 3), ("yja", "y", 3),
    ("aa", "a", 3), ("ia", "i", 3), ("oo", "o", 3),
    // Nouns in `-nen` have an `s` elsewhere; participles in `-nut`.
    ("inen", "is", 1), ("onen", "os", 2), ("anen", "as", 3), ("unen", "us", 3), ("nut", "", 3), ("nyt", "", 3),
    ("ttavat", "tta", 2), ("at", "a", 2), ("et", "e", 2), ("it", "i", 2), ("ot", "o", 2), ("ut", "u", 2),
    ("yt", "y", 2), ("an", "a", 2), ("en", "e", 2), ("in", "i", 2), ("on", "o", 2), ("un", "u", 2), ("yn", "y", 2),
];

/// Nouns that end as if they had an ending, alone and at the end of compounds.
const KEPT: &[&str] = &["jasen", "kansa", "siemen", "valta"];

/// Words that change within, without the ending of a case.
#[rustfmt::skip]
const WHOLE: &[(&str, &str)] = &[
    ("aja", "aika"), ("ajoi", "aika"), ("alo", "ala"), ("alu", "alku"), ("alui", "alku"), ("arje", "arki"),
    ("avu", "apu"), ("avui", "apu"), ("hae", "hake"), ("jao", "jako"), ("lae", "laki"), ("lai", "laki"),
    ("maaraaja", "maaraaika"), ("maaraajoi", "maaraaika"), ("mae", "maki"), ("nao", "nako"), ("ota", "otta"),
    ("ote", "otta"), ("oti", "otta"), ("ove", "ovi"), ("ovea", "ovi"), ("tau", "tausta"), ("tava", "tapa"),
    ("tavoi", "tapa"), ("tui", "tuke"), ("tyoaja", "tyoaika"), ("uude", "uusi"), ("uute", "uusi"),
    ("uutta", "uusi"),
];

/// Those that stand at the end of compounds, too.
#[rustfmt::skip]
const TAILS: &[(&str, &str)] = &[
    // `k` falls out, or is a `v` or a `j`.
    ("hau", "haku"), ("jala", "jalka"), ("jalje", "jalki"), ("jaloi", "jalka"), ("jarje", "jarki"),
    ("joe", "joki"), ("koro", "korko"), ("koroi", "korko"), ("kulu", "kulku"), ("loaja", "loaika"),
    ("luvu", "luku"), ("luvui", "luku"), ("poja", "poika"), ("poji", "poika"), ("ruoa", "ruoka"),
    ("ruua", "ruoka"), ("sela", "selka"), ("slae", "slaki"), ("slai", "slaki"), ("stui", "stuke"),
    ("sulu", "sulku"), ("tolae", "tolaki"), ("tolai", "tolaki"), ("tue", "tuke"), ("vae", "vaki"),
    ("vela", "velka"), ("velo", "velka"), ("vira", "virka"), ("viroi", "virka"),
    // `p` is a `v`.
    ("atava", "atapa"), ("atavoi", "atapa"), ("halva", "halpa"), ("kilva", "kilpa"), ("kivu", "kipu"),
    ("leiva", "leipa"), ("leivi", "leipa"), ("luva", "lupa"), ("luvi", "lupa"), ("navu", "napu"),
    ("tarpe", "tarve"), ("utava", "utapa"), ("utavoi", "utapa"), ("ytava", "ytapa"), ("ytavoi", "ytapa"),
    // Nouns in `-si`, and `mies`.
    ("kaude", "kausi"), ("kaute", "kausi"), ("kautta", "kausi"), ("miehe", "mies"), ("miehi", "mies"),
    ("vuode", "vuosi"), ("vuonna", "vuosi"), ("vuote", "vuosi"), ("vuotta", "vuosi"),
];

/// What stands before the endings of adjectives, participles and nouns of verbs.
#[rustfmt::skip]
const BEFORE_CASES: &[Rule] = &[
    ("ttoma", "to", 2), ("ttomi", "to", 2),
    ("ettava", "e", 2), ("ettavi", "e", 2), ("ettavo", "e", 2),
    ("ettu", "e", 2), ("etty", "e", 2), ("ttu", "", 4), ("tty", "", 4),
    ("eva", "e", 3), ("evi", "e", 3), ("ava", "a", 3), ("avi", "a", 3), ("uva", "u", 2), ("uvi", "u", 2),
    ("yva", "y", 3), ("yvi", "y", 3), ("ova", "o", 3), ("ovi", "o", 3), ("iva", "i", 4), ("ivi", "i", 4),
    ("misi", "", 3), ("mise", "", 3), ("mis", "", 3),
];

/// Consonants at the end in the weak grade, and doubled ones, in the form that stands for both grades.
#[rustfmt::skip]
const GRADES: &[Rule] = &[
    ("kk", "k", 0), ("pp", "p", 0), ("tt", "t", 0), ("nn", "nt", 0), ("mm", "mp", 0), ("ll", "lt", 0),
    ("rr", "rt", 0), ("ng", "nk", 0), ("d", "t", 0),
];

/// A noun with the stem of another one: that stem, what follows it in the forms of the noun, and what is put behind it then.
type Namesake = (&'static str, &'static [&'static str], &'static str);

/// Nouns in `-i` and `-e` beside those in `-a`, of which several have an `o` (`tili` and `tila`), and `lakko` beside `laki`.
#[rustfmt::skip]
const NAMESAKES: &[Namesake] = &[
    ("kass", &["i", "e"], "i"), ("kirj", &["i", "e"], "i"), ("kiv", &["i", "e"], "i"), ("par", &["i", "e"], "i"),
    ("sal", &["i", "e"], "i"), ("taks", &["i", "e"], "i"), ("til", &["i", "e"], "i"), ("viin", &["i", "e"], "i"),
    ("lak", &["o", "ko"], "o"),
];

/// Returns the stem of a folded Finnish word.
pub(super) fn stem(word: &str) -> String {
    let bare = rewritten(word, SUFFIXES);
    let is_kept = KEPT.iter().any(|noun| bare.ends_with(*noun));
    let noun = if is_kept {
        bare
    } else {
        rewritten(&bare, CASES)
    };
    let noun = rewritten(&regular(&noun), BEFORE_CASES);
    let stem = without_t(without_s(without_vowels(&noun)));
    apart(strong(without_im(stem)), word)
}

/// Tells the stem of a noun, also at the end of a compound, from the same one of another noun.
fn apart(stem: String, word: &str) -> String {
    let Some(behind) = word.strip_prefix(&*stem) else {
        return stem;
    };
    let is_one = |(root, following, _): &&Namesake| {
        let before = stem.strip_suffix(*root);
        let is_noun = before.is_some_and(|of| of.is_empty() || of.len() >= LEAST_BEFORE);
        is_noun && following.iter().any(|of| behind.starts_with(*of))
    };
    match NAMESAKES.iter().find(is_one) {
        Some((_, _, mark)) => stem + *mark,
        None => stem,
    }
}

/// Replaces the first of some endings that a word has.
fn rewritten(word: &str, rules: &[Rule]) -> String {
    let rewrite = |&(ending, other, least): &Rule| {
        let rest = word.strip_suffix(ending)?;
        (rest.len() >= least).then(|| format!("{rest}{other}"))
    };
    let found = rules.iter().find_map(rewrite);
    found.unwrap_or_else(|| word.to_owned())
}

/// Returns a word that changes within as it is in other forms.
fn regular(word: &str) -> String {
    if let Some((_, other)) = WHOLE.iter().find(|(whole, _)| *whole == word) {
        return (*other).to_owned();
    }
    let rewrite = |&(tail, other): &(&str, &str)| {
        let rest = word.strip_suffix(tail)?;
        let is_one = rest.is_empty() || rest.len() >= LEAST_BEFORE;
        is_one.then(|| format!("{rest}{other}"))
    };
    let found = TAILS.iter().find_map(rewrite);
    found.unwrap_or_else(|| word.to_owned())
}

/// Drops the vowels at the end that change with the form, and a `j` behind a vowel. Of `valtio` the `i` is left.
fn without_vowels(word: &str) -> &str {
    let mut stem = word;
    while stem.len() > LEAST {
        if stem.ends_with("io") {
            return &stem[..stem.len() - 1];
        }
        let Some(rest) = without_vowel(stem) else {
            break;
        };
        stem = rest;
    }
    stem
}

fn without_vowel(stem: &str) -> Option<&str> {
    let last = stem.chars().next_back()?;
    let rest = stem.strip_suffix(last)?;
    let is_dropped = match last {
        'a' | 'e' | 'i' => true,
        'u' | 'y' => rest.ends_with(last),
        'j' => rest.ends_with(is_vowel),
        'o' => !has_own_o(rest),
        _ => false,
    };
    is_dropped.then_some(rest)
}

/// Returns whether an `o` behind this is no plural of an `a`: that has an `i` behind `o` and `u` (`koira`, `koiria`).
fn has_own_o(rest: &str) -> bool {
    let before = rest.trim_end_matches(|letter| !is_vowel(letter));
    let vowels = &before[before.trim_end_matches(is_vowel).len()..];
    vowels.starts_with(['o', 'u'])
}

/// Drops the last `s`, or the `ks` of other forms: the partitive of `sopimus` ends as `maksusta` does.
fn without_s(stem: &str) -> &str {
    let rest = stem.strip_suffix("ks").or_else(|| stem.strip_suffix('s'));
    match rest {
        Some(rest) if rest.len() >= LEAST && rest.ends_with(is_vowel) => without_vowels(rest),
        _ => stem,
    }
}

/// Drops what words in `-uus` and their kin have in place of the `s`: `oikeudet`, `oikeutta`.
fn without_t(stem: &str) -> &str {
    let cut = |ending: &&str| {
        let rest = stem.strip_suffix(*ending)?;
        let before = rest.strip_suffix(['u', 'y'])?;
        (rest.len() >= 5 && before.ends_with(is_vowel)).then(|| without_vowels(rest))
    };
    ["tt", "t", "d"].iter().find_map(cut).unwrap_or(stem)
}

/// Drops the ending of superlatives, and what nouns in `-in` have in other forms: `puhelin`, `puhelimen`.
fn without_im(stem: &str) -> &str {
    let highest = stem
        .strip_suffix("imp")
        .or_else(|| stem.strip_suffix("imm"));
    if let Some(rest) = highest.filter(|rest| rest.len() >= LEAST) {
        return rest;
    }
    let tool = stem.strip_suffix("im").filter(|rest| rest.len() >= LEAST);
    tool.map_or(stem, without_vowels)
}

/// Writes the last consonants in the grade that stands for both, also before a vowel that is left.
fn strong(stem: &str) -> String {
    let behind = stem.strip_suffix(['o', 'u', 'y']);
    let behind = behind.filter(|rest| rest.len() > 1 && !rest.ends_with(is_vowel));
    let bare = behind.unwrap_or(stem);
    format!("{}{}", rewritten(bare, GRADES), &stem[bare.len()..])
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}
