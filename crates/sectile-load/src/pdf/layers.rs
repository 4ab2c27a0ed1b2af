//! Layers: what of a file is shown and what is hidden (ISO 32000-2, 8.11).

use std::collections::HashSet;

use hayro_syntax::Pdf;
use hayro_syntax::object::{Array, Dict, ObjectIdentifier};

use super::objects::{catalog, name_of};

/// The layers that are hidden when a file is opened.
#[derive(Default)]
pub(super) struct Layers {
    hidden: HashSet<ObjectIdentifier>,
}

impl Layers {
    pub(super) fn new(pdf: &Pdf) -> Self {
        let properties = catalog(pdf).and_then(|catalog| catalog.get::<Dict<'_>>("OCProperties"));
        let Some(properties) = properties else {
            return Self::default();
        };
        let Some(shown) = properties.get::<Dict<'_>>("D") else {
            return Self::default();
        };
        let starts_hidden = name_of(&shown, "BaseState").is_some_and(|of| of.as_ref() == b"OFF");
        let mut hidden = HashSet::new();
        if starts_hidden {
            hidden.extend(layers(&properties, "OCGs"));
            for layer in layers(&shown, "ON") {
                hidden.remove(&layer);
            }
        }
        hidden.extend(layers(&shown, "OFF"));
        Self { hidden }
    }

    /// Returns whether what belongs to the layer, or group of layers, under a key is hidden.
    pub(super) fn hides(&self, dictionary: &Dict<'_>, key: &[u8]) -> bool {
        if self.hidden.is_empty() {
            return false;
        }
        let is_hidden = |id| self.hidden.contains(&id);
        if dictionary
            .get_ref(key)
            .is_some_and(|id| is_hidden(id.into()))
        {
            return true;
        }
        let Some(group) = dictionary.get::<Dict<'_>>(key) else {
            return false;
        };
        let mut all = layers(&group, "OCGs");
        if all.is_empty() {
            return false;
        }
        match name_of(&group, "P").as_deref() {
            Some(b"AllOn") => all.into_iter().any(is_hidden),
            Some(b"AnyOff") => !all.into_iter().any(is_hidden),
            Some(b"AllOff") => !all.into_iter().all(is_hidden),
            _ => all.drain(..).all(is_hidden),
        }
    }
}

/// Lists the layers under a key: one, or an array of them.
fn layers(dictionary: &Dict<'_>, key: &str) -> Vec<ObjectIdentifier> {
    if let Some(list) = dictionary.get::<Array<'_>>(key) {
        let items = list.raw_iter();
        return items
            .filter_map(|item| item.as_obj_ref())
            .map(Into::into)
            .collect();
    }
    dictionary
        .get_ref(key)
        .map(Into::into)
        .into_iter()
        .collect()
}
