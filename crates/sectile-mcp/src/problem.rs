//! The problems that tools report.

use std::fmt::Write as _;
use std::io::ErrorKind;

use schemars::JsonSchema;
use sectile::{Error, error_chain};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::answer::{Answer, Outcome, cut};

/// The number of characters that are quoted of a client's text.
pub(crate) const QUOTED: usize = 120;

/// Why there is no answer, and what to do.
#[derive(Clone, Debug)]
pub(crate) struct Problem(pub(crate) Box<Facts>);

/// What a client is told of a problem.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Facts {
    outcome: Outcome,
    /// What happened, and what to do.
    message: String,
    /// The same call may succeed later.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    transient: bool,
    /// The call that helps: `tool` and `arguments`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    next_call: Option<NextCall>,
    /// What may have been meant: `document`, `collection`, `section`, `heading_path`, `line`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<Map<String, Value>>")]
    pub(crate) candidates: Vec<Candidate>,
}

/// A call of a tool.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NextCall {
    tool: &'static str,
    arguments: Map<String, Value>,
}

/// Something that may have been meant, with the arguments that name it.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Candidate {
    /// The document, where that is in doubt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) document: Option<String>,
    /// The collection, where that is in doubt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) collection: Option<String>,
    /// The section's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) section: Option<String>,
    /// The headings from the root to the section.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) heading_path: Option<String>,
    /// The line that the section begins at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<usize>,
}

impl Candidate {
    fn written(&self, width: usize) -> Self {
        Self {
            heading_path: self.heading_path.as_deref().map(|path| cut(path, width)),
            ..self.clone()
        }
    }

    fn drawn(&self, width: usize) -> String {
        let mut line = String::from("\n-");
        if let Some(path) = &self.heading_path {
            let _ = write!(line, " {}", cut(path, width));
        }
        if let Some(document) = &self.document {
            let _ = write!(line, " {document}");
        }
        if let Some(collection) = &self.collection {
            let _ = write!(line, " (collection `{collection}`)");
        }
        if let Some(section) = &self.section {
            let _ = write!(line, " [{section}]");
        }
        if let Some(number) = self.line {
            let _ = write!(line, " line {number}");
        }
        line
    }
}

impl Problem {
    pub(crate) fn new(outcome: Outcome, message: String) -> Self {
        Self(Box::new(Facts {
            outcome,
            message,
            transient: matches!(outcome, Outcome::Transient),
            next_call: None,
            candidates: Vec::new(),
        }))
    }

    /// Returns what happened, and what to do.
    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }

    /// Refuses arguments; the message says what is allowed.
    pub(crate) fn invalid(message: String) -> Self {
        Self::new(Outcome::InvalidArguments, message)
    }

    /// Says that there is nothing.
    pub(crate) fn no_results(message: String) -> Self {
        Self::new(Outcome::NoResults, message)
    }

    /// Names the call that helps.
    #[must_use]
    pub(crate) fn with_call<const N: usize>(
        mut self,
        tool: &'static str,
        arguments: [(&str, Value); N],
    ) -> Self {
        let arguments = arguments.map(|(name, value)| (name.to_owned(), value));
        self.0.next_call = Some(NextCall {
            tool,
            arguments: arguments.into_iter().collect(),
        });
        self
    }

    /// Lists what may have been meant.
    #[must_use]
    pub(crate) fn with_candidates(mut self, candidates: Vec<Candidate>) -> Self {
        self.0.candidates = candidates;
        self
    }
}

impl Facts {
    /// Writes it with the first `shown` candidates, and `width` characters of each text in them.
    pub(crate) fn written(&self, shown: usize, width: usize) -> Answer {
        let candidates = &self.candidates[..shown];
        let mut text = self.message.clone();
        text.extend(candidates.iter().map(|candidate| candidate.drawn(width)));
        let hidden = self.candidates.len() - shown;
        if hidden > 0 {
            let _ = write!(text, "\n({hidden} more; a larger `max_tokens` shows them)");
        }
        if let Some(NextCall { tool, arguments }) = &self.next_call {
            let arguments = Value::from(arguments.clone());
            let _ = write!(text, "\nNext: {tool} {arguments}");
        }
        let facts = Self {
            candidates: candidates.iter().map(|one| one.written(width)).collect(),
            ..self.clone()
        };
        Answer {
            is_error: self.outcome.is_error(),
            ..Answer::new(text, &facts)
        }
    }
}

/// Quotes a client's text, shortened.
pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", cut(text, QUOTED))
}

/// Writes an error of the library for a model. Messages of databases and servers go to the log,
/// because the model may not see everything in them.
impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::AmbiguousHeading {
                heading,
                candidates,
            } => ambiguous_heading(&heading, candidates),
            Error::NoSuchMemory { .. } => Self::no_results(said(&error)),
            Error::NoSuchLines { .. }
            | Error::NoSuchPages { .. }
            | Error::EmptyMemory
            | Error::Metadata(_)
            | Error::NoEmbedder
            | Error::NoChatModel
            | Error::NoReranker => Self::invalid(said(&error)),
            Error::Path { path, source } if source.kind() == ErrorKind::InvalidInput => {
                let path = quoted(&path.display().to_string());
                Self::invalid(format!(
                    "{path} is neither a file nor a folder, but a pipe, a socket or a device; name another one"
                ))
            }
            Error::Store(error) => of_store(&error),
            Error::Model(error) => of_model(&error),
            Error::Site(error) => of_site(&error),
            error => failed(&error),
        }
    }
}

fn ambiguous_heading(heading: &str, candidates: Vec<sectile::Candidate>) -> Problem {
    let candidate = |candidate: sectile::Candidate| Candidate {
        section: Some(candidate.id.to_string()),
        heading_path: Some(candidate.heading_path.join(" > ")),
        line: Some(candidate.line),
        ..Candidate::default()
    };
    let (number, heading) = (candidates.len(), quoted(heading));
    let message = format!(
        "{number} sections have the heading {heading}; call again with the `section` of one of them:"
    );
    Problem::new(Outcome::Ambiguous, message)
        .with_candidates(candidates.into_iter().map(candidate).collect())
}

fn of_store(error: &sectile::store::Error) -> Problem {
    use sectile::store::Error as Store;
    match error {
        Store::EmptyQuery { .. }
        | Store::InvalidFilter { .. }
        | Store::NoQueryVector { .. }
        | Store::NoVectors
        | Store::NoPartitions
        | Store::OtherModel { .. }
        | Store::OtherEncoding { .. }
        | Store::InvalidDocument { .. } => Problem::invalid(said(error)),
        // The agent does not learn where the file is.
        Store::ReadOnly { .. } => {
            logged(error);
            let message = "the store is read-only here: it can be searched, but not changed";
            Problem::new(Outcome::Refused, message.to_owned())
        }
        error if error.is_retryable() => Problem::new(Outcome::Transient, logged(error)),
        error => match sectile::store_remedy(error) {
            Some(remedy) => {
                let message = format!(
                    "{}; for the operator of this server: {remedy}",
                    logged(error)
                );
                Problem::new(Outcome::Failed, message)
            }
            None => failed(error),
        },
    }
}

fn of_model(error: &sectile::models::Error) -> Problem {
    match error {
        // The agent does not learn where the server is.
        sectile::models::Error::Unreachable { model, .. } => {
            logged(error);
            let message = format!("the model `{model}` is out of reach; try again later");
            Problem::new(Outcome::Transient, message)
        }
        error if error.is_transient() => Problem::new(Outcome::Transient, logged(error)),
        error => failed(error),
    }
}

fn of_site(error: &sectile::sites::Error) -> Problem {
    use sectile::sites::Error as Site;
    match error {
        error if error.is_transient() => Problem::new(Outcome::Transient, logged(error)),
        Site::InvalidUrl { .. } => Problem::invalid(said(error)),
        Site::PrivateAddress { url, .. } => {
            let message = format!(
                "`{url}` leads to an address that is not public; only the operator of this server can \
                 allow that"
            );
            Problem::new(Outcome::Refused, cut(&message, 4 * QUOTED))
        }
        Site::Disallowed { .. } => Problem::new(Outcome::Refused, said(error)),
        Site::NotFound { .. } => Problem::no_results(said(error)),
        Site::NoListing { url, .. } => {
            let call = [("source", url.as_str().into()), ("crawl", true.into())];
            Problem::no_results(said(error)).with_call("ingest", call)
        }
        error => failed(error),
    }
}

fn failed(error: &(dyn std::error::Error + 'static)) -> Problem {
    Problem::new(Outcome::Failed, logged(error))
}

/// Logs an error with its causes, and returns what the error itself says.
fn logged(error: &(dyn std::error::Error + 'static)) -> String {
    tracing::warn!("a call failed: {}", error_chain(error));
    said(error)
}

/// Writes the message of an error, shortened, as it may quote a client's text.
fn said(error: &dyn std::error::Error) -> String {
    cut(&error.to_string(), 4 * QUOTED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_store_says_which_command_helps() {
        let index = sectile::store::Error::corrupt("a block of the index");
        let problem = Problem::from(Error::Store(index));
        let said = problem.message();
        assert!(said.ends_with(": run `sectile doctor --repair`"), "{said}");
    }
}
