//! The commands of `docs/tutorial.md`, run as a reader would.

use std::path::Path;
use std::process::Command;

use regex::Regex;

/// A command with what it should print.
#[derive(Debug, Default)]
struct Step {
    command: String,
    output: String,
}

#[test]
fn the_tutorial_prints_what_it_says() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorial.md");
    let steps = steps(&std::fs::read_to_string(page).unwrap());
    assert!(
        steps.len() > 10,
        "the tutorial has {} commands",
        steps.len()
    );
    let home = tempfile::tempdir().unwrap();
    for step in &steps {
        let printed = run(&step.command, home.path());
        assert_eq!(
            comparable(&printed),
            comparable(&step.output),
            "$ {}",
            step.command
        );
    }
}

/// Reads the blocks that show a console. A command begins with `$ ` and goes on with `>`.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut is_console = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) {
            let command = command.to_owned();
            steps.push(Step {
                command,
                output: String::new(),
            });
        } else if let Some(step) = steps.last_mut().filter(|_| is_console) {
            if let Some(more) = line.strip_prefix('>') {
                step.command.push('\n');
                step.command += more.strip_prefix(' ').unwrap_or(more);
            } else {
                step.output += line;
                step.output.push('\n');
            }
        }
    }
    steps
}

/// Runs a command in a shell, with a home of its own and this program on the path.
fn run(command: &str, home: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_sectile")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("bash");
    shell.args(["-c", &format!("exec 2>&1\n{command}")]);
    shell.current_dir(home).env("HOME", home).env("PATH", path);
    for variable in std::env::vars().map(|(name, _)| name) {
        if variable.starts_with("SECTILE_") || variable.starts_with("XDG_") {
            shell.env_remove(variable);
        }
    }
    let output = shell.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "$ {command}\n{printed}");
    printed
}

/// Takes out what differs from run to run: times. The id of a memory is that of its text.
fn comparable(printed: &str) -> String {
    let times = Regex::new(r"\b\d+\.\d s\b").unwrap();
    times.replace_all(printed, "0.1 s").into_owned()
}
