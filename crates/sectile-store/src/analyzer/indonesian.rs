//! The roots of Indonesian verbs and of what is made of these: behind `me-` and `pe-` a root loses its first letter to a
//! nasal, as `tulis` in `menulis` and `kirim` in `pengirim`. Snowball gives back a lost `p` and `s`, and this the others.

use std::borrow::Cow;

const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];

/// Roots in `k`: as many roots begin with the vowel behind it (`mengambil`), which lose nothing.
#[rustfmt::skip]
const IN_K: &[&str] = &[
    "kabul", "kabur", "kacau", "kagum", "kait", "kaji", "kalah", "kaleng", "kali", "kalibrasi", "kandung",
    "kantong", "karang", "kasih", "kata", "kategori", "katrol", "kawin", "kejar", "kejut", "kelola", "kelompok",
    "keluar", "keluh", "kemas", "kembali", "kembang", "kemuka", "kemudi", "kena", "kenal", "kenang", "kendali",
    "kendara", "kental", "kepal", "kepung", "keras", "kerah", "kering", "kerja", "kesan", "kesamping", "ketahu",
    "ketat", "ketik", "kikis", "kira", "kirim", "kisah", "kisar", "kitar", "kode", "koleksi", "kombinasi",
    "komentar", "kompensasi", "kompilasi", "kompres", "kompresi", "komunikasi", "kondisi", "konfigurasi",
    "konfirmasi", "konsep", "konsultasi", "konsumsi", "kontrol", "konversi", "koordinasi", "kopi", "korban",
    "koreksi", "kosong", "kotak", "kotor", "kuasa", "kuat", "kubur", "kukuh", "kukus", "kulit", "kumpul", "kunci",
    "kunjung", "kupas", "kurang", "kuras", "kurung", "kutip", "kutuk",
];

/// Roots that begin with the nasal itself, and lose nothing either.
#[rustfmt::skip]
const IN_NASALS: &[&str] = &[
    "maaf", "main", "makan", "maki", "makna", "maksimal", "maksud", "malu", "manfaat", "manipulasi", "masak",
    "masuk", "masyarakat", "mati", "milik", "minat", "minimal", "minta", "minum", "mirip", "modifikasi", "mogok",
    "mohon", "muat", "mudah", "mula", "mulia", "multipleks", "mundur", "mungkin", "murah", "murni", "musnah",
    "musuh", "mutakhir", "nalar", "nama", "nanti", "nasihat", "navigasi", "nikah", "nikmat", "nilai", "nobat",
    "noda", "nomor", "nonaktif", "normal", "nyala", "nyaman", "nyanyi", "nyata",
];

/// Words without such a prefix. Sorted.
const OTHERS: &[&str] = &["menantu", "menara", "penalti", "penetrasi", "penisilin"];

/// What stands behind a root.
const ENDINGS: &[&str] = &[
    "", "an", "annya", "i", "inya", "kan", "kannya", "kanlah", "lah", "nya",
];

/// What is written as one with a word.
const PARTICLES: [&str; 4] = ["kah", "lah", "nya", "pun"];

/// Returns a word with the whole root behind a prefix that the stemmer cuts: `mengtulis` for `menulis`.
pub(super) fn with_root(word: &str) -> Cow<'_, str> {
    match root(word) {
        Some(root) => Cow::Owned(format!("{}ng{root}", &word[..2])),
        None => Cow::Borrowed(word),
    }
}

/// Returns what stands behind `me-` or `pe-` with the letter that its root has lost, if the stemmer does not know that.
fn root(word: &str) -> Option<String> {
    let rest = word
        .strip_prefix("me")
        .or_else(|| word.strip_prefix("pe"))?;
    if OTHERS.binary_search(&word).is_ok() {
        return None;
    }
    let behind = |nasal: &str| {
        let rest = rest.strip_prefix(nasal)?;
        rest.starts_with(VOWELS).then_some(rest)
    };
    if let Some(rest) = behind("ng") {
        let root = format!("k{rest}");
        return is_of(&root, IN_K).then_some(root);
    }
    if is_of(rest, IN_NASALS) {
        return Some(rest.to_owned());
    }
    let rest = behind("n")?;
    has_two_vowels(rest).then(|| format!("t{rest}"))
}

/// Returns whether a word is one of some roots, maybe with endings.
fn is_of(word: &str, roots: &[&str]) -> bool {
    let is_ending = |ending: &str| ENDINGS.contains(&ending);
    roots
        .iter()
        .any(|root| word.strip_prefix(*root).is_some_and(is_ending))
}

/// Returns whether a word is long enough for a root: `it` of `menit` is none, nor `itnya`.
fn has_two_vowels(word: &str) -> bool {
    let bare = PARTICLES.iter().find_map(|of| word.strip_suffix(*of));
    bare.unwrap_or(word).matches(VOWELS).nth(1).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::language::Language;
    use super::super::word::term;
    use super::*;

    #[test]
    fn the_words_without_a_prefix_are_sorted() {
        assert!(OTHERS.is_sorted());
    }

    #[test]
    fn verbs_have_the_term_of_their_root() {
        for words in [
            "tulis menulis menuliskan ditulis penulis penulisan menulisnya",
            "kirim mengirim mengirimkan dikirim pengirim pengiriman",
            "kerja mengerjakan dikerjakan bekerja",
            "pakai memakai dipakai pemakaian",
            "sapu menyapu disapu penyapu",
            "terima menerima diterima penerima penerimaan",
            "kelola mengelola dikelola pengelola pengelolaan",
            "nilai menilai dinilai",
            "nyata menyatakan dinyatakan",
            "minta meminta diminta",
            "masuk memasukkan dimasukkan",
            "ambil mengambil diambil pengambilan",
            "ubah mengubah diubah",
        ] {
            let mut words = words.split(' ');
            let root = term(words.next().unwrap(), Language::Indonesian);
            for word in words {
                assert_eq!(term(word, Language::Indonesian), root, "{word}");
            }
        }
    }

    #[test]
    fn other_words_stay_apart() {
        for (one, other) in [
            ("mengubah", "kubah"),
            ("mengisi", "kisi"),
            ("mengawali", "kawal"),
            ("menit", "tit"),
            ("menitnya", "titnya"),
            ("menara", "tara"),
            ("pemerintah", "perintah"),
            ("kirim", "irim"),
        ] {
            assert_ne!(
                term(one, Language::Indonesian),
                term(other, Language::Indonesian),
                "{one}"
            );
        }
        for word in ["", "me", "pe", "meng", "menü", "peñ"] {
            assert_eq!(with_root(word), word);
        }
    }
}
