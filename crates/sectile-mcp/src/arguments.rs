//! Arguments, read strictly.

use std::ops::RangeInclusive;

use rmcp::model::{JsonObject, Tool};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::problem::{Problem, quoted};

/// Reads the arguments of a tool. What it does not know is refused rather than ignored: the client
/// meant something by it.
pub(crate) fn read<T: DeserializeOwned>(
    tool: &Tool,
    arguments: Option<JsonObject>,
) -> Result<T, Problem> {
    let arguments = arguments.unwrap_or_default();
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
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let (path, reason) = (error.path().to_string(), error.inner().to_string());
        let reason = crate::answer::cut(&reason, 240);
        Problem::invalid(match &*path {
            "." => format!("the arguments of `{}` cannot be read: {reason}", tool.name),
            path => format!("{} cannot be read: {reason}", quoted(path)),
        })
    })
}

/// Shows how filters are written that were given as an object.
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
    if first == 0 || last < first {
        return Err(invalid());
    }
    Ok(first..=last)
}
