//! Finds values that `serde_json` writes, but does not read back as they were.

use std::cell::Cell;
use std::fmt::{self, Display};

use serde::Serialize;
use serde::ser::{self, Serializer};

use super::MAX_NESTING;

/// Goes through a value and writes nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check<'a> {
    depth: usize,
    nulls: Nulls<'a>,
}

/// What becomes of `Some` of a value that is written as null, which as a rule loads as `None`.
#[derive(Clone, Copy, Debug)]
enum Nulls<'a> {
    /// It is counted.
    Counted(&'a Cell<usize>),
    /// It is refused.
    Refused,
}

/// The form of a written value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Null,
    Other,
}

/// What a value cannot be kept for.
#[derive(Debug)]
pub(super) struct Refused(String);

impl Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

impl ser::Error for Refused {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

type Checked = Result<Form, Refused>;

impl<'a> Check<'a> {
    /// Returns a check that counts each `Some` that is written as null.
    pub(super) fn counting(nulls: &'a Cell<usize>) -> Self {
        let nulls = Nulls::Counted(nulls);
        Self { depth: 0, nulls }
    }

    /// Returns a check that refuses these.
    pub(super) fn strict() -> Self {
        let nulls = Nulls::Refused;
        Self { depth: 0, nulls }
    }

    /// Goes into an array or an object, or into one within the other.
    fn enter(self, levels: usize) -> Result<Self, Refused> {
        let depth = self.depth + levels;
        if depth > MAX_NESTING {
            return Err(Refused(format!("nesting deeper than {MAX_NESTING}")));
        }
        Ok(Self { depth, ..self })
    }
}

macro_rules! accept {
    ($($method:ident($($type:ty),*) is $form:ident;)*) => {$(
        fn $method(self, $(_: $type),*) -> Checked {
            Ok(Form::$form)
        }
    )*};
}

impl Serializer for Check<'_> {
    type Ok = Form;
    type Error = Refused;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    accept! {
        serialize_bool(bool) is Other;
        serialize_i8(i8) is Other;
        serialize_i16(i16) is Other;
        serialize_i32(i32) is Other;
        serialize_i64(i64) is Other;
        serialize_i128(i128) is Other;
        serialize_u8(u8) is Other;
        serialize_u16(u16) is Other;
        serialize_u32(u32) is Other;
        serialize_u64(u64) is Other;
        serialize_u128(u128) is Other;
        serialize_char(char) is Other;
        serialize_str(&str) is Other;
        serialize_none() is Null;
        serialize_unit() is Null;
        serialize_unit_struct(&'static str) is Null;
        serialize_unit_variant(&'static str, u32, &'static str) is Other;
    }

    fn serialize_f32(self, value: f32) -> Checked {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Checked {
        if value.is_finite() {
            return Ok(Form::Other);
        }
        Err(Refused(format!("{value} is not a number of JSON")))
    }

    /// Bytes become an array of numbers.
    fn serialize_bytes(self, _: &[u8]) -> Checked {
        self.enter(1).map(|_| Form::Other)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Checked {
        let form = value.serialize(self)?;
        match self.nulls {
            _ if form == Form::Other => {}
            Nulls::Counted(count) => count.set(count.get() + 1),
            Nulls::Refused => {
                let reason = "a value within an option is written as null and would load as none";
                return Err(Refused(reason.into()));
            }
        }
        Ok(form)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Checked {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Checked {
        value.serialize(self.enter(1)?).map(|_| Form::Other)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Refused> {
        self.enter(1)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Refused> {
        self.enter(1)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Refused> {
        self.enter(1)
    }

    /// The variant's name is the key of an object that has the array.
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Refused> {
        self.enter(2)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Refused> {
        self.enter(1)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Refused> {
        self.enter(1)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Refused> {
        self.enter(2)
    }
}

macro_rules! check_elements {
    ($($trait:ident::$method:ident;)*) => {$(
        impl ser::$trait for Check<'_> {
            type Ok = Form;
            type Error = Refused;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
                value.serialize(*self).map(drop)
            }

            fn end(self) -> Checked {
                Ok(Form::Other)
            }
        }
    )*};
}

check_elements! {
    SerializeSeq::serialize_element;
    SerializeTuple::serialize_element;
    SerializeTupleStruct::serialize_field;
    SerializeTupleVariant::serialize_field;
}

macro_rules! check_fields {
    ($($trait:ident;)*) => {$(
        impl ser::$trait for Check<'_> {
            type Ok = Form;
            type Error = Refused;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                _: &'static str,
                value: &T,
            ) -> Result<(), Refused> {
                value.serialize(*self).map(drop)
            }

            fn end(self) -> Checked {
                Ok(Form::Other)
            }
        }
    )*};
}

check_fields! {
    SerializeStruct;
    SerializeStructVariant;
}

impl ser::SerializeMap for Check<'_> {
    type Ok = Form;
    type Error = Refused;

    /// What may be a key, `serde_json` says itself.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Refused> {
        key.serialize(*self).map(drop)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Refused> {
        value.serialize(*self).map(drop)
    }

    fn end(self) -> Checked {
        Ok(Form::Other)
    }
}
