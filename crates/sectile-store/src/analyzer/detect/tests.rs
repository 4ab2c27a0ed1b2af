//! Which language texts are told to be in.

use super::*;

#[test]
fn the_commonest_english_words_are_found_however_they_are_written() {
    assert!(ENGLISH.is_sorted());
    assert!(
        ["the", "The", "WHICH", "your"]
            .into_iter()
            .all(is_common_english)
    );
    let others = ["", "th", "thee", "whiche", "über", "日本"];
    assert!(!others.into_iter().any(is_common_english));
}

fn check(text: &str, language: Language) {
    assert_eq!(Language::detect(text), language, "{text}");
}

#[test]
fn texts_tell_their_language() {
    check(
        "Das Backup läuft jeden Sonntag um drei Uhr.",
        Language::German,
    );
    check(
        "La configurazione del server è salvata nel file.",
        Language::Italian,
    );
    check("Kopia zapasowa jest tworzona codziennie.", Language::Polish);
    check("Säkerhetskopian skapas varje natt.", Language::Swedish);
    check(
        "As configurações do servidor são salvas no arquivo.",
        Language::Portuguese,
    );
    check(
        "Установка программы занимает пять минут.",
        Language::Russian,
    );
    check("يتم إنشاء النسخة الاحتياطية كل ليلة.", Language::Arabic);
    check("バックアップは毎晩作成されます。", Language::Japanese);
}

#[test]
fn paragraphs_tell_their_language() {
    check(
        "Wer die Sicherung einrichten will, öffnet zuerst die Datei mit den Einstellungen und trägt \
         dort ein, wohin geschrieben wird. Danach startet der Dienst von selbst, auch wenn niemand \
         angemeldet ist, und meldet am Morgen, was er in der Nacht getan hat.",
        Language::German,
    );
    check(
        "Pour restaurer une base, il faut d'abord arrêter le service, puis copier les fichiers dans le \
         dossier qui a été choisi lors de l'installation. Une fois que tout est en place, on relance \
         le service et on vérifie que les dernières lignes sont bien là.",
        Language::French,
    );
}

#[test]
fn a_page_with_a_paragraph_of_another_language_is_in_its_own() {
    let german = "Die Sicherungen werden jede Nacht geschrieben und sind am Morgen fertig. Eine \
                  Rücksicherung dauert eine Stunde, wenn die Platte nicht voll ist.\n";
    let english = "This note is for the people who have no German: it is all about the backup.\n";
    check(
        &format!("{german}{german}{english}{german}"),
        Language::German,
    );
    check(
        &format!("{english}{english}{german}{english}"),
        Language::English,
    );
    let russian = "Резервное копирование выполняется каждую ночь на отдельный диск сервера.\n";
    check(&format!("{russian}{russian}{english}"), Language::Russian);
    let japanese = "バックアップは毎晩、別のディスクに作成されます。復元には一時間かかります。\n";
    check(
        &format!("{japanese}{japanese}{english}"),
        Language::Japanese,
    );
    check(&format!("{english}{english}{japanese}"), Language::English);
}

#[test]
fn a_text_without_spaces_is_prose_whatever_is_between_its_letters() {
    for text in [
        "1211年,尼西亚帝国击败拉丁帝国,联军有3.5万人。",
        "这款手机由Apple公司在2019年发布,售价为5,499元;屏幕(OLED)为6.1英寸。",
        "1253年法國國王路易九世派魯布魯克到和林進見蒙哥汗,返國著有《東行紀》",
        // It quotes a title.
        "漫画《進撃の巨人》从2009年9月开始连载,讲述人类与巨人之间的战斗,共34卷,全球发行量超过1亿册。",
    ] {
        check(text, Language::Chinese);
    }
    for text in [
        "2017年11月1日現在の市議会議員は24人で,任期は2021年10月31日まで。",
        "1946年6月,日本人民共和国憲法草案を発表。主権在民,天皇制廃止,基本的人権,財閥解体などから成る。",
        "東京都港区赤坂1-2-3,大阪府大阪市北区梅田4-5-6などに事務所。",
    ] {
        check(text, Language::Japanese);
    }
    check(
        "2010년,서울특별시에서 열린 회의에는 20개국이 참가했다.",
        Language::Korean,
    );
    let code = "greeting = load(\"你好\"); print_all(greeting, \"再见\")\n";
    assert_eq!(Language::detect_in_code(code), Language::English);
}

#[test]
fn words_that_english_has_too_are_no_sign_of_another_language() {
    for text in [
        "Recursive programming in FORTRAN II",
        "GO TO Statement Considerd Harmful",
    ] {
        check(text, Language::English);
    }
    check(
        "Das Programmieren in Python ist nicht schwer",
        Language::German,
    );
}

#[test]
fn short_texts_tell_it_by_their_stop_words() {
    check("Wie installiere ich die Datenbank?", Language::German);
    check(
        "Comment installer la base de données dans le dossier ?",
        Language::French,
    );
}

#[test]
fn letters_tell_languages_that_have_few_stop_words() {
    check(
        "Bileşenin durumu değişince ekran güncellenir. Kullanıcı formu gönderdiğinde sunucu yanıtı \
         işler, sonuçlar listelenir, böylece sayfa yenilenmeden kalır. Kontrollü bileşenler değerleri \
         kendi durumunda saklar, işleyiciler olayları alır.",
        Language::Turkish,
    );
    check(
        "Zobacz dokumentację tego polecenia: jest to alias.",
        Language::Polish,
    );
    check(
        "Tento příkaz je zkratka. Podívejte se na popis původního příkazu.",
        Language::Czech,
    );
    // One name tells nothing.
    check(
        "Die Datei von Łukasz wird gelesen und dann in die Datenbank geschrieben, wenn der Dienst sie \
         hat. Danach ist sie im Archiv, und der Dienst kann sie auch dort noch lesen, bis jemand sie \
         aus dem Archiv nimmt.",
        Language::German,
    );
    check("Résumé of the meeting with the café", Language::English);
}

#[test]
fn code_and_what_says_nothing_is_english() {
    for text in [
        "",
        "cargo install --path crates/foo",
        "Usage: foo [OPTIONS] <PATH>",
        "apple banana cherry fig",
        "API reference",
        "git commit -m message",
        "let x = foo(bar)?;\nreturn x;",
        "1 2 3 4 5",
        "mod boxed;\nmod fallback;\nuse std::fmt;\npub struct Merge<S> { inner: Vec<S> }\n\
         impl<S> Merge<S> {\n    pub fn new() -> Self {\n        todo!()\n    }\n}\nmod tests;",
        "fn add(a: T, b: T) -> T { a + b }\nlet e = a + b;\nlet y = x * e;\nfor i in o { y += i }",
        "Die roll: Die faces, die count, sum of all faces, then next Die face count, then sums",
    ] {
        check(text, Language::English);
    }
}

#[test]
fn close_languages_are_told_by_the_stop_words_that_only_one_has() {
    for (text, language) in [
        (
            "El servidor desa les còpies a la carpeta que es tria en els paràmetres, i les esborra quan són \
             velles. En general, els usuaris no han de fer res: el programa ho comprova tot cada nit.",
            Language::Catalan,
        ),
        (
            "El servidor guarda las copias en la carpeta que se elige en los ajustes, y las borra cuando \
             son viejas. En general, los usuarios no tienen que hacer nada: el programa lo comprueba todo \
             cada noche.",
            Language::Spanish,
        ),
        (
            "O servidor guarda as cópias na pasta que se escolhe nas opções, e apaga-as quando são velhas. \
             Em geral, os utilizadores não têm de fazer nada: o programa verifica tudo em cada noite.",
            Language::Portuguese,
        ),
        (
            "Il server salva le copie nella cartella che si sceglie nelle opzioni, e le cancella quando \
             sono vecchie. In generale, gli utenti non devono fare nulla: il programma controlla tutto \
             ogni notte.",
            Language::Italian,
        ),
        (
            "Serveren lagrer kopiene i den mappen som du har valgt, og sletter dem når de er blitt gamle. \
             Brukerne trenger ikke å gjøre noe: programmet ser etter hver natt om alt er der ennå.",
            Language::Norwegian,
        ),
        (
            "Server ukládá kopie do složky, která je zvolena v nastavení, a maže je, když jsou staré. \
             Uživatelé nemusí dělat nic: program každou noc zkontroluje, jestli je tam všechno.",
            Language::Czech,
        ),
        (
            "Server ukladá kópie do priečinka, ktorý je zvolený v nastaveniach, a maže ich, keď sú staré. \
             Používatelia nemusia robiť nič: program každú noc skontroluje, či je tam všetko.",
            Language::Slovak,
        ),
    ] {
        check(text, language);
    }
}

#[test]
fn front_matter_tells_nothing() {
    let english = "---\ntag: g031\ntitle: Dock Sled\nbrief: Dock the Z probe sled.\nauthor: thinkyhead\n\
                   group: calibration\n---\nDock the Z probe sled.\n";
    check(english, Language::English);
    let german = "---\ntitle: The state of the things that you have\ndescription: what is this for\n---\n\
                  Die Datei wird gelesen und in die Datenbank geschrieben.\n";
    check(german, Language::German);
    // It has no end.
    check(
        "---\nDie Datei wird gelesen und in die Datenbank geschrieben.\n",
        Language::German,
    );
    // There is nothing else.
    check(
        "---\ntitle: Die Datei wird gelesen und in die Datenbank geschrieben\n---\n",
        Language::German,
    );
}

#[test]
fn few_words_without_a_stop_word_or_a_letter_of_a_language_are_english() {
    for text in [
        "Llei propietat horitzontal",
        "Dock Z probe sled thinkyhead calibration",
        "Kontakt",
        "Alpha Centauri Proxima",
    ] {
        check(text, Language::English);
    }
    check("Cài đặt chương trình", Language::Vietnamese);
}

#[test]
fn prose_counts_and_code_does_not() {
    let code = "```\nfor the of and with this that is to\n```\n".repeat(50);
    let text = format!("{code}Die Datei wird gelesen und in die Datenbank geschrieben.\n{code}");
    check(&text, Language::German);
}

#[test]
fn few_words_near_english_are_english() {
    for text in [
        "Create volume snapshot",
        "POST v2 droplets",
        "Response object important",
        "Marinade chicken",
    ] {
        check(text, Language::English);
    }
    check("Créer une image du volume", Language::French);
}

#[test]
fn a_rare_language_has_to_speak_clearly() {
    check(
        "lang Go source import context os github func main token os Getenv client godo token err client \
         Droplets Delete ctx",
        Language::English,
    );
    check(
        "Récupère la trace d'appels. Retourne la trace d'appels en tant que tableau.",
        Language::French,
    );
    check(
        "El document és amb els fitxers que són a la carpeta, i les còpies es fan cada nit per al servidor.",
        Language::Catalan,
    );
}

#[test]
fn a_few_words_in_a_script_are_in_its_commonest_language() {
    for (text, language) in [
        ("Модули", Language::Russian),
        ("Настройка сети", Language::Russian),
        ("Загрузка документа и ресурсов", Language::Russian),
        ("Обработка ошибок", Language::Russian),
        ("Продвинутая работа с функциями", Language::Russian),
        ("Обробка помилок і подій", Language::Ukrainian),
        ("Ъгълът на прозореца", Language::Bulgarian),
        ("Учитавање датотека", Language::Serbian),
        ("گزینه‌های پرونده", Language::Persian),
        ("الوحدات", Language::Arabic),
    ] {
        check(text, language);
    }
}

#[test]
fn names_with_letters_of_another_language_do_not_hide_stop_words() {
    check(
        "Hergé adalah nama pena dari Georges Remi, yaitu seorang penulis komik yang sangat terkenal dengan \
         karyanya. Hergé juga dikenal karena kisah Tintin.",
        Language::Indonesian,
    );
    check(
        "Het album van Beyoncé en Søren Kjær is niet meer dan een verzameling van liedjes die ze voor de tournee \
         van Søren Kjær hebben opgenomen, maar het werd wel goed verkocht.",
        Language::Dutch,
    );
}

#[test]
fn a_text_with_letters_of_no_known_language_of_its_script_is_in_none_of_them() {
    for text in [
        "Қазақстан Еуразияның ортасында орналасқан мемлекет. Оның астанасы Астана қаласы, ал ең үлкен қаласы Алматы.",
        "Гэты файл утрымлівае налады праграмы. Калі яго няма, праграма выкарыстоўвае значэнні па змаўчанні.",
        "Бу файлда программа көйләүләре саклана. Әгәр ул юк икән, программа яңа файл төзи һәм аны үзгәртә.",
        "اس فائل میں پروگرام کی ترتیبات ہیں۔ اگر یہ نہ ہو تو پروگرام ایک نئی فائل بناتا ہے۔",
    ] {
        check(text, Language::English);
    }
    // A name or two of another language say nothing of the text.
    check(
        "Президент Нұрсұлтан Назарбаев родился в посёлке, который находится недалеко от города и озера.",
        Language::Russian,
    );
    check(
        "تحتوي هذه الصفحة على معلومات عن الاتحاد السوڤيتي وعن الدول التي كانت فيه.",
        Language::Arabic,
    );
}

#[test]
fn code_and_data_are_english_unless_prose_speaks() {
    let check = |text: &str, language| {
        assert_eq!(Language::detect_in_code(text), language, "{text}");
    };
    check(
        "lang: Go\nsource: |-\n  import (\n    \"os\"\n  )\n  func main() {\n    token := os.Getenv(\"TOKEN\")\n  }\n",
        Language::English,
    );
    check(
        "require \"sinatra\"\n\nget \"/\" do\n  \"OK\"\nend\n",
        Language::English,
    );
    check("type: object\ntitel: Kopie der Datei\n", Language::English);
    check(
        "// Liest die Datei und gibt zurück, was in ihr steht, wenn der Dienst sie noch nicht hat.\nfn read() {}\n",
        Language::German,
    );
    check("# Читает файл настроек и пишет журнал\n", Language::Russian);
}
