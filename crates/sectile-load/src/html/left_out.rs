//! What of a page is left out for what it is: navigation, notices about cookies, comments, hidden parts.

use htmd::Node;

use super::after::phrases;
use super::forms::is_control;
use super::hidden::{MOST_HIDDEN, is_hidden};
use super::kind::Kind;
use super::node::{attribute, children, has_attribute, has_class, tag, text};
use super::page::Page;
use super::tree::{Element, is_inline};
use super::vocabulary::{self, Signal};

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
const PERMALINKS: [&str; 8] = [
    "\u{25C6}",
    "",
    "#",
    "\u{B6}",
    "\u{A7}",
    "\u{1F517}",
    "\u{200B}",
    "\u{F0C1}",
];

/// How many letters a line has at least around words whose class says that they are not of the text.
const LEAST_AROUND: usize = 4;

/// How many letters a sentence has at least beside a button in it.
const SENTENCE: usize = 25;

/// How many letters a long sentence has at least, and several.
const LONG_SENTENCE: usize = 80;
const SENTENCES: usize = 150;

/// How many percent of the text of what reads like text are in links at most.
const FEW_LINKS: usize = 25;

/// How many percent of a quotation are in links at most: where it is from, and pictures.
const SOME_LINKS: usize = 50;

/// How many words an id has at most that is not made of a title.
const MOST_WORDS: usize = 2;

/// How many elements are looked at that may unfold what is behind them.
const FEW_WITHIN: usize = 5;

/// How many elements behind a button are looked at.
const FEW_ELEMENTS: usize = 50;

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

    /// Leaves out the marks beside headings alone.
    pub(super) fn leave_out_marks(&mut self) {
        self.leave_out_where(|page, at| is_mark(page.at(at)).then_some(100));
    }

    /// Leaves out what is not shown, unless it is most of the text.
    pub(super) fn leave_out_hidden(&mut self) {
        self.leave_out_where(|page, at| {
            let element = page.at(at);
            let role = element.attribute("role").unwrap_or_default();
            let is_unseen = is_hidden(element) && !is_panel(element, &role);
            if is_mark(element) {
                Some(100)
            } else {
                is_unseen.then_some(MOST_HIDDEN)
            }
        });
    }

    /// Leaves out elements that hold no more percent of the text than `most` says.
    fn leave_out_where(&mut self, most: impl Fn(&Self, usize) -> Option<usize>) {
        let mut left = self.at(self.body).all.content;
        let mut at = self.body + 1;
        while at < self.at(self.body).end {
            let element = self.at(at);
            let (end, content) = (element.end, element.all.content);
            if element.left_out.is_some() {
                at = end;
            } else if most(self, at).is_some_and(|most| content * 100 <= left * most) {
                self.leave_out(at, self.kind(at));
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
        } else if is_control(element) {
            (!self.is_button_of_text(at)).then_some(100)
        } else if is_mark(element) || self.begins_what_follows(at) {
            Some(100)
        } else if element.is_within_code {
            None
        } else if is_hidden(element) && !self.is_unfolded(at) {
            (!is_panel(element, &role)).then(|| self.most_hidden(at))
        } else if element.is_within_data {
            (element.signal == Signal::Hidden).then_some(MOST_HIDDEN)
        } else if AROUND.contains(&tag) || ROLES.contains(&role.as_str()) {
            (!self.is_of_the_text(at)).then_some(50)
        } else if tag == "a" {
            None
        } else {
            self.most_by_signal(at, care)
        }
    }

    /// Returns whether an element of those that stand around the text is a part of it.
    fn is_of_the_text(&self, at: usize) -> bool {
        let element = self.at(at);
        match element.tag() {
            "header" => {
                let heads_section = self.at(element.parent).tag() == "section";
                element.is_within_article || heads_section || self.holds_title(at)
            }
            "form" => element.all.data * 2 > element.all.text || self.is_form_of_text(at),
            "footer" => self.at(element.parent).tag() == "blockquote" || is_note(element),
            "aside" => {
                let is_text = element.all.content > 0 && !element.all.is_linked(50);
                is_note(element)
                    || is_of_book(element)
                    || self.is_box_of_text(at)
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
        let has_made_id = self.is_documentation && has_made_id(element);
        let signal = if has_made_id || self.is_section_of_text(at) {
            // The id of a section is made of its title, which may be Comments.
            vocabulary::signal(&element.attribute("class").unwrap_or_default())
        } else {
            element.signal
        };
        let is_drawn = signal.is_beside_text() && signal != Signal::Hidden;
        let is_text = || self.is_in_line(at) || self.is_item_of_text(at);
        if is_drawn && (is_text() || self.reads_like_text(at, signal)) {
            return None;
        }
        let is_sure = is_sure && signal == element.signal;
        let most = match signal {
            Signal::None | Signal::Main | Signal::Lead => return None,
            Signal::Teaser if element.all.linked == 0 => return None,
            Signal::Detail | Signal::Tools if KEPT.contains(&element.tag()) => 2,
            Signal::Detail | Signal::Tools => 15,
            Signal::Hidden => 30,
            Signal::Beside | Signal::Teaser => 50,
            Signal::Cover => 60,
            Signal::Comments => 90,
        };
        let is_kept = self.is_documentation && !is_sure && !element.all.is_linked(80);
        (!is_kept && !self.holds_title(at)).then_some(most)
    }
}

impl Page<'_> {
    /// Returns whether an element is a word or more of a line that has other words, or of a
    /// heading.
    fn is_in_line(&self, at: usize) -> bool {
        let element = self.at(at);
        if !is_inline(&element.node) || element.all.text > 0 {
            return false;
        }
        let line = self.around(at, |around| !is_inline(&around.node));
        let line = self.at(line);
        line.is_heading() || line.own.text - line.own_marked >= LEAST_AROUND
    }

    /// Returns whether an element is an item of a list that has other items, and no comment of a
    /// reader.
    fn is_item_of_text(&self, at: usize) -> bool {
        let element = self.at(at);
        let is_item = matches!(element.tag(), "dd" | "dt" | "li");
        let is_comment = element.signal == Signal::Comments;
        is_item && !is_comment && self.at(element.parent).has_plain_items
    }

    /// Returns whether an element reads like text though its class says that it tells of the text
    /// or stands beside it: it has sentences and hardly a link.
    fn reads_like_text(&self, at: usize, signal: Signal) -> bool {
        let element = self.at(at);
        let all = element.all;
        let is_long = |least| all.linked == 0 && all.content >= least;
        let has_few_links = all.content > 0 && !all.is_linked(FEW_LINKS);
        match signal {
            Signal::Detail | Signal::Tools | Signal::Beside if self.is_quotation(at) => true,
            Signal::Detail if all.linked == 0 && self.tree.is_repeated(at) => true,
            Signal::Detail if all.linked == 0 && self.is_under_heading(at) => true,
            Signal::Tools if self.holds_content(at) => true,
            Signal::Detail | Signal::Tools => match element.tag() {
                "p" => is_long(LONG_SENTENCE),
                "li" => has_few_links,
                _ => all.data > 0 || is_long(SENTENCES),
            },
            Signal::Beside if self.kind_by_signal(at) == Kind::Navigation => has_few_links,
            Signal::Beside if self.is_box_of_text(at) || self.is_column_of_items(at) => true,
            Signal::Beside => {
                element.is_within_article && (is_long(SENTENCES) || (all.data > 0 && has_few_links))
            }
            _ => false,
        }
    }

    /// Returns whether an element is a box in a text, as books have them: its class is `sidebar`,
    /// and it stands with a title and sentences between two paragraphs.
    fn is_box_of_text(&self, at: usize) -> bool {
        let element = self.at(at);
        let has_sentences =
            element.all.content >= LONG_SENTENCE && !element.all.is_linked(FEW_LINKS);
        has_sentences
            && has_class(&element.node, "sidebar")
            && self.is_between(at)
            && self.begins_with_title(at)
    }

    /// Returns whether an element quotes others in a text, as articles quote tweets: it stands
    /// between paragraphs and holds a quotation.
    fn is_quotation(&self, at: usize) -> bool {
        let element = self.at(at);
        let mut within = (at..element.end).take(FEW_ELEMENTS);
        element.all.content > 0
            && !element.all.is_linked(SOME_LINKS)
            && within.any(|at| self.at(at).tag() == "blockquote")
            && self.is_between(at)
    }

    /// Returns whether an element stands between paragraphs, or a heading and one.
    fn is_between(&self, at: usize) -> bool {
        let element = self.at(at);
        let has_text = |at: usize| self.at(at).all.content > 0 || self.at(at).is_heading();
        let end = self.at(element.parent).end;
        let behind = Some(element.end).filter(|behind| *behind < end);
        element.before.is_some_and(has_text) && behind.is_some_and(has_text)
    }

    fn begins_with_title(&self, at: usize) -> bool {
        let first = |at: &usize| self.at(*at).first_with_text;
        let mut firsts = std::iter::successors(first(&at), first).take(FEW_WITHIN);
        firsts.any(|at| {
            let class = self.at(at).attribute("class").unwrap_or_default();
            self.at(at).is_heading() || vocabulary::is_title(&class)
        })
    }

    /// Returns whether an element is the beginning of a comment that follows as a whole, as Scaladoc writes both to unfold
    /// one.
    fn begins_what_follows(&self, at: usize) -> bool {
        let element = self.at(at);
        if !has_class(&element.node, "shortcomment") || element.end >= self.at(element.parent).end {
            return false;
        }
        let whole = self.at(element.end);
        let mut within = (element.end..whole.end).take(FEW_WITHIN);
        has_class(&whole.node, "fullcomment")
            && within.any(|at| has_class(&self.at(at).node, "comment"))
    }

    /// Returns whether an element stands right under a heading within the text.
    pub(super) fn is_under_heading(&self, at: usize) -> bool {
        self.at(at).before.is_some_and(|before| {
            let heading = self.at(before);
            let is_within = heading.is_heading() && heading.tag() != "h1";
            is_within && heading.all.linked == 0 && !self.holds_title(before)
        })
    }

    /// Returns whether a button is all that a heading, a term or a cell says, a word of a sentence,
    /// or the name of what it unfolds.
    fn is_button_of_text(&self, at: usize) -> bool {
        if self.at(at).tag() != "button" {
            return false;
        }
        let block = self.at(self.around(at, |around| !is_inline(&around.node)));
        let is_name = block.is_heading() || matches!(block.tag(), "dt" | "summary" | "td" | "th");
        let is_sentence = matches!(block.tag(), "dd" | "li" | "p") && block.own.text >= SENTENCE;
        (is_name && block.own.text == 0) || is_sentence || self.unfolds(at)
    }

    /// Returns whether a button unfolds the text behind it.
    fn unfolds(&self, at: usize) -> bool {
        let element = self.at(at);
        let class = element.attribute("class").unwrap_or_default();
        let around = self.at(element.parent).parent;
        let mut behind = (element.end..self.at(around).end).take(FEW_ELEMENTS);
        (has_attribute(&element.node, "aria-expanded") || vocabulary::is_accordion(&class))
            && behind
                .find(|at| self.at(*at).all.text > 0)
                .is_some_and(|at| self.at(at).all.content > 0)
    }

    /// Returns whether an element is hidden until the one before it is pressed, such as the answer
    /// to a question.
    fn is_unfolded(&self, at: usize) -> bool {
        let Some(before) = self.at(at).before else {
            return false;
        };
        let unfolds = |at: usize| {
            let element = self.at(at);
            let class = element.attribute("class").unwrap_or_default();
            let says = |name| has_attribute(&element.node, name);
            says("aria-expanded") || says("aria-controls") || vocabulary::is_accordion(&class)
        };
        let all = self.at(before).all;
        let mut within = (before..self.at(before).end).take(FEW_WITHIN);
        all.text > 0 && all.linked == 0 && within.any(unfolds)
    }

    /// Returns the nearest element around one that is as wanted.
    fn around(&self, at: usize, is_wanted: impl Fn(&Element) -> bool) -> usize {
        let mut around = self.at(at).parent;
        while around > self.body && !is_wanted(self.at(around)) {
            around = self.at(around).parent;
        }
        around
    }
}

impl Page<'_> {
    /// Returns as what an element is left out.
    pub(super) fn kind(&self, at: usize) -> Kind {
        let element = self.at(at);
        let role = element.attribute("role").unwrap_or_default();
        match (element.tag(), role.as_str()) {
            ("a", _) => Kind::Marks,
            _ if is_control(element) => Kind::Forms,
            _ if is_hidden(element) => Kind::Hidden,
            ("form", _) | (_, "search") => Kind::Forms,
            ("nav" | "menu", _) | (_, "navigation") => Kind::Navigation,
            ("footer", _) | (_, "contentinfo") => Kind::Footer,
            ("header", _) | (_, "banner") => Kind::Header,
            ("dialog", _) | (_, "dialog" | "alertdialog") => Kind::Notices,
            ("noscript", _) => Kind::Hidden,
            _ => self.kind_by_signal(at),
        }
    }

    fn kind_by_signal(&self, at: usize) -> Kind {
        let element = self.at(at);
        match element.signal {
            Signal::Comments => Kind::Comments,
            Signal::Detail | Signal::Tools => Kind::Details,
            Signal::Teaser => Kind::Related,
            Signal::Cover => Kind::Notices,
            Signal::Hidden => Kind::Hidden,
            Signal::Beside => ["class", "id"]
                .into_iter()
                .find_map(|name| vocabulary::kind(&element.attribute(name)?))
                .unwrap_or(Kind::Sidebars),
            _ if element.tag() == "aside" => Kind::Sidebars,
            Signal::None | Signal::Main | Signal::Lead => Kind::Other,
        }
    }

    /// Returns as what the part under a heading of what follows an article is left out.
    pub(super) fn kind_under(&self, heading: usize, top: usize) -> Kind {
        let line = self.at(heading).line(heading, usize::MAX);
        let line = line.unwrap_or_default();
        match self.kind_by_signal(top) {
            Kind::Other if (phrases::is_label(&line) || phrases::is_credit(&line)) => Kind::Details,
            Kind::Other => Kind::Related,
            kind => kind,
        }
    }
}

/// Returns whether an element is a note in a text.
pub(super) fn is_note(element: &Element) -> bool {
    let class = element.attribute("class").unwrap_or_default();
    vocabulary::is_note(&class)
}

/// Returns whether an element says of itself what part of a book it is, as in EPUB.
fn is_of_book(element: &Element) -> bool {
    let role = element.attribute("role").unwrap_or_default();
    has_attribute(&element.node, "epub:type") || role.starts_with("doc-")
}

/// Returns whether an element is a panel that a tab shows.
fn is_panel(element: &Element, role: &str) -> bool {
    let class = element.attribute("class").unwrap_or_default();
    role == "tabpanel" || vocabulary::is_panel(&class)
}

/// Returns whether the id of an element is made of the title of what it holds: a section, or a table with a caption.
fn has_made_id(element: &Element) -> bool {
    let id = element.attribute("id").unwrap_or_default();
    is_section(element) || id.split(['-', '_', '.']).count() > MOST_WORDS
}

/// Returns whether an element is a section of a text, as programs write it that make documentation.
fn is_section(element: &Element) -> bool {
    let class = element.attribute("class").unwrap_or_default();
    let mut names = class.split_whitespace();
    element.tag() == "section"
        || names.any(|name| matches!(name, "section" | "sect1" | "sect2" | "sect3"))
}

/// Returns whether an element is a mark of a program that writes documentation: a link to a heading, or to the
/// source of what is described, or the language of the code beside it.
fn is_mark(element: &Element) -> bool {
    match element.tag() {
        "a" => is_permalink(&element.node) || is_source_link(&element.node),
        "span" => element.attribute("class").is_some_and(|class| {
            matches!(class.as_str(), "lang" | "language-name" | "mw-editsection")
                || class == "permalink" && is_sign(&element.node)
        }),
        _ => false,
    }
}

/// Returns whether an element shows no words.
fn is_sign(node: &Node) -> bool {
    text(node).is_none_or(|text| !text.contains(char::is_alphanumeric))
}

fn is_source_link(link: &Node) -> bool {
    let says =
        |node: &Node| attribute(node, "class").is_some_and(|class| class.contains("viewcode-link"));
    says(link)
        || children(link)
            .iter()
            .any(|child| tag(child).is_some() && says(child))
}

/// Returns whether a link is the mark beside a heading that links to it.
fn is_permalink(link: &Node) -> bool {
    if !attribute(link, "href").is_some_and(|target| target.starts_with('#')) {
        return false;
    }
    let class = attribute(link, "class").unwrap_or_default();
    vocabulary::is_permalink(&class)
        || PERMALINKS.contains(&text(link).unwrap_or_default().as_str())
}
