//! Writes files made to break what reads them into a folder, for other programs to try:
//!
//! ```text
//! cargo run --release -p sectile-load --example hostile -- FOLDER
//! ```

use std::path::Path;
use std::{env, fs, io};

#[path = "../tests/it/hostile_files.rs"]
mod hostile_files;

fn main() -> io::Result<()> {
    let folder = env::args()
        .nth(1)
        .ok_or_else(|| io::Error::other("name a folder"))?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    for (name, bytes) in hostile_files::all() {
        // Damaged in a way of its own, each tries another path.
        fs::write(
            folder.join(format!("damaged-{name}")),
            hostile_files::mutate(&bytes, 3),
        )?;
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
