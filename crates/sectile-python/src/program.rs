//! The program, which the package has in it.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the program with arguments, of which the first is its name, and returns its exit code. `host` is
/// the command that starts it in another process.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>, host: Vec<OsString>) -> u8 {
    sectile_cli::set_host(host);
    py.detach(|| sectile_cli::run(arguments))
}
