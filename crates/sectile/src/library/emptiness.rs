//! Why a scope has no documents.

use std::fmt;

use sectile_store::Scope;

use super::Library;
use crate::Result;
use crate::fields::field_names;

/// How many fields of metadata are named where one is missing.
const FIELDS_NAMED: usize = 10;

/// The reason why a scope contains no documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Emptiness {
    /// The store has no documents at all.
    Store,
    /// There is no such collection.
    Collection {
        /// The name that was given.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A filter asks for a field that no document has.
    Field {
        /// The field.
        name: String,
        /// Those that documents have and a filter is likely to ask for.
        known: Vec<String>,
    },
    /// No document matches the scope.
    Scope,
}

impl fmt::Display for Emptiness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store => formatter.write_str("the store has no documents"),
            Self::Collection { name, known } => write!(
                formatter,
                "there is no collection `{name}`, only `{}`",
                known.join("`, `")
            ),
            Self::Field { name, known } => {
                write!(formatter, "no document has a field `{name}`")?;
                if known.is_empty() {
                    return Ok(());
                }
                let more = if known.len() > FIELDS_NAMED {
                    " and others"
                } else {
                    ""
                };
                let known: Vec<_> = known
                    .iter()
                    .take(FIELDS_NAMED)
                    .map(String::as_str)
                    .collect();
                write!(formatter, "; the fields are `{}`{more}", known.join("`, `"))
            }
            Self::Scope => formatter.write_str("no document matches the filters and paths"),
        }
    }
}

impl Library {
    /// Returns why there is no document in `scope`, or `None` if there is one.
    ///
    /// # Errors
    ///
    /// [`Error::Store`](crate::Error::Store).
    pub async fn emptiness(&self, scope: &Scope) -> Result<Option<Emptiness>> {
        if !self.documents(scope).await?.is_empty() {
            return Ok(None);
        }
        let known = self.collections().await?;
        Ok(Some(match scope.collection_name() {
            _ if known.is_empty() => Emptiness::Store,
            Some(name) if !known.iter().any(|known| known == name) => Emptiness::Collection {
                name: name.to_owned(),
                known,
            },
            _ => self.missing_field(scope).await?.unwrap_or(Emptiness::Scope),
        }))
    }

    /// Returns the first field that a scope asks for and no document of its collection has.
    async fn missing_field(&self, scope: &Scope) -> Result<Option<Emptiness>> {
        if scope.field_names().next().is_none() {
            return Ok(None);
        }
        let all = scope
            .collection_name()
            .map_or_else(Scope::all, Scope::collection);
        let documents = self.documents(&all).await?;
        let is_known = |name: &&str| {
            let mut metadata = documents.iter().map(|document| &document.metadata);
            // Each document is indexed in a language, whether it states one or not.
            *name == "language" || metadata.any(|metadata| metadata.field(name).is_some())
        };
        let missing = scope.field_names().find(|name| !is_known(name));
        Ok(missing.map(|name| Emptiness::Field {
            name: name.to_owned(),
            known: field_names(documents.iter().map(|document| &document.metadata)),
        }))
    }
}
