//! Errors of splitters.

/// The error of configuring a splitter or splitting a text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option has a value that makes no sense; change it.
    #[error("{option} {reason}")]
    InvalidConfig {
        /// The option, by the name of its parameter.
        option: &'static str,
        /// What is wrong with its value.
        reason: String,
    },
    /// A separator pattern is not a regular expression that the splitter can use; change it.
    #[error("separator pattern `{pattern}` {reason}")]
    InvalidPattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: &'static str,
        /// The message of the regex compiler, if it refused the expression.
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// A section is too large and has no heading to split at; raise the limit or allow splitting.
    #[error(
        "section `{}` at line {line} has {tokens} tokens and no headings to split at; \
         the limit is {max_tokens}",
        heading_path.join(" > ")
    )]
    SectionTooLarge {
        /// The headings from the root to the section, its own included.
        heading_path: Vec<String>,
        /// The size of the section's own text in tokens.
        tokens: usize,
        /// The limit in tokens.
        max_tokens: usize,
        /// The line that the section begins on, from 1.
        line: usize,
    },
    /// A text is not JSON that can be split; the reason says where or why.
    #[cfg(feature = "json")]
    #[error("the text is not a JSON object: {reason}")]
    InvalidJson {
        /// What is wrong with it.
        reason: String,
    },
    /// The bytes of a tokenizer are not a `tokenizer.json`; use that of the model.
    #[cfg(feature = "hugging-face")]
    #[error(
        "the bytes of the tokenizer `{name}` are not a tokenizer.json; use the file of the model"
    )]
    InvalidTokenizer {
        /// The name that was given.
        name: String,
        /// What is wrong with it.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    /// Makes the error for a value of `option` for which `reason` holds.
    pub(crate) fn config(option: &'static str, reason: impl Into<String>) -> Self {
        Self::InvalidConfig {
            option,
            reason: reason.into(),
        }
    }
}
