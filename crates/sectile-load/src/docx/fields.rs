//! The fields of a document while it is read.

use crate::form_field::FormField;

/// How many fields may be open in each other. Word has 20 at most; a file with more does not close its fields.
const MAX_OPEN: usize = 64;

/// An open field.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says something else of the field"
)]
pub(super) struct Field {
    pub(super) instruction: String,
    /// Whether it is an element, whose content is its result.
    is_element: bool,
    /// What a form says of it.
    pub(super) form: Option<FormField>,
    /// Whether its result has begun.
    pub(super) has_result: bool,
    /// Whether there is text in it.
    pub(super) has_text: bool,
    /// Where its result begins in the text of the paragraph, if that is a link in one paragraph.
    pub(super) link_start: Option<usize>,
    /// What the fields in its instruction show.
    pub(super) inner: String,
    /// Whether the paragraph that it begins in has ended.
    pub(super) is_split: bool,
}

/// The open fields, from the outermost in.
#[derive(Debug, Default)]
pub(super) struct Fields {
    open: Vec<Field>,
}

impl Fields {
    /// Begins a field whose instruction follows.
    pub(super) fn begin(&mut self) {
        self.push(Field::default());
    }

    /// Begins a field that is an element with its instruction.
    pub(super) fn begin_element(&mut self, instruction: String) {
        self.push(Field {
            instruction,
            is_element: true,
            ..Field::default()
        });
    }

    fn push(&mut self, field: Field) {
        if self.open.len() == MAX_OPEN {
            self.open.clear();
        }
        self.open.push(field);
    }

    /// Returns whether a run that begins now is the first of the result of a field that is an element.
    pub(super) fn is_result_next(&self) -> bool {
        let last = self.open.last();
        last.is_some_and(|field| field.is_element && !field.has_result)
    }

    /// Returns the innermost open field.
    pub(super) fn last(&mut self) -> Option<&mut Field> {
        self.open.last_mut()
    }

    /// Begins the result of the innermost field, with the place of the link that it is.
    pub(super) fn begin_result(&mut self, link_start: Option<usize>) {
        if let Some(field) = self.open.last_mut() {
            field.has_result = true;
            field.link_start = link_start;
        }
    }

    /// Takes the innermost field, which ends. What is written from now on until it is [closed](Self::end) is its
    /// result.
    pub(super) fn finish(&mut self) -> Option<Field> {
        let field = self.open.last_mut()?;
        let result = Field {
            has_result: true,
            has_text: field.has_text,
            ..Field::default()
        };
        Some(std::mem::replace(field, result))
    }

    /// Closes the innermost field. Text in it is also in the result that it stands in.
    pub(super) fn end(&mut self) {
        let ended = self.open.pop();
        if let (Some(ended), Some(outer)) = (ended, self.open.last_mut()) {
            outer.has_text |= ended.has_text && outer.has_result;
        }
    }

    /// Takes text that is shown, and says whether it belongs to the instruction of a field, as what is shown by a field
    /// in it does.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let Some((last, outer)) = self.open.split_last_mut() else {
            return false;
        };
        last.has_text |= !text.trim().is_empty();
        let mut outer = outer.iter_mut().rev();
        let around = outer.find(|field| !field.has_result && !field.is_split);
        let Some(field) = around.filter(|_| last.has_result) else {
            return false;
        };
        field.instruction.push_str(text);
        field.inner.push_str(text);
        true
    }

    /// Ends the paragraph that fields are in, and returns what those of them have taken whose instruction did not end
    /// in it.
    pub(super) fn end_paragraph(&mut self) -> String {
        let mut taken = String::new();
        for field in &mut self.open {
            field.is_split = true;
            field.link_start = None;
            if !field.has_result {
                taken.push_str(&std::mem::take(&mut field.inner));
            }
        }
        taken
    }
}
