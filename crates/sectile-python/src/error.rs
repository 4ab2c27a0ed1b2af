//! Errors: one class of exceptions a kind, which `sectile/errors.py` has.

use pyo3::prelude::*;
use sectile::{Candidate, checkpoint, error_chain};
use serde_json::{Value, json};

/// Returns the exception of a kind, with the message of an error and of what caused it. `fields` are those of the
/// error, by name.
fn raised(
    py: Python<'_>,
    kind: &str,
    error: &(dyn std::error::Error + 'static),
    again: bool,
    fields: &Value,
) -> PyErr {
    with_message(py, kind, &error_chain(error), again, fields)
}

/// Returns the exception of a kind.
fn with_message(py: Python<'_>, kind: &str, message: &str, again: bool, fields: &Value) -> PyErr {
    let exception = || {
        let classes = py.import("sectile.errors")?;
        let make = classes.getattr("_of_kind")?;
        make.call1((kind, message, again, fields.to_string()))
    };
    exception().map_or_else(|failed| failed, PyErr::from_value)
}

/// Returns the exception of one of many questions, which it names.
pub(crate) fn of_question(
    py: Python<'_>,
    error: &sectile::Error,
    question: usize,
    query: &str,
) -> PyErr {
    let exception = of_library(py, error);
    let name = || {
        let value = exception.value(py);
        let message = format!("question {question}, `{query}`: {value}");
        value.setattr("args", (message,))?;
        value.setattr("question", question)
    };
    match name() {
        Ok(()) => exception,
        Err(failed) => failed,
    }
}

pub(crate) fn of_checkpoints(py: Python<'_>, error: &checkpoint::Error) -> PyErr {
    use checkpoint::Error as E;
    let fields = match error {
        E::InvalidArgument { argument, reason } => {
            json!({ "argument": argument, "reason": reason })
        }
        E::InvalidConfig { setting, reason } => json!({ "argument": setting, "reason": reason }),
        E::Unencodable {
            thread_id,
            path,
            reason,
        } => json!({ "thread_id": thread_id, "path": path, "reason": reason }),
        E::Undecodable {
            thread_id,
            seq,
            path,
            reason,
        } => json!({ "thread_id": thread_id, "seq": seq, "path": path, "reason": reason }),
        E::NotFound { thread_id, seq } => json!({ "thread_id": thread_id, "seq": seq }),
        E::ThreadExists { thread_id } | E::Projection { thread_id, .. } => {
            json!({ "thread_id": thread_id })
        }
        E::IdConflict {
            thread_id,
            id,
            seq,
            differs,
        } => json!({ "thread_id": thread_id, "id": id, "seq": seq, "differs": differs }),
        E::NotMigrated { found, needed } => json!({ "found": found, "needed": needed }),
        E::NewerSchema { found, known } => json!({ "found": found, "known": known }),
        E::FileReplaced { path } => json!({ "path": path.to_string_lossy() }),
        E::DatabaseNotFound { reason, .. } => json!({ "reason": reason }),
        E::Corrupt { what } => json!({ "what": what }),
        E::Incomplete { done, failures } => {
            json!({ "done": done, "failures": failures_json(failures) })
        }
        E::Backend { doing, .. } => json!({ "doing": doing }),
        _ => json!({}),
    };
    let kind = format!("{:?}", error.kind());
    raised(py, &kind, error, error.is_retryable(), &fields)
}

fn failures_json(failures: &checkpoint::Failures) -> Vec<Value> {
    let of = |failure: &checkpoint::Failure| {
        let kind = format!("{:?}", failure.error.kind());
        json!({
            "thread_id": failure.thread_id,
            "namespace": failure.namespace,
            "kind": kind,
            "message": error_chain(&failure.error),
        })
    };
    failures.0.iter().map(of).collect()
}

pub(crate) fn of_library(py: Python<'_>, error: &sectile::Error) -> PyErr {
    use sectile::Error as E;
    let (kind, fields) = match error {
        E::Path { path, .. } => ("Read", json!({ "path": path.to_string_lossy() })),
        E::NotIngested { uri } => {
            let message = format!(
                "{error}; a document is named by its path, or by its URI as `documents()` lists it"
            );
            return with_message(py, "NotFound", &message, false, &json!({ "uri": uri }));
        }
        E::NoSuchHeading {
            uri,
            heading,
            similar,
        } => (
            "NotFound",
            json!({ "uri": uri, "heading": heading, "similar": similar }),
        ),
        E::NoSuchSection { id } => ("NotFound", json!({ "id": id })),
        E::NoSuchMemory { id } => ("NotFound", json!({ "id": id })),
        E::NoSuchLines {
            uri,
            first,
            last,
            lines,
        } => (
            "NotFound",
            json!({ "uri": uri, "first": first, "last": last, "lines": lines }),
        ),
        E::NoSuchPages {
            uri,
            first,
            last,
            pages,
        } => (
            "NotFound",
            json!({ "uri": uri, "first": first, "last": last, "pages": pages }),
        ),
        E::AmbiguousDocument { uri, collections } => (
            "Ambiguous",
            json!({ "uri": uri, "collections": collections }),
        ),
        E::AmbiguousHeading {
            heading,
            candidates,
        } => {
            let candidates: Vec<_> = candidates.iter().map(candidate_json).collect();
            (
                "Ambiguous",
                json!({ "heading": heading, "candidates": candidates }),
            )
        }
        E::StoreUrl { url, reason } => (
            "InvalidArgument",
            json!({ "argument": "url", "url": url, "reason": reason }),
        ),
        E::InvalidCursor { .. } => (
            "InvalidArgument",
            json!({ "argument": "cursor", "reason": error.to_string() }),
        ),
        E::Settings(error) => ("InvalidArgument", of_settings(error)),
        E::NoEmbedder | E::NoChatModel | E::NoReranker | E::EmptyMemory | E::Metadata(_) => {
            ("InvalidArgument", json!({ "reason": error.to_string() }))
        }
        E::Model(model) => return of_model(py, error, model),
        E::Store(store) => of_store(store),
        _ => ("Other", json!({})),
    };
    let is_busy = matches!(kind, "Unavailable" | "TimedOut");
    raised(py, kind, error, is_busy, &fields)
}

fn candidate_json(candidate: &Candidate) -> Value {
    let Candidate {
        heading_path,
        id,
        line,
    } = candidate;
    json!({ "heading_path": heading_path, "id": id, "line": line })
}

/// What a function in Python raised is the cause of the exception.
fn of_model(py: Python<'_>, error: &sectile::Error, model: &sectile::models::Error) -> PyErr {
    use sectile::models::Error as E;
    let fields = match model {
        E::Configuration { model, .. }
        | E::Unavailable { model, .. }
        | E::Unreachable { model, .. }
        | E::NotAdded { model }
        | E::Refused { model, .. }
        | E::NotFound { model, .. }
        | E::Forbidden { model, .. }
        | E::Damaged { model, .. }
        | E::Failed { model, .. }
        | E::Answer { model, .. } => json!({ "model": model }),
        _ => json!({}),
    };
    let is_busy = model.is_transient();
    let exception = raised(py, "Model", error, is_busy, &fields);
    if let E::Failed { source, .. } = model
        && let Some(cause) = source.downcast_ref::<PyErr>()
    {
        exception.set_cause(py, Some(cause.clone_ref(py)));
    }
    exception
}

fn of_store(error: &sectile::store::Error) -> (&'static str, Value) {
    use sectile::store::Error as E;
    match error {
        E::OtherModel {
            collection,
            stored,
            asked,
        } => (
            "Vectors",
            json!({ "collection": collection, "stored": stored, "asked": asked }),
        ),
        E::OtherEncoding { collection } => ("Vectors", json!({ "collection": collection })),
        E::NoVectors => ("Vectors", json!({})),
        E::VectorsUnavailable { reason } => ("Vectors", json!({ "reason": reason })),
        E::DuplicateKey {
            collection,
            uri,
            other,
            key,
        } => (
            "DuplicateKey",
            json!({ "collection": collection, "uri": uri, "other": other, "key": key }),
        ),
        E::NewerSchema { found, known } => {
            ("NewerSchema", json!({ "found": found, "known": known }))
        }
        E::Unavailable { .. } | E::TooManyConnections { .. } => ("Unavailable", json!({})),
        E::TimedOut { .. } => ("TimedOut", json!({})),
        E::PreparedStatements { .. } => ("PreparedStatements", json!({})),
        E::FileReplaced { path } => ("FileReplaced", json!({ "path": path.to_string_lossy() })),
        E::ReadOnly { path } => ("ReadOnly", json!({ "path": path.to_string_lossy() })),
        E::Full { .. } => ("Full", json!({})),
        E::Corrupt { what } => ("Corrupt", json!({ "what": what })),
        E::Damaged { .. } => ("Corrupt", json!({})),
        E::Backend { doing, .. } => ("Backend", json!({ "doing": doing })),
        other => ("InvalidArgument", of_argument(other)),
    }
}

fn of_argument(error: &sectile::store::Error) -> Value {
    use sectile::store::Error as E;
    let reason = error.to_string();
    match error {
        E::EmptyQuery { query } => json!({ "argument": "query", "query": query, "reason": reason }),
        E::InvalidDocument { uri, .. } => json!({ "uri": uri, "reason": reason }),
        E::InvalidFilter { filter, .. } => {
            json!({ "argument": "filters", "filter": filter, "reason": reason })
        }
        E::InvalidUrl { url, .. } => json!({ "argument": "url", "url": url, "reason": reason }),
        _ => json!({ "reason": reason }),
    }
}

fn of_settings(error: &sectile::chunk::Error) -> Value {
    use sectile::chunk::Error as E;
    match error {
        E::InvalidConfig { option, reason } => json!({ "argument": option, "reason": reason }),
        other => json!({ "reason": other.to_string() }),
    }
}

pub(crate) fn of_chunking(py: Python<'_>, error: &sectile::chunk::Error) -> PyErr {
    raised(py, "InvalidArgument", error, false, &of_settings(error))
}

pub(crate) fn of_loading(py: Python<'_>, error: &sectile::load::Error) -> PyErr {
    use sectile::load::Error as E;
    let (kind, path) = match error {
        E::Read { path, .. } => ("Read", path),
        E::UnsupportedFormat { path, .. } => ("UnsupportedFormat", path),
        E::Parse { path, .. } | E::WorkerDied { path, .. } => ("Parse", path),
        E::Encrypted { path, .. } => ("Encrypted", path),
        E::NoText { path, .. } | E::UnmappedText { path, .. } => ("NoText", path),
        E::Ocr { path, .. } => ("Ocr", path),
        E::LimitExceeded { path, .. } => ("LimitExceeded", path),
        E::TimedOut { path, .. } => ("TimedOut", path),
        other => {
            let fields = json!({ "reason": other.to_string() });
            return raised(py, "InvalidArgument", error, false, &fields);
        }
    };
    let fields = json!({ "path": path.to_string_lossy() });
    raised(py, kind, error, false, &fields)
}
