//! Ways through a site that say by their links alone that they are such: to the pages around, and to the headings of
//! the page.

use super::kind::Kind;
use super::layout::is_way;
use super::links::{Links, Sums};
use super::node::text;
use super::page::Page;
use super::vocabulary;

/// Elements that ways are written as.
#[rustfmt::skip]
const WAYS: [&str; 12] = [
    "aside", "center", "div", "dl", "footer", "header", "nav", "ol", "p", "section", "table", "ul",
];

/// Elements that the title of a table of contents is written as, beside headings.
const TITLES: [&str; 3] = ["button", "div", "p"];

/// Elements that a table is made of.
const OF_TABLES: [&str; 5] = ["table", "tbody", "td", "th", "tr"];

/// How many letters outside of links a way to the pages around has at most: in tables the names of these pages.
const MOST_PLAIN: usize = 40;
const MOST_NAMES: usize = 200;

/// How many other links it has at most.
const FEW_OTHERS: usize = 3;

/// How many numbers of chapters are a way to these at least.
const SEVERAL_NUMBERS: usize = 5;

/// How many percent of the links of a table of contents say what a heading says at least.
const LEAST_HEADINGS: usize = 80;

/// How many percent of the text of what leads to headings or stands before them are links at least.
const LEAST_LINKED: usize = 60;

/// How many letters the title of a table of contents has at most.
const LONGEST_TITLE: usize = 30;

/// How many elements at the end of a page are looked at for what says which program made it.
const LAST: usize = 40;

/// How many letters that line has at most.
const LONGEST_IMPRINT: usize = 120;

impl Page<'_> {
    /// Leaves out what leads to the pages around and to the headings of the page.
    pub(super) fn leave_out_ways(&mut self) {
        let sums = Sums::of(self.tree, self.body);
        let kept: Vec<usize> = self.tree.kept(self.body).skip(1).collect();
        for at in kept.iter().copied() {
            let links = sums.within(at..at + 1);
            if links.turning > 0 || links.numbers > 0 {
                self.leave_out_first(self.way_around(at, &sums));
            }
        }
        let mut next = 0;
        for at in kept.iter().copied() {
            if at >= next && self.is_contents(at, sums.within(at..self.at(at).end)) {
                next = self.at(at).end;
                let (top, title) = self.with_title(at);
                self.leave_out_first(Some(top));
                self.leave_out_first(title);
            }
        }
        self.tree.count();
        if self.is_documentation {
            self.leave_out_before_headings(&sums);
            self.leave_out_titles_of_nothing();
            self.leave_out_imprint();
            self.tree.count();
        }
    }

    /// Leaves out tables that are ways through the site, before the first paragraph of a text and behind the last.
    pub(super) fn leave_out_tables_of_links(&mut self, root: usize) {
        let kept: Vec<usize> = self.tree.kept(root).skip(1).collect();
        let is_paragraph = |at: &usize| self.at(*at).content() > 0;
        let first = kept.iter().copied().find(is_paragraph).unwrap_or_default();
        let last = kept.iter().copied().rfind(is_paragraph).unwrap_or_default();
        for at in kept {
            let element = self.at(at);
            let is_outside = element.end <= first || at > last;
            let is_table = is_outside && element.tag() == "table";
            if is_table && !self.holds_title(at) && is_way(&element.node) {
                self.leave_out(at, Kind::Navigation);
            }
        }
        self.tree.count();
    }

    fn leave_out_first(&mut self, at: Option<usize>) {
        if let Some(at) = at.filter(|at| self.at(*at).left_out.is_none()) {
            self.leave_out(at, Kind::Navigation);
        }
    }

    /// Returns the largest element around a link that holds no more than a way to the pages around.
    fn way_around(&self, link: usize, sums: &Sums) -> Option<usize> {
        let wider = |at: usize| {
            let (inner, parent) = (self.at(at), self.at(at).parent);
            let outer = self.at(parent);
            // Tables have the names of pages beside the links; elsewhere, other words are of the text.
            let is_bare =
                inner.all.plain() == outer.all.plain() || inner.own.text + inner.all.text == 0;
            let is_wider = parent > self.body && (is_bare || OF_TABLES.contains(&outer.tag()));
            let plain = outer.all.plain();
            let is_small =
                plain <= MOST_NAMES && plain.saturating_sub(outer.all.data) <= MOST_PLAIN;
            let is_small = is_small && !self.holds_title(parent);
            let links = sums.within(parent..outer.end);
            (is_wider && is_small && links.headings == 0 && links.others() <= FEW_OTHERS)
                .then_some(parent)
        };
        let around = std::iter::successors(wider(link), |at| wider(*at));
        around.filter(|at| self.is_way(*at, sums)).last()
    }

    fn is_way(&self, at: usize, sums: &Sums) -> bool {
        let element = self.at(at);
        let links = sums.within(at..element.end);
        let is_alone = links.turning == 1 && links.all == 1 && element.all.plain() == 0;
        let turns = links.turning > 0 && links.turning + links.above > 1;
        let is_of_chapters = self.is_documentation && links.numbers >= SEVERAL_NUMBERS;
        WAYS.contains(&element.tag())
            && !element.is_within_data
            && (is_alone || turns || is_of_chapters)
    }

    /// Returns whether an element is a table of contents: it has no words but those of links to
    /// places in the page, and these say what its headings say, or the class says what it is.
    fn is_contents(&self, at: usize, links: Links) -> bool {
        let element = self.at(at);
        let says_so = || {
            let mut names = ["class", "id"].into_iter();
            names.any(|name| {
                element
                    .attribute(name)
                    .is_some_and(|name| vocabulary::is_contents(&name))
            })
        };
        let is_of_headings = links.all > 1 && links.to_headings * 100 >= links.all * LEAST_HEADINGS;
        links.all > 0
            && links.within == links.all
            && links.headings == 0
            && element.left_out.is_none()
            && WAYS.contains(&element.tag())
            && element.all.is_linked(LEAST_LINKED)
            && !element.is_within_data
            && !self.holds_title(at)
            && (is_of_headings || says_so())
    }

    /// Returns the largest element that holds a table of contents and its title alone, and the title before it.
    fn with_title(&self, contents: usize) -> (usize, Option<usize>) {
        let mut top = contents;
        loop {
            let parent = self.at(top).parent;
            let before = self.before_with_text(top);
            let title = before.filter(|at| {
                self.is_title_of_contents(*at) || self.heads_nothing(*at, self.at(top).end)
            });
            let titled = title.map_or(0, |at| self.at(at).all.text);
            let is_all = self.at(parent).all.text == self.at(top).all.text + titled;
            if !is_all || parent <= self.body || self.holds_title(parent) {
                return (top, title);
            }
            top = parent;
        }
    }

    /// Returns the element with text right before one in the same element.
    fn before_with_text(&self, at: usize) -> Option<usize> {
        let before = std::iter::successors(self.at(at).before, |at| self.at(*at).before);
        let is_seen = |at: &usize| self.at(*at).left_out.is_none() && self.at(*at).all.text > 0;
        before.take(FEW_OTHERS).find(is_seen)
    }

    /// Returns whether there is nothing under a heading when what is before `end` is left out.
    fn heads_nothing(&self, heading: usize, end: usize) -> bool {
        let element = self.at(heading);
        let behind = (end..self.at(self.body).end).find(|at| self.at(*at).all.text > 0);
        let next = behind.filter(|at| self.at(*at).is_heading());
        element.is_heading()
            && !self.holds_title(heading)
            && next.is_some_and(|next| self.at(next).tag() <= element.tag())
    }

    fn is_title_of_contents(&self, at: usize) -> bool {
        let line = self.at(at).line(at, LONGEST_TITLE);
        line.is_some_and(|line| vocabulary::is_title_of_contents(&line))
    }

    /// Leaves out what stands before the first heading or paragraph and consists of links, or says that it stands
    /// beside the text.
    fn leave_out_before_headings(&mut self, sums: &Sums) {
        let title = self.title();
        let is_text = |at: &usize| {
            let element = self.at(*at);
            element.is_heading() || Some(*at) == title || element.content() > 0
        };
        let Some(first) = self.tree.kept(self.body).find(is_text) else {
            return;
        };
        let mut at = self.body + 1;
        while at < first {
            let element = self.at(at);
            let (all, end) = (element.all, element.end);
            let links = sums.within(at..end).all;
            let is_linked = all.plain() == 0 || links > 1 && all.is_linked(LEAST_LINKED);
            let has_links = links > 0 && is_linked;
            let is_beside = has_links || element.signal.is_beside_text();
            if element.left_out.is_none()
                && end <= first
                && all.text > 0
                && all.content == 0
                && is_beside
            {
                self.leave_out(at, Kind::Navigation);
            }
            at = if self.at(at).left_out.is_some() {
                end
            } else {
                at + 1
            };
        }
    }

    /// Leaves out titles of tables of contents that a script fills, or that stand elsewhere.
    fn leave_out_titles_of_nothing(&mut self) {
        let kept: Vec<usize> = self.tree.kept(self.body).skip(1).collect();
        for at in kept {
            let element = self.at(at);
            let is_short = (1..=LONGEST_TITLE).contains(&element.all.text);
            let is_block = element.is_heading() || TITLES.contains(&element.tag());
            let is_kept = element.left_out.is_none() && !element.is_within_data;
            if is_short
                && is_block
                && is_kept
                && self.is_title_of_contents(at)
                && self.is_above_nothing(at)
            {
                self.leave_out(at, Kind::Navigation);
            }
        }
    }

    /// Returns whether no links stand behind a title, and under one that is a heading no text.
    fn is_above_nothing(&self, title: usize) -> bool {
        self.behind(title).is_none_or(|behind| {
            let begins_section = self.at(behind).is_heading() || self.heading_of(behind).is_some();
            let is_linked = self.at(behind).all.is_linked(50);
            !is_linked && (begins_section || !self.at(title).is_heading())
        })
    }

    /// Leaves out the line at the end of a page that says which program made it.
    fn leave_out_imprint(&mut self) {
        let kept: Vec<usize> = self.tree.kept(self.body).skip(1).collect();
        for at in kept.into_iter().rev().take(LAST) {
            let element = self.at(at);
            let is_line = WAYS.contains(&element.tag()) && element.all.text <= LONGEST_IMPRINT;
            let line = (is_line && element.all.text > 0).then(|| text(&element.node));
            if line
                .flatten()
                .is_some_and(|line| vocabulary::is_imprint(&line))
            {
                self.leave_out(at, Kind::Footer);
            }
        }
    }
}
