//! Texts that stand between the marks of a signature of OpenPGP (RFC 9580, 7).

const BEGIN: &str = "-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE: &str = "-----BEGIN PGP SIGNATURE-----";
const END: &str = "-----END PGP SIGNATURE-----";

/// What is put before lines that begin with a dash.
const ESCAPE: &str = "- ";

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Around what is signed.
    Around,
    /// Above it, where the algorithm is named.
    Head,
    Signed,
    Signature,
}

/// Returns a text without the marks around what is signed in it and without the signatures; nothing where it has none, or
/// one that does not end.
pub(super) fn content(text: &str) -> Option<String> {
    if !text.contains(BEGIN) {
        return None;
    }
    let mut content = String::with_capacity(text.len());
    let mut place = Place::Around;
    let mut is_signed = false;
    for line in text.split_inclusive('\n') {
        place = match (place, line.trim_end()) {
            (Place::Around, BEGIN) => Place::Head,
            (Place::Around, _) => {
                content.push_str(line);
                Place::Around
            }
            (Place::Head, "") => Place::Signed,
            (Place::Head, _) => Place::Head,
            (Place::Signed, SIGNATURE) => Place::Signature,
            (Place::Signed, _) => {
                content.push_str(line.strip_prefix(ESCAPE).unwrap_or(line));
                Place::Signed
            }
            (Place::Signature, END) => {
                is_signed = true;
                Place::Around
            }
            (Place::Signature, _) => Place::Signature,
        };
    }
    (is_signed && place == Place::Around).then_some(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_signed_stays_as_it_was() {
        let signed = format!(
            "{BEGIN}\nHash: SHA256\n\nOne.\n\n- - two\n> {BEGIN}\n{SIGNATURE}\n\nab\n=cd\n{END}\n"
        );
        let expected = format!("One.\n\n- two\n> {BEGIN}\n");
        assert_eq!(content(&signed), Some(expected.clone()));
        let around = content(&format!("Above.\n{signed}Below.\n"));
        assert_eq!(around, Some(format!("Above.\n{expected}Below.\n")));
    }

    #[test]
    fn a_signature_that_does_not_end_is_text() {
        assert_eq!(
            content(&format!("{BEGIN}\n\nOne.\n{SIGNATURE}\nab\n")),
            None
        );
        assert_eq!(content(&format!("{BEGIN}\nHash: SHA1\nOne.\n")), None);
        assert_eq!(content("One.\n"), None);
    }
}
