//! Sectile on a cluster: the processes of Apache Ballista with Sectile's functions, and what gives them work.

mod args;
mod cluster;
mod codec;
mod job;
mod load;
mod location;
mod lock;
mod parts;
mod run;
mod session;
mod stderr;
mod stores;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Arguments, Command};

/// The argument that makes this program one that parses a file and may die of it.
const WORKER: &str = "load-worker";

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some(WORKER) {
        let served = sectile::load::serve(std::io::stdin().lock(), std::io::stdout());
        return ExitCode::from(u8::from(served.is_err()));
    }
    match answer(Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            stderr::say(&format!("{error:#}"));
            ExitCode::from(2)
        }
    }
}

#[tokio::main]
async fn answer(arguments: Arguments) -> anyhow::Result<bool> {
    match arguments.command {
        Command::Scheduler(arguments) => cluster::schedule(arguments).await.map(|()| true),
        Command::Executor(arguments) => cluster::execute(arguments).await.map(|()| true),
        Command::Parts(arguments) => parts::make(&arguments).await,
        Command::Load(arguments) => load::load(&arguments).await,
        Command::Run(arguments) => run::run(arguments).await,
    }
}
