//! Which checkpoints LangGraph lists: those whose metadata has entries that Python calls equal, as 1, 1.0 and true are.

use sectile::checkpoint::{Checkpoint, CheckpointOrder, CheckpointQuery, StoredState};
use serde_json::{Map, Value};

/// Which checkpoints are listed.
pub(crate) struct Filter {
    before: Option<String>,
    wanted: Map<String, Value>,
}

impl Filter {
    pub(crate) fn new(before: Option<String>, wanted: Map<String, Value>) -> Self {
        Self { before, wanted }
    }

    /// Returns whether a checkpoint is listed.
    pub(crate) fn matches(&self, checkpoint: &Checkpoint<StoredState>) -> bool {
        let before = self.before.as_ref();
        let is_before = before.is_none_or(|before| checkpoint.id.as_ref() < Some(before));
        let has = |(name, value): (&String, &Value)| {
            // What is missing is as null.
            let found = checkpoint.metadata.get(name);
            is_equal(found.unwrap_or(&Value::Null), value)
        };
        is_before && self.wanted.iter().all(has)
    }

    /// Returns entries that a store can look for. The metadata of a checkpoint that is listed has those of one of these
    /// queries, and of one only; others that have them may not be listed.
    pub(crate) fn queries(&self) -> Vec<CheckpointQuery> {
        let exact = self.wanted.iter().filter(|(_, value)| is_exact(value));
        let exact: Map<_, _> = exact
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let query = |metadata| CheckpointQuery {
            order: CheckpointOrder::ById {
                before: self.before.clone(),
            },
            metadata,
            ..CheckpointQuery::default()
        };
        // With each number that is looked for there would be as many times more queries.
        let mut numbers = self.wanted.iter();
        let Some((name, number)) =
            numbers.find_map(|(name, value)| Some((name, Number::of(value)?)))
        else {
            return vec![query(exact)];
        };
        let with = |value| {
            let mut entries = exact.clone();
            let _ = entries.insert(name.clone(), value);
            query(entries)
        };
        number.written().into_iter().map(with).collect()
    }
}

/// Returns whether Python would call two values equal.
fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(ones), Value::Array(others)) => {
            let mut pairs = ones.iter().zip(others);
            ones.len() == others.len() && pairs.all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(ones), Value::Object(others)) => {
            let has = |(name, one): (&String, &Value)| {
                others.get(name).is_some_and(|other| is_equal(one, other))
            };
            ones.len() == others.len() && ones.iter().all(has)
        }
        _ => match (Number::of(one), Number::of(other)) {
            (Some(one), Some(other)) => one == other,
            _ => one == other,
        },
    }
}

/// Returns whether only the same value is equal to a value: there is no number in it, and it is not null, which is
/// equal to what is missing.
fn is_exact(value: &Value) -> bool {
    !value.is_null() && !has_numbers(value)
}

fn has_numbers(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Number(_) => true,
        Value::Array(items) => items.iter().any(has_numbers),
        Value::Object(members) => members.values().any(has_numbers),
        Value::Null | Value::String(_) => false,
    }
}

/// A number, or a truth value, which is one in Python.
#[derive(Clone, Copy, PartialEq)]
enum Number {
    Whole(i128),
    /// With a fraction, or too large for the others.
    Other(f64),
}

/// The end of the integers of 64 bits.
const WIDEST: f64 = 18_446_744_073_709_551_616.0;

impl Number {
    fn of(value: &Value) -> Option<Self> {
        let truth = value.as_bool().map(i128::from);
        let whole = truth.or_else(|| value.as_i64().map(i128::from));
        let whole = whole.or_else(|| value.as_u64().map(i128::from));
        let float = |float: f64| {
            if float.fract() == 0.0 && float.abs() <= WIDEST {
                Self::Whole(float as i128)
            } else {
                Self::Other(float)
            }
        };
        whole.map(Self::Whole).or_else(|| value.as_f64().map(float))
    }

    /// Returns all values that are this number.
    fn written(self) -> Vec<Value> {
        let whole = match self {
            Self::Other(float) => return vec![float.into()],
            Self::Whole(whole) => whole,
        };
        let integer = i64::try_from(whole).map(Value::from);
        let integer = integer.or_else(|_| u64::try_from(whole).map(Value::from));
        let float = Some(whole as f64).filter(|float| *float as i128 == whole);
        let mut written: Vec<Value> = integer.into_iter().collect();
        written.extend(float.map(Value::from));
        match whole {
            0 => written.extend([Value::from(-0.0), Value::Bool(false)]),
            1 => written.push(Value::Bool(true)),
            _ => {}
        }
        written
    }
}
