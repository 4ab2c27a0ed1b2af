//! The files of `deploy/` start programs with arguments that these have.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::PROGRAM;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the documents of a file.
fn read(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(repository().join("deploy").join(name)).expect("it is there");
    serde_saphyr::from_multiple(&text).expect("it is YAML")
}

/// Returns a list of words, or the words of a line for a shell.
fn words(command: &Value) -> Vec<String> {
    let words = command.as_array().expect("it is a list").iter();
    let words: Vec<String> = words
        .map(|word| word.as_str().expect("it is text").to_owned())
        .collect();
    match &*words {
        [shell, option, line] if shell == "sh" && option == "-c" => {
            let words = line.split_whitespace().skip_while(|&word| word == "exec");
            words
                .map(|word| word.trim_matches('"').to_owned())
                .collect()
        }
        _ => words,
    }
}

/// Returns the command lines of all containers.
fn command_lines() -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for document in read("compose.yaml") {
        let services = document["services"]
            .as_object()
            .expect("there are services");
        let commands = services
            .values()
            .filter_map(|service| service.get("command"));
        lines.extend(commands.map(words));
    }
    for document in read("kubernetes.yaml") {
        let containers = &document["spec"]["template"]["spec"]["containers"];
        let containers = containers.as_array().into_iter().flatten();
        lines.extend(containers.map(|container| words(&container["args"])));
    }
    lines
}

/// Says whether the program reads the arguments without doing their work.
fn is_understood(arguments: &[String]) -> bool {
    let output = Command::new(PROGRAM).args(arguments).arg("--help").output();
    output.expect("the program starts").status.success()
}

#[test]
fn programs_are_started_with_arguments_that_they_have() {
    let reference = fs::read_to_string(repository().join("docs/reference.md"));
    let reference = reference.expect("there is a reference");
    let load = reference
        .split("\n## ")
        .find(|part| part.starts_with("`sectile load`"));
    let load = load.expect("it has `load`");
    let lines = command_lines();
    for line in &lines {
        let (program, arguments) = line.split_first().expect("there is a program");
        match &**program {
            "sectile-cluster" => assert!(is_understood(arguments), "{line:?}"),
            "sectile" => {
                assert_eq!(arguments[0], "load", "{line:?}");
                let mut options = arguments.iter().filter(|word| word.starts_with("--"));
                assert!(
                    options.all(|option| load.contains(&format!("`{option}"))),
                    "{line:?}"
                );
            }
            _ => panic!("{line:?}"),
        }
    }
    for process in ["scheduler", "executor", "run", "load"] {
        let count = lines.iter().filter(|line| line[1] == process).count();
        assert_eq!(count, 2, "{process}");
    }
    let unknown = ["executor", "--schedule", "scheduler:50050"];
    assert!(!is_understood(&unknown.map(str::to_owned)));
    let no_number = ["executor", "--memory", "2g"];
    assert!(!is_understood(&no_number.map(str::to_owned)));
}
