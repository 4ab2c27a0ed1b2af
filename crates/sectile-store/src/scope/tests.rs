//! Which documents and sections are in a scope.

use serde_json::json;

use super::*;

fn metadata(value: Value) -> Metadata {
    serde_json::from_value(value).unwrap()
}

fn has(scope: &Scope, value: Value) -> bool {
    scope.has_document("file:///docs/a%20b/guide.md", "de", &metadata(value), None)
}

#[test]
fn paths_are_matched_as_globs() {
    let has = |pattern: &str| {
        let scope = Scope::all().with_path(pattern).unwrap();
        has(&scope, json!({}))
    };
    assert!(has("*.md") && has("docs/**/*.md") && has("/docs/a b/*") && has("**/guide.md"));
    assert!(!has("docs/*.md") && !has("*.txt") && !has("/guide.md"));
    assert!(has("./guide.md") && has("docs/") && has("a b/") && has("/docs/") && has("./"));
    assert!(!has("doc/") && !has("/a b/") && !has("guide.md/"));
    let error = Scope::all().with_path("a[").unwrap_err();
    assert!(error.to_string().contains("path=a["), "{error}");
    let any = Scope::all().with_paths(["*.txt", "docs/**"]).unwrap();
    let neither = Scope::all().with_paths(["*.txt", "x/**"]).unwrap();
    let guide = "file:///docs/a%20b/guide.md";
    assert!(any.has_document(guide, "", &Metadata::default(), None));
    assert!(!neither.has_document(guide, "", &Metadata::default(), None));
    let web = Scope::all().with_path("https://example.org/**").unwrap();
    assert!(!web.has_document("ftp://example.org/a", "", &Metadata::default(), None));
}

#[test]
fn the_path_of_a_page_is_written_as_its_address_or_as_it_is_read() {
    let page = "https://example.org/wiki/Gr%C3%B6%C3%9Fe%20A";
    for (pattern, is_its) in [
        ("wiki/Gr\u{f6}\u{df}e A", true),
        ("wiki/Gr%C3%B6%C3%9Fe%20A", true),
        ("https://example.org/wiki/Gr\u{f6}\u{df}e*", true),
        ("wiki/*", true),
        ("wiki/Gr\u{f6}\u{df}e", false),
    ] {
        let scope = Scope::all().with_path(pattern).unwrap();
        let has = scope.has_document(page, "", &Metadata::default(), None);
        assert_eq!(has, is_its, "{pattern}");
    }
}

#[test]
fn paths_are_matched_with_the_marks_of_letters_apart_or_not() {
    let apart = "file:///v/O%CC%88ffi/Mu%CC%88ller.md";
    let as_one = "file:///v/%C3%96ffi/M%C3%BCller.md";
    for pattern in [
        "\u{d6}ffi/",
        "O\u{308}ffi/",
        "M\u{fc}ller.md",
        "Mu\u{308}ll*",
    ] {
        let scope = Scope::all().with_path(pattern).unwrap();
        for uri in [apart, as_one] {
            assert!(scope.has_document(uri, "", &Metadata::default(), None));
        }
        let other = "file:///v/Offi/Muller.md";
        assert!(!scope.has_document(other, "", &Metadata::default(), None));
    }
}

#[test]
fn a_tag_is_found_with_those_below_it() {
    let said = || json!({"tags": ["Lang/Dotnet", "#draft", 7], "topics": ["lang/dotnet"]});
    let has = |name: &str, value: &str| {
        let scope = Scope::all().with_field(name, value.into());
        has(&scope, said())
    };
    for tag in [
        "lang",
        "#lang",
        "lang/",
        "lang/dotnet",
        "lang/dotnet/",
        "draft",
        "DRAFT",
        "7",
    ] {
        assert!(has("tags", tag), "{tag}");
    }
    for tag in [
        "la",
        "la/",
        "/",
        "dotnet",
        "lang/dot",
        "lang/dotnet/x",
        "draft/lang",
    ] {
        assert!(!has("tags", tag), "{tag}");
    }
    assert!(!has("topics", "lang"));
    let in_a_row = json!({"tags": "one, two/three"});
    let scope = Scope::all().with_field("tags", "two".into());
    assert!(self::has(&scope, in_a_row));
}

#[test]
fn fields_are_compared_as_written_and_within_lists() {
    let has = |name: &str, value: Value| {
        let said = json!({"author": "Ada", "year": 2023, "tags": ["x", 7], "draft": false});
        has(&Scope::all().with_field(name, value), said)
    };
    assert!(has("author", json!("Ada")) && has("year", json!("2023")));
    assert!(has("tags", json!("7")) && has("draft", json!(false)));
    assert!(!has("author", json!("ada")) && !has("missing", Value::Null));
}

#[test]
fn a_number_is_the_same_with_and_without_a_point() {
    let has =
        |value: Value, said: Value| has(&Scope::all().with_field("n", value), json!({ "n": said }));
    assert!(has(json!(1.0), json!(1)) && has(json!(1), json!(1.0)));
    assert!(has(json!(-0.0), json!(0)) && has(json!(2.0), json!([1, 2])));
    assert!(has(json!("1.0"), json!(1.0)) && has(json!(1e300), json!(1e300)));
    assert!(has(json!(u64::MAX), json!(u64::MAX)));
    assert!(!has(json!("1.0"), json!(1)) && !has(json!(1.5), json!(1)));
    assert!(!has(
        json!(9_007_199_254_740_993_u64),
        json!(9_007_199_254_740_992.0)
    ));
    assert!(!has(json!(1e300), json!(1e301)) && !has(json!(true), json!(1)));
}

#[test]
fn one_of_several_authors_and_a_language_are_found() {
    let has = |name: &str, value: &str, said: Value| {
        has(&Scope::all().with_field(name, value.into()), said)
    };
    for authors in [
        "Ada Lovelace, Grace Hopper",
        "Ada Lovelace; Grace Hopper",
        "Ada Lovelace and Grace Hopper",
    ] {
        for one in ["Ada Lovelace", "Grace Hopper", authors] {
            assert!(
                has("author", one, json!({"author": authors})),
                "{one} of {authors}"
            );
        }
        assert!(!has("author", "Ada", json!({"author": authors})));
    }
    assert!(has("language", "de", json!({})), "it is indexed so");
    assert!(has("language", "en", json!({"language": "en-GB"})));
    assert!(has("language", "en-GB", json!({"language": "en-GB"})));
    assert!(
        !has("language", "en", json!({"language": "enm"})) && !has("language", "fr", json!({}))
    );
}

#[test]
fn dates_are_compared_as_far_as_they_are_given() {
    let scope = |since: &str, until: &str| {
        let scope = Scope::all().with_since(since).unwrap();
        scope.with_until(until).unwrap()
    };
    let of_may = json!({"created": "2024-05-31T23:00:00Z"});
    assert!(has(&scope("2024", "2024-05"), of_may.clone()));
    assert!(has(&scope("2024-05-31", "2024"), of_may.clone()));
    assert!(!has(&scope("2024-06", "2025"), of_may.clone()));
    assert!(!has(&scope("2020", "2024-05-30"), of_may));
    assert!(has(&scope("2024", "2024"), json!({"date": "2024-01-01"})));
    assert!(!has(&scope("2024", "2024"), json!({})));
    // What is written in another way is no date, rather than later than all of them.
    assert!(!has(
        &scope("2024", "2024"),
        json!({"created": "May 31, 2024"})
    ));
    let both = json!({"created": "May 31, 2024", "date": "2024-05-31"});
    assert!(has(&scope("2024", "2024"), both));
    for wrong in [
        "May",
        "2024-13",
        "2024-00",
        "2024-06-31",
        "0000",
        "24",
        "2024-5",
        "2024-05-31T",
    ] {
        assert!(Scope::all().with_since(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn what_has_no_date_is_as_old_as_its_memory_or_undated() {
    // 2024-02-29.
    let stored = Some(1_709_164_800_000);
    let scope = Scope::all().with_since("2024-02").unwrap();
    let scope = scope.with_until("2024-02-29").unwrap();
    let undated = scope.undated().unwrap();
    for (uri, said, is_in, is_undated) in [
        ("memory:1", json!({}), true, false),
        ("knowledge:1", json!({}), true, false),
        ("memory:1", json!({"date": "2023-01-01"}), false, false),
        ("file:///a.md", json!({}), false, true),
        ("file:///a.md", json!({"date": "2024-02-01"}), true, false),
    ] {
        let metadata = metadata(said);
        let has = |scope: &Scope| scope.has_document(uri, "", &metadata, stored);
        assert_eq!((has(&scope), has(&undated)), (is_in, is_undated), "{uri}");
    }
    assert!(Scope::all().undated().is_none());
}

#[test]
fn filters_are_read_as_typed() {
    let has = |filter: &str| {
        let scope = Scope::all().with_filter(filter).unwrap();
        let said = json!({"team": "red", "path": "x", "year": 2023, "created": "2024-05-31"});
        has(&scope, said) && scope.has_section(2, &["Methods".to_owned()])
    };
    let right = "path=*.md heading=methods level=2 level=1-3 since=2024 until=2024 team=red \
                 year=2023 metadata.path=x";
    assert!(right.split(' ').all(has));
    let wrong = "path=*.txt heading=x level=3 since=2025 until=2023 team=blue other=x";
    assert!(!wrong.split(' ').any(has));
    for filter in [
        "team",
        "=red",
        "level=a",
        "level=1-",
        "level=3-1",
        "since=soon",
        "path=[",
        "path=",
        "path= ",
        "heading=",
        "heading=?!",
        "team=",
        "since=",
    ] {
        let error = Scope::all().with_filter(filter).unwrap_err().to_string();
        assert!(error.contains(filter), "{error}");
    }
}

#[test]
fn sections_without_a_heading_are_outside() {
    let path = ["Guide".to_owned(), "METHODS used".to_owned()];
    let scope = Scope::all().with_heading("Methods");
    assert!(scope.has_section(2, &path));
    assert!(!scope.has_section(1, &path[..1]) && !scope.has_section(0, &[]));
    let scope = scope.with_levels(1..=1);
    assert!(!scope.has_section(2, &path));
    assert!(Scope::all().with_levels(0..=0).has_section(0, &[]));
}

#[test]
fn headings_are_matched_by_their_words() {
    let has = |filter: &str, heading: &str| {
        let scope = Scope::all().with_heading(filter);
        scope.has_section(1, &[heading.to_owned()])
    };
    for (filter, heading) in [
        ("c", "The C language"),
        ("C++", "Notes on C++."),
        ("well known", "Well-Known ports"),
        ("on-disk", "The on\u{2011}disk format"),
        ("input", "Input/Output (files)"),
        ("方法", "研究方法论"),
        ("uber uns", "\u{dc}ber uns"),
        ("grosse", "Die Gro\u{308}\u{df}e"),
        ("", "Any"),
    ] {
        assert!(has(filter, heading), "{filter} {heading}");
    }
    for (filter, heading) in [
        ("c", "Code"),
        ("c", "C++"),
        ("known well", "Well-known ports"),
        ("meth", "Methods"),
        ("\u{fc}ber", "Uber uns"),
    ] {
        assert!(!has(filter, heading), "{filter} {heading}");
    }
}

#[test]
fn of_several_filters_all_have_to_match() {
    let with = |filters: &str| {
        let mut all = filters.split(' ');
        all.try_fold(Scope::all(), Scope::with_filter).unwrap()
    };
    let of_may = json!({"created": "2024-05-31"});
    for (filters, is_in) in [
        ("since=2024 since=2023", true),
        ("since=2025 since=2023", false),
        ("until=2024 until=2024-06", true),
        ("until=2024-04 until=2025", false),
    ] {
        assert_eq!(has(&with(filters), of_may.clone()), is_in, "{filters}");
    }
    let levels = with("level=1-3 level=2-4");
    let kept = (0..6).filter(|level| levels.has_section(*level, &[]));
    assert!(kept.eq(2..=3));
    assert!(!with("level=1 level=2").has_section(1, &[]));
}
