//! Values between commas, tabs and pipes.

use super::*;

fn load_csv(bytes: &[u8]) -> Document {
    load_bytes(bytes, Path::new("a.csv")).unwrap()
}

fn check_csv(source: &str, expected: &str) {
    assert_eq!(load_csv(source.as_bytes()).text, expected, "{source:?}");
}

#[test]
fn the_delimiter_is_found_by_the_rows() {
    check_csv(
        "a;b\n1,5;2\n2,5;3\n",
        "| a | b |\n| --- | --- |\n| 1,5 | 2 |\n| 2,5 | 3 |\n",
    );
    check_csv(
        "a\tb\nx, y\tz\n",
        "| a | b |\n| --- | --- |\n| x, y | z |\n",
    );
    check_csv("a|b\n1|2\n", "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    check_csv("sep=;\na;b,c,d\n", "| a | b,c,d |\n| --- | --- |\n");
    check_csv(
        "1,5;2,5;3,25\n2,5;3,5;4,75\n",
        "| 1,5 | 2,5 | 3,25 |\n| --- | --- | --- |\n| 2,5 | 3,5 | 4,75 |\n",
    );
    check_csv(
        "Ann,1;2\nBob,3;4\n",
        "| Ann | 1;2 |\n| --- | --- |\n| Bob | 3;4 |\n",
    );
    check_csv("one\ntwo\n", "| one |\n| --- |\n| two |\n");
    check_csv("", "");
}

#[test]
fn fields_are_quoted_and_rows_ragged() {
    check_csv(
        "a,b\n\"x, \"\"y\"\"\nz\",p|q\n1\n\n1,2,3,\n",
        "| a | b |  |\n| --- | --- | --- |\n| x, \"y\" z | p\\|q |\n| 1 |\n| 1 | 2 | 3 |\n",
    );
    check_csv(
        "a, b, c\n1, \"x, \"\"y\"\"\", 3\n\"2, 5\",  \"z\" , 4\n5, \"6\" inch, 7\n",
        "| a | b | c |\n| --- | --- | --- |\n| 1 | x, \"y\" | 3 |\n| 2, 5 | z | 4 |\n| 5 | \"6\" inch | 7 |\n",
    );
    check_csv(
        "Prices\n\na,b\n1,2\n",
        "Prices\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n",
    );
}

#[test]
fn values_are_decoded() {
    let wide: Vec<u8> = "a,b\n1,é\n"
        .chars()
        .map(u32::from)
        .flat_map(u32::to_be_bytes)
        .collect();
    let document = load_csv(&wide);
    assert_eq!(document.text, "| a | b |\n| --- | --- |\n| 1 | é |\n");
    let document = load_csv(b"\xFF\xFEn\0;\0\xE9\0\n\0");
    assert_eq!(document.text, "| n | é |\n| --- | --- |\n");
    assert_eq!(document.metadata.encoding.as_deref(), Some("UTF-16LE"));
    assert_eq!(document.metadata.extra["delimiter"], ";");
}

#[test]
fn quotes_in_fields_may_stand_behind_backslashes() {
    check_csv(
        "id,text,n\n1,\"He said \\\"yes, now\\\" loudly\",5\n2,\"plain, too\",6\n",
        "| id | text | n |\n| --- | --- | --- |\n| 1 | He said \"yes, now\" loudly | 5 |\n| 2 | plain, too | 6 |\n",
    );
    check_csv(
        "a;b\n\"x \\\"y\\\" z\";1\n",
        "| a | b |\n| --- | --- |\n| x \"y\" z | 1 |\n",
    );
    // A path that ends with a backslash.
    check_csv(
        "a,b\n\"C:\\x\\\",5\n\"D:\\y\\\",6\n",
        "| a | b |\n| --- | --- |\n| C:\\x\\ | 5 |\n| D:\\y\\ | 6 |\n",
    );
}

#[test]
fn fields_may_be_quoted_by_single_quotes() {
    check_csv(
        "id,note\n1,'a,b'\n2,'it''s,d'\n3,'e'\n",
        "| id | note |\n| --- | --- |\n| 1 | a,b |\n| 2 | it's,d |\n| 3 | e |\n",
    );
    // These are letters.
    check_csv(
        "year,song\n'68,'Tis\n'69,Don't\n",
        "| year | song |\n| --- | --- |\n| '68 | 'Tis |\n| '69 | Don't |\n",
    );
    // So they are where rows would be equally long without those between two of them.
    check_csv(
        "name,words\na,'tis b, c\nd,'twas e\nf,g\n",
        "| name | words |  |\n| --- | --- | --- |\n| a | 'tis b | c |\n| d | 'twas e |\n| f | g |\n",
    );
}

#[test]
fn a_single_quote_that_nothing_closes_is_a_letter_of_its_field() {
    let rows = 10_000;
    check_csv(
        &format!("id,note\n{}2,'90s\n3,'c,d'\n", "1,'a,b'\n".repeat(rows)),
        &format!(
            "| id | note |\n| --- | --- |\n{}| 2 | '90s |\n| 3 | c,d |\n",
            "| 1 | a,b |\n".repeat(rows)
        ),
    );
}

#[test]
fn values_between_pipes_are_a_table() {
    let document = load_bytes(b"a|b\n1|2\n", Path::new("a.psv")).unwrap();
    assert_eq!(document.format, Format::Csv);
    assert_eq!(document.text, "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
}

#[test]
fn comments_stand_above_the_table() {
    let table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n";
    check_csv(
        "# made, by hand\n# \"two\na,b\n1,2\n",
        &format!("# made, by hand\n\n# \"two\n\n{table}"),
    );
    check_csv(
        "## x\r\n#a,b\r\n1,2\r\n",
        &format!("## x\n\n{}", table.replace("| a", "| #a")),
    );
    check_csv("# a,b\n1,2\n", &table.replace("| a", "| # a"));
    check_csv("# a,b\n", "| # a | b |\n| --- | --- |\n");
}

#[test]
fn a_quote_that_nothing_closes_does_not_swallow_the_table() {
    let rows = (0..30_000).fold(String::from("size,name\n\"5 inch,a\n"), |mut rows, row| {
        let _ = writeln!(rows, "{row},name");
        rows
    });
    let text = load_csv(rows.as_bytes()).text;
    assert!(text.contains("\n| 29999 | name |\n"));
}

#[test]
fn quotes_that_are_letters_part_no_rows() {
    let tabs = "id\ttitle\tyear\n1\t\"Hello\t2001\n2\tPlain\t2002\n3\tsays \"hi\"\t2003\n4\t\"6\" nails\"\t2004\n";
    assert_eq!(
        load_bytes(tabs.as_bytes(), Path::new("a.tsv"))
            .unwrap()
            .text,
        "| id | title | year |\n| --- | --- | --- |\n| 1 | \"Hello | 2001 |\n| 2 | Plain | 2002 |\n\
         | 3 | says \"hi\" | 2003 |\n| 4 | \"6\" nails\" | 2004 |\n",
    );
    check_csv(
        "a,b\n\"x,1\ny,2\n\"z\" and more,3\n\"p,\nq\",4\n",
        "| a | b |\n| --- | --- |\n| \"x | 1 |\n| y | 2 |\n| \"z\" and more | 3 |\n| p, q | 4 |\n",
    );
}

#[test]
fn one_wide_row_among_many_costs_no_more_than_it_has() {
    let source = format!(
        "{}\n{}",
        "x,".repeat(200_000) + "x",
        "a,b\n".repeat(200_000)
    );
    assert!(load_csv(source.as_bytes()).text.len() < 5 * source.len());
}

#[test]
fn chunks_of_a_table_keep_rows_whole_and_repeat_the_head() {
    let rows = (0..500).fold(String::from("number,name\n"), |mut rows, row| {
        let _ = writeln!(rows, "{row},a name of some length");
        rows
    });
    let text = load_csv(rows.as_bytes()).text;
    let chunker = sectile_chunk::MarkdownChunker::default();
    let chunks = chunker.chunks(&text, &sectile_chunk::Heuristic);
    assert!(chunks.len() > 3);
    for chunk in &chunks {
        let text = &chunk.chunk.text;
        assert!(
            text.starts_with("| number | name |\n| --- | --- |\n"),
            "{text}"
        );
        assert!(
            text.lines()
                .all(|line| line.starts_with("| ") && line.ends_with(" |"))
        );
    }
}
