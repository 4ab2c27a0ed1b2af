//! How light, and how clear, what a page is painted with is.

use hayro_syntax::object::{Array, Dict, Name, Number, Object};

/// Colours lighter than this, from 0 to 1, are the paper's.
const WHITE: f64 = 0.98;

/// The opacity, from 0 to 1, below which nothing is seen.
const CLEAR: f64 = 0.005;

/// What is painted with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paint {
    /// How light it is, from 0 to 1.
    lightness: f64,
    space: Space,
    /// Whether nothing is seen of it, whatever is below.
    is_clear: bool,
}

/// What the numbers of a colour mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Space {
    /// One or three say how light it is, four how much ink there is.
    #[default]
    Device,
    /// Each says how much ink there is, as of spot colours.
    Inks,
    /// They do not say it, as those of a palette.
    Other,
}

impl Paint {
    /// Becomes black, as it is at first in each colour space; without an object, in that of a device.
    pub(super) fn set_space(&mut self, space: Option<&Object<'_>>) {
        self.lightness = 0.0;
        self.space = space.map_or(Space::Device, Space::of);
    }

    /// Takes the opacity that a graphics state has under a key, if it sets one.
    pub(super) fn set_opacity(&mut self, settings: &Dict<'_>, key: &str) {
        if let Some(opacity) = settings.get::<f64>(key) {
            self.is_clear = opacity < CLEAR;
        }
    }

    /// Takes the colour that has these numbers in a space of a device.
    pub(super) fn set_device(&mut self, numbers: &[Number]) {
        self.space = Space::Device;
        self.set(numbers);
    }

    /// Takes the colour that has these numbers in its space; patterns are dark.
    pub(super) fn set(&mut self, numbers: &[Number]) {
        let numbers: Vec<f64> = numbers.iter().map(Number::as_f64).collect();
        let most = numbers.iter().copied().fold(0.0, f64::max);
        self.lightness = match (self.space, &*numbers) {
            (Space::Device, [_] | [_, _, _]) => numbers.iter().copied().fold(1.0, f64::min),
            (Space::Device, [_, _, _, _]) | (Space::Inks, [_, ..]) => 1.0 - most,
            _ => 0.0,
        };
    }

    /// Returns whether it cannot be seen on anything.
    pub(super) fn is_clear(self) -> bool {
        self.is_clear
    }

    /// Returns whether it cannot be seen on paper.
    pub(super) fn is_white(self) -> bool {
        self.lightness >= WHITE
    }
}

impl Space {
    fn of(space: &Object<'_>) -> Self {
        let family = match space {
            Object::Name(name) => Some(name.clone()),
            Object::Array(parts) => first(parts),
            _ => None,
        };
        match family.as_ref().map(AsRef::as_ref) {
            Some(b"Separation" | b"DeviceN") => Self::Inks,
            Some(b"Indexed" | b"Lab" | b"Pattern") => Self::Other,
            _ => Self::Device,
        }
    }
}

fn first<'a>(parts: &Array<'a>) -> Option<Name<'a>> {
    parts.iter::<Name<'a>>().next()
}
