//! Cuts a file, or a short text, into chunks and prints where each stands.
//!
//! ```sh
//! cargo run -p sectile-chunk --example chunk_file -- README.md
//! ```

use sectile_chunk::RecursiveCharacterTextSplitter;

const TEXT: &str =
    "# Tides\n\nThe sea rises twice a day.\n\n## Spring tides\n\nAt full moon it rises most.\n";

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A file in chunks of 400 characters, the short text in chunks of 40.
    let (text, size) = match std::env::args().nth(1) {
        Some(path) => (std::fs::read_to_string(path)?, 400),
        None => (TEXT.to_owned(), 40),
    };
    let splitter = RecursiveCharacterTextSplitter::new(size, size / 10)?;
    for chunk in splitter.chunks(&text) {
        let start = chunk.text.lines().next().unwrap_or_default();
        println!("lines {}, {} bytes: {start}", chunk.lines, chunk.text.len());
    }
    Ok(())
}
