//! `sectile completions` and `sectile man`.

use anyhow::Context as _;
use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Outcome;
use crate::args::{Arguments, ManArguments};
use crate::output;

pub(crate) fn completions(shell: Shell) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "sectile", &mut script);
    output::raw(&script)?;
    Ok(Outcome::Done)
}

pub(crate) fn man(arguments: &ManArguments) -> anyhow::Result<Outcome> {
    let command = Arguments::command();
    if let Some(folder) = &arguments.dir {
        std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .with_context(|| format!("cannot write into {}", folder.display()))?;
        return Ok(Outcome::Done);
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    output::raw(&page)?;
    Ok(Outcome::Done)
}
