//! What is open while a document is read.

use super::super::notes::Note;
use super::super::paragraph::RunLook;
use crate::superscript::Rise;
use crate::symbols::SymbolFont;

/// An open element, as far as it matters what is inside and when it ends.
#[derive(Debug)]
pub(super) enum Scope {
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
pub(super) struct Run {
    pub(super) is_hidden: bool,
    pub(super) rise: Rise,
    pub(super) look: RunLook,
    /// The font of symbols that it is in.
    pub(super) symbols: Option<SymbolFont>,
}
