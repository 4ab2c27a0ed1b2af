//! Finds rule files that cannot be read, such as `.ignore`.
//!
//! The walker goes on as if such a file were not there, and would find what the rules hide.

use std::io::ErrorKind;
use std::path::Path;

use ignore::gitignore::GitignoreBuilder;

/// The rule file that applies everywhere.
const RULES: &str = ".ignore";

/// The rule files that apply within a Git repository.
const RULES_OF_GIT: [&str; 2] = [".gitignore", ".git/info/exclude"];

/// Returns why the rules in a folder cannot be read, if so. The reason names the rule file.
pub(super) fn fault(folder: &Path) -> Option<String> {
    file_fault(folder, RULES).or_else(|| git_fault(folder))
}

/// Returns why the rules in the folders above one cannot be read, if so. Those of Git apply up to the root of a
/// repository.
pub(super) fn fault_above(folder: &Path) -> Option<String> {
    let mut is_passed = is_repository(folder);
    folder.ancestors().skip(1).find_map(|above| {
        let fault = if is_passed {
            file_fault(above, RULES)
        } else {
            fault(above)
        };
        is_passed |= is_repository(above);
        fault
    })
}

fn git_fault(folder: &Path) -> Option<String> {
    let mut faults = RULES_OF_GIT
        .iter()
        .filter_map(|name| file_fault(folder, name));
    let fault = faults.next()?;
    folder.ancestors().any(is_repository).then_some(fault)
}

/// Returns whether a folder is the root of a repository, as the walker decides it.
fn is_repository(folder: &Path) -> bool {
    [".git", ".jj"]
        .iter()
        .any(|name| folder.join(name).exists())
}

fn file_fault(folder: &Path, name: &str) -> Option<String> {
    let file = folder.join(name);
    let reason = match file.symlink_metadata() {
        Ok(_) => rules_fault(folder, &file)?,
        Err(error) if is_missing(error.kind()) => return None,
        Err(error) => error.to_string(),
    };
    Some(format!(
        "the rules in `{}` cannot be read: {reason}; until this is corrected, nothing in this folder is added, \
         updated or removed",
        file.display()
    ))
}

fn is_missing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn rules_fault(folder: &Path, file: &Path) -> Option<String> {
    let mut rules = GitignoreBuilder::new(folder);
    let error = rules.add(file).or_else(|| rules.build().err());
    error.map(first_reason)
}

/// Returns the first reason in an error, without the name of the file.
fn first_reason(error: ignore::Error) -> String {
    match error {
        ignore::Error::WithPath { err, .. } => first_reason(*err),
        ignore::Error::Partial(errors) if !errors.is_empty() => {
            errors.into_iter().take(1).map(first_reason).collect()
        }
        other => other.to_string(),
    }
}
