//! Where the links of a page lead, as the links of pages around it do.

use std::collections::HashSet;
use std::ops::Range;

use super::node::text;
use super::tree::Tree;

/// What the `rel` of a link to the page before or after says.
const RELATIONS: [&str; 3] = ["next", "prev", "previous"];

/// What the `rel` of a link to the pages above says.
const RELATIONS_ABOVE: [&str; 6] = ["contents", "index", "start", "top", "toc", "up"];

/// How a link to the page before or after begins.
#[rustfmt::skip]
const TURNS: [&str; 15] = [
    "anterior", "forward", "next", "nächste", "nächster", "précédent", "prev", "previous", "siguiente", "successivo", "suivant", "vor", "weiter", "zurück", "back",
];

/// What follows that.
const TURNED: [&str; 8] = [
    "article", "chapter", "lesson", "page", "part", "section", "topic", "seite",
];

/// What a link to the pages above says.
#[rustfmt::skip]
const ABOVE: [&str; 12] = [
    "book", "contents", "home", "index", "inhalt", "of", "sommaire", "start", "table", "toc", "top", "up",
];

/// How many letters such a link has at most.
const LONGEST: usize = 30;

/// How many links there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Links {
    pub(super) all: usize,
    /// Those to places in the page itself.
    pub(super) within: usize,
    /// Those to headings of the page, by their words.
    pub(super) to_headings: usize,
    /// Those to the page before or after.
    pub(super) turning: usize,
    /// Those to the pages above.
    pub(super) above: usize,
    /// Those that say a number alone.
    pub(super) numbers: usize,
    /// How many headings there are beside them.
    pub(super) headings: usize,
}

/// How many counts of links there are.
const COUNTS: usize = 7;

impl Links {
    /// Returns the counts as they are kept for each link of a page: in little memory.
    const fn packed(self) -> [u32; COUNTS] {
        [
            self.all as u32,
            self.within as u32,
            self.to_headings as u32,
            self.turning as u32,
            self.above as u32,
            self.numbers as u32,
            self.headings as u32,
        ]
    }

    /// Returns how many links lead to other pages than those around the page.
    pub(super) fn others(&self) -> usize {
        self.all
            .saturating_sub(self.within + self.turning + self.above + self.numbers)
    }
}

/// The elements of a page that are links or headings, each with the counts of all up to it. The links in an element are
/// the difference of two sums.
pub(super) struct Sums(Vec<(usize, [u32; COUNTS])>);

impl Sums {
    /// Counts the links of a page that are not left out.
    pub(super) fn of(tree: &Tree, body: usize) -> Self {
        let headings: HashSet<String> = tree
            .kept(body)
            .filter(|at| tree.elements[*at].is_heading())
            .filter_map(|at| text(&tree.elements[at].node))
            .map(|line| name(&line))
            .collect();
        let mut sums = Vec::new();
        let mut sum = [0; COUNTS];
        for at in tree.kept(body) {
            let counts = count(tree, at, &headings).packed();
            if counts == [0; COUNTS] {
                continue;
            }
            for (all, own) in sum.iter_mut().zip(counts) {
                *all += own;
            }
            sums.push((at, sum));
        }
        Self(sums)
    }

    /// Returns the sum of the counts of all elements before one.
    fn before(&self, element: usize) -> [u32; COUNTS] {
        let before = self.0.partition_point(|(at, _)| *at < element);
        before
            .checked_sub(1)
            .map_or([0; COUNTS], |last| self.0[last].1)
    }

    pub(super) fn within(&self, elements: Range<usize>) -> Links {
        let (before, up_to) = (self.before(elements.start), self.before(elements.end));
        let count = |at: usize| (up_to[at] - before[at]) as usize;
        Links {
            all: count(0),
            within: count(1),
            to_headings: count(2),
            turning: count(3),
            above: count(4),
            numbers: count(5),
            headings: count(6),
        }
    }
}

/// Counts an element that is a link or a heading.
fn count(tree: &Tree, at: usize, headings: &HashSet<String>) -> Links {
    let element = &tree.elements[at];
    let mut links = Links {
        headings: usize::from(element.is_heading()),
        ..Links::default()
    };
    let target = (element.tag() == "a").then(|| element.attribute("href"));
    let Some(target) = target.flatten() else {
        return links;
    };
    links.all = 1;
    let line = text(&element.node).unwrap_or_default();
    if target.starts_with('#') {
        links.within = 1;
        links.to_headings = usize::from(headings.contains(&name(&line)));
        return links;
    }
    let relation = element.attribute("rel").unwrap_or_default().to_lowercase();
    let is_related = |all: &[&str]| relation.split_whitespace().any(|one| all.contains(&one));
    let key = element.attribute("accesskey").unwrap_or_default();
    if matches!(key.as_str(), "n" | "p") || is_related(&RELATIONS) || turns(&line) {
        links.turning = 1;
    } else if matches!(key.as_str(), "h" | "u") || is_related(&RELATIONS_ABOVE) || is_above(&line) {
        links.above = 1;
    } else if !line.is_empty() && line.bytes().all(|digit| digit.is_ascii_digit()) {
        links.numbers = 1;
    }
    links
}

/// Returns the letters of a heading, or of a link to it, without the number before it.
fn name(line: &str) -> String {
    let letters = line.chars().filter(|letter| letter.is_alphanumeric());
    let letters: String = letters.flat_map(char::to_lowercase).collect();
    let name = letters.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if name.is_empty() {
        letters
    } else {
        name.into()
    }
}

fn turns(line: &str) -> bool {
    let words = words(line);
    words.split_first().is_some_and(|(first, others)| {
        let is_page = |word: &String| TURNED.contains(&word.as_str());
        TURNS.contains(&first.as_str()) && others.iter().all(is_page)
    })
}

fn is_above(line: &str) -> bool {
    let words = words(line);
    !words.is_empty() && words.iter().all(|word| ABOVE.contains(&word.as_str()))
}

/// Returns the words of a short line, in small letters.
fn words(line: &str) -> Vec<String> {
    if line.len() > LONGEST {
        return Vec::new();
    }
    let line = line.to_lowercase();
    let words = line.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}
