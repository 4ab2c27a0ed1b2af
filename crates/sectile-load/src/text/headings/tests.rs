use super::*;
use crate::markup::lines;

fn check(text: &str, expected: &[(u8, &str)]) {
    let outline = outline(&lines(text));
    let found: Vec<_> = outline
        .iter()
        .map(|heading| (heading.level, heading.title.as_str()))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn underlined_titles_are_ranked_by_their_styles() {
    check(
        "====\nBook\n====\n\nOne\n===\nText.\n\nTwo\n---\n\nThree\n=====\n\nText.\n",
        &[(1, "Book"), (2, "One"), (3, "Two"), (2, "Three")],
    );
    check(
        "Notes on the use\n----------------------------------------------------------------\nText.\n",
        &[(1, "Notes on the use")],
    );
}

#[test]
fn parts_of_books_have_their_names() {
    check(
        "PART ONE\n\nCHAPTER I.\n\nFestival Customs.\n\nMany rites\nare gone.\n\nChapter 2 – The sea\n\nWaves.\n\n\
         APPENDIX A: Names\n\nText.\n",
        &[
            (1, "PART ONE"),
            (2, "CHAPTER I. Festival Customs."),
            (2, "Chapter 2 – The sea"),
            (2, "APPENDIX A: Names"),
        ],
    );
}

#[test]
fn releases_and_numbered_sections_are_headings() {
    check(
        "CHANGES FROM 3.7c TO 3.8\n\n* Many improvements:\n\n  - one\n\nCHANGES FROM 3.6 TO 3.7\n\n* One.\n",
        &[
            (1, "CHANGES FROM 3.7c TO 3.8"),
            (1, "CHANGES FROM 3.6 TO 3.7"),
        ],
    );
    check(
        "1.  Introduction\n\n   Text.\n\n1.1.  Terms\n\n   Text.\n\n2.  Limits ............ 5\n\n2.  Limits\n",
        &[(1, "1. Introduction"), (2, "1.1. Terms"), (1, "2. Limits")],
    );
}

#[test]
fn items_of_a_list_are_no_sections() {
    check(
        "1. Setup\n\nText.\n\n1.1 Steps\n\nText.\n\n1. Open the file\n\n2. Close it\n\nText.\n\n2. Use\n\nText.\n",
        &[(1, "1. Setup"), (2, "1.1 Steps"), (1, "2. Use")],
    );
}

#[test]
fn numbered_sections_with_text_need_no_parts() {
    let body = "Some words stand here,\nand more in this line,\nand in the last.\n\n";
    check(
        &format!("TERMS\n\n  0. Words.\n\n{body}  1. May I sell it?\n\n{body}  2. END\n\n{body}"),
        &[(1, "0. Words."), (1, "1. May I sell it?"), (1, "2. END")],
    );
}

#[test]
fn a_part_has_its_whole_number() {
    check(
        "Section 3.2\n\nLimits\n\nText\nand more.\n\nCHAPTER I.--THE SEA\n\nText.\n",
        &[(2, "Section 3.2 Limits"), (1, "CHAPTER I.--THE SEA")],
    );
}

#[test]
fn lines_in_capitals_are_headings_where_they_are_few() {
    let body =
        "Some words stand here,\nand more in this line,\nand again\nin the last.\n\n".repeat(2);
    check(
        &format!("THE DRILL.\n\n{body}CLOSE ORDER\n\n{body}"),
        &[(1, "THE DRILL."), (1, "CLOSE ORDER")],
    );
    check(&format!("THE DRILL.\n\n{body}"), &[]);
    let spoken = format!("HAMLET.\n\n{body}").repeat(6);
    check(&spoken, &[]);
    check("ABCD\n\nEFGH\n\nIJKL\n", &[]);
}

#[test]
fn the_only_line_in_capitals_before_the_first_chapter_is_the_title() {
    let body = "Some words stand here,\nand more in this line,\nand in the last.\n\n";
    let chapters = [(1, "Chapter I."), (1, "Chapter II.")];
    let book = format!("Chapter I.\n\n{body}{body}Chapter II.\n\n{body}");
    let title = (2, "PRIDE AND PREJUDICE");
    check(
        &format!("By Jane Austen\n\nPRIDE AND PREJUDICE\n\n{book}"),
        &[title, chapters[0], chapters[1]],
    );
    // Too many lines in capitals follow, and those that stand again and again.
    let cries = "HEAR ME!\n\nWHO IS IT?\n\nNOBODY!\n\n";
    check(
        &format!("PRIDE AND PREJUDICE\n\n{book}{cries}"),
        &[title, chapters[0], chapters[1]],
    );
    let heads = format!("PRIDE AND PREJUDICE\n\n{body}{body}{body}").repeat(6);
    check(
        &format!("PRIDE AND PREJUDICE\n\n{book}{heads}"),
        &[title, chapters[0], chapters[1]],
    );
    // Nothing else is one: what stands behind the first chapter, or beside others.
    check(&format!("{book}HEAR ME!\n\n{body}"), &chapters);
    check(&format!("{cries}{book}"), &chapters);
}

#[test]
fn quoted_letters_and_what_an_audience_does_are_no_headings() {
    let body = "Some words stand here,\nand more in this line,\nand in the last.\n\n".repeat(4);
    for line in [
        "“CAROLINE BINGLEY”",
        "\"CAROLINE BINGLEY\"",
        "“MY DEAR FRIEND,--",
        "MY DEAR FRIEND--",
        "MY DEAR FRIEND,—",
        "E. GARDINER.”",
        "‘JANE’",
        "«CHER AMI»",
        "„LIEBER FREUND“",
        "(APPLAUSE)",
        "(APPLAUSE.)",
    ] {
        let text = format!("THE LETTER\n\n{body}{line}\n\n{body}THE ANSWER (CONTINUED)\n\n{body}");
        check(&text, &[(1, "THE LETTER"), (1, "THE ANSWER (CONTINUED)")]);
    }
    check(&format!("(APPLAUSE)\n\n{body}(LAUGHTER)\n\n{body}"), &[]);
}

#[test]
fn acts_have_scenes() {
    check(
        "ACT I\n\nSCENE I. Elsinore.\n\nWho is\nthere?\n\nScene 2\n\nText\nof it.\n\nACT II\n\nSCENE I.\n\nText\nof it.\n",
        &[
            (1, "ACT I"),
            (2, "SCENE I. Elsinore."),
            (2, "Scene 2"),
            (1, "ACT II"),
            (2, "SCENE I."),
        ],
    );
}

#[test]
fn other_lines_are_no_headings() {
    let body = "Words in a line\nand in the next.\n\n".repeat(20);
    for text in [
        "Chapter 3 describes how it is done.\n\nText.\n",
        "Part of the text\n\nMore.\n",
        "1. Open the file\n\n2. Close the file\n\nText.\n",
        "Name   Size\n-----------\na      5\n",
        "a\nText below text\n---------------\n",
        "$ cmd --flag\n------------\n",
        "-----\n\n=====\n",
        "VAR=ABCD\n\nFOO_BAR\n\n",
        "  CHAPTER I.\n\n  II.  THE SEA      19\n\n",
        "日本語の行\n\n次の行です\n\n",
        "3.5 liters are needed for this.\n\nText.\n",
        "Section 3.2 describes how it is done\n\nText.\n",
        "Chapters\n\nChapter 3-4 are left out\n\nText.\n",
        "Version 1.2.3\n\nText.\n",
        "All of this is free.\n----------------------------------------------------------------\nText.\n",
    ] {
        check(&format!("{text}{body}"), &[]);
    }
}
