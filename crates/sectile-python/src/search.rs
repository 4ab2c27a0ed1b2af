//! How questions are asked.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sectile::{
    Answer, Emptiness, GroupBy, Library, Result, SearchMode, SearchRequest, error_chain,
};
use serde::de::DeserializeOwned;
use tokio::sync::OnceCell;

use crate::scope::{Place, ScopeArguments};

/// Where and how to search, as it is named in Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Arguments {
    mode: String,
    limit: usize,
    scope: ScopeArguments,
    group_by: String,
    explain: bool,
    rerank: bool,
}

/// Where and how to search.
pub(crate) struct Form {
    mode: SearchMode,
    limit: usize,
    place: Place,
    group_by: GroupBy,
    explain: bool,
    rerank: bool,
    /// Why there is nothing to find, from the first time that it is needed.
    emptiness: OnceCell<Option<Emptiness>>,
}

impl TryFrom<Arguments> for Form {
    type Error = PyErr;

    fn try_from(arguments: Arguments) -> PyResult<Self> {
        Ok(Self {
            mode: named("mode", &arguments.mode)?,
            limit: arguments.limit,
            place: arguments.scope.try_into()?,
            group_by: named("group_by", &arguments.group_by)?,
            explain: arguments.explain,
            rerank: arguments.rerank,
            emptiness: OnceCell::new(),
        })
    }
}

impl Form {
    /// Makes the request of a question.
    fn request(&self, library: &Library, query: String) -> Result<SearchRequest> {
        let mut request = SearchRequest::new(query)
            .with_scope(self.place.scope(library)?)
            .with_mode(self.mode)
            .with_limit(self.limit);
        request.group_by = self.group_by;
        request.explain = self.explain;
        Ok(request)
    }

    /// Answers a question. If the hits were to be ranked again and are not, a note says why, and if there are no documents
    /// to find, another.
    pub(crate) async fn answer(&self, library: &Library, query: String) -> Result<Answer> {
        let mut answer = self.ranked(library, query).await?;
        if answer.hits.is_empty() {
            let emptiness = self
                .emptiness
                .get_or_try_init(|| self.find_emptiness(library));
            answer
                .notes
                .extend(emptiness.await?.as_ref().map(ToString::to_string));
        }
        Ok(answer)
    }

    /// Returns why there are no documents where the caller searches, if there are none.
    async fn find_emptiness(&self, library: &Library) -> Result<Option<Emptiness>> {
        if !self.place.has_conditions() {
            let known = library.collections().await?;
            let is_known = |name: &str| known.iter().any(|known| known == name);
            // An existing collection has documents, so they need not be listed.
            if !known.is_empty() && self.place.collection().is_none_or(is_known) {
                return Ok(None);
            }
        }
        library.emptiness(&self.place.scope(library)?).await
    }

    async fn ranked(&self, library: &Library, query: String) -> Result<Answer> {
        let request = self.request(library, query)?;
        if !self.rerank {
            return library.search(&request).await;
        }
        let mut found = library.search_reranked(&request).await?;
        if let Some(problem) = &found.problem {
            found.answer.notes.push(error_chain(problem));
        }
        Ok(found.answer)
    }
}

/// Returns the value of this name.
fn named<T: DeserializeOwned>(argument: &str, name: &str) -> PyResult<T> {
    let value = serde_json::from_value(name.into());
    value.map_err(|error| PyValueError::new_err(format!("{argument}: {error}")))
}
