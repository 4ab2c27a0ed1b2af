//! Short questions as people type them: which language they are told to be in.

use super::*;

/// Questions of a few words in each language, of which most words are in others as well.
#[rustfmt::skip]
const QUESTIONS: &[(Language, [&str; 5])] = &[
    (Language::Arabic, ["كيف أغير كلمة المرور", "ما هو الملف", "حذف المستخدم", "أين المجلد", "إعدادات النظام"]),
    (Language::Armenian, ["ինչպես փոխել գաղտնաբառը", "ինչ է ֆայլը", "ջնջել օգտատիրոջը", "որտեղ է պանակը", "համակարգի կարգավորումներ"]),
    (Language::Basque, ["nola aldatu pasahitza", "zer da fitxategi bat", "talde bat ezabatu", "sistemaren konfigurazioa", "non dago erabiltzailea"]),
    (Language::Bulgarian, ["как да сменя паролата", "какво е файл", "изтриване на потребител", "къде е папката", "настройки на системата"]),
    (Language::Catalan, ["com es canvia la contrasenya", "què és un fitxer", "eliminar un grup", "on és la carpeta", "quins són els requisits"]),
    (Language::Chinese, ["如何更改密码", "什么是文件", "删除用户", "文件夹在哪里", "系统设置"]),
    (Language::Croatian, ["kako promijeniti lozinku", "što je datoteka", "izbriši korisnika", "gdje se nalazi mapa", "postavke sustava"]),
    (Language::Czech, ["jak změnit heslo", "co je soubor", "smazat uživatele", "kde je složka", "nastavení systému"]),
    (Language::Danish, ["hvordan ændrer jeg adgangskoden", "hvad er en fil", "slet en bruger", "hvor ligger mappen", "fjern en gruppe"]),
    (Language::Dutch, ["hoe wijzig ik mijn wachtwoord", "wat is een bestand", "gebruiker verwijderen", "waar staat de map", "een groep verwijderen"]),
    (Language::English, ["how to change the password", "what is a file", "delete a user", "where is the folder", "remove group"]),
    (Language::Esperanto, ["kiel ŝanĝi la pasvorton", "kio estas dosiero", "forigi uzanton", "kie estas la dosierujo", "sistemaj agordoj"]),
    (Language::Estonian, ["kuidas muuta parooli", "mis on fail", "kustuta kasutaja", "kus on kaust", "süsteemi seaded"]),
    (Language::Finnish, ["miten vaihdan salasanan", "mikä on tiedosto", "poista käyttäjä", "missä kansio on", "järjestelmän asetukset"]),
    (Language::French, ["comment changer le mot de passe", "qu'est-ce qu'un fichier", "supprimer un utilisateur", "où est le dossier", "ajouter un groupe"]),
    (Language::German, ["wie ändere ich das Passwort", "was ist eine Datei", "Benutzer löschen", "wo ist der Ordner", "eine Gruppe entfernen"]),
    (Language::Greek, ["πώς αλλάζω τον κωδικό", "τι είναι αρχείο", "διαγραφή χρήστη", "πού είναι ο φάκελος", "ρυθμίσεις συστήματος"]),
    (Language::Hebrew, ["איך משנים סיסמה", "מה זה קובץ", "מחיקת משתמש", "איפה התיקייה", "הגדרות המערכת"]),
    (Language::Hindi, ["पासवर्ड कैसे बदलें", "फ़ाइल क्या है", "उपयोगकर्ता को हटाना", "फ़ोल्डर कहाँ है", "सिस्टम की सेटिंग"]),
    (Language::Hungarian, ["hogyan változtatom meg a jelszót", "mi az a fájl", "felhasználó törlése", "hol van a mappa", "csoport eltávolítása"]),
    (Language::Indonesian, ["cara mengganti kata sandi", "apa itu berkas", "menghapus pengguna", "mengganti login shell", "di mana folder ini"]),
    (Language::Irish, ["conas pasfhocal a athrú", "cad is comhad ann", "úsáideoir a scriosadh", "cá bhfuil an fillteán", "socruithe an chórais"]),
    (Language::Italian, ["come cambiare la password", "che cosa è un file", "eliminare un utente", "dove si trova la cartella", "rimuovere un gruppo"]),
    (Language::Japanese, ["パスワードを変更する方法", "ファイルとは何ですか", "ユーザーの削除", "フォルダはどこ", "システムの設定"]),
    (Language::Korean, ["비밀번호를 어떻게 바꾸나요", "파일이란 무엇인가요", "사용자 삭제", "폴더가 어디에 있나요", "시스템 설정"]),
    (Language::Lithuanian, ["kaip pakeisti slaptažodį", "kas yra failas", "ištrinti vartotoją", "kur yra aplankas", "sistemos nustatymai"]),
    (Language::Nepali, ["पासवर्ड कसरी परिवर्तन गर्ने", "फाइल के हो", "प्रयोगकर्ता मेटाउनुहोस्", "फोल्डर कहाँ छ", "प्रणालीको सेटिङ"]),
    (Language::Norwegian, ["hvordan endrer jeg passordet", "hva er en fil", "slett en bruker", "hvor er mappen", "fjern en gruppe"]),
    (Language::Persian, ["چگونه گذرواژه را تغییر دهم", "پرونده چیست", "حذف کاربر", "پوشه کجاست", "تنظیمات سیستم"]),
    (Language::Polish, ["jak zmienić hasło", "jak działa", "zmiana hasła", "co to jest plik", "usunąć użytkownika z grupy"]),
    (Language::Portuguese, ["como mudar a senha", "o que é um arquivo", "remover grupo", "onde fica a pasta", "excluir um usuário"]),
    (Language::Romanian, ["cum schimb parola", "ce este un fișier", "șterge un utilizator", "unde este dosarul", "setările sistemului"]),
    (Language::Russian, ["как изменить пароль", "что такое файл", "удалить пользователя", "где находится папка", "настройки системы"]),
    (Language::Serbian, ["како променити лозинку", "шта је датотека", "обриши корисника", "где је фасцикла", "подешавања система"]),
    (Language::Slovak, ["ako zmeniť heslo", "čo je súbor", "odstrániť používateľa", "kde je priečinok", "nastavenia systému"]),
    (Language::Spanish, ["cómo cambiar la contraseña", "tiene que ver", "eliminar un usuario", "art. 6 ley 17.250", "dónde está la carpeta"]),
    (Language::Swedish, ["ta bort användargrupp", "ta bort en grupp", "radera en användare", "hur gör man", "vad är"]),
    (Language::Tamil, ["கடவுச்சொல்லை மாற்றுவது எப்படி", "கோப்பு என்றால் என்ன", "பயனரை நீக்கு", "கோப்புறை எங்கே", "கணினி அமைப்புகள்"]),
    (Language::Thai, ["เปลี่ยนรหัสผ่านอย่างไร", "ไฟล์คืออะไร", "ลบผู้ใช้", "โฟลเดอร์อยู่ที่ไหน", "การตั้งค่าระบบ"]),
    (Language::Turkish, ["parola nasıl değiştirilir", "dosya nedir", "kullanıcıyı sil", "klasör nerede", "bir grup silmek"]),
    (Language::Ukrainian, ["як змінити пароль", "що таке файл", "видалити користувача", "де знаходиться тека", "налаштування системи"]),
    (Language::Vietnamese, ["làm thế nào để đổi mật khẩu", "tệp là gì", "xóa người dùng", "thư mục ở đâu", "cài đặt hệ thống"]),
    (Language::Yiddish, ["ווי אזוי צו ענדערן דעם פאראל", "וואס איז א טעקע", "אויסמעקן באניצער", "וואו איז דער טעקע", "די סיסטעם"]),
];

/// How many questions at least tell their language: of documents in all languages, in four others, and in English too.
const LEAST_AMONG_ALL: usize = 130;
const LEAST_AMONG_FEW: usize = 155;
const LEAST_BESIDE_ENGLISH: usize = 170;

/// Counts the questions whose language is told, of which documents are in that language and in others, and those whose
/// language is told wrongly.
fn told(others: &[Language]) -> (usize, Vec<(&'static str, Language)>) {
    let (mut right, mut wrong) = (0, Vec::new());
    for &(language, questions) in QUESTIONS {
        let others = others.iter().copied().filter(|of| *of != language);
        let chunks: Vec<(Language, u64)> =
            others.map(|of| (of, 10)).chain([(language, 20)]).collect();
        let languages: Vec<Language> = chunks.iter().map(|(of, _)| *of).collect();
        for question in questions {
            let shares = LanguageShares::of(&chunks);
            match StopWords::among(question, &languages, shares).language() {
                Some(told) if told == language => right += 1,
                Some(told) => wrong.push((question, told)),
                None => {}
            }
        }
    }
    (right, wrong)
}

#[test]
fn each_language_has_questions() {
    let languages = QUESTIONS.iter().map(|(of, _)| *of);
    assert!(languages.eq(Language::all()));
}

#[test]
fn no_short_question_is_told_to_be_in_another_language() {
    let all: Vec<Language> = Language::all().collect();
    let few = [
        Language::English,
        Language::French,
        Language::German,
        Language::Spanish,
    ];
    for (others, least) in [
        (&all[..], LEAST_AMONG_ALL),
        (&few[..], LEAST_AMONG_FEW),
        (&few[..1], LEAST_BESIDE_ENGLISH),
    ] {
        let (right, wrong) = told(others);
        assert!(
            wrong.is_empty(),
            "{right} are right, and wrong are {wrong:?}"
        );
        assert!(right >= least, "{right}");
    }
}

#[test]
fn a_question_is_in_no_language_that_shares_a_word_with_it_by_chance() {
    // No document is in the language of the question.
    let languages = [
        Language::English,
        Language::French,
        Language::Polish,
        Language::Spanish,
    ];
    for question in [
        "ta bort användargrupp",
        "ta bort en grupp",
        "radera en användare",
        "mengganti login shell",
        "remover grupo",
        "kde je složka",
    ] {
        let told = StopWords::of(question, &languages).language();
        assert_eq!(told, None, "{question}");
    }
}

#[test]
fn words_that_one_language_has_tell_it() {
    let languages: Vec<Language> = Language::all().collect();
    for (question, language) in [
        ("hur gör man", Language::Swedish),
        ("vad är", Language::Swedish),
        ("jak działa", Language::Polish),
        ("zmiana hasła", Language::Polish),
        ("tiene que ver", Language::Spanish),
    ] {
        let told = StopWords::of(question, &languages).language();
        assert_eq!(told, Some(language), "{question}");
    }
}
