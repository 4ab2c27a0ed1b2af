//! `scripts/apt-install`, before programs that stand for apt's.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

/// An apt that knows no package before the lists are updated. An update fails as often as there are
/// lines in a file, each time with one of them.
const APT: &str = r#"#!/bin/sh
cd "$(dirname "$0")" || exit
echo "apt-get $*" >>calls
case "$*" in
update)
    failures=$(grep -c . failures)
    updates=$(grep -c '^apt-get update$' calls)
    [ "$updates" -gt "$failures" ] || { sed -n "${updates}p" failures >&2; exit 100; }
    touch updated
    ;;
*) [ -e updated ] ;;
esac
"#;

/// A sleep that takes no time.
const SLEEP: &str = r#"#!/bin/sh
echo "sleep $*" >>"$(dirname "$0")/calls"
"#;

const LOCKED: &str =
    "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)";

const INSTALL: &str = "apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends hello";

fn write_program(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Installs a package with an apt whose updates fail, and returns what was called. Nothing if this is
/// not root, which the script then says.
fn install(failures: &[&str]) -> Option<(Output, Vec<String>)> {
    let folder = tempfile::tempdir().unwrap();
    write_program(folder.path(), "apt-get", APT);
    write_program(folder.path(), "sleep", SLEEP);
    fs::write(folder.path().join("failures"), failures.join("\n")).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/apt-install");
    let path = std::env::var("PATH").unwrap();
    let output = Command::new(script)
        .arg("hello")
        .env("PATH", format!("{}:{path}", folder.path().display()))
        .output()
        .unwrap();
    let id = Command::new("id").arg("-u").output().unwrap();
    if id.stdout != b"0\n" {
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("this takes root"), "{said}");
        assert_eq!(output.status.code(), Some(1));
        return None;
    }
    let calls = fs::read_to_string(folder.path().join("calls")).unwrap();
    Some((output, calls.lines().map(str::to_owned).collect()))
}

#[test]
fn packages_are_installed_when_another_apt_is_done_with_the_lists() {
    let Some((output, calls)) = install(&[LOCKED, LOCKED]) else {
        return;
    };
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.is_empty() && output.stderr.is_empty());
    let update = "apt-get update";
    let expected = [
        INSTALL, update, "sleep 2", update, "sleep 2", update, INSTALL,
    ];
    assert_eq!(calls, expected);
}

#[test]
fn what_waiting_does_not_mend_is_said_at_once() {
    let failure = "E: Failed to fetch http://deb.debian.org/debian/dists/stable/InRelease";
    let Some((output, calls)) = install(&[failure]) else {
        return;
    };
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stderr, format!("{failure}\n").as_bytes());
    assert_eq!(calls, [INSTALL, "apt-get update"]);
}
