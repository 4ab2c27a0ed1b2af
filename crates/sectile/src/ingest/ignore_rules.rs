//! Finds rule files that cannot be read, such as `.ignore`.
//!
//! The walker goes on as if such a file were not there, and would find what the rules hide.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ignore::gitignore::{GitignoreBuilder, gitconfig_excludes_path};

/// The rule file that applies everywhere.
const RULES: &str = ".ignore";

/// The rule files that apply within a Git repository.
const RULES_OF_GIT: [&str; 2] = [".gitignore", ".git/info/exclude"];

/// What a rule file is that is not opened, as that would block.
const NOT_A_FILE: &str = "it is a pipe, a socket or a device, and no file";

/// Returns why the rules in a folder cannot be read, if so. The reason names the rule file.
pub(super) fn fault(folder: &Path) -> Option<String> {
    file_fault(folder, RULES).or_else(|| git_fault(folder))
}

/// Returns why the walker must not look at the rules of a folder, if so. It opens the rule files of the folder, of those
/// above it and of the user, whether they apply or not, and a pipe blocks it.
pub(super) fn blocking_fault_at_or_above(folder: &Path) -> Option<String> {
    let faults = folder.ancestors().find_map(blocking_fault);
    faults.or_else(fault_of_user)
}

/// Returns why the rules that Git applies everywhere must not be read, if so.
fn fault_of_user() -> Option<String> {
    let settings = settings_of_git().find(|file| is_special(file));
    // The settings say where the rules are, and may be opened only now.
    let file = settings.or_else(|| gitconfig_excludes_path().filter(|file| is_special(file)))?;
    Some(described(&file, NOT_A_FILE))
}

/// Returns where Git has its settings.
fn settings_of_git() -> impl Iterator<Item = PathBuf> {
    let variable = |name| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let home = std::env::home_dir();
    let folder = variable("XDG_CONFIG_HOME");
    let folder = folder.or_else(|| home.as_ref().map(|home| home.join(".config")));
    let system = variable("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into());
    let files = [
        variable("GIT_CONFIG_GLOBAL"),
        home.map(|home| home.join(".gitconfig")),
        folder.map(|folder| folder.join("git/config")),
        Some(system),
    ];
    files.into_iter().flatten()
}

fn blocking_fault(folder: &Path) -> Option<String> {
    let mut files = RULES_OF_GIT.iter().chain([&RULES]);
    files.find_map(|name| {
        let file = folder.join(name);
        is_special(&file).then(|| described(&file, NOT_A_FILE))
    })
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
    RULES_OF_GIT.into_iter().find_map(|name| {
        let fault = file_fault(folder, name)?;
        let blocks = is_special(&folder.join(name));
        let counts = blocks || folder.ancestors().any(is_repository);
        counts.then_some(fault)
    })
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
    Some(described(&file, &reason))
}

fn described(file: &Path, reason: &str) -> String {
    format!(
        "the rules in `{}` cannot be read: {reason}; until this is corrected, nothing in this folder is added, \
         updated or removed",
        file.display()
    )
}

fn is_missing(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn rules_fault(folder: &Path, file: &Path) -> Option<String> {
    if is_special(file) {
        return Some(NOT_A_FILE.to_owned());
    }
    let mut rules = GitignoreBuilder::new(folder);
    let error = rules.add(file).or_else(|| rules.build().err());
    error.map(first_reason)
}

/// Returns whether a path leads to something that is neither a file nor a folder, and may block its reader or never end.
fn is_special(path: &Path) -> bool {
    let kind = path.metadata();
    kind.is_ok_and(|kind| !kind.is_file() && !kind.is_dir() && !is_null(&kind))
}

/// Returns whether something is the empty device, which sandboxes put in the places of files.
#[cfg(unix)]
fn is_null(kind: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let null = std::fs::metadata("/dev/null");
    null.is_ok_and(|null| null.rdev() == kind.rdev())
}

#[cfg(not(unix))]
fn is_null(_: &Metadata) -> bool {
    false
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
