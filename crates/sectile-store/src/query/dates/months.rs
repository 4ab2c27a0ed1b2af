//! The names of the months in each language.

use crate::Language;
use crate::query::markers::plain;

/// The names of the months by language, as they stand in a date; those of one month with `|` between.
const MONTHS: &[(Language, &str)] = &[
    (
        Language::English,
        "january february march april may june \
         july august september october november december",
    ),
    (
        Language::German,
        "januar|jänner februar märz april mai juni \
         juli august september oktober november dezember",
    ),
    (
        Language::French,
        "janvier février mars avril mai juin \
         juillet août septembre octobre novembre décembre",
    ),
    (
        Language::Spanish,
        "enero febrero marzo abril mayo junio \
         julio agosto septiembre|setiembre octubre noviembre diciembre",
    ),
    (
        Language::Italian,
        "gennaio febbraio marzo aprile maggio giugno \
         luglio agosto settembre ottobre novembre dicembre",
    ),
    (
        Language::Portuguese,
        "janeiro fevereiro março abril maio junho \
         julho agosto setembro outubro novembro dezembro",
    ),
    (
        Language::Catalan,
        "gener febrer març abril maig juny \
         juliol agost setembre octubre novembre desembre",
    ),
    (
        Language::Romanian,
        "ianuarie februarie martie aprilie mai iunie \
         iulie august septembrie octombrie noiembrie decembrie",
    ),
    (
        Language::Dutch,
        "januari februari maart april mei juni \
         juli augustus september oktober november december",
    ),
    (
        Language::Swedish,
        "januari februari mars april maj juni \
         juli augusti september oktober november december",
    ),
    (
        Language::Danish,
        "januar februar marts april maj juni \
         juli august september oktober november december",
    ),
    (
        Language::Norwegian,
        "januar februar mars april mai juni \
         juli august september oktober november desember",
    ),
    (
        Language::Finnish,
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta \
         heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
    ),
    (
        Language::Estonian,
        "jaanuar veebruar märts aprill mai juuni \
         juuli august september oktoober november detsember",
    ),
    (
        Language::Lithuanian,
        "sausio vasario kovo balandžio gegužės birželio \
         liepos rugpjūčio rugsėjo spalio lapkričio gruodžio",
    ),
    (
        Language::Hungarian,
        "január február március április május június \
         július augusztus szeptember október november december",
    ),
    (
        Language::Polish,
        "stycznia lutego marca kwietnia maja czerwca \
         lipca sierpnia września października listopada grudnia",
    ),
    (
        Language::Czech,
        "ledna února března dubna května června \
         července srpna září října listopadu prosince",
    ),
    (
        Language::Slovak,
        "januára februára marca apríla mája júna \
         júla augusta septembra októbra novembra decembra",
    ),
    (
        Language::Croatian,
        "siječnja veljače ožujka travnja svibnja lipnja \
         srpnja kolovoza rujna listopada studenoga|studenog prosinca",
    ),
    (
        Language::Serbian,
        "јануар|јануара фебруар|фебруара март|марта април|априла мај|маја јун|јуна \
         јул|јула август|августа септембар|септембра октобар|октобра новембар|новембра децембар|децембра",
    ),
    (
        Language::Russian,
        "января февраля марта апреля мая июня \
         июля августа сентября октября ноября декабря",
    ),
    (
        Language::Ukrainian,
        "січня лютого березня квітня травня червня \
         липня серпня вересня жовтня листопада грудня",
    ),
    (
        Language::Bulgarian,
        "януари февруари март април май юни \
         юли август септември октомври ноември декември",
    ),
    (
        Language::Greek,
        "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου \
         ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
    ),
    (
        Language::Turkish,
        "ocak şubat mart nisan mayıs haziran \
         temmuz ağustos eylül ekim kasım aralık",
    ),
    (
        Language::Indonesian,
        "januari februari maret april mei juni \
         juli agustus september oktober november desember",
    ),
    (
        Language::Esperanto,
        "januaro februaro marto aprilo majo junio \
         julio aŭgusto septembro oktobro novembro decembro",
    ),
    (
        Language::Armenian,
        "հունվարի փետրվարի մարտի ապրիլի մայիսի հունիսի \
         հուլիսի օգոստոսի սեպտեմբերի հոկտեմբերի նոյեմբերի դեկտեմբերի",
    ),
    (
        Language::Hebrew,
        "בינואר בפברואר במרץ|במרס באפריל במאי ביוני \
         ביולי באוגוסט בספטמבר באוקטובר בנובמבר בדצמבר",
    ),
    (
        Language::Arabic,
        "يناير فبراير مارس أبريل|إبريل مايو يونيو \
         يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    ),
    (
        Language::Persian,
        "ژانویه فوریه مارس آوریل مه ژوئن \
         ژوئیه|جولای اوت|آگوست سپتامبر اکتبر نوامبر دسامبر",
    ),
    (
        Language::Hindi,
        "जनवरी फरवरी|फ़रवरी मार्च अप्रैल मई जून \
         जुलाई अगस्त सितंबर|सितम्बर अक्टूबर|अक्तूबर नवंबर|नवम्बर दिसंबर|दिसम्बर",
    ),
    (
        Language::Thai,
        "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน \
         กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
    ),
];

/// The letters of a short name of a month, and before which letter the scripts are in which names are shortened so.
const SHORT: usize = 3;
const END_OF_SHORTENED: char = '\u{530}';

/// Returns the number, from 1, of the month that a word names in English or in one of some languages.
pub(super) fn number(word: &str, languages: &[Language]) -> Option<usize> {
    let name = word.trim_end_matches(['.', ',']).to_lowercase();
    let of_languages = MONTHS
        .iter()
        .filter(|(of, _)| languages.contains(of) || *of == Language::English);
    let mut at = of_languages.filter_map(|(_, names)| {
        let is_named = |names: &str| {
            let mut names = names.split('|');
            names.any(|known| known == name || short(known).is_some_and(|of| of == name))
        };
        names.split(' ').position(is_named)
    });
    at.next().map(|at| at + 1)
}

/// Returns whether a word in plain letters is the full name of a month in any language.
pub(super) fn is_name(word: &str) -> bool {
    let names = MONTHS.iter().flat_map(|(_, names)| names.split([' ', '|']));
    let mut names = names.filter(|name| !name.is_empty());
    names.any(|name| plain(name) == word)
}

/// Returns the names of a month in each of some languages, the short ones last.
pub(super) fn names(month: usize, languages: &[Language]) -> Vec<(Language, Vec<String>)> {
    let of_languages = MONTHS.iter().filter(|(of, _)| languages.contains(of));
    let names = of_languages.map(|(language, all)| {
        let names = all.split(' ').nth(month - 1).unwrap_or_default().split('|');
        let mut of_month: Vec<String> = names.clone().map(str::to_owned).collect();
        for short in names.filter_map(short) {
            if !of_month.contains(&short) {
                of_month.push(short);
            }
        }
        (*language, of_month)
    });
    names.collect()
}

fn short(name: &str) -> Option<String> {
    let is_shortened = name.starts_with(|first| first < END_OF_SHORTENED);
    is_shortened.then(|| name.chars().take(SHORT).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_twelve_months() {
        for (language, names) in MONTHS {
            assert_eq!(names.split(' ').count(), 12, "{language}");
            assert!(names.to_lowercase() == **names, "{language}");
            for (at, of_month) in names.split(' ').enumerate() {
                for name in of_month.split('|') {
                    let languages = [*language];
                    assert_eq!(number(name, &languages), Some(at + 1), "{name}");
                }
            }
        }
    }
}
