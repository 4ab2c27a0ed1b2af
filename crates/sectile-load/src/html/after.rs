//! What follows an article: related articles, comments, buttons to share it, lists of links.

use super::kind::Kind;
use super::page::Page;
use super::vocabulary;

/// Elements that headings are written as.
const HEADS: [&str; 16] = [
    "b", "div", "dt", "h2", "h3", "h4", "h5", "h6", "header", "label", "legend", "p", "span",
    "strong", "summary", "th",
];

/// Elements that lists of links are written as.
const LISTS: [&str; 8] = ["article", "div", "dl", "ol", "p", "section", "table", "ul"];

/// How many letters such a heading has at most.
const MAX_HEAD: usize = 60;

/// How many percent of the text what follows it is at most.
const MOST_FOLLOWING: usize = 30;

/// How many percent of a list of links are in links at least.
const LEAST_LINKED: usize = 70;

impl Page<'_> {
    /// Leaves out what stands under headings of related articles, comments and the like.
    pub(super) fn leave_out_what_follows(&mut self, root: usize) {
        let most = self.at(root).all.content * MOST_FOLLOWING;
        let end = self.at(root).end;
        let mut at = root + 1;
        while at < end {
            if self.at(at).left_out.is_some() {
                at = self.at(at).end;
            } else if self.is_head_of_what_follows(at) {
                let top = self.top(at, root, most);
                self.leave_out(top, self.kind_under(at, top));
                if self.at(top).all.text <= MAX_HEAD {
                    self.leave_out_links_behind(top);
                }
                at = self.at(top).end;
            } else {
                at += 1;
            }
        }
        self.tree.count();
    }

    fn is_head_of_what_follows(&self, at: usize) -> bool {
        let element = self.at(at);
        let is_head = HEADS.contains(&element.tag()) && element.all.text > 0;
        let line = is_head.then(|| element.line(at, MAX_HEAD)).flatten();
        line.is_some_and(|line| vocabulary::is_after(&line) || vocabulary::is_label(&line))
    }

    /// Returns the largest element that begins with a heading and holds little of the text.
    fn top(&self, head: usize, root: usize, most: usize) -> usize {
        let mut top = head;
        loop {
            let at = self.at(top).parent;
            let parent = self.at(at);
            let begins = parent.first_with_text == Some(top) && parent.own.text == 0;
            if at <= root || !begins || parent.all.content * 100 > most || self.holds_title(at) {
                return top;
            }
            top = at;
        }
    }

    /// Leaves out the links that follow a heading which is left out.
    fn leave_out_links_behind(&mut self, head: usize) {
        let end = self.at(self.at(head).parent).end;
        let mut at = self.at(head).end;
        while at < end {
            let all = self.at(at).all;
            if all.text > 0 && !all.is_linked(50) {
                return;
            }
            self.leave_out(at, Kind::Related);
            at = self.at(at).end;
        }
    }

    /// Leaves out what consists of links.
    pub(super) fn leave_out_lists_of_links(&mut self, root: usize) {
        let end = self.at(root).end;
        let mut at = root + 1;
        while at < end {
            let element = self.at(at);
            let is_list = LISTS.contains(&element.tag()) && element.all.is_linked(LEAST_LINKED);
            if is_list && !self.holds_title(at) {
                self.leave_out(at, Kind::Links);
            }
            let element = self.at(at);
            at = if element.left_out.is_some() {
                element.end
            } else {
                at + 1
            };
        }
        self.tree.count();
    }
}
