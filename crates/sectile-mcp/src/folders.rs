//! The paths that a client may ingest.

use std::path::{Component, Path, PathBuf};

use crate::answer::Outcome;
use crate::problem::{Problem, quoted};

/// Finds the file or folder that a client names, if it is in one of `folders`.
///
/// The path is resolved first, with links and `..`. Hidden files are refused. The answer about a
/// path outside of the folders does not reveal whether it exists.
pub(crate) fn resolve(folders: &[PathBuf], source: &str) -> Result<PathBuf, Problem> {
    if source.trim().is_empty() {
        let message = "`source` is empty; name a file or a folder".to_owned();
        return Err(Problem::invalid(message));
    }
    let named = sectile::document_path(source).unwrap_or_else(|| PathBuf::from(source));
    let (mut roots, mut unreadable) = (Vec::new(), Vec::new());
    for folder in folders {
        match folder.canonicalize() {
            Ok(root) => roots.push(root),
            Err(_) => unreadable.push(folder.clone()),
        }
    }
    let mut is_inside = false;
    // A folder may be meant by its own name, as the agent sees it from the folder around.
    let parents = roots.iter().filter_map(|root| root.parent());
    for base in roots.iter().map(PathBuf::as_path).chain(parents) {
        let path = base.join(&named);
        match path.canonicalize() {
            Ok(found) if is_visible(&roots, &found) => return Ok(found),
            Ok(_) => {}
            Err(_) => is_inside |= is_visible(&roots, &nearest(&path)),
        }
    }
    Err(if is_inside {
        let message = format!("there is no file or folder {}", quoted(source));
        Problem::no_results(message)
    } else {
        refused(source, folders, &unreadable)
    })
}

/// Returns the problem that a source is in none of the folders, of which some may be unreadable.
fn refused(source: &str, folders: &[PathBuf], unreadable: &[PathBuf]) -> Problem {
    let source = quoted(source);
    let mut message = if folders.is_empty() {
        format!("{source} cannot be ingested: this server was given no folder (`--folder DIR`)")
    } else {
        let names = names(folders);
        format!("{source} cannot be ingested: only what is in {names} can, and nothing hidden")
    };
    if !unreadable.is_empty() {
        message.push_str("; the server cannot read ");
        message.push_str(&names(unreadable));
        message.push_str(" now; its operator can make it readable");
    }
    Problem::new(Outcome::Refused, message)
}

fn names(folders: &[PathBuf]) -> String {
    let name = |folder: &PathBuf| quoted(&folder.display().to_string());
    folders.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Returns whether a path is in one of the roots, without hidden names on the way.
fn is_visible(roots: &[PathBuf], path: &Path) -> bool {
    let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
    let below = |root: &PathBuf| {
        let rest = path.strip_prefix(root).ok();
        rest.is_some_and(|rest| !rest.components().any(is_hidden))
    };
    roots.iter().any(below)
}

/// Resolves the part of a path that exists.
fn nearest(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|part| part.canonicalize().ok());
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn place() -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("docs");
        fs::create_dir_all(root.join("guides")).unwrap();
        fs::write(root.join("guides/a.md"), "# A").unwrap();
        fs::write(root.join(".env"), "KEY=1").unwrap();
        fs::write(place.path().join("secret.md"), "# Secret").unwrap();
        (place, root)
    }

    fn outcome_of(problem: &Problem) -> String {
        let budget = crate::budget::Budget::new(&sectile::chunk::Heuristic, None).unwrap();
        budget.fit_problem(problem).facts["outcome"].to_string()
    }

    fn outcome(root: &Path, source: &str) -> String {
        match resolve(&[root.to_owned()], source) {
            Ok(path) => path.display().to_string(),
            Err(problem) => outcome_of(&problem),
        }
    }

    #[test]
    fn what_lies_in_a_folder_is_found_however_it_is_written() {
        let (_place, root) = place();
        let expected = root.canonicalize().unwrap().join("guides/a.md");
        let expected = expected.display().to_string();
        let absolute = root.join("guides/a.md").display().to_string();
        for source in [
            "guides/a.md",
            "./guides/../guides/a.md",
            "docs/guides/a.md",
            &absolute,
            &format!("file://{absolute}"),
        ] {
            assert_eq!(outcome(&root, source), expected, "{source}");
        }
        assert_eq!(
            outcome(&root, "."),
            root.canonicalize().unwrap().display().to_string()
        );
        assert_eq!(outcome(&root, "docs"), outcome(&root, "."));
        assert_eq!(outcome(&root, "guides/b.md"), "\"no_results\"");
    }

    #[test]
    fn what_leads_out_is_refused_whether_it_exists_or_not() {
        let (place, root) = place();
        let secret = place.path().join("secret.md").display().to_string();
        let missing = place.path().join("missing.md").display().to_string();
        for source in [
            "../secret.md",
            "guides/../../secret.md",
            "../missing.md",
            &secret,
            &missing,
            "/etc/passwd",
            "/",
            ".env",
            "~",
        ] {
            let found = outcome(&root, source);
            assert!(found == "\"refused\"" || source == "~", "{source}: {found}");
        }
        for source in ["", " "] {
            assert_eq!(outcome(&root, source), "\"invalid_arguments\"");
        }
        assert!(resolve(&[], "guides/a.md").is_err());
    }

    #[test]
    fn a_folder_that_cannot_be_read_is_named() {
        let (place, root) = place();
        let gone = place.path().join("gone");
        let problem = resolve(&[root.clone(), gone.clone()], "/etc/passwd").unwrap_err();
        let expected = format!("the server cannot read `{}` now", gone.display());
        assert!(problem.message().contains(&expected), "{problem:?}");
        let problem = resolve(&[root], "/etc/passwd").unwrap_err();
        assert!(!problem.message().contains("cannot read"), "{problem:?}");
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_refused() {
        let (place, root) = place();
        std::os::unix::fs::symlink(place.path(), root.join("out")).unwrap();
        std::os::unix::fs::symlink(place.path().join("secret.md"), root.join("link.md")).unwrap();
        std::os::unix::fs::symlink(root.join(".env"), root.join("env.md")).unwrap();
        for source in [
            "out/secret.md",
            "out",
            "link.md",
            "env.md",
            "out/missing.md",
        ] {
            assert_eq!(outcome(&root, source), "\"refused\"", "{source}");
        }
    }
}
