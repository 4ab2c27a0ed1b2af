//! Makes a table of the chunks of a text, shows its columns, and reads the chunks back.
//!
//! ```sh
//! cargo run -p sectile-arrow --example chunks_as_table
//! ```

use arrow_array::RecordBatch;
use sectile_arrow::{ChunkBuilder, Error, chunks};
use sectile_core::{Chunk, LineIndex, Span};

const TEXT: &str = "The tide comes in.\nThe tide goes out.\n";

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() -> Result<(), Error> {
    let lines = LineIndex::new(TEXT);
    let mut builder = ChunkBuilder::default();
    // Each line is a chunk here. `sectile-chunk` cuts texts in better ways.
    for (index, span) in [Span::new(0, 19), Span::new(19, 38)]
        .into_iter()
        .enumerate()
    {
        builder.append(&Chunk {
            index,
            text: span.of(TEXT).into(),
            span,
            // The text is ASCII, so a character is a byte.
            chars: span,
            lines: lines.lines(span),
            tokens: None,
            heading_path: None,
        });
    }
    let array = builder.finish();
    for chunk in chunks(&array)? {
        println!(
            "chunk {} at line {}: {:?}",
            chunk.index, chunk.lines, chunk.text
        );
    }
    let table = RecordBatch::from(array);
    println!("{} rows, with these columns:", table.num_rows());
    for field in table.schema().fields() {
        println!("  {}: {}", field.name(), field.data_type());
    }
    Ok(())
}
