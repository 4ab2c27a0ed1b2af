//! Front matter as metadata: in YAML, in TOML, and fields without fences.

mod yaml;

use std::path::Path;

use sectile_core::{LeadingFields, Metadata, Span};
use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, Value as Toml};

use crate::omissions::UNREAD_FIELDS;

/// How large front matter may be; what is longer is not metadata.
const MAX_BYTES: usize = 1 << 20;

/// How many fields that cannot be read are named.
const MAX_UNREAD: usize = 100;

/// How front matter is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Syntax {
    Toml,
    Yaml,
}

/// Reads the front matter of `text` into `metadata`, whose other fields it leaves as they are, and returns where
/// it stands. Of what is broken the fields are read that can be: it never is a reason not to load the text below it.
pub(crate) fn read(metadata: &mut Metadata, text: &str, path: &Path) -> Option<Span> {
    let span = sectile_chunk::front_matter(text)?;
    let is_toml = text.starts_with('+');
    let syntax = if is_toml { Syntax::Toml } else { Syntax::Yaml };
    read_into(metadata, span.of(text), syntax, path);
    Some(span)
}

/// Reads the fields that `text` begins with and that stand between no fences, as [`read`] does front matter. Their names are
/// in small letters.
pub(crate) fn read_fields(metadata: &mut Metadata, text: &str) -> Option<Span> {
    let found = LeadingFields::of(text)?;
    for (key, lines) in &found.fields {
        let value = match &**lines {
            [] => Value::Null,
            [only] => plain_value(only),
            several => several.iter().map(|line| plain_value(line)).collect(),
        };
        set(metadata, key.to_lowercase(), value);
    }
    Some(found.span)
}

/// Reads a value that stands between no fences: numbers, truth values and lists as YAML has them, all else as text.
fn plain_value(text: &str) -> Value {
    let fields = yaml::parse(&format!("value: {text}"));
    let value = fields.ok().and_then(|mut fields| fields.remove("value"));
    let is_quoted = text.starts_with(['"', '\'']);
    let is_plain = |value: &Value| match value {
        Value::Number(_) | Value::Bool(_) | Value::Array(_) => true,
        Value::String(_) => is_quoted,
        Value::Null | Value::Object(_) => false,
    };
    value.filter(is_plain).unwrap_or_else(|| text.into())
}

fn read_into(metadata: &mut Metadata, source: &str, syntax: Syntax, path: &Path) {
    if source.len() > MAX_BYTES {
        tracing::debug!(path = %path.display(), "front matter is longer than {MAX_BYTES} bytes and not read");
        return;
    }
    // TOML has no line that ends with a carriage return alone.
    let source = &*source.replace("\r\n", "\n").replace('\r', "\n");
    let mut unread = Vec::new();
    let fields = syntax.parse(source).unwrap_or_else(|error| {
        tracing::debug!(path = %path.display(), error, "front matter is read field by field");
        field_by_field(source, syntax, &mut unread)
    });
    for (key, value) in fields {
        set(metadata, key, value);
    }
    if !unread.is_empty() {
        unread.truncate(MAX_UNREAD);
        metadata.extra.insert(UNREAD_FIELDS.into(), unread.into());
    }
}

impl Syntax {
    fn parse(self, source: &str) -> Result<Map<String, Value>, String> {
        match self {
            Self::Toml => parse_toml(source),
            Self::Yaml => yaml::parse(source),
        }
    }

    /// Returns the key of a field that begins with a line.
    fn key(self, line: &str) -> Option<&str> {
        let (begins, separator) = match self {
            Self::Toml => (line.starts_with('['), '='),
            Self::Yaml => (false, ':'),
        };
        if begins {
            return Some(line.trim());
        }
        let is_one =
            line.starts_with(|first: char| first.is_alphanumeric() || "_'\"".contains(first));
        let (key, _) = line.split_once(separator).filter(|_| is_one)?;
        Some(key.trim().trim_matches(['\'', '"']))
    }

    /// Returns whether a value that is broken may be meant as the text that it is, as in `title: C++: the good parts`.
    fn may_mean(self, value: &str) -> bool {
        let is_template = value.starts_with("{{");
        let is_structure = value.starts_with(['[', '{', '&', '|', '>', '"', '\'']);
        let is_alias = value.starts_with('*') && !value.starts_with("* ");
        self == Self::Yaml && (is_template || !is_structure && !is_alias)
    }
}

/// Reads the fields that can be read of front matter that is broken: a value of one line is what stands there. What is
/// lost is put into `unread`.
fn field_by_field(source: &str, syntax: Syntax, unread: &mut Vec<String>) -> Map<String, Value> {
    let mut fields = Map::new();
    for (key, lines) in blocks(source, syntax) {
        match syntax.parse(&lines) {
            Ok(read) => read.into_iter().for_each(|(key, value)| {
                fields.entry(key).or_insert(value);
            }),
            Err(_) => match plain(&lines).filter(|text| syntax.may_mean(text)) {
                Some(text) => {
                    fields.entry(key).or_insert_with(|| text.into());
                }
                None => unread.push(key.to_owned()),
            },
        }
    }
    fields
}

/// Splits front matter into its fields, each with its lines. In TOML the lines below the head of a table are its own.
fn blocks(source: &str, syntax: Syntax) -> Vec<(&str, String)> {
    let mut blocks: Vec<(&str, String)> = Vec::new();
    for line in source.lines().filter(|line| !is_fence(line)) {
        let is_of_table =
            blocks.last().is_some_and(|(key, _)| key.starts_with('[')) && !line.starts_with('[');
        match syntax.key(line).filter(|_| !is_of_table) {
            Some(key) => blocks.push((key, format!("{line}\n"))),
            None => {
                if let Some((_, lines)) = blocks.last_mut() {
                    lines.push_str(line);
                    lines.push('\n');
                }
            }
        }
    }
    blocks
}

/// Returns whether a line is one of those that front matter stands between.
fn is_fence(line: &str) -> bool {
    matches!(line.trim_end(), "---" | "+++" | "...")
}

/// Returns the text of a value that stands on one line.
fn plain(field: &str) -> Option<&str> {
    let (_, value) = field.trim_end().split_once(':')?;
    let value = value.trim();
    (!value.is_empty() && !value.contains('\n')).then_some(value)
}

fn parse_toml(toml: &str) -> Result<Map<String, Value>, String> {
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
        Toml::Float(number) => of_float(*number.value(), &number.display_repr()),
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

/// Returns a number of TOML. What JSON writes in another way is text: `1.10` is a version. JSON has no infinity.
fn of_float(number: f64, written: &str) -> Value {
    let value = Value::from(number);
    let (in_json, is_decimal) = (value.to_string(), !written.contains(['_', 'e', 'E']));
    if value.is_null() || (is_decimal && in_json != written) {
        written.into()
    } else {
        value
    }
}

/// Puts one field where it belongs: fields that [`Metadata`] has no place for go to its `extra`, and so does what its
/// place does not take, such as a title in several languages or the addresses of authors.
pub(crate) fn set(metadata: &mut Metadata, key: String, value: Value) {
    let field = match key.to_lowercase().as_str() {
        "title" => &mut metadata.title,
        "author" | "authors" => &mut metadata.author,
        "date" | "created" => &mut metadata.created,
        "modified" | "updated" | "lastmod" => &mut metadata.modified,
        "lang" | "language" => &mut metadata.language,
        _ => {
            // These names are taken for what is known of the file.
            let key = if Metadata::is_own(&key) {
                own_name(&key)
            } else {
                key
            };
            metadata.extra.entry(key).or_insert(value);
            return;
        }
    };
    let text = text(&value);
    let is_whole = is_whole(&value) && (field.is_none() || text.is_none() || *field == text);
    if field.is_none() {
        *field = text;
    }
    if !is_whole {
        metadata.extra.entry(own_name(&key)).or_insert(value);
    }
}

/// Returns the name of a field that would be taken for another without it.
fn own_name(key: &str) -> String {
    format!("front_matter_{key}")
}

/// Returns whether [`text`] leaves out nothing of a value.
fn is_whole(value: &Value) -> bool {
    let is_whole_one = |value: &Value| match value {
        Value::Object(fields) => {
            let has_only =
                |names: &[&str]| fields.keys().all(|name| names.contains(&name.as_str()));
            let is_name = has_only(&["name"])
                || has_only(&["literal"])
                || NAMES.iter().any(|names| has_only(names));
            is_name
                && !fields
                    .values()
                    .any(|value| value.is_object() || value.is_array())
        }
        other => !other.is_array(),
    };
    match value {
        Value::Array(values) => values.iter().all(is_whole_one),
        other => is_whole_one(other),
    }
}

/// Returns a value as text: names of several authors are joined.
fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::Array(values) => {
            let names: Vec<String> = values.iter().filter_map(text_of_one).collect();
            names.join(", ")
        }
        other => text_of_one(other)?,
    };
    (!text.is_empty()).then_some(text)
}

/// The fields that the name of a person is made of, where it is not one.
const NAMES: [[&str; 2]; 3] = [
    ["given", "family"],
    ["first", "last"],
    ["firstname", "lastname"],
];

fn text_of_one(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        Value::Object(fields) => {
            let part = |name: &str| fields.get(name).and_then(text_of_one);
            let parts = |names: &[&str; 2]| {
                let parts: Vec<String> = names.iter().filter_map(|name| part(name)).collect();
                (!parts.is_empty()).then(|| parts.join(" "))
            };
            let name = part("name").or_else(|| part("literal"));
            name.or_else(|| NAMES.iter().find_map(parts))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use serde_json::json;

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
             weight = 3\nversions = [1.10, 2.5]\nlimit = -inf\nbig = 1e3\n\
             [taxonomies]\ntags = ['x']\n[[menus]]\nname = 'main'\nversion = 1.0\nzip = 1_000.50\n",
        );
        assert_eq!(metadata.title.as_deref(), Some("A: b"));
        assert_eq!(metadata.created.as_deref(), Some("2026-11-21T10:00:00Z"));
        assert_eq!(metadata.modified.as_deref(), Some("2026-11-22"));
        assert_eq!(metadata.author.as_deref(), Some("Ada, Bob"));
        let expected = json!({
            "weight": 3, "versions": ["1.10", 2.5], "limit": "-inf", "big": 1000.0, "taxonomies": {"tags": ["x"]},
            "menus": [{"name": "main", "version": 1.0, "zip": 1000.5}],
        });
        assert_eq!(serde_json::to_value(&metadata.extra).unwrap(), expected);
    }

    fn fields(metadata: &Metadata) -> Value {
        serde_json::to_value(metadata).unwrap()
    }

    #[test]
    fn of_broken_and_deep_toml_the_other_fields_are_read() {
        let deep = format!("a = {}\ntitle = 'x'", "[".repeat(100_000));
        for toml in [
            "a = \ntitle = 'x'",
            "title = 'x'\ntitle = 'y'\na = b",
            &deep,
        ] {
            let expected = json!({"title": "x", "unread_fields": ["a"]});
            assert_eq!(fields(&read_toml(toml)), expected, "{}", &toml[..15]);
        }
        let table = "title = 'x'\n[menu]\nname = 'main'\n[broken]\nname = \nother = 1\n";
        let expected =
            json!({"title": "x", "menu": {"name": "main"}, "unread_fields": ["[broken]"]});
        assert_eq!(fields(&read_toml(table)), expected);
        assert_eq!(read_toml("title: x"), Metadata::default());
    }

    #[test]
    fn known_fields_have_their_place() {
        let metadata = read(
            "title: A: b\nauthors: [Ada, {name: Bob}]\ndate: 2026-11-21\nlastmod: '2026'\nlang: de\n",
        );
        assert_eq!(metadata.title.as_deref(), Some("A: b"));
        assert_eq!(metadata.language.as_deref(), Some("de"));
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
        let json = fields(&metadata);
        let expected = json!({
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
    fn what_a_known_field_does_not_take_is_kept() {
        let yaml = "title: {en: Alpha, de: Beta}\nlanguage: {toc: Inhalt}\nauthor:\n- {name: {literal: Ada B}, email: a@b}\n\
                    created: 2023\ndate: 2024\nupdated: []\nlastmod: ~\n";
        let expected = json!({
            "front_matter_title": {"en": "Alpha", "de": "Beta"}, "front_matter_language": {"toc": "Inhalt"},
            "author": "Ada B", "front_matter_author": [{"name": {"literal": "Ada B"}, "email": "a@b"}],
            "created": "2023", "front_matter_date": 2024,
        });
        assert_eq!(fields(&read(yaml)), expected);
    }

    #[test]
    fn of_broken_yaml_the_other_fields_are_read() {
        for (yaml, expected) in [
            (
                "title: C++: The good parts\nauthor: Ada\n",
                json!({"title": "C++: The good parts", "author": "Ada"}),
            ),
            (
                "x: @home\nauthor: Ada\n",
                json!({"x": "@home", "author": "Ada"}),
            ),
            (
                "x: {{ page.x }}\n---\ny: `code`\n",
                json!({"x": "{{ page.x }}", "y": "`code`"}),
            ),
            (
                "x: .inf\nsha: 123e4567\n",
                json!({"x": ".inf", "sha": "123e4567"}),
            ),
            (
                "x: [\n  1,\nauthor: Ada\n",
                json!({"unread_fields": ["x"], "author": "Ada"}),
            ),
            ("x: 1\nx: 2\n", json!({"x": 1})),
            ("a: 'b", json!({"unread_fields": ["a"]})),
            ("a: *nobody", json!({"unread_fields": ["a"]})),
            ("- a\n- b\n", json!({})),
            ("\t: x", json!({})),
        ] {
            assert_eq!(fields(&read(yaml)), expected, "{yaml}");
        }
    }

    #[test]
    fn numbers_and_truth_values_are_as_they_stand_there() {
        let yaml = "zip: 01234\nversion: 1.10\ncountry: NO # Norway\nanswer: y\nhex: 0x1F\nbig: 1e3\n\
                    year: 2026\nratio: 0.5\ndraft: True\ntitle: 010\nlang: no\nauthor: [1984, {given: Ada, family: L}]\n";
        let expected = json!({
            "zip": "01234", "version": "1.10", "country": "NO", "answer": "y", "hex": "0x1F", "big": "1e3",
            "year": 2026, "ratio": 0.5, "draft": true, "title": "010", "language": "no", "author": "1984, Ada L",
        });
        assert_eq!(fields(&read(yaml)), expected);
    }

    #[test]
    fn numbers_and_truth_values_in_lists_and_mappings_are_as_they_stand_there() {
        let yaml = "versions: [1.10, 2.5, é, 1.20]\ncountries:\n- NO # Norway\n- SE\nids:\n  first: 007\n  more: [0x1F, 3, true, yes, ~]\n\
                    base: &base 1.10\nother: *base\n";
        let expected = json!({
            "versions": ["1.10", 2.5, "é", "1.20"], "countries": ["NO", "SE"],
            "ids": {"first": "007", "more": ["0x1F", 3, true, "yes", null]}, "base": "1.10", "other": "1.10",
        });
        assert_eq!(fields(&read(yaml)), expected);
    }

    #[test]
    fn alias_bombs_are_not_followed() {
        let mut yaml = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for level in 1..10 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            writeln!(yaml, "a{level}: &a{level} [{aliases}]").unwrap();
        }
        let extra = read(&yaml).extra;
        assert_eq!(extra["unread_fields"].as_array().unwrap().len(), 9);
        assert_eq!(extra.len(), 2);
    }
}
