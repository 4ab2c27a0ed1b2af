//! How texts are cut, as JSON.

use datafusion::common::{Result, plan_datafusion_err, plan_err};
use sectile::core::Format;
use sectile::{ChunkSettings, Cutter, Strategy, Unit};
use serde::Deserialize;

/// The settings of `sectile_chunk`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    strategy: Option<String>,
    size: Option<usize>,
    overlap: Option<usize>,
    unit: Option<String>,
    format: Option<String>,
}

/// What cuts, and the format of texts that do not say theirs.
pub(crate) struct Cutting {
    pub(crate) cutter: Cutter,
    pub(crate) strategy: Strategy,
    pub(crate) format: Format,
}

/// Reads settings.
pub(crate) fn cutting(settings: &str) -> Result<Cutting> {
    let given: Settings = serde_json::from_str(settings)
        .map_err(|error| plan_datafusion_err!("the settings {settings} cannot be read: {error}"))?;
    let Some(strategy) = given
        .strategy
        .as_deref()
        .map_or(Some(Strategy::Markdown), Strategy::from_name)
    else {
        return plan_err!("the settings {settings} name a strategy that does not exist");
    };
    let unit = match given.unit.as_deref() {
        None => None,
        Some(name) => match Unit::from_name(name) {
            None => return plan_err!("the settings {settings} name a unit that does not exist"),
            unit => unit,
        },
    };
    let Some(format) = given
        .format
        .as_deref()
        .map_or(Some(Format::Markdown), Format::from_name)
    else {
        return plan_err!("the settings {settings} name a format that does not exist");
    };
    let settings = ChunkSettings {
        strategy,
        size: given.size,
        overlap: given.overlap,
        unit,
    };
    let cutter = settings.cutter();
    let cutter =
        cutter.map_err(|error| plan_datafusion_err!("{}", sectile::error_chain(&error)))?;
    Ok(Cutting {
        cutter,
        strategy,
        format,
    })
}
