//! What the elements of a document are.

use super::super::notes::{Note, NoteKind};
use super::super::styles;
use super::Body;
use super::scope::Scope;
use crate::blocks::Block;
use crate::code_paragraphs;
use crate::link::with_place;
use crate::office_math::Equation;
use crate::symbols::{self, SymbolFont};
use crate::xml::{Element, Vocabulary};

/// The attributes that name the fonts of a run, for the scripts that its letters are of.
const FONTS: [&str; 4] = ["ascii", "hAnsi", "eastAsia", "cs"];

impl Body<'_, '_> {
    /// Finds out what an element is; nothing when it is to be passed over.
    pub(super) fn open(&mut self, element: &Element) -> Option<Scope> {
        match self.scopes.last_mut() {
            Some(Scope::ParagraphProperties) => {
                let paragraph = self.paragraphs.last_mut()?;
                paragraph.set(element).then_some(Scope::ParagraphProperties)
            }
            Some(Scope::RunProperties) => {
                self.set_run(element);
                None
            }
            Some(Scope::TableProperties) => {
                self.tables.last_mut()?.set(element);
                None
            }
            Some(Scope::FormField) => self.set_form(element),
            Some(Scope::Alternatives { taken }) => {
                let first = !std::mem::replace(taken, true);
                first.then_some(Scope::Other)
            }
            _ => self.open_content(element),
        }
    }

    fn open_content(&mut self, element: &Element) -> Option<Scope> {
        match element.vocabulary {
            Vocabulary::Word => self.open_word(element),
            Vocabulary::Math => self.open_math(element),
            Vocabulary::Compatibility if element.name() == "AlternateContent" => {
                Some(Scope::Alternatives { taken: false })
            }
            Vocabulary::Compatibility | Vocabulary::Other => {
                if self.pictures.begins(element) {
                    return Some(Scope::Picture);
                }
                self.open_drawing(element);
                Some(Scope::Other)
            }
        }
    }

    /// Takes what an element says of a drawing, and writes what stands in other parts.
    fn open_drawing(&mut self, element: &Element) {
        match element.name() {
            "imagedata" => {
                let picture = self.pictures.end_shape();
                self.show_picture(&picture);
            }
            "chart" => self.show("id", element),
            "relIds" => self.show("dm", element),
            // The words of WordArt as it was before text boxes could have its looks.
            "textpath" => {
                let words = element.attribute("string");
                let words = words.filter(|words| !words.trim().is_empty());
                self.add_beside(words.map(Block::Text).into_iter().collect());
            }
            _ => self.pictures.describe(element),
        }
    }

    fn open_word(&mut self, element: &Element) -> Option<Scope> {
        Some(match element.name() {
            "p" => Scope::Paragraph,
            "pPr" => Scope::ParagraphProperties,
            "r" => Scope::Run,
            "rPr" => Scope::RunProperties,
            "t" => Scope::Text,
            "tbl" => Scope::Table,
            "tr" => Scope::Row,
            "tc" => Scope::Cell,
            "trPr" | "tcPr" => Scope::TableProperties,
            "txbxContent" => Scope::TextBox,
            "footnote" | "endnote" | "comment" => open_note(element)?,
            "ffData" => self.open_field()?,
            "fldSimple" => {
                let instruction = element.attribute("instr");
                self.fields.begin_element(instruction.unwrap_or_default());
                Scope::Field
            }
            "instrText" => Scope::Instruction,
            "rt" => {
                self.context.readings_left_out += usize::from(!self.is_hidden());
                return None;
            }
            "hyperlink" => self.open_link(element),
            "altChunk" => {
                self.show("id", element);
                Scope::Other
            }
            "del" => {
                self.context.hidden.add_deletion();
                return None;
            }
            // What was moved away, and the properties of what has no text of its own.
            "moveFrom" | "delText" | "delInstrText" | "fldData" | "rubyPr" | "sdtPr"
            | "sdtEndPr" | "sectPr" | "tblPr" | "tblPrEx" | "tblGrid" | "smartTagPr"
            | "customXmlPr" => return None,
            _ => {
                self.push_character(element);
                Scope::Other
            }
        })
    }

    /// Puts what stands in a part of its own here, or after the paragraph that has begun.
    fn show(&mut self, attribute: &str, element: &Element) {
        let id = element.attribute(attribute).unwrap_or_default();
        let blocks = self.context.embedded.remove(&id).unwrap_or_default();
        self.add_beside(blocks);
    }

    /// Opens a link; one that leads to a place in the document is its text.
    fn open_link(&mut self, element: &Element) -> Scope {
        let place = element.attribute("anchor");
        if let Some(place) = &place {
            self.add_entry(place);
        }
        let target = element
            .attribute("id")
            .and_then(|id| self.context.links.get(&id))
            .map(|target| with_place(target, place.as_deref()));
        match (target, self.paragraphs.last_mut()) {
            (Some(target), Some(paragraph)) => Scope::Link(paragraph.begin_part(), target),
            _ => Scope::Other,
        }
    }

    fn open_math(&mut self, element: &Element) -> Option<Scope> {
        let scope = match element.name() {
            "oMathPara" if self.equation.is_none() => return Some(Scope::Display),
            "oMath" if self.equation.is_none() => {
                self.equation = Some(Equation::default());
                return Some(Scope::Equation);
            }
            "t" => return Some(Scope::Text),
            "r" => Scope::MathRun,
            _ => Scope::Math,
        };
        match &mut self.equation {
            Some(equation) => equation.open(element).then_some(scope),
            None if element.name().ends_with("Pr") => None,
            None => Some(Scope::Other),
        }
    }

    /// Takes a property of the run being read.
    fn set_run(&mut self, element: &Element) {
        let all = self.context.styles;
        let Some(run) = self.runs.last_mut() else {
            return;
        };
        match element.name() {
            "vanish" => run.is_hidden = element.is_on(),
            "vertAlign" => run.rise = styles::rise(element),
            "rFonts" => {
                let mut fonts = FONTS.iter().filter_map(|name| element.attribute(name));
                run.symbols = fonts.find_map(|font| SymbolFont::named(&font));
                let font = styles::font(element);
                run.look.is_monospaced = font.map_or(run.look.is_monospaced, |font| {
                    code_paragraphs::is_monospaced(&font)
                });
            }
            "b" => run.look.text.is_bold = element.is_on(),
            "sz" => run.look.text.size = element.number().unwrap_or(run.look.text.size),
            "rStyle" => {
                let style = element.value().unwrap_or_default();
                run.look.is_monospaced |= all.is_monospaced(&style) || all.is_code(&style);
                run.look.text.is_bold = all.bold(&style).unwrap_or(run.look.text.is_bold);
                run.look.text.size = all.size(&style).unwrap_or(run.look.text.size);
                run.is_hidden = all.is_hidden(&style);
                run.rise = all.rise(&style);
            }
            _ => {}
        }
    }

    /// Writes an element that stands for a character.
    fn push_character(&mut self, element: &Element) {
        match element.name() {
            "bookmarkStart" => {
                let name = element.attribute("name").unwrap_or_default();
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.add_place(name);
                }
            }
            "tab" | "ptab" => self.push("\t"),
            "br" | "cr" => self.push("\n"),
            "fldChar" => self.pass_field(element),
            "noBreakHyphen" => self.push("\u{2011}"),
            "sym" => {
                let font = element.attribute("font").unwrap_or_default();
                let code = element.attribute("char").unwrap_or_default();
                if let Some(character) = symbols::character(&font, &code) {
                    self.push(character.encode_utf8(&mut [0; 4]));
                }
            }
            "footnoteReference" => self.push_reference(NoteKind::Footnote, element),
            "endnoteReference" => self.push_reference(NoteKind::Endnote, element),
            "commentReference" if self.context.comments => {
                self.push_reference(NoteKind::Comment, element);
            }
            "commentReference" => {
                self.context.comments_left_out += usize::from(!self.is_hidden());
            }
            _ => {}
        }
    }

    fn push_reference(&mut self, kind: NoteKind, element: &Element) {
        if self.is_hidden() {
            return;
        }
        let id = element.attribute("id").unwrap_or_default();
        let number = self.context.references.number(kind, id);
        self.push(&format!("[^{number}]"));
    }
}

/// Opens a note, but not the lines that separate notes from the text.
fn open_note(element: &Element) -> Option<Scope> {
    let kind = element.attribute("type");
    let is_note = kind.is_none_or(|kind| kind == "normal");
    is_note.then(|| {
        Scope::Note(Note {
            id: element.attribute("id").unwrap_or_default(),
            author: element.attribute("author"),
            blocks: Vec::new(),
        })
    })
}
