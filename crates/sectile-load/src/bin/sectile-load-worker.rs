//! A worker that parses files for another process: see `sectile_load::Workers`.

use std::io;

fn main() -> io::Result<()> {
    sectile_load::serve(io::stdin().lock(), io::stdout())
}
