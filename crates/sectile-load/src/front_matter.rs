//! YAML and TOML front matter as metadata.

use std::path::Path;

use sectile_core::{Metadata, Span};
use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, Value as Toml};

/// How large front matter may be; what is longer is no metadata.
const MAX_BYTES: usize = 1 << 20;

/// How many values front matter may hold, aliases counted as often as they are used.
const MAX_NODES: usize = 20_000;

/// How front matter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    Toml,
    Yaml,
}

/// Reads the front matter of `text` into `metadata`, whose other fields it leaves as they are, and returns where
/// it stands. What is broken changes nothing: it never is a reason not to load the text below it.
pub(crate) fn read(metadata: &mut Metadata, text: &str, path: &Path) -> Option<Span> {
    let span = sectile_chunk::front_matter(text)?;
    let is_toml = text.starts_with('+');
    let syntax = if is_toml { Syntax::Toml } else { Syntax::Yaml };
    read_into(metadata, span.of(text), syntax, path);
    Some(span)
}

fn read_into(metadata: &mut Metadata, source: &str, syntax: Syntax, path: &Path) {
    // TOML has no line that ends with a carriage return alone.
    let source = &*source.replace("\r\n", "\n").replace('\r', "\n");
    let fields = match syntax {
        Syntax::Toml => parse_toml(source),
        Syntax::Yaml => parse(source),
    };
    match fields {
        Ok(fields) => fields
            .into_iter()
            .for_each(|(key, value)| set(metadata, key, value)),
        Err(error) => tracing::debug!(path = %path.display(), error, "front matter is ignored"),
    }
}

fn parse(yaml: &str) -> Result<Map<String, Value>, String> {
    if yaml.len() > MAX_BYTES {
        return Err(format!("it is longer than {MAX_BYTES} bytes"));
    }
    // An alias repeats what it stands for: a few lines can stand for gigabytes.
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_nodes: MAX_NODES, max_aliases: 100 },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MAX_NODES },
    };
    let value: Value =
        serde_saphyr::from_str_with_options(yaml, options).map_err(|e| e.to_string())?;
    match value {
        Value::Object(fields) => Ok(fields),
        Value::Null => Ok(Map::new()),
        _ => Err("it is not a mapping".into()),
    }
}

fn parse_toml(toml: &str) -> Result<Map<String, Value>, String> {
    if toml.len() > MAX_BYTES {
        return Err(format!("it is longer than {MAX_BYTES} bytes"));
    }
    let document: DocumentMut = toml.parse().map_err(|error| format!("{error}"))?;
    let fields = document.iter();
    Ok(fields
        .filter_map(|(key, item)| Some((key.to_owned(), of_item(item)?)))
        .collect())
}

/// Returns what a key of TOML has; tables are objects. The parser bounds how deep they are.
fn of_item(item: &Item) -> Option<Value> {
    Some(match item {
        Item::None => return None,
        Item::Value(value) => of_value(value),
        Item::Table(table) => {
            let fields = table.iter();
            Value::Object(
                fields
                    .filter_map(|(key, item)| Some((key.into(), of_item(item)?)))
                    .collect(),
            )
        }
        Item::ArrayOfTables(tables) => tables
            .iter()
            .filter_map(|table| of_item(&Item::Table(table.clone())))
            .collect(),
    })
}

/// Returns a value of TOML; times are texts in ISO 8601.
fn of_value(value: &Toml) -> Value {
    match value {
        Toml::String(text) => Value::from(text.value().as_str()),
        Toml::Integer(number) => Value::from(*number.value()),
        Toml::Float(number) => Value::from(*number.value()),
        Toml::Boolean(flag) => Value::from(*flag.value()),
        Toml::Datetime(time) => Value::from(time.value().to_string()),
        Toml::Array(values) => values.iter().map(of_value).collect(),
        Toml::InlineTable(fields) => Value::Object(
            fields
                .iter()
                .map(|(key, value)| (key.into(), of_value(value)))
                .collect(),
        ),
    }
}

/// Puts one field where it belongs: fields that [`Metadata`] has no place for go to its `extra`.
pub(crate) fn set(metadata: &mut Metadata, key: String, value: Value) {
    let field = match key.to_lowercase().as_str() {
        "title" => &mut metadata.title,
        "author" | "authors" => &mut metadata.author,
        "date" | "created" => &mut metadata.created,
        "modified" | "updated" | "lastmod" => &mut metadata.modified,
        "lang" | "language" => &mut metadata.language,
        _ => {
            // The names of the struct's own fields would be written twice where it is flattened.
            let is_taken = matches!(key.as_str(), "encoding" | "page_count" | "size");
            let key = if is_taken {
                format!("front_matter_{key}")
            } else {
                key
            };
            metadata.extra.entry(key).or_insert(value);
            return;
        }
    };
    match text(&value) {
        Some(text) if field.is_none() => *field = Some(text),
        _ => {}
    }
}

/// Returns a value as text: names of several authors are joined, a map gives its name.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(values) => {
            let names: Vec<String> = values.iter().filter_map(text_of_one).collect();
            names.join(", ")
        }
        other => text_of_one(other)?,
    };
    (!text.is_empty()).then_some(text)
}

fn text_of_one(value: &Value) -> Option<String> {
    let name = value
        .as_object()
        .map_or(Some(value), |fields| fields.get("name"))?;
    Some(name.as_str()?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    fn read(yaml: &str) -> Metadata {
        let mut metadata = Metadata::default();
        read_into(&mut metadata, yaml, Syntax::Yaml, Path::new("a.md"));
        metadata
    }

    fn read_toml(toml: &str) -> Metadata {
        let mut metadata = Metadata::default();
        read_into(&mut metadata, toml, Syntax::Toml, Path::new("a.md"));
        metadata
    }

    #[test]
    fn toml_is_read_as_yaml_is() {
        let metadata = read_toml(
            "title = 'A: b'\ndate = 2026-11-21T10:00:00Z\nupdated = 2026-11-22\nauthors = ['Ada', 'Bob']\n\
             weight = 3\n[taxonomies]\ntags = ['x']\n[[menus]]\nname = 'main'\n",
        );
        assert_eq!(metadata.title.as_deref(), Some("A: b"));
        assert_eq!(metadata.created.as_deref(), Some("2026-11-21T10:00:00Z"));
        assert_eq!(metadata.modified.as_deref(), Some("2026-11-22"));
        assert_eq!(metadata.author.as_deref(), Some("Ada, Bob"));
        let expected = serde_json::json!({
            "weight": 3, "taxonomies": {"tags": ["x"]}, "menus": [{"name": "main"}],
        });
        assert_eq!(serde_json::to_value(&metadata.extra).unwrap(), expected);
    }

    #[test]
    fn broken_and_deep_toml_is_ignored() {
        let deep = format!("a = {}", "[".repeat(100_000));
        for toml in ["a = ", "title = 'x'\ntitle = 'y'", "title: x", &deep] {
            assert_eq!(read_toml(toml), Metadata::default());
        }
    }

    #[test]
    fn known_fields_have_their_place() {
        let metadata = read(
            "title: A: b\nauthors: [Ada, {name: Bob}]\ndate: 2026-11-21\nlastmod: '2026'\nlang: de\n",
        );
        assert_eq!(
            metadata,
            Metadata::default(),
            "a colon in a plain value is broken YAML"
        );
        let metadata = read(
            "title: 'A: b'\nauthors: [Ada, {name: Bob}]\ndate: 2026-11-21\nlastmod: 2026\nlang: de\n",
        );
        assert_eq!(metadata.title.as_deref(), Some("A: b"));
        assert_eq!(metadata.author.as_deref(), Some("Ada, Bob"));
        assert_eq!(metadata.created.as_deref(), Some("2026-11-21"));
        assert_eq!(metadata.modified.as_deref(), Some("2026"));
        assert_eq!(metadata.language.as_deref(), Some("de"));
    }

    #[test]
    fn other_fields_are_kept_as_json() {
        let metadata = read("tags: [a, b]\ndraft: false\nweight: 3\nsize: 7\nnested:\n  x: ~\n");
        let json = serde_json::to_value(&metadata).unwrap();
        let expected = serde_json::json!({
            "tags": ["a", "b"], "draft": false, "weight": 3, "front_matter_size": 7,
            "nested": {"x": null},
        });
        assert_eq!(json, expected);
    }

    #[test]
    fn the_first_of_two_names_for_one_field_counts() {
        assert_eq!(read("created: a\ndate: b\n").created.as_deref(), Some("a"));
    }

    #[test]
    fn broken_yaml_is_ignored() {
        for yaml in ["a: [", "- a\n- b\n", "a: 'b", "\t: x", "a: *nobody"] {
            assert_eq!(read(yaml), Metadata::default(), "{yaml}");
        }
    }

    #[test]
    fn alias_bombs_are_ignored() {
        let mut yaml = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..10 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            writeln!(yaml, "a{level}: &a{level} [{aliases}]").unwrap();
        }
        assert_eq!(read(&yaml), Metadata::default());
    }
}
