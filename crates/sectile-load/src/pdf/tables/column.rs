//! The columns in which the pieces of lines stand.

use super::{Piece, cells};

/// A column: where it is, and how many pieces stand in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) count: usize,
    has_number: bool,
}

/// Returns the columns in which pieces stand, the narrow pieces first: one that would join two columns spans
/// them, unless all but one of them are hardly more than noise. A head spans its columns however few cells are
/// below it, and what holds a number is not noise.
pub(super) fn columns(lines: &[Vec<Piece<'_>>]) -> Vec<Column> {
    let numbered = lines.iter().enumerate();
    let mut pieces: Vec<(usize, &Piece<'_>)> = numbered
        .flat_map(|(line, pieces)| pieces.iter().map(move |piece| (line, piece)))
        .collect();
    let width = |piece: &Piece<'_>| piece.right - piece.left;
    pieces.sort_by(|one, other| width(one.1).total_cmp(&width(other.1)));
    let few = (lines.len() / 10).max(1);
    let mut columns: Vec<Column> = Vec::new();
    for (line, piece) in pieces {
        let is_hit =
            |column: &Column| column.left - 1.0 < piece.right && piece.left < column.right + 1.0;
        let (touched, others): (Vec<Column>, Vec<Column>) =
            columns.iter().partition(|column| is_hit(column));
        let is_weak = |column: &&Column| column.count <= few && !column.has_number;
        let weak = touched.iter().filter(is_weak).count();
        let joins = line > 0 && lines.len() > 4 && weak + 1 >= touched.len();
        if touched.len() < 2 || joins {
            columns = others;
            columns.push(touched.iter().fold(Column::of(piece), Column::with));
        }
    }
    columns.sort_by(|one, other| one.left.total_cmp(&other.left));
    columns
}

impl Column {
    fn of(piece: &Piece<'_>) -> Self {
        Self {
            left: piece.left,
            right: piece.right,
            count: 1,
            has_number: cells::is_number(&piece.words),
        }
    }

    fn with(self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            count: self.count + other.count,
            has_number: self.has_number || other.has_number,
        }
    }
}
