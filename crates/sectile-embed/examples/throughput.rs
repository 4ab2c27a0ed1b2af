//! Says how fast a local model reads a file: `throughput MODEL FILE`, with 150 words a text.

use std::time::Instant;

use sectile_embed::{Embedder, LocalEmbedder, Purpose};

const WORDS: usize = 150;

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::print_stdout, reason = "that is what it is for")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(model), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("usage: throughput MODEL FILE".into());
    };
    let began = Instant::now();
    let embedder = LocalEmbedder::open(model)?;
    println!(
        "{} opened in {:.2?}",
        embedder.model().name,
        began.elapsed()
    );
    let text = std::fs::read_to_string(file)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let texts: Vec<String> = words.chunks(WORDS).map(|words| words.join(" ")).collect();
    let began = Instant::now();
    let vectors = embedder.embed(&texts, Purpose::Document).await?;
    let took = began.elapsed();
    let speed = words.len() as f64 / took.as_secs_f64();
    println!(
        "{} texts in {took:.2?}, {speed:.0} words a second",
        vectors.len()
    );
    Ok(())
}
