//! Forms: what one fills in, and the text that stands in some of them.

use super::hidden::is_hidden;
use super::page::Page;
use super::tree::Element;
use super::vocabulary;

/// Elements that one fills in or presses.
const CONTROLS: [&str; 6] = [
    "button", "datalist", "object", "optgroup", "select", "textarea",
];

/// How many letters sentences have at least in a form around the first title of the page: one sentence.
const SENTENCE: usize = 25;

/// How many they have at least in a form right behind it, or around another title.
const WITH_TITLE: usize = 150;

/// How many they have at least in another form. Notices about data and mistakes have fewer.
const WITHOUT_TITLE: usize = 1_500;

/// How many percent of the text of such a form are in links at most.
const FEW_LINKS: usize = 25;

/// How many elements of a form are looked at. Damaged pages nest forms, so that each is looked at again in those around it.
const MANY_ELEMENTS: usize = 5_000;

impl Page<'_> {
    /// Returns whether a form stands around a part of the text, as shops put one around a product with its
    /// description: it has the title of the page and sentences, or more sentences than fields need.
    pub(super) fn is_form_of_text(&self, form: usize) -> bool {
        let holds_first = || {
            let title = self.first_title();
            title.is_some_and(|title| (form..self.at(form).end).contains(&title))
        };
        let least = if holds_first() {
            SENTENCE
        } else if self.holds_title(form) || self.is_behind_title(form) {
            WITH_TITLE
        } else {
            WITHOUT_TITLE
        };
        let all = self.at(form).all;
        all.content >= least && !all.is_linked(FEW_LINKS) && self.has_sentences(form, least)
    }

    /// Returns whether no sentence stands between the first title of the page and a form.
    fn is_behind_title(&self, form: usize) -> bool {
        let Some(title) = self.first_title() else {
            return false;
        };
        let mut between = self.at(title).end..form;
        title < form
            && between.len() <= MANY_ELEMENTS
            && between.all(|at| self.at(at).content() == 0)
    }

    /// Returns whether the paragraphs of a form that are shown have so many letters, but for those of what one fills in
    /// or presses. A form of very many elements is taken to have them.
    fn has_sentences(&self, form: usize, least: usize) -> bool {
        let (mut at, mut letters) = (form, 0);
        for _ in 0..MANY_ELEMENTS {
            if letters >= least || at >= self.at(form).end {
                return letters >= least;
            }
            let element = self.at(at);
            if element.left_out.is_some() || is_control(element) || is_hidden(element) {
                at = element.end;
            } else {
                letters += element.content();
                at += 1;
            }
        }
        true
    }
}

/// Returns whether an element is one to fill in or press. Examples that can be changed and run are none.
pub(super) fn is_control(element: &Element) -> bool {
    let is_code = || {
        element
            .attribute("class")
            .is_some_and(|class| vocabulary::is_code(&class))
    };
    CONTROLS.contains(&element.tag()) && !(element.tag() == "textarea" && is_code())
}
