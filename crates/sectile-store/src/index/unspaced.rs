//! Words that are read as pairs of characters, and that no document has.

use super::reader::IndexReader;
use super::terms::Segments;
use crate::{Clause, Clauses, Language, Query, Result, Variant};

/// How many characters a word has at most that is looked for: longer ones are several words, and hardly twice the same.
const LONGEST: usize = 24;

/// Lets the pairs of such words count together as one word beside a word of letters: one pair in each of several other
/// words says less than that word.
pub(super) async fn share(
    reader: &mut dyn IndexReader,
    segments: &mut Segments,
    query: &mut Query,
    languages: &[Language],
) -> Result<()> {
    let words = query.unspaced_words();
    if words.is_empty() {
        return Ok(());
    }
    let row = |typed: &str| {
        let is_long = typed.chars().nth(LONGEST).is_some();
        Clause {
            typed: typed.to_owned(),
            weight: 1.0,
            variants: if is_long {
                Vec::new()
            } else {
                Variant::in_a_row(typed, languages)
            },
        }
    };
    let clauses = Clauses {
        scored: words.iter().map(|word| row(&word.typed)).collect(),
        ..Clauses::default()
    };
    let known = segments.known(reader, &clauses).await?;
    let rows = words.iter().zip(&clauses.scored);
    let is_unknown = |row: &Clause| row.variants.iter().all(|of| known.chunks_with(of) == 0);
    let unknown = rows.filter(|&(_, row)| is_unknown(row));
    query.share_weight(unknown.map(|(word, _)| word));
    Ok(())
}
