//! The workspace of the cluster builds into the same folder as this one. What both have is built once if it is the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use toml_edit::{DocumentMut, Item, Table};

fn read(name: &str) -> DocumentMut {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(name);
    fs::read_to_string(path).unwrap().parse().unwrap()
}

/// Returns the versions of the crates that a lock file has.
fn versions(lock: &DocumentMut) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in lock["package"].as_array_of_tables().unwrap() {
        let of = |key: &str| package[key].as_str().unwrap();
        versions
            .entry(of("name"))
            .or_default()
            .insert(of("version"));
    }
    versions
}

/// Returns the part of a version that compatible ones have in common.
fn compatible(version: &str) -> &str {
    let leading = version
        .split('.')
        .take_while(|number| *number == "0")
        .count();
    let parts = version.match_indices('.').nth(leading.min(2));
    parts.map_or(version, |(end, _)| &version[..end])
}

#[test]
fn a_version_is_compatible_with_those_that_differ_behind_the_first_number_above_zero() {
    for (version, part) in [("1.2.3", "1"), ("0.17.1", "0.17"), ("0.0.3", "0.0.3")] {
        assert_eq!(compatible(version), part);
    }
}

#[test]
fn the_cluster_has_the_versions_of_this_workspace() {
    let (here, cluster) = (read("Cargo.lock"), read("cluster/Cargo.lock"));
    let (here, cluster) = (versions(&here), versions(&cluster));
    let mut others = Vec::new();
    for (name, found) in &cluster {
        let known = here.get(name).cloned().unwrap_or_default();
        for version in found.difference(&known) {
            let like = |other: &&&str| compatible(other) == compatible(version);
            if let Some(wanted) = known.iter().find(like) {
                others.push(format!("--package {name}@{version} --precise {wanted}"));
            }
        }
    }
    assert!(
        others.is_empty(),
        "these are built twice; update them with `cargo update --manifest-path cluster/Cargo.toml`:\n{}",
        others.join("\n")
    );
}

/// Returns how the packages of the tests' profile are built.
fn profile(manifest: &DocumentMut) -> &Table {
    manifest["profile"]["dev"]["package"].as_table().unwrap()
}

#[test]
fn the_cluster_optimises_what_this_workspace_does() {
    let (here, cluster) = (read("Cargo.toml"), read("cluster/Cargo.toml"));
    let locks = ["Cargo.lock", "cluster/Cargo.lock"].map(read);
    let locked = locks.each_ref().map(versions);
    let (here, cluster) = (profile(&here), profile(&cluster));
    let names = here.iter().chain(cluster.iter()).map(|(name, _)| name);
    let is_in_both = |name: &&str| locked.iter().all(|versions| versions.contains_key(name));
    for name in names.filter(is_in_both) {
        let level = |table: &Table| {
            let of = table.get(name).and_then(|of| of.get("opt-level"));
            of.and_then(Item::as_integer)
        };
        assert_eq!(level(here), level(cluster), "{name}");
    }
}
