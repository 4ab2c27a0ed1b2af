//! `sectile completions` and `sectile man`.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Outcome;
use crate::args::Arguments;
use crate::output;

pub(crate) fn completions(shell: Shell) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "sectile", &mut script);
    output::raw(&script)?;
    Ok(Outcome::Done)
}

pub(crate) fn man() -> anyhow::Result<Outcome> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut page)?;
    output::raw(&page)?;
    Ok(Outcome::Done)
}
