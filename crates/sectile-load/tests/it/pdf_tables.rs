//! Tables on the pages of made PDF files.

#[path = "pdf_tables/aligned.rs"]
mod aligned;
#[path = "pdf_tables/bullets.rs"]
mod bullets;
#[path = "pdf_tables/frames.rs"]
mod frames;
#[path = "pdf_tables/no_table.rs"]
mod no_table;
#[path = "pdf_tables/page_breaks.rs"]
mod page_breaks;
#[path = "pdf_tables/rows.rs"]
mod rows;
#[path = "pdf_tables/ruled.rs"]
mod ruled;
#[path = "pdf_tables/shaded.rs"]
mod shaded;
#[path = "pdf_tables/tagged.rs"]
mod tagged;
#[path = "pdf_tables/turned.rs"]
mod turned;

use std::fmt::Write as _;
use std::path::Path;

use sectile_load::{LoadOptions, Loader as _, PdfLoader};
use serde_json::json;

use crate::made_pdf::{Made, at, check, part, tagged};

/// Draws rows of cells from a height down, each cell a column of 150 points further right.
fn rows(top: f64, rows: &[&[&str]]) -> String {
    let mut content = String::new();
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty())
        {
            content += &at(72.0 + 150.0 * column as f64, top - 14.0 * row as f64, cell);
        }
    }
    content
}

/// Draws lines from point to point.
fn lines(lines: &[[f64; 4]]) -> String {
    let line = |[x, y, to_x, to_y]: &[f64; 4]| format!("{x} {y} m {to_x} {to_y} l S\n");
    lines.iter().map(line).collect()
}

/// Draws rows of an invoice with narrow gaps; numbers end where their columns end.
fn invoice(rows: &[[&str; 4]]) -> String {
    let mut content = String::new();
    for (row, cells) in rows.iter().enumerate() {
        let y = 700.0 - 18.0 * row as f64;
        content += &at(72.0, y, cells[0]);
        for (cell, right) in cells[1..].iter().zip([237.0, 296.0, 352.0]) {
            let width = cell.chars().map(|c| match c {
                ',' | '.' => 0.278,
                '0'..='9' => 0.556,
                _ => 0.53,
            });
            content += &at(right - 11.0 * width.sum::<f64>(), y, cell);
        }
    }
    content
}

/// Draws columns of lines, one after the other.
fn columns(columns: &[(f64, &[&str])]) -> String {
    let lines = columns.iter().flat_map(|(left, lines)| {
        let heights = (0..).map(|line| 700.0 - 14.0 * f64::from(line));
        lines
            .iter()
            .zip(heights)
            .map(move |(line, y)| at(*left, y, line))
    });
    lines.collect()
}

/// Draws pieces of lines where they stand.
fn pieces(lines: &[&[(f64, &str)]]) -> String {
    let mut content = String::new();
    for (row, pieces) in lines.iter().enumerate() {
        for (x, piece) in *pieces {
            let piece = piece.replace('(', "\\(").replace(')', "\\)");
            content += &at(*x, 700.0 - 12.0 * row as f64, &piece);
        }
    }
    content
}
