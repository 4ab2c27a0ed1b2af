//! No two files of a crate import each other, unless one is a part of the other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use ignore::Walk;
use regex::Regex;

/// A module by the names that lead to it from the root of its crate, which has none.
type Module = Vec<String>;

#[test]
fn no_two_files_import_each_other() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = std::fs::read_dir(crates).unwrap();
    let mut folders: Vec<_> = crates.map(|entry| entry.unwrap().path()).collect();
    folders.sort_unstable();
    let problems: Vec<String> = folders
        .iter()
        .flat_map(|folder| {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let circles = circles(&imports(&sources(&folder.join("src"))));
            circles.into_iter().map(move |(one, other)| {
                format!(
                    "`{}` and `{}` of {name} import each other: move what both need to a third file",
                    one.join("::"),
                    other.join("::")
                )
            })
        })
        .collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn a_circle_is_found_in_whatever_form_it_is_written() {
    let circles_of = |one: &str, other: &str| {
        let sources = [("a::b", one), ("a::c", other), ("a", ""), ("d", "")];
        let module = |name: &str| name.split("::").map(str::to_owned).collect();
        let sources = sources.map(|(name, text)| (module(name), text.to_owned()));
        circles(&imports(&sources.into())).len()
    };
    assert_eq!(
        circles_of("use super::c::C;", "use crate::a::b::{self, B};"),
        1
    );
    assert_eq!(
        circles_of("use super::{x, c};", "fn f() { super::b::f() }"),
        1
    );
    assert_eq!(circles_of("use super::c::C;", "use crate::d::D;"), 0);
    assert_eq!(circles_of("use super::c::C;", "// super::b::B\n"), 0);
    let in_tests = "#[cfg(test)]\nmod tests {\n    use super::super::b::B;\n}\n";
    assert_eq!(circles_of("use super::c::C;", in_tests), 0);
}

/// Returns the texts of the modules below a folder.
fn sources(folder: &Path) -> BTreeMap<Module, String> {
    let files = Walk::new(folder).filter_map(Result::ok);
    let files = files.filter(|file| file.path().extension().is_some_and(|name| name == "rs"));
    let source = |file: ignore::DirEntry| {
        let path = file.path().strip_prefix(folder).unwrap().with_extension("");
        let mut names: Module = path
            .iter()
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.pop_if(|last| matches!(&**last, "lib" | "main"));
        (names, std::fs::read_to_string(file.path()).unwrap())
    };
    files.map(source).collect()
}

/// Returns the modules that each module imports from, outside of its tests.
fn imports(sources: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let statement = Regex::new(r"\buse\s+([^;]+);").unwrap();
    let within = Regex::new(r"\b(?:crate|super)(?:::\w+)+").unwrap();
    let comment = Regex::new(r"//[^\n]*").unwrap();
    let tests = Regex::new(r"#\[cfg\(test\)\]\s*mod ").unwrap();
    let imports = |(module, text): (&Module, &String)| {
        let text = comment.replace_all(text, "");
        let text = tests.split(&text).next().unwrap_or_default();
        let mut paths = Vec::new();
        for found in statement.captures_iter(text) {
            add_tree(&found[1], &[], &mut paths);
        }
        paths.extend(within.find_iter(text).map(|path| names(path.as_str())));
        let modules = paths
            .iter()
            .filter_map(|path| module_of(path, module, sources));
        let others = modules.filter(|other| other != module);
        (module.clone(), others.collect())
    };
    sources.iter().map(imports).collect()
}

/// Adds the paths of a tree of imports: `a::{b, c::{d, e}}`.
fn add_tree(tree: &str, before: &[String], paths: &mut Vec<Module>) {
    let mut depth = 0;
    let branches = tree.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    for branch in branches.map(str::trim).filter(|branch| !branch.is_empty()) {
        let (path, rest) = branch.split_once('{').unwrap_or((branch, ""));
        let path = path.split(" as ").next().unwrap_or_default();
        let path = [before, &names(path)].concat();
        match rest.rsplit_once('}') {
            Some((inner, _)) => add_tree(inner, &path, paths),
            None => paths.push(path),
        }
    }
}

fn names(path: &str) -> Module {
    let names = path.split("::").map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Returns the module that a path of another module leads to, or into.
fn module_of(path: &[String], from: &Module, sources: &BTreeMap<Module, String>) -> Option<Module> {
    let supers = path.iter().take_while(|name| *name == "super").count();
    let start = match path.first()?.as_str() {
        "crate" => [].as_slice(),
        "super" => from.get(..from.len().checked_sub(supers)?)?,
        _ => from.as_slice(),
    };
    let is_keyword = |name: &&String| matches!(&***name, "crate" | "self" | "super");
    let rest = path.iter().skip_while(is_keyword);
    let full: Module = start.iter().chain(rest).cloned().collect();
    let is_child = start.len() == from.len() && path[0] != "self";
    if is_child && !sources.contains_key(&full[..=from.len()]) {
        return None;
    }
    let prefixes = (0..=full.len()).rev().map(|end| &full[..end]);
    prefixes
        .into_iter()
        .find(|prefix| sources.contains_key(*prefix))
        .map(<[String]>::to_vec)
}

/// Returns the pairs that import each other of which neither is a part of the other.
fn circles(imports: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<(Module, Module)> {
    let pairs = imports
        .iter()
        .flat_map(|(one, others)| others.iter().map(move |other| (one, other)));
    let is_circle = |(one, other): &(&Module, &Module)| {
        let back = imports.get(*other).is_some_and(|of| of.contains(*one));
        back && one < other && !other.starts_with(one)
    };
    let circles = pairs.filter(is_circle);
    circles
        .map(|(one, other)| (one.clone(), other.clone()))
        .collect()
}
