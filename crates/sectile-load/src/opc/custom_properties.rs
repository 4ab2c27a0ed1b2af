//! The properties that an organization adds to an Office document: the custom properties part.

use crate::custom_properties::{CustomProperties, typed};
use crate::failure::Failure;
use crate::xml::{Node, Walk};

/// What relationships to the part are called.
pub(crate) const KINDS: [&str; 2] = ["custom-properties", "customProperties"];

/// Where the part stands when nothing in the package says so.
pub(crate) const USUAL_PART: &str = "docProps/custom.xml";

/// A property while it is read.
#[derive(Default)]
struct Property {
    name: String,
    /// The type of its last value.
    kind: String,
    values: Vec<String>,
    /// Whether the last value goes on.
    is_open: bool,
}

impl Property {
    fn add(&mut self, kind: &str, text: &str) {
        match self.values.last_mut() {
            Some(value) if self.is_open => value.push_str(text),
            _ if text.trim().is_empty() => {}
            _ => {
                self.is_open = true;
                self.kind = kind.into();
                self.values.push(text.into());
            }
        }
    }

    fn end(self, properties: &mut CustomProperties) {
        match self.values.as_slice() {
            [value] => properties.add(&self.name, typed(&self.kind, value)),
            values => properties.add(&self.name, values.join(", ").into()),
        }
    }
}

/// Reads the properties. The values of a list are joined.
pub(crate) fn read(xml: &str) -> Result<CustomProperties, Failure> {
    let mut walk = Walk::new(xml);
    let mut properties = CustomProperties::default();
    let mut property: Option<Property> = None;
    let mut open = Vec::new();
    loop {
        match walk.next()? {
            Node::Open(element) => {
                if element.name() == "property" {
                    property = Some(Property {
                        name: element.attribute("name").unwrap_or_default(),
                        ..Property::default()
                    });
                }
                open.push(element.name().to_owned());
            }
            Node::Text(text) => {
                if let (Some(property), Some(kind)) = (&mut property, open.last()) {
                    property.add(kind, &text);
                }
            }
            Node::Close => match open.pop().as_deref() {
                Some("property") => {
                    if let Some(property) = property.take() {
                        property.end(&mut properties);
                    }
                }
                Some(_) => {
                    if let Some(property) = &mut property {
                        property.is_open = false;
                    }
                }
                None => {}
            },
            Node::End => return Ok(properties),
        }
    }
}
