//! Address books, calendars and subtitles.

use std::path::Path;

use sectile_core::{Document, Format};
use sectile_load::load_bytes;

fn load(text: &str, name: &str) -> Document {
    load_bytes(text.as_bytes(), Path::new(name)).unwrap()
}

#[test]
fn contacts_are_sections() {
    let cards = "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=BCrgen\r\n\
        TEL;CELL:+49 170 1234567\r\nNOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Stra=C3=9Fe 5; zweiter=\r\n Stock\r\n\
        PHOTO;ENCODING=BASE64;JPEG:ejot6JXspbq9\r\n q9+SDLIC\r\nEND:VCARD\r\n\
        BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann Example\r\nORG:Mill\\, Ltd;Sales\r\nitem1.EMAIL;TYPE=work:ann@example.org\r\n\
        ADR:;;1 High Street;Hill;;4711;\r\nREV:20240101\r\nEND:VCARD\r\n";
    let document = load(cards, "a.vcf");
    assert_eq!(document.format, Format::Vcard);
    assert_eq!(
        document.text,
        "# Jürgen Müller\n\nPhone (cell): +49 170 1234567\nNote: Straße 5; zweiter Stock\n\n# Ann Example\n\n\
         Organization: Mill, Ltd, Sales\nE-mail (work): ann@example.org\nAddress: 1 High Street, Hill, 4711\n"
    );
    assert_eq!(document.outline.len(), 2);
}

#[test]
fn labels_and_relations_of_address_books_are_read() {
    let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nitem1.TEL;type=pref:+49 30 1\r\nitem1.X-ABLabel:Summer house\r\n\
        item2.X-ABRELATEDNAMES;type=pref:Bob\r\nitem2.X-ABLabel:_$!<Spouse>!$_\r\n\
        item3.X-ABDATE:2010-05-01\r\nitem3.X-ABLabel:_$!<Anniversary>!$_\r\nitem4.ADR:;;High Street 1;;;;\r\n\
        item4.X-ABADR:gb\r\nX-ABUID:1\r\nEND:VCARD\r\n";
    assert_eq!(
        load(card, "a.vcf").text,
        "# Ann\n\nPhone (Summer house): +49 30 1\nRelated (Spouse): Bob\nDate (Anniversary): 2010-05-01\n\
         Address: High Street 1\n"
    );
}

#[test]
fn events_are_sections() {
    let calendar = "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Town\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nEND:VTIMEZONE\r\n\
        BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Europe/Berlin:20240304T093000\r\nDTEND;VALUE=DATE:20240305\r\n\
        SUMMARY:Budget meeting\\, second reading\r\nDESCRIPTION:Agenda:\\n1. Heating repla\r\n cement 48\\,500 EUR\r\n\
        ORGANIZER;CN=\"Ann: Example\":mailto:ann@example.org\r\nBEGIN:VALARM\r\nDESCRIPTION:Reminder\r\nEND:VALARM\r\n\
        END:VEVENT\r\nEND:VCALENDAR\r\n";
    let document = load(calendar, "a.ics");
    assert_eq!(document.format, Format::Icalendar);
    assert_eq!(document.metadata.title.as_deref(), Some("Town"));
    assert_eq!(
        document.text,
        "# Budget meeting, second reading\n\nStart: 2024-03-04 09:30 (Europe/Berlin)\nEnd: 2024-03-05\n\
         Organizer: Ann: Example <ann@example.org>\n\nAgenda:\n1. Heating replacement 48,500 EUR\n"
    );
}

#[test]
fn a_long_label_of_an_address_book_stands_once() {
    let label = "x".repeat(101);
    let card = format!(
        "BEGIN:VCARD\r\nFN:Ann\r\na.X-ABLABEL:{label}\r\na.TEL:1\r\na.TEL:2\r\nb.TEL:3\r\nb.X-ABLABEL:{}\r\nEND:VCARD\r\n",
        &label[1..]
    );
    let expected = format!(
        "# Ann\n\nX-ABLABEL: {label}\nPhone: 1\nPhone: 2\nPhone ({}): 3\n",
        &label[1..]
    );
    assert_eq!(load(&card, "a.vcf").text, expected);
}

#[cfg(feature = "html")]
#[test]
fn descriptions_and_resources_of_events_are_read() {
    let calendar = "BEGIN:VCALENDAR\r\nX-WR-CALDESC:Of the town\r\nBEGIN:VJOURNAL\r\nSUMMARY:Diary\r\nDESCRIPTION:First.\r\n\
        DESCRIPTION:Second.\r\nATTACH;FMTTYPE=image/png;FILENAME=plan.png;ENCODING=BASE64;VALUE=BINARY:iVBO\r\nEND:VJOURNAL\r\n\
        BEGIN:VEVENT\r\nSUMMARY:Meeting\r\nRESOURCES:Projector\r\nX-MICROSOFT-SKYPETEAMSMEETINGURL:https://meet.example/1\r\n\
        RECURRENCE-ID:20240304T093000Z\r\nX-ALT-DESC;FMTTYPE=text/html:<p>Costs <b>48\\,500 EUR</b></p>\r\nEND:VEVENT\r\n\
        BEGIN:VFREEBUSY\r\nFREEBUSY:20240304T093000Z/PT1H\r\nEND:VFREEBUSY\r\nEND:VCALENDAR\r\n";
    let document = load(calendar, "a.ics");
    let said = sectile_load::omissions(&document.metadata);
    assert_eq!(document.metadata.extra["description"], "Of the town");
    assert_eq!(
        said,
        ["the attachment plan.png was not loaded: it is encoded in the calendar"]
    );
    for part in [
        "# Diary\n\nFirst.\n\nSecond.\n",
        "# Meeting\n\nResources: Projector\nConference: https://meet.example/1\nIn place of: 2024-03-04 09:30 UTC\n\nCosts",
        "48,500 EUR",
        "# (no title)\n\nBusy: 20240304T093000Z/PT1H\n",
    ] {
        assert!(document.text.contains(part), "{part}: {}", document.text);
    }
    assert!(!document.text.contains("<b>"), "{}", document.text);
}

#[test]
fn what_alarms_say_is_kept_where_it_is_no_default() {
    let alarm =
        |text: &str| format!("BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:{text}\nEND:VALARM\n");
    let alarms: String = [
        "Reminder",
        "One",
        "Bring the\\, keys",
        "This is an event reminder",
        "Bring the\\, keys",
    ]
    .map(alarm)
    .concat();
    let calendar = format!(
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:One\nLOCATION:A\n{alarms}END:VEVENT\nBEGIN:VEVENT\n\
         SUMMARY:Two\nEND:VEVENT\nEND:VCALENDAR\n"
    );
    assert_eq!(
        load(&calendar, "a.ics").text,
        "# One\n\nLocation: A\nReminder: Bring the, keys\n\n# Two\n"
    );
}

#[test]
fn what_has_no_end_ends_where_the_next_begins() {
    let cards = "BEGIN:VCARD\nFN:Ann\nTEL:1\nBEGIN:VCARD\nFN:Bob\nEND:VCARD\n";
    assert_eq!(load(cards, "a.vcf").text, "# Ann\n\nPhone: 1\n\n# Bob\n");
    let calendar = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:One\nLOCATION:A\nBEGIN:VALARM\n\
        BEGIN:VEVENT\nSUMMARY:Two\nEND:VEVENT\nX-WR-CALNAME:Town\nEND:VCALENDAR\n";
    let document = load(calendar, "a.ics");
    assert_eq!(document.text, "# One\n\nLocation: A\n\n# Two\n");
    assert_eq!(document.metadata.title.as_deref(), Some("Town"));
}

#[cfg(feature = "email")]
#[test]
fn invitations_in_mail_are_read_behind_the_text() {
    let mail = "Subject: Meeting\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n\
        --b\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Budget\r\n\
        LOCATION:Room 12\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n\
        --b\r\nContent-Type: text/plain\r\n\r\nPlease come.\r\n--b--\r\n";
    let text = load(mail, "a.eml").text;
    assert_eq!(
        text,
        "# Meeting\n\nPlease come.\n\n## text/calendar\n\n### Budget\n\nLocation: Room 12\n"
    );
}

#[test]
fn subtitles_are_a_transcript() {
    let cues = "1\n00:00:01,000 --> 00:00:02,000\n<i>The rent</i>\n\n2\n00:00:02,000 --> 00:00:03,000\nis 1,250 EUR.\n";
    let document = load(cues, "a.srt");
    assert_eq!(document.format, Format::Subtitles);
    assert_eq!(document.text, "[00:00:01] The rent is 1,250 EUR.\n");
}
