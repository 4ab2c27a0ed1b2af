//! Tests of the parts of documents.

use sectile_chunk::Characters;
use sectile_core::{ContentHash, Pages};

use super::*;

/// Makes a section of these lines and pages.
fn section(position: usize, lines: (usize, usize), pages: Option<(u32, u32)>) -> SectionRecord {
    SectionRecord {
        id: SectionId::derive("x", &[position.to_string()], 0),
        position,
        parent: None,
        level: 1,
        heading_path: vec![position.to_string()],
        lines: Lines {
            first: lines.0,
            last: lines.1,
        },
        pages: pages.map(|(first, last)| Pages { first, last }),
        tokens: 1,
        summary: None,
        content_hash: ContentHash::of(b""),
    }
}

/// A text of nine lines in three sections.
const TEXT: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9";

fn sections() -> Vec<SectionRecord> {
    vec![
        section(0, (1, 2), Some((1, 1))),
        section(1, (3, 6), Some((1, 3))),
        section(2, (7, 9), Some((4, 4))),
    ]
}

/// Reads a part of the text as a library does: the sections that are needed, and of these the
/// part.
fn read(part: &Part) -> Result<(Range<usize>, String, Lines)> {
    let place = place(&sections(), "x", Format::Text, part)?;
    let positions = place.positions.clone();
    let contents = ["1\n2\n", "3\n4\n5\n6\n", "7\n8\n9"];
    let text = contents[positions.clone()].concat();
    let passage = place.passage("x", &text, 0, None, &Characters)?;
    Ok((positions, passage.text, passage.lines))
}

#[test]
fn lines_are_read_out_of_the_sections_that_hold_them() {
    let lines = |lines| read(&Part::Lines(lines)).unwrap();
    let of = |first, last| Lines { first, last };
    assert_eq!(lines(1..=1), (0..1, "1\n".into(), of(1, 1)));
    assert_eq!(lines(2..=3), (0..2, "2\n3\n".into(), of(2, 3)));
    assert_eq!(lines(4..=5), (1..2, "4\n5\n".into(), of(4, 5)));
    assert_eq!(lines(9..=9), (2..3, "9".into(), of(9, 9)));
    assert_eq!(lines(8..=usize::MAX), (2..3, "8\n9".into(), of(8, 9)));
    assert_eq!(lines(1..=9), (0..3, TEXT.into(), of(1, 9)));
}

#[test]
fn pages_are_read_by_sections() {
    let pages = |pages| read(&Part::Pages(pages)).unwrap().0;
    assert_eq!(pages(1..=1), 0..2);
    assert_eq!(pages(2..=2), 1..2);
    assert_eq!(pages(3..=9), 1..3);
    assert_eq!(pages(4..=4), 2..3);
}

#[test]
fn what_is_not_there_is_refused_with_how_much_there_is() {
    for (lines, said) in [
        (10..=12, " 10-12; it has 9"),
        (0..=3, " 0-3; it has 9"),
        (10..=10, " 10; it has 9"),
        (10..=usize::MAX, " 10-; it has 9"),
    ] {
        let error = read(&Part::Lines(lines)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    for (pages, said) in [
        (5..=6, " 5-6; it has 4, numbered"),
        (0..=1, " 0-1; it has 4, numbered"),
        (5..=5, " 5; it has 4, numbered"),
        (5..=u32::MAX, " 5-; it has 4, numbered"),
    ] {
        let error = read(&Part::Pages(pages)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
    let reversed = [Part::Lines(4..=3), Part::Pages(4..=3)];
    assert!(reversed.iter().all(|part| read(part).is_err()));
    let pageless = [section(0, (1, 1), None)];
    let error = place(&pageless, "x", Format::Text, &Part::Pages(1..=1)).unwrap_err();
    assert_eq!(error.to_string(), "`x` has no pages; ask for lines");
    assert!(place(&[], "x", Format::Text, &Part::Lines(1..=1)).is_err());
}

#[test]
fn a_heading_may_be_written_as_in_markdown() {
    let mut sections = sections();
    sections[0].heading_path = vec!["Start".into()];
    sections[1].heading_path = vec!["# Start".into()];
    sections[2].heading_path = vec!["#tag".into()];
    for (heading, expected) in [
        ("Start", Some(0)),
        ("## Start", Some(0)),
        ("# start", Some(1)),
        ("#tag", Some(2)),
        ("# #tag", Some(2)),
        // It may be either.
        ("#Start", None),
        ("tag", Some(2)),
    ] {
        let found = find_heading(&sections, "x", Format::Markdown, heading).ok();
        assert_eq!(found, expected, "{heading}");
    }
}

#[test]
fn a_heading_may_hold_what_stands_between_headings() {
    let mut sections = sections();
    let path = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    sections[0].heading_path = path(&["Guide"]);
    sections[1].heading_path = path(&["Guide", "Install > now"]);
    sections[2].heading_path = path(&["Guide", "Install > now", "x > y"]);
    for (heading, expected) in [
        ("Install > now", Some(1)),
        ("guide  > install >  now", Some(1)),
        ("## Install > now", Some(1)),
        ("Install > now > x > y", Some(2)),
        ("now > x > y", None),
        ("now", None),
    ] {
        let found = find_heading(&sections, "x", Format::Markdown, heading).ok();
        assert_eq!(found, expected, "{heading}");
    }
    let error = find_heading(&sections, "x", Format::Markdown, "Instal > now").unwrap_err();
    assert!(error.to_string().contains("`Install > now`"), "{error}");
}

#[test]
fn a_heading_is_found_as_it_is_typed_from_memory() {
    let mut sections = sections();
    let path = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    sections[0].heading_path = path(&["\u{dc}ber uns", "Gr\u{f6}\u{df}e pr\u{fc}fen"]);
    sections[1].heading_path = path(&["[[Ziel|Alias Titel]]", "1.2 Install `foo()` now!"]);
    sections[2].heading_path = path(&["\u{a7} 433 Kauf", "Don\u{2019}t panic"]);
    for (heading, expected) in [
        ("grosse PRUFEN", Some(0)),
        ("#gr\u{f6}\u{df}e-pr\u{fc}fen", Some(0)),
        ("Gro\u{308}\u{df}e  pru\u{308}fen ", Some(0)),
        ("\u{dc}ber uns#Gr\u{f6}\u{df}e pr\u{fc}fen", Some(0)),
        ("Uber uns/Gr\u{f6}\u{df}e pr\u{fc}fen", Some(0)),
        ("1.2 install foo now", Some(1)),
        ("12-install-foo-now", Some(1)),
        ("1.2", Some(1)),
        ("1.2 Install", None),
        ("1", None),
        ("Alias Titel > 1.2", None),
        ("dont panic", Some(2)),
        ("Don't panic", Some(2)),
        ("\u{a7} 433", None),
        ("prufen", None),
        ("", None),
        ("?", None),
    ] {
        let found = find_heading(&sections, "x", Format::Markdown, heading).ok();
        assert_eq!(found, expected, "{heading}");
    }
    sections[1].heading_path = path(&["[[Ziel|Alias Titel]]"]);
    sections[2].heading_path = path(&["\u{a7} 433 Kauf"]);
    for (heading, expected) in [
        ("alias titel", Some(1)),
        ("\u{a7} 433", Some(2)),
        ("433", Some(2)),
        ("\u{a7}433", Some(2)),
        ("\u{a7} 43", None),
        ("Kauf", None),
    ] {
        let found = find_heading(&sections, "x", Format::Markdown, heading).ok();
        assert_eq!(found, expected, "{heading}");
    }
}

#[test]
fn a_definition_is_found_by_its_name() {
    let paths: [&[&str]; 8] = [
        &["class Pool(Base)"],
        &[
            "class Pool(Base)",
            "def acquire(self, timeout: float = 1.0) -> Conn",
        ],
        &["func (s *Server[T]) Run(ctx context.Context) error"],
        &["void shapes::Circle::draw(int scale)"],
        &["impl<T> From<T> for Matrix<T>", "fn from(value: T) -> Self"],
        &["resource \"aws_vpc\" \"this\""],
        &["class Queue", "def acquire(self)"],
        &["def pool()"],
    ];
    let with_path = |(at, path): (usize, &&[&str])| SectionRecord {
        heading_path: path.iter().map(|&title| title.to_owned()).collect(),
        ..section(at, (at + 1, at + 1), None)
    };
    let sections: Vec<_> = paths.iter().enumerate().map(with_path).collect();
    let find = |heading| find_heading(&sections, "x", Format::Code, heading);
    for (heading, expected) in [
        ("Pool", Some(0)),
        ("Pool > acquire", Some(1)),
        ("Pool.acquire()", Some(1)),
        ("POOL::acquire", Some(1)),
        ("Run", Some(2)),
        ("Server.Run", Some(2)),
        ("Circle::draw", Some(3)),
        ("Matrix::from", Some(4)),
        ("Matrix<T>::from", Some(4)),
        ("aws_vpc.this", Some(5)),
        ("Queue#acquire", Some(6)),
        ("pool", Some(7)),
        ("acquir", None),
        ("Base", None),
        ("::", None),
    ] {
        assert_eq!(find(heading).ok(), expected, "{heading}");
    }
    let error = find("acquire").unwrap_err();
    assert!(matches!(error, Error::AmbiguousHeading { candidates, .. } if candidates.len() == 2));
    let prose = find_heading(&sections, "x", Format::Markdown, "Run");
    assert!(matches!(prose, Err(Error::NoSuchHeading { .. })));
}

#[test]
fn a_class_is_found_before_its_constructor_and_operators_by_their_signs() {
    let paths: [&[&str]; 5] = [
        &["class Pool"],
        &["class Pool", "public Pool(int size)"],
        &["bool Pool::operator==(const Pool& a)"],
        &["bool Pool::operator!=(const Pool& a)"],
        &["int& Pool::operator[](int at)"],
    ];
    let with_path = |(at, path): (usize, &&[&str])| SectionRecord {
        heading_path: path.iter().map(|&title| title.to_owned()).collect(),
        parent: (path.len() > 1).then_some(0),
        ..section(at, (at + 1, at + 1), None)
    };
    let mut sections: Vec<_> = paths.iter().enumerate().map(with_path).collect();
    for (heading, expected) in [
        ("Pool", Some(0)),
        ("Pool.Pool", Some(1)),
        ("operator==", Some(2)),
        ("Pool::operator!=", Some(3)),
        ("operator[]", Some(4)),
        ("operator+", None),
    ] {
        let found = find_heading(&sections, "x", Format::Code, heading).ok();
        assert_eq!(found, expected, "{heading}");
    }
    // A damaged store may say that sections stand in each other.
    sections[0].parent = Some(1);
    let found = find_heading(&sections, "x", Format::Code, "Pool.Pool");
    assert_eq!(found.ok(), Some(1));
}

#[test]
fn a_budget_is_kept_whatever_the_text() {
    let texts = [
        "one two. three four. five",
        "\n\n\n\n\n\n\n\n\n\n\n\nend",
        "ééééééééééééé",
        "🙂🙂🙂🙂🙂🙂",
    ];
    for text in texts {
        for max in 1..=30 {
            let first = first_tokens(text, max, &Characters).unwrap();
            let count = first.chars().count();
            assert!((1..=max).contains(&count), "{first:?} of {text:?} in {max}");
            assert!(text.starts_with(first));
        }
    }
    assert_eq!(first_tokens("", 3, &Characters).unwrap(), "");
    assert!(first_tokens("x", 0, &Characters).is_err());
    assert_eq!(
        first_tokens("One two. Three four.", 12, &Characters).unwrap(),
        "One two. "
    );
}

#[test]
fn a_text_is_cut_where_it_must_be() {
    let text = "x".repeat(10_000);
    for max in [1, 2, 63, 64, 65, 4_095, 9_999, 10_000, 20_000] {
        assert_eq!(within(&text, max, &Characters).len(), max.min(10_000));
    }
}
