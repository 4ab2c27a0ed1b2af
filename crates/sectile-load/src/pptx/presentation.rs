//! The list of slides, and the named sections that they are in.

use std::collections::HashMap;

use crate::failure::Failure;
use crate::one_line::one_line;
use crate::xml::{Node, Walk};

/// The slides in their order.
#[derive(Debug, Default)]
pub(super) struct Presentation {
    pub(super) slides: Vec<Named>,
    /// The names of sections, by the id of their first slide.
    pub(super) sections: HashMap<String, String>,
}

/// A slide in the list.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) id: String,
    pub(super) relationship: String,
}

impl Presentation {
    pub(super) fn read(xml: &str) -> Result<Self, Failure> {
        let mut presentation = Self::default();
        let mut section: Option<String> = None;
        let mut in_section = false;
        let mut walk = Walk::new(xml);
        loop {
            match walk.next()? {
                Node::Open(element) => match element.name() {
                    "section" => {
                        in_section = true;
                        section = element.attribute("name");
                    }
                    "sldId" if in_section => {
                        let id = element.attribute("id").unwrap_or_default();
                        let name = section.take().map(|name| one_line(&name));
                        let name = name.filter(|name| !name.is_empty());
                        presentation.sections.extend(name.map(|name| (id, name)));
                    }
                    "sldId" => presentation.slides.push(Named {
                        id: element.attribute("id").unwrap_or_default(),
                        relationship: element.prefixed("id").unwrap_or_default(),
                    }),
                    _ => {}
                },
                Node::Close | Node::Text(_) => {}
                Node::End => return Ok(presentation),
            }
        }
    }
}
