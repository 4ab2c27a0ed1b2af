//! The messages of data validation: what a sheet shows when a cell is selected, or when its value is refused.

use crate::blocks::Block;
use crate::grid::cell_name;
use crate::one_line::one_line;

/// When a message is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Message {
    /// When a cell is selected.
    Prompt,
    /// When a value is refused.
    Error,
}

impl Message {
    /// Returns the message of some cells, unless it is empty.
    pub(crate) fn block(self, cells: &str, title: &str, text: &str) -> Option<Block> {
        let said = [title, text].map(one_line);
        let said: Vec<&str> = said.iter().map(String::as_str).collect();
        let said = said.join(": ");
        let said = said.trim_start_matches(": ").trim_end_matches(": ");
        let name = match self {
            Self::Prompt => "Prompt",
            Self::Error => "Error message",
        };
        (!said.is_empty()).then(|| Block::Text(format!("{name} of {cells}: {said}")))
    }
}

/// Names the cells of a rule by its first range.
pub(crate) fn cells(first: &str, has_others: bool) -> String {
    let others = if has_others { " and other cells" } else { "" };
    format!("{first}{others}")
}

/// Names the cells between two, each by its row and column from 0: `B1:B9`, or `B1` where both are the same.
#[cfg(feature = "xlsx")]
pub(crate) fn range_name(first: (u32, u32), last: (u32, u32)) -> String {
    let name = cell_name(first.0, first.1);
    if first == last {
        return name;
    }
    format!("{name}:{}", cell_name(last.0, last.1))
}
