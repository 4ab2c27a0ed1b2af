//! The crates keep to the layers that ARCHITECTURE.md draws.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::{Path, PathBuf};

use cargo_metadata::{
    CargoOpt, DependencyKind, Metadata, MetadataCommand, Node, Package, PackageId,
};

/// The first line of the table that says which crate may depend on which.
const TABLE_HEAD: &str = "| crate | may depend on |";

/// The crates that whoever has another database, runtime or client can build.
const PURE: [&str; 4] = [
    "sectile-core",
    "sectile-chunk",
    "sectile-checkpoint",
    "sectile-store",
];

/// What must not be in the tree of those crates.
const HEAVY: [&str; 5] = ["tokio", "sqlx", "sqlx-core", "rusqlite", "reqwest"];

/// What a crate may depend on, of the crates of the workspace.
#[derive(Debug, PartialEq, Eq)]
enum Allowed {
    Anything,
    Crates(BTreeSet<String>),
}

impl Allowed {
    fn has(&self, dependency: &str) -> bool {
        match self {
            Self::Anything => true,
            Self::Crates(crates) => crates.contains(dependency),
        }
    }
}

type Table = BTreeMap<String, Allowed>;

/// The crates of the workspace, each with those it depends on outside of its tests.
type Edges = BTreeMap<String, BTreeSet<String>>;

#[test]
fn crates_depend_on_what_the_table_allows() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let table = parse_table(&text).unwrap();
    let problems = compare(&table, &edges(&metadata()));
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn pure_crates_build_without_runtime_database_and_client() {
    let metadata = metadata();
    let paths = PURE.iter().flat_map(|name| {
        let tree = Tree::of(&metadata, name);
        HEAVY.iter().filter_map(move |heavy| tree.path_to(heavy))
    });
    let problems: Vec<String> = paths
        .map(|path| {
            let (heavy, path) = (path.last().cloned().unwrap_or_default(), path.join(" -> "));
            format!(
                "{path}: move what needs `{heavy}` to a crate above, or make it a dev-dependency"
            )
        })
        .collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn the_walk_finds_what_is_in_a_tree() {
    let metadata = metadata();
    let tree = Tree::of(&metadata, "sectile-store-sqlite");
    let path = tree.path_to("rusqlite").unwrap();
    assert_eq!(
        (&*path[0], &*path[path.len() - 1]),
        ("sectile-store-sqlite", "rusqlite")
    );
    // Its tests take a file from `tempfile`; nothing else of it does.
    assert_eq!(tree.path_to("tempfile"), None);
}

#[test]
fn a_table_is_read_row_by_row() {
    let text = "# A\n\n| crate | may depend on |\n|---|---|\n| `a` | nothing of ours |\n\
                | `b` | `a`, `c` |\n| `benches` | anything |\n\n| `d` | `e` |\n";
    let crates = |names: &[&str]| Allowed::Crates(names.iter().map(ToString::to_string).collect());
    let expected = [
        ("a", crates(&[])),
        ("b", crates(&["a", "c"])),
        ("benches", Allowed::Anything),
    ];
    let expected = expected.map(|(name, allowed)| (name.to_owned(), allowed));
    assert_eq!(parse_table(text), Ok(Table::from(expected)));
}

#[test]
fn a_table_that_cannot_be_read_is_named() {
    let check = |rows: &str, expected: &str| {
        let error = parse_table(&format!("{TABLE_HEAD}\n|---|---|\n{rows}\n")).unwrap_err();
        assert!(error.contains(expected), "{error}");
    };
    check("| a | nothing of ours |", "`| a | nothing of ours |`");
    check("| `a` | what it likes |", "`| `a` | what it likes |`");
    check("| `a` | `b` |\n| `a` | `c` |", "two rows for `a`");
    check("", "no rows");
    assert!(parse_table("# No table").unwrap_err().contains(TABLE_HEAD));
}

#[test]
fn every_difference_is_a_problem() {
    let table = format!("{TABLE_HEAD}\n|---|---|\n| `a` | nothing of ours |\n| `gone` | `lost` |");
    let edges = [("a", vec!["b"]), ("b", vec![])].map(|(name, dependencies)| {
        (
            name.to_owned(),
            dependencies.into_iter().map(str::to_owned).collect(),
        )
    });
    let problems = compare(&parse_table(&table).unwrap(), &Edges::from(edges)).join("\n");
    for expected in [
        "`a` depends on `b`",
        "`b` is missing",
        "`gone` is in the table but",
        "`lost` stands in the row of `gone` but",
    ] {
        assert!(problems.contains(expected), "{problems}");
    }
}

/// Returns the root of the workspace.
fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.expect("the crate stands in `crates`").to_owned()
}

/// Reads the workspace with all features. The dependencies are those of this platform, because
/// `cargo test` has fetched them: the check needs no network.
fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .features(CargoOpt::AllFeatures)
        .other_options(["--filter-platform".to_owned(), "host-tuple".to_owned()])
        .exec()
        .expect("cargo reads the workspace")
}

/// Reads the table of layers out of ARCHITECTURE.md.
fn parse_table(text: &str) -> Result<Table, String> {
    let mut lines = text.lines();
    if !lines.any(|line| line.trim() == TABLE_HEAD) {
        return Err(format!(
            "ARCHITECTURE.md has no table that begins `{TABLE_HEAD}`"
        ));
    }
    let mut table = Table::new();
    for row in lines.skip(1).take_while(|line| line.starts_with('|')) {
        let (name, allowed) = parse_row(row).ok_or_else(|| {
            let form = "| `crate` | `crate`, `crate` |, or `nothing of ours` or `anything`";
            format!("write the row `{row}` of ARCHITECTURE.md as {form}")
        })?;
        if table.insert(name.clone(), allowed).is_some() {
            return Err(format!("ARCHITECTURE.md has two rows for `{name}`"));
        }
    }
    if table.is_empty() {
        return Err("the table of crates in ARCHITECTURE.md has no rows".to_owned());
    }
    Ok(table)
}

fn parse_row(row: &str) -> Option<(String, Allowed)> {
    let mut cells = row.trim().trim_matches('|').split('|').map(str::trim);
    let (name, dependencies) = (code(cells.next()?)?, cells.next()?);
    let allowed = match dependencies {
        "anything" => Allowed::Anything,
        "nothing of ours" => Allowed::Crates(BTreeSet::new()),
        names => {
            let names = names.split(',').map(|name| code(name.trim()));
            Allowed::Crates(names.collect::<Option<_>>()?)
        }
    };
    cells.next().is_none().then_some((name, allowed))
}

/// Returns what stands between backticks.
fn code(cell: &str) -> Option<String> {
    let name = cell.strip_prefix('`')?.strip_suffix('`')?;
    Some(name.to_owned())
}

/// Returns the edges between the crates of the workspace that are not for tests alone, whatever
/// feature or platform they are for.
fn edges(metadata: &Metadata) -> Edges {
    let packages = metadata.workspace_packages();
    let ours: BTreeSet<&str> = packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let dependencies = |package: &Package| {
        let built = package
            .dependencies
            .iter()
            .filter(|dependency| is_built(dependency.kind));
        let names = built.map(|dependency| dependency.name.clone());
        names.filter(|name| ours.contains(name.as_str())).collect()
    };
    packages
        .iter()
        .map(|package| (package.name.to_string(), dependencies(package)))
        .collect()
}

fn is_built(kind: DependencyKind) -> bool {
    matches!(kind, DependencyKind::Normal | DependencyKind::Build)
}

/// Returns how the workspace differs from the table, each with what to do about it.
fn compare(table: &Table, edges: &Edges) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, dependencies) in edges {
        let Some(allowed) = table.get(name) else {
            problems.push(format!(
                "`{name}` is missing in ARCHITECTURE.md's table: add its row"
            ));
            continue;
        };
        for dependency in dependencies
            .iter()
            .filter(|dependency| !allowed.has(dependency))
        {
            problems.push(format!(
                "`{name}` depends on `{dependency}`, which ARCHITECTURE.md's table does not allow: \
                 drop the dependency, or change the design and the table in one commit"
            ));
        }
    }
    for (name, allowed) in table {
        if !edges.contains_key(name) {
            problems.push(format!(
                "`{name}` is in the table but not in the workspace: drop its row of ARCHITECTURE.md"
            ));
        }
        let Allowed::Crates(crates) = allowed else {
            continue;
        };
        for dependency in crates
            .iter()
            .filter(|dependency| !edges.contains_key(*dependency))
        {
            problems.push(format!(
                "`{dependency}` stands in the row of `{name}` but not in the workspace: drop it \
                 from ARCHITECTURE.md"
            ));
        }
    }
    problems
}

/// Everything that a crate is built of, each with the crate that needs it.
struct Tree<'a> {
    names: HashMap<&'a PackageId, &'a str>,
    needed_by: HashMap<&'a PackageId, Option<&'a PackageId>>,
}

impl<'a> Tree<'a> {
    /// Walks from the crate `root` of the workspace over all edges that are not for tests alone.
    fn of(metadata: &'a Metadata, root: &str) -> Self {
        let names = metadata
            .packages
            .iter()
            .map(|package| (&package.id, package.name.as_str()));
        let resolve = metadata
            .resolve
            .as_ref()
            .expect("dependencies are asked for");
        let nodes: HashMap<&PackageId, &Node> =
            resolve.nodes.iter().map(|node| (&node.id, node)).collect();
        let packages = metadata.workspace_packages();
        let package = packages
            .into_iter()
            .find(|package| package.name.as_str() == root);
        let root = &package
            .unwrap_or_else(|| panic!("the workspace has no crate `{root}`"))
            .id;

        let mut needed_by = HashMap::from([(root, None)]);
        let mut waiting = VecDeque::from([root]);
        while let Some(id) = waiting.pop_front() {
            let dependencies = nodes[id].deps.iter();
            let built =
                dependencies.filter(|edge| edge.dep_kinds.iter().any(|kind| is_built(kind.kind)));
            for edge in built {
                needed_by.entry(&edge.pkg).or_insert_with(|| {
                    waiting.push_back(&edge.pkg);
                    Some(id)
                });
            }
        }
        Self {
            names: names.collect(),
            needed_by,
        }
    }

    /// Returns the shortest way from the root to the crate `name`, if it is in the tree.
    fn path_to(&self, name: &str) -> Option<Vec<String>> {
        let found = self.needed_by.keys().find(|id| self.names[**id] == name)?;
        let above = std::iter::successors(Some(*found), |id| self.needed_by[*id]);
        let mut path: Vec<String> = above.map(|id| self.names[id].to_owned()).collect();
        path.reverse();
        Some(path)
    }
}
