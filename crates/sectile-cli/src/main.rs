//! The program `sectile`.

mod args;
mod commands;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Arguments, Command};
use commands::Outcome;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::NothingFound) => ExitCode::from(1),
        Ok(Outcome::SomeFailed) => ExitCode::from(2),
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::error(&error);
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let json = arguments.json;
    // A server answers one client while another one's question is worked on.
    let mut runtime = match arguments.command {
        Command::Mcp(_) | Command::Serve(_) => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = runtime.enable_all().build()?;
    let store = arguments.store;
    runtime.block_on(async {
        match arguments.command {
            Command::Search(arguments) => commands::search::run(arguments, store, json).await,
            Command::Ingest(arguments) => commands::ingest::run(arguments, store, json).await,
            Command::List(arguments) => commands::list::run(arguments, store, json).await,
            Command::Status => commands::status::run(store, json).await,
            Command::Rm(arguments) => commands::rm::run(arguments, store, json).await,
            Command::Toc(arguments) => commands::toc::run(arguments, store, json).await,
            Command::Get(arguments) => commands::get::run(arguments, store, json).await,
            Command::Extract(arguments) => commands::extract::run(arguments, json).await,
            Command::Chunk(arguments) => commands::chunk::run(&arguments, json),
            Command::Tree(arguments) => commands::tree::run(&arguments, store, json).await,
            Command::Remember(arguments) => {
                commands::memory::keep(sectile::MEMORIES, arguments, store, json).await
            }
            Command::Learn(arguments) => {
                commands::memory::keep(sectile::KNOWLEDGE, arguments, store, json).await
            }
            Command::Forget(arguments) => commands::memory::forget(arguments, store, json).await,
            Command::Checkpoint(arguments) => {
                commands::checkpoint::run(arguments, store, json).await
            }
            Command::Mcp(arguments) => commands::mcp::run(arguments, store).await,
            Command::Serve(arguments) => commands::serve::run(arguments, store).await,
            Command::Completions { shell } => commands::shell::completions(shell),
            Command::Man => commands::shell::man(),
            Command::LoadWorker => commands::load_worker(),
        }
    })
}
