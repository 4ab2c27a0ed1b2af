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
