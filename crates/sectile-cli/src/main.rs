//! The program `sectile`.

mod args;
mod commands;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Arguments, Command};
use commands::Outcome;
use output::Output;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let output = Output::new(arguments.json);
    match run(arguments, &output) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NothingFound) => ExitCode::from(1),
        Ok(Outcome::SomeFailed) => ExitCode::from(2),
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output.error(&error);
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments, output: &Output) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let store = arguments.store;
    runtime.block_on(async {
        match arguments.command {
            Command::Search(arguments) => commands::search::run(arguments, store, output).await,
            Command::Ingest(arguments) => commands::ingest::run(arguments, store, output).await,
            Command::List(arguments) => commands::list::run(arguments, store, output).await,
            Command::Status => commands::status::run(store, output).await,
            Command::Rm(arguments) => commands::rm::run(arguments, store, output).await,
            Command::Toc(arguments) => commands::toc::run(arguments, store, output).await,
            Command::Get(arguments) => commands::get::run(arguments, store, output).await,
            Command::Extract(arguments) => commands::extract::run(&arguments, output),
            Command::Chunk(arguments) => commands::chunk::run(&arguments, output),
            Command::Tree(arguments) => commands::tree::run(&arguments, output),
            Command::Completions { shell } => commands::shell::completions(shell, output),
            Command::Man => commands::shell::man(output),
        }
    })
}
