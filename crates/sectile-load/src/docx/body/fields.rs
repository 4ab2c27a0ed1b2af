//! Fields begin and end, and show what they hold.

use super::super::fields::Field;
use super::Body;
use super::scope::Scope;
use crate::field;
use crate::form_field::{FormField, Kind};
use crate::xml::Element;

impl Body<'_, '_> {
    /// Opens what a form says of a field.
    pub(super) fn open_field(&mut self) -> Option<Scope> {
        self.fields.last()?.form = Some(FormField::default());
        Some(Scope::FormField)
    }

    /// Takes a property of the field of a form.
    pub(super) fn set_form(&mut self, element: &Element) -> Option<Scope> {
        set_field(self.fields.last()?.form.as_mut()?, element);
        Some(Scope::FormField)
    }

    /// Passes the beginning of a field, or that of its result, or its end.
    pub(super) fn pass_field(&mut self, element: &Element) {
        match element.attribute("fldCharType").as_deref() {
            Some("begin") => self.fields.begin(),
            Some("separate") => self.begin_result(),
            Some("end") => self.end_field(),
            _ => {}
        }
    }

    /// Begins the result of a field, which may be a link.
    pub(super) fn begin_result(&mut self) {
        let start = match (self.fields.last(), self.paragraphs.last_mut()) {
            (Some(field), Some(paragraph)) if field::target(&field.instruction).is_some() => {
                Some(paragraph.begin_part())
            }
            _ => None,
        };
        self.fields.begin_result(start);
    }

    /// Ends a field, and writes what it shows where it holds no text.
    pub(super) fn end_field(&mut self) {
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
            let known = match value.or(number) {
                None if !has_result => self.referred(&instruction),
                known => known,
            };
            match known
                .map(field::Shown::from)
                .or_else(|| field::shown(&instruction, has_result))
            {
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

    /// Returns what a reference to a bookmark shows: its text, or the number of its note.
    fn referred(&mut self, instruction: &str) -> Option<String> {
        let reference = field::reference(instruction)?;
        let bookmark = self.context.bookmarks.get(reference.bookmark)?;
        if !reference.is_to_note {
            return bookmark.line();
        }
        let (kind, id) = bookmark.note.as_ref()?;
        let number = self.context.references.known(*kind, id)?;
        Some(number.to_string())
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
