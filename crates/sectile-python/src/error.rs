//! Errors: one class of exceptions a kind, which `sectile/_errors.py` has.

use pyo3::prelude::*;
use sectile::checkpoint;
use sectile::error_chain;

/// Returns the exception of a kind, with the message of an error and of what caused it.
fn raised(
    py: Python<'_>,
    kind: &str,
    error: &(dyn std::error::Error + 'static),
    again: bool,
) -> PyErr {
    let exception = || {
        let classes = py.import("sectile._errors")?;
        let class = classes.getattr("of_kind")?.call1((kind,))?;
        class.call1((error_chain(error), again))
    };
    exception().map_or_else(|failed| failed, PyErr::from_value)
}

pub(crate) fn of_checkpoints(py: Python<'_>, error: &checkpoint::Error) -> PyErr {
    let kind = format!("{:?}", error.kind());
    raised(py, &kind, error, error.is_retryable())
}

pub(crate) fn of_library(py: Python<'_>, error: &sectile::Error) -> PyErr {
    use sectile::Error as E;
    match error {
        E::Path { .. } => raised(py, "Read", error, false),
        E::NotIngested { .. }
        | E::NoSuchHeading { .. }
        | E::NoSuchSection { .. }
        | E::NoSuchLines { .. }
        | E::NoSuchPages { .. }
        | E::NoSuchMemory { .. } => raised(py, "NotFound", error, false),
        E::AmbiguousDocument { .. } | E::AmbiguousHeading { .. } => {
            raised(py, "Ambiguous", error, false)
        }
        E::StoreUrl { .. }
        | E::InvalidCursor { .. }
        | E::Settings(_)
        | E::NoEmbedder
        | E::NoChatModel
        | E::NoReranker
        | E::EmptyMemory
        | E::Metadata(_) => raised(py, "InvalidArgument", error, false),
        E::Model(model) => of_model(py, error, model),
        E::Store(store) => {
            let kind = kind_of_store(store);
            raised(py, kind, error, kind == "Unavailable")
        }
        _ => raised(py, "Other", error, false),
    }
}

/// What a function in Python raised is the cause of the exception.
fn of_model(py: Python<'_>, error: &sectile::Error, model: &sectile::models::Error) -> PyErr {
    let is_busy = matches!(model, sectile::models::Error::Unavailable { .. });
    let exception = raised(py, "Model", error, is_busy);
    if let sectile::models::Error::Failed { source, .. } = model
        && let Some(cause) = source.downcast_ref::<PyErr>()
    {
        exception.set_cause(py, Some(cause.clone_ref(py)));
    }
    exception
}

fn kind_of_store(error: &sectile::store::Error) -> &'static str {
    use sectile::store::Error as E;
    match error {
        E::NoVectors
        | E::OtherModel { .. }
        | E::OtherEncoding { .. }
        | E::VectorsUnavailable { .. } => "Vectors",
        E::DuplicateKey { .. } => "DuplicateKey",
        E::NewerSchema { .. } => "NewerSchema",
        E::Unavailable { .. } => "Unavailable",
        E::FileReplaced { .. } => "FileReplaced",
        E::ReadOnly { .. } => "ReadOnly",
        E::Full { .. } => "Full",
        E::Corrupt { .. } | E::Damaged { .. } => "Corrupt",
        E::Backend { .. } => "Backend",
        _ => "InvalidArgument",
    }
}

pub(crate) fn of_chunking(py: Python<'_>, error: &sectile::chunk::Error) -> PyErr {
    raised(py, "InvalidArgument", error, false)
}

pub(crate) fn of_loading(py: Python<'_>, error: &sectile::load::Error) -> PyErr {
    use sectile::load::Error as E;
    let kind = match error {
        E::Read { .. } => "Read",
        E::UnsupportedFormat { .. } => "UnsupportedFormat",
        E::Parse { .. } | E::WorkerDied { .. } => "Parse",
        E::Encrypted { .. } => "Encrypted",
        E::NoText { .. } | E::UnmappedText { .. } => "NoText",
        E::Ocr { .. } => "Ocr",
        E::LimitExceeded { .. } => "LimitExceeded",
        E::TimedOut { .. } => "TimedOut",
        _ => "InvalidArgument",
    };
    raised(py, kind, error, false)
}
