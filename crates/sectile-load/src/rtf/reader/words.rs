//! Words and symbols of Rich Text Format that stand for text, or say how it looks and is encoded.

use super::{Destination, Reader};
use crate::superscript::Rise;
use crate::titles::TextLook;

impl Reader {
    pub(super) fn symbol(&mut self, symbol: u8) {
        self.state.is_new = false;
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        match symbol {
            b'~' => self.push("\u{A0}"),
            b'_' => self.push("\u{2011}"),
            b'\\' | b'{' | b'}' => self.push(char::from(symbol).encode_utf8(&mut [0; 4])),
            b'\r' | b'\n' => self.word("par", None),
            b'\t' => self.push("\t"),
            _ => {}
        }
    }

    pub(super) fn word(&mut self, name: &str, number: Option<i32>) {
        if matches!(
            self.state.destination,
            Destination::Skipped | Destination::LeftOut | Destination::Drawing { .. }
        ) {
            return;
        }
        if name == "u" {
            return self.push_unit(number.unwrap_or(0));
        }
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        let is_on = number != Some(0);
        match name {
            "fftype" | "ffres" | "ffdefres" => self.set_form(name, number.unwrap_or(0)),
            // What stands before the document.
            "rtf" if self.groups.len() == 1 => self.end_paragraph(),
            "ansicpg" => self.set_code_page(number.unwrap_or(0)),
            "mac" => self.set_code_page(10_000),
            "pc" => self.set_code_page(437),
            "pca" => self.set_code_page(850),
            "uc" => self.state.stand_ins = u32::try_from(number.unwrap_or(1)).unwrap_or(0).min(16),
            "f" | "fcharset" | "cpg" => self.set_font(name, number.unwrap_or(0)),
            "deff" => self.fonts.default = number.unwrap_or(0),
            "plain" => {
                self.state.is_hidden = false;
                self.state.is_deleted = false;
                self.state.look = TextLook::default();
                self.state.rise = Rise::None;
                self.use_font(self.fonts.default);
            }
            "super" => self.state.rise = Rise::from(is_on),
            "sub" => self.state.rise = if is_on { Rise::Lowered } else { Rise::None },
            "nosupersub" => self.state.rise = Rise::None,
            // By half points, six where no number is given.
            "up" => self.state.rise = Rise::of_height(number.unwrap_or(6).into()),
            "dn" => self.state.rise = Rise::of_height(-f64::from(number.unwrap_or(6))),
            "v" => self.state.is_hidden = is_on,
            "deleted" => {
                if is_on && !self.state.is_deleted {
                    self.hidden.add_deletion();
                }
                self.state.is_deleted = is_on;
            }
            "b" => self.state.look.is_bold = is_on,
            "fs" => {
                let size = number.and_then(|size| u16::try_from(size).ok());
                self.state.look.size = size.unwrap_or_default();
            }
            "yr" => self.date[0] = number.unwrap_or(0),
            "mo" => self.date[1] = number.unwrap_or(0),
            "dy" => self.date[2] = number.unwrap_or(0),
            "hr" => self.date[3] = number.unwrap_or(0),
            "min" => self.date[4] = number.unwrap_or(0),
            "sec" => self.date[5] = number.unwrap_or(0),
            _ => {
                if let Some(character) = character(name) {
                    self.push(character);
                } else {
                    self.structure(name, number);
                }
            }
        }
    }

    fn set_font(&mut self, word: &str, number: i32) {
        if self.state.destination == Destination::Fonts {
            self.fonts.set(word, number);
        } else if word == "f" {
            self.use_font(number);
        }
    }

    /// Reads the text that follows as that of a font.
    pub(super) fn use_font(&mut self, font: i32) {
        self.state.encoding = self.fonts.encoding(font);
        self.state.symbols = self.fonts.symbols(font);
    }

    /// Sets the code page of the document.
    fn set_code_page(&mut self, number: i32) {
        self.state.encoding = self.fonts.set_code_page(number);
    }

    /// Takes a unit of UTF-16, which is written as a signed number.
    fn push_unit(&mut self, number: i32) {
        self.skip = self.state.stand_ins;
        // A file may write the upper half as negative numbers; the low bits are the unit.
        let unit = number.rem_euclid(0x1_0000) as u16;
        let high = self.surrogate.take();
        if (0xD800..0xDC00).contains(&unit) {
            self.surrogate = Some(unit);
            return;
        }
        let units = high.into_iter().chain([unit]);
        let text: String = char::decode_utf16(units)
            .map(|character| character.unwrap_or('\u{FFFD}'))
            .collect();
        match self.state.symbols {
            Some(font) => self.push(&font.shown(&text)),
            None => self.push(&text),
        }
    }
}

/// Returns the text of a word that stands for it.
fn character(name: &str) -> Option<&'static str> {
    Some(match name {
        "tab" => "\t",
        "line" | "lbr" => "\n",
        "emdash" => "—",
        "endash" => "–",
        "emspace" | "enspace" | "qmspace" => " ",
        "bullet" => "•",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        _ => return None,
    })
}
