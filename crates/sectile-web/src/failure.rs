//! Error pages.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::html;
use sectile::error_chain;

use crate::layout::{self, Tab};

/// An error page. Its message is for the reader; details for the operator go to the log.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    title: &'static str,
    message: String,
}

impl Failure {
    /// There is no page at this address.
    pub(crate) fn no_page() -> Self {
        Self::not_found("there is no page at this address".to_owned())
    }

    /// Something that was asked for does not exist.
    pub(crate) fn not_found(message: String) -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            title: "Not found",
            message,
        }
    }

    /// A request is invalid.
    pub(crate) fn unusable(message: impl Into<String>) -> Self {
        Self {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            title: "Cannot show this",
            message: message.into(),
        }
    }

    /// Only reading is possible.
    pub(crate) fn read_only() -> Self {
        Self {
            status: StatusCode::METHOD_NOT_ALLOWED,
            title: "Read-only",
            message: "this site is read-only; use GET".to_owned(),
        }
    }

    /// An internal error.
    pub(crate) fn broken(error: &(dyn std::error::Error + 'static)) -> Self {
        tracing::error!("{}", error_chain(error));
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            title: "Something went wrong",
            message: "details are in the server's log; try again, or run `sectile doctor`"
                .to_owned(),
        }
    }

    /// A stored checkpoint cannot be read.
    fn damaged(error: &(dyn std::error::Error + 'static)) -> Self {
        tracing::error!("{}", error_chain(error));
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            title: "Damaged",
            message: format!(
                "{error}; the other checkpoints are intact, and `sectile checkpoint` shows them"
            ),
        }
    }

    /// The store cannot be read. The message says what to do.
    fn unreadable(error: &sectile::store::Error) -> Self {
        tracing::error!("{}", error_chain(error));
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            title: "The store cannot be read",
            message: match sectile::store_remedy(error) {
                Some(remedy) => format!("{error}; {remedy}"),
                None => error.to_string(),
            },
        }
    }

    fn busy(error: &(dyn std::error::Error + 'static)) -> Self {
        tracing::warn!("{}", error_chain(error));
        Self {
            status: StatusCode::SERVICE_UNAVAILABLE,
            title: "The store is busy",
            message: "the store is busy or out of reach; try again".to_owned(),
        }
    }
}

impl From<sectile::Error> for Failure {
    fn from(error: sectile::Error) -> Self {
        use sectile::Error;
        match &error {
            Error::NotIngested { .. } | Error::NoSuchSection { .. } => {
                Self::not_found(error.to_string())
            }
            Error::AmbiguousDocument { .. }
            | Error::Settings(_)
            | Error::NoEmbedder
            | Error::NoChatModel
            | Error::NoReranker => Self::unusable(error_chain(&error)),
            Error::Store(store) => Self::of_store(store),
            // The message of a model server may contain its address.
            _ => Self::broken(&error),
        }
    }
}

impl Failure {
    fn of_store(error: &sectile::store::Error) -> Self {
        use sectile::store::Error;
        match error {
            Error::EmptyQuery { .. }
            | Error::InvalidFilter { .. }
            | Error::NoQueryVector { .. }
            | Error::NoVectors
            | Error::NoPartitions
            | Error::OtherModel { .. }
            | Error::OtherEncoding { .. }
            | Error::VectorsUnavailable { .. } => Self::unusable(error.to_string()),
            _ if error.is_retryable() => Self::busy(error),
            Error::Damaged { .. } | Error::Corrupt { .. } | Error::NewerSchema { .. } => {
                Self::unreadable(error)
            }
            _ => Self::broken(error),
        }
    }

    /// Returns the status and the message, to show within a page.
    pub(crate) fn said(&self) -> (StatusCode, &str) {
        (self.status, &self.message)
    }
}

impl From<sectile::checkpoint::Error> for Failure {
    fn from(error: sectile::checkpoint::Error) -> Self {
        use sectile::checkpoint::Error;
        match &error {
            Error::InvalidArgument { .. } => Self::unusable(error.to_string()),
            Error::NotFound { .. } => Self::not_found(error.to_string()),
            Error::NotMigrated { .. } => {
                Self::not_found(format!("{error}: `sectile checkpoint migrate`"))
            }
            Error::Corrupt { .. } | Error::Undecodable { .. } => Self::damaged(&error),
            _ if error.is_retryable() => Self::busy(&error),
            _ => Self::broken(&error),
        }
    }
}

impl From<tokio::task::JoinError> for Failure {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::broken(&error)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let body = html! {
            div.narrow {
                h1 { (self.title) }
                p.error role="alert" { (self.message) }
                p { a href="/" { "All documents" } }
            }
        };
        let page = layout::page(self.title, Tab::None, "", &body);
        (self.status, page).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_store_says_which_command_helps() {
        let index = sectile::store::Error::corrupt("a block of the index");
        let failure = Failure::from(sectile::Error::Store(index));
        let (status, said) = failure.said();
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR);
        assert!(said.ends_with("; run `sectile doctor --repair`"), "{said}");
    }
}
