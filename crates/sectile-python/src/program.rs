//! The program, which the package has in it.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Says which command starts the program in another process.
#[pyfunction]
pub(crate) fn set_host(command: Vec<OsString>) {
    sectile_cli::set_host(command);
}

/// Runs the program with arguments, of which the first is its name, and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| sectile_cli::run(arguments))
}
