//! Finds the element that holds the main part of a page, and leaves out what stands beside it.

use super::after::phrases;
use super::figures::Figures;
use super::kind::Kind;
use super::layout;
use super::left_out::{Care, is_note};
use super::node::text;
use super::page::Page;
use super::tree::{Element, TEXTS, Tree};
use super::vocabulary::Signal;

/// Elements that others stand in, and no text of their own.
const CONTAINERS: [&str; 14] = [
    "article", "center", "div", "font", "form", "header", "main", "noscript", "section", "span",
    "table", "tbody", "td", "tr",
];

/// What stands around the text of a page of a site.
const AROUND: [Kind; 7] = [
    Kind::Comments,
    Kind::Footer,
    Kind::Header,
    Kind::Navigation,
    Kind::Notices,
    Kind::Related,
    Kind::Sidebars,
];

/// How many percent of a page an element holds at least to be the main part that it says it is.
const LEAST_NAMED: usize = 30;

/// How many percent of the text an element holds at least to hold all that matters.
const LEAST_HELD: usize = 70;

/// How many percent of the text outside of links it holds at least.
const LEAST_PLAIN: usize = 60;

/// How many letters outside of links an element has at least that is a part as it stands between parts.
const LEAST_BETWEEN: usize = 40;

/// How many percent of the text of a part of the main text are in links at most.
const MOST_LINKED: usize = 25;

/// How many letters in paragraphs a page has at least not to look cut.
const ENOUGH: usize = 150;

/// In how many elements a heading stands at most that one begins with.
const FEW_FIRST: usize = 5;

/// How many letters a notice about cookies has at most.
const LONGEST_NOTICE: usize = 1_000;

/// How many times as much as the rest of a page comments say at least that are what it is about.
const DISCUSSION: usize = 10;

/// How much of a page is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// What the page is about.
    Main,
    /// What a reader sees of a page that is all text: a message, a chapter.
    Shown,
    /// Everything.
    Whole,
}

/// Leaves out what is not wanted of a page, and returns its body and the element in it that holds the rest.
pub(super) fn find(tree: &mut Tree, extent: Extent) -> (usize, usize) {
    let mut page = Page::new(tree);
    match extent {
        Extent::Main => return (page.body, main(&mut page)),
        Extent::Shown => page.leave_out_hidden(),
        Extent::Whole => page.leave_out_marks(),
    }
    (page.body, page.body)
}

/// Leaves out what is not of the main part of a page, and returns the element that it stands in.
///
/// What has text does not come back empty: the body as it is, is the last resort.
fn main(page: &mut Page) -> usize {
    let root = page.find();
    let content = page.at(root).all.content;
    if content >= ENOUGH {
        return root;
    }
    let usual = page.marks();
    page.restore();
    page.leave_out_surroundings(Care::Great);
    let careful = page.named();
    let figures = page.at(careful).all;
    if figures.content > content * 4 && figures.content > 0 {
        return careful;
    }
    page.mark(&usual);
    if page.at(root).all.text > 0 {
        return root;
    }
    page.restore();
    page.body
}

impl Page<'_> {
    fn find(&mut self) -> usize {
        self.leave_out_surroundings(Care::Usual);
        self.keep_discussion();
        self.is_plain = self.is_plain();
        self.leave_out_ways();
        let root = self.descend(self.named());
        // A page of links has nothing else.
        if self.is_documentation || self.at(root).all.content < ENOUGH {
            return root;
        }
        if self.is_plain {
            self.leave_out_tables_of_links(root);
        } else {
            self.leave_out_what_follows(root);
            self.leave_out_lists_of_links(root);
        }
        root
    }

    /// Takes back the comments that are nearly all that a technical page says, as that of an issue.
    fn keep_discussion(&mut self) {
        if !self.is_documentation {
            return;
        }
        let (mut at, end) = (self.body, self.at(self.body).end);
        let (mut said, mut outside) = (0, 0);
        while at < end {
            let element = self.at(at);
            if element.signal == Signal::Comments {
                said += element.all.content;
                at = element.end;
            } else if element.left_out.is_some() {
                at = element.end;
            } else {
                outside += element.content();
                at += 1;
            }
        }
        if outside * DISCUSSION >= said {
            return;
        }
        for element in &mut self.tree.elements {
            if element.left_out == Some(Kind::Comments) {
                element.left_out = None;
            }
        }
        self.tree.count();
    }

    /// Returns whether nothing stands around the text, as in what Word saves.
    fn is_plain(&self) -> bool {
        let mut kinds = self.tree.elements.iter().filter_map(|one| one.left_out);
        !kinds.any(|kind| AROUND.contains(&kind))
    }

    fn marks(&self) -> Vec<Option<Kind>> {
        let elements = self.tree.elements.iter();
        elements.map(|element| element.left_out).collect()
    }

    fn mark(&mut self, marks: &[Option<Kind>]) {
        for (element, mark) in self.tree.elements.iter_mut().zip(marks) {
            element.left_out = *mark;
        }
        self.tree.count();
    }

    /// Returns the element that says it is the main part, if it holds enough of the text, or the body.
    fn named(&self) -> usize {
        let least = self.at(self.body).all.content * LEAST_NAMED;
        let holds = |at: &usize| {
            let all = self.at(*at).all;
            all.text > 0 && all.content * 100 >= least
        };
        let kept = || self.tree.kept(self.body);
        let mut bodies = kept().filter(|at| is_article_body(self.at(*at)));
        if let (Some(only), None) = (bodies.next(), bodies.next())
            && holds(&only)
        {
            return only;
        }
        let mains: Vec<usize> = kept().filter(|at| is_main(self.at(*at))).collect();
        let found = mains.iter().copied().find(holds);
        found
            .or_else(|| self.only_links(&mains))
            .unwrap_or(self.body)
    }

    /// Returns the only element that says it is the main part, if it holds the title of the page, and its links say more
    /// than all sentences of the page.
    fn only_links(&self, mains: &[usize]) -> Option<usize> {
        let [only] = mains else {
            return None;
        };
        let says_more = self.at(*only).all.text >= self.at(self.body).all.content;
        (says_more && self.holds_title(*only)).then_some(*only)
    }

    /// Goes down to the smallest element that holds most of the text, by way of `named`. Leaves out what
    /// stands beside the way, but for what reads like a part of the text.
    fn descend(&mut self, named: usize) -> usize {
        let title = self.title();
        let (mut root, mut at) = (self.body, self.body);
        while let Some(next) = self.next_down(at, named) {
            let parts = self.parts(at, next, title);
            for (child, _) in parts.iter().filter(|(_, is_part)| !is_part) {
                self.leave_out(*child, self.kind(*child));
            }
            let is_alone = parts.iter().filter(|(_, is_part)| *is_part).count() == 1;
            if is_alone && root == at {
                root = next;
            }
            at = next;
        }
        self.tree.count();
        root
    }

    /// Says of each element directly in one whether it is part of the text, as `main` is. What stands between parts
    /// is one, too, unless it says little, or that it is something else.
    fn parts(&self, at: usize, main: usize, title: Option<usize>) -> Vec<(usize, bool)> {
        let children = self.tree.children(at);
        let kept = children.filter(|child| self.at(*child).left_out.is_none());
        let is_part = |child: usize| child == main || self.is_part(child, main, title);
        let mut parts: Vec<(usize, bool)> = kept.map(|child| (child, is_part(child))).collect();
        let first = parts.iter().position(|(_, is_part)| *is_part);
        let last = parts.iter().rposition(|(_, is_part)| *is_part);
        let between = first.unwrap_or_default()..last.unwrap_or_default();
        for (child, is_part) in &mut parts[between] {
            let element = self.at(*child);
            let is_text = TEXTS.contains(&element.tag()) || element.is_heading();
            let is_headed = || {
                self.heading_of(*child)
                    .is_some_and(|heading| self.heads_text(heading))
            };
            let says_much = is_text || element.all.plain() >= LEAST_BETWEEN || is_headed();
            *is_part |= says_much && self.may_be_part(*child);
        }
        self.add_sections(&mut parts, main);
        parts
    }

    /// Adds what stands behind the main text under a heading of the level of the heading before it.
    fn add_sections(&self, parts: &mut [(usize, bool)], main: usize) {
        let is_head = |child: usize| self.at(child).is_heading() && !self.holds_title(child);
        let before = parts.iter().rev().map(|(child, _)| *child);
        let Some(head) = before
            .filter(|child| *child < main)
            .find(|child| is_head(*child))
        else {
            return;
        };
        let level = self.at(head).tag();
        let mut heading = None;
        for place in 0..parts.len() {
            let child = parts[place].0;
            if child <= main {
                continue;
            }
            if self.at(child).is_heading() {
                let is_section = self.at(child).tag() == level && self.heads_text(child);
                heading = is_section.then_some(place);
            } else if let Some(heading) = heading
                && self.may_be_part(child)
            {
                parts[heading].1 = true;
                parts[place].1 = true;
            }
        }
    }

    /// Returns whether a heading is not one of what follows an article.
    fn heads_text(&self, heading: usize) -> bool {
        let element = self.at(heading);
        let line = element.line(heading, usize::MAX).unwrap_or_default();
        element.all.linked == 0 && phrases::after(&line).is_none()
    }

    /// Returns the heading that an element begins with.
    pub(super) fn heading_of(&self, at: usize) -> Option<usize> {
        let first = |at: &usize| self.at(*at).first_with_text;
        let firsts = std::iter::successors(first(&at), first);
        firsts.take(FEW_FIRST).find(|at| self.at(*at).is_heading())
    }

    /// Returns whether an element is a section of the text, as the main one is: both begin with
    /// headings of one level.
    fn is_section_alike(&self, at: usize, main: usize) -> bool {
        let (Some(heading), Some(main_heading)) = (self.heading_of(at), self.heading_of(main))
        else {
            return false;
        };
        let has_text = self.at(at).all.text > self.at(heading).all.text;
        self.at(heading).tag() == self.at(main_heading).tag()
            && !self.holds_title(main)
            && has_text
            && self.may_be_part(at)
            && self.heads_text(heading)
    }

    /// Returns whether an element is a block of the text, as the main one is: both have all classes
    /// in common. It holds sentences, though it may have more links, and does not begin with a
    /// heading, as teasers do.
    fn is_block_alike(&self, at: usize, main: usize) -> bool {
        let (element, main_element) = (self.at(at), self.at(main));
        let class = element.attribute("class");
        let is_alike = element.tag() == main_element.tag()
            && class.is_some()
            && class == main_element.attribute("class");
        is_alike
            && element.all.content >= ENOUGH
            && self.may_be_part(at)
            && self.heading_of(at).is_none()
    }

    /// Returns the element directly in one that holds most of the text.
    fn next_down(&self, at: usize, named: usize) -> Option<usize> {
        if at < named {
            let mut children = self.tree.children(at);
            return children.find(|child| named < self.at(*child).end);
        }
        if self.is_documentation && at != self.body {
            return None;
        }
        let content = self.at(at).all.content;
        let kept = self
            .tree
            .children(at)
            .filter(|child| self.at(*child).left_out.is_none());
        let best = kept.max_by_key(|child| self.at(*child).all.content)?;
        let element = self.at(best);
        let holds_most = content > 0 && element.all.content * 100 >= content * LEAST_HELD;
        let is_container = CONTAINERS.contains(&element.tag());
        let is_data = element.is_within_data || layout::is_data(&element.node);
        let holds_most =
            holds_most && element.all.plain() * 100 >= self.at(at).all.plain() * LEAST_PLAIN;
        (holds_most && is_container && !is_data).then_some(best)
    }

    /// Returns whether what stands beside the main text reads like a part of it.
    fn is_part(&self, at: usize, main: usize, title: Option<usize>) -> bool {
        let (element, main_element) = (self.at(at), self.at(main));
        let Figures {
            text,
            linked,
            content,
            ..
        } = element.all;
        if self.is_plain {
            return self.may_be_part(at) || self.holds_title(at);
        }
        let is_text = content > 0 && !element.all.is_linked(MOST_LINKED);
        let is_alike = element.tag() == main_element.tag()
            && first_class(element).is_some_and(|class| first_class(main_element) == Some(class));
        if is_text && (is_alike || self.is_much(at))
            || self.is_section_alike(at, main)
            || self.is_block_alike(at, main)
            || (self.may_be_part(at) && self.holds_items(at))
            || self.is_column_of_items(at)
        {
            return true;
        }
        if at > main {
            // What has the title of the page may stand behind a longer notice.
            let has_title = title.is_some_and(|title| (at..element.end).contains(&title));
            return is_text && (is_note(element) || has_title);
        }
        let is_lead = matches!(element.signal, Signal::Lead | Signal::Teaser)
            || matches!(element.tag(), "h2" | "p");
        // What documentation shows above its main part is the name of the site.
        let is_title = self.holds_title(at) && !(self.is_documentation && self.holds_title(main));
        is_title
            || (element.is_heading() && text > 0 && linked == 0)
            || (is_text && is_lead && linked == 0)
            || (is_text && title.is_some_and(|title| title < at))
    }

    /// Returns whether an element has text that is hardly linked, and does not say that it is
    /// something else.
    fn may_be_part(&self, at: usize) -> bool {
        let element = self.at(at);
        let says_other = element.signal.is_beside_text() && element.signal != Signal::Teaser;
        element.all.text > 0 && !element.all.is_linked(50) && !says_other
    }

    /// Returns whether an element holds several sentences or data in a table, and says nothing of
    /// cookies.
    fn is_much(&self, at: usize) -> bool {
        let element = self.at(at);
        let holds_much = element.all.content >= ENOUGH || element.all.data > 0;
        let says_cookies =
            || text(&element.node).is_some_and(|text| text.to_lowercase().contains("cookie"));
        holds_much && !(element.all.text <= LONGEST_NOTICE && says_cookies())
    }
}

fn is_article_body(element: &Element) -> bool {
    let property = element.attribute("itemprop");
    property.is_some_and(|property| property.eq_ignore_ascii_case("articleBody"))
}

fn is_main(element: &Element) -> bool {
    element.tag() == "main" || element.attribute("role").as_deref() == Some("main")
}

fn first_class(element: &Element) -> Option<String> {
    let class = element.attribute("class")?;
    class.split_whitespace().next().map(str::to_owned)
}
