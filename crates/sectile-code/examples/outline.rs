//! Prints the outline of a source file, or of a few lines of Python.
//!
//! ```sh
//! cargo run -p sectile-code --example outline -- src/lib.rs
//! ```

use std::path::Path;

use sectile_code::{Language, outline};

const PYTHON: &str = "class Queue:\n    def put(self, item):\n        self.items.append(item)\n";

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() -> std::io::Result<()> {
    let (path, text) = match std::env::args().nth(1) {
        Some(path) => (path.clone(), std::fs::read_to_string(&path)?),
        None => ("queue.py".to_owned(), PYTHON.to_owned()),
    };
    let Some(language) = Language::detect(Path::new(&path), &text) else {
        println!("{path}: the language is not known");
        return Ok(());
    };
    let found = outline(&text, language);
    for heading in &found.headings {
        let indent = "  ".repeat(usize::from(heading.level) - 1);
        println!("{indent}{}", heading.title);
    }
    if found.has_errors {
        println!("parts of {path} are not valid {language:?}");
    }
    Ok(())
}
