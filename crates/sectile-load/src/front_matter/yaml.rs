//! YAML as JSON, of which numbers and truth values are only what YAML writes in one way.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use serde_saphyr::Spanned;

/// How many values front matter may hold, aliases counted as often as they are used.
const MAX_NODES: usize = 20_000;

/// Reads a mapping. What YAML takes for a number or a truth value and stands there otherwise is text: `01234` is a
/// postal code, `1.10` a version and `NO` a country.
pub(super) fn parse(yaml: &str) -> Result<Map<String, Value>, String> {
    // An alias repeats what it stands for: a few lines can stand for gigabytes.
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_nodes: MAX_NODES, max_aliases: 100 },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_NODES },
    };
    let node: Spanned<Node> =
        serde_saphyr::from_str_with_options(yaml, options).map_err(|error| error.to_string())?;
    match as_written(node, yaml) {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(Map::new()),
        _ => Err("it is not a mapping".into()),
    }
}

/// A value and, for those in it, where they stand.
enum Node {
    Scalar(Value),
    Sequence(Vec<Spanned<Node>>),
    Mapping(Vec<(String, Spanned<Node>)>),
}

fn as_written(node: Spanned<Node>, yaml: &str) -> Value {
    let span = node.defined.span();
    match node.value {
        Node::Scalar(value) => match written(span, yaml) {
            Some(written) if is_changed(&value, written) => written.into(),
            _ => value,
        },
        Node::Sequence(nodes) => nodes
            .into_iter()
            .map(|node| as_written(node, yaml))
            .collect(),
        Node::Mapping(fields) => fields
            .into_iter()
            .map(|(key, node)| (key, as_written(node, yaml)))
            .collect(),
    }
}

fn written(span: serde_saphyr::Span, yaml: &str) -> Option<&str> {
    let start = usize::try_from(span.byte_offset()?).ok()?;
    let length = usize::try_from(span.byte_len()?).ok()?;
    Some(yaml.get(start..start + length)?.trim())
}

fn is_changed(value: &Value, written: &str) -> bool {
    match value {
        Value::Bool(flag) => !written.eq_ignore_ascii_case(if *flag { "true" } else { "false" }),
        Value::Number(number) => number.to_string() != written,
        _ => false,
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Scalar(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Scalar(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Scalar(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Scalar(value.into()))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Scalar(value.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        Ok(Node::Scalar(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = items.next_element()? {
            nodes.push(node);
        }
        Ok(Node::Sequence(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = entries.next_entry()? {
            fields.push(field);
        }
        Ok(Node::Mapping(fields))
    }
}
