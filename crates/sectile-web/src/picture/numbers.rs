//! The statistics of chunks: their number and sizes.

use maud::{Markup, html};

use super::Cut;
use crate::write::count;

/// How many columns the histogram has.
const COLUMNS: usize = 24;

/// How high it is, and how wide a column.
const HEIGHT: usize = 32;
const WIDTH: usize = 5;

/// Writes the statistics of the chunks of a text with a number of bytes.
pub(crate) fn numbers(cut: &Cut, bytes: usize) -> Markup {
    let mut sizes: Vec<usize> = cut.chunks.iter().map(|chunk| chunk.size).collect();
    sizes.sort_unstable();
    let first = sizes.first().copied().unwrap_or(0);
    let last = sizes.last().copied().unwrap_or(0);
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
    let repeated = 100.0 * cut.repeated() as f64 / bytes.max(1) as f64;
    html! {
        dl.numbers {
            (number("chunks", &html! { output.chunks { (count(sizes.len())) } }))
            (number(&format!("{}, smallest", cut.unit), &html! { (count(first)) }))
            (number("median", &html! { (count(median)) }))
            (number("largest", &html! { (count(last)) }))
            (number("in two chunks", &html! { (format!("{repeated:.0} %")) }))
        }
        @if first < last { (histogram(&sizes, first, last)) }
    }
}

fn number(name: &str, value: &Markup) -> Markup {
    html! { div { dt { (name) } dd { (value) } } }
}

/// Draws how many chunks there are of each size.
fn histogram(sizes: &[usize], first: usize, last: usize) -> Markup {
    let mut columns = [0_usize; COLUMNS];
    for size in sizes {
        columns[(size - first) * (COLUMNS - 1) / (last - first)] += 1;
    }
    let most = columns.iter().copied().max().unwrap_or(1).max(1);
    let label = format!("Sizes of chunks, from {first} to {last}");
    let width = COLUMNS * WIDTH;
    html! {
        svg.histogram viewBox=(format!("0 0 {width} {HEIGHT}")) width=(width) height=(HEIGHT) role="img" aria-label=(label) {
            @for (at, chunks) in columns.iter().enumerate() {
                // A column of few chunks is still to be seen.
                @let height = (chunks * HEIGHT).div_ceil(most);
                rect x=(at * WIDTH) y=(HEIGHT - height) width=(WIDTH - 1) height=(height) {}
            }
        }
    }
}
