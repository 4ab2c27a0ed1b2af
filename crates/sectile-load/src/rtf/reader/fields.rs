//! The fields of a document in Rich Text Format.

use super::{Destination, Reader};
use crate::field;
use crate::form_field::{FormField, Kind};
use crate::link::link_end;

/// How many fields may stand in each other. Word has 20 at most.
const MAX_FIELDS: usize = 64;

/// A field: how many groups are open around its result, and where that begins in the text.
#[derive(Debug, Default)]
pub(super) struct Field {
    depth: usize,
    start: usize,
    instruction: String,
    form: FormField,
    has_result: bool,
    /// How many paragraphs and cells had ended before.
    ended: usize,
}

impl Reader {
    pub(super) fn begin_field(&mut self) {
        self.fields.push(Field {
            depth: self.groups.len(),
            start: self.text.len(),
            ended: self.ended,
            ..Field::default()
        });
    }

    pub(super) fn begin_result(&mut self) {
        self.end_raised();
        if let Some(field) = self.fields.last_mut() {
            field.start = self.text.len();
            field.ended = self.ended;
            field.has_result = true;
        }
    }

    /// Adds text to the instruction of a field. What a field in it shows belongs to it.
    pub(super) fn push_instruction(&mut self, text: &str) {
        let mut fields = self.fields.iter_mut().rev().take(MAX_FIELDS);
        if let Some(field) = fields.find(|field| !field.has_result) {
            field.instruction.push_str(text);
        }
    }

    /// Begins an entry of the list that a form has.
    pub(super) fn begin_entry(&mut self) {
        if let Some(field) = self.fields.last_mut() {
            field.form.entries.push(String::new());
        }
    }

    pub(super) fn push_entry(&mut self, text: &str) {
        let entries = self.fields.last_mut().map(|field| &mut field.form.entries);
        if let Some(entry) = entries.and_then(|entries| entries.last_mut()) {
            entry.push_str(text);
        }
    }

    /// Takes what a form says of the field that is read.
    pub(super) fn set_form(&mut self, name: &str, number: i32) {
        let Some(Field { form, .. }) = self.fields.last_mut() else {
            return;
        };
        // A result of 25 is none.
        let number = usize::try_from(number).ok().filter(|number| *number != 25);
        match (name, number) {
            ("fftype", Some(1)) => form.kind = Kind::CheckBox,
            ("fftype", Some(2)) => form.kind = Kind::List,
            ("ffres", _) => form.result = number,
            ("ffdefres", _) => form.default = number.unwrap_or_default(),
            _ => {}
        }
    }

    /// Ends the field whose group has ended, if it is that of one.
    pub(super) fn end_field(&mut self) {
        let depth = self.groups.len() + 1;
        if let Some(field) = self.fields.pop_if(|field| field.depth == depth) {
            self.link(&field);
            self.fill_in(&field);
        }
    }

    /// Makes a link of the result of a field, unless that is the address itself.
    fn link(&mut self, field: &Field) {
        self.end_raised();
        if let Some(target) = field::target(&field.instruction)
            && field.ended == self.ended
        {
            link_end(&mut self.text, field.start, &target);
        }
    }

    /// Writes what a field shows where it holds no text: the value of a field of a form, or what its instruction says.
    fn fill_in(&mut self, field: &Field) {
        let number = self.sequences.count(&field.instruction);
        let shown = self.text.get(field.start..).unwrap_or_default();
        let has_text = field.ended != self.ended || !shown.trim().is_empty();
        let is_read = matches!(
            self.state.destination,
            Destination::Text | Destination::Note
        );
        if has_text || !is_read || self.state.is_hidden || self.state.is_deleted {
            return;
        }
        let value = field.form.value().map(str::to_owned);
        let known = match value.or(number) {
            None if !field.has_result => self.referred(&field.instruction),
            known => known,
        };
        let known = known.map(field::Shown::from);
        let shown = known.or_else(|| field::shown(&field.instruction, field.has_result));
        if let Some(shown) = shown {
            self.readings_left_out += shown.readings;
            self.push(&shown.text);
        } else {
            self.fields_left_out += 1;
            self.cut_bookmarks();
        }
    }
}
