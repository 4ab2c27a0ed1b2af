//! `docs/reference.md`, the reference of the command line, made from the program itself.

use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command, CommandFactory as _};

use crate::args::Arguments;

const HEAD: &str = "# Reference of the command line

What `sectile COMMAND --help` prints, command by command. This page is made from the program by a test
and not written by hand; [Command line](command-line.md) says what the commands have in common.
";

#[test]
fn the_reference_is_that_of_this_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference.md");
    let made = reference();
    if std::fs::read_to_string(&path).is_ok_and(|text| text == made) {
        return;
    }
    std::fs::write(&path, made).unwrap();
    panic!("docs/reference.md was not that of this program; it is now, commit it");
}

fn reference() -> String {
    let mut program = Arguments::command().term_width(96);
    program.build();
    let mut text = HEAD.to_owned();
    global_options(&program, &mut text);
    for command in program.get_subcommands() {
        describe(command, &program, &mut text);
    }
    text
}

/// Writes the options that every command takes, once.
fn global_options(program: &Command, text: &mut String) {
    text.push_str("\n## Every command\n\n");
    for option in program
        .get_arguments()
        .filter(|option| option.is_global_set())
    {
        write_argument(option, text);
    }
}

/// Describes a command, without the options that the command above it passes on.
fn describe(command: &Command, above: &Command, text: &mut String) {
    if command.is_hide_set() || command.get_name() == "help" {
        return;
    }
    let name = command.get_bin_name().unwrap_or(command.get_name());
    let _ = writeln!(text, "\n## `{name}`\n");
    let about = command.get_long_about().or(command.get_about());
    let _ = writeln!(
        text,
        "{}\n",
        about.map(ToString::to_string).unwrap_or_default()
    );
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").trim();
    let _ = writeln!(text, "```text\n{usage}\n```\n");
    let is_passed_on = |option: &Arg| {
        let mut others = above.get_arguments();
        option.is_global_set() && others.any(|other| other.get_id() == option.get_id())
    };
    let own = |option: &&Arg| !option.is_hide_set() && !is_passed_on(option);
    for argument in command.get_arguments().filter(own) {
        write_argument(argument, text);
    }
    if let Some(examples) = command.get_after_help() {
        let _ = writeln!(text, "\n```text\n{}\n```", examples.to_string().trim());
    }
    for below in command.get_subcommands() {
        describe(below, command, text);
    }
}

fn write_argument(argument: &Arg, text: &mut String) {
    let mut name = argument.to_string();
    // A positional argument that may be left out.
    if name.starts_with('[') {
        name = name.replace(['[', ']'], "");
    }
    if matches!(argument.get_id().as_str(), "help" | "version") {
        return;
    }
    let short = argument.get_short().map(|short| format!("`-{short}`, "));
    let help = argument.get_help().map(ToString::to_string);
    let _ = write!(
        text,
        "- {}`{name}`: {}",
        short.unwrap_or_default(),
        help.unwrap_or_default()
    );
    if argument.get_action().takes_values() {
        write_values(argument, text);
    }
    if let Some(variable) = argument.get_env() {
        let _ = write!(text, " [env: {}]", variable.to_string_lossy());
    }
    text.push('\n');
}

/// Writes the values that an argument may have, and the one it has if none is given.
fn write_values(argument: &Arg, text: &mut String) {
    let values = argument.get_possible_values();
    let names = values.iter().map(|value| {
        let help = value.get_help().map(|help| format!(" ({help})"));
        format!("`{}`{}", value.get_name(), help.unwrap_or_default())
    });
    let names = names.collect::<Vec<_>>().join(", ");
    if !names.is_empty() {
        let _ = write!(text, ": {names}");
    }
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && !argument.is_hide_default_value_set() {
        let _ = write!(text, " [default: {}]", defaults.join(", "));
    }
}
