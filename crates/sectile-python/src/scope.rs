//! Where is searched and listed.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sectile::{Library, Result, Scope};
use serde_json::{Map, Value};

/// Where to search or list, as it is named in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ScopeArguments {
    collection: Option<String>,
    paths: Option<Vec<PathBuf>>,
    /// JSON.
    filters: String,
}

/// Where to search or list.
pub(crate) struct Place {
    collection: Option<String>,
    paths: Option<Vec<PathBuf>>,
    filters: Filters,
}

/// What narrows a scope.
enum Filters {
    /// Values of metadata, by the names of their fields.
    Fields(Map<String, Value>),
    /// Conditions, as they are typed: `KEY=VALUE`.
    Typed(Vec<String>),
}

impl TryFrom<ScopeArguments> for Place {
    type Error = PyErr;

    fn try_from(arguments: ScopeArguments) -> PyResult<Self> {
        let invalid = |error| PyValueError::new_err(format!("filters: {error}"));
        let filters = match serde_json::from_str(&arguments.filters).map_err(invalid)? {
            Value::Object(fields) => Filters::Fields(fields),
            typed => Filters::Typed(serde_json::from_value(typed).map_err(invalid)?),
        };
        Ok(Self {
            collection: arguments.collection,
            paths: arguments.paths,
            filters,
        })
    }
}

impl Place {
    /// Returns the collection, if one is named.
    pub(crate) fn collection(&self) -> Option<&str> {
        self.collection.as_deref()
    }

    /// Returns whether paths or filters narrow it.
    pub(crate) fn has_conditions(&self) -> bool {
        let has_filters = match &self.filters {
            Filters::Fields(fields) => !fields.is_empty(),
            Filters::Typed(typed) => !typed.is_empty(),
        };
        self.paths.is_some() || has_filters
    }

    /// Returns the scope that it means in a library.
    pub(crate) fn scope(&self, library: &Library) -> Result<Scope> {
        let mut scope = match (&self.collection, &self.paths) {
            (collection, Some(paths)) => library.scope(collection.as_deref(), paths)?,
            (Some(collection), None) => Scope::collection(collection),
            (None, None) => Scope::all(),
        };
        match &self.filters {
            Filters::Fields(fields) => {
                for (name, value) in fields {
                    scope = scope.with_field(name, value.clone());
                }
            }
            Filters::Typed(typed) => {
                for filter in typed {
                    scope = scope.with_filter(filter)?;
                }
            }
        }
        Ok(scope)
    }
}
