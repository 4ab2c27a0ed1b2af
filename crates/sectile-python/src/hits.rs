//! The hits of many questions as Arrow record batches.

use arrow_array::{Array, StructArray};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::error::PyArrowResult;
use sectile::{Hit, Library};
use sectile_arrow::{HitBuilder, HitRow, hit_fields};

use crate::search::Form;
use crate::stream;

/// Hits of many questions. Whatever reads Arrow streams takes it.
#[pyclass(frozen, module = "sectile")]
pub(crate) struct HitBatch {
    hits: StructArray,
    /// What a reader of the hits has to know, with the numbers of the questions.
    notes: Vec<(usize, String)>,
}

/// A question that could not be answered.
pub(crate) struct Failed {
    /// Its number.
    pub(crate) question: usize,
    pub(crate) query: String,
    pub(crate) error: sectile::Error,
}

impl HitBatch {
    /// Asks questions, one after the other.
    pub(crate) async fn of(
        library: &Library,
        questions: Vec<String>,
        form: &Form,
    ) -> Result<Self, Box<Failed>> {
        let (mut builder, mut notes) = (HitBuilder::default(), Vec::new());
        for (question, query) in questions.into_iter().enumerate() {
            let answer = form.answer(library, query.clone()).await;
            let answer = answer.map_err(|error| {
                Box::new(Failed {
                    question,
                    query,
                    error,
                })
            })?;
            for (rank, hit) in (1..).zip(answer.hits) {
                builder.append(&row(question, rank, hit));
            }
            notes.extend(answer.notes.into_iter().map(|note| (question, note)));
        }
        Ok(Self {
            hits: builder.finish(),
            notes,
        })
    }
}

fn row(question: usize, rank: usize, hit: Hit) -> HitRow {
    HitRow {
        question,
        rank,
        score: hit.score,
        collection: hit.document.collection,
        uri: hit.document.uri,
        title: hit.document.title,
        section: hit.section,
        headings: hit.heading_path,
        text: hit.text,
        lines: hit.lines,
        pages: hit.pages,
    }
}

#[pymethods]
impl HitBatch {
    fn __len__(&self) -> usize {
        self.hits.len()
    }

    #[getter]
    fn notes(&self) -> Vec<(usize, String)> {
        self.notes.clone()
    }

    #[expect(clippy::unused_self, reason = "all have the same")]
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyArrowResult<Bound<'py, PyCapsule>> {
        stream::schema(py, hit_fields())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyArrowResult<Bound<'py, PyCapsule>> {
        stream::of(py, hit_fields(), vec![self.hits.clone()], requested_schema)
    }

    fn __repr__(&self) -> String {
        format!("HitBatch({} hits)", self.__len__())
    }
}
