//! The controls of forms, which stand apart from the text that shows them.

use std::collections::HashMap;

use memchr::memmem;

use crate::failure::Failure;
use crate::one_line::one_line;
use crate::xml::{Element, Node, Walk};

/// What the controls of a document show, by their ids.
pub(crate) type Controls = HashMap<String, String>;

/// What every element of a form begins with.
const FORM: &[u8] = b"<form:";

/// A control while it is read.
#[derive(Debug, Default)]
struct Control {
    id: String,
    /// Its value or its label, and the box that is checked or not.
    text: String,
    mark: &'static str,
    /// The paragraphs in it, which may repeat its value.
    paragraphs: String,
    /// The options of a list that are chosen.
    chosen: Vec<String>,
}

/// Reads what the controls of a document show: their values, and their labels.
pub(crate) fn read(xml: &str) -> Result<Controls, Failure> {
    let mut controls = Controls::new();
    if memmem::find(xml.as_bytes(), FORM).is_none() {
        return Ok(controls);
    }
    let mut walk = Walk::new(xml);
    loop {
        match walk.next()? {
            Node::Open(element) if element.name() == "forms" => {
                read_forms(&mut walk, &mut controls)?;
            }
            Node::Open(_) | Node::Close | Node::Text(_) => {}
            Node::End => return Ok(controls),
        }
    }
}

/// Reads the forms up to the end of the element around them.
fn read_forms(walk: &mut Walk<'_>, controls: &mut Controls) -> Result<(), Failure> {
    // The control that begins with each element that is open, if one does.
    let mut open: Vec<Option<Control>> = Vec::new();
    loop {
        match walk.next()? {
            Node::Open(element) if element.name() == "option" => {
                let is_chosen = is_on(&element, "current-selected", "selected");
                let label = element.attribute("label").filter(|_| is_chosen);
                if let Some(list) = open.iter_mut().rev().flatten().next() {
                    list.chosen.extend(label);
                }
                open.push(None);
            }
            Node::Open(element) => open.push(Control::of(&element)),
            Node::Text(text) => {
                if let Some(control) = open.iter_mut().rev().flatten().next() {
                    control.paragraphs.push_str(&text);
                }
            }
            Node::Close => match open.pop() {
                Some(Some(control)) => {
                    let (id, shown) = control.finish();
                    if !shown.is_empty() {
                        controls.insert(id, shown);
                    }
                }
                Some(None) => {}
                None => return Ok(()),
            },
            Node::End => return Ok(()),
        }
    }
}

impl Control {
    /// Begins a control, where an element is one that shows a text.
    fn of(element: &Element) -> Option<Self> {
        let (text, mark) = match element.name() {
            "checkbox" | "radio" => {
                let is_checked = match element.name() {
                    "checkbox" => {
                        let state = element.attribute("current-state");
                        let state = state.or_else(|| element.attribute("state"));
                        state.as_deref() == Some("checked")
                    }
                    _ => is_on(element, "current-selected", "selected"),
                };
                let mark = if is_checked { "☒ " } else { "☐ " };
                (element.attribute("label"), mark)
            }
            "fixed-text" | "button" | "frame" => (element.attribute("label"), ""),
            "text" | "textarea" | "formatted-text" | "number" | "date" | "time" | "combobox"
            | "listbox" => {
                let value = element.attribute("current-value");
                (value.or_else(|| element.attribute("value")), "")
            }
            _ => return None,
        };
        Some(Self {
            id: element.attribute("id")?,
            text: text.unwrap_or_default(),
            mark,
            ..Self::default()
        })
    }

    /// Returns the id and what is shown.
    fn finish(self) -> (String, String) {
        let texts = [self.chosen.join(", "), self.text, self.paragraphs];
        let mut texts = texts.iter().map(|text| one_line(text));
        let text = texts.find(|text| !text.is_empty()).unwrap_or_default();
        let shown = format!("{}{text}", self.mark);
        (self.id, shown.trim_end().to_owned())
    }
}

/// Returns whether the state of an element is on: the current one, or else that at the beginning.
fn is_on(element: &Element, current: &str, first: &str) -> bool {
    let state = element.attribute(current);
    let state = state.or_else(|| element.attribute(first));
    state.as_deref() == Some("true")
}
