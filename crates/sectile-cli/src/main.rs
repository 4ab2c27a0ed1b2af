//! The program `sectile`.

use std::process::ExitCode;

fn main() -> ExitCode {
    sectile_cli::run(std::env::args_os()).into()
}
