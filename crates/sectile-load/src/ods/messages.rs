//! The messages of data validation in a spreadsheet.

use std::collections::HashMap;

use crate::blocks::Block;
use crate::failure::Failure;
use crate::grid::cell_name;
use crate::workbook::{Message, cells};
use crate::xml::{Element, Node, Walk};

/// The messages of a rule, with their titles and texts.
type Said = Vec<(Message, String, String)>;

/// The validation rules of a spreadsheet, and where the sheet being read uses them.
#[derive(Debug, Default)]
pub(super) struct Messages {
    said: HashMap<String, Said>,
    /// The rules that the sheet uses, in its order, with their cells.
    used: Vec<(String, Cells)>,
    /// The index of each rule in that list.
    places: HashMap<String, usize>,
}

/// The cells of a rule: the first, and whether there are others.
#[derive(Debug)]
struct Cells {
    first: String,
    has_others: bool,
}

impl Messages {
    /// Reads the rules. Their element was opened last.
    pub(super) fn read(&mut self, walk: &mut Walk<'_>) -> Result<(), Failure> {
        let mut rule = String::new();
        let mut said = Said::new();
        let mut open: Vec<Place> = Vec::new();
        loop {
            match walk.next()? {
                Node::Open(element) => {
                    let place = Place::of(&element);
                    match place {
                        Place::Rule => rule = element.attribute("name").unwrap_or_default(),
                        Place::Message(message) => {
                            let title = element.attribute("title").unwrap_or_default();
                            said.push((message, title, String::new()));
                        }
                        Place::Hidden => {
                            walk.skip()?;
                            continue;
                        }
                        Place::Space => add(&mut said, " "),
                        Place::Other => {}
                    }
                    open.push(place);
                }
                Node::Text(text) => {
                    if open.iter().any(|place| matches!(place, Place::Message(_))) {
                        add(&mut said, &text);
                    }
                }
                Node::Close => match open.pop() {
                    Some(Place::Rule) => {
                        let said = std::mem::take(&mut said);
                        self.said.insert(std::mem::take(&mut rule), said);
                    }
                    Some(_) => {}
                    None => return Ok(()),
                },
                Node::End => return Ok(()),
            }
        }
    }

    /// Notes the rule of a cell that is repeated `times` times.
    pub(super) fn note(&mut self, element: &Element, place: (u32, u32), times: u64) {
        let Some(rule) = element.attribute("content-validation-name") else {
            return;
        };
        if let Some(used) = self.places.get(&rule).and_then(|at| self.used.get_mut(*at)) {
            used.1.has_others = true;
        } else if self.said.get(&rule).is_some_and(|said| !said.is_empty()) {
            self.places.insert(rule.clone(), self.used.len());
            let cells = Cells {
                first: cell_name(place.0, place.1),
                has_others: times > 1,
            };
            self.used.push((rule, cells));
        }
    }

    /// Ends a sheet, and returns the messages of its rules.
    pub(super) fn end_sheet(&mut self) -> Vec<Block> {
        self.places.clear();
        let mut blocks = Vec::new();
        for (rule, used) in self.used.drain(..) {
            let cells = cells(&used.first, used.has_others);
            let said = self.said.get(&rule).into_iter().flatten();
            blocks.extend(
                said.filter_map(|(message, title, text)| message.block(&cells, title, text)),
            );
        }
        blocks
    }
}

/// Adds to the text of the last message.
fn add(said: &mut Said, more: &str) {
    if let Some((_, _, text)) = said.last_mut() {
        text.push_str(more);
    }
}

/// An open element among the rules, as far as it matters.
#[derive(Clone, Copy, Debug)]
enum Place {
    Rule,
    Message(Message),
    /// A message that is not shown.
    Hidden,
    /// What keeps words apart.
    Space,
    Other,
}

impl Place {
    fn of(element: &Element) -> Self {
        let message = match element.name() {
            "content-validation" => return Self::Rule,
            "help-message" => Message::Prompt,
            "error-message" => Message::Error,
            "p" | "s" | "tab" | "line-break" => return Self::Space,
            _ => return Self::Other,
        };
        match element.attribute("display").as_deref() {
            Some("false") => Self::Hidden,
            _ => Self::Message(message),
        }
    }
}
