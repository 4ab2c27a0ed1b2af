//! Schemas as a model reads them: what a type says, without what only a program needs.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// Makes the schema of a tool's arguments.
pub(crate) fn of_arguments<T: JsonSchema>() -> JsonObject {
    schema::<T>(SchemaSettings::draft2020_12().for_deserialize())
}

/// Creates the schema of a tool's facts: the fields and their types. A client that shows the schema to
/// its model pays for it in each conversation, so it has no descriptions: the names of the fields
/// explain themselves. The fields of a problem are missing, because every schema allows other fields.
pub(crate) fn of_facts<T: JsonSchema>() -> Arc<JsonObject> {
    let mut facts = schema::<T>(SchemaSettings::draft2020_12().for_serialize());
    if let Some(Value::Object(all)) = facts.get_mut("properties") {
        for property in all.values_mut() {
            let name = property.get("type").cloned().unwrap_or("object".into());
            *property = json!({"type": name});
        }
    }
    facts.insert("required".into(), vec!["outcome"].into());
    Arc::new(facts)
}

fn schema<T: JsonSchema>(settings: SchemaSettings) -> JsonObject {
    let settings = settings.with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value();
    clean(&mut schema);
    match schema {
        Value::Object(mut schema) => {
            schema.remove("title");
            schema.remove("description");
            // `read` refuses unknown arguments, and its message lists the known ones.
            schema.remove("additionalProperties");
            schema
        }
        _ => JsonObject::new(),
    }
}

/// Removes what only says that an argument is optional, and the widths of integers.
fn clean(value: &mut Value) {
    match value {
        Value::Object(schema) => {
            clean_object(schema);
            schema.values_mut().for_each(clean);
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        _ => {}
    }
}

fn clean_object(schema: &mut JsonObject) {
    let is_width = |format: &Value| {
        let name = format.as_str().unwrap_or_default();
        name.contains("int") || ["float", "double"].contains(&name)
    };
    if schema.get("format").is_some_and(is_width) {
        schema.remove("format");
    }
    // No number is less, so that says nothing.
    if schema.get("minimum").is_some_and(|least| *least == 0) {
        schema.remove("minimum");
    }
    // Additional fields are allowed by default.
    if schema
        .get("additionalProperties")
        .is_some_and(|any| *any == true)
    {
        schema.remove("additionalProperties");
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &**types {
            let only = only.clone();
            schema.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(alternatives) = schema.remove("anyOf") {
        unite(schema, alternatives);
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
}

/// Puts the only alternative that is not `null` in the place of all.
fn unite(schema: &mut JsonObject, alternatives: Value) {
    let is_null = |alternative: &Value| alternative.get("type").is_some_and(|name| name == "null");
    let Value::Array(mut alternatives) = alternatives else {
        return;
    };
    alternatives.retain(|alternative| !is_null(alternative));
    if let [Value::Object(only)] = &mut *alternatives {
        for (name, value) in std::mem::take(only) {
            schema.entry(name).or_insert(value);
        }
    } else {
        schema.insert("anyOf".into(), alternatives.into());
    }
}
