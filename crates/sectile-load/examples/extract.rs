//! Prints the headings of a file and what was left out of it.
//!
//! ```sh
//! cargo run -p sectile-load --example extract -- report.pdf
//! ```

use std::path::Path;

use sectile_load::{Error, load_bytes, load_file, omissions};

/// What is loaded where no file is named.
const HTML: &[u8] = b"<title>Tides</title><h1>Tides</h1><p>Twice a day.</p><h2>Spring tides</h2><p>At full moon.</p>";

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() -> Result<(), Error> {
    let document = match std::env::args().nth(1) {
        Some(path) => load_file(path)?,
        None => load_bytes(HTML, Path::new("tides.html"))?,
    };
    let title = document.metadata.title.as_deref().unwrap_or("no title");
    println!(
        "{title}: {:?}, {} bytes of text",
        document.format,
        document.text.len()
    );
    for heading in &document.outline {
        let indent = "  ".repeat(heading.level.into());
        println!("{indent}{}", heading.title);
    }
    for omission in omissions(&document.metadata) {
        println!("{omission}");
    }
    Ok(())
}
