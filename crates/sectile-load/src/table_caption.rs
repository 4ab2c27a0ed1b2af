//! Captions of tables that stand in rows of their own above the head.

/// How many rows at the beginning of a table are looked at.
pub(crate) const FEW_ROWS: usize = 7;

/// How many rows captions fill at most.
const MOST_CAPTIONS: usize = 3;

/// How many rows below the head of two columns have a value at least: a list of properties begins with words, too.
const LEAST_VALUES: usize = 3;

/// A row of a table.
#[derive(Debug, Default)]
pub(crate) struct Row<'a> {
    /// The text of each column, empty where a cell has none or spans more than one column.
    pub(crate) texts: Vec<&'a str>,
    /// Whether it is one cell over all columns.
    pub(crate) is_one_cell: bool,
    /// Whether the file says that it is a head or not, if it says so.
    pub(crate) is_head: Option<bool>,
}

impl Row<'_> {
    fn filled(&self) -> usize {
        self.texts.iter().filter(|text| !text.is_empty()).count()
    }

    /// Returns whether the first cell alone has text.
    fn may_be_caption(&self) -> bool {
        self.filled() == 1 && !self.texts[0].is_empty()
    }

    fn has_value(&self) -> bool {
        self.texts.iter().skip(1).any(|text| is_value(text))
    }
}

/// Returns how many rows at the beginning of a table are captions; `rows` are its first [`FEW_ROWS`]. The row below
/// them is the head: it has words alone, and values stand below it.
pub(crate) fn count(rows: &[Row<'_>]) -> usize {
    let captions = rows.iter().take_while(|row| row.may_be_caption()).count();
    let (captions, others) = rows.split_at(captions);
    let Some((head, below)) = others.split_first() else {
        return 0;
    };
    let is_few = (1..=MOST_CAPTIONS).contains(&captions.len());
    if is_few && is_head(captions, head, below) {
        captions.len()
    } else {
        0
    }
}

fn is_head(captions: &[Row<'_>], head: &Row<'_>, below: &[Row<'_>]) -> bool {
    let Some(first) = below.first().filter(|_| head.filled() > 1) else {
        return false;
    };
    if let Some(is_head) = head.is_head {
        return is_head;
    }
    let columns = head.texts.len();
    let is_full = captions.iter().all(|caption| caption.is_one_cell)
        && head.filled() == columns
        && first.filled() > 1;
    let has_values = if columns > 2 {
        first.has_value() || is_full
    } else {
        below.len() >= LEAST_VALUES && below.iter().all(Row::has_value)
    };
    has_values && !head.texts.iter().any(|text| is_value(text))
}

/// Returns whether a text is a number with its signs, and not a year, as heads have it.
fn is_value(text: &str) -> bool {
    let is_year = text.len() == 4
        && text.bytes().all(|digit| digit.is_ascii_digit())
        && (text.starts_with("19") || text.starts_with("20"));
    text.contains(char::is_numeric) && !text.contains(char::is_alphabetic) && !is_year
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks how many rows are captions; cells are parted by bars, and a row without is one cell.
    fn check(rows: &[&str], expected: usize) {
        let columns = rows.iter().map(|row| row.split('|').count()).max();
        let columns = columns.unwrap_or_default();
        let rows: Vec<Row<'_>> = rows
            .iter()
            .map(|row| {
                let mut texts: Vec<&str> = row.split('|').collect();
                let is_one_cell = texts.len() == 1;
                texts.resize(columns, "");
                Row {
                    texts,
                    is_one_cell,
                    is_head: None,
                }
            })
            .collect();
        assert_eq!(count(&rows), expected, "{rows:?}");
    }

    #[test]
    fn captions_stand_above_a_head_with_values_below() {
        check(&["Sales", "Region|Q1|Q2", "North|10|12"], 1);
        check(&["Sales||", "Region|Q1|Q2", "North|10|12"], 1);
        check(
            &["Sales", "in thousands", "|2023|2024", "North|1,250|-3.5%"],
            2,
        );
        check(&["Staff", "Name|Role|Place", "Ann|cook|York"], 1);
        check(&["Prices", "Tea|EUR", "a|1", "b|2", "c|3"], 1);
    }

    #[test]
    fn other_rows_of_one_cell_are_heads() {
        check(&["Region|Q1|Q2", "North|10|12"], 0);
        check(&["Sales", "North|10|12", "South|8|9"], 0);
        check(&["Sales", "Region|Q1|Q2"], 0);
        check(&["Region||", "North|open|closed", "South|open|open"], 0);
        check(&["|2023|", "Region|Q1|Q2", "North|10|12"], 0);
        check(&["Invoice", "Customer|Miller", "Number|4711"], 0);
        check(&["One", "Two", "Three"], 0);
        check(&[], 0);
    }

    #[test]
    fn a_file_may_say_what_is_a_head() {
        let row = |texts: &[&'static str], is_head| Row {
            texts: texts.to_vec(),
            is_one_cell: texts[1].is_empty(),
            is_head,
        };
        for (is_head, expected) in [(Some(true), 1), (Some(false), 0), (None, 0)] {
            let rows = [
                row(&["Staff", ""], Some(true)),
                row(&["Name", "Role"], is_head),
                row(&["Ann", "cook"], None),
            ];
            assert_eq!(count(&rows), expected, "{is_head:?}");
        }
    }
}
