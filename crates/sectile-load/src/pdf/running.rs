//! Lines that run at the head or foot of page after page.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::page::{PageBlocks, TextBlock};

mod number;
#[cfg(test)]
mod tests;

/// How many blocks may stand between the edge of a page and a running line, itself included, and how far it may
/// be from the edge, as a part of the height of the page.
const DEPTH: usize = 3;
const MARGIN: f64 = 0.16;

/// How far a line may be whose number rises from page to page and is larger than that of any page.
const NARROW_MARGIN: f64 = 0.1;

/// How much its height may differ from page to page, as a part of the height of the page.
const SAME_HEIGHT: f64 = 0.01;

/// How many pages a line must stand on.
const MIN_PAGES: usize = 3;

/// How long a line may be, in characters, for which so few pages are enough. What is longer may be
/// a paragraph that a form repeats.
const SHORT: usize = 80;

/// How many pages a longer line must stand on.
const MIN_PAGES_OF_LONG: usize = 6;

/// How many pages a line must stand on that is on nearly all pages, which part of the pages these are at least, and how
/// much its height may differ on them, as a part of the height of the page.
const MIN_PAGES_OF_ALL: usize = 4;
const NEARLY_ALL: f64 = 0.75;
const NEAR_HEIGHT: f64 = 0.04;

/// How much larger than usual the type of a line is on a page where it is a title.
const LARGER: f64 = 1.2;

/// How long a running line may be, in characters.
const MAX_CHARACTERS: usize = 240;

/// Stands for a number in the form of a line.
const NUMBER: char = '\0';

/// Takes running lines away from `pages` and returns each of them once, as it first stood.
///
/// A line is running when it stands at the same height in the margin of at least three pages and
/// of half the pages between the first of them and the last, with nothing but running lines beyond
/// it; pages on the left and on the right may have lines of their own. All of it is the same on these pages, but
/// for a number that rises with the pages and is written as that of a page is: amounts, dates and the numbers of
/// questions or invoices are text.
///
/// What looks like a heading is running only if it stands on nearly all pages, and nowhere in larger type: the heading
/// of a chapter may repeat at the head of its pages. A line on nearly all pages may be a little higher or lower on some,
/// and may have the number of the page before or behind it.
pub(super) fn take(pages: &mut [PageBlocks]) -> Vec<String> {
    let running = find(pages);
    let mut taken = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, page) in pages.iter_mut().enumerate() {
        let is_running = |place: &usize| running.contains_key(&(index, *place));
        let edges = [Edge::Head, Edge::Foot].into_iter();
        let places = edges.flat_map(|edge| {
            let places = places(page, edge).into_iter();
            places.take_while(is_running)
        });
        let places: BTreeSet<usize> = places.collect();
        // On a page of nothing else, as a title page is, the line is the text.
        if places.len() == page.blocks.len() && !page.is_drawn {
            continue;
        }
        for &place in &places {
            if seen.insert(&running[&(index, place)]) {
                taken.push(page.blocks[place].text.clone());
            }
        }
        let mut place = 0..;
        page.blocks
            .retain(|_| place.next().is_some_and(|place| !places.contains(&place)));
    }
    taken
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Edge {
    Head,
    Foot,
}

/// A line at an edge of a page.
#[derive(Clone, Debug)]
struct Seen {
    /// The places of its page and of its block on it.
    at: (usize, usize),
    /// The number of the page.
    page: u32,
    height: f64,
    /// The numbers in it.
    numbers: Vec<Number>,
    is_long: bool,
    /// The size of its type, in points.
    size: f64,
    /// Whether it looks like a heading.
    is_heading: bool,
}

/// A number in a line.
#[derive(Clone, Debug)]
struct Number {
    digits: String,
    /// Whether it is written as that of a page is.
    is_of_a_page: bool,
}

impl Seen {
    /// Returns how far it is from the nearer edge of its page, as a part of the height of the page.
    fn edge_distance(&self) -> f64 {
        self.height.min(1.0 - self.height)
    }
}

/// Finds the running lines: for the places of a page and of a block on it, what the line says on all pages.
fn find(pages: &[PageBlocks]) -> HashMap<(usize, usize), String> {
    let mut alike: BTreeMap<(Edge, String), Vec<Seen>> = BTreeMap::new();
    for (index, page) in pages.iter().enumerate() {
        for edge in [Edge::Head, Edge::Foot] {
            for place in places(page, edge) {
                let block = &page.blocks[place];
                if is_candidate(block) {
                    let (form, numbers) = parted(&block.text);
                    alike.entry((edge, form)).or_default().push(Seen {
                        at: (index, place),
                        page: page.number,
                        height: block.height,
                        numbers,
                        is_long: is_long(&block.text),
                        size: block.style.size(),
                        is_heading: block.level.is_some(),
                    });
                }
            }
        }
    }
    let last_page = pages.iter().map(|page| page.number).max().unwrap_or(0);
    let mut running = HashMap::new();
    let mut on_nearly_all = BTreeSet::new();
    for ((edge, form), lines) in alike {
        let counting = counting(&lines, last_page);
        let mut same: BTreeMap<String, Vec<Seen>> = BTreeMap::new();
        for (line, counting) in lines.into_iter().zip(counting) {
            let text = written(&form, &line.numbers, counting);
            same.entry(text).or_default().push(line);
        }
        for (text, lines) in same {
            let (is_on_nearly_all, lines) = match on_nearly_all_pages(&lines, &text, pages.len()) {
                Some(lines) => (true, lines),
                None => (false, at_one_height(lines, &text)),
            };
            running.extend(lines.into_iter().map(|line| (line.at, text.clone())));
            if is_on_nearly_all {
                on_nearly_all.insert((edge, text));
            }
        }
    }
    add_numbered(pages, &on_nearly_all, &mut running);
    running
}

/// Adds the lines that say what is on nearly all pages, and the number of the page before or behind it.
fn add_numbered(
    pages: &[PageBlocks],
    on_nearly_all: &BTreeSet<(Edge, String)>,
    running: &mut HashMap<(usize, usize), String>,
) {
    if on_nearly_all.is_empty() {
        return;
    }
    for (index, page) in pages.iter().enumerate() {
        for edge in [Edge::Head, Edge::Foot] {
            for place in places(page, edge) {
                let text = without_number(&page.blocks[place].text, page.number);
                let line = text.map(|text| (edge, text));
                if let Some((_, text)) = line.filter(|line| on_nearly_all.contains(line)) {
                    running.entry((index, place)).or_insert(text);
                }
            }
        }
    }
}

/// Returns a line without the number of its page at its beginning or end.
fn without_number(text: &str, number: u32) -> Option<String> {
    let number = number.to_string();
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if words.last() == Some(&&*number) {
        words.pop();
    } else if words.first() == Some(&&*number) {
        words.remove(0);
    } else {
        return None;
    }
    Some(words.join(" "))
}

/// Returns the blocks in the margin at an edge of a page, from the edge inwards, whenever they were drawn.
fn places(page: &PageBlocks, edge: Edge) -> Vec<usize> {
    let from_edge = |place: &usize| {
        let height = page.blocks[*place].height;
        match edge {
            Edge::Head => height,
            Edge::Foot => 1.0 - height,
        }
    };
    let near = (0..page.blocks.len()).filter(|place| from_edge(place) <= MARGIN);
    let mut near: Vec<usize> = near.collect();
    near.sort_by(|one, other| from_edge(one).total_cmp(&from_edge(other)));
    near.truncate(DEPTH);
    near
}

fn is_candidate(block: &TextBlock) -> bool {
    !block.text.contains('\n') && block.text.chars().nth(MAX_CHARACTERS).is_none()
}

fn is_long(text: &str) -> bool {
    text.chars().nth(SHORT).is_some()
}

/// Parts a line into its words, with [`NUMBER`] for each number, and its numbers.
fn parted(text: &str) -> (String, Vec<Number>) {
    let (mut form, mut numbers) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some(start) = rest.find(char::is_numeric) {
        let digits = &rest[start..];
        let length = digits.find(|character: char| !character.is_numeric());
        let (digits, behind) = digits.split_at(length.unwrap_or(digits.len()));
        form.push_str(&rest[..start]);
        form.push(NUMBER);
        let before = &text[..text.len() - digits.len() - behind.len()];
        numbers.push(Number {
            digits: digits.to_owned(),
            is_of_a_page: number::is_of_a_page(before, behind),
        });
        rest = behind;
    }
    form.push_str(rest);
    let words: Vec<&str> = form.split_whitespace().collect();
    (words.join(" "), numbers)
}

/// Returns for each of some lines that are alike which of its numbers is that of the page, if one is: as far from
/// the number of the page as on enough other pages, and written as such; in a long line that of the page itself may
/// stand anywhere. One that is larger than that of any page has to stand near the edge.
fn counting(lines: &[Seen], last_page: u32) -> Vec<Option<usize>> {
    let ahead = |line: &Seen, number: &Number| {
        let value = number.digits.parse::<u32>().ok()?;
        let ahead = i64::from(value) - i64::from(line.page);
        let is_near = value <= last_page || line.edge_distance() <= NARROW_MARGIN;
        let is_of_a_page = number.is_of_a_page || line.is_long && ahead == 0;
        (is_near && is_of_a_page).then_some(ahead)
    };
    let mut pages: HashMap<(usize, i64), BTreeSet<u32>> = HashMap::new();
    for line in lines {
        for (place, number) in line.numbers.iter().enumerate() {
            if let Some(ahead) = ahead(line, number) {
                pages.entry((place, ahead)).or_default().insert(line.page);
            }
        }
    }
    let counts = |line: &Seen, place: usize| {
        let ahead = ahead(line, &line.numbers[place]);
        ahead.is_some_and(|ahead| pages[&(place, ahead)].len() >= MIN_PAGES)
    };
    let of_line = |line: &Seen| (0..line.numbers.len()).find(|place| counts(line, *place));
    lines.iter().map(of_line).collect()
}

/// Writes a line with its numbers, but for the one that rises with the pages.
fn written(form: &str, numbers: &[Number], counting: Option<usize>) -> String {
    let mut text = String::new();
    let mut number = 0;
    for character in form.chars() {
        let is_number = character == NUMBER;
        match numbers
            .get(number)
            .filter(|_| is_number && counting != Some(number))
        {
            Some(number) => text.push_str(&number.digits),
            None => text.push(character),
        }
        number += usize::from(is_number);
    }
    text
}

/// Returns those of some lines that run, if they stand on nearly all of `pages`: not those in larger type, which are
/// titles.
fn on_nearly_all_pages(lines: &[Seen], text: &str, pages: usize) -> Option<Vec<Seen>> {
    let least = MIN_PAGES_OF_ALL.max(least_pages(text));
    if lines.len() < least {
        return None;
    }
    let height = median(lines, |line| line.height);
    let largest = median(lines, |line| line.size) * LARGER;
    let is_usual =
        |line: &&Seen| (line.height - height).abs() <= NEAR_HEIGHT && line.size <= largest;
    let usual: Vec<Seen> = lines.iter().filter(is_usual).cloned().collect();
    let count = pages_of(&usual).len();
    let are_nearly_all = count >= least && count as f64 >= pages as f64 * NEARLY_ALL;
    are_nearly_all.then_some(usual)
}

/// Returns those of some lines that run: they stand at one height on enough pages, and look like no headings.
fn at_one_height(mut lines: Vec<Seen>, text: &str) -> Vec<Seen> {
    lines.retain(|line| !line.is_heading);
    if lines.is_empty() {
        return lines;
    }
    let height = median(&lines, |line| line.height);
    lines.retain(|line| (line.height - height).abs() <= SAME_HEIGHT);
    let pages = pages_of(&lines);
    let between = pages.last().unwrap_or(&0) - pages.first().unwrap_or(&0);
    let runs = pages.len() >= least_pages(text) && pages.len() * 2 > between;
    if runs { lines } else { Vec::new() }
}

/// Returns how many pages a line must stand on.
fn least_pages(text: &str) -> usize {
    if is_long(text) {
        MIN_PAGES_OF_LONG
    } else {
        MIN_PAGES
    }
}

/// Returns the places of the pages that lines stand on.
fn pages_of(lines: &[Seen]) -> BTreeSet<usize> {
    lines.iter().map(|line| line.at.0).collect()
}

/// Returns the middle one of the values that lines have; there is at least one line.
fn median(lines: &[Seen], value: impl Fn(&Seen) -> f64) -> f64 {
    let mut values: Vec<f64> = lines.iter().map(value).collect();
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}
