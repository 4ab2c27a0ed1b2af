//! Words and lines of letters that are drawn apart.

use super::*;

#[test]
fn a_table_of_contents_stays_in_lines() {
    let dots = " .".repeat(40);
    let lines = [
        ("1", "Scope", "1"),
        ("1.1", "General", "2"),
        ("1.2", "Terms", "4"),
        ("2", "Delivery", "9"),
    ];
    let content: String = (0..).zip(lines).fold(String::new(), |all, (row, (number, title, page))| {
        let y = 700.0 - 14.0 * f64::from(row);
        let line = format!(
            "BT /F1 11 Tf 72 {y} Td ({number}) Tj 40 0 Td ({title}{dots}) Tj 400 0 Td ({page}) Tj ET\n"
        );
        all + &line
    });
    let text = Made::new(&content).load().text;
    let found: Vec<String> = text
        .lines()
        .map(|line| {
            line.replace('.', " ")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(
        found,
        ["1 Scope 1", "1 1 General 2", "1 2 Terms 4", "2 Delivery 9"]
    );
}

#[test]
fn words_are_told_by_the_gaps_between_their_letters() {
    let mut typed = String::new();
    for (index, letter) in "June 30, 2022 and after".chars().enumerate() {
        typed += &at(72.0 + 6.2 * index as f64, 700.0, &letter.to_string());
    }
    check(&typed, "June 30, 2022 and after");
    let tracked = "BT /F1 11 Tf 1.5 Tc 72 700 Td (Set apart on purpose) Tj ET";
    check(tracked, "Set apart on purpose");
    let kerned = "BT /F1 11 Tf 72 700 Td [(Hello)-300(World)-50(ing)-300(T)80(est)] TJ ET";
    check(kerned, "Hello Worlding Test");
    let ticks: String = (1..=12).fold(String::new(), |mut all, tick: i32| {
        let _ = write!(
            all,
            "{}",
            at(72.0 + 14.1 * f64::from(tick), 700.0, &tick.to_string())
        );
        all
    });
    let found = Made::new(&ticks).load().text;
    assert_eq!(found.split_whitespace().count(), 12, "{found}");
}

#[test]
fn words_beside_type_of_a_fixed_pitch_are_told_by_their_own_gaps() {
    let typed = "[(licencetext) -600 (basetext) -600 (lppltexts) -600 (macros)]";
    check(
        &format!("BT /F2 11 Tf 72 700 Td {typed} TJ /F1 11 Tf [-278 (for) -278 (details)] TJ ET"),
        "licencetext basetext lppltexts macros for details",
    );
    // Words of such type in other text have its spaces.
    check(
        "BT /F2 11 Tf 72 700 Td [(Yetsome) -230 (whenever) -230 (anyone)] TJ /F1 11 Tf [-230 (do)] TJ ET",
        "Yetsome whenever anyone do",
    );
    // Digits are as wide as each other; signs beside them may be wider.
    check(
        "BT /F1 11 Tf 72 700 Td [(30000) -400 (110000) -400 (41%4000) -400 (12000) -400 (30%5000)] TJ ET",
        "30000 110000 41%4000 12000 30%5000",
    );
}

#[test]
fn what_is_printed_again_for_weight_is_read_once() {
    let bold: String = [0.0, 0.3, 0.6]
        .map(|by| at(72.0 + by, 700.0, "Bold Heading of a book"))
        .concat();
    check(&bold, "Bold Heading of a book");
    // Letters that are really there twice.
    check(&at(72.0, 700.0, "illness of a well"), "illness of a well");
}

#[test]
fn hyphens_of_words_stay_and_those_of_lines_go() {
    let lines = [
        "This is a docu-",
        "ment about well-",
        "known things and e-",
        "mail in UTF-",
        "8 of Kuber-",
        "netes.",
    ];
    let mut content = String::new();
    for (number, line) in lines.iter().enumerate() {
        content += &at(72.0, 700.0 - 14.0 * number as f64, line);
    }
    let text = Made::new(&content).load().text;
    let words: Vec<&str> = text.split_whitespace().collect();
    let expected = "This is a document about well-known things and e-mail in UTF-8 of Kubernetes.";
    assert_eq!(words.join(" "), expected);
}

#[test]
fn lines_that_their_writer_ended_are_lines() {
    let lines = ["Ada Example", "12 Long Street", "Townsville 4811"];
    let mut content = String::new();
    for (number, line) in lines.iter().enumerate() {
        content += &at(72.0, 700.0 - 13.0 * number as f64, line);
    }
    check(&content, &lines.join("\n"));
}

#[test]
fn lines_that_are_drawn_from_below_are_read_from_above() {
    let lines = [
        "Alexis de Lattre",
        "35 rue du Logiciel",
        "Villeurbanne, France",
    ];
    let upward = lines.iter().enumerate().rev();
    let content: String = upward
        .map(|(row, line)| at(72.0, 700.0 - 14.0 * row as f64, line))
        .collect();
    check(&content, &lines.join("\n"));
    // A value may be drawn before what it is called.
    let content = at(132.0, 700.0, "19 April 2014")
        + &at(72.0, 700.0, "Order date:")
        + &at(132.0, 686.0, "12572103")
        + &at(72.0, 686.0, "Order no.:");
    check(&content, "Order date:  19 April 2014\nOrder no.:  12572103");
    // The labels of an axis stay as they are drawn.
    let content: String = (0..4)
        .map(|row| {
            at(
                72.0,
                600.0 + 14.0 * f64::from(row),
                &format!("{}", row * 50),
            )
        })
        .collect();
    let text = Made::new(&content).load().text;
    assert!(
        text.split_whitespace().eq(["0", "50", "100", "150"]),
        "{text}"
    );
}

#[test]
fn accents_that_are_drawn_apart_belong_to_their_letters() {
    // Helvetica at 11 points: an accent is 3.66 wide, `u` and `e` 6.12, `M` 9.16, `Lyc` 17.1.
    let before = at(72.0, 700.0, "M") + &at(82.4, 700.0, "\\250") + &at(81.2, 700.0, "uhlenberg");
    check(&before, "Mühlenberg");
    let behind =
        at(72.0, 700.0, "Lyce") + &at(90.3, 700.0, "\\264") + &at(95.2, 700.0, "e de Paris");
    check(&behind, "Lycée de Paris");
    // By itself it is a letter as others.
    check(
        &at(72.0, 700.0, "rock \\264n\\264 roll \\250"),
        "rock ´n´ roll ¨",
    );
}

#[test]
fn numbers_of_lines_in_the_margin_stand_before_their_lines() {
    let lines = [
        "circumstances may include, but it is not limited to, a change in the job,",
        "the power to earn, or income or receipt of an ongoing source of income from",
        "a pension, a gift, or what is won at a game or a race. An order may then be",
        "seen once more after one year if the office finds that it was not sent to a",
    ];
    let mut content = String::new();
    let mut expected = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let (y, number) = (700 - 22 * index, (index + 1).to_string());
        for (x, text) in [(99, *line), (75, &*number)] {
            let _ = writeln!(content, "BT /F2 10 Tf {x} {y} Td ({text}) Tj ET");
        }
        expected.push(number);
        expected.extend(line.split(' ').map(str::to_owned));
    }
    let text = Made::new(&content).load().text;
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), expected);
}

#[test]
fn numbers_of_the_lines_of_running_text_part_no_sentence() {
    let lines = [
        "The first line of the paragraph goes on into the next one with a hyphen-",
        "ated word, and the second of them ends with a word that is whole here",
        "which the third line goes on with until it ends with another hyphen-",
        "ated word, so that the fourth line is broken as well as the others are",
        "and the fifth line ends without any hyphen and without a full stop so",
        "that the sixth goes on with the sentence until it comes to its own end.",
        "Then a second sentence begins on the seventh line, which is as long as",
        "the others, and it ends on the eighth line of this same paragraph here.",
        "a ninth line goes on with it, and it is as long as the others are here.",
    ];
    let text = lines.join(" ").replace("hyphen- ated", "hyphenated");
    for (step, size, is_first) in [(1, 11, false), (1, 6, false), (2, 6, false), (2, 8, true)] {
        let mut content = String::new();
        let mut numbers = Vec::new();
        for (line, text) in (1..).zip(lines) {
            let y = 714 - 14 * line;
            let text = at(90.0, f64::from(y), text);
            let number = (line % step == 0).then(|| (line + 40).to_string());
            numbers.extend(number.clone());
            let number = number.map_or_else(String::new, |number| {
                format!("BT /F1 {size} Tf 60 {y} Td ({number}) Tj ET\n")
            });
            let [first, second] = if is_first {
                [number, text]
            } else {
                [text, number]
            };
            content += &(first + &second);
        }
        check(&content, &format!("{text}\n\n{}", numbers.join(" ")));
    }
}

#[test]
fn numbers_of_paragraphs_stay_before_them() {
    let lines = [
        "The first line of the paragraph goes on into the next one of the same",
        "paragraph, which ends with the third line of it, as the others do that",
        "stand below it with a number before each of them.",
    ];
    let mut content = String::new();
    for paragraph in 0..5 {
        for (line, text) in (0..).zip(lines) {
            let y = 700.0 - 14.0 * f64::from(4 * paragraph + line);
            content += &at(90.0, y, text);
            if line == 0 {
                content += &at(60.0, y, &(paragraph + 21).to_string());
            }
        }
    }
    let text = Made::new(&content).load().text;
    let words: Vec<&str> = text.split_whitespace().collect();
    let expected = (21..26).map(|number| format!("{number} {}", lines.join(" ")));
    assert_eq!(words.join(" "), expected.collect::<Vec<_>>().join(" "));
}

#[test]
fn numbers_of_rows_stay_before_them() {
    let rows = [
        "apples of the garden",
        "pears",
        "plums of the neighbours",
        "figs",
    ];
    let mut content = String::new();
    for (row, text) in (1..).zip(rows) {
        let y = 714.0 - 14.0 * f64::from(row);
        content += &(at(60.0, y, &row.to_string()) + &at(90.0, y, text));
    }
    let text = Made::new(&content).load().text;
    let places: Vec<usize> = ["1", "apples", "2", "pears", "3", "plums", "4", "figs"]
        .iter()
        .map(|part| text.find(part).unwrap())
        .collect();
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn numbers_of_rows_in_small_letters_stay_before_them() {
    let names = ["apples", "pears", "plums", "figs"];
    let cells = names.map(|name| (name, name.to_owned(), "twelve euros".to_owned()));
    let titles = [
        "introduction",
        "installation",
        "construction",
        "conservation",
    ];
    let contents = titles.map(|title| {
        let entry = format!("{title} of the parts . . . . . . . . . . . . . . . . . . . . . . 75");
        (title, entry, String::new())
    });
    for rows in [cells, contents] {
        let mut content = String::new();
        for (row, (_, text, behind)) in (1..).zip(&rows) {
            let y = 714.0 - 14.0 * f64::from(row);
            content += &(at(60.0, y, &(row + 10).to_string()) + &at(90.0, y, text));
            content += &at(300.0, y, behind);
        }
        let text = Made::new(&content).load().text;
        let parts = (11_i32..).zip(&rows).flat_map(|(number, (name, ..))| {
            let name: &str = name;
            [number.to_string(), name.to_owned()]
        });
        let places: Vec<usize> = parts.map(|part| text.find(&part).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
    }
}

#[test]
fn a_note_in_the_margin_stands_behind_the_paragraph_that_it_begins_beside() {
    let note = |y: f64, text: &str| format!("BT /F1 8 Tf 440 {y} Td ({text}) Tj ET\n");
    let content = at(
        72.0,
        700.0,
        "The first line of the paragraph is as long as it may be, and goes",
    ) + &at(
        72.0,
        686.0,
        "on in a second line that a note begins beside, in the margin of it,",
    ) + &note(686.0, "A note of several words")
        + &note(676.0, "goes on below its first")
        + &note(666.0, "line in the margin.")
        + &at(
            72.0,
            672.0,
            "and the paragraph goes on behind it, with a line more than these.",
        )
        + &at(72.0, 640.0, "Another paragraph has no note.");
    check(
        &content,
        "The first line of the paragraph is as long as it may be, and goes on in a second line that a note begins \
         beside, in the margin of it, and the paragraph goes on behind it, with a line more than these.\n\n\
         A note of several words\ngoes on below its first\nline in the margin.\n\n\
         Another paragraph has no note.",
    );
}

#[test]
fn a_line_that_is_drawn_between_letters_is_an_underscore() {
    // The first word is 14.7 points wide.
    let content =
        at(72.0, 700.0, "set") + &at(90.5, 700.0, "trigger") + "86.8 699.5 m 90.0 699.5 l .4 w S\n";
    check(&content, "set_trigger");
    let apart = at(72.0, 700.0, "set") + &at(90.5, 700.0, "trigger");
    check(&apart, "set trigger");
}

#[test]
fn typewritten_words_left_of_what_is_drawn_before_them_are_apart() {
    let content = "BT /F2 10 Tf 199 700 Td (income) Tj ET BT /F2 10 Tf 75 700 Td (2) Tj ET";
    let text = Made::new(content).load().text;
    assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["income", "2"]);
}
