//! Finds values that `serde_json` writes, but does not read back as they were.

use std::fmt::{self, Display};

use serde::Serialize;
use serde::ser::{self, Serializer};

use super::MAX_NESTING;

/// Goes through a value and writes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Check {
    depth: usize,
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

type Checked = Result<(), Refused>;

impl Check {
    /// Goes into an array or an object, or into one within the other.
    fn enter(self, levels: usize) -> Result<Self, Refused> {
        let depth = self.depth + levels;
        if depth > MAX_NESTING {
            return Err(Refused(format!("nesting deeper than {MAX_NESTING}")));
        }
        Ok(Self { depth })
    }
}

macro_rules! accept {
    ($($method:ident($($type:ty),*);)*) => {$(
        fn $method(self, $(_: $type),*) -> Checked {
            Ok(())
        }
    )*};
}

impl Serializer for Check {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    accept! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
        serialize_char(char);
        serialize_str(&str);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_f32(self, value: f32) -> Checked {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Checked {
        if value.is_finite() {
            return Ok(());
        }
        Err(Refused(format!("{value} is not a number of JSON")))
    }

    /// Bytes become an array of numbers.
    fn serialize_bytes(self, _: &[u8]) -> Checked {
        self.enter(1).map(drop)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Checked {
        value.serialize(self)
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
        value.serialize(self.enter(1)?)
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
        impl ser::$trait for Check {
            type Ok = ();
            type Error = Refused;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Checked {
                value.serialize(*self)
            }

            fn end(self) -> Checked {
                Ok(())
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
        impl ser::$trait for Check {
            type Ok = ();
            type Error = Refused;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                _: &'static str,
                value: &T,
            ) -> Checked {
                value.serialize(*self)
            }

            fn end(self) -> Checked {
                Ok(())
            }
        }
    )*};
}

check_fields! {
    SerializeStruct;
    SerializeStructVariant;
}

impl ser::SerializeMap for Check {
    type Ok = ();
    type Error = Refused;

    /// What may be a key, `serde_json` says itself.
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Checked {
        key.serialize(*self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Checked {
        value.serialize(*self)
    }

    fn end(self) -> Checked {
        Ok(())
    }
}
