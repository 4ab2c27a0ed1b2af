//! Values of every kind that serde knows: each loads as it was saved, or is refused with a path.

use std::cell::RefCell;
use std::fmt;

use proptest::prelude::*;
use proptest::strategy::Union;
use sectile_checkpoint::{Checkpoint, Checkpointer as _, Error, MemoryCheckpointer};
use serde::de::{
    self, DeserializeSeed, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess,
};
use serde::ser::{SerializeMap as _, SerializeSeq as _, SerializeStruct as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Names of fields and of variants.
const NAMES: &[&str] = &["a", "b", "c"];

/// A type.
#[derive(Clone, Debug)]
enum Shape {
    Unit,
    UnitStruct,
    Bool,
    I64,
    U64,
    I128,
    F32,
    F64,
    Char,
    Text,
    Bytes,
    Option(Box<Shape>),
    Newtype(Box<Shape>),
    Seq(Box<Shape>),
    Tuple(Vec<Shape>),
    Map(Box<Shape>, Box<Shape>),
    Struct(Vec<Shape>),
    /// Of each variant what it holds: unit, newtype, tuple or struct.
    Enum(Vec<Shape>),
}

/// A value of a type.
#[derive(Clone, Debug)]
enum Datum {
    Unit,
    UnitStruct,
    Bool(bool),
    I64(i64),
    U64(u64),
    I128(i128),
    F32(f32),
    F64(f64),
    Char(char),
    Text(String),
    Bytes(Vec<u8>),
    None,
    Some(Box<Datum>),
    Newtype(Box<Datum>),
    Seq(Vec<Datum>),
    Tuple(Vec<Datum>),
    Map(Vec<(Datum, Datum)>),
    Struct(Vec<Datum>),
    Variant(usize, Box<Datum>),
}

impl Datum {
    /// Returns whether it is the same value, floats by their bits.
    fn is(&self, other: &Self) -> bool {
        let all = |one: &[Self], other: &[Self]| {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is(other))
        };
        match (self, other) {
            (Self::Unit, Self::Unit)
            | (Self::UnitStruct, Self::UnitStruct)
            | (Self::None, Self::None) => true,
            (Self::Bool(one), Self::Bool(other)) => one == other,
            (Self::I64(one), Self::I64(other)) => one == other,
            (Self::U64(one), Self::U64(other)) => one == other,
            (Self::I128(one), Self::I128(other)) => one == other,
            (Self::F32(one), Self::F32(other)) => one.to_bits() == other.to_bits(),
            (Self::F64(one), Self::F64(other)) => one.to_bits() == other.to_bits(),
            (Self::Char(one), Self::Char(other)) => one == other,
            (Self::Text(one), Self::Text(other)) => one == other,
            (Self::Bytes(one), Self::Bytes(other)) => one == other,
            (Self::Some(one), Self::Some(other)) | (Self::Newtype(one), Self::Newtype(other)) => {
                one.is(other)
            }
            (Self::Seq(one), Self::Seq(other))
            | (Self::Tuple(one), Self::Tuple(other))
            | (Self::Struct(one), Self::Struct(other)) => all(one, other),
            (Self::Map(one), Self::Map(other)) => {
                let mut entries = one.iter().zip(other);
                one.len() == other.len()
                    && entries.all(|(one, other)| one.0.is(&other.0) && one.1.is(&other.1))
            }
            (Self::Variant(one, inner), Self::Variant(other, other_inner)) => {
                one == other && inner.is(other_inner)
            }
            _ => false,
        }
    }

    /// Returns whether JSON holds it, and as nothing else.
    fn is_plain(&self) -> bool {
        match self {
            Self::F32(float) => float.is_finite(),
            Self::F64(float) => float.is_finite(),
            Self::Some(inner) => !inner.is_null() && inner.is_plain(),
            Self::Newtype(inner) | Self::Variant(_, inner) => inner.is_plain(),
            Self::Seq(all) | Self::Tuple(all) | Self::Struct(all) => all.iter().all(Self::is_plain),
            Self::Map(entries) => entries
                .iter()
                .all(|(key, value)| key.is_plain_key() && value.is_plain()),
            _ => true,
        }
    }

    fn is_null(&self) -> bool {
        match self {
            Self::Unit | Self::UnitStruct | Self::None => true,
            Self::Some(inner) | Self::Newtype(inner) => inner.is_null(),
            _ => false,
        }
    }

    fn is_plain_key(&self) -> bool {
        matches!(
            self,
            Self::Text(_) | Self::I64(_) | Self::U64(_) | Self::Bool(_) | Self::Char(_)
        )
    }
}

impl Serialize for Datum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unit => serializer.serialize_unit(),
            Self::UnitStruct => serializer.serialize_unit_struct("Unit"),
            Self::Bool(value) => value.serialize(serializer),
            Self::I64(value) => value.serialize(serializer),
            Self::U64(value) => value.serialize(serializer),
            Self::I128(value) => value.serialize(serializer),
            Self::F32(value) => value.serialize(serializer),
            Self::F64(value) => value.serialize(serializer),
            Self::Char(value) => value.serialize(serializer),
            Self::Text(value) => value.serialize(serializer),
            Self::Bytes(value) => serializer.serialize_bytes(value),
            Self::None => serializer.serialize_none(),
            Self::Some(value) => serializer.serialize_some(&**value),
            Self::Newtype(value) => serializer.serialize_newtype_struct("Newtype", &**value),
            Self::Seq(values) | Self::Tuple(values) => {
                let mut seq = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    seq.serialize_element(value)?;
                }
                seq.end()
            }
            Self::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
            Self::Struct(values) => {
                let mut fields = serializer.serialize_struct("Struct", values.len())?;
                for (name, value) in NAMES.iter().zip(values) {
                    fields.serialize_field(name, value)?;
                }
                fields.end()
            }
            Self::Variant(at, inner) => {
                let (index, name) = (*at as u32, NAMES[*at]);
                match &**inner {
                    Self::Unit => serializer.serialize_unit_variant("Enum", index, name),
                    inner => serializer.serialize_newtype_variant("Enum", index, name, inner),
                }
            }
        }
    }
}

/// Reads a value of a type, as derived code does.
impl<'de> DeserializeSeed<'de> for &Shape {
    type Value = Datum;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Datum, D::Error> {
        match self {
            Shape::Unit => from.deserialize_unit(self),
            Shape::UnitStruct => from.deserialize_unit_struct("Unit", self),
            Shape::Bool => bool::deserialize(from).map(Datum::Bool),
            Shape::I64 => i64::deserialize(from).map(Datum::I64),
            Shape::U64 => u64::deserialize(from).map(Datum::U64),
            Shape::I128 => i128::deserialize(from).map(Datum::I128),
            Shape::F32 => f32::deserialize(from).map(Datum::F32),
            Shape::F64 => f64::deserialize(from).map(Datum::F64),
            Shape::Char => char::deserialize(from).map(Datum::Char),
            Shape::Text => String::deserialize(from).map(Datum::Text),
            Shape::Bytes => Vec::deserialize(from).map(Datum::Bytes),
            Shape::Option(_) => from.deserialize_option(self),
            Shape::Newtype(_) => from.deserialize_newtype_struct("Newtype", self),
            Shape::Seq(_) => from.deserialize_seq(self),
            Shape::Tuple(shapes) => from.deserialize_tuple(shapes.len(), self),
            Shape::Map(..) => from.deserialize_map(self),
            Shape::Struct(shapes) => {
                from.deserialize_struct("Struct", &NAMES[..shapes.len()], self)
            }
            Shape::Enum(shapes) => from.deserialize_enum("Enum", &NAMES[..shapes.len()], self),
        }
    }
}

impl<'de> de::Visitor<'de> for &Shape {
    type Value = Datum;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self:?}")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Datum, E> {
        Ok(match self {
            Shape::Option(_) => Datum::None,
            Shape::UnitStruct => Datum::UnitStruct,
            _ => Datum::Unit,
        })
    }

    fn visit_none<E: de::Error>(self) -> Result<Datum, E> {
        Ok(Datum::None)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Datum, D::Error> {
        let Shape::Option(inner) = self else {
            return Err(D::Error::custom("no option"));
        };
        Ok(Datum::Some(Box::new(inner.deserialize(from)?)))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Datum, D::Error> {
        let Shape::Newtype(inner) = self else {
            return Err(D::Error::custom("no newtype"));
        };
        Ok(Datum::Newtype(Box::new(inner.deserialize(from)?)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Datum, A::Error> {
        let mut values = Vec::new();
        if let Shape::Tuple(shapes) = self {
            for shape in shapes {
                values.extend(from.next_element_seed(shape)?);
            }
            return Ok(Datum::Tuple(values));
        }
        let Shape::Seq(inner) = self else {
            return Err(A::Error::custom("no sequence"));
        };
        while let Some(value) = from.next_element_seed(&**inner)? {
            values.push(value);
        }
        Ok(Datum::Seq(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Datum, A::Error> {
        match self {
            Shape::Map(key, value) => {
                let mut entries = Vec::new();
                while let Some(key) = from.next_key_seed(&**key)? {
                    entries.push((key, from.next_value_seed(&**value)?));
                }
                Ok(Datum::Map(entries))
            }
            Shape::Struct(shapes) => {
                let mut values = Vec::new();
                for shape in shapes {
                    from.next_key::<String>()?;
                    values.push(from.next_value_seed(shape)?);
                }
                Ok(Datum::Struct(values))
            }
            _ => Err(A::Error::custom("no map")),
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, from: A) -> Result<Datum, A::Error> {
        let Shape::Enum(shapes) = self else {
            return Err(A::Error::custom("no enum"));
        };
        let (name, variant): (String, _) = from.variant()?;
        let at = NAMES.iter().position(|known| *known == name);
        let at = at.ok_or_else(|| A::Error::custom("no variant"))?;
        let inner = match &shapes[at] {
            Shape::Unit => {
                variant.unit_variant()?;
                Datum::Unit
            }
            shape => variant.newtype_variant_seed(shape)?,
        };
        Ok(Datum::Variant(at, Box::new(inner)))
    }
}

thread_local! {
    /// The type of the state that is loaded on this thread.
    static SHAPE: RefCell<Shape> = const { RefCell::new(Shape::Unit) };
}

/// A state of the type that is set for this thread.
#[derive(Clone, Debug)]
struct State(Datum);

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let shape = SHAPE.with_borrow(Clone::clone);
        (&shape).deserialize(from).map(Self)
    }
}

fn shapes() -> impl Strategy<Value = Shape> {
    let leaf = prop::sample::select(vec![
        Shape::Unit,
        Shape::UnitStruct,
        Shape::Bool,
        Shape::I64,
        Shape::U64,
        Shape::I128,
        Shape::F32,
        Shape::F64,
        Shape::Char,
        Shape::Text,
        Shape::Bytes,
    ]);
    leaf.prop_recursive(4, 16, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        let some = prop::collection::vec(inner, 1..=3);
        prop_oneof![
            3 => boxed.clone().prop_map(Shape::Option),
            1 => boxed.clone().prop_map(Shape::Newtype),
            1 => boxed.clone().prop_map(Shape::Seq),
            1 => (boxed.clone(), boxed).prop_map(|(key, value)| Shape::Map(key, value)),
            1 => some.clone().prop_map(Shape::Tuple),
            1 => some.clone().prop_map(Shape::Struct),
            1 => some.prop_map(Shape::Enum),
        ]
    })
}

fn values(shape: &Shape) -> BoxedStrategy<Datum> {
    let boxed = |shape: &Shape| values(shape).prop_map(Box::new);
    let each = |shapes: &[Shape]| shapes.iter().map(values).collect::<Vec<_>>();
    match shape {
        Shape::Unit => Just(Datum::Unit).boxed(),
        Shape::UnitStruct => Just(Datum::UnitStruct).boxed(),
        Shape::Bool => any::<bool>().prop_map(Datum::Bool).boxed(),
        Shape::I64 => any::<i64>().prop_map(Datum::I64).boxed(),
        Shape::U64 => any::<u64>().prop_map(Datum::U64).boxed(),
        Shape::I128 => any::<i128>().prop_map(Datum::I128).boxed(),
        Shape::F32 => prop::num::f32::ANY.prop_map(Datum::F32).boxed(),
        Shape::F64 => prop::num::f64::ANY.prop_map(Datum::F64).boxed(),
        Shape::Char => any::<char>().prop_map(Datum::Char).boxed(),
        Shape::Text => any::<String>().prop_map(Datum::Text).boxed(),
        Shape::Bytes => any::<Vec<u8>>().prop_map(Datum::Bytes).boxed(),
        Shape::Option(inner) => {
            prop_oneof![Just(Datum::None), boxed(inner).prop_map(Datum::Some)].boxed()
        }
        Shape::Newtype(inner) => boxed(inner).prop_map(Datum::Newtype).boxed(),
        Shape::Seq(inner) => prop::collection::vec(values(inner), 0..4)
            .prop_map(Datum::Seq)
            .boxed(),
        Shape::Map(key, value) => prop::collection::vec((values(key), values(value)), 0..4)
            .prop_map(Datum::Map)
            .boxed(),
        Shape::Tuple(shapes) => each(shapes).prop_map(Datum::Tuple).boxed(),
        Shape::Struct(shapes) => each(shapes).prop_map(Datum::Struct).boxed(),
        Shape::Enum(shapes) => Union::new(shapes.iter().enumerate().map(|(at, shape)| {
            let inner = values(shape).prop_map(Box::new);
            inner.prop_map(move |inner| Datum::Variant(at, inner))
        }))
        .boxed(),
    }
}

fn cases() -> impl Strategy<Value = (Shape, Datum)> {
    shapes().prop_flat_map(|shape| {
        let values = values(&shape);
        (Just(shape), values)
    })
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn what_is_saved_loads_as_it_was((shape, datum) in cases()) {
        SHAPE.set(shape);
        let checkpointer = MemoryCheckpointer::new();
        let checkpoint = Checkpoint::new("t", State(datum.clone()));
        match block_on(checkpointer.save(&checkpoint)) {
            Ok(_) => {
                let loaded = block_on(checkpointer.load("t")).unwrap();
                let loaded: Checkpoint<State> = loaded.unwrap();
                prop_assert!(loaded.state.0.is(&datum), "{:?}", loaded.state);
            }
            Err(Error::Unencodable { path, .. }) => {
                prop_assert!(path.starts_with("state"), "{}", path);
                prop_assert!(!datum.is_plain(), "it was refused at {}", path);
            }
            Err(error) => prop_assert!(false, "{:?}", error),
        }
    }
}
