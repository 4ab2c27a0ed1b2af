//! What of a page is left out for what it is: navigation, notices about cookies, comments, hidden parts.

use htmd::Node;

use super::page::Page;
use super::tree::{Element, attribute, has_attribute, text};
use super::vocabulary::{self, Signal};

/// Elements that one fills in or presses.
const CONTROLS: [&str; 6] = [
    "button", "datalist", "object", "optgroup", "select", "textarea",
];

/// Elements that stand around the text, unless they hold most of it.
const AROUND: [&str; 8] = [
    "aside", "dialog", "footer", "form", "header", "menu", "nav", "noscript",
];

/// Roles of such elements.
const ROLES: [&str; 7] = [
    "alertdialog",
    "banner",
    "complementary",
    "contentinfo",
    "dialog",
    "navigation",
    "search",
];

/// Elements that are never left out for their class.
const KEPT: [&str; 9] = [
    "article", "h1", "html", "main", "p", "tbody", "td", "th", "tr",
];

/// What links to the heading beside them show.
const PERMALINKS: [&str; 7] = [
    "",
    "#",
    "\u{B6}",
    "\u{A7}",
    "\u{1F517}",
    "\u{200B}",
    "\u{F0C1}",
];

/// How careful one is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Care {
    /// Classes and ids count.
    Usual,
    /// Of classes and ids, only those of comments and covers count.
    Great,
}

impl Page<'_> {
    /// Leaves out what is not of the text by itself, unless it holds too much of the text.
    pub(super) fn leave_out_surroundings(&mut self, care: Care) {
        // Comments may be longer than what they are about.
        self.leave_out_where(|page, at| match page.at(at).signal {
            Signal::Comments | Signal::Cover => page.most(at, care),
            _ => None,
        });
        self.leave_out_where(|page, at| page.most(at, care));
    }

    /// Leaves out elements that hold no more percent of the text than `most` says.
    fn leave_out_where(&mut self, most: impl Fn(&Self, usize) -> Option<usize>) {
        let mut left = self.at(self.body).all.content;
        let mut at = self.body + 1;
        while at < self.at(self.body).end {
            let element = self.at(at);
            let (end, content) = (element.end, element.all.content);
            if element.is_left_out {
                at = end;
            } else if most(self, at).is_some_and(|most| content * 100 <= left * most) {
                self.leave_out(at);
                left = left.saturating_sub(content);
                at = end;
            } else {
                at += 1;
            }
        }
        self.tree.count();
    }

    /// Returns how many percent of the text an element holds at most to be left out; nothing when it stays.
    fn most(&self, at: usize, care: Care) -> Option<usize> {
        let element = self.at(at);
        let tag = element.tag();
        let role = element.attribute("role").unwrap_or_default();
        if matches!(tag, "body" | "html" | "main") || role == "main" {
            None
        } else if CONTROLS.contains(&tag) || (tag == "a" && is_permalink(&element.node)) {
            Some(100)
        } else if is_hidden(element) {
            (!is_panel(element, &role)).then_some(80)
        } else if AROUND.contains(&tag) || ROLES.contains(&role.as_str()) {
            (!self.is_of_the_text(at)).then_some(50)
        } else if tag == "a" {
            None
        } else {
            self.most_by_signal(at, care)
        }
    }

    /// Says whether an element of those that stand around the text is a part of it.
    fn is_of_the_text(&self, at: usize) -> bool {
        let element = self.at(at);
        match element.tag() {
            "header" => element.is_within_article || self.holds_title(at),
            "aside" => {
                let class = element.attribute("class").unwrap_or_default();
                let is_text = element.all.content > 0 && !element.all.is_linked(50);
                vocabulary::is_note(&class)
                    || (self.is_documentation && !element.all.is_linked(50))
                    || (element.is_within_article && element.signal == Signal::None && is_text)
            }
            _ => false,
        }
    }

    fn most_by_signal(&self, at: usize, care: Care) -> Option<usize> {
        let element = self.at(at);
        let is_sure = matches!(element.signal, Signal::Comments | Signal::Cover);
        if care == Care::Great && !is_sure {
            return None;
        }
        let most = match element.signal {
            Signal::None | Signal::Main | Signal::Lead => return None,
            Signal::Teaser if element.all.linked == 0 => return None,
            Signal::Detail if KEPT.contains(&element.tag()) => 2,
            Signal::Detail => 15,
            Signal::Hidden => 30,
            Signal::Beside | Signal::Teaser => 50,
            Signal::Cover => 60,
            Signal::Comments => 90,
        };
        let is_kept = self.is_documentation && !is_sure && !element.all.is_linked(80);
        (!is_kept && !self.holds_title(at)).then_some(most)
    }
}

fn is_hidden(element: &Element) -> bool {
    let hidden = element.attribute("hidden");
    let is_found = hidden.is_some_and(|value| value.eq_ignore_ascii_case("until-found"));
    (has_attribute(&element.node, "hidden") && !is_found)
        || element.attribute("aria-hidden").as_deref() == Some("true")
        || element
            .attribute("style")
            .is_some_and(|style| hides(&style))
}

fn hides(style: &str) -> bool {
    let mut style: String = style.split_whitespace().collect();
    style.make_ascii_lowercase();
    style.contains("display:none") || style.contains("visibility:hidden")
}

/// Says whether an element is a panel that a tab shows.
fn is_panel(element: &Element, role: &str) -> bool {
    let class = element.attribute("class").unwrap_or_default();
    role == "tabpanel" || vocabulary::is_panel(&class)
}

/// Says whether a link is the mark beside a heading that links to it.
fn is_permalink(link: &Node) -> bool {
    if !attribute(link, "href").is_some_and(|target| target.starts_with('#')) {
        return false;
    }
    let class = attribute(link, "class").unwrap_or_default();
    vocabulary::is_permalink(&class)
        || PERMALINKS.contains(&text(link).unwrap_or_default().as_str())
}
