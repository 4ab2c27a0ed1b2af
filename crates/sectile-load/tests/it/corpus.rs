//! Scores on the corpora of real files, as their README files define them. They run when
//! `SECTILE_CORPUS` names the folder that holds `pdf`, `docx`, `tables` and `html`. The last two have
//! a script of their own, `score.py`, which needs `python3`.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use sectile_load::{DocxOptions, FileLoader, LoadOptions, load_file};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;

use crate::support::fixture;

/// Returns the files of a folder of the corpus in order, none when there is no corpus.
fn files(folder: &str) -> Vec<PathBuf> {
    let Ok(corpus) = std::env::var("SECTILE_CORPUS") else {
        return Vec::new();
    };
    let entries = fs::read_dir(Path::new(&corpus).join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// Returns the reference that belongs to a file of a corpus.
fn reference(path: &Path, extension: &str) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let folder = path.parent().unwrap().with_file_name("reference");
    let long = folder.join(format!("{name}.{extension}"));
    let path = if long.exists() {
        long
    } else {
        folder.join(format!("{stem}.{extension}"))
    };
    fs::read_to_string(path).unwrap()
}

/// Cuts a text into the words that are compared.
fn words(text: &str) -> Vec<String> {
    let text: String = text.nfkc().filter(|&c| c != '\u{AD}').collect();
    let text = join_hyphenated(&text.to_lowercase());
    let mut words = vec![String::new()];
    for character in text.chars() {
        if is_own_word(character) {
            words.extend([character.to_string(), String::new()]);
        } else if character.is_alphanumeric() {
            words.last_mut().unwrap().push(character);
        } else {
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Joins words that are hyphenated over the end of a line.
fn join_hyphenated(text: &str) -> String {
    let mut joined = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('-') {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        let next = after.trim_start();
        let blank = &after[..after.len() - next.len()];
        let joins = before.ends_with(char::is_alphanumeric)
            && blank.contains('\n')
            && next.starts_with(char::is_alphanumeric);
        joined += before;
        joined += if joins { "" } else { "-" };
        rest = if joins { next } else { after };
    }
    joined + rest
}

fn is_own_word(character: char) -> bool {
    matches!(character, '\u{0E00}'..='\u{0E7F}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{AC00}'..='\u{D7AF}')
        && character.is_alphanumeric()
}

/// Counts the words that two texts have in common.
fn common(left: &[String], right: &[String]) -> f64 {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in left {
        *counts.entry(word).or_default() += 1;
    }
    let taken = right
        .iter()
        .filter(|word| match counts.get_mut(word.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        });
    taken.count() as f64
}

fn ratio(part: f64, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part / whole as f64 }
}

/// Prints the scores and returns their mean.
fn report(what: &str, mut scores: Vec<(f64, String)>) -> f64 {
    scores.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mean = scores.iter().map(|(score, _)| score).sum::<f64>() / scores.len() as f64;
    println!(
        "{what}: mean {mean:.4} over {} files; the lowest:",
        scores.len()
    );
    for (score, name) in scores.iter().take(8) {
        println!("  {score:.3} {name}");
    }
    mean
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Returns how alike the order of two lists of words is: the normalised Indel similarity, twice the
/// longest common subsequence over the lengths, of the first `most` words.
fn order(left: &[String], right: &[String], most: usize) -> f64 {
    let (left, right) = (
        &left[..left.len().min(most)],
        &right[..right.len().min(most)],
    );
    let mut row = vec![0_usize; right.len() + 1];
    for word in left {
        let mut diagonal = 0;
        for (index, other) in right.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if word == other {
                diagonal + 1
            } else {
                above.max(row[index])
            };
            diagonal = above;
        }
    }
    ratio(2.0 * row[right.len()] as f64, left.len() + right.len())
}

#[test]
fn real_pdfs_are_read() {
    let (mut scores, mut orders) = (Vec::new(), Vec::new());
    for path in files("pdf/files") {
        let document = load_file(&path).unwrap();
        let end = document.pages.iter().fold(0, |end, page| {
            assert_eq!(page.span.start, end, "{}", name(&path));
            page.span.end
        });
        assert_eq!(end, document.text.len());
        let (expected, found) = (words(&reference(&path, "txt")), words(&document.text));
        let score = ratio(
            2.0 * common(&expected, &found),
            expected.len() + found.len(),
        );
        scores.push((score, name(&path)));
        orders.push((order(&expected, &found, 8_000), name(&path)));
    }
    if !scores.is_empty() {
        assert!(report("F1 of PDF", scores) >= 0.99);
        assert!(report("order of PDF", orders) >= 0.95);
    }
}

/// Leaves out the addresses of links, which the reference does not have.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("](");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str("] ");
        kept.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    kept
}

#[test]
fn real_word_documents_are_read() {
    let (mut body, mut notes, mut orders) = (Vec::new(), Vec::new(), Vec::new());
    for path in files("docx/files") {
        let found = words(&without_addresses(&load_file(&path).unwrap().text));
        let expected: Value = serde_json::from_str(&reference(&path, "json")).unwrap();
        for (key, scores) in [("body", &mut body), ("notes", &mut notes)] {
            let list = expected[key].as_array().unwrap();
            let list: Vec<String> = list
                .iter()
                .map(|word| word.as_str().unwrap().into())
                .collect();
            if !list.is_empty() {
                scores.push((ratio(common(&list, &found), list.len()), name(&path)));
            }
            if key == "body" && !list.is_empty() {
                orders.push((order(&list, &found, 6_000), name(&path)));
            }
        }
    }
    if body.is_empty() {
        return;
    }
    // The reference runs the terms of equations together: `b2` for what reads `b^2` here.
    let low = body
        .iter()
        .filter(|(score, name)| *score < 0.95 && !name.contains("equations"));
    assert_eq!(low.count(), 0);
    assert!(report("recall of DOCX notes", notes) >= 0.95);
    assert!(report("recall of DOCX body", body) >= 0.995);
    assert!(report("order of DOCX", orders) >= 0.96);
}

/// What another reader finds in Word documents, we find: `office_oxide`, which reads headers,
/// footers and comments too, and which was written by others from the standard alone.
#[cfg(feature = "docx")]
#[test]
fn another_reader_finds_no_more_words() {
    let options = LoadOptions {
        docx: DocxOptions {
            headers_and_footers: true,
            comments: true,
        },
        ..LoadOptions::default()
    };
    let loader = FileLoader::new(options);
    let own = ["pandoc.docx", "writer.docx", "nested-table.docx"].map(fixture);
    let mut scores = Vec::new();
    for path in files("docx/files").into_iter().chain(own) {
        let theirs = words(&office_oxide::extract_text(&path).unwrap());
        let ours = words(&loader.load_file(&path).unwrap().text);
        scores.push((ratio(common(&theirs, &ours), theirs.len()), name(&path)));
    }
    assert!(report("recall of what office_oxide finds", scores) >= 0.97);
}

#[test]
fn broken_word_documents_are_errors() {
    for path in files("docx/broken") {
        let error = load_file(&path).unwrap_err();
        println!(
            "{error}: {:?}",
            std::error::Error::source(&error).map(ToString::to_string)
        );
    }
}

/// Returns what the `score.py` of a corpus prints: nothing, and says so, where there is no Python.
fn scores(script: &Path, arguments: &[&Path]) -> Option<String> {
    let run = Command::new("python3").arg(script).args(arguments).output();
    if matches!(&run, Err(error) if error.kind() == ErrorKind::NotFound) {
        println!("skipped: there is no python3 for {}", script.display());
        return None;
    }
    let output = run.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let printed = String::from_utf8(output.stdout).unwrap();
    println!("{printed}");
    Some(printed)
}

/// Returns the figures of a table of one row, by the heads of its columns. `71/76` is no figure.
fn figures(table: &str) -> HashMap<&str, f64> {
    let rows: Vec<&str> = table
        .lines()
        .filter(|line| line.starts_with("| "))
        .collect();
    let cells = |row: usize| rows[row].split('|').map(str::trim);
    let numbers = cells(0).zip(cells(1));
    numbers
        .filter_map(|(head, cell)| Some((head, cell.parse().ok()?)))
        .collect()
}

/// Scores a set of the corpus of tables, unless there is no corpus or no Python, and checks that each
/// figure is at least as large as a goal.
fn check_tables(set: &str, goals: &[(&str, f64)]) {
    let out = tempfile::tempdir().unwrap();
    let folder = format!("tables/{set}");
    let mut truth = None;
    let pdfs = files(&folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "pdf"));
    for path in pdfs {
        let written = out
            .path()
            .join(path.file_stem().unwrap())
            .with_extension("md");
        let document = load_file(&path).unwrap();
        fs::write(written, document.to_markdown().as_bytes()).unwrap();
        truth = path.parent().map(Path::to_path_buf);
    }
    let Some(truth) = truth else {
        return;
    };
    let script = truth.with_file_name("score.py");
    let Some(printed) = scores(&script, &[truth.as_path(), out.path()]) else {
        return;
    };
    let figures = figures(&printed);
    for &(name, goal) in goals {
        assert!(figures[name] >= goal, "{name} of {set}: {}", figures[name]);
    }
    assert!(figures["false"] <= 5.0, "{set}: {}", figures["false"]);
}

#[test]
fn tables_of_public_bodies_are_read() {
    check_tables("icdar-eu", &[("rel_F1_doc", 0.94)]);
}

#[test]
fn tables_headings_lists_and_code_of_rendered_pages_are_read() {
    let goals = [
        ("rel_F1_doc", 0.85),
        ("head_F1", 0.95),
        ("level_F1", 0.9),
        ("list_R", 0.95),
        ("code_F1", 0.95),
        ("nid", 0.99),
    ];
    check_tables("rendered", &goals);
}

#[test]
fn the_main_parts_of_real_pages_are_read() {
    let out = tempfile::tempdir().unwrap();
    let mut corpus = None;
    for path in files("html/pages") {
        let written = out.path().join(format!("{}.txt", name(&path)));
        // A page that cannot be read has no text, which the scores say.
        let text = load_file(&path).map(|document| document.text);
        fs::write(written, text.unwrap_or_default()).unwrap();
        corpus = path.ancestors().nth(2).map(Path::to_path_buf);
    }
    let Some(corpus) = corpus else {
        return;
    };
    let Some(printed) = scores(&corpus.join("score.py"), &[out.path()]) else {
        return;
    };
    let figure = |name: &str| -> f64 {
        let (_, rest) = printed.split_once(name).unwrap();
        let end = rest.find([',', '\n']).unwrap_or(rest.len());
        rest[..end].trim().parse().unwrap()
    };
    assert!(printed.starts_with("0 pages without text"));
    assert!(figure(" recall ") >= 0.955);
    assert!(figure(" F1 ") >= 0.93);
}
