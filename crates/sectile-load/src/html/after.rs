//! What follows an article: related articles, comments, buttons to share it, lists of links.

pub(super) mod phrases;

use htmd::Node;

use super::kind::Kind;
use super::node::beginning;
use super::page::Page;
use phrases::After;

/// Elements that headings are written as.
const HEADS: [&str; 11] = [
    "div", "h2", "h3", "h4", "h5", "h6", "header", "label", "legend", "p", "summary",
];

/// Elements that lists of links are written as.
const LISTS: [&str; 8] = ["article", "div", "dl", "ol", "p", "section", "table", "ul"];

/// Elements that one fills in or presses.
const FORMS: [&str; 5] = ["button", "form", "select", "textarea", "fieldset"];

/// How many elements are looked at to find a form.
const FEW_ELEMENTS: usize = 200;

/// How many letters such a heading has at most.
const MAX_HEAD: usize = 60;

/// How many percent of the text what follows it is at most.
const MOST_FOLLOWING: usize = 30;

/// How many percent of a list of links are in links at least.
const LEAST_LINKED: usize = 70;

/// What a line says of what it stands above.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    /// That it follows an article.
    Section(After),
    /// That it is a line about the article, or that nothing stands where an advertisement was.
    Alone,
}

impl Page<'_> {
    /// Leaves out what stands under headings of related articles, comments and the like, where it consists of links
    /// or of a form, or ends the text.
    pub(super) fn leave_out_what_follows(&mut self, root: usize) {
        let most = self.at(root).all.content * MOST_FOLLOWING / 100;
        let kept: Vec<usize> = self.tree.kept(root).skip(1).collect();
        let is_paragraph = |at: &usize| self.at(*at).content() > 0;
        let mut paragraphs: Vec<usize> = kept.iter().copied().filter(is_paragraph).collect();
        // From the end, as what ends the text is known then.
        for at in kept.into_iter().rev() {
            let last = paragraphs.last().copied().unwrap_or_default();
            let (top, names_links) = match self.head(at) {
                Some(Head::Alone) => (Some(at), false),
                Some(Head::Section(after)) => {
                    let is_following = |top: &usize| self.is_following(*top, at, after, last);
                    let top = self.tops(at, root, most).filter(is_following).last();
                    (top, self.names_links(at, after))
                }
                None => continue,
            };
            let Some(top) = top else { continue };
            self.leave_out(top, self.kind_under(at, top));
            let end = self.at(top).end;
            while paragraphs
                .pop_if(|last| (top..end).contains(last))
                .is_some()
            {}
            if self.at(top).all.text <= MAX_HEAD && !names_links {
                self.leave_out_links_behind(top);
            }
        }
        self.tree.count();
    }

    /// Says what an element reads like that may be a heading of what follows an article, or a line of it.
    fn head(&self, at: usize) -> Option<Head> {
        let element = self.at(at);
        let is_head = HEADS.contains(&element.tag()) && element.all.text > 0;
        let line = (is_head && !element.is_within_data).then(|| element.line(at, MAX_HEAD))??;
        let is_filed = phrases::is_label(&line) && element.all.linked > 0;
        let is_line = is_filed || phrases::is_credit(&line) || phrases::is_advertisement(&line);
        if is_line && !element.is_heading() {
            Some(Head::Alone)
        } else {
            phrases::after(&line).map(Head::Section)
        }
    }

    /// Returns the elements that begin with a heading and hold little of the text, the heading itself first.
    fn tops(&self, head: usize, root: usize, most: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(head), move |top| {
            let at = self.at(*top).parent;
            let parent = self.at(at);
            let begins = parent.first_with_text == Some(*top) && parent.own.text == 0;
            let is_little = parent.all.content <= most && !self.holds_title(at);
            (at > root && begins && is_little).then_some(at)
        })
    }

    /// Returns whether an element that begins with a heading follows the article: there are links
    /// or a form under the heading, or the heading is clear, and no paragraph comes behind the last
    /// one in it. Tables of data are no lists of links, whatever stands above them.
    fn is_following(&self, at: usize, head_at: usize, after: After, last: usize) -> bool {
        let (element, head) = (self.at(at), self.at(head_at));
        let text = element.all.text - head.all.text;
        let linked = element.all.linked - head.all.linked;
        let is_sure = after == After::Surely;
        if text > 0 {
            if element.holds_data || self.names_links(head_at, after) {
                return false;
            }
            return linked * 2 > text || (is_sure && (last < element.end || self.holds_form(at)));
        }
        let is_line = !head.is_heading();
        if is_line && (!is_sure || head.all.is_linked(50)) {
            return head.all.is_linked(50);
        }
        match self.behind(at) {
            Some(behind) => {
                let behind = self.at(behind);
                behind.all.is_linked(50) && !behind.holds_data
            }
            None => is_sure,
        }
    }

    /// Returns whether a line names its links itself, as `See also: this page` does, and is no heading: what stands
    /// below it is not its list.
    fn names_links(&self, head: usize, after: After) -> bool {
        let element = self.at(head);
        if element.is_heading() || element.all.linked == 0 || element.all.plain() == 0 {
            return false;
        }
        let line = element.line(head, MAX_HEAD).unwrap_or_default();
        let has_more = |(_, more): (&str, &str)| !more.trim().is_empty();
        after == After::Perhaps || line.split_once([':', '：']).is_some_and(has_more)
    }

    /// Returns the next element with text behind one, or the one around both where its own text may stand there.
    pub(super) fn behind(&self, at: usize) -> Option<usize> {
        let parent = self.at(at).parent;
        if self.at(parent).own.text > 0 {
            return Some(parent);
        }
        let end = self.at(self.body).end;
        let next = |at: usize| Some(self.at(at).end).filter(|next| *next < end);
        let behind = std::iter::successors(next(at), |at| next(*at));
        let has_text = |at: &usize| self.at(*at).left_out.is_none() && self.at(*at).all.text > 0;
        behind.take(FEW_ELEMENTS).find(has_text)
    }

    fn holds_form(&self, at: usize) -> bool {
        let within = at..self.at(at).end;
        let mut within = within.take(FEW_ELEMENTS);
        within.any(|at| FORMS.contains(&self.at(at).tag()))
    }

    /// Leaves out the links that follow a heading which is left out, but no table of data.
    fn leave_out_links_behind(&mut self, head: usize) {
        let end = self.at(self.at(head).parent).end;
        let mut at = self.at(head).end;
        while at < end {
            let element = self.at(at);
            if element.holds_data || element.all.text > 0 && !element.all.is_linked(50) {
                return;
            }
            self.leave_out(at, Kind::Related);
            at = self.at(at).end;
        }
    }

    /// Leaves out what consists of links, but for tables of data, the sources of a text, and lists of a text.
    pub(super) fn leave_out_lists_of_links(&mut self, root: usize) {
        let end = self.at(root).end;
        let is_paragraph = |at: &usize| self.at(*at).content() > 0;
        let last = self.tree.kept(root).filter(is_paragraph).last();
        let last = last.unwrap_or_default();
        let mut at = root + 1;
        while at < end {
            let element = self.at(at);
            // The links beside a table of data in a wrapper are looked at by themselves.
            let is_data = element.is_within_data || element.holds_data;
            let is_list = LISTS.contains(&element.tag()) && element.all.is_linked(LEAST_LINKED);
            let is_kept =
                || is_data || is_reference(&element.node) || self.is_list_of_text(at, last);
            if is_list && !is_kept() && !self.holds_title(at) {
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

    /// Returns whether a list is part of a text though most of it is linked: an item has a sentence
    /// of its own, or the list stands under the words of an item of a list, or right under a
    /// heading before the `last` paragraph, as a paragraph may, too. A paragraph of several lines
    /// before the last one is a verse. Items with amounts are things that the text needs.
    fn is_list_of_text(&self, at: usize, last: usize) -> bool {
        let element = self.at(at);
        let is_list = matches!(element.tag(), "dl" | "ol" | "ul");
        let is_paragraph = element.tag() == "p";
        let around = self.at(element.parent);
        let is_under_words = around.tag() == "li" && around.own.plain() > 0;
        let is_amid = last >= element.end;
        let is_under_heading = is_amid && (is_list || is_paragraph) && self.is_under_heading(at);
        let is_verse = || is_amid && is_paragraph && self.has_lines(at);
        let has_amounts = || is_amid && self.has_amounts(at);
        is_under_heading
            || is_verse()
            || has_amounts()
            || is_list && (element.all.content > 0 || is_under_words)
    }

    /// Returns whether a line of an element ends before its text does.
    fn has_lines(&self, at: usize) -> bool {
        let mut within = (at..self.at(at).end).take(FEW_ELEMENTS);
        within.any(|at| self.at(at).tag() == "br")
    }
}

/// Returns whether an element begins as the sources of a text do: `[12]`.
fn is_reference(element: &Node) -> bool {
    let beginning = beginning(element);
    let number = beginning
        .strip_prefix('[')
        .and_then(|text| text.split_once(']'))
        .map(|(number, _)| number.trim());
    number.is_some_and(|number| {
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    })
}
