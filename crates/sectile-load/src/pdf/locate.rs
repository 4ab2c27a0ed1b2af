//! Where in the text the titles of bookmarks stand.

use sectile_core::{Heading, Page, Span};

use super::bookmarks::Bookmark;

/// How much longer than its title, in bytes other than spaces, a heading's line may be: it has a
/// number before it that the bookmark leaves out, or a reference mark behind it.
const LINE_SLACK: usize = 16;

/// Turns bookmarks into an outline of the text.
///
/// A bookmark whose title is found on its page takes the title's line: as it is written but for
/// white space or, where there is none, in other letters, quotes and hyphens, too. Any other is an empty span at the start of its page, or where the bookmark before it on the same
/// page ends.
pub(super) fn headings(marks: &[Bookmark], text: &str, pages: &[Page]) -> Vec<Heading> {
    let mut headings = Vec::with_capacity(marks.len());
    let targets = targets(marks, pages.len());
    let mut current = usize::MAX;
    let mut page = PageText::default();
    for (mark, target) in marks.iter().zip(targets) {
        if target != current {
            page = PageText::new(text, pages[target].span);
            current = target;
        }
        headings.push(Heading {
            level: mark.depth.min(6) as u8,
            title: mark.title.clone(),
            span: page.take(&mark.title),
        });
    }
    // Bookmarks may point back, to an index for example; an outline is in the order of the text.
    headings.sort_by_key(|heading| heading.span.start);
    headings
}

/// Gives each bookmark a page: its own, else that of the next one that has one, as a part's
/// first chapter tells where the part begins, else that of the last one before it.
fn targets(marks: &[Bookmark], pages: usize) -> Vec<usize> {
    let known = |mark: &Bookmark| mark.page.filter(|&page| page < pages);
    let mut next = marks.iter().rev().find_map(known).unwrap_or(0);
    let mut targets: Vec<usize> = marks
        .iter()
        .rev()
        .map(|mark| {
            next = known(mark).unwrap_or(next);
            next
        })
        .collect();
    targets.reverse();
    targets
}

/// The text of a page as titles are compared with it, and how far it has been searched.
#[derive(Default)]
struct PageText<'a> {
    text: &'a str,
    page: Span,
    compact: String,
    /// For each byte of `compact`, where its character stands in the text.
    places: Vec<usize>,
    lines: Vec<Line>,
    /// How far `compact` has been searched.
    searched: usize,
}

/// Returns a character as titles are compared: small, and nothing for white space, quotes and hyphens, which
/// bookmarks have otherwise.
fn folded(character: char) -> impl Iterator<Item = char> {
    let ligature = match character {
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        _ => "",
    };
    let is_mark = matches!(character, '`' | '\'' | '"' | '-' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2018}'..='\u{201f}');
    let is_left = ligature.is_empty() && !is_mark && !character.is_whitespace();
    let small = is_left.then(|| character.to_lowercase());
    ligature.chars().chain(small.into_iter().flatten())
}

/// Where a line begins.
#[derive(Clone, Copy)]
struct Line {
    in_text: usize,
    in_compact: usize,
}

impl<'a> PageText<'a> {
    fn new(text: &'a str, page: Span) -> Self {
        let mut this = Self {
            text,
            page,
            ..Self::default()
        };
        let mut at = page.start;
        for line in page.of(text).split_inclusive('\n') {
            this.push(line, at);
            at += line.len();
        }
        this
    }

    fn push(&mut self, line: &str, start: usize) {
        self.lines.push(Line {
            in_text: start,
            in_compact: self.compact.len(),
        });
        for (at, character) in line.char_indices() {
            self.compact.extend(folded(character));
            self.places.resize(self.compact.len(), start + at);
        }
    }

    /// Finds the next place of `title` and returns its span.
    fn take(&mut self, title: &str) -> Span {
        let length = title
            .chars()
            .flat_map(folded)
            .map(char::len_utf8)
            .sum::<usize>();
        let Some((start, span)) = self.find(title) else {
            let here = self.position();
            return Span::new(here, here);
        };
        self.searched = start + length;
        span
    }

    /// Where the line of the last title found ends, or the start of the page.
    fn position(&self) -> usize {
        let last = self.searched.checked_sub(1);
        last.map_or(self.page.start, |last| self.after(self.line(last)).in_text)
    }

    fn find(&self, title: &str) -> Option<(usize, Span)> {
        let compact: String = title.chars().flat_map(folded).collect();
        if compact.is_empty() {
            return None;
        }
        let found = || {
            let rest = self.compact[self.searched..].match_indices(&compact);
            let places = rest.map(|(at, _)| at + self.searched);
            places.filter_map(|at| Some((at, self.heading_at(at, compact.len())?)))
        };
        let is_same = |(at, _): &(usize, Span)| self.is_written_at(title, *at);
        found().find(is_same).or_else(|| found().next())
    }

    /// Returns whether a title stands at a place of the compact text as it is written, white space
    /// aside.
    fn is_written_at(&self, title: &str, at: usize) -> bool {
        let is_black = |character: &char| !character.is_whitespace();
        let mut text = self.text[self.places[at]..].chars().filter(is_black);
        let mut title = title.chars().filter(is_black);
        title.all(|character| text.next() == Some(character))
    }

    /// Returns the span of a heading whose title is at `start` of the compact text: its line, or
    /// the title alone where the line runs on. A mention within a line is not a heading.
    fn heading_at(&self, start: usize, length: usize) -> Option<Span> {
        let last = start + length - 1;
        let mut rest = self.text[self.places[last]..].chars();
        let end = self.places[last] + rest.next().map_or(0, char::len_utf8);
        if rest.next().is_some_and(char::is_alphanumeric) {
            return None;
        }
        let line = &self.lines[self.line(start)];
        let after = self.after(self.line(last));
        if after.in_compact - line.in_compact <= length + LINE_SLACK {
            return Some(Span::new(line.in_text, after.in_text));
        }
        let begins_line = line.in_compact == start;
        begins_line.then(|| Span::new(self.places[start], end))
    }

    /// Returns the index of the line that holds the byte `at` of the compact text.
    fn line(&self, at: usize) -> usize {
        let after = self.lines.partition_point(|line| line.in_compact <= at);
        after - 1
    }

    /// Returns where the line after another one begins.
    fn after(&self, line: usize) -> Line {
        let end = Line {
            in_text: self.page.end,
            in_compact: self.compact.len(),
        };
        self.lines.get(line + 1).copied().unwrap_or(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what the titles of bookmarks, each with its page, are found to be in `pages`.
    fn check(pages: &[&str], marks: &[(&str, Option<usize>)], expected: &[(&str, usize)]) {
        let text = pages.concat();
        let mut start = 0;
        let pages: Vec<Page> = (1..)
            .zip(pages)
            .map(|(number, page)| {
                let span = Span::new(start, start + page.len());
                start = span.end;
                Page {
                    number,
                    label: None,
                    span,
                }
            })
            .collect();
        let marks: Vec<Bookmark> = marks
            .iter()
            .map(|&(title, page)| Bookmark {
                title: title.into(),
                depth: 9,
                page,
            })
            .collect();
        let found = headings(&marks, &text, &pages);
        assert!(found.iter().all(|heading| heading.level == 6));
        let found: Vec<_> = found
            .iter()
            .map(|h| (h.span.of(&text), h.span.start))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn the_line_of_the_title_is_the_heading() {
        check(
            &["1.2 The  Start\nof it all\n\ntext\n"],
            &[("The Start of it all", Some(0))],
            &[("1.2 The  Start\nof it all\n", 0)],
        );
    }

    #[test]
    fn a_mention_in_a_paragraph_is_not_the_heading() {
        check(
            &["See the Results in the next part of this chapter.\n\nResults\n\nGood.\n"],
            &[("Results", Some(0))],
            &[("Results\n", 51)],
        );
    }

    #[test]
    fn a_title_that_runs_into_its_paragraph_is_cut_out() {
        check(
            &["Résumé We show that cutting documents cleanly is possible.\n"],
            &[("Résumé", Some(0))],
            &[("Résumé", 0)],
        );
    }

    #[test]
    fn a_title_that_is_not_there_is_a_position() {
        check(
            &["one\n", "Two\ntext\n"],
            &[("Cover", Some(0)), ("Two", Some(1)), ("Figure", Some(1))],
            &[("", 0), ("Two\n", 4), ("", 8)],
        );
    }

    #[test]
    fn a_bookmark_without_a_page_takes_that_of_the_next() {
        check(
            &["one\n", "Chapter\n"],
            &[("Part", None), ("Chapter", Some(1)), ("End", None)],
            &[("", 4), ("Chapter\n", 4), ("", 12)],
        );
    }

    #[test]
    fn repeated_titles_are_found_one_after_the_other() {
        check(
            &["Example\na\nExample\nb\n"],
            &[("Example", Some(0)), ("Example", Some(0))],
            &[("Example\n", 0), ("Example\n", 10)],
        );
    }

    #[test]
    fn bookmarks_that_point_back_are_put_in_order() {
        check(
            &["Index\n", "Text\n"],
            &[("Text", Some(1)), ("Index", Some(0))],
            &[("Index\n", 0), ("Text\n", 6)],
        );
    }

    #[test]
    fn titles_are_found_in_other_letters_quotes_and_hyphens() {
        check(
            &["CREATORS\nThe \u{2018}stable\u{2019} con\u{2010}\ntents\n"],
            &[("Creators", Some(0)), ("The `stable' contents", Some(0))],
            &[
                ("CREATORS\n", 0),
                ("The \u{2018}stable\u{2019} con\u{2010}\ntents\n", 9),
            ],
        );
        check(
            &["creators are many, says the text\nCreators\n"],
            &[("Creators", Some(0))],
            &[("Creators\n", 33)],
        );
    }
}
