//! The pages of `docs/`: all of them are in the book, and no link leads nowhere.

use std::path::{Path, PathBuf};

use regex::Regex;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect()
}

#[test]
fn every_page_is_in_the_book() {
    let docs = root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    for page in pages(&docs) {
        let name = page.file_name().unwrap().to_str().unwrap();
        let is_listed = summary.contains(&format!("({name})"));
        assert!(
            is_listed || name == "SUMMARY.md",
            "{name} is not in docs/SUMMARY.md"
        );
    }
}

#[test]
fn every_table_is_in_the_book() {
    let root = root();
    let page = std::fs::read_to_string(root.join("docs/schema.md")).unwrap();
    let files = ignore::Walk::new(root.join("migrations")).flatten();
    let files = files.map(ignore::DirEntry::into_path);
    for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "sql")) {
        let name = file.strip_prefix(&root).unwrap().display().to_string();
        assert!(
            page.contains(&format!("{{{{#include ../{name}}}}}")),
            "{name} is not in docs/schema.md"
        );
    }
}

/// The crates whose errors users meet.
const WITH_ERRORS: [&str; 6] = [
    "sectile",
    "sectile-store",
    "sectile-load",
    "sectile-site",
    "sectile-embed",
    "sectile-checkpoint",
];

/// How the messages begin that only programs in Rust meet.
const ONLY_FROM_RUST: [&str; 4] = [
    "the chunk settings cannot be used",
    "the text cannot be split with these settings",
    "the vector cannot be used",
    "a store alone cannot search by",
];

#[test]
fn every_message_is_on_the_page_about_troubles() {
    let page = std::fs::read_to_string(root().join("docs/troubleshooting.md")).unwrap();
    let page = page.replace('`', "");
    let message = Regex::new(r#"#\[error\(\s*"((?:[^"\\]|\\(?s:.))*)""#).unwrap();
    let line_end = Regex::new(r"\\\n\s*").unwrap();
    let argument = Regex::new(r"\{[^}]*\}").unwrap();
    let advice = Regex::new(r"[;:]| \(").unwrap();
    let mut missing = Vec::new();
    for name in WITH_ERRORS {
        let file = root().join("crates").join(name).join("src/error.rs");
        let source = std::fs::read_to_string(file).unwrap();
        for found in message.captures_iter(&source) {
            let text = line_end.replace_all(&found[1], "");
            let text = argument.replace_all(&text, "…").replace('`', "");
            let begin = advice.split(&text).next().unwrap();
            let begin = begin.trim_matches(['…', ' ']);
            if !page.contains(begin) && !ONLY_FROM_RUST.contains(&begin) {
                missing.push(begin.to_owned());
            }
        }
    }
    assert!(
        missing.is_empty(),
        "docs/troubleshooting.md lacks {missing:?}"
    );
}

#[test]
fn what_loading_notices_is_no_field_to_filter_by() {
    let page = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let (_, table) = page.split_once("what loading noticed:").unwrap();
    let (table, _) = table.split_once("\n## ").unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `"));
    let names: Vec<&str> = rows.map(|row| row.split('`').next().unwrap()).collect();
    assert!(names.contains(&"failed_pages"), "{names:?}");
    for name in names {
        let is_of_document = ["front_matter_title", "programming_language"].contains(&name);
        assert_ne!(sectile::load::is_notice(name), is_of_document, "{name}");
    }
}

#[test]
fn no_link_leads_nowhere() {
    let root = root();
    let link = Regex::new(r"\]\(([^)#\s]+)(#[^)\s]*)?\)").unwrap();
    let mut all = pages(&root.join("docs"));
    all.extend(pages(&root));
    let mut broken = Vec::new();
    for page in all {
        let text = std::fs::read_to_string(&page).unwrap();
        let targets = link.captures_iter(&text).map(|found| found[1].to_owned());
        for target in targets.filter(|target| !target.contains("://")) {
            if !page.parent().unwrap().join(&target).exists() {
                broken.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert_eq!(broken, [""; 0]);
}

/// Rustdoc hides lines that begin with `# `, and GitHub shows them.
#[test]
fn examples_show_all_their_lines() {
    let root = root();
    let mut all = pages(&root.join("docs"));
    all.extend(pages(&root));
    let crates = std::fs::read_dir(root.join("crates")).unwrap();
    let crates = crates.map(|entry| entry.unwrap().path());
    all.extend(crates.flat_map(|folder| pages(&folder)));
    let mut hidden = Vec::new();
    for page in all {
        let mut is_rust = false;
        for line in std::fs::read_to_string(&page).unwrap().lines() {
            if line.starts_with("```") {
                is_rust = line.starts_with("```rust");
            } else if is_rust && line.starts_with("# ") {
                hidden.push(format!("{}: {line}", page.display()));
            }
        }
    }
    assert_eq!(hidden, [""; 0]);
}

#[test]
fn examples_that_are_named_are_there() {
    let root = root();
    let named = Regex::new(r"-p ([a-z-]+)(?: [^`\n]*?)? --example ([a-z_]+)").unwrap();
    let mut all = pages(&root.join("docs"));
    all.extend(pages(&root));
    let (mut missing, mut seen) = (Vec::new(), 0);
    for page in all {
        let text = std::fs::read_to_string(&page).unwrap();
        for found in named.captures_iter(&text) {
            let package = match &found[1] {
                "sectile-benches" => root.join("benches"),
                name => root.join("crates").join(name),
            };
            let file = format!("examples/{}.rs", &found[2]);
            seen += 1;
            if !package.join(&file).exists() {
                missing.push(format!("{}: {file} of {}", page.display(), &found[1]));
            }
        }
    }
    assert_eq!(missing, [""; 0]);
    assert!(seen > 5, "{seen}");
}

/// The text of all sources, with the lines of each string joined.
fn sources() -> String {
    let joined = Regex::new(r"\\\n\s*").unwrap();
    let walk = ignore::Walk::new(root().join("crates"));
    let files = walk.map(|entry| entry.unwrap().into_path()).filter(|path| {
        let is_source = path.components().any(|part| part.as_os_str() == "src");
        is_source && path.extension().is_some_and(|extension| extension == "rs")
    });
    let texts: Vec<String> = files
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    joined.replace_all(&texts.concat(), "").into_owned()
}

#[test]
fn messages_that_are_explained_are_those_of_the_program() {
    let page = std::fs::read_to_string(root().join("docs/troubleshooting.md")).unwrap();
    let sources = sources();
    let mut unknown = Vec::new();
    let (mut topic, mut seen) = ("", 0);
    for line in page.lines() {
        topic = line.strip_prefix("## ").unwrap_or(topic);
        let is_row = line.starts_with("| ") && !line.starts_with("| message");
        if !is_row || topic == "Agents" {
            continue;
        }
        let message = line.split('|').nth(1).unwrap();
        let parts = message
            .split(['…', '/'])
            .map(|part| part.trim_matches([' ', '`', ',', ';', ':', '(', ')']));
        for part in parts.filter(|part| part.len() >= 8) {
            seen += 1;
            if !sources.contains(part) {
                unknown.push(format!("{topic}: {part}"));
            }
        }
    }
    assert_eq!(unknown, [""; 0]);
    assert!(seen > 40, "{seen}");
}
