//! The fonts of a document: how their text is encoded, and which show symbols.

use std::collections::HashMap;

use super::code_pages;
use crate::code_pages::CodePage;
use crate::symbols::SymbolFont;

/// The fonts by their numbers, with the entry of the font table that is being read.
#[derive(Debug, Default)]
pub(super) struct Fonts {
    /// The encoding of the document.
    document: CodePage,
    encodings: HashMap<i32, CodePage>,
    symbols: HashMap<i32, SymbolFont>,
    /// The font of the entry, and its name so far.
    number: i32,
    name: String,
    /// The font of text that names none.
    pub(super) default: i32,
}

impl Fonts {
    /// Sets the code page of the document, and returns its encoding.
    pub(super) fn set_code_page(&mut self, number: i32) -> CodePage {
        self.document = code_pages::of_number(number);
        self.document
    }

    /// Takes a word of the font table.
    pub(super) fn set(&mut self, word: &str, number: i32) {
        let encoding = match word {
            "f" => {
                self.number = number;
                return;
            }
            "fcharset" => code_pages::of_charset(number, self.document),
            "cpg" => Some(code_pages::of_number(number)),
            _ => None,
        };
        let encoding = encoding.map(|encoding| (self.number, encoding));
        self.encodings.extend(encoding);
    }

    /// Takes a part of the name of a font, which a semicolon ends.
    pub(super) fn add_name(&mut self, text: &str) {
        self.name.push_str(text);
        // Only the new part is searched: a name may come in many.
        if text.contains(';')
            && let Some((name, _)) = self.name.split_once(';')
        {
            let font = SymbolFont::named(name.trim());
            self.symbols.extend(font.map(|font| (self.number, font)));
            self.name.clear();
        }
    }

    /// Ends the font table.
    pub(super) fn end_table(&mut self) {
        self.name.clear();
    }

    /// Returns the encoding of a font, the document's where the font says none.
    pub(super) fn encoding(&self, font: i32) -> CodePage {
        self.encodings.get(&font).copied().unwrap_or(self.document)
    }

    /// Returns the font of symbols that a font is.
    pub(super) fn symbols(&self, font: i32) -> Option<SymbolFont> {
        self.symbols.get(&font).copied()
    }
}
