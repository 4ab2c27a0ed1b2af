//! The walk over the text of a document: its body, its footnotes, its endnotes.

use super::context::Context;
use super::fields::{Field, Fields};
use super::notes::{Note, NoteKind};
use super::paragraph::{Paragraph, RunLook};
use super::styles;
use super::table::Table;
use crate::alternative_text::Picture;
use crate::blocks::{Block, apart};
use crate::code_paragraphs::{self, Container};
use crate::failure::Failure;
use crate::field;
use crate::form_field::{FormField, Kind};
use crate::link::with_place;
use crate::office_math::Equation;
use crate::superscript::Rise;
use crate::symbols::{self, SymbolFont};
use crate::xml::{Element, Node, Vocabulary, Walk};

/// The attributes that name the fonts of a run, for the scripts that its letters are of.
const FONTS: [&str; 4] = ["ascii", "hAnsi", "eastAsia", "cs"];

/// Reads the blocks of the main part.
pub(super) fn read(xml: &str, context: &mut Context) -> Result<Vec<Block>, Failure> {
    let mut body = Body::new(context);
    body.walk(&mut Walk::new(xml))?;
    Ok(body.leave_container())
}

/// Reads the notes of the part of the footnotes, endnotes or comments.
pub(super) fn read_notes(xml: &str, context: &mut Context) -> Result<Vec<Note>, Failure> {
    let mut body = Body::new(context);
    body.walk(&mut Walk::new(xml))?;
    Ok(body.notes)
}

/// An open element, as far as it matters what is inside and when it ends.
#[derive(Debug)]
enum Scope {
    Paragraph,
    ParagraphProperties,
    Run,
    RunProperties,
    Text,
    Table,
    Row,
    Cell,
    TableProperties,
    TextBox,
    FormField,
    /// A picture in a drawing.
    Picture,
    /// A field with its result as its content.
    Field,
    /// The instruction of a field.
    Instruction,
    Note(Note),
    /// A link: where its text begins in the paragraph, and where it leads to.
    Link(usize, String),
    /// Equations that stand on lines of their own.
    Display,
    Equation,
    /// An element of an equation.
    Math,
    MathRun,
    /// Alternatives for different programs, of which one may have been taken.
    Alternatives {
        taken: bool,
    },
    Other,
}

/// What an open run says of its text.
#[derive(Clone, Copy, Debug)]
struct Run {
    is_hidden: bool,
    rise: Rise,
    look: RunLook,
    /// The font of symbols that it is in.
    symbols: Option<SymbolFont>,
}

/// The state of the walk: what is open, from the outermost in.
#[derive(Debug)]
struct Body<'c, 'a> {
    context: &'c mut Context<'a>,
    scopes: Vec<Scope>,
    /// What is in the body, and in each open cell, text box and note.
    containers: Vec<Container>,
    paragraphs: Vec<Paragraph>,
    /// A paragraph that the next one goes on with, and how many containers are open around both.
    unfinished: Option<(usize, Paragraph)>,
    tables: Vec<Table>,
    /// The open runs.
    runs: Vec<Run>,
    notes: Vec<Note>,
    fields: Fields,
    /// What is said of the drawing, and of the picture in it, that are read.
    drawing: Picture,
    picture: Option<Picture>,
    equation: Option<Equation>,
    /// Whether equations stand on lines of their own.
    is_display: bool,
}

impl<'c, 'a> Body<'c, 'a> {
    fn new(context: &'c mut Context<'a>) -> Self {
        Self {
            context,
            scopes: Vec::new(),
            containers: vec![Container::default()],
            paragraphs: Vec::new(),
            unfinished: None,
            tables: Vec::new(),
            runs: Vec::new(),
            notes: Vec::new(),
            fields: Fields::default(),
            drawing: Picture::default(),
            picture: None,
            equation: None,
            is_display: false,
        }
    }

    fn walk(&mut self, walk: &mut Walk) -> Result<(), Failure> {
        loop {
            match walk.next()? {
                Node::Open(element) => match self.open(&element) {
                    Some(scope) => self.enter(scope),
                    None => walk.skip()?,
                },
                Node::Close => {
                    if let Some(scope) = self.scopes.pop() {
                        self.leave(scope);
                    }
                }
                Node::Text(text) if matches!(self.scopes.last(), Some(Scope::Text)) => {
                    self.write(&text.replace(['\n', '\r'], " "));
                }
                Node::Text(text) if matches!(self.scopes.last(), Some(Scope::Instruction)) => {
                    if let Some(field) = self.fields.last() {
                        field.instruction.push_str(&text);
                    }
                }
                Node::Text(_) => {}
                Node::End => return Ok(()),
            }
        }
    }

    /// Finds out what an element is; nothing when it is to be passed over.
    fn open(&mut self, element: &Element) -> Option<Scope> {
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
            Some(Scope::FormField) => {
                set_field(self.fields.last()?.form.as_mut()?, element);
                Some(Scope::FormField)
            }
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
                match element.name() {
                    "docPr" => self.drawing = Picture::of_properties(element),
                    "decorative" => {
                        let picture = self.picture.as_mut().unwrap_or(&mut self.drawing);
                        picture.is_decorative |= element.is_on();
                    }
                    "pic" => {
                        self.picture = Some(std::mem::take(&mut self.drawing));
                        return Some(Scope::Picture);
                    }
                    "cNvPr" => self.describe_picture(element),
                    "shape" => {
                        let description = element.attribute("alt").unwrap_or_default();
                        self.drawing = Picture {
                            description,
                            ..Picture::default()
                        };
                    }
                    "imagedata" => {
                        let picture = std::mem::take(&mut self.drawing);
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
                    _ => {}
                }
                Some(Scope::Other)
            }
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
            // What was deleted or moved away, and the properties of what has no text of its own.
            "del" | "moveFrom" | "delText" | "delInstrText" | "fldData" | "rubyPr" | "sdtPr"
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

    /// Takes what is said of a picture in a drawing of several, where nothing is said of the drawing.
    fn describe_picture(&mut self, element: &Element) {
        if let Some(picture) = &mut self.picture
            && !picture.is_decorative
            && picture.block().is_none()
        {
            *picture = Picture::of_properties(element);
        }
    }

    /// Writes what is said of a picture, unless it is hidden.
    fn show_picture(&mut self, picture: &Picture) {
        if !self.is_hidden() {
            self.add_beside(picture.block().into_iter().collect());
        }
    }

    /// Adds blocks here, or after the paragraph that has begun.
    fn add_beside(&mut self, blocks: Vec<Block>) {
        match self.paragraphs.last_mut() {
            Some(paragraph) => paragraph.boxes.extend(blocks),
            None => self.add(blocks),
        }
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

    /// Notes where a link in the document leads to.
    fn add_entry(&mut self, place: &str) {
        if let Some(paragraph) = self.paragraphs.last_mut() {
            paragraph.add_entry(place, self.context);
        }
    }

    /// Opens what a form says of a field.
    fn open_field(&mut self) -> Option<Scope> {
        self.fields.last()?.form = Some(FormField::default());
        Some(Scope::FormField)
    }

    /// Passes the beginning of a field, or that of its result, or its end.
    fn pass_field(&mut self, element: &Element) {
        match element.attribute("fldCharType").as_deref() {
            Some("begin") => self.fields.begin(),
            Some("separate") => self.begin_result(),
            Some("end") => self.end_field(),
            _ => {}
        }
    }

    /// Begins the result of a field, which may be a link.
    fn begin_result(&mut self) {
        let start = match (self.fields.last(), self.paragraphs.last_mut()) {
            (Some(field), Some(paragraph)) if field::target(&field.instruction).is_some() => {
                Some(paragraph.begin_part())
            }
            _ => None,
        };
        self.fields.begin_result(start);
    }

    /// Ends a field, and writes what it shows where it holds no text.
    fn end_field(&mut self) {
        let Some(field) = self.fields.finish() else {
            return;
        };
        let Field {
            instruction,
            form,
            has_result,
            has_text,
            link_start,
            ..
        } = field;
        let mut words = instruction.split_whitespace();
        if words.next() == Some("PAGEREF")
            && let Some(place) = words.next()
        {
            self.add_entry(place);
        }
        let number = self.context.sequences.count(&instruction);
        if !has_text && !self.is_hidden() {
            let value = form.as_ref().and_then(FormField::value).map(str::to_owned);
            let known = value.or(number).map(field::Shown::from);
            match known.or_else(|| field::shown(&instruction, has_result)) {
                Some(shown) => {
                    self.context.readings_left_out += shown.readings;
                    self.push(&shown.text);
                }
                None => self.context.fields_left_out += 1,
            }
        }
        if let (Some(start), Some(target)) = (link_start, field::target(&instruction))
            && let Some(paragraph) = self.paragraphs.last_mut()
        {
            paragraph.link(start, &target);
        }
        self.fields.end();
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

    /// Writes an equation as the LaTeX that Markdown has between dollar signs.
    fn leave_equation(&mut self) {
        let latex = self.equation.take().map(Equation::finish);
        let Some(latex) = latex.filter(|latex| !latex.is_empty()) else {
            return;
        };
        let sign = if self.is_display { "$$" } else { "$" };
        let paragraph = self.paragraphs.last();
        let follows = paragraph.is_some_and(|paragraph| paragraph.text.ends_with('$'));
        let space = if follows { " " } else { "" };
        self.push(&format!("{space}{sign}{latex}{sign}"));
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

    /// Writes the text of a run, with the characters that fonts of symbols show.
    fn write(&mut self, text: &str) {
        match self.runs.last().and_then(|run| run.symbols) {
            Some(font) => self.push(&font.shown(text)),
            None => self.push(text),
        }
    }

    /// Writes text to the paragraph being read, or to one of its own outside of any.
    fn push(&mut self, text: &str) {
        if text.is_empty() || self.is_hidden() {
            return;
        }
        // What a field in the instruction of another shows belongs to that instruction.
        if self.equation.is_none() && self.fields.take(text) {
            return;
        }
        if let Some(equation) = &mut self.equation {
            equation.text(text);
        } else if let Some(paragraph) = self.paragraphs.last_mut() {
            let run = self.runs.last();
            let rise = run.map(|run| run.rise).unwrap_or_default();
            let look = run.map(|run| run.look).unwrap_or_default();
            paragraph.push(text, rise, look);
        } else if !text.trim().is_empty() {
            self.add(vec![Block::Text(text.into())]);
        }
    }

    fn is_hidden(&self) -> bool {
        self.runs.last().is_some_and(|run| run.is_hidden)
    }

    /// Adds blocks to the innermost open container.
    fn add(&mut self, blocks: Vec<Block>) {
        if let Some(container) = self.containers.last_mut() {
            container.add(blocks);
        }
    }

    fn leave_container(&mut self) -> Vec<Block> {
        self.finish_paragraph();
        self.containers.pop().unwrap_or_default().finish()
    }

    fn enter_paragraph(&mut self) {
        let depth = self.containers.len();
        let before = self.unfinished.take_if(|(before, _)| *before == depth);
        let paragraph = before.map(|(_, paragraph)| paragraph.continued());
        self.paragraphs.push(paragraph.unwrap_or_default());
    }

    fn leave_paragraph(&mut self) {
        let taken = self.fields.end_paragraph();
        self.push(&taken);
        let paragraph = self.paragraphs.pop().unwrap_or_default();
        if paragraph.is_open {
            self.unfinished = Some((self.containers.len(), paragraph));
        } else {
            self.add_paragraph(paragraph);
        }
    }

    /// Adds a paragraph whose end was deleted where no other one follows.
    fn finish_paragraph(&mut self) {
        let depth = self.containers.len();
        if let Some((_, paragraph)) = self.unfinished.take_if(|(before, _)| *before == depth) {
            self.add_paragraph(paragraph);
        }
    }

    fn add_paragraph(&mut self, paragraph: Paragraph) {
        let code = paragraph.code(self.context);
        let Some(container) = self.containers.last_mut() else {
            return;
        };
        if let Some(is_sure) = code {
            return container.add_code(&paragraph.text, is_sure);
        }
        let blocks = paragraph.finish(self.context);
        container.add_paragraph(blocks);
    }

    fn enter(&mut self, scope: Scope) {
        match &scope {
            Scope::Paragraph => self.enter_paragraph(),
            Scope::Display => self.is_display = true,
            Scope::Run | Scope::MathRun => {
                if self.fields.is_result_next() {
                    self.begin_result();
                }
                let paragraph = self.paragraphs.last();
                self.runs.push(Run {
                    is_hidden: paragraph.is_some_and(|one| one.is_hidden(self.context)),
                    rise: Rise::None,
                    look: paragraph.map_or_else(RunLook::default, |one| one.look(self.context)),
                    symbols: None,
                });
            }
            Scope::Table => {
                self.finish_paragraph();
                self.tables.push(Table::default());
            }
            Scope::Cell => {
                self.in_table(Table::begin_cell);
                self.containers.push(Container::default());
            }
            Scope::TextBox | Scope::Note(_) => self.containers.push(Container::default()),
            _ => {}
        }
        self.scopes.push(scope);
    }

    fn leave(&mut self, scope: Scope) {
        match scope {
            Scope::Paragraph => self.leave_paragraph(),
            Scope::Run => drop(self.runs.pop()),
            Scope::Picture => {
                let picture = self.picture.take().unwrap_or_default();
                self.show_picture(&picture);
            }
            Scope::Field => self.end_field(),
            Scope::Table => {
                let table = self.tables.pop().unwrap_or_default();
                self.add(table.finish());
            }
            Scope::Row => self.in_table(Table::end_row),
            Scope::Cell => self.leave_cell(),
            Scope::TextBox => self.leave_text_box(),
            Scope::Note(note) => {
                let blocks = self.leave_container();
                self.notes.push(Note { blocks, ..note });
            }
            Scope::Math => self.in_equation(Equation::close),
            Scope::MathRun => {
                self.runs.pop();
                self.in_equation(Equation::close);
            }
            Scope::Equation => self.leave_equation(),
            Scope::Display => self.is_display = false,
            Scope::Link(start, target) => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.link(start, &target);
                }
            }
            _ => {}
        }
    }

    /// Tells the innermost open table, when there is one, as there is but for damage.
    fn in_table(&mut self, change: fn(&mut Table)) {
        if let Some(table) = self.tables.last_mut() {
            change(table);
        }
    }

    fn in_equation(&mut self, change: fn(&mut Equation)) {
        if let Some(equation) = &mut self.equation {
            change(equation);
        }
    }

    fn leave_cell(&mut self) {
        let blocks = apart(self.leave_container());
        match self.tables.last_mut() {
            Some(table) => table.end_cell(blocks),
            None => self.add(blocks),
        }
    }

    /// Puts what stands in a text box before the paragraph it is anchored to, or after it when
    /// the paragraph has begun.
    fn leave_text_box(&mut self) {
        let blocks = apart(self.leave_container());
        match self.paragraphs.last_mut() {
            Some(paragraph) if !paragraph.text.trim().is_empty() => paragraph.boxes.extend(blocks),
            _ => self.add(blocks),
        }
    }
}

/// Takes a property of a field of a form.
fn set_field(field: &mut FormField, element: &Element) {
    match element.name() {
        "checkBox" => field.kind = Kind::CheckBox,
        "ddList" => field.kind = Kind::List,
        "listEntry" => field.entries.extend(element.value()),
        "result" => field.result = element.number(),
        "checked" => field.result = Some(element.is_on().into()),
        "default" if field.kind == Kind::CheckBox => field.default = element.is_on().into(),
        "default" => field.default = element.number().unwrap_or_default(),
        _ => {}
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
