//! The letters beyond ASCII that languages have, and that tell languages of a script from each other.

use super::fold::folded;
use super::language::Language;

/// Returns the letters of a language beyond those from `a` to `z`; nothing of one whose script no other language has,
/// or whose letters are not known.
const fn alphabet(language: Language) -> &'static str {
    match language {
        // With those of the Quran and of foreign names.
        Language::Arabic => "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيٱڤ",
        Language::Basque => "çñü",
        Language::Bulgarian => "абвгдежзийклмнопрстуфхцчшщъьюяѝ",
        Language::Catalan => "àçèéíïòóúü·",
        Language::Croatian => "čćđšž",
        Language::Czech => "áčďéěíňóřšťúůýž",
        Language::Danish | Language::Norwegian => "åæéø",
        Language::Dutch => "èéëïóöü",
        Language::Esperanto => "ĉĝĥĵŝŭ",
        Language::Estonian => "äõöšüž",
        Language::Finnish => "åäö",
        Language::French => "àâæçèéêëîïôœùûüÿ",
        Language::German => "ßäöü",
        Language::Hungarian => "áéíóöúüőű",
        Language::Irish => "áéíóú",
        Language::Italian => "àèéìíîòóùú",
        Language::Lithuanian => "ąčęėįšųūž",
        // As it is typed with the keyboards of Arabic, too.
        Language::Persian => "ءآأؤئابتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژکگۀی",
        Language::Polish => "óąćęłńśźż",
        Language::Portuguese => "àáâãçéêíóôõúü",
        Language::Romanian => "âîăşţșț",
        Language::Russian => "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
        Language::Serbian => "абвгдежзиклмнопрстуфхцчшђјљњћџ",
        Language::Slovak => "áäčďéíĺľňóôŕšťúýž",
        Language::Spanish => "áéíñóúü",
        Language::Swedish => "åäéö",
        Language::Turkish => "âçîöûüğışİ",
        Language::Ukrainian => "абвгдежзийклмнопрстуфхцчшщьюяєіїґ",
        Language::Vietnamese => "àáâãèéêìíòóôõùúýăđĩũơư",
        _ => "",
    }
}

/// Characters of Chinese that Japanese does not have: those of function words, and simplified or traditional forms of
/// common ones. Others are known by [their radicals](is_simplified).
const CHINESE: &str = "\
    专业东两严个为么义书买亚产亲仅从仓们众优传伪你來們傳关击创删别办务动协单历压发变吗吧启呢响哪啊啟啥單\
    嗎嘛图圆國圓圖场处备复头夹她學实审實寫对导對层屬带应开归录從忆态怎总您應执护报拟择损换擇據數无时显會\
    术权极构标树样档检樣檔檢權汇测浏滤热现產电發监码础签简类總联脑节获處號补裝覽變轉辦边达过运还这进远连\
    适选邊邮释釋錄關队體麼黑點";

/// Characters of Japanese that Chinese does not have: common ones in the forms that Japanese alone gave them, and
/// those that were made there.
const JAPANESE: &str = "\
    価働円処単厳収営図売変対帰広応悪戻抜択拠拡挙枠検様権歩歳気沢済渋畑発県経絵続総覚覧観訳読転軽辺込鉄関\
    駅騒験髪黒";

/// Returns whether a language may be that of the characters of a text in another script than Latin.
pub(super) fn fits(language: Language, text: &str) -> bool {
    match language {
        Language::Chinese => !text.contains(|letter: char| JAPANESE.contains(letter)),
        Language::Japanese => {
            !text.contains(|letter: char| is_simplified(letter) || CHINESE.contains(letter))
        }
        _ => {
            let is_other = language == Language::Russian && has_bulgarian_vowel(text);
            !lacks(language, text) && !is_other
        }
    }
}

/// Returns whether a text has a letter of Cyrillic or Arabic script that a language lacks.
pub(super) fn lacks(language: Language, text: &str) -> bool {
    let alphabet = alphabet(language);
    let mut letters = text.chars().flat_map(char::to_lowercase);
    let is_lacking = |letter| is_shared(letter) && !alphabet.contains(letter);
    !alphabet.is_empty() && letters.any(is_lacking)
}

/// Returns whether a text has `ъ` as a vowel: in Russian it stands before `е`, `ё`, `ю` and `я` alone.
fn has_bulgarian_vowel(text: &str) -> bool {
    let mut after = text.split(['ъ', 'Ъ']).skip(1);
    after.any(|rest| {
        let next = rest.chars().flat_map(char::to_lowercase).next();
        !matches!(next, Some('е' | 'ё' | 'ю' | 'я'))
    })
}

/// Returns whether a letter is of Cyrillic or Arabic script, which several languages have.
fn is_shared(letter: char) -> bool {
    matches!(letter,
        '\u{430}'..='\u{4ff}'
        | '\u{621}'..='\u{63a}'
        | '\u{641}'..='\u{64a}'
        | '\u{671}'..='\u{6d5}')
}

/// Returns whether a character has one of the radicals that were simplified, which stand in rows of their own.
fn is_simplified(character: char) -> bool {
    matches!(character,
        '\u{7e9f}'..='\u{7f35}'
        | '\u{89c1}'..='\u{89d1}'
        | '\u{8ba0}'..='\u{8c36}'
        | '\u{8d1d}'..='\u{8d63}'
        | '\u{8f66}'..='\u{8f9a}'
        | '\u{9485}'..='\u{9576}'
        | '\u{95e8}'..='\u{961b}'
        | '\u{9875}'..='\u{98a7}'
        | '\u{98ce}'..='\u{98da}'
        | '\u{9963}'..='\u{9995}'
        | '\u{9a6c}'..='\u{9aa7}'
        | '\u{9c7c}'..='\u{9ce4}'
        | '\u{9e1f}'..='\u{9e74}')
}

/// Returns the Latin letters of a text beyond ASCII, in lower case.
pub(super) fn of(text: &str) -> impl Iterator<Item = char> {
    let other = text.chars().filter(|letter| !letter.is_ascii());
    other.flat_map(char::to_lowercase).filter(|letter| {
        let is_latin = matches!(letter, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
        is_latin && letter.is_alphabetic()
    })
}

/// Returns the letters of a language that are one from `a` to `z` without their accents, each with that one.
pub(super) fn accented(language: Language) -> Vec<(char, char)> {
    let letters = alphabet(language).chars().filter(|of| of.is_lowercase());
    let plain = letters.filter_map(|letter| {
        let folded = folded(letter.encode_utf8(&mut [0; 4])).into_owned();
        let mut plain = folded.chars().filter(char::is_ascii_lowercase);
        Some((letter, plain.next().filter(|_| folded.len() == 1)?))
    });
    plain.collect()
}

/// Returns whether a language has all of some letters.
pub(super) fn has_all(language: Language, letters: &[char]) -> bool {
    let alphabet = alphabet(language);
    let is_vietnamese = language == Language::Vietnamese;
    letters.iter().all(|letter| {
        let is_toned = is_vietnamese && matches!(letter, '\u{1ea0}'..='\u{1ef9}');
        is_toned || alphabet.contains(*letter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_of_a_script_are_told_by_their_letters() {
        for (text, fitting, other) in [
            ("значення функції", Language::Ukrainian, Language::Russian),
            ("значение объекта", Language::Russian, Language::Ukrainian),
            ("Ђорђе", Language::Serbian, Language::Russian),
            ("Ъгъл на път", Language::Bulgarian, Language::Russian),
            ("ОБЪЁМ объекта", Language::Russian, Language::Ukrainian),
            ("گزینه ها", Language::Persian, Language::Arabic),
            ("إضافة ملف", Language::Arabic, Language::Persian),
            ("设置文件", Language::Chinese, Language::Japanese),
            ("怎麼設定", Language::Chinese, Language::Japanese),
            ("就业机会", Language::Chinese, Language::Japanese),
            ("全文検索", Language::Japanese, Language::Chinese),
        ] {
            assert!(fits(fitting, text) && !fits(other, text), "{text}");
        }
        for (text, one, other) in [
            ("метод сортування", Language::Ukrainian, Language::Russian),
            ("設定", Language::Japanese, Language::Chinese),
            ("كتاب", Language::Arabic, Language::Persian),
            ("किताब", Language::Hindi, Language::Nepali),
        ] {
            assert!(fits(one, text) && fits(other, text), "{text}");
        }
    }

    #[test]
    fn languages_have_their_letters() {
        let has = |language, text| has_all(language, &of(text).collect::<Vec<_>>());
        assert!(has(Language::German, "Über Größe – µ, Ω"));
        assert!(has(Language::Turkish, "İŞ ışığı"));
        assert!(has(Language::Vietnamese, "tệp cấu hình"));
        assert!(has(Language::English, "plain"));
        assert!(!has(Language::English, "naïve") && !has(Language::German, "Łódź"));
    }
}
