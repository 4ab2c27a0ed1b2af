//! Long numbers that no document has as they were typed, such as that of a telephone: documents write them in groups.

use super::question_terms::Known;
use super::search::Search;
use super::terms::Segments;
use crate::query::is_digits;
use crate::{Clause, Clauses, Language, Query, Result, Variant};

/// How many digits such a number has, and how many a group of it at most.
const DIGITS: std::ops::RangeInclusive<usize> = 6..=15;
const GROUP: usize = 5;

/// How many numbers of a question are looked for in groups at most, and in how many ways each.
const MOST: usize = 4;
const WAYS: usize = 64;

/// How many steps are taken to find these ways.
const STEPS: usize = 4096;

/// Lets the groups of digits that documents have in a row stand for a number among the words that nothing holds, and says
/// whether there were any.
pub(super) async fn group(
    search: &mut Search<'_>,
    segments: &mut Segments,
    query: &mut Query,
    known: &Known,
    unknown: &[usize],
    languages: &[Language],
) -> Result<bool> {
    let unknown = unknown.iter().copied();
    let numbers: Vec<usize> = unknown
        .filter(|&place| is_long_number(query.typed(place)))
        .take(MOST)
        .collect();
    let mut is_any = false;
    for place in numbers {
        let number = query.typed(place).to_owned();
        let rows = rows(search, segments, &number).await?;
        is_any |= !rows.is_empty();
        let rows = rows.into_iter().map(|row| (row, 1.0)).collect();
        query.correct(place, rows, languages, |of| known.chunks_with(of));
    }
    Ok(is_any)
}

fn is_long_number(typed: &str) -> bool {
    DIGITS.contains(&typed.len()) && is_digits(typed)
}

/// Returns the groups of digits that documents have in a row and that are a number together.
async fn rows(
    search: &mut Search<'_>,
    segments: &mut Segments,
    number: &str,
) -> Result<Vec<String>> {
    let groups = clauses(groups(number).map(|group| vec![group.to_owned()]));
    let single = segments.words(search.reader, &groups).await?;
    let ways = ways(number, |group| single.chunks(&[group.to_owned()]) > 0);
    let rows = clauses(ways.into_iter());
    let mut known = Known::default();
    segments.rows(search.reader, &rows, &mut known).await?;
    let held = rows.variants().filter(|of| known.chunks(&of.terms) > 0);
    Ok(held.map(Variant::shown).collect())
}

/// Returns every group of digits that a number may have.
fn groups(number: &str) -> impl Iterator<Item = &str> {
    (0..number.len()).flat_map(move |start| {
        let longest = GROUP.min(number.len() - start);
        (1..=longest).map(move |length| &number[start..start + length])
    })
}

/// Returns the ways to cut a number into groups that documents have, those with long groups first.
fn ways(number: &str, is_known: impl Fn(&str) -> bool) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut open: Vec<Vec<&str>> = vec![Vec::new()];
    for _ in 0..STEPS {
        let Some(begun) = open.pop() else {
            break;
        };
        let start = begun.iter().map(|group| group.len()).sum();
        if start == number.len() {
            found.push(begun.into_iter().map(str::to_owned).collect());
            if found.len() == WAYS {
                break;
            }
            continue;
        }
        // What is added last is looked at first.
        let longest = GROUP.min(number.len() - start);
        let next = (1..=longest).map(|length| &number[start..start + length]);
        for group in next.filter(|group| is_known(group)) {
            let mut longer = begun.clone();
            longer.push(group);
            open.push(longer);
        }
    }
    found
}

fn clauses(all: impl Iterator<Item = Vec<String>>) -> Clauses {
    let clause = |terms| Clause::exact("", 1.0, terms);
    Clauses {
        scored: all.map(clause).collect(),
        ..Clauses::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_cut_into_groups_that_are_known() {
        let known = ["33", "1", "45", "67", "89", "01", "4567"];
        let shown: Vec<String> = ways("33145678901", |group| known.contains(&group))
            .iter()
            .map(|way| way.join(" "))
            .collect();
        assert_eq!(shown, ["33 1 4567 89 01", "33 1 45 67 89 01"]);
        assert_eq!(ways("123456", |_| false), Vec::<Vec<String>>::new());
        assert_eq!(ways("111111111111111", |_| true).len(), WAYS);
    }
}
