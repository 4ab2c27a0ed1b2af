//! Measures how fast files are cut into pages: `split FILE…`. Each is also cut four times as long, which
//! shows that the time grows with the size.

use std::time::Instant;

use sectile_site::split_full;
use url::Url;

/// How often a text is cut; the fastest time counts.
const TIMES: usize = 20;

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file: Url = "https://example.org/llms-full.txt".parse()?;
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        for text in [text.repeat(4), text] {
            let pages = split_full(&text, &file).len();
            let measure = |_| {
                let start = Instant::now();
                std::hint::black_box(split_full(&text, &file));
                start.elapsed()
            };
            let fastest = (0..TIMES).map(measure).min().unwrap_or_default();
            let speed = text.len() as f64 / 1e6 / fastest.as_secs_f64();
            println!(
                "{path}: {} bytes, {pages} pages, {speed:.0} MB/s",
                text.len()
            );
        }
    }
    Ok(())
}
