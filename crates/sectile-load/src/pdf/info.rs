//! What a PDF says of itself: the document information dictionary.

use hayro_syntax::Pdf;
use sectile_core::Metadata;

use super::objects;

/// How the programs call themselves whose pages are put together of boxes.
const OF_SLIDES: [&str; 2] = ["PowerPoint", "Impress"];

/// Returns whether a program for slides made a file: its boxes are drawn and tagged in the order in which they are
/// stacked, whatever stands above what.
pub(super) fn is_of_slides(pdf: &Pdf) -> bool {
    let creator = objects::info(pdf).and_then(|info| objects::text(&info, b"Creator"));
    creator.is_some_and(|creator| OF_SLIDES.iter().any(|name| creator.contains(name)))
}

/// Reads title, author, dates and language of a file.
pub(super) fn metadata(pdf: &Pdf) -> Metadata {
    let info = objects::info(pdf);
    let text = |key: &[u8]| objects::text(info.as_ref()?, key);
    let catalog = objects::catalog(pdf);
    Metadata {
        title: text(b"Title"),
        author: text(b"Author"),
        created: text(b"CreationDate").and_then(|date| iso_8601(&date)),
        modified: text(b"ModDate").and_then(|date| iso_8601(&date)),
        language: catalog.and_then(|catalog| objects::text(&catalog, b"Lang")),
        ..Metadata::default()
    }
}

/// Turns a date of ISO 32000-2, 7.9.4, such as `D:20230131120000+01'00'`, into ISO 8601 with the
/// same precision.
fn iso_8601(date: &str) -> Option<String> {
    let date = date.strip_prefix("D:").unwrap_or(date);
    let end = date
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(date.len());
    let (digits, zone) = date.split_at(end);
    let field = |at: usize| digits.get(at..at + 2);
    let mut iso = digits.get(..4)?.to_string();
    for (mark, at, most) in [
        ('-', 4, 12),
        ('-', 6, 31),
        ('T', 8, 23),
        (':', 10, 59),
        (':', 12, 59),
    ] {
        let Some(number) = field(at).filter(|number| number.parse().is_ok_and(|n: u8| n <= most))
        else {
            break;
        };
        iso.push(mark);
        iso.push_str(number);
        // A time of day without minutes is not ISO 8601 with a zone.
        if mark == 'T' && field(10).is_none() {
            iso.push_str(":00");
        }
    }
    if iso.contains('T') {
        iso.push_str(&offset(zone));
    }
    Some(iso)
}

/// Turns `+01'00'` into `+01:00`, and everything else into UTC or nothing.
fn offset(zone: &str) -> String {
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    match (zone.chars().next(), digits.get(..2)) {
        (Some('Z'), _) => "Z".into(),
        (Some(sign @ ('+' | '-')), Some(hours)) => {
            format!("{sign}{hours}:{}", digits.get(2..4).unwrap_or("00"))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(date: &str, expected: &str) {
        assert_eq!(iso_8601(date).as_deref(), Some(expected), "{date}");
    }

    #[test]
    fn dates_keep_their_precision() {
        check("D:20230131120456+01'00'", "2023-01-31T12:04:56+01:00");
        check("D:20230131120456Z00'00'", "2023-01-31T12:04:56Z");
        check("20230131120456-08", "2023-01-31T12:04:56-08:00");
        check("D:202301311204", "2023-01-31T12:04");
        check("D:2023013112", "2023-01-31T12:00");
        check("D:202301", "2023-01");
        check("D:2023", "2023");
    }

    #[test]
    fn what_is_no_date_is_none() {
        assert_eq!(iso_8601("yesterday"), None);
        assert_eq!(iso_8601("D:20"), None);
        check("D:20239999", "2023");
    }
}
