//! The documents under `$SECTILE_CORPUS`.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Returns the folder of the corpus, or nothing (and says so) where there is none.
#[expect(
    clippy::print_stderr,
    reason = "a test that compares nothing should say so"
)]
pub(super) fn root() -> Option<PathBuf> {
    let root = std::env::var_os("SECTILE_CORPUS").map(PathBuf::from);
    if root.is_none() {
        eprintln!("SECTILE_CORPUS is not set: nothing is compared with the corpus");
    }
    root
}

/// Reads the files of a folder of the corpus by name.
pub(super) fn files(folder: &str, extension: &str) -> BTreeMap<String, String> {
    let Some(root) = root() else {
        return BTreeMap::new();
    };
    let paths = fs::read_dir(root.join(folder)).expect("the corpus has the folder");
    let paths = paths.map(|entry| entry.expect("the folder can be read").path());
    let wanted = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    let named = |path: PathBuf| {
        let name = path.file_name().expect("a file has a name");
        let text = fs::read_to_string(&path).expect("the corpus is UTF-8");
        (name.to_string_lossy().into_owned(), text)
    };
    wanted.map(named).collect()
}

/// Reads a file of JSON lines, none where there is no corpus.
pub(super) fn json_lines(file: &str) -> Vec<serde_json::Value> {
    let Some(root) = root() else {
        return Vec::new();
    };
    let text = fs::read_to_string(root.join(file)).expect("the corpus has the file");
    let parse = |line: &str| serde_json::from_str(line).expect("the line is JSON");
    text.lines().map(parse).collect()
}
