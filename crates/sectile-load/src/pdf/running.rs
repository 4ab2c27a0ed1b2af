//! Lines that run at the head or foot of page after page.

use std::collections::{BTreeSet, HashMap};

use super::extract::PageBlocks;

/// How many blocks from the edge of a page a running line may stand.
const DEPTH: usize = 3;

/// How many pages a line must stand on.
const MIN_PAGES: usize = 3;

/// How long a line may be, in characters, for which so few pages are enough. What is longer may be
/// a paragraph that a form repeats.
const SHORT: usize = 80;

/// How many pages a longer line must stand on.
const MIN_PAGES_OF_LONG: usize = 6;

/// How long a running line may be, in characters.
const MAX_CHARACTERS: usize = 240;

/// Takes running lines away from `pages` and returns each of them once, as it first stood.
///
/// A line is running when it stands at the same edge, numbers aside, of at least three pages and
/// of half the pages between the first of them and the last, with nothing but running lines beyond
/// it; pages on the left and on the right may have lines of their own. What looks like a heading by its type size never is: the heading
/// of a chapter may repeat at the head of its pages.
pub(super) fn take(pages: &mut [PageBlocks]) -> Vec<String> {
    let running = find(pages);
    if running.is_empty() {
        return Vec::new();
    }
    let mut taken = Vec::new();
    let mut seen = BTreeSet::new();
    for page in pages {
        let is_running = |edge: Edge, place: &usize| {
            let form = form(page, *place);
            form.is_some_and(|form| running.contains(&(edge, form)))
        };
        let edges = [Edge::Head, Edge::Foot].into_iter();
        let places = edges.flat_map(|edge| {
            let places = places(page, edge).into_iter();
            places.take_while(move |place| is_running(edge, place))
        });
        let places: BTreeSet<usize> = places.collect();
        // On a page of nothing else, as a title page is, the line is the text.
        if places.len() == page.blocks.len() && !page.is_drawn {
            continue;
        }
        for (index, block) in page.blocks.iter().enumerate() {
            if places.contains(&index) && seen.insert(normal(&block.text)) {
                taken.push(block.text.clone());
            }
        }
        let mut index = 0..;
        page.blocks
            .retain(|_| index.next().is_some_and(|index| !places.contains(&index)));
    }
    taken
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Edge {
    Head,
    Foot,
}

/// The pages, by index, on which a line stands.
#[derive(Debug, Default)]
struct Seen {
    first: usize,
    last: usize,
    count: usize,
}

fn find(pages: &[PageBlocks]) -> BTreeSet<(Edge, String)> {
    let mut seen: HashMap<(Edge, String), Seen> = HashMap::new();
    for (index, page) in pages.iter().enumerate() {
        for edge in [Edge::Head, Edge::Foot] {
            let forms = places(page, edge).into_iter();
            let forms: BTreeSet<String> = forms.filter_map(|place| form(page, place)).collect();
            for form in forms {
                let seen = seen.entry((edge, form)).or_insert(Seen {
                    first: index,
                    ..Seen::default()
                });
                seen.last = index;
                seen.count += 1;
            }
        }
    }
    let is_running = |form: &str, seen: &Seen| {
        let is_long = form.chars().nth(SHORT).is_some();
        let pages = if is_long {
            MIN_PAGES_OF_LONG
        } else {
            MIN_PAGES
        };
        seen.count >= pages && seen.count * 2 > seen.last - seen.first
    };
    let running = seen
        .into_iter()
        .filter(|((_, form), seen)| is_running(form, seen));
    running.map(|(line, _)| line).collect()
}

/// Returns the blocks at an edge of a page, from the edge inwards.
fn places(page: &PageBlocks, edge: Edge) -> Vec<usize> {
    let count = page.blocks.len();
    match edge {
        Edge::Head => (0..count.min(DEPTH)).collect(),
        Edge::Foot => (count.saturating_sub(DEPTH)..count).rev().collect(),
    }
}

/// Returns what a line looks like wherever it runs, or nothing when it cannot be one.
fn form(page: &PageBlocks, place: usize) -> Option<String> {
    let block = &page.blocks[place];
    let is_line = block.level.is_none() && !block.text.contains('\n');
    let is_short = || block.text.chars().nth(MAX_CHARACTERS).is_none();
    (is_line && is_short()).then(|| normal(&block.text))
}

/// Writes a line without its numbers and with single spaces.
fn normal(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let mut last = None;
        let digits_once = word.chars().filter_map(move |character| {
            let character = if character.is_numeric() {
                '#'
            } else {
                character
            };
            let again = character == '#' && last == Some('#');
            last = Some(character);
            (!again).then_some(character)
        });
        digits_once.collect::<String>()
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::extract::TextBlock;
    use super::*;

    fn page(blocks: &[&str]) -> PageBlocks {
        let block = |text: &&str| TextBlock {
            text: text.trim_start_matches("# ").into(),
            level: text.starts_with("# ").then_some(1),
            ..TextBlock::default()
        };
        PageBlocks {
            blocks: blocks.iter().map(block).collect(),
            ..PageBlocks::default()
        }
    }

    fn check(pages: &[&[&str]], taken: &[&str], left: &[&[&str]]) {
        let mut pages: Vec<PageBlocks> = pages.iter().map(|blocks| page(blocks)).collect();
        assert_eq!(take(&mut pages), taken);
        let texts = |page: &PageBlocks| -> Vec<String> {
            page.blocks.iter().map(|block| block.text.clone()).collect()
        };
        let found: Vec<Vec<String>> = pages.iter().map(texts).collect();
        assert_eq!(found, left);
    }

    #[test]
    fn heads_and_feet_are_taken() {
        check(
            &[
                &["The Book", "one", "two", "three", "Page 9 of 11"],
                &["The Book", "four", "five", "six", "Page 10 of 11"],
                &["The Book", "seven", "eight", "nine", "Page 11 of 11"],
            ],
            &["The Book", "Page 9 of 11"],
            &[
                &["one", "two", "three"],
                &["four", "five", "six"],
                &["seven", "eight", "nine"],
            ],
        );
    }

    #[test]
    fn left_and_right_pages_have_their_own() {
        let pages: Vec<[&str; 2]> = vec![
            ["L 2", "a"],
            ["3 R", "b"],
            ["L 4", "c"],
            ["5 R", "d"],
            ["L 6", "e"],
            ["7 R", "f"],
        ];
        let pages: Vec<&[&str]> = pages.iter().map(|page| &page[..]).collect();
        check(
            &pages,
            &["L 2", "3 R"],
            &[&["a"], &["b"], &["c"], &["d"], &["e"], &["f"]],
        );
    }

    #[test]
    fn headings_and_rare_lines_stay() {
        let heading: &[&[&str]] = &[
            &["# Example", "a"],
            &["# Example", "b"],
            &["# Example", "c"],
        ];
        check(
            heading,
            &[],
            &[&["Example", "a"], &["Example", "b"], &["Example", "c"]],
        );
        let twice: &[&[&str]] = &[&["Note", "a"], &["Note", "b"], &["c"]];
        check(twice, &[], twice);
        let alike: &[&[&str]] = &[&["Hello"], &["Hello"], &["Hello"]];
        check(alike, &[], alike);
        let rare: &[&[&str]] = &[
            &["Note"],
            &["a"],
            &["b"],
            &["Note"],
            &["c"],
            &["d"],
            &["Note"],
        ];
        check(rare, &[], rare);
    }
}
