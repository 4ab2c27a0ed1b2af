//! Arguments, read strictly.

use std::ops::RangeInclusive;

use rmcp::model::{JsonObject, Tool};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::{Problem, quoted};

/// Reads the arguments of a tool. Unknown arguments are refused, because the client meant something
/// by them.
pub(crate) fn read<T: DeserializeOwned>(
    tool: &Tool,
    arguments: Option<JsonObject>,
) -> Result<T, Problem> {
    let mut arguments = arguments.unwrap_or_default();
    let known = names(tool);
    if let Some(unknown) = arguments
        .keys()
        .find(|name| !known.contains(&name.as_str()))
    {
        let (tool, unknown, known) = (&tool.name, quoted(unknown), known.join("`, `"));
        return Err(Problem::invalid(if known.is_empty() {
            format!("`{tool}` has no argument {unknown}; it takes none")
        } else {
            format!("`{tool}` has no argument {unknown}; it takes `{known}`")
        }));
    }
    if let Some(Value::Object(filters)) = arguments.get("filters") {
        return Err(as_list(filters));
    }
    list_single_texts(tool, &mut arguments);
    write_whole_numbers(tool, &mut arguments);
    let read = serde_path_to_error::deserialize(Value::Object(arguments.clone()));
    read.map_err(|error| {
        let (path, reason) = (error.path().to_string(), error.inner().to_string());
        if let Some(message) = misfit(tool, &arguments, &path) {
            return Problem::invalid(message);
        }
        let reason = crate::answer::cut(&reason, 240);
        Problem::invalid(match &*path {
            "." => format!("the arguments of `{}` cannot be read: {reason}", tool.name),
            path => format!("{} cannot be read: {reason}", quoted(path)),
        })
    })
}

/// Replaces strings by lists of one string where the schema has a list.
fn list_single_texts(tool: &Tool, arguments: &mut JsonObject) {
    for (name, value) in arguments {
        let takes_texts = property(tool, name)
            .is_some_and(|schema| schema["type"] == "array" && schema["items"]["type"] == "string");
        if takes_texts && value.is_string() {
            *value = Value::Array(vec![value.take()]);
        }
    }
}

/// Writes `3.0` as `3` where the schema has an integer. For JSON Schema, both are integers.
fn write_whole_numbers(tool: &Tool, arguments: &mut JsonObject) {
    for (name, value) in arguments {
        let takes_number = property(tool, name).is_some_and(|schema| schema["type"] == "integer");
        if takes_number && let Some(whole) = whole(value) {
            *value = whole.into();
        }
    }
}

/// Returns the whole number that a value is, with a decimal point or without.
pub(crate) fn whole(value: &Value) -> Option<u64> {
    let number = value.as_u64();
    // The text of a number with a fraction has a point, so it is not parsed.
    number.or_else(|| value.as_f64()?.to_string().parse().ok())
}

/// Returns the type that an argument must have, in the terms of JSON.
fn misfit(tool: &Tool, arguments: &JsonObject, name: &str) -> Option<String> {
    let (schema, given) = (property(tool, name)?, arguments.get(name)?);
    let advice = match (&schema["enum"], schema["type"].as_str()?) {
        (Value::Array(values), _) => {
            let names: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            format!("use one of `{}`", names.join("`, `"))
        }
        (_, "integer") => "give a whole number, such as 500".to_owned(),
        (_, "boolean") => "give true or false".to_owned(),
        (_, "string") => "give a text".to_owned(),
        (_, "array") => "give a list".to_owned(),
        _ => return None,
    };
    let given = match given {
        Value::String(text) => quoted(text),
        other => quoted(&other.to_string()),
    };
    Some(format!("`{name}` is {given}; {advice}"))
}

fn property<'t>(tool: &'t Tool, name: &str) -> Option<&'t Value> {
    tool.input_schema.get("properties")?.get(name)
}

/// Returns the problem that `filters` is an object, with the same filters as a list.
fn as_list(filters: &JsonObject) -> Problem {
    let written = |(name, value): (&String, &Value)| match value {
        Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    };
    let list: Vec<String> = filters.iter().map(written).collect();
    let list = crate::answer::cut(&Value::from(list).to_string(), 240);
    Problem::invalid(format!(
        "`filters` is an object; write it as a list: {list}"
    ))
}

fn names(tool: &Tool) -> Vec<&str> {
    let properties = tool.input_schema.get("properties");
    let properties = properties.and_then(Value::as_object);
    properties.map_or_else(Vec::new, |all| all.keys().map(String::as_str).collect())
}

/// Checks that a number is in range.
pub(crate) fn in_range(
    name: &str,
    given: Option<usize>,
    allowed: RangeInclusive<usize>,
) -> Result<Option<usize>, Problem> {
    match given {
        Some(number) if !allowed.contains(&number) => Err(Problem::invalid(format!(
            "`{name}` is {number}; give {} to {}",
            allowed.start(),
            allowed.end()
        ))),
        given => Ok(given),
    }
}

/// Reads `3`, `3-5` or `3-` as a range of lines or pages.
pub(crate) fn number_range(name: &str, text: &str) -> Result<RangeInclusive<usize>, Problem> {
    let invalid = || {
        let text = quoted(text);
        Problem::invalid(format!(
            "`{name}` is {text}; write it as `12`, `12-40` or `12-`"
        ))
    };
    let number = |text: &str| text.trim().parse().map_err(|_| invalid());
    let (first, last) = match text.split_once('-') {
        None => (number(text)?, number(text)?),
        Some((first, "")) => (number(first)?, usize::MAX),
        Some((first, last)) => (number(first)?, number(last)?),
    };
    if last < first {
        return Err(Problem::invalid(format!(
            "`{name}` is {}, which ends before it begins; write `{last}-{first}`",
            quoted(text)
        )));
    }
    if first == 0 {
        return Err(invalid());
    }
    Ok(first..=last)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_number_with_a_decimal_point_may_be_whole() {
        for (number, expected) in [
            (json!(3.0), Some(3)),
            (json!(1e9), Some(1_000_000_000)),
            (json!(2.5), None),
            (json!(-1), None),
            (json!(-1.0), None),
            (json!(1e300), None),
            (json!(3), Some(3)),
            (json!("3.0"), None),
        ] {
            assert_eq!(whole(&number), expected, "{number}");
        }
    }
}
