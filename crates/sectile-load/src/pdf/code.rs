//! Code that goes on over the ends of pages.

use super::blocks::{MAX_INDENT, times};
use super::page::{Kind, Margin, PageBlocks, TextBlock};

/// What code is fenced with, or more of it.
const FENCE: char = '`';
const SHORTEST_FENCE: usize = 3;

/// How far a margin is from a whole number of letters at most where it is that of indented code.
const OFF: f64 = 0.25;

/// How far below the first lines of pages code begins at most that goes on, and how far above the last ones it ends, in
/// multiples of the type size: a program of its own has room above it, and a page may end with empty lines.
const BELOW_TOP: f64 = 0.9;
const ABOVE_FOOT: f64 = 4.0;

/// On which part of the pages text may stand higher or lower than on the others, as one of so many.
const ODD_PAGES: usize = 8;

/// Indents code that goes on over the ends of pages from its margin on all of them, and puts it into one fence, if
/// code is fenced. Where all of a file is code, its pages stay apart.
pub(super) fn join(pages: &mut [PageBlocks], is_fenced: bool) {
    let area = Area::of(pages);
    let mut start = 0;
    while start < pages.len() {
        let pairs = pages[start..].windows(2);
        let count = pairs
            .take_while(|pair| goes_on(&pair[0], &pair[1], &area, is_fenced))
            .count();
        // A page on which more than the code stands ends what began before it, and may begin another.
        let inner = pages[start + 1..].iter().take(count);
        let whole = inner.take_while(|page| page.blocks.len() == 1).count();
        let end = start + count.min(whole + 1);
        if end > start {
            join_parts(&mut pages[start..=end], is_fenced);
        }
        start = end.max(start + 1);
    }
}

/// Between which heights pages have text, in points.
struct Area {
    top: f64,
    foot: f64,
}

impl Area {
    fn of(pages: &[PageBlocks]) -> Self {
        let extents = |page: &PageBlocks| {
            let extents = page.blocks.iter().filter_map(|block| block.extent);
            extents.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1)))
        };
        let (mut tops, mut feet): (Vec<f64>, Vec<f64>) = pages.iter().filter_map(extents).unzip();
        tops.sort_by(f64::total_cmp);
        feet.sort_by(|one, other| other.total_cmp(one));
        let odd = tops.len() / ODD_PAGES;
        Self {
            top: tops.get(odd).copied().unwrap_or_default(),
            foot: feet.get(odd).copied().unwrap_or_default(),
        }
    }

    /// Returns whether a block ends where the text of a page does, and another begins where that of the next does.
    fn is_filled(&self, last: &TextBlock, first: &TextBlock) -> bool {
        let size = first.style.size();
        let extents = last.extent.zip(first.extent);
        extents.is_some_and(|((_, end), (start, _))| {
            start - self.top <= BELOW_TOP * size && self.foot - end <= ABOVE_FOOT * size
        })
    }
}

/// Returns whether the code that a page begins with goes on that which the page before it ends with: the one stands at
/// the top of the text and the other at its foot, its type is the same, and its margin is that of the other or of lines
/// that are indented in it.
fn goes_on(page: &PageBlocks, next: &PageBlocks, area: &Area, is_fenced: bool) -> bool {
    let (Some(last), Some(first)) = (page.blocks.last(), next.blocks.first()) else {
        return false;
    };
    let (Some(margin), Some(other)) = (last.margin, first.margin) else {
        return false;
    };
    let is_code = last.kind == Kind::Code && first.kind == Kind::Code;
    let bases = base(page, margin).zip(base(next, other));
    let (base, next_base) = bases.unwrap_or_default();
    let letters = (other.left - next_base - margin.left + base) / margin.letter.max(1.0);
    is_code
        && (is_fenced || bases.is_some())
        && next.number == page.number + 1
        && last.style == first.style
        && area.is_filled(last, first)
        && (letters - letters.round()).abs() < OFF
        && letters.abs() <= f64::from(MAX_INDENT)
}

/// Returns where the text of a page begins, where that can be told: pages on the left and on the right may differ. On one
/// with nothing but code, all lines may be indented.
fn base(page: &PageBlocks, margin: Margin) -> Option<f64> {
    let has_others = page.blocks.iter().any(|block| block.kind != Kind::Code);
    page.left
        .filter(|left| has_others || margin.left - left > margin.letter)
}

/// Makes one of the code that ends the first of some pages, is all of those between, and begins the last.
fn join_parts(pages: &mut [PageBlocks], is_fenced: bool) {
    let last = pages.len() - 1;
    let bases = pages.iter().enumerate().map(|(place, page)| {
        let part = part(page, place == 0)?;
        base(page, part.margin?)
    });
    let bases: Option<Vec<f64>> = bases.collect();
    let lefts = pages.iter().enumerate().map(|(place, page)| {
        let margin = part(page, place == 0)?.margin?;
        let base = bases.as_ref().map_or(0.0, |bases| bases[place]);
        Some(margin.left - base)
    });
    let lefts: Vec<f64> = lefts.map(Option::unwrap_or_default).collect();
    let left = lefts.iter().copied().fold(f64::MAX, f64::min);
    let parts = pages.iter().enumerate();
    let parts = parts.filter_map(|(place, page)| part(page, place == 0));
    let longest = parts.map(|part| fence(&part.text, is_fenced)).max();
    let fence = FENCE.to_string().repeat(longest.unwrap_or(0));
    for (place, page) in pages.iter_mut().enumerate() {
        let part = match place {
            0 => page.blocks.last_mut(),
            _ => page.blocks.first_mut(),
        };
        let Some(part) = part else { continue };
        let letter = part.margin.map_or(1.0, |margin| margin.letter.max(1.0));
        let indent = times(lefts[place] - left, letter);
        let mut text = indented(bare(&part.text, is_fenced), indent);
        if is_fenced && place == 0 {
            text = format!("{fence}\n{text}");
        }
        if is_fenced && place == last {
            text = format!("{text}\n{fence}");
        }
        part.text = text;
        part.is_continued = is_fenced && place > 0;
    }
}

/// Returns what of the code over several pages stands on one of them, the first or another.
fn part(page: &PageBlocks, is_first: bool) -> Option<&TextBlock> {
    if is_first {
        page.blocks.last()
    } else {
        page.blocks.first()
    }
}

/// Returns how many signs the fence around a code has.
fn fence(code: &str, is_fenced: bool) -> usize {
    let signs = code.len() - code.trim_start_matches(FENCE).len();
    if is_fenced && signs >= SHORTEST_FENCE {
        signs
    } else {
        0
    }
}

/// Returns code without its fence.
fn bare(code: &str, is_fenced: bool) -> &str {
    let signs = fence(code, is_fenced);
    let ends = &code[..signs];
    let inner = code
        .strip_prefix(ends)
        .and_then(|code| code.strip_suffix(ends));
    inner.map_or(code, |inner| {
        let inner = inner.strip_prefix('\n').unwrap_or(inner);
        inner.strip_suffix('\n').unwrap_or(inner)
    })
}

/// Indents the lines of a code that are not empty.
fn indented(code: &str, indent: usize) -> String {
    let space = " ".repeat(indent);
    let line = |line: &str| {
        if line.is_empty() {
            String::new()
        } else {
            format!("{space}{line}")
        }
    };
    let lines: Vec<String> = code.split('\n').map(line).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::page::Style;
    use super::*;

    fn page(number: u32, blocks: &[(&str, f64)]) -> PageBlocks {
        let block = |&(text, left): &(&str, f64)| TextBlock {
            text: text.into(),
            kind: if left > 0.0 { Kind::Code } else { Kind::Prose },
            style: Style::new(10.0, false),
            extent: Some((72.0, 720.0)),
            margin: (left > 0.0).then_some(Margin { left, letter: 6.0 }),
            ..TextBlock::default()
        };
        PageBlocks {
            number,
            blocks: blocks.iter().map(block).collect(),
            left: Some(72.0),
            ..PageBlocks::default()
        }
    }

    fn texts(pages: &[PageBlocks]) -> Vec<&str> {
        let blocks = pages.iter().flat_map(|page| &page.blocks);
        blocks.map(|block| block.text.as_str()).collect()
    }

    #[test]
    fn code_over_pages_has_one_fence_and_one_margin() {
        let mut pages = [
            page(1, &[("Text", 0.0), ("```\na:\n  b:\n```", 72.0)]),
            page(2, &[("````\n- c\n\n- `` ```d\n````", 96.1)]),
            page(3, &[("```\ne\n```", 84.0), ("```\nf\n```", 72.0)]),
            page(4, &[("```\ng\n```", 84.0), ("More", 0.0)]),
        ];
        join(&mut pages, true);
        let expected = [
            "Text",
            "````\na:\n  b:",
            "    - c\n\n    - `` ```d",
            "  e\n````",
            "```\nf",
            "  g\n```",
            "More",
        ];
        assert_eq!(texts(&pages), expected);
        let continued = pages.iter().map(|page| page.blocks[0].is_continued);
        assert_eq!(continued.collect::<Vec<_>>(), [false, true, true, true]);
    }

    #[test]
    fn the_margin_is_the_leftmost_of_all_pages() {
        let mut pages = [
            page(1, &[("```\na\nb\n```", 84.0)]),
            page(2, &[("```\nc\n```", 72.0)]),
        ];
        join(&mut pages, true);
        assert_eq!(texts(&pages), ["```\n  a\n  b", "c\n```"]);
    }

    #[test]
    fn pages_on_the_left_and_on_the_right_have_their_own_margins() {
        let mut pages = [
            page(1, &[("Text", 0.0), ("```\na\n```", 72.0)]),
            page(2, &[("```\nb\n```", 102.0), ("More", 0.0)]),
        ];
        pages[1].left = Some(90.0);
        join(&mut pages, true);
        assert_eq!(texts(&pages), ["Text", "```\na", "  b\n```", "More"]);
    }

    #[test]
    fn pages_of_a_file_that_is_all_code_are_indented_where_their_margin_is_known() {
        let mut pages = [
            page(1, &[("Text", 0.0), ("a\n  b", 72.0)]),
            page(2, &[("c", 84.0), ("d", 72.0)]),
        ];
        join(&mut pages, false);
        assert_eq!(texts(&pages), ["Text", "a\n  b", "  c", "d"]);
        assert!(!pages[1].blocks[0].is_continued);
        let mut pages = [page(1, &[("a", 72.0)]), page(2, &[("b", 84.0)])];
        pages[1].left = Some(84.0);
        join(&mut pages, false);
        assert_eq!(texts(&pages), ["a", "b"]);
    }

    #[test]
    fn other_code_stays_apart() {
        for (number, left) in [(2, 75.0), (3, 72.0), (2, 72.0 + 41.0 * 6.0)] {
            let mut pages = [
                page(1, &[("```\na\n```", 72.0)]),
                page(number, &[("```\nb\n```", left)]),
            ];
            join(&mut pages, true);
            assert_eq!(texts(&pages), ["```\na\n```", "```\nb\n```"]);
        }
    }

    #[test]
    fn code_goes_on_from_the_foot_of_a_page_to_the_top_of_the_next() {
        for (end, start, goes_on) in [
            (720.0, 72.0, true),
            (690.0, 78.0, true),
            (670.0, 72.0, false),
            (720.0, 84.0, false),
        ] {
            let mut pages = [
                page(1, &[("Text", 0.0), ("```\na\n```", 72.0)]),
                page(2, &[("```\nb\n```", 72.0), ("More", 0.0)]),
                page(3, &[("Text", 0.0)]),
            ];
            for (place, block) in pages[0].blocks.iter_mut().enumerate() {
                block.extent = Some([(72.0, 500.0), (520.0, end)][place]);
            }
            for (place, block) in pages[1].blocks.iter_mut().enumerate() {
                block.extent = Some([(start, 200.0), (220.0, 600.0)][place]);
            }
            join(&mut pages, true);
            let is_one = pages[1].blocks[0].is_continued;
            assert_eq!(is_one, goes_on, "{end} {start}");
        }
    }

    #[test]
    fn a_stamp_on_few_of_many_pages_is_no_foot() {
        let mut pages: Vec<PageBlocks> = (1..=9)
            .map(|number| page(number, &[("```\na\n```", 72.0)]))
            .collect();
        pages[8].blocks[0].extent = Some((20.0, 780.0));
        join(&mut pages, true);
        assert!(pages[1..8].iter().all(|page| page.blocks[0].is_continued));
    }
}
