//! The program `sectile` as a library, for packages of other languages that include it.

mod args;
mod commands;
mod mode;
mod output;
mod progress;
#[cfg(test)]
mod reference;
mod settings;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::pin::Pin;
use std::sync::OnceLock;
use std::time::Duration;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};
use sectile_web::Metrics;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::prelude::*;
use tracing_subscriber::{EnvFilter, fmt};

use args::{Arguments, Command, LogFormat};
use commands::Outcome;
use output::Verbosity;
use settings::Settings;

/// The command that starts this program, if another program includes it.
static HOST: OnceLock<Vec<OsString>> = OnceLock::new();

/// Runs the program and returns its exit code. The first argument is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match parsed(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = u8::try_from(error.exit_code()).unwrap_or(2);
            return match printed(&error) {
                Err(error) if code == 0 => failed(&error.into()),
                _ => code,
            };
        }
    };
    match answer(arguments) {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::NothingFound) => 1,
        Ok(Outcome::SomeFailed) => 2,
        Ok(Outcome::Interrupted) => 130,
        Err(error) => failed(&error),
    }
}

/// Prints a help, a version or a refusal.
fn printed(error: &clap::Error) -> std::io::Result<()> {
    error.print()?;
    std::io::stdout().flush()
}

/// Prints why the work ended, and returns the exit code. Prints nothing if the output is a closed
/// pipe.
fn failed(error: &anyhow::Error) -> u8 {
    if output::is_closed_pipe(error) {
        return 0;
    }
    output::error(error);
    2
}

/// Reads the arguments. A variable that is empty counts as one that is not set, and a question may begin with a dash.
fn parsed(arguments: impl IntoIterator<Item = OsString>) -> clap::error::Result<Arguments> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut command = with_variables(Arguments::command());
    // Only then, so that an option with a typing error is named.
    if arguments.iter().any(|of| begins_with_flag(of)) {
        command = command.mut_subcommand("search", |search| {
            search.mut_arg("query", |query| query.allow_hyphen_values(true))
        });
    }
    let unreadable = unreadable_variable(&command);
    let matches = command.try_get_matches_from(arguments);
    let matches = matches.map_err(|error| match unreadable {
        Some(name) if error.kind() == ErrorKind::InvalidUtf8 => clap::Error::raw(
            ErrorKind::InvalidUtf8,
            format_args!("{name} is not valid UTF-8; set it again, or unset it\n"),
        ),
        _ => error,
    })?;
    let mut arguments = Arguments::from_arg_matches(&matches)?;
    arguments.typed_models = matches
        .subcommand()
        .map_or_else(Vec::new, |(_, of_command)| typed_models(of_command));
    Ok(arguments)
}

/// Returns the name of a variable that cannot be read as the value of an argument.
fn unreadable_variable(command: &clap::Command) -> Option<String> {
    let is_unreadable =
        |name: &&OsStr| std::env::var_os(name).is_some_and(|value| value.to_str().is_none());
    let mut variables = command.get_arguments().filter_map(clap::Arg::get_env);
    let here = variables.find(is_unreadable);
    here.map(|name| name.to_string_lossy().into_owned())
        .or_else(|| command.get_subcommands().find_map(unreadable_variable))
}

/// Returns the options of models that were typed for a command that may have no use for them.
fn typed_models(matches: &ArgMatches) -> Vec<&'static str> {
    let options = [("embedder", "--embedder"), ("chat_model", "--chat-model")];
    let is_typed = |id: &str| {
        let is_known = matches.try_contains_id(id).is_ok();
        is_known && matches.value_source(id) == Some(ValueSource::CommandLine)
    };
    let typed = options.into_iter().filter(|(id, _)| is_typed(id));
    typed.map(|(_, option)| option).collect()
}

/// Returns whether an argument is not an option, though it begins with a dash, for the white space in its name: `-m
/// flag`.
fn begins_with_flag(argument: &OsStr) -> bool {
    let argument = argument.to_string_lossy();
    let name = argument.split('=').next().unwrap_or_default();
    name.starts_with('-') && name.contains(char::is_whitespace)
}

/// Hides the values of variables in help texts, because they may be passwords, and ignores empty variables. A negative
/// number after an option is its value, so that the option says which numbers it takes.
fn with_variables(command: clap::Command) -> clap::Command {
    let is_empty = |argument: &clap::Arg| {
        let variable = argument.get_env();
        variable.is_some_and(|name| std::env::var_os(name).is_some_and(|value| value.is_empty()))
    };
    let change = move |argument: clap::Arg| {
        let is_option = argument.get_long().is_some() || argument.get_short().is_some();
        let takes_value = is_option && argument.get_action().takes_values();
        let argument = argument.allow_negative_numbers(takes_value);
        if is_empty(&argument) {
            argument.env(None::<&str>)
        } else {
            argument.hide_env_values(true)
        }
    };
    command.mut_args(change).mut_subcommands(with_variables)
}

/// Sets the command that starts another process of this program, if the executable alone is not the
/// program: `python3 -c …`. An empty command means that there is none.
pub fn set_host(command: Vec<OsString>) {
    // It is the same for as long as the process lives.
    let _ = HOST.set(command);
}

/// Returns workers that parse files in processes of this program.
///
/// # Errors
///
/// Fails if the path of this program is unknown.
pub fn workers() -> std::io::Result<sectile::load::Workers> {
    commands::workers()
}

/// How long the work of a client that is gone may take to end.
const LAST_WAIT: Duration = Duration::from_secs(1);

fn answer(mut arguments: Arguments) -> anyhow::Result<Outcome> {
    let metrics = speak(&arguments);
    if uses_settings(&arguments.command) {
        let mut settings = Settings::load()?;
        commands::set_languages(std::mem::take(&mut settings.languages));
        arguments.fill(settings);
    }
    arguments.check_models()?;
    let json = arguments.json;
    // A server answers one client while another one's question is worked on.
    let mut runtime = match arguments.command {
        Command::Mcp(_) | Command::Serve(_) => tokio::runtime::Builder::new_multi_thread(),
        _ => tokio::runtime::Builder::new_current_thread(),
    };
    let runtime = runtime.enable_all().build()?;
    #[cfg(unix)]
    outlive_file_size_limit(&runtime);
    let store = arguments.store;
    let address = store.clone();
    let goes_on = match &arguments.command {
        Command::Search(arguments) => !arguments.paths.is_empty(),
        Command::Ingest(_) | Command::Load(_) => true,
        _ => false,
    };
    let has_client = matches!(arguments.command, Command::Mcp(_));
    // As a box, it is compiled once, and not for each runtime and each way to wait for it.
    let answer: Pin<Box<dyn Future<Output = anyhow::Result<Outcome>>>> = Box::pin(async move {
        match arguments.command {
            Command::Search(arguments) => commands::search::run(arguments, store, json).await,
            Command::Ingest(arguments) => commands::ingest::run(arguments, store, json).await,
            Command::Load(arguments) => commands::load::run(arguments, store, json).await,
            Command::Watch(arguments) => commands::watch::run(arguments, store, json).await,
            Command::List(arguments) => commands::list::run(arguments, store, json).await,
            Command::Status => commands::status::run(store, json).await,
            Command::Rm(arguments) => commands::rm::run(arguments, store, json).await,
            Command::Note(arguments) => commands::note::run(arguments, store, json).await,
            Command::Collection(arguments) => {
                commands::collection::run(arguments.command, store, json).await
            }
            Command::Toc(arguments) => commands::toc::run(arguments, store, json).await,
            Command::Get(arguments) => commands::get::run(arguments, store, json).await,
            Command::Extract(arguments) => commands::extract::run(arguments, json).await,
            Command::Chunk(arguments) => commands::chunk::run(&arguments, json),
            Command::Tree(arguments) => commands::tree::run(&arguments, store, json).await,
            Command::Eval(arguments) => commands::eval::run(arguments, store, json).await,
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
            Command::Model(arguments) => commands::model::run(arguments.command, json).await,
            Command::Mcp(arguments) => commands::mcp::run(arguments, store).await,
            Command::Serve(arguments) => commands::serve::run(arguments, store, metrics).await,
            Command::Doctor(arguments) => commands::doctor::run(arguments, store, json).await,
            Command::Backup(arguments) => commands::backup::run(arguments, store, json).await,
            Command::Config(arguments) => commands::config::run(arguments.command.as_ref(), json),
            Command::Completions { shell } => commands::shell::completions(shell),
            Command::Man(arguments) => commands::shell::man(&arguments),
            Command::LoadWorker => commands::load_worker(),
        }
    });
    let answer = if goes_on {
        let Some(answer) = runtime.block_on(until_interrupted(answer)) else {
            // Threads that read a file just now are not waited for.
            runtime.shutdown_background();
            return Ok(Outcome::Interrupted);
        };
        answer
    } else {
        runtime.block_on(answer)
    };
    if has_client {
        // Nobody waits for what is left of the calls of a client that is gone.
        runtime.shutdown_timeout(LAST_WAIT);
    }
    answer.map_err(|error| commands::with_command_named(commands::with_store_named(error, address)))
}

/// Lets a write beyond the limit of file sizes (`ulimit -f`) fail. Without this handler, the signal would end the
/// process.
#[cfg(unix)]
fn outlive_file_size_limit(runtime: &tokio::runtime::Runtime) {
    use tokio::signal::unix::{SignalKind, signal};

    /// Its number on Linux, macOS and the BSDs.
    const SIGXFSZ: i32 = 25;
    let _context = runtime.enter();
    // Where it cannot be handled, the signal does what it always did.
    let _ = signal(SignalKind::from_raw(SIGXFSZ));
}

/// Does the work of a command unless the user interrupts it. The same command continues the work
/// later.
async fn until_interrupted<T>(work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        done = work => Some(done),
        Ok(()) = tokio::signal::ctrl_c() => {
            output::note(format_args!(
                "interrupted; finished work is in the store, and the same command continues"
            ));
            None
        }
    }
}

/// Returns whether a command reads the configuration file. The commands that repair it work without
/// it.
fn uses_settings(command: &Command) -> bool {
    !matches!(
        command,
        Command::Config(_)
            | Command::Doctor(_)
            | Command::Model(_)
            | Command::Completions { .. }
            | Command::Man(_)
            | Command::LoadWorker
    )
}

/// Returns the filter in `RUST_LOG`, if it is set. Warns of an invalid filter, but not in worker processes.
fn logged(command: &Command) -> Option<EnvFilter> {
    let asked = std::env::var_os(EnvFilter::DEFAULT_ENV).filter(|asked| !asked.is_empty())?;
    let filter = asked.to_str().map(EnvFilter::try_new);
    let reason = match filter {
        Some(Ok(filter)) => return Some(filter),
        Some(Err(error)) => error.to_string(),
        None => "it is not text".to_owned(),
    };
    if !matches!(command, Command::LoadWorker) {
        output::warning(format_args!(
            "RUST_LOG is ignored ({reason}); write it as in RUST_LOG=sectile=debug"
        ));
    }
    None
}

/// Sets up messages and logging on standard error, and returns the metrics.
fn speak(arguments: &Arguments) -> Metrics {
    let is_server = matches!(arguments.command, Command::Mcp(_) | Command::Serve(_));
    let (verbosity, level) = match (arguments.quiet, arguments.verbose) {
        (true, _) => (Verbosity::Quiet, "off"),
        (false, 0) if is_server => (Verbosity::Normal, "sectile=warn"),
        (false, 0) => (Verbosity::Normal, "off"),
        (false, 1) => (Verbosity::Verbose, "sectile=info"),
        (false, _) => (Verbosity::Detailed, "sectile=debug"),
    };
    output::set_verbosity(verbosity);
    let filter = logged(&arguments.command).unwrap_or_else(|| EnvFilter::new(level));
    let log = fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_span_events(FmtSpan::CLOSE);
    let log = match arguments.log_format {
        LogFormat::Text => log.boxed(),
        LogFormat::Json => log.json().boxed(),
    };
    let metrics = Metrics::new();
    let counted = matches!(arguments.command, Command::Serve(_)).then(|| {
        let ours = Targets::new().with_target("sectile", LevelFilter::DEBUG);
        metrics.layer().with_filter(ours)
    });
    tracing_subscriber::registry()
        .with(log.with_filter(filter))
        .with(counted)
        .init();
    metrics
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_help_shows_what_a_variable_holds() {
        let mut command = with_variables(Arguments::command());
        command.build();
        check_variables(&command);
    }

    fn check_variables(command: &clap::Command) {
        let arguments = command.get_arguments();
        for argument in arguments.filter(|argument| argument.get_env().is_some()) {
            let (name, id) = (command.get_name(), argument.get_id());
            assert!(argument.is_hide_env_values_set(), "{name} --{id}");
        }
        command.get_subcommands().for_each(check_variables);
    }
}
